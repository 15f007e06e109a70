//! A program written for the course as a player in matches and tournaments.

use super::referee::{CourseFault, CourseSide};
use super::spawned::Spawned;
use super::{CourseError, TIME_FOR_A_MOVE};
use game::{Game, Stop};
use player::{Analysis, Clock, Player, PlayerError, PlayerFactory, Replaced, Spec};
use process::ResourceLimits;
use stack4::{Column, Position};
use std::time::Duration;

/// How long a program may take to connect once it is started.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);

/// Players `course:COMMAND`. The command is run for each game and connects to us; `{port}` in it stands for a free port,
/// and without it only one such program can play at a time, on the course's own port. It and all it starts keep within `limits`.
pub fn factory(command: &str, limits: ResourceLimits) -> PlayerFactory<Position> {
    let spec = Spec::program("course", command);
    let command = command.to_string();
    PlayerFactory::new(spec, move || {
        Box::new(CoursePlayer {
            command: command.clone(),
            limits,
            running: None,
            replaced: Vec::new(),
            stop: Stop::never(),
        })
    })
}

struct CoursePlayer {
    command: String,
    limits: ResourceLimits,
    /// The program of this game, or why there is none.
    running: Option<Result<Spawned, CourseError>>,
    /// What was wrong with its moves, since somebody last asked.
    replaced: Vec<String>,
    stop: Stop,
}

impl Player<Position> for CoursePlayer {
    fn begin(&mut self, _: u64) {
        // The last game's program must be gone before its port is taken again.
        self.running = None;
        self.running = Some(Spawned::start(
            &self.command,
            self.limits,
            TIME_TO_CONNECT,
            TIME_FOR_A_MOVE,
            &self.stop,
        ));
    }

    /// By the course's rule a late or illegal move is replaced by the first legal column; who has died has lost.
    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Column>, PlayerError> {
        let Some(first) = Column::all().find(|&column| position.is_legal(column)) else {
            return Err(PlayerError::Finished);
        };
        let spawned = match &mut self.running {
            Some(Ok(spawned)) => spawned,
            Some(Err(error)) => return Err(PlayerError::Crash(error.to_string())),
            None => return Err(PlayerError::Crash("no game was begun".into())),
        };
        spawned.program.set_time(clock.time.unwrap_or(TIME_FOR_A_MOVE));
        match spawned.ask(position) {
            Ok(column) => Ok(Analysis::of_move(column)),
            Err(CourseFault::Gone) => Err(spawned.fate()),
            Err(fault) => {
                let (what, why) = match fault {
                    CourseFault::Illegal { row, col } => (format!("{row},{col} is no legal column"), Replaced::Illegal),
                    _ => ("no move in time".into(), Replaced::Late),
                };
                self.replaced.push(format!("{what}; {first} is played instead\n"));
                Ok(Analysis {
                    replaced: Some(why),
                    ..Analysis::of_move(first)
                })
            }
        }
    }

    fn heed(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    fn processor_time(&mut self) -> Option<Duration> {
        // Every game has a program of its own, so all of it was for this one.
        self.running.as_mut()?.as_mut().ok()?.processor_time()
    }

    fn stderr_log(&mut self) -> String {
        std::mem::take(&mut self.replaced).concat()
    }
}
