//! A rule's own tests: lines that it is about, and lines that it is not.

use crate::decide::decide;
use crate::request::{Cwd, Dialects, Env, Invocation, Limits, Policy, Request};
use crate::rules::{Rule, is_about};
use crate::scope::Scope;
use crate::view::NoView;
use std::path::Path;

/// Is the rule about some command of the line just if it is `wanted` to be? The error says what is
/// the case instead.
pub(super) fn holds(rule: &Rule, line: &str, wanted: bool) -> Result<(), String> {
    let project = Path::new("/project");
    let scope = Scope::new(&[project.to_owned()], &NoView).map_err(|error| error.to_string())?;
    let request = Request {
        line: line.as_bytes(),
        cwd: Cwd { dir: project, pwd: Some(project) },
        scope: &scope,
        home: None,
        env: &Env::new(),
        dialects: Dialects::ALL,
        invocation: Invocation::C,
        policy: &Policy::default(),
        limits: Limits::default(),
    };
    let is_about = match decide(&request, &NoView).plan {
        Ok(plan) => is_about(rule, &plan),
        Err(stop) => return Err(format!("this test is not understood: {stop}")),
    };
    match (is_about, wanted) {
        (true, true) | (false, false) => Ok(()),
        (false, true) => Err(format!("the rule '{}' is not about this line", rule.pattern)),
        (true, false) => Err(format!("the rule '{}' is about this line", rule.pattern)),
    }
}
