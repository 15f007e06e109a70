//! The server's side: programs that connect.

use super::referee::{CourseFault, CourseSide};
use super::wire::{ANSWER_BYTES, Arrival, MoveAnswer, MoveRequest, Reader, i32_at};
use super::{CourseError, PORT, TIME_FOR_A_MOVE};
use game::{Game, Stop};
use stack4::{Column, Position};
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How often a waiting host looks up.
const LOOK_UP: Duration = Duration::from_millis(5);
/// How long a program that comes back may take to say its team number: the game waits for it.
const LONGEST_GREETING: Duration = Duration::from_millis(200);
/// Answers to earlier packages that are read past for one move. A program that was late sends one; more than that is
/// noise.
const STALE_ANSWERS: u32 = 64;

/// A port where programs connect.
pub struct Host {
    listener: TcpListener,
}

impl Host {
    /// Listens on a port of this machine; port 0 takes a free one.
    pub fn bind(port: u16) -> Result<Self, CourseError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Host::bind_to(address)
    }

    /// Listens on an address.
    pub fn bind_to(address: SocketAddr) -> Result<Self, CourseError> {
        let listener = TcpListener::bind(address).map_err(CourseError::io(format!("cannot listen on {address}")))?;
        listener
            .set_nonblocking(true)
            .map_err(CourseError::io("cannot set up the port"))?;
        Ok(Host { listener })
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr, CourseError> {
        self.listener
            .local_addr()
            .map_err(CourseError::io("cannot read the port's address"))
    }

    /// Listens on the course's own port as soon as it is free: another game may have it for a moment.
    pub(super) fn bind_when_free(patience: Duration, stop: &Stop) -> Result<Self, CourseError> {
        let deadline = Instant::now() + patience;
        loop {
            match Host::bind(PORT) {
                Err(_) if Instant::now() < deadline && !stop.is_raised() => std::thread::sleep(LOOK_UP),
                other => return other,
            }
        }
    }

    /// Waits for a program to connect and to say its team number. One that connects and says nothing, or leaves, is
    /// passed over. Nobody waits any longer once the sign is raised.
    pub fn accept(&self, patience: Duration, time: Duration, stop: &Stop) -> Result<ConnectedProgram, CourseError> {
        let mut program = self.accept_while(patience, time, || match stop.is_raised() {
            true => Err(CourseError::Stopped),
            false => Ok(()),
        })?;
        program.heed(stop);
        Ok(program)
    }

    /// Waits for a program that has left to connect again, under the same team number, as long as it may. Says whether it did.
    pub(super) fn take_back(
        &self,
        program: &mut ConnectedProgram,
        until: Instant,
        mut may_come: impl FnMut() -> bool,
    ) -> bool {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let back = ConnectedProgram::greet(stream, program.time, LONGEST_GREETING);
                    if let Some(back) = back.filter(|back| back.team == program.team) {
                        program.stream = back.stream;
                        program.reader = back.reader;
                        program.is_gone = false;
                        return true;
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                    if Instant::now() >= until || program.stop.is_raised() || !may_come() {
                        return false;
                    }
                    std::thread::sleep(LOOK_UP);
                }
                Err(_) => return false,
            }
        }
    }

    /// The same as [`accept`](Host::accept), asking again and again whether waiting still makes sense.
    pub(super) fn accept_while(
        &self,
        patience: Duration,
        time: Duration,
        mut still: impl FnMut() -> Result<(), CourseError>,
    ) -> Result<ConnectedProgram, CourseError> {
        let deadline = Instant::now() + patience;
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if let Some(program) = ConnectedProgram::greet(stream, time, left.min(TIME_FOR_A_MOVE)) {
                        return Ok(program);
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                    still()?;
                    std::thread::sleep(LOOK_UP);
                }
                Err(error) => return Err(CourseError::io("cannot accept a program")(error)),
            }
            if Instant::now() >= deadline {
                return Err(CourseError::Silent {
                    during: "waiting for a program to connect".into(),
                    patience,
                });
            }
        }
    }
}

/// A program that has connected.
pub struct ConnectedProgram {
    team: i32,
    stream: TcpStream,
    reader: Reader,
    time: Duration,
    package: i32,
    is_gone: bool,
    stop: Stop,
}

impl ConnectedProgram {
    /// Reads the team number. `None` if it does not come.
    fn greet(stream: TcpStream, time: Duration, patience: Duration) -> Option<ConnectedProgram> {
        // Some systems hand the listener's mode down.
        stream.set_nonblocking(false).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_write_timeout(Some(time.max(LOOK_UP))).ok()?;
        let mut reader = Reader::new(stream.try_clone().ok()?);
        match reader.fill(4, Instant::now() + patience) {
            Arrival::Whole => {}
            Arrival::Late | Arrival::Gone(_) => return None,
        }
        let team = i32_at(&reader.take::<4>()?, 0);
        Some(ConnectedProgram {
            team,
            stream,
            reader,
            time,
            package: 0,
            is_gone: false,
            stop: Stop::never(),
        })
    }

    /// From now on no move is waited for once the sign is raised.
    pub fn heed(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    /// How long it may think about a move.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// How long it may think about a move from now on.
    pub fn set_time(&mut self, time: Duration) {
        self.time = time;
    }

    /// The number of its team.
    pub fn team(&self) -> i32 {
        self.team
    }

    /// Whether it has left or died.
    pub fn is_gone(&self) -> bool {
        self.is_gone
    }

    fn gone(&mut self) -> CourseFault {
        self.is_gone = true;
        CourseFault::Gone
    }
}

impl ConnectedProgram {
    /// Asks for a move within a time of its own.
    pub fn ask_within(&mut self, position: &Position, time: Duration) -> Result<Column, CourseFault> {
        if self.is_gone {
            return Err(CourseFault::Gone);
        }
        let deadline = Instant::now() + time;
        self.package = self.package.wrapping_add(1);
        let request = MoveRequest::new(1, self.package, position, position.mover());
        if self.stream.write_all(&request.encode()).is_err() {
            return Err(self.gone());
        }
        for _ in 0..STALE_ANSWERS {
            match self.reader.fill_unless(&self.stop, ANSWER_BYTES, deadline) {
                Arrival::Whole => {}
                Arrival::Late => return Err(CourseFault::Late),
                Arrival::Gone(_) => return Err(self.gone()),
            }
            let Some(bytes) = self.reader.take::<ANSWER_BYTES>() else {
                continue;
            };
            let answer = MoveAnswer::decode(&bytes);
            // The answer to a package that was late comes before the one to this package.
            if answer.package == self.package {
                let column = answer
                    .column()
                    .filter(|&column| answer.code == 1 && position.is_legal(column));
                return column.ok_or(CourseFault::Illegal {
                    row: answer.row,
                    col: answer.col,
                });
            }
        }
        Err(CourseFault::Late)
    }
}

impl CourseSide for ConnectedProgram {
    fn ask(&mut self, position: &Position) -> Result<Column, CourseFault> {
        self.ask_within(position, self.time)
    }

    fn stop(&mut self, position: &Position) {
        if !self.is_gone {
            let request = MoveRequest::new(0, self.package.wrapping_add(1), position, position.mover());
            // Whoever does not hear it any more need not be told.
            let _ = self.stream.write_all(&request.encode());
        }
    }
}
