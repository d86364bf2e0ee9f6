//! Sub-commands that are other verbs.

use crate::files::Family;
use crate::schema::Verb;

/// Puts in place of each `like` what that verb declares.
pub fn resolve(families: &mut [(String, Family)]) {
    let verbs: Vec<Verb> = families.iter().flat_map(|(_, family)| family.verb.clone()).collect();
    let all = families.iter_mut().flat_map(|(_, family)| &mut family.verb);
    all.for_each(|verb| {
        inside(verb, &verbs, verb.edits_as_well);
        let mut names = Vec::new();
        verb.sub.iter().for_each(|sub| governing(sub, &mut names));
        names.retain(|name| !verb.governed_by.contains(name));
        verb.governed_by.append(&mut names);
    });
}

/// The variables that change what a sub-command does, or one of its own.
fn governing(sub: &Verb, names: &mut Vec<String>) {
    let new: Vec<String> =
        sub.governed_by.iter().filter(|name| !names.contains(name)).cloned().collect();
    names.extend(new);
    sub.sub.iter().for_each(|sub| governing(sub, names));
}

/// In a form that edits it is the form of the other verb that does.
fn inside(verb: &mut Verb, verbs: &[Verb], edits: bool) {
    for sub in &mut verb.sub {
        let named = |it: &Verb| it.names.iter().any(|name| Some(name) == sub.like.as_ref());
        let like = |it: &&Verb| it.edits_as_well == edits && named(it);
        if let Some(other) = verbs.iter().find(like) {
            let (names, empty) = (std::mem::take(&mut sub.names), Vec::new());
            *sub = Verb { names, allow: empty.clone(), ask: empty, ..other.clone() };
        }
        inside(sub, verbs, edits);
    }
}
