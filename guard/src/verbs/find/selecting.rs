//! Which names an expression of `find` prints, or hands to a command.

use crate::verbs::selected::Selected;
use crate::verbs::uses::Word;

/// How deep parentheses are looked into.
const DEPTH_MAX: usize = 16;

/// What an expression does with the names for which it comes to an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Selecting {
    /// The names that are printed; without an action, all for which the expression is true.
    pub(super) printed: Selected,
    /// Those that each command gets, in order.
    pub(super) commands: Vec<Selected>,
}

/// What is selected by an expression that has been read and declared. `within`: the names that are
/// found before anything is asked of them.
pub(super) fn selecting(words: &[Word<'_>], within: &Selected) -> Selecting {
    let known: Option<Vec<&[u8]>> = words.iter().map(|word| word.whole()).collect();
    let Some(known) = known else { return Selecting::default() };
    let mut expression = Expression { rest: &known, depth: 0, printed: None, commands: Vec::new() };
    match expression.list(within) {
        Some(selected) if expression.rest.is_empty() => {
            let acts = !expression.commands.is_empty();
            let printed = expression.printed.or((!acts).then_some(selected));
            Selecting { printed: printed.unwrap_or_default(), commands: expression.commands }
        }
        _ => Selecting::default(),
    }
}

/// What is left of an expression, and the actions so far. Each part takes the names that come to it
/// and gives those for which it may be true. Nothing comes back for what is not understood.
struct Expression<'r> {
    rest: &'r [&'r [u8]],
    depth: usize,
    printed: Option<Selected>,
    commands: Vec<Selected>,
}

impl<'r> Expression<'r> {
    fn next(&mut self) -> Option<&'r [u8]> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn takes(&mut self, words: &[&[u8]]) -> bool {
        let is = self.rest.first().is_some_and(|first| words.contains(first));
        self.rest = if is { &self.rest[1..] } else { self.rest };
        is
    }

    /// Alternatives with commas between them: all of them are asked, the last one counts.
    fn list(&mut self, within: &Selected) -> Option<Selected> {
        let mut last = self.either(within)?;
        while self.takes(&[b","]) {
            last = self.either(within)?;
        }
        Some(last)
    }

    fn either(&mut self, within: &Selected) -> Option<Selected> {
        let mut all = self.both(within.clone())?;
        while self.takes(&[b"-o", b"-or"]) {
            all = all.or(self.both(within.clone())?);
        }
        Some(all)
    }

    fn both(&mut self, within: Selected) -> Option<Selected> {
        let mut selected = within;
        let ends: &[&[u8]] = &[b"-o", b"-or", b",", b")"];
        while self.rest.first().is_some_and(|next| !ends.contains(next)) {
            if !self.takes(&[b"-a", b"-and"]) {
                selected = self.one(selected)?;
            }
        }
        Some(selected)
    }

    fn one(&mut self, within: Selected) -> Option<Selected> {
        match self.next()? {
            b"!" | b"-not" => {
                let mut again = false;
                while self.takes(&[b"!", b"-not"]) {
                    again = !again;
                }
                // What is true of the names for which it is not is not asked.
                let selected = self.one(within.clone())?;
                Some(if again { selected } else { within })
            }
            b"(" => {
                self.depth += 1;
                let selected = (self.depth <= DEPTH_MAX).then(|| self.list(&within))??;
                self.depth -= 1;
                self.takes(&[b")"]).then_some(selected)
            }
            b"-name" | b"-iname" => Some(within.and(Selected::like(self.next()?))),
            b"-type" => {
                // Where links are followed, what is behind one has the type.
                let links = within.follow || self.rest.first()?.contains(&b'l');
                self.next()?;
                Some(if links { within } else { within.and(Selected::NO_LINKS) })
            }
            b"-exec" => {
                let end = self.rest.iter().position(|word| *word == b";" || *word == b"+")?;
                self.rest = &self.rest[end + 1..];
                self.commands.push(within.clone());
                Some(within)
            }
            action @ (b"-print" | b"-print0" | b"-printf" | b"-ls") => {
                if action == b"-printf" {
                    self.next()?;
                }
                let printed = match self.printed.take() {
                    Some(before) => before.or(within.clone()),
                    None => within.clone(),
                };
                self.printed = Some(printed);
                Some(within)
            }
            test => {
                if super::takes_argument(test) {
                    self.next()?;
                }
                Some(within)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_be_links(expression: &str, within: &Selected) -> (String, Vec<String>) {
        let words: Vec<Word<'_>> =
            expression.split(' ').map(|word| Word::Is(word.as_bytes())).collect();
        let names = |selected: &Selected| {
            let names = ["a.py", "b.rs", "c"].iter();
            let may_be = names.filter(|name| selected.may_be_link(name.as_bytes()));
            may_be.copied().collect::<Vec<_>>().join(" ")
        };
        let Selecting { printed, commands } = selecting(&words, within);
        (names(&printed), commands.iter().map(names).collect())
    }

    // tidy: table
    #[rustfmt::skip]
    const PRINTED: &[(&str, &str)] = &[
        ("-name *.py", "a.py"), ("-iname *.PY", "a.py"), ("-name *.py -o -name *.rs", "a.py b.rs"),
        ("-name *.py -o -type d", "a.py"), ("-name *.py -o -empty", "a.py b.rs c"),
        ("-type f", ""), ("-type f,l", "a.py b.rs c"), ("-type l", "a.py b.rs c"),
        ("! -name *.py", "a.py b.rs c"), ("! -type f", "a.py b.rs c"), ("! ! -type f", ""),
        ("-not ! -name *.py", "a.py"), ("( -name *.py -o -name *.rs ) -a -size 1", "a.py b.rs"),
        ("-path ./x -prune -o -name *.py -print", "a.py"), ("-path ./x -prune -o -name *.py", "a.py b.rs c"),
        ("-print -name *.py", "a.py b.rs c"), ("-name *.py -print , -type f", "a.py"),
        ("-name *.py , -name *.rs", "b.rs"), ("-name *.py -print -o -name *.rs -print", "a.py b.rs"),
        ("-name *.py ( -print -o -size 1 )", "a.py"), ("-maxdepth 2 -name *.py", "a.py"),
        ("-newer -o -name *.py", "a.py"), ("-name -o -o -name c", "c"),
        ("-name *.py )", "a.py b.rs c"), ("( -name *.py", "a.py b.rs c"),
    ];

    #[test]
    fn what_is_printed_has_passed_what_stands_before() {
        for (expression, links) in PRINTED {
            assert_eq!(may_be_links(expression, &Selected::HERE).0, *links, "{expression}");
        }
    }

    #[test]
    fn each_command_gets_what_comes_to_it() {
        let words = "-name *.py -exec a {} ; -o -type f -exec b -o {} + -o -exec c {} ;";
        let commands = may_be_links(words, &Selected::HERE).1;
        assert_eq!(commands, ["a.py", "", "a.py b.rs c"]);
        // Behind a link that is followed a file is a link's name.
        assert_eq!(may_be_links("-type f", &Selected::ANY).0, "a.py b.rs c");
    }

    #[test]
    fn parentheses_have_a_bound() {
        let deep = [&"( ".repeat(30_000), "-true", &" )".repeat(30_000)].concat();
        assert_eq!(may_be_links(&deep, &Selected::HERE).0, "a.py b.rs c");
    }
}
