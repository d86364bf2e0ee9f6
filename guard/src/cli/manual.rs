//! `shfence completions SHELL` and `shfence man`: made of the same table as `--help`.

use super::Arguments;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Command, CommandFactory};
use std::io::Write;
use std::process::ExitCode;

/// Prints what a shell needs to complete the words of this program.
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(["bash", "zsh", "fish"]))]
    shell: String,
}

impl Completions {
    pub fn run(&self) -> ExitCode {
        let shell = match &*self.shell {
            "bash" => clap_complete::Shell::Bash,
            "zsh" => clap_complete::Shell::Zsh,
            _ => clap_complete::Shell::Fish,
        };
        let mut text = Vec::new();
        let mut program = Arguments::command();
        clap_complete::generate(shell, &mut program, "shfence", &mut text);
        if shell == clap_complete::Shell::Fish {
            text.extend(operands_for_fish(&program).into_bytes());
        }
        print(&text)
    }
}

/// What may stand where a command takes one of a few words: clap leaves that out for fish.
fn operands_for_fish(program: &Command) -> String {
    let mut text = String::new();
    for command in program.get_subcommands() {
        for operand in command.get_positionals() {
            let values: Vec<_> = operand.get_possible_values();
            let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            if !values.is_empty() {
                text += &format!(
                    "complete -c shfence -n \"__fish_shfence_using_subcommand {}\" -f -a \"{}\"\n",
                    command.get_name(),
                    values.join(" ")
                );
            }
        }
    }
    text
}

/// Prints the manual page: the program, then each of its commands.
pub fn man() -> ExitCode {
    let mut program = Arguments::command();
    program.build();
    let mut text = Vec::new();
    let written = page(&program, &mut text);
    match written {
        Ok(()) => print(&text),
        Err(error) => {
            eprintln!("shfence: the manual page could not be made: {error}");
            super::Exit::Internal.into()
        }
    }
}

fn page(program: &Command, text: &mut Vec<u8>) -> std::io::Result<()> {
    let main = clap_mangen::Man::new(program.clone()).manual("User Commands");
    main.render_title(text)?;
    main.render_name_section(text)?;
    main.render_synopsis_section(text)?;
    main.render_description_section(text)?;
    main.render_options_section(text)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(text, ".SH \"{}\"\n{}", command.get_name().to_uppercase(), escaped(&about))?;
        let man = clap_mangen::Man::new(command.clone());
        for section in [synopsis(&man)?, options(&man)?] {
            text.extend(section.replace(".SH ", ".SS ").into_bytes());
        }
    }
    writeln!(text, "{}", EPILOGUE.trim())
}

fn synopsis(man: &clap_mangen::Man) -> std::io::Result<String> {
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn options(man: &clap_mangen::Man) -> std::io::Result<String> {
    let mut text = Vec::new();
    man.render_options_section(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Text as roff has it: a backslash is `\e`, and a line may not begin with a request.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

const EPILOGUE: &str = r#"
.SH FILES
.TP
\fI$XDG_CONFIG_HOME/shfence/config.toml\fR
The person's rules [~/.config].
.TP
\fI.shfence.toml\fR
The project's, at its root: they may tighten, and loosen only while \fBshfence trust\fR holds.
.TP
\fI$XDG_STATE_HOME/shfence/events.jsonl\fR
What hooks were asked and what they answered [~/.local/state].
.SH "EXIT STATUS"
\fBcheck\fR, \fBexplain\fR: 0 allow, 1 ask, 2 deny. All: 64 wrong usage, 70 the guard failed, to be
treated as ask, 74 something could not be read or written.
.SH CAVEATS
An allow is no isolation: a build runs the project's own code, the tree can change before the line
runs, and aliases and functions over a declared verb change what runs.
"#;

/// Whoever stops reading has seen enough.
fn print(text: &[u8]) -> ExitCode {
    let _ = std::io::stdout().write_all(text);
    ExitCode::SUCCESS
}
