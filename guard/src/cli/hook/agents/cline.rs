//! Cline, hook PreToolUse (<https://github.com/cline/cline>, `.clinerules/hooks/README.md`).
//!
//! It can only be refused. A request names no directory: lines run in the first workspace.

use super::super::agent::{Agent, Asked, Moment, Reply, UNKNOWN_WAY};
use super::super::payload::Payload;
use super::super::setup::{File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects};
use std::path::PathBuf;

pub const AGENT: Agent = Agent {
    name: "cline",
    shells: Dialects::ALL,
    invocations: UNKNOWN_WAY,
    project: None,
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["cline"],
    home: Folder::of_home("Documents/Cline/Hooks"),
    mark: Some("Documents/Cline"),
    files: &[File {
        user: "PreToolUse",
        project: Some(".clinerules/hooks/PreToolUse"),
        holds: Holds::Text { executable: true, text: SCRIPT },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Program,
    canaries: &[(
        Moment::Use,
        r#"{"clineVersion": "3", "hookName": "PreToolUse", "workspaceRoots": ["@"], "preToolUse": {"toolName": "execute_command", "parameters": {"command": "@LINE@"}}}"#,
    )],
    failing: "Cline does as without it",
    limits: Some(
        "Cline's hooks can only refuse: what shfence asks about is not stopped, unless the hook has --ask-denies; what it allows is left to Cline.",
    ),
    then: "Switch hooks on in the settings of Cline.",
};

const SCRIPT: &str = "#!/bin/sh
# Written by 'shfence install cline'; 'shfence uninstall cline' removes it.
exec @COMMAND@
";

fn read(payload: &Payload<'_>) -> Asked {
    let Some(call) = payload.object("preToolUse") else { return Asked::Nothing(Moment::Use) };
    let tool = call.text("toolName").or(call.text("tool"));
    if !matches!(tool, Some("execute_command" | "run_commands")) {
        return Asked::Nothing(Moment::Use);
    }
    let roots = payload.directories("workspaceRoots");
    let asked = call.asks("parameters", roots.first().map(PathBuf::as_path), Moment::Use);
    asked.within(roots)
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    Reply::json(&match opinion {
        Some(Decision::Deny) => json!({"cancel": true, "errorMessage": reason}),
        _ => json!({"cancel": false}),
    })
}
