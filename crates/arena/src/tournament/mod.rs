//! A tournament: pairs of games on all cores, written down as they end, taken up again where they were.
//!
//! Pairs are numbered round by round through the meetings; a pair is a function of the tournament's seed and its number.
//! So whatever is missing in the records can be played in any order, by any number of threads, after any accident.
//!
//! A [queue](crate::queue) has them played, here or elsewhere; one writer puts what comes back into the records. A pair that
//! took long is written in a transaction of its own as soon as it ends. Where thousands of pairs end in a second, those that
//! ended within a moment share a transaction: each of them is wholly in the records or not at all, and those that were not
//! are played again. A pair that comes back twice is counted once.

mod pairs;

pub use pairs::{Brief, KIND, Pairs};

use crate::control::Control;
use crate::queue::{Queue, QueueError};
use crate::record::PairRecord;
use crate::schedule::StageSchedule;
use crate::standings::Standings;
use crate::stats::sprt::Decision;
use crate::store::{Store, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A tournament's result.
#[derive(Clone, Debug)]
pub struct TournamentOutcome {
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
    /// Who has won a knockout, by number.
    pub champion: Option<usize>,
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
pub struct TournamentProgress<'a> {
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

/// Has played what is missing of a tournament. `watch` is called whenever something was written, and now and then besides.
pub fn run(
    pairs: &Arc<Pairs>,
    queue: &mut dyn Queue<Pairs>,
    store: &mut Store,
    control: &Control,
    watch: &mut dyn FnMut(&TournamentProgress),
) -> Result<TournamentOutcome, TournamentError> {
    let began = Instant::now();
    let plan = &pairs.plan;
    let players: Vec<(String, String)> = plan.players.iter().map(|p| (p.name.clone(), p.spec())).collect();
    let id = store.tournament(&pairs.key(), &plan.name, &plan.game, &plan.to_toml(), &players)?;
    let _claim = store.claim(id)?;

    let mut recorder = Recorder {
        pairs,
        store,
        id,
        standings: Standings::new(plan.players.len(), &pairs.meetings),
        done: Done::default(),
        half_points: BTreeMap::new(),
        played: 0,
        decided: None,
        failure: None,
        failed: None,
        control,
    };
    let mut champion = None;
    match StageSchedule::new(plan.format, plan.players.len(), plan.rounds) {
        None => {
            recorder.read_all()?;
            recorder.test();
            recorder.play(0..plan.pairs(), queue, watch)?;
        }
        Some(mut schedule) => {
            recorder.play_stages(&mut schedule, queue, watch)?;
            champion = schedule.champion();
        }
    }
    let drained = plan.sprt.map(|sprt| sprt.ratio(&recorder.standings.duels[0].pairs));
    if let Some((ratio, decision)) = recorder.decided {
        recorder
            .store
            .note_stop(id, &format!("sprt: {decision} at LLR {ratio:.2}"))?;
    }
    Ok(TournamentOutcome {
        id,
        played: recorder.played,
        decided: recorder.decided,
        failure: recorder.failure,
        drained,
        champion,
        standings: recorder.standings,
        took: began.elapsed(),
    })
}

/// Keeps the records and the standings of a running tournament.
struct Recorder<'a> {
    pairs: &'a Arc<Pairs>,
    store: &'a mut Store,
    id: i64,
    standings: Standings,
    /// Which pairs are in the records.
    done: Done,
    /// The half points of the first of each pair, where they decide who meets.
    half_points: BTreeMap<u64, usize>,
    played: u64,
    decided: Option<(f64, Decision)>,
    failure: Option<String>,
    failed: Option<StoreError>,
    control: &'a Control,
}

impl Recorder<'_> {
    /// Has played what is missing of these pairs.
    fn play(
        &mut self,
        numbers: Range<u64>,
        queue: &mut dyn Queue<Pairs>,
        watch: &mut dyn FnMut(&TournamentProgress),
    ) -> Result<(), TournamentError> {
        let (pairs, control, before) = (self.pairs, self.control, self.done.clone());
        let missing = numbers.filter(move |&number| !before.has(number));
        let mut open = missing.map(|number| pairs.unit(number));
        let ended = queue.run(pairs, &mut open, control, &mut |results| self.fold(results, watch));
        match self.failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(ended?),
        }
    }

    /// Goes through the stages: what is recorded of one is counted, the rest is played, and the next follows from the results.
    fn play_stages(
        &mut self,
        schedule: &mut StageSchedule,
        queue: &mut dyn Queue<Pairs>,
        watch: &mut dyn FnMut(&TournamentProgress),
    ) -> Result<(), TournamentError> {
        let mut recorded = BTreeMap::new();
        self.store
            .each_pair(self.id, |pair| drop(recorded.insert(pair.number, pair)))?;
        let mut results = Vec::new();
        loop {
            let stage = schedule.next(&results);
            if stage.is_empty() {
                return Ok(());
            }
            let numbers = self.pairs.draw(&stage);
            for pair in numbers.clone().filter_map(|number| recorded.remove(&number)) {
                if self.pairs.holds(&pair) {
                    self.done.note(pair.number);
                    self.half_points.insert(pair.number, pair.half_points());
                    self.standings.count(&pair);
                }
            }
            if !numbers.clone().all(|number| self.done.has(number)) {
                self.play(numbers.clone(), queue, watch)?;
            }
            results = numbers
                .clone()
                .map_while(|number| self.half_points.get(&number).copied())
                .collect();
            if results.len() < stage.len() {
                // It was stopped.
                return Ok(());
            }
        }
    }

    /// Counts what is in the records already.
    fn read_all(&mut self) -> Result<(), StoreError> {
        let Recorder {
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
    fn fold(&mut self, results: Vec<(u64, PairRecord)>, watch: &mut dyn FnMut(&TournamentProgress)) -> ControlFlow<()> {
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
            if self.pairs.has_stages() {
                self.half_points.insert(pair.number, pair.half_points());
            }
            self.failure = self.failure.take().or_else(|| self.failure_in(pair));
            self.played += 1;
            self.control.played.fetch_add(2, Ordering::Relaxed);
            self.test();
        }
        watch(&TournamentProgress {
            standings: &self.standings,
            total: self.pairs.plan.pairs(),
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
    use crate::contest::Contest;
    use crate::contest::TypedContest;
    use crate::opening::Openings;
    use crate::plan::{Entrant, OpeningPlan};
    use crate::plan::{Format, Plan};
    use crate::queue::Local;
    use crate::queue::{Halt, Unit, Work};
    use crate::stats::sprt::Sprt;
    use crate::terms::Terms;
    use game::Stop;
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

    fn contest(plan: &Plan) -> Arc<dyn Contest> {
        let factories: Vec<_> = plan
            .players
            .iter()
            .map(|player| quarto::players::factory(&player.spec()).unwrap())
            .collect();
        let start = Position::new(Rules::standard());
        Arc::new(TypedContest::new(start, factories, Openings::Plies(2)))
    }

    fn play(plan: &Plan, store: &mut Store, control: &Control) -> TournamentOutcome {
        let pairs = Pairs::new(plan.clone(), contest(plan)).unwrap();
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

    #[test]
    fn a_swiss_tournament_goes_on_from_its_records_as_if_it_had_never_stopped() {
        let swiss = |rounds| Plan {
            format: Format::Swiss,
            ..plan(&["random", "novice", "random", "novice", "random"], rounds)
        };
        let mut whole = Store::in_memory().unwrap();
        let all = play(&swiss(4), &mut whole, &Control::default());
        assert_eq!((all.played, all.standings.pairs), (8, 8));
        let mut parts = Store::in_memory().unwrap();
        assert_eq!(play(&swiss(2), &mut parts, &Control::default()).played, 4);
        let rest = play(&swiss(4), &mut parts, &Control::default());
        assert_eq!((rest.played, rest.standings.pairs), (4, 8));
        assert_eq!(games(&whole, all.id), games(&parts, rest.id));
        assert_eq!(play(&swiss(4), &mut parts, &Control::default()).played, 0);
    }

    #[test]
    fn a_knockout_has_a_champion_and_who_plays_elsewhere_is_told_who_meets() {
        let knockout = Plan {
            format: Format::Knockout,
            ..plan(&["novice", "random", "random"], 2)
        };
        let mut store = Store::in_memory().unwrap();
        let outcome = play(&knockout, &mut store, &Control::default());
        assert!(outcome.champion.is_some() && outcome.standings.pairs >= 4);
        assert_eq!(
            play(&knockout, &mut store, &Control::default()).champion,
            outcome.champion
        );
        let elsewhere = Pairs::new(knockout.clone(), contest(&knockout)).unwrap();
        let mut state = elsewhere.thread_state(&Stop::never());
        let mut last = None;
        store.each_pair(outcome.id, |pair| last = Some(pair)).unwrap();
        let last = last.unwrap();
        let unit = Unit {
            number: last.number,
            text: format!("{} {} {}", last.first, last.second, last.round),
        };
        let again = elsewhere.work(&unit, &mut state).unwrap();
        assert_eq!(
            (again.seed, again.games.map(|game| game.turns)),
            (last.seed, last.games.map(|game| game.turns))
        );
        for text in ["", "0 9 0", "1 0 0", "a b c"] {
            let wrong = Unit {
                number: 0,
                text: text.into(),
            };
            assert!(
                matches!(elsewhere.work(&wrong, &mut state), Err(Halt::Failed(_))),
                "{text}"
            );
        }
    }
}
