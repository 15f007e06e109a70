//! The transposition table: shared by all threads, without locks.
//!
//! An entry is two words, the data and the key XORed with the data. Two threads that write at once may mix their
//! words; then the XOR does not give the key and the entry is not found. Nothing else can go wrong.

use crate::Column;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true value is at most the stored one.
    Upper,
    /// The true value is at least the stored one.
    Lower,
    /// It is the stored one.
    Exact,
}

/// A stored result: of what is still to come, without the points already made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    pub(super) value: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Option<Column>,
}

const BUCKET: usize = 4;

/// One cache line of entries.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; BUCKET]);

/// The transposition table.
pub(super) struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: u8,
}

impl TranspositionTable {
    /// A table of about so many megabytes, at least one; where the system refuses so much, of half, and so on.
    pub(super) fn new(megabytes: usize) -> Self {
        let mut count = (megabytes.max(1).saturating_mul(1 << 20) / size_of::<Bucket>()).next_power_of_two();
        let mut buckets: Vec<Bucket> = Vec::new();
        while count > 1 && buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.extend((0..count).map(|_| Bucket::default()));
        TranspositionTable {
            buckets: buckets.into(),
            age: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.age = 0;
        for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot = Default::default();
        }
    }

    /// Makes all entries old: the first to be replaced.
    pub(super) fn new_search(&mut self) {
        self.age = self.age.wrapping_add(1) & 63;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        self.bucket(key).0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    #[inline]
    pub(super) fn put(&self, key: u64, entry: TableEntry) {
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        for slot in &bucket.0 {
            let data = slot[1].load(Relaxed);
            if slot[0].load(Relaxed) ^ data == key {
                victim = slot;
                break;
            }
            let stale = self.age.wrapping_sub((data >> 26) as u8 & 63) & 63;
            let keep = (data >> 16 & 0xff) as i32 - 4 * i32::from(stale);
            if keep < least {
                (victim, least) = (slot, keep);
            }
        }
        let data = pack(entry, self.age);
        victim[1].store(data, Relaxed);
        victim[0].store(key ^ data, Relaxed);
    }
}

/// Bits 0-15 the value, 16-23 the depth, 24-25 the bound, 26-31 the age, 32-39 the best column. Never 0: the bound
/// is counted from 1.
fn pack(entry: TableEntry, age: u8) -> u64 {
    let value = entry.value.clamp(i16::MIN.into(), i16::MAX.into()) as i16 as u16;
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    let best = entry.best.map_or(0xff, |column| column.index() as u64);
    u64::from(value) | u64::from(entry.depth) << 16 | bound << 24 | u64::from(age) << 26 | best << 32
}

fn unpack(data: u64) -> TableEntry {
    TableEntry {
        value: (data as u16 as i16).into(),
        depth: (data >> 16) as u8,
        bound: match data >> 24 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        best: Column::new((data >> 32 & 0xff) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_until_the_bucket_is_full() {
        let table = TranspositionTable::new(1);
        let entry = |depth: u8| TableEntry {
            value: -1234 + i32::from(depth),
            depth,
            bound: Bound::Lower,
            best: Column::new(7),
        };
        for i in 0..5u64 {
            table.put(i << 40, entry(i as u8 + 1));
        }
        assert_eq!(table.get(0), None, "the shallowest made room");
        for i in 1..5u64 {
            assert_eq!(table.get(i << 40), Some(entry(i as u8 + 1)));
        }
        assert_eq!(table.get(9 << 40), None);
    }
}
