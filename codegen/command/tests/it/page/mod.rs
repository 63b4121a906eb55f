//! Reads a printed page of equations back and evaluates it, using nothing but its text.

mod latex;
mod terminal;
pub mod value;

use std::collections::BTreeMap;

use value::Token;

pub use latex::equations as of_latex;
pub use terminal::{equations as of_terminal, tables};

/// One equation: the names that it defines, and the tokens of their formulas. A vector defines
/// three components.
#[derive(Debug)]
pub struct Equation {
    pub left: Vec<String>,
    pub right: Vec<Vec<Token>>,
}

/// Piecewise cubics by table number: knots with four coefficients each, and the value
/// below the first knot.
pub type Tables = BTreeMap<u32, (Vec<[f64; 5]>, f64)>;

/// Evaluates all equations of a page in order, from given values of symbols. The result includes
/// accelerations and all other defined symbols.
pub fn evaluate_equations(
    equations: &[Equation],
    known: BTreeMap<String, f64>,
    tables: &Tables,
) -> BTreeMap<String, f64> {
    let mut values = known;
    for e in equations {
        let components: Vec<f64> =
            e.right.iter().map(|tokens| value::evaluate_tokens(tokens, &values, tables)).collect();
        match components.as_slice() {
            [value] => e.left.iter().for_each(|name| {
                values.insert(name.clone(), *value);
            }),
            _ => {
                assert_eq!(components.len(), e.left.len(), "{e:?}");
                values.extend(e.left.iter().cloned().zip(components.iter().copied()));
            }
        }
    }
    values
}
