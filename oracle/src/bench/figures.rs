//! What was measured.

use super::lines::has_own_environment;
use super::way::{Way, Work};
use serde::Serialize;
use shfence_corpus::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

/// How long each case took in each way, on one processor, and what its runs did.
#[derive(Debug, Default)]
pub(super) struct Times {
    of: BTreeMap<Way, Vec<Timed>>,
}

/// One case in one way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    /// Which of the processor's lines it is.
    pub(super) line: usize,
    /// Is it one that runs in the naive way as well?
    pub(super) is_naive_too: bool,
    pub(super) time: Duration,
    /// What was seen of it.
    pub(super) work: Work,
}

impl Times {
    pub(super) fn add(&mut self, way: Way, timed: Timed) {
        self.of.entry(way).or_default().push(timed);
    }

    fn of(&self, way: Way) -> impl Iterator<Item = &Timed> {
        self.of.get(&way).into_iter().flatten()
    }

    /// The same of those lines alone that start so many programs per run with probes.
    fn of_weight(&self, weight: &Weight) -> Times {
        let is_such = |timed: &&Timed| weight.contains(timed.work);
        let lines: BTreeSet<usize> =
            self.of(Way::Probe).filter(is_such).map(|timed| timed.line).collect();
        let some = |all: &Vec<Timed>| {
            all.iter().filter(|timed| lines.contains(&timed.line)).copied().collect()
        };
        Times { of: self.of.iter().map(|(way, all)| (*way, some(all))).collect() }
    }
}

/// Programs per run: more than the first and at most the second.
struct Weight(f64, f64);

impl Weight {
    /// A line's cost goes by what it starts.
    const ALL: [Weight; 4] =
        [Weight(-1.0, 1.0), Weight(1.0, 2.0), Weight(2.0, 3.0), Weight(3.0, f64::INFINITY)];

    fn contains(&self, work: Work) -> bool {
        let programs = work.programs as f64 / work.runs.max(1) as f64;
        self.0 < programs && programs <= self.1
    }
}

/// How fast one way is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Cases per second, on all processors together.
    pub cases_per_s: f64,
    /// How many times as fast as the naive way, on the lines that ran in that as well.
    pub ratio_to_naive: f64,
    /// Half of the cases took at most this, in microseconds.
    pub p50_us: u64,
    /// And 99 of 100 at most this.
    pub p99_us: u64,
}

impl Figures {
    fn of(times: &[Times], way: Way) -> Figures {
        let mut all: Vec<Duration> =
            times.iter().flat_map(|times| times.of(way)).map(|timed| timed.time).collect();
        all.sort_unstable();
        let naive = rate(times, Way::Naive, true);
        let ratio = if naive == 0.0 { 0.0 } else { rate(times, way, true) / naive };
        Figures {
            cases_per_s: round(rate(times, way, false), 1),
            ratio_to_naive: round(ratio, 2),
            p50_us: part(&all, 50),
            p99_us: part(&all, 99),
        }
    }
}

/// What one line does in one shell, on average: figures of other lines compare only by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PerRun {
    /// Programs that it starts.
    pub programs: f64,
    /// Processes, the shell included, that touch something.
    pub processes: f64,
    /// Path operations, without those of the shell's start.
    pub touches: f64,
}

impl PerRun {
    fn of(work: Work) -> PerRun {
        let each = |count: usize| round(count as f64 / work.runs.max(1) as f64, 2);
        PerRun {
            programs: each(work.programs),
            processes: each(work.processes),
            touches: each(work.touches),
        }
    }
}

/// How fast the lines are that start about as many programs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ByPrograms {
    /// At most so many programs per run, and more than the entry before; `None` without a limit.
    pub at_most: Option<f64>,
    /// How many lines these are.
    pub lines: usize,
    /// Warm shells and probes.
    pub probe: Figures,
    /// Warm shells and real tools.
    pub warm_real: Figures,
    /// Executed shells and real tools.
    pub real: Figures,
}

/// What a bench has measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Warm shells and probes.
    pub probe: Figures,
    /// Warm shells and real tools.
    pub warm_real: Figures,
    /// Executed shells and real tools.
    pub real: Figures,
    /// `strace -f -y`, `cp -a`, `rm -rf`.
    pub naive: Figures,
    /// Executed shells and probes alone: neither observed nor judged.
    pub floor: Figures,
    /// Executed shells and real tools alone.
    pub floor_real: Figures,
    /// What the lines do with probes.
    pub per_run: PerRun,
    /// The same figures by how much a line starts.
    pub by_programs: Vec<ByPrograms>,
    /// Lines that ran in every way but the naive one.
    pub lines: usize,
    /// Lines that ran in the naive way as well.
    pub naive_lines: usize,
    /// The share of lines with an environment of their own.
    pub own_environment: f64,
    /// How many workers ran at once.
    pub jobs: usize,
}

impl Report {
    pub(super) fn of(times: &[Times], lines: &[Case]) -> Report {
        let own = lines.iter().filter(|case| has_own_environment(case)).count();
        let work = times.iter().flat_map(|times| times.of(Way::Probe)).map(|timed| timed.work);
        let figures = |way| Figures::of(times, way);
        Report {
            per_run: PerRun::of(work.fold(Work::default(), Work::and)),
            by_programs: Weight::ALL.iter().map(|weight| ByPrograms::of(times, weight)).collect(),
            probe: figures(Way::Probe),
            warm_real: figures(Way::WarmReal),
            real: figures(Way::Real),
            naive: figures(Way::Naive),
            floor: figures(Way::Floor),
            floor_real: figures(Way::FloorReal),
            lines: lines.len(),
            naive_lines: times.iter().map(|times| times.of(Way::Naive).count()).sum(),
            own_environment: round(own as f64 / lines.len().max(1) as f64, 3),
            jobs: times.len(),
        }
    }
}

impl ByPrograms {
    fn of(times: &[Times], weight: &Weight) -> ByPrograms {
        let times: Vec<Times> = times.iter().map(|times| times.of_weight(weight)).collect();
        ByPrograms {
            at_most: weight.1.is_finite().then_some(weight.1),
            lines: times.iter().map(|times| times.of(Way::Probe).count()).sum(),
            probe: Figures::of(&times, Way::Probe),
            warm_real: Figures::of(&times, Way::WarmReal),
            real: Figures::of(&times, Way::Real),
        }
    }
}

/// Cases per second of all processors: what each did in its own time, added up.
fn rate(times: &[Times], way: Way, naive_too: bool) -> f64 {
    let of_one = |times: &Times| {
        let counted = times.of(way).filter(|timed| timed.is_naive_too || !naive_too);
        let (count, time) = counted
            .fold((0_u32, Duration::ZERO), |(count, time), timed| (count + 1, time + timed.time));
        if time.is_zero() { 0.0 } else { f64::from(count) / time.as_secs_f64() }
    };
    times.iter().map(of_one).sum()
}

/// The time that `percent` of these, which are sorted, do not exceed.
fn part(sorted: &[Duration], percent: usize) -> u64 {
    let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    let time = sorted.get(place).copied().unwrap_or_default();
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn round(number: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (number * scale).round() / scale
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} lines, {:.0} % with an environment of their own, in bash, dash and zsh; \
             {} of them naively; {} workers",
            self.lines,
            self.own_environment * 100.0,
            self.naive_lines,
            self.jobs
        )?;
        let PerRun { programs, processes, touches } = self.per_run;
        writeln!(
            f,
            "each in each: {programs} programs, {processes} processes, {touches} path operations"
        )?;
        writeln!(f, "{:34} {:>8} {:>9} {:>8} {:>8}", "", "cases/s", "x naive", "p50 us", "p99 us")?;
        for (name, figures) in [
            ("probe: warm shells, probes", self.probe),
            ("warm_real: warm shells, real tools", self.warm_real),
            ("real: executed, real tools", self.real),
            ("naive: strace, cp, rm", self.naive),
            ("floor: executed, probes, unseen", self.floor),
            ("floor_real: executed, unseen", self.floor_real),
        ] {
            let Figures { cases_per_s, ratio_to_naive, p50_us, p99_us } = figures;
            let line =
                format!("{name:34} {cases_per_s:8.1} {ratio_to_naive:9.2} {p50_us:8} {p99_us:8}");
            writeln!(f, "{line}")?;
        }
        writeln!(f, "by programs per run, cases/s and x naive: {:17} probe {:16} real", "", "")?;
        for ByPrograms { at_most, lines, probe, real, .. } in &self.by_programs {
            let programs = at_most.map_or("more".to_owned(), |most| format!("at most {most}"));
            let [probe, real] =
                [probe, real].map(|it| format!("{:8.1} {:9.2}", it.cases_per_s, it.ratio_to_naive));
            writeln!(f, "{programs:>12}: {lines:4} lines {probe:>38}  {real}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(way: Way, each: &[(u64, bool)]) -> Times {
        let mut times = Times::default();
        for (line, (milliseconds, is_naive_too)) in each.iter().enumerate() {
            let work = Work { runs: 3, programs: 3 * line, ..Work::default() };
            let time = Duration::from_millis(*milliseconds);
            times.add(way, Timed { line, is_naive_too: *is_naive_too, time, work });
            if *is_naive_too {
                let (time, work) = (Duration::from_millis(100), Work::default());
                times.add(Way::Naive, Timed { line, is_naive_too: true, time, work });
            }
        }
        times
    }

    #[test]
    fn rates_add_up_over_processors_and_ratios_are_on_the_same_lines() {
        let one = times(Way::Probe, &[(10, true), (1, false), (1, false)]);
        let other = times(Way::Probe, &[(10, true), (2, false)]);
        let report = Report::of(&[one, other], &[]);
        assert_eq!(report.naive.cases_per_s, 20.0);
        assert_eq!(report.naive.ratio_to_naive, 1.0);
        assert_eq!(report.probe.cases_per_s, 416.7, "3 in 12 ms, and 2 in 12 ms");
        assert_eq!(report.probe.ratio_to_naive, 10.0, "100 ms to 10 ms");
        assert_eq!((report.probe.p50_us, report.probe.p99_us), (2_000, 10_000));
        assert_eq!((report.naive_lines, report.jobs), (2, 2));
    }

    #[test]
    fn lines_are_apart_by_what_they_start() {
        let one = times(Way::Probe, &[(10, true), (5, false), (2, true), (4, false), (8, false)]);
        let by = Report::of(&[one], &[]).by_programs;
        let of = |at: usize| (by[at].at_most, by[at].lines, by[at].probe.cases_per_s);
        assert_eq!(of(0), (Some(1.0), 2, 133.3), "2 in 15 ms");
        assert_eq!(of(1), (Some(2.0), 1, 500.0));
        assert_eq!(of(3), (None, 1, 125.0));
        let ratios = [0, 1, 2, 3].map(|at: usize| by[at].probe.ratio_to_naive);
        assert_eq!(ratios, [10.0, 50.0, 0.0, 0.0], "none of the last two ran in the naive way");
    }

    #[test]
    fn nothing_measured_is_zero() {
        assert_eq!(Report::of(&[], &[]).floor.p99_us, 0);
    }
}
