//! What the page may ask to be played, and the arena's plan of it.

use crate::api_error::{ApiError, shortened};
use crate::limits::check_spec;
use arena::plan::{Entrant, Format, OpeningPlan, Plan, named_apart};
use arena::terms::{Terms, TimeControl, duration};
use games::describe::ToSchema;
use serde::Deserialize;
use std::time::Duration;

/// How long a turn may take where the plan does not say.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// The most players, rounds and turns of a tournament that the page may start.
const MOST_PLAYERS: usize = 16;
const MOST_ROUNDS: u64 = 10_000;
const MOST_TURNS: u32 = 1000;

/// What is to be played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// The game.
    #[schema(example = "quarto")]
    pub game: String,
    /// Who plays, by spec.
    #[schema(example = json!(["novice", "random"]))]
    pub players: Vec<String>,
    /// How many pairs each two who meet play.
    #[schema(example = 20)]
    pub rounds: u64,
    /// What to call it.
    pub name: Option<String>,
    /// What all chance is drawn from; 1 if left out.
    pub seed: Option<u64>,
    /// Who meets whom: "round-robin" (if left out) or "gauntlet".
    #[schema(value_type = Option<String>)]
    pub format: Option<Format>,
    /// So many random turns begin each pair.
    pub opening_plies: Option<u32>,
    /// The time for a turn, such as "100ms".
    pub time: Option<String>,
}

impl NewTournament {
    /// The plan of it, within what the page may ask for.
    pub(super) fn plan(&self, threads: usize) -> Result<Plan, ApiError> {
        let wrong = |why: String| ApiError::bad_tournament(why);
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return Err(wrong(format!("players: expected 2 to {MOST_PLAYERS}")));
        }
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            return Err(wrong(format!("rounds: expected 1 to {MOST_ROUNDS}")));
        }
        for spec in &self.players {
            check_spec(spec)?;
        }
        let time = match &self.time {
            None => LONGEST_TURN,
            Some(text) => duration(text)
                .filter(|time| !time.is_zero() && *time <= LONGEST_TURN)
                .ok_or_else(|| wrong("time: expected a time for a turn such as 100ms, at most 5s".into()))?,
        };
        let plies = self.opening_plies.unwrap_or(0);
        if plies > 100 {
            return Err(wrong("opening_plies: expected at most 100".into()));
        }
        // The plan is kept as TOML, which has no larger numbers.
        if self.seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            return Err(wrong("seed: expected a number below 2^63".into()));
        }
        let name = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let plan = Plan {
            name: shortened(name.unwrap_or(&self.game)),
            game: self.game.clone(),
            players: named_apart(self.players.iter().map(|spec| Entrant::of_spec(spec)).collect()),
            rounds: self.rounds,
            format: self.format.unwrap_or_default(),
            seed: self.seed.unwrap_or(1),
            terms: Terms {
                control: TimeControl::Move(time),
                // The machine serves a page meanwhile: nobody loses because of that.
                margin: Duration::from_secs(10),
                max_turns: Some(MOST_TURNS),
                ..Terms::default()
            },
            openings: match plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            sprt: None,
            concurrency: threads,
        };
        plan.check().map_err(wrong)?;
        Ok(plan)
    }
}
