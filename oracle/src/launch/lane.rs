//! How lines are run: with which tools, and from which start.

use crate::system::warm;
use serde::{Deserialize, Serialize};

/// What stands behind the names of verbs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// The system's own tools: what a verb touches is seen as well as what the shell does.
    #[default]
    Real,
    /// Probes, and nothing else: PATH has only them. Seen is where the shell went, and with which
    /// arguments and in which directory it started which verb; a probe itself touches nothing, and
    /// does beside that what [`super::Probes`] says. A case that sets PATH itself leaves the
    /// probes.
    Probe {
        /// The verbs.
        verbs: Vec<String>,
    },
}

impl Lane {
    /// Are there probes for this architecture?
    pub fn has_probes() -> bool {
        !warm::PROBE.is_empty()
    }

    /// Probes for the verbs that people give to agents, and the generators to lines. None starts
    /// another program: that is what a probe cannot stand for.
    pub fn probe() -> Lane {
        Lane::Probe { verbs: VERBS.split_whitespace().map(str::to_owned).collect() }
    }
}

const VERBS: &str = "
    awk base64 basename cargo cat chmod cmp column comm cp cut date df diff dirname du echo expr
    false file fold grep head hostname id jq join less ln ls make md5sum mkdir mktemp mv nl node
    npm od paste pnpm printf ps pwd python3 readlink realpath rev rg rm rmdir sed seq sha256sum
    sleep sort stat strings tac tail tar tee touch tr tree true truncate tsort uname uniq wc which
    whoami xxd yarn
";

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
    /// It is executed, contained like any other, and nobody looks: what the shells alone cost. The
    /// trace has a status and an output, and nothing else. For measuring.
    Unseen,
    /// It is executed under `strace -f -y` in a tree that `cp -a` has made and `rm -rf` removes,
    /// and strace's text is read: what a harness costs that is put together from what is on every
    /// machine. The trace is as empty as of [`Start::Unseen`]. For measuring.
    Straced,
}
