//! What is known for certain of positions, as much as there is room for, and which moves were answers.

/// Positions that share a place: a line of the cache.
const WAYS: usize = 4;
/// Places.
const PLACES: usize = 1 << 19;
/// Counters of answers.
const COUNTERS: usize = 1 << 16;

/// No move.
pub const NONE: u32 = u32::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    key: u64,
    /// What got its mover enough.
    pub mv: u32,
    /// The least that the first role gets.
    pub least: u8,
    /// The most that it gets.
    pub most: u8,
    /// The logarithm of the positions that were looked at to know it.
    effort: u8,
}

impl Known {
    const NOTHING: Known = Known {
        key: 0,
        mv: NONE,
        least: 0,
        most: 100,
        effort: 0,
    };

    /// What is known to decide whether the first role gets so many points: a bound on that side.
    #[inline]
    pub fn decides(&self, points: u8) -> Option<u8> {
        if self.least >= points {
            return Some(self.least);
        }
        (self.most < points).then_some(self.most)
    }
}

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Place([Known; WAYS]);

/// The table. It has no memory until something is to be kept.
#[derive(Debug, Default)]
pub struct Answers {
    places: Vec<Place>,
    /// How often each move, and each move after each other, has answered a question. Moves may share a counter: it only says what is tried first.
    counters: Vec<u32>,
}

impl Answers {
    /// Gets the memory, if there is none.
    pub fn make_room(&mut self) {
        if self.places.is_empty() {
            self.places = vec![Place([Known::NOTHING; WAYS]); PLACES];
            self.counters = vec![0; COUNTERS];
        }
    }

    /// What is known of a position.
    #[inline]
    pub fn look_up(&self, key: u64) -> Known {
        let Some(place) = self.places.get(key as usize % PLACES) else {
            return Known::NOTHING;
        };
        let known = place.0.iter().find(|known| known.key == key);
        known.copied().unwrap_or(Known::NOTHING)
    }

    /// Keeps what is known of a position after so many others were looked at, in place of what took least.
    pub fn keep(&mut self, key: u64, known: Known, effort: u64) {
        let Some(Place(ways)) = self.places.get_mut(key as usize % PLACES) else {
            return;
        };
        let effort = effort.max(1).ilog2() as u8;
        let own = ways.iter().position(|way| way.key == key);
        let least = || {
            (0..WAYS)
                .min_by_key(|&way| if ways[way].key == 0 { 0 } else { 1 + ways[way].effort })
                .unwrap_or(0)
        };
        let way = own.unwrap_or_else(least);
        ways[way] = Known { key, effort, ..known };
    }

    /// How promising a move is after another.
    #[inline]
    pub fn promise(&self, last: u32, mv: u32) -> u64 {
        let count = |at: usize| u64::from(self.counters.get(at).copied().unwrap_or(0));
        count(alone(mv)) + 16 * count(after(last, mv))
    }

    /// A move after another has answered a question that took so many positions.
    #[inline]
    pub fn praise(&mut self, last: u32, mv: u32, effort: u64) {
        let more = 1 + effort.max(1).ilog2();
        for at in [alone(mv), after(last, mv)] {
            if let Some(count) = self.counters.get_mut(at) {
                *count = count.saturating_add(more);
            }
        }
    }
}

#[inline]
fn alone(mv: u32) -> usize {
    after(NONE, mv)
}

#[inline]
fn after(last: u32, mv: u32) -> usize {
    let both = u64::from(last) << 32 | u64::from(mv);
    (both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize % COUNTERS
}
