//! Secrets among the names that a command finds and another one reads.

use crate::path::Physical;
use crate::path::resolve::{End, Last, resolve, way};
use crate::protected::{is_secret_directory, is_secret_file, is_secret_path};
use crate::trees::is_named;
use crate::verbs::Secret;
use crate::view::{FsView, Kind};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;

/// How many names are looked at below one directory.
const NAMES_MAX: usize = 10_000;

/// Directories of what others have written, in which names say little: `credentials.js`.
const INSTALLED: [&[u8]; 4] = [b".git", b"node_modules", b"site-packages", b"vendor"];

/// Where secrets are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Among the names of the directory itself.
    Here,
    /// Among all names below it.
    Below,
}

/// The secrets in or below `top`, links not followed, and not in what is installed. `names` are
/// those that the person protects. What lies beyond the bound, or cannot be listed, counts as not
/// there.
pub(crate) fn secrets(
    view: &dyn FsView,
    top: &Physical,
    depth: Depth,
    names: &[String],
) -> BTreeSet<Secret> {
    let mut secrets = BTreeSet::new();
    let mut waiting = vec![(top.clone(), Above::default())];
    let mut count = 0;
    while let Some((directory, above)) = waiting.pop() {
        let Ok(list) = view.list(directory.as_path(), NAMES_MAX - count) else { continue };
        count += list.len();
        for name in list {
            let name = name.as_bytes();
            let found = resolve(view, &directory, name, Last::Keep);
            let end = found.as_ref().map(|it| it.end);
            let here = above.and(name, names);
            if end != Ok(End::Found(Kind::Dir)) {
                let itself = is_secret_file(name)
                    || (end == Ok(End::Found(Kind::Link)) && leads_to_one(view, &directory, name));
                if itself || here.secret || here.named {
                    let Above { hidden, named, .. } = here;
                    secrets.insert(Secret { name: name.to_vec(), hidden, named });
                }
            }
            let is_entered = depth == Depth::Below && !INSTALLED.contains(&name);
            match found {
                Ok(found) if matches!(found.end, End::Found(Kind::Dir | Kind::Perhaps)) => {
                    waiting.extend(is_entered.then_some((found.path, here)));
                }
                _ => {}
            }
        }
    }
    secrets
}

/// What the names of directories on the way say of what stands below them.
#[derive(Clone, Copy, Debug, Default)]
struct Above {
    hidden: bool,
    secret: bool,
    named: bool,
}

impl Above {
    fn and(self, name: &[u8], names: &[String]) -> Above {
        Above {
            hidden: self.hidden || name.starts_with(b"."),
            secret: self.secret || is_secret_directory(name),
            named: self.named || is_named(names, name),
        }
    }
}

/// Has anything that a link leads through the name of a secret?
fn leads_to_one(view: &dyn FsView, directory: &Physical, name: &[u8]) -> bool {
    way(view, directory, name).iter().any(|it| {
        let above = it.as_bytes().strip_prefix(directory.as_bytes());
        is_secret_path(above.unwrap_or(it.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::MemoryView;

    #[test]
    fn secrets_are_found_by_every_name_on_the_way() {
        let mut view = MemoryView::default();
        view.file("/p/a/.env", "").file("/p/a/.ssh/deploy", "").file("/p/d/x.sqlite", "");
        view.file("/p/secrets/plain", "").file("/p/node_modules/credentials", "");
        view.file("/p/env.txt", "").link("/p/.env", "env.txt").link("/p/d/n", "../.env");
        view.link("/p/d/plain", "../env.txt").file("/p/db/plain", "");
        let top = resolve(&view, &Physical::root(), b"/p", Last::Follow).expect("it is there").path;
        let found = |depth, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
            let found = secrets(&view, &top, depth, &names);
            let shown = |it: &Secret| {
                let flags = [(it.hidden, " hidden"), (it.named, " named")];
                let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag);
                String::from_utf8_lossy(&it.name).into_owned() + &flags.collect::<String>()
            };
            found.iter().map(shown).collect::<Vec<_>>()
        };
        assert_eq!(found(Depth::Here, &[]), [".env hidden"]);
        assert_eq!(found(Depth::Below, &[]), [".env hidden", "deploy hidden", "n"]);
        let named = found(Depth::Below, &["*.sqlite", "db"]);
        assert_eq!(named, [".env hidden", "deploy hidden", "n", "plain named", "x.sqlite named"]);
    }
}
