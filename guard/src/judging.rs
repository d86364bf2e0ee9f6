//! Segments → objections: is everything that a segment uses in scope?

use crate::globs::fits_in_any_case;
use crate::path::Physical;
use crate::path::resolve::{Last, resolve};
use crate::plan::{Cwds, PathUse, PlanWord, Role, Segment};
use crate::protected::{is_above_guarded, is_guarded_path, is_secret_path, is_within};
use crate::request::{Profile, Request};
use crate::scope::Scope;
use crate::semantics::Containment;
use crate::verdict::{Code, Reason};
use crate::view::FsView;
use std::cell::OnceCell;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Judges segments against one scope, and remembers which root authorised them.
pub(crate) struct Judge<'a> {
    scope: &'a Scope,
    /// Names of files that the person protects.
    names: &'a [String],
    /// Places that are guarded whatever they are called, as the request names them; and where they
    /// are, once something is written.
    guarded: &'a [PathBuf],
    guarded_at: OnceCell<Vec<Physical>>,
    view: &'a dyn FsView,
    containment: Containment,
    /// May the line change files of the project?
    edits: bool,
    root: Option<Physical>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        request: &Request<'a>,
        view: &'a dyn FsView,
        containment: Containment,
    ) -> Judge<'a> {
        Judge {
            scope: request.scope,
            names: &request.policy.protected_names,
            guarded: &request.policy.guarded,
            guarded_at: OnceCell::new(),
            view,
            containment,
            edits: request.policy.profile >= Profile::Edit,
            root: None,
        }
    }

    /// The first root that contained something that a segment uses.
    pub(crate) fn root(self) -> Option<Physical> {
        self.root
    }

    /// Adds what stands against this segment.
    pub(crate) fn segment(&mut self, segment: &Segment, objections: &mut Vec<Reason>) {
        let mut object =
            |code, span, note| crate::verdict::object(objections, Reason { code, span, note });
        match &segment.cwd {
            // Where it leads does not depend on where it starts.
            Cwds::Unknown if is_cd_to_absolute(segment) => {}
            Cwds::Unknown => object(
                Code::CwdUnknown,
                segment.span,
                "it cannot be told in which directory this starts".to_owned(),
            ),
            Cwds::Known(directories) => {
                for cwd in directories {
                    if !self.is_cwd_inside(cwd) {
                        let note = format!("this may start in {cwd}, outside the project");
                        object(Code::CwdOutside, segment.span, note);
                    }
                }
            }
        }
        for path in &segment.paths {
            if !self.is_inside(path) {
                let note = outside(path);
                object(Code::PathOutside, path.span, note);
            } else if path.role == Role::Read && self.is_secret(path) {
                let note = format!("this reads {}, which may hold a secret", path.path);
                object(Code::Protected, path.span, note);
            } else if self.may_steer(path.role)
                && (self.is_guarded(path) || self.holds_guarded(path))
            {
                let note = format!("this writes {}, which says what may run", path.path);
                object(Code::Protected, path.span, note);
            } else if self.is_protected(path) {
                let note = format!("{} is protected by the configuration", path.path);
                object(Code::Protected, path.span, note);
            } else if path.role == Role::Write && !self.edits {
                object(Code::Writes, path.span, format!("this writes {}", path.path));
            } else if matches!(path.role, Role::Write | Role::Build) && self.is_secret(path) {
                let note = format!("this writes {}, which may hold a secret", path.path);
                object(Code::Protected, path.span, note);
            }
        }
    }

    fn is_cwd_inside(&mut self, cwd: &Physical) -> bool {
        match self.containment {
            Containment::TextPrefix => self.begins_like_a_root(cwd.as_bytes()),
            Containment::Resolved | Containment::Relative | Containment::Looks => {
                self.is_in_scope(cwd)
            }
        }
    }

    fn is_inside(&mut self, path: &PathUse) -> bool {
        match self.containment {
            Containment::Relative if !path.text.starts_with(b"/") => true,
            Containment::Looks if matches!(path.role, Role::Test | Role::List) => true,
            Containment::Resolved | Containment::Relative | Containment::Looks => {
                // Looking at a directory that a root stands in, on the way to something else, tells
                // nothing that is not known.
                let on_the_way = path.role == Role::Test && path.may;
                let above = on_the_way && self.is_above_a_root(&path.path);
                above || self.is_in_scope(&path.path)
            }
            Containment::TextPrefix if path.text.starts_with(b"/") => {
                self.begins_like_a_root(&path.text)
            }
            Containment::TextPrefix => {
                self.begins_like_a_root(&[path.from.as_bytes(), b"/", &path.text].concat())
            }
        }
    }

    /// By the names below the root: what the root itself is called says nothing.
    fn is_secret(&self, path: &PathUse) -> bool {
        self.ways(path).any(|it| is_secret_path(self.below_root(it)))
    }

    /// Where it leads, and every place on the way if there are links.
    fn ways<'p>(&self, path: &'p PathUse) -> impl Iterator<Item = &'p Physical> {
        std::iter::once(&path.path).chain(&path.way)
    }

    /// Does the person protect it? By any of its names below the root, and the text's last one.
    fn is_protected(&self, path: &PathUse) -> bool {
        let opens = matches!(path.role, Role::Read | Role::Write | Role::Build | Role::Exec);
        let named = |text: &[u8]| {
            let mut names = text.split(|byte| *byte == b'/');
            names.any(|name| self.names.iter().any(|it| fits_in_any_case(it.as_bytes(), name)))
        };
        let any = || named(&path.text) || self.ways(path).any(|it| named(self.below_root(it)));
        opens && !self.names.is_empty() && any()
    }

    /// Is it a tree that is written, in which a place may stand that steers?
    fn holds_guarded(&self, path: &PathUse) -> bool {
        let within = |place: &Physical| is_within(place.as_bytes(), path.path.as_bytes());
        path.role == Role::Write
            && path.under
            && (self.ways(path).any(|it| is_above_guarded(self.below_root(it)))
                || self.guarded_at().iter().any(within))
    }

    fn may_steer(&self, role: Role) -> bool {
        role == Role::Build || (role == Role::Write && self.edits)
    }

    fn is_guarded(&self, path: &PathUse) -> bool {
        let within = |place: &Physical| is_within(path.path.as_bytes(), place.as_bytes());
        self.ways(path).any(|it| is_guarded_path(self.below_root(it)))
            || self.guarded_at().iter().any(within)
    }

    /// The guarded places where they are, and the links that stand for them. What cannot be looked
    /// at, nobody writes by its name either.
    fn guarded_at(&self) -> &[Physical] {
        self.guarded_at.get_or_init(|| {
            let at = |named: &PathBuf, last| {
                let text = named.as_os_str().as_bytes();
                resolve(self.view, &Physical::root(), text, last).map(|it| it.path)
            };
            let both = |named| [at(named, Last::Follow), at(named, Last::Name)];
            self.guarded.iter().flat_map(both).flatten().collect()
        })
    }

    fn below_root<'p>(&self, path: &'p Physical) -> &'p [u8] {
        let root = self.scope.root_of(path);
        let below = root.and_then(|root| path.as_bytes().strip_prefix(root.as_bytes()));
        below.unwrap_or_default()
    }

    fn is_in_scope(&mut self, path: &Physical) -> bool {
        let root = self.scope.root_of(path);
        if self.root.is_none() {
            self.root = root.cloned();
        }
        root.is_some()
    }

    fn is_above_a_root(&self, path: &Physical) -> bool {
        self.scope.roots().iter().any(|root| root.is_within(path))
    }

    fn begins_like_a_root(&self, text: &[u8]) -> bool {
        self.scope.roots().iter().any(|root| text.starts_with(root.as_bytes()))
    }
}

/// Is it a `cd` with one operand, which is an absolute path?
fn is_cd_to_absolute(segment: &Segment) -> bool {
    let [PlanWord::Is(name), PlanWord::Is(operand)] = &segment.argv[..] else { return false };
    name[..] == *b"cd" && operand.starts_with(b"/")
}

fn outside(path: &PathUse) -> String {
    let text = String::from_utf8_lossy(&path.text);
    let leads = if *path.text == *path.path.as_bytes() {
        "is".to_owned()
    } else {
        format!("leads to {},", path.path)
    };
    match path.text.is_empty() {
        true => format!("this {} {}, outside the project", path.role.verb(), path.path),
        false => format!("'{text}' {leads} outside the project"),
    }
}
