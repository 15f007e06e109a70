//! What a player tells while it thinks.

use game::Game;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

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

/// How a search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// How many moves ahead it has looked.
    pub depth: u32,
    /// What it thinks of the position.
    pub score: Score,
    /// Positions looked at, or games played out.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
    /// The principal variation, a word a move.
    pub pv: Vec<String>,
}

/// How an observer hears.
type Hear = dyn Fn(&SearchInfo) + Send + Sync;

/// Somebody who hears how a search goes while it goes. Clones are the same observer.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Hear>>);

impl Observer {
    /// Nobody.
    pub const fn nobody() -> Self {
        Observer(None)
    }

    /// Whoever hears with this function.
    pub fn new(hear: impl Fn(&SearchInfo) + Send + Sync + 'static) -> Self {
        Observer(Some(Arc::new(hear)))
    }

    /// Whether anybody hears.
    pub fn listens(&self) -> bool {
        self.0.is_some()
    }

    /// Tells how it stands, if anybody hears.
    pub fn tell(&self, info: impl FnOnce() -> SearchInfo) {
        if let Some(hear) = &self.0 {
            hear(&info());
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.listens() { "Observer" } else { "nobody" })
    }
}

/// A line of play as words, as far as it is legal from `position`.
pub fn line_in_words<G: Game>(position: &G, line: &[G::Move]) -> Vec<String> {
    let mut ahead = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        let word = ahead.print_move(mv);
        if ahead.play(mv).is_err() {
            break;
        }
        words.push(word);
    }
    words
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

    #[test]
    fn nobody_costs_nothing_and_somebody_hears() {
        Observer::nobody().tell(|| unreachable!("nobody hears"));
        let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
        let ear = heard.clone();
        let observer = Observer::new(move |info| ear.lock().unwrap().push(info.nodes));
        observer.clone().tell(|| SearchInfo {
            depth: 1,
            score: Score::Cp(0),
            nodes: 7,
            time: Duration::ZERO,
            pv: Vec::new(),
        });
        assert_eq!(*heard.lock().unwrap(), [7]);
    }
}
