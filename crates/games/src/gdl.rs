//! Games from rule sheets.

use crate::encoding::{self, Encoding};
use crate::playable::Playable;
use crate::random_games::{self, RandomGames};
use crate::view::{View, gdl as view};
use game::{Game, Rng, Until};
use gdl::{MachineKind, Move, Position};
use player::Roster;
use search::puzzle::{Theme, by_outcome, shape};
use search::{Solution, Unsolved, Watch};

/// What solving a puzzle may take: positions that need more are none.
const PUZZLE_MEMORY: usize = 2 << 20;

/// So many moves tell whether two puzzles are the same.
const SHAPE_DEPTH: u32 = 5;

/// Nine levels: the same but for how many random games are played.
macro_rules! levels {
    ($few:literal, $more:literal, $most:literal) => {
        [
            concat!("general:nodes=", $few, ",slip=70"),
            concat!("general:nodes=", $few, ",slip=50"),
            concat!("general:nodes=", $few, ",slip=35"),
            concat!("general:nodes=", $few, ",slip=22"),
            concat!("general:nodes=", $few, ",slip=12"),
            concat!("general:nodes=", $few, ",slip=5"),
            concat!("general:nodes=", $few),
            concat!("general:nodes=", $more),
            concat!("general:nodes=", $most),
        ]
    };
}

static QUICK: [&str; 9] = levels!(1000, 4000, 16000);
static MIDDLING: [&str; 9] = levels!(100, 400, 1600);
static SLOW: [&str; 9] = levels!(20, 80, 320);

impl Playable for Position {
    fn roster() -> Roster<Self> {
        gdl::players::roster()
    }

    /// The weaker ones make some of their moves without thinking. All count what they do: so the same games are played on any machine.
    /// A large rule sheet is slow, so there all play fewer random games: who chooses a level does not want to wait long for a move.
    fn levels(&self) -> &'static [&'static str] {
        let machine = self.machine();
        match (machine.kind(), machine.components()) {
            (MachineKind::Compiled, ..600) => &QUICK,
            (MachineKind::Compiled, ..3000) => &MIDDLING,
            _ => &SLOW,
        }
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

    /// Of two who move in turn; whether a position is small enough to be solved is seen when it is tried.
    fn puzzle_theme(&self) -> Option<Theme<Self>> {
        let turns = self.seats() == 2 && self.start().movers().len() < 2;
        turns.then_some(Theme {
            goal: by_outcome,
            values: Some(|position, stop| {
                let watch = Watch {
                    stop: stop.clone(),
                    ..Watch::default()
                };
                Ok(position.solve(PUZZLE_MEMORY, watch)?.moves)
            }),
            longest: 4,
            before_end: 1..=14,
            class: |position| shape(position, SHAPE_DEPTH),
        })
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
