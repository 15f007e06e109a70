//! The games by name, as the command line asks for them.

use crate::output;
use games::{AnyGame, Found, UnknownGame};
use std::sync::Arc;

/// The game of that name. What should be known of it and does not keep it from being played goes to standard error.
pub fn find(name: &str) -> Result<Arc<dyn AnyGame>, UnknownGame> {
    let Found { game, warning } = games::find(name)?;
    if let Some(warning) = warning {
        output::say(&warning);
    }
    Ok(game)
}
