//! Seeded random mechanisms and states, for tests.
//!
//! Problem: trees that combine the features of a spec at random, to compare two methods on
//! combinations that hand-written tests miss.
//! Method:  bodies are added one after another, each with a random joint, frames, inertia and
//! rotor; then loads, inputs, a user state and outputs. Lengths are of the order of 0.5 m, masses
//! of 1 kg, rates of 1/s. Coordinates and speeds are numbered joint by joint in shuffled order, so
//! that the order of the spec and of the tree differ.
//! Excluded: constraints, events, and whatever makes M singular. Middle angles stay off gimbal
//! lock; a massless body has a revolute joint and a heavy child with few degrees of freedom off
//! that axis; a slender rod does not turn about itself.
//! The same seed gives the same mechanism on every machine.

mod bodies;
mod loads;

use bodies::translational_flags;

use dqdt_algebra::{Axis, Dimension, Number, Ratio};
use dqdt_diagnostics::base::Random;
use dqdt_mechanics::mechanism::{
    Attitude, BodyAxes, Coordinate, CoordinateId, EliminationGroups, Formula, Formulation, Input, JointId,
    JointVariable, Mechanism, Parameter, ParameterId, ParameterKind, Partition, Placement, Rotation, Speed,
    SpeedId, State, Variable, may_join_parent_group,
};

/// A random mechanism with a random instant: time, coordinates, speeds, user states and inputs. For
/// tests.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Sample {
    pub mechanism: Mechanism,
    /// Random elimination groups and body axes, which affect only the operation count.
    pub formulation: Formulation,
    /// Constraint rows and dependent speeds of the mechanism; the default until a test assembles
    /// it.
    pub partition: Partition,
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub u: Vec<f64>,
}

/// Draws a random mechanism with 1 to `bodies` bodies and at least one speed.
pub fn random_mechanism(seed: u64, bodies: usize) -> Sample {
    let mut attempt = 0;
    loop {
        // Keeps later attempts of different seeds distinct.
        let mut builder = RandomMechanism::new(seed.wrapping_mul(1_000_003).wrapping_add(attempt));
        builder.draw_mechanism(1 + builder.random.clone().next_below(bodies.max(1)));
        if !builder.mechanism.speeds.is_empty() {
            return builder.finish_sample();
        }
        attempt += 1;
    }
}

/// Random draws that the parts of a random mechanism need.
trait RandomDraws {
    /// True with this probability in per cent.
    fn happens_percent(&mut self, p: usize) -> bool;
    /// One of these elements at random.
    fn pick_choice<T: Clone>(&mut self, choices: &[T]) -> T;
    /// Random multiple of 1/64; the bounds are in sixty-fourths, inclusive.
    fn draw_number(&mut self, low: i64, high: i64) -> Number;
    /// Random number between two bounds.
    fn draw_value(&mut self, low: f64, high: f64) -> f64;
}

impl RandomDraws for Random {
    fn happens_percent(&mut self, p: usize) -> bool {
        self.next_below(100) < p
    }

    fn pick_choice<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.next_below(choices.len())].clone()
    }

    fn draw_number(&mut self, low: i64, high: i64) -> Number {
        let k = low + self.next_below((high - low + 1) as usize) as i64;
        Number::ratio(k, 64).unwrap_or(Number::ZERO)
    }

    fn draw_value(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next_below(4096) as f64) / 4096.0
    }
}

/// The formula of the rational number `n/d`.
fn ratio_formula(n: i64, d: i64) -> Formula {
    Formula::Number(Number::ratio(n, d).unwrap_or(Number::ZERO))
}

fn sum_formula(a: Formula, b: Formula) -> Formula {
    Formula::Add(Box::new(a), Box::new(b))
}

fn difference_formula(a: Formula, b: Formula) -> Formula {
    Formula::Sub(Box::new(a), Box::new(b))
}

fn product_formula(a: Formula, b: Formula) -> Formula {
    Formula::Mul(Box::new(a), Box::new(b))
}

fn sine_formula(a: Formula) -> Formula {
    Formula::Sin(Box::new(a))
}

/// The formula of a variable.
fn variable_formula(v: Variable) -> Formula {
    Formula::Variable(v)
}

/// Dimension 1/s of angular speeds.
const ANGULAR_RATE: Dimension = Dimension::new([0, 0, -1, 0, 0]);

/// A random mechanism under construction, with the generator and the drawn state.
struct RandomMechanism {
    random: Random,
    mechanism: Mechanism,
    q: Vec<f64>,
    v: Vec<f64>,
    /// Ranges from which the local coordinates are drawn, by joint.
    coordinate_ranges: Vec<Vec<(f64, f64)>>,
}

impl RandomMechanism {
    fn new(seed: u64) -> Self {
        let m = Mechanism {
            named_formulas: Vec::new(),
            tables: Vec::new(),
            shapes: Vec::new(),
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
            measures: Vec::new(),
            loads: Vec::new(),
            constraints: Vec::new(),
            events: Vec::new(),
            outputs: Vec::new(),
            driven: Vec::new(),
            ground_points: Vec::new(),
        };
        RandomMechanism {
            random: Random::new(seed),
            mechanism: m,
            q: Vec::new(),
            v: Vec::new(),
            coordinate_ranges: Vec::new(),
        }
    }

    /// Draws all parts of the mechanism: gravity, inputs, bodies, a user state, loads, outputs,
    /// measures.
    fn draw_mechanism(&mut self, bodies: usize) {
        let g = self.add_parameter(ParameterKind::Constant(ratio_formula(981, 100)));
        self.mechanism.gravity = match self.random.next_below(4) {
            0 => [Formula::ZERO, Formula::ZERO, Formula::ZERO],
            1 => [
                self.draw_scalar(-64, 64),
                self.draw_scalar(-64, 64),
                sine_formula(variable_formula(Variable::Time)),
            ],
            _ => [Formula::ZERO, Formula::ZERO, Formula::Neg(Box::new(g))],
        };
        for i in 0..2 {
            let limits = self.random.happens_percent(50).then(|| (ratio_formula(-1, 1), ratio_formula(1, 1)));
            self.mechanism.inputs.push(Input {
                name: format!("u{i}"),
                unit: String::new(),
                description: String::new(),
                dimension: None,
                default: Formula::ZERO,
                limits,
                law: None,
            });
        }
        let mut heavy_child = false;
        while self.mechanism.bodies.len() < bodies || heavy_child {
            heavy_child = self.add_body(heavy_child, bodies);
        }
        self.number_variables();
        let rate =
            difference_formula(variable_formula(Variable::Input(0)), variable_formula(Variable::State(0)));
        self.mechanism.states.push(State {
            name: "z0".to_owned(),
            unit: String::new(),
            description: String::new(),
            dimension: None,
            start: Formula::ZERO,
            rate,
        });
        self.add_loads();
        self.add_outputs();
        self.add_measures();
    }

    /// Draws elimination groups and body axes. A separate random generator keeps the rest of the
    /// mechanism independent of them.
    fn draw_formulation(&self) -> Formulation {
        let mut random =
            Random::new(0x6772_6f75 + self.mechanism.joints.len() as u64 + self.mechanism.nv() as u64);
        let joined = self
            .mechanism
            .joint_ids()
            .map(|i| may_join_parent_group(&self.mechanism.joints, i) && random.happens_percent(60))
            .collect();
        let carried = self.mechanism.joints.iter().map(|_| random.happens_percent(50)).collect();
        let groups = EliminationGroups { joined, carried };
        let axes = BodyAxes::from_joints(&self.mechanism.joints);
        let unturned = self
            .mechanism
            .body_ids()
            .map(|i| axes.may_be_unrotated(&self.mechanism.joints, i) && random.happens_percent(60))
            .collect();
        let axes = BodyAxes { unturned, ..axes };
        Formulation { elimination_groups: Some(groups), body_axes: Some(axes), ..Formulation::default() }
    }

    /// Draws time, user state and inputs, and returns the finished sample.
    fn finish_sample(mut self) -> Sample {
        let t = self.random.draw_value(-2.0, 2.0);
        let z = vec![self.random.draw_value(-1.0, 1.0)];
        let u = (0..2).map(|_| self.random.draw_value(-2.0, 2.0)).collect();
        let (formulation, partition) = (self.draw_formulation(), Partition::default());
        Sample { formulation, partition, mechanism: self.mechanism, t, q: self.q, v: self.v, z, u }
    }

    /// Adds a parameter of this kind and returns it as a formula.
    fn add_parameter(&mut self, kind: ParameterKind) -> Formula {
        let i = ParameterId(self.mechanism.parameters.len());
        self.mechanism.parameters.push(Parameter {
            name: format!("p{}", i.index()),
            unit: String::new(),
            dimension: None,
            description: String::new(),
            kind,
        });
        variable_formula(Variable::Parameter(i))
    }

    /// Draws a number (bounds in sixty-fourths) as a formula: a literal, or a new parameter of any
    /// kind.
    fn draw_scalar(&mut self, low: i64, high: i64) -> Formula {
        let n = self.random.draw_number(low, high);
        match self.random.next_below(10) {
            0..=5 => Formula::Number(n),
            6 | 7 => self.add_parameter(ParameterKind::Free(n)),
            8 => self.add_parameter(ParameterKind::Constant(Formula::Number(n))),
            _ => {
                let half = self.add_parameter(ParameterKind::Free(n));
                self.add_parameter(ParameterKind::Derived(product_formula(
                    sum_formula(half.clone(), half),
                    ratio_formula(1, 2),
                )))
            }
        }
    }

    /// Draws the position of a point, in 20 % of the cases the origin.
    fn draw_point(&mut self) -> [Formula; 3] {
        if self.random.happens_percent(20) {
            return [Formula::ZERO, Formula::ZERO, Formula::ZERO];
        }
        [self.draw_scalar(-40, 40), self.draw_scalar(-40, 40), self.draw_scalar(-40, 40)]
    }

    /// Draws a rotation: identity, matrix, or three angles.
    fn draw_rotation(&mut self) -> Rotation {
        let axes = self.random.pick_choice(&axis_sequences());
        match self.random.next_below(5) {
            0 => Rotation::Sequence { axes, angles: [(); 3].map(|()| draw_quarter_turns(&mut self.random)) },
            1 => Rotation::Sequence { axes, angles: [(); 3].map(|()| self.draw_scalar(-128, 128)) },
            2 => {
                let thirds = [[2, -1, 2], [2, 2, -1], [-1, 2, 2]];
                Rotation::Matrix(Box::new(thirds.map(|row| row.map(|n| ratio_formula(n, 3)))))
            }
            _ => Rotation::Identity,
        }
    }

    /// Draws origin and rotation of a frame on a body.
    fn draw_placement(&mut self) -> Placement {
        Placement { origin: self.draw_point(), rotation: self.draw_rotation() }
    }

    /// Numbers free coordinates and speeds joint by joint in shuffled order, and draws their
    /// values.
    fn number_variables(&mut self) {
        let mut order: Vec<JointId> = self.mechanism.joint_ids().collect();
        for i in (1..order.len()).rev() {
            let j = self.random.next_below(i + 1);
            order.swap(i, j);
        }
        for joint in order {
            let (linear_q, linear_v) = translational_flags(&self.mechanism.joints[joint].kind);
            let values = self.draw_coordinates(joint);
            for (k, linear) in linear_q.iter().enumerate() {
                if let JointVariable::Free(i) = &mut self.mechanism.joints[joint].coordinates[k] {
                    *i = CoordinateId(self.q.len());
                    self.q.push(values[k]);
                    self.mechanism.coordinates.push(Coordinate {
                        name: format!("q{}_{k}", joint.index()),
                        description: String::new(),
                        dimension: if *linear { Dimension::LENGTH } else { Dimension::NONE },
                        joint,
                        start: Formula::ZERO,
                    });
                }
            }
            for (k, linear) in linear_v.iter().enumerate() {
                if let JointVariable::Free(i) = &mut self.mechanism.joints[joint].speeds[k] {
                    *i = SpeedId(self.v.len());
                    self.v.push(self.random.draw_value(-1.5, 1.5));
                    self.mechanism.speeds.push(Speed {
                        name: format!("v{}_{k}", joint.index()),
                        description: String::new(),
                        dimension: if *linear { Dimension::VELOCITY } else { ANGULAR_RATE },
                        joint,
                        start: Formula::ZERO,
                    });
                }
            }
        }
    }

    /// Random values of the local coordinates of a joint; quaternions are normalised.
    fn draw_coordinates(&mut self, joint: JointId) -> Vec<f64> {
        let mut values: Vec<f64> = self.coordinate_ranges[joint]
            .clone()
            .iter()
            .map(|(low, high)| self.random.draw_value(*low, *high))
            .collect();
        if let Some((first, Attitude::Quaternion)) =
            self.mechanism.joints[joint].kind.form().attitude_coordinate()
        {
            let norm = values[first..].iter().map(|x| x * x).sum::<f64>().sqrt();
            values[first..].iter_mut().for_each(|x| *x /= norm);
        }
        values
    }
}

/// Draws a multiple of π/2 as a formula.
fn draw_quarter_turns(random: &mut Random) -> Formula {
    let turns = Ratio::new(random.next_below(4) as i128, 2).unwrap_or(Ratio::ZERO);
    Formula::Number(Number::pi(turns))
}

/// All twelve axis sequences of Euler and Cardan angles.
fn axis_sequences() -> Vec<[Axis; 3]> {
    let axes = [Axis::X, Axis::Y, Axis::Z];
    let all = axes.iter().flat_map(|i| axes.iter().flat_map(move |j| axes.map(move |k| [*i, *j, k])));
    all.filter(|[i, j, k]| i != j && j != k).collect()
}
