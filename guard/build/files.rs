//! The files of the catalogue.

use crate::schema::{Set, Verb};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One file: a tool, or several that belong together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Family {
    /// The tools and versions that it was written from.
    pub written_from: Vec<String>,
    /// Options that several verbs have, by the name under which these say so.
    #[serde(default)]
    pub sets: BTreeMap<String, Set>,
    pub verb: Vec<Verb>,
}

impl Family {
    /// Every verb with what it was written from.
    pub fn entries(&self) -> impl Iterator<Item = (&Verb, &[String])> {
        self.verb.iter().map(|verb| (verb, &self.written_from[..]))
    }

    /// Gives every verb the options of its sets. The error is a set that there is not.
    pub fn expand(&mut self) -> Result<(), String> {
        self.verb.iter_mut().try_for_each(|verb| verb.expand(&self.sets))
    }
}

/// What a tool looks for, in the directory that it starts in and in those above.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// These, up to the first directory that has one.
    #[serde(default)]
    pub first: Vec<String>,
    /// These, wherever they stand.
    #[serde(default)]
    pub all: Vec<String>,
    /// The same, up to the first directory that has one of these.
    #[serde(default)]
    pub until: Vec<String>,
    /// These, only where it starts.
    #[serde(default)]
    pub here: Vec<String>,
    /// Where these are links, from where it starts up to the root of the project.
    #[serde(default)]
    pub links: Vec<String>,
    /// Below where it starts: links to directories, and those whose names end so.
    #[serde(default)]
    pub below: Vec<String>,
    /// Below where it starts, through no links: files of these names, which may be links.
    #[serde(default)]
    pub within: Vec<String>,
    /// Files by which directories are known that belong to the project.
    #[serde(default)]
    pub parts: Vec<String>,
    /// Files of the project: where they say that parts of it stand. What is `below` is then meant
    /// from the project's root on.
    #[serde(default)]
    pub mentioned: Vec<String>,
}
