//! What must hold of the catalogue: one entry per name, and no option that the tools do not have.

use crate::schema::{Family, Language, Parser, Search, Verb};
use crate::shape::{Arity, Shape, Shapes};
use std::collections::BTreeMap;

/// Everything that stands against these files.
pub fn all(
    families: &[(String, Family)],
    shapes: &Shapes,
    searches: &BTreeMap<String, Vec<Search>>,
) -> Vec<String> {
    let verbs = || families.iter().flat_map(|(_, family)| &family.verb);
    let declared: Vec<&String> = verbs().flat_map(|verb| &verb.names).collect();
    let mut complaints = Vec::new();
    let mut seen = BTreeMap::new();
    for (file, family) in families {
        for verb in &family.verb {
            let name = verb.names.first().map_or("a verb without a name", String::as_str);
            for name in &verb.names {
                if let Some(other) = seen.insert((name.clone(), verb.edits_as_well), file) {
                    complaints.push(format!("{file}: {name}: names: {other} declares it too"));
                }
            }
            let mut complain = |key: &str, what: String| {
                complaints.push(format!("{file}: {name}: {key}: {what}"));
            };
            if verb.names.is_empty() {
                complain("names", "there is none".to_owned());
            }
            if family.written_from.is_empty() {
                complain("written-from", "names no tool".to_owned());
            }
            if verb.class.is_none() {
                complain("class", "there is none".to_owned());
            }
            one(verb, shapes, &mut complain);
            seeks(verb, searches, &mut complain);
            subs(verb, &declared, searches, &mut complain);
        }
    }
    complaints
}

fn one(verb: &Verb, shapes: &Shapes, complain: &mut dyn FnMut(&str, String)) {
    if verb.allow.is_empty() {
        complain("allow", "there is no example".to_owned());
    }
    let declared = options(verb);
    if verb.language.is_some() {
        if !declared.is_empty() {
            complain("language", "a language declares no options".to_owned());
        }
        if verb.language != Some(Language::Words) && verb.ask.is_empty() {
            complain("ask", "there is no example".to_owned());
        }
        return;
    }
    if verb.ask.is_empty() {
        complain("ask", "there is no example".to_owned());
    }
    names(verb, &declared, complain);
    let tool = verb.shape.as_ref().or(verb.names.first()).map_or("", String::as_str);
    let (own, stand_in) = shapes.of(tool);
    match (own, &verb.by_hand) {
        (Some(shape), None) => {
            against(shape, tool, &declared, complain);
            if shape.permutes != (verb.parser == Parser::Permuting) {
                complain("parser", format!("{tool} reads its options otherwise"));
            }
        }
        (None, Some(_)) => {}
        (None, None) => complain("by-hand", format!("{tool} has no shape: say why")),
        (Some(_), Some(_)) => complain("by-hand", format!("{tool} has a shape")),
    }
    for (key, names, arity) in &declared {
        for name in names.split(' ').filter(|_| verb.by_hand.is_none()) {
            let other = stand_in.and_then(|shape| shape.option(name));
            if let Some((other, _)) = other.filter(|(other, _)| other != arity) {
                complain(key, format!("{name} of the {tool} of busybox {}", other.says()));
            }
        }
    }
}

/// Sub-commands: each has a name of its own, and options that are options.
fn subs(
    verb: &Verb,
    verbs: &[&String],
    searches: &BTreeMap<String, Vec<Search>>,
    complain: &mut dyn FnMut(&str, String),
) {
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
        if sub.like.as_ref().is_some_and(|like| !verbs.contains(&like)) {
            complain("like", format!("{:?} is no verb", sub.like));
        }
        names(sub, &options(sub), complain);
        seeks(sub, searches, complain);
        subs(sub, verbs, searches, complain);
    }
}

fn seeks(
    verb: &Verb,
    searches: &BTreeMap<String, Vec<Search>>,
    complain: &mut dyn FnMut(&str, String),
) {
    let all = verb.seeks.iter().chain(&verb.alone_seeks);
    for name in all.filter(|name| !searches.contains_key(*name)) {
        complain("seeks", format!("nothing says what {name} is"));
    }
}

/// All options: the key that declares them, their names, and how many words they take.
fn options(verb: &Verb) -> Vec<(&'static str, &str, Arity)> {
    let flags = verb.flags.iter().map(|names| ("flags", names.as_str(), Arity::Flag));
    let texts = verb.texts.iter().map(|names| ("texts", names.as_str(), Arity::Value));
    let values = verb.values.keys().map(|names| ("values", names.as_str(), Arity::Value));
    let optional = verb.optional.keys().map(|names| ("optional", names.as_str(), Arity::Optional));
    let attached = verb.attached.keys().map(|names| ("attached", names.as_str(), Arity::Optional));
    let free = verb.free.iter().map(|names| ("free", names.as_str(), Arity::Value));
    flags.chain(texts).chain(free).chain(values).chain(optional).chain(attached).collect()
}

/// Names are options, each declared once, and what is said of options is said of declared ones.
fn names(
    verb: &Verb,
    declared: &[(&'static str, &str, Arity)],
    complain: &mut dyn FnMut(&str, String),
) {
    let mut seen = Vec::new();
    for (key, names, _) in declared {
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

/// Every option is one that the tool has, takes as many words there, and is the same under all the
/// names that are given together.
fn against(
    shape: &Shape,
    tool: &str,
    declared: &[(&'static str, &str, Arity)],
    complain: &mut dyn FnMut(&str, String),
) {
    for (key, names, arity) in declared {
        for name in names.split(' ') {
            match shape.option(name) {
                None => complain(key, format!("{tool} has no option {name}")),
                Some((other, _)) if other != *arity => {
                    complain(key, format!("{name} of {tool} {}", other.says()));
                }
                Some((_, all)) => {
                    for other in all.split(' ').filter(|it| !names.split(' ').any(|n| n == *it)) {
                        complain(key, format!("{name} of {tool} is {other} too: declare both"));
                    }
                }
            }
        }
    }
}
