//! A mechanism: all its parts.

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

/// A mechanism with every name resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Mechanism {
    /// A valid identifier.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// In spec order.
    pub parameters: Vec<Parameter>,
    /// In spec order.
    pub coordinates: Vec<Coordinate>,
    /// In spec order.
    pub speeds: Vec<Speed>,
    /// In spec order.
    pub inputs: Vec<Input>,
    /// User states, in spec order.
    pub states: Vec<State>,
    /// Parents before children.
    pub bodies: Vec<Body>,
    /// `joints[i]` is the inboard joint of `bodies[i]`.
    pub joints: Vec<Joint>,
    /// Uniform gravity in ground axes [m/s²]; constants, parameters and `t` only.
    pub gravity: [Formula; 3],
    /// What formulas measure of frames.
    pub measures: Vec<Measure>,
    /// In spec order.
    pub loads: Vec<Load>,
    /// In spec order.
    pub constraints: Vec<Constraint>,
    /// Speeds whose accelerations are given where a motion is, as the spec names them; empty if it names none.
    pub driven: Vec<SpeedId>,
    /// In spec order.
    pub events: Vec<Event>,
    /// In spec order.
    pub outputs: Vec<Output>,
    /// Named points of the ground.
    pub ground_points: Vec<Point>,
    /// Definitions and prescribed coordinates, each behind those that it needs.
    #[doc(hidden)]
    pub named_formulas: Vec<Arc<NamedFormula>>,
    /// Functions through points, in spec order.
    #[doc(hidden)]
    pub tables: Vec<Table>,
    /// What bodies look like.
    #[doc(hidden)]
    pub shapes: Vec<Shape>,
}

impl Mechanism {
    /// True if a parameter, coordinate, speed, state, input, table or formula has this name.
    pub fn is_symbol(&self, name: &str) -> bool {
        self.parameters.iter().any(|x| x.name == name)
            || self.coordinates.iter().any(|x| x.name == name)
            || self.speeds.iter().any(|x| x.name == name)
            || self.states.iter().any(|x| x.name == name)
            || self.inputs.iter().any(|x| x.name == name)
            || self.tables.iter().any(|x| x.function.name == name)
            || self.named_formulas.iter().any(|x| x.name == name)
    }

    /// Number of coordinates.
    pub fn nq(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of speeds.
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

    /// A speed in names that are put together: as the coordinate where it is called `…_dot` after one.
    pub fn stem_of_speed(&self, speed: SpeedId) -> &str {
        let name = &self.speeds[speed].name;
        let is_coordinate = |s: &str| self.coordinates.iter().any(|c| c.name == s);
        speed_stem(name, is_coordinate, |s| self.speeds.iter().any(|other| other.name == s))
    }

    /// The [stems](Self::stem_of_speed) of all speeds, for loops over pairs of them.
    pub fn stems_of_speeds(&self) -> Vec<&str> {
        let coordinates: FxHashSet<&str> = self.coordinates.iter().map(|c| c.name.as_str()).collect();
        let speeds: FxHashSet<&str> = self.speeds.iter().map(|s| s.name.as_str()).collect();
        let stem = |name| speed_stem(name, |s| coordinates.contains(s), |s| speeds.contains(s));
        self.speeds.iter().map(|s| stem(&s.name)).collect()
    }

    /// The inputs that realise constraints, in the order of their rows.
    pub fn realising_inputs(&self) -> Vec<usize> {
        let of = |t: &Treatment| match t {
            Treatment::Inputs(inputs) => inputs.clone(),
            Treatment::Multipliers | Treatment::Elimination(_) => Vec::new(),
        };
        self.constraints.iter().flat_map(|c| of(&c.treatment)).collect()
    }

    /// The parent of a body; `None`: the ground.
    pub fn parent(&self, body: BodyId) -> Option<BodyId> {
        self.joints[body.inboard_joint()].parent
    }

    /// The bodies from `body` to the root, `body` first.
    pub fn path(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        std::iter::successors(Some(body), |b| self.parent(*b))
    }
}
