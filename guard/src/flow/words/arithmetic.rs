//! What `$(( … ))` comes to, where that is known, and whether anything in it can go wrong.

use super::Words;
use super::variables::{VALUES_MAX, Value};
use crate::flow::states::States;
use crate::syntax::tree::{Arithmetic, Calculation, Operator};

/// mksh computes with 32 bits: beyond them shells differ, though all go on with some number.
const BITS: u32 = 31;

/// What is known of a variable that is computed with.
enum Known {
    /// One of these numbers; `None` for one that is too large to be the same in all shells.
    OneOf(Vec<Option<i64>>),
    /// Some number.
    Integer,
    /// Digits, or nothing.
    Count,
}

impl Known {
    /// The number of a choice.
    fn number(&self, choice: usize) -> Option<i64> {
        match self {
            Known::OneOf(values) => values[choice],
            Known::Integer | Known::Count => None,
        }
    }

    fn choices(&self) -> usize {
        match self {
            Known::OneOf(values) => values.len(),
            Known::Integer | Known::Count => 1,
        }
    }
}

impl<'a> Words<'a> {
    /// What the calculation comes to in these states: `OneOf` or `Integer`. Nothing if a value in
    /// it may be no number, or if it may end in an error.
    pub(in crate::flow) fn arithmetic(
        &self,
        arithmetic: &Arithmetic<'_>,
        states: &States,
    ) -> Option<Value> {
        let mut names: Vec<(&[u8], Known)> = Vec::new();
        for step in &arithmetic.steps {
            let (Calculation::Variable(name) | Calculation::Value { name, .. }) = step else {
                continue;
            };
            if !names.iter().any(|(known, _)| known == name) {
                names.push((name, known(states.variables().value(name)?)?));
            }
        }
        let mut count = 1;
        for (_, known) in &mut names {
            if count * known.choices() > VALUES_MAX {
                *known = Known::Integer;
            }
            count *= known.choices();
        }
        if !self.room.takes_items(count.saturating_mul(arithmetic.steps.len())) {
            return None;
        }
        let mut values = Vec::with_capacity(count);
        let mut unknown = false;
        for mut choice in 0..count {
            let chosen: Vec<(&[u8], &Known, Option<i64>)> = names
                .iter()
                .map(|(name, known)| {
                    let number = known.number(choice % known.choices());
                    choice /= known.choices();
                    (*name, known, number)
                })
                .collect();
            match computed(&arithmetic.steps, &chosen)? {
                Some(number) => values.push(number.to_string().into_bytes()),
                None => unknown = true,
            }
        }
        values.sort();
        values.dedup();
        Some(if unknown { Value::Integer } else { Value::OneOf(values) })
    }
}

/// The numbers that a value may be, if it certainly is one that every shell reads alike.
fn known(value: &Value) -> Option<Known> {
    match value {
        Value::OneOf(values) => {
            let numbers: Option<Vec<_>> = values.iter().map(|it| integer(it)).collect();
            numbers.map(|numbers| Known::OneOf(numbers.into_iter().map(in_range).collect()))
        }
        Value::Integer => Some(Known::Integer),
        Value::Count | Value::Digits => Some(Known::Count),
        Value::Like(_) | Value::Plain | Value::Found(..) => None,
    }
}

/// A decimal number as shells print it. With a zero in front some take it for an octal one.
pub(super) fn integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let canonical = match digits {
        [b'0'] => digits.len() == text.len(),
        [first, rest @ ..] => (b'1'..=b'9').contains(first) && rest.len() < 18,
        [] => false,
    };
    let digits = std::str::from_utf8(text).ok().filter(|_| canonical)?;
    digits.parse().ok()
}

fn in_range(number: i64) -> Option<i64> {
    (number.unsigned_abs() < 1 << BITS).then_some(number)
}

/// The result: `Some(None)` for some number, `None` if it may be an error.
fn computed(
    steps: &[Calculation<'_>],
    chosen: &[(&[u8], &Known, Option<i64>)],
) -> Option<Option<i64>> {
    let find = |name: &[u8]| chosen.iter().find(|it| it.0 == name).map(|it| (it.1, it.2));
    let mut results: Vec<Option<i64>> = Vec::new();
    for step in steps {
        let result = match step {
            Calculation::Number(number) => Some(*number),
            // To all shells nothing is zero here.
            Calculation::Variable(name) => find(name)?.1,
            Calculation::Value { name, follows_minus } => {
                let (known, number) = find(name)?;
                let negative = number.is_none_or(|it| it < 0);
                if matches!(known, Known::Count) || (*follows_minus && negative) {
                    return None;
                }
                number
            }
            Calculation::Negate => results.pop()?.map(|it| -it),
            Calculation::Apply(operator) => {
                let (right, left) = (results.pop()?, results.pop()?);
                apply(*operator, left, right)?
            }
        };
        results.push(result.and_then(in_range));
    }
    results.pop()
}

fn apply(operator: Operator, left: Option<i64>, right: Option<i64>) -> Option<Option<i64>> {
    if let Operator::Divide | Operator::Remainder = operator {
        // The smallest number by -1 is an error to some.
        let harmless = right.is_some_and(|it| it > 0 || (it < 0 && left.is_some()));
        if !harmless {
            return None;
        }
    }
    let (Some(left), Some(right)) = (left, right) else { return Some(None) };
    Some(match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
    })
}
