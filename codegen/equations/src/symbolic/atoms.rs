//! Evaluation of expressions to quotients of polynomials, node by node.
//!
//! Operands precede their node, so there is no recursion. A value is dropped after its last use,
//! since intermediate values can be large.

use std::rc::Rc;

use dqdt_polynomials::{Integer, Rational};

use super::engine::{EngineResult, SymbolicEngine};
use super::error::Reason;
use super::expressions::Expressions;
use super::variable::{Fraction, VariableMeaning};
use dqdt_algebra::{Number, Wide};
use dqdt_graph::ir::Op;

impl SymbolicEngine {
    /// Values of the outputs at some positions; `Expressions::check` must have passed.
    pub fn evaluate_outputs(
        &mut self,
        expressions: &Expressions,
        outputs: &[usize],
    ) -> EngineResult<Vec<Rc<Fraction>>> {
        let n = expressions.nodes.len();
        // Number of remaining uses of each node.
        let mut uses = vec![0u32; n];
        for o in outputs {
            uses[expressions.outputs[*o] as usize] += 1;
        }
        let mut needed = vec![false; n];
        for o in outputs {
            needed[expressions.outputs[*o] as usize] = true;
        }
        for index in (0..n).rev() {
            if needed[index] {
                for a in &expressions.nodes[index].args {
                    needed[*a as usize] = true;
                    uses[*a as usize] += 1;
                }
            }
        }
        let mut values: Vec<Option<Rc<Fraction>>> = vec![None; n];
        for (index, node) in expressions.nodes.iter().enumerate().filter(|(i, _)| needed[*i]) {
            let mut args = Vec::with_capacity(node.args.len());
            for a in &node.args {
                let a = *a as usize;
                uses[a] -= 1;
                let value = if uses[a] == 0 { values[a].take() } else { values[a].clone() };
                args.extend(value);
            }
            values[index] = Some(Rc::new(self.apply_operation(expressions, node.op, &args)?));
        }
        Ok(outputs.iter().filter_map(|o| values[expressions.outputs[*o] as usize].clone()).collect())
    }

    /// Value of one operation of the graph, from the values of its operands.
    fn apply_operation(
        &mut self,
        expressions: &Expressions,
        op: Op,
        a: &[Rc<Fraction>],
    ) -> EngineResult<Fraction> {
        match op {
            Op::Const(n) => self.exact_constant(n),
            Op::Symbol(s) => {
                let index = self.find_or_add_symbol_variable(expressions.symbols[s.0 as usize].kind)?;
                Ok(self.variable_fraction(index))
            }
            Op::Add => self.add(&a[0], &a[1]),
            Op::Sub => self.sub(&a[0], &a[1]),
            Op::Mul => self.mul(&a[0], &a[1]),
            Op::Div => self.div(&a[0], &a[1]),
            Op::Neg => Ok(self.neg(&a[0])),
            Op::Sqrt => self.sqrt(&a[0]),
            Op::Sin => Ok(self.sin_cos(&a[0])?.0),
            Op::Cos => Ok(self.sin_cos(&a[0])?.1),
            Op::Func(f) => self.apply_function(f, &a[0]),
            Op::Func2(f) => self.apply_binary_function(f, &a[0], &a[1]),
            Op::Select(cmp) => self.apply_selection(cmp, &a[0], &a[1], &a[2], &a[3]),
            Op::Table(t) => self.apply_table(&expressions.tables[t.0 as usize], &a[0]),
        }
    }

    /// An exact constant; a float is converted to the dyadic rational with its value.
    pub fn exact_constant(&mut self, n: Number) -> EngineResult<Fraction> {
        match n {
            Number::Rational(r) => Ok(self.ratio_fraction(r.num(), r.den())),
            Number::Wide(w) => Ok(self.constant_fraction(rational_from_wide(w))),
            Number::Pi(r) => {
                let pi = self.find_or_add_variable("pi", || (VariableMeaning::Pi, None));
                let pi = self.variable_fraction(pi);
                Ok(self.scale(&pi, Rational::ratio(r.num(), r.den())))
            }
            Number::Float(bits) => {
                self.inexact = true;
                let value = Rational::from_f64(f64::from_bits(bits)).ok_or(Reason::NotFinite)?;
                Ok(self.constant_fraction(value))
            }
        }
    }
}

/// Converts a wide rational constant of the graph to one of the polynomials.
pub(super) fn rational_from_wide(w: Wide) -> Rational {
    let [num, den] = w.limbs().map(|limbs| Integer::from_digits(false, &limbs));
    let magnitude = Rational::ratio(num, den);
    if w.is_negative() { -magnitude } else { magnitude }
}
