//! The values of a class: nearly all positions that nobody wins at once are drawn, so only the others are kept.
//!
//! Positions with a line to complete are not in it. Of the rest those that are not drawn are exceptions. A filter knows them by a few bits
//! of their hash; others that it takes for exceptions are found when it is made, since all positions are known, and are told apart by a
//! second function with the codes. Where exceptions are many, there is no filter, and the second function has everything. Codes take four bits
//! each, or where that is less, as many as their frequencies allow (`prefix`).

use super::prefix::{self, PrefixCodes};
use crate::book::static_function::StaticFunction;
use game::mix;

/// The code of a draw.
const DRAW: u8 = 0;

/// Bits of a code.
const CODE: u8 = 4;

/// The widths of a filter; none is 0.
const FILTERS: [u8; 5] = [0, 1, 2, 4, 8];

/// Set in the first byte if the codes are of different lengths.
const PREFIX: u8 = 0x80;

/// See the module.
pub(super) struct ClassValues {
    width: u8,
    filter: Option<StaticFunction>,
    codes: Codes,
}

/// The codes of what a filter lets pass.
enum Codes {
    Fixed(StaticFunction),
    Prefix(PrefixCodes),
}

impl ClassValues {
    /// Packs codes by key. `None` if a key is there twice.
    pub(super) fn new(entries: &[(u64, u8)]) -> Option<Self> {
        let exceptions: Vec<u64> = entries
            .iter()
            .filter(|(_, code)| *code != DRAW)
            .map(|(key, _)| *key)
            .collect();
        let mut counts = [0; 16];
        for (_, code) in entries {
            counts[usize::from(code & 15)] += 1;
        }
        let sizes = FILTERS.into_iter().flat_map(|width| {
            let size = |prefix: bool| Some((expected_bits(width, prefix, &counts)?, width, prefix));
            [size(false), size(true)]
        });
        let (_, width, prefix) = sizes.flatten().min()?;
        if width == 0 {
            return Some(ClassValues {
                width,
                filter: None,
                codes: Codes::new(entries, prefix)?,
            });
        }
        let marks: Vec<(u64, u8)> = exceptions.iter().map(|key| (*key, mark(*key, width))).collect();
        let filter = StaticFunction::new(&marks, width)?;
        let passes = |(key, _): &&(u64, u8)| filter.get(*key) == mark(*key, width);
        let passing: Vec<(u64, u8)> = entries.iter().filter(passes).copied().collect();
        // If by chance no draw passes, there may be too few codes to tell apart.
        let codes = Codes::new(&passing, prefix).or_else(|| Codes::new(&passing, false))?;
        Some(ClassValues {
            width,
            codes,
            filter: Some(filter),
        })
    }

    /// The code of a key it was made for.
    pub(super) fn get(&self, key: u64) -> u8 {
        match &self.filter {
            Some(filter) if filter.get(key) != mark(key, self.width) => DRAW,
            _ => self.codes.get(key),
        }
    }

    /// Appends it to a file.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(
            self.width
                | if matches!(self.codes, Codes::Prefix(_)) {
                    PREFIX
                } else {
                    0
                },
        );
        if let Some(filter) = &self.filter {
            filter.write(bytes);
        }
        match &self.codes {
            Codes::Fixed(function) => function.write(bytes),
            Codes::Prefix(codes) => codes.write(bytes),
        }
    }

    /// The values at the beginning of `bytes`, and what follows them.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&first, mut rest) = bytes.split_first()?;
        let (width, prefix) = (first & !PREFIX, first & PREFIX != 0);
        let mut filter = None;
        if width != 0 {
            FILTERS.contains(&width).then_some(())?;
            let (function, after) = StaticFunction::read(rest, width)?;
            (filter, rest) = (Some(function), after);
        }
        let (codes, rest) = match prefix {
            true => PrefixCodes::read(rest).map(|(codes, rest)| (Codes::Prefix(codes), rest)),
            false => StaticFunction::read(rest, CODE).map(|(codes, rest)| (Codes::Fixed(codes), rest)),
        }?;
        Some((ClassValues { width, filter, codes }, rest))
    }
}

impl Codes {
    fn new(entries: &[(u64, u8)], prefix: bool) -> Option<Self> {
        match prefix {
            true => PrefixCodes::new(entries).map(Codes::Prefix),
            false => StaticFunction::new(entries, CODE).map(Codes::Fixed),
        }
    }

    fn get(&self, key: u64) -> u8 {
        match self {
            Codes::Fixed(function) => function.get(key),
            Codes::Prefix(codes) => codes.get(key),
        }
    }
}

/// A few bits of a key's hash.
fn mark(key: u64, width: u8) -> u8 {
    mix(key, &[u64::from(width)]) as u8 & (u8::MAX >> (8 - width))
}

/// About how many slots' bits a filter of that width and the codes take, where so many keys have each; `None` if they cannot be kept so.
fn expected_bits(width: u8, prefix: bool, counts: &[usize; 16]) -> Option<usize> {
    let exceptions: usize = counts.iter().skip(1).sum();
    let mut passing = *counts;
    passing[usize::from(DRAW)] >>= width;
    let codes = match prefix {
        true => prefix::expected_bits(&passing)?,
        false => usize::from(CODE) * passing.iter().sum::<usize>(),
    };
    Some(usize::from(width) * exceptions + codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many keys, one in `every` with a code.
    fn entries(count: u64, every: u64) -> Vec<(u64, u8)> {
        let code = |i: u64| match i.is_multiple_of(every) {
            true => 1 + (i / every % 15) as u8,
            false => DRAW,
        };
        (0..count).map(|i| (mix(i, &[3]), code(i))).collect()
    }

    #[test]
    fn every_key_has_its_code_however_many_are_exceptions() {
        let (mut widths, mut prefixes) = (Vec::new(), Vec::new());
        for (count, every) in [
            (0, 1),
            (1, 1),
            (7, 9),
            (5000, 1),
            (5000, 2),
            (5000, 5),
            (5000, 20),
            (20_000, 1000),
        ] {
            let entries = entries(count, every);
            let values = ClassValues::new(&entries).unwrap();
            assert!(
                entries.iter().all(|&(key, code)| values.get(key) == code),
                "{count} {every}"
            );
            widths.push(values.width);
            prefixes.push(matches!(values.codes, Codes::Prefix(_)));
            let mut bytes = Vec::new();
            values.write(&mut bytes);
            bytes.push(9);
            let (read, rest) = ClassValues::read(&bytes).unwrap();
            assert_eq!(rest, [9]);
            assert!(entries.iter().all(|&(key, code)| read.get(key) == code));
        }
        assert!(widths.contains(&0) && widths.contains(&8), "{widths:?}");
        assert!(prefixes.contains(&true) && prefixes.contains(&false), "{prefixes:?}");
    }

    #[test]
    fn few_exceptions_take_little_room() {
        let entries = entries(100_000, 100);
        let mut bytes = Vec::new();
        ClassValues::new(&entries).unwrap().write(&mut bytes);
        assert!(bytes.len() < 3000, "{}", bytes.len());
    }

    #[test]
    fn a_key_given_twice_and_an_unknown_width_are_refused() {
        assert!(ClassValues::new(&[(1, 2), (1, 3)]).is_none());
        assert!(ClassValues::read(&[3; 200]).is_none());
    }
}
