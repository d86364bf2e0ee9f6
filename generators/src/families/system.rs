//! Places of the system, far from the tree: the decoys, by absolute paths and by ways up from it,
//! as operands, in redirections, in patterns, and for `cd`.

use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Command, List, Redirect, Target, Word};
use shfence_corpus::{DECOYS, TOP};

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.inside = false;
    // Nothing else gives the line away.
    scene.knobs.cross = Knobs::OFF;
    scene.knobs.leave = Knobs::OFF;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let (file, _) = *scene.choices.pick(&DECOYS);
    let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
    let far = match scene.choices.below(6) {
        0 => List::of(reads(scene, file)),
        1 => {
            let text = spell(scene, directory);
            List::of(Command::simple(vec![Word::plain("ls"), scene.word(&text)]))
        }
        2 => {
            let pattern =
                spell(scene, directory) + *scene.choices.pick(&["/*", "/[ds]*", "/*.txt"]);
            let verb = *scene.choices.pick(&["cat", "ls", "echo", "wc"]);
            List::of(Command::simple(vec![Word::plain(verb), Word::source(pattern)]))
        }
        3 => List::of(redirected(scene, file)),
        4 => {
            let text = spell(scene, directory);
            let go = Command::simple(vec![Word::plain("cd"), scene.word(&text)]);
            List::of(go)
                .then(scene.join(), Command::simple(vec![Word::plain("cat"), Word::plain(name)]))
        }
        _ => {
            let (test, text) = (*scene.choices.pick(&["-e", "-s", "-d"]), spell(scene, file));
            let words = ["test", test].map(Word::plain).into_iter();
            List::of(Command::simple(words.chain([scene.word(&text)]).collect()))
        }
    };
    if scene.choices.below(2) == 0 {
        return far;
    }
    let near = List::of(scene.step());
    let join = scene.join();
    if scene.choices.below(2) == 0 { near.append(join, far) } else { far.append(join, near) }
}

fn reads(scene: &mut Scene<'_, '_>, file: &str) -> Command {
    let verb = *scene.choices.pick(&["cat", "head", "wc", "ls"]);
    let text = spell(scene, file);
    Command::simple(vec![Word::plain(verb), scene.word(&text)])
}

fn redirected(scene: &mut Scene<'_, '_>, file: &str) -> Command {
    let operator = *scene.choices.pick(&["<", ">", ">>", "2>"]);
    let text = spell(scene, file);
    let target = Target::File(scene.word(&text));
    Command::simple(vec![Word::plain("cat")]).redirected(Redirect { operator, target })
}

/// A way to write an absolute path: as it is, as if below the tree, or up from where the shell is.
fn spell(scene: &mut Scene<'_, '_>, path: &str) -> String {
    match scene.choices.below(5) {
        0 => format!("{TOP}/..{path}"),
        1 => format!("{TOP}/proj/../..{path}"),
        2 => {
            let depth = 2 + scene.world.physical(&scene.real[0]).matches('/').count();
            let up = vec![".."; depth].join("/");
            format!("{up}{path}")
        }
        _ => path.to_owned(),
    }
}
