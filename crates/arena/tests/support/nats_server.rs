//! A real `nats-server` on a port of its own, that tests may kill.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub struct NatsServer {
    child: Option<Child>,
    port: u16,
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
        let folder = std::env::temp_dir().join(format!("terzo-nats-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server = NatsServer {
            child: None,
            port,
            folder,
            arguments: arguments.iter().map(|argument| argument.to_string()).collect(),
        };
        server.revive();
        Some(server)
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
        self.kill();
        let child = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
            .arg(&self.folder)
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.child = Some(child);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
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
