//! What files say, what is wrong with them and where, and what layers are together.

use super::*;
use crate::rules::Pattern;

fn read(level: Level, text: &str) -> Layer {
    Layer::read(level, Path::new("/c.toml"), text)
}

fn faults(text: &str) -> Vec<String> {
    read(Level::User, text).faults.iter().map(ToString::to_string).collect()
}

fn rules(layer: &Layer) -> Vec<String> {
    layer.rules.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_says_what_holds() {
    let text = "\
schema = 1
profile = 'read'
shells = ['bash', 'zsh']
roots = ['~/a', '/b']
protected_names = ['*.sqlite']
protected_branches = ['x/*']
import = ['claude']

[[deny]]
command = 'rm -rf'
reason = 'no'
match = ['cd a && rm -rf x', 'timeout 5 rm -rf x']
not_match = ['rm x']

[[allow]]
command = ['git', 'commit', '-m', '*']
expires = 2026-12-31
match = ['git commit -m \"a b\"']
";
    let layer = read(Level::User, text);
    assert_eq!(layer.faults, []);
    assert_eq!(
        rules(&layer),
        ["deny 'rm -rf' (user, /c.toml:10)", "allow 'git commit -m *' (user, /c.toml:16)"]
    );
    let whole = Configuration::of(vec![layer], Date::new(2026, 12, 31));
    assert_eq!(whole.policy.rules.iter().count(), 2);
    assert_eq!((whole.policy.profile, whole.shells.map(|it| it.sh)), (Profile::Read, Some(false)));
    let later = Configuration::of(vec![read(Level::User, text)], Date::new(2027, 1, 1));
    assert_eq!(later.policy.rules.iter().count(), 1);
    assert_eq!(
        later.notes,
        ["the rule allow 'git commit -m *' (user, /c.toml:16) ended on 2026-12-31"]
    );
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    for (text, wanted) in [
        ("x = ", "/c.toml:1: "),
        ("\ndany = []", "/c.toml:2: unknown field `dany`"),
        ("schema = 2", "/c.toml:1: this shfence reads schema 1, not 2\n  schema = 2\n           ^"),
        ("profile = 'all'", "unknown profile 'all'"),
        ("shells = ['fish']", "unknown shell 'fish'"),
        ("shells = []", "unknown shell ''"),
        ("roots = ['../x']", "a root here is absolute, or begins with '~/'"),
        ("roots = ['//']", "a root must not be the whole file system"),
        ("protected_names = ['a/b']", "without '/'"),
        ("import = ['codex']", "nothing is imported from 'codex'"),
        ("deny = 1", "/c.toml:1: "),
        ("[[deny]]\ncommand = ''", "/c.toml:2: this deny rule names no command\n  command = ''\n"),
        ("[[deny]]\ncommand = 'rm*'", "'*' stands for one whole word"),
        ("[[deny]]\ncommand = 1", "the words of a command, as a string or as a list of strings"),
        ("[[deny]]\n", "missing field `command`"),
        ("[[allow]]\ncommand = '*'", "an allow rule names the program"),
        ("[[ask]]\ncommand = 'a'\nexpires = '2026-02-30'", "/c.toml:3: '2026-02-30' is no day"),
        ("[[ask]]\ncommand = 'a'\nexpires = 12:00:00", "is no day"),
        ("[[ask]]\ncommand = 'a'\nreasons = 'x'", "unknown field `reasons`"),
        ("[[ask]]\ncommand = 'a'\nreason = \"x\\ny\"", "a reason is one line"),
        ("[[ask]]\ncommand = 'a'\nmatch = ['b']", "/c.toml:3: the rule 'a' is not about this line"),
        ("[[ask]]\ncommand = 'a'\nnot_match = ['x | a']", "the rule 'a' is about this line"),
        ("[[ask]]\ncommand = 'a'\nmatch = ['a (']", "this test is not understood"),
        ("[[allow]]\ncommand = 'a b'\nmatch = ['/bin/a b']", "is not about this line"),
    ] {
        let found = faults(text);
        assert!(found.len() == 1 && found[0].contains(wanted), "{text:?}: {found:?}");
    }
}

#[test]
fn a_file_has_no_more_rules_than_can_be_read_each_time() {
    let many = "[[deny]]\ncommand = 'a'\n".repeat(501);
    assert!(faults(&many)[0].contains("more than 500 rules"), "{:?}", faults(&many));
    let tests = vec!["'a'"; 501].join(",");
    assert_eq!(faults(&format!("[[deny]]\ncommand = 'a'\nmatch = [{tests}]")).len(), 1);
}

#[test]
fn a_rule_that_can_be_read_holds_beside_one_that_cannot() {
    let layer = read(Level::User, "[[deny]]\ncommand = 'a'\n[[deny]]\ncommand = 'b*'");
    let whole = Configuration::of(vec![layer], None);
    assert_eq!(whole.policy.rules.iter().count(), 1);
    assert_eq!(whole.policy.faults.len(), 1);
}

#[test]
fn a_project_tightens_and_loosens_only_where_it_is_trusted() {
    let user = || read(Level::User, "[[allow]]\ncommand = 'u'");
    let project = || {
        read(
            Level::Project,
            "profile = 'edit'\nshells = ['bash']\nroots = ['../x']\nworktrees = true\n\
             protected_names = ['n']\n[[allow]]\ncommand = 'p'\n[[deny]]\ncommand = 'd'",
        )
    };
    let names = |whole: &Configuration| {
        let names = whole.policy.rules.iter().map(|rule| rule.pattern.to_string());
        names.collect::<Vec<_>>()
    };
    let whole = Configuration::of(vec![user(), project()], None);
    assert_eq!(names(&whole), ["d", "u"]);
    assert_eq!((whole.policy.profile, whole.shells), (Profile::ReadBuild, Some(Dialects::ALL)));
    assert_eq!((whole.roots.len(), whole.worktrees), (0, false));
    assert_eq!(whole.policy.protected_names, ["n"]);
    assert_eq!(whole.notes.len(), 4, "{:?}", whole.notes);
    assert!(whole.policy.faults.is_empty());

    let whole = Configuration::of(vec![user(), project().trusted()], None);
    assert_eq!(names(&whole), ["d", "u", "p"]);
    assert_eq!(whole.policy.profile, Profile::Edit);
    assert_eq!(whole.shells.map(|it| (it.bash, it.sh)), Some((true, false)));
    assert_eq!((whole.roots.len(), whole.worktrees, whole.notes.len()), (1, true, 0));

    let strict = read(Level::Project, "profile = 'read'\nworktrees = false");
    let user = read(Level::User, "profile = 'edit'\nworktrees = true");
    let whole = Configuration::of(vec![user, strict], None);
    assert_eq!((whole.policy.profile, whole.worktrees), (Profile::Read, false));
}

fn imported(agent: Agent, text: &str) -> Layer {
    import(agent, Level::User, Path::new("/s.json"), text)
}

#[test]
fn rules_of_claude_are_read_as_it_means_them() {
    let of = |kind: &str, rule: &str| {
        let text =
            format!("{{\"permissions\":{{\"{kind}\":[{}]}}}}", serde_json::Value::from(rule));
        let layer = imported(Agent::Claude, &text);
        let patterns: Vec<String> =
            layer.rules.iter().map(|rule| rule.pattern.to_string()).collect();
        (patterns.join(","), layer.notes.len(), layer.faults.len())
    };
    for (kind, rule, pattern) in [
        ("allow", "Bash(npm run test:*)", "npm run test"),
        ("allow", "Bash(npm run *)", "npm run"),
        ("allow", "Bash(git status)", "git status $"),
        ("allow", "Bash(npm run test*)", "npm run test*"),
        ("allow", "Bash(git * main)", "git * main $"),
        ("allow", "Bash(git commit -m \"x\")", "git commit -m x $"),
        ("deny", "Bash(git * main)", "git * … main"),
        ("deny", "Bash(rm:*)", "rm"),
        ("deny", "Bash", "…"),
        ("ask", "Bash(*)", "…"),
    ] {
        assert_eq!(of(kind, rule), (pattern.to_owned(), 0, 0), "{kind} {rule}");
    }
    for (kind, rule) in [
        ("allow", "Read(//etc/**)"),
        ("deny", "WebFetch"),
        ("deny", "mcp__x__y"),
        ("allow", "Bash"),
        ("allow", "Bash(*)"),
        ("allow", "Bash(cd a && npm test)"),
        ("allow", "Bash(* --version)"),
        ("deny", "BashOutput"),
    ] {
        assert_eq!(of(kind, rule), (String::new(), 1, 0), "{kind} {rule}");
    }
    for (kind, rule) in [
        ("deny", "Bash(rm"),
        ("allow", "Bash(npm run"),
        ("deny", "Bash()"),
        ("deny", "Bash(cd a && rm x)"),
        ("ask", "Bash(echo $(x))"),
    ] {
        assert_eq!(of(kind, rule), (String::new(), 0, 1), "{kind} {rule}");
    }
}

#[test]
fn a_malformed_import_is_said_with_its_place() {
    let layer = imported(
        Agent::Claude,
        "{\n \"permissions\": {\n  \"deny\": [\"Bash(a)\",\n   \"Bash(rm\"]\n }\n}",
    );
    assert_eq!(layer.rules[0].source.line, 3);
    assert_eq!(
        layer.faults[0].to_string(),
        "/s.json:4: the deny rule 'Bash(rm' does not end with ')'\n     \"Bash(rm\"]\n  \
         \x20  ^^^^^^^^^"
    );
    for text in
        ["", "{", "[}", "{\"permissions\": {\"deny\": 1}}", "{\"permissions\":{\"deny\":[1]}}"]
    {
        assert_eq!(imported(Agent::Claude, text).faults.len(), 1, "{text}");
    }
    for text in ["{}", "[]", "1", "{\"permissions\": {}}", "{\"permissions\": {\"allow\": []}}"] {
        assert_eq!(imported(Agent::Claude, text).faults.len(), 0, "{text}");
    }
}

#[test]
fn rules_of_a_permissions_file_are_token_prefixes() {
    let text = r#"{"allow": ["Terminal(pnpm test)", "Terminal(pnpm run test:*)", "GitPush()"],
                   "deny": ["Terminal(rm -rf /)"], "ask": ["Terminal(git push *)"]}"#;
    let layer = imported(Agent::PermissionsJson, text);
    let patterns: Vec<String> = layer.rules.iter().map(|it| it.pattern.to_string()).collect();
    assert_eq!(patterns, ["rm -rf /", "git push *", "pnpm test", "pnpm run test:*"]);
    assert_eq!((layer.notes.len(), layer.faults.len()), (1, 0));
}

#[test]
fn rules_without_effect_are_named() {
    let layer = read(Level::User, "[[allow]]\ncommand = 'bash -c'\n[[deny]]\ncommand = 'sudo'");
    let whole = Configuration::of(vec![layer], None);
    assert_eq!((whole.notes.len(), whole.remarks.len()), (0, 1));
    assert!(whole.remarks[0].contains("'bash -c'"), "{:?}", whole.remarks);
    assert!(Pattern::from_text("sudo").is_ok());
}
