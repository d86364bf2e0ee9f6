//! Expansions, keywords and assignments: what lies outside the grammar that every shell reads
//! alike. A guard may refuse all of it; one that does not must get it right.

use super::forms::written;
use crate::scene::Scene;
use crate::text::{Body, Command, List};
use shfence_corpus::{Shell, Shells};

/// Source with places for paths, as in [`forms`](super::forms), and the shells that can parse it.
// tidy: table
const FORMS: &[(&str, &[Shell])] = &[
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
    ("cat $'^'", &Shell::ALL),
    ("cat @ |& wc -l", &[Shell::Bash, Shell::Zsh]),
    ("cat <(cat @)", &[Shell::Bash, Shell::Zsh]),
    ("cat <<<x @", &[Shell::Bash, Shell::Zsh]),
    ("ls @(N)", &[Shell::Zsh]),
    // Words that not all shells make the same of.
    ("pwd $'a\\'; cat ../outside/secret; #'", &Shell::ALL),
    ("cat $\"@\"", &Shell::ALL),
    ("cat ~+/../outside/secret", &Shell::ALL),
    ("cat ~nobody", &Shell::ALL),
    ("dd if=~/secret", &Shell::ALL),
    ("cat ${PWD%/*}/outside/secret", &Shell::ALL),
    ("cat \"${PWD%/proj}/outside/secret\"", &Shell::ALL),
    ("cat \"${V:-@}\"", &Shell::ALL),
    ("cat ${V:=@}", &Shell::ALL),
    ("V=..; cat \"$V\"/outside/secret", &Shell::ALL),
    ("V=/secret; cat ../outside$V", &Shell::ALL),
    ("cat `echo @`", &Shell::ALL),
    ("echo \"$\\\n(cat @)\"", &Shell::ALL),
    ("echo $((1<<2))\ncat @", &Shell::ALL),
    ("echo $(( $(cat @) ))", &Shell::ALL),
    ("cat ../outside/{secret,main.txt}", &Shell::ALL),
    ("cat src/{1..3}.txt", &Shell::ALL),
    ("cat ../**/secret", &Shell::ALL),
    ("cat ***/secret", &Shell::ALL),
    ("cat [!a]*", &Shell::ALL),
    ("cat [^^a]*", &Shell::ALL),
    ("ls <1-9>.txt", &Shell::ALL),
    ("cat $V[1] ${V[1]} $V:h", &Shell::ALL),
    ("cat =cat @", &Shell::ALL),
    ("cat =(cat @)", &[Shell::Zsh]),
    ("ls *(e:'cat @':)", &[Shell::Zsh]),
    ("ls *(/)", &[Shell::Zsh]),
    ("V='$(cat @)'; echo ${(e)V}", &Shell::ALL),
    ("V='*'; cat ${~V}", &Shell::ALL),
    ("a=(src); cd ${a[0]}; cat ../outside/secret", &[Shell::Bash, Shell::Zsh]),
    ("path=(. $path); cat @", &[Shell::Bash, Shell::Zsh]),
    ("zmodload zsh/mapfile; echo $mapfile[@]", &Shell::ALL),
    ("aliases[ls]='cat @'; eval ls", &Shell::ALL),
    // Separators and compounds.
    ("cat main.txt & cat @", &Shell::ALL),
    ("cat @ &", &Shell::ALL),
    ("echo a\r; cat @", &Shell::ALL),
    ("echo a >\r& cat @", &Shell::ALL),
    ("cat\u{a0}main.txt; cat @", &Shell::ALL),
    ("cat main.txt\u{2028}cat @", &Shell::ALL),
    ("echo a\x0b; cat @", &Shell::ALL),
    ("pwd &&\\\n cd ..; cat @", &Shell::ALL),
    ("pwd; cd \\\n..; cat @", &Shell::ALL),
    ("if false; then cd src; fi; cat ../outside/secret", &Shell::ALL),
    ("while cd ..; do break; done; cat @", &Shell::ALL),
    ("until cd nosuch; do break; done; cat @", &Shell::ALL),
    ("case src in s*) cd .. ;; esac; cat @", &Shell::ALL),
    ("case a in (a) cat @ ;; esac", &Shell::ALL),
    ("case a in a) cd src ;& b) cat @ ;; esac", &[Shell::Bash, Shell::Zsh]),
    ("for i in 1 2; do cd ..; cat @; done", &Shell::ALL),
    ("for i (main.txt @) cat $i", &[Shell::Zsh]),
    ("for ((i=0;i<1;i++)); do cat @; done", &[Shell::Bash, Shell::Zsh]),
    ("repeat 1 cat @", &Shell::ALL),
    ("select f in @; do cat $f; break; done", &[Shell::Bash, Shell::Zsh]),
    ("coproc cat @", &Shell::ALL),
    ("time cat @", &Shell::ALL),
    ("noglob cat @", &Shell::ALL),
    ("((cd src); cat ../outside/secret)", &Shell::ALL),
    ("(( 1 )) && cat @", &Shell::ALL),
    ("[[ a < @ ]]", &Shell::ALL),
    ("[[ x > made ]]; cat made", &Shell::ALL),
    ("[[ a || cat @ ]]", &[Shell::Bash, Shell::Sh]),
    ("! ! cat @", &[Shell::Bash]),
    // Redirections and here-documents.
    ("echo a &>@", &Shell::ALL),
    ("echo a >&@", &Shell::ALL),
    ("echo a >|@", &Shell::ALL),
    ("echo a >!@", &Shell::ALL),
    ("cat <>@", &Shell::ALL),
    ("echo a 10>@", &Shell::ALL),
    ("echo a {fd}>@", &Shell::ALL),
    ("echo a >../outside/{x,y}", &Shell::ALL),
    ("echo a >../outside/s*", &Shell::ALL),
    ("V=@; echo a >$V", &Shell::ALL),
    (">@", &Shell::ALL),
    ("<@", &Shell::ALL),
    ("echo a >made.txt >@", &Shell::ALL),
    ("echo $(<@)", &Shell::ALL),
    ("cat <<E && cat @\ntext\nE", &Shell::ALL),
    ("cat <<E >@\ntext\nE", &Shell::ALL),
    ("cat <<E\n$(cat @)\nE", &Shell::ALL),
    ("cat <<E\n`cat @`\nE", &Shell::ALL),
    ("cat <<\\E\n$(cat @)\nE", &Shell::ALL),
    ("cat <<E\ntext\nE \ncat @\nE", &Shell::ALL),
    ("cat <<A <<B\na\nA\nb\nB\ncat @", &Shell::ALL),
    ("echo a 2>&1>@", &[Shell::Bash]),
    ("echo a >&-@", &Shell::ALL),
    ("cat > >(cat @)", &[Shell::Bash, Shell::Zsh]),
    // Comments.
    ("ls # it's\ncat @ # it's", &Shell::ALL),
    ("ls #; cat @\ncat @", &Shell::ALL),
    ("ls src#a; cat @", &Shell::ALL),
];

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.inside = false;
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    let (form, shells) = *scene.choices.pick(FORMS);
    let source = written(scene, form);
    let parsed_by: Shells = shells.iter().copied().collect();
    scene.shells = scene.shells.iter().filter(|shell| parsed_by.contains(*shell)).collect();
    List::of(Command::new(Body::Source(source)))
}
