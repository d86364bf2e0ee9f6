//! Walks with `..`. `cd` takes a name away from its logical directory, whatever a link on the way
//! leads to; an operand goes up in the file system.

use super::links;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Command, List};
use crate::world::Planted;

/// What is walked behind a `cd`.
const WALKS: [&str; 8] = ["..", "../..", "./..", "../../..", "../.", "..//..", "../src", "../proj"];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/src/deep/main.txt", Planted::File);
    links::plant(scene, 1);
    scene.knobs.detour = Knobs::FOCUS;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    match scene.choices.below(4) {
        0 => List::of(scene.step()),
        1 => walked(scene, None),
        _ => {
            let go = scene.go();
            walked(scene, Some(go))
        }
    }
}

/// `cd X && cd ../.. && verb`
fn walked(scene: &mut Scene<'_, '_>, before: Option<Command>) -> List {
    let walk = walk(scene);
    let mut list = match before {
        Some(command) => {
            let join = scene.join();
            List::of(command).then(join, walk)
        }
        None => List::of(walk),
    };
    for _ in 0..=scene.choices.below(2) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}

fn walk(scene: &mut Scene<'_, '_>) -> Command {
    for _ in 0..scene.settings.tries {
        let text = *scene.choices.pick(&WALKS);
        if !scene.inside || scene.cd_stays(text) {
            return scene.go_to(text);
        }
    }
    scene.go()
}
