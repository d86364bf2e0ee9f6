//! The ambient class that is not in the table: a climb of zsh.

use super::*;

/// What zsh does for `pwd -P` in `/case/proj/src`, as measured.
fn climb_to_the_top() -> Vec<Touch> {
    use TouchKind::{Enter, List, Test};
    let given = [
        (Test, ".", "/case/proj/src"),
        (Test, "..", "/case/proj"),
        (List, "..", "/case/proj"),
        (Test, "../other", "/case/proj/other"),
        (Test, "../src", "/case/proj/src"),
        (Enter, "..", "/case/proj"),
        (Test, "..", "/case"),
        (List, "..", "/case"),
        (Test, "../outside", "/case/outside"),
        (Test, "../proj", "/case/proj"),
        (Enter, "..", "/case"),
        (Test, "..", "/"),
        (List, "..", "/"),
        (Test, "../case", "/case"),
        (Enter, "..", "/"),
        (Test, "..", "/"),
        (Test, "/", "/"),
        (Enter, "/case/proj/src", "/case/proj/src"),
    ];
    given.into_iter().map(|(kind, text, resolved)| as_given(kind, text, resolved)).collect()
}

fn climbed(trace: &Trace) -> bool {
    let none = found(&allowed(), trace).is_empty();
    let counted = ambient(trace);
    assert_eq!(none, counted.contains_key("climb"), "what is ambient is counted: {counted:?}");
    none
}

#[test]
fn a_whole_climb_of_zsh_is_no_touch() {
    let climb = climb_to_the_top();
    let trace = in_zsh(&climb);
    assert!(climbed(&trace));
    assert_eq!(ambient(&trace).into_iter().collect::<Vec<_>>(), [("climb", climb.len() as u64)]);
    assert_eq!(judge(&planned(Vec::new()), &trace), Judgement::Agree, "nor a move");
    assert!(was_harmless(&trace, &|_| true));
    // With other processes in between, and twice.
    let mixed: Vec<Touch> = climb
        .iter()
        .cloned()
        .flat_map(|it| [it, by(2, touch(TouchKind::Read, "/case/proj/a"))])
        .collect();
    assert!(climbed(&in_zsh(&mixed)));
    assert!(climbed(&in_zsh(&[climb.clone(), climb].concat())));
}

#[test]
fn what_is_not_a_whole_climb_is_judged() {
    let climb = climb_to_the_top();
    let is_name = |touch: &Touch| touch.text.starts_with(b"../");
    for at in 0..climb.len() {
        let mut without = climb.clone();
        let gone = without.remove(at);
        assert_eq!(climbed(&in_zsh(&without)), is_name(&gone), "without {gone:?}");
        let mut other = climb.clone();
        other[at].text = "elsewhere".into();
        let returns = at + 1 == climb.len();
        assert_eq!(climbed(&in_zsh(&other)), returns, "not {:?}", climb[at].text);
    }
    // It does not reach the top.
    let half = [&climb[..11], &climb[15..]].concat();
    assert!(!climbed(&in_zsh(&half)));
    // It returns to another directory.
    let mut astray = climb.clone();
    astray.last_mut().expect("a climb").resolved = "/case/proj".into();
    assert!(!climbed(&in_zsh(&astray)));
    // It only looks whether it could return.
    let mut looks = climb.clone();
    looks.last_mut().expect("a climb").kind = TouchKind::Test;
    assert!(!climbed(&in_zsh(&looks)));
    // There is nothing to climb.
    let given = [(TouchKind::Test, "."), (TouchKind::Test, ".."), (TouchKind::Test, "/")];
    let looks = given.into_iter().chain([(TouchKind::Enter, "/")]);
    let at_the_top: Vec<Touch> = looks.map(|(kind, text)| as_given(kind, text, "/")).collect();
    assert!(!climbed(&in_zsh(&at_the_top)));
    // It is cut off after it has listed an ancestor.
    for end in 8..climb.len() {
        assert!(!climbed(&in_zsh(&climb[..end])), "{end}");
    }
    assert!(!climbed(&trace_of(&climb, &[])), "bash does not climb");
    let program = [&[touch(TouchKind::Exec, "/usr/bin/env")][..], &climb].concat();
    assert!(!climbed(&in_zsh(&program)), "only shells do");
}

#[test]
fn a_climb_excuses_nothing_beside_it() {
    let climb = climb_to_the_top();
    let listed = [as_given(TouchKind::List, "..", "/case")];
    for touches in [[&climb[..], &listed].concat(), [&listed[..], &climb].concat()] {
        let seen = found(&allowed(), &in_zsh(&touches));
        assert_eq!(seen, [(FindingKind::TreeEscape, TouchKind::List, "/case".to_owned())]);
    }
}
