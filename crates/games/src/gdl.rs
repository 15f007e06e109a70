//! Games from rule sheets.

use crate::encoding::{self, Encoding};
use crate::playable::Playable;
use crate::random_games::{self, RandomGames};
use crate::view::{View, gdl as view};
use game::{Game, Rng, Until};
use gdl::{Move, Position};
use player::Roster;
use search::{Solution, Unsolved, Watch};

impl Playable for Position {
    fn roster() -> Roster<Self> {
        gdl::players::roster()
    }

    /// The weaker ones make some of their moves without thinking. All count what they do: so the same games are played on any machine.
    fn levels() -> &'static [&'static str] {
        &[
            "general:nodes=4000,slip=70",
            "general:nodes=4000,slip=50",
            "general:nodes=4000,slip=35",
            "general:nodes=4000,slip=22",
            "general:nodes=4000,slip=12",
            "general:nodes=4000,slip=5",
            "general:nodes=4000",
            "general:nodes=32000",
            "general:nodes=200000",
        ]
    }

    fn stage() -> &'static str {
        "gdl"
    }

    fn drawing(&self, _: bool) -> String {
        let machine = self.machine();
        let mut text = String::new();
        for fact in machine.facts(self.state()) {
            text += &fact;
            text.push('\n');
        }
        text
    }

    fn view(history: &[Self]) -> View {
        match view::look(history) {
            Some(view) => View::Gdl(view),
            None => View::default(),
        }
    }

    fn preview(&self) -> View {
        match view::look(&view::sample(self)) {
            // Nobody plays in a picture.
            Some(mut view) => {
                view.legal.clear();
                view.facts.clear();
                view.boards.iter_mut().for_each(|board| {
                    board.moves.clear();
                    board.palette.clear();
                });
                View::Gdl(view)
            }
            None => View::default(),
        }
    }

    fn title(&self) -> Option<String> {
        self.machine().hints().name.clone()
    }

    fn rules_in_words(&self) -> Option<String> {
        self.machine().hints().rules.clone()
    }

    fn move_for_people(&self, mv: Move) -> String {
        view::notation::write(self, mv)
    }

    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        let roles = self.machine().roles();
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        vec![
            ("roles", roles.iter().map(|role| role.to_string()).collect()),
            (
                "asked",
                self.asked().map(|seat| roles[seat.index()].to_string()).collect(),
            ),
            ("moves", moves.iter().map(|&mv| self.print_move(mv)).collect()),
        ]
    }

    fn solve(&self, memory: usize, watch: Watch) -> Result<Solution<Move>, Unsolved> {
        gdl::Solver::new(self, memory, watch)?.solve(self)
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        encoding::gdl::encoding(self)
    }

    /// Many games at once where the rules are compiled. Games begin at the public state, as if nobody had chosen there.
    fn random_games(positions: &[&Self], each: u64, until: &Until, rng: &mut Rng) -> Vec<RandomGames> {
        let Some(first) = positions.first() else {
            return Vec::new();
        };
        let states: Vec<_> = positions.iter().map(|position| position.state()).collect();
        // A finished game is not played on, and a state at which somebody has chosen is not the whole position.
        let plain = |position: &&Self| position.outcome().is_none() && position.chosen().is_empty();
        let sampled = match positions.iter().all(plain) {
            true => first.machine().sample(&states, each, until, rng).ok(),
            false => None,
        };
        let Some(samples) = sampled else {
            return random_games::one_by_one(positions, each, until, rng);
        };
        let count = |at: usize| {
            let games = samples.games(at);
            let points = |role| {
                samples
                    .mean(at, role)
                    .map_or(0, |mean| (mean * games as f64).round() as u64)
            };
            RandomGames {
                games,
                points: (0..first.seats()).map(points).collect(),
            }
        };
        (0..positions.len()).map(count).collect()
    }

    fn is_slow() -> bool {
        true
    }
}
