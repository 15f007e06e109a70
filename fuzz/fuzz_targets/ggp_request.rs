//! Any bytes are an HTTP request or an error; any text is a GGP message or an error, and a message reads back as it is
//! written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use link::ggp::http::{Limits, read_request};
use link::ggp::message::{Message, one_line};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { head: 4096, body: 4096 };
    let read = read_request(&mut { bytes }, limits, || Ok(()));
    let text = match read {
        Ok(request) => request.text,
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let Ok(message) = Message::parse(&text) else { return };
    let again = Message::parse(&message.to_string());
    match (&message, &again) {
        // Clocks are whole seconds on the way out, and rules stay as they were but for the blanks around them.
        (Message::Start { id, rules, .. }, Ok(Message::Start { id: other, rules: same, .. })) => {
            assert_eq!((id, rules.trim()), (other, same.trim()));
            let _ = one_line(rules);
        }
        _ => assert_eq!(again.as_ref(), Ok(&message)),
    }
});
