//! Reading a printed page of equations back: what it says is all that is used.

mod latex;
mod terminal;
pub mod value;

use std::collections::BTreeMap;

use value::Token;

pub use latex::equations as of_latex;
pub use terminal::{equations as of_terminal, tables};

/// One equation: what it defines, and the tokens of what that is. A vector defines its components.
#[derive(Debug)]
pub struct Equation {
    pub left: Vec<String>,
    pub right: Vec<Vec<Token>>,
}

/// Piecewise cubics by number: knots with four coefficients, and the value below the first.
pub type Tables = BTreeMap<u32, (Vec<[f64; 5]>, f64)>;

/// Computes everything on a page, in its order, from these values of symbols. The speeds' accelerations and the rest are then
/// values of their symbols.
pub fn computed(
    equations: &[Equation],
    known: BTreeMap<String, f64>,
    tables: &Tables,
) -> BTreeMap<String, f64> {
    let mut values = known;
    for e in equations {
        let found: Vec<f64> = e.right.iter().map(|tokens| value::of(tokens, &values, tables)).collect();
        match found.as_slice() {
            [one] => e.left.iter().for_each(|name| {
                values.insert(name.clone(), *one);
            }),
            components => {
                assert_eq!(components.len(), e.left.len(), "{e:?}");
                values.extend(e.left.iter().cloned().zip(components.iter().copied()));
            }
        }
    }
    values
}
