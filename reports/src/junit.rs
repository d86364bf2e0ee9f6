//! A run as JUnit XML, for CI systems that show tests: a suite for each guard under test, a failed
//! test for each new finding, and one test for the campaign as a whole.

use crate::visible::visible;
use crate::{Run, Verdict};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use shfence_corpus::Finding;
use std::io;

/// The document. XML has no way to say most control characters: text stands as on the page.
pub fn junit(run: &Run) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, run).expect("memory can be written");
    let text = String::from_utf8(xml.into_inner()).expect("only text was written");
    text + "\n"
}

fn write(xml: &mut Writer<Vec<u8>>, run: &Run) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = xml.create_element("testsuites").with_attribute(("name", "shfence-oracle"));
    suites.write_inner_content(|xml| {
        campaign(xml, run)?;
        run.manifest.guards.iter().try_for_each(|guard| guard_suite(xml, run, guard))
    })?;
    Ok(())
}

/// What is not a matter of a guard: was everything run that was asked for?
fn campaign(xml: &mut Writer<Vec<u8>>, run: &Run) -> io::Result<()> {
    let verdict = run.verdict();
    let broken = matches!(
        verdict,
        Verdict::Fault(_)
            | Verdict::Interrupted(_)
            | Verdict::Terminated(_)
            | Verdict::Unfinished(_)
    );
    let time = format!("{:.3}", run.summary.as_ref().map_or(0.0, |it| it.seconds));
    let errors = if broken { "1" } else { "0" };
    let suite = [("name", "campaign"), ("tests", "1"), ("failures", "0"), ("errors", errors)];
    let case = [("classname", "campaign"), ("name", "runs to its end"), ("time", &*time)];
    xml.create_element("testsuite").with_attributes(suite).write_inner_content(|xml| {
        let test = xml.create_element("testcase").with_attributes(case);
        if !broken {
            return test.write_empty().map(drop);
        }
        test.write_inner_content(|xml| {
            let message = visible(verdict.to_string().as_bytes());
            let error = xml.create_element("error").with_attribute(("message", &*message));
            error.write_empty().map(drop)
        })
        .map(drop)
    })?;
    Ok(())
}

fn guard_suite(xml: &mut Writer<Vec<u8>>, run: &Run, guard: &str) -> io::Result<()> {
    let findings: Vec<&Finding> = run.of_guard(guard).map(|it| &it.finding).collect();
    let new = findings.iter().filter(|it| it.known.is_none()).count().to_string();
    let tests = findings.len().max(1).to_string();
    let name = visible(guard.as_bytes());
    let suite = [("name", &*name), ("tests", &*tests), ("failures", &*new), ("errors", "0")];
    xml.create_element("testsuite").with_attributes(suite).write_inner_content(|xml| {
        if findings.is_empty() {
            let case = [("classname", &*name), ("name", "is not contradicted")];
            return xml.create_element("testcase").with_attributes(case).write_empty().map(drop);
        }
        findings.iter().try_for_each(|finding| failed(xml, &name, finding))
    })?;
    Ok(())
}

fn failed(xml: &mut Writer<Vec<u8>>, guard: &str, finding: &Finding) -> io::Result<()> {
    let case = [("classname", guard), ("name", finding.signature.as_str())];
    let line = visible(&finding.line);
    let text =
        format!("{line}\nin {}\nAgain: {}", finding.shells, visible(finding.repro.as_bytes()));
    xml.create_element("testcase").with_attributes(case).write_inner_content(
        |xml| match &finding.known {
            Some(id) => {
                let message = format!("known as {}", visible(id.as_bytes()));
                let skipped = xml.create_element("skipped").with_attribute(("message", &*message));
                skipped.write_empty().map(drop)
            }
            None => {
                let how = [("type", finding.kind.name()), ("message", &*line)];
                let failure = xml.create_element("failure").with_attributes(how);
                failure.write_text_content(BytesText::new(&text)).map(drop)
            }
        },
    )?;
    Ok(())
}
