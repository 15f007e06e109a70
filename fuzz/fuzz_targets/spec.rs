//! A player's spec that can be read reads back as it is printed, and every game can say what it thinks of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use players::{Spec, recipe};

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse().as_ref(), Ok(&spec));
    }
    let _ = recipe::<quarto::Position>(text).map_err(|error| error.to_string());
    let _ = recipe::<stack4::Position>(text).map_err(|error| error.to_string());
    let _ = recipe::<gdl::Position>(text).map_err(|error| error.to_string());
});
