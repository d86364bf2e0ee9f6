//! The time that an answer may take.
//!
//! An agent that waits too long goes on without one. What the guard computes is bounded and takes
//! milliseconds; what it looks at may take for ever: a file system over a network, or one that
//! another program serves. A thread that watches would cost every answer a seventh of its time, so
//! that there is one only where it may be needed:
//!
//! - The request is waited for by `poll(2)`.
//! - Every look at the file system reads the clock first, and none is taken when the time is over.
//! - Before a look that may block, the thread is started: one that leads away from where the agent
//!   itself lives, and any once the first looks were slow.

use super::agent::{Moment, Reply};
use super::{Hook, place};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use shfence::{FsView, Kind, RealView};
use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an answer may take if nobody says otherwise. The shortest time that an agent gives a
/// hook is five seconds (Grok).
pub const LIMIT: Duration = Duration::from_secs(2);

/// Looks that have taken this long together are slow: a decision takes a hundredth of it.
const SLOW: Duration = Duration::from_millis(20);

/// Directories that every process of a machine uses: if they hang, so does the agent.
const EVERYDAY: [&[u8]; 10] =
    [b"/bin", b"/dev", b"/etc", b"/lib", b"/lib64", b"/opt", b"/sbin", b"/tmp", b"/usr", b"/var"];

/// When an answer is due, and whether it was given.
pub struct Watch {
    hook: Arc<Hook>,
    started: Instant,
    /// When the agent asks, as far as that is known.
    moment: Cell<Moment>,
    /// Where the agent itself lives: looking there does not block.
    near: RefCell<Vec<PathBuf>>,
    /// Is there a thread that watches, or must there be none?
    thread: Cell<bool>,
    /// The exit code of the answer that was given.
    given: Arc<Mutex<Option<u8>>>,
}

impl Watch {
    /// Over the answer of this hook.
    pub fn over(hook: Hook, started: Instant) -> Watch {
        Watch {
            hook: Arc::new(hook),
            started,
            moment: Cell::new(Moment::Use),
            near: RefCell::default(),
            thread: Cell::new(false),
            given: Arc::default(),
        }
    }

    /// The same, in a process that lives on: nothing ends it.
    pub fn without_thread(hook: Hook) -> Watch {
        let watch = Watch::over(hook, Instant::now());
        watch.thread.set(true);
        watch
    }

    /// The hook it watches over.
    pub fn hook(&self) -> &Hook {
        &self.hook
    }

    /// The agent asks at this moment, and lives in these directories.
    pub fn knows(&self, moment: Moment, near: impl IntoIterator<Item = PathBuf>) {
        self.moment.set(moment);
        self.near.borrow_mut().extend(near);
    }

    /// When the agent asks, as far as that is known.
    pub fn moment(&self) -> Moment {
        self.moment.get()
    }

    /// Gives the answer, unless another was given. Its exit code is that of the process.
    pub fn give(&self, reply: &Reply) -> u8 {
        give(&self.given, reply)
    }

    /// Is the time over?
    pub fn is_over(&self) -> bool {
        self.started.elapsed() >= self.hook.limit
    }

    /// Waits until something can be read. `false`: the time is over.
    pub fn wait_for(&self, input: &impl AsFd) -> io::Result<bool> {
        loop {
            let left = self.hook.limit.saturating_sub(self.started.elapsed());
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&left)) {
                Err(rustix::io::Errno::INTR) => {}
                ready => return Ok(ready? > 0),
            }
        }
    }

    /// The file system, as long as there is time.
    pub fn view(&self) -> TimedView<'_> {
        TimedView { watch: self }
    }

    /// Called before each look.
    fn look(&self, path: &Path) -> io::Result<()> {
        let elapsed = self.started.elapsed();
        if elapsed >= self.hook.limit {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if !self.thread.get() && (elapsed >= SLOW || !self.is_near(path)) {
            self.start_thread()?;
            self.thread.set(true);
        }
        Ok(())
    }

    fn is_near(&self, path: &Path) -> bool {
        let path = path.as_os_str().as_bytes();
        let near = self.near.borrow();
        let lives = near.iter().map(|near| near.as_os_str().as_bytes());
        let above = near.iter().any(|near| place::is_within(near.as_os_str().as_bytes(), path));
        above || lives.chain(EVERYDAY).any(|near| place::is_within(path, near))
    }

    /// A thread that gives the answer when it is due, if nobody else has, and ends the process.
    fn start_thread(&self) -> io::Result<()> {
        let left = self.hook.limit.saturating_sub(self.started.elapsed());
        let (hook, given, moment) = (self.hook.clone(), self.given.clone(), self.moment.get());
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        let watching = thread.spawn(move || {
            std::thread::sleep(left);
            let late = hook.late(moment).reply;
            std::process::exit(i32::from(give(&given, &late)))
        });
        watching.map(drop)
    }
}

/// Prints one answer, the first that comes.
fn give(given: &Mutex<Option<u8>>, reply: &Reply) -> u8 {
    let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
    *given.get_or_insert_with(|| {
        reply.print();
        reply.code
    })
}

/// The real file system, which may not be looked at when the time is over.
pub struct TimedView<'w> {
    watch: &'w Watch,
}

impl FsView for TimedView<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.watch.look(path)?;
        RealView.kind(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.watch.look(path)?;
        RealView.read_link(path)
    }

    fn list(&self, path: &Path, budget: usize) -> io::Result<Vec<OsString>> {
        self.watch.look(path)?;
        RealView.list(path, budget)
    }

    fn entries(&self, path: &Path, budget: usize) -> io::Result<Vec<(OsString, Option<Kind>)>> {
        self.watch.look(path)?;
        RealView.entries(path, budget)
    }

    fn read(&self, path: &Path, max: usize) -> io::Result<Vec<u8>> {
        self.watch.look(path)?;
        RealView.read(path, max)
    }

    fn enterable(&self, path: &Path) -> bool {
        self.watch.look(path).is_ok() && RealView.enterable(path)
    }
}
