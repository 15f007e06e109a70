//! A real `nats-server` on a port of its own, that tests may kill.

use crate::deadline::Deadline;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub struct NatsServer {
    child: Option<Child>,
    port: u16,
    name: String,
    folder: PathBuf,
    arguments: Vec<String>,
}

impl NatsServer {
    /// With JetStream, its files in a folder of its own. `None`, said aloud, where no `nats-server` is installed; in CI
    /// that is a failure.
    pub fn start(name: &str) -> Option<Self> {
        NatsServer::start_with(name, &["-js"])
    }

    pub fn start_with(name: &str, arguments: &[&str]) -> Option<Self> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            assert!(std::env::var_os("CI").is_none(), "nats-server is not installed");
            eprintln!("skipped: nats-server is not installed (scripts/test installs it)");
            return None;
        }
        let name = format!("terzo-nats-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        let _ = std::fs::remove_dir_all(&folder);
        let mut server = NatsServer {
            child: None,
            port: 0,
            name,
            folder,
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
        };
        // Where somebody else listens it does not start, and another port is tried. None is below those that the system gives
        // to whoever connects: while this server is dead, its port must not be taken by a client.
        for attempt in 0..50_u64 {
            server.port = 15_000 + (RandomState::new().hash_one(attempt) % 15_000) as u16;
            if server.try_to_run() {
                return Some(server);
            }
        }
        panic!("nats-server does not start");
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// As `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Begins again, on the same port and with what it had on disk.
    pub fn revive(&mut self) {
        assert!(self.try_to_run(), "nats-server does not start again");
    }

    /// Begins again with other arguments.
    #[allow(dead_code, reason = "not every test changes its mind")]
    pub fn revive_with(&mut self, arguments: &[&str]) {
        self.arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        self.revive();
    }

    /// Runs it until it takes connections. False if it ends before.
    fn try_to_run(&mut self) -> bool {
        self.kill();
        let child = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-n", &self.name, "-sd"])
            .arg(&self.folder)
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        Deadline::after(Duration::from_secs(60)).wait("nats-server to answer", || match self.answers() {
            true => Some(true),
            false => self.child.as_mut()?.try_wait().unwrap().map(|_| false),
        })
    }

    /// Whether it is this server that listens on the port.
    fn answers(&self) -> bool {
        let Ok(stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return false;
        };
        stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
        let mut greeting = String::new();
        let _ = BufReader::new(stream).read_line(&mut greeting);
        greeting.contains(&format!("\"server_name\":\"{}\"", self.name))
    }

    /// Loses everything it had.
    #[allow(dead_code, reason = "not every test is that cruel")]
    pub fn revive_from_nothing(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
        self.revive();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
