//! In which order the program that is shipped is laid out.
//!
//! A hook is a process of half a millisecond, and much of that is pages that are touched for the
//! first time: each costs a fault, which brings its neighbours along. So what hooks run and read
//! stands together. From the map of a link (`ld.lld -Map`) and from the addresses that runs under
//! `valgrind --tool=lackey --trace-mem=yes` have touched comes a linker script that puts those
//! sections first.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What a hook may call that it does not call under valgrind, whose own variables make every line
/// ask.
const BESIDE: [&str; 11] = [
    "*5alloc4sync*drop_slow*",
    "*shfence*11environment*",
    "*shfence..cli..hook*",
    "*shfence*cli*4hook*",
    "*shfence*cli*5place*",
    "*shfence*cli*3log*",
    "*shfence..view*",
    "*shfence*4view*",
    "*shfence*4path*",
    "*std*3env*",
    "*std*3sys*2fs*",
];

/// The same, of C's library: by files.
const BESIDE_IN_C: [&str; 4] = ["exit", "mem*", "read*", "str*"];

/// What a batch calls, and a hook never.
const ONLY_OF_BATCH: &str = "shfence3cli5batch";

/// A part of the program as it was linked.
struct Section {
    start: u64,
    end: u64,
    /// How a linker script names it.
    pattern: String,
    is_code: bool,
}

/// How often a section was touched, and when first.
#[derive(Default)]
struct Touched {
    by_first_line: bool,
    weight: u32,
    first: usize,
}

/// The linker script. Traces are the files `KIND.NUMBER` of a directory: `hook.1` and `batch.1` of
/// the first line, and so on, and `start.0` of a batch that is asked nothing.
pub fn script(map: &Path, traces: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(map).map_err(|it| format!("{}: {it}", map.display()))?;
    let sections = sections(&text);
    let mut seen = BTreeMap::new();
    for (number, kind, file) in traces_in(traces).map_err(|it| it.to_string())? {
        let mut order = touched(&file, &sections).map_err(|it| it.to_string())?;
        order.retain(|it| !sections[*it].pattern.contains(ONLY_OF_BATCH));
        seen.insert((number, kind), order);
    }
    let touched = weighed(&seen);
    if touched.is_empty() {
        return Err(format!("no trace in {} touches what is in the map", traces.display()));
    }
    Ok(written(&sections, &touched))
}

/// The sections of code and of constants that come from one place each, by address.
fn sections(map: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = map.lines().filter_map(section).collect();
    sections.sort_by_key(|section| section.start);
    sections
}

/// A line of the map: address, load address, size, alignment, `FILE:(SECTION)`.
fn section(line: &str) -> Option<Section> {
    let (file, name) = line.trim_end().strip_suffix(')')?.rsplit_once(":(")?;
    let is_code = name.starts_with(".text");
    // Constants that are merged are the linker's, and come from everywhere.
    if !(is_code || name.starts_with(".rodata")) || file.contains("<internal>") {
        return None;
    }
    let mut numbers = file.split_whitespace();
    let hex = |text: Option<&str>| u64::from_str_radix(text?, 16).ok();
    let (start, _, size) = (hex(numbers.next())?, numbers.next()?, hex(numbers.next())?);
    let pattern = match name {
        // Of a library whose functions have no sections of their own: by the member's name.
        ".text" | ".rodata" => {
            let (archive, member) = file.strip_suffix(')')?.rsplit_once('(')?;
            format!("*{}:{member}({name})", archive.rsplit('/').next()?)
        }
        _ => format!("*({name})"),
    };
    Some(Section { start, end: start + size, pattern, is_code })
}

fn traces_in(directory: &Path) -> std::io::Result<Vec<(u32, String, PathBuf)>> {
    let mut traces = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some((kind, number)) = name.split_once('.')
            && let Ok(number) = number.parse()
        {
            traces.push((number, kind.to_owned(), path.clone()));
        }
    }
    Ok(traces)
}

/// The sections that a run has touched, in the order in which it did.
fn touched(trace: &Path, sections: &[Section]) -> std::io::Result<Vec<usize>> {
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for line in BufReader::new(std::fs::File::open(trace)?).lines() {
        let line = line?;
        // `I  0023C790,2`, ` L 1ffe,8`: valgrind's own lines begin otherwise.
        let address = line.get(2..).filter(|_| line.starts_with(['I', ' ']));
        let address = address.and_then(|it| it.trim_start().split(',').next());
        let Some(Ok(address)) = address.map(|it| u64::from_str_radix(it, 16)) else { continue };
        let after = sections.partition_point(|section| section.start <= address);
        if after > 0 && address < sections[after - 1].end && seen.insert(after - 1) {
            order.push(after - 1);
        }
    }
    Ok(order)
}

/// What the runs say together. Starting a batch is not starting a hook: what only that calls does
/// not count.
fn weighed(seen: &BTreeMap<(u32, String), Vec<usize>>) -> BTreeMap<usize, Touched> {
    let start: BTreeSet<usize> = seen
        .iter()
        .filter(|((_, kind), _)| kind == "start")
        .flat_map(|(_, it)| it)
        .copied()
        .collect();
    let mut touched: BTreeMap<usize, Touched> = BTreeMap::new();
    for ((number, kind), order) in seen.iter().filter(|((_, kind), _)| kind != "start") {
        let is_hook = kind == "hook";
        for section in order.iter().filter(|section| is_hook || !start.contains(section)) {
            let first = touched.len();
            let it = touched.entry(*section).or_insert(Touched { first, ..Touched::default() });
            it.by_first_line |= *number == 1;
            it.weight += if is_hook { 100 } else { 1 };
        }
    }
    touched
}

fn written(sections: &[Section], touched: &BTreeMap<usize, Touched>) -> String {
    let mut order: Vec<(&usize, &Touched)> = touched.iter().collect();
    order.sort_by_key(|(_, it)| (!it.by_first_line, std::cmp::Reverse(it.weight), it.first));
    let mut script = String::new();
    for (is_code, name, before) in
        [(false, ".rodata", ".gcc_except_table"), (true, ".text", ".text")]
    {
        script.push_str(&format!("SECTIONS {{ {name}.first : {{\n"));
        for (section, _) in order.iter().filter(|(it, _)| sections[**it].is_code == is_code) {
            script.push_str(&format!("  {}\n", sections[**section].pattern));
        }
        if is_code {
            script.push_str("  *crt1.o(.text .text.*)\n");
            BESIDE.iter().for_each(|it| script.push_str(&format!("  *(.text.{it})\n")));
            BESIDE_IN_C
                .iter()
                .for_each(|it| script.push_str(&format!("  *libc.a:{it}.lo(.text .text.*)\n")));
        }
        script.push_str(&format!("}} }} INSERT BEFORE {before};\n"));
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
             100              100      200    16 .text
             100              100       40    16         /x/shfence-1.o:(.text._ZN1aE)
             100              100       40     1                 a
             140              140       40    16         /x/shfence-1.o:(.text._ZN1bE)
             180              180       40    16         /x/libc.a(memcpy.lo):(.text)
             400              400       40    16         <internal>:(.rodata.cst16)
             440              440       40    16         /x/shfence-1.o:(.rodata..Lanon.1)
";

    fn laid_out(traces: &[(&str, &str)]) -> Result<String, String> {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        std::fs::write(scratch.path().join("map"), MAP).expect("it can be written");
        for (name, trace) in traces {
            std::fs::write(scratch.path().join(name), trace).expect("it can be written");
        }
        script(&scratch.path().join("map"), scratch.path())
    }

    #[test]
    fn what_hooks_touch_comes_first() {
        let script = laid_out(&[
            ("start.0", "I  140,2\n"),
            ("batch.1", "I  140,2\n L 450,8\n"),
            ("hook.2", "==1== a\nI  100,2\n L 410,8\n"),
            ("batch.1.log", "I  100,2\n"),
            ("hook.1", "I  180,2\n"),
        ]);
        let script = script.expect("a script");
        let lines: Vec<&str> = script.lines().map(str::trim).collect();
        let rodata = ["SECTIONS { .rodata.first : {", "*(.rodata..Lanon.1)"];
        assert_eq!(lines[..2], rodata);
        let text = ["SECTIONS { .text.first : {", "*libc.a:memcpy.lo(.text)", "*(.text._ZN1aE)"];
        assert_eq!(lines[3..6], text);
        assert!(!script.contains("_ZN1bE") && !script.contains("cst16"), "{script}");
    }

    #[test]
    fn traces_that_touch_nothing_are_an_error() {
        assert!(laid_out(&[("hook.1", "I  9999,2\n")]).is_err());
    }
}
