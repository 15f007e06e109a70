//! Records where nothing can be written: on a disk that is read-only, in somebody else's folder.
//!
//! SQLite would make files of its own beside the records even to read them. So they are opened as what cannot change; if the last
//! process that wrote them left a log of its own (it was killed), both are copied to where the log can be worked in.

use super::{Store, StoreError, VERSION, sqlite, strange};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder for a copy, taken away in the end.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("terzo-records-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder)?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether an error means that nothing can be written there.
pub(super) fn is_read_only(error: &StoreError) -> bool {
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    let StoreError::Sqlite { error, .. } = error else {
        return false;
    };
    matches!(
        error.sqlite_error_code(),
        Some(ReadOnly | CannotOpen | PermissionDenied)
    )
}

/// Opens records to read them, where they cannot be written.
pub(super) fn open(path: &Path) -> Result<Store, StoreError> {
    let log = beside(path, "-wal");
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return copy(path, &log);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path), flags).map_err(|error| sqlite(path, error))?;
    match prepare(&connection).map_err(|error| sqlite(path, error))? {
        None => Ok(Store {
            connection,
            path: path.into(),
            _scratch: None,
        }),
        Some(why) => Err(StoreError::Foreign { path: path.into(), why }),
    }
}

fn copy(path: &Path, log: &Path) -> Result<Store, StoreError> {
    let copied = || -> io::Result<(Scratch, PathBuf)> {
        let scratch = Scratch::new()?;
        let copy = scratch.0.join("records.db");
        std::fs::copy(path, &copy)?;
        std::fs::copy(log, beside(&copy, "-wal"))?;
        Ok((scratch, copy))
    };
    let (scratch, copy) = copied().map_err(|error| StoreError::Foreign {
        path: path.into(),
        why: format!("they cannot be written here, nor copied elsewhere: {error}"),
    })?;
    let mut store = Store::open(&copy)?;
    store.path = path.into();
    store._scratch = Some(scratch);
    Ok(store)
}

/// The same file with something after its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.into();
    name.push(ending);
    name.into()
}

/// The file as SQLite reads an address: it cannot change.
fn address(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let mut text = String::from("file:");
    for c in path.to_string_lossy().chars() {
        match c {
            '%' => text += "%25",
            '?' => text += "%3f",
            '#' => text += "%23",
            c => text.push(c),
        }
    }
    text + "?immutable=1"
}

/// What is wrong with the file, if something is.
fn prepare(connection: &Connection) -> rusqlite::Result<Option<String>> {
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        return Ok(Some(format!("layout {version}; this program knows layout {VERSION}")));
    }
    let strange: Option<String> = connection.query_row(&strange(&[]), [], |row| row.get(0)).optional()?;
    if strange.is_some() {
        return Ok(strange);
    }
    // Records from before there were matches have none.
    let known = "select count(*) from sqlite_schema where type = 'table' and name = 'matches'";
    let matches: i64 = connection.query_row(known, [], |row| row.get(0))?;
    if matches == 0 {
        let tables = crate::matches::LAYOUT.replace("create table", "create temp table");
        connection.execute_batch(&tables)?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("terzo-reading-{name}-{}#?%.db", std::process::id()));
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&path, ending));
        }
        path
    }

    #[test]
    fn what_cannot_change_is_read_and_not_written() {
        let path = records("closed");
        let mut written = Store::open(&path).unwrap();
        written.tournament("key", "name", "quarto", "", &[]).unwrap();
        drop(written);
        let mut store = open(&path).unwrap();
        assert_eq!(store.entries().unwrap().len(), 1);
        assert_eq!(store.matches().unwrap().len(), 0);
        assert!(is_read_only(
            &store.tournament("other", "name", "quarto", "", &[]).unwrap_err()
        ));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_log_that_a_killed_process_left_is_read_too() {
        let path = records("killed");
        let mut written = Store::open(&path).unwrap();
        written.tournament("key", "name", "quarto", "", &[]).unwrap();
        // Never closed, as if it were killed: what was written is in the log alone.
        assert!(beside(&path, "-wal").metadata().unwrap().len() > 0);
        let store = open(&path).unwrap();
        assert_eq!(store.entries().unwrap().len(), 1);
        let scratch = store._scratch.as_ref().unwrap().0.clone();
        drop(store);
        assert!(!scratch.exists());
        drop(written);
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn records_from_before_there_were_matches_have_none() {
        let path = records("old");
        let store = Store::open(&path).unwrap();
        let tables = "drop table match_turns; drop table match_roles; drop table matches";
        store.connection.execute_batch(tables).unwrap();
        drop(store);
        assert_eq!(open(&path).unwrap().matches().unwrap().len(), 0);
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", 7).unwrap();
        drop(connection);
        assert!(open(&path).err().unwrap().to_string().contains("layout 7"));
        std::fs::remove_file(&path).unwrap();
    }
}
