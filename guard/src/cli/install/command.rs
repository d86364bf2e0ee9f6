//! The command line of a hook, as it stands in an agent's settings.

use std::path::{Path, PathBuf};

/// The command line that runs a hook: for a shell, and as its words.
pub struct Command {
    /// Program, `hook`, agent, options.
    words: Vec<String>,
}

impl Command {
    /// The hook of an agent, run by this program.
    pub fn new(program: &str, agent: &str, options: &[&str]) -> Command {
        let words = [program, "hook", agent].into_iter().chain(options.iter().copied());
        Command { words: words.map(str::to_owned).collect() }
    }

    /// As a shell takes it: any of them, fish and those of Windows left aside.
    pub fn line(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    }

    /// As a list of JSON.
    pub fn argv(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| json_string(word)).collect();
        format!("[{}]", words.join(", "))
    }
}

/// A string of JSON.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A word, quoted if a shell would read it in another way.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The words of a command line of which only quotes are understood.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let (mut quote, mut escaped) = (None, false);
    for c in line.chars() {
        match (c, quote) {
            _ if escaped => {
                escaped = false;
                word.get_or_insert_default().push(c);
            }
            ('\\', None | Some('"')) => escaped = true,
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ' | '\t' | '\n', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The words of what stands in an agent's settings: a command line, or the path of a program that
/// is called without arguments, which may hold blanks.
pub fn words_of(line: &str, agent: &str) -> Vec<String> {
    let is_path = line.starts_with('/') && is_named(line, &format!("shfence-hook-{agent}"));
    if is_path { vec![line.to_owned()] } else { words(line) }
}

/// Where in the words of a command line the guard's program stands, if it runs the hook of this
/// agent.
pub fn program_of(words: &[String], agent: &str) -> Option<usize> {
    if words.first().is_some_and(|first| is_named(first, &format!("shfence-hook-{agent}"))) {
        return Some(0);
    }
    let runs = |it: &[String]| is_named(&it[0], "shfence") && it[1] == "hook" && it[2] == agent;
    words.windows(3).position(runs)
}

fn is_named(path: &str, name: &str) -> bool {
    Path::new(path).file_name().is_some_and(|it| it == name)
}

/// The path of this program that is written down: the name by which `PATH` leads to it, since that
/// outlives an upgrade, or else where it lies.
pub fn own_program() -> Result<String, String> {
    let own = std::env::current_exe()
        .and_then(|own| own.canonicalize())
        .map_err(|error| format!("it is not known where this program lies: {error}"))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let leads_here = |candidate: &PathBuf| {
        candidate.is_absolute() && candidate.canonicalize().is_ok_and(|there| there == own)
    };
    let mut named = std::env::split_paths(&path).map(|directory| directory.join("shfence"));
    let program = named.find(leads_here).unwrap_or(own);
    program.into_os_string().into_string().map_err(|program| {
        let shown = program.to_string_lossy();
        format!("the path of this program is no UTF-8, and settings are: {shown}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_quoted_is_one_word(word in ".*", more in "[ -~]{1,9}") {
            let line = format!("{} {}", quoted(&word), quoted(&more));
            prop_assert_eq!(words(&line), [word, more]);
        }
    }

    #[test]
    fn a_hook_is_known_by_its_program_and_agent() {
        let runs = |line: &str| program_of(&words_of(line, "claude"), "claude");
        assert_eq!(runs("/opt/shfence hook claude --shadow"), Some(0));
        assert_eq!(runs("'/a b/shfence' hook claude"), Some(0));
        assert_eq!(runs("exec \"/a b/shfence\" hook claude"), Some(1));
        assert_eq!(runs("/opt/shfence-hook-claude"), Some(0));
        assert_eq!(runs("/opt/my own/shfence-hook-claude"), Some(0));
        for other in ["", "shfence", "shfence hook codex", "myshfence hook claude", "echo shfence"]
        {
            assert_eq!(runs(other), None, "{other}");
        }
    }
}
