//! What a family of processes uses, by what the system says of each of them.

use crate::descendants;
use crate::limits::{Excess, Limits};
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
        if let Some((ticks, pages)) = ticks_and_pages(&stat) {
            self.cpu += Duration::from_millis(1000 * ticks / rustix::param::clock_ticks_per_second().max(1));
            self.memory += pages * rustix::param::page_size() as u64;
            self.processes += 1;
        }
        if disks {
            let io = std::fs::read_to_string(format!("{folder}/io")).unwrap_or_default();
            self.disk += written(&io);
        }
    }

    /// The limit that is exceeded, if one is; processor time counts from `since`.
    pub fn excess(&self, limits: &Limits, since: Duration) -> Option<Excess> {
        let over = |excess| match excess {
            Excess::Memory => limits.memory.is_some_and(|most| self.memory > most),
            Excess::Cpu => limits.cpu.is_some_and(|most| self.cpu.saturating_sub(since) > most),
            Excess::Processes => limits.processes.is_some_and(|most| self.processes > most),
            Excess::Disk => limits.disk.is_some_and(|most| self.disk > most),
        };
        Excess::ALL.into_iter().find(|&excess| over(excess))
    }
}

/// Processor time in ticks and resident pages in a line of `/proc/PID/stat`. A zombie has none of either.
fn ticks_and_pages(stat: &str) -> Option<(u64, u64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok());
    // User and system time of the process, then of its children that were waited for.
    let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
    (fields.first() != Some(&"Z")).then_some((ticks, number(21)?))
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
        assert_eq!(ticks_and_pages(stat), Some((50, 321)));
        assert_eq!(ticks_and_pages(&stat.replace(" S ", " Z ")), None);
        assert_eq!(ticks_and_pages("nonsense"), None);
        assert_eq!(written("rchar: 1\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n"), 4096);
        assert_eq!(written(""), 0);
    }

    #[test]
    fn the_first_limit_that_is_exceeded_is_named() {
        let limits: Limits = "memory=1M,cpu=1s,processes=2".parse().unwrap();
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
        assert_eq!(usage.excess(&Limits::default(), Duration::ZERO), None);
    }
}
