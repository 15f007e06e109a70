//! `--limits` and `--sandbox`: what programs outside may use.

use crate::output::say;
use arena::gamelog::GameLog;
use arena::terms::{ResourceLimits, TimeControl};
use std::path::Path;
use std::sync::Arc;

/// What an engine and all it starts may use.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Limits of engines")]
pub struct EngineLimits {
    /// What each engine and all it starts may use: any of memory=512M,cpu=10s,processes=8,files=64,disk=100M; cpu is processor time a game
    #[arg(long, value_name = "LIMITS")]
    limits: Option<ResourceLimits>,
    /// Run engines in a sandbox: no network, nothing written but in their own folder
    #[arg(long)]
    sandbox: bool,
}

impl EngineLimits {
    /// These, or others where nothing was said.
    pub fn or(&self, others: ResourceLimits) -> ResourceLimits {
        let mut limits = self.limits.unwrap_or(others);
        limits.sandbox |= self.sandbox;
        limits
    }
}

/// Says what a sandbox does not hold here, if engines are to run in one.
pub fn warn_of_gaps(limits: &ResourceLimits) {
    if !limits.sandbox {
        return;
    }
    match process::sandbox_gaps().map(process::Gaps::in_words) {
        Ok(None) => (),
        Ok(Some(gap)) => say(&format!("the sandbox of an engine has a gap: {gap}")),
        Err(error) => say(&format!("whether a sandbox holds here could not be tried: {error}")),
    }
}

/// Says when more games run at once than there are cores: on a clock, who waits for a core loses time.
pub fn warn_of_crowding(games: usize, control: TimeControl) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if games > cores && matches!(control, TimeControl::Move(_) | TimeControl::Game { .. }) {
        say(&format!(
            "{games} games at once on {cores} cores: players wait for each other while their clocks run. At most {cores} are fair"
        ));
    }
}

/// A folder for conversations, if there is to be one.
pub fn open_log(folder: Option<&Path>, names: Vec<String>) -> anyhow::Result<Option<Arc<GameLog>>> {
    use anyhow::Context;
    let open =
        |folder: &Path| GameLog::open(folder, names).with_context(|| format!("cannot write {}", folder.display()));
    Ok(folder.map(open).transpose()?.map(Arc::new))
}

/// Says that conversations could not be written, if they could not.
pub fn warn_of_log(log: Option<&GameLog>) {
    if let Some(trouble) = log.and_then(GameLog::trouble) {
        say(&format!("not every conversation could be written: {trouble}"));
    }
}
