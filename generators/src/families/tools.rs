//! Tools and their own ways to files: options, scripts and operands by which they read, write, run
//! something or change the directory; commands that change the tree that what follows looks at.

use super::forms::Forms;
use super::links;
use crate::scene::Scene;
use crate::settings::Knobs;
use crate::text::List;
use crate::world::Planted;

// tidy: table
const FORMS: Forms = Forms {
    open: &[
        "sort @",
        "sort -u @ | uniq -c",
        "sort -o sorted.txt @ && cat sorted.txt",
        "sed -n 1p @",
        "sed 's/text/word/' @ | head -n 2",
        "awk '{ print $1 }' @",
        "diff @ main.txt",
        "cmp @ main.txt",
        "uniq @",
        "cut -c 1-4 @",
        "tr a b <@",
        "tee copy.txt <@",
        "cp @ copy.txt; cat copy.txt",
        "cp -r src copied && ls copied",
        "mkdir -p made/deep && cd made/deep && pwd",
        "touch made.txt && cat made.txt @",
        "ln -s src made && ls made/",
        "ln -s main.txt made; cat made @",
        "mv main.txt moved.txt && cat moved.txt",
        "rm -rf lib; ls",
        "find src -newer @",
        "tar -cf made.tar src && tar -tf made.tar",
        "git -C src status --short",
        "make -n -C src",
        "env -C src cat main.txt",
        "dd if=@ of=copy.txt",
        "basename @ && dirname @",
        "stat @",
        "readlink -f @",
        "split -l 1 @ part && ls",
    ],
    crossing: &[
        "sort -o @ main.txt",
        "sort --ou=@ main.txt",
        "sort -uo@ main.txt",
        "sort -T ../outside main.txt",
        "sort --compress-program=./run main.txt",
        "sed -n 'w @' main.txt",
        "sed 'r @' main.txt",
        "sed '1e cat @' main.txt",
        "sed -i s/a/b/ @",
        "sed -f @ main.txt",
        "awk '{ print > \"../outside/made\" }' main.txt",
        "awk 'BEGIN { while ((getline l < \"@\") > 0) print l }'",
        "awk 'BEGIN { system(\"cat @\") }'",
        "awk -f @ main.txt",
        "uniq main.txt @",
        "tee @ <main.txt",
        "tee -a main.txt @ </dev/null",
        "dd if=@ of=copy.txt",
        "dd if=main.txt of=@",
        "find src -fprint @",
        "find . -newer @",
        "find . -maxdepth 1 -fprintf ../outside/made x",
        "tar -cf ../outside/made.tar src",
        "tar -tf @",
        "tar -cf made.tar -C .. outside",
        "tar -cf made.tar --to-command=cat src",
        "file -f @",
        "xargs -a @ echo",
        "date -f @",
        "diff main.txt @",
        "diff -r src ../outside",
        "cmp @ main.txt",
        "cp @ copy.txt",
        "cp main.txt @",
        "cp -r ../outside copied",
        "mv main.txt ../outside/moved",
        "ln -s ../outside made && cat made/secret",
        "ln -s ../outside made; ls made/",
        "ln -sfn .. src && cat src/outside/secret",
        "ln -s /case/outside/secret made\ncat made",
        "mv src gone; cd src; cat ../outside/secret",
        "rm -rf src; cd src; cat ../outside/secret",
        "rm -f @",
        "touch @",
        "mkdir ../outside/made",
        "split main.txt ../outside/part",
        "env -C .. cat outside/secret",
        "env --chdir=../outside cat secret",
        "git -C .. status",
        "git -C ../outside log",
        "git --git-dir=../outside/.git status",
        "git diff --output=../outside/made",
        "git diff --no-index main.txt @",
        "git -c core.fsmonitor=./run status",
        "git -c core.pager=./run -p log",
        "make -C /case/outside",
        "make -n -C ../outside",
        "make -f @ -n",
        "make -n --eval='$(shell cat @)'",
        "npm --prefix /case/outside test",
        "cargo build --manifest-path /case/outside/Cargo.toml",
        "python3 @",
    ],
};

pub(crate) fn prepare(scene: &mut Scene<'_, '_>) {
    scene.world.plant("proj/lib/main.txt", Planted::File);
    scene.knobs.cross = Knobs::FOCUS;
    links::plant(scene, 1);
}

pub(crate) fn act(scene: &mut Scene<'_, '_>) -> List {
    FORMS.act(scene)
}
