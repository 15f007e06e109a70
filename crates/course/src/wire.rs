//! The messages as bytes.

use super::CourseError;
use game::{Seat, Stop};
use stack4::geometry::{LAYERS, SIDE};
use stack4::{Cells, Column, Position};
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Cells of a board on the wire, missing ones too.
pub const CELLS: usize = LAYERS * SIDE * SIDE;
/// Bytes of a [`MoveRequest`].
pub const REQUEST_BYTES: usize = 4 * (CELLS + 3);
/// Bytes of an [`MoveAnswer`].
pub const ANSWER_BYTES: usize = 16;

/// What the server asks: a move for this board, or to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRequest {
    /// 0 to stop, 1 to play.
    pub code: i32,
    /// The package number that the answer must repeat.
    pub package: i32,
    /// The stones of Black and White.
    pub stones: [Cells; 2],
    /// Whom the program plays for.
    pub seat: Seat,
}

/// What the program answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveAnswer {
    /// Always 1.
    pub code: i32,
    /// The package number of the request.
    pub package: i32,
    /// The row of the column it plays.
    pub row: i32,
    /// The column digit of the column it plays.
    pub col: i32,
}

impl MoveRequest {
    /// Asks for a move, or with code 0 to stop.
    pub fn new(code: i32, package: i32, position: &Position, seat: Seat) -> Self {
        MoveRequest {
            code,
            package,
            stones: [Seat::FIRST, Seat::SECOND].map(|seat| position.stones(seat)),
            seat,
        }
    }

    /// As bytes.
    pub fn encode(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        let mut words = bytes.chunks_exact_mut(4);
        let mut push = |word: i32| {
            if let Some(place) = words.next() {
                place.copy_from_slice(&word.to_le_bytes());
            }
        };
        push(self.code);
        push(self.package);
        for (layer, row, col) in every_cell() {
            push(match Column::at(row, col).map(|column| column.cell(layer)) {
                None => -1,
                Some(cell) if self.stones[0].has(cell) => 1,
                Some(cell) if self.stones[1].has(cell) => 2,
                Some(_) => 0,
            });
        }
        push(i32::from(self.seat == Seat::FIRST));
        bytes
    }

    /// From bytes; what a server may get wrong is said by name.
    pub fn decode(bytes: &[u8; REQUEST_BYTES]) -> Result<Self, CourseError> {
        let word = |at: usize| i32_at(bytes, at);
        let mut stones = [Cells::EMPTY; 2];
        for (at, (layer, row, col)) in every_cell().enumerate() {
            match (word(2 + at), Column::at(row, col)) {
                // Some servers send missing cells as empty.
                (-1 | 0, None) | (0, Some(_)) => {}
                (1, Some(column)) => stones[0] = stones[0].with(column.cell(layer)),
                (2, Some(column)) => stones[1] = stones[1].with(column.cell(layer)),
                (number, _) => {
                    return Err(CourseError::protocol(format!(
                        "cell {row}{col} of layer {layer} is {number}"
                    )));
                }
            }
        }
        let seat = match word(2 + CELLS) {
            1 => Seat::FIRST,
            0 => Seat::SECOND,
            other => return Err(CourseError::protocol(format!("the colour is {other}, neither 1 nor 0"))),
        };
        Ok(MoveRequest {
            code: word(0),
            package: word(1),
            stones,
            seat,
        })
    }
}

impl MoveAnswer {
    /// Plays a column.
    pub fn new(package: i32, column: Column) -> Self {
        MoveAnswer {
            code: 1,
            package,
            row: column.row() as i32,
            col: column.col() as i32,
        }
    }

    /// As bytes.
    pub fn encode(&self) -> [u8; ANSWER_BYTES] {
        let mut bytes = [0; ANSWER_BYTES];
        for (place, word) in bytes
            .chunks_exact_mut(4)
            .zip([self.code, self.package, self.row, self.col])
        {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// From bytes. Any bytes are an answer; whether it is a good one is for the referee.
    pub fn decode(bytes: &[u8; ANSWER_BYTES]) -> Self {
        let word = |at: usize| i32_at(bytes, at);
        MoveAnswer {
            code: word(0),
            package: word(1),
            row: word(2),
            col: word(3),
        }
    }

    /// The column it names, if there is one there.
    pub fn column(&self) -> Option<Column> {
        Column::at(self.row.try_into().ok()?, self.col.try_into().ok()?)
    }
}

/// Word number `at` of a message.
pub(super) fn i32_at(bytes: &[u8], at: usize) -> i32 {
    let mut word = [0; 4];
    if let Some(from) = bytes.get(4 * at..4 * at + 4) {
        word.copy_from_slice(from);
    }
    i32::from_le_bytes(word)
}

fn every_cell() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..CELLS).map(|at| (at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE))
}

/// How a read of a whole message ended.
#[derive(Debug)]
pub(super) enum Arrival {
    /// It is there.
    Whole,
    /// The time was up; what came so far is kept for the next read.
    Late,
    /// The other side closed the connection or it broke.
    Gone(io::Error),
}

/// How often somebody who waits for a message looks up.
const LOOK_UP: Duration = Duration::from_millis(20);

/// Reads fixed-size messages that may come in pieces.
pub(super) struct Reader {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Reader {
    pub(super) fn new(stream: TcpStream) -> Self {
        Reader {
            stream,
            buffer: Vec::with_capacity(REQUEST_BYTES),
        }
    }

    /// Waits until the first `size` bytes of the next message are there, but not beyond the deadline.
    pub(super) fn fill(&mut self, size: usize, deadline: Instant) -> Arrival {
        self.fill_unless(&Stop::never(), size, deadline)
    }

    /// The same, and no longer than until the sign is raised.
    pub(super) fn fill_unless(&mut self, stop: &Stop, size: usize, deadline: Instant) -> Arrival {
        while self.buffer.len() < size {
            let mut left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || stop.is_raised() {
                return Arrival::Late;
            }
            if stop.can_be_raised() {
                left = left.min(LOOK_UP);
            }
            // The system rounds to its own ticks; less than a millisecond may become no limit at all.
            if let Err(error) = self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1)))) {
                return Arrival::Gone(error);
            }
            let mut piece = [0; REQUEST_BYTES];
            let most = (size - self.buffer.len()).min(piece.len());
            match self.stream.read(&mut piece[..most]) {
                Ok(0) => return Arrival::Gone(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.buffer.extend_from_slice(&piece[..count]),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Arrival::Gone(error),
            }
        }
        Arrival::Whole
    }

    /// The bytes that came.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Takes the message out, if it is as long as expected.
    pub(super) fn take<const SIZE: usize>(&mut self) -> Option<[u8; SIZE]> {
        let message = self.buffer.get(..SIZE)?.try_into().ok()?;
        self.buffer.drain(..SIZE);
        Some(message)
    }
}

/// Timeouts and signals: look at the clock and try again.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_876_bytes_and_round_trips() {
        let position = stack4::replay("22 33 22").unwrap();
        let request = MoveRequest::new(1, 7, &position, Seat::SECOND);
        let bytes = request.encode();
        assert_eq!(bytes.len(), 876);
        assert_eq!(MoveRequest::decode(&bytes).unwrap(), request);
        // Code, package, then layer 0: cell 00 is missing, 22 is black, 33 white; 22 again on layer 1.
        assert_eq!((i32_at(&bytes, 0), i32_at(&bytes, 1), i32_at(&bytes, 2)), (1, 7, -1));
        assert_eq!(
            (
                i32_at(&bytes, 2 + 14),
                i32_at(&bytes, 2 + 21),
                i32_at(&bytes, 2 + 36 + 14)
            ),
            (1, 2, 1)
        );
        assert_eq!(i32_at(&bytes, 218), 0);
    }

    #[test]
    fn a_request_with_a_wrong_cell_or_colour_is_refused() {
        let bytes = MoveRequest::new(1, 7, &Position::new(), Seat::FIRST).encode();
        for (at, number) in [(2, 1), (2 + 14, 3), (2 + 14, -1), (218, 2)] {
            let mut broken = bytes;
            broken[4 * at..4 * at + 4].copy_from_slice(&i32::to_le_bytes(number));
            assert!(MoveRequest::decode(&broken).is_err(), "word {at} is {number}");
        }
    }

    #[test]
    fn an_answer_is_16_bytes_and_round_trips() {
        let column = "34".parse().unwrap();
        let answer = MoveAnswer::new(9, column);
        assert_eq!(answer.encode(), [1, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
        assert_eq!(MoveAnswer::decode(&answer.encode()), answer);
        assert_eq!(answer.column(), Some(column));
        assert_eq!(MoveAnswer { row: -1, ..answer }.column(), None);
        assert_eq!(
            MoveAnswer {
                row: 0,
                col: 0,
                ..answer
            }
            .column(),
            None
        );
    }
}
