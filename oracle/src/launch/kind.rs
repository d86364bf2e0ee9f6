//! The kinds of server, and which orders a warm shell can take.

use super::Order;
use crate::contain::WARM_LIBRARY;
use crate::system::files::c_string;
use std::ffi::CString;
use std::io;

/// Which shells a server starts, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any, by executing it.
    Exec,
    /// Any, by executing it with a terminal for its input.
    Typed,
    /// Any, by executing it, with no trap set: the observer sees the server's own calls alone.
    Unseen,
    /// The same, with nothing done to make it quicker: what somebody gets who has no oracle.
    Naive,
    /// The one that it is itself, by forking.
    Warm {
        /// The shell's file.
        program: CString,
        /// Its arguments but for the line, which is the last.
        options: Vec<CString>,
    },
}

/// The most variables that a warm shell has room for. Cases have a dozen.
const MOST_VARIABLES: usize = 256;

/// The longest argument or environment that a warm shell takes, in bytes. No argument of a program
/// that is executed may be longer (execve(2), `MAX_ARG_STRLEN`).
const LONGEST: usize = 128 * 1024 - 1;

/// Variables that the loader or the C library reads before `main`, by how their names begin
/// (ld.so(8), mallopt(3)).
const READ_BEFORE_MAIN: [&[u8]; 3] = [b"LD_", b"GLIBC_TUNABLES", b"MALLOC_"];

impl Kind {
    /// The warm shell for an order. `None` if the order can only be executed: what an execution
    /// would refuse, and what a shell would have noticed before its `main`.
    pub(crate) fn warm_for(order: &Order) -> Option<Kind> {
        let (line, options) = order.argv.split_last()?;
        let environment: usize = order.env.iter().map(|variable| variable.count_bytes()).sum();
        let early = |variable: &CString| {
            READ_BEFORE_MAIN.iter().any(|begin| variable.as_bytes().starts_with(begin))
        };
        let fits = line.count_bytes() <= LONGEST
            && environment <= LONGEST
            && order.env.len() <= MOST_VARIABLES
            && !order.env.iter().any(early);
        fits.then(|| Kind::Warm { program: order.program.clone(), options: options.to_vec() })
    }

    /// The order that makes a process the warm shell, if it is not the other kind. Its line is only
    /// run if the library was not loaded.
    pub(super) fn awakening(&self) -> io::Result<Option<Order>> {
        let Kind::Warm { program, options } = self else { return Ok(None) };
        let mut env = vec![
            c_string(format!("LD_PRELOAD={WARM_LIBRARY}"))?,
            // Bound once instead of in each child.
            c_string("LD_BIND_NOW=1")?,
        ];
        // Each makes room for one variable of an order.
        env.resize(MOST_VARIABLES, c_string("_")?);
        let argv = options.iter().cloned().chain([c_string(":")?]).collect();
        Ok(Some(Order { program: program.clone(), cwd: c_string("/")?, argv, env }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(line: &str, env: &[&str]) -> Order {
        let text = |text: &str| CString::new(text).unwrap();
        Order {
            program: text("/bin/dash"),
            cwd: text("/"),
            argv: ["sh", "-c", line].map(text).to_vec(),
            env: env.iter().map(|it| text(it)).collect(),
        }
    }

    #[test]
    fn orders_that_differ_in_line_and_environment_share_a_warm_shell() {
        let kind = Kind::warm_for(&order("ls", &["PWD=/"]));
        assert!(kind.is_some());
        assert_eq!(kind, Kind::warm_for(&order("cd a; ls", &[])));
    }

    #[test]
    fn what_acts_before_main_or_is_too_much_is_executed() {
        let long = "x".repeat(LONGEST + 1);
        let many: Vec<&str> = vec!["A=1"; MOST_VARIABLES + 1];
        for (line, env) in [
            ("ls", &["LD_LIBRARY_PATH=/case"][..]),
            ("ls", &["GLIBC_TUNABLES=a"]),
            ("ls", &["MALLOC_PERTURB_=1"]),
            ("ls", &[&long]),
            (&long, &[]),
            ("ls", &many),
        ] {
            assert_eq!(Kind::warm_for(&order(line, env)), None);
        }
    }
}
