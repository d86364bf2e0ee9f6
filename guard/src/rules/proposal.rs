//! The rule that a person may want who is asked about a line: the narrowest that still answers the
//! next line of the kind.
//!
//! A saved line comes back in one of twenty cases, a saved program with its sub-command in nearly
//! all. What runs other programs is not proposed: that would be a rule for everything.

use super::pattern::base_name;
use super::{Pattern, Token, runs_code};
use crate::flow::Word;
use crate::plan::{Plan, PlanWord, Segment};
use crate::syntax::{may_run_its_words, runs_its_words};
use crate::verbs::{self, Grammar, Options};
use crate::verdict::{Code, Reason, Verdict};

/// Programs that change the files that their operands name: a proposed rule has the program alone.
// tidy: table
#[rustfmt::skip]
const OF_FILES: &[&str] = &[
    "chmod", "chown", "cp", "dd", "install", "ln", "mkdir", "mv", "rm", "rmdir", "tar", "tee", "touch",
    "truncate", "unzip", "zip",
];

/// Which of its words name files that this command changes, with all that stands below them? What
/// is copied or moved into a directory changes nothing there but by its own name.
pub(crate) fn changed_by(words: &[Word<'_>]) -> std::ops::Range<usize> {
    let text = |word: &Word<'_>| match word {
        Word::Is(text) => text.to_vec(),
        _ => Vec::new(),
    };
    let program = words.first().map(text).unwrap_or_default();
    let program = base_name(&program);
    let is_in = |list: &[&str]| list.iter().any(|it| it.as_bytes() == program);
    if !is_in(OF_FILES) && !is_in(&["rsync", "shred", "unlink"]) {
        return 0..0;
    }
    let to_directory = words.iter().any(|word| {
        let text = text(word);
        text.starts_with(b"-t") || text.starts_with(b"--t")
    });
    let copies = is_in(&["cp", "install", "ln", "mv"]) && !to_directory;
    match words {
        [_, _, .., Word::Is(_)] if copies => 1..words.len() - 1,
        _ => 1..words.len(),
    }
}

/// Words behind which a further one says what is done: `npm run build`, `git stash push`.
// tidy: table
#[rustfmt::skip]
const GROUPS: &[(&str, &[&str])] = &[
    ("aws", &["ec2", "ecr", "iam", "lambda", "logs", "s3", "s3api", "ssm", "sts"]),
    ("bun", &["run", "x", "pm"]), ("bundle", &["exec"]), ("bunx", &[]), ("cargo", &["run", "xtask"]),
    ("composer", &["exec", "run", "run-script"]), ("deno", &["run", "task"]),
    ("docker", &["buildx", "compose", "container", "exec", "image", "network", "run", "volume"]),
    ("gh", &["issue", "pr", "release", "repo", "run", "workflow"]), ("glab", &["issue", "mr", "release"]),
    ("gcloud", &["compute", "container", "projects", "run"]),
    ("git", &["bundle", "notes", "sparse-checkout", "stash", "worktree"]), ("go", &["mod", "tool", "run"]),
    ("just", &[]), ("make", &[]), ("mise", &["exec", "run", "x"]), ("nix", &["develop", "run", "shell"]),
    ("npm", &["exec", "rum", "run", "run-script", "x"]), ("npx", &[]), ("pipenv", &["run"]),
    ("pipx", &["run"]), ("pnpm", &["dlx", "exec", "run"]), ("pnpx", &[]), ("poetry", &["run"]),
    ("podman", &["compose", "container", "exec", "image", "run"]), ("rake", &[]), ("task", &[]),
    ("uv", &["pip", "run", "tool"]), ("uvx", &[]), ("yarn", &["dlx", "exec", "run", "workspace"]),
];

/// The rules that would open what of a line is not declared, each once, or why there is none for a
/// command.
pub fn propose(verdict: &Verdict) -> Vec<Result<Pattern, String>> {
    let Ok(plan) = &verdict.plan else { return Vec::new() };
    let mut proposals: Vec<Result<Pattern, String>> = Vec::new();
    let asked: Vec<&Segment> =
        plan.segments.iter().filter(|it| is_asked_about(it, plan, verdict)).collect();
    for segment in &asked {
        // What another command runs has rules of its own if that one only passes it on, and those
        // of the outer one otherwise.
        let same = asked.iter().filter(|it| it.span == segment.span);
        let (longer, shorter): (Vec<&&Segment>, Vec<&&Segment>) = same
            .filter(|it| it.argv.len() != segment.argv.len())
            .partition(|it| it.argv.ends_with(&segment.argv));
        let covered = longer.iter().any(|it| !passes_on(it));
        let passed =
            passes_on(segment) && shorter.iter().any(|it| segment.argv.ends_with(&it.argv));
        let proposal = prefix(&segment.argv);
        if !covered && !passed && !proposals.contains(&proposal) {
            proposals.push(proposal);
        }
    }
    proposals
}

/// Is it asked about because it is not declared? A command that stands within another one, in a
/// substitution, is meant by itself.
fn is_asked_about(segment: &Segment, plan: &Plan, verdict: &Verdict) -> bool {
    let lifted =
        |code| matches!(code, Code::UndeclaredVerb | Code::UndeclaredOption | Code::Fetches);
    let holds = |segment: &Segment, reason: &Reason| {
        segment.span.start <= reason.span.start && reason.span.end <= segment.span.end
    };
    let length = |segment: &Segment| segment.span.end - segment.span.start;
    verdict.reasons.iter().filter(|reason| lifted(reason.code)).any(|reason| {
        let around = plan.segments.iter().filter(|it| holds(it, reason)).map(length);
        holds(segment, reason) && around.min() == Some(length(segment))
    })
}

/// Does it run its words as a command of its own?
fn passes_on(segment: &Segment) -> bool {
    matches!(segment.argv.first(), Some(PlanWord::Is(name)) if runs_its_words(base_name(name)))
}

/// How a rule for such a command begins.
fn prefix(words: &[PlanWord]) -> Result<Pattern, String> {
    let texts: Vec<&[u8]> = words
        .iter()
        .map_while(|word| match word {
            PlanWord::Is(text) => Some(&text[..]),
            _ => None,
        })
        .collect();
    let Some((&called, rest)) = texts.split_first() else {
        return Err("which program this runs is not known before the line does".to_owned());
    };
    let program = base_name(called);
    let shown = String::from_utf8_lossy(program).into_owned();
    let is_in = |list: &[&str]| list.iter().any(|it| it.as_bytes() == program);
    if may_run_its_words(program) || program.is_empty() {
        return Err(format!("a rule for '{shown}' would open whatever it is told to run"));
    }
    if runs_code(words) {
        return Err(format!("a rule for '{shown}' would open any code in its words"));
    }
    let count = match () {
        () if is_in(OF_FILES) => 0,
        () if program == b"git" => sub_command(rest),
        () => {
            let told = declared(program, rest).max(grouped(program, rest));
            first_of([told.max(module_or_script(words, rest)), first_word(program, rest)])
        }
    };
    let open = |needed| Err(format!("a rule for '{needed}' alone would open too much"));
    let needs_word =
        GROUPS.iter().any(|(name, subs)| name.as_bytes() == program && subs.is_empty());
    match count {
        0 if program == b"git" || needs_word => return open(shown),
        1 if is_group(program, rest) => {
            return open(format!("{shown} {}", String::from_utf8_lossy(rest[0])));
        }
        _ => {}
    }
    let tokens = std::iter::once(called).chain(rest.iter().copied().take(count));
    Pattern::from_tokens(tokens.map(|it| Token::Is(it.to_vec())).collect(), false)
        .map_err(|error| error.to_string())
}

/// The first number that is not 0.
fn first_of(numbers: [usize; 2]) -> usize {
    if numbers[0] == 0 { numbers[1] } else { numbers[0] }
}

/// How many words say which sub-command of git this is.
fn sub_command(rest: &[&[u8]]) -> usize {
    let mut at = 0;
    while let Some(word) = rest.get(at) {
        match *word {
            b"-C" | b"-c" => at += 2,
            [b'-', ..] => at += 1,
            _ => return at + first_of([grouped(b"git", &rest[at..]), 1]),
        }
    }
    0
}

/// How many words the catalogue takes for sub-commands, and the undeclared word behind them.
fn declared(program: &[u8], rest: &[&[u8]]) -> usize {
    let Some(verb) = verbs::find(program) else { return 0 };
    let Grammar::Options(options) = &verb.entry.grammar else { return 0 };
    let mut options: &Options = options;
    let mut count = 0;
    while let Some(word) = rest.get(count) {
        let named = |name: &str| name.as_bytes() == *word;
        match options.subs.iter().find(|sub| sub.names.iter().any(named)) {
            Some(sub) => options = &sub.options,
            None => break,
        }
        count += 1;
    }
    let undeclared = rest.get(count).is_some_and(|word| {
        let option = |it: &verbs::Opt| it.name.as_bytes() == *word;
        word.starts_with(b"-") && word.len() > 1 && !options.options.iter().any(option)
    });
    count + usize::from(undeclared)
}

/// Words behind a group: `run build`.
fn grouped(program: &[u8], rest: &[&[u8]]) -> usize {
    match is_group(program, rest) {
        true => 1 + usize::from(rest.get(1).is_some_and(|word| is_name(word))),
        false => 0,
    }
}

fn is_group(program: &[u8], rest: &[&[u8]]) -> bool {
    let Some(first) = rest.first() else { return false };
    let named = |it: &&str| it.as_bytes() == *first;
    GROUPS.iter().any(|(name, subs)| name.as_bytes() == program && subs.iter().any(named))
}

/// `-m NAME`, or the script that an interpreter runs.
fn module_or_script(words: &[PlanWord], rest: &[&[u8]]) -> usize {
    // Without its words it would run code that comes in.
    if !runs_code(&words[..1]) {
        return 0;
    }
    match rest.iter().position(|word| !word.starts_with(b"-") || *word == b"-m") {
        Some(at) if rest[at] == b"-m" => (at + 2).min(rest.len()),
        Some(at) => at + 1,
        None => 0,
    }
}

/// The first word, if it says what is done.
fn first_word(program: &[u8], rest: &[&[u8]]) -> usize {
    let tool = GROUPS.iter().any(|(name, _)| name.as_bytes() == program);
    let says = |word: &&[u8]| if tool { is_name(word) } else { is_plain(word) };
    usize::from(rest.first().is_some_and(says))
}

/// A lower-case word, such as sub-commands are.
fn is_plain(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_lowercase)
        && word.iter().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || *it == b'-')
}

/// The name of a script, a service, a tool: `test:unit`.
fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_alphanumeric)
        && word.iter().all(|it| it.is_ascii_alphanumeric() || b"-_:.".contains(it))
}
