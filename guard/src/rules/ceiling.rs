//! What no rule opens: pushing to a protected branch, and merging, which may be into one.
//!
//! Only what is known not to do so is left to rules. git takes names that it does not know for
//! those of aliases, which may be anything.

use super::pattern::base_name;
use crate::globs::fits_in_any_case;
use crate::plan::PlanWord;

/// Branches that are protected whatever the configuration says. `*` stands for anything.
const PROTECTED: [&str; 9] =
    ["develop", "main", "master", "prod", "production", "release", "release/*", "stable", "trunk"];

/// Sub-commands of git that neither push nor merge, set no configuration, and are no aliases, since
/// git has them built in.
#[rustfmt::skip]
const LEFT_TO_RULES: &[&str] = &[
    "add", "archive", "blame", "branch", "cat-file", "checkout", "cherry", "cherry-pick", "clone",
    "commit", "describe", "diff", "fetch", "format-patch", "gc", "grep", "init", "log", "ls-files",
    "ls-remote", "ls-tree", "mv", "notes", "prune", "range-diff", "rebase", "reflog", "reset",
    "restore", "rev-list", "rev-parse", "revert", "rm", "shortlog", "show", "show-branch",
    "sparse-checkout", "stash", "status", "switch", "tag", "whatchanged", "worktree",
];

/// Those of them that put other files, and links, where some stand.
const MOVING: &[&str] = &[
    "checkout",
    "cherry-pick",
    "clone",
    "mv",
    "rebase",
    "reset",
    "restore",
    "revert",
    "sparse-checkout",
    "stash",
    "switch",
    "worktree",
];

/// Programs that put files, and links, where some stand.
const MOVERS: &[&str] = &[
    "7z", "bsdtar", "cp", "cpio", "install", "link", "ln", "mv", "patch", "pax", "rename", "rsync",
    "tar", "unlink", "unzip",
];

/// Options of `git push` that do not change where it pushes to.
#[rustfmt::skip]
const PUSH_OPTIONS: &[&str] = &[
    "-f", "--force", "-u", "--set-upstream", "-q", "--quiet", "-v", "--verbose", "-n", "--dry-run",
    "--no-verify", "--verify", "--porcelain", "--progress", "--no-progress", "--atomic",
    "--force-with-lease", "--force-if-includes", "-d", "--delete",
];

/// Why no rule opens this command, as a sentence without a full stop. `more`: branches that are
/// protected as well.
pub(crate) fn ceiling(words: &[PlanWord], more: &[String]) -> Option<String> {
    let program = base_name(text(words.first()?)?);
    match program {
        b"git" => git(&words[1..], more),
        _ if program.starts_with(b"git-") => Some(said("a part of git", "run by its own name")),
        b"gh" | b"glab" | b"hub" => forge(&words[1..]),
        _ => None,
    }
}

/// Does a command that a rule opens put links or other files where the rest of the line may look?
pub(crate) fn moves_names(words: &[PlanWord]) -> bool {
    let Some(program) = words.first().and_then(text).map(base_name) else { return true };
    let is_in = |list: &[&str], word: &[u8]| list.iter().any(|it| it.as_bytes() == word);
    match program {
        b"git" => match sub_command(&words[1..]) {
            Some((sub, _)) => is_in(MOVING, sub),
            None => true,
        },
        _ => is_in(MOVERS, program),
    }
}

fn git(words: &[PlanWord], more: &[String]) -> Option<String> {
    let Some((sub, rest)) = sub_command(words) else {
        return Some("which sub-command of git this is cannot be told".to_owned());
    };
    let shown = String::from_utf8_lossy(sub);
    match sub {
        b"push" => push(rest, more),
        b"fetch" if rest.iter().any(|word| text(word).is_none_or(names_a_target)) => {
            Some("'git fetch' may write a branch here, which no rule opens".to_owned())
        }
        b"rebase" if rest.iter().any(|word| text(word).is_none_or(runs_a_command)) => {
            Some("'git rebase' runs a command here, which no rule opens".to_owned())
        }
        b"merge" | b"pull" => Some(said(
            &format!("'git {shown}'"),
            "merging, and the branch that it merges into may be protected",
        )),
        b"config" | b"remote" | b"submodule" => {
            Some(said(&format!("'git {shown}'"), "it writes .git/config"))
        }
        _ if LEFT_TO_RULES.iter().any(|it| it.as_bytes() == sub) => None,
        _ => Some(format!("no rule opens 'git {shown}': it may push, merge, or be an alias")),
    }
}

fn said(what: &str, why: &str) -> String {
    format!("no rule opens {what}: {why}")
}

/// The sub-command and what follows it, if only harmless options stand before it.
fn sub_command(words: &[PlanWord]) -> Option<(&[u8], &[PlanWord])> {
    let mut at = 0;
    loop {
        match text(words.get(at)?)? {
            b"-C" => at += 2,
            b"--no-pager" | b"-P" | b"--no-optional-locks" | b"--literal-pathspecs" => at += 1,
            option if option.starts_with(b"-") => return None,
            sub => return Some((sub, &words[at + 1..])),
        }
    }
}

/// `fetch` writes to what stands behind a colon of an operand. Addresses have one as well: those
/// that hold none of these are enough for what is fetched by the name of a remote.
fn names_a_target(word: &[u8]) -> bool {
    word.contains(&b':') || word.starts_with(b"--refmap") || word.starts_with(b"--upload-pack")
}

fn runs_a_command(word: &[u8]) -> bool {
    word.starts_with(b"-x") || word.starts_with(b"--e")
}

/// Where it pushes to must be said, and be no protected branch.
fn push(words: &[PlanWord], more: &[String]) -> Option<String> {
    let mut operands = Vec::new();
    for word in words {
        let Some(word) = text(word) else {
            return Some("where 'git push' pushes to is not known".to_owned());
        };
        let known = |option: &&str| option.as_bytes() == word;
        match word {
            [b'-', ..] if PUSH_OPTIONS.iter().any(known) => {}
            [b'-', ..] if word.starts_with(b"--force-with-lease=") => {}
            [b'-', ..] => {
                let shown = String::from_utf8_lossy(word);
                return Some(format!("'{shown}' may make 'git push' push to a protected branch"));
            }
            _ => operands.push(word),
        }
    }
    if operands.len() < 2 {
        return Some("'git push' does not say here to which branch it pushes".to_owned());
    }
    let unsure = operands[1..].iter().find(|refspec| !is_other_branch(refspec, more));
    unsure.map(|refspec| {
        let shown = String::from_utf8_lossy(refspec);
        format!("'{shown}' is, or may be, a protected branch, to which no rule opens 'git push'")
    })
}

/// Does a refspec name exactly one branch or tag that is not protected?
fn is_other_branch(refspec: &[u8], more: &[String]) -> bool {
    let refspec = refspec.strip_prefix(b"+").unwrap_or(refspec);
    let mut parts = refspec.splitn(2, |byte| *byte == b':');
    let (source, target) = (parts.next().unwrap_or_default(), parts.next());
    let target = target.unwrap_or(source);
    if target.is_empty() || target.iter().any(|byte| b"*^~@{".contains(byte)) {
        return false;
    }
    if target.starts_with(b"refs/tags/") {
        return true;
    }
    let name = target.strip_prefix(b"refs/").unwrap_or(target);
    let name = name.strip_prefix(b"heads/").unwrap_or(name);
    let extra = more.iter().map(String::as_str);
    name != b"HEAD"
        && !PROTECTED.into_iter().chain(extra).any(|it| fits_in_any_case(it.as_bytes(), name))
}

/// Merging by way of a forge. What can send any request can do so.
fn forge(words: &[PlanWord]) -> Option<String> {
    let mut subs = words.iter();
    let first = subs.next().and_then(text);
    let second = subs.next().and_then(text);
    let named = |list: &[&[u8]], word: Option<&[u8]>| word.is_some_and(|it| list.contains(&it));
    let reads = matches!(second, Some(b"list" | b"view" | b"status" | b"diff" | b"checks"));
    let harmless = named(&[b"pr", b"mr", b"issue", b"run", b"release", b"repo"], first)
        && (reads || named(&[b"create", b"comment", b"edit", b"watch", b"note"], second));
    (!harmless).then(|| "no rule opens this: it may merge into a protected branch".to_owned())
}

/// The word, if it is known.
fn text(word: &PlanWord) -> Option<&[u8]> {
    match word {
        PlanWord::Is(text) => Some(text),
        PlanWord::OneOf(_) | PlanWord::One | PlanWord::Many => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<String> {
        let words: Vec<PlanWord> =
            line.split(' ').map(|word| PlanWord::Is(word.as_bytes().into())).collect();
        ceiling(&words, &["keep/*".to_owned()])
    }

    #[test]
    fn only_what_neither_pushes_there_nor_merges_is_left_to_rules() {
        for left in [
            "git add -A",
            "git -C sub commit -m x",
            "git push origin feature",
            "npm install",
            "git push -u origin HEAD:feature",
            "git push origin +a:refs/heads/b",
            "git fetch origin",
            "git push origin refs/tags/v1",
            "gh pr create --fill",
            "gh pr view 1",
            "git rebase main",
        ] {
            assert_eq!(of(left), None, "{left}");
        }
        for kept in [
            "git push",
            "git push origin",
            "git push origin main",
            "git push origin HEAD",
            "git push origin a:main",
            "git push origin +x:refs/heads/MASTER",
            "git push --all origin a",
            "git push origin a keep/b",
            "git push origin :release/1",
            "git push --mirror",
            "git p",
            "git push origin a:heads/main",
            "git push origin @",
            "git push origin refs/heads/*:x*",
            "git -c alias.x=push x",
            "git merge a",
            "git pull",
            "git config x y",
            "/usr/bin/git push",
            "git remote add x y",
            "git fetch origin a:main",
            "git rebase -x make main",
            "gh pr merge 1",
            "gh api x",
            "git-push origin main",
            "git",
            "gh",
            "gh alias set a b",
            "hub push",
        ] {
            assert!(of(kept).is_some(), "{kept}");
        }
    }
}
