//! General game playing over HTTP, both sides of it.
//!
//! - [`player`]: our players for anybody's manager;
//! - [`host`]: a manager for anybody's players;
//! - [`message`]: what they say to each other, as KIF; [`http`]: how it gets there.
//!
//! ```text
//!     manager → player   ( START id role ( rules ) startclock playclock )    → ready
//!     manager → player   ( PLAY id NIL ), then ( PLAY id ( m1 m2 … ) )       → a move
//!     manager → player   ( STOP id ( m1 m2 … ) )                             → done
//! ```
//!
//! Every message is an HTTP request of its own, its answer the response. A move that is late or illegal is replaced by
//! a random legal one, and the match goes on: nobody learns what was played but from the next PLAY.

pub mod host;
pub mod http;
pub mod message;
pub mod player;

/// Where players listen, by custom.
pub const PORT: u16 = 9147;
