//! The page for people: what it looks like, and that no text can break it.
#![forbid(unsafe_code)]

mod support;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use shfence_corpus::{Entry, Node, RelPath, Text, TreeSpec};
use shfence_reports::{Ended, Run, Steps, Verdict, markdown};
use support::{STRAWMAN, summary, write_run};

fn run_with(line: &[u8]) -> Run {
    let temp = tempfile::tempdir().expect("a directory");
    write_run(temp.path(), line)
}

#[test]
fn a_run_with_findings() {
    let run = run_with(b"cd nosuch; cat ../outside/secret");
    insta::assert_snapshot!(markdown(&run));
}

#[test]
fn a_clean_run() {
    let mut run = run_with(b"true");
    run.findings.clear();
    run.summary = Some(summary(0));
    assert_eq!(run.verdict(), Verdict::Clean);
    insta::assert_snapshot!(markdown(&run));
}

#[test]
fn a_harness_fault_of_a_hostile_line() {
    let mut run = run_with(b"echo '```\n# Clean\n| a | b |' \x1b[2J\xff");
    let mut figures = summary(1);
    figures.ended = Some(Ended::Fault("worker 1 died: signal 9".to_owned()));
    run.summary = Some(figures);
    insta::assert_snapshot!(markdown(&run));
}

/// The page's structure as a CommonMark parser sees it: every event but the text itself.
fn structure(page: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(page, options)
        .filter_map(|event| match event {
            Event::Text(_) => None,
            Event::Code(_) => Some("code".to_owned()),
            Event::Start(Tag::Heading { level, .. }) => Some(format!("heading {level}")),
            other => Some(format!("{other:?}")),
        })
        .collect()
}

/// What stands in the page's code blocks.
fn code_blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block = None;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => block = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => blocks.extend(block.take()),
            Event::Text(text) => {
                if let Some(block) = &mut block {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// What Markdown and HTML react to, …
const MARKUP: &str = "` ``` ~~~ ````text | \\| \\ # > - 1. --- === |---| <b> <!-- --> <script> ]]> \
                      &#124; &lt; [x](y) ![ ]( * _ ~~ http://a.b a é ⟨ff⟩ ␊";
/// … and what terminals and eyes react to.
const CONTROLS: [&str; 11] =
    ["\n", "\r", "\r\n", "\t", "    ", " ", "\0", "\u{1b}[2J", "\u{202e}", "\u{2028}", "\u{a0}"];

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&str> = MARKUP.split_whitespace().chain(CONTROLS).collect();
    let piece = prop_oneof![
        prop::sample::select(words).prop_map(|text| text.as_bytes().to_vec()),
        any::<u8>().prop_map(|byte| vec![byte]),
    ];
    prop::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

/// A tree with `text` in a file, as a link's target and, where it can be one, as a name.
fn tree_of(text: &[u8]) -> TreeSpec {
    let text = Text::from(text);
    let mut entries = vec![
        ("proj/file".into(), Node::File { text: text.clone(), executable: true }),
        ("proj/link".into(), Node::Link { to: text.clone() }),
    ];
    entries.push((text, Node::Dir));
    let entry = |(path, node)| Some(Entry { path: RelPath::new(path).ok()?, node });
    TreeSpec::new(entries.into_iter().filter_map(entry)).expect("a tree")
}

/// The run with `text` wherever a finding, a guard or a fault can hold any text.
fn fill(run: &mut Run, text: &[u8]) {
    let words = String::from_utf8_lossy(text).into_owned();
    let guard = format!("cmd:{words}");
    for seen in &mut run.findings {
        let of_strawman = seen.finding.guard == STRAWMAN;
        if !of_strawman {
            seen.finding.guard.clone_from(&guard);
        }
        seen.finding.line = Text::from(text);
        seen.finding.touched = Some(Text::from(text));
        seen.finding.known = Some(words.clone());
        seen.finding.repro.clone_from(&words);
        let texts = vec![Text::from(text)];
        let steps = Steps { planned: texts, done: Vec::new() };
        seen.steps = [(words.clone(), steps)].into();
        if let Some(fixture) = &mut seen.fixture {
            fixture.case.pwd = Some(Text::from(text));
            fixture.case.env.insert("CDPATH".to_owned(), Some(Text::from(text)));
            fixture.case.tree = tree_of(text);
        }
    }
    let summary = run.summary.as_mut().expect("a finished run");
    summary.ended = Some(Ended::Fault(words.clone()));
    summary.inconclusive.clear();
    summary.inconclusive.insert(words.clone(), 1);
    run.manifest.guards = vec![guard];
    run.manifest.command = vec![Text::from(text)];
    run.manifest.kernel.clone_from(&words);
    run.notes = vec![format!("note {words}")];
}

#[test]
fn no_text_can_break_the_page() {
    let empty = run_with(b"true");
    let page_with = |text: &[u8]| {
        let mut run = empty.clone();
        fill(&mut run, text);
        markdown(&run)
    };
    let harmless = page_with(b"x");
    proptest!(|(text in hostile())| {
        let page = page_with(&text);
        prop_assert!(!page.chars().any(|c| c.is_control() && c != '\n'));
        prop_assert_eq!(structure(&page), structure(&harmless), "{}", page);
        // The first block is the finding's line, the fifth the strawman's: the same text.
        let blocks = code_blocks(&page);
        prop_assert_eq!(blocks.len(), code_blocks(&harmless).len());
        prop_assert_eq!(&blocks[0], &blocks[4]);
        let letters = |text: &[u8]| text.iter().filter(|b| b.is_ascii_alphabetic()).count();
        prop_assert!(letters(blocks[0].as_bytes()) >= letters(&text), "{}", blocks[0]);
    });
}
