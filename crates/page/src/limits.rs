//! The limits: how much anybody may ask for.

use crate::api_error::ApiError;
use player::Spec;
use std::time::Duration;

/// What the server allows.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Tables in memory; the longest untouched beyond that live in the records only.
    pub tables: usize,
    /// Tables that one address elsewhere may open in a minute: the records are shared, and nobody shall flood them.
    pub tables_a_minute: u32,
    /// Tables in the records; the longest untouched beyond that are forgotten.
    pub kept: usize,
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// Connections at once, of all clients.
    pub connections: usize,
    /// Connections at once from one address elsewhere.
    pub connections_each: usize,
    /// How long a request may take to arrive.
    pub arrival: Duration,
    /// Streams open at once, of all clients.
    pub streams: usize,
    /// Streams open at once from one address elsewhere.
    pub streams_each: usize,
    /// How long a program may think about a turn.
    pub thought: Duration,
    /// How long the solver may work for one question of a client.
    pub solving: Duration,
    /// The solver's memory on each of its threads, in bytes.
    pub solver_memory: usize,
    /// Threads on which programs think.
    pub thinkers: usize,
    /// Threads on which the solver works.
    pub solvers: usize,
    /// Tournaments at once.
    pub tournaments: usize,
    /// Whether recorded tournaments of programs may be gone on with: these run with the rights of who started the server.
    pub engines: bool,
}

impl Default for ServerLimits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ServerLimits {
            tables: 1000,
            tables_a_minute: 60,
            kept: 100_000,
            body: 256 << 10,
            connections: 4000,
            connections_each: 100,
            arrival: Duration::from_secs(20),
            streams: 2000,
            streams_each: 64,
            thought: Duration::from_secs(5),
            solving: Duration::from_secs(20),
            solver_memory: 64 << 20,
            // More than cores: the system shares them out among thoughts, so that short ones pass long ones.
            thinkers: 4 * cores,
            // Solving is a luxury: it leaves room for the programs that people wait for.
            solvers: cores.div_ceil(2),
            tournaments: 2,
            engines: false,
        }
    }
}

/// The most that options which cost memory or threads may say here.
const MOST: [(&str, u64); 4] = [("table", 64), ("threads", 1), ("trees", 4), ("playouts", 1_000_000)];

/// Whether a spec may come from the page: players that cost the server no more than time, which is bounded otherwise.
pub fn check_spec(text: &str) -> Result<(), ApiError> {
    if text.len() > 200 {
        return Err(ApiError::unknown_player(
            "a player's name and options are shorter than 200 bytes",
        ));
    }
    let spec: Spec = text.parse().map_err(ApiError::unknown_player)?;
    if spec.as_program().is_some() {
        return Err(ApiError::unknown_player(
            "programs of the server's machine cannot be started from the page",
        ));
    }
    for (key, value) in &spec.options {
        let most = MOST.iter().find(|(limited, _)| limited == key).map(|(_, most)| *most);
        if let (Some(most), Ok(number)) = (most, value.parse::<u64>())
            && number > most
        {
            return Err(ApiError::unknown_player(format!(
                "on the page, option `{key}` is at most {most}"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_the_server_more_than_time_is_refused() {
        for allowed in [
            "novice",
            "perfect:level=5",
            "mcts:playouts=1000,time=1s",
            "strong:table=64",
        ] {
            assert_eq!(check_spec(allowed), Ok(()), "{allowed}");
        }
        for refused in [
            "engine:rm -rf",
            "course:rm {port}",
            "strong:table=65536",
            "strong:threads=256",
            "mcts:trees=256",
            "a b",
            "",
        ] {
            assert_eq!(check_spec(refused).unwrap_err().code(), "unknown_player", "{refused}");
        }
    }
}
