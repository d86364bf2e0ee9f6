//! As much of Rust's syntax as the checks need: what is code, and where an item ends.

/// The source with every comment and every literal blanked, line by line and column by column, so
/// that a brace or a word found in it is one of the code.
pub fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (kept, blanked) = next_token(rest, first);
        code.push_str(&rest[..kept]);
        let blank = &rest[kept..kept + blanked];
        code.extend(blank.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[kept + blanked..];
    }
    code
}

/// Bytes at the start of `rest` that are code, and bytes after them that are not.
fn next_token(rest: &str, first: char) -> (usize, usize) {
    let identifier = |c: char| c.is_alphanumeric() || c == '_';
    if identifier(first) {
        let length = rest.find(|c| !identifier(c)).unwrap_or(rest.len());
        let raw = matches!(&rest[..length], "r" | "br" | "cr");
        return (length, if raw { raw_string(&rest[length..]) } else { 0 });
    }
    let blanked = match first {
        '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
        '/' if rest.starts_with("/*") => block_comment(rest),
        '"' => string(rest),
        '\'' => character(rest),
        _ => 0,
    };
    if blanked > 0 { (0, blanked) } else { (first.len_utf8(), 0) }
}

/// Length of a raw string from its first `#` or `"`; 0 if there is none (`r#identifier`).
fn raw_string(rest: &str) -> usize {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    if !rest[hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len())
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of a character literal; 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    let (Some((_, content)), Some((at, next))) = (chars.next(), chars.next()) else { return 0 };
    if content == '\\' {
        let after = at + next.len_utf8();
        return rest[after..].find('\'').map_or(0, |end| after + end + 1);
    }
    if next == '\'' { at + 1 } else { 0 }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The last line of the item that starts on line `first` of [`code_of`]'s lines (from 0): where its
/// outermost braces close, or its `;` stands. Attributes before the item belong to it.
pub fn last_line_of_item(code: &[&str], first: usize) -> usize {
    let mut depth = 0usize;
    for (number, line) in code.iter().enumerate().skip(first) {
        for c in line.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                '}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return number;
                    }
                }
                ';' if depth == 0 => return number,
                _ => {}
            }
        }
    }
    code.len().saturating_sub(1)
}

/// The name of the function whose definition starts on this line of code.
pub fn function_on(code: &str) -> Option<&str> {
    const BEFORE: [&str; 6] = ["pub", "const", "async", "unsafe", "extern", "default"];
    let (before, after) = code.split_once("fn ")?;
    let words = || before.split_whitespace();
    if !words().all(|word| BEFORE.contains(&word) || word.starts_with("pub(")) {
        return None;
    }
    let name = after.trim_start();
    let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..length]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_columns_stay() {
        for (source, words) in [
            ("a // }\nb", "a b"),
            ("a /* } /* */ } */ b", "a b"),
            (r#"f("}\"}", b'}', '\'', '"') {"#, "f( , b , , ) {"),
            ("r#\"} \" }\"# {", "r {"),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            ("r#fn '\\u{1b}' é \"é\" x", "r#fn é x"),
        ] {
            let code = code_of(source);
            assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), words);
            let widths = |text: &str| text.lines().map(|l| l.chars().count()).collect::<Vec<_>>();
            assert_eq!(widths(&code), widths(source));
        }
    }

    #[test]
    fn an_item_ends_where_its_braces_close() {
        let source = "#[test]\nfn f(x: [u8; 3]) -> X\nwhere\n    X: Y,\n{\n    a(|| {});\n}\nb;";
        let lines: Vec<&str> = source.lines().collect();
        assert_eq!(last_line_of_item(&lines, 0), 6);
        assert_eq!(last_line_of_item(&lines, 7), 7);
        let table = ["static A: &[u8] = &[", "    1,", "];", "fn f() {}"];
        assert_eq!(last_line_of_item(&table, 0), 2);
    }

    #[test]
    fn functions_are_found_by_their_definitions() {
        assert_eq!(function_on("    pub(crate) async fn run<T>(x: T) {"), Some("run"));
        assert_eq!(function_on("unsafe extern     fn handler() {"), Some("handler"));
        assert_eq!(function_on("    call: fn (u8) -> u8,"), None);
        assert_eq!(function_on("let f: fn() = g;"), None);
    }
}
