//! Rotors behind gears: against rotors modelled as bodies with gear
//! constraints, and in closed form.

use crate::common::{at, flatten_wrenches, forward, interpret_forward, relative};
use dqdt_codegen::{pipeline, read};
use dqdt_mechanics::formalism::{Formalism, energy, inverse_dynamics, kinetostatics, momentum};
use dqdt_samples::random::Sample;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// A rotor in the frame of its joint, on the body that carries it.
struct SpecRotor {
    joint: &'static str,
    carrier: usize,
    /// Position of the rotor's centre, in carrier axes.
    at: Vector3<f64>,
    /// Rotation from the joint frame to the axes of the carrier.
    frame: Matrix3<f64>,
    axis: Vector3<f64>,
    mass: f64,
    along: f64,
    across: f64,
    ratio: f64,
}

/// A rigid body: mass, centre of mass, and inertia tensor about it.
#[derive(Clone, Copy)]
struct BodyInertia(f64, Vector3<f64>, Matrix3<f64>);

fn list(v: &Vector3<f64>) -> String {
    format!("[{}, {}, {}]", v[0], v[1], v[2])
}

fn inertia_about_origin(BodyInertia(m, c, j): BodyInertia) -> Matrix3<f64> {
    j + (Matrix3::identity() * c.dot(&c) - c * c.transpose()) * m
}

impl SpecRotor {
    fn unit(&self) -> Vector3<f64> {
        self.frame * self.axis.normalize()
    }

    fn solid(&self) -> BodyInertia {
        let a = self.unit();
        let tensor = Matrix3::identity() * self.across + a * a.transpose() * (self.along - self.across);
        BodyInertia(self.mass, self.at, tensor)
    }
}

fn body(name: &str, mass: f64, center: &Vector3<f64>, j: &Matrix3<f64>) -> String {
    format!(
        "[bodies.{name}]\nmass = {mass}\ncenter_of_mass = {}\ninertia = {{ xx = {}, yy = {}, zz = {}, xy = {}, xz = {}, yz = {}, about = [0, 0, 0] }}\n",
        list(center),
        j[(0, 0)],
        j[(1, 1)],
        j[(2, 2)],
        j[(0, 1)],
        j[(0, 2)],
        j[(1, 2)],
    )
}

/// Rotation angle of the frame of the second joint on the arm, in radians.
const TURN: f64 = 0.5;
const BODIES: [&str; 4] = ["craft", "arm", "hand", "slider"];

/// A rotor with mass, inertias along and across its axis, and gear ratio in `numbers`.
fn new_rotor(
    joint: &'static str,
    carrier: usize,
    at: [f64; 3],
    frame: Matrix3<f64>,
    axis: [f64; 3],
    numbers: [f64; 4],
) -> SpecRotor {
    SpecRotor {
        joint,
        carrier,
        at: Vector3::from(at),
        frame,
        axis: Vector3::from(axis),
        mass: numbers[0],
        along: numbers[1],
        across: numbers[2],
        ratio: numbers[3],
    }
}

fn rotors() -> [SpecRotor; 3] {
    let turned = *Rotation3::from_axis_angle(&Vector3::z_axis(), TURN).matrix();
    [
        new_rotor(
            "shoulder",
            0,
            [0.2, 0.1, -0.3],
            Matrix3::identity(),
            [0.0, 3.0, 4.0],
            [0.7, 0.002, 0.0013, -60.0],
        ),
        new_rotor("wrist", 1, [0.5, -0.1, 0.2], turned, [0.0, 1.0, 0.0], [0.3, 0.001, 0.002, 40.0]),
        // On the child, with a rack.
        new_rotor(
            "rail",
            3,
            [0.1, 0.05, 0.0],
            Matrix3::identity(),
            [1.0, 0.0, 2.0],
            [0.2, 0.0005, 0.0004, 90.0],
        ),
    ]
}

fn prescribed_motion(ratio: f64) -> String {
    format!("coordinates = {{ prescribed = \"{ratio}*(0.4 [rad/s]*t + 0.3*sin(2 [rad/s]*t))\" }}\n")
}

/// Spec text with rotors as bodies (`has_rotor_bodies`) or as keys of the joints. The motion of the
/// wrist is prescribed if `is_wrist_driven`.
fn text(has_rotor_bodies: bool, is_wrist_driven: bool) -> String {
    let mut solids = [
        BodyInertia(
            8.0,
            Vector3::new(0.05, 0.0, 0.1),
            Matrix3::new(0.9, 0.05, 0.0, 0.05, 0.8, 0.1, 0.0, 0.1, 0.7),
        ),
        BodyInertia(
            2.0,
            Vector3::new(0.3, 0.0, 0.0),
            Matrix3::new(0.05, 0.0, 0.01, 0.0, 0.2, 0.0, 0.01, 0.0, 0.21),
        ),
        BodyInertia(
            1.5,
            Vector3::new(0.0, 0.1, 0.2),
            Matrix3::new(0.04, 0.0, 0.0, 0.0, 0.03, 0.002, 0.0, 0.002, 0.03),
        ),
        BodyInertia(
            0.8,
            Vector3::new(0.0, 0.02, 0.1),
            Matrix3::new(0.02, 0.001, 0.0, 0.001, 0.015, 0.0, 0.0, 0.0, 0.02),
        ),
    ];
    let rotors = rotors();
    let mut out = "name = \"craft\"\ngravity = [0, 0, -9.81]\n".to_owned();
    let mut tensors = solids.map(inertia_about_origin);
    if !has_rotor_bodies {
        for rotor in &rotors {
            let r = rotor.solid();
            let carrier = &mut solids[rotor.carrier];
            tensors[rotor.carrier] += inertia_about_origin(r);
            let mass = carrier.0 + r.0;
            (carrier.1, carrier.0) = ((carrier.1 * carrier.0 + r.1 * r.0) / mass, mass);
        }
    }
    for ((name, BodyInertia(mass, center, _)), j) in BODIES.iter().zip(&solids).zip(&tensors) {
        out += &body(name, *mass, center, j);
    }
    if has_rotor_bodies {
        for (i, rotor) in rotors.iter().enumerate() {
            let BodyInertia(mass, _, j) = rotor.solid();
            out += &body(&format!("rotor{i}"), mass, &Vector3::zeros(), &j);
        }
    }
    let key = |i: usize, axis: &str| {
        let r = &rotors[i];
        if has_rotor_bodies {
            return String::new();
        }
        format!(
            "rotor = {{ inertia = {}, ratio = {}, on = \"{}\"{axis} }}\n",
            r.along, r.ratio, BODIES[r.carrier]
        )
    };
    let wrist = if is_wrist_driven { prescribed_motion(1.0) } else { String::new() };
    out += "[joints.root]\ntype = \"free\"\nparent = \"ground\"\nchild = \"craft\"\ncoordinates = { quaternion = true }\n";
    out += "[joints.shoulder]\ntype = \"revolute\"\naxis = [1, 2, 2]\nparent = { body = \"craft\", at = [0.3, -0.2, 0.5] }\nchild = { body = \"arm\", at = [-0.1, 0, 0.1] }\n";
    out += &key(0, ", axis = [0, 3, 4]");
    out += &format!(
        "[joints.wrist]\ntype = \"revolute\"\naxis = \"y\"\nparent = {{ body = \"arm\", at = [0.6, 0, 0], rotation = {{ sequence = \"zxz\", angles = [{TURN}, 0, 0] }} }}\nchild = \"hand\"\n{wrist}"
    );
    out += &key(1, "");
    out += "[joints.rail]\ntype = \"prismatic\"\naxis = [1, 0, 1]\nparent = { body = \"hand\", at = [0, 0.2, 0] }\nchild = \"slider\"\n";
    out += &key(2, ", axis = [1, 0, 2]");
    if has_rotor_bodies {
        for (i, rotor) in rotors.iter().enumerate() {
            let moved =
                if is_wrist_driven && i == 1 { prescribed_motion(rotor.ratio) } else { String::new() };
            out += &format!(
                "[joints.turn{i}]\ntype = \"revolute\"\naxis = {}\nparent = {{ body = \"{}\", at = {} }}\nchild = \"rotor{i}\"\n{moved}",
                list(&rotor.unit()),
                BODIES[rotor.carrier],
                list(&rotor.at),
            );
            if moved.is_empty() {
                out += &format!(
                    "[constraints.gear{i}]\ntype = \"gear\"\nfirst = \"turn{i}\"\nsecond = \"{}\"\nratio = {}\n",
                    rotor.joint, rotor.ratio
                );
            }
        }
    }
    out += "[inputs]\npush = { unit = \"N\" }\nturn = { unit = \"N*m\" }\n";
    out += "[loads.push]\ntype = \"actuator\"\njoint = \"rail\"\neffort = \"push\"\n";
    out + "[loads.turn]\ntype = \"actuator\"\njoint = \"shoulder\"\neffort = \"turn\"\n"
}

fn sample(text: &str) -> Sample {
    let loaded = read::parse("rotors.toml", text).and_then(|spec| pipeline::build(&spec, "rotors.toml"));
    let loaded = loaded.unwrap_or_else(|e| panic!("{}\n{text}", e.render(false)));
    let (mechanism, partition) = (loaded.mechanism, loaded.partition);
    let (q, v) = (vec![0.0; mechanism.nq()], vec![0.0; mechanism.nv()]);
    Sample {
        mechanism,
        formulation: Default::default(),
        partition,
        t: 0.0,
        q,
        v,
        z: Vec::new(),
        u: vec![0.0; 2],
    }
}

/// The models with and without rotor bodies in the same pseudo-random state number `k`.
fn states(is_wrist_driven: bool, k: u64) -> [Sample; 2] {
    let number =
        |i: usize| (((k + 3) as f64 * 0.754_877_666 + i as f64 * 0.569_840_291) * 7.0).fract() * 2.0 - 1.0;
    let mut both = [false, true].map(|has_rotor_bodies| sample(&text(has_rotor_bodies, is_wrist_driven)));
    let [one, other] = &mut both;
    for (i, q) in one.q.iter_mut().enumerate() {
        *q = number(i);
    }
    let length = one.q[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
    one.q[3..7].iter_mut().for_each(|x| *x /= length);
    one.v.iter_mut().enumerate().for_each(|(i, v)| *v = 2.0 * number(20 + i));
    for s in [one, other] {
        (s.t, s.u) = (0.7, vec![3.0 * number(40), 5.0 * number(41)]);
    }
    let [one, other] = &mut both;
    other.q[..one.q.len()].copy_from_slice(&one.q);
    other.v[..one.v.len()].copy_from_slice(&one.v);
    let joints = if is_wrist_driven { vec![(0, 0), (2, 1)] } else { vec![(0, 0), (1, 1), (2, 2)] };
    for (place, (rotor, joint)) in joints.into_iter().enumerate() {
        let ratio = rotors()[rotor].ratio;
        other.q[one.q.len() + place] = ratio * one.q[7 + joint];
        other.v[one.v.len() + place] = ratio * one.v[6 + joint];
    }
    both
}

#[test]
fn a_rotor_moves_its_carrier_as_a_body_on_a_gear_does() {
    for driven in [false, true] {
        for k in 0..4 {
            let [one, other] = states(driven, k);
            let n = one.v.len();
            let truth = forward(Formalism::Kane, &other);
            // Sums that contain rotor speeds are large against the result.
            let reactions = &flatten_wrenches(&truth.reactions)[..24];
            for f in Formalism::ALL {
                let solution = forward(f, &one);
                let graph = interpret_forward(f, &one);
                for (a, r) in [(solution.accelerations.clone(), flatten_wrenches(&solution.reactions)), graph]
                {
                    let error = relative(&a, &truth.accelerations[..n]);
                    assert!(error < 1e-11, "{} {driven} {k}: {error:e}", f.name());
                    let error = relative(&r, reactions);
                    assert!(error < 1e-10, "{} {driven} {k}: reactions {error:e}", f.name());
                }
            }
            let [a, b] = [&one, &other].map(|s| {
                at(s, |env| {
                    let (e, p) = (energy(&s.mechanism, env), momentum(&s.mechanism, env));
                    [vec![e.kinetic, e.potential], [p.linear.0, p.angular.0].concat()].concat()
                })
            });
            assert!(relative(&a, &b) < 1e-12, "{driven} {k}: energy and momentum {a:?} {b:?}");
        }
    }
}

#[test]
fn inverse_dynamics_and_drives_give_the_efforts_of_the_rotors() {
    for driven in [false, true] {
        let [one, _] = states(driven, 9);
        let m = &one.mechanism;
        let solution = forward(Formalism::Lagrange, &one);
        let (left, static_) = at(&one, |env| {
            let prescribed: Vec<Option<f64>> = solution.accelerations.iter().map(|a| Some(*a)).collect();
            (inverse_dynamics(m, env, &solution.accelerations), kinetostatics(m, env, &prescribed).unwrap())
        });
        assert!(left.iter().all(|x| x.abs() < 1e-10), "{left:?}");
        assert!(static_.drives.iter().all(|x| x.abs() < 1e-10), "{:?}", static_.drives);
        // With half of the speeds driven, the accelerations of the others are reproduced.
        let prescribed: Vec<Option<f64>> =
            solution.accelerations.iter().enumerate().map(|(i, a)| (i % 2 == 0).then_some(*a)).collect();
        let part = at(&one, |env| kinetostatics(m, env, &prescribed)).unwrap();
        assert!(relative(&part.accelerations, &solution.accelerations) < 1e-10);
        assert!(part.drives.iter().all(|x| x.abs() < 1e-9), "{:?}", part.drives);
        assert!(relative(&flatten_wrenches(&part.reactions), &flatten_wrenches(&solution.reactions)) < 1e-10);
    }
}

#[test]
fn a_floating_base_feels_the_rotor_of_its_flap() {
    // Planar, hinge at the centre of the base, centre of the flap on the hinge: momentum is (B + F)
    // ω + (F + J n) φ̇.
    let (b, f, j, n, torque) = (3.0, 0.4, 2e-4, 100.0, 0.25);
    let accelerations = |key: &str| -> Vec<[f64; 2]> {
        let text = format!(
            "name = \"satellite\"\n[bodies.base]\nmass = 10\ninertia = [0, 0, {b}]\n[bodies.flap]\nmass = 1\ninertia = [0, 0, {f}]\n\
             [joints.base]\ntype = \"planar\"\nparent = \"ground\"\nchild = \"base\"\n\
             [joints.flap]\ntype = \"revolute\"\naxis = \"z\"\nparent = \"base\"\nchild = \"flap\"\n{key}\n\
             [inputs]\ntorque = {{ unit = \"N*m\" }}\n[loads.drive]\ntype = \"actuator\"\njoint = \"flap\"\neffort = \"torque\"\n"
        );
        let mut s = sample(&text);
        (s.u, s.v) = (vec![torque], vec![0.1, -0.2, 0.7, 1.3]);
        let by_form = Formalism::ALL.map(|form| forward(form, &s).accelerations);
        by_form.iter().map(|a| [a[2], a[3]]).collect()
    };
    // [B + F, F + c; F + c, F + J n²] (ω̇, φ̈) = (0, torque), with c = J n, or
    // zero for an armature.
    let expected = |c: f64| {
        let (d, e, g) = (b + f, f + c, f + j * n * n);
        let determinant = d * g - e * e;
        [-e * torque / determinant, d * torque / determinant]
    };
    let rotor = format!("rotor = {{ inertia = {j}, ratio = {n}, on = \"base\" }}");
    for a in accelerations(&rotor) {
        assert!(relative(&a, &expected(j * n)) < 1e-14, "{a:?}");
    }
    for a in accelerations(&format!("armature = {}", j * n * n)) {
        assert!(relative(&a, &expected(0.0)) < 1e-14, "{a:?}");
    }
}
