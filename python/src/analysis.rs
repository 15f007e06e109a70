//! What players think, and what limits them.

use game::Stop;
use player::Clock as Limit;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;

/// A move and what there is to say about it. `Position.analyse` gives one; a `Player` may answer with one.
///
/// >>> import terzo
/// >>> terzo.Analysis("a1.c", value=0.5, depth=3)
/// Analysis(move='a1.c', value=0.5, depth=3)
#[pyclass(frozen, get_all, module = "terzo")]
#[derive(Clone)]
pub struct Analysis {
    /// The move, as text.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.move in said.pv[:1]
    /// True
    r#move: String,
    /// What the mover expects, in the player's own units; of Monte Carlo players the payoff, 0 to 100.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.value
    /// -2.0
    value: Option<f64>,
    /// The same as engines say it: `cp 35`, `mate 2`.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.score
    /// 'cp -200'
    score: Option<String>,
    /// Whether the value is proved.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.solved
    /// False
    solved: bool,
    /// How many moves it looked ahead.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.depth
    /// 3
    depth: Option<u32>,
    /// Positions looked at, or games played out.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.nodes > 100
    /// True
    nodes: Option<u64>,
    /// How long it took, in seconds.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.seconds > 0
    /// True
    seconds: f64,
    /// What all seats are expected to play, the move first.
    ///
    /// >>> import terzo
    /// >>> said = terzo.game("quarto").position("6b../1.../27f0/8... d").analyse("minimax:depth=3", seed=1)
    /// >>> said.pv
    /// ['c1.e', 'b2.9', 'd4.3']
    pv: Vec<String>,
}

#[pymethods]
impl Analysis {
    #[new]
    #[pyo3(signature = (r#move, *, value = None, depth = None, nodes = None))]
    fn new(r#move: String, value: Option<f64>, depth: Option<u32>, nodes: Option<u64>) -> Self {
        Analysis {
            r#move,
            value,
            score: None,
            solved: false,
            depth,
            nodes,
            seconds: 0.0,
            pv: Vec::new(),
        }
    }

    fn __repr__(&self) -> String {
        let mut parts = vec![format!("move='{}'", self.r#move)];
        parts.extend(self.value.map(|value| format!("value={value}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        if self.solved {
            parts.push("solved=True".into());
        }
        format!("Analysis({})", parts.join(", "))
    }
}

impl Analysis {
    pub fn of(said: player::Analysis<String>) -> Self {
        Analysis {
            r#move: said.best,
            value: said.value,
            score: said.score.map(|score| score.to_string()),
            solved: said.solved,
            depth: said.depth,
            nodes: said.nodes,
            seconds: said.time.as_secs_f64(),
            pv: said.pv,
        }
    }

    /// The same for the referee.
    pub fn said(&self) -> player::Analysis<String> {
        player::Analysis {
            value: self.value,
            solved: self.solved,
            depth: self.depth,
            nodes: self.nodes,
            ..player::Analysis::of_move(self.r#move.clone())
        }
    }
}

/// What a player may use for its next move; `Player.choose` gets one.
///
/// >>> import terzo
/// >>> class Patient(terzo.Player):
/// ...     def choose(self, position, clock):
/// ...         best = self.random.choice(position.legal_actions())
/// ...         while clock.elapsed < clock.time / 2 and not clock.stopped:
/// ...             pass  # look for something better
/// ...         return best
/// >>> terzo.match("tictactoe", [Patient, "random"], games=2, time="move=20ms").turns > 8
/// True
#[pyclass(frozen, module = "terzo")]
pub struct Clock {
    clock: Limit,
}

#[pymethods]
impl Clock {
    /// A clock without limits, for who asks a player outside a match.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().stopped
    /// False
    #[staticmethod]
    fn unlimited() -> Self {
        Clock::new(&Limit::unlimited())
    }

    /// Seconds to think, if there is a limit.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().time is None
    /// True
    #[getter]
    fn time(&self) -> Option<f64> {
        self.clock.time.map(|time| time.as_secs_f64())
    }

    /// Positions to look at, if there is a limit.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().nodes is None
    /// True
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.clock.nodes
    }

    /// Moves to look ahead, if there is a limit.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().depth is None
    /// True
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.clock.depth
    }

    /// Seconds that both seats have left for the game, where the limit is for the whole game.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().left is None
    /// True
    #[getter]
    fn left(&self) -> Option<(f64, f64)> {
        let [first, second] = self.clock.bank?.left;
        Some((first.as_secs_f64(), second.as_secs_f64()))
    }

    /// Seconds since the player was asked.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().elapsed < 60
    /// True
    #[getter]
    fn elapsed(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    /// Whether the player should answer now, with the best it has.
    ///
    /// >>> import terzo
    /// >>> terzo.Clock.unlimited().stopped
    /// False
    #[getter]
    fn stopped(&self) -> bool {
        self.clock.stop.is_raised() || self.clock.time.is_some_and(|time| self.clock.elapsed() >= time)
    }
}

/// Limits that somebody named, before the clock starts.
pub struct RequestedLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl RequestedLimits {
    /// A clock that starts now.
    pub fn start(&self, stop: &Stop) -> Limit {
        Limit {
            time: self.time,
            nodes: self.nodes,
            depth: self.depth,
            stop: stop.child(),
            ..Limit::unlimited()
        }
    }
}

impl Clock {
    pub fn new(clock: &Limit) -> Self {
        Clock { clock: clock.clone() }
    }

    /// Limits, if they are such.
    pub fn limits(time: Option<f64>, nodes: Option<u64>, depth: Option<u32>) -> PyResult<RequestedLimits> {
        let time = match time {
            None => None,
            Some(seconds) => Some(
                Duration::try_from_secs_f64(seconds)
                    .ok()
                    .filter(|time| time.as_secs() < 365 * 86_400)
                    .ok_or_else(|| PyValueError::new_err(format!("time: expected seconds, found {seconds}")))?,
            ),
        };
        Ok(RequestedLimits { time, nodes, depth })
    }
}
