//! Pairs: how they are written and read.

use super::{Store, StoreError};
use crate::record::{Columns, GameRecord, PairRecord};
use game::Seat;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};

const INSERT: &str =
    "insert or ignore into pairs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Numbers of pairs take this many bits of a key.
pub(super) const NUMBER_BITS: u32 = 40;

impl Store {
    /// Writes pairs in one transaction: all of them are in the records when it returns, or none.
    pub fn add(&mut self, tournament: i64, pairs: &[PairRecord]) -> Result<(), StoreError> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            {
                let mut insert = transaction.prepare_cached(INSERT)?;
                for pair in pairs {
                    let [a, b] = &pair.games;
                    insert.execute(params![
                        key(tournament, pair.number),
                        pair.first as i64,
                        pair.second as i64,
                        pair.round as i64,
                        pair.seed as i64,
                        pair.start,
                        text(&pair.opening),
                        a.kind.word(),
                        seat(a.winner),
                        text(&a.detail),
                        a.turns,
                        a.times,
                        text(&a.says),
                        text(&a.log),
                        b.kind.word(),
                        seat(b.winner),
                        text(&b.detail),
                        b.turns,
                        b.times,
                        text(&b.says),
                        text(&b.log),
                    ])?;
                }
            }
            transaction.commit()
        };
        let written = write();
        written.map_err(|error| self.wrap(error))
    }

    /// Shows every pair of a tournament to `look`, in the order of their numbers.
    pub fn each_pair(&self, tournament: i64, mut look: impl FnMut(PairRecord)) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut query = self
                .connection
                .prepare("select * from pairs where id >= ? and id < ? order by id")?;
            let mut rows = query.query(range(tournament))?;
            while let Some(row) = rows.next()? {
                look(pair_of(row)?);
            }
            Ok(())
        };
        read().map_err(|error| self.wrap(error))
    }

    /// Some pairs of a tournament in the order of their numbers: at most `most`, leaving out the first `skip`.
    pub fn some_pairs(&self, tournament: i64, skip: u64, most: u64) -> Result<Vec<PairRecord>, StoreError> {
        let read = || -> rusqlite::Result<Vec<PairRecord>> {
            let mut query = self
                .connection
                .prepare_cached("select * from pairs where id >= ? and id < ? order by id limit ? offset ?")?;
            let range = range(tournament);
            let (most, skip) = (i64::try_from(most), i64::try_from(skip));
            let limits = [most.unwrap_or(i64::MAX), skip.unwrap_or(i64::MAX)];
            let rows = query.query_map([range[0], range[1], limits[0], limits[1]], pair_of)?;
            rows.collect()
        };
        read().map_err(|error| self.wrap(error))
    }

    /// One pair of a tournament.
    pub fn pair(&self, tournament: i64, number: u64) -> Result<PairRecord, StoreError> {
        let found = self
            .connection
            .query_row("select * from pairs where id = ?", [key(tournament, number)], pair_of)
            .optional()
            .map_err(|error| self.wrap(error))?;
        found.ok_or_else(|| StoreError::Missing {
            path: self.path.clone(),
            what: format!("pair {number} in tournament {tournament}"),
        })
    }
}

fn key(tournament: i64, number: u64) -> i64 {
    tournament << NUMBER_BITS | number as i64
}

/// The keys of a tournament: from the first to before the second.
pub(super) fn range(tournament: i64) -> [i64; 2] {
    [key(tournament, 0), key(tournament.wrapping_add(1), 0)]
}

/// Nothing rather than an empty text.
fn text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn seat(winner: Option<Seat>) -> Option<i64> {
    winner.map(|seat| seat.index() as i64 + 1)
}

fn pair_of(row: &Row) -> rusqlite::Result<PairRecord> {
    let number = row.get::<_, i64>(0)? as u64 & ((1 << NUMBER_BITS) - 1);
    Ok(PairRecord {
        number,
        first: row.get::<_, i64>(1)? as usize,
        second: row.get::<_, i64>(2)? as usize,
        round: row.get::<_, i64>(3)? as u64,
        seed: row.get::<_, i64>(4)? as u64,
        start: row.get(5)?,
        opening: maybe(row, 6)?,
        games: [game_of(row, 7)?, game_of(row, 14)?],
    })
}

fn maybe(row: &Row, column: usize) -> rusqlite::Result<String> {
    Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
}

fn game_of(row: &Row, at: usize) -> rusqlite::Result<GameRecord> {
    let columns = Columns {
        verdict: row.get(at)?,
        winner: row.get(at + 1)?,
        detail: maybe(row, at + 2)?,
        turns: row.get(at + 3)?,
        times: row.get(at + 4)?,
        says: maybe(row, at + 5)?,
        log: maybe(row, at + 6)?,
    };
    let damaged = |what: &str| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, what.into());
    columns.try_into().map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::VerdictKind;
    use crate::tally::TurnTimes;
    use std::time::Duration;

    fn pair(number: u64) -> PairRecord {
        let ns = Duration::from_nanos;
        let mut clocks = [TurnTimes::default(); 2];
        clocks[0].add((None, Some(ns(80))));
        clocks[1].add((Some(ns(5)), Some(ns(6))));
        let game = GameRecord {
            kind: VerdictKind::Win,
            winner: Some(Seat::SECOND),
            detail: String::new(),
            turns: "-.c a1.0".into(),
            times: "+80 5+6".into(),
            says: String::new(),
            log: "noise".into(),
            turn_count: 2,
            clocks,
        };
        PairRecord {
            number,
            first: 0,
            second: 1,
            round: number,
            seed: u64::MAX - 3,
            start: None,
            opening: "-.1".into(),
            games: [game.clone(), game],
        }
    }

    fn read(store: &Store, id: i64) -> Vec<PairRecord> {
        let mut pairs = Vec::new();
        store.each_pair(id, |pair| pairs.push(pair)).unwrap();
        pairs
    }

    #[test]
    fn a_pair_reads_back_as_it_was_written_and_is_never_written_twice() {
        let mut store = Store::in_memory().unwrap();
        let players = [("a".into(), "random".into()), ("b".into(), "novice".into())];
        let id = store.tournament("key", "name", "quarto", "", &players).unwrap();
        let other = store.tournament("other", "name", "quarto", "", &players).unwrap();
        store.add(id, &[pair(0), pair(1)]).unwrap();
        store.add(id, &[pair(1), pair(2)]).unwrap();
        store.add(other, &[pair(0)]).unwrap();
        assert_eq!(read(&store, id), [pair(0), pair(1), pair(2)]);
        assert_eq!(store.pair(id, 2).unwrap(), pair(2));
        assert!(store.pair(id, 3).is_err());
        assert_eq!(store.tournament("key", "name", "quarto", "", &players).unwrap(), id);
        let entry = store.entry(Some(id)).unwrap();
        assert_eq!((entry.pairs, entry.players.len()), (3, 2));
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    }
}
