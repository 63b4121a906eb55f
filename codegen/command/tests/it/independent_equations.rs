//! Equations of motion in independent speeds, for every constrained example and for random
//! mechanisms, against a null-space solution.

use crate::common::{at, relative};
use crate::constrained::{BODIES, Flavour};
use crate::linearize_constrained::{arguments, moved, sample, specs};
use crate::null_space::{assembled_sample, expected, samples_of};
use dqdt_algebra::Jet;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_graph::ir::Machine;
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;
use nalgebra::DMatrix;

/// The reduced equations give the accelerations of the full system, and M is the projection onto
/// the free motions.
#[test]
fn equations_in_independent_speeds_have_the_accelerations_of_all() {
    let samples = [Flavour::Loops, Flavour::Nonholonomic, Flavour::Both, Flavour::Redundant]
        .into_iter()
        .flat_map(|flavour| samples_of(flavour, BODIES).take(cases_by_tier(2, 12)))
        .map(|(seed, flavour, s)| (format!("{flavour:?} {seed}"), assembled_sample(&s, (seed, flavour))));
    let examples = specs().into_iter().filter(|(_, l)| l.mechanism.inputs_realising_constraints().is_empty());
    let examples = examples.filter_map(|(name, loaded)| Some((name, moved(&sample(&loaded), 0.03)?)));
    let mut compared = 0;
    for (what, s) in examples.collect::<Vec<_>>().into_iter().chain(samples) {
        let m = &s.mechanism;
        let bare = Assembled::without_spec(m.clone(), s.partition.clone());
        let p =
            pipeline::program(&bare, &Request::new(Formalism::Kane, vec![functions::INDEPENDENT_EQUATIONS]));
        let Some(mut machine) = Machine::new(&p, functions::INDEPENDENT_EQUATIONS) else { continue };
        let equations = machine.call(&arguments(&s, &p)).unwrap_or_else(|e| panic!("{what}: {e}")).to_vec();
        let turns = crate::effort_slopes::directions(&s).len();
        let speeds: Vec<usize> = (p.layout.independent_differences.iter())
            .filter(|i| (turns..turns + m.nv()).contains(*i))
            .map(|i| i - turns)
            .collect();
        let n = speeds.len();
        let (mass, rest) = equations.split_at(n * n);
        let (bias, inputs) = rest.split_at(n);
        // Loads that are nonlinear in their inputs have no input matrix.
        let linear = at(&Sample { u: vec![0.0; s.u.len()], ..s.clone() }, |env| {
            let none = vec![0.0; m.nv()];
            let rest = formalism::inverse_dynamics(m, env, &none);
            let full = at(&s, |env| formalism::inverse_dynamics(m, env, &none));
            let slope: Vec<f64> = (0..m.nv())
                .map(|i| {
                    let input_forces = (0..s.u.len()).map(|k| {
                        let column = env.with_input_jet(k, |env| {
                            let none = vec![Jet::constant(0.0); m.nv()];
                            formalism::inverse_dynamics(m, env, &none)[i].d
                        });
                        column * s.u[k]
                    });
                    rest[i] + input_forces.sum::<f64>()
                })
                .collect();
            relative(&slope, &full) < 1e-9
        });
        if !linear {
            continue;
        }
        let e = expected(&s);
        let mass = DMatrix::from_row_slice(n, n, mass);
        let right: Vec<f64> = (0..n)
            .map(|i| (0..s.u.len()).map(|k| inputs[i * s.u.len() + k] * s.u[k]).sum::<f64>() - bias[i])
            .collect();
        let accelerations =
            mass.clone().cholesky().expect("positive").solve(&nalgebra::DVector::from_vec(right));
        let wanted: Vec<f64> = speeds.iter().map(|i| e.accelerations[*i]).collect();
        let error = relative(accelerations.as_slice(), &wanted);
        assert!(error < 1e-12 * e.condition.max(100.0), "{what}: {error:e} of {:e}", e.condition);
        compared += 1;
    }
    assert!(compared > cases_by_tier(8, 30), "{compared}");
}
