//! The checked catalogue → Rust.

use crate::files::Search;
use crate::schema::{Effect, Kind, Meaning, Of, Operands, Verb};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Tables sorted by name, over one static entry per verb; and all variables that change a verb.
pub fn tables<'a>(
    verbs: impl Iterator<Item = (&'a Verb, &'a [String])>,
    searches: &BTreeMap<String, Vec<Search>>,
) -> String {
    let mut text = String::from("// Generated from verbs/*.toml.\n");
    for (name, all) in searches {
        let all: String = all.iter().map(search).collect();
        let _ = writeln!(text, "const {}: &[Search] = &[{all}];", seek(name));
    }
    text += "pub(super) static SEARCHES: &[(&str, &[Search])] = &[";
    text +=
        &searches.keys().map(|name| format!("({name:?}, {}), ", seek(name))).collect::<String>();
    text += "];\n";
    let (mut names, mut governing) = (Vec::new(), BTreeSet::new());
    for (number, (verb, written_from)) in verbs.enumerate() {
        let _ = writeln!(text, "static ENTRY_{number}: Entry = {};", entry(verb, written_from));
        governing.extend(&verb.governed_by);
        names.extend(names_of(verb).into_iter().map(|name| (name, number)));
    }
    text += &governs(&governing);
    names.sort();
    text += "pub(super) static VERBS: &[Verb<'static>] = &[\n";
    for (name, number) in names {
        let _ = writeln!(text, "    Verb {{ name: {name:?}, entry: &ENTRY_{number} }},");
    }
    text + "];\n"
}

/// The variables that change a verb: whole names, beginnings of names, and names of settings, which
/// are taken in any case.
fn governs(names: &BTreeSet<&String>) -> String {
    let (settings, names): (Vec<&str>, Vec<&str>) = names
        .iter()
        .map(|name| name.as_str())
        .partition(|name| !name.bytes().any(|byte| byte.is_ascii_uppercase()));
    let (starts, whole): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| name.ends_with('*'));
    let starts: Vec<&str> = starts.into_iter().map(|name| name.trim_end_matches('*')).collect();
    let table = |name: &str, of: &[&str]| format!("pub(super) static {name}: &[&str] = &{of:?};\n");
    [
        table("GOVERNING", &whole),
        table("GOVERNING_STARTS", &starts),
        table("GOVERNING_SETTINGS", &settings),
    ]
    .concat()
}

/// The names of its entries. A form that edits has one of its own, in two words as that of a
/// sub-command, so that it is no program.
fn names_of(verb: &Verb) -> Vec<String> {
    let mut names = programs_of(verb);
    if verb.edits_as_well {
        names.iter_mut().for_each(|name| name.push_str(" +edit"));
    }
    names
}

/// Its names, with those under which it stands in `node_modules`.
fn programs_of(verb: &Verb) -> Vec<String> {
    let mut names = verb.names.clone();
    if verb.bin {
        for directory in ["node_modules/.bin", "./node_modules/.bin"] {
            names.extend(verb.names.iter().map(|name| format!("{directory}/{name}")));
        }
    }
    names
}

fn seek(name: &str) -> String {
    format!("SEEK_{}", name.replace('-', "_").to_uppercase())
}

fn search(search: &Search) -> String {
    let Search { first, all, until, here, links, below, within, parts, mentioned } = search;
    let files = [&first[..], all, until, here, links, below, within, parts, mentioned].concat();
    let ends = [&first[..], until].concat();
    let reaches = [
        (here, "Here"),
        (links, "Links"),
        (below, "Below"),
        (within, "Within"),
        (parts, "Parts"),
        (mentioned, "Mentioned"),
    ];
    let reach = reaches.iter().find(|(names, _)| !names.is_empty()).map_or("Above", |it| it.1);
    format!("Search {{ files: &{files:?}, ends: &{ends:?}, reach: SearchIn::{reach} }}, ")
}

/// Words.
fn texts(all: &(impl std::fmt::Debug + ?Sized)) -> String {
    format!("Texts::Shipped(&{all:?})")
}

/// What may be there.
fn perhaps(text: Option<String>) -> String {
    text.map_or("None".to_owned(), |text| format!("Some({text})"))
}

/// A list of what stands here between commas. Its items could be owned, and so are no constants:
/// only between braces do they live as long as the table.
fn list(items: &str) -> String {
    format!("List::Shipped {{ 0: &[{items}] }}")
}

fn entry(verb: &Verb, written_from: &[String]) -> String {
    let (mut allow, mut ask) = (Vec::new(), Vec::new());
    examples(verb, &mut allow, &mut ask);
    format!(
        "Entry {{ names: {}, class: Class::{:?}, grammar: {}, written_from: {}, silent: {}, \
         searches: {}, upward: {}, own_files: {}, rewrites: {}, governed_by: {}, allow: {}, \
         ask: {}, declared_in: None }}",
        texts(&programs_of(verb)),
        verb.class.expect("it is checked"),
        grammar(verb),
        texts(written_from),
        verb.silent,
        verb.searches,
        texts(&verb.upward),
        texts(&verb.own_files),
        perhaps(verb.rewrites.as_ref().map(texts)),
        texts(&verb.governed_by),
        texts(&allow),
        texts(&ask),
    )
}

/// The examples of a verb and of its sub-commands.
fn examples<'a>(verb: &'a Verb, allow: &mut Vec<&'a String>, ask: &mut Vec<&'a String>) {
    allow.extend(&verb.allow);
    ask.extend(&verb.ask);
    verb.sub.iter().for_each(|sub| examples(sub, allow, ask));
}

fn grammar(verb: &Verb) -> String {
    use crate::schema::Language;
    match verb.language {
        Some(Language::Words) => "Grammar::Words".to_owned(),
        Some(Language::Cd) => "Grammar::Cd".to_owned(),
        Some(language) => format!("Grammar::Language(Language::{language:?})"),
        None => format!("Grammar::Options {{ 0: {} }}", options(verb, &[])),
    }
}

/// Options and operands of a verb or a sub-command, which also has the options of these rows.
fn options(verb: &Verb, inherited: &[Row]) -> String {
    let mut rows = rows(verb);
    let own: Vec<String> = rows.iter().map(|(name, _)| name.clone()).collect();
    rows.extend(inherited.iter().filter(|(name, _)| !own.contains(name)).cloned());
    rows.sort();
    let shared = if verb.shared { &rows[..] } else { &[] };
    let sub = |sub: &Verb| {
        let Verb { names, script, .. } = sub;
        let (names, options) = (texts(names), options(sub, shared));
        format!("Sub {{ names: {names}, script: {script}, options: {options} }}, ")
    };
    let opt = |(name, rest): &Row| format!("Opt {{ name: Cow::Borrowed({name:?}), {rest} }}, ");
    format!(
        "Options {{ parser: Parser::{:?}, options: {}, always: {}, required: {}, digits: {}, \
         bare: {}, response_files: {}, alone: {}, alone_seeks: {}, operands: {}, subs: {}, \
         seeks: {} }}",
        verb.parser,
        list(&rows.iter().map(opt).collect::<String>()),
        effects(&verb.always),
        list(&groups_of(verb, &verb.required)),
        verb.digits,
        verb.bare,
        verb.response_files,
        texts(&verb.alone),
        list(&verb.alone_seeks.iter().map(|name| seek(name)).collect::<Vec<_>>().join(", ")),
        operands(&verb.operands),
        list(&verb.sub.iter().map(sub).collect::<String>()),
        list(&verb.seeks.iter().map(|name| seek(name)).collect::<Vec<_>>().join(", ")),
    )
}

/// The name of an option, and the rest of its entry.
type Row = (String, String);

/// One row per name.
fn rows(verb: &Verb) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |names: &str, value: String| {
        let has = |its: &[String]| names.split(' ').any(|name| its.iter().any(|it| it == name));
        let of = verb.effects.iter().filter(|(_, its)| has(its)).map(|(effect, _)| *effect);
        let effects = effects(&of.collect::<Vec<_>>());
        for name in names.split(' ') {
            let alone = verb.attached_only.iter().any(|it| it == name);
            let value = if alone { value.replacen("One", "Attached", 1) } else { value.clone() };
            rows.push((name.to_owned(), format!("value: {value}, effects: {effects}")));
        }
    };
    verb.flags.iter().for_each(|names| add(names, "Value::None".to_owned()));
    verb.texts.iter().for_each(|names| add(names, "Value::One(Meaning::Text)".to_owned()));
    verb.free.iter().for_each(|names| add(names, "Value::One(Meaning::Free)".to_owned()));
    let valued =
        [(&verb.values, "One"), (&verb.optional, "Optional"), (&verb.attached, "Attached")];
    for (options, kind) in valued {
        options
            .iter()
            .for_each(|(names, it)| add(names, format!("Value::{kind}({})", meaning(it))));
    }
    rows
}

/// Each of these options with all its names, of which one is enough.
fn groups_of(verb: &Verb, options: &[String]) -> String {
    let valued = verb.values.keys().chain(verb.optional.keys());
    let all = verb.flags.iter().chain(&verb.texts).chain(&verb.free).chain(valued);
    let has = |names: &&String| names.split(' ').any(|name| options.iter().any(|it| it == name));
    let group = |names: &String| texts(&names.split(' ').collect::<Vec<_>>()) + ", ";
    all.filter(has).map(group).collect()
}

fn effects(list: &[Effect]) -> String {
    list.iter().fold("Effects::NONE".to_owned(), |text, effect| {
        let field = match effect {
            Effect::Recursive => "RECURSIVE",
            Effect::Follow => "FOLLOW",
            Effect::Physical => "PHYSICAL",
            Effect::Along => "ALONG",
            Effect::Selects => "SELECTS",
            Effect::Way => "WAY",
            Effect::ReplacesFirst => "REPLACES_FIRST",
            Effect::Moves => "MOVES",
            Effect::Entries => "ENTRIES",
            Effect::Compares => "COMPARES",
            Effect::Bounded => "BOUNDED",
            Effect::Relative => "RELATIVE",
        };
        format!("{text}.with(Effects::{field})")
    })
}

fn operands(operands: &Operands) -> String {
    let first: String = operands.first.iter().map(|it| format!("{}, ", meaning(it))).collect();
    let rest =
        operands.rest.as_ref().map_or("None".to_owned(), |it| format!("Some({})", meaning(it)));
    format!(
        "Operands {{ first: {}, rest: {rest}, min: {}, otherwise: Otherwise::{:?}, \
         pair: {}, moves: {}, into: {} }}",
        list(&first),
        operands.min,
        operands.otherwise,
        operands.pair,
        operands.moves,
        operands.into
    )
}

fn meaning(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Kind(Kind::Read) => "Meaning::Path { role: Role::Read, dash: true }".to_owned(),
        Meaning::Kind(Kind::ReadAlways) => {
            "Meaning::Path { role: Role::Read, dash: false }".to_owned()
        }
        Meaning::Kind(Kind::Pathspec) => "Meaning::Pathspec(Role::Read)".to_owned(),
        Meaning::Kind(Kind::ListedPathspec) => "Meaning::Pathspec(Role::List)".to_owned(),
        Meaning::Kind(kind @ (Kind::List | Kind::Test)) => {
            format!("Meaning::Path {{ role: Role::{kind:?}, dash: false }}")
        }
        Meaning::Kind(Kind::Build) => "Meaning::Path { role: Role::Build, dash: true }".to_owned(),
        Meaning::Kind(kind) => format!("Meaning::{kind:?}"),
        Meaning::Of(Of::OneOf(words)) => format!("Meaning::OneOf({})", texts(words)),
        Meaning::Of(Of::ListOf(words)) => format!("Meaning::ListOf({})", texts(words)),
        Meaning::Of(Of::Begins(text)) => format!("Meaning::Begins(Cow::Borrowed({text:?}))"),
        Meaning::Of(Of::Except(words)) => format!("Meaning::Except({})", texts(words)),
        Meaning::Of(Of::Script(words)) => format!("Meaning::Script({})", texts(words)),
        Meaning::Of(Of::LastOf(words)) => format!("Meaning::LastOf({})", texts(words)),
        Meaning::Of(Of::Without(text)) => format!("Meaning::Without(Cow::Borrowed({text:?}))"),
        Meaning::Of(Of::Chars(text)) => format!("Meaning::Chars(Cow::Borrowed({text:?}))"),
    }
}
