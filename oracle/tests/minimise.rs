//! The minimiser against predicates that are plain functions of the case: no shell, no guard.

use shfence_corpus::{Case, Entry, Env, Invocation, Node, RelPath, Shell, Shells, Text, TreeSpec};
use shfence_oracle::minimise::{Limits, MinimiseError, Minimised, compare, minimise};
use std::cmp::Ordering;
use std::convert::Infallible;

type Outcome = Result<Minimised, MinimiseError<Infallible>>;

fn path(path: &str) -> RelPath {
    RelPath::new(path).expect("a path below the top")
}

fn file(at: &str, text: &str) -> Entry {
    Entry { path: path(at), node: Node::File { text: Text::from(text), executable: false } }
}

fn link(at: &str, to: &str) -> Entry {
    Entry { path: path(at), node: Node::Link { to: Text::from(to) } }
}

fn dir(at: &str) -> Entry {
    Entry { path: path(at), node: Node::Dir }
}

fn tree(entries: impl IntoIterator<Item = Entry>) -> TreeSpec {
    TreeSpec::new(entries).expect("entries that make a tree")
}

fn run(start: &Case, mut interesting: impl FnMut(&Case) -> bool) -> Outcome {
    minimise(start, Limits::default(), &mut |case| Ok(interesting(case)), &mut |_| {})
}

fn minimum(start: &Case, interesting: impl FnMut(&Case) -> bool) -> Case {
    let result = run(start, interesting).expect("a minimum");
    assert!(result.exhausted, "the step limit ended the search");
    result.case
}

/// The minimal line for a start without a tree.
fn line(start: &str, mut interesting: impl FnMut(&str) -> bool) -> String {
    let case = Case::new(start, TreeSpec::default());
    minimum(&case, |case| interesting(&case.line.lossy())).line.to_string()
}

/// Do these stand in the text, in this order and without overlap?
fn in_order(text: &str, parts: &[&str]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// A simple command of a line, as far as these tests need to understand one.
struct Command {
    /// In how many `( )` it stands.
    depth: usize,
    words: Vec<String>,
}

/// The simple commands of a line, if it looks like one: quotes and redirections are passed over,
/// and a group is followed by an operator.
fn commands(line: &str) -> Vec<Command> {
    let mut plain = line.replace(['"', '\''], "").replace("\\\n", " ");
    if let Some((before, _comment)) = plain.split_once('#') {
        plain = before.to_owned();
    }
    for mark in [";", "|", "&&", "(", ")", "\n"] {
        plain = plain.replace(mark, &format!(" {} ", mark.replace('\n', ";")));
    }
    let mut all = vec![Command { depth: 0, words: Vec::new() }];
    let (mut depth, mut braces) = (0usize, 0usize);
    let mut after_group = false;
    for word in plain.split_whitespace() {
        let separates = ["(", "$", "{", ";", "|", "&&", ")", "}"].contains(&word);
        let opens = word == "(" || word == "{";
        if after_group && (opens || !separates) && !word.contains('>') {
            return Vec::new();
        }
        match word {
            "(" => depth += 1,
            "{" => braces += 1,
            ")" | "}" if depth + braces == 0 => return Vec::new(),
            ")" => depth = depth.saturating_sub(1),
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        after_group = word == ")" || word == "}" || (after_group && word.contains('>'));
        let last = all.last_mut().expect("it starts with one command");
        if separates {
            all.push(Command { depth, words: Vec::new() });
        } else if !word.contains('>') {
            last.words.push(word.to_owned());
        }
    }
    if depth + braces > 0 { Vec::new() } else { all }
}

/// Is there a `cd` to one directory in so many parentheses, and after it, in none, a command that
/// reads the secret?
fn escapes(line: &str, depth: usize, to: impl Fn(&str) -> bool) -> bool {
    let reads = ["cat", "head", "wc"];
    let commands = commands(line);
    let cd = commands.iter().position(|Command { depth: at, words }| {
        *at >= depth && words.len() == 2 && words[0] == "cd" && to(&words[1])
    });
    commands.iter().skip(cd.map_or(usize::MAX, |cd| cd + 1)).any(|Command { depth: at, words }| {
        *at <= depth.saturating_sub(1)
            && words.first().is_some_and(|verb| reads.contains(&&verb[..]))
            && words.iter().any(|word| word == "../outside/secret")
    })
}

#[test]
fn every_way_to_write_it_ends_in_the_same_line() {
    let ways = [
        "cd nosuch; cat ../outside/secret",
        "cd nosuch;cat ../outside/secret",
        "{ cd nosuch; }; cat ../outside/secret",
        "cd nosuch && cat '../outside/secret'",
        "cd nosuch || cat ../outside/secret  ",
        "cd nosuch\n\tcat \\\n   ../outside/secret",
        "true; cd   'nosuch' >/dev/null 2>&1 ;  head -n 1 \"../outside/secret\" # look",
        "cd nowhere/deeper; wc ../outside/secret; echo $(pwd)",
        "pwd && ls -l | head -n 3; { cd  nosuch/deeper 2>/dev/null; }; ( true );\
         cat \"../outside/secret\"|wc -c && echo \"done; now\" || true",
    ];
    for way in ways {
        let found = line(way, |line| escapes(line, 0, |to| to != "src"));
        assert_eq!(found, "cd nosuch; cat ../outside/secret", "from {way:?}");
    }
}

#[test]
fn a_command_goes_together_with_its_operator() {
    // No command may lose a word, and none may be empty: what a shell would call a syntax error.
    let whole = ["cd nosuch", "ls a b", "wc c", "cat ../outside/secret"];
    let wanted = |line: &str| {
        let found: Vec<String> = commands(line).iter().map(|c| c.words.join(" ")).collect();
        let is = |wanted: &str| found.iter().any(|command| command == wanted);
        found.iter().all(|c| whole.contains(&&c[..])) && is(whole[0]) && is(whole[3])
    };
    for start in [
        "cd nosuch; ls a b; wc c; cat ../outside/secret",
        "ls a b && cd nosuch; cat ../outside/secret | wc c",
    ] {
        assert_eq!(line(start, wanted), "cd nosuch; cat ../outside/secret", "from {start:?}");
    }
}

#[test]
fn groups_stay_where_they_matter() {
    for start in [
        "(cd src);cat ../outside/secret",
        "true && (cd src&&(ls))  2>/dev/null && { cat ../outside/secret; }",
        "{ ( ls; cd \"src\" ) | cat && wc ../outside/secret; } >/dev/null",
    ] {
        let found = line(start, |line| escapes(line, 1, |to| to == "src"));
        assert_eq!(found, "( cd src ); cat ../outside/secret", "from {start:?}");
    }
    let braces = |line: &str| in_order(line, &["{ cd src; }", ">", "nosuch", "; cat"]);
    assert_eq!(line("{ cd src; }  >>nosuch/x; cat 'y'", braces), "{ cd src; } >>nosuch; cat");
}

#[test]
fn a_substitution_gives_up_its_list() {
    let start = "echo a $( cd nosuch; cat ../outside/secret ) b";
    let found = line(start, |line| line.contains("cd nosuch; cat ../outside/secret"));
    assert_eq!(found, "cd nosuch; cat ../outside/secret");
}

#[test]
fn operators_become_semicolons_only_where_they_may() {
    let start = "cd a | pwd && ls ; true & cat x";
    let piped = |line: &str| in_order(line, &["cd", "|", "pwd"]) && !line.contains("||");
    assert_eq!(line(start, piped), "cd | pwd");
    let two = |line: &str| in_order(line, &["cd", "cat"]) && commands(line).len() > 1;
    assert_eq!(line(start, two), "cd; cat");
    assert_eq!(line("cd a\ncat b", two), "cd; cat");
    let and = |line: &str| two(line) && !line.contains(';');
    assert_eq!(line("cd a || cat b", and), "cd && cat");
}

#[test]
fn paths_lose_components_and_become_relative() {
    let escape = |line: &str| line.contains("proj-evil/secret");
    assert_eq!(line("cat /case/proj-evil/secret", escape), "proj-evil/secret");
    let kept = |line: &str| line.starts_with("cat /") && line.contains("proj-evil/secret");
    assert_eq!(line("cat /case/./proj/../proj-evil/secret", kept), "cat /proj-evil/secret");
    let up = |line: &str| line.contains("cat ../proj-evil/secret") || line.contains("cat /case");
    assert_eq!(line("cat /case/proj-evil/secret", up), "cat ../proj-evil/secret");
}

#[test]
fn quotes_go_unless_they_are_the_point() {
    assert_eq!(line(r#"c\at "a b""#, |line| line.contains("a b")), "\"a b\"");
    assert_eq!(line("cat 'a b'", |line| line.contains("a b")), "\"a b\"");
    assert_eq!(
        line(r#"'cat' "..""/outside""#, |l| l.replace('"', "").contains("at' ../o")),
        "'cat' ../outside"
    );
}

#[test]
fn the_tree_keeps_only_what_matters() {
    let planted = tree([
        file("proj/readme.md", "hello"),
        file("proj/src/lib/deep/file.rs", "fn main() {}"),
        dir("proj/empty"),
        link("proj/src/lib/odd name", "/case/outside/deep/down"),
        link("proj/loop", "loop"),
        file("outside/deep/down/ünïcode", "marker:7"),
    ]);
    let start = Case::new("ls; cat 'src/lib/odd name/ünïcode' > /dev/null", planted);
    let has_link_out = |case: &Case| {
        let mut links = case.tree.entries().filter_map(|(path, node)| match node {
            Node::Link { to } => Some((path, to)),
            _ => None,
        });
        let line = case.line.lossy().into_owned();
        links.any(|(path, to)| {
            let name = path.to_string().rsplit('/').next().unwrap().to_owned();
            to.lossy().contains("outside") && line.contains("cat") && line.contains(&name)
        })
    };
    let found = minimum(&start, has_link_out);
    assert_eq!(found.line.to_string(), "cat link");
    assert_eq!(found.tree, tree([link("proj/link", "outside")]));
}

#[test]
fn a_name_changes_in_the_line_the_tree_and_the_environment_at_once() {
    let planted = tree([
        dir("proj/pkg-7"),
        link("proj/pkg-7/~odd", "../../outside/dätä"),
        file("outside/dätä/x y", "marker:1"),
    ]);
    let mut start = Case::new("cd pkg-7 && cat '~odd'/x\\ y", planted);
    start.env.insert("CDPATH".to_owned(), Some(Text::from("/case/proj/pkg-7:/nowhere")));
    // A walk by hand: the word names the link and the file behind it, wherever they stand.
    let escapes = |case: &Case| {
        let names = |node_is: fn(&Node) -> bool| {
            case.tree
                .entries()
                .find(|(_, node)| node_is(node))
                .map(|(path, _)| path.to_string().rsplit('/').next().unwrap().to_owned())
        };
        let Some(link) = names(|node| matches!(node, Node::Link { .. })) else { return false };
        let Some(file) = names(|node| matches!(node, Node::File { .. })) else { return false };
        let line = case.line.lossy().replace(['\'', '"', '\\'], "");
        line.contains(&format!("cat {link}/{file}")) && case.env.contains_key("CDPATH")
    };
    let found = minimum(&start, escapes);
    assert_eq!(found.line.to_string(), "cat link/secret");
    let names: Vec<String> = found.tree.entries().map(|(path, _)| path.to_string()).collect();
    assert_eq!(names, ["outside/secret", "proj/link"]);
    assert_eq!(found.env, Env::from([("CDPATH".to_owned(), Some(Text::default()))]));
}

#[test]
fn the_setting_becomes_the_usual_one() {
    let mut start = Case::new("pwd; cat x", tree([dir("proj/a/b")]));
    start.cwd = path("proj/a/b");
    start.pwd = Some(Text::from("/case/proj/a/./b"));
    start.env.insert("HOME".to_owned(), None);
    start.env.insert("CDPATH".to_owned(), Some(Text::from("/case/outside:.")));
    start.invocation = Invocation::Eval;
    let found = minimum(&start, |case| case.line.lossy().contains("cat"));
    assert_eq!(found, Case { shells: found.shells, ..Case::new("cat", TreeSpec::default()) });

    let cdpath = |case: &Case| matches!(case.env.get("CDPATH"), Some(Some(v)) if !v.is_empty());
    let found = minimum(&start, |case| cdpath(case) && !case.line.is_empty());
    assert_eq!(found.env.len(), 1);
    assert!(found.env.contains_key("CDPATH"));
}

#[test]
fn shells_go_one_by_one_and_never_all() {
    let start = Case::new("cat x", TreeSpec::default());
    let found = minimum(&start, |case| !case.line.is_empty());
    assert_eq!(found.shells.iter().count(), 1);
    let in_zsh = |case: &Case| case.shells.contains(Shell::Zsh) && !case.line.is_empty();
    assert_eq!(minimum(&start, in_zsh).shells, Shells::only(Shell::Zsh));
    let kept = |case: &Case| case.shells == Shells::ALL && !case.line.is_empty();
    assert_eq!(minimum(&start, kept).shells, Shells::ALL);
}

#[test]
fn a_start_that_is_not_interesting_is_refused() {
    let start = Case::new("cd nosuch; cat x", TreeSpec::default());
    let mut asked = 0;
    let outcome = run(&start, |_| {
        asked += 1;
        false
    });
    assert_eq!(outcome, Err(MinimiseError::NotInteresting));
    assert_eq!(asked, 1);
}

#[test]
fn what_holds_of_an_empty_line_is_refused() {
    let start = Case::new("cd nosuch; cat x", TreeSpec::default());
    assert_eq!(run(&start, |_| true), Err(MinimiseError::BecameTrivial));
    let empty = Case::new(" # nothing", TreeSpec::default());
    assert_eq!(run(&empty, |case| *case == empty), Err(MinimiseError::BecameTrivial));
}

#[test]
fn a_result_that_changes_its_answer_is_refused() {
    let start = Case::new("cat", TreeSpec::default());
    let mut asked = 0;
    let outcome = run(&start, |case| {
        asked += usize::from(*case == start);
        *case == start && asked < 3
    });
    assert_eq!(outcome, Err(MinimiseError::Flaky { case: Box::new(start.clone()), rerun: 2 }));
}

#[test]
fn an_error_of_the_predicate_is_passed_on() {
    let start = Case::new("cd nosuch; cat x", TreeSpec::default());
    let mut asked = 0;
    let outcome = minimise(
        &start,
        Limits::default(),
        &mut |_| {
            asked += 1;
            if asked < 3 { Ok(asked == 1) } else { Err("no shell") }
        },
        &mut |_| {},
    );
    assert_eq!(outcome, Err(MinimiseError::Predicate("no shell")));
    assert_eq!(asked, 3);
}

#[test]
fn the_step_limit_ends_the_search_with_the_best_so_far() {
    let start = Case::new("pwd; ls; cd nosuch; cat a b c d; echo e f", TreeSpec::default());
    let wanted = |case: &Case| case.line.lossy().contains("cat");
    let all = run(&start, wanted).unwrap();
    for steps in 0..all.steps {
        let limits = Limits { steps, reruns: 1 };
        let mut asked = 0;
        let found = minimise::<Infallible>(
            &start,
            limits,
            &mut |case| {
                asked += 1;
                Ok(wanted(case))
            },
            &mut |_| {},
        )
        .unwrap();
        assert!(!found.exhausted, "{steps} steps are not enough");
        assert_eq!((found.steps, asked), (steps, steps + 2));
        assert!(wanted(&found.case));
    }
}

#[test]
fn progress_is_told_of_each_smaller_case() {
    let start = Case::new("pwd; ls; cd nosuch && cat 'x'", TreeSpec::default());
    let mut told = vec![start.clone()];
    let result = minimise::<Infallible>(
        &start,
        Limits::default(),
        &mut |case| Ok(in_order(&case.line.lossy(), &["cd", "cat"])),
        &mut |case| told.push(case.clone()),
    )
    .unwrap();
    assert!(told.windows(2).all(|pair| compare(&pair[1], &pair[0]) == Ordering::Less));
    assert_eq!(told.last(), Some(&result.case));
}
