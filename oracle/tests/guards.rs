//! The strawmen: each is wrong in its own way, on a line that the shipped guard refuses, and real
//! shells show it.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use Strawman::{
    AllowEverything, AnySegment, CdAllowed, CdAlwaysSucceeds, LexicalOnly, StringPrefix,
};
use common::{case, engine, shells};
use shfence_corpus::{Case, Decision, FindingKind, Node};
use shfence_generators::{Settings, generate};
use shfence_oracle::guards::{Guard, GuardName, Linked, Strawman};
use shfence_oracle::judge::{Judgement, judge};
use std::collections::BTreeMap;

/// Lines that escape the tree in every shell, and exactly the strawmen that allow them.
const TRAPS: &[(&str, &[Strawman])] = &[
    ("mv x /case/outside/x", &[AllowEverything]),
    ("cat x; cat /case/outside/secret", &[AllowEverything, AnySegment]),
    ("cat ../outside/secret", &[AllowEverything, StringPrefix]),
    ("cat leak", &[AllowEverything, StringPrefix, LexicalOnly]),
    ("cd out; ls -a ..", &[AllowEverything, LexicalOnly]),
    ("cd ..; cat outside/secret", &[AllowEverything, CdAllowed]),
    (
        "cd nosuch; cat ../outside/secret",
        &[AllowEverything, AnySegment, StringPrefix, CdAlwaysSucceeds],
    ),
];

#[test]
fn each_trap_is_allowed_by_its_strawmen_only() {
    for (line, fooled) in TRAPS {
        let linked = Linked.predict(&case(line)).unwrap();
        assert_ne!(linked.decision, Decision::Allow, "linked: {line}");
        let allowing: Vec<Strawman> = Strawman::ALL
            .into_iter()
            .filter(|guard| guard.predict(&case(line)).unwrap().decision == Decision::Allow)
            .collect();
        assert_eq!(allowing, *fooled, "{line}");
    }
    for strawman in Strawman::ALL {
        assert!(TRAPS.iter().any(|(_, fooled)| fooled.contains(&strawman)), "{strawman:?}");
    }
}

#[test]
fn each_trap_escapes_in_every_shell() {
    let mut engine = engine();
    for shell in shells() {
        for (line, fooled) in TRAPS {
            let trace = engine.run(&case(line), &shell).unwrap();
            for strawman in *fooled {
                let prediction = strawman.predict(&case(line)).unwrap();
                let Judgement::Contradicted(found) = judge(&prediction, &trace) else {
                    panic!("{}: {strawman:?} is right about '{line}': {trace:#?}", shell.id.name);
                };
                let escapes = found.iter().any(|it| it.kind == FindingKind::TreeEscape);
                assert!(escapes, "{}: {strawman:?}: {line}: {found:#?}", shell.id.name);
            }
            let refused = Linked.predict(&case(line)).unwrap();
            assert_eq!(judge(&refused, &trace), Judgement::Agree);
        }
    }
}

/// A wrong belief cuts both ways: it may make a strawman refuse what the shipped guard allows. But
/// where it does not bear, the two must be one and the same guard.
#[test]
fn a_strawman_is_the_shipped_guard_wherever_its_one_fault_does_not_bear() {
    let settings = Settings::default();
    let mut compared: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for index in 0..3_000 {
        let case = generate(7, index, &settings).case;
        let linked = Linked.predict(&case).unwrap();
        for strawman in Strawman::ALL {
            let said = strawman.predict(&case).unwrap();
            let line = &case.line;
            if matches!(strawman, AllowEverything | AnySegment) {
                let stricter = said.decision > linked.decision;
                assert!(!stricter, "{strawman:?}: 7:{index} {line}: {said:?}");
            }
            if bears(strawman, &case) {
                continue;
            }
            assert_eq!(said.decision, linked.decision, "{strawman:?}: 7:{index} {line}");
            assert_eq!(said.plan, linked.plan, "{strawman:?}: 7:{index} {line}");
            let allowed = linked.decision == Decision::Allow;
            compared.entry(strawman.short_name()).or_default()[usize::from(allowed)] += 1;
        }
    }
    assert_eq!(compared.len(), Strawman::ALL.len() - 1, "all but the one that allows everything");
    let enough = compared.values().all(|counts| counts.iter().all(|count| *count >= 20));
    assert!(enough, "too few were compared (refused, allowed): {compared:?}");
}

/// Can the strawman's fault make a difference to this case?
fn bears(strawman: Strawman, case: &Case) -> bool {
    // As it is once the shell has taken the quotes away.
    let bare: Vec<u8> = case.line.iter().copied().filter(|byte| !b"'\"\\".contains(byte)).collect();
    let bare = String::from_utf8_lossy(&bare);
    let links = case.tree.entries().any(|(_, node)| matches!(node, Node::Link { .. }));
    match strawman {
        AllowEverything => true,
        AnySegment => bare.contains([';', '&', '|', '\n', '(', '{']),
        StringPrefix => links || bare.contains("..") || bare.contains("proj-evil"),
        LexicalOnly => links,
        CdAllowed | CdAlwaysSucceeds => bare.contains("cd"),
    }
}

#[test]
fn names_lead_back_to_their_guards() {
    for strawman in Strawman::ALL {
        let name: GuardName = strawman.name().parse().unwrap();
        assert_eq!(name, GuardName::Strawman(strawman));
        assert_eq!(name.guard().name(), strawman.name());
        assert!(name.is_strawman());
    }
    assert_eq!("linked".parse(), Ok(GuardName::Linked));
    for unknown in ["", "Linked", "strawman:", "strawman:linked", "any-segment"] {
        let error = unknown.parse::<GuardName>().unwrap_err();
        assert!(error.contains("expected"), "{error}");
    }
}

/// A campaign of refusals proves nothing: the generators must aim at what the guard allows.
#[test]
fn at_least_three_in_ten_generated_cases_are_allowed() {
    let mut by_family: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    for index in 0..2_000 {
        let generated = generate(0, index, &Settings::default());
        let prediction = Linked.predict(&generated.case).expect("the guard answers");
        let allowed = prediction.decision == Decision::Allow;
        by_family.entry(generated.family.name()).or_default()[usize::from(allowed)] += 1;
    }
    let share = |[refused, allowed]: [u32; 2]| 100 * allowed / (refused + allowed);
    let all = by_family.values().fold([0, 0], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    assert!(share(all) >= 30, "allowed: {} %, {by_family:?}", share(all));
    // Each family, but those that are about what the guard does not understand, what it must
    // refuse, and a tool that it does not know.
    const REFUSED: [&str; 3] = ["expansion", "system", "repository"];
    let poor = by_family.iter().filter(|(name, it)| !REFUSED.contains(name) && share(**it) < 30);
    assert_eq!(poor.collect::<Vec<_>>(), [], "{by_family:?}");
}
