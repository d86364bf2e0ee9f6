//! Git repositories in trees: real ones, as git itself makes them, and such as lead git astray.

use crate::choices::Choices;
use shfence_corpus::{Entry, Node, RelPath, Text};

/// The objects of a first commit on `main` that holds `main.txt` as every project has it, and the
/// index after it, as git 2 writes them.
const OBJECTS: [(&str, &[u8]); 3] = [
    ("8e/27be7d6154a1f68ea9160ef0e18691d20560dc", BLOB),
    ("e1/aec3dd2d17f2c24cc37fcfe9ec824c55373e22", TREE),
    ("fa/f2eecd4f5d72331fe6b37af9273e46407f4fa2", COMMIT),
];
const HEAD: &str = "faf2eecd4f5d72331fe6b37af9273e46407f4fa2\n";

const BLOB: &[u8] = b"\
    \x78\x01\x4b\xca\xc9\x4f\x52\x30\x65\x28\x49\xad\x28\xe1\x02\x00\x19\xb5\x03\xc4\
";
const TREE: &[u8] = b"\
    \x78\x01\x2b\x29\x4a\x4d\x55\x30\x36\x63\x30\x34\x30\x30\x33\x31\x51\xc8\x4d\xcc\xcc\xd3\
    \x2b\xa9\x28\x61\xe8\x53\xdf\x57\x9b\x18\xb2\xf0\x5b\xdf\x4a\x31\xbe\x0f\x0f\xdb\x26\x5e\
    \x62\x4d\xb8\x03\x00\x45\x47\x11\x4e\
";
const COMMIT: &[u8] = b"\
    \x78\x01\x95\x8d\x41\x0a\x02\x31\x10\x04\x3d\xe7\x15\x73\x17\x24\x99\x98\x44\x41\x64\xbf\
    \x12\x26\x9d\x75\xc1\x18\x89\x23\xf8\xfc\x5d\xf6\x07\xf6\xa5\xa8\x43\xd1\xd2\x5b\x5b\x94\
    \x5c\x88\x07\x1d\x00\xc1\x65\x88\x2f\x85\x8b\x4b\x95\x85\xcf\x22\x3e\x55\xa9\xb8\x42\x2e\
    \x9b\x85\xe0\x93\x07\xb3\xc9\x5f\x7d\xf4\x41\x79\xc6\x4b\xe9\xb6\x63\xc2\x2f\xb7\xf7\x13\
    \xa7\x3e\xe6\x3b\xb9\x14\x13\x73\x88\xd6\xd2\xd1\x6e\x33\xb2\x5f\x29\xfe\x8a\x4c\x5d\xc6\
    \x47\xcd\x0a\x15\x63\x32\xd8\
";
const INDEX: &[u8] = b"\
    \x44\x49\x52\x43\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x81\xa4\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x8e\x27\xbe\x7d\x61\x54\xa1\xf6\x8e\xa9\x16\x0e\xf0\xe1\
    \x86\x91\xd2\x05\x60\xdc\x00\x08\x6d\x61\x69\x6e\x2e\x74\x78\x74\x00\x00\x54\x52\x45\x45\
    \x00\x00\x00\x19\x00\x31\x20\x30\x0a\xe1\xae\xc3\xdd\x2d\x17\xf2\xc2\x4c\xc3\x7f\xcf\xe9\
    \xec\x82\x4c\x55\x37\x3e\x22\xf1\xcb\xae\xce\x29\xd2\xd6\xb6\x46\xc1\x39\xe9\x94\x10\xb8\
    \x59\x00\x35\x52\xdf\
";

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
            _ => Repository::Configured(choices.pick::<&str>(&HOSTILE)),
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
        file("refs/heads/main", HEAD.as_bytes()),
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
