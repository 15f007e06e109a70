//! The Universal Game Interface: a line of text a command, over pipes, in any language.
//!
//! - [`serve`]: our players as an engine for other people's runners;
//! - [`Engine`]: other people's engines as players here, started from an [`EngineCommand`].
//!
//! What we send: `ugi`, `setoption`, and for every game `uginewgame`, `isready`; for every move `position startpos moves …`
//! (`position fen …` where the game began elsewhere), `isready`, and `go` with `movetime`, `p1time p2time p1inc p2inc`,
//! `nodes` or `depth`; `stop` when the time is over. What we need back: `ugiok`, `readyok`, `bestmove MOVE`. Everything else
//! an engine may say is read as `info` or passed over.

mod command;
mod conversation;
mod death;
mod engine;
mod excluded;
mod inspect;
mod lines;
mod notation;
mod process;
mod serve;

pub use command::{CommandError, EngineCommand};
pub use death::death;
pub use engine::{Engine, with_info};
pub use excluded::{Excluded, check};
pub use inspect::{Finding, FindingSeverity, Inspection, InspectionSettings, inspect};
pub use lines::{LineBuffer, lines_within};
pub use serve::serve;

use crate::identity::identity;
use game::Game;
use player::{PlayerFactory, Spec};

/// Makes players of an engine. Its program must be there.
pub fn engine_factory<G: Game>(spec: Spec, command: EngineCommand) -> Result<PlayerFactory<G>, CommandError> {
    command.check()?;
    let identity = identity(&command);
    Ok(PlayerFactory::new(spec, move || Box::new(Engine::new(command.clone()))).identified(identity))
}
