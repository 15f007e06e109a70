//! A manager for anybody's players.
//!
//! Every turn the players are asked all at once and have until the play clock ends. A move that is late, illegal or
//! does not come is replaced by a random legal one, and so is every move of the role `random`. In a game with hidden
//! information each player hears what it did and what it sees; otherwise all hear all moves.

mod round;

use super::message::{Message, TurnReport, one_line};
use game::{Rng, Stop, mix, pick, rng};
use gdl::{GdlError, Machine, Move, State, StateView};
use round::{Heard, ask_all};
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

/// How long players are given to hear that a match is over.
const TO_SAY_GOODBYE: Duration = Duration::from_secs(3);
/// The same, where somebody waits for the end.
const TO_SAY_GOODBYE_QUICKLY: Duration = Duration::from_millis(500);

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// A player that listens there.
    At {
        /// What to call it.
        name: String,
        /// Where it listens.
        address: SocketAddr,
    },
    /// Nobody: legal moves are drawn.
    Chance,
}

impl Contestant {
    /// What to call it.
    pub fn name(&self) -> &str {
        match self {
            Contestant::At { name, .. } => name,
            Contestant::Chance => "random",
        }
    }
}

/// How a match is played.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// What the match is called.
    pub id: String,
    /// Time to get ready, in whole seconds.
    pub start: Duration,
    /// Time for a move, in whole seconds.
    pub play: Duration,
    /// What all chance is drawn from.
    pub seed: u64,
    /// After so many turns a game is taken to have no end.
    pub most_turns: u64,
}

/// Why a move was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// Nothing came in time.
    Late,
    /// The player said something else than a legal move.
    Illegal(String),
    /// There was no proper connection.
    Unreachable(String),
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MoveFault::Late => write!(f, "late"),
            MoveFault::Illegal(said) => write!(f, "illegal: {said:?}"),
            MoveFault::Unreachable(why) => write!(f, "unreachable: {why}"),
        }
    }
}

/// What a role did in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The move that was played.
    pub mv: String,
    /// How long the player took; nothing for chance.
    pub took: Option<Duration>,
    /// If the move was drawn because the player had none: why.
    pub fault: Option<MoveFault>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// By the rules; what each role gets.
    Finished(Vec<u8>),
    /// Somebody stopped it.
    Stopped,
    /// The rules do not allow to go on.
    Broken(String),
}

/// Somebody who hears of a match as it goes.
pub trait MatchObserver {
    /// The players have been told to start; who did not say that it is ready, and why.
    fn started(&mut self, faults: &[Option<MoveFault>]);

    /// A turn was played, one deed a role.
    fn turn(&mut self, number: u64, deeds: &[Deed]);
}

/// A match under way.
struct RunningMatch<'a> {
    machine: &'a Machine,
    contestants: &'a [Contestant],
    terms: &'a MatchTerms,
    stop: &'a Stop,
    rng: Rng,
}

/// Plays a match of the game whose rules are `sheet`, one contestant a role. It ends early if somebody raises `stop`;
/// the players are told in any case.
pub fn host(
    machine: &Machine,
    sheet: &str,
    contestants: &[Contestant],
    terms: &MatchTerms,
    stop: &Stop,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnd, GdlError> {
    let mut table = RunningMatch {
        machine,
        contestants,
        terms,
        stop,
        rng: rng(mix(terms.seed, &[0x4747_5020])),
    };
    let faults = table.start(sheet);
    observer.started(&faults);
    let ended = table.play(observer);
    let last: Vec<String> = match &ended {
        Ok((MatchEnd::Finished(_), report)) => report.iter().map(|report| table.stop_with(report)).collect(),
        _ => vec![Message::Abort { id: terms.id.clone() }.to_string(); contestants.len()],
    };
    table.say_goodbye(&last);
    ended.map(|(end, _)| end)
}

impl RunningMatch<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    /// Sends each player its START.
    fn start(&self, sheet: &str) -> Vec<Option<MoveFault>> {
        let rules = one_line(sheet);
        let roles = self.machine.roles();
        let start = |role: usize| {
            let message = Message::Start {
                id: self.terms.id.clone(),
                role: roles.get(role).copied().unwrap_or_default().to_owned(),
                rules: rules.clone(),
                start: self.terms.start,
                play: self.terms.play,
            };
            message.to_string()
        };
        let answers = ask_all(self.contestants, start, self.terms.start, || self.is_stopped());
        let fault = |heard: Option<Heard>| match heard?.answer {
            Ok(said) if said.trim().eq_ignore_ascii_case("ready") => None,
            Ok(said) => Some(MoveFault::Illegal(shorten(&said))),
            Err(fault) => Some(fault),
        };
        answers.into_iter().map(fault).collect()
    }

    fn stop_with(&self, report: &TurnReport) -> String {
        let (id, report) = (self.terms.id.clone(), report.clone());
        Message::Stop { id, report }.to_string()
    }

    /// What each role hears before the first turn.
    fn nothing_yet(&self) -> Vec<TurnReport> {
        let nothing = match self.machine.is_hidden() {
            false => TurnReport::Nothing,
            true => TurnReport::Senses {
                turn: 0,
                did: None,
                sees: Vec::new(),
            },
        };
        vec![nothing; self.contestants.len()]
    }

    /// What each role hears of a turn.
    fn report(&self, turn: u64, state: &State, joint: &[Move], deeds: &[Deed]) -> Result<Vec<TurnReport>, GdlError> {
        if !self.machine.is_hidden() {
            let moves = deeds.iter().map(|deed| Some(deed.mv.clone())).collect();
            return Ok(vec![TurnReport::Moves(moves); deeds.len()]);
        }
        let told = self.machine.sees(state, joint)?;
        let senses = deeds.iter().zip(told).map(|(deed, sees)| TurnReport::Senses {
            turn,
            did: Some(deed.mv.clone()),
            sees,
        });
        Ok(senses.collect())
    }

    fn play(&mut self, observer: &mut dyn MatchObserver) -> Result<(MatchEnd, Vec<TurnReport>), GdlError> {
        let mut state: State = self.machine.initial();
        let mut view = self.machine.view(&state)?;
        let mut report = self.nothing_yet();
        for number in 1..=self.terms.most_turns {
            if view.terminal {
                return Ok((MatchEnd::Finished(view.goals), report));
            }
            if let Some(stuck) = view.legal.iter().position(Vec::is_empty) {
                let role = self.machine.roles().get(stuck).copied().unwrap_or_default().to_owned();
                return Ok((
                    MatchEnd::Broken(format!("{role} has no legal move in turn {number}")),
                    report,
                ));
            }
            let Some((joint, deeds)) = self.turn(&view, &report) else {
                return Ok((MatchEnd::Stopped, report));
            };
            report = self.report(number, &state, &joint, &deeds)?;
            (state, view) = self.machine.step(&state, &joint)?;
            observer.turn(number, &deeds);
        }
        match view.terminal {
            true => Ok((MatchEnd::Finished(view.goals), report)),
            false => Ok((
                MatchEnd::Broken(format!("no end after {} turns", self.terms.most_turns)),
                report,
            )),
        }
    }

    /// Asks everybody for a move. Nothing if somebody stops the match meanwhile.
    fn turn(&mut self, view: &StateView, report: &[TurnReport]) -> Option<(Vec<Move>, Vec<Deed>)> {
        let play = |role: usize| {
            let message = Message::Play {
                id: self.terms.id.clone(),
                report: report.get(role).cloned().unwrap_or(TurnReport::Nothing),
            };
            message.to_string()
        };
        let answers = ask_all(self.contestants, play, self.terms.play, || self.is_stopped());
        if self.is_stopped() {
            return None;
        }
        let mut joint = Vec::new();
        let mut deeds = Vec::new();
        for (role, (heard, legal)) in answers.into_iter().zip(&view.legal).enumerate() {
            let drawn = pick(&mut self.rng, legal)?;
            let took = heard.as_ref().map(|heard| heard.took);
            let said = heard.map(|heard| {
                let said = heard.answer?;
                match self.machine.parse_move(role, said.trim()) {
                    Ok(mv) if legal.contains(&mv) => Ok(mv),
                    _ => Err(MoveFault::Illegal(shorten(&said))),
                }
            });
            let (mv, fault) = match said {
                None => (drawn, None),
                Some(Ok(mv)) => (mv, None),
                Some(Err(fault)) => (drawn, Some(fault)),
            };
            joint.push(mv);
            deeds.push(Deed {
                mv: self.machine.print_move(mv),
                took,
                fault,
            });
        }
        Some((joint, deeds))
    }

    /// Tells everybody that it is over. What they say to that matters to nobody.
    fn say_goodbye(&self, last: &[String]) {
        let goodbye = |role: usize| last.get(role).cloned().unwrap_or_default();
        let patience = match self.is_stopped() {
            true => TO_SAY_GOODBYE_QUICKLY,
            false => TO_SAY_GOODBYE,
        };
        ask_all(self.contestants, goodbye, patience, || false);
    }
}

/// What somebody said, as much of it as fits into a line.
fn shorten(said: &str) -> String {
    const LONGEST: usize = 120;
    let mut short: String = said.trim().chars().take(LONGEST).collect();
    if short.len() < said.trim().len() {
        short.push('…');
    }
    short
}
