//! A file of lines that grows while work goes on, so that the same command goes on after any end: the first line says what it is
//! a journal of, each other one is an answer.

use anyhow::{Context, bail};
use link::ugi::lines_within;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The file, locked as long as it is open: two at work would ask the same questions.
pub struct LineJournal(File);

impl LineJournal {
    /// Opens or makes the journal with that title, of that subject, and hands over its lines, none longer than so many bytes. A
    /// last line that was cut short is taken away.
    pub fn open(
        path: &Path,
        title: &str,
        of: &str,
        longest: usize,
        mut learn: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot open {name}"))?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => bail!("{name} is in use: another process writes it"),
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| format!("cannot lock {name}")),
        }
        let mut read = || -> anyhow::Result<u64> {
            let whole = whole_lines(&file, title, longest)?;
            let mut from = &file;
            from.seek(SeekFrom::Start(0))?;
            for (number, line) in (1..).zip(lines_within(BufReader::new(from.take(whole)), longest)) {
                let line = line.with_context(|| format!("line {number} cannot be read"))?;
                match number {
                    1 => check_title(&line, title, of)?,
                    _ => learn(&line).with_context(|| format!("line {number}"))?,
                }
            }
            Ok(whole)
        };
        let whole = read().with_context(|| format!("{name}"))?;
        file.set_len(whole).with_context(|| format!("cannot write {name}"))?;
        if whole == 0 {
            let first = format!("{title}\t{of}\n");
            file.write_all(first.as_bytes())
                .with_context(|| format!("cannot write {name}"))?;
        }
        Ok(LineJournal(file))
    }

    /// Writes a line at once.
    pub fn write(&mut self, line: &str) -> std::io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

fn check_title(line: &str, title: &str, of: &str) -> anyhow::Result<()> {
    match line.split_once('\t') {
        Some((begins, other)) if begins == title => match other == of {
            true => Ok(()),
            false => bail!("this is a journal of {other}, not of {of}"),
        },
        _ => bail!("line 1: expected `{title}` and a game, found {line:?}: this is no {title}"),
    }
}

/// How many bytes of a file are whole lines.
fn whole_lines(mut file: &File, title: &str, longest: usize) -> anyhow::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail = length.saturating_sub(longest as u64);
    file.seek(SeekFrom::Start(tail))?;
    let mut bytes = Vec::new();
    file.take(length - tail).read_to_end(&mut bytes)?;
    match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => Ok(tail + at as u64 + 1),
        None if tail == 0 => Ok(0),
        None => bail!("a line longer than {longest} bytes: this is no {title}"),
    }
}
