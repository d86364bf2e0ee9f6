//! How options and operands are told apart, and what is not declared.

use super::{
    Grammar, Leaves, Meaning, Objection, Opt, Options, Parser, Use, Uses, Value, Verb, Why, Word,
    Written, all, find, uses,
};
use crate::plan::Role;
use proptest::prelude::*;

/// Words between blanks; from `$x` on nothing of a word is known.
fn words_of(command: &str) -> Vec<Word<'_>> {
    command
        .split(' ')
        .map(|text| match text.split_once("$x") {
            Some((known, _)) => Word::Begins(known.as_bytes()),
            None => Word::Is(text.as_bytes()),
        })
        .collect()
}

/// The paths that a command names: each with its role's first letter, `+` for everything below, `@`
/// where links below are followed, `'` where those in it are, `?` for only possibly. `<` is
/// standard input. A word that is refused is `!` and the word.
fn shown(command: &str) -> String {
    let name = command.split(' ').next().unwrap_or_default();
    let verb = find(name.as_bytes());
    shown_of(&verb.unwrap_or_else(|| panic!("{command:?} has no declared verb")), command)
}

/// An example of a verb, or of its form that edits.
fn shown_in(verb: &Verb<'_>, example: &str) -> String {
    if verb.name.ends_with(" +edit") { shown_of(verb, example) } else { shown(example) }
}

fn shown_of(verb: &Verb<'_>, command: &str) -> String {
    let texts: Vec<&str> = command.split(' ').collect();
    let words = words_of(command);
    let uses = match uses(verb, &words) {
        Ok(uses) => uses,
        Err(Objection { word, .. }) => return format!("!{}", texts[word]),
    };
    let show = |it: &Use<'_>| {
        let role = match it.role {
            Role::Read => "r",
            Role::List => "l",
            Role::Test => "t",
            Role::Enter => "e",
            Role::Build => "b",
            other => panic!("no verb of this test {} anything", other.verb()),
        };
        let mark = |is, mark| if is { mark } else { "" };
        let (under, follow) = (mark(it.under, "+"), mark(it.follow, "@"));
        let (entries, may) = (mark(it.entries, "'"), mark(it.may, "?"));
        format!("{role}{under}{follow}{entries}{may}:{}", String::from_utf8_lossy(&it.text))
    };
    let written = |it: &Written<'_>| {
        let leaves = match &it.leaves {
            Leaves::Plain => String::new(),
            Leaves::Nothing => "-".to_owned(),
            Leaves::Anything => "@".to_owned(),
            Leaves::Same(source) => format!("={}", String::from_utf8_lossy(source)),
        };
        let keep = if it.keep { "!" } else { "" };
        format!(">{keep}{}{leaves}", String::from_utf8_lossy(&it.text))
    };
    let stdin = uses.stdin.then(|| "<".to_owned());
    let paths = stdin.into_iter().chain(uses.paths.iter().map(show));
    paths.chain(uses.written.iter().map(written)).collect::<Vec<_>>().join(" ")
}

// tidy: table
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("cat", "<"), ("cat a b", "r:a r:b"), ("cat - a", "< r:a"), ("cat -n a", "r:a"),
    ("cat -nA a", "r:a"), ("cat --number a", "r:a"), ("cat -- -n", "r:-n"), ("cat -- --", "r:--"),
    ("cat -- -", "<"),
    // Tools that stop at the first operand read what follows as files.
    ("cat a -n b", "r:a r?:-n r:b"), ("cat a -- -n", "r:a r?:-- r:-n"),
    // Not declared, or not all of it.
    ("cat -x a", "!-x"), ("cat -nx", "!-nx"), ("cat --num a", "!--num"),
    ("cat --number=1 a", "!--number=1"), ("cat --nosuch", "!--nosuch"), ("cat --help", "!--help"),
    // Values, attached and separate.
    ("head -n 5 a", "r:a"), ("head -n5 a", "r:a"), ("head -qn 5 a", "r:a"), ("head -5 a", "r:a"),
    ("head -c 5 /dev/zero", ""), ("head -5 /dev/zero", "r:/dev/zero"), ("head -n", "<"), ("head -5x a", "!-5x"), ("head --lines=5 a", "r:a"),
    ("head --lines 5 a", "r:a"),
    ("head -n -5 a", "r:a"), ("head a -n 5", "r:a r?:-n r?:5"), ("head --line=5 a", "!--line=5"),
    ("cat -5", "!-5"), ("wc -lw a", "r:a"), ("wc --files0-from=a", "!--files0-from=a"),
    // Listing: the working directory, if nothing else.
    ("ls", "l:."), ("ls -l", "l:."), ("ls a", "l:a"), ("ls -", "l:-"), ("ls -R", "l+:."),
    ("ls -laR a", "l+:a"), ("ls --recursive a", "l+:a"), ("ls a -R", "l+:a l?:-R"),
    ("ls --color=never", "l':."), ("ls --color a", "l':a"), ("ls -F", "l':."), ("ls -p", "l:."),
    ("ls --color=x", "!--color=x"), ("ls -FR a", "l+@':a"),
    ("ls -L", "!-L"), ("ls -H a", "!-H"), ("ls --dereference", "!--dereference"),
    // Words that are no paths.
    ("pwd", ""), ("pwd -P", "t?:."), ("pwd -L", ""), ("pwd a", "!a"), ("pwd -x", "!-x"),
    ("echo /etc -n --x", ""), ("true a b", ""),
    // Text before paths, unless an option has given it.
    ("grep a b c", "r:b r:c"), ("grep -e a b c", "r:b r:c"), ("grep -rn a", "r+:."), ("grep a", "<"),
    ("grep a b -e c", "r:a r:b r?:-e r?:c"), ("grep -f a b", "r:a r:b"), ("grep -R a b", "r+@:b"),
    ("cmp a b 5 6", "r:a r:b"), ("cmp a", "< r:a"), ("cmp a - 5 6 7", "!7"), ("grep a - b", "< r:b"),
    // What is not known: a value, a text that cannot be an option, and nothing else.
    ("grep -- $x b", "r:b"), ("grep -e $x b", "r:b"), ("grep -nex$x b", "r:b"), ("grep $x b", "!$x"),
    ("grep -ne$x b", "!-ne$x"),
    ("grep --regexp=$x b", "r:b"), ("grep --reg$x b", "!--reg$x"), ("grep -n$x b", "!-n$x"),
    ("grep -e a $x", "!$x"), ("grep a b$x", "!b$x"), ("grep a$x b", "r:b"), ("head -5$x b", "!-5$x"),
    ("date +$x", ""), ("date -d$x", "!-d$x"), ("xxd -l 5 a", "r:a"), ("tail -n $x", "<"),
    // A response file may hold any option.
    ("strings -n @x a", "!@x"), ("strings $x", "!$x"), ("strings b$x", "!b$x"),
    // One of two may be a directory.
    ("diff a b/", "r+@:a r+@?:a/b r+@:b/ r+@?:b//a"), ("diff --no-dereference a -", "< r+:a"),
    ("diff /dev/null a", "r+@:/dev/null r+@:a r+@?:a/null"),
    // busybox's has no options.
    ("realpath -m a", "t?:-m t:a"), ("realpath a", "t:a"),
    // Sub-commands: by the longest name, after what stands before it.
    ("git status", ""), ("git -C a status b", "e:a l+:a/b"), ("git -C a -C b log ../c", "e:a e:a/b r+:a/b/../c"),
    ("git -C a diff /b c", "e:a r+:/b r+:a/c"), ("git branch --list a", ""), ("git branch a", "!a"),
    ("git stash list -p", ""), ("git stash drop", "!drop"), ("git remote -v", ""),
    ("git diff -- :!a :(top)b", "r+:a r+:b"), ("git diff :/../a", "!:/../a"), ("git show HEAD:a/b", "r+:HEAD:a/b t?:a/b"),
    ("git show HEAD:.env", "!HEAD:.env"), ("git -c a=b log", "!-c"), ("git", "!git"),
    ("git -C $x log", "!$x"), ("git -C a $x", "!$x"), ("git log -- $x", "!$x"),
    // What is written, and what then stands there: a name itself (!), nothing (-), a link (@), or
    // the same as elsewhere (=).
    ("touch a b", ">a >b"), ("tee -a a", ">a"), ("tee", "<"), ("mkdir -p a/b", "t?:a/b >!a >!a/b"),
    ("rm -f a", ">!a-"), ("cp a b", "r:a >!b/a=a >b/a=a >!b=a >b=a"),
    ("cp -r a/ b c", "r+:a/ r+:b >!c/a=a/ >c/a=a/ >!c/b=b >c/b=b"),
    ("mv a b", "t?:a >!b/a=a >!b=a >!a-"), ("ln -s ../x a/b", "t?:a/b/../x t?:a/../x >a/b >a >!a/b/x@ >!a/b@"),
    ("mv a/.. b", "!a/.."), ("ln -s /x b", "!/x"), ("cp a $x", "!$x"),
    // Whole forms stand alone.
    ("grep --version", ""), ("grep --version a", "!--version"),
];

#[test]
fn words_are_read_as_the_table_says() {
    for (command, expected) in COMMANDS {
        assert_eq!(shown(command), *expected, "{command:?}");
    }
}

#[test]
fn verbs_are_found_by_their_whole_name() {
    assert!(all().is_sorted_by(|a, b| a.name < b.name));
    assert!(all().iter().all(|verb| match find(verb.name.as_bytes()) {
        Some(it) => it.name == verb.name,
        None => verb.name.contains(' '), // a sub-command is no program
    }));
    for other in [&b""[..], b"ca", b"cats", b"./cat", b"/bin/cat", b"CAT", b"sed +edit"] {
        assert!(find(other).is_none(), "{}", other.escape_ascii());
    }
}

/// Every example of the catalogue; for all names of a verb.
#[test]
fn examples_are_judged_as_they_say() {
    let mut wrong = Vec::new();
    for verb in all() {
        if matches!(verb.entry.grammar, Grammar::Cd) {
            continue; // flow knows what it does
        }
        for example in verb.entry.allow.iter() {
            let begins = |name: &str| {
                example
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            if verb.entry.names.iter().any(begins) {
                let shown = shown_in(verb, example);
                if shown.starts_with('!') {
                    wrong.push(format!("{example:?}: {shown}"));
                }
            } else {
                panic!("{example:?} is no example of {}", verb.name);
            }
        }
        for example in verb.entry.ask.iter() {
            let shown = shown_in(verb, example);
            if !shown.starts_with('!') {
                wrong.push(format!("{example:?}: {shown}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Options that would let a tool follow links, take file names from a file, run or write something.
#[test]
fn no_declared_option_is_a_dangerous_one() {
    for command in [
        "ls -L a",
        "ls -H a",
        "ls -I x",
        "wc --files0-from a",
        "cat --version",
        "sort --output=x",
        "sort -T x",
        "tail --pid=1",
        "date --set=x",
        "file -m x a",
        "od --str",
    ] {
        assert!(shown(command).starts_with('!'), "{command:?}");
    }
}

/// No unique beginning of a long option is one: what it stands for depends on the version.
#[test]
fn abbreviations_are_refused() {
    for verb in all() {
        let Grammar::Options(options) = &verb.entry.grammar else { continue };
        let long = options.options.iter().filter(|option| option.name.starts_with("--"));
        for option in long {
            for end in 3..option.name.len() {
                let short = &option.name[..end];
                let whole = options.options.iter().any(|other| other.name == short);
                if !whole && !options.alone.contains(short) {
                    let words = [verb.name, short].map(|text| Word::Is(text.as_bytes()));
                    let refused = Objection { word: 1, why: Why::Undeclared };
                    assert_eq!(uses(verb, &words), Err(refused), "{} {short}", verb.name);
                }
            }
        }
    }
}

/// Every list of options in the catalogue, with the words that lead there and satisfy it.
fn tables() -> Vec<(Vec<&'static str>, &'static Options)> {
    let entries = all().iter().filter(|verb| Some(verb.name) == verb.entry.names.get(0));
    let top = entries.filter_map(|verb| match &verb.entry.grammar {
        Grammar::Options(options) => Some((verb.name.split(' ').collect::<Vec<_>>(), options)),
        _ => None,
    });
    let mut waiting: Vec<_> = top.collect();
    let mut tables = Vec::new();
    while let Some((words, options)) = waiting.pop() {
        for sub in options.subs.iter() {
            let name = sub.names.get(0).expect("it has a name");
            waiting.push(([&words[..], &[name]].concat(), &sub.options));
        }
        let mut words = words;
        for names in options.required.iter() {
            let name = names.get(0).expect("it has a name");
            words.push(name);
            let with_value = |it: &&Opt| it.name == name && matches!(it.value, Value::One(_));
            words.extend(options.options.iter().find(with_value).map(|_| "a"));
        }
        tables.push((words, options));
    }
    tables
}

fn uses_of<'w>(words: &[&'w str]) -> Result<Uses<'w>, Objection> {
    let verb = find(words[0].as_bytes()).expect("it is declared");
    uses(&verb, &words.iter().map(|word| Word::Is(word.as_bytes())).collect::<Vec<_>>())
}

#[test]
fn no_table_takes_an_option_that_it_does_not_have() {
    let tables = tables();
    assert!(tables.len() > 100, "{}", tables.len());
    for (words, _) in tables.iter().filter(|(_, it)| it.parser != Parser::Passed) {
        for option in ["--no-such-option", "--no-such-option=a", "-\u{1}"] {
            let words = [&words[..], &[option]].concat();
            assert!(uses_of(&words).is_err(), "{words:?}");
        }
    }
}

/// Whatever an option or an operand is that may be a path: where it leads is used.
#[test]
fn no_value_that_leaves_is_lost() {
    let names_one = |meaning: &Meaning| {
        use Meaning::{Config, Free, Goal, Path};
        matches!(meaning, Free | Goal | Config | Path { .. })
    };
    let mut tried = 0;
    for (words, options) in tables() {
        let mut lines = Vec::new();
        for option in options.options.iter() {
            let attached = match &option.value {
                Value::One(meaning) if names_one(meaning) => false,
                Value::Optional(it) | Value::Attached(it) if names_one(it) => true,
                _ => continue,
            };
            let single = matches!(options.parser, Parser::Single | Parser::Words | Parser::Flags);
            let equals = if single || option.name.starts_with("--") { "=" } else { "" };
            lines.push(vec![format!("{}{equals}../x", option.name)]);
            if !attached {
                lines.push(vec![option.name.to_string(), "../x".to_owned()]);
            }
        }
        let operands = &options.operands;
        if operands.first.iter().chain(&operands.rest).all(names_one) {
            lines.push(vec!["../x".to_owned()]);
            lines.push(vec!["--".to_owned(), "../x".to_owned()]);
        }
        for line in lines {
            let words: Vec<&str> =
                words.iter().copied().chain(line.iter().map(String::as_str)).collect();
            if let Ok(uses) = uses_of(&words) {
                tried += 1;
                assert!(uses.paths.iter().any(|it| *it.text == *b"../x"), "{words:?}: {uses:?}");
            }
        }
    }
    assert!(tried > 600, "{tried}");
}

/// What is known of a word, and whether that is all of it.
type Known = (Vec<u8>, bool);

/// A word that is an option of somebody's, a path, or something that is not known.
fn word() -> impl Strategy<Value = Known> {
    let text = prop_oneof![
        4 => "-[A-Za-z0-9]{1,3}",
        3 => "--[a-z]{1,9}(=[a-z./]{0,4})?",
        4 => "[a-z]{1,3}(/[a-z.]{1,3})?",
        1 => Just("-".to_owned()),
        1 => Just("--".to_owned()),
        1 => "[ -~]{0,6}",
    ];
    (text.prop_map(String::into_bytes), prop::bool::weighted(0.8))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Any words get an answer; and an answer that takes them loses none that could be a path.
    #[test]
    fn no_operand_is_lost(
        at in any::<prop::sample::Index>(),
        texts in prop::collection::vec(word(), 0..6),
    ) {
        let verb = at.get(all());
        let mut words = vec![Word::Is(verb.name.as_bytes())];
        words.extend(texts.iter().map(|(text, known)| match known {
            true => Word::Is(text),
            false => Word::Begins(text),
        }));
        let Ok(uses) = uses(verb, &words) else { return Ok(()) };
        prop_assert!(uses.paths.iter().all(|it| it.word < words.len()));
        let Grammar::Options(options) = &verb.entry.grammar else { return Ok(()) };
        let rest = &options.operands.rest;
        // What goes somewhere is used by the name that it gets there.
        let goes = options.operands.into || !options.operands.first.is_empty();
        if !matches!(rest, Some(Meaning::Path { .. })) || goes {
            return Ok(());
        }
        // The last word is an operand, unless it is an option or the value of the one before it.
        let [.., before, Word::Is(last)] = &words[..] else { return Ok(()) };
        if !last.starts_with(b"-") && !before.known().starts_with(b"-") {
            let at = words.len() - 1;
            let read = uses.paths.iter().any(|it| it.word == at && it.text == *last);
            prop_assert!(read || uses.written.iter().any(|it| it.word == at && it.text == *last));
        }
    }

    /// What is taken without being known is taken whatever it is, and there are no other paths
    /// then. There may be fewer: an option with nothing behind it has the next word for its value.
    #[test]
    fn what_is_not_known_changes_nothing(
        at in any::<prop::sample::Index>(),
        texts in prop::collection::vec(word(), 1..5),
        end in "[ -~]{0,4}",
    ) {
        let verb = at.get(all());
        let name = Word::Is(verb.name.as_bytes());
        let with = |known: &dyn Fn(&Known) -> Known| {
            let texts: Vec<_> = texts.iter().map(known).collect();
            let words = texts.iter().map(|(text, known)| match known {
                true => Word::Is(text),
                false => Word::Begins(text),
            });
            let words: Vec<_> = std::iter::once(name).chain(words).collect();
            let of = |it: &Use<'_>| (it.word, it.text.to_vec(), it.role, it.under, it.follow);
            uses(verb, &words).map(|uses| uses.paths.iter().map(of).collect::<Vec<_>>())
        };
        let Ok(unknown) = with(&Clone::clone) else { return Ok(()) };
        let known = with(&|(text, known)| match known {
            true => (text.clone(), true),
            false => ([&text[..], end.as_bytes()].concat(), true),
        });
        let Ok(known) = known else { return Err(TestCaseError::fail(format!("{known:?}"))) };
        for path in &known {
            prop_assert!(unknown.contains(path), "{path:?} is not in {unknown:?}");
        }
    }
}

/// What is asked of every variable is what the entries say of each.
#[test]
fn the_variables_of_all_verbs_govern() {
    let all: Vec<&str> = all().iter().flat_map(|verb| verb.entry.governed_by.iter()).collect();
    for name in &all {
        let bare = name.trim_end_matches('*');
        for variable in [bare.to_owned(), format!("{bare}X"), format!("X{bare}"), String::new()] {
            let named = all.iter().any(|governing| super::is_named(governing, variable.as_bytes()));
            assert_eq!(super::is_governed_by(variable.as_bytes()), named, "{variable}");
        }
    }
}
