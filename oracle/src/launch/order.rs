//! What a server is told to start.

use crate::system::files::c_string;
use std::ffi::CString;
use std::io;

/// A shell and everything it starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The file to execute.
    pub(crate) program: CString,
    /// Its working directory.
    pub(crate) cwd: CString,
    /// Its arguments, its own name first.
    pub(crate) argv: Vec<CString>,
    /// Its environment, as `NAME=VALUE`.
    pub(crate) env: Vec<CString>,
}

impl Order {
    /// The order as bytes: how many arguments there are, then all strings, each with its NUL:
    /// program, cwd, arguments, environment.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = (self.argv.len() as u64).to_ne_bytes().to_vec();
        let strings = [&self.program, &self.cwd].into_iter().chain(&self.argv).chain(&self.env);
        for string in strings {
            bytes.extend_from_slice(string.as_bytes_with_nul());
        }
        bytes
    }

    /// The order that was encoded.
    pub(crate) fn decode(bytes: &[u8]) -> io::Result<Order> {
        let malformed = || io::Error::from(io::ErrorKind::InvalidData);
        let (count, strings) = bytes.split_first_chunk().ok_or_else(malformed)?;
        let strings = strings.strip_suffix(&[0]).ok_or_else(malformed)?;
        let mut strings = strings.split(|byte| *byte == 0).map(c_string);
        let mut next = || strings.next().ok_or_else(malformed)?;
        let (program, cwd) = (next()?, next()?);
        let argv = (0..u64::from_ne_bytes(*count)).map(|_| next()).collect::<io::Result<_>>()?;
        Ok(Order { program, cwd, argv, env: strings.collect::<io::Result<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn string() -> impl Strategy<Value = CString> {
        proptest::collection::vec(1_u8.., 0..20).prop_map(|bytes| CString::new(bytes).unwrap())
    }

    proptest! {
        #[test]
        fn an_order_survives_its_encoding(
            program in string(),
            cwd in string(),
            argv in proptest::collection::vec(string(), 0..5),
            env in proptest::collection::vec(string(), 0..5),
        ) {
            let order = Order { program, cwd, argv, env };
            prop_assert_eq!(Order::decode(&order.encode()).unwrap(), order);
        }
    }
}
