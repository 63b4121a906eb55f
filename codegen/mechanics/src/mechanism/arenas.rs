//! The type [`Mechanism`], with all parts of a mechanism.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::constraint::{Constraint, Treatment};
use super::event::Event;
use super::formula::{Formula, NamedFormula};
use super::index::{BodyId, CoordinateId, JointId, ParameterId, SpeedId};
use super::load::Load;
use super::measure::Measure;
use super::model::{Body, Coordinate, Input, Joint, Parameter, Point, Speed, State};
use super::output::Output;
use super::shape::Shape;
use super::table::Table;
use dqdt_diagnostics::base::speed_stem;

/// A mechanism with all its parts; every name is resolved to an index.
#[derive(Clone, PartialEq, Debug)]
pub struct Mechanism {
    /// Name of the mechanism; a valid identifier.
    pub name: String,
    /// One-line description of the mechanism for readers.
    pub description: String,
    /// Parameters `p` of the mechanism, in spec order.
    pub parameters: Vec<Parameter>,
    /// Coordinates `q`, in spec order.
    pub coordinates: Vec<Coordinate>,
    /// Speeds `v`, in spec order.
    pub speeds: Vec<Speed>,
    /// Inputs `u`, in spec order.
    pub inputs: Vec<Input>,
    /// User states `z`, in spec order.
    pub states: Vec<State>,
    /// Bodies, parents before children.
    pub bodies: Vec<Body>,
    /// Joints, one a body: `joints[i]` is the inboard joint of `bodies[i]`.
    pub joints: Vec<Joint>,
    /// Uniform gravity in ground axes [m/s²]; constants, parameters and `t` only.
    pub gravity: [Formula; 3],
    /// Measures (positions, distances, … of frames) that formulas use.
    pub measures: Vec<Measure>,
    /// Loads on bodies and speeds, in spec order.
    pub loads: Vec<Load>,
    /// Constraints, in spec order.
    pub constraints: Vec<Constraint>,
    /// Driven speeds, named by the key `driven` of the spec: independent where constraints leave a
    /// choice, and the ones whose accelerations `kinetostatics` takes. Empty if the spec names
    /// none.
    pub driven: Vec<SpeedId>,
    /// Events, in spec order.
    pub events: Vec<Event>,
    /// Outputs, in spec order.
    pub outputs: Vec<Output>,
    /// Named points fixed in the ground.
    pub ground_points: Vec<Point>,
    /// Definitions and prescribed coordinates of the spec, each after those that it uses.
    #[doc(hidden)]
    pub named_formulas: Vec<Arc<NamedFormula>>,
    /// Interpolation tables, in spec order.
    #[doc(hidden)]
    pub tables: Vec<Table>,
    /// Solids on bodies and on the ground, used by pictures and animations only.
    #[doc(hidden)]
    pub shapes: Vec<Shape>,
}

impl Mechanism {
    /// True if a parameter, coordinate, speed, state, input, table or named formula has this name.
    pub fn has_symbol(&self, name: &str) -> bool {
        self.parameters.iter().any(|x| x.name == name)
            || self.coordinates.iter().any(|x| x.name == name)
            || self.speeds.iter().any(|x| x.name == name)
            || self.states.iter().any(|x| x.name == name)
            || self.inputs.iter().any(|x| x.name == name)
            || self.tables.iter().any(|x| x.function.name == name)
            || self.named_formulas.iter().any(|x| x.name == name)
    }

    /// Number of coordinates `q`.
    pub fn nq(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of speeds `v`.
    pub fn nv(&self) -> usize {
        self.speeds.len()
    }

    /// Ids of all bodies, parents before children.
    pub fn body_ids(&self) -> impl DoubleEndedIterator<Item = BodyId> + ExactSizeIterator + Clone + use<> {
        BodyId::range(self.bodies.len())
    }

    /// Ids of all joints.
    pub fn joint_ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + Clone + use<> {
        JointId::range(self.joints.len())
    }

    /// Ids of all coordinates.
    pub fn coordinate_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = CoordinateId> + ExactSizeIterator + Clone + use<> {
        CoordinateId::range(self.nq())
    }

    /// Ids of all speeds.
    pub fn speed_ids(&self) -> impl DoubleEndedIterator<Item = SpeedId> + ExactSizeIterator + Clone + use<> {
        SpeedId::range(self.nv())
    }

    /// Ids of all parameters.
    pub fn parameter_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = ParameterId> + ExactSizeIterator + Clone + use<> {
        ParameterId::range(self.parameters.len())
    }

    /// Name of a speed as a part of longer names: the coordinate's name if the speed is called
    /// `…_dot` after it.
    pub fn speed_name_stem(&self, speed: SpeedId) -> &str {
        let name = &self.speeds[speed].name;
        speed_stem(
            name,
            |s| self.coordinates.iter().any(|c| c.name == s),
            |s| self.speeds.iter().any(|other| other.name == s),
        )
    }

    /// [Stems](Self::speed_name_stem) of all speeds, in one pass.
    pub fn speed_name_stems(&self) -> Vec<&str> {
        let coordinates: FxHashSet<&str> = self.coordinates.iter().map(|c| c.name.as_str()).collect();
        let speeds: FxHashSet<&str> = self.speeds.iter().map(|s| s.name.as_str()).collect();
        self.speeds
            .iter()
            .map(|speed| speed_stem(&speed.name, |s| coordinates.contains(s), |s| speeds.contains(s)))
            .collect()
    }

    /// Indices of the inputs that realise program constraints, in the order of the constraint rows.
    pub fn inputs_realising_constraints(&self) -> Vec<usize> {
        self.constraints
            .iter()
            .flat_map(|c| match &c.treatment {
                Treatment::Inputs(inputs) => inputs.clone(),
                Treatment::Multipliers | Treatment::Elimination(_) => Vec::new(),
            })
            .collect()
    }

    /// Parent body of a body; `None` if the ground carries it.
    pub fn parent_body(&self, body: BodyId) -> Option<BodyId> {
        self.joints[body.inboard_joint()].parent
    }

    /// Bodies on the path from `body` to the root of the tree, `body` first.
    pub fn path_to_root(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        std::iter::successors(Some(body), |b| self.parent_body(*b))
    }
}
