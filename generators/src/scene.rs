//! A case while it is made: its tree, its environment, its text so far, and where the shell may be.

use crate::choices::Choices;
use crate::paths::{Spot, spots};
use crate::repository::Repository;
use crate::settings::{Knobs, Settings};
use crate::world::{Landing, Planted, World, is_inside};
use shfence_corpus::{Env, PROJ, RelPath, Shells, TOP, Text};

/// Variables that move a `cd` only if it is a special one.
const BYSTANDERS: [(&str, &str); 4] = [
    ("OLDPWD", "/case/proj/src"),
    ("OLDPWD", "/case/outside"),
    ("HOME", "/case/proj"),
    ("HOME", "/case/outside"),
];

/// Everything a family sees and changes.
///
/// `real` and `wrong` are what makes text bite: operands are spelt so that they lead somewhere
/// worth going from where the shell really is, and read harmless from where a careless reader
/// thinks it is.
pub(crate) struct Scene<'s, 'c> {
    pub(crate) choices: &'s mut Choices<'c>,
    pub(crate) settings: &'s Settings,
    pub(crate) knobs: Knobs,
    /// Does the case aim to stay inside, in the plain grammar?
    pub(crate) inside: bool,
    /// How often the text may still step over the boundary, if it aims across.
    pub(crate) crossings: u32,
    pub(crate) world: World,
    /// The places of the finished tree that a path may name.
    pub(crate) spots: Vec<Spot>,
    /// The repository that stands in the project.
    pub(crate) repository: Option<Repository>,
    pub(crate) env: Env,
    pub(crate) shells: Shells,
    /// The physical directory the shell starts in, below the top.
    pub(crate) cwd: String,
    /// The inherited `$PWD`, where it is not the cwd.
    pub(crate) pwd: Option<String>,
    /// The logical directories the shell may be in now. Never empty.
    pub(crate) real: Vec<String>,
    /// Logical directories that a reader with one fault may believe in. They need not exist.
    pub(crate) wrong: Vec<String>,
}

impl<'s, 'c> Scene<'s, 'c> {
    /// An empty scene in the project's root.
    pub(crate) fn new(choices: &'s mut Choices<'c>, settings: &'s Settings) -> Scene<'s, 'c> {
        let inside = choices.chance(settings.inside);
        let mut knobs = settings.swarm(choices);
        if inside {
            knobs.odd_option = Knobs::OFF;
            knobs.odd_comment = Knobs::OFF;
            knobs.file_redirect = Knobs::OFF;
            knobs.stale = Knobs::OFF;
        } else if knobs.cross == Knobs::OFF && knobs.leave == Knobs::OFF {
            knobs.cross = settings.knobs.cross;
        }
        let many = choices.chance(knobs.many_crossings);
        Scene {
            crossings: if many { u32::MAX } else { 1 },
            choices,
            settings,
            knobs,
            inside,
            world: World::new(settings.tree_entries),
            spots: Vec::new(),
            repository: None,
            env: Env::new(),
            shells: Shells::ALL,
            cwd: PROJ.to_owned(),
            pwd: None,
            real: vec![PROJ.to_owned()],
            wrong: Vec::new(),
        }
    }

    /// Fills the tree from the stock. It is finished then.
    pub(crate) fn stock(&mut self) {
        for _ in 0..self.choices.below(self.settings.stock_draws + 1) {
            let path = World::STOCK[self.choices.weighted(&self.settings.stock)];
            self.world.plant(path, Planted::File);
        }
        self.spots = spots(&self.world);
        // No path of the line leads there: as a rule they are in the way.
        if self.settings.large > 0 && self.choices.chance(self.settings.large) {
            self.world.enlarge(self.settings.large_entries);
        }
    }

    /// Decides where the shell starts: the root, a directory below it, or one of the two under a
    /// name that passes a link; and what it inherits, where no family cares.
    pub(crate) fn start(&mut self) {
        if self.choices.chance(self.knobs.bystander) {
            let (name, value) = *self.choices.pick(&BYSTANDERS);
            if !self.env.contains_key(name) {
                self.set(name, Some(value));
            }
        }
        if self.choices.chance(self.knobs.start_below) {
            let below: Vec<String> = self.directories_inside();
            if let Some(directory) = self.choices.pick_any(&below) {
                self.cwd.clone_from(directory);
                self.real = vec![self.cwd.clone()];
            }
        }
        if self.choices.chance(self.knobs.start_through_link) {
            let names = self.names_of_inside();
            if let Some((link, directory)) = self.choices.pick_any(&names) {
                self.cwd.clone_from(directory);
                self.pwd = Some(format!("{TOP}/{link}"));
                self.real = vec![link.clone()];
            }
        }
    }

    fn directories_inside(&self) -> Vec<String> {
        let directory = |(path, planted): (&str, &Planted)| {
            (*planted == Planted::Dir && is_inside(path)).then(|| path.to_owned())
        };
        self.world.nodes().filter_map(directory).collect()
    }

    /// The links that lead to a directory inside, each with that directory. A case that aims to
    /// stay inside takes none that stands outside: `cd ..` from there would leave.
    fn names_of_inside(&self) -> Vec<(String, String)> {
        let links = self.world.nodes().filter(|(_, planted)| matches!(planted, Planted::Link(_)));
        links
            .filter(|(path, _)| !self.inside || is_inside(path))
            .filter_map(|(path, _)| match self.world.resolve("", path) {
                Landing::Dir(at) if is_inside(&at) => Some((path.to_owned(), at)),
                _ => None,
            })
            .collect()
    }

    /// The shell may now be where it was before as well.
    pub(crate) fn may_still_be_in(&mut self, before: &[String]) {
        add(&mut self.real, before);
    }

    /// The shell is again where it was; a careless reader thinks that it stayed.
    pub(crate) fn back_to(&mut self, before: Vec<String>) {
        let left = std::mem::replace(&mut self.real, before);
        self.wrong = left;
    }

    /// The cwd as a case holds it.
    pub(crate) fn cwd_path(&self) -> RelPath {
        RelPath::new(self.cwd.as_str()).expect("a directory of the tree has plain names")
    }

    /// Sets a variable, or takes it away.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) {
        self.env.insert(name.to_owned(), value.map(Text::from));
    }
}

/// Adds what is not in the set yet.
fn add(set: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !set.contains(one) {
            set.push(one.clone());
        }
    }
}
