//! An explanation for people.

use super::caret;
use super::explanation::{Command, Explanation, Group, Used};
use shfence::{Decision, Physical};
use std::fmt::Write as _;
use std::io::IsTerminal;

/// Colours, or none.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output: where a person looks at it who has not set `NO_COLOR`.
    pub fn of_terminal() -> Paint {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Paint { on: std::io::stdout().is_terminal() && !unwanted }
    }

    /// By an ANSI number: 1 bold, 31 red, 32 green, 33 yellow, 2 faint.
    fn with(self, colour: u8, text: &str) -> String {
        if self.on { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// How many reasons, commands of a group and paths of a command are shown.
const SHOWN_MAX: usize = 12;

/// The verdict; each reason under its place in the line; then, group by group, what starts where
/// and uses what.
pub fn rendered(line: &[u8], explanation: &Explanation, paint: Paint) -> String {
    let mut text = headline(explanation, paint);
    reasons(line, explanation, paint, &mut text);
    if !explanation.understood {
        text.push_str("\nthere is no plan: nothing is claimed about what the line does\n");
    }
    for group in &explanation.groups {
        let _ = write!(text, "\n{}", heading(group, paint));
        let several = group.cwd.as_ref().is_some_and(|places| places.len() > 1);
        for command in group.segments.iter().take(SHOWN_MAX) {
            shown(command, several, paint, &mut text);
        }
        more(group.segments.len(), "  ", &mut text);
    }
    text
}

fn headline(explanation: &Explanation, paint: Paint) -> String {
    let colour = match explanation.decision {
        Decision::Allow => 32,
        Decision::Ask => 33,
        Decision::Deny => 31,
    };
    let mut text = paint.with(colour, &explanation.decision.to_string());
    if let Some(root) = &explanation.root {
        let _ = write!(text, ": within {root}");
    }
    if explanation.lexical {
        text.push_str(" (lexical: links were not looked at)");
    }
    text.push('\n');
    text
}

/// Reasons at one place share its carets.
fn reasons(line: &[u8], explanation: &Explanation, paint: Paint, text: &mut String) {
    let reasons = &explanation.reasons;
    let mut advised: Vec<&str> = Vec::new();
    for (at, reason) in reasons.iter().take(SHOWN_MAX).enumerate() {
        if at == 0 || reasons[at - 1].span != reason.span {
            let place = caret::under(line, reason.span);
            let (shown, carets) = place.split_once('\n').unwrap_or((&place, ""));
            let _ = writeln!(text, "\n{shown}\n{}", paint.with(33, carets));
        }
        let (code, note) = (paint.with(1, &reason.code), caret::show(reason.note.as_bytes()));
        let _ = writeln!(text, "  {code}: {note}");
        if let Some(advice) = reason.advice.as_deref().filter(|it| !advised.contains(it)) {
            let _ = writeln!(text, "  {}", paint.with(2, &format!("help: {advice}")));
            advised.push(advice);
        }
    }
    more(reasons.len(), "\n  ", text);
}

/// Where the commands of a group start.
fn heading(group: &Group, paint: Paint) -> String {
    let Some(places) = &group.cwd else {
        return "in a directory that is not known\n".to_owned();
    };
    if places.is_empty() {
        return "never reached\n".to_owned();
    }
    let shown = places.iter().map(|place| match place.inside {
        true => place_of(&place.path),
        false => format!("{} {}", place_of(&place.path), paint.with(31, "(outside)")),
    });
    format!("in {}\n", shown.collect::<Vec<_>>().join(", or "))
}

fn shown(command: &Command, several: bool, paint: Paint, text: &mut String) {
    let shells = match &command.shells {
        Some(shells) => format!("   ({} only)", shells.join(" and ")),
        None => String::new(),
    };
    let written = command.text.as_ref().map(|written| paint.with(1, &one_line(written)));
    let words = command.words.as_ref().map(|words| format!("as: {}", one_line(words)));
    let lines: Vec<String> = written.into_iter().chain(words).collect();
    let _ = writeln!(text, "  {}{shells}", lines.join("\n  "));
    let width = |of: fn(&Used) -> String| {
        command.paths.iter().take(SHOWN_MAX).map(|used| of(used).chars().count()).max().unwrap_or(0)
    };
    let (uses, texts, paths) = (width(does), width(named), width(|used| place_of(&used.path)));
    for used in command.paths.iter().take(SHOWN_MAX) {
        let (does, named, path) = (does(used), named(used), place_of(&used.path));
        let mut row = format!("    {does:<uses$}  {named:<texts$}  {path:<paths$}");
        if !used.inside {
            row = format!("{row}  {}", paint.with(31, "outside"));
        }
        // Where a command may start in several directories, each has paths of its own.
        if let Some(from) = used.from.as_ref().filter(|_| several) {
            row = format!("{row}  from {}", place_of(from));
        }
        let _ = writeln!(text, "{}", row.trim_end());
        for link in &used.links {
            let target = caret::show(link.target.as_bytes());
            let at = place_of(&link.at);
            let _ = writeln!(text, "    {:uses$}  {at} is a link to {target}", "");
        }
    }
    more(command.paths.len(), "    ", text);
}

/// What is done with a path.
fn does(used: &Used) -> String {
    let verb = used.role.verb();
    let verb =
        if used.may { format!("may {}", verb.trim_end_matches('s')) } else { verb.to_owned() };
    if used.under { format!("{verb} below") } else { verb }
}

fn place_of(path: &Physical) -> String {
    caret::show(path.as_bytes())
}

fn named(used: &Used) -> String {
    one_line(&used.text)
}

/// Without what a terminal might obey, and not longer than a line.
fn one_line(text: &str) -> String {
    const WIDTH: usize = 80;
    let text = text.replace('\n', " ");
    let mut shown: String = caret::show(text.as_bytes()).chars().take(WIDTH).collect();
    if text.chars().nth(WIDTH).is_some() {
        shown.push('…');
    }
    shown
}

fn more(all: usize, indent: &str, text: &mut String) {
    if all > SHOWN_MAX {
        let _ = writeln!(text, "{indent}and {} more", all - SHOWN_MAX);
    }
}
