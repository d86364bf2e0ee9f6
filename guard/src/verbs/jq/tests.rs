//! Filters that only compute, and those that reach further. jq itself is asked in
//! `tests/verbs_languages.rs`.

use super::filter::only_computes;
use proptest::prelude::*;
use std::time::{Duration, Instant};

// tidy: table
#[rustfmt::skip]
const COMPUTING: &[&str] = &[
    "", ".", ".a", ".a.b[0]", ".[]", ".cells[1].outputs[]?.text // empty", "..", ".[\"a b\"]", ".\"a\"",
    ".cells[1].outputs[] | (.text // [] | join(\"\"))", "{session_id, files_touched, b: .c}", ".env", ".a.env.b",
    "{env: 1}", "{\"env\": .env}", "map(select(.a == \"env\"))", "\"\\(.a): \\(.b | tostring)\"", "@sh \"x \\(.a)\"",
    "def f(g; $x): g + $x; f(.a; 1)", "reduce .[] as $x (0; . + $x)", ". as {a: $b, c: [$d]} | $b", "[.[] | -1.5e3]",
    "to_entries | map(\"\\(.key)=\\(.value)\") | .[]", "if .a then 1 elif .b then 2 else 3 end", ".a |= . + 1",
    ".[2:4]", "input_filename", "[inputs]", "$__loc__", "# env\n.a", "limit(3; .[])", "try error catch .", "$v | .[$k]",
    "sort_by(.a) | group_by(.b)[] | length", ".a?//.b", "{(.a): .b, \"c\\(.d)\": 1}", "@base64d", "$ENVX", ".ENV", "1.5",
];

// tidy: table
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "env", "env.HOME", "$ENV", "$ENV.HOME", "$ ENV", "$#\nENV", "\"\\(env)\"", "\"\\(\"\\(env)\")\"", "{a: env}", "{env}",
    "{a: if . then 1, env else 2 end}", "{a: 1, env}", "{a: (1, env)}", "[.[] | env]", "1.env", ". env", "..env", "import \"a\" as b; .",
    "include \"a\"; .", "modulemeta", "get_search_list", "$__prog_args", "a::env", "$a::b", "def env: 1; env", "nosuch",
    "# \\\nenv", "# \r env", "@", "$", "(", "\"", "{", "\"\\(", "]", "{a]", ".a & .b", "'a'", "`a`", "~", "\\", "é", "input_secret",
];

#[test]
fn filters_that_only_compute_are_taken() {
    for filter in COMPUTING {
        assert!(only_computes(filter.as_bytes()), "{filter:?}");
    }
}

#[test]
fn other_filters_are_not() {
    for filter in OTHERS {
        assert!(!only_computes(filter.as_bytes()), "{filter:?}");
    }
}

#[test]
fn names_are_sorted() {
    assert!(super::filter::NAMES.is_sorted());
}

#[test]
fn time_is_linear() {
    for part in [
        "(", "[", "{", "\"\\(", "\"", "a ", "def a:", "# \n", ".a", "$ ", "env ", "1e", " ", "{a,",
        "@a",
    ] {
        let filter = part.repeat((64 << 10) / part.len());
        let once = || {
            let start = Instant::now();
            only_computes(std::hint::black_box(filter.as_bytes()));
            start.elapsed()
        };
        let took = (0..5).map(|_| once()).min().unwrap_or_default();
        assert!(took < Duration::from_millis(100), "{part:?}: {took:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_read(filter in prop::collection::vec(any::<u8>(), 0..60)) {
        only_computes(&filter);
    }

    /// Whatever stands around it, outside of texts.
    #[test]
    fn nothing_hides_the_environment(
        before in "[a-z0-9 (),;{}+=<>!?:|\n\\[\\]-]{0,20}",
        after in "[ -9;-~]{0,20}",
    ) {
        for part in ["env", "$ENV", "import \"a\" as b;", "modulemeta"] {
            let filter = format!("{before} {part} {after}");
            prop_assert!(!only_computes(filter.as_bytes()), "{filter:?}");
        }
    }
}
