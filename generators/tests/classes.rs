//! Every class of what was reported of other guards, and every kind of text that shells read apart,
//! is what some family makes. `docs/classes.md` says where, with a case that shows it.

use shfence_generators::{Family, Settings, generate};
use std::collections::BTreeMap;

/// In the document, cases are those of this seed.
const SEED: u64 = 0;

/// As many cases are looked through.
const CASES: u64 = 30_000;

use Family::*;

/// A class, and text that shows it, each with its family.
// tidy: table
#[rustfmt::skip]
const CLASSES: &[(&str, &[(Family, &str)])] = &[
    // Of what was reported.
    ("a `cd` that fails or is not run", &[(FailedCd, "cd nosuch"), (Expansion, "[[ -d src ]] || cd")]),
    ("a `cd` in a subshell or a stage", &[(Scoping, "(cd "), (Scoping, "true | cd")]),
    ("CDPATH, OLDPWD, HOME", &[(Environment, "cd -"), (Code, "CDPATH=/case"), (Code, "HOME=")]),
    ("`..` taken by the text or by the file system", &[(DotDot, "/../"), (Links, "/..")]),
    ("options that name, write or run", &[(Tools, "sort --ou="), (Tools, "sed -n 'w "),
        (Tools, "sed '1e"), (Tools, "system("), (Running, "--files0-from="), (Tools, "-fprint ")]),
    ("patterns that become options", &[(Patterns, "ls *")]),
    ("zsh alone", &[(Expansion, "=(cat"), (Expansion, "(e:"), (Expansion, "${~"),
        (Expansion, "for i ("), (Expansion, "mapfile["), (Expansion, "(/)")]),
    ("prefixes of names, look-alikes", &[(CdGroup, "proj-evil"), (CdGroup, "/case/proj/../")]),
    ("tildes, parameters, lists of files", &[(Patterns, "~/"), (Expansion, "${PWD%"), (Tools, "-f ")]),
    ("redirections", &[(Redirection, "<nosuch"), (Expansion, "&>"), (Expansion, ">|"),
        (Expansion, "$(<"), (Expansion, "{fd}>"), (Expansion, ">../outside/s*")]),
    ("wrappers", &[(Running, "env "), (Running, "timeout 5"), (Code, "nohup "), (Code, "busybox "),
        (Code, "command "), (Code, "sh -c"), (Code, "exec "), (Running, "xargs ")]),
    ("git", &[(Repository, "git status"), (Repository, "git log -p"), (Tools, "git -c core."),
        (Tools, "--output="), (Tools, "--no-index")]),
    ("variables before and around", &[(Code, "BASH_ENV="), (Code, "PATH=. run"), (Code, "IFS="),
        (Code, "GIT_DIR="), (Texts, "TZ=")]),
    ("quotes", &[(Quoting, "\""), (Quoting, "\\"), (Texts, "$'"), (Expansion, "$\""),
        (Expansion, "\r"), (Expansion, "\u{a0}")]),
    ("quoted text that is code", &[(Code, "[[ 'a["), (Code, "test -v 'a["), (Code, "$((x"),
        (Code, "trap 'cat"), (Code, "eval "), (Code, "PS4="), (Code, "mapfile -C")]),
    ("links", &[(Links, "link"), (Tools, "ln -s ../outside"), (Expansion, "***"), (Running, "-LR")]),
    ("separators", &[(Expansion, " & cat"), (CdGroup, "\n"), (Expansion, "\u{2028}")]),
    ("here-documents", &[(Expansion, "<<E &&"), (Expansion, "<<E >"), (Expansion, "<<E\n$("),
        (Expansion, "$((1<<2))")]),
    ("substitutions", &[(Expansion, "<(cat"), (Expansion, "> >("), (Expansion, "$\\\n("),
        (Expansion, "`"), (Code, "@P}")]),
    ("another directory for a tool", &[(Tools, "env -C"), (Tools, "git -C"), (Tools, "make -C"),
        (Tools, "--prefix")]),
    ("functions and aliases", &[(Code, "ls() {"), (Code, "cd() {"), (Code, "alias ")]),
    ("builds", &[(Tools, "make -n --eval"), (Tools, "cargo build")]),
    ("comments", &[(Texts, "# it's\n"), (Expansion, "src#a")]),
    ("a tree that changes before it is used", &[(Tools, "mv src gone"), (Tools, "ln -sfn ..")]),
    // Of what shells read apart.
    ("bytes that are blanks to some readers", &[(Expansion, "\x0b"), (Expansion, ">\r&")]),
    ("a backslash before a new line", &[(Expansion, "&&\\\n"), (Expansion, "cd \\\n")]),
    ("`$'…'`, `$\"…\"`", &[(Expansion, "$'a\\'"), (Expansion, "$\"")]),
    ("`=cmd`", &[(Expansion, "=cat ")]),
    ("`~user`, `~+`, a tilde after `=`", &[(Expansion, "~nobody"), (Expansion, "~+"), (Expansion, "if=~")]),
    ("patterns that match nothing, classes", &[(Expansion, "[!a]"), (Expansion, "[^a]"), (Expansion, "<1-9>")]),
    ("braces", &[(Patterns, ",main.txt}"), (Expansion, "{1..3}")]),
    ("parameters, unquoted and indexed", &[(Expansion, "cat $V"), (Expansion, "$V:h"), (Expansion, "${V:=")]),
    ("arithmetic", &[(Code, "echo $((x))"), (Expansion, "$(( $(")]),
    ("`&`, `|&`, `!`", &[(Expansion, "src & "), (Expansion, "|&"), (Expansion, "! ! "), (Texts, "! cat")]),
    ("`((`, `[[`", &[(Expansion, "((cd src)"), (Expansion, "(( 1 ))"), (Expansion, "[[ x >"), (Expansion, "[[ a ||")]),
    ("branches and loops", &[(Texts, "if [ -d"), (Texts, "case src"), (Texts, "for f in"), (Texts, "while "),
        (Expansion, "for ((") , (Expansion, "repeat 1"), (Expansion, "select "), (Expansion, ";& ")]),
    ("words before a command", &[(Expansion, "coproc "), (Expansion, "time "), (Expansion, "noglob ")]),
    ("redirections of two digits, to patterns, without a command", &[(Expansion, "10>"), (Expansion, "/{x,y}"),
        (Redirection, "; <")]),
    ("delimiters of here-documents", &[(Texts, "<<'E'"), (Texts, "<<-E"), (Expansion, "<<\\E"), (Expansion, "<<A <<B")]),
    ("here-strings", &[(Expansion, "<<<")]),
    ("assignments", &[(Texts, "LC_ALL=C cat"), (Code, "export V="), (Expansion, "path=(")]),
    ("names that evaluate", &[(Code, "printf -v 'a["), (Code, "read 'a["), (Code, "export 'a["), (Code, "let 'a[")]),
    ("first words that change what follows", &[(Code, "set -"), (Code, "source "), (Code, "builtin ")]),
];

/// Each family's lines, each with its index.
fn lines() -> BTreeMap<Family, Vec<(u64, String)>> {
    let mut all: BTreeMap<Family, Vec<(u64, String)>> = BTreeMap::new();
    for index in 0..CASES {
        let made = generate(SEED, index, &Settings::default());
        all.entry(made.family).or_default().push((index, made.case.line.lossy().into_owned()));
    }
    all
}

#[test]
fn every_class_occurs_where_the_document_says() {
    let lines = lines();
    let (mut table, mut missing) = (String::new(), Vec::new());
    for (class, shown) in CLASSES {
        let mut cells: BTreeMap<Family, Vec<String>> = BTreeMap::new();
        for (family, text) in *shown {
            let first = lines[family].iter().find(|(_, line)| line.contains(text));
            match first {
                Some((index, _)) => {
                    cells.entry(*family).or_default().push(format!("{SEED}:{index}"));
                }
                None => missing.push(format!("{class}: no case of {family} holds {text:?}")),
            }
        }
        let cells = cells.iter().map(|(family, cases)| format!("{family} {}", cases.join(" ")));
        let class = class.replace('|', "\\|");
        table += &format!("| {class} | {} |\n", cells.collect::<Vec<_>>().join(", "));
    }
    assert!(missing.is_empty(), "{missing:#?}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/classes.md");
    let document = std::fs::read_to_string(path).expect("the document is there");
    let kept: String = document
        .lines()
        .filter(|it| it.starts_with("| "))
        .skip(1)
        .fold(String::new(), |rows, row| rows + row + "\n");
    assert!(kept == table, "docs/classes.md should hold these rows:\n{table}");
}
