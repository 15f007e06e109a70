//! The page with the game of docs/add-a-game.md, which has no stage of its own: for the tests in a browser.
//!
//! ```sh
//! cargo run -p page --example one_file_game -- --db /tmp/one.db
//! ```

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "../tests/api/common.rs"]
mod common;

use common::{Folder, Server};
use std::path::PathBuf;

fn main() {
    one_file_game::register();
    let folder = Folder::new();
    let mut arguments = std::env::args().skip_while(|argument| argument != "--db");
    let records = arguments.nth(1).map_or(folder.records(), PathBuf::from);
    let server = Server::start(&records);
    println!("http://{}\nCtrl-C ends it", server.address);
    loop {
        std::thread::park();
    }
}
