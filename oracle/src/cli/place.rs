//! WHERE: the surroundings of a line that is given on the command line.

use super::Failure;
use clap::Args;
use shfence_corpus::{Case, Entry, Invocation, Node, PROJ, RelPath, Shells, TOP, Text, TreeSpec};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Where a line runs. All paths are those of the case's tree, whose top is `/case`. Without a tree
/// of its own a line runs in an example that holds a little of everything.
#[derive(Args)]
pub(super) struct Where {
    /// Take the tree, and what else is not said here, from this fixture
    #[arg(long, value_name = "FIXTURE")]
    tree: Option<PathBuf>,
    /// Plant a file below the top: PATH or PATH=TEXT
    #[arg(long, value_name = "PATH[=TEXT]")]
    file: Vec<OsString>,
    /// Plant a directory below the top
    #[arg(long, value_name = "PATH")]
    dir: Vec<OsString>,
    /// Plant a link below the top
    #[arg(long, value_name = "PATH=TARGET")]
    link: Vec<OsString>,
    /// The root; only the project's directory can be one
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The directory the line starts in [default: /case/proj]
    #[arg(long, value_name = "DIR")]
    cwd: Option<OsString>,
    /// What the shell calls that directory
    #[arg(long, value_name = "TEXT")]
    pwd: Option<OsString>,
    /// The home directory [default: /case/home]
    #[arg(long, value_name = "DIR")]
    home: Option<OsString>,
    /// A variable that the shell inherits; without a value, one that is taken away
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<OsString>,
    /// The shells to run it in
    #[arg(long, value_name = "LIST")]
    shells: Option<Shells>,
    /// How the text reaches the shell
    #[arg(long)]
    invocation: Option<Invocation>,
}

impl Where {
    /// The case of this line.
    pub(super) fn case(self, line: Text) -> Result<Case, Failure> {
        let planted = self.planted()?;
        let mut case = match &self.tree {
            Some(path) => super::fixture(path)?.case,
            None if planted.is_empty() => Case::new("", example_tree()),
            None => Case::new("", TreeSpec::default()),
        };
        case.line = line;
        let kept = case
            .tree
            .entries()
            .map(|(path, node)| Entry { path: path.clone(), node: node.clone() });
        case.tree = TreeSpec::new(kept.chain(planted)).map_err(Failure::usage)?;
        if self.root.as_ref().is_some_and(|root| root != &Path::new(TOP).join(PROJ)) {
            return Err(Failure::usage(format!("the root of a case is {TOP}/{PROJ}")));
        }
        if let Some(cwd) = self.cwd {
            case.cwd = below_top(cwd.as_bytes())?;
            if case.tree.planted().get(&case.cwd) != Some(&Node::Dir) {
                return Err(Failure::usage(format!("'{}' is no directory of the tree", case.cwd)));
            }
        }
        case.pwd = self.pwd.map(text).or(case.pwd);
        if let Some(home) = self.home {
            case.env.insert("HOME".to_owned(), Some(text(home)));
        }
        for variable in self.env {
            let (name, value) = split(variable.as_bytes());
            let name = String::from_utf8_lossy(name).into_owned();
            case.env.insert(name, value.map(Text::from));
        }
        case.shells = self.shells.unwrap_or(case.shells);
        case.invocation = self.invocation.unwrap_or(case.invocation);
        Ok(case)
    }

    fn planted(&self) -> Result<Vec<Entry>, Failure> {
        let mut entries = Vec::new();
        for file in &self.file {
            let (path, content) = split(file.as_bytes());
            let text = content.map(Text::from).unwrap_or_default();
            let node = Node::File { text, executable: false };
            entries.push(Entry { path: below_top(path)?, node });
        }
        for dir in &self.dir {
            entries.push(Entry { path: below_top(dir.as_bytes())?, node: Node::Dir });
        }
        for link in &self.link {
            let (path, Some(to)) = split(link.as_bytes()) else {
                return Err(Failure::usage("a link is PATH=TARGET"));
            };
            entries.push(Entry { path: below_top(path)?, node: Node::Link { to: Text::from(to) } });
        }
        Ok(entries)
    }
}

/// The tree of a line that comes without one: a little of everything.
fn example_tree() -> TreeSpec {
    let file = |text: &str| Node::File { text: Text::from(text), executable: false };
    let link = |to: &str| Node::Link { to: Text::from(to) };
    let entries = [
        ("proj/README.md", file("readme\n")),
        ("proj/a.txt", file("a\n")),
        ("proj/src/main.txt", file("main\n")),
        ("proj/src/deep/x.txt", file("x\n")),
        ("proj/in", link("src")),
        ("proj/out", link("../outside")),
        ("proj/dangling", link("../outside/nothing")),
        ("outside/secret", file("marker:outside\n")),
        ("home/secret", file("marker:home\n")),
        ("proj-evil/secret", file("marker:look-alike\n")),
    ];
    let entries = entries.map(|(path, node)| Entry {
        path: RelPath::new(path).expect("the example's paths are plain"),
        node,
    });
    TreeSpec::new(entries).expect("the example is a tree")
}

/// A path below the top: `/case/proj/a` or `proj/a`.
fn below_top(path: &[u8]) -> Result<RelPath, Failure> {
    let prefix = [TOP.as_bytes(), b"/"].concat();
    RelPath::new(path.strip_prefix(&prefix[..]).unwrap_or(path)).map_err(Failure::usage)
}

fn split(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// The text of an argument.
pub(super) fn text(argument: OsString) -> Text {
    Text::from(argument.into_vec())
}
