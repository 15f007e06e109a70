//! The same questions as a module is asked, answered natively: a line of JSON each, from standard input. `e2e/library.test.js` compares.

use browser::Instance;
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut instance = Instance::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", instance.ask(&line?))?;
        out.flush()?;
    }
    Ok(())
}
