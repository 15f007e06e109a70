//! The processor time of a program that is asked for after every game, at the price of three reads.
//!
//! Most programs have one thread and no children. For these, three files of the system's are kept open and say all there is to
//! know; who has more is looked at process by process, which costs ten times as much.

use crate::usage::{Stat, Usage};
use rustix::process::Pid;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Tells the processor time of what a supervisor looks after.
#[derive(Debug)]
pub struct ProcessorMeter {
    supervisor: Pid,
    /// None where the system does not keep such files.
    files: Option<MeterFiles>,
}

/// What the system says of a program, again with every reading.
#[derive(Debug)]
struct MeterFiles {
    leader: i32,
    /// The children of the supervisor, which has one thread.
    looked_after: File,
    /// The children of the program's first thread.
    children: File,
    stat: File,
}

impl MeterFiles {
    fn open(supervisor: i32, leader: i32) -> std::io::Result<MeterFiles> {
        let children = |pid: i32| File::open(format!("/proc/{pid}/task/{pid}/children"));
        Ok(MeterFiles {
            leader,
            looked_after: children(supervisor)?,
            children: children(leader)?,
            stat: File::open(format!("/proc/{leader}/stat"))?,
        })
    }

    /// The time of a program that is alone. `None` if it is not, or has ended.
    fn time_alone(&self) -> Option<Duration> {
        let mut buffer = [0; LONGEST];
        let mut pids = text(&self.looked_after, &mut buffer)?.split_ascii_whitespace();
        if pids.next()?.parse() != Ok(self.leader) || pids.next().is_some() {
            return None;
        }
        if !text(&self.children, &mut buffer)?.trim_ascii().is_empty() {
            return None;
        }
        let stat = Stat::read(text(&self.stat, &mut buffer)?)?;
        (stat.threads == 1).then(|| stat.cpu())
    }
}

/// Longer than what is read of a program that is alone.
const LONGEST: usize = 1024;

/// What a file says now; `None` if that is too long.
fn text<'a>(file: &File, buffer: &'a mut [u8; LONGEST]) -> Option<&'a str> {
    let length = file.read_at(buffer, 0).ok().filter(|&length| length < LONGEST)?;
    std::str::from_utf8(&buffer[..length]).ok()
}

impl ProcessorMeter {
    pub fn new(supervisor: Pid, leader: Pid) -> ProcessorMeter {
        let [of, at] = [supervisor, leader].map(|pid| pid.as_raw_nonzero().get());
        ProcessorMeter {
            supervisor,
            files: MeterFiles::open(of, at).ok(),
        }
    }

    /// The processor time of the program and of all that it started and that still runs, or that it has waited for. `None` when
    /// it has ended, or where the system does not say.
    pub fn read(&self) -> Option<Duration> {
        let alone = self.files.as_ref().and_then(MeterFiles::time_alone);
        alone.or_else(|| {
            let usage = Usage::of_descendants_of(self.supervisor, false);
            (usage.processes > 0).then_some(usage.cpu)
        })
    }
}
