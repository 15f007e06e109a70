//! A tournament's plan that can be read is the same tournament when it is written and read again.
#![no_main]

use arena::plan::Plan;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|text: &str| {
    let folder = Path::new("");
    if let Ok(plan) = Plan::from_toml(text, "fuzz.toml", folder) {
        let written = plan.to_toml();
        let again = Plan::from_toml(&written, "again.toml", folder);
        match again {
            Ok(again) => assert_eq!(again.to_toml(), written),
            Err(error) => panic!("{error}\n{written}"),
        }
    }
});
