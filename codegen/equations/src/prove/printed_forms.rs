//! Claims about the closed forms that `inspect` prints.
//!
//! Problem: equations copied from a report must be the derived ones, and those must be the emitted
//!          ones.
//! Method:  the text of each form is read back, names are replaced by the definitions in the
//!          report's tables, and the result is proved equal to the derived quantity. The forms of
//!          the equations of motion are then reassembled as in the report (`printed_system`).
//! Limits:  quantities without a closed form are only counted.

use super::claim::Claim;
use super::printed_system::printed_system_claims;
use crate::inspect::{self, GroupRole, Quantities, Spelling};
use crate::symbolic::{
    Closed, Expressions, NumberStyle, Query, SymbolicError, parse_with_tables, plain_text, printed_text,
};
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::{NodeId, SymbolKind};
use dqdt_mechanics::formalism::Formalism;

/// Claims about the output of `inspect`, and the number of quantities without a closed form.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Claims about single closed forms, and about the equations that they make up.
    pub claims: Vec<Claim>,
    /// Number of quantities without a closed form, which are not covered.
    pub missing: usize,
}

/// Claims that every closed form printed by `inspect`, read back from its text, equals the derived
/// quantity, and that the printed equations are those that the emitted functions solve.
///
/// # Errors
/// If a printed form cannot be read back.
pub fn printed_forms_claims(loaded: &Assembled) -> Result<Printed, SymbolicError> {
    let m = &loaded.mechanism;
    let q = inspect::record_quantities_with_names(loaded, Formalism::Kane);
    let (expressions, forms) = inspect::entry_closed_forms(&q, m)?;
    let spelling = Spelling::for_mechanism(&expressions, m);
    let style = NumberStyle::for_forms(forms.iter().flatten());
    let texts: Vec<Option<String>> = (forms.iter())
        .map(|form| form.as_ref().ok().map(|c| printed_text(c, &|name| spelling.printed_name(name), style)))
        .collect();
    let spelled: Vec<(String, SymbolKind)> =
        expressions.symbol_names().map(|(name, kind)| (spelling.printed_name(name), kind)).collect();
    let tables = spelling.table_names(&expressions);
    let definitions = inspect::expanded_definitions(m);
    // If a definition has no closed form, names remain symbols on both sides.
    let full = definitions.is_some().then(|| inspect::record_quantities_in_full(loaded, Formalism::Kane));
    let full = full.filter(|full| group_sizes(full) == group_sizes(&q));
    let mut known = if full.is_some() { definitions.unwrap_or_default() } else { Vec::new() };
    let read_by = |tables: &[String]| -> Result<Vec<Option<Closed>>, SymbolicError> {
        let forms = texts.iter().map(|text| {
            let symbols = spelled.iter().map(|(name, kind)| (name.as_str(), *kind));
            text.as_ref().map(|text| parse_with_tables(text, symbols, tables)).transpose()
        });
        forms.collect()
    };
    let mut read = read_by(&tables)?;
    if full.is_some() {
        let unknown = add_report_definitions(&q, &read, &mut known);
        for form in &mut read {
            *form = form.take().filter(|form| !form.contains_symbol_where(&|kind| unknown.contains(&kind)));
        }
    }
    let meant = full.as_ref().unwrap_or(&q);
    let nodes = meant.groups.iter().flat_map(|g| g.nodes.iter().copied());
    let kept: Vec<NodeId> = nodes.zip(&read).filter(|(_, c)| c.is_some()).map(|(n, _)| n).collect();
    let missing = read.len() - kept.len();
    // Expressions of the kept entries number their function tables anew.
    let expressions_of_kept = Expressions::new(&meant.graph, &kept);
    let places = expressions_of_kept.table_places_in(&expressions);
    let kept_tables: Vec<String> =
        places.into_iter().map(|at| at.and_then(|at| tables.get(at).cloned()).unwrap_or_default()).collect();
    let again = read_by(&kept_tables)?.into_iter().zip(&read);
    let forms =
        again.filter_map(|(c, first)| first.as_ref().and(c)).map(|c| c.replace_symbols(&known)).collect();
    let entries = texts.into_iter().zip(&read).filter_map(|(text, c)| c.as_ref().and(text)).collect();
    let claim = Claim {
        title: format!("the {} closed forms that `inspect` prints equal the derived quantities", kept.len()),
        entries,
        query: Query::ProveClosed { expressions: expressions_of_kept, forms },
        assumptions: inspect::engine_assumptions(m),
        about: None,
    };
    let mut claims = vec![claim];
    claims.extend(printed_system_claims(loaded, &q, &expressions, &read));
    Ok(Printed { claims, missing })
}

/// Adds the definitions of named formulas and lengths to `known`. Returns the symbols without a
/// closed form.
fn add_report_definitions(
    q: &Quantities,
    read: &[Option<Closed>],
    known: &mut Vec<(SymbolKind, Closed)>,
) -> Vec<SymbolKind> {
    let mut unknown = Vec::new();
    let lengths: Vec<SymbolKind> = q.lengths.iter().map(|load| SymbolKind::Length(*load)).collect();
    for (role, kinds) in [(GroupRole::Named, &q.named), (GroupRole::Length, &lengths)] {
        let before = q.groups.iter().take_while(|g| g.role != role).map(|g| g.nodes.len()).sum();
        for (kind, form) in kinds.iter().zip(read.iter().skip(before)) {
            match form.as_ref().map(|form| form.replace_symbols(known)) {
                Some(form) if !form.contains_symbol_where(&|kind| unknown.contains(&kind)) => {
                    known.push((*kind, form))
                }
                _ => unknown.push(*kind),
            }
        }
    }
    unknown
}

/// Number of entries of each group.
fn group_sizes(q: &Quantities) -> Vec<usize> {
    q.groups.iter().map(|g| g.nodes.len()).collect()
}

/// Text of the closed form of each entry, as `inspect` prints it; `None` if there is no closed
/// form. Also returns the expressions that define the symbols.
///
/// # Errors
/// If an expression refers to a node that it does not contain.
pub fn closed_form_texts(
    loaded: &Assembled,
    q: &Quantities,
) -> Result<(Expressions, Vec<Option<String>>), SymbolicError> {
    let (expressions, forms) = inspect::entry_closed_forms(q, &loaded.mechanism)?;
    Ok((expressions, forms.iter().map(|form| form.as_ref().ok().map(plain_text)).collect()))
}
