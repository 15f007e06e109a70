//! Plans, and the records in SQLite: rows and whole files.

use crate::text;
use arena::experiment::Experiment;
use arena::export::{csv_line, game_as_json};
use arena::gametext::{GameText, write};
use arena::matches::{FINISHED, MatchMove, NewMatch};
use arena::plan::Plan;
use arena::record::{GameRecord, PairRecord};
use arena::referee::VerdictKind;
use arena::report::TournamentReport;
use arena::standings::Standings;
use arena::store::{Store, StoreError};
use arena::tally::TurnTimes;
use game::Seat;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// A plan that can be read is the same one when it is written and read again.
pub fn plan(bytes: &[u8]) {
    let (text, folder) = (text(bytes), Path::new(""));
    if let Ok(plan) = Plan::from_toml(text, "fuzz.toml", folder) {
        let written = plan.to_toml();
        match Plan::from_toml(&written, "again.toml", folder) {
            Ok(again) => assert_eq!(again.to_toml(), written),
            Err(error) => panic!("{error}\n{written}"),
        }
        // Of what is not the tournament itself its key is free.
        assert!(!plan.key().is_empty());
    }
    if let Ok(experiment) = Experiment::from_toml(text, "fuzz.toml") {
        let unplayed = experiment.all_readings().into_iter().map(|reading| {
            let plan = experiment.plan(&reading, 7);
            Standings::new(plan.players.len(), &plan.meetings())
        });
        let unplayed: Vec<Standings> = unplayed.collect();
        let _ = experiment.compare(&unplayed.iter().collect::<Vec<_>>());
    }
}

/// Sound records as they lie in a file.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = scratch("sound");
    match sound(&file).map(|()| std::fs::read(&file)) {
        Ok(Ok(bytes)) => {
            remove(&file);
            bytes
        }
        Ok(Err(error)) => panic!("{error}"),
        Err(error) => panic!("{error}"),
    }
});

fn sound(file: &Path) -> Result<(), StoreError> {
    remove(file);
    let mut store = Store::open(file)?;
    let players = [("one", "novice"), ("two", "random")].map(|(name, spec)| (name.to_string(), spec.to_string()));
    let plan = "name = \"n\"\ngame = \"quarto\"\nseed = 1\nrounds = 2\nformat = \"round-robin\"\nconcurrency = 1\n\
                players = [\"novice\", \"random\"]\n";
    let id = store.tournament("key", "n", "quarto", plan, &players)?;
    let game = GameRecord {
        kind: VerdictKind::Win,
        winner: Some(Seat::SECOND),
        detail: String::new(),
        turns: "b1.3 c1.4".into(),
        times: "5+6 7+8".into(),
        says: "0.5/3/100 -/-/7".into(),
        log: "noise".into(),
        turn_count: 2,
        clocks: [TurnTimes::default(); 2],
    };
    let pair = |number| PairRecord {
        number,
        first: 0,
        second: 1,
        round: number,
        seed: 9,
        start: None,
        opening: "-.0 a1.1".into(),
        games: [game.clone(), game.clone()],
    };
    store.add(id, &[pair(0), pair(1)])?;
    let played = store.begin_match(&NewMatch {
        key: "m",
        game: "tictactoe",
        sheet: "(role x)",
        clocks: [Duration::from_secs(1); 2],
        seed: 1,
        players: &[("x".to_string(), "random".to_string())],
    })?;
    let mv = MatchMove {
        mv: "(mark 1 1)".into(),
        took: Some(Duration::from_millis(3)),
        fault: None,
    };
    store.add_turn(played, 1, &[mv])?;
    store.end_match(played, FINISHED, &[100])
}

/// A file for this process alone, in memory where the system has such a place.
fn scratch(name: &str) -> PathBuf {
    let shared = Path::new("/dev/shm");
    let folder = if shared.is_dir() {
        shared.into()
    } else {
        std::env::temp_dir()
    };
    folder.join(format!("terzo-fuzz-{name}-{}.db", std::process::id()))
}

fn remove(file: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        let _ = std::fs::remove_file(name);
    }
}

/// Reads everything there is, in every way there is.
fn read_all(file: &Path) -> Result<(), StoreError> {
    let store = Store::existing(file)?;
    let _ = store.integrity();
    for entry in store.matches()? {
        let _ = store.match_entry(Some(entry.id));
        let _ = store.match_turns(entry.id);
    }
    for entry in store.entries()? {
        let names: Vec<String> = entry.players.iter().map(|(name, _)| name.clone()).collect();
        let plan = Plan::from_toml(&entry.plan, "records", Path::new(""));
        // Either may have lost what the other still has.
        let meetings = plan.as_ref().map_or(vec![(0, 1)], Plan::meetings);
        let players = plan.as_ref().map_or(names.len(), |plan| plan.players.len());
        let mut standings = Standings::new(players, &meetings);
        store.each_pair(entry.id, |pair| {
            standings.count(&pair);
            for number in 0..2 {
                let _ = game_as_json(&entry, &pair, number).to_string();
                let _ = csv_line(&entry, &pair, number);
                let text = write(&entry.game, &pair, number, &names);
                let first = quarto::Position::new(quarto::Rules::standard());
                let _ = GameText::parse(&text).play(&first);
            }
        })?;
        let report = TournamentReport {
            title: &entry.name,
            game: &entry.game,
            terms: String::new(),
            names,
            standings: &standings,
            sprt: None,
            mistakes: None,
            run: None,
        };
        let _ = (report.markdown(), report.html());
        let _ = store.some_pairs(entry.id, u64::MAX, 3);
        let _ = store.pair(entry.id, u64::MAX);
    }
    Ok(())
}

/// A pair that can be read is the same when it is written and read again, and can be counted and kept whatever it says.
pub fn pair(bytes: &[u8]) {
    let Ok(pair) = serde_json::from_slice::<PairRecord>(bytes) else {
        return;
    };
    let written = serde_json::to_string(&pair).unwrap_or_default();
    assert_eq!(serde_json::from_str::<PairRecord>(&written).ok().as_ref(), Some(&pair));
    let mut standings = Standings::new(2, &[(0, 1)]);
    standings.count(&pair);
    let keep = || -> Result<(), StoreError> {
        let mut store = Store::in_memory()?;
        let id = store.tournament("key", "n", "quarto", "", &[])?;
        store.add(id, &[pair])?;
        store.each_pair(id, |pair| {
            assert!(pair.games.iter().all(|game| game.turn_count < u32::MAX))
        })
    };
    if let Err(error) = keep() {
        assert!(error.to_string().contains("records in"));
    }
}

/// A change a line: TABLE.COLUMN VALUE, a value being `null`, `int N`, `real X`, `blob TEXT` or a text. The records are then
/// read, or refused in words.
pub fn rows(bytes: &[u8]) {
    let file = scratch("rows");
    remove(&file);
    assert!(std::fs::write(&file, &*SOUND).is_ok());
    let Ok(connection) = Connection::open(&file) else {
        return;
    };
    for line in text(bytes).lines().take(8) {
        let (place, value) = line.split_once(' ').unwrap_or((line, ""));
        let Some((table, column)) = place.split_once('.') else {
            continue;
        };
        let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain(table) && plain(column) {
            let sql = format!("update \"{table}\" set \"{column}\" = ?");
            let _ = connection.execute(&sql, [value_of(value)]);
        }
    }
    drop(connection);
    if let Err(error) = read_all(&file) {
        assert!(error.to_string().contains("records in"));
    }
    remove(&file);
}

fn value_of(text: &str) -> Value {
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    match kind {
        "null" => Value::Null,
        "int" => rest.parse().map_or(Value::Null, Value::Integer),
        "real" => rest.parse().map_or(Value::Null, Value::Real),
        "blob" => Value::Blob(rest.into()),
        _ => Value::Text(text.into()),
    }
}

/// Three bytes a change: a place in the file, and what stands there instead. The first two say where the file ends.
pub fn database(bytes: &[u8]) {
    let mut damaged = SOUND.clone();
    let (end, changes) = bytes.split_first_chunk().unwrap_or((&[0; 2], bytes));
    let end = usize::from(u16::from_le_bytes(*end));
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[place] = change[2];
    }
    if end > 0 {
        damaged.truncate(end);
    }
    let file = scratch("database");
    remove(&file);
    assert!(std::fs::write(&file, &damaged).is_ok());
    if let Err(error) = read_all(&file) {
        assert!(error.to_string().contains("records in"));
    }
    remove(&file);
}
