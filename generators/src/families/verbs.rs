//! Verbs without a `cd`: options, operands, pipelines, and one segment among others that is not
//! like them.

use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.knobs.option = Knobs::FOCUS;
    if !scene.inside {
        scene.knobs.odd_option = Knobs::RAISED;
    }
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let mut list = List::of(scene.step());
    for _ in 0..scene.choices.below(scene.settings.steps + 1) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}
