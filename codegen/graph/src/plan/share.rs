//! Sharing: chooses the blocks, inner functions for values that several functions compute.
//!
//! Problem: most of `multipliers` is computed in `dqdt`, too, and a reader should read it once. But
//!          no call may compute a value twice, or one that it does not need.
//! Method:  every value has the set of functions that need it; the values of one set form a block,
//!          which exactly these functions call. A user of a value needs its arguments, too, so a
//!          block imports only from blocks of larger sets, and there is no cycle. This gives
//!          maximum sharing but too many blocks. Therefore blocks, the smallest first, and single
//!          values at the borders of blocks are moved down to their users wherever that reduces the
//!          number of tokens. A value that was moved down is in several places; each function calls
//!          one. Sines and cosines that a function computes in one call stay in the function, since
//!          splitting the call is slower; they are passed to blocks.
//! Cost:    O(n) trials, a few times; each looks at a value, its users and its arguments. Token
//!          counts are cached.

use rustc_hash::{FxHashMap, FxHashSet};

use super::schedule::TOGETHER;
use crate::ir::{Graph, Group, NodeId, Op, SymbolKind};

/// A set of emitted functions, one bit each: those that call a block. A single bit is a function
/// itself.
pub type FunctionSet = u64;

/// Tokens of a block (inner function) without its statements: signature, struct, documentation.
const BLOCK: i64 = 84;
/// Tokens of a call of a block with a destructuring pattern.
const CALL: i64 = 14;
/// Minimum number of tokens by which a block must be shorter than copies of its statements.
const PAYS: i64 = 40;
/// Tokens of a field of the struct that a block returns: its declaration and its initialiser.
const FIELD: i64 = 6;
/// Maximum number of rounds in which values are moved from blocks to their users.
const ROUNDS: usize = 3;

/// Input of the choice of blocks: the results of the functions, and the argument from which each
/// reads a symbol.
pub struct Needs<'a> {
    /// The graph of the values of all functions.
    pub graph: &'a Graph,
    /// Dependency group of each node of the graph.
    pub groups: &'a [Group],
    /// Nodes of the results of each function, by function.
    pub roots: &'a [Vec<NodeId>],
    /// The argument that contains a symbol, by function; any consistent numbering.
    pub argument: &'a dyn Fn(usize, SymbolKind) -> Option<usize>,
}

/// The blocks chosen for a program, and the values that each contains.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Blocks, by the functions that call each; each after those from which it imports.
    pub places: Vec<FunctionSet>,
    homes: FxHashMap<NodeId, Vec<FunctionSet>>,
    angles: FxHashSet<NodeId>,
}

impl Shared {
    /// True for an angle, and for a sine or cosine that functions compute in one call.
    pub fn is_angle(&self, id: NodeId) -> bool {
        self.angles.contains(&id)
    }

    /// True if the block `place` gets the value from its callers.
    pub fn is_passed_by_callers(&self, id: NodeId, place: FunctionSet) -> bool {
        place.count_ones() > 1 && self.is_angle(id)
    }

    /// The block from which `place`, a block or a function, imports a value that it does not
    /// compute.
    pub fn exporting_block(&self, id: NodeId, place: FunctionSet) -> Option<FunctionSet> {
        let homes = self.homes.get(&id)?;
        homes.iter().copied().find(|home| place & !home == 0 && place != *home)
    }
}

/// Chooses the blocks, inner functions for values that several of these functions compute.
pub fn choose_blocks(needs: &Needs) -> Shared {
    if !(2..=64).contains(&needs.roots.len()) {
        return Shared::default();
    }
    let mut s = Sharing::new(needs);
    for _ in 0..ROUNDS {
        let dissolved = s.dissolve_blocks();
        let lowered = s.move_border_values();
        if !dissolved && !lowered {
            break;
        }
    }
    s.dissolve_blocks();
    s.into_shared()
}

/// State of the choice of blocks: the functions that need each node, and the blocks that contain
/// it.
struct Sharing<'a> {
    graph: &'a Graph,
    /// Functions that need each node; empty for leaves.
    needed_by: Vec<FunctionSet>,
    /// Functions of which each node is a result.
    out: Vec<FunctionSet>,
    users: Vec<Vec<u32>>,
    /// Operands of each node that are not leaves.
    args: Vec<Vec<u32>>,
    /// The cosine of a sine and vice versa; else the node itself.
    partner: Vec<u32>,
    /// Tokens of each node's operation and its leaves in emitted code.
    own_tokens: Vec<i64>,
    labelled: Vec<bool>,
    /// For each node, true for angles, sines and cosines that no block computes.
    angles: Vec<bool>,
    /// Blocks that contain the node, as sets of their callers.
    homes: Vec<Vec<FunctionSet>>,
    /// The functions that compute the node themselves: those that need it, without the callers of
    /// its blocks.
    computed_in: Vec<FunctionSet>,
    /// The nodes that each block contains, and possibly nodes that it contained before.
    block_members: FxHashMap<FunctionSet, Vec<u32>>,
    /// Tokens of each node in all its places, as last counted.
    tokens: Vec<i64>,
    /// The trial in which a node was last counted.
    counted: Vec<u32>,
    trials: u32,
}

/// Nodes that were moved down, with the blocks that contained them before.
type Moves = Vec<(u32, Vec<FunctionSet>)>;

impl<'a> Sharing<'a> {
    fn new(needs: &Needs<'a>) -> Self {
        let Needs { graph, groups, roots, argument } = *needs;
        let n = groups.len();
        let leaf = |i: usize| {
            groups[i] <= Group::Parameter || matches!(graph.node(NodeId(i as u32)).op, Op::Symbol(_))
        };
        let (mut need, mut out): (Vec<FunctionSet>, Vec<FunctionSet>) = (vec![0; n], vec![0; n]);
        for (f, roots) in roots.iter().enumerate() {
            for root in roots.iter().map(|r| r.0 as usize).filter(|r| !leaf(*r)) {
                need[root] |= 1 << f;
                out[root] |= 1 << f;
            }
        }
        let (mut users, mut inner_args, mut own_tokens) =
            (vec![Vec::new(); n], vec![Vec::new(); n], vec![0; n]);
        let mut pairs: FxHashMap<NodeId, [Option<u32>; 2]> = FxHashMap::default();
        for i in (0..n).rev().filter(|i| !leaf(*i)) {
            if need[i] == 0 {
                continue;
            }
            let node = graph.node(NodeId(i as u32));
            own_tokens[i] = operation_tokens(node.op);
            for a in node.args().iter().map(|a| a.0 as usize) {
                if leaf(a) {
                    own_tokens[i] += if groups[a] <= Group::Parameter { 3 } else { 1 };
                } else {
                    need[a] |= need[i];
                    users[a].push(i as u32);
                    inner_args[i].push(a as u32);
                }
            }
            if let Op::Sin | Op::Cos = node.op {
                pairs.entry(node.args()[0]).or_default()[usize::from(node.op == Op::Cos)] = Some(i as u32);
            }
        }
        let mut partner: Vec<u32> = (0..n as u32).collect();
        for [sin, cos] in pairs.into_values() {
            if let (Some(s), Some(c)) = (sin, cos) {
                (partner[s as usize], partner[c as usize]) = (c, s);
            }
        }
        let labelled = (0..n).map(|i| need[i] != 0 && graph.has_label(NodeId(i as u32))).collect();
        let mut sharing = Sharing {
            graph,
            computed_in: need.clone(),
            needed_by: need,
            out,
            users,
            args: inner_args,
            partner,
            own_tokens,
            labelled,
            angles: vec![false; n],
            homes: vec![Vec::new(); n],
            block_members: FxHashMap::default(),
            tokens: vec![0; n],
            counted: vec![0; n],
            trials: 0,
        };
        sharing.mark_batched_angles(&leaf);
        sharing.place_values_in_blocks(&leaf, argument);
        sharing.tokens = (0..n as u32).map(|i| sharing.count_tokens(i)).collect();
        sharing
    }

    /// Marks the angles of functions that need at least `TOGETHER` sines and cosines, enough to
    /// compute all of them in one call.
    fn mark_batched_angles(&mut self, leaf: &dyn Fn(usize) -> bool) {
        let mut simple = vec![false; self.needed_by.len()];
        // Sines and cosines by function.
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); 64];
        for i in (0..self.needed_by.len()).filter(|i| self.needed_by[*i] != 0) {
            let node = self.graph.node(NodeId(i as u32));
            let plain = |a: &NodeId| simple[a.0 as usize] || leaf(a.0 as usize);
            match node.op {
                Op::Add | Op::Sub | Op::Mul | Op::Neg => simple[i] = node.args().iter().all(plain),
                Op::Sin | Op::Cos if node.args().iter().all(plain) => {
                    function_indices(self.needed_by[i]).for_each(|f| calls[f].push(i));
                }
                _ => {}
            }
        }
        for call in calls {
            let partner = |i: &usize| self.partner[*i] as usize;
            let once = call.iter().filter(|i| partner(i) >= **i || !call.contains(&partner(i))).count();
            let mut stack = if once < TOGETHER { Vec::new() } else { call };
            while let Some(i) = stack.pop() {
                if !std::mem::replace(&mut self.angles[i], true) {
                    stack.extend(self.args[i].iter().map(|a| *a as usize));
                    // Another function may need the cosine of this sine, which must not take the
                    // sine into a block.
                    stack.push(self.partner[i] as usize);
                }
            }
        }
    }

    /// Places every value in the block of its set, where its arguments allow.
    fn place_values_in_blocks(
        &mut self,
        leaf: &dyn Fn(usize) -> bool,
        argument: &dyn Fn(usize, SymbolKind) -> Option<usize>,
    ) {
        for i in 0..self.needed_by.len() {
            // A sine and its cosine are one call.
            let place = self.needed_by[i] | self.needed_by[self.partner[i] as usize];
            if place.count_ones() < 2 {
                continue;
            }
            let node = self.graph.node(NodeId(i as u32));
            let available = node.args().iter().all(|a| match self.graph.node(*a).op {
                Op::Symbol(s) => {
                    let kind = self.graph.symbol_info(s).kind;
                    let mut all = function_indices(place).map(|f| argument(f, kind));
                    let first = all.next();
                    all.all(|a| Some(a) == first)
                }
                _ => {
                    let a = a.0 as usize;
                    leaf(a) || self.angles[a] || !self.homes[a].is_empty()
                }
            });
            if self.needed_by[i] != 0 && !self.angles[i] && available {
                self.set_containing_blocks(i as u32, vec![place]);
            }
        }
    }

    /// Sets the blocks that contain a value, and lists it among their members.
    fn set_containing_blocks(&mut self, i: u32, homes: Vec<FunctionSet>) {
        for home in homes.iter().filter(|home| !self.homes[i as usize].contains(home)) {
            self.block_members.entry(*home).or_default().push(i);
        }
        self.set_homes(i, homes);
    }

    /// Sets the blocks that contain a value, without listing it among their members.
    fn set_homes(&mut self, i: u32, homes: Vec<FunctionSet>) {
        self.computed_in[i as usize] = homes.iter().fold(self.needed_by[i as usize], |all, home| all & !home);
        self.homes[i as usize] = homes;
    }

    /// Estimated number of tokens of a value, in all its places.
    fn count_tokens(&self, i: u32) -> i64 {
        let i = i as usize;
        let paired = self.partner[i] as usize != i;
        let mut total = 0;
        for home in &self.homes[i] {
            let (mut inside, mut others): (i64, Vec<FunctionSet>) = (0, Vec::new());
            // Functions where it is exported or used; each counts once.
            let mut single = self.out[i] & home;
            for u in self.users[i].iter().map(|u| *u as usize) {
                single |= self.computed_in[u] & home;
                for place in self.homes[u].iter().filter(|p| **p & !home == 0) {
                    if place == home {
                        inside += 1;
                    } else if !others.contains(place) {
                        others.push(*place);
                    }
                }
            }
            let places = i64::from(single.count_ones()) + others.len() as i64;
            let border = places > 0;
            total += self.own_tokens[i]
                + statement_tokens(inside, self.labelled[i] || paired || border && inside > 0);
            total += if border { FIELD + 3 * places } else { 0 };
        }
        for f in function_indices(self.computed_in[i]) {
            let users = self.users[i].iter().filter(|u| self.computed_in[**u as usize] & (1 << f) != 0);
            let inside = users.count() as i64 + i64::from(self.out[i] >> f & 1 == 1);
            total += self.own_tokens[i] + statement_tokens(inside, self.labelled[i] || paired);
        }
        total
    }

    /// Moves a value and its partner from a block down to their users; false, with no change, if
    /// that is not possible.
    fn move_to_users(&mut self, i: u32, from: FunctionSet, lowered: &mut Moves) -> bool {
        let partner = self.partner[i as usize];
        let unit = if partner == i { [Some(i), None] } else { [Some(i), Some(partner)] };
        let unit = unit.into_iter().flatten();
        let mut places: Vec<FunctionSet> = Vec::new();
        for n in unit.clone() {
            for u in &self.users[n as usize] {
                for place in self.homes[*u as usize].iter().filter(|p| **p & !from == 0) {
                    if *place == from {
                        return false;
                    }
                    if !places.contains(place) {
                        places.push(*place);
                    }
                }
            }
        }
        // The largest blocks contain it and smaller ones import it, unless two of them would
        // provide it.
        places.sort_unstable_by_key(|p| (std::cmp::Reverse(p.count_ones()), *p));
        let mut tops: Vec<FunctionSet> = Vec::new();
        for place in places {
            if tops.iter().any(|top| place & !top == 0) {
                continue;
            }
            if tops.iter().any(|top| place & top != 0) {
                return false;
            }
            tops.push(place);
        }
        for n in unit {
            let before = &self.homes[n as usize];
            let after = before.iter().filter(|p| **p != from).chain(&tops).copied().collect();
            lowered.push((n, before.clone()));
            self.set_containing_blocks(n, after);
        }
        true
    }

    /// Keeps a move of values if it adds fewer than `limit` tokens; else undoes it.
    fn keep_if_shorter(&mut self, lowered: Moves, limit: i64) -> bool {
        self.trials += 1;
        let mut after: Vec<(u32, i64)> = Vec::new();
        for (i, _) in &lowered {
            let touched = [*i, self.partner[*i as usize]];
            for n in touched.into_iter().chain(self.args[*i as usize].iter().copied()) {
                if std::mem::replace(&mut self.counted[n as usize], self.trials) != self.trials {
                    after.push((n, self.count_tokens(n)));
                }
            }
        }
        let more: i64 = after.iter().map(|(i, tokens)| tokens - self.tokens[*i as usize]).sum();
        if more >= limit {
            self.undo_moves(lowered);
            return false;
        }
        for (i, tokens) in after {
            self.tokens[i as usize] = tokens;
        }
        true
    }

    /// Restores the blocks of all moved values.
    fn undo_moves(&mut self, lowered: Moves) {
        for (i, homes) in lowered.into_iter().rev() {
            // `members` still lists them; it is pruned only when it is read.
            self.set_homes(i, homes);
        }
    }

    /// The nodes that a block contains, operands first.
    fn members(&mut self, place: FunctionSet) -> Vec<u32> {
        let mut members = self.block_members.remove(&place).unwrap_or_default();
        members.retain(|i| self.homes[*i as usize].contains(&place));
        members.sort_unstable();
        members.dedup();
        self.block_members.insert(place, members.clone());
        members
    }

    /// All blocks, as sets of their callers, by number of values, the smallest first.
    fn blocks_by_size(&self) -> Vec<FunctionSet> {
        let mut sizes: FxHashMap<FunctionSet, usize> = FxHashMap::default();
        for home in self.homes.iter().flatten() {
            *sizes.entry(*home).or_default() += 1;
        }
        let mut blocks: Vec<(usize, FunctionSet)> =
            sizes.into_iter().map(|(place, size)| (size, place)).collect();
        blocks.sort_unstable();
        blocks.into_iter().map(|(_, place)| place).collect()
    }

    /// Dissolves whole blocks into their users where that saves tokens.
    fn dissolve_blocks(&mut self) -> bool {
        let mut any = false;
        for place in self.blocks_by_size() {
            let mut lowered = Vec::new();
            let mut gone = true;
            for i in self.members(place).into_iter().rev() {
                if self.homes[i as usize].contains(&place) && !self.move_to_users(i, place, &mut lowered) {
                    gone = false;
                    break;
                }
            }
            if gone {
                any |= self.keep_if_shorter(lowered, BLOCK + CALL * i64::from(place.count_ones()) + PAYS);
            } else {
                self.undo_moves(lowered);
            }
        }
        any
    }

    /// Moves single values that are used only outside of their block down to their users.
    fn move_border_values(&mut self) -> bool {
        let mut any = false;
        for i in (0..self.needed_by.len() as u32).rev() {
            for place in self.homes[i as usize].clone() {
                let mut lowered = Vec::new();
                if self.homes[i as usize].contains(&place) && self.move_to_users(i, place, &mut lowered) {
                    any |= self.keep_if_shorter(lowered, 0);
                }
            }
        }
        any
    }

    /// The result of the choice: the blocks in order, and the values in each.
    fn into_shared(self) -> Shared {
        let mut places: Vec<FunctionSet> = self.homes.iter().flatten().copied().collect();
        places.sort_unstable_by_key(|p| (std::cmp::Reverse(p.count_ones()), *p));
        places.dedup();
        let members = self.homes.into_iter().enumerate().filter(|(_, homes)| !homes.is_empty());
        let angles = (0..self.angles.len()).filter(|i| self.angles[*i]).map(|i| NodeId(i as u32)).collect();
        Shared { angles, places, homes: members.map(|(i, homes)| (NodeId(i as u32), homes)).collect() }
    }
}

/// The indices of the functions in a set (bit mask).
pub fn function_indices(place: FunctionSet) -> impl Iterator<Item = usize> {
    // Each step removes the lowest function.
    std::iter::successors(nonempty_set(place), |rest| nonempty_set(rest & (rest - 1)))
        .map(|rest| rest.trailing_zeros() as usize)
}

/// The set, if it is not empty.
fn nonempty_set(set: FunctionSet) -> Option<FunctionSet> {
    (set != 0).then_some(set)
}

/// Tokens of the statement that binds a value with this many uses beside it; none if it is inlined.
fn statement_tokens(uses: i64, always_bound: bool) -> i64 {
    if always_bound || uses > 1 { 4 + uses } else { 0 }
}

/// Tokens of an operation in emitted code, without its arguments.
fn operation_tokens(op: Op) -> i64 {
    match op {
        Op::Const(_) | Op::Symbol(_) => 0,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg => 1,
        Op::Sin | Op::Cos => 2,
        Op::Sqrt | Op::Func(_) => 4,
        Op::Func2(_) => 5,
        Op::Select(_) => 10,
        Op::Table(_) => 9,
    }
}
