//! Who plays a tournament: one process at a time.
//!
//! Two that play the same one would play the same pairs, and each would report half of them. A file beside the records is locked
//! as long as somebody plays; the system unlocks it for whoever dies.

use crate::store::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The right to play a tournament, as long as this value lives.
#[derive(Debug)]
pub(crate) struct TournamentClaim {
    path: PathBuf,
    /// Locked.
    _file: File,
}

impl TournamentClaim {
    /// Claims a tournament of the records in a file, or says who has it.
    pub fn on(records: &Path, tournament: i64) -> Result<TournamentClaim, StoreError> {
        let mut path = records.as_os_str().to_owned();
        path.push(format!("-{tournament}.lock"));
        let path = PathBuf::from(path);
        let failed = |why: String| StoreError::Foreign {
            path: path.clone(),
            why,
        };
        loop {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(|error| failed(error.to_string()))?;
            match file.try_lock() {
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Claimed {
                        path: records.into(),
                        tournament,
                        process: owner(&mut file),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error.to_string())),
            }
            // Whoever had it before may have taken the file away between our opening and our locking it.
            let there = std::fs::metadata(&path).map(|file| (file.dev(), file.ino())).ok();
            if there == file.metadata().map(|file| (file.dev(), file.ino())).ok() {
                let _ = file.set_len(0);
                let _ = writeln!(file, "{}", std::process::id());
                return Ok(TournamentClaim { path, _file: file });
            }
        }
    }
}

/// Who has locked the file. It says so a moment after it has locked it.
fn owner(file: &mut File) -> String {
    let mut process = String::new();
    for _ in 0..1000 {
        let _ = Read::by_ref(file).take(20).read_to_string(&mut process);
        if process.ends_with('\n') {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    process.trim().into()
}

impl Drop for TournamentClaim {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_that_has_not_said_its_name_yet_is_waited_for() {
        let path = std::env::temp_dir().join(format!("terzo-owner-{}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        let mut file = File::open(&path).unwrap();
        let named = std::thread::scope(|scope| {
            let asked = scope.spawn(|| owner(&mut file));
            std::fs::write(&path, "1234\n").unwrap();
            asked.join().unwrap()
        });
        assert_eq!(named, "1234");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_tournament_has_one_owner_at_a_time() {
        let records = std::env::temp_dir().join(format!("terzo-claim-{}.db", std::process::id()));
        let first = TournamentClaim::on(&records, 3).unwrap();
        let other = TournamentClaim::on(&records, 4).unwrap();
        let error = TournamentClaim::on(&records, 3).unwrap_err().to_string();
        let me = format!("process {}", std::process::id());
        assert!(error.contains(&me) && error.contains("tournament 3"), "{error}");
        drop(first);
        drop(TournamentClaim::on(&records, 3).unwrap());
        // Somebody who was killed leaves the file and not the lock.
        let path = other.path.clone();
        drop(other);
        std::fs::write(&path, "1\n").unwrap();
        drop(TournamentClaim::on(&records, 4).unwrap());
        assert!(!path.exists());
    }
}
