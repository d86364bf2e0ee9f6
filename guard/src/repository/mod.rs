//! The git repository that git finds from a directory, and whether it runs anything there.
//!
//! git runs programs that a repository's configuration names: for `git status` no option is needed.
//! So the repository is looked for as git does it (gitrepository-layout(5), `setup.c`): upwards,
//! through `.git` files, to the directory that worktrees share, to the objects that are borrowed,
//! and into the submodules that it looks at. Every place is named, so that it can be held against
//! the scope, and every setting must be one that is known to be inert.

mod config;
mod hooks;
mod index;
mod inert;
#[cfg(test)]
mod tests;
mod tracked;

pub(crate) use tracked::{Tracked, tracked, tracks, tracks_below};

use crate::path::Physical;
use crate::path::resolve::{End, Last, Resolved, resolve};
use crate::plan::Role;
use crate::verbs::Form;
use crate::view::{FsView, Kind};
use config::Setting;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;

/// Bounds of what is read and looked at. Over them, a person looks.
const CONFIG_MAX: usize = 256 << 10;
const INDEX_MAX: usize = 32 << 20;
const POINTER_MAX: usize = 8 << 10;
const NAMES_MAX: usize = 10_000;
const DIRECTORIES_MAX: usize = 8_000;
const REPOSITORIES_MAX: usize = 200;
const BORROWED_DEEP: usize = 5;

/// How many bytes the name of an object has: with SHA-1, and with SHA-256.
const HASHES: [usize; 2] = [20, 32];

/// A place that git uses, and everything below it if it is a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: Physical,
    pub(crate) role: Role,
}

/// What git uses that starts in `from`. Nothing, if it finds no repository. The error is what
/// stands against running it there, as a sentence.
pub(crate) fn used_from(
    view: &dyn FsView,
    from: &Physical,
    form: Form,
) -> Result<Vec<Place>, String> {
    let mut search = Search { form, ..Search::new(view) };
    if let Some(found) = search.upwards(from)? {
        if form.worktrees {
            search.linked_worktrees(&found)?;
        }
        search.repository(&found)?;
    }
    Ok(search.places)
}

/// The top of the worktree that git finds from a directory, if that can be told.
pub(crate) fn toplevel(view: &dyn FsView, from: &Physical) -> Option<Physical> {
    let mut search = Search::new(view);
    let Found { own, shared, worktree } = search.upwards(from).ok()??;
    let mut settings = search.settings(&shared, b"config").ok()?;
    settings.extend(search.settings(&own, b"config.worktree").ok()?);
    worktree.filter(|_| view.sees() && settings.iter().all(inert::is_ordinary))
}

struct Search<'a> {
    view: &'a dyn FsView,
    form: Form,
    places: Vec<Place>,
    repositories: usize,
}

/// A repository: where its own files are, where those are that worktrees share, and its worktree.
struct Found {
    own: Physical,
    shared: Physical,
    worktree: Option<Physical>,
}

impl<'a> Search<'a> {
    fn new(view: &'a dyn FsView) -> Search<'a> {
        Search { view, form: Form::default(), places: Vec::new(), repositories: 0 }
    }
}

impl Search<'_> {
    /// The first repository in a directory or those it stands in.
    fn upwards(&mut self, from: &Physical) -> Result<Option<Found>, String> {
        for directory in from.as_path().ancestors() {
            let (directory, _) = self.at(&Physical::root(), directory.as_os_str().as_bytes())?;
            if let Some(found) = self.in_directory(&directory)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn in_directory(&mut self, directory: &Physical) -> Result<Option<Found>, String> {
        let worktree = Some(directory.clone());
        let (own, end) = self.at(directory, b".git")?;
        match end {
            End::Found(Kind::Dir) => {
                if let Some(shared) = self.shared(&own)? {
                    return Ok(Some(Found { own, shared, worktree }));
                }
            }
            End::Found(Kind::File) => {
                let pointer = self.pointer(&own)?;
                let target = pointer.strip_prefix(b"gitdir: ").ok_or(format!("{own} is odd"))?;
                self.use_it(&own);
                let (own, _) = self.at(directory, target)?;
                let shared = self.shared(&own)?;
                let shared = shared.ok_or(format!("{own} is no git repository"))?;
                return Ok(Some(Found { own, shared, worktree }));
            }
            End::Found(_) => return Err(format!("{own} is neither a file nor a directory")),
            End::Missing => {}
        }
        // A bare repository.
        let shared = self.shared(directory)?;
        Ok(shared.map(|shared| Found { own: directory.clone(), shared, worktree: None }))
    }

    /// If this is a directory of a repository: where what worktrees share is.
    fn shared(&self, own: &Physical) -> Result<Option<Physical>, String> {
        let (head, end) = self.at_link(own, b"HEAD")?;
        if end == End::Missing {
            return Ok(None);
        }
        let (pointer, end) = self.at(own, b"commondir")?;
        let shared = match end {
            End::Missing => own.clone(),
            _ => self.at(own, &self.pointer(&pointer)?)?.0,
        };
        for part in [&b"objects"[..], b"refs"] {
            match self.at(&shared, part)? {
                // git has looked there, and goes on upwards.
                (it, End::Missing) if shared != *own => {
                    return Err(format!("{it} is not there, where {pointer} says it is"));
                }
                (_, End::Missing) => return Ok(None),
                (it, End::Found(Kind::Dir)) if self.view.enterable(it.as_path()) => {}
                // git only asks whether it may search, or execute, it.
                (it, _) => return Err(format!("{it} is not as git makes it")),
            }
        }
        // Whether git takes an odd one for a HEAD, or goes on upwards, is not asked.
        match is_head(&self.head(&head, end)?) {
            true => Ok(Some(shared)),
            false => Err(format!("{head} is not as git writes it")),
        }
    }

    /// Names all that git uses of a repository, and of those that it goes on to.
    fn repository(&mut self, found: &Found) -> Result<(), String> {
        self.repositories += 1;
        if self.repositories > REPOSITORIES_MAX {
            return Err(format!("git goes on to more than {REPOSITORIES_MAX} repositories"));
        }
        let Found { own, shared, worktree } = found;
        self.use_it(own);
        self.use_it(shared);
        self.links(own)?;
        if own != shared {
            self.links(shared)?;
        }
        let mut settings = self.settings(shared, b"config")?;
        settings.extend(self.settings(own, b"config.worktree")?);
        let (objects, _) = self.at(shared, b"objects")?;
        self.borrowed(&objects, BORROWED_DEEP)?;

        let values = |key: &[u8]| {
            let of_key = settings.iter().filter(move |it| it.key() == key);
            of_key.filter_map(|it| it.value.as_deref()).collect::<Vec<_>>()
        };
        // Whether git reads both files, and so which value is the last, is not asked.
        let mut worktrees: Vec<Physical> = worktree.iter().cloned().collect();
        for path in values(b"core.worktree") {
            worktrees.push(self.at(own, path)?.0);
        }
        let sha256 = values(b"extensions.objectformat").iter().any(|format| *format != b"sha1");
        let hash = HASHES[usize::from(sha256)];
        if self.form.refreshes || self.form.writes {
            self.refreshed(own, shared)?;
            for path in values(b"core.hookspath") {
                let from = worktree.as_ref().unwrap_or(own);
                let (directory, _) = self.at(from, path)?;
                self.no_hooks(&directory)?;
                self.places.push(Place { path: directory, role: Role::Test });
            }
        }
        if self.form.writes {
            let whole = [own, shared].into_iter().cloned();
            self.places.extend(whole.map(|path| Place { path, role: Role::Keep }));
        }
        for worktree in &worktrees {
            self.use_it(worktree);
            self.submodules(own, worktree, hash)?;
        }
        Ok(())
    }

    /// The settings of a file, all of which must be inert.
    fn settings(&self, own: &Physical, name: &[u8]) -> Result<Vec<Setting>, String> {
        let (file, end) = self.at(own, name)?;
        if end == End::Missing {
            return Ok(Vec::new());
        }
        let text = self.read(&file, CONFIG_MAX)?;
        let settings = config::read(&text)
            .map_err(|config::BadLine(line)| format!("line {line} of {file} is not understood"))?;
        // The only hook of a form that looks is that of the index. `~` and `%(prefix)` are places
        // that are not known here.
        let inert = |setting: &Setting| {
            let place = setting
                .value
                .as_deref()
                .is_some_and(|it| !it.starts_with(b"~") && !it.starts_with(b"%"));
            match &setting.key()[..] {
                b"core.hookspath" => !(self.form.refreshes || self.form.writes) || place,
                // A signature is made by a program, and a template is a file.
                b"commit.gpgsign" | b"commit.template" if self.form.writes => false,
                _ => inert::is_inert(setting),
            }
        };
        match settings.iter().find(|setting| !inert(setting)) {
            Some(setting) => {
                let key = String::from_utf8_lossy(&setting.key()).into_owned();
                Err(format!("'{key}' in {file} may make git run or read something else"))
            }
            None => Ok(settings),
        }
    }

    /// Where the objects are that this repository borrows, and those that these borrow.
    fn borrowed(&mut self, objects: &Physical, deep: usize) -> Result<(), String> {
        let (list, end) = self.at(objects, b"info/alternates")?;
        if end == End::Missing {
            return Ok(());
        }
        if deep == 0 {
            return Err(format!("{list} leads through too many repositories"));
        }
        let text = self.read(&list, POINTER_MAX)?;
        for line in text.split(|byte| *byte == b'\n') {
            match line {
                [] | [b'#', ..] => {}
                [b'"', ..] => return Err(format!("a path in {list} is quoted")),
                path => {
                    let (objects, _) = self.at(objects, path)?;
                    self.use_it(&objects);
                    self.borrowed(&objects, deep - 1)?;
                }
            }
        }
        Ok(())
    }

    /// The repositories of the submodules that are checked out.
    fn submodules(
        &mut self,
        own: &Physical,
        worktree: &Physical,
        hash: usize,
    ) -> Result<(), String> {
        let mut paths = Vec::new();
        let (mut directories, mut links) = (BTreeSet::new(), Vec::new());
        let Form { opens, attributes, refreshes, writes, history, .. } = self.form;
        let looks = opens || attributes || refreshes || writes;
        self.index(own, hash, &mut |mode, path| {
            match mode {
                index::SUBMODULE => paths.push(path.to_vec()),
                // Where it leads, a directory may have stood.
                index::LINK if history => links.push(path.to_vec()),
                _ => {}
            }
            let at = path.iter().rposition(|byte| *byte == b'/').filter(|_| looks);
            if let Some(at) = at.filter(|at| !directories.contains(&path[..*at])) {
                directories.insert(path[..at].to_vec());
            }
        })?;
        let mut directories: Vec<_> = directories.into_iter().collect();
        // What is opened must all be known; names and attributes as far as most projects go.
        if !opens && directories.len() > DIRECTORIES_MAX {
            directories.sort_by_key(|path| path.iter().filter(|byte| **byte == b'/').count());
            directories.truncate(DIRECTORIES_MAX);
        }
        // Where a directory stood when a file in it was tracked, a link may stand now.
        for directory in directories {
            let led_to = self.resolved(worktree, &directory, Last::Follow)?;
            if !led_to.0.is_within(worktree) {
                self.places.push(Place { path: led_to.0, role: Role::Read });
            }
        }
        for link in links {
            let led_to = resolve(self.view, worktree, &link, Last::Follow);
            let is = |it: &Resolved| it.end.may_be_directory() && !it.path.is_within(worktree);
            // What cannot be resolved is no directory.
            let led_to = led_to.ok().filter(is);
            self.places.extend(led_to.map(|it| Place { path: it.path, role: Role::Read }));
        }
        for path in paths {
            let (there, _) = self.at(worktree, &path)?;
            if let Some(found) = self.in_directory(&there)? {
                self.repository(&found)?;
            }
        }
        Ok(())
    }

    /// Shows the modes and paths that the index holds.
    fn index(
        &self,
        own: &Physical,
        hash: usize,
        show: &mut dyn FnMut(u32, &[u8]),
    ) -> Result<(), String> {
        let (file, end) = self.at(own, b"index")?;
        if self.form.opens && self.view.has_more(file.as_path()) {
            return Err(format!("the line itself adds to {file}"));
        }
        if end == End::Missing {
            // Unless git makes it while the line runs.
            return match self.view.read(file.as_path(), 1) {
                Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                    Err(format!("the line itself makes {file}"))
                }
                _ => Ok(()),
            };
        }
        let index = self.read(&file, INDEX_MAX)?;
        index::each(&index, hash, show).ok_or(format!("{file} is not understood"))
    }

    /// Where linked worktrees stand, which `git worktree list` looks at.
    fn linked_worktrees(&mut self, found: &Found) -> Result<(), String> {
        let (directory, end) = self.at(&found.shared, b"worktrees")?;
        if end != End::Found(Kind::Dir) {
            return Ok(());
        }
        for name in self.list(&directory, NAMES_MAX)? {
            let (own, _) = self.at(&directory, name.as_bytes())?;
            let (pointer, end) = self.at(&own, b"gitdir")?;
            if end != End::Missing {
                let (path, _) = self.at(&own, &self.pointer(&pointer)?)?;
                self.places.push(Place { path, role: Role::Test });
            }
        }
        Ok(())
    }

    /// Names where links in a repository's own files lead. git makes none itself.
    fn links(&mut self, own: &Physical) -> Result<(), String> {
        let mut waiting = vec![own.clone()];
        let mut budget = NAMES_MAX;
        while let Some(directory) = waiting.pop() {
            let names = self.list(&directory, budget)?;
            budget -= names.len();
            for name in names {
                let name = name.as_bytes();
                // Objects are too many to look at; those of others are looked at by themselves.
                let is_objects = directory.as_bytes().ends_with(b"/objects") && name.len() == 2;
                let of_others = directory == *own && matches!(name, b"modules" | b"lfs");
                let (path, end) = self.at_link(&directory, name)?;
                match end {
                    End::Found(Kind::Dir) if is_objects || of_others => {}
                    End::Found(Kind::Dir) => waiting.push(path),
                    End::Found(Kind::Link) => {
                        let (path, _) = self.at(&directory, name)?;
                        self.use_it(&path);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn use_it(&mut self, path: &Physical) {
        self.places.push(Place { path: path.clone(), role: Role::Read });
    }

    fn at(&self, from: &Physical, text: &[u8]) -> Result<(Physical, End), String> {
        self.resolved(from, text, Last::Follow)
    }

    fn at_link(&self, from: &Physical, text: &[u8]) -> Result<(Physical, End), String> {
        self.resolved(from, text, Last::Keep)
    }

    fn resolved(
        &self,
        from: &Physical,
        text: &[u8],
        last: Last,
    ) -> Result<(Physical, End), String> {
        let shown = || String::from_utf8_lossy(text).into_owned();
        resolve(self.view, from, text, last)
            .map(|it| (it.path, it.end))
            .map_err(|error| format!("'{}' in {from} {}", shown(), error.why()))
    }

    /// The text of a HEAD. A link says it with where it leads.
    fn head(&self, head: &Physical, end: End) -> Result<Vec<u8>, String> {
        if end != End::Found(Kind::Link) {
            return self.read(head, POINTER_MAX);
        }
        let target = self.view.read_link(head.as_path());
        let target = target.map_err(|error| format!("{head} cannot be read: {error}"))?;
        Ok([b"ref: ", target.as_os_str().as_bytes()].concat())
    }

    /// A short file that names a place: up to the ends of lines at its end, blanks included.
    fn pointer(&self, file: &Physical) -> Result<Vec<u8>, String> {
        let mut text = self.read(file, POINTER_MAX)?;
        let ends = text.iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
        text.truncate(text.len() - ends);
        if text.contains(&0) { Err(format!("{file} is odd")) } else { Ok(text) }
    }

    fn read(&self, file: &Physical, max: usize) -> Result<Vec<u8>, String> {
        let text = self.view.read(file.as_path(), max + 1).map_err(|error| match error.kind() {
            ErrorKind::ResourceBusy => format!("the line itself changes {file}"),
            _ => format!("{file} cannot be read: {error}"),
        })?;
        let fits = text.len() <= max;
        fits.then_some(text).ok_or_else(|| format!("{file} is too large to be looked through"))
    }

    fn list(&self, directory: &Physical, budget: usize) -> Result<Vec<OsString>, String> {
        let names = self.view.list(directory.as_path(), budget);
        names.map_err(|error| format!("{directory} cannot be listed: {error}"))
    }
}

/// A branch, or the name of an object.
fn is_head(text: &[u8]) -> bool {
    if let Some(name) = text.strip_prefix(b"ref:") {
        return name.trim_ascii_start().starts_with(b"refs/");
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    digits >= 40
}
