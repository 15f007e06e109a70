//! The page without a server.
//!
//! What the server answers elsewhere is answered here, inside the browser, by the same tables, players and solvers, compiled to one
//! WebAssembly module. Two kinds of workers hold an instance of it each:
//!
//! - the *house* keeps the tables ([`house`]): it takes the requests of the page's modules, says what is to be stored, which program is to
//!   be asked, and when a clock runs out;
//! - *thinkers* have thoughts and answer exact questions ([`thought`]), several at once where there are cores. They know no tables: a
//!   question brings its game along.
//!
//! Both are asked in JSON through one function, [`Instance::ask`]; `abi` is how a host calls it. Streams, timers, storage and the choice of a thinker are the
//! host's: see `static/server.js` beside this crate.

#[cfg(target_arch = "wasm32")]
mod abi;
mod contest;
pub mod house;
mod kept;
mod routes;
pub mod thought;

use house::House;
use page::ApiError;
use serde_json::{Value, json};
use thought::ThoughtWorker;

/// One instance of everything: a worker uses it as a house or as a thinker.
#[derive(Default)]
pub struct Instance {
    house: House,
    thinker: ThoughtWorker,
}

impl Instance {
    /// Answers one question in JSON. Whatever is wrong with it is part of the answer.
    pub fn ask(&mut self, question: &str) -> String {
        let answer = serde_json::from_str::<Value>(question)
            .map_err(ApiError::bad_request)
            .and_then(|question| self.answer(question));
        let answer = answer.unwrap_or_else(|error| json!({ "status": error.status().as_u16(), "error": error.body() }));
        answer.to_string()
    }

    fn answer(&mut self, question: Value) -> Result<Value, ApiError> {
        let op = question.get("op").and_then(Value::as_str).map(String::from);
        let op = op.ok_or_else(|| ApiError::bad_request("expected `op`"))?;
        match op.as_str() {
            "request" | "open" | "start" | "answer" | "tick" | "forget" | "watch" => self.house.answer(&op, question),
            _ => self.thinker.answer(&op, question),
        }
    }
}

/// Reads what a question is made of.
fn read<T: serde::de::DeserializeOwned>(question: Value) -> Result<T, ApiError> {
    serde_json::from_value(question).map_err(ApiError::bad_request)
}
