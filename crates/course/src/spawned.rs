//! Programs that we start ourselves.

use super::CourseError;
use super::host::{ConnectedProgram, Host};
use super::referee::{CourseFault, CourseSide};
use game::Stop;
use link::ugi;
use parking_lot::Mutex;
use player::PlayerError;
use process::{Program, ProgramStreams, ResourceLimits, Supervised};
use stack4::{Column, Position};
use std::fs::OpenOptions;
use std::io;
use std::os::fd::AsFd;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// How long a program may take to leave when it is told to stop.
const GOODBYE: Duration = Duration::from_secs(1);

/// How long the course's own port may be another's.
const PORT_PATIENCE: Duration = Duration::from_secs(5);

/// Where a command says at which port it should connect.
const PORT_WORD: &str = "{port}";

/// Programs that always take the course's own port connect one after the other.
static AT_THE_PORT: Mutex<()> = Mutex::new(());

/// Whether the course's own port can be had: better to know before the first game.
pub fn port_is_free() -> Result<(), CourseError> {
    // Another match may have it for a moment.
    Host::bind_when_free(PORT_PATIENCE, &Stop::never()).map(|_| ())
}

/// A program that we started ourselves and that has connected. With this value it is told to stop, and ended with all it
/// started.
pub struct Spawned {
    /// The program as a side of a game.
    pub program: ConnectedProgram,
    running: Supervised,
    limits: ResourceLimits,
    last: Position,
    stop: Stop,
}

impl Spawned {
    /// Runs a command and waits for it to connect. The first word is the program, the others its arguments (quotation marks
    /// keep blanks in); `{port}` in one of them stands for a free port. Without it the port is the course's own, 8888, as
    /// its programs expect. The program and all it starts keep within `limits`; in a sandbox that port is all of the network
    /// that is left to it.
    pub fn start(
        command: &str,
        limits: ResourceLimits,
        patience: Duration,
        time: Duration,
        stop: &Stop,
    ) -> Result<Spawned, CourseError> {
        // What is no command need not wait for a port.
        parse(command)?;
        if command.contains(PORT_WORD) {
            return Spawned::start_at(&Host::bind(0)?, command, limits, patience, time, stop);
        }
        let _turn = AT_THE_PORT.lock();
        let host = Host::bind_when_free(patience, stop)?;
        Spawned::start_at(&host, command, limits, patience, time, stop)
    }

    /// The same, with a port that is there already.
    pub fn start_at(
        host: &Host,
        command: &str,
        limits: ResourceLimits,
        patience: Duration,
        time: Duration,
        stop: &Stop,
    ) -> Result<Spawned, CourseError> {
        let mut line = parse(command)?;
        let port = host.address()?.port();
        for word in &mut line.arguments {
            *word = word.replace(PORT_WORD, &port.to_string());
        }
        let name = &line.program;
        let program = Program {
            port: Some(port),
            limits,
            ..line.program()
        };
        let mut running = silent()
            .and_then(|streams| Supervised::start(&program, streams))
            .map_err(CourseError::io(format!("cannot run {name}")))?;
        let connected = host.accept_while(patience, time, || match running.ended(Duration::ZERO) {
            Some(status) => Err(CourseError::protocol(format!(
                "{name} ended before it connected ({status})"
            ))),
            None if stop.is_raised() => Err(CourseError::Stopped),
            None => Ok(()),
        });
        let mut program = connected?;
        program.heed(stop);
        Ok(Spawned {
            program,
            running,
            limits,
            last: Position::new(),
            stop: stop.clone(),
        })
    }

    /// Waits for it to end by itself, as it should once it has been told to stop.
    pub fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.running.ended(patience)
    }

    /// A game begins: processor time is counted anew.
    fn begin_game(&mut self) {
        self.running.mark();
    }

    /// The processor time that it and all it started have taken, if the system says so.
    pub fn processor_time(&mut self) -> Option<Duration> {
        self.running.processor_time()
    }

    /// What it means that it is gone: it left, died, or was killed for a limit that it exceeded.
    pub fn fate(&mut self) -> PlayerError {
        match self.running.last_words(|| self.stop.is_raised()) {
            Some(status) if !status.success() => ugi::death(&self.limits, self.running.exceeded(), status),
            Some(_) => PlayerError::Disconnect("the program left".into()),
            None => PlayerError::Disconnect("the program closed its connection".into()),
        }
    }
}

fn parse(command: &str) -> Result<ugi::EngineCommand, CourseError> {
    ugi::EngineCommand::parse(command).map_err(|error| CourseError::protocol(format!("`{command}`: {error}")))
}

impl CourseSide for Spawned {
    fn ask(&mut self, position: &Position) -> Result<Column, CourseFault> {
        self.last = *position;
        self.program.ask(position)
    }

    fn why_gone(&mut self) -> Option<String> {
        self.program.is_gone().then(|| self.fate().to_string())
    }

    fn stop(&mut self, position: &Position) {
        self.program.stop(position);
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        if !self.stop.is_raised() && !self.program.is_gone() {
            self.program.stop(&self.last);
            self.running.ended(GOODBYE);
        }
    }
}

/// Nothing to read, nobody who listens, and complaints to where ours go.
fn silent() -> io::Result<ProgramStreams> {
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    Ok(ProgramStreams {
        input: nothing.try_clone()?.into(),
        output: nothing.into(),
        errors: io::stderr().as_fd().try_clone_to_owned()?,
    })
}

/// A program at a port that stays open: if it leaves and comes back, it goes on where the game is.
pub struct HostedProgram<'a> {
    host: &'a Host,
    seat: ProgramOrigin,
}

/// How a program came here.
enum ProgramOrigin {
    /// By itself.
    Connected(ConnectedProgram),
    /// We started it.
    Started(Box<Spawned>),
}

impl<'a> HostedProgram<'a> {
    /// A program that connected by itself.
    pub fn connected(host: &'a Host, program: ConnectedProgram) -> Self {
        HostedProgram {
            host,
            seat: ProgramOrigin::Connected(program),
        }
    }

    /// A program that we started.
    pub fn started(host: &'a Host, spawned: Spawned) -> Self {
        HostedProgram {
            host,
            seat: ProgramOrigin::Started(Box::new(spawned)),
        }
    }

    fn program(&mut self) -> &mut ConnectedProgram {
        match &mut self.seat {
            ProgramOrigin::Connected(program) => program,
            ProgramOrigin::Started(spawned) => &mut spawned.program,
        }
    }

    /// Waits for a program that has left. Who was started here and has ended does not come back.
    fn take_back(&mut self, until: Instant) -> bool {
        match &mut self.seat {
            ProgramOrigin::Connected(program) => self.host.take_back(program, until, || true),
            ProgramOrigin::Started(spawned) => {
                let Spawned { program, running, .. } = &mut **spawned;
                self.host
                    .take_back(program, until, || running.ended(Duration::ZERO).is_none())
            }
        }
    }
}

impl CourseSide for HostedProgram<'_> {
    fn ask(&mut self, position: &Position) -> Result<Column, CourseFault> {
        // Limits are for a game, and one program plays them all.
        if let (ProgramOrigin::Started(spawned), 0 | 1) = (&mut self.seat, position.moves()) {
            spawned.begin_game();
        }
        let deadline = Instant::now() + self.program().time();
        if self.program().is_gone() && !self.take_back(Instant::now()) {
            return Err(CourseFault::Gone);
        }
        match self.program().ask(position) {
            // It has the rest of its time to come back.
            Err(CourseFault::Gone) if self.take_back(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.program().ask_within(position, left)
            }
            other => other,
        }
    }

    fn why_gone(&mut self) -> Option<String> {
        match &mut self.seat {
            ProgramOrigin::Connected(_) => None,
            ProgramOrigin::Started(spawned) => spawned.why_gone(),
        }
    }

    fn stop(&mut self, position: &Position) {
        self.program().stop(position);
    }
}
