//! Making, ending and watching processes.

use super::{Pid, check};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Which side of a fork this is.
#[derive(Debug)]
pub(crate) enum Forked {
    /// The old process; the new one has this id.
    Parent(Pid),
    /// The new process.
    Child,
}

/// Forks. Only a process with a single thread may: in the child of any other, a lock that another
/// thread held would stay locked for ever.
pub(crate) fn fork() -> io::Result<Forked> {
    // SAFETY: the caller has one thread (a worker starts none), so the child may do anything.
    match unsafe { check(libc::fork())? } {
        0 => Ok(Forked::Child),
        child => Ok(Forked::Parent(child)),
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaitStatus(pub(crate) i32);

impl WaitStatus {
    /// The exit code, if it exited.
    pub(crate) fn exit_code(self) -> Option<u8> {
        libc::WIFEXITED(self.0).then(|| libc::WEXITSTATUS(self.0) as u8)
    }

    /// The signal that killed it, if one did.
    pub(crate) fn signal(self) -> Option<u8> {
        libc::WIFSIGNALED(self.0).then(|| libc::WTERMSIG(self.0) as u8)
    }
}

/// What waiting for children gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// A child ended.
    Ended(WaitStatus),
    /// There are children, and none has ended. Only without blocking.
    Running,
    /// There are no children.
    None,
}

/// Waits for the child `pid`, or for any with -1.
///
/// That a followed process stops ([`super::ptrace`]) is not its end: who looks leaves the stop to
/// its follower, and who blocks has killed the process, and lets the stop pass.
pub(crate) fn wait(pid: Pid, block: bool) -> io::Result<Waited> {
    if !block && is_stopped(pid) {
        return Ok(Waited::Running);
    }
    let flags = libc::__WALL | if block { 0 } else { libc::WNOHANG };
    loop {
        let mut status = 0;
        // SAFETY: the pointer is valid for the call.
        match unsafe { check(libc::waitpid(pid, &mut status, flags)) } {
            Ok(0) => return Ok(Waited::Running),
            Ok(_) if libc::WIFSTOPPED(status) => {}
            Ok(_) => return Ok(Waited::Ended(WaitStatus(status))),
            Err(error) => match error.raw_os_error() {
                Some(libc::EINTR) => {}
                Some(libc::ECHILD) => return Ok(Waited::None),
                _ => return Err(error),
            },
        }
    }
}

/// Is there a stop of this followed child that nobody has been told of yet?
fn is_stopped(pid: Pid) -> bool {
    let Ok(pid) = libc::id_t::try_from(pid) else { return false };
    let flags = libc::WEXITED | libc::WNOWAIT | libc::WNOHANG | libc::__WALL;
    // SAFETY: an all-zero siginfo is a valid value, and the pointer is valid for the call.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_PID, pid, &mut info, flags) == 0
            && [libc::CLD_TRAPPED, libc::CLD_STOPPED].contains(&info.si_code)
    }
}

/// Waits until there are no children left.
pub(crate) fn wait_for_all() -> io::Result<()> {
    while wait(-1, true)? != Waited::None {}
    Ok(())
}

/// Kills a process; that it is gone already is no error.
pub(crate) fn kill(pid: Pid) -> io::Result<()> {
    // SAFETY: plain numbers.
    match unsafe { check(libc::kill(pid, libc::SIGKILL)) } {
        Err(error) if error.raw_os_error() != Some(libc::ESRCH) => Err(error),
        _ => Ok(()),
    }
}

/// Kills every process of this pid namespace but the caller, who must be its init: anywhere else
/// this would be a disaster, so anywhere else it does nothing.
pub(crate) fn kill_everything() -> io::Result<()> {
    if std::process::id() == 1 { kill(-1) } else { Ok(()) }
}

/// Does this thread lead its process, so that its id is the process's?
pub(crate) fn is_process(thread: Pid) -> bool {
    // Signal 0 is only checked for, never sent; the call fails unless the thread is in that group.
    // SAFETY: plain numbers.
    unsafe { libc::syscall(libc::SYS_tgkill, thread, thread, 0) == 0 }
}

/// The parent of a process, asked of a descriptor of it (pidfd_open(2); since Linux 6.13). An error
/// where the kernel does not tell.
pub(crate) fn parent(process: Pid) -> io::Result<Pid> {
    // SAFETY: plain numbers; the descriptor returned is new and owned by nobody else.
    let process = unsafe {
        let descriptor = check(libc::syscall(libc::SYS_pidfd_open, process, 0))?;
        OwnedFd::from_raw_fd(descriptor as i32)
    };
    // SAFETY: an all-zero pidfd_info asks for nothing more than what is always told, and the
    // pointer is valid for the call.
    unsafe {
        let mut info: libc::pidfd_info = std::mem::zeroed();
        check(libc::ioctl(process.as_raw_fd(), libc::PIDFD_GET_INFO, &mut info))?;
        Ok(info.ppid as Pid)
    }
}

/// Starts a session, and a process group, of its own.
pub(crate) fn new_session() {
    // SAFETY: no arguments. It fails only for a process that leads a group already.
    unsafe { libc::setsid() };
}

/// Is killed as soon as the thread that forked this process ends.
pub(crate) fn die_with_parent() -> io::Result<()> {
    // SAFETY: plain numbers.
    unsafe { check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))? };
    Ok(())
}

/// Inherits the orphans among its descendants, like an init.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    // SAFETY: plain numbers.
    unsafe { check(libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))? };
    Ok(())
}

/// Runs only on this processor, and so do its children.
pub(crate) fn pin(cpu: usize) -> io::Result<()> {
    // SAFETY: an all-zero set is empty; CPU_SET checks the number against the set's size by
    // indexing, which the modulus keeps in range.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu % libc::CPU_SETSIZE as usize, &mut set);
        check(libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set))?;
    }
    Ok(())
}

/// From the next `execve` on this process and its children have stack, libraries and heap where
/// they always are, and not where chance puts them (personality(2)).
pub(crate) fn fix_addresses() -> io::Result<()> {
    // SAFETY: a plain number.
    unsafe { check(libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong))? };
    Ok(())
}

/// Sets the mask of permission bits that new files do not get.
pub(crate) fn set_umask(mask: u32) {
    // SAFETY: a plain number; cannot fail.
    unsafe { libc::umask(mask) };
}

/// Default actions for all signals and an empty mask, as a login shell would start with. Rust's
/// runtime ignores SIGPIPE, and what is ignored stays ignored through `execve`.
pub(crate) fn reset_signals() -> io::Result<()> {
    // SAFETY: SIG_DFL is valid for every signal; those that cannot be changed just fail. An
    // all-zero set is empty.
    unsafe {
        for signal in 1..=64 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let none: libc::sigset_t = std::mem::zeroed();
        check(libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut()))?;
    }
    Ok(())
}

/// A null-terminated array of C strings.
#[derive(Debug)]
struct Pointers<'a>(Vec<*const c_char>, std::marker::PhantomData<&'a CString>);

impl<'a> Pointers<'a> {
    fn new(strings: &'a [CString]) -> Pointers<'a> {
        let ends = std::iter::once(std::ptr::null());
        let list = strings.iter().map(|string| string.as_ptr()).chain(ends).collect();
        Pointers(list, std::marker::PhantomData)
    }
}

/// A program and everything it starts with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    /// The file to execute.
    pub(crate) path: &'a CStr,
    /// Its arguments, its own name first.
    pub(crate) argv: &'a [CString],
    /// Its environment, as `NAME=VALUE`.
    pub(crate) env: &'a [CString],
    /// Its working directory.
    pub(crate) cwd: &'a CStr,
}

/// What the child of [`Program::spawn`] needs, as plain pointers, and where it says what failed.
struct Plan {
    path: *const c_char,
    argv: *const *const c_char,
    env: *const *const c_char,
    cwd: *const c_char,
    failed: c_int,
}

extern "C" fn child(plan: *mut c_void) -> c_int {
    let plan = plan.cast::<Plan>();
    // SAFETY: `spawn` passes a valid plan and does not touch it before this process executes or
    // ends. Only system calls are made here.
    unsafe {
        libc::setsid();
        if libc::chdir((*plan).cwd) == 0 {
            libc::execve((*plan).path, (*plan).argv, (*plan).env);
        }
        (*plan).failed = *libc::__errno_location();
        127
    }
}

impl Program<'_> {
    /// Becomes the program, with everything else kept. Returns only if that fails: why.
    pub(crate) fn execute(&self) -> io::Error {
        let (argv, env) = (Pointers::new(self.argv), Pointers::new(self.env));
        // SAFETY: C strings and null-terminated arrays of them, which outlive the calls.
        unsafe {
            if libc::chdir(self.cwd.as_ptr()) == 0 {
                libc::execve(self.path.as_ptr(), argv.0.as_ptr(), env.0.as_ptr());
            }
        }
        io::Error::last_os_error()
    }

    /// Starts the program in a session of its own, with everything else inherited. An error means
    /// that it does not run.
    ///
    /// The child shares the caller's memory until it executes, while the caller stands still
    /// (`CLONE_VM | CLONE_VFORK`): nothing is copied, and the failure can be written where the
    /// caller reads it.
    pub(crate) fn spawn(&self) -> io::Result<Pid> {
        const STACK: usize = 64 * 1024;
        let (argv, env) = (Pointers::new(self.argv), Pointers::new(self.env));
        let mut plan = Plan {
            path: self.path.as_ptr(),
            argv: argv.0.as_ptr(),
            env: env.0.as_ptr(),
            cwd: self.cwd.as_ptr(),
            failed: 0,
        };
        let mut stack = vec![0_u128; STACK / size_of::<u128>()];
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        // SAFETY: the stack is aligned to 16 bytes and grows down from its end; stack, plan and all
        // that it points to outlive the child's use of them, since the caller is suspended until
        // the child has executed or ended. The caller has no signal handlers that could run there.
        let pid = unsafe {
            let top = stack.as_mut_ptr_range().end;
            check(libc::clone(child, top.cast(), flags, (&raw mut plan).cast()))?
        };
        // SAFETY: a plain field, read after the child is done with it; volatile, since the compiler
        // does not know that anybody wrote it.
        match unsafe { (&raw const plan.failed).read_volatile() } {
            0 => Ok(pid),
            errno => {
                wait(pid, true)?;
                Err(io::Error::from_raw_os_error(errno))
            }
        }
    }
}
