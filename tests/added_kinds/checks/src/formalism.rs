//! The added formalism `unit_accelerations` against all others.

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, start_at_defaults};
use dqdt_derivation::functions::DQDT;
use dqdt_diagnostics::base::Random;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::{Formalism, independence_text};

use crate::{assert_close, components, example, forward_at};

fn added() -> Formalism {
    Formalism::ALL.into_iter().find(|f| f.name() == "unit_accelerations").expect("in the list")
}

#[test]
fn its_solution_is_that_of_kane() {
    for name in ["kane_two_body", "four_bar"] {
        let spec = example(name);
        let s = start_at_defaults(&spec.mechanism);
        let v: Vec<f64> = s.v.iter().enumerate().map(|(i, v)| v + 0.3 * i as f64).collect();
        let [a, b] = [added(), Formalism::Kane].map(|f| forward_at(f, &spec, &s.q, &v));
        assert_close(&a.accelerations, &b.accelerations, name);
        assert_close(&a.multipliers, &b.multipliers, name);
        assert_close(&components(&a.reactions), &components(&b.reactions), name);
    }
}

/// Derivatives of the state by the graph of a formalism, in the interpreter, at
/// states near the start.
fn derivatives(spec: &Assembled, f: Formalism) -> Vec<Vec<f64>> {
    let program = pipeline::program(spec, &Request::new(f, vec![DQDT]));
    let mut machine = Machine::new(&program, DQDT).expect("requested");
    let mut random = Random::new(7);
    let mut states = Vec::new();
    for _ in 0..5 {
        let mut arguments = Arguments::defaults(&program);
        for x in arguments.q.iter_mut().chain(&mut arguments.v) {
            *x += random.next_signed() / 4.0;
        }
        states.push(machine.call(&arguments).expect("regular").to_vec());
    }
    states
}

#[test]
fn its_graph_gives_the_values_of_all_others() {
    let spec = example("four_bar");
    let of_added = derivatives(&spec, added());
    for f in Formalism::ALL {
        for (a, b) in of_added.iter().zip(derivatives(&spec, f)) {
            assert_close(a, &b, f.name());
        }
    }
}

#[test]
fn the_text_about_independence_names_it() {
    // No other formalism computes M in this way.
    assert!(!Formalism::ALL.iter().any(|f| added().shares_mass_with(*f)));
    let text = independence_text();
    assert!(text.contains("inverse dynamics of unit accelerations (unit_accelerations)"), "{text}");
    assert!(
        text.contains("inertias of subtrees (kane, composite_body, maggi_coordinates and momentum)"),
        "{text}"
    );
}
