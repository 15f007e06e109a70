//! The process between us and a program.

use crate::cgroup::Cgroup;
use crate::limits::{Excess, ResourceLimits};
use crate::sandbox::Gaps;
use crate::usage::Usage;
use crate::wire::{self, SupervisorMessage};
use crate::{birth, descendants};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, wait,
};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The first argument of a supervisor.
const WORD: &str = "--supervise";

/// What lists of processes call it: whoever kills all that is named like us must not kill it, too.
const NAME: &str = "engine-supervisor";

/// What to execute to get one.
static EXECUTABLE: OnceLock<OsString> = OnceLock::new();

/// Call this first in `main`. If the process was started to be a supervisor, it is one, and what comes back is its exit code.
/// If not, the program is now known to be able to.
pub fn supervise_if_asked() -> Option<ExitCode> {
    if std::env::args_os().nth(1).is_some_and(|word| word == WORD) {
        return Some(match supervise() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        });
    }
    // The file may be replaced while we run; this is what we were started from.
    let own = Path::new("/proc/self/exe");
    let found = match own.exists() {
        true => Some(own.into()),
        false => std::env::current_exe().ok(),
    };
    if let Some(found) = found {
        supervise_with(&found);
    }
    None
}

/// For programs whose `main` is not their own, such as tests: where there is one that calls [`supervise_if_asked`]. The first
/// call counts.
pub fn supervise_with(executable: &Path) {
    let _ = EXECUTABLE.set(executable.into());
}

/// Starts a supervisor; it hears from us on `socket`.
pub(crate) fn start(socket: UnixStream) -> io::Result<Child> {
    let executable = EXECUTABLE
        .get()
        .ok_or_else(|| io::Error::other("this program cannot supervise others: it did not say so in its main"))?;
    Command::new(executable)
        .arg0(NAME)
        .args([WORD, wire::VERSION])
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A Ctrl-C is for us, and not for it.
        .process_group(0)
        .spawn()
}

/// What it means that a supervisor left before it started anything.
pub(crate) fn of_another_version() -> io::Error {
    let executable = EXECUTABLE.get().map(|path| path.to_string_lossy()).unwrap_or_default();
    io::Error::other(format!(
        "its supervisor ({executable}) left before it started anything: it is killed, or of another version than this program; \
         build both from the same sources"
    ))
}

/// A supervisor's whole life.
fn supervise() -> io::Result<()> {
    let _ = rustix::thread::set_name(c"engine-supervis");
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    if std::env::args_os()
        .nth(2)
        .is_none_or(|version| version != wire::VERSION)
    {
        SupervisorMessage::Failed(wire::OTHER_VERSION).tell(&socket);
        return Err(io::ErrorKind::Unsupported.into());
    }
    set_child_subreaper(Some(getpid()))?;
    let (program, streams) = wire::receive(&socket)?;
    let cgroup = if program.without_cgroup {
        None
    } else {
        Cgroup::new(&program.limits)
    };
    match birth::start(&program, streams, cgroup.as_ref()) {
        Ok(born) => {
            let leader = born.pid;
            if born.gaps != Gaps::default() {
                SupervisorMessage::Gaps(born.gaps).tell(&socket);
            }
            SupervisorMessage::Started(leader.as_raw_nonzero().get()).tell(&socket);
            let mut family = ProgramFamily {
                leader,
                status: None,
                cgroup,
                limits: program.limits,
                counted_from: Some(Duration::ZERO),
            };
            family.watch(&socket);
            family.end(&socket);
        }
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error());
            SupervisorMessage::Failed(number).tell(&socket);
        }
    }
    Ok(())
}

/// A program and all it started.
struct ProgramFamily {
    leader: Pid,
    /// How the leader ended.
    status: Option<WaitStatus>,
    cgroup: Option<Cgroup>,
    limits: ResourceLimits,
    /// The processor time at the beginning of the game; not looked at yet if a game has just begun.
    counted_from: Option<Duration>,
}

impl ProgramFamily {
    /// Sleeps until the leader ends, or whoever wanted it goes or has had enough.
    fn watch(&mut self, socket: &UnixStream) {
        /// Even if nothing happens, orphans that have ended are waited for now and then.
        const SECOND: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
        /// Where the system cannot tell of a child's end otherwise, it is asked.
        const MOMENT: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 20_000_000,
        };
        /// How often limits are looked after.
        const TICK: Timespec = Timespec {
            tv_sec: 0,
            tv_nsec: 50_000_000,
        };
        let watched_limits = self.limits.are_watched();
        let mut looked = Instant::now();
        let leader = pidfd_open(self.leader, PidfdFlags::empty()).ok();
        loop {
            let mut watched = vec![PollFd::new(socket, PollFlags::IN)];
            watched.extend(leader.as_ref().map(|leader| PollFd::new(leader, PollFlags::IN)));
            let patience = match (&leader, watched_limits) {
                (None, _) => MOMENT,
                (Some(_), true) => TICK,
                (Some(_), false) => SECOND,
            };
            let polled = poll(&mut watched, Some(&patience));
            if polled.is_ok() && !watched[0].revents().is_empty() {
                // All that is ever said to us is that a game begins. The rest is the end.
                match (&*socket).read(&mut [0; 64]) {
                    Ok(1..) => self.counted_from = None,
                    _ => return,
                }
            }
            // A leader that has not been waited for keeps the number of its group from being given to another.
            if polled.is_ok() && watched.get(1).is_some_and(|leader| !leader.revents().is_empty()) {
                return;
            }
            self.reap();
            if self.status.is_some() {
                return;
            }
            if watched_limits && looked.elapsed().as_nanos() >= TICK.tv_nsec as u128 {
                looked = Instant::now();
                if let Some(excess) = self.excess() {
                    SupervisorMessage::Exceeded(excess).tell(socket);
                    return;
                }
            }
        }
    }

    /// The limit that the family exceeds now, if it does.
    fn excess(&mut self) -> Option<Excess> {
        let usage = Usage::of_descendants(self.limits.disk.is_some());
        let since = *self.counted_from.get_or_insert(usage.cpu);
        usage.excess(&self.limits, since)
    }

    /// Waits for whoever has ended. Says whether nobody is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.leader => self.status = Some(status),
                Ok(Some(_)) | Err(rustix::io::Errno::INTR) => (),
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Kills until nobody is left, and says how the leader ended as soon as that is known.
    fn end(&mut self, socket: &UnixStream) {
        const SHORT: Duration = Duration::from_millis(1);
        const LONG: Duration = Duration::from_millis(100);
        let (mut pause, mut told) = (SHORT, false);
        loop {
            if self.status.is_none() {
                let _ = kill_process_group(self.leader, Signal::KILL);
            }
            if let Some(cgroup) = &self.cgroup {
                cgroup.kill();
            }
            let alone = self.reap();
            if let (Some(status), false) = (self.status, told) {
                SupervisorMessage::Ended(status.as_raw()).tell(socket);
                told = true;
            }
            if alone {
                return;
            }
            // A child that was killed in this round hands its own children over to us, or is found by the next one.
            for pid in descendants::of(getpid()) {
                let _ = kill_process(pid, Signal::KILL);
            }
            if self.reap() {
                continue;
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONG);
        }
    }
}
