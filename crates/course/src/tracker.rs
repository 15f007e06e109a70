//! Following a game from its boards: the protocol sends no points, and they depend on who made a line first.

use super::CourseError;
use game::{Game, Seat};
use stack4::{Cells, Position, count_lines, line_value};

/// What is known of the game under way.
#[derive(Default)]
pub struct Tracker {
    position: Position,
}

impl Tracker {
    /// The position with these stones. While each board adds the stones of whole turns to the last one, its points
    /// are true; after a gap (we joined late) they are a guess.
    pub fn follow(&mut self, stones: [Cells; 2]) -> Result<Position, CourseError> {
        let known = self
            .advance(self.position, stones)
            .or_else(|| self.advance(Position::new(), stones));
        self.position = match known {
            Some(position) => position,
            None => {
                let lines = stones.map(count_lines);
                Position::from_stones(stones, even_points(lines)).map_err(CourseError::protocol)?
            }
        };
        Ok(self.position)
    }

    /// Plays the stones that are new since `position`, if there are at most two.
    fn advance(&self, mut position: Position, stones: [Cells; 2]) -> Option<Position> {
        for _ in 0..2 {
            let seat = position.mover();
            let new = stones[seat.index()] & !position.stones(seat);
            // With two new stones of one colour the order is anybody's guess.
            let mut cells = new.iter();
            let Some(cell) = cells.next() else {
                break;
            };
            if cells.next().is_some() || position.next_cell(cell.column()) != Some(cell) {
                return None;
            }
            position.play(cell.column()).ok()?;
        }
        let reached = [Seat::FIRST, Seat::SECOND].map(|seat| position.stones(seat));
        (reached == stones).then_some(position)
    }
}

/// Points as if the lines had come in turns, Black's first.
fn even_points(lines: [u32; 2]) -> [u32; 2] {
    let mut left = lines;
    let mut points = [0; 2];
    let mut turn = 0;
    for rank in 1..=lines[0] + lines[1] {
        if left[turn] == 0 {
            turn = 1 - turn;
        }
        left[turn] -= 1;
        points[turn] += line_value(rank);
        turn = 1 - turn;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use stack4::replay;

    fn stones(position: &Position) -> [Cells; 2] {
        [Seat::FIRST, Seat::SECOND].map(|seat| position.stones(seat))
    }

    #[test]
    fn a_game_followed_from_the_start_keeps_its_points_and_a_new_one_starts_over() {
        let games: Vec<&str> = include_str!("../../stack4/tests/data/games.tsv")
            .lines()
            .filter_map(|line| line.split('\t').nth(1))
            .collect();
        let mut tracker = Tracker::default();
        for (number, game) in games.iter().enumerate() {
            // As Black we see every even board, as White every odd one.
            let words: Vec<&str> = game.split(' ').collect();
            for moves in (number % 2..64).step_by(2) {
                let position = replay(&words[..moves].join(" ")).unwrap();
                assert_eq!(tracker.follow(stones(&position)).unwrap(), position);
            }
        }
    }

    #[test]
    fn after_a_gap_the_points_are_shared_out_evenly() {
        let position = replay("11 41 12 42 13 43 14 44").unwrap();
        assert_eq!(Tracker::default().follow(stones(&position)).unwrap().score(), [100, 50]);
        assert_eq!(even_points([1, 3]), [100, 50 + 33 + 25]);
    }

    #[test]
    fn an_impossible_board_is_an_error() {
        let floating = Cells::EMPTY.with("22".parse::<stack4::Column>().unwrap().cell(3));
        assert!(Tracker::default().follow([floating, Cells::EMPTY]).is_err());
    }
}
