//! Matches that a manager of general game players referees, in the records: any number of roles, no pairs.
//!
//! A turn is a row of its own, written when it was played: whatever happens to the process, what was played stays.

use crate::store::{Store, StoreError};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, params};
use std::time::Duration;

/// Made beside the tables of the tournaments where they are not there yet: files from before know nothing of them, and
/// programs from before need not.
pub(crate) const LAYOUT: &str = "
create table if not exists matches (
    id          integer primary key,
    key         text not null,      -- what the players were told it is called
    game        text not null,
    sheet       text not null,      -- the rules
    start_clock integer not null,   -- seconds
    play_clock  integer not null,
    seed        integer not null,
    started     text not null default (datetime('now')),
    ended       text                -- null: under way, or the process was killed
);
create table if not exists match_roles (
    match  integer not null references matches,
    number integer not null,
    role   text not null,
    player text not null,
    fault  text,                    -- why it did not say that it is ready
    goal   integer,
    primary key (match, number)
) without rowid;
create table if not exists match_turns (
    match  integer not null references matches,
    turn   integer not null,        -- from 1
    number integer not null,        -- the role
    move   text not null,
    ms     integer,                 -- null: drawn by the manager for the role random
    fault  text,                    -- why the move was drawn instead of the player's
    primary key (match, turn, number)
) without rowid;
";

/// How a match ended, as a word in the records.
pub const FINISHED: &str = "finished";

/// A match to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMatch<'a> {
    /// What the players are told it is called.
    pub key: &'a str,
    /// The name of the game.
    pub game: &'a str,
    /// The rules.
    pub sheet: &'a str,
    /// The clocks.
    pub clocks: [Duration; 2],
    /// What all chance is drawn from.
    pub seed: u64,
    /// Roles and who plays them.
    pub players: &'a [(String, String)],
}

/// A match in the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchEntry {
    /// Its number.
    pub id: i64,
    /// What the players were told it is called.
    pub key: String,
    /// The name of the game.
    pub game: String,
    /// The clocks.
    pub clocks: [Duration; 2],
    /// What all chance was drawn from.
    pub seed: u64,
    /// When it was started, UTC.
    pub started: String,
    /// How it ended, if it did.
    pub ended: Option<String>,
    /// The roles in order.
    pub roles: Vec<RoleEntry>,
    /// Turns played.
    pub turns: u64,
    /// Moves that were drawn instead of a player's.
    pub faults: u64,
}

/// A role of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleEntry {
    /// The role.
    pub role: String,
    /// Who played it.
    pub player: String,
    /// Why it did not say that it is ready, if it did not.
    pub fault: Option<String>,
    /// What it got, if the game ended.
    pub goal: Option<u8>,
}

/// A move of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchMove {
    /// The move as KIF.
    pub mv: String,
    /// How long the player took; nothing if it was nobody's.
    pub took: Option<Duration>,
    /// Why it was drawn instead of the player's.
    pub fault: Option<String>,
}

impl Store {
    /// Enters a match; its number.
    pub fn begin_match(&mut self, new: &NewMatch) -> Result<i64, StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "insert into matches (key, game, sheet, start_clock, play_clock, seed) values (?, ?, ?, ?, ?, ?)",
                params![
                    new.key,
                    new.game,
                    new.sheet,
                    new.clocks[0].as_secs() as i64,
                    new.clocks[1].as_secs() as i64,
                    new.seed as i64
                ],
            )?;
            let id = transaction.last_insert_rowid();
            for (number, (role, player)) in new.players.iter().enumerate() {
                transaction.execute(
                    "insert into match_roles (match, number, role, player) values (?, ?, ?, ?)",
                    params![id, number as i64, role, player],
                )?;
            }
            Ok(id)
        })
    }

    /// Notes who was not ready, role by role.
    pub fn note_not_ready(&mut self, id: i64, faults: &[Option<String>]) -> Result<(), StoreError> {
        self.write(|transaction| {
            for (number, fault) in faults.iter().enumerate().filter(|(_, fault)| fault.is_some()) {
                transaction.execute(
                    "update match_roles set fault = ? where match = ? and number = ?",
                    params![fault, id, number as i64],
                )?;
            }
            Ok(())
        })
    }

    /// Writes a turn.
    pub fn add_turn(&mut self, id: i64, turn: u64, moves: &[MatchMove]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut insert = transaction.prepare_cached("insert into match_turns values (?, ?, ?, ?, ?, ?)")?;
            for (number, mv) in moves.iter().enumerate() {
                let ms = mv.took.map(|took| took.as_millis() as i64);
                insert.execute(params![id, turn as i64, number as i64, mv.mv, ms, mv.fault])?;
            }
            Ok(())
        })
    }

    /// Notes how a match ended, and what each role got if it ended by the rules.
    pub fn end_match(&mut self, id: i64, how: &str, goals: &[u8]) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("update matches set ended = ? where id = ?", params![how, id])?;
            for (number, goal) in goals.iter().enumerate() {
                transaction.execute(
                    "update match_roles set goal = ? where match = ? and number = ?",
                    params![goal, id, number as i64],
                )?;
            }
            Ok(())
        })
    }

    /// All matches, the oldest first.
    pub fn matches(&self) -> Result<Vec<MatchEntry>, StoreError> {
        self.read(|connection| {
            let mut query = connection.prepare(
                "select id, key, game, start_clock, play_clock, seed, started, ended,
                        (select count(distinct turn) from match_turns where match = id),
                        (select count(fault) from match_turns where match = id)
                 from matches order by id",
            )?;
            let mut entries = query
                .query_map([], match_of)?
                .collect::<rusqlite::Result<Vec<MatchEntry>>>()?;
            let mut roles = connection
                .prepare("select role, player, fault, goal from match_roles where match = ? order by number")?;
            for entry in &mut entries {
                let found = roles.query_map([entry.id], |row| {
                    Ok(RoleEntry {
                        role: row.get(0)?,
                        player: row.get(1)?,
                        fault: row.get(2)?,
                        goal: row.get(3)?,
                    })
                })?;
                entry.roles = found.collect::<rusqlite::Result<_>>()?;
            }
            Ok(entries)
        })
    }

    /// One match with its rules; the latest if no number is given.
    pub fn match_entry(&self, id: Option<i64>) -> Result<(MatchEntry, String), StoreError> {
        let entries = self.matches()?;
        let found = match id {
            Some(id) => entries.into_iter().find(|entry| entry.id == id),
            None => entries.into_iter().last(),
        };
        let entry = found.ok_or_else(|| {
            self.missing(match id {
                Some(id) => format!("match {id}"),
                None => "match yet".into(),
            })
        })?;
        let sheet = self.read(|connection| {
            connection
                .query_row("select sheet from matches where id = ?", [entry.id], |row| row.get(0))
                .optional()
        })?;
        Ok((entry, sheet.unwrap_or_default()))
    }

    /// The turns of a match in order, one move a role.
    pub fn match_turns(&self, id: i64) -> Result<Vec<Vec<MatchMove>>, StoreError> {
        self.read(|connection| {
            let mut query = connection
                .prepare("select turn, move, ms, fault from match_turns where match = ? order by turn, number")?;
            let mut rows = query.query([id])?;
            let mut turns: Vec<Vec<MatchMove>> = Vec::new();
            let mut last = None;
            while let Some(row) = rows.next()? {
                let turn: i64 = row.get(0)?;
                if last != Some(turn) {
                    turns.push(Vec::new());
                    last = Some(turn);
                }
                let mv = MatchMove {
                    mv: row.get(1)?,
                    took: row.get::<_, Option<u32>>(2)?.map(|ms| Duration::from_millis(ms.into())),
                    fault: row.get(3)?,
                };
                turns.last_mut().into_iter().for_each(|turn| turn.push(mv.clone()));
            }
            Ok(turns)
        })
    }
}

fn match_of(row: &Row) -> rusqlite::Result<MatchEntry> {
    let number = |column: usize| {
        let number: i64 = row.get(column)?;
        u64::try_from(number)
            .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(error)))
    };
    Ok(MatchEntry {
        id: row.get(0)?,
        key: row.get(1)?,
        game: row.get(2)?,
        clocks: [Duration::from_secs(number(3)?), Duration::from_secs(number(4)?)],
        seed: row.get::<_, i64>(5)? as u64,
        started: row.get(6)?,
        ended: row.get(7)?,
        roles: Vec::new(),
        turns: number(8)?,
        faults: number(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(fault: Option<&str>) -> Vec<MatchMove> {
        vec![
            MatchMove {
                mv: "(mark 1 1)".into(),
                took: Some(Duration::from_millis(7)),
                fault: fault.map(String::from),
            },
            MatchMove {
                mv: "noop".into(),
                took: None,
                fault: None,
            },
        ]
    }

    #[test]
    fn a_match_reads_back_turn_by_turn_even_if_it_never_ended() {
        let mut store = Store::in_memory().unwrap();
        let players = [("x".into(), "a:1".into()), ("random".into(), "random".into())];
        let new = NewMatch {
            key: "m.1",
            game: "tictactoe",
            sheet: "(role x)",
            clocks: [Duration::from_secs(30), Duration::from_secs(10)],
            seed: u64::MAX,
            players: &players,
        };
        let id = store.begin_match(&new).unwrap();
        store.note_not_ready(id, &[Some("late".into()), None]).unwrap();
        store.add_turn(id, 1, &moves(None)).unwrap();
        store.add_turn(id, 2, &moves(Some("late"))).unwrap();
        assert_eq!(store.match_turns(id).unwrap(), [moves(None), moves(Some("late"))]);
        let (entry, sheet) = store.match_entry(None).unwrap();
        assert_eq!(sheet, "(role x)");
        assert_eq!((entry.turns, entry.faults, entry.ended), (2, 1, None));
        assert_eq!((entry.seed, entry.roles[0].fault.as_deref()), (u64::MAX, Some("late")));

        store.end_match(id, FINISHED, &[100, 0]).unwrap();
        let (entry, _) = store.match_entry(Some(id)).unwrap();
        assert_eq!(entry.ended.as_deref(), Some(FINISHED));
        assert_eq!(
            entry.roles.iter().map(|role| role.goal).collect::<Vec<_>>(),
            [Some(100), Some(0)]
        );
        assert!(
            store
                .match_entry(Some(9))
                .unwrap_err()
                .to_string()
                .contains("no match 9")
        );
    }
}
