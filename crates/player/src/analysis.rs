//! What comes of thinking about a position: a move, and what can be said about it.

use game::Game;
use std::fmt;
use std::time::Duration;

/// What a search found, or what a player has to say about its move. Moves are moves inside, and words (`Analysis<String>`)
/// for who only shows them.
///
/// Whoever chooses without a search says nothing but the move: [`Analysis::of_move`].
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The move to play.
    pub best: M,
    /// What the position is worth to the seat to move, on the player's own scale: in its evaluator's units, or for Monte Carlo
    /// searches as the expected payoff, 0 to 100.
    pub value: Option<f64>,
    /// The same as engines say it.
    pub score: Option<Score>,
    /// Whether the value is proved, that is, rests on finished games alone. False also where nobody says so.
    pub solved: bool,
    /// How many moves ahead it looked (a tree search: its longest path).
    pub depth: Option<u32>,
    /// Positions looked at, or games played out.
    pub nodes: Option<u64>,
    /// How long the search took; zero where nothing was searched.
    pub time: Duration,
    /// The principal variation: what all seats are expected to play, `best` first. It may end early.
    pub pv: Vec<M>,
    /// If the move was chosen in two halves: when the first was done, counted from the clock's start.
    pub first_half: Option<Duration>,
    /// If `best` is not the player's own: why it was replaced.
    pub replaced: Option<Replaced>,
}

/// Why the rules of a course put another move in the place of a player's own. Elsewhere such a player loses at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// It came too late.
    Late,
    /// It was not a legal one.
    Illegal,
}

impl<M> Analysis<M> {
    /// A move without a word about it.
    pub const fn of_move(best: M) -> Self {
        Analysis {
            best,
            value: None,
            score: None,
            solved: false,
            depth: None,
            nodes: None,
            time: Duration::ZERO,
            pv: Vec::new(),
            first_half: None,
            replaced: None,
        }
    }

    /// The same in the words of the game, the principal variation as far as it is legal from `position`.
    pub fn in_words<G: Game<Move = M>>(&self, position: &G) -> Analysis<String>
    where
        M: Copy,
    {
        Analysis {
            best: position.print_move(self.best),
            value: self.value,
            score: self.score,
            solved: self.solved,
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            pv: pv_in_words(position, &self.pv),
            first_half: self.first_half,
            replaced: self.replaced,
        }
    }
}

/// A line of play as words, as far as it is legal.
fn pv_in_words<G: Game>(position: &G, pv: &[G::Move]) -> Vec<String> {
    let mut ahead = position.clone();
    let mut words = Vec::new();
    for &mv in pv {
        let word = ahead.print_move(mv);
        if ahead.play(mv).is_err() {
            break;
        }
        words.push(word);
    }
    words
}

/// What a position is worth to who is to move, as engines say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of what the player counts in: its evaluation's unit, a point, or a certain win where games are played
    /// out (100 is won, -100 is lost).
    Cp(i32),
    /// The mover wins in so many moves of its own; below zero, it loses in so many.
    Mate(i32),
}

impl Score {
    /// A value in the player's own units.
    pub fn of_units(value: f64) -> Self {
        Score::Cp((100.0 * value).round() as i32)
    }

    /// What is expected of games that were played out: a payoff, 0 to 100.
    pub fn of_payoff(payoff: f64) -> Self {
        Score::Cp((2.0 * (payoff - 50.0)).round() as i32)
    }

    /// The end is so many plies away, and the mover wins or loses.
    pub fn of_end(wins: bool, plies: u32) -> Self {
        let moves = i32::try_from(plies.div_ceil(2)).unwrap_or(i32::MAX).max(1);
        Score::Mate(if wins { moves } else { -moves })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Score::Cp(hundredths) => write!(f, "cp {hundredths}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_whole_number_in_every_case() {
        assert_eq!(Score::of_units(-0.126).to_string(), "cp -13");
        assert_eq!(Score::of_units(f64::INFINITY).to_string(), "cp 2147483647");
        assert_eq!([0.0, 50.0, 100.0].map(Score::of_payoff), [-100, 0, 100].map(Score::Cp));
        let ends = [
            (true, 1, 1),
            (true, 3, 2),
            (false, 2, -1),
            (false, 4, -2),
            (false, 0, -1),
        ];
        for (wins, plies, moves) in ends {
            assert_eq!(Score::of_end(wins, plies), Score::Mate(moves), "{plies}");
        }
    }
}
