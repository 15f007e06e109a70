//! A GDL game as a [`Game`].
//!
//! In GDL all roles move at once; a [`Game`] asks one seat after another. The roles that have a choice are asked in the order of
//! the sheet, all at the same public state; those with a single legal move are not asked, and when the last has chosen,
//! the joint move is played. If no role has a choice, one seat is asked nevertheless (the one whose move is not a bare
//! word, else the one whose word is not `noop`, else the first), so that every joint move is the move of some seat.
//!
//! A move is written as a single word, the term with commas for blanks: `(mark,1,1)`, `noop`. A position is its facts,
//! and after a stroke the moves already chosen at this state: `(control x) (cell 1 1 b) / (mark,1,1)`.

use crate::encoding::Encoding;
use crate::layout::Layout;
use crate::machine::{Machine, MachineKind, Move, State, StateView};
use crate::{BuildLimits, GdlError, PlayoutLimit, Playouts, Sheet, WellKnown};
use game::{Dialect, Game, GameError, Payoff, Payoffs, Rng, Seat};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A position of a GDL game. Cloning it copies two references and the few moves already chosen at this state.
#[derive(Clone, Debug)]
pub struct Position {
    game: Arc<SharedGame>,
    node: Arc<StateNode>,
    chosen: Vec<Move>,
}

/// The game that positions belong to.
#[derive(Debug)]
struct SharedGame {
    machine: Machine,
    root: Arc<StateNode>,
    /// Who is asked before the others, if not simply the first in the order of the sheet.
    first: Option<u8>,
    /// Which of the games that everybody knows it is, once somebody has asked.
    well_known: OnceLock<Option<&'static WellKnown>>,
    /// Where its boards lie, once somebody has asked.
    layout: OnceLock<Arc<Layout>>,
    /// Its moves and facts by number, once somebody has asked.
    encoding: OnceLock<Option<Encoding>>,
}

/// A public state and what the rules say about it.
#[derive(Debug)]
struct StateNode {
    state: State,
    view: StateView,
    /// The seats to ask, in order. Empty once the game is over.
    asked: Vec<u8>,
    outcome: Option<Payoffs>,
}

impl Position {
    /// The first position of a game.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in the first state (a goal that is no number, say), or the prover's limits are passed.
    pub fn new(machine: Machine) -> Result<Position, GdlError> {
        Position::begin(machine, None)
    }

    /// The first position of a game for a player in that seat: wherever several roles choose at once, this seat is asked
    /// first, so that it cannot know the choices of the others.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in the first state (a goal that is no number, say), or the prover's limits are passed.
    pub fn for_seat(machine: Machine, seat: Seat) -> Result<Position, GdlError> {
        Position::begin(machine, u8::try_from(seat.index()).ok())
    }

    /// The first position of a bundled sheet or of a file, on the fastest machine that plays it.
    ///
    /// # Errors
    ///
    /// The sheet cannot be read, or it is no game.
    pub fn of_sheet(name: &str) -> Result<Position, GdlError> {
        let (machine, _) = Machine::best(&Sheet::parse(name, &Sheet::text(name)?)?, BuildLimits::default())?;
        Position::new(machine)
    }

    fn begin(machine: Machine, first: Option<u8>) -> Result<Position, GdlError> {
        let root = Arc::new(StateNode::new(&machine, machine.initial(), first)?);
        let game = Arc::new(SharedGame {
            machine,
            root,
            first,
            well_known: OnceLock::new(),
            layout: OnceLock::new(),
            encoding: OnceLock::new(),
        });
        Ok(Position {
            node: game.root.clone(),
            game,
            chosen: Vec::new(),
        })
    }

    /// The seat that is asked first, if there is one: see [`Position::for_seat`].
    pub fn seat(&self) -> Option<Seat> {
        self.game.first.map(Seat::new)
    }

    /// The machine that plays.
    pub fn machine(&self) -> &Machine {
        &self.game.machine
    }

    /// The public state, at which some roles may already have chosen.
    pub fn state(&self) -> &State {
        &self.node.state
    }

    /// What the rules say about the public state.
    pub fn view(&self) -> &StateView {
        &self.node.view
    }

    /// The same public state before anybody has chosen: all that a fair player may look at where several choose at once.
    pub fn public(&self) -> Position {
        self.at(self.node.clone())
    }

    /// Which facts of this game look like a board. The prover knows only the facts that it has met, so there it depends on the
    /// position.
    pub fn layout(&self) -> Arc<Layout> {
        let machine = self.machine();
        let first = || machine.facts(&machine.initial());
        let hints = machine.hints();
        match machine.kind() {
            MachineKind::Compiled => {
                let make = || Arc::new(Layout::of(&first(), &machine.possible_facts(), hints));
                self.game.layout.get_or_init(make).clone()
            }
            MachineKind::Prover => Arc::new(Layout::of(&first(), &machine.facts(self.state()), hints)),
        }
    }

    /// The moves and facts of the game by number, if the machine knows all of them: the compiled one does.
    pub fn encoding(&self) -> Option<&Encoding> {
        let make = || Encoding::of(&self.game.machine);
        self.game.encoding.get_or_init(make).as_ref()
    }

    /// The moves already chosen at the public state, in the order of those who are asked.
    pub fn chosen(&self) -> &[Move] {
        &self.chosen
    }

    /// The seats that choose at the public state, in the order in which they are asked. Empty once the game is over.
    pub fn asked(&self) -> impl Iterator<Item = Seat> {
        self.node.asked.iter().map(|&seat| Seat::new(seat))
    }

    /// Random games from the public state, as if nobody had chosen there.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn playouts(&self, order: PlayoutLimit, rng: &mut Rng) -> Result<Playouts, GdlError> {
        self.game.machine.playouts(&self.node.state, order, rng)
    }

    /// The position of the same game at another state, before any role has chosen.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn at_state(&self, state: State) -> Result<Position, GdlError> {
        let node = StateNode::new(&self.game.machine, state, self.game.first)?;
        Ok(self.at(Arc::new(node)))
    }

    fn at(&self, node: Arc<StateNode>) -> Position {
        Position {
            game: self.game.clone(),
            node,
            chosen: Vec::new(),
        }
    }

    fn legal(&self) -> &[Move] {
        match self.node.asked.get(self.chosen.len()) {
            Some(&seat) => &self.node.view.legal[usize::from(seat)],
            None => &[],
        }
    }

    /// The joint move, once everybody who has a choice has chosen.
    fn joint(&self) -> Vec<Move> {
        let mut joint: Vec<Move> = self
            .node
            .view
            .legal
            .iter()
            .filter_map(|legal| legal.first().copied())
            .collect();
        for (&seat, &mv) in self.node.asked.iter().zip(&self.chosen) {
            joint[usize::from(seat)] = mv;
        }
        joint
    }
}

impl StateNode {
    fn new(machine: &Machine, state: State, first: Option<u8>) -> Result<StateNode, GdlError> {
        let view = machine.view(&state)?;
        StateNode::seen(machine, state, view, first)
    }

    /// A state that the rules have been asked about.
    fn seen(machine: &Machine, state: State, mut view: StateView, first: Option<u8>) -> Result<StateNode, GdlError> {
        // A role that cannot move ends the game, whatever the sheet says.
        if !view.terminal && view.legal.iter().any(Vec::is_empty) {
            view.goals = machine.goals(&state)?;
            view.terminal = true;
        }
        Ok(StateNode::of(machine, state, view, first))
    }

    fn of(machine: &Machine, state: State, view: StateView, first: Option<u8>) -> StateNode {
        let mut asked = Vec::new();
        let mut outcome = None;
        if view.terminal {
            let payoffs: Vec<Payoff> = view.goals.iter().filter_map(|&points| Payoff::new(points)).collect();
            outcome = Payoffs::new(&payoffs);
        } else {
            let seats = 0..view.legal.len() as u8;
            asked.extend(seats.clone().filter(|&seat| view.legal[usize::from(seat)].len() > 1));
            if asked.is_empty() {
                let only = |seat: &u8| view.legal[usize::from(*seat)][0];
                let busy = |seat: &u8| !machine.is_bare(only(seat));
                // A role that passes is asked rather than one that only watches (noop).
                let speaks = |seat: &u8| machine.print_move(only(seat)) != "noop";
                let seat = seats.clone().find(busy).or_else(|| seats.clone().find(speaks));
                asked.push(seat.unwrap_or(0));
            }
            if let Some(place) = asked.iter().position(|&seat| Some(seat) == first) {
                asked[..=place].rotate_right(1);
            }
        }
        StateNode {
            state,
            view,
            asked,
            outcome,
        }
    }

    /// The end of a game that the machine could not continue: every role gets 0.
    fn broken(machine: &Machine, state: State) -> StateNode {
        let view = StateView {
            terminal: true,
            legal: vec![Vec::new(); machine.role_count()],
            goals: vec![0; machine.role_count()],
        };
        StateNode::of(machine, state, view, None)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.game, &other.game) && self.node.state == other.node.state && self.chosen == other.chosen
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl Game for Position {
    type Move = Move;

    fn start(&self) -> Self {
        self.at(self.game.root.clone())
    }

    fn seats(&self) -> usize {
        self.game.machine.role_count()
    }

    #[inline]
    fn mover(&self) -> Seat {
        Seat::new(self.node.asked.get(self.chosen.len()).copied().unwrap_or(0))
    }

    fn roles(&self) -> Vec<String> {
        self.machine().roles().into_iter().map(String::from).collect()
    }

    fn is_hidden(&self) -> bool {
        self.machine().is_hidden()
    }

    fn movers(&self) -> Vec<Seat> {
        self.asked().collect()
    }

    fn chosen(&self) -> usize {
        self.chosen.len()
    }

    fn public(&self) -> Position {
        Position::public(self)
    }

    fn dialect(&self) -> Option<&'static dyn Dialect> {
        let known: &'static WellKnown = (*self.game.well_known.get_or_init(|| WellKnown::of(self)))?;
        Some(known)
    }

    #[inline]
    fn outcome(&self) -> Option<Payoffs> {
        self.node.outcome.clone()
    }

    #[inline]
    fn legal_moves(&self, into: &mut Vec<Move>) {
        into.clear();
        into.extend_from_slice(self.legal());
    }

    #[inline]
    fn legal_count(&self) -> usize {
        self.legal().len()
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.legal().contains(&mv)
    }

    fn why_illegal(&self, mv: Move) -> String {
        let machine = &self.game.machine;
        let (roles, mover) = (machine.roles(), self.mover().index());
        let owner = machine.role_of(mv);
        if owner != mover {
            return format!("it is a move of {}, and {} is asked", roles[owner], roles[mover]);
        }
        let legal = self.legal();
        let some: Vec<String> = legal.iter().take(5).map(|&mv| self.print_move(mv)).collect();
        let more = if legal.len() > 5 { ", …" } else { "" };
        format!("the rules allow {} here: {}{more}", roles[mover], some.join(", "))
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        self.chosen.push(mv);
        if self.chosen.len() < self.node.asked.len() {
            return;
        }
        let machine = &self.game.machine;
        let next = machine
            .step(&self.node.state, &self.joint())
            .and_then(|(state, view)| StateNode::seen(machine, state, view, self.game.first))
            .unwrap_or_else(|_| StateNode::broken(machine, self.node.state.clone()));
        self.node = Arc::new(next);
        self.chosen.clear();
    }

    #[inline]
    fn key(&self) -> u64 {
        // Two words at a time through a multiplication that keeps both halves.
        let mut hash = 0x243f_6a88_85a3_08d3u64;
        let mut stir = |word: u64| {
            let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
            hash = (product as u64) ^ (product >> 64) as u64;
        };
        for pair in self.node.state.0.chunks(2) {
            let high = pair.get(1).map_or(1 << 63, |&word| u64::from(word));
            stir(u64::from(pair[0]) | high << 32);
        }
        stir(u64::MAX);
        self.chosen.iter().for_each(|mv| stir(u64::from(mv.0)));
        hash ^ (hash >> 29)
    }

    fn print(&self) -> String {
        let facts = self.game.machine.facts(&self.node.state).join(" ");
        if self.chosen.is_empty() {
            return facts;
        }
        let chosen: Vec<String> = self.chosen.iter().map(|&mv| self.print_move(mv)).collect();
        format!("{facts} / {}", chosen.join(" "))
    }

    fn parse(&self, text: &str) -> Result<Self, GameError> {
        let wrong = |why: String| GameError::notation("position", text, why);
        let (facts, chosen) = text.split_once(" / ").unwrap_or((text, ""));
        let machine = &self.game.machine;
        let facts = terms(facts).map_err(&wrong)?;
        let state = machine.state(&facts).map_err(|error| wrong(error.to_string()))?;
        let node = StateNode::new(machine, state, self.game.first).map_err(|error| wrong(error.to_string()))?;
        let mut position = self.at(Arc::new(node));
        for word in chosen.split_whitespace() {
            if position.chosen.len() + 1 >= position.node.asked.len() {
                return Err(wrong(format!("`{word}` is one choice too many for this state")));
            }
            let mv = position.parse_move(word)?;
            if !position.is_legal(mv) {
                return Err(wrong(format!("`{word}`: {}", position.why_illegal(mv))));
            }
            position.chosen.push(mv);
        }
        Ok(position)
    }

    fn print_move(&self, mv: Move) -> String {
        self.game.machine.print_move(mv).replace(' ', ",")
    }

    fn parse_move(&self, text: &str) -> Result<Move, GameError> {
        self.game
            .machine
            .parse_move(self.mover().index(), text)
            .map_err(|error| GameError::notation("move", text, error.to_string()))
    }
}

/// The terms of a list without parentheses around it.
fn terms(text: &str) -> Result<Vec<&str>, String> {
    let mut terms = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (at, c) in text.char_indices() {
        match c {
            '(' => {
                start.get_or_insert(at);
                depth += 1;
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or("a closing parenthesis too many")?;
                if depth == 0
                    && let Some(start) = start.take()
                {
                    terms.push(&text[start..=at]);
                }
            }
            c if depth == 0 && c.is_whitespace() => terms.extend(start.take().map(|start| &text[start..at])),
            _ => {
                start.get_or_insert(at);
            }
        }
    }
    if depth > 0 {
        return Err("a closing parenthesis is missing".into());
    }
    terms.extend(start.map(|start| &text[start..]));
    Ok(terms)
}
