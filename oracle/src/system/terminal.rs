//! Pseudo-terminals (pty(7)).

use super::check;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;

/// A terminal: the side of who types, and the side of who reads lines from it.
#[derive(Debug)]
pub(crate) struct Terminal {
    keyboard: File,
    reader: OwnedFd,
}

impl Terminal {
    /// A new one. It takes whole lines, as every terminal does that nobody has told otherwise, and
    /// shows nothing: what is typed would pile up where nobody looks.
    pub(crate) fn new() -> io::Result<Terminal> {
        let flags = libc::O_NOCTTY | libc::O_NONBLOCK;
        let keyboard =
            OpenOptions::new().read(true).write(true).custom_flags(flags).open("/dev/ptmx")?;
        let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
        // SAFETY: the descriptor is open; the one that the call returns is new.
        let reader = unsafe {
            check(libc::unlockpt(keyboard.as_raw_fd()))?;
            let reader = check(libc::ioctl(keyboard.as_raw_fd(), libc::TIOCGPTPEER, flags))?;
            OwnedFd::from_raw_fd(reader)
        };
        let mut modes = MaybeUninit::<libc::termios>::uninit();
        // SAFETY: the descriptor is a terminal's; the modes are filled in before they are read.
        unsafe {
            check(libc::tcgetattr(reader.as_raw_fd(), modes.as_mut_ptr()))?;
            let mut modes = modes.assume_init();
            modes.c_lflag &= !libc::ECHO;
            check(libc::tcsetattr(reader.as_raw_fd(), libc::TCSANOW, &raw const modes))?;
        }
        Ok(Terminal { keyboard, reader })
    }

    /// What a shell is given as its input. It hears of the terminal's end when this is dropped.
    pub(crate) fn reader(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    /// Types: whoever reads finds it when it comes to reading.
    pub(crate) fn write(&self, text: &[u8]) -> io::Result<()> {
        (&self.keyboard).write_all(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn lines_and_ends_are_read_as_they_were_typed() {
        let terminal = Terminal::new().unwrap();
        terminal.write(b"one\ntwo\n\x04\x04").unwrap();
        let mut reader = File::from(terminal.reader().try_clone_to_owned().unwrap());
        let mut read = || {
            let mut buffer = [0; 64];
            let length = reader.read(&mut buffer).unwrap();
            buffer[..length].to_vec()
        };
        assert_eq!([read(), read(), read(), read()], [&b"one\n"[..], b"two\n", b"", b""]);
    }
}
