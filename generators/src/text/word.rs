//! Words: text in one of the ways a shell lets it be written.

/// How a piece of a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is, where a shell takes it as it is; otherwise in single quotes.
    Bare,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// A backslash before the first character, and before every one that needs it.
    Backslash,
}

impl Style {
    /// Every style, the plainest first.
    pub(crate) const ALL: [Style; 4] =
        [Style::Bare, Style::Single, Style::Double, Style::Backslash];
}

/// A word: text and styles, or source that is taken as it stands (expansions).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    source: String,
}

impl Word {
    /// All of `text` in one style.
    pub(crate) fn styled(text: &str, style: Style) -> Word {
        let mut source = String::new();
        write_piece(&mut source, text, style);
        Word { source }
    }

    /// `text` in two styles, changing at the byte `at` (moved to the next character's start).
    pub(crate) fn mixed(text: &str, at: usize, first: Style, second: Style) -> Word {
        let at = (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        let (head, tail) = text.split_at(at);
        if head.is_empty() || tail.is_empty() || first == second {
            return Word::styled(text, second);
        }
        let mut source = String::new();
        write_piece(&mut source, head, first);
        write_piece(&mut source, tail, second);
        Word { source }
    }

    /// Plain text that needs no quotes, or single quotes where it does.
    pub(crate) fn plain(text: &str) -> Word {
        Word::styled(text, Style::Bare)
    }

    /// Shell source that stands for a word: `"$V"`, `*.txt`, `~/x`.
    pub(crate) fn source(source: impl Into<String>) -> Word {
        Word { source: source.into() }
    }

    /// The word as it stands in the line.
    pub(crate) fn as_str(&self) -> &str {
        &self.source
    }
}

fn write_piece(out: &mut String, text: &str, style: Style) {
    match style {
        Style::Bare if is_plain(text) => out.push_str(text),
        Style::Single | Style::Bare if !text.contains('\'') => {
            out.push('\'');
            out.push_str(text);
            out.push('\'');
        }
        Style::Backslash if !text.is_empty() && text.chars().all(is_printable) => {
            for (place, c) in text.chars().enumerate() {
                if place == 0 || !is_plain_character(c) {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        _ => write_double(out, text),
    }
}

fn write_double(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        if matches!(c, '$' | '`' | '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

/// May the text stand unquoted in every shell, wherever a word may?
fn is_plain(text: &str) -> bool {
    // What begins with `%`, `+` or `=` is a job, an old-style option or a path somewhere.
    !text.is_empty() && text.chars().all(is_plain_character) && !text.starts_with(['%', '+', '='])
}

fn is_plain_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_./,:@%+-=".contains(c)
}

fn is_printable(c: char) -> bool {
    c.is_ascii_graphic() || c == ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_says_the_same_in_its_way() {
        let written = |text, style| Word::styled(text, style).source;
        assert_eq!(written("a b", Style::Bare), "'a b'");
        assert_eq!(written("src", Style::Bare), "src");
        assert_eq!(written("", Style::Bare), "''");
        assert_eq!(written("", Style::Backslash), "\"\"");
        assert_eq!(written("it's", Style::Single), "\"it's\"");
        assert_eq!(written("$V", Style::Double), "\"\\$V\"");
        assert_eq!(written("a $V", Style::Backslash), "\\a\\ \\$V");
        assert_eq!(Word::mixed("src", 1, Style::Bare, Style::Single).source, "s'rc'");
        assert_eq!(Word::mixed("src", 3, Style::Bare, Style::Double).source, "\"src\"");
    }
}
