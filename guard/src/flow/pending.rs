//! What a compound command does before its first simple command.

use super::states::States;
use super::step::{INERT, Looks, Word};
use crate::syntax::tree::{Redirection, Target};
use crate::syntax::{Construct, NotUnderstood};

/// What a compound command does before its first simple command, which carries it in the plan.
#[derive(Clone, Default)]
pub(super) struct Pending<'a> {
    pub(super) redirections: Vec<(&'a Redirection<'a>, States)>,
    pub(super) opened: Vec<(&'a Redirection<'a>, Word<'a>)>,
    pub(super) looks: Looks,
}

impl Pending<'_> {
    /// What no command carries, since none follows: `(x=1) >f`.
    pub(super) fn left(&self) -> Option<NotUnderstood> {
        let opens = |(redirection, _): &(&Redirection<'_>, States)| match &redirection.target {
            Target::Read(file) | Target::Write(file) => {
                let inert = file.literal().is_some_and(|text| INERT.contains(&&text[..]));
                (!inert).then_some(redirection.span)
            }
            _ => None,
        };
        let opened = self.redirections.iter().find_map(opens);
        let looks = self.looks.known.iter().map(|look| look.span);
        let span = opened.or_else(|| looks.chain(self.looks.anywhere.iter().copied()).next())?;
        Some(NotUnderstood { construct: Construct::NoCommand, span })
    }
}
