//! A running engine: its pipes, watched so that nothing it does or leaves undone can hold us up.

use super::conversation::Conversation;
use super::{EngineCommand, LineBuffer};
use ::process::{Excess, ProgramStreams, Supervised};
use player::{ConversationLine, Speaker};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::AsFd;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// An engine that has said more than this while we speak is not listened to before we have finished.
const UNHEARD: usize = 1 << 20;

/// How much of an engine's standard error is kept: the end of it.
const LONGEST_STDERR_LOG: usize = 8 * 1024;

/// How long an engine may take to leave when asked to.
const GOODBYE: Duration = Duration::from_millis(300);

/// Why no line came.
#[derive(Debug)]
pub(crate) enum Silence {
    /// The deadline passed.
    Late,
    /// The engine's output ended: it closed it, or it is no more.
    Ended,
    /// The system's fault.
    Broken(io::Error),
}

pub(crate) struct Process {
    supervised: Supervised,
    input: PipeWriter,
    output: PipeReader,
    errors: Option<PipeReader>,
    lines: LineBuffer,
    stderr_log: VecDeque<u8>,
    /// Whether a line has ever come.
    spoke: bool,
    conversation: Option<Conversation>,
}

impl Process {
    pub fn start(command: &EngineCommand) -> io::Result<Process> {
        let ((their_input, input), (output, their_output), (errors, their_errors)) = (pipe()?, pipe()?, pipe()?);
        unblock(&input)?;
        unblock(&output)?;
        unblock(&errors)?;
        let streams = ProgramStreams {
            input: their_input.into(),
            output: their_output.into(),
            errors: their_errors.into(),
        };
        Ok(Process {
            supervised: Supervised::start(&command.program(), streams)?,
            input,
            output,
            errors: Some(errors),
            lines: LineBuffer::default(),
            stderr_log: VecDeque::new(),
            spoke: false,
            conversation: None,
        })
    }

    /// Has every line kept from now on.
    pub fn keep_conversation(&mut self) {
        self.conversation.get_or_insert_default();
    }

    /// The lines that were kept since the last asking.
    pub fn conversation(&mut self) -> Vec<ConversationLine> {
        self.conversation.as_mut().map(Conversation::take).unwrap_or_default()
    }

    /// A game begins: processor time is counted anew.
    pub fn mark(&mut self) {
        self.supervised.mark();
    }

    /// The processor time that it and all it started have taken, if the system says so.
    pub fn processor_time(&mut self) -> Option<Duration> {
        self.supervised.processor_time()
    }

    /// The limit for which it was killed, if it was.
    pub fn exceeded(&self) -> Option<Excess> {
        self.supervised.exceeded()
    }

    /// The memory that the program itself holds now, if the system says so.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.supervised.leader()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_ascii_whitespace()
            .next()?
            .parse::<u64>()
            .ok()
            .map(|kilobytes| kilobytes << 10)
    }

    /// Why it may be silent, as far as can be seen from here; empty if nothing can.
    pub fn hint(&self) -> String {
        let (begun, length) = self.lines.begun();
        match (length, self.spoke) {
            (0, true) => String::new(),
            (0, false) => {
                "it has not written a single line; does it flush its output after each one (print(…, flush=True), \
                           fflush(stdout), std::endl, System.out.flush())?"
                    .into()
            }
            (_, _) => format!("it wrote {begun:?} without an end of line"),
        }
    }

    /// Sends text, reading on meanwhile what the engine says: one that shouts before it listens blocks nobody.
    pub fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Silence> {
        let mut rest = text.as_bytes();
        if let Some(conversation) = &mut self.conversation {
            text.lines().for_each(|line| conversation.add(Speaker::Referee, line));
        }
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(deadline, true)?;
                }
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(Silence::Ended),
                Err(error) => return Err(Silence::Broken(error)),
            }
        }
        Ok(())
    }

    /// The next line for which `read` has an answer. Others are passed over.
    pub fn find<T>(&mut self, deadline: Instant, mut read: impl FnMut(&str) -> Option<T>) -> Result<T, Silence> {
        loop {
            let (conversation, spoke) = (&mut self.conversation, &mut self.spoke);
            let found = self.lines.find(|line| {
                *spoke = true;
                if let Some(conversation) = conversation {
                    conversation.add(Speaker::Program, line);
                }
                read(line)
            });
            if let Some(found) = found {
                return Ok(found);
            }
            // Even if the engine never pauses for breath, the deadline holds.
            self.wait(deadline, false)?;
        }
    }

    /// Waits until there is something to read (or room to write) and reads what there is.
    fn wait(&mut self, deadline: Instant, writing: bool) -> Result<(), Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Silence::Late);
        }
        let timeout = Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos() as _,
        };
        let listening = self.lines.waiting() < UNHEARD;
        let (can_read, has_stderr) = {
            let mut watched = Vec::with_capacity(3);
            if listening {
                watched.push(PollFd::new(&self.output, PollFlags::IN));
            }
            if let Some(errors) = &self.errors {
                watched.push(PollFd::new(errors, PollFlags::IN));
            }
            if writing {
                watched.push(PollFd::new(&self.input, PollFlags::OUT));
            }
            match poll(&mut watched, Some(&timeout)) {
                Ok(0) => return Err(Silence::Late),
                Ok(_) => (),
                Err(rustix::io::Errno::INTR) => return Ok(()),
                Err(error) => return Err(Silence::Broken(error.into())),
            }
            let ready = |index: usize| watched.get(index).is_some_and(|fd: &PollFd| !fd.revents().is_empty());
            (
                listening && ready(0),
                self.errors.is_some() && ready(usize::from(listening)),
            )
        };
        if has_stderr {
            self.read_stderr();
        }
        if !can_read {
            return Ok(());
        }
        let mut chunk = [0; 16 * 1024];
        match self.output.read(&mut chunk) {
            Ok(0) => Err(Silence::Ended),
            Ok(n) => {
                self.lines.add(&chunk[..n]);
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(Silence::Broken(error)),
        }
    }

    /// Reads what there is of its standard error.
    pub fn read_stderr(&mut self) {
        let mut chunk = [0; 4096];
        // Bounded, so that an engine that writes without end cannot keep us reading.
        for _ in 0..16 {
            let Some(errors) = &mut self.errors else {
                return;
            };
            match errors.read(&mut chunk) {
                Ok(0) => self.errors = None,
                Ok(n) => {
                    self.stderr_log.extend(&chunk[..n]);
                    if let Some(conversation) = &mut self.conversation {
                        conversation.add_stderr(&chunk[..n]);
                    }
                    let over = self.stderr_log.len().saturating_sub(LONGEST_STDERR_LOG);
                    self.stderr_log.drain(..over);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.errors = None,
            }
        }
    }

    /// What it wrote to standard error since it was last asked.
    pub fn stderr_log(&mut self) -> String {
        self.read_stderr();
        if self.stderr_log.is_empty() {
            return String::new();
        }
        let bytes: Vec<u8> = self.stderr_log.drain(..).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// How it ended, if it does within `patience`.
    pub fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.supervised.ended(patience)
    }

    /// How it ended, if it says no more because it did.
    pub fn last_words(&mut self, given_up: impl Fn() -> bool) -> Option<ExitStatus> {
        self.supervised.last_words(given_up)
    }

    /// Ends it and all it started, and leaves no zombie.
    pub fn kill(&mut self) {
        self.supervised.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended(Duration::ZERO).is_none() && self.send("quit\n", Instant::now() + GOODBYE).is_ok() {
            self.ended(GOODBYE);
        }
        // Whether or not it went: what it started goes as well.
        self.kill();
    }
}

fn unblock(pipe: impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(&pipe)?;
    Ok(fcntl_setfl(&pipe, flags | OFlags::NONBLOCK)?)
}
