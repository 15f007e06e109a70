//! Moves and facts by number, for programs that learn.
//!
//! Numbers follow the order of the texts, so they do not depend on how the rules were grounded. A word has one number, whichever
//! role says it: a mark of x and a mark of o on the same cell are the same action.

use crate::machine::{Machine, Move, State};

/// How moves and facts of a game are numbered. Only the compiled machine knows all of them in advance.
#[derive(Debug)]
pub struct Encoding {
    actions: Vec<String>,
    action_of_move: Vec<u32>,
    /// By role, then by action.
    moves: Vec<Vec<Option<Move>>>,
    facts: Vec<String>,
    /// The place of each bit of a state.
    place: Vec<u32>,
}

impl Encoding {
    pub(crate) fn of(machine: &Machine) -> Option<Encoding> {
        let count = machine.move_count()?;
        let all: Vec<Move> = (0..count as u32).map(Move).collect();
        let words: Vec<String> = all.iter().map(|&mv| machine.print_move(mv)).collect();
        let (actions, action_of_move) = numbered(words);
        let mut moves = vec![vec![None; actions.len()]; machine.role_count()];
        for (&mv, &action) in all.iter().zip(&action_of_move) {
            moves[machine.role_of(mv)][action as usize] = Some(mv);
        }
        let (facts, place) = numbered(machine.possible_facts());
        Some(Encoding {
            actions,
            action_of_move,
            moves,
            facts,
            place,
        })
    }

    /// The moves of all roles, in the order of their numbers.
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// The number of a move.
    pub fn action(&self, mv: Move) -> usize {
        self.action_of_move[mv.0 as usize] as usize
    }

    /// What that number means for a role, if it ever can do that.
    pub fn move_of(&self, role: usize, action: usize) -> Option<Move> {
        self.moves.get(role)?.get(action).copied().flatten()
    }

    /// The facts that can change, in the order of their numbers.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// The numbers of the facts that hold, in no order.
    pub fn holding<'a>(&'a self, state: &'a State) -> impl Iterator<Item = usize> + 'a {
        let set = |(word, &bits): (usize, &'a u32)| {
            (0..32)
                .filter(move |bit| bits >> bit & 1 != 0)
                .map(move |bit| word * 32 + bit)
        };
        let bits = state.0.iter().enumerate().flat_map(set);
        bits.filter_map(|bit| self.place.get(bit).map(|&place| place as usize))
    }
}

/// The texts in order, each once, and where each of the given ones stands there.
fn numbered(texts: Vec<String>) -> (Vec<String>, Vec<u32>) {
    let mut sorted = texts.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let place = |text: &String| sorted.binary_search(text).unwrap_or(0) as u32;
    let places = texts.iter().map(place).collect();
    (sorted, places)
}

#[cfg(test)]
mod tests {
    use crate::{Machine, Position, Sheet, bundled};
    use game::Game;

    #[test]
    fn a_word_has_one_number_whoever_says_it() {
        let start = Position::of_sheet("tictactoe").unwrap();
        let encoding = start.encoding().unwrap();
        assert_eq!(encoding.actions().len(), 10, "nine cells and noop");
        let corner = encoding.action(start.parse_move("(mark,1,1)").unwrap());
        let mut position = start.clone();
        position.play(position.parse_move("(mark,2,2)").unwrap()).unwrap();
        let other = position.parse_move("(mark,1,1)").unwrap();
        assert_eq!(encoding.action(other), corner);
        assert_eq!(encoding.move_of(1, corner), Some(other));
        assert_eq!(encoding.move_of(1, 99), None);
    }

    #[test]
    fn the_numbers_of_facts_name_what_holds() {
        for name in ["tictactoe", "connectfour", "trio"] {
            let position = Position::of_sheet(name).unwrap();
            let encoding = position.encoding().unwrap();
            let facts = position.machine().facts(position.state());
            let mut told: Vec<&str> = encoding
                .holding(position.state())
                .map(|number| encoding.facts()[number].as_str())
                .collect();
            told.sort_unstable();
            assert!(
                !told.is_empty() && told.iter().all(|fact| facts.iter().any(|own| own == fact)),
                "{name}"
            );
        }
    }

    #[test]
    fn the_prover_does_not_know_all_moves() {
        let sheet = Sheet::parse("tictactoe", bundled::text("tictactoe").unwrap()).unwrap();
        let position = Position::new(Machine::prover(&sheet).unwrap()).unwrap();
        assert!(position.encoding().is_none());
    }
}
