//! The stage `resolve`, from a spec to a mechanism: names resolved, defaults filled in, everything checked.
//!
//! The stages run in order and each reports all that it finds: names, formulas and units, the tree, then what needs
//! numbers. A later stage is left out when an earlier one failed and its messages would only be consequences.

mod asked;
mod bodies;
mod checks;
mod closing;
mod constraints;
mod dimension;
mod events;
mod finite;
mod formulas;
mod functions;
mod ground_angles;
mod inertia;
mod inputs;
mod joint_layout;
mod joint_limits;
mod joint_parts;
mod joints;
mod laws;
mod line_bodies;
mod linear;
mod loads;
mod massless;
mod measures;
mod names;
mod numeric;
mod order;
mod parameters;
mod places;
mod resolve_name;
mod rotors;
mod shapes;
mod starts;
mod topology;
mod turns;
mod typed;

use std::sync::Arc;

use dqdt_mechanics::mechanism::{
    BodyId, ConstraintPlace, Coordinate, Formula, Given, Mechanism, NamedFormula, Origin, ParameterId, Point,
    Rotation, Shape, Speed, Starts,
};

use crate::spec::{self, Name, Spec, Value, did_you_mean};
use dqdt_algebra::{Dimension, PiecewiseCubic};
use dqdt_diagnostics::base::{OrderedMap, Span};
use dqdt_diagnostics::error::{Diagnostic, Errors, Severity};
pub use dqdt_mechanics::mechanism::Resolved;
use names::SymbolTable;
use typed::Typed;

/// A table that formulas may call.
#[derive(Clone)]
struct TableFunction {
    function: Arc<PiecewiseCubic>,
    x: Option<Dimension>,
    y: Option<Dimension>,
}

/// A formula with a name.
#[derive(Clone)]
struct Definition {
    name: Name,
    value: Value,
    /// For a prescribed coordinate: its dimension.
    prescribes: Option<Dimension>,
}

#[derive(Default)]
struct Used {
    parameters: Vec<bool>,
    definitions: Vec<bool>,
    tables: Vec<bool>,
    inputs: Vec<bool>,
}

/// What is known while a mechanism is built.
struct Build<'s> {
    spec: &'s Spec,
    problems: Vec<Diagnostic>,
    /// Motions without inertia.
    massless: Vec<Diagnostic>,
    names: SymbolTable,
    used: Used,
    /// The id of each parameter of the spec.
    parameter_index: Vec<ParameterId>,
    /// The id of each body of the spec.
    body_index: Vec<BodyId>,
    /// Position in the spec by name.
    body_names: OrderedMap<String, usize>,
    joint_names: OrderedMap<String, usize>,
    tables: Vec<Option<TableFunction>>,
    /// Definitions, then prescribed coordinates.
    definition_sources: Vec<Definition>,
    definitions: Vec<Option<Typed>>,
    /// Those of them that are more than a number, each behind those that it needs.
    named_formulas: Vec<Arc<NamedFormula>>,
    layouts: Vec<joint_layout::JointVariables>,
    /// Joints are numbered as in the spec until `number_joints`.
    coordinates: Vec<Coordinate>,
    speeds: Vec<Speed>,
    starts: Starts,
    /// Points of each body of the spec.
    points: Vec<Vec<Point>>,
    ground_points: Vec<Point>,
    /// What formulas measure of frames, in the order in which they were met.
    measures: Vec<asked::Asked>,
    /// Centre of mass of each body of the spec.
    centers: Vec<[Formula; 3]>,
    /// In the order of the bodies of the spec.
    shapes: Vec<Shape>,
    /// Operations that uses of definitions have stood for.
    spent: usize,
    /// Rotation matrices that the spec gives, for the check that they are rotations.
    matrices: Vec<(Span, String, Rotation)>,
    /// Every formula of the spec that is more than a number or a name, with what it is of.
    written: Vec<(Option<Span>, String, Formula)>,
}

impl Build<'_> {
    fn report(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    /// The name that was meant, as long as somebody reads the answer.
    fn suggest<'n>(&self, word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        if self.problems.len() < topology::MAX_SUGGESTIONS { did_you_mean(word, names) } else { None }
    }

    fn failed(&self) -> bool {
        self.problems.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Builds the mechanism that a spec describes.
///
/// # Errors
/// All that is wrong with the spec, what reading it found included.
pub fn resolve(spec: &Spec) -> Result<Resolved, Errors> {
    let mut b = Build {
        spec,
        problems: spec.problems.clone(),
        massless: Vec::new(),
        names: SymbolTable::default(),
        used: Used {
            parameters: vec![false; spec.parameters.len()],
            definitions: Vec::new(),
            tables: vec![false; spec.tables.len()],
            inputs: vec![false; spec.inputs.len()],
        },
        parameter_index: Vec::new(),
        body_index: Vec::new(),
        body_names: spec.bodies.iter().enumerate().map(|(i, x)| (x.name.value.clone(), i)).collect(),
        joint_names: spec.joints.iter().enumerate().map(|(i, x)| (x.name.value.clone(), i)).collect(),
        tables: Vec::new(),
        definition_sources: Vec::new(),
        definitions: Vec::new(),
        named_formulas: Vec::new(),
        layouts: Vec::new(),
        coordinates: Vec::new(),
        speeds: Vec::new(),
        starts: Starts::default(),
        points: Vec::new(),
        ground_points: Vec::new(),
        centers: Vec::new(),
        shapes: Vec::new(),
        measures: Vec::new(),
        spent: 0,
        matrices: Vec::new(),
        written: Vec::new(),
    };
    match b.run() {
        Some(mechanism) => {
            let warnings = Errors { sources: spec.sources.clone(), diagnostics: sorted(spec, b.problems) };
            let starts = with_values(b.starts, &mechanism);
            let place = |c: &spec::Constraint| ConstraintPlace {
                name: c.name.span,
                dependent: c.dependent.as_ref().and_then(|d| d.span),
                realised_by: c.realised_by.as_ref().and_then(|r| r.span),
            };
            let places = spec.constraints.iter().map(place).collect();
            let origin = Origin { file: String::new(), hash: spec.hash() };
            let functions = spec.functions.clone();
            let accepted = spec.accept.iter().map(|code| code.value.clone()).collect();
            let massless = std::mem::take(&mut b.massless);
            Ok(Resolved { massless, mechanism, origin, starts, places, functions, accepted, warnings })
        }
        None => Err(Errors { sources: spec.sources.clone(), diagnostics: sorted(spec, b.problems) }),
    }
}

/// Starts with their values at the default parameters.
fn with_values(mut starts: Starts, m: &Mechanism) -> Starts {
    let p = numeric::parameters(&m.parameters, |_, default| default);
    let set = |all: &mut Vec<Given>, formulas: Vec<&Formula>| {
        all.iter_mut().zip(formulas).for_each(|(given, f)| given.value = numeric::evaluate(f, &p));
    };
    set(&mut starts.coordinates, m.coordinates.iter().map(|c| &c.start).collect());
    set(&mut starts.speeds, m.speeds.iter().map(|v| &v.start).collect());
    starts
}

fn sorted(spec: &Spec, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // An indexed name that is out of range is unknown too; that is said once, where the index is known.
    let place = |d: &Diagnostic| d.primary.as_ref().map(|p| p.span);
    let told: Vec<_> = problems.iter().filter(|d| d.code == "index-out-of-range").map(place).collect();
    problems.retain(|d| !d.code.starts_with("unknown-") || !told.contains(&place(d)));
    problems.sort_by_key(|d| spec.sources.position(d.primary.as_ref().map(|p| p.span)));
    problems
}

impl Build<'_> {
    fn run(&mut self) -> Option<Mechanism> {
        // With a section missing every name would be unknown.
        if self.spec.broken.sections {
            return None;
        }
        self.declare();
        let tree = topology::tree(self.spec, &mut self.problems);
        let order = tree.unwrap_or_else(|| (0..self.spec.bodies.len()).collect());
        self.body_index = vec![BodyId(0); order.len()];
        for (new, old) in BodyId::enumerate(&order) {
            self.body_index[*old] = new;
        }
        self.build_tables();
        self.build_definitions();
        let parameters = self.build_parameters();
        self.build_starts();
        let mut bodies = self.build_bodies();
        let joints = self.build_joints();
        let gravity = self.build_gravity();
        let inputs = self.build_inputs();
        let states = self.build_states();
        let loads = self.build_loads();
        let constraints = self.build_constraints();
        let driven = self.build_driven();
        let events = self.build_events();
        let outputs = self.build_outputs();
        let measures = self.build_measures();
        if self.failed() {
            return None;
        }
        let mut by_child: Vec<Option<_>> = vec![None; bodies.len()];
        for (joint, spec) in joints.into_iter().zip(&self.spec.joints) {
            let child = *self.body_names.get(&spec.child.body.value)?;
            by_child[self.body_index[child]] = Some(joint);
        }
        let mut taken: Vec<Option<_>> = bodies.drain(..).map(Some).collect();
        let bodies = order.iter().map(|i| taken[*i].take()).collect::<Option<Vec<_>>>()?;
        let joints = by_child.into_iter().collect::<Option<Vec<_>>>()?;
        self.number_joints();
        let mut mechanism = Mechanism {
            shapes: std::mem::take(&mut self.shapes),
            named_formulas: std::mem::take(&mut self.named_formulas),
            tables: self.listed_tables(),
            name: self.spec.name.value.clone(),
            description: self.spec.description.clone(),
            parameters,
            coordinates: std::mem::take(&mut self.coordinates),
            speeds: std::mem::take(&mut self.speeds),
            inputs,
            states,
            bodies,
            joints,
            gravity,
            measures,
            loads,
            constraints,
            driven,
            events,
            outputs,
            ground_points: std::mem::take(&mut self.ground_points),
        };
        self.check(&mut mechanism, &order);
        self.warn_unused();
        (!self.failed()).then_some(mechanism)
    }
}
