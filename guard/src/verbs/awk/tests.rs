//! Programs that only print, and those that do more. The tools themselves are asked in
//! `tests/verbs_languages.rs`.

use super::program::{FUNCTIONS, KEYWORDS, REFUSED, only_prints};
use proptest::prelude::*;
use std::time::{Duration, Instant};

// tidy: table
#[rustfmt::skip]
const PRINTING: &[&str] = &[
    "", "1", "{print $1}", "{ print $1, $NF }", "$1 > 5", "$1>5{print}", "NR==1,NR==5",
    "/a/,/b/", "!/a/", "!seen[$0]++", "BEGIN{FS=\",\";OFS=\"\\t\"} {print $2}", "END { print NR }",
    "{ s += $1 } END { print s, s/NR }", "/a/{f=1} /b/{f=0} f", "$2 ~ /^[a-z]+$/ {print $1}",
    "$0 !~ /\\/x/", "length > 80", "length($0) > 80 { print FILENAME\":\"FNR\": \"$0 }",
    "{ print (a > b) ? \"x\" : \"y\" }", "{ print substr($0, 1 > 2) }", "{printf(\"%d\\n\", 1>2)}",
    "{ if ($1 > 5) print; else if ($2 >= 3) { print \"b\" } }", "{ if (a > b)\nprint\nx > y }",
    "{ for (i = 1; i <= NF; i++) if ($i ~ /x/) print $i }", "{ for (k in a) delete a[k] }",
    "{ while (i < 5) i++; do { i-- } while (i > 0) }", "function f(a, b) { return a > b }\n{ print f(1, 2) }",
    "BEGIN { print ENVIRON[\"HOME\"] }", "{ gsub(/[[:space:]]+/, \" \") } 1", "{ n = split($0, a, /[,;]/) }",
    "{ print a, b; c > d }", "{ print a\nc > d }", "{ print } $1 > 5 { next }", "# \"comment'\n{print}",
    "{ print a,\n  b }", "a &&\nb", "{ x = $1 / 2; y /= 3; z = (a) / b / c[1] / 4 }", "$1 ~ /=/",
    "{ print $1 \\\n, $2 }", "{ print \"system(\\\"id\\\") | getline > f\" }", "/system|getline > x/",
    "BEGIN { PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; for (k in a) print k }",
    "{ print -1 + 1.5e3 .5 }", "{ printf \"%s\\n\", $1 }", "{ a[$1, $2]++ } ($1, $2) in a", "{ exit(1) }", "NF", "{ $1 = \"\"; print }", "{ print /a/ ? 1 : 2 }", "/é\"/ { print \"é\" }",
];

// tidy: table
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    // They run, read and write.
    "BEGIN{system(\"id\")}", "{system (\"id\")}", "{print > \"f\"}", "{print >> \"f\"}", "{print | \"sh\"}",
    "{print |& \"sh\"}", "{\"id\" | getline}", "{getline}", "{getline x < \"f\"}", "BEGIN{while((getline l<\"f\")>0)print l}",
    "{print a > b}", "{print(a)(b) > c}", "{print (a, b) > c}", "{print a[b > c]}", "{printf \"x\" > \"f\"}",
    "{print a, b > c}", "{print a,\nb > c}", "{print a &&\n b > c}", "{for (print > \"f\";;) x}", "{print a ? b : c > d}",
    "{if (x) print > \"f\"}", "{print(a > b) > c}", "{print a >= \"f\"}", "{print}\n> \"f\"", "{print} > \"f\"", "{print; > \"f\"}", "@include \"f\"\n{print}", "@load \"f\"",
    "{f = \"system\"; @f(\"id\")}", "function f() {system(\"id\")} {f()}", "{print{print > \"f\"}}",
    // Arrays that change what is read, or say more.
    "BEGIN{ARGV[1]=\"f\"}", "BEGIN{ARGC=2}", "{print ENVIRON[\"API_KEY\"]}", "{for(k in ENVIRON)print ENVIRON[k]}",
    "{f(ENVIRON)}", "{ENVIRON[\"A\"]=1}", "{ENVIRON[\"A\"]++}", "{++ENVIRON[\"A\"]}", "{delete ENVIRON[\"A\"]}",
    "{for (ENVIRON[\"A\"] in b) c}", "{print ENVIRON[\"A\" \"B\"]}", "{print ENVIRON[x]}", "{SYMTAB[\"ARGC\"]=1}",
    "{PROCINFO[\"x\",\"pty\"]=1}", "{split(x, ARGV)}", "function f(ARGV) {}", "{print _\"x\"}",
    // Awks read them differently.
    "/[/]/", "/[]/]/", "/[^/]/ || 1", "{i++ /system(\"id\")/ 1}", "{if (x) /y/}", "length /x/ 2", "/[/] { print \"/\"}", "{print /a/ /b/}",
    "# x \\\n{print}", "{print \"a\\\nb\"}", "/a\nb/", "{print 0x1f}", "{print 1.2.3}", "a ** b", "{switch (a) {case 1: b}}",
    "func f() {}", "BEGINFILE{}", "{f()}", "{f (1)} function f(a) {}", "{awk::system(\"id\")}", "{print a\r}", "/\u{c3}[/", "{a;\u{a0}b}",
    // No awk reads them.
    "{", "}", "(", "{print (}", "{a]}", "'", "{print `id`}", "\"", "/", "{a & b}", "{$/x/}", "{print \"a}", "{(a\n)}", "{a +\nb}",
];

#[test]
fn programs_that_only_print_are_taken() {
    for program in PRINTING {
        assert!(only_prints(program.as_bytes()), "{program:?}");
    }
}

#[test]
fn other_programs_are_not() {
    for program in OTHERS {
        assert!(!only_prints(program.as_bytes()), "{program:?}");
    }
    // A backslash that is half of a character where locales have such.
    assert!(!only_prints(b"{ print \"\x95\\\" }"));
}

#[test]
fn names_are_sorted() {
    assert!([FUNCTIONS, REFUSED, KEYWORDS].iter().all(|list| list.is_sorted()));
}

/// How long this program takes, at best.
fn time(program: &[u8]) -> Duration {
    let once = || {
        let start = Instant::now();
        only_prints(std::hint::black_box(program));
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}

/// Twice the length must not be four times the time: no program of the longest line is slow.
#[test]
fn time_is_linear() {
    for part in [
        "(",
        "[",
        "{",
        "/[",
        "/[[:",
        "a/b;",
        "/a/;",
        "\"a\" ",
        "# \n",
        "length ",
        "f(",
        "print a,\n",
        "function f(a){}\n",
        "a\\\n",
        "print(a>b);",
        "ENVIRON[\"A\"];",
        "/[a\\]",
        "x",
        " ",
        "{}",
        "if(",
        "f(1);function f(a){};",
    ] {
        let program = part.repeat((64 << 10) / part.len());
        let took = time(program.as_bytes());
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
    fn any_bytes_are_read(program in prop::collection::vec(any::<u8>(), 0..60)) {
        only_prints(&program);
    }

    /// Whatever stands around it, what runs or writes is not taken, unless it is text.
    #[test]
    fn nothing_hides_a_pipe(
        before in "[a-z0-9$ (),;{}+=<>!~?:&|\n\\[\\]-]{0,20}",
        after in "[ -~\n]{0,20}",
    ) {
        for part in ["system", "getline", "|", "@", "ARGV", ">>"] {
            let program = format!("{before} {part} {after}");
            prop_assert!(!only_prints(program.as_bytes()), "{program:?}");
        }
    }
}
