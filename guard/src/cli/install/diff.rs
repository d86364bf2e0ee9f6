//! Two texts, as a unified diff.

/// Lines that are shown around a change.
const CONTEXT: usize = 3;
/// Pairs of lines that are compared at most; beyond it all that is between the ends counts as
/// changed.
const PAIRS_MAX: usize = 4_000_000;

/// The diff of a file, in the form of `diff -u`. Nothing stands for a file that is not there.
pub fn unified(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let name =
        |text: Option<&str>| if text.is_some() { path.to_owned() } else { "/dev/null".into() };
    let mut out = format!("--- {}\n+++ {}\n", name(old), name(new));
    let lines = compared(old.unwrap_or_default(), new.unwrap_or_default());
    let near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        let to = (at + CONTEXT + 1).min(lines.len());
        lines[from..to].iter().any(|(mark, _)| *mark != ' ')
    };
    let (mut at, mut before) = (0, (0, 0));
    while at < lines.len() {
        let end = (at..lines.len()).find(|at| !near(*at)).unwrap_or(lines.len());
        let hunk = &lines[at..end];
        let count = |absent: char| hunk.iter().filter(|(mark, _)| *mark != absent).count();
        let (olds, news) = (count('+'), count('-'));
        if !hunk.is_empty() {
            let start = |before: usize, count: usize| before + usize::from(count > 0);
            let (from, to) = (start(before.0, olds), start(before.1, news));
            out += &format!("@@ -{from},{olds} +{to},{news} @@\n");
            hunk.iter().for_each(|(mark, line)| out += &shown(*mark, line));
        }
        let skipped = (end..lines.len()).find(|at| near(*at)).unwrap_or(lines.len()) - end;
        before = (before.0 + olds + skipped, before.1 + news + skipped);
        at = end + skipped;
    }
    out
}

fn shown(mark: char, line: &str) -> String {
    match line.strip_suffix('\n') {
        Some(line) => format!("{mark}{line}\n"),
        None => format!("{mark}{line}\n\\ No newline at end of file\n"),
    }
}

/// The lines of both texts in order: kept (` `), gone (`-`) or new (`+`).
fn compared<'t>(old: &'t str, new: &'t str) -> Vec<(char, &'t str)> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let (old_middle, new_middle) =
        (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut lines: Vec<(char, &str)> = old[..head].iter().map(|line| (' ', *line)).collect();
    lines.extend(middle(old_middle, new_middle));
    lines.extend(old[old.len() - tail..].iter().map(|line| (' ', *line)));
    lines
}

/// By the longest common subsequence.
fn middle<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let (rows, columns) = (old.len() + 1, new.len() + 1);
    let mut common = vec![0_u32; if rows * columns <= PAIRS_MAX { rows * columns } else { 0 }];
    if !common.is_empty() {
        for row in (0..old.len()).rev() {
            for column in (0..new.len()).rev() {
                common[row * columns + column] = match old[row] == new[column] {
                    true => common[(row + 1) * columns + column + 1] + 1,
                    false => {
                        common[(row + 1) * columns + column].max(common[row * columns + column + 1])
                    }
                };
            }
        }
    }
    let (mut row, mut column, mut lines) = (0, 0, Vec::new());
    let longest = |row: usize, column: usize| common.get(row * columns + column).copied();
    while row < old.len() || column < new.len() {
        let both = row < old.len() && column < new.len();
        if both && !common.is_empty() && old[row] == new[column] {
            lines.push((' ', old[row]));
            (row, column) = (row + 1, column + 1);
        } else if row < old.len() && (!both || longest(row + 1, column) >= longest(row, column + 1))
        {
            lines.push(('-', old[row]));
            row += 1;
        } else {
            lines.push(('+', new[column]));
            column += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_diff_is_that_of_diff() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n";
        let new = "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl";
        assert_eq!(
            unified("x", Some(old), Some(new)),
            "--- x\n+++ x\n@@ -2,10 +2,11 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n i\n j\n k\n+l\n\
             \\ No newline at end of file\n"
        );
        assert_eq!(unified("x", None, Some("a\n")), "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a\n");
    }

    proptest! {
        #[test]
        fn both_texts_stand_in_it(old in "([a-c]\n){0,12}", new in "([a-c]\n){0,12}") {
            let lines = compared(&old, &new);
            let side = |gone: char| -> String {
                let kept = lines.iter().filter(|(mark, _)| *mark != gone);
                kept.map(|(_, line)| *line).collect()
            };
            prop_assert_eq!(side('+'), old.clone());
            prop_assert_eq!(side('-'), new.clone());
        }
    }
}
