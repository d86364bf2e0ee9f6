//! Fewer mappings in a warm shell: what each fork and each exit costs grows with their number.
//!
//! The loader maps every file in five pieces, by what may be done with them: headers and constants
//! may be read, code may be executed as well, and of what may be written a part is closed once it
//! is bound. Pieces that lie side by side and may be used alike are one mapping to the kernel. So
//! what may only be read may be executed, too, and what was closed may be written again, in every
//! shell that is forked here. A shell that does neither cannot notice; one that read its own
//! `/proc/self/maps` would.

use super::acting::{READ, call};
use core::mem::MaybeUninit;

// System calls of x86_64 and their constants, as in the kernel's headers.
const OPEN: usize = 2;
const CLOSE: usize = 3;
const MPROTECT: usize = 10;
const PROT_READ: usize = 1;
const PROT_WRITE: usize = 2;
const PROT_EXEC: usize = 4;

/// Room for the list of mappings; what does not fit stays as it is.
const ROOM: usize = 16 * 1024;

/// A mapping, as a line of `/proc/self/maps` describes it (proc(5)).
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    offset: usize,
    device: usize,
    /// 0 if no file is mapped.
    file: usize,
    writable: bool,
    private: bool,
}

impl Piece {
    const NONE: Piece =
        Piece { start: 0, end: 0, offset: 0, device: 0, file: 0, writable: false, private: false };

    /// Does `next` go on, in memory and in the file, where this ends?
    fn goes_on_in(&self, next: &Piece) -> bool {
        self.file != 0
            && (self.file, self.device) == (next.file, next.device)
            && self.private
            && next.private
            && next.start == self.end
            && next.offset == self.offset + (self.end - self.start)
    }
}

/// Joins the pieces of every file that is mapped.
pub(crate) unsafe fn join() {
    let mut text = MaybeUninit::<[u8; ROOM]>::uninit();
    let start = text.as_mut_ptr().cast::<u8>();
    // SAFETY: no more is read than there is room for, and all changes are to mappings of this
    // process that stay readable.
    unsafe {
        let file = call(OPEN, [c"/proc/self/maps".as_ptr() as usize, 0, 0, 0, 0]);
        if file < 0 {
            return;
        }
        let mut length = 0;
        while length < ROOM {
            let got = call(READ, [file as usize, start as usize + length, ROOM - length, 0, 0]);
            if got <= 0 {
                break;
            }
            length += got as usize;
        }
        call(CLOSE, [file as usize, 0, 0, 0, 0]);
        let mut lines = Lines { at: start, end: start.add(length) };
        // The run of pieces that follow one another and may not be written, and its last piece.
        let (mut from, mut to, mut last) = (0, 0, Piece::NONE);
        while let Some(piece) = lines.next() {
            let goes_on = last.goes_on_in(&piece);
            if goes_on && piece.writable {
                // The last was closed once it was bound: it belongs to this.
                to = last.start;
                protect(last.start, last.end, PROT_READ | PROT_WRITE);
            }
            if goes_on && !piece.writable {
                to = piece.end;
            } else {
                protect(from, to, PROT_READ | PROT_EXEC);
                (from, to) = (piece.start, piece.start);
            }
            last = if piece.writable { Piece::NONE } else { piece };
        }
        protect(from, to, PROT_READ | PROT_EXEC);
    }
}

/// Where that cannot be done, all stays as it was.
unsafe fn protect(start: usize, end: usize, as_what: usize) {
    if start < end {
        // SAFETY: the caller's range is mapped, and stays readable.
        unsafe { call(MPROTECT, [start, end - start, as_what, 0, 0]) };
    }
}

/// The lines that are left.
struct Lines {
    at: *const u8,
    end: *const u8,
}

impl Lines {
    /// The next whole line.
    unsafe fn next(&mut self) -> Option<Piece> {
        // SAFETY: nothing is read from the end on.
        unsafe {
            let mut piece = Piece::NONE;
            piece.start = self.number(16)?;
            piece.end = self.number(16)?;
            // `rwxp`
            self.byte()?;
            piece.writable = self.byte()? == b'w';
            self.byte()?;
            piece.private = self.byte()? == b'p';
            self.byte()?;
            piece.offset = self.number(16)?;
            piece.device = self.number(16)? << 32 | self.number(16)?;
            piece.file = self.number(10)?;
            while self.byte()? != b'\n' {}
            Some(piece)
        }
    }

    unsafe fn byte(&mut self) -> Option<u8> {
        // SAFETY: it is before the end.
        unsafe {
            if self.at >= self.end {
                return None;
            }
            let byte = self.at.read();
            self.at = self.at.add(1);
            Some(byte)
        }
    }

    /// A number and the one byte after it.
    unsafe fn number(&mut self, base: usize) -> Option<usize> {
        let mut number = 0_usize;
        // SAFETY: see `byte`.
        unsafe {
            loop {
                let digit = match self.byte()? {
                    digit @ b'0'..=b'9' => digit - b'0',
                    digit @ b'a'..=b'f' if base == 16 => digit - b'a' + 10,
                    _ => return Some(number),
                };
                number = number.wrapping_mul(base).wrapping_add(digit.into());
            }
        }
    }
}
