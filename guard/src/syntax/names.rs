//! Words that do not simply name a program when a command starts with them.
//!
//! Both lists are the union over bash 5.2, dash 0.5.12, busybox ash 1.35, zsh 5.9 and mksh. They
//! are sorted, because they are searched for every command of every line.

/// Reserved words, unless they are quoted (`zshmisc(1)`, `bash(1)`, POSIX 2.4).
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "case", "coproc", "declare", "do", "done", "elif", "else", "end", "esac", "export", "fi",
    "float", "for", "foreach", "function", "if", "in", "integer", "let", "local", "nocorrect",
    "noglob", "readonly", "repeat", "select", "then", "time", "typeset", "until", "while",
];

/// Commands that run their arguments (`env`, `xargs`, `find`, `eval`, a shell), change what later
/// text means (`set`, `alias`, `setopt`), move in a way of their own (`pushd`), or evaluate text
/// that looks like data (`printf %d 'a[$(x)]'` runs x in zsh). A plan that named them with their
/// arguments would not say what happens.
#[rustfmt::skip]
const OPAQUE: &[&str] = &[
    ".", "[", "[[", "alias", "aliases", "autoload", "bash", "bg", "bind", "bindkey", "break",
    "builtin", "busybox", "bye", "caller", "chdir", "clone", "command", "compgen", "complete",
    "compopt", "continue", "coproc", "dash", "declare", "dirs", "disable", "disown", "doas",
    "emulate", "enable", "end", "env", "eval", "exec", "exit", "export", "expr", "fc", "fg", "find",
    "float", "foreach", "function", "functions", "getopts", "hash", "history", "integer", "jobs",
    "kill", "ksh", "let", "limit", "local", "log", "logout", "mapfile", "mksh", "nice", "nocorrect",
    "noglob", "nohup", "options", "parallel", "popd", "print", "printf", "private", "pushd",
    "pushln", "r", "read", "readarray", "readonly", "rehash", "repeat", "return", "sched", "set",
    "setopt", "setsid", "sh", "shift", "shopt", "source", "stdbuf", "su", "sudo", "suspend",
    "sysopen", "sysread", "syswrite", "test", "time", "timeout", "trap", "ttyctl", "typeset",
    "ulimit", "umask", "unalias", "unfunction", "unhash", "unlimit", "unset", "unsetopt", "vared",
    "wait", "watch", "whence", "where", "which", "xargs", "yash", "zcompile", "zed", "zf_chmod",
    "zf_chown", "zf_ln", "zf_mkdir", "zf_mv", "zf_rm", "zf_rmdir", "zle", "zmodload", "zparseopts",
    "zselect", "zsh", "zsocket", "zstat", "ztcp",
];

/// Parameters of zsh in lower case that are special, tied to another, or read-only, from
/// `print -l ${(k)parameters}` in zsh 5.9 with all its modules.
#[rustfmt::skip]
const ZSH_SPECIAL: &[&str] = &[
    "aliases", "argv", "builtins", "cdpath", "commands", "dirstack", "dis_aliases", "dis_builtins",
    "dis_functions", "dis_functions_source", "dis_galiases", "dis_patchars", "dis_reswords",
    "dis_saliases", "errnos", "fignore", "fpath", "funcfiletrace", "funcsourcetrace", "funcstack",
    "functions", "functions_source", "functrace", "galiases", "histchars", "history",
    "historywords", "jobdirs", "jobstates", "jobtexts", "keymaps", "langinfo", "mailpath",
    "manpath", "mapfile", "module_path", "modules", "nameddirs", "options", "parameters",
    "patchars", "path", "pipestatus", "prompt", "psvar", "reswords", "saliases", "signals",
    "status", "sysparams", "termcap", "terminfo", "userdirs", "usergroups", "watch", "widgets",
    "zle_bracketed_paste", "zle_highlight", "zsh_eval_context", "zsh_scheduled_events",
];

pub(super) fn is_zsh_special(name: &[u8]) -> bool {
    contains(ZSH_SPECIAL, name)
}

pub(super) fn is_reserved(word: &[u8]) -> bool {
    contains(RESERVED, word)
}

pub(super) fn is_opaque(word: &[u8]) -> bool {
    contains(OPAQUE, word)
}

fn contains(sorted: &[&str], word: &[u8]) -> bool {
    sorted.binary_search_by(|name| name.as_bytes().cmp(word)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [RESERVED, OPAQUE, ZSH_SPECIAL] {
            assert!(list.is_sorted_by(|a, b| a < b));
        }
    }
}
