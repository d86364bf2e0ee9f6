//! One tool's shape: read from what it tells getopt, written as TOML.

use std::collections::BTreeMap;
use std::fmt;

/// How many words an option takes besides itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arity {
    None,
    Value,
    /// A value only if it is attached.
    Optional,
}

const ARITIES: [(Arity, &str); 3] =
    [(Arity::None, "flags"), (Arity::Value, "values"), (Arity::Optional, "optional")];

/// The options of a tool. Those that are one option under several names stand together.
#[derive(Debug, Default)]
pub struct Shape {
    /// Are options read behind operands as well?
    permutes: bool,
    short: BTreeMap<char, Arity>,
    long: BTreeMap<String, (Arity, Option<char>)>,
}

impl Shape {
    /// From the lines that the library prints.
    pub fn read(text: &str) -> Result<Shape, String> {
        let mut shape = Shape::default();
        for line in text.lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["short", letters] => shape.read_short(letters),
                ["long", name, arity, letter] => {
                    let arity = match arity {
                        "0" => Arity::None,
                        "1" => Arity::Value,
                        "2" => Arity::Optional,
                        other => return Err(format!("--{name} has the arity {other}")),
                    };
                    let letter = letter.chars().next().filter(|letter| *letter != '-');
                    shape.long.insert(name.to_owned(), (arity, letter));
                }
                _ => return Err(format!("the line {line:?} is not understood")),
            }
        }
        Ok(shape)
    }

    /// The short string of getopt(3): `+` first ends the options at the first operand, `-` returns
    /// operands in their order, `:` says that a value follows, `::` an attached one at most.
    fn read_short(&mut self, letters: &str) {
        self.permutes = !letters.starts_with('+');
        let letters = letters.trim_start_matches(['+', '-', ':']);
        let mut rest = letters.chars().peekable();
        while let Some(letter) = rest.next() {
            let mut colons = 0;
            while rest.next_if_eq(&':').is_some() {
                colons += 1;
            }
            let arity = [Arity::None, Arity::Value, Arity::Optional][colons.min(2)];
            self.short.insert(letter, arity);
        }
    }

    /// The options of one arity, each with all its names.
    fn options(&self, arity: Arity) -> Vec<String> {
        let long_for = |letter: char| {
            let stands =
                move |it: &(&String, &(Arity, Option<char>))| *it.1 == (arity, Some(letter));
            self.long.iter().filter(stands).map(|(name, _)| format!(" --{name}"))
        };
        let is_short = |letter: char| self.short.get(&letter) == Some(&arity);
        let short = self.short.iter().filter(|(_, its)| **its == arity);
        let short =
            short.map(|(letter, _)| format!("-{letter}{}", long_for(*letter).collect::<String>()));
        let long = self
            .long
            .iter()
            .filter(|(_, (its, letter))| *its == arity && !letter.is_some_and(is_short));
        short.chain(long.map(|(name, _)| format!("--{name}"))).collect()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "permutes = {}", self.permutes)?;
        for (arity, key) in ARITIES {
            let options = self.options(arity);
            if !options.is_empty() {
                writeln!(f, "{key} = [\n{}]", filled(&options))?;
            }
        }
        Ok(())
    }
}

/// The items of an array, as many on a line as there is room for.
fn filled(items: &[String]) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for item in items {
        let item = format!("{item:?},");
        if !line.is_empty() && 2 + line.len() + item.len() > 98 {
            lines += &format!("  {}\n", line.trim_end());
            line.clear();
        }
        line += &item;
        line.push(' ');
    }
    lines + &format!("  {}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_option_stand_together() {
        let text = "short\t+ab:c::\nlong\tall\t0\ta\nlong\tbare\t2\tb\nlong\tzip\t1\t-\n";
        let shape = Shape::read(text).expect("these are the library's lines");
        let expected = "permutes = false\nflags = [\n  \"-a --all\",\n]\n\
                        values = [\n  \"-b\", \"--zip\",\n]\n\
                        optional = [\n  \"-c\", \"--bare\",\n]\n";
        assert_eq!(shape.to_string(), expected);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in ["long\ta\t3\t-", "nonsense", "short"] {
            assert!(Shape::read(text).is_err(), "{text:?}");
        }
    }
}
