//! OpenCode, through a plugin that hands over `{"command", "cwd", "root", "sessionID"}` and takes
//! `{"decision", "reason"}` (<https://opencode.ai/docs/plugins>).
//!
//! In version 1 a plugin can only refuse, by an error: what is asked is left to OpenCode's own
//! configuration. What becomes of "allow" and "ask" in version 2 is the plugin's business.

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{File, Folder, Holds, Runs, Setup};
use serde_json::json;
use shfence::{Decision, Dialects, Invocation};
use std::path::Path;

pub const AGENT: Agent = Agent {
    name: "opencode",
    shells: Dialects::ALL,
    // `eval "TEXT"`, quoted as JSON; older versions `sh -c TEXT`, which changes less.
    invocations: &[Invocation::JsonEval],
    project: None,
    asks: false,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["opencode"],
    home: Folder::of_config("opencode"),
    mark: None,
    files: &[File {
        user: "plugins/shfence.js",
        project: Some(".opencode/plugins/shfence.js"),
        holds: Holds::Text { executable: false, text: PLUGIN },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Program,
    canaries: &[(Moment::Use, r#"{"command": "@LINE@", "cwd": "@", "root": "@"}"#)],
    failing: "the plugin refuses the line (seen with 1.18.33)",
    limits: Some(
        "OpenCode's plugins can only refuse: what shfence allows or asks about is left to permission.bash of OpenCode's own settings.",
    ),
    then: "Restart OpenCode.",
};

const PLUGIN: &str = r#"// Written by 'shfence install opencode'.
// 'shfence uninstall opencode' removes it.
import { execFileSync } from "node:child_process"

const [program, ...words] = @ARGV@

export const Shfence = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "bash") return
    // Outside of a repository the worktree is "/".
    const root = worktree === "/" ? directory : worktree
    const request = JSON.stringify({
      command: output.args.command, cwd: output.args.workdir ?? directory, root,
    })
    const answer = JSON.parse(execFileSync(program, words, { input: request, timeout: 10_000 }))
    if (answer.decision === "deny") throw new Error(answer.reason)
  },
})
"#;

fn read(payload: &Payload<'_>) -> Asked {
    payload
        .asks_about("command", None, Moment::Use)
        .within(payload.directory("root").map(Path::to_owned))
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    Reply::json(&match opinion {
        Some(decision) => json!({"decision": decision.name(), "reason": reason}),
        None => json!({"decision": "none"}),
    })
}
