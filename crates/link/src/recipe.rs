//! Players from specs, programs outside among them.

use crate::identity::identity;
use crate::{course, ugi};
use players::{Playable, Recipe, Spec, SpecError};
use std::any::Any;

/// Reads a spec for a game: `engine:COMMAND`, `course:COMMAND` (Stack Four only), or a player of the game's roster.
pub fn recipe<G: Playable>(spec: &str) -> Result<Recipe<G>, SpecError> {
    let parsed: Result<Spec, SpecError> = spec.parse();
    let Some((kind, line)) = parsed.as_ref().ok().and_then(Spec::as_program) else {
        return players::recipe(spec);
    };
    let wrong = |why: String| SpecError::Form { spec: spec.into(), why };
    let command = ugi::Command::parse(line).map_err(|error| wrong(error.to_string()))?;
    match kind {
        "course" => {
            command.check().map_err(|error| wrong(error.to_string()))?;
            // The course's programs play one game; that `G` is that game only this moment tells.
            let made: Box<dyn Any> = Box::new(course::recipe(line).identified(identity(&command)));
            let made = made.downcast::<Recipe<G>>();
            made.map(|recipe| *recipe)
                .map_err(|_| wrong("the course's programs play `stack4` only".into()))
        }
        _ => ugi::engine_recipe(Spec::engine(line), command).map_err(|error| wrong(error.to_string())),
    }
}
