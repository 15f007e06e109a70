//! Files that the user names: read within a limit, and opened for writing before the work begins.

use anyhow::{Context, bail};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The text of a file, or of standard input if it is called `-`. Reading ends at the limit: some files have no end.
pub fn read(path: &Path, most: u64) -> anyhow::Result<String> {
    if path == Path::new("-") {
        return within(io::stdin(), most).context("standard input");
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    within(file, most).with_context(|| path.display().to_string())
}

fn within(reader: impl Read, most: u64) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("expected at most {most} bytes");
    }
    String::from_utf8(bytes).context("expected text in UTF-8")
}

/// A file that will be written when there is something to write. Until then it keeps what it held.
pub struct Output {
    path: PathBuf,
    file: File,
}

impl Output {
    /// Makes sure that the file can be written.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        Ok(Output {
            path: path.into(),
            file: file.with_context(|| format!("cannot write {}", path.display()))?,
        })
    }

    /// Writes the text, and nothing else stays in the file. What is told while the work goes on is written again and again.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        let write = || {
            let mut file = &self.file;
            file.rewind()?;
            file.write_all(text.as_bytes())?;
            // What is no file on a disk, such as /dev/stdout, has no length.
            let _ = file.set_len(text.len() as u64);
            Ok(())
        };
        let written: io::Result<()> = write();
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_at_the_limit_and_not_at_the_end_of_memory() {
        let error = read(Path::new("/dev/zero"), 1000).unwrap_err();
        assert_eq!(format!("{error:#}"), "/dev/zero: expected at most 1000 bytes");
        assert_eq!(within(&b"four"[..], 4).unwrap(), "four");
        assert!(within(&b"fives"[..], 4).is_err());
        assert!(within(&b"\xff"[..], 4).is_err());
    }

    #[test]
    fn a_file_keeps_what_it_held_until_it_is_written() {
        let path = std::env::temp_dir().join(format!("terzo-output-{}", std::process::id()));
        std::fs::write(&path, "what was there before").unwrap();
        let output = Output::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "what was there before");
        output.write("new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        std::fs::remove_file(&path).unwrap();
        assert!(Output::open(Path::new("/no/such/folder/file")).is_err());
    }
}
