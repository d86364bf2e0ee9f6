//! What one run did, as it is being recorded.

use super::resolve::Resolver;
use crate::system::process::WaitStatus;
use crate::system::{Pid, process};
use crate::trace::{Exec, Process, Status, Touch};
use shfence_corpus::Text;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;

/// The record of one run.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Programs started after the shell itself.
    pub(crate) execs: Vec<Exec>,
    /// Path operations after the shell's own start.
    pub(crate) touches: Vec<Touch>,
    /// What a second witness holds against the record, in words.
    pub(crate) doubts: Vec<String>,
    /// The processes, in the order in which they were first seen.
    processes: Vec<Member>,
    /// Threads that are not their process's first, with their process.
    threads: Vec<(Pid, Pid)>,
}

/// A process of a run.
#[derive(Debug)]
struct Member {
    pid: Pid,
    /// Its parent's place among the processes.
    parent: Option<usize>,
    /// The directory it began in.
    cwd: Text,
    /// How it ended, if that was seen.
    ended: Option<Status>,
}

/// Where it is known from who made which process.
#[derive(Debug)]
pub(super) enum Kin {
    /// The system is asked when a process is first seen.
    Asked,
    /// The kernel has told of every fork: of each process its parent, and where it began.
    Told(HashMap<Pid, (Pid, Text)>),
}

impl Kin {
    /// Nothing was told yet.
    pub(super) fn told() -> Kin {
        Kin::Told(HashMap::new())
    }

    /// `parent` has made this process, or thread, which has done nothing yet.
    pub(super) fn made(&mut self, child: Pid, parent: Pid) {
        let Kin::Told(all) = self else { return };
        all.insert(child, (parent, directory_of(child)));
    }

    /// The parent of a process and the directory that it began in, if its fork has been told of: it
    /// may be seen before that.
    fn of(&self, process: Pid) -> Option<(Option<Pid>, Text)> {
        let Kin::Told(all) = self else { return None };
        all.get(&process).map(|(parent, cwd)| (Some(*parent), cwd.clone()))
    }
}

impl Record {
    /// How many events were recorded.
    pub(crate) fn len(&self) -> usize {
        self.execs.len() + self.touches.len()
    }

    /// How many processes were seen.
    pub(super) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Forgets the processes that were seen after the first so many, and did nothing.
    pub(super) fn forget_after(&mut self, count: usize) {
        self.processes.truncate(count);
    }

    /// The number of a thread's process, from 1, in the order in which processes are first seen. A
    /// new one brings its ancestors with it, up to the server.
    ///
    /// What the resolver knows of where processes are is true of the thread, which is waiting in a
    /// call, and not of its ancestors.
    pub(super) fn number(
        &mut self,
        thread: Pid,
        server: Pid,
        kin: &Kin,
        resolver: &Resolver,
    ) -> u32 {
        let process = self.process_of(thread);
        let cwd_of = |process: Pid| match process == thread {
            true => Text::from(resolver.directory_before(thread).unwrap_or_default()),
            false => directory_of(process),
        };
        let place = match self.place(process) {
            Some(place) => place,
            None => self.add(process, server, kin, &cwd_of),
        };
        if self.processes[place].cwd.is_empty() {
            self.processes[place].cwd = cwd_of(process);
        }
        place as u32 + 1
    }

    /// A process, or one of its threads, has ended.
    pub(super) fn ended(&mut self, thread: Pid, status: WaitStatus) {
        if let Some(place) = self.place(thread) {
            self.processes[place].ended = Some(Status::from(status));
        }
    }

    fn place(&self, process: Pid) -> Option<usize> {
        self.processes.iter().rposition(|seen| seen.pid == process)
    }

    fn add(&mut self, process: Pid, server: Pid, kin: &Kin, cwd_of: &dyn Fn(Pid) -> Text) -> usize {
        if self.processes.is_empty() {
            // The shell, as yet as shut as the server that it was forked from: it is asked later.
            let (parent, cwd) = (None, Text::default());
            self.processes.push(Member { pid: process, parent, cwd, ended: None });
            return 0;
        }
        let mut line = Vec::new();
        let mut next = Some(process);
        let mut parent = None;
        while let Some(pid) = next {
            // Entering another directory would have made it seen: it still is where it began.
            let (its_parent, cwd) = kin.of(pid).unwrap_or_else(|| (parent_of(pid), cwd_of(pid)));
            line.push((pid, cwd));
            next = its_parent.filter(|parent| *parent != server && line.len() < MOST_ANCESTORS);
            if let Some(known) = next.and_then(|pid| self.place(pid)) {
                (parent, next) = (Some(known), None);
            }
        }
        for (pid, cwd) in line.into_iter().rev() {
            self.processes.push(Member { pid, parent, cwd, ended: None });
            parent = Some(self.processes.len() - 1);
        }
        self.processes.len() - 1
    }

    /// The process a thread belongs to.
    fn process_of(&mut self, thread: Pid) -> Pid {
        if self.place(thread).is_some() {
            return thread;
        }
        if let Some((_, process)) = self.threads.iter().find(|(seen, _)| *seen == thread) {
            return *process;
        }
        if process::is_process(thread) {
            return thread;
        }
        let process = process_of(thread);
        self.threads.push((thread, process));
        process
    }

    /// Numbers the processes anew, so that the numbers do not tell which of two processes that ran
    /// at once came first: the shell is 1, and each process is followed by its children and all of
    /// theirs, in the order in which they were made. Returns all of them in this order.
    pub(crate) fn settle(&mut self) -> Vec<Process> {
        let order = self.order();
        let mut numbers = vec![0; order.len()];
        for (number, place) in (1..).zip(&order) {
            numbers[*place] = number;
        }
        let number_of = |pid: u32| numbers[pid as usize - 1];
        self.touches.iter_mut().for_each(|touch| touch.pid = number_of(touch.pid));
        self.execs.iter_mut().for_each(|exec| exec.pid = number_of(exec.pid));
        let settled = |place: &usize| {
            let Member { parent, cwd, ended, .. } = &self.processes[*place];
            let parent = parent.map(|parent| numbers[parent]);
            Process { parent, cwd: cwd.clone(), ended: *ended }
        };
        order.iter().map(settled).collect()
    }

    /// The places of the processes, from the first on, in the order of their numbers.
    fn order(&self) -> Vec<usize> {
        let Some(shell) = self.processes.first() else { return Vec::new() };
        // Ids go up until there are no more, and then start again.
        let age = |place: &usize| {
            let pid = self.processes[*place].pid;
            (pid < shell.pid, pid)
        };
        let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (place, member) in self.processes.iter().enumerate() {
            children.entry(member.parent).or_default().push(place);
        }
        children.values_mut().for_each(|places| places.sort_by_key(age));
        // The next one last.
        let mut left: Vec<usize> = children.remove(&None).unwrap_or_default();
        left.reverse();
        let mut order = Vec::new();
        while let Some(place) = left.pop() {
            order.push(place);
            left.extend(children.remove(&Some(place)).unwrap_or_default().into_iter().rev());
        }
        order
    }
}

/// How far up ancestors are looked for. No run has as many processes at a time.
const MOST_ANCESTORS: usize = 1024;

/// The process of a thread, from its status file.
pub(super) fn process_of(thread: Pid) -> Pid {
    status_field(thread, "Tgid:").unwrap_or(thread)
}

/// The parent of a process. A process that was orphaned is the server's child.
///
/// Asked for every process of every run. The kernel makes the text of a status file anew for each
/// reader, so that it is read only where nothing else tells.
fn parent_of(process: Pid) -> Option<Pid> {
    process::parent(process).ok().or_else(|| status_field(process, "PPid:"))
}

/// A field of a thread's status file (proc(5)), of which no more is read than has to be.
fn status_field(thread: Pid, name: &str) -> Option<Pid> {
    let mut start = [0; 512];
    let length = File::open(format!("/proc/{thread}/status")).ok()?.read(&mut start).ok()?;
    let status = String::from_utf8_lossy(&start[..length]);
    status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

/// Empty if it cannot be said.
fn directory_of(process: Pid) -> Text {
    Text::from(super::resolve::working_directory(process).unwrap_or_default())
}
