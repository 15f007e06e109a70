//! What a student's program took of the clock and of the processor, and what that advises.

use arena::tally::TurnTimes;
use arena::terms::{Terms, TimeControl};

/// Processor time in seconds, for a table; a player of ours has none of its own.
pub fn processor_cell(times: &TurnTimes) -> String {
    match times.processor.count() {
        0 => "–".into(),
        _ => format!("{:.2}", times.processor.seconds()),
    }
}

/// The time on the clock and of the processor, in all games.
pub fn in_words(times: &TurnTimes) -> String {
    let turns = turns(times);
    let most = times.place.most_ms().max(times.give.most_ms());
    let mut text = format!(
        "## Time\n\n{:.2} s on the clock in {turns} turns: {:.1} ms a turn, {most:.1} ms at most.",
        times.seconds(),
        mean_ms(times),
    );
    let processor = &times.processor;
    if processor.count() > 0 {
        text += &format!(
            " {:.2} s of processor time in {} games: {:.2} s a game, {:.2} s at most, with all that it started, on all cores, also while the other thought.",
            processor.seconds(),
            processor.count(),
            processor.mean_ms() / 1e3,
            processor.most_ms() / 1e3,
        );
    }
    text + "\n\n"
}

/// What the times say about the program.
pub fn advice(times: &TurnTimes, terms: &Terms) -> Vec<String> {
    let mut advice = Vec::new();
    let processor = &times.processor;
    if let Some(most) = terms.limits.cpu.map(|most| most.as_secs_f64())
        && processor.most_ms() / 1e3 > most / 2.0
    {
        advice.push(format!(
            "One game took {:.1} s of the {most:.1} s of processor time that a game may take: who goes beyond loses the game",
            processor.most_ms() / 1e3
        ));
    }
    // Starting a program costs a little, which is nobody's fault.
    let start = 0.5 * processor.count() as f64;
    if processor.seconds() > 1.5 * times.seconds() + start {
        advice.push(format!(
            "It took {:.1} s of processor time for {:.1} s on its clock: it works on several cores or while the other thinks, and limits count both",
            processor.seconds(),
            times.seconds()
        ));
    }
    if let TimeControl::Move(limit) = terms.control
        && turns(times) > 0
        && mean_ms(times) < limit.as_secs_f64() * 1e3 / 10.0
    {
        advice.push(format!(
            "It takes {:.1} ms a turn of the {} ms that it has: there is time to look further ahead",
            mean_ms(times),
            limit.as_millis()
        ));
    }
    advice
}

/// A program answers with a whole turn; a player of ours may place and give apart.
fn turns(times: &TurnTimes) -> u64 {
    times.place.count().max(times.give.count())
}

fn mean_ms(times: &TurnTimes) -> f64 {
    1e3 * times.seconds() / turns(times).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn times(turn_ms: u64, processor_ms: u64) -> TurnTimes {
        let mut times = TurnTimes::default();
        for _ in 0..10 {
            times.add((Some(Duration::from_millis(turn_ms)), None));
        }
        times.processor.add(Duration::from_millis(processor_ms));
        times
    }

    fn terms(cpu: u64) -> Terms {
        let mut terms = Terms {
            control: TimeControl::Move(Duration::from_secs(1)),
            ..Terms::default()
        };
        terms.limits.cpu = Some(Duration::from_secs(cpu));
        terms
    }

    #[test]
    fn both_times_are_told() {
        let text = in_words(&times(50, 450));
        assert!(
            text.contains("0.50 s on the clock in 10 turns: 50.0 ms a turn"),
            "{text}"
        );
        assert!(text.contains("0.45 s of processor time in 1 games"), "{text}");
        let ours = in_words(&TurnTimes::default());
        assert!(ours.contains("in 0 turns") && !ours.contains("processor"), "{ours}");
        assert_eq!(processor_cell(&TurnTimes::default()), "–");
        assert_eq!(processor_cell(&times(50, 450)), "0.45");
    }

    #[test]
    fn who_uses_its_time_well_is_told_nothing_and_each_of_the_others_what_is_odd() {
        let told = |turn, processor, cpu| advice(&times(turn, processor), &terms(cpu)).join(" ");
        assert_eq!(told(500, 5000, 120), "");
        assert!(told(20, 200, 120).contains("20.0 ms a turn of the 1000 ms"));
        assert!(told(500, 20_000, 120).contains("several cores or while the other thinks"));
        assert!(told(500, 5000, 9).contains("5.0 s of the 9.0 s of processor time"));
    }
}
