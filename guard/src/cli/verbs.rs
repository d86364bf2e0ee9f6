//! `shfence verbs`: the catalogue, for people.

use super::configuration::{self, Places};
use super::{Exit, rules::project};
use clap::Args;
use shfence::verbs::{
    self, Class, Declared, Grammar, Meaning, Opt, Options, Otherwise, Value, Verb,
};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Shows the declared verbs, or what is declared of one.
#[derive(Args)]
pub struct Verbs {
    /// The verb, or one of its sub-commands
    #[arg(value_name = "TOOL")]
    name: Vec<String>,
}

impl Verbs {
    pub fn run(&self) -> ExitCode {
        let name = self.name.join(" ");
        // What is declared here beside the shipped ones.
        let own = match project(None) {
            Ok(root) => configuration::load(&Places::of_environment(), &[root]).policy.verbs,
            Err(_) => Declared::default(),
        };
        let shipped = verbs::all().iter().find(|verb| verb.name == name).copied();
        let text = match shipped.or_else(|| own.find(name.as_bytes())) {
            _ if name.is_empty() => names() + &own_names(&own),
            Some(verb) => described(&verb),
            None => {
                eprintln!(
                    "shfence: '{name}' is not among the declared verbs: it is always a question"
                );
                return Exit::Ask.into();
            }
        };
        print!("{text}");
        Exit::Allow.into()
    }
}

/// All names, by class.
fn names() -> String {
    let mut text = String::new();
    for (class, title) in [(Class::Read, "read"), (Class::Build, "build"), (Class::Edit, "edit")] {
        // Sub-commands stand with what they are of, and tools of a project go by the path there,
        // too: once is enough.
        let once = |name: &str| !name.contains(' ') && !name.contains("/.bin/");
        let of_class = |verb: &&Verb<'_>| verb.entry.class == class && once(verb.name);
        let names: Vec<&str> = verbs::all().iter().filter(of_class).map(|verb| verb.name).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{title}:\n{}", filled(&names));
        }
    }
    text
}

/// The names that the configuration declares.
fn own_names(own: &Declared) -> String {
    let mut names: Vec<&str> = own.all().map(|verb| verb.name).collect();
    names.retain(|name| !name.contains('/'));
    names.sort_unstable();
    if names.is_empty() { String::new() } else { format!("your own:\n{}\n", filled(&names)) }
}

/// What is declared of one verb.
fn described(verb: &Verb<'_>) -> String {
    let entry = verb.entry;
    let class = match entry.class {
        Class::Read => "read",
        Class::Build => "build",
        Class::Edit => "edit",
    };
    let when = if verb.name.ends_with(" +edit") { ", only in the profile edit" } else { "" };
    let mut text = format!("{} (class {class}{when})\n", entry.names.join(", "));
    match &entry.declared_in {
        Some(place) => text += &format!("  declared in   {place}\n"),
        None => text += &format!("  written from  {}\n", entry.written_from.join(", ")),
    }
    if !entry.governed_by.is_empty() {
        let _ = writeln!(text, "  asks if set   {}", entry.governed_by.join(", "));
    }
    match &entry.grammar {
        Grammar::Words => text += "  words         any: none of them names anything\n",
        Grammar::Cd => text += "  words         a directory, which is followed\n",
        Grammar::Language(_) => text += "  words         a language of its own\n",
        Grammar::Options(options) => grammar(&mut text, options),
    }
    let of_it = |name: &'static str| name.strip_prefix(verb.name)?.strip_prefix(' ');
    let subs = verbs::all().iter().filter_map(|other| of_it(other.name));
    let subs: Vec<&str> = subs.filter(|sub| *sub != "+edit").collect();
    for (number, sub) in subs.iter().enumerate() {
        let title = if number == 0 { "sub-commands" } else { "" };
        let _ = writeln!(text, "  {title:<13} {sub}");
    }
    for (title, examples) in [("for example", &entry.allow), ("but not", &entry.ask)] {
        for (number, example) in examples.iter().enumerate() {
            let title = if number == 0 { title } else { "" };
            let _ = writeln!(text, "  {title:<13} {example}");
        }
    }
    let form = format!("{} +edit", verb.name);
    if let Some(form) = verbs::all().iter().find(|it| it.name == form) {
        text += &described(form);
    }
    text
}

fn grammar(text: &mut String, options: &Options) {
    own_grammar(text, options);
    for sub in options.subs.iter() {
        let mut below = String::new();
        grammar(&mut below, &sub.options);
        let _ = writeln!(text, "  {:<13} {}", "then", sub.names.join("|"));
        below.lines().for_each(|line| *text += &format!("  {line}\n"));
    }
}

fn own_grammar(text: &mut String, options: &Options) {
    for (number, option) in options.options.iter().enumerate() {
        let title = if number == 0 { "options" } else { "" };
        let _ = writeln!(text, "  {title:<13} {}", described_option(option));
    }
    if options.digits {
        let _ = writeln!(text, "  {:<13} -5", "");
    }
    let operands = &options.operands;
    let first = operands.first.iter().map(what);
    let rest = operands.rest.as_ref().map(|meaning| format!("{} …", what(meaning)));
    let mut all: Vec<String> = first.chain(rest).collect();
    match operands.otherwise {
        Otherwise::Nothing if all.is_empty() => all.push("none".to_owned()),
        Otherwise::Nothing => {}
        Otherwise::Stdin => all.push("(or standard input)".to_owned()),
        Otherwise::Here => all.push("(or the working directory)".to_owned()),
        Otherwise::HereOrStdin => {
            all.push("(or standard input, the working directory if it goes down)".to_owned());
        }
    }
    let _ = writeln!(text, "  {:<13} {}", "operands", all.join(" "));
}

fn described_option(option: &Opt) -> String {
    let long = option.name.starts_with("--");
    let equals = if long { "=" } else { " " };
    match &option.value {
        Value::None => option.name.to_string(),
        Value::One(meaning) => format!("{}{equals}{}", option.name, what(meaning)),
        Value::Optional(meaning) => {
            format!("{}[{}{}]", option.name, equals.trim(), what(meaning))
        }
        Value::Attached(meaning) => format!("{}{}{}", option.name, equals.trim(), what(meaning)),
    }
}

/// A value or an operand, as it is called in a synopsis.
fn what(meaning: &Meaning) -> String {
    use shfence::Role;
    match meaning {
        Meaning::Text => "TEXT".to_owned(),
        Meaning::Number => "NUMBER".to_owned(),
        Meaning::Name => "NAME".to_owned(),
        Meaning::Variable => "VARIABLE".to_owned(),
        Meaning::Command => "COMMAND".to_owned(),
        Meaning::Run => "COMMAND ARGUMENT...".to_owned(),
        Meaning::RunBin => "TOOL ARGUMENT...".to_owned(),
        Meaning::Free | Meaning::Goal => "TEXT-OR-PATH".to_owned(),
        Meaning::Config => "FILE".to_owned(),
        Meaning::Report => "KIND[:FILE]".to_owned(),
        Meaning::LastOf(words) => format!("[NAME:]{}", words.join("|")),
        Meaning::Script(words) => format!("SCRIPT(but {})", words.join(",")),
        Meaning::Except(words) => format!("WORD(but {})", words.join(",")),
        Meaning::Selection => "PATTERN".to_owned(),
        Meaning::SedScript => "SCRIPT".to_owned(),
        Meaning::Suffix => "SUFFIX".to_owned(),
        Meaning::GitFormat | Meaning::StatFormat => "FORMAT".to_owned(),
        Meaning::LineRange => "LINES:PATH".to_owned(),
        Meaning::Revision => "REVISION".to_owned(),
        Meaning::Pathspec(_) => "REVISION-OR-PATH".to_owned(),
        Meaning::OneOf(words) => words.join("|"),
        Meaning::ListOf(words) => format!("LIST({})", words.join(",")),
        Meaning::Begins(start) => format!("{start}TEXT"),
        Meaning::Without(part) => format!("TEXT(without {part})"),
        Meaning::Chars(set) => format!("TEXT(of {set})"),
        Meaning::Write | Meaning::Rewrite | Meaning::Make | Meaning::Into | Meaning::Remove => {
            "WRITTEN-PATH".to_owned()
        }
        Meaning::Referent => "RELATIVE-PATH".to_owned(),
        Meaning::Path { role: Role::List, .. } => "LISTED-PATH".to_owned(),
        Meaning::Path { role: Role::Test, .. } => "TESTED-PATH".to_owned(),
        Meaning::Path { role: Role::Read, .. } => "FILE".to_owned(),
        Meaning::Path { role: Role::Build, .. } => "WRITTEN-PATH".to_owned(),
        Meaning::Path { .. } => "PATH".to_owned(),
    }
}

/// Names, as many on a line as there is room for.
fn filled(names: &[&str]) -> String {
    let mut lines = vec![String::from(" ")];
    for name in names {
        let last = lines.last().map_or(0, String::len);
        if last + 1 + name.len() > 78 {
            lines.push(String::from(" "));
        }
        if let Some(line) = lines.last_mut() {
            *line += " ";
            *line += name;
        }
    }
    lines.join("\n")
}
