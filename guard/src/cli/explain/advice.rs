//! What a person can do about a reason, where there is something.

use super::super::telling::instead_of;
use shfence::{Code, Construct, Scope};

/// A sentence without a full stop.
pub fn advice(code: Code, scope: &Scope) -> Option<String> {
    let text = match code {
        Code::CwdOutside | Code::PathOutside => {
            let roots: Vec<String> = scope.roots().iter().map(ToString::to_string).collect();
            let roots = roots.join(" and ");
            return Some(format!("the project is {roots}; --root names another directory"));
        }
        Code::NotUnderstood(Construct::OpaqueCommand) => {
            "write what it would run as a command of its own"
        }
        Code::NotUnderstood(Construct::ReservedWord | Construct::DollarQuote) => {
            "write it in a way that bash, sh and zsh have in common"
        }
        Code::UndeclaredVerb => "'shfence verbs' lists what is declared; the rest is always asked",
        Code::UndeclaredOption => "'shfence verbs NAME' shows what is declared of a verb",
        Code::Environment => "the agent should run without it",
        Code::Fetches => "install it in the project first",
        Code::Writes => "only what reads and what builds is allowed without a question",
        _ => instead_of(code)?,
    };
    Some(text.to_owned())
}
