//! What is no board and still can be seen: heaps of stones, things on a shelf, numbers that change.

use super::names;
use crate::describe::ToSchema;
use ::gdl::{Position, words};
use game::Game;
use serde::Serialize;
use std::collections::BTreeMap;

/// A heap of stones.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Heap)]
pub struct StoneHeap {
    /// Its name.
    pub name: String,
    /// How many stones.
    pub stones: usize,
    /// The mover's moves that change it.
    pub moves: Vec<HeapMove>,
}

/// A move that changes a heap.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeapMove {
    /// The move as it is played.
    pub turn: String,
    /// How many stones it leaves.
    pub left: usize,
}

/// Things that lie beside the board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Shelf {
    /// What the sheet calls it.
    pub name: String,
    /// What lies there.
    pub pieces: Vec<ShelfPiece>,
}

/// A thing on a shelf.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ShelfPiece {
    /// What it is.
    pub content: String,
    /// The mover's move that names it.
    pub turn: Option<String>,
}

/// A number that changes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Counter {
    /// What is counted.
    pub name: String,
    /// Whose it is, if there is one for each of several.
    pub of: Option<String>,
    /// How many.
    pub value: String,
}

/// More stones, heaps or moves than that are no heaps to draw.
const MOST_STONES: usize = 64;
const MOST_HEAPS: usize = 16;
const MOST_MOVES: usize = 200;

/// Names and numbers, by relation.
type Counts<'a> = BTreeMap<&'a str, Vec<(&'a str, usize)>>;

/// The facts `(heap a 3)` of a position.
fn counted(facts: &[String]) -> Counts<'_> {
    let mut relations = Counts::new();
    for fact in facts {
        if let Some([relation, name, number]) = words(fact).as_deref()
            && let Ok(number) = number.parse()
        {
            relations.entry(relation).or_default().push((name, number));
        }
    }
    relations
}

/// The heaps: of the relations that the sheet names, or else of one whose counts every move of the mover lowers.
pub fn heaps(position: &Position, facts: &[String]) -> Vec<StoneHeap> {
    let hinted = &position.machine().hints().heaps;
    let layout = position.layout();
    let on_board = |name: &str| {
        layout
            .boards
            .iter()
            .flat_map(|board| &board.relations)
            .any(|one| one.name == name)
    };
    let mut relations = counted(facts);
    relations.retain(|name, heaps| {
        let few = (1..=MOST_HEAPS).contains(&heaps.len()) && heaps.iter().all(|&(_, stones)| stones <= MOST_STONES);
        few && (names(hinted, name) || hinted.is_empty() && heaps.len() > 1 && !on_board(name))
    });
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // What a move does where others choose at the same time would tell what they have chosen.
    if position.asked().count() > 1 {
        moves.clear();
    }
    // To see what moves do they are played: only where something may be a heap.
    if relations.is_empty() || hinted.is_empty() && (moves.is_empty() || moves.len() > MOST_MOVES) {
        return Vec::new();
    }
    let machine = position.machine();
    let after: Vec<(String, Vec<String>)> = moves
        .into_iter()
        .take(MOST_MOVES)
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (position.print_move(mv), machine.facts(next.state()))
        })
        .collect();
    let after: Vec<(&str, Counts)> = after
        .iter()
        .map(|(turn, facts)| (turn.as_str(), counted(facts)))
        .collect();
    let left = |relation: &str, turn: usize, name: &str| {
        let heaps = after[turn].1.get(relation)?;
        heaps.iter().find(|(own, _)| *own == name).map(|&(_, stones)| stones)
    };
    let looks = |relation: &str, heaps: &Vec<(&str, usize)>| {
        let lower = |turn: usize| {
            heaps
                .iter()
                .filter(|&&(name, stones)| left(relation, turn, name) < Some(stones))
                .count()
        };
        (0..after.len()).all(|turn| lower(turn) == 1)
    };
    let mut found = Vec::new();
    for (relation, heaps) in &relations {
        let meant = names(hinted, relation) || looks(relation, heaps);
        if !meant {
            continue;
        }
        for &(name, stones) in heaps {
            let changes = (0..after.len()).filter_map(|turn| {
                let left = left(relation, turn, name)?;
                (left != stones).then(|| HeapMove {
                    turn: after[turn].0.into(),
                    left,
                })
            });
            found.push(StoneHeap {
                name: name.into(),
                stones,
                moves: changes.collect(),
            });
        }
    }
    found
}

/// The shelves that the sheet names, and the moves that name what lies there.
pub fn shelves(position: &Position, facts: &[String]) -> Vec<Shelf> {
    let shelves = &position.machine().hints().shelves;
    if shelves.is_empty() {
        return Vec::new();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<String> = moves.into_iter().map(|mv| position.print_move(mv)).collect();
    let turn = |content: &str| {
        let is_it = |turn: &&String| {
            words(turn)
                .as_deref()
                .is_some_and(|words| words.len() == 2 && words[1] == content)
        };
        moves.iter().find(is_it).cloned()
    };
    let shelf = |name: &String| {
        let facts = facts.iter().filter_map(|fact| words(fact));
        let contents = facts.filter(|words| words.len() == 2 && words[0].eq_ignore_ascii_case(name));
        let pieces = contents.map(|words| ShelfPiece {
            content: words[1].into(),
            turn: turn(words[1]),
        });
        Shelf {
            name: name.clone(),
            pieces: pieces.collect(),
        }
    };
    shelves.iter().map(shelf).collect()
}

/// The numbers: of the relations that the sheet names, or else of all that have one number, or one for each role.
pub fn counters(position: &Position, facts: &[String]) -> Vec<Counter> {
    let hints = position.machine().hints();
    let roles = position.machine().roles();
    let mut counters = Vec::new();
    for fact in facts {
        let Some(words) = words(fact) else { continue };
        let (relation, of, value) = match words.as_slice() {
            [relation, value] => (*relation, None, *value),
            [relation, of, value] if roles.contains(of) => (*relation, Some((*of).to_string()), *value),
            _ => continue,
        };
        let label = hints
            .counters
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(relation));
        let other = !hints.counters.is_empty() || names(&hints.hidden, relation) || names(&hints.heaps, relation);
        let is_number = value.parse::<u32>().is_ok();
        let name = match label {
            Some((_, label)) => label.clone(),
            None if other || !is_number => continue,
            None => relation.into(),
        };
        let value = value.into();
        counters.push(Counter { name, of, value });
    }
    // A relation that holds for several numbers at once counts nothing.
    let alone = |counter: &Counter| {
        let same = counters
            .iter()
            .filter(|other| other.name == counter.name && other.of == counter.of);
        same.count() == 1
    };
    let mut counters: Vec<Counter> = counters.iter().filter(|counter| alone(counter)).cloned().collect();
    // As the sheet names them, and each in the order of the roles.
    let hinted = |counter: &Counter| hints.counters.iter().position(|(_, label)| *label == counter.name);
    let role = |counter: &Counter| roles.iter().position(|role| counter.of.as_deref() == Some(role));
    counters.sort_by_key(|counter| (hinted(counter), role(counter)));
    counters
}

/// The facts of a relation that holds for exactly one role at a time.
pub fn turn_facts(position: &Position, facts: &[String]) -> Vec<String> {
    let roles = position.machine().roles();
    let of_role = |fact: &str| -> Option<String> {
        match words(fact)?.as_slice() {
            [relation, role] if roles.contains(role) => Some(relation.to_string()),
            _ => None,
        }
    };
    let holding: Vec<String> = facts.iter().filter_map(|fact| of_role(fact)).collect();
    let [relation] = holding.as_slice() else {
        return Vec::new();
    };
    roles.iter().map(|role| format!("({relation} {role})")).collect()
}
