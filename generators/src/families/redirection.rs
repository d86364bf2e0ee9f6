//! Redirections. One that fails keeps its command, or its whole compound, from running; one that
//! does not fail reaches a file.

use crate::paths::{Want, believed};
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::{Body, Command, List, Pipeline, Redirect, Target, Word};
use crate::world::Planted;

/// Redirections that fail in every shell: nothing there, no directory, no open descriptor.
const FAILING: [(&str, &str); 6] = [
    ("<", "nosuch"),
    (">", "nosuch/x"),
    ("2>", "main.txt/x"),
    (">", "src"),
    ("2>&", "9"),
    ("<&", "8"),
];

/// Operators that take a file.
const TO_FILES: [&str; 6] = ["<", ">", ">>", "2>", "2>>", ">|"];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/outside/secret", Planted::File);
    scene.knobs.quiet = Knobs::FOCUS;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let first = match scene.choices.below(4) {
        0 if !scene.inside => kept_from_running(scene),
        1 => {
            let inner = scene.go_and_step();
            let command = Command::new(Body::Braces(inner));
            scene.quieted(command).into()
        }
        2 => {
            let before = scene.real.clone();
            let inner = scene.go_and_step();
            scene.back_to(before);
            scene.quieted(Command::new(Body::Subshell(inner))).into()
        }
        _ => from_or_to(scene),
    };
    let mut list = List::of(first);
    for _ in 0..=scene.choices.below(2) {
        let join = scene.join();
        let next = if scene.choices.below(2) == 0 { scene.step() } else { from_or_to(scene) };
        list = list.then(join, next);
    }
    list
}

/// A `cd`, alone or in a compound, that its redirection keeps from running.
fn kept_from_running(scene: &mut Scene<'_, '_>) -> Pipeline {
    let text = scene.directory();
    let cd = scene.cd(None, &text);
    scene.wrong = believed(&scene.real, &text);
    let command = match scene.choices.below(3) {
        0 => Command::new(Body::Braces(List::of(cd))),
        _ => cd,
    };
    let (operator, target) = *scene.choices.pick(&FAILING);
    command.redirected(redirect(operator, target)).into()
}

/// A verb with a redirection from or to a file, or to nowhere.
fn from_or_to(scene: &mut Scene<'_, '_>) -> Pipeline {
    let verb = scene.verb();
    if !scene.choices.chance(scene.knobs.file_redirect) {
        return scene.quiet(verb).into();
    }
    let operator = *scene.choices.pick(&TO_FILES);
    let text = scene.operand(Want::File);
    let target = Target::File(scene.word(&text));
    let command = match scene.choices.below(4) {
        // Without a command: nothing in bash and dash, a pager or `cat` in zsh.
        0 => Command::simple(Vec::new()),
        _ => verb,
    };
    command.redirected(Redirect { operator, target }).into()
}

fn redirect(operator: &'static str, target: &'static str) -> Redirect {
    let target = match operator.ends_with('&') {
        true => Target::Descriptor(target),
        false => Target::File(Word::plain(target)),
    };
    Redirect { operator, target }
}
