//! The moment between fork and exec, in which a program is bound to its supervisor.
//!
//! This is the one place of `unsafe`: what a new process does to itself before it becomes the program can be said only with
//! `pre_exec`, which warns of processes with several threads, where a lock may have been held by a thread that is no more. Two
//! things make it harmless here: a supervisor has a single thread, and all that is done are system calls on values that were
//! made before. That a program dies with its supervisor, and is in its cgroup before it can fork, is tested in
//! `tests/families.rs`.

#![allow(unsafe_code)]

use crate::cgroup::Cgroup;
use crate::{Program, ProgramStreams};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Starts a program as our child: in a group of its own, in the cgroup if there is one, and to die with us.
pub fn start(program: &Program, streams: ProgramStreams, cgroup: Option<&Cgroup>) -> io::Result<Pid> {
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
    let bind = move || {
        if let Some(entrance) = &entrance {
            // Without it the program is killed process by process.
            let _ = rustix::io::write(entrance, b"0");
        }
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // Whoever died before that sends no signal any more.
        match getppid() == Some(supervisor) {
            true => Ok(()),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    };
    // SAFETY: this process has one thread, and `bind` makes system calls only; see above.
    unsafe { command.pre_exec(bind) };
    let child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("the system gave it no number"))
}
