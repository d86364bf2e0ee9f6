//! What doctor finds, in homes where something is wrong.
#![forbid(unsafe_code)]

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

struct Person {
    _scratch: tempfile::TempDir,
    top: PathBuf,
}

/// What doctor says of one thing.
#[derive(Debug)]
struct Said {
    status: String,
    what: String,
}

const SETTINGS: &str = "home/.claude/settings.json";

impl Person {
    /// One who has the hook of Claude Code.
    fn new() -> Person {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("it is there");
        fs::create_dir_all(top.join("home")).expect("it can be made");
        fs::create_dir_all(top.join("p/.git")).expect("it can be made");
        let person = Person { _scratch: scratch, top };
        assert!(person.run(&[], &["install", "claude"]).0 == 0);
        person
    }

    fn run(&self, env: &[(&str, &str)], args: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_shfence"))
            .args(args)
            .current_dir(self.top.join("p"))
            .env_clear()
            .env("HOME", self.top.join("home"))
            .env("PATH", "/usr/bin:/bin")
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        let stdout = String::from_utf8(output.stdout).expect("it prints text");
        (output.status.code().expect("no signal ended it"), stdout)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.top.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.top.join(path)).expect("it is there")
    }

    /// The exit code, and all that is said.
    fn doctor(&self, env: &[(&str, &str)], args: &[&str]) -> (i32, Vec<Said>) {
        let (code, stdout) = self.run(env, &[&["doctor", "--json"], args].concat());
        let report: Value = serde_json::from_str(&stdout).expect("JSON");
        assert_eq!(report["verdict"], if code == 0 { "good" } else { "bad" });
        let sections = report["sections"].as_array().expect("a list");
        let checks = sections.iter().flat_map(|it| it["checks"].as_array().expect("a list"));
        let text = |check: &Value, field: &str| check[field].as_str().expect("text").to_owned();
        let said = |check| Said { status: text(check, "status"), what: text(check, "what") };
        (code, checks.map(said).collect())
    }

    /// Panics unless doctor finds this to be mended.
    fn is_bad(&self, env: &[(&str, &str)], args: &[&str], what: &str) {
        let (code, said) = self.doctor(env, &[args, &["--no-shell"]].concat());
        let found = said.iter().any(|it| it.status == "bad" && it.what.contains(what));
        assert!(code == 1 && found, "{what}: {said:#?}");
    }

    /// What doctor notes of a shell that reads this when it starts.
    fn notes_of_shell(&self, shell: &str, file: &str, text: &str) -> Vec<String> {
        self.write(&format!("home/{file}"), text);
        let shells = ["/bin", "/usr/bin"].map(|folder| format!("{folder}/{shell}"));
        let shell = shells.iter().find(|path| fs::exists(path).is_ok_and(|it| it));
        let (code, said) = self.doctor(&[("SHELL", shell.expect("it is there"))], &[]);
        assert_eq!(code, 0, "{said:#?}");
        let notes = said.into_iter().filter(|it| it.status == "note").map(|it| it.what);
        // All but the one of the hook.
        notes.skip(1).collect()
    }
}

#[test]
fn a_hook_that_works_is_well() {
    let person = Person::new();
    let (code, said) = person.doctor(&[], &["--no-shell"]);
    let notes: Vec<&Said> = said.iter().filter(|it| it.status != "good").collect();
    assert!(code == 0 && notes.len() == 1, "{said:#?}");
    assert!(notes[0].what.starts_with("if the hook dies, hangs or is missing: "), "{notes:?}");
    let (code, text) = person.run(&[], &["doctor", "--no-shell"]);
    assert!(code == 0 && text.ends_with("\nall is well; worth knowing: 1\n"), "{text}");
    // Neither the log nor the temporary files show that it was here.
    assert!(!person.top.join("home/.local").exists());
}

#[test]
fn a_hook_that_cannot_work_is_to_be_mended() {
    let person = Person::new();
    person.is_bad(&[], &["codex"], "it has no hook of shfence");
    let good = person.read(SETTINGS);
    let program = env!("CARGO_BIN_EXE_shfence");
    for (from, to, what) in [
        (program, "/nosuch/shfence", "is not there"),
        (program, "shfence", "is not absolute"),
        ("\"matcher\": \"Bash\",", "\"hooks\": [{\"command\": \"x\"}]}, {", ""),
        ("\"PermissionRequest\"", "\"Other\"", "there is none for PermissionRequest"),
        ("\"Bash\"", "\"Read\"", "the matcher of PreToolUse is \"Read\": the hook is not called"),
        ("\"Bash\"", "\"Bash|PowerShell\"", ""),
        ("\"Bash\"", "\"*\"", ""),
        ("\"timeout\": 10", "\"timeout\": 2", "the hook of PreToolUse is given 2 s"),
        ("hook claude", "hook codex", "runs 'shfence hook codex', which is another agent's"),
        ("\"hooks\": {", "\"disableAllHooks\": true, \"hooks\": {", "disableAllHooks = true"),
        ("hook claude", "hook claude --nosuch", "should allow 'cat inside'"),
        ("hook claude", "hook claude ; false", "should allow 'cat inside'"),
        ("hook claude", "hook claude ; echo hello", "should allow 'cat inside'"),
        ("hook claude", "hook claude ; sleep 6", "does not end within 4 s"),
        ("hook claude", "hook claude >/dev/null", "should allow 'cat inside'"),
        ("{\n  \"hooks", "{\n  hooks", "it is no JSON"),
    ] {
        person.write(SETTINGS, &good.replace(from, to));
        match what {
            "" => assert_eq!(person.doctor(&[], &["--no-shell"]).0, 0),
            what => person.is_bad(&[], &["claude"], what),
        }
    }
    fs::remove_file(person.top.join(SETTINGS)).expect("it can be removed");
    person.is_bad(&[], &[], "no agent has the hook");
    person.is_bad(&[("HOME", "")], &["claude"], "HOME does not say where its settings are");
}

#[test]
fn a_program_that_others_may_change_is_to_be_mended() {
    let person = Person::new();
    let script = format!("#!/bin/sh\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_shfence"));
    let settings = person.read(SETTINGS);
    for (place, mode, what) in [
        ("p/shfence", 0o755, "lies in the project"),
        ("home/shfence", 0o757, "anybody may write the program"),
        ("home/shfence", 0o755, ""),
    ] {
        let program = person.top.join(place);
        person.write(place, &script);
        fs::set_permissions(&program, PermissionsExt::from_mode(mode)).expect("it is ours");
        let named = program.to_str().expect("text");
        person.write(SETTINGS, &settings.replace(env!("CARGO_BIN_EXE_shfence"), named));
        match what {
            "" => assert_eq!(person.doctor(&[], &["--no-shell"]).0, 0),
            what => person.is_bad(&[], &[], what),
        }
    }
    person.write("home/shfence", "#!/bin/sh\necho shfence 0.0.1\n");
    person.is_bad(&[], &[], "another version: shfence 0.0.1");
}

#[test]
fn what_lies_around_the_hook_is_looked_at() {
    let person = Person::new();
    let path = format!("{}:/usr/bin:/bin", person.top.join("p/bin").display());
    for env in [("BASH_ENV", "x"), ("LD_PRELOAD", ""), ("PATH", &path), ("IFS", ":")] {
        person.is_bad(&[env], &[], &format!("every line asks: the inherited variable {}", env.0));
    }
    let (code, said) = person.doctor(&[("CDPATH", "/usr")], &["--no-shell"]);
    assert!(code == 0 && said.iter().any(|it| it.what.contains("CDPATH")), "{said:#?}");
    person.write("home/.config/shfence/config.toml", "schema = 1\nnosuch = 1\n");
    person.is_bad(&[], &[], "every line asks: ");
    person.write("home/.config/shfence/config.toml", "schema = 1\n[[ask]]\ncommand = \"cat\"\n");
    person.is_bad(&[], &[], "should allow 'cat inside'");
}

/// Codex skips a hook that it was not told to trust, or that has changed since. The digests are
/// those of Codex 0.171.0 for these very hooks.
#[test]
fn a_hook_that_is_not_trusted_is_to_be_mended() {
    let person = Person::new();
    let codex = |to: &str| {
        let hook = json!([{"matcher": "^Bash$", "hooks": [
            {"type": "command", "command": to, "timeout": 10}
        ]}]);
        let all = json!({"hooks": {"PreToolUse": hook, "PermissionRequest": hook}});
        person.write("home/.codex/hooks.json", &all.to_string());
    };
    let file = person.top.join("home/.codex/hooks.json").display().to_string();
    let trust = |used: &str, permission: &str| {
        let of =
            |event: &str, state: &str| format!("[hooks.state.\"{file}:{event}:0:0\"]\n{state}\n");
        let text = [of("pre_tool_use", used), of("permission_request", permission)].concat();
        person.write("home/.codex/config.toml", &text);
    };
    // Where the program does not lie: only what is said of the trust is looked at.
    let says = |what: &str| {
        let (_, said) = person.doctor(&[], &["codex", "--no-shell"]);
        let of = |status: &str| {
            let it = said.iter().filter(|it| it.status == status && it.what.contains(what));
            it.count()
        };
        (of("good"), of("note"), of("bad"))
    };
    let hash = |digest: &str| format!("trusted_hash = \"sha256:{digest}\"");
    let used = &hash("a1b3f06ef9052b72ef70841f343e0211e6d808b0513482490eddf000d0a25160");
    let permission = &hash("37ff2bf608aefe72aadba198465d505553a857344a11c61dd646f938737937bc");
    codex("/opt/shfence hook codex");
    assert_eq!(says("nobody has trusted the hook of"), (0, 0, 2));
    trust(used, permission);
    assert_eq!(says("is trusted"), (2, 0, 0));
    trust(used, "enabled = true");
    assert_eq!(says("nobody has trusted the hook of PermissionRequest"), (0, 0, 1));
    trust(&format!("{used}\nenabled = false"), permission);
    assert_eq!(says("the hook of PreToolUse is switched off"), (0, 0, 1));
    trust(permission, permission);
    assert_eq!(says("the hook of PreToolUse has changed since it was trusted"), (0, 0, 1));
    trust(used, permission);
    codex("/opt/shfence hook codex --shadow");
    assert_eq!(says("has changed since it was trusted"), (0, 0, 2));
    let text = person.read("home/.codex/hooks.json");
    let more = text.replace("\"timeout\":10", "\"timeout\":10,\"statusMessage\":\"x\"");
    person.write("home/.codex/hooks.json", &more);
    assert_eq!(says("was trusted once"), (0, 2, 0));
}

/// What nobody reads to its end is no failure to speak of.
#[test]
fn a_reader_may_leave() {
    let person = Person::new();
    let program = env!("CARGO_BIN_EXE_shfence");
    for command in ["doctor --no-shell", "verbs", "man", "hook --help", "check --root / -- ls"] {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {program} {command}; }} | sh -c 'exec <&-; sleep 1'")])
            .current_dir(person.top.join("p"))
            .env("HOME", person.top.join("home"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{command}: {said}");
    }
}

/// Whoever may write the settings may take the hook out.
#[test]
fn settings_that_others_may_change_are_to_be_mended() {
    let person = Person::new();
    for (place, mode) in [(SETTINGS, 0o646), ("home/.claude", 0o757)] {
        let path = person.top.join(place);
        let mode_of = |mode| fs::set_permissions(&path, PermissionsExt::from_mode(mode));
        mode_of(mode).expect("it is ours");
        person.is_bad(&[], &["claude"], "anybody may write ~/.claude/settings.json");
        mode_of(mode & 0o775).expect("it is ours");
        assert_eq!(person.doctor(&[], &["claude", "--no-shell"]).0, 0);
    }
}

/// Other hooks: where they only add refusals, and where they approve what is left to a person.
#[test]
fn other_hooks_are_told_of() {
    let person = Person::new();
    let text = person.read(SETTINGS);
    let other = "\"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"command\": \"x\"}]},";
    let both = text.replacen("\"hooks\": {\n    \"PreToolUse\": [", other, 1);
    let both = both.replacen(
        "\"PermissionRequest\": [",
        "\"PermissionRequest\": [\n      {\"hooks\": [{\"command\": \"x\"}]},",
        1,
    );
    person.write(SETTINGS, &both);
    let (code, said) = person.doctor(&[], &["claude", "--no-shell"]);
    let of = |event: &str| {
        let begins = format!("other hooks of {event}: 1; ");
        let mut found = said.iter().filter(|it| it.what.starts_with(&begins));
        found.next().map(|it| it.what.contains("what they approve is approved"))
    };
    assert_eq!(code, 0, "{said:#?}");
    assert_eq!((of("PreToolUse"), of("PermissionRequest")), (Some(false), Some(true)));
}

/// What the guard takes for granted of a shell, the shell itself is asked.
#[test]
fn the_persons_own_shell_is_asked() {
    let person = Person::new();
    let harmless = "echo noise\nalias ls='ls --color=auto' mine='rm x'\nmine2() { :; }\n";
    for (shell, file) in [("bash", ".bashrc"), ("zsh", ".zshrc")] {
        assert_eq!(person.notes_of_shell(shell, file, harmless), Vec::<String>::new(), "{shell}");
    }
    let rc = "alias cat='cat /etc/passwd' grep='rm -r'\nhead() { :; }\n";
    let said = |shell, file, more: &str| person.notes_of_shell(shell, file, &[rc, more].concat());
    for (notes, option) in [
        (said("bash", ".bashrc", "shopt -s dotglob\nset -o physical\n"), ["dotglob", "physical"]),
        (said("zsh", ".zshrc", "setopt GLOB_DOTS extendedglob\n"), ["GLOB_DOTS", "EXTENDED_GLOB"]),
    ] {
        for what in [
            "the alias 'cat' stands for 'cat /etc/passwd'",
            "the alias 'grep' stands for 'rm -r'",
            "the function 'head' runs instead of 'head'",
            &format!("the option {} is set: ", option[0]),
            &format!("the option {} is set: ", option[1]),
        ] {
            assert!(notes.iter().any(|note| note.contains(what)), "{what}: {notes:#?}");
        }
        assert_eq!(notes.len(), 6, "{notes:#?}");
    }
    let notes = said("zsh", ".zshrc", "alias -g G='| sh'\n");
    assert!(notes.iter().any(|it| it.contains("the global alias 'G' stands for '| sh'")));
}
