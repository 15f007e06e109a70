//! A file that several processes have open: a tournament writes, a terminal and a page read.

use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::time::{Duration, Instant};

/// How long somebody else may hold the file before that is an error.
const PATIENCE: Duration = Duration::from_secs(30);

/// Prepares a connection for company: who finds the file taken waits for it.
pub fn share(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // A transaction that reads first and writes later is refused, without waiting, if another wrote in between.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    keep_log(connection)?;
    // A commit need not wait for the disk: WAL stays sound, and a killed process loses nothing it committed.
    connection.pragma_update(None, "synchronous", "normal")
}

/// Turns the write-ahead log on. SQLite does not wait here, whatever its time limit: two who open a new file at the same
/// moment would refuse each other.
fn keep_log(connection: &Connection) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
            done => return done,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

#[cfg(test)]
mod tests {
    use crate::store::Store;
    use std::sync::Barrier;

    #[test]
    fn many_open_new_records_at_once() {
        const MANY: usize = 8;
        for round in 0..40 {
            let path = std::env::temp_dir().join(format!("terzo-at-once-{}-{round}.db", std::process::id()));
            let barrier = Barrier::new(MANY);
            std::thread::scope(|scope| {
                for _ in 0..MANY {
                    scope.spawn(|| {
                        barrier.wait();
                        Store::open(&path).map(drop).unwrap();
                    });
                }
            });
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(path.with_extension(format!("db{end}")));
            }
        }
    }
}
