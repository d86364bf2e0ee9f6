//! Expansions, keywords and assignments: what lies outside the grammar that every shell reads
//! alike. A guard may refuse all of it; one that does not must get it right.

use crate::paths::Want;
use crate::scene::Scene;
use crate::text::{Body, Command, List, Word};
use shfence_corpus::{Shell, Shells};

/// Source with `@` for a path, and the shells that can parse it.
const FORMS: [(&str, &[Shell]); 20] = [
    ("cat @ *.txt", &Shell::ALL),
    ("V=@; cat $V", &Shell::ALL),
    ("V=@ && cat \"$V\"", &Shell::ALL),
    ("cat \"$HOME\"/secret", &Shell::ALL),
    ("cat ~/secret", &Shell::ALL),
    ("cd \"$(pwd)/..\" && cat @", &Shell::ALL),
    ("echo $(cat @)", &Shell::ALL),
    ("cat {@,main.txt}", &Shell::ALL),
    ("if cd ..; then cat outside/secret; fi", &Shell::ALL),
    ("! cd nosuch && cat @", &Shell::ALL),
    ("cd src & cat @", &Shell::ALL),
    ("for d in ..; do cd $d; done; cat @", &Shell::ALL),
    ("[[ -d src ]] || cd ..; cat @", &Shell::ALL),
    ("cat <<E\ntext\nE\ncat @", &Shell::ALL),
    ("cat ../[o]utside/secret", &Shell::ALL),
    ("cat $'@'", &Shell::ALL),
    ("cat @ |& wc -l", &[Shell::Bash, Shell::Zsh]),
    ("cat <(cat @)", &[Shell::Bash, Shell::Zsh]),
    ("cat <<<x @", &[Shell::Bash, Shell::Zsh]),
    ("ls @(N)", &[Shell::Zsh]),
];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.inside = false;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let (form, shells) = *scene.choices.pick(&FORMS);
    let path = scene.operand(Want::File);
    let word = Word::plain(&path);
    let source = form.replace('@', word.as_str());
    let parsed_by: Shells = shells.iter().copied().collect();
    scene.shells = scene.shells.iter().filter(|shell| parsed_by.contains(*shell)).collect();
    List::of(Command::new(Body::Source(source)))
}
