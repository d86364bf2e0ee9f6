//! Is the generator in health? Cases parse in the shells they claim, and everything that the
//! families promise really occurs. The seed is fixed, so that a failure is a change and no chance.

use shfence_corpus::{Case, Node, Shell};
use shfence_generators::{Family, Generated, Settings, generate};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SEED: u64 = 0;
const CASES: u64 = 4_000;

fn cases(count: u64) -> Vec<Generated> {
    let settings = Settings::default();
    (0..count).map(|index| generate(SEED, index, &settings)).collect()
}

/// The program that stands for a shell here, and the option that keeps a user's files out of it.
fn program(shell: Shell) -> (&'static str, &'static [&'static str]) {
    match shell {
        Shell::Bash => ("bash", &["--norc"]),
        Shell::Sh => ("dash", &[]),
        Shell::Zsh => ("zsh", &["-f"]),
    }
}

/// Can the shell parse the line? `-n` reads it and executes nothing.
fn parses(shell: Shell, line: &[u8]) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    let (name, options) = program(shell);
    let status = Command::new(name)
        .args(options)
        .args(["-n", "-c"])
        .arg(std::ffi::OsStr::from_bytes(line))
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) => status.success(),
        Err(error) => panic!("{name} cannot be started ({error}): install the package '{name}'"),
    }
}

#[test]
fn nineteen_of_twenty_cases_parse_in_each_shell_they_claim() {
    // One process a line and shell: a part of the cases says enough.
    let generated = cases(CASES / 8);
    std::thread::scope(|scope| {
        for shell in Shell::ALL {
            let generated = &generated;
            scope.spawn(move || nineteen_of_twenty_parse(shell, generated));
        }
    });
}

fn nineteen_of_twenty_parse(shell: Shell, generated: &[Generated]) {
    let claimed: Vec<&Case> = generated
        .iter()
        .map(|generated| &generated.case)
        .filter(|case| case.shells.contains(shell))
        .collect();
    assert!(claimed.len() * 10 >= generated.len() * 9, "{shell}: only {} cases", claimed.len());
    let refused: Vec<&Case> =
        claimed.iter().copied().filter(|case| !parses(shell, &case.line)).collect();
    println!("{shell}: {} of {} do not parse", refused.len(), claimed.len());
    let examples: Vec<_> = refused.iter().take(5).map(|case| &case.line).collect();
    assert!(
        refused.len() * 20 <= claimed.len(),
        "{shell} cannot parse {} of {} lines, among them {examples:?}",
        refused.len(),
        claimed.len(),
    );
}

#[test]
fn a_shell_that_is_not_claimed_could_not_parse_the_line() {
    let partial: Vec<Generated> = cases(CASES)
        .into_iter()
        .filter(|generated| generated.case.shells.iter().count() < Shell::ALL.len())
        .collect();
    assert!(!partial.is_empty(), "every case claims every shell");
    for Generated { case, .. } in partial.iter().take(20) {
        for shell in Shell::ALL.into_iter().filter(|shell| !case.shells.contains(*shell)) {
            assert!(!parses(shell, &case.line), "{shell} parses {:?}", case.line);
        }
    }
}

#[test]
fn every_family_occurs_as_often_as_it_should() {
    let settings = Settings::default();
    let sum: u32 = settings.families.iter().sum();
    let mut seen = BTreeMap::new();
    for generated in cases(CASES) {
        *seen.entry(generated.family).or_insert(0u64) += 1;
    }
    for (family, weight) in Family::ALL.into_iter().zip(settings.families) {
        let due = CASES * u64::from(weight) / u64::from(sum);
        let count = seen.get(&family).copied().unwrap_or(0);
        assert!((due / 2..=due * 2).contains(&count), "{family}: {count} cases, {due} are due");
    }
}

/// Text of which each piece must occur: operators, compounds, quotes, redirections, paths, verbs.
#[rustfmt::skip]
const CONSTRUCTS: &[&str] = &[
    " && ", "&&", "; ", ";", "\n", " || ", " | ", "(", "{ ", "; }", "( (", "'", "\"", "\\",
    "2>&1", ">/dev/null", "2>/dev/null", "</dev/null", ">&2", "\n# ", "2>&9", "<nosuch",
    "cd ..", "cd ../..", "/../", "//", "./", "/case/proj/../", "/case/proj-evil", "proj-evil/",
    "cd -P", "cd -L", "cd --", "cd -", "cd ''", "cd nosuch", "cd main.txt", "cd loop", "cd new",
    "cd nosuch/..", "cd src nosuch", "cd ~", "true | cd", "true | {", "my dir", "$V", "#1",
    "cat ", "head ", "wc ", "ls ", "pwd", "echo ", "true", "head -n 5", "ls -la", "wc -l",
    " -- ", "--files0-from=", "outside/secret", "cat nosuch", "$(", "*.txt", "[[",
    "<<E", "<<'E'", "$'", "~/", "/*", "[m]", ",main.txt}", "find . -exec", "| xargs ",
    "env cat", "git log", "echo \"$(", "[ -f ", "TZ=", "# it's", "for f in", "if [", "case src",
    "f() {", "$((1+2))", "& wait", "! {", "{src,lib}", "sort -o", "ln -s ", "eval ", "-C ..",
    "trap ",
];

#[test]
fn every_construct_occurs() {
    let generated = cases(CASES);
    let lines: Vec<String> =
        generated.iter().map(|generated| generated.case.line.lossy().into_owned()).collect();
    for text in CONSTRUCTS.iter().copied() {
        let count = lines.iter().filter(|line| line.contains(text)).count();
        assert!(count >= 2, "{text:?} occurs in {count} of {CASES} lines");
    }
    for verb in ["cat", "head", "wc", "ls", "pwd", "echo", "cd", "true"] {
        let quoted = [format!("'{verb}'"), format!("\"{verb}\""), format!("\\{verb} ")];
        let holds = |line: &&String| quoted.iter().any(|form| line.contains(form));
        assert!(lines.iter().any(|line| holds(&line)), "{verb} is never quoted");
    }
}

#[test]
fn every_kind_of_start_occurs() {
    let generated = cases(CASES);
    for variable in ["CDPATH", "HOME", "OLDPWD"] {
        let set = generated.iter().filter(|g| g.case.env.contains_key(variable)).count();
        assert!(set >= 20, "{variable} is set or taken away in {set} cases");
    }
    let unset = generated.iter().any(|g| g.case.env.get("HOME") == Some(&None));
    assert!(unset, "HOME is never taken away");
    let through_link = generated.iter().filter(|g| g.case.pwd.is_some()).count();
    assert!(through_link >= 20, "PWD passes a link in {through_link} cases");
    let below = generated.iter().filter(|g| g.case.cwd.as_bytes() != b"proj").count();
    assert!(below >= 100, "{below} cases start below the root");
}

/// Plants the tree of a case below `top`; absolute targets are moved there.
fn plant(case: &Case, top: &Path) -> Vec<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let mut links = Vec::new();
    for (path, node) in case.tree.planted() {
        let at = top.join(OsStr::from_bytes(path.as_bytes()));
        match node {
            Node::Dir => std::fs::create_dir(at).expect("a new directory"),
            Node::File { text, .. } => std::fs::write(at, &*text).expect("a new file"),
            Node::Link { to } => {
                let moved = match to.strip_prefix(b"/case") {
                    Some(rest) => [top.as_os_str().as_bytes(), rest].concat(),
                    None => to.to_vec(),
                };
                symlink(OsStr::from_bytes(&moved), &at).expect("a new link");
                links.push(at);
            }
        }
    }
    links
}

/// What the kernel makes of a link.
fn kind_of_link(link: &Path, top: &Path) -> &'static str {
    let proj = top.join("proj");
    match link.canonicalize() {
        Err(error) if error.kind() == ErrorKind::NotFound => "dangling",
        Err(_) => "looping",
        Ok(at) if link.starts_with(&at) => "up",
        Ok(at) if at.is_file() => "to a file",
        Ok(at) if at.starts_with(&proj) && !link.starts_with(&proj) => "from outside in",
        Ok(at) if at.starts_with(&proj) => "in",
        Ok(at) if at.starts_with(top.join("proj-evil")) => "to the look-alike",
        Ok(_) if link.read_link().is_ok_and(|to| link.with_file_name(to).is_symlink()) => "chain",
        Ok(_) => "out",
    }
}

#[test]
fn every_kind_of_link_occurs() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for Generated { case, .. } in cases(400) {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        for link in plant(&case, &top) {
            *seen.entry(kind_of_link(&link, &top)).or_default() += 1;
        }
    }
    println!("{seen:?}");
    let kinds = [
        "in",
        "out",
        "up",
        "chain",
        "dangling",
        "looping",
        "to a file",
        "to the look-alike",
        "from outside in",
    ];
    for kind in kinds {
        assert!(seen.get(kind).is_some_and(|count| *count >= 3), "{kind}: {seen:?}");
    }
}
