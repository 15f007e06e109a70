//! The moment between fork and exec, in which a program is bound to its supervisor and to its limits.
//!
//! This is a place of `unsafe`: what a new process does to itself before it becomes the program can be said only with
//! `pre_exec`, which warns of processes with several threads, where a lock may have been held by a thread that is no more. Two
//! things make it harmless here: a supervisor has a single thread, and what is done are system calls on values that were
//! made before. That a program dies with its supervisor, and is in its cgroup before it can fork, is tested in
//! `tests/families.rs`; that its limits hold, in `tests/limits.rs`.

#![allow(unsafe_code)]

use crate::cgroup::Cgroup;
use crate::limits::ResourceLimits;
use crate::sandbox::{Gaps, Sandbox};
use crate::{Program, ProgramStreams};
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};
use std::io::{self, PipeReader, Read, pipe};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that was started.
pub struct Born {
    /// Its number.
    pub pid: Pid,
    /// What its sandbox does not hold.
    pub gaps: Gaps,
}

/// Starts a program as our child: in a group of its own, in the cgroup if there is one, within its limits, and to die with us.
pub fn start(program: &Program, streams: ProgramStreams, cgroup: Option<&Cgroup>) -> io::Result<Born> {
    let mut command = Command::new(&program.program);
    command
        .args(&program.arguments)
        .envs(&program.environment)
        .stdin(Stdio::from(streams.input))
        .stdout(Stdio::from(streams.output))
        .stderr(Stdio::from(streams.errors))
        .process_group(0);
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    let supervisor = rustix::process::getpid();
    let entrance = cgroup.and_then(Cgroup::entrance);
    let limits = program.limits;
    let mut sandbox = limits
        .sandbox
        .then(|| Sandbox::new(program.folder.as_deref().map(Path::new), program.port));
    let (told, teller) = pipe()?;
    let bind = move || {
        if let Some(entrance) = &entrance {
            // Without it the program is killed process by process.
            let _ = rustix::io::write(entrance, b"0");
        }
        limit(&limits)?;
        if let Some(sandbox) = &mut sandbox {
            rustix::io::write(&teller, &[sandbox.enter().bits()])?;
        }
        // Later than the sandbox: a process that changes what it may do loses it.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // Whoever died before that sends no signal any more.
        match getppid() == Some(supervisor) {
            true => Ok(()),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    };
    // SAFETY: this process has one thread, and `bind` makes system calls; see above.
    unsafe { command.pre_exec(bind) };
    let child = command.spawn()?;
    // Our own end of the pipe is in the closure.
    drop(command);
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("the system gave it no number"))?;
    Ok(Born { pid, gaps: gaps(told) })
}

/// What the program said of its sandbox before it became itself; nothing if it has none.
fn gaps(mut told: PipeReader) -> Gaps {
    let mut bits = [0];
    match told.read(&mut bits) {
        Ok(1) => Gaps::of_bits(bits[0]),
        _ => Gaps::default(),
    }
}

/// The limits that the system keeps for every process. Memory and disk are watched for the whole family besides.
fn limit(limits: &ResourceLimits) -> io::Result<()> {
    let set = |resource, most: Option<u64>| match most {
        Some(most) => setrlimit(
            resource,
            Rlimit {
                current: Some(most),
                maximum: Some(most),
            },
        ),
        None => Ok(()),
    };
    // What is written to, not what is reserved: a Java machine reserves gigabytes that it never touches.
    set(Resource::Data, limits.memory)?;
    set(Resource::Fsize, limits.disk)?;
    set(Resource::Nofile, limits.files.map(u64::from))?;
    Ok(())
}
