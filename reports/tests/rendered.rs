//! The forms for machines and browsers: what they look like, and that no text can break them.
#![forbid(unsafe_code)]

mod support;

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use shfence_corpus::{FindingKind, Signature};
use shfence_reports::{
    Ended, FirstSeen, History, Refused, Run, Together, html, json, junit, markdown, sarif,
};
use std::collections::BTreeSet;
use support::write_run;

const LINE: &[u8] = b"cd nosuch; cat ../outside/secret";

/// A line that would be markup, in every form.
const HOSTILE: &[u8] = b"</pre><script>alert(1)</script>]]>\"'&amp; \x1b[2J\xff\xe2\x80\xae{{ x }}";

fn run_with(line: &[u8]) -> Run {
    let temp = tempfile::tempdir().expect("a directory");
    write_run(temp.path(), line)
}

#[test]
fn json_says_what_scripts_ask_for() {
    let document: Value = serde_json::from_str(&json(&run_with(LINE))).expect("JSON");
    assert_eq!((&document["cases"], &document["exit_code"]), (&1_000.into(), &1.into()));
    let signature = &document["findings"][0]["signature"];
    assert_eq!(signature, "tree-escape/read/cd-failed/semicolon");
    assert_eq!(document["caught"].as_array().map(Vec::len), Some(1));
    let mut folder = document["findings"][0]["folder"].to_string();
    folder.retain(|it| it != '"');
    assert!(folder.starts_with("findings/"), "{folder}");
}

/// The page of a run of which no other night is known.
fn page(run: &Run) -> String {
    html(run, &History::default())
}

/// The names that an object has, or that its schema demands.
fn names<'a>(all: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    all.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_schema_names_what_the_document_has() {
    let schema = include_str!("../docs/report.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let document: Value = serde_json::from_str(&json(&run_with(LINE))).expect("JSON");
    let finding = (&schema["$defs"]["finding"], &document["findings"][0]);
    for (schema, value) in [(&schema, &document), finding] {
        let has = value.as_object().expect("an object").keys().map(String::as_str);
        let required = schema["required"].as_array().expect("a list");
        let described = schema["properties"].as_object().expect("an object").keys();
        let has = names(has);
        assert_eq!(names(required.iter().filter_map(Value::as_str)), has);
        assert_eq!(names(described.map(String::as_str)), has);
    }
}

#[test]
fn junit_has_a_test_for_the_campaign_and_one_for_each_finding() {
    insta::assert_snapshot!(junit(&run_with(LINE)));
}

#[test]
fn sarif_tells_alerts_apart_by_signature_and_by_nothing_else() {
    insta::assert_snapshot!(sarif(&run_with(LINE)));
    let fingerprint = |line| {
        let document: Value = serde_json::from_str(&sarif(&run_with(line))).expect("JSON");
        let result = &document["runs"][0]["results"][0];
        (result["partialFingerprints"].clone(), result["locations"].clone())
    };
    assert_eq!(fingerprint(LINE), fingerprint(b"another line"));
}

/// The start tags, end tags and attributes of a page, without its text. Carets are bold, and how
/// many rows have some depends on the line.
fn structure(page: &str) -> Vec<String> {
    let body = page.split_once("<body>").expect("a body").1;
    let body = body.split_once("</body>").expect("its end").0;
    let mut tags = Vec::new();
    for part in body.split('<').skip(1) {
        let tag = part.split_once('>').expect("tags end").0;
        if ["b", "/b"].contains(&tag) {
            continue;
        }
        tags.push(tag.split("href").next().unwrap_or_default().to_owned());
    }
    tags
}

#[test]
fn the_page_needs_nothing_and_runs_nothing() {
    let page = page(&run_with(HOSTILE));
    for outside in ["<script", "src=", "http://", "https://", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
    let ids = |what: &str| -> BTreeSet<String> {
        let parts = page.split(what).skip(1);
        parts.map(|it| it.split('"').next().unwrap_or_default().to_owned()).collect()
    };
    let missing: Vec<_> = ids("href=\"#").difference(&ids("id=\"")).cloned().collect();
    assert_eq!(missing, [""; 0], "links that lead nowhere");
}

#[test]
fn the_page_shows_what_was_planned_beside_what_happened() {
    // askama writes the signs of markup as numbers.
    let planned = "run cat (&#60;a&#62; or b) (any words)   in /case/proj/nosuch or /case/home";
    let difference = [
        "<pre class=\"line\">cd nosuch; cat ../outside/secret\n",
        "<b>           ^^^^^^^^^^^^^^^^^^^^^</b>\n",
        "what bash, zsh did",
        "<span class=\"minus\">- enter /case/proj/nosuch</span>",
        "<span class=\"minus\">- run cat &#60;a&#62;   in <mark>/case/proj/nosuch</mark></span>",
        "<span class=\"plus\">+ run cat &#60;a&#62;   in <mark>/case/proj</mark></span>",
        "<span class=\"plus\">+ read /case/outside/secret</span>",
    ];
    let scratch = tempfile::tempdir().expect("a directory");
    let mut run = write_run(scratch.path(), LINE);
    let new = page(&run);
    for part in difference {
        assert!(new.contains(part), "{part}: {new}");
    }
    assert!(!new.contains(planned), "what is said by the difference is said twice: {new}");
    run.findings.iter_mut().for_each(|it| it.steps.clear());
    let old = page(&run);
    assert!(old.contains(planned), "{old}");
    assert!(!old.contains("class=\"difference\""), "{old}");
}

/// A page of a run with what a campaign counts of constructs and reasons, with this text in it.
fn counted_page(text: &str) -> String {
    let mut run = run_with(LINE);
    let summary = run.summary.as_mut().expect("figures");
    let together = Together { allowed: 30, refused: 70 };
    let in_shells = [("bash".to_owned(), together), (text.to_owned(), together)];
    summary.pairs.insert("cd+pipe".to_owned(), in_shells.clone().into());
    summary.pairs.insert(format!("links+{text}"), in_shells.into());
    for guard in summary.guards.values_mut() {
        let mut refused = Refused::default();
        refused.add(&text.into(), 3);
        guard.refused_for.insert(text.to_owned(), refused);
        let first = FirstSeen { cases: 1_234, seconds: 5.0 };
        guard.escapes = [("bash".to_owned(), first), (text.to_owned(), first)].into();
    }
    page(&run)
}

#[test]
fn the_page_draws_what_was_counted_and_no_text_changes_it() {
    let plain = counted_page("x");
    for part in
        ["2 of\n6 pairs", "cd with pipe: bash 100, 30.0 % allowed", "1,234", "id=\"refused-1\""]
    {
        assert!(plain.contains(part), "{part}: {plain}");
    }
    assert_eq!(plain.matches("class=\"never\"").count(), 4, "of six pairs two occurred");
    let hostile = String::from_utf8_lossy(HOSTILE);
    assert_eq!(structure(&counted_page(&hostile)), structure(&plain));
}

#[test]
fn what_a_finding_did_is_said_as_what_it_did() {
    let table: [(FindingKind, &str, &str, &str, &str); 7] = [
        (FindingKind::TreeEscape, "enter", "home", "entered", "/case/home"),
        (FindingKind::TreeEscape, "test", "/opt", "looked at", "/opt"),
        (FindingKind::TreeEscape, "list", "outside", "listed", "/case/outside"),
        (FindingKind::GroupEscape, "enter", "proj/src", "entered", "/case/proj/src"),
        (FindingKind::GroupEscape, "exec", "proj", "ran in", "/case/proj"),
        (FindingKind::PlanMismatch, "exec", "cat a b", "ran", "cat a b"),
        (FindingKind::PlanMismatch, "write", "proj/new", "wrote", "/case/proj/new"),
    ];
    for (kind, effect, touched, verb, what) in table {
        let mut run = run_with(LINE);
        for it in &mut run.findings {
            it.finding.kind = kind;
            it.finding.signature =
                Signature::new(&[kind.name(), effect, "cd", "plain"]).expect("plain parts");
            it.finding.touched = Some(touched.into());
        }
        let page = page(&run);
        assert!(
            page.contains(&format!("<dt>{verb}</dt><dd>{what}</dd>")),
            "{kind} {effect}: {page}"
        );
        let page = markdown(&run);
        assert!(page.contains(&format!("- {verb} `{what}`\n")), "{kind} {effect}: {page}");
    }
}

/// On the page red is what a finding is; a night without any has none.
#[test]
fn nothing_but_findings_is_red() {
    let red = |run: &Run| {
        page(run).split_once("<body>").is_some_and(|(_, body)| {
            ["\"hit\"", "bad\"", "chip new"].iter().any(|it| body.contains(it))
        })
    };
    let mut run = run_with(LINE);
    assert!(red(&run));
    run.findings.clear();
    let summary = run.summary.as_mut().expect("figures");
    summary.ended = Some(Ended::Fault("a worker died".to_owned()));
    for guard in summary.guards.values_mut() {
        (guard.findings, guard.cases_to_first_finding) = (0, None);
    }
    assert!(!red(&run), "{}", page(&run));
}

#[test]
fn ten_refused_lines_of_each_reason_are_shown_the_shortest_first() {
    let mut run = run_with(LINE);
    let guard = run.summary.as_mut().and_then(|it| it.guards.get_mut("linked")).expect("figures");
    for (reason, letter) in [("path-outside", "x"), ("word-unknown", "y")] {
        let refused = guard.refused_for.entry(reason.to_owned()).or_default();
        (0..12).rev().for_each(|at| refused.add(&letter.repeat(20 + at).into(), at as u64));
    }
    let page = page(&run);
    for letter in ["x", "y"] {
        let shown: Vec<String> = (0..10).map(|at| letter.repeat(20 + at)).collect();
        assert!(page.contains(&format!("<pre>{}</pre>", shown.join("\n"))), "{page}");
        assert!(!page.contains(&letter.repeat(30)), "{page}");
    }
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let markup = "[<>/a-z\"'&;#{}%! \\-\\]\\[\n\t\u{1b}\u{202e}]{0,40}";
    // No shell can be given a NUL byte, and no case holds one.
    let bytes = any::<Vec<u8>>().prop_map(|bytes| bytes.into_iter().filter(|b| *b != 0).collect());
    prop_oneof![bytes, markup.prop_map(String::into_bytes), Just(HOSTILE.to_vec())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_text_changes_the_page(line in any_line()) {
        prop_assert_eq!(structure(&page(&run_with(&line))), structure(&page(&run_with(b"x"))));
    }

    #[test]
    fn every_document_can_be_read_back(line in any_line()) {
        let run = run_with(&line);
        for text in [json(&run), sarif(&run)] {
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
        }
        let xml = junit(&run);
        let mut reader = Reader::from_str(&xml);
        let mut failures = 0;
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(Event::Start(tag)) if tag.name().as_ref() == "failure" => failures += 1,
                Ok(_) => {}
                Err(error) => panic!("{error}: {xml}"),
            }
        }
        prop_assert_eq!(failures, 1);
        let allowed = |it: char| !it.is_control() || it == '\n';
        prop_assert!(xml.chars().all(allowed), "{:?}", xml);
    }
}
