//! Records polynomials as nodes again, in few operations.
//!
//! Method:  terms with the same sines, cosines and speeds are merged; their coefficient depends on
//!          parameters only. In each sum the factor common to most terms is extracted, repeatedly;
//!          then, over the products of all polynomials, the most frequent pair of factors becomes a
//!          node, repeatedly.
//! Cost:    O(products²) pairs.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::depend::{Group, dependency_groups};
use super::super::graph::Graph;
use super::super::node::{NodeId, Op};
use dqdt_algebra::polynomial::{Complex, Monomial, Poly, Ring, VariableRole};
use dqdt_algebra::{Number, Ratio};

/// A product of nodes and of sums, which are lists of other products.
#[derive(Clone, Default)]
struct NestedProduct {
    nodes: Vec<NodeId>,
    sums: Vec<SignedProducts>,
}

/// A sum of products that are not yet nodes: signs (true for negative) and indices of products.
type SignedProducts = Vec<(bool, usize)>;

/// A term of a polynomial before factoring: its sign and factors, the coefficient first.
#[derive(Clone)]
struct UnfactoredTerm {
    negative: bool,
    nodes: Vec<NodeId>,
}

/// State while polynomials are recorded as nodes again: products before they become nodes.
struct PolynomialRecorder<'a> {
    graph: &'a Graph,
    ring: &'a Ring<NodeId>,
    groups: Vec<Group>,
    products: Vec<NestedProduct>,
}

/// Records polynomials as nodes of the graph in few operations; `None` where there is no
/// polynomial, or its coefficients are complex.
pub(super) fn record_polynomials(
    graph: &Graph,
    ring: &Ring<NodeId>,
    polys: &[Option<Rc<Poly>>],
) -> Vec<Option<NodeId>> {
    let mut writer =
        PolynomialRecorder { graph, ring, groups: dependency_groups(graph), products: Vec::new() };
    let sums: Vec<Option<SignedProducts>> = polys
        .iter()
        .map(|poly| {
            let terms = writer.unfactored_terms(&writer.rewrite_with_fewest_terms(poly.as_deref()?))?;
            Some(writer.factor_terms(terms))
        })
        .collect();
    writer.share_factor_pairs();
    sums.iter().map(|sum| sum.as_ref().map(|sum| writer.record_sum(sum))).collect()
}

impl PolynomialRecorder<'_> {
    /// Substitutes `c² → 1 − s²` for every angle for which that leaves fewer terms.
    fn rewrite_with_fewest_terms(&self, poly: &Poly) -> Poly {
        let mut best = poly.clone();
        let mut cosines: Vec<u16> = poly
            .0
            .keys()
            .flatten()
            .filter(|(v, e)| *e >= 2 && self.ring.role_and_atom(*v).0 == VariableRole::Cos)
            .map(|f| f.0)
            .collect();
        cosines.sort_unstable();
        cosines.dedup();
        for cos in cosines {
            if let Some(other) = self.substitute_sines(&best, cos).filter(|other| other.len() < best.len()) {
                best = other;
            }
        }
        best
    }

    /// The polynomial with `c² → 1 − s²` for one angle, whose cosine is the variable `cos`.
    fn substitute_sines(&self, poly: &Poly, cos: u16) -> Option<Poly> {
        let sin = self.ring.known(self.ring.role_and_atom(cos).1, VariableRole::Sin)?;
        let mut result = Poly::default();
        for (monomial, value) in &poly.0 {
            let squares = monomial.iter().find(|f| f.0 == cos).map_or(0, |f| f.1.max(0) / 2);
            // c²ᵏ = (1 − s²)ᵏ, one factor at a time.
            let mut open = vec![(monomial.clone(), *value)];
            for _ in 0..squares {
                let mut next = Vec::new();
                for (monomial, value) in open {
                    let less = multiply_by_power(&monomial, (cos, -2));
                    let minus = Complex { re: value.re.checked_neg()?, im: value.im.checked_neg()? };
                    next.push((multiply_by_power(&less, (sin, 2)), minus));
                    next.push((less, value));
                }
                open = next;
            }
            for (monomial, value) in open {
                result = result.add(&Poly::from_monomial(monomial, value)).ok()?;
            }
        }
        Some(result)
    }

    /// True if the variable depends on more than parameters.
    fn depends_on_state(&self, variable: u16) -> bool {
        self.groups[self.ring.role_and_atom(variable).1.0 as usize] > Group::Parameter
    }

    /// Dependency group of a node, also of one recorded just now.
    fn dependency_group(&mut self, id: NodeId) -> Group {
        super::super::depend::extend_groups(self.graph, &mut self.groups);
        self.groups[id.0 as usize]
    }

    /// Factors of a monomial as nodes; a negative exponent gives reciprocals.
    fn monomial_factors(&self, monomial: &[(u16, i16)]) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for (variable, exponent) in monomial {
            let (role, atom) = self.ring.role_and_atom(*variable);
            let node = match role {
                VariableRole::Plain | VariableRole::Phase => *atom,
                VariableRole::Sin => self.graph.operation(Op::Sin, &[*atom]),
                VariableRole::Cos => self.graph.operation(Op::Cos, &[*atom]),
            };
            let one = self.graph.number(Number::ONE);
            let node = if *exponent < 0 { self.graph.operation(Op::Div, &[one, node]) } else { node };
            nodes.extend(std::iter::repeat_n(node, exponent.unsigned_abs().into()));
        }
        nodes
    }

    /// Terms of a polynomial, with those that differ only in parameters merged into one
    /// coefficient.
    fn unfactored_terms(&self, poly: &Poly) -> Option<Vec<UnfactoredTerm>> {
        let mut late: BTreeMap<Monomial, Vec<(Monomial, Ratio)>> = BTreeMap::new();
        for (monomial, value) in &poly.0 {
            if !value.im.is_zero() {
                return None;
            }
            let (late_factors, parameters) = monomial.iter().partition(|f| self.depends_on_state(f.0));
            late.entry(late_factors).or_default().push((parameters, value.re));
        }
        late.into_iter().map(|(factors, coefficient)| self.record_term(&factors, &coefficient)).collect()
    }

    /// A term with its coefficient, which depends on parameters only, recorded as a node.
    fn record_term(&self, late: &Monomial, coefficient: &[(Monomial, Ratio)]) -> Option<UnfactoredTerm> {
        let negative = coefficient[0].1.num() < 0;
        let mut sum: Option<NodeId> = None;
        for (monomial, value) in coefficient {
            let minus = (value.num() < 0) != negative;
            let value = if value.num() < 0 { value.checked_neg()? } else { *value };
            let known = self.monomial_factors(monomial).into_iter();
            let product = known.reduce(|a, b| self.graph.operation(Op::Mul, &[a, b]));
            let number = self.graph.number(Number::Rational(value));
            let term = product.map_or(number, |p| self.graph.operation(Op::Mul, &[number, p]));
            let op = if minus { Op::Sub } else { Op::Add };
            sum = Some(sum.map_or(term, |sum| self.graph.operation(op, &[sum, term])));
        }
        let coefficient =
            sum.filter(|id| late.is_empty() || !self.graph.constant(*id).is_some_and(Number::is_one));
        Some(UnfactoredTerm {
            negative,
            nodes: coefficient.into_iter().chain(self.monomial_factors(late)).collect(),
        })
    }

    /// Adds a product to the list; returns its sign and index.
    fn push_product(
        &mut self,
        negative: bool,
        nodes: Vec<NodeId>,
        sums: Vec<SignedProducts>,
    ) -> (bool, usize) {
        self.products.push(NestedProduct { nodes, sums });
        (negative, self.products.len() - 1)
    }

    /// Extracts the factor common to most terms, repeatedly, and adds the products to the list.
    fn factor_terms(&mut self, mut terms: Vec<UnfactoredTerm>) -> SignedProducts {
        let mut sum = SignedProducts::new();
        while let Some(f) = most_common_factor(&terms) {
            let (mut with, rest): (Vec<UnfactoredTerm>, Vec<UnfactoredTerm>) =
                terms.into_iter().partition(|t| t.nodes.len() > 1 && t.nodes.contains(&f));
            let negative = with[0].negative;
            for t in &mut with {
                t.negative ^= negative;
                if let Some(at) = t.nodes.iter().position(|g| *g == f) {
                    t.nodes.remove(at);
                }
            }
            let inner = self.factor_terms(with);
            sum.push(self.push_product(negative, vec![f], vec![inner]));
            terms = rest;
        }
        for t in terms {
            sum.push(self.push_product(t.negative, t.nodes, Vec::new()));
        }
        sum
    }

    /// Replaces the most frequent pair of factors by one node, as long as two products contain one.
    fn share_factor_pairs(&mut self) {
        loop {
            let mut counts: BTreeMap<(NodeId, NodeId), u32> = BTreeMap::new();
            for product in &self.products {
                let mut product_pairs: Vec<_> = factor_pairs(&product.nodes).collect();
                product_pairs.sort_unstable();
                product_pairs.dedup();
                product_pairs.into_iter().for_each(|pair| *counts.entry(pair).or_default() += 1);
            }
            // The first among equals: `max_by_key` returns the last.
            let best = counts.into_iter().rev().max_by_key(|c| c.1).filter(|c| c.1 > 1);
            let Some(((a, b), _)) = best else { return };
            let node = self.graph.operation(Op::Mul, &[a, b]);
            for product in &mut self.products {
                while let Some((i, j)) = pair_positions(&product.nodes, a, b) {
                    product.nodes.remove(j);
                    product.nodes[i] = node;
                }
            }
        }
    }

    /// Records a product as nodes; multiplies factors in the order of their dependency groups.
    fn record_product(&mut self, index: usize) -> NodeId {
        let NestedProduct { nodes, sums } = self.products[index].clone();
        let sums: Vec<NodeId> = sums.iter().map(|sum| self.record_sum(sum)).collect();
        let mut factors: Vec<(Group, NodeId)> = nodes
            .into_iter()
            .chain(sums)
            .map(|id| (self.dependency_group(id).max(Group::Parameter), id))
            .collect();
        factors.sort_by_key(|f| f.0);
        let product = factors.into_iter().map(|f| f.1).reduce(|a, b| self.graph.operation(Op::Mul, &[a, b]));
        product.unwrap_or_else(|| self.graph.number(Number::ONE))
    }

    /// Records a sum of products as nodes, a positive product first if there is one.
    fn record_sum(&mut self, sum: &[(bool, usize)]) -> NodeId {
        let mut result: Option<NodeId> = None;
        // Beginning with a positive term saves a negation.
        for (negative, index) in sum.iter().filter(|t| !t.0).chain(sum.iter().filter(|t| t.0)) {
            let term = self.record_product(*index);
            result = Some(match (result, negative) {
                (None, false) => term,
                (None, true) => self.graph.operation(Op::Neg, &[term]),
                (Some(sum), false) => self.graph.operation(Op::Add, &[sum, term]),
                (Some(sum), true) => self.graph.operation(Op::Sub, &[sum, term]),
            });
        }
        result.unwrap_or_else(|| self.graph.number(Number::ZERO))
    }
}

/// The product of a monomial and a power of a variable.
fn multiply_by_power(monomial: &Monomial, (variable, exponent): (u16, i16)) -> Monomial {
    let mut powers: BTreeMap<u16, i16> = monomial.iter().copied().collect();
    *powers.entry(variable).or_default() += exponent;
    powers.into_iter().filter(|f| f.1 != 0).collect()
}

/// The factor of most terms, if at least two products contain it; the first among equals.
fn most_common_factor(terms: &[UnfactoredTerm]) -> Option<NodeId> {
    let mut counts: Vec<(NodeId, u32)> = Vec::new();
    for t in terms.iter().filter(|t| t.nodes.len() > 1) {
        for (i, f) in t.nodes.iter().enumerate().filter(|(i, f)| !t.nodes[..*i].contains(f)) {
            let _ = i;
            match counts.iter_mut().find(|c| c.0 == *f) {
                Some(c) => c.1 += 1,
                None => counts.push((*f, 1)),
            }
        }
    }
    counts.into_iter().rev().max_by_key(|c| c.1).filter(|c| c.1 > 1).map(|c| c.0)
}

/// All pairs of factors of a product, each in increasing order of ids.
fn factor_pairs(nodes: &[NodeId]) -> impl Iterator<Item = (NodeId, NodeId)> {
    (0..nodes.len()).flat_map(move |i| {
        (i + 1..nodes.len()).map(move |j| (nodes[i].min(nodes[j]), nodes[i].max(nodes[j])))
    })
}

/// The indices of two factors in a product, the smaller first.
fn pair_positions(nodes: &[NodeId], a: NodeId, b: NodeId) -> Option<(usize, usize)> {
    let i = nodes.iter().position(|n| *n == a)?;
    let j = nodes.iter().enumerate().position(|(k, n)| k != i && *n == b)?;
    Some((i.min(j), i.max(j)))
}
