//! Keys of a repository's configuration under which no read form of git runs, or reads, anything
//! else than it would without them.
//!
//! An allow-list: git has hundreds of keys and gets more. From git-config(1) of git 2.47. What
//! names a program (`core.pager`, `core.fsmonitor`, `diff.*.textconv`, `filter.*`, `gpg.*`,
//! `alias.*`) or a file (`core.excludesFile`, `include.path`) is not here, nor is what makes git
//! use such a thing (`log.showSignature`, `pretty.*`) or another repository
//! (`remote.*.promisor`, `submodule.recurse`, `diff.submodule`).

use super::config::Setting;

/// Sections of which every key is inert: what the read forms do not even look at, or take for text.
#[rustfmt::skip]
const SECTIONS: &[&str] = &[
    "advice", "author", "color", "column", "commit", "committer", "fetch", "i18n", "init",
    "pack", "pull", "push", "rebase", "rerere", "transfer", "user", "versionsort",
];

/// Single keys, in lower case; `*` is any subsection.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "apply.whitespace",
    "branch.autosetupmerge", "branch.autosetuprebase", "tag.forcesignannotated", "tag.gpgsign",
    "blame.blankboundary", "blame.coloring", "blame.date", "blame.showemail", "blame.showroot",
    "core.abbrev", "core.autocrlf", "core.bare", "core.bigfilethreshold", "core.checkstat",
    "core.commentchar", "core.commitgraph", "core.compression", "core.deltabasecachelimit",
    "core.eol", "core.filemode", "core.fscache", "core.fsync", "core.hidedotfiles",
    "core.ignorecase", "core.ignorestat", "core.logallrefupdates", "core.longpaths",
    "core.loosecompression", "core.multipackindex", "core.notesref", "core.precomposeunicode",
    "core.preloadindex", "core.protecthfs", "core.protectntfs", "core.quotepath",
    "core.repositoryformatversion", "core.safecrlf", "core.sharedrepository", "core.sparsecheckout",
    "core.sparsecheckoutcone", "core.symlinks", "core.trustctime",
    "core.untrackedcache", "core.warnambiguousrefs", "core.whitespace", "core.worktree",
    "diff.algorithm", "diff.autorefreshindex", "diff.colormoved", "diff.colormovedws",
    "diff.context", "diff.dirstat", "diff.dstprefix", "diff.ignoresubmodules",
    "diff.indentheuristic", "diff.interhunkcontext", "diff.mnemonicprefix", "diff.noprefix",
    "diff.relative", "diff.renamelimit", "diff.renames", "diff.srcprefix",
    "diff.statgraphwidth", "diff.statnamewidth", "diff.suppressblankempty", "diff.wordregex",
    "diff.wserrorhighlight",
    "diff.*.binary", "diff.*.funcname", "diff.*.wordregex", "diff.*.xfuncname",
    "extensions.compatobjectformat", "extensions.noop", "extensions.objectformat",
    "extensions.preciousobjects", "extensions.refstorage", "extensions.relativeworktrees",
    "extensions.worktreeconfig",
    "feature.manyfiles",
    "gc.auto", "gc.autodetach", "gc.autopacklimit", "gc.pruneexpire", "gc.reflogexpire",
    "gc.reflogexpireunreachable", "gc.worktreepruneexpire",
    "grep.column", "grep.extendedregexp", "grep.fullname", "grep.linenumber", "grep.patterntype",
    "grep.threads",
    "gui.geometry", "gui.wmstate",
    "http.extraheader", "http.postbuffer", "http.sslverify", "http.version", "http.*.extraheader",
    "index.skiphash", "index.sparse", "index.threads", "index.version",
    "lfs.repositoryformatversion",
    "log.abbrevcommit", "log.date", "log.decorate", "log.excludedecoration",
    "log.follow", "log.mailmap", "log.showroot",
    "maintenance.auto", "maintenance.strategy",
    "merge.branchdesc", "merge.conflictstyle", "merge.directoryrenames", "merge.ff", "merge.log",
    "merge.renamelimit", "merge.renames", "merge.stat", "merge.tool", "merge.verbosity",
    "receive.denycurrentbranch", "receive.denydeletes", "receive.denynonfastforwards",
    "remote.pushdefault",
    "remote.*.fetch", "remote.*.gh-resolved", "remote.*.followremotehead", "remote.*.mirror",
    "remote.*.prune", "remote.*.prunetags", "remote.*.push", "remote.*.pushurl",
    "remote.*.skipdefaultupdate", "remote.*.skipfetchall", "remote.*.tagopt", "remote.*.url",
    "stash.showincludeuntracked", "stash.showpatch", "stash.showstat",
    "status.aheadbehind", "status.branch", "status.displaycommentprefix", "status.renamelimit",
    "status.renames", "status.relativepaths", "status.short", "status.showstash",
    "status.showuntrackedfiles",
    "submodule.active",
    "submodule.*.active", "submodule.*.branch", "submodule.*.fetchrecursesubmodules",
    "submodule.*.ignore", "submodule.*.shallow", "submodule.*.url",
    "worktree.guessremote",
];

/// Is it on the list?
pub(crate) fn is_inert(setting: &Setting) -> bool {
    let is = |word: &str, text: &[u8]| word.as_bytes() == text;
    // Of one branch: where it comes from, what editors note of it.
    if is("branch", &setting.section) && setting.subsection.is_some() {
        return true;
    }
    if SECTIONS.iter().any(|section| is(section, &setting.section)) {
        return true;
    }
    let subsection = setting.subsection.as_ref().map(|_| &b"*"[..]);
    let parts = [Some(&setting.section[..]), subsection, Some(&setting.name[..])];
    let key = parts.into_iter().flatten().collect::<Vec<_>>().join(&b'.');
    KEYS.iter().any(|known| is(known, &key))
}

/// Is it a setting that every repository has, or one that is looked at only elsewhere, so that git
/// neither gives up because of it nor takes another worktree?
pub(super) fn is_ordinary(setting: &Setting) -> bool {
    let value = setting.value.as_deref().unwrap_or(b"true");
    match &setting.key()[..] {
        b"core.repositoryformatversion" => matches!(value, b"0" | b"1"),
        b"core.bare" => value == b"false",
        b"core.filemode"
        | b"core.ignorecase"
        | b"core.symlinks"
        | b"core.precomposeunicode"
        | b"core.logallrefupdates" => matches!(value, b"true" | b"false"),
        _ => match &setting.section.to_ascii_lowercase()[..] {
            b"branch" | b"remote" | b"submodule" => setting.subsection.is_some(),
            section => section == b"user",
        },
    }
}
