//! What one person may not do alone: taking turns back, beginning anew and agreeing to a draw wait until the others say
//! yes. Whoever plays on has said no.

use super::{Action, By, Person, Table};
use crate::api_error::ApiError;

/// What somebody asked the others for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who asked.
    pub by: Person,
    /// What for.
    pub action: Action,
    agreed: Vec<Person>,
}

impl Action {
    /// Whether it changes the game for everybody, and not by a turn.
    fn needs_consent(&self) -> bool {
        matches!(
            self,
            Action::Undo(_)
                | Action::Redo(_)
                | Action::GoTo(_)
                | Action::Restart
                | Action::Swap
                | Action::Setup { .. }
                | Action::Draw
        )
    }
}

impl Table {
    /// The other people who play here.
    fn others(&self, person: Person) -> Vec<Person> {
        let mut others: Vec<Person> = Vec::new();
        for other in self.seats.iter().filter_map(|seat| seat.sitter.person()) {
            if other != person && !others.contains(&other) {
                others.push(other);
            }
        }
        others
    }

    /// Asks the others, if they must be asked. Gives back what may be done at once.
    pub(super) fn ask_others(&mut self, by: By, action: Action) -> Result<Option<Action>, ApiError> {
        if !action.needs_consent() || self.others(by.person).is_empty() {
            return Ok(Some(action));
        }
        let action = match action {
            Action::Undo(None) => Action::Undo(Some(self.back_to_own_turn(by.person)?)),
            action => action,
        };
        self.check_possible(&action)?;
        // Who asks for the same as somebody else agrees with them.
        if self
            .proposal
            .as_ref()
            .is_some_and(|asked| asked.action == action && asked.by != by.person)
        {
            return self.agree(by.person);
        }
        self.changed();
        self.proposal = Some(Proposal {
            by: by.person,
            action,
            agreed: vec![by.person],
        });
        Ok(None)
    }

    /// How many turns back a person was to move.
    fn back_to_own_turn(&self, person: Person) -> Result<usize, ApiError> {
        let own = |ply: &usize| {
            let seat = self.session.mover(*ply).and_then(|seat| self.seats.get(seat));
            seat.is_some_and(|seat| seat.sitter.person() == Some(person))
        };
        let ply = (0..self.ply).rev().find(own);
        ply.map(|ply| self.ply - ply)
            .ok_or_else(|| ApiError::nothing_to_undo("you have not played a turn yet"))
    }

    /// Refuses to ask for what cannot be.
    fn check_possible(&self, action: &Action) -> Result<(), ApiError> {
        match action {
            Action::Redo(_) if self.ply == self.session.len() => {
                Err(ApiError::nothing_to_redo("no turn was taken back"))
            }
            Action::GoTo(ply) if *ply > self.session.len() => Err(ApiError::bad_request(format!(
                "the game has {} turns",
                self.session.len()
            ))),
            Action::Setup {
                position: Some(position),
                ..
            } => Ok(self.session.check_position(position)?),
            Action::Draw => self.check_running(),
            _ => Ok(()),
        }
    }

    /// Says yes or no to what somebody asked for; who asked takes it back by no. Gives back what may now be done.
    pub(super) fn answer_proposal(&mut self, person: Person, yes: bool) -> Result<Option<Action>, ApiError> {
        let Some(proposal) = &self.proposal else {
            return Err(ApiError::stale_version("nobody asks for anything any more"));
        };
        if yes && proposal.by == person {
            return Err(ApiError::not_your_turn("the others must agree, not you"));
        }
        if yes {
            return self.agree(person);
        }
        self.changed();
        Ok(None)
    }

    fn agree(&mut self, person: Person) -> Result<Option<Action>, ApiError> {
        let Some(mut proposal) = self.proposal.take() else {
            return Ok(None);
        };
        self.changed();
        proposal.agreed.push(person);
        let mut others = self.others(proposal.by).into_iter();
        if others.all(|other| proposal.agreed.contains(&other)) {
            return Ok(Some(proposal.action));
        }
        self.proposal = Some(proposal);
        Ok(None)
    }
}
