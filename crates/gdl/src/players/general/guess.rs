//! What a position looks like before anything was tried there: the facts that hold, each with a weight, added up. The weights are
//! learnt from the results of random games while the tree grows (logistic regression, a step a game).

/// Guesses what the first seat gets.
#[derive(Clone, Debug, Default)]
pub struct Guesser {
    /// Of every fact, by its bit in a state; what holds always comes last.
    weights: Vec<Weight>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    value: f32,
    /// How much it was moved so far: who was moved much is moved less (AdaGrad).
    moved: f32,
}

impl Guesser {
    /// What the first seat gets, 0 to 1.
    pub fn guess(&self, state: &[u32]) -> f32 {
        let mut sum = self.weights.last().map_or(0.0, |always| always.value);
        facts(state, |fact| {
            sum += self.weights.get(fact).map_or(0.0, |weight| weight.value)
        });
        1.0 / (1.0 + (-sum).exp())
    }

    /// Learns from what the first seat got.
    pub fn learn(&mut self, state: &[u32], got: f32) {
        self.weights.resize(state.len() * 32 + 1, Weight::default());
        let wrong = got - self.guess(state);
        let count: u32 = state.iter().map(|word| word.count_ones()).sum();
        let (step, square) = (wrong / (count + 1) as f32, wrong * wrong);
        let mut teach = |fact: usize| {
            let weight = &mut self.weights[fact];
            weight.moved += square;
            weight.value += step / (1.0 + weight.moved).sqrt();
        };
        facts(state, &mut teach);
        teach(state.len() * 32);
    }
}

/// Calls `f` with every fact that holds.
fn facts(state: &[u32], mut f: impl FnMut(usize)) {
    for (at, &word) in state.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            f(at * 32 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_which_fact_wins() {
        let mut guesser = Guesser::default();
        assert_eq!(guesser.guess(&[5]), 0.5);
        let mut rng = game::rng(1);
        for _ in 0..4000 {
            let state = game::below(&mut rng, 256);
            guesser.learn(&[state], f32::from(u8::from(state & 4 != 0)));
        }
        assert!(guesser.guess(&[0b0000_0100]) > 0.9);
        assert!(guesser.guess(&[0b1111_1011]) < 0.1);
    }
}
