//! A variant of Quarto is data: which sets of four cells are lines, and who profits from completing one.

use crate::symmetry::Symmetries;
use crate::{Cell, CellSet};
use std::fmt;
use std::sync::OnceLock;

/// The lines of a variant, whether completing one loses, and what follows from that: the table of completing cells
/// and the symmetries of the board.
pub struct Rules {
    name: &'static str,
    summary: &'static str,
    lines: Vec<CellSet>,
    misere: bool,
    /// For every set of cells, the cells that would complete a line with it: those missing alone from some line.
    completing: Box<[CellSet; 1 << 16]>,
    symmetries: OnceLock<Symmetries>,
    threes: OnceLock<Box<[u32]>>,
}

/// What a named variant is made of.
struct Variant {
    name: &'static str,
    summary: &'static str,
    shapes: &'static [fn() -> Vec<CellSet>],
    misere: bool,
}

const STRAIGHT: &[fn() -> Vec<CellSet>] = &[rows, columns, diagonals];
const STRAIGHT_AND_SQUARES: &[fn() -> Vec<CellSet>] = &[rows, columns, diagonals, squares];
const SQUARES: &[fn() -> Vec<CellSet>] = &[squares];
const TORUS: &[fn() -> Vec<CellSet>] = &[rows, columns, wrapped_diagonals, wrapped_squares];

const VARIANTS: [Variant; 8] = [
    Variant {
        name: "quarto",
        summary: "four in a row, column or diagonal",
        shapes: STRAIGHT,
        misere: false,
    },
    Variant {
        name: "quarto-squares",
        summary: "rows, columns, diagonals and the nine 2x2 squares",
        shapes: STRAIGHT_AND_SQUARES,
        misere: false,
    },
    Variant {
        name: "quarto-squares-only",
        summary: "the nine 2x2 squares alone",
        shapes: SQUARES,
        misere: false,
    },
    Variant {
        name: "quarto-torus",
        summary: "32 lines: diagonals and squares wrap around the edges",
        shapes: TORUS,
        misere: false,
    },
    Variant {
        name: "quarto-misere",
        summary: "rows, columns, diagonals; who completes one loses",
        shapes: STRAIGHT,
        misere: true,
    },
    Variant {
        name: "quarto-squares-misere",
        summary: "lines and squares; who completes one loses",
        shapes: STRAIGHT_AND_SQUARES,
        misere: true,
    },
    Variant {
        name: "quarto-squares-only-misere",
        summary: "the nine squares; who completes one loses",
        shapes: SQUARES,
        misere: true,
    },
    Variant {
        name: "quarto-torus-misere",
        summary: "the 32 lines of the torus; who completes one loses",
        shapes: TORUS,
        misere: true,
    },
];

static NAMED: [OnceLock<Rules>; VARIANTS.len()] = [const { OnceLock::new() }; VARIANTS.len()];

impl Rules {
    /// Rules from any list of lines of four cells.
    pub fn new(name: &'static str, summary: &'static str, mut lines: Vec<CellSet>, misere: bool) -> Self {
        lines.sort();
        lines.dedup();
        let completing = completing_table(&lines);
        Rules {
            name,
            summary,
            lines,
            misere,
            completing,
            symmetries: OnceLock::new(),
            threes: OnceLock::new(),
        }
    }

    /// The names of the variants, `quarto` first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        VARIANTS.iter().map(|variant| variant.name)
    }

    /// The variant of that name; its tables are made at the first call.
    pub fn named(name: &str) -> Option<&'static Rules> {
        let index = VARIANTS.iter().position(|variant| variant.name == name)?;
        Some(NAMED[index].get_or_init(|| {
            let Variant {
                name,
                summary,
                shapes,
                misere,
            } = VARIANTS[index];
            let lines = shapes.iter().flat_map(|shape| shape()).collect();
            let rules = Rules::new(name, summary, lines, misere);
            // Made now rather than in a player's first turn, when a clock may run.
            rules.symmetries();
            rules
        }))
    }

    /// All variants, `quarto` first.
    pub fn all() -> impl Iterator<Item = &'static Rules> {
        Rules::names().filter_map(Rules::named)
    }

    /// Rows, columns and diagonals: the official game.
    pub fn standard() -> &'static Rules {
        match Rules::named(VARIANTS[0].name) {
            Some(rules) => rules,
            None => unreachable!("the first variant names itself"),
        }
    }

    /// The variant's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line that says what counts.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The sets of four cells that count, sorted.
    pub fn lines(&self) -> &[CellSet] {
        &self.lines
    }

    /// Whether who completes a line loses.
    pub fn misere(&self) -> bool {
        self.misere
    }

    /// The cells that, together with `cells`, complete a line.
    #[inline]
    pub fn completing(&self, cells: CellSet) -> CellSet {
        self.completing[cells.0 as usize]
    }

    /// For every set of cells, the lines (bit i is line i of [`Rules::lines`]) of which it holds exactly three cells.
    /// Computed at the first call.
    #[inline]
    pub(crate) fn threes(&self) -> &[u32] {
        self.threes.get_or_init(|| threes_table(&self.lines))
    }

    /// The symmetries of the board under these lines, computed at the first call.
    pub fn symmetries(&self) -> &Symmetries {
        self.symmetries.get_or_init(|| Symmetries::of(&self.lines))
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.lines == other.lines && self.misere == other.misere)
    }
}

impl Eq for Rules {}

impl std::hash::Hash for Rules {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

fn completing_table(lines: &[CellSet]) -> Box<[CellSet; 1 << 16]> {
    let table: Vec<CellSet> = (0..=u16::MAX)
        .map(|cells| {
            let missing = lines.iter().map(|line| line.0 & !cells);
            CellSet(
                missing
                    .filter(|missing| missing.is_power_of_two())
                    .fold(0, |all, one| all | one),
            )
        })
        .collect();
    match table.into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("one entry for each u16"),
    }
}

fn threes_table(lines: &[CellSet]) -> Box<[u32]> {
    let three = |cells: u16| {
        (0..)
            .zip(lines)
            .filter(move |(_, line)| (line.0 & cells).count_ones() == 3)
    };
    (0..=u16::MAX)
        .map(|cells| three(cells).fold(0, |all, (i, _)| all | 1 << i))
        .collect()
}

fn line(cells: impl Iterator<Item = (u8, u8)>) -> CellSet {
    cells.map(|(row, column)| Cell::at(row, column)).collect()
}

fn rows() -> Vec<CellSet> {
    (0..4).map(|row| line((0..4).map(|column| (row, column)))).collect()
}

fn columns() -> Vec<CellSet> {
    (0..4).map(|column| line((0..4).map(|row| (row, column)))).collect()
}

fn diagonals() -> Vec<CellSet> {
    vec![line((0..4).map(|i| (i, i))), line((0..4).map(|i| (i, 3 - i)))]
}

fn wrapped_diagonals() -> Vec<CellSet> {
    (0..4)
        .flat_map(|shift| {
            [
                line((0..4).map(|i| (i, i + shift))),
                line((0..4).map(|i| (i, 7 - i - shift))),
            ]
        })
        .collect()
}

fn square(row: u8, column: u8) -> CellSet {
    line(
        [(0, 0), (0, 1), (1, 0), (1, 1)]
            .iter()
            .map(|(down, right)| (row + down, column + right)),
    )
}

fn squares() -> Vec<CellSet> {
    (0..3)
        .flat_map(|row| (0..3).map(move |column| square(row, column)))
        .collect()
}

fn wrapped_squares() -> Vec<CellSet> {
    (0..4)
        .flat_map(|row| (0..4).map(move |column| square(row, column)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_the_lines_its_definition_counts() {
        let counts: Vec<(&str, usize)> = Rules::all().map(|rules| (rules.name(), rules.lines().len())).collect();
        assert_eq!(
            counts,
            [
                ("quarto", 10),
                ("quarto-squares", 19),
                ("quarto-squares-only", 9),
                ("quarto-torus", 32),
                ("quarto-misere", 10),
                ("quarto-squares-misere", 19),
                ("quarto-squares-only-misere", 9),
                ("quarto-torus-misere", 32),
            ]
        );
        assert!(Rules::all().all(|rules| rules.lines().iter().all(|line| line.len() == 4)));
        assert!(Rules::named("quarto-cubes").is_none());
    }

    #[test]
    fn a_cell_completes_exactly_the_lines_that_miss_it_alone() {
        for rules in Rules::all() {
            for cells in (0..=u16::MAX).map(CellSet) {
                for cell in cells.complement() {
                    let completes = rules
                        .lines()
                        .iter()
                        .any(|line| line.contains(cell) && line.into_iter().all(|c| c == cell || cells.contains(c)));
                    assert_eq!(
                        rules.completing(cells).contains(cell),
                        completes,
                        "{rules:?} {cells} {cell}"
                    );
                }
            }
        }
    }
}
