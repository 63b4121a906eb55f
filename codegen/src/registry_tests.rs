//! Tests of the registries: an added kind is known everywhere. For unit tests the crate has one more of each:
//!
//! - a joint: a file of mechanics (`mechanism/joint/pin_slot.rs`), a file of keys (`spec/joint_keys/pin_slot.rs`);
//! - a constraint: a file of mechanics (`mechanism/constraint/parallel_axes.rs`), a file of keys
//!   (`spec/constraint_keys/parallel_axes.rs`);
//! - a formalism: a file (`formalism/methods/unit_accelerations.rs`);
//! - a pass: a file (`simplify/exponentials.rs`);
//!
//! and a line in each list. Nothing else in the crate names them, which a test holds.

use crate::algebra::{Func, Number, Wrench};
use crate::assemble::Assembled;
use crate::base::JointSymbol;
use crate::derive::Request;
use crate::formalism::{Formalism, forward};
use crate::ir::{self, Program};
use crate::kinematics::parameters;
use crate::mechanism::Environment;
use crate::mechanism::Formulation;
use crate::pipeline;
use crate::{read, scene};

/// What only tests know.
pub(crate) const ADDED: [&str; 4] = ["pin_slot", "parallel_axes", "unit_accelerations", "exponentials"];

fn load(text: &str) -> Assembled {
    let read = read::parse("test.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    pipeline::build(&read, "test.toml").unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn at<R>(loaded: &Assembled, q: &[f64], v: &[f64], f: impl FnOnce(&Environment<'_, f64>) -> R) -> R {
    let number = |n: Number| n.to_f64();
    let p = parameters(&loaded.mechanism, &number, &[]);
    f(&Environment {
        number: &number,
        t: 0.3,
        q,
        v,
        z: &[],
        u: &[],
        p: &p,
        measures: &[],
        regrouped: &[],
        formulation: None,
    })
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
    let names = |l: &Assembled| l.mechanism.coordinates.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ours)[..2], ["pin_slide", "pin_angle"]);
    assert_eq!(names(&theirs)[..2], ["pin_x", "pin_angle"]);
    let (q, v) = ([0.3, 0.7, -0.4, 1.1], [0.9, -1.2, 0.8, 0.5]);
    for f in Formalism::ALL {
        let [a, b] = [&ours, &theirs].map(|l| at(l, &q, &v, |env| forward(f, &l.mechanism, env)));
        close(&a.accelerations, &b.accelerations, f.name());
        close(&flat(&a.reactions), &flat(&b.reactions), f.name());
    }
    // Through the graph, the picture and the printer.
    let module = pipeline::rust(&pipeline::program(&ours, &Request::all(Formalism::Kane))).unwrap();
    assert!(module.contains("pin_slide_dot"), "{module}");
    assert_eq!(scene::initial(&ours.mechanism).joints[0].kind, JointSymbol::Planar);
    // The reader and its messages know it too.
    let wrong = read::parse("test.toml", pendulum("type = \"pin_slo\""));
    let text = match wrong.and_then(|s| pipeline::build(&s, "test.toml").map(|_| ())) {
        Ok(()) => panic!("accepted"),
        Err(e) => e.render(false),
    };
    assert!(text.contains("pin_slot"), "{text}");
}

fn example(name: &str) -> Assembled {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/specs/");
    pipeline::load(std::path::Path::new(&format!("{path}{name}.toml"))).unwrap_or_else(|e| panic!("{e}"))
}

/// A plate that two constraints, or one, hold on an oblique plane.
fn plate(constraints: &str) -> String {
    format!(
        "name = \"plate\"\ngravity = [0.4, -9.81, 0.2]\n\
         [bodies.plate]\nmass = 1.5\ncenter_of_mass = [0.2, -0.1, 0.3]\ninertia = [0.3, 0.4, 0.5]\n\
         [joints.plate]\ntype = \"free\"\nparent = \"ground\"\nchild = \"plate\"\n\
         speeds = {{ kind = \"body_rates\", start = {{ plate_x_dot = 0.4, plate_omega_z = 1.1 }} }}\n{constraints}"
    )
}

#[test]
fn a_kind_of_constraint_is_a_file_of_mechanics_a_file_of_keys_and_a_line_in_each_list() {
    let ends = "from = \"ground\"\nto = \"plate\"\n";
    let ours = load(&plate(&format!(
        "[constraints.on]\ntype = \"point_on_plane\"\nnormal = \"z\"\n{ends}\
         [constraints.flat]\ntype = \"parallel_axes\"\naxis = \"z\"\n{ends}"
    )));
    let theirs = load(&plate(&format!("[constraints.flat]\ntype = \"planar\"\nnormal = \"z\"\n{ends}")));
    let s = crate::derive::start(&ours.mechanism);
    assert!(s.v.iter().filter(|v| **v != 0.0).count() == 2, "{:?}", s.v);
    for f in Formalism::ALL {
        let [a, b] = [&ours, &theirs].map(|l| at(l, &s.q, &s.v, |env| forward(f, &l.mechanism, env)));
        close(&a.accelerations, &b.accelerations, f.name());
        close(&a.multipliers, &b.multipliers, f.name());
    }
    let own = &ours.mechanism.constraints[1];
    let words: Vec<String> = own.multipliers(&ours.mechanism.bodies).iter().map(|m| m.text()).collect();
    assert_eq!(
        words,
        [
            "moment of the ground on plate, about x of the ground",
            "moment of the ground on plate, about y of the ground"
        ]
    );
    assert_eq!(scene::initial(&ours.mechanism).joints[1].kind, JointSymbol::Free);
    let module = pipeline::rust(&pipeline::program(&ours, &Request::all(Formalism::Kane))).unwrap();
    assert!(module.contains("flat_mx"), "{module}");
}

/// The kinds and the keys agree on the words.
#[test]
fn every_type_of_constraint_is_a_kind_and_every_kind_has_a_type() {
    let (kinds, types) = (crate::mechanism::ConstraintKind::WORDS, crate::spec::constraint_kinds());
    assert!(types.iter().all(|t| kinds.contains(t)) && kinds.iter().all(|k| types.contains(k)));
}

#[test]
fn a_formalism_is_a_file_and_a_line() {
    let ours = Formalism::ALL.into_iter().find(|f| f.name() == "unit_accelerations").expect("in the list");
    for name in ["kane_two_body", "four_bar"] {
        let loaded = example(name);
        let m = &loaded.mechanism;
        let s = crate::derive::start(m);
        let v: Vec<f64> = s.v.iter().enumerate().map(|(i, v)| v + 0.3 * i as f64).collect();
        let env = |env: &Environment<'_, f64>| [ours, Formalism::Kane].map(|f| forward(f, m, env));
        let number = |n: Number| n.to_f64();
        let [a, b] = env(&Environment { v: &v, ..s.environment(&number) });
        close(&a.accelerations, &b.accelerations, name);
        close(&a.multipliers, &b.multipliers, name);
        close(&flat(&a.reactions), &flat(&b.reactions), name);
    }
    // Side by side with all others, over the graph.
    let compared = crate::compare::compare(&example("four_bar"), &Formalism::ALL).unwrap();
    let found = compared.iter().find(|f| f.formalism == ours).expect("compared");
    assert!(found.disagreement.expect("regular states") < 1e-9);
    // What is shared is said: M by unit accelerations is nobody else's.
    assert!(!Formalism::ALL.iter().any(|f| ours.shares_mass_with(*f)));
    let text = crate::formalism::independence();
    assert!(text.contains("inverse dynamics of unit accelerations (unit_accelerations)"), "{text}");
    assert!(
        text.contains("inertias of subtrees (kane, composite_body, maggi_coordinates and momentum)"),
        "{text}"
    );
}

#[test]
fn a_pass_is_a_file_and_a_line() {
    let text = pendulum("type = \"revolute\"\naxis = \"z\"");
    let loaded = load(&format!(
        "{text}[outputs]\nboth = {{ type = \"formula\", value = \"exp(-pin^2)*exp(-abs(pin)/4)\" }}\n"
    ));
    let request = Request::new(Formalism::Kane, vec![crate::functions::OUTPUTS]);
    let before = crate::derive::derive(&loaded, &Formulation::default(), &request);
    let after = pipeline::program(&loaded, &request);
    let exponentials = |p: &Program| {
        let needed = ir::needed(&p.graph, &ir::all_roots(p));
        let all = (0..needed.len()).filter(|i| needed[*i]).map(|i| p.graph.node(ir::NodeId(i as u32)).op);
        all.filter(|op| *op == ir::Op::Func(Func::Exp)).count()
    };
    assert_eq!([&before, &after].map(exponentials), [2, 1]);
    let [a, b] = [&before, &after].map(|p| {
        let mut arguments = ir::Arguments::defaults(p);
        arguments.q.iter_mut().for_each(|q| *q += 0.4);
        arguments.v.iter_mut().for_each(|v| *v -= 0.7);
        ir::Machine::new(p, crate::functions::OUTPUTS)
            .expect("asked for")
            .call(&arguments)
            .expect("regular")
            .to_vec()
    });
    close(&a, &b, "with and without the pass");
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let paths = std::fs::read_dir(folder).expect("folder").map(|e| e.expect("entry").path());
    paths
        .flat_map(|p| if p.is_dir() { walk(&p) } else { vec![p] })
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// Files that may name what only tests know: its own, the lists, and this one.
#[test]
fn nothing_else_names_what_was_added() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walk(&root);
    let lists = [
        ("pin_slot", "mechanism/joint/mod.rs", 2),
        ("pin_slot", "spec/joint_keys/mod.rs", 2),
        ("parallel_axes", "mechanism/constraint/mod.rs", 2),
        ("parallel_axes", "spec/constraint_keys/mod.rs", 2),
        ("unit_accelerations", "formalism/methods/mod.rs", 1),
        ("unit_accelerations", "formalism/registry.rs", 1),
        ("exponentials", "simplify/mod.rs", 2),
    ];
    for word in ADDED {
        for file in &files {
            let relative = file.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
            if relative.ends_with(&format!("{word}.rs")) || relative.ends_with("tests.rs") {
                continue;
            }
            let lines = std::fs::read_to_string(file).expect("text");
            let count = lines.lines().filter(|l| l.contains(word)).count();
            let allowed =
                lists.iter().find(|(w, f, _)| *w == word && *f == relative).map_or(0, |(_, _, n)| *n);
            assert_eq!(count, allowed, "{relative} names {word}");
        }
    }
}
