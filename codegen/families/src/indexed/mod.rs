//! Indexed formulas for families of mechanisms, such as chains of n links.
//!
//! Problem: a chain of n links has a mass matrix for each n; users want `a_ij(i, j, n)`.
//! Method:  the entries of the first members of the family are expanded into unique sums of terms
//!          (`algebra/polynomial`); terms that differ only in indices become one term of a formula
//!          (`infer`); the formula is then checked exactly on every entry of all members up to
//!          [`VERIFIED`].
//!
//! Layers: `names`, `formula` (plain data) — `expand`, `terms` (entries) — `coefficient`, `fit`,
//! `infer`, `blocks`, `search`, `assemble` (formulas) — `factored` (for readers) — `family` (from
//! mechanisms).
//!
//! Limits: polynomials in sines and cosines, as [`PolynomialError`] lists. Without a formula in the
//! grammar the answer is an error with the first entry that the best candidate misses.

mod assemble;
mod blocks;
mod coefficient;
mod defaults;
mod descriptions;
mod expand;
mod factored;
mod family;
mod fit;
mod formula;
mod infer;
mod kinds;
mod layout;
mod names;
mod search;
mod terms;

pub use assemble::{Assembled, Comparison, Values, assemble_equations, build_comparison};
pub use defaults::Default;
pub use descriptions::SymbolDescription;
pub use dqdt_algebra::polynomial::PolynomialError;
pub use factored::{Expression, factor_formula};
pub use family::{Member, NoMember, derive_member};
pub use formula::{
    Angle, Base, Coefficient, Delta, Factor, FactorFunction, Index, IndexedFormula, Named, Product, Range,
    Site, Sum, Term, Wave, running_index_tuples,
};
pub use kinds::{FamilySymbol, name_with_placeholder};
pub use layout::{FamilyProgram, Irregular, build_family_program};
pub use names::{Class, Stem, Stems, Symbol, split_index};
pub use search::{Answer, Missing, Quantity, VERIFIED, find_formulas, find_wrong_entry};
