//! Reading another process's memory, and memory shared between two of ours.

use super::{Pid, check};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::ptr::NonNull;

const PAGE: u64 = 4096;

/// Another process's memory, to read only.
///
/// What is read may straddle pages of which the later are not mapped, and `process_vm_readv` gives
/// nothing at all of a range whose start it cannot read. So every read ends at a page border, and a
/// value that goes on is read on from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory(pub(crate) Pid);

impl Memory {
    /// Reads from `address` to the end of its page or of the buffer; how many bytes it got.
    fn read_in_page(self, address: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min((PAGE - address % PAGE) as usize);
        let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: length };
        let remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: length };
        // SAFETY: the local range is inside the buffer; the remote one is only read, and the kernel
        // checks it.
        let got = unsafe { check(libc::process_vm_readv(self.0, &local, 1, &remote, 1, 0))? };
        Ok(got as usize)
    }

    /// Fills the buffer.
    pub(crate) fn read(self, address: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            match self.read_in_page(address.wrapping_add(done as u64), &mut buffer[done..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                got => done += got,
            }
        }
        Ok(())
    }

    /// The bytes up to the first NUL, or the first `most` of them.
    pub(crate) fn string(self, address: u64, most: usize) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        // Most strings are short.
        let mut chunk = [0_u8; 256];
        while text.len() < most {
            let at = address.wrapping_add(text.len() as u64);
            let want = chunk.len().min(most - text.len());
            let got = self.read_in_page(at, &mut chunk[..want])?;
            match chunk[..got].iter().position(|byte| *byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&chunk[..end]);
                    return Ok(text);
                }
                None if got == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                None => text.extend_from_slice(&chunk[..got]),
            }
        }
        Ok(text)
    }

    /// One machine word.
    pub(crate) fn word(self, address: u64) -> io::Result<u64> {
        let mut word = [0_u8; 8];
        self.read(address, &mut word)?;
        Ok(u64::from_ne_bytes(word))
    }

    /// The strings of a null-terminated array of pointers, at most `most` bytes in all.
    pub(crate) fn strings(self, address: u64, most: usize) -> io::Result<Vec<Vec<u8>>> {
        let mut strings = Vec::new();
        let mut total = 0;
        // A null array is an empty one to Linux (execve(2)).
        let mut at = address;
        while at != 0 && total < most {
            let pointers = self.pointers(at)?;
            let starts = self.starts(&pointers);
            for (pointer, start) in pointers.iter().zip(starts) {
                if *pointer == 0 || total >= most {
                    return Ok(strings);
                }
                let string = match start {
                    Some(whole) => whole,
                    None => self.string(*pointer, most - total)?,
                };
                total += string.len() + size_of::<u64>();
                strings.push(string);
            }
            at += (pointers.len() * size_of::<u64>()) as u64;
        }
        Ok(strings)
    }

    /// Some of the pointers of an array, at least one: those up to the end of a page, or up to the
    /// null that ends it.
    fn pointers(self, address: u64) -> io::Result<Vec<u64>> {
        const WORD: usize = size_of::<u64>();
        let mut bytes = [0_u8; WORD * MOST_AT_ONCE];
        let mut got = self.read_in_page(address, &mut bytes)?;
        if got < WORD {
            // The first lies across the border.
            self.read(address, &mut bytes[..WORD])?;
            got = WORD;
        }
        let words = bytes[..got].chunks_exact(WORD);
        let mut pointers: Vec<u64> =
            words.map(|word| word.try_into().map_or(0, u64::from_ne_bytes)).collect();
        if let Some(end) = pointers.iter().position(|pointer| *pointer == 0) {
            pointers.truncate(end + 1);
        }
        Ok(pointers)
    }

    /// The strings at these places, all read by one call: each that ends within [`START`] bytes and
    /// its page. `None` of every other, and of what could not be read.
    fn starts(self, pointers: &[u64]) -> Vec<Option<Vec<u8>>> {
        let mut bytes = [0_u8; START * MOST_AT_ONCE];
        let places = pointers.iter().take_while(|pointer| **pointer != 0).take(MOST_AT_ONCE);
        let remote: Vec<libc::iovec> = places
            .map(|pointer| libc::iovec {
                iov_base: *pointer as *mut libc::c_void,
                iov_len: START.min((PAGE - pointer % PAGE) as usize),
            })
            .collect();
        let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        // SAFETY: the local range is the whole buffer; the remote ones are only read, and the
        // kernel checks them.
        let got = unsafe {
            let count = remote.len() as libc::c_ulong;
            check(libc::process_vm_readv(self.0, &local, 1, remote.as_ptr(), count, 0))
        };
        // What stands before the first that cannot be read has been read.
        let mut left = &bytes[..got.unwrap_or(0) as usize];
        let mut strings: Vec<Option<Vec<u8>>> = Vec::with_capacity(pointers.len());
        for place in &remote {
            let (start, rest) = left.split_at(place.iov_len.min(left.len()));
            let end = start.iter().position(|byte| *byte == 0);
            strings.push(end.map(|end| start[..end].to_vec()));
            left = rest;
        }
        strings.resize(pointers.len(), None);
        strings
    }
}

/// How many strings of a list are read at once, and how much of each: a usual command's, whole.
const MOST_AT_ONCE: usize = 16;
const START: usize = 64;

/// A piece of memory that this process and those it forks share. One side writes while the other
/// waits in a system call: the control channel passes the turn.
#[derive(Debug)]
pub(crate) struct SharedArea {
    start: NonNull<u8>,
    size: usize,
    file: File,
}

impl SharedArea {
    /// A zeroed area of `size` bytes; pages are taken only when they are written.
    pub(crate) fn new(size: usize) -> io::Result<SharedArea> {
        let file = super::files::memory_file(c"orders")?;
        file.set_len(size as u64)?;
        let (protection, shared) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: a new mapping at an address of the kernel's choice touches no existing memory.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), size, protection, shared, file.as_raw_fd(), 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).expect("a mapping does not start at 0");
        Ok(SharedArea { start, size, file })
    }

    /// Its file, as large as it is: what a process that no longer has the mapping maps again.
    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Writes a length and the bytes; false, and nothing written, if they do not fit.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> bool {
        let head = size_of::<u64>();
        if bytes.len() > self.size - head {
            return false;
        }
        // SAFETY: both ranges are inside the mapping; the reader waits in a system call.
        unsafe {
            self.start.as_ptr().cast::<u64>().write_volatile(bytes.len() as u64);
            self.start.as_ptr().add(head).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        true
    }

    /// A copy of what was last written.
    pub(crate) fn read(&self) -> Vec<u8> {
        let head = size_of::<u64>();
        // SAFETY: the length is bounded by the mapping; the writer waits for the reader.
        unsafe {
            let length = self.start.as_ptr().cast::<u64>().read_volatile() as usize;
            let length = length.min(self.size - head);
            std::slice::from_raw_parts(self.start.as_ptr().add(head), length).to_vec()
        }
    }
}

impl Drop for SharedArea {
    fn drop(&mut self) {
        // SAFETY: the range is exactly the mapping, and nothing refers to it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pages of which the second is not mapped.
    fn page_before_a_hole() -> *mut u8 {
        let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let size = 2 * PAGE as usize;
        // SAFETY: a new mapping, whose second half is given back at once.
        unsafe {
            let rw = libc::PROT_READ | libc::PROT_WRITE;
            let start = libc::mmap(std::ptr::null_mut(), size, rw, anonymous, -1, 0);
            libc::munmap(start.add(PAGE as usize), PAGE as usize);
            start.cast()
        }
    }

    #[test]
    fn a_string_that_ends_with_its_page_is_read_whole() {
        let page = page_before_a_hole();
        let me = Memory(std::process::id() as Pid);
        for length in [0, 1, 255, 256, 257, 4095] {
            let at = PAGE as usize - length - 1;
            // SAFETY: the range is inside the mapped page.
            unsafe {
                page.add(at).write_bytes(b'x', length);
                page.add(PAGE as usize - 1).write(0);
            }
            let text = me.string(page as u64 + at as u64, 4096).unwrap();
            assert_eq!(text, vec![b'x'; length]);
        }
    }

    #[test]
    fn an_array_of_pointers_that_straddles_pages_is_read_whole() {
        let words: Vec<std::ffi::CString> =
            (0..2000).map(|n| c_string(format!("word {n}"))).collect();
        let mut pointers: Vec<*const libc::c_char> = words.iter().map(|w| w.as_ptr()).collect();
        pointers.push(std::ptr::null());
        let me = Memory(std::process::id() as Pid);
        let read = me.strings(pointers.as_ptr() as u64, 1 << 20).unwrap();
        assert_eq!(read, words.iter().map(|w| w.as_bytes().to_vec()).collect::<Vec<_>>());
    }

    /// Whatever is read at once, and wherever a string lies in its page.
    #[test]
    fn strings_of_any_length_and_at_any_place_are_read_whole() {
        let page = page_before_a_hole();
        let lengths = [0, 1, START - 1, START, START + 1, 300];
        let texts: Vec<Vec<u8>> = (0..3 * MOST_AT_ONCE)
            .map(|place| vec![b'a' + (place % 26) as u8; lengths[place % lengths.len()]])
            .collect();
        let me = Memory(std::process::id() as Pid);
        let mut pointers = Vec::new();
        // From the end of the page backwards.
        let mut end = PAGE as usize;
        for text in texts.iter().take(2 * lengths.len()) {
            end -= text.len() + 1;
            // SAFETY: the range is inside the mapped page.
            unsafe {
                let at = page.add(end);
                at.copy_from_nonoverlapping(text.as_ptr(), text.len());
                at.add(text.len()).write(0);
                pointers.push(at as u64);
            }
        }
        let expected: Vec<Vec<u8>> = texts.iter().take(pointers.len()).cloned().collect();
        pointers.push(0);
        assert_eq!(me.strings(pointers.as_ptr() as u64, 1 << 20).unwrap(), expected);
        // One of them cannot be read.
        pointers[3] = page as u64 + PAGE;
        let error = me.strings(pointers.as_ptr() as u64, 1 << 20).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::EFAULT));
        // Nor can the list be, from its second pointer on.
        // SAFETY: the word is the last of the mapped page.
        unsafe { page.add(PAGE as usize - 8).cast::<u64>().write(pointers[0]) };
        assert!(me.strings(page as u64 + PAGE - 8, 1 << 20).is_err());
    }

    fn c_string(text: String) -> std::ffi::CString {
        std::ffi::CString::new(text).unwrap()
    }
}
