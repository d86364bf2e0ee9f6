//! Commands that reach further than their operands: they run others, walk directories, read what an
//! option or a substitution names, or only look.

use super::forms::Forms;
use super::links;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;
use crate::world::Planted;

const FORMS: Forms = Forms {
    open: &[
        "env cat @",
        "env LC_ALL=C head -n 2 @",
        "timeout 5 cat @",
        "timeout 5 env wc -l @",
        "nice cat @",
        "find . -name main.txt -exec cat @ {} +",
        "find src -name '*.txt' -exec head -n 1 @ {} \\;",
        "find src -type f -exec wc -l {} +",
        "find . -name main.txt",
        "find . -name main.txt | xargs cat @",
        "find . -name '*.txt' -print0 | xargs -0 head -n 1 @",
        "find src -type f | xargs wc -l",
        "grep -r text src",
        "grep -n text @",
        "grep -rl text . | xargs wc -l @",
        "ls -lR src",
        "head --lines=2 @",
        "cat --number @",
        "echo \"$(cat @)\"",
        "echo \"$(head -n 1 @)\" && pwd",
        "wc -l \"$(echo main.txt)\"",
        "[ -f @ ] && echo yes",
        "test -e @ || pwd",
        "[ -d src ] && [ -r @ ] && ls src",
    ],
    crossing: &[
        "grep -R text .",
        "ls -LR .",
        "ls -LR src",
        "find -L . -name secret",
        "find . -exec cat {} +",
        "find src -name leak -exec ls {} +",
        "find . -name 'l*' -exec ls -d {}/dir \\;",
        "find . -name '*.txt' -exec cat @ \\;",
        "wc -l --files0-from=@",
        "wc -l --files0=@",
        "grep --file=@ main.txt",
        "grep -r --exclude-from=@ text src",
        "sort --files0-from=@",
        "date --reference=@",
        "grep -f @ main.txt",
        "echo $(cat @)",
        "[ main.txt -nt @ ]",
        "echo \"$(wc -l <@)\"",
        "echo \"$(cd ..; ls)\"",
        "pwd && echo \"$(head -n 1 @; pwd)\"",
        "wc -l main.txt \"$(cat @)\"",
        "env cat @",
        "echo main.txt | xargs cat @",
    ],
};

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/src/leak", Planted::Link("../../outside".to_owned()));
    links::plant(scene, 1);
    scene.knobs.cross = Knobs::FOCUS;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    FORMS.act(scene)
}
