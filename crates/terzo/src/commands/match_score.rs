//! What matches come to: shares of the points and differences in Elo, with 95 % intervals.

use arena::gauntlet::GauntletMatch;
use arena::stats::pairs::compare;
use arena::stats::{Z95, elo_of_score};
use serde_json::{Value, json};

/// What is said of a match, or of all matches with an opponent: shares of the points.
pub struct MatchScore {
    pub games: u64,
    pub share: f64,
    pub half_width: Option<f64>,
}

impl MatchScore {
    /// Of a match at a table with so many seats.
    pub fn of(seats: usize, done: &GauntletMatch) -> Self {
        let payoffs = done
            .tally
            .players
            .first()
            .map(|first| first.payoffs())
            .unwrap_or_default();
        let pairs = compare(&done.pairs);
        let spread = match seats {
            2 if pairs.pairs > 0 => {
                let (_, variance) = arena::stats::pairs::mean_and_variance(&done.pairs);
                Some(Z95 * (variance / pairs.pairs as f64).sqrt())
            }
            _ => payoffs.half_width().map(|half| half / 100.0),
        };
        MatchScore {
            games: payoffs.games(),
            share: payoffs.mean() / 100.0,
            half_width: spread,
        }
    }

    /// The mean of several: every game counts alike, however many times it was played.
    pub fn mean(all: &[MatchScore]) -> Self {
        let n = all.len().max(1) as f64;
        let squares: Option<f64> = all.iter().map(|one| one.half_width.map(|half| half * half)).sum();
        MatchScore {
            games: all.iter().map(|one| one.games).sum(),
            share: all.iter().map(|one| one.share).sum::<f64>() / n,
            half_width: squares.map(|squares| squares.sqrt() / n),
        }
    }

    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = self.half_width?;
        Some(((self.share - half).max(0.0), (self.share + half).min(1.0)))
    }

    pub fn points(&self) -> String {
        let own = format!("{:.1} %", 100.0 * self.share);
        match self.interval() {
            Some((low, high)) => format!("{own} ({:.0} to {:.0})", 100.0 * low, 100.0 * high),
            None => own,
        }
    }

    pub fn elo(&self) -> String {
        // Whoever has won or lost everything has no finite rating.
        let bounded = |share: f64| elo_of_score(share.clamp(0.001, 0.999)).round() + 0.0;
        match self.interval() {
            Some((low, high)) => format!("{:+} ({:+} to {:+})", bounded(self.share), bounded(low), bounded(high)),
            None => format!("{:+}", bounded(self.share)),
        }
    }

    pub fn as_json(&self) -> Value {
        json!({"games": self.games, "share": self.share, "interval": self.interval()})
    }
}
