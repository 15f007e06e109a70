//! What is marked on a board: the last move, and what a game was won by.

use super::boards::{Place, Square, cells, is_blank};
use ::gdl::sheet::{Edges, WinningShape};
use ::gdl::{BoardLayout, MachineKind, Position};
use game::Game;
use std::collections::{HashMap, VecDeque};

/// A place by its numbers, from 0: column, row.
type Spot = (usize, usize);

/// Where the last move was: the cells that it changed. Where stones only came, those that changed sides are not meant.
pub fn last(history: &[Position], layout: &BoardLayout) -> Vec<Place> {
    let Some(now) = history.last() else {
        return Vec::new();
    };
    // Where several choose at once, positions follow each other without a change.
    let Some(before) = history.iter().rev().find(|one| one.state() != now.state()) else {
        return Vec::new();
    };
    let standing = |position: &Position| -> HashMap<Spot, String> {
        let facts = position.machine().facts(position.state());
        let cells = cells(&facts, layout)
            .into_iter()
            .filter(|cell| !is_blank(&cell.content));
        cells
            .filter_map(|cell| Some((spot(&cell, layout)?, cell.content)))
            .collect()
    };
    let (old, new) = (standing(before), standing(now));
    let came: Vec<Spot> = new.keys().filter(|at| !old.contains_key(at)).copied().collect();
    let went = old.keys().filter(|at| !new.contains_key(at)).copied();
    let went: Vec<Spot> = went.collect();
    let turned = new
        .iter()
        .filter(|(at, what)| old.get(at).is_some_and(|before| before != *what));
    let turned: Vec<Spot> = turned.map(|(at, _)| *at).collect();
    let changed = match (came.is_empty(), went.is_empty()) {
        (false, true) => came,
        _ => [came, went, turned].concat(),
    };
    places(changed, layout)
}

/// What the game was won by, if it was.
pub fn won(position: &Position, layout: &BoardLayout, cells: &[Square]) -> Vec<Place> {
    let Some(winner) = position.outcome().and_then(|payoffs| payoffs.winner()) else {
        return Vec::new();
    };
    let machine = position.machine();
    let role = machine.roles()[winner.index()];
    let own: Vec<Spot> = cells
        .iter()
        .filter(|cell| cell.content.split(' ').any(|word| word.eq_ignore_ascii_case(role)))
        .filter_map(|cell| spot(cell, layout))
        .collect();
    let spots = match machine.hints().wins {
        Some(WinningShape::Nothing) => Vec::new(),
        Some(WinningShape::Line(long)) => runs(&own, long),
        Some(WinningShape::Chain) => {
            let edges = machine.hints().edges.iter();
            let own_edges = edges
                .filter(|(one, _)| one.eq_ignore_ascii_case(role))
                .map(|(_, edges)| *edges);
            own_edges.take(1).flat_map(|edges| chain(&own, edges, layout)).collect()
        }
        None => decisive(position, layout, cells),
    };
    places(spots, layout)
}

fn spot(cell: &Square, layout: &BoardLayout) -> Option<Spot> {
    Some((layout.column(&cell.x)?, layout.row(&cell.y)?))
}

/// Spots as places, in the order of columns and rows.
fn places(mut spots: Vec<Spot>, layout: &BoardLayout) -> Vec<Place> {
    spots.sort_unstable();
    spots.dedup();
    let place = |(x, y): Spot| Place {
        x: layout.xs[x].clone(),
        y: layout.ys[y].clone(),
    };
    spots.into_iter().map(place).collect()
}

/// One step, where that is possible.
fn step((x, y): Spot, (dx, dy): (isize, isize)) -> Option<Spot> {
    Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?))
}

/// All spots in straight runs of that length or more.
fn runs(own: &[Spot], long: usize) -> Vec<Spot> {
    let mut found = Vec::new();
    for way in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for &from in own {
            let begins = step(from, (-way.0, -way.1)).is_none_or(|before| !own.contains(&before));
            if begins {
                let next = |&at: &Spot| step(at, way).filter(|to| own.contains(to));
                let run: Vec<Spot> = std::iter::successors(Some(from), next).collect();
                if run.len() >= long {
                    found.extend(run);
                }
            }
        }
    }
    found
}

/// A shortest chain of neighbouring hexagons from edge to edge.
fn chain(own: &[Spot], edges: Edges, layout: &BoardLayout) -> Vec<Spot> {
    let (along, last): (fn(&Spot) -> usize, usize) = match edges {
        Edges::Columns => (|spot| spot.0, layout.xs.len() - 1),
        Edges::Rows => (|spot| spot.1, layout.ys.len() - 1),
    };
    let mut from: HashMap<Spot, Option<Spot>> = HashMap::new();
    let mut queue: VecDeque<Spot> = own.iter().filter(|spot| along(spot) == 0).copied().collect();
    from.extend(queue.iter().map(|&spot| (spot, None)));
    while let Some(here) = queue.pop_front() {
        if along(&here) == last {
            let back = |spot: &Spot| from.get(spot).copied().flatten();
            return std::iter::successors(Some(here), back).collect();
        }
        for way in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let Some(next) = step(here, way).filter(|next| own.contains(next)) else {
                continue;
            };
            from.entry(next).or_insert_with(|| {
                queue.push_back(next);
                Some(here)
            });
        }
    }
    Vec::new()
}

/// The cells without which the game would not be over, if they are one cell or a line of three or more: what a win hangs on.
fn decisive(position: &Position, layout: &BoardLayout, cells: &[Square]) -> Vec<Spot> {
    let machine = position.machine();
    if machine.kind() != MachineKind::Compiled {
        return Vec::new();
    }
    let facts = machine.facts(position.state());
    let blank = machine.possible_facts();
    let blank_at = |cell: &Square| {
        blank.iter().find(|fact| {
            let words = ::gdl::words(fact);
            let there = words.as_deref().and_then(|words| layout.cell(words));
            there.is_some_and(|(x, y, content)| x == cell.x && y == cell.y && is_blank(&content.join(" ")))
        })
    };
    let hangs = |cell: &&Square| {
        let is_it = |fact: &str| {
            let words = ::gdl::words(fact);
            let there = words.as_deref().and_then(|words| layout.cell(words));
            there.is_some_and(|(x, y, content)| x == cell.x && y == cell.y && content.join(" ") == cell.content)
        };
        let mut without: Vec<&str> = facts.iter().map(String::as_str).filter(|fact| !is_it(fact)).collect();
        without.extend(blank_at(cell).map(String::as_str));
        let view = machine.state(&without).and_then(|state| machine.view(&state));
        view.is_ok_and(|view| !view.terminal)
    };
    let standing = cells.iter().filter(|cell| !is_blank(&cell.content));
    let spots: Vec<Spot> = standing.filter(hangs).filter_map(|cell| spot(cell, layout)).collect();
    let is_line = spots.len() >= 3 && runs(&spots, spots.len()).len() == spots.len();
    match spots.len() == 1 || is_line {
        true => spots,
        false => Vec::new(),
    }
}
