//! The line of a finding with carets under the pieces that it comes from.

use crate::visible::visible;
use std::ops::Range;

/// A part of a line that ends where the line breaks, and what stands under it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Visible text.
    pub(crate) text: String,
    /// Blanks and carets; nothing if no piece is in this part.
    pub(crate) carets: String,
}

/// The line in visible text, row by row. What is no piece of it has no carets: spans come from a
/// file.
pub(crate) fn rows(line: &[u8], spans: &[[u32; 2]]) -> Vec<Row> {
    let pieces: Vec<Range<usize>> = spans
        .iter()
        .map(|[start, end]| *start as usize..(*end as usize).min(line.len()))
        .filter(|piece| piece.start < piece.end)
        .collect();
    let mut rows = Vec::new();
    let mut start = 0;
    for text in line.split_inclusive(|byte| *byte == b'\n') {
        rows.push(Row { text: visible(text), carets: carets(text, start, &pieces) });
        start += text.len();
    }
    rows
}

/// The same as one text for a block of its own.
pub(crate) fn with_carets(line: &[u8], spans: &[[u32; 2]]) -> String {
    let lines = rows(line, spans).into_iter().flat_map(|row| [row.text, row.carets]);
    lines.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Under a part of the line that begins at `start`. A character is meant if one of its bytes is.
fn carets(text: &[u8], start: usize, pieces: &[Range<usize>]) -> String {
    let mut carets = String::new();
    let mut at = start;
    let mut draw = |unit: &[u8]| {
        let end = at + unit.len();
        let is_meant = pieces.iter().any(|piece| piece.start < end && at < piece.end);
        let sign = if is_meant { '^' } else { ' ' };
        carets.extend(std::iter::repeat_n(sign, visible(unit).chars().map(columns).sum()));
        at = end;
    };
    for chunk in text.utf8_chunks() {
        chunk.valid().chars().for_each(|c| draw(c.encode_utf8(&mut [0; 4]).as_bytes()));
        chunk.invalid().iter().for_each(|byte| draw(&[*byte]));
    }
    carets.truncate(carets.trim_end().len());
    carets
}

/// Letters of East Asia, and pictures, take two, and what is put on the letter before takes none.
/// The ranges are rough: whatever else they meet, the carets are a little off.
fn columns(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' => 0,
        '\u{1100}'..='\u{115e}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff01}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn carets_stand_under_what_is_meant() {
        /// A line, the pieces that are meant, and what is drawn.
        type Row<'a> = (&'a [u8], &'a [[u32; 2]], &'a str);
        let table: [Row<'_>; 8] = [
            (b"cd a; cat b", &[[6, 11]], "cd a; cat b\n      ^^^^^"),
            (b"cd a; cat b", &[[0, 4], [10, 11]], "cd a; cat b\n^^^^      ^"),
            (b"cat a\ncat b\n", &[[6, 11]], "cat a↵\ncat b↵\n^^^^^"),
            (b"cat <<E\nx\nE", &[[4, 11]], "cat <<E↵\n    ^^^^\nx↵\n^^\nE\n^"),
            (b"a \xff b", &[[4, 5]], "a ⟨ff⟩ b\n       ^"),
            ("é 日本 b".as_bytes(), &[[3, 9], [10, 11]], "é 日本 b\n  ^^^^ ^"),
            (b"cat b", &[], "cat b"),
            (b"cat b", &[[9, 12], [3, 2], [4, 400]], "cat b\n    ^"),
        ];
        for (line, spans, expected) in table {
            assert_eq!(with_carets(line, spans), expected);
        }
    }

    proptest! {
        #[test]
        fn any_spans_of_any_line_are_drawn_within_it(
            line in any::<Vec<u8>>(),
            spans in prop::collection::vec(any::<[u8; 2]>(), 0..5),
        ) {
            let spans: Vec<[u32; 2]> = spans.iter().map(|it| it.map(u32::from)).collect();
            for row in rows(&line, &spans) {
                let room: usize = row.text.chars().map(columns).sum();
                prop_assert!(row.carets.len() <= room, "{row:?}");
                prop_assert!(row.carets.chars().all(|it| it == ' ' || it == '^'));
            }
        }
    }
}
