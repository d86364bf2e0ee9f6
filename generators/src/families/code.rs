//! Text that becomes code, and names that become other commands: what a shell evaluates once more,
//! functions and aliases, wrappers, variables that say where programs are or what is run first.

use super::forms::Forms;
use super::links;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;

// tidy: table
const FORMS: Forms = Forms {
    open: &[
        "printf '%s\\n' 'a[$(cat ../outside/secret)]'",
        "echo 'a[$(cat ../outside/secret)]' \"\\$(pwd)\"",
        "[ 'a[$(pwd)]' = b ] || cat @",
        "x=1; echo $((x)); cat @",
        "eval 'cat @'",
        "trap 'pwd' EXIT; cat @",
        "sh -c 'cat @'",
        "f() { cat \"$1\"; }; f @",
        "command cat @",
        "nohup cat @",
        "nice -n 5 cat @",
        "env -i cat @",
        "time cat @",
        "busybox cat @",
        "stdbuf -o L head -n 1 @",
        "type cat && cat @",
        "read -r V <@; echo \"$V\"",
        "export V=@; cat \"$V\"",
        "set -e; cat @",
    ],
    crossing: &[
        "[[ 'a[$(cat @)]' -eq 0 ]]",
        "test -v 'a[$(cat @)]'",
        "[ -v 'a[$(cat @)]' ]",
        "printf -v 'a[$(cat @)]' x",
        "read 'a[$(cat @)]' <main.txt",
        "x='a[$(cat @)]'; echo $((x))",
        "x='a[$(cat @)]'; echo \"$((x+1))\"",
        "let 'a[$(cat @)]=1'",
        "declare 'a[$(cat @)]=1'",
        "export 'a[$(cat @)]=1'",
        "unset 'a[$(cat @)]'",
        "trap 'cat @' EXIT",
        "trap 'cat @' 0; pwd",
        "eval 'cat @'",
        "eval cat '@'",
        "PS4='$(cat @)'; set -x; pwd",
        "mapfile -C 'cat @ #' -c 1 <main.txt",
        "compgen -C 'cat @'",
        "V='$(cat @)'; echo \"${V@@P}\"",
        "sh -c 'cat @'",
        "bash -c 'cd ..; cat outside/secret'",
        ". @",
        "source @",
        "alias ls='cat @'\nls",
        "alias cd=pwd\ncd src; cat ../outside/secret",
        "ls() { cat @; }; ls",
        "cd() { command cd ..; }; cd src; cat outside/secret",
        "pwd() { cd ..; }\npwd; cat outside/secret",
        "f() { cd ..; }; f; cat outside/secret",
        "f() ( cd src ); f; cat ../outside/secret",
        "cat() { command cat @; }; cat main.txt",
        "command cd ..; cat outside/secret",
        "builtin cd ..; cat outside/secret",
        "exec cat @",
        "nohup cat @",
        "env cat @",
        "env -S 'cat @'",
        "timeout 5 sh -c 'cat @'",
        "nice cat @",
        "busybox cat @",
        "xargs cat <@",
        "echo @ | xargs cat",
        "find . -name main.txt -execdir cat @ \\;",
        "PATH=.:$PATH; run",
        "PATH=. run",
        "export PATH=/case/outside:$PATH; secret",
        "BASH_ENV=@ bash -c pwd",
        "ENV=@ sh -c pwd",
        "GIT_DIR=../outside/.git git status",
        "GIT_PAGER='cat @' git -p log",
        "LESSOPEN='|cat @' less main.txt",
        "IFS=x; V=catx@; $V",
        "OLDPWD=/case/outside; cd -; cat secret",
        "HOME=/case/outside; cd; cat secret",
        "CDPATH=/case; cd outside && cat secret",
        "set -- @; cat \"$1\"",
        "set -- @; cat \"$@@\"",
    ],
};

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.knobs.cross = Knobs::FOCUS;
    links::plant(scene, 1);
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    FORMS.act(scene)
}
