//! Variables that move a `cd`: `CDPATH`, `HOME`, `OLDPWD`, and a `PWD` that passes a link.

use super::{dot_dot, links};
use crate::paths::Reader;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Command, List, Word};
use crate::world::{Planted, walk};

const CDPATHS: [&str; 8] = [
    "/case/outside",
    "/case",
    "..",
    ":/case/outside",
    ".:/case/outside",
    "/case/proj/lib",
    "../outside:src",
    "",
];

const HOMES: [Option<&str>; 7] = [
    None,
    Some("/case/outside"),
    Some("/case/proj/src"),
    Some("/case/proj/link"),
    Some("src"),
    Some(".."),
    Some(""),
];

const OLDPWDS: [Option<&str>; 4] =
    [Some("/case/outside"), Some("/case/proj/src"), Some("/case/proj/nosuch"), Some("..")];

/// Variables that a family member turns, in the order in which [`act`] looks for them.
const VARIABLES: [&str; 3] = ["CDPATH", "HOME", "OLDPWD"];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/dir/main.txt", Planted::File);
    scene.world.plant("outside/dir/main.txt", Planted::File);
    links::plant(scene, 1);
    let more = scene.choices.chance(scene.knobs.second_variable);
    for _ in 0..=u32::from(more) {
        match scene.choices.below(4) {
            0 => {
                scene.world.plant("proj/link", Planted::Link("src/deep".to_owned()));
                scene.world.plant("proj/src/deep/main.txt", Planted::File);
                scene.knobs.start_through_link = Knobs::FOCUS;
            }
            1 => {
                let value = *scene.choices.pick(&HOMES);
                scene.set("HOME", value);
            }
            2 => {
                let value = *scene.choices.pick(&OLDPWDS);
                scene.set("OLDPWD", value);
            }
            // An inherited CDPATH may move any `cd`: nothing to stay inside with.
            _ if scene.inside => scene.set("OLDPWD", Some("/case/outside")),
            _ => {
                let value = *scene.choices.pick(&CDPATHS);
                scene.set("CDPATH", Some(value));
            }
        }
    }
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let set = VARIABLES.into_iter().find(|name| scene.env.contains_key(*name));
    let command = match set {
        Some(variable) if !scene.inside => moved_by(scene, variable),
        _ => return dot_dot::act(scene),
    };
    let mut list = List::of(command);
    for _ in 0..=scene.choices.below(2) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}

/// A `cd` that the variable decides, and where it may lead.
fn moved_by(scene: &mut Scene<'_, '_>, variable: &str) -> Command {
    let value = scene.env.get(variable).cloned().flatten();
    let value = value.map(|text| text.lossy().into_owned()).unwrap_or_default();
    let before = scene.real.clone();
    let from = before[0].clone();
    let (command, to) = match variable {
        "CDPATH" => {
            let name = *scene.choices.pick(&["dir", "./dir", "outside", "src", "dir/.."]);
            let tried = value.split(':').filter_map(|at| walk(&from, at));
            let to = tried.filter_map(|at| scene.world.enter(&at, name)).collect();
            scene.arrive(name, Reader::Cd);
            (scene.cd(None, name), to)
        }
        "HOME" => {
            let word = *scene.choices.pick(&["", "~", "~/src", "~/.."]);
            let words = [Word::plain("cd"), Word::source(word)];
            let count = if word.is_empty() { 1 } else { 2 };
            (Command::simple(words[..count].to_vec()), walk(&from, &value).into_iter().collect())
        }
        _ => (scene.cd(None, "-"), walk(&from, &value).into_iter().collect::<Vec<_>>()),
    };
    scene.may_still_be_in(&before);
    let known: Vec<String> =
        to.into_iter().filter(|to| scene.world.enter("", to).is_some()).collect();
    scene.may_still_be_in(&known);
    scene.quiet(command)
}
