//! Lines of text out of a stream that comes in pieces, and out of one that can be waited for.

use std::io::{self, BufRead, ErrorKind, Read};

/// A line longer than this is noise; what is over is dropped.
const LONGEST_LINE: usize = 64 * 1024;

/// What has come and was not read yet.
#[derive(Debug, Default)]
pub struct LineBuffer {
    pending: Vec<u8>,
    read_to: usize,
    /// The rest of the line that is coming is noise.
    skipping: bool,
}

impl LineBuffer {
    /// Adds what has come.
    pub fn add(&mut self, piece: &[u8]) {
        self.pending.extend_from_slice(piece);
    }

    /// How many bytes wait to be read.
    pub fn waiting(&self) -> usize {
        self.pending.len() - self.read_to
    }

    /// The beginning of a line that has not ended yet, and how many bytes of it there are.
    pub fn begun(&self) -> (String, usize) {
        let rest = &self.pending[self.read_to..];
        let rest = rest.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let shown = &rest[..rest.len().min(40)];
        (String::from_utf8_lossy(shown).into_owned(), rest.len())
    }

    /// The first line for which `read` has an answer, of those that are whole. Others are passed over, as are lines that
    /// are no text or too long.
    pub fn find<T>(&mut self, mut read: impl FnMut(&str) -> Option<T>) -> Option<T> {
        while let Some(length) = self.pending[self.read_to..].iter().position(|&byte| byte == b'\n') {
            let line = &self.pending[self.read_to..self.read_to + length];
            let found = match self.skipping || length > LONGEST_LINE {
                false => std::str::from_utf8(line).ok().and_then(|line| read(line.trim())),
                true => None,
            };
            self.skipping = false;
            self.read_to += length + 1;
            if found.is_some() {
                return found;
            }
        }
        self.pending.drain(..self.read_to);
        self.read_to = 0;
        if self.pending.len() > LONGEST_LINE {
            self.pending.clear();
            self.skipping = true;
        }
        None
    }
}

/// The lines of a reader, to its end or to the first that cannot be read: one that is no text, or has more than `most` bytes.
pub fn lines_within(mut input: impl BufRead, most: usize) -> impl Iterator<Item = io::Result<String>> {
    let wrong = |why: String| io::Error::new(ErrorKind::InvalidData, why);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        // One more for the end of the line.
        match (&mut input).take(most as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() > most {
            return Some(Err(wrong(format!("a line of more than {most} bytes"))));
        }
        Some(String::from_utf8(line).map_err(|_| wrong("a line that is no text".into())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: &mut LineBuffer) -> Vec<String> {
        std::iter::from_fn(|| lines.find(|line| Some(line.to_string()))).collect()
    }

    #[test]
    fn lines_are_the_same_in_whatever_pieces_they_come() {
        let text = b"one\n two \r\n\nthree\nfo";
        for size in 1..text.len() {
            let (mut lines, mut read) = (LineBuffer::default(), Vec::new());
            for piece in text.chunks(size) {
                lines.add(piece);
                read.extend(all(&mut lines));
            }
            assert_eq!(read, ["one", "two", "", "three"], "pieces of {size}");
            assert_eq!(lines.waiting(), 2);
        }
    }

    #[test]
    fn a_line_without_end_costs_no_memory_and_the_next_one_is_heard() {
        for size in [1 << 10, 1 << 14, 1 << 22] {
            let (mut lines, noise) = (LineBuffer::default(), vec![b'x'; size]);
            for _ in 0..(4 << 20) / size {
                lines.add(&noise);
                assert_eq!(all(&mut lines), [""; 0]);
                assert!(lines.waiting() <= LONGEST_LINE);
            }
            lines.add(b"\nreadyok\n");
            assert_eq!(all(&mut lines), ["readyok"]);
        }
    }

    #[test]
    fn a_reader_is_read_line_by_line_within_the_limit() {
        let read = |text: &[u8]| {
            let lines = lines_within(text, 4).take(3);
            lines
                .map(|line| line.map_err(|error| error.to_string()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            read(b"four\n\nend"),
            [Ok("four".into()), Ok(String::new()), Ok("end".into())]
        );
        assert_eq!(read(b""), []);
        assert_eq!(read(b"fives\n")[0], Err("a line of more than 4 bytes".into()));
        assert_eq!(read(b"\xff\n")[0], Err("a line that is no text".into()));
        let endless = io::repeat(b'x');
        assert!(
            lines_within(io::BufReader::new(endless), 1 << 20)
                .next()
                .unwrap()
                .is_err()
        );
    }

    #[test]
    fn a_line_that_is_no_text_is_passed_over() {
        let mut lines = LineBuffer::default();
        lines.add(b"\xff\xfe\nugiok\n");
        assert_eq!(all(&mut lines), ["ugiok"]);
    }
}
