//! The terms a game is played on: who may think how long, and when the referee stops waiting.

use game::Seat;
use player::{Bank, Clock, PlayerError};
pub use process::Limits;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What limits a player's thinking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// Nothing but the referee's patience.
    #[default]
    None,
    /// So long for every move.
    Move(Duration),
    /// So long for the whole game, and more with every move.
    Game {
        /// For the game.
        time: Duration,
        /// For every move made.
        increment: Duration,
    },
    /// So many positions a move.
    Nodes(u64),
    /// So many moves ahead.
    Depth(u32),
}

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What limits thinking.
    pub control: TimeControl,
    /// How late an answer may be: pipes and schedulers take their share.
    pub margin: Duration,
    /// How long the referee waits for an answer where no clock runs.
    pub patience: Duration,
    /// After so many turns the game is adjudicated a draw.
    pub max_turns: Option<u32>,
    /// What a program outside may use.
    pub limits: Limits,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            control: TimeControl::None,
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(60),
            max_turns: None,
            limits: Limits::default(),
        }
    }
}

/// The clocks of a running game.
pub(crate) struct Clocks<'a> {
    pub terms: &'a Terms,
    left: [Duration; 2],
    /// The clock of who was asked last. One serves all games of a thread: a move of a random player is quicker than a clone of
    /// the stop sign in it, and threads that count the clones of one sign wait for each other.
    clock: &'a mut Clock,
}

impl<'a> Clocks<'a> {
    /// The clocks of a game that begins now. Where nobody needs the time, it is not looked at.
    pub fn new(terms: &'a Terms, clock: &'a mut Clock, timed: bool) -> Self {
        let left = match terms.control {
            TimeControl::Game { time, .. } => [time; 2],
            _ => [Duration::ZERO; 2],
        };
        clock.measured = timed;
        if timed {
            clock.started = Instant::now();
        }
        Clocks { terms, left, clock }
    }

    /// When the game began.
    pub fn now(&self) -> Instant {
        self.clock.started
    }

    /// The clock of a player who is asked now.
    #[inline]
    pub fn start(&mut self, seat: Seat, now: Instant) -> &Clock {
        let clock = &mut *self.clock;
        clock.started = now;
        let margin = self.terms.margin;
        let patience = match self.terms.control {
            TimeControl::None => self.terms.patience,
            TimeControl::Move(time) => {
                clock.time = Some(time);
                time + margin
            }
            TimeControl::Game { increment, .. } => {
                let left = self.left[seat.index()];
                let bank = Bank {
                    left: self.left,
                    increment,
                };
                clock.bank = Some(bank);
                clock.time = Some(bank.share(seat));
                left + margin
            }
            TimeControl::Nodes(nodes) => {
                clock.nodes = Some(nodes);
                self.terms.patience
            }
            TimeControl::Depth(depth) => {
                clock.depth = Some(depth);
                self.terms.patience
            }
        };
        clock.patience = Some(patience);
        clock
    }

    /// Takes the time a player used; an error if it was more than it had.
    #[inline]
    pub fn stop(&mut self, seat: Seat, used: Duration) -> Result<(), PlayerError> {
        if self.clock.patience.is_some_and(|patience| used > patience) {
            return Err(late(self.terms.control, used));
        }
        if let TimeControl::Game { increment, .. } = self.terms.control {
            let left = &mut self.left[seat.index()];
            *left = left.saturating_sub(used) + increment;
        }
        Ok(())
    }
}

fn late(control: TimeControl, used: Duration) -> PlayerError {
    match control {
        TimeControl::Move(_) | TimeControl::Game { .. } => PlayerError::Timeout(format!("answered after {used:.1?}")),
        _ => PlayerError::Stall(format!("answered after {used:.1?}")),
    }
}

/// What a text that should be a time control is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "cannot read time control {0:?}: expected none, move=100ms, game=10s, game=10s+100ms, nodes=5000 or depth=4 \
     (times in us, ms, s or m)"
)]
pub struct TimeError(String);

/// Reads a time such as `100ms`, `2s`, `1.5s`.
pub fn duration(text: &str) -> Option<Duration> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let number: f64 = text[..unit].parse().ok()?;
    let scale = match &text[unit..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    // A clock of a year is surely a slip, and keeps sums of times from overflowing.
    Duration::try_from_secs_f64(number * scale)
        .ok()
        .filter(|time| time.as_secs() < 365 * 86_400)
}

/// A time as [`duration`] reads it.
pub fn print_duration(time: Duration) -> String {
    match (time.as_micros(), time.as_millis(), time.as_secs()) {
        (us, ms, _) if us != ms * 1000 => format!("{us}us"),
        (_, ms, s) if ms != u128::from(s) * 1000 => format!("{ms}ms"),
        (_, _, s) => format!("{s}s"),
    }
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let read = || match text.split_once('=') {
            None => (text == "none").then_some(TimeControl::None),
            Some(("move", time)) => duration(time).map(TimeControl::Move),
            Some(("game", times)) => {
                let (time, increment) = times.split_once('+').unwrap_or((times, "0s"));
                Some(TimeControl::Game {
                    time: duration(time)?,
                    increment: duration(increment)?,
                })
            }
            Some(("nodes", nodes)) => nodes.parse().ok().filter(|&n| n > 0).map(TimeControl::Nodes),
            Some(("depth", depth)) => depth.parse().ok().filter(|&n| n > 0).map(TimeControl::Depth),
            Some(_) => None,
        };
        read().ok_or_else(|| TimeError(text.into()))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            TimeControl::None => f.write_str("none"),
            TimeControl::Move(time) => write!(f, "move={}", print_duration(time)),
            TimeControl::Game { time, increment } => {
                write!(f, "game={}+{}", print_duration(time), print_duration(increment))
            }
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_round_trips() {
        for text in [
            "none",
            "move=100ms",
            "game=10s+100ms",
            "game=1500us+0s",
            "nodes=5000",
            "depth=4",
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!(
            "game=1.5s".parse::<TimeControl>().unwrap().to_string(),
            "game=1500ms+0s"
        );
    }

    #[test]
    fn a_wrong_time_control_says_what_would_do() {
        for text in [
            "",
            "move",
            "move=10",
            "move=-1s",
            "nodes=0",
            "game=1s+x",
            "move=1e300s",
            "depth=x",
            "move=NaNs",
        ] {
            let message = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(message.contains("expected none, move=100ms"), "{text}: {message}");
        }
    }

    #[test]
    fn a_game_clock_runs_down_and_is_given_its_increment() {
        let terms = Terms {
            control: "game=1s+100ms".parse().unwrap(),
            margin: Duration::ZERO,
            ..Terms::default()
        };
        let mut clock = Clock::unlimited();
        let mut clocks = Clocks::new(&terms, &mut clock, true);
        let clock = clocks.start(Seat::FIRST, Instant::now());
        assert!(clock.time.unwrap() < Duration::from_secs(1));
        clocks.stop(Seat::FIRST, Duration::from_millis(600)).unwrap();
        assert_eq!(clocks.left, [Duration::from_millis(500), Duration::from_secs(1)]);
        clocks.start(Seat::FIRST, Instant::now());
        let late = clocks.stop(Seat::FIRST, Duration::from_millis(501));
        assert!(matches!(late, Err(PlayerError::Timeout(_))), "{late:?}");
    }

    #[test]
    fn without_a_clock_only_patience_is_lost() {
        let terms = Terms::default();
        let mut clock = Clock::unlimited();
        let mut clocks = Clocks::new(&terms, &mut clock, true);
        let clock = clocks.start(Seat::SECOND, Instant::now());
        assert_eq!((clock.time, clock.patience), (None, Some(terms.patience)));
        let late = clocks.stop(Seat::SECOND, terms.patience * 2);
        assert!(matches!(late, Err(PlayerError::Stall(_))), "{late:?}");
    }
}
