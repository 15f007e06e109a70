//! When the referee ends a game before the rules do: it lasts too long, the players have agreed for long enough, or the truth
//! is known.

use game::Seat;
use player::Score;
use std::str::FromStr;

/// When a game for two is ended early. By default never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// When a player has lost.
    pub resign: Option<ResignRule>,
    /// When nobody will win.
    pub draw: Option<DrawRule>,
    /// From this turn on whoever knows the truth about the game is asked, and what it says is the result.
    pub exact: Option<u32>,
}

/// A player has lost when it has said so for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// In hundredths, as engines say it: at least so far behind.
    pub score: u32,
    /// In so many of its moves, one after the other.
    pub moves: u32,
    /// Whether the opponent must have said the same.
    pub both: bool,
}

/// A game is drawn when both have said for long enough that nobody is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// From this turn on.
    pub from: u32,
    /// In hundredths: at most so far from level.
    pub score: u32,
    /// In so many moves of each, one after the other.
    pub moves: u32,
}

/// Why a game was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudicated {
    /// It had lasted long enough: a draw.
    Long,
    /// Both had said for long enough that nobody is ahead.
    Level,
    /// This seat had said for long enough that it loses.
    Resigned(Seat),
    /// The truth is known: who wins, if anybody does.
    Exact(Option<Seat>),
}

impl Adjudicated {
    /// Who won.
    pub fn winner(self) -> Option<Seat> {
        match self {
            Adjudicated::Long | Adjudicated::Level => None,
            Adjudicated::Resigned(seat) => Some(seat.other()),
            Adjudicated::Exact(winner) => winner,
        }
    }

    /// Why, for people; nothing more than that it lasted too long is nothing.
    pub fn why(self) -> &'static str {
        match self {
            Adjudicated::Long => "",
            Adjudicated::Level => "both had long said that nobody is ahead",
            Adjudicated::Resigned(_) => "the loser had long said so",
            Adjudicated::Exact(_) => "the exact value is known",
        }
    }
}

/// What the players of a running game have said.
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// In how many moves of each seat, up to now, it said that it loses, or that it wins.
    behind: [u32; 2],
    ahead: [u32; 2],
    /// In how many turns nobody was ahead.
    level: u32,
}

impl Adjudicator {
    #[inline]
    pub fn new(rules: Adjudication) -> Self {
        Adjudicator {
            rules,
            behind: [0; 2],
            ahead: [0; 2],
            level: 0,
        }
    }

    /// Whether it matters what players say.
    #[inline]
    pub fn listens(&self) -> bool {
        self.rules.resign.is_some() || self.rules.draw.is_some()
    }

    /// What follows from what a seat said with its move, which was turn number `turn`.
    #[inline]
    pub fn hear(&mut self, seat: Seat, score: Option<Score>, turn: u32) -> Option<Adjudicated> {
        let said = score.map(|score| match score {
            Score::Cp(hundredths) => i64::from(hundredths),
            Score::Mate(moves) if moves > 0 => i64::MAX,
            Score::Mate(_) => i64::MIN,
        });
        let me = seat.index() & 1;
        let count = |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            let far = i64::from(rule.score);
            count(&mut self.behind[me], said.is_some_and(|said| said <= -far));
            count(&mut self.ahead[me], said.is_some_and(|said| said >= far));
            // Who is behind may have spoken before who is ahead.
            let loser = [seat, seat.other()].into_iter().find(|loser| {
                let (lost, won) = (self.behind[loser.index() & 1], self.ahead[loser.other().index() & 1]);
                lost >= rule.moves && (!rule.both || won >= rule.moves)
            });
            if let Some(loser) = loser {
                return Some(Adjudicated::Resigned(loser));
            }
        }
        if let Some(rule) = self.rules.draw {
            let near = i64::from(rule.score);
            count(&mut self.level, said.is_some_and(|said| (-near..=near).contains(&said)));
            if turn >= rule.from && self.level >= rule.moves.saturating_mul(2) {
                return Some(Adjudicated::Level);
            }
        }
        None
    }
}

/// Reads `KEY=VALUE` words into numbers and flags; a key that is not among `known` is an error.
fn read_words<'a>(words: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    words
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(|word| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match known.contains(&key) {
                true => Ok((key, value)),
                false => Err(format!("expected {}, not {word:?}", known.join("=, ") + "=")),
            }
        })
        .collect()
}

/// A number of one or more.
fn number(key: &str, value: &str) -> Result<u32, String> {
    let read = value.parse().ok().filter(|&number: &u32| number > 0);
    read.ok_or_else(|| format!("{key}: expected a number of one or more, not {value:?}"))
}

impl FromStr for ResignRule {
    type Err = String;

    /// `score=600,moves=3` and perhaps `both=true`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rule = ResignRule {
            score: 600,
            moves: 3,
            both: false,
        };
        for (key, value) in read_words(text, &["score", "moves", "both"])? {
            match key {
                "score" => rule.score = number(key, value)?,
                "moves" => rule.moves = number(key, value)?,
                _ => {
                    rule.both = value
                        .parse()
                        .map_err(|_| format!("both: expected true or false, not {value:?}"))?
                }
            }
        }
        Ok(rule)
    }
}

impl FromStr for DrawRule {
    type Err = String;

    /// `from=20,moves=4,score=10`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rule = DrawRule {
            from: 20,
            score: 10,
            moves: 4,
        };
        for (key, value) in read_words(text, &["from", "moves", "score"])? {
            let place = match key {
                "from" => &mut rule.from,
                "moves" => &mut rule.moves,
                _ => &mut rule.score,
            };
            *place = number(key, value)?;
        }
        Ok(rule)
    }
}

impl std::fmt::Display for ResignRule {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "score={},moves={},both={}", self.score, self.moves, self.both)
    }
}

impl std::fmt::Display for DrawRule {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "from={},moves={},score={}", self.from, self.moves, self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear_all(rules: Adjudication, said: &[Option<Score>]) -> Option<(usize, Adjudicated)> {
        let mut judge = Adjudicator::new(rules);
        said.iter().enumerate().find_map(|(ply, &score)| {
            let seat = Seat::new((ply % 2) as u8);
            judge.hear(seat, score, ply as u32 + 1).map(|called| (ply, called))
        })
    }

    fn cp(values: &[i32]) -> Vec<Option<Score>> {
        values.iter().map(|&value| Some(Score::Cp(value))).collect()
    }

    #[test]
    fn who_says_long_enough_that_it_loses_has_lost() {
        let rules = Adjudication {
            resign: Some("score=500,moves=2".parse().unwrap()),
            ..Adjudication::default()
        };
        // Seat 1 hopes once in between, so it is asked twice more.
        let said = cp(&[-600, 0, -400, 0, -600, 0, -700, 0]);
        assert_eq!(hear_all(rules, &said), Some((6, Adjudicated::Resigned(Seat::FIRST))));
        // Silence is no word.
        let silent = [Some(Score::Cp(-600)), None, None, None, Some(Score::Cp(-600)), None];
        assert_eq!(hear_all(rules, &silent), None);
        // A lost game in so many moves is lost far enough.
        let mate = [None, Some(Score::Mate(-3)), None, Some(Score::Mate(-2))];
        assert_eq!(hear_all(rules, &mate), Some((3, Adjudicated::Resigned(Seat::SECOND))));
    }

    #[test]
    fn where_both_must_agree_a_pessimist_plays_on() {
        let rules = Adjudication {
            resign: Some("score=500,moves=2,both=true".parse().unwrap()),
            ..Adjudication::default()
        };
        assert_eq!(hear_all(rules, &cp(&[-900, 0, -900, 0, -900, 0])), None);
        let agreed = cp(&[-900, 0, -900, 800, -900, 800]);
        assert_eq!(hear_all(rules, &agreed), Some((5, Adjudicated::Resigned(Seat::FIRST))));
    }

    #[test]
    fn a_level_game_is_drawn_once_it_is_old_enough() {
        let rules = Adjudication {
            draw: Some("from=6,moves=2,score=10".parse().unwrap()),
            ..Adjudication::default()
        };
        assert_eq!(
            hear_all(rules, &cp(&[5, -5, 0, 10, 3, 0, 0])),
            Some((5, Adjudicated::Level))
        );
        assert_eq!(hear_all(rules, &cp(&[5, -5, 0, 10, 3, 11, 0, 0, 0])), None);
    }

    #[test]
    fn rules_round_trip_and_wrong_words_are_named() {
        for text in ["score=600,moves=3,both=false", "score=1,moves=1,both=true"] {
            assert_eq!(text.parse::<ResignRule>().unwrap().to_string(), text);
        }
        let draw = "from=20,moves=4,score=10";
        assert_eq!(draw.parse::<DrawRule>().unwrap().to_string(), draw);
        for (text, expected) in [
            ("points=3", "expected score=, moves=, both="),
            ("moves=0", "moves: expected a number of one or more"),
            ("both=perhaps", "true or false"),
            ("score=-4", "score: expected a number"),
        ] {
            let message = text.parse::<ResignRule>().unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
