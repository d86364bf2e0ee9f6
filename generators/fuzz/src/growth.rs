//! Time grows no faster than the line.

use crate::scene;
use cpu_time::ThreadTime;
use std::time::Duration;

/// How many times longer the long line is than the short one.
const FACTOR: u32 = 8;

/// The bytes are how a line is made: a head, a piece that is repeated, and a tail, divided by NUL.
/// Eight times the pieces may take eight times the time, and thrice that for what caches and other
/// programs do to a clock; a quadratic step would take sixty-four times.
pub fn growth(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (piece, head, tail) = (part(), part(), part());
    if piece.is_empty() {
        return;
    }
    let long = 60_000 / piece.len();
    let line = |count: usize| [head, &piece.repeat(count), tail].concat();
    let time = |line: &[u8]| (0..3).map(|_| cpu_time_of(line)).min().unwrap_or_default();
    // Most are refused at their first bytes.
    let whole = line(long);
    if cpu_time_of(&whole) < Duration::from_millis(4) {
        return;
    }
    let (short, long) = (line(long / FACTOR as usize), whole);
    let (one, eight) = (time(&short), time(&long));
    assert!(
        eight <= one * FACTOR * 3 + Duration::from_millis(2),
        "{} bytes take {one:?}, {} bytes {eight:?}",
        short.len(),
        long.len()
    );
}

/// The time that this thread was on a processor: others may want it, too.
fn cpu_time_of(line: &[u8]) -> Duration {
    let start = ThreadTime::now();
    std::hint::black_box(scene::decide(line));
    start.elapsed()
}
