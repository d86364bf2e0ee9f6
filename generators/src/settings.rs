//! Every percentage of the generator, and the weights and bounds that shape a case. How often one
//! of a family's own variants is taken stands with the family.

use crate::choices::Choices;
use crate::family::Family;

/// What decides, beside seed and index, which case comes out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How often each family is a case's main one, in the order of [`Family::ALL`].
    pub families: [u32; Family::ALL.len()],
    /// Percent of cases that aim to stay inside: sure `cd`s, operands that resolve in the project,
    /// the plain grammar. The others aim one step over the boundary.
    pub inside: u8,
    /// Percent of cases to which a second family adds an act of its own, after the first.
    pub second_act: u8,
    /// Percent of knobs that swarming turns off in one case.
    pub swarm_off: u8,
    /// Percent of knobs that swarming doubles in one case.
    pub swarm_double: u8,
    /// The most entries a tree may have.
    pub tree_entries: usize,
    /// Percent of cases with a large tree.
    pub large: u8,
    /// The most entries that a large tree may have.
    pub large_entries: usize,
    /// The most steps (a `cd`, or a verb) that one act draws for itself.
    pub steps: u32,
    /// How often a path that should stay inside is drawn again before a plain one is taken.
    pub tries: u32,
    /// Weights of the verbs: `cat ls head wc pwd echo true`.
    pub verbs: [u32; 7],
    /// Weights of what joins two steps: `&&`, `;`, a new line, `||`.
    pub joins: [u32; 4],
    /// Weights of the ways in which a `cd` fails or disappoints: no such directory, a word that the
    /// shells dispute, two operands, an empty one, `-`, an option.
    pub failures: [u32; 6],
    /// Weights of what is planted besides what the families need, in the order of
    /// `World::STOCK`.
    pub stock: [u32; 12],
    /// How many draws are made from the stock.
    pub stock_draws: u32,
    /// Percent of cases whose text reaches the shell in another way than after `-c`, in each of the
    /// others as often.
    pub other_invocation: u8,
    /// Of so many cases one aims at a pair of constructs, each pair in turn; 0: none does.
    pub aimed: u32,
    /// The knobs that swarming moves.
    pub knobs: Knobs,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            families: [12, 9, 11, 11, 10, 7, 9, 8, 5, 5, 2, 4, 8, 9, 9, 7, 5],
            inside: 50,
            second_act: 30,
            swarm_off: 25,
            swarm_double: 20,
            tree_entries: 12,
            large: 0,
            large_entries: 500,
            steps: 3,
            tries: 6,
            verbs: [8, 5, 3, 3, 2, 2, 1],
            joins: [8, 6, 4, 2],
            failures: [10, 2, 1, 1, 1, 2],
            stock: [3, 4, 3, 4, 4, 3, 3, 2, 2, 2, 2, 1],
            stock_draws: 5,
            other_invocation: 8,
            aimed: 5,
            knobs: Knobs::default(),
        }
    }
}

impl Settings {
    /// The knobs of one case: some off, some at twice their value, the rest as they are. A case
    /// that lacks a feature reaches states that a case with a little of everything never does.
    pub(crate) fn swarm(&self, choices: &mut Choices<'_>) -> Knobs {
        let mut knobs = self.knobs;
        for (_, knob) in knobs.each() {
            if choices.chance(self.swarm_off) {
                *knob = 0;
            } else if choices.chance(self.swarm_double) {
                *knob = knob.saturating_mul(2).min(100);
            }
        }
        knobs
    }
}

/// Declares the knobs once: the struct, its defaults, the list that swarming and tests walk.
macro_rules! knobs {
    ($($(#[$doc:meta])* $name:ident = $default:literal,)*) => {
        /// Percentages that each case moves by itself (swarming). All of them are independent.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Knobs {
            $($(#[$doc])* pub $name: u8,)*
        }

        impl Default for Knobs {
            fn default() -> Knobs {
                Knobs { $($name: $default,)* }
            }
        }

        impl Knobs {
            /// Every knob with its name.
            pub fn each(&mut self) -> Vec<(&'static str, &mut u8)> {
                vec![$((stringify!($name), &mut self.$name),)*]
            }
        }
    };
}

knobs! {
    /// Operands of a case that aims across: this one resolves outside the project.
    cross = 65,
    /// Cases that aim across: do it again and again, not once.
    many_crossings = 12,
    /// Behind a `cd` that fails: `&&`, so that what follows does not run.
    dead_code = 20,
    /// `cd` of a case that aims across: this one goes outside.
    leave = 40,
    /// Operands and `cd` words: absolute, below `/case`.
    absolute = 12,
    /// Absolute paths to the outside: written with the project's root as their prefix.
    root_prefix = 50,
    /// Operands and `cd` words: a detour such as `./`, `src/../`, `link/../`, `//`.
    detour = 18,
    /// Paths to directories: a slash at the end.
    trailing_slash = 12,
    /// Operands: a name that does not exist.
    missing = 8,
    /// Operands: spelt from the directory that a wrong reader believes in, or not checked for
    /// where they lead.
    stale = 20,
    /// Operands and `cd` words: through a symbolic link, if the tree has one.
    through_link = 25,
    /// Words: in one of the quoting styles.
    quoted = 15,
    /// Quoted words: the style changes within the word.
    mixed_quotes = 25,
    /// First words of commands: quoted.
    quoted_verb = 6,
    /// Verbs: an option that people use.
    option = 40,
    /// Verbs: an option that few know, or that carries a path.
    odd_option = 4,
    /// Verbs: `--` before the operands.
    double_dash = 5,
    /// Verbs: a second operand.
    second_operand = 15,
    /// Steps: the verb feeds another (`| head -n 5`).
    piped = 15,
    /// Commands: a redirection to `/dev/null` or of a descriptor.
    quiet = 12,
    /// Redirections: before the words.
    redirect_first = 10,
    /// `cd`: with one of `-P`, `-L`, `--`.
    cd_option = 8,
    /// Steps: in a subshell or a brace group of its own.
    grouped = 8,
    /// New lines: followed by a line that is a comment.
    comment = 12,
    /// Comments: holding quotes and operators.
    odd_comment = 15,
    /// Lines: an unusual layout of blanks.
    unusual_layout = 25,
    /// Cases: the cwd is a directory below the root.
    start_below = 15,
    /// Cases: `$PWD` names the cwd through a link, where the tree has one to it.
    start_through_link = 12,
    /// Cases: a variable is inherited that only a few of their words would look at.
    bystander = 12,
    /// Links: the target is written as an absolute path.
    absolute_link = 15,
    /// Acts of the environment family: a second variable is changed too.
    second_variable = 25,
    /// Redirections of their family: from or to a file instead of a thing that is inert.
    file_redirect = 35,
}

impl Knobs {
    /// What a family sets a knob to that it is about.
    pub(crate) const FOCUS: u8 = 70;

    /// What a family sets a knob to of which it wants more than others do.
    pub(crate) const RAISED: u8 = 25;

    /// What a family that aims inside sets a knob to that its grammar does without.
    pub(crate) const OFF: u8 = 0;
}
