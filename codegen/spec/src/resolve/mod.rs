//! The stage `resolve`, from a spec to a mechanism: resolves names, fills in defaults, checks
//! everything.
//!
//! The steps run in order, and each reports all its problems: names, formulas and units, the tree,
//! numeric checks. A step is skipped if an earlier one failed in a way that would make its messages
//! mere consequences.

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
mod used_measures;

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

/// A table that formulas may call as a function, with the dimensions of argument and value.
#[derive(Clone)]
struct TableFunction {
    function: Arc<PiecewiseCubic>,
    x: Option<Dimension>,
    y: Option<Dimension>,
}

/// Source of an entry among the definitions: a definition of the spec, or the formula of a
/// prescribed coordinate.
#[derive(Clone)]
struct DefinitionSource {
    name: Name,
    value: Value,
    /// Dimension of the coordinate that the formula prescribes; `None` for a definition.
    prescribes: Option<Dimension>,
}

#[derive(Default)]
struct Used {
    parameters: Vec<bool>,
    definitions: Vec<bool>,
    tables: Vec<bool>,
    inputs: Vec<bool>,
}

/// State of the stage `resolve`: the spec, and the parts of the mechanism built so far. Each step
/// is a method in a file of its own.
struct Build<'s> {
    spec: &'s Spec,
    problems: Vec<Diagnostic>,
    /// Errors about motions without inertia. They are returned in `Resolved::massless`, not with
    /// the others: constraints may make them harmless, and functions that do not divide by M still
    /// work.
    massless: Vec<Diagnostic>,
    names: SymbolTable,
    used: Used,
    /// Id in the mechanism of each parameter of the spec.
    parameter_index: Vec<ParameterId>,
    /// Id in the mechanism of each body of the spec.
    body_index: Vec<BodyId>,
    /// Index of each body in the spec, by name.
    body_names: OrderedMap<String, usize>,
    joint_names: OrderedMap<String, usize>,
    tables: Vec<Option<TableFunction>>,
    /// Definitions of the spec, then formulas of prescribed coordinates.
    definition_sources: Vec<DefinitionSource>,
    definitions: Vec<Option<Typed>>,
    /// The named formulas among the definitions, each after those that it uses.
    named_formulas: Vec<Arc<NamedFormula>>,
    layouts: Vec<joint_layout::JointVariables>,
    /// Free coordinates so far. Their field `joint` is an index of the spec until the joints are
    /// renumbered in the order of the tree.
    coordinates: Vec<Coordinate>,
    speeds: Vec<Speed>,
    starts: Starts,
    /// Named points of each body of the spec.
    points: Vec<Vec<Point>>,
    ground_points: Vec<Point>,
    /// Measures used in formulas so far, in the order of first use.
    measures: Vec<used_measures::UsedMeasure>,
    /// Centre of mass of each body of the spec.
    centers: Vec<[Formula; 3]>,
    /// Drawing shapes, in the order of the bodies of the spec.
    shapes: Vec<Shape>,
    /// Operations of definitions, summed over all uses so far, to limit the size of expanded
    /// formulas.
    spent: usize,
    /// Rotation matrices of the spec with place and description, to be checked for orthogonality.
    matrices: Vec<(Span, String, Rotation)>,
    /// Every formula of the spec that is not just a number or a name: its place, its description in
    /// messages, and the resolved formula.
    resolved_formulas: Vec<(Option<Span>, String, Formula)>,
}

impl Build<'_> {
    /// Adds a diagnostic to the problems of the spec.
    fn report(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    /// The most similar name, for "did you mean" help. Not computed once there are very many
    /// messages, because it takes time.
    fn suggest_name<'n>(&self, word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        if self.problems.len() < topology::MAX_SUGGESTIONS { did_you_mean(word, names) } else { None }
    }

    /// True if an error has been reported, so that later steps are skipped.
    fn has_errors(&self) -> bool {
        self.problems.iter().any(|d| d.severity == Severity::Error)
    }
}

/// Runs the stage `resolve`: builds the mechanism that a spec describes.
///
/// # Errors
/// All problems of the spec, including those of reading it.
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
        resolved_formulas: Vec::new(),
    };
    match b.run_steps() {
        Some(mechanism) => {
            let warnings =
                Errors { sources: spec.sources.clone(), diagnostics: sort_problems(spec, b.problems) };
            let starts = evaluate_starts(b.starts, &mechanism);
            let places = spec.constraints.iter().map(constraint_place).collect();
            let origin = Origin { file: String::new(), hash: spec.hash() };
            let functions = spec.functions.clone();
            let accepted = spec.accept.iter().map(|code| code.value.clone()).collect();
            let massless = std::mem::take(&mut b.massless);
            Ok(Resolved { massless, mechanism, origin, starts, places, functions, accepted, warnings })
        }
        None => Err(Errors { sources: spec.sources.clone(), diagnostics: sort_problems(spec, b.problems) }),
    }
}

fn constraint_place(c: &spec::Constraint) -> ConstraintPlace {
    ConstraintPlace {
        name: c.name.span,
        dependent: c.dependent.as_ref().and_then(|d| d.span),
        realised_by: c.realised_by.as_ref().and_then(|r| r.span),
    }
}

/// Evaluates the initial values of coordinates and speeds at the default parameters, for assembly.
fn evaluate_starts(mut starts: Starts, m: &Mechanism) -> Starts {
    let p = numeric::parameter_values(&m.parameters, |_, default| default);
    let set = |all: &mut Vec<Given>, formulas: Vec<&Formula>| {
        all.iter_mut().zip(formulas).for_each(|(start, f)| start.value = numeric::evaluate_formula(f, &p));
    };
    set(&mut starts.coordinates, m.coordinates.iter().map(|c| &c.start).collect());
    set(&mut starts.speeds, m.speeds.iter().map(|v| &v.start).collect());
    starts
}

/// The problems in the order of the text, without consequences of others.
fn sort_problems(spec: &Spec, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // An index out of range also makes the name unknown; only the former is reported.
    let out_of_range: Vec<_> =
        problems.iter().filter(|d| d.code == "index-out-of-range").map(primary_span).collect();
    problems.retain(|d| !d.code.starts_with("unknown-") || !out_of_range.contains(&primary_span(d)));
    problems.sort_by_key(|d| spec.sources.position(primary_span(d)));
    problems
}

fn primary_span(d: &Diagnostic) -> Option<Span> {
    d.primary.as_ref().map(|p| p.span)
}

impl Build<'_> {
    /// Runs the steps of the stage `resolve`; `None` after an error.
    fn run_steps(&mut self) -> Option<Mechanism> {
        // If a section is missing, every name in it would be reported as unknown.
        if self.spec.broken.sections {
            return None;
        }
        self.declare_names();
        let tree = topology::order_bodies(self.spec, &mut self.problems);
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
        if self.has_errors() {
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
        self.renumber_joints();
        let mut mechanism = Mechanism {
            shapes: std::mem::take(&mut self.shapes),
            named_formulas: std::mem::take(&mut self.named_formulas),
            tables: self.tables_for_reports(),
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
        self.run_checks(&mut mechanism, &order);
        self.warn_unused();
        (!self.has_errors()).then_some(mechanism)
    }
}
