//! Estimates of the size of equations, and size limits.

use std::path::Path;

use dqdt_codegen::read::Settings;
use dqdt_derivation::derive::size::{
    check_formalism_sizes, check_function_sizes, check_node_limit, estimated_operations,
};
use dqdt_generate::pipeline;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{Formulation, Mechanism};

fn chain(n: i64) -> Mechanism {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/families/chain.toml");
    pipeline::load_with(&path, &Settings::default().set("n", n)).unwrap().mechanism
}

#[test]
fn a_long_chain_is_refused_by_the_forms_that_grow_with_the_cube_only() {
    let m = chain(300);
    let refused = check_formalism_sizes(&m, &[Formalism::Kane]).unwrap_err().to_string();
    assert!(refused.contains("300 speeds") && refused.contains("--formalism"), "{refused}");
    assert!(check_formalism_sizes(&m, &[Formalism::ArticulatedBody]).is_ok());
    assert!(check_formalism_sizes(&chain(100), &[Formalism::Kane]).is_ok());
    let m = chain(1000);
    let refused = check_formalism_sizes(&m, &Formalism::ALL).unwrap_err().to_string();
    assert!(refused.contains("fewer bodies"), "{refused}");
    // Functions without a matrix grow linearly with the number of bodies.
    use dqdt_derivation::functions::{DQDT, GRAVITY, MASS_MATRIX};
    assert!(check_function_sizes(&m, Formalism::ArticulatedBody, &[DQDT, GRAVITY]).is_ok());
    assert!(check_function_sizes(&m, Formalism::ArticulatedBody, &[DQDT, MASS_MATRIX]).is_err());
    assert!(check_function_sizes(&m, Formalism::Kane, &[GRAVITY]).is_err());
}

#[test]
fn an_estimate_is_of_the_size_of_the_count() {
    use dqdt_derivation::derive::Request;
    use dqdt_derivation::functions;
    use dqdt_graph::ir::count;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/families/chain.toml");
    let loaded = pipeline::load_with(&path, &Settings::default().set("n", 16)).unwrap();
    for formalism in Formalism::ALL {
        let program = pipeline::program(&loaded, &Request::new(formalism, vec![functions::DQDT]));
        let counted = u64::from(count(&program, &program.functions[0]).call.total());
        let estimated = estimated_operations(&loaded.mechanism, formalism);
        assert!(
            estimated > counted / 3 && estimated < 6 * counted,
            "{}: {counted} counted, {estimated} estimated",
            formalism.name()
        );
    }
}

#[test]
fn a_graph_that_is_full_ends_derivation_and_passes_with_the_limit() {
    use dqdt_derivation::derive::Request;
    use dqdt_derivation::functions;
    use dqdt_graph::ir::Graph;
    for (spec, most) in [("cart_pole", 60), ("four_bar", 100), ("four_bar", 400), ("panda_arm", 2000)] {
        let path = format!("{}/../../examples/specs/{spec}.toml", env!("CARGO_MANIFEST_DIR"));
        let loaded = pipeline::load(Path::new(&path)).unwrap();
        for formalism in Formalism::ALL {
            let graph = Graph::with_normal_forms().with_limit(most);
            let request = Request::new(formalism, functions::defaults());
            let program =
                dqdt_derivation::derive::derive_in_graph(graph, &loaded, &Formulation::default(), &request);
            let simpler = dqdt_graph::simplify::simplify(&program);
            let said = check_node_limit(&simpler).unwrap_err().to_string();
            assert!(said.contains("more than 8.0 million operations") && said.contains("fewer"), "{said}");
        }
    }
    assert!(
        check_node_limit(&pipeline::program(
            &pipeline::load(
                &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml")
            )
            .unwrap(),
            &Request::all(Formalism::Kane)
        ))
        .is_ok()
    );
}
