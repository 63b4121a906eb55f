//! Formulas in the indices for families of mechanisms.
//!
//! Problem: a chain of n links has a mass matrix for each n; people want `a_ij(i, j, n)`.
//! Method:  the elements of the first members of the family are expanded into unique sums of terms (`algebra/polynomial`); terms
//!          that differ in indices only are one term of a formula (`infer`); the formula is then put in for all
//!          members up to [`VERIFIED`] and must give every element exactly.
//! Layers:  `names`, `formula` (plain data) — `expand`, `terms` (elements) — `coefficient`, `fit`, `infer`, `blocks`,
//!          `search`, `assemble` (formulas) — `factored` (for people) — `family` (from mechanisms).
//! Limits:  polynomials in sines and cosines, as [`PolynomialError`] says. Where there is no formula in the grammar, the answer
//!          says so and names the smallest element that the best candidate misses.

mod assemble;
mod blocks;
mod coefficient;
mod defaults;
mod described;
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

pub use assemble::{Assembled, Comparison, Values, assemble, comparison};
pub use defaults::Default;
pub use described::Described;
pub use dqdt_algebra::polynomial::PolynomialError;
pub use factored::{Expression, expressions};
pub use family::{Member, NoMember, member};
pub use formula::{
    Angle, Base, Coefficient, Delta, Factor, Function, Index, IndexedFormula, Named, Product, Range, Site,
    Sum, Term, Wave, runs,
};
pub use kinds::{Kind, name};
pub use layout::{FamilyProgram, Irregular, program};
pub use names::{Class, Stem, Stems, Symbol, split};
pub use search::{Answer, Missing, Quantity, VERIFIED, first_difference, formulas};
