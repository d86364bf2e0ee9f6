//! Turns: what is done with a line so that a construct stands in it, whatever the line is about.
//!
//! Constructs that are rare by themselves are hardly ever met in pairs, and a guard with a fault
//! where two of them meet would never be asked. So a share of the cases is turned twice: each aims
//! at one pair, and all pairs have their turn before one comes again.

use crate::families::forms::written;
use crate::family::Family;
use crate::scene::Scene;
use crate::settings::Settings;
use crate::text::{Body, Command, Join, Layout, List, render};

/// A construct, and how a line comes to hold it.
pub(crate) struct Turn {
    /// Its name among [`crate::constructs::names`].
    construct: &'static str,
    ways: Ways,
}

enum Ways {
    /// Text around the line, which stands for `%`.
    Text(&'static [Way]),
    /// What is handed over, or stands in the tree.
    Scene(fn(&mut Scene<'_, '_>)),
}

/// Text with the line in it, or behind the line. Paths stand in it as in a family's forms.
enum Way {
    /// What the line does to the working directory holds behind it.
    Around(&'static str),
    /// It does not.
    Apart(&'static str),
    /// It does in some shells.
    Either(&'static str),
    /// A command of its own, behind the line.
    Behind(&'static str),
}

use Way::{Apart, Around, Behind, Either};

// tidy: table
pub(crate) const TURNS: &[Turn] = &[
    text("or", &[Around("false || { %; }"), Around("{ %; } || pwd")]),
    text("pipe", &[Apart("{ %; } | cat"), Either("true | { %; }")]),
    text("background", &[Apart("{ %; } & wait"), Apart("(%) & pwd")]),
    text("subshell", &[Apart("(%)"), Apart("pwd && (%)")]),
    text("group", &[Around("{ %; }"), Around("{ pwd; %; }")]),
    text("comment", &[Around("% # end"), Around("# it's\n%"), Around("% # a \"b")]),
    text("input", &[Around("{ %; } </dev/null"), Behind("wc -l <@")]),
    text(
        "document",
        &[
            Around("{ %; } <<E\ntext\nE"),
            Apart("(%) <<'E'\ntext $V\nE"),
            Behind("cat <<E\ntext\nE"),
            Behind("cat <<-'E' @\n\ttext $(x)\n\tE"),
        ],
    ),
    text(
        "pattern",
        &[
            Around("for f in *; do %; break; done"),
            Around("case src in s*) %;; esac"),
            Behind("ls *"),
            Behind("head -n 1 ./*.txt"),
            Behind("wc -l [m]ain.txt"),
        ],
    ),
    text("braces", &[Around("for d in {src,lib}; do %; done"), Behind("cat {main.txt,@}")]),
    text("tilde", &[Around("case ~ in src) pwd;; *) %;; esac"), Behind("echo ~"), Behind("ls ~")]),
    text("negation", &[Around("! { %; }"), Apart("! (%)"), Around("if ! { %; }; then pwd; fi")]),
    text("dollar-quotes", &[Behind("echo $'a\\tb'"), Behind("cat $'^'")]),
    text(
        "parameter",
        &[
            Around("for d in src lib; do echo \"$d\"; %; done"),
            Behind("V=@; cat \"$V\""),
            Behind("cat \"$PWD\"/main.txt"),
        ],
    ),
    text(
        "substitution",
        &[
            Apart("echo \"$( % )\""),
            Apart("echo $( % )"),
            Apart("V=$( % ); echo \"$V\""),
            Behind("cat \"$(echo main.txt)\""),
        ],
    ),
    text("arithmetic", &[Behind("echo $((1+2))"), Behind("head -n $((2*3)) @")]),
    text("assignment", &[Around("V=src; %"), Behind("LC_ALL=C cat @"), Behind("V=@ cat main.txt")]),
    text("function", &[Around("f() { %; }; f"), Apart("f() { (%); }; f")]),
    text(
        "loop",
        &[
            Around("for f in main.txt; do %; done"),
            Around("for d in src lib; do %; done"),
            Around("while true; do %; break; done"),
            Around("until false; do %; break; done"),
        ],
    ),
    text(
        "branch",
        &[
            Around("if true; then %; fi"),
            Around("if false; then pwd; else %; fi"),
            Around("if %; then pwd; fi"),
            Around("case src in lib) pwd;; *) %;; esac"),
        ],
    ),
    text(
        "test",
        &[
            Around("[ -d src ] && { %; }"),
            Around("[ -e nosuch ] || { %; }"),
            Around("if test -f main.txt; then %; fi"),
            Behind("[ -f @ ] && echo yes"),
        ],
    ),
    text("exit", &[Apart("(%; exit)"), Apart("(%; exit; pwd)"), Behind("pwd || exit")]),
    text(
        "wrapper",
        &[
            Behind("env cat @"),
            Behind("timeout 5 head -n 2 @"),
            Behind("nice ls src"),
            Behind("env LC_ALL=C wc -l @"),
        ],
    ),
    text(
        "find",
        &[
            Behind("find . -name main.txt"),
            Behind("find src -type f -exec wc -l {} +"),
            Behind("find . -name main.txt -exec cat @ {} \\;"),
        ],
    ),
    text(
        "xargs",
        &[
            Apart("{ %; } | xargs echo"),
            Behind("find . -name '*.txt' -print0 | xargs -0 head -n 1"),
            Behind("echo main.txt | xargs cat"),
        ],
    ),
    text("git", &[Behind("git status"), Behind("git log --oneline"), Behind("git diff --stat")]),
    Turn { construct: "pwd", ways: Ways::Scene(starts_through_a_link) },
    Turn { construct: "environment", ways: Ways::Scene(|scene| scene.knobs.bystander = 100) },
    Turn { construct: "start-below", ways: Ways::Scene(|scene| scene.knobs.start_below = 100) },
];

const fn text(construct: &'static str, ways: &'static [Way]) -> Turn {
    Turn { construct, ways: Ways::Text(ways) }
}

fn starts_through_a_link(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/into", crate::world::Planted::Link("src".to_owned()));
    scene.knobs.start_through_link = 100;
}

/// Two turns: the pair that a case aims at.
#[derive(Clone, Copy)]
pub(crate) struct Aim(pub(crate) &'static Turn, pub(crate) &'static Turn);

impl Aim {
    /// The pair at which the case of this index aims, if it is one of those that do. One pair
    /// follows the other, so that all of them have been aimed at when one comes again; where in
    /// their order a campaign begins, its seed says.
    pub(crate) fn of(seed: u64, index: u64, settings: &Settings) -> Option<Aim> {
        let every = u64::from(settings.aimed);
        if every == 0 || index % every != every - 1 {
            return None;
        }
        let count = TURNS.len() as u64;
        let pairs = count * (count - 1) / 2;
        let mut place = (index / every % pairs + seed % pairs) % pairs;
        // Row by row of a triangle: the first turn's pairs, the second's, …
        let mut first = 0;
        while place >= count - 1 - first {
            place -= count - 1 - first;
            first += 1;
        }
        Some(Aim(&TURNS[first as usize], &TURNS[(first + 1 + place) as usize]))
    }

    /// What has to stand before the tree is finished.
    pub(crate) fn prepare(self, scene: &mut Scene<'_, '_>) {
        for turn in [self.0, self.1] {
            if let Ways::Scene(prepare) = turn.ways {
                prepare(scene);
            }
            if turn.construct == "git" {
                Family::Repository.prepare(scene);
            }
        }
    }

    /// The list, turned twice. What stands around the line stands around what was put behind it.
    pub(crate) fn turn(self, scene: &mut Scene<'_, '_>, list: List, layout: Layout) -> List {
        let mut ways: Vec<&Way> = Vec::new();
        for turn in [self.0, self.1] {
            if let Ways::Text(all) = turn.ways {
                ways.push(scene.choices.pick(all));
            }
        }
        if scene.choices.below(2) == 0 {
            ways.reverse();
        }
        ways.sort_by_key(|way| !matches!(way, Behind(_)));
        ways.into_iter().fold(list, |list, way| way.turn(scene, list, layout))
    }
}

impl Way {
    fn turn(&self, scene: &mut Scene<'_, '_>, list: List, layout: Layout) -> List {
        let (Around(form) | Apart(form) | Either(form) | Behind(form)) = self;
        let form = written(scene, form);
        let source = |text: String| Command::new(Body::Source(text));
        let rendered = render(None, &list, layout);
        if let Behind(_) = self {
            let join = if ends_with_a_line(&rendered) { Join::Newline(None) } else { scene.join() };
            return list.then(join, source(form));
        }
        let start = vec![scene.cwd.clone()];
        match self {
            Apart(_) => scene.back_to(start),
            Either(_) => scene.may_still_be_in(&start),
            Around(_) | Behind(_) => {}
        }
        let text = around(&form, &rendered);
        let (turned, ends) = (List::of(source(text.clone())), ends_with_a_line(&text));
        if scene.choices.below(2) == 0 {
            return turned;
        }
        let join = if ends { Join::Newline(None) } else { scene.join() };
        let step = scene.step();
        turned.then(join, step)
    }
}

/// May a comment or a here-document be the end of it? Then only a new line may follow.
fn ends_with_a_line(text: &str) -> bool {
    text.contains('#') || text.contains("<<")
}

/// The form with the line in it. A new line behind it is also what a semicolon would have been.
fn around(form: &str, line: &str) -> String {
    let (before, after) = form.split_once('%').unwrap_or((form, ""));
    let apart = before.ends_with('(') && line.starts_with('(');
    let mut text = format!("{before}{}{line}", if apart { " " } else { "" });
    if ends_with_a_line(line) {
        text.push('\n');
        let semicolon = if after.starts_with(";;") { None } else { after.strip_prefix(';') };
        text.push_str(semicolon.unwrap_or(after).trim_start_matches(' '));
    } else {
        if after.starts_with(')') && line.ends_with(')') {
            text.push(' ');
        }
        text.push_str(after);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constructs::{constructs, names};
    use crate::generate;
    use std::collections::BTreeSet;

    #[test]
    fn a_line_stands_in_a_form_as_its_end_allows() {
        assert_eq!(around("(%; exit)", "ls"), "(ls; exit)");
        assert_eq!(around("(%; exit)", "ls # it's"), "(ls # it's\nexit)");
        assert_eq!(around("(%)", "(ls)"), "( (ls) )");
        assert_eq!(around("{ %; } <<E\ntext\nE", "cat <<E\nE"), "{ cat <<E\nE\n} <<E\ntext\nE");
        assert_eq!(around("case x in *) %;; esac", "a # b"), "case x in *) a # b\n;; esac");
    }

    #[test]
    fn a_case_holds_what_it_aims_at() {
        let settings = Settings { aimed: 1, ..Settings::default() };
        let all: BTreeSet<&str> = names().collect();
        let count = (TURNS.len() * (TURNS.len() - 1) / 2) as u64;
        let mut aimed = BTreeSet::new();
        let mut missed = Vec::new();
        for index in 0..4 * count {
            let Aim(one, other) = Aim::of(11, index, &settings).expect("each case aims");
            assert!(all.contains(one.construct) && all.contains(other.construct));
            assert_ne!(one.construct, other.construct);
            aimed.insert((one.construct, other.construct));
            let generated = generate(11, index, &settings);
            let held = constructs(&generated.case);
            if !held.contains(&one.construct) || !held.contains(&other.construct) {
                missed.push((one.construct, other.construct, generated.case.line));
            }
        }
        assert_eq!(aimed.len() as u64, count, "all pairs, before one comes again");
        assert!(missed.len() as u64 * 50 < 4 * count, "{} missed: {missed:#?}", missed.len());
    }

    #[test]
    fn which_cases_aim_the_settings_say() {
        let aims = |aimed| {
            let settings = Settings { aimed, ..Settings::default() };
            (0..100).filter(|index| Aim::of(1, *index, &settings).is_some()).count()
        };
        assert_eq!([aims(0), aims(1), aims(4), aims(5)], [0, 100, 25, 20]);
    }
}
