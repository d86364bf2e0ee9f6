//! The verb catalogue: `verbs/*.toml` → static tables.
//!
//! Nothing is parsed when the guard starts. What a file says wrongly, and every option that the
//! tools themselves do not have (`verbs/shapes`), ends the build with the file and the key.

mod check;
mod emit;
mod files;
mod like;
#[path = "../src/verbs/schema.rs"]
mod schema;
mod shape;
#[path = "../src/verbs/well_formed.rs"]
mod well_formed;

use files::{Family, Search};
use shape::Shapes;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=verbs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/verbs/schema.rs");
    println!("cargo::rerun-if-changed=src/verbs/well_formed.rs");
    match catalogue(Path::new("verbs")) {
        Ok(text) => {
            let out = std::env::var_os("OUT_DIR").expect("cargo says where to write");
            fs::write(Path::new(&out).join("catalogue.rs"), text).expect("cargo's folder is there");
            ExitCode::SUCCESS
        }
        Err(complaints) => {
            complaints.iter().for_each(|complaint| println!("cargo::error={complaint}"));
            ExitCode::FAILURE
        }
    }
}

/// The text of the tables, or all that stands against them.
fn catalogue(folder: &Path) -> Result<String, Vec<String>> {
    let shapes = Shapes::read(&toml_files(&folder.join("shapes"))?)?;
    let mut searches = BTreeMap::new();
    for file in toml_files(&folder.join("discovery"))? {
        let more: BTreeMap<String, Vec<Search>> = read(&file).map_err(|error| vec![error])?;
        searches.extend(more);
    }
    let mut families = Vec::new();
    let mut complaints = Vec::new();
    for file in toml_files(folder)? {
        match family(&file) {
            Ok(family) => families.push((file.display().to_string(), family)),
            Err(complaint) => complaints.push(complaint),
        }
    }
    complaints.extend(check::all(&families, &shapes, &searches));
    like::resolve(&mut families);
    let verbs = families.iter().flat_map(|(_, family)| family.entries());
    if complaints.is_empty() { Ok(emit::tables(verbs, &searches)) } else { Err(complaints) }
}

fn family(file: &Path) -> Result<Family, String> {
    let mut family: Family = read(file)?;
    family.expand().map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(family)
}

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    // One line: what follows the first would not be shown as part of the error.
    toml::from_str(&text).map_err(|error| {
        let before = text[..error.span().map_or(0, |span| span.start)].matches('\n').count();
        format!("{}:{}: {}", file.display(), before + 1, error.message().replace('\n', " "))
    })
}

/// The files of a folder, sorted by name.
fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, Vec<String>> {
    let named = |error: &dyn std::fmt::Display| vec![format!("{}: {error}", folder.display())];
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| named(&error))? {
        let path = entry.map_err(|error| named(&error))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
