//! Shells say what the observers cannot see: commands that touch nothing.

#![allow(clippy::unwrap_used, reason = "a test's helpers panic as the test itself does")]

mod common;

use common::{case, engine, shells};
use shfence_corpus::Text;
use shfence_oracle::commands::{Said, commands};

#[test]
fn every_simple_command_is_said_with_its_directory() {
    let mut engine = engine();
    let line = "A=1; echo \"$A\" b; cd src; export A; (cd ../out; : $A; cat secret); \
                if cd nowhere; then echo no; else umask 022; fi";
    let expected = [
        ("/case/proj", "echo 1 b"),
        ("/case/proj", "cd src"),
        ("/case/proj/src", "export A"),
        ("/case/proj/src", "cd ../out"),
        ("/case/proj/out", ": 1"),
        ("/case/proj/out", "cat secret"),
        ("/case/proj/src", "cd nowhere"),
        ("/case/proj/src", "umask 022"),
    ];
    for shell in shells() {
        let said = commands(&mut engine, &case(line), &shell).unwrap();
        for (cwd, words) in expected {
            let one = Said { cwd: cwd.into(), words: words.into() };
            let times = said.iter().filter(|it| **it == one).count();
            assert_eq!(times, 1, "{}: {one:?} in {said:#?}", shell.id.name);
        }
        let not_run = said.iter().any(|it| it.words == Text::from("echo no"));
        assert!(!not_run, "{}: {said:#?}", shell.id.name);
    }
}

/// The option changes what is said, and nothing of what is done.
#[test]
fn a_line_does_the_same_when_it_is_said() {
    let mut engine = engine();
    for shell in shells() {
        let case = case("cd out && echo a > said; [ -e said ] && echo $?; exit 3");
        let plain = engine.run(&case, &shell).unwrap();
        assert_eq!(plain.output, Text::from("0\n"), "{}", shell.id.name);
        let said = commands(&mut engine, &case, &shell).unwrap();
        assert_eq!(said.last().map(|it| &it.words), Some(&Text::from("exit 3")));
    }
}
