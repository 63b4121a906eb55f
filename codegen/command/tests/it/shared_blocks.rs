//! Blocks shared by functions: a call computes exactly the values that the
//! function needs, each once.

use std::collections::BTreeMap;
use std::path::Path;

use dqdt_codegen::functions::{self, joint};
use dqdt_codegen::pipeline::{self, FormalismChoice, Request};
use dqdt_graph::ir::{Group, NodeId, Op, Program, mark_needed, needed_roots};
use dqdt_graph::plan::{Plan, PlannedBody};

const SPECS: [&str; 7] =
    ["cart_pole", "kane_two_body", "four_bar", "snowboarder3", "seven_body", "quadrotor", "panda_arm"];

fn program(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
    let loaded = pipeline::load(&path).unwrap();
    let formalism = pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
    let both = joint(&[functions::DQDT, functions::OUTPUTS, functions::ENERGY]).unwrap();
    let functions = functions::defaults_and(&[functions::REACTIONS, both]);
    pipeline::program(&loaded, &Request::new(formalism, functions))
}

fn is_leaf(program: &Program, plan: &Plan, id: NodeId) -> bool {
    plan.dependency_group(id) <= Group::Parameter || matches!(program.graph.node(id).op, Op::Symbol(_))
}

/// Graph nodes that a block or function body computes itself, without imported values.
fn nodes_computed_by(program: &Program, plan: &Plan, body: &PlannedBody) -> Vec<NodeId> {
    let mut stack: Vec<NodeId> = body.roots.iter().map(|r| r.node).collect();
    let mut nodes = std::collections::BTreeSet::new();
    while let Some(id) = stack.pop() {
        if !is_leaf(program, plan, id) && !body.is_computed_elsewhere(id) && nodes.insert(id) {
            stack.extend_from_slice(program.graph.node(id).args());
        }
    }
    nodes.into_iter().collect()
}

#[test]
fn a_call_computes_what_its_function_needs_each_value_once() {
    let mut blocks = 0;
    for name in SPECS {
        let program = program(name);
        let plan = Plan::new(&program);
        blocks += plan.blocks.len();
        for (number, function) in program.functions.iter().enumerate() {
            let called = plan.blocks.iter().filter(|b| b.functions.contains(&number)).map(|b| &b.body);
            let mut times: BTreeMap<NodeId, usize> = BTreeMap::new();
            for body in called.chain([&plan.functions[number]]) {
                nodes_computed_by(&program, &plan, body)
                    .into_iter()
                    .for_each(|id| *times.entry(id).or_default() += 1);
            }
            let what = format!("{name}: {}", function.declaration.name);
            assert!(times.values().all(|n| *n == 1), "{what} computes a value twice");
            // An unchecked function does not need its divisors checked.
            let nodes = if function.declaration.checked {
                needed_roots(function)
            } else {
                function.outputs.iter().flat_map(|o| o.nodes.clone()).collect()
            };
            let needed = mark_needed(&program.graph, &nodes);
            let mut angles: Vec<NodeId> = Vec::new();
            for (index, _) in needed.iter().enumerate().filter(|(_, n)| **n) {
                let id = NodeId(index as u32);
                if let Op::Sin | Op::Cos = program.graph.node(id).op {
                    angles.extend(program.graph.node(id).args());
                }
                assert!(is_leaf(&program, &plan, id) || times.contains_key(&id), "{what} lacks a value");
            }
            for id in times.keys().filter(|id| !needed.get(id.0 as usize).copied().unwrap_or(false)) {
                // A sine is computed together with its cosine.
                let node = program.graph.node(*id);
                let pair = matches!(node.op, Op::Sin | Op::Cos) && angles.contains(&node.args()[0]);
                assert!(pair, "{what} computes {node:?}, which it does not need");
            }
        }
    }
    assert!(blocks > 25, "{blocks}");
}

#[test]
fn blocks_hand_out_what_others_take_and_nothing_else() {
    for name in SPECS {
        let program = program(name);
        let plan = Plan::new(&program);
        let bodies: Vec<&PlannedBody> =
            plan.functions.iter().chain(plan.blocks.iter().map(|b| &b.body)).collect();
        for (number, block) in plan.blocks.iter().enumerate() {
            assert!(block.functions.len() > 1, "{name}: {}", block.name);
            let mut taken: Vec<NodeId> = bodies
                .iter()
                .flat_map(|b| b.imports.iter().filter(|i| i.block == number).flat_map(|i| i.nodes.clone()))
                .collect();
            taken.sort_unstable();
            taken.dedup();
            let mut outputs: Vec<NodeId> = block.body.roots.iter().map(|r| r.node).collect();
            outputs.sort_unstable();
            assert_eq!(outputs, taken, "{name}: {}", block.name);
            // A block imports values only from blocks that all of its callers call earlier.
            for import in &block.body.imports {
                assert!(import.block < number, "{name}: {}", block.name);
                let earlier = &plan.blocks[import.block];
                assert!(
                    block.functions.iter().all(|f| earlier.functions.contains(f)),
                    "{name}: {}",
                    block.name
                );
            }
        }
    }
}

#[test]
fn a_small_module_has_no_blocks_and_the_choice_is_the_same_every_time() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml");
    let loaded = pipeline::load(&path).unwrap();
    let small = pipeline::program(&loaded, &Request::all(dqdt_mechanics::formalism::Formalism::Kane));
    assert!(Plan::new(&small).blocks.is_empty());
    let large = program("panda_arm");
    let text = || format!("{:?}", Plan::new(&large).blocks);
    assert_eq!(text(), text());
    let module = pipeline::rust(&large).unwrap();
    assert_eq!(module, pipeline::rust(&program("panda_arm")).unwrap());
}
