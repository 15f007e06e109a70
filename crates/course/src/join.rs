//! Playing for us on a server.

use super::tracker::Tracker;
use super::wire::{Arrival, MoveAnswer, MoveRequest, REQUEST_BYTES, Reader, i32_at};
use super::{CourseError, TIME_FOR_A_MOVE};
use game::Game;
use stack4::{Column, Position};
use std::io::Write;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How to join.
#[derive(Clone, Debug)]
pub struct JoinOptions {
    /// The number of our team.
    pub team: i32,
    /// How long to wait for the next board: the server may be waiting for another team.
    pub patience: Duration,
    /// How long to wait for a server that is not up yet.
    pub wait: Duration,
}

impl Default for JoinOptions {
    fn default() -> Self {
        JoinOptions {
            team: 0,
            patience: Duration::from_secs(600),
            wait: Duration::ZERO,
        }
    }
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Moves we were asked for.
    pub moves: u32,
    /// The last position we saw.
    pub last: Position,
}

/// Connects to a server, says our team number and answers each board with the move that `choose` finds, until the
/// server says stop or hangs up between moves.
pub fn join(
    server: impl ToSocketAddrs,
    options: &JoinOptions,
    mut choose: impl FnMut(&Position) -> Option<Column>,
) -> Result<Joined, CourseError> {
    let mut stream = connect_within(server, options.wait)?;
    let reading = stream
        .try_clone()
        .map_err(CourseError::io("cannot share the connection"))?;
    let mut reader = Reader::new(reading);
    let mut send = |bytes: &[u8]| {
        stream
            .write_all(bytes)
            .map_err(CourseError::io("cannot send to the server"))
    };
    send(&options.team.to_le_bytes())?;

    let mut tracker = Tracker::default();
    let mut joined = Joined {
        moves: 0,
        last: Position::new(),
    };
    while let Some(request) = next_request(&mut reader, options.patience)? {
        let position = tracker.follow(request.stones)?;
        joined.last = position;
        if position.mover() != request.seat {
            let why = format!("it asks for a move out of turn, after {} stones", position.moves());
            return Err(CourseError::protocol(why));
        }
        let first_legal = || Column::all().find(|&column| position.is_legal(column));
        let Some(column) = choose(&position).or_else(first_legal) else {
            return Err(CourseError::protocol("it asks for a move in a finished game"));
        };
        send(&MoveAnswer::new(request.package, column).encode())?;
        joined.moves += 1;
    }
    Ok(joined)
}

/// The next board to play on; `None` when the server says stop or has hung up.
fn next_request(reader: &mut Reader, patience: Duration) -> Result<Option<MoveRequest>, CourseError> {
    let deadline = Instant::now() + patience;
    let during = "waiting for the server's board";
    // The code comes first: servers may send it alone when it means stop.
    for size in [4, REQUEST_BYTES] {
        match reader.fill(size, deadline) {
            Arrival::Whole if i32_at(reader.bytes(), 0) == 0 => return Ok(None),
            Arrival::Whole => {}
            Arrival::Late => {
                return Err(CourseError::Silent {
                    during: during.into(),
                    patience,
                });
            }
            Arrival::Gone(_) if reader.bytes().is_empty() => return Ok(None),
            Arrival::Gone(error) => return Err(CourseError::io(during)(error)),
        }
    }
    match reader.take::<REQUEST_BYTES>() {
        Some(bytes) => MoveRequest::decode(&bytes).map(Some),
        None => Ok(None),
    }
}

/// Connects as soon as somebody listens there.
fn connect_within(server: impl ToSocketAddrs, wait: Duration) -> Result<TcpStream, CourseError> {
    const PAUSE: Duration = Duration::from_millis(100);
    let deadline = Instant::now() + wait;
    let addresses: Vec<SocketAddr> = server
        .to_socket_addrs()
        .map_err(CourseError::io("cannot find the server"))?
        .collect();
    loop {
        match connect(&addresses) {
            Err(_) if Instant::now() + PAUSE < deadline => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
}

fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, CourseError> {
    let mut failure = None;
    for address in addresses {
        match TcpStream::connect_timeout(address, TIME_FOR_A_MOVE) {
            Ok(stream) => {
                stream
                    .set_nodelay(true)
                    .map_err(CourseError::io("cannot set up the connection"))?;
                return Ok(stream);
            }
            Err(error) => failure = Some(CourseError::io(format!("cannot connect to {address}"))(error)),
        }
    }
    Err(failure.unwrap_or_else(|| CourseError::protocol("the server's name has no address")))
}
