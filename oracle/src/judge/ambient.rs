//! Ambient touches: what shells and programs touch outside the scope of their own accord, whatever
//! a line asks of them. One table; whatever is not in it and lies outside is an escape.
//!
//! Each class says who does it, in which way, and where. And there is one rule for all: a path that
//! stands in the arguments of the program that touches it is none of that program's own affairs. So
//! `cat` may open the C library, as each program does, and not `cat /lib/…/libc.so.6`. One class is
//! out of that rule, and says so: `mkdir` finds the directories above the project.
//!
//! Reading a file of an ancestor of the root is in no class.

use crate::trace::{Exec, Touch, TouchKind, Trace};
use TouchKind::{List, Read, Test, Write};
use shfence_corpus::Text;
use std::collections::HashMap;

/// A kind of touch that is no escape.
struct Class {
    name: &'static str,
    who: Who,
    /// In which ways.
    kinds: &'static [TouchKind],
    place: Place,
    /// Only of what is not there?
    missing: bool,
    /// Even if its arguments hold that?
    named: bool,
}

/// Who touches.
enum Who {
    /// A shell that runs the line, and no program yet.
    Shell,
    /// A program, whichever.
    Program,
    /// One of these, by the names of their files. They come from the system's directories:
    /// a copy in the tree that is called like them is another program.
    These(&'static [&'static str]),
    /// A shell that runs the line, or one of these.
    ShellOr(&'static [&'static str]),
    Anyone,
}

/// What is touched, as patterns: `*` stands for a part of a name, `**` for any part of a path.
enum Place {
    /// As it was given: absolute, without `..`. Outside the tree nothing changes, so that it leads
    /// where it always does.
    Given(&'static [&'static str]),
    /// Where it leads: of `/proc`, where the way says little.
    Reached(&'static [&'static str]),
    /// An open descriptor: a pipe, a socket, memory.
    Descriptor,
}

/// Shells, as programs that a line starts.
const SHELLS: [&str; 6] = ["bash", "dash", "zsh", "busybox", "mksh", "yash"];

/// Where programs are.
pub(super) const PROGRAMS: &[&str] =
    &["/usr/bin/*", "/bin/*", "/usr/sbin/*", "/sbin/*", "/usr/local/bin/*", "/oracle/probes/*"];

/// Those that start another program, and look for it along `PATH`. `which` is a script of dash.
const STARTERS: &[&str] = &[
    "bash", "dash", "zsh", "busybox", "mksh", "yash", "env", "nice", "nohup", "setsid", "stdbuf",
    "time", "timeout", "xargs", "find", "which", "make",
];

/// The whole table.
const CLASSES: &[Class] = &[
    // A program is executed, with its script's interpreter and its loader. Which, and with what, is
    // compared with the plan.
    Class {
        kinds: &[TouchKind::Exec],
        ..class(
            "program",
            Who::Anyone,
            Place::Reached(&["/usr/**", "/bin/*", "/lib**", "/oracle/probes/*"]),
        )
    },
    // A name of a verb is looked for along `PATH`.
    Class { kinds: &[Test], ..class("look-up", Who::ShellOr(STARTERS), Place::Given(PROGRAMS)) },
    // zsh opens what it cannot execute, to see whether it is a script.
    Class { missing: true, ..class("look-up", Who::Shell, Place::Given(PROGRAMS)) },
    // The interpreter of a script reads it.
    class("script", Who::These(&SHELLS), Place::Given(PROGRAMS)),
    // ld.so(8): the cache, what is to be loaded first, libraries and the directories of libraries.
    class(
        "loader",
        Who::Program,
        Place::Given(&[
            "/etc/ld.so.cache",
            "/etc/ld.so.preload",
            "/lib*/**.so",
            "/lib*/**.so.*",
            "/usr/lib*/**.so",
            "/usr/lib*/**.so.*",
            "/usr/local/lib/**.so",
            "/usr/local/lib/**.so.*",
        ]),
    ),
    Class { kinds: &[Test], ..class("loader", Who::Program, Place::Given(LIBRARIES)) },
    // zsh loads parts of itself when they are wanted.
    class("loader", Who::Shell, Place::Given(&["/usr/lib/**/zsh/**.so", "/usr/lib/zsh/**.so"])),
    // setlocale(3), iconv_open(3), gettext(3). A shell does it when it is told of another locale.
    Class {
        kinds: &[Test, Read, List],
        ..class(
            "locale",
            Who::Anyone,
            Place::Given(&[
                "/usr/lib/locale",
                "/usr/lib/locale/**",
                "/usr/share/locale",
                "/usr/share/locale/**",
                "/usr/share/locale-langpack/**",
                "/usr/lib/**/gconv/**",
                "/usr/lib/gconv/**",
            ]),
        )
    },
    // tzset(3): bash does so itself where `TZ` is set in front of a built-in.
    class("zoneinfo", Who::Anyone, Place::Given(&["/etc/localtime", "/usr/share/zoneinfo/**"])),
    // getpwuid(3), getgrgid(3): programs that print the names of owners.
    class(
        "names",
        Who::These(&[
            "ls", "dir", "vdir", "stat", "find", "id", "whoami", "groups", "ps", "w", "who",
            "users", "lsof", "tar", "tree", "git", "logname",
        ]),
        NAMES,
    ),
    // libselinux looks at its start whether it is on.
    class(
        "selinux",
        Who::Program,
        Place::Given(&[
            "/sys/fs/selinux",
            "/selinux",
            "/etc/selinux/config",
            "/proc/filesystems",
            "/proc/mounts",
        ]),
    ),
    // `mkdir -p` tries to make each directory on the way, and goes on in those that are there:
    // above the project that changes nothing.
    Class {
        kinds: &[Test, Write, TouchKind::Enter],
        named: true,
        ..class("way", Who::These(&["mkdir"]), Place::Given(&["/", "/case"]))
    },
    // Programs that say what the kernel says.
    Class {
        kinds: &[Test, Read, List],
        ..class(
            "facts",
            Who::These(&[
                "ps", "free", "uptime", "df", "nproc", "lsof", "getconf", "w", "who", "users",
                "top", "vmstat", "lscpu", "pgrep", "pidof", "id",
            ]),
            Place::Reached(&["/proc", "/proc/**", "/sys/**", "/var/run/utmp", "/var/run/utmpx"]),
        )
    },
    // df looks at each place where something is mounted, lsof at descriptors, devices and the root.
    Class { kinds: &[Test], ..class("facts", Who::These(&["df"]), Place::Given(&["/**"])) },
    Class {
        kinds: &[Test, List],
        ..class("facts", Who::These(&["lsof"]), Place::Reached(&["/", "/dev"]))
    },
    Class {
        kinds: &[Test],
        ..class("facts", Who::These(&["lsof", "ps"]), Place::Reached(&["/dev/*"]))
    },
    // How much memory, how many processors: to choose a buffer and threads.
    class(
        "machine",
        Who::These(&["sort", "du", "git", "rg"]),
        Place::Given(&[
            "/proc/meminfo",
            "/proc/stat",
            "/proc/self/cgroup",
            "/proc/self/mountinfo",
            "/sys/devices/system/cpu/**",
            "/sys/fs/cgroup/**",
        ]),
    ),
    // make(1) looks where Makefiles that are included may stand.
    Class {
        kinds: &[Test],
        ..class(
            "includes",
            Who::These(&["make"]),
            Place::Given(&["/usr/gnu/include", "/usr/local/include", "/usr/include"]),
        )
    },
    // libsigsegv finds its stack, stdbuf its library; xargs closes what it did not open.
    class(
        "self",
        Who::These(&["grep", "diff", "cmp", "diff3", "sdiff", "gawk"]),
        Place::Reached(&["/proc/*/maps"]),
    ),
    Class {
        kinds: &[Test],
        ..class("self", Who::These(&["stdbuf"]), Place::Given(&["/proc/self/exe"]))
    },
    Class {
        kinds: &[List],
        ..class("self", Who::These(&["xargs", "find"]), Place::Reached(&["/proc/*/fd"]))
    },
    // Nothing is in there, and what is said is seen by nobody but who typed the line.
    Class {
        kinds: &[Test, Read, Write],
        ..class("device", Who::Anyone, Place::Reached(&["/dev/null", "/dev/tty"]))
    },
    class("device", Who::Program, Place::Given(&["/dev/urandom"])),
    Class { kinds: &[Test, Read, Write], ..class("descriptor", Who::Anyone, Place::Descriptor) },
    // mksh, zsh, and bash of old, keep here-documents in files.
    Class {
        kinds: &[Test, Read, Write],
        ..class(
            "here-document",
            Who::ShellOr(&SHELLS),
            Place::Given(&["/tmp", "/tmp/sh*", "/tmp/zsh*"]),
        )
    },
    // terminfo(5), but that of the user
    class(
        "terminfo",
        Who::Anyone,
        Place::Given(&["/usr/share/terminfo/**", "/lib/terminfo/**", "/etc/terminfo/**"]),
    ),
    // The start of a shell that a line starts. That of the shell that runs it is taken off before.
    class("start", Who::These(&["zsh"]), NAMES),
    class(
        "start",
        Who::These(&["zsh"]),
        Place::Given(&["/etc/zsh/zshenv", "/etc/zsh/zshenv.zwc", "/home/agent"]),
    ),
    class("start", Who::These(&["zsh"]), Place::Reached(&["/proc/*/loginuid"])),
    // A tool's own files, in the system's directories and in HOME.
    class(
        "configuration",
        Who::These(&["file"]),
        Place::Given(&[
            "/etc/magic*",
            "/usr/share/misc/magic*",
            "/usr/share/file/**",
            "/usr/lib/file/**",
            "/case/home/.magic*",
        ]),
    ),
    class("configuration", Who::These(&["busybox"]), Place::Given(&["/etc/busybox.conf"])),
    class("configuration", Who::These(&["jq"]), Place::Given(&["/case/home/.jq"])),
    class(
        "configuration",
        Who::These(&["git"]),
        Place::Given(&[
            "/etc/gitconfig",
            "/etc/gitattributes",
            "/usr/local/etc/gitconfig",
            "/case/home/.gitconfig",
            "/case/home/.config/git/**",
        ]),
    ),
    // git looks for what is not there: a repository above, where the project has none, and the
    // person's configuration in whatever HOME is. What it finds, it reads.
    Class {
        missing: true,
        ..class(
            "discovery",
            Who::These(&["git"]),
            Place::Given(&[
                "/**.git",
                "/**.git/HEAD",
                "/**HEAD",
                "/**.gitconfig",
                "/**.config/git/*",
            ]),
        )
    },
];

/// Where the loader looks for libraries.
const LIBRARIES: &[&str] = &["/lib", "/lib/**", "/usr/lib", "/usr/lib/**"];

/// What the C library asks for the name of a user or a group.
const NAMES: Place =
    Place::Given(&["/var/run/nscd/socket", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group"]);

/// A class of looking and reading.
const fn class(name: &'static str, who: Who, place: Place) -> Class {
    Class { name, who, kinds: &[Test, Read], place, missing: false, named: false }
}

/// Who makes a touch.
#[derive(Clone, Copy)]
enum Actor<'t> {
    Shell,
    Program { path: &'t Text, argv: &'t [Text] },
}

/// What a process, or the one that made it, was and is.
#[derive(Clone, Copy)]
struct Life<'t> {
    /// Before it last executed something.
    before: Actor<'t>,
    now: Actor<'t>,
    /// The process that did.
    pid: u32,
}

impl Default for Life<'_> {
    fn default() -> Self {
        Life { before: Actor::Shell, now: Actor::Shell, pid: 0 }
    }
}

impl<'t> Life<'t> {
    /// What the process `pid` may be. It is what the one was that made it, until it executes
    /// something; and that one may have executed something in the meantime, as a shell does that
    /// runs the last command of a line itself.
    fn may_be(&self, pid: u32) -> [Actor<'t>; 2] {
        match self.pid == pid {
            true => [self.now; 2],
            false => [self.before, self.now],
        }
    }
}

/// Of each touch that `is_outside` tells of, the class that it is in.
pub(super) fn classes(
    trace: &Trace,
    is_outside: impl Fn(&Touch) -> bool,
) -> HashMap<usize, &'static str> {
    let mut found = HashMap::new();
    let mut actors: HashMap<u32, Life<'_>> = HashMap::new();
    let mut execs: Vec<Option<&Exec>> = trace.execs.iter().map(Some).collect();
    for (index, touch) in trace.touches.iter().enumerate() {
        let parent = || trace.process(touch.pid)?.parent;
        let made_by = || actors.get(&parent()?).copied();
        let life = actors.get(&touch.pid).copied().or_else(made_by).unwrap_or_default();
        actors.insert(touch.pid, life);
        let holds =
            |class: &&Class| life.may_be(touch.pid).iter().any(|it| class.holds(touch, *it));
        if is_outside(touch)
            && let Some(class) = CLASSES.iter().find(holds)
        {
            found.insert(index, class.name);
        }
        if touch.kind == TouchKind::Exec && touch.existed && !is_loader(&touch.resolved) {
            let program = become_program(touch, life.now, &mut execs);
            actors.insert(touch.pid, Life { before: life.now, now: program, pid: touch.pid });
        }
    }
    found
}

/// What a process is after it has executed this: a program with its arguments, or the interpreter
/// of the script that it executed before.
fn become_program<'t>(
    touch: &'t Touch,
    actor: Actor<'t>,
    execs: &mut [Option<&'t Exec>],
) -> Actor<'t> {
    let is_it = |exec: &&mut Option<&Exec>| {
        exec.is_some_and(|it| it.pid == touch.pid && it.path == touch.resolved)
    };
    let argv = match (execs.iter_mut().find(is_it).and_then(Option::take), actor) {
        (Some(exec), _) => &exec.argv[..],
        (None, Actor::Program { argv, .. }) => argv,
        (None, Actor::Shell) => &[],
    };
    Actor::Program { path: &touch.resolved, argv }
}

pub(super) fn is_loader(path: &Text) -> bool {
    file_name(path).starts_with(b"ld-") || file_name(path).starts_with(b"ld.so")
}

fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

impl Class {
    fn holds(&self, touch: &Touch, actor: Actor<'_>) -> bool {
        self.kinds.contains(&touch.kind)
            && !(self.missing && touch.existed)
            && self.who.is(actor)
            && self.place.is_of(touch)
            && (self.named || touch.kind == TouchKind::Exec || !is_named(touch, actor))
    }
}

impl Who {
    fn is(&self, actor: Actor<'_>) -> bool {
        let is_of = |names: &[&str]| match actor {
            Actor::Shell => false,
            Actor::Program { path, .. } => {
                let name = file_name(path);
                is_like_one(path, PROGRAMS) && names.iter().any(|it| it.as_bytes() == name)
            }
        };
        let is_shell = matches!(actor, Actor::Shell);
        match self {
            Who::Anyone => true,
            Who::Shell => is_shell,
            Who::Program => !is_shell,
            Who::These(names) => is_of(names),
            Who::ShellOr(names) => is_shell || is_of(names),
        }
    }
}

impl Place {
    fn is_of(&self, touch: &Touch) -> bool {
        match self {
            Place::Given(patterns) => {
                !touch.text.windows(3).any(|part| part == b"/..")
                    && is_like_one(&touch.text, patterns)
            }
            Place::Reached(patterns) => is_like_one(&touch.resolved, patterns),
            Place::Descriptor => touch.is_resolved() && !touch.resolved.contains(&b'/'),
        }
    }
}

/// Was the program told this path? A device or an open descriptor it may be told: it holds nothing.
fn is_named(touch: &Touch, actor: Actor<'_>) -> bool {
    let Actor::Program { argv, .. } = actor else { return false };
    let holds_nothing = !touch.resolved.contains(&b'/') || touch.resolved.starts_with(b"/dev/");
    let names =
        |word: &Text| word.windows(touch.text.len()).any(|part| part == touch.text.as_bytes());
    !holds_nothing && touch.text.len() > 1 && argv.iter().any(names)
}

pub(super) fn is_like_one(path: &[u8], patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| is_like(path, pattern.as_bytes()))
}

/// Patterns hold at most a few stars, so that trying every split is cheap.
fn is_like(path: &[u8], pattern: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => path.is_empty(),
        ([b'*', b'*', rest @ ..], _) => (0..=path.len()).any(|taken| is_like(&path[taken..], rest)),
        ([b'*', rest @ ..], _) => {
            let name = path.iter().take_while(|byte| **byte != b'/').count();
            (0..=name).any(|taken| is_like(&path[taken..], rest))
        }
        ([wanted, rest @ ..], [byte, path @ ..]) => wanted == byte && is_like(path, rest),
        (_, []) => false,
    }
}
