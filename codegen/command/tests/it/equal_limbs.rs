//! Equal parts of a program (SIMD lanes): lanes compute the scalar values bit by bit, and grouping
//! equal limbs changes no value.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::base::Random;
use dqdt_generate::pipeline::{self, Assembled, Request};
use dqdt_graph::ir::{Group, NodeId, Program, SymbolKind, evaluate};
use dqdt_graph::plan::{Column, Plan, Step};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::Formulation;
use dqdt_print::EqualPart;
use dqdt_samples::tier::cases_by_tier;
use dqdt_spec::read;

fn robot(name: &str) -> Assembled {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/robots").join(name);
    pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

/// Spec text of a body with limbs of two links each; all numbers are constants. The last limb is
/// the mirror image of the first.
fn limbs_spec(limbs: &[(f64, f64, f64)], more: &str) -> String {
    let mut text = String::from(
        "name = \"table\"\ngravity = [0.3, -0.2, -9.81]\n[bodies.b]\nmass = 7\ninertia = [0.3, 0.4, 0.5]\n[joints.base]\n\
         type = \"free\"\nparent = \"ground\"\nchild = \"b\"\ncoordinates = { quaternion = true }\n",
    );
    for (i, (x, y, s)) in limbs.iter().enumerate() {
        text += &format!(
            "[bodies.u{i}]\nmass = 1.3\ncenter_of_mass = [0.01, {}, -0.11]\ninertia = {{ xx = 0.02, yy = 0.03, zz = 0.015, \
             xy = {}, xz = 0.002, yz = {} }}\n[bodies.l{i}]\nmass = 0.4\ncenter_of_mass = [0, {}, -0.2]\n\
             inertia = [0.01, 0.012, 0.003]\n\
             [joints.h{i}]\ntype = \"revolute\"\naxis = \"x\"\nparent = {{ body = \"b\", at = [{x}, {y}, 0] }}\n\
             child = \"u{i}\"\n[joints.k{i}]\ntype = \"revolute\"\naxis = \"y\"\n\
             parent = {{ body = \"u{i}\", at = [0, {}, -0.3] }}\nchild = \"l{i}\"\n",
            0.05 * s,
            0.001 * s,
            -0.0015 * s,
            0.02 * s,
            0.07 * s,
        );
    }
    text + more
}

fn build_spec(text: &str) -> Assembled {
    pipeline::build(&read::parse("table.toml", text).unwrap_or_else(|e| panic!("{e}")), "table.toml")
        .unwrap_or_else(|e| panic!("{e}"))
}

const LEGS: [(f64, f64, f64); 4] = [(0.2, 0.1, 1.0), (0.2, -0.1, -1.0), (-0.2, 0.1, 1.0), (-0.2, -0.1, -1.0)];

fn program(loaded: &Assembled, form: Formalism, functions: &[&'static Definition]) -> Program {
    pipeline::program(loaded, &Request::new(form, functions.to_vec()))
}

/// A pseudo-random value for a symbol, the same at each call.
fn draw_value(kind: SymbolKind, seed: u64) -> f64 {
    let (kind, index) = kind.place();
    Random::new(seed * 1000 + u64::from(kind) * 100 + index as u64).next_between(0.2, 1.1)
}

/// Checks every equal part of a program against its scalar values. Returns the number
/// of operations saved.
fn check(p: &Program, place: &str) -> usize {
    let plan = Plan::new_with_equal_parts(p, true);
    check_order(p, &plan, place);
    let equal: Vec<_> = plan.equal_parts().collect();
    let blocks = plan.blocks.len();
    let parts: Vec<EqualPart> = equal.iter().map(|e| EqualPart::new(&p.graph, &plan.groups, e)).collect();
    for seed in 0..3 {
        let all: Vec<NodeId> = (0..p.graph.len() as u32).map(NodeId).collect();
        let values = evaluate(&p.graph, &all, |kind| draw_value(kind, seed));
        let signed = |c: &Column, lane: usize| {
            let value = values[c.nodes[lane].0 as usize];
            if c.negated[lane] { -value } else { value }
        };
        for (e, part) in equal.iter().zip(&parts) {
            let roots: Vec<NodeId> = part.planned_body().unwrap().roots.iter().map(|r| r.node).collect();
            for lane in 0..e.lanes {
                let inputs: Vec<f64> = e.inputs.iter().map(|c| signed(c, lane)).collect();
                let actual = evaluate(&part.graph, &roots, |kind| inputs[kind.place().1]);
                for (actual, output) in actual.iter().zip(&e.outputs) {
                    // Zeros may differ in sign.
                    assert_eq!(
                        *actual,
                        signed(output, lane),
                        "{place}: {} lane {lane}, {blocks} blocks",
                        e.name
                    );
                }
            }
        }
    }
    equal.iter().map(|e| e.values.len() * (e.lanes - 1)).sum()
}

#[test]
fn lanes_of_robots_compute_the_values_bit_by_bit() {
    for (name, least) in
        [("solo12.toml", 1500), ("anymal.toml", 1500), ("hyq.toml", 1000), ("talos.toml", 1000)]
            .into_iter()
            .take(cases_by_tier(1, 4))
    {
        let loaded = robot(name);
        for form in [Formalism::CompositeBody, Formalism::ArticulatedBody] {
            let p = program(&loaded, form, &[functions::DQDT]);
            let saved = check(&p, &format!("{name} by {}", form.name()));
            assert!(saved > least, "{name} by {}: {saved}", form.name());
        }
        let p = program(&loaded, Formalism::CompositeBody, &functions::defaults());
        // Also together with other functions.
        let saved = check(&p, name);
        assert!(saved > least, "{name} with all functions: {saved}");
    }
}

/// Every value of a body is scheduled once, after its operands and after the part that outputs it
/// by name or as a whole column.
fn check_order(p: &Program, plan: &Plan, place: &str) {
    let blocks = plan.blocks.iter().map(|b| (&b.body, true));
    for (body, is_block) in plan.functions.iter().map(|b| (b, false)).chain(blocks) {
        let mut named: BTreeSet<NodeId> = body.imports.iter().flat_map(|i| &i.nodes).copied().collect();
        if is_block {
            named.extend(&body.angles);
        }
        let mut whole: BTreeSet<&[NodeId]> = BTreeSet::new();
        let ready = |starts: Vec<NodeId>, named: &BTreeSet<NodeId>| {
            let mut stack = starts;
            while let Some(id) = stack.pop() {
                if plan.dependency_group(id) <= Group::Parameter {
                } else if body.is_computed_elsewhere(id) || body.schedule.has_statement(id) {
                    assert!(named.contains(&id), "{place}: a value that is not there");
                } else {
                    stack.extend_from_slice(p.graph.node(id).args());
                }
            }
        };
        for statement in &body.schedule.statements {
            let mut computed: Vec<NodeId> = Vec::new();
            match &statement.step {
                Step::Value(id) => {
                    ready(p.graph.node(*id).args().to_vec(), &named);
                    computed.push(*id);
                }
                Step::SinCos(pairs) => {
                    ready(pairs.iter().map(|x| x.angle).collect(), &named);
                    computed.extend(pairs.iter().flat_map(|x| [x.sin, x.cos]).flatten());
                }
                Step::Part(i) => {
                    let part = &body.parts[*i];
                    let taken_apart = part.inputs.iter().filter(|c| !whole.contains(&c.nodes[..]));
                    ready(taken_apart.flat_map(|c| &c.nodes).copied().collect(), &named);
                    for column in &part.outputs {
                        let lanes = column.nodes.iter().zip(&column.alone).filter(|(_, alone)| **alone);
                        computed.extend(lanes.map(|(node, _)| *node));
                        if !column.alone.contains(&true) {
                            whole.insert(&column.nodes);
                        }
                    }
                }
            }
            for id in computed {
                assert!(named.insert(id), "{place}: a value that is there twice");
            }
        }
        ready(body.roots.iter().map(|r| r.node).collect(), &named);
    }
}

#[test]
fn columns_of_derivatives_compute_the_values_bit_by_bit() {
    let robots = [
        ("panda.toml", Formalism::Kane, 400, 7),
        ("chain20.toml", Formalism::ArticulatedBody, 1500, 9),
        ("talos.toml", Formalism::ArticulatedBody, 20_000, 24),
    ];
    for (name, form, least, lanes) in robots.into_iter().take(cases_by_tier(2, 3)) {
        let p = program(&robot(name), form, &[functions::LINEARIZE]);
        let plan = Plan::new_with_equal_parts(&p, true);
        let columns: Vec<_> = plan.equal_parts().filter(|e| e.columns).collect();
        let saved: usize = columns.iter().map(|e| e.values.len() * (e.lanes - 1)).sum();
        assert!(saved > least, "{name}: {saved}");
        let most = columns.iter().map(|e| e.lanes).max();
        assert!(most >= Some(lanes), "{name}: {most:?}");
        check(&p, name);
    }
}

#[test]
fn functions_with_the_same_columns_compute_them_once() {
    let chain = robot("chain10.toml");
    let p = program(&chain, Formalism::Kane, &[functions::LINEARIZE, functions::DQDT_DERIVATIVES]);
    assert!(check(&p, "chain10") > 200);
    // Values that one part passes to another, some of them also to the scalar rest.
    for name in ["solo12.toml", "talos.toml"].into_iter().take(cases_by_tier(0, 2)) {
        for functions in
            [&[functions::INVERSE_MASS_MATRIX][..], &[functions::LINEARIZE, functions::DQDT_DERIVATIVES]]
        {
            check(&program(&robot(name), Formalism::ArticulatedBody, functions), name);
        }
    }
    // A mechanism whose shared blocks end before entries of the matrices do.
    let limbs = robot("../limbs/two_limbs.toml");
    let forms = [Formalism::ArticulatedBody, Formalism::Kane, Formalism::CompositeBody, Formalism::Mixed];
    for form in forms.into_iter().take(cases_by_tier(1, 4)) {
        let p = program(&limbs, form, &[functions::LINEARIZE, functions::DQDT_DERIVATIVES]);
        check(&p, form.name());
    }
}

#[test]
fn every_function_of_a_quadruped_has_what_it_takes() {
    let loaded = robot("solo12.toml");
    for form in [Formalism::CompositeBody, Formalism::ArticulatedBody] {
        for f in functions::ALL.iter().step_by(cases_by_tier(6, 1)) {
            let place = format!("{} by {}", f.declaration.name, form.name());
            check(&program(&loaded, form, &[*f]), &place);
        }
    }
}

/// Rows of the speeds that have an entry in a column of the linearisation of the robot.
fn speeds_that_depend_on(more: &str, column: usize) -> Vec<usize> {
    let body = "quaternion = true }\nspeeds = { names = [\"vx\", \"vy\", \"vz\", \"wx\", \"wy\", \"wz\"], velocity_frame = \"body\" }";
    let text = limbs_spec(&LEGS, more).replacen("quaternion = true }", body, 1);
    let p = program(&build_spec(&text), Formalism::ArticulatedBody, &[functions::LINEARIZE]);
    // 14 coordinate differences, then speeds: velocity of the base in its axes, angular
    // velocity of the base, speeds of the legs.
    let a = &p.functions[0].outputs[0].nodes;
    assert_eq!(a.len(), 28 * 28);
    (14..28).filter(|row| !p.graph.is_zero(a[28 * row + column])).collect()
}

#[test]
fn what_a_free_base_bears_at_once_moves_nothing_else() {
    // A rotation under gravity or a velocity changes only the base acceleration,
    // perpendicular to its axis.
    for (axis, [turned, quickened]) in [[3, 14], [4, 15], [5, 16]].into_iter().enumerate() {
        let across: Vec<usize> = (14..17).filter(|row| *row != 14 + axis).collect();
        assert_eq!(speeds_that_depend_on("", turned), across);
        assert_eq!(speeds_that_depend_on("", quickened), across);
    }
    // A load in a leg that depends on the base velocity affects all speeds.
    let brake = "[parameters]\nc = { value = 0.1, unit = \"N*s\" }\n[loads.brake]\ntype = \"generalised_force\"\njoint = \"h0\"\nvalue = \"-c*vx\"\n";
    assert_eq!(speeds_that_depend_on(brake, 14).len(), 14);
}

#[test]
fn mirror_images_are_equal_and_limbs_of_other_shape_are_not() {
    let loaded = build_spec(&limbs_spec(&LEGS, ""));
    for form in Formalism::ALL {
        let p = program(&loaded, form, &[functions::DQDT, functions::INVERSE_DYNAMICS]);
        let saved = check(&p, form.name());
        let sweeps = [Formalism::CompositeBody, Formalism::ArticulatedBody].contains(&form);
        assert!(saved > 300 || !sweeps, "{}: {saved}", form.name());
    }
    // One leg has a non-zero centre of mass component where the others have zero.
    let text = limbs_spec(&LEGS, "").replacen(
        "center_of_mass = [0, 0.02, -0.2]",
        "center_of_mass = [0.01, 0.02, -0.2]",
        1,
    );
    let (odd, mut lanes) = (build_spec(&text), Vec::new());
    let p = program(&odd, Formalism::ArticulatedBody, &[functions::DQDT]);
    check(&p, "three legs and another");
    lanes.extend(
        Plan::new_with_equal_parts(&p, true).functions.iter().flat_map(|b| &b.parts).map(|e| e.lanes),
    );
    assert!(!lanes.contains(&4), "{lanes:?}");
    // Two, three, five, eight and nine limbs.
    for n in [2, 3, 5, 8, 9] {
        let limbs: Vec<_> =
            (0..n).map(|i| (0.1 * f64::from(i) - 0.2, 0.3 - 0.05 * f64::from(i), 1.0)).collect();
        let p = program(&build_spec(&limbs_spec(&limbs, "")), Formalism::ArticulatedBody, &[functions::DQDT]);
        check(&p, &format!("{n} limbs"));
    }
}

fn outputs_and_checks(f: &dqdt_graph::ir::Function) -> Vec<NodeId> {
    let checks = f.checks.iter().flat_map(|c| [c.value, c.scale]);
    f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).chain(checks).collect()
}

#[test]
fn equal_limbs_change_no_value() {
    let loaded = build_spec(&limbs_spec(&LEGS, ""));
    for form in Formalism::ALL {
        let functions = [
            functions::DQDT,
            functions::INVERSE_DYNAMICS,
            functions::MASS_MATRIX,
            functions::BIAS,
            functions::ENERGY,
        ];
        let request = Request::new(form, functions::in_order(&functions));
        let plain = dqdt_graph::simplify::simplify(&dqdt_derivation::derive::derive(
            &loaded,
            &Formulation::default(),
            &request,
        ));
        let limbs = pipeline::program(&loaded, &request);
        // The choice of body origins (`level`) differs, which changes no value.
        let mut layout = limbs.layout.clone();
        layout.level.clone_from(&plain.layout.level);
        assert_eq!(plain.layout, layout);
        for (a, b) in plain.functions.iter().zip(&limbs.functions) {
            for seed in 0..3 {
                let x = evaluate(&plain.graph, &outputs_and_checks(a), |kind| draw_value(kind, seed));
                let y = evaluate(&limbs.graph, &outputs_and_checks(b), |kind| draw_value(kind, seed));
                for (x, y) in x.iter().zip(&y) {
                    let place = format!("{} by {}", a.declaration.name, form.name());
                    assert!((x - y).abs() <= 1e-10 * (1.0 + x.abs().max(y.abs())), "{place}: {x} {y}");
                }
            }
        }
    }
}
