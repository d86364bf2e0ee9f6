//! Values of variables that change what a verb does with others, but not with these.

use super::has_parent;
use crate::verbs::is_named;

/// Does a verb that this variable may change do the same with this value as without it? `home` is
/// that of the person.
pub(super) fn change_nothing(name: &[u8], value: &[u8], home: Option<&[u8]>) -> bool {
    match name {
        b"TMPDIR" => is_for_temporary_files(value),
        b"CC" | b"CXX" => is_compiler(value),
        b"GO111MODULE" => matches!(value, b"on" | b"auto"),
        b"GOTOOLCHAIN" => value == b"local",
        b"GOWORK" => value == b"off",
        b"MAKEFLAGS" | b"MFLAGS" => words(value).all(is_count_of_jobs),
        b"NODE_OPTIONS" => words(value).all(is_size_of_heap),
        // With a dot, a category is a name that is imported.
        b"PYTHONWARNINGS" => !value.contains(&b'.'),
        // The name of a version; a path leads out of where they stand.
        b"PYENV_VERSION" => !value.contains(&b'/'),
        b"PREFIX" => is_npms_own(value, home),
        _ if is_named("npm_config_userconfig", name) => {
            home.is_some_and(|home| value == [home, b"/.npmrc"].concat())
        }
        _ if is_named("npm_config_globalconfig", name) => {
            let prefix = value.strip_suffix(b"/etc/npmrc");
            prefix.is_some_and(|prefix| is_npms_own(prefix, home))
        }
        _ if is_named("npm_config_prefix", name) => is_npms_own(value, home),
        _ => false,
    }
}

/// Is it the name of a program, and perhaps options, none of which names a file?
pub(super) fn is_plain_program(value: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" +-_".contains(byte);
    !value.starts_with(b"-") && value.iter().all(plain)
}

/// Does `less` run it for what comes in as well, which is what git shows (less(1), INPUT
/// PREPROCESSOR)?
pub(super) fn opens_what_comes_in(value: &[u8]) -> bool {
    value.iter().find(|byte| **byte != b'|') == Some(&b'-')
}

/// Is it where systems, and agents, keep what is thrown away?
fn is_for_temporary_files(directory: &[u8]) -> bool {
    const TEMPORARY: [&[u8]; 5] =
        [b"/tmp", b"/var/tmp", b"/private/tmp", b"/var/folders", b"/private/var/folders"];
    let below = |top: &&[u8]| {
        let rest = directory.strip_prefix(*top);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    };
    TEMPORARY.iter().any(below) && !has_parent(directory)
}

/// Is it a compiler that is found along `PATH`, perhaps of some version?
fn is_compiler(value: &[u8]) -> bool {
    const COMPILERS: [&[u8]; 6] = [b"c++", b"cc", b"clang", b"clang++", b"g++", b"gcc"];
    let name = value.split(|byte| *byte == b'-').next().unwrap_or(value);
    let version = &value[name.len()..];
    COMPILERS.contains(&name)
        && version.iter().skip(1).all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// `-j8`, or `j8` as make itself hands it on.
fn is_count_of_jobs(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    word.strip_prefix(b"j").is_some_and(|count| count.iter().all(u8::is_ascii_digit))
}

/// `--max-old-space-size=4096`
fn is_size_of_heap(word: &[u8]) -> bool {
    let size = word
        .strip_prefix(b"--max-old-space-size=")
        .or_else(|| word.strip_prefix(b"--max_old_space_size="));
    size.is_some_and(|size| size.iter().all(u8::is_ascii_digit))
}

/// Is it a directory in which npm itself stands, below which it has its file of settings? What npm
/// starts has both in its environment.
fn is_npms_own(prefix: &[u8], home: Option<&[u8]>) -> bool {
    const PREFIXES: [&[u8]; 6] = [
        b"",
        b"/usr",
        b"/usr/local",
        b"/opt/homebrew",
        b"/opt/local",
        b"/data/data/com.termux/files/usr",
    ];
    // Managers of versions keep each below a name of their own.
    const MANAGERS: [&[u8]; 6] =
        [b"/.nvm/", b"/.volta/", b"/.asdf/", b"/.fnm/", b"/.local/share/", b"/.npm-global"];
    let managed = |home: &[u8]| {
        let rest = prefix.strip_prefix(home);
        rest.is_some_and(|rest| MANAGERS.iter().any(|it| rest.starts_with(it)))
    };
    PREFIXES.contains(&prefix) || (home.is_some_and(managed) && !has_parent(prefix))
}

fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    // tidy: table
    #[rustfmt::skip]
    const VALUES: &[(&str, &[&str], &[&str])] = &[
        ("TMPDIR", &["/tmp", "/var/folders/a/b"], &["/p/tmp", "/tmp/../p", "/tmpx", "tmp"]),
        ("CC", &["gcc", "clang-18", "cc"], &["./gcc", "gcc -B.", "x", "gcc-x", "", "ccache gcc"]),
        ("CXX", &["g++", "clang++"], &["/p/g++"]),
        ("GO111MODULE", &["on", "auto"], &["off"]),
        ("GOTOOLCHAIN", &["local"], &["path", "go1.22", "/p"]),
        ("GOWORK", &["off"], &["/x/go.work"]),
        ("MAKEFLAGS", &["-j8", "j", "-j8 j2", ""], &["-f x", "k", "-j8 --eval=x", "-j8x"]),
        ("NODE_OPTIONS", &["--max-old-space-size=4096", ""], &["-r ./x", "--max-old-space-size=1 -r=x"]),
        ("PYTHONWARNINGS", &["ignore", "error::DeprecationWarning"], &["error::a.B"]),
        ("npm_config_userconfig", &["/h/.npmrc"], &["/p/.npmrc", "", "/h/../p/.npmrc"]),
        ("NPM_CONFIG_USERCONFIG", &["/h/.npmrc"], &["/h/x"]),
        ("npm_config_globalconfig", &["/usr/etc/npmrc", "/h/.nvm/v/etc/npmrc"], &[
            "/p/etc/npmrc", "/h/p/etc/npmrc", "/h/.nvm/../p/etc/npmrc", "/usr/etc/x",
        ]),
        ("npm_config_prefix", &["/usr/local", "/h/.nvm/v", "/h/.npm-global"], &["/p", "/h/.nvm/../p"]),
        ("NPM_CONFIG-GLOBALCONFIG", &["/usr/etc/npmrc"], &["/usr"]),
        ("PREFIX", &["/usr", "/data/data/com.termux/files/usr"], &["/p", "p", "/usr/../p"]),
        ("PYENV_VERSION", &["3.12.1", "system", ""], &["../p", "/p"]),
        ("RUSTFLAGS", &[], &["", "-C linker=x"]),
    ];

    #[test]
    fn some_values_change_nothing() {
        for (name, harmless, others) in VALUES {
            let is = |value: &&&str| change_nothing(name.as_bytes(), value.as_bytes(), Some(b"/h"));
            let wrong: Vec<_> = harmless.iter().filter(|it| !is(it)).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
            let wrong: Vec<_> = others.iter().filter(is).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
        }
        let home = None;
        assert!(!change_nothing(b"npm_config_userconfig", b"/.npmrc", home));
    }

    #[test]
    fn pagers_are_plain() {
        for pager in ["less", "less -R", "", "bat --style plain"] {
            assert!(is_plain_program(pager.as_bytes()), "{pager}");
        }
        assert!(opens_what_comes_in(b"|-x %s") && opens_what_comes_in(b"||-x"));
        assert!(!opens_what_comes_in(b"| /usr/bin/lesspipe %s") && !opens_what_comes_in(b""));
        for other in ["./less", "less;x", "-x", "$(x)", "less -o/x", "a\nb"] {
            assert!(!is_plain_program(other.as_bytes()), "{other}");
        }
    }
}
