//! Comparison of all formalisms over the members of a family: growth of operations and run time
//! with the number of bodies.
//!
//! Problem: the cheapest formalism depends on the size of the mechanism and on its topology.
//! Method:  members at the sizes of [`sweep_sizes`], each compared by [`compare_formalisms`]. A
//!          formalism whose count exceeds [`LIMIT`] is not derived for larger members, since its
//!          growth is already visible.
//! Source:  the two figures of A. B. Byachkov, V. N. Ivanov and V. A. Shimanovsky (2009):
//! operations against the number of bodies, for chains and binary trees, with joints of one and of
//! three degrees of freedom.
//! Not handled: the iterative solvers of that paper. Their cost depends on a tolerance and a start.

use crate::compare::{FormalismResult, compare_formalisms};
use dqdt_derivation::assemble::Assembled;
use dqdt_diagnostics::error::Errors;
use dqdt_mechanics::formalism::Formalism;
use dqdt_view::figure::{Growth, GrowthPanel};

/// Operations of one `dqdt` call above which a formalism is not derived for larger members of a
/// family.
pub const LIMIT: u32 = 20_000;

/// Note below every table and figure of a sweep over a family.
pub const NO_ITERATIVE: &str = "Only direct solutions are compared; the iterative solvers of the tree-forms paper (Byachkov, Ivanov, Shimanovsky 2009) are not included.";

/// Results of all formalisms for one member of a family.
#[derive(Debug)]
pub struct MemberResults {
    /// Value of the varied size of `[repeat]`.
    pub size: i64,
    /// Number of bodies of the member, the abscissa of the figure.
    pub bodies: usize,
    /// Number of speeds of the member.
    pub speeds: usize,
    /// Results of the formalisms that were derived, in the order requested.
    pub forms: Vec<FormalismResult>,
}

impl MemberResults {
    /// True if the formalism was derived for this member; large members omit expensive ones.
    fn has_formalism(&self, formalism: Formalism) -> bool {
        self.forms.iter().any(|form| form.formalism == formalism)
    }
}

/// Sizes of a sweep up to `last`: 2^k − 1, for which a binary tree is complete, sizes half-way
/// between, and `last` itself.
///
/// The first size is 2 (unless `last` is 1), since a single body shows no growth.
pub fn sweep_sizes(last: i64) -> Vec<i64> {
    let complete = (1..62).map(|k| (1i64 << k) - 1);
    let mut sizes: Vec<i64> =
        complete.flat_map(|c| [c, c + (c + 1) / 2]).skip(1).take_while(|size| *size < last).collect();
    if last >= 1 {
        sizes.push(last);
    }
    sizes
}

/// Compares the formalisms on the family member of each size.
///
/// `member` loads the mechanism of a size. `done` is called after each comparison and may measure
/// run times. The sweep ends early when all formalisms have exceeded [`LIMIT`].
///
/// # Errors
/// Errors of `member` and `done`; an internal error of a printer.
pub fn compare_family<E: From<Errors>>(
    sizes: &[i64],
    forms: &[Formalism],
    mut member: impl FnMut(i64) -> Result<Assembled, E>,
    mut done: impl FnMut(&Assembled, &MemberResults) -> Result<(), E>,
) -> Result<Vec<MemberResults>, E> {
    let mut remaining = forms.to_vec();
    let mut out = Vec::new();
    for size in sizes {
        if remaining.is_empty() {
            break;
        }
        let loaded = member(*size)?;
        let forms = compare_formalisms(&loaded, &remaining)?;
        remaining.retain(|f| forms.iter().any(|g| g.formalism == *f && g.cost.call.total() <= LIMIT));
        let m = &loaded.mechanism;
        let member = MemberResults { size: *size, bodies: m.bodies.len(), speeds: m.nv(), forms };
        done(&loaded, &member)?;
        out.push(member);
    }
    Ok(out)
}

/// Formalisms missing from some member of a sweep, each with the number of bodies of the last
/// member that has it.
pub fn cut_off_formalisms(members: &[MemberResults], forms: &[Formalism]) -> Vec<(Formalism, usize)> {
    forms
        .iter()
        .filter(|f| !members.iter().all(|m| m.has_formalism(**f)))
        .filter_map(|f| members.iter().rev().find(|m| m.has_formalism(*f)).map(|m| (*f, m.bodies)))
        .collect()
}

/// Sentence about the formalisms whose curves end early because of [`LIMIT`]; `None` if none does.
pub fn cut_off_note(members: &[MemberResults], forms: &[Formalism]) -> Option<String> {
    let cut: Vec<String> = (cut_off_formalisms(members, forms).iter())
        .map(|(f, bodies)| format!("{} at {bodies}", f.name()))
        .collect();
    (!cut.is_empty()).then(|| {
        format!(
            "The curve of a formalism ends at the first member of the family with more than {LIMIT} \
             operations: {}.",
            cut.join(", ")
        )
    })
}

/// Figure of operations and, if measured, nanoseconds per call against the number of bodies.
/// `nanoseconds` is indexed by member, then by formalism as in [`MemberResults::forms`].
pub fn growth_figure(
    title: &str,
    members: &[MemberResults],
    forms: &[Formalism],
    nanoseconds: Option<&[Vec<f64>]>,
) -> Growth {
    let curves = |value: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<(String, Vec<Option<f64>>)> {
        let curves = forms.iter().map(|f| {
            let values = (members.iter().enumerate())
                .map(|(k, m)| value(k, m.forms.iter().position(|g| g.formalism == *f)?));
            (f.name().to_owned(), values.collect())
        });
        curves.collect()
    };
    let mut panels = vec![GrowthPanel {
        label: "operations per call of dqdt".to_owned(),
        curves: curves(&|k, i| Some(f64::from(members[k].forms[i].cost.call.total()))),
    }];
    if let Some(times) = nanoseconds {
        panels.push(GrowthPanel {
            label: "nanoseconds per call of the compiled code".to_owned(),
            curves: curves(&|k, i| times.get(k)?.get(i).copied()),
        });
    }
    let notes = cut_off_note(members, forms).into_iter().chain([NO_ITERATIVE.to_owned()]).collect();
    Growth {
        title: title.to_owned(),
        x_label: "number of bodies".to_owned(),
        x: members.iter().map(|m| m.bodies as f64).collect(),
        panels,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_generate::pipeline;
    use dqdt_spec::read::Settings;

    #[test]
    fn the_ladder_has_complete_trees_and_its_end() {
        assert_eq!(sweep_sizes(20), [2, 3, 5, 7, 11, 15, 20]);
        assert_eq!(sweep_sizes(63), [2, 3, 5, 7, 11, 15, 23, 31, 47, 63]);
        assert_eq!(sweep_sizes(1), [1]);
        assert!(sweep_sizes(0).is_empty());
        assert!(sweep_sizes(i64::MAX).len() > 100);
    }

    #[test]
    fn a_form_that_grows_too_dear_ends_and_is_named() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples/specs/families/chain_spherical.toml");
        let forms = [Formalism::ArticulatedBody, Formalism::Extended, Formalism::Lagrange];
        let members = compare_family(
            &[1, 5, 6],
            &forms,
            |n| pipeline::load_with(&path, &Settings::new().set("n", n)),
            |_, _| Ok(()),
        );
        let members = members.unwrap();
        let counts = |k: usize| members[k].forms.len();
        assert_eq!([members[1].bodies, members[1].speeds], [5, 15]);
        assert_eq!([counts(0), counts(1), counts(2)], [3, 3, 2]);
        assert_eq!(cut_off_formalisms(&members, &forms), [(Formalism::Lagrange, 5)]);
        assert!(cut_off_note(&members, &forms).is_some_and(|n| n.contains("lagrange at 5")));
        assert!(cut_off_note(&members[..2], &forms).is_none());
        let figure = growth_figure("chain", &members, &forms, None);
        assert_eq!(figure.x, [1.0, 5.0, 6.0]);
        assert_eq!(figure.panels[0].curves[2].1[2], None);
    }
}
