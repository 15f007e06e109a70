//! What a program and all it starts may use, and how a user writes that.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// What a program and all it starts may use together. Nothing is limited by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processor time since the last [mark](crate::Supervised::mark): for a player, in one game.
    pub cpu: Option<Duration>,
    /// Processes at once, the program itself among them.
    pub processes: Option<u32>,
    /// Open files of a process.
    pub files: Option<u32>,
    /// Bytes written to disks.
    pub disk: Option<u64>,
    /// No network, and nothing written but in the program's own folder.
    pub sandbox: bool,
}

/// A limit that a program went beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Its memory.
    Memory,
    /// Its processor time.
    Cpu,
    /// The number of its processes.
    Processes,
    /// What it wrote to disks.
    Disk,
}

impl Excess {
    pub(crate) const ALL: [Excess; 4] = [Excess::Memory, Excess::Cpu, Excess::Processes, Excess::Disk];
}

impl ResourceLimits {
    /// Those that somebody must watch: the system keeps the others by itself, or only process by process.
    pub(crate) fn are_watched(&self) -> bool {
        self.memory.is_some() || self.cpu.is_some() || self.processes.is_some() || self.disk.is_some()
    }

    /// What a program did that went beyond a limit, in words.
    pub fn explain(&self, excess: Excess) -> String {
        match excess {
            Excess::Memory => format!("took more memory than the {} allowed", size(self.memory.unwrap_or(0))),
            Excess::Cpu => format!(
                "took more processor time than the {} allowed for a game",
                time(self.cpu.unwrap_or_default())
            ),
            Excess::Processes => format!("had more processes than the {} allowed", self.processes.unwrap_or(0)),
            Excess::Disk => format!("wrote more to disk than the {} allowed", size(self.disk.unwrap_or(0))),
        }
    }
}

/// What a text that should be limits is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?}: expected limits such as memory=512M,cpu=10s,processes=8,files=64,disk=100M or sandbox")]
pub struct LimitsError(String);

impl FromStr for ResourceLimits {
    type Err = LimitsError;

    fn from_str(text: &str) -> Result<Self, LimitsError> {
        let mut limits = ResourceLimits::default();
        for word in text.split(',').map(str::trim) {
            let wrong = || LimitsError(word.into());
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "memory" => limits.memory = Some(read_size(value).ok_or_else(wrong)?),
                "cpu" => limits.cpu = Some(read_time(value).ok_or_else(wrong)?),
                "processes" => limits.processes = Some(read_count(value).ok_or_else(wrong)?),
                "files" => limits.files = Some(read_count(value).ok_or_else(wrong)?),
                "disk" => limits.disk = Some(read_size(value).ok_or_else(wrong)?),
                "sandbox" if value.is_empty() => limits.sandbox = true,
                _ => return Err(wrong()),
            }
        }
        Ok(limits)
    }
}

impl fmt::Display for ResourceLimits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let words = [
            self.memory.map(|bytes| format!("memory={}", size(bytes))),
            self.cpu.map(|cpu| format!("cpu={}", time(cpu))),
            self.processes.map(|count| format!("processes={count}")),
            self.files.map(|count| format!("files={count}")),
            self.disk.map(|bytes| format!("disk={}", size(bytes))),
            self.sandbox.then(|| "sandbox".into()),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

fn read_count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&count| count > 0)
}

fn read_size(text: &str) -> Option<u64> {
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 1 << 10),
        (at, 'm' | 'M') => (&text[..at], 1 << 20),
        (at, 'g' | 'G') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

fn read_time(text: &str) -> Option<Duration> {
    let (digits, scale) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1e-3),
        None => match text.strip_suffix('m') {
            Some(digits) => (digits, 60.0),
            None => (text.strip_suffix('s')?, 1.0),
        },
    };
    let seconds = digits.parse::<f64>().ok()? * scale;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (time >= Duration::from_millis(1) && time.as_secs() < 365 * 86_400)
        .then(|| Duration::from_millis(time.as_millis() as u64))
}

fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{}G", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        _ => bytes.to_string(),
    }
}

fn time(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{}s", time.as_secs()),
        _ => format!("{}ms", time.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_round_trip_and_wrong_ones_say_what_would_do() {
        for text in [
            "memory=512M,cpu=10s,processes=8,files=64,disk=1G,sandbox",
            "cpu=1500ms",
            "memory=1000",
            "sandbox",
        ] {
            assert_eq!(text.parse::<ResourceLimits>().unwrap().to_string(), text);
        }
        assert_eq!(
            "cpu=1.5s, memory=2048K".parse::<ResourceLimits>().unwrap().to_string(),
            "memory=2M,cpu=1500ms"
        );
        assert_eq!(
            "cpu=2m".parse::<ResourceLimits>().unwrap().cpu,
            Some(Duration::from_secs(120))
        );
        for text in [
            "",
            "memory",
            "memory=0",
            "memory=x",
            "memory=99999999999G",
            "cpu=5",
            "cpu=-1s",
            "cpu=NaNs",
            "sandbox=1",
            "ram=1M",
        ] {
            let message = text.parse::<ResourceLimits>().unwrap_err().to_string();
            assert!(
                message.contains("expected limits such as memory=512M"),
                "{text}: {message}"
            );
        }
    }
}
