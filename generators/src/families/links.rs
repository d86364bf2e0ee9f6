//! Symbolic links. What a path's text says and where it leads are two things.

use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;
use crate::world::{Planted, above, walk};
use shfence_corpus::TOP;

/// Links that are planted together: where each stands, and its target as seen from there.
const LINKS: [&[(&str, &str)]; 20] = [
    // In.
    &[("proj/link", "src")],
    &[("proj/link", "src/deep")],
    &[("proj/src/link", "../lib")],
    // Out.
    &[("proj/link", "../outside")],
    &[("proj/src/link", "../../outside")],
    &[("proj/vendor", "../outside/dir")],
    &[("proj/link", "/case/proj/../outside")],
    // Up.
    &[("proj/up", "..")],
    &[("proj/src/up", "..")],
    &[("proj/src/up", "../..")],
    // Chains.
    &[("proj/chain", "src/link"), ("proj/src/link", "../../outside")],
    &[("proj/chain", "link"), ("proj/link", "src")],
    // Dangling.
    &[("proj/new", "nosuch")],
    &[("proj/new", "../outside/nosuch")],
    // Looping.
    &[("proj/loop", "loop")],
    &[("proj/loop", "src/loop"), ("proj/src/loop", "../loop")],
    // To files.
    &[("proj/note", "src/main.txt")],
    &[("proj/src/note", "../../outside/secret")],
    // To the look-alike, and from the outside in.
    &[("proj/link", "../proj-evil")],
    &[("outside/in", "../proj/src")],
];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    let count = 1 + scene.choices.below(scene.settings.steps);
    plant(scene, count);
    scene.knobs.through_link = Knobs::FOCUS;
}

/// Plants up to `count` of the links, with what some of them lead to.
pub(crate) fn plant(scene: &mut Scene<'_, '_>, count: u32) {
    for _ in 0..count {
        for (path, to) in *scene.choices.pick(&LINKS) {
            let target = match scene.choices.chance(scene.knobs.absolute_link) {
                true => absolute(path, to).unwrap_or_else(|| (*to).to_owned()),
                false => (*to).to_owned(),
            };
            scene.world.plant(path, Planted::Link(target));
        }
    }
    for file in ["proj/lib/main.txt", "proj/src/deep/main.txt", "outside/dir/main.txt"] {
        if scene.choices.below(2) == 0 {
            scene.world.plant(file, Planted::File);
        }
    }
}

fn absolute(path: &str, to: &str) -> Option<String> {
    Some(format!("{TOP}/{}", walk(&above(path)?, to)?))
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let mut list = match scene.choices.below(2) {
        0 => List::of(scene.step()),
        _ => scene.go_and_step(),
    };
    for _ in 0..scene.choices.below(scene.settings.steps) {
        let join = scene.join();
        let step = scene.step();
        list = list.then(join, step);
    }
    list
}
