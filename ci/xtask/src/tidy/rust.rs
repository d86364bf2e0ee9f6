//! Sizes of Rust files and functions, and where unsafe code may stand.

use super::Complaint;
use super::source::{code_of, function_on, last_line_of_item};
use super::text::too_wide;

/// The only place for unsafe code.
const UNSAFE: &str = "oracle/src/system/";
/// Lines of a file without its unit tests.
const FILE_LINES: usize = 450;
/// Lines of a file with them.
const FILE_LINES_WITH_TESTS: usize = 700;
/// Lines of a function, signature and braces included.
const FUNCTION_LINES: usize = 70;
/// On a line of its own: the item that follows is a table, and a table may be as long and
/// as wide as it is.
const TABLE: &str = "// tidy: table";

/// Complaints about one Rust file.
pub fn check(file: &str, source: &str) -> Vec<Complaint> {
    let code = code_of(source);
    let code: Vec<&str> = code.lines().collect();
    let tables = Lines::of_items_after(source, &code, |line| line == TABLE);
    let tests = Lines::of_items_after(source, &code, |line| line == "#[cfg(test)]");
    let mut complaints = Vec::new();
    let counted =
        |skip: &dyn Fn(usize) -> bool| (0..code.len()).filter(|line| !skip(*line)).count();
    let without_tests = counted(&|line| tables.contains(line) || tests.contains(line));
    if without_tests > FILE_LINES {
        let what = format!("has {without_tests} lines without tests, more than {FILE_LINES}");
        complaints.push(Complaint::of(file, what));
    }
    let with_tests = counted(&|line| tables.contains(line));
    if with_tests > FILE_LINES_WITH_TESTS {
        let what = format!("has {with_tests} lines, more than {FILE_LINES_WITH_TESTS}");
        complaints.push(Complaint::of(file, what));
    }
    let wide = |(number, line)| too_wide(file, number, line).filter(|_| !tables.contains(number));
    complaints.extend(source.lines().enumerate().filter_map(wide));
    for (number, line) in code.iter().enumerate() {
        if let Some(name) = function_on(line).filter(|_| !tables.contains(number)) {
            let length = last_line_of_item(&code, number) - number + 1;
            if length > FUNCTION_LINES {
                let what = format!("{name} has {length} lines, more than {FUNCTION_LINES}");
                complaints.push(Complaint::at(file, number + 1, what));
            }
        }
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if !file.starts_with(UNSAFE) && words.any(|word| word == "unsafe") {
            let what = format!("unsafe code stands only below {UNSAFE}");
            complaints.push(Complaint::at(file, number + 1, what));
        }
    }
    complaints
}

/// Some lines of a file, as ranges of numbers from 0, ends included.
struct Lines(Vec<(usize, usize)>);

impl Lines {
    /// The lines of all items that follow a marking line, with that line.
    fn of_items_after(source: &str, code: &[&str], marks: impl Fn(&str) -> bool) -> Lines {
        let marked = source.lines().enumerate().filter(|(_, line)| marks(line.trim()));
        Lines(marked.map(|(at, _)| (at, last_line_of_item(code, at + 1))).collect())
    }

    fn contains(&self, line: usize) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints_of(source: &str) -> Vec<String> {
        check("guard/src/x.rs", source).iter().map(ToString::to_string).collect()
    }

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    #[test]
    fn a_long_function_is_named_at_its_first_line_unless_it_is_a_table() {
        assert_eq!(complaints_of(&function(70)), Vec::<String>::new());
        let long = format!("\n{}", function(71));
        assert_eq!(complaints_of(&long), ["guard/src/x.rs:2: f has 71 lines, more than 70"]);
        assert_eq!(complaints_of(&format!("{TABLE}{long}")), Vec::<String>::new());
    }

    #[test]
    fn a_long_file_is_measured_without_its_tests_and_tables() {
        let lines = |count: usize| "use a;\n".repeat(count);
        assert_eq!(complaints_of(&lines(450)), Vec::<String>::new());
        assert_eq!(
            complaints_of(&lines(451)),
            ["guard/src/x.rs: has 451 lines without tests, more than 450"]
        );
        let tests = |count| format!("#[cfg(test)]\nmod tests {{\n{}}}\n", lines(count));
        assert_eq!(complaints_of(&(lines(450) + &tests(247))), Vec::<String>::new());
        assert_eq!(
            complaints_of(&(lines(450) + &tests(248))),
            ["guard/src/x.rs: has 701 lines, more than 700"]
        );
        let table = format!("{TABLE}\nconst A: [u8; 900] = [\n{}];\n", "    0,\n".repeat(900));
        assert_eq!(complaints_of(&table), Vec::<String>::new());
    }

    #[test]
    fn a_line_has_a_width_unless_it_is_of_a_table() {
        let wide = format!("const A: &str = \"{}\";\n", "x".repeat(100));
        assert_eq!(complaints_of(&wide), ["guard/src/x.rs:1: 119 columns, more than 100"]);
        assert_eq!(complaints_of(&format!("{TABLE}\n{wide}")), Vec::<String>::new());
    }

    #[test]
    fn unsafe_code_has_one_place() {
        let source = "#![forbid(unsafe_code)]\n// unsafe\nfn f() { unsafe { g() } }\n";
        assert_eq!(
            complaints_of(source),
            ["guard/src/x.rs:3: unsafe code stands only below oracle/src/system/"]
        );
        assert_eq!(check("oracle/src/system/x.rs", source), Vec::new());
    }
}
