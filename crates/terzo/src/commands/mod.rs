//! The subcommands, one a file.

mod adjudicate;
mod analyse;
mod bench;
mod book;
mod class;
mod engine;
mod explore;
mod games;
mod gauntlet;
mod gdl;
mod ggp;
mod ladder;
mod limited;
mod line_journal;
mod match_;
mod match_score;
mod matches;
#[cfg(feature = "nats")]
mod on;
#[cfg(not(feature = "nats"))]
#[path = "on_here.rs"]
mod on;
mod perft;
mod play;
mod players;
mod puzzles;
mod records;
mod replay;
mod reproduce;
mod response;
mod show;
mod solve;
mod solve_journal;
mod solve_long;
mod solve_small;
mod solving;
mod stack4;
mod tournament;
mod truth;
mod ugi;

#[cfg(feature = "nats")]
mod worker;

use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Play, understand and watch in a browser
    Play(play::PlayArgs),
    /// Play many games between two players, seats swapped in pairs
    Match(match_::MatchArgs),
    /// Judge a player: many games against every opponent, with a rating by game
    Gauntlet(Box<gauntlet::GauntletArgs>),
    /// Measure the levels of games: each against the one below it
    Ladder(ladder::LadderArgs),
    /// Play a tournament: many players, every pair recorded, taken up again after any accident
    Tournament(Box<tournament::TournamentArgs>),
    /// Let a class of programs meet: all of them checked, limited and played, a folder of results for each
    Class(Box<class::ClassArgs>),
    /// Do some of the work of another machine's tournament, book or batch
    #[cfg(feature = "nats")]
    Worker(worker::WorkerArgs),
    /// List, show and export what was recorded
    Records(records::RecordsArgs),
    /// Play a recorded game again, turn by turn
    Replay(replay::ReplayArgs),
    /// Play the experiments of the student reports again and compare
    Reproduce(reproduce::ReproduceArgs),
    /// Try a program of yours as an engine
    Engine(engine::EngineArgs),
    /// Be an engine for other programs: the Universal Game Interface
    Ugi(ugi::UgiArgs),
    /// Count the sequences of moves from a position
    Perft(perft::PerftArgs),
    /// Draw a position and say what it holds
    Show(show::ShowArgs),
    /// Find the exact value of a position: of Quarto, or of a small game from a rule sheet
    Solve(solve::SolveArgs),
    /// Judge every turn of a Quarto game by the exact truth
    Analyse(analyse::AnalyseArgs),
    /// See what the turns of an opening are worth, symmetric ones counted as one
    Explore(explore::ExploreArgs),
    /// Find out the most that can be made of an opponent without risking the draw
    Response(response::ResponseArgs),
    /// Find puzzles with one right answer, or prove them
    Puzzles(puzzles::PuzzlesArgs),
    /// Build or verify the opening book
    Book(book::BookArgs),
    /// Search fixed positions and print the total of nodes, the search's signature
    Bench(bench::BenchArgs),
    /// Stack Four over TCP, as the course's programs play it
    Stack4(stack4::Stack4Args),
    /// Check and measure rule sheets of the Game Description Language
    Gdl(gdl::GdlArgs),
    /// Any game over HTTP, as general game players play it: be a player, or referee some
    Ggp(ggp::GgpArgs),
    /// List the games
    Games(games::GamesArgs),
    /// List the players and their options
    Players(players::PlayersArgs),
}

impl Command {
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Play(command) => command.run(),
            Command::Match(command) => command.run(),
            Command::Gauntlet(command) => command.run(),
            Command::Ladder(command) => command.run(),
            Command::Tournament(command) => command.run(),
            Command::Class(command) => command.run(),
            #[cfg(feature = "nats")]
            Command::Worker(command) => command.run(),
            Command::Records(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::Engine(command) => command.run(),
            Command::Ugi(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Solve(command) => command.run(),
            Command::Analyse(command) => command.run(),
            Command::Explore(command) => command.run(),
            Command::Response(command) => command.run(),
            Command::Puzzles(command) => command.run(),
            Command::Book(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Stack4(command) => command.run(),
            Command::Gdl(command) => command.run(),
            Command::Ggp(command) => command.run(),
            Command::Games(command) => command.run(),
            Command::Players(command) => command.run(),
        }
    }
}
