//! Reading requests and answers, from anything that can be read.

use super::{HttpError, HttpLimits, Sender};
use httparse::Status;
use std::io::{self, ErrorKind, Read};

/// More headers than this are nobody's honest message.
const MOST_HEADERS: usize = 64;

/// What is asked of us by HTTP itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The message is the body.
    Post,
    /// The message is the path, URL-encoded.
    Get,
    /// A browser asks whether it may ask.
    PlayerOptions,
}

/// A request, wholly read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// The message: of the body, or of the path if there is none.
    pub text: String,
    /// Who sent it, as far as that is said.
    pub sender: Sender,
}

/// Reads a request. `go_on` is called if the other side waits for a word of encouragement before it sends the body.
pub fn read_request(
    from: &mut impl Read,
    limits: HttpLimits,
    mut go_on: impl FnMut() -> io::Result<()>,
) -> Result<HttpRequest, HttpError> {
    let mut source = Source::new(from);
    let head = source.head(limits.head, |bytes| {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let status = request.parse(bytes).map_err(malformed)?;
        let method = request.method.unwrap_or_default().to_owned();
        let path = request.path.unwrap_or_default().to_owned();
        Ok(match status {
            Status::Partial => None,
            Status::Complete(size) => {
                let (length, sender) = (Length::of(request.headers)?, Sender::of(request.headers));
                Some((size, (method, path, length, sender)))
            }
        })
    })?;
    let (method, path, length, sender) = head;
    let method = match method.to_ascii_uppercase().as_str() {
        "POST" => Method::Post,
        "GET" => Method::Get,
        "OPTIONS" => Method::PlayerOptions,
        _ => return Err(HttpError::Method(method)),
    };
    // The message of a GET is its path; a body would only be in the way, and the connection is closed anyway.
    if method != Method::Post {
        return Ok(HttpRequest {
            method,
            text: from_path(&path),
            sender,
        });
    }
    if let BodySize::Unknown = length.size {
        return Err(HttpError::NoLength);
    }
    if length.expects && source.rest().is_empty() {
        go_on()?;
    }
    let body = source.body(length.size, limits)?;
    Ok(HttpRequest {
        method,
        text: into_text(body),
        sender,
    })
}

/// Reads an answer: status and body. One that does not say how long it is ends where the connection does.
pub fn read_answer(from: &mut impl Read, limits: HttpLimits) -> Result<(u16, String), HttpError> {
    let mut source = Source::new(from);
    let (code, length) = source.head(limits.head, |bytes| {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let status = response.parse(bytes).map_err(malformed)?;
        let code = response.code.unwrap_or_default();
        Ok(match status {
            Status::Partial => None,
            Status::Complete(size) => Some((size, (code, Length::of(response.headers)?))),
        })
    })?;
    let body = source.body(length.size, limits)?;
    Ok((code, into_text(body)))
}

fn malformed(error: impl std::fmt::Display) -> HttpError {
    HttpError::Malformed(error.to_string())
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The message of a path: what follows the first stroke and perhaps a question mark, decoded.
fn from_path(path: &str) -> String {
    let text = path.strip_prefix('/').unwrap_or(path);
    let text = text.strip_prefix('?').unwrap_or(text).as_bytes();
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let hex = |at: usize| char::from(*text.get(at)?).to_digit(16);
        at += 1;
        decoded.push(match (byte, hex(at), hex(at + 1)) {
            (b'%', Some(high), Some(low)) => {
                at += 2;
                (high * 16 + low) as u8
            }
            (b'+', ..) => b' ',
            _ => byte,
        });
    }
    into_text(decoded)
}

/// What the headers say about the body.
struct Length {
    size: BodySize,
    expects: bool,
}

enum BodySize {
    Known(usize),
    Chunks,
    Unknown,
}

impl Length {
    fn of(headers: &[httparse::Header]) -> Result<Length, HttpError> {
        let mut length = Length {
            size: BodySize::Unknown,
            expects: false,
        };
        for header in headers {
            let value = || String::from_utf8_lossy(header.value).trim().to_ascii_lowercase();
            if header.name.eq_ignore_ascii_case("transfer-encoding") {
                match value().as_str() {
                    "chunked" => length.size = BodySize::Chunks,
                    "identity" => {}
                    other => return Err(malformed(format!("unknown transfer encoding `{other}`"))),
                }
            } else if header.name.eq_ignore_ascii_case("content-length") && !matches!(length.size, BodySize::Chunks) {
                let size = value().parse();
                length.size = BodySize::Known(size.map_err(|_| malformed("the length is not a number"))?);
            } else if header.name.eq_ignore_ascii_case("expect") {
                length.expects = value() == "100-continue";
            }
        }
        Ok(length)
    }
}

/// Where bytes come from: those that were read and not yet used, and the rest of the world.
struct Source<'a, R> {
    from: &'a mut R,
    buffer: Vec<u8>,
    /// How much of the buffer is used. It is taken away only before more is read, or many small chunks would cost
    /// much moving about.
    used: usize,
}

impl<'a, R: Read> Source<'a, R> {
    fn new(from: &'a mut R) -> Self {
        Source {
            from,
            buffer: Vec::new(),
            used: 0,
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.used..]
    }

    /// Reads some more; false at the end.
    fn more(&mut self) -> Result<bool, HttpError> {
        self.buffer.drain(..self.used);
        self.used = 0;
        let mut piece = [0; 16 * 1024];
        loop {
            match self.from.read(&mut piece) {
                Ok(size) => {
                    self.buffer.extend_from_slice(&piece[..size]);
                    return Ok(size > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn need_more(&mut self) -> Result<(), HttpError> {
        match self.more()? {
            true => Ok(()),
            false => Err(HttpError::Gone(ErrorKind::UnexpectedEof.into())),
        }
    }

    /// Reads until `parse` has seen the whole head, and takes it away.
    fn head<T>(
        &mut self,
        most: usize,
        parse: impl Fn(&[u8]) -> Result<Option<(usize, T)>, HttpError>,
    ) -> Result<T, HttpError> {
        let mut looked = 0;
        loop {
            let rest = self.rest();
            // Parsing again makes sense only when a line has ended: a head may come byte by byte.
            if rest[looked..].contains(&b'\n') || rest.len() > most {
                looked = rest.len();
                if let Some((size, head)) = parse(&rest[..looked.min(most)])? {
                    self.used += size;
                    return Ok(head);
                }
            }
            if looked > most {
                return Err(HttpError::LongHead(most));
            }
            self.need_more()?;
        }
    }

    /// Adds the next `size` bytes to `body`, which may not grow beyond `most`.
    fn exactly(&mut self, size: usize, most: usize, body: &mut Vec<u8>) -> Result<(), HttpError> {
        if size > most - body.len() {
            return Err(HttpError::LongBody(most));
        }
        let mut missing = size;
        loop {
            let piece = missing.min(self.rest().len());
            body.extend_from_slice(&self.rest()[..piece]);
            self.used += piece;
            missing -= piece;
            if missing == 0 {
                return Ok(());
            }
            self.need_more()?;
        }
    }

    /// The body of a message.
    fn body(&mut self, size: BodySize, limits: HttpLimits) -> Result<Vec<u8>, HttpError> {
        let mut body = Vec::new();
        match size {
            BodySize::Known(size) => self.exactly(size, limits.body, &mut body)?,
            BodySize::Chunks => self.chunks(limits, &mut body)?,
            BodySize::Unknown => self.until_the_end(limits.body, &mut body)?,
        }
        Ok(body)
    }

    /// A body in chunks. What may follow the last one (trailers) nobody here reads.
    fn chunks(&mut self, limits: HttpLimits, body: &mut Vec<u8>) -> Result<(), HttpError> {
        loop {
            let size = self.head(limits.head, |bytes| match httparse::parse_chunk_size(bytes) {
                Ok(Status::Complete((used, size))) => Ok(Some((used, size))),
                Ok(Status::Partial) => Ok(None),
                Err(_) => Err(malformed("the size of a chunk is not a number")),
            })?;
            if size == 0 {
                return Ok(());
            }
            self.exactly(usize::try_from(size).unwrap_or(usize::MAX), limits.body, body)?;
            // The end of its line.
            while self.rest().len() < 2 && !self.rest().starts_with(b"\n") {
                self.need_more()?;
            }
            self.used += match self.rest() {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                _ => return Err(malformed("a chunk is longer than it says")),
            };
        }
    }

    /// Everything that comes.
    fn until_the_end(&mut self, most: usize, body: &mut Vec<u8>) -> Result<(), HttpError> {
        loop {
            let rest = self.rest().len();
            self.exactly(rest, most, body)?;
            match self.more() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // Some programs leave in a hurry once they have said everything.
                Err(HttpError::Gone(_)) if !body.is_empty() => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: HttpLimits = HttpLimits { head: 200, body: 50 };

    /// Gives its bytes one at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let size = self.0.len().min(1).min(into.len());
            into[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn request(text: &str) -> Result<HttpRequest, HttpError> {
        let slowly = read_request(&mut Slowly(text.as_bytes()), SMALL, || Ok(()));
        let at_once = read_request(&mut text.as_bytes(), SMALL, || Ok(()));
        assert_eq!(format!("{slowly:?}"), format!("{at_once:?}"));
        at_once
    }

    #[test]
    fn the_message_is_the_body_of_a_post_in_any_case_and_any_line_ends() {
        let wrote = [
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nContent-type: text/acl\r\nContent-length: 8\r\n\r\n( INFO )more",
            "POST / HTTP/1.1\nhost: x\nCONTENT-LENGTH:   8 \n\n( INFO )",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n( I\r\n5;x=y\r\nNFO )\r\n0\r\n\r\n",
            "POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n( INFO )",
        ];
        for text in wrote {
            let heard = request(text).unwrap();
            assert_eq!(
                (heard.method, heard.text.as_str()),
                (Method::Post, "( INFO )"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_message_is_the_path_of_a_get() {
        for path in ["/%28+INFO%20%29", "/?%28%20INFO+%29", "(+INFO+)"] {
            let read = request(&format!("GET {path} HTTP/1.1\r\n\r\n")).unwrap();
            assert_eq!((read.method, read.text.as_str()), (Method::Get, "( INFO )"));
        }
        assert_eq!(from_path("/%zz%2"), "%zz%2");
    }

    #[test]
    fn whoever_waits_for_encouragement_is_told_to_go_on() {
        let mut told = 0;
        let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n";
        let mut source = head.as_bytes().chain(&b"( INFO )"[..]);
        let read = read_request(&mut source, SMALL, || {
            told += 1;
            Ok(())
        });
        assert_eq!((read.unwrap().text.as_str(), told), ("( INFO )", 1));
    }

    #[test]
    fn what_is_too_long_or_not_http_is_refused_with_its_status() {
        let long_head = format!("POST / HTTP/1.0\r\nX: {}\r\n\r\n", "x".repeat(300));
        let many = format!("POST / HTTP/1.0\r\n{}\r\n", "X: y\r\n".repeat(MOST_HEADERS + 1));
        let cases: [(&str, u16); 11] = [
            ("POST / HTTP/1.0\r\nContent-Length: 51\r\n\r\n", 413),
            ("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", 400),
            (
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nx",
                413,
            ),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
            ("POST / HTTP/1.0\r\n\r\n( INFO )", 411),
            ("BREW / HTTP/1.0\r\n\r\n", 405),
            ("( INFO )\r\n\r\n", 400),
            (&long_head, 431),
        ];
        for (text, status) in cases {
            let error = request(text).unwrap_err();
            assert_eq!(error.status(), Some(status), "{text}: {error}");
        }
        assert!(request(&many).unwrap_err().status() >= Some(400));
        assert_eq!(
            request("POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\nx")
                .unwrap_err()
                .status(),
            None
        );
    }

    #[test]
    fn an_answer_has_a_length_or_ends_with_the_connection() {
        for text in [
            "HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop",
            "HTTP/1.0 200 OK\n\nnoop",
            "HTTP/1.1 200\r\ntransfer-encoding: Chunked\r\n\r\n4\r\nnoop\r\n0\r\n\r\n",
        ] {
            let answer = read_answer(&mut text.as_bytes(), SMALL).unwrap();
            assert_eq!(answer, (200, "noop".into()), "{text}");
        }
        let endless = io::repeat(b'x');
        assert!(read_answer(&mut { endless }, SMALL).is_err());
        let mut endless = b"HTTP/1.0 200 OK\r\n\r\n".chain(io::repeat(b'x'));
        assert!(matches!(read_answer(&mut endless, SMALL), Err(HttpError::LongBody(50))));
    }
}
