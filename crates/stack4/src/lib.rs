//! Stack Four: stones stack on 24 columns, 32 each, and every line of four pays its maker floor(100 / k), where k
//! counts the lines of both players. The first lines decide.
//!
//! - [`Position`] is the rules; [`geometry`] is the board and its 336 lines; [`Cells`] is a set of cells.
//! - [`replay`] plays a written game; [`StateString`] is the state string of the report.
//! - [`run3`] is the report's player; [`strong`] is the one to beat.
//!
//! ```
//! use game::Game;
//! use player::Clock;
//! use stack4::Position;
//!
//! let mut position = Position::new();
//! let column = position.parse_move("02")?;
//! position.play(column)?;
//! let mut strong = stack4::players::factory("strong:depth=2,threads=1")?.make();
//! strong.begin(1);
//! let answer = strong.choose(&position, &Clock::unlimited())?;
//! assert!(position.is_legal(answer.best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

mod cells;
mod diagram;
pub mod geometry;
mod notation;
pub mod players;
mod points;
mod position;
pub mod run3;
mod state_string;
pub mod strong;

pub use cells::Cells;
pub use geometry::{Cell, Column};
pub use notation::replay;
pub use points::count_lines;
pub use position::{GAME_LENGTH, Position, line_value};
pub use state_string::{STATE_STRING_BITS, StateString};
