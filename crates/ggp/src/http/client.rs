//! Sending a message and hearing the answer.

use super::timed::Timed;
use super::{HttpError, HttpLimits, read_answer};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;
use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum PostError {
    /// Nobody listens there.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// Somebody does, and this became of it.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl PostError {
    /// Whether the time ran out, rather than the connection or the patience with nonsense.
    pub fn is_late(&self) -> bool {
        match self {
            PostError::Connect { error, .. } => {
                matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
            }
            PostError::Http(error) => matches!(error, HttpError::Late),
        }
    }
}

/// Posts a message as managers do and returns the body of the answer, whatever its status.
pub fn post(address: SocketAddr, receiver: &str, text: &str, deadline: Instant) -> Result<String, PostError> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(HttpError::Late.into());
    }
    let connect = |error| PostError::Connect { address, error };
    let stream = TcpStream::connect_timeout(&address, left).map_err(connect)?;
    stream.set_nodelay(true).map_err(connect)?;
    let mut timed = Timed {
        stream: &stream,
        deadline,
    };
    let receiver: String = receiver.chars().filter(|c| c.is_ascii_graphic()).collect();
    let head = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address}\r\nSender: GAMESERVER\r\nReceiver: {receiver}\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    // Somebody who answers before hearing everything may still have answered.
    let sent = timed.write_all((head + text).as_bytes());
    let answer = read_answer(&mut timed, HttpLimits::ANSWER);
    match (sent, answer) {
        (_, Ok((_, body))) => Ok(body),
        (Err(error), Err(HttpError::Gone(_))) => Err(HttpError::from(error).into()),
        (_, Err(error)) => Err(error.into()),
    }
}
