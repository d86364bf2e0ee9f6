//! Names of files that hold secrets: reading one asks, wherever it stands.
//!
//! A listing that merely shows such a name is no read, and neither is a search that passes over one
//! below its operand.

/// Names of directories in which everything is secret.
const DIRECTORIES: [&[u8]; 3] = [b".aws", b".gnupg", b".ssh"];

/// Names of files.
const FILES: [&[u8]; 5] = [b".env", b".git-credentials", b".netrc", b".npmrc", b".pypirc"];

/// Beginnings of names of files.
const BEGINNINGS: [&[u8]; 5] = [b".env.", b"credentials", b"id_ed25519", b"id_rsa", b"secrets"];

/// Ends of names of files.
const ENDS: [&[u8]; 2] = [b".key", b".pem"];

/// What is no secret although it begins like one.
const EXAMPLES: [&[u8]; 3] = [b".env.example", b".env.sample", b".env.template"];

/// Is this the name of a file that holds a secret? File systems may not tell case apart.
pub(crate) fn is_secret_file(name: &[u8]) -> bool {
    let is = |list: &[&[u8]]| list.iter().any(|it| name.eq_ignore_ascii_case(it));
    let first = |it: &[u8]| name.get(..it.len());
    let last = |it: &[u8]| name.len().checked_sub(it.len()).map(|at| &name[at..]);
    let secret = is(&FILES)
        || BEGINNINGS.iter().any(|it| first(it).is_some_and(|part| part.eq_ignore_ascii_case(it)))
        || ENDS.iter().any(|it| last(it).is_some_and(|part| part.eq_ignore_ascii_case(it)));
    secret && !is(&EXAMPLES)
}

/// Does a path below a root lead to a secret?
pub(crate) fn is_secret_path(below_root: &[u8]) -> bool {
    let names = || below_root.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    let in_directory =
        names().any(|name| DIRECTORIES.iter().any(|it| name.eq_ignore_ascii_case(it)));
    in_directory || names().next_back().is_some_and(is_secret_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for secret in [
            ".env",
            "a/.env",
            ".env.local",
            "x.pem",
            "server.KEY",
            "id_rsa",
            "id_ed25519.pub",
            "a/.npmrc",
            "credentials.json",
            "secrets.yml",
            ".ssh/config",
            "a/.aws/x/y",
            ".GnuPG",
        ] {
            assert!(is_secret_path(secret.as_bytes()), "{secret}");
        }
        for plain in [
            "",
            "env",
            ".envrc",
            ".env.example",
            ".env.sample",
            "a/.env.template",
            "keys",
            "x.pem.txt",
            "secret.txt",
            "credential",
            "a.ssh/x",
            "ssh",
            "my_id_rsa",
            "secrets/readme",
        ] {
            assert!(!is_secret_path(plain.as_bytes()), "{plain}");
        }
    }
}
