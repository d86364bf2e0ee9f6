//! From the model to the bytes of a line.

use super::{Body, Command, Join, List, Pipeline, Redirect, Target};

/// How a line is laid out. No shell reads a line differently for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One blank where people write one.
    Plain,
    /// No blank where none is needed.
    Tight,
    /// Blanks and tabs where none is needed.
    Wide,
    /// A new line after every operator that allows one.
    Broken,
}

impl Layout {
    /// Every layout but the plain one.
    pub(crate) const UNUSUAL: [Layout; 3] = [Layout::Tight, Layout::Wide, Layout::Broken];

    fn operator(self, operator: &str) -> String {
        match self {
            Layout::Plain => format!(" {operator} "),
            Layout::Tight => operator.to_owned(),
            Layout::Wide => format!("  {operator}\t"),
            Layout::Broken => format!(" {operator}\n"),
        }
    }

    fn semicolon(self) -> &'static str {
        match self {
            Layout::Plain | Layout::Broken => "; ",
            Layout::Tight => ";",
            Layout::Wide => " ;  ",
        }
    }

    fn blank(self) -> &'static str {
        if self == Layout::Wide { "  " } else { " " }
    }
}

/// The text of `list`, with an optional comment on a line of its own before it.
pub(crate) fn render(comment: Option<&str>, list: &List, layout: Layout) -> String {
    let mut out = String::new();
    if let Some(comment) = comment {
        out.push_str(comment);
        out.push('\n');
    }
    write_list(&mut out, list, layout);
    out
}

fn write_list(out: &mut String, list: &List, layout: Layout) {
    write_pipeline(out, list.first(), layout);
    for (join, pipeline) in list.rest() {
        match join {
            Join::And => out.push_str(&layout.operator("&&")),
            Join::Or => out.push_str(&layout.operator("||")),
            Join::Semicolon => out.push_str(layout.semicolon()),
            Join::Newline(None) => out.push('\n'),
            Join::Newline(Some(comment)) => {
                out.push('\n');
                out.push_str(comment);
                out.push('\n');
            }
        }
        write_pipeline(out, pipeline, layout);
    }
}

fn write_pipeline(out: &mut String, pipeline: &Pipeline, layout: Layout) {
    for (place, command) in pipeline.0.iter().enumerate() {
        if place > 0 {
            out.push_str(&layout.operator("|"));
        }
        write_command(out, command, layout);
    }
}

fn write_command(out: &mut String, command: &Command, layout: Layout) {
    match &command.body {
        Body::Simple(words) => {
            let words = words.iter().map(|word| word.as_str().to_owned());
            let redirects = command.redirects.iter().map(|redirect| redirected(redirect, layout));
            let parts: Vec<String> = if command.redirects_first {
                redirects.chain(words).collect()
            } else {
                words.chain(redirects).collect()
            };
            out.push_str(&parts.join(layout.blank()));
            return;
        }
        Body::Subshell(list) => write_subshell(out, list, layout),
        Body::Braces(list) => {
            out.push_str("{ ");
            write_list(out, list, layout);
            out.push_str("; }");
        }
        Body::Source(source) => out.push_str(source),
    }
    for redirect in &command.redirects {
        out.push(' ');
        out.push_str(&redirected(redirect, layout));
    }
}

/// Two opening parentheses in a row would be arithmetic to some shells.
fn write_subshell(out: &mut String, list: &List, layout: Layout) {
    let mut inner = String::new();
    write_list(&mut inner, list, layout);
    let apart = layout == Layout::Wide || inner.starts_with('(') || inner.ends_with(')');
    let blank = if apart { " " } else { "" };
    *out += &format!("({blank}{inner}{blank})");
}

fn redirected(redirect: &Redirect, layout: Layout) -> String {
    match &redirect.target {
        Target::Descriptor(number) => format!("{}{number}", redirect.operator),
        Target::File(word) => {
            let blank = if layout == Layout::Wide { " " } else { "" };
            format!("{}{blank}{}", redirect.operator, word.as_str())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Word;

    fn simple(words: &str) -> Command {
        Command::simple(words.split(' ').map(Word::plain).collect())
    }

    #[test]
    fn a_layout_changes_only_blanks() {
        let quiet = Redirect { operator: "2>", target: Target::File(Word::plain("/dev/null")) };
        let inner = List::of(simple("cd src").redirected(quiet)).then(Join::And, simple("pwd"));
        let list = List::of(Command::new(Body::Subshell(inner.clone())))
            .then(Join::Semicolon, Pipeline(vec![simple("ls"), simple("wc -l")]))
            .then(Join::Newline(Some("# end")), Command::new(Body::Braces(inner)));
        assert_eq!(
            render(None, &list, Layout::Plain),
            "(cd src 2>/dev/null && pwd); ls | wc -l\n# end\n{ cd src 2>/dev/null && pwd; }"
        );
        assert_eq!(
            render(Some("# go"), &list, Layout::Tight),
            "# go\n(cd src 2>/dev/null&&pwd);ls|wc -l\n# end\n{ cd src 2>/dev/null&&pwd; }"
        );
        assert_eq!(
            render(None, &List::of(simple("ls")).then(Join::Or, simple("pwd")), Layout::Broken),
            "ls ||\npwd"
        );
    }

    #[test]
    fn nested_subshells_are_kept_apart() {
        let inner = Command::new(Body::Subshell(List::of(simple("pwd"))));
        let outer = Command::new(Body::Subshell(List::of(inner)));
        assert_eq!(render(None, &List::of(outer), Layout::Tight), "( (pwd) )");
    }
}
