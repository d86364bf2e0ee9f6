//! Secrets that show in the bytes of a line: tokens, URLs, values behind names.

use super::names;
use std::ops::Range;

/// How tokens of known services begin, and how many bytes follow at least.
// tidy: table
#[rustfmt::skip]
const TOKENS: &[(&[u8], usize)] = &[
    (b"AIza", 30),          // Google
    (b"AKIA", 16),          // AWS, access keys
    (b"ASIA", 16),          // AWS, temporary access keys
    (b"SG.", 30),           // SendGrid
    (b"dop_v1_", 30),       // DigitalOcean
    (b"eyJ", 20),           // JSON Web Tokens
    (b"ghp_", 20),          // GitHub: personal, OAuth, user, server, refresh
    (b"gho_", 20),
    (b"ghu_", 20),
    (b"ghs_", 20),
    (b"ghr_", 20),
    (b"github_pat_", 20),
    (b"glpat-", 16),        // GitLab
    (b"hf_", 30),           // Hugging Face
    (b"npm_", 30),          // npm
    (b"pypi-", 40),         // PyPI
    (b"rk_live_", 16),      // Stripe
    (b"sk-", 20),           // OpenAI, Anthropic
    (b"sk_live_", 16),
    (b"sk_test_", 16),
    (b"xapp-", 10),         // Slack
    (b"xoxa-", 10),
    (b"xoxb-", 10),
    (b"xoxp-", 10),
    (b"xoxr-", 10),
    (b"xoxs-", 10),
    (b"ya29.", 20),         // Google OAuth
];

/// No token is shorter, and nearly all words are.
const SHORTEST: usize = {
    let (mut shortest, mut at) = (usize::MAX, 0);
    while at < TOKENS.len() {
        let length = TOKENS[at].0.len() + TOKENS[at].1;
        shortest = if length < shortest { length } else { shortest };
        at += 1;
    }
    shortest
};

/// Where secrets stand, in no order.
pub(super) fn secrets(line: &[u8]) -> Vec<Range<usize>> {
    let mut secrets = Vec::new();
    tokens(line, &mut secrets);
    named_values(line, &mut secrets);
    urls(line, &mut secrets);
    private_keys(line, &mut secrets);
    secrets
}

/// Tokens by how they begin, and whatever follows `Bearer` and `Basic`.
fn tokens(line: &[u8], secrets: &mut Vec<Range<usize>>) {
    for word in runs(line, |byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) {
        let text = &line[word.clone()];
        let is_token = text.len() >= SHORTEST
            && TOKENS.iter().any(|(begins, least)| {
                text.len() >= begins.len() + least
                    && text.starts_with(begins)
                    && text.iter().any(u8::is_ascii_digit)
            });
        if is_token {
            secrets.push(word);
        } else if text.eq_ignore_ascii_case(b"Bearer") || text.eq_ignore_ascii_case(b"Basic") {
            let value = skip(line, word.end, b" \\");
            let end = until(line, value, b" \t\n\"';&|<>");
            if end - value >= 8 && value > word.end {
                secrets.push(value..end);
            }
        }
    }
}

/// Values behind a name and `=` or `:`, in variables, options, fields, queries and headers.
fn named_values(line: &[u8], secrets: &mut Vec<Range<usize>>) {
    let mut covered = 0;
    for name in runs(line, |byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) {
        // What stands in a value is covered with it: each byte is looked at once.
        if name.start < covered {
            continue;
        }
        // The name may stand between quotes, and these behind backslashes.
        let at = skip(line, name.end, b"\"'\\");
        let Some(separator) = line.get(at).filter(|it| b":=".contains(it)) else { continue };
        if !names::is_secret(&line[name]) {
            continue;
        }
        let quotes = skip(line, at + 1, b" \\");
        let value = skip(line, quotes, b"\"'\\");
        let end = match (quotes..value).next() {
            Some(_) => until(line, value, b"\"'\n"),
            // The value of a header has blanks.
            None if *separator == b':' => until(line, value, b"\"'\n;&|"),
            None if quotes > at + 1 => at,
            None => until(line, value, b" \t\n\"';&|<>(){},"),
        };
        covered = end.max(value);
        secrets.push(value..covered);
    }
}

/// What stands before the `@` of a URL: a password, or a long name that is a token itself.
fn urls(line: &[u8], secrets: &mut Vec<Range<usize>>) {
    let starts = line.windows(3).enumerate().filter(|(_, three)| three == b"://");
    for start in starts.map(|(at, _)| at + 3) {
        let end = until(line, start, b"/?# \t\n\"'<>");
        let Some(at) = line[start..end].iter().rposition(|byte| *byte == b'@') else { continue };
        let at = start + at;
        match line[start..at].iter().position(|byte| *byte == b':') {
            Some(colon) => secrets.push(start + colon + 1..at),
            None if at - start >= 16 => secrets.push(start..at),
            None => {}
        }
    }
}

/// Private keys in PEM (RFC 7468).
fn private_keys(line: &[u8], secrets: &mut Vec<Range<usize>>) {
    const MARK: &[u8] = b"PRIVATE KEY-----";
    let mut marks = line.windows(MARK.len()).enumerate().filter(|(_, it)| *it == MARK);
    while let Some((begin, _)) = marks.next() {
        let end = marks.next().map_or(line.len(), |(end, _)| end);
        secrets.push(begin + MARK.len()..end);
    }
}

/// The longest runs of such bytes.
fn runs(line: &[u8], of: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].iter().position(|byte| of(*byte))?;
        let length = line[start..].iter().position(|byte| !of(*byte));
        at = length.map_or(line.len(), |length| start + length);
        Some(start..at)
    })
}

/// The first place from `at` on without any of these bytes.
fn skip(line: &[u8], at: usize, over: &[u8]) -> usize {
    let length = line[at..].iter().position(|byte| !over.contains(byte));
    length.map_or(line.len(), |length| at + length)
}

/// The first place from `at` on with one of these bytes.
fn until(line: &[u8], at: usize, stops: &[u8]) -> usize {
    let length = line[at..].iter().position(|byte| stops.contains(byte));
    length.map_or(line.len(), |length| at + length)
}
