//! Any 876 bytes are a board or an error, any 16 an answer; both are written as they were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use link::course::{ANSWER_BYTES, Answer, REQUEST_BYTES, Request};
use stack4::Position;

fuzz_target!(|bytes: &[u8]| {
    if let Some(head) = bytes.first_chunk::<ANSWER_BYTES>() {
        let answer = Answer::decode(head);
        assert_eq!(answer.encode(), *head);
        let _ = answer.column();
    }
    let mut board = [0; REQUEST_BYTES];
    let length = bytes.len().min(REQUEST_BYTES);
    board[..length].copy_from_slice(&bytes[..length]);
    if let Ok(request) = Request::decode(&board) {
        let again = Request::decode(&request.encode());
        assert_eq!(again.ok().as_ref(), Some(&request));
        let _ = Position::from_stones(request.stones, [0, 0]);
    }
});
