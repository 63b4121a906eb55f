//! Seeded random mechanisms and states, for tests.
//!
//! Problem: trees with everything that a spec can say, so that two methods can be compared where nobody looked.
//! Method:  bodies one after another, each with a random joint, frames, inertia and rotor; then loads, inputs, a user
//! state and outputs. Lengths are of the order of 0.5 m, masses of 1 kg, rates of 1/s. Coordinates and speeds are
//! numbered joint by joint in shuffled order, so that spec order and order in the tree differ.
//! Kept out: what makes M singular. Middle angles stay off gimbal lock; a massless body turns about one axis and has a
//! heavy child with few degrees of freedom off that axis; a slender rod does not turn about itself.
//! The same seed gives the same mechanism on every machine.

mod loads;

use super::joint::is_rate;
use super::{
    Attitude, AxisVector, Body, Coordinate, Formula, Input, Joint, JointKind, Mechanism, Parameter,
    ParameterKind, Placement, Point, Rotation, Rotor, Slot, Speed, SpeedKind, State, Variable, VelocityFrame,
};
use crate::algebra::{Axis, Dimension, Number, Ratio};

/// A mechanism and a state of it.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Sample {
    pub mechanism: Mechanism,
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub u: Vec<f64>,
}

/// A mechanism of at most `bodies` bodies (at least one), with at least one speed.
pub fn random_mechanism(seed: u64, bodies: usize) -> Sample {
    let mut attempt = 0;
    loop {
        // Different seeds must not meet in their second attempts.
        let mut builder = Builder::new(seed.wrapping_mul(1_000_003).wrapping_add(attempt));
        builder.build(1 + builder.random.clone().below(bodies.max(1)));
        if !builder.m.speeds.is_empty() {
            return builder.sample();
        }
        attempt += 1;
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// `k / 64` in `[low, high]`, both in sixty-fourths.
    fn number(&mut self, low: i64, high: i64) -> Number {
        let k = low + self.below((high - low + 1) as usize) as i64;
        Number::ratio(k, 64).unwrap_or(Number::ZERO)
    }

    fn value(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.below(4096) as f64) / 4096.0
    }
}

fn literal(n: i64, d: i64) -> Formula {
    Formula::Number(Number::ratio(n, d).unwrap_or(Number::ZERO))
}

fn add(a: Formula, b: Formula) -> Formula {
    Formula::Add(Box::new(a), Box::new(b))
}

fn sub(a: Formula, b: Formula) -> Formula {
    Formula::Sub(Box::new(a), Box::new(b))
}

fn mul(a: Formula, b: Formula) -> Formula {
    Formula::Mul(Box::new(a), Box::new(b))
}

fn sin(a: Formula) -> Formula {
    Formula::Sin(Box::new(a))
}

fn variable(v: Variable) -> Formula {
    Formula::Variable(v)
}

const ANGULAR_RATE: Dimension = Dimension([0, 0, -1, 0, 0]);

struct Builder {
    random: Random,
    m: Mechanism,
    q: Vec<f64>,
    v: Vec<f64>,
    /// Ranges of the values of each local coordinate, for each joint.
    ranges: Vec<Vec<(f64, f64)>>,
}

impl Builder {
    fn new(seed: u64) -> Self {
        let m = Mechanism {
            name: format!("random_{seed}"),
            description: String::new(),
            parameters: Vec::new(),
            coordinates: Vec::new(),
            speeds: Vec::new(),
            inputs: Vec::new(),
            states: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            gravity: [Formula::ZERO, Formula::ZERO, Formula::ZERO],
            loads: Vec::new(),
            outputs: Vec::new(),
            ground_points: Vec::new(),
        };
        Builder { random: Random(seed), m, q: Vec::new(), v: Vec::new(), ranges: Vec::new() }
    }

    fn build(&mut self, bodies: usize) {
        let g = self.parameter(ParameterKind::Constant(literal(981, 100)));
        self.m.gravity = match self.random.below(4) {
            0 => [Formula::ZERO, Formula::ZERO, Formula::ZERO],
            1 => [self.scalar(-64, 64), self.scalar(-64, 64), sin(variable(Variable::Time))],
            _ => [Formula::ZERO, Formula::ZERO, Formula::Neg(Box::new(g))],
        };
        for i in 0..2 {
            let limits = self.random.percent(50).then(|| (literal(-1, 1), literal(1, 1)));
            self.m.inputs.push(Input {
                name: format!("u{i}"),
                unit: String::new(),
                description: String::new(),
                dimension: None,
                default: Formula::ZERO,
                limits,
            });
        }
        let mut heavy_child = false;
        while self.m.bodies.len() < bodies || heavy_child {
            heavy_child = self.body(heavy_child, bodies);
        }
        self.number_slots();
        let rate = sub(variable(Variable::Input(0)), variable(Variable::State(0)));
        self.m.states.push(State {
            name: "z0".to_owned(),
            unit: String::new(),
            description: String::new(),
            dimension: None,
            start: Formula::ZERO,
            rate,
        });
        self.loads();
        self.outputs();
    }

    fn sample(mut self) -> Sample {
        let t = self.random.value(-2.0, 2.0);
        let z = vec![self.random.value(-1.0, 1.0)];
        let u = (0..2).map(|_| self.random.value(-2.0, 2.0)).collect();
        Sample { mechanism: self.m, t, q: self.q, v: self.v, z, u }
    }

    fn parameter(&mut self, kind: ParameterKind) -> Formula {
        let i = self.m.parameters.len();
        self.m.parameters.push(Parameter {
            name: format!("p{i}"),
            unit: String::new(),
            dimension: None,
            description: String::new(),
            kind,
        });
        variable(Variable::Parameter(i))
    }

    /// A number, in sixty-fourths, as a literal or as a parameter of any kind.
    fn scalar(&mut self, low: i64, high: i64) -> Formula {
        let n = self.random.number(low, high);
        match self.random.below(10) {
            0..=5 => Formula::Number(n),
            6 | 7 => self.parameter(ParameterKind::Free(n)),
            8 => self.parameter(ParameterKind::Constant(Formula::Number(n))),
            _ => {
                let half = self.parameter(ParameterKind::Free(n));
                self.parameter(ParameterKind::Derived(mul(add(half.clone(), half), literal(1, 2))))
            }
        }
    }

    fn point(&mut self) -> [Formula; 3] {
        if self.random.percent(20) {
            return [Formula::ZERO, Formula::ZERO, Formula::ZERO];
        }
        [self.scalar(-40, 40), self.scalar(-40, 40), self.scalar(-40, 40)]
    }

    fn rotation(&mut self) -> Rotation {
        let axes = self.random.pick(&sequences());
        match self.random.below(5) {
            0 => {
                let quarter = |r: &mut Random| {
                    let turns = Ratio::new(r.below(4) as i128, 2).unwrap_or(Ratio::ZERO);
                    Formula::Number(Number::pi(turns))
                };
                Rotation::Sequence(axes, [(); 3].map(|()| quarter(&mut self.random)))
            }
            1 => Rotation::Sequence(axes, [(); 3].map(|()| self.scalar(-128, 128))),
            2 => {
                let row = |a, b, c| [literal(a, 3), literal(b, 3), literal(c, 3)];
                Rotation::Matrix(Box::new([row(2, -1, 2), row(2, 2, -1), row(-1, 2, 2)]))
            }
            _ => Rotation::Identity,
        }
    }

    fn placement(&mut self) -> Placement {
        Placement { origin: self.point(), rotation: self.rotation() }
    }

    fn axis(&mut self) -> AxisVector {
        let unit = |i: usize, n: i64| {
            AxisVector([0, 1, 2].map(|j| if i == j { Number::integer(n) } else { Number::ZERO }))
        };
        match self.random.below(4) {
            0 => unit(self.random.below(3), -2),
            1 => AxisVector([1, 1 + self.random.below(3) as i64, 2].map(Number::integer)),
            _ => unit(self.random.below(3), 1),
        }
    }

    fn attitude(&mut self) -> (Attitude, SpeedKind) {
        if self.random.percent(30) {
            return (Attitude::Quaternion, SpeedKind::BodyRates);
        }
        let sequence = Attitude::Sequence(self.random.pick(&sequences()));
        (sequence, self.random.pick(&[SpeedKind::Rates, SpeedKind::BodyRates]))
    }

    fn kind(&mut self, few: bool) -> JointKind {
        match self.random.below(if few { 9 } else { 16 }) {
            0..=3 => JointKind::Revolute(self.axis()),
            4 => JointKind::Prismatic(self.axis()),
            5 => JointKind::Helical(self.axis(), self.scalar(6, 20)),
            6 => {
                let i = self.random.below(2);
                let second = [[0, 1, 0], [1, 0, 3]][i];
                JointKind::Universal(
                    AxisVector([1, 0, 0].map(Number::integer)),
                    AxisVector(second.map(Number::integer)),
                )
            }
            7 => JointKind::Fixed,
            8 => JointKind::Prismatic(self.axis()),
            9 => JointKind::Cylindrical(self.axis()),
            10 => {
                let (a, b) = self.random.pick(&[([1, 0, 0], [0, 1, 0]), ([1, 2, 2], [2, 1, -2])]);
                JointKind::Planar(AxisVector(a.map(Number::integer)), AxisVector(b.map(Number::integer)))
            }
            11 | 12 => {
                let (attitude, speeds) = self.attitude();
                JointKind::Spherical(attitude, speeds)
            }
            13 | 14 => {
                let (attitude, speeds) = self.attitude();
                let frame = self.random.pick(&[VelocityFrame::Parent, VelocityFrame::Body]);
                JointKind::Free(attitude, speeds, frame)
            }
            _ => JointKind::Direction,
        }
    }

    /// Adds a body. Returns true if it is massless and must have a heavy child next.
    fn body(&mut self, heavy: bool, bodies: usize) -> bool {
        let i = self.m.bodies.len();
        let massless = !heavy && i + 1 < bodies && self.random.percent(8);
        let parent = match self.random.below(10) {
            _ if heavy => i.checked_sub(1),
            0 | 1 => None,
            2..=6 => i.checked_sub(1),
            _ => (i > 0).then(|| self.random.below(i.max(1))),
        };
        let few = heavy || massless;
        let mut kind = self.kind(few);
        if massless {
            kind = JointKind::Revolute(self.axis());
        }
        let absolute = !few && self.absolute(&mut kind, parent);
        let rod = !heavy && !massless && (kind == JointKind::Direction || self.random.percent(10));
        if rod && kind != JointKind::Direction && !absolute {
            kind = JointKind::Revolute(AxisVector([0, 0, 1].map(Number::integer)));
        }
        let rod = rod && (kind == JointKind::Direction || !absolute);
        let mut child_frame = self.placement();
        if rod {
            child_frame = Placement::at([self.scalar(-40, 40), Formula::ZERO, Formula::ZERO]);
        }
        let body = self.rigid_body(i, rod, massless);
        self.m.bodies.push(body);
        let (linear_q, linear_v) = parts(&kind);
        let mut parent_frame = self.placement();
        if heavy {
            parent_frame.origin = [literal(1, 2), literal(-1, 4), literal(1, 3)];
        }
        let mut joint = Joint {
            name: format!("joint{i}"),
            kind,
            parent,
            parent_frame,
            child_frame,
            absolute,
            coordinates: vec![Slot::Free(0); linear_q.len()],
            speeds: vec![Slot::Free(0); linear_v.len()],
            rotors: vec![None; linear_v.len()],
        };
        for k in 0..joint.speeds.len() {
            // A heavy child keeps its motion, or the massless body might move alone.
            if !few && is_rate(&joint, k) && self.random.percent(12) {
                let f = self.motion_law();
                joint.coordinates[k] = Slot::Prescribed(f.clone());
                joint.speeds[k] = Slot::Prescribed(f);
            }
            if self.random.percent(12) {
                let inertia = self.scalar(1, 8);
                joint.rotors[k] = Some(Rotor { inertia, ratio: self.scalar(64, 256) });
            }
        }
        self.ranges.push(ranges(&joint.kind));
        self.m.joints.push(joint);
        massless
    }

    /// Whether the joint measures its angles from the ground, where that is the same mechanism.
    fn absolute(&mut self, kind: &mut JointKind, parent: Option<usize>) -> bool {
        if !self.random.percent(40) {
            return false;
        }
        match kind {
            JointKind::Spherical(..) | JointKind::Free(..) | JointKind::Direction => true,
            JointKind::Revolute(axis) => match parent.map(|p| &self.m.joints[p]) {
                None => true,
                Some(joint) => match (&joint.kind, joint.absolute) {
                    (JointKind::Revolute(a), true) => {
                        *axis = *a;
                        true
                    }
                    _ => false,
                },
            },
            _ => false,
        }
    }

    /// A smooth function of time.
    fn motion_law(&mut self) -> Formula {
        let phase = add(mul(self.scalar(32, 96), variable(Variable::Time)), self.scalar(-32, 32));
        let wave = mul(self.scalar(8, 32), sin(phase));
        let drift = mul(self.scalar(-16, 16), variable(Variable::Time));
        add(self.scalar(16, 24), add(wave, drift))
    }

    fn rigid_body(&mut self, i: usize, rod: bool, massless: bool) -> Body {
        let zero = || Formula::ZERO;
        let points = vec![
            Point { name: "a".to_owned(), placement: self.placement() },
            Point { name: "b".to_owned(), placement: self.placement() },
        ];
        let name = format!("body{i}");
        if massless {
            return Body {
                name,
                mass: zero(),
                center_of_mass: [zero(), zero(), zero()],
                inertia: [(); 6].map(|()| zero()),
                inertia_about: None,
                points,
            };
        }
        let mass = self.scalar(32, 192);
        if rod {
            let j = self.scalar(4, 24);
            let center = [self.scalar(-40, 40), zero(), zero()];
            let inertia = [zero(), j.clone(), j, zero(), zero(), zero()];
            return Body { name, mass, center_of_mass: center, inertia, inertia_about: None, points };
        }
        let center = self.point();
        let [a, b, c] = [(); 3].map(|()| self.scalar(3, 16));
        let mut inertia = [
            add(b.clone(), c.clone()),
            add(a.clone(), c),
            add(a, b),
            literal(self.random.below(3) as i64 - 1, 64),
            literal(self.random.below(3) as i64 - 1, 64),
            literal(self.random.below(3) as i64 - 1, 64),
        ];
        let inertia_about = self.random.percent(30).then(|| self.point());
        if let Some(about) = &inertia_about {
            let d: [Formula; 3] = std::array::from_fn(|i| sub(center[i].clone(), about[i].clone()));
            let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            for (entry, (i, j)) in inertia.iter_mut().zip(pairs) {
                let square = |k: usize| mul(d[k].clone(), d[k].clone());
                let steiner = if i == j {
                    add(square((i + 1) % 3), square((i + 2) % 3))
                } else {
                    Formula::Neg(Box::new(mul(d[i].clone(), d[j].clone())))
                };
                *entry = add(entry.clone(), mul(mass.clone(), steiner));
            }
        }
        Body { name, mass, center_of_mass: center, inertia, inertia_about, points }
    }

    /// Numbers free coordinates and speeds, joint by joint in shuffled order, and draws a state.
    fn number_slots(&mut self) {
        let mut order: Vec<usize> = (0..self.m.joints.len()).collect();
        for i in (1..order.len()).rev() {
            let j = self.random.below(i + 1);
            order.swap(i, j);
        }
        for joint in order {
            let (linear_q, linear_v) = parts(&self.m.joints[joint].kind);
            let values = self.draw(joint);
            for (k, linear) in linear_q.iter().enumerate() {
                let slot = &mut self.m.joints[joint].coordinates[k];
                if let Slot::Free(i) = slot {
                    *i = self.q.len();
                    self.q.push(values[k]);
                    self.m.coordinates.push(Coordinate {
                        name: format!("q{joint}_{k}"),
                        description: String::new(),
                        dimension: if *linear { Dimension::LENGTH } else { Dimension::NONE },
                        joint,
                        start: Formula::ZERO,
                    });
                }
            }
            for (k, linear) in linear_v.iter().enumerate() {
                if let Slot::Free(i) = &mut self.m.joints[joint].speeds[k] {
                    *i = self.v.len();
                    self.v.push(self.random.value(-1.5, 1.5));
                    self.m.speeds.push(Speed {
                        name: format!("v{joint}_{k}"),
                        description: String::new(),
                        dimension: if *linear { Dimension::VELOCITY } else { ANGULAR_RATE },
                        joint,
                        start: Formula::ZERO,
                    });
                }
            }
        }
    }

    /// Values of the local coordinates of a joint; quaternions are unit.
    fn draw(&mut self, joint: usize) -> Vec<f64> {
        let mut values: Vec<f64> =
            self.ranges[joint].clone().iter().map(|(low, high)| self.random.value(*low, *high)).collect();
        let from = match self.m.joints[joint].kind {
            JointKind::Spherical(Attitude::Quaternion, _) => Some(0),
            JointKind::Free(Attitude::Quaternion, _, _) => Some(3),
            _ => None,
        };
        if let Some(from) = from {
            let norm = values[from..].iter().map(|x| x * x).sum::<f64>().sqrt();
            values[from..].iter_mut().for_each(|x| *x /= norm);
        }
        values
    }
}

/// All twelve sequences.
fn sequences() -> Vec<[Axis; 3]> {
    let axes = [Axis::X, Axis::Y, Axis::Z];
    let all = axes.iter().flat_map(|i| axes.iter().flat_map(move |j| axes.map(move |k| [*i, *j, k])));
    all.filter(|[i, j, k]| i != j && j != k).collect()
}

/// For each local coordinate and speed, whether it is linear.
fn parts(kind: &JointKind) -> (Vec<bool>, Vec<bool>) {
    let angles = |attitude: &Attitude| match attitude {
        Attitude::Sequence(_) => vec![false; 3],
        Attitude::Quaternion => vec![false; 4],
    };
    let same = |x: Vec<bool>| (x.clone(), x);
    match kind {
        JointKind::Fixed => same(vec![]),
        JointKind::Revolute(_) | JointKind::Helical(..) => same(vec![false]),
        JointKind::Prismatic(_) => same(vec![true]),
        JointKind::Cylindrical(_) => same(vec![false, true]),
        JointKind::Universal(..) | JointKind::Direction => same(vec![false, false]),
        JointKind::Planar(..) => same(vec![true, true, false]),
        JointKind::Spherical(attitude, _) => (angles(attitude), vec![false; 3]),
        JointKind::Free(attitude, ..) => {
            ([vec![true; 3], angles(attitude)].concat(), vec![true, true, true, false, false, false])
        }
    }
}

/// Ranges of local coordinates, off the singular places.
fn ranges(kind: &JointKind) -> Vec<(f64, f64)> {
    let (angle, length) = ((-2.5, 2.5), (-0.5, 0.5));
    let angles = |attitude: &Attitude| match attitude {
        Attitude::Sequence([i, _, k]) if i == k => vec![angle, (0.7, 2.3), angle],
        Attitude::Sequence(_) => vec![angle, (-0.8, 0.8), angle],
        Attitude::Quaternion => vec![(0.1, 1.0), (-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0)],
    };
    match kind {
        JointKind::Fixed => vec![],
        JointKind::Revolute(_) | JointKind::Helical(..) => vec![angle],
        JointKind::Prismatic(_) => vec![length],
        JointKind::Cylindrical(_) => vec![angle, length],
        JointKind::Universal(..) => vec![angle, angle],
        JointKind::Direction => vec![angle, (-0.9, 0.9)],
        JointKind::Planar(..) => vec![length, length, angle],
        JointKind::Spherical(attitude, _) => angles(attitude),
        JointKind::Free(attitude, ..) => [vec![length; 3], angles(attitude)].concat(),
    }
}
