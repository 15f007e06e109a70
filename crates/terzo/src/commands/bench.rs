//! `terzo bench`

use crate::output;
use quarto::signature::{CASES, Case, Cost};
use serde_json::json;
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "The total of nodes is the search's signature: a change that should not alter play must not alter it.\n\nExamples:\n  terzo bench\n  terzo bench --json"
)]
pub struct BenchArgs {
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl BenchArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let mut costs: Vec<(&Case, Cost)> = Vec::new();
        for case in CASES {
            let cost = case.run()?;
            if !self.json {
                output::print(&format!(
                    "{:20} {:24} {:8} depth {:2}  {:>10} nodes  {:>8.1} ms  value {}\n",
                    case.game,
                    case.position,
                    case.eval,
                    case.depth,
                    cost.nodes,
                    cost.time.as_secs_f64() * 1e3,
                    cost.value,
                ))?;
            }
            costs.push((case, cost));
        }
        let nodes: u64 = costs.iter().map(|(_, cost)| cost.nodes).sum();
        let seconds = costs.iter().map(|(_, cost)| cost.time).sum::<Duration>().as_secs_f64();
        let per_second = (nodes as f64 / seconds.max(1e-9)) as u64;
        if self.json {
            let cases: Vec<_> = costs
                .iter()
                .map(|(case, cost)| {
                    json!({
                        "game": case.game, "position": case.position, "eval": case.eval, "depth": case.depth,
                        "nodes": cost.nodes, "seconds": cost.time.as_secs_f64(), "value": cost.value,
                    })
                })
                .collect();
            return output::print_json(&json!({
                "nodes": nodes, "seconds": seconds, "nodes_per_second": per_second, "cases": cases,
            }));
        }
        output::print(&format!("{nodes} nodes {per_second} nodes a second\n"))
    }
}
