//! Checks of a generator with added kinds: each kind agrees with existing kinds that
//! describe the same motion.
#![cfg(test)]

mod constraint;
mod event;
mod formalism;
mod joint;
mod load;
mod measure;
mod output;
mod pass;
mod target;

use std::path::Path;

use dqdt_algebra::{Number, Wrench};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::start_at_defaults;
use dqdt_generate::pipeline;
use dqdt_import::read;
use dqdt_mechanics::formalism::{Formalism, Forward, forward_with_reactions};
use dqdt_mechanics::mechanism::Environment;

/// Builds the text of a spec.
fn build(text: &str) -> Assembled {
    let spec = read::parse("test.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    pipeline::build(&spec, "test.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// Builds a spec of `examples/specs`.
fn example(name: &str) -> Assembled {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    pipeline::load(&specs.join(format!("{name}.toml"))).unwrap_or_else(|e| panic!("{e}"))
}

/// Forward dynamics at coordinates `q` and speeds `v`.
fn forward_at(f: Formalism, spec: &Assembled, q: &[f64], v: &[f64]) -> Forward<f64> {
    let start = start_at_defaults(&spec.mechanism);
    let env =
        Environment { t: 0.3, q, v, partition: &spec.partition, ..start.as_environment(&Number::to_f64) };
    forward_with_reactions(f, &spec.mechanism, &env)
}

/// Components of wrenches in one list.
fn components(wrenches: &[Wrench<f64>]) -> Vec<f64> {
    wrenches.iter().flat_map(|w| [w.f.0, w.m.0]).flatten().collect()
}

/// Asserts equality up to rounding.
fn assert_close(a: &[f64], b: &[f64], context: &str) {
    assert_eq!(a.len(), b.len(), "{context}");
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-11 * size), "{context}: {a:?} against {b:?}");
}

/// A double pendulum of solid bodies whose first joint is `joint`.
fn pendulum(joint: &str) -> String {
    format!(
        "name = \"pendulum\"\ngravity = [0.4, -9.81, 0.2]\n\
         [bodies.a]\nmass = 1.5\ncenter_of_mass = [0.2, -0.1, 0.3]\ninertia = [0.3, 0.4, 0.5]\n\
         [bodies.b]\nmass = 0.7\ncenter_of_mass = [0.1, 0.3, -0.2]\ninertia = [0.1, 0.2, 0.25]\n\
         [joints.pin]\n{joint}\nparent = \"ground\"\nchild = {{ body = \"a\", at = [0.1, 0.2, 0.3] }}\n\
         [joints.wrist]\ntype = \"universal\"\nparent = {{ body = \"a\", at = [0.5, 0, 0.1] }}\nchild = \"b\"\n"
    )
}
