//! What a build of a table has solved so far, in a file beside it: a line for each part.

use crate::commands::line_journal::LineJournal;
use anyhow::Context;
use quarto::tablebase::{MOST_PLACED, Part};
use quarto::{CellSet, Rules};
use std::collections::HashMap;
use std::path::Path;

/// A longer line is none of ours: a part has a thousand values.
const LONGEST_LINE: usize = 1 << 12;

/// What the first line begins with; the game and the number of pieces placed follow.
const TITLE: &str = "terzo table journal";

/// A part as text: its cells and its number.
pub fn write_part(part: Part) -> String {
    format!("{:04x}\t{}", part.class.0, part.number)
}

/// Reads a part.
pub fn read_part(text: &str) -> Option<Part> {
    let (class, number) = text.split_once('\t')?;
    let class = CellSet(u16::from_str_radix(class, 16).ok()?);
    let number = number.parse().ok()?;
    (class.len() <= MOST_PLACED).then_some(Part { class, number })
}

/// A part and its values, a digit each.
pub fn write_values(part: Part, values: &[u8]) -> String {
    let digits: String = values
        .iter()
        .map(|value| char::from(b"0123456789abcdef"[usize::from(value & 15)]))
        .collect();
    format!("{}\t{digits}", write_part(part))
}

fn read_values(line: &str) -> Option<(Part, Vec<u8>)> {
    let (part, digits) = line.rsplit_once('\t')?;
    let values = digits.chars().map(|digit| Some(digit.to_digit(16)? as u8));
    Some((read_part(part)?, values.collect::<Option<_>>()?))
}

/// The values that are known, and the file that keeps them.
pub struct TableJournal {
    file: LineJournal,
    values: HashMap<Part, Vec<u8>>,
}

impl TableJournal {
    /// Reads what an earlier build has left.
    pub fn open(rules: &Rules, placed: u32, path: &Path) -> anyhow::Result<Self> {
        let mut values = HashMap::new();
        let of = format!("{} with {placed} placed", rules.name());
        let file = LineJournal::open(path, TITLE, &of, LONGEST_LINE, |line| {
            let (part, codes) =
                read_values(line).with_context(|| format!("expected cells, a number and values, found {line:?}"))?;
            values.insert(part, codes);
            Ok(())
        })?;
        Ok(TableJournal { file, values })
    }

    /// Takes a line in and writes it down, unless it is known or cannot be read.
    pub fn note(&mut self, line: &str) -> std::io::Result<()> {
        let Some((part, codes)) = read_values(line) else {
            return Ok(());
        };
        match self.values.insert(part, codes) {
            Some(_) => Ok(()),
            None => self.file.write(line),
        }
    }

    /// The values of a part, if they are known.
    pub fn values(&self, part: Part) -> Option<&[u8]> {
        self.values.get(&part).map(Vec::as_slice)
    }
}
