//! A git repository in the project, what git says of it, and what else reads its files.

use crate::repository::Repository;
use crate::scene::Scene;
use crate::text::{Body, Command, List};

/// What people and tools ask of a repository.
const LINES: [&str; 14] = [
    "git status",
    "git status --short",
    "git log --oneline",
    "git log -p -1",
    "git diff",
    "git diff --stat HEAD",
    "git show",
    "git branch -a",
    "git rev-parse --show-toplevel",
    "git ls-files",
    "cat .git/config",
    "cat .git/HEAD",
    "ls -a .git",
    "ls .git/objects",
];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    if scene.repository.is_none() {
        scene.repository = Some(Repository::draw(scene.choices));
    }
    // Whether git stays inside, its configuration says.
    scene.inside = false;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let asks = Command::new(Body::Source((*scene.choices.pick(&LINES)).to_owned()));
    match scene.choices.below(4) {
        0 => {
            let list = List::of(scene.go());
            let join = scene.join();
            list.then(join, asks)
        }
        1 => {
            let list = List::of(asks);
            let join = scene.join();
            list.then(join, scene.step())
        }
        _ => List::of(asks),
    }
}
