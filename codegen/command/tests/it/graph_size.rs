//! Node count of the graph of Kane's equations.

use crate::build::{chain, state};
use crate::common::trace;
use dqdt_mechanics::formalism::{Formalism, implicit_equations};

/// Number of nodes in the equations of a chain of `n` rods, leaves included.
fn chain_nodes(n: i64, f: Formalism) -> usize {
    let count = usize::try_from(n).unwrap();
    let s = state(chain(n), 0.0, vec![0.1; count], vec![0.2; count], vec![]);
    let (values, steps) = trace(&s, |m, env| {
        let e = implicit_equations(f, m, env);
        e.mass.into_iter().flatten().chain(e.c).chain(e.force).collect()
    });
    println!("{} of {n} rods: {steps} nodes", f.name());
    assert!(values.iter().all(|x| x.is_finite()));
    steps
}

#[test]
fn kane_of_fifty_rods_stays_below_fourteen_thousand_nodes() {
    assert!(chain_nodes(50, Formalism::Kane) < 14_000);
}

#[test]
fn kane_of_ten_rods_stays_small() {
    assert!(chain_nodes(10, Formalism::Kane) < 1_000);
    chain_nodes(10, Formalism::Lagrange);
}
