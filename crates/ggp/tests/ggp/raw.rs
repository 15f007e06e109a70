//! The player's port, as programs in other languages write to it.

use crate::strangers::{factory, ours};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
    // Somebody who is refused early may not be able to say everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn a_manager_of_2008_and_one_of_today_are_both_understood() {
    let server = ours(factory("random"));
    let available = "( ( name terzo ) ( status available ) ( species terzo ) )";
    let asked = [
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\nSender: GAMESERVER\r\nReceiver: YOU\r\n\
         Content-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )",
        "POST / HTTP/1.0\r\naccept: text/delim\r\nsender: GAMESERVER\r\nreceiver: YOU\r\ncontent-type: text/acl\r\n\
         content-length: 6\r\n\r\n(INFO)",
        "POST / HTTP/1.1\r\nHost: localhost:9147\r\nOrigin: http://localhost:8000\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n( INFO )\r\n0\r\n\r\n",
        "GET /%28%20INFO+%29 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ];
    for request in asked {
        let answer = exchange(server.address(), request.as_bytes());
        assert!(
            answer.starts_with("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n"),
            "{answer}"
        );
        assert!(
            answer.contains(&format!("Content-Length: {}\r\n", available.len())),
            "{answer}"
        );
        assert_eq!(body(&answer), available, "{request}");
    }
    let answer = exchange(
        server.address(),
        b"OPTIONS / HTTP/1.1\r\nOrigin: http://127.0.0.1:8000\r\n\r\n",
    );
    let page = "Access-Control-Allow-Origin: http://127.0.0.1:8000\r\n";
    assert!(answer.contains(page), "{answer}");
    assert!(
        answer.contains("Access-Control-Allow-Methods: POST, GET, OPTIONS"),
        "{answer}"
    );
}

#[test]
fn web_pages_elsewhere_are_refused() {
    let server = ours(factory("random"));
    for headers in [
        "Origin: http://evil.example",
        "Origin: null",
        "Host: rebound.evil.example:9147",
        "Sec-Fetch-Site: cross-site",
    ] {
        for request in [
            format!("POST / HTTP/1.1\r\n{headers}\r\nContent-Length: 8\r\n\r\n( INFO )"),
            format!("GET /%28%20INFO+%29 HTTP/1.1\r\n{headers}\r\n\r\n"),
            format!("OPTIONS / HTTP/1.1\r\n{headers}\r\n\r\n"),
        ] {
            let answer = exchange(server.address(), request.as_bytes());
            assert!(answer.starts_with("HTTP/1.0 403 Forbidden\r\n"), "{request}: {answer}");
            assert!(
                !answer.contains("Access-Control") && !answer.contains("available"),
                "{answer}"
            );
        }
    }
}

#[test]
fn noise_is_refused_and_does_not_disturb() {
    let server = ours(factory("random"));
    let address = server.address();
    let megabytes = vec![b'('; 3 << 20];
    let long = [
        b"POST / HTTP/1.0\r\nContent-Length: 3145728\r\n\r\n",
        megabytes.as_slice(),
    ]
    .concat();
    let long_head = [b"POST / HTTP/1.0\r\nX: ", megabytes.as_slice()].concat();
    let cases: [(&[u8], &str); 7] = [
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", "400"),
        (b"( INFO )\r\n\r\n", "400"),
        (b"DELETE / HTTP/1.0\r\n\r\n", "405"),
        (b"POST / HTTP/1.0\r\n\r\n", "411"),
        (b"POST / HTTP/1.0\r\nContent-Length: 9999999999\r\n\r\n", "413"),
        (&long, "400"),
        (&long_head, "431"),
    ];
    for (bytes, status) in cases {
        let answer = exchange(address, bytes);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(50)]);
        // A refusal may be lost while we still shout; the port must live.
        if bytes.len() < 1 << 20 {
            assert!(answer.starts_with(&format!("HTTP/1.0 {status} ")), "{shown}: {answer}");
        }
        let asked = Instant::now();
        let info = exchange(address, b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )");
        assert!(body(&info).contains("available"), "{shown}");
        assert!(asked.elapsed() < Duration::from_secs(1), "{shown}");
    }
}

#[test]
fn those_who_hold_connections_open_shut_nobody_out() {
    let server = ours(factory("random"));
    let address = server.address();
    let busy = BusyThreads::start(12);
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..300 {
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(b"POST / HTTP/1.0\r\n");
        idle.push(stream);
    }
    let asked = Instant::now();
    let info = exchange(address, b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )");
    let took = asked.elapsed();
    drop(busy);
    assert!(body(&info).contains("available"), "{info:?}");
    // After ten seconds those who hold them would be gone in any case.
    assert!(took < Duration::from_secs(9), "{took:?}");
    // Half a message and a hang-up.
    for stream in &idle {
        let _ = stream.shutdown(Shutdown::Both);
    }
}

/// Threads that only burn, until they are dropped: others wait for a core.
struct BusyThreads {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyThreads {
    fn start(count: usize) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let burn = || {
            let stop = stop.clone();
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let threads = (0..count).map(|_| burn()).collect();
        BusyThreads { stop, threads }
    }
}

impl Drop for BusyThreads {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
