//! Lines as long as a line may be, made of one thing again and again.

/// Name and line, each of about so many bytes.
pub fn lines(bytes: usize) -> Vec<(&'static str, String)> {
    let many = |head: &str, piece: &str, tail: &str| {
        let count = (bytes - head.len() - tail.len()) / piece.len();
        [head, &piece.repeat(count), tail].concat()
    };
    let nested = format!("{}ls{}", "(".repeat(bytes / 2), ")".repeat(bytes / 2 - 2));
    let deep = format!("{}{}", "((ls) && (pwd)) && ".repeat(bytes / 20), "ls");
    let (places, mut distinct) = (bytes / 8, String::from("cat"));
    (0..places).for_each(|n| distinct.push_str(&format!(" f{n:06}")));
    distinct.truncate(bytes);
    let fifty: String = (0..50).map(|n| format!("f{n} ")).collect();
    // The first are longer than is read to their ends; the others stand for more than they say.
    vec![
        ("operands", many("cat", " a", "")),
        ("distinct", distinct),
        ("climbing", many("cat", " src/../README.md", "")),
        ("long-word", many("cat ", "a", "")),
        ("long-path", many("cat ", "a/", "")),
        ("globs", many("cat", " src/*.rs", "")),
        ("globs-plain", many("echo", " *", "")),
        ("nested", nested),
        ("groups", deep),
        ("commands", many("", "ls;", "ls")),
        ("cds", many("", "cd src && cd .. && ", "ls")),
        ("documents", many("", "cat <<E\na\nE\n", "ls")),
        ("braces", many("echo ", "{a,b}", "")),
        ("brace-words", many("cat", " {a,b}", "")),
        ("brace-globs", many("rg x", " -g '{a,{b,c}}.rs'", "")),
        ("variables", many("echo", " $x", "")),
        ("quotes", many("echo ", "'a'\"b\"\\c", "")),
        ("redirections", many("ls", " 2>/dev/null", "")),
        ("assignments", many("", "x=$x$x;", "echo $x")),
        ("pipes", many("cat src/main.rs", " | head -5", "")),
        ("loops", many("", "for f in a b; do ", "ls")),
        ("doubling", ["x=aa; ", &"x=$x$x; ".repeat(900), "cat $x"].concat()),
        ("values", format!("for f in {fifty}; do {} done", "cat $f; ".repeat(900))),
        ("brace-products", ["cat", &" {1..64}{1..4}".repeat(600)].concat()),
        ("star-commands", "cat */*; ".repeat(900)),
        ("deep-stars", ["cat", &" **/*.rs".repeat(600)].concat()),
        ("finds", "find . | xargs grep x; ".repeat(450)),
        ("repositories", "git status; ".repeat(900)),
        ("builds", "npm test; ".repeat(900)),
    ]
}
