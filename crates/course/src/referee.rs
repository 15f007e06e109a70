//! One game between two sides, by the course's rules.

use game::{Game, Seat, Stop};
use stack4::{Column, Position};

/// Somebody who plays one colour.
pub trait Side {
    /// A move for the mover of an unfinished position.
    fn ask(&mut self, position: &Position) -> Result<Column, Fault>;

    /// No more games.
    fn stop(&mut self, _position: &Position) {}
}

/// Any function that finds a move is a side; no move is taken for one that died.
impl<F: FnMut(&Position) -> Option<Column>> Side for F {
    fn ask(&mut self, position: &Position) -> Result<Column, Fault> {
        self(position).ok_or(Fault::Gone)
    }
}

/// Why a move was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It came too late.
    Late,
    /// It was not a legal one.
    Illegal {
        /// The row it named.
        row: i32,
        /// The column digit it named.
        col: i32,
    },
    /// The program has left or died.
    Gone,
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The column played.
    pub column: Column,
    /// If it was replaced: why.
    pub fault: Option<Fault>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The moves in order.
    pub moves: Vec<Played>,
    /// How it ended.
    pub end: Position,
}

/// How many of a seat's moves were replaced, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// They came too late.
    pub late: usize,
    /// They were not legal.
    pub illegal: usize,
    /// The program had left or died.
    pub died: usize,
}

impl Record {
    fn of(&self, seat: Seat) -> impl Iterator<Item = &Played> {
        self.moves.iter().skip(seat.index()).step_by(2)
    }

    /// How many of a seat's moves were replaced.
    pub fn replaced(&self, seat: Seat) -> Replaced {
        let mut replaced = Replaced::default();
        for fault in self.of(seat).filter_map(|played| played.fault) {
            match fault {
                Fault::Late => replaced.late += 1,
                Fault::Illegal { .. } => replaced.illegal += 1,
                Fault::Gone => replaced.died += 1,
            }
        }
        replaced
    }

    /// Whether a seat's program was not there any more when the game ended.
    pub fn died(&self, seat: Seat) -> bool {
        self.of(seat)
            .last()
            .is_some_and(|played| played.fault == Some(Fault::Gone))
    }

    /// Who has won: more points, but never a program that died.
    pub fn winner(&self) -> Option<Seat> {
        let [black, white] = [Seat::FIRST, Seat::SECOND].map(|seat| self.died(seat));
        match (black, white) {
            (true, true) => None,
            (true, false) => Some(Seat::SECOND),
            (false, true) => Some(Seat::FIRST),
            (false, false) => self.end.outcome().and_then(|payoffs| payoffs.winner()),
        }
    }
}

/// Plays a game; the sides may play another one afterwards, or be told to stop. A move that is late, illegal or does not come
/// is replaced by the first legal column, row by row. Nothing comes of it if the sign is raised before the end.
pub fn referee(black: &mut dyn Side, white: &mut dyn Side, stop: &Stop) -> Option<Record> {
    let mut position = Position::new();
    let mut moves = Vec::new();
    while let Some(first) = Column::all().find(|&column| position.is_legal(column)) {
        let asked = match position.mover() {
            Seat::FIRST => black.ask(&position),
            _ => white.ask(&position),
        };
        if stop.is_raised() {
            return None;
        }
        let asked = asked.and_then(|column| match position.is_legal(column) {
            true => Ok(column),
            false => Err(Fault::Illegal {
                row: column.row() as i32,
                col: column.col() as i32,
            }),
        });
        let played = match asked {
            Ok(column) => Played { column, fault: None },
            Err(fault) => Played {
                column: first,
                fault: Some(fault),
            },
        };
        position.drop_stone(played.column);
        moves.push(played);
    }
    Some(Record { moves, end: position })
}
