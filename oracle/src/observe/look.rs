//! What one call does to which places.

use super::arguments::Arguments;
use super::interpreter::{Interpreter, MOST_INTERPRETERS};
use super::resolve::{Base, Place, Resolver};
use super::session::Call;
use crate::system::Pid;
use crate::system::files::{FileFacts, Last};
use crate::system::syscalls::{Effect, Operand, PathCall};
use crate::trace::TouchKind;
use shfence_corpus::Text;
use std::io;

/// What a call does to one place.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) kind: TouchKind,
    pub(super) text: Text,
    /// `None` if it cannot be said.
    pub(super) place: Option<Place>,
    pub(super) started: Option<Started>,
}

/// A program's start.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) argv: Vec<Text>,
    /// Empty if it cannot be said.
    pub(super) cwd: Text,
}

impl Seen {
    fn touch(kind: TouchKind, text: Vec<u8>, place: Option<Place>) -> Seen {
        Seen { kind, text: Text::from(text), place, started: None }
    }
}

/// Everything that a call does. Nothing, if it is certain to fail before it comes to any path.
pub(super) fn look(call: &Call, entry: &PathCall, resolver: &mut Resolver) -> Vec<Seen> {
    let arguments = Arguments::of(call);
    let mut look = Look { thread: call.thread, entry, arguments, resolver, seen: Vec::new() };
    for operand in entry.operands {
        if let Err(error) = look.at(operand)
            && !is_fault(&error)
        {
            let kind = kind_of(operand.effect, i32::MAX, None);
            look.resolver.changed();
            look.resolver.entered(look.thread);
            look.seen.push(Seen::touch(kind, Vec::new(), None));
        }
    }
    look.seen
}

/// Is this what the kernel itself will meet when it reads the caller's memory, and fail with? Any
/// other error is ours alone.
fn is_fault(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EFAULT) || error.kind() == io::ErrorKind::UnexpectedEof
}

struct Look<'a> {
    thread: Pid,
    entry: &'a PathCall,
    arguments: Arguments<'a>,
    resolver: &'a mut Resolver,
    seen: Vec<Seen>,
}

impl Look<'_> {
    /// Looks at one operand. An error means that its arguments cannot be read.
    fn at(&mut self, operand: &Operand) -> io::Result<()> {
        let open_flags = self.arguments.open_flags(operand.effect)?;
        let in_root = self.arguments.in_root(operand.effect)?;
        let (base, last) = (self.arguments.base(operand), self.arguments.last(operand, open_flags));
        for text in self.arguments.paths(operand)? {
            if text.is_empty() && !self.acts_on_descriptor(operand) {
                continue;
            }
            let place = match self.resolver.resolve(self.thread, base, &text, last) {
                // The descriptor is not open: the call fails.
                Ok(None) => continue,
                Ok(place) if !in_root => place,
                Ok(_) | Err(_) => None,
            };
            self.note(operand, open_flags, text, place)?;
        }
        if operand.effect == Effect::Enter {
            self.resolver.entered(self.thread);
        }
        Ok(())
    }

    /// An empty path is an error to most calls (ENOENT), and to some the descriptor itself. Of
    /// those only what changes it or enters or executes it counts: that it was opened was seen
    /// already, and C libraries express every `fstat` so.
    fn acts_on_descriptor(&self, operand: &Operand) -> bool {
        let null_means_descriptor = ["utimensat", "futimesat"].contains(&self.entry.name);
        let by_descriptor = operand.path.is_none()
            || self.arguments.may_be_empty(operand)
            || (null_means_descriptor && self.arguments.path_is_null(operand));
        by_descriptor && operand.effect != Effect::Test
    }

    fn note(
        &mut self,
        operand: &Operand,
        open_flags: i32,
        text: Vec<u8>,
        place: Option<Place>,
    ) -> io::Result<()> {
        let Effect::Execute(list) = operand.effect else {
            let kind = kind_of(operand.effect, open_flags, place.as_ref());
            if kind == TouchKind::Write && !place.as_ref().is_some_and(Place::is_inert) {
                self.resolver.changed();
            }
            self.seen.push(Seen::touch(kind, text, place));
            return Ok(());
        };
        let Some(program) = place else {
            self.seen.push(Seen::touch(TouchKind::Exec, text, None));
            return Ok(());
        };
        if !program.facts.is_some_and(FileFacts::is_program) {
            // A shell trying the directories of PATH one by one: nothing is executed.
            self.seen.push(Seen::touch(TouchKind::Test, text, Some(program)));
            return Ok(());
        }
        let argv = self.arguments.list(list)?;
        let cwd = Text::from(self.resolver.directory(self.thread).unwrap_or_default());
        self.seen.push(Seen {
            kind: TouchKind::Exec,
            text: Text::from(text),
            place: Some(program.clone()),
            started: Some(Started { argv, cwd }),
        });
        self.note_interpreters(program);
        Ok(())
    }

    /// What the kernel opens to execute a program: the interpreter of a script, that one's own if
    /// it is a script again, and the loader that an ELF file names. Relative names start in the
    /// caller's working directory.
    fn note_interpreters(&mut self, mut program: Place) {
        for _ in 0..MOST_INTERPRETERS {
            let (name, is_last) = match self.resolver.interpreter(&program) {
                Ok(None) => return,
                Ok(Some(Interpreter::OfScript(name))) => (name, false),
                Ok(Some(Interpreter::Loader(name))) => (name, true),
                Err(_) => {
                    self.seen.push(Seen::touch(TouchKind::Exec, Vec::new(), None));
                    return;
                }
            };
            let place = self.resolver.resolve(self.thread, Base::Cwd, &name, Last::Follow);
            let place = place.ok().flatten();
            self.seen.push(Seen::touch(TouchKind::Exec, name, place.clone()));
            match place {
                Some(next) if next.facts.is_some_and(FileFacts::is_program) && !is_last => {
                    program = next;
                }
                _ => return,
            }
        }
    }
}

fn kind_of(effect: Effect, open_flags: i32, place: Option<&Place>) -> TouchKind {
    match effect {
        Effect::Test | Effect::Connect(_) | Effect::Send | Effect::SendMany(_) => TouchKind::Test,
        Effect::Write | Effect::Bind(_) => TouchKind::Write,
        Effect::Enter => TouchKind::Enter,
        Effect::Execute(_) => TouchKind::Exec,
        Effect::Open(_) | Effect::OpenHow(_) => kind_of_open(open_flags, place),
    }
}

/// What an open with these flags does to what is at the place.
fn kind_of_open(flags: i32, place: Option<&Place>) -> TouchKind {
    const CHANGES: i32 =
        libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND;
    let is_dir = place.and_then(|place| place.facts).is_some_and(FileFacts::is_dir);
    if flags & libc::O_PATH != 0 {
        TouchKind::Test
    } else if flags & CHANGES != 0 {
        TouchKind::Write
    } else if is_dir || flags & libc::O_DIRECTORY != 0 {
        TouchKind::List
    } else {
        TouchKind::Read
    }
}
