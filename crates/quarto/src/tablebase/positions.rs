//! All positions with so many pieces placed and one in hand, up to symmetry.
//!
//! They are made class by class: a class is a set of occupied cells that is the least of its images. Seen from the piece in
//! hand, a position is four sets of those cells in ascending order (see [`crate::symmetry`]). The sets are chosen one after the
//! other; as soon as two cells can no longer get different pieces, or a line is complete, the rest is left out.

use crate::symmetry::CanonicalKey;
use crate::{ATTRIBUTES, CellSet, Position, Rules};
use std::sync::{Arc, Mutex, OnceLock};

/// The classes of cells that so many pieces occupy, the least first.
pub fn classes(rules: &Rules, placed: u32) -> Vec<CellSet> {
    let sets = (0..=u16::MAX).map(CellSet).filter(|cells| cells.len() == placed);
    sets.filter(|&cells| rules.symmetries().least(cells) == cells).collect()
}

/// All positions with so many pieces placed.
pub fn all_positions(rules: &'static Rules, placed: u32) -> impl Iterator<Item = Position> {
    let classes = classes(rules, placed).into_iter();
    classes.flat_map(move |class| positions(rules, class))
}

/// The positions of a class in the order of their keys.
pub fn positions(rules: &'static Rules, class: CellSet) -> Vec<Position> {
    let lines: Vec<u16> = rules.lines().iter().map(|line| line.0).collect();
    let open = |set: &u16| {
        let mut inside = lines.iter().filter(|line| *line & !class.0 == 0);
        inside.all(|line| set & line != 0 && set & line != *line)
    };
    let sets = (0..=class.0).filter(|set| set & !class.0 == 0).filter(open).collect();
    let mut growth = Growth {
        rules,
        class,
        sets,
        chosen: [0; ATTRIBUTES],
        found: Vec::new(),
    };
    growth.choose(0, 0, [class.0; 1 << ATTRIBUTES]);
    growth.found
}

/// The positions of the classes that were asked for last: many parts are of one class, and are solved one after the other.
#[derive(Default)]
pub struct ClassCache {
    kept: Mutex<Vec<Arc<CachedClass>>>,
}

pub(super) struct CachedClass {
    rules: &'static Rules,
    cells: CellSet,
    positions: OnceLock<Vec<Position>>,
}

impl CachedClass {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Position> {
        self.positions.get().into_iter().flatten()
    }
}

impl ClassCache {
    /// How many are kept: threads at work are at the end of one class and at the beginning of the next.
    const KEPT: usize = 3;

    /// The positions of a class in the order of their keys.
    ///
    /// Threads that want the same one wait for the first of them to make it.
    pub(super) fn positions(&self, rules: &'static Rules, class: CellSet) -> Arc<CachedClass> {
        let found = {
            let mut kept = self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let at = kept
                .iter()
                .position(|entry| entry.cells == class && entry.rules == rules);
            let entry = match at {
                Some(at) => kept.remove(at),
                None => Arc::new(CachedClass {
                    rules,
                    cells: class,
                    positions: OnceLock::new(),
                }),
            };
            kept.insert(0, entry.clone());
            kept.truncate(ClassCache::KEPT);
            entry
        };
        found.positions.get_or_init(|| positions(rules, class));
        found
    }
}

struct Growth {
    rules: &'static Rules,
    class: CellSet,
    /// The sets in which an attribute may differ without completing a line.
    sets: Vec<u16>,
    chosen: [u16; ATTRIBUTES],
    found: Vec<Position>,
}

impl Growth {
    /// Chooses the set of an attribute, not before number `first`. `groups` are the cells that the attributes so far do not tell
    /// apart; the first one holds those that differ from the piece in hand in nothing yet.
    fn choose(&mut self, attribute: usize, first: usize, groups: [u16; 1 << ATTRIBUTES]) {
        let room = 1 << (ATTRIBUTES - 1 - attribute);
        for number in first..self.sets.len() {
            let set = self.sets[number];
            let mut finer = [0; 1 << ATTRIBUTES];
            for group in 0..1 << attribute {
                finer[2 * group] = groups[group] & !set;
                finer[2 * group + 1] = groups[group] & set;
            }
            let told_apart = finer.iter().all(|cells| cells.count_ones() <= room) && finer[0].count_ones() < room;
            if !told_apart {
                continue;
            }
            self.chosen[attribute] = set;
            match attribute + 1 == ATTRIBUTES {
                true => self.keep_if_least(),
                false => self.choose(attribute + 1, number, finer),
            }
        }
    }

    /// Of positions that symmetry makes equal only one has this key.
    fn keep_if_least(&mut self) {
        let key = CanonicalKey::new(self.class, self.chosen, true);
        let position = key.position(self.rules);
        if position.canonical_key() == key {
            self.found.push(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book;
    use game::Game;
    use std::collections::HashSet;

    #[test]
    fn they_are_those_that_can_be_reached_each_once() {
        for rules in Rules::all() {
            for placed in 0..=3 {
                let reached = book::positions(rules, placed).into_iter();
                let reached: HashSet<String> = reached
                    .filter(|position| position.placed() == placed)
                    .map(|position| position.canonical().print())
                    .collect();
                let all: Vec<_> = all_positions(rules, placed).collect();
                assert_eq!(all.len(), reached.len(), "{} {placed}", rules.name());
                assert!(all.iter().all(|position| reached.contains(&position.print())));
            }
        }
    }

    #[test]
    fn their_numbers_with_five_placed_are_known() {
        assert_eq!(all_positions(Rules::standard(), 5).count(), 2_125_230);
    }
}
