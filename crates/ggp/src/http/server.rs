//! Answering many connections at once, each in a thread of its own, none of which can hold up the others.

use super::timed::Timed;
use super::{HttpError, HttpLimits, HttpRequest, Method, read_request, reason};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a request may take to arrive.
const TO_ARRIVE: Duration = Duration::from_secs(10);
/// How long an answer may take to leave.
const TO_LEAVE: Duration = Duration::from_secs(5);
/// How long we listen to what is still coming after a refusal, so that the refusal is not lost with it.
const TO_CALM_DOWN: Duration = Duration::from_millis(300);
/// How long who comes waits for those who were let go.
const TO_MAKE_ROOM: Duration = Duration::from_secs(1);
/// Connections whose request is still arriving. When one more comes, the oldest of them is let go.
const MOST_ARRIVING: usize = 48;
/// Connections in all.
const MOST: usize = 160;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpReply {
    /// The status: 200 if the message was understood.
    pub status: u16,
    /// The body.
    pub text: String,
}

impl HttpReply {
    /// The answer to a message that was understood.
    pub fn ok(text: impl Into<String>) -> Self {
        HttpReply {
            status: 200,
            text: text.into(),
        }
    }

    /// The answer to one that was not.
    pub fn refuse(why: impl Into<String>) -> Self {
        HttpReply {
            status: 400,
            text: why.into(),
        }
    }
}

/// A port that answers, until it is dropped.
pub struct HttpServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl HttpServer {
    /// Listens on an address (port 0 takes a free one) and answers every message with what `answer` makes of it; it is
    /// told when the connection was accepted.
    pub fn start(
        address: SocketAddr,
        answer: impl Fn(&str, Instant) -> HttpReply + Send + Sync + 'static,
    ) -> io::Result<HttpServer> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let connections = Arc::new(Connections::default());
        let answer = Arc::new(answer);
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Acquire) {
                match listener.accept() {
                    Ok((stream, _)) if !stopped.load(Ordering::Acquire) => admit(&connections, stream, &answer),
                    Ok(_) => {}
                    // Out of descriptors, say: the connections that are open will end.
                    Err(_) => std::thread::sleep(Duration::from_millis(20)),
                }
            }
        });
        Ok(HttpServer {
            address,
            stop,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits as long as the server lives: for ever, unless its thread breaks down.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.stop.store(true, Ordering::Release);
        // It waits for somebody to connect, so somebody does.
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(match own {
                SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        if TcpStream::connect_timeout(&own, Duration::from_secs(1)).is_ok() {
            let _ = thread.join();
        }
    }
}

/// Who is there.
#[derive(Default)]
struct Connections {
    arriving: Mutex<VecDeque<(usize, TcpStream)>>,
    tickets: AtomicUsize,
    inside: AtomicUsize,
}

impl Connections {
    /// Notes a connection whose request is to come; the one that has been at it longest makes room if there is none.
    fn enter(self: &Arc<Self>, stream: &TcpStream) -> io::Result<OpenConnection> {
        let clone = stream.try_clone()?;
        let ticket = self.tickets.fetch_add(1, Ordering::Relaxed);
        self.inside.fetch_add(1, Ordering::AcqRel);
        let mut arriving = self.arriving.lock();
        arriving.push_back((ticket, clone));
        if arriving.len() > MOST_ARRIVING
            && let Some((_, oldest)) = arriving.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        Ok(OpenConnection {
            connections: self.clone(),
            ticket,
        })
    }

    /// Waits for those who were let go to be gone, on a busy machine. Whether there is room then.
    fn has_room(&self, until: Instant) -> bool {
        while self.inside.load(Ordering::Acquire) > MOST {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }
}

/// A connection that is counted as long as it lives.
struct OpenConnection {
    connections: Arc<Connections>,
    ticket: usize,
}

impl OpenConnection {
    /// Its request is there: it need not make room for others any more.
    fn has_arrived(&self) {
        let mut arriving = self.connections.arriving.lock();
        arriving.retain(|(other, _)| *other != self.ticket);
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.has_arrived();
        self.connections.inside.fetch_sub(1, Ordering::AcqRel);
    }
}

fn admit<F>(connections: &Arc<Connections>, stream: TcpStream, answer: &Arc<F>)
where
    F: Fn(&str, Instant) -> HttpReply + Send + Sync + 'static,
{
    let accepted = Instant::now();
    // Here and not in its thread, which may have to wait for a core: until then nobody would be let go for who comes next.
    let Ok(connection) = connections.enter(&stream) else {
        return;
    };
    if !connections.has_room(accepted + TO_MAKE_ROOM) {
        // There is no time to be polite.
        return;
    }
    let answer = answer.clone();
    // If no thread can be made the connection is closed: the others go on.
    let _ = std::thread::Builder::new().name("ggp message".into()).spawn(move || {
        // Errors of a connection are the other side's; it is closed in any case.
        let _ = converse(&connection, &stream, accepted, answer.as_ref());
    });
}

fn converse(
    connection: &OpenConnection,
    stream: &TcpStream,
    accepted: Instant,
    answer: impl Fn(&str, Instant) -> HttpReply,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let deadline = accepted + TO_ARRIVE;
    let mut timed = Timed { stream, deadline };
    let go_on = || Timed { stream, deadline }.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
    let request = read_request(&mut timed, HttpLimits::REQUEST, go_on);
    connection.has_arrived();
    match request.and_then(|request| admitted(stream, request)) {
        Ok(request) => {
            let reply = match request.method {
                Method::PlayerOptions => HttpReply::ok(""),
                Method::Post | Method::Get => answer(&request.text, accepted),
            };
            send(stream, &reply, request.sender.origin())
        }
        Err(error) => refuse(stream, &error),
    }
}

/// The request, unless a web page elsewhere sent it.
fn admitted(stream: &TcpStream, request: HttpRequest) -> Result<HttpRequest, HttpError> {
    let inside = stream.local_addr()?.ip().to_canonical().is_loopback();
    request.sender.admit(inside)?;
    Ok(request)
}

fn refuse(stream: &TcpStream, error: &HttpError) -> io::Result<()> {
    let Some(status) = error.status() else {
        return Ok(());
    };
    let text = error.to_string();
    send(stream, &HttpReply { status, text }, None)?;
    // Closing while bytes are still unread would take the answer back from the other side's hands.
    stream.shutdown(Shutdown::Write)?;
    let deadline = Instant::now() + TO_CALM_DOWN;
    let mut timed = Timed { stream, deadline };
    let mut scrap = [0; 16 * 1024];
    while timed.read(&mut scrap)? > 0 {}
    Ok(())
}

/// Sends an answer, which the page that asked may read, too.
fn send(stream: &TcpStream, reply: &HttpReply, page: Option<&str>) -> io::Result<()> {
    let allowed = page.map_or_else(String::new, |page| {
        format!(
            "Access-Control-Allow-Origin: {page}\r\nVary: Origin\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
             Access-Control-Allow-Headers: Content-Type, Accept, Sender, Receiver\r\nAccess-Control-Max-Age: 86400\r\n"
        )
    });
    let head = format!(
        "HTTP/1.0 {} {}\r\nContent-type: text/acl\r\nContent-Length: {}\r\n{allowed}Connection: close\r\n\r\n",
        reply.status,
        reason(reply.status),
        reply.text.len()
    );
    let mut timed = Timed {
        stream,
        deadline: Instant::now() + TO_LEAVE,
    };
    timed.write_all((head + &reply.text).as_bytes())
}
