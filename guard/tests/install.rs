//! Installing, trying and uninstalling the hook of every agent, as a person does it: in a home of
//! their own, with a program whose path holds a blank.
#![forbid(unsafe_code)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Settings as people keep them; `LISTS` stands where an agent's own keys would.
const ODD: &str = "// mine\n{\n\t\"model\" : \"x\", // the best\n\t\"a\": [1,\n\t2],  \
                   /* more */\n\t\"permissions\": {\"allow\": [\"Bash(ls)\",]},\n}\n\n";

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

/// A person: a home, a project, and the program.
struct Person {
    _scratch: tempfile::TempDir,
    _tools: tempfile::TempDir,
    top: PathBuf,
    program: PathBuf,
}

impl Person {
    fn new() -> Person {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("it is there");
        for directory in ["my home", "p/.git", "p/src", "outside"] {
            fs::create_dir_all(top.join(directory)).expect("it can be made");
        }
        fs::write(top.join("p/src/main.rs"), "").expect("it can be written");
        symlink("../outside", top.join("p/out")).expect("it can be made");
        // Where the program lies, so that it can be linked: one that is written cannot be started
        // while another thread starts one.
        let tools = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("it can be made");
        let program = tools.path().canonicalize().expect("it is there").join("my shfence/shfence");
        fs::create_dir(program.parent().expect("a directory")).expect("it can be made");
        fs::hard_link(env!("CARGO_BIN_EXE_shfence"), &program).expect("it can be linked");
        Person { _scratch: scratch, _tools: tools, top, program }
    }

    fn home(&self) -> PathBuf {
        self.top.join("my home")
    }

    /// A command that knows nothing of the machine.
    fn command(&self, program: &Path, env: &[(&str, &str)]) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.top.join("p")).env_clear();
        command.env("HOME", self.home()).env("PWD", self.top.join("p"));
        command.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/sh");
        command.envs(env.iter().copied());
        command
    }

    fn run_with(&self, env: &[(&str, &str)], args: &[&str]) -> Ended {
        let mut command = self.command(&self.program, env);
        command.args(args);
        ended(command, "")
    }

    fn run(&self, args: &[&str]) -> Ended {
        self.run_with(&[], args)
    }

    fn done(&self, args: &[&str]) -> String {
        let ended = self.run(args);
        assert_eq!(ended.code, 0, "{args:?}: {}{}", ended.stdout, ended.stderr);
        ended.stdout
    }

    /// The report of doctor: its exit code, and all that it says.
    fn doctor(&self, env: &[(&str, &str)], args: &[&str]) -> (i32, Value, String) {
        let ended = self.run_with(env, &[&["doctor", "--json"], args].concat());
        let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let verdict = if ended.code == 0 { "good" } else { "bad" };
        assert_eq!(report["verdict"], verdict, "{report:#}");
        (ended.code, report.clone(), format!("{report:#}"))
    }

    /// Panics unless doctor finds the hook well; that a person has to trust it comes after.
    fn is_well(&self, agent: &str) {
        let (_, _, report) = self.doctor(&[], &[agent, "--no-shell"]);
        let untrusted = report.matches("nobody has trusted the hook").count();
        assert_eq!(untrusted, if agent == "codex" { 2 } else { 0 }, "{report}");
        assert_eq!(report.matches("\"status\": \"bad\"").count(), untrusted, "{report}");
        assert!(report.contains("answered right"), "{report}");
    }

    /// All files of home and project, but for those that are kept.
    fn files(&self) -> BTreeMap<PathBuf, (u32, String)> {
        let mut all = BTreeMap::new();
        let mut left = vec![self.home(), self.top.join("p")];
        while let Some(directory) = left.pop() {
            for entry in fs::read_dir(directory).expect("it can be listed") {
                let path = entry.expect("it can be listed").path();
                if path.ends_with(".local/state/shfence") {
                    continue;
                }
                match path.is_dir() {
                    true => left.push(path),
                    false => {
                        let mode = path.metadata().expect("it is there").permissions().mode();
                        let text = fs::read_to_string(&path).expect("it is text");
                        all.insert(path, (mode & 0o7777, text));
                    }
                }
            }
        }
        all
    }

    /// The files that installing would make in an empty home, as its diff has them.
    fn would_make(&self, agent: &str, more: &[&str]) -> Vec<(PathBuf, String)> {
        let diff = self.done(&[&["install", agent, "--dry-run"], more].concat());
        let files = diff.split("--- /dev/null\n+++ ").skip(1);
        let file = |text: &str| {
            let (path, lines) = text.split_once('\n').expect("a path");
            let lines = lines.lines().filter_map(|line| line.strip_prefix('+'));
            let text: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
            (PathBuf::from(path), text.concat())
        };
        files.map(file).collect()
    }
}

fn ended(mut command: Command, input: &str) -> Ended {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    let code = output.status.code().expect("no signal ended it");
    Ended { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn agents() -> Vec<String> {
    let person = Person::new();
    let help = person.done(&["hook", "--help"]);
    let names = help.lines().last().and_then(|line| line.strip_prefix("AGENT is one of: "));
    names.expect("the agents").split(", ").map(str::to_owned).collect()
}

/// What agents run of what was written: the command lines of settings, the file itself, or the
/// words in a plugin.
fn command_lines(files: &[(PathBuf, String)]) -> Vec<Vec<String>> {
    let sh = |line: &str| vec!["sh".to_owned(), "-c".to_owned(), line.to_owned()];
    let mut lines = Vec::new();
    let json = files.iter().filter(|(path, _)| path.extension().is_some_and(|it| it == "json"));
    for settings in json.filter_map(|(_, text)| serde_json::from_str::<Value>(text).ok()) {
        let mut left = vec![&settings];
        while let Some(value) = left.pop() {
            match value {
                Value::Array(items) => left.extend(items),
                Value::Object(fields) => {
                    for (key, value) in fields {
                        lines.extend(match (&**key, value) {
                            ("command" | "bash", Value::String(line)) => Some(sh(line)),
                            ("to", Value::String(path)) => Some(vec![path.clone()]),
                            _ => None,
                        });
                    }
                    left.extend(fields.values());
                }
                _ => {}
            }
        }
    }
    if !lines.is_empty() {
        return lines;
    }
    for (path, text) in files {
        match text.split_once("] = [").and_then(|(_, rest)| rest.split_once(']')) {
            Some((argv, _)) => {
                lines.push(serde_json::from_str(&format!("[{argv}]")).expect("words"));
            }
            None => lines.push(vec![path.to_str().expect("text").to_owned()]),
        }
    }
    lines
}

/// The answers that are recorded of an agent are those of its installed hook.
fn answers_as_recorded(person: &Person, agent: &str, files: &[(PathBuf, String)]) {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hooks").join(agent);
    let recorded = fs::read_to_string(recorded.with_extension("json")).expect("it is recorded");
    let recorded: Value = serde_json::from_str(&recorded).expect("JSON");
    let top = person.top.to_str().expect("text");
    let lines = command_lines(files);
    assert!(!lines.is_empty(), "{agent}: {files:?}");
    for words in lines {
        for request in recorded["requests"].as_array().expect("a list") {
            let allowed = request["allowed"].as_str().unwrap_or("cat src/main.rs");
            for (what, line) in [("allow", allowed), ("ask", "cat out/x")] {
                let payload = request["payload"].to_string().replace("@LINE@", line);
                let mut command = person.command(Path::new(&words[0]), &[]);
                command.args(&words[1..]);
                let ended = ended(command, &payload.replace('@', top));
                let about = format!("{agent}: {words:?} {what}: {}{}", ended.stdout, ended.stderr);
                let expected = &request[what];
                let code = expected["code"].as_i64().unwrap_or(0);
                assert_eq!(i64::from(ended.code), code, "{about}");
                let answer: Option<Value> = serde_json::from_str(&ended.stdout).ok();
                let expected = expected.get("stdout").map(|it| it.to_string().replace('@', top));
                let expected = expected.map(|it| serde_json::from_str(&it).expect("JSON"));
                assert_eq!(answer, expected, "{about}");
            }
        }
    }
}

/// Into an empty home, and out of it.
#[test]
fn every_agent_gets_a_hook_that_answers_and_loses_it_again() {
    for agent in agents() {
        let person = Person::new();
        let made = person.would_make(&agent, &[]);
        let before = person.files();
        assert!(person.done(&["install", &agent]).contains("wrote"), "{agent}");
        for (path, text) in &made {
            assert_eq!(fs::read_to_string(path).expect("it is there"), *text, "{agent}");
        }
        let after = person.files();
        assert_eq!(after.len(), before.len() + made.len(), "{agent}");
        assert_eq!(
            person.done(&["install", &agent]),
            format!("{agent}: the hook is there already\n")
        );
        assert_eq!(person.files(), after, "{agent}");
        answers_as_recorded(&person, &agent, &made);
        person.is_well(&agent);
        person.done(&["uninstall", &agent]);
        assert_eq!(person.files(), before, "{agent}");
        assert_eq!(person.done(&["uninstall", &agent]), format!("{agent}: there is no hook\n"));
    }
}

/// Into settings that hold much else.
#[test]
fn no_other_byte_of_settings_changes() {
    for agent in agents() {
        for more in [&[][..], &["--project"]] {
            let person = Person::new();
            let dry = person.run(&[&["install", &agent, "--dry-run"], more].concat());
            if dry.code == 64 {
                assert!(dry.stderr.contains("reads no hooks in a project"), "{}", dry.stderr);
                continue;
            }
            let made = person.would_make(&agent, more);
            for (path, _) in made.iter().filter(|(_, text)| text.starts_with('{')) {
                if !path.ends_with("plugin.json") {
                    fs::create_dir_all(path.parent().expect("a directory"))
                        .expect("it can be made");
                    fs::write(path, ODD).expect("it can be written");
                    fs::set_permissions(path, PermissionsExt::from_mode(0o640))
                        .expect("it is ours");
                }
            }
            let before = person.files();
            let install = [&["install", &agent], more].concat();
            person.done(&install);
            let after = person.files();
            assert_ne!(after, before, "{agent}");
            for (path, (mode, text)) in &before {
                assert_eq!(after[path].0, *mode, "{agent}");
                let kept = text.lines().filter(|line| !after[path].1.contains(line));
                assert_eq!(kept.collect::<Vec<_>>(), Vec::<&str>::new(), "{agent}");
            }
            assert!(person.done(&install).contains("there already"), "{agent}");
            assert_eq!(person.files(), after, "{agent}");
            if !more.is_empty() {
                person.is_well(&agent);
            }
            person.done(&[&["uninstall", &agent], more].concat());
            assert_eq!(person.files(), before, "{agent}");
        }
    }
}

/// The page that says how to set up a hook by hand has for each agent what installing writes.
#[test]
fn the_page_shows_what_is_written() {
    let page = include_str!("../docs/hooks.md");
    let sections = page.split("\n## ").skip(1).map(|it| it.split_once('\n').expect("a section"));
    let sections: BTreeMap<&str, &str> = sections.collect();
    let agents = agents();
    assert_eq!(sections.keys().copied().collect::<Vec<_>>(), agents);
    for agent in &agents {
        let person = Person::new();
        let section = sections[&**agent];
        for (path, text) in person.would_make(agent, &[]) {
            let home = person.home();
            let home = home.to_str().expect("text");
            let quoted = format!("'{}'", person.program.display());
            let text = text.replace(&quoted, "/opt/shfence").replace(home, "/home/you");
            let text = text.replace(person.program.to_str().expect("text"), "/opt/shfence");
            let path = path.to_str().expect("text").replace(home, "~");
            assert!(section.contains(&format!("`{path}`")), "{agent}: {path}");
            let snippet = |it: &str| it.split_once('\n').is_some_and(|(_, it)| it == text);
            assert!(section.split("```").any(snippet), "{agent}: {path}\n{text}");
        }
    }
}

/// A line that writes what installing writes asks, whatever rule would open it.
#[test]
fn the_files_of_hooks_are_guarded() {
    let person = Person::new();
    let configuration = person.home().join(".config/shfence/config.toml");
    fs::create_dir_all(configuration.parent().expect("a directory")).expect("it can be made");
    fs::write(configuration, "schema = 1\n[[allow]]\ncommand = \"touch\"\n").expect("it can be");
    let top = person.top.to_str().expect("text").to_owned();
    let touches = |path: &str| person.run(&["check", "--root", &top, "--", "touch", path]).code;
    assert_eq!(touches("src/other"), 0);
    for agent in agents() {
        let project = match agent.as_str() {
            "amp" | "grok" => Vec::new(),
            agent => person.would_make(agent, &["--project"]),
        };
        for (path, _) in person.would_make(&agent, &[]).iter().chain(&project) {
            assert_eq!(touches(path.to_str().expect("text")), 1, "{}", path.display());
        }
    }
}

#[test]
fn what_cannot_be_merged_is_left_alone() {
    let person = Person::new();
    let settings = person.home().join(".claude/settings.json");
    fs::create_dir_all(settings.parent().expect("a directory")).expect("it can be made");
    for broken in ["", "{", "{\"hooks\": []}", "{\"a\": 1,, }"] {
        fs::write(&settings, broken).expect("it can be written");
        let ended = person.run(&["install", "claude", "codex"]);
        assert_eq!(ended.code, 1, "{broken}");
        assert!(ended.stderr.contains("claude: nothing is written: ~/.claude/settings.json: it"));
        assert_eq!(fs::read_to_string(&settings).expect("it is there"), broken);
        assert!(person.home().join(".codex/hooks.json").exists());
    }
    let hook = person.home().join("Documents/Cline/Hooks/PreToolUse");
    fs::create_dir_all(hook.parent().expect("a directory")).expect("it can be made");
    fs::write(&hook, "#!/bin/sh\nmine\n").expect("it can be written");
    let ended = person.run(&["install", "cline"]);
    assert_eq!((ended.code, ended.stdout), (1, String::new()));
    assert!(ended.stderr.contains("is not ours"), "{}", ended.stderr);
    assert_eq!(person.done(&["uninstall", "cline"]), "cline: there is no hook\n");
}

#[test]
fn a_link_stays_and_what_was_there_is_kept() {
    let person = Person::new();
    let settings = person.home().join(".claude/settings.json");
    let real = person.top.join("dotfiles.json");
    fs::create_dir_all(settings.parent().expect("a directory")).expect("it can be made");
    fs::write(&real, ODD).expect("it can be written");
    symlink(&real, &settings).expect("it can be made");
    let said = person.done(&["install", "claude"]);
    assert!(settings.symlink_metadata().expect("it is there").is_symlink());
    let kept = said.lines().find_map(|line| line.trim().strip_prefix("as it was before: ~/"));
    let kept = person.home().join(kept.expect("it says where"));
    assert_eq!(fs::read_to_string(&kept).expect("it is there"), ODD);
    assert_eq!(kept.metadata().expect("it is there").permissions().mode() & 0o777, 0o600);
    person.done(&["uninstall", "claude"]);
    assert_eq!(fs::read_to_string(&real).expect("it is there"), ODD);
    assert!(settings.symlink_metadata().expect("it is there").is_symlink());
}

#[test]
fn options_get_into_the_command_line_and_change_it() {
    let person = Person::new();
    person.done(&["install", "cursor", "--project"]);
    let file = person.top.join("p/.cursor/hooks.json");
    let before = fs::read_to_string(&file).expect("it is there");
    person.done(&["install", "cursor", "--project", "--fail-closed", "--ask-denies"]);
    let after = fs::read_to_string(&file).expect("it is there");
    assert_eq!(after, before.replace("hook cursor", "hook cursor --fail-closed --ask-denies"));
    let (code, _, report) = person.doctor(&[], &["cursor", "--no-shell"]);
    assert_eq!(code, 0, "{report}");
    person.done(&["install", "cursor", "--project", "--shadow"]);
    let (code, _, report) = person.doctor(&[], &["cursor", "--no-shell"]);
    assert!(code == 0 && report.contains("with --shadow it has no opinion"), "{report}");
    let said = person.done(&["uninstall", "cursor"]);
    assert_eq!(said, "cursor: there is no hook; there is one in the project: --project\n");
    person.done(&["uninstall", "cursor", "--project"]);
    assert!(!file.exists() && !person.top.join("p/.cursor").exists());
}

#[test]
fn agents_that_are_there_are_found() {
    let person = Person::new();
    let said = person.done(&["install"]);
    assert!(said.contains("not found: agy, amp, claude"), "{said}");
    fs::create_dir_all(person.home().join(".claude")).expect("it can be made");
    fs::create_dir_all(person.top.join("bin")).expect("it can be made");
    fs::write(person.top.join("bin/codex"), "").expect("it can be written");
    let path = person.top.join("bin");
    let env = [("PATH", path.to_str().expect("text"))];
    let said = person.run_with(&env, &["install"]).stdout;
    assert!(said.contains("would change ~/.claude/settings.json"), "{said}");
    assert!(said.contains("would change ~/.codex/hooks.json"), "{said}");
    assert_eq!(person.run_with(&env, &["install", "--all-found"]).code, 0);
    let files: Vec<PathBuf> = person.files().into_keys().collect();
    let made = |name: &str| files.iter().any(|path| path.ends_with(name));
    assert!(made(".claude/settings.json") && made(".codex/hooks.json"), "{files:?}");
    assert!(person.run_with(&env, &["install"]).stdout.contains("the hook is there"));
    // The name by which PATH leads to the program outlives an upgrade.
    symlink(&person.program, path.join("shfence")).expect("it can be made");
    person.run_with(&env, &["install", "claude"]);
    let settings = fs::read_to_string(person.home().join(".claude/settings.json"));
    let named = format!("{}/shfence hook claude", path.display());
    assert!(settings.expect("it is there").contains(&named));
}

#[test]
fn wrong_use_is_said() {
    let person = Person::new();
    for (args, said) in [
        (&["install", "nosuch"][..], "'nosuch' is no agent; there are: agy, "),
        (&["doctor", "nosuch"], "'nosuch' is no agent"),
        (&["install", "grok", "--project"], "it reads no hooks in a project"),
        (&["install", "claude", "--user", "--project"], "cannot be used with"),
    ] {
        let ended = person.run(args);
        assert_eq!(ended.code, 64, "{args:?}");
        assert!(ended.stderr.contains(said), "{args:?}: {}", ended.stderr);
    }
}
