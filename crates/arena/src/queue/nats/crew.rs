//! Who is working, as far as has been heard.

use super::wire::Presence;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A worker that has not been heard of for so long is gone.
const GONE: Duration = Duration::from_secs(5);

/// A worker as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Nodes a second in the bench.
    pub speed: u64,
    /// How many jobs it does at once.
    pub threads: usize,
    /// Units it has done since it was started.
    pub done: u64,
    /// Whether its version is another one, so that it was sent away.
    pub refused: bool,
}

/// All workers; whoever shows progress may look at them from another thread.
#[derive(Debug, Default)]
pub struct Crew {
    members: Mutex<Vec<(Instant, Member)>>,
    away: AtomicBool,
}

impl Crew {
    /// Those who are there.
    pub fn members(&self) -> Vec<Member> {
        let mut members = self.members.lock();
        members.retain(|(heard, _)| heard.elapsed() < GONE);
        members.iter().map(|(_, member)| member.clone()).collect()
    }

    /// How many jobs they do at once.
    pub fn threads(&self) -> usize {
        let welcome = self.members().into_iter().filter(|member| !member.refused);
        welcome.map(|member| member.threads).sum()
    }

    /// Whether the server is away just now.
    pub fn server_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    pub(super) fn note_server(&self, there: bool) {
        self.away.store(!there, Ordering::Relaxed);
    }

    /// Notes a worker. True if it is to be refused.
    pub(super) fn note(&self, presence: Presence, version: &str) -> bool {
        /// What a liar claims must not fill the screen or the memory.
        const MOST: usize = 10_000;
        const THREADS: usize = 4096;
        let mut members = self.members.lock();
        members.retain(|(heard, member)| heard.elapsed() < GONE && member.name != presence.name);
        if presence.leaving || members.len() >= MOST {
            return false;
        }
        let refused = presence.version != version;
        let member = Member {
            name: presence.name.chars().filter(|c| !c.is_control()).take(64).collect(),
            version: presence.version.chars().filter(|c| !c.is_control()).take(64).collect(),
            speed: presence.speed,
            threads: presence.threads.min(THREADS),
            done: presence.done,
            refused,
        };
        members.push((Instant::now(), member));
        members.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
        refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(name: &str, version: &str, leaving: bool) -> Presence {
        Presence {
            name: name.into(),
            version: version.into(),
            speed: 7,
            threads: 2,
            done: 3,
            leaving,
        }
    }

    #[test]
    fn a_crew_knows_who_is_there_and_who_was_sent_away() {
        let crew = Crew::default();
        assert!(!crew.note(presence("b", "1", false), "1"));
        assert!(!crew.note(presence("a", "1", false), "1"));
        assert!(crew.note(presence("c", "2", false), "1"));
        assert!(!crew.note(presence("a", "1", false), "1"));
        let names: Vec<_> = crew.members().into_iter().map(|m| (m.name, m.refused)).collect();
        assert_eq!(names, [("a".into(), false), ("b".into(), false), ("c".into(), true)]);
        assert_eq!(crew.threads(), 4);
        crew.note(presence("b", "1", true), "1");
        assert_eq!(crew.threads(), 2);
    }
}
