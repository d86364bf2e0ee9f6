//! Seeded cases for the oracle: a line, and the tree and environment it bites in, made together.
//!
//! A case is a function of seed, index, [`REVISION`] and [`Settings`], and of nothing else: not of
//! the cases made before it, nor of time, thread or machine. The model of shell text in here is
//! this package's own; it depends on `corpus` and on no guard.
//!
//! ```
//! use shfence_generators::{Settings, generate};
//!
//! let settings = Settings::default();
//! let generated = generate(1, 0, &settings);
//! assert_eq!(generated, generate(1, 0, &settings));
//! println!("{}: {}", generated.family, generated.case.line);
//! ```
#![forbid(unsafe_code)]

mod choices;
pub mod constructs;
mod families;
mod family;
pub mod near;
mod paths;
mod repository;
mod scene;
mod settings;
pub mod small;
mod steps;
mod text;
mod turns;
mod verbs;
mod world;

pub use choices::Choices;
pub use family::Family;
pub use repository::REPOSITORY_ENTRIES;
pub use settings::{Knobs, Settings};

use repository::Repository;
use scene::Scene;
use shfence_corpus::{Case, Invocation, Text};
use text::{Layout, List};
use turns::Aim;

/// The revision of the mapping from choices to cases. It changes whenever any case does, so that a
/// seed and an index in an old report are not taken for another case.
pub const REVISION: u32 = 6;

/// A case and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The case.
    pub case: Case,
    /// Its main family.
    pub family: Family,
}

/// The case of `index` under `seed`.
pub fn generate(seed: u64, index: u64, settings: &Settings) -> Generated {
    aimed(&mut Choices::seeded(seed, index), settings, Aim::of(seed, index, settings))
}

/// A case from any source of choices. It aims at no pair of constructs: which, an index says.
pub fn from_choices(choices: &mut Choices<'_>, settings: &Settings) -> Generated {
    aimed(choices, settings, None)
}

fn aimed(choices: &mut Choices<'_>, settings: &Settings, aim: Option<Aim>) -> Generated {
    let family = Family::ALL[choices.weighted(&settings.families)];
    let second = match choices.chance(settings.second_act) {
        true => Some(Family::ALL[choices.weighted(&settings.families)]),
        false => None,
    };
    let mut scene = Scene::new(choices, settings);
    if let Some(aim) = aim {
        aim.prepare(&mut scene);
    }
    for family in [Some(family), second].into_iter().flatten() {
        family.prepare(&mut scene);
    }
    scene.stock();
    scene.start();
    let mut list = family.act(&mut scene);
    if let Some(second) = second {
        let join = scene.join();
        let act = second.act(&mut scene);
        list = list.append(join, act);
    }
    Generated { case: finish(scene, list, aim), family }
}

fn finish(mut scene: Scene<'_, '_>, list: List, aim: Option<Aim>) -> Case {
    let layout = match scene.choices.chance(scene.knobs.unusual_layout) {
        true => *scene.choices.pick(&Layout::UNUSUAL),
        false => Layout::Plain,
    };
    let comment = scene.comment();
    let list = match aim {
        Some(aim) => aim.turn(&mut scene, list, layout),
        None => list,
    };
    // The last choice: the same line, handed over in another way.
    let invocation = match scene.choices.chance(scene.settings.other_invocation) {
        true => *scene.choices.pick(&Invocation::ALL[1..]),
        false => Invocation::C,
    };
    Case {
        line: Text::from(text::render(comment, &list, layout)),
        cwd: scene.cwd_path(),
        pwd: scene.pwd.as_deref().map(Text::from),
        env: std::mem::take(&mut scene.env),
        shells: scene.shells,
        invocation,
        tree: scene.world.into_tree(scene.repository.map(Repository::entries).unwrap_or_default()),
    }
}
