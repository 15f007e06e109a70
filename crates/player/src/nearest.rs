//! "Did you mean …?"

/// The candidate nearest to `word`, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |candidate: &str| {
        // A beginning of the name is as good as a single slip.
        let begins = word.len() >= 3 && candidate.starts_with(&word);
        if begins {
            1
        } else {
            strsim::damerau_levenshtein(&word, candidate)
        }
    };
    let (near, slips) = candidates
        .into_iter()
        .map(|candidate| (candidate, distance(candidate)))
        .min_by_key(|(_, slips)| *slips)?;
    (slips <= 1 + near.len().max(word.len()) / 3).then_some(near)
}

/// "did you mean `near`?", or a list of what there is.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = candidates.into_iter().collect();
            match all.is_empty() {
                true => "there are none".into(),
                false => format!("there are {}", all.join(", ")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let names = ["random", "novice", "montecarlo", "minimax"];
        assert_eq!(nearest("novise", names), Some("novice"));
        assert_eq!(nearest("Ramdon", names), Some("random"));
        assert_eq!(nearest("monte", names), Some("montecarlo"));
        assert_eq!(nearest("xyzzy", names), None);
    }
}
