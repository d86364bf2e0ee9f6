//! The run directory as an interface: what stands in it, when, and what a reader makes of ruins.
#![forbid(unsafe_code)]

mod support;

use shfence_corpus::{Finding, Shell, Shells, Signature};
use shfence_reports::{
    Ended, Evidence, ExitCode, Manifest, Reached, Run, RunWriter, ShardOf, Summary, Verdict,
    markdown,
};
use std::fs;
use std::path::{Path, PathBuf};
use support::{STRAWMAN, evidence, finding, fixture, manifest, summary, write_run};

const LINE: &[u8] = b"cd nosuch; cat ../outside/secret";

/// Every file below `dir`, by its path relative to it.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(dir).expect("below it").to_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_finished_run_holds_these_files() {
    let temp = tempfile::tempdir().expect("a directory");
    write_run(temp.path(), LINE);
    let names: Vec<String> =
        files(temp.path()).iter().map(|path| path.display().to_string()).collect();
    insta::assert_snapshot!(names.join("\n"));
}

#[test]
fn the_files_read_back_as_what_was_written() {
    let temp = tempfile::tempdir().expect("a directory");
    let run = write_run(temp.path(), b"cat \xff\n``` '");
    assert_eq!(run.manifest, manifest());
    assert_eq!(run.summary, Some(summary(1)));
    assert_eq!(run.notes, Vec::<String>::new());
    assert_eq!(run.findings[0].finding, finding("linked", b"cat \xff\n``` '"));
    assert_eq!(run.findings[0].fixture, Some(fixture(b"cat \xff\n``` '")));
    assert_ne!(run.findings[0].folder, run.findings[1].folder);
    assert_eq!(run, Run::read(temp.path()).expect("readable"));
}

#[test]
fn a_directory_that_holds_a_run_is_refused_and_left_alone() {
    let temp = tempfile::tempdir().expect("a directory");
    let run = write_run(temp.path(), LINE);
    for _ in 0..2 {
        let error = RunWriter::create(temp.path(), &manifest()).expect_err("refused").to_string();
        assert!(error.contains("holds a run already: name another directory"), "{error}");
    }
    assert_eq!(run, Run::read(temp.path()).expect("readable"));
}

#[test]
fn one_signature_twice_is_one_finding_in_the_shells_of_both() {
    let temp = tempfile::tempdir().expect("a directory");
    let mut writer = RunWriter::create(temp.path(), &manifest()).expect("a new directory");
    let first = finding("linked", LINE);
    let mut second = finding("linked", b"another line");
    second.shells = Shells::only(Shell::Sh);
    writer.record(&first, &evidence(LINE)).expect("recorded");
    writer.record(&second, &evidence(b"another line")).expect("recorded");
    let run = writer.finish(&summary(1)).expect("finished");
    assert_eq!(run.findings.len(), 1);
    assert_eq!(run.findings[0].finding.shells, Shells::ALL);
    assert_eq!(run.findings[0].fixture, Some(fixture(LINE)));
    assert_eq!(run.verdict(), Verdict::NewFindings(1));
}

#[test]
fn a_run_can_be_read_at_every_step_of_its_life() {
    let temp = tempfile::tempdir().expect("a directory");
    let verdict = || Run::read(temp.path()).expect("readable").verdict();
    let mut writer = RunWriter::create(temp.path(), &manifest()).expect("a new directory");
    assert_eq!(verdict(), Verdict::Unfinished(0));
    assert_eq!(verdict().exit_code(), ExitCode::HarnessFault);
    writer.progress(&Summary::default()).expect("progress");
    assert_eq!(verdict(), Verdict::Unfinished(0));
    writer.record(&finding("linked", LINE), &evidence(LINE)).expect("recorded");
    assert_eq!(verdict(), Verdict::Unfinished(1));
    assert_eq!(verdict().exit_code(), ExitCode::NewFindings);
    writer.finish(&summary(1)).expect("finished");
    assert_eq!(verdict(), Verdict::NewFindings(1));
}

#[test]
fn the_verdict_is_never_better_than_the_figures() {
    let verdict_of = |findings: &[(&str, Option<&str>)], summary: &Summary| {
        let temp = tempfile::tempdir().expect("a directory");
        let mut writer = RunWriter::create(temp.path(), &manifest()).expect("a new directory");
        for (guard, known) in findings {
            let mut finding = finding(guard, LINE);
            finding.known = known.map(str::to_owned);
            writer.record(&finding, &evidence(LINE)).expect("recorded");
        }
        writer.finish(summary).expect("finished").verdict()
    };
    let code = |findings: &[_], summary: &Summary| verdict_of(findings, summary).exit_code();
    let changed = |findings, change: fn(&mut Summary)| {
        let mut summary = summary(findings);
        change(&mut summary);
        summary
    };
    assert_eq!(code(&[], &summary(0)), ExitCode::Clean);
    assert_eq!(code(&[(STRAWMAN, None)], &summary(0)), ExitCode::Clean);
    assert_eq!(code(&[("linked", None)], &summary(1)), ExitCode::NewFindings);
    assert_eq!(code(&[("linked", Some("K-1"))], &summary(1)), ExitCode::KnownFindings);
    assert_eq!(code(&[], &summary(1)), ExitCode::HarnessFault);
    assert_eq!(code(&[], &changed(0, |s| s.cases_run = 999)), ExitCode::HarnessFault);
    let idle = |s: &mut Summary| (s.cases_asked, s.cases_run) = (None, 0);
    assert_eq!(code(&[], &changed(0, idle)), ExitCode::HarnessFault);
    assert_eq!(code(&[], &changed(0, |s| s.inconclusive_cases = 20)), ExitCode::Clean);
    assert_eq!(code(&[], &changed(0, |s| s.inconclusive_cases = 21)), ExitCode::HarnessFault);
    let fault = |s: &mut Summary| s.ended = Some(Ended::Fault("a worker died".to_owned()));
    assert_eq!(code(&[("linked", None)], &changed(1, fault)), ExitCode::HarnessFault);
    let stopped = |s: &mut Summary| s.ended = Some(Ended::Interrupted);
    assert_eq!(code(&[("linked", None)], &changed(1, stopped)), ExitCode::Interrupted);
    let stopped = |s: &mut Summary| s.ended = Some(Ended::Terminated);
    assert_eq!(code(&[], &changed(0, stopped)), ExitCode::Terminated);
}

/// Every file of a finished run and of one killed on its way is cut at every byte. Only a cut
/// manifest, which no kill can leave behind, is refused.
#[test]
fn a_run_with_any_file_cut_anywhere_is_read_or_refused_and_never_called_clean() {
    let finished = tempfile::tempdir().expect("a directory");
    write_run(finished.path(), "cat \u{fc}".as_bytes());
    let killed = tempfile::tempdir().expect("a directory");
    let mut writer = RunWriter::create(killed.path(), &manifest()).expect("a new directory");
    writer.progress(&summary(0)).expect("progress");
    writer.record(&finding("linked", LINE), &evidence(LINE)).expect("recorded");
    for dir in [finished.path(), killed.path()] {
        // The page is rendered from the others and never read back.
        for file in files(dir).into_iter().filter(|file| file != Path::new("summary.md")) {
            let path = dir.join(&file);
            let whole = fs::read(&path).expect("a file");
            for length in 0..whole.len() {
                fs::write(&path, &whole[..length]).expect("cut");
                check_ruin(dir, &file, length, whole.len());
            }
            fs::write(&path, &whole).expect("restored");
        }
    }
}

fn check_ruin(dir: &Path, file: &Path, length: usize, whole: usize) {
    let place = format!("{} cut at {length}", file.display());
    match Run::read(dir) {
        // A manifest without its last newline is whole.
        Ok(run) if file != Path::new("manifest.json") || length + 1 == whole => {
            assert!(!markdown(&run).is_empty(), "{place}");
            assert_ne!(run.verdict(), Verdict::Clean, "{place}");
        }
        Ok(_) => panic!("{place}: read"),
        Err(error) => {
            assert_eq!(file, Path::new("manifest.json"), "{place}: {error}");
            assert!(error.to_string().contains("manifest.json"), "{error}");
        }
    }
}

#[test]
fn a_broken_line_before_the_last_is_damage_and_named() {
    let temp = tempfile::tempdir().expect("a directory");
    write_run(temp.path(), LINE);
    let path = temp.path().join("findings.jsonl");
    let lines = fs::read_to_string(&path).expect("text");
    fs::write(&path, format!("{{\n{lines}")).expect("broken");
    let error = Run::read(temp.path()).expect_err("damage").to_string();
    assert!(error.contains("findings.jsonl: line 1 is no finding"), "{error}");
}

#[test]
fn what_is_no_run_or_of_another_schema_is_refused_with_its_reason() {
    let temp = tempfile::tempdir().expect("a directory");
    let error = || Run::read(temp.path()).expect_err("refused").to_string();
    assert!(error().contains("is no run directory"), "{}", error());
    fs::write(temp.path().join("manifest.json"), "{\"schema\": 3}").expect("written");
    assert!(error().contains("has schema 3; this version reads 1 to 2"), "{}", error());
}

/// What the version before wrote: no spans, no steps, and another number.
#[test]
fn a_run_of_the_schema_before_is_read() {
    let temp = tempfile::tempdir().expect("a directory");
    let run = write_run(temp.path(), LINE);
    let rewrite = |path: PathBuf, change: &dyn Fn(&str) -> String| {
        let text = fs::read_to_string(&path).expect("a file");
        let changed = change(&text);
        assert_ne!(text, changed, "{}", path.display());
        fs::write(path, changed).expect("written");
    };
    let of_old = |text: &str| text.replace("\"schema\": 2", "\"schema\": 1");
    rewrite(temp.path().join("manifest.json"), &of_old);
    rewrite(temp.path().join("findings.jsonl"), &|text| text.replace("\"spans\":[[11,32]],", ""));
    for seen in &run.findings {
        fs::remove_file(seen.folder.join("steps.json")).expect("removed");
    }
    let old = Run::read(temp.path()).expect("readable");
    assert_eq!(
        (&old.manifest, &old.summary, &old.notes),
        (&run.manifest, &run.summary, &run.notes)
    );
    assert!(old.findings.iter().all(|it| it.finding.spans.is_empty() && it.steps.is_empty()));
    assert_eq!(old.verdict(), run.verdict());
}

/// Of three findings of a stopped run, those stay that are minimised or of a case that was run.
#[test]
fn what_will_be_found_again_is_dropped_when_a_run_goes_on() {
    let temp = tempfile::tempdir().expect("a directory");
    let shard = ShardOf { index: 1, count: 2 };
    let mut writer =
        RunWriter::create(temp.path(), &Manifest { shard, ..manifest() }).expect("a new directory");
    // Number 3 is open, number 9 was not handed out.
    let table = [("a", 7, true), ("b", 7, false), ("c", 5, false), ("d", 19, false)];
    for (name, index, minimised) in table {
        let signature = Signature::new(&["tree-escape", name]).expect("plain parts");
        let finding = Finding { signature, index, minimised, ..finding("linked", LINE) };
        writer.record(&finding, &evidence(LINE)).expect("recorded");
    }
    let reached = Reached { next: 9, open: [3].into() };
    let ended = Some(Ended::Interrupted);
    let stopped = writer.finish(&Summary { reached, ended, ..summary(4) }).expect("finished");
    let (_, run) = RunWriter::reopen(temp.path()).expect("readable");
    let kept: Vec<&str> = run.findings.iter().map(|it| it.finding.signature.as_str()).collect();
    assert_eq!(kept, ["tree-escape/a", "tree-escape/c"]);
    let there: Vec<bool> = stopped.findings.iter().map(|it| it.folder.exists()).collect();
    assert_eq!(there, [true, false, true, false]);
    assert_eq!(run.notes, [""; 0]);
}

#[test]
fn names_that_would_share_or_leave_a_folder_are_refused() {
    let temp = tempfile::tempdir().expect("a directory");
    let guards = ["cmd:a b", "cmd:a-b"].map(str::to_owned).to_vec();
    let alike = Manifest { guards, ..manifest() };
    let error = RunWriter::create(temp.path(), &alike).expect_err("refused").to_string();
    assert!(error.contains("as alike as 'cmd:a-b'"), "{error}");
    let mut writer = RunWriter::create(temp.path(), &manifest()).expect("a new directory");
    let outside = [("../x".to_owned(), String::new())].into();
    let outside = Evidence { traces: outside, ..evidence(LINE) };
    let error = writer.record(&finding("linked", LINE), &outside);
    assert!(error.expect_err("refused").to_string().contains("trace of shell '../x'"));
}
