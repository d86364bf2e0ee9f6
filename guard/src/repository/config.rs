//! The language of git's configuration files, as git-config(1) and git's `config.c` have it.
//!
//! It is read whole or not at all: what git would take for an error, and what is allowed but rare
//! (`[section.subsection]`), is refused.

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// In lower case.
    pub(crate) section: Vec<u8>,
    /// As it is written: case counts.
    pub(crate) subsection: Option<Vec<u8>>,
    /// In lower case.
    pub(crate) name: Vec<u8>,
    /// Nothing stands for true.
    pub(crate) value: Option<Vec<u8>>,
}

impl Setting {
    /// `section.subsection.name`, as git prints it.
    pub(crate) fn key(&self) -> Vec<u8> {
        let parts = [Some(&self.section), self.subsection.as_ref(), Some(&self.name)];
        parts.into_iter().flatten().map(|part| &part[..]).collect::<Vec<_>>().join(&b'.')
    }
}

/// A file that is not read, and the line that stands against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadLine(pub(crate) usize);

/// All settings of a file, in its order.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Setting>, BadLine> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader { text, at: 0, line: 1 };
    let mut settings = Vec::new();
    match reader.settings(&mut settings) {
        Some(()) => Ok(settings),
        None => Err(BadLine(reader.line)),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl Reader<'_> {
    /// The next byte; a newline at the end, as git has it, and for a carriage return before one.
    fn peek(&self) -> u8 {
        match self.text.get(self.at..).unwrap_or_default() {
            [] | [b'\r', b'\n', ..] => b'\n',
            [byte, ..] => *byte,
        }
    }

    fn next(&mut self) -> u8 {
        let byte = self.peek();
        self.at +=
            if self.text[self.at.min(self.text.len())..].starts_with(b"\r\n") { 2 } else { 1 };
        self.line += usize::from(byte == b'\n');
        byte
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn settings(&mut self, settings: &mut Vec<Setting>) -> Option<()> {
        let mut section = None;
        while !self.is_at_end() {
            match self.peek() {
                b'#' | b';' => self.comment(),
                byte if is_space(byte) => {
                    self.next();
                }
                b'[' => section = Some(self.section()?),
                byte if byte.is_ascii_alphabetic() => {
                    let (section, subsection) = section.clone()?;
                    let name = self.name();
                    let value = self.value_of()?;
                    settings.push(Setting { section, subsection, name, value });
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn comment(&mut self) {
        while self.next() != b'\n' {}
    }

    /// `[section]` or `[section "subsection"]`.
    fn section(&mut self) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        self.next();
        let section = self.name();
        if section.is_empty() {
            return None;
        }
        match self.next() {
            b']' => return Some((section, None)),
            b' ' | b'\t' => {}
            _ => return None,
        }
        while matches!(self.peek(), b' ' | b'\t') {
            self.next();
        }
        if self.next() != b'"' {
            return None;
        }
        let mut subsection = Vec::new();
        loop {
            match self.next() {
                b'\n' | 0 => return None,
                b'"' => break,
                b'\\' => match self.next() {
                    b'\n' | 0 => return None,
                    byte => subsection.push(byte),
                },
                byte => subsection.push(byte),
            }
        }
        (self.next() == b']').then_some((section, Some(subsection)))
    }

    /// A name of letters, digits and `-`, in lower case.
    fn name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        while self.peek().is_ascii_alphanumeric() || self.peek() == b'-' {
            name.push(self.next().to_ascii_lowercase());
        }
        name
    }

    /// What follows a name. The outer option is for what is no value, the inner for none.
    fn value_of(&mut self) -> Option<Option<Vec<u8>>> {
        while matches!(self.peek(), b' ' | b'\t') {
            self.next();
        }
        match self.next() {
            b'\n' => Some(None),
            b'=' => self.value().map(Some),
            _ => None,
        }
    }

    /// Up to the end of the line, without blanks around it.
    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        // As much of it does not end in a blank that is outside of quotes.
        let mut kept = 0;
        let mut quoted = false;
        loop {
            match self.next() {
                b'\n' if quoted => return None,
                b'\n' => break,
                0 => return None,
                byte if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'#' | b';' if !quoted => {
                    self.comment();
                    break;
                }
                b'"' => {
                    quoted = !quoted;
                    continue;
                }
                b'\\' => match self.next() {
                    // At the end of the file there is no line to go on with.
                    b'\n' if self.is_at_end() => return None,
                    b'\n' => continue,
                    byte => value.push(escaped(byte)?),
                },
                byte => value.push(byte),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

fn escaped(byte: u8) -> Option<u8> {
    match byte {
        b't' => Some(b'\t'),
        b'b' => Some(8),
        b'n' => Some(b'\n'),
        b'\\' | b'"' => Some(byte),
        _ => None,
    }
}

/// What C's `isspace` takes, as git has it: not the vertical tab, not the form feed.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
