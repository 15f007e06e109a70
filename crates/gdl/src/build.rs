//! From a sheet to a state machine: which one, and within which limits.

use crate::GdlError;
use crate::compiled::Compiled;
use crate::logic::{FlatProgram, Statics, WorkBudget};
use crate::machine::Machine;
use crate::prover::Prover;
use crate::sheet::{LONGEST, Sheet};
use game::Stop;
use std::fs::File;
use std::io::Read;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// What building the compiled machine may spend before the prover takes over.
#[derive(Clone, Debug)]
pub struct BuildLimits {
    /// How long it may take.
    pub time: Duration,
    /// How many rows and clauses there may be, at some fifty bytes each.
    pub steps: u64,
    /// Raised by whoever does not need the result any more.
    pub stop: Stop,
}

impl Default for BuildLimits {
    fn default() -> Self {
        BuildLimits {
            time: Duration::from_secs(20),
            steps: 20_000_000,
            stop: Stop::never(),
        }
    }
}

/// Rows and rules that a sheet may have before it is played.
const MOST_ROWS: u64 = 20_000_000;

impl Machine {
    /// The prover: it runs every valid sheet.
    ///
    /// # Errors
    /// [`GdlError`] if the rules cannot be flattened: terms that grow without bound, or a relation that depends on its own negation.
    pub fn prover(sheet: &Sheet) -> Result<Machine, GdlError> {
        Ok(Machine::new(Prover::new(statics(sheet)?)))
    }

    /// The prover with everything on demand (top-down). Tests compare the bottom-up evaluation with it.
    ///
    /// # Errors
    /// [`GdlError`] if the rules cannot be flattened: terms that grow without bound, or a relation that depends on its own negation.
    pub fn on_demand(sheet: &Sheet) -> Result<Machine, GdlError> {
        Ok(Machine::new(Prover::on_demand(statics(sheet)?)))
    }

    /// The machine that evaluates a propositional network: fast, if the sheet can be grounded within the limits.
    ///
    /// # Errors
    /// [`GdlError`] if the rules cannot be flattened, or do not fit the limits.
    pub fn compiled(sheet: &Sheet, limits: BuildLimits) -> Result<Machine, GdlError> {
        Ok(Machine::new(Compiled::build(sheet, limits)?))
    }

    /// The compiled machine, or past the limits the prover and the reason why.
    ///
    /// # Errors
    /// [`GdlError`] if the rules cannot be flattened: terms that grow without bound, or a relation that depends on its own negation.
    pub fn best(sheet: &Sheet, limits: BuildLimits) -> Result<(Machine, Option<GdlError>), GdlError> {
        match Machine::compiled(sheet, limits) {
            Ok(machine) => Ok((machine, None)),
            Err(why @ (GdlError::Memory { .. } | GdlError::TooManyTries { .. } | GdlError::Time { .. })) => {
                Ok((Machine::prover(sheet)?, Some(why)))
            }
            Err(error) => Err(error),
        }
    }
}

/// The rules of a sheet, with the static relations computed.
fn statics(sheet: &Sheet) -> Result<Statics, GdlError> {
    let mut budget = WorkBudget::new("reading the rules", MOST_ROWS);
    let program = FlatProgram::new(sheet, &mut budget)?;
    Statics::new(program, &mut budget)
}

impl Compiled {
    /// Grounds a sheet and builds its propositional network.
    ///
    /// # Errors
    /// [`GdlError`] if the rules cannot be flattened, or do not fit the limits.
    pub fn build(sheet: &Sheet, limits: BuildLimits) -> Result<Compiled, GdlError> {
        let mut budget = WorkBudget::new("grounding", limits.steps).within(limits.time, limits.stop);
        let program = FlatProgram::to_ground(sheet, &mut budget)?;
        let statics = Statics::new(program, &mut budget)?;
        Compiled::new(statics, &mut budget)
    }
}

/// A compiled machine that is being built in a thread of its own, while the prover plays. Dropping this stops the work.
#[derive(Debug)]
pub struct Building {
    stop: Stop,
    is_built: Stop,
    built: Receiver<Result<Machine, GdlError>>,
}

impl Building {
    /// Starts to build.
    pub fn start(sheet: Sheet, limits: BuildLimits) -> Building {
        Building::start_after(sheet, limits, Duration::ZERO, mpsc::channel().1)
    }

    /// Starts to build when `first` is heard of or nobody is left who could say it, but after `patience` at the latest: for who has
    /// something to do that is more urgent, and perhaps a single core.
    pub fn start_after(sheet: Sheet, limits: BuildLimits, patience: Duration, first: Receiver<()>) -> Building {
        let stop = limits.stop.child();
        let limits = BuildLimits {
            stop: stop.clone(),
            ..limits
        };
        let is_built = stop.child();
        let sign = is_built.clone();
        let (send, built) = mpsc::channel();
        std::thread::spawn(move || {
            let _ = first.recv_timeout(patience);
            let machine = Machine::compiled(&sheet, limits);
            let is_there = machine.is_ok();
            // The receiver may be gone.
            let _ = send.send(machine);
            if is_there {
                sign.raise();
            }
        });
        Building { stop, is_built, built }
    }

    /// Raised when the machine is there, not when there will be none: for who does meanwhile what is of no use then.
    pub fn is_built(&self) -> Stop {
        self.is_built.clone()
    }

    /// The machine, or why there will be none, if that is known within `patience`. The answer is given once.
    pub fn wait(&self, patience: Duration) -> Option<Result<Machine, GdlError>> {
        self.built.recv_timeout(patience).ok()
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

impl Sheet {
    /// Reads and checks a sheet; the error holds the whole report.
    ///
    /// # Errors
    /// [`GdlError::Sheet`] with what the checker found, and where.
    pub fn parse(name: &str, text: &str) -> Result<Sheet, GdlError> {
        let (sheet, report) = Sheet::read(name, text);
        sheet.ok_or_else(|| GdlError::Sheet {
            name: name.to_string(),
            errors: report.counts().0,
            report: report.render(),
        })
    }

    /// Reads a bundled sheet by name, or else a file.
    ///
    /// # Errors
    /// [`GdlError`] if the file cannot be read or the checker finds errors.
    pub fn load(name: &str) -> Result<Sheet, GdlError> {
        Sheet::parse(name, &Sheet::text(name)?)
    }

    /// The text of a bundled sheet or of a file, unread.
    ///
    /// # Errors
    /// [`GdlError::File`] if it cannot be read.
    pub fn text(name: &str) -> Result<String, GdlError> {
        if let Some(text) = crate::bundled::text(name) {
            return Ok(text.to_string());
        }
        let failed = |why: String| GdlError::File {
            name: name.to_string(),
            why,
        };
        let file = File::open(name).map_err(|error| {
            let names: Vec<&str> = crate::bundled::names().collect();
            failed(format!("{error} (bundled sheets: {})", names.join(", ")))
        })?;
        // Some files have no end.
        let mut bytes = Vec::new();
        let read = file.take(LONGEST as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| failed(error.to_string()))?;
        if bytes.len() > LONGEST {
            return Err(failed(format!("more than {LONGEST} bytes are no rule sheet")));
        }
        String::from_utf8(bytes).map_err(|_| failed("it is no text in UTF-8".into()))
    }
}
