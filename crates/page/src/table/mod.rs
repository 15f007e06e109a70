//! A table: a game being played, and who sits where.
//!
//! Nothing here knows of threads or of the web: a table is told what to do and says what it then wants, namely whether a
//! program is to be asked for a turn. Every change gives it a new version; a thought is dropped unless the table is
//! still in the state it was thought in.

mod action;
mod clock;
mod consent;
mod seats;
mod stored;
mod termination;
#[cfg(test)]
mod tests;

use crate::api_error::{ApiError, shortened};
use crate::catalogue;
use crate::public_table::Problem;
use crate::record::record;
pub use action::{Action, By};
pub use clock::{Clocks, TimeControl};
pub use consent::Proposal;
use game::Instant;
use games::Session;
use player::Analysis;
pub use seats::{Person, Placement, Seating, Sitter, TableSeat};
pub use stored::{StoredSeat, StoredTable};
pub use termination::Termination;

/// The table.
pub struct Table {
    /// Its name in links.
    pub id: String,
    /// The game's name; `gdl` if it is played from a pasted sheet.
    pub game: String,
    /// The pasted sheet.
    pub sheet: Option<String>,
    pub(crate) session: Box<dyn Session>,
    /// Who opened it.
    host: Option<Person>,
    pub(crate) seats: Vec<TableSeat>,
    pub(crate) ply: usize,
    pub(crate) version: u64,
    /// The version at which the game itself last changed: turns are meant for what has stood since.
    game_version: u64,
    pub(crate) paused: bool,
    pub(crate) pace_ms: u32,
    /// What was said with the turn that led to the ply on the table.
    pub(crate) said: Option<(usize, Analysis<String>)>,
    pub(crate) thinking: Option<ProgramThinking>,
    pub(crate) problem: Option<Problem>,
    /// How it ended, if the rules did not end it.
    pub(crate) ended: Option<Termination>,
    /// What somebody asks the others for.
    pub(crate) proposal: Option<Proposal>,
    pub(crate) clocks: Option<Clocks>,
}

/// A program's turn to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProgramThinking {
    pub(crate) seat: usize,
    pub(crate) waiting: bool,
}

/// The slowest pace.
const SLOWEST_MS: u32 = 10_000;

impl Table {
    /// A new table with a game as it stands: all seats belong to who opens it.
    pub fn new(id: String, game: String, sheet: Option<String>, session: Box<dyn Session>, host: Person) -> Self {
        Table {
            id,
            game,
            sheet,
            host: Some(host),
            seats: vec![TableSeat::of(Sitter::Person(host)); session.game().seats()],
            ply: session.len(),
            session,
            version: 1,
            game_version: 1,
            paused: false,
            pace_ms: 0,
            said: None,
            thinking: None,
            problem: None,
            ended: None,
            proposal: None,
            clocks: None,
        }
    }

    /// Calls the seats by names; `None` leaves one without.
    pub fn name_seats(&mut self, names: &[Option<String>]) {
        for (seat, name) in self.seats.iter_mut().zip(names) {
            seat.name = name.as_deref().and_then(written_name);
        }
    }

    /// Gives everybody so much time.
    pub fn set_clocks(&mut self, control: TimeControl) {
        self.clocks = Some(Clocks::new(control, self.seats.len()));
        self.run_clock(Instant::now());
    }

    /// Lets the clock run of who is to move. Programs have none, since the server bounds them anyway; nor has the first turn, or
    /// a game that somebody has yet to join.
    fn run_clock(&mut self, now: Instant) {
        let joined = self.seats.iter().all(|seat| seat.sitter != Sitter::Open);
        let mover = self.to_move(self.ply).filter(|(_, sitter)| sitter.person().is_some());
        let seat = mover.map(|(seat, _)| seat).filter(|_| joined && self.ply > 0);
        if let Some(clocks) = &mut self.clocks {
            clocks.run(seat, now);
        }
    }

    /// When somebody's time is up, unless they play before.
    pub fn deadline(&self) -> Option<Instant> {
        self.clocks.as_ref()?.deadline()
    }

    /// Ends the game if somebody's time is up. True if it did.
    pub fn tick(&mut self, now: Instant) -> bool {
        let late = self.clocks.as_ref().and_then(|clocks| clocks.out_of_time(now));
        match late {
            Some(seat) => {
                self.end(Termination::OutOfTime(seat), now);
                true
            }
            None => false,
        }
    }

    /// Ends the game, whatever the rules say.
    fn end(&mut self, how: Termination, now: Instant) {
        self.game_changed();
        self.ended = Some(how);
        self.run_clock(now);
    }

    /// Whether the game is over, by its rules or otherwise.
    pub fn over(&self) -> bool {
        self.ended.is_some() || self.session.mover(self.ply).is_none()
    }

    fn check_running(&self) -> Result<(), ApiError> {
        match self.over() {
            true => Err(ApiError::game_over("the game is over")),
            false => Ok(()),
        }
    }

    /// Whose the seats are.
    pub fn seating(&self) -> Seating {
        Seating {
            owners: self.seats.iter().map(|seat| seat.sitter.person()).collect(),
            host: self.host,
        }
    }

    /// The game.
    pub fn session(&self) -> &dyn Session {
        self.session.as_ref()
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

    /// What a pasted sheet says of itself.
    pub fn title(&self) -> Option<String> {
        self.sheet.as_deref().map(catalogue::title)
    }

    /// Whether a person sits here, or may sit down.
    pub fn has_human(&self) -> bool {
        self.seats.iter().any(|seat| seat.sitter.program().is_none())
    }

    fn changed(&mut self) {
        self.version += 1;
        self.thinking = None;
        self.problem = None;
        // Who plays on, or changes something else, has not agreed.
        self.proposal = None;
    }

    /// The position on the table is another one, or who is to move there: turns that are on their way were meant for what was.
    fn game_changed(&mut self) {
        self.changed();
        self.game_version = self.version;
    }

    /// Who is to move, from 0, and who sits there.
    pub(crate) fn to_move(&self, ply: usize) -> Option<(usize, &Sitter)> {
        if self.ended.is_some() && ply == self.ply {
            return None;
        }
        let seat = self.session.mover(ply)?;
        Some((seat, &self.seats.get(seat)?.sitter))
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
        if let Some(seat) = self.session.mover(self.ply) {
            self.thinking = Some(ProgramThinking { seat, waiting });
        }
    }

    /// Notes that nobody thinks: the thought was not worth having.
    pub fn note_silence(&mut self) {
        self.thinking = None;
    }

    /// Plays a turn at a ply.
    fn play(&mut self, ply: usize, turn: &str) -> Result<(), ApiError> {
        self.session.play(ply, turn)?;
        if let Some(clocks) = &mut self.clocks {
            clocks.press(Instant::now());
        }
        self.ply = ply + 1;
        self.said = None;
        self.paused = false;
        self.game_changed();
        Ok(())
    }

    /// A program's turn, thought at `version`. Nothing happens if the table has changed since.
    pub fn answer(&mut self, version: u64, said: Result<Analysis<String>, String>) -> bool {
        if version != self.version || self.thinking.is_none() {
            return false;
        }
        let played = said.and_then(|said| match self.session.play(self.ply, &said.best) {
            Ok(()) => Ok(said),
            Err(error) => Err(error.to_string()),
        });
        match played {
            Ok(said) => {
                self.game_changed();
                self.ply += 1;
                self.said = Some((self.ply, said));
                self.run_clock(Instant::now());
            }
            Err(message) => {
                self.changed();
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
        !self.has_human() || matches!(self.to_move(ply), Some((_, sitter)) if sitter.program().is_none())
    }

    /// Takes turns back: so many, or to where a person was asked last.
    fn undo(&mut self, plies: Option<usize>) -> Result<(), ApiError> {
        if self.ply == 0 {
            return Err(ApiError::nothing_to_undo("no turn stands"));
        }
        let ply = match plies {
            Some(plies) => self.ply.saturating_sub(plies),
            // If nobody was asked before, back to the start.
            None => (0..self.ply).rev().find(|&ply| self.is_stop(ply)).unwrap_or(0),
        };
        self.go_to(ply)
    }

    /// Plays turns again that were taken back: so many, or to where a person was asked next.
    fn redo(&mut self, plies: Option<usize>) -> Result<(), ApiError> {
        let last = self.session.len();
        if self.ply == last {
            return Err(ApiError::nothing_to_redo("no turn was taken back"));
        }
        let ply = match plies {
            Some(plies) => self.ply.saturating_add(plies).min(last),
            None => (self.ply + 1..last).find(|&ply| self.is_stop(ply)).unwrap_or(last),
        };
        // Where several choose at once, on to where all have chosen.
        let round = (ply..last).find(|&ply| self.session.round(ply) == ply);
        self.stand_at(round.unwrap_or(last))
    }

    /// Goes to a ply of the game; where several choose at once, to before the first of them did, since whoever chooses
    /// again must not know what the others chose.
    fn go_to(&mut self, ply: usize) -> Result<(), ApiError> {
        if ply > self.session.len() {
            return Err(ApiError::bad_request(format!(
                "the game has {} turns",
                self.session.len()
            )));
        }
        self.stand_at(self.session.round(ply))
    }

    /// Goes to a ply of the game. If a program is to move there, it waits until somebody says so, unless a person chooses
    /// at the same time.
    fn stand_at(&mut self, ply: usize) -> Result<(), ApiError> {
        self.ply = ply;
        self.ended = None;
        let choosers = self.session.choosers(ply);
        let program = |seat: &usize| {
            self.seats
                .get(*seat)
                .is_some_and(|seat| seat.sitter.program().is_some())
        };
        self.paused = !choosers.is_empty() && choosers.iter().all(program);
        self.said = self.said.take().filter(|(at, _)| *at == ply);
        self.game_changed();
        Ok(())
    }

    /// Programs wait, or play on.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.changed();
    }

    /// The same game from its start.
    fn restart(&mut self) -> Result<(), ApiError> {
        let start = (!self.session.begins_at_the_start()).then(|| self.session.start());
        self.replace(start.as_deref(), &[])
    }

    /// Another game of the same kind.
    fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), ApiError> {
        self.session.replace(position, turns)?;
        self.ply = self.session.len();
        self.ended = None;
        if let Some(clocks) = &mut self.clocks {
            clocks.reset();
        }
        self.said = None;
        self.paused = false;
        self.game_changed();
        Ok(())
    }

    /// Everybody moves one seat on.
    fn swap(&mut self) {
        self.seats.rotate_right(1);
        self.ended = self.ended.map(|how| how.rotated(self.seats.len()));
        if let Some(clocks) = &mut self.clocks {
            clocks.rotate(Instant::now());
        }
        self.paused = false;
        self.game_changed();
    }

    /// How long a program's turn takes at least.
    pub fn set_pace(&mut self, ms: u32) {
        self.pace_ms = ms.min(SLOWEST_MS);
        self.changed();
    }

    /// The game as text.
    pub fn record(&self) -> String {
        let called = |seat: &TableSeat| seat.name.clone().unwrap_or_else(|| seat.sitter.as_str().into());
        let players: Vec<String> = self.seats.iter().map(called).collect();
        let ended = self.ended.map(|how| how.in_words(&self.session.game().roles()));
        record(&self.game, self.session(), &players, self.ply, ended)
    }
}

/// A name as it is kept: one line, also in a record; none if there is nothing to read.
fn written_name(name: &str) -> Option<String> {
    let name = name.replace(char::is_control, " ");
    let name = name.trim();
    (!name.is_empty()).then(|| shortened(name))
}
