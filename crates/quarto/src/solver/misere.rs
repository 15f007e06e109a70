//! The last seven cells in misère, where a player loses who gets a piece that completes a line wherever it goes.
//!
//! A piece that can go nowhere wins for who gives it, and so refutes who must let the other give it: most boards are
//! answered by that before anything is tried. Otherwise it is the search of the normal game: first the placements that leave
//! the fewest pieces safe, for they leave the least to try. The last three cells are looked up (`three`).

use super::board::Geometry;
use super::ending::{Ending, MOST_CELLS, OrderedPlacements, Rounds, each_has_a_cell};
use super::four::{FourCells, Winning};
use super::search::bits;
use super::three::ThreeCells;

/// The fewest empty cells for which move ordering pays.
const ORDERED: usize = 6;

/// The search of misère endings: as in `search`, without transposition table or threads.
pub(super) struct MisereEndgame<'a> {
    geometry: &'a Geometry,
    nodes: &'a mut u64,
    three: &'static ThreeCells,
    four: &'static FourCells,
}

impl<'a> MisereEndgame<'a> {
    pub(super) fn new(geometry: &'a Geometry, nodes: &'a mut u64) -> Self {
        MisereEndgame {
            geometry,
            nodes,
            three: ThreeCells::get(),
            four: FourCells::get(),
        }
    }

    /// The pieces that can go nowhere.
    #[inline(always)]
    fn stuck<E: Ending>(&self, ending: &E, left: u16) -> u16 {
        let mut stuck = left;
        for cell in 0..E::CELLS {
            stuck &= self.geometry.unsafe_for(ending.at(cell));
            if stuck == 0 {
                return 0;
            }
        }
        stuck
    }

    /// Whether the giver wins a board with three empty cells (bit 0), and the other (bit 1).
    #[inline(always)]
    fn of_three<E: Ending>(&self, ending: &E, left: u16) -> u8 {
        let second = left & left.wrapping_sub(1);
        let third = second & second.wrapping_sub(1);
        let values = [left, second, third].map(|pieces| self.geometry.values(pieces.trailing_zeros()));
        self.three.answers(ending.first_word(), values)
    }

    /// Whether the giver wins within `rounds`.
    #[inline(always)]
    pub(super) fn giver_wins<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        match self.giver_verdict(ending, left, rounds) {
            Some(answer) => answer,
            None => self.some_gift_wins(ending, left, rounds),
        }
    }

    /// Whether the other wins within `rounds`.
    #[inline(always)]
    pub(super) fn other_wins<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        match self.other_verdict(ending, left, rounds) {
            Some(answer) => answer,
            None => self.every_gift_loses(ending, left, rounds),
        }
    }

    /// The answer, if it is clear without a search.
    #[inline(always)]
    fn giver_verdict<E: Ending>(&self, ending: &E, left: u16, rounds: u32) -> Option<bool> {
        if E::CELLS == 0 || rounds == 0 {
            return Some(false);
        }
        if E::CELLS == 3 && rounds > 1 {
            return Some(self.of_three(ending, left) & 1 != 0);
        }
        if self.stuck(ending, left) != 0 {
            return Some(true);
        }
        // With two cells the other places once, and the giver the last piece.
        let hopeless = E::CELLS < 3 || rounds == 1 || self.dead(ending, left);
        hopeless.then_some(false)
    }

    #[inline(always)]
    fn other_verdict<E: Ending>(&self, ending: &E, left: u16, rounds: u32) -> Option<bool> {
        if E::CELLS == 3 && rounds > 0 {
            return Some(self.of_three(ending, left) & 2 != 0);
        }
        let hopeless = E::CELLS < 2 || rounds == 0 || self.stuck(ending, left) != 0 || self.dead(ending, left);
        hopeless.then_some(false)
    }

    /// Whether no line can be completed any more with the pieces left.
    #[inline(always)]
    fn dead<E: Ending>(&self, ending: &E, left: u16) -> bool {
        ending.alive() & self.geometry.values_of(left) == 0
    }

    #[inline(always)]
    fn safe<E: Ending>(&self, ending: &E, left: u16) -> u16 {
        left & !self.geometry.unsafe_for(ending.hot())
    }

    /// Of four cells those where a piece may go, and who wins after it went to each of them, however many rounds that takes.
    #[inline(always)]
    fn of_four<E: Ending>(&self, ending: &E, left: u16, piece: u32) -> (u8, Winning) {
        let values = self.geometry.values(piece);
        let allowed = (0..4).fold(0, |cells, cell| cells | u8::from(ending.at(cell) & values == 0) << cell);
        let winning = self.four.winning(ending.first_words(), values, left & !(1 << piece));
        (allowed, winning)
    }

    fn some_gift_wins<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        *self.nodes += 1;
        let after = Rounds::<true>::after_gift(rounds);
        if E::CELLS == 4 && after > 0 {
            return bits(left).any(|piece| {
                let (allowed, winning) = self.of_four(ending, left, piece);
                allowed & !winning.other == 0
            });
        }
        'gifts: for piece in bits(left) {
            let left = left & !(1 << piece);
            let values = self.geometry.values(piece);
            let allowed = |cell: &usize| ending.at(*cell) & values == 0;
            if E::CELLS < ORDERED {
                let wins = (0..E::CELLS)
                    .filter(allowed)
                    .all(|cell| self.other_wins(&ending.place(cell, values), left, after));
                if wins {
                    return true;
                }
                continue;
            }
            let mut placements = OrderedPlacements::default();
            for cell in (0..E::CELLS).filter(allowed) {
                let next = ending.place(cell, values);
                match self.other_verdict(&next, left, after) {
                    Some(true) => (),
                    Some(false) => continue 'gifts,
                    None => placements.push(self.safe(&next, left), cell),
                }
            }
            let wins = placements.cells().all(|cell| {
                let next = ending.place(cell, values);
                self.every_gift_loses(&next, left, after)
            });
            if wins {
                return true;
            }
        }
        false
    }

    fn every_gift_loses<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        *self.nodes += 1;
        let after = Rounds::<true>::after_placement(rounds);
        if E::CELLS == 4 && after > 1 {
            return bits(left).all(|piece| {
                let (allowed, winning) = self.of_four(ending, left, piece);
                allowed & winning.giver != 0
            });
        }
        if E::CELLS < ORDERED {
            return bits(left).all(|piece| {
                let left = left & !(1 << piece);
                let values = self.geometry.values(piece);
                (0..E::CELLS)
                    .filter(|cell| ending.at(*cell) & values == 0)
                    .any(|cell| self.giver_wins(&ending.place(cell, values), left, after))
            });
        }
        let mut branches = [(OrderedPlacements::default(), 0); MOST_CELLS];
        let mut count = 0;
        'gifts: for piece in bits(left) {
            let left = left & !(1 << piece);
            let values = self.geometry.values(piece);
            let mut placements = OrderedPlacements::default();
            for cell in (0..E::CELLS).filter(|cell| ending.at(*cell) & values == 0) {
                let next = ending.place(cell, values);
                match self.giver_verdict(&next, left, after) {
                    Some(true) => continue 'gifts,
                    Some(false) => (),
                    None => placements.push(self.safe(&next, left), cell),
                }
            }
            if placements.is_empty() {
                return false;
            }
            branches[count] = (placements, piece);
            count += 1;
        }
        each_has_a_cell(&mut branches[..count], |piece, cell| {
            let next = ending.place(cell, self.geometry.values(piece));
            self.some_gift_wins(&next, left & !(1 << piece), after)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::SolverBoard;
    use super::super::ending;
    use super::*;
    use crate::policy::{Random, turn};
    use crate::{Position, Rules};
    use game::{Game, rng};

    /// The rules as they stand in `search`, without any cleverness.
    fn wins(geometry: &Geometry, board: &SolverBoard, giver: bool, rounds: u32) -> bool {
        if rounds == 0 {
            return false;
        }
        let after = |piece: u32| {
            let cells = !board.occupied & !geometry.completing(board, piece);
            bits(cells).map(move |cell| geometry.place(board, piece, cell))
        };
        match giver {
            true => bits(board.left).any(|piece| after(piece).all(|next| wins(geometry, &next, false, rounds - 1))),
            false => {
                board.left != 0
                    && bits(board.left).all(|piece| after(piece).any(|next| wins(geometry, &next, true, rounds)))
            }
        }
    }

    #[test]
    fn endings_are_answered_as_by_the_bare_rules_within_every_number_of_rounds() {
        let mut rng = rng(5);
        let (mut yes, mut no) = (0, 0);
        for rules in Rules::all().filter(|rules| rules.misere()) {
            let geometry = Geometry::new(rules);
            for game in 0..150 {
                let mut position = Position::new(rules);
                let empty = 2 + game % 4;
                while let Some(turn) = turn(&Random, &position, &mut rng) {
                    position.play_unchecked(turn);
                    let mut board = geometry.board(&position);
                    board.left |= position.hand().map_or(0, |piece| piece.bit().0);
                    if !position.playing() || 16 - board.placed() > empty {
                        continue;
                    }
                    for rounds in 1..=3 {
                        let answers = [
                            ending::wins::<true, true>(&geometry, &board, rounds, &mut 0),
                            ending::wins::<false, true>(&geometry, &board, rounds, &mut 0),
                        ];
                        let expected = [true, false].map(|giver| wins(&geometry, &board, giver, rounds));
                        assert_eq!(answers, expected, "{position:?} within {rounds}");
                        yes += answers.iter().filter(|yes| **yes).count();
                        no += answers.iter().filter(|yes| !**yes).count();
                    }
                    break;
                }
            }
        }
        assert!(yes > 100 && no > 100, "{yes} {no}");
    }
}
