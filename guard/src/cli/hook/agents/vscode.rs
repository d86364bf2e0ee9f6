//! The agent of VS Code, event PreToolUse
//! (<https://code.visualstudio.com/docs/agents/reference/hooks-reference>).
//!
//! It ignores matchers: the hook is called for every tool. The text is typed into an interactive
//! terminal, its newlines turned into blanks before. The terminal lives on, and is where the last
//! line left it (`run_in_terminal`, "preserving environment variables, working directory"), while a
//! request has the directory of the workspace: so a line is allowed only if it says itself where it
//! goes.

use super::super::agent::{Agent, Asked, Moment, Reply};
use super::super::payload::Payload;
use super::super::setup::{Entry, File, Folder, Holds, Runs, Setup};
use super::claude::before_use;
use shfence::{Decision, Dialects, Invocation};

pub const AGENT: Agent = Agent {
    name: "vscode",
    shells: Dialects::ALL,
    invocations: &[Invocation::Typed],
    project: None,
    asks: true,
    read,
    reply,
    setup: &SETUP,
};

// tidy: table
const SETUP: Setup = Setup {
    programs: &["code"],
    home: Folder::of_home(".copilot"),
    mark: Some(".vscode"),
    files: &[File {
        user: "hooks/shfence-vscode.json",
        project: Some(".github/hooks/shfence-vscode.json"),
        holds: Holds::Entries {
            version: None,
            entries: &[Entry {
                at: &["hooks", "PreToolUse"],
                item: r#"{"type": "command", "command": "@COMMAND@", "timeout": 10}"#,
            }],
        },
    }],
    switches: &[],
    trust: None,
    runs: Runs::Sh,
    canaries: &[(
        Moment::Use,
        r#"{"hook_event_name": "PreToolUse", "cwd": "@", "tool_name": "run_in_terminal", "tool_input": {"command": "cd '@' && @LINE@"}}"#,
    )],
    failing: "VS Code does as without it",
    limits: Some(
        "Its terminal is where the last line left it, which no request says: a line is allowed if it begins with 'cd /DIRECTORY &&'.",
    ),
    then: "Reload the window of VS Code.",
};

fn read(payload: &Payload<'_>) -> Asked {
    let event = payload.text("hookEventName").or(payload.text("hook_event_name"));
    match (event, payload.text("tool_name")) {
        (Some("PreToolUse"), Some("run_in_terminal" | "runTerminalCommand")) => {
            payload.asks("tool_input", None, Moment::Use).in_session(payload.directory("cwd"))
        }
        _ => Asked::Nothing(Moment::Use),
    }
}

fn reply(_: Moment, opinion: Option<Decision>, reason: &str) -> Reply {
    opinion.map_or(Reply::silence(), |decision| before_use(decision, reason))
}
