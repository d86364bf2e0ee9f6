//! `$(( … ))`.
//!
//! Where a name stands in it, shells compute the text of its value, which may run commands. And for
//! an error bash gives up the rest of the line, whatever stands around it, and goes on with the
//! next one, from wherever it has got to. So it is read in full here, and computed where it stands
//! (`flow/words/arithmetic.rs`): a line is understood only if nothing in it can go wrong.

use super::not_understood::Construct;
use super::recogniser::{Recogniser, Result};
use super::tree::{Arithmetic, Calculation, Operator, Piece};
use super::word::Pieces;
use crate::span::Span;

/// How deep parentheses go: some shells compute them by recursion.
const DEPTH_MAX: usize = 16;

/// What waits for its right side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Parenthesis,
    Negation,
    Operator(Operator),
}

impl Waiting {
    /// How tightly it binds.
    fn rank(self) -> u8 {
        match self {
            Waiting::Parenthesis => 0,
            Waiting::Operator(Operator::Add | Operator::Subtract) => 1,
            Waiting::Operator(_) => 2,
            Waiting::Negation => 3,
        }
    }

    fn calculation<'a>(self) -> Option<Calculation<'a>> {
        match self {
            Waiting::Parenthesis => None,
            Waiting::Negation => Some(Calculation::Negate),
            Waiting::Operator(operator) => Some(Calculation::Apply(operator)),
        }
    }
}

impl<'a> Recogniser<'a> {
    /// `$(( … ))` of decimals, variables, `+ - * / %`, parentheses, and `-` in front of a whole.
    pub(super) fn arithmetic(&mut self, pieces: &mut Pieces<'a>) -> Result<()> {
        let open = self.at;
        self.at += 3;
        let mut steps = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            let before = waiting.last().copied();
            let Some(operand) = self.computed_operand(before, &mut waiting)? else {
                return self.refuse_at(Construct::Expansion, Span::new(open, self.at));
            };
            steps.push(operand);
            if !self.operator(&mut waiting, &mut steps) {
                break;
            }
        }
        let closed = !waiting.contains(&Waiting::Parenthesis);
        if !closed || self.peek(0) != b')' || self.peek(1) != b')' {
            return self.refuse_at(Construct::Expansion, Span::new(open, self.at));
        }
        steps.extend(waiting.iter().rev().filter_map(|it| it.calculation()));
        self.at += 2;
        pieces.push(Piece::Arithmetic(Box::new(Arithmetic { steps })));
        Ok(())
    }

    /// A number or a variable, and what stands in front of it. `before`: what it is the right side
    /// of.
    fn computed_operand(
        &mut self,
        mut before: Option<Waiting>,
        waiting: &mut Vec<Waiting>,
    ) -> Result<Option<Calculation<'a>>> {
        let mut first = before.is_none_or(|it| it == Waiting::Parenthesis);
        loop {
            self.spaces();
            match self.peek(0) {
                b'(' if waiting.len() < DEPTH_MAX => {
                    waiting.push(Waiting::Parenthesis);
                    first = true;
                }
                b'-' if first => {
                    waiting.push(Waiting::Negation);
                    first = false;
                }
                _ => break,
            }
            before = waiting.last().copied();
            self.at += 1;
        }
        if self.peek(0).is_ascii_digit() {
            return Ok(self.decimal());
        }
        // A value that begins with `-` must not follow one.
        let minus = [Waiting::Negation, Waiting::Operator(Operator::Subtract)];
        let follows_minus = before.is_some_and(|it| minus.contains(&it));
        let dollar = self.peek(0) == b'$';
        if dollar {
            self.count_word()?;
            self.at += 1;
        }
        let braced = dollar && self.peek(0) == b'{';
        self.at += usize::from(braced);
        let start = self.at;
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
            self.at += 1;
        }
        let name = self.slice(start, self.at);
        // Two names that zsh takes for numbers.
        let special = [&b"inf"[..], b"nan"].iter().any(|it| it.eq_ignore_ascii_case(name));
        if name.first().is_none_or(u8::is_ascii_digit) || special {
            return Ok(None);
        }
        if braced {
            if self.peek(0) != b'}' {
                return Ok(None);
            }
            self.at += 1;
        }
        Ok(Some(match dollar {
            true => Calculation::Value { name, follows_minus },
            false => Calculation::Variable(name),
        }))
    }

    /// To bash 09 is an octal number, and a wrong one. mksh computes with 32 bits.
    fn decimal(&mut self) -> Option<Calculation<'a>> {
        let start = self.at;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        let digits = self.slice(start, self.at);
        if digits.len() > 9 || (digits[0] == b'0' && digits.len() > 1) {
            return None;
        }
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        Some(Calculation::Number(value))
    }

    /// Closing parentheses and an operator. False if there is none: at the end, or where something
    /// stands that does not belong there.
    fn operator(&mut self, waiting: &mut Vec<Waiting>, steps: &mut Vec<Calculation<'a>>) -> bool {
        loop {
            self.spaces();
            let operator = match self.peek(0) {
                b')' => {
                    while let Some(calculation) = waiting.last().and_then(|it| it.calculation()) {
                        steps.push(calculation);
                        waiting.pop();
                    }
                    if waiting.pop().is_none() {
                        return false;
                    }
                    self.at += 1;
                    continue;
                }
                b'+' => Operator::Add,
                b'-' => Operator::Subtract,
                b'*' => Operator::Multiply,
                b'/' => Operator::Divide,
                b'%' => Operator::Remainder,
                _ => return false,
            };
            self.at += 1;
            let operator = Waiting::Operator(operator);
            while let Some(before) = waiting.last().filter(|it| it.rank() >= operator.rank()) {
                steps.extend(before.calculation());
                waiting.pop();
            }
            waiting.push(operator);
            return true;
        }
    }

    fn spaces(&mut self) {
        while self.peek(0) == b' ' {
            self.at += 1;
        }
    }
}
