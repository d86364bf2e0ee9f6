//! The exit codes of the oracle's binary and of everything that reads its runs.

use std::fmt;

/// How a command ends. `docs/exit-codes.md` is this enum for people; a test keeps the two equal.
///
/// "Found something", "could not look" and "broke while looking" are different codes, so that no
/// script can take one for another. The argument parser's own 2 becomes [`ExitCode::Usage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExitCode {
    /// Everything asked for was run, and nothing contradicts the guard.
    Clean,
    /// At least one finding that is not known.
    NewFindings,
    /// Findings, all of them known.
    KnownFindings,
    /// The command line or a file named on it is not understood.
    Usage,
    /// No containment, or a required shell or a guard is missing.
    Unavailable,
    /// The harness failed, so the result means nothing; also: cases run are not cases asked.
    HarnessFault,
    /// A file could not be read or written.
    Io,
    /// Stopped by SIGINT. The run directory is readable.
    Interrupted,
    /// Stopped by SIGTERM. The run directory is readable.
    Terminated,
}

impl ExitCode {
    /// All of them, by rising code.
    pub const ALL: [ExitCode; 9] = [
        ExitCode::Clean,
        ExitCode::NewFindings,
        ExitCode::KnownFindings,
        ExitCode::Usage,
        ExitCode::Unavailable,
        ExitCode::HarnessFault,
        ExitCode::Io,
        ExitCode::Interrupted,
        ExitCode::Terminated,
    ];

    /// The number. 64 to 74 as in `sysexits.h`; 128 + signal as shells report it.
    pub fn code(self) -> u8 {
        match self {
            ExitCode::Clean => 0,
            ExitCode::NewFindings => 1,
            ExitCode::KnownFindings => 2,
            ExitCode::Usage => 64,
            ExitCode::Unavailable => 69,
            ExitCode::HarnessFault => 70,
            ExitCode::Io => 74,
            ExitCode::Interrupted => 130,
            ExitCode::Terminated => 143,
        }
    }

    /// The name, as on the page.
    pub fn name(self) -> &'static str {
        match self {
            ExitCode::Clean => "clean",
            ExitCode::NewFindings => "new findings",
            ExitCode::KnownFindings => "known findings",
            ExitCode::Usage => "usage",
            ExitCode::Unavailable => "unavailable",
            ExitCode::HarnessFault => "harness fault",
            ExitCode::Io => "i/o",
            ExitCode::Interrupted => "interrupted",
            ExitCode::Terminated => "terminated",
        }
    }
}

impl fmt::Display for ExitCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(exit: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows `| code | name | …` of the page's table.
    fn rows_of_the_page() -> Vec<(u8, &'static str)> {
        include_str!("../docs/exit-codes.md")
            .lines()
            .filter_map(|line| {
                let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
                Some((cells.next()?.parse().ok()?, cells.next()?))
            })
            .collect()
    }

    #[test]
    fn the_page_and_the_enum_agree() {
        let codes: Vec<(u8, &str)> =
            ExitCode::ALL.into_iter().map(|exit| (exit.code(), exit.name())).collect();
        assert_eq!(rows_of_the_page(), codes);
    }
}
