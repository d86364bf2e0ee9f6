//! What is read only where every shell that may run a line reads it so.

use shfence::{
    Cwd, Decision, Dialects, Env, Invocation, Limits, MemoryView, Policy, Request, Scope,
};
use shfence::{Verdict, decide};
use std::path::Path;

fn judge(line: &str, shells: &str) -> Verdict {
    let mut view = MemoryView::default();
    view.file("/p/src/a", "").file("/p/f", "").file("/etc/passwd", "").link("/p/out", "/etc");
    let scope = Scope::new(&["/p".into()], &view).expect("the project has a root");
    let dialects: Dialects = shells.parse().expect("these are shells");
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
        scope: &scope,
        home: None,
        env: &Env::new(),
        dialects,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    decide(&request, &view)
}

fn allows(line: &str, shells: &str) -> bool {
    judge(line, shells).decision == Decision::Allow
}

/// Allowed where no shell is a `sh`, and only there.
const WITHOUT_SH: &[&str] = &[
    "[[ -f f ]] && cat f",
    "[[ -f f && ( -d src || ! -e nosuch ) ]] || ls",
    "if [[ \"$x\" =~ ^[0-9]+(\\.[0-9]+)?$ ]]; then echo \"$x\"; fi",
    "[[ $x == *.rs ]] && echo yes",
    "[[ $? -eq 0 ]] && ls",
    "ls |& grep f",
    "diff <(sort f) <(sort src/a)",
    "grep -f <(ls) f",
    "while read -r x; do echo \"$x\"; done < <(ls src)",
    "echo $'it\\'s' $'\\e[0m'",
];

/// Asked about whatever the shells.
const ASKED: &[&str] = &[
    "[[ -f /etc/passwd ]]",
    "[[ -f out/passwd ]]",
    "[[ $x -eq 1 ]]",
    "[[ 1 -lt $x ]]",
    "[[ 08 -eq 8 ]]",
    "[[ -v 'a[$(ls)]' ]]",
    "[[ -n $(cat /etc/passwd) ]]",
    "[[ a == $(rm f) ]]",
    "[[ a || b ]] > /etc/f",
    "cat /etc/passwd |& head",
    "cat <(cat /etc/passwd)",
    "cat <(curl x)",
    "bash <(echo ls)",
    "make -f <(echo x)",
    "diff src <(ls)",
    "cat /dev/fd/63 <(ls)",
    "cd <(ls)",
    "cat < <(cat /etc/passwd)",
    "cat $'/etc/passwd'",
    "cat $'..'/x",
    "echo $'a\\0'",
    "[ ${PIPESTATUS[x]} -eq 0 ]",
    "cat ${PIPESTATUS[0]}",
];

/// Allowed for all shells: each of them reads one of several harmless things.
const EVERYWHERE: &[&str] = &[
    "cut -d$'\\t' -f1 f",
    "tr -d $'\\r' < f",
    "cat $'f'",
    "ls | cat; echo \"ls: ${PIPESTATUS[0]}\"",
    "ls | cat; [ ${PIPESTATUS[0]} -eq 0 ] && ls",
    "ls | cat; [ \"${PIPESTATUS[0]}\" -eq 0 ] || exit ${PIPESTATUS[0]}",
];

#[test]
fn what_sh_lacks_is_read_without_it() {
    for line in WITHOUT_SH {
        for shells in ["bash,zsh", "bash", "zsh"] {
            let verdict = judge(line, shells);
            assert_eq!(verdict.decision, Decision::Allow, "{line:?}, {shells}: {verdict:?}");
        }
        for shells in ["bash,sh,zsh", "sh", "bash,sh"] {
            assert!(!allows(line, shells), "{line:?}, {shells}");
        }
    }
}

#[test]
fn what_reaches_out_asks_in_every_set() {
    for line in ASKED {
        for shells in ["bash,sh,zsh", "bash,zsh", "bash", "zsh", "sh"] {
            assert!(!allows(line, shells), "{line:?}, {shells}");
        }
    }
}

#[test]
fn what_is_harmless_in_each_reading_is_allowed_for_all() {
    for line in EVERYWHERE {
        for shells in ["bash,sh,zsh", "bash,zsh", "bash", "zsh", "sh"] {
            let verdict = judge(line, shells);
            assert_eq!(verdict.decision, Decision::Allow, "{line:?}, {shells}: {verdict:?}");
        }
    }
}

/// What a group opens, or a loop looks at, no command carries where there is none.
#[test]
fn what_is_opened_where_no_command_runs_is_not_understood() {
    let lines = [
        "(x=1) >../f",
        "{ x=1; } >f",
        "if x=1; then y=2; fi <../f",
        "for x in a b; do y=1; done >../f",
        "for x in ../*; do y=1; done",
        "for x in $z; do y=1; done",
        "ls; case a in *) x=1;; esac >>../f",
    ];
    for line in lines {
        let verdict = judge(line, "bash,sh,zsh");
        assert!(verdict.plan.is_err(), "{line:?}: {verdict:?}");
    }
    assert!(allows("(x=1) >/dev/null 2>&1", "bash,sh,zsh"));
    assert!(allows("for x in a b; do y=1; done", "bash,sh,zsh"));
    assert!(allows("for x in src/*; do y=$x; done; ls", "bash,sh,zsh"));
}
