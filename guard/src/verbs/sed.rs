//! Scripts of `sed` that only print: addresses, and commands that
//! compute, print or branch: `p d q = n N y s l g G h H x P D b t : { } a i c`.
//!
//! GNU, busybox and BSD do not agree on where an expression ends that has its delimiter between
//! brackets (`s/[/]/x/`): a script is taken only if it is harmless read either way.

/// Does this script only print, as a script of its own or as one of several?
pub(super) fn only_prints(script: &[u8]) -> bool {
    // In some locales the second of these is the second half of a character.
    let may_be_half = |byte: u8| byte.is_ascii_punctuation() && byte >= b'@';
    if script.windows(2).any(|two| !two[0].is_ascii() && may_be_half(two[1])) {
        return false;
    }
    [false, true].iter().all(|brackets| {
        let mut reading = Reading { rest: script, brackets: *brackets };
        reading.script().is_some()
    })
}

struct Reading<'s> {
    rest: &'s [u8],
    /// Does a delimiter between brackets stand for itself?
    brackets: bool,
}

impl Reading<'_> {
    /// All commands. Nothing if there is one that is not declared.
    fn script(&mut self) -> Option<()> {
        loop {
            self.skip(b" \t\n;");
            if self.rest.is_empty() {
                return Some(());
            }
            self.addresses()?;
            self.skip(b" \t!");
            self.command()?;
        }
    }

    fn skip(&mut self, bytes: &[u8]) {
        let length = self.rest.iter().take_while(|byte| bytes.contains(byte)).count();
        self.rest = &self.rest[length..];
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.rest.first() == Some(&byte);
        if there {
            self.rest = &self.rest[1..];
        }
        there
    }

    fn digits(&mut self) {
        self.skip(b"0123456789");
    }

    /// None, one, or two with a comma between them.
    fn addresses(&mut self) -> Option<()> {
        if !self.address()? {
            return Some(());
        }
        self.skip(b" \t");
        if self.take(b',') {
            self.skip(b" \t");
            if self.take(b'+') || self.take(b'~') {
                self.digits();
            } else if !self.address()? {
                return None;
            }
        }
        Some(())
    }

    /// A line number, `$`, `first~step`, or an expression. Is there one?
    fn address(&mut self) -> Option<bool> {
        match self.rest.first() {
            Some(b'0'..=b'9') => {
                self.digits();
                if self.take(b'~') {
                    self.digits();
                }
            }
            Some(b'$') => _ = self.next(),
            Some(b'/') => {
                self.next();
                self.expression(b'/')?;
                self.skip(b"IM");
            }
            Some(b'\\') => {
                self.next();
                let delimiter = self.delimiter()?;
                self.expression(delimiter)?;
                self.skip(b"IM");
            }
            _ => return Some(false),
        }
        Some(true)
    }

    fn command(&mut self) -> Option<()> {
        match self.next()? {
            b'{' => return Some(()),
            b'}' | b'p' | b'd' | b'=' | b'n' | b'N' | b'P' | b'D' => {}
            b'g' | b'G' | b'h' | b'H' | b'x' => {}
            b':' | b'b' | b't' => return self.label(),
            b'a' | b'i' | b'c' => return self.text(),
            b'q' | b'l' => {
                self.skip(b" \t");
                self.digits();
            }
            b's' => {
                let delimiter = self.delimiter()?;
                self.expression(delimiter)?;
                self.replacement(delimiter)?;
                self.skip(b"gpiImM0123456789");
            }
            b'y' => {
                let delimiter = self.delimiter()?;
                self.replacement(delimiter)?;
                self.replacement(delimiter)?;
            }
            _ => return None,
        }
        self.skip(b" \t");
        match self.rest.first() {
            None | Some(b';' | b'\n' | b'}') => Some(()),
            Some(_) => None,
        }
    }

    /// A label. To some it goes on to the end of the line: then what follows on it is none of the
    /// commands that it is to others, which are read here.
    fn label(&mut self) -> Option<()> {
        self.skip(b" \t");
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        self.rest = &self.rest[length..];
        self.skip(b" \t");
        matches!(self.rest.first(), None | Some(b';' | b'\n')).then_some(())
    }

    /// A text, behind the command or on a line of its own behind `\`: it goes on to the end of the
    /// line. With a backslash there, some go on with the next one; where there is none, it may be
    /// the next script.
    fn text(&mut self) -> Option<()> {
        self.skip(b" \t");
        if self.take(b'\\') {
            self.skip(b" \t");
            self.take(b'\n');
        }
        let length = self.rest.iter().take_while(|byte| **byte != b'\n').count();
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        (!text.is_empty() && !text.ends_with(b"\\")).then_some(())
    }

    fn delimiter(&mut self) -> Option<u8> {
        self.next().filter(|byte| byte.is_ascii_punctuation() && *byte != b'\\')
    }

    /// A regular expression, up to its delimiter.
    fn expression(&mut self, delimiter: u8) -> Option<()> {
        loop {
            match self.next()? {
                byte if byte == delimiter => return Some(()),
                b'\n' => return None,
                b'\\' => _ = self.next()?,
                b'[' if self.brackets => self.between_brackets()?,
                _ => {}
            }
        }
    }

    /// `[^]abc[:alpha:]]`, after the first bracket.
    fn between_brackets(&mut self) -> Option<()> {
        self.take(b'^');
        self.take(b']');
        loop {
            match self.next()? {
                b']' => return Some(()),
                b'\n' => return None,
                b'[' if matches!(self.rest.first(), Some(b':' | b'.' | b'=')) => {
                    let kind = self.next()?;
                    while !(self.next()? == kind && self.take(b']')) {}
                }
                _ => {}
            }
        }
    }

    /// What is put in place, up to the delimiter.
    fn replacement(&mut self, delimiter: u8) -> Option<()> {
        loop {
            match self.next()? {
                byte if byte == delimiter => return Some(()),
                b'\n' => return None,
                b'\\' => _ = self.next()?,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::only_prints;
    use proptest::prelude::*;
    use std::process::{Command, Stdio};

    #[test]
    fn scripts_that_only_print_are_taken() {
        for script in [
            "1,5p",
            "$p",
            "$!d",
            "/a/,/b/p",
            "s/a/b/g",
            "s|a|b|;s,c,d,2p",
            "/^$/d",
            "10q",
            "=",
            "1~2p",
            "/a/,+3p",
            "\\,x,I p",
            "n;d",
            "/a/{s/b/c/;p;}",
            "/a/{p}",
            "y/abc/def/",
            "",
            "s/\\/x/y/",
            "s/[a-z]*[^]x]//",
            "s/[[:space:]]*$//",
            "1!{p;q3}",
            "s/a/\\\n/",
            "\n1p\n",
            ":a;N;$!ba;s/\\n/ /g",
            "1!G;h;$!d",
            "$!N;P;D",
            "l 5;x;H",
            "s/a/b/;t\ns/c/d/mg",
            "1i x",
            "$a w f",
            "/a/c\\\nw f\np",
            "2a\\  text\n3d",
            "a\\text",
            "/a/{i x\n}",
        ] {
            assert!(only_prints(script.as_bytes()), "{script:?}");
        }
    }

    #[test]
    fn other_scripts_are_not() {
        for script in [
            "e",
            "1e id",
            "s/a/b/e",
            "s/a/b/ge",
            "s/a/b/w f",
            "w f",
            "r f",
            "R f",
            "W f",
            "F",
            "i\\",
            "a",
            "a \nw f",
            "a x\nw f",
            "a x\\\nw f",
            "i\\\n",
            "c\\\nx\nw f",
            "a\\\nx\\\np",
            "p w f",
            "s/a/b",
            "s/a/b/;w f",
            "/a/w f",
            "1,w f",
            "s/[/]/w f/",
            "#n",
            "}w f",
            "{w f",
            "Q",
            "z",
            "y/a/b/w f",
            "q w f",
            "ba}",
            ":a b;p",
            "b;w f",
            ":w;w f",
            "tx\nw f",
            "sxaxbx",
            "g w f",
            "v",
            "s\na\nb\n",
            "s/a\n/b/",
            "/a/Iw f",
            "s/x/y/\nw f",
            "s/[/w f\n]/p/",
        ] {
            assert!(!only_prints(script.as_bytes()), "{script:?}");
        }
    }

    /// What the real one says of a script in its sandbox, which neither executes, reads nor writes.
    fn said_of(script: &str) -> String {
        let output = Command::new("sed")
            .args(["--sandbox", "-n", "-e", script])
            .stdin(Stdio::null())
            .output()
            .expect("sed is installed");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    #[test]
    fn the_sandbox_refuses() {
        for script in ["w f", "1e id", "s/a/b/e", "r f"] {
            assert!(said_of(script).contains("sandbox"), "{script:?}");
        }
    }

    fn script() -> impl Strategy<Value = String> {
        let part = prop::sample::select(
            &[
                "1", ",", "$", "/", "a", "b", "[", "]", "^", "\\", "s/", "s|", "|", "p", "d", "e",
                "w", "r", " ", ";", "\n", "{", "}", "!", "g", "y/", "q", "=", "+", "~", "0", "I",
                "n", "[:", ":]", "#", "M", ":", "b", "t", "G", "x", "l", "m", "i", "c", "a\\",
                "i\\\n",
            ][..],
        );
        prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 60_000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_taken_stays_in_the_sandbox(script in script()) {
            if script.len() < 3 || !only_prints(script.as_bytes()) {
                return Ok(());
            }
            let said = said_of(&script);
            prop_assert!(!said.contains("sandbox"), "{script:?}: {said}");
        }
    }
}
