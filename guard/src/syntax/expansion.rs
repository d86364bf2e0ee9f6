//! `~`, `$NAME`, `$( … )`.

use super::not_understood::Construct;
use super::recogniser::{End, Recogniser, Result};
use super::tree::{Argument, List, Operation, Piece};
use super::word::Pieces;
use crate::few::Few;
use crate::span::Span;

impl<'a> Recogniser<'a> {
    /// `~` alone, or before a slash.
    pub(super) fn home(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        if self.peek(1) != b'/' && !Self::ends_word(self.peek(1)) {
            return self.refuse(Construct::Tilde);
        }
        self.at += 1;
        pieces.push(Piece::Home);
        Ok(())
    }

    /// `$NAME`, `${NAME}`, `$( … )`, `$?`, `$#`. zsh takes more characters after a bare name:
    /// `$V[0]` is a subscript there and `$V:h` a modifier.
    pub(super) fn expansion(&mut self, pieces: &mut Pieces<'a>, quoted: bool) -> Result<()> {
        self.count_word()?;
        match self.peek(1) {
            b'(' if self.peek(2) == b'(' => return self.arithmetic(pieces),
            b'(' => return self.substitution(pieces, quoted),
            b'?' if matches!(self.peek(2), b'[' | b':') => {
                if !quoted {
                    return self.refuse(Construct::Expansion);
                }
                // A part of it, or what a modifier makes of it.
                self.at += 2;
                pieces.push(Piece::Number);
                return Ok(());
            }
            // What follows `$#` directly may be what zsh and bash take the length of.
            b'#' if !Self::ends_word(self.peek(2)) && self.peek(2) != b'"' => {
                return self.refuse(Construct::Expansion);
            }
            b'?' | b'#' => {
                self.at += 2;
                pieces.push(Piece::Count);
                return Ok(());
            }
            b'\'' | b'"' if !quoted => return self.refuse(Construct::DollarQuote),
            _ => {}
        }
        let braced = self.peek(1) == b'{';
        let length = braced && self.peek(2) == b'#';
        let from = self.at + 1 + usize::from(braced) + usize::from(length);
        let mut to = from;
        while matches!(self.byte(to), b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_') {
            to += 1;
        }
        if to == from || self.byte(from).is_ascii_digit() {
            return self.refuse(Construct::Expansion);
        }
        let name = self.slice(from, to);
        let after = self.byte(to);
        let (end, piece) = match braced {
            false if after == b'[' || (after == b':' && !self.no_modifier(to + 1)) => {
                return self.refuse(Construct::Expansion);
            }
            false => (to, Piece::Parameter { name, quoted }),
            true if length && after == b'}' => (to + 1, Piece::Count),
            // To zsh the length of `${x-y}`, to bash an error, for which it gives up the line.
            true if length => return self.refuse(Construct::Expansion),
            true if after == b'[' => self.statuses(name, to, quoted)?,
            true if after == b'}' => (to + 1, Piece::Parameter { name, quoted }),
            true => {
                let (end, operation) = self.operation(to)?;
                (end + 1, Piece::Computed { name, operation, quoted })
            }
        };
        self.at = end;
        pieces.push(piece);
        Ok(())
    }

    /// `${PIPESTATUS[N]}`, `${PIPESTATUS[@]}`, from its `[` on: where it ends, and what it is.
    fn statuses(&self, name: &[u8], from: usize, quoted: bool) -> Result<(usize, Piece<'a>)> {
        let index = from + 1;
        let digits = (index..).take_while(|at| self.byte(*at).is_ascii_digit()).count();
        let many = matches!(self.byte(index), b'@' | b'*');
        let end = index + if many { 1 } else { digits };
        let plain = name == b"PIPESTATUS" && (many || (1..3).contains(&digits));
        if !plain || (self.byte(end), self.byte(end + 1)) != (b']', b'}') {
            return self.refuse(Construct::Expansion);
        }
        Ok((end + 2, Piece::Statuses { many, quoted }))
    }

    /// Is what stands behind a colon nothing that zsh takes for a modifier?
    fn no_modifier(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'"' | b'/' | b'$')
    }

    /// `:-WORD`, `:+WORD`, `#WORD`, `%WORD` in `${NAME…}`, and where it ends, if its word is plain:
    /// the shells agree on what comes out, though not on a quoted word in it. Nothing is assigned.
    /// What is cut off may be any text on one side of the word.
    fn operation(&self, from: usize) -> Result<(usize, Operation<'a>)> {
        let word = match (self.byte(from), self.byte(from + 1)) {
            (b':', b'-' | b'+') | (b'#', b'#') | (b'%', b'%') => from + 2,
            (b'-' | b'+' | b'#' | b'%', _) => from + 1,
            _ => return self.refuse(Construct::Expansion),
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./,@+-".contains(&byte);
        let cuts = matches!(self.byte(from), b'#' | b'%');
        let star = |at: usize| cuts && self.byte(at) == b'*';
        let start = word + usize::from(star(word));
        let end = (start..).find(|at| !plain(self.byte(*at))).unwrap_or(start);
        // One star, and something beside it.
        let last = end + usize::from(start == word && end > start && star(end));
        if self.byte(last) != b'}' || (start > word && end == start) {
            return self.refuse(Construct::Expansion);
        }
        let (operator, word) = (self.slice(from, word), self.slice(word, last));
        Ok((last, Operation { operator, word }))
    }

    /// `$( … )`.
    fn substitution(&mut self, pieces: &mut Pieces<'a>, quoted: bool) -> Result<()> {
        let list = self.enclosed(Construct::Expansion)?;
        pieces.push(Piece::Substitution { list, quoted });
        Ok(())
    }

    /// `<( … )` as a word, where no shell is a `sh`: dash reads an error there, and yash a
    /// redirection.
    pub(super) fn output(&mut self) -> Result<Argument<'a>> {
        let start = self.at;
        self.count_word()?;
        if self.shells.sh {
            return self.refuse(Construct::Parenthesis);
        }
        let list = self.enclosed(Construct::Parenthesis)?;
        // What follows belongs to the word.
        if !Self::ends_word(self.peek(0)) || b"(<>".contains(&self.peek(0)) {
            return self.refuse(Construct::Parenthesis);
        }
        let pieces = Few::one(Piece::Output(list));
        Ok(Argument { span: Span::new(start, self.at), pieces })
    }

    /// The list between parentheses, of which the first is the byte behind this one.
    fn enclosed(&mut self, refused: Construct) -> Result<List<'a>> {
        let open = self.at;
        if matches!(self.peek(2), b'(' | b'<') || self.documents.is_some() {
            return self.refuse(refused);
        }
        self.at += 2;
        self.newlines()?;
        if matches!(self.peek(0), b'(' | b')' | 0) {
            return self.refuse_at(refused, Span::new(open, self.at));
        }
        self.substitutions += 1;
        let list = self.list(End::Parenthesis)?;
        if let Some(document) = self.documents {
            return self.refuse_at(Construct::Heredoc, document.span);
        }
        self.substitutions -= 1;
        self.at += 1;
        Ok(list)
    }
}
