//! The checked catalogue → Rust.

use crate::schema::{Effect, Kind, Meaning, Of, Operands, Verb};
use std::fmt::Write as _;

/// Tables sorted by name, over one static entry per verb.
pub fn tables<'a>(verbs: impl Iterator<Item = (&'a Verb, &'a [String])>) -> String {
    let mut text = String::from("// Generated from verbs/*.toml.\n");
    let mut names = Vec::new();
    for (number, (verb, written_from)) in verbs.enumerate() {
        let _ = writeln!(text, "static ENTRY_{number}: Entry = {};", entry(verb, written_from));
        names.extend(verb.names.iter().map(|name| (name, number)));
    }
    names.sort();
    text += "pub(super) static VERBS: &[Verb] = &[\n";
    for (name, number) in names {
        let _ = writeln!(text, "    Verb {{ name: {name:?}, entry: &ENTRY_{number} }},");
    }
    text + "];\n"
}

fn entry(verb: &Verb, written_from: &[String]) -> String {
    format!(
        "Entry {{ names: &{:?}, class: Class::{:?}, grammar: {}, written_from: &{written_from:?}, \
         upward: &{:?}, own_files: &{:?}, governed_by: &{:?}, allow: &{:?}, ask: &{:?} }}",
        verb.names,
        verb.class,
        grammar(verb),
        verb.upward,
        verb.own_files,
        verb.governed_by,
        verb.allow,
        verb.ask,
    )
}

fn grammar(verb: &Verb) -> String {
    use crate::schema::Language;
    match verb.language {
        Some(Language::Words) => "Grammar::Words".to_owned(),
        Some(Language::Cd) => "Grammar::Cd".to_owned(),
        Some(language) => format!("Grammar::Language(Language::{language:?})"),
        None => format!(
            "Grammar::Options(Options {{ parser: Parser::{:?}, options: &[{}], always: {}, \
             required: &[{}], digits: {}, bare: {}, response_files: {}, alone: &{:?}, \
             operands: {} }})",
            verb.parser,
            options(verb),
            effects(&verb.always),
            groups_of(verb, &verb.required),
            verb.digits,
            verb.bare,
            verb.response_files,
            verb.alone,
            operands(&verb.operands),
        ),
    }
}

/// One row per name, sorted.
fn options(verb: &Verb) -> String {
    let mut rows = Vec::new();
    let mut add = |names: &str, value: String| {
        let has = |its: &[String]| names.split(' ').any(|name| its.iter().any(|it| it == name));
        let of = verb.effects.iter().filter(|(_, its)| has(its)).map(|(effect, _)| *effect);
        let effects = effects(&of.collect::<Vec<_>>());
        for name in names.split(' ') {
            rows.push((name.to_owned(), format!("value: {value}, effects: {effects}")));
        }
    };
    verb.flags.iter().for_each(|names| add(names, "Value::None".to_owned()));
    verb.texts.iter().for_each(|names| add(names, "Value::One(Meaning::Text)".to_owned()));
    let valued =
        [(&verb.values, "One"), (&verb.optional, "Optional"), (&verb.attached, "Attached")];
    for (options, kind) in valued {
        options
            .iter()
            .for_each(|(names, it)| add(names, format!("Value::{kind}({})", meaning(it))));
    }
    rows.sort();
    rows.iter().map(|(name, rest)| format!("Opt {{ name: {name:?}, {rest} }}, ")).collect()
}

/// Each of these options with all its names, of which one is enough.
fn groups_of(verb: &Verb, options: &[String]) -> String {
    let all = verb.flags.iter().chain(&verb.texts).chain(verb.values.keys());
    let has = |names: &&String| names.split(' ').any(|name| options.iter().any(|it| it == name));
    let group = |names: &String| format!("&{:?}, ", names.split(' ').collect::<Vec<_>>());
    all.filter(has).map(group).collect()
}

fn effects(list: &[Effect]) -> String {
    list.iter().fold("Effects::NONE".to_owned(), |text, effect| {
        let field = match effect {
            Effect::Recursive => "RECURSIVE",
            Effect::Follow => "FOLLOW",
            Effect::Physical => "PHYSICAL",
            Effect::Along => "ALONG",
            Effect::Way => "WAY",
            Effect::ReplacesFirst => "REPLACES_FIRST",
        };
        format!("{text}.with(Effects::{field})")
    })
}

fn operands(operands: &Operands) -> String {
    let first: String = operands.first.iter().map(|it| format!("{}, ", meaning(it))).collect();
    let rest =
        operands.rest.as_ref().map_or("None".to_owned(), |it| format!("Some({})", meaning(it)));
    format!(
        "Operands {{ first: &[{first}], rest: {rest}, min: {}, otherwise: Otherwise::{:?}, \
         pair: {} }}",
        operands.min, operands.otherwise, operands.pair
    )
}

fn meaning(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Kind(Kind::Read) => "Meaning::Path { role: Role::Read, dash: true }".to_owned(),
        Meaning::Kind(Kind::ReadAlways) => {
            "Meaning::Path { role: Role::Read, dash: false }".to_owned()
        }
        Meaning::Kind(kind @ (Kind::List | Kind::Test)) => {
            format!("Meaning::Path {{ role: Role::{kind:?}, dash: false }}")
        }
        Meaning::Kind(kind) => format!("Meaning::{kind:?}"),
        Meaning::Of(Of::OneOf(words)) => format!("Meaning::OneOf(&{words:?})"),
        Meaning::Of(Of::ListOf(words)) => format!("Meaning::ListOf(&{words:?})"),
        Meaning::Of(Of::Begins(text)) => format!("Meaning::Begins({text:?})"),
        Meaning::Of(Of::Without(text)) => format!("Meaning::Without({text:?})"),
        Meaning::Of(Of::Chars(text)) => format!("Meaning::Chars({text:?})"),
    }
}
