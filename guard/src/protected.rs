//! Names of files that hold secrets: reading one asks, wherever it stands. And of those that say
//! what may run, or what an agent is told: writing one asks.
//!
//! A listing that merely shows such a name is no read, and neither is a search that passes over one
//! below its operand.

use crate::globs::alternatives;
use crate::short::Short;
use std::borrow::Cow;

/// Names of directories in which everything is secret.
const DIRECTORIES: [&[u8]; 3] = [b".aws", b".gnupg", b".ssh"];

/// Names of files.
const FILES: [&[u8]; 5] = [b".env", b".git-credentials", b".netrc", b".npmrc", b".pypirc"];

/// Beginnings of names of files.
const BEGINNINGS: [&[u8]; 5] = [b".env.", b"credentials", b"id_ed25519", b"id_rsa", b"secrets"];

/// Ends of names of files.
const ENDS: [&[u8]; 2] = [b".key", b".pem"];

/// What is no secret although it begins like one.
const EXAMPLES: [&[u8]; 3] = [b".env.example", b".env.sample", b".env.template"];

/// Is this the name of a file that holds a secret? File systems may not tell case apart.
pub(crate) fn is_secret_file(name: &[u8]) -> bool {
    let is = |list: &[&[u8]]| list.iter().any(|it| name.eq_ignore_ascii_case(it));
    let first = |it: &[u8]| name.get(..it.len());
    let last = |it: &[u8]| name.len().checked_sub(it.len()).map(|at| &name[at..]);
    let secret = is(&FILES)
        || BEGINNINGS.iter().any(|it| first(it).is_some_and(|part| part.eq_ignore_ascii_case(it)))
        || ENDS.iter().any(|it| last(it).is_some_and(|part| part.eq_ignore_ascii_case(it)));
    secret && !is(&EXAMPLES)
}

/// Does a path below a root lead to a secret?
pub(crate) fn is_secret_path(below_root: &[u8]) -> bool {
    if !below_root.is_ascii() {
        return is_secret_ascii(&folded(below_root));
    }
    is_secret_ascii(below_root)
}

fn is_secret_ascii(below_root: &[u8]) -> bool {
    let names = || below_root.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    names().any(is_secret_directory) || names().next_back().is_some_and(is_secret_file)
}

/// Is this the name of a directory in which everything is secret?
pub(crate) fn is_secret_directory(name: &[u8]) -> bool {
    DIRECTORIES.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Names of directories, and of files, that steer agents, git, or shells.
#[rustfmt::skip]
const GUARDED: &[&[u8]] = &[
    b".agents", b".amazonq", b".amp", b".augment", b".bash_aliases", b".bash_login",
    b".bash_logout", b".bash_profile", b".bashrc", b".claude", b".claude.json", b".codeium",
    b".codex", b".continue", b".copilot", b".crush.json", b".cursor", b".cursorrules", b".envrc",
    b".factory", b".gemini", b".git", b".gitconfig", b".goosehints", b".grok", b".husky",
    b".inputrc", b".junie", b".kiro", b".kshrc", b".mcp.json", b".mkshrc", b".opencode",
    b".profile", b".qwen", b".roo", b".roomodes", b".rules", b".shfence.toml", b".trae",
    b".windsurf", b".windsurfrules", b".zed", b".zlogin", b".zlogin.zwc", b".zlogout", b".zprofile",
    b".zprofile.zwc", b".zshenv", b".zshenv.zwc", b".zshrc", b".zshrc.zwc", b"agent.md",
    b"agents.md", b"agents.override.md", b"claude.local.md", b"claude.md", b"crush.json",
    b"crush.md", b"gemini.md", b"opencode.json", b"permissions.json", b"qwen.md",
];

/// Beginnings of such names.
const GUARDED_BEGINNINGS: &[&[u8]] = &[b".aider.", b".clinerules", b".roorules"];

/// What git runs by its name, wherever `core.hooksPath` says that it stands (githooks(5)). `update`
/// and what only servers run may be any other file.
#[rustfmt::skip]
const HOOKS: &[&[u8]] = &[
    b"applypatch-msg", b"commit-msg", b"fsmonitor-watchman", b"post-applypatch", b"post-checkout",
    b"post-commit", b"post-index-change", b"post-merge", b"post-rewrite", b"pre-applypatch",
    b"pre-auto-gc", b"pre-commit", b"pre-merge-commit", b"pre-push", b"pre-rebase",
    b"prepare-commit-msg", b"push-to-checkout", b"reference-transaction", b"sendemail-validate",
];

/// May a tree at this path hold, or become, such a place of more than one name?
pub(crate) fn is_above_guarded(below_root: &[u8]) -> bool {
    let path = folded(below_root);
    OF_DIRECTORIES.iter().any(|place| {
        let above = place.rsplitn(2, |byte| *byte == b'/').last().unwrap_or_default();
        let below = above.strip_prefix(&path[..]).filter(|_| !path.is_empty());
        path.ends_with(above) || below.is_some_and(|rest| rest.starts_with(b"/"))
    })
}

/// The same, by more than one name: those of git's forge, of agents, and the guard's own.
const OF_DIRECTORIES: [&[u8]; 14] = [
    b"/.config/amp",
    b"/.config/crush",
    b"/.config/fish",
    b"/.config/git",
    b"/.config/opencode",
    b"/.config/shfence",
    b"/.github/copilot-instructions.md",
    b"/.github/hooks",
    b"/.github/instructions",
    b"/.local/state/shfence",
    b"/.vscode/mcp.json",
    b"/.vscode/settings.json",
    b"/.vscode/tasks.json",
    b"/documents/cline/hooks",
];

/// Does writing at a path below a root change what may run, or what an agent is told?
pub(crate) fn is_guarded_path(below_root: &[u8]) -> bool {
    let path = folded(below_root);
    let has = |part: &[u8]| path.windows(part.len()).any(|it| it == part);
    path.split(|byte| *byte == b'/').any(is_guarded_name) || OF_DIRECTORIES.iter().any(|it| has(it))
}

fn is_guarded_name(name: &[u8]) -> bool {
    // A bare repository, with its hooks and its configuration.
    let repository = name.len() > 4 && name.ends_with(b".git");
    repository
        || GUARDED.contains(&name)
        || HOOKS.contains(&name)
        || GUARDED_BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// Is a path this directory, or below it, on a file system that does not tell case apart?
pub(crate) fn is_within(path: &[u8], directory: &[u8]) -> bool {
    let (path, directory) = (folded(path), folded(directory));
    path.strip_prefix(&directory[..]).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// The name that a file system takes for this one which does not tell case apart: two letters that
/// are not ASCII are small `s` and `k` to it, and that of macOS passes over what has no width.
fn folded(name: &[u8]) -> Vec<u8> {
    let lower = name.to_ascii_lowercase();
    if lower.is_ascii() {
        return lower;
    }
    let text = String::from_utf8_lossy(&lower);
    let has_width = |letter: &char| {
        let none = ['\u{200c}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{206a}'..='\u{206f}'];
        *letter != '\u{feff}' && !none.iter().any(|it| it.contains(letter))
    };
    let fold = |letter| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other,
    };
    text.chars().filter(has_width).map(fold).collect::<String>().into_bytes()
}

/// Would a reader that takes the files with such names, a glob or a regular expression, take
/// secrets by name? One that may match anything else as well passes over them.
pub(crate) fn selects_secrets(pattern: &[u8]) -> bool {
    // `!GLOB` is what is left out; `TYPE:GLOB` gives it a name.
    let glob = pattern.rsplit(|byte| *byte == b':').next().unwrap_or(pattern);
    // As a regular expression `.*` is anything.
    let selects = |it: &Cow<'_, [u8]>| {
        is_secret_path(&literal(it)) || (!it.starts_with(b".*") && matches_secrets(it))
    };
    !pattern.starts_with(b"!") && alternatives(glob).is_none_or(|words| words.iter().any(selects))
}

/// The same, where a glob is nothing but that: `!`, braces and colons in it are letters.
pub(crate) fn selects_secret_names(glob: &[u8]) -> bool {
    let differs = glob.starts_with(b"!") || glob.starts_with(b".*");
    let differs = differs || glob.iter().any(|byte| b"{:".contains(byte));
    selects_secrets(glob) || (differs && matches_secrets(glob))
}

/// Would a search for lines with this in them let names of secrets through, and not only as any
/// other name? One or two letters stand in too many names to ask for one of these.
pub(crate) fn passes_secrets(pattern: &[u8]) -> bool {
    let wanted = literal(pattern).to_ascii_lowercase();
    let letters = wanted.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let holds = |name: &&[u8]| match pattern.ends_with(b"$") {
        true => name.ends_with(&wanted),
        false => name.windows(wanted.len()).any(|part| part == &*wanted),
    };
    selects_secrets(pattern) || (letters > 2 && USUAL.iter().any(holds))
}

/// Names that secrets usually have, for patterns that are tried on them.
const USUAL: [&[u8]; 11] = [
    b".env",
    b".env.local",
    b".git-credentials",
    b".netrc",
    b".npmrc",
    b".pypirc",
    b"credentials",
    b"id_ed25519",
    b"id_rsa",
    b"x.key",
    b"x.pem",
];

/// Does a glob match the name of a secret, and not nearly anything?
fn matches_secrets(glob: &[u8]) -> bool {
    let glob = last(glob);
    // Each letter of a glob stands in the names that it matches; those of a class need not.
    let wanted = if glob.contains(&b'[') { 0 } else { letters(glob) };
    let mut usual = USUAL.iter().zip(USUAL_LETTERS);
    !is_general(glob) && usual.any(|(name, has)| wanted & !has == 0 && matches(glob, name))
}

/// The letters of [`USUAL`].
const USUAL_LETTERS: [u64; USUAL.len()] = {
    let mut all = [0; USUAL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = letters(USUAL[at]);
        at += 1;
    }
    all
};

/// A bit for each byte, `*` and `?` excepted: the same for those that differ in case.
const fn letters(text: &[u8]) -> u64 {
    let mut letters = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'*' && text[at] != b'?' {
            letters |= 1 << ((text[at] | 0x20) % 64);
        }
        at += 1;
    }
    letters
}

/// Does a glob whose stars stand for `/` as well match what is in a directory of secrets, or the
/// directory itself, and not nearly anything? That of `find -path` does so.
pub(crate) fn selects_secret_paths(glob: &[u8]) -> bool {
    let below = |directory: &&[u8]| {
        // No name of a file: a byte that no pattern holds.
        [&b"./"[..], *directory, b"/\x01"].concat()
    };
    !is_general(glob) && DIRECTORIES.iter().any(|directory| matches(glob, &below(directory)))
}

/// May a glob match this name, even as it does nearly any?
pub(crate) fn may_select(glob: &[u8], name: &[u8]) -> bool {
    is_general(glob) || selects(glob, name)
}

/// Does a glob match this name, and not nearly any?
pub(crate) fn selects(glob: &[u8], name: &[u8]) -> bool {
    !is_general(glob) && matches(last(glob), name)
}

fn last(glob: &[u8]) -> &[u8] {
    glob.rsplit(|byte| *byte == b'/').next().unwrap_or(glob)
}

/// Is it made of nothing but stars, question marks, dots and classes, with no dot first?
fn is_general(glob: &[u8]) -> bool {
    let mut in_class = false;
    !last(glob).starts_with(b".")
        && last(glob).iter().all(|byte| {
            in_class = *byte == b'[' || (in_class && *byte != b']');
            in_class || b"*?.]".contains(byte)
        })
}

/// May a glob match a name, on a file system that does not tell case apart? A class may match any
/// byte, and a long name be anything.
fn matches(glob: &[u8], name: &[u8]) -> bool {
    const LENGTH_MAX: usize = 100;
    if name.len() > LENGTH_MAX {
        return true;
    }
    // Most globs begin, or end, with a letter that few names do.
    let differ = |of_glob: Option<&u8>, of_name: Option<&u8>, special: &[u8]| {
        let both = of_glob.zip(of_name);
        both.is_some_and(|(a, b)| !a.eq_ignore_ascii_case(b) && !special.contains(a))
    };
    if differ(glob.first(), name.first(), b"*?[") || differ(glob.last(), name.last(), b"*?]") {
        return false;
    }
    // Bit N: what has been read of the glob may match N bytes.
    let mut ends = 1_u128;
    let mut rest = glob;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'*' {
            ends = u128::MAX << ends.trailing_zeros();
            continue;
        }
        let any = *first == b'?' || *first == b'[';
        if *first == b'[' {
            let end = after.iter().skip(1).position(|byte| *byte == b']');
            let Some(end) = end else { return false };
            rest = &after[end + 2..];
        }
        let mut open = ends & !(u128::MAX << name.len());
        ends = 0;
        while open != 0 {
            let at = open.trailing_zeros();
            open &= open - 1;
            if any || name[at as usize].eq_ignore_ascii_case(first) {
                ends |= 1 << (at + 1);
            }
        }
        if ends == 0 {
            return false;
        }
    }
    ends >> name.len() & 1 == 1
}

/// A pattern without what matches nothing or anything: the shortest name that it may match.
fn literal(pattern: &[u8]) -> Short<u8, 64> {
    let mut literal = Short::new();
    let mut rest = pattern;
    while let [first, after @ ..] = rest {
        rest = match rest {
            [b'.', b'*', after @ ..] => after,
            // `[e]`, `[eE]`: one letter, as far as file systems tell.
            [b'[', letter, b']', after @ ..] => {
                literal.push(*letter);
                after
            }
            [b'[', letter, other, b']', after @ ..] if letter.eq_ignore_ascii_case(other) => {
                literal.push(*letter);
                after
            }
            _ => {
                if !b"*?+^$()\\".contains(first) {
                    literal.push(*first);
                }
                after
            }
        };
    }
    literal
}

/// Does a variable of this name look as if it held a secret?
pub(crate) fn is_secret_variable(name: &[u8]) -> bool {
    const SECRET: [&[u8]; 5] = [b"TOKEN", b"SECRET", b"KEY", b"PASS", b"AUTH"];
    let is_in = |word: &&[u8]| name.windows(word.len()).any(|it| it.eq_ignore_ascii_case(word));
    SECRET.iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_search_for_a_part_of_a_secrets_name_lets_it_through() {
        for (pattern, passes) in [
            (r"\.env$", true),
            (r"\.pem$", true),
            ("rsa", true),
            ("pypirc", true),
            (r"\.PEM", true),
            // Names of secrets hold it, but end otherwise.
            (r"\.py$", false),
            (r"\.ts$", false),
            ("py", false),
            ("rs", false),
            ("src", false),
        ] {
            assert_eq!(passes_secrets(pattern.as_bytes()), passes, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn no_glob_is_passed_over_that_matches(glob in "(\\*|\\?|\\[[a-z]\\]|[.a-zA-Z_0-9]){0,8}") {
            let glob = glob.as_bytes();
            let matched = USUAL.iter().any(|name| matches(glob, name));
            prop_assert_eq!(matches_secrets(glob), matched && !is_general(glob));
        }

        #[test]
        fn nor_one_made_of_such_a_name(name in 0..USUAL.len(), hole in 0..16_usize, upper: bool) {
            let mut glob = USUAL[name].to_vec();
            let at = hole % glob.len();
            glob.splice(at..at + 1, *b"*?*");
            if upper {
                glob.make_ascii_uppercase();
            }
            prop_assert_eq!(matches_secrets(&glob), matches(&glob, USUAL[name]));
        }
    }

    #[test]
    fn what_steers_is_known_by_its_name() {
        for guarded in [
            "/.git/config",
            "/a/AGENTS.md",
            "/.github/hooks/x",
            "/.claude",
            "/.zshrc",
            "/agent\u{17f}.md",
            "/.cl\u{200c}aude/x",
            "/hooks/pre-commit",
            "/bare.git/config",
            "/.clinerules-code",
        ] {
            assert!(is_guarded_path(guarded.as_bytes()), "{guarded}");
        }
        for plain in ["", "/.github/workflows", "/.gitignore", "/git", "/agents", "/dist"] {
            assert!(!is_guarded_path(plain.as_bytes()), "{plain}");
        }
    }

    #[test]
    fn patterns_that_select_secrets_are_known() {
        for pattern in [
            ".env",
            ".env*",
            "*.pem",
            "*.env",
            ".e[n]v",
            ".[eE]nv",
            "**/.env",
            "*/.ssh/*",
            "id_rsa*",
            ".*/\\.env",
            "\\.env$",
            "{.env,x}",
            "{x,.{env,y}}",
            ".{e,x}{nv,q}",
            "{.env}",
            "*.{rs,key}",
            "env:.env",
            ".env.*",
            ".ENV",
            "\\.pem$",
            "(\\.env)",
            ".en?",
            ".[a-e]nv",
            "*env*",
            "id_*",
            "src/*.ke?",
            ".e*",
        ] {
            assert!(selects_secrets(pattern.as_bytes()), "{pattern}");
        }
        for pattern in
            ["*", "*.rs", "!.env", ".*", "", "[a-z]*", "*.{ts,tsx}", "env", "x:*.rs", "}{", "["]
        {
            assert!(!selects_secrets(pattern.as_bytes()), "{pattern}");
        }
    }

    #[test]
    fn secrets_are_known_by_their_names() {
        for secret in [
            ".env",
            "a/.env",
            ".env.local",
            "x.pem",
            "server.KEY",
            "id_rsa",
            "id_ed25519.pub",
            "a/.npmrc",
            "credentials.json",
            "secrets.yml",
            ".ssh/config",
            "a/.aws/x/y",
            ".GnuPG",
        ] {
            assert!(is_secret_path(secret.as_bytes()), "{secret}");
        }
        for plain in [
            "",
            "env",
            ".envrc",
            ".env.example",
            ".env.sample",
            "a/.env.template",
            "keys",
            "x.pem.txt",
            "secret.txt",
            "credential",
            "a.ssh/x",
            "ssh",
            "my_id_rsa",
            "secrets/readme",
        ] {
            assert!(!is_secret_path(plain.as_bytes()), "{plain}");
        }
    }
}
