//! A finding of a campaign becomes a fixture: a file, for a person to read and to commit.

use crate::tidy::{FIXTURES, check_fixture_name};
use std::fs;
use std::path::{Path, PathBuf};

/// Where campaigns write unless they are told otherwise.
const RUNS: &str = "target/campaigns";

/// The cause in a signature, and the area whose fixtures are about it.
const AREAS: [(&str, &str); 9] = [
    ("cd", "cd_group"),
    ("cd-failed", "cd_group"),
    ("link", "link"),
    ("dot-dot", "path"),
    ("absolute", "path"),
    ("look-alike", "path"),
    ("cdpath", "cd_group"),
    ("environment", "environment"),
    ("reading", "word"),
];

/// Copies the fixture of a finding from a run, the newest unless it is said which, to the place
/// that its signature or the caller names. Returns that place.
pub fn bless(signature: &str, run: Option<&Path>, name: Option<&str>) -> Result<PathBuf, String> {
    let run = run.map_or_else(newest_run, |run| Ok(run.to_owned()))?;
    let found = evidence(&run, signature)?;
    if let Some(guard) = strawman(&run, &found)? {
        return Err(format!(
            "{signature} is of {guard}, which is wrong on purpose: it is no defect of the shipped \
             guard, and its fixture would not fail"
        ));
    }
    let name = name.map_or_else(|| name_of(signature), |name| Ok(name.to_owned()))?;
    let area = name.split('.').next().unwrap_or_default();
    let file = format!("{FIXTURES}{area}/{name}.toml");
    if check_fixture_name(&file).is_some() {
        return Err(format!("'{name}' is no name of a fixture: expected AREA.FEATURE.DETAIL"));
    }
    let to = PathBuf::from(&file);
    if to.exists() {
        return Err(format!("{file} is there already: name another one with --as"));
    }
    let failed = |error| format!("{file} cannot be written: {error}");
    fs::create_dir_all(to.parent().unwrap_or(&to)).map_err(failed)?;
    fs::copy(&found, &to).map_err(failed)?;
    Ok(to)
}

/// Their names sort by age.
fn newest_run() -> Result<PathBuf, String> {
    let entries = fs::read_dir(RUNS).map_err(|error| format!("{RUNS}: {error}: name a run"))?;
    let runs = entries.flatten().map(|entry| entry.path());
    let newest = runs.filter(|run| run.join("manifest.json").exists()).max();
    newest.ok_or_else(|| format!("{RUNS} holds no run: name one with --run"))
}

/// The fixture of a finding. Of several guards' it is that of the first under test, whose folder
/// has no guard in its name, otherwise of the only one.
fn evidence(run: &Path, signature: &str) -> Result<PathBuf, String> {
    let folder = signature.replace('/', ".");
    let all = run.join("findings");
    let names = fs::read_dir(&all).map_err(|error| format!("{}: {error}", all.display()))?;
    let names = names.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| name.split('@').next() == Some(&folder)).collect();
    names.sort();
    match &names[..] {
        [] => Err(format!("{} has no finding {signature}", run.display())),
        [first, ..] if *first == folder || names.len() == 1 => {
            Ok(all.join(first).join("fixture.toml"))
        }
        several => Err(format!("{signature} is of several guards: {}", several.join(", "))),
    }
}

/// The guard whose finding this is, if it is wrong on purpose. The folder names every guard but the
/// first under test.
fn strawman(run: &Path, fixture: &Path) -> Result<Option<String>, String> {
    let folder = fixture.parent().and_then(Path::file_name).unwrap_or_default();
    if let Some((_, guard)) = folder.to_string_lossy().split_once('@') {
        return Ok(guard.starts_with("strawman-").then(|| guard.to_owned()));
    }
    let path = run.join("manifest.json");
    let failed = |what: String| format!("{}: {what}", path.display());
    let json = fs::read(&path).map_err(|error| failed(error.to_string()))?;
    let manifest: serde_json::Value =
        serde_json::from_slice(&json).map_err(|error| failed(error.to_string()))?;
    let first = manifest["guards"][0].as_str();
    let first = first.ok_or_else(|| failed("names no guard".to_owned()))?;
    Ok(first.starts_with("strawman:").then(|| first.to_owned()))
}

/// `tree-escape/read/cd-failed/semicolon` is `cd_group.cd-failed.semicolon_read`.
fn name_of(signature: &str) -> Result<String, String> {
    let parts: Vec<&str> = signature.split('/').collect();
    let [_, effect, cause, rest @ ..] = &parts[..] else {
        return Err(format!("'{signature}' does not say its area: name one with --as"));
    };
    // Of what moves a path together, the first says where it stands.
    let begins = |area: &str| {
        cause.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let area = AREAS.iter().filter(|(it, _)| begins(it)).max_by_key(|(it, _)| it.len());
    let (_, area) =
        area.ok_or_else(|| format!("what is of '{cause}' has no area: name one with --as"))?;
    let detail = rest.iter().chain([effect]).copied().collect::<Vec<_>>().join("_");
    Ok(format!("{area}.{cause}.{detail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_says_where_its_fixture_stands() {
        let name = name_of("tree-escape/read/cd-failed/semicolon");
        assert_eq!(name.as_deref(), Ok("cd_group.cd-failed.semicolon_read"));
        let both = name_of("tree-escape/read/link-cd-failed/semicolon/zsh");
        assert_eq!(both.as_deref(), Ok("link.link-cd-failed.semicolon_zsh_read"));
        let file = |name: &str| {
            let area = name.split('.').next().unwrap_or_default();
            format!("{FIXTURES}{area}/{name}.toml")
        };
        for (cause, _) in AREAS {
            let name = name_of(&format!("tree-escape/list/{cause}/and-pipe")).expect(cause);
            assert!(check_fixture_name(&file(&name)).is_none(), "{name}");
        }
        assert!(name_of("crash/guard").is_err() && name_of("a/b/nothing/c").is_err());
    }

    #[test]
    fn a_finding_is_that_of_the_first_guard_or_of_the_only_one() {
        let scratch = tempfile::tempdir().expect("a directory");
        let make = |name: &str| {
            let folder = scratch.path().join("findings").join(name);
            fs::create_dir_all(folder).expect("made");
        };
        make("a.b@one");
        let found = |signature: &str| evidence(scratch.path(), signature);
        assert!(found("a/b").expect("the only one").ends_with("a.b@one/fixture.toml"));
        make("a.b@two");
        assert!(found("a/b").expect_err("two").contains("a.b@one, a.b@two"));
        make("a.b");
        assert!(found("a/b").expect("the first").ends_with("a.b/fixture.toml"));
        assert!(found("a/c").expect_err("none").contains("no finding a/c"));
    }

    /// A run of this first guard under test, with a finding in this folder.
    fn run_with(guard: &str, folder: &str) -> tempfile::TempDir {
        let run = tempfile::tempdir().expect("a directory");
        let found = run.path().join("findings").join(folder);
        fs::create_dir_all(&found).expect("made");
        fs::write(found.join("fixture.toml"), "").expect("written");
        let manifest = serde_json::json!({ "guards": [guard] });
        fs::write(run.path().join("manifest.json"), manifest.to_string()).expect("written");
        run
    }

    #[test]
    fn what_a_strawman_gets_wrong_is_no_defect() {
        for (guard, folder) in [
            ("strawman:any-segment", "tree-escape.read"),
            ("linked", "tree-escape.read@strawman-any-segment"),
        ] {
            let run = run_with(guard, folder);
            let told = bless("tree-escape/read", Some(run.path()), Some("link.a.b"));
            assert!(told.expect_err("of a strawman").contains("wrong on purpose"), "{folder}");
        }
        for (guard, folder) in [
            ("linked", "tree-escape.read"),
            ("strawman:any-segment", "tree-escape.read@linked-edit"),
        ] {
            let run = run_with(guard, folder);
            let found = evidence(run.path(), "tree-escape/read").expect("the only one");
            assert_eq!(strawman(run.path(), &found), Ok(None), "{folder}");
        }
    }
}
