//! The pieces of lines near the grammar. What stands more than once comes more often.

/// The verbs: those that the oracle has probes for, and some that every shell has built in.
#[rustfmt::skip]
pub const VERBS: &[&str] = &[
    "ls", "ls", "wc", "p", "p", "cat", "head", "echo", ":", "true", "false", "pwd", "q", "\\ls",
];

#[rustfmt::skip]
pub(super) const QUOTED: &[&str] = &[
    "'a b'", "\"a\"", "\\ ", "'$x'", "\"\\$x\"", "\"!\"", "'a'\\''b'", "\"a\"'b'", "\"\"", "''",
    "$'a'", "$\"a\"", "\"\\\\\"", "\\\\", "\"\\a\"", "a\\*b", "'*'", "\"'\"", "'\"'", "\\'",
    "\\\"", "\"a\nb\"", "'a\nb'", "\\a", "src", "\\~", "'~'", "\"~\"", "\"*\"", "\"\\*\"", "'\\'",
    "\\$x", "\"$\"", "\"a$\"", "\"$ b\"", "\"\\`\"", "'`'", "\\#", "'#'", "\\;", "\\=", "\\-",
    "$'src'", "$'a\\tb'", "$'..'", "$'a\\'b'", "$'\\x2e.'", "$'\\\\'", "$'\\056'", "\"[\"",
    "\\{a,b\\}", "'{a,b}'", "\"{\"a,b}", "\"..\"", ".\\.", "\\c\\d",
];

#[rustfmt::skip]
pub(super) const VALUES: &[&str] = &[
    "$x", "$x", "\"$x\"", "\"$x\"", "${x}", "\"${x}\"", "$y", "\"$y\"", "$x/a", "\"$x\"/*", "$x*",
    "$(pwd)", "\"$(pwd)\"", "$(echo src)", "\"$(echo '*')\"", "$(cd src; pwd)", "$(ls $x)",
    "\"$(ls \"$x\")\"", "$((1+2))", "$((1))", "$((1 2))", "$((2*-1))", "$((1 + ))", "$((3-+1))",
    "$((09))", "$((2**3))", "\"$?\"", "\"$?[1]\"", "\"$?:h\"", "$?", "${x:-src}", "\"${x:-a}\"",
    "${x:+lib}", "${x%/}", "${x#s}", "${x##s}", "${#x}", "\"${#x}\"", "${#x-y}", "$", "a$", "$%",
    "$PWD", "\"$PWD\"", "$OLDPWD", "\"$OLDPWD\"/..", "~", "~/src", "$HOME", "\"$HOME\"/a",
    "$x[1]", "$x:h", "${x}[1]", "\"${x}[1]\"", "\"${x}:h\"", "$x-y", "$x.txt", "$x{a,b}", "$x~1",
    "$x^", "$x#", "src", "..", "lib", "src", "..", "-", "a.txt", "../outside", "out", "''", "$#",
    "${x-..}", "\"${x+..}\"", "$x$y", "$x/..", "${PIPESTATUS[0]}", "\"${PIPESTATUS[0]}\"",
    "a${PIPESTATUS[1]}", "\"a ${PIPESTATUS[@]}\"", "${PIPESTATUS[*]}", "${PIPESTATUS[10]}",
];

#[rustfmt::skip]
pub(super) const PATTERNS: &[&str] = &[
    "*", "*", "*.txt", "s*", "?", "[ab]*", "[!a]*", "[a-c]*", "[A-Z]*", "**/", "**/*", "**",
    "**/main.txt", "src/**", "src/**/", "*/*", "*/", "*/..", "*/.", "./*", ".//*", "*//main.txt",
    "no*", "no*/x", "{a,b}", "{src,lib}", "{src,lib}/main.txt", "{1..3}", "{c..a}", "x{a,}",
    "{a,b}{1..2}", "a{1..2}{x,y}", "@{u}", "{}", "a[1]", "../*", "out/*", "in/*", ".*", ".[!.]*",
    "[a-c]x", "-*", "?.txt", "{*,src}", "{a,b}*", "{s,l}*", "*{a,b}", "a*b", "[.]*", "[a/b]",
    "src/?ain.txt", "s[r]c", "[s]rc", "l[i]b/*", "in/../*", "out/../*", "~/*", "/case/proj/*",
    "/case//proj/s*", "***", "**/..", "**/src", "*/*/*", "[!.]*", "{.,..}", "{-n,a}", "{a,b},c",
    "{,a}", "{a..c..2}", "{01..2}", "?*", "*?", "'a'*", "\"*\"*", "*\\ *", "[[a]", "[]a]",
    "[^a]*", "[a-]*", "(a|b)", "*(.)", "<1-2>", "[1-2]", "*~a", "*^a", "^a", "a#", "{a", "b}",
    "[a", "{,}",
];

/// What only bash and zsh read so.
#[rustfmt::skip]
pub(super) const DIALECT: &[&str] = &[
    "$'a'", "$'src'", "$'a\\tb'", "$'a\\nb'", "$'\\\\'", "$'a\\'b'", "$'a\\'; ls #'", "$'\\x41'",
    "$'\\x2f'", "$'\\x4'", "$'\\x410'", "$'\\101'", "$'\\056.'", "$'\\0'", "$'\\0a'", "$'\\1'",
    "$'\\cA'", "$'\\e[1m'", "$'\\E'", "$'\\u41'", "$'\\u0041'", "$'\\xe9'", "$'\\q'", "$'\\?'",
    "$'\\\"'", "$'*'", "$'$x'", "$'`'", "$''", "$'a b'", "$'..'", "\"$'a'\"", "$'a\nb'", "a$'b'",
    "$'..'/lib", "$'a'b'c'", "$'\\176'", "$'-'", "$'\\r'", "$'\\a\\b\\f\\v'", "$'a''b'",
    "${PIPESTATUS[0]}", "\"${PIPESTATUS[0]}\"", "${PIPESTATUS[@]}", "\"${PIPESTATUS[*]}\"",
    "$pipestatus[1]", "<(ls)", "<(ls src)", "<(cd src; ls)", "<(cat <a.txt)", ">(cat)", "=(ls)",
    "< (ls)", "<(ls", "<( ls )", "a<(ls)",
];

/// Tests of one word in `[[`.
#[rustfmt::skip]
pub(super) const OF_ONE: &[&str] = &[
    "-f", "-f", "-d", "-e", "-n", "-z", "-x", "-s", "-L", "-r", "-v", "-t", "-a", "-o", "-R", "-N",
    "-q", "\"-f\"", "$x", "-",
];

/// Tests of two words in it.
#[rustfmt::skip]
pub(super) const OF_TWO: &[&str] = &[
    " == ", " == ", " == ", " = ", " != ", " =~ ", " =~ ", " =~ ", " =~ ", " < ", " > ", " -eq ",
    " -lt ", " -gt ", " -nt ", " -ef ", "==", "=~", " -a ", " $x ", " <", " ==\n", " \\== ",
];

/// What they compare with.
#[rustfmt::skip]
pub(super) const COMPARED: &[&str] = &[
    "*", "a*", "*.txt", "[ab]*", "^a", "(a|b)", "^(a|b)$", "a$", "[0-9]+", "^[0-9]{2}$", "a\\.b",
    "\"a\"*", "$x", "$x*", "$(ls)", "'a b'", "(a b)", "(a", "[(]", "[)]", "a|b", "<1-2>", "#a",
    "a#b", "~", "~/a", "@(a|b)", "*(.)", "(#b)a", "[[:alpha:]]", "[!a]", "!a", "=ls", "a=b", "]]",
    "&", ";", "(ls)", "(a|$(p a))", "`ls`", "(\\))", "(a$|b)", "((a|b)c)", "a(b)?", "[^a]", "a+",
    "{a,b}", "a{2}", "[a", "]", "[a-z]*[0-9]", "\"(\"", "\\(", "0", "1", "08", "$?", "$#", "x[1]",
    "(a|b", "a)", "(a)(b)", "(*)", "+(a)", "?(a)", "^", "^$", "$", ".*", "(.*)\\.txt$", "a~b",
    "(^a)",
];

#[rustfmt::skip]
pub(super) const NAMES: &[&str] = &[
    "a", "a.txt", "b.txt", "HEAD~1", "HEAD^", "HEAD^^", "a#b", "--x=y", "a:b", "a=b", "%1", "x@y",
    "-n", "--", "-la", "+1", "-1", "!", "!=", "=", "]", "a~b", "~1", "a%b", "a,b", "x+y", "=ls",
    "a==b", "a=~/b", "a:~", "^a", "#a", "{x}", "done", "fi", "do", "then", "in", "esac", "}", "{",
    "time", "1", "2", "[", "a!b", "@{1}", "a=", "1a",
];

#[rustfmt::skip]
pub(super) const PATHS: &[&str] = &[
    "src", "src", "lib", "..", "..", ".", "../..", "-", "src/deep", "src/..", "lib/../src", "out",
    "in", "in/..", "out/..", "./src", "src/", "/case/proj", "/case/proj/src", "nosuch",
    "nosuch/..", "a.txt", "a.txt/..", "../outside", "../proj", "-P src", "-L in", "-- src", "''",
    "src/main.txt", "~", "~/src", "/", "-P in", "src//deep", "deep", "src lib", ".hid", "/case",
    "'src'", "s\"rc\"",
];

#[rustfmt::skip]
pub(super) const REDIRECTIONS: &[&str] = &[
    " >/dev/null", " 2>&1", " &>/dev/null", " &>/dev/null", " &>>/dev/null", " >f.txt",
    " 2>f.txt", " <a.txt", " <<<x", " <<<$x", " <<<\"$(ls)\"", " <<< \"$(p \"$x\")\"", " >&2",
    " 2>&-", ">|f.txt", " </dev/null", " <nosuch", " >nosuch/f", " >>b.txt", " 2>/dev/null",
    " 1>&2 2>&1", " >&f.txt", " 10>f.txt", " 3>&1", " >out/f", " >$x", " > 'a b'", " <>a.txt",
    " >a~1", " >a#b", " >f$", "&>/dev/null", " &> /dev/null", " >&-", " <&0", " 2>&1 >/dev/null",
    " >src", " <\"$x\"", " <\"$x\"", " <\"$x/a.txt\"", " <\"$PWD\"/a.txt", " >\"$x\"",
    " <\"${x}\"a", " <\"$(ls)\"", " <\"$x:h\"", " <\"$y$x\"", " <../\"$x\"", " <\"$HOME/a\"",
    " <\"$?\"", " < <(ls src)", " < <(cd src; cat x)", " <<(ls)",
];

/// How `read` is called.
#[rustfmt::skip]
pub(super) const READS: &[&str] = &[
    "read x", "read -r x", "IFS= read -r x", "read x y", "IFS=: read -r x y", "read -r y", "read",
    "\\read x", "read $x", "read -r", "read path", "read HOME", "read -rx", "read -- x", "read 'x'",
    "IFS=$x read x", "x=src read x", "IFS=t read -r x",
];

/// How a here-document is announced, and the line that ends it.
#[rustfmt::skip]
pub(super) const DELIMITERS: &[(&str, &str)] = &[
    ("E", "E"), ("E", "E"), ("'E'", "E"), ("\"E\"", "E"), ("E", "\tE"), ("'E'", "\tE"),
    ("\\E", "E"), ("E", "E "), ("E", "EE"), ("1", "1"), ("E''", "E"),
];

#[rustfmt::skip]
pub(super) const DOCUMENTS: &[&str] = &[
    "", "a\n", "$x\n", "$(ls $x)\n", "`ls`\n", "\\$(ls)\n", "\"$(p \"a b\")\"\n", "'$(ls)'\n",
    "$((1+2))\n", "\ta\n", "E \n", " E\n", "a\\\n", "a\\\nE\n", "$(ls\n)\n", "$\n", "\"\n", "'\n",
    "${x:-a}\n", "$(cd ..; ls)\n", "\\\\$(ls)\n", "$x[1]\n", "\"$?\"\n", "$?[1]\n", "#a\n",
    "$'a'\n",
];

#[rustfmt::skip]
pub(super) const JUNCTIONS: &[&str] = &[
    "; ", "; ", " && ", " && ", " && ", " || ", " || ", "\n", "\n", " | ", " & ", "; ", " ; ",
    ";", "&&", "||", "|", "&", " &&\n", " |\n", "\n\n", " & \n", " \\\n ", " |& ", ";; ",
    " && ! ", "; ! ", " \\\n&& ", " |& ",
];

#[rustfmt::skip]
pub(super) const JUMPS: &[&str] = &[
    "break", "break", "continue", "continue", "exit", "exit", "exit 0", "exit 1", "break 1",
    "break 2", "continue 2", "break 0", "break x", "continue $x", "exit $x", "exit a", "exit 1 2",
    "x=.. break", "x=.. continue", "x=src exit", "exit >f.txt", "break >nosuch/f", "! break",
    "exit 256", "x=$((1 2)) exit", "break $((1 2))", "return", "exit -1", "exit 08",
    "exit ${PIPESTATUS[0]}", "exit \"${PIPESTATUS[1]}\"",
];

#[rustfmt::skip]
pub(super) const ASSIGNMENTS: &[&str] = &[
    "x=", "x=", "x=", "y=", "y=", "xy=", "PWD=", "HOME=", "OLDPWD=", "IFS=", "x+=", "path=",
    "LC_ALL=", "COLUMNS=", "TZ=", "x[1]=", "_=", "a1=", "1a=", "CDPATH=", "status=", "i=",
];

#[rustfmt::skip]
pub(super) const COMMENTS: &[&str] = &[
    " # a", " #", " # it's", " # \"a", " # a; ls", " # $(ls)", " # \\", "; # a", " && # a", "# a",
    " #a\n# b", "\n# a 'b", " # a\\", ";# a", " # E", " # )", " # }", " # done", " # `ls`",
];

/// Tokens that a mutation inserts.
#[rustfmt::skip]
pub(super) const TOKENS: &[&str] = &[
    " ", " ", "\n", ";", "&", "|", "&&", "||", "(", ")", "{", "}", "{ ", "; }", "!", "! ", "<",
    ">", "<<", "<<<", ">&", "&>", " &>/dev/null", "$", "$(", "${", "\"", "'", "\\", "\\\n", "`",
    "*", "**", "?", "[", "]", "~", "#", " #", "=", "^", ":", "-", "%", ",", "..", "/", "if ",
    "then ", "fi", "do ", "done", "for x in ", "case x in ", "esac", ";;", "while ", "else ",
    "x=", "cd ", "ls ", "E\n", "\t", "1", "2", "$x", "{a,b}",
];

/// Bytes that a mutation inserts.
pub(super) const BYTES: &[u8] = b"'\"\\$`*?[]{}~#=!^&|;<>() \n\t-:%,./@+1a2x";
