//! Text that shells read in ways of their own: comments, here-documents, quotes with `$`,
//! parameters, assignments before a command, branches and loops.

use super::forms::Forms;
use super::links;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;
use crate::world::Planted;

const FORMS: Forms = Forms {
    open: &[
        "cat main.txt # it's\ncat @",
        "pwd # a \"b\nhead -n 1 @",
        "ls src # see below\nhead -n 2 @ # it's",
        "cat <<E\ntext\nE\ncat @",
        "cat <<'E' && pwd\ntext $x\nE\nhead -n 2 @",
        "wc -l <<-E\n\ttext\n\tE\ncat @",
        "cat <<E | wc -l\ntext\nE\ncat @",
        "V=@; cat \"$V\"",
        "V=@ && head -n 2 \"$V\"",
        "LC_ALL=C cat @",
        "for f in main.txt @; do wc -l \"$f\"; done",
        "for d in src; do cat \"$d\"/main.txt @; done",
        "if [ -d src ]; then cat @; else pwd; fi",
        "if cd nosuch 2>/dev/null; then pwd; else cat @; fi",
        "case src in s*) cat @;; esac",
        "while cat @; do break; done",
        "! cat @ && pwd",
        "(exit); cat @",
        "{ cat main.txt; cat @; }",
        "pwd || exit; cat @",
    ],
    crossing: &[
        "cat $'^'",
        "head -n 1 $'^'",
        "wc -l main.txt $'^'",
        "cat \"$HOME\"/secret",
        "head -n 2 \"$HOME/main.txt\"",
        "cat \"$HOME/../outside/secret\"",
        "ls \"$HOME\"",
        "TZ=/case/outside/secret date",
        "TZ=:/case/outside/secret ls -l src",
        "CDPATH=/case cd outside && cat secret",
        "CDPATH=/case cd outside; ls",
        "PATH=/case/outside cat main.txt",
        "PATH=../..:$PATH cat main.txt",
        "cat src/main.txt # '\ncat @",
        "cd src <nosuch; cat ../outside/secret",
        "{ cd src; } 2>nosuch/x; cat ../outside/secret",
        "(cd src); cat ../outside/secret",
        "cat nosuch || cat @",
        "cat src/up/../outside/secret",
        "cd src/up; head -n 1 ../outside/secret",
        "ls src/up/../outside",
        "cd src; true | cd ..; cat ../outside/secret",
        "cd /case/proj/src; pwd | cd ..; ls ../outside",
        "ls \"$PWD/..\"",
    ],
};

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/src/up", Planted::Link("..".to_owned()));
    scene.world.plant("proj/src/outside/secret", Planted::File);
    scene.world.plant("proj/outside/secret", Planted::File);
    scene.knobs.cross = Knobs::FOCUS;
    links::plant(scene, 1);
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    FORMS.act(scene)
}
