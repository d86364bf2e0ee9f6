//! Words that a shell makes others of: patterns, braces, tildes, and names that look like options
//! once a pattern has matched them.

use super::links;
use crate::paths::Want;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Body, Command, Join, List, Word};
use crate::world::Planted;

/// Verbs that take what comes.
const VERBS: [&str; 5] = ["cat", "ls", "head -n 1", "wc -l", "ls -d"];

/// What leaves by a tilde.
const TILDES: [&str; 5] = ["~/secret", "~", "~/main.txt", "~/../outside/secret", "~/"];

/// The directory that holds a name like an option.
const OPTIONS: &str = "/case/proj/opt";

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    links::plant(scene, 1);
    scene.knobs.through_link = Knobs::FOCUS;
    scene.world.plant("proj/opt/-LR", Planted::File);
    scene.world.plant("proj/opt/sub/out", Planted::Link("../../../outside".to_owned()));
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let verb = *scene.choices.pick(&VERBS);
    let words = match scene.choices.below(6) {
        0 if !scene.inside => (*scene.choices.pick(&TILDES)).to_owned(),
        1 if !scene.inside => return among_options(scene),
        2 => {
            let path = scene.operand(Want::File);
            let word = Word::plain(&path);
            format!("{{{},main.txt}}", word.as_str())
        }
        3 => (*scene.choices.pick(&["*", "src/*", "*.txt", "src/*.txt", "./*", "[m]ain.txt"]))
            .to_owned(),
        _ => {
            let path = scene.operand(Want::Anything);
            pattern(scene, &path)
        }
    };
    let list = List::of(Command::new(Body::Source(format!("{verb} {words}"))));
    if scene.choices.below(3) > 0 {
        return list;
    }
    let join = scene.join();
    let step = scene.step();
    list.then(join, step)
}

/// Where a pattern matches `-LR`, and links stand that it makes `ls` follow.
fn among_options(scene: &mut Scene<'_, '_>) -> List {
    let list = List::of(scene.go_to(OPTIONS));
    let form = *scene.choices.pick(&["ls *", "ls -a *", "ls * | wc -l"]);
    list.then(Join::And, Command::new(Body::Source(form.to_owned())))
}

/// A pattern that matches the path, if that is plain.
fn pattern(scene: &mut Scene<'_, '_>, path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte);
    let names: Vec<&str> = path.split('/').collect();
    let places: Vec<usize> = (0..names.len())
        .filter(|at| !matches!(names[*at], "" | "." | "..") && path.bytes().all(plain))
        .collect();
    let Some(at) = scene.choices.pick_any(&places).copied() else {
        return Word::plain(path).as_str().to_owned();
    };
    let (first, rest) = names[at].split_at(1);
    let name = match scene.choices.below(4) {
        0 => "*".to_owned(),
        1 => format!("{first}*"),
        2 => format!("?{rest}"),
        _ => format!("[{first}]{rest}"),
    };
    let mut names: Vec<&str> = names;
    names[at] = &name;
    names.join("/")
}
