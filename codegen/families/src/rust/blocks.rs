//! Emits the blocks of M, c, Q and q̇ of a family as loops over the indices around a formula.

use syn::{Expr, Stmt, parse_quote};

use super::expression::{emit_expression, isize_index, strip_parentheses};
use super::names::{FamilyNames, StemOrder};
use crate::indexed::{Answer, Base, Index, Range, Stem, factor_formula};
use crate::notation::{Style, formula_math};
use dqdt_print::rust::prose::single_line_text;
use dqdt_print::rust::syntax::{assignment_statement, has_same_tokens, ident, mul, name_expression, neg};

/// Emitted statements that store the value of an entry of M, c, Q or q̇ at i, j, and at exchanged
/// indices.
pub(super) struct EntryBlock {
    /// Emitted statements for the entry at i, j itself.
    direct: Vec<Stmt>,
    /// The entry at j, i of a symmetric or antisymmetric block of c.
    exchanged: Option<ExchangedEntry>,
    /// Number of nested loops over i and j, even if the formula does not use them.
    loops: usize,
}

/// A term of c that is added at exchanged indices: its position in c, and the rates by which the
/// value is multiplied.
struct ExchangedEntry {
    position: Expr,
    factors: Vec<Expr>,
}

impl ExchangedEntry {
    /// Emits the statement `c[position] += value · rates`.
    fn emit_addition(&self, value: Expr) -> Stmt {
        let (place, value) = (&self.position, self.factors.iter().cloned().fold(value, mul));
        parse_quote!(c[#place] += #value;)
    }
}

/// The Rust expression of an entry of the mass matrix.
fn mass_entry_expression(row: &Expr, column: &Expr) -> Expr {
    parse_quote!(mass[#row][#column])
}

impl EntryBlock {
    /// Prepares a block of the mass matrix: stores the value at both sides of the diagonal.
    pub fn for_mass_matrix(rows: &StemOrder<'_>, row: &Stem, column: &Stem) -> EntryBlock {
        let first = row.indexed.then_some("i");
        let second = column.indexed.then_some(if row.indexed { "j" } else { "i" });
        let (r, c) = (rows.position_expression(row, first), rows.position_expression(column, second));
        let mut direct = vec![assignment_statement(mass_entry_expression(&r, &c), name_expression("value"))];
        if !has_same_tokens(&r, &c) {
            direct.push(assignment_statement(mass_entry_expression(&c, &r), name_expression("value")));
        }
        let loops = usize::from(row.indexed) + usize::from(column.indexed);
        EntryBlock { direct, exchanged: None, loops }
    }

    /// Prepares a block of a vector (c or Q, by the name of its variable): adds the value.
    pub fn for_vector(rows: &StemOrder<'_>, row: &Stem, name: &str) -> EntryBlock {
        let place = rows.position_expression(row, row.indexed.then_some("i"));
        let name = ident(name);
        let direct = vec![parse_quote!(#name[#place] += value;)];
        EntryBlock { direct, exchanged: None, loops: usize::from(row.indexed) }
    }

    /// Prepares a block of c: adds the value times a product of rates; without rates the value
    /// alone.
    pub fn for_inertia_terms(
        rows: &StemOrder<'_>,
        row: &Stem,
        rates: Option<&[Stem]>,
        answer: &Answer,
        names: &FamilyNames,
    ) -> EntryBlock {
        let Some(rates) = rates else { return EntryBlock::for_vector(rows, row, "c") };
        let rank = answer.formula.as_ref().map_or(0, |f| f.rank);
        let term = |at: &str, rate_index: &str| ExchangedEntry {
            position: rows.position_expression(row, row.indexed.then_some(at)),
            factors: rates
                .iter()
                .map(|r| names.symbol_expression(r, Some(name_expression(rate_index))))
                .collect(),
        };
        let rate_index = if row.indexed { "j" } else { "i" };
        let direct = vec![term("i", rate_index).emit_addition(name_expression("value"))];
        let loops = rank.max(usize::from(row.indexed));
        EntryBlock { direct, exchanged: Some(term("j", "i")), loops }
    }

    /// Prepares a block of the coordinate rates q̇: stores the value.
    pub fn for_coordinate_rate(coordinates: &StemOrder<'_>, coordinate: &Stem) -> EntryBlock {
        let place = coordinates.position_expression(coordinate, coordinate.indexed.then_some("i"));
        let direct = vec![assignment_statement(parse_quote!(dq[#place]), name_expression("value"))];
        EntryBlock { direct, exchanged: None, loops: usize::from(coordinate.indexed) }
    }

    /// Emits the loops over i and j around the formula of the block.
    pub fn emit_loops(&self, answer: &Answer, names: &FamilyNames, style: &Style) -> Vec<Stmt> {
        let Ok(f) = &answer.formula else {
            names.invariants.report_broken("no formula is available for a quantity of a family");
            return Vec::new();
        };
        let mut all = Vec::new();
        for (((range, e), (text, _)), (_, terms)) in
            factor_formula(f).iter().zip(formula_math(f, style)).zip(&f.parts)
        {
            if terms.is_empty() {
                continue;
            }
            let mut inner: Vec<Stmt> = Vec::new();
            if terms.iter().any(|t| t.uses_index_base(Base::Max)) {
                inner.push(parse_quote!(let higher = i.max(j);));
            }
            if terms.iter().any(|t| t.uses_index_base(Base::Min)) {
                inner.push(parse_quote!(let lower = i.min(j);));
            }
            let value = strip_parentheses(emit_expression(e, names));
            let comment = format!(" {}", single_line_text(&text.text()));
            inner.push(parse_quote!(#[comment = #comment] let value = #value;));
            inner.extend(self.direct.iter().cloned());
            let exchanged = |value: &str| {
                self.exchanged.iter().map(|e| e.emit_addition(name_expression(value))).collect::<Vec<_>>()
            };
            match range {
                Range::Symmetric if self.exchanged.is_some() => {
                    let exchanged = exchanged("value");
                    inner.push(parse_quote!(if i != j { #(#exchanged)* }));
                }
                Range::Antisymmetric if self.exchanged.is_some() => {
                    let opposite = neg(name_expression("value"));
                    inner.push(parse_quote!(let opposite = #opposite;));
                    inner.extend(exchanged("opposite"));
                }
                _ => {}
            }
            let one = isize_index(Index { base: Base::Zero, offset: 1 });
            let (from, to): (Expr, Expr) = match range {
                Range::Symmetric | Range::Upper => (parse_quote!(i), parse_quote!(size)),
                Range::Antisymmetric => (parse_quote!(i + 1), parse_quote!(size)),
                Range::Lower => (one, parse_quote!(i - 1)),
                Range::All => (one, parse_quote!(size)),
            };
            if self.loops == 2 {
                inner = vec![parse_quote!(for j in #from..=#to { #(#inner)* })];
            }
            if self.loops >= 1 {
                inner = vec![parse_quote!(for i in 1..=size { #(#inner)* })];
            } else {
                inner = vec![parse_quote!({ #(#inner)* })];
            }
            all.extend(inner);
        }
        all
    }
}
