//! Where the effect of a `cd` ends. Out of a subshell it does not reach, out of a brace group it
//! does; of the last stage of a pipeline it reaches out in zsh and nowhere else.

use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Body, Command, List, Pipeline, Word};
use crate::world::Planted;

/// Compounds in compounds: deeper than this says nothing new.
const DEPTH: u32 = 2;

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/src/deep/main.txt", Planted::File);
    scene.world.plant("proj/outside/secret", Planted::File);
    scene.knobs.cross = Knobs::FOCUS;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let scoped = scoped(scene, DEPTH);
    let mut list = List::of(scoped);
    for _ in 0..=scene.choices.below(scene.settings.steps) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}

/// A construct with a `cd` in it. Behind it the shell is where the construct lets it be.
fn scoped(scene: &mut Scene<'_, '_>, depth: u32) -> Pipeline {
    let before = scene.real.clone();
    match scene.choices.below(6) {
        0 | 1 => {
            let list = inner(scene, depth);
            scene.back_to(before);
            compound(scene, Body::Subshell(list)).into()
        }
        2 => {
            let list = inner(scene, depth);
            compound(scene, Body::Braces(list)).into()
        }
        3 => {
            let first = stage(scene, depth);
            scene.back_to(before);
            Pipeline(vec![first, scene.filter()])
        }
        4 => {
            let first = Command::simple(vec![Word::plain("true")]);
            let last = stage(scene, depth);
            scene.may_still_be_in(&before);
            // Who knows one kind of shell believes in one of the two.
            scene.wrong.clone_from(&scene.real);
            Pipeline(vec![first, last])
        }
        _ => {
            let first = scene.verb();
            let middle = stage(scene, depth);
            scene.back_to(before);
            Pipeline(vec![first, middle, scene.filter()])
        }
    }
}

/// A stage that changes directory: a bare `cd`, or a group that does something there.
fn stage(scene: &mut Scene<'_, '_>, depth: u32) -> Command {
    if scene.choices.below(2) == 0 {
        return scene.go();
    }
    let list = inner(scene, depth);
    Command::new(Body::Braces(list))
}

/// What stands in a compound: a `cd` and a step, or a compound again.
fn inner(scene: &mut Scene<'_, '_>, depth: u32) -> List {
    match scene.choices.below(3) {
        0 => List::of(scene.go()),
        1 if depth > 0 => {
            let nested = scoped(scene, depth - 1);
            let join = scene.join();
            let step = scene.step();
            List::of(nested).then(join, step)
        }
        _ => scene.go_and_step(),
    }
}

fn compound(scene: &mut Scene<'_, '_>, body: Body) -> Command {
    scene.quiet(Command::new(body))
}
