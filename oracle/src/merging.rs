//! Minimises, after shards were merged, what they have left as it was found.

use crate::campaign::Source;
use crate::confirm::Suspicion;
use crate::engine::RunError;
use crate::guards::{Guard, GuardName};
use crate::installations::Installation;
use crate::judge::{Contradiction, Judgement, judge};
use crate::lab::{Lab, LabError};
use crate::minimise::Limits;
use crate::signature::signature;
use shfence_corpus::{Case, Finding, FindingKind};
use shfence_reports::{Evidence, Manifest, Recorded};
use std::collections::BTreeSet;
use std::fmt;

/// The one who does it. Only where all is as in the campaign: with another guard or other shells
/// another campaign's findings would stand in the books.
#[derive(Default)]
pub struct Merging {
    /// Opened when it is first wanted.
    lab: Option<Result<Lab, LabError>>,
    /// Strawmen of which one finding of this kind was minimised: one is enough, as in a campaign.
    caught: BTreeSet<(String, FindingKind)>,
    /// What was left as it was, and why, for people.
    pub left: Vec<String>,
}

/// Why a finding is left as it is.
enum Left {
    /// Nothing is wrong.
    Rightly,
    Because(String),
}

impl<E: fmt::Display> From<E> for Left {
    fn from(why: E) -> Left {
        Left::Because(why.to_string())
    }
}

impl Merging {
    /// The finding, smaller, with its evidence; nothing if it stays as it is.
    pub fn minimise(
        &mut self,
        manifest: &Manifest,
        recorded: &Recorded,
    ) -> Option<(Finding, Evidence)> {
        match self.smaller(manifest, recorded) {
            Ok(smaller) => Some(smaller),
            Err(Left::Rightly) => None,
            Err(Left::Because(why)) => {
                self.left.push(format!("{}: {why}", recorded.finding.signature));
                None
            }
        }
    }

    fn smaller(
        &mut self,
        manifest: &Manifest,
        recorded: &Recorded,
    ) -> Result<(Finding, Evidence), Left> {
        let finding = &recorded.finding;
        let is_strawman = finding.guard.starts_with("strawman:");
        let kind = (finding.guard.clone(), finding.kind);
        // Of a crash, no shell is asked.
        if finding.kind == FindingKind::Crash || (is_strawman && self.caught.contains(&kind)) {
            return Err(Left::Rightly);
        }
        let fixture = recorded.fixture.as_ref().ok_or("its fixture cannot be read")?;
        let guard = finding.guard.parse::<GuardName>()?.guard();
        let origin = Source::of_manifest(manifest)?.origin(finding.index);
        let lab = match self.lab.get_or_insert_with(Lab::open) {
            Ok(lab) => lab,
            Err(why) => return Err(why.into()),
        };
        is_as_in_the_campaign(manifest, lab)?;
        let case = &fixture.case;
        let (shell, seen) = shown_again(finding, case, &*guard, lab)?
            .ok_or("no shell shows it here; it stands as it was found")?;
        let suspicion =
            Suspicion { guard: &*guard, case, shell: &shell, sort: seen.sort(), origin };
        let confirmed = suspicion.confirm(lab, Limits::default())?;
        self.caught.insert(kind);
        let known = manifest.known.iter().find(|known| known.is(&confirmed.finding));
        let known = known.map(|known| known.id.clone());
        let evidence = confirmed.evidence();
        Ok((Finding { known, ..confirmed.finding }, evidence))
    }
}

fn is_as_in_the_campaign(manifest: &Manifest, lab: &Lab) -> Result<(), Left> {
    if manifest.guard_version != env!("GUARD_VERSION") {
        return Err("this program was built with another guard".into());
    }
    let has = |wanted: &shfence_reports::ShellVersion| {
        lab.shells.iter().any(|it| it.id.name == wanted.name && it.id.version == wanted.version)
    };
    match manifest.shells.iter().find(|shell| !has(shell)) {
        Some(shell) => Err(format!("{} {} is not installed", shell.name, shell.version).into()),
        None => Ok(()),
    }
}

/// The first shell that shows the finding, and what it shows: that of the same signature, or else
/// of the same kind.
fn shown_again(
    finding: &Finding,
    case: &Case,
    guard: &dyn Guard,
    lab: &mut Lab,
) -> Result<Option<(Installation, Contradiction)>, Left> {
    let prediction = guard.predict(case)?;
    let mut alike = None;
    for shell in lab.shells_of(case) {
        let trace = match lab.run_in(case, &shell) {
            Ok(trace) => trace,
            Err(error @ RunError::Engine(_)) => return Err(error.into()),
            Err(_) => continue,
        };
        let Judgement::Contradicted(seen) = judge(&prediction, &trace) else { continue };
        for one in seen.into_iter().filter(|it| it.kind == finding.kind) {
            if finding.signature.begins_as(&signature(case, &one, &trace)) {
                return Ok(Some((shell, one)));
            }
            alike.get_or_insert_with(|| (shell.clone(), one));
        }
    }
    Ok(alike)
}
