//! Entries of outputs that are zero, put aside while passes run.
//!
//! Problem: M of a thousand independent bodies has a million entries, of which a thousand are not zero; every pass goes over all outputs.
//! Method:  a list of places for each output. No pass changes a constant zero.

use crate::algebra::Number;
use crate::ir::{NodeId, Program};

/// Places of zeros among the entries of each output, by functions.
pub(super) type Zeros = Vec<Vec<usize>>;

/// Removes entries that are zero from all outputs, until [`put_back`].
pub(super) fn take_out(program: &mut Program) -> Zeros {
    let Program { graph, functions, .. } = program;
    let is_zero = |id: &NodeId| graph.is_zero(*id);
    let outputs = functions.iter_mut().flat_map(|f| &mut f.outputs);
    let places = outputs.map(|output| {
        let nodes = output.nodes.iter().enumerate();
        let places: Vec<usize> = nodes.filter(|(_, id)| is_zero(id)).map(|(i, _)| i).collect();
        output.nodes.retain(|id| !is_zero(id));
        places
    });
    places.collect()
}

/// Puts the zeros back at their places.
pub(super) fn put_back(program: &mut Program, zeros: &Zeros) {
    let zero = program.graph.number(Number::ZERO);
    let invariants = program.graph.invariants().clone();
    let outputs = program.functions.iter_mut().flat_map(|f| &mut f.outputs);
    for (output, places) in outputs.zip(zeros).filter(|(_, places)| !places.is_empty()) {
        let mut kept = output.nodes.iter().copied();
        let mut places = places.iter().peekable();
        let length = output.nodes.len() + places.len();
        let entry = |i: usize| match places.next_if(|place| **place == i) {
            Some(_) => zero,
            None => invariants.require(kept.next(), zero, "a pass lost an entry of an output"),
        };
        output.nodes = (0..length).map(entry).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::{Request, derive};
    use crate::formalism::Formalism;
    use crate::mechanism::Formulation;
    use crate::{functions, pipeline, read};

    #[test]
    fn independent_bodies_have_as_many_entries_as_bodies_and_all_come_back() {
        let slides = |n: usize| {
            let text = format!(
                r#"
                name = "slides"
                [repeat]
                n = {n}
                i = "1 to n"
                [bodies]
                "b{{i}}" = {{ mass = 1 }}
                [joints]
                "j{{i}}" = {{ type = "prismatic", axis = "x", parent = "ground", child = "b{{i}}", coordinates = {{ names = ["x{{i}}"] }} }}
                "#
            );
            let loaded =
                pipeline::build(&read::parse("slides.toml", text.as_str()).unwrap(), "slides.toml").unwrap();
            let request = Request::new(Formalism::Kane, vec![functions::MASS_MATRIX, functions::DQDT]);
            derive(&loaded, &Formulation::default(), &request)
        };
        let mut program = slides(40);
        let whole: Vec<Vec<NodeId>> = outputs(&program);
        let zeros = take_out(&mut program);
        let entries: usize = outputs(&program).iter().map(Vec::len).sum();
        // M and the speeds; nothing accelerates.
        assert_eq!(entries, 40 + 40);
        put_back(&mut program, &zeros);
        assert_eq!(outputs(&program), whole);
        // What is recorded grows with the number of bodies.
        let (once, twice) = (slides(40).graph.len(), slides(80).graph.len());
        assert!(twice <= 2 * once, "{once} {twice}");
    }

    fn outputs(program: &Program) -> Vec<Vec<NodeId>> {
        program.functions.iter().flat_map(|f| &f.outputs).map(|o| o.nodes.clone()).collect()
    }
}
