//! What must hold of an entry in the catalogue's language, wherever it stands.

use super::schema::{Parser, Verb};

/// What an entry may name.
pub struct About<'a> {
    /// Is this the name of a list of files that tools look for?
    pub is_search: &'a dyn Fn(&str) -> bool,
    /// Is this a verb?
    pub is_verb: &'a dyn Fn(&String) -> bool,
}

/// Complains of every key that says what it cannot say.
pub fn well_formed(verb: &Verb, about: &About<'_>, complain: &mut dyn FnMut(&str, String)) {
    names(verb, complain);
    seeks(verb, about, complain);
    subs(verb, about, complain);
}

/// How many words an option takes besides itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    Flag,
    Value,
    Optional,
}

/// Sub-commands: each has a name of its own, and options that are options.
fn subs(verb: &Verb, about: &About<'_>, complain: &mut dyn FnMut(&str, String)) {
    let mut seen = Vec::new();
    for sub in &verb.sub {
        if sub.names.is_empty() {
            complain("sub", "one has no name".to_owned());
        }
        for name in &sub.names {
            if seen.contains(&name) {
                complain("sub", format!("{name} is declared twice"));
            }
            seen.push(name);
        }
        if sub.class.is_some() || sub.language.is_some() || sub.bin {
            complain("sub", format!("{:?} says what only a verb can be", sub.names));
        }
        if sub.like.as_ref().is_some_and(|like| !(about.is_verb)(like)) {
            complain("like", format!("{:?} is no verb", sub.like));
        }
        names(sub, complain);
        seeks(sub, about, complain);
        subs(sub, about, complain);
    }
}

/// What it looks for is said somewhere.
fn seeks(verb: &Verb, about: &About<'_>, complain: &mut dyn FnMut(&str, String)) {
    let all = verb.seeks.iter().chain(&verb.alone_seeks);
    for name in all.filter(|name| !(about.is_search)(name)) {
        complain("seeks", format!("nothing says what {name} is"));
    }
}

/// All options: the key that declares them, their names, and how many words they take.
pub fn options(verb: &Verb) -> Vec<(&'static str, &str, Arity)> {
    let flags = verb.flags.iter().map(|names| ("flags", names.as_str(), Arity::Flag));
    let texts = verb.texts.iter().map(|names| ("texts", names.as_str(), Arity::Value));
    let values = verb.values.keys().map(|names| ("values", names.as_str(), Arity::Value));
    let optional = verb.optional.keys().map(|names| ("optional", names.as_str(), Arity::Optional));
    let attached = verb.attached.keys().map(|names| ("attached", names.as_str(), Arity::Optional));
    let free = verb.free.iter().map(|names| ("free", names.as_str(), Arity::Value));
    flags.chain(texts).chain(free).chain(values).chain(optional).chain(attached).collect()
}

/// Names are options, each declared once, and what is said of options is said of declared ones.
fn names(verb: &Verb, complain: &mut dyn FnMut(&str, String)) {
    let mut seen = Vec::new();
    for (key, names, _) in options(verb) {
        for name in names.split(' ') {
            let single = matches!(verb.parser, Parser::Single | Parser::Words | Parser::Flags);
            let short = name.len() == 2 || single;
            let is_option = match name.strip_prefix("--") {
                Some(long) => !long.is_empty(),
                None => name.len() > 1 && name.starts_with('-') && short,
            };
            if !is_option || name.contains('=') {
                complain(key, format!("{name:?} is no option"));
            }
            if seen.contains(&name) {
                complain(key, format!("{name} is declared twice"));
            }
            seen.push(name);
        }
    }
    let of_effects = verb.effects.values().flatten().map(|name| ("effects", name));
    let required = verb.required.iter().map(|name| ("required", name));
    let attached = verb.attached_only.iter().map(|name| ("attached-only", name));
    for (key, name) in of_effects.chain(required).chain(attached) {
        if !seen.contains(&name.as_str()) {
            complain(key, format!("{name} is not declared"));
        }
    }
    for name in verb.governed_by.iter().filter(|it| **it == it.to_ascii_lowercase()) {
        if name.ends_with('*') {
            complain("governed-by", format!("{name} is not for names in whatever case"));
        }
    }
}
