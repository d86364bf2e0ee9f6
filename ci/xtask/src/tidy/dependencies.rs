//! The direction of dependency between our packages, and the size of the guard.

use super::{Complaint, output};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Which of our packages each may depend on, in tests too. What the guard decides and what checks
/// it must share no code, and the vocabulary is a leaf.
const MAY_DEPEND_ON: [(&str, &[&str]); 6] = [
    ("shfence", &[]),
    ("shfence-corpus", &[]),
    ("shfence-generators", &["shfence-corpus"]),
    ("shfence-reports", &["shfence-corpus"]),
    ("shfence-oracle", &["shfence-corpus", "shfence-generators", "shfence", "shfence-reports"]),
    ("xtask", &[]),
];

/// Crates that may be linked into the guard, itself not counted: those of JSON, those of TOML, in
/// which its configuration is, and three for the system calls by which a hook waits no longer than
/// there is time for. Whoever audits the guard reads them all.
const GUARD_LINKS: usize = 15;

/// Complaints about the manifests of the workspace at `top`.
pub fn check(top: &Path) -> Result<Vec<Complaint>, String> {
    let cargo = || {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(top);
        cargo
    };
    let metadata = output(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| format!("cargo metadata is not understood: {error}"))?;
    let mut complaints = edges(&metadata);
    // Procedural macros run when the guard is built and are not in it.
    let tree = ["tree", "-p", "shfence", "--no-default-features", "--prefix", "none"];
    let tree = output(cargo().args(tree).args(["-e", "normal,no-proc-macro"]))?;
    complaints.extend(guard_links(&tree));
    Ok(complaints)
}

/// Edges between our packages that are not in the table, and packages that have no row in it.
fn edges(metadata: &Value) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let root = text(metadata, "workspace_root");
    for package in list(metadata, "packages") {
        let name = text(package, "name");
        let manifest = text(package, "manifest_path");
        let file = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches('/');
        let Some((_, allowed)) = MAY_DEPEND_ON.iter().find(|(of, _)| *of == name) else {
            let what = format!("{name} has no row in the table of who may depend on whom");
            complaints.push(Complaint::of(file, what));
            continue;
        };
        for dependency in list(package, "dependencies") {
            let on = text(dependency, "name");
            if MAY_DEPEND_ON.iter().any(|(ours, _)| *ours == on) && !allowed.contains(&on) {
                let what = format!("{name} must not depend on {on}");
                complaints.push(Complaint::of(file, what));
            }
        }
    }
    complaints
}

/// A complaint if `cargo tree` lists too many crates below the guard.
fn guard_links(tree: &str) -> Option<Complaint> {
    let crates: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "shfence")
        .collect();
    let what = || {
        let names: Vec<&str> = crates.iter().copied().collect();
        let (count, names) = (names.len(), names.join(", "));
        format!("the guard links {count} crates, more than {GUARD_LINKS}: {names}")
    };
    (crates.len() > GUARD_LINKS).then(|| Complaint::of("guard/Cargo.toml", what()))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata_of(package: &str, dependency: &str) -> Value {
        json!({
            "workspace_root": "/repo",
            "packages": [{
                "name": package,
                "manifest_path": "/repo/dir/Cargo.toml",
                "dependencies": [{"name": "serde"}, {"name": dependency, "kind": "dev"}],
            }],
        })
    }

    #[test]
    fn an_edge_that_is_not_in_the_table_is_named() {
        assert_eq!(edges(&metadata_of("shfence-reports", "shfence-corpus")), Vec::new());
        assert_eq!(
            edges(&metadata_of("shfence-generators", "shfence")),
            [Complaint::of("dir/Cargo.toml", "shfence-generators must not depend on shfence")]
        );
    }

    #[test]
    fn a_package_without_a_row_is_named() {
        let complaints = edges(&metadata_of("shfence-extra", "serde"));
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].what.contains("shfence-extra has no row"));
    }

    #[test]
    fn the_crates_of_the_guard_are_counted_once_each() {
        let tree = |count: usize| {
            let line = |i| format!("crate{i} v1.0.0\ncrate{i} v1.0.0 (*)\n");
            "shfence v0.1.0 (/repo/guard)\n".to_owned() + &(0..count).map(line).collect::<String>()
        };
        assert_eq!(guard_links(&tree(GUARD_LINKS)), None);
        let complaint = guard_links(&tree(GUARD_LINKS + 1)).expect("too many");
        let said = format!("links {} crates, more than {GUARD_LINKS}:", GUARD_LINKS + 1);
        assert!(complaint.what.contains(&said), "{complaint}");
    }
}
