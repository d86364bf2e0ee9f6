//! Any bytes and counts as text that a person can trust.

use std::fmt::Write as _;

/// What a line break is shown as.
pub(crate) const LINE_BREAK: char = '↵';

/// Any bytes as text of one line that shows what it is made of, one text for each byte string:
/// a line break as `↵`, other control characters as their pictures (`␛`), bytes of no text as
/// `⟨ff⟩`, characters that cannot be seen or that move others as `⟨U+202E⟩`.
pub(crate) fn visible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push_visible(&mut text, c));
        for byte in chunk.invalid() {
            let _ = write!(text, "⟨{byte:02x}⟩");
        }
    }
    text
}

fn push_visible(text: &mut String, c: char) {
    match c {
        // Its picture, `␊`, is in few fonts.
        '\n' => text.push(LINE_BREAK),
        '\0'..='\x1f' => text.extend(char::from_u32(0x2400 + u32::from(c))),
        '\x7f' => text.push('␡'),
        // What this function writes itself must not be said by its input.
        '⟨' | '⟩' | LINE_BREAK | '\u{2400}'..='\u{2421}' => push_code_point(text, c),
        c if cannot_be_seen(c) => push_code_point(text, c),
        c => text.push(c),
    }
}

fn push_code_point(text: &mut String, c: char) {
    let _ = write!(text, "⟨U+{:04X}⟩", u32::from(c));
}

/// Characters that look like nothing, like a plain space, or that change how their neighbours look.
/// The set: Unicode's White_Space outside ASCII, general category Cf, C1 controls, the fillers and
/// the variation selectors.
fn cannot_be_seen(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}'
        | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{1680}'
        | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3000}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A count with its thousands set apart.
pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share of a whole in percent, for people: `99.9`. What is not all is never 100.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let whole = u128::from(whole.max(1));
    let thousandths = (u128::from(part) * 1_000 + whole / 2) / whole;
    let most = if u128::from(part) < whole { 999 } else { u128::MAX };
    let thousandths = thousandths.min(most);
    format!("{}.{}", thousandths / 10, thousandths % 10)
}

/// So many of something, for people: `1 case`, `1,200 cases`.
pub fn count_of(count: u64, what: &str) -> String {
    format!("{} {what}{}", number(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_cannot_be_seen_is_named() {
        assert_eq!(visible(b"a\tb\x1b[2J\xffc\n"), "a␉b␛[2J⟨ff⟩c↵");
        assert_eq!(
            visible("\u{202e}⟨ff⟩␊↵".as_bytes()),
            "⟨U+202E⟩⟨U+27E8⟩ff⟨U+27E9⟩⟨U+240A⟩⟨U+21B5⟩"
        );
        assert_eq!(visible("grüße/日本".as_bytes()), "grüße/日本");
    }

    #[test]
    fn counts_are_readable() {
        assert_eq!(
            [0, 999, 1000, 48_213, 1_000_000].map(number),
            ["0", "999", "1,000", "48,213", "1,000,000"]
        );
    }

    #[test]
    fn a_share_is_all_only_if_it_is() {
        for (part, whole, expected) in [
            (0, 0, "0.0"),
            (1, 3, "33.3"),
            (2, 3, "66.7"),
            (47_188, 47_192, "99.9"),
            (u64::MAX - 1, u64::MAX, "99.9"),
            (u64::MAX, u64::MAX, "100.0"),
            (7, 7, "100.0"),
        ] {
            assert_eq!(percent(part, whole), expected, "{part} of {whole}");
        }
    }

    #[test]
    fn one_is_not_many() {
        let told = [0, 1, 2, 1_000].map(|count| count_of(count, "case"));
        assert_eq!(told, ["0 cases", "1 case", "2 cases", "1,000 cases"]);
    }

    /// The inverse of [`visible`]: that it exists is what makes the text of a page trustworthy.
    fn bytes_of(visible: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = visible.chars();
        while let Some(c) = rest.next() {
            let c = match c {
                '␡' => '\x7f',
                LINE_BREAK => '\n',
                '\u{2400}'..='\u{241f}' => char::from((u32::from(c) - 0x2400) as u8),
                '⟨' => {
                    let name: String = rest.by_ref().take_while(|c| *c != '⟩').collect();
                    let hex = |digits| u32::from_str_radix(digits, 16).expect("hex digits");
                    let Some(digits) = name.strip_prefix("U+") else {
                        bytes.push(hex(&name) as u8);
                        continue;
                    };
                    char::from_u32(hex(digits)).expect("a character")
                }
                c => c,
            };
            bytes.extend(c.to_string().bytes());
        }
        bytes
    }

    fn bytes_and_text() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes)]
    }

    proptest! {
        #[test]
        fn visible_text_is_one_printable_line_and_loses_nothing(bytes in bytes_and_text()) {
            let shown = visible(&bytes);
            prop_assert!(!shown.chars().any(|c| c.is_control() || cannot_be_seen(c)));
            prop_assert_eq!(bytes_of(&shown), bytes);
        }
    }
}
