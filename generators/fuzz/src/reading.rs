//! Another parser's view of the structure of a line.

use crate::scene;
use brush_parser::ast::{
    Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, SimpleCommand,
};
use brush_parser::{Parser, ParserOptions};
use shfence::PlanWord;
use std::collections::BTreeMap;

/// Where both understand a line, each simple command that the guard plans is one that the other
/// parser sees as well, in the same order and with the same name.
///
/// The guard may see fewer: what cannot be reached is in no plan. Lines are left out that hold
/// what the other parser keeps as text (substitutions), what it reads as bash alone does, or bytes
/// that it has no characters for.
pub fn reading_agrees(line: &[u8]) {
    let Ok(text) = std::str::from_utf8(line) else { return };
    if !text.is_ascii() || text.len() > 2_000 || text.contains(['`', '$', '\r', '\0']) {
        return;
    }
    let Ok(plan) = scene::decide(line).plan else { return };
    let Some(theirs) = names_in(text) else { return };
    let mut theirs = theirs.iter();
    for (start, ours) in planned(&plan) {
        let seen = theirs.any(|name| *name == ours);
        assert!(seen, "'{ours}' at {start} is no command to the other parser: {text:?}");
    }
}

/// The names of the simple commands of a plan, by where they stand. What a command runs in turn
/// stands where it does, and comes after it.
fn planned(plan: &shfence::Plan) -> Vec<(usize, String)> {
    let mut names = BTreeMap::new();
    for segment in &plan.segments {
        if let Some(PlanWord::Is(name)) = segment.argv.first() {
            let name = String::from_utf8_lossy(name).into_owned();
            names.entry(segment.span.range().start).or_insert(name);
        }
    }
    // A reserved word or a command, as the shell and the place in the line have it.
    names.retain(|_, name| name != "time");
    names.into_iter().collect()
}

/// The names of all simple commands in the order of the line. Nothing if it is not understood, or
/// holds what is left out.
fn names_in(text: &str) -> Option<Vec<String>> {
    let mut parser = Parser::new(text.as_bytes(), &ParserOptions::default());
    let program = parser.parse_program().ok()?;
    let mut names = Vec::new();
    program.complete_commands.iter().try_for_each(|list| of_list(list, &mut names))?;
    Some(names)
}

fn of_list(list: &CompoundList, names: &mut Vec<String>) -> Option<()> {
    for item in &list.0 {
        for (_, pipeline) in &item.0 {
            pipeline.seq.iter().try_for_each(|command| of_command(command, names))?;
        }
    }
    Some(())
}

fn of_command(command: &Command, names: &mut Vec<String>) -> Option<()> {
    match command {
        Command::Simple(simple) => of_simple(simple, names),
        Command::Compound(compound, _) => of_compound(compound, names),
        Command::Function(_) | Command::ExtendedTest(..) => None,
    }
}

fn of_simple(simple: &SimpleCommand, names: &mut Vec<String>) -> Option<()> {
    let process = |it: &CommandPrefixOrSuffixItem| {
        matches!(it, CommandPrefixOrSuffixItem::ProcessSubstitution(..))
    };
    if simple.suffix.as_ref().is_some_and(|suffix| suffix.0.iter().any(process)) {
        return None;
    }
    names.extend(simple.word_or_name.as_ref().map(|name| unquoted(&name.value)));
    Some(())
}

/// A word without its quotes (POSIX 2.2): the other parser keeps them.
fn unquoted(word: &str) -> String {
    let (mut text, mut quote) = (String::new(), None);
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (Some('\''), _) => text.push(character),
            (Some(_), '\\') => match characters.next_if(|next| "$`\"\\\n".contains(*next)) {
                Some('\n') => {}
                Some(next) => text.push(next),
                None => text.push('\\'),
            },
            (None, '\\') => text.extend(characters.next().filter(|next| *next != '\n')),
            _ => text.push(character),
        }
    }
    text
}

fn of_compound(compound: &CompoundCommand, names: &mut Vec<String>) -> Option<()> {
    match compound {
        CompoundCommand::BraceGroup(group) => of_list(&group.list, names),
        CompoundCommand::Subshell(group) => of_list(&group.list, names),
        CompoundCommand::ForClause(clause) => of_list(&clause.body.list, names),
        CompoundCommand::CaseClause(clause) => clause
            .cases
            .iter()
            .filter_map(|it| it.cmd.as_ref())
            .try_for_each(|it| of_list(it, names)),
        CompoundCommand::IfClause(clause) => {
            of_list(&clause.condition, names)?;
            of_list(&clause.then, names)?;
            clause.elses.iter().flatten().try_for_each(|it| {
                it.condition.iter().try_for_each(|list| of_list(list, names))?;
                of_list(&it.body, names)
            })
        }
        CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
            of_list(&clause.0, names)?;
            of_list(&clause.1.list, names)
        }
        CompoundCommand::Arithmetic(_)
        | CompoundCommand::ArithmeticForClause(_)
        | CompoundCommand::Coprocess(_) => None,
    }
}
