//! What makes a warm shell: a library that is loaded into a real, unmodified shell by `LD_PRELOAD`.
//!
//! Its constructor runs after the loader has mapped and bound everything, and before the shell's
//! `main` has looked at anything. There it stays, and serves orders: for each it forks, and the
//! child, given the order's arguments, environment and working directory, returns from the
//! constructor, into a `main` that cannot tell that it was not executed. Everything a shell does
//! from `main` on is therefore its own, `$$` and reading the environment included.
//!
//! It speaks the protocol of `launch/server.rs` with the supervisor, over the marker call. It is
//! no part of the oracle's program but is built on its own by `build.rs`, with nothing but system
//! calls: a shell may export functions of the C library's names (bash has its own `getenv` and
//! `setenv`), and what the constructor called would be those, before they are ready.
#![no_std]
// Loops stay loops; turned into calls they would need a C library to be linked.
#![no_builtins]

mod acting;
mod pieces;

use acting::{MARKER, READ, act, call};
use core::arch::{asm, global_asm};
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};

/// The descriptor on which the shell finds the orders; as in `launch/server.rs`.
const ORDERS: usize = 4;

/// Room for the strings of an order, in bytes; more than `launch/kind.rs` lets come.
const STRINGS: usize = 512 * 1024;

/// The marker call's first argument by what is said; as in `launch/server.rs`.
const READY: usize = 0;
const ENDED: usize = 1;
const NOT_STARTED: usize = 2;
const ALONE: usize = 3;
const BEGINS: usize = 4;

/// The answers to it.
const START: isize = 0;
const AWAIT_STRAGGLERS: isize = 1;

// System calls of x86_64 and their constants, as in the kernel's headers.
const OPEN: usize = 2;
const CLOSE: usize = 3;
const LSEEK: usize = 8;
const MMAP: usize = 9;
const BRK: usize = 12;
const MADVISE: usize = 28;
const CLONE: usize = 56;
const EXECVE: usize = 59;
const EXIT: usize = 60;
const WAIT4: usize = 61;
const CHDIR: usize = 80;
const SETSID: usize = 112;
const PRCTL: usize = 157;

const SEEK_END: usize = 2;
const PROT_READ: usize = 1;
const PROT_WRITE: usize = 2;
const MAP_SHARED: usize = 1;
const MAP_PRIVATE: usize = 2;
const MAP_ANONYMOUS: usize = 0x20;
const MADV_DONTFORK: usize = 10;
const CLONE_CHILD_CLEARTID: usize = 0x0020_0000;
const CLONE_CHILD_SETTID: usize = 0x0100_0000;
const SIGCHLD: usize = 17;
const WNOHANG: usize = 1;
const ANY_KIND: usize = 0x4000_0000;
const SET_DUMPABLE: usize = 4;
const SET_MM: usize = 35;
const SET_MM_MAP: usize = 14;
const GET_TID_ADDRESS: usize = 40;
const E2BIG: usize = 7;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Named by the unwind tables of the core library, and never called: nothing here panics.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn(i32, *mut *mut u8, *mut *mut u8) = before_main;

/// Serves for ever; returns only in a child that is to become a shell, or if there is nothing to
/// serve: then the shell goes on with what it was really given, and ends.
extern "C" fn before_main(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) {
    // SAFETY: the loader passes the process's own arguments and environment, and nothing else runs.
    unsafe {
        if let Some(mut warm) = WarmShell::new(argc as usize, argv, env) {
            warm.serve();
        }
    }
}

struct WarmShell {
    /// The pointers on the stack that `main` will be given, and how many of them there are.
    argv: *mut *mut u8,
    argc: usize,
    env: *mut *mut u8,
    slots: usize,
    /// Where orders arrive; not inherited by children.
    orders: *const u8,
    /// Where the strings of an order are copied to: room for [`STRINGS`] bytes.
    strings: *mut u8,
    /// Where the C library keeps the thread's id.
    tid: usize,
    memory: MemoryMap,
}

impl WarmShell {
    unsafe fn new(argc: usize, argv: *mut *mut u8, env: *mut *mut u8) -> Option<WarmShell> {
        // SAFETY: see each call; the arrays end with null.
        unsafe {
            let size = call(LSEEK, [ORDERS, 0, SEEK_END, 0, 0]);
            if size <= 0 {
                return None;
            }
            let size = size as usize;
            let orders = call(MMAP, [0, size, PROT_READ, MAP_SHARED, ORDERS]);
            let flags = MAP_PRIVATE | MAP_ANONYMOUS;
            let strings = call(MMAP, [0, STRINGS, PROT_READ | PROT_WRITE, flags, usize::MAX]);
            if orders < 0 || strings < 0 {
                return None;
            }
            call(CLOSE, [ORDERS, 0, 0, 0, 0]);
            call(MADVISE, [orders as usize, size, MADV_DONTFORK, 0, 0]);
            let mut tid = 0_usize;
            call(PRCTL, [GET_TID_ADDRESS, &raw mut tid as usize, 0, 0, 0]);
            let memory = MemoryMap::read();
            pieces::join();
            // As before the execution: its memory is nobody's business.
            call(PRCTL, [SET_DUMPABLE, 0, 0, 0, 0]);
            Some(WarmShell {
                argv,
                argc,
                env,
                slots: blank(env),
                orders: orders as *const u8,
                strings: strings as *mut u8,
                tid,
                memory,
            })
        }
    }

    /// Serves until the supervisor is gone; returns in the child that is to become a shell.
    unsafe fn serve(&mut self) {
        let mut news = [READY, 0, 0];
        // SAFETY: plain numbers, or what this process owns.
        unsafe {
            loop {
                match call(MARKER, [news[0], news[1], news[2], 0, 0]) {
                    START => match self.start() {
                        Some(told) => news = told,
                        None => return,
                    },
                    AWAIT_STRAGGLERS => {
                        while call(WAIT4, [usize::MAX, 0, ANY_KIND, 0, 0]) >= 0 {}
                        news = [ALONE, 0, 0];
                    }
                    _ => {
                        call(EXIT, [70, 0, 0, 0, 0]);
                    }
                }
            }
        }
    }

    /// Starts a shell and waits for its end; `None` in the child.
    unsafe fn start(&mut self) -> Option<[usize; 3]> {
        // SAFETY: the clone shares nothing with its parent: it is a fork, and says so to the C
        // library as the library's own would.
        unsafe {
            let Some(cwd) = self.prepare() else { return Some([NOT_STARTED, E2BIG, 0]) };
            let error = call(CHDIR, [cwd as usize, 0, 0, 0, 0]);
            if error < 0 {
                return Some([NOT_STARTED, error.unsigned_abs(), 0]);
            }
            let thread = if self.tid == 0 { 0 } else { CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID };
            let child = call(CLONE, [SIGCHLD | thread, 0, 0, self.tid, 0]);
            if child == 0 {
                self.memory.show();
                call(PRCTL, [SET_DUMPABLE, 1, 0, 0, 0]);
                call(SETSID, [0; 5]);
                call(MARKER, [BEGINS, 0, 0, 0, 0]);
                return None;
            }
            if child < 0 {
                return Some([NOT_STARTED, child.unsigned_abs(), 0]);
            }
            let mut status = 0_i32;
            call(WAIT4, [child as usize, &raw mut status as usize, ANY_KIND, 0, 0]);
            Some([ENDED, status as u32 as usize, stragglers()])
        }
    }

    /// Takes over the order's arguments and environment, and gives its working directory; `None`
    /// if they are not as many as there is room for.
    unsafe fn prepare(&mut self) -> Option<*mut u8> {
        // SAFETY: the supervisor wrote a whole order, no longer than the area; each string of it
        // ends with a NUL.
        unsafe {
            let length = self.orders.cast::<usize>().read_volatile();
            let count = self.orders.add(8).cast::<usize>().read();
            if count != self.argc || length > STRINGS {
                return None;
            }
            copy(self.orders.add(16), self.strings, length - 8);
            let end = self.strings.add(length - 8);
            let cwd = after(self.strings);
            let mut next = after(cwd);
            self.memory.arguments_start = next as usize;
            for index in 0..count {
                self.argv.add(index).write(next);
                next = after(next);
            }
            self.memory.arguments_end = next as usize;
            self.memory.environment_end = end as usize;
            let mut slot = 0;
            while next < end {
                if slot == self.slots {
                    return None;
                }
                self.env.add(slot).write(next);
                next = after(next);
                slot += 1;
            }
            self.env.add(slot).write(null_mut());
            Some(cwd)
        }
    }
}

/// The argument that `execve` does not have, and that tells the supervisor that its answer is
/// understood here; as in `observe/notified.rs`.
const MAY_ACT: usize = 0x7072_6f62;

/// `execve` of the C library, for everything in this shell. It is the same but for probes: those
/// need not be executed for what little they do. The supervisor sees the call as it sees any other,
/// lets it pass unless a probe is executed, and answers a probe's with what it is to do, which is
/// done here.
#[unsafe(no_mangle)]
unsafe extern "C" fn execve(path: *const u8, argv: *const *const u8, env: *const *const u8) -> i32 {
    // SAFETY: the arguments are the kernel's to check; where the library's own place for the
    // error's number is not known, nothing is written.
    unsafe {
        let answer = call(EXECVE, [path as usize, argv as usize, env as usize, MAY_ACT, 0]);
        if answer >= 0 {
            act(answer as usize);
        }
        let error = error_number();
        if !error.is_null() {
            error.write(-answer as i32);
        }
        -1
    }
}

unsafe extern "C" {
    /// Where the C library keeps `errno`; null where it keeps it elsewhere.
    fn error_number() -> *mut i32;
}

// A weak name: the library is loaded whether or not there is such a function.
global_asm!(
    ".weak __errno_location",
    ".hidden error_number",
    ".globl error_number",
    "error_number:",
    "mov rax, qword ptr [rip + __errno_location@GOTPCREL]",
    "test rax, rax",
    "je 2f",
    "jmp rax",
    "2: ret",
);

/// Is any process left that the shell started? Whoever is orphaned becomes a child of this one.
unsafe fn stragglers() -> usize {
    // SAFETY: plain numbers.
    unsafe {
        loop {
            match call(WAIT4, [usize::MAX, 0, WNOHANG | ANY_KIND, 0, 0]) {
                0 => return 1,
                error if error < 0 => return 0,
                _ => {}
            }
        }
    }
}

/// Counts the environment's strings, and blanks them: they name this library.
unsafe fn blank(env: *mut *mut u8) -> usize {
    let mut count = 0;
    // SAFETY: the array ends with null, each string with a NUL.
    unsafe {
        while !env.add(count).read().is_null() {
            let mut at = env.add(count).read();
            while at.read() != 0 {
                at.write(0);
                at = at.add(1);
            }
            count += 1;
        }
    }
    count
}

unsafe fn copy(from: *const u8, to: *mut u8, length: usize) {
    // SAFETY: the caller's ranges are valid and apart; one instruction instead of a library's
    // function.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") length => _, inout("rsi") from => _, inout("rdi") to => _,
            options(nostack),
        );
    }
}

/// What follows a string's NUL.
unsafe fn after(mut string: *mut u8) -> *mut u8 {
    // SAFETY: the string ends with a NUL.
    unsafe {
        while string.read() != 0 {
            string = string.add(1);
        }
        string.add(1)
    }
}

/// Where the kernel says that a process's arguments and environment are (`struct prctl_mm_map`):
/// what `/proc/PID/cmdline` and `environ` show. All of it must be given to change any of it.
#[repr(C)]
struct MemoryMap {
    code_start: usize,
    code_end: usize,
    data_start: usize,
    data_end: usize,
    break_start: usize,
    break_now: usize,
    stack_start: usize,
    arguments_start: usize,
    arguments_end: usize,
    environment_start: usize,
    environment_end: usize,
    auxiliary: *const u8,
    auxiliary_size: u32,
    program: u32,
}

impl MemoryMap {
    /// The map of this process, from `/proc/self/stat` (proc(5)): what is shown there of a process
    /// by itself is true.
    unsafe fn read() -> MemoryMap {
        // The fields' numbers there.
        const WANTED: [u32; 6] = [26, 27, 45, 46, 47, 28];
        const ROOM: usize = 1024;
        let mut text = MaybeUninit::<[u8; ROOM]>::uninit();
        let mut at = text.as_mut_ptr().cast::<u8>();
        let mut found = [0_usize; 6];
        // SAFETY: the buffer is valid for its length and ends with a NUL, as the name does.
        unsafe {
            let file = call(OPEN, [c"/proc/self/stat".as_ptr() as usize, 0, 0, 0, 0]);
            let got = call(READ, [file as usize, at as usize, ROOM - 1, 0, 0]);
            at.add(if got < 0 { 0 } else { got as usize }).write(0);
            call(CLOSE, [file as usize, 0, 0, 0, 0]);
            // The second field is a name in parentheses, and may hold anything else.
            let mut field = 1;
            while at.read() != 0 {
                match at.read() {
                    b')' => field = 2,
                    b' ' => field += 1,
                    digit @ b'0'..=b'9' => {
                        for (place, wanted) in found.iter_mut().zip(WANTED) {
                            if wanted == field {
                                *place = place.wrapping_mul(10).wrapping_add((digit - b'0').into());
                            }
                        }
                    }
                    _ => {}
                }
                at = at.add(1);
            }
            let [code_start, code_end, data_start, data_end, break_start, stack_start] = found;
            MemoryMap {
                code_start,
                code_end,
                data_start,
                data_end,
                break_start,
                break_now: 0,
                stack_start,
                arguments_start: 0,
                arguments_end: 0,
                environment_start: 0,
                environment_end: 0,
                auxiliary: null(),
                auxiliary_size: 0,
                program: u32::MAX,
            }
        }
    }

    /// Makes it so. A kernel without checkpoint and restore refuses, and shows the server's own
    /// arguments and a blank environment.
    unsafe fn show(&mut self) {
        // SAFETY: the structure is valid for the call.
        unsafe {
            self.break_now = call(BRK, [0; 5]) as usize;
            self.environment_start = self.arguments_end;
            call(PRCTL, [SET_MM, SET_MM_MAP, self as *const _ as usize, size_of::<Self>(), 0]);
        }
    }
}
