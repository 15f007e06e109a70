//! A table: a game being played, and who sits where.
//!
//! Nothing here knows of threads or of the web: a table is told what to do and says what it then wants, namely whether a
//! program is to be asked for a turn. Every change gives it a new version; a thought is dropped unless the table is
//! still in the state it was thought in.

use crate::line::{self, Line, Said};
use crate::refusal::Refusal;
use crate::shown::Problem;

/// Who sits on a seat: a person, or a program by its spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// Somebody at the screen.
    Human,
    /// A player of the game's roster.
    Program(String),
}

/// How a person is written.
const HUMAN: &str = "human";

impl Sitter {
    /// Reads "human" or a spec, which may not be one of the game's players.
    pub fn read(text: &str) -> Self {
        match text {
            HUMAN => Sitter::Human,
            spec => Sitter::Program(spec.into()),
        }
    }

    /// As it is read.
    pub fn as_str(&self) -> &str {
        match self {
            Sitter::Human => HUMAN,
            Sitter::Program(spec) => spec,
        }
    }
}

/// The table.
pub struct Table {
    /// Its name in links.
    pub id: String,
    /// The game's name; `gdl` if it is played from a pasted sheet.
    pub game: String,
    /// The pasted sheet.
    pub sheet: Option<String>,
    pub(crate) line: Box<dyn Line>,
    pub(crate) sitters: Vec<Sitter>,
    pub(crate) ply: usize,
    pub(crate) version: u64,
    pub(crate) paused: bool,
    pub(crate) pace_ms: u32,
    /// What was said with the turn that led to the ply on the table.
    pub(crate) said: Option<(usize, Said)>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) problem: Option<Problem>,
}

/// A program's turn to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thinking {
    pub(crate) seat: usize,
    pub(crate) waiting: bool,
}

/// What makes a table the one it was.
pub struct Kept {
    /// Its name in links.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The pasted sheet.
    pub sheet: Option<String>,
    /// Who sits where.
    pub sitters: Vec<String>,
    /// The position it began from, if that is not the game's own first one.
    pub start: Option<String>,
    /// All turns, those taken back included.
    pub turns: Vec<String>,
    /// How many of them stand.
    pub ply: usize,
    /// Its version.
    pub version: u64,
    /// Whether programs wait.
    pub paused: bool,
    /// The least time between two turns of programs.
    pub pace_ms: u32,
}

/// The slowest pace.
const SLOWEST_MS: u32 = 10_000;

impl Table {
    /// A new table with a game as it stands.
    pub fn new(id: String, game: String, sheet: Option<String>, line: Box<dyn Line>) -> Self {
        Table {
            id,
            game,
            sheet,
            sitters: vec![Sitter::Human; line.roles().len()],
            ply: line.len(),
            line,
            version: 1,
            paused: false,
            pace_ms: 0,
            said: None,
            thinking: None,
            problem: None,
        }
    }

    /// A table as it was kept. `line` is its game at the first position.
    pub fn again(kept: Kept, mut line: Box<dyn Line>) -> Result<Self, Refusal> {
        line.replace(kept.start.as_deref(), &kept.turns)?;
        let mut table = Table::new(kept.id, kept.game, kept.sheet, line);
        table.sitters = kept.sitters.iter().map(|text| Sitter::read(text)).collect();
        table.sitters.resize(table.line.roles().len(), Sitter::Human);
        table.ply = kept.ply.min(table.line.len());
        (table.version, table.paused, table.pace_ms) = (kept.version, kept.paused, kept.pace_ms);
        Ok(table)
    }

    /// What must be kept of it.
    pub fn keep(&self) -> Kept {
        Kept {
            id: self.id.clone(),
            game: self.game.clone(),
            sheet: self.sheet.clone(),
            sitters: self.sitters.iter().map(|sitter| sitter.as_str().into()).collect(),
            start: (!self.line.is_from_the_start()).then(|| self.line.start()),
            turns: self.line.turns(),
            ply: self.ply,
            version: self.version,
            paused: self.paused,
            pace_ms: self.pace_ms,
        }
    }

    /// The game.
    pub fn line(&self) -> &dyn Line {
        self.line.as_ref()
    }

    /// What its players are called on the bench: those of a pasted game must never meet a table with another sheet.
    pub fn bench_name(&self) -> String {
        match &self.sheet {
            Some(_) => format!("{} {}", self.game, self.id),
            None => self.game.clone(),
        }
    }

    /// How many turns stand.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Grows with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The least time between two turns of programs.
    pub fn pace_ms(&self) -> u32 {
        self.pace_ms
    }

    /// Whether a person sits here.
    pub fn has_human(&self) -> bool {
        self.sitters.contains(&Sitter::Human)
    }

    fn changed(&mut self) {
        self.version += 1;
        self.thinking = None;
        self.problem = None;
    }

    /// Who is to move, from 0, and who sits there.
    pub(crate) fn to_move(&self, ply: usize) -> Option<(usize, &Sitter)> {
        let seat = self.line.mover(ply)?;
        Some((seat, self.sitters.get(seat)?))
    }

    /// The program that is to be asked for a turn now, if there is one.
    pub fn wants(&self) -> Option<&str> {
        match self.to_move(self.ply) {
            Some((_, Sitter::Program(spec))) if !self.paused && self.problem.is_none() && self.thinking.is_none() => {
                Some(spec)
            }
            _ => None,
        }
    }

    /// Notes that a program was asked (`waiting`), or has begun to think.
    pub fn note_thinking(&mut self, waiting: bool) {
        if let Some(seat) = self.line.mover(self.ply) {
            self.thinking = Some(Thinking { seat, waiting });
        }
    }

    /// Notes that nobody thinks: the thought was not worth having.
    pub fn note_silence(&mut self) {
        self.thinking = None;
    }

    /// A person's turn at a ply. The same turn once more (a double click) changes nothing.
    pub fn play(&mut self, ply: usize, turn: &str) -> Result<(), Refusal> {
        if ply < self.ply && self.line.turns()[ply] == turn {
            return Ok(());
        }
        if ply != self.ply {
            return Err(Refusal::stale_ply(format!(
                "the turn is for ply {ply}, and the game is at ply {}",
                self.ply
            )));
        }
        match self.to_move(ply) {
            None => return Err(Refusal::game_over("the game is over")),
            Some((seat, Sitter::Program(spec))) => {
                return Err(Refusal::not_your_turn(format!(
                    "{spec} is to move on seat {}",
                    seat + 1
                )));
            }
            Some((_, Sitter::Human)) => (),
        }
        self.line.play(ply, turn)?;
        self.ply += 1;
        self.said = None;
        self.paused = false;
        self.changed();
        Ok(())
    }

    /// A program's turn, thought at `version`. Nothing happens if the table has changed since.
    pub fn answer(&mut self, version: u64, said: Result<Said, String>) -> bool {
        if version != self.version || self.thinking.is_none() {
            return false;
        }
        let played = said.and_then(|said| match self.line.play(self.ply, &said.turn) {
            Ok(()) => Ok(said),
            Err(refusal) => Err(refusal.message().into()),
        });
        self.changed();
        match played {
            Ok(said) => {
                self.ply += 1;
                self.said = Some((self.ply, said));
            }
            Err(message) => {
                self.problem = Some(Problem {
                    code: "player_failed",
                    message,
                });
            }
        }
        true
    }

    /// Whether somebody is asked by a click at this ply: a person, or anybody if no person plays.
    fn is_stop(&self, ply: usize) -> bool {
        !self.has_human() || matches!(self.to_move(ply), Some((_, Sitter::Human)))
    }

    /// Takes turns back: so many, or to where a person was asked last.
    pub fn undo(&mut self, plies: Option<usize>) -> Result<(), Refusal> {
        if self.ply == 0 {
            return Err(Refusal::nothing_to_undo("no turn stands"));
        }
        let ply = match plies {
            Some(plies) => self.ply.saturating_sub(plies),
            // If nobody was asked before, back to the start.
            None => (0..self.ply).rev().find(|&ply| self.is_stop(ply)).unwrap_or(0),
        };
        self.go_to(ply)
    }

    /// Plays turns again that were taken back: so many, or to where a person was asked next.
    pub fn redo(&mut self, plies: Option<usize>) -> Result<(), Refusal> {
        let last = self.line.len();
        if self.ply == last {
            return Err(Refusal::nothing_to_redo("no turn was taken back"));
        }
        let ply = match plies {
            Some(plies) => self.ply.saturating_add(plies).min(last),
            None => (self.ply + 1..last).find(|&ply| self.is_stop(ply)).unwrap_or(last),
        };
        self.go_to(ply)
    }

    /// Goes to a ply of the game. If a program is to move there, it waits until somebody says so.
    pub fn go_to(&mut self, ply: usize) -> Result<(), Refusal> {
        if ply > self.line.len() {
            return Err(Refusal::bad_request(format!("the game has {} turns", self.line.len())));
        }
        self.ply = ply;
        self.paused = matches!(self.to_move(ply), Some((_, Sitter::Program(_))));
        self.said = self.said.take().filter(|(at, _)| *at == ply);
        self.changed();
        Ok(())
    }

    /// Programs wait, or play on.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.changed();
    }

    /// The same game from its start.
    pub fn restart(&mut self) -> Result<(), Refusal> {
        let start = (!self.line.is_from_the_start()).then(|| self.line.start());
        self.replace(start.as_deref(), &[])
    }

    /// Another game of the same kind.
    pub fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), Refusal> {
        self.line.replace(position, turns)?;
        self.ply = self.line.len();
        self.said = None;
        self.paused = false;
        self.changed();
        Ok(())
    }

    /// Everybody moves one seat on.
    pub fn swap(&mut self) {
        self.sitters.rotate_right(1);
        self.paused = false;
        self.changed();
    }

    /// Other people and programs sit down; `None` stays seated.
    pub fn seat(&mut self, sitters: &[Option<Sitter>]) -> Result<(), Refusal> {
        if sitters.len() != self.sitters.len() {
            return Err(Refusal::bad_request(format!(
                "seats: this game has {}, and {} were given",
                self.sitters.len(),
                sitters.len()
            )));
        }
        for sitter in sitters.iter().flatten() {
            if let Sitter::Program(spec) = sitter {
                crate::house::check_spec(spec)?;
                self.line.check_player(spec)?;
            }
        }
        for (seat, sitter) in self.sitters.iter_mut().zip(sitters) {
            if let Some(sitter) = sitter {
                *seat = sitter.clone();
            }
        }
        self.paused = false;
        self.changed();
        Ok(())
    }

    /// How long a program's turn takes at least.
    pub fn set_pace(&mut self, ms: u32) {
        self.pace_ms = ms.min(SLOWEST_MS);
        self.changed();
    }

    /// The game as text.
    pub fn record(&self) -> String {
        let players: Vec<String> = self.sitters.iter().map(|sitter| sitter.as_str().into()).collect();
        line::record(&self.game, self.line(), &players, self.ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn table(sitters: [&str; 2]) -> Table {
        let line = line::of_game("quarto").unwrap();
        let mut table = Table::new("x".into(), "quarto".into(), None, line);
        table.seat(&sitters.map(|text| Some(Sitter::read(text)))).unwrap();
        table
    }

    fn said(turn: &str) -> Result<Said, String> {
        Ok(Said {
            turn: turn.into(),
            value: None,
            depth: None,
            nodes: None,
            took: Duration::ZERO,
            line: Vec::new(),
        })
    }

    fn answer(table: &mut Table, turn: &str) {
        assert!(table.wants().is_some());
        table.note_thinking(false);
        assert!(table.answer(table.version(), said(turn)));
    }

    #[test]
    fn a_program_is_asked_when_it_is_to_move_and_a_person_may_not_play_for_it() {
        let mut table = table(["human", "novice"]);
        assert_eq!(table.wants(), None);
        table.play(0, "-.0").unwrap();
        assert_eq!(table.wants(), Some("novice"));
        assert_eq!(table.play(1, "a1.1").unwrap_err().code(), "not_your_turn");
        answer(&mut table, "a1.1");
        assert_eq!((table.ply(), table.wants()), (2, None));
    }

    #[test]
    fn a_double_click_changes_nothing_and_a_stale_turn_is_refused() {
        let mut table = table(["human", "human"]);
        table.play(0, "-.0").unwrap();
        let version = table.version();
        table.play(0, "-.0").unwrap();
        assert_eq!(table.version(), version);
        assert_eq!(table.play(0, "-.1").unwrap_err().code(), "stale_ply");
        assert_eq!(table.play(5, "-.1").unwrap_err().code(), "stale_ply");
    }

    #[test]
    fn a_thought_about_another_state_is_dropped() {
        let mut table = table(["human", "novice"]);
        table.play(0, "-.0").unwrap();
        table.note_thinking(true);
        let version = table.version();
        table.undo(None).unwrap();
        assert!(!table.answer(version, said("a1.1")));
        assert_eq!(table.ply(), 0);
    }

    #[test]
    fn undo_goes_back_to_where_a_person_was_asked_and_redo_forward() {
        let mut table = table(["human", "novice"]);
        table.play(0, "-.0").unwrap();
        answer(&mut table, "a1.1");
        table.play(2, "b2.2").unwrap();
        answer(&mut table, "c4.5");
        table.undo(None).unwrap();
        assert_eq!((table.ply(), table.wants()), (2, None));
        table.undo(None).unwrap();
        assert_eq!(table.ply(), 0);
        assert_eq!(table.undo(None).unwrap_err().code(), "nothing_to_undo");
        table.redo(None).unwrap();
        assert_eq!(table.ply(), 2);
        // In the middle of a program's turn it waits.
        table.redo(Some(1)).unwrap();
        assert_eq!((table.ply(), table.wants(), table.shown(None).paused), (3, None, true));
        table.pause(false);
        assert_eq!(table.wants(), Some("novice"));
        // Another turn drops what was taken back.
        table.undo(None).unwrap();
        table.play(2, "d4.f").unwrap();
        assert_eq!(table.redo(None).unwrap_err().code(), "nothing_to_redo");
    }

    #[test]
    fn a_failed_player_is_told_and_not_asked_again() {
        let mut table = table(["novice", "human"]);
        table.note_thinking(false);
        assert!(table.answer(table.version(), said("a1.1")));
        let shown = table.shown(None);
        assert_eq!(shown.problem.map(|problem| problem.code), Some("player_failed"));
        assert_eq!(table.wants(), None);
        table.pause(false);
        assert_eq!(table.wants(), Some("novice"));
    }

    #[test]
    fn a_kept_table_is_the_same_again() {
        let mut table = table(["human", "perfect:level=5"]);
        table
            .replace(Some("0.../..../..../.... 5"), &["b1.6".into(), "c1.7".into()])
            .unwrap();
        table.undo(Some(1)).unwrap();
        let again = Table::again(table.keep(), line::of_game("quarto").unwrap()).unwrap();
        let json = |table: &Table| serde_json::to_string(&table.shown(None)).unwrap();
        assert_eq!(json(&again), json(&table));
    }

    #[test]
    fn seats_must_fit_and_their_players_exist() {
        let mut table = table(["human", "human"]);
        let program = |spec: &str| Some(Sitter::Program(spec.into()));
        assert_eq!(table.seat(&[None]).unwrap_err().code(), "bad_request");
        assert_eq!(
            table.seat(&[None, program("novic")]).unwrap_err().code(),
            "unknown_player"
        );
        assert_eq!(
            table.seat(&[None, program("engine:true")]).unwrap_err().code(),
            "unknown_player"
        );
        table.seat(&[None, program("novice")]).unwrap();
        table.swap();
        assert_eq!(table.shown(None).seats[0].player, "novice");
    }
}
