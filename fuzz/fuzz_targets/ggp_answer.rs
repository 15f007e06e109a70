//! Any bytes are an HTTP answer within the limits or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use link::ggp::http::{Limits, read_answer};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { head: 512, body: 256 };
    if let Ok((_, text)) = read_answer(&mut { bytes }, limits) {
        // A byte that is no text may become three.
        assert!(text.len() <= 3 * limits.body);
    }
});
