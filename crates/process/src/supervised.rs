//! Our side: a program that runs under a supervisor.

use crate::meter::ProcessorMeter;
use crate::wire::{self, SupervisorMessage};
use crate::{Excess, Gaps, Program, ResourceLimits, supervisor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{SendFlags, send};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How long the system may take to start a supervisor and a program, however much else it has to do.
const BIRTH: Duration = Duration::from_secs(30);

/// How long we wait for a supervisor to do its last work. It goes on if it takes longer; nobody needs to watch.
const DEATH: Duration = Duration::from_secs(5);

/// How long a dying program may take to say how it died, and how often we look whether anybody still wants to know.
const LAST_WORDS: Duration = Duration::from_secs(5);
const LOOK_UP: Duration = Duration::from_millis(20);

/// What is said to a supervisor when processor time is to be counted anew.
const MARK: &[u8] = b".";

/// A supervisor that says nothing for so long may have been stopped.
const NUDGE: Duration = Duration::from_millis(100);

/// What a program reads from and writes to.
#[derive(Debug)]
pub struct ProgramStreams {
    /// Its standard input.
    pub input: OwnedFd,
    /// Its standard output.
    pub output: OwnedFd,
    /// Its standard error.
    pub errors: OwnedFd,
}

/// A program that runs, with all it started. All of it is ended with this value, or when this process ends.
#[derive(Debug)]
pub struct Supervised {
    supervisor: Child,
    control: UnixStream,
    leader: Option<Pid>,
    status: Option<ExitStatus>,
    gaps: Gaps,
    exceeded: Option<Excess>,
    /// Whether its processor time is limited.
    counts: bool,
    /// Made when somebody first asks for its processor time.
    meter: Option<ProcessorMeter>,
    /// Whether the supervisor has hung up: it is done.
    over: bool,
    /// Whether everything was ended already.
    done: bool,
}

impl Supervised {
    /// Starts a program. Its streams are its own from now on.
    pub fn start(program: &Program, streams: ProgramStreams) -> io::Result<Supervised> {
        let (control, theirs) = UnixStream::pair()?;
        control.set_write_timeout(Some(BIRTH))?;
        control.set_read_timeout(Some(BIRTH))?;
        let mut supervised = Supervised {
            supervisor: supervisor::start(theirs)?,
            control,
            leader: None,
            status: None,
            gaps: Gaps::default(),
            exceeded: None,
            counts: program.limits.cpu.is_some(),
            meter: None,
            over: false,
            done: false,
        };
        // A supervisor that leaves before it has heard what to do does not understand us.
        wire::send(&supervised.control, program, &streams).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => supervisor::of_another_version(),
            _ => error,
        })?;
        drop(streams);
        let mut first = supervised.hear_nudging(BIRTH);
        if let Some(SupervisorMessage::Gaps(gaps)) = first {
            supervised.gaps = gaps;
            first = supervised.hear_nudging(BIRTH);
        }
        match first {
            Some(SupervisorMessage::Started(pid)) => {
                supervised.leader = Pid::from_raw(pid);
                Ok(supervised)
            }
            Some(SupervisorMessage::Failed(wire::OTHER_VERSION)) => Err(supervisor::of_another_version()),
            Some(SupervisorMessage::Failed(error)) => Err(io::Error::from_raw_os_error(error)),
            _ if supervised.over => Err(supervisor::of_another_version()),
            _ => Err(ErrorKind::TimedOut.into()),
        }
    }

    /// How the program ended, if it does within `patience`. What else it started is killed as soon as it has.
    pub fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while self.status.is_none() && !self.over {
            match self.hear(deadline) {
                Some(message) => self.note(message),
                None if self.over => (),
                None => return None,
            }
        }
        self.status
    }

    /// How a program ended whose streams are closed, unless it lives on: whoever dies closes them first, and on a busy machine
    /// may be a while about the rest. Waits no longer once `given_up` says so.
    pub fn last_words(&mut self, given_up: impl Fn() -> bool) -> Option<ExitStatus> {
        let deadline = Instant::now() + LAST_WORDS;
        loop {
            let status = self.ended(LOOK_UP);
            if status.is_some() || self.over || given_up() || Instant::now() >= deadline {
                return status;
            }
        }
    }

    fn note(&mut self, message: SupervisorMessage) {
        match message {
            SupervisorMessage::Ended(status) => self.status = Some(ExitStatus::from_raw(status)),
            SupervisorMessage::Exceeded(excess) => self.exceeded = Some(excess),
            SupervisorMessage::Started(_) | SupervisorMessage::Failed(_) | SupervisorMessage::Gaps(_) => (),
        }
    }

    /// Has processor time counted anew: a game begins.
    pub fn mark(&mut self) {
        if self.counts {
            let _ = send(&self.control, MARK, SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
        }
    }

    /// The limit that the program went beyond, if it was killed for one, as far as was heard until it ended.
    pub fn exceeded(&self) -> Option<Excess> {
        self.exceeded
    }

    /// The processor time of the program and of all that it started and that still runs, or that it has waited for. `None` when
    /// it has ended, or where the system does not say.
    pub fn processor_time(&mut self) -> Option<Duration> {
        if self.meter.is_none() {
            let supervisor = i32::try_from(self.supervisor.id()).ok().and_then(Pid::from_raw)?;
            self.meter = Some(ProcessorMeter::new(supervisor, self.leader?));
        }
        self.meter.as_ref()?.read()
    }

    /// The program's number.
    pub fn leader(&self) -> Option<i32> {
        self.leader.map(|pid| pid.as_raw_nonzero().get())
    }

    /// Ends the program and all it started, and waits until that is done.
    pub fn kill(&mut self) {
        if self.done {
            return;
        }
        self.done = true;
        let _ = self.control.shutdown(Shutdown::Write);
        while !self.over {
            match self.hear_nudging(DEATH) {
                Some(message) => self.note(message),
                None if self.over => (),
                None => return,
            }
        }
        let orderly = self.supervisor.wait().is_ok_and(|status| status.success());
        if let (false, None, Some(leader)) = (orderly, self.status, self.leader.take()) {
            // Somebody killed the supervisor. The program died with it, but what it started may not have.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// What the supervisor says next. One that says nothing for a while is woken up.
    fn hear_nudging(&mut self, patience: Duration) -> Option<SupervisorMessage> {
        let deadline = Instant::now() + patience;
        loop {
            let heard = self.hear((Instant::now() + NUDGE).min(deadline));
            if heard.is_some() || self.over || Instant::now() >= deadline {
                return heard;
            }
            self.nudge();
        }
    }

    /// Wakes the supervisor up. A program that stopped it must not do so again.
    fn nudge(&self) {
        if let (true, None, Some(leader)) = (self.done, self.status, self.leader) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
        if let Some(supervisor) = i32::try_from(self.supervisor.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(supervisor, Signal::CONT);
        }
    }

    /// What the supervisor says next. `None` if it says nothing until then, or has hung up.
    fn hear(&mut self, deadline: Instant) -> Option<SupervisorMessage> {
        let left = deadline.saturating_duration_since(Instant::now());
        let patience = Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos() as _,
        };
        loop {
            let mut watched = [PollFd::new(&self.control, PollFlags::IN)];
            match poll(&mut watched, Some(&patience)) {
                Ok(0) => return None,
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => (),
                Err(_) => break,
            }
        }
        let mut bytes = [0; SupervisorMessage::LENGTH];
        // They are written at once and far too few to be cut.
        match self.control.read_exact(&mut bytes) {
            Ok(()) => SupervisorMessage::decode(bytes),
            Err(_) => {
                self.over = true;
                None
            }
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a sandbox would not hold on this system: tried with a program that does nothing.
pub fn sandbox_gaps() -> io::Result<Gaps> {
    let program = Program {
        program: "true".into(),
        limits: ResourceLimits {
            sandbox: true,
            ..ResourceLimits::default()
        },
        ..Program::default()
    };
    let null = || {
        OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/null")
            .map(OwnedFd::from)
    };
    let streams = ProgramStreams {
        input: null()?,
        output: null()?,
        errors: null()?,
    };
    Ok(Supervised::start(&program, streams)?.gaps)
}
