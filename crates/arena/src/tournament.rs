//! A tournament: pairs of games on all cores, written down as they end, taken up again where they were.
//!
//! Pairs are numbered round by round through the meetings; a pair is a function of the tournament's seed and its number.
//! So whatever is missing in the records can be played in any order, by any number of threads, after any accident.
//!
//! A [queue](crate::queue) has them played, here or elsewhere; one writer puts what comes back into the records. A pair that
//! took long is written in a transaction of its own as soon as it ends. Where thousands of pairs end in a second, those that
//! ended within a moment share a transaction: each of them is wholly in the records or not at all, and those that were not
//! are played again. A pair that comes back twice is counted once.

use crate::contest::{ContestError, Control};
use crate::identity::{Identity, Recorded};
use crate::pair::{self, Openings};
use crate::plan::Plan;
use crate::queue::{Halt, Order, Queue, QueueError, Unit, Work};
use crate::record::PairRecord;
use crate::standings::Standings;
use crate::stats::sprt::Decision;
use crate::store::{Store, StoreError};
use game::{Game, Stop, mix};
use players::{Player, Recipe};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How a tournament's pairs are called among other work.
pub const KIND: &str = "pairs";

/// A tournament's result.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its number in the records.
    pub id: i64,
    /// What all its pairs add up to, those of earlier runs included.
    pub standings: Standings,
    /// Pairs that this run played.
    pub played: u64,
    /// The log-likelihood ratio where the test decided, and its decision.
    pub decided: Option<(f64, Decision)>,
    /// The ratio of all pairs, those included that ended after the decision.
    pub drained: Option<f64>,
    /// The first game of this run that somebody lost by a fault of its own, in words.
    pub failure: Option<String>,
    /// How long this run took.
    pub took: Duration,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The records.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Who was to play them.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

/// What to look at while it runs.
pub struct Progress<'a> {
    /// What is in the records.
    pub standings: &'a Standings,
    /// Pairs that will be.
    pub total: u64,
    /// Pairs that this run played.
    pub played: u64,
    /// The test's ratio so far.
    pub ratio: Option<f64>,
    /// The first game of this run that somebody lost by a fault of its own, in words.
    pub failure: Option<&'a str>,
}

/// All that can be played of a plan: any of its pairs, by number.
pub struct Pairs<G: Game> {
    start: G,
    plan: Plan,
    meetings: Vec<(usize, usize)>,
    recipes: Vec<Recipe<G>>,
    openings: Openings<G>,
    identity: Identity,
}

impl<G: Game> Pairs<G> {
    /// The pairs of a plan, a recipe for each of its players.
    pub fn new(start: G, plan: Plan, recipes: Vec<Recipe<G>>, openings: Openings<G>) -> Result<Self, ContestError> {
        if start.seats() != 2 {
            return Err(ContestError::Seats(start.seats()));
        }
        if recipes.len() != plan.players.len() {
            return Err(ContestError::Players {
                seats: plan.players.len(),
                players: recipes.len(),
            });
        }
        let mut identity = Identity::default();
        for (player, recipe) in plan.players.iter().zip(&recipes) {
            for (what, value) in &recipe.identity {
                identity.add(&format!("{}: {what}", player.name), value);
            }
        }
        Ok(Pairs {
            meetings: plan.meetings(),
            start,
            plan,
            recipes,
            openings,
            identity,
        })
    }

    /// The same, where something else decides which games are played: the rules in a file, say.
    pub fn with(mut self, what: &str, value: &str) -> Self {
        self.identity.add(what, value);
        self
    }

    /// Which programs play, and whatever else decides which games are played.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What makes it this tournament: the plan, and which programs play.
    pub fn key(&self) -> String {
        self.identity.key(&self.plan.key())
    }

    /// What the records know of it.
    pub fn recorded(&self, store: &Store) -> Result<Recorded, StoreError> {
        store.recorded(&self.plan.key(), &self.identity)
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many pairs there are.
    fn total(&self) -> u64 {
        self.plan.rounds * self.meetings.len() as u64
    }

    /// Who meets in a pair, in which round, and what all its chance is drawn from.
    fn pairing(&self, number: u64) -> Pairing {
        let meetings = self.meetings.len() as u64;
        let (round, meeting) = (number / meetings, (number % meetings) as usize);
        let (first, second) = self.meetings[meeting];
        let seed = mix(self.plan.seed, &[meeting as u64, round]);
        Pairing {
            first,
            second,
            round,
            seed,
        }
    }

    /// Whether a pair is one of these: what comes from elsewhere may be anything.
    fn holds(&self, pair: &PairRecord) -> bool {
        let claimed = Pairing {
            first: pair.first,
            second: pair.second,
            round: pair.round,
            seed: pair.seed,
        };
        pair.number < self.total() && self.pairing(pair.number) == claimed
    }
}

/// What a pair's number stands for.
#[derive(PartialEq)]
struct Pairing {
    first: usize,
    second: usize,
    round: u64,
    seed: u64,
}

/// A plan for those who play some of its pairs elsewhere: files that it names may not be there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// The plan as TOML.
    pub plan: String,
    /// The positions to begin from, if the plan names a file of them.
    pub positions: Option<Vec<String>>,
    /// Which programs play: files and digests, or versions.
    #[serde(default)]
    pub identity: Vec<(String, String)>,
}

/// The players of one side, by number, made when first needed.
type Side<G> = Vec<Option<Box<dyn Player<G>>>>;

/// What a thread keeps: a player for each side, because a player may well meet itself.
pub struct Hands<G: Game> {
    stop: Stop,
    sides: [Side<G>; 2],
    buffer: Vec<G::Move>,
}

impl<G: Game> Work for Pairs<G> {
    type Done = PairRecord;
    type Hands = Hands<G>;

    fn order(&self) -> Order {
        let brief = Brief {
            plan: self.plan.to_toml(),
            positions: match &self.openings {
                Openings::Positions(positions) => Some(positions.iter().map(Game::print).collect()),
                Openings::Plies(_) => None,
            },
            identity: self.identity.parts().to_vec(),
        };
        Order {
            kind: KIND.into(),
            // Texts and lists of texts: nothing that could not be written.
            text: serde_json::to_string(&brief).unwrap_or_default(),
        }
    }

    fn hands(&self, stop: &Stop) -> Hands<G> {
        Hands {
            stop: stop.clone(),
            sides: [(); 2].map(|()| self.recipes.iter().map(|_| None).collect()),
            buffer: Vec::new(),
        }
    }

    fn work(&self, unit: &Unit, hands: &mut Hands<G>) -> Result<PairRecord, Halt> {
        let Pairing {
            first,
            second,
            round,
            seed,
        } = self.pairing(unit.number);
        let opening = self
            .openings
            .of_round(&self.start, self.plan.seed, round, &mut hands.buffer);
        let [one, other] = &mut hands.sides;
        let made = |player: usize| {
            let mut player = self.recipes[player].make();
            player.heed(&hands.stop);
            player
        };
        let one = one[first].get_or_insert_with(|| made(first));
        let other = other[second].get_or_insert_with(|| made(second));
        let games = pair::play(
            &opening,
            [one.as_mut(), other.as_mut()],
            seed,
            &self.plan.terms,
            &hands.stop,
        )
        .ok_or(Halt::Stopped)?;
        Ok(PairRecord {
            number: unit.number,
            first,
            second,
            round,
            seed,
            start: opening.start,
            opening: opening.turns,
            games,
        })
    }
}

/// Has played what is missing of a tournament. `watch` is called whenever something was written, and now and then besides.
pub fn run<G: Game>(
    pairs: &Arc<Pairs<G>>,
    queue: &mut dyn Queue<Pairs<G>>,
    store: &mut Store,
    control: &Control,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, TournamentError> {
    let began = Instant::now();
    let plan = &pairs.plan;
    let players: Vec<(String, String)> = plan.players.iter().map(|p| (p.name.clone(), p.spec())).collect();
    let id = store.tournament(&pairs.key(), &plan.name, &plan.game, &plan.to_toml(), &players)?;
    let _claim = store.claim(id)?;

    let mut desk = Desk {
        pairs,
        store,
        id,
        standings: Standings::new(plan.players.len(), &pairs.meetings),
        done: Done::default(),
        played: 0,
        decided: None,
        failure: None,
        failed: None,
        control,
    };
    desk.read_all()?;
    desk.test();
    let before = desk.done.clone();
    let mut open = (0..pairs.total())
        .filter(|&number| !before.has(number))
        .map(Unit::of_number);
    let ended = queue.run(pairs, &mut open, control, &mut |results| desk.fold(results, watch));
    if let Some(error) = desk.failed {
        return Err(error.into());
    }
    ended?;
    let drained = plan.sprt.map(|sprt| sprt.ratio(&desk.standings.duels[0].pairs));
    if let Some((ratio, decision)) = desk.decided {
        desk.store
            .note_stop(id, &format!("sprt: {decision} at LLR {ratio:.2}"))?;
    }
    Ok(Outcome {
        id,
        played: desk.played,
        decided: desk.decided,
        failure: desk.failure,
        drained,
        standings: desk.standings,
        took: began.elapsed(),
    })
}

/// Where the records are kept.
struct Desk<'a, G: Game> {
    pairs: &'a Pairs<G>,
    store: &'a mut Store,
    id: i64,
    standings: Standings,
    /// Which pairs are in the records.
    done: Done,
    played: u64,
    decided: Option<(f64, Decision)>,
    failure: Option<String>,
    failed: Option<StoreError>,
    control: &'a Control,
}

impl<G: Game> Desk<'_, G> {
    /// Counts what is in the records already.
    fn read_all(&mut self) -> Result<(), StoreError> {
        let Desk {
            pairs,
            store,
            standings,
            done,
            ..
        } = self;
        store.each_pair(self.id, |pair| {
            if pairs.holds(&pair) {
                done.note(pair.number);
                standings.count(&pair);
            }
        })
    }

    /// Writes what came back and counts it, each pair once.
    fn fold(&mut self, results: Vec<(u64, PairRecord)>, watch: &mut dyn FnMut(&Progress)) -> ControlFlow<()> {
        let fresh: Vec<PairRecord> = results
            .into_iter()
            .map(|(_, pair)| pair)
            .filter(|pair| self.pairs.holds(pair) && self.done.note(pair.number))
            .collect();
        if !fresh.is_empty()
            && let Err(error) = self.store.add(self.id, &fresh)
        {
            // If the records failed, nobody needs to play on.
            self.control.stop.raise();
            self.failed = Some(error);
            return ControlFlow::Break(());
        }
        for pair in &fresh {
            self.standings.count(pair);
            self.failure = self.failure.take().or_else(|| self.failure_in(pair));
            self.played += 1;
            self.control.played.fetch_add(2, Ordering::Relaxed);
            self.test();
        }
        watch(&Progress {
            standings: &self.standings,
            total: self.pairs.total(),
            played: self.played,
            ratio: self
                .pairs
                .plan
                .sprt
                .map(|sprt| sprt.ratio(&self.standings.duels[0].pairs)),
            failure: self.failure.as_deref(),
        });
        ControlFlow::Continue(())
    }

    /// What went wrong in a pair, if somebody lost a game of it by a fault of its own.
    fn failure_in(&self, pair: &PairRecord) -> Option<String> {
        let game = pair.games.iter().position(|game| game.kind.is_forfeit())?;
        let record = &pair.games[game];
        // The seats are swapped in the second game.
        let loser = match (record.winner?.other().index() + game) % 2 {
            0 => pair.first,
            _ => pair.second,
        };
        let name = &self.pairs.plan.players.get(loser)?.name;
        Some(format!(
            "pair {}, game {}: {name}: {}",
            pair.number,
            game + 1,
            record.detail
        ))
    }

    /// Ends the tournament where the test decides. What is running is played out and counted.
    fn test(&mut self) {
        let Some(sprt) = self.pairs.plan.sprt.filter(|_| self.decided.is_none()) else {
            return;
        };
        let ratio = sprt.ratio(&self.standings.duels[0].pairs);
        let decision = sprt.decide(ratio);
        if decision != Decision::Continue {
            self.decided = Some((ratio, decision));
            self.control.enough.raise();
        }
    }
}

/// A set of numbers, a bit each. Pairs are begun in their order, so it is dense; but a number from a damaged file, or from a
/// worker that is none, costs no more than any other.
#[derive(Clone, Debug, Default)]
struct Done(HashMap<u64, u64>);

impl Done {
    fn has(&self, number: u64) -> bool {
        self.0
            .get(&(number / 64))
            .is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }

    /// Notes a number; says whether it was not there before.
    fn note(&mut self, number: u64) -> bool {
        let bits = self.0.entry(number / 64).or_default();
        let before = *bits;
        *bits |= 1 << (number % 64);
        before != *bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Entrant, Format, OpeningPlan};
    use crate::queue::Local;
    use crate::stats::sprt::Sprt;
    use crate::terms::Terms;
    use quarto::{Position, Rules};

    fn plan(players: &[&str], rounds: u64) -> Plan {
        Plan {
            name: "test".into(),
            game: "quarto".into(),
            players: players.iter().map(|spec| Entrant::of_spec(spec)).collect(),
            rounds,
            format: Format::RoundRobin,
            seed: 1,
            terms: Terms::default(),
            openings: OpeningPlan::Plies(2),
            sprt: None,
            concurrency: 2,
        }
    }

    fn play(plan: &Plan, store: &mut Store, control: &Control) -> Outcome {
        let recipes: Vec<_> = plan
            .players
            .iter()
            .map(|player| players::recipe::<Position>(&player.spec()).unwrap())
            .collect();
        let start = Position::new(Rules::standard());
        let pairs = Pairs::new(start, plan.clone(), recipes, Openings::Plies(2)).unwrap();
        run(&Arc::new(pairs), &mut Local { threads: 2 }, store, control, &mut |_| ()).unwrap()
    }

    fn games(store: &Store, id: i64) -> Vec<(u64, String, [String; 2])> {
        let mut games = Vec::new();
        store
            .each_pair(id, |pair| {
                games.push((pair.number, pair.opening, pair.games.map(|game| game.turns)))
            })
            .unwrap();
        games
    }

    #[test]
    fn a_number_is_new_once_and_a_huge_one_costs_nothing() {
        let mut done = Done::default();
        for number in [0, 63, 64, 1 << 40, u64::MAX] {
            assert!(!done.has(number) && done.note(number), "{number}");
            assert!(done.has(number) && !done.note(number), "{number}");
        }
        assert!(!done.has(1));
    }

    #[test]
    fn a_tournament_taken_up_again_plays_only_what_is_missing_and_the_same_games() {
        let mut whole = Store::in_memory().unwrap();
        let all = play(
            &plan(&["novice", "random", "random"], 40),
            &mut whole,
            &Control::default(),
        );
        assert_eq!((all.played, all.standings.pairs), (120, 120));

        let mut parts = Store::in_memory().unwrap();
        let some = play(
            &plan(&["novice", "random", "random"], 13),
            &mut parts,
            &Control::default(),
        );
        assert_eq!(some.played, 39);
        let rest = play(
            &plan(&["novice", "random", "random"], 40),
            &mut parts,
            &Control::default(),
        );
        assert_eq!((rest.played, rest.standings.pairs), (81, 120));
        assert_eq!(games(&parts, rest.id), games(&whole, all.id));
        let again = play(
            &plan(&["novice", "random", "random"], 40),
            &mut parts,
            &Control::default(),
        );
        assert_eq!(again.played, 0);
        assert_eq!(again.standings, rest.standings);
    }

    #[test]
    fn both_games_of_a_pair_begin_alike_and_all_meetings_share_the_openings() {
        let mut store = Store::in_memory().unwrap();
        let outcome = play(
            &plan(&["novice", "random", "random"], 5),
            &mut store,
            &Control::default(),
        );
        let games = games(&store, outcome.id);
        for round in games.chunks(3) {
            assert!(round.iter().all(|(_, opening, _)| *opening == round[0].1));
        }
        assert_ne!(games[0].1, games[3].1);
    }

    #[test]
    fn a_test_ends_the_tournament_and_tells_both_ratios() {
        let mut plan = plan(&["novice", "random"], 100_000);
        plan.sprt = Some(Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
        });
        let outcome = play(&plan, &mut Store::in_memory().unwrap(), &Control::default());
        let (ratio, decision) = outcome.decided.unwrap();
        assert_eq!(decision, Decision::Shown);
        assert!(ratio >= 2.94 && outcome.drained.unwrap() >= ratio, "{outcome:?}");
        assert!(outcome.played < 100_000);
    }

    #[test]
    fn a_stopped_tournament_keeps_what_was_played() {
        let control = Control::default();
        control.stop.raise();
        let outcome = play(
            &plan(&["novice", "random"], 50),
            &mut Store::in_memory().unwrap(),
            &control,
        );
        assert_eq!(outcome.played, 0);
    }
}
