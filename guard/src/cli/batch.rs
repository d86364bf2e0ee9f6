//! `shfence batch`: JSON lines in, JSON lines out.

use super::Exit;
use super::session::Session;
use super::wire::{Answer, OnlyId, Question, Refusal};
use shfence::Decision;
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;

/// As much is read, and written, at once.
const AT_ONCE: usize = 1 << 16;

/// Answers every line of standard input, in order.
pub fn run() -> ExitCode {
    let input = BufReader::with_capacity(AT_ONCE, io::stdin().lock());
    match answer_all(input, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shfence: batch stopped: {error}");
            Exit::Io.into()
        }
    }
}

/// Questions that came in together are answered from one glance at the file system: whoever wrote
/// the second had not seen the answer to the first. The glance never outlives a read.
fn answer_all<R: io::Read>(mut input: BufReader<R>, output: &mut impl Write) -> io::Result<()> {
    let mut session = Session::new();
    let mut answers = Vec::with_capacity(2 * AT_ONCE);
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        let end = memchr::memchr(b'\n', input.buffer());
        let length = match end {
            Some(end) => end + 1,
            None => {
                // Whoever asks one at a time waits for the answers so far.
                send(&mut answers, output)?;
                session.look_again();
                line.clear();
                input.read_until(b'\n', &mut line)?
            }
        };
        if length == 0 {
            return output.flush();
        }
        let whole = end.map(|end| &input.buffer()[..end]).unwrap_or(&line);
        number += 1;
        answer(whole, number, &mut session, &mut answers);
        if end.is_some() {
            input.consume(length);
        }
        if answers.len() > AT_ONCE {
            send(&mut answers, output)?;
        }
    }
}

fn send(answers: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    output.write_all(answers)?;
    answers.clear();
    output.flush()
}

fn question(line: &[u8]) -> serde_json::Result<Question<'_>> {
    // The JSON library would take an array as the fields in their order.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(serde::de::Error::custom("a question is an object"));
    }
    match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        // It says where it is wrong; and looks at each text for itself, which takes longer.
        Err(_) => serde_json::from_slice(line),
    }
}

/// Adds the answer to a line, if anything stands in it.
fn answer(line: &[u8], number: usize, session: &mut Session, answers: &mut Vec<u8>) {
    if line.trim_ascii().is_empty() {
        return;
    }
    let question = question(line);
    let (id, with_plan, verdict) = match &question {
        Ok(question) => (question.id, question.plan, question.decide(session)),
        Err(error) => {
            let id = serde_json::from_slice::<OnlyId<'_>>(line).ok().and_then(|only| only.id);
            (id, false, Err(error.to_string()))
        }
    };
    match verdict {
        Ok(verdict) => Answer::of(id, &verdict, with_plan).write(answers),
        Err(error) => Refusal { id, line: number, error, decision: Decision::Ask }.write(answers),
    }
    answers.push(b'\n');
}
