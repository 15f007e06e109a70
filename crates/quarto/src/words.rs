//! Lines in words, for hints and for people who cannot see the board.

use crate::{Cell, CellSet};

/// What a line is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineName {
    /// A row, from 1.
    Row(u8),
    /// A column, from a.
    Column(char),
    /// A diagonal, from its first cell to its last.
    Diagonal(Cell, Cell),
    /// A square, from its first cell to its last.
    Square(Cell, Cell),
    /// A line that wraps around the edges of the torus has no better name than its cells.
    Cells(Vec<Cell>),
}

/// What a line is called.
pub fn name(cells: CellSet) -> LineName {
    let places: Vec<Cell> = cells.into_iter().collect();
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return LineName::Cells(places);
    };
    if spread(&places, 0, Cell::row) {
        return LineName::Row(first.row() + 1);
    }
    if spread(&places, 0, Cell::column) {
        return LineName::Column((b'a' + first.column()) as char);
    }
    let falls = spread(&places, 1, Cell::column);
    let rises = spread(&places, u8::MAX, Cell::column);
    if spread(&places, 1, Cell::row) && (falls || rises) {
        return LineName::Diagonal(first, last);
    }
    if last.row() == first.row() + 1 && last.column() == first.column() + 1 {
        return LineName::Square(first, last);
    }
    LineName::Cells(places)
}

/// The same in words: "row 2", "column b", "the diagonal a1-d4", "the square b2-c3", and of the lines that wrap around the edges of
/// the torus "the line a2 b3 c4 d1".
pub fn line(cells: CellSet) -> String {
    match name(cells) {
        LineName::Row(row) => format!("row {row}"),
        LineName::Column(column) => format!("column {column}"),
        LineName::Diagonal(first, last) => format!("the diagonal {first}-{last}"),
        LineName::Square(first, last) => format!("the square {first}-{last}"),
        LineName::Cells(cells) => {
            let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
            format!("the line {}", names.join(" "))
        }
    }
}

/// Whether each cell is one step further than the one before, by row or by column.
fn spread(places: &[Cell], step: u8, along: fn(Cell) -> u8) -> bool {
    places
        .windows(2)
        .all(|pair| along(pair[1]).wrapping_sub(along(pair[0])) == step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use std::collections::HashSet;

    fn names(rules: &str) -> Vec<String> {
        Rules::named(rules)
            .unwrap()
            .lines()
            .iter()
            .map(|&cells| line(cells))
            .collect()
    }

    #[test]
    fn the_lines_of_the_official_game_have_short_names() {
        let mut names = names("quarto");
        names.sort();
        assert_eq!(
            names,
            [
                "column a",
                "column b",
                "column c",
                "column d",
                "row 1",
                "row 2",
                "row 3",
                "row 4",
                "the diagonal a1-d4",
                "the diagonal d1-a4"
            ]
        );
    }

    #[test]
    fn no_two_lines_of_a_variant_have_the_same_name() {
        for rules in Rules::names() {
            let names = names(rules);
            let different: HashSet<&String> = names.iter().collect();
            assert_eq!(different.len(), names.len(), "{rules}: {names:?}");
        }
        assert!(names("quarto-squares").contains(&"the square b2-c3".to_string()));
        assert!(names("quarto-torus").contains(&"the line a1 b1 a4 b4".to_string()));
    }
}
