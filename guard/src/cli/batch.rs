//! `shfence batch`: JSON lines in, JSON lines out.

use super::Exit;
use super::wire::{Answer, OnlyId, Question, Refusal};
use shfence::Decision;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

/// Answers every line of standard input, in order.
pub fn run() -> ExitCode {
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match answer_all(input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("shfence: batch stopped: {error}");
            Exit::Io.into()
        }
    }
}

fn answer_all<R: io::Read>(mut input: BufReader<R>, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        output.write_all(answer(&line, number).as_bytes())?;
        output.write_all(b"\n")?;
        // Whoever asks one at a time waits for this answer.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

fn answer(line: &[u8], number: usize) -> String {
    // The JSON library would take an array as the fields in their order.
    let question = match line.trim_ascii_start().first() {
        Some(b'{') => serde_json::from_slice::<Question>(line),
        _ => Err(serde::de::Error::custom("a question is an object")),
    };
    let (id, with_plan, verdict) = match question {
        Ok(mut question) => (question.id.take(), question.plan, question.decide()),
        Err(error) => {
            let id = serde_json::from_slice::<OnlyId>(line).ok().and_then(|only| only.id);
            (id, false, Err(error.to_string()))
        }
    };
    match verdict {
        Ok(verdict) => Answer::of(id.as_deref(), &verdict, with_plan).to_json(),
        Err(error) => {
            let refusal =
                Refusal { id: id.as_deref(), line: number, error, decision: Decision::Ask };
            serde_json::to_string(&refusal).expect("a refusal holds only strings and numbers")
        }
    }
}
