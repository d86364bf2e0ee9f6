//! What an index file holds (gitformat-index(5)).

/// The mode of a submodule: there git goes on in another repository.
pub(crate) const SUBMODULE: u32 = 0o160_000;

/// The mode of a symbolic link.
pub(crate) const LINK: u32 = 0o120_000;

/// Shows the mode and the path of each entry of an index of objects with names of `hash` bytes.
/// Nothing comes back for what is no index, for one that is spread over two files, and for one
/// that names what is not below the worktree: git would not write it, but reads it, and then those
/// files.
pub(crate) fn each(index: &[u8], hash: usize, show: &mut dyn FnMut(u32, &[u8])) -> Option<()> {
    let mut bytes = Bytes(index);
    if bytes.take(4)? != b"DIRC" {
        return None;
    }
    let version = bytes.number()?;
    let count = bytes.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut path = Vec::new();
    for _ in 0..count {
        let before = bytes.0.len();
        let mode = bytes.take(28)?[24..].try_into().map(u32::from_be_bytes).ok()?;
        bytes.take(12 + hash)?;
        let flags = bytes.take(2)?[0];
        if flags & 0x40 != 0 {
            bytes.take(2)?;
        }
        if version == 4 {
            let drop = bytes.offset()?;
            path.truncate(path.len().checked_sub(drop)?);
        } else {
            path.clear();
        }
        let length = bytes.0.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(bytes.take(length)?);
        bytes.take(1)?;
        if path.split(|byte| *byte == b'/').any(|name| name == b"..") || path.starts_with(b"/") {
            return None;
        }
        if version < 4 {
            // NULs up to the next multiple of eight.
            bytes.take((before - bytes.0.len()).wrapping_neg() % 8)?;
        }
        show(mode, &path);
    }
    // Extensions, up to the checksum.
    while bytes.0.len() > hash {
        let name = bytes.take(4)?;
        let length = bytes.number()?;
        bytes.take(usize::try_from(length).ok()?)?;
        if name == b"link" {
            return None;
        }
    }
    (bytes.0.len() == hash).then_some(())
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().map(u32::from_be_bytes).ok()
    }

    /// The variable-width number of pack files' offsets.
    fn offset(&mut self) -> Option<usize> {
        let mut value: usize = 0;
        let mut byte = self.take(1)?[0];
        value += usize::from(byte & 127);
        while byte & 128 != 0 {
            byte = self.take(1)?[0];
            value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        }
        Some(value)
    }
}
