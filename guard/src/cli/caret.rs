//! A line with carets under a part of it.

use super::telling::visible;
use shfence::Span;

/// The part of the line's text line in which `span` starts, and carets under the span, both
/// indented by two blanks. A tab is shown as a blank, and what a terminal might obey as `?`.
pub fn under(line: &[u8], span: Span) -> String {
    let range = span.range();
    let start = range.start.min(line.len());
    let from = line[..start].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let to = line[start..].iter().position(|b| *b == b'\n').map_or(line.len(), |at| start + at);
    let (from, cut_left) = shorten_left(line, from, start);
    let (to, cut_right) = shorten_right(line, to, start);
    let shown = show(&line[from..to]);
    let before = show(&line[from..start]).chars().count();
    let marked = show(&line[start..range.end.clamp(start, to)]).chars().count().max(1);
    let left = if cut_left { "…" } else { "" };
    let right = if cut_right { "…" } else { "" };
    format!(
        "  {left}{shown}{right}\n  {}{}",
        " ".repeat(before + usize::from(cut_left)),
        "^".repeat(marked)
    )
}

/// How many bytes are shown on each side of a span's start.
const AROUND: usize = 60;

fn shorten_left(line: &[u8], from: usize, start: usize) -> (usize, bool) {
    if start - from <= AROUND {
        return (from, false);
    }
    let mut at = start - AROUND;
    while at < start && is_inside_character(line[at]) {
        at += 1;
    }
    (at, true)
}

fn shorten_right(line: &[u8], to: usize, start: usize) -> (usize, bool) {
    if to - start <= 2 * AROUND {
        return (to, false);
    }
    let mut at = start + 2 * AROUND;
    while at > start && is_inside_character(line[at]) {
        at -= 1;
    }
    (at, true)
}

fn is_inside_character(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Text for a terminal: without what it might obey.
pub fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(visible).collect()
}
