//! What others may see of games that are being played, and say to those who play them.

use game::Stop;
use std::sync::atomic::{AtomicU64, Ordering};

/// What others may see of, and say to, a running match or tournament.
#[derive(Debug)]
pub struct Control {
    /// Games played so far.
    pub played: AtomicU64,
    /// Raised, it ends the match at once: games that are running are dropped, for they can be played again.
    pub stop: Stop,
    /// Raised, it lets the running games end and begins no other. It is raised with `stop`.
    pub enough: Stop,
    /// The unit that each thread plays, plus one; 0 for none. Threads beyond these are not seen.
    playing: [AtomicU64; 16],
}

impl Default for Control {
    fn default() -> Self {
        Control::under(&Stop::never())
    }
}

impl Control {
    /// A match that ends with whatever `stop` ends.
    pub fn under(stop: &Stop) -> Self {
        let stop = stop.child();
        Control {
            played: AtomicU64::new(0),
            enough: stop.child(),
            stop,
            playing: Default::default(),
        }
    }

    /// Notes which unit a thread plays.
    pub(crate) fn note(&self, thread: usize, unit: Option<u64>) {
        if let Some(place) = self.playing.get(thread) {
            place.store(unit.map_or(0, |unit| unit + 1), Ordering::Relaxed);
        }
    }

    /// The numbers of the units that are being played.
    pub fn playing(&self) -> Vec<u64> {
        let units = self.playing.iter().map(|place| place.load(Ordering::Relaxed));
        units.filter_map(|unit| unit.checked_sub(1)).collect()
    }
}
