//! What people do at a table: the one door through which a table is changed by somebody.
//!
//! Every action is somebody's, who may have said which version of the table they saw. What a person may do is decided
//! here, whatever the front is; what needs somebody else's consent waits here, too (`consent`).

use super::seats::{Placement, Sitter};
use super::{Person, Table, Termination};
use crate::api_error::ApiError;
use game::Instant;

/// Who acts, and what they saw.
#[derive(Clone, Copy, Debug)]
pub struct By {
    /// Who.
    pub person: Person,
    /// The version of the table on their screen. If it is told, what others did in between is not undone by accident. A turn
    /// is for the game: it counts as long as that has not changed.
    pub version: Option<u64>,
}

impl By {
    /// Somebody who did not say what they saw.
    pub fn person(person: Person) -> Self {
        By { person, version: None }
    }
}

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// To play a turn.
    Turn {
        /// How many turns stand before it.
        ply: usize,
        /// The turn.
        turn: String,
    },
    /// To take a free seat.
    Sit {
        /// This one, from 0, or the first.
        seat: Option<usize>,
        /// What they want to be called there.
        name: Option<String>,
    },
    /// To give up the game.
    Resign,
    /// A draw, if the others agree.
    Draw,
    /// To say yes or no to what somebody asks for; who asks takes it back by no.
    Answer(bool),
    /// To take turns back: so many, or to where a person was asked last.
    Undo(Option<usize>),
    /// To play turns again that were taken back: so many, or to where a person was asked next.
    Redo(Option<usize>),
    /// To go to a ply of the game.
    GoTo(usize),
    /// To have programs wait, or play on.
    Pause(bool),
    /// The same game from its start.
    Restart,
    /// Everybody moves one seat on.
    Swap,
    /// Another game of the same kind.
    Setup {
        /// Where it begins, if not at the game's own first position.
        position: Option<String>,
        /// The turns.
        turns: Vec<String>,
    },
    /// Others to sit down, or another pace.
    Settle {
        /// Who is to sit where; `None` stays seated.
        seats: Option<Vec<Option<Placement>>>,
        /// What their own seats are called; `None` stays as it is.
        names: Option<Vec<Option<String>>>,
        /// How long a program's turn takes at least.
        pace_ms: Option<u32>,
    },
}

impl Action {
    /// Others are to sit down.
    pub fn seats(seats: Vec<Option<Placement>>) -> Self {
        Action::Settle {
            seats: Some(seats),
            names: None,
            pace_ms: None,
        }
    }
}

impl Table {
    /// Does what somebody wants, or says why not. A refused action changes nothing.
    pub fn act(&mut self, by: By, action: Action) -> Result<(), ApiError> {
        // Who plays a turn or sits down is asked otherwise.
        if !matches!(action, Action::Turn { .. } | Action::Sit { .. }) {
            self.seating().check_in_charge(by.person)?;
            self.check_version(by)?;
        }
        let agreed = match action {
            Action::Answer(yes) => self.answer_proposal(by.person, yes)?,
            action => self.ask_others(by, action)?,
        };
        if let Some(action) = agreed {
            self.perform(by, action)?;
        }
        self.run_clock(Instant::now());
        Ok(())
    }

    /// Does what need not be asked for any more.
    fn perform(&mut self, by: By, action: Action) -> Result<(), ApiError> {
        match action {
            // What was asked for is never an answer itself.
            Action::Answer(_) => Ok(()),
            Action::Turn { ply, turn } => self.turn_of(by, ply, &turn),
            Action::Sit { seat, name } => self.sit(by.person, seat, name.as_deref()),
            Action::Resign => self.resign(by.person),
            Action::Draw => self.draw(),
            Action::Undo(plies) => self.undo(plies),
            Action::Redo(plies) => self.redo(plies),
            Action::GoTo(ply) => self.go_to(ply),
            Action::Pause(paused) => {
                self.pause(paused);
                Ok(())
            }
            Action::Restart => self.restart(),
            Action::Swap => {
                self.swap();
                Ok(())
            }
            Action::Setup { position, turns } => self.replace(position.as_deref(), &turns),
            Action::Settle { seats, names, pace_ms } => {
                if let Some(seats) = seats {
                    self.settle(by.person, &seats)?;
                }
                if let Some(names) = names {
                    self.call(by.person, &names)?;
                }
                if let Some(ms) = pace_ms {
                    self.set_pace(ms);
                }
                Ok(())
            }
        }
    }

    /// Refuses what somebody wants who saw another table.
    fn check_version(&self, by: By) -> Result<(), ApiError> {
        self.check_seen(by, self.version)
    }

    /// Refuses a turn of somebody who saw another game. Who sat down meanwhile, took a name or asked for something does not
    /// change what the turn means; whoever plays has not agreed to what was asked for.
    fn check_game_version(&self, by: By) -> Result<(), ApiError> {
        self.check_seen(by, self.game_version)
    }

    fn check_seen(&self, by: By, since: u64) -> Result<(), ApiError> {
        match by.version {
            Some(version) if !(since..=self.version).contains(&version) => Err(ApiError::stale_version(
                "somebody else was faster: the table has changed since you saw it, so nothing was done",
            )),
            _ => Ok(()),
        }
    }

    /// A person's turn. The same turn once more (a double click) changes nothing.
    fn turn_of(&mut self, by: By, ply: usize, turn: &str) -> Result<(), ApiError> {
        let own = |seat: usize| self.seats[seat].sitter == Sitter::Person(by.person);
        // What was chosen and is not told yet must not be found out by guessing, also not by who swapped seats.
        let told = self.ply.min(self.session.revealed());
        let again = ply < told && self.session.mover(ply).is_some_and(own);
        if again && self.session.turns().get(ply).is_some_and(|played| played == turn) {
            return Ok(());
        }
        self.check_asked(by.person, ply)?;
        self.check_game_version(by)?;
        self.play(ply, turn)
    }

    /// Refuses a turn of whom nobody asks for one.
    fn check_asked(&self, person: Person, ply: usize) -> Result<(), ApiError> {
        let mover = self.to_move(self.ply);
        if let Some((seat, Sitter::Open)) = mover {
            let message = format!("seat {} is free: sit down to play", seat + 1);
            return Err(ApiError::not_seated(message));
        }
        if self.seating().seats_of(person).next().is_none() {
            return Err(ApiError::not_seated(
                "you are watching this table; only those who sit at it may play",
            ));
        }
        if ply != self.ply {
            let message = format!("the turn is for ply {ply}, and the game is at ply {}", self.ply);
            return Err(ApiError::stale_ply(message));
        }
        match mover {
            None => Err(ApiError::game_over("the game is over")),
            Some((seat, Sitter::Program(spec))) => {
                let message = format!("{spec} is to move on seat {}", seat + 1);
                Err(ApiError::not_your_turn(message))
            }
            Some((seat, sitter)) if *sitter != Sitter::Person(person) => {
                let message = format!("somebody else is to move on seat {}", seat + 1);
                Err(ApiError::not_your_turn(message))
            }
            Some(_) => Ok(()),
        }
    }

    fn sit(&mut self, person: Person, seat: Option<usize>, name: Option<&str>) -> Result<(), ApiError> {
        let free = |seat: &usize| self.seats.get(*seat).is_some_and(|seat| seat.sitter == Sitter::Open);
        let seat = match seat {
            Some(seat) if seat >= self.seats.len() => {
                return Err(ApiError::bad_request(format!(
                    "seat: this game has {}",
                    self.seats.len()
                )));
            }
            Some(seat) => Some(seat).filter(free),
            None => (0..self.seats.len()).find(free),
        };
        let Some(seat) = seat else {
            return Err(ApiError::seat_taken("no seat is free here: somebody else has sat down"));
        };
        self.seats[seat] = super::TableSeat {
            sitter: Sitter::Person(person),
            name: name.and_then(super::written_name),
        };
        self.changed();
        Ok(())
    }

    /// Gives the game up: for the seat to move if it is theirs, else for their first.
    fn resign(&mut self, person: Person) -> Result<(), ApiError> {
        self.check_running()?;
        if self.seats.len() != 2 {
            return Err(ApiError::unsupported("only a game of two can be given up"));
        }
        let own: Vec<usize> = self.seating().seats_of(person).collect();
        let mover = self.to_move(self.ply).map(|(seat, _)| seat);
        let seat = mover.filter(|seat| own.contains(seat)).or(own.first().copied());
        let seat = seat.ok_or_else(|| ApiError::not_seated("only who plays can give up"))?;
        self.end(Termination::Resigned(seat), Instant::now());
        Ok(())
    }

    /// Ends the game without a winner: all people here agree.
    fn draw(&mut self) -> Result<(), ApiError> {
        self.check_running()?;
        if self.seats.iter().any(|seat| seat.sitter.person().is_none()) {
            return Err(ApiError::unsupported("programs and free seats agree to nothing"));
        }
        self.end(Termination::Agreed, Instant::now());
        Ok(())
    }

    /// Calls somebody's own seats by names; `None` leaves one as it is.
    fn call(&mut self, me: Person, names: &[Option<String>]) -> Result<(), ApiError> {
        if names.len() > self.seats.len() {
            return Err(ApiError::bad_request(format!(
                "names: this game has {} seats",
                self.seats.len()
            )));
        }
        let named = || self.seats.iter().zip(names).filter(|(_, name)| name.is_some());
        if named().any(|(seat, _)| seat.sitter.person() != Some(me)) {
            return Err(ApiError::seat_taken("names: only your own seats are yours to name"));
        }
        for (seat, name) in self.seats.iter_mut().zip(names) {
            if let Some(name) = name {
                seat.name = super::written_name(name);
            }
        }
        self.changed();
        Ok(())
    }

    /// Other people and programs sit down; `None` stays seated. Nobody loses a seat to somebody else.
    fn settle(&mut self, me: Person, placements: &[Option<Placement>]) -> Result<(), ApiError> {
        if placements.len() != self.seats.len() {
            return Err(ApiError::bad_request(format!(
                "seats: this game has {}, and {} were given",
                self.seats.len(),
                placements.len()
            )));
        }
        for (number, (seat, placement)) in self.seats.iter().zip(placements).enumerate() {
            if let Some(Placement::Program(spec)) = placement {
                crate::limits::check_spec(spec)?;
                self.session.check_player(spec)?;
            }
            if placement.is_some() && seat.sitter.person().is_some_and(|person| person != me) {
                let number = number + 1;
                return Err(ApiError::seat_taken(format!("seat {number} belongs to somebody else")));
            }
        }
        for (seat, placement) in self.seats.iter_mut().zip(placements) {
            if let Some(placement) = placement {
                *seat = super::TableSeat::of(placement.sitter(me));
            }
        }
        self.paused = false;
        self.changed();
        Ok(())
    }
}
