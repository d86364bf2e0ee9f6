//! Verbs that a configuration declares, in the catalogue's language.
//!
//! What the build does for the files of `verbs/` is done here when a configuration is read: a test
//! holds both against each other. Nobody has compared such an entry with its tool, so that it says
//! less: the scope is held against all words (`planning/own.rs`), and no shipped verb is declared
//! anew.

use super::catalogue::SEARCHES;
use super::grammar::{
    self, Class, Effects, Entry, Grammar, Opt, Options, Otherwise, Parser, Search, Sub, Value, Verb,
};
use super::lists::{List, Texts};
use super::schema::{self, Effect, Kind, Of};
use super::uses::{Objection, Word, uses};
use super::well_formed::{About, well_formed};
use super::{find_any, find_edit};
use crate::plan::Role;
use crate::syntax::{may_be_run, runs_its_words};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Verbs of the person, and of projects that the person trusts.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    verbs: Vec<Arc<Entry>>,
}

impl Declared {
    /// The verb of this name.
    pub fn find(&self, name: &[u8]) -> Option<Verb<'_>> {
        self.all().find(|verb| verb.name.as_bytes() == name)
    }

    /// All of them, each under all its names.
    pub fn all(&self) -> impl Iterator<Item = Verb<'_>> {
        self.verbs.iter().flat_map(|entry| entry.names.iter().map(|name| Verb { name, entry }))
    }

    /// Adds one. A name that is declared already stays what it was: then this is the error.
    pub(crate) fn add(&mut self, entry: Arc<Entry>) -> Result<(), String> {
        if let Some(name) = entry.names.iter().find(|name| self.find(name.as_bytes()).is_some()) {
            return Err(format!("the verb '{name}' is declared already"));
        }
        self.verbs.push(entry);
        Ok(())
    }

    /// Does this variable change what one of them does?
    pub fn is_governed_by(&self, variable: &[u8]) -> bool {
        let named =
            |entry: &Arc<Entry>| entry.governed_by.iter().any(|it| super::is_named(it, variable));
        self.verbs.iter().any(named)
    }
}

/// What a configuration may say of a verb. The error is what stands against it, as a sentence.
pub(crate) fn declared(
    mut verb: schema::Verb,
    sets: &BTreeMap<String, schema::Set>,
    place: String,
) -> Result<Arc<Entry>, String> {
    verb.expand(sets)?;
    let mut complaints = Vec::new();
    may_be_declared(&verb, &mut complaints);
    let is_verb = |name: &String| options_of(name).is_some();
    let about = About { is_search: &|name| searches(name).is_some(), is_verb: &is_verb };
    let first = verb.names.first().cloned().unwrap_or_default();
    well_formed(&verb, &about, &mut |key, what| complaints.push(format!("{key}: {what}")));
    if let Some(complaint) = complaints.into_iter().next() {
        return Err(format!("the verb '{first}': {complaint}"));
    }
    let made = Entry { declared_in: Some(place.clone()), ..entry(&verb, &[place])? };
    match failing(&made) {
        Some(what) => Err(format!("the verb '{first}': {what}")),
        None => Ok(Arc::new(made)),
    }
}

/// What only the shipped catalogue says, and names that nobody may give a meaning.
fn may_be_declared(verb: &schema::Verb, complaints: &mut Vec<String>) {
    let mut complain = |what: &str| complaints.push(what.to_owned());
    let schema::Verb { names, class, language, edits_as_well, .. } = verb;
    if names.is_empty() {
        complain("it has no name");
    }
    for name in names {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
        if !name.bytes().all(good) || !name.starts_with(|it: char| it.is_ascii_alphanumeric()) {
            complain("a name is one word of letters, digits and '._+-', without a directory");
        } else if find_any(name.as_bytes()).is_some() || find_edit(name.as_bytes()).is_some() {
            complain("it is among the shipped verbs, which nobody declares anew");
        } else if !may_be_run(name.as_bytes()) || runs_its_words(name.as_bytes()) {
            complain("shells, or the guard itself, know what this name means");
        }
    }
    if class.is_none() {
        complain("it has no class: read, build or edit");
    }
    if language.is_some() || *edits_as_well {
        complain("'language' and 'edits-as-well' are for shipped verbs");
    }
    if verb.shape.is_some() || verb.by_hand.is_some() {
        complain("'shape' and 'by-hand' are for shipped verbs");
    }
}

/// The first example that is not judged as it says.
fn failing(entry: &Entry) -> Option<String> {
    let name = entry.names.get(0)?;
    let wrong = |example: &str, taken: bool| {
        let texts: Vec<&str> = example.split_ascii_whitespace().collect();
        let own = texts.first().is_some_and(|first| entry.names.contains(first));
        let words: Vec<Word<'_>> = texts
            .iter()
            .map(|text| match text.split_once("$x") {
                Some((known, _)) => Word::Begins(known.as_bytes()),
                None => Word::Is(text.as_bytes()),
            })
            .collect();
        match uses(&Verb { name, entry }, &words) {
            _ if !own => Some(format!("the example '{example}' is of another verb")),
            Ok(_) if !taken => Some(format!("'{example}' is declared, but stands under 'ask'")),
            Err(Objection { word, why }) if taken => {
                Some(format!("the example '{example}': {}", why.note(texts[word], name)))
            }
            _ => None,
        }
    };
    let allowed = entry.allow.iter().find_map(|example| wrong(example, true));
    allowed.or_else(|| entry.ask.iter().find_map(|example| wrong(example, false)))
}

fn searches(name: &str) -> Option<&'static [Search]> {
    SEARCHES.iter().find(|(other, _)| *other == name).map(|(_, all)| *all)
}

/// The options of a shipped verb, with the variables that govern it.
fn options_of(name: &str) -> Option<(&'static Options, &'static Texts)> {
    match find_any(name.as_bytes())?.entry {
        Entry { grammar: Grammar::Options(options), governed_by, .. } => {
            Some((options, governed_by))
        }
        _ => None,
    }
}

/// An entry, as the build makes it of a shipped one.
pub(super) fn entry(verb: &schema::Verb, written_from: &[String]) -> Result<Entry, String> {
    let (mut allow, mut ask) = (Vec::new(), Vec::new());
    examples(verb, &mut allow, &mut ask);
    let mut governed_by = verb.governed_by.clone();
    governing(verb, &mut governed_by);
    Ok(Entry {
        names: Texts::Own(programs_of(verb)),
        class: match verb.class.ok_or("class: there is none")? {
            schema::Class::Read => Class::Read,
            schema::Class::Build => Class::Build,
            schema::Class::Edit => Class::Edit,
        },
        grammar: grammar(verb)?,
        written_from: Texts::Own(written_from.to_vec()),
        silent: verb.silent,
        searches: verb.searches,
        upward: Texts::Own(verb.upward.clone()),
        own_files: Texts::Own(verb.own_files.clone()),
        rewrites: verb.rewrites.clone().map(Texts::Own),
        governed_by: Texts::Own(governed_by),
        allow: Texts::Own(allow),
        ask: Texts::Own(ask),
        declared_in: None,
    })
}

/// Its names, with those under which it stands in `node_modules`.
fn programs_of(verb: &schema::Verb) -> Vec<String> {
    let mut names = verb.names.clone();
    if verb.bin {
        for directory in ["node_modules/.bin", "./node_modules/.bin"] {
            names.extend(verb.names.iter().map(|name| format!("{directory}/{name}")));
        }
    }
    names
}

fn examples(verb: &schema::Verb, allow: &mut Vec<String>, ask: &mut Vec<String>) {
    allow.extend(verb.allow.iter().cloned());
    ask.extend(verb.ask.iter().cloned());
    verb.sub.iter().for_each(|sub| examples(sub, allow, ask));
}

/// Adds the variables that change what its sub-commands do.
fn governing(verb: &schema::Verb, names: &mut Vec<String>) {
    for sub in &verb.sub {
        let of_other = sub.like.as_ref().and_then(|like| options_of(like));
        let of_other = of_other.into_iter().flat_map(|(_, all)| all.iter().map(str::to_owned));
        let new: Vec<String> = of_other.chain(sub.governed_by.iter().cloned()).collect();
        for name in new {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        governing(sub, names);
    }
}

fn grammar(verb: &schema::Verb) -> Result<Grammar, String> {
    use schema::Language;
    let language = match verb.language {
        None => return Ok(Grammar::Options(options(verb, &[])?)),
        Some(Language::Words) => return Ok(Grammar::Words),
        Some(Language::Cd) => return Ok(Grammar::Cd),
        Some(Language::Awk) => grammar::Language::Awk,
        Some(Language::Command) => grammar::Language::Command,
        Some(Language::Env) => grammar::Language::Env,
        Some(Language::Find) => grammar::Language::Find,
        Some(Language::Git) => grammar::Language::Git,
        Some(Language::Jq) => grammar::Language::Jq,
        Some(Language::Printf) => grammar::Language::Printf,
        Some(Language::Test) => grammar::Language::Test,
        Some(Language::Time) => grammar::Language::Time,
        Some(Language::Xargs) => grammar::Language::Xargs,
    };
    Ok(Grammar::Language(language))
}

/// Options and operands of a verb or a sub-command, which also has these options.
fn options(verb: &schema::Verb, inherited: &[Opt]) -> Result<Options, String> {
    if let Some((other, _)) = verb.like.as_ref().and_then(|like| options_of(like)) {
        return Ok(other.clone());
    }
    let mut rows = rows(verb);
    let own: Vec<_> = rows.iter().map(|it| it.name.clone()).collect();
    rows.extend(inherited.iter().filter(|it| !own.contains(&it.name)).cloned());
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let shared = if verb.shared { &rows[..] } else { &[] };
    let sub = |sub: &schema::Verb| {
        let names = Texts::Own(sub.names.clone());
        Ok(Sub { names, script: sub.script, options: options(sub, shared)? })
    };
    let subs = verb.sub.iter().map(sub).collect::<Result<Vec<Sub>, String>>()?;
    let all = |names: &[String]| {
        let found = names.iter().map(|name| searches(name).ok_or(format!("no search {name}")));
        Ok::<_, String>(List::Own(found.collect::<Result<Vec<_>, String>>()?))
    };
    Ok(Options {
        parser: parser(verb.parser),
        always: effects(&verb.always),
        required: List::Own(groups_of(verb, &verb.required)),
        digits: verb.digits,
        bare: verb.bare,
        response_files: verb.response_files,
        alone: Texts::Own(verb.alone.clone()),
        alone_seeks: all(&verb.alone_seeks)?,
        operands: operands(&verb.operands),
        subs: List::Own(subs),
        seeks: all(&verb.seeks)?,
        options: List::Own(rows),
    })
}

fn parser(parser: schema::Parser) -> Parser {
    match parser {
        schema::Parser::Permuting => Parser::Permuting,
        schema::Parser::Anywhere => Parser::Anywhere,
        schema::Parser::Stopping => Parser::Stopping,
        schema::Parser::Single => Parser::Single,
        schema::Parser::Mixed => Parser::Mixed,
        schema::Parser::Words => Parser::Words,
        schema::Parser::Flags => Parser::Flags,
        schema::Parser::Passed => Parser::Passed,
    }
}

/// One row per name.
fn rows(verb: &schema::Verb) -> Vec<Opt> {
    let mut rows = Vec::new();
    let mut add = |names: &str, value: Value| {
        let has = |its: &[String]| names.split(' ').any(|name| its.iter().any(|it| it == name));
        let of = verb.effects.iter().filter(|(_, its)| has(its)).map(|(effect, _)| *effect);
        let effects = effects(&of.collect::<Vec<_>>());
        for name in names.split(' ') {
            let value = match value.clone() {
                Value::One(meaning) if verb.attached_only.iter().any(|it| it == name) => {
                    Value::Attached(meaning)
                }
                value => value,
            };
            rows.push(Opt { name: Cow::Owned(name.to_owned()), value, effects });
        }
    };
    verb.flags.iter().for_each(|names| add(names, Value::None));
    verb.texts.iter().for_each(|names| add(names, Value::One(grammar::Meaning::Text)));
    verb.free.iter().for_each(|names| add(names, Value::One(grammar::Meaning::Free)));
    verb.values.iter().for_each(|(names, it)| add(names, Value::One(meaning(it))));
    verb.optional.iter().for_each(|(names, it)| add(names, Value::Optional(meaning(it))));
    verb.attached.iter().for_each(|(names, it)| add(names, Value::Attached(meaning(it))));
    rows
}

/// Each of these options with all its names, of which one is enough.
fn groups_of(verb: &schema::Verb, options: &[String]) -> Vec<Texts> {
    let valued = verb.values.keys().chain(verb.optional.keys());
    let all = verb.flags.iter().chain(&verb.texts).chain(&verb.free).chain(valued);
    let has = |names: &&String| names.split(' ').any(|name| options.iter().any(|it| it == name));
    all.filter(has).map(|names| Texts::Own(names.split(' ').map(str::to_owned).collect())).collect()
}

fn effects(list: &[Effect]) -> Effects {
    list.iter().fold(Effects::NONE, |all, effect| {
        all.with(match effect {
            Effect::Recursive => Effects::RECURSIVE,
            Effect::Follow => Effects::FOLLOW,
            Effect::Physical => Effects::PHYSICAL,
            Effect::Along => Effects::ALONG,
            Effect::Selects => Effects::SELECTS,
            Effect::Way => Effects::WAY,
            Effect::ReplacesFirst => Effects::REPLACES_FIRST,
            Effect::Moves => Effects::MOVES,
            Effect::Entries => Effects::ENTRIES,
            Effect::Compares => Effects::COMPARES,
            Effect::Bounded => Effects::BOUNDED,
            Effect::Relative => Effects::RELATIVE,
        })
    })
}

fn operands(operands: &schema::Operands) -> grammar::Operands {
    grammar::Operands {
        first: List::Own(operands.first.iter().map(meaning).collect()),
        rest: operands.rest.as_ref().map(meaning),
        min: operands.min,
        otherwise: match operands.otherwise {
            schema::Otherwise::Nothing => Otherwise::Nothing,
            schema::Otherwise::Stdin => Otherwise::Stdin,
            schema::Otherwise::Here => Otherwise::Here,
            schema::Otherwise::HereOrStdin => Otherwise::HereOrStdin,
        },
        pair: operands.pair,
        moves: operands.moves,
        into: operands.into,
    }
}

fn meaning(meaning: &schema::Meaning) -> grammar::Meaning {
    use grammar::Meaning;
    let (words, text) =
        (|all: &Vec<String>| Texts::Own(all.clone()), |it: &String| it.clone().into());
    match meaning {
        schema::Meaning::Kind(kind) => of_kind(*kind),
        schema::Meaning::Of(of) => match of {
            Of::OneOf(all) => Meaning::OneOf(words(all)),
            Of::ListOf(all) => Meaning::ListOf(words(all)),
            Of::Except(all) => Meaning::Except(words(all)),
            Of::Script(all) => Meaning::Script(words(all)),
            Of::LastOf(all) => Meaning::LastOf(words(all)),
            Of::Begins(start) => Meaning::Begins(text(start)),
            Of::Without(part) => Meaning::Without(text(part)),
            Of::Chars(set) => Meaning::Chars(text(set)),
        },
    }
}

fn of_kind(kind: Kind) -> grammar::Meaning {
    use grammar::Meaning;
    let path = |role, dash| Meaning::Path { role, dash };
    match kind {
        Kind::Read => path(Role::Read, true),
        Kind::ReadAlways => path(Role::Read, false),
        Kind::List => path(Role::List, false),
        Kind::Test => path(Role::Test, false),
        Kind::Build => path(Role::Build, true),
        Kind::Pathspec => Meaning::Pathspec(Role::Read),
        Kind::ListedPathspec => Meaning::Pathspec(Role::List),
        Kind::Text => Meaning::Text,
        Kind::Number => Meaning::Number,
        Kind::Name => Meaning::Name,
        Kind::Variable => Meaning::Variable,
        Kind::Command => Meaning::Command,
        Kind::Selection => Meaning::Selection,
        Kind::SedScript => Meaning::SedScript,
        Kind::Run => Meaning::Run,
        Kind::LineRange => Meaning::LineRange,
        Kind::GitFormat => Meaning::GitFormat,
        Kind::StatFormat => Meaning::StatFormat,
        Kind::Revision => Meaning::Revision,
        Kind::RunBin => Meaning::RunBin,
        Kind::Free => Meaning::Free,
        Kind::Goal => Meaning::Goal,
        Kind::Report => Meaning::Report,
        Kind::Config => Meaning::Config,
        Kind::Write => Meaning::Write,
        Kind::Rewrite => Meaning::Rewrite,
        Kind::Suffix => Meaning::Suffix,
        Kind::Make => Meaning::Make,
        Kind::Into => Meaning::Into,
        Kind::Remove => Meaning::Remove,
        Kind::Referent => Meaning::Referent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Family {
        written_from: Vec<String>,
        #[serde(default)]
        sets: BTreeMap<String, schema::Set>,
        verb: Vec<schema::Verb>,
    }

    /// Has its sub-commands be like the same form of other verbs.
    fn in_form(verb: &mut schema::Verb, form: &str) {
        verb.like.iter_mut().for_each(|like| like.push_str(form));
        verb.sub.iter_mut().for_each(|sub| in_form(sub, form));
    }

    /// Every file of the shipped catalogue, read as a configuration's verbs are: what comes out is
    /// what the build has made of it.
    #[test]
    fn the_shipped_catalogue_means_the_same_here() {
        let mut tried = 0;
        for file in std::fs::read_dir("verbs").expect("the catalogue is there") {
            let path = file.expect("it can be listed").path();
            if path.is_dir() {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it is text");
            let family: Family = toml::from_str(&text).expect("the build has read it");
            for mut verb in family.verb {
                verb.expand(&family.sets).expect("the build has its sets");
                let edits = if verb.edits_as_well { " +edit" } else { "" };
                verb.sub.iter_mut().for_each(|sub| in_form(sub, edits));
                let name = format!("{}{edits}", verb.names[0]);
                let shipped = find_any(name.as_bytes()).expect("the build has it").entry;
                let own = entry(&verb, &family.written_from).expect("the build has taken it");
                assert_eq!(format!("{own:?}"), format!("{shipped:?}"), "{name}");
                tried += 1;
            }
        }
        assert!(tried > 150, "{tried}");
    }
}
