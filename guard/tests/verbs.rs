//! Declared verbs in whole lines: what the view, the environment and unknown words change.

use shfence::{
    Code, Cwd, Decision, Dialects, Env, Invocation, Limits, MemoryView, Policy, Request,
};
use shfence::{Scope, Verdict};
use std::path::Path;

/// A project without a link that leaves it.
fn project() -> MemoryView {
    let mut view = MemoryView::default();
    view.file("/p/src/main.rs", "").file("/p/a", "").link("/p/src/in", "../a");
    view.file("/q/secret", "");
    view
}

fn judge(line: &str, env: &Env, view: &MemoryView) -> Verdict {
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: Path::new("/p"), pwd: Some(Path::new("/p")) },
        scope: &Scope::new(&["/p".into()], view).expect("the project has a root"),
        home: None,
        env,
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    shfence::decide(&request, view)
}

/// The kinds of objection; none for an allow.
fn codes(line: &str, env: &Env, view: &MemoryView) -> Vec<Code> {
    let verdict = judge(line, env, view);
    assert_eq!(verdict.reasons.is_empty(), verdict.decision == Decision::Allow);
    let mut codes: Vec<Code> = verdict.reasons.iter().map(|reason| reason.code).collect();
    codes.dedup();
    codes
}

#[test]
fn a_word_may_be_unknown_where_it_is_text() {
    let plain = |line: &str| codes(line, &Env::new(), &project());
    assert_eq!(plain("grep -e \"$x\" a"), []);
    assert_eq!(plain("head -n \"$x\" a"), []);
    assert_eq!(plain("basename \"$x\" .rs | tr -d \"$y\""), []);
    for line in ["grep \"$x\" a", "grep a \"$x\"", "head -n $x a", "cat \"$x\"", "sort $x"] {
        assert_eq!(plain(line), [Code::WordUnknown], "{line}");
    }
    assert_eq!(plain("sort -o a a"), [Code::UndeclaredOption]);
}

/// Where shells compute, the text of a value counts: each line, and what stands against it.
// tidy: table
#[rustfmt::skip]
const COMPUTED: &[(&str, &str)] = &[
    ("echo $((2*3))", ""), ("x=3; echo $((x%2)) $(($x+1)) $((${x}/2))", ""),
    ("i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done", ""),
    ("i=9; until [ $i -le 0 ]; do i=$((i - 1)); printf '%d ' $i; head -n $i a; done", ""),
    ("i=0; for f in a b; do i=$(($i + 1)); echo \"$i: $f\"; done", ""),
    ("n=$(wc -l < a); t=$((n * 2)); echo $t", ""), ("n=$(grep -c x a); echo $((n+1))", ""),
    ("for i in $(seq 1 3); do sed -n \"${i}p\" a; echo $((i*i)); done", ""),
    ("for i in $(seq 1 9999); do head -n $((i+1)) a; done", ""),
    ("x=1; y && x=2; echo $((x+1))", "undeclared-verb"), ("s=2; sed -n \"$s,$((s+5))p\" a", ""),
    ("exit; echo $((x))", ""), ("(x=4; echo $((x)))", ""),
    // What is not set may be inherited, and what is no decimal number may run a command.
    ("echo $((x))", "arithmetic"), ("x='a[$(id)]'; echo $((x))", "arithmetic"),
    ("x=08; echo $((x))", "arithmetic"), ("x=y; echo $((x))", "arithmetic"),
    ("x=-0; echo $((x))", "arithmetic"), ("x=; echo $((x+1))", "arithmetic"),
    ("read x; echo $((x))", "arithmetic"), ("x=1 echo $((x))", "arithmetic"),
    ("(x=4); echo $((x))", "arithmetic"), ("x=1; ls && x=a; echo $((x))", "arithmetic"),
    ("for x in 1 2 b; do echo $((x)); done", "arithmetic"), ("a=1 x=$((a)) ls", "arithmetic"),
    ("x=1; while ls; do echo $((x)); x=x; done", "arithmetic"), ("cat <<E\n$((x))\nE\n:", "arithmetic"),
    ("for x in $(ls); do echo $((x)); done", "arithmetic"), ("x=1; read x; echo $((x))", "arithmetic"),
    // It must not end in an error.
    ("x=0; echo $((1/x))", "arithmetic"), ("echo $((1%0))", "arithmetic"), ("echo $((3/(2-2)))", "arithmetic"),
    ("i=5; while ls; do echo $((7/i)); i=$((i+1)); done", "arithmetic"),
    ("x=-1; i=1; while ls; do echo $((i/x)); i=$((i*3)); done", "arithmetic"),
    ("x=-1; echo $((2-$x))", "arithmetic"), ("n=$(wc -l < a); echo $((1+$n))", "arithmetic"),
    // A number that is not known is no path and no option.
    ("i=1; while ls; do cat a$i; i=$((i+1)); done", "word"), ("i=1; while ls; do ls $i; i=$((i+1)); done", "word"),
    ("x=2147483647; ls a$((x+1))", "word"), ("for x in $(seq 99); do for y in $(seq 99); do echo $((x*y)); done; done", ""),
];

#[test]
fn only_numbers_are_computed() {
    for (line, against) in COMPUTED {
        let found = match &codes(line, &Env::new(), &project())[..] {
            [] => "",
            [Code::NotUnderstood(construct)] if construct.name() == "arithmetic-value" => {
                "arithmetic"
            }
            [Code::WordUnknown] => "word",
            [Code::UndeclaredVerb] => "undeclared-verb",
            other => panic!("{line:?}: {other:?}"),
        };
        assert_eq!(found, *against, "{line:?}");
    }
}

/// What is computed from a value that is known, is known: the line, and what it then reads.
// tidy: table
#[rustfmt::skip]
const CUT: &[(&str, &str)] = &[
    ("f=a/b.c.d; cat x${f%.d}", "/p/xa/b.c"), ("f=a/b.c.d; cat x${f%.*}", "/p/xa/b.c"),
    ("f=a/b.c.d; cat x${f%%.*}", "/p/xa/b"), ("f=a/b.c.d; cat \"${f##*/}\"", "/p/b.c.d"),
    ("f=a/b.c.d; cat x${f#*.}", "/p/xc.d"), ("f=a/b.c.d; cat x${f##*.}", "/p/xd"),
    ("f=a/b.c.d; cat ${f#a/}", "/p/b.c.d"), ("f=a/b.c.d; cat ${f%/*}", "/p/a"),
    ("f=a/b.c.d; cat \"x${f##a*}\"", "/p/x"), ("f=a/b.c.d; cat \"x${f%%*d}\"", "/p/x"),
    ("f=a/b.c.d; cat x${f#a*}", "/p/x/b.c.d"), ("f=a/b.c.d; cat x${f%*d}", "/p/xa/b.c."),
    ("f=a/b.c.d; cat ${f%x} ${f##x} ${f#*x} ${f%%x*}", "/p/a/b.c.d"),
    ("f=a; cat ${f:-b} ${f-b}", "/p/a"), ("f=a; cat ${f:+b} ${f+b}", "/p/b"),
    ("f=; cat \"x${f:-b}\" \"x${f+b}\"", "/p/xb"), ("f=; cat \"x${f-b}\" \"x${f:+b}\"", "/p/x"),
    ("cat $(basename a/b.c) $(basename x/b.c/)", "/p/b.c"), ("f=a/b.c; cat $(basename $f .c)", "/p/b"),
    ("cat $(basename .c .c)", "/p/.c"), ("cat $(dirname a/b/c) $(dirname a/b//c)", "/p/a/b"),
    ("cat $(dirname x)", "/p"), ("cat x$(dirname /x) x$(basename //)", "/p/x"),
    ("for f in a/b c/b; do cat ${f##*/}; done", "/p/b"),
];

#[test]
fn what_is_cut_from_a_value_is_known() {
    for (line, expected) in CUT {
        let plan = judge(line, &Env::new(), &project()).plan.expect("it is understood");
        let paths = plan.segments.iter().flat_map(|it| &it.paths);
        let read: std::collections::BTreeSet<String> = paths
            .filter(|it| it.role == shfence::Role::Read)
            .map(|it| it.path.to_string())
            .collect();
        assert_eq!(read.into_iter().collect::<Vec<_>>(), [*expected], "{line}");
    }
    for line in
        ["f='ä.b'; cat ${f%.*}", "cat ${f%.b}", "cat $(basename -a a)", "cat $(basename $f)"]
    {
        assert_eq!(codes(line, &Env::new(), &project()), [Code::WordUnknown], "{line}");
    }
}

#[test]
fn links_below_count_for_who_follows_them() {
    let inside = |line: &str| codes(line, &Env::new(), &project());
    let mut view = project();
    view.link("/p/src/out", "/q");
    let leaving = |line: &str| codes(line, &Env::new(), &view);
    for line in
        ["grep -R a src", "rg -L a", "diff -r src src", "fd -L a", "diff src src", "du -shL src"]
    {
        assert_eq!(inside(line), [], "{line}");
        assert!(leaving(line).contains(&Code::PathOutside), "{line}");
    }
    for line in [
        "grep -rn a src",
        "rg a",
        "fd a",
        "grep a src/main.rs",
        "ls -R src",
        "du -sh src",
        "diff a src/main.rs",
    ] {
        assert_eq!(leaving(line), [], "{line}");
    }
}

#[test]
fn ignore_files_above_the_project_are_outside_it() {
    let mut view = project();
    view.file("/.ignore", "");
    let above = |line: &str| codes(line, &Env::new(), &view);
    assert_eq!(above("rg a"), [Code::PathOutside]);
    assert_eq!(above("fd a src"), [Code::PathOutside]);
    assert_eq!(above("grep a a"), []);
    let mut view = project();
    view.file("/p/.git", "gitdir: /q");
    assert_eq!(codes("rg a", &Env::new(), &view), [Code::PathOutside]);
    view.file("/p/.git", "gitdir: .git/modules/a");
    assert_eq!(codes("rg a", &Env::new(), &view), []);
}

#[test]
fn definitions_at_home_change_what_filters_are() {
    let env = Env::from([(b"HOME".to_vec(), b"/h".to_vec())]);
    let mut view = project();
    assert_eq!(codes("jq .a a", &env, &view), []);
    view.file("/h/.jq", "def a: env;");
    assert_eq!(codes("jq .a a", &env, &view), [Code::Environment]);
    assert_eq!(codes("awk 1 a", &env, &view), []);
}

#[test]
fn each_operand_of_printf_is_what_the_format_says() {
    let plain = |line: &str| codes(line, &Env::new(), &project());
    assert_eq!(plain("printf -- '%d\\n' 1 2 3 4 5"), []);
    assert_ne!(plain("printf -- '%d\\n' 1 2 3 4 x"), []);
    assert_ne!(plain("printf '%s %d\\n' a 1 b 2 c x"), []);
}

#[test]
fn the_program_of_awk_stands_behind_its_options() {
    let plain = |line: &str| codes(line, &Env::new(), &project());
    for line in ["awk -- '{ print }' a", "awk -F : -- 1 a", "awk -v n=1 -- n a"] {
        assert_eq!(plain(line), [], "{line}");
    }
    assert_ne!(plain("awk -- '{ print > \"x\" }' a"), []);
}

#[test]
fn names_of_secrets_are_not_selected() {
    let plain = |line: &str| codes(line, &Env::new(), &project());
    for line in [
        "find . -name '*.rs' | grep -v '\\.env' | xargs cat",
        "find . -name .env",
        "find . -type f -exec cat {} +",
    ] {
        assert_eq!(plain(line), [], "{line}");
    }
    for line in [
        "find . -name .env | xargs cat",
        "find . -name '*.p[e]m' -print0 | xargs -0 cat",
        "find . | grep '\\.env$' | xargs cat",
        "find . -iname .ENV -exec cat {} +",
        "grep -r x --include=.env* .",
        "rg x -g '**/.env'",
    ] {
        assert_ne!(plain(line), [], "{line}");
    }
}

/// A secret is one by any name on the way to it.
#[test]
fn links_with_names_of_secrets_lead_to_secrets() {
    let mut view = project();
    view.file("/p/keys/deploy", "").link("/p/.ssh", "keys").link("/p/m", ".ssh/deploy");
    view.link("/p/.env", "a").link("/p/n", ".env").link("/p/plain", "keys");
    for line in [
        "cat .ssh/deploy",
        "cat .ssh/*",
        "cat < .ssh/deploy",
        "cd .ssh && cat deploy",
        "cd .ssh; head -n 1 ./deploy",
        "cat m",
        "cat n",
        "cat [n]",
    ] {
        assert_eq!(codes(line, &Env::new(), &view), [Code::Protected], "{line}");
    }
    for line in ["cat plain/deploy", "cd plain && cat deploy", "ls -l .ssh", "ls m n"] {
        assert_eq!(codes(line, &Env::new(), &view), [], "{line}");
    }
}

/// Whoever finds names finds secrets by all names on the way to them.
#[test]
fn secrets_may_be_among_what_is_found() {
    let mut view = project();
    view.file("/p/s/.ssh/deploy", "").file("/p/e/env.txt", "").link("/p/e/.env", "env.txt");
    view.link("/p/e/n", ".env");
    for line in [
        "find s -type f | xargs cat",
        "find s -name deploy | xargs cat",
        "find s -name 'd*' -exec cat {} +",
        "diff -rN e src",
        "cat $(find s -type f)",
        "find e -name n | xargs cat",
    ] {
        assert_ne!(codes(line, &Env::new(), &view), [], "{line}");
    }
    for line in [
        "find s -name '*.py' | xargs cat",
        "rg --files s | xargs cat",
        "diff -r src s/x",
        "find s -type f | xargs grep -l x",
    ] {
        assert_eq!(codes(line, &Env::new(), &view), [], "{line}");
    }
}

/// Only the first name of a path can be taken for more than a name.
#[test]
fn names_mean_more_where_a_word_begins() {
    let line = "rg --files | xargs wc -l";
    for (name, code) in [
        ("node_modules/@scope/a.ts", None),
        ("src/-x", None),
        ("@a.ts", Some(Code::WordUnknown)),
        ("-x", Some(Code::WordUnknown)),
        ("src/a b", Some(Code::WordUnknown)),
    ] {
        let mut view = project();
        view.file(format!("/p/{name}"), "");
        assert_eq!(codes(line, &Env::new(), &view), Vec::from_iter(code), "{name}");
    }
}

/// By another name nobody would know a secret.
#[test]
fn secrets_are_not_copied() {
    for line in [
        "x=$GITHUB_TOKEN; echo \"$x\"",
        "for x in \"$GITHUB_TOKEN\"; do echo \"$x\"; done",
        "x=${API_KEY:-a}",
        "KEY=a; x=$(ls); x=$KEY$TOKEN",
    ] {
        assert_eq!(codes(line, &Env::new(), &project()), [Code::Secret], "{line}");
    }
    for line in ["key=a; x=$key; echo \"$x\"", "for key in a b; do x=$key; done"] {
        assert_eq!(codes(line, &Env::new(), &project()), [], "{line}");
    }
}

#[test]
fn a_variable_governs_its_verbs_only() {
    let env = Env::from([(b"RIPGREP_CONFIG_PATH".to_vec(), b"/p/a".to_vec())]);
    assert_eq!(codes("cat a; rg a", &env, &project()), [Code::Environment]);
    assert_eq!(codes("cat a", &env, &project()), []);
    assert!(shfence::is_governing(b"RIPGREP_CONFIG_PATH"));
}

#[test]
fn nohup_runs_what_writes_nowhere_else() {
    let plain = |line: &str| codes(line, &Env::new(), &project());
    for line in ["nohup cat a >/dev/null 2>&1", "nohup cat a > /dev/null 2> /dev/null"] {
        assert_eq!(plain(line), [], "{line}");
    }
    for line in
        ["nohup cat a", "nohup cat a >/dev/null", "nohup cat a >&2 2>&1", "nohup cat a 2>&1"]
    {
        assert_eq!(plain(line), [Code::UndeclaredOption], "{line}");
    }
}

#[test]
fn what_is_computed_is_known_by_its_shape() {
    let mut view = project();
    view.file("/p/.git/HEAD", "ref: refs/heads/main\n").dir("/p/.git/objects").dir("/p/.git/refs");
    let plain = |line: &str| codes(line, &Env::new(), &view);
    for line in [
        "rc=$?; echo $rc; [ $rc -eq 0 ] && [ $# -lt 1 ]",
        "n=$(nproc); make -j$n test; [ \"$(ls | wc -l)\" -gt \"$n\" ]",
        "git log $(git merge-base main HEAD)..HEAD; b=$(git rev-parse HEAD); git diff $b",
        "cd src; cat \"$(git rev-parse --show-toplevel)/a\"",
        "for f in $(git ls-files src); do cat \"$f\"; done; rg -l x src | xargs cat",
        "x=$(ls src); echo $x",
        "x=$(wc -l < a); [ \"$x\" -gt 1 ] && head -n $((x - 1)) a",
    ] {
        assert_eq!(plain(line), [], "{line}");
    }
    for (line, code) in [
        ("rc=$?; cat $rc", Code::WordUnknown),
        // Without the file they print nothing, and the next word is the option's.
        ("x=$(grep -c a nosuch); grep -e $x -e ../q/secret", Code::WordUnknown),
        ("x=$(wc -l < nosuch); grep -e $x -e ../q/secret", Code::WordUnknown),
        ("cat \"$(git merge-base main HEAD)\"", Code::WordUnknown),
        ("git show $(git merge-base main HEAD):.env", Code::UndeclaredOption),
        ("cat \"$(git rev-parse --show-toplevel)/../q/secret\"", Code::PathOutside),
        ("for f in $(git ls-files src); do cat \"$f.x\"; done", Code::WordUnknown),
        ("x=$(ls src); cat $x", Code::WordUnknown),
        ("find src | xargs python -m compileall", Code::UndeclaredOption),
        ("cat $(pwd >/dev/null)/etc/x", Code::WordUnknown),
        ("cat \"$(pwd | head -n 0)/etc/x\"", Code::WordUnknown),
        ("find src | xargs cat < a", Code::WordUnknown),
        ("cat $(find src | sort < a)", Code::WordUnknown),
        ("git diff $(git branch --show-current)", Code::WordUnknown),
        ("grep -e $(grep -c x nosuch) -e -f/q/secret a", Code::WordUnknown),
        ("make -C '~/evil' a", Code::PathUnresolved),
        ("npm --prefix '.${X?}./q' test", Code::PathUnresolved),
        ("make 'x;touch y'", Code::UndeclaredOption),
    ] {
        assert!(plain(line).contains(&code), "{line}: {:?}", plain(line));
    }
    view.link("/p/src/out", "/q/secret");
    let leaving = codes("for f in $(git ls-files src); do cat \"$f\"; done", &Env::new(), &view);
    assert_eq!(leaving, [Code::PathOutside]);
}

/// Lines that a loop reads are known, as long as nobody else reads a part of one.
// tidy: table
#[rustfmt::skip]
const LINES: &[(&str, bool)] = &[
    ("find src -name '*.rs' | while read f; do wc -l \"$f\"; done", true),
    ("git ls-files | while IFS= read -r f; do head -n 1 \"$f\"; cat $f | tail -1; done | sort", true),
    ("rg -l x src | grep -v y | while read -r f; do echo \"$f\"; grep -c x $f; done", true),
    ("seq 1 5 | while read i; do echo $((i+1)); sed -n \"${i}p\" a; done", true),
    ("find src -type f | while read f; do if grep -q x $f; then cat \"$f\"; fi; done", true),
    ("find src -type f | while read f; do cat < a; tr a b < a; cat <<E; done\nx\nE\n:", true),
    ("ls | (while read f; do cat $f; done)", false), ("cat a | while read f; do cat $f; done", false),
    ("find src | while read f; do cat \"../$f\"; done", false),
    ("find /q -type f | while read f; do cat $f; done", false),
    ("find src -type f | while read f g; do cat $f; done", false),
    ("find src -type f | while IFS=/ read f; do cat $f; done", false),
    ("find src -type f | while read f < a; do cat $f; done", false),
    ("find src -type f | while read f; do cat $f; done < a", false),
    ("find src -type f | while ! read f; do cat $f; done", false),
    ("find src -type f | until read f; do cat $f; done", false),
    ("find src -type f | while read f || :; do cat $f; done", false),
    ("find src -type f | while read f; do :; done; cat $f", false),
    // Whoever reads what comes in may leave a part of a line.
    ("find src | while read f; do head -c 3; done", false), ("find src | while read f; do tr a b; done", false),
    ("find src | while read f; do tr a b | head -1; done", false), ("find src | while read f; do (cat); done", false),
    ("find src | while read f; do cat /dev/stdin; done", false), ("find src | while read f; do rg -q x; done", false),
    ("find src | while read f; do cat < /dev/stdin; done", false), ("find src | while read f; do cat <&0; done", false),
    ("find src | while read f; do x=$(head -1); done", false), ("find src | while read f; do npm test; done", false),
    ("find src | while read f; do xargs ls; done", false), ("find src | while read f; do time head -1; done", false),
];

#[test]
fn lines_that_a_loop_reads_are_known() {
    for (line, allowed) in LINES {
        let found = codes(line, &Env::new(), &project());
        assert_eq!(found.is_empty(), *allowed, "{line}: {found:?}");
    }
    let mut view = project();
    // What was found elsewhere may lead through links here.
    view.file("/p/src/x/y.rs", "").link("/p/d/src/x", "/q").file("/q/y.rs", "");
    for (line, allowed) in [
        ("find src -name '*.rs' | while read f; do cat $f; done", true),
        ("find src -name '*.rs' | while read f; do (cd d && cat $f); done", false),
        ("for f in $(find src -name '*.rs'); do (cd d && cat $f); done", false),
        ("cd d; cd ..; for f in $(find src -name '*.rs'); do cat $f; cd .; cat $f; done", true),
        ("for f in $(find $PWD/src -name '*.rs'); do (cd d && cat $f); done", true),
        ("for f in $(ls); do cd src; ls $f; cd ..; done", true),
        ("ls && cd d; for f in $(find src -name '*.rs'); do cd ..; cd d; cat $f; done", false),
    ] {
        assert_eq!(codes(line, &Env::new(), &view).is_empty(), allowed, "{line}");
    }
    view.link("/p/src/out", "/q/secret").file("/p/d/.env", "");
    for line in [
        "find src | while read f; do cat $f; done",
        "find d -type f | while read f; do cat $f; done",
    ] {
        assert!(!codes(line, &Env::new(), &view).is_empty(), "{line}");
    }
}

#[test]
fn what_a_pattern_selects_may_be_a_secret() {
    let mut view = project();
    view.file("/p/d/server.pem", "").file("/p/node_modules/x/credentials.js", "");
    for (line, allowed) in [
        ("find d -name 'server.*' -exec cat {} +", false),
        ("find . -name '*.js' | xargs cat", true),
        ("find . -name '.en?' -exec cat {} +", false),
        ("find . -type f -exec cat {} +", false),
        ("find . -type f | grep pem | xargs cat", false),
        ("for f in $(find d); do cat $f; done", false),
        // What is left out is not followed that far.
        ("find . -type f | grep -v pem | xargs cat", false),
        // A search passes over it, and what only names it does not read it.
        ("find . -type f -exec grep -l x {} +", true),
        ("find . -type f | xargs ls -l", true),
        ("find . -type f -name 's*' | xargs cat", false),
        ("find . -type f -name 'm*' | xargs cat", true),
        ("find . -type f | grep 'main.rs$' | xargs cat", true),
        // What is listed stands in the directory itself.
        ("ls | xargs cat", true),
        ("ls -A | grep -v x | xargs head -3", true),
        ("cd d && ls | xargs cat", false),
        ("ls | (cd d && xargs cat)", false),
        ("for f in $(ls -A); do cat $f; done", true),
        ("cd d; for f in $(ls -A); do cat $f; done", false),
    ] {
        assert_eq!(codes(line, &Env::new(), &view).is_empty(), allowed, "{line}");
    }
}
