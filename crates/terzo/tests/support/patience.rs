//! Processes that are waited for, but not for ever.
#![allow(dead_code, reason = "every test uses some of it")]

use std::io::{BufRead, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longer than anything here takes, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Asks again and again until there is an answer.
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A command that is run to its end.
pub trait Finish {
    /// As `output` does, within patience.
    fn finish(&mut self) -> Output;
}

impl Finish for Command {
    fn finish(&mut self) -> Output {
        let what = format!("{self:?}");
        let child = self
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        finish_child(child, &what)
    }
}

/// What a process says until its end.
pub fn finish_child(mut child: Child, what: &str) -> Output {
    let (out, err) = (read_all(child.stdout.take()), read_all(child.stderr.take()));
    let status = end(&mut child, what);
    Output {
        status,
        stdout: out.recv_timeout(PATIENCE).unwrap(),
        stderr: err.recv_timeout(PATIENCE).unwrap(),
    }
}

/// Waits for a process; one that does not end is killed, and the test has failed.
pub fn end(child: &mut Child, what: &str) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        let _ = sender.send(bytes);
    });
    receiver
}

/// The lines of a pipe as they come. Somebody reads on, whether or not they are asked for.
pub struct Lines(Receiver<String>);

impl Lines {
    pub fn of(pipe: impl Read + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            for line in std::io::BufReader::new(pipe).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Lines(receiver)
    }

    /// The next one, which must come.
    pub fn next(&self) -> String {
        self.0.recv_timeout(PATIENCE).expect("waited in vain for a line")
    }
}
