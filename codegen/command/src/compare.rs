//! Comparison of all formalisms on one mechanism.
//!
//! Problem: which formalism gives the cheapest equations here, and do all formalisms agree?
//! Method:  each formalism derives `dqdt`. The simplified graph is counted, printed as Rust for its
//! size, and interpreted at random states, where its accelerations are compared with those of the
//! first formalism.
//! States:  coordinates and speeds within one unit around the start, drawn from a fixed seed;
//! quaternions are normalised.
//! Disagreement: `max|a − b| / max(1, max|b|)`, the largest over all states at which both are
//! regular.
//! Cost:    one derivation per formalism. Times are those of this machine and this build.

pub mod sweep;

use std::time::{Duration, Instant};

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_diagnostics::base::Random;
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Cost, Machine, Program, count, function_longest_chain};
use dqdt_mechanics::formalism::Formalism;

/// Number of random states at which each formalism is evaluated and compared with the first.
pub const STATES: usize = 20;

/// Results of one formalism in a comparison.
#[derive(Debug)]
pub struct FormalismResult {
    /// The formalism that was derived.
    pub formalism: Formalism,
    /// Operation count of one call of the emitted `dqdt`.
    pub cost: Cost,
    /// Longest chain of dependent operations in `dqdt`, in operations.
    pub depth: u32,
    /// Size of the emitted Rust module in bytes; it contains only `dqdt` and its `Model`.
    pub source_bytes: usize,
    /// Wall-clock time from the assembled mechanism to the printed module.
    pub derivation: Duration,
    /// Largest relative difference to the accelerations of the first formalism. `None` for the
    /// first itself, and if no state could be compared.
    pub disagreement: Option<f64>,
    /// Number of random states at which this formalism is singular, so that no accelerations exist.
    pub singular: usize,
    /// Text of the emitted Rust module, which the benchmark compiles.
    pub module: String,
    /// The program of the module, which this process can evaluate.
    pub program: Program,
}

/// Derives `dqdt` by each formalism and compares the results with those of the first.
///
/// # Errors
/// An internal error of a printer.
pub fn compare_formalisms(loaded: &Assembled, forms: &[Formalism]) -> Result<Vec<FormalismResult>, Errors> {
    let mut reference: Option<Vec<Option<Vec<f64>>>> = None;
    let mut out = Vec::with_capacity(forms.len());
    for formalism in forms {
        let start = Instant::now();
        let request = Request::new(*formalism, vec![functions::DQDT]);
        let program = pipeline::program(loaded, &request);
        let module = pipeline::rust(&program)?;
        let derivation = start.elapsed();
        let Some(function) = program.function(functions::DQDT) else {
            continue;
        };
        let values = sampled_accelerations(&program);
        let singular = values.iter().filter(|v| v.is_none()).count();
        let disagreement = reference.as_ref().and_then(|r| largest_disagreement(&values, r));
        out.push(FormalismResult {
            formalism: *formalism,
            cost: count(&program, function),
            depth: function_longest_chain(&program, function),
            source_bytes: module.len(),
            derivation,
            disagreement,
            singular,
            module,
            program,
        });
        reference.get_or_insert(values);
    }
    Ok(out)
}

/// Accelerations at the random states of the comparison; `None` where they are singular.
fn sampled_accelerations(program: &Program) -> Vec<Option<Vec<f64>>> {
    let Some(mut machine) = Machine::new(program, functions::DQDT) else { return Vec::new() };
    let (nq, nv) = (program.layout.q.len(), program.layout.v.len());
    let mut random = Random::new(0x5eed_d9d7);
    (0..STATES)
        .map(|_| {
            let mut a = Arguments::defaults(program);
            for x in a.q.iter_mut().chain(&mut a.v) {
                *x += random.next_signed();
            }
            for first in &program.layout.quaternions {
                let unit = &mut a.q[*first..first + 4];
                let length = unit.iter().map(|x| x * x).sum::<f64>().sqrt();
                unit.iter_mut().for_each(|x| *x /= length);
            }
            machine.call(&a).ok().map(|dx| dx[nq..nq + nv].to_vec())
        })
        .collect()
}

fn largest_disagreement(values: &[Option<Vec<f64>>], reference: &[Option<Vec<f64>>]) -> Option<f64> {
    let pairs = values.iter().zip(reference).filter_map(|(a, b)| a.as_ref().zip(b.as_ref()));
    let errors = pairs.map(|(a, b)| {
        let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        a.iter().zip(b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / size
    });
    errors.reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_agree_and_a_wrong_one_would_show() {
        let root =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml");
        let loaded = pipeline::load(&root).unwrap();
        let forms = compare_formalisms(&loaded, &Formalism::ALL).unwrap();
        assert_eq!(forms.len(), Formalism::ALL.len());
        for form in &forms[1..] {
            assert!(form.disagreement.is_some_and(|d| d < 1e-12), "{form:?}");
        }
        assert!(forms.iter().all(|f| f.singular == 0 && f.depth > 3 && f.source_bytes > 1000));
        let right = [Some(vec![1.0, 2.0]), None];
        assert_eq!(largest_disagreement(&[Some(vec![1.0, 3.0]), Some(vec![0.0])], &right), Some(0.5));
        assert_eq!(largest_disagreement(&[None, Some(vec![0.0])], &right), None);
    }
}
