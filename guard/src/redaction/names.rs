//! Names that say that a value is secret.

use crate::few::Few;

/// Parts of names, in lower case.
#[rustfmt::skip]
const SECRET: &[&str] = &[
    "apikey", "auth", "authorization", "cookie", "credential", "credentials", "pass", "passphrase",
    "passwd", "password", "secret", "secrets", "signature", "token", "tokens",
];

/// Ends of parts: `accesstoken`, `dbpassword`.
const SECRET_ENDS: &[&str] = &["apikey", "passwd", "password", "secret", "token"];

/// What makes a key one that must not be known: `--api-key`, but not `sort --key`.
#[rustfmt::skip]
const OF_KEYS: &[&str] = &[
    "access", "account", "admin", "api", "app", "auth", "client", "deploy", "encryption", "license",
    "master", "private", "service", "shared", "signing", "storage", "subscription",
];

/// What a name ends in that only talks about a secret: `--password-file`, `TOKEN_TTL`.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "count", "dir", "env", "expires", "expiry", "file", "id", "length", "limit", "method", "name",
    "path", "stdin", "timeout", "ttl", "type", "url",
];

/// Does the name of a variable, an option, a header or a field say that its value is secret?
pub(super) fn is_secret(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let parts = parts(name.trim_start_matches('-'));
    let [first, .., last] = &parts[..] else {
        return parts.first().is_some_and(|only| says_secret(only));
    };
    if first.eq_ignore_ascii_case("no") || is_one_of(ABOUT, last) {
        return false;
    }
    let variable =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte));
    let is_key = |pair: &[&str]| {
        is_one_of(&["key", "keys"], pair[1]) && (variable || is_one_of(OF_KEYS, pair[0]))
    };
    let says = |part: &&str| says_secret(part) || part.eq_ignore_ascii_case("pwd");
    parts.iter().any(says) || parts.windows(2).any(is_key)
}

fn says_secret(part: &str) -> bool {
    let ends = |end: &&str| {
        let at = part.len().checked_sub(end.len());
        at.and_then(|at| part.get(at..)).is_some_and(|it| it.eq_ignore_ascii_case(end))
    };
    is_one_of(SECRET, part) || SECRET_ENDS.iter().any(ends)
}

/// In whatever case.
fn is_one_of(list: &[&str], part: &str) -> bool {
    list.iter().any(|it| it.eq_ignore_ascii_case(part))
}

/// The words of a name: `API_KEY`, `api-key` and `apiKey` are two each.
fn parts(name: &str) -> Few<&str> {
    let bytes = name.as_bytes();
    let hump = |at: usize| {
        let before = at > 0 && bytes[at - 1].is_ascii_lowercase();
        before && bytes[at].is_ascii_uppercase()
    };
    let mut parts = Few::new();
    let mut start = 0;
    for at in 0..=bytes.len() {
        let inside = bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        if !inside || hump(at) {
            parts.extend(name.get(start..at).filter(|part| !part.is_empty()));
            start = if inside { at } else { at + 1 };
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_their_values_are() {
        for name in [
            "TOKEN",
            "GITHUB_TOKEN",
            "--token",
            "api_key",
            "apiKey",
            "X-Api-Key",
            "STRIPE_KEY",
            "DB_PWD",
            "--password",
            "PGPASSWORD",
            "authToken",
            "accesstoken",
            "Authorization",
            "--auth",
            "client_secret",
            "SECRET_VALUE_2",
            "--private-key",
            "Set-Cookie",
            "signature",
        ] {
            assert!(is_secret(name.as_bytes()), "{name}");
        }
        for name in [
            "",
            "-",
            "PWD",
            "key",
            "--key",
            "KEY",
            "sort-key",
            "author",
            "--author",
            "PATH",
            "--no-auth",
            "--password-stdin",
            "TOKEN_FILE",
            "SSH_AUTH_TYPE",
            "tokenizer",
            "passing",
            "keyboard",
            "é",
        ] {
            assert!(!is_secret(name.as_bytes()), "{name}");
        }
    }
}
