//! Reference page of the emitted module, generated from the declarations of its functions.

use super::page::{cell, code, table};
use dqdt_derivation::functions::Definition;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns, Vector};
use dqdt_mechanics::formalism::Formalism;

/// Renders the page as Markdown.
pub(super) fn page(all: &[&Definition]) -> String {
    let mut out = String::from(
        "# The emitted module\n\n\
         `dqdt emit SPEC` and `dqdt_codegen::compile` write one module per mechanism. `cargo doc --open` in your crate shows it with \
         units and meanings; `dqdt emit SPEC` prints it.\n\n\
         | item | what it is |\n|---|---|\n\
         | `NQ`, `NV`, `NZ`, `NX`, `NU`, `NP` | numbers of coordinates, speeds, user states, entries of the state `x`, inputs, parameters |\n\
         | `Q_THETA`, `V_THETA_DOT`, `U_FORCE` | index of an entry of `x` or of `u`. Arrays with one entry per speed (`dv`, efforts, rows of the mass matrix) have that of `theta_dot` at `V_THETA_DOT - NQ` |\n\
         | `START`, `start::<T>()` | the state that the spec starts from, as numbers and over any scalar |\n\
         | `DEFAULT_INPUTS`, `default_inputs::<T>()` | the inputs that the spec gives by default |\n\
         | `QUATERNIONS`, `ND` | first index in `x` of each quaternion; number of differences of two states, [three for a quaternion](../discrete.md) |\n\
         | `STATES`, `INPUTS`, `PARAMETERS` | names and units, in order |\n\
         | `Params` | the parameters, with the defaults of the spec. `set` and `get` go by the names of the spec, `check` tells what makes no sense (a negative mass, crossed limits), `values` are in the order of the fields, as the columns of `sensitivities` |\n\
         | `Model` | made of `Params` by `Model::new`; it also holds what depends on parameters alone. `params` reads them, `set_params` takes others |\n\
         | the functions below | methods of `Model<T>` over any scalar `T`, and functions of the same names. `emit` compiles the methods for `f64` in the crate that holds the module, with `--scalar float` for `f32`; for other scalars they are compiled where they are called |\n\
         | `model.rate(t, &x, &u)` | the state derivative by value, `Result<[T; NX], Singular>` |\n\n\
         `Model` implements a trait for each function that controllers are written over: `dqdt::System` (`dqdt`), `MassMatrix`, `Bias`, `InverseDynamics`, `MechanicalEnergy` (`energy`), \
         `Gravity`, `Saturate`, `Actuated` (`input_matrix`), `ConstrainedDynamics` (`inverse_dynamics_constrained`). `Dynamics` is the sum of the first five.\n\n\
         A function takes the model, the time, the state `x` and what its row names, and writes to its last argument. Those that are *checked* \
         return `Result<(), dqdt::Singular>`: the name of the divisor that vanishes, or that a result is not finite. Where a mechanism has no \
         divisor that could vanish, as outputs without accelerations have none, they return nothing. A function is there if the mechanism has what it is \
         about: `multipliers` only with constraints.\n\n\
         ```rust,ignore\n\
         dqdt::include_mechanism!(mod crane = \"crane\");\n\n\
         let model = crane::Model::<f64>::default();\n\
         let mut dx = [0.0; crane::NX];\n\
         model.dqdt(t, &x, &u, &mut dx)?;\n\
         let mut out = crane::Outputs::default();\n\
         model.outputs(t, &x, &u, &mut out);\n\
         println!(\"{}\", out.load[0]);\n\
         ```\n\n\
         In a build script the file has the name of the spec\'s file, `crane` of `specs/crane.toml`, whatever `name` in it says; C bears `name`.\n\n\
         Structs such as `Outputs` have a field for each entry, named as in the spec: a number, or an array where it is a vector: of three (`load`, of \
         which tables of `simulate` have the columns `load_x`, `load_y`, `load_z`), of a reaction or a twist of six.\n",
    );
    for (title, by_default) in [("## By default", true), ("## On request", false)] {
        out.push_str(&format!("{title}\n"));
        if !by_default {
            out.push_str("\n`dqdt emit --functions NAME,NAME`, or `Config::functions`; [what they are for](../functions.md).\n");
        }
        let rows: Vec<Vec<String>> =
            all.iter().filter(|f| f.by_default == by_default).map(|f| row(f)).collect();
        out.push_str(&table(&["function", "takes, gives", "what it is"], &rows));
    }
    out.push_str(STEPS);
    out.push_str(
        "## Formalisms\n\nEquations are the same whichever derives them; operation counts are not. `--formalism NAME`:\n",
    );
    let rows: Vec<Vec<String>> =
        Formalism::ALL.iter().map(|f| vec![code(f.name()), cell(f.description())]).collect();
    out.push_str(&table(&["name", "what it is"], &rows));
    out
}

/// Section about the time integrators of the crate `dqdt`.
const STEPS: &str = "\
## Steps and integrators

`Model` is a `dqdt::System`, and so are its steps those of the crate `dqdt`. Quaternions have the length one after each of them.

| function | where | what it does |
|---|---|---|
| `rk4_step(&model, t, h, &mut x, &u)` | anywhere | one step of Runge and Kutta of order 4 with inputs that stand still; checked. Loops drift open: close them after it, [as here](../how-to/controller-loop.md) |
| `discrete::rk4_step_derivatives`, `discrete::implicit_midpoint_step` | anywhere | a step with its derivatives: [discrete steps](../discrete.md) |
| `loops::close_coordinates`, `loops::close_speeds` | anywhere | dependent coordinates and speeds from independent ones: [loops](../loops.md) |
| `integrate::integrate(&model, t0, &x0, &times, input, &options)` | with the feature `differential-equations` | a `Trajectory`: `.x` the states at these times (one each, `x0` not among them unless `t0` is), `.t`, `.statistics`; by adaptive steps; `input(t, &x)` gives `u`. One period of a controller: `x = integrate(&model, t, &x, &[t + h], held, &options)?.x[0]` |
| `integrate::integrate_constrained(&model, (t0, &x0), &times, input, &options, tolerance)` | with the feature `differential-equations` | the same, brought onto the constraints after every step |
| `integrate::integrate_events(&model, t0, &x0, &times, input, &options)` | with the feature `differential-equations` | the same, through [events](../events.md) |

The feature needs the standard library: `dqdt = { version = \"0.1\", features = [\"differential-equations\"] }`. `integrate::Options::default()` is Dormand and Prince's method of order 8 with a relative tolerance of 1e-9; `method`, `rtol`, `atol`, `max_steps` and `longest_step` are its fields. A program:
`examples/lqr`.

";

fn row(d: &Declaration) -> Vec<String> {
    let takes: Vec<String> = d.arguments.iter().map(argument).collect();
    let gives = match d.returns {
        Returns::Array { name, dims } => {
            let dims: Vec<&str> = dims.iter().map(|v| length(*v)).collect();
            code(&format!("{name}: [{}]", dims.join(" × ")))
        }
        Returns::Limited { of: vector } => format!(
            "{} within limits; returns by input whether a limit acts on it",
            code(&format!("{}: [NU]", vector.name))
        ),
        Returns::Struct { name, .. } => format!("struct {}", code(name)),
        Returns::Joint(_) => String::new(),
    };
    let checked = if d.checked { "; checked" } else { "" };
    let summary = d.summary.replace("{mechanism}", "the mechanism");
    let note = d.constraints.as_ref().map_or(String::new(), |c| {
        if c.text.is_empty() { String::new() } else { format!(" With constraints: {}", c.text) }
    });
    vec![
        code(d.name),
        format!("{} → {gives}{checked}", takes.join(", ")),
        format!("{}{}", cell(&summary), cell(&note)),
    ]
}

fn argument(a: &Argument) -> String {
    code(&format!("{}: [{}]", a.name, length(a.vector)))
}

/// Length of a vector: the constant of the emitted module, or words if it has none.
fn length(v: Vector) -> &'static str {
    match v {
        Vector::State => "NX",
        Vector::Coordinates => "NQ",
        Vector::Speeds | Vector::Accelerations | Vector::Efforts => "NV",
        Vector::Inputs | Vector::Impulses => "NU",
        Vector::IndependentAccelerations => "independent speeds",
        Vector::DrivenAccelerations => "driven speeds",
        Vector::Contacts => "NCON",
    }
}
