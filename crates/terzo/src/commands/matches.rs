//! Recorded matches of general game players, as text and as JSON.

use crate::output;
use arena::matches::{FINISHED, MatchEntry, MatchMove};
use arena::store::Store;
use serde_json::{Value, json};

/// A match in one line: who played what and what it got.
pub fn as_line(entry: &MatchEntry) -> String {
    let roles: Vec<String> = entry
        .roles
        .iter()
        .map(|role| {
            let goal = role.goal.map_or("-".into(), |goal| goal.to_string());
            format!("{} {} {goal}", role.role, role.player)
        })
        .collect();
    let mut line = format!(
        "match {}, {} ({}), {} turns: {}",
        entry.id,
        entry.game,
        entry.key,
        entry.turns,
        roles.join(", ")
    );
    match entry.ended.as_deref() {
        Some(FINISHED) => {}
        Some(how) => line += &format!("; {how}"),
        None => line += "; never ended",
    }
    if entry.faults > 0 {
        line += &format!("; {} moves replaced", entry.faults);
    }
    line + "\n"
}

/// A match with all its turns.
pub fn as_json(entry: &MatchEntry, turns: &[Vec<MatchMove>]) -> Value {
    let replaced = |number: usize| {
        turns
            .iter()
            .filter(|turn| turn.get(number).is_some_and(|mv| mv.fault.is_some()))
            .count()
    };
    let roles: Vec<Value> = entry
        .roles
        .iter()
        .enumerate()
        .map(|(number, role)| {
            json!({
                "role": role.role, "player": role.player, "goal": role.goal, "not_ready": role.fault,
                "replaced": replaced(number),
            })
        })
        .collect();
    let turns: Vec<Vec<Value>> = turns
        .iter()
        .map(|turn| {
            let moves = turn.iter().map(|mv| {
                let ms = mv.took.map(|took| took.as_millis() as u64);
                json!({"move": mv.mv, "ms": ms, "fault": mv.fault})
            });
            moves.collect()
        })
        .collect();
    let mut json = summary(entry);
    json["roles"] = roles.into();
    json["turns"] = turns.into();
    json
}

/// A match without its turns.
pub fn summary(entry: &MatchEntry) -> Value {
    let players: Vec<&str> = entry.roles.iter().map(|role| role.player.as_str()).collect();
    let goals: Vec<Option<u8>> = entry.roles.iter().map(|role| role.goal).collect();
    json!({
        "id": entry.id, "key": entry.key, "game": entry.game, "started": entry.started, "ended": entry.ended,
        "start_clock": entry.clocks[0].as_secs(), "play_clock": entry.clocks[1].as_secs(), "seed": entry.seed,
        "players": players, "goals": goals, "turn_count": entry.turns, "replaced": entry.faults,
    })
}

/// Shows a match turn by turn.
pub fn show(store: &Store, id: Option<i64>, json: bool, sheet: bool) -> anyhow::Result<()> {
    let (entry, rules) = store.match_entry(id)?;
    if sheet {
        return output::print(&rules);
    }
    let turns = store.match_turns(entry.id)?;
    if json {
        return output::print_json(&as_json(&entry, &turns));
    }
    let mut text = as_line(&entry);
    for role in entry.roles.iter() {
        if let Some(fault) = &role.fault {
            text += &format!("{} was not ready: {fault}\n", role.role);
        }
    }
    for (number, turn) in turns.iter().enumerate() {
        let moves: Vec<String> = turn
            .iter()
            .map(|mv| match &mv.fault {
                Some(fault) => format!("{} [{fault}]", mv.mv),
                None => mv.mv.clone(),
            })
            .collect();
        text += &format!("{:>4}  {}\n", number + 1, moves.join("  "));
    }
    output::print(&text)
}
