//! A view that looks at each place once, and not at too many.

use super::{FsView, Kind};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How many places one decision looks at. A line of 64 KiB can name more, but no line that a person
/// would not want to look at does.
const LOOKS_MAX: usize = 20_000;

/// How many places there is room for from the beginning: most decisions look at fewer.
const PLACES: usize = 28;

/// Remembers what another view has answered: a line that names the same directory again and again
/// costs one look, and all its segments see the same tree. Over the budget of a decision every
/// answer is [`io::ErrorKind::QuotaExceeded`].
///
/// What is remembered from an earlier decision costs the budget of this one a look all the same, so
/// that a verdict does not depend on what was decided before.
pub struct Remembering<'a> {
    view: &'a dyn FsView,
    places: RefCell<HashMap<Box<[u8]>, Known, Seeded>>,
    looks: Cell<usize>,
    decision: Cell<u32>,
}

/// What is known of a place, each with the last decision that has paid for it.
#[derive(Default)]
struct Known {
    kind: Option<(Result<Kind, io::ErrorKind>, u32)>,
    link: Option<(PathBuf, u32)>,
    list: Option<(Entries, u32)>,
}

/// The names in a directory, in their order, with what listing has told of them.
type Entries = Vec<(OsString, Option<Kind>)>;

/// So many names of a listing are worth a look: they come without one, but not for nothing.
const NAMES_OF_A_LOOK: usize = 16;

impl<'a> Remembering<'a> {
    /// Remembers nothing yet.
    pub fn new(view: &'a dyn FsView) -> Remembering<'a> {
        // A view that sees nothing has nothing to remember, and a seed takes time to make.
        let (seed, places) = match view.sees() {
            true => (RandomState::new().hash_one(0), PLACES),
            false => (0, 0),
        };
        let places = RefCell::new(HashMap::with_capacity_and_hasher(places, Seeded(seed)));
        Remembering { view, places, looks: Cell::new(0), decision: Cell::new(0) }
    }

    /// A decision begins, with a budget of its own.
    pub fn begin(&self) {
        self.looks.set(0);
        self.decision.set(self.decision.get().wrapping_add(1));
    }

    /// Has this decision used up its budget?
    pub fn is_spent(&self) -> bool {
        self.looks.get() > LOOKS_MAX
    }

    /// How many looks this decision has taken.
    pub fn looks(&self) -> usize {
        self.looks.get()
    }

    /// The number of this decision.
    pub fn decision(&self) -> u32 {
        self.decision.get()
    }

    fn look(&self) -> io::Result<()> {
        self.take(1)
    }

    fn take(&self, looks: usize) -> io::Result<()> {
        self.looks.set(self.looks.get() + looks);
        if self.is_spent() { Err(io::ErrorKind::QuotaExceeded.into()) } else { Ok(()) }
    }

    /// Pays so many looks for what is remembered, once in a decision.
    pub fn pay(&self, looks: usize, paid: &mut u32) -> io::Result<()> {
        if *paid == self.decision.get() {
            return Ok(());
        }
        *paid = self.decision.get();
        self.take(looks)
    }

    fn remember(&self, path: &[u8], set: impl FnOnce(&mut Known)) {
        set(self.places.borrow_mut().entry(path.into()).or_default());
    }

    /// What listing the directory above has shown at this path, beside the names.
    fn shown(&self, path: &[u8]) -> Option<Kind> {
        let slash = path.iter().rposition(|byte| *byte == b'/')?;
        let places = self.places.borrow();
        let (entries, _) = places.get(&path[..slash.max(1)])?.list.as_ref()?;
        let name = |entry: &(OsString, Option<Kind>)| entry.0.as_bytes().cmp(&path[slash + 1..]);
        entries.binary_search_by(name).ok().and_then(|at| entries[at].1)
    }

    /// Lists a directory, and remembers it.
    fn listed(&self, path: &Path, budget: usize) -> io::Result<Entries> {
        let mut entries = self.view.entries(path, budget)?;
        entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let known = Some((entries.clone(), self.decision.get()));
        self.remember(path.as_os_str().as_bytes(), |place| place.list = known);
        Ok(entries)
    }
}

impl FsView for Remembering<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if !self.view.sees() {
            return self.view.kind(path);
        }
        let bytes = path.as_os_str().as_bytes();
        if let Some(known) = self.places.borrow_mut().get_mut(bytes)
            && let Some((kind, paid)) = &mut known.kind
        {
            self.pay(1, paid)?;
            return kind.map_err(io::Error::from);
        }
        self.look()?;
        let kind = match self.shown(bytes) {
            Some(kind) => Ok(kind),
            None => self.view.kind(path).map_err(|error| error.kind()),
        };
        self.remember(bytes, |known| known.kind = Some((kind, self.decision.get())));
        kind.map_err(io::Error::from)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let bytes = path.as_os_str().as_bytes();
        if let Some(known) = self.places.borrow_mut().get_mut(bytes)
            && let Some((target, paid)) = &mut known.link
        {
            self.pay(1, paid)?;
            return Ok(target.clone());
        }
        self.look()?;
        let target = self.view.read_link(path)?;
        let paid = self.decision.get();
        self.remember(bytes, |known| known.link = Some((target.clone(), paid)));
        Ok(target)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        let bytes = path.as_os_str().as_bytes();
        if let Some(known) = self.places.borrow_mut().get_mut(bytes)
            && let Some((entries, paid)) = &mut known.list
        {
            self.pay(1, paid)?;
            return match entries.len() > budget {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => Ok(entries.iter().map(|(name, _)| name.clone()).collect()),
            };
        }
        self.look()?;
        Ok(self.listed(path, budget)?.into_iter().map(|(name, _)| name).collect())
    }

    fn entries(&self, path: &Path, budget: usize) -> io::Result<Entries> {
        let bytes = path.as_os_str().as_bytes();
        if let Some(known) = self.places.borrow_mut().get_mut(bytes)
            && let Some((entries, paid)) = &mut known.list
        {
            self.pay(1 + entries.len() / NAMES_OF_A_LOOK, paid)?;
            return match entries.len() > budget {
                true => Err(io::ErrorKind::FileTooLarge.into()),
                false => Ok(entries.clone()),
            };
        }
        self.look()?;
        let entries = self.listed(path, budget)?;
        self.take(entries.len() / NAMES_OF_A_LOOK)?;
        Ok(entries)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.look()?;
        self.view.read(path, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.look().is_ok() && self.view.enterable(path)
    }

    fn is_steady(&self, path: &Path) -> bool {
        self.view.is_steady(path)
    }

    fn is_no_tree(&self, path: &Path) -> bool {
        self.look().is_ok() && self.view.is_no_tree(path)
    }

    fn has_more(&self, path: &Path) -> bool {
        self.view.has_more(path)
    }

    fn sees(&self) -> bool {
        self.view.sees()
    }
}

/// Hashes paths eight bytes at a time: they are long, and many. The seed keeps a line from naming
/// paths that all have one hash.
#[derive(Clone, Copy)]
struct Seeded(u64);

impl BuildHasher for Seeded {
    type Hasher = Eights;

    fn build_hasher(&self) -> Eights {
        Eights { state: self.0, factor: self.0.rotate_left(32) | 1 }
    }
}

struct Eights {
    state: u64,
    factor: u64,
}

impl Eights {
    fn add(&mut self, eight: u64) {
        let product = u128::from(self.state ^ eight) * u128::from(self.factor ^ GOLDEN);
        self.state = (product as u64) ^ ((product >> 64) as u64);
    }
}

/// The golden ratio, as a fraction of 2^64: no run of zeros or ones in it.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Eights {
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        eights.iter().for_each(|eight| self.add(u64::from_le_bytes(*eight)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }

    fn write_usize(&mut self, _: usize) {
        // The length of the path, which the last of its bytes are hashed with.
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
