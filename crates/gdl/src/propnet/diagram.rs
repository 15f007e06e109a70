//! Decision diagrams of static relations that are too large for tables.
//!
//! "Exactly one of these nine is a 3" has hundreds of millions of rows, but read from left to right all that matters of what was read
//! is whether there was a 3. A diagram has one node for each such memory at each variable, and of a conjunction the nodes are pairs of
//! nodes. So the conditions of a rule on static relations become a diagram without any of the relations being listed.

use crate::GdlError;
use crate::logic::{Col, FlatLiteral, FlatRule, RelId, Statics, WorkBudget};
use std::collections::HashMap;

/// A node, as its number.
pub type DiagramNode = u32;
/// Nothing is allowed.
pub const NEVER: DiagramNode = 0;
/// All variables were read, and it is allowed.
const ALWAYS: DiagramNode = 1;
/// Definitions nested deeper than this are not followed.
const DEEPEST: usize = 40;
/// A diagram with more nodes, those on the way counted, is no better than a table.
const MOST_NODES: usize = 1 << 14;

/// What stands in a column: a constant, or the variable of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramColumn {
    /// A constant.
    Value(u32),
    /// The variable that is read at this level.
    Level(usize),
}

/// Diagrams over the same variables, read in the same order.
pub struct Diagrams<'a> {
    statics: &'a Statics,
    /// What each variable can be, in order.
    domains: Vec<Vec<u32>>,
    /// Where each value leads; values that lead nowhere are not there.
    nodes: Vec<DiagramEdges>,
    numbers: HashMap<(usize, DiagramEdges), DiagramNode>,
    pairs: HashMap<(bool, DiagramNode, DiagramNode), DiagramNode>,
    relations: HashMap<(RelId, Vec<DiagramColumn>), Option<DiagramNode>>,
}

type DiagramEdges = Box<[(u32, DiagramNode)]>;

impl<'a> Diagrams<'a> {
    /// No diagrams yet, over variables that can have these values.
    pub fn new(statics: &'a Statics, domains: Vec<Vec<u32>>) -> Self {
        Diagrams {
            statics,
            domains,
            nodes: vec![DiagramEdges::default(); 2],
            numbers: HashMap::new(),
            pairs: HashMap::new(),
            relations: HashMap::new(),
        }
    }

    /// Where the values that are allowed at a node lead.
    pub fn edges(&self, node: DiagramNode) -> &[(u32, DiagramNode)] {
        &self.nodes[node as usize]
    }

    /// Whatever the variables are.
    pub fn anything(&mut self, budget: &mut WorkBudget) -> Result<DiagramNode, GdlError> {
        self.any_from(0, budget)
    }

    fn any_from(&mut self, level: usize, budget: &mut WorkBudget) -> Result<DiagramNode, GdlError> {
        let mut node = ALWAYS;
        for level in (level..self.domains.len()).rev() {
            let edges = self.domains[level].iter().map(|&value| (value, node)).collect();
            node = self.node(level, edges, budget)?;
        }
        Ok(node)
    }

    /// Whether there are so many nodes that it is not worth while.
    pub fn is_too_large(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }

    fn node(&mut self, level: usize, edges: DiagramEdges, budget: &mut WorkBudget) -> Result<DiagramNode, GdlError> {
        if edges.is_empty() {
            return Ok(NEVER);
        }
        let key = (level, edges);
        if let Some(&node) = self.numbers.get(&key) {
            return Ok(node);
        }
        budget.spend()?;
        let node = self.nodes.len() as DiagramNode;
        self.nodes.push(key.1.clone());
        self.numbers.insert(key, node);
        Ok(node)
    }

    /// Both, or either.
    pub fn combine(
        &mut self,
        both: bool,
        a: DiagramNode,
        b: DiagramNode,
        budget: &mut WorkBudget,
    ) -> Result<DiagramNode, GdlError> {
        self.combine_from(0, both, a, b, budget)
    }

    fn combine_from(
        &mut self,
        level: usize,
        both: bool,
        a: DiagramNode,
        b: DiagramNode,
        budget: &mut WorkBudget,
    ) -> Result<DiagramNode, GdlError> {
        match (a, b) {
            _ if a == b => return Ok(a),
            (NEVER, other) | (other, NEVER) => return Ok(if both { NEVER } else { other }),
            _ if self.is_too_large() => return Ok(NEVER),
            _ => {}
        }
        let key = (both, a.min(b), a.max(b));
        if let Some(&node) = self.pairs.get(&key) {
            return Ok(node);
        }
        let mut edges = Vec::new();
        for at in 0..self.domains[level].len() {
            let value = self.domains[level][at];
            let (a, b) = (self.child(a, value), self.child(b, value));
            let child = self.combine_from(level + 1, both, a, b, budget)?;
            if child != NEVER {
                edges.push((value, child));
            }
        }
        let node = self.node(level, edges.into(), budget)?;
        self.pairs.insert(key, node);
        Ok(node)
    }

    fn child(&self, node: DiagramNode, value: u32) -> DiagramNode {
        let edges = self.edges(node);
        let at = edges.binary_search_by_key(&value, |edge| edge.0);
        at.map_or(NEVER, |at| edges[at].1)
    }

    /// What is not allowed there.
    fn complement(
        &mut self,
        level: usize,
        node: DiagramNode,
        known: &mut HashMap<DiagramNode, DiagramNode>,
        budget: &mut WorkBudget,
    ) -> Result<DiagramNode, GdlError> {
        match node {
            NEVER => return self.any_from(level, budget),
            ALWAYS => return Ok(NEVER),
            _ => {}
        }
        if let Some(&other) = known.get(&node) {
            return Ok(other);
        }
        let mut edges = Vec::new();
        for at in 0..self.domains[level].len() {
            let value = self.domains[level][at];
            let child = self.complement(level + 1, self.child(node, value), known, budget)?;
            if child != NEVER {
                edges.push((value, child));
            }
        }
        let other = self.node(level, edges.into(), budget)?;
        known.insert(node, other);
        Ok(other)
    }

    /// What is not allowed.
    pub fn not(&mut self, node: DiagramNode, budget: &mut WorkBudget) -> Result<DiagramNode, GdlError> {
        self.complement(0, node, &mut HashMap::new(), budget)
    }

    /// These rows are allowed; a column each for these levels, which are in order.
    fn rows(
        &mut self,
        level: usize,
        levels: &[usize],
        rows: &[Vec<u32>],
        budget: &mut WorkBudget,
    ) -> Result<DiagramNode, GdlError> {
        let Some((first, others)) = levels.split_first() else {
            return match rows {
                [] => Ok(NEVER),
                _ => self.any_from(level, budget),
            };
        };
        let col = rows.first().map_or(0, |row| row.len() - levels.len());
        let mut edges = Vec::new();
        if level == *first {
            // They are sorted, so those that begin alike lie together.
            for alike in rows.chunk_by(|a, b| a[col] == b[col]) {
                budget.look()?;
                if self.domains[level].binary_search(&alike[0][col]).is_ok() {
                    let child = self.rows(level + 1, others, alike, budget)?;
                    edges.extend((child != NEVER).then_some((alike[0][col], child)));
                }
            }
        } else {
            let child = self.rows(level + 1, levels, rows, budget)?;
            if child != NEVER {
                edges.extend(self.domains[level].iter().map(|&value| (value, child)));
            }
        }
        self.node(level, edges.into(), budget)
    }

    /// The rows that fit into these places are allowed.
    fn table<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r [u32]>,
        places: &[DiagramColumn],
        budget: &mut WorkBudget,
    ) -> Result<DiagramNode, GdlError> {
        let mut levels: Vec<usize> = places
            .iter()
            .filter_map(|place| match place {
                DiagramColumn::Level(level) => Some(*level),
                DiagramColumn::Value(_) => None,
            })
            .collect();
        levels.sort_unstable();
        levels.dedup();
        let mut fitting: Vec<Vec<u32>> = Vec::new();
        for row in rows {
            budget.look()?;
            let of = |level: usize| places.iter().position(|&place| place == DiagramColumn::Level(level));
            let fits = row.iter().zip(places).all(|(&value, place)| match place {
                DiagramColumn::Value(own) => *own == value,
                DiagramColumn::Level(level) => of(*level).is_some_and(|at| row[at] == value),
            });
            if fits {
                fitting.push(levels.iter().filter_map(|&level| Some(row[of(level)?])).collect());
            }
        }
        fitting.sort_unstable();
        fitting.dedup();
        self.rows(0, &levels, &fitting, budget)
    }

    /// Two places are the same.
    fn same(&mut self, a: DiagramColumn, b: DiagramColumn, budget: &mut WorkBudget) -> Result<DiagramNode, GdlError> {
        let values: Vec<u32> = match (a, b) {
            (DiagramColumn::Value(value), _) | (_, DiagramColumn::Value(value)) => vec![value],
            (DiagramColumn::Level(level), _) => self.domains[level].clone(),
        };
        let rows: Vec<[u32; 2]> = values.into_iter().map(|value| [value; 2]).collect();
        self.table(rows.iter().map(|row| &row[..]), &[a, b], budget)
    }

    /// A relation holds of what is in these places; nothing if that cannot be said: it depends on the position or on itself, or asks
    /// for values that are in none of the places.
    pub fn holds(
        &mut self,
        rel: RelId,
        places: &[DiagramColumn],
        depth: usize,
        budget: &mut WorkBudget,
    ) -> Result<Option<DiagramNode>, GdlError> {
        if self.is_too_large() {
            return Ok(None);
        }
        let key = (rel, places.to_vec());
        if let Some(&known) = self.relations.get(&key) {
            return Ok(known);
        }
        // Whoever asks for it again before it is known depends on itself.
        self.relations.insert(key.clone(), None);
        let statics = self.statics;
        let node = if statics.is_static[rel] {
            Some(self.table(statics.tables[rel].rows(), places, budget)?)
        } else if statics.is_timeless[rel] && depth < DEEPEST {
            self.defined(rel, places, depth, budget)?
        } else {
            None
        };
        let node = node.filter(|_| !self.is_too_large());
        self.relations.insert(key, node);
        Ok(node)
    }

    /// By the definitions of a relation.
    fn defined(
        &mut self,
        rel: RelId,
        places: &[DiagramColumn],
        depth: usize,
        budget: &mut WorkBudget,
    ) -> Result<Option<DiagramNode>, GdlError> {
        let program = &self.statics.program;
        let facts = program.facts.iter().filter(|(fact, _)| *fact == rel);
        let mut any = self.table(facts.map(|(_, row)| &row[..]), places, budget)?;
        for rule in program.rules.iter().filter(|rule| rule.head == rel) {
            let Some(node) = self.rule(rule, places, depth, budget)? else {
                return Ok(None);
            };
            any = self.combine(false, any, node, budget)?;
        }
        Ok(Some(any))
    }

    fn rule(
        &mut self,
        rule: &FlatRule,
        places: &[DiagramColumn],
        depth: usize,
        budget: &mut WorkBudget,
    ) -> Result<Option<DiagramNode>, GdlError> {
        let mut vars: Vec<Option<DiagramColumn>> = vec![None; rule.vars];
        let mut node = self.anything(budget)?;
        for (col, &place) in rule.cols.iter().zip(places) {
            let own = match col {
                Col::Const(value) => DiagramColumn::Value(*value),
                Col::Var(var) => *vars[*var as usize].get_or_insert(place),
            };
            if own != place {
                let same = self.same(own, place, budget)?;
                node = self.combine(true, node, same, budget)?;
            }
        }
        let placed = |cols: &[Col]| -> Option<Vec<DiagramColumn>> {
            let place = |col: &Col| match col {
                Col::Const(value) => Some(DiagramColumn::Value(*value)),
                Col::Var(var) => vars[*var as usize],
            };
            cols.iter().map(place).collect()
        };
        for lit in &rule.body {
            let part = match lit {
                FlatLiteral::Is(rel, cols) | FlatLiteral::Not(rel, cols) => {
                    let Some(places) = placed(cols) else { return Ok(None) };
                    let Some(part) = self.holds(*rel, &places, depth + 1, budget)? else {
                        return Ok(None);
                    };
                    match lit {
                        FlatLiteral::Not(..) => self.not(part, budget)?,
                        _ => part,
                    }
                }
                FlatLiteral::Distinct(a, b) => {
                    let Some(places) = placed(&[*a, *b]) else {
                        return Ok(None);
                    };
                    let same = self.same(places[0], places[1], budget)?;
                    self.not(same, budget)?
                }
            };
            node = self.combine(true, node, part, budget)?;
        }
        Ok(Some(node))
    }
}
