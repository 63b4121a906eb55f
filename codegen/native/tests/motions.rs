//! Motions are the same to the last bit by machine code and by the interpreter: smooth, with
//! events, with constraints, stiff.

use std::path::Path;

use dqdt_codegen::pipeline;
use dqdt_codegen::simulate::{Method, SimulationRequest, Span, simulate};
use dqdt_graph::ir::Evaluation;

fn states(spec: &str, span: &Span, evaluation: Evaluation) -> (Vec<f64>, Vec<Vec<f64>>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(spec);
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{spec}: {e}"));
    let request = SimulationRequest { span: *span, evaluation, ..SimulationRequest::default() };
    let simulated = simulate(&loaded, &request).unwrap_or_else(|e| panic!("{spec}: {e}"));
    (simulated.motion.times, simulated.motion.states)
}

#[test]
fn a_motion_does_not_depend_on_the_evaluation() {
    let explicit = Span::until(1.5);
    let stiff = Span { method: Method::Radau, ..Span::until(0.5) };
    let specs = ["cart_pole.toml", "four_bar.toml", "bouncing_pendulum.toml", "rolling_disc.toml"];
    for spec in specs {
        for span in [&explicit, &stiff] {
            let interpreted = states(spec, span, Evaluation::Interpreted);
            for evaluation in [
                Evaluation::Compiled(dqdt_native::compile_tape),
                Evaluation::Adaptive(dqdt_native::compile_tape),
            ] {
                assert_eq!(states(spec, span, evaluation), interpreted, "{spec}");
            }
        }
    }
}
