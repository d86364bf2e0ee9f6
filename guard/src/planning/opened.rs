//! What a command may use that only a rule opens: nothing is known of it but its words.

use super::command::Run;
use super::paths::Named;
use super::{Planned, Planner, lossy};
use crate::flow::{Word, argv};
use crate::path::resolve::{Last, resolve};
use crate::plan::{PlanWord, Role};
use crate::rules::{Rule, ceiling, changed_by, moves_names, runs_code, says_what_runs, texts};
use crate::span::Span;
use crate::syntax::runs_its_words;
use crate::trees::guarded_below;
use crate::verbs::{self, Form, Grammar, InRepository, Language, may_be_paths};
use crate::verdict::{Code, Reason};

/// How many paths that a command changes are looked into, for what stands below them.
const TREES_MAX: usize = 256;

/// What may be done with whatever its words name.
const ROLES: [Role; 2] = [Role::Read, Role::Build];

impl Planner<'_> {
    /// The rule that opens a command.
    pub(super) fn opening(&self, run: &Run<'_>) -> Option<&Rule> {
        let rule = self.policy.rules.opening(|| argv(run.words()))?;
        match run.words().first() {
            // What it runs is a command of its own, with rules of its own.
            Some(Word::Is(name)) if runs_its_words(name) => None,
            _ => Some(rule),
        }
    }

    /// Takes what stands against the command as undeclared back, and holds its words against the
    /// scope instead. `since`: how many objections there were before it was looked at.
    pub(super) fn open(&self, rule: &Rule, run: &Run<'_>, since: usize, planned: &mut Planned) {
        let declared = planned.objections[since..].iter().all(|it| !is_lifted(it));
        if declared {
            return;
        }
        let mut index = 0;
        planned.objections.retain(|it| {
            index += 1;
            index <= since || !is_lifted(it)
        });
        let words = argv(run.words());
        self.leaves_lines_whole(true, run, planned);
        planned.opened.push(rule.clone());
        planned.moves_names |= moves_names(&words);
        self.ceilings(rule, &words, run, planned);
        if matches!(run.words().first(), Some(Word::Is(name)) if **name == *b"git") {
            self.git_repository(run, planned);
        }
        self.builds(run, planned);
        self.no_option(run, planned);
        let mut changed = changed_by(run.words());
        let trees: usize = run.words()[changed.clone()].iter().map(texts_of).sum();
        if trees > TREES_MAX {
            let note = "it changes more files and directories than are looked at".to_owned();
            planned.object(Code::PathUnresolved, run.span(0), note);
            changed = 0..0;
        }
        let texts = texts(run.words());
        let others = run.words().iter().enumerate().skip(1);
        for (index, word) in others.filter(|(index, _)| texts.binary_search(index).is_err()) {
            let at = (index, changed.contains(&index));
            match word {
                Word::Is(text) | Word::Unseen(text) => self.word(text, at, &ROLES, run, planned),
                Word::OneOf(texts) => {
                    texts.iter().for_each(|text| self.word(text, at, &ROLES, run, planned));
                }
                Word::Names(names) => {
                    names.iter().for_each(|name| self.word(name, at, &ROLES, run, planned));
                }
                Word::One(_)
                | Word::Count(_)
                | Word::Integer
                | Word::Many
                | Word::Found { .. }
                | Word::Pipe
                | Word::Like { .. } => {
                    let note = "what a command that only a rule opens gets here is not known";
                    planned.object(Code::WordUnknown, run.span(index), note.to_owned());
                }
            }
        }
    }

    /// What no rule opens.
    fn ceilings(&self, rule: &Rule, words: &[PlanWord], run: &Run<'_>, planned: &mut Planned) {
        if let Some(note) = ceiling(words, &self.policy.protected_branches) {
            planned.object(Code::Ceiling, run.span(0), note);
        }
        let named = rule.pattern.known();
        let known = |at: usize| match words.get(at) {
            Some(PlanWord::Is(text)) => &text[..],
            _ => b"",
        };
        let unnamed = words.iter().enumerate().skip(1).find(|(_, word)| match word {
            PlanWord::Is(text) => {
                says_what_runs(known(0), known(1), text) && !named.contains(&&text[..])
            }
            _ => false,
        });
        if let Some((at, _)) = unnamed {
            let note = "this may say what is run, or what is read: no rule opens it that does not \
                        name it";
            planned.object(Code::Ceiling, run.span(at), note.to_owned());
        }
        if runs_code(words) || self.is_language(run) {
            let note = "no rule opens code that stands in the words of a command, or comes in";
            planned.object(Code::Ceiling, run.span(0), note.to_owned());
        }
    }

    /// Are its words a program in a language of their own, in which a path may stand anywhere?
    fn is_language(&self, run: &Run<'_>) -> bool {
        let Some(Word::Is(name)) = run.words().first() else { return false };
        match verbs::find(name).map(|verb| &verb.entry.grammar) {
            Some(Grammar::Language(Language::Git)) | None => false,
            Some(Grammar::Language(_)) => true,
            Some(_) if **name == *b"sed" => !edits_in_place(run.words()),
            Some(_) => false,
        }
    }

    /// A rule for git holds in a repository of the project, of which it is known what it makes git
    /// do.
    fn git_repository(&self, run: &Run<'_>, planned: &mut Planned) {
        let named = |words: &[Word<'_>]| match words {
            [Word::Is(option), Word::Is(directory)] if **option == *b"-C" => {
                Some(directory.to_vec())
            }
            _ => None,
        };
        let mut directories: Vec<Vec<u8>> = run.words().windows(2).filter_map(named).collect();
        directories.push(b".".to_vec());
        for directory in directories {
            let directory = directory.into();
            let form = Form::default();
            let used = InRepository { directory, form, takes: Vec::new() };
            self.repository(&used, run.states(), run.span(0), planned);
        }
    }

    /// Whatever part of a word may be a path must be one with which this may be done.
    pub(super) fn word(
        &self,
        text: &[u8],
        (at, changes): (usize, bool),
        roles: &[Role],
        run: &Run<'_>,
        planned: &mut Planned,
    ) {
        let span = run.span(at);
        let Some(attached) = attached(text) else {
            let note = format!("which value '{}' has is not clear", lossy(text));
            return planned.object(Code::PathUnresolved, span, note);
        };
        let attached = attached.into_iter().flat_map(may_be_paths);
        for part in may_be_paths(text).into_iter().chain(attached) {
            if part.starts_with(b"~") {
                let note = format!("'{}' may be a home directory", lossy(part));
                planned.object(Code::PathUnresolved, span, note);
                continue;
            }
            for role in roles {
                let named = Named { text: part, role: *role, under: true, may: true, span };
                self.path(&named, run.states(), planned);
            }
            if changes {
                self.trees(part, span, run, planned);
            }
        }
    }

    /// A program that changes files must not be given a tree in which one stands that says what may
    /// run.
    fn trees(&self, part: &[u8], span: Span, run: &Run<'_>, planned: &mut Planned) {
        for place in run.states().places() {
            let Ok(top) = resolve(self.view, &place.physical, part, Last::Follow) else { continue };
            if self.scope.root_of(&top.path).is_none() {
                continue; // said where the path itself is judged
            }
            match guarded_below(self.view, &top.path) {
                Ok(None) => {}
                Ok(Some(guarded)) => {
                    let note = format!("this may write {guarded}, which says what may run");
                    planned.object(Code::Protected, span, note);
                }
                Err(error) => {
                    let note = format!("what stands below '{}' {}", lossy(part), error.why());
                    planned.object(Code::PathUnresolved, span, note);
                }
            }
        }
    }
}

/// Is it a `sed` of which the catalogue says all but that it writes its files?
fn edits_in_place(words: &[Word<'_>]) -> bool {
    let in_place = |word: &[u8]| word.starts_with(b"-i") || word.starts_with(b"--in-place");
    let known = |word: &Word<'_>| match word {
        Word::Is(text) if in_place(text) => None,
        Word::Is(text) => Some(Some(text.to_vec())),
        Word::Names(names) if names.len() == 1 => Some(Some(names[0].to_vec())),
        _ => Some(None),
    };
    let Some(texts) = words.iter().filter_map(known).collect::<Option<Vec<Vec<u8>>>>() else {
        return false;
    };
    let words: Vec<verbs::Word<'_>> = texts.iter().map(|text| verbs::Word::Is(text)).collect();
    verbs::find(b"sed").is_some_and(|sed| verbs::uses(&sed, &words).is_ok())
}

/// What may be the value of the last of some options that stand together: `-ro../x`. Nothing if
/// they are more than anybody writes.
fn attached(word: &[u8]) -> Option<Vec<&[u8]>> {
    const LETTERS_MAX: usize = 16;
    let Some(letters) = word.strip_prefix(b"-").filter(|rest| !rest.starts_with(b"-")) else {
        return Some(Vec::new());
    };
    let count = letters.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let values = (1..=count.min(letters.len().saturating_sub(1))).map(|at| &letters[at..]);
    (count <= LETTERS_MAX).then(|| values.collect())
}

/// Does a rule that opens the command answer this?
fn is_lifted(reason: &Reason) -> bool {
    matches!(reason.code, Code::UndeclaredVerb | Code::UndeclaredOption | Code::Fetches)
}

/// How many words this may be.
fn texts_of(word: &Word<'_>) -> usize {
    match word {
        Word::OneOf(texts) => texts.len(),
        Word::Names(names) => names.len(),
        _ => 1,
    }
}
