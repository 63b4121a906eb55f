//! Bushing: six springs and dampers between two frames.
//!
//! In the axes of the first frame: displacement `d` of the second origin, `θ = ½ Σ eᵢ × R eᵢ`,
//! which is `sin φ` times the axis of the rotation `R`. Potential `½ Σ kᵢ dᵢ² + ½ Σ κᵢ θᵢ²`. On the
//! second body, at its origin: force `−K d − C ḋ`, moment `−½ (tr R − Rᵀ) κ θ − D ω`; the opposite
//! wrench acts on the first.

use super::context::{Action, LoadContext, LoadState, LoadWork, PoseContext};
use super::kind::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::formula::Formula;
use crate::mechanism::index::SpeedId;
use dqdt_algebra::{Dimension, Mat3, Scalar, Vec3, Wrench};

/// Six springs and dampers between two frames. Stiffnesses may depend on numbers
/// and parameters only.
#[derive(Clone, PartialEq, Debug)]
pub struct Bushing {
    /// The two frames that the bushing connects.
    pub ends: Ends,
    /// Stiffness along the axes [N/m].
    pub stiffness: [Formula; 3],
    /// Damping along the axes [N·s/m].
    pub damping: [Formula; 3],
    /// Torsional stiffness about the axes [N·m/rad].
    pub torsion: [Formula; 3],
    /// Torsional damping about the axes [N·m·s/rad].
    pub torsional_damping: [Formula; 3],
}

/// Pose of the second frame relative to the first.
struct Strain<S> {
    /// Rotation from the axes of the first frame to those of its body.
    axes: Mat3<S>,
    /// Displacement of the second origin, in the axes of the first frame.
    displacement: Vec3<S>,
    /// Rotation from the axes of the second frame to those of the first.
    turn: Mat3<S>,
}

impl Bushing {
    fn strain<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Strain<S> {
        let Ends { from, to } = &self.ends;
        let to_pose = pose.relative_pose(to.0, from.0);
        let axes = pose.frame_rotation(&from.1);
        let span =
            to_pose.point_in_other_body(pose.arm_to_point(to.0, &to.1)) - pose.arm_to_point(from.0, &from.1);
        Strain {
            displacement: axes.apply_transposed(span),
            turn: axes.transposed_mul(&to_pose.rotation.mul(&pose.frame_rotation(&to.1))),
            axes,
        }
    }
}

impl<S: Scalar> Strain<S> {
    /// The measure `θ` of the rotation, see the module header.
    fn angles(&self) -> Vec3<S> {
        let product = |i: usize| Vec3::unit_vector(i).cross(self.turn.column(i));
        (product(0) + product(1) + product(2)).scale(S::ratio(1, 2))
    }

    /// The product `½ (tr R − Rᵀ) x`, which gives the moment for `x = κ θ`.
    fn moment(&self, x: Vec3<S>) -> Vec3<S> {
        let trace = (0..3).fold(S::ZERO, |sum, i| sum + self.turn.column(i)[i]);
        (x.scale(trace) - self.turn.apply_transposed(x)).scale(S::ratio(1, 2))
    }
}

fn times<S: Scalar>(coefficients: &[Formula; 3], x: Vec3<S>, pose: &dyn PoseContext<S>) -> Vec3<S> {
    let c = coefficients.each_ref().map(|f| f.eval(pose.environment()));
    Vec3([c[0] * x[0], c[1] * x[1], c[2] * x[2]])
}

impl LoadForm for Bushing {
    fn kind_name(&self) -> &'static str {
        "bushing"
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Ends(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let Ends { from, to } = &self.ends;
        vec![
            Dependence::Place(from.0, &from.1),
            Dependence::Place(to.0, &to.1),
            Dependence::Axes(from.0),
            Dependence::Axes(to.0),
        ]
    }

    fn force_law(&self) -> Option<Law<'_>> {
        None
    }

    fn force_law_formulas(&self) -> Vec<&Formula> {
        [&self.stiffness, &self.damping, &self.torsion, &self.torsional_damping]
            .into_iter()
            .flatten()
            .collect()
    }
}

impl LoadMechanics for Bushing {
    const WORD: &'static str = "bushing";
    const DRAWS: usize = 1;

    fn read(keys: &mut dyn LoadKeys) -> Option<Self> {
        let mut components = |words: [&'static str; 3], noun: &str, names: FormulaNames, unit: Dimension| {
            words.map(|word| keys.read_formula(word, noun, names, Some(unit)))
        };
        let (force, moment) = (Dimension::FORCE, Dimension::MOMENT);
        let parameters = FormulaNames::Parameters;
        let stiffness =
            components(["kx", "ky", "kz"], "stiffness", parameters, force.over(Dimension::LENGTH));
        let damping =
            components(["dx", "dy", "dz"], "damping", FormulaNames::All, force.over(Dimension::VELOCITY));
        let torsion = components(["ktx", "kty", "ktz"], "stiffness", parameters, moment);
        let unit = moment.times(Dimension::TIME);
        let torsional_damping = components(["dtx", "dty", "dtz"], "damping", FormulaNames::All, unit);
        Some(Bushing { ends: keys.read_ends(true)?, stiffness, damping, torsion, torsional_damping })
    }

    fn random(draw: &mut dyn DrawLoad) -> Option<Self> {
        let ends = draw.random_ends();
        let mut draw_three =
            || [draw.random_constant(16, 64), draw.random_constant(16, 64), draw.random_constant(16, 64)];
        let (stiffness, damping) = (draw_three(), draw_three());
        Some(Bushing { ends, stiffness, damping, torsion: draw_three(), torsional_damping: draw_three() })
    }

    fn parts(&self) -> [Option<Self>; 2] {
        const ZEROS: [Formula; 3] = [Formula::ZERO, Formula::ZERO, Formula::ZERO];
        let elastic = Bushing { damping: ZEROS, torsional_damping: ZEROS, ..self.clone() };
        let viscous = Bushing { stiffness: ZEROS, torsion: ZEROS, ..self.clone() };
        [Some(elastic), Some(viscous)]
    }

    fn actions<S: Scalar>(&self, name: &str, context: &dyn LoadContext<S>) -> Vec<Action<S>> {
        let Ends { from, to } = &self.ends;
        let strain = self.strain(context);
        let r_to = context.arm_to_point(to.0, &to.1);
        let to_pose = context.relative_pose(to.0, from.0);
        // The second origin as a point of the first body.
        let at = to_pose.point_in_other_body(r_to);
        let to_first_frame = |x: Vec3<S>| strain.axes.apply_transposed(to_pose.rotation.apply(x));
        let velocity = to_first_frame(context.point_velocity(to.0, r_to))
            - strain.axes.apply_transposed(context.point_velocity(from.0, at));
        let spin = to_first_frame(context.angular_velocity(to.0))
            - strain.axes.apply_transposed(context.angular_velocity(from.0));
        let apply = |mut action: Action<S>, force: Vec3<S>, moment: Vec3<S>| {
            let (f, m) = (strain.axes.apply(force), strain.axes.apply(moment));
            if let Some(body) = from.0 {
                action.wrenches.push((body, -(Wrench::from_force_at(f, at) + Wrench { f: Vec3::ZERO, m })));
            }
            if let Some(body) = to.0 {
                let (f, m) = (to_pose.rotation.apply_transposed(f), to_pose.rotation.apply_transposed(m));
                action.wrenches.push((body, Wrench::from_force_at(f, r_to) + Wrench { f: Vec3::ZERO, m }));
            }
            action
        };
        let elastic = -times(&self.stiffness, strain.displacement, context);
        let twisted = -strain.moment(times(&self.torsion, strain.angles(), context));
        let viscous = -times(&self.damping, velocity, context);
        let turning = -times(&self.torsional_damping, spin, context);
        vec![
            apply(Action::with_potential(name.to_owned()), elastic, twisted),
            apply(Action::new(super::damping_part_name(name)), viscous, turning),
        ]
    }

    fn potential<S: Scalar>(&self, pose: &dyn PoseContext<S>) -> Option<S> {
        let strain = self.strain(pose);
        let (d, angles) = (strain.displacement, strain.angles());
        let sum = d.dot(times(&self.stiffness, d, pose)) + angles.dot(times(&self.torsion, angles, pose));
        Some(S::ratio(1, 2) * sum)
    }

    fn add_work<S: Scalar>(&self, work: &mut dyn LoadWork<S>) {
        let Ends { from, to } = &self.ends;
        let motion = work.relative_motion(&self.ends);
        let force_law = |coefficients: &[Formula; 3], x: Vec3<S>| {
            let c = coefficients.each_ref().map(|f| f.eval(work.environment()));
            motion.axes.apply(Vec3([c[0] * x[0], c[1] * x[1], c[2] * x[2]]))
        };
        let force = -force_law(&self.damping, motion.velocity);
        let moment = -force_law(&self.torsional_damping, motion.angular_velocity);
        let at = work.point_position(to.0, &to.1);
        if let Some(body) = from.0 {
            work.add_force(body, at, -force);
            work.add_moment(body, -moment);
        }
        if let Some(body) = to.0 {
            work.add_force(body, at, force);
            work.add_moment(body, moment);
        }
    }

    fn effort<S: Scalar>(&self, _state: &dyn LoadState<S>) -> Option<(SpeedId, S)> {
        None
    }
}
