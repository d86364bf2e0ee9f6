//! What must hold of the catalogue: one entry per name, and no option that the tools do not have.

use crate::files::{Family, Search};
use crate::schema::{Language, Parser, Verb};
use crate::shape::{Shape, Shapes};
use crate::well_formed::{About, Arity, options, well_formed};
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
            let is_search = |name: &str| searches.contains_key(name);
            let is_verb = |name: &String| declared.contains(&name);
            let about = About { is_search: &is_search, is_verb: &is_verb };
            well_formed(verb, &about, &mut complain);
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
                complain(key, format!("{name} of the {tool} of busybox {}", says(other)));
            }
        }
    }
}

/// As a sentence about an option.
fn says(arity: Arity) -> &'static str {
    match arity {
        Arity::Flag => "takes no value",
        Arity::Value => "takes a value",
        Arity::Optional => "takes a value only if it is attached",
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
                    complain(key, format!("{name} of {tool} {}", says(other)));
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
