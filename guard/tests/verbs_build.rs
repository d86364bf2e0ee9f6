//! What the build says about a catalogue that does not hold.

#[path = "../build/check.rs"]
mod check;
#[path = "../build/files.rs"]
#[allow(dead_code)]
mod files;
#[path = "../src/verbs/schema.rs"]
#[allow(dead_code)]
mod schema;
#[path = "../build/shape.rs"]
mod shape;
#[path = "../src/verbs/well_formed.rs"]
mod well_formed;

use files::Family;
use shape::Shapes;
use std::collections::BTreeMap;
use std::fs;

/// A verb that holds, with more said about it.
fn family(more: &str) -> Result<Family, toml::de::Error> {
    toml::from_str(&format!(
        "written-from = [\"GNU coreutils 9.1\"]\n[[verb]]\nnames = [\"cat\"]\nclass = \"read\"\n\
         allow = [\"cat a\"]\nask = [\"cat -x\"]\n{more}"
    ))
}

/// Tools of two packages, one of which stands in for others.
fn shapes() -> Shapes {
    let folder = tempfile::tempdir().expect("there is a scratch directory");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("version = \"1\"\n{text}")).expect("it can be written");
        path
    };
    let own = "[tool.cat]\npermutes = true\nflags = [\"-n --number\", \"-v\"]\nvalues = [\"-w\"]";
    let stand_in = "[tool.cat]\npermutes = true\nvalues = [\"-v\"]";
    Shapes::read(&[file("coreutils.toml", own), file("busybox.toml", stand_in)])
        .unwrap_or_else(|complaints| panic!("{complaints:?}"))
}

// tidy: table
#[rustfmt::skip]
const WRONG: &[(&str, &[&str])] = &[
    ("flags = [\"-n --number\"]", &[]),
    ("flags = [\"-x\"]", &["flags: cat has no option -x"]),
    ("flags = [\"-n\"]", &["flags: -n of cat is --number too: declare both"]),
    ("flags = [\"-n --numb\"]", &[
        "flags: -n of cat is --number too: declare both", "flags: cat has no option --numb",
    ]),
    ("flags = [\"-w\"]", &["flags: -w of cat takes a value"]),
    ("texts = [\"-n --number\"]", &[
        "texts: -n of cat takes no value", "texts: --number of cat takes no value",
    ]),
    ("flags = [\"-v\"]", &["flags: -v of the cat of busybox takes a value"]),
    ("texts = [\"-w\"]\nvalues = { \"-w\" = \"read\" }", &["values: -w is declared twice"]),
    ("effects = { follow = [\"-n\"] }", &["effects: -n is not declared"]),
    ("required = [\"-n\"]", &["required: -n is not declared"]),
    ("flags = [\"number\"]", &["flags: cat has no option number", "flags: \"number\" is no option"]),
    ("attached-only = [\"-n\"]", &["attached-only: -n is not declared"]),
    ("governed-by = [\"npm_*\"]", &["governed-by: npm_* is not for names in whatever case"]),
    ("parser = \"stopping\"", &["parser: cat reads its options otherwise"]),
    ("by-hand = \"no\"", &["by-hand: cat has a shape"]),
    ("shape = \"dog\"", &["by-hand: dog has no shape: say why"]),
    ("language = \"printf\"\nflags = [\"-n\"]", &["language: a language declares no options"]),
];

#[test]
fn what_is_wrong_is_said_with_its_key() {
    for (more, expected) in WRONG {
        let family = family(more).unwrap_or_else(|error| panic!("{more}: {error}"));
        let complaints =
            check::all(&[("verbs/x.toml".to_owned(), family)], &shapes(), &BTreeMap::new());
        let expected: Vec<String> =
            expected.iter().map(|what| format!("verbs/x.toml: cat: {what}")).collect();
        assert_eq!(complaints, expected, "{more}");
    }
}

#[test]
fn a_name_is_declared_once() {
    let families = ["verbs/x.toml", "verbs/y.toml"]
        .map(|file| (file.to_owned(), family("").expect("it holds")));
    let complaints = check::all(&families, &shapes(), &BTreeMap::new());
    assert_eq!(complaints, ["verbs/y.toml: cat: names: verbs/x.toml declares it too"]);
}

#[test]
fn what_is_not_in_the_language_is_an_error() {
    for more in ["flag = [\"-n\"]", "values = { \"-w\" = \"path\" }", "effects = { runs = [] }"] {
        assert!(family(more).is_err(), "{more}");
    }
}
