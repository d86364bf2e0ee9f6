//! Where an outside guard runs: namespaces of its own, without a network, with the system's
//! directories read-only and the tree of the case at its place.
//!
//! No generated text runs here: a guard only reads it. The room keeps a guard's own mistakes, and
//! what it might fetch, away from the machine; `unshare` and `nsenter` (util-linux) make it.

use shfence_corpus::{Case, Node, TOP, TreeSpec};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a guard may take for one answer, in seconds.
const SECONDS: u64 = 10;

/// Makes the root directory of the room at `/mnt`, says so, and keeps it until its standard input
/// ends: when who opened it is gone.
const SET_UP: &str = r#"
set -e
mount -t tmpfs none /mnt
for from in /*; do
  to=/mnt$from
  if [ "$from" = /mnt ]; then continue
  elif [ -L "$from" ]; then cp -P "$from" "$to"
  elif [ -d "$from" ]; then
    mkdir "$to"
    mount --rbind "$from" "$to"
    case $from in /dev|/proc|/sys) ;; *) mount -o remount,bind,ro "$to" 2>/dev/null || : ;; esac
  fi
done
[ -d /mnt/case ] || mkdir /mnt/case
mount -t tmpfs none /mnt/case
exec chroot /mnt sh -c 'echo ready; exec cat'
"#;

/// The namespaces with the root directory, kept by a process that waits.
#[derive(Debug)]
pub(super) struct Room {
    keeper: Child,
    /// The namespaces to enter, as options of `nsenter`.
    enter: &'static [&'static str],
    /// What is planted.
    tree: Option<TreeSpec>,
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

impl Room {
    /// Makes it. The error is for people.
    pub(super) fn open() -> Result<Room, String> {
        // Root needs no user namespace; who is not root has no room without one.
        Room::with("-mn", &["-m", "-n"])
            .or_else(|_| Room::with("-Urmn", &["-U", "--preserve-credentials", "-m", "-n"]))
            .map_err(|why| format!("its room cannot be made with unshare: {why}"))
    }

    fn with(flags: &str, enter: &'static [&'static str]) -> Result<Room, String> {
        let mut command = Command::new("unshare");
        command.args([flags, "--propagation", "private", "sh", "-c", SET_UP]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let keeper = command.spawn().map_err(|error| format!("unshare: {error}"))?;
        let mut room = Room { keeper, enter, tree: None };
        let mut said = String::new();
        let output = room.keeper.stdout.as_mut().expect("it is a pipe");
        BufReader::new(output).read_line(&mut said).map_err(|error| error.to_string())?;
        match said.as_str() {
            "ready\n" => Ok(room),
            _ => {
                let mut errors = room.keeper.stderr.take().expect("it is a pipe");
                Err(io::read_to_string(&mut errors).unwrap_or_default().trim().to_owned())
            }
        }
    }

    /// Where a place of the tree is, seen from here.
    fn seen(&self, path: &[u8]) -> PathBuf {
        let root = format!("/proc/{}/root{TOP}", self.keeper.id());
        PathBuf::from(root).join(OsStr::from_bytes(path))
    }

    /// Plants a tree in the place of the one before.
    pub(super) fn plant(&mut self, tree: &TreeSpec) -> io::Result<()> {
        if self.tree.as_ref() == Some(tree) {
            return Ok(());
        }
        self.tree = None;
        for entry in fs::read_dir(self.seen(b""))? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        // A directory stands before what is in it.
        for (path, node) in tree.planted() {
            let at = self.seen(path.as_bytes());
            match node {
                Node::Dir => fs::create_dir(at)?,
                Node::File { text, executable } => {
                    fs::write(&at, text.as_bytes())?;
                    let mode = if executable { 0o755 } else { 0o644 };
                    fs::set_permissions(&at, Permissions::from_mode(mode))?;
                }
                Node::Link { to } => symlink(OsStr::from_bytes(to.as_bytes()), at)?,
            }
        }
        self.tree = Some(tree.clone());
        Ok(())
    }

    /// A command of `sh` in the room. It ends after its time, and with who started it.
    fn command(&self, command: &str, seconds: Option<u64>) -> Command {
        let keeper = self.keeper.id().to_string();
        let mut entering = Command::new("nsenter");
        entering.args(["-t", &keeper]).args(self.enter).args(["-r", "-w"]);
        if let Some(seconds) = seconds {
            entering.args(["timeout", "-k", "1", &seconds.to_string()]);
        }
        entering.args(["sh", "-c", &format!("cd \"$0\" && {command}")]);
        entering.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        entering
    }

    /// Runs the guard for one question, in the directory and environment of the case.
    pub(super) fn run(&self, command: &str, case: &Case, input: &str) -> Result<Output, String> {
        let mut entering = self.command(command, Some(SECONDS));
        entering.arg(OsStr::from_bytes(case.cwd.absolute().as_bytes()));
        let home = case.home().map(|home| ("HOME".to_owned(), Some(home)));
        for (name, value) in home.into_iter().chain(case.env.clone()) {
            match value {
                Some(value) => entering.env(name, OsStr::from_bytes(value.as_bytes())),
                None => entering.env_remove(name),
            };
        }
        entering.env("CLAUDE_PROJECT_DIR", OsStr::from_bytes(Case::root().as_bytes()));
        let mut child = entering.spawn().map_err(|error| format!("nsenter: {error}"))?;
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // Who does not read all of it may have answered all the same.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        match output.status.code() {
            Some(124) => Err(format!("it did not answer within {SECONDS} s")),
            Some(127) => Err(format!("'{command}' is not found in its room")),
            _ => Ok(output),
        }
    }

    /// Starts the guard for many questions.
    pub(super) fn session(&self, command: &str) -> Result<Session, String> {
        let mut entering = self.command(command, None);
        entering.arg("/").stderr(Stdio::null());
        let mut child = entering.spawn().map_err(|error| format!("nsenter: {error}"))?;
        let stdin = child.stdin.take().expect("it is a pipe");
        let answers = lines(child.stdout.take().expect("it is a pipe"));
        Ok(Session { child, stdin, answers })
    }
}

/// A guard that answers line by line.
#[derive(Debug)]
pub(super) struct Session {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// One question, and its answer.
    pub(super) fn ask(&mut self, question: &str) -> Result<String, String> {
        let line = format!("{question}\n");
        let asked = self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.flush());
        asked.map_err(|error| format!("it takes no question: {error}"))?;
        let limit = Duration::from_secs(SECONDS);
        self.answers.recv_timeout(limit).map_err(|_| match self.child.try_wait() {
            Ok(Some(status)) => format!("it ended: {status}"),
            _ => format!("it did not answer within {SECONDS} s"),
        })
    }
}

/// The lines of an output, read beside whatever else is done.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).for_each(drop);
    });
    receiver
}
