//! Mechanisms with motions that have little or no inertia.

use crate::files::case_path;

use dqdt_codegen::linearize::{LinearizeRequest, linearize};
use dqdt_codegen::pipeline::program::{Arguments, Machine};
use dqdt_codegen::pipeline::{self, FormalismChoice};
use dqdt_codegen::{Formalism, functions, read};

#[test]
fn what_divides_by_no_inertia_is_there_without_it() {
    let loaded = pipeline::load(&case_path("ur_without_tool_inertia.urdf")).unwrap();
    assert!(loaded.warnings.to_string().contains("warning[massless]"), "{}", loaded.warnings);
    let all = [functions::MASS_MATRIX, functions::GRAVITY];
    let program = pipeline::derive(&loaded, FormalismChoice::BySize, &all).unwrap().program;
    let mut a = Arguments::defaults(&program);
    a.q[0] = 0.7;
    let mass = Machine::new(&program, functions::MASS_MATRIX).unwrap().call(&a).unwrap().to_vec();
    // By hand: 0.01 + 2 · 0.1² + 0.2 · 0.35² about the first joint, zero about the second.
    let right = [0.0545, 0.0, 0.0, 0.0];
    assert!(mass.iter().zip(right).all(|(x, y)| (x - y).abs() < 1e-15), "{mass:?}");
    let gravity = Machine::new(&program, functions::GRAVITY).unwrap().call(&a).unwrap().to_vec();
    let first = (2.0 * 0.1 + 0.2 * 0.35) * 9.81 * 0.7f64.sin();
    assert!((gravity[0].abs() - first).abs() < 1e-14 && gravity[1] == 0.0, "{gravity:?}");
}

#[test]
fn what_divides_by_inertia_is_refused_by_name_without_it() {
    let loaded = pipeline::load(&case_path("ur_without_tool_inertia.urdf")).unwrap();
    for f in [functions::DQDT, functions::IMPACT, functions::INVERSE_MASS_MATRIX, functions::LINEARIZE] {
        let message = pipeline::check_functions(&loaded, &[f]).unwrap_err().to_string();
        assert!(message.contains(f.name) && message.contains("error[massless]"), "{message}");
        assert!(pipeline::derive(&loaded, FormalismChoice::BySize, &[f]).is_err(), "{}", f.name);
    }
    let defaults = pipeline::functions_of(&loaded).unwrap();
    assert!(!defaults.contains(&functions::DQDT) && defaults.contains(&functions::MASS_MATRIX));
}

#[test]
fn linearisation_of_massless_mechanisms_is_refused_by_name() {
    let loaded = pipeline::load(&case_path("ur_without_tool_inertia.urdf")).unwrap();
    let refused = linearize(&loaded, &LinearizeRequest::default()).unwrap_err().to_string();
    assert!(refused.contains("error[massless]") && refused.contains("`dqdt`"), "{refused}");
}

/// A mechanism of two links in series, the outer one massless, with an output.
fn with_output(output: &str) -> pipeline::Assembled {
    let text = format!(
        "name = \"two\"\n[bodies.inner]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.outer]\npoints = {{ tip = [1, 0, 0] }}\n\
         [joints.a]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"ground\"\nchild = \"inner\"\n\
         [joints.b]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"inner\"\nchild = \"outer\"\n\
         [loads.damper]\ntype = \"friction\"\njoint = \"b\"\nviscous = 2\n[outputs]\nout = {output}\n"
    );
    pipeline::build(&read::parse("two.toml", text).unwrap(), "two.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn outputs_and_powers_that_need_no_acceleration_are_there_without_inertia() {
    let loaded = with_output("{ type = \"velocity\", body = \"outer\", at = \"tip\" }");
    let program = pipeline::derive(&loaded, FormalismChoice::BySize, &[functions::OUTPUTS, functions::POWER])
        .unwrap()
        .program;
    let mut a = Arguments::defaults(&program);
    a.v = vec![3.0, 4.0];
    let call = |f| Machine::new(&program, f).unwrap().call(&a).unwrap().to_vec();
    assert_eq!(call(functions::OUTPUTS), [0.0, 7.0, 0.0]);
    assert_eq!(call(functions::POWER), [-32.0]);
    let loaded = with_output("{ type = \"acceleration\", body = \"outer\", at = \"tip\" }");
    let refused = pipeline::check_functions(&loaded, &[functions::OUTPUTS]).unwrap_err().to_string();
    assert!(refused.contains("`outputs`"), "{refused}");
}

#[test]
fn a_light_link_under_load_is_projected_by_every_choice() {
    let loaded = pipeline::load(&case_path("light_loaded.toml")).unwrap();
    for choice in [
        FormalismChoice::BySize,
        FormalismChoice::Quick,
        FormalismChoice::LeastCost,
        FormalismChoice::FewestOperations,
    ] {
        let form = pipeline::choose(&loaded, choice, &functions::defaults()).unwrap();
        assert!(
            matches!(form, Formalism::MaggiCoordinates | Formalism::Maggi),
            "{choice:?}: {}",
            form.name()
        );
    }
}
