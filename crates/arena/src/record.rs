//! What is kept of a pair of games, and how it is written.
//!
//! Turns, times and what the players said are lines of text: a person can read them in the database, and one row holds
//! a whole pair. A time is `PLACE+GIVE` in nanoseconds (`120+80`, `120`, `+80`); seats alternate from the first one, and
//! a `!` before a time marks each turn where they did not; an `l` or `i` marks one that was replaced, because it was late or
//! illegal. After the turns may stand the processor time of programs outside in that game, by seat, in microseconds:
//! `cpu=1200/-`, with `-` for who is none. A saying is `VALUE/DEPTH/NODES` with `-` for what was not said.

use crate::referee::{Ended, GameObserver, PartTimes, Verdict, VerdictKind};
use crate::tally::TurnTimes;
use game::{Game, Seat};
use player::{Analysis, Replaced};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::time::Duration;

/// One game as it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Columns", try_from = "Columns")]
pub struct GameRecord {
    /// How it ended.
    pub kind: VerdictKind,
    /// Who won.
    pub winner: Option<Seat>,
    /// What happened, if somebody forfeited or the referee ended it; else the game's own points, if it counts any: `140:141 points`.
    pub detail: String,
    /// The turns of the players, after the opening.
    pub turns: String,
    /// The time of each turn.
    pub times: String,
    /// What was said with each turn; empty if nothing ever was.
    pub says: String,
    /// What the players wrote beside their moves (an engine's standard error), shortened.
    pub log: String,
    /// How many turns.
    pub turn_count: u32,
    /// The times by seat.
    pub clocks: [TurnTimes; 2],
}

/// A game as it is written: all else of a record follows from this.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Columns {
    pub verdict: String,
    /// 1 or 2.
    pub winner: Option<u8>,
    pub detail: String,
    pub turns: String,
    pub times: String,
    pub says: String,
    pub log: String,
}

impl From<GameRecord> for Columns {
    fn from(game: GameRecord) -> Self {
        Columns {
            verdict: game.kind.word().into(),
            winner: game.winner.map(|seat| seat.index() as u8 + 1),
            detail: game.detail,
            turns: game.turns,
            times: game.times,
            says: game.says,
            log: game.log,
        }
    }
}

impl TryFrom<Columns> for GameRecord {
    type Error = &'static str;

    fn try_from(columns: Columns) -> Result<Self, &'static str> {
        Ok(GameRecord {
            kind: VerdictKind::of_word(&columns.verdict).ok_or("not a verdict")?,
            winner: match columns.winner {
                None => None,
                Some(1) => Some(Seat::FIRST),
                Some(2) => Some(Seat::SECOND),
                Some(_) => return Err("not a seat"),
            },
            detail: columns.detail,
            turn_count: columns.turns.split_ascii_whitespace().count() as u32,
            clocks: clocks_of(&columns.times).ok_or("not the times of turns")?,
            turns: columns.turns,
            times: columns.times,
            says: columns.says,
            log: columns.log,
        })
    }
}

/// A pair of games: the same opening, the seats swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRecord {
    /// Its number in the tournament.
    pub number: u64,
    /// The player on the first seat of the first game.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Which pair of these two players.
    pub round: u64,
    /// What all its chance was drawn from.
    pub seed: u64,
    /// The position it began from, if that is not the game's own first.
    pub start: Option<String>,
    /// The turns played before the players were asked.
    pub opening: String,
    /// The two games.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// Which player sat on `seat` of game number `game`.
    pub fn sitting(&self, game: usize, seat: Seat) -> usize {
        if (game == 0) == (seat == Seat::FIRST) {
            self.first
        } else {
            self.second
        }
    }

    /// What the first player made of the pair in half points: 0 to 4.
    pub fn half_points(&self) -> usize {
        self.games[0].half_points(Seat::FIRST) + self.games[1].half_points(Seat::SECOND)
    }
}

impl GameRecord {
    /// Adds the processor time of programs outside to the record of a game, by seat.
    pub(crate) fn add_processor_times(&mut self, taken: [Option<Duration>; 2]) {
        if taken == [None; 2] {
            return;
        }
        let [first, second] = taken.map(|time| time.map_or("-".into(), |time| time.as_micros().to_string()));
        let gap = if self.times.is_empty() { "" } else { " " };
        let _ = write!(self.times, "{gap}{PROCESSOR}{first}/{second}");
        count_processor_times(&mut self.clocks, taken);
    }

    /// The game's own points by seat, if it counts any and nobody forfeited.
    pub fn points(&self) -> Option<[i32; 2]> {
        let (first, second) = self.detail.strip_suffix(POINTS)?.split_once(':')?;
        Some([first.parse().ok()?, second.parse().ok()?])
    }

    /// 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(&self, seat: Seat) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == seat),
        }
    }
}

fn count_processor_times(clocks: &mut [TurnTimes; 2], taken: [Option<Duration>; 2]) {
    for (clock, time) in clocks.iter_mut().zip(taken) {
        time.into_iter().for_each(|time| clock.processor.add(time));
    }
}

/// What stands before the processor times of a game.
const PROCESSOR: &str = "cpu=";

/// What follows the points of a game.
const POINTS: &str = " points";

/// Writes a game down while it is played.
pub(crate) struct GameRecorder {
    turns: String,
    times: String,
    says: String,
    silent: u32,
    expected: Seat,
    clocks: [TurnTimes; 2],
}

impl GameRecorder {
    pub fn new() -> Self {
        GameRecorder {
            turns: String::with_capacity(96),
            times: String::with_capacity(128),
            says: String::new(),
            silent: 0,
            expected: Seat::FIRST,
            clocks: [TurnTimes::default(); 2],
        }
    }

    /// The turns so far.
    pub fn turns(&self) -> &str {
        &self.turns
    }

    pub fn finish(self, ended: &Ended) -> GameRecord {
        let verdict = &ended.verdict;
        GameRecord {
            kind: verdict.kind(),
            winner: verdict.winner(),
            detail: match (verdict, ended.points) {
                (Verdict::Forfeit { fault, .. }, _) => fault.to_string(),
                (Verdict::Adjudicated(called), None) => called.why().into(),
                (_, Some([first, second])) => format!("{first}:{second}{POINTS}"),
                _ => String::new(),
            },
            turns: self.turns,
            times: self.times,
            says: self.says,
            log: String::new(),
            turn_count: ended.turns,
            clocks: self.clocks,
        }
    }
}

impl<G: Game> GameObserver<G> for GameRecorder {
    #[inline]
    fn turn(&mut self, position: &G, seat: Seat, analysis: &Analysis<G::Move>, times: PartTimes) {
        if !self.turns.is_empty() {
            self.turns.push(' ');
            self.times.push(' ');
        }
        position.write_move(analysis.best, &mut self.turns);
        if seat != self.expected {
            self.times.push('!');
        }
        self.expected = seat.other();
        if let Some(why) = analysis.replaced {
            self.times.push(mark_of(why));
            self.clocks[seat.index()].replaced.add(why);
        }
        write_times(&mut self.times, times);
        self.clocks[seat.index()].add(times);
        let silent = analysis.value.is_none() && analysis.depth.is_none() && analysis.nodes.is_none();
        if silent && self.says.is_empty() {
            // Most players never speak: they are only counted until somebody does.
            self.silent += 1;
            return;
        }
        for _ in 0..std::mem::take(&mut self.silent) {
            self.says.push_str("- ");
        }
        write_saying(&mut self.says, analysis.value, analysis.depth, analysis.nodes);
    }
}

fn write_saying(into: &mut String, value: Option<f64>, depth: Option<u32>, nodes: Option<u64>) {
    match value {
        Some(value) => drop(write!(into, "{}/", (value * 1e4).round() / 1e4)),
        None => into.push_str("-/"),
    }
    match depth {
        Some(depth) => drop(write!(into, "{depth}/")),
        None => into.push_str("-/"),
    }
    match nodes {
        Some(nodes) => drop(write!(into, "{nodes} ")),
        None => into.push_str("- "),
    }
}

#[inline]
fn write_times(into: &mut String, (place, give): PartTimes) {
    if let Some(time) = place {
        write_number(into, time);
    }
    if let Some(time) = give {
        into.push('+');
        write_number(into, time);
    }
}

/// Nanoseconds in decimal. `write!` would take longer than a random player's turn.
#[inline]
fn write_number(into: &mut String, time: Duration) {
    let mut number = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    into.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

fn mark_of(why: Replaced) -> char {
    match why {
        Replaced::Late => 'l',
        Replaced::Illegal => 'i',
    }
}

/// A turn in the records: whose, how long it took, and whether it was replaced.
pub type TurnTaken = (Seat, PartTimes, Option<Replaced>);

/// Reads what [`GameRecord::times`] holds, one entry a turn, `None` for what cannot be read.
pub fn read_times(text: &str) -> impl Iterator<Item = Option<TurnTaken>> {
    let mut expected = Seat::FIRST;
    let turns = text
        .split_ascii_whitespace()
        .filter(|word| !word.starts_with(PROCESSOR));
    turns.map(move |word| {
        let time = |digits: &str| match digits {
            "" => Some(None),
            _ => digits.parse().ok().map(Duration::from_nanos).map(Some),
        };
        let (seat, word) = match word.strip_prefix('!') {
            Some(rest) => (expected.other(), rest),
            None => (expected, word),
        };
        expected = seat.other();
        let marked = |why: Replaced| word.strip_prefix(mark_of(why)).map(|rest| (Some(why), rest));
        let unmarked = || (None, word);
        let (replaced, word) = marked(Replaced::Late)
            .or_else(|| marked(Replaced::Illegal))
            .unwrap_or_else(unmarked);
        let (place, give) = word.split_once('+').unwrap_or((word, ""));
        Some((seat, (time(place)?, time(give)?), replaced))
    })
}

/// The processor times that stand after the turns; `None` if they cannot be read.
pub fn read_processor_times(text: &str) -> Option<[Option<Duration>; 2]> {
    let words = text.split_ascii_whitespace();
    let Some(told) = words.filter_map(|word| word.strip_prefix(PROCESSOR)).next_back() else {
        return Some([None; 2]);
    };
    let (first, second) = told.split_once('/')?;
    let time = |digits: &str| match digits {
        "-" => Some(None),
        _ => digits.parse().ok().map(Duration::from_micros).map(Some),
    };
    Some([time(first)?, time(second)?])
}

/// The clocks of the two seats, from the times of the turns in order.
fn clocks_of(times: &str) -> Option<[TurnTimes; 2]> {
    let mut clocks = [TurnTimes::default(); 2];
    for entry in read_times(times) {
        let (seat, times, replaced) = entry?;
        clocks[seat.index()].add(times);
        replaced
            .into_iter()
            .for_each(|why| clocks[seat.index()].replaced.add(why));
    }
    count_processor_times(&mut clocks, read_processor_times(times)?);
    Some(clocks)
}

/// What was said with each turn: value, depth, nodes.
pub fn read_says(text: &str) -> Vec<(Option<f64>, Option<u32>, Option<u64>)> {
    text.split_ascii_whitespace()
        .map(|word| {
            let mut parts = word.split('/');
            let value = parts.next().and_then(|text| text.parse().ok());
            let depth = parts.next().and_then(|text| text.parse().ok());
            let nodes = parts.next().and_then(|text| text.parse().ok());
            (value, depth, nodes)
        })
        .collect()
}

/// A pair for tests of what writes games: both of its games are this one, after an opening of two turns.
#[cfg(test)]
pub(crate) fn sample_pair(game: GameRecord) -> PairRecord {
    PairRecord {
        number: 4,
        first: 0,
        second: 1,
        round: 4,
        seed: 9,
        start: None,
        opening: "-.0 a1.1".into(),
        games: [game.clone(), game],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_back_as_they_were_written() {
        let ns = Duration::from_nanos;
        let turns = [
            (None, Some(ns(80))),
            (Some(ns(0)), Some(ns(1_234_567_890))),
            (Some(ns(120)), None),
        ];
        let mut text = String::new();
        for times in turns {
            write_times(&mut text, times);
            text.push(' ');
        }
        assert_eq!(text, "+80 0+1234567890 120 ");
        let back: Vec<_> = read_times(&text).collect();
        let seats = [Seat::FIRST, Seat::SECOND, Seat::FIRST];
        let expected: Vec<_> = seats
            .into_iter()
            .zip(turns)
            .map(|(seat, times)| Some((seat, times, None)))
            .collect();
        assert_eq!(back, expected);
        assert_eq!(read_times("12+x").next(), Some(None));
        let seats: Vec<_> = read_times("!1 2 !3").map(|entry| entry.unwrap().0).collect();
        assert_eq!(seats, [Seat::SECOND, Seat::FIRST, Seat::FIRST]);
        let clocks = clocks_of("l5 6 !i7 l8").unwrap();
        let replaced = clocks.map(|clock| (clock.replaced.late, clock.replaced.illegal, clock.place.count()));
        assert_eq!(replaced, [(2, 0, 2), (0, 1, 2)]);
    }

    #[test]
    fn processor_times_stand_after_the_turns_and_are_no_turn() {
        let columns = |times: &str| Columns {
            verdict: "draw".into(),
            winner: None,
            detail: String::new(),
            turns: "-.c a1.0".into(),
            times: times.into(),
            says: String::new(),
            log: String::new(),
        };
        let ms = Duration::from_millis;
        let mut game = GameRecord::try_from(columns("+80 5+6")).unwrap();
        game.add_processor_times([None; 2]);
        assert_eq!(game.times, "+80 5+6");
        game.add_processor_times([Some(ms(20)), None]);
        assert_eq!(game.times, "+80 5+6 cpu=20000/-");
        assert_eq!(read_times(&game.times).count(), 2);
        assert_eq!(read_processor_times(&game.times), Some([Some(ms(20)), None]));
        assert_eq!(game.clocks.map(|clock| clock.processor.count()), [1, 0]);
        assert_eq!(GameRecord::try_from(columns(&game.times)).unwrap(), game);
        for wrong in ["5 cpu=", "5 cpu=1", "5 cpu=x/2", "5 cpu=1/2/3"] {
            assert!(GameRecord::try_from(columns(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sayings_read_back_as_they_were_written() {
        let mut text = String::from("- ");
        write_saying(&mut text, Some(0.5), Some(3), Some(100));
        write_saying(&mut text, None, None, Some(7));
        assert_eq!(text, "- 0.5/3/100 -/-/7 ");
        let expected = [
            (None, None, None),
            (Some(0.5), Some(3), Some(100)),
            (None, None, Some(7)),
        ];
        assert_eq!(read_says(&text), expected);
    }
}
