//! Reference page of the emitted module, generated from the declarations of its functions.

use super::page::{code_cell, escape_cell, markdown_table};
use dqdt_derivation::functions::Definition;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns, Vector};
use dqdt_mechanics::formalism::Formalism;

/// Renders the reference page of the emitted module and its functions as Markdown.
pub(super) fn functions_page(all: &[&Definition]) -> String {
    let mut out = String::from(
        "# The emitted module\n\n\
         `dqdt emit SPEC` and `dqdt_codegen::compile` write one module for each mechanism. `cargo doc --open` in your crate shows the module with units and meanings; `dqdt emit SPEC` prints its source.\n\n\
         | item | meaning |\n|---|---|\n\
         | `NQ`, `NV`, `NZ`, `NX`, `NU`, `NP` | numbers of coordinates, speeds, user states, entries of the state `x`, inputs, parameters |\n\
         | `Q_THETA`, `V_THETA_DOT`, `U_FORCE` | index of an entry of `x` or of `u`. In arrays with one entry for each speed (`dv`, efforts, rows of the mass matrix), the entry of `theta_dot` is at `V_THETA_DOT - NQ` |\n\
         | `START`, `start::<T>()` | the start state of the spec, as numbers and for any scalar type |\n\
         | `DEFAULT_INPUTS`, `default_inputs::<T>()` | the default inputs of the spec |\n\
         | `QUATERNIONS`, `ND` | index in `x` of the first component of each quaternion; number of entries of the difference of two states, [three for a quaternion](../discrete.md) |\n\
         | `STATES`, `INPUTS`, `PARAMETERS` | names and units, in order |\n\
         | `Params` | the parameters, with the defaults of the spec. `set` and `get` use the names of the spec, `check` reports values that are not physically meaningful (a negative mass, crossed limits). `values` and the columns of `sensitivities` are in the order of the fields |\n\
         | `Model` | constructed from `Params` by `Model::new`; it also stores values that depend only on parameters. `params` returns the parameters, `set_params` replaces them |\n\
         | the functions below | methods of `Model<T>` for any scalar type `T`, and free functions of the same names. `emit` compiles the methods for `f64` (with `--scalar float`, for `f32`) in the crate that contains the module; for other scalar types, they are compiled in the calling crate |\n\
         | `model.rate(t, &x, &u)` | the state derivative by value, `Result<[T; NX], Singular>` |\n\n\
         `Model` implements a trait for each function on which generic controllers are based: `dqdt::System` (`dqdt`), `MassMatrix`, `Bias`, `InverseDynamics`, `MechanicalEnergy` (`energy`), \
         `Gravity`, `Saturate`, `Actuated` (`input_matrix`), `ConstrainedDynamics` (`inverse_dynamics_constrained`). `Dynamics` combines the first five.\n\n\
         The arguments of a function are the model, the time, the state `x` and the arguments listed in its row of the tables below; the result is written to the last argument. *Checked* functions \
         return `Result<(), dqdt::Singular>`; the error names the divisor that vanishes, or states that a result is not finite. Functions without a divisor that could vanish, such as `outputs` without accelerations, return `()`. A function is emitted only if it applies to the \
         mechanism: `multipliers` requires constraints.\n\n\
         ```rust,ignore\n\
         dqdt::include_mechanism!(mod crane = \"crane\");\n\n\
         let model = crane::Model::<f64>::default();\n\
         let mut dx = [0.0; crane::NX];\n\
         model.dqdt(t, &x, &u, &mut dx)?;\n\
         let mut out = crane::Outputs::default();\n\
         model.outputs(t, &x, &u, &mut out);\n\
         println!(\"{}\", out.load[0]);\n\
         ```\n\n\
         In a build script, the module is named after the file of the spec (`crane` for `specs/crane.toml`), regardless of the key `name`; C files are named after `name`.\n\n\
         Structs such as `Outputs` have a field for each entry, named as in the spec: a number, or an array if the entry is a vector, with three numbers for `load` \
         (columns `load_x`, `load_y`, `load_z` in tables of `simulate`), six for a reaction or a twist.\n",
    );
    for (title, by_default) in [("## By default", true), ("## On request", false)] {
        out.push_str(&format!("{title}\n"));
        if !by_default {
            out.push_str("\nRequest these functions with `dqdt emit --functions NAME,NAME` or `Config::functions`; the page [functions](../functions.md) describes their purposes.\n");
        }
        let rows: Vec<Vec<String>> =
            all.iter().filter(|f| f.by_default == by_default).map(|f| function_row(f)).collect();
        out.push_str(&markdown_table(&["function", "arguments → result", "meaning"], &rows));
    }
    out.push_str(STEPS);
    out.push_str(
        "## Formalisms\n\nAll formalisms derive the same equations, with different operation counts. `--formalism NAME` selects one:\n",
    );
    let rows: Vec<Vec<String>> =
        Formalism::ALL.iter().map(|f| vec![code_cell(f.name()), escape_cell(f.description())]).collect();
    out.push_str(&markdown_table(&["name", "meaning"], &rows));
    out
}

/// Markdown section of the page of the emitted module about the time integrators of the crate
/// `dqdt`.
const STEPS: &str = "\
## Steps and integrators

`Model` is a `dqdt::System`, so the integration steps of the crate `dqdt` apply to it. Each step normalises quaternions.

| function | available | effect |
|---|---|---|
| `rk4_step(&model, t, h, &mut x, &u)` | anywhere | one Runge–Kutta step of order 4 with constant inputs; checked. Loops drift open: close them after each step, [as in this controller](../how-to/controller-loop.md) |
| `discrete::rk4_step_derivatives`, `discrete::implicit_midpoint_step` | anywhere | a step with its derivatives: [discrete steps](../discrete.md) |
| `loops::close_coordinates`, `loops::close_speeds` | anywhere | dependent coordinates and speeds from independent ones: [loops](../loops.md) |
| `integrate::integrate(&model, t0, &x0, &times, input, &options)` | with the feature `differential-equations` | integration with adaptive steps; returns a `Trajectory`: `.x`, one state for each of these times (`x0` only if `t0` is one of them), `.t`, `.statistics`; `input(t, &x)` returns `u`. One period of a controller: `x = integrate(&model, t, &x, &[t + h], held, &options)?.x[0]` |
| `integrate::integrate_constrained(&model, (t0, &x0), &times, input, &options, tolerance)` | with the feature `differential-equations` | the same, projected onto the constraints after each step |
| `integrate::integrate_events(&model, t0, &x0, &times, input, &options)` | with the feature `differential-equations` | as `integrate`, with [events](../events.md), impacts and rest at stops; returns a `HybridTrajectory`, also with `.events`, `.rests`, `.stop_forces` |

The feature requires the standard library: `dqdt = { version = \"0.1\", features = [\"differential-equations\"] }`. `integrate::Options::default()` is Dormand and Prince's method of order 8 with a relative tolerance of 1e-9; its fields are `method`, `rtol`, `atol`, `max_steps`, `longest_step` and `rest_speed`. A complete program is
`examples/lqr`.

";

fn function_row(d: &Declaration) -> Vec<String> {
    let takes: Vec<String> = d.arguments.iter().map(argument_cell).collect();
    let gives = match d.returns {
        Returns::Array { name, dims } => {
            let dims: Vec<&str> = dims.iter().map(|v| vector_length_text(*v)).collect();
            code_cell(&format!("{name}: [{}]", dims.join(" × ")))
        }
        Returns::Limited { of: vector } => format!(
            "{}, clamped to its limits; the return value states which inputs were clamped",
            code_cell(&format!("{}: [NU]", vector.name))
        ),
        Returns::Struct { name, .. } => format!("struct {}", code_cell(name)),
        Returns::Joint(_) => String::new(),
    };
    let checked = if d.checked { "; checked" } else { "" };
    let summary = d.summary.replace("{mechanism}", "the mechanism");
    let note = d.constraints.as_ref().map_or(String::new(), |c| {
        if c.text.is_empty() { String::new() } else { format!(" With constraints: {}", c.text) }
    });
    vec![
        code_cell(d.name),
        format!("{} → {gives}{checked}", takes.join(", ")),
        format!("{}{}", escape_cell(&summary), escape_cell(&note)),
    ]
}

fn argument_cell(a: &Argument) -> String {
    code_cell(&format!("{}: [{}]", a.name, vector_length_text(a.vector)))
}

/// Length of a vector for the reference: the constant of the emitted module, or words if it has
/// none.
fn vector_length_text(v: Vector) -> &'static str {
    match v {
        Vector::State | Vector::Costates => "NX",
        Vector::Coordinates => "NQ",
        Vector::Speeds | Vector::Accelerations | Vector::Efforts => "NV",
        Vector::Inputs | Vector::Impulses => "NU",
        Vector::IndependentAccelerations => "independent speeds",
        Vector::DrivenAccelerations => "driven speeds",
        Vector::Contacts => "NCON",
    }
}
