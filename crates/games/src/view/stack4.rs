//! A Stack Four position as the page shows it.

use crate::describe::ToSchema;
use ::stack4::geometry::LINE;
use ::stack4::{Cells, Column, GAME_LENGTH, Position, line_value};
use game::Seat;
use serde::Serialize;
use std::collections::BTreeMap;

/// A Stack Four board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Stack4View {
    /// The columns, row by row.
    pub columns: Vec<ColumnView>,
    /// For each column with room, the layer a stone would come to, 0 being the bottom.
    pub landing: BTreeMap<String, usize>,
    /// The points of Black and White.
    pub points: [u32; 2],
    /// Lines made so far, by both together.
    pub made: u32,
    /// What the next line pays.
    pub next_worth: u32,
    /// Stones that Black and White have left.
    pub stones_left: [u32; 2],
    /// The lines on the board, in the order they were made.
    pub lines: Vec<LineView>,
    /// Which of them the last turn made.
    pub new_lines: Vec<usize>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ColumnView {
    /// Its name: row digit, column digit.
    pub name: String,
    /// The row, 0 to 5.
    pub row: usize,
    /// The column of the square, 0 to 5.
    pub col: usize,
    /// Its stones from the bottom up, `b` or `w`.
    pub stones: String,
}

/// A line of four.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LineView {
    /// Whose, 1 or 2.
    pub seat: usize,
    /// Its cells.
    pub cells: Vec<CellView>,
    /// What it paid; unknown if it stood there at the start.
    pub points: Option<u32>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CellView {
    /// The column's name.
    pub column: String,
    /// The layer, 0 being the bottom.
    pub layer: usize,
}

/// The numbers of the lines that a set of stones holds.
fn lines_of(stones: Cells) -> impl Iterator<Item = usize> {
    (0..LINE.len()).filter(move |&line| LINE[line].cells.iter().all(|&cell| stones.has(cell)))
}

/// What to show of the last position of a game.
pub fn look(history: &[Position]) -> Stack4View {
    let Some(now) = history.last() else {
        return look(&[Position::new()]);
    };
    let mut lines: Vec<LineView> = Vec::new();
    let mut before = [Cells::EMPTY; 2];
    let mut new_lines = Vec::new();
    for (ply, position) in history.iter().enumerate() {
        new_lines.clear();
        let standing: u32 = if ply == 0 {
            position.lines()
        } else {
            history[ply - 1].lines()
        };
        let mut rank = standing;
        for seat in [Seat::FIRST, Seat::SECOND] {
            let (old, new) = (before[seat.index()], position.stones(seat));
            for number in lines_of(new).filter(|&number| !LINE[number].cells.iter().all(|&cell| old.has(cell))) {
                rank += 1;
                new_lines.push(lines.len());
                lines.push(LineView {
                    seat: seat.index() + 1,
                    cells: LINE[number].cells.iter().map(|&cell| cell_view(cell)).collect(),
                    points: (ply > 0).then(|| line_value(rank)),
                });
            }
            before[seat.index()] = new;
        }
    }
    if history.len() == 1 {
        new_lines.clear();
    }
    let played = now.moves();
    Stack4View {
        columns: Column::all().map(|column| column_view(now, column)).collect(),
        landing: match now.is_over() {
            true => BTreeMap::new(),
            false => Column::all()
                .filter_map(|column| Some((column.to_string(), now.next_cell(column)?.layer())))
                .collect(),
        },
        points: now.score(),
        made: now.lines(),
        next_worth: line_value(now.lines() + 1),
        stones_left: [GAME_LENGTH / 2 - played.div_ceil(2), GAME_LENGTH / 2 - played / 2],
        lines,
        new_lines,
    }
}

fn cell_view(cell: stack4::Cell) -> CellView {
    CellView {
        column: cell.column().to_string(),
        layer: cell.layer(),
    }
}

fn column_view(position: &Position, column: Column) -> ColumnView {
    let stone = |layer| match position.stones(Seat::FIRST).has(column.cell(layer)) {
        true => 'b',
        false => 'w',
    };
    ColumnView {
        name: column.to_string(),
        row: column.row(),
        col: column.col(),
        stones: (0..position.height(column)).map(stone).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn lines_are_told_in_the_order_they_were_made_with_what_they_paid() {
        let mut history = vec![Position::new()];
        for name in "22 32 22 32 22 32 22".split(' ') {
            let mut next = history[history.len() - 1];
            next.play(next.parse_move(name).unwrap()).unwrap();
            history.push(next);
        }
        let view = look(&history);
        assert_eq!(
            (view.points, view.made, view.next_worth, view.stones_left),
            ([100, 0], 1, 50, [28, 29])
        );
        assert_eq!(
            (view.lines.len(), view.lines[0].seat, view.lines[0].points),
            (1, 1, Some(100))
        );
        assert_eq!(view.new_lines, [0]);
        assert_eq!(view.landing["22"], 4);
        // The same board set up: the line stands there, and nobody knows when it was made.
        let view = look(&history[7..]);
        assert_eq!((view.lines[0].points, view.new_lines.len()), (None, 0));
    }
}
