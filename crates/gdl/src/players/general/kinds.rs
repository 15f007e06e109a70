//! What the pieces of a game are worth in moves, seen from random games.
//!
//! Nobody tells which facts are pieces. But where a fact says what is somewhere, the what is determined by the where: no
//! two facts of a position differ only in it. So the columns of a table that are determined by the others say of what *kind* a
//! fact is (white rook), the rest where it is (a1). How many facts there are of each kind then explains, by least squares, how
//! many moves each seat has; a kind is worth the moves it gives to the first seat less those it gives to the second. What is
//! the same but for the roles' names counts the same for both. As long as little was seen, whatever names a role is taken for a
//! piece of its own.

use super::survey::Glimpse;
use std::collections::HashMap;

/// The most kinds that are told apart.
const MOST: usize = 64;
/// A kind must be seen in one of so many positions.
const RARE: usize = 20;
/// How strongly weights are held near zero: as many positions as this would have to speak for one.
const DOUBT: f64 = 10.0;
/// What a fact that names a role is taken to be worth to it before anything was seen, in moves: in most games such facts are
/// its pieces.
const GUESS: f64 = 4.0;
/// After so many positions what was seen counts as much as the guess.
const TRUST: f64 = 60.0;

type FactKind = (usize, Vec<u32>);

/// What facts are worth to the first seat, in moves.
#[derive(Debug)]
pub struct Moves {
    roles: Vec<u32>,
    /// For each table which columns say of what kind a fact is.
    says: HashMap<usize, Vec<bool>>,
    worth: HashMap<FactKind, f64>,
}

impl Moves {
    /// What a fact is worth.
    pub fn of(&self, table: usize, row: &[u32]) -> f64 {
        let kind = self.says.get(&table).map(|says| kind(table, row, says));
        let worth = kind.and_then(|kind| self.worth.get(&kind)).copied();
        worth.unwrap_or_else(|| guess(row, &self.roles))
    }
}

/// What a fact, or the kind of one, is worth before anything was seen.
fn guess(row: &[u32], roles: &[u32]) -> f64 {
    let names = |role: &u32| f64::from(u8::from(row.contains(role)));
    match roles {
        [first, second] => GUESS * (names(first) - names(second)),
        _ => 0.0,
    }
}

fn kind(table: usize, row: &[u32], says: &[bool]) -> FactKind {
    let values = row.iter().zip(says).filter(|(_, says)| **says);
    (table, values.map(|(&value, _)| value).collect())
}

/// Learns from positions of a game for two, whose roles are these constants, what facts are worth.
pub fn learn(glimpses: &[Glimpse], roles: &[u32]) -> Moves {
    let says = determined(glimpses);
    let counts: Vec<HashMap<FactKind, f64>> = glimpses
        .iter()
        .map(|glimpse| {
            let mut counts = HashMap::new();
            for (table, row) in &glimpse.facts {
                *counts.entry(kind(*table, row, &says[table])).or_default() += 1.0;
            }
            counts
        })
        .collect();
    let mut seen: HashMap<&FactKind, usize> = HashMap::new();
    counts
        .iter()
        .flat_map(HashMap::keys)
        .for_each(|kind| *seen.entry(kind).or_default() += 1);
    let mut kinds: Vec<(&FactKind, usize)> = seen.into_iter().filter(|(_, n)| n * RARE >= glimpses.len()).collect();
    kinds.sort_unstable_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    kinds.truncate(MOST);
    let mut worth: HashMap<FactKind, f64> = kinds.iter().map(|(kind, _)| ((*kind).clone(), 0.0)).collect();
    for (seat, sign) in [(0, 1.0), (1, -1.0)] {
        let rows: Vec<(Vec<f64>, f64)> = glimpses
            .iter()
            .zip(&counts)
            .filter(|(glimpse, _)| glimpse.seat == seat)
            .map(|(glimpse, counts)| {
                let of = |(kind, _): &(&FactKind, usize)| counts.get(*kind).copied().unwrap_or(0.0);
                (kinds.iter().map(of).collect(), glimpse.choices as f64)
            })
            .collect();
        for ((kind, _), weight) in kinds.iter().zip(least_squares(&rows, kinds.len())) {
            *worth.entry((*kind).clone()).or_default() += sign * weight;
        }
    }
    let mut worth = mirrored(&worth, roles);
    let seen = glimpses.len() as f64;
    for (kind, worth) in &mut worth {
        let guess = guess(&kind.1, roles);
        *worth = guess + (*worth - guess) * seen / (seen + TRUST);
    }
    Moves {
        roles: roles.to_vec(),
        says,
        worth,
    }
}

/// What is worth something to one role is worth as much to the other, where there is the same kind with the other's name:
/// few random games tell half of it from chance.
fn mirrored(worth: &HashMap<FactKind, f64>, roles: &[u32]) -> HashMap<FactKind, f64> {
    let other = |value: &u32| match roles {
        [first, second] if value == first => *second,
        [first, second] if value == second => *first,
        _ => *value,
    };
    let mirror = |(kind, own): (&FactKind, &f64)| {
        let image = (kind.0, kind.1.iter().map(other).collect());
        let own = match worth.get(&image) {
            Some(its) if image != *kind => (own - its) / 2.0,
            _ => *own,
        };
        (kind.clone(), own)
    };
    worth.iter().map(mirror).collect()
}

/// For each table, whether each column is determined by the others in every position.
fn determined(glimpses: &[Glimpse]) -> HashMap<usize, Vec<bool>> {
    let mut says: HashMap<usize, Vec<bool>> = HashMap::new();
    for glimpse in glimpses {
        let mut found: HashMap<(usize, usize, Vec<u32>), u32> = HashMap::new();
        for (table, row) in &glimpse.facts {
            let says = says.entry(*table).or_insert_with(|| vec![true; row.len()]);
            for column in (0..row.len()).filter(|&column| says[column]).collect::<Vec<_>>() {
                let mut others = row.clone();
                let value = others.remove(column);
                says[column] = *found.entry((*table, column, others)).or_insert(value) == value;
            }
        }
    }
    says
}

/// The weights that explain the results best, held near zero; what all have in common is left out first.
fn least_squares(rows: &[(Vec<f64>, f64)], size: usize) -> Vec<f64> {
    let n = rows.len().max(1) as f64;
    let mean_of = |column: usize| rows.iter().map(|(row, _)| row[column]).sum::<f64>() / n;
    let means: Vec<f64> = (0..size).map(mean_of).collect();
    let mean = rows.iter().map(|(_, result)| result).sum::<f64>() / n;
    // The normal equations, a row each, the right side last.
    let mut system = vec![vec![0.0; size + 1]; size];
    for (row, result) in rows {
        let centred: Vec<f64> = row.iter().zip(&means).map(|(value, mean)| value - mean).collect();
        for (i, equation) in system.iter_mut().enumerate() {
            for (entry, value) in equation.iter_mut().zip(centred.iter().chain([&(result - mean)])) {
                *entry += centred[i] * value;
            }
        }
    }
    for (i, equation) in system.iter_mut().enumerate() {
        equation[i] += DOUBT;
    }
    solve(system)
}

/// Solves a system whose matrix is positive definite, so that no pivot vanishes.
fn solve(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    let size = system.len();
    for pivot in 0..size {
        let (above, below) = system.split_at_mut(pivot + 1);
        let chosen = &above[pivot];
        for equation in below {
            let factor = equation[pivot] / chosen[pivot];
            for (entry, value) in equation.iter_mut().zip(chosen).skip(pivot) {
                *entry -= factor * value;
            }
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size)
            .map(|column| system[row][column] * solution[column])
            .sum();
        solution[row] = (system[row][size] - known) / system[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::super::survey::Survey;
    use super::*;
    use crate::{BuildLimits, Machine, Position, Sheet};

    #[test]
    fn before_anything_was_seen_what_names_a_role_is_its_own() {
        let moves = learn(&[], &[7, 8]);
        let worth = [&[1, 7][..], &[8, 2], &[3], &[7, 8]].map(|row| moves.of(0, row));
        assert_eq!(worth, [GUESS, -GUESS, 0.0, 0.0]);
    }

    #[test]
    fn a_system_is_solved() {
        let solution = solve(vec![vec![4.0, 1.0, 6.0], vec![1.0, 3.0, 7.0]]);
        assert!(
            (solution[0] - 1.0).abs() < 1e-9 && (solution[1] - 2.0).abs() < 1e-9,
            "{solution:?}"
        );
    }

    #[test]
    fn the_pieces_of_chess_are_found_and_a_queen_is_worth_more_than_a_pawn() {
        let sheet = Sheet::load("chess").unwrap();
        let start = Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap();
        let survey = Survey::new(&start, &game::Until::never());
        let moves = learn(&survey.glimpses, start.machine().role_constants());
        let worth = |fact: &str| {
            let state = start.machine().state(&[fact]).unwrap();
            let rows = start.machine().rows(&state);
            rows.iter().map(|(table, row)| moves.of(*table, row)).sum::<f64>()
        };
        // Wherever they stand.
        assert_eq!(worth("(cell a 2 white pawn)"), worth("(cell e 2 white pawn)"));
        for (role, sign) in [("white", 1.0), ("black", -1.0)] {
            let [queen, rook, bishop, knight, pawn] = ["queen", "rook", "bishop", "knight", "pawn"]
                .map(|kind| sign * worth(&format!("(cell d 4 {role} {kind})")));
            assert!(
                queen > rook && rook > pawn && pawn > 0.0,
                "{role}: {queen} {rook} {pawn}"
            );
            assert!(bishop > pawn && knight > pawn, "{role}: {bishop} {knight} {pawn}");
        }
    }
}
