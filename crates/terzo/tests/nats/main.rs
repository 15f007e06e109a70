//! Work over other machines as a user meets it: real processes, a real NATS server, and all of them mortal.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]
#![cfg(feature = "nats")]

#[path = "../support/core_wait.rs"]
mod core_wait;
#[path = "../../../arena/tests/support/deadline.rs"]
mod deadline;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/long_solve.rs"]
mod long_solve;
#[path = "../../../arena/tests/support/nats_server.rs"]
mod nats_server;

mod accidents;
mod interrupt;
mod played;
mod process;
mod same_games;
mod solving;
mod trust;
mod twice;
