//! One game between two sides, by the course's rules.

use game::{Game, Seat, Stop};
use stack4::{Column, Position};

/// Somebody who plays one colour.
pub trait CourseSide {
    /// A move for the mover of an unfinished position.
    fn ask(&mut self, position: &Position) -> Result<Column, CourseFault>;

    /// Why it is not there any more, if that is known.
    fn why_gone(&mut self) -> Option<String> {
        None
    }

    /// No more games.
    fn stop(&mut self, _position: &Position) {}
}

/// Any function that finds a move is a side; no move is taken for one that died.
impl<F: FnMut(&Position) -> Option<Column>> CourseSide for F {
    fn ask(&mut self, position: &Position) -> Result<Column, CourseFault> {
        self(position).ok_or(CourseFault::Gone)
    }
}

/// Why a move was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CourseFault {
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
pub struct CourseMove {
    /// The column played.
    pub column: Column,
    /// If it was replaced: why.
    pub fault: Option<CourseFault>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseRecord {
    /// The moves in order.
    pub moves: Vec<CourseMove>,
    /// How it ended.
    pub end: Position,
}

/// How many of a seat's moves were replaced, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplacedCount {
    /// They came too late.
    pub late: usize,
    /// They were not legal.
    pub illegal: usize,
    /// The program had left or died.
    pub died: usize,
}

impl CourseRecord {
    fn of(&self, seat: Seat) -> impl Iterator<Item = &CourseMove> {
        self.moves.iter().skip(seat.index()).step_by(2)
    }

    /// How many of a seat's moves were replaced.
    pub fn replaced(&self, seat: Seat) -> ReplacedCount {
        let mut replaced = ReplacedCount::default();
        for fault in self.of(seat).filter_map(|played| played.fault) {
            match fault {
                CourseFault::Late => replaced.late += 1,
                CourseFault::Illegal { .. } => replaced.illegal += 1,
                CourseFault::Gone => replaced.died += 1,
            }
        }
        replaced
    }

    /// Whether a seat's program was not there any more when the game ended.
    pub fn died(&self, seat: Seat) -> bool {
        self.of(seat)
            .last()
            .is_some_and(|played| played.fault == Some(CourseFault::Gone))
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
pub fn referee(black: &mut dyn CourseSide, white: &mut dyn CourseSide, stop: &Stop) -> Option<CourseRecord> {
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
            false => Err(CourseFault::Illegal {
                row: column.row() as i32,
                col: column.col() as i32,
            }),
        });
        let played = match asked {
            Ok(column) => CourseMove { column, fault: None },
            Err(fault) => CourseMove {
                column: first,
                fault: Some(fault),
            },
        };
        position.drop_stone(played.column);
        moves.push(played);
    }
    Some(CourseRecord { moves, end: position })
}
