//! Functions for one state of arrays by coordinate, and the kernels that call them.

use std::fmt::Write as _;

use super::super::c::names::CNames;
use super::super::c::steps::{NORMALISE, keep_marked_lines};
use super::super::c::support::cuda_function;
use super::super::c::text::{line_comment, statement_line};
use dqdt_graph::ir::declaration::{Returns, Role};
use dqdt_graph::ir::{Function, Program, ResultShape};
use dqdt_print::code::result_arguments::result_argument_names;

/// Access to the entries of one state.
pub const ROWS: &str = include_str!("support/rows.cuh");
const ROLLOUT: &str = include_str!("support/rollout.cuh");

/// Scalar types for which kernels are emitted, with the suffixes of their names.
const SCALARS: [(&str, &str); 2] = [("float", "f32"), ("double", "f64")];

/// Introduction of a header: its use.
pub fn usage_text(program: &Program, names: &CNames) -> String {
    let p = &names.prefix;
    let mut text = format!(
        "Equations of motion of {p} for CUDA, and for C++14 without it.\n\n\
         The functions in namespace {p} are for one state, on the device or on the host. Arrays are pointers, \
         or rows as in the kernels; an array of results must not be one of the arguments. They return what emitted C \
         returns: 0 on success, otherwise a verdict, with results of zero. They are inlined where they are called.\n\n\
         The kernels {p}_…_f32 and {p}_…_f64 take n states, one thread a state. Arrays are stored by coordinate: \
         entry i of state k is at [i * leading + k], where leading is at least n. Matrices are in row-major order. \
         Without CUDA the kernels are functions that loop over the states.\n\n\
         The model is passed by value: make it on the host by model_init, from default_params or parameters of your own. \
         Define DQDT_FAST_SINE for the sines and cosines of the device, which are faster in float and have errors of \
         up to 2^-21. Compile with -fmad=false (or, as C++, -ffp-contract=off) for the bits of emitted C."
    );
    if !program.description.is_empty() {
        text = format!("{}\n\n{text}", program.description);
    }
    text
}

/// A result of a function: its name in a kernel, and the local that holds it for one state.
struct Rows {
    pointer: String,
    /// `None` if the function stores the result itself.
    local: Option<String>,
    is_flags: bool,
}

/// A function as a kernel sees it.
struct KernelFunction<'a> {
    function: &'a Function,
    /// Argument arrays, and whether they have entries.
    inputs: Vec<(&'static str, bool)>,
    /// Declarations of the locals that receive results.
    locals: Vec<String>,
    /// Arguments of the call that receive results.
    places: Vec<String>,
    results: Vec<Rows>,
}

impl<'a> KernelFunction<'a> {
    fn new(program: &Program, names: &CNames, function: &'a Function) -> Self {
        let d = function.declaration;
        let inputs = (d.arguments.iter())
            .map(|a| {
                let is_empty = a.vector.slots(&program.layout).is_empty();
                (a.name, !is_empty)
            })
            .collect();
        let (mut locals, mut places, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for ((part, outputs), place) in function.results().into_iter().zip(result_argument_names(d)) {
            let local = format!("own_{place}");
            let is_empty = outputs.iter().all(|o| o.nodes.is_empty());
            let mut push = |pointer: String, local: Option<String>, is_flags| {
                results.push(Rows { pointer, local, is_flags });
            };
            match part.returns {
                Returns::Array { .. } | Returns::Limited { .. } if is_empty => {
                    places.push("nullptr".to_owned());
                    places.extend(
                        matches!(part.returns, Returns::Limited { .. }).then(|| "nullptr".to_owned()),
                    );
                }
                Returns::Array { dims: [_], .. } => {
                    places.push(format!("ResultRows<Real>{{{place}, k, leading}}"));
                    push(place.to_owned(), None, false);
                }
                Returns::Array { dims, .. } => {
                    let lengths: String =
                        dims.iter().map(|v| format!("[{}]", names.length_constant(*v))).collect();
                    locals.push(format!("Real {local}{lengths};"));
                    places.push(local.clone());
                    push(place.to_owned(), Some(local), false);
                }
                Returns::Limited { of: argument } => {
                    let length = names.length_constant(argument.vector);
                    locals.push(format!("Real {local}[{length}];"));
                    locals.push(format!("int own_acted[{length}];"));
                    places.extend([local.clone(), "own_acted".to_owned()]);
                    push(place.to_owned(), Some(local), false);
                    push("acted".to_owned(), Some("own_acted".to_owned()), true);
                }
                Returns::Struct { name, .. } => {
                    locals.push(format!("{} {local};", names.result_struct_name(name)));
                    places.push(format!("&{local}"));
                    let fields = names.result_field_names(outputs);
                    for (o, field) in outputs.iter().zip(fields).filter(|(o, _)| !o.nodes.is_empty()) {
                        let (pointer, member) = (format!("{place}_{field}"), format!("{local}.{field}"));
                        let member = match o.shape {
                            // A reference to an array of one entry.
                            ResultShape::Scalar => format!("reinterpret_cast<const Real (&)[1]>({member})"),
                            ResultShape::Vector(_) | ResultShape::Matrix(..) => member,
                        };
                        push(pointer, Some(member), false);
                    }
                }
                Returns::Joint(_) => {}
            }
        }
        KernelFunction { function, inputs, locals, places, results }
    }

    fn name(&self) -> &'static str {
        self.function.declaration.name
    }

    /// Parameters of the function for one state and of the kernel, after the model, the time and
    /// the place.
    fn array_parameters(&self, real: &str) -> Vec<String> {
        let inputs = self.inputs.iter().map(|(name, _)| format!("const {real} *{name}"));
        let results = self.results.iter().map(|rows| {
            let of_type = if rows.is_flags { "int" } else { real };
            format!("{of_type} *{}", rows.pointer)
        });
        let verdicts = self.function.is_fallible().then(|| "int *verdicts".to_owned());
        inputs.chain(results).chain(verdicts).collect()
    }

    fn array_arguments(&self) -> Vec<&str> {
        let inputs = self.inputs.iter().map(|(name, _)| *name);
        let results = self.results.iter().map(|rows| rows.pointer.as_str());
        inputs.chain(results).chain(self.function.is_fallible().then_some("verdicts")).collect()
    }
}

/// Functions of one state in arrays by coordinate, one for each emitted function.
pub fn state_functions(program: &Program, names: &CNames) -> String {
    let mut out = String::new();
    for (_, f) in program.emitted() {
        let kernel = KernelFunction::new(program, names, f);
        let name = kernel.name();
        let about = line_comment(&format!("{name} of state k. verdicts may be NULL."), 0);
        let about = if f.is_fallible() { about } else { line_comment(&format!("{name} of state k."), 0) };
        let _ = write!(out, "\n{about}template <class Real>\nDQDT_FUNCTION void {name}_of_state(\n    ");
        let mut parameters =
            ["const Model<Real> *model", "Real t", "int k", "int leading"].map(str::to_owned).to_vec();
        parameters.extend(kernel.array_parameters("Real"));
        let _ = writeln!(out, "{}) {{", parameters.join(", "));
        kernel.locals.iter().for_each(|local| out.push_str(&format!("    {local}\n")));
        let arguments = kernel.inputs.iter().map(|(argument, has_entries)| match has_entries {
            true => format!("Rows<Real>{{{argument}, k, leading}}"),
            false => (*argument).to_owned(),
        });
        let places = kernel.places.iter().map(|place| match place.as_str() {
            "nullptr" => "static_cast<Real *>(nullptr)".to_owned(),
            place => place.to_owned(),
        });
        let arguments: Vec<String> = arguments.chain(places).collect();
        // Qualified, because a result may have the name of its function.
        let call = format!("{}::{name}(model, t, {})", names.prefix, arguments.join(", "));
        let text = if f.is_fallible() { format!("const int verdict = {call};") } else { format!("{call};") };
        out.push_str(&statement_line(&text, 4));
        for rows in &kernel.results {
            let Some(local) = &rows.local else { continue };
            let of_type = if rows.is_flags { "int" } else { "Real" };
            let _ = writeln!(
                out,
                "    store_rows({local}, ResultRows<{of_type}>{{{}, k, leading}});",
                rows.pointer
            );
        }
        if f.is_fallible() {
            out.push_str("    if (verdicts) verdicts[k] = verdict;\n");
        }
        if kernel.inputs.iter().all(|(_, has_entries)| !has_entries) && kernel.results.is_empty() {
            out.push_str("    (void)k;\n    (void)leading;\n");
        }
        out.push_str("}\n");
    }
    out
}

/// True if the header has rollouts: the mechanism has states, and `dqdt` is emitted.
fn has_rollouts(program: &Program) -> bool {
    let l = &program.layout;
    program.with_role(Role::StateDerivative).is_some()
        && !(l.q.is_empty() && l.v.is_empty() && l.z.is_empty())
}

fn has_rates(program: &Program) -> bool {
    program.with_role(Role::Rates).is_some() && !program.layout.q.is_empty()
}

/// Methods of integration: their types in the header and the words in the names of kernels.
fn methods(program: &Program) -> Vec<(&'static str, &'static str)> {
    let euler = has_rates(program).then_some(("SemiImplicitEuler", "semi_implicit_euler"));
    [("Rk4", "rk4")].into_iter().chain(euler).collect()
}

/// Templates of rollouts, and of parameters by sample; empty without `dqdt`.
pub fn rollout_functions(program: &Program) -> String {
    if !has_rollouts(program) {
        return String::new();
    }
    let l = &program.layout;
    let mut out = String::from("\n");
    let mut project = String::new();
    if !l.quaternions.is_empty() {
        out.push_str(&cuda_function(&NORMALISE.replace("$P_", "")));
        out.push('\n');
        l.quaternions.iter().for_each(|start| project.push_str(&format!("    normalise(x + {start});\n")));
    } else {
        project.push_str("    (void)x;\n");
    }
    let _ = write!(
        out,
        "// Normalises the quaternions of a state.\ntemplate <class Real>\nDQDT_FUNCTION void project(Real *x) {{\n{project}}}\n\n"
    );
    let text = keep_marked_lines(ROLLOUT, &|mark| match mark {
        "inputs" => !l.u.is_empty(),
        "no inputs" => l.u.is_empty(),
        _ => has_rates(program),
    });
    out.push_str(&text);
    out
}

/// Function that makes a model of the parameters of one sample, and one for a single model.
fn parameter_functions(names: &CNames) -> String {
    let loads: String = (names.parameters.iter().enumerate())
        .map(|(i, field)| format!("    params.{field} = from[{i}LL * leading + k];\n"))
        .collect();
    let single = "\n// Makes a model of parameters, those of the spec if they are NULL.\ntemplate <class Real>\n\
         DQDT_FUNCTION void make_model(const Real *params, Model<Real> *model) {\n    \
         const Params<Real> defaults = default_params<Real>();\n    \
         if (params) *model = model_of_sample(params, 0, 1);\n    else model_init(model, &defaults);\n}\n";
    let loads = if loads.is_empty() {
        "    (void)from;\n    (void)k;\n    (void)leading;\n    params.none = Real(0.0);\n".to_owned()
    } else {
        loads
    };
    format!(
        "\n// The model of sample k, whose parameters are rows of an array.\ntemplate <class Real>\n\
         DQDT_FUNCTION Model<Real> model_of_sample(const Real *from, int k, int leading) {{\n    Params<Real> params;\n{loads}    \
         Model<Real> model;\n    model_init(&model, &params);\n    return model;\n}}\n{single}"
    )
}

/// Kernels of all functions and of rollouts for a scalar type and its suffix.
fn kernels_of_scalar(program: &Program, names: &CNames, (real, suffix): (&str, &str)) -> String {
    let p = &names.prefix;
    let has_parameters = !names.parameters.is_empty() && has_rollouts(program);
    let mut out = String::new();
    for (_, f) in program.emitted() {
        let kernel = KernelFunction::new(program, names, f);
        let name = kernel.name();
        let mut parameters = vec![
            format!("const {p}::Model<{real}> model"),
            format!("{real} t"),
            "int n, int leading".to_owned(),
        ];
        parameters.extend(kernel.array_parameters(real));
        let arguments = kernel.array_arguments().join(", ");
        let _ = writeln!(
            out,
            "DQDT_KERNEL void {p}_{name}_{suffix}(\n    {}) {{\n    DQDT_EACH(k, n) {p}::{name}_of_state(&model, t, k, leading, {arguments});\n}}\n",
            parameters.join(", ")
        );
    }
    let _ = writeln!(
        out,
        "DQDT_KERNEL void {p}_model_{suffix}(const {real} *params, {p}::Model<{real}> *model) {{\n    {p}::make_model(params, model);\n}}\n"
    );
    if has_rollouts(program) {
        out.push_str("#ifndef DQDT_WITHOUT_ROLLOUTS\n");
    }
    for (method, word) in if has_rollouts(program) { methods(program) } else { Vec::new() } {
        let rest = format!(
            "{real} t, {real} h, int steps, int inputs_per_step, int n, int leading,\n    const {real} *x, const {real} *u, {real} *last, {real} *all, int *completed"
        );
        let run = format!("const {p}::Rollout<{real}> run = {{t, h, steps, inputs_per_step, leading}};");
        let results =
            format!("const {p}::RolloutResults<{real}> results = {{last, all, completed, nullptr}};");
        let call =
            format!("{p}::rollout_of_sample<{p}::{method}>(&model, run, k, x, u, results, {p}::NoCost());");
        let _ = writeln!(
            out,
            "DQDT_KERNEL void {p}_{word}_rollout_{suffix}(\n    const {p}::Model<{real}> model, {rest}) {{\n    {run}\n    {results}\n    \
             DQDT_EACH(k, n) {call}\n}}\n"
        );
        if has_parameters {
            let _ = writeln!(
                out,
                "// Each sample has parameters of its own, by rows as the states.\nDQDT_KERNEL void {p}_{word}_rollout_by_parameters_{suffix}(\n    const {real} *params, {rest}) {{\n    \
                 {run}\n    {results}\n    DQDT_EACH(k, n) {{\n        const {p}::Model<{real}> model = {p}::model_of_sample(params, k, leading);\n        {call}\n    }}\n}}\n"
            );
        }
    }
    if has_rollouts(program) {
        out.push_str("#endif\n");
    }
    out
}

/// Kernels of all functions and of rollouts, for both scalar types. `beyond_float` says why there
/// are none for `float`.
pub fn kernel_definitions(program: &Program, names: &CNames, beyond_float: Option<&str>) -> String {
    let p = &names.prefix;
    let mut out = String::new();
    let _ = writeln!(out, "namespace {p} {{{}}} // namespace {p}\n", parameter_functions(names));
    if let Some(reason) = beyond_float {
        out.push_str(&line_comment(&format!("There are no kernels for float: {reason}."), 0));
    }
    for (real, suffix) in SCALARS {
        if beyond_float.is_none() || real != "float" {
            let guard = suffix.to_uppercase();
            let _ = write!(
                out,
                "#ifndef DQDT_WITHOUT_{guard}\n{}#endif\n\n",
                kernels_of_scalar(program, names, (real, suffix))
            );
        }
    }
    out.trim_end().to_owned() + "\n"
}
