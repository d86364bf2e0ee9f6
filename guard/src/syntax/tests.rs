//! The recogniser as tables: what is read, and as what; what is refused, why and where.

use super::tree::{
    AndOr, Command, Compound, Connector, Grouping, List, Redirection, Simple, Target,
};
use super::{Construct, NotUnderstood, read};
use crate::request::{Invocation, Limits};
use crate::span::Span;
use std::collections::BTreeSet;

fn c(line: impl AsRef<[u8]>) -> Result<List, NotUnderstood> {
    read(line.as_ref(), Invocation::C, &Limits::default())
}

/// A tree on one line: each word as `‹word›`, a command's redirections after its words.
fn show(list: &List) -> String {
    list.items.iter().map(and_or).collect::<Vec<_>>().join("; ")
}

fn and_or(it: &AndOr) -> String {
    let pipeline = |stages: &[Command]| stages.iter().map(command).collect::<Vec<_>>().join(" | ");
    let mut shown = pipeline(&it.first.stages);
    for (connector, next) in &it.rest {
        shown.push_str(if *connector == Connector::And { " && " } else { " || " });
        shown.push_str(&pipeline(&next.stages));
    }
    shown
}

fn command(it: &Command) -> String {
    match it {
        Command::Simple(Simple { words, redirections, .. }) => {
            let words = words.iter().map(|word| format!("‹{}›", word.text.escape_ascii()));
            words.chain(redirections.iter().map(redirection)).collect()
        }
        Command::Compound(Compound { grouping, body, redirections }) => {
            let after: String = redirections.iter().map(redirection).collect();
            match grouping {
                Grouping::Subshell => format!("({}){after}", show(body)),
                Grouping::Braces => format!("{{{}}}{after}", show(body)),
            }
        }
    }
}

fn redirection(it: &Redirection) -> String {
    match &it.target {
        Target::Read(word) => format!("<‹{}›", word.text.escape_ascii()),
        Target::Write(word) => format!(">‹{}›", word.text.escape_ascii()),
        Target::Duplicate(descriptor) => format!("&{descriptor}"),
        Target::Close => "&-".to_owned(),
    }
}

const READ: &[(&str, &str)] = &[
    // Words.
    ("ls", "‹ls›"),
    ("  ls\t-la  ", "‹ls›‹-la›"),
    ("./x.sh a/b,c:d@e%f+g-h_1", "‹./x.sh›‹a/b,c:d@e%f+g-h_1›"),
    ("echo --x=y a=b {}", "‹echo›‹--x=y›‹a=b›‹{}›"),
    ("echo if then done in", "‹echo›‹if›‹then›‹done›‹in›"),
    // Quotes and escapes.
    ("echo 'a b' \"c d\"", "‹echo›‹a b›‹c d›"),
    ("echo '$x `y` \\ ! * ~ #'", "‹echo›‹$x `y` \\\\ ! * ~ #›"),
    (r#"echo "\$ \` \" \\ \x 'a'""#, r#"‹echo›‹$ ` \" \\ \\x \'a\'›"#),
    (r"echo \$ \* \  \' \~", r"‹echo›‹$›‹*›‹ ›‹\'›‹~›"),
    ("echo 'a'\"b\"c\\d", "‹echo›‹abcd›"),
    ("echo '' \"\"", "‹echo›‹›‹›"),
    ("echo 'it'\\''s'", "‹echo›‹it\\'s›"),
    ("'ls' \"-l\"", "‹ls›‹-l›"),
    ("echo 'é' \"日本\"", "‹echo›‹\\xc3\\xa9›‹\\xe6\\x97\\xa5\\xe6\\x9c\\xac›"),
    ("echo 'a\nb'", "‹echo›‹a\\nb›"),
    // Lists and pipelines.
    ("a;b", "‹a›; ‹b›"),
    ("a ; b ;", "‹a›; ‹b›"),
    ("a\n\n  b\n", "‹a›; ‹b›"),
    ("a;\nb", "‹a›; ‹b›"),
    ("a&&b||c", "‹a› && ‹b› || ‹c›"),
    ("a &&\nb || \n\n c", "‹a› && ‹b› || ‹c›"),
    ("a|b |\nc", "‹a› | ‹b› | ‹c›"),
    ("a | b && c | d; e", "‹a› | ‹b› && ‹c› | ‹d›; ‹e›"),
    ("a \\\n b", "‹a›‹b›"),
    // Comments.
    ("# what it does\nls", "‹ls›"),
    ("ls\n  # and \"this\" too\n# more\npwd", "‹ls›; ‹pwd›"),
    // Groups.
    ("(a)", "(‹a›)"),
    ("( a; b )", "(‹a›; ‹b›)"),
    ("(\na\n)", "(‹a›)"),
    ("(a)|(b)", "(‹a›) | (‹b›)"),
    ("{ a; }", "{‹a›}"),
    ("{\na\nb\n}", "{‹a›; ‹b›}"),
    ("{ (a); } && { b; }", "{(‹a›)} && {‹b›}"),
    ("(a; (b) ; c)", "(‹a›; (‹b›); ‹c›)"),
    ("( (a) )", "((‹a›))"),
    ("(\n(a))", "((‹a›))"),
    ("(a)>f", "(‹a›)>‹f›"),
    ("{ a; }>f", "{‹a›}>‹f›"),
    // Redirections.
    ("a>f", "‹a›>‹f›"),
    ("a >>f <g >|h", "‹a›>‹f›<‹g›>‹h›"),
    ("a 2>f b", "‹a›‹b›>‹f›"),
    ("2>f a", "‹a›>‹f›"),
    ("a > 'x y' 2>&1", "‹a›>‹x y›&1"),
    ("a 2>&- <&0", "‹a›&-&0"),
    ("a>&2", "‹a›&2"),
    ("(a) >f 2>&1; b", "(‹a›)>‹f›&1; ‹b›"),
    ("{ a; } </dev/null | b", "{‹a›}<‹/dev/null› | ‹b›"),
    ("a 2>/dev/null|b", "‹a›>‹/dev/null› | ‹b›"),
];

#[test]
fn lines_are_read_as_trees() {
    for (line, tree) in READ {
        match c(line) {
            Ok(list) => assert_eq!(show(&list), *tree, "{line:?}"),
            Err(stop) => panic!("{line:?} is refused at {:?}: {stop}", stop.span),
        }
    }
}

use Construct::*;

/// What is refused, why, and the part of the line that is to blame.
// tidy: table
#[rustfmt::skip]
const REFUSED: &[(&str, Construct, &str)] = &[
    ("", Empty, ""), (" \t\n", Empty, " \t\n"), ("# only this", Empty, "# only this"),
    ("a\rb", ControlCharacter, "\r"), ("a\u{7f}", ControlCharacter, "\u{7f}"),
    ("'a\0'", ControlCharacter, "\0"), ("a\x1b[0m", ControlCharacter, "\x1b"),
    ("echo a\u{a0}b", InvisibleCharacter, "\u{a0}"),
    ("echo 'a\u{202e}b'", InvisibleCharacter, "\u{202e}"),
    ("echo '\u{feff}'", InvisibleCharacter, "\u{feff}"),
    ("echo 'a\u{e0041}'", InvisibleCharacter, "\u{e0041}"),
    ("echo é", UnquotedNonAscii, "é"), ("日本", UnquotedNonAscii, "日"),
    // Expansions.
    ("echo $x", Expansion, "$"), ("echo \"a $x\"", Expansion, "$"), ("$x", Expansion, "$"),
    ("echo $(ls)", Expansion, "$"), ("echo \"$(ls)\"", Expansion, "$"),
    ("echo $", Expansion, "$"), ("echo \"$\"", Expansion, "$"),
    ("echo `ls`", Backquote, "`"), ("echo \"`ls`\"", Backquote, "`"),
    ("echo !!", History, "!"), ("echo \"hi!\"", History, "!"), ("echo \\!", History, "\\"),
    ("ls *.rs", Glob, "*"), ("ls a?", Glob, "?"), ("ls [ab]", Glob, "["), ("ls a]", Glob, "]"),
    ("[[ a ]]", Glob, "["), ("[ a ]", Glob, "["),
    ("echo {a,b}", Brace, "{"), ("echo a}", Brace, "}"), ("{ a }", Brace, "}"),
    ("{a; }", Brace, "{"), ("a {fd}>f", Brace, "{"),
    ("echo ~", Tilde, "~"), ("ls ~/x", Tilde, "~"), ("git show HEAD~1", Tilde, "~"),
    ("git show HEAD^", Caret, "^"),
    ("echo a#b", Hash, "#"), ("ls # all", Hash, "#"), ("ls; # all", Hash, "#"),
    ("a |# x\nb", Hash, "#"),
    ("echo =ls", EqualsWord, "="), ("echo a==b", EqualsWord, "="), ("echo a:=b", EqualsWord, "="),
    ("=a", EqualsWord, "="), ("echo ''=ls", EqualsWord, "="), ("cat <1-9>", Glob, "<"),
    ("A=b", Assignment, "A=b"), ("A=b ls", Assignment, "A=b"), ("A+=b ls", Assignment, "A+=b"),
    ("'A=b' ls", Assignment, "'A=b'"),
    // Quotes and backslashes.
    ("echo $'a\\'; ls #'", DollarQuote, "$"), ("echo $\"a\"", DollarQuote, "$"),
    ("echo 'a''b'", AdjacentQuotes, "'"), ("echo 'a'''", AdjacentQuotes, "'"),
    ("echo 'a", UnterminatedQuote, "'"), ("echo \"a", UnterminatedQuote, "\""),
    ("echo a\\", Backslash, "\\"), ("echo \\é", Backslash, "\\"), ("echo \\\tb", Backslash, "\\"),
    ("echo \"a\\\nb\"", Backslash, "\\"), ("echo \"\\!\"", Backslash, "\\"),
    ("echo \"\\é\"", Backslash, "\\"),
    ("a\\\nb", LineContinuation, "\\"), ("a \\\nb", LineContinuation, "\\"),
    ("a\\\n b", LineContinuation, "\\"), ("# a \\\nls", LineContinuation, "\\"),
    // Operators and groups.
    ("f() { a; }", Parenthesis, "("), ("a (b)", Parenthesis, "("), ("echo @(a)", Parenthesis, "("),
    ("cat <(a)", Parenthesis, "<"), ("cat >(a)", Parenthesis, ">"),
    ("((a))", Arithmetic, "(("), ("a; ((b); c)", Arithmetic, "(("),
    ("a & b", Background, "&"), ("a &", Background, "&"), ("a &\\\n& b", Background, "&"),
    ("a &>f", Background, "&"), ("a |& b", PipeBoth, "|"),
    ("a ;; b", OperatorRun, ";"), ("a ; ; b", OperatorRun, ";"), ("a && && b", OperatorRun, "&"),
    ("a || | b", OperatorRun, "|"), ("a ;& b", OperatorRun, "&"),
    ("&& a", MissingCommand, "&"), ("; a", MissingCommand, ";"), ("a &&", MissingCommand, ""),
    ("a ||\n", MissingCommand, ""), ("( )", MissingCommand, ")"), ("{ }", MissingCommand, "}"),
    ("(a && )", MissingCommand, ")"),
    ("a )", Unexpected, ")"), ("(a) b", Unexpected, "b"), ("{ a; } b", Unexpected, "b"),
    ("(a", Unclosed, "("), ("{ a", Unclosed, "{"), ("a; (b; c", Unclosed, "("),
    ("{ (a) }", BracePosition, "}"), ("}", BracePosition, "}"), ("a; }", BracePosition, "}"),
    ("{ a; }}", BracePosition, "}"),
    // Command words.
    ("if a; then b; fi", ReservedWord, "if"), ("! a", ReservedWord, "!"), ("!a", ReservedWord, "!"),
    ("time a", ReservedWord, "time"), ("a | ! b", ReservedWord, "!"),
    ("'' a", CommandWord, "''"), ("-x", CommandWord, "-x"), ("'+x'", CommandWord, "'+x'"),
    ("%1", CommandWord, "%1"), (". f", CommandWord, "."), (".x", CommandWord, ".x"),
    ("{}", CommandWord, "{}"),
    ("eval a", OpaqueCommand, "eval"), ("'eval' a", OpaqueCommand, "'eval'"),
    ("e\\val a", OpaqueCommand, "e\\val"), ("a | command b", OpaqueCommand, "command"),
    // Redirections.
    ("cat <<E\na\nE", Heredoc, "<"), ("cat <<<a", Heredoc, "<"),
    ("a <> f", RedirectionForm, "<"), ("a >! f", RedirectionForm, ">"),
    ("a >>| f", RedirectionForm, ">"), ("a >&f", RedirectionForm, ">"),
    ("a >&2x", RedirectionForm, ">"), ("a 2>&1>f", RedirectionForm, ">"),
    ("a 10>f", DescriptorNumber, ">"), ("a2>f", DescriptorNumber, ">"),
    ("a >", RedirectionTarget, ""), ("a >$x", RedirectionTarget, "$"),
    ("a >-f", RedirectionTarget, "-"), ("a >''", RedirectionTarget, "''"),
    ("a >\\\n f", RedirectionTarget, "\\"),
    (">f", RedirectionAlone, ">f"), ("a; 2>&1", RedirectionAlone, "2>&1"),
];

#[test]
fn lines_are_refused_where_and_why_the_table_says() {
    for (line, construct, blamed) in REFUSED {
        let stop = match c(line) {
            Ok(list) => panic!("{line:?} is read as {}", show(&list)),
            Err(stop) => stop,
        };
        assert_eq!(stop.construct, *construct, "{line:?}");
        // Slicing panics where a span is outside the line or cuts a character.
        assert_eq!(&line[stop.span.range()], *blamed, "{line:?}");
    }
}

/// Those that no row of a table of text for `-c` can show: each has a test of its own, but for the
/// start directory, which is no matter of the text.
const ELSEWHERE: &[Construct] =
    &[TooLong, TooDeep, TooManyCommands, InvalidUtf8, InvocationCharacter, StartDirectory];

/// All constructs; one that is missing does not compile.
macro_rules! all {
    ($($construct:ident)*) => {{
        let _ = |it: Construct| match it { $($construct => {})* };
        [$($construct),*]
    }};
}

#[test]
fn every_construct_has_a_line_and_a_name_of_its_own() {
    let all = all! {
        Empty TooLong TooDeep TooManyCommands ControlCharacter InvalidUtf8 InvisibleCharacter
        UnquotedNonAscii InvocationCharacter Expansion Backquote History Glob Brace Tilde Caret Hash
        EqualsWord Assignment DollarQuote AdjacentQuotes UnterminatedQuote Backslash
        LineContinuation Parenthesis Arithmetic Background PipeBoth OperatorRun MissingCommand
        Unexpected Unclosed BracePosition ReservedWord CommandWord OpaqueCommand Heredoc
        RedirectionForm DescriptorNumber RedirectionTarget RedirectionAlone StartDirectory
    };
    for construct in all {
        let in_table = REFUSED.iter().any(|(_, refused, _)| *refused == construct);
        assert_ne!(in_table, ELSEWHERE.contains(&construct), "{construct:?}");
    }
    let names: BTreeSet<&str> = all.iter().map(|construct| construct.name()).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn text_that_is_no_utf8_is_refused_at_its_first_bad_byte() {
    for line in [&b"echo '\xff'"[..], b"echo \xe9", b"echo '\xf0\x9f\x98'"] {
        let stop = c(line).expect_err("no shell is sure of these bytes");
        assert_eq!(stop.construct, InvalidUtf8);
        assert!(std::str::from_utf8(&line[..stop.span.start as usize]).is_ok());
        assert_eq!(stop.span.end, stop.span.start + 1);
    }
}

#[test]
fn some_characters_do_not_survive_the_way_to_the_shell() {
    use Invocation::*;
    let changed =
        |invocation, line: &str| match read(line.as_bytes(), invocation, &Limits::default()) {
            Ok(_) => None,
            Err(NotUnderstood { construct: InvocationCharacter, span }) => {
                Some(line[span.range()].to_owned())
            }
            Err(stop) => panic!("{line:?}: {stop}"),
        };
    for invocation in [C, Eval, Parens] {
        assert_eq!(changed(invocation, "echo\t'!$`\\#'\nls"), None);
    }
    for (line, blamed) in [
        ("echo '$x'", "$"),
        ("echo '`'", "`"),
        ("echo \\a", "\\"),
        ("echo '!'", "!"),
        ("a\nb", "\n"),
        ("a\tb", "\t"),
    ] {
        assert_eq!(changed(JsonEval, line).as_deref(), Some(blamed));
    }
    for (line, blamed) in [("a\nb", "\n"), ("a\tb", "\t"), ("echo '!'", "!"), ("echo '#'", "#")] {
        assert_eq!(changed(Typed, line).as_deref(), Some(blamed));
    }
    assert_eq!(changed(Typed, "echo '$x' \\a"), None);
    assert_eq!(changed(JsonEval, "echo '#'"), None);
    // Pasted between parentheses, `(a)` becomes `((a))`, and a comment at the end hides the `)`.
    assert_eq!(changed(Parens, " (a); b").as_deref(), Some("("));
    assert_eq!(changed(Parens, "a\n# b").as_deref(), Some("#"));
    assert_eq!(changed(Parens, "# b\na; (b)"), None);
    let longest = "a".repeat(4_095);
    assert_eq!(changed(Typed, &longest), None);
    assert_eq!(changed(Typed, &format!("{longest}b")).as_deref(), Some("b"));
}

#[test]
fn length_is_capped() {
    let limit = 64 * 1024;
    assert!(c("a".repeat(limit)).is_ok());
    let stop = c("a".repeat(limit + 1)).expect_err("one byte too many");
    assert_eq!((stop.construct, stop.span), (TooLong, Span::new(limit, limit + 1)));
}

#[test]
fn commands_are_capped() {
    for separator in [";", "|", "&&", "||", "\n"] {
        assert!(c(vec!["a"; 1_000].join(separator)).is_ok(), "{separator:?}");
        let line = vec!["a"; 1_001].join(separator);
        let stop = c(&line).expect_err("one too many");
        let last = Span::new(line.len() - 1, line.len());
        assert_eq!((stop.construct, stop.span), (TooManyCommands, last), "{separator:?}");
    }
}

/// The line itself is the first level. `((` is refused, so that levels of `(` alternate with `{`.
#[test]
fn depth_is_capped() {
    let nested = |groups: usize| {
        let open = (0..groups).map(|level| if level % 2 == 0 { "{ " } else { "(" });
        let close = (0..groups).rev().map(|level| if level % 2 == 0 { "; }" } else { ")" });
        open.chain(["a"]).chain(close).collect::<String>()
    };
    assert!(c(nested(63)).is_ok());
    assert_eq!(c(nested(64)).expect_err("one too deep").construct, TooDeep);
    // As deep as the length allows, and never closed.
    assert_eq!(c("{ (".repeat(20_000)).expect_err("too deep").construct, TooDeep);
    assert_eq!(c("{ ".repeat(30_000)).expect_err("too deep").construct, TooDeep);
}

#[test]
fn spans_of_words_and_commands_are_their_text() {
    let line = "  ls -l 'a b'>f ; (cat \"x\" 2>&1)";
    let list = c(line).expect("the line is of the common subset");
    let Command::Simple(ls) = &list.items[0].first.stages[0] else { panic!("a simple command") };
    let Command::Compound(group) = &list.items[1].first.stages[0] else { panic!("a group") };
    let Command::Simple(cat) = &group.body.items[0].first.stages[0] else { panic!("a command") };
    let text = |span: Span| &line[span.range()];
    assert_eq!(text(ls.span), "ls -l 'a b'>f");
    assert_eq!(ls.words.iter().map(|it| text(it.span)).collect::<Vec<_>>(), ["ls", "-l", "'a b'"]);
    assert_eq!(text(ls.redirections[0].span), ">f");
    assert_eq!(text(cat.span), "cat \"x\" 2>&1");
    assert_eq!(text(cat.redirections[0].span), "2>&1");
}
