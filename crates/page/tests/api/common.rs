//! A server on a free port, and a client that speaks just enough HTTP to ask it anything, also what no browser would.

#![allow(dead_code, reason = "every test file uses a part of it")]

use page::{App, Config, ServerLimits, serve};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A folder of its own for the records of a test, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("terzo-page-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn records(&self) -> PathBuf {
        self.0.join("terzo.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(records: &Path) -> Self {
        Server::with(Config {
            records: records.into(),
            ..Config::default()
        })
    }

    pub fn with_limits(records: &Path, limits: ServerLimits) -> Self {
        Server::with(Config {
            records: records.into(),
            limits,
            ..Config::default()
        })
    }

    pub fn with(config: Config) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let app = App::open(config).unwrap();
                let stop = async {
                    let _ = stopped.await;
                };
                serve(app, listener, stop).await;
            });
            runtime.shutdown_background();
        });
        Server {
            address: told.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Has a tournament played to its end and returns its address.
    pub fn tournament(&self, plan: &Value) -> String {
        let id = self.client().tournament(plan);
        let address = format!("/api/tournaments/{id}");
        self.client().stream(&format!("{address}/events")).for_each(drop);
        address
    }

    /// Ends it as Ctrl-C does.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The code of a refusal.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().into()
    }
}

/// A client with one connection that it keeps.
pub struct Client {
    address: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
    pub headers: Vec<(String, String)>,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        Client {
            address,
            connection: None,
            headers: Vec::new(),
        }
    }

    /// The same client with a browser's key.
    pub fn with_key(mut self, key: &str) -> Self {
        self.headers.push(("cookie".into(), format!("terzo_client={key}")));
        self
    }

    fn connection(&mut self) -> &mut BufReader<TcpStream> {
        let address = self.address;
        self.connection.get_or_insert_with(|| {
            let stream = TcpStream::connect(address).unwrap();
            stream.set_nodelay(true).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            BufReader::new(stream)
        })
    }

    /// Sends a request; headers given replace those that are usual.
    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) {
        let host = self.address.to_string();
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let given = |name: &str| headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        if !given("host") {
            text += &format!("host: {host}\r\n");
        }
        if !body.is_empty() && !given("content-type") {
            text += "content-type: application/json\r\n";
        }
        if !given("content-length") && (method != "GET" || !body.is_empty()) {
            text += &format!("content-length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += "\r\n";
        let mut request = text.into_bytes();
        request.extend_from_slice(body);
        // A server that has already refused may have closed: the answer says so.
        let _ = self.connection().get_mut().write_all(&request);
    }

    fn head(&mut self) -> Option<(u16, Vec<(String, String)>)> {
        let connection = self.connection();
        let mut line = String::new();
        connection.read_line(&mut line).ok().filter(|&read| read > 0)?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            connection.read_line(&mut line).ok().filter(|&read| read > 0)?;
            let line = line.trim_end();
            if line.is_empty() {
                return Some((status, headers));
            }
            let (name, value) = line.split_once(':')?;
            headers.push((name.to_string(), value.trim().to_string()));
        }
    }

    fn chunk(&mut self) -> Option<Vec<u8>> {
        let connection = self.connection();
        let mut line = String::new();
        connection.read_line(&mut line).ok().filter(|&read| read > 0)?;
        let length = usize::from_str_radix(line.trim(), 16).ok()?;
        let mut chunk = vec![0; length + 2];
        connection.read_exact(&mut chunk).ok()?;
        chunk.truncate(length);
        Some(chunk)
    }

    /// Asks and waits for the whole answer.
    pub fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.send(method, path, headers, body);
        let (status, answered) = self.head().expect("an answer");
        let value = |name: &str| {
            answered
                .iter()
                .find(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.clone())
        };
        let mut body = Vec::new();
        if value("transfer-encoding").is_some() {
            while let Some(chunk) = self.chunk().filter(|chunk| !chunk.is_empty()) {
                body.extend(chunk);
            }
        } else if method != "HEAD"
            && let Some(length) = value("content-length")
        {
            body.resize(length.parse().unwrap(), 0);
            self.connection().read_exact(&mut body).unwrap();
        }
        if value("connection").is_some_and(|value| value == "close") {
            self.connection = None;
        }
        Answer {
            status,
            headers: answered,
            body,
        }
    }

    pub fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub fn post(&mut self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, &[], body.as_bytes())
    }

    /// Puts something in another's place.
    pub fn put(&mut self, path: &str, body: &str) -> Answer {
        self.ask("PUT", path, &[], body.as_bytes())
    }

    /// Changes a part of something.
    pub fn patch(&mut self, path: &str, body: &str) -> Answer {
        self.ask("PATCH", path, &[], body.as_bytes())
    }

    /// Removes something.
    pub fn delete(&mut self, path: &str) -> Answer {
        self.ask("DELETE", path, &[], b"")
    }

    /// Opens a table and returns its name.
    pub fn table(&mut self, body: &str) -> String {
        let answer = self.post("/api/tables", body);
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().into()
    }

    /// The table when it is a person's move, or the game is over.
    pub fn wait(&mut self, id: &str) -> Value {
        for _ in 0..2000 {
            let table = self.get(&format!("/api/tables/{id}")).json();
            if table["thinking"].is_null() && table["to_move"] != "program" {
                return table;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the program at table {id} never answered");
    }

    /// Begins a tournament and returns its number.
    pub fn tournament(&mut self, plan: &Value) -> i64 {
        let started = self.post("/api/tournaments", &plan.to_string());
        assert_eq!(started.status, 201, "{}", started.text());
        started.json()["id"].as_i64().unwrap()
    }

    /// Opens a stream of events.
    pub fn stream(mut self, path: &str) -> Events {
        self.send("GET", path, &[], b"");
        let (status, headers) = self.head().expect("an answer");
        assert_eq!(status, 200, "{headers:?}");
        Events {
            client: self,
            buffer: String::new(),
        }
    }
}

/// Longer than anything takes that a stream tells of, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A stream of events: names and data.
pub struct Events {
    client: Client,
    buffer: String,
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let late = Instant::now() + PATIENCE;
        loop {
            // Comments come for ever.
            assert!(Instant::now() < late, "a stream that neither goes on nor ends");
            if let Some(end) = self.buffer.find("\n\n") {
                let event: String = self.buffer.drain(..end + 2).collect();
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                // A comment keeps the stream alive.
                if let (Some(name), Some(data)) = (field("event:"), field("data:")) {
                    return Some((name.into(), serde_json::from_str(data).unwrap()));
                }
                continue;
            }
            let chunk = self.client.chunk().filter(|chunk| !chunk.is_empty())?;
            self.buffer += &String::from_utf8(chunk).unwrap();
        }
    }
}
