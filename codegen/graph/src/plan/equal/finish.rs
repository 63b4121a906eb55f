//! Turns the packs of a search into equal parts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::root::Root;
use super::column::{Column, Equal, LaneValue, common_constant};
use super::search::PackSearch;
use super::stages::Signs;
use crate::ir::NodeId;

/// Minimum number of operations per lane of a part; smaller parts are not vectorised.
const LEAST: usize = 24;

impl PackSearch<'_> {
    /// For each pack and lane, true if its value is used outside of packs, as a scalar.
    fn find_scalar_uses(&self, roots: &[Root], parts: &[Equal]) -> Vec<Vec<bool>> {
        let mut used = vec![vec![false; self.lanes]; self.packs.len()];
        let mut uses = |node: NodeId| {
            if let Some((pack, lane)) = self.positions.get(&node) {
                used[*pack][*lane] = true;
            }
        };
        roots.iter().for_each(|r| uses(r.node));
        for node in self.find_scalar_nodes(roots) {
            self.graph.node(node).args().iter().for_each(|a| uses(*a));
        }
        for input in parts.iter().flat_map(|p| &p.inputs) {
            if self.find_pack(&input.nodes).is_none() {
                input.nodes.iter().for_each(|n| uses(*n));
            }
        }
        used
    }

    /// Drops packs of dependency cycles and of parts with too few operations. Returns the stages of
    /// the remaining packs with their signs, and the signs of the inputs.
    fn drop_small_stages(&mut self) -> (Vec<usize>, Vec<Signs>, BTreeMap<Vec<NodeId>, Signs>) {
        loop {
            let (signs, of_inputs) = self.solve_signs();
            let stages = match self.pack_stages() {
                Ok(stages) => stages,
                Err(culprit) => {
                    self.retain_packs(|pack| pack != culprit);
                    continue;
                }
            };
            let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
            stages.iter().for_each(|s| *sizes.entry(*s).or_default() += 1);
            let Some(small) = sizes.iter().find(|(_, size)| **size < LEAST).map(|(s, _)| *s) else {
                break (stages, signs, of_inputs);
            };
            self.retain_packs(|pack| stages[pack] != small);
        }
    }

    /// The equal parts; packs of parts with too few operations return to the rest of the body.
    pub fn build_parts(&mut self, roots: &[Root]) -> Vec<Equal> {
        let (stages, signs, of_inputs) = self.drop_small_stages();
        let count = stages.iter().max().map_or(0, |s| s + 1);
        let mut parts = vec![Equal { lanes: self.lanes, ..Equal::default() }; count];
        let mut order: Vec<usize> = (0..self.packs.len()).collect();
        order.sort_unstable_by_key(|p| self.packs[*p][0]);
        // Packs that a later part takes as a whole.
        let mut handed_on: BTreeSet<usize> = BTreeSet::new();
        for p in &order {
            let part = &mut parts[stages[*p]];
            let mut arguments = Vec::new();
            for column in self.argument_columns(&self.packs[*p]) {
                let (pack, first) = (self.find_pack(&column.nodes), column.negated[0]);
                let plain = vec![false; self.lanes];
                let negated = match (pack, of_inputs.get(&column.nodes)) {
                    (Some(q), _) => signs[q].clone(),
                    (None, Some(signs)) => signs.clone(),
                    // A factor that all columns share has one sign.
                    (None, None) if self.is_shared_factor(&column) => plain,
                    (None, None) => {
                        let what = "the sign of a value used in a SIMD lane is unknown";
                        self.graph.invariants().require(None, plain, what)
                    }
                };
                let column = Column { nodes: column.nodes, negated, alone: Vec::new() };
                if pack.is_none_or(|q| stages[q] != stages[*p])
                    && common_constant(self.graph, &column).is_none()
                    && !part.inputs.contains(&column)
                {
                    handed_on.extend(pack);
                    part.inputs.push(column.clone());
                }
                arguments.push((column, first));
            }
            part.values.push(LaneValue { nodes: self.packs[*p].clone(), argument_columns: arguments });
        }
        let used = self.find_scalar_uses(roots, &parts);
        for p in order {
            let handed_on = handed_on.contains(&p);
            if handed_on || used[p].contains(&true) {
                // If a column is used lane by lane, every lane that is used gets a name.
                let alone = used[p].iter().map(|lane| *lane || handed_on && used[p].contains(&true));
                let column = Column {
                    nodes: self.packs[p].clone(),
                    negated: signs[p].clone(),
                    alone: alone.collect(),
                };
                parts[stages[p]].outputs.push(column);
            }
        }
        let mut symbols = vec![Vec::new(); self.lanes];
        let sorted: BTreeMap<NodeId, usize> = self.symbols.iter().map(|(s, lane)| (*s, *lane)).collect();
        sorted.into_iter().for_each(|(symbol, lane)| symbols[lane].push(symbol));
        parts.retain(|part| !part.values.is_empty());
        for part in &mut parts {
            part.symbols.clone_from(&symbols);
            part.inputs.sort_by_key(|column| !column.is_shared());
        }
        parts
    }
}
