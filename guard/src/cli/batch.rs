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
        line.clear();
        let whole = input.buffer().contains(&b'\n');
        if !whole {
            // Whoever asks one at a time waits for the answers so far.
            send(&mut answers, output)?;
            session.look_again();
        }
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        answer(&line, number, &mut session, &mut answers);
        answers.push(b'\n');
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

fn answer(line: &[u8], number: usize, session: &mut Session, answers: &mut Vec<u8>) {
    // The JSON library would take an array as the fields in their order.
    let question = match line.trim_ascii_start().first() {
        Some(b'{') => serde_json::from_slice::<Question<'_>>(line),
        _ => Err(serde::de::Error::custom("a question is an object")),
    };
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
}
