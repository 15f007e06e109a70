//! What is known for certain of positions, as much as there is room for, and which moves were answers.

/// Positions that share a place: 64 bytes.
const WAYS: usize = 4;
/// Places.
const PLACES: usize = 1 << 19;
/// Counters of answers.
const COUNTERS: usize = 1 << 16;

/// No move.
pub const NONE: u32 = u32::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What got its mover enough.
    pub mv: u32,
    /// The least that the first role gets.
    pub least: u8,
    /// The most that it gets.
    pub most: u8,
}

impl Known {
    const NOTHING: Known = Known {
        mv: NONE,
        least: 0,
        most: 100,
    };

    /// What is known to decide whether the first role gets so many points: a bound on that side.
    #[inline]
    pub fn decides(&self, points: u8) -> Option<u8> {
        if self.least >= points {
            return Some(self.least);
        }
        (self.most < points).then_some(self.most)
    }

    /// As a word, with the logarithm of the positions that it took to know it.
    #[inline]
    fn pack(self, effort: u8) -> u64 {
        u64::from(self.mv) | u64::from(self.least) << 32 | u64::from(self.most) << 40 | u64::from(effort) << 48
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        Known {
            mv: word as u32,
            least: (word >> 32) as u8,
            most: (word >> 40) as u8,
        }
    }
}

/// The table. It has no memory until something is to be kept, and then only as much as is touched: many words of zero cost nothing.
#[derive(Debug, Default)]
pub struct Answers {
    /// Keys, none of which is zero, and what is known of each.
    places: Vec<[[u64; 2]; WAYS]>,
    /// How often each move, and each move after each other, has answered a question. Moves may share a counter: it only says what is
    /// tried first.
    counters: Vec<u32>,
}

impl Answers {
    /// Gets the memory, if there is none.
    pub fn make_room(&mut self) {
        if self.places.is_empty() {
            self.places = vec![[[0; 2]; WAYS]; PLACES];
            self.counters = vec![0; COUNTERS];
        }
    }

    /// What is known of a position.
    #[inline]
    pub fn look_up(&self, key: u64) -> Known {
        let place = self.places.get(key as usize % PLACES).into_iter().flatten();
        let known = place.into_iter().find(|way| way[0] == key);
        known.map_or(Known::NOTHING, |way| Known::unpack(way[1]))
    }

    /// Keeps what is known of a position after so many others were looked at, in place of what took least.
    pub fn keep(&mut self, key: u64, known: Known, effort: u64) {
        let Some(ways) = self.places.get_mut(key as usize % PLACES) else {
            return;
        };
        let own = ways.iter().position(|way| way[0] == key);
        let least = || (0..WAYS).min_by_key(|&way| ways[way][1] >> 48).unwrap_or(0);
        let way = own.unwrap_or_else(least);
        ways[way] = [key, known.pack(1 + effort.max(1).ilog2() as u8)];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_long_is_kept_and_what_took_little_makes_room() {
        let mut answers = Answers::default();
        assert_eq!(answers.look_up(5), Known::NOTHING);
        answers.make_room();
        let known = |mv| Known {
            mv,
            least: 50,
            most: 99,
        };
        let key = |n: u64| 7 + n * PLACES as u64;
        for n in 0..6 {
            answers.keep(key(n), known(n as u32), if n == 0 { 1000 } else { n });
        }
        assert_eq!(answers.look_up(key(0)), known(0));
        assert_eq!(answers.look_up(key(5)), known(5));
        let left = (0..6).filter(|&n| answers.look_up(key(n)) != Known::NOTHING).count();
        assert_eq!(left, WAYS);
        answers.keep(key(0), known(9), 1);
        assert_eq!(answers.look_up(key(0)), known(9));
    }

    #[test]
    fn a_move_that_answers_after_another_is_tried_there_before_others() {
        let mut answers = Answers::default();
        answers.make_room();
        answers.praise(3, 8, 100);
        assert!(answers.promise(3, 8) > answers.promise(4, 8));
        assert!(answers.promise(4, 8) > answers.promise(4, 9));
    }
}
