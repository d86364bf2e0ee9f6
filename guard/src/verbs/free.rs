//! Words that a build tool hands on, or reads as it likes: text, unless it is a path.

/// What stands between a path and its neighbours in a word: `--config=a`, `a.py::test`, `{a,b}/**`,
/// `name@../package`, `field=<file`.
const BETWEEN: &[u8] = b"=:,;{}()|@<>\"' \t\n";

/// Every part of a word that may be a path. An address of the web is one only as a whole, in a
/// directory `https:`.
pub(crate) fn paths(text: &[u8]) -> Vec<&[u8]> {
    let behind = |start: &[u8]| text.strip_prefix(start).is_some();
    if behind(b"http://") || behind(b"https://") {
        return vec![text];
    }
    // Nearly all words have no other part than themselves.
    let begins = matches!(text, [] | [b'-', ..]);
    if !begins && !text.iter().any(|byte| BETWEEN.contains(byte)) {
        return vec![text];
    }
    let mut parts = vec![text];
    parts.extend(text.split(|byte| BETWEEN.contains(byte)));
    // `-I../include`
    let attached = |part: &&[u8]| matches!(part, [b'-', letter, _, ..] if *letter != b'-');
    let more: Vec<&[u8]> = parts.iter().filter(|it| attached(it)).map(|it| &it[2..]).collect();
    parts.extend(more);
    parts.retain(|part| !part.is_empty());
    parts.dedup();
    parts
}

/// Is it an option by which npm and its kin run scripts with another program? They find it in
/// places where others would hand it on. pnpm takes every setting so: `--config.script-shell=x`.
/// Or one by which what is handed on to every test of Rust names a file that is written?
pub(super) fn is_no_text(text: &[u8]) -> bool {
    let starts: [&[u8]; 3] = [b"--script-shell", b"--config.", b"--logfile"];
    starts.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn parts_that_may_be_paths_are_found() {
        for (word, part) in [
            ("../x", "../x"),
            ("--config=/etc/x", "/etc/x"),
            ("-I../x", "../x"),
            ("@../x", "../x"),
            ("a.py::test", "a.py"),
            ("{a,../b}/**", "../b"),
            ("file:///etc", "///etc"),
            ("--x=@/etc/y", "/etc/y"),
            ("a|/b", "/b"),
            ("x@../y", "../y"),
            ("f=<.env", ".env"),
        ] {
            let parts = paths(word.as_bytes());
            assert!(parts.contains(&part.as_bytes()), "{word}: {parts:?}");
        }
        assert_eq!(paths(b"http://localhost:3000/../x"), [b"http://localhost:3000/../x"]);
        assert!(paths(b"").is_empty());
    }
}
