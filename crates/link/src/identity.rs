//! Which version of a program a command runs: the digests of its file and of the files that its words name.

use crate::ugi::EngineCommand;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Of a larger file only the beginning and the end are read, and its length counts.
const LARGE: u64 = 256 << 20;

/// Names of files, each with its digest: the program, and every word of the command that is a file, or has one after its
/// first `=`.
pub fn identity(command: &EngineCommand) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Some(path) = command.found() {
        found.push((command.program.clone(), digest(&path)));
    }
    let folder = command.folder.as_deref().unwrap_or(Path::new(""));
    for word in &command.arguments {
        let after = word.split_once('=').map(|(_, rest)| rest);
        for name in [Some(word.as_str()), after].into_iter().flatten() {
            let path = folder.join(name);
            if path.is_file() && !found.iter().any(|(known, _)| known == name) {
                found.push((name.into(), digest(&path)));
            }
        }
    }
    found
}

/// The digest of a file in letters. One that cannot be read has none, and says so.
pub fn digest(path: &Path) -> String {
    match try_digest(path, LARGE) {
        Ok(digest) => digest,
        Err(error) => format!("unreadable: {error}"),
    }
}

fn try_digest(path: &Path, large: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut hasher = Sha256::new();
    if length <= large {
        io::copy(&mut file, &mut hasher)?;
    } else {
        hasher.update(length.to_le_bytes());
        io::copy(&mut (&mut file).take(large / 2), &mut hasher)?;
        file.seek(SeekFrom::End(-((large / 2) as i64)))?;
        io::copy(&mut file.take(large / 2), &mut hasher)?;
    }
    let mut text = String::new();
    for byte in &hasher.finalize()[..16] {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_by_its_program_and_the_files_it_names() {
        let folder = std::env::temp_dir().join(format!("terzo-identity-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("data")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("my.py", "one");
        write("net.bin", "weights");
        let mut command = EngineCommand::parse("sh my.py --net=net.bin --log new.log data my.py").unwrap();
        command.folder = Some(folder.clone());
        let before = identity(&command);
        let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sh", "my.py", "net.bin"]);
        assert_eq!(identity(&command), before);
        write("my.py", "two");
        let after = identity(&command);
        assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
        assert_ne!(after[1], before[1]);
        // Of a large file the ends and the length count.
        let path = folder.join("large");
        let large = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            try_digest(&path, 8).unwrap()
        };
        let whole = large(b"abcdefghijkl");
        assert_eq!(whole, large(b"abcdEFGHijkl"));
        assert_ne!(whole, large(b"abcdefghijkL"));
        assert_ne!(whole, large(b"abcdefgghijkl"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(digest(&folder).starts_with("unreadable"));
    }
}
