//! What the person and the project have configured: text in, a [`Configuration`] out.
//!
//! Pure: files are found, checked and read by who calls this. A file is a [`Layer`]; whatever of it
//! cannot be read is a [`Fault`] of that layer, and any fault makes every line ask. Layers are
//! joined so that a project can always tighten, and loosen only where its file is trusted.

mod document;
mod fault;
mod import;
mod proof;

#[cfg(test)]
mod tests;

pub use fault::Fault;
pub use import::{Agent, import};

use crate::request::{Dialects, Policy, Profile};
use crate::rules::{Date, Kind, Level, Rule};
use crate::verbs::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What one file says.
#[derive(Clone, Debug)]
pub struct Layer {
    level: Level,
    file: PathBuf,
    profile: Option<Profile>,
    shells: Option<Dialects>,
    roots: Vec<PathBuf>,
    scratch_roots: Vec<PathBuf>,
    worktrees: Option<bool>,
    protected_names: Vec<String>,
    protected_branches: Vec<String>,
    imports: Vec<Agent>,
    rules: Vec<Rule>,
    verbs: Vec<Arc<Entry>>,
    faults: Vec<Fault>,
    notes: Vec<String>,
    trusted: bool,
}

/// What holds: all layers together.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Profile, rules, protected names, and what could not be read.
    pub policy: Policy,
    /// The shells that may run a line, if anything is said of them.
    pub shells: Option<Dialects>,
    /// More directories that the project owns. As they are written: absolute, below `~/`, or
    /// relative to the project.
    pub roots: Vec<PathBuf>,
    /// Directories for passing things along, absolute or below `~/`.
    pub scratch_roots: Vec<PathBuf>,
    /// Are linked worktrees of the project's repository roots as well?
    pub worktrees: bool,
    /// What is shown with each verdict: what does not hold as it is written, and why.
    pub notes: Vec<String>,
    /// What is shown with the rules alone: which of them were left out, or open nothing.
    pub remarks: Vec<String>,
    /// What could not be read, with its place.
    pub faults: Vec<Fault>,
}

impl Layer {
    fn empty() -> Layer {
        Layer {
            level: Level::Project,
            file: PathBuf::new(),
            profile: None,
            shells: None,
            roots: Vec::new(),
            scratch_roots: Vec::new(),
            worktrees: None,
            protected_names: Vec::new(),
            protected_branches: Vec::new(),
            imports: Vec::new(),
            rules: Vec::new(),
            verbs: Vec::new(),
            faults: Vec::new(),
            notes: Vec::new(),
            trusted: false,
        }
    }

    /// Reads the text of a configuration file.
    pub fn read(level: Level, file: &Path, text: &str) -> Layer {
        document::read(level, file, text)
    }

    /// A file that is there and says nothing that can be read.
    pub fn unreadable(level: Level, file: &Path, why: impl Into<String>) -> Layer {
        let faults = vec![Fault::of(file, why)];
        Layer { level, file: file.to_owned(), faults, ..Layer::empty() }
    }

    /// The same layer, from a file whose content the person trusts.
    #[must_use]
    pub fn trusted(self) -> Layer {
        Layer { trusted: true, ..self }
    }

    /// The tools whose rules it imports.
    pub fn imports(&self) -> &[Agent] {
        &self.imports
    }

    /// What cannot be read of it.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Its rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The names of the verbs that it declares.
    pub fn verbs(&self) -> impl Iterator<Item = &str> {
        self.verbs.iter().flat_map(|entry| entry.names.iter())
    }

    /// May it loosen? What the person wrote may, and what the person trusts.
    fn may_loosen(&self) -> bool {
        self.trusted || self.level == Level::User
    }
}

impl Configuration {
    /// Joins layers, the person's before the projects'. `today`: rules that ended before it do not
    /// hold; without it, all do.
    pub fn of(layers: Vec<Layer>, today: Option<Date>) -> Configuration {
        let mut whole = Configuration::default();
        let mut rules = Vec::new();
        for mut layer in layers {
            whole.join_settings(&layer);
            whole.join_verbs(&mut layer);
            let may_loosen = layer.may_loosen();
            let before = layer.rules.len();
            layer.rules.retain(|rule| may_loosen || rule.kind != Kind::Allow);
            let ignored = before - layer.rules.len();
            if ignored > 0 {
                whole.not_trusted(&layer, &format!("{ignored} of its rules allow"));
            }
            let ended = |rule: &Rule| today.zip(rule.expires).is_some_and(|(day, end)| end < day);
            for rule in layer.rules {
                match rule.expires.filter(|_| ended(&rule)) {
                    Some(end) => whole.notes.push(format!("the rule {rule} ended on {end}")),
                    None => rules.push(rule),
                }
            }
            whole.policy.faults.extend(layer.faults.iter().map(Fault::line));
            whole.faults.extend(layer.faults);
            whole.remarks.extend(layer.notes);
        }
        for rule in rules.iter().filter(|rule| has_no_effect(rule)) {
            let why = "what it runs is judged by itself, or not understood";
            whole.remarks.push(format!("the rule {rule} opens nothing: {why}"));
        }
        whole.policy.rules = rules.into_iter().collect();
        whole
    }

    fn join_settings(&mut self, layer: &Layer) {
        if let Some(profile) = layer.profile {
            if layer.may_loosen() || profile <= self.policy.profile {
                self.policy.profile = profile;
            } else {
                self.not_trusted(layer, &format!("its profile '{profile}' declares more"));
            }
        }
        if let Some(shells) = layer.shells {
            let all = self.shells.unwrap_or(Dialects::ALL);
            let both = Dialects {
                bash: all.bash || shells.bash,
                sh: all.sh || shells.sh,
                zsh: all.zsh || shells.zsh,
            };
            if layer.may_loosen() {
                self.shells = Some(shells);
            } else {
                self.shells = Some(both);
                if both != shells {
                    self.not_trusted(layer, "it leaves out shells");
                }
            }
        }
        if layer.may_loosen() {
            self.roots.extend(layer.roots.iter().cloned());
            self.scratch_roots.extend(layer.scratch_roots.iter().cloned());
            self.worktrees = layer.worktrees.unwrap_or(self.worktrees);
        } else {
            // What it says of worktrees tightens if it is a no.
            self.worktrees &= layer.worktrees.unwrap_or(true);
            let more = layer.roots.len() + layer.scratch_roots.len();
            if more > 0 || layer.worktrees == Some(true) {
                self.not_trusted(layer, "it names more roots");
            }
        }
        self.policy.protected_names.extend(layer.protected_names.iter().cloned());
        self.policy.protected_branches.extend(layer.protected_branches.iter().cloned());
    }

    fn join_verbs(&mut self, layer: &mut Layer) {
        let verbs = std::mem::take(&mut layer.verbs);
        if !layer.may_loosen() {
            if !verbs.is_empty() {
                self.not_trusted(layer, &format!("it declares {} verbs", verbs.len()));
            }
            return;
        }
        for entry in verbs {
            if let Err(why) = self.policy.verbs.add(entry) {
                self.notes.push(format!("{}: {why}, and stays as it is", layer.file.display()));
            }
        }
    }

    fn not_trusted(&mut self, layer: &Layer, what: &str) {
        let file = layer.file.display();
        self.notes.push(format!(
            "{what}, which does not count: 'shfence trust {file}' trusts the file as it is now"
        ));
    }
}

/// Does a rule open a program whose words are judged, or refused, whatever it says?
fn has_no_effect(rule: &Rule) -> bool {
    let program = rule.pattern.known().first().map(|word| word.to_vec()).unwrap_or_default();
    rule.kind == Kind::Allow && crate::syntax::runs_its_words(&program)
}
