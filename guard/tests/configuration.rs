//! The files of the configuration, from outside of the program: where they lie, who may have
//! written them, what they change, and every bad one.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A home, a project, and something beside it.
struct Person {
    _scratch: tempfile::TempDir,
    top: PathBuf,
}

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it has a directory")).expect("it can be made");
    fs::write(path, text).expect("it can be written");
}

impl Person {
    fn new() -> Person {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("it is there");
        for directory in ["home", "p/.git", "p/src", "outside", "scratch"] {
            fs::create_dir_all(top.join(directory)).expect("it can be made");
        }
        write(&top.join("p/a"), "");
        write(&top.join("outside/x"), "");
        Person { _scratch: scratch, top }
    }

    fn user_file(&self) -> PathBuf {
        self.top.join("home/.config/shfence/config.toml")
    }

    fn project_file(&self) -> PathBuf {
        self.top.join("p/.shfence.toml")
    }

    fn user(&self, text: &str) -> &Person {
        write(&self.user_file(), text);
        self
    }

    fn project(&self, text: &str) -> &Person {
        write(&self.project_file(), text);
        self
    }

    fn run_with(&self, input: &str, args: &[&str]) -> Ended {
        let mut child = Command::new(env!("CARGO_BIN_EXE_shfence"))
            .args(args)
            .current_dir(self.top.join("p"))
            .env_clear()
            .env("HOME", self.top.join("home"))
            .env("PWD", self.top.join("p"))
            .env("CLAUDE_PROJECT_DIR", self.top.join("p"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("it prints text");
        let code = output.status.code().expect("no signal ended it");
        Ended { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    fn run(&self, args: &[&str]) -> Ended {
        self.run_with("", args)
    }

    fn check(&self, line: &str) -> Ended {
        self.run(&["check", "--", line])
    }

    fn code(&self, line: &str) -> i32 {
        self.check(line).code
    }

    fn hook(&self, line: &str) -> (String, String) {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": line}, "cwd": self.top.join("p")});
        let ended = self.run_with(&payload.to_string(), &["hook", "claude"]);
        let answer: Value = serde_json::from_str(&ended.stdout).expect("an answer is JSON");
        let output = &answer["hookSpecificOutput"];
        let text = |key: &str| output[key].as_str().expect("a text").to_owned();
        (text("permissionDecision"), text("permissionDecisionReason"))
    }
}

#[test]
fn rules_of_the_person_and_of_the_project_decide() {
    let person = Person::new();
    assert_eq!((person.code("frob a"), person.code("ls")), (1, 0));
    person.user("[[allow]]\ncommand = 'frob'\n[[deny]]\ncommand = 'rm'\nreason = 'use trash'");
    assert_eq!(
        (person.code("frob a"), person.code("frob ../outside"), person.code("rm a")),
        (0, 1, 2)
    );
    let said = person.check("rm a").stdout;
    assert!(said.starts_with("deny\n") && said.contains("use trash"), "{said}");
    assert!(said.contains("config.toml:4)"), "{said}");
    assert_eq!(person.run(&["check", "--no-config", "--", "rm a"]).code, 1);
    person.project("[[deny]]\ncommand = 'frob'\n[[ask]]\ncommand = 'ls'");
    assert_eq!((person.code("frob a"), person.code("ls"), person.code("cat a")), (2, 1, 0));
    let (decision, reason) = person.hook("frob a");
    assert_eq!(decision, "deny");
    assert!(
        reason.contains("deny 'frob' (project, ") && reason.contains(".shfence.toml:2)"),
        "{reason}"
    );
    let json: Value = serde_json::from_str(&person.run(&["check", "--json", "--", "ls"]).stdout)
        .expect("the answer is JSON");
    assert_eq!(json["rules"][0]["level"], "project");
    assert_eq!(json["rules"][0]["line"], 4);
}

#[test]
fn a_project_loosens_only_while_its_content_is_trusted() {
    let person = Person::new();
    person.project("[[allow]]\ncommand = 'frob'");
    let said = person.check("frob");
    assert!(
        said.code == 1 && said.stdout.contains("note: 1 of its rules allow"),
        "{}",
        said.stdout
    );
    assert!(person.hook("frob").1.contains("shfence trust "), "{}", person.hook("frob").1);
    let trusted = person.run(&["trust"]);
    assert!(trusted.code == 0 && trusted.stdout.contains("  allow frob"), "{}", trusted.stdout);
    assert_eq!((person.code("frob"), &*person.hook("frob").0), (0, "allow"));
    person.project("[[allow]]\ncommand = 'frob' # more");
    assert_eq!(person.code("frob"), 1);
    person.project("[[allow]]\ncommand = 'frob'");
    assert_eq!(person.code("frob"), 0);
    let copy = person.top.join("home/.local/state/shfence/trusted");
    let copy = copy.join(person.project_file().strip_prefix("/").expect("it is absolute"));
    let mode = |path: &Path| path.metadata().expect("it is there").mode() & 0o777;
    assert_eq!((mode(&copy), mode(copy.parent().expect("a directory"))), (0o600, 0o700));
    fs::set_permissions(&copy, PermissionsExt::from_mode(0o606)).expect("it can be changed");
    assert_eq!(person.code("frob"), 1);
    assert_eq!(person.run(&["trust", "--revoke"]).code, 0);
    assert_eq!(person.code("frob"), 1);
    person.project("[[allow]]\ncommand = 'frob*'");
    assert_eq!(person.run(&["trust"]).code, 64);
    fs::remove_file(person.project_file()).expect("it is there");
    assert_eq!(person.run(&["trust"]).code, 64);
}

#[test]
fn a_file_that_cannot_be_believed_makes_every_line_ask() {
    let person = Person::new();
    let (file, good) = (person.user_file(), "[[deny]]\ncommand = 'rm'");
    let asks = |why: &str| {
        let ended = person.check("ls");
        let said = &ended.stdout;
        assert!(ended.code == 1 && said.contains("configuration: "), "{why}: {said}");
        assert!(said.contains(why), "{why}: {said}");
        assert_eq!(person.hook("ls").0, "ask", "{why}");
        assert_eq!(person.run(&["rules"]).code, 1, "{why}");
    };
    for (text, why) in [
        ("deny = [", "config.toml:1: "),
        ("[[deny]]\ncommand = 'rm*'", "config.toml:2: this deny rule has 'rm*'"),
        ("dany = []", "unknown field `dany`"),
    ] {
        person.user(text);
        asks(why);
    }
    person.user(good);
    assert_eq!((person.code("ls"), person.code("rm")), (0, 2));
    fs::write(&file, b"# \xff\n").expect("it can be written");
    asks("is no UTF-8 in line 1");
    fs::write(&file, vec![b'#'; (1 << 20) + 1]).expect("it can be written");
    asks("is larger than 1048576 bytes");
    person.user(good);
    fs::set_permissions(&file, PermissionsExt::from_mode(0o646)).expect("it can be changed");
    asks("may be written by anybody");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("it can be changed");
    let directory = file.parent().expect("a directory");
    fs::set_permissions(directory, PermissionsExt::from_mode(0o777)).expect("it can be changed");
    asks("in a directory that anybody may write");
    fs::set_permissions(directory, PermissionsExt::from_mode(0o755)).expect("it can be changed");
    // Only the administrator can give a file away, and is the one who can read everything.
    if fs::metadata("/proc/self").expect("this is Linux").uid() == 0 {
        chown(&file, Some(12_345), None).expect("it can be given away");
        asks("belongs to somebody else (user 12345)");
    } else {
        fs::set_permissions(&file, PermissionsExt::from_mode(0o0)).expect("it can be changed");
        asks("cannot be read");
    }
    fs::remove_file(&file).expect("it is there");
    fs::create_dir(&file).expect("it can be made");
    asks("is no file");
    fs::remove_dir(&file).expect("it is there");
    symlink("nowhere", &file).expect("it can be made");
    asks("is a link that leads nowhere");
    fs::remove_file(&file).expect("it is there");
    let pipe = Command::new("mkfifo").arg(&file).status().expect("there is mkfifo");
    assert!(pipe.success());
    asks("is no file");
    fs::remove_file(&file).expect("it is there");
    write(&person.top.join("dotfiles/c.toml"), good);
    symlink("../../../dotfiles/c.toml", &file).expect("it can be made");
    assert_eq!((person.code("ls"), person.code("rm")), (0, 2));
    person.project("deny = 1");
    asks(".shfence.toml:1: ");
}

#[test]
fn every_root_has_a_defined_answer() {
    let person = Person::new();
    let check = |args: &[&str], line: &str| {
        let all = [&["check"], args, &["--", line]].concat();
        person.run(&all)
    };
    let path = |name: &str| person.top.join(name).display().to_string();
    symlink("p", person.top.join("link")).expect("it can be made");
    let through = check(&["--root", &path("link")], "cat a");
    assert!(
        through.stdout.starts_with(&format!("allow: within {}\n", path("p"))),
        "{}",
        through.stdout
    );
    for root in ["/", "a", "/proc/nosuch"] {
        assert_eq!(check(&["--root", root], "ls").code, 64, "{root}");
    }
    let gone = check(&["--cwd", "/nosuch/dir", "--root", &path("p")], "ls");
    assert!(gone.code == 1 && gone.stdout.contains("bad-start"), "{}", gone.stdout);
    let both = check(&["--root", &path("p"), "--root", &path("p/src")], "cat src/x");
    assert!(both.stdout.starts_with(&format!("allow: within {}\n", path("p"))), "{}", both.stdout);
    // A home within the root: what is the person's there stays protected.
    write(&person.user_file(), "[[allow]]\ncommand = 'frob'");
    let home = |line: &str| check(&["--root", &person.top.display().to_string()], line).code;
    assert_eq!((home("frob a"), home("cat ../home/b"), home("cd; ls")), (0, 0, 0));
    assert_eq!(home("frob ../home/.config/shfence/config.toml"), 1);
    assert_eq!(home("cat ../home/.ssh/id"), 1);
    // What a pattern stands for is not told where a name that it may match is no UTF-8.
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"p/src/\xff.rs");
    symlink("../../outside/x", person.top.join(odd)).expect("it can be made");
    let odd = check(&[], "cat src/*.rs");
    assert!(odd.code == 1 && odd.stdout.contains("word-unknown"), "{}", odd.stdout);
}

#[test]
fn more_roots_count_where_the_person_says_so() {
    let person = Person::new();
    let (outside, scratch) = (person.top.join("outside"), person.top.join("scratch"));
    let line = format!("cat {}/x {}/y", outside.display(), scratch.display());
    assert_eq!(person.code(&line), 1);
    let text = format!(
        "roots = ['{}', '~/none']\nscratch_roots = ['{}', '/nosuch/scratch']",
        outside.display(),
        scratch.display()
    );
    person.user(&text);
    let said = person.check(&line);
    assert!(said.code == 0 && said.stdout.contains("/none' is no directory"), "{}", said.stdout);
    assert_eq!(person.hook(&line).0, "allow");
    person.user("").project("roots = ['../outside']");
    assert_eq!(person.code("cat ../outside/x"), 1);
    assert_eq!(person.run(&["trust"]).code, 0);
    assert_eq!(person.code("cat ../outside/x"), 0);
}

fn git(at: &Path, args: &[&str]) {
    let done = Command::new("git").args(args).current_dir(at).env("HOME", at).output();
    assert!(done.expect("there is git").status.success(), "git {args:?}");
}

#[test]
fn linked_worktrees_are_roots_only_if_both_sides_say_so() {
    let person = Person::new();
    let (main, other) = (person.top.join("p"), person.top.join("other"));
    fs::remove_dir(main.join(".git")).expect("it is there");
    git(&main, &["init", "-q"]);
    let identity = ["-c", "user.name=x", "-c", "user.email=x@example.invalid"];
    git(&main, &[&identity[..], &["commit", "-q", "--allow-empty", "-m", "x"]].concat());
    git(&main, &["worktree", "add", "-q", "../other"]);
    write(&other.join("a"), "");
    let line = "cd ../other && cat a";
    assert_eq!(person.code(line), 1);
    person.user("worktrees = true");
    assert_eq!(person.code(line), 0);
    let from_other = ["check", "--root", other.to_str().expect("text"), "--", "cat a"];
    assert_eq!(person.run(&from_other).code, 0);
    // Somebody else's directory, claimed by the repository alone.
    let claim = main.join(".git/worktrees/claim");
    let outside = person.top.join("outside");
    write(&claim.join("gitdir"), &format!("{}/.git\n", outside.display()));
    write(&claim.join("commondir"), "../..\n");
    assert_eq!(person.code("cat ../outside/x"), 1);
    git(&outside, &["init", "-q"]);
    assert_eq!(person.code("cat ../outside/x"), 1);
    // A `.git` file that names a repository which does not know it.
    let thief = person.top.join("thief");
    write(&thief.join(".git"), &format!("gitdir: {}/.git/worktrees/other\n", main.display()));
    let thief = thief.to_str().expect("text");
    assert_eq!(person.run(&["check", "--root", thief, "--", "cat ../other/a"]).code, 1);
    // A link to somebody else's repository.
    fs::create_dir(person.top.join("linker")).expect("it can be made");
    symlink("../p/.git", person.top.join("linker/.git")).expect("it can be made");
    let linker = person.top.join("linker");
    let linker = ["check", "--root", linker.to_str().expect("text"), "--", "cat ../other/a"];
    assert_eq!(person.run(&linker).code, 1);
}

#[test]
fn rules_of_other_tools_are_imported_where_the_person_says_so() {
    let person = Person::new();
    let own = r#"{"permissions": {"allow": ["Bash(frob:*)", "Read(x)"], "deny": ["Bash(ls -a)"]}}"#;
    write(&person.top.join("home/.claude/settings.json"), own);
    let project = r#"{"permissions": {"allow": ["Bash(grob)"], "deny": ["Bash(cat:*)"]}}"#;
    write(&person.top.join("p/.claude/settings.json"), project);
    write(&person.top.join("p/permissions.json"), r#"{"deny": ["Terminal(head)"]}"#);
    assert_eq!((person.code("frob"), person.code("ls -a"), person.code("cat a")), (1, 0, 0));
    person.user("import = ['claude']");
    assert_eq!((person.code("frob a"), person.code("ls -a"), person.code("ls")), (0, 2, 0));
    assert!(!person.check("nosuch").stdout.contains("Read(x)"));
    assert_eq!((person.code("grob"), person.code("cat a"), person.code("head a")), (1, 2, 0));
    person.user("import = ['claude', 'permissions-json']");
    assert_eq!(person.code("head a"), 2);
    assert_eq!(person.run(&["trust", ".claude/settings.json"]).code, 0);
    assert_eq!(person.code("grob"), 0);
    let listed = person.run(&["rules"]).stdout;
    assert!(
        listed.contains("home/.claude/settings.json:1") && listed.contains("Read(x)"),
        "{listed}"
    );
    write(
        &person.top.join("p/.claude/settings.local.json"),
        r#"{"permissions": {"deny": ["Bash(rm"]}}"#,
    );
    assert_eq!(person.code("ls"), 1);
}

#[test]
fn allow_proposes_a_rule_that_works_and_writes_it_down() {
    let person = Person::new();
    let proposed = person.run(&["allow", "--", "cd src && npm install left-pad"]);
    assert_eq!(proposed.code, 0, "{}", proposed.stderr);
    assert!(
        proposed.stdout.contains("[[allow]]\ncommand = \"npm install\""),
        "{}",
        proposed.stdout
    );
    assert!(proposed.stdout.contains("opens as well: npm install"), "{}", proposed.stdout);
    assert!(!person.user_file().exists());
    let before = "# mine\n[[deny]] # keep\ncommand = 'rm'";
    person.user(before);
    assert_eq!(person.run(&["allow", "--write", "--", "npm install x && git add -A"]).code, 0);
    let text = fs::read_to_string(person.user_file()).expect("it is there");
    assert!(text.starts_with(before) && text.contains("command = \"git add\""), "{text}");
    assert_eq!(person.user_file().metadata().expect("it is there").mode() & 0o777, 0o600);
    assert_eq!(person.code("cd src && npm install y && git add b"), 0);
    assert_eq!(
        person.run(&["allow", "--", "npm install x"]).stdout,
        "the line is allowed as it is\n"
    );
    let mut refused = vec![("rm a", "deny 'rm'"), ("frob ../outside", "'frob'")];
    refused.extend([
        ("bash -c x", "not-understood"),
        ("git push", "ceiling"),
        ("cat ../x", "no rule answers"),
    ]);
    refused.extend([
        ("python3 -c x", "any code"),
        ("ssh h ls", "whatever it is told"),
        ("git merge x", "ceiling"),
    ]);
    refused.extend([("frob > f", "writes"), ("npm exec", "alone would open too much")]);
    for (line, why) in refused {
        let ended = person.run(&["allow", "--write", "--", line]);
        assert!(ended.code == 1 && ended.stdout.is_empty(), "{line}: {}", ended.stdout);
        assert!(ended.stderr.contains(why), "{line}: {}", ended.stderr);
    }
    assert_eq!(fs::read_to_string(person.user_file()).expect("it is there"), text);
    assert_eq!(person.run(&["allow", "--write", "--project", "--", "grob"]).code, 0);
    assert_eq!(person.code("grob"), 0);
    person.user("deny = []\nallow = []");
    let inline = person.run(&["allow", "--write", "--", "hrob"]);
    assert!(inline.code == 64 && inline.stderr.contains("nothing is written"), "{}", inline.stderr);
}

#[test]
fn batch_reads_a_configuration_only_if_it_is_named() {
    let person = Person::new();
    person.user("[[deny]]\ncommand = 'ls'").project("[[deny]]\ncommand = 'ls'");
    let top = person.top.join("p");
    let mut question = json!({"command": "ls", "cwd": top, "root": top});
    let answer = |question: &Value| -> Value {
        let ended = person.run_with(&question.to_string(), &["batch"]);
        serde_json::from_str(&ended.stdout).expect("an answer is JSON")
    };
    assert_eq!(answer(&question)["decision"], "allow");
    assert!(answer(&question).get("rules").is_none());
    question["config"] = json!(person.user_file());
    assert_eq!(answer(&question)["decision"], "deny");
    question["config"] = json!("/nosuch/config.toml");
    assert_eq!(answer(&question)["decision"], "ask");
}

/// A person keeps such files in a project, and links there.
#[test]
fn a_configuration_that_stands_in_the_project_is_not_changed() {
    let person = Person::new();
    let dots = person.top.join("p/dots");
    write(&dots.join("guard.toml"), "profile = 'edit'");
    fs::create_dir_all(person.top.join("p/state")).expect("it can be made");
    for (target, link) in [("dots/guard.toml", ".config/shfence/config.toml"), ("state", ".local")]
    {
        let link = person.top.join("home").join(link);
        fs::create_dir_all(link.parent().expect("it has one")).expect("it can be made");
        symlink(person.top.join("p").join(target), link).expect("it can be made");
    }
    for line in ["touch dots/new", "touch state/state/other", "cat dots/guard.toml"] {
        assert_eq!(person.code(line), 0, "{line}: {}", person.check(line).stdout);
    }
    for line in ["echo > dots/guard.toml", "mv dots n", "mkdir -p state/state/shfence/trusted"] {
        assert_eq!(person.code(line), 1, "{line}");
        assert_eq!(person.hook(line).0, "ask", "{line}");
    }
}
