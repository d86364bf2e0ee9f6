//! The agents, one file each. What a protocol is comes from its vendor's documentation or, where
//! that is silent, from the agent's source; where neither says it, the adapter takes the careful
//! meaning.

mod agy;
mod amp;
mod claude;
mod cline;
mod codex;
mod copilot;
mod crush;
mod cursor;
mod droid;
mod gemini;
mod goose;
mod grok;
mod kiro;
mod opencode;
mod qwen;
mod vscode;
mod windsurf;

use super::agent::Agent;

/// All agents, by name.
pub const AGENTS: &[Agent] = &[
    agy::AGENT,
    amp::AGENT,
    claude::AGENT,
    cline::AGENT,
    codex::AGENT,
    copilot::AGENT,
    crush::AGENT,
    cursor::AGENT,
    droid::AGENT,
    gemini::AGENT,
    goose::AGENT,
    grok::AGENT,
    kiro::AGENT,
    opencode::AGENT,
    qwen::AGENT,
    vscode::AGENT,
    windsurf::AGENT,
];
