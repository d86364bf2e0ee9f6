//! Sub-commands that are other verbs.

use crate::schema::{Family, Verb};

/// Puts in place of each `like` what that verb declares.
pub fn resolve(families: &mut [(String, Family)]) {
    let verbs: Vec<Verb> = families.iter().flat_map(|(_, family)| family.verb.clone()).collect();
    let all = families.iter_mut().flat_map(|(_, family)| &mut family.verb);
    all.for_each(|verb| inside(verb, &verbs));
}

fn inside(verb: &mut Verb, verbs: &[Verb]) {
    for sub in &mut verb.sub {
        let like = |it: &&Verb| it.names.iter().any(|name| Some(name) == sub.like.as_ref());
        if let Some(other) = verbs.iter().find(like) {
            let (names, empty) = (std::mem::take(&mut sub.names), Vec::new());
            *sub = Verb { names, allow: empty.clone(), ask: empty, ..other.clone() };
        }
        inside(sub, verbs);
    }
}
