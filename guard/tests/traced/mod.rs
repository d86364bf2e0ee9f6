//! A scratch directory, and what a command touches in it: strace's word for it.
#![allow(dead_code)] // each test uses a part of it

use shfence::Role;
use shfence::verbs::Use;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory `p` to run in, one beside it, and links between them.
pub struct Scratch {
    top: PathBuf,
    _scratch: tempfile::TempDir,
}

/// A place below the scratch directory that a command opened or looked at.
#[derive(Debug)]
pub struct Touch {
    /// Where the kernel went.
    pub path: PathBuf,
    /// Was it opened to write, or made?
    pub writes: bool,
    /// Was it executed?
    #[allow(dead_code)] // not every test asks
    pub runs: bool,
}

/// Where processes are, as far as they have said so. One that has not is where the last one was.
struct Directories {
    of: BTreeMap<String, PathBuf>,
    last: PathBuf,
}

impl Directories {
    fn cwd(&mut self, process: &str) -> PathBuf {
        let cwd = self.of.entry(process.to_owned()).or_insert_with(|| self.last.clone());
        self.last.clone_from(cwd);
        self.last.clone()
    }

    fn enter(&mut self, process: &str, directory: PathBuf) {
        self.last.clone_from(&directory);
        self.of.insert(process.to_owned(), directory);
    }
}

impl Scratch {
    pub fn plant() -> Scratch {
        let scratch = tempfile::tempdir().expect("there is a scratch directory");
        let top = scratch.path().canonicalize().expect("the scratch directory is there");
        let make = |result: std::io::Result<()>| result.expect("it can be written");
        for directory in ["p/dir/deep", "out", "home", "tmp"] {
            make(fs::create_dir_all(top.join(directory)));
        }
        for file in ["p/a", "p/b", "p/-n", "p/dir/c", "p/dir/deep/d", "p/dir/a", "out/secret"] {
            make(fs::write(top.join(file), "a 1\nb 2\nc 3\n"));
        }
        for (link, to) in [
            ("p/link", "a"),
            ("p/dirlink", "dir"),
            ("p/outside", "../out"),
            ("p/dir/in", "../b"),
            ("p/dir/leaves", "../../out"),
        ] {
            make(symlink(to, top.join(link)));
        }
        Scratch { top, _scratch: scratch }
    }

    /// The directory that commands run in.
    pub fn project(&self) -> PathBuf {
        self.top.join("p")
    }

    /// Adds a file below `p`.
    pub fn file(&self, path: &str, text: &str) {
        let path = self.top.join("p").join(path);
        fs::create_dir_all(path.parent().expect("it is below p")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    /// The name of a place from the directory above `p`, if it is not below `p`.
    pub fn above<'t>(&self, touch: &'t Touch) -> Option<&'t Path> {
        let name = touch.path.strip_prefix(&self.top).ok()?;
        (!name.starts_with("p")).then_some(name)
    }

    /// Runs a command in `p` and says what it touched of the tree. Nothing if it is not installed.
    pub fn run(&self, argv: &[&str], env: &[(&str, &str)]) -> Option<Vec<Touch>> {
        let mut touches = self.all(argv, env)?;
        touches.retain(|touch| self.counts(&touch.path));
        Some(touches)
    }

    /// The same, and what it touched anywhere else.
    pub fn all(&self, argv: &[&str], env: &[(&str, &str)]) -> Option<Vec<Touch>> {
        let log = self.top.join("log");
        let status = Command::new("strace")
            .args(["-f", "-y", "-s", "4096", "-e", "trace=%file", "-o"])
            .arg(&log)
            .args(["timeout", "120"])
            .args(argv)
            .current_dir(self.top.join("p"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.top.join("home"))
            .env("TMPDIR", self.top.join("tmp"))
            .env("LC_ALL", "C")
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("strace is installed");
        assert_ne!(status.code(), Some(124), "{argv:?} does not end");
        // What `timeout` cannot find.
        if status.code() == Some(127) {
            return None;
        }
        let log = fs::read(&log).expect("strace has written");
        let mut directories = Directories { of: BTreeMap::new(), last: self.project() };
        let lines = whole_lines(&String::from_utf8_lossy(&log));
        Some(lines.iter().filter_map(|line| self.touch(line, &mut directories)).collect())
    }

    /// Is it a place of the tree? Whoever starts in a directory may touch that.
    pub fn counts(&self, path: &Path) -> bool {
        path.starts_with(&self.top)
            && ![self.top.clone(), self.top.join("p")].contains(&path.to_owned())
            && !["tmp", "home", "log"].iter().any(|name| path.starts_with(self.top.join(name)))
    }

    /// A line of strace: `12 openat(AT_FDCWD</top/p>, "a", O_RDONLY) = 3</top/p/a>`.
    fn touch(&self, line: &str, directories: &mut Directories) -> Option<Touch> {
        let (process, call) = line.split_once(' ')?;
        let (name, rest) = call.trim_start().split_once('(')?;
        let (before, rest) = rest.split_once('"')?;
        let (path, after) = rest.split_once('"')?;
        let directory = before.split_once('<').and_then(|(_, it)| it.split_once('>'));
        let cwd = directories.cwd(process);
        let from = directory.map_or(cwd, |(directory, _)| directory.into());
        let keeps_link = name.starts_with('l')
            || name.starts_with("readlink")
            || after.contains("O_NOFOLLOW")
            || after.contains("AT_SYMLINK_NOFOLLOW");
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| after.contains(flag))
            || ["unlink", "rename", "mkdir", "chmod", "utime"]
                .iter()
                .any(|it| name.starts_with(it));
        if name == "chdir" && after.ends_with("= 0") {
            directories.enter(process, resolved(&from, OsStr::new(path), true));
        }
        // What it looked for in vain along PATH was not executed.
        let runs = name == "execve" && !after.contains("ENOENT");
        Some(Touch { path: resolved(&from, OsStr::new(path), !keeps_link), writes, runs })
    }

    /// Does a declaration name this place?
    pub fn names(&self, it: &Use<'_>, touch: &Touch) -> bool {
        let from = self.top.join("p");
        let text = OsStr::from_bytes(&it.text);
        let places = [resolved(&from, text, true), resolved(&from, text, false)];
        // Who lists a directory looks at what is in it.
        let listed = |top: &Path| it.role == Role::List && touch.path.parent() == Some(top);
        let below = |top: &Path| {
            touch.path == *top || listed(top) || (it.under && touch.path.starts_with(top))
        };
        let followed = |top: &PathBuf| it.follow && led_to(top).iter().any(|place| below(place));
        let on_the_way = || {
            from.join(text).ancestors().any(|place| {
                let place = place.as_os_str();
                [true, false].iter().any(|follow| resolved(&from, place, *follow) == touch.path)
            })
        };
        places.iter().any(|place| below(place) || followed(place)) || (it.way && on_the_way())
    }
}

/// The calls in a log of strace, where one that another interrupts stands on two lines:
/// `12 lstat("a",  <unfinished ...>`, `12 <... lstat resumed>{…}) = 0`.
fn whole_lines(log: &str) -> Vec<String> {
    let mut begun: BTreeMap<&str, &str> = BTreeMap::new();
    let mut lines = Vec::new();
    for line in log.lines() {
        let process = line.split(' ').next().unwrap_or_default();
        if let Some(start) = line.strip_suffix("<unfinished ...>") {
            begun.insert(process, start);
        } else if let Some((_, end)) = line.split_once(" resumed>") {
            let start = begun.remove(process).unwrap_or(line);
            lines.push(format!("{start}{end}"));
        } else {
            lines.push(line.to_owned());
        }
    }
    // What never came back was begun all the same.
    lines.extend(begun.into_values().map(str::to_owned));
    lines
}

/// Where links below a directory lead, and links below those.
fn led_to(top: &Path) -> Vec<PathBuf> {
    let (mut places, mut waiting) = (Vec::new(), vec![top.to_owned()]);
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let real = resolved(Path::new("/"), path.as_os_str(), true);
            if path.is_symlink() && !places.contains(&real) {
                places.push(real.clone());
                waiting.push(real);
            } else if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            }
        }
    }
    places
}

/// Where a path leads: as far as it is there, physically; the rest by its names.
fn resolved(from: &Path, text: &OsStr, follow: bool) -> PathBuf {
    let whole = from.join(text);
    let names_itself = matches!(whole.components().next_back(), Some(Component::Normal(_)));
    if (follow || !names_itself)
        && let Ok(real) = whole.canonicalize()
    {
        return real;
    }
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => resolved(parent, OsStr::new("."), true).join(name),
        _ => whole,
    }
}
