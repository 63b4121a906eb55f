//! `dqdt eval`: the equations at one state, computed by the interpreter after all simplification
//! passes. No symbolic engine is started.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};

use super::output;
use super::overrides::{self, Parameters};
use super::source::{Failure, SpecSource, formalism_parser};
use super::state_file::StateFile;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::base::first_free_name;
use dqdt_generate::inertia::split_defined_functions;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::declaration::{Declaration, EntryNames, Returns, Role, Vector};
use dqdt_graph::ir::{
    Arguments, Function, FunctionOutput, Layout, Machine, Program, ResultShape, Row, SingularPivot, Slot,
};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::Environment;
use dqdt_motion::simulate;
use dqdt_spec::spec::did_you_mean;
use dqdt_spec::spec::formula::read_quantity;

#[derive(Args)]
pub(super) struct Eval {
    #[command(flatten)]
    source: SpecSource,
    #[command(flatten)]
    parameters: Parameters,
    /// Formalism that derives the equations; by default kane up to 12 speeds and with constraints,
    /// else mixed
    #[arg(long, value_parser = formalism_parser())]
    formalism: Option<FormalismChoice>,
    /// JSON file with the state, `-` for standard input:
    /// {"t":0,"q":{name:value},"v":{},"u":{},"z":{},"p":{}}. Missing values come from the spec. The
    /// equations are evaluated at exactly this state; to satisfy the constraints, use `dqdt
    /// assemble` or `simulate --at`
    #[arg(long)]
    at: Option<PathBuf>,
    /// Also show these functions, separated by commas, such as
    /// `gravity,frame_jacobians,kinetostatics`; `dqdt emit --help` lists them. Accelerations,
    /// impulses and efforts for them are read from the file of --at as "dv":{speed:value},
    /// "impulse":{input:value} and "effort":{speed:value}, and are zero if missing, as are
    /// costates, "costate":{state:value}; contacts are on, except those with "on":{contact:0}
    #[arg(long, value_delimiter = ',', value_parser = super::emit::parse_function, value_name = "NAME")]
    functions: Vec<&'static Definition>,
    /// Kept for scripts: the forces and moments in the joints are always printed
    #[arg(long = "reactions", hide = true)]
    _reactions: bool,
}

impl Eval {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let at = StateFile::read_state_file(self.at.as_deref())?;
        let at = overrides::resolve_conflicts(at, &self.parameters.parameters, &[])?;
        let loaded = overrides::load_with_overrides(&self.source, &self.parameters)?;
        let choice = self.formalism.unwrap_or(FormalismChoice::Quick);
        let by_default = split_defined_functions(&loaded, &functions::defaults()).0;
        let formalism = pipeline::choose(&loaded, choice, &by_default).map_err(Failure::Spec)?;
        let (mut functions, undefined) = split_defined_functions(&loaded, &functions::for_eval());
        if !undefined.is_empty() {
            dqdt_diagnostics::tell!(
                "note: a motion of the mechanism has no inertia, so these functions are omitted: {}",
                undefined.join(", ")
            );
            // The rates of coordinates are defined without inertia, too.
            functions.push(functions::RATES);
        }
        let more: Vec<_> = self.functions.iter().filter(|f| !functions.contains(f)).copied().collect();
        functions.extend(more);
        pipeline::check_functions(&loaded, &functions).map_err(Failure::Spec)?;
        let program = pipeline::program_to_run(&loaded, formalism, &functions).map_err(Failure::Spec)?;
        for absent in
            self.functions.iter().filter(|f| program.function(f).is_none_or(|f| f.outputs.is_empty()))
        {
            let constrained =
                absent.name == functions::CONTACT_DYNAMICS.name && !loaded.mechanism.constraints.is_empty();
            let why = if constrained {
                ": the function is defined only for mechanisms without constraints"
            } else {
                ""
            };
            dqdt_diagnostics::tell!(
                "note: `{}` has no results for this mechanism (see docs/functions.md){why}",
                absent.name
            );
        }
        let mut arguments = Arguments::defaults(&program);
        match &at {
            None => super::start::print_start_note(&loaded),
            Some(StateFile { place, text, .. }) => {
                let place = place.display().to_string();
                read_state_arguments(text, &program.layout, &mut arguments)
                    .map_err(|message| Failure::Input { place, message })?;
                self.warn_unused_entries(text, &program);
                let named = super::start::named_entry_flags(text, &program.layout);
                simulate::complete_from_spec(&loaded.mechanism, &mut arguments, &named);
            }
        }
        super::start::print_violation_note(&loaded, &arguments);
        super::start::warn_violated_conditions(&program, &arguments);
        let mut result = evaluate_as_json(&program, &arguments, &self.functions).map_err(|e| {
            Failure::Input { place: self.source.spec.display().to_string(), message: e.to_string() }
        })?;
        add_acceleration_constraints(&loaded, &arguments, &mut result);
        nullify_undetermined_reactions(&loaded, &arguments, &mut result);
        let listed = program.functions.iter().filter(|f| {
            let name = f.declaration.name;
            is_function_shown(f, &self.functions) && result.get(name).is_some()
        });
        result["names"] = super::eval_names::list_entry_names(&program.layout, listed);
        output::print_to_stdout(&format!("{result:#}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Eval {
    /// Warns of accelerations, impulses and efforts in the file of `--at` that no requested
    /// function uses.
    fn warn_unused_entries(&self, text: &str, program: &Program) {
        let file: Value = serde_json::from_str(text).unwrap_or_default();
        let names = |key: &str| {
            file[key].as_object().map(|o| o.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
        };
        let driven: Vec<&str> =
            program.layout.driven_speeds.iter().map(|i| program.layout.v[*i].name.as_str()).collect();
        let whole = [Vector::Accelerations, Vector::IndependentAccelerations];
        let all = self.functions.iter().any(|f| whole.iter().any(|v| f.takes(*v)));
        let takes_driven = program.takes(Vector::DrivenAccelerations);
        for name in names("dv").iter().filter(|n| !(all || takes_driven && driven.contains(&n.as_str()))) {
            let help = match takes_driven {
                true => format!("the driven speeds are {}", driven.join(", ")),
                false => "add `--functions kinetostatics` to use accelerations".to_owned(),
            };
            dqdt_diagnostics::tell!("warning: `dv.{name}` is not used; {help}");
        }
        if !program.takes(Vector::Impulses) && !names("impulse").is_empty() {
            dqdt_diagnostics::tell!("warning: `impulse` is not used; add `--functions impact` to use it");
        }
        if !program.takes(Vector::Efforts) && !names("effort").is_empty() {
            dqdt_diagnostics::tell!(
                "warning: `effort` is not used; add `--functions solve_mass_matrix` to use it"
            );
        }
        if !program.takes(Vector::Costates) && !names("costate").is_empty() {
            dqdt_diagnostics::tell!(
                "warning: `costate` is not used; add `--functions dqdt_hessian` to use it"
            );
        }
    }
}

/// Reads the JSON of a state file (`--at`) into `arguments`. The error describes the first mistake.
pub(super) fn read_state_arguments(
    text: &str,
    layout: &Layout,
    arguments: &mut Arguments,
) -> Result<(), String> {
    let value = super::json::parse_json(text)?;
    let Value::Object(map) = value else {
        return Err("expected a JSON object such as {\"t\":0,\"q\":{\"name\":1.5}}".to_owned());
    };
    // A file that is no state at all: the message must not quote its content.
    if !map.is_empty() && !map.keys().any(|key| KEYS.contains(&key.as_str())) {
        return Err(format!("the text contains no key of a state; the keys are {}", KEYS[..11].join(", ")));
    }
    let state = [&layout.q[..], &layout.v, &layout.z].concat();
    for (key, value) in &map {
        let (slots, target): (&[Slot], &mut Vec<f64>) = match key.as_str() {
            "t" => {
                arguments.t = finite_number(value)
                    .ok_or_else(|| format!("`t` must be a number, not {}", quote_short(value)))?;
                continue;
            }
            "q" => (&layout.q, &mut arguments.q),
            "v" => (&layout.v, &mut arguments.v),
            "z" => (&layout.z, &mut arguments.z),
            "u" => (&layout.u, &mut arguments.u),
            "p" => (&layout.p, &mut arguments.p),
            "dv" => (&layout.v, &mut arguments.a),
            "impulse" => (&layout.u, &mut arguments.impulses),
            "effort" => (&layout.v, &mut arguments.efforts),
            "on" => (&layout.contacts, &mut arguments.contacts),
            "costate" => (&state, &mut arguments.costates),
            // Results in the output of `assemble --format json` that are not part of a state.
            "start" | "residuals" | "mobility" | "modes" | "starts" => continue,
            _ => {
                return Err(format!(
                    "unknown key `{key}`; the keys are t, q, v, u, z, p and, for functions that use them, dv, \
                     impulse, effort, on, costate"
                ));
            }
        };
        let Value::Object(entries) = value else {
            return Err(format!(
                "`{key}` must be an object that maps names to numbers, not {}",
                quote_short(value)
            ));
        };
        for (name, value) in entries {
            let index = slots.iter().position(|s| s.name == *name).ok_or_else(|| {
                let all: Vec<_> = slots.iter().map(|s| s.name.as_str()).collect();
                let near = did_you_mean(name, all.iter().copied());
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
                format!("`{key}` has no entry `{name}`; its entries are {all}{near}")
            })?;
            // Accelerations, impulses and efforts share slots with speeds and inputs but have other
            // units.
            let unit =
                matches!(key.as_str(), "q" | "v" | "z" | "u" | "p").then(|| slots[index].unit.as_str());
            let number = parse_state_entry(value, unit)
                .map_err(|why| format!("`{key}.{name}` must be {why}, not {}", quote_short(value)))?;
            if key == "on" && number != 0.0 && number != 1.0 {
                return Err(format!(
                    "`on.{name}` must be 1 for an active contact or 0 for an inactive one, not {}",
                    quote_short(value)
                ));
            }
            target[index] = number;
        }
    }
    Ok(())
}

/// Allowed keys of a state file (`--at`): the first eleven are those of a state, the others come
/// from `assemble --format json`.
const KEYS: [&str; 16] = [
    "t",
    "q",
    "v",
    "u",
    "z",
    "p",
    "dv",
    "impulse",
    "effort",
    "on",
    "costate",
    "start",
    "residuals",
    "mobility",
    "modes",
    "starts",
];
/// Maximum number of characters of a JSON value that a message quotes in full.
const SHORT: usize = 20;

/// JSON value for an error message: quoted if short, otherwise replaced by its type in words.
fn quote_short(value: &Value) -> String {
    let text = value.to_string();
    match value {
        _ if text.chars().count() <= SHORT => text,
        Value::String(_) => "a long text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => "this value".to_owned(),
    }
}

fn finite_number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|x| x.is_finite())
}

/// Parses a value of a state file: a number (SI, radians) or a string with a number and a unit,
/// such as `"30 deg"`.
///
/// # Errors
/// A description of the expected value.
fn parse_state_entry(value: &Value, unit: Option<&str>) -> Result<f64, String> {
    if let Some(x) = finite_number(value) {
        return Ok(x);
    }
    let (Some(text), Some(unit)) = (value.as_str(), unit) else { return Err("a number".to_owned()) };
    read_quantity(text, unit).ok_or_else(|| match unit {
        "1" => "a number".to_owned(),
        _ => format!("a number in {unit}, or a number with a unit of the same dimension"),
    })
}

/// JSON object of the values of these slots (coordinates, speeds …), by name.
pub(super) fn named_values(slots: &[Slot], values: &[f64]) -> Value {
    Value::Object(slots.iter().zip(values).map(|(s, x)| (s.name.clone(), json!(x))).collect::<Map<_, _>>())
}

/// JSON object with `null` under the name of each slot.
fn null_entries(slots: &[Slot]) -> Value {
    Value::Object(slots.iter().map(|s| (s.name.clone(), Value::Null)).collect())
}

/// Results of a program at one point, as the JSON that `dqdt eval` prints.
///
/// `extra`: functions to include although their declaration does not set `in_eval`.
pub fn evaluate_as_json(
    program: &Program,
    a: &Arguments,
    extra: &[&'static Definition],
) -> Result<Value, SingularPivot> {
    let layout = &program.layout;
    let call = |f: &Function| Machine::from_function(program, f).call(a).map(<[f64]>::to_vec);
    let (nq, nv) = (layout.q.len(), layout.v.len());
    let mut result = Map::new();
    result.insert("t".to_owned(), json!(a.t));
    for f in program.functions.iter().filter(|f| is_function_shown(f, extra)) {
        let values = call(f)?;
        if f.declaration.role == Some(Role::StateDerivative) {
            result.insert("qdot".to_owned(), named_values(&layout.q, &values[..nq]));
            result.insert("vdot".to_owned(), named_values(&layout.v, &values[nq..nq + nv]));
            result.insert("zdot".to_owned(), named_values(&layout.z, &values[nq + nv..]));
        } else {
            result.insert(f.declaration.name.to_owned(), results_as_json(f, &values));
        }
    }
    if program.with_role(Role::StateDerivative).is_none()
        && let Some(rates) = program.with_role(Role::Rates)
    {
        result.insert("qdot".to_owned(), named_values(&layout.q, &call(rates)?));
        result.insert("vdot".to_owned(), null_entries(&layout.v));
        result.insert("zdot".to_owned(), null_entries(&layout.z));
    }
    // A mechanism without outputs has an empty object here.
    result.entry(functions::OUTPUTS.name).or_insert_with(|| json!({}));
    if !layout.velocity_rows.is_empty() {
        let determined = result.get(functions::MULTIPLIERS.name).cloned().unwrap_or_default();
        result.insert(functions::MULTIPLIERS.name.to_owned(), multipliers_of_all_rows(layout, &determined));
        let level = |role: Role, rows: &[Row]| -> Result<Value, SingularPivot> {
            let values = program.with_role(role).map_or(Ok(Vec::new()), call)?;
            Ok(object_with_numbered_keys(rows.iter().zip(values).map(|(r, x)| (r.name.clone(), json!(x)))))
        };
        let position = level(Role::PositionConstraints, &layout.position_rows)?;
        let velocity = level(Role::VelocityConstraints, &layout.velocity_rows)?;
        result.insert("constraints".to_owned(), json!({ "position": position, "velocity": velocity }));
    }
    Ok(Value::Object(result))
}

/// Builds a JSON object. Repeated keys get a number, as in emitted code: `a_b_c` may be the point
/// `b_c` of `a` or `c` of `a_b`.
fn object_with_numbered_keys(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    let mut all = Map::new();
    for (name, value) in entries {
        let unique = first_free_name(&name, |n| all.contains_key(n));
        all.insert(unique, value);
    }
    Value::Object(all)
}

/// True if `dqdt eval` prints the results of the function: by its declaration, or requested in
/// `extra`.
fn is_function_shown(f: &Function, extra: &[&'static Definition]) -> bool {
    let is_requested = extra.iter().any(|b| b.declaration == *f.declaration) && !f.outputs.is_empty();
    f.declaration.in_eval || is_requested
}

/// Results of a function as JSON: an array, or an object with one entry per output.
fn results_as_json(f: &Function, values: &[f64]) -> Value {
    let mut rest = values;
    let mut outputs = f.outputs.iter().map(|o| {
        let (entries, next) = rest.split_at(o.nodes.len());
        rest = next;
        (o.name.clone(), output_as_json(f.declaration, o, entries))
    });
    match f.declaration.returns {
        Returns::Struct { .. } | Returns::Joint(_) => object_with_numbered_keys(outputs),
        Returns::Array { .. } | Returns::Limited { .. } => outputs.next().map(|(_, value)| value).into(),
    }
}

/// Value of one output as a JSON number, list or nested list by its shape; as an object if it has
/// several named groups.
fn output_as_json(declaration: &Declaration, output: &FunctionOutput, values: &[f64]) -> Value {
    match (output.shape, declaration.entries_of(output)) {
        (ResultShape::Scalar, _) => json!(values[0]),
        (ResultShape::Vector(_), EntryNames::Groups(parts)) if parts.len() > 1 => {
            let mut rest = values;
            let parts = parts.iter().map(|part| {
                let (entries, next) = rest.split_at(part.entries.len().min(rest.len()));
                rest = next;
                (part.name.to_owned(), json!(entries))
            });
            Value::Object(parts.collect())
        }
        (ResultShape::Vector(_), _) => json!(values),
        (ResultShape::Matrix(_, columns), _) => json!(values.chunks(columns.max(1)).collect::<Vec<_>>()),
    }
}

/// Adds the constraints at acceleration level, `A v̇ = γ`, to the output of `dqdt eval`: the
/// Jacobian A by row and speed, and γ without stabilisation; also γ with stabilisation if a
/// constraint has any.
fn add_acceleration_constraints(loaded: &Assembled, a: &Arguments, result: &mut Value) {
    let Some(constraints) = result.get_mut("constraints").and_then(Value::as_object_mut) else { return };
    let m = &loaded.mechanism;
    let manifold = simulate::constraint_manifold(loaded, a);
    let rows = manifold.constraint_rows(a.t, &a.q, &a.v);
    let by_row = |value: &dyn Fn(&ConstraintRow<f64>) -> Value| -> Value {
        object_with_numbered_keys(rows.iter().map(|r| (r.name.clone(), value(r))))
    };
    let jacobian = by_row(&|r| {
        Value::Object(m.speeds.iter().zip(&r.jacobian).map(|(s, x)| (s.name.clone(), json!(x))).collect())
    });
    constraints.insert("jacobian".to_owned(), jacobian);
    constraints.insert("gamma".to_owned(), by_row(&|r| json!(r.gamma)));
    if m.constraints.iter().any(|c| c.stabilisation.is_some()) {
        let stabilised =
            by_row(&|r| manifold.with_environment(a.t, &a.q, &a.v, |env| json!(r.stabilised_gamma(m, env))));
        constraints.insert("gamma_stabilised".to_owned(), stabilised);
    }
}

/// Sets components of reactions in the output of `dqdt eval` to `null` where the motion does not
/// determine them.
fn nullify_undetermined_reactions(loaded: &Assembled, a: &Arguments, result: &mut Value) {
    let m = &loaded.mechanism;
    let open = simulate::constraint_manifold(loaded, a).with_environment(a.t, &a.q, &a.v, |env| {
        formalism::undetermined_reactions(m, &Environment { partition: &loaded.partition, ..*env })
    });
    for (joint, open) in m.joints.iter().zip(&open.components) {
        for (i, _) in open.iter().enumerate().filter(|(_, open)| **open) {
            let kind = ["force", "moment"][i / 3];
            let of_motion = format!("reaction_{}", joint.name);
            for (function, joint) in [
                (functions::REACTIONS.name, &joint.name),
                (functions::KINETOSTATICS.name, &of_motion),
                (functions::IMPACT.name, &of_motion),
            ] {
                let wrench = result.get_mut(function).and_then(|all| all.get_mut(joint));
                if let Some(value) = wrench.and_then(|w| w.get_mut(kind)).and_then(|w| w.get_mut(i % 3)) {
                    *value = Value::Null;
                }
            }
        }
    }
}

/// JSON object of the multipliers of all velocity rows by name; `null` where the motion does not
/// determine the reaction.
fn multipliers_of_all_rows(layout: &Layout, known: &Value) -> Value {
    let mut rows =
        object_with_numbered_keys(layout.velocity_rows.iter().map(|r| (r.name.clone(), Value::Null)));
    for (name, value) in rows.as_object_mut().into_iter().flatten() {
        *value = known.get(name).cloned().unwrap_or_default();
    }
    rows
}
