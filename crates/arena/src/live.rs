//! Games that are being played, for who looks on.
//!
//! Most tournaments are watched by nobody, and their games may be over in microseconds: so nothing is shown until somebody looks, and
//! nothing any more once nobody has looked for many turns.

use crate::record::GameRecorder;
use crate::referee::{GameObserver, PartTimes};
use game::{Game, Seat};
use parking_lot::Mutex;
use player::Analysis;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// After so many turns in which nobody looked, nobody is thought to look on.
const PATIENCE: u64 = 20_000;

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// The number of its pair.
    pub pair: u64,
    /// Which game of the pair, from 0.
    pub game: u64,
    /// The players by number, as they sit.
    pub players: [usize; 2],
    /// The position it began from, if not the first one.
    pub start: Option<String>,
    /// The turns so far, those of its opening among them.
    pub turns: String,
}

/// The games of a tournament that are being played here.
#[derive(Debug, Default)]
pub struct LiveGames {
    /// Turns that are still shown.
    shown: AtomicU64,
    games: Mutex<BTreeMap<u64, LiveGame>>,
}

impl LiveGames {
    /// The games as they stand, in the order of their pairs. Of a game nothing is known until its next turn if nobody looked on so far.
    pub fn look(&self) -> Vec<LiveGame> {
        self.shown.store(PATIENCE, Ordering::Relaxed);
        self.games.lock().values().cloned().collect()
    }

    /// Whether somebody looks on.
    #[inline]
    fn is_watched(&self) -> bool {
        self.shown.load(Ordering::Relaxed) > 0
    }

    fn show(&self, game: &LiveGame, more: &str) {
        let less = |left: u64| left.checked_sub(1);
        let _ = self.shown.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        let mut shown = game.clone();
        shown.turns = format!("{} {more}", game.turns).trim().into();
        self.games.lock().insert(game.pair, shown);
    }

    /// A pair is over.
    pub(crate) fn forget(&self, pair: u64) {
        let mut games = self.games.lock();
        if !games.is_empty() {
            games.remove(&pair);
        }
    }
}

/// Writes a game down, and shows it to who looks on.
pub(crate) struct Shown<'a> {
    pub recorder: GameRecorder,
    pub live: &'a LiveGames,
    /// The game as it began.
    pub game: LiveGame,
}

impl<G: Game> GameObserver<G> for Shown<'_> {
    #[inline]
    fn turn(&mut self, position: &G, seat: Seat, analysis: &Analysis<G::Move>, times: PartTimes) {
        self.recorder.turn(position, seat, analysis, times);
        if self.live.is_watched() {
            self.live.show(&self.game, self.recorder.turns());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(pair: u64) -> LiveGame {
        LiveGame {
            pair,
            game: 0,
            players: [0, 1],
            start: None,
            turns: "-.0".into(),
        }
    }

    #[test]
    fn a_game_is_shown_while_somebody_looks_and_forgotten_with_its_pair() {
        let live = LiveGames::default();
        assert!(!live.is_watched());
        assert!(live.look().is_empty() && live.is_watched());
        live.show(&game(3), "a1.1");
        live.show(&game(2), "");
        let turns: Vec<String> = live.look().into_iter().map(|game| game.turns).collect();
        assert_eq!(turns, ["-.0", "-.0 a1.1"]);
        live.forget(3);
        assert_eq!(live.look().len(), 1);
        for _ in 0..PATIENCE {
            live.show(&game(2), "");
        }
        assert!(!live.is_watched());
    }
}
