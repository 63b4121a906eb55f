//! Structural dependencies of recorded values on time, state, inputs and parameters.

use dqdt_graph::ir::{Graph, Layout, NodeId, Op, SymbolKind};

/// SymbolPlaces of the symbols of a layout in sets of dependencies.
#[derive(Clone, Copy)]
pub(super) struct SymbolPlaces {
    coordinates: usize,
    speeds: usize,
    states: usize,
    inputs: usize,
    parameters: usize,
}

impl SymbolPlaces {
    pub(super) fn new(l: &Layout) -> Self {
        SymbolPlaces {
            coordinates: l.q.len(),
            speeds: l.v.len(),
            states: l.z.len(),
            inputs: l.u.len(),
            parameters: l.p.len(),
        }
    }

    /// Place of an entry of the state.
    pub(super) fn state_place(self, i: usize) -> usize {
        1 + i
    }

    /// Place of an input.
    pub(super) fn input_place(self, i: usize) -> usize {
        1 + self.coordinates + self.speeds + self.states + i
    }

    /// Place of a parameter.
    pub(super) fn parameter_place(self, i: usize) -> usize {
        self.input_place(self.inputs) + i
    }

    /// Place of the time.
    pub(super) const TIME: usize = 0;

    fn count(self) -> usize {
        self.parameter_place(self.parameters)
    }

    /// Place of a symbol; `None` for one that is no argument of the functions of a unit.
    fn symbol_place(self, kind: SymbolKind) -> Option<usize> {
        match kind {
            SymbolKind::Time => Some(Self::TIME),
            SymbolKind::Coordinate(i) => Some(self.state_place(i)),
            SymbolKind::Speed(i) => Some(self.state_place(self.coordinates + i)),
            SymbolKind::State(i) => Some(self.state_place(self.coordinates + self.speeds + i)),
            SymbolKind::Input(i) => Some(self.input_place(i)),
            SymbolKind::Parameter(i) => Some(self.parameter_place(i)),
            _ => None,
        }
    }
}

/// Set of places on which each node of a graph depends.
pub(super) struct Dependencies {
    words: usize,
    bits: Vec<u64>,
}

impl Dependencies {
    /// Finds the dependencies of all nodes in one walk, since operands precede their node.
    pub(super) fn new(graph: &Graph, places: SymbolPlaces) -> Self {
        let words = places.count().div_ceil(64);
        let mut bits = vec![0u64; words * graph.len()];
        for index in 0..graph.len() {
            let node = graph.node(NodeId(index as u32));
            let (earlier, rest) = bits.split_at_mut(index * words);
            let symbols = &mut rest[..words];
            if let Op::Symbol(s) = node.op {
                match places.symbol_place(graph.symbol_info(s).kind) {
                    Some(place) => symbols[place / 64] |= 1 << (place % 64),
                    // An unknown symbol may depend on everything.
                    None => symbols.fill(u64::MAX),
                }
            }
            for a in node.args() {
                let start = a.0 as usize * words;
                let operand = &earlier[start..start + words];
                symbols.iter_mut().zip(operand).for_each(|(set, other)| *set |= other);
            }
        }
        Dependencies { words, bits }
    }

    /// True if a node depends on the symbol at this place.
    pub(super) fn depends(&self, node: NodeId, place: usize) -> bool {
        self.bits[node.0 as usize * self.words + place / 64] >> (place % 64) & 1 == 1
    }
}
