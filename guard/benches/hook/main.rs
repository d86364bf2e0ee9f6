//! How long a hook takes as a process, from its start to its end, beside `/bin/true`.
//!
//! `cargo bench -p shfence --bench hook -- [PROGRAM…]`: the programs are builds of `shfence`, or
//! else the one that cargo has just built. `ci/bench hook` measures a release as it is shipped.
//! Other guards that are found in `PATH` are asked the same question.
//!
//! All take turns, so that a machine that slows down slows all of them; each is started by
//! `posix_spawn(3)`, which std uses, with a request in a file as its standard input.
#![forbid(unsafe_code)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Guards that answer Claude Code's PreToolUse, and the arguments that make them do it.
const OTHERS: &[(&str, &[&str])] = &[
    ("cc-allow", &[]),
    ("claude-permissions", &[]),
    ("dippy", &[]),
    ("nah", &["hook", "claude"]),
    ("safe-chains", &[]),
];

/// What the hook is asked: what agents ask for most, looking.
const LINE: &str = "cd src && grep -rn 'fn main' . | head -20";

/// One thing that is measured.
struct Entrant {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    times: Vec<Duration>,
}

/// A project, the home of its person, and a request about it.
struct Place {
    scratch: tempfile::TempDir,
}

impl Place {
    fn plant() -> std::io::Result<Place> {
        let scratch = tempfile::tempdir()?;
        let top = scratch.path().canonicalize()?;
        let (project, home) = (top.join("home/src/p"), top.join("home"));
        std::fs::create_dir_all(project.join(".git"))?;
        std::fs::create_dir_all(project.join("src"))?;
        std::fs::create_dir_all(home.join(".config/shfence"))?;
        std::fs::write(project.join("src/main.rs"), "fn main() {}\n")?;
        std::fs::write(project.join("Cargo.toml"), "[package]\nname = \"p\"\n")?;
        let rules = "[[allow]]\ncommand = \"git add\"\n\n[[deny]]\ncommand = \"sudo\"\n";
        std::fs::write(home.join(".config/shfence/config.toml"), rules)?;
        let request = serde_json::json!({
            "session_id": "0b7c4a5e-3f0e-4a5b-9a57-3a1c0c7f8f10",
            "transcript_path": home.join(".claude/projects/p/0b7c4a5e.jsonl"),
            "cwd": project, "permission_mode": "default", "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": LINE, "description": "Builds it"},
            "tool_use_id": "toolu_01ABC",
        });
        std::fs::write(top.join("request.json"), request.to_string())?;
        Ok(Place { scratch })
    }

    fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    /// The entrant, ready to be started. Not with a directory of its own: std may fork for that,
    /// and a fork costs as much as what is measured.
    fn command(&self, entrant: &Entrant) -> Command {
        let mut command = Command::new(&entrant.program);
        command
            .args(&entrant.arguments)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8")
            .env("HOME", self.home());
        command
    }

    /// How long it takes to run the entrant once.
    fn run(&self, entrant: &Entrant) -> Duration {
        let request = File::open(self.scratch.path().join("request.json")).expect("the request");
        let mut command = self.command(entrant);
        command.stdin(request).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        command.status().expect("it starts");
        started.elapsed()
    }

    /// What the entrant says, for whoever wonders what was measured.
    fn answer(&self, entrant: &Entrant) -> String {
        let request = File::open(self.scratch.path().join("request.json")).expect("the request");
        let output = self.command(entrant).stdin(request).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

fn entrants(programs: &[String]) -> Vec<Entrant> {
    let entrant = |name: &str, program: &Path, arguments: &[&str]| Entrant {
        name: name.to_owned(),
        program: program.to_owned(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        times: Vec::new(),
    };
    let mut all = vec![entrant("/bin/true", Path::new("/bin/true"), &[])];
    let built = [env!("CARGO_BIN_EXE_shfence").to_owned()];
    let shfences = if programs.is_empty() { &built[..] } else { programs };
    all.extend(shfences.iter().map(|it| entrant(it, Path::new(it), &["hook", "claude"])));
    let path = std::env::var_os("PATH").unwrap_or_default();
    for (name, arguments) in OTHERS {
        let mut found = std::env::split_paths(&path).map(|directory| directory.join(name));
        all.extend(found.find(|it| it.is_file()).map(|it| entrant(name, &it, arguments)));
    }
    all
}

/// Enough for medians that differ by a hundredth from one run to the next.
const ROUNDS: usize = 2000;

fn main() {
    // cargo's own word, for benchmarks that have a harness.
    let programs: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let place = Place::plant().expect("the scratch directory can be filled");
    let mut entrants = entrants(&programs);
    std::env::set_current_dir(place.home().join("src/p")).expect("the project is there");
    for entrant in &entrants[1..] {
        println!("{}: {}", entrant.name, place.answer(entrant));
    }
    for _ in 0..ROUNDS {
        for entrant in &mut entrants {
            let time = place.run(entrant);
            entrant.times.push(time);
        }
    }
    let of = |times: &mut Vec<Duration>, part: usize| {
        times.sort_unstable();
        times[times.len() * part / 100].as_secs_f64() * 1e6
    };
    let yardstick = of(&mut entrants[0].times, 50);
    println!("\n{:>9} {:>9} {:>9}   ratio of the medians", "p10 µs", "median", "p90");
    for Entrant { name, times, .. } in &mut entrants {
        let (p10, median, p90) = (of(times, 10), of(times, 50), of(times, 90));
        println!("{p10:9.0} {median:9.0} {p90:9.0}   {:5.2}   {name}", median / yardstick);
    }
}
