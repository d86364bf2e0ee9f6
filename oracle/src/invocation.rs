//! How the text of a line comes to a shell: what an agent makes of it on the way.

use shfence_corpus::{Invocation, Text};

/// What a shell is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    /// This after `-c`.
    Argument(Text),
    /// This on the terminal that it reads.
    Typed(Vec<u8>),
}

/// What an agent makes of a line. `None` if it cannot: JSON has no bytes that are not UTF-8.
///
/// - `eval`: quoted for a shell, as whoever has an outer script to finish does.
/// - `parens`: between parentheses and nothing else. An agent that puts newlines there as well is
///   the milder case: with those a comment does not reach the `)`, and `(` is not beside another.
/// - `json-eval`: what `JSON.stringify` makes of the line, after `eval`.
/// - `typed`: newlines become blanks and the ends are trimmed, as an editor does that sends a
///   command to its terminal; then Enter, and the end of input, again and again: what the line
///   starts may read one.
pub(crate) fn hand(line: &Text, invocation: Invocation) -> Option<Handed> {
    Some(match invocation {
        Invocation::C => Handed::Argument(line.clone()),
        Invocation::Eval => {
            let quoted = line.iter().flat_map(|byte| match byte {
                b'\'' => br"'\''".to_vec(),
                byte => vec![*byte],
            });
            Handed::Argument(around(b"eval '", &quoted.collect::<Vec<_>>(), b"'"))
        }
        Invocation::Parens => Handed::Argument(around(b"(", line, b")")),
        Invocation::JsonEval => {
            let json = serde_json::to_vec(std::str::from_utf8(line).ok()?).ok()?;
            Handed::Argument(around(b"eval ", &json, b""))
        }
        Invocation::Typed => {
            let is_break = |byte: &u8| b"\r\n".contains(byte);
            let one_line = line.split(is_break).collect::<Vec<_>>().join(&b' ');
            Handed::Typed([one_line.trim_ascii(), b"\n", &[END; MOST_ENDS]].concat())
        }
    })
}

/// The end of input, as it is typed (Ctrl-D).
const END: u8 = 4;

/// More than the programs of a line read.
const MOST_ENDS: usize = 64;

fn around(before: &[u8], text: &[u8], after: &[u8]) -> Text {
    Text::from([before, text, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_invocation_makes_its_own_of_a_line() {
        let line = "cat 'a b' \"$x\"\n# \\";
        let argument = |invocation, text: &str| {
            assert_eq!(hand(&line.into(), invocation), Some(Handed::Argument(text.into())));
        };
        argument(Invocation::C, line);
        argument(Invocation::Eval, "eval 'cat '\\''a b'\\'' \"$x\"\n# \\'");
        argument(Invocation::Parens, "(cat 'a b' \"$x\"\n# \\)");
        argument(Invocation::JsonEval, r##"eval "cat 'a b' \"$x\"\n# \\""##);
        let typed = hand(&" a\r\nb\n".into(), Invocation::Typed);
        let Some(Handed::Typed(typed)) = typed else { panic!("{typed:?}") };
        assert!(typed.starts_with(b"a  b\n\x04\x04"), "{typed:?}");
    }

    #[test]
    fn only_json_cannot_take_any_bytes() {
        for invocation in Invocation::ALL {
            let handed = hand(&Text::from(&b"\xff"[..]), invocation);
            assert_eq!(handed.is_none(), invocation == Invocation::JsonEval, "{invocation}");
        }
    }
}
