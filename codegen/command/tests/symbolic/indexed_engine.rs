//! Formulas in indices against the symbolic engine: M, c and Q assembled from the formulas are
//! proved equal to the derived ones, by another normal form than the one used to infer them.

use crate::indexed_support::*;
use dqdt_equations::symbolic::{Assumptions, Expressions, Verdict, prove_equal};
use dqdt_families::indexed::{Answer, Member, build_comparison, find_formulas};
use dqdt_samples::tier::cases_by_tier;

fn assert_proved(answers: &[Answer], m: &Member) {
    let c = build_comparison(answers, m);
    let size = m.rows.len();
    assert_eq!(c.formula_nodes.len(), size * (size + 2), "some block has no formula");
    let verdicts = prove_equal(
        &Expressions::new(&c.graph, &c.formula_nodes),
        &Expressions::new(&m.graph, &c.reference_nodes),
        &Assumptions::default(),
    )
    .unwrap();
    let overall = Verdict::overall(&verdicts);
    assert!(overall.is_proved(), "n = {}: {overall:?}", m.n);
}

#[test]
fn formulas_are_proved_by_the_engine() {
    let families = [star, |n| chain(n, true), |n| chain(n, false), pendulums_on_a_cart, snowboarder];
    for make in families.into_iter().take(cases_by_tier(2, 5)) {
        let members = members(6, make);
        let answers = find_formulas(&members);
        for m in &members {
            assert_proved(&answers, m);
        }
    }
}
