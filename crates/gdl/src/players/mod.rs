//! The players of games from rule sheets.

mod general;
mod loisel;

use crate::{Move, Position};
use game::{Game, Rng, Seat, Until, pick, rng};
use player::{
    Analysis, Cadence, Clock, OptionHelp, Options, Player, PlayerEntry, PlayerError, PlayerFactory, Roster, Score,
    SpecError, stricter,
};
use search::players::random_entry;
use std::sync::Arc;
use std::time::Duration;

pub(crate) type Maker = player::Maker<Position>;

/// The players of any game from a rule sheet, weakest first.
pub fn roster() -> Roster<Position> {
    Roster::new(vec![
        random_entry(),
        PlayerEntry::new("montecarlo", MONTECARLO, MONTECARLO_OPTIONS, montecarlo),
        PlayerEntry::new("loisel", loisel::SUMMARY, loisel::OPTIONS, loisel::prepare),
        PlayerEntry::new("general", general::SUMMARY, general::OPTIONS, general::prepare),
    ])
}

/// What makes players of a spec.
///
/// # Errors
///
/// Says what is wrong with the spec.
pub fn factory(spec: &str) -> Result<PlayerFactory<Position>, SpecError> {
    roster().factory(spec)
}

/// The clock of the players that think as long as they may.
pub(crate) const TIME: OptionHelp = OptionHelp {
    key: "time",
    default: "the match's clock, else 1s",
    help: "the clock for a move, such as 100ms or 2s",
};

const MONTECARLO: &str = "plays random games after every move, hundreds at once, and takes the move that paid most";
const MONTECARLO_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "playouts",
        default: "1024",
        help: "games for each move, 1 to 10000000",
    },
    OptionHelp {
        key: "time",
        default: "none",
        help: "the clock for a move, such as 100ms or 2s",
    },
];

fn montecarlo(options: Options) -> Result<Maker, SpecError> {
    let playouts = options.number("playouts", 1, 10_000_000)?;
    let time = options.time("time")?;
    Ok(Arc::new(move || {
        Box::new(MonteCarlo {
            playouts,
            time,
            rng: rng(0),
        })
    }))
}

/// Flat Monte Carlo on many games at once. Where others choose at the same time, they are taken to choose at random.
struct MonteCarlo {
    /// Games for each move, if its options say so.
    playouts: Option<u64>,
    time: Option<Duration>,
    rng: Rng,
}

/// Games for each move where nobody says anything else.
const PLAYOUTS: u64 = 1024;

/// At most so many games are played at once, all moves together: enough to fill the lanes of the machine some times over.
const ROUND: u64 = 1024;

impl Player<Position> for MonteCarlo {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Move>, PlayerError> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mover = position.mover();
        let time = stricter(self.time, clock.time);
        let until = Until {
            deadline: time.map(|time| clock.started + time.saturating_sub(margin(time))),
            stop: clock.stop.clone(),
        };
        // What it does by default is for who has no clock.
        let by_default = || if clock.is_set() { u64::MAX } else { PLAYOUTS };
        let share = clock.nodes.map(|nodes| (nodes / moves.len().max(1) as u64).max(1));
        let playouts = stricter(self.playouts, share).unwrap_or_else(by_default);
        let mut sums = vec![0.0; moves.len()];
        let mut games = vec![0u64; moves.len()];
        let so_far = |sums: &[f64], games: &[u64]| {
            let mean = |at: usize| sums[at] / games[at].max(1) as f64;
            let best = (0..moves.len()).max_by(|&a, &b| mean(a).total_cmp(&mean(b)))?;
            Some(Analysis {
                value: Some(mean(best)),
                score: Some(Score::of_payoff(mean(best))),
                depth: Some(1),
                nodes: Some(games.iter().sum()),
                time: clock.elapsed(),
                pv: vec![moves[best]],
                ..Analysis::of_move(moves[best])
            })
        };
        let mut cadence = Cadence::new();
        // Rounds of all moves, growing from one game each: whenever the time is up, every move had its share, and however few
        // games are wanted, they are played side by side.
        let (mut played, mut each) = (0, 1);
        while played < playouts && !until.is_over() {
            each = each.min(playouts - played);
            let next: Vec<Position> = moves
                .iter()
                .map(|&mv| joined(position, mover, mv, &mut self.rng))
                .collect();
            let states: Vec<_> = next.iter().map(Position::state).collect();
            let sample = position.machine().sample(&states, each, &until, &mut self.rng);
            let sample = sample.map_err(|error| PlayerError::Crash(error.to_string()))?;
            for at in 0..moves.len() {
                let count = sample.games(at);
                sums[at] += count as f64 * sample.mean(at, mover.index()).unwrap_or(0.0);
                games[at] += count;
            }
            played += each;
            each = (2 * each).min((ROUND / moves.len().max(1) as u64).max(1));
            if clock.observer.listens()
                && cadence.is_due()
                && let Some(analysis) = so_far(&sums, &games)
            {
                clock.observer.tell(position, &analysis);
            }
        }
        so_far(&sums, &games).ok_or(PlayerError::Finished)
    }
}

/// The position after `mover` plays `mv` and all others who are asked at the same state play at random, whatever those
/// before it have chosen already: it is not for a player to know.
fn joined(position: &Position, mover: Seat, mv: Move, rng: &mut Rng) -> Position {
    let mut next = position.public();
    let mut legal = Vec::new();
    for seat in position.asked() {
        next.legal_moves(&mut legal);
        let chosen = if seat == mover { Some(mv) } else { pick(rng, &legal) };
        if let Some(mv) = chosen {
            next.play_unchecked(mv);
        }
    }
    next
}

/// What is left of a clock for what a player does not control. Half of a short clock at most: who gets five milliseconds is to think, too.
pub(crate) fn margin(time: Duration) -> Duration {
    (time / 10)
        .clamp(Duration::from_millis(5), Duration::from_millis(200))
        .min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_leaves_time_to_think() {
        for ms in [1, 4, 5, 10, 50, 1000, 60_000] {
            let time = Duration::from_millis(ms);
            assert!(margin(time) <= time / 2, "{ms} ms");
        }
        assert_eq!(margin(Duration::from_secs(1)), Duration::from_millis(100));
        assert_eq!(margin(Duration::from_secs(60)), Duration::from_millis(200));
    }
}
