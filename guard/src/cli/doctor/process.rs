//! Running a program for a bounded time.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How a program ended.
pub struct Ended {
    /// Its exit code; none, if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

/// How often it is looked whether a program has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs it with this input. The error is the end of a sentence that begins with its name.
pub fn run(mut command: Command, input: &str, limit: Duration) -> Result<Ended, String> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // Beside the reading: neither side may fill its pipe and wait for the other.
        std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let (stdout, stderr) = (reading(child.stdout.take()), reading(child.stderr.take()));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < limit => std::thread::sleep(PAUSE),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("does not end within {} s", limit.as_secs()));
            }
            Err(error) => return Err(format!("cannot be waited for: {error}")),
        }
    };
    let took = started.elapsed();
    // What it has left running may hold its output open.
    let text = |output: Receiver<Vec<u8>>| {
        let bytes = output.recv_timeout(limit.saturating_sub(took)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr), took })
}

fn reading(output: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = output.map(|mut output| output.read_to_end(&mut bytes));
        let _ = sender.send(bytes);
    });
    receiver
}
