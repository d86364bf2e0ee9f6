//! What holds of the minimiser for every case and every predicate.

use proptest::prelude::*;
use shfence_corpus::{Case, Entry, Invocation, Node, RelPath, Shell, Shells, Text, TreeSpec};
use shfence_oracle::minimise::{Limits, MinimiseError, Minimised, compare, minimise};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::convert::Infallible;

type Outcome = Result<Minimised, MinimiseError<Infallible>>;

fn path(path: &str) -> RelPath {
    RelPath::new(path).expect("a path below the top")
}

fn run(start: &Case, mut interesting: impl FnMut(&Case) -> bool) -> Outcome {
    minimise(start, Limits::default(), &mut |case| Ok(interesting(case)), &mut |_| {})
}

/// Lines of the kind that generators make, and odd ones.
fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("cd".to_owned()),
        Just("cat".to_owned()),
        "[a-z.]{1,3}(/[a-z.]{1,3}){0,2}",
        "'[a-z $]{0,4}'",
        "\"[a-z \\\\$(]{0,3}\"",
        Just("$(pwd; cat x)".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        "[ -~\n]{1,4}",
    ];
    let operator = prop::sample::select(vec![
        " ", "  ", " ", ";", " && ", "||", " | ", "\n", " (", ") ", " >", " 2>&1 ", " # ", "\\\n",
    ]);
    prop::collection::vec((word, operator), 1..12)
        .prop_map(|parts| parts.into_iter().flat_map(|(w, o)| [w, o.to_owned()]).collect())
}

fn any_tree() -> impl Strategy<Value = TreeSpec> {
    let at = "(proj|outside)(/[a-c]{1,2}){1,3}";
    let node = prop_oneof![
        Just(Node::Dir),
        ("[a-z]{0,3}", any::<bool>())
            .prop_map(|(text, executable)| Node::File { text: text.into(), executable }),
        "(\\.\\./)*(/case/)?[a-c]{1,2}(/[a-c]{1,2}){0,2}"
            .prop_map(|to| Node::Link { to: to.into() }),
    ];
    prop::collection::vec((at, node), 0..6).prop_map(|entries| {
        // What makes no tree together with the entries before it is left out.
        entries.into_iter().fold(TreeSpec::default(), |tree, (at, node)| {
            let entry = Entry { path: path(&at), node };
            let more =
                tree.entries().map(|(path, node)| Entry { path: path.clone(), node: node.clone() });
            TreeSpec::new(more.chain([entry])).unwrap_or(tree.clone())
        })
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    let value = prop::option::of("[a-z/:.]{0,8}".prop_map(Text::from));
    let env = prop::collection::btree_map("[A-Z]{1,2}", value, 0..3);
    (any_line(), any_tree(), env, prop::option::of("/case/[a-z/]{1,6}"), 0..5usize).prop_map(
        |(line, tree, env, pwd, invocation)| {
            let invocation = Invocation::ALL[invocation];
            Case { env, pwd: pwd.map(Text::from), invocation, ..Case::new(line, tree) }
        },
    )
}

/// A predicate without any pattern to lean on: which bytes and how many entries a case must keep.
#[derive(Clone, Debug)]
struct Keeps {
    bytes: Vec<u8>,
    links: usize,
    variables: usize,
}

impl Keeps {
    fn holds(&self, case: &Case) -> bool {
        let mut rest = case.line.iter();
        let links = case.tree.entries().filter(|(_, node)| matches!(node, Node::Link { .. }));
        self.bytes.iter().all(|byte| rest.any(|other| other == byte))
            && links.count() >= self.links
            && case.env.len() >= self.variables
    }
}

/// A case, and a predicate that it fulfils.
fn case_and_predicate() -> impl Strategy<Value = (Case, Keeps)> {
    any_case().prop_flat_map(|case| {
        let indices = prop::collection::vec(any::<prop::sample::Index>(), 1..4);
        let links = case.tree.entries().filter(|(_, node)| matches!(node, Node::Link { .. }));
        let counts = (0..=links.count(), 0..=case.env.len());
        (Just(case), indices, counts).prop_map(|(case, indices, (links, variables))| {
            let visible: Vec<usize> =
                (0..case.line.len()).filter(|i| case.line[*i].is_ascii_alphanumeric()).collect();
            let mut places: Vec<usize> = match visible.is_empty() {
                true => Vec::new(),
                false => indices.iter().map(|index| *index.get(&visible)).collect(),
            };
            places.sort_unstable();
            places.dedup();
            let bytes = places.iter().map(|i| case.line[*i]).collect();
            (case, Keeps { bytes, links, variables })
        })
    })
}

proptest! {
    #[test]
    fn the_result_is_interesting_smaller_and_always_the_same((start, keeps) in case_and_predicate())
    {
        let mut asked = HashSet::new();
        let mut twice = Vec::new();
        let limits = Limits { reruns: 0, ..Limits::default() };
        let mut predicate = |case: &Case| {
            if !asked.insert(case.clone()) {
                twice.push(case.clone());
            }
            Ok::<bool, Infallible>(keeps.holds(case))
        };
        let first = minimise(&start, limits, &mut predicate, &mut |_| {});
        prop_assert_eq!(twice, Vec::<Case>::new(), "asked twice about one case");
        let again = run(&start, |case| keeps.holds(case));
        match (first, again) {
            (Ok(first), Ok(again)) => {
                prop_assert!(keeps.holds(&first.case));
                prop_assert_ne!(compare(&first.case, &start), Ordering::Greater);
                prop_assert_eq!(&first, &again);
                prop_assert!(first.exhausted);
                let from_there = run(&first.case, |case| keeps.holds(case)).unwrap();
                prop_assert_eq!(from_there.case, first.case, "a minimum is its own minimum");
            }
            (first, again) => prop_assert_eq!(first, again),
        }
    }

    #[test]
    fn the_order_is_total(a in any_case(), b in any_case(), c in any_case()) {
        prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        prop_assert_eq!(compare(&a, &b) == Ordering::Equal, a == b);
        let mut sorted = [a, b, c];
        sorted.sort_by(compare);
        prop_assert!(compare(&sorted[0], &sorted[2]) != Ordering::Greater);
    }

    #[test]
    fn the_order_tells_apart_what_differs_in_one_part(case in any_case()) {
        let variants = [
            Case { shells: Shells::only(Shell::Sh), ..case.clone() },
            Case { pwd: Some(Text::default()), ..case.clone() },
            Case { pwd: None, ..case.clone() },
            Case { cwd: path("outside"), ..case.clone() },
            Case { line: Text::from([&case.line[..], b" "].concat()), ..case.clone() },
        ];
        for variant in variants {
            prop_assert_eq!(compare(&variant, &case) == Ordering::Equal, variant == case);
        }
    }
}
