//! General game playing over HTTP: conversations with the desk, raw requests, whole matches, and a hundred of them with
//! everything going wrong around.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod conversation;
mod hidden;
mod matches;
mod raw;
#[path = "../../../gdl/tests/shared/mod.rs"]
mod shared;
mod sheets;
mod soak;
mod strangers;

/// Who builds many machines, and who looks at the memory of the whole process: not at the same time.
static MEMORY: std::sync::Mutex<()> = std::sync::Mutex::new(());
