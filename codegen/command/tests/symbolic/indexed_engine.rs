//! Formulas in indices against the symbolic engine: M, c and Q assembled from the formulas are
//! proved equal to the derived ones, by another normal form than the one used to infer them.

use crate::indexed_support::*;
use dqdt_equations::symbolic::{Assumptions, Expressions, Verdict, prove_equal};
use dqdt_families::indexed::{Answer, Member, comparison, formulas};
use dqdt_samples::tier::cases;

fn assert_proved(answers: &[Answer], m: &Member) {
    let c = comparison(answers, m);
    let size = m.rows.len();
    assert_eq!(c.formulas.len(), size * (size + 2), "some block has no formula");
    let verdicts = prove_equal(
        &Expressions::new(&c.graph, &c.formulas),
        &Expressions::new(&m.graph, &c.derived),
        &Assumptions::default(),
    )
    .unwrap();
    let overall = Verdict::overall(&verdicts);
    assert!(overall.is_proved(), "n = {}: {overall:?}", m.n);
}

#[test]
fn formulas_are_proved_by_the_engine() {
    let families = [star, |n| chain(n, true), |n| chain(n, false), pendulums_on_a_cart, snowboarder];
    for make in families.into_iter().take(cases(2, 5)) {
        let members = members(6, make);
        let answers = formulas(&members);
        for m in &members {
            assert_proved(&answers, m);
        }
    }
}
