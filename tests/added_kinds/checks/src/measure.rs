//! The added measure `curvature`.

use dqdt_algebra::{Dimension, Number};
use dqdt_derivation::derive::{Request, start_at_defaults};
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::{Formalism, evaluate_outputs};
use dqdt_mechanics::mechanism::{Environment, MeasureKind};
use dqdt_samples::random::random_mechanism;

use crate::{assert_close, build, forward_at};

/// A wheel about z whose rim passes through a ground point; the x axis of that point is tangential.
const WHEEL: &str = "name = \"wheel\"\ngravity = [0.4, -9.81, 0.2]\n\
    [ground.points.start]\nat = [0.4, 0, 0]\nrotation = { sequence = \"zyx\", angles = [\"90 deg\", 0, 0] }\n\
    [bodies.wheel]\nmass = 1.5\ncenter_of_mass = [0.2, -0.1, 0.3]\ninertia = [0.3, 0.4, 0.5]\n\
    points = { rim = [0.4, 0, 0] }\n\
    [joints.pin]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"ground\"\nchild = \"wheel\"\n";

#[test]
fn along_a_circle_it_is_one_over_the_radius_and_across_its_plane_zero() {
    let spec = build(&format!(
        "{WHEEL}[outputs]\nbend = \"curvature_y(wheel.rim, ground.start)\"\nlift = \"curvature_z(wheel.rim, ground.start)\"\n"
    ));
    for angle in [-2.5, -0.3, 0.1, 1.1, 3.1] {
        let start = start_at_defaults(&spec.mechanism);
        let env = Environment { q: &[angle], v: &[0.7], ..start.as_environment(&Number::to_f64) };
        let outputs = evaluate_outputs(&spec.mechanism, &env, &[0.0], (&[], &[]));
        let values: Vec<f64> = outputs.iter().flat_map(|o| o.values.clone()).collect();
        assert_close(&values, &[2.5, 0.0], "curvature");
    }
    let program = pipeline::program(&spec, &Request::all(Formalism::Kane));
    let module = pipeline::rust(&program).unwrap_or_else(|e| panic!("{e}"));
    assert!(module.contains("1/m"), "{module}");
}

#[test]
fn all_formalisms_agree_on_a_load_that_measures_it() {
    let spec = build(
        &(crate::pendulum("type = \"revolute\"\naxis = \"z\"")
            + "[loads.motor]\ntype = \"actuator\"\njoint = \"pin\"\neffort = \"3 [N*m^2]*curvature_z(b.com, a)\"\n"),
    );
    let (q, v) = ([0.3, -0.5, 0.8], [0.7, -0.4, 1.1]);
    let kane = forward_at(Formalism::Kane, &spec, &q, &v);
    for f in Formalism::ALL {
        assert_close(&forward_at(f, &spec, &q, &v).accelerations, &kane.accelerations, f.name());
    }
}

#[test]
fn it_has_its_dimension_and_is_drawn_at_random() {
    let kind = MeasureKind::named("curvature_y").unwrap_or_else(|| panic!("no curvature"));
    assert_eq!(kind.form().value_dimension(Dimension::NONE), Dimension::LENGTH.power(-1));
    let drawn = (0..60).any(|seed| {
        let m = random_mechanism(seed, 4).mechanism;
        m.measures.iter().any(|measure| measure.kind.form().function().starts_with("curvature"))
    });
    assert!(drawn && MeasureKind::TEXTS.iter().any(|text| text.function == "curvature_y"));
}
