//! How a host calls the module: it asks for room, writes a question there, calls, and reads the answer where it is told.
//!
//! A question is a line of JSON. A file (a book) is its name, and its bytes after the line. `unsafe` is needed for one reason only: a function that the host
//! can find by its name must be exported under that name. No memory is touched here but two buffers of this instance, which has one thread.

#![allow(unsafe_code)]

use crate::Instance;
use std::cell::RefCell;

#[derive(Default)]
struct Mailbox {
    instance: Instance,
    question: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static MAILBOX: RefCell<Mailbox> = RefCell::default();
}

/// Makes room for a question of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    MAILBOX.with_borrow_mut(|mailbox| {
        mailbox.question.clear();
        mailbox.question.resize(length, 0);
        mailbox.question.as_mut_ptr()
    })
}

/// Answers the question that was written there, and says how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    MAILBOX.with_borrow_mut(|mailbox| {
        let line = mailbox
            .question
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(mailbox.question.len());
        let (text, bytes) = mailbox.question.split_at(line);
        let answer = match std::str::from_utf8(text) {
            Ok(text) if !bytes.is_empty() => games::provide_file(text, &bytes[1..]).to_string(),
            Ok(text) => mailbox.instance.ask(text),
            Err(error) => mailbox.instance.ask(&error.to_string()),
        };
        mailbox.answer = answer.into_bytes();
        mailbox.answer.len()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    MAILBOX.with_borrow(|mailbox| mailbox.answer.as_ptr())
}
