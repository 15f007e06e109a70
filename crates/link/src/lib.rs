//! Conversations with the outside.
//!
//! - [`course`]: Stack Four over TCP as the course's programs speak it, both sides of it.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod course;
