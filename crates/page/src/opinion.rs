//! What the strongest player thinks where nobody knows the truth.

use crate::api_error::ApiError;
use games::describe::ToSchema;
use games::{Session, Thinker};
use player::{Analysis, Score};
use serde::Serialize;
use std::time::Duration;

/// How long it thinks about one position.
pub const THOUGHT: Duration = Duration::from_millis(400);

/// What the strongest player thinks of a position: an opinion, not the truth.
#[derive(Serialize, ToSchema)]
pub struct Opinion {
    /// Who thinks so.
    player: String,
    /// Who is to move, from 1.
    mover: usize,
    /// The turn that it would make.
    turn: String,
    /// The same as people write it.
    written: String,
    /// What it expects for who is to move: 1 is a win, 0 a loss; null where it did not think, having no choice or no time.
    expects: Option<f64>,
    /// Whether it has seen a forced win or loss.
    forced: bool,
    /// How it thinks the game goes on, its own turn first.
    line: Vec<String>,
}

/// A position on which somebody is to have an opinion.
pub struct Subject {
    player: String,
    mover: usize,
    /// The legal turns, and as people write them.
    legal: Vec<(String, String)>,
}

impl Subject {
    /// The position after so many turns, and the thought to be had about it.
    ///
    /// # Errors
    ///
    /// The game is over there, or is none of two who move in turn.
    pub fn of(session: &dyn Session, ply: usize) -> Result<(Subject, Thinker), ApiError> {
        if session.game().seats() != 2 || session.choosers(ply).len() > 1 {
            return Err(ApiError::unsupported("opinions are for two who move in turn"));
        }
        let mover = session
            .mover(ply)
            .ok_or_else(|| ApiError::game_over("the game is over"))?;
        let player = session.strongest();
        let thinker = session.thinker(ply, &player, 1)?;
        let moment = session.moment(ply);
        let subject = Subject {
            player,
            mover,
            legal: moment.legal.into_iter().zip(moment.legal_written).collect(),
        };
        Ok((subject, thinker))
    }

    /// The opinion, from what the player said in any session of that game.
    pub fn opinion(self, session: &dyn Session, said: Analysis<String>) -> Opinion {
        let written = self.legal.into_iter().find(|(turn, _)| *turn == said.best);
        // Where there was no time to look at anything there is no opinion either.
        let looked = said.nodes.is_some_and(|nodes| nodes > 0);
        Opinion {
            player: self.player,
            mover: self.mover + 1,
            written: written.map_or_else(|| said.best.clone(), |(_, written)| written),
            turn: said.best,
            expects: said.score.filter(|_| looked).map(|score| session.expectation(score)),
            forced: matches!(said.score, Some(Score::Mate(_))),
            line: said.pv,
        }
    }
}
