//! Patterns against words, and what is proposed for lines.

use super::*;
use crate::plan::PlanWord;

/// `?` is one unknown word, `…` any number of them, `a|b` one of two.
fn words(text: &str) -> Vec<PlanWord> {
    let word = |text: &str| match text {
        "?" => PlanWord::One,
        "…" => PlanWord::Many,
        _ if text.contains('|') => {
            PlanWord::OneOf(text.split('|').map(|it| it.as_bytes().into()).collect())
        }
        _ => PlanWord::Is(text.as_bytes().into()),
    };
    text.split_ascii_whitespace().map(word).collect()
}

fn pattern(text: &str) -> Pattern {
    Pattern::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_rule_that_closes_takes_what_comes_to_the_same() {
    use Match::{May, No, Sure};
    for (rule, command, matched) in [
        ("rm", "rm", Sure),
        ("rm", "/bin/rm -rf x", Sure),
        ("rm", "./RM", Sure),
        ("rm", "rmdir x", No),
        ("rm", "ls rm", No),
        ("rm", "?", May),
        ("rm", "rm|ls x", May),
        ("rm -rf", "rm -v -rf x", Sure),
        ("rm -rf", "rm -f x -rf", May),
        ("rm -rf", "rm x", No),
        ("rm -rf", "rm ?", May),
        ("rm -rf", "rm …", May),
        ("git push", "git push", Sure),
        ("git push", "git --no-pager push -f", Sure),
        ("git push", "git -C push status", No),
        ("git push", "git -C dir push", Sure),
        ("git push", "git -c a=b -C d --no-pager push", Sure),
        ("git push", "git status", No),
        ("git push", "git --git-dir=x push", Sure),
        ("git push", "git --what x push", May),
        ("git push $", "git push", Sure),
        ("git push $", "git push origin", No),
        ("git push $", "git push …", May),
        ("git * main", "git push main", Sure),
        ("git * main", "git push origin main", No),
        ("./deploy.sh", "././deploy.sh x", Sure),
        ("./deploy.sh", "deploy.sh", Sure),
        ("./deploy.sh", "/p/deploy.sh", No),
        ("\\* x", "* x", Sure),
        ("npm run deploy", "npm run deploy:x", No),
        ("npm run deploy", "npm … deploy", May),
        ("npm run deploy", "npm run -- deploy", Sure),
        ("npm install", "npm i x", Sure),
        ("npm i", "npm --silent install x", Sure),
        ("npm install", "npm init", No),
        ("cargo run", "cargo +stable r", No),
        ("cargo run", "cargo test", No),
        ("cargo test $", "cargo t", Sure),
        ("rm -rf", "rm -fr x", Sure),
        ("rm -rf", "rm -rvf x", May),
        ("rm -rf", "rm -r -f x", May),
        ("rm -rf", "rm x --recursive -f", May),
        ("rm -rf", "rm -Rf x", May),
        ("rm -rf", "rm --recur --forc x", May),
        ("rm -rf", "rm -f x", No),
        ("docker run --privileged", "docker run --privileged=true x", May),
        ("docker run --privileged", "docker container run --privileged x", Sure),
        ("docker run --privileged", "docker run -p 80 x", May),
        ("docker run --privileged", "docker run --rm x", No),
        ("git push --force", "git push -u origin x", No),
        ("npm publish", "npm pub", Sure),
        ("grep -r", "grep -rn x", May),
        ("grep -r", "grep -n x", No),
        ("rm x", &*format!("rm {} x", "-a b ".repeat(40)), May),
    ] {
        assert_eq!(
            pattern(rule).matches(&words(command), Reading::Wide),
            matched,
            "{rule}: {command}"
        );
    }
}

#[test]
fn a_rule_that_opens_takes_what_is_written() {
    for (rule, opened, not) in [
        ("npm install", "npm install x -g", "npm -q install"),
        ("npm run *", "npm run a", "npm run"),
        ("npm run * $", "npm run a", "npm run a b"),
        ("git status $", "git status", "git status ?"),
        ("frob", "frob … x", "/bin/frob"),
        ("frob a", "frob a ?", "frob ?"),
        ("frob a", "frob a", "frob a|b"),
        ("frob *", "frob ?", "frob …"),
    ] {
        let matches = |command| pattern(rule).matches(&words(command), Reading::Narrow);
        assert_eq!(matches(opened), Match::Sure, "{rule}: {opened}");
        assert_ne!(matches(not), Match::Sure, "{rule}: {not}");
    }
}

#[test]
fn what_is_no_pattern_is_refused_with_a_reason() {
    for (text, part) in [
        ("", "names no command"),
        ("$", "names no command"),
        ("a $ b", "goes on behind '$'"),
        ("npm run test*", "one whole word"),
        ("git commit -m 'x'", "as a list"),
    ] {
        let error = Pattern::from_text(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(Pattern::from_words([""]).is_err());
    assert_eq!(pattern("a \\* \\$ * $").to_string(), "a \\* \\$ * $");
}

#[test]
fn rules_are_found_in_lines_that_are_not_understood() {
    let named = |rule: &str, line: &str| Text::of(line.as_bytes()).names(&pattern(rule));
    for line in [
        "sudo rm x",
        "sudo -u a rm x",
        "bash -c 'rm x'",
        "eval \"cd /; rm x\"",
        "[[ a ]] && rm x",
        "X=1 rm x",
        "f() { rm x; }",
        "a `rm x`",
        "a \"$(rm x)",
        "while true; do rm x",
        "exec /bin/rm",
        "a=(b); r\\m x",
        "busybox rm x",
        "bash <<E\nrm x\nE",
        "cat <<E | sh\nrm x\nE",
        "cat <<E ~~\n$(rm x)\nE",
        "cat <<E ~~\nE\nrm x",
        "echo '<<X' $'a'\nrm x\nX",
        "echo $((1<<2)) $'a'\nrm x\n2",
        "cat <<X 'a\nb'; rm x; echo $'\nX",
        "ls a#b; rm x ~~",
        "if [[ a ]]; then rm x; fi",
    ] {
        assert!(named("rm", line), "{line}");
    }
    for line in [
        "echo rm; [[ a ]]",
        "git commit -m 'a; rm x' ~~",
        "farm x `y`",
        "echo 'sudo rm' (",
        "cat <<E\nrm x\nE\n[[ a ]]",
        "cat <<-'E' >f ~~\n\trm x\n\tE",
        "ls # a; rm x\n[[ a ]]",
        "",
    ] {
        assert!(!named("rm", line), "{line}");
    }
}
