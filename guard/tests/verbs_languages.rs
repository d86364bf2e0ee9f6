//! Programs of `awk` and filters of `jq` against the tools: what the catalogue takes reads nothing
//! but its operands, and writes and runs nothing.
//!
//! All awks that are installed are asked, in a scratch directory. What a program could do there if
//! it were wrongly taken is harmless: it makes or reads a file of that directory.

mod random;

use random::Random;
use shfence::verbs::{self, Word};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands in a file that is no operand, and in the environment.
const CANARY: &str = "canary7";

/// The awks, each with the word that starts it.
const AWKS: &[&[&str]] = &[&["mawk"], &["gawk"], &["original-awk"], &["busybox", "awk"]];

fn is_taken(argv: &[&str]) -> bool {
    let words: Vec<Word<'_>> = argv.iter().map(|word| Word::Is(word.as_bytes())).collect();
    let verb = verbs::find(argv[0].as_bytes()).expect("it is declared");
    verbs::uses(&verb, &words).is_ok()
}

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn plant() -> Scratch {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let write = |name: &str, text: String| {
            fs::write(scratch.path().join(name), text).expect("it can be written");
        };
        write("a", "3 a/b x\n1 \"b\" y\n".to_owned());
        write("a.json", "{\"a\": [1, {\"b\": \"x\"}], \"env\": 2}\n".to_owned());
        write("secret", format!("{CANARY}\n"));
        write("m.jq", format!("def x: \"{CANARY}\";\n"));
        write("m.json", format!("\"{CANARY}\"\n"));
        Scratch(scratch)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("it can be listed").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs a command. Did it touch more than it may, and was it content with what it was given?
    fn run(&self, argv: &[&str]) -> Ran {
        let before = self.names();
        let output = Command::new("timeout")
            .arg("1")
            .args(argv)
            .current_dir(self.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .env("API_TOKEN", CANARY)
            .stdin(Stdio::null())
            .output()
            .expect("timeout is installed");
        assert_ne!(output.status.code(), Some(127), "{argv:?} is installed");
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        let after = self.names();
        for new in after.iter().filter(|name| !before.contains(name)) {
            fs::remove_file(self.path().join(new)).expect("it is a file");
        }
        let reached = after != before || said.contains(CANARY);
        Ran { reached, worked: output.status.success() }
    }
}

struct Ran {
    reached: bool,
    worked: bool,
}

/// Programs that awks run, and what they do then.
// tidy: table
#[rustfmt::skip]
const HOSTILE_AWK: &[(&str, &[&str])] = &[
    ("{system(\"touch new\")}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print > \"new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print \"a\" >> \"new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print (1)(2) > \"new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print 1,\n2 > \"new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{printf(\"%s\", $1) > \"new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print | \"touch new\"}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{print |& \"touch new\"}", &["gawk"]),
    ("{\"touch new\" | getline x}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("{getline x < \"secret\"; print x}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("BEGIN{ARGV[1]=\"secret\"} 1", &["mawk", "gawk", "original-awk", "busybox"]),
    ("BEGIN{print ENVIRON[\"API_TOKEN\"]}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("BEGIN{for (k in ENVIRON) print ENVIRON[k]}", &["mawk", "gawk", "original-awk", "busybox"]),
    ("BEGIN{f=\"system\"; @f(\"touch new\")}", &["gawk"]),
    ("BEGIN{for (print 1 > \"new\"; i < 1; i++) x}", &["gawk", "original-awk"]),
    ("BEGIN{SYMTAB[\"ARGC\"] = 2; split(\"x secret\", SYMTAB[\"ARGV\"])} 1", &[]),
    ("/[/]/; system(\"touch new\") ; \"/\"", &["mawk", "gawk"]),
];

#[test]
fn awks_do_what_is_refused() {
    let scratch = Scratch::plant();
    for (program, awks) in HOSTILE_AWK {
        assert!(!is_taken(&["awk", program, "a"]), "{program:?}");
        for awk in *awks {
            let argv: &[&str] = if *awk == "busybox" { &["busybox", "awk"] } else { &[awk] };
            let ran = scratch.run(&[argv, &[program, "a"]].concat());
            assert!(ran.reached, "{awk} does nothing with {program:?}");
        }
    }
}

#[test]
fn awks_do_nothing_with_what_is_taken() {
    compare_awk(150, 5);
}

#[test]
#[ignore = "minutes: for the night"]
fn awks_do_nothing_with_what_is_taken_for_long() {
    compare_awk(6_000, 17);
}

/// Runs as many programs that are taken, and each in every awk.
fn compare_awk(count: usize, seed: u64) {
    let scratch = Scratch::plant();
    let mut random = Random(seed);
    let (mut taken, mut worked) = (0, 0);
    while taken < count {
        let program = mutated(awk_program(&mut random), AWK_PARTS, &mut random);
        if !is_taken(&["awk", &program, "a"]) {
            continue;
        }
        taken += 1;
        for awk in AWKS {
            let ran = scratch.run(&[awk, &[program.as_str(), "a"][..]].concat());
            assert!(!ran.reached, "{awk:?} reaches more with {program:?}");
            worked += usize::from(ran.worked);
        }
    }
    // Most of them must be programs, or nothing is shown.
    assert!(worked * 2 > count * AWKS.len(), "{worked} of {count} programs ran");
}

/// What a slash may follow. If it began a regular expression there, the program would make a file.
// tidy: table
#[rustfmt::skip]
const BEFORE_SLASH: &[&str] = &[
    "1", "1.5", "x", "$1", "$NF", "NR", "\"a\"", "a[1]", "(x)", "f(1)", "substr(x, 1)", "length(x)", "-x", "++x", "$x", "!x",
    "1 x", "x \"a\"", "(1) (x)", "ENVIRON[\"HOME\"]", "a[1, 2]", "x ? 1 : x", "x % 1", "x\\\n", "1 in a", "x in a",
];

#[test]
fn a_slash_divides_where_it_is_said_to() {
    let scratch = Scratch::plant();
    let mut worked = 0;
    for operand in BEFORE_SLASH {
        let program = format!(
            "BEGIN {{ x = {operand} / \"1/ ; system(\"touch new\") ; y = \" / 1 # \"\n}}\n\
             function f(x) {{ return x }}"
        );
        assert!(is_taken(&["awk", &program]), "{program:?}");
        for awk in AWKS {
            let ran = scratch.run(&[awk, &[program.as_str()][..]].concat());
            assert!(!ran.reached, "{awk:?} reaches more with {program:?}");
            worked += usize::from(ran.worked);
        }
    }
    assert!(worked > 2 * BEFORE_SLASH.len(), "{worked} programs ran");
}

/// What may come into a program anywhere: what would do something, and what could hide it.
// tidy: table
#[rustfmt::skip]
const AWK_PARTS: &[&str] = &[
    " > \"new\"", ";print > \"new\"", "system(\"touch new\")", "|", " | \"touch new\"", "/", "\"", "\\", "(", ")", "\n",
    ";", "{", "}", "[", "]", "#", "#\"\n", "/[/]/", "/\"/", "\"/\"", "++", ",", " getline x < \"secret\"; print x;", " > ", "print ",
    "ENVIRON[\"API_TOKEN\"]", "if (x) ", "length ", "/ ", "/=/", "$", "!", "?", ":", "=", "in a", "1", "x", "\\\n", " ",
];

fn awk_program(random: &mut Random) -> String {
    (0..1 + random.below(2)).map(|_| awk_item(random)).collect::<Vec<_>>().join("\n")
}

fn awk_item(random: &mut Random) -> String {
    let pattern = match random.below(6) {
        0 => "BEGIN".to_owned(),
        1 => "END".to_owned(),
        2 => awk_value(random, 2),
        3 => "NR==1,/b/".to_owned(),
        _ => String::new(),
    };
    let statements: Vec<_> = (0..1 + random.below(3)).map(|_| awk_statement(random, 2)).collect();
    format!("{pattern} {{ {} }}", statements.join(random.pick(&["; ", "\n"])))
}

fn awk_statement(random: &mut Random, depth: usize) -> String {
    let value = awk_value(random, 2);
    match random.below(if depth == 0 { 5 } else { 9 }) {
        0 | 1 => format!("print {value}, {}", awk_value(random, 1)),
        2 => format!("x = {value}"),
        3 => format!("printf \"%s/\\n\", ({value} > {})", awk_value(random, 1)),
        4 => format!("print({value})"),
        5 => format!("if ({value}) {}", awk_statement(random, depth - 1)),
        6 => format!("if ({value}) {{ {} }} else x++", awk_statement(random, depth - 1)),
        7 => format!("for (i = 0; i < 2; i++) {{ {} }}", awk_statement(random, depth - 1)),
        _ => format!("gsub(/[a\\/]/, \"\\\"\"); {}", awk_statement(random, depth - 1)),
    }
}

// tidy: table
#[rustfmt::skip]
const AWK_VALUES: &[&str] = &[
    "1", "x", "$1", "$NF", "\"a\"", "\"/\"", "\"\\\"\"", "NR", "a[1]", "length", "length($0)", "/a/", "/\"/", "/\\//", "/=/", "/[]a]/", "i++",
    "\"; system(\\\"touch new\\\")\"", "/ > \"new\"/", "!/b/", "substr($0, 1, 2)", "($1 > 1)", "1.5", "-x", "ENVIRON[\"HOME\"]", "(1 in a)",
];

fn awk_value(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(2) == 0 {
        return random.pick(AWK_VALUES).to_owned();
    }
    let operator = random
        .pick(&[" ", " / ", "/", " + ", " - ", "==", " && ", " || ", " < ", " % ", " ~ ", "\\\n"]);
    let (left, right) = (awk_value(random, depth - 1), awk_value(random, depth - 1));
    match random.below(4) {
        0 => format!("({left}{operator}{right})"),
        1 => format!("({left}) ? {right} : x"),
        _ => format!("{left}{operator}{right}"),
    }
}

/// The same, or with some part in some place, or without some of it.
fn mutated(mut text: String, parts: &[&str], random: &mut Random) -> String {
    for _ in 0..random.below(3) {
        let at = random.below(text.len() + 1);
        if random.below(3) == 0 && at < text.len() {
            text.remove(at);
        } else {
            text.insert_str(at, random.pick(parts));
        }
    }
    text
}

// tidy: table
#[rustfmt::skip]
const HOSTILE_JQ: &[&str] = &[
    "env", "env.API_TOKEN", "$ENV.API_TOKEN", "$ ENV", "$ENV|tostring", "{a: env}", "[.[]?, env]",
    "\"\\(env)\"", "@json \"\\($ENV)\"", "import \"m\" as m {search: \"./\"}; m::x", "include \"m\" {search: \"./\"}; x",
    "import \"m\" as $m {search: \"./\"}; $m",
];

#[test]
fn jq_does_what_is_refused() {
    let scratch = Scratch::plant();
    for filter in HOSTILE_JQ {
        assert!(!is_taken(&["jq", "-c", filter, "a.json"]), "{filter:?}");
        assert!(scratch.run(&["jq", "-c", filter, "a.json"]).reached, "{filter:?} does nothing");
    }
    for words in [&["-L", ".", "import \"m\" as m; m::x", "a.json"][..], &["-Rf", "m.jq", "a.json"]]
    {
        assert!(!is_taken(&[&["jq"], words].concat()), "{words:?}");
    }
}

/// What jq has, the catalogue has, or refuses.
#[test]
fn the_functions_of_jq_are_known() {
    let list = Command::new("jq").args(["-rn", "builtins[]"]).output().expect("jq is installed");
    let list = String::from_utf8(list.stdout).expect("they are ASCII");
    let refused: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_once('/'))
        .filter(|(name, arity)| {
            let arguments = vec!["1"; arity.parse().expect("it is a number")].join(";");
            let call = if arguments.is_empty() {
                (*name).to_owned()
            } else {
                format!("{name}({arguments})")
            };
            !is_taken(&["jq", &call])
        })
        .map(|(name, _)| name)
        .collect();
    let expected = ["env", "get_jq_origin", "get_prog_origin", "get_search_list", "modulemeta"];
    assert!(refused.iter().all(|name| expected.contains(name)), "{refused:?}");
    assert!(refused.contains(&"env"));
}

#[test]
fn jq_reaches_nothing_with_what_is_taken() {
    let scratch = Scratch::plant();
    let mut random = Random(23);
    let (mut taken, mut worked) = (0, 0);
    while taken < 400 {
        let filter = mutated(jq_filter(&mut random, 3), JQ_PARTS, &mut random);
        if !is_taken(&["jq", "-c", &filter, "a.json"]) {
            continue;
        }
        taken += 1;
        let ran = scratch.run(&["jq", "-c", &filter, "a.json"]);
        assert!(!ran.reached, "jq reaches more with {filter:?}");
        worked += usize::from(ran.worked);
    }
    assert!(worked * 4 > taken, "{worked} of {taken} filters ran");
}

// tidy: table
#[rustfmt::skip]
const JQ_PARTS: &[&str] = &[
    "env", "$ENV", "$", ".", "\"", "\\", "\\(", "(", ")", "{", "}", "[", "]", ",", ":", "|", "#", "\n", "# \\\n", " ", "env.API_TOKEN",
    "import \"m\" as m {search:\"./\"}; m::x", "?", ", env", "1", "if . then 1, env else 2 end", "@json ", "..", "ENV", "1.", "def env: 1;",
];

// tidy: table
#[rustfmt::skip]
const JQ_VALUES: &[&str] = &[
    ".", ".a", ".env", "1", "\"x\"", ".a[1].b", "$__loc__", "\"\\(.env)\"", ".[]?", "..", "length", "keys?", "input_filename", "{env: 1}",
    "{\"env\": .env}", "tostring", "\"\\\"env\"", "@base64 \"x\\(.a)\"", "1e3", ".5", "empty", "[inputs]", "now",
];

fn jq_filter(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(3) == 0 {
        return random.pick(JQ_VALUES).to_owned();
    }
    let (left, right) = (jq_filter(random, depth - 1), jq_filter(random, depth - 1));
    match random.below(8) {
        0 => format!("[{left}, {right}]"),
        1 => format!("{{a: ({left}), b: 1, env: ({right})}}"),
        2 => format!("if {left} then {right} else . end"),
        3 => format!("({left}) as $x | {right}"),
        4 => format!("\"a\\({left})b\""),
        5 => format!("def f(g): g; f({left})"),
        6 => format!("try ({left}) catch ({right})"),
        _ => format!("{left} | {right}"),
    }
}
