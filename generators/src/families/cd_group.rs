//! A `cd` and the segments under its effect: `cd X && verb`, `cd X; verb`, `cd X || verb`, several
//! of them in a row, steps before and between.

use crate::scene::Scene;
use crate::text::{Join, List};
use crate::world::Planted;

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/src/deep/main.txt", Planted::File);
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let mut list = match scene.choices.below(3) {
        0 => after_a_step(scene),
        _ => scene.go_and_step(),
    };
    for _ in 0..scene.choices.below(scene.settings.steps) {
        let join = scene.join();
        list = match scene.choices.below(2) {
            0 => {
                let step = scene.step();
                list.then(join, step)
            }
            _ => {
                let before = scene.real.clone();
                let group = scene.go_and_step();
                if !always(join) {
                    scene.may_still_be_in(&before);
                }
                list.append(join, group)
            }
        };
    }
    list
}

/// `verb && cd X …`: the `cd` is taken only if the verb ends as the operator wants it.
fn after_a_step(scene: &mut Scene<'_, '_>) -> List {
    let step = scene.step();
    let join = scene.join();
    let before = scene.real.clone();
    let group = scene.go_and_step();
    if !always(join) {
        scene.may_still_be_in(&before);
    }
    List::of(step).append(join, group)
}

/// Does what stands behind it run whatever happened before it?
fn always(join: Join) -> bool {
    matches!(join, Join::Semicolon | Join::Newline(_))
}
