//! Names that say that a value is secret.

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
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let [first, .., last] = &parts[..] else {
        return parts.first().is_some_and(|only| says_secret(only));
    };
    if *first == "no" || ABOUT.contains(last) {
        return false;
    }
    let variable =
        name.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte));
    let is_key = |pair: &[&str]| {
        matches!(pair[1], "key" | "keys") && (variable || OF_KEYS.contains(&pair[0]))
    };
    parts.iter().any(|part| says_secret(part) || *part == "pwd") || parts.windows(2).any(is_key)
}

fn says_secret(part: &str) -> bool {
    SECRET.contains(&part) || SECRET_ENDS.iter().any(|end| part.ends_with(end))
}

/// The words of a name, in lower case: `API_KEY`, `api-key` and `apiKey` are two each.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = None;
    for c in name.chars() {
        let hump = c.is_ascii_uppercase() && before.is_some_and(|c: char| c.is_ascii_lowercase());
        if hump || !c.is_ascii_alphanumeric() {
            parts.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.push(c.to_ascii_lowercase());
        }
        before = Some(c);
    }
    parts.retain(|part| !part.is_empty());
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
