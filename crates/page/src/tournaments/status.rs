//! What is told of a tournament: in a list, and as it stands.

use arena::plan::Plan;
use arena::report::TournamentResults;
use arena::standings::Standings;
use arena::store::Entry;
use arena::tournament::Pairs;
use games::describe::ToSchema;
use games::view::View;
use serde::Serialize;
use std::time::Instant;

/// A tournament in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Summary {
    /// Its number in the records.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// Who plays.
    pub players: Vec<String>,
    /// Pairs played.
    pub pairs: u64,
    /// Pairs that will be.
    pub total: Option<u64>,
    /// When it was started, UTC.
    pub started: String,
    /// How it is.
    pub state: TournamentState,
}

/// How a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = State)]
pub enum TournamentState {
    /// Being played by this server.
    Running,
    /// Not all of it is played.
    Stopped,
    /// All of it is.
    Finished,
}

/// A tournament as it stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TournamentStatus {
    #[serde(flatten)]
    pub(super) summary: Summary,
    /// Pairs of each two who meet.
    rounds: u64,
    /// Games played.
    games: u64,
    /// Games a second since it was started or taken up again.
    rate: f64,
    /// For how long.
    seconds: f64,
    /// The players, best first.
    standings: Vec<Standing>,
    /// Two and two.
    duels: Vec<Duel>,
    /// All results in the shape in which `terzo tournament --json` and `terzo records show --json` write them.
    #[schema(value_type = Object)]
    results: TournamentResults,
    /// The pairs being played.
    pub(super) running: Vec<Running>,
    /// Why it ended, if not by itself.
    pub(super) problem: Option<String>,
}

/// A player's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Standing)]
pub(super) struct Standing {
    number: usize,
    name: String,
    spec: String,
    /// The rating, its mean over the players being 0.
    elo: f64,
    /// Where its 95 % interval begins.
    low: f64,
    /// Where it ends.
    high: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    ms_per_turn: f64,
    forfeits: u64,
    /// The game's own points, its own less the others', in all games; null where the game counts none.
    difference: Option<i64>,
    /// Moves that came too late and were replaced, as the course's rules want it.
    late: u64,
    /// Moves that were not legal and were replaced.
    illegal: u64,
}

/// Two players against each other: the first's results.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Duel {
    first: usize,
    second: usize,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A game being played, as it stands.
#[derive(Serialize, ToSchema)]
pub struct WatchedGame {
    /// The number of its pair.
    pub pair: u64,
    /// Which game of the pair, from 1.
    pub game: u64,
    /// Who plays, as they sit.
    pub players: [String; 2],
    /// How many turns were made.
    pub turns: usize,
    /// The last of them, as people write it.
    pub last: Option<String>,
    /// What to draw.
    pub view: View,
}

/// A pair being played.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunningPair)]
pub(super) struct Running {
    pair: u64,
    players: [String; 2],
}

impl TournamentStatus {
    /// Whether more will come.
    pub fn is_running(&self) -> bool {
        self.summary.state == TournamentState::Running
    }
}

/// How many pairs a plan has.
pub(super) fn total(plan: &Plan) -> u64 {
    plan.pairs()
}

/// How a tournament is that nobody plays.
pub(super) fn ended(plan: &Plan, pairs: u64) -> TournamentState {
    match pairs >= total(plan) {
        true => TournamentState::Finished,
        false => TournamentState::Stopped,
    }
}

/// This server's part in a tournament.
#[derive(Clone, Copy)]
pub(super) struct Run {
    began: Option<Instant>,
    pub(super) pairs: u64,
}

impl Run {
    pub(super) fn new() -> Self {
        Run {
            began: Some(Instant::now()),
            pairs: 0,
        }
    }

    pub(super) fn over() -> Self {
        Run { began: None, pairs: 0 }
    }
}

/// A pair that is being played.
pub(super) fn running(pairs: &Pairs, pair: u64) -> Option<Running> {
    let players = pairs.players_of(pair)?;
    Some(Running {
        pair,
        players: players.map(|player| pairs.plan().players[player].name.clone()),
    })
}

pub(super) fn summary_of(entry: &Entry, total: Option<u64>, pairs: u64, state: TournamentState) -> Summary {
    Summary {
        id: entry.id,
        name: entry.name.clone(),
        game: entry.game.clone(),
        players: entry.players.iter().map(|(name, _)| name.clone()).collect(),
        pairs,
        total,
        started: entry.started.clone(),
        state,
    }
}

/// A tournament as it stands, from its records.
pub(super) fn status_of(
    entry: &Entry,
    plan: &Plan,
    standings: &Standings,
    run: Run,
    state: TournamentState,
    problem: Option<String>,
) -> TournamentStatus {
    let ratings = standings.ratings();
    let seconds = run.began.map_or(0.0, |began| began.elapsed().as_secs_f64());
    let place = |number: usize| {
        let (standing, rating) = (&standings.players[number], &ratings[number]);
        let score = standing.score();
        let turns = standing.turns as f64 / 2.0;
        Standing {
            number,
            name: plan.players[number].name.clone(),
            spec: plan.players[number].spec(),
            elo: rating.value,
            low: rating.low,
            high: rating.high,
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            ms_per_turn: if turns > 0.0 {
                1000.0 * standing.seconds() / turns
            } else {
                0.0
            },
            forfeits: standing.forfeits.iter().sum(),
            difference: (standing.points.games > 0).then(|| standing.points.difference()),
            late: standing.times.replaced.late,
            illegal: standing.times.replaced.illegal,
        }
    };
    let duel = |duel: &arena::standings::Duel| {
        let score = duel.score();
        Duel {
            first: duel.first,
            second: duel.second,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        }
    };
    TournamentStatus {
        summary: summary_of(entry, Some(total(plan)), standings.pairs, state),
        rounds: plan.rounds,
        games: standings.games(),
        rate: if seconds > 0.0 {
            2.0 * run.pairs as f64 / seconds
        } else {
            0.0
        },
        seconds,
        standings: standings.order().into_iter().map(place).collect(),
        duels: standings.duels.iter().map(duel).collect(),
        results: TournamentResults::new(entry.id, plan, standings),
        running: Vec::new(),
        problem,
    }
}
