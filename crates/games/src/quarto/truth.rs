//! Quarto's values: one solver for a whole batch, its table shared by all threads.

use crate::truth::{MoveTruth, NoTruth, Truth, TruthSettings, Truths, for_each};
use quarto::book::Book;
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::{Position, Turn};
use search::Unsolved;

fn payoff(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 50,
        Outcome::Win => 100,
    }
}

/// What positions of one variant are worth. A single position is searched by all threads, of many each thread takes its own.
pub fn truths(positions: &[&Position], settings: &TruthSettings) -> Truths<Turn> {
    let Some(first) = positions.first() else {
        return Vec::new();
    };
    let threads = settings.threads.max(1);
    let within = if positions.len() == 1 { threads } else { 1 };
    let memory = settings.memory.unwrap_or(0);
    let Ok(mut solver) = Solver::new(first.rules(), memory, within) else {
        return positions.iter().map(|_| Err(NoTruth::Memory(memory))).collect();
    };
    if settings.book {
        solver.open_book();
    }
    solver.set_stop(settings.stop.clone());
    if settings.memory.is_none() {
        for position in positions {
            solver.make_room_for(position, usize::MAX);
        }
    }
    for_each(positions, threads / within, |position| {
        if let Some(finished) = Truth::of_finished(*position, settings.moves) {
            return Ok(finished);
        }
        // A finished game was told apart above, so whoever has no answer was stopped.
        find(&solver, position, settings.moves).map_err(|_| Unsolved::Stopped.into())
    })
}

fn find(solver: &Solver, position: &Position, moves: bool) -> Result<Truth<Turn>, NoAnswer> {
    let exact = solver.exact(position)?;
    let judged = match moves || exact.outcome != Outcome::Draw {
        true => Some(solver.turns_exactly(position)?),
        false => None,
    };
    let best = match &judged {
        Some(all) => all
            .iter()
            .filter(|(_, value)| value.preference() == exact.preference())
            .map(|(turn, _)| *turn)
            .collect(),
        // How long a draw takes is nobody's concern, so it is not asked turn by turn.
        None => {
            let turns = solver.turns(position)?.into_iter();
            turns
                .filter(|(_, outcome)| *outcome == Outcome::Draw)
                .map(|(turn, _)| turn)
                .collect()
        }
    };
    let told = |(mv, value): (Turn, Exact)| MoveTruth {
        mv,
        value: payoff(value.outcome),
        plies: Some(value.plies),
    };
    Ok(Truth {
        value: payoff(exact.outcome),
        plies: Some(exact.plies),
        best,
        moves: judged.filter(|_| moves).map(|all| all.into_iter().map(told).collect()),
    })
}

/// What the book of the variant knows.
pub fn in_book(position: &Position) -> Option<Truth<Turn>> {
    let book = Book::of(position.rules())?;
    let exact = book.exact(position)?;
    Some(Truth {
        value: payoff(exact.outcome),
        plies: Some(exact.plies),
        best: book.turn(position).into_iter().collect(),
        moves: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Stop};
    use quarto::Rules;

    #[test]
    fn a_batch_says_of_every_position_what_the_solver_says() {
        let start = Position::new(Rules::standard());
        let texts = [
            "6b../1.../27f0/8... d",
            "d86./..01/.9.2/..af b",
            "0123/..../..../.... -",
        ];
        let positions: Vec<Position> = texts.iter().map(|text| start.parse(text).unwrap()).collect();
        let settings = TruthSettings {
            memory: None,
            threads: 2,
            book: true,
            moves: true,
            stop: Stop::new(),
        };
        let found = truths(&positions.iter().collect::<Vec<_>>(), &settings);
        let solver = Solver::new(start.rules(), 1 << 20, 1).unwrap();
        for (position, found) in positions.iter().zip(found) {
            let found = found.unwrap();
            if position.outcome().is_some() {
                assert!(found.best.is_empty());
                continue;
            }
            let exact = solver.exact(position).unwrap();
            assert_eq!((found.value, found.plies), (payoff(exact.outcome), Some(exact.plies)));
            let moves = found.moves.unwrap();
            assert_eq!(moves.len(), position.legal_count());
            let kept = moves.iter().filter(|mv| mv.value == found.value).map(|mv| mv.mv);
            assert!(kept.clone().count() >= found.best.len() && !found.best.is_empty());
        }
    }

    #[test]
    fn a_stopped_solve_says_so() {
        let settings = TruthSettings {
            memory: None,
            threads: 1,
            book: false,
            moves: false,
            stop: Stop::new(),
        };
        settings.stop.raise();
        let start = Position::new(Rules::standard());
        let found = truths(&[&start.parse("0.../..../...f/.... 5").unwrap()], &settings);
        assert_eq!(found, [Err(NoTruth::Unsolved(Unsolved::Stopped))]);
    }
}
