//! Time as a busy machine should be measured.

use std::time::Instant;

/// A stopwatch for the time that this thread had a processor; where the system does not say, for the time on the wall.
pub struct Stopwatch {
    began: Instant,
    worked: Option<f64>,
}

impl Stopwatch {
    /// Starts.
    pub fn start() -> Self {
        Stopwatch {
            began: Instant::now(),
            worked: worked(),
        }
    }

    /// The seconds since the start.
    pub fn seconds(&self) -> f64 {
        match (self.worked, worked()) {
            (Some(before), Some(after)) if after > before => after - before,
            _ => self.began.elapsed().as_secs_f64(),
        }
    }
}

fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}
