//! Where the games of a plan begin.

use super::{PlanError, wrong};
use game::{below, mix, rng};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpeningPlan {
    /// At the game's first position.
    #[default]
    Start,
    /// After so many random legal turns.
    Plies(u32),
    /// From the positions in a file, one a line.
    File(OpeningFile),
}

/// Positions to begin from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningFile {
    /// The file, a position a line.
    pub path: PathBuf,
    /// In which order they are played.
    pub order: OpeningOrder,
    /// Which of them is the first, counted from 1.
    pub start: usize,
}

/// In which order openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

impl OpeningFile {
    /// The positions of a file as they stand there, from the first one on.
    pub fn new(path: PathBuf) -> Self {
        OpeningFile {
            path,
            order: OpeningOrder::default(),
            start: 1,
        }
    }

    /// The lines of the file as they are to be played. Where they stay in their order, comments stay with them: what is wrong
    /// with a position is told with its line.
    ///
    /// # Errors
    ///
    /// The file ends before the position to start with.
    pub fn arranged(&self, text: &str, seed: u64) -> Result<Vec<String>, PlanError> {
        if *self == OpeningFile::new(self.path.clone()) {
            return Ok(text.lines().map(String::from).collect());
        }
        let lines = text.lines().map(str::trim);
        let mut lines: Vec<String> = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(String::from)
            .collect();
        if self.order == OpeningOrder::Random {
            let mut chance = rng(mix(seed, &[SHUFFLE]));
            for last in (1..lines.len()).rev() {
                lines.swap(last, below(&mut chance, last as u32 + 1) as usize);
            }
        }
        match self.start.checked_sub(1).filter(|&start| start < lines.len().max(1)) {
            Some(start) => lines.rotate_left(start),
            None => {
                return Err(wrong(
                    self.path.display().to_string(),
                    format!(
                        "expected to start with one of the {} positions, not number {}",
                        lines.len(),
                        self.start
                    ),
                ));
            }
        }
        Ok(lines)
    }
}

/// Keeps the chance of the order of openings apart from all other.
const SHUFFLE: u64 = 0x7368_7566;

/// The same as a plan writes it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileOpenings {
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<OpeningOrder>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<usize>,
}

impl FileOpenings {
    /// What it says; paths are taken from `folder`.
    pub(super) fn plan(self, folder: &Path) -> Result<OpeningPlan, &'static str> {
        Ok(match self {
            FileOpenings {
                plies: Some(plies),
                file: None,
                order: None,
                start: None,
            } => match plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            FileOpenings {
                plies: None,
                file: Some(path),
                order,
                start,
            } => OpeningPlan::File(OpeningFile {
                path: folder.join(path),
                order: order.unwrap_or_default(),
                start: start.unwrap_or(1),
            }),
            _ => return Err("expected either plies or file, and order and start only with a file"),
        })
    }

    /// How it is written; nothing for the game's own first position.
    pub(super) fn of(openings: &OpeningPlan) -> Option<FileOpenings> {
        match openings {
            OpeningPlan::Start => None,
            OpeningPlan::Plies(plies) => Some(FileOpenings {
                plies: Some(*plies),
                file: None,
                order: None,
                start: None,
            }),
            OpeningPlan::File(file) => Some(FileOpenings {
                plies: None,
                file: Some(file.path.clone()),
                // Left out where they say nothing: older plans have the same key.
                order: (file.order != OpeningOrder::default()).then_some(file.order),
                start: (file.start != 1).then_some(file.start),
            }),
        }
    }
}
