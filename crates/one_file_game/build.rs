//! Takes the code out of the page that teaches how to add a game.

use std::{env, fs, path::Path};

const PAGE: &str = "../../docs/add-a-game.md";

fn main() {
    println!("cargo::rerun-if-changed={PAGE}");
    let page = fs::read_to_string(PAGE).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
    let code = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let code = code.unwrap_or_else(|| panic!("{PAGE}: expected a block of Rust"));
    let out = env::var("OUT_DIR").expect("cargo names the folder");
    fs::write(Path::new(&out).join("game.rs"), code).expect("the folder can be written");
}
