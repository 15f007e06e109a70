//! The terms a game is played on: who may think how long, and when the referee stops waiting.

use crate::adjudication::Adjudication;
use game::{MAX_SEATS, Seat};
use player::{Bank, Clock, PlayerError};
pub use process::ResourceLimits;
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
    /// So long for the whole game, or for a session of so many moves, and more with every move.
    Game {
        /// For the game, or for each session.
        time: Duration,
        /// For every move made.
        increment: Duration,
        /// How many moves a session has; then `time` is added again.
        moves: Option<u32>,
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
    /// What else ends a game before the rules do.
    pub adjudication: Adjudication,
    /// What a program outside may use.
    pub limits: ResourceLimits,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            control: TimeControl::None,
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(60),
            max_turns: None,
            adjudication: Adjudication::default(),
            limits: ResourceLimits::default(),
        }
    }
}

/// A seat's time for a whole game.
#[derive(Clone, Copy, Default)]
struct SeatClock {
    left: Duration,
    /// Moves made, for controls that count them.
    made: u32,
}

/// The clocks of a running game.
pub(crate) struct RefereeClocks<'a> {
    terms: &'a Terms,
    /// What limits thinking seat by seat, where the players differ; else nothing.
    controls: &'a [TimeControl],
    /// What each seat has of its time for the game; nobody's where no such clock runs.
    seats: Vec<SeatClock>,
    /// The clock of who was asked last. One serves all games of a thread: a move of a random player is quicker than a clone of
    /// the stop sign in it, and threads that count the clones of one sign wait for each other.
    clock: &'a mut Clock,
}

impl<'a> RefereeClocks<'a> {
    /// The clocks of a game that begins now. Where nobody needs the time, it is not looked at.
    #[inline]
    pub fn new(terms: &'a Terms, controls: &'a [TimeControl], clock: &'a mut Clock, timed: bool) -> Self {
        let of_game = |control: &TimeControl| matches!(control, TimeControl::Game { .. });
        let seats = match of_game(&terms.control) || controls.iter().any(of_game) {
            true => (0..MAX_SEATS)
                .map(|seat| SeatClock {
                    left: match controls.get(seat).unwrap_or(&terms.control) {
                        TimeControl::Game { time, .. } => *time,
                        _ => Duration::ZERO,
                    },
                    made: 0,
                })
                .collect(),
            false => Vec::new(),
        };
        clock.measured = timed;
        match timed {
            true => clock.started = Instant::now(),
            false => clock.patience = Some(terms.patience),
        }
        RefereeClocks {
            terms,
            controls,
            seats,
            clock,
        }
    }

    /// What limits the thinking of a seat.
    #[inline]
    fn control(&self, seat: Seat) -> TimeControl {
        *self.controls.get(seat.index()).unwrap_or(&self.terms.control)
    }

    /// The clocks as the mover sees them: those of two seats, which is what protocols know, or its own where there are more.
    fn bank(&self, mover: Seat, moves: Option<u32>) -> Bank {
        let shown = match mover.index() {
            0 | 1 => [Seat::FIRST, Seat::SECOND],
            _ => [mover; 2],
        };
        Bank {
            left: shown.map(|seat| self.seats[seat.index()].left),
            increment: shown.map(|seat| match self.control(seat) {
                TimeControl::Game { increment, .. } => increment,
                _ => Duration::ZERO,
            }),
            moves_to_go: moves.map(|moves| moves - self.seats[mover.index()].made % moves),
        }
    }

    /// When the game began.
    #[inline]
    pub fn now(&self) -> Instant {
        self.clock.started
    }

    /// The clock of a player who is asked in a game where nobody needs the time.
    #[inline]
    pub fn unread(&self) -> &Clock {
        self.clock
    }

    /// The clock of a player who is asked now.
    #[inline]
    pub fn start(&mut self, seat: Seat, now: Instant) -> &Clock {
        let control = self.control(seat);
        let bank = match control {
            TimeControl::Game { moves, .. } => Some(self.bank(seat, moves)),
            _ => None,
        };
        let clock = &mut *self.clock;
        clock.started = now;
        if !self.controls.is_empty() {
            // What the other one may do says nothing about this one.
            (clock.time, clock.nodes, clock.depth, clock.bank) = (None, None, None, None);
        }
        let margin = self.terms.margin;
        let patience = match control {
            TimeControl::None => self.terms.patience,
            TimeControl::Move(time) => {
                clock.time = Some(time);
                time + margin
            }
            TimeControl::Game { .. } => {
                clock.bank = bank;
                clock.time = bank.map(|bank| bank.share(seat));
                self.seats[seat.index()].left + margin
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
            return Err(late(self.control(seat), used));
        }
        if let TimeControl::Game { time, increment, moves } = self.control(seat) {
            let mine = &mut self.seats[seat.index()];
            mine.left = mine.left.saturating_sub(used) + increment;
            mine.made += 1;
            if moves.is_some_and(|moves| mine.made.is_multiple_of(moves)) {
                mine.left += time;
            }
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
    "cannot read time control {0:?}: expected none, move=100ms, game=10s, game=10s+100ms, game=40/10s+100ms, nodes=5000 or depth=4 \
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
                let (moves, times) = match times.split_once('/') {
                    Some((moves, times)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), times),
                    None => (None, times),
                };
                let (time, increment) = times.split_once('+').unwrap_or((times, "0s"));
                Some(TimeControl::Game {
                    time: duration(time)?,
                    increment: duration(increment)?,
                    moves,
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
            TimeControl::Game { time, increment, moves } => {
                let session = moves.map_or(String::new(), |moves| format!("{moves}/"));
                write!(
                    f,
                    "game={session}{}+{}",
                    print_duration(time),
                    print_duration(increment)
                )
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
            "game=40/60s+0s",
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
            "game=0/1s",
            "game=x/1s",
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
        let mut clocks = RefereeClocks::new(&terms, &[], &mut clock, true);
        let clock = clocks.start(Seat::FIRST, Instant::now());
        assert!(clock.time.unwrap() < Duration::from_secs(1));
        clocks.stop(Seat::FIRST, Duration::from_millis(600)).unwrap();
        assert_eq!(clocks.seats[0].left, Duration::from_millis(500));
        assert_eq!(clocks.seats[1].left, Duration::from_secs(1));
        clocks.start(Seat::FIRST, Instant::now());
        let late = clocks.stop(Seat::FIRST, Duration::from_millis(501));
        assert!(matches!(late, Err(PlayerError::Timeout(_))), "{late:?}");
    }

    #[test]
    fn without_a_clock_only_patience_is_lost() {
        let terms = Terms::default();
        let mut clock = Clock::unlimited();
        let mut clocks = RefereeClocks::new(&terms, &[], &mut clock, true);
        let clock = clocks.start(Seat::SECOND, Instant::now());
        assert_eq!((clock.time, clock.patience), (None, Some(terms.patience)));
        let late = clocks.stop(Seat::SECOND, terms.patience * 2);
        assert!(matches!(late, Err(PlayerError::Stall(_))), "{late:?}");
    }

    #[test]
    fn a_session_of_moves_brings_more_time_and_says_how_far_it_is() {
        let terms = Terms {
            control: "game=2/1s+100ms".parse().unwrap(),
            ..Terms::default()
        };
        let mut clock = Clock::unlimited();
        let mut clocks = RefereeClocks::new(&terms, &[], &mut clock, true);
        let ms = Duration::from_millis;
        let mut to_go = Vec::new();
        for used in [ms(900), ms(200), ms(300)] {
            to_go.push(clocks.start(Seat::FIRST, Instant::now()).bank.unwrap().moves_to_go);
            clocks.stop(Seat::FIRST, used).unwrap();
        }
        assert_eq!(to_go, [Some(2), Some(1), Some(2)]);
        // 1000 - 900 + 100, - 200 + 100 + 1000, - 300 + 100
        assert_eq!((clocks.seats[0].left, clocks.seats[1].left), (ms(900), ms(1000)));
    }

    #[test]
    fn each_seat_has_the_clock_of_its_own_player() {
        let controls = ["move=50ms", "nodes=7"].map(|text| text.parse().unwrap());
        let terms = Terms::default();
        let mut clock = Clock::unlimited();
        let mut clocks = RefereeClocks::new(&terms, &controls, &mut clock, true);
        for _ in 0..2 {
            let clock = clocks.start(Seat::FIRST, Instant::now());
            assert_eq!((clock.time, clock.nodes), (Some(Duration::from_millis(50)), None));
            let clock = clocks.start(Seat::SECOND, Instant::now());
            assert_eq!((clock.time, clock.nodes), (None, Some(7)));
        }
        clocks.start(Seat::FIRST, Instant::now());
        assert!(matches!(
            clocks.stop(Seat::FIRST, Duration::from_secs(1)),
            Err(PlayerError::Timeout(_))
        ));
    }

    #[test]
    fn a_third_seat_has_a_clock_too() {
        let terms = Terms {
            control: "game=1s".parse().unwrap(),
            ..Terms::default()
        };
        let mut clock = Clock::unlimited();
        let mut clocks = RefereeClocks::new(&terms, &[], &mut clock, true);
        let third = Seat::new(2);
        clocks.start(third, Instant::now());
        clocks.stop(third, Duration::from_millis(400)).unwrap();
        let clock = clocks.start(third, Instant::now());
        assert_eq!(clock.bank.unwrap().left, [Duration::from_millis(600); 2]);
        assert!(clock.time.unwrap() < Duration::from_millis(600));
    }
}
