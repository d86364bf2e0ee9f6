//! The hooks that git runs by itself: where it would, there must be none.

use super::{Place, Search};
use crate::path::Physical;
use crate::path::resolve::End;
use crate::plan::Role;

/// The hooks that git runs by itself (githooks(5)), that of forms that only look first.
#[rustfmt::skip]
const HOOKS: &[&str] = &[
    "post-index-change", "applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch",
    "post-checkout", "post-commit", "post-merge", "post-rewrite", "pre-applypatch", "pre-auto-gc",
    "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg",
    "reference-transaction", "sendemail-validate",
];

impl Search<'_> {
    /// What git writes that found out about files, and the hook that it runs then.
    pub(super) fn refreshed(&mut self, own: &Physical, shared: &Physical) -> Result<(), String> {
        self.no_hooks(&self.at(shared, b"hooks")?.0)?;
        for name in [&b"index"[..], b"index.lock"] {
            let (path, _) = self.at(own, name)?;
            self.places.push(Place { path, role: Role::Keep });
        }
        Ok(())
    }

    /// The hooks that git would run in this directory must not be there.
    pub(super) fn no_hooks(&self, directory: &Physical) -> Result<(), String> {
        let hooks = if self.form.writes { HOOKS } else { &HOOKS[..1] };
        hooks.iter().try_for_each(|hook| self.no_hook(directory, hook.as_bytes()))
    }

    /// A hook that git would run must not be there.
    fn no_hook(&self, directory: &Physical, name: &[u8]) -> Result<(), String> {
        let (path, end) = self.at(directory, name)?;
        if end != End::Missing {
            return Err(format!("git may run {path}"));
        }
        Ok(())
    }
}
