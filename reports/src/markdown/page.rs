//! Markdown blocks around text that may be hostile.
//!
//! A line under test is written to confuse parsers, and the page is read in browsers and terminals.
//! So text goes in through exactly three doors: [`visible`] into a fence, [`code`] into a code
//! span, [`plain`] into a sentence or a cell. None lets it end the block it stands in, send control
//! sequences to a terminal, or reorder what the eye sees. The tests ask a CommonMark parser.

use crate::visible::{LINE_BREAK, visible};
use std::fmt::Write as _;

/// A page that grows block by block.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    pub(super) fn into_text(self) -> String {
        self.0.trim_end().to_owned() + "\n"
    }

    /// A heading. `title` is Markdown.
    pub(super) fn heading(&mut self, level: usize, title: &str) {
        self.block(&format!("{} {title}", "#".repeat(level)));
    }

    /// A paragraph or a list. `markdown` is Markdown.
    pub(super) fn block(&mut self, markdown: &str) {
        self.0.push_str(markdown);
        self.0.push_str("\n\n");
    }

    /// A list, one item each. The items are Markdown of one line.
    pub(super) fn list(&mut self, items: &[String]) {
        let lines: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
        self.block(&lines.join("\n"));
    }

    /// A fenced block of any bytes. What was a line break stands as `↵` and breaks the line too, so
    /// that a script stays readable.
    pub(super) fn fence(&mut self, bytes: &[u8]) {
        self.fence_of_lines(&visible(bytes).replace(LINE_BREAK, &format!("{LINE_BREAK}\n")));
    }

    /// A fenced block of text that has been through [`visible`], line by line.
    pub(super) fn fence_of_lines(&mut self, text: &str) {
        self.fence_of("text", text);
    }

    /// The same of text in a language that renderers may colour.
    pub(super) fn fence_of(&mut self, language: &str, text: &str) {
        let fence = "`".repeat(longest_run_of_backticks(text).max(2) + 1);
        self.block(&format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n')));
    }

    /// A table. The first column holds names, the others figures; the cells are Markdown, those of
    /// the head set apart by `|`.
    pub(super) fn table(&mut self, head: &str, rows: &[Vec<String>]) {
        let figures = head.matches('|').count();
        let mut lines = vec![format!("| {head} |"), format!("|---|{}", "--:|".repeat(figures))];
        lines.extend(rows.iter().map(|cells| format!("| {} |", cells.join(" | "))));
        self.block(&lines.join("\n"));
    }
}

/// A code span for a list item or a sentence. Not for cells: a `|` in a code span ends the cell in
/// some renderers.
pub(super) fn code(bytes: &[u8]) -> String {
    let text = visible(bytes);
    if text.is_empty() {
        return "(empty)".to_owned();
    }
    let fence = "`".repeat(longest_run_of_backticks(&text) + 1);
    let edge = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(edge) || text.ends_with(edge) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Punctuation that is no markup within a line whose other punctuation is written as references.
const NO_MARKUP: &str = "-+./:,;()'\"%?";

/// Text for a heading, a sentence or a cell: whatever could be markup becomes a character
/// reference, which CommonMark never reads as structure.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text.as_bytes()).chars() {
        if c.is_ascii_punctuation() && !NO_MARKUP.contains(c) {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
