//! The suite that every game must pass.
//!
//! A game's tests call [`check`] with a first position, and optionally the full list of moves that could ever be
//! written down in that game. It plays seeded random games and panics, naming the position, at the first promise of
//! [`Game`] that is broken.

use crate::{Game, GameError, Rng, below, pick, rng};
use std::hash::{DefaultHasher, Hasher};

/// How much to test.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games to play.
    pub games: u32,
    /// The seed of the random games.
    pub seed: u64,
    /// A game longer than this many moves is taken for an endless one.
    pub longest: u32,
    /// Symmetries tried in each position, drawn at random.
    pub symmetries: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            games: 200,
            seed: 1,
            longest: 10_000,
            symmetries: 4,
        }
    }
}

/// Tests every promise of [`Game`] along random games from `start`. `universe` lists moves to try for legality beside
/// the legal ones (best: every move that can be written).
///
/// # Panics
/// If the game breaks a promise; the message names the position.
pub fn check<G: Game>(start: &G, universe: &[G::Move], effort: Effort) {
    assert!(same(&start.start(), start), "start() must give the first position");
    let mut rng = rng(effort.seed);
    for _ in 0..effort.games {
        playout(start, universe, effort, &mut rng);
    }
}

fn playout<G: Game>(start: &G, universe: &[G::Move], effort: Effort, rng: &mut Rng) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..=effort.longest {
        position.legal_moves(&mut moves);
        legal_list_agrees(&position, &moves, universe);
        notation_round_trips(&position, &moves);
        symmetries_commute(&position, &moves, effort, rng);
        let drawn = position.random_move(rng, &mut Vec::new());
        assert_eq!(drawn.is_none(), moves.is_empty(), "random_move at {}", position.print());
        assert!(
            drawn.is_none_or(|mv| moves.contains(&mv)),
            "{drawn:?} is not legal at {}",
            position.print()
        );
        let Some(mv) = pick(rng, &moves) else {
            finished_game_is_closed(&position, universe);
            return;
        };
        play_changes_only_the_copy(&position, mv);
        position.play_unchecked(mv);
    }
    panic!("no end after {} moves: {}", effort.longest, position.print());
}

fn legal_list_agrees<G: Game>(position: &G, moves: &[G::Move], universe: &[G::Move]) {
    let at = || position.print();
    assert_eq!(moves.len(), position.legal_count(), "legal_count at {}", at());
    assert_eq!(
        moves.is_empty(),
        position.outcome().is_some(),
        "a game is over exactly when no move is legal: {}",
        at()
    );
    for (i, &mv) in moves.iter().enumerate() {
        assert!(position.is_legal(mv), "{mv:?} is listed but not legal at {}", at());
        assert!(!moves[..i].contains(&mv), "{mv:?} is listed twice at {}", at());
    }
    for &mv in universe {
        assert_eq!(
            position.is_legal(mv),
            moves.contains(&mv),
            "is_legal and the list disagree on {mv:?} at {}",
            at()
        );
        if !moves.is_empty() && !moves.contains(&mv) {
            let refused = matches!(position.clone().play(mv), Err(GameError::Illegal { .. }));
            assert!(refused, "the illegal {mv:?} was not refused at {}", at());
        }
    }
    assert!(position.mover().index() < position.seats(), "mover at {}", at());
}

fn notation_round_trips<G: Game>(position: &G, moves: &[G::Move]) {
    let text = position.print();
    match position.start().parse(&text) {
        Ok(back) => {
            assert!(
                same(&back, position),
                "{text} parses to another position: {}",
                back.print()
            );
            assert_eq!(back.mover(), position.mover(), "mover of {text}");
            assert_eq!(back.outcome(), position.outcome(), "outcome of {text}");
        }
        Err(error) => panic!("{text} does not parse back: {error}"),
    }
    for &mv in moves {
        let text = position.print_move(mv);
        assert!(
            !text.is_empty() && !text.contains(char::is_whitespace),
            "{text:?} is not one word"
        );
        let mut appended = String::from("x");
        position.write_move(mv, &mut appended);
        assert_eq!(appended, format!("x{text}"), "writing and printing a move agree");
        assert_eq!(
            position.parse_move(&text).as_ref(),
            Ok(&mv),
            "{text} at {}",
            position.print()
        );
    }
}

fn symmetries_commute<G: Game>(position: &G, moves: &[G::Move], effort: Effort, rng: &mut Rng) {
    let count = position.symmetries();
    assert!(same(&position.transform(0), position), "symmetry 0 is the identity");
    if count == 1 {
        return;
    }
    for _ in 0..effort.symmetries {
        let symmetry = below(rng, count as u32) as usize;
        let image = position.transform(symmetry);
        let at = || format!("symmetry {symmetry} at {}", position.print());
        assert_eq!(image.legal_count(), moves.len(), "{}", at());
        assert_eq!(image.outcome(), position.outcome(), "{}", at());
        for &mv in moves {
            let image_mv = position.transform_move(symmetry, mv);
            assert!(image.is_legal(image_mv), "{mv:?} became illegal: {}", at());
        }
        if let Some(mv) = pick(rng, moves) {
            let mut there = image.clone();
            there.play_unchecked(position.transform_move(symmetry, mv));
            let mut here = position.clone();
            here.play_unchecked(mv);
            assert!(
                same(&there, &here.transform(symmetry)),
                "{mv:?} does not commute: {}",
                at()
            );
        }
    }
}

fn play_changes_only_the_copy<G: Game>(position: &G, mv: G::Move) {
    let before = position.clone();
    let mut checked = position.clone();
    let mut unchecked = position.clone();
    assert_eq!(
        checked.play(mv),
        Ok(()),
        "a legal move was refused at {}",
        before.print()
    );
    unchecked.play_unchecked(mv);
    assert!(same(&checked, &unchecked), "{mv:?} at {}", before.print());
    assert!(same(position, &before), "playing on a copy changed {}", before.print());
    assert!(checked != before, "{mv:?} changed nothing at {}", before.print());
}

fn finished_game_is_closed<G: Game>(position: &G, universe: &[G::Move]) {
    let at = position.print();
    let Some(payoffs) = position.outcome() else {
        panic!("no legal move and no outcome: {at}");
    };
    assert_eq!(payoffs.all().len(), position.seats(), "a payoff a seat: {at}");
    for &mv in universe {
        let mut after = position.clone();
        assert!(
            matches!(after.play(mv), Err(GameError::Finished { .. })),
            "a finished game took {mv:?}: {at}"
        );
        assert!(same(&after, position), "a refused move changed {at}");
    }
}

/// Equal, and equal in every hash.
fn same<G: Game>(a: &G, b: &G) -> bool {
    let hash = |position: &G| {
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        hasher.finish()
    };
    a == b && hash(a) == hash(b) && a.key() == b.key()
}
