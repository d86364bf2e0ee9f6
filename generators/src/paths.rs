//! The words that name places: which place, and in which spelling.

use crate::scene::Scene;
use crate::world::{Landing, Planted, World, is_inside, join, walk};
use shfence_corpus::{PROJ, TOP};

/// What a path should lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// A file, or a name where one could be.
    File,
    /// A directory.
    Directory,
    /// Anything.
    Anything,
}

/// Who reads the path: `cd` takes `..` by the text, everybody else by the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Cd,
    Verb,
}

/// A place worth naming.
pub(crate) struct Spot {
    /// Below the top, perhaps through a link.
    path: String,
    landing: Landing,
    through_link: bool,
}

impl Scene<'_, '_> {
    /// An operand of a verb.
    ///
    /// A line crosses the boundary once, as a rule: a guard with one fault must find the rest of it
    /// harmless, or it refuses the line for another reason.
    pub(crate) fn operand(&mut self, want: Want) -> String {
        let may_cross = !self.inside && (self.crossings > 0 || self.has_left());
        if may_cross && self.choices.chance(self.knobs.cross) {
            self.crossings = self.crossings.saturating_sub(1);
            return self.lure(want);
        }
        for _ in 0..self.settings.tries {
            let text = self.path(want, true, Reader::Verb);
            let stays =
                |from: &String| self.world.resolve(&self.world.physical(from), &text).is_inside();
            if self.real.iter().all(stays) {
                return text;
            }
        }
        fallback(want).to_owned()
    }

    /// Is the shell outside, wherever it may be?
    fn has_left(&self) -> bool {
        self.real.iter().all(|at| !is_inside(&self.world.physical(at)))
    }

    /// A path that leads outside from where the shell is, and inside from where a wrong reader
    /// thinks it is, if there is such a place; now and then just any path that may do so.
    fn lure(&mut self, want: Want) -> String {
        if self.choices.chance(self.knobs.stale) {
            return self.path(want, false, Reader::Verb);
        }
        for _ in 0..self.settings.tries {
            let text = self.path(want, false, Reader::Verb);
            let leaves =
                |from: &String| self.world.resolve(&self.world.physical(from), &text).is_outside();
            let believed = believed(&self.wrong, &text);
            let looks_harmless = self.wrong.is_empty() || believed.iter().any(|at| is_inside(at));
            if looks_harmless && self.real.iter().any(leaves) {
                return text;
            }
        }
        self.path(want, false, Reader::Verb)
    }

    /// The word of a `cd`. Unless it shall leave, it works and stays inside from everywhere the
    /// shell may be.
    pub(crate) fn directory(&mut self) -> String {
        if !self.inside && self.crossings > 0 && self.choices.chance(self.knobs.leave) {
            self.crossings -= 1;
            return self.path(Want::Directory, false, Reader::Cd);
        }
        for _ in 0..self.settings.tries {
            let text = self.path(Want::Directory, true, Reader::Cd);
            if self.cd_stays(&text) {
                return text;
            }
        }
        fallback(Want::Directory).to_owned()
    }

    /// Does `cd text` work, and stay inside, from everywhere the shell may be, both for the shells
    /// that check each name on the way and for those that do not?
    pub(crate) fn cd_stays(&self, text: &str) -> bool {
        self.real.iter().all(|from| {
            let physical = self.world.physical(from);
            let on_the_way = !matches!(
                self.world.resolve(&physical, text),
                Landing::Broken | Landing::Missing(_) | Landing::File(_)
            );
            let there = self.world.enter(from, text);
            on_the_way && there.is_some_and(|to| is_inside(&self.world.physical(&to)))
        })
    }

    /// A path to a place inside or outside, from where the shell is or is thought to be.
    fn path(&mut self, want: Want, inside: bool, reader: Reader) -> String {
        let Some(spot) = self.spot(want, inside) else { return fallback(want).to_owned() };
        let Spot { path: target, landing, .. } = &self.spots[spot];
        let (target, landing) = (target.clone(), landing.clone());
        let stale = !self.wrong.is_empty() && self.choices.chance(self.knobs.stale);
        let places = if stale { &self.wrong } else { &self.real };
        let logical = self.choices.pick(places).clone();
        let from = match reader {
            Reader::Cd => logical,
            Reader::Verb => self.world.physical(&logical),
        };
        let text = self.spell(&from, &target, inside);
        self.decorate(text, &landing, want)
    }

    /// One of the spots that answer, by its place.
    fn spot(&mut self, want: Want, inside: bool) -> Option<usize> {
        let answers = |spot: &Spot| spot.landing.is_inside() == inside && spot.answers(want);
        let places = |through_link: bool| -> Vec<usize> {
            let fits = |spot: &Spot| answers(spot) && (spot.through_link || !through_link);
            (0..self.spots.len()).filter(|place| fits(&self.spots[*place])).collect()
        };
        if self.choices.chance(self.knobs.through_link) {
            let through = places(true);
            if let Some(spot) = self.choices.pick_any(&through) {
                return Some(*spot);
            }
        }
        let all = places(false);
        self.choices.pick_any(&all).copied()
    }

    /// One way to write `target` as seen from `from`; both stand below the top.
    fn spell(&mut self, from: &str, target: &str, inside: bool) -> String {
        if self.choices.chance(self.knobs.absolute) {
            if !inside && self.choices.chance(self.knobs.root_prefix) {
                let back = *self.choices.pick(&["..", "./..", "src/../.."]);
                return format!("{TOP}/{PROJ}/{back}/{target}");
            }
            return format!("{TOP}/{target}");
        }
        let text = relative(from, target);
        if !self.choices.chance(self.knobs.detour) {
            return text;
        }
        let directories: Vec<&str> = self
            .world
            .names_in(from)
            .filter(|name| matches!(self.world.resolve(from, name), Landing::Dir(_)))
            .collect();
        let name = from.rsplit('/').next().filter(|name| !name.is_empty());
        match (self.choices.below(4), name, self.choices.pick_any(&directories)) {
            (1, _, Some(directory)) => format!("{directory}/../{text}"),
            (2, Some(name), _) => format!("../{name}/{text}"),
            (3, _, _) if text.contains('/') => text.replacen('/', "//", 1),
            _ => format!("./{text}"),
        }
    }

    /// The small things: a name that is not there, a slash at the end.
    fn decorate(&mut self, text: String, landing: &Landing, want: Want) -> String {
        if want != Want::Directory && self.choices.chance(self.knobs.missing) {
            return match text.rsplit_once('/') {
                Some((directory, _)) => format!("{directory}/nosuch"),
                None => "nosuch".to_owned(),
            };
        }
        let slash = matches!(landing, Landing::Dir(_)) && !text.ends_with('/');
        if slash && self.choices.chance(self.knobs.trailing_slash) { text + "/" } else { text }
    }
}

impl Spot {
    fn answers(&self, want: Want) -> bool {
        match want {
            Want::Anything => true,
            Want::Directory => matches!(self.landing, Landing::Dir(_)),
            Want::File => !matches!(self.landing, Landing::Dir(_)),
        }
    }
}

/// What is written where nothing fits: it is harmless from wherever the shell is.
fn fallback(want: Want) -> &'static str {
    match want {
        Want::File => "main.txt",
        Want::Directory | Want::Anything => ".",
    }
}

/// Everything in the tree, and what stands directly behind each link.
pub(crate) fn spots(world: &World) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (path, planted) in world.nodes() {
        let landing = world.resolve("", path);
        let through_link = matches!(planted, Planted::Link(_));
        if let (true, Landing::Dir(at)) = (through_link, &landing) {
            for name in world.names_in(at) {
                let path = join(path, name);
                let landing = world.resolve("", &path);
                spots.push(Spot { path, landing, through_link });
            }
        }
        spots.push(Spot { path: path.to_owned(), landing, through_link });
    }
    spots
}

/// `target` as a relative path from the directory `from`.
fn relative(from: &str, target: &str) -> String {
    let from: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
    let target: Vec<&str> = target.split('/').filter(|name| !name.is_empty()).collect();
    let shared = from.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let names: Vec<&str> = up.chain(target[shared..].iter().copied()).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}

/// Where a reader that never looks thinks `cd text` leads from each of `places`.
pub(crate) fn believed(places: &[String], text: &str) -> Vec<String> {
    places.iter().filter_map(|from| walk(from, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_walk_back_to_their_target() {
        for from in ["", "proj", "proj/src/deep", "outside"] {
            for target in ["proj", "proj/src/main.txt", "outside/secret", "proj-evil"] {
                let text = relative(from, target);
                assert_eq!(walk(from, &text).as_deref(), Some(target), "{text} from {from:?}");
            }
        }
    }
}
