//! What is read, and what is not, where no shell is a `sh`.

use super::{c, show};
use crate::request::{Dialects, Invocation, Limits};
use crate::syntax::read;

/// What is read where no shell is a `sh`.
// tidy: table
#[rustfmt::skip]
const READ_WITHOUT_SH: &[(&str, &str)] = &[
    ("[[ -f a ]]", "{‹[[›‹-f›‹a›‹]]›}"),
    (
        "[[ a && ( b || ! -n $x ) ]] >f && c",
        "{‹[[›‹a›‹]]› && {‹[[›‹b›‹]]› || ! ‹[[›‹-n›‹«\"x»›‹]]›}}>‹f› && ‹c›",
    ),
    ("[[\n-f a\n&& b ==\tc*\n]]", "{‹[[›‹-f›‹a›‹]]› && ‹[[›‹b›‹==›‹c*›‹]]›}"),
    ("[[ $x =~ ^(a|b\\)){2}$ ]]", "{‹[[›‹«\"x»›‹=~›‹^(a|b)){2}$›‹]]›}"),
    ("[[ \"-f\" != [!a]*$x || a < b ]]", "{‹[[›‹-f›‹!=›‹[!a]*«\"x»›‹]]› || ‹[[›‹a›‹<›‹b›‹]]›}"),
    ("[[ a == $'\\'' ]]", "{‹[[›‹a›‹==›‹\\\'›‹]]›}"),
    ("if [[ $(a) != \"b c\" ]]; then d; fi", "if[{‹[[›‹«\"(‹a›)»›‹!=›‹b c›‹]]›} ? ‹d›]"),
    ("cat <(a b | c) -n <(d) >f", "‹cat›‹«<(‹a›‹b› | ‹c›)»›‹-n›‹«<(‹d›)»›>‹f›"),
    ("while read x; do a; done < <(b)", "while[‹read›‹x› ? ‹a›]<<‹«<(‹b›)»›"),
    ("a |& b", "‹a›&1 | ‹b›"),
    ("{ a; } 2>f |&\nb", "{‹a›}>‹f›&1 | ‹b›"),
    ("echo $'a\\'; ls #' $'\\e[1m'", "‹echo›‹a\\\'; ls #›‹\\x1b[1m›"),
];

#[test]
fn lines_are_read_as_trees_without_sh() {
    let without = Dialects { sh: false, ..Dialects::ALL };
    for (line, tree) in READ_WITHOUT_SH {
        match read(line.as_bytes(), Invocation::C, without, &Limits::default()) {
            Ok(list) => assert_eq!(show(&list), *tree, "{line:?}"),
            Err(stop) => panic!("{line:?} is refused at {:?}: {stop}", stop.span),
        }
        if !line.contains("$'") {
            assert!(c(line).is_err(), "{line:?} is read for sh as well");
        }
    }
}

/// What is not understood of `[[` and the like, whatever the shells.
// tidy: table
#[rustfmt::skip]
const REFUSED_WITHOUT_SH: &[&str] = &[
    "[[ ]]",
    "[[ a",
    "[[ a ]",
    "[[ a ]]b",
    "[[a ]]",
    "[[ -f ]]",
    "[[ -1 ]]",
    "[[ ! ]]",
    "[[ ! ! a ]]",
    "[[ a b ]]",
    "[[ a == b c ]]",
    "[[ a -a b ]]",
    "[[ -v a ]]",
    "[[ -R a ]]",
    "[[ -a b ]]",
    "[[ -o b ]]",
    "[[ (a) ]]",
    "[[ ( a ]]",
    "[[ a ) ]]",
    "[[ ( a) ]]",
    "[[ a == ]] ]]",
    "[[ a == (b) ]]",
    "[[ a =~ (b ]]",
    "[[ a =~ b) ]]",
    "[[ a =~ b|c ]]",
    "[[ a =~ (b c) ]]",
    "[[ a =~ (b'c') ]]",
    "[[ a =~ ($x) ]]",
    "[[ a == @(b|c) ]]",
    "[[ a == <1-2> ]]",
    "[[ a == #b ]]",
    "[[ a == =b ]]",
    "[[ a == ~b ]]",
    "[[ a; b ]]",
    "[[ a & b ]]",
    "[[ a | b ]]",
    "[[ a && ]]",
    "[[ && a ]]",
    "[[ a\n== b ]]",
    "[[ a ==\nb ]]",
    "[[ -f\na ]]",
    "[[ a # b\n]]",
    "[[ a ]]>f",
    "[[ *.c ]]",
    "[[ -f {a,b} ]]",
    "[[ a < <(b) ]]",
    "[[ `a` ]]",
    "[[ a == `b` ]]",
    "<(a)",
    "cat a<(b)",
    "cat <(b)c",
    "cat <(a)<(b)",
    "cat <((a))",
    "cat <(<a)",
    "cat <(a",
    "cat < <(a)b",
    "cat <<(a)",
    "cat >(a)",
    "cat =(a)",
    "x=<(a)",
    "for x in <(a); do b; done",
    "cat <(a)(b)",
    "cat <()",
    "cat <<E <(a)\nE",
    "cat <<E && [[ a\n]]\nE\nE",
    "x=1 [[ a ]]",
    "[[ $x[1] ]]",
    "[[ a ]] b",
    "x=1 |& a",
    "a |&",
    "a |& & b",
];

#[test]
fn lines_are_refused_without_sh() {
    let without = Dialects { sh: false, ..Dialects::ALL };
    for line in REFUSED_WITHOUT_SH {
        let list = read(line.as_bytes(), Invocation::C, without, &Limits::default());
        assert!(list.is_err(), "{line:?} is read as {}", show(&list.unwrap()));
    }
}
