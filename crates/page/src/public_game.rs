//! A game as the API tells of it.

use games::describe::ToSchema;
use games::exact::TurnClass;
use games::view::View;
use games::{AnyGame, RecordedChoice};
use serde::Serialize;

/// A game.
#[derive(Clone, Serialize, ToSchema)]
pub struct GameInfo {
    /// The name that tables are made with.
    name: String,
    /// Which view to expect: its `kind`. `quarto`, `stack4`, `gdl`, or `plain` for every other game.
    #[schema(value_type = String)]
    family: &'static str,
    /// What people call it.
    title: String,
    /// One line for people.
    summary: String,
    /// The rules in a few sentences.
    rules: String,
    /// How many seats.
    seats: usize,
    /// What the seats are called.
    roles: Vec<String>,
    /// Whether exact values can be had.
    solvable: bool,
    /// Whether who completes a line loses.
    misere: bool,
    /// Who plays it, the weakest first.
    players: Vec<PlayerInfo>,
    /// The levels to choose an opponent by, as specs of players, the weakest first; none where nobody has measured any.
    #[schema(value_type = Vec<String>)]
    levels: &'static [&'static str],
    /// Whether there are puzzles of it.
    puzzles: bool,
}

/// A kind of player.
#[derive(Clone, Serialize, ToSchema)]
struct PlayerInfo {
    /// The name that begins its spec.
    name: &'static str,
    /// One line for people.
    summary: &'static str,
    /// What can be set.
    options: Vec<OptionInfo>,
}

/// An option of a player: `NAME:KEY=VALUE,…`.
#[derive(Clone, Serialize, ToSchema)]
struct OptionInfo {
    /// The key.
    key: &'static str,
    /// What is taken if it is not given.
    default: &'static str,
    /// What it does.
    help: &'static str,
}

impl GameInfo {
    /// What there is to say of a game.
    pub fn of(game: &dyn AnyGame) -> Self {
        GameInfo {
            name: game.name().into(),
            family: game.stage(),
            title: game.title(),
            summary: game.summary().into(),
            rules: game.rules_in_words(),
            seats: game.seats(),
            roles: game.roles(),
            solvable: game.is_solvable(),
            misere: game.is_misere(),
            players: game.players().into_iter().map(PlayerInfo::of).collect(),
            // Alone there is nobody to be better than.
            levels: if game.seats() > 1 { game.levels() } else { &[] },
            puzzles: game.has_puzzles(),
        }
    }
}

impl PlayerInfo {
    fn of(player: games::PlayerInfo) -> Self {
        let options = player.options.iter().map(|option| OptionInfo {
            key: option.key,
            default: option.default,
            help: option.help,
        });
        PlayerInfo {
            name: player.name,
            summary: player.summary,
            options: options.collect(),
        }
    }
}

/// A picture of a game: a position to draw.
#[derive(Serialize, ToSchema)]
pub struct Preview {
    /// The game's name.
    name: String,
    /// What to draw.
    view: View,
}

impl Preview {
    /// The picture of a game.
    pub fn of(game: &dyn AnyGame) -> Self {
        Preview {
            name: game.name().into(),
            view: game.preview(),
        }
    }
}

/// A position, and what can be done there.
#[derive(Serialize, ToSchema)]
#[schema(as = Opening)]
pub struct ExploredPosition {
    /// What to draw.
    pub view: View,
    /// What can be done, the best first; turns that symmetry makes equal are one branch. None once the game is over.
    pub branches: Vec<TurnClass>,
    /// What the recorded games of tournaments chose, a line for each branch.
    pub recorded: Vec<RecordedChoice>,
}
