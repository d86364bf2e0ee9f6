//! What the kernel executes in place of a file, or loads beside it.
//!
//! Formats that an administrator has registered (`binfmt_misc`) are not known here: their
//! interpreters lie in the system, and are seen when they open the file.

use std::io;

/// How many interpreters the kernel opens for one program before it gives up (ELOOP, execve(2)):
/// five levels, and the one that is too many.
pub(super) const MOST_INTERPRETERS: usize = 6;

/// How much of a file the kernel looks at to see what it is (`BINPRM_BUF_SIZE`).
const HEAD: usize = 256;

/// The longest path that the kernel takes, in bytes (`PATH_MAX`).
const LONGEST_PATH: u64 = 4096;

/// The program that a file names to run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Interpreter {
    /// After `#!`: it is executed instead.
    OfScript(Vec<u8>),
    /// In an ELF file: it is loaded as well, and starts first.
    Loader(Vec<u8>),
}

/// Reads which interpreter a file names, if any. `read` fills a buffer from an offset and gives how
/// much it got, as `FileExt::read_at` does.
pub(super) fn interpreter(
    read: impl Fn(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<Option<Interpreter>> {
    let mut head = [0_u8; HEAD];
    read(&mut head, 0)?;
    if head.starts_with(b"#!") {
        return Ok(of_script(&head).map(Interpreter::OfScript));
    }
    let Some(layout) = Layout::of(&head) else { return Ok(None) };
    let mut segments = vec![0_u8; layout.segment * layout.segments(&head)];
    let got = read(&mut segments, layout.word(&head, layout.table))?;
    for segment in segments[..got].chunks_exact(layout.segment) {
        if segment[..4] != INTERPRETER_SEGMENT {
            continue;
        }
        let length = layout.word(segment, layout.length).min(LONGEST_PATH);
        let mut name = vec![0_u8; length as usize];
        let got = read(&mut name, layout.word(segment, layout.offset))?;
        name.truncate(got);
        name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(got));
        return Ok(Some(Interpreter::Loader(name)));
    }
    Ok(None)
}

/// The name after `#!`, as `fs/binfmt_script.c` reads it: blanks before it are skipped, it ends at
/// a blank, a NUL or the end of the line, and a line that does not end within the head is taken
/// only if the name does.
fn of_script(head: &[u8; HEAD]) -> Option<Vec<u8>> {
    let is_blank = |byte: &u8| [b' ', b'\t'].contains(byte);
    let newline = head.iter().position(|byte| *byte == b'\n');
    let line = &head[2..newline.unwrap_or(HEAD - 1)];
    let name = &line[line.iter().position(|byte| !is_blank(byte))?..];
    let end = name.iter().position(|byte| is_blank(byte) || *byte == 0);
    let name = match (end, newline) {
        (Some(end), _) => &name[..end],
        (None, Some(_)) => name,
        (None, None) => return None,
    };
    (!name.is_empty()).then(|| name.to_vec())
}

/// `PT_INTERP`, little-endian.
const INTERPRETER_SEGMENT: [u8; 4] = [3, 0, 0, 0];

/// Where things stand in a little-endian ELF file (elf(5)): in its header the offset of the table
/// of segments and their number, in an entry of that table offset and length.
struct Layout {
    /// The size of an address.
    word: usize,
    table: usize,
    count: usize,
    segment: usize,
    offset: usize,
    length: usize,
}

const ELF_32: Layout = Layout { word: 4, table: 28, count: 44, segment: 32, offset: 4, length: 16 };
const ELF_64: Layout = Layout { word: 8, table: 32, count: 56, segment: 56, offset: 8, length: 32 };

impl Layout {
    fn of(head: &[u8; HEAD]) -> Option<&'static Layout> {
        match head {
            [0x7f, b'E', b'L', b'F', 1, 1, ..] => Some(&ELF_32),
            [0x7f, b'E', b'L', b'F', 2, 1, ..] => Some(&ELF_64),
            _ => None,
        }
    }

    fn word(&self, bytes: &[u8], at: usize) -> u64 {
        let mut word = [0_u8; 8];
        word[..self.word].copy_from_slice(&bytes[at..at + self.word]);
        u64::from_le_bytes(word)
    }

    fn segments(&self, head: &[u8; HEAD]) -> usize {
        usize::from(u16::from_le_bytes([head[self.count], head[self.count + 1]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::os::unix::fs::FileExt;

    fn of(bytes: &[u8]) -> Option<Interpreter> {
        let read = |buffer: &mut [u8], offset: u64| {
            let rest = bytes.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or(&[]);
            let got = rest.len().min(buffer.len());
            buffer[..got].copy_from_slice(&rest[..got]);
            Ok(got)
        };
        interpreter(read).unwrap()
    }

    fn script(name: &str) -> Option<Interpreter> {
        Some(Interpreter::OfScript(name.as_bytes().to_vec()))
    }

    #[test]
    fn a_script_names_its_interpreter() {
        assert_eq!(of(b"#!/bin/sh\n"), script("/bin/sh"));
        assert_eq!(of(b"#! \t/bin/sh -e x \n"), script("/bin/sh"));
        assert_eq!(of(b"#!tool"), script("tool"));
        assert_eq!(of(b"#!../a\0b\n"), script("../a"));
        for none in [&b"#!"[..], b"#!\n/bin/sh\n", b"#! \t\n", b"# !/bin/sh", b"", b"#"] {
            assert_eq!(of(none), None, "{}", none.escape_ascii());
        }
        let long = [&b"#!/"[..], &[b'a'; 252]].concat();
        assert_eq!(of(&[&long[..], b"\n"].concat()), script(&format!("/{}", "a".repeat(252))));
        assert_eq!(of(&[&long[..], b"aa\n"].concat()), None, "the name may go on");
    }

    #[test]
    fn a_program_names_its_loader() {
        let this = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        let found = interpreter(|buffer, offset| this.read_at(buffer, offset)).unwrap();
        let Some(Interpreter::Loader(name)) = found else { panic!("{found:?}") };
        assert!(name.starts_with(b"/lib"), "{}", name.escape_ascii());
    }

    proptest! {
        #[test]
        fn no_file_is_too_odd(
            tail in proptest::collection::vec(any::<u8>(), 0..400),
            class in 0_u8..4,
        ) {
            of(&[&[0x7f, b'E', b'L', b'F', class, 1][..], &tail].concat());
            of(&[&b"#!"[..], &tail].concat());
        }
    }
}
