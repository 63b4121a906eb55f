//! The hash-consed, append-only graph of operations.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::lexicon::Lexicon;
use super::memo::MemoTable;
use super::node::{Node, NodeId, Op, Symbol, SymbolId, SymbolKind, TableId};
use super::notes::{ConstantNotes, Notes, toggle_negative_prefix};
use dqdt_algebra::{Number, PiecewiseCubic};
use dqdt_diagnostics::base::Invariants;

/// Name of a value in emitted code, and the heading of the section that contains it. Passes do not
/// take labelled values apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Name of the value in emitted code, such as `w_forearm_y`; a valid identifier.
    pub name: Arc<str>,
    /// Heading of the section that contains the value in emitted code, with the unit: `forearm:
    /// angular velocity [rad/s]`.
    pub section: Arc<str>,
}

/// Content of a [`Graph`]: nodes with their index, symbols, tables and names.
#[derive(Default, Debug)]
struct GraphData {
    nodes: Vec<Node>,
    /// Node ids, hashed by the nodes in `nodes`. A map with its own copies of the nodes would take
    /// three times as much memory.
    ids: HashTable<NodeId>,
    symbols: Vec<Symbol>,
    by_kind: FxHashMap<SymbolKind, SymbolId>,
    tables: Vec<Arc<PiecewiseCubic>>,
    labels: FxHashMap<NodeId, Label>,
    notes: Notes,
    lexicon: Arc<Lexicon>,
    /// Cache of normal forms, by the groups of nodes that they were computed from.
    forms: FxHashMap<Vec<Vec<NodeId>>, Vec<Vec<NodeId>>>,
    memo: MemoTable,
    /// The node of the constant zero, once it is recorded: the most frequent constant.
    zero: Option<NodeId>,
    /// True once an operation was not recorded because the graph had reached its limit of nodes.
    full: bool,
}

/// Maximum number of nodes of a graph, about a gigabyte. Beyond it operations are dropped and the
/// graph reports that it is [full](Graph::is_full); the stage that records must check this at its
/// end.
pub const MOST_NODES: usize = 8_000_000;

/// The graph of operations. It has interior mutability; tracers share it as `&Graph`.
#[derive(Default, Debug)]
pub struct Graph {
    inner: RefCell<GraphData>,
    normal_forms: bool,
    ignores_notes: bool,
    /// Limit of nodes of the graph, if it is not [`MOST_NODES`].
    node_limit: Option<usize>,
    invariants: Invariants,
}

impl Graph {
    /// An empty graph, without normal forms.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty graph that computes normal forms where the mechanics requests them
    /// ([`Scalar::normal_forms`](dqdt_algebra::Scalar::normal_forms)), as for emitted code; proofs
    /// use graphs without.
    pub fn with_normal_forms() -> Self {
        Graph { normal_forms: true, ..Graph::default() }
    }

    /// An empty graph that records broken [invariants](Self::invariants) together with `other`, for
    /// a part of the same program.
    pub fn sharing_invariants(other: &Graph) -> Self {
        Graph { invariants: other.invariants.clone(), ..Graph::default() }
    }

    /// The record of broken invariants, shared by the stages that made this graph and by its
    /// readers.
    #[doc(hidden)]
    pub fn invariants(&self) -> &Invariants {
        &self.invariants
    }

    /// Looks an operation up in the memo table, which only a graph with normal forms uses.
    pub(super) fn look_up_folded(&self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        if self.normal_forms { self.inner.borrow().memo.find_node(op, args) } else { None }
    }

    /// Adds an operation to the memo table. Constants are excluded: they fold again each time,
    /// which records how each was composed.
    pub(super) fn store_folded(&self, op: Op, args: &[NodeId], id: NodeId) {
        if self.normal_forms && self.constant(id).is_none() {
            let inner = &mut *self.inner.borrow_mut();
            inner.memo.store_node(op, args, id, inner.nodes.len());
        }
    }

    /// The same graph with another limit of nodes, beyond which operations are dropped.
    pub fn with_limit(self, node_limit: usize) -> Self {
        Graph { node_limit: Some(node_limit), ..self }
    }

    /// True if operations were dropped at the limit of nodes. The values of the graph are then
    /// wrong.
    pub fn is_full(&self) -> bool {
        self.inner.borrow().full
    }

    /// The same graph, ignoring suggested names (notes): for programs whose operations are only
    /// counted. Labels are still recorded, since passes do not take labelled values apart.
    pub fn without_notes(self) -> Self {
        Graph { ignores_notes: true, ..self }
    }

    /// True for a graph made by [`Graph::without_notes`].
    pub fn ignores_notes(&self) -> bool {
        self.ignores_notes
    }

    /// The cached normal forms of these groups of nodes, if they were computed before.
    pub(super) fn cached_normal_forms(&self, groups: &[Vec<NodeId>]) -> Option<Vec<Vec<NodeId>>> {
        self.inner.borrow().forms.get(groups).cloned()
    }

    /// Caches the normal forms of these groups of nodes.
    pub(super) fn cache_normal_forms(&self, groups: &[Vec<NodeId>], forms: &[Vec<NodeId>]) {
        self.inner.borrow_mut().forms.insert(groups.to_vec(), forms.to_vec());
    }

    /// True for a graph made by [`Graph::with_normal_forms`].
    pub fn has_normal_forms(&self) -> bool {
        self.normal_forms
    }

    /// Number of nodes of the graph, constants and symbols included.
    pub fn len(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    /// True if the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node with this id: its operation and operands; panics if there is none.
    pub fn node(&self, id: NodeId) -> Node {
        self.inner.borrow().nodes[id.0 as usize]
    }

    /// The exact constant of a node; `None` if the node is another operation.
    pub fn constant(&self, id: NodeId) -> Option<Number> {
        match self.node(id).op {
            Op::Const(n) => Some(n),
            _ => None,
        }
    }

    /// True if the node is the exact constant zero (structural zero).
    pub fn is_zero(&self, id: NodeId) -> bool {
        self.constant(id).is_some_and(Number::is_zero)
    }

    /// The node of a constant, recorded if it is new.
    pub fn number(&self, n: Number) -> NodeId {
        if !n.is_zero() {
            return self.intern_node(Node::new(Op::Const(n), &[]));
        }
        let known = self.inner.borrow().zero;
        known.unwrap_or_else(|| {
            let id = self.intern_node(Node::new(Op::Const(n), &[]));
            self.inner.borrow_mut().zero = Some(id);
            id
        })
    }

    /// The node of a symbol, recorded if it is new. There is one node per kind, which keeps its
    /// first name.
    pub fn symbol(&self, name: &str, kind: SymbolKind) -> NodeId {
        let id = {
            let mut inner = self.inner.borrow_mut();
            match inner.by_kind.get(&kind) {
                Some(id) => *id,
                None => {
                    let id = SymbolId(inner.symbols.len() as u32);
                    inner.symbols.push(Symbol { name: name.to_owned(), kind });
                    inner.by_kind.insert(kind, id);
                    id
                }
            }
        };
        self.intern_node(Node::new(Op::Symbol(id), &[]))
    }

    /// The symbol with this id: its name in the spec and its kind.
    pub fn symbol_info(&self, id: SymbolId) -> Symbol {
        self.inner.borrow().symbols[id.0 as usize].clone()
    }

    /// All symbols of the graph, in order of ids.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.inner.borrow().symbols.clone()
    }

    /// The id of a table (piecewise cubic), stored if it is new. Equal tables share one id.
    pub fn table(&self, table: &PiecewiseCubic) -> TableId {
        let mut inner = self.inner.borrow_mut();
        let known = inner.tables.iter().position(|t| **t == *table);
        let index = known.unwrap_or_else(|| {
            inner.tables.push(Arc::new(table.clone()));
            inner.tables.len() - 1
        });
        TableId(index as u32)
    }

    /// Number of tables (piecewise cubics) of the graph.
    pub fn table_count(&self) -> usize {
        self.inner.borrow().tables.len()
    }

    /// The piecewise cubic function of the table with this id.
    pub fn table_data(&self, id: TableId) -> Arc<PiecewiseCubic> {
        Arc::clone(&self.inner.borrow().tables[id.0 as usize])
    }

    /// Records an operation exactly as it is, without folding, for passes that rebuild a graph
    /// deliberately.
    pub fn raw(&self, op: Op, args: &[NodeId]) -> NodeId {
        self.intern_node(Node::new(op, args))
    }

    /// Sets the name and section of a value in emitted code, unless it has a label already.
    /// Constants and symbols have their own names; for them the name becomes a note.
    pub fn label(&self, id: NodeId, name: &str, section: &Arc<str>) {
        if matches!(self.node(id).op, Op::Const(_) | Op::Symbol(_)) {
            self.note(id, &|| name.to_owned());
            return;
        }
        self.inner
            .borrow_mut()
            .labels
            .entry(id)
            .or_insert_with(|| Label { name: Arc::from(name), section: Arc::clone(section) });
        self.note_operand(id, &|| name.to_owned());
    }

    /// Gives a node the label of a node of another graph, from which a pass made it.
    pub(super) fn copy_label(&self, id: NodeId, from: &Graph, old: NodeId) {
        let from = from.inner.borrow();
        let Some(label) = from.labels.get(&old) else { return };
        if matches!(self.node(id).op, Op::Const(_) | Op::Symbol(_) | Op::Neg | Op::Mul) {
            self.label(id, &label.name, &label.section);
        } else {
            self.inner.borrow_mut().labels.entry(id).or_insert_with(|| label.clone());
        }
    }

    /// True if a node has a label, that is a name and a section in emitted code.
    pub fn has_label(&self, id: NodeId) -> bool {
        self.inner.borrow().labels.contains_key(&id)
    }

    /// The label of a node (name and section in emitted code), if it has one.
    pub fn label_of(&self, id: NodeId) -> Option<Label> {
        self.inner.borrow().labels.get(&id).cloned()
    }

    /// Suggests a name for a value (a note). Unlike a label it affects nothing but names: passes
    /// may take the value apart, and the name is used only if the value gets a statement of its
    /// own. The first note of a value is kept; a constant keeps several.
    pub fn note(&self, id: NodeId, name: &dyn Fn() -> String) {
        if self.ignores_notes {
            return;
        }
        let node = self.node(id);
        match node.op {
            Op::Symbol(_) => {}
            Op::Const(n) if n.is_zero() || n.is_one() || n == Number::integer(-1) => {}
            Op::Const(n) => self.inner.borrow_mut().notes.note_constant(n, &name()),
            _ => {
                self.inner.borrow_mut().notes.note_value(id, &name);
                self.note_operand(id, name);
            }
        }
    }

    /// Where the value is a negation or twice another value, suggests a derived name for that value
    /// too.
    fn note_operand(&self, id: NodeId, name: &dyn Fn() -> String) {
        if self.ignores_notes {
            return;
        }
        let node = self.node(id);
        match (node.op, node.args()) {
            (Op::Neg, [a]) => self.note(*a, &|| toggle_negative_prefix(&name())),
            (Op::Mul, [two, a]) if self.constant(*two) == Some(Number::integer(2)) => {
                self.note(*a, &|| format!("half_{}", name()));
            }
            _ => {}
        }
    }

    /// Sets the magnitudes of constants that must have no name, because quantities of several kinds
    /// have them.
    pub fn nameless(&self, magnitudes: FxHashSet<Number>) {
        self.inner.borrow_mut().notes.nameless(magnitudes);
    }

    /// The name that a note suggests for a value, if there is one.
    pub fn note_of(&self, id: NodeId) -> Option<Arc<str>> {
        self.inner.borrow().notes.value_name(id)
    }

    /// The name of a value: its label, else its note.
    pub fn name_of(&self, id: NodeId) -> Option<String> {
        self.label_of(id).map(|l| l.name.to_string()).or_else(|| self.note_of(id).map(|n| n.to_string()))
    }

    /// The names of the magnitude of a constant, and the formula that composed it.
    pub fn constant_notes(&self, id: NodeId) -> ConstantNotes {
        self.constant(id).map(|n| self.inner.borrow().notes.constant_notes(n)).unwrap_or_default()
    }

    /// All magnitudes of constants with a name, in increasing order, each with its first name.
    pub fn named_constants(&self) -> Vec<(f64, Arc<str>)> {
        self.inner.borrow().notes.named_constants()
    }

    /// Records that folding computed the constant `result` as `a op b`.
    pub(super) fn record_composition(&self, result: Number, op: Op, a: Number, b: Number) {
        if !self.ignores_notes {
            self.inner.borrow_mut().notes.record_composition(result, op, a, b);
        }
    }

    /// Gives a node the suggested name (note) of a node of another graph, from which a pass made
    /// it.
    pub(super) fn copy_note(&self, id: NodeId, from: &Graph, old: NodeId) {
        if !self.ignores_notes
            && !matches!(self.node(id).op, Op::Const(_) | Op::Symbol(_))
            && let Some(name) = from.note_of(old)
        {
            self.inner.borrow_mut().notes.note_identifier(id, name);
        }
    }

    /// Sets the lexicon, which names values by their numerical fingerprints.
    pub(super) fn set_lexicon(&self, lexicon: Arc<Lexicon>) {
        self.inner.borrow_mut().lexicon = lexicon;
    }

    /// The lexicon, which names values by their numerical fingerprints.
    pub(crate) fn lexicon(&self) -> Arc<Lexicon> {
        Arc::clone(&self.inner.borrow().lexicon)
    }

    /// Copies from another graph all that does not refer to its nodes: the lexicon, the notes of
    /// constants, and the flag that the graph is full. Used when a pass makes a new graph.
    pub fn copy_knowledge(&self, from: &Graph) {
        let (mut inner, from) = (self.inner.borrow_mut(), from.inner.borrow());
        inner.lexicon = Arc::clone(&from.lexicon);
        inner.full |= from.full;
        inner.notes.copy_constants(&from.notes);
    }

    /// Reserves memory for this many additional nodes, before a rebuild.
    pub(super) fn reserve_nodes(&self, nodes: usize) {
        let mut inner = self.inner.borrow_mut();
        let GraphData { nodes: held, ids, .. } = &mut *inner;
        held.reserve(nodes);
        ids.reserve(nodes, |id| hash_node(&held[id.0 as usize]));
    }

    /// Removes the labels of all nodes, so that passes may take every value apart.
    pub fn clear_labels(&mut self) {
        self.inner.borrow_mut().labels.clear();
    }

    /// The node of exactly this operation, if it is recorded already; nothing is folded or
    /// recorded.
    pub(super) fn find_operation(&self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let (inner, node) = (self.inner.borrow(), Node::new(op, args));
        inner.ids.find(hash_node(&node), |id| inner.nodes[id.0 as usize] == node).copied()
    }

    /// The id of a node, recorded if it is new; sets the flag `full` at the limit of nodes.
    fn intern_node(&self, node: Node) -> NodeId {
        let mut inner = self.inner.borrow_mut();
        let GraphData { nodes, ids, full, .. } = &mut *inner;
        let node_hash = hash_node(&node);
        if let Some(id) = ids.find(node_hash, |id| nodes[id.0 as usize] == node) {
            return *id;
        }
        // Constants and symbols are recorded beyond the limit, because code queries them. For any
        // other operation an arbitrary node is returned, since a full graph is discarded.
        if nodes.len() >= self.node_limit.unwrap_or(MOST_NODES) && !node.args().is_empty() {
            *full = true;
            return NodeId(nodes.len() as u32 - 1);
        }
        let id = NodeId(nodes.len() as u32);
        nodes.push(node);
        ids.insert_unique(node_hash, id, |id| hash_node(&nodes[id.0 as usize]));
        id
    }
}

/// Hash of a node by operation and operands.
fn hash_node(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}
