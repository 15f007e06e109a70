//! A proved hint.

use crate::api_error::ApiError;
use crate::choice_values::ChoiceValues;
use crate::client::Client;
use crate::solver_pool::SolverPool;
use games::exact::{Advice, ExactPosition, Hint};
use std::time::Duration;

/// The best turn from a position, or from the middle of a turn on; `None` if that cannot be found in time.
pub async fn proved(
    solvers: &SolverPool,
    client: Client,
    mut position: Box<dyn ExactPosition>,
    time: Duration,
) -> Result<Option<Hint>, ApiError> {
    loop {
        let values = ChoiceValues::ask(solvers, client, position.as_ref(), time)?;
        if values.count() == 0 {
            return Err(ApiError::game_over("there is nothing left to choose"));
        }
        let Some(values) = values.all().await else {
            return Ok(None);
        };
        match position.advise(&values) {
            None => return Ok(None),
            Some(Advice::Turn(hint)) => return Ok(Some(hint)),
            Some(Advice::Further(further)) => position = further,
        }
    }
}
