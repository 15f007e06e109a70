//! Every reader of untrusted input, as one function from bytes to nothing.
//!
//! Everything in the project that reads what others wrote (files, peers, people) is here as one function from bytes, a
//! [`Target`]. Any bytes must give an answer or an error: never a panic, never a hang, never an endless need for memory;
//! and what could be read must read back as it is written. The fuzzers under `fuzz/` run these functions for as long as
//! one likes; the tests of this crate run the same ones on the seeds, on every input that ever broke one, and on some
//! thousands of inputs made of those by a [`Mutator`].

mod api;
mod games;
mod mutator;
mod records;
mod sheets;
mod talk;

pub use mutator::Mutator;

/// A reader, and what it is called.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of its fuzzer and of its folders of inputs.
    pub name: &'static str,
    /// How many inputs a short run makes: as many as take it a second or two.
    pub short: u32,
    /// Reads some bytes; panics if they break something.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident $short:literal $path:path;)*) => {
        $($(#[$doc])* pub fn $name(bytes: &[u8]) {
            $path(bytes);
        })*

        /// All targets.
        pub const TARGETS: &[Target] = &[$(Target {
            name: stringify!($name),
            short: $short,
            run: $name,
        },)*];
    };
}

targets! {
    /// Positions, turns, records and puzzles of Quarto, in every variant.
    quarto 20_000 games::quarto;
    /// Positions, columns, games and state strings of Stack Four.
    stack4 20_000 games::stack4;
    /// Positions and moves of games from rule sheets.
    gdl_position 5_000 games::gdl_position;
    /// Specs of players, for every game.
    spec 20_000 games::spec;
    /// A book of openings.
    book 10_000 games::book;
    /// A table of all positions with so many pieces placed.
    table 500 games::table;
    /// Rule sheets, and what the checker says about them.
    kif 5_000 sheets::kif;
    /// Rule sheets as far as they can be played.
    gdl_play 1_000 sheets::play;
    /// Plans of tournaments and experiments.
    plan 5_000 records::plan;
    /// Rows of the records with anything in their columns.
    rows 500 records::rows;
    /// A file of records with anything in its bytes.
    database 500 records::database;
    /// A pair of games as a worker reports it.
    pair 1_000 records::pair;
    /// What a runner says to our engine.
    ugi_serve 2_000 talk::ugi_serve;
    /// What an engine says to our runner.
    ugi_engine 20_000 talk::ugi_engine;
    /// The course's messages, both ways.
    course 20_000 talk::course;
    /// HTTP requests and the general game playing messages in them.
    ggp_request 20_000 talk::ggp_request;
    /// HTTP answers.
    ggp_answer 20_000 talk::ggp_answer;
    /// What a manager says in the middle of a match.
    ggp_desk 300 talk::ggp_desk;
    /// The rules with which a manager starts a match.
    ggp_start 300 talk::ggp_start;
    /// Requests to the page.
    web_api 1_000 api::web_api;
    /// Keys pressed at the board in a terminal.
    terminal 1_000 api::terminal;
}

/// The text that some bytes are, if they are one.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}
