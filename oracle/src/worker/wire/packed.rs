//! What was observed, as bytes: fields in their order, numbers little-endian, texts and lists after
//! their length.
//!
//! Both ends are this very program, so there are no versions; what does not fit is an error.

use super::Observed;
use crate::trace::{Exec, Process, Status, Touch, TouchKind};
use shfence_corpus::Text;
use std::io;

/// What can be packed.
pub(super) trait Packed: Sized {
    /// Appends it.
    fn pack(&self, to: &mut Vec<u8>);

    /// Takes it off the front; `None` if there is no such thing.
    fn take(from: &mut &[u8]) -> Option<Self>;
}

/// The one thing that was packed into these bytes.
pub(super) fn unpack<T: Packed>(mut bytes: &[u8]) -> io::Result<T> {
    let whole = T::take(&mut bytes).filter(|_| bytes.is_empty());
    whole.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

impl Packed for u8 {
    fn pack(&self, to: &mut Vec<u8>) {
        to.push(*self);
    }

    fn take(from: &mut &[u8]) -> Option<u8> {
        from.split_off_first().copied()
    }
}

impl Packed for bool {
    fn pack(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn take(from: &mut &[u8]) -> Option<bool> {
        u8::take(from).map(|byte| byte != 0)
    }
}

impl Packed for u32 {
    fn pack(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_le_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<u32> {
        let (number, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(u32::from_le_bytes(*number))
    }
}

/// A length: of what is in memory, and far shorter than four gigabytes.
fn pack_length(length: usize, to: &mut Vec<u8>) {
    (length as u32).pack(to);
}

fn take_length(from: &mut &[u8]) -> Option<usize> {
    u32::take(from).map(|length| length as usize)
}

impl Packed for Text {
    fn pack(&self, to: &mut Vec<u8>) {
        pack_length(self.len(), to);
        to.extend_from_slice(self);
    }

    fn take(from: &mut &[u8]) -> Option<Text> {
        let length = take_length(from)?;
        from.split_off(..length).map(Text::from)
    }
}

impl Packed for String {
    fn pack(&self, to: &mut Vec<u8>) {
        pack_length(self.len(), to);
        to.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut &[u8]) -> Option<String> {
        String::from_utf8(Text::take(from)?.into_bytes()).ok()
    }
}

impl<T: Packed> Packed for Vec<T> {
    fn pack(&self, to: &mut Vec<u8>) {
        pack_length(self.len(), to);
        self.iter().for_each(|each| each.pack(to));
    }

    fn take(from: &mut &[u8]) -> Option<Vec<T>> {
        (0..take_length(from)?).map(|_| T::take(from)).collect()
    }
}

impl<T: Packed> Packed for Option<T> {
    fn pack(&self, to: &mut Vec<u8>) {
        self.is_some().pack(to);
        self.iter().for_each(|it| it.pack(to));
    }

    fn take(from: &mut &[u8]) -> Option<Option<T>> {
        if bool::take(from)? { T::take(from).map(Some) } else { Some(None) }
    }
}

impl Packed for Status {
    fn pack(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&match self {
            Status::Exited(code) => [0, *code],
            Status::Signalled(signal) => [1, *signal],
            Status::TimedOut => [2, 0],
        });
    }

    fn take(from: &mut &[u8]) -> Option<Status> {
        match (u8::take(from)?, u8::take(from)?) {
            (0, code) => Some(Status::Exited(code)),
            (1, signal) => Some(Status::Signalled(signal)),
            (2, _) => Some(Status::TimedOut),
            _ => None,
        }
    }
}

/// The kinds, each as its place here.
const KINDS: [TouchKind; 6] = [
    TouchKind::Test,
    TouchKind::List,
    TouchKind::Read,
    TouchKind::Write,
    TouchKind::Exec,
    TouchKind::Enter,
];

impl Packed for TouchKind {
    fn pack(&self, to: &mut Vec<u8>) {
        let place = KINDS.iter().position(|kind| kind == self);
        to.push(place.map_or(u8::MAX, |place| place as u8));
    }

    fn take(from: &mut &[u8]) -> Option<TouchKind> {
        KINDS.get(usize::from(u8::take(from)?)).copied()
    }
}

/// A structure is its fields.
macro_rules! packed {
    ($type:ident { $($field:ident),* }) => {
        impl Packed for $type {
            fn pack(&self, to: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.pack(to);)*
            }

            fn take(from: &mut &[u8]) -> Option<$type> {
                // In the order in which they are written here.
                $(let $field = Packed::take(from)?;)*
                Some($type { $($field),* })
            }
        }
    };
}

packed!(Process { parent, cwd, ended });
packed!(Exec { pid, argv, cwd, path });
packed!(Touch { pid, kind, text, resolved, existed });
packed!(Observed { processes, execs, touches, status, cut, output, doubts, cold });

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = Text> {
        vec(any::<u8>(), 0..20).prop_map(Text::from)
    }

    fn status() -> impl Strategy<Value = Status> {
        prop_oneof![
            any::<u8>().prop_map(Status::Exited),
            any::<u8>().prop_map(Status::Signalled),
            Just(Status::TimedOut),
        ]
    }

    prop_compose! {
        fn process()(
            parent in option::of(any::<u32>()), cwd in text(), ended in option::of(status()),
        ) -> Process {
            Process { parent, cwd, ended }
        }
    }

    prop_compose! {
        fn exec()(
            pid in any::<u32>(), argv in vec(text(), 0..4), cwd in text(), path in text(),
        ) -> Exec {
            Exec { pid, argv, cwd, path }
        }
    }

    prop_compose! {
        fn touch()(
            pid in any::<u32>(), kind in proptest::sample::select(KINDS.to_vec()),
            text in text(), resolved in text(), existed in any::<bool>(),
        ) -> Touch {
            Touch { pid, kind, text, resolved, existed }
        }
    }

    prop_compose! {
        fn observed()(
            processes in vec(process(), 0..4), execs in vec(exec(), 0..4),
            touches in vec(touch(), 0..4), status in status(), cut in any::<bool>(),
            output in text(), doubts in vec(any::<String>(), 0..3),
            cold in option::of(any::<String>()),
        ) -> Observed {
            Observed { processes, execs, touches, status, cut, output, doubts, cold }
        }
    }

    proptest! {
        #[test]
        fn what_was_observed_survives_its_packing(observed in observed()) {
            let mut bytes = Vec::new();
            observed.pack(&mut bytes);
            prop_assert_eq!(unpack::<Observed>(&bytes).unwrap(), observed);
        }

        #[test]
        fn bytes_that_were_not_packed_are_an_error(bytes in vec(any::<u8>(), 0..60)) {
            // Or something that packs into just these.
            if let Ok(observed) = unpack::<Observed>(&bytes) {
                let mut again = Vec::new();
                observed.pack(&mut again);
                prop_assert!(again.len() == bytes.len());
            }
        }
    }
}
