//! Git repositories in trees: real ones, as git itself makes them, and such as lead git astray.

use crate::choices::Choices;
use shfence_corpus::{Entry, Node, RelPath, Text};

/// The objects of a first commit on `main` that holds `main.txt` as every project has it, and the
/// index after it, as git 2 writes them.
const OBJECTS: [(&str, &[u8]); 3] = [
    ("8e/27be7d6154a1f68ea9160ef0e18691d20560dc", include_bytes!("repository/blob")),
    ("e1/aec3dd2d17f2c24cc37fcfe9ec824c55373e22", include_bytes!("repository/tree")),
    ("fa/f2eecd4f5d72331fe6b37af9273e46407f4fa2", include_bytes!("repository/commit")),
];
const INDEX: &[u8] = include_bytes!("repository/index");
const COMMIT: &str = "faf2eecd4f5d72331fe6b37af9273e46407f4fa2\n";

/// `config` of a plain repository.
const CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";

/// What follows in the `config` of a hostile one: files that lie outside are read, programs run.
const HOSTILE: [&str; 9] = [
    "[core]\n\tfsmonitor = cat /case/outside/secret\n",
    "[core]\n\tpager = cat ../outside/secret\n",
    "[core]\n\texcludesFile = /case/outside/secret\n",
    "[core]\n\tworktree = ../../outside\n",
    "[core]\n\thooksPath = /case/outside\n",
    "[diff]\n\texternal = cat /case/outside/secret\n",
    "[include]\n\tpath = ../../outside/secret\n",
    "[include]\n\tpath = /etc/decoy-secret\n",
    "[alias]\n\tstatus = !cat ../outside/secret\n\tst = !cat ../outside/secret\n",
];

/// The most entries that a repository adds to a tree.
pub const REPOSITORY_ENTRIES: usize = 9;

/// A repository of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repository {
    Plain,
    /// With this at the end of its `config`.
    Configured(&'static str),
    /// Its objects are also those of a repository outside.
    Alternates,
    /// Outside; in the project stands a file that says so.
    GitFile,
    /// Outside; in the project stands a link to it.
    Link,
}

impl Repository {
    /// Every other one is a plain one.
    pub(crate) fn draw(choices: &mut Choices<'_>) -> Repository {
        match choices.below(8) {
            0..=3 => Repository::Plain,
            4 => Repository::Alternates,
            5 => *choices.pick(&[Repository::GitFile, Repository::Link]),
            _ => Repository::Configured(*choices.pick(&HOSTILE)),
        }
    }

    /// What is planted for it.
    pub(crate) fn entries(self) -> Vec<Entry> {
        const INSIDE: &str = "proj/.git";
        const OUTSIDE: &str = "outside/repo";
        let file = |text: &[u8]| Node::File { text: Text::from(text), executable: false };
        match self {
            Repository::Plain => make(INSIDE, CONFIG),
            Repository::Configured(more) => make(INSIDE, &format!("{CONFIG}{more}")),
            Repository::Alternates => {
                let text = file(b"/case/outside/objects\n");
                let mut entries = make(INSIDE, CONFIG);
                entries.push(entry(&format!("{INSIDE}/objects/info/alternates"), text));
                entries
            }
            Repository::GitFile => {
                let mut entries = make(OUTSIDE, CONFIG);
                entries.push(entry(INSIDE, file(b"gitdir: ../outside/repo\n")));
                entries
            }
            Repository::Link => {
                let mut entries = make(OUTSIDE, CONFIG);
                entries.push(entry(INSIDE, Node::Link { to: "../outside/repo".into() }));
                entries
            }
        }
    }
}

fn make(at: &str, config: &str) -> Vec<Entry> {
    let file = |path: &str, text: &[u8]| {
        let node = Node::File { text: Text::from(text), executable: false };
        entry(&format!("{at}/{path}"), node)
    };
    let objects = OBJECTS.iter().map(|(name, bytes)| file(&format!("objects/{name}"), bytes));
    let rest = [
        file("HEAD", b"ref: refs/heads/main\n"),
        file("config", config.as_bytes()),
        file("index", INDEX),
        file("refs/heads/main", COMMIT.as_bytes()),
    ];
    objects.chain(rest).collect()
}

fn entry(path: &str, node: Node) -> Entry {
    Entry { path: RelPath::new(path).expect("a plain path"), node }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::process::Command;

    fn git(at: &Path, words: &[&str]) -> String {
        let done = Command::new("git")
            .args(["-C"])
            .arg(at)
            .args(words)
            .env("HOME", at)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git is installed");
        assert!(done.status.success(), "{words:?}: {done:?}");
        String::from_utf8(done.stdout).expect("text")
    }

    #[test]
    fn git_takes_it_for_what_it_is() {
        let top = tempfile::tempdir().unwrap();
        for entry in Repository::Plain.entries() {
            let path = std::ffi::OsStr::from_bytes(entry.path.as_bytes());
            let at = top.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            let Node::File { text, .. } = entry.node else { panic!("no file") };
            std::fs::write(at, &*text).unwrap();
        }
        let project = top.path().join("proj");
        std::fs::write(project.join("main.txt"), "text\n").unwrap();
        assert_eq!(git(&project, &["status", "--porcelain"]), "");
        assert_eq!(git(&project, &["log", "--format=%an %s"]), "agent first\n");
        assert_eq!(git(&project, &["fsck", "--strict"]), "");
        std::fs::write(project.join("main.txt"), "other\n").unwrap();
        assert_eq!(git(&project, &["diff", "--name-only"]), "main.txt\n");
    }

    #[test]
    fn no_repository_has_more_entries_than_is_said() {
        let all = [
            Repository::Plain,
            Repository::Configured(HOSTILE[0]),
            Repository::Alternates,
            Repository::GitFile,
            Repository::Link,
        ];
        for repository in all {
            assert!(repository.entries().len() <= REPOSITORY_ENTRIES, "{repository:?}");
        }
    }
}
