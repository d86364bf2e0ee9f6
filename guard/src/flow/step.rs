//! What following a line finds: its simple commands, and how each may run.

use super::cd::CdTargets;
use super::states::States;
use crate::few::Few;
use crate::path::Physical;
use crate::plan::{Bytes, PlanWord, Role};
use crate::request::Dialects;
use crate::span::Span;
use crate::syntax::tree::{Argument, Redirection, Simple, Target, Text};
use crate::verbs::{FoundNames, Number, Selected};
use std::rc::Rc;

/// One simple command, with the ways in which it may run.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The command.
    pub simple: &'a Simple<'a>,
    /// Where it may start.
    pub states: States,
    /// What its words may be, and where. More than one, where shells expand them differently, or
    /// where they depend on the place. Never empty.
    pub readings: Few<Reading<'a>>,
    /// Redirections of groups that begin with this command, each with where the shell may be when
    /// it makes them: before the group, not before the command.
    pub of_groups: Vec<(&'a Redirection<'a>, States)>,
    /// Redirections of it and of those groups whose file's name holds variables, each with what is
    /// known of that.
    pub opened: Vec<(&'a Redirection<'a>, Word<'a>)>,
    /// What shells look at while they expand the words of this command, and those of a loop that
    /// begins with it.
    pub looks: Vec<Look>,
    /// For a `cd`: what it tries and looks at, from all of those places together.
    pub cd: Option<Box<CdTargets>>,
    /// Does it run while the rest of the line goes on?
    pub background: bool,
    /// The step whose output it reads, if that is the whole of the pipeline's stage before it.
    pub input: Option<usize>,
    /// Does what comes in consist of lines that are known to a loop around it?
    pub fed: bool,
}

/// One way in which a command may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// What is known of its words, the name first.
    pub words: Vec<Word<'a>>,
    /// Where each of them stands in the line, if they are not one for one the words of the command.
    pub spans: Option<Rc<[Span]>>,
    /// Where it starts if its words are these.
    pub states: States,
    /// The shells that read it so.
    pub shells: Dialects,
}

/// What is known of one word of a command where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// Exactly this word.
    Is(Text<'a>),
    /// The name of a pipe, in a directory of the system's, from which another command's output can
    /// be read.
    Pipe,
    /// One of these words.
    OneOf(Vec<Text<'a>>),
    /// These words, all of them, in the order of some locale: what a pattern matches.
    Names(Rc<[Text<'a>]>),
    /// What this pattern matches, with no view to tell.
    Unseen(Text<'a>),
    /// Names that another command finds.
    Found {
        /// Which ones. Few words are these, and none is made larger by them.
        found: Rc<FoundNames<'a>>,
        /// How many names?
        number: Number,
    },
    /// A word that is not known, but means what one of these means: to git, the name of some
    /// revision stands for that of any.
    Like {
        /// What it is like.
        texts: Vec<Text<'a>>,
        /// May there be no word at all?
        vanishes: bool,
    },
    /// Exactly one word, which begins so.
    One(Text<'a>),
    /// The same, and the rest of it is a decimal number.
    Count(Text<'a>),
    /// Exactly one word, a decimal number, perhaps negative.
    Integer,
    /// Any number of words, any.
    Many,
}

/// A place that a shell looks at to expand a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The path.
    pub text: Vec<u8>,
    /// The directory it is taken from.
    pub from: Physical,
    /// What is done there: listed, or only looked at.
    pub role: Role,
    /// The word that has the pattern.
    pub span: Span,
}

/// What shells look at while they expand words.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    /// The places that are known.
    pub(super) known: Vec<Look>,
    /// Words for which a shell may look anywhere: a value that is taken as a pattern, say.
    pub(super) anywhere: Vec<Span>,
}

impl Reading<'_> {
    /// Where a word of it stands in the line.
    pub fn span(&self, word: usize, simple: &Simple<'_>) -> Span {
        match &self.spans {
            Some(spans) => spans.get(word).copied().unwrap_or(simple.span),
            None => simple.word_span(word),
        }
    }
}

/// Words as a plan says them.
pub fn argv(words: &[Word<'_>]) -> Vec<PlanWord> {
    let mut argv = Vec::with_capacity(words.len());
    for word in words {
        match (word, word.count()) {
            (Word::Is(text), _) => argv.push(PlanWord::Is(Bytes::from(&text[..]))),
            (_, 1) => argv.push(word.plan()),
            (_, times) => argv.extend(std::iter::repeat_n(word.plan(), times)),
        }
    }
    argv
}

impl<'a> Word<'a> {
    /// Which names these are, if another command finds them.
    pub fn found(&self) -> Option<&Selected> {
        match self {
            Word::Found { found, .. } => Some(&found.which),
            _ => None,
        }
    }

    /// How many words it is in a plan, each of which is said in the same way.
    pub fn count(&self) -> usize {
        match self {
            Word::Names(names) => names.len(),
            _ => 1,
        }
    }

    /// As plans say each of them.
    pub fn plan(&self) -> PlanWord {
        let one_of = |texts: &[Text<'_>]| {
            PlanWord::OneOf(texts.iter().map(|text| Bytes::from(&text[..])).collect())
        };
        match self {
            Word::Is(text) => PlanWord::Is(Bytes::from(&text[..])),
            Word::OneOf(texts) => one_of(texts),
            Word::Names(names) => match &names[..] {
                [name] => PlanWord::Is(Bytes::from(&name[..])),
                _ => one_of(names),
            },
            Word::One(_)
            | Word::Count(_)
            | Word::Integer
            | Word::Pipe
            | Word::Found { number: Number::One, .. }
            | Word::Like { vanishes: false, .. } => PlanWord::One,
            Word::Unseen(_) | Word::Many | Word::Found { .. } | Word::Like { .. } => PlanWord::Many,
        }
    }

    /// The words it may be, if there are few and it is exactly one of them.
    pub(crate) fn texts(&self) -> Option<&[Text<'a>]> {
        match self {
            Word::Is(text) => Some(std::slice::from_ref(text)),
            Word::OneOf(texts) => Some(texts),
            Word::Names(names) if names.len() == 1 => Some(names),
            Word::Names(_)
            | Word::Unseen(_)
            | Word::Found { .. }
            | Word::Like { .. }
            | Word::Pipe
            | Word::One(_)
            | Word::Count(_)
            | Word::Integer
            | Word::Many => None,
        }
    }
}

/// Paths that are no files: reading or writing them touches nothing.
pub(crate) const INERT: [&[u8]; 2] = [b"/dev/null", b"/dev/tty"];

/// Paths that are what a descriptor is.
pub(crate) const DESCRIPTORS: [&[u8]; 3] = [b"/dev/stdin", b"/dev/stdout", b"/dev/stderr"];

impl Step<'_> {
    /// Does a redirection of it, or of a group that begins with it, open a file?
    pub fn opens_a_file(&self) -> bool {
        self.opens(|target| match target {
            Target::Read(word) | Target::Write(word) => Some(word),
            Target::Duplicate(_) | Target::Close | Target::Document(_) | Target::Text(_) => None,
        })
    }

    /// Does one of them make a file, if it is not there?
    pub(super) fn makes_a_file(&self) -> bool {
        self.opens(|target| match target {
            Target::Write(word) => Some(word),
            _ => None,
        })
    }

    fn opens(&self, named: for<'t> fn(&'t Target<'t>) -> Option<&'t Argument<'t>>) -> bool {
        let own = self.simple.redirections.iter();
        let mut all = own.chain(self.of_groups.iter().map(|(redirection, _)| *redirection));
        let is_file = |file: &Argument<'_>| {
            let no_file = |text: &[u8]| INERT.contains(&text) || DESCRIPTORS.contains(&text);
            !file.literal().is_some_and(|text| no_file(text))
        };
        all.any(|it| named(&it.target).is_some_and(is_file))
    }
}
