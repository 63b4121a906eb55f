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
//!
//! Length: the order of the stages, once for each choice of a formalism; the steps are in `pipeline`.

mod choices;
mod cost;
mod digits;
pub(crate) mod inertia;
pub mod mechanism;
pub mod program;
mod refine;
pub mod singles;
mod wanted;

use std::path::Path;

#[cfg(feature = "cli")]
use crate::algebra::Number;
use crate::assemble;
use crate::derive::{self, size};
use crate::error::{Diagnostic, Errors};
use crate::formalism::{ConstraintsBy, Formalism, Lean, SolvedSystem};
use crate::functions::{self, Definition, Derive};
use crate::ir::{Cost, Program, count};
use crate::mechanism::{Axes, Groups, Mechanism, Poles};
#[cfg(feature = "cli")]
use crate::mechanism::{Formula, StartRole};
use crate::plan::{self, Plan};
use crate::print;
use crate::read::{self, Opened, Settings};
use crate::resolve::{self, Resolved};
use crate::simplify::simplify;
use crate::spec::Spec;

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
    let mut loaded = assemble::assemble(resolved(spec, file)?)?;
    functions_of(&loaded)?;
    inertia::find_massless(&mut loaded, spec);
    Ok(loaded)
}

/// As [`build`], with the start of the mechanism near given coordinates: assembly begins there and not at the start of the spec.
/// What the spec says of starts stays in [`Assembled::starts`].
#[cfg(feature = "cli")]
pub(crate) fn build_near(
    spec: &Spec,
    file: impl Into<String>,
    coordinates: &dyn Fn(&str) -> Option<f64>,
) -> Result<Assembled, Errors> {
    let mut resolved = resolved(spec, file)?;
    let starts = resolved.starts.clone();
    for (c, given) in resolved.mechanism.coordinates.iter_mut().zip(&mut resolved.starts.coordinates) {
        if let Some(x) = coordinates(&c.name) {
            c.start = Formula::Number(Number::float(x));
            given.role = StartRole::Guess;
        }
    }
    // Speeds that the spec keeps at its own start need not be possible here.
    for given in resolved.starts.speeds.iter_mut().filter(|s| s.role == StartRole::Kept) {
        given.role = StartRole::Guess;
    }
    let mut loaded = assemble::assemble(resolved)?;
    loaded.starts = starts;
    functions_of(&loaded)?;
    inertia::find_massless(&mut loaded, spec);
    Ok(loaded)
}

fn resolved(spec: &Spec, file: impl Into<String>) -> Result<Resolved, Errors> {
    let mut resolved = resolve::resolve(spec)?;
    resolved.origin.file = file.into();
    Ok(resolved)
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
    if choices::open(loaded, request) {
        return derived(&prepared(loaded, request, WAITING), request, derive);
    }
    let plain = simplify(&derive(&loaded.mechanism, request, &loaded.origin));
    if !request.side_by_side {
        return plain;
    }
    let Some(alike) = derive::alike(&loaded.mechanism) else { return plain };
    let with_parameters = simplify(&derive(&alike.mechanism, request, &loaded.origin));
    let limbs = derive::numbers_back(&with_parameters, &alike.numbers, &plain);
    let effort = |p: &Program| total(p) - plan::saved(p).iter().sum::<u32>();
    if effort(&limbs) < effort(&plain) { limbs } else { plain }
}

/// How the formalism is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Of the formalisms whose graphs stay small, the one of the least [`cost`]; up to [`AUTO_ALL`] speeds Kane's unless the mixed form, or projection
    /// saves more than 3 percent and more than 16 operations.
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
    /// No search: Kane's form up to [`AUTO_ALL`] speeds and with constraints, else the mixed form in groups of three joints, and
    /// where that outgrows memory a form that does not; every body in its own axes.
    Quick,
    /// This one.
    Given(Formalism),
}

impl Choice {
    /// What an operation of the longest chain counts.
    pub(crate) const fn waiting(self) -> u32 {
        if matches!(self, Choice::FewestOperations) { 0 } else { WAITING }
    }

    /// What is derived by it: a processor that does one operation after the other gains nothing from equal limbs.
    pub(crate) fn request(self, formalism: Formalism, functions: Vec<&'static Definition>) -> Request {
        let side_by_side = !matches!(self, Choice::FewestOperations);
        Request { side_by_side, ..Request::new(formalism, functions) }
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
    inertia::check(loaded, functions)?;
    let (formalism, prepared) = chosen(loaded, choice, functions);
    inertia::check_form(loaded, formalism, functions)?;
    size::check_functions(&loaded.mechanism, formalism, functions)?;
    let request = choice.request(formalism, functions.to_vec());
    let program = program(&prepared, &request);
    size::check_recorded(&program)?;
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
    inertia::check(loaded, functions)?;
    let formalism = match choice {
        Choice::Given(f) => f,
        _ => chosen(loaded, choice, functions).0,
    };
    inertia::check_form(loaded, formalism, functions)?;
    size::check_functions(&loaded.mechanism, formalism, functions)?;
    Ok(formalism)
}

/// Derives functions that are interpreted here and printed nowhere: without a search for origins, axes and groups, and without
/// equal limbs, which only a compiler makes use of.
///
/// # Errors
/// If the equations outgrow memory.
#[cfg(feature = "simulate")]
pub(crate) fn program_to_run(
    loaded: &Assembled,
    formalism: Formalism,
    functions: &[&'static Definition],
) -> Result<Program, Errors> {
    let functions = functions::in_order(functions);
    let request = Request { side_by_side: false, ..Request::new(formalism, functions) };
    let program = derived(&as_written(loaded), &request, derive::derive);
    size::check_recorded(&program)?;
    Ok(program)
}

/// A form that keeps the digits which this one loses to light bodies under load and constraints; `None` where it keeps them, or none does.
#[cfg(feature = "simulate")]
pub(crate) fn form_that_keeps_digits(loaded: &Assembled, taken: Formalism) -> Option<Formalism> {
    let fits = |f: Formalism| size::fits(&loaded.mechanism, f);
    digits::form_that_keeps(loaded, taken, &fits, &|f| program_to_run(loaded, f, &[functions::DQDT]).ok())
}

/// The mechanism with the origins, axes and groups that a form takes for these functions.
pub(crate) fn prepared(loaded: &Assembled, request: &Request, waiting: u32) -> Assembled {
    if !choices::open(loaded, request) {
        return loaded.clone();
    }
    refine::found(loaded, request, waiting, &|l, r| derived(l, r, derive::derive_to_count))
}

/// The formalism, and the mechanism with what it chooses for these functions.
fn chosen(loaded: &Assembled, choice: Choice, functions: &[&'static Definition]) -> (Formalism, Assembled) {
    let functions = functions::in_order(functions);
    let singular = loaded.mechanism.partition.tree_is_singular;
    match choice {
        Choice::Given(f) => (f, prepared(loaded, &choice.request(f, functions), choice.waiting())),
        Choice::Quick => keep_digits(loaded, &functions, quick(loaded)),
        _ if singular => without_inverse(loaded, &functions, choice),
        Choice::BySize => by_size(loaded, &functions),
        Choice::LeastCost => keep_digits(loaded, &functions, of_least_cost(loaded, &functions)),
        Choice::FewestOperations => {
            let may = |f| is_lean(loaded, f) && solves_everywhere(loaded, f);
            keep_digits(loaded, &functions, least_cost_among(loaded, &functions, choice, &may))
        }
        Choice::ForSingles => {
            let fits = |f: Formalism| solves_everywhere(loaded, f) && size::fits(&loaded.mechanism, f);
            let derived =
                |loaded: &Assembled, request: &Request| derived(loaded, request, derive::derive_to_count);
            let (default, own) = by_size(loaded, &functions);
            let (formalism, other) = singles::formalism(loaded, &functions, (default, &own), &fits, &derived);
            // The default form may be taken with other axes.
            let prepare = || prepared(loaded, &Request::new(formalism, functions.clone()), WAITING);
            let of_form = || if formalism == default { own.clone() } else { prepare() };
            (formalism, other.unwrap_or_else(of_form))
        }
    }
}

/// The formalism whose functions have the least [`cost`] a call, all asked for together, after every pass. Of equals the first
/// in [`Formalism::ALL`] wins, so that the choice is the same on every machine.
///
/// Candidates are all formalisms; above [`AUTO_ALL`] speeds only those whose graphs stay small, and
/// `maggi_coordinates` where there are constraints. What takes [`HOPELESS`] times the
/// operations of another before any pass is not simplified. Where none fits in memory it is `articulated_body`, which is
/// then refused. Whoever wants the functions too asks [`derive()`] for them.
pub fn least_cost(loaded: &Assembled, functions: &[&'static Definition]) -> Formalism {
    chosen(loaded, Choice::LeastCost, functions).0
}

/// The form of least cost among those that solve where M of the tree is singular.
fn without_inverse(
    loaded: &Assembled,
    functions: &[&'static Definition],
    choice: Choice,
) -> (Formalism, Assembled) {
    least_cost_among(loaded, functions, choice, &|f| solves_everywhere(loaded, f))
}

/// [`Choice::Quick`].
fn quick(loaded: &Assembled) -> (Formalism, Assembled) {
    let m = &loaded.mechanism;
    if m.partition.tree_is_singular {
        let may = |f: &Formalism| solves_everywhere(loaded, *f) && size::fits(m, *f);
        let forms = [Formalism::MaggiCoordinates, Formalism::Maggi, Formalism::LagrangeFirst];
        return (forms.into_iter().find(may).unwrap_or(Formalism::Extended), as_written(loaded));
    }
    let small = m.nv() <= AUTO_ALL || !m.constraints.is_empty();
    let first = if small { Formalism::Kane } else { Formalism::Mixed };
    let mut others =
        Formalism::ALL.into_iter().filter(|f| is_lean(loaded, *f) && solves_everywhere(loaded, *f));
    let fits = |f: &Formalism| size::fits(m, *f);
    let formalism = if fits(&first) { first } else { others.find(fits).unwrap_or(first) };
    (formalism, as_written(loaded))
}

/// With the origins, axes and groups that are there before any search.
pub(crate) fn as_written(loaded: &Assembled) -> Assembled {
    let m = &loaded.mechanism;
    let axes = Axes { found: true, ..m.axes.clone() };
    let groups = Groups { found: true, ..m.groups.clone() };
    let poles = Poles { found: true, ..m.poles.clone() };
    Assembled { mechanism: Mechanism { axes, groups, poles, ..m.clone() }, ..loaded.clone() }
}

fn of_least_cost(loaded: &Assembled, functions: &[&'static Definition]) -> (Formalism, Assembled) {
    let all = loaded.mechanism.nv() <= AUTO_ALL;
    least_cost_among(loaded, functions, Choice::LeastCost, &|f| all || is_lean(loaded, f))
}

/// Whether the graph of a formalism stays small on a large mechanism.
fn is_lean(loaded: &Assembled, f: Formalism) -> bool {
    match f.facts().lean {
        Lean::Always => true,
        Lean::WithConstraints => !loaded.mechanism.constraints.is_empty(),
        Lean::No => false,
    }
}

/// Whether a formalism solves in every pose in which the constraints have their rank. Few do where M of the tree is singular. Projection divides by dependent speeds that
/// are chosen once: around a loop there may be a pose where they do not follow from the others. Where every loop leaves one motion
/// there are none (`mechanism::embedded`).
fn solves_everywhere(loaded: &Assembled, f: Formalism) -> bool {
    let m = &loaded.mechanism;
    let closes_loops = || m.constraints.iter().any(|c| !c.is_program() && c.holds_positions());
    let embeds = f == Formalism::MaggiCoordinates && m.partition.embedded.is_some();
    inertia::takes(m, f) && (f.facts().constraints != ConstraintsBy::Projection || embeds || !closes_loops())
}

/// A formalism with what it costs.
struct Candidate {
    /// And its place in the list, which decides between equals.
    cost: (u32, usize),
    operations: u32,
    found: (Formalism, Assembled),
}

/// Of those that may be taken, with what it chooses.
fn least_cost_among(
    loaded: &Assembled,
    functions: &[&'static Definition],
    choice: Choice,
    may: &dyn Fn(Formalism) -> bool,
) -> (Formalism, Assembled) {
    let candidate = |(_, f): &(usize, Formalism)| may(*f) && size::fits(&loaded.mechanism, *f);
    let mut candidates: Vec<(usize, Formalism)> =
        Formalism::ALL.into_iter().enumerate().filter(candidate).collect();
    // Of a large mechanism it is what solves by sweeps as a rule: the others then need not be simplified.
    candidates.sort_by_key(|(i, f)| (f.facts().solves != SolvedSystem::Sweeps, *i));
    let mut best: Option<Candidate> = None;
    let mut tried: Vec<(usize, Vec<Cost>)> = Vec::new();
    for (i, formalism) in candidates {
        let request = choice.request(formalism, functions.to_vec());
        let recorded = derive::derive_to_count(&loaded.mechanism, &request, &loaded.origin);
        let hopeless = best.as_ref().is_some_and(|least| total(&recorded) > HOPELESS * least.operations);
        // Of a tree some forms are the same operations, and each would look for its choices.
        let counts: Vec<Cost> = recorded.functions.iter().map(|f| count(&recorded, f)).collect();
        if hopeless || tried.iter().any(|(before, same)| *before < i && *same == counts) {
            continue;
        }
        tried.push((i, counts));
        let own = prepared(loaded, &request, choice.waiting());
        let program = derived(&own, &request, derive::derive_to_count);
        let cost = (cost::cost_by(&program, choice.waiting()), i);
        if best.as_ref().is_none_or(|least| cost < least.cost) {
            best = Some(Candidate { cost, operations: total(&program), found: (formalism, own) });
        }
    }
    // What never grows is refused by its size.
    let lean = if loaded.mechanism.partition.tree_is_singular {
        Formalism::Extended
    } else {
        Formalism::ArticulatedBody
    };
    best.map_or_else(|| (lean, loaded.clone()), |least| least.found)
}

/// The formalism taken where the user names none: [`Choice::BySize`].
pub fn default_formalism(loaded: &Assembled, functions: &[&'static Definition]) -> Formalism {
    chosen(loaded, Choice::BySize, functions).0
}

fn by_size(loaded: &Assembled, functions: &[&'static Definition]) -> (Formalism, Assembled) {
    keep_digits(loaded, functions, by_cost(loaded, functions))
}

/// `taken`, or a form that keeps its digits where that one loses them.
fn keep_digits(
    loaded: &Assembled,
    functions: &[&'static Definition],
    taken: (Formalism, Assembled),
) -> (Formalism, Assembled) {
    let may = |f: Formalism| solves_everywhere(loaded, f) && size::fits(&loaded.mechanism, f);
    digits::keep(loaded, functions, taken, &may, &|l, r| derived(l, r, derive::derive_to_count))
}

fn by_cost(loaded: &Assembled, functions: &[&'static Definition]) -> (Formalism, Assembled) {
    if loaded.mechanism.nv() > AUTO_ALL {
        let may = |f| is_lean(loaded, f) && solves_everywhere(loaded, f);
        return least_cost_among(loaded, functions, Choice::BySize, &may);
    }
    let of = |f: Formalism| {
        let request = Request::new(f, functions.to_vec());
        (prepared(loaded, &request, WAITING), request)
    };
    let (kane, of_kane) = of(Formalism::Kane);
    if !functions.iter().any(|f| f.derive.asks_for_motion()) {
        return (Formalism::Kane, kane);
    }
    let cost = |own: &Assembled, request: &Request| cost(&derived(own, request, derive::derive_to_count));
    let by_kane = cost(&kane, &of_kane);
    let mut best = (by_kane, (Formalism::Kane, kane));
    let constrained = !loaded.mechanism.constraints.is_empty();
    let others = [Formalism::Mixed].into_iter().chain(constrained.then_some(Formalism::MaggiCoordinates));
    for f in others.filter(|f| solves_everywhere(loaded, *f)) {
        let (own, request) = of(f);
        let other = cost(&own, &request);
        let better = other * 100 < by_kane * (100 - BETTER) && other + SLIGHT < by_kane;
        if better && other < best.0 {
            best = (other, (f, own));
        }
    }
    best.1
}

/// Refuses what would outgrow memory by one of the forms, before anything is derived.
///
/// # Errors
/// How large it would be, and what would fit.
pub fn check_size(loaded: &Assembled, forms: &[Formalism]) -> Result<(), Errors> {
    size::check(&loaded.mechanism, forms)
}

/// Percent of the cost that another form must save to be taken in place of Kane's.
const BETTER: u32 = 3;

/// And so much of it: less is not worth an unknown form.
const SLIGHT: u32 = 2 * WAITING;

/// Up to this number of speeds [`least_cost`] derives every formalism.
pub const AUTO_ALL: usize = 12;

/// So many times the operations of another form are not made up for by passes.
pub const HOPELESS: u32 = 3;

/// Prints a program as a Rust module.
///
/// # Errors
/// An internal error, if the program or the printer is broken.
pub fn rust(program: &Program) -> Result<String, Errors> {
    rust_with(program, &RustOptions::default())
}

/// As [`rust`], with options.
///
/// # Errors
/// As [`rust`].
pub fn rust_with(program: &Program, options: &RustOptions) -> Result<String, Errors> {
    program.check()?;
    Ok(print::rust(program, Plan::with_parts(program, true), options)?)
}

/// The program as C: a header and a source file. What names them and their functions is the name of the mechanism.
///
/// # Errors
/// An internal error, if the program or the printer is broken.
pub fn c(program: &Program, options: &COptions) -> Result<CFiles, Errors> {
    program.check()?;
    Ok(print::c(program, Plan::with_parts(program, true), options)?)
}

pub(crate) use cost::total;
pub use cost::{WAITING, cost};
pub use wanted::{check_functions, functions_of};

pub use crate::assemble::{Assembled, AssembledState};
pub use crate::base::write_if_changed;
pub use crate::derive::{InertialParameters, Request};
pub use crate::mechanism::Origin;
pub use crate::print::{CFiles, COptions, CScalar, RustOptions};
