//! Proofs held against the rules alone and against the solver.

use super::super::read_turn;
use super::*;
use crate::policy::{self, Random};
use crate::solver::Outcome;
use game::{Instant, Stop, rng};
use std::sync::Mutex;

/// Whether the player to move does not lose, by the rules alone.
fn holds(position: &Position) -> bool {
    after(position).iter().any(|after| match after.playing() {
        true => !wins(after),
        false => !after.completed(),
    })
}

/// Whether the player to move wins, by the rules alone: in misère not by its own placement.
fn wins(position: &Position) -> bool {
    after(position).iter().any(|after| after.playing() && !holds(after))
}

fn after(position: &Position) -> Vec<Position> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let played = |turn| {
        let mut after = *position;
        after.play_unchecked(turn);
        after
    };
    turns.into_iter().map(played).collect()
}

/// A random position with so many pieces placed and one in hand.
fn random(rules: &'static Rules, placed: u32, rng: &mut game::Rng) -> Position {
    loop {
        let mut position = Position::new(rules);
        while position.playing() && (position.placed() < placed || position.hand().is_none()) {
            match policy::turn(&Random, &position, rng) {
                Some(turn) => position.play_unchecked(turn),
                None => break,
            }
        }
        if position.playing() {
            return position;
        }
    }
}

/// Keeps what is found in a list, until it is full.
#[derive(Default)]
struct FindingList {
    kept: Mutex<Vec<(Position, HoldFinding)>>,
    most: Option<usize>,
}

impl ProofKeeper for FindingList {
    fn keep(&self, position: &Position, finding: HoldFinding) -> io::Result<()> {
        let mut kept = self.kept.lock().unwrap();
        if self.most.is_some_and(|most| kept.len() >= most) {
            return Err(io::Error::other("full"));
        }
        kept.push((*position, finding));
        Ok(())
    }

    fn progress(&self, progress: &ProofProgress) {
        assert!(progress.open <= progress.units);
    }
}

fn means(threads: usize) -> ProofMeans {
    ProofMeans {
        threads,
        memory: 1 << 20,
        until: Until::never(),
    }
}

/// The turns of a proof, from some positions on, as far as they are known.
fn turns(proof: &HoldingProof, roots: &[Position]) -> Vec<(CanonicalKey, u8)> {
    let (mut level, mut all) = (roots.to_vec(), Vec::new());
    while !level.is_empty() {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        for position in &level {
            let Some((_, byte)) = proof.facts.held(position) else {
                continue;
            };
            all.push((position.canonical_key(), byte));
            let replies = proof.after_held(position).unwrap_or_default().into_iter();
            next.extend(
                replies
                    .filter(|reply| seen.insert(reply.key))
                    .map(|reply| reply.position),
            );
        }
        level = next;
    }
    all
}

#[test]
fn a_proof_says_what_the_rules_alone_say_and_so_does_everything_it_keeps() {
    let mut rng = rng(21);
    let (mut held, mut lost) = (0, 0);
    for rules in Rules::all().filter(|rules| rules.misere()) {
        for number in 0..16 {
            let root = random(rules, 9, &mut rng);
            let (mut proof, list) = (HoldingProof::new(13), FindingList::default());
            let verdict = proof.prove(&[root], &means(1 + number % 2), &list).unwrap();
            let expected = match holds(&root) {
                true => HoldVerdict::Holds,
                false => HoldVerdict::Loses(root.canonical()),
            };
            assert_eq!(verdict, expected, "{root:?}");
            held += u32::from(verdict == HoldVerdict::Holds);
            lost += u32::from(verdict != HoldVerdict::Holds);
            for (position, finding) in list.kept.lock().unwrap().iter().filter(|(kept, _)| kept.placed() > 9) {
                match finding {
                    HoldFinding::Lost => assert!(!holds(position), "{position:?}"),
                    HoldFinding::Holds { turn, .. } => {
                        let mut after = *position;
                        after.play(read_turn(position, *turn).unwrap()).unwrap();
                        assert!(!wins(&after), "{position:?}");
                    }
                }
            }
        }
    }
    assert!(held > 20 && lost > 2, "{held} {lost}");
}

#[test]
fn a_proof_with_play_outs_says_what_the_solver_says() {
    let mut rng = rng(22);
    let (mut held, mut lost) = (0, 0);
    for rules in Rules::all().filter(|rules| rules.misere()) {
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        for _ in 0..3 {
            let root = random(rules, 8, &mut rng);
            let (mut proof, list) = (HoldingProof::new(12), FindingList::default());
            let verdict = proof.prove(&[root], &means(2), &list).unwrap();
            let holds = solver.at_least(&root, Outcome::Draw).unwrap();
            assert_eq!(verdict == HoldVerdict::Holds, holds, "{root:?}");
            held += u32::from(holds);
            lost += u32::from(!holds);
        }
    }
    assert!(held > 3, "{held} {lost}");
}

#[test]
fn a_proof_cut_short_anywhere_goes_on_to_the_same_turns_with_any_number_of_threads() {
    let rules = Rules::named("quarto-squares-misere").unwrap();
    let mut rng = rng(23);
    let mut cut = 0;
    for _ in 0..3 {
        let root = random(rules, 8, &mut rng);
        let (mut whole, list) = (HoldingProof::new(12), FindingList::default());
        let verdict = whole.prove(&[root], &means(1), &list).unwrap();
        let kept = list.kept.into_inner().unwrap();
        let expected = turns(&whole, &[root]);
        let step = kept.len() / 12 + 1;
        for (number, most) in (0..=kept.len()).step_by(step).enumerate() {
            // A keeper that fails ends it; what was kept until then is all that is left.
            let full = FindingList {
                most: Some(most),
                ..FindingList::default()
            };
            let mut first = HoldingProof::new(12);
            let ended = first.prove(&[root], &means(1), &full);
            assert_eq!(ended.is_err(), most < kept.len());
            let left = full.kept.into_inner().unwrap();
            assert_eq!(left, kept[..most]);
            let mut again = HoldingProof::new(12);
            left.iter()
                .for_each(|(position, finding)| again.learn(position, *finding));
            let rest = FindingList::default();
            assert_eq!(again.prove(&[root], &means(1 + number % 3), &rest).unwrap(), verdict);
            assert_eq!(turns(&again, &[root]), expected);
            cut += 1;
        }
    }
    assert!(cut > 20, "{cut}");
}

#[test]
fn a_proof_ends_when_it_is_time_and_keeps_nothing_wrong() {
    let rules = Rules::named("quarto-misere").unwrap();
    let root = random(rules, 3, &mut rng(24));
    let (stop, now) = (Stop::new(), Instant::now());
    stop.raise();
    for until in [Until { stop, deadline: None }, Until::moment(now)] {
        let means = ProofMeans { until, ..means(2) };
        let (mut proof, list) = (HoldingProof::new(6), FindingList::default());
        let verdict = proof.prove(&[root], &means, &list).unwrap();
        assert_eq!(verdict, HoldVerdict::Stopped);
        assert!(list.kept.into_inner().unwrap().is_empty());
    }
}
