//! Lines as somebody reads them who does not know one thing about shells: the question that the
//! guard is asked instead.

use shfence_corpus::{Case, Text};

/// How a byte of a line is quoted. Read once from left to right, without nesting: close enough for
/// who is to be wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// It may mean something to the shell.
    Free,
    /// In double quotes, where `$` still does.
    Double,
    /// It stands for itself.
    Sure,
}

/// Each byte of the line with how it is quoted.
fn quoted(line: &[u8]) -> Vec<(u8, Quoting)> {
    let mut within = Quoting::Free;
    let mut escaped = false;
    let mut bytes = Vec::with_capacity(line.len());
    for byte in line.iter().copied() {
        let quoting = if escaped { Quoting::Sure } else { within };
        bytes.push((byte, quoting));
        escaped = !escaped && byte == b'\\' && within != Quoting::Sure;
        within = match (quoting, byte) {
            (Quoting::Free, b'\'') => Quoting::Sure,
            (Quoting::Free, b'"') => Quoting::Double,
            (Quoting::Double, b'"') => Quoting::Free,
            (Quoting::Sure, b'\'') if within == Quoting::Sure => Quoting::Free,
            _ => within,
        };
    }
    bytes
}

/// What stands at a place of a line.
struct At<'a> {
    byte: u8,
    quoting: Quoting,
    before: Option<u8>,
    behind: &'a [(u8, Quoting)],
}

impl At<'_> {
    fn is_free(&self, byte: u8) -> bool {
        self.quoting == Quoting::Free && self.byte == byte
    }

    fn begins_a_word(&self) -> bool {
        self.before.is_none_or(|byte| b" \t\n;&|(".contains(&byte))
    }

    fn next(&self) -> Option<u8> {
        self.behind.first().map(|(byte, _)| *byte)
    }
}

/// What a misreading makes of a place.
enum Becomes {
    Itself,
    Nothing,
    /// Itself, behind or before something else.
    Behind(&'static [u8]),
    Before(&'static [u8]),
    /// The line ends here, in this.
    TheEnd(&'static [u8]),
}

/// Reads the line of a case in another way.
fn reread(case: &mut Case, becomes: impl Fn(&At<'_>) -> Becomes) {
    let bytes = quoted(&case.line);
    let mut line = Vec::with_capacity(bytes.len());
    for (index, (byte, quoting)) in bytes.iter().copied().enumerate() {
        let before = index.checked_sub(1).map(|it| bytes[it].0);
        let at = At { byte, quoting, before, behind: &bytes[index + 1..] };
        match becomes(&at) {
            Becomes::Itself => line.push(byte),
            Becomes::Nothing => {}
            Becomes::Behind(text) => line.extend(text.iter().copied().chain([byte])),
            Becomes::Before(text) => line.extend([byte].into_iter().chain(text.iter().copied())),
            Becomes::TheEnd(text) => {
                line.extend(text);
                break;
            }
        }
    }
    case.line = Text::from(line);
}

/// Ends at the first new line.
pub(super) fn first_line(case: &mut Case) {
    reread(case, |at| if at.is_free(b'\n') { Becomes::TheEnd(b"") } else { Becomes::Itself });
}

/// Ends at the first comment.
pub(super) fn comments(case: &mut Case) {
    reread(case, |at| match at.is_free(b'#') && at.begins_a_word() {
        true => Becomes::TheEnd(b""),
        false => Becomes::Itself,
    });
}

/// Ends at the first here-document.
pub(super) fn documents(case: &mut Case) {
    reread(case, |at| {
        let string = at.before == Some(b'<') || at.behind.get(1).is_some_and(|it| it.0 == b'<');
        match at.is_free(b'<') && at.next() == Some(b'<') && !string {
            true => Becomes::TheEnd(b"</dev/null"),
            false => Becomes::Itself,
        }
    });
}

/// Takes `$'…'` for `'…'`.
pub(super) fn dollar_quotes(case: &mut Case) {
    reread(case, |at| match at.is_free(b'$') && at.next() == Some(b'\'') {
        true => Becomes::Nothing,
        false => Becomes::Itself,
    });
}

/// Takes a pattern for a name.
pub(super) fn patterns(case: &mut Case) {
    reread(case, |at| {
        let bracket = at.is_free(b'[') && !at.next().is_none_or(|it| b" \t\n[".contains(&it));
        match at.is_free(b'*') || at.is_free(b'?') || (bracket && at.before != Some(b'[')) {
            true => Becomes::Behind(b"\\"),
            false => Becomes::Itself,
        }
    });
}

/// Takes what a pattern matches for an operand.
pub(super) fn matches(case: &mut Case) {
    reread(case, |at| match at.is_free(b'*') && at.begins_a_word() {
        true => Becomes::Behind(b"./"),
        false => Becomes::Itself,
    });
}

/// Takes braces in a word for text, if none of them belong to a parameter.
pub(super) fn braces(case: &mut Case) {
    if case.line.windows(2).any(|two| two == b"${") {
        return;
    }
    let is_blank = |byte: u8| b" \t\n;".contains(&byte);
    reread(case, |at| match at.byte {
        b'{' if at.is_free(b'{') && at.next().is_some_and(|it| !is_blank(it)) => {
            Becomes::Behind(b"'")
        }
        b'}' if at.is_free(b'}') && at.before.is_some_and(|it| !is_blank(it)) => {
            Becomes::Before(b"'")
        }
        _ => Becomes::Itself,
    });
}

/// Takes a tilde for a name.
pub(super) fn tildes(case: &mut Case) {
    reread(case, |at| match at.is_free(b'~') && at.begins_a_word() {
        true => Becomes::Behind(b"\\"),
        false => Becomes::Itself,
    });
}

/// Takes `$V` for `V`.
pub(super) fn parameters(case: &mut Case) {
    reread(case, |at| {
        let named = at.next().is_some_and(|it| it.is_ascii_alphabetic() || it == b'_');
        match at.quoting != Quoting::Sure && at.byte == b'$' && named {
            true => Becomes::Nothing,
            false => Becomes::Itself,
        }
    });
}

/// Does not read long options.
pub(super) fn options(case: &mut Case) {
    let mut line = Vec::with_capacity(case.line.len());
    let mut rest = &quoted(&case.line)[..];
    let mut fresh = true;
    while let [(byte, quoting), behind @ ..] = rest {
        let is_long =
            matches!(rest, [(b'-', _), (b'-', _), (next, _), ..] if next.is_ascii_alphabetic());
        if fresh && is_long {
            let ends = |(byte, quoting): &(u8, Quoting)| {
                *quoting == Quoting::Free && b" \t\n;&|<>()".contains(byte)
            };
            let length = rest.iter().position(ends).unwrap_or(rest.len());
            rest = &rest[length..];
            continue;
        }
        line.push(*byte);
        fresh = *quoting == Quoting::Free && b" \t".contains(byte);
        rest = behind;
    }
    case.line = Text::from(line);
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence_corpus::TreeSpec;

    fn read(line: &str, misread: fn(&mut Case)) -> String {
        let mut case = Case::new(line, TreeSpec::default());
        misread(&mut case);
        case.line.lossy().into_owned()
    }

    #[test]
    fn each_misreads_one_thing() {
        assert_eq!(read("cat 'a\nb' c\nls", first_line), "cat 'a\nb' c");
        assert_eq!(read("cat a#b '#' # c\nls", comments), "cat a#b '#' ");
        assert_eq!(read("cat <<E && ls\nE\nls", documents), "cat </dev/null");
        assert_eq!(read("cat <<<x; ls", documents), "cat <<<x; ls");
        assert_eq!(read(r"cat $'\056' '$'", dollar_quotes), r"cat '\056' '$'");
        assert_eq!(read("[ -f x ] && ls a* '*' [b]", patterns), r"[ -f x ] && ls a\* '*' \[b]");
        assert_eq!(read("ls * a* '*'", matches), "ls ./* a* '*'");
        assert_eq!(read("{ ls {a,b}; }", braces), "{ ls '{a,b}'; }");
        assert_eq!(read("cat ~/a b~ '~'", tildes), r"cat \~/a b~ '~'");
        assert_eq!(read(r#"cat $V "$V" '$V' \$V"#, parameters), r#"cat V "V" '$V' \$V"#);
        assert_eq!(read("wc --fi='a b' -- -l --;ls --a", options), "wc  -- -l --;ls ");
    }
}
