//! How a tool reads its arguments, and what it does with them.

use crate::plan::Role;

/// A declared verb.
#[derive(Debug)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// How it reads its words.
    pub grammar: Grammar,
}

impl Verb {
    /// Does it take any words at all, since none of them is a path or an option that matters?
    pub fn takes_any_words(&self) -> bool {
        matches!(self.grammar, Grammar::Words | Grammar::Cd)
    }
}

/// The ways to read words.
#[derive(Debug)]
pub enum Grammar {
    /// Any words at all, none of which is a path.
    Words,
    /// `cd`: flow knows where it leads.
    Cd,
    /// Options and operands as `getopt_long(3)` reads them: anywhere among each other, clustered,
    /// values attached or separate, up to `--`.
    Getopt(Getopt),
}

/// The options and operands of a tool that uses `getopt_long(3)`.
#[derive(Debug)]
pub struct Getopt {
    /// Short options without a value.
    pub flags: &'static str,
    /// Short options with a value that is plain data.
    pub values: &'static str,
    /// Long options without a value.
    pub long_flags: &'static [&'static str],
    /// Long options with a value that is plain data.
    pub long_values: &'static [&'static str],
    /// Is `-5` a number of lines?
    pub numeric: bool,
    /// Short options, and long ones, after which everything below an operand is looked at.
    pub recursive: &'static [&'static str],
    /// Short options after which the tool looks at every directory that `$PWD` names.
    pub looks_along: &'static str,
    /// What is done with operands.
    pub operands: Operands,
}

/// What a tool does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Reads them as files; `-` is standard input.
    Read,
    /// Lists them; without any, lists the working directory.
    List,
    /// There are none.
    None,
}

/// A path that the words of a command name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The index of the word that names it; 0, the command itself, for the working directory.
    pub word: usize,
    /// The path as text.
    pub text: Vec<u8>,
    /// What is done with it.
    pub role: Role,
    /// And with everything below it?
    pub under: bool,
    /// Is it not the path, but every place on the way to it under the shell's name for it?
    pub along: bool,
    /// Only if the tool is one that stops reading options at the first operand?
    pub may: bool,
}

/// A word that the verb's grammar does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undeclared {
    /// Its index.
    pub word: usize,
}

/// What the words of a command (the verb first) name. `cd` is not asked here.
pub fn uses(verb: &Verb, words: &[&[u8]]) -> Result<Vec<Use>, Undeclared> {
    match &verb.grammar {
        Grammar::Words | Grammar::Cd => Ok(Vec::new()),
        Grammar::Getopt(getopt) => Reading { getopt, found: Found::default() }.read(words),
    }
}

#[derive(Default)]
struct Found {
    operands: Vec<Operand>,
    recursive: bool,
    along: bool,
}

struct Operand {
    word: usize,
    may: bool,
}

struct Reading<'g> {
    getopt: &'g Getopt,
    found: Found,
}

impl Reading<'_> {
    fn read(mut self, words: &[&[u8]]) -> Result<Vec<Use>, Undeclared> {
        let mut index = 1;
        let mut options = true;
        while let Some(word) = words.get(index) {
            let operand_seen = !self.found.operands.is_empty();
            let taken = match word {
                [b'-', b'-'] if options => {
                    options = false;
                    1
                }
                [b'-', b'-', long @ ..] if options => self.long(index, long)?,
                [b'-', first, ..] if options => self.short(index, *first, &word[1..])?,
                _ => {
                    self.found.operands.push(Operand { word: index, may: false });
                    index += 1;
                    continue;
                }
            };
            // Tools that stop at the first operand, as POSIX has it, read what follows as files.
            if operand_seen {
                let rest = index..(index + taken).min(words.len());
                self.found.operands.extend(rest.map(|word| Operand { word, may: true }));
            }
            index += taken;
        }
        self.operands(words)
    }

    /// A long option. Returns how many words it takes.
    fn long(&mut self, index: usize, text: &[u8]) -> Result<usize, Undeclared> {
        let (name, attached) = match text.iter().position(|byte| *byte == b'=') {
            Some(at) => (&text[..at], true),
            None => (text, false),
        };
        let is = |list: &[&str]| list.iter().any(|option| option.as_bytes() == name);
        self.found.recursive |= is(self.getopt.recursive);
        if is(self.getopt.long_values) {
            return Ok(if attached { 1 } else { 2 });
        }
        // `--color=never` is a flag with its value: it must be declared as a whole.
        let whole = self.getopt.long_flags.iter().any(|option| option.as_bytes() == text);
        if whole { Ok(1) } else { Err(Undeclared { word: index }) }
    }

    /// A cluster of short options. Returns how many words it takes.
    fn short(&mut self, index: usize, first: u8, cluster: &[u8]) -> Result<usize, Undeclared> {
        let getopt = self.getopt;
        if getopt.numeric && first.is_ascii_digit() {
            let digits = cluster.iter().all(u8::is_ascii_digit);
            return if digits { Ok(1) } else { Err(Undeclared { word: index }) };
        }
        for (at, letter) in cluster.iter().enumerate() {
            if getopt.values.as_bytes().contains(letter) {
                return Ok(if at + 1 == cluster.len() { 2 } else { 1 });
            }
            if !getopt.flags.as_bytes().contains(letter) {
                return Err(Undeclared { word: index });
            }
            self.found.recursive |= getopt.recursive.iter().any(|it| it.as_bytes() == [*letter]);
            self.found.along |= getopt.looks_along.as_bytes().contains(letter);
        }
        Ok(1)
    }

    fn operands(self, words: &[&[u8]]) -> Result<Vec<Use>, Undeclared> {
        let Reading { getopt, found } = self;
        let make = |word: usize, text: &[u8], role, may| Use {
            word,
            text: text.to_vec(),
            role,
            under: found.recursive,
            along: found.along,
            may,
        };
        let certain = found.operands.iter().any(|operand| !operand.may);
        match getopt.operands {
            Operands::None => match found.operands.first() {
                Some(operand) => Err(Undeclared { word: operand.word }),
                None if found.along => Ok(vec![make(0, b".", Role::Test, true)]),
                None => Ok(Vec::new()),
            },
            Operands::List if !certain => Ok(vec![make(0, b".", Role::List, false)]),
            operands => {
                let role = if operands == Operands::List { Role::List } else { Role::Read };
                let named = found
                    .operands
                    .iter()
                    .filter(|operand| operands == Operands::List || words[operand.word] != b"-");
                Ok(named.map(|it| make(it.word, words[it.word], role, it.may)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests;
