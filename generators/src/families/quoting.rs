//! The same words in other quotes, and names that need them.

use super::{cd_group, verbs};
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;
use crate::world::Planted;

/// Names that a reader of bare words takes for something else.
const NAMES: [&str; 10] = ["my dir", "a&b", "x;y", "#1", "$V", "~", ".. ", "...", "a|b", "(1)"];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    for place in ["proj", "outside"] {
        let name = *scene.choices.pick(&NAMES);
        scene.world.plant(&format!("{place}/{name}/main.txt"), Planted::File);
        let name = *scene.choices.pick(&NAMES);
        scene.world.plant(&format!("{place}/src/{name}"), Planted::File);
    }
    scene.knobs.quoted = Knobs::FOCUS;
    scene.knobs.quoted_verb = Knobs::RAISED;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    match scene.choices.below(2) {
        0 => verbs::act(scene),
        _ => cd_group::act(scene),
    }
}
