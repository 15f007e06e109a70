//! What open lines and threats are worth: numbers fitted to games, in thousandths of the next line's points.
//!
//! The 336 lines fall into 60 classes under the symmetries of the square. A line with stones of one seat only has a
//! weight by its class, its seat and its stones. The first line nearly always decides who wins, so there are two sets of
//! weights: one as long as there is no line, fitted to who wins, and one for afterwards, fitted to the points. Each has
//! two ends, for the beginning and the end of the game.

use super::board::FILLINGS;
use super::learned;
use crate::geometry::{self, LINES, Line, SYMMETRIES};
use std::sync::LazyLock;

/// Classes of lines.
pub const CLASSES: usize = 60;
/// How far a threat is above its column, 1, 2, and more.
pub const DISTANCES: usize = 3;
/// Features that have a weight: for each seat one, two and three stones in every class of lines, threats by the parity of
/// their layer and by distance, and stacked threats; and being to move.
pub const FEATURE_COUNT: usize = 2 * SEAT_FEATURES + 1;
/// How many numbers make a set of weights: two sets with two ends each.
pub const WEIGHT_COUNT: usize = 4 * FEATURE_COUNT;

const SEAT_FEATURES: usize = 3 * CLASSES + 2 * DISTANCES + 1;

/// The number of the feature "so many stones (1 to 3) of this seat in an open line of this class".
pub(super) const fn line_feature(seat: usize, class: usize, stones: usize) -> usize {
    seat * SEAT_FEATURES + 3 * class + stones - 1
}

/// The number of the feature "a threat of this seat on a layer of this parity, so far above its column (from 0)".
pub(super) const fn threat_feature(seat: usize, parity: usize, distance: usize) -> usize {
    seat * SEAT_FEATURES + 3 * CLASSES + DISTANCES * parity + distance
}

/// The number of the feature "two threats of this seat, one right above the other".
pub(super) const fn stacked_feature(seat: usize) -> usize {
    seat * SEAT_FEATURES + 3 * CLASSES + 2 * DISTANCES
}

/// The number of the feature "being to move".
pub(super) const TEMPO_FEATURE: usize = 2 * SEAT_FEATURES;

/// The class of each line.
pub(super) static CLASS_OF: [u8; LINES] = classes();

/// A weight in all its forms: without a line yet and with one, each at the beginning and at the end of the game. Black's
/// count positive, White's negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tapered([i32; 4]);

impl Tapered {
    /// Takes one weight out of a sum and adds another.
    #[inline]
    pub(super) fn replace(&mut self, old: Tapered, new: Tapered) {
        for i in 0..4 {
            self.0[i] += new.0[i] - old.0[i];
        }
    }

    /// Adds a weight so many times.
    #[inline]
    pub(super) fn add(&mut self, weight: Tapered, times: i32) {
        for i in 0..4 {
            self.0[i] += weight.0[i] * times;
        }
    }

    /// The weight after so many lines and so many of the 64 moves, interpolated.
    #[inline]
    pub(super) fn at(self, lines: u32, moves: i32) -> i32 {
        let set = if lines == 0 { 0 } else { 2 };
        (self.0[set] * (64 - moves) + self.0[set + 1] * moves) / 64
    }
}

/// A set of weights.
pub struct Weights {
    /// By class and filling.
    pub(super) lines: [[Tapered; FILLINGS]; CLASSES],
    /// A cell where a line could be completed, by seat, parity of its layer and how far it is above its column: 1, 2, more.
    pub(super) threats: [[[Tapered; DISTANCES]; 2]; 2],
    /// Two threats of one seat, one right above the other.
    pub(super) stacked: [Tapered; 2],
    /// Being to move.
    pub(super) tempo: Tapered,
}

impl Weights {
    /// The weights the player plays with.
    pub fn standard() -> &'static Weights {
        static STANDARD: LazyLock<Weights> = LazyLock::new(|| Weights::from_numbers(&learned::WEIGHTS));
        &STANDARD
    }

    /// Weights from numbers in the order of the features, four times: without a line yet at the beginning of the game and
    /// at its end, then the same for afterwards. White's are as positive as Black's.
    pub fn from_numbers(numbers: &[i16; WEIGHT_COUNT]) -> Weights {
        let sign = [1, -1];
        let tapered = |feature: usize, sign: i32| {
            Tapered(std::array::from_fn(|i| {
                sign * i32::from(numbers[i * FEATURE_COUNT + feature])
            }))
        };
        let mut lines = [[Tapered::default(); FILLINGS]; CLASSES];
        for (class, lines) in lines.iter_mut().enumerate() {
            for stones in 1..=3 {
                lines[stones] = tapered(line_feature(0, class, stones), sign[0]);
                lines[5 * stones] = tapered(line_feature(1, class, stones), sign[1]);
            }
        }
        let threats = |seat: usize, parity: usize| {
            std::array::from_fn(|distance| tapered(threat_feature(seat, parity, distance), sign[seat]))
        };
        Weights {
            lines,
            threats: [0, 1].map(|seat| [0, 1].map(|parity| threats(seat, parity))),
            stacked: [0, 1].map(|seat| tapered(stacked_feature(seat), sign[seat])),
            tempo: tapered(TEMPO_FEATURE, 1),
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
