//! As much of HTTP/1.x as managers and players speak: one message a connection, both sides of it.
//!
//! Heads are parsed by `httparse`; everything around it is here, because limits and deadlines are the point: nobody
//! on the other side can make us wait, or remember, more than we chose to. A connection is closed after its answer.

mod client;
mod origin;
mod read;
mod server;
mod timed;

pub use client::{PostError, post};
pub use origin::Sender;
pub use read::{HttpRequest, Method, read_answer, read_request};
pub use server::{HttpReply, HttpServer};

use std::io;
use thiserror::Error;

/// How much of a message is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Bytes of the first line and the headers.
    pub head: usize,
    /// Bytes of the body.
    pub body: usize,
}

impl HttpLimits {
    /// What a manager may send. The largest sheets known have some 30 kB.
    pub const REQUEST: HttpLimits = HttpLimits {
        head: 32 * 1024,
        body: 4 * 1024 * 1024,
    };
    /// What a player may answer: a move, or what INFO asks for.
    pub const ANSWER: HttpLimits = HttpLimits {
        head: 16 * 1024,
        body: 64 * 1024,
    };
}

/// Why a message could not be read.
#[derive(Debug, Error)]
pub enum HttpError {
    /// The connection broke, or the other side left before it had said everything.
    #[error("the connection ended: {0}")]
    Gone(io::Error),
    /// The deadline passed.
    #[error("the message did not come in time")]
    Late,
    /// This is not HTTP.
    #[error("not HTTP: {0}")]
    Malformed(String),
    /// The head is longer than the limit.
    #[error("the head has more than {0} bytes")]
    LongHead(usize),
    /// The body is longer than the limit.
    #[error("the body has more than {0} bytes")]
    LongBody(usize),
    /// A body that does not say how long it is.
    #[error("the body does not say how long it is; expected Content-Length")]
    NoLength,
    /// A web page asks that is not of this machine.
    #[error("a web page elsewhere ({0}) has nothing to say here")]
    Elsewhere(String),
    /// A method that nobody here knows.
    #[error("unknown method {0:?}; expected POST, GET or OPTIONS")]
    Method(String),
}

impl HttpError {
    /// What a server answers, if there is still somebody to hear it.
    pub fn status(&self) -> Option<u16> {
        match self {
            HttpError::Gone(_) => None,
            HttpError::Late => Some(408),
            HttpError::Malformed(_) => Some(400),
            HttpError::Elsewhere(_) => Some(403),
            HttpError::LongHead(_) => Some(431),
            HttpError::LongBody(_) => Some(413),
            HttpError::NoLength => Some(411),
            HttpError::Method(_) => Some(405),
        }
    }
}

impl From<io::Error> for HttpError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => HttpError::Late,
            _ => HttpError::Gone(error),
        }
    }
}

/// The words for a status that programs do not read.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        403 => "Forbidden",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Bad Request",
    }
}
