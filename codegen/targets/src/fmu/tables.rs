//! The source of a unit with its sizes, tables and adapters, which includes the fixed files.

use std::fmt::Write as _;

use super::description::TOLERANCE;
use super::options::{FmuOptions, is_constrained, offers_model_exchange};
use super::variables::{UnitVariable, UnitVariableKind, extra_functions};
use crate::c::data::has_divisor_list;
use crate::c::names::snake_case;
use crate::c::text::{line_comment, one_line_comment_text, statement_line, string_literal};
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::declaration::{Returns, Vector};
use dqdt_graph::ir::{Effect, EventCrossing, Function, Program, Slot};
use dqdt_print::code::origin::origin_line;

/// Text in the source that stands for the instantiation token, which follows from the text itself.
pub(super) const TOKEN: &str = "@TOKEN@";

/// Number of Newton iterations of an implicit step. More do not help: the step is shortened.
const ITERATIONS: usize = 8;

/// Context of the printer: the program, and the prefix of its C names.
struct UnitPrinter<'a> {
    program: &'a Program,
    options: &'a FmuOptions,
    prefix: &'a str,
    variables: &'a [UnitVariable],
}

/// Text of the source with the tables and adapters of a unit.
pub(super) fn unit_source(
    program: &Program,
    options: &FmuOptions,
    prefix: &str,
    variables: &[UnitVariable],
) -> String {
    let printer = UnitPrinter { program, options, prefix, variables };
    let top = origin_line(program, one_line_comment_text);
    let about = format!(
        "Functional mock-up unit of {}: sizes, tables and adapters of the mechanism. The included files are the same \
         in every unit.",
        program.name
    );
    let parts = [
        format!(
            "{}//\n{}#include \"fmi/fmi3.h\"\n#include \"{prefix}.h\"\n#include <math.h>\n#include <string.h>\n",
            line_comment(&top, 0),
            line_comment(&about, 0),
        ),
        printer.size_definitions(),
        printer.table_definitions(),
        printer.parameter_functions(),
        "#include \"fmi/unit.h\"\n".to_owned(),
        printer.adapters(),
        printer.constraint_adapters(),
        printer.step_adapter(),
        printer.derivative_adapter(),
        [
            "projection.c",
            "evaluation.c",
            "events.c",
            "instance.c",
            "states.c",
            "derivatives.c",
            "model_exchange.c",
            "co_simulation.c",
            "absent.c",
        ]
        .map(|file| format!("#include \"fmi/{file}\"\n"))
        .concat(),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    crate::c::ascii::to_ascii_text(&parts.join("\n"))
}

/// C array of constants; C has no empty initialisers.
fn constant_array(of_type: &str, name: &str, values: Vec<String>) -> String {
    let list = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
    statement_line(&format!("static const {of_type} {name}[] = {{{list}}};"), 0)
}

/// Flags as numbers of C.
fn flag_numbers(flags: &[bool]) -> Vec<String> {
    flags.iter().map(|x| u8::from(*x).to_string()).collect()
}

fn slot_values(slots: &[Slot]) -> Vec<String> {
    slots.iter().map(|s| format!("{:?}", s.value)).collect()
}

impl UnitPrinter<'_> {
    fn states(&self) -> Vec<Slot> {
        let l = &self.program.layout;
        [&l.q[..], &l.v, &l.z].concat()
    }

    fn count(&self, is_counted: impl Fn(UnitVariableKind) -> bool) -> usize {
        self.variables.iter().filter(|v| is_counted(v.kind)).count()
    }

    /// True if dependent coordinates and speeds follow from independent ones.
    fn is_reduced(&self) -> bool {
        is_constrained(self.program) && !self.options.independent.is_empty()
    }

    /// True for each entry of the state that an importer integrates or whose start it sets.
    fn independent_states(&self) -> Vec<bool> {
        let kinds = self.variables.iter().filter_map(|v| match v.kind {
            UnitVariableKind::State { is_independent } => Some(is_independent),
            _ => None,
        });
        kinds.collect()
    }

    fn size_definitions(&self) -> String {
        let l = &self.program.layout;
        let exchanged = offers_model_exchange(self.program, self.options);
        let independent = self.independent_states();
        let has_derivatives = self.options.derivatives && !self.is_reduced() && !independent.is_empty();
        let flags = [
            ("CONSTRAINED", is_constrained(self.program), "constraints make states depend on each other"),
            ("REDUCED", self.is_reduced(), "dependent coordinates and speeds follow from independent ones"),
            ("MODEL_EXCHANGE", exchanged, "an importer can integrate the states"),
            ("DERIVATIVES", has_derivatives, "there are directional and adjoint derivatives"),
            ("STIFF", self.options.stiff, "steps are those of the implicit midpoint rule"),
        ];
        let sizes = [
            ("NQ", l.q.len(), "coordinates"),
            ("NV", l.v.len(), "speeds"),
            ("NX", independent.len(), "entries of the state: coordinates, speeds, user states"),
            ("NS", independent.iter().filter(|x| **x).count(), "states that an importer can integrate"),
            ("NU", l.u.len(), "inputs"),
            ("NP", l.p.len(), "parameters"),
            ("NY", self.count(|k| k == UnitVariableKind::Output), "outputs"),
            ("NW", self.count(|k| k == UnitVariableKind::Extra), "further values"),
            ("NE", l.events.len(), "events"),
            ("NPC", l.position_rows.len(), "rows of constraints on coordinates"),
            ("NVC", l.velocity_rows.len(), "rows of constraints on speeds"),
            ("TURNS", l.quaternions.len(), "quaternions"),
        ];
        let p = self.prefix;
        let mut out = format!(
            "#define UNIT_MODEL struct {p}_model\n#define UNIT_PARAMS struct {p}_params\n\
             #define UNIT_TOKEN \"{TOKEN}\"\n#define UNIT_TOLERANCE {TOLERANCE:e}\n"
        );
        for (name, value, about) in flags {
            let _ = writeln!(out, "#define UNIT_{name} {} // {about}", u8::from(value));
        }
        for (name, value, about) in sizes {
            let _ = writeln!(out, "#define UNIT_{name} {value} // {about}");
        }
        out
    }

    fn table_definitions(&self) -> String {
        let l = &self.program.layout;
        let independent = self.independent_states();
        let integrated: Vec<String> =
            (0..independent.len()).filter(|i| independent[*i]).map(|i| i.to_string()).collect();
        let tunable: Vec<bool> = (self.variables.iter())
            .filter_map(|v| match v.kind {
                UnitVariableKind::Parameter { is_tunable } => Some(is_tunable),
                _ => None,
            })
            .collect();
        let mut out = String::from("// Start state, default inputs and parameters of the spec.\n");
        out += &constant_array("double", "unit_start", slot_values(&self.states()));
        out += &constant_array("double", "unit_default_inputs", slot_values(&l.u));
        out += &constant_array("double", "unit_default_parameters", slot_values(&l.p));
        out.push('\n');
        out += &line_comment(
            "Indices of the states that an importer can integrate; 1 for each state whose start can be set, and for \
             each parameter that can change during a simulation; first index of each quaternion.",
            0,
        );
        out += &constant_array("int", "unit_states", integrated);
        out += &constant_array("int", "unit_can_start", flag_numbers(&independent));
        out += &constant_array("int", "unit_tunable", flag_numbers(&tunable));
        out +=
            &constant_array("int", "unit_quaternions", l.quaternions.iter().map(usize::to_string).collect());
        if self.is_reduced() {
            let held = flag_numbers(&independent[..l.q.len() + l.v.len()]);
            out += "\n// 1 for each coordinate and speed that is independent.\n";
            out += &constant_array("int", "unit_held", held);
        }
        out += "\n// Events: the function falls (-1) or rises (1) through zero, or either (0).\n\
                enum { UNIT_ENDS, UNIT_BOUNCES, UNIT_PASSES };\nstruct unit_event {\n    const char *name;\n    \
                int crossing, effect;\n};\nstatic const struct unit_event unit_event_table[] = {\n";
        for event in &l.events {
            let crossing = match event.crossing {
                EventCrossing::Falling => -1,
                EventCrossing::Rising => 1,
                EventCrossing::Both => 0,
            };
            let effect = match event.effect {
                Effect::Ends => "UNIT_ENDS",
                Effect::Bounces => "UNIT_BOUNCES",
                Effect::Passes => "UNIT_PASSES",
            };
            let _ = writeln!(out, "    {{{}, {crossing}, {effect}}},", string_literal(&event.name));
        }
        if l.events.is_empty() {
            out += "    {\"\", 0, UNIT_PASSES},\n";
        }
        out + "};\n"
    }

    fn parameter_functions(&self) -> String {
        let p = self.prefix;
        let check = match self.program.parameter_checks {
            Some(_) => format!("    return {p}_check(params);\n"),
            None => "    (void)params;\n    return NULL;\n".to_owned(),
        };
        format!(
            "static UNIT_PARAMS unit_default_params(void) {{\n    return {p}_defaults;\n}}\n\n\
             static const char *unit_check(const UNIT_PARAMS *params) {{\n{check}}}\n\n\
             static void unit_init(UNIT_MODEL *model, const UNIT_PARAMS *params) {{\n    \
             {p}_model_init(model, params);\n}}\n"
        )
    }

    /// The function of the program with this definition, if it has results.
    fn function(&self, definition: &Definition) -> Option<&Function> {
        self.program.function(definition).filter(|f| f.outputs.iter().any(|o| !o.nodes.is_empty()))
    }

    /// C statements that report the failure of a function whose verdict is not zero.
    fn failure_statements(&self, f: &Function) -> String {
        let (p, name) = (self.prefix, f.declaration.name);
        let pivot = match has_divisor_list(f) {
            true => format!(
                "        if (verdict > 0 && verdict <= {}) failure->pivot = {p}_{name}_pivots[verdict - 1].name;\n",
                f.checks.len()
            ),
            false => String::new(),
        };
        format!(
            "    if (verdict != 0) {{\n        failure->function = \"{name}\";\n        \
             failure->hint = {p}_{name}_hint(verdict);\n{pivot}        return false;\n    }}\n"
        )
    }

    /// C call of a function whose result is a struct, and statements that copy it to `target`.
    fn struct_call(&self, f: &Function, target: &str) -> String {
        let (p, d) = (self.prefix, f.declaration);
        let Returns::Struct { name: result, .. } = d.returns else { return String::new() };
        let arguments: String =
            (d.arguments.iter()).map(|a| if a.vector == Vector::Inputs { ", u" } else { ", x" }).collect();
        format!(
            "    struct {p}_{} {}_result;\n    verdict = {p}_{}(model, t{arguments}, &{1}_result);\n{}    \
             memcpy({target}, &{1}_result, sizeof {1}_result);\n",
            snake_case(result),
            d.name,
            d.name,
            self.failure_statements(f)
        )
    }

    /// An adapter with the signature of `unit_function`, with these statements; `index` is the name
    /// of an additional argument.
    fn adapter(&self, name: &str, index: Option<&str>, body: &str) -> String {
        let mut unused = String::new();
        let arguments = ["model", "t", "x", "u", "out", "failure"];
        let extra = index.map_or_else(String::new, |index| format!(" int {index},"));
        for argument in index.into_iter().chain(arguments) {
            if !crate::c::functions::mentions_variable(body, argument) {
                let _ = writeln!(unused, "    (void){argument};");
            }
        }
        let verdict = if body.contains("verdict = ") { "    int verdict;\n" } else { "" };
        format!(
            "static bool {name}(const UNIT_MODEL *model,{extra} double t, const double *x, const double *u, double *out,\n\
             {:indent$}struct failure *failure) {{\n{unused}{verdict}{body}    return true;\n}}\n",
            "",
            indent = "static bool (".len() + name.len()
        )
    }

    fn adapters(&self) -> String {
        let p = self.prefix;
        let rates = self.function(functions::DQDT).map_or_else(String::new, |f| {
            format!("    verdict = {p}_dqdt(model, t, x, u, out);\n{}", self.failure_statements(f))
        });
        let outputs = self.function(functions::OUTPUTS).map(|f| self.struct_call(f, "out"));
        let mut extras = String::new();
        let mut start = 0;
        for (definition, _) in extra_functions(self.options) {
            let Some(f) = self.function(definition) else { continue };
            let target = if start == 0 { "out".to_owned() } else { format!("out + {start}") };
            extras += &self.struct_call(f, &target);
            start += f.outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
        }
        let events = self.function(functions::EVENTS).map(|f| self.struct_call(f, "out"));
        let jumps = self.function(functions::AFTER_EVENTS).map_or_else(String::new, |f| {
            format!(
                "    double all[UNIT_NE][UNIT_NX];\n{}    memcpy(out, all[event], sizeof all[event]);\n",
                self.struct_call(f, "all")
            )
        });
        [
            self.adapter("unit_rates", None, &rates),
            self.adapter("unit_outputs", None, &outputs.unwrap_or_default()),
            self.adapter("unit_extras", None, &extras),
            self.adapter("unit_events", None, &events.unwrap_or_default()),
            self.adapter("unit_after_event", Some("event"), &jumps),
        ]
        .join("\n")
    }

    fn constraint_adapters(&self) -> String {
        if !is_constrained(self.program) {
            return String::new();
        }
        let p = self.prefix;
        let part = |name: &str, definition: &Definition, rows: &str, columns: &str| {
            let head = format!(
                "static void {name}(const UNIT_MODEL *model, double t, const double *x, double *residual, double *rows,\n\
                 {:indent$}int stride) {{\n",
                "",
                indent = "static void (".len() + name.len()
            );
            let Some(f) = self.function(definition) else {
                return head
                    + "    (void)model, (void)t, (void)x, (void)residual, (void)rows, (void)stride;\n}\n";
            };
            let Returns::Struct { name: result, .. } = f.declaration.returns else { return String::new() };
            format!(
                "{head}    struct {p}_{} all;\n    {p}_{}(model, t, x, &all);\n    for (int i = 0; i < {rows}; i++) {{\n        \
                 residual[i] = all.residual[i];\n        for (int j = 0; j < {columns}; j++) rows[i * stride + j] = all.jacobian[i][j];\n    \
                 }}\n}}\n",
                snake_case(result),
                f.declaration.name
            )
        };
        [
            part("unit_positions", functions::POSITION_CONSTRAINTS, "UNIT_NPC", "UNIT_NQ"),
            part("unit_velocities", functions::VELOCITY_CONSTRAINTS, "UNIT_NVC", "UNIT_NV"),
        ]
        .join("\n")
    }

    /// The step of co-simulation, and the normalisation of quaternions.
    fn step_adapter(&self) -> String {
        let p = self.prefix;
        let normalise = "static void unit_normalise(double *x) {\n    for (int k = 0; k < UNIT_TURNS; k++) {\n        \
                         double *e = x + unit_quaternions[k];\n        \
                         const double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);\n        \
                         for (int i = 0; i < 4 && norm > 0.0; i++) e[i] /= norm;\n    }\n}\n\n";
        let head = "static bool unit_step(const UNIT_MODEL *model, double t, double h, double *x, const double *u, double tolerance,\n                      \
                    struct failure *failure) {\n";
        let body = match (self.function(functions::DQDT), self.function(functions::DQDT_DERIVATIVES)) {
            (_, Some(f)) if self.options.stiff => format!(
                "    struct {p}_step step;\n    double correction, size = 1e-3;\n    \
                 int verdict = {p}_implicit_midpoint_step(model, t, h, x, u, {ITERATIONS}, &step, &correction);\n    \
                 if (verdict == -2) {{\n        failure->hint = \"the matrix of the implicit step is singular\";\n        \
                 return false;\n    }}\n{}    for (int i = 0; i < UNIT_NX; i++) size = fmax(size, fabs(x[i]));\n    \
                 if (!(correction <= tolerance * size)) {{\n        \
                 failure->hint = \"Newton's method of the implicit step does not converge\";\n        return false;\n    }}\n    \
                 memcpy(x, step.x, sizeof step.x);\n    return true;\n",
                self.failure_statements(f)
            ),
            (Some(f), _) => format!(
                "    (void)tolerance;\n    const int verdict = {p}_rk4_step(model, t, h, x, u);\n{}    return true;\n",
                self.failure_statements(f)
            ),
            _ => "    (void)model, (void)t, (void)h, (void)x, (void)u, (void)tolerance, (void)failure;\n    return true;\n"
                .to_owned(),
        };
        format!("{normalise}{head}{body}}}\n")
    }

    fn derivative_adapter(&self) -> String {
        let Some(rates) = self.function(functions::DQDT_DERIVATIVES) else { return String::new() };
        if !self.options.derivatives || self.is_reduced() {
            return String::new();
        }
        let p = self.prefix;
        let copies = |result: &str, rows: &str, first: &str| {
            let mut lines = format!(
                "    for (int i = 0; i < {rows}; i++) {{\n        double *row = out + {first} * stride;\n        \
                 for (int j = 0; j < UNIT_NX; j++) row[j] = {result}.by_state[i][j];\n"
            );
            if !self.program.layout.u.is_empty() {
                let _ = writeln!(
                    lines,
                    "        for (int j = 0; j < UNIT_NU; j++) row[UNIT_NX + j] = {result}.by_input[i][j];"
                );
            }
            lines + "    }\n"
        };
        let mut body = format!(
            "    struct {p}_dqdt_derivatives rates;\n    int verdict = {p}_dqdt_derivatives(model, t, x, u, &rates);\n{}{}",
            self.failure_statements(rates),
            copies("rates", "UNIT_NX", "i")
        );
        if let Some(f) = self.function(functions::OUTPUT_DERIVATIVES) {
            let _ = write!(
                body,
                "    struct {p}_output_derivatives outputs;\n    verdict = {p}_output_derivatives(model, t, x, u, &outputs);\n{}{}",
                self.failure_statements(f),
                copies("outputs", "UNIT_NY", "(UNIT_NX + i)")
            );
        }
        format!(
            "static bool unit_derivatives(const UNIT_MODEL *model, double t, const double *x, const double *u, double *out, int stride,\n                             \
             struct failure *failure) {{\n{body}    return true;\n}}\n"
        )
    }
}
