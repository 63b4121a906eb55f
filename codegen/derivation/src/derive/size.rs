//! Estimated size of a derivation, before it starts.
//!
//! Problem: one number in a spec (`n = 300`) can require more operations than fit in memory.
//! Method:  an estimate from the tree alone. Formalisms that factor M, or derive by pairs of
//!          speeds, grow with Σ dᵢ², where dᵢ is the number of speeds from the ground to speed i
//!          (n³/3 for a chain). The others grow with Σ dᵢ, the size of the emitted M; without M and
//!          other matrices, with n. Constraints add rows² · speeds + rows³. The factors are those
//!          of a chain of 20 rods, counted by
//!          `dqdt compare examples/specs/families/chain.toml --set n=20`, rounded up.
//! Limits:  within a factor of three on chains; a bound on memory, not a forecast.

use super::Definition;
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_graph::ir::declaration::Returns;
use dqdt_graph::ir::{MOST_NODES, Program};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::mechanism::{JointId, JointVariable, Mechanism};

/// Estimated number of operations above which a derivation is refused as `too-large`; it takes
/// about half a gigabyte.
pub const MAX_OPERATIONS: u64 = 2_000_000;

/// Estimated number of operations of all functions by a formalism.
pub fn estimated_operations(m: &Mechanism, formalism: Formalism) -> u64 {
    estimate_operations(m, formalism, true)
}

/// Estimated number of operations, with or without matrices over pairs of speeds.
fn estimate_operations(m: &Mechanism, formalism: Formalism, matrices: bool) -> u64 {
    let free_speeds =
        |j: JointId| m.joints[j].speeds.iter().filter(|s| matches!(s, JointVariable::Free(_))).count() as u64;
    let (mut pairs, mut squares) = (0u64, 0u64);
    let mut depth: Vec<u64> = Vec::with_capacity(m.joints.len());
    // Parents precede their children.
    for (j, joint) in JointId::enumerate(&m.joints) {
        let d = joint.parent.map_or(0, |p| depth[p]) + free_speeds(j);
        pairs = pairs.saturating_add(free_speeds(j).saturating_mul(d));
        squares = squares.saturating_add(free_speeds(j).saturating_mul(d).saturating_mul(d));
        depth.push(d);
    }
    let rows: u64 = m.constraints.iter().map(|c| c.row_count() as u64).sum();
    let constrained = rows.saturating_mul(rows).saturating_mul(rows + m.nv() as u64);
    // Zeros of M are stored too; eight of them use the memory of one operation.
    let entries = (m.nv() as u64).saturating_mul(m.nv() as u64) / 8;
    let of_matrices = if matrices { pairs.saturating_mul(10).saturating_add(entries) } else { 0 };
    (200 * m.bodies.len() as u64)
        .saturating_add(of_matrices)
        .saturating_add(squares.saturating_mul(formalism.facts().growth))
        .saturating_add(constrained)
}

/// True if the estimated operations of a derivation by the formalism are within [`MAX_OPERATIONS`].
pub fn is_within_size_limit(m: &Mechanism, formalism: Formalism) -> bool {
    estimated_operations(m, formalism) <= MAX_OPERATIONS
}

/// Refuses a program whose recording stopped at the node limit. Unlike the estimate, this includes
/// formulas and functions.
///
/// # Errors
///
/// The limit and a remedy, or an internal error of the derivation or of a pass.
pub fn check_node_limit(program: &Program) -> Result<(), Errors> {
    program.graph.invariants().ensure_unbroken()?;
    if !program.graph.is_full() {
        return Ok(());
    }
    let d = Diagnostic::error(
        "too-large",
        format!(
            "the equations of `{}` require more than {} operations",
            program.name,
            count_in_words(MOST_NODES as u64)
        ),
    )
    .help("request fewer functions, reduce the number of bodies or states, or shorten the formulas");
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}

/// Maximum number of bodies for the search of base parameters. Its cost grows with the cube of this
/// number, to about ten seconds at the limit.
const MOST_BODIES: usize = 300;

/// Refuses the search for base parameters of too many bodies.
///
/// # Errors
///
/// The limit.
pub fn check_base_parameters(m: &Mechanism) -> Result<(), Errors> {
    if m.bodies.len() <= MOST_BODIES {
        return Ok(());
    }
    let d = Diagnostic::error(
        "too-large",
        format!(
            "`{}` has {} bodies: the search for base parameters supports at most {MOST_BODIES}",
            m.name,
            m.bodies.len()
        ),
    );
    let d = d.help("use fewer bodies: set a smaller size in `[repeat]` or with `--set`");
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}

/// Refuses functions whose estimate by a formalism exceeds the limit. Without a matrix among them,
/// more bodies fit.
///
/// # Errors
///
/// The estimate, and a formalism or size that fits.
pub fn check_function_sizes(
    m: &Mechanism,
    form: Formalism,
    functions: &[&'static Definition],
) -> Result<(), Errors> {
    let matrices = form.has_mass_matrix() || !functions.iter().all(|f| returns_vector(f));
    if estimate_operations(m, form, matrices) <= MAX_OPERATIONS {
        return Ok(());
    }
    check_formalism_sizes(m, &[form])
}

/// True if the function returns a vector, not a matrix or a struct.
fn returns_vector(f: &Definition) -> bool {
    match f.returns {
        Returns::Array { dims, .. } => dims.len() < 2,
        Returns::Limited { .. } => true,
        Returns::Struct { .. } | Returns::Joint(_) => false,
    }
}

/// Refuses a mechanism that exceeds the limit with one of the formalisms.
///
/// # Errors
///
/// The estimate, and a formalism or size that fits.
pub fn check_formalism_sizes(m: &Mechanism, forms: &[Formalism]) -> Result<(), Errors> {
    let largest = forms.iter().max_by_key(|f| estimated_operations(m, **f));
    let Some(form) = largest.filter(|f| !is_within_size_limit(m, **f)) else { return Ok(()) };
    let about = |f: Formalism| count_in_words(estimated_operations(m, f));
    let d = Diagnostic::error(
        "too-large",
        format!(
            "`{}` has {} speeds: with the formalism {}, its equations would require about {} operations; the limit is {}",
            m.name,
            m.nv(),
            form.name(),
            about(*form),
            count_in_words(MAX_OPERATIONS)
        ),
    );
    let best = Formalism::ALL.into_iter().min_by_key(|f| estimated_operations(m, *f));
    let d = match best.filter(|f| is_within_size_limit(m, *f)) {
        Some(f) => d.help(format!(
            "use `--formalism {}`, which requires about {} operations and is supported by `emit`, `eval` and `simulate`",
            f.name(),
            about(f)
        )),
        None => d.help("use fewer bodies: set a smaller size in `[repeat]` or with `--set`"),
    };
    let d = d.help("use `emit --family` to get one module that uses loops and covers every number of bodies");
    Err(Errors { diagnostics: vec![d], ..Errors::default() })
}

/// A number of operations in words, such as `12 thousand`.
fn count_in_words(operations: u64) -> String {
    match operations {
        0..10_000 => operations.to_string(),
        10_000..1_000_000 => format!("{} thousand", operations / 1000),
        _ => format!("{:.1} million", operations as f64 / 1e6),
    }
}
