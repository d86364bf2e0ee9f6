//! Nights are remembered once each, in their order, and tell since when a finding is known.
#![forbid(unsafe_code)]

#[allow(dead_code, reason = "each test uses a part of it")]
mod support;

use shfence_reports::{History, Limit, Run, html, issues};
use std::fs;
use support::write_run;
use tempfile::TempDir;

/// A run with a finding, of a night of November.
fn night(day: u8) -> Run {
    let scratch = TempDir::new().expect("a directory");
    let mut run = write_run(scratch.path(), b"cd nosuch; cat ../outside/secret");
    run.manifest.started = format!("2026-11-{day:02}T02:17:00Z");
    run
}

/// The same without any finding.
fn clean(day: u8) -> Run {
    let mut run = night(day);
    run.findings.clear();
    let summary = run.summary.as_mut().expect("figures");
    summary.guards.values_mut().for_each(|it| it.findings = 0);
    run
}

#[test]
fn a_night_is_remembered_once_and_read_back() {
    let scratch = TempDir::new().expect("a directory");
    let file = scratch.path().join("history.jsonl");
    let mut history = History::read(&file).expect("none is an empty one");
    for day in [3, 1, 2, 3, 1] {
        history.remember(&night(day));
        history.write(&file).expect("written");
        assert_eq!(History::read(&file).expect("read back"), history);
    }
    let text = fs::read_to_string(&file).expect("read");
    assert_eq!(text.lines().count(), 3, "{text}");
    let days: Vec<String> =
        history.up_to(&night(2)).iter().map(|it| it.started[8..10].to_owned()).collect();
    assert_eq!(days, ["01", "02"], "later nights are none before it");
    fs::write(&file, text + "{\"started\":").expect("written");
    let told = History::read(&file).expect_err("a line that is cut").to_string();
    assert!(told.contains("line 4 is no night"), "{told}");
}

#[test]
fn the_page_says_since_when_a_finding_is_known() {
    let mut history = History::default();
    assert!(!html(&night(9), &history).contains("id=\"trend\""), "one night is no trend");
    history.remember(&clean(1));
    assert!(html(&night(9), &history).contains("in this run for the first time"));
    [night(2), clean(3), night(4), clean(5)].iter().for_each(|it| history.remember(it));
    let page = html(&night(9), &history);
    assert!(
        page.contains("first on 2026-11-02, in 3 of 5 runs since, before this run on"),
        "{page}"
    );
    assert!(page.contains("id=\"trend\"") && page.contains("2026-11-01 – 2026-11-09"), "{page}");
    assert_eq!(page.matches("<rect").count(), 4 * 6, "four charts of six nights");
    assert!(page.contains("class=\"good\" x") && page.contains("class=\"bad\" x"), "{page}");
}

#[test]
fn a_trend_is_of_one_guard_and_one_kind_of_campaign() {
    let this = night(9);
    let rects = |other: &Run| {
        let mut history = History::default();
        [&night(1), other].iter().for_each(|it| history.remember(it));
        html(&this, &history).matches("<rect").count()
    };
    assert_eq!(rects(&night(2)), 4 * 3);
    let changes: [fn(&mut Run); 4] = [
        |it| it.manifest.guards = vec!["linked-edit".to_owned()],
        |it| it.manifest.limit = Limit::Seconds(60),
        |it| it.manifest.lane = Some("tools".to_owned()),
        |it| it.manifest.generator.push_str(" small-3"),
    ];
    for change in changes {
        let mut other = night(2);
        change(&mut other);
        assert_eq!(rects(&other), 4 * 2);
    }
    // Another revision of the generators is the same kind.
    let mut later = night(2);
    later.manifest.generator = "2".to_owned();
    assert_eq!(rects(&later), 4 * 3);
    // A line that was written before nights said which guards they had.
    let scratch = TempDir::new().expect("a directory");
    let file = scratch.path().join("history.jsonl");
    let mut history = History::default();
    history.remember(&night(2));
    history.write(&file).expect("written");
    let text = fs::read_to_string(&file).expect("read");
    let mut line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let fields = line.as_object_mut().expect("an object");
    assert!(fields.remove("guards").is_some() && fields.remove("kind").is_some());
    fs::write(&file, line.to_string()).expect("written");
    let old = History::read(&file).expect("read back");
    assert_eq!(html(&this, &old).matches("<rect").count(), 4 * 2);
}

#[test]
fn a_defect_is_one_issue_whatever_line_and_night_shows_it() {
    let issue = |run: &Run| -> serde_json::Value {
        let text = issues(run);
        assert_eq!(text.lines().count(), 1, "strawmen are no issue: {text}");
        serde_json::from_str(&text).expect("JSON")
    };
    let scratch = TempDir::new().expect("a directory");
    let hostile = b"```\n# x\n<!-- \" $(id) `id` @someone\n```";
    let (one, other) = (issue(&night(1)), issue(&write_run(scratch.path(), hostile)));
    assert_eq!((&one["key"], &one["title"]), (&other["key"], &other["title"]));
    let body = other["body"].as_str().expect("text");
    let key = other["key"].as_str().expect("text");
    assert!(body.contains(key) && key.starts_with("shfence-finding-"), "{body}");
    // All that is anybody's text is code.
    let ours = body.lines().filter(|it| !it.starts_with("    "));
    assert!(ours.clone().all(|it| !it.contains('`') && !it.contains("someone")), "{body}");
    let mut known = night(1);
    known.findings.iter_mut().for_each(|it| it.finding.known = Some("id".to_owned()));
    assert_eq!(issues(&known), "", "what is known is filed already");
}
