//! What open lines and threats are worth: numbers fitted to games, in thousandths of the next line's points.
//!
//! The 336 lines fall into 60 classes under the symmetries of the square. A line with stones of one seat only has a
//! weight by its class and its stones, once for the beginning and once for the end of the game.

use super::board::FILLINGS;
use super::learned;
use crate::geometry::{self, LINES, Line, SYMMETRIES};
use std::sync::LazyLock;

/// Classes of lines.
pub const CLASSES: usize = 60;
/// How far a threat is above its column, 1, 2, and more.
pub const DISTANCES: usize = 3;
/// How many numbers make a set of weights.
pub const WEIGHT_COUNT: usize = 2 * (3 * CLASSES + DISTANCES + 2);

/// The class of each line.
pub(super) static CLASS_OF: [u8; LINES] = classes();

/// A tapered weight: one value for the beginning and one for the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tapered {
    pub(super) early: i32,
    pub(super) late: i32,
}

impl Tapered {
    /// Takes one weight out of a sum and adds another.
    #[inline]
    pub(super) fn replace(&mut self, old: Tapered, new: Tapered) {
        self.early += new.early - old.early;
        self.late += new.late - old.late;
    }

    /// The weight after so many of the 64 moves, interpolated.
    #[inline]
    pub(super) fn at_move(self, moves: i32) -> i32 {
        (self.early * (64 - moves) + self.late * moves) / 64
    }
}

impl std::ops::Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, by: i32) -> Tapered {
        Tapered {
            early: self.early * by,
            late: self.late * by,
        }
    }
}

/// A set of weights.
pub struct Weights {
    /// By class and filling, Black's positive.
    pub(super) lines: [[Tapered; FILLINGS]; CLASSES],
    /// A cell where a line could be completed, by how far it is above its column: 1, 2, more.
    pub(super) threats: [Tapered; DISTANCES],
    /// Two threats of one seat, one right above the other.
    pub(super) stacked: Tapered,
    /// Being to move.
    pub(super) tempo: Tapered,
}

impl Weights {
    /// The weights the player plays with.
    pub fn standard() -> &'static Weights {
        static STANDARD: LazyLock<Weights> = LazyLock::new(|| Weights::from_numbers(&learned::WEIGHTS));
        &STANDARD
    }

    /// Weights from numbers in the order of the features: for every class one, two and three stones; threats by
    /// distance; stacked threats; being to move. First all for the beginning of the game, then all for its end.
    pub fn from_numbers(numbers: &[i16; WEIGHT_COUNT]) -> Weights {
        let half = WEIGHT_COUNT / 2;
        let tapered = |at: usize| Tapered {
            early: numbers[at].into(),
            late: numbers[half + at].into(),
        };
        let mut lines = [[Tapered::default(); FILLINGS]; CLASSES];
        for (class, lines) in lines.iter_mut().enumerate() {
            for stones in 1..=3 {
                lines[stones] = tapered(3 * class + stones - 1);
                lines[5 * stones] = lines[stones] * -1;
            }
        }
        let rest = 3 * CLASSES;
        Weights {
            lines,
            threats: [tapered(rest), tapered(rest + 1), tapered(rest + 2)],
            stacked: tapered(rest + DISTANCES),
            tempo: tapered(rest + DISTANCES + 1),
        }
    }
}

/// Numbers the orbits of the lines in the order in which they are first met.
const fn classes() -> [u8; LINES] {
    let lines = geometry::lines();
    let mut names = [0; CLASSES];
    let mut count = 0;
    let mut classes = [0; LINES];
    let mut line = 0;
    while line < LINES {
        let mut name = u32::MAX;
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            let image = image_name(&lines[line], symmetry);
            if image < name {
                name = image;
            }
            symmetry += 1;
        }
        let mut class = 0;
        while class < count && names[class] != name {
            class += 1;
        }
        if class == count {
            names[count] = name;
            count += 1;
        }
        classes[line] = class as u8;
        line += 1;
    }
    assert!(count == CLASSES);
    classes
}

/// A number for the image of a line, made of its two ends.
const fn image_name(line: &Line, symmetry: usize) -> u32 {
    let cells = line.cells;
    let a = cells[0].column().transform(symmetry).cell(cells[0].layer()).index() as u32;
    let b = cells[3].column().transform(symmetry).cell(cells[3].layer()).index() as u32;
    if a < b { a << 8 | b } else { b << 8 | a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::LINE;

    #[test]
    fn sixty_classes_share_the_lines_in_eights_or_fewer() {
        let mut sizes = [0; CLASSES];
        CLASS_OF.iter().for_each(|&class| sizes[usize::from(class)] += 1);
        assert!(sizes.iter().all(|size| [1, 2, 4, 8].contains(size)), "{sizes:?}");
        let same_orientation = |class: usize| {
            let mut orientations = (0..LINES)
                .filter(|&line| CLASS_OF[line] as usize == class)
                .map(|line| LINE[line].orientation);
            let first = orientations.next();
            orientations.all(|orientation| Some(orientation) == first)
        };
        assert!((0..CLASSES).all(same_orientation));
    }
}
