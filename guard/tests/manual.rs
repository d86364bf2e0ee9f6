//! The completions in the shells that they are for, and the manual page.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_shfence")).args(arguments).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs a script in a shell that starts without anybody's settings.
fn run(shell: &[&str], script: &str, directory: &Path) -> Output {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg("-c").arg(script).current_dir(directory);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", directory);
    command.env("TERM", "dumb");
    command.output().unwrap_or_else(|error| panic!("{}: {error}", shell[0]))
}

fn text(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is offered behind these words.
struct Offers {
    words: &'static str,
    offered: &'static [&'static str],
}

const OFFERS: [Offers; 4] = [
    Offers { words: "shfence expl", offered: &["explain"] },
    Offers { words: "shfence hook cla", offered: &["claude"] },
    Offers { words: "shfence hook --fail", offered: &["--fail-closed"] },
    Offers { words: "shfence check --inv", offered: &["--invocation"] },
];

#[test]
fn bash_completes() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    fs::write(scratch.path().join("it"), printed(&["completions", "bash"])).expect("written");
    for Offers { words, offered } in OFFERS {
        let words: Vec<&str> = words.split(' ').collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = format!(
            ". ./it; COMP_WORDS=({}); COMP_CWORD={}; _shfence shfence '{last}' '{before}'; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1,
        );
        let output = run(&["bash", "--norc", "--noprofile"], &script, scratch.path());
        assert_eq!(text(&output).lines().collect::<Vec<_>>(), offered, "{words:?}");
    }
}

/// In a terminal of its own, as a person would press the key.
#[test]
fn zsh_completes() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    fs::write(scratch.path().join("_shfence"), printed(&["completions", "zsh"])).expect("written");
    let mut script = String::from(
        "zmodload zsh/zpty; zpty shell zsh -f -i
         zpty -w shell \"fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D\"
         zpty -w shell \"print rea''dy\"
         zpty -r -m shell seen '*ready*'\n",
    );
    for Offers { words, offered } in OFFERS {
        let before = words.rsplit_once(' ').expect("several words").0;
        script += &format!(
            "zpty -n -w shell $'{words}\\t'
             zpty -r -m shell seen '*{before} {}*' && print -r -- {}
             zpty -n -w shell $'\\C-u'\n",
            offered[0], offered[0]
        );
    }
    let output = run(&["timeout", "20", "zsh", "-f"], &script, scratch.path());
    let offered = OFFERS.iter().flat_map(|it| it.offered);
    assert_eq!(text(&output).lines().collect::<Vec<_>>(), offered.copied().collect::<Vec<_>>());
}

/// Where fish is not installed, nobody uses what was made for it.
#[test]
fn fish_completes_where_it_is_installed() {
    if !Path::new("/usr/bin/fish").exists() {
        return;
    }
    let scratch = tempfile::tempdir().expect("a scratch directory");
    fs::write(scratch.path().join("it"), printed(&["completions", "fish"])).expect("written");
    for Offers { words, offered } in OFFERS {
        let script = format!("source ./it; complete -C '{words}'");
        let output = run(&["fish", "--no-config"], &script, scratch.path());
        let found = text(&output);
        let found: Vec<&str> = found.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(found, offered, "{words}");
    }
}

/// Every command of the help has its section, with its options, and roff takes it.
#[test]
fn the_manual_page_has_every_command() {
    let page = printed(&["man"]);
    let help = printed(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 9, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("\n.SH \"{}\"\n", name.to_uppercase())), "{name}");
    }
    assert!(page.contains("\\-\\-fail\\-closed"));
    let scratch = tempfile::tempdir().expect("a scratch directory");
    fs::write(scratch.path().join("shfence.1"), &page).expect("written");
    let tools: [&[&str]; 2] =
        [&["mandoc", "-T", "lint", "-W", "error"], &["groff", "-man", "-ww", "-z"]];
    for tool in tools {
        let Ok(output) =
            Command::new(tool[0]).args(&tool[1..]).arg(scratch.path().join("shfence.1")).output()
        else {
            continue;
        };
        let said = [output.stdout, output.stderr].concat();
        assert!(said.is_empty(), "{tool:?}: {}", String::from_utf8_lossy(&said));
    }
}
