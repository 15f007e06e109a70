//! Whole games between novices, fast: what Monte Carlo players spend their time on.

use crate::cell::nth_bit;
use crate::policy::{Novice, playout};
use crate::{ATTRIBUTES, CellSet, PieceSet, Position, Rules};
use game::{Game, Payoffs, Rng, below};

/// Plays to the end as two [`Novice`]s would and says what each seat got.
///
/// The chances are exactly those of [`playout`], the numbers drawn are not: the last turns, whose end is certain, are
/// not played.
pub fn novice_playout(position: &Position, rng: &mut Rng) -> Payoffs {
    // Misère games are rarer and longer; they have no shortcut here.
    if position.rules().misere() || !position.playing() {
        return playout(&Novice, position, rng).outcome().unwrap_or_else(Payoffs::draw);
    }
    let mut board = PlayoutBoard::new(position);
    let mut mover = position.mover();
    let mut hand = position.hand().map(|piece| u32::from(piece.number()));
    loop {
        if let Some(piece) = hand {
            if board.completing_cells(piece) != 0 {
                return Payoffs::win(mover);
            }
            board.put(piece, rng);
            if board.left == 0 {
                return Payoffs::draw();
            }
        }
        let safe = board.left & !board.completing_pieces();
        if safe == 0 {
            // Whatever is given wins.
            return Payoffs::win(mover.other());
        }
        let piece = nth_bit(safe, below(rng, safe.count_ones()));
        board.left ^= 1 << piece;
        hand = Some(piece);
        mover = mover.other();
    }
}

/// The board of a playout. For each value it keeps the cells that would complete a line of it: a placement changes only
/// four of these eight sets, so only four are looked up again.
struct PlayoutBoard {
    rules: &'static Rules,
    having: [[u16; ATTRIBUTES]; 2],
    completing: [[u16; ATTRIBUTES]; 2],
    empty: u16,
    left: u16,
}

impl PlayoutBoard {
    fn new(position: &Position) -> Self {
        let rules = position.rules();
        let having = [0, 1].map(|value| std::array::from_fn(|i| position.having(i, value).0));
        PlayoutBoard {
            rules,
            having,
            completing: having.map(|sets: [u16; ATTRIBUTES]| sets.map(|set| rules.completing(CellSet(set)).0)),
            empty: position.empty().0,
            left: position.left().0,
        }
    }

    #[inline]
    fn completing_cells(&self, piece: u32) -> u16 {
        let cells = (0..ATTRIBUTES).fold(0, |cells, i| cells | self.completing[(piece >> i & 1) as usize][i]);
        cells & self.empty
    }

    /// Puts a piece on a random empty cell.
    #[inline]
    fn put(&mut self, piece: u32, rng: &mut Rng) {
        let cell = 1 << nth_bit(self.empty, below(rng, self.empty.count_ones()));
        self.empty ^= cell;
        for i in 0..ATTRIBUTES {
            let value = (piece >> i & 1) as usize;
            self.having[value][i] |= cell;
            self.completing[value][i] = self.rules.completing(CellSet(self.having[value][i])).0;
        }
    }

    /// The pieces, used or not, that complete a line somewhere.
    #[inline]
    fn completing_pieces(&self) -> u16 {
        let mut pieces = 0;
        for (value, sets) in self.completing.iter().enumerate() {
            for (i, cells) in sets.iter().enumerate() {
                // A mask instead of a branch: whether there is such a cell is close to a coin toss.
                pieces |= PieceSet::WITH[i][value].0 & 0u16.wrapping_sub(u16::from(cells & self.empty != 0));
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Seat, rng};

    /// How often each seat wins, of 100,000 games.
    fn wins(position: &Position, play: impl Fn(&Position, &mut Rng) -> Payoffs) -> [f64; 2] {
        let mut rng = rng(3);
        let mut wins = [0.0; 2];
        for _ in 0..100_000 {
            if let Some(winner) = play(position, &mut rng).winner() {
                wins[winner.index()] += 1.0;
            }
        }
        wins
    }

    #[test]
    fn the_fast_playout_has_the_chances_of_the_plain_one() {
        for (rules, text) in Rules::all().flat_map(|rules| {
            [
                "..../..../..../.... -",
                "0.../.6../..../.... 3",
                "01../.6../..9./...c 3",
            ]
            .map(|text| (rules, text))
        }) {
            let position = Position::new(rules).parse(text).expect("a position");
            let fast = wins(&position, novice_playout);
            let plain = wins(&position, |position, rng| {
                playout(&Novice, position, rng).outcome().expect("the end")
            });
            for (fast, plain) in fast.into_iter().zip(plain) {
                // The difference of two counts of 100,000 games has a standard deviation of at most 224.
                assert!((fast - plain).abs() < 1000.0, "{position:?}: {fast} and {plain}");
            }
        }
    }

    #[test]
    fn a_finished_game_keeps_its_result() {
        let position = Position::new(Rules::standard()).parse("0123/..../..../.... -");
        let outcome = position.map(|position| novice_playout(&position, &mut rng(1)).winner());
        assert_eq!(outcome, Ok(Some(Seat::FIRST)));
    }
}
