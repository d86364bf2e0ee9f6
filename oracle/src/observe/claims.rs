//! What a record says of a call before it happens, held against what the kernel then did.
//!
//! Only with one thread at work is a difference certain to be a mistake: another may have renamed
//! or removed what the call was on its way to.

use super::look::Seen;
use super::resolve::{Base, Resolver, working_directory};
use super::session::Call;
use crate::system::Pid;
use crate::system::files::{self, FileFacts, Last, c_string};
use crate::system::syscalls::{Effect, path_call};
use shfence_corpus::Text;
use std::fs;

/// What must be true once a call has succeeded, or failed.
#[derive(Debug)]
pub(super) struct Claim {
    name: &'static str,
    place: Text,
    existed: bool,
    then: Then,
}

/// What a success means.
#[derive(Debug)]
enum Then {
    /// The result is a descriptor of the place.
    Opened,
    /// The place is the working directory.
    Entered,
    /// The place was there.
    There,
    /// It may have been made.
    Changed,
    /// A program runs: one of these files (it, or the interpreter of a script), with these
    /// arguments, in this directory.
    Runs { files: Vec<Text>, argv: Vec<Text>, cwd: Text },
}

impl Claim {
    /// The claim that lies in what was seen of a call, if it has one place, and that is known.
    pub(super) fn of(call: &Call, seen: &[Seen]) -> Option<Claim> {
        let entry = path_call(call.number)?;
        let [operand] = entry.operands else { return None };
        let first = seen.first()?;
        let place = first.place.as_ref()?;
        let then = match operand.effect {
            Effect::Open(_) | Effect::OpenHow(_) => Then::Opened,
            Effect::Write if entry.name == "creat" => Then::Opened,
            Effect::Write => Then::Changed,
            Effect::Enter => Then::Entered,
            Effect::Test => Then::There,
            Effect::Execute(_) => {
                let started = first.started.as_ref()?;
                let places = seen.iter().map(|it| it.place.as_ref().map(|it| it.path.as_slice()));
                Then::Runs {
                    files: places.map(|path| Text::from(path.unwrap_or_default())).collect(),
                    argv: started.argv.clone(),
                    cwd: started.cwd.clone(),
                }
            }
            Effect::Bind(_) | Effect::Connect(_) | Effect::Send | Effect::SendMany(_) => {
                return None;
            }
        };
        let (place, existed) = (Text::from(place.path.as_slice()), place.facts.is_some());
        Some(Claim { name: entry.name, place, existed, then })
    }

    /// What is wrong with the claim, now that its thread has left the call with this result.
    pub(super) fn after(self, thread: Pid, result: i64, resolver: &mut Resolver) -> Option<String> {
        let Claim { name, place, existed, then } = self;
        if result < 0 {
            let denied = existed && result == -i64::from(libc::ENOENT);
            let about_it = !matches!(then, Then::Runs { .. });
            return (denied && about_it)
                .then(|| format!("{name}: {place:?} was there, and the kernel found nothing"));
        }
        let now = match then {
            Then::Opened => {
                let file = Base::Descriptor(result as i32);
                let opened = resolver.resolve(thread, file, b"", Last::Follow).ok().flatten()?;
                // A file without a name has none to compare.
                if opened.facts.is_some_and(FileFacts::is_removed) {
                    return None;
                }
                Text::from(opened.path)
            }
            Then::Entered => Text::from(working_directory(thread).ok()?),
            Then::There => {
                return (!existed)
                    .then(|| format!("{name}: {place:?} was missing, and the kernel found it"));
            }
            Then::Changed | Then::Runs { .. } => return None,
        };
        (now != place).then(|| format!("{name}: not {place:?}, but {now:?}"))
    }

    /// The same for an execution, now that the program runs.
    pub(super) fn after_execution(self, thread: Pid) -> Option<String> {
        let Then::Runs { files, argv, cwd } = self.then else { return None };
        let file = |name: &str| c_string(format!("/proc/{thread}/{name}")).ok();
        let runs = Text::from(files::read_link(&file("exe")?).ok()?);
        if !files.contains(&runs) {
            return Some(format!("{}: not {files:?}, but {runs:?} runs", self.name));
        }
        let now = Text::from(working_directory(thread).ok()?);
        if now != cwd {
            return Some(format!("{}: {runs:?} not in {cwd:?}, but {now:?}", self.name));
        }
        // A script's interpreter is given other arguments, and nobody is given none at all.
        if runs != self.place || argv.is_empty() {
            return None;
        }
        let given = fs::read(format!("/proc/{thread}/cmdline")).ok()?;
        let said: Vec<u8> = argv.iter().flat_map(|word| word.iter().copied().chain([0])).collect();
        (given != said).then(|| format!("{}: not {argv:?}, but {:?}", self.name, Text::from(given)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    fn claim(place: impl AsRef<Path>, existed: bool, then: Then) -> Claim {
        let place = Text::from(place.as_ref().as_os_str().as_bytes());
        Claim { name: "call", place, existed, then }
    }

    /// What this thread would be told after a call with this result.
    fn after(claim: Claim, result: i64) -> Option<String> {
        claim.after(std::process::id() as Pid, result, &mut Resolver::default())
    }

    #[test]
    fn a_descriptor_must_lead_where_the_path_was_said_to_lead() {
        let folder = tempfile::tempdir().unwrap();
        let (here, there) = (folder.path().join("here"), folder.path().join("there"));
        fs::write(&here, "").unwrap();
        let file = File::open(&here).unwrap();
        let result = i64::from(file.as_raw_fd());
        assert_eq!(after(claim(&here, true, Then::Opened), result), None);
        assert!(after(claim(&there, true, Then::Opened), result).is_some());
        fs::remove_file(&here).unwrap();
        assert_eq!(after(claim(&there, true, Then::Opened), result), None, "it has no name now");
    }

    #[test]
    fn a_process_must_stand_where_it_was_said_to_go() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(after(claim(&here, true, Then::Entered), 0), None);
        assert!(after(claim(here.join("src"), true, Then::Entered), 0).is_some());
    }

    #[test]
    fn what_was_there_must_be_found_and_what_was_not_must_not() {
        let missing = -i64::from(libc::ENOENT);
        let denied = -i64::from(libc::EACCES);
        for (existed, result, wrong) in [
            (true, 0, false),
            (true, missing, true),
            (true, denied, false),
            (false, 0, true),
            (false, missing, false),
        ] {
            let doubt = after(claim("/place", existed, Then::There), result);
            assert_eq!(doubt.is_some(), wrong, "{existed} {result}: {doubt:?}");
        }
        assert_eq!(after(claim("/place", false, Then::Changed), 0), None, "it was made");
    }

    #[test]
    fn what_runs_must_be_what_was_said_to_run() {
        let me = std::process::id() as Pid;
        let text = |path: &Path| Text::from(path.as_os_str().as_bytes());
        let program = fs::read_link("/proc/self/exe").unwrap();
        let argv: Vec<Text> = std::env::args_os().map(|word| Text::from(word.as_bytes())).collect();
        let cwd = text(&std::env::current_dir().unwrap());
        let runs = |files: &Path, argv: &[Text], cwd: &Text| {
            let then =
                Then::Runs { files: vec![text(files)], argv: argv.to_vec(), cwd: cwd.clone() };
            claim(&program, true, then).after_execution(me)
        };
        assert_eq!(runs(&program, &argv, &cwd), None);
        assert!(runs(Path::new("/bin/other"), &argv, &cwd).is_some());
        assert!(runs(&program, &[Text::from("other")], &cwd).is_some());
        assert!(runs(&program, &argv, &Text::from("/other")).is_some());
    }
}
