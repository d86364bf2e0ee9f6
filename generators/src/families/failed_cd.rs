//! A `cd` that fails, or does not do what it looks like: what follows runs where the shell was.

use super::links;
use crate::paths::{Reader, believed};
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Command, Join, List, Word};
use crate::world::Planted;

/// Words that no shell can enter as directories.
const NO_DIRECTORY: [&str; 7] =
    ["nosuch", "nosuch/deep", "main.txt", "src/main.txt", "new", "loop", "nosuch/."];

/// Words about which the shells do not agree: some check the names on the way, some do not.
const DISPUTED: [&str; 5] = ["nosuch/..", "nosuch/../..", "main.txt/..", "new/..", "nosuch/../src"];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/new", Planted::Link("nosuch".to_owned()));
    scene.world.plant("proj/loop", Planted::Link("loop".to_owned()));
    scene.world.plant("proj/outside/secret", Planted::File);
    links::plant(scene, 1);
    scene.knobs.cross = Knobs::FOCUS;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let failed = failed(scene);
    let join = after_failure(scene);
    let step = scene.step();
    let mut list = List::of(failed).then(join, step);
    for _ in 0..scene.choices.below(scene.settings.steps) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}

/// What lets the next step run, or, now and then, what does not.
fn after_failure(scene: &mut Scene<'_, '_>) -> Join {
    if scene.choices.chance(scene.knobs.dead_code) {
        return Join::And;
    }
    let comment = scene.comment();
    *scene.choices.pick(&[Join::Semicolon, Join::Newline(comment), Join::Or])
}

fn failed(scene: &mut Scene<'_, '_>) -> Command {
    let kind = match scene.inside {
        true => 0,
        false => scene.choices.weighted(&scene.settings.failures),
    };
    match kind {
        0 => {
            let text = *scene.choices.pick(&NO_DIRECTORY);
            let command = scene.cd(None, text);
            scene.wrong = believed(&scene.real, text);
            scene.quiet(command)
        }
        1 => {
            let text = *scene.choices.pick(&DISPUTED);
            let command = scene.cd(None, text);
            let moved = believed(&scene.real, text);
            scene.may_still_be_in(&moved);
            command
        }
        2 => two_operands(scene),
        3 => scene.cd(None, ""),
        4 => scene.cd(None, "-"),
        _ => {
            let option = *scene.choices.pick(&["-P", "-L", "--", "-PL", "-x", "-e", "-q", "-s"]);
            let text = scene.directory();
            let before = scene.real.clone();
            scene.arrive(&text, Reader::Cd);
            scene.may_still_be_in(&before);
            scene.cd(Some(option), &text)
        }
    }
}

/// An error in bash; the first one counts in dash; an edit of `$PWD` in zsh.
fn two_operands(scene: &mut Scene<'_, '_>) -> Command {
    let pair = *scene.choices.pick(&[["src", "nosuch"], ["proj", "outside"], ["src", "lib"]]);
    let before = scene.real.clone();
    scene.wrong = believed(&before, pair[0]);
    if let Some(edited) = before.first().map(|from| from.replacen(pair[0], pair[1], 1)) {
        scene.may_still_be_in(&[edited]);
    }
    Command::simple(vec![Word::plain("cd"), Word::plain(pair[0]), Word::plain(pair[1])])
}
