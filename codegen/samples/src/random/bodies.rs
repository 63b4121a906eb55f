//! Random bodies with their inboard joints.

use super::{
    RandomDraws, RandomMechanism, axis_sequences, difference_formula, product_formula, ratio_formula,
    sine_formula, sum_formula, variable_formula,
};
use dqdt_algebra::{Dimension, Number};
use dqdt_mechanics::mechanism::joint::{
    Draw, GroundAngles, JointKind, Revolute, SpeedComponent, is_coordinate_rate,
};
use dqdt_mechanics::mechanism::{
    Attitude, AxisVector, Body, BodyId, Carrier, CoordinateId, Formula, Joint, JointLimits, JointVariable,
    Placement, Point, Rotor, SpeedId, SpeedKind, Variable,
};

/// The vector with component `n` along coordinate axis `i`.
fn axis_vector(i: usize, n: i64) -> AxisVector {
    AxisVector([0, 1, 2].map(|j| if i == j { Number::integer(n) } else { Number::ZERO }))
}

impl Draw for RandomMechanism {
    fn random_axis(&mut self) -> AxisVector {
        match self.random.next_below(4) {
            0 => axis_vector(self.random.next_below(3), -2),
            1 => AxisVector([1, 1 + self.random.next_below(3) as i64, 2].map(Number::integer)),
            _ => axis_vector(self.random.next_below(3), 1),
        }
    }

    fn random_constant(&mut self, low: i64, high: i64) -> Formula {
        RandomMechanism::draw_scalar(self, low, high)
    }

    fn random_attitude(&mut self) -> (Attitude, SpeedKind) {
        if self.random.happens_percent(30) {
            let speeds = self.random.pick_choice(&[
                SpeedKind::BodyRates,
                SpeedKind::BodyRates,
                SpeedKind::ParentRates,
            ]);
            return (Attitude::Quaternion, speeds);
        }
        let sequence = Attitude::Sequence(self.random.pick_choice(&axis_sequences()));
        (sequence, self.random.pick_choice(&SpeedKind::WORDS.map(|(_, kind)| kind)))
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.next_below(n)
    }
}

impl RandomMechanism {
    /// Adds a random body with its inboard joint. Returns true if it is massless, so that the next
    /// body must be its heavy child.
    pub(super) fn add_body(&mut self, heavy: bool, bodies: usize) -> bool {
        let id = BodyId(self.mechanism.bodies.len());
        let i = id.index();
        let massless = !heavy && i + 1 < bodies && self.random.happens_percent(8);
        let parent = match self.random.next_below(10) {
            _ if heavy => i.checked_sub(1).map(BodyId),
            0 | 1 => None,
            2..=6 => i.checked_sub(1).map(BodyId),
            _ => (i > 0).then(|| BodyId(self.random.next_below(i.max(1)))),
        };
        let few = heavy || massless;
        let mut kind = JointKind::random(few, self);
        if massless {
            kind = Revolute(self.random_axis()).into();
        }
        let absolute = !few && self.draw_ground_angle(&mut kind, parent);
        let line = kind.form().leaves_roll_undefined();
        let rod = !heavy && !massless && (line || self.random.happens_percent(10));
        if rod && !line && !absolute {
            kind = Revolute(AxisVector::coordinate_axis(2)).into();
        }
        let rod = rod && (line || !absolute);
        let mut child_frame = self.draw_placement();
        if rod {
            child_frame = Placement::at_origin([self.draw_scalar(-40, 40), Formula::ZERO, Formula::ZERO]);
        }
        let body = self.draw_rigid_body(i, rod, massless);
        self.mechanism.bodies.push(body);
        let (linear_q, linear_v) = translational_flags(&kind);
        let mut parent_frame = self.draw_placement();
        if heavy {
            parent_frame.origin = [ratio_formula(1, 2), ratio_formula(-1, 4), ratio_formula(1, 3)];
        }
        let mut joint = Joint {
            name: format!("joint{i}"),
            kind,
            parent,
            parent_frame,
            child_frame,
            absolute,
            coordinates: vec![JointVariable::Free(CoordinateId(0)); linear_q.len()],
            names: Vec::new(),
            speeds: vec![JointVariable::Free(SpeedId(0)); linear_v.len()],
            armature: vec![None; linear_v.len()],
            rotor: None,
            limits: JointLimits::default(),
        };
        self.draw_motions_and_armatures(&mut joint, few);
        // Restore the generator, so that later draws do not depend on the rotor.
        let generator = self.random.clone();
        self.add_rotor(&mut joint, id);
        self.random = generator;
        self.coordinate_ranges.push(joint.kind.form().random_coordinate_ranges());
        self.mechanism.joints.push(joint);
        massless
    }

    /// Prescribes the motion of some coordinates of a joint, and gives some of its speeds an
    /// armature.
    fn draw_motions_and_armatures(&mut self, joint: &mut Joint, few: bool) {
        for k in 0..joint.speeds.len() {
            // A heavy child stays free, otherwise the massless body could move alone.
            if !few && is_coordinate_rate(joint, k) && self.random.happens_percent(12) {
                let f = self.draw_motion_law();
                joint.coordinates[k] = JointVariable::Prescribed(f.clone());
                joint.speeds[k] = JointVariable::Prescribed(f);
            }
            if self.random.happens_percent(12) {
                let (inertia, ratio) = (self.draw_scalar(1, 8), self.draw_scalar(64, 256));
                joint.armature[k] = Some(product_formula(inertia, product_formula(ratio.clone(), ratio)));
            }
        }
    }

    /// Adds a rotor to some joints with one speed, on the parent or the child. Not where the angle
    /// is measured from the ground, since its rate is not that of the child relative to the parent.
    fn add_rotor(&mut self, joint: &mut Joint, child: BodyId) {
        if joint.speeds.len() != 1 || joint.absolute || !self.random.happens_percent(35) {
            return;
        }
        let carrier = self.random.pick_choice(&[Carrier::Child, Carrier::Parent]);
        let body = if carrier == Carrier::Child { Some(child) } else { joint.parent };
        let line = body.is_some_and(|b| {
            b != child && self.mechanism.joints[b.inboard_joint()].kind.form().leaves_roll_undefined()
        });
        if line || body.is_some_and(|b| self.mechanism.bodies[b].mass.is_zero()) {
            return;
        }
        let (axis, inertia, ratio) =
            (self.random_axis(), self.draw_scalar(1, 8), self.draw_scalar(-256, 256));
        if let Some(b) = body {
            // Mass and inertia of the carrier include its rotors at rest.
            for entry in &mut self.mechanism.bodies[b].inertia[..3] {
                *entry = sum_formula(entry.clone(), inertia.clone());
            }
        }
        joint.rotor = Some(Rotor { inertia, ratio, axis, carrier });
    }

    /// Decides at random if the joint measures its angle from the ground, where that is possible.
    /// Parallel axes may be needed: then the kind of the parent's joint is copied.
    fn draw_ground_angle(&mut self, kind: &mut JointKind, parent: Option<BodyId>) -> bool {
        if !self.random.happens_percent(40) {
            return false;
        }
        match kind.form().ground_angle_condition() {
            GroundAngles::Always => true,
            GroundAngles::Never => false,
            GroundAngles::IfAxisIsFixed(_) => match parent.map(|p| &self.mechanism.joints[p.inboard_joint()])
            {
                None => true,
                Some(joint) => match (joint.kind.form().ground_angle_condition(), joint.absolute) {
                    (GroundAngles::IfAxisIsFixed(_), true) => {
                        *kind = joint.kind.clone();
                        true
                    }
                    _ => false,
                },
            },
        }
    }

    /// Draws a smooth function of time, as a prescribed motion.
    fn draw_motion_law(&mut self) -> Formula {
        let phase = sum_formula(
            product_formula(self.draw_scalar(32, 96), variable_formula(Variable::Time)),
            self.draw_scalar(-32, 32),
        );
        let wave = product_formula(self.draw_scalar(8, 32), sine_formula(phase));
        let drift = product_formula(self.draw_scalar(-16, 16), variable_formula(Variable::Time));
        sum_formula(self.draw_scalar(16, 24), sum_formula(wave, drift))
    }

    /// Draws mass, centre of mass, inertia and points of a body: a slender rod, massless, or
    /// general.
    fn draw_rigid_body(&mut self, i: usize, rod: bool, massless: bool) -> Body {
        const ZERO: Formula = Formula::ZERO;
        let points = vec![
            Point {
                name: "a".to_owned(),
                placement: self.draw_placement(),
                in_ground_axes: false,
                contact: true,
            },
            Point {
                name: "b".to_owned(),
                placement: self.draw_placement(),
                in_ground_axes: true,
                contact: false,
            },
        ];
        let name = format!("body{i}");
        if massless {
            return Body {
                name,
                mass: ZERO,
                center_of_mass: [ZERO, ZERO, ZERO],
                inertia: [ZERO; 6],
                inertia_about: None,
                points,
            };
        }
        let mass = self.draw_scalar(32, 192);
        if rod {
            let j = self.draw_scalar(4, 24);
            let center = [self.draw_scalar(-40, 40), ZERO, ZERO];
            let inertia = [ZERO, j.clone(), j, ZERO, ZERO, ZERO];
            return Body { name, mass, center_of_mass: center, inertia, inertia_about: None, points };
        }
        let center = self.draw_point();
        let [a, b, c] = [(); 3].map(|()| self.draw_scalar(3, 16));
        let mut inertia = [
            sum_formula(b.clone(), c.clone()),
            sum_formula(a.clone(), c),
            sum_formula(a, b),
            ratio_formula(self.random.next_below(3) as i64 - 1, 64),
            ratio_formula(self.random.next_below(3) as i64 - 1, 64),
            ratio_formula(self.random.next_below(3) as i64 - 1, 64),
        ];
        let inertia_about = self.random.happens_percent(30).then(|| self.draw_point());
        if let Some(about) = &inertia_about {
            let d: [Formula; 3] =
                std::array::from_fn(|i| difference_formula(center[i].clone(), about[i].clone()));
            let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            for (entry, (i, j)) in inertia.iter_mut().zip(pairs) {
                let square = |k: usize| product_formula(d[k].clone(), d[k].clone());
                let steiner = if i == j {
                    sum_formula(square((i + 1) % 3), square((i + 2) % 3))
                } else {
                    Formula::Neg(Box::new(product_formula(d[i].clone(), d[j].clone())))
                };
                *entry = sum_formula(entry.clone(), product_formula(mass.clone(), steiner));
            }
        }
        Body { name, mass, center_of_mass: center, inertia, inertia_about, points }
    }
}

/// For each local coordinate and each speed of a kind of joint: true if it is a length or a
/// velocity.
pub(super) fn translational_flags(kind: &JointKind) -> (Vec<bool>, Vec<bool>) {
    let coordinates: Vec<bool> =
        kind.form().coordinate_components().iter().map(|c| c.dimension == Dimension::LENGTH).collect();
    let speeds = kind
        .form()
        .speed_components()
        .iter()
        .map(|speed| match speed {
            SpeedComponent::RateOf(c) => coordinates[*c],
            SpeedComponent::Own(component) => component.dimension == Dimension::VELOCITY,
        })
        .collect();
    (coordinates, speeds)
}
