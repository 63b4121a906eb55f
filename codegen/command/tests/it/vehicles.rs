//! Vehicles at all headings: all formalisms against eigenvectors, and long motions.
//!
//! Two wheels on one axle forbid the same slip twice, in the same row at every heading. The angle
//! of three wheels steered together decides which two of their lateral rows are independent.
//!
//! Above 500 lines: the independent solution by eigenvectors is next to the vehicles.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::path::{Path, PathBuf};

use crate::common::{at, flatten_wrenches, forward, implicit, relative};
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_derivation::assemble::{Manifold, find_state};
use dqdt_derivation::derive::{Request, derive};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{Formalism, reactions, undetermined_reactions};
use dqdt_mechanics::kinematics::{constraint_rows, constraint_wrenches, initial_instant};
use dqdt_mechanics::mechanism::{BodyId, Formulation, PivotPlace, RowIndex};
use dqdt_samples::random::Sample;
use nalgebra::{DMatrix, DVector};

/// Tolerance for the relative error of every formalism.
const LIMIT: f64 = 1e-9;
const HEADINGS: usize = 720;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/specs").join(name).with_extension("toml")
}

fn load(name: &str) -> Assembled {
    pipeline::load(&path(name)).unwrap_or_else(|e| panic!("{e}"))
}

/// The state with given coordinates, projected onto the constraints; wheel speeds of the start.
fn projected_state(loaded: &Assembled, set: &[(&str, f64)]) -> Sample {
    let m = &loaded.mechanism;
    let manifold = Manifold::with_default_parameters(m);
    let mut s = initial_instant(m, &|n| n.to_f64(), &manifold.parameters);
    for (name, value) in set {
        let i = m.coordinates.iter().position(|c| c.name == *name).expect("a coordinate");
        s.q[i] = *value;
    }
    let held = vec![true; m.nq()];
    let free = vec![false; m.nv()];
    let state = find_state(&manifold, 0.0, (&s.q, &s.v), (&held, &free)).expect("assembled");
    let u: Vec<f64> = (0..m.inputs.len()).map(|i| 3.0 - 4.0 * i as f64).collect();
    Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: loaded.partition.clone(),
        t: 0.0,
        q: state.q,
        v: state.v,
        z: Vec::new(),
        u,
    }
}

/// Reference solution with all rows, by eigenvectors of `AᵀA` and `A Aᵀ` as in no formalism.
struct ReferenceSolution {
    jacobian: DMatrix<f64>,
    accelerations: Vec<f64>,
    /// The generalised constraint forces `Aᵀ λ`.
    forces: Vec<f64>,
    /// Multipliers that the mechanism reports as determined.
    multipliers: Vec<f64>,
    reactions: Vec<f64>,
    /// True for reaction components that do not depend on the choice of λ.
    determined: Vec<bool>,
}

/// Null space of a positive semidefinite matrix, and its other eigenvectors with their eigenvalues.
fn split_by_null_space(a: &DMatrix<f64>) -> (DMatrix<f64>, Vec<(f64, DVector<f64>)>) {
    let e = a.clone().symmetric_eigen();
    let limit = 1e-12 * e.eigenvalues.max();
    let (null, rest): (Vec<usize>, Vec<usize>) = (0..a.nrows()).partition(|i| e.eigenvalues[*i] < limit);
    let rest = rest.into_iter().map(|i| (e.eigenvalues[i], e.eigenvectors.column(i).into_owned()));
    (e.eigenvectors.select_columns(&null), rest.collect())
}

fn expected(s: &Sample) -> ReferenceSolution {
    let m = &s.mechanism;
    let e = implicit(Formalism::Kane, s);
    let mass = DMatrix::from_fn(m.nv(), m.nv(), |i, j| e.mass[i][j]);
    let right = DVector::from_fn(m.nv(), |i, _| e.force[i] - e.c[i]);
    let rows = at(s, |env| constraint_rows(m, env));
    let a = DMatrix::from_fn(rows.len(), m.nv(), |i, j| rows[i].jacobian[j]);
    let gamma = DVector::from_fn(rows.len(), |i, _| rows[i].gamma);
    let (basis, _) = split_by_null_space(&(a.transpose() * &a));
    let (null, range) = split_by_null_space(&(&a * a.transpose()));
    let inverse = |b: &DVector<f64>| {
        range.iter().fold(DVector::zeros(rows.len()), |sum, (value, u)| sum + u * (u.dot(b) / value))
    };
    let particular = a.transpose() * inverse(&gamma);
    let projected = (basis.transpose() * &mass * &basis).cholesky().expect("positive");
    let x = &particular + &basis * projected.solve(&(basis.transpose() * (&right - &mass * &particular)));
    let forces = &mass * &x - &right;
    let lambda = inverse(&(&a * &forces));
    let wrenches = |lambda: &DVector<f64>| {
        at(s, |env| flatten_wrenches(&reactions(m, env, x.as_slice(), &rows, lambda.as_slice())))
    };
    let of_lambda = wrenches(&lambda);
    let mut determined = vec![true; of_lambda.len()];
    for column in null.column_iter() {
        let other = wrenches(&(&lambda + column));
        determined
            .iter_mut()
            .zip(of_lambda.iter().zip(&other))
            .for_each(|(d, (a, b))| *d &= (a - b).abs() < 1e-9);
    }
    let determined_rows: Vec<usize> =
        (0..rows.len()).filter(|i| !s.partition.is_undetermined(rows[*i].row_index())).collect();
    for i in &determined_rows {
        assert!(null.row(*i).norm() < 1e-9, "{} is said to be determined", rows[*i].name);
    }
    ReferenceSolution {
        accelerations: x.as_slice().to_vec(),
        forces: forces.as_slice().to_vec(),
        multipliers: determined_rows.iter().map(|i| lambda[*i]).collect(),
        reactions: of_lambda,
        determined,
        jacobian: a,
    }
}

impl ReferenceSolution {
    /// The determined components of a list of wrench components.
    fn determined_of(&self, all: &[f64]) -> Vec<f64> {
        let both = all.iter().zip(&self.determined);
        both.filter(|(_, determined)| **determined).map(|(x, _)| *x).collect()
    }
}

/// True for reaction components that the library reports as determined.
fn determined(s: &Sample) -> Vec<bool> {
    let open = at(s, |env| undetermined_reactions(&s.mechanism, env));
    open.components.iter().flatten().map(|open| !open).collect()
}

fn program(loaded: &Assembled, f: Formalism) -> Program {
    let functions = vec![functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS];
    simplify(&derive(loaded, &Formulation::default(), &Request::new(f, functions)))
}

/// Angles over the full circle, and some close to 0°, 30°, 90° and 150°.
fn angles() -> Vec<f64> {
    let mut angles: Vec<f64> = (0..HEADINGS).map(|i| i as f64 * TAU / HEADINGS as f64).collect();
    for k in [3, 6, 8, 10, 12, 14] {
        for near in [0.0, FRAC_PI_2, PI / 6.0, 5.0 * PI / 6.0] {
            angles.extend([-1.0, 1.0].map(|sign| near + sign * 10f64.powi(-k)));
        }
    }
    angles
}

/// Compares accelerations, determined multipliers and determined reactions of every formalism: as
/// programs at all angles, in doubles at every 120th, with `Aᵀλ`.
fn assert_all_agree(name: &str, coordinates: &[&str]) {
    let loaded = load(name);
    let m = &loaded.mechanism;
    let programs: Vec<(Formalism, Program)> =
        Formalism::ALL.map(|f| (f, program(&loaded, f))).into_iter().collect();
    let mut machines: Vec<_> = programs
        .iter()
        .map(|(f, p)| {
            let machine = |f: &'static Definition| Machine::new(p, f);
            (*f, p, [functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS].map(machine))
        })
        .collect();
    let mut worst = 0.0f64;
    for (i, angle) in angles().into_iter().enumerate() {
        let set: Vec<(&str, f64)> = coordinates.iter().map(|c| (*c, angle)).collect();
        let s = projected_state(&loaded, &set);
        let e = expected(&s);
        let reactions = e.determined_of(&e.reactions);
        let multipliers = &e.multipliers;
        if i % 24 == 0 && i < HEADINGS {
            assert_eq!(determined(&s), e.determined, "{name} at {angle}");
        }
        let mut see = |f: Formalism, what: &str, actual: &[f64], right: &[f64]| {
            let error = relative(actual, right);
            assert!(error < LIMIT, "{name} at {angle:.17}: {}: {what}: {error:e}", f.name());
            worst = worst.max(error);
        };
        for (f, p, machines) in &mut machines {
            let mut a = Arguments::defaults(p);
            (a.t, a.q, a.v, a.u) = (s.t, s.q.clone(), s.v.clone(), s.u.clone());
            let mut call = |k: usize| -> Vec<f64> {
                let Some(machine) = &mut machines[k] else { return Vec::new() };
                machine
                    .call(&a)
                    .unwrap_or_else(|e| panic!("{name} at {angle:.17}: {}: {e}", f.name()))
                    .to_vec()
            };
            see(*f, "v̇", &call(0)[m.nq()..m.nq() + m.nv()], &e.accelerations);
            see(*f, "determined multipliers", &call(1), multipliers);
            see(*f, "determined reactions", &e.determined_of(&call(2)), &reactions);
            if i % 120 == 0 {
                let solution = forward(*f, &s);
                let pulled = e.jacobian.transpose() * DVector::from_column_slice(&solution.multipliers);
                see(*f, "v̇ over doubles", &solution.accelerations, &e.accelerations);
                see(*f, "Aᵀλ", pulled.as_slice(), &e.forces);
                see(
                    *f,
                    "reactions over doubles",
                    &e.determined_of(&flatten_wrenches(&solution.reactions)),
                    &reactions,
                );
            }
        }
    }
    println!("{name}: {worst:.1e}");
}

#[test]
fn all_forms_agree_at_every_heading_of_a_vehicle_on_two_wheels() {
    assert_all_agree("two_wheeler", &["heading"]);
}

#[test]
fn all_forms_agree_at_every_heading_of_a_vehicle_with_a_castor() {
    assert_all_agree("castor_vehicle", &["heading", "swivel"]);
}

#[test]
fn all_forms_agree_at_every_heading_where_the_wheels_of_one_axle_are_eliminated() {
    assert_all_agree("eliminated_axle", &["heading"]);
    let loaded = load("eliminated_axle");
    let m = &loaded.mechanism;
    let names = |pairs: &[PivotPlace]| -> Vec<String> {
        let mut names: Vec<String> = pairs.iter().map(|p| m.speeds[p.speed()].name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&loaded.partition.eliminated), ["heading_dot", "x_dot", "y_dot"]);
    assert_eq!(
        names(loaded.partition.driven.as_deref().expect("a block")),
        ["heading_dot", "x_dot", "y_dot"]
    );
    assert!(loaded.partition.eliminated_as_block && loaded.partition.driven_as_block);
    assert_eq!(loaded.warnings.diagnostics.len(), 0, "{}", loaded.warnings);
}

#[test]
fn all_forms_agree_at_every_heading_where_a_planar_base_has_its_speeds_along_its_own_axes() {
    assert_all_agree("turning_axle", &["heading"]);
    let (turning, eliminated) = (load("turning_axle"), load("eliminated_axle"));
    assert!(!turning.partition.driven_as_block, "in the axes of the body each row has its own speed");
    // The wheels behave alike whichever speeds the base has.
    for heading in [0.0, FRAC_PI_2, 2.5] {
        // By geometry: half the sum of the rim speeds, and their difference over the track.
        let ([left, right], [r, w]) = ([3.0, 2.0], [0.2, 0.5]);
        let (speed, turning_rate) = (r * (left + right) / 2.0, r * (right - left) / w);
        let wheels = |loaded: &Assembled, [vx, vy]: [f64; 2]| {
            let s = projected_state(loaded, &[("heading", heading)]);
            expected(&Sample { v: vec![vx, vy, turning_rate, left, right], ..s }).accelerations[2..].to_vec()
        };
        let in_body = wheels(&turning, [speed, 0.0]);
        let in_ground = wheels(&eliminated, [speed * heading.cos(), speed * heading.sin()]);
        assert!(relative(&in_body, &in_ground) < 1e-12, "{in_body:?} {in_ground:?}");
    }
}

#[test]
fn all_forms_agree_at_every_angle_of_three_wheels_that_are_steered_together() {
    assert_all_agree("synchro_drive", &["delta_first", "delta_second", "delta_third"]);
}

/// Undetermined reaction components, by joint.
fn undetermined_components(s: &Sample) -> Vec<(String, String)> {
    let reactions = at(s, |env| undetermined_reactions(&s.mechanism, env));
    let parts = ["fx", "fy", "fz", "mx", "my", "mz"];
    let all = s.mechanism.joints.iter().zip(&reactions.components).map(|(joint, is_undetermined)| {
        let names: Vec<&str> = (parts.iter().zip(is_undetermined))
            .filter(|(_, is_undetermined)| **is_undetermined)
            .map(|(part, _)| *part)
            .collect();
        (joint.name.clone(), names.join(" "))
    });
    all.collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn two_wheels_on_one_axle_share_the_force_along_it_as_they_like_and_a_planar_base_takes_their_loads() {
    // By hand: opposite forces along the axle, at contacts R below the hubs, give a force and a
    // moment about the heading in each hub. Drive and vertical loads of the wheels are determined.
    let upright = [("heading", 0.4), ("pitch", 0.0), ("phi_left", 0.0), ("phi_right", 0.0)];
    let s = projected_state(&load("two_wheeler"), &upright);
    assert_eq!(
        undetermined_components(&s),
        pairs(&[("road", ""), ("axle_left", "fy mx"), ("axle_right", "fy mx")])
    );
    // In the axes of a rotated wheel the moment has two components, but still none along the axle.
    let s = projected_state(&load("two_wheeler"), &[("phi_left", 0.5), ("pitch", 0.0), ("phi_right", 0.0)]);
    assert_eq!(
        undetermined_components(&s),
        pairs(&[("road", ""), ("axle_left", "fy mx mz"), ("axle_right", "fy mx")])
    );
    // A base held at its height by a planar joint can carry any share of the wheel loads: a
    // vertical force in the hub, and with the lever arm b a moment about the heading.
    let loaded = load("planar_segway");
    let upright = [("psi", 0.4), ("theta", 0.0), ("al", 0.0), ("ar", 0.0)];
    let s = projected_state(&loaded, &upright);
    let wheels = "fy fz mx";
    let by_hand = [("plane", "fz mx"), ("pitch", "fz mx"), ("left", wheels), ("right", wheels)];
    assert_eq!(undetermined_components(&s), pairs(&by_hand));
    for angles in [upright, [("psi", 1.0), ("theta", 0.3), ("al", -0.7), ("ar", 1.9)]] {
        let s = projected_state(&loaded, &angles);
        assert_eq!(determined(&s), expected(&s).determined, "{angles:?}");
    }
}

#[test]
fn a_height_that_is_held_by_a_plane_and_by_a_formula_leaves_open_what_the_shares_decide() {
    // The plane acts on the tip, the formula on the joint angles. For a rod with an absolute angle,
    // the moment of the formula comes from the ground and not through the joint.
    for reference in ["parent", "ground"] {
        let tip = if reference == "ground" { "sin(q1) + sin(q2)" } else { "sin(q1) + sin(q1 + q2)" };
        let text = format!(
            r#"
name = "rods"
gravity = [0, 0, "-9.81 [m/s^2]"]
[bodies.first]
mass = "2 [kg]"
center_of_mass = ["0.5 [m]", 0, 0]
inertia = ["0.1 [kg*m^2]", "0.2 [kg*m^2]", "0.2 [kg*m^2]"]
points = {{ end = ["1 [m]", 0, 0] }}
[bodies.second]
mass = "3 [kg]"
center_of_mass = ["0.5 [m]", 0, 0]
inertia = ["0.1 [kg*m^2]", "0.3 [kg*m^2]", "0.3 [kg*m^2]"]
points = {{ tip = ["1 [m]", 0, 0] }}
[joints.first]
type = "revolute"
axis = "y"
parent = "ground"
child = "first"
coordinates = {{ names = ["q1"], start = [-0.2] }}
[joints.second]
type = "revolute"
axis = "y"
parent = {{ body = "first", at = "end" }}
child = "second"
coordinates = {{ names = ["q2"], start = [0.8], measured_from = "{reference}" }}
[constraints.plane]
type = "point_on_plane"
normal = "z"
from = {{ body = "ground", at = [0, 0, "-0.5 [m]"] }}
to = {{ body = "second", at = "tip" }}
[constraints.height]
type = "position"
formula = "{tip} - 1/2"
"#
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rods.toml");
        std::fs::write(&file, text).unwrap();
        let s = projected_state(&pipeline::load(&file).unwrap_or_else(|e| panic!("{e}")), &[]);
        assert_eq!(determined(&s), expected(&s).determined, "{reference}");
        // The force of the plane in rod axes, and the moments by which the formula holds an angle.
        let second = if reference == "ground" { "fx fz" } else { "fx fz my" };
        assert_eq!(
            undetermined_components(&s),
            pairs(&[("first", "fx fz my"), ("second", second)]),
            "{reference}"
        );
    }
}

fn row_index(constraint: usize, row: usize) -> RowIndex {
    RowIndex { constraint, row }
}

#[test]
fn two_wheels_on_one_axle_leave_the_same_row_out_at_every_heading() {
    for heading in [0.0, 0.4, FRAC_PI_2, 2.5] {
        let text = std::fs::read_to_string(path("two_wheeler")).unwrap();
        let text = text.replace(
            "start = [0, 0, \"R\", 0, 0, 0.1]",
            &format!("start = [0, 0, \"R\", {heading}, 0, 0.1]"),
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("two_wheeler.toml");
        std::fs::write(&file, text).unwrap();
        let loaded = pipeline::load(&file).unwrap_or_else(|e| panic!("{e}"));
        let redundant = &loaded.partition.redundant;
        assert_eq!(*redundant, [row_index(1, 1)], "the row across of the second wheel, at {heading}");
        assert!(loaded.partition.groups.is_empty());
        assert_eq!(loaded.partition.undetermined, [row_index(0, 1), row_index(1, 1)]);
    }
}

#[test]
fn rows_of_which_the_pose_decides_are_said_to_be_such() {
    let loaded = load("synchro_drive");
    assert_eq!(loaded.partition.groups.len(), 1, "{:?}", loaded.partition.groups);
    assert_eq!((loaded.partition.groups[0].rows.len(), loaded.partition.groups[0].rank), (3, 2));
    let text = loaded.warnings.to_string();
    for part in [
        "1 of 3 rows follows from the others",
        "`first_f_across`, `second_f_across`, `third_f_across`",
        "which of these rows follow from the others depends on the pose",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Every type of geometric constraint between two bodies, with its keys in a spec.
const TYPES: [(&str, &str); 16] = [
    ("weld", ""),
    ("revolute", "axis = [1, 2, 0]"),
    ("prismatic", "axis = \"-y\""),
    ("helical", "axis = \"x\"\npitch = \"0.1 [m/rad]\""),
    ("cylindrical", "axis = [1, 0, 2]"),
    ("universal", "axes = [\"x\", \"z\"]"),
    ("spherical", ""),
    ("planar", "normal = \"y\""),
    ("planar_revolute", ""),
    ("planar_prismatic", "axis = \"x\""),
    ("distance", "length = \"0.5 [m]\""),
    ("point_on_line", "axis = \"z\""),
    ("point_on_plane", "normal = [0, 3, 4]"),
    ("knife_edge", "axis = \"y\""),
    ("rolling_ball", "radius = \"0.2 [m]\""),
    ("rolling_disc", "radius = \"0.2 [m]\"\naxis = \"y\""),
];

fn body_table(name: &str) -> String {
    format!(
        "[bodies.{name}]\nmass = \"1 [kg]\"\ninertia = [\"1 [kg*m^2]\", \"1 [kg*m^2]\", \"1 [kg*m^2]\"]\n"
    )
}

fn free_joint_table(name: &str) -> String {
    format!(
        "[joints.j{name}]\ntype = \"free\"\nparent = \"ground\"\nchild = \"{name}\"\ncoordinates = {{ sequence = \"xyz\" }}\n"
    )
}

fn two_bodies(kind: &str, keys: &str) -> dqdt_mechanics::mechanism::Mechanism {
    let all = ["one", "two"].map(|n| format!("{}{}", body_table(n), free_joint_table(n))).concat();
    let text = format!(
        "name = \"pair\"\n{all}[constraints.c]\ntype = \"{kind}\"\nfrom = \"one\"\nto = \"two\"\n{keys}\n"
    );
    let spec =
        dqdt_codegen::read::parse("pair.toml", text.as_str()).unwrap_or_else(|e| panic!("{kind}: {e}"));
    dqdt_spec::resolve::resolve(&spec).unwrap_or_else(|e| panic!("{kind}: {e}")).mechanism
}

/// Name of each row, and force and moment on the second body for a unit multiplier, about its
/// frame's origin. Parallel frames, the second displaced by `r` in axes of the first.
fn row_wrenches(kind: &str, keys: &str, r: [f64; 3]) -> Vec<(String, [f64; 3], [f64; 3])> {
    let mechanism = two_bodies(kind, keys);
    // Both rotated by 2 rad about x, so that their axes are not those of the ground.
    let (s, c) = 2.0f64.sin_cos();
    let placed = [r[0], c * r[1] - s * r[2], s * r[1] + c * r[2]];
    let turn = 2.0;
    let q = vec![0.0, 0.0, 0.0, turn, 0.0, 0.0, placed[0], placed[1], placed[2], turn, 0.0, 0.0];
    let v = vec![0.0; 12];
    let sample = Sample {
        mechanism,
        formulation: Default::default(),
        partition: Default::default(),
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u: Vec::new(),
    };
    at(&sample, |env| {
        let m = &sample.mechanism;
        let names = constraint_rows(m, env).into_iter().map(|row| row.name);
        let wrenches = constraint_wrenches(m, env).into_iter().map(|row| {
            let (one, two) = (row.wrenches[0], row.wrenches[1]);
            assert_eq!((one.0, two.0), (BodyId(0), BodyId(1)));
            for i in 0..3 {
                assert!((one.1.f[i] + two.1.f[i]).abs() < 1e-14, "{kind}: the opposite acts on `from`");
            }
            (two.1.f.0, two.1.m.0)
        });
        names.zip(wrenches).map(|(name, (f, m))| (name, f, m)).collect()
    })
}

fn unit_along(x: [f64; 3], axis: [f64; 3], what: &str) {
    assert!(x.iter().zip(axis).all(|(a, b)| (a - b).abs() < 1e-14), "{what}: {x:?} against {axis:?}");
}

#[test]
fn every_type_of_constraint_says_what_its_multipliers_are() {
    for (kind, keys) in TYPES {
        let r = match kind {
            "distance" => [0.3, 0.0, 0.4],
            "rolling_ball" | "rolling_disc" => [0.0, 0.0, 0.2],
            _ => [0.0; 3],
        };
        let m = two_bodies(kind, keys);
        let message = m.constraints[0].describe_multipliers(&m.bodies);
        let acts = row_wrenches(kind, keys, r);
        assert_eq!(message.len(), acts.len(), "{kind}");
        for (message, (name, force, moment)) in message.iter().zip(&acts) {
            let what = format!("{kind}: {name}: {}", message.description());
            assert_eq!(*name, dqdt_mechanics::mechanism::row_name("c", &message.suffix), "{what}");
            assert!(message.place.starts_with("of one on two"), "{what}");
            let (vector, unit) = match message.quantity {
                "force" => (force, "N"),
                "moment" => (moment, "N*m"),
                other => panic!("{what}: {other}"),
            };
            assert_eq!(message.unit, unit, "{what}");
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-14, "{what}: one unit is {length}");
            // Coordinate axes are named by their letters.
            for (i, letter) in ["x", "y", "z"].into_iter().enumerate() {
                if [format!("f{letter}"), format!("m{letter}")].contains(&message.suffix) {
                    let axis = std::array::from_fn(|k| f64::from(u8::from(k == i)));
                    unit_along(*vector, axis, &what);
                    assert!(message.place.contains(&format!(" {letter} of one")), "{what}");
                }
            }
        }
    }
}

/// Force and moment on the second body for a unit multiplier of a row.
fn find_row(kind: &str, keys: &str, r: [f64; 3], suffix: &str) -> ([f64; 3], [f64; 3]) {
    let all = row_wrenches(kind, keys, r);
    let name = dqdt_mechanics::mechanism::row_name("c", suffix);
    all.into_iter().find(|row| row.0 == name).map(|row| (row.1, row.2)).expect("a row")
}

fn find_disc_row(suffix: &str) -> ([f64; 3], [f64; 3]) {
    find_row("rolling_disc", "radius = \"0.2 [m]\"\naxis = \"y\"", [0.0, 0.0, 0.2], suffix)
}

#[test]
fn axes_of_multipliers_that_have_no_letter_are_as_they_are_told() {
    // Axle y, normal z: the heading is x. Forces act at the contact, 0.2 m below.
    assert_eq!(find_disc_row("f_along"), ([1.0, 0.0, 0.0], [0.0, -0.2, 0.0]));
    assert_eq!(find_disc_row("f_across"), ([0.0, 1.0, 0.0], [0.2, 0.0, 0.0]));
    unit_along(find_disc_row("fn").0, [0.0, 0.0, 1.0], "normal");
    let rod = find_row("distance", "length = \"0.5 [m]\"", [0.3, 0.0, 0.4], "");
    unit_along(rod.0, [0.6, 0.0, 0.8], "a rod that is pressed pushes its second end away");
    let cross = find_row("universal", "axes = [\"x\", \"z\"]", [0.0; 3], "m");
    unit_along(cross.1, [0.0, 1.0, 0.0], "z of `to` × x of `from`");
    let slide = find_row("planar_prismatic", "axis = \"x\"", [0.0; 3], "f");
    unit_along(slide.0, [0.0, 1.0, 0.0], "normal × axis");
    let a = 5f64.sqrt();
    unit_along(
        find_row("revolute", "axis = [1, 2, 0]", [0.0; 3], "m1").1,
        [2.0 / a, -1.0 / a, 0.0],
        "across",
    );
    unit_along(find_row("revolute", "axis = [1, 2, 0]", [0.0; 3], "m2").1, [0.0, 0.0, -1.0], "axis × across");
    let screw = find_row("helical", "axis = \"x\"\npitch = \"0.1 [m/rad]\"", [0.0; 3], "fx");
    unit_along(screw.1, [-0.1, 0.0, 0.0], "the moment of a screw");
}

/// Columns of the table of a simulated motion, by name.
fn motion(name: &str) -> std::collections::BTreeMap<String, Vec<f64>> {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("motion.csv");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .args(["simulate".as_ref(), path(name).as_os_str()])
        .args(["--t-end", "60", "--rtol", "1e-12", "--atol", "1e-12", "--step", "0.25", "--csv"])
        .arg(&table)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(table).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<f64>> = lines.map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 241, "{name} drives to the end");
    names.iter().enumerate().map(|(i, n)| ((*n).to_owned(), rows.iter().map(|r| r[i]).collect())).collect()
}

fn range(x: &[f64]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |m, x| m.max(*x)) - x.iter().fold(f64::INFINITY, |m, x| m.min(*x))
}

#[test]
fn vehicles_drive_for_a_minute_through_every_heading_without_a_stop() {
    for (name, radius, half) in [("two_wheeler", 0.2, 0.3), ("castor_vehicle", 0.15, 0.2)] {
        let x = motion(name);
        let heading = &x["heading"];
        assert!(range(heading) > 2.0 * TAU, "{name} turns by {}", range(heading));
        // The heading follows from the wheel angles, by geometry.
        for (k, heading) in heading.iter().enumerate() {
            let turns = (x["phi_right"][k] - x["phi_right"][0]) - (x["phi_left"][k] - x["phi_left"][0]);
            let error = (heading - radius * turns / (2.0 * half)).abs();
            assert!(error < 1e-9, "{name} at row {k}: {error:e}");
        }
    }
}

#[test]
fn three_wheels_that_are_steered_together_turn_for_a_minute_without_a_stop_and_keep_their_energy() {
    let x = motion("synchro_drive");
    assert!(range(&x["delta_first"]) > 2.0 * TAU);
    assert!(range(&x["heading"]) < 1e-10, "the frame does not turn");
    let energy: Vec<f64> =
        x["kinetic_energy"].iter().zip(&x["potential_energy"]).map(|(a, b)| a + b).collect();
    assert!(range(&energy) < 1e-9 * x["kinetic_energy"][0], "{:e}", range(&energy));
}

/// A vehicle with changes of its spec text.
fn load_changed(name: &str, changes: &[(&str, &str)]) -> Assembled {
    let mut text = std::fs::read_to_string(path(name)).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name).with_extension("toml");
    std::fs::write(&file, text).unwrap();
    pipeline::load(&file).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn dependent_speeds_hold_at_every_heading_or_a_warning_says_that_they_do_not() {
    let eliminated = ("type = \"rolling_disc\"", "type = \"rolling_disc\"\ntreatment = \"elimination\"");
    let in_ground_axes = "{ names = [\"vx\", \"vy\", \"vz\", \"turn\", \"pitching\", \"rolling\"] }";
    let in_body_axes = "{ kind = \"body_rates\", velocity_frame = \"body\", names = [\"vx\", \"vy\", \"vz\", \"wx\", \"wy\", \"wz\"] }";
    // A blade with speeds in ground axes: at some heading a speed and the pivot of its row vanish.
    let sleigh = "name = \"sleigh\"\n[bodies.sleigh]\nmass = 1\ninertia = [1, 1, 1]\n[joints.ice]\ntype = \"planar\"\nparent = \"ground\"\nchild = \"sleigh\"\n[constraints.blade]\ntype = \"knife_edge\"\nto = \"sleigh\"\naxis = \"x\"\ntreatment = \"elimination\"\n";
    let spec = dqdt_codegen::read::parse("sleigh.toml", sleigh).unwrap_or_else(|e| panic!("{e}"));
    let loaded = pipeline::build(&spec, "sleigh.toml".to_owned()).unwrap_or_else(|e| panic!("{e}"));
    let text = loaded.warnings.to_string();
    assert!(text.contains("warning[dependent-speeds-vanish]") && text.contains("`Singular`"), "{text}");
    let ground = load_changed("castor_vehicle", &[eliminated]);
    assert!(ground.partition.eliminated_as_block);
    let body = load_changed("castor_vehicle", &[eliminated, (in_ground_axes, in_body_axes)]);
    for loaded in [ground, body] {
        let text = loaded.warnings.to_string();
        assert!(!text.contains("dependent-speeds-vanish"), "{text}");
        holds_at_every_heading(&loaded);
    }
}

/// Checks Kane's program against eigenvectors at all castor angles.
fn holds_at_every_heading(loaded: &Assembled) {
    let p = program(loaded, Formalism::Kane);
    let mut machine = Machine::new(&p, functions::DQDT).expect("a function");
    let m = &loaded.mechanism;
    for k in 0..16 {
        let angle = f64::from(k) * PI / 8.0;
        let s = projected_state(loaded, &[("heading", angle), ("swivel", 0.5 - angle)]);
        let mut a = Arguments::defaults(&p);
        (a.q, a.v, a.u) = (s.q.clone(), s.v.clone(), s.u.clone());
        let dx = machine.call(&a).unwrap_or_else(|e| panic!("at {angle}: {e}")).to_vec();
        let error = relative(&dx[m.nq()..m.nq() + m.nv()], &expected(&s).accelerations);
        assert!(error < LIMIT, "at {angle}: {error:e}");
    }
}
