//! How lines are run: with which tools, and from which start.

use serde::{Deserialize, Serialize};

/// What stands behind the names of verbs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// The system's own tools: what a verb touches is seen as well as what the shell does.
    #[default]
    Real,
    /// Probes, and nothing else: PATH has only them. Seen is where the shell went, and with which
    /// arguments and in which directory it started which verb; a probe itself touches nothing,
    /// prints nothing and succeeds. A case that sets PATH itself leaves the probes.
    Probe {
        /// The verbs.
        verbs: Vec<String>,
    },
}

impl Lane {
    /// Probes for the verbs that the guard knows and the generators use.
    pub fn probe() -> Lane {
        let verbs = ["cat", "echo", "head", "ls", "pwd", "true", "wc"];
        Lane::Probe { verbs: verbs.map(str::to_owned).to_vec() }
    }
}

/// How a shell comes to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// It is executed.
    #[default]
    Exec,
    /// It is forked from a shell that was executed before and held before its `main`; executed
    /// where that cannot be done.
    Warm,
}
