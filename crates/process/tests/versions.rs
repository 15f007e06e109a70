//! A supervisor that is not one, or of another version.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use process::{Program, ProgramStreams, Supervised, supervise_with};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn null() -> OwnedFd {
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null");
    null.unwrap().into()
}

#[test]
fn a_supervisor_that_does_not_understand_us_is_told_of_in_words() {
    // It leaves at once, as a program does that does not know what it is asked for.
    supervise_with(Path::new("/bin/false"));
    let program = Program {
        program: "true".into(),
        ..Program::default()
    };
    // Whether it is gone before or after it was told what to do is a matter of chance.
    for _ in 0..20 {
        let streams = ProgramStreams {
            input: null(),
            output: null(),
            errors: null(),
        };
        let error = Supervised::start(&program, streams).unwrap_err().to_string();
        assert!(error.contains("of another version than this program"), "{error}");
        assert!(error.contains("/bin/false"), "{error}");
    }
}

#[test]
fn a_supervisor_that_is_told_another_version_says_so_and_starts_nothing() {
    for version in [&["--supervise"][..], &["--supervise", "1"]] {
        let (mut control, theirs) = UnixStream::pair().unwrap();
        control.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut supervisor = Command::new(env!("CARGO_BIN_EXE_supervisor"))
            .args(version)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()
            .unwrap();
        let mut said = Vec::new();
        control.read_to_end(&mut said).unwrap();
        assert!(!supervisor.wait().unwrap().success());
        // It failed, by a protocol error.
        assert_eq!(said, [b'F', 71, 0, 0, 0]);
    }
}
