//! Shapes: what the tools themselves say of their options.

use crate::well_formed::Arity;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// The shapes of all packages.
pub struct Shapes {
    packages: BTreeMap<String, BTreeMap<String, Shape>>,
}

/// The package whose tools stand in for those of others.
const STAND_IN: &str = "busybox";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    #[allow(dead_code)]
    version: String,
    tool: BTreeMap<String, Shape>,
}

/// The options of one tool, each with all its names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    pub permutes: bool,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    optional: Vec<String>,
}

impl Shapes {
    pub fn read(files: &[PathBuf]) -> Result<Shapes, Vec<String>> {
        let mut packages = BTreeMap::new();
        for file in files {
            let named =
                |error: &dyn std::fmt::Display| vec![format!("{}: {error}", file.display())];
            let text = fs::read_to_string(file).map_err(|error| named(&error))?;
            let package: Package =
                toml::from_str(&text).map_err(|error| named(&error.message()))?;
            let name =
                file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
            packages.insert(name, package.tool);
        }
        Ok(Shapes { packages })
    }

    /// The shape of a tool: its own, and that of the tool of the same name that may stand in.
    pub fn of(&self, tool: &str) -> (Option<&Shape>, Option<&Shape>) {
        let own = self.packages.iter().filter(|(package, _)| *package != STAND_IN);
        let own = own.filter_map(|(_, tools)| tools.get(tool)).next();
        (own, self.packages.get(STAND_IN).and_then(|tools| tools.get(tool)))
    }
}

impl Shape {
    /// The option of this name: how many words it takes, and all its names.
    pub fn option(&self, name: &str) -> Option<(Arity, &str)> {
        let lists = [
            (Arity::Flag, &self.flags),
            (Arity::Value, &self.values),
            (Arity::Optional, &self.optional),
        ];
        let has = |names: &&String| names.split(' ').any(|it| it == name);
        lists
            .into_iter()
            .find_map(|(arity, list)| list.iter().find(has).map(|names| (arity, names.as_str())))
    }
}
