//! A rule sheet as numbers: a plane a fact, and one a role that says whose move it is. Only compiled machines know all of them.

use super::Encoding;
use ::gdl::Position;
use game::Game;

pub fn encoding(position: &Position) -> Option<Encoding<Position>> {
    Some(Encoding {
        actions: position.encoding()?.actions().len(),
        action: |position, mv| position.encoding().map_or(0, |encoding| encoding.action(mv)),
        move_of: |position, action| position.encoding()?.move_of(position.mover().index(), action),
        shape: |position| vec![facts(position) + position.seats()],
        planes: |position| {
            let facts = position.encoding().map_or(&[][..], |encoding| encoding.facts());
            let movers = position.roles().into_iter().map(|role| format!("{role} is to move"));
            facts.iter().cloned().chain(movers).collect()
        },
        write: |position, into| {
            let Some(encoding) = position.encoding() else { return };
            encoding.holding(position.state()).for_each(|fact| into[fact] = 1.0);
            into[encoding.facts().len() + position.mover().index()] = 1.0;
        },
    })
}

fn facts(position: &Position) -> usize {
    position.encoding().map_or(0, |encoding| encoding.facts().len())
}
