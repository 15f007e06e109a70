//! How a host calls the module: it asks for room, writes a question there, calls, and reads the answer where it is told.
//!
//! A question is a line of JSON. A file (a book) is its name, and its bytes after the line. `unsafe` is needed for one reason only: a function that the host
//! can find by its name must be exported under that name. No memory is touched here but two buffers of this instance, which has one thread.

#![allow(unsafe_code)]

use crate::Instance;
use std::cell::RefCell;

#[derive(Default)]
struct Desk {
    instance: Instance,
    question: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Makes room for a question of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.question.clear();
        desk.question.resize(length, 0);
        desk.question.as_mut_ptr()
    })
}

/// Answers the question that was written there, and says how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    DESK.with_borrow_mut(|desk| {
        let line = desk
            .question
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(desk.question.len());
        let (text, bytes) = desk.question.split_at(line);
        let answer = match std::str::from_utf8(text) {
            Ok(text) if !bytes.is_empty() => games::provide_file(text, &bytes[1..]).to_string(),
            Ok(text) => desk.instance.ask(text),
            Err(error) => desk.instance.ask(&error.to_string()),
        };
        desk.answer = answer.into_bytes();
        desk.answer.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    DESK.with_borrow(|desk| desk.answer.as_ptr())
}
