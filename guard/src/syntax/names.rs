//! Words that do not simply name a program when a command starts with them.
//!
//! Both lists are the union over bash 5.2, dash 0.5.12, busybox ash 1.35, zsh 5.9 and mksh. They
//! are sorted, so that one sees what is in them.

use crate::index::Index;

/// Reserved words, unless they are quoted (`zshmisc(1)`, `bash(1)`, POSIX 2.4).
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "case", "coproc", "declare", "do", "done", "elif", "else", "end", "esac", "export", "fi",
    "float", "for", "foreach", "function", "if", "in", "integer", "let", "local", "nocorrect",
    "noglob", "readonly", "repeat", "select", "then", "time", "typeset", "until", "while",
];

/// Commands that run their arguments (`eval`, a shell), change what later text means (`set`,
/// `alias`, `setopt`), or move in a way of their own (`pushd`). A plan that named them with their
/// arguments would not say what happens.
#[rustfmt::skip]
const OPAQUE: &[&str] = &[
    ".", "[[", "alias", "aliases", "array", "autoload", "bash", "bg", "bind", "bindkey", "builtin",
    "busybox", "bye", "caller", "chdir", "clone", "compgen", "complete", "compopt", "coproc",
    "dash", "declare", "dirs", "disable", "disown", "doas", "emulate", "enable", "end", "eval",
    "exec", "export", "fc", "fg", "float", "foreach", "function", "functions", "getopts", "global",
    "hash", "history", "integer", "jobs", "kill", "ksh", "let", "limit", "local", "log", "logout",
    "mapfile", "mksh", "nameref", "nocorrect", "noglob", "options", "parallel", "popd", "print",
    "private", "pushd", "pushln", "r", "readarray", "readonly", "rehash", "repeat",
    "return", "sched", "set", "setopt", "setsid", "sh", "shift", "shopt", "source", "su", "sudo",
    "suspend", "sysopen", "sysread", "syswrite", "trap", "ttyctl", "typeset", "ulimit", "umask",
    "unalias", "unfunction", "unhash", "unlimit", "unset", "unsetopt", "vared", "wait", "watch",
    "whence", "where", "yash", "zcompile", "zed", "zf_chmod", "zf_chown", "zf_ln", "zf_mkdir",
    "zf_mv", "zf_rm", "zf_rmdir", "zle", "zmodload", "zparseopts", "zselect", "zsh", "zsocket",
    "zstat", "ztcp",
];

/// Commands that run what their arguments say (`env`, `xargs`, `find`), or evaluate text that
/// looks like data (`printf %d 'a[$(x)]'` runs x in zsh). A plan that names them with their
/// arguments says what happens only if the catalogue knows what these arguments do.
#[rustfmt::skip]
const CONDITIONAL: &[&str] = &[
    "[", "[[", "awk", "break", "command", "continue", "env", "exit", "expr", "find", "nice",
    "nohup",
    "printf", "stdbuf", "test", "time", "timeout", "which", "xargs",
];

/// Commands that the interpreter follows: they move the shell, end what it does, or set variables.
const FOLLOWED: &[&str] = &["break", "cd", "continue", "exit", "read"];

/// Parameters of zsh in lower case that are special, tied to another, or read-only, from
/// `print -l ${(k)parameters}` in zsh 5.9 with all its modules.
#[rustfmt::skip]
const ZSH_SPECIAL: &[&str] = &[
    "aliases", "argv", "builtins", "cdpath", "commands", "dirstack", "dis_aliases", "dis_builtins",
    "dis_functions", "dis_functions_source", "dis_galiases", "dis_patchars", "dis_reswords",
    "dis_saliases", "epochtime", "errnos", "fignore", "fpath", "funcfiletrace",
    "funcsourcetrace", "funcstack", "functions", "functions_source", "functrace",
    "galiases", "histchars", "history",
    "historywords", "jobdirs", "jobstates", "jobtexts", "keymaps", "langinfo", "mailpath",
    "manpath", "mapfile", "module_path", "modules", "nameddirs", "options", "parameters",
    "patchars", "path", "pipestatus", "prompt", "psvar", "reswords", "saliases", "signals",
    "status", "sysparams", "termcap", "terminfo", "userdirs", "usergroups", "watch", "widgets",
    "zcurses_attrs", "zcurses_colors", "zcurses_keycodes",
    "zcurses_windows", "zle_bracketed_paste", "zle_highlight", "zsh_eval_context",
    "zsh_scheduled_events",
];

/// Parameters in upper case that a shell gives a meaning, from `compgen -v` in bash,
/// `${(k)parameters}` in zsh with all its modules, `typeset` in mksh, `set` in dash, busybox and
/// yash, and their manual pages. Assigning one changes how the rest is read or run, or is computed.
#[rustfmt::skip]
const SPECIAL: &[&str] = &[
    "ARGC", "ARGV", "BAUD", "CDPATH", "CHILD_MAX", "COPROC", "CPUTYPE", "EDITOR", "EGID", "ENV",
    "ERRNO", "EUID", "EXECIGNORE", "EXECSHELL", "FCEDIT", "FIGNORE", "FPATH", "GID", "GLOBIGNORE",
    "GLOBSORT", "GROUPS", "HANDLED", "HOME", "HOST", "HOSTFILE", "HOSTNAME", "HOSTTYPE", "IFS",
    "IGNOREEOF", "INPUTRC", "KEYBOARD_HACK", "KEYTIMEOUT", "LINENO", "LISTMAX", "LOGCHECK",
    "LOGNAME", "MACHTYPE", "MANPATH", "MAPFILE", "MATCH", "MBEGIN", "MEND", "MIRBSD", "MODULE_PATH",
    "NLSPATH", "NULLCMD", "OLDPWD", "OPTARG", "OPTERR", "OPTIND", "OSTYPE", "PATH", "PATHSEP",
    "PGRP", "PIPESTATUS", "POSIXLY_CORRECT", "POSTEDIT", "PPID", "PSVAR", "PWD", "RANDOM",
    "READNULLCMD", "REPLY", "REPORTMEMORY", "REPORTTIME", "RPROMPT", "RPROMPT2", "SAVEHIST",
    "SECONDS", "SHELL", "SHELLOPTS", "SHLVL", "SPROMPT", "SRANDOM", "STTY", "TARGETWORD",
    "TERMINFO", "TERMINFO_DIRS", "TIMEFMT", "TIMEFORMAT", "TMOUT", "TMPDIR", "TMPPREFIX",
    "TMPSUFFIX", "TTY", "TTYIDLE", "UID", "USERNAME", "USER_ID", "VENDOR", "VISUAL", "WATCH",
    "WATCHFMT", "WORDCHARS", "WORDS", "_", "auto_resume",
];

/// Beginnings of such names.
const SPECIAL_PREFIXES: &[&str] = &[
    "BASH",
    "COMMAND_",
    "COMP_",
    "DIRSTACK",
    "DYLD_",
    "EPOCH",
    "FUNC",
    "HIST",
    "KSH",
    "LD_",
    "MAIL",
    "PROMPT",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "READLINE_",
    "RPS",
    "TRY_BLOCK",
    "YASH",
    "ZCURSES",
    "ZDOTDIR",
    "ZLE",
    "ZSH",
];

/// Where a parameter may be assigned without changing what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assignable {
    /// Anywhere.
    Anywhere,
    /// For one command: a shell takes no notice of it before that command runs.
    BeforeCommand,
    /// The same, if the value is a decimal number: zsh computes it.
    DecimalBeforeCommand,
    /// Nowhere.
    Nowhere,
}

/// Where the parameter of this name may be assigned.
pub(super) fn assignable(name: &[u8]) -> Assignable {
    match name {
        b"LANG" | b"LANGUAGE" | b"TERM" | b"TZ" => Assignable::BeforeCommand,
        b"COLUMNS" | b"LINES" => Assignable::DecimalBeforeCommand,
        _ if name.starts_with(b"LC_") => Assignable::BeforeCommand,
        _ if contains(SPECIAL, name) || is_zsh_special(name) => Assignable::Nowhere,
        _ if SPECIAL_PREFIXES.iter().any(|prefix| name.starts_with(prefix.as_bytes())) => {
            Assignable::Nowhere
        }
        _ => Assignable::Anywhere,
    }
}

/// Is it the name of a parameter that is no shell's own?
pub(super) fn is_own(name: &[u8]) -> bool {
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let plain = |byte: &u8| letter(byte) || byte.is_ascii_digit();
    name.first().is_some_and(letter)
        && name.iter().all(plain)
        && assignable(name) == Assignable::Anywhere
}

pub(super) fn is_zsh_special(name: &[u8]) -> bool {
    contains(ZSH_SPECIAL, name)
}

pub(super) fn is_reserved(word: &[u8]) -> bool {
    static INDEX: Index<128> = Index::of(RESERVED);
    INDEX.find(word, |at| RESERVED[at]).is_some()
}

pub(super) fn is_opaque(word: &[u8]) -> bool {
    static INDEX: Index<512> = Index::of(OPAQUE);
    INDEX.find(word, |at| OPAQUE[at]).is_some()
}

/// Does what a command of this name does depend on the text of its arguments?
pub(crate) fn is_conditional(word: &[u8]) -> bool {
    static INDEX: Index<64> = Index::of(CONDITIONAL);
    INDEX.find(word, |at| CONDITIONAL[at]).is_some()
}

/// Does a command of this name run its words as another command, or may it? What is built in to a
/// shell for itself counts as such.
pub(crate) fn runs_its_words(word: &[u8]) -> bool {
    const NEVER: &[&str] =
        &["[", "awk", "break", "continue", "exit", "expr", "printf", "test", "which"];
    is_opaque(word) || (is_conditional(word) && !contains(NEVER, word))
}

/// Programs that are undeclared and run what their words say: a rule for them would open anything,
/// and one that denies looks among their words.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "ash", "at", "batch", "bwrap", "catchsegv", "chroot", "chrt", "crontab", "cross-env", "csh",
    "direnv", "dotenv", "ed", "elvish", "emacs", "entr", "ex", "expect", "fakeroot",
    "firejail", "fish", "flock", "gdb", "hyperfine", "ionice", "kubectl", "ltrace", "nc",
    "ncat", "nix-shell", "nsenter", "nu", "numactl", "nvim", "pkexec", "proot",
    "pwsh", "rc", "rlwrap", "runuser", "screen", "script", "setarch", "socat", "ssh", "sshpass",
    "strace", "systemd-run", "taskset", "tclsh", "tcsh", "tmux", "toybox", "unbuffer",
    "unshare", "vi", "vim", "watch", "xonsh",
];

/// The same, programs included that nothing declares.
pub(crate) fn may_run_its_words(word: &[u8]) -> bool {
    runs_its_words(word) || contains(RUNNERS, word)
}

/// Built-ins of every shell that may stand behind `builtin`, which dash and busybox have not.
const BEHIND_BUILTIN: &[&str] = &[":", "[", "cd", "echo", "false", "printf", "pwd", "test", "true"];

/// May a command of this name stand behind this prefix, and be then what it is without, or nothing?
/// Behind `command` zsh runs no built-in, so that `cd` does not move it; what else stands there is
/// a command that another one runs.
pub(super) fn may_be_prefixed(prefix: &[u8], name: &[u8]) -> bool {
    match prefix {
        b"command" => name == b"cd",
        b"builtin" => contains(BEHIND_BUILTIN, name),
        _ => false,
    }
}

/// May a command of this name stand behind another one that runs it, without becoming something
/// else? What shells have built in for themselves, and what they reserve, may not.
pub(crate) fn may_be_run(word: &[u8]) -> bool {
    !is_opaque(word) && !is_reserved(word) && !contains(FOLLOWED, word)
}

fn contains(sorted: &[&str], word: &[u8]) -> bool {
    sorted.binary_search_by(|name| name.as_bytes().cmp(word)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [RESERVED, OPAQUE, CONDITIONAL, FOLLOWED, BEHIND_BUILTIN, SPECIAL, ZSH_SPECIAL]
        {
            assert!(list.is_sorted_by(|a, b| a < b));
        }
    }
}
