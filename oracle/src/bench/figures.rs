//! What was measured.

use super::lines::has_own_environment;
use super::way::{Way, Work};
use serde::Serialize;
use shfence_corpus::Case;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// How long each case took in each way, on one processor, and what the runs did that were seen.
#[derive(Debug, Default)]
pub(super) struct Times {
    of: BTreeMap<Way, Vec<Timed>>,
    work: BTreeMap<Way, Work>,
}

/// One case.
#[derive(Clone, Copy, Debug)]
struct Timed {
    time: Duration,
    /// Is it one that runs in the naive way as well?
    is_naive_too: bool,
}

impl Times {
    pub(super) fn add(&mut self, way: Way, is_naive_too: bool, time: Duration) {
        self.of.entry(way).or_default().push(Timed { time, is_naive_too });
    }

    pub(super) fn set_work(&mut self, way: Way, work: Work) {
        self.work.insert(way, work);
    }

    fn of(&self, way: Way) -> impl Iterator<Item = &Timed> {
        self.of.get(&way).into_iter().flatten()
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
        let naive = rate(times, Way::Naive, true);
        let figures = |way| {
            let mut all: Vec<Duration> =
                times.iter().flat_map(|times| times.of(way)).map(|timed| timed.time).collect();
            all.sort_unstable();
            Figures {
                cases_per_s: round(rate(times, way, false), 1),
                ratio_to_naive: round(rate(times, way, true) / naive, 2),
                p50_us: part(&all, 50),
                p99_us: part(&all, 99),
            }
        };
        let own = lines.iter().filter(|case| has_own_environment(case)).count();
        let work = times.iter().filter_map(|times| times.work.get(&Way::Probe));
        Report {
            per_run: PerRun::of(work.copied().fold(Work::default(), Work::and)),
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(way: Way, each: &[(u64, bool)]) -> Times {
        let mut times = Times::default();
        for (milliseconds, is_naive_too) in each {
            times.add(way, *is_naive_too, Duration::from_millis(*milliseconds));
            if *is_naive_too {
                times.add(Way::Naive, true, Duration::from_millis(100));
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
    fn nothing_measured_is_zero() {
        assert_eq!(Report::of(&[], &[]).floor.p99_us, 0);
    }
}
