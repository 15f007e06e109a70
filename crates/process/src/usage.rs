//! What a family of processes uses, by what the system says of each of them.

use crate::descendants;
use crate::limits::{Excess, ResourceLimits};
use rustix::process::{Pid, getpid};
use std::time::Duration;

/// What all of a family use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes of memory that are held now. What processes share is counted for each of them.
    pub memory: u64,
    /// Processor time, with that of children that were waited for.
    pub cpu: Duration,
    /// How many processes.
    pub processes: u32,
    /// Bytes written to disks.
    pub disk: u64,
}

impl Usage {
    /// What our descendants use now. What is written to disks is looked at only where somebody wants to know.
    pub fn of_descendants(disks: bool) -> Usage {
        Usage::of_descendants_of(getpid(), disks)
    }

    /// What the descendants of a process use now.
    pub fn of_descendants_of(ancestor: Pid, disks: bool) -> Usage {
        let mut usage = Usage::default();
        for pid in descendants::told_of(ancestor).unwrap_or_else(|| descendants::of(ancestor)) {
            usage.add(pid, disks);
        }
        usage
    }

    fn add(&mut self, pid: Pid, disks: bool) {
        let folder = format!("/proc/{}", pid.as_raw_nonzero());
        let stat = std::fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        if let Some(stat) = Stat::read(&stat) {
            self.cpu += stat.cpu();
            self.memory += stat.pages * rustix::param::page_size() as u64;
            self.processes += 1;
        }
        if disks {
            let io = std::fs::read_to_string(format!("{folder}/io")).unwrap_or_default();
            self.disk += written(&io);
        }
    }

    /// The limit that is exceeded, if one is; processor time counts from `since`.
    pub fn excess(&self, limits: &ResourceLimits, since: Duration) -> Option<Excess> {
        let over = |excess| match excess {
            Excess::Memory => limits.memory.is_some_and(|most| self.memory > most),
            Excess::Cpu => limits.cpu.is_some_and(|most| self.cpu.saturating_sub(since) > most),
            Excess::Processes => limits.processes.is_some_and(|most| self.processes > most),
            Excess::Disk => limits.disk.is_some_and(|most| self.disk > most),
        };
        Excess::ALL.into_iter().find(|&excess| over(excess))
    }
}

/// What a line of `/proc/PID/stat` says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its processor time and that of children it has waited for, in the system's ticks.
    ticks: u64,
    pages: u64,
    pub threads: u64,
}

impl Stat {
    /// `None` for a zombie, which has none of all this, and for what is no such line.
    pub fn read(line: &str) -> Option<Stat> {
        let (_, after_name) = line.rsplit_once(')')?;
        let mut fields = after_name.split_ascii_whitespace();
        if fields.next()? == "Z" {
            return None;
        }
        // Ten more fields stand before these.
        let mut fields = fields.skip(10).map(|field| field.parse::<u64>().ok());
        let mut ticks = 0;
        // User and system time of the process, then of its children that were waited for.
        for _ in 0..4 {
            ticks += fields.next()??;
        }
        // After priority and niceness, which may be negative.
        let threads = fields.nth(2)??;
        let pages = fields.nth(3)??;
        Some(Stat { ticks, pages, threads })
    }

    pub fn cpu(&self) -> Duration {
        Duration::from_millis(1000 * self.ticks / rustix::param::clock_ticks_per_second().max(1))
    }
}

/// What went to disks, in `/proc/PID/io`.
fn written(io: &str) -> u64 {
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_read_from_what_the_system_says() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 95 0 0 0 11 12 13 14 20 0 1 0 300 4000000 321 18446744073709551615";
        let expected = Stat {
            ticks: 50,
            pages: 321,
            threads: 1,
        };
        assert_eq!(Stat::read(stat), Some(expected));
        assert_eq!(Stat::read(&stat.replace(" 20 0 1 ", " -2 -9 1 ")), Some(expected));
        assert_eq!(Stat::read(&stat.replace(" S ", " Z ")), None);
        assert_eq!(Stat::read("7 (a) S 1"), None);
        assert_eq!(Stat::read("nonsense"), None);
        assert_eq!(written("rchar: 1\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n"), 4096);
        assert_eq!(written(""), 0);
    }

    #[test]
    fn the_first_limit_that_is_exceeded_is_named() {
        let limits: ResourceLimits = "memory=1M,cpu=1s,processes=2".parse().unwrap();
        let mut usage = Usage {
            memory: 1 << 20,
            cpu: Duration::from_millis(2500),
            processes: 2,
            disk: u64::MAX,
        };
        assert_eq!(usage.excess(&limits, Duration::from_millis(1500)), None);
        assert_eq!(usage.excess(&limits, Duration::ZERO), Some(Excess::Cpu));
        usage.processes = 3;
        assert_eq!(usage.excess(&limits, Duration::from_secs(2)), Some(Excess::Processes));
        assert_eq!(usage.excess(&ResourceLimits::default(), Duration::ZERO), None);
    }
}
