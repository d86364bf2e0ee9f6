//! Which constructs have occurred together, as a map of heat.

use crate::visible::{number, percent, visible};
use crate::{Summary, Together};
use std::collections::{BTreeMap, BTreeSet};

/// Sizes in the units of the picture, which are pixels at full width: of a cell, of the room for a
/// name beside or above the cells, and of the gap between cells.
const CELL: f64 = 19.0;
const NAMES: f64 = 112.0;
const GAP: f64 = 2.0;

/// The faintest that something that occurred is drawn.
const FAINTEST: f64 = 0.15;

/// A triangle: every pair of constructs once.
pub(super) struct HeatMap {
    pub(super) size: f64,
    pub(super) names: Vec<Name>,
    pub(super) cells: Vec<Cell>,
    /// Pairs that never occurred.
    pub(super) missing: usize,
    pub(super) pairs: usize,
}

/// The name of a construct, beside its row and above its column.
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: f64,
    pub(super) top: f64,
}

pub(super) struct Cell {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) side: f64,
    /// How often, from the faintest to 1; nothing if never.
    pub(super) heat: Option<String>,
    pub(super) says: String,
}

/// Nothing, if no pairs were counted.
pub(super) fn heat_map(summary: &Summary) -> Option<HeatMap> {
    let counted: BTreeMap<(&str, &str), &BTreeMap<String, Together>> = summary
        .pairs
        .iter()
        .filter_map(|(pair, shells)| Some((pair.split_once('+')?, shells)))
        .collect();
    let names: BTreeSet<&str> = counted.keys().flat_map(|(one, other)| [*one, *other]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let find = |one, other| counted.get(&(one, other)).or_else(|| counted.get(&(other, one)));
    let most = counted.values().map(|it| cases(it)).max().filter(|most| *most > 0)?;
    let mut cells = Vec::new();
    for (row, one) in names.iter().enumerate() {
        for (column, other) in names[..row].iter().enumerate() {
            cells.push(cell((row, one), (column, other), find(one, other).copied(), most));
        }
    }
    let name = |(at, text): (usize, &&str)| Name {
        text: visible(text.as_bytes()),
        place: NAMES + CELL * (at as f64 + 0.5),
        top: NAMES + CELL * at as f64 - GAP,
    };
    Some(HeatMap {
        size: NAMES + CELL * names.len() as f64,
        names: names.iter().enumerate().map(name).collect(),
        missing: cells.iter().filter(|cell| cell.heat.is_none()).count(),
        pairs: cells.len(),
        cells,
    })
}

fn cell(
    (row, one): (usize, &str),
    (column, other): (usize, &str),
    shells: Option<&BTreeMap<String, Together>>,
    most: u64,
) -> Cell {
    let count = shells.map_or(0, cases);
    // Counts lie orders of magnitude apart.
    let heat = (1.0 + count as f64).ln() / (1.0 + most as f64).ln();
    let of_shell = |(shell, it): (&String, &Together)| {
        let all = it.allowed + it.refused;
        let share = percent(it.allowed, all);
        format!("{} {}, {share} % allowed", visible(shell.as_bytes()), number(all))
    };
    let details: Vec<String> = shells.into_iter().flatten().map(of_shell).collect();
    let pair = format!("{} with {}", visible(other.as_bytes()), visible(one.as_bytes()));
    let says = if count == 0 { "never".to_owned() } else { details.join("; ") };
    Cell {
        x: NAMES + CELL * column as f64,
        y: NAMES + CELL * row as f64,
        side: CELL - GAP,
        heat: (count > 0).then(|| format!("{:.2}", heat.max(FAINTEST))),
        says: format!("{pair}: {says}"),
    }
}

/// In all shells together.
fn cases(shells: &BTreeMap<String, Together>) -> u64 {
    shells.values().map(|it| it.allowed + it.refused).sum()
}
