//! Any text is a rule sheet or has a report that can be shown.
#![no_main]

use gdl::Sheet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (sheet, report) = Sheet::read("fuzz.kif", text);
    let shown = report.render();
    assert_eq!(sheet.is_some(), report.counts().0 == 0, "{shown}");
});
