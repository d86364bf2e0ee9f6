//! Whole commands as people write them, with a place for a path.

use crate::paths::Want;
use crate::scene::Scene;
use crate::text::{Body, Command, List, Word};

/// What a family writes.
pub(crate) struct Forms {
    /// Each stays inside if its paths do: `@` stands for a file, and `^` for one as octal numbers;
    /// twice, they stand for themselves.
    pub(crate) open: &'static [&'static str],
    /// Each leaves, or does something that no guard has to understand.
    pub(crate) crossing: &'static [&'static str],
}

impl Forms {
    /// One of them, and now and then a step behind it.
    pub(crate) fn act(&self, scene: &mut Scene<'_, '_>) -> List {
        let crosses = !scene.inside && scene.choices.below(2) == 0;
        let form = *scene.choices.pick(if crosses { self.crossing } else { self.open });
        let list = List::of(Command::new(Body::Source(written(scene, form))));
        if scene.choices.below(3) > 0 {
            return list;
        }
        let join = scene.join();
        let step = scene.step();
        list.then(join, step)
    }
}

/// The form with its places filled.
pub(crate) fn written(scene: &mut Scene<'_, '_>, form: &str) -> String {
    let mut written = String::new();
    let mut characters = form.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '@' | '^' if characters.next_if_eq(&character).is_some() => written.push(character),
            '@' => {
                let path = scene.operand(Want::File);
                written.push_str(Word::plain(&path).as_str());
            }
            '^' => written.push_str(&in_octal(&scene.operand(Want::File))),
            other => written.push(other),
        }
    }
    written
}

/// As it stands between `$'` and `'`: what is no letter is a number.
fn in_octal(text: &str) -> String {
    let write = |byte: u8| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("\\{byte:03o}"),
    };
    text.bytes().map(write).collect()
}
