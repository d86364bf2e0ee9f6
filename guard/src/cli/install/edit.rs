//! Adding to a document and cutting from it, so that no other byte changes, and cutting what was
//! added gives back what there was.
//!
//! What is added to an empty object or list stands directly behind its opening bracket; a list or
//! an object that is added with it begins with a line break. By that difference [`cut`] knows
//! whether what is left empty was there before.

use super::jsonc::{Item, Node, comment, skip_trivia};

/// The document with one more item at the end of `to`, an object or a list of it. The item is JSON,
/// with its key if it has one.
pub fn append(text: &str, to: &Node, item: &str) -> String {
    let style = Style::of(text);
    let Some(last) = to.items().last() else {
        let indent = format!("{}{}", line_indent(text, to.span.start), style.unit);
        let inside = to.span.start + 1;
        let item = style.lay_out(item, &indent);
        return [&text[..inside], &item, &text[inside..]].concat();
    };
    let own_line = is_first_on_line(text, last.start);
    let indent = match own_line {
        true => line_indent(text, last.start).to_owned(),
        false => format!("{}{}", line_indent(text, to.span.start), style.unit),
    };
    let item = style.lay_out(item, &indent);
    let end = last.node.span.end;
    let comma = comma_after(text, end);
    let at = behind_comments(text, comma.map_or(end, |comma| comma + 1));
    let (before, after) = if comma.is_some() { ("", ",") } else { (",", "") };
    let (head, between, tail) = (&text[..end], &text[end..at], &text[at..]);
    [head, before, between, style.line_break, &indent, &item, after, tail].concat()
}

/// A new document of one item.
pub fn document_of(item: &str) -> String {
    let style = Style { unit: "  ", line_break: "\n" };
    format!("{{\n  {}\n}}\n", style.lay_out(item, "  "))
}

/// The document without the item that `way` leads to, by its number in each object and list; and
/// without what held nothing but that, if it was added with it.
pub fn cut(text: &str, root: &Node, way: &[usize]) -> String {
    let mut way = way.to_vec();
    while way.len() > 1 && was_added(text, holder(root, &way)) {
        way.pop();
    }
    let Some(index) = way.last().copied() else { return text.to_owned() };
    let list = holder(root, &way);
    let items = list.items();
    let Item { start, node, .. } = &items[index];
    let end = node.span.end;
    let previous = index.checked_sub(1).map(|previous| items[previous].node.span.end);
    let own_comma = comma_after(text, end);
    // With the blanks between an item and its comma; what else stands there, a comment, stays.
    let after = match own_comma {
        Some(comma) if text[end..comma].trim().is_empty() => text[comma + 1..].to_owned(),
        Some(comma) => [&text[end..comma], &text[comma + 1..]].concat(),
        None => text[end..].to_owned(),
    };
    // The last item has the comma before it, if it has none behind it.
    let comma = match (own_comma, previous) {
        (None, Some(previous)) => comma_after(text, previous),
        _ => None,
    };
    let lead = text[..*start].trim_end_matches([' ', '\t', '\r', '\n']).len();
    // Nothing that follows may get into a comment.
    let inside = previous.unwrap_or(list.span.start + 1);
    let keeps_lead = ends_in_line_comment(text, inside, lead) && !after.starts_with(['\r', '\n']);
    let before = &text[..if keeps_lead { *start } else { lead }];
    match comma {
        Some(comma) => [&before[..comma], &before[comma + 1..], &after].concat(),
        None => [before, &after].concat(),
    }
}

/// The document with another value in the place of one.
pub fn replace(text: &str, node: &Node, by: &str) -> String {
    [&text[..node.span.start], by, &text[node.span.end..]].concat()
}

/// The node whose item the last step of a way is.
fn holder<'n>(root: &'n Node, way: &[usize]) -> &'n Node {
    let steps = &way[..way.len().saturating_sub(1)];
    steps.iter().fold(root, |node, index| &node.items()[*index].node)
}

/// Was this object or list added, and holds but one item?
fn was_added(text: &str, node: &Node) -> bool {
    let [only] = node.items() else { return false };
    let before = &text[node.span.start + 1..only.start];
    let after = &text[only.node.span.end..node.span.end - 1];
    before.contains('\n') && before.trim().is_empty() && after.trim().is_empty()
}

/// The comma behind an item that ends here.
fn comma_after(text: &str, end: usize) -> Option<usize> {
    let at = skip_trivia(text, end).ok()?;
    text[at..].starts_with(',').then_some(at)
}

/// The place behind the comments that follow on this line.
fn behind_comments(text: &str, at: usize) -> usize {
    let (mut behind, mut looked_at) = (at, at);
    loop {
        let rest = &text[looked_at..];
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let start = looked_at + rest.len() - trimmed.len();
        match comment(trimmed) {
            Some(length) if length > 0 && !trimmed[..length].contains('\n') => {
                looked_at = start + length;
                behind = looked_at;
            }
            _ => return behind,
        }
    }
}

/// Does what stands between two items, or a bracket and an item, end in a comment to the end of the
/// line?
fn ends_in_line_comment(text: &str, from: usize, lead: usize) -> bool {
    let (mut at, mut inside) = (from, false);
    while at < lead {
        let length = comment(&text[at..]).filter(|length| *length > 0);
        inside = length.is_some() && text[at..].starts_with("//");
        let step = text[at..].chars().next().map_or(1, char::len_utf8);
        at += length.unwrap_or(step);
    }
    inside
}

fn is_first_on_line(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    line > 0 && text[line..at].trim().is_empty()
}

/// The blanks that the line of this place begins with.
fn line_indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// How a document is laid out.
struct Style<'t> {
    /// What one step inwards is.
    unit: &'t str,
    line_break: &'static str,
}

impl<'t> Style<'t> {
    fn of(text: &'t str) -> Style<'t> {
        let breaks = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let unit = text.lines().find_map(|line| {
            let bare = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - bare.len()];
            // A comment of several lines has blanks of its own before its stars.
            let counts = !bare.trim().is_empty() && !bare.starts_with('*');
            (counts && (1..=8).contains(&indent.len())).then_some(indent)
        });
        Style { unit: unit.unwrap_or("  "), line_break: if breaks { "\r\n" } else { "\n" } }
    }

    /// JSON on several lines, of which the first stands at `indent` already.
    fn lay_out(&self, json: &str, indent: &str) -> String {
        let (mut out, mut depth) = (String::new(), 0_usize);
        let mut chars = json.chars().peekable();
        let line = |depth: usize| format!("{}{indent}{}", self.line_break, self.unit.repeat(depth));
        let mut quoted = Quoted::default();
        while let Some(c) = chars.next() {
            match c {
                _ if quoted.covers(c) => out.push(c),
                '{' | '[' if chars.next_if(|next| "}]".contains(*next)).is_some() => {
                    out.push_str(if c == '{' { "{}" } else { "[]" });
                }
                '{' | '[' => {
                    depth += 1;
                    out.push(c);
                    out.push_str(&line(depth));
                }
                '}' | ']' => {
                    depth = depth.saturating_sub(1);
                    out.push_str(&line(depth));
                    out.push(c);
                }
                ',' => out.push_str(&format!(",{}", line(depth))),
                ':' => out.push_str(": "),
                ' ' => {}
                c => out.push(c),
            }
        }
        out
    }
}

/// Follows a JSON text through its strings.
#[derive(Default)]
struct Quoted {
    inside: bool,
    escaped: bool,
}

impl Quoted {
    /// Is the next character part of a string?
    fn covers(&mut self, c: char) -> bool {
        let before = self.inside;
        if c == '"' && !self.escaped {
            self.inside = !self.inside;
        }
        self.escaped = self.inside && c == '\\' && !self.escaped;
        before || self.inside
    }
}
