//! The added constraint `parallel_axes`, with a point on a plane, against `planar`.

use dqdt_derivation::derive::{Request, start_at_defaults};
use dqdt_diagnostics::base::JointSymbol;
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::ConstraintKind;
use dqdt_spec::spec::constraint_keys;
use dqdt_view::scene;

use crate::{assert_close, build, forward_at};

const PARALLEL_AXES: &str = "\
[constraints.on]
type = \"point_on_plane\"
normal = \"z\"
from = \"ground\"
to = \"plate\"
[constraints.flat]
type = \"parallel_axes\"
axis = \"z\"
from = \"ground\"
to = \"plate\"
";
const PLANAR: &str = "\
[constraints.flat]
type = \"planar\"
normal = \"z\"
from = \"ground\"
to = \"plate\"
";

/// A plate held on a plane by the given constraints.
fn plate(constraints: &str) -> String {
    format!(
        "name = \"plate\"\ngravity = [0.4, -9.81, 0.2]\n\
         [bodies.plate]\nmass = 1.5\ncenter_of_mass = [0.2, -0.1, 0.3]\ninertia = [0.3, 0.4, 0.5]\n\
         [joints.plate]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\n\
         speeds = {{ kind = \"body_rates\", start = {{ plate_x_dot = 0.4, plate_omega_z = 1.1 }} }}\n{constraints}"
    )
}

#[test]
fn it_holds_what_a_planar_constraint_does_by_all_formalisms() {
    let [added, planar] = [PARALLEL_AXES, PLANAR].map(|constraints| build(&plate(constraints)));
    let s = start_at_defaults(&added.mechanism);
    assert_eq!(s.v.iter().filter(|v| **v != 0.0).count(), 2, "{:?}", s.v);
    for f in Formalism::ALL {
        let [a, b] = [&added, &planar].map(|spec| forward_at(f, spec, &s.q, &s.v));
        assert_close(&a.accelerations, &b.accelerations, f.name());
        assert_close(&a.multipliers, &b.multipliers, f.name());
    }
}

#[test]
fn its_multipliers_are_named_and_it_is_emitted_and_drawn() {
    let spec = build(&plate(PARALLEL_AXES));
    let m = &spec.mechanism;
    let texts: Vec<String> =
        m.constraints[1].describe_multipliers(&m.bodies).iter().map(|x| x.description()).collect();
    let expected =
        ["x", "y"].map(|axis| format!("moment of the ground on plate, about {axis} of the ground"));
    assert_eq!(texts, expected);
    assert_eq!(scene::start_scene(m).joints[1].kind, JointSymbol::Free);
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("flat_mx"), "{module}");
}

#[test]
fn keys_and_kinds_have_the_same_words() {
    let (kinds, types) = (ConstraintKind::WORDS, constraint_keys::kinds());
    assert!(kinds.contains(&"parallel_axes"));
    assert!(types.iter().all(|t| kinds.contains(t)) && kinds.iter().all(|k| types.contains(k)));
}
