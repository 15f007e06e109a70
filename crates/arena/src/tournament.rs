//! A tournament: pairs of games on all cores, written down as they end, taken up again where they were.
//!
//! Pairs are numbered round by round through the meetings; a pair is a function of the tournament's seed and its number.
//! So whatever is missing in the records can be played in any order, by any number of threads, after any accident.
//!
//! Workers play and hand over what they have; one writer puts it into the records. A pair that took long is written in a
//! transaction of its own as soon as it ends. Where thousands of pairs end in a second, those that ended within a moment
//! share a transaction: each of them is wholly in the records or not at all, and those that were not are played again.

use crate::contest::{ContestError, Control};
use crate::pair::{self, Openings};
use crate::plan::Plan;
use crate::record::PairRecord;
use crate::standings::Standings;
use crate::stats::sprt::Decision;
use crate::store::{Store, StoreError};
use game::{Game, mix};
use players::{Player, Recipe};
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long a worker may keep a finished pair to itself, if the next ones end as quickly.
const MOMENT: Duration = Duration::from_millis(20);

/// How many pairs it may keep.
const HANDFUL: usize = 256;

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
    /// How long this run took.
    pub took: Duration,
}

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The records.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game or the threads.
    #[error(transparent)]
    Contest(#[from] ContestError),
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
}

/// Plays what is missing of a tournament. `watch` is called whenever something was written.
pub fn run<G: Game>(
    start: &G,
    plan: &Plan,
    recipes: &[Recipe<G>],
    openings: &Openings<G>,
    store: &mut Store,
    control: &Control,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Outcome, TournamentError> {
    if start.seats() != 2 {
        return Err(ContestError::Seats(start.seats()).into());
    }
    let began = Instant::now();
    let meetings = plan.meetings();
    let total = plan.rounds * meetings.len() as u64;
    let players: Vec<(String, String)> = plan.players.iter().map(|p| (p.name.clone(), p.spec())).collect();
    let id = store.tournament(&plan.key(), &plan.name, &plan.game, &plan.to_toml(), &players)?;

    let mut standings = Standings::new(plan.players.len(), &meetings);
    // As long as the last pair that is there: pairs are numbered in the order they are begun.
    let mut done = Vec::new();
    store.each_pair(id, |pair| {
        if pair.number < total {
            done.resize(pair.number as usize, false);
            done.push(true);
            standings.count(&pair);
        }
    })?;

    let pool = ThreadPoolBuilder::new()
        .num_threads(plan.concurrency)
        .build()
        .map_err(ContestError::from)?;
    let hall = Hall {
        start,
        plan,
        recipes,
        openings,
        meetings: &meetings,
        done: &done,
        total,
        next: AtomicU64::new(0),
        control,
    };
    let mut desk = Desk {
        plan,
        store,
        id,
        standings,
        total,
        played: 0,
        decided: None,
    };
    desk.test(control);
    let (sender, receiver) = sync_channel(64);
    let written = std::thread::scope(|scope| {
        let hall = &hall;
        scope.spawn(move || {
            let senders: Vec<_> = (0..pool.current_num_threads()).map(|_| sender.clone()).collect();
            drop(sender);
            pool.broadcast(|worker| hall.work(worker.index(), &senders[worker.index()]));
        });
        let written = desk.write_all(receiver, control, watch);
        // If the records failed, nobody needs to play on.
        if written.is_err() {
            control.stop.store(true, Ordering::Relaxed);
        }
        written
    });
    written?;
    let drained = plan.sprt.map(|sprt| sprt.ratio(&desk.standings.duels[0].pairs));
    if let Some((ratio, decision)) = desk.decided {
        desk.store
            .note_stop(id, &format!("sprt: {decision} at LLR {ratio:.2}"))?;
    }
    Ok(Outcome {
        id,
        played: desk.played,
        decided: desk.decided,
        drained,
        standings: desk.standings,
        took: began.elapsed(),
    })
}

/// The players of one side, by number, made when first needed.
type Side<G> = Vec<Option<Box<dyn Player<G>>>>;

/// Where the workers play.
struct Hall<'a, G: Game> {
    start: &'a G,
    plan: &'a Plan,
    recipes: &'a [Recipe<G>],
    openings: &'a Openings<G>,
    meetings: &'a [(usize, usize)],
    done: &'a [bool],
    total: u64,
    next: AtomicU64,
    control: &'a Control,
}

impl<G: Game> Hall<'_, G> {
    /// Plays pairs until none is left.
    fn work(&self, thread: usize, sender: &SyncSender<Vec<PairRecord>>) {
        // A player for each side, made when first needed: a player may well meet itself.
        let mut sides: [Side<G>; 2] = [(); 2].map(|()| self.recipes.iter().map(|_| None).collect());
        let mut buffer = Vec::new();
        let mut finished = Vec::new();
        let mut handed_over = Instant::now();
        while !self.control.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.total {
                break;
            }
            if self.done.get(number as usize).is_some_and(|&done| done) {
                continue;
            }
            self.control.note(thread, Some(number));
            finished.push(self.play(number, &mut sides, &mut buffer));
            self.control.played.fetch_add(2, Ordering::Relaxed);
            if finished.len() >= HANDFUL || handed_over.elapsed() >= MOMENT {
                if sender.send(std::mem::take(&mut finished)).is_err() {
                    return;
                }
                handed_over = Instant::now();
            }
        }
        self.control.note(thread, None);
        if !finished.is_empty() {
            // If nobody listens, the records failed, and that is reported there.
            let _ = sender.send(finished);
        }
    }

    fn play(&self, number: u64, sides: &mut [Side<G>; 2], buffer: &mut Vec<G::Move>) -> PairRecord {
        let meetings = self.meetings.len() as u64;
        let (round, meeting) = (number / meetings, (number % meetings) as usize);
        let (first, second) = self.meetings[meeting];
        let seed = mix(self.plan.seed, &[meeting as u64, round]);
        let opening = self.openings.of_round(self.start, self.plan.seed, round, buffer);
        let [one, other] = sides;
        let one = one[first].get_or_insert_with(|| self.recipes[first].make());
        let other = other[second].get_or_insert_with(|| self.recipes[second].make());
        let games = pair::play(
            &opening.position,
            [one.as_mut(), other.as_mut()],
            seed,
            &self.plan.terms,
        );
        PairRecord {
            number,
            first,
            second,
            round,
            seed,
            start: opening.start,
            opening: opening.turns,
            games,
        }
    }
}

/// Where the records are kept.
struct Desk<'a> {
    plan: &'a Plan,
    store: &'a mut Store,
    id: i64,
    standings: Standings,
    total: u64,
    played: u64,
    decided: Option<(f64, Decision)>,
}

impl Desk<'_> {
    fn write_all(
        &mut self,
        receiver: Receiver<Vec<PairRecord>>,
        control: &Control,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<(), StoreError> {
        while let Ok(mut pairs) = receiver.recv() {
            while pairs.len() < 16 * HANDFUL {
                match receiver.try_recv() {
                    Ok(more) => pairs.extend(more),
                    Err(_) => break,
                }
            }
            self.store.add(self.id, &pairs)?;
            for pair in &pairs {
                self.standings.count(pair);
                self.played += 1;
                self.test(control);
            }
            watch(&Progress {
                standings: &self.standings,
                total: self.total,
                played: self.played,
                ratio: self.plan.sprt.map(|sprt| sprt.ratio(&self.standings.duels[0].pairs)),
            });
        }
        Ok(())
    }

    /// Ends the tournament where the test decides. What is running is played out and counted.
    fn test(&mut self, control: &Control) {
        let Some(sprt) = self.plan.sprt.filter(|_| self.decided.is_none()) else {
            return;
        };
        let ratio = sprt.ratio(&self.standings.duels[0].pairs);
        let decision = sprt.decide(ratio);
        if decision != Decision::Continue {
            self.decided = Some((ratio, decision));
            control.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Entrant, Format, OpeningPlan};
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
        run(&start, plan, &recipes, &Openings::Plies(2), store, control, &mut |_| ()).unwrap()
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
        control.stop.store(true, Ordering::Relaxed);
        let outcome = play(
            &plan(&["novice", "random"], 50),
            &mut Store::in_memory().unwrap(),
            &control,
        );
        assert_eq!(outcome.played, 0);
    }
}
