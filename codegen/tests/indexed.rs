//! Formulas in the indices: found for families, exact for n ≤ 6, refused where there are none.

mod indexed_support;

use std::time::Instant;

use dqdt_codegen::indexed::{Answer, formulas};
use indexed_support::*;

fn found(what: &str, members: &[dqdt_codegen::indexed::Member]) -> Vec<Answer> {
    let start = Instant::now();
    let answers = formulas(members);
    println!("{what}: {:?}", start.elapsed());
    for a in &answers {
        println!("{:?}", a.quantity);
        match &a.formula {
            Ok(f) => {
                for (math, range) in
                    dqdt_codegen::indexed::formula(f, &dqdt_codegen::indexed::Style::new("n"))
                {
                    println!("  {}    {}", math.text, range.map_or(String::new(), |r| r.text));
                    println!("  {}", math.latex);
                }
            }
            Err(e) => println!("  {e}"),
        }
    }
    answers
}

#[test]
fn planar_chain_in_absolute_angles() {
    found("absolute chain", &members(6, |n| chain(n, true)));
}

#[test]
fn planar_chain_in_relative_angles() {
    found("relative chain", &members(6, |n| chain(n, false)));
}

#[test]
fn equal() {
    found("equal chain", &members(6, |n| equal_chain(n, true)));
    found("equal relative", &members(6, |n| equal_chain(n, false)));
}

#[test]
fn cart() {
    found("cart", &members(6, pendulums_on_a_cart));
}

#[test]
fn a_star() {
    found("star", &members(6, star));
}

#[test]
fn boarder() {
    found("snowboarder", &members(6, snowboarder));
}
