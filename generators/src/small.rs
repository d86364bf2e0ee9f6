//! Small scope, exhaustively: every line of a few tokens, in every tree of a few entries.
//!
//! Random cases find what is likely; here nothing is left to chance. The alphabet is that of the
//! cd group, so that each line is about where a shell is and where a name leads from there. Lines
//! no shell would accept are left out, by a check of parentheses and operators that is this
//! module's own, and so are lines whose commands are no commands.
//!
//! A name that neither the line nor a link says is never looked at, so that an entry of this name
//! changes nothing: a line runs only in the trees all of whose entries can be named.

use shfence_corpus::{Case, Entry, Node, RelPath, Text, TreeSpec};

/// A token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Cd,
    /// A verb that reads, and the file `f`.
    Cat,
    Up,
    Dir,
    Link,
    And,
    Semicolon,
    Pipe,
    Open,
    Close,
}

impl Token {
    const ALL: [Token; 10] = [
        Token::Cd,
        Token::Cat,
        Token::Up,
        Token::Dir,
        Token::Link,
        Token::And,
        Token::Semicolon,
        Token::Pipe,
        Token::Open,
        Token::Close,
    ];

    fn text(self) -> &'static str {
        match self {
            Token::Cd => "cd",
            Token::Cat => "cat f",
            Token::Up => "..",
            Token::Dir => "d",
            Token::Link => "l",
            Token::And => "&&",
            Token::Semicolon => ";",
            Token::Pipe => "|",
            Token::Open => "(",
            Token::Close => ")",
        }
    }

    /// The name that it says, as a bit.
    fn names(self) -> u8 {
        match self {
            Token::Cat => FILE,
            Token::Dir => DIR,
            Token::Link => LINK,
            _ => 0,
        }
    }
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    /// A command.
    Command,
    /// A command, or the end of the list.
    CommandOrEnd,
    /// A word, an operator, or the end.
    Word,
    /// An operator, or the end.
    Operator,
}

/// A line as far as it has been written.
#[derive(Clone, Debug)]
struct Prefix {
    tokens: Vec<Token>,
    expects: Expects,
    depth: usize,
}

impl Prefix {
    /// With this token behind it, if that can still become a line.
    fn with(&self, token: Token) -> Option<Prefix> {
        use Expects::{Command, CommandOrEnd, Operator, Word};
        let (expects, depth) = match (self.expects, token) {
            (Command | CommandOrEnd, Token::Cd | Token::Cat) => (Word, self.depth),
            (Command | CommandOrEnd, Token::Open) => (Command, self.depth + 1),
            (Word, Token::Up | Token::Dir | Token::Link) => (Word, self.depth),
            (Word | Operator, Token::And | Token::Pipe) => (Command, self.depth),
            (Word | Operator, Token::Semicolon) => (CommandOrEnd, self.depth),
            (Word | Operator | CommandOrEnd, Token::Close) => {
                (Operator, self.depth.checked_sub(1)?)
            }
            _ => return None,
        };
        let tokens = self.tokens.iter().copied().chain([token]).collect();
        Some(Prefix { tokens, expects, depth })
    }

    fn is_line(&self) -> bool {
        self.depth == 0 && self.expects != Expects::Command
    }

    fn names(&self) -> u8 {
        self.tokens.iter().fold(0, |names, token| names | token.names())
    }

    fn text(&self) -> String {
        self.tokens.iter().map(|token| token.text()).collect::<Vec<_>>().join(" ")
    }
}

/// All lines of at most so many tokens, the shortest first.
fn lines(tokens: usize) -> Vec<Prefix> {
    let mut lines = Vec::new();
    let empty = Prefix { tokens: Vec::new(), expects: Expects::Command, depth: 0 };
    let mut prefixes = vec![empty];
    for _ in 0..tokens {
        let longer = |prefix: &Prefix| Token::ALL.map(|token| prefix.with(token));
        prefixes = prefixes.iter().flat_map(longer).flatten().collect();
        lines.extend(prefixes.iter().filter(|prefix| prefix.is_line()).cloned());
    }
    lines
}

/// The names, as bits of a set.
const DIR: u8 = 1;
const LINK: u8 = 2;
const FILE: u8 = 4;

/// Where an entry may stand in the project: the path, and the names that lead there.
const PLACES: [(&str, u8); 5] =
    [("d", DIR), ("l", LINK), ("f", FILE), ("d/l", DIR | LINK), ("d/f", DIR | FILE)];

/// The most entries a tree has, besides what stands outside.
const ENTRIES: usize = 3;

/// What may stand there: a link has the names that its target says.
const KINDS: [Kind; 7] = [
    Kind::Dir,
    Kind::File,
    Kind::Link("..", 0),
    Kind::Link("/case/outside", 0),
    Kind::Link("/case/proj/d", DIR),
    Kind::Link("/case/proj/f", FILE),
    Kind::Link("nosuch", 0),
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Dir,
    File,
    Link(&'static str, u8),
}

/// A tree, as kinds at places.
type Planted = Vec<(usize, Kind)>;

/// All trees.
fn trees() -> Vec<Planted> {
    let mut trees: Vec<Planted> = vec![Vec::new()];
    for place in 0..PLACES.len() {
        let with = |tree: &Planted| {
            let one_more = |kind| tree.iter().copied().chain([(place, kind)]).collect();
            KINDS.map(one_more)
        };
        let more: Vec<Planted> = trees.iter().flat_map(with).collect();
        trees.extend(more);
    }
    trees.retain(|tree| tree.len() <= ENTRIES && !is_said_twice(tree));
    trees
}

/// A directory that something stands in is there without being listed; nothing else can be.
fn is_said_twice(tree: &Planted) -> bool {
    let has = |wanted: &dyn Fn(&str) -> bool| tree.iter().any(|(at, _)| wanted(PLACES[*at].0));
    has(&|path| path == "d") && has(&|path| path.starts_with("d/"))
}

/// Can every entry be named by someone who knows these names to begin with?
fn is_all_named(tree: &Planted, mut names: u8) -> bool {
    let reached = |names: u8| tree.iter().filter(move |(at, _)| PLACES[*at].1 & !names == 0);
    for _ in 0..ENTRIES {
        let said = |(_, kind): &(usize, Kind)| match kind {
            Kind::Link(_, names) => *names,
            Kind::Dir | Kind::File => 0,
        };
        names = reached(names).map(said).fold(names, |all, said| all | said);
    }
    reached(names).count() == tree.len()
}

fn tree_spec(tree: &Planted) -> TreeSpec {
    let file = |text: &str| Node::File { text: text.into(), executable: false };
    let planted = tree.iter().map(|(at, kind)| {
        let node = match kind {
            Kind::Dir => Node::Dir,
            Kind::File => file("inside\n"),
            Kind::Link(to, _) => Node::Link { to: (*to).into() },
        };
        (format!("proj/{}", PLACES[*at].0), node)
    });
    let outside = [
        ("outside/f".to_owned(), file("outside\n")),
        ("outside/d/f".to_owned(), file("outside\n")),
        ("outside/l".to_owned(), Node::Link { to: "d".into() }),
    ];
    let entry = |(path, node): (String, Node)| Entry {
        path: RelPath::new(path).expect("places are paths"),
        node,
    };
    TreeSpec::new(planted.chain(outside).map(entry)).expect("nothing stands below a file")
}

/// All cases of a small scope, by index.
#[derive(Clone, Debug)]
pub struct Small {
    tokens: usize,
    lines: Vec<(Text, u8)>,
    trees: Vec<TreeSpec>,
    /// For each set of names, the trees that it can name.
    named: Vec<Vec<usize>>,
    /// The index of the first case of each line, and behind the last the number of cases.
    first: Vec<u64>,
}

impl Small {
    /// The cases of all lines of at most so many tokens.
    pub fn new(tokens: usize) -> Small {
        let lines: Vec<(Text, u8)> =
            lines(tokens).iter().map(|line| (Text::from(line.text()), line.names())).collect();
        let planted = trees();
        let of_names = |names: u8| {
            let all = planted.iter().enumerate();
            all.filter(|(_, tree)| is_all_named(tree, names)).map(|(at, _)| at).collect()
        };
        let named: Vec<Vec<usize>> = (0..=DIR | LINK | FILE).map(of_names).collect();
        let mut first = vec![0];
        for (_, names) in &lines {
            let before = first[first.len() - 1];
            first.push(before + named[usize::from(*names)].len() as u64);
        }
        Small { tokens, lines, trees: planted.iter().map(tree_spec).collect(), named, first }
    }

    /// How many tokens a line has at most.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// How many cases there are.
    pub fn cases(&self) -> u64 {
        self.first[self.lines.len()]
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// How many trees there are.
    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// The case of an index below [`Small::cases`]: no two indices have the same.
    pub fn case(&self, index: u64) -> Option<Case> {
        let line = self.first.partition_point(|first| *first <= index).checked_sub(1)?;
        let (text, names) = self.lines.get(line)?;
        let at = usize::try_from(index - self.first[line]).ok()?;
        let tree = *self.named[usize::from(*names)].get(at)?;
        Some(Case::new(text.clone(), self.trees[tree].clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_index_has_a_case_of_its_own() {
        let small = Small::new(3);
        let cases: HashSet<Case> = (0..small.cases()).filter_map(|at| small.case(at)).collect();
        assert_eq!(cases.len() as u64, small.cases());
        assert_eq!(small.case(small.cases()), None);
        assert_eq!(small.trees.iter().collect::<HashSet<_>>().len(), small.trees());
    }

    /// What shells would not take is not there, and what they would is.
    #[test]
    fn lines_are_all_that_are_well_formed() {
        let texts = |tokens| lines(tokens).iter().map(Prefix::text).collect::<HashSet<_>>();
        assert_eq!(texts(1), HashSet::from(["cd".to_owned(), "cat f".to_owned()]));
        let all = texts(5);
        for line in ["cd l && cat f", "( cd .. ; )", "( ( cd ) )", "cd d | cat f ;", "cd .. d l l"]
        {
            assert!(all.contains(line), "{line}");
        }
        for line in ["cd &&", "( cd", "( )", "cd ) (", "; cd", "cd | ; cd", "( cd ) d", "d cd"] {
            assert!(!all.contains(line), "{line}");
        }
        assert_eq!(all.len(), lines(5).len());
    }

    #[test]
    fn a_tree_is_left_out_only_where_a_smaller_one_is_the_same() {
        let tree = |entries: &[(usize, Kind)]| entries.to_vec();
        let (to_dir, up) = (KINDS[4], KINDS[2]);
        assert!(is_all_named(&tree(&[(1, to_dir), (0, up)]), LINK));
        assert!(!is_all_named(&tree(&[(1, up), (0, up)]), LINK));
        assert!(is_all_named(&tree(&[(1, to_dir), (3, up)]), LINK));
        assert!(!is_all_named(&tree(&[(1, to_dir), (4, up)]), LINK));
        assert!(is_all_named(&Vec::new(), 0));
    }
}
