//! Random bodies with their joints.

use super::{Builder, add, literal, mul, sequences, sin, sub, variable};
use crate::algebra::Number;
use crate::mechanism::joint::is_rate;
use crate::mechanism::{
    Attitude, AxisVector, Body, Carrier, Formula, Joint, JointKind, Placement, Point, Rotor, Slot, SpeedKind,
    Variable, VelocityFrame,
};

impl Builder {
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
    pub(super) fn body(&mut self, heavy: bool, bodies: usize) -> bool {
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
            armature: vec![None; linear_v.len()],
            rotor: None,
        };
        for k in 0..joint.speeds.len() {
            // A heavy child keeps its motion, or the massless body might move alone.
            if !few && is_rate(&joint, k) && self.random.percent(12) {
                let f = self.motion_law();
                joint.coordinates[k] = Slot::Prescribed(f.clone());
                joint.speeds[k] = Slot::Prescribed(f);
            }
            if self.random.percent(12) {
                let (inertia, ratio) = (self.scalar(1, 8), self.scalar(64, 256));
                joint.armature[k] = Some(mul(inertia, mul(ratio.clone(), ratio)));
            }
        }
        // Rotors have draws of their own: what else there is does not depend on them.
        let others = self.random.clone();
        self.rotor(&mut joint, i);
        self.random = others;
        self.ranges.push(ranges(&joint.kind));
        self.m.joints.push(joint);
        massless
    }

    /// Sometimes a rotor on one of the ends of a joint. Where a speed is measured from the ground it is no turn of the child
    /// on its parent.
    fn rotor(&mut self, joint: &mut Joint, i: usize) {
        if joint.speeds.len() != 1 || joint.absolute || !self.random.percent(35) {
            return;
        }
        let carrier = self.random.pick(&[Carrier::Child, Carrier::Parent]);
        let body = if carrier == Carrier::Child { Some(i) } else { joint.parent };
        let line = body.is_some_and(|b| b != i && self.m.joints[b].kind == JointKind::Direction);
        if line || body.is_some_and(|b| self.m.bodies[b].mass.is_zero()) {
            return;
        }
        let (axis, inertia, ratio) = (self.axis(), self.scalar(1, 8), self.scalar(-256, 256));
        if let Some(b) = body {
            // The carrier holds the rotor at rest.
            for entry in &mut self.m.bodies[b].inertia[..3] {
                *entry = add(entry.clone(), inertia.clone());
            }
        }
        joint.rotor = Some(Rotor { inertia, ratio, axis, carrier });
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
}

/// For each local coordinate and speed, whether it is linear.
pub(super) fn parts(kind: &JointKind) -> (Vec<bool>, Vec<bool>) {
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
