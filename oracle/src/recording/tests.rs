use super::*;
use crate::prediction::Plan;
use crate::trace::{Exec, Process, Touch, Trace};
use proptest::prelude::*;
use shfence_corpus::{Shell, TreeSpec};
use tempfile::TempDir;

fn shell(name: &str) -> ShellId {
    ShellId { shell: Shell::Bash, name: name.to_owned(), version: "5".to_owned() }
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        "[a-c/.]{0,3}".prop_map(Text::from),
        prop::collection::vec(any::<u8>(), 0..3).prop_map(Text::from),
    ]
}

fn kind() -> impl Strategy<Value = TouchKind> {
    use TouchKind::{Enter, Exec, List, Read, Test, Write};
    prop::sample::select(vec![Test, List, Read, Write, Exec, Enter])
}

prop_compose! {
    fn touch()(pid in 1u32..4, kind in kind(), text in text(), resolved in text(),
               existed: bool) -> Touch {
        Touch { pid, kind, text, resolved, existed }
    }
}

prop_compose! {
    fn exec()(pid in 1u32..4, argv in prop::collection::vec(text(), 0..3), cwd in text(),
              path in text()) -> Exec {
        Exec { pid, argv, cwd, path }
    }
}

prop_compose! {
    fn trace()(name in prop::sample::select(vec!["bash", "bash-posix"]),
               touches in prop::collection::vec(touch(), 0..6),
               execs in prop::collection::vec(exec(), 0..3),
               parents in prop::collection::vec(prop::option::of(1u32..4), 0..3),
               ended in 0u8..3, code: u8, cut: bool) -> Trace {
        let process = |parent| Process { parent, cwd: Text::default(), ended: None };
        Trace {
            shell: shell(name),
            processes: parents.into_iter().map(process).collect(),
            execs,
            touches,
            status: match ended {
                0 => Status::Exited(code),
                1 => Status::Signalled(code),
                _ => Status::TimedOut,
            },
            cut,
            output: Text::default(),
            doubts: Vec::new(),
        }
    }
}

fn recorder(dir: &Path) -> Recorder {
    let shells = [shell("bash"), shell("bash-posix")];
    Recorder::create(dir, 1, "3", "r1", &shells).unwrap().pop().unwrap()
}

fn read(dir: &Path) -> Result<Vec<RecordedCase>, RecordingError> {
    let mut recording = Recording::open_all(dir)?.pop().unwrap();
    assert_eq!((recording.source().label(), recording.generator()), ("3".to_owned(), "r1"));
    std::iter::from_fn(|| recording.next_case().transpose()).collect()
}

fn case(line: &str) -> Case {
    Case::new(line, TreeSpec::default())
}

proptest! {
    #[test]
    fn what_was_seen_is_read_again(cases in prop::collection::vec(
        (prop::collection::vec(trace(), 0..3), any::<bool>()), 0..5))
    {
        let scratch = TempDir::new().unwrap();
        let mut recorder = recorder(scratch.path());
        let mut ended = Vec::new();
        for (index, (traces, ends)) in cases.iter().enumerate() {
            recorder.case(index as u64, &case("cat x"), "tools");
            recorder.said("linked", None);
            traces.iter().for_each(|trace| recorder.ran(trace, Vec::new()));
            // One that is not ended was not run to its end.
            if *ends {
                recorder.end().unwrap();
                ended.push((index as u64, traces.clone()));
            }
        }
        recorder.finish().unwrap();
        let found: Vec<_> = read(scratch.path()).unwrap();
        prop_assert!(found.iter().all(|it| it.fingerprint == fingerprint(&case("cat x"))));
        let found: Vec<_> = found
            .into_iter()
            .map(|it| (it.index, it.runs.into_iter().map(|run| run.trace).collect::<Vec<_>>()))
            .collect();
        prop_assert_eq!(found, ended);
    }
}

#[test]
fn what_was_said_and_not_confirmed_is_read_again() {
    let scratch = TempDir::new().unwrap();
    let mut recorder = recorder(scratch.path());
    let sort = Sort {
        kind: shfence_corpus::FindingKind::GroupEscape,
        effect: TouchKind::Enter,
        way: crate::signature::Way::LookAlike,
        existed: true,
    };
    let plan = Some(Plan::default());
    let prediction = Prediction { decision: Decision::Allow, plan, reasons: Vec::new() };
    let trace = Trace {
        shell: shell("bash"),
        processes: Vec::new(),
        execs: Vec::new(),
        touches: Vec::new(),
        status: Status::Exited(0),
        cut: false,
        output: Text::default(),
        doubts: Vec::new(),
    };
    recorder.case(7, &case("cd x"), "probe");
    recorder.said("linked", Some(&prediction));
    recorder.said("linked-edit", None);
    recorder.ran(&trace, vec![sort]);
    recorder.end().unwrap();
    recorder.finish().unwrap();
    let found = read(scratch.path()).unwrap().pop().unwrap();
    assert_eq!((found.index, &*found.lane), (7, "probe"));
    assert_eq!(found.said["linked"], Said::of(Some(&prediction)));
    assert!(found.said["linked"].plan.is_some());
    assert_eq!(found.said["linked-edit"], Said { decision: None, plan: None });
    assert_eq!(found.runs[0].unconfirmed, [sort]);
}

/// Two files that differ in the tree alone are two cases.
#[test]
fn another_case_has_another_fingerprint() {
    let one = case("cat x");
    let mut dir = one.clone();
    dir.cwd = shfence_corpus::RelPath::new("outside").unwrap();
    let mut env = one.clone();
    env.env.insert("CDPATH".to_owned(), None);
    let all = [&one, &dir, &env, &case("cat y")].map(fingerprint);
    let different: std::collections::BTreeSet<u64> = all.into_iter().collect();
    assert_eq!(different.len(), all.len());
    assert_eq!(fingerprint(&one), fingerprint(&case("cat x")));
}

#[test]
fn a_recording_that_was_cut_off_ends_with_its_last_case() {
    let scratch = TempDir::new().unwrap();
    let mut recorder = recorder(scratch.path());
    for index in 0..2 {
        recorder.case(index, &case("cat x"), "tools");
        recorder.end().unwrap();
    }
    recorder.finish().unwrap();
    let file = scratch.path().join("worker-0.jsonl");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 3]).unwrap();
    assert_eq!(read(scratch.path()).unwrap().len(), 1);
}

#[test]
fn a_recording_is_never_written_over() {
    let scratch = TempDir::new().unwrap();
    recorder(scratch.path()).finish().unwrap();
    let again = Recorder::create(scratch.path(), 1, "3", "r1", &[]).expect_err("it is there");
    assert!(again.is_io && again.to_string().contains("already"), "{again}");
    assert!(read(scratch.path()).unwrap().is_empty());
}

#[test]
fn what_is_no_recording_is_an_error_that_says_where() {
    let scratch = TempDir::new().unwrap();
    let file = scratch.path().join("worker-0.jsonl");
    let head =
        "{\"schema\":1,\"source\":\"3\",\"generator\":\"r1\",\"guard\":\"\",\"shells\":[]}\n";
    let line = |runs: &str| {
        format!("{head}{{\"index\":1,\"case\":2,\"lane\":\"\",\"said\":{{}},\"runs\":[{runs}]}}\n")
    };
    let run = |rest: &str| {
        line(&format!("{{\"shell\":0,\"status\":{{\"exited\":0}},\"parents\":[],{rest}}}"))
    };
    for (text, told) in [
        (String::new(), "line 1 is no beginning"),
        ("{}\n".to_owned(), "line 1 is no beginning"),
        (head.replace(":1,", ":2,"), "number 2"),
        (head.replace("\"3\"", "\"x\""), "neither a seed"),
        (format!("{head}{{}}\n"), "line 2: "),
        (run("\"execs\":[],\"touches\":[]"), "line 2: it names"),
        (run("\"execs\":[],\"touches\":[[0,[]]]"), "line 2: it names"),
        (run("\"execs\":[[1,[5],0,0]],\"touches\":[]"), "line 2: it names"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let error = read(scratch.path()).expect_err(&text);
        assert!(error.to_string().contains(told) && !error.is_io, "{text}: {error}");
    }
    std::fs::write(&file, line("")).unwrap();
    assert_eq!(read(scratch.path()).unwrap().len(), 1);
}
