//! One game: asks the players in turn, checks every move, keeps the time.

use crate::tally::TurnTimes;
use game::{Game, Parts, Payoffs, Seat};
use players::{Clock, Player, PlayerError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By the rules.
    Finished(Payoffs),
    /// By a player who broke them.
    Forfeit {
        /// Whose fault it was.
        seat: Seat,
        /// What happened.
        fault: Fault,
    },
}

/// What costs a player the game at once.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A move that the rules do not allow.
    #[error("illegal move {mv} in {position}: {why}")]
    Illegal {
        /// The move.
        mv: String,
        /// Where.
        position: String,
        /// Why not.
        why: String,
    },
    /// No move at all.
    #[error(transparent)]
    NoMove(#[from] PlayerError),
}

impl Verdict {
    /// The seat that won, if one did.
    pub fn winner(&self) -> Option<Seat> {
        match self {
            Verdict::Finished(payoffs) => payoffs.winner(),
            Verdict::Forfeit { seat, .. } => Some(seat.other()),
        }
    }
}

/// Plays a game for two from `start`. `times[seat]` takes the time of each turn. Returns the verdict and the number of
/// turns played.
pub fn play<G: Game>(start: &G, seats: [&mut dyn Player<G>; 2], times: [&mut TurnTimes; 2]) -> (Verdict, u32) {
    let mut position = start.clone();
    let mut turns = 0;
    // The end of one turn is the beginning of the next: a clock reading costs as much as a random player's turn.
    let mut now = Instant::now();
    loop {
        if let Some(payoffs) = position.outcome() {
            return (Verdict::Finished(payoffs), turns);
        }
        let seat = position.mover();
        let clock = Clock::started_at(now);
        let thought = match seats[seat.index()].choose(&position, &clock) {
            Ok(thought) => thought,
            Err(error) => {
                let fault = error.into();
                return (Verdict::Forfeit { seat, fault }, turns);
            }
        };
        now = Instant::now();
        if !position.is_legal(thought.mv) {
            let fault = Fault::Illegal {
                mv: position.print_move(thought.mv),
                position: position.print(),
                why: position.why_illegal(thought.mv),
            };
            return (Verdict::Forfeit { seat, fault }, turns);
        }
        let used = now.duration_since(clock.started);
        times[seat.index()].add(split(used, thought.placed_after, position.parts(thought.mv)));
        position.play_unchecked(thought.mv);
        turns += 1;
    }
}

/// The time for placing and for giving. A player that decides both at once has spent it on the placement.
fn split(used: Duration, placed_after: Option<Duration>, parts: Parts) -> (Option<Duration>, Option<Duration>) {
    match parts {
        Parts::Place => (Some(used), None),
        Parts::Give => (None, Some(used)),
        Parts::Both => {
            let place = placed_after.map_or(used, |placed| placed.min(used));
            (Some(place), Some(used - place))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::{Thought, recipe};
    use quarto::{Cell, Piece, Position, Rules, Turn};

    /// Says the same turn whatever is asked.
    struct Parrot(Turn);

    impl Player<Position> for Parrot {
        fn begin(&mut self, _: u64) {}

        fn choose(&mut self, _: &Position, _: &Clock) -> Result<Thought<Turn>, PlayerError> {
            Ok(Thought::silent(self.0))
        }
    }

    #[test]
    fn an_illegal_move_costs_the_game_and_is_explained() {
        let start = Position::new(Rules::standard());
        let mut random = recipe::<Position>("random").unwrap().make();
        let mut parrot = Parrot(Turn {
            place: Cell::new(0),
            give: Piece::new(1),
        });
        let mut times = [TurnTimes::default(), TurnTimes::default()];
        let [a, b] = &mut times;
        let (verdict, turns) = play(&start, [&mut parrot, random.as_mut()], [a, b]);
        let Verdict::Forfeit { seat, fault } = &verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!((*seat, turns), (Seat::FIRST, 0));
        assert_eq!(verdict.winner(), Some(Seat::SECOND));
        assert!(fault.to_string().contains("no piece is in hand"), "{fault}");
    }

    #[test]
    fn time_is_split_where_the_player_says_so() {
        let ms = Duration::from_millis;
        assert_eq!(split(ms(5), None, Parts::Both), (Some(ms(5)), Some(ms(0))));
        assert_eq!(split(ms(5), Some(ms(2)), Parts::Both), (Some(ms(2)), Some(ms(3))));
        assert_eq!(split(ms(5), Some(ms(9)), Parts::Both), (Some(ms(5)), Some(ms(0))));
        assert_eq!(split(ms(5), Some(ms(0)), Parts::Give), (None, Some(ms(5))));
    }
}
