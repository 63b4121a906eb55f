//! What is added to a registry is known everywhere. For its unit tests the crate is compiled with one more joint: a file of
//! mechanics (`mechanism/joint/pin_slot.rs`), a file of keys (`spec/joint_keys/pin_slot.rs`), a line in each list. Nothing
//! else in the crate names it.

use crate::base::JointSymbol;
use crate::formalism::{Formalism, forward};
use crate::ir::lower::Request;
use crate::kinematics::parameters;
use crate::mechanism::Environment;
use crate::pipeline::{self, Loaded};
use crate::{algebra::Number, algebra::Wrench, scene, spec};

fn load(text: &str) -> Loaded {
    let read = spec::parse("test.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    pipeline::build(&read, "test.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn at<R>(loaded: &Loaded, q: &[f64], v: &[f64], f: impl FnOnce(&Environment<'_, f64>) -> R) -> R {
    let number = |n: Number| n.to_f64();
    let p = parameters(&loaded.mechanism, &number, &[]);
    f(&Environment { number: &number, t: 0.3, q, v, z: &[], u: &[], p: &p })
}

fn close(a: &[f64], b: &[f64], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-11 * size), "{what}: {a:?} against {b:?}");
}

fn flat(all: &[Wrench<f64>]) -> Vec<f64> {
    all.iter().flat_map(|w| [w.f.0, w.m.0]).flatten().collect()
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

#[test]
fn a_kind_of_joint_is_a_file_of_mechanics_a_file_of_keys_and_a_line_in_each_list() {
    let ours = load(&pendulum("type = \"pin_slot\"\naxes = [\"x\", \"-z\"]"));
    // The same motion by kinds of the crate: a planar joint whose other displacement is held.
    let theirs = load(&pendulum(
        "type = \"planar\"\naxes = [\"x\", \"-y\"]\ncoordinates = { prescribed = { pin_y = \"0\" } }",
    ));
    let names = |l: &Loaded| l.mechanism.coordinates.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ours)[..2], ["pin_slide", "pin_angle"]);
    assert_eq!(names(&theirs)[..2], ["pin_x", "pin_angle"]);
    let (q, v) = ([0.3, 0.7, -0.4, 1.1], [0.9, -1.2, 0.8, 0.5]);
    for f in Formalism::ALL {
        let [a, b] = [&ours, &theirs].map(|l| at(l, &q, &v, |env| forward(f, &l.mechanism, env)));
        close(&a.accelerations, &b.accelerations, f.name());
        close(&flat(&a.reactions), &flat(&b.reactions), f.name());
    }
    // Through the graph, the picture and the printer.
    let module = pipeline::rust(&pipeline::program(&ours, &Request::all(Formalism::Kane)));
    assert!(module.contains("pin_slide_dot"), "{module}");
    assert_eq!(scene::initial(&ours.mechanism).joints[0].kind, JointSymbol::Planar);
    // The reader and its messages know it too.
    let wrong = spec::parse("test.toml", pendulum("type = \"pin_slo\""));
    let text = match wrong.and_then(|s| pipeline::build(&s, "test.toml").map(|_| ())) {
        Ok(()) => panic!("accepted"),
        Err(e) => e.render(false),
    };
    assert!(text.contains("pin_slot"), "{text}");
}
