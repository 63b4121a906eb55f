//! Expands nodes of a graph into polynomials; other operations become variables.
//!
//! Families of indexed formulas (`indexed/expand`) reject such operations. Here a new variable is
//! sound: a value that vanishes as a polynomial in these variables vanishes identically.

use std::rc::Rc;

use super::super::depend::{Group, dependency_groups};
use super::super::graph::Graph;
use super::super::node::{Node, NodeId, Op};
use super::super::replay::mark_needed;
use dqdt_algebra::polynomial::{Complex, Poly, PolynomialError, Ring, VariableRole};
use dqdt_algebra::{Number, Ratio};

/// Depth to which values are expanded into polynomials, for tests of zero or for normal forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// Down to the symbols, with addition formulas for sines of sums.
    Full,
    /// Down to values of parameters, which stay whole, since they are computed once.
    AboveParameters,
}

/// Maximum number of terms of a difference of parameters that is expanded rather than kept as one
/// variable.
const COEFFICIENT: usize = 4;

/// Polynomials of all nodes that some outputs need; `None` for a polynomial with too many terms.
pub(super) struct Expansion<'g> {
    graph: &'g Graph,
    groups: Vec<Group>,
    depth: Depth,
    terms: usize,
    /// The variables of the polynomials; atoms are nodes of the graph.
    pub ring: Ring<NodeId>,
    node_polynomials: Vec<Option<Rc<Poly>>>,
}

impl<'g> Expansion<'g> {
    /// Expands the nodes that `outputs` need, with at most `terms` terms each and `steps` steps for
    /// all products.
    pub fn new(graph: &'g Graph, outputs: &[NodeId], depth: Depth, terms: usize, steps: usize) -> Self {
        let all = mark_needed(graph, outputs);
        let ring = Ring::with_limits(terms, steps);
        let mut e = Expansion {
            graph,
            groups: dependency_groups(graph),
            depth,
            terms,
            ring,
            node_polynomials: Vec::new(),
        };
        let quotients = e.find_reciprocals(&all);
        if !quotients.is_empty() {
            let divisors: Vec<NodeId> = quotients.iter().map(|q| graph.node(*q).args()[1]).collect();
            e.expand_nodes(&mark_needed(graph, &divisors));
            for (quotient, divisor) in quotients.into_iter().zip(divisors) {
                // Without such a rule the reciprocal of the divisor is a variable.
                let _ = e.add_reciprocal_rule(quotient, divisor);
            }
        }
        e.expand_nodes(&all);
        e
    }

    /// Expands all needed nodes in order, operands first.
    fn expand_nodes(&mut self, needed: &[bool]) {
        self.node_polynomials.clear();
        for (index, needed) in needed.iter().enumerate() {
            let id = NodeId(index as u32);
            let poly = needed.then(|| self.expand_node(id, self.graph.node(id)).ok()).flatten();
            self.node_polynomials.push(poly.filter(|p| p.len() <= self.terms).map(Rc::new));
        }
    }

    /// For each sum that is a divisor, the first quotient of a constant by it.
    fn find_reciprocals(&self, needed: &[bool]) -> Vec<NodeId> {
        let mut quotients: Vec<(NodeId, NodeId)> = Vec::new();
        for index in (0..needed.len()).filter(|i| needed[*i]) {
            let node = self.graph.node(NodeId(index as u32));
            let (Op::Div, &[a, b]) = (node.op, node.args()) else { continue };
            let sum = matches!(self.graph.node(b).op, Op::Add | Op::Sub);
            let late = self.depth == Depth::Full || self.groups[b.0 as usize] > Group::Parameter;
            if sum && late && self.graph.constant(a).is_some() && quotients.iter().all(|q| q.1 != b) {
                quotients.push((NodeId(index as u32), b));
            }
        }
        quotients.into_iter().map(|q| q.0).collect()
    }

    /// Adds a rule for `quotient = k / divisor` where the divisor is `c v² + rest`:
    /// `v² → (k / quotient − rest) / c`. Values that contain both then have one form, such as the
    /// rotation of a quaternion of any length.
    fn add_reciprocal_rule(&mut self, quotient: NodeId, divisor: NodeId) -> Result<(), PolynomialError> {
        let sum = self.node_polynomial(divisor)?;
        let square = sum.0.iter().find_map(|(monomial, value)| match monomial[..] {
            [(v, 2)]
                if self.ring.role_and_atom(v).0 == VariableRole::Plain
                    && is_in_one_term(&sum, v)
                    && value.im.is_zero() =>
            {
                Some((v, value.re))
            }
            _ => None,
        });
        let ruled = sum.0.keys().flatten().any(|f| self.ring.has_square_rule(f.0) && f.1 > 1);
        let (Some((v, c)), false, Some(Number::Rational(k))) =
            (square, ruled, self.graph.constant(self.graph.node(quotient).args()[0]))
        else {
            return Err(PolynomialError::Division);
        };
        let rest = sum.sub(&Poly::from_monomial(vec![(v, 2)], Complex::from_real(c)))?;
        let whole = Poly::from_monomial(
            vec![(self.ring.intern_variable(&quotient, VariableRole::Plain)?, -1)],
            Complex::from_real(k),
        );
        let inverse = Ratio::ONE.checked_div(c).ok_or(PolynomialError::Overflow)?;
        let square = self.ring.mul(&whole.sub(&rest)?, &Poly::constant(inverse))?;
        self.ring.set_square_rule(v, square);
        Ok(())
    }

    /// The polynomials of these nodes; `None` for one with too many terms.
    pub fn polys(&self, values: &[NodeId]) -> Vec<Option<Rc<Poly>>> {
        values.iter().map(|id| self.node_polynomials[id.0 as usize].clone()).collect()
    }

    /// The polynomial of a node that was expanded before; an error if it has too many terms.
    fn node_polynomial(&self, id: NodeId) -> Result<Rc<Poly>, PolynomialError> {
        self.node_polynomials[id.0 as usize].clone().ok_or(PolynomialError::TooLarge)
    }

    /// The node itself as a variable, raised to a power.
    fn atom_power(&mut self, id: NodeId, exponent: i16) -> Result<Poly, PolynomialError> {
        Ok(Poly::from_monomial(
            vec![(self.ring.intern_variable(&id, VariableRole::Plain)?, exponent)],
            Complex::ONE,
        ))
    }

    /// The polynomial of one node, from those of its operands; an operation without a polynomial
    /// form becomes a variable.
    fn expand_node(&mut self, id: NodeId, node: Node) -> Result<Poly, PolynomialError> {
        if let Op::Const(Number::Rational(r)) = node.op {
            return Ok(Poly::constant(r));
        }
        if self.depth == Depth::AboveParameters && self.groups[id.0 as usize] <= Group::Parameter {
            // So that `A − C` and `C − A` share a form, differences of parameters are expanded;
            // they become one coefficient again when recorded.
            let sum = match (node.op, node.args()) {
                (Op::Sub, &[a, b]) => self.node_polynomial(a)?.sub(&*self.node_polynomial(b)?)?,
                (Op::Neg, &[a]) => self.node_polynomial(a)?.neg()?,
                _ => return self.atom_power(id, 1),
            };
            return if sum.len() <= COEFFICIENT { Ok(sum) } else { self.atom_power(id, 1) };
        }
        match (node.op, node.args()) {
            (Op::Add, &[a, b]) => self.node_polynomial(a)?.add(&*self.node_polynomial(b)?),
            (Op::Sub, &[a, b]) => self.node_polynomial(a)?.sub(&*self.node_polynomial(b)?),
            (Op::Neg, &[a]) => self.node_polynomial(a)?.neg(),
            (Op::Mul, &[a, b]) => {
                let (a, b) = (self.node_polynomial(a)?, self.node_polynomial(b)?);
                self.ring.mul(&a, &b)
            }
            (Op::Div, &[a, b]) => {
                let single = self.node_polynomial(b).and_then(|b| self.ring.invert_single_term(&b));
                if single.is_err() && self.graph.constant(a).is_some() {
                    // A reciprocal stays one variable: `2/n` next to `1/n` would cost a product.
                    return self.atom_power(id, 1);
                }
                let (a, inverse) = (self.node_polynomial(a)?, single.or_else(|_| self.atom_power(b, -1))?);
                self.ring.mul(&a, &inverse)
            }
            (Op::Sin, &[a]) => Ok(self.expand_sin_cos(a)?.0),
            (Op::Cos, &[a]) => Ok(self.expand_sin_cos(a)?.1),
            _ => self.atom_power(id, 1),
        }
    }

    /// Sine and cosine of an angle, by addition formulas for a sum of angles at full depth.
    fn expand_sin_cos(&mut self, angle: NodeId) -> Result<(Poly, Poly), PolynomialError> {
        let node = self.graph.node(angle);
        let (Op::Add | Op::Sub, &[x, y], Depth::Full) = (node.op, node.args(), self.depth) else {
            return self.ring.sine_and_cosine(&angle, false);
        };
        let ((sx, cx), (sy, cy)) = (self.expand_sin_cos(x)?, self.expand_sin_cos(y)?);
        let sy = if node.op == Op::Sub { sy.neg()? } else { sy };
        let sin = self.ring.mul(&sx, &cy)?.add(&self.ring.mul(&cx, &sy)?)?;
        let cos = self.ring.mul(&cx, &cy)?.sub(&self.ring.mul(&sx, &sy)?)?;
        if sin.len().max(cos.len()) > self.terms { Err(PolynomialError::TooLarge) } else { Ok((sin, cos)) }
    }
}

/// True if exactly one term of `sum` contains the variable `v`.
fn is_in_one_term(sum: &Poly, v: u16) -> bool {
    sum.0.keys().filter(|m| m.iter().any(|f| f.0 == v)).count() == 1
}
