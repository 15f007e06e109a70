//! How long a process was kept waiting for a core: a promise in seconds is not broken by whoever else is at work on the machine.

use std::collections::BTreeMap;
use std::time::Duration;

/// Looks at the threads of a process from now on.
pub struct CoreWait {
    pid: u32,
    before: BTreeMap<String, u64>,
    most: Duration,
}

impl CoreWait {
    pub fn of(pid: u32) -> Self {
        CoreWait {
            pid,
            before: waits(pid),
            most: Duration::ZERO,
        }
    }

    /// Looks again; what ends between two looks is not seen.
    pub fn look(&mut self) {
        for (thread, wait) in waits(self.pid) {
            let before = self.before.get(&thread).copied().unwrap_or(0);
            self.most = self.most.max(Duration::from_nanos(wait.saturating_sub(before)));
        }
    }

    /// The longest that one of its threads was ready and had no core; none where the system does not say.
    pub fn most(&self) -> Duration {
        self.most
    }
}

/// Nanoseconds that each thread has waited for a core so far.
fn waits(pid: u32) -> BTreeMap<String, u64> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let wait = |entry: std::fs::DirEntry| {
        let told = std::fs::read_to_string(entry.path().join("schedstat")).ok()?;
        let wait = told.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some((entry.file_name().into_string().ok()?, wait))
    };
    threads.into_iter().flatten().flatten().filter_map(wait).collect()
}
