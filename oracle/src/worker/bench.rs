//! What a supervisor runs orders with.

use super::straced;
use super::wire::{Observed, Reply, Run, Setup};
use crate::contain::{CaseUser, Doors, Limits, Refusal, Step};
use crate::launch::{
    Belongings, Kind, Launcher, Order, Outcome, Run as Ran, ServedLauncher, Start,
};
use crate::observe::{Backend, Observer, Record, Resolver, Witness};
use crate::plant::{Outside, Planter};
use crate::system::files::c_string;
use shfence_corpus::{TOP, Text, TreeSpec};
use std::cell::RefCell;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::rc::Rc;

/// Everything a supervisor works with.
pub(super) struct Bench {
    seats: Seats,
    start: Start,
    planter: Planter,
    tree: TreeSpec,
    outside: Outside,
    /// Is every run verified, and not only one now and then?
    verify: bool,
    /// Runs so far.
    runs: u64,
}

/// One run of so many is verified in any case.
const VERIFIED: u64 = 256;

impl Bench {
    pub(super) fn new(setup: Setup, user: CaseUser, doors: Doors) -> Result<Bench, Refusal> {
        let mut seats = Seats {
            user,
            limits: setup.limits,
            doors: Rc::new(doors),
            backend: setup.backend,
            taken: Vec::new(),
            resolver: Rc::default(),
            cold: Vec::new(),
        };
        // Warm shells get theirs when they are first wanted.
        seats.at(&Kind::Exec).step("start a server under the system-call filter")?;
        let (planter, tree) = (Planter::new(user), TreeSpec::default());
        let outside = Outside::look().step("look at what is outside the tree")?;
        let (start, verify) = (setup.start, setup.verify);
        Ok(Bench { seats, start, planter, tree, outside, verify, runs: 0 })
    }

    /// Runs one order, with this terminal as its input if it has one. An error means that the bench
    /// is of no use any more.
    pub(super) fn run(&mut self, run: Run, terminal: Option<OwnedFd>) -> io::Result<Reply> {
        let new_tree = run.tree.is_some();
        if let Some(tree) = run.tree {
            self.tree = tree;
        }
        // The naive harness copies its tree itself.
        if (new_tree || self.start != Start::Straced)
            && let Err(error) = self.planter.plant(&self.tree)
        {
            return Ok(Reply::NotPlanted(error.to_string()));
        }
        self.runs += 1;
        let is_observed = matches!(self.start, Start::Exec | Start::Warm);
        let is_turn = is_observed && self.runs.is_multiple_of(VERIFIED);
        if is_turn {
            // What many unverified runs have left is no fault of this one.
            self.compare(&self.planter.verify()?, "before this run")?;
        }
        let order = Order {
            program: c_string(run.program.into_bytes())?,
            cwd: c_string(run.cwd.into_bytes())?,
            argv: c_strings(run.argv)?,
            env: c_strings(run.env)?,
        };
        if self.start == Start::Straced {
            return self.run_naively(order, new_tree);
        }
        let witness =
            (self.verify || is_turn).then(|| Witness::watch(Path::new(TOP))).transpose()?;
        let (seat, cold) = match terminal {
            Some(terminal) => (self.seats.with_terminal(terminal)?, None),
            None => self.seats.choose(&order, self.start)?,
        };
        seat.observer.begin(self.planter.planting(), run.probes);
        let ran = match seat.launcher.run(&order, &mut *seat.observer)? {
            Outcome::NotStarted(error) => return Ok(Reply::NotStarted(error.to_string())),
            Outcome::Ran(ran) => ran,
        };
        if ran.all_killed {
            self.seats.taken.clear();
        }
        self.planter.note(&ran.record, ran.status);
        if let Some(witness) = witness {
            self.verify(witness, &ran.record)?;
        }
        Ok(reply(ran, cold))
    }

    /// Runs one order as somebody would who has no oracle.
    fn run_naively(&mut self, order: Order, new_tree: bool) -> io::Result<Reply> {
        if new_tree {
            straced::take_model()?;
            self.planter.forget();
        }
        straced::copy_tree()?;
        let seat = self.seats.at(&Kind::Naive)?;
        let ran = match seat.launcher.run(&straced::order(order)?, &mut *seat.observer)? {
            Outcome::NotStarted(error) => return Ok(Reply::NotStarted(error.to_string())),
            Outcome::Ran(ran) => ran,
        };
        straced::read_text()?;
        straced::remove_tree()?;
        Ok(reply(ran, None))
    }

    /// Fails if the record does not tell of something that happened in the tree, or if anything has
    /// happened outside of it.
    fn verify(&self, witness: Witness, record: &Record) -> io::Result<()> {
        let mut unseen = Vec::from_iter(witness.unseen(record)?);
        unseen.extend(self.planter.verify()?);
        unseen.extend(self.outside.differences()?);
        self.compare(&unseen, "in this run")
    }

    /// An error, if something happened of which no record tells.
    fn compare(&self, unseen: &[String], when: &str) -> io::Result<()> {
        if unseen.is_empty() {
            return Ok(());
        }
        let (run, what) = (self.runs, unseen.join(", "));
        Err(io::Error::other(format!("not seen by the observer {when} ({run}): {what}")))
    }
}

fn reply(mut ran: Ran, cold: Option<String>) -> Reply {
    let processes = ran.record.settle();
    Reply::Ran(Observed {
        processes,
        doubts: ran.record.doubts,
        execs: ran.record.execs,
        touches: ran.record.touches,
        status: ran.status,
        cut: ran.cut,
        output: Text::from(ran.output),
        cold,
    })
}

/// A launcher with its server, and the observer that follows it.
struct Seat {
    kind: Kind,
    launcher: ServedLauncher,
    observer: Box<dyn Observer>,
}

/// All launchers. Only one of them runs anything at a time; the servers of the others are idle.
struct Seats {
    user: CaseUser,
    limits: Limits,
    doors: Rc<Doors>,
    backend: Backend,
    taken: Vec<Seat>,
    /// All see the same tree.
    resolver: Rc<RefCell<Resolver>>,
    /// The warm shells that there cannot be, and why.
    cold: Vec<(Kind, String)>,
}

impl Seats {
    /// The seat for an order; and, if it would start warm but for its shell, why it cannot.
    fn choose(&mut self, order: &Order, start: Start) -> io::Result<(&mut Seat, Option<String>)> {
        let warm = match start {
            Start::Warm => Kind::warm_for(order),
            Start::Exec => None,
            Start::Unseen => return Ok((self.at(&Kind::Unseen)?, None)),
            Start::Straced => return Ok((self.at(&Kind::Naive)?, None)),
        };
        let Some(warm) = warm else { return Ok((self.at(&Kind::Exec)?, None)) };
        if !self.cold.iter().any(|(kind, _)| *kind == warm)
            && let Err(error) = self.at(&warm)
        {
            self.cold.push((warm.clone(), error.to_string()));
        }
        let cold = self.cold.iter().find(|(kind, _)| *kind == warm).map(|(_, why)| why.clone());
        let kind = if cold.is_some() { &Kind::Exec } else { &warm };
        Ok((self.at(kind)?, cold))
    }

    /// The seat of this kind, made if there is none.
    fn at(&mut self, kind: &Kind) -> io::Result<&mut Seat> {
        if let Some(place) = self.taken.iter().position(|seat| seat.kind == *kind) {
            return Ok(&mut self.taken[place]);
        }
        self.make(kind.clone(), None)
    }

    /// The seat for what is typed on this terminal: a new one each time, since a terminal is of no
    /// use any more once a line has made it its own.
    fn with_terminal(&mut self, terminal: OwnedFd) -> io::Result<&mut Seat> {
        if let Some(place) = self.taken.iter().position(|seat| seat.kind == Kind::Typed) {
            self.taken.swap_remove(place).launcher.stop_server()?;
        }
        self.make(Kind::Typed, Some(terminal))
    }

    fn make(&mut self, kind: Kind, input: Option<OwnedFd>) -> io::Result<&mut Seat> {
        // Whom nobody sees nobody follows.
        let backend = match kind {
            Kind::Unseen | Kind::Naive => Backend::Notify,
            Kind::Exec | Kind::Typed | Kind::Warm { .. } => self.backend,
        };
        let mut observer = backend.observer(self.limits.events, Rc::clone(&self.resolver));
        let with = Belongings {
            user: self.user,
            limits: self.limits.clone(),
            doors: Rc::clone(&self.doors),
            input,
        };
        let launcher = ServedLauncher::new(kind.clone(), with, &mut *observer)?;
        self.taken.push(Seat { kind, launcher, observer });
        self.taken.last_mut().ok_or_else(|| io::Error::other("there is no seat"))
    }
}

fn c_strings(texts: Vec<Text>) -> io::Result<Vec<CString>> {
    texts.into_iter().map(|text| c_string(text.into_bytes())).collect()
}
