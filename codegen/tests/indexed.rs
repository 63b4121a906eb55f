//! Formulas in the indices: found for families, exact for n ≤ 6, refused where there are none.

mod indexed_support;

use std::time::Instant;

use dqdt_codegen::indexed::{Answer, formulas};
use indexed_support::{chain, members};

fn found(what: &str, members: &[dqdt_codegen::indexed::Member]) -> Vec<Answer> {
    let start = Instant::now();
    let answers = formulas(members);
    println!("{what}: {:?}", start.elapsed());
    for a in &answers {
        println!("{:?}", a.quantity);
        match &a.formula {
            Ok(f) => {
                for (range, terms) in &f.parts {
                    println!("  {range:?}");
                    for t in terms {
                        println!("    {t:?}");
                    }
                }
            }
            Err(e) => println!("  {e}"),
        }
    }
    answers
}

#[test]
fn planar_chain_in_absolute_angles() {
    let answers = found("absolute chain", &members(6, |n| chain(n, true)));
    assert!(answers.iter().all(|a| a.formula.is_ok()));
}
