//! The recogniser as tables: what is read, and as what; what is refused, why and where.

use super::tree::{
    AndOr, Argument, Arithmetic, Assignment, Calculation, Command, Compound, Connector, Form, List,
    Operator, Piece, Pipeline, Redirection, Simple, Target,
};
use super::{Construct, NotUnderstood, read};
use crate::request::{Dialects, Invocation, Limits};
use crate::span::Span;
use std::collections::BTreeSet;

mod without_sh;

fn c<'a>(line: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<List<'a>, NotUnderstood> {
    read(line.as_ref(), Invocation::C, Dialects::ALL, &Limits::default())
}

/// A tree on one line: each word as `‹word›`, a command's redirections after its words.
fn show(list: &List<'_>) -> String {
    let item = |it: &AndOr<'_>| and_or(it) + if it.background { " &" } else { "" };
    list.items.iter().map(item).collect::<Vec<_>>().join("; ")
}

fn and_or(it: &AndOr<'_>) -> String {
    let mut shown = pipeline(&it.first);
    for (connector, next) in &it.rest {
        shown.push_str(if *connector == Connector::And { " && " } else { " || " });
        shown.push_str(&pipeline(next));
    }
    shown
}

fn pipeline(it: &Pipeline<'_>) -> String {
    let stages = it.stages.iter().map(command).collect::<Vec<_>>().join(" | ");
    let silenced = if it.silenced { " &>" } else { "" };
    format!("{}{stages}{silenced}", if it.negated { "! " } else { "" })
}

fn assignment(it: &Assignment<'_>) -> String {
    format!("[{}={}]", it.name.escape_ascii(), argument(&it.value))
}

fn command(it: &Command<'_>) -> String {
    match it {
        Command::Assignments(all) => all.iter().map(assignment).collect(),
        Command::Simple(Simple { assignments, name, arguments, redirections, .. }) => {
            let name = format!("‹{}›", name.text.escape_ascii());
            let arguments = arguments.iter().map(argument);
            let before = assignments.iter().map(assignment);
            before
                .chain([name])
                .chain(arguments)
                .chain(redirections.iter().map(redirection))
                .collect()
        }
        Command::Compound(Compound { form, redirections }) => {
            form_of(form) + &redirections.iter().map(redirection).collect::<String>()
        }
    }
}

fn form_of(it: &Form<'_>) -> String {
    match it {
        Form::Subshell(body) => format!("({})", show(body)),
        Form::Braces(body) => format!("{{{}}}", show(body)),
        Form::If { arms, otherwise } => {
            let arms = arms.iter().map(|(test, body)| format!("{} ? {}", show(test), show(body)));
            let otherwise = otherwise.iter().map(|body| format!("else {}", show(body)));
            format!("if[{}]", arms.chain(otherwise).collect::<Vec<_>>().join(" : "))
        }
        Form::Loop { until, condition, body } => {
            let word = if *until { "until" } else { "while" };
            format!("{word}[{} ? {}]", show(condition), show(body))
        }
        Form::For { name, words, body } => {
            let words: String = words.iter().map(argument).collect();
            format!("for[{} {words} ? {}]", name.text.escape_ascii(), show(body))
        }
        Form::Case { word, arms } => {
            let arms = arms.iter().map(show).collect::<Vec<_>>().join(" : ");
            format!("case[{} ? {arms}]", argument(word))
        }
    }
}

fn argument(it: &Argument<'_>) -> String {
    format!("‹{}›", it.pieces.iter().map(piece).collect::<String>())
}

fn piece(it: &Piece<'_>) -> String {
    match it {
        Piece::Text(text) => text.escape_ascii().to_string(),
        Piece::Either(texts) => {
            let texts = texts.iter().map(|text| text.escape_ascii().to_string());
            format!("«{}»", texts.collect::<Vec<_>>().join("|"))
        }
        Piece::Statuses { many, quoted } => {
            format!("«{}{}»", quote(*quoted), if *many { "##" } else { "#?" })
        }
        Piece::Output(list) => format!("«<({})»", show(list)),
        Piece::Home => "«home»".to_owned(),
        Piece::Parameter { name, quoted } => format!("«{}{}»", quote(*quoted), name.escape_ascii()),
        Piece::Computed { name, quoted, .. } => {
            format!("«{}{}…»", quote(*quoted), name.escape_ascii())
        }
        Piece::Arithmetic(it) => format!("«({})»", calculation(it)),
        Piece::Number | Piece::Count => "«#»".to_owned(),
        Piece::Substitution { list, quoted } => format!("«{}({})»", quote(*quoted), show(list)),
        Piece::Pattern(pattern) => format!("«{}»", pattern.text().escape_ascii()),
        Piece::Braces(braces) => {
            let choice = |pieces: &Vec<Piece<'_>>| pieces.iter().map(piece).collect::<String>();
            format!("«{}»", braces.choices.iter().map(choice).collect::<Vec<_>>().join("¦"))
        }
    }
}

fn calculation(it: &Arithmetic<'_>) -> String {
    let step = |step: &Calculation<'_>| match step {
        Calculation::Number(number) => number.to_string(),
        Calculation::Variable(name) => name.escape_ascii().to_string(),
        Calculation::Value { name, follows_minus } => {
            format!("{}${}", if *follows_minus { "-" } else { "" }, name.escape_ascii())
        }
        Calculation::Negate => "neg".to_owned(),
        Calculation::Apply(Operator::Add) => "+".to_owned(),
        Calculation::Apply(Operator::Subtract) => "-".to_owned(),
        Calculation::Apply(Operator::Multiply) => "*".to_owned(),
        Calculation::Apply(Operator::Divide) => "/".to_owned(),
        Calculation::Apply(Operator::Remainder) => "%".to_owned(),
    };
    it.steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

fn quote(quoted: bool) -> &'static str {
    if quoted { "\"" } else { "" }
}

fn redirection(it: &Redirection<'_>) -> String {
    match &it.target {
        Target::Read(word) => format!("<{}", argument(word)),
        Target::Write(word) => format!(">{}", argument(word)),
        Target::Duplicate(descriptor) => format!("&{descriptor}"),
        Target::Close => "&-".to_owned(),
        Target::Document(text) if text.pieces.iter().any(|it| !matches!(it, Piece::Text(_))) => {
            format!("<<{}", argument(text))
        }
        Target::Document(_) => "<<".to_owned(),
        Target::Text(text) => format!("<<<{}", argument(text)),
    }
}

// tidy: table
#[rustfmt::skip]
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
    (r"echo $'a\tb\\\x41\101'c", r"‹echo›‹«a\tb\\AA|$a\\tb\\\\\\x41\\101»c›"),
    ("echo $'' \"$'a'\"", r"‹echo›‹«|$»›‹$\'a\'›"),
    ("echo ${PIPESTATUS[0]} \"${PIPESTATUS[@]}\"", "‹echo›‹«#?»›‹«\"##»›"),
    (r#"echo "\$ \` \" \\ \x 'a'""#, r#"‹echo›‹$ ` \" \\ \\x \'a\'›"#),
    (r"echo \$ \* \  \' \~", r"‹echo›‹$›‹*›‹ ›‹\'›‹~›"),
    ("echo 'a'\"b\"c\\d", "‹echo›‹abcd›"),
    ("echo '' \"\"", "‹echo›‹›‹›"),
    ("echo 'it'\\''s'", "‹echo›‹it\\'s›"),
    ("'ls' \"-l\"", "‹ls›‹-l›"),
    ("[ -f a ] && time b c", "‹[›‹-f›‹a›‹]› && ‹time›‹b›‹c›"),
    ("echo 'é' \"日本\"", "‹echo›‹\\xc3\\xa9›‹\\xe6\\x97\\xa5\\xe6\\x9c\\xac›"),
    ("echo 'a\nb'", "‹echo›‹a\\nb›"),
    // Expansions.
    ("echo $x \"a $y_1\" ${z}b \"${V}[0]\"", "‹echo›‹«x»›‹a «\"y_1»›‹«z»b›‹«\"V»[0]›"),
    ("echo $? $?.a $#", "‹echo›‹«#»›‹«#».a›‹«#»›"),
    ("x=* y=a*b", "[x=‹*›][y=‹a*b›]"),
    ("a \\\nb | \\\nc", "‹a›‹b› | ‹c›"),
    ("a \"$x: $y:$z/\"", "‹a›‹«\"x»: «\"y»:«\"z»/›"),
    ("echo \"$?\" ~ ~/a/b", "‹echo›‹«#»›‹«home»›‹«home»/a/b›"),
    ("echo $(a; b) \"x$(c | d)\"", "‹echo›‹«(‹a›; ‹b›)»›‹x«\"(‹c› | ‹d›)»›"),
    ("echo \"$(echo \"$(a)\")\"", "‹echo›‹«\"(‹echo›‹«\"(‹a›)»›)»›"),
    ("echo $((1 + 2))x \"hi!\"", "‹echo›‹«(1 2 +)»x›‹hi!›"),
    ("a $((x+1*$y))", "‹a›‹«(x 1 $y * +)»›"),
    ("a $((-x%2-${y}))", "‹a›‹«(x neg 2 % -$y -)»›"),
    ("a $(( (x - 1) / 2 ))", "‹a›‹«(x 1 - 2 /)»›"),
    ("a $(((x)))", "‹a›‹«(x)»›"),
    ("a $((1-2-3))", "‹a›‹«(1 2 - 3 -)»›"),
    ("a $((-$x))", "‹a›‹«(-$x neg)»›"),
    ("a $((1-($x)))", "‹a›‹«(1 $x -)»›"),
    ("echo $(cat <<'E'\na b\nE\n)", "‹echo›‹«(‹cat›<<)»›"),
    ("echo $(cat <<'E'\nit's ) \"a\" `b` $(c $d \\\n E)\nE\n)", "‹echo›‹«(‹cat›<<)»›"),
    ("echo $(cat <<-'E'\n\ta (b)\n\tE\n)", "‹echo›‹«(‹cat›<<)»›"),
    // Patterns and braces.
    ("ls *.rs a?c [a-c_]x [!0-9]*", "‹ls›‹«*».rs›‹a«?»c›‹«[a-c_]»x›‹«[!0-9]»«*»›"),
    ("ls **/a x/**/*.rs a**", "‹ls›‹«**»/a›‹x/«**»/«*».rs›‹a«*»«*»›"),
    ("ls '*' \\* \"$d\"/*", "‹ls›‹*›‹*›‹«\"d»/«*»›"),
    ("ls {a,b}.{c,} {1..3} {c..a}", "‹ls›‹«a¦b».«c¦»›‹«1¦2¦3»›‹«c¦b¦a»›"),
    (
        "ls *.{ts,*x} HEAD@{1} {} a{x} ${z}{a,b}",
        "‹ls›‹«*».«ts¦«*»x»›‹HEAD@{1}›‹{}›‹a{x}›‹«z»«a¦b»›",
    ),
    ("git diff HEAD~1 HEAD^^ a~ a#b main~2..x", "‹git›‹diff›‹HEAD~1›‹HEAD^^›‹a~›‹a#b›‹main~2..x›"),
    ("x a = b != c ! ]", "‹x›‹a›‹=›‹b›‹!=›‹c›‹!›‹]›"),
    // Assignments, background jobs, here-strings.
    ("a=b c=\"$d\" e=", "[a=‹b›][c=‹«\"d»›][e=‹›]"),
    ("a=~/b; c", "[a=‹«home»/b›]; ‹c›"),
    ("LANG=C A=1 b c=d", "[LANG=‹C›][A=‹1›]‹b›‹c=d›"),
    ("COLUMNS=80 a", "[COLUMNS=‹80›]‹a›"),
    ("a & b & ", "‹a› &; ‹b› &"),
    ("(a &)", "(‹a› &)"),
    ("a & (b)", "‹a› &; (‹b›)"),
    ("a &\nb", "‹a› &; ‹b›"),
    ("a &>/dev/null; b &> /dev/null && c", "‹a› &>; ‹b› &> && ‹c›"),
    ("a <<<b <<< \"$c\"", "‹a›<<<‹b›<<<‹«\"c»›"),
    // Choices.
    ("case $x in a|b*) c;; (d) e; f ;; *) g; esac >h", "case[‹«x»› ? ‹c› : ‹e›; ‹f› : ‹g›]>‹h›"),
    ("case x in\na)\nb\n;;\nesac", "case[‹x› ? ‹b›]"),
    ("case x in esac", "case[‹x› ? ]"),
    // Comments.
    ("ls # all; of `it`", "‹ls›"),
    ("ls; # all\ncat a || true # b", "‹ls›; ‹cat›‹a› || ‹true›"),
    // Choices and loops.
    ("! a | b && ! c", "! ‹a› | ‹b› && ! ‹c›"),
    ("if a; then b; fi", "if[‹a› ? ‹b›]"),
    (
        "if a\nthen\n b; c\nelif d; then e; else f; fi 2>/dev/null",
        "if[‹a› ? ‹b›; ‹c› : ‹d› ? ‹e› : else ‹f›]>‹/dev/null›",
    ),
    ("while a; do b; done; until c; do d; done", "while[‹a› ? ‹b›]; until[‹c› ? ‹d›]"),
    ("for f in a 'b c' $x; do cat \"$f\"; done | wc", "for[f ‹a›‹b c›‹«x»› ? ‹cat›‹«\"f»›] | ‹wc›"),
    ("for f in a\ndo b\ndone", "for[f ‹a› ? ‹b›]"),
    // Here-documents.
    ("cat <<'E' | wc\n$x `y`\nE\nls", "‹cat›<< | ‹wc›; ‹ls›"),
    ("cat <<-E >f; a\n\tx y\n\tE\n", "‹cat›<<>‹f›; ‹a›"),
    ("cat <<E; c\n$x \"$(a)\" \\$ $\nE\nb", "‹cat›<<‹«\"x» \\\"«\"(‹a›)»\\\" $ $›; ‹c›; ‹b›"),
    ("(cat <<A <<B)\na\nA\nb\nB\nls", "(‹cat›<<<<); ‹ls›"),
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
    ("$x", Expansion, "$"), ("cd >$x", RedirectionTarget, "$"), ("a$x b", Expansion, "$"),
    ("echo $=x", Expansion, "$"), ("echo \"$+\"", Expansion, "$"), ("echo $?:h", Expansion, "$"), ("echo $?[1]", Expansion, "$"), ("echo $#a", Expansion, "$"),
    ("echo $x[1]", Expansion, "$"), ("echo \"$x:h\"", Expansion, "$"), ("echo $1", Expansion, "$"),
    ("echo ${x:=a}", Expansion, "$"), ("echo ${x", Expansion, "$"),
    ("echo $(<f)", Expansion, "$"), ("echo $()", Expansion, "$("), ("echo $(a", Unclosed, ""),
    ("echo $(cat <<E\na\nE\n)", Heredoc, "<<E"),
    ("echo $(cat <<'E'\nE)\nE\n)", Heredoc, "<<'E'"),
    ("echo $(cat <<-'E'\n\tE )\n\tE\n)", Heredoc, "<<-'E'"), ("echo $((x y))", Expansion, "$((x "),
    ("echo $((x*-x))", Expansion, "$((x*"), ("echo $((x[1]))", Expansion, "$((x"),
    ("echo $((x++))", Expansion, "$((x+"), ("echo $((x=1))", Expansion, "$((x"),
    ("echo $(((1))", Expansion, "$(((1)"), ("echo $((1)))", Unexpected, ")"),
    ("echo $((Inf))", Expansion, "$((Inf"), ("echo $(())", Expansion, "$(("),
    ("echo $((${x))", Expansion, "$((${x"), ("echo $(($(a)))", Expansion, "$(($"),
    ("echo $((1234567890))", Expansion, "$((1234567890"), ("echo $((x?1:2))", Expansion, "$((x"),
    // For an error bash gives up the line and goes on with the next one.
    ("echo $((1 2))", Expansion, "$((1 "), ("echo $((1 +))", Expansion, "$((1 +"),
    ("echo $((09))", Expansion, "$((09"), ("echo $((1**2))", Expansion, "$((1*"),
    ("echo ${x#*}", Expansion, "$"), ("echo ${x%%*}", Expansion, "$"), ("echo ${x#a*b}", Expansion, "$"),
    ("echo ${x%*a*}", Expansion, "$"), ("echo ${x:-*a}", Expansion, "$"), ("echo ${x#?}", Expansion, "$"),
    ("echo ${#x-y}", Expansion, "$"), ("exit 1 2", OpaqueCommand, "exit 1 2"),
    ("exit a", OpaqueCommand, "exit a"), ("break 0", OpaqueCommand, "break 0"),
    ("break $x", OpaqueCommand, "break $x"), ("continue 1 2", OpaqueCommand, "continue 1 2"),
    ("echo $((1); a)", Expansion, "$((1"), ("cat <<E $(a)\nE", Expansion, "$"),
    ("echo `ls`", Backquote, "`"), ("echo \"`ls`\"", Backquote, "`"),
    ("echo !!", History, "!"), ("echo \\!", History, "\\"),
    ("ls ***/a", Glob, "*"), ("ls a]", Glob, "]"), ("l* a", Glob, "*"), ("a >*", RedirectionTarget, "*"),
    ("ls *(/)", Parenthesis, "("), ("ls [^a]", Glob, "^"), ("ls [a", Glob, ""), ("ls []", Glob, "]"),
    ("ls [z-a]", Glob, "z"), ("ls [a-Z]", Glob, "a"), ("ls [[:x:]]", Glob, "["), ("case * in a) b;; esac", Glob, "*"),
    ("[[ a ]]", DoubleBracket, "[["),
    ("echo {a,b", Brace, "{"), ("echo a}", Brace, "}"), ("{ a }", Brace, "}"), ("echo {", Brace, "{"), ("echo {x}", Brace, "{x}"),
    ("{a; }", Brace, "{"), ("a {fd}>f", Brace, "{fd}"), ("echo {a,{b,c}}", Brace, "{"),
    ("echo $x{a,b}", Brace, "{"), ("echo ~{a,b}", Tilde, "~"), ("echo *{a,*b}", Brace, "{a,*b}"),
    ("echo {01..3}", Brace, "{01..3}"), ("echo {1..999}", Brace, "{1..999}"), ("x={a,b}", Brace, "{"),
    ("echo ~a", Tilde, "~"), ("~/x", Tilde, "~"), ("ls >~/x", RedirectionTarget, "~"),
    ("echo a:~", Tilde, "~"), ("echo a=~", EqualsWord, "="),
    ("x=a:~", Tilde, "~"), ("echo ^a", Caret, "^"),
    ("echo a:#b", Hash, "#"), ("ls;# all", Hash, "#"), ("ls && # all\nls", Hash, "#"),
    ("a |# x\nb", Hash, "#"),
    ("echo =ls", EqualsWord, "="), ("echo a==b", EqualsWord, "="), ("echo a:=b", EqualsWord, "="),
    ("=a", EqualsWord, "="), ("echo ''=ls", EqualsWord, "="), ("cat <1-9>", Glob, "<"),
    ("PATH=b ls", Assignment, "PATH"), ("path=b", Assignment, "path"), ("LANG=C; ls", Assignment, "LANG"),
    ("COLUMNS=x ls", Assignment, "COLUMNS"), ("A=(b c)", Parenthesis, "("), ("A[1]=b", Glob, "["),
    ("A=b >f", RedirectionAlone, "A=b >f"), ("A==b", EqualsWord, "="), ("A+=b ls", Assignment, "A+=b"),
    ("'A=b' ls", Assignment, "'A=b'"),
    // Quotes and backslashes.
    ("echo $'a\\'; ls #'", Backslash, "\\"), ("echo $'\\e'", Backslash, "\\"),
    ("echo $'\\x41b'", Backslash, "\\"), ("echo $'\\0'", Backslash, "\\"), ("echo $'a", UnterminatedQuote, "$'"),
    ("echo $'a''b'", AdjacentQuotes, "'"), ("$'ls'", DollarQuote, "$"), ("ls >a$'b'", DollarQuote, "$"),
    ("echo ${PIPESTATUS[x]}", Expansion, "$"), ("echo ${PIPESTATUS[100]}", Expansion, "$"), ("echo ${x[0]}", Expansion, "$"),
    ("echo $\"a\"", DollarQuote, "$"),
    ("echo 'a''b'", AdjacentQuotes, "'"), ("echo 'a'''", AdjacentQuotes, "'"),
    ("echo 'a", UnterminatedQuote, "'"), ("echo \"a", UnterminatedQuote, "\""),
    ("echo a\\", Backslash, "\\"), ("echo \\é", Backslash, "\\"), ("echo \\\tb", Backslash, "\\"),
    ("echo \"a\\\nb\"", Backslash, "\\"), ("echo \"\\!\"", Backslash, "\\"),
    ("echo \"\\é\"", Backslash, "\\"),
    ("a\\\nb", LineContinuation, "\\"), ("a \\\n#b", LineContinuation, "\\"),
    ("a\\\n b", LineContinuation, "\\"), ("# a \\\nls", LineContinuation, "\\"),
    // Operators and groups.
    ("f() { a; }", Parenthesis, "("), ("a (b)", Parenthesis, "("), ("echo @(a)", Parenthesis, "("),
    ("cat <(a)", Parenthesis, "<"), ("cat >(a)", Parenthesis, ">"),
    ("((a))", Arithmetic, "(("), ("a; ((b); c)", Arithmetic, "(("),
    ("a &! b", Background, "&"), ("a &| b", Background, "&"), ("a &\\\n& b", Background, "&"),
    ("a &>f", Background, "&>"), ("a&>/dev/null", Background, "&"), ("a & ; b", OperatorRun, ";"),
    ("a &>/dev/null b", Background, "&>"), ("a &>/dev/null | b", Background, "&>"), ("a |& b", PipeBoth, "|"),
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
    ("! ! a", ReservedWord, "!"), ("! (a)", ReservedWord, "("), ("!a", ReservedWord, "!"),
    ("if a then b; fi", ReservedWord, "fi"), ("if a; then fi", ReservedWord, "fi"),
    ("if a; then b", Unclosed, ""), ("while a; do b; done c", Unexpected, "c"),
    ("for i; do a; done", Assignment, "i"), ("for i in; do a; done", MissingCommand, ";"),
    ("for path in a; do b; done", Assignment, "path"), ("for I in a; do b; done", Assignment, "I"),
    ("for i in a; { b; }", ReservedWord, "{"), ("case a in a) b esac", Unclosed, ""),
    ("case a in a) b;& esac", OperatorRun, "&"), ("case a in $(b)) c;; esac", Expansion, "$(b)"),
    ("case a in a) ;; esac", MissingCommand, ";"), ("case * in a) b;; esac", Glob, "*"),
    ("echo $(case a in a) b;; esac)", Parenthesis, "a"),
    ("then a", ReservedWord, "then"), ("do a", ReservedWord, "do"),
    ("time -p a", ReservedWord, "time"), ("time cd a", ReservedWord, "time"), ("time", ReservedWord, "time"), ("a | ! b", CommandWord, "!"), ("= a", Assignment, "="),
    ("'' a", CommandWord, "''"), ("-x", CommandWord, "-x"), ("'+x'", CommandWord, "'+x'"),
    ("%1", CommandWord, "%1"), (". f", CommandWord, "."), (".x", CommandWord, ".x"),
    ("{}", CommandWord, "{}"),
    ("eval a", OpaqueCommand, "eval"), ("'eval' a", OpaqueCommand, "'eval'"),
    ("e\\val a", OpaqueCommand, "e\\val"), ("a | builtin b", OpaqueCommand, "builtin"),
    // Redirections.
    ("cat <<E\na\n", Heredoc, "<<E"), ("cat <<< ", RedirectionTarget, ""), ("cat <<<*", Glob, "*"), ("cat <<E", Heredoc, "<<E"),
    ("cat <<E\n$1\nE", Expansion, "$"), ("cat <<'E'x\nE", Heredoc, "<<'E'"),
    ("cat <<E 'a\n'\nE", Heredoc, "<<E"), ("cat <<$E", Heredoc, "<<"),
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
    let mut wrong = Vec::new();
    for (line, construct, blamed) in REFUSED {
        let told = match c(line) {
            Ok(list) => format!("is read as {}", show(&list)),
            // Slicing panics where a span is outside the line or cuts a character.
            Err(stop) if stop.construct == *construct && &line[stop.span.range()] == *blamed => {
                continue;
            }
            Err(stop) => format!("is {:?} for {:?}", stop.construct, &line[stop.span.range()]),
        };
        wrong.push(format!("{line:?} {told}, not {construct:?} for {blamed:?}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Those that no row of a table of text for `-c` can show: each has a test of its own, but for the
/// start directory and what values are computed with, which are no matter of the text alone.
const ELSEWHERE: &[Construct] = &[
    TooLong,
    TooDeep,
    TooManyCommands,
    TooManyWords,
    InvalidUtf8,
    InvocationCharacter,
    StartDirectory,
    UnknownFile,
    NoCommand,
    ArithmeticValue,
];

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
        Empty TooLong TooDeep TooManyCommands TooManyWords ControlCharacter InvalidUtf8
        InvisibleCharacter UnquotedNonAscii InvocationCharacter Expansion Backquote History Glob
        Brace Tilde Caret Hash
        EqualsWord Assignment DollarQuote AdjacentQuotes UnterminatedQuote Backslash
        LineContinuation Parenthesis Arithmetic DoubleBracket Background PipeBoth OperatorRun
        MissingCommand Unexpected Unclosed BracePosition ReservedWord CommandWord OpaqueCommand
        Heredoc
        RedirectionForm DescriptorNumber RedirectionTarget RedirectionAlone StartDirectory
        UnknownFile ArithmeticValue NoCommand
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
    let changed = |invocation, line: &str| match read(
        line.as_bytes(),
        invocation,
        Dialects::ALL,
        &Limits::default(),
    ) {
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

/// Who shows the place cuts it out of the line.
#[test]
fn what_is_missing_stands_nowhere_behind_the_line() {
    for line in
        ["{ for ", "for", "for a", "case ", "case a in", "case a in (", "if", "cat <", "a=("]
    {
        let stop = c(line).expect_err(line);
        assert!(line.get(stop.span.range()).is_some(), "{line:?}: {stop:?}");
    }
}

#[test]
fn length_is_capped() {
    let limit = 64 * 1024;
    assert!(c(&"a".repeat(limit)).is_ok());
    let stop = c(&"a".repeat(limit + 1)).expect_err("one byte too many");
    assert_eq!((stop.construct, stop.span), (TooLong, Span::new(limit, limit + 1)));
}

#[test]
fn commands_are_capped() {
    for separator in [";", "|", "&&", "||", "\n"] {
        assert!(c(&vec!["a"; 1_000].join(separator)).is_ok(), "{separator:?}");
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
    assert!(c(&nested(63)).is_ok());
    assert_eq!(c(&nested(64)).expect_err("one too deep").construct, TooDeep);
    // As deep as the length allows, and never closed.
    assert_eq!(c(&"{ (".repeat(20_000)).expect_err("too deep").construct, TooDeep);
    assert_eq!(c(&"{ ".repeat(30_000)).expect_err("too deep").construct, TooDeep);
}

#[test]
fn spans_of_words_and_commands_are_their_text() {
    let line = "  ls -l 'a b'>f ; (cat \"x\" 2>&1)";
    let list = c(line).expect("the line is of the common subset");
    let Command::Simple(ls) = &list.items[0].first.stages[0] else { panic!("a simple command") };
    let Command::Compound(group) = &list.items[1].first.stages[0] else { panic!("a group") };
    let Form::Subshell(body) = &group.form else { panic!("a subshell") };
    let Command::Simple(cat) = &body.items[0].first.stages[0] else { panic!("a command") };
    let text = |span: Span| &line[span.range()];
    assert_eq!(text(ls.span), "ls -l 'a b'>f");
    let spans = (0..3).map(|index| text(ls.word_span(index)));
    assert_eq!(spans.collect::<Vec<_>>(), ["ls", "-l", "'a b'"]);
    assert_eq!(text(ls.redirections[0].span), ">f");
    assert_eq!(text(cat.span), "cat \"x\" 2>&1");
    assert_eq!(text(cat.redirections[0].span), "2>&1");
}
