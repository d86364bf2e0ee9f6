//! Options and operands, as tools read them.

mod handed;
mod into;

use super::grammar::{Effects, Meaning, Opt, Options, Otherwise, Parser, Search, Sub, Value};
use super::joined::{behind, beside_each_other, join, moved};
use super::lists::Texts;
use super::meaning::{Taken, is_decimal};
use super::uses::{Inner, Objection, Part, Use, Uses, Why, Word};
use super::writing::{self, Named};
use crate::plan::Role;
use crate::short::Short;

/// Devices that can be read without an end, and tell nothing.
const ENDLESS: [&[u8]; 3] = [b"/dev/random", b"/dev/urandom", b"/dev/zero"];

/// What these words use. Where tools read them in two ways, what either way uses.
pub(super) fn read<'w>(options: &Options, words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
    let mut uses = read_from(options, words, 1)?;
    if !uses.moves.is_empty() {
        // What it runs there is judged as if it ran here.
        if let Some(Inner(parts)) = uses.runs.first() {
            let first = parts.iter().find_map(|part| match part {
                Part::Word(word) => Some(*word),
                Part::Found { .. } | Part::Holding(_) | Part::Input { .. } => None,
            });
            return Err(Objection { word: first.unwrap_or(0), why: Why::Undeclared });
        }
        let moved = moved(&uses);
        uses.paths.extend(moved);
    }
    Ok(uses)
}

/// The same, of the words from one on: those after a sub-command.
fn read_from<'w>(
    options: &Options,
    words: &[Word<'w>],
    from: usize,
) -> Result<Uses<'w>, Objection> {
    let is_alone =
        |form: &str| matches!(&words[from..], [Word::Is(text)] if form.as_bytes() == *text);
    if options.alone.iter().any(is_alone) {
        // Which version it is, a file above may say, or a program that it names.
        return Ok(Uses { seeks: searches(&options.alone_seeks), ..Uses::default() });
    }
    if options.response_files {
        let names_a_file = |word: &Word<'_>| match word.known() {
            [first, ..] => *first == b'@',
            [] => word.whole().is_none(),
        };
        if let Some(at) = words.iter().skip(from).position(names_a_file) {
            let known = words[at + from].whole().is_some();
            let why = if known { Why::ResponseFile } else { Why::Unknown };
            return Err(Objection { word: at + from, why });
        }
    }
    let permutes = matches!(
        options.parser,
        Parser::Permuting | Parser::Anywhere | Parser::Mixed | Parser::Words | Parser::Flags
    );
    let mut reading = Reading::new(options, permutes);
    reading.read(words, from, options.parser == Parser::Passed)?;
    let late = reading.option_after_operand && options.parser == Parser::Permuting;
    if let Some((sub, at)) = reading.sub {
        let mut uses = read_from(&sub.options, words, at + 1)?;
        uses.scripts.extend(sub.script.then_some(at));
        uses.scripts.retain(|_| !reading.effects.has(Effects::SELECTS));
        let own = match reading.operands.is_empty() {
            true => reading.uses,
            false => reading.uses(words)?,
        };
        return Ok(behind(own, uses));
    }
    let mut uses = reading.uses(words)?;
    let others = [(late, false), (options.bare, true)];
    for (_, only_operands) in others.into_iter().filter(|(differs, _)| *differs) {
        let mut other = Reading::new(options, false);
        other.read(words, from, only_operands)?;
        join(&mut uses, other.uses(words)?);
    }
    Ok(uses)
}

fn searches(all: &[&'static [Search]]) -> Vec<&'static Search> {
    all.iter().copied().flatten().collect()
}

/// Which words: few commands have more operands.
type Places = Short<usize, 8>;

struct Reading<'c, 'w> {
    options: &'c Options,
    permutes: bool,
    effects: Effects,
    /// The options that were met, as declared, if some are required.
    met: Vec<&'c str>,
    /// The words that are operands.
    operands: Places,
    option_after_operand: bool,
    /// The sub-command, and which word it is.
    sub: Option<(&'c Sub, usize)>,
    /// Is this the value of an option that says where the tool starts?
    moving: bool,
    /// How the names end under which rewritten files are kept.
    suffixes: Vec<&'w [u8]>,
    /// Where the operands go, and which word says so.
    target: Option<Named<'c, 'w>>,
    uses: Uses<'w>,
}

impl<'c, 'w> Reading<'c, 'w> {
    fn new(options: &'c Options, permutes: bool) -> Reading<'c, 'w> {
        Reading {
            options,
            permutes,
            effects: options.always,
            met: Vec::new(),
            operands: Places::new(),
            option_after_operand: false,
            sub: None,
            moving: false,
            suffixes: Vec::new(),
            target: None,
            uses: Uses { seeks: searches(&options.seeks), ..Uses::default() },
        }
    }

    fn read(
        &mut self,
        words: &[Word<'w>],
        from: usize,
        mut only_operands: bool,
    ) -> Result<(), Objection> {
        let mut index = from;
        while let Some(word) = words.get(index) {
            // What follows `--` may be another tool's, whatever stands before it.
            let handed_on = *word == Word::Is(b"--");
            if (self.operands.is_empty() || handed_on) && !only_operands {
                self.sub = self.sub(*word).map(|sub| (sub, index));
                if self.sub.is_some() {
                    return Ok(());
                }
            }
            only_operands |= !self.permutes && !self.operands.is_empty();
            if only_operands || !word.may_be_option() {
                self.operands.push(index);
                index += 1;
            } else if *word == Word::Is(b"--") {
                only_operands = true;
                // Who has stopped reading options takes it for an operand.
                self.option_after_operand |= !self.operands.is_empty();
                index += 1;
            } else {
                self.option_after_operand |= !self.operands.is_empty();
                index += self.option(index, words)?;
            }
        }
        Ok(())
    }

    fn sub(&self, word: Word<'w>) -> Option<&'c Sub> {
        let is = |sub: &&Sub| sub.names.iter().any(|name| word == Word::Is(name.as_bytes()));
        self.options.subs.iter().find(is)
    }

    /// The option at `index`. Returns how many words it takes.
    fn option(&mut self, index: usize, words: &[Word<'w>]) -> Result<usize, Objection> {
        let word = words[index];
        let next = words.get(index + 1).copied();
        let object = |why| Objection { word: index, why };
        let text = word.known();
        if self.options.digits && text.len() > 1 && text[1].is_ascii_digit() {
            let good = word.whole().is_some() && text[1..].iter().all(u8::is_ascii_digit);
            return if good { Ok(1) } else { Err(object(Why::Undeclared)) };
        }
        let single = matches!(self.options.parser, Parser::Single | Parser::Words | Parser::Flags);
        if text.starts_with(b"--") || single {
            return self.whole_word(index, word, next);
        }
        // A cluster: letters without a value, then perhaps one with.
        for (at, letter) in text.iter().enumerate().skip(1) {
            let Some(option) = self.find(&[b'-', *letter]) else {
                return Err(object(Why::Undeclared));
            };
            self.meet(option);
            let rest = word.after(at + 1);
            match &option.value {
                Value::None => {}
                Value::One(meaning) if rest == Word::Is(b"") => {
                    return self.next_word(index, meaning, next);
                }
                // If that turns out to be nothing, the value is the next word.
                Value::One(_) | Value::Attached(_) if rest == Word::Begins(b"") => {
                    return Err(object(Why::UnknownOption));
                }
                Value::One(meaning) => return self.value(index, meaning, rest).map(|()| 1),
                Value::Optional(_) if rest == Word::Is(b"") => {}
                Value::Attached(_) if rest == Word::Is(b"") => {
                    return Err(object(Why::Undeclared));
                }
                Value::Optional(meaning) | Value::Attached(meaning) => {
                    return self.value(index, meaning, rest).map(|()| 1);
                }
            }
        }
        match word.whole() {
            Some(_) => Ok(1),
            None => Err(object(Why::UnknownOption)),
        }
    }

    /// An option that is a whole word, with or without `=` and a value.
    fn whole_word(
        &mut self,
        index: usize,
        word: Word<'w>,
        next: Option<Word<'w>>,
    ) -> Result<usize, Objection> {
        let text = word.known();
        let equals = text.iter().position(|byte| *byte == b'=');
        if equals.is_none() && word.whole().is_none() {
            return Err(Objection { word: index, why: Why::UnknownOption });
        }
        let undeclared = Objection { word: index, why: Why::Undeclared };
        if self.is_counted(word) {
            return Ok(1);
        }
        let option = self.find(&text[..equals.unwrap_or(text.len())]).ok_or(undeclared)?;
        self.meet(option);
        match (&option.value, equals) {
            (Value::None | Value::Optional(_), None) => Ok(1),
            (Value::None, Some(_)) | (Value::Attached(_), None) => Err(undeclared),
            (Value::One(meaning), None) => self.next_word(index, meaning, next),
            (
                Value::One(meaning) | Value::Optional(meaning) | Value::Attached(meaning),
                Some(at),
            ) => self.value(index, meaning, word.after(at + 1)).map(|()| 1),
        }
    }

    /// `-j4`: a letter with its number, to tools that take no other cluster, or an error.
    fn is_counted(&self, word: Word<'_>) -> bool {
        let Word::Is([b'-', letter, digits @ ..]) = word else { return false };
        let counts = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let option = if counts { self.find(&[b'-', *letter]) } else { None };
        let number = |it: &Opt| matches!(it.value, Value::One(Meaning::Number | Meaning::Free));
        option.is_some_and(|it| number(it) && it.effects == Effects::NONE)
    }

    fn find(&self, name: &[u8]) -> Option<&'c Opt> {
        let options = &self.options.options;
        let at = options.binary_search_by(|option| option.name.as_bytes().cmp(name)).ok()?;
        Some(&options[at])
    }

    fn meet(&mut self, option: &'c Opt) {
        self.effects = self.effects.with(option.effects);
        if !self.options.required.is_empty() {
            self.met.push(&option.name);
        }
        self.moving = option.effects.has(Effects::MOVES);
    }

    /// A value that is a word of its own. Without one the tool only complains. What looks like an
    /// option is one to many tools that do not use `getopt(3)`, and the value is left out.
    fn next_word(
        &mut self,
        index: usize,
        meaning: &'c Meaning,
        next: Option<Word<'w>>,
    ) -> Result<usize, Objection> {
        if let Some(value) = next {
            let takes_any =
                matches!(self.options.parser, Parser::Permuting | Parser::Anywhere | Parser::Flags);
            if !takes_any && value.may_be_option() && !value.whole().is_some_and(is_decimal) {
                let known = value.whole().is_some();
                let why = if known { Why::Undeclared } else { Why::UnknownOption };
                return Err(Objection { word: index + 1, why });
            }
            self.value(index + 1, meaning, value)?;
        }
        Ok(2)
    }

    /// The value of an option: a path, if it is one, that nothing else has an effect on.
    fn value(
        &mut self,
        word: usize,
        meaning: &'c Meaning,
        value: Word<'w>,
    ) -> Result<(), Objection> {
        match meaning.take(value).map_err(|why| Objection { word, why })? {
            Taken::Text if matches!(meaning, Meaning::Suffix) => {
                self.suffixes.extend(value.whole().filter(|text| !text.is_empty()));
            }
            Taken::Text => {}
            Taken::Stdin => self.uses.stdin = true,
            Taken::Path(text, role) => {
                let named = self.named(word, text, role);
                self.uses.moves.extend(self.moving.then(|| named.clone()));
                self.uses.paths.push(named);
            }
            Taken::Free(text) => self.free(word, text)?,
            Taken::Written(text) if matches!(meaning, Meaning::Into) => {
                if self.target.replace(Named { word, text, meaning }).is_some() {
                    return Err(Objection { word, why: Why::Undeclared });
                }
            }
            Taken::Written(text) => Named { word, text, meaning }.alone(&mut self.uses.written),
        }
        Ok(())
    }

    /// A path that nothing else has an effect on.
    fn named(&self, word: usize, text: &'w [u8], role: Role) -> Use<'w> {
        Use { way: self.options.always.has(Effects::WAY), ..Use::of(word, text, role) }
    }

    /// Is everything there that must be?
    fn is_complete(&self) -> bool {
        let met = |names: &Texts| names.iter().any(|name| self.met.contains(&name));
        let declared = &self.options.operands;
        let min = if self.effects.has(Effects::REPLACES_FIRST) { 0 } else { declared.min };
        // Without the sub-command that it needs, some tools do something all the same.
        let takes_none = declared.first.is_empty() && declared.rest.is_none();
        let min = if takes_none && !self.options.subs.is_empty() { 1 } else { min };
        self.options.required.iter().all(met)
            && self.operands.len() + usize::from(self.target.is_some()) >= min
    }

    /// What the operands are, now that all options are known.
    fn uses(mut self, words: &[Word<'w>]) -> Result<Uses<'w>, Objection> {
        let declared = &self.options.operands;
        let replaced = self.effects.has(Effects::REPLACES_FIRST);
        let bounded = self.effects.has(Effects::BOUNDED);
        let first = if replaced { &[][..] } else { &declared.first[..] };
        if !self.is_complete() {
            return Err(Objection { word: 0, why: Why::Missing });
        }
        let mut paths = Vec::new();
        let mut named = 0;
        let mut operands = std::mem::take(&mut self.operands);
        if declared.into {
            self.going_into(&mut operands, words, &mut paths)?;
        }
        for (position, &word) in operands.iter().enumerate() {
            let object = |why| Objection { word, why };
            let meaning = first.get(position).or(declared.rest.as_ref());
            let meaning = meaning.ok_or(object(Why::Undeclared))?;
            if matches!(meaning, Meaning::Run | Meaning::RunBin) {
                self.uses.bins.extend(matches!(meaning, Meaning::RunBin).then_some(word));
                self.uses.runs.push(Inner((word..words.len()).map(Part::Word).collect()));
                break;
            }
            self.script(word, meaning);
            match meaning.take(words[word]).map_err(object)? {
                Taken::Text => continue,
                Taken::Free(text) => {
                    self.free(word, text)?;
                    continue;
                }
                Taken::Stdin => self.uses.stdin = true,
                Taken::Path(text, _) if bounded && ENDLESS.contains(&text) => {}
                Taken::Path(text, role) => paths.push(self.used(word, text, role)),
                // What goes elsewhere was said with where it goes.
                Taken::Written(_) if declared.into => {}
                Taken::Written(text) => self.written(&Named { word, text, meaning }, &mut paths),
            }
            named += 1;
        }
        if declared.moves {
            self.uses.moves.extend(paths.iter().cloned());
        }
        if declared.pair {
            paths.extend(beside_each_other(&paths));
        }
        // `cmp FILE` compares it with what comes in.
        let expected = first.iter().filter(|it| matches!(it, Meaning::Path { .. })).count();
        if named < expected.max(1) {
            self.otherwise(&mut paths);
        }
        if self.effects.has(Effects::ALONG) {
            paths.push(Use { along: true, may: true, ..self.used(0, b".", Role::Test) });
        }
        self.uses.suffixes = self.suffixes;
        // Most commands name paths in operands only.
        match self.uses.paths.is_empty() {
            true => self.uses.paths = paths,
            false => self.uses.paths.append(&mut paths),
        }
        self.uses.paths.sort_by_key(|it| it.word);
        Ok(self.uses)
    }

    /// An operand that stands for itself, and is written.
    fn written(&mut self, named: &Named<'_, 'w>, paths: &mut Vec<Use<'w>>) {
        let Named { word, text, meaning } = *named;
        match meaning {
            Meaning::Rewrite => {
                self.uses.rewritten.push(word);
                self.uses.written.extend(writing::rewritten(word, text, &self.suffixes));
            }
            // What is there already is looked at, behind a link too.
            Meaning::Make => paths.push(Use { may: true, ..Use::of(word, text, Role::Test) }),
            _ => {}
        }
        named.alone(&mut self.uses.written);
    }

    fn used(&self, word: usize, text: &'w [u8], role: Role) -> Use<'w> {
        // What looks at the links in each directory, and goes on to those below, follows all.
        let all = Effects::ENTRIES.with(Effects::RECURSIVE);
        let follow = self.effects.has(Effects::FOLLOW) || self.effects.has(all);
        let follow = follow && !self.effects.has(Effects::PHYSICAL);
        Use {
            under: self.effects.has(Effects::RECURSIVE),
            follow,
            entries: self.effects.has(Effects::ENTRIES),
            way: self.effects.has(Effects::WAY),
            ..Use::of(word, text, role)
        }
    }

    /// What is used without a path.
    fn otherwise(&mut self, paths: &mut Vec<Use<'w>>) {
        let here = match self.options.operands.otherwise {
            Otherwise::Nothing => return,
            Otherwise::Stdin => false,
            Otherwise::Here => true,
            Otherwise::HereOrStdin => self.effects.has(Effects::RECURSIVE),
        };
        let role = match self.options.operands.rest {
            Some(Meaning::Path { role, .. } | Meaning::Pathspec(role)) => role,
            _ => Role::List,
        };
        match here {
            true => paths.push(self.used(0, b".", role)),
            false => self.uses.stdin = true,
        }
    }
}
