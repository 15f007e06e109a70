//! The duel's players, made from words such as `strong:ms=20`.

use crate::uct::Uct;
use game::{Game, Rng, pick, rng};
use stack4::run3::Run3;
use stack4::strong::{Book, Limits, SearchParameters, Strong, WEIGHT_COUNT, Weights};
use stack4::{Column, Position};
use std::time::Duration;

/// A player, ready to make new ones of its kind.
pub enum Spec {
    Strong {
        limits: Limits,
        threads: usize,
        parameters: SearchParameters,
        weights: &'static Weights,
        book: bool,
    },
    Run3(Run3),
    Uct {
        time: Duration,
    },
    Random,
}

/// Someone who plays a game.
pub enum Player {
    Strong(Box<Strong>, Limits, bool),
    Run3(Run3),
    Uct(Uct, Duration),
    Random(Rng),
}

impl Spec {
    pub fn parse(text: &str) -> Result<Spec, String> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut limits = Limits::default();
        let (mut threads, mut parameters, mut defend) = (1, SearchParameters::default(), 20);
        let (mut weights, mut book) = (Weights::standard(), false);
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option
                .split_once('=')
                .ok_or_else(|| format!("{option}: expected KEY=VALUE"))?;
            if key == "weights" {
                weights = read_weights(value)?;
                continue;
            }
            let value: u32 = value.parse().map_err(|_| format!("{option}: expected a number"))?;
            match key {
                "ms" => limits.time = Some(Duration::from_millis(value.into())),
                "nodes" => limits.nodes = Some(value.into()),
                "depth" => limits.depth = Some(value),
                "threads" => threads = value as usize,
                "book" => book = value != 0,
                "defend" => defend = value,
                "shallow" => parameters.reverse_futility_depth = value as i32,
                "margin" => parameters.reverse_futility_margin = value as i32,
                "pass" => parameters.null_move = value != 0,
                "reduce" => parameters.late_move_reduction = value as i32,
                "enough" => parameters.late_move_count = value as i32,
                _ => return Err(format!("{name} has no option {key}")),
            }
        }
        match name {
            "strong" => Ok(Spec::Strong {
                limits,
                threads,
                parameters,
                weights,
                book,
            }),
            "run3" => Ok(Spec::Run3(Run3 { defend })),
            "uct" => Ok(Spec::Uct {
                time: limits.time.unwrap_or(Duration::from_millis(20)),
            }),
            "random" => Ok(Spec::Random),
            _ => Err(format!("no player {name}: strong, run3, uct or random")),
        }
    }

    pub fn player(&self, seed: u64) -> Player {
        match self {
            Spec::Strong {
                limits,
                threads,
                parameters,
                weights,
                book,
            } => Player::Strong(
                Box::new(Strong::tuned(32, *threads, parameters.clone(), weights)),
                limits.clone(),
                *book,
            ),
            Spec::Run3(run3) => Player::Run3(*run3),
            Spec::Uct { time } => Player::Uct(Uct::new(seed), *time),
            Spec::Random => Player::Random(rng(seed)),
        }
    }
}

/// Weights from a file of numbers. They live as long as the program, which is short.
fn read_weights(path: &str) -> Result<&'static Weights, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let numbers: Vec<i16> = text
        .split(|c: char| c != '-' && !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| format!("{path}: {word} is not a weight")))
        .collect::<Result<_, _>>()?;
    let numbers: [i16; WEIGHT_COUNT] = numbers
        .try_into()
        .map_err(|n: Vec<_>| format!("{path}: {} numbers where {WEIGHT_COUNT} were expected", n.len()))?;
    Ok(Box::leak(Box::new(Weights::from_numbers(&numbers))))
}

impl Player {
    pub fn choose(&mut self, position: &Position) -> Option<Column> {
        match self {
            Player::Strong(strong, limits, book) => {
                let known = Book::standard().get(position).filter(|_| *book);
                let search = |strong: &mut Strong| strong.search(position, limits).map(|found| found.best);
                known.map(|entry| entry.best).or_else(|| search(strong))
            }
            Player::Run3(run3) => run3.choose(position),
            Player::Uct(uct, time) => uct.choose(position, *time),
            Player::Random(rng) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                pick(rng, &moves)
            }
        }
    }
}
