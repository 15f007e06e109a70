//! A tournament's results as data: the one shape in which the command line and the page write them.

use crate::mistakes::Mistakes;
use crate::plan::Plan;
use crate::referee::VerdictKind;
use crate::standings::{Duel, Standing, Standings, WinDrawLoss};
use crate::stats::pairs::{Estimate, compare};
use crate::tally::{Points, Replacements, Times};
use crate::tournament::TournamentOutcome;
use serde::Serialize;
use std::collections::BTreeMap;

/// A tournament, played or being played.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentResults {
    /// Its number in the records.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// What all chance was drawn from.
    pub seed: u64,
    /// Pairs in the records.
    pub pairs: u64,
    /// Games in the records.
    pub games: u64,
    /// The players, in the order of the plan.
    pub players: Vec<PlayerResults>,
    /// Who met whom.
    pub duels: Vec<DuelResults>,
    /// What this run came to, if one has ended.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunResults>,
}

/// What one run of a tournament came to.
#[derive(Clone, Debug, Serialize)]
pub struct RunResults {
    /// Pairs that it played.
    pub played: u64,
    /// The first game that somebody lost by a fault of its own, in words.
    pub first_failure: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// What the sequential test said, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResults>,
}

/// What a sequential test said.
#[derive(Clone, Debug, Serialize)]
pub struct SprtResults {
    /// In a word.
    pub decision: String,
    /// The log-likelihood ratio where it decided.
    pub llr_at_stop: Option<f64>,
    /// The ratio of all pairs.
    pub llr: f64,
    /// Games that were forfeited: it counted them as losses.
    pub forfeits: u64,
}

/// A player's results.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerResults {
    /// Its name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// A point for a win, half of one for a draw.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The rating, its mean over the players being 0.
    pub elo: Interval,
    /// Its results on each seat.
    pub seats: [WinDrawLoss; 2],
    /// The games it lost by a fault, by kind.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// The game's own points; null where it counts none.
    pub game_points: Option<PointResults>,
    /// Moves that were not its own.
    pub replaced: ReplacedResults,
    /// Turns in its games, on average.
    pub turns_avg: f64,
    /// The seconds it thought.
    pub seconds: f64,
    /// The processor time of a program outside, in seconds; null for who is none.
    pub processor_seconds: Option<f64>,
    /// Its share of the seconds that all thought.
    pub time_share: f64,
    /// The time of placing, in milliseconds; of a game without two halves of a turn, of its turns.
    pub place_ms: TimeResults,
    /// The time of giving.
    pub give_ms: TimeResults,
    /// Mistakes against the truth, if they were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<MistakeResults>,
}

/// Two players against each other: the first's results.
#[derive(Clone, Debug, Serialize)]
pub struct DuelResults {
    /// Its name.
    pub first: String,
    /// The other's.
    pub second: String,
    /// Wins, draws and losses.
    pub score: WinDrawLoss,
    /// The same on each seat.
    pub seats: [WinDrawLoss; 2],
    /// Pairs by the half points made in them: 0, 1, 2, 3, 4.
    pub pairs: [u64; 5],
    /// How much better the first is.
    pub elo: Interval,
    /// The same in units of the spread of a pair.
    pub normalized_elo: Interval,
    /// How likely it is that the first is better.
    pub superiority: f64,
    /// Turns in all their games.
    pub turns: u64,
}

/// An estimate and its 95 % interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl From<&Estimate> for Interval {
    fn from(estimate: &Estimate) -> Self {
        Interval {
            value: estimate.value,
            low: estimate.low,
            high: estimate.high,
        }
    }
}

/// How long something took, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TimeResults {
    /// The mean.
    pub avg: f64,
    /// The most.
    pub max: f64,
}

impl From<&Times> for TimeResults {
    fn from(times: &Times) -> Self {
        TimeResults {
            avg: times.mean_ms(),
            max: times.most_ms(),
        }
    }
}

/// The game's own points.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PointResults {
    /// The player's.
    pub made: i64,
    /// The others'.
    pub allowed: i64,
    /// By how much it is ahead.
    pub difference: i64,
}

impl PointResults {
    /// The points of a player, if the game counts any.
    pub fn of(points: &Points) -> Option<Self> {
        (points.games > 0).then(|| PointResults {
            made: points.made,
            allowed: points.allowed,
            difference: points.difference(),
        })
    }
}

/// Moves that the rules of a course replaced.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReplacedResults {
    /// They came too late.
    pub late: u64,
    /// They were not legal.
    pub illegal: u64,
    /// Games in which the player died.
    pub died: u64,
}

impl ReplacedResults {
    /// The replaced moves of a player, and the games in which it died.
    pub fn of(replaced: &Replacements, died: u64) -> Self {
        ReplacedResults {
            late: replaced.late,
            illegal: replaced.illegal,
            died,
        }
    }
}

/// Mistakes against the truth.
#[derive(Clone, Debug, Serialize)]
pub struct MistakeResults {
    /// Games looked at.
    pub games: u64,
    /// Mistakes a game.
    pub per_game: f64,
    /// The share of the turns that could be judged.
    pub judged: f64,
    /// By how far the game was.
    pub phases: Vec<PhaseResults>,
}

/// Mistakes in one phase of the game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PhaseResults {
    /// How far the game was: in Quarto, pieces placed.
    pub placed: u32,
    /// Turns made then.
    pub turns: u64,
    /// Those that could be judged.
    pub judged: u64,
    /// Those that gave something away.
    pub mistakes: u64,
}

impl From<&Mistakes> for MistakeResults {
    fn from(mistakes: &Mistakes) -> Self {
        let phases = mistakes.phases.iter().map(|(&placed, counts)| PhaseResults {
            placed,
            turns: counts.turns,
            judged: counts.judged,
            mistakes: counts.mistakes,
        });
        MistakeResults {
            games: mistakes.games,
            per_game: mistakes.per_game(),
            judged: mistakes.judged(),
            phases: phases.collect(),
        }
    }
}

impl TournamentResults {
    /// What the records of a plan add up to.
    pub fn new(id: i64, plan: &Plan, standings: &Standings) -> Self {
        let (ratings, seconds) = (standings.ratings(), standings.seconds());
        let players = plan.players.iter().zip(&standings.players).zip(&ratings);
        TournamentResults {
            id,
            name: plan.name.clone(),
            game: plan.game.clone(),
            seed: plan.seed,
            pairs: standings.pairs,
            games: standings.games(),
            players: players
                .map(|((player, standing), elo)| {
                    PlayerResults::new(player.name.clone(), player.spec(), standing, elo, seconds)
                })
                .collect(),
            duels: standings
                .duels
                .iter()
                .map(|duel| DuelResults::new(plan, duel))
                .collect(),
            run: None,
        }
    }

    /// The same with what a run came to.
    pub fn after(mut self, outcome: &TournamentOutcome) -> Self {
        let forfeits = outcome.standings.forfeits();
        self.run = Some(RunResults {
            played: outcome.played,
            first_failure: outcome.failure.clone(),
            seconds: outcome.took.as_secs_f64(),
            sprt: outcome.drained.map(|llr| SprtResults {
                decision: outcome
                    .decided
                    .map_or("undecided".into(), |(_, decision)| decision.to_string()),
                llr_at_stop: outcome.decided.map(|(ratio, _)| ratio),
                llr,
                forfeits: forfeits.iter().map(|(_, count)| count).sum(),
            }),
        });
        self
    }

    /// The same with mistakes, player by player.
    pub fn with_mistakes(mut self, mistakes: &[Mistakes]) -> Self {
        for (player, found) in self.players.iter_mut().zip(mistakes) {
            player.mistakes = Some(found.into());
        }
        self
    }
}

impl PlayerResults {
    fn new(name: String, spec: String, standing: &Standing, elo: &Estimate, all_seconds: f64) -> Self {
        let total = standing.score();
        let forfeits = VerdictKind::ALL
            .into_iter()
            .map(|kind| (kind.word(), standing.forfeits[kind as usize]));
        let seconds = standing.seconds();
        PlayerResults {
            name,
            spec,
            points: total.points(),
            games: total.games(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            elo: elo.into(),
            seats: standing.seats,
            forfeits: forfeits.filter(|(_, count)| *count > 0).collect(),
            game_points: PointResults::of(&standing.points),
            replaced: ReplacedResults::of(&standing.times.replaced, standing.died()),
            turns_avg: standing.turns as f64 / total.games().max(1) as f64,
            seconds,
            processor_seconds: standing.processor_seconds(),
            time_share: if all_seconds > 0.0 { seconds / all_seconds } else { 0.0 },
            place_ms: (&standing.times.place).into(),
            give_ms: (&standing.times.give).into(),
            mistakes: None,
        }
    }
}

impl DuelResults {
    fn new(plan: &Plan, duel: &Duel) -> Self {
        let name = |player: usize| plan.players.get(player).map_or("?", |player| &player.name).to_string();
        let compared = compare(&duel.pairs);
        DuelResults {
            first: name(duel.first),
            second: name(duel.second),
            score: duel.score(),
            seats: duel.seats,
            pairs: duel.pairs,
            elo: (&compared.elo).into(),
            normalized_elo: (&compared.normalized).into(),
            superiority: compared.superiority,
            turns: duel.turns,
        }
    }
}
