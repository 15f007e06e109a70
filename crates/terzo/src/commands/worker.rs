//! `terzo worker`

use super::on::{Credentials, VERSION};
use super::solving::{self, Solving};
use super::tournament;
use crate::usage::UsageError;
use crate::{interrupt, output, registry};
use arena::identity::Identity as Programs;
use arena::plan::{Contender, Plan};
use arena::queue::Order;
use arena::queue::nats::{AnyWork, Post, WorkerIdentity, serve};
use arena::tournament::{Brief, KIND};
use player::Spec;
use quarto::signature::CASES;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "A worker takes jobs from whoever runs `terzo tournament --on URL`, `terzo book build --on URL` or `terzo solve --on URL` with the same version, and does them until Ctrl-C. It may come and go, and be killed: what it had in hand is done by another.\n\nWhoever can write to the server decides what is played here. Programs (engine:, course:, cmd = ...) are started only with --engines: they run with your rights.\n\nExamples:\n  nats-server -js -sd nats-data &\n  terzo worker --on nats://127.0.0.1:4222\n  terzo tournament --game quarto --players novice minimax --rounds 10000 \\\n    --on nats://127.0.0.1:4222"
)]
pub struct WorkerArgs {
    /// The NATS server, such as nats://127.0.0.1:4222
    #[arg(long, value_name = "URL")]
    on: String,
    /// How many jobs at once; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// What it is called; the machine's name and a number if left out
    #[arg(long)]
    name: Option<String>,
    /// Start the programs that plans name
    #[arg(long)]
    engines: bool,
    /// The most memory for a solver's table, such as 512M or 4G
    #[arg(long, value_name = "M", value_parser = super::truth::parse_memory, default_value = "512M")]
    memory: usize,
    #[command(flatten)]
    credentials: Credentials,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl WorkerArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let threads = match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs.min(1024),
        };
        let access = self.credentials.access(&self.on);
        access.check().map_err(|error| UsageError(format!("--on: {error}")))?;
        let name = self.name.clone().unwrap_or_else(own_name);
        let identity = WorkerIdentity {
            version: VERSION.into(),
            speed: speed()?,
        };
        output::say(&format!(
            "worker {name}: {threads} at once through {access}, version {}, {:.1} M nodes a second",
            identity.version,
            identity.speed as f64 / 1e6
        ));
        let tell = |line: &str| output::say(&format!("worker {name}: {line}"));
        let post = Post {
            access,
            identity,
            name: name.clone(),
            threads,
            stop: interrupt::sign()?.child(),
            tell: &tell,
        };
        let (engines, memory) = (self.engines, self.memory);
        let done = serve(&post, Arc::new(move |order| make(order, engines, memory)))?;
        match self.json {
            true => output::print_json(&json!({"worker": name, "units": done})),
            false => output::print(&format!("{done} units done\n")),
        }
    }
}

/// The machine and the process.
fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = match host.trim() {
        "" => "worker",
        host => host,
    };
    format!("{host}-{}", std::process::id())
}

/// Nodes a second in the bench.
fn speed() -> anyhow::Result<u64> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for case in CASES {
        let cost = case.run()?;
        nodes += cost.nodes;
        time += cost.time;
    }
    Ok((nodes as f64 / time.as_secs_f64().max(1e-9)) as u64)
}

/// Makes work of an order.
fn make(order: &Order, engines: bool, memory: usize) -> Result<Arc<dyn AnyWork>, String> {
    match order.kind.as_str() {
        KIND => pairs(&order.text, engines),
        solving::KIND => {
            let solving = Solving::of_order(&order.text, memory).map_err(|error| format!("{error:#}"))?;
            Ok(Arc::new(solving))
        }
        other => Err(format!("this worker does not know work of the kind {other:?}")),
    }
}

fn pairs(text: &str, engines: bool) -> Result<Arc<dyn AnyWork>, String> {
    let brief: Brief = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let plan = Plan::from_toml(&brief.plan, "the plan", Path::new("")).map_err(|error| error.to_string())?;
    let starts_a_program = |contender: &Contender| match contender {
        Contender::Engine(_) => true,
        Contender::Spec(spec) => spec.parse::<Spec>().is_ok_and(|spec| spec.as_program().is_some()),
    };
    if !engines && let Some(player) = plan.players.iter().find(|player| starts_a_program(&player.player)) {
        return Err(format!(
            "player {} is a program, and this worker starts none: run `terzo worker --engines` where that is wanted",
            player.name
        ));
    }
    // Before anything is opened: whoever wrote the plan must not choose what this machine reads.
    if games::is_file(&plan.game) {
        return Err(format!(
            "{} is a file, and this worker opens none: only bundled rule sheets are played elsewhere",
            plan.game
        ));
    }
    let game = registry::find(&plan.game).map_err(|error| error.to_string())?;
    let pairs = tournament::pairs(game.as_ref(), &plan, brief.positions).map_err(|error| format!("{error:#}"))?;
    let differences = pairs.identity().differences(&Programs::of_parts(brief.identity));
    match differences.is_empty() {
        true => Ok(Arc::new(pairs)),
        false => Err(format!(
            "other programs here than with whoever wants this played: {}. Install the same, or declare a `version` in the plan",
            differences.join("; ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_from_elsewhere_opens_no_file_not_even_to_see_whether_it_is_there() {
        let plan = "game = \"gdl:no/such/file.kif\"\nrounds = 1\nplayers = [\"random\", \"random\"]\n";
        let brief = json!({"plan": plan, "positions": null}).to_string();
        let refused = pairs(&brief, false).err().unwrap();
        assert!(refused.contains("is a file, and this worker opens none"), "{refused}");
    }
}
