//! What there is to see of a position, game by game.
//!
//! The tables know games only by their trait. What a person wants to see differs, so this is the one place that asks which
//! game it is: a position is looked at as Quarto, as Stack Four, as GDL, and otherwise shown as nothing but its text.

pub mod gdl;
pub mod quarto;
pub mod stack4;

use game::Game;
use serde::Serialize;
use std::any::Any;
use utoipa::ToSchema;

/// What to draw.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum View {
    /// A Quarto board.
    Quarto(quarto::QuartoView),
    /// A Stack Four board.
    Stack4(stack4::Stack4View),
    /// The facts of a GDL game.
    Gdl(gdl::GdlView),
    /// Nothing is known but the text.
    Plain {},
}

/// Which family of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Quarto and its variants.
    Quarto,
    /// Stack Four.
    Stack4,
    /// From a rule sheet.
    Gdl,
    /// Any other.
    Plain,
}

/// The position as one of another type, if that is what it is.
pub fn known_as<P: 'static, G: Game>(position: &G) -> Option<&P> {
    (position as &dyn Any).downcast_ref()
}

/// The family of a position's game.
pub fn family<G: Game>(position: &G) -> Family {
    if known_as::<::quarto::Position, G>(position).is_some() {
        Family::Quarto
    } else if known_as::<::stack4::Position, G>(position).is_some() {
        Family::Stack4
    } else if known_as::<::gdl::Position, G>(position).is_some() {
        Family::Gdl
    } else {
        Family::Plain
    }
}

/// How many seats have already chosen where several choose at the same time.
pub fn chosen<G: Game>(position: &G) -> usize {
    known_as::<::gdl::Position, G>(position).map_or(0, |position| position.chosen().len())
}

/// The seats that choose at the same time, or the one that moves; nobody once the game is over.
pub fn choosers<G: Game>(position: &G) -> Vec<usize> {
    match known_as::<::gdl::Position, G>(position) {
        Some(position) => position.asked().map(|seat| seat.index()).collect(),
        None if position.outcome().is_some() => Vec::new(),
        None => vec![position.mover().index()],
    }
}

/// The position as everybody may see it: without what some have chosen while others are still choosing.
pub fn public<G: Game>(position: &G) -> G {
    let public = known_as::<::gdl::Position, G>(position).map(::gdl::Position::public);
    let same = public.as_ref().and_then(|public| (public as &dyn Any).downcast_ref());
    same.unwrap_or(position).clone()
}

/// What the seats are called.
pub fn roles<G: Game>(position: &G) -> Vec<String> {
    match known_as::<::gdl::Position, G>(position) {
        Some(position) => position.machine().roles().into_iter().map(String::from).collect(),
        None if family(position) == Family::Stack4 => vec!["Black".into(), "White".into()],
        None => (1..=position.seats()).map(|seat| format!("seat {seat}")).collect(),
    }
}

/// What to draw of the last of several positions, each of which followed from the one before.
pub fn look<G: Game>(history: &[G]) -> View {
    let Some(now) = history.last() else {
        return View::Plain {};
    };
    if let Some(position) = known_as(now) {
        return View::Quarto(quarto::look(position));
    }
    if let Some(position) = known_as(now) {
        return View::Gdl(gdl::look(position));
    }
    let stacks: Option<Vec<::stack4::Position>> = history.iter().map(|position| known_as(position).copied()).collect();
    match stacks {
        Some(history) => View::Stack4(stack4::look(&history)),
        None => View::Plain {},
    }
}

/// How a finished game ended, in words.
pub fn ending<G: Game>(position: &G) -> Option<String> {
    let payoffs = position.outcome()?;
    if let Some(position) = known_as(position) {
        return quarto::ending(position);
    }
    let roles = roles(position);
    let points = position.points();
    if let (2, Some([first, second])) = (roles.len(), points) {
        let (more, fewer) = (first.max(second), first.min(second));
        return Some(match payoffs.winner() {
            Some(seat) => format!("{} won by {more} points to {fewer}", roles[seat.index()]),
            None => format!("a draw: {first} points each"),
        });
    }
    let scores: Vec<String> = roles
        .iter()
        .zip(payoffs.all())
        .map(|(role, payoff)| format!("{role} {}", payoff.points()))
        .collect();
    Some(format!("the game is over: {}", scores.join(", ")))
}

/// What a move did, in words, for who cannot see the board. Who did it is not said.
pub fn told<G: Game>(before: &G, mv: G::Move) -> String {
    let quarto = known_as::<::quarto::Position, G>(before);
    let turn = (&mv as &dyn Any).downcast_ref::<::quarto::Turn>();
    if let (Some(before), Some(turn)) = (quarto, turn) {
        return quarto::told(before, *turn);
    }
    let text = before.print_move(mv);
    match family(before) {
        Family::Stack4 => format!("dropped a stone on column {text}"),
        _ => format!("played {text}"),
    }
}
