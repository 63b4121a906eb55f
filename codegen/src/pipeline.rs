//! All stages in their order. The only file that names every stage: reading it is understanding the program.
//!
//! ```text
//!  read ─────▶ resolve ──▶ assemble ──▶ derive ─────▶ simplify ─▶ plan ──────▶ print
//!  Spec        Resolved    Assembled    Program       Program     Plan         text
//!  what was    what it     start,       a graph of    by fewer    what is      Rust
//!  written     means       choices      operations    operations  computed
//!                                                                 where
//! ```
//! Every stage is a function from one value to the next. Take what one returns, look at it, change it, hand it on.
//! Messages point into the texts that were read: these travel along (`Resolved::places`, `Errors::sources`).
//! So does where the mechanism came from (`Assembled::origin`), which the emitted text names.
//!
//! `derive` asks a method of [`crate::formalism`] for the equations, over a scalar that records; the method asks
//! [`crate::kinematics`] for poses, velocities and the rows of constraints. `assemble` asks the same kinematics over
//! doubles. The choices of `assemble` ([`crate::mechanism::Partition`]) are those of every method.

mod cost;
mod groups;
pub mod mechanism;
pub mod program;
pub mod singles;

use std::path::Path;

use crate::assemble;
use crate::derive::{self, size};
use crate::error::{Diagnostic, Errors};
use crate::formalism::{self, ConstraintsBy, Formalism, Lean, NotDriven, SolvedSystem};
use crate::functions::{self, Definition, Derive};
use crate::ir::Program;
use crate::ir::declaration::Vector;
use crate::mechanism::Mechanism;
use crate::plan::{self, Plan};
use crate::print;
use crate::read::{self, Opened, Settings};
use crate::resolve;
use crate::simplify::simplify;
use crate::spec::{Spec, did_you_mean};

/// Reads and builds a spec file.
///
/// # Errors
/// Everything that is wrong with the file, at once.
pub fn load(path: &Path) -> Result<Assembled, Errors> {
    load_with(path, &Settings::default())
}

/// Reads and builds a spec file, with sizes of its repeats.
///
/// # Errors
/// As for [`load`], and if there is no such size.
pub fn load_with(path: &Path, settings: &Settings) -> Result<Assembled, Errors> {
    load_opened(read::open(path), settings)
}

/// Reads and builds a spec file that was opened, with sizes of its repeats.
///
/// # Errors
/// As for [`load_with`].
pub fn load_opened(opened: Opened, settings: &Settings) -> Result<Assembled, Errors> {
    let file = opened.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    build(&opened.read(settings)?, file)
}

/// Builds a spec that was read, or made with [`crate::spec::SpecBuilder`]. `file` is named in the output.
///
/// # Errors
/// Everything that is wrong with the spec, at once.
pub fn build(spec: &Spec, file: impl Into<String>) -> Result<Assembled, Errors> {
    let mut resolved = resolve::resolve(spec)?;
    resolved.origin.file = file.into();
    let loaded = assemble::assemble(resolved)?;
    functions_of(&loaded)?;
    Ok(loaded)
}

/// The functions that a spec asks for by its key `functions`; the default ones if it asks for none.
///
/// # Errors
/// Names that no function has, or that stand there twice.
pub fn functions_of(loaded: &Assembled) -> Result<Vec<&'static Definition>, Errors> {
    if loaded.functions.is_empty() {
        return Ok(functions::defaults());
    }
    let mut out: Vec<&'static Definition> = Vec::new();
    let mut diagnostics = Vec::new();
    for name in &loaded.functions {
        let found = match name.value.as_str() {
            "default" => functions::defaults(),
            other => functions::by_name(other).into_iter().collect(),
        };
        if found.is_empty() {
            let known = functions::ALL.iter().map(|f| f.name).chain(["default"]);
            let help = match did_you_mean(&name.value, known) {
                Some(meant) => format!("write `{meant}`"),
                None => "`dqdt emit --help` lists all functions".to_owned(),
            };
            let text = format!("there is no function `{}` to emit", name.value);
            diagnostics.push(Diagnostic::error("unknown-name", text).at(name.span, "not known").help(help));
        }
        for f in found {
            if !out.contains(&f) {
                out.push(f);
            }
        }
    }
    if diagnostics.is_empty() {
        return Ok(out);
    }
    Err(Errors { diagnostics, sources: loaded.warnings.sources.clone() })
}

/// Derives the equations, records the functions asked for, and runs every pass over the graph.
pub fn program(loaded: &Assembled, request: &Request) -> Program {
    let functions = functions::in_order(&request.functions);
    let request = Request { functions, ..request.clone() };
    derived(loaded, &request, derive::derive)
}

/// Derives and runs every pass. Where the mechanism has equal limbs these are derived alike, if it costs less to compute them side
/// by side then.
pub(crate) fn derived(
    loaded: &Assembled,
    request: &Request,
    derive: fn(&Mechanism, &Request, &Origin) -> Program,
) -> Program {
    if request.formalism == Formalism::Mixed && !loaded.mechanism.groups.found {
        let mechanism = groups::found(loaded, request, WAITING);
        return derived(&Assembled { mechanism, ..loaded.clone() }, request, derive);
    }
    let plain = simplify(&derive(&loaded.mechanism, request, &loaded.origin));
    let Some(alike) = derive::alike(&loaded.mechanism) else { return plain };
    let with_parameters = simplify(&derive(&alike.mechanism, request, &loaded.origin));
    let limbs = derive::numbers_back(&with_parameters, &alike.numbers, &plain);
    let effort = |p: &Program| total(p) - plan::saved(p).iter().sum::<u32>();
    if effort(&limbs) < effort(&plain) { limbs } else { plain }
}

/// How the formalism is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Of the formalisms whose graphs stay small, the one of the least [`cost`]; up to [`AUTO_ALL`] speeds Kane's unless the mixed form
    /// saves more than 3 percent and more than 32 operations.
    ///
    /// Kane's mass matrix is what people know from books. For a large mechanism the choice
    /// decides whether the code compiles in seconds or in minutes: the dense solve of a chain grows with the cube of its
    /// length. Projection is not taken where loops are closed: it is quicker, but says `Singular` where the dependent speeds
    /// that it chose do not follow from the others.
    #[default]
    BySize,
    /// As [`Choice::BySize`] if its accelerations in single precision are within [`singles::LIMIT`] of those in double precision, else the
    /// cheapest that are; the most accurate where none is.
    ForSingles,
    /// The one whose functions cost least a call, see [`least_cost`].
    LeastCost,
    /// Of the formalisms of [`Choice::BySize`] the one of the fewest operations, however long they wait for each other: for processors
    /// that do one after the other, as those of microcontrollers.
    FewestOperations,
    /// This one.
    Given(Formalism),
}

impl Choice {
    /// What an operation of the longest chain counts.
    const fn waiting(self) -> u32 {
        if matches!(self, Choice::FewestOperations) { 0 } else { WAITING }
    }
}

/// What was derived, and by which formalism.
#[derive(Debug)]
pub struct Derived {
    /// The one that was asked for, or that was found.
    pub formalism: Formalism,
    /// Its functions, after every pass.
    pub program: Program,
}

/// Finds the formalism and derives the functions by it.
///
/// # Errors
/// If the equations would outgrow memory: how large they would be, and what would fit.
pub fn derive(
    loaded: &Assembled,
    choice: Choice,
    functions: &[&'static Definition],
) -> Result<Derived, Errors> {
    let (formalism, grouped) = chosen(loaded, choice, functions);
    check_size(loaded, &[formalism])?;
    let loaded = grouped.as_ref().unwrap_or(loaded);
    let program = program(loaded, &Request::new(formalism, functions.to_vec()));
    given(loaded, Derived { formalism, program }, functions)
}

/// Refuses a joint call of what the mechanism does not give: left out it would be missed.
fn given(loaded: &Assembled, derived: Derived, functions: &[&'static Definition]) -> Result<Derived, Errors> {
    let missing = functions.iter().find_map(|f| match f.derive {
        Derive::Joint(parts) if derived.program.function(f).is_none() => Some((f, parts)),
        _ => None,
    });
    let Some((f, parts)) = missing else { return Ok(derived) };
    let request = Request::new(derived.formalism, parts.to_vec());
    let alone = program(loaded, &request);
    let lacks: Vec<&str> = parts.iter().filter(|p| alone.function(p).is_none()).map(|p| p.name).collect();
    let d = Diagnostic::error(
        "joint-call",
        format!("`{}`: `{}` has no `{}`", f.name, loaded.mechanism.name, lacks.join("`, `")),
    )
    .help("leave it out of the joint call");
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}

/// Finds the formalism, without its functions.
///
/// # Errors
/// As for [`derive()`].
pub fn choose(
    loaded: &Assembled,
    choice: Choice,
    functions: &[&'static Definition],
) -> Result<Formalism, Errors> {
    let (formalism, _) = chosen(loaded, choice, functions);
    check_size(loaded, &[formalism])?;
    Ok(formalism)
}

/// The mechanism with the groups that the mixed form takes for these functions.
pub(crate) fn with_groups(
    loaded: &Assembled,
    functions: &[&'static Definition],
    choice: Choice,
) -> Assembled {
    let request = Request::new(Formalism::Mixed, functions::in_order(functions));
    Assembled { mechanism: groups::found(loaded, &request, choice.waiting()), ..loaded.clone() }
}

/// The formalism, and the mechanism with groups where they were looked for on the way.
fn chosen(
    loaded: &Assembled,
    choice: Choice,
    functions: &[&'static Definition],
) -> (Formalism, Option<Assembled>) {
    if let Choice::Given(formalism) = choice {
        return (formalism, None);
    }
    let moves = functions.iter().any(|f| f.derive.asks_for_motion());
    let grouped = (moves && size::fits(&loaded.mechanism, Formalism::Mixed))
        .then(|| with_groups(loaded, functions, choice));
    let with_groups = grouped.as_ref().unwrap_or(loaded);
    let formalism = match choice {
        Choice::Given(formalism) => formalism,
        Choice::BySize => default_formalism(with_groups, functions),
        Choice::LeastCost => least_cost(with_groups, functions),
        Choice::FewestOperations => least_cost_among(with_groups, functions, choice.waiting(), &|f| {
            is_lean(with_groups, f) && solves_everywhere(with_groups, f)
        }),
        Choice::ForSingles => {
            let fits = |f: Formalism| solves_everywhere(with_groups, f) && size::fits(&loaded.mechanism, f);
            let derived =
                |loaded: &Assembled, request: &Request| derived(loaded, request, derive::derive_to_count);
            let default = default_formalism(with_groups, functions);
            let functions = functions::in_order(functions);
            let (formalism, other) = singles::formalism(with_groups, &functions, default, &fits, &derived);
            return (formalism, other.or(grouped));
        }
    };
    (formalism, grouped)
}

/// The formalism whose functions have the least [`cost`] a call, all asked for together, after every pass. Of equals the first
/// in [`Formalism::ALL`] wins, so that the choice is the same on every machine.
///
/// Candidates are all formalisms; above [`AUTO_ALL`] speeds only those whose graphs stay small, and
/// `maggi_coordinates` where there are constraints. What takes [`HOPELESS`] times the
/// operations of another before any pass is not simplified. Where none fits in memory it is `articulated_body`, which is
/// then refused. Whoever wants the functions too asks [`derive()`] for them.
pub fn least_cost(loaded: &Assembled, functions: &[&'static Definition]) -> Formalism {
    let all = loaded.mechanism.nv() <= AUTO_ALL;
    least_cost_among(loaded, functions, WAITING, &|f| all || is_lean(loaded, f))
}

/// Whether the graph of a formalism stays small on a large mechanism.
fn is_lean(loaded: &Assembled, f: Formalism) -> bool {
    match f.facts().lean {
        Lean::Always => true,
        Lean::WithConstraints => !loaded.mechanism.constraints.is_empty(),
        Lean::No => false,
    }
}

/// Whether a formalism solves in every pose in which the constraints have their rank. Projection divides by dependent speeds that
/// are chosen once: around a loop there may be a pose where they do not follow from the others.
fn solves_everywhere(loaded: &Assembled, f: Formalism) -> bool {
    let closes_loops = || loaded.mechanism.constraints.iter().any(|c| !c.is_program() && c.holds_positions());
    f.facts().constraints != ConstraintsBy::Projection || !closes_loops()
}

/// Of those that may be taken.
fn least_cost_among(
    loaded: &Assembled,
    functions: &[&'static Definition],
    waiting: u32,
    may: &dyn Fn(Formalism) -> bool,
) -> Formalism {
    let candidate = |(_, f): &(usize, Formalism)| may(*f) && size::fits(&loaded.mechanism, *f);
    let mut candidates: Vec<(usize, Formalism)> =
        Formalism::ALL.into_iter().enumerate().filter(candidate).collect();
    // Of a large mechanism it is what solves by sweeps as a rule: the others then need not be simplified.
    candidates.sort_by_key(|(i, f)| (f.facts().solves != SolvedSystem::Sweeps, *i));
    let functions = functions::in_order(functions);
    // Cost, operations, place in the list.
    let mut best: Option<(u32, u32, usize, Formalism)> = None;
    for (i, formalism) in candidates {
        let request = Request::new(formalism, functions.clone());
        let recorded = derive::derive_to_count(&loaded.mechanism, &request, &loaded.origin);
        if best.is_some_and(|(_, least, _, _)| total(&recorded) > HOPELESS * least) {
            continue;
        }
        let program = derived(loaded, &request, derive::derive_to_count);
        let (cost, operations) = (cost::cost_by(&program, waiting), total(&program));
        if best.is_none_or(|(least, _, first, _)| (cost, i) < (least, first)) {
            best = Some((cost, operations, i, formalism));
        }
    }
    best.map_or(Formalism::ArticulatedBody, |(_, _, _, formalism)| formalism)
}

/// The formalism taken where the user names none: [`Choice::BySize`].
pub fn default_formalism(loaded: &Assembled, functions: &[&'static Definition]) -> Formalism {
    if loaded.mechanism.nv() > AUTO_ALL {
        let may = |f| is_lean(loaded, f) && solves_everywhere(loaded, f);
        return least_cost_among(loaded, functions, WAITING, &may);
    }
    let functions = functions::in_order(functions);
    if !functions.iter().any(|f| f.derive.asks_for_motion()) {
        return Formalism::Kane;
    }
    let of =
        |f: Formalism| cost(&derived(loaded, &Request::new(f, functions.clone()), derive::derive_to_count));
    let [kane, mixed] = [Formalism::Kane, Formalism::Mixed].map(of);
    let better = mixed * 100 < kane * (100 - BETTER) && mixed + SLIGHT < kane;
    if better { Formalism::Mixed } else { Formalism::Kane }
}

/// Refuses what would outgrow memory by one of the forms, before anything is derived.
///
/// # Errors
/// How large it would be, and what would fit.
pub fn check_size(loaded: &Assembled, forms: &[Formalism]) -> Result<(), Errors> {
    size::check(&loaded.mechanism, forms)
}

/// Refuses a function that the mechanism cannot give, where leaving it out would surprise.
///
/// # Errors
/// Which, why, and what to do.
pub fn check_functions(loaded: &Assembled, functions: &[&'static Definition]) -> Result<(), Errors> {
    let m = &loaded.mechanism;
    let asked = |vector| functions.iter().find(|f| f.takes(vector)).map(|f| f.name);
    let by_pose = |name: &str| {
        Diagnostic::error(
            "no-independent-speeds",
            format!("`{name}` of `{}`: which speeds are independent changes with the pose", m.name),
        )
        .help(
            "give the joint that moves freely its velocity in the axes of its body (`velocity_frame = \"body\"`), or use \
             `mass_matrix`, `bias` and `velocity_constraints`",
        )
    };
    let mut diagnostics = Vec::new();
    if let Some(name) = asked(Vector::IndependentAccelerations)
        && formalism::independent_speeds(m).is_none()
    {
        diagnostics.push(by_pose(name));
    }
    if let Some(f) = functions.iter().find(|f| f.in_independent_differences())
        && !m.constraints.is_empty()
        && (m.partition.driven.is_none() || m.partition.coordinates.is_none())
    {
        let text =
            format!("`{}` of `{}`: which states are independent changes with the pose", f.name, m.name);
        diagnostics.push(Diagnostic::error("no-independent-states", text).help(
            "give the joint that moves freely its velocity in the axes of its body (`velocity_frame = \"body\"`); `dqdt linearize` \
             chooses independent states at each state",
        ));
    }
    if let Some(name) = asked(Vector::DrivenAccelerations) {
        match formalism::driven_speeds(m) {
            Ok(_) => {}
            Err(NotDriven::Pose) => diagnostics.push(by_pose(name)),
            Err(NotDriven::Dependent(s)) => {
                let speed = &m.speeds[s].name;
                let text = format!("`{name}` of `{}`: `{speed}` cannot be driven besides the others", m.name);
                let independent = formalism::independent_speeds(m).unwrap_or_default();
                let names: Vec<&str> = independent.iter().map(|s| m.speeds[*s].name.as_str()).collect();
                let d = Diagnostic::error("dependent-driven", text);
                diagnostics.push(d.help(format!(
                    "the constraints give it from them, or say themselves that it depends; leave it out of `driven`. Independent are: {}",
                    names.join(", ")
                )));
            }
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(Errors { diagnostics, ..Errors::default() }) }
}

/// Percent of the cost that another form must save to be taken in place of Kane's.
const BETTER: u32 = 3;

/// And so much of it: less is not worth an unknown form.
const SLIGHT: u32 = 4 * WAITING;

/// Up to this number of speeds [`least_cost`] derives every formalism.
pub const AUTO_ALL: usize = 12;

/// So many times the operations of another form are not made up for by passes.
pub const HOPELESS: u32 = 3;

/// Prints a program as a Rust module.
pub fn rust(program: &Program) -> String {
    rust_with(program, &RustOptions::default())
}

/// As [`rust`], with options.
pub fn rust_with(program: &Program, options: &RustOptions) -> String {
    print::rust(program, Plan::with_parts(program, true), options)
}

/// The program as C: a header and a source file. What names them and their functions is the name of the mechanism.
pub fn c(program: &Program, options: &COptions) -> CFiles {
    print::c(program, Plan::new(program), options)
}

pub(crate) use cost::total;
pub use cost::{WAITING, cost};

pub use crate::assemble::{Assembled, AssembledState};
pub use crate::base::write_if_changed;
pub use crate::derive::{InertialParameters, Request};
pub use crate::mechanism::Origin;
pub use crate::print::{CFiles, COptions, CScalar, RustOptions};
