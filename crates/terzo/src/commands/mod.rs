//! The subcommands, one a file.

mod analyse;
mod bench;
mod book;
mod games;
mod gdl;
mod match_;
mod perft;
mod players;
mod show;
mod solve;
mod stack4;
mod truth;

use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Play many games between two players, seats swapped in pairs
    Match(match_::Match),
    /// Count the sequences of moves from a position
    Perft(perft::Perft),
    /// Draw a position and say what it holds
    Show(show::Show),
    /// Find the exact value of a Quarto position
    Solve(solve::Solve),
    /// Judge every turn of a Quarto game by the exact truth
    Analyse(analyse::Analyse),
    /// Build or verify the opening book
    Book(book::BookCommand),
    /// Search fixed positions and print the total of nodes, the search's signature
    Bench(bench::Bench),
    /// Stack Four over TCP, as the course's programs play it
    Stack4(stack4::Stack4),
    /// Check and measure rule sheets of the Game Description Language
    Gdl(gdl::Gdl),
    /// List the games
    Games(games::Games),
    /// List the players and their options
    Players(players::Players),
}

impl Command {
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Match(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Solve(command) => command.run(),
            Command::Analyse(command) => command.run(),
            Command::Book(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Stack4(command) => command.run(),
            Command::Gdl(command) => command.run(),
            Command::Games(command) => command.run(),
            Command::Players(command) => command.run(),
        }
    }
}
