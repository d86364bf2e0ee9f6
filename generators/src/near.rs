//! Lines *near* what a reader of shell text might understand: well-formed ones of odd parts, and
//! such lines with a few tokens or bytes inserted, taken away, doubled or swapped.
//!
//! Other families aim at where a line leads. These aim at how it is read: at text of which one
//! shell makes something else than the next. Most of it is refused, and should be; what is not must
//! be read as every shell reads it. No model stands behind these lines, only alphabets of pieces.

mod alphabets;
mod mutation;
mod scenes;

pub use alphabets::VERBS;

use crate::Choices;
use alphabets::{
    ASSIGNMENTS, COMMENTS, COMPARED, DELIMITERS, DIALECT, DOCUMENTS, JUMPS, JUNCTIONS, NAMES,
    OF_ONE, OF_TWO, PATHS, PATTERNS, QUOTED, READS, REDIRECTIONS, VALUES,
};
use shfence_corpus::{Case, Shell, Shells, Text};

/// What a line near the grammar is mostly about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Area {
    /// Quotes and backslashes.
    Quoting,
    /// Parameters, substitutions, arithmetic.
    Expansion,
    /// Patterns for names, and braces.
    Pattern,
    /// Redirections, here-documents and here-strings.
    Redirection,
    /// Operators, groups, choices and loops, and what leaves them.
    Control,
    /// Assignments, and what is made of their values.
    Assignment,
    /// Comments and lines.
    Comment,
    /// `cd`, and where paths lead after it.
    Path,
    /// What only bash and zsh have, for one of them or both.
    Dialect,
}

impl Area {
    /// All of them.
    pub const ALL: [Area; 9] = [
        Area::Quoting,
        Area::Expansion,
        Area::Pattern,
        Area::Redirection,
        Area::Control,
        Area::Assignment,
        Area::Comment,
        Area::Path,
        Area::Dialect,
    ];
}

/// The line of `index` under `seed`, in one of a few trees.
pub fn near(seed: u64, index: u64) -> (Area, Case) {
    near_from(&mut Choices::seeded(seed, index))
}

/// A line from any source of choices.
pub fn near_from(choices: &mut Choices<'_>) -> (Area, Case) {
    let area = *choices.pick(&Area::ALL);
    let mut writer = Writer { choices, area, tokens: Vec::new(), documents: Vec::new(), depth: 0 };
    writer.list();
    writer.documents();
    let mut tokens = writer.tokens;
    if choices.chance(45) {
        mutation::tokens(choices, &mut tokens);
    }
    let mut line = tokens.concat().into_bytes();
    if choices.chance(30) {
        mutation::bytes(choices, &mut line);
    }
    let shells = shells(choices, area);
    (area, Case { shells, ..scenes::scene(choices, Text::from(line)) })
}

/// The shells that a line is for: those that are no `sh`, where it is about what these have.
fn shells(choices: &mut Choices<'_>, area: Area) -> Shells {
    let narrow = if area == Area::Dialect { 85 } else { 6 };
    let both = Shells::only(Shell::Bash).with(Shell::Zsh);
    match choices.chance(narrow) {
        true => *choices.pick(&[both, both, Shells::only(Shell::Bash), Shells::only(Shell::Zsh)]),
        false => Shells::ALL,
    }
}

/// How deep compounds stand in one another.
const DEPTH_MAX: usize = 3;

/// Writes a line, token by token.
struct Writer<'c, 'a> {
    choices: &'c mut Choices<'a>,
    area: Area,
    tokens: Vec<String>,
    /// The here-documents whose lines follow the next newline: body and delimiter.
    documents: Vec<String>,
    depth: usize,
}

impl Writer<'_, '_> {
    fn put(&mut self, token: impl Into<String>) {
        self.tokens.push(token.into());
    }

    fn pick(&mut self, from: &[&str]) -> String {
        (*self.choices.pick(from)).to_owned()
    }

    fn newline(&mut self) {
        self.put("\n");
        self.pending();
    }

    /// The lines of here-documents that were announced.
    fn pending(&mut self) {
        for document in std::mem::take(&mut self.documents) {
            self.put(document);
            self.put("\n");
        }
    }

    /// The same at the end of the line.
    fn documents(&mut self) {
        if !self.documents.is_empty() {
            self.newline();
        }
    }

    /// Commands with what joins them.
    fn list(&mut self) {
        let more = if self.depth == 0 { 3 } else { 1 };
        self.command();
        for _ in 0..self.choices.below(more + 1) {
            self.junction();
            self.command();
        }
    }

    fn junction(&mut self) {
        let comment = if self.area == Area::Comment { 45 } else { 3 };
        if self.choices.chance(comment) {
            let text = self.pick(COMMENTS);
            self.put(text);
            self.newline();
            return;
        }
        match self.pick(JUNCTIONS).as_str() {
            "\n" => self.newline(),
            operator => self.put(operator),
        }
    }

    fn command(&mut self) {
        let tests = if self.area == Area::Dialect { 45 } else { 1 };
        if self.depth < DEPTH_MAX && self.choices.chance(tests) {
            self.conditional();
            return;
        }
        let compound = if self.area == Area::Control { 45 } else { 12 };
        if self.depth < DEPTH_MAX && self.choices.chance(compound) {
            self.depth += 1;
            self.compound();
            self.depth -= 1;
            if self.choices.chance(20) {
                self.redirection();
            }
            return;
        }
        let [jump, assign, cd] = match self.area {
            Area::Control => [25, 10, 30],
            Area::Assignment => [5, 50, 30],
            Area::Path => [3, 10, 55],
            _ => [3, 12, 25],
        };
        if self.choices.chance(jump) {
            let jump = self.pick(JUMPS);
            self.put(jump);
        } else if self.choices.chance(assign) {
            self.assignments();
        } else if self.choices.chance(cd) {
            self.put("cd");
            self.words(1);
        } else {
            let verb = self.pick(VERBS);
            self.put(verb);
            self.words(2);
        }
        let redirected = if self.area == Area::Redirection { 60 } else { 12 };
        if self.choices.chance(redirected) {
            self.redirection();
        }
    }

    /// Assignments alone, or before a command that looks at them or not.
    fn assignments(&mut self) {
        for _ in 0..=self.choices.below(2) {
            let name = self.pick(ASSIGNMENTS);
            self.put(name);
            if self.choices.chance(85) {
                let value = self.pick(VALUES);
                self.put(value);
            }
            self.put(" ");
        }
        if self.choices.chance(45) {
            let verb = self.pick(&["ls", "cd", "wc", ":", "break", "continue", "exit", "p", "cat"]);
            self.put(verb);
            self.words(1);
        } else {
            self.tokens.pop();
        }
    }

    fn words(&mut self, usual: u32) {
        let count = self.choices.below(usual + 2).min(usual);
        for _ in 0..count {
            let blank = self.pick(&[" ", " ", " ", " ", " ", "  ", "\t"]);
            self.put(blank);
            self.word();
        }
    }

    /// A word of one to three pieces, most of them of the area.
    fn word(&mut self) {
        let pieces = 1 + self.choices.weighted(&[12, 4, 1]);
        for _ in 0..pieces {
            self.piece();
        }
    }

    fn piece(&mut self) {
        let [quoted, values, patterns, names, paths, dialect]: [u8; 6] = match self.area {
            Area::Quoting => [8, 1, 1, 1, 1, 1],
            Area::Expansion => [2, 8, 1, 1, 1, 1],
            Area::Pattern => [1, 1, 9, 1, 1, 0],
            Area::Assignment => [1, 7, 1, 1, 2, 1],
            Area::Path => [1, 2, 1, 1, 8, 0],
            Area::Comment => [2, 1, 1, 4, 2, 0],
            Area::Redirection | Area::Control => [1, 2, 1, 2, 5, 0],
            Area::Dialect => [1, 2, 0, 1, 5, 3],
        };
        if self.depth < DEPTH_MAX && self.choices.chance(values) {
            self.substitution();
            return;
        }
        let alphabets = [QUOTED, VALUES, PATTERNS, NAMES, PATHS, DIALECT];
        let weights = [quoted, values, patterns, names, paths, dialect].map(u32::from);
        let alphabet = self.choices.weighted(&weights);
        let piece = self.pick(alphabets[alphabet]);
        self.put(piece);
    }

    fn substitution(&mut self) {
        let quoted = self.choices.chance(50);
        self.put(if quoted { "\"$(" } else { "$(" });
        self.depth += 1;
        self.list();
        self.depth -= 1;
        self.put(if quoted { ")\"" } else { ")" });
    }

    fn redirection(&mut self) {
        if self.choices.chance(25) {
            let operator = self.pick(&[" <<", " <<", " <<-", " << "]);
            let (announced, delimiter) = *self.choices.pick(DELIMITERS);
            self.put(operator);
            self.put(announced);
            let body = self.pick(DOCUMENTS);
            self.documents.push(format!("{body}{delimiter}"));
            return;
        }
        let redirection = self.pick(REDIRECTIONS);
        self.put(redirection);
    }

    fn separator(&mut self) {
        match self.pick(&["; ", "; ", "; ", "\n", " & "]).as_str() {
            "\n" => self.newline(),
            text => self.put(text),
        }
    }

    /// A list between two texts, with a separator at its end.
    fn body(&mut self, before: &str) {
        self.put(before);
        self.list();
        self.separator();
    }

    fn compound(&mut self) {
        match self.choices.below(10) {
            0 => self.between("(", ")"),
            1 => {
                self.body("{ ");
                self.put("}");
            }
            2 | 3 => {
                self.body("if ");
                self.body("then ");
                if self.choices.chance(50) {
                    self.body("else ");
                }
                self.put("fi");
            }
            // A loop that goes on for ever costs a second each time: most end with their first
            // pass.
            4 => {
                let word = self.pick(&["until ", "while ", "while ! ", "until "]);
                self.body(&word);
                self.body("do ");
                self.put("break; done");
            }
            5 | 6 => {
                self.put("for ");
                let name = self.pick(&["x", "x", "y", "i", "in", "path"]);
                self.put(name);
                self.put(" in");
                self.words(2);
                self.separator();
                self.body("do ");
                self.put("done");
            }
            7 => self.case(),
            8 => self.reading(),
            _ => {
                self.command();
                self.put(" | ");
                self.command();
            }
        }
    }

    /// A line of a file, or each of them, in variables.
    fn reading(&mut self) {
        let read = self.pick(READS);
        let source = self.pick(&[" <a.txt", " <a.txt", " <nosuch", " <<<x", " <\"$x\"", ""]);
        if self.choices.chance(50) {
            self.put(read);
            self.put(source);
            return;
        }
        self.put("while ");
        self.put(read);
        self.separator();
        self.body("do ");
        self.put("done");
        self.put(if source.is_empty() { " <a.txt" } else { &source });
    }

    /// `[[ … ]]`, now and then with a redirection.
    fn conditional(&mut self) {
        self.put("[[ ");
        self.tests();
        let end = self.pick(&[" ]]", " ]]", " ]]", " ]]", " ]]", "\n]]", "]]", "\t]]", " ]]]"]);
        self.put(end);
        if self.choices.chance(15) {
            self.redirection();
        }
    }

    fn tests(&mut self) {
        self.depth += 1;
        self.test();
        for _ in 0..self.choices.below(3) {
            let operator =
                self.pick(&[" && ", " && ", " || ", "\n&& ", " ||\n", "&&", " && ! ", " -a "]);
            self.put(operator);
            self.test();
        }
        self.depth -= 1;
    }

    fn test(&mut self) {
        if self.choices.chance(15) {
            self.put("! ");
        }
        match self.choices.weighted(&[if self.depth < DEPTH_MAX { 1 } else { 0 }, 4, 5, 2]) {
            0 => {
                let open = self.pick(&["( ", "( ", "("]);
                self.put(open);
                self.tests();
                let close = self.pick(&[" )", " )", ")", "\n)"]);
                self.put(close);
            }
            1 => {
                let operator = self.pick(OF_ONE);
                self.put(operator);
                self.put(" ");
                self.word();
            }
            2 => {
                self.word();
                let operator = self.pick(OF_TWO);
                self.put(operator);
                if self.choices.chance(60) {
                    let compared = self.pick(COMPARED);
                    self.put(compared);
                } else {
                    self.word();
                }
            }
            _ => self.word(),
        }
    }

    fn between(&mut self, open: &str, close: &str) {
        self.put(open);
        self.list();
        self.put(close);
    }

    fn case(&mut self) {
        self.put("case ");
        self.word();
        self.put(" in ");
        for _ in 0..=self.choices.below(2) {
            let patterns = self.pick(&["a) ", "(src) ", "*) ", "a|b) ", "(*.txt|x) ", "[ab]) "]);
            self.put(patterns);
            self.list();
            let end = self.pick(&[";; ", " ;; ", ";;", "\n;;\n", ";& ", ";\n;;"]);
            self.put(end);
        }
        self.put("esac");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_line_is_a_function_of_seed_and_index() {
        let lines = |seed| (0..200).map(|index| near(seed, index)).collect::<Vec<_>>();
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
    }

    #[test]
    fn lines_are_of_all_areas_and_can_be_passed_to_a_shell() {
        let lines: Vec<(Area, Case)> = (0..2_000).map(|index| near(3, index)).collect();
        let areas: BTreeSet<Area> = lines.iter().map(|(area, _)| *area).collect();
        assert_eq!(areas, BTreeSet::from(Area::ALL));
        let texts: BTreeSet<&Text> = lines.iter().map(|(_, case)| &case.line).collect();
        assert!(texts.len() > 1_800, "{} different lines", texts.len());
        assert!(texts.iter().all(|line| !line.contains(&0)));
    }

    #[test]
    fn bytes_that_have_run_out_make_a_line_that_ends() {
        let (_, case) = near_from(&mut Choices::from_bytes(&[]));
        assert!(case.line.len() < 200, "{}", case.line);
    }
}
