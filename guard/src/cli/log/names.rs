//! What a segment is called in the log: its verb, and the sub-command. Never another word of it.

use shfence::verbs::{self, Grammar, Language, Verb};
use shfence::{PlanWord, Segment};

/// Programs without sub-commands that are often asked about: their first word is an operand.
// tidy: table
#[rustfmt::skip]
const WITHOUT_SUB_COMMANDS: &[&str] = &[
    "bash", "chgrp", "chmod", "chown", "cp", "curl", "dash", "dd", "dig", "eval", "exec", "export",
    "fish", "host", "install", "kill", "killall", "ln", "mkdir", "mktemp", "mv", "nc", "node",
    "patch", "perl", "pgrep", "php", "ping", "pkill", "printf", "psql", "python", "python3", "rm",
    "rmdir", "rsync", "ruby", "scp", "set", "sftp", "sh", "shred", "source", "ssh", "su", "sudo",
    "tar", "tee", "touch", "truncate", "unlink", "unset", "unzip", "wget", "zip", "zsh",
];

/// How long a name is shown, in characters.
const NAME_MAX: usize = 40;

/// The verb of a segment, with its sub-command if it has one: `git log`, `npm run`. `?` for a verb
/// that is not known before the line runs.
pub fn verb_of(segment: &Segment) -> String {
    let Some(PlanWord::Is(name)) = segment.argv.first() else { return "?".to_owned() };
    let first = match segment.argv.get(1) {
        Some(PlanWord::Is(word)) => std::str::from_utf8(word).unwrap_or_default(),
        _ => "",
    };
    let mut shown: String = String::from_utf8_lossy(name)
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .take(NAME_MAX)
        .collect();
    if has_sub_command(&shown, verbs::find(name), first) {
        shown.push(' ');
        shown.push_str(first);
    }
    shown
}

fn has_sub_command(name: &str, verb: Option<Verb<'_>>, first: &str) -> bool {
    let may_have = match verb.map(|verb| &verb.entry.grammar) {
        Some(Grammar::Options(options)) => {
            if options.subs.iter().any(|sub| sub.names.contains(first)) {
                return true;
            }
            !options.subs.is_empty()
        }
        Some(Grammar::Language(Language::Git)) => true,
        Some(_) => false,
        // What is not declared may have sub-commands. A path has none.
        None => !name.contains('/'),
    };
    may_have && !WITHOUT_SUB_COMMANDS.contains(&name) && is_plain(first)
}

/// Letters, digits and hyphens, a small letter first: how sub-commands are called.
fn is_plain(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    word.len() <= 24
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shfence::{Cwds, Span};

    #[test]
    fn only_verb_and_sub_command_are_shown() {
        for (words, expected) in [
            ("git log -p secret", "git log"),
            ("git push origin", "git push"),
            ("git -C dir push", "git"),
            ("npm run build", "npm run"),
            ("npm install left-pad", "npm install"),
            ("cargo test secret", "cargo test"),
            ("cat secret", "cat"),
            ("echo secret", "echo"),
            ("rm secret", "rm"),
            ("gh pr list", "gh pr"),
            ("./deploy secret", "./deploy"),
            ("node secret", "node"),
            ("foo SECRET", "foo"),
            ("foo secret.txt", "foo"),
        ] {
            let argv = words.split(' ').map(|it| PlanWord::Is(it.as_bytes().into())).collect();
            let (span, cwd) = (Span::default(), Cwds::Unknown);
            let segment = Segment { span, cwd, argv, paths: Vec::new(), reading: None };
            assert_eq!(verb_of(&segment), expected);
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(WITHOUT_SUB_COMMANDS.is_sorted());
    }
}
