//! A harness without an oracle, to measure against: what is on every machine, put together.
//!
//! For each run the tree is copied by `cp -a`, the shell runs under `strace -f -y`, strace's text
//! is read, and the tree is removed by `rm -rf`. It runs in the same box as everything else.

use crate::contain::SCRATCH;
use crate::launch::Order;
use crate::system::files::c_string;
use shfence_corpus::TOP;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the tree is copied from, and what strace writes.
const MODEL: &str = "model";
const TEXT: &str = "strace.txt";

/// Takes what stands below the top for the model of all runs to come, and leaves nothing there.
pub(super) fn take_model() -> io::Result<()> {
    let model = scratch(MODEL);
    fs::create_dir(&model)?;
    done(Command::new("cp").arg("-a").arg(format!("{TOP}/.")).arg(&model))?;
    remove_tree()
}

/// Copies the model to the top.
pub(super) fn copy_tree() -> io::Result<()> {
    done(Command::new("cp").arg("-a").arg(scratch(MODEL).join(".")).arg(TOP))
}

/// Removes what stands below the top.
pub(super) fn remove_tree() -> io::Result<()> {
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(TOP)?.map(|entry| Ok(entry?.path())).collect();
    done(Command::new("rm").arg("-rf").args(entries?))
}

/// The order under strace.
pub(super) fn order(order: Order) -> io::Result<Order> {
    let strace = ["strace", "-f", "-y", "-o", &format!("{SCRATCH}/{TEXT}")].map(c_string);
    let mut argv = strace.into_iter().collect::<io::Result<Vec<_>>>()?;
    argv.push(order.program);
    argv.extend(order.argv.into_iter().skip(1));
    Ok(Order { program: c_string("/usr/bin/strace")?, argv, ..order })
}

/// Reads strace's text: how many calls in it name something below the top. None at all means that
/// strace does not work.
pub(super) fn read_text() -> io::Result<usize> {
    let text = fs::read_to_string(scratch(TEXT))?;
    let names_top = |line: &&str| line.contains('(') && line.contains(TOP);
    match text.lines().filter(names_top).count() {
        0 => Err(io::Error::other("strace saw nothing")),
        some => Ok(some),
    }
}

fn scratch(name: &str) -> PathBuf {
    Path::new(SCRATCH).join(name)
}

fn done(command: &mut Command) -> io::Result<()> {
    let command = command.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let output = command.stdout(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
