//! What is in the program that is shipped, as CycloneDX 1.5 JSON
//! (<https://cyclonedx.org/docs/1.5/json/>): every crate that is linked, with its licence and what
//! it needs in turn. From `cargo metadata`; what only builds or tests is not in it.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;

/// The list for the guard, built for this target.
pub fn of_guard(target: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", target])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|it| it.to_string())?;
    let listed = listed(&metadata)?;
    serde_json::to_string_pretty(&listed).map_err(|error| error.to_string())
}

/// The list, from what cargo says of the workspace.
fn listed(metadata: &Value) -> Result<Value, String> {
    let all = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);
    let guard = all.values().find(|package| package["name"] == "shfence");
    let guard = guard.ok_or("there is no package 'shfence'")?;
    let mut needs = BTreeMap::new();
    let mut ahead = vec![text(&guard["id"])];
    while let Some(id) = ahead.pop() {
        let node = nodes.get(id).ok_or(format!("nothing is known of {id}"))?;
        let linked = linked(node);
        ahead.extend(linked.iter().filter(|it| !needs.contains_key(*it)));
        needs.insert(id, linked);
    }
    let package = |id: &str| all.get(id).copied().ok_or(format!("there is no package {id}"));
    let (mut components, mut dependencies) = (Vec::new(), Vec::new());
    for (id, linked) in &needs {
        let own = package(id)?;
        if own["name"] != "shfence" {
            components.push(component(own, "library"));
        }
        let mut on =
            linked.iter().map(|it| Ok(purl(package(it)?))).collect::<Result<Vec<_>, String>>()?;
        on.sort();
        dependencies.push(json!({"ref": purl(own), "dependsOn": on}));
    }
    for list in [&mut components, &mut dependencies] {
        list.sort_by_cached_key(Value::to_string);
    }
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": component(guard, "application")},
        "components": components, "dependencies": dependencies,
    }))
}

fn by_id(list: &Value) -> BTreeMap<&str, &Value> {
    list.as_array().into_iter().flatten().map(|it| (text(&it["id"]), it)).collect()
}

/// The packages that one links: no build scripts, no tests, no macros.
fn linked(node: &Value) -> Vec<&str> {
    let deps = node["deps"].as_array().into_iter().flatten();
    let links = |dep: &&Value| {
        let kinds = dep["dep_kinds"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
    };
    deps.filter(links).map(|dep| text(&dep["pkg"])).collect()
}

fn component(package: &Value, kind: &str) -> Value {
    json!({
        "type": kind, "bom-ref": purl(package), "purl": purl(package),
        "name": package["name"], "version": package["version"],
        "licenses": [{"expression": package["license"]}],
    })
}

/// Its name in every registry (<https://github.com/package-url/purl-spec>).
fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every crate stands in it once, and nothing needs what does not.
    #[test]
    fn the_list_is_closed() {
        let text = of_guard("x86_64-unknown-linux-musl").expect("cargo says it");
        let list: Value = serde_json::from_str(&text).expect("JSON");
        let components = list["components"].as_array().expect("a list");
        let mut names: Vec<&str> =
            components.iter().map(|it| super::text(&it["bom-ref"])).collect();
        assert!(names.iter().any(|name| name.starts_with("pkg:cargo/serde_json@")), "{names:?}");
        assert!(!names.iter().any(|name| name.starts_with("pkg:cargo/proptest@")), "{names:?}");
        assert!(components.iter().all(|it| it["licenses"][0]["expression"].is_string()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for dependency in list["dependencies"].as_array().expect("a list") {
            for on in dependency["dependsOn"].as_array().expect("a list") {
                assert!(names.contains(&super::text(on)), "{on} is not listed");
            }
        }
    }
}
