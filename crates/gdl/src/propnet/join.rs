//! Putting the pieces of split rules together: each gets a relation of its own, and what can be shared is.

use crate::logic::{Col, FlatLiteral, FlatRule, RelId};
use std::collections::{HashMap, VecDeque};

/// Relations of pieces that have none yet are numbered from here.
pub const HOLE: RelId = RelId::MAX / 2;

/// A rule in pieces. Conditions of later ones refer to earlier ones by numbers from [`HOLE`] on; the last one is for the relation of
/// the rule.
#[derive(Default)]
pub struct Pieces {
    /// The pieces.
    pub rules: Vec<FlatRule>,
    /// The heads of those that are guards.
    pub guards: Vec<RelId>,
}

/// A relation that splitting has added.
#[derive(Clone, Copy, Debug)]
pub struct AddedRelation {
    /// How many columns it has.
    pub arity: usize,
    /// Whether it only says what is grounded.
    pub is_guard: bool,
}

/// The rules of all pieces, and the relations that were added, which are numbered from `first`.
pub fn join(pieces: Vec<Pieces>, first: RelId) -> (Vec<FlatRule>, Vec<AddedRelation>) {
    let mut joiner = Joiner {
        first,
        whole: Vec::new(),
        parts: Vec::new(),
        guards: Vec::new(),
    };
    pieces.into_iter().for_each(|pieces| joiner.install(pieces));
    joiner.merge();
    joiner.share()
}

struct Joiner {
    first: RelId,
    /// The rules of the program's own relations.
    whole: Vec<FlatRule>,
    /// The rules of the relations that were added.
    parts: Vec<Vec<FlatRule>>,
    /// Which of these are guards.
    guards: Vec<bool>,
}

impl Joiner {
    /// Gives every piece a relation of its own.
    fn install(&mut self, pieces: Pieces) {
        let begin = self.first + self.parts.len();
        for rule in pieces.rules {
            let mut rule = compact(rule);
            for lit in &mut rule.body {
                if let FlatLiteral::Is(rel, _) = lit
                    && *rel >= HOLE
                {
                    *rel = *rel - HOLE + begin;
                }
            }
            if rule.head >= HOLE {
                self.guards.push(pieces.guards.contains(&rule.head));
                rule.head = rule.head - HOLE + begin;
                self.parts.push(vec![rule]);
            } else {
                self.whole.push(rule);
            }
        }
    }

    /// The added relations that a rule uses.
    fn used(&self, rule: &FlatRule) -> Vec<RelId> {
        let added = |lit: &FlatLiteral| match lit {
            FlatLiteral::Is(rel, _) if *rel >= self.first => Some(*rel),
            _ => None,
        };
        rule.body.iter().filter_map(added).collect()
    }

    /// Where two rules differ in one added relation only, the two become one, and one of the rules is enough. From the rules of the
    /// program inwards, so that what differs far inside is merged only where all around it is the same.
    fn merge(&mut self) {
        let mut contexts: HashMap<FlatRule, RelId> = HashMap::new();
        let mut open = VecDeque::new();
        for rule in std::mem::take(&mut self.whole) {
            if let Some(rule) = self.merged(rule, &mut contexts, &mut open) {
                self.whole.push(rule);
            }
        }
        while let Some(rel) = open.pop_front() {
            for rule in std::mem::take(&mut self.parts[rel - self.first]) {
                if let Some(rule) = self.merged(rule, &mut contexts, &mut open) {
                    self.parts[rel - self.first].push(rule);
                }
            }
        }
    }

    /// The rule, unless another says the same of what is now one relation. What it uses is opened.
    fn merged(
        &mut self,
        rule: FlatRule,
        contexts: &mut HashMap<FlatRule, RelId>,
        open: &mut VecDeque<RelId>,
    ) -> Option<FlatRule> {
        let used = self.used(&rule);
        let [part] = used[..] else {
            open.extend(used);
            return Some(rule);
        };
        let mut context = rule.clone();
        let guard = usize::from(self.guards[part - self.first]);
        rename(&mut context, |rel| if rel == part { HOLE + guard } else { rel });
        let known = *contexts.entry(context).or_insert(part);
        if known == part {
            open.push_back(part);
            return Some(rule);
        }
        for mut rule in std::mem::take(&mut self.parts[part - self.first]) {
            rule.head = known;
            self.parts[known - self.first].push(rule);
        }
        None
    }

    /// Equal relations become one; the rules that are left, and what was added.
    fn share(mut self) -> (Vec<FlatRule>, Vec<AddedRelation>) {
        let mut shared = Shared::default();
        let mut rules = Vec::new();
        for mut rule in std::mem::take(&mut self.whole) {
            for part in self.used(&rule) {
                self.name(part, &mut shared, &mut rules);
            }
            rename(&mut rule, |rel| *shared.names.get(&rel).unwrap_or(&rel));
            rules.push(rule);
        }
        (rules, shared.added)
    }

    /// Gives a relation its final number, after all that it uses. Parts are nested no deeper than rules are long.
    fn name(&mut self, part: RelId, shared: &mut Shared, rules: &mut Vec<FlatRule>) {
        if shared.names.contains_key(&part) {
            return;
        }
        let mut own = std::mem::take(&mut self.parts[part - self.first]);
        for rule in &mut own {
            for inner in self.used(rule) {
                self.name(inner, shared, rules);
            }
            rename(rule, |rel| *shared.names.get(&rel).unwrap_or(&rel));
        }
        let arity = own.first().map_or(0, |rule| rule.cols.len());
        let meaning = own.iter().map(|rule| (rule.body.clone(), rule.cols.clone())).collect();
        let is_guard = self.guards[part - self.first];
        let next = self.first + shared.added.len();
        let name = *shared.known.entry((meaning, is_guard)).or_insert(next);
        shared.names.insert(part, name);
        if name == next {
            shared.added.push(AddedRelation { arity, is_guard });
            own.iter_mut().for_each(|rule| rule.head = name);
            rules.extend(own);
        }
    }
}

/// The conditions and the columns of a relation's rules, and whether it is a guard.
type Meaning = (Vec<(Vec<FlatLiteral>, Vec<Col>)>, bool);

/// What added relations mean, and their final numbers.
#[derive(Default)]
struct Shared {
    names: HashMap<RelId, RelId>,
    known: HashMap<Meaning, RelId>,
    added: Vec<AddedRelation>,
}

/// Other relations for the conditions that must hold.
fn rename(rule: &mut FlatRule, name: impl Fn(RelId) -> RelId) {
    for lit in &mut rule.body {
        if let FlatLiteral::Is(rel, _) = lit {
            *rel = name(*rel);
        }
    }
}

/// The rule with its variables numbered in the order in which they occur.
fn compact(mut rule: FlatRule) -> FlatRule {
    let mut numbers: HashMap<u16, u16> = HashMap::new();
    let mut rename = |col: &mut Col| {
        if let Col::Var(var) = col {
            let next = numbers.len() as u16;
            *var = *numbers.entry(*var).or_insert(next);
        }
    };
    for lit in &mut rule.body {
        match lit {
            FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => cols.iter_mut().for_each(&mut rename),
            FlatLiteral::Distinct(a, b) => [a, b].into_iter().for_each(&mut rename),
        }
    }
    rule.cols.iter_mut().for_each(&mut rename);
    rule.vars = numbers.len();
    rule
}
