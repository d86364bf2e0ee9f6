//! How options and operands are told apart, and what is not declared.

use super::{Undeclared, uses};
use crate::plan::Role;
use crate::verbs::find;

/// The paths that a command names: each with its role's first letter, `+` for everything below, `?`
/// for only possibly. An undeclared word is `!` and the word.
fn shown(command: &str) -> String {
    let words: Vec<&[u8]> = command.split(' ').map(str::as_bytes).collect();
    let verb = find(words[0]).unwrap_or_else(|| panic!("{command:?} has no declared verb"));
    let uses = match uses(verb, &words) {
        Ok(uses) => uses,
        Err(Undeclared { word }) => return format!("!{}", String::from_utf8_lossy(words[word])),
    };
    let show = |it: &super::Use| {
        let role = match it.role {
            Role::Read => "r",
            Role::List => "l",
            Role::Test => "t",
            other => panic!("no verb of this test {} anything", other.verb()),
        };
        let under = if it.under { "+" } else { "" };
        let may = if it.may { "?" } else { "" };
        // The word that names the path is that path, except for the working directory.
        assert!(it.word == 0 || words[it.word] == &it.text[..]);
        format!("{role}{under}{may}:{}", String::from_utf8_lossy(&it.text))
    };
    uses.iter().map(show).collect::<Vec<_>>().join(" ")
}

// tidy: table
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("cat", ""), ("cat a b", "r:a r:b"), ("cat - a", "r:a"), ("cat -n a", "r:a"),
    ("cat -nA a", "r:a"), ("cat --number a", "r:a"), ("cat -- -n", "r:-n"), ("cat -- --", "r:--"),
    ("cat -- -", ""),
    // Tools that stop at the first operand read what follows as files.
    ("cat a -n b", "r:a r?:-n r:b"), ("cat a -- -n", "r:a r?:-- r:-n"),
    // Not declared, or not all of it.
    ("cat -x a", "!-x"), ("cat -nx", "!-nx"), ("cat --num a", "!--num"),
    ("cat --number=1 a", "!--number=1"), ("cat --nosuch", "!--nosuch"), ("cat --help", "!--help"),
    // Values, attached and separate.
    ("head -n 5 a", "r:a"), ("head -n5 a", "r:a"), ("head -qn 5 a", "r:a"), ("head -5 a", "r:a"),
    ("head -n", ""), ("head -5x a", "!-5x"), ("head --lines=5 a", "r:a"),
    ("head --lines 5 a", "r:a"),
    ("head -n -5 a", "r:a"), ("head a -n 5", "r:a r?:-n r?:5"), ("head --line=5 a", "!--line=5"),
    ("cat -5", "!-5"), ("wc -lw a", "r:a"), ("wc --files0-from=a", "!--files0-from=a"),
    // Listing: the working directory, if nothing else.
    ("ls", "l:."), ("ls -l", "l:."), ("ls a", "l:a"), ("ls -", "l:-"), ("ls -R", "l+:."),
    ("ls -laR a", "l+:a"), ("ls --recursive a", "l+:a"), ("ls a -R", "l+:a l+?:-R"),
    ("ls --color=never", "l:."), ("ls --color", "!--color"),
    ("ls --color=always", "!--color=always"),
    ("ls -L", "!-L"), ("ls -H a", "!-H"), ("ls --dereference", "!--dereference"), ("ls -F", "!-F"),
    // Words that are no paths.
    ("pwd", ""), ("pwd -P", "t?:."), ("pwd -L", ""), ("pwd a", "!a"), ("pwd -x", "!-x"),
    ("echo /etc -n --x", ""), ("true a b", ""),
];

#[test]
fn words_are_read_as_the_table_says() {
    for (command, expected) in COMMANDS {
        assert_eq!(shown(command), *expected, "{command:?}");
    }
}

#[test]
fn verbs_are_found_by_their_whole_name() {
    assert!(find(b"cat").is_some());
    for other in [&b""[..], b"ca", b"cats", b"./cat", b"/bin/cat", b"CAT", b"rm"] {
        assert!(find(other).is_none(), "{}", other.escape_ascii());
    }
}

/// Options that would let a tool follow links, take file names from a file, run or write something.
#[test]
fn no_declared_option_is_a_dangerous_one() {
    for command in
        ["ls -F a", "ls -L a", "ls -H a", "wc --files0-from a", "cat --version", "ls -I x"]
    {
        assert!(shown(command).starts_with('!'), "{command:?}");
    }
}
