use super::*;
use proptest::prelude::*;

fn redacted(line: &str) -> String {
    redact(line.as_bytes(), Invocation::C)
}

/// Each line, and what is left of it. `@` stands for the cover.
// tidy: table
#[rustfmt::skip]
const LINES: &[(&str, &str)] = &[
    ("GITHUB_TOKEN=abc gh pr list", "GITHUB_TOKEN=@ gh pr list"),
    ("export API_KEY='a b c'; ls", "export API_KEY=@; ls"),
    ("PASSWORD=\"two words\" ./run", "PASSWORD=@ ./run"),
    ("docker run -e DB_PASSWORD=hunter2 x", "docker run -e DB_PASSWORD=@ x"),
    ("curl --token abc --verbose x", "curl --token @ --verbose x"),
    ("curl --token=abc x", "curl --token=@ x"),
    ("login --password-stdin --auth-type basic", "login --password-stdin --auth-type basic"),
    ("curl -u me:pw https://x.y", "curl -u @ https://x.y"),
    ("curl -ume:pw https://x.y", "curl -u@ https://x.y"),
    ("sudo mysql -phunter2 db", "sudo mysql -p@ db"),
    ("mysql -p db", "mysql -p db"),
    ("mkdir -p a/b", "mkdir -p a/b"),
    ("git clone https://me:pw@host/x.git", "git clone https://me:@@host/x.git"),
    ("git clone https://0123456789abcdefXYZ@host/x", "git clone https://@@host/x"),
    ("git clone ssh://git@host/x", "git clone ssh://git@host/x"),
    ("curl 'https://x/y?a=1&access_token=zzz&b=2'", "curl 'https://x/y?a=1&access_token=@&b=2'"),
    ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: @' x"),
    ("curl -H \"X-Api-Key: abc\" x", "curl -H \"X-Api-Key: @\" x"),
    ("curl -H 'Accept: text/html' x", "curl -H 'Accept: text/html' x"),
    ("curl -d '{\"password\": \"a b\", \"n\": 1}' x", "curl -d '{\"password\": \"@\", \"n\": 1}' x"),
    ("echo Bearer abcdefghij", "echo Bearer @"),
    ("echo ghp_0123456789012345678901 | cat", "echo @ | cat"),
    ("echo AKIA0123456789ABCDEF", "echo @"),
    ("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln y", "x @ y"),
    ("pip install sk-learn-extra-tools-and-more", "pip install sk-learn-extra-tools-and-more"),
    ("git show 0123456789abcdef0123456789abcdef01234567", "git show 0123456789abcdef0123456789abcdef01234567"),
    ("git log --author=me --format=%an:%ae", "git log --author=me --format=%an:%ae"),
    ("sort --key=2 f; sort -k 2 f", "sort --key=2 f; sort -k 2 f"),
    ("echo $(TOKEN=abc x)", "echo $(TOKEN=@ x)"),
    ("if API_TOKEN='a b' x; then y; fi", "if API_TOKEN=@ x; then y; fi"),
    ("x `TOKEN=abc y`", "x `TOKEN=@ y`"),
    ("echo '-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----'",
     "echo '-----BEGIN RSA PRIVATE KEY-----@PRIVATE KEY-----'"),
    ("ssh host 'mysql -phunter2 db'", "ssh host 'mysql -p@ db'"),
    ("echo \"`curl -u me:pw x`\"", "echo \"`curl -u @ x`\""),
    ("", ""),
];

#[test]
fn secrets_are_covered_and_nothing_else() {
    for (line, expected) in LINES {
        assert_eq!(redacted(line).replace(COVER, "@"), *expected, "{line:?}");
    }
}

/// Where a secret may stand, `@` for it.
const CARRIERS: &[&str] = &[
    "TOKEN=@",
    "export DB_PASSWORD='@'",
    "x --api-key @",
    "x --secret=@ y",
    "curl -u @",
    "curl -H 'Cookie: @'",
    "curl -H \"Authorization: Basic @\"",
    "git clone https://u:@@h/x",
    "x '{\"token\":\"@\"}'",
    "for i in a; do PASSPHRASE=@ x; done",
    "sshpass -p @ ssh h",
    "x 'a?password=@&b'",
];

proptest! {
    #[test]
    fn a_secret_never_shows(
        carrier in prop::sample::select(CARRIERS),
        secret in "[A-Za-z0-9]{6,30}",
        before in "(cd src && |`|)",
        after in "( \\| cat|; ls 'x|)",
    ) {
        let line = format!("{before}{}{after}", carrier.replacen("@", &secret, 1));
        let shown = redacted(&line);
        prop_assert!(!shown.contains(&secret), "{line:?} shows as {shown:?}");
    }

    #[test]
    fn any_bytes_can_be_shown(line in prop::collection::vec(any::<u8>(), 0..200)) {
        redact(&line, Invocation::Eval);
    }

    #[test]
    fn any_text_near_secrets_can_be_shown(
        line in "(TOKEN|token|://|Bearer|PRIVATE KEY-----|[a@ '\"\\\\=:/;&|$(){}-])*"
    ) {
        redacted(&line);
    }
}

/// 64 KiB of what has to be looked at: a hook does it with every line.
#[test]
fn the_work_is_bounded() {
    let started = std::time::Instant::now();
    for part in [
        "a ",
        "-p ",
        "curl -u ",
        "token:",
        "token=",
        "token=\"",
        "TOKEN ",
        "Bearer ",
        "://",
        "a://b:c@",
        "-----BEGIN PRIVATE KEY-----",
        "'",
        "\\",
        "$(",
        "`",
        "ghp_",
        "--token ",
        "{\"token\": ",
        "=",
        "_",
    ] {
        redacted(&part.repeat(65_536 / part.len()));
    }
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
