//! The game of `docs/add-a-game.md`, as it stands there.

/// The code of the page. What it leaves undocumented is explained there.
#[allow(missing_docs, reason = "the page explains it")]
mod game_of_the_page {
    include!(concat!(env!("OUT_DIR"), "/game.rs"));
}

pub use game_of_the_page::{ConnectFour, Lines};

/// How the page's code is to be known.
pub const NAME: &str = "connect4";

/// Registers it, as the page says.
pub fn register() {
    games::register(
        NAME,
        "four in a line on seven columns and six rows",
        ConnectFour::default,
    );
}
