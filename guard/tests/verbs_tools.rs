//! The catalogue against the tools: what a tool opens, and looks at, its declaration names.
//!
//! Random options and operands of the declared ones, in a scratch directory, watched with strace:
//! GNU's tools, the same as POSIX has them, and busybox's. All of it reads.

mod random;
mod traced;

use random::Random;
use shfence::verbs::{self, Grammar, Meaning, Opt, Options, Texts, Uses, Value, Verb, Word};
use std::process::Command;
use traced::{Scratch, Touch};

/// Verbs whose operands are files.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    "cat", "cksum", "cmp", "column", "comm", "cut", "date", "df", "diff", "du", "expand", "file",
    "fmt", "fold", "grep", "head", "hexdump", "join", "ls", "md5sum", "nl", "od", "paste",
    "readlink", "realpath", "rev", "sed", "sha1sum", "sha256sum", "sort", "stat", "strings", "tac",
    "tail", "unexpand", "uniq", "wc", "xxd",
    // Where they are installed.
    "fd", "fdfind", "rg", "tree",
];

/// Options that do not end.
const ENDLESS: &[&str] = &["-f", "-F", "--follow", "--retry", "-s", "--sleep-interval"];

const OPERANDS: &[&str] = &[
    "a",
    "b",
    "dir",
    "dir/c",
    "link",
    "dirlink",
    "dirlink/c",
    "outside",
    "outside/secret",
    "-",
    "nosuch",
    "-n",
    "./-n",
    "+5",
    "dir/in",
    ".",
    "5",
    "--",
    "..",
];

/// The words of one command, without its name.
fn command(verb: &Verb<'_>, options: &Options, random: &mut Random) -> Vec<String> {
    let endless = |option: &&Opt| verb.name == "tail" && ENDLESS.contains(&&*option.name);
    let usable: Vec<&Opt> = options.options.iter().filter(|option| !endless(option)).collect();
    let first = options.operands.first.iter().filter(|it| !matches!(it, Meaning::Path { .. }));
    let mut words: Vec<String> = first.map(|meaning| value(meaning, random)).collect();
    for _ in 0..random.below(6) {
        if usable.is_empty() || random.below(2) == 0 {
            words.push(random.pick(OPERANDS).to_owned());
        } else {
            words.extend(spelled(random.pick(&usable), random));
        }
    }
    words
}

/// An option and its value, in one of the ways to write them.
fn spelled(option: &Opt, random: &mut Random) -> Vec<String> {
    let equals = if option.name.starts_with("--") { "=" } else { "" };
    match &option.value {
        Value::None => vec![option.name.to_string()],
        Value::One(meaning) => {
            let value = value(meaning, random);
            match random.below(2) {
                0 => vec![option.name.to_string(), value],
                _ => vec![format!("{}{equals}{value}", option.name)],
            }
        }
        Value::Optional(meaning) | Value::Attached(meaning) => match random.below(2) {
            0 => vec![option.name.to_string()],
            _ => vec![format!("{}{equals}{}", option.name, value(meaning, random))],
        },
    }
}

/// One of these words.
fn pick<'t>(words: &'t Texts, random: &mut Random) -> &'t str {
    words.get(random.below(words.len())).expect("there are so many")
}

fn value(meaning: &Meaning, random: &mut Random) -> String {
    match meaning {
        Meaning::SedScript => {
            random.pick(&["p", "$p", "2q", "s/a/b/g", "w a", "1{=;n;}"]).to_owned()
        }
        Meaning::OneOf(words) | Meaning::ListOf(words) => pick(words, random).to_owned(),
        Meaning::Path { .. } => random.pick(OPERANDS).to_owned(),
        _ => {
            random.pick(&["1", "2", "a", "b", ",", "x1", "dir", "-1", "outside/secret"]).to_owned()
        }
    }
}

/// What stands before a command, and in its environment.
type Launcher = (&'static [&'static str], &'static [(&'static str, &'static str)]);

/// The ways in which commands are run.
const LAUNCHERS: &[Launcher] =
    &[(&[], &[]), (&[], &[("POSIXLY_CORRECT", "1")]), (&["busybox"], &[])];

fn busybox_has(tool: &str) -> bool {
    let list = Command::new("busybox").arg("--list").output().expect("busybox is installed");
    String::from_utf8_lossy(&list.stdout).lines().any(|applet| applet == tool)
}

#[test]
fn tools_touch_what_the_catalogue_says() {
    compare(8, 7);
}

#[test]
#[ignore = "minutes: for the night"]
fn tools_touch_what_the_catalogue_says_for_long() {
    compare(100, 11);
}

/// Tries as many commands of each tool.
fn compare(tries: usize, seed: u64) {
    let scratch = Scratch::plant();
    let mut random = Random(seed);
    let (mut ran, mut touched) = (0, 0);
    for tool in TOOLS {
        let verb = verbs::find(tool.as_bytes()).expect("it is declared");
        let Grammar::Options(options) = &verb.entry.grammar else {
            panic!("{tool} has no options")
        };
        let in_busybox = busybox_has(tool);
        for _ in 0..tries {
            let words = command(&verb, options, &mut random);
            let with_name = std::iter::once(*tool).chain(words.iter().map(String::as_str));
            let read: Vec<Word<'_>> = with_name.map(|word| Word::Is(word.as_bytes())).collect();
            let Ok(uses) = verbs::uses(&verb, &read) else { continue };
            for (launcher, env) in LAUNCHERS {
                if !launcher.is_empty() && !in_busybox {
                    continue;
                }
                let argv: Vec<&str> = launcher
                    .iter()
                    .copied()
                    .chain(std::iter::once(*tool))
                    .chain(words.iter().map(String::as_str))
                    .collect();
                let Some(touches) = scratch.run(&argv, env) else { continue };
                ran += 1;
                touched += touches.len();
                // Who reads files upward looks for many that are not there.
                let upward = !verb.entry.upward.is_empty();
                for touch in touches.iter().filter(|it| !upward || it.path.exists()) {
                    check(&scratch, &uses, touch, &argv);
                }
            }
        }
    }
    // Enough that a tool cannot have escaped notice by never being run.
    assert!(ran > 15 * tries && touched > 25 * tries, "{ran} commands touched {touched} places");
}

// tidy: table
#[rustfmt::skip]
const FIND: &[&str] = &[
    "-L", "-H", "-P", ".", "dir", "outside", "dirlink", "nosuch", "link", "-name", "a", "*",
    "-type", "l", "f", "-newer", "b", "outside/secret", "-follow", "-xtype", "-print", "-ls",
    "-printf", "%p %Y", "-maxdepth", "1", "-depth", "!", "(", ")", "-o", "-empty", "-newermt", "-samefile",
    "-lname", "-size", "-prune", "-neweram", "-executable", "-delete", "-exec", "..",
];

#[test]
fn find_touches_what_is_said() {
    let scratch = Scratch::plant();
    let mut random = Random(3);
    let verb = verbs::find(b"find").expect("it is declared");
    let mut ran = 0;
    while ran < 250 {
        let words: Vec<&str> = (0..1 + random.below(6)).map(|_| random.pick(FIND)).collect();
        let argv: Vec<&str> = std::iter::once("find").chain(words).collect();
        let read: Vec<Word<'_>> = argv.iter().map(|word| Word::Is(word.as_bytes())).collect();
        let Ok(uses) = verbs::uses(&verb, &read) else { continue };
        let argv = if ran % 3 == 0 { [&["busybox"], &argv[..]].concat() } else { argv };
        for touch in scratch.run(&argv, &[]).expect("find is installed") {
            check(&scratch, &uses, &touch, &argv);
        }
        ran += 1;
    }
}

/// A verb, and words of its commands.
const LANGUAGES: &[(&str, &[&str])] = &[
    (
        "awk",
        &[
            "-F",
            ":",
            "-F:",
            "-v",
            "x=1",
            "-vx=1",
            "--",
            "{print}",
            "1",
            "a",
            "dir/in",
            "link",
            "outside/secret",
            "-",
            "nosuch",
            "a=b",
            "5=b",
            "./a=b",
            "dir",
            "-n",
        ],
    ),
    (
        "jq",
        &[
            "-r",
            "-nc",
            "--arg",
            "v",
            "--args",
            "--jsonargs",
            "--slurpfile",
            "--rawfile",
            "--",
            ".",
            "[inputs]",
            "a",
            "dir/in",
            "link",
            "outside/secret",
            "-",
            "nosuch",
            "--tab",
            "-s",
            "--indent",
            "2",
        ],
    ),
];

#[test]
fn languages_touch_what_is_said() {
    let scratch = Scratch::plant();
    let mut random = Random(29);
    for (name, words) in LANGUAGES {
        let verb = verbs::find(name.as_bytes()).expect("it is declared");
        let launchers: &[&[&str]] = match *name {
            "awk" => &[&["mawk"], &["gawk"], &["original-awk"], &["busybox", "awk"]],
            name => &[&[name]],
        };
        let (mut ran, mut touched) = (0, 0);
        while ran < 60 {
            let words: Vec<&str> = (0..1 + random.below(6)).map(|_| random.pick(words)).collect();
            let with_name = std::iter::once(name).chain(&words);
            let read: Vec<Word<'_>> = with_name.map(|word| Word::Is(word.as_bytes())).collect();
            let Ok(uses) = verbs::uses(&verb, &read) else { continue };
            let argv = [launchers[ran % launchers.len()], &words[..]].concat();
            for touch in scratch.run(&argv, &[]).expect("it is installed") {
                check(&scratch, &uses, &touch, &argv);
                touched += 1;
            }
            ran += 1;
        }
        assert!(touched > 10, "{name} touched {touched} places");
    }
}

fn check(scratch: &Scratch, uses: &Uses<'_>, touch: &Touch, argv: &[&str]) {
    let shown = || argv.join(" ");
    assert!(!touch.writes, "{} writes {}", shown(), touch.path.display());
    let named = uses.paths.iter().any(|it| scratch.names(it, touch));
    assert!(named, "{} touches {}, which is not in {uses:?}", shown(), touch.path.display());
}
