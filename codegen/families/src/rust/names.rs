//! Names and positions of a family's symbols: fields of `Params`, entries of x and u.
//!
//! x contains the coordinates, then the speeds, by kinds in spec order.

use std::collections::BTreeMap;

use syn::{Expr, Stmt, parse_quote};

use super::expression::{RUNNING, call_function, integer_literal};
use crate::indexed::{Class, FamilyProgram, FamilySymbol, Stem};
use dqdt_diagnostics::base::Invariants;
use dqdt_graph::ir::Taken;
use dqdt_print::rust::syntax::{add, field_access, ident, mul, name_expression};

/// Identifiers with a meaning in the emitted functions of a family, which local variables must not
/// use.
const RESERVED: &[&str] = &[
    "model",
    "t",
    "x",
    "u",
    "p",
    "mass",
    "c",
    "force",
    "dq",
    "dx",
    "i",
    "j",
    "size",
    "higher",
    "lower",
    "value",
    "opposite",
    "at",
    "nq",
    "nv",
    "nx",
    "nu",
    "k8",
    "sum_k8",
    "T",
    "N",
    "NV",
    "NX",
    "NU",
    "NQ",
    "Params",
    "Model",
    "dqdt",
    "rates",
    "coordinate_rates",
    "mass_matrix",
    "inertial",
    "applied",
];

/// Length of an emitted array as a function of N: number of scalars plus number of arrays of length
/// N.
#[derive(Clone, Copy, Default)]
pub(super) struct SymbolCount {
    scalars: usize,
    arrays: usize,
}

impl SymbolCount {
    /// Counts the scalars and the indexed kinds among these stems.
    pub fn new<'a>(stems: impl IntoIterator<Item = &'a Stem>) -> Self {
        stems.into_iter().fold(SymbolCount::default(), |count, stem| match stem.indexed {
            true => SymbolCount { arrays: count.arrays + 1, ..count },
            false => SymbolCount { scalars: count.scalars + 1, ..count },
        })
    }

    /// Length of two arrays together.
    pub fn add_count(self, other: Self) -> Self {
        SymbolCount { scalars: self.scalars + other.scalars, arrays: self.arrays + other.arrays }
    }

    /// True if the length does not depend on N.
    pub fn is_constant(self) -> bool {
        self.arrays == 0
    }

    /// The length as a Rust expression such as `2 + 3 * N`; `None` for zero.
    pub fn to_expression(self, size: &str) -> Option<Expr> {
        let arrays = match self.arrays {
            0 => None,
            1 => Some(name_expression(size)),
            n => Some(mul(integer_literal(n), name_expression(size))),
        };
        let scalars = (self.scalars > 0).then(|| integer_literal(self.scalars));
        scalars.into_iter().chain(arrays).reduce(add)
    }
}

/// Kinds of symbols in the order in which an emitted array (x, u, M, c, Q) stores them.
pub(super) struct StemOrder<'a>(pub Vec<&'a Stem>);

impl<'a> StemOrder<'a> {
    pub fn new(kinds: &'a [FamilySymbol]) -> Self {
        StemOrder(kinds.iter().map(|k| &k.stem).collect())
    }

    /// Length of the array as a function of N.
    pub fn count_entries(&self) -> SymbolCount {
        SymbolCount::new(self.0.iter().copied())
    }

    /// Number of entries of the array before those of one kind.
    fn count_before(&self, stem: &Stem) -> SymbolCount {
        SymbolCount::new(self.0.iter().copied().take_while(|s| *s != stem))
    }

    /// Position of an entry in the array as a Rust expression; `index` is the one-based variable
    /// for an indexed kind.
    pub fn position_expression(&self, stem: &Stem, index: Option<&str>) -> Expr {
        let index = index.map(|index| -> Expr {
            let index = ident(index);
            parse_quote!((#index - 1) as usize)
        });
        self.count_before(stem)
            .to_expression("N")
            .into_iter()
            .chain(index)
            .reduce(add)
            .unwrap_or_else(|| integer_literal(0))
    }
}

/// Rust identifiers for the symbols of a family in its emitted functions.
pub(super) struct FamilyNames {
    /// Fields of the emitted `Params`, in order.
    pub parameters: Vec<String>,
    names: BTreeMap<Stem, String>,
    /// Record of invariants that the printer of families finds broken; reported as internal errors.
    pub invariants: Invariants,
}

/// The name of a kind of symbols without an index, before it is made unique.
fn name_without_index(stem: &Stem) -> String {
    format!("{}{}", stem.prefix.trim_end_matches('_'), stem.suffix)
}

impl FamilyNames {
    /// Assigns a unique identifier to each kind of symbol of the family.
    pub fn new(program: &FamilyProgram) -> Self {
        let mut names = BTreeMap::new();
        let mut fields = Taken::default();
        let mut parameters = Vec::new();
        for kind in &program.parameters {
            let field = fields.make_unique(&name_without_index(&kind.stem));
            parameters.push(field.clone());
            names.insert(kind.stem.clone(), field);
        }
        let sums = RUNNING.iter().map(|k| format!("sum_{k}"));
        let reserved: Vec<String> =
            RESERVED.iter().chain(&RUNNING).map(|s| (*s).to_owned()).chain(sums).collect();
        let mut taken = Taken::new(reserved.iter().map(String::as_str));
        for (letter, kinds) in [("q", &program.coordinates), ("v", &program.speeds), ("u", &program.inputs)] {
            for kind in kinds {
                let text = name_without_index(&kind.stem);
                let free = taken.is_name_free(&text);
                names.insert(
                    kind.stem.clone(),
                    taken.make_unique(&if free { text } else { format!("{letter}_{text}") }),
                );
            }
        }
        FamilyNames { parameters, names, invariants: Invariants::default() }
    }

    /// The Rust identifier of a kind of symbol.
    fn variable_name(&self, stem: &Stem) -> &str {
        let name = self.names.get(stem).map(String::as_str);
        self.invariants.require(
            name,
            "value",
            "a symbol in a formula of a family has no name in the emitted code",
        )
    }

    /// The Rust expression of a symbol, such as `at(&p.m, k)` or `x_dot`.
    pub fn symbol_expression(&self, stem: &Stem, index: Option<Expr>) -> Expr {
        let place = match stem.class {
            Class::Pi => return parse_quote!(T::from_f64(::core::f64::consts::PI)),
            Class::Time => return name_expression("t"),
            Class::Parameter => field_access("p", self.variable_name(stem)),
            Class::Input | Class::State | Class::Coordinate | Class::Speed => {
                name_expression(self.variable_name(stem))
            }
        };
        match (index.filter(|_| stem.indexed), stem.class) {
            (Some(index), Class::Parameter) => call_function("at", vec![parse_quote!(&#place), index]),
            (Some(index), _) => call_function("at", vec![place, index]),
            (None, _) => place,
        }
    }

    /// Emits statements that bind the used kinds of an array to names, such as
    /// `let phi = &x[1..][..N]`; also returns the bound names.
    pub fn emit_bindings(
        &self,
        array: &str,
        kinds: impl Iterator<Item = Stem>,
        used: &dyn Fn(&str) -> bool,
    ) -> (Vec<Stmt>, Vec<String>) {
        let (mut statements, mut names) = (Vec::new(), Vec::new());
        let mut before = SymbolCount::default();
        for stem in kinds {
            let first = before.to_expression("N");
            before = before.add_count(SymbolCount::new([&stem]));
            let name = self.variable_name(&stem);
            if !used(name) {
                continue;
            }
            names.push(name.to_owned());
            let (array, name) = (ident(array), ident(name));
            statements.push(match (stem.indexed, first) {
                (true, None) => parse_quote!(let #name = &#array[..N];),
                (true, Some(first)) => parse_quote!(let #name = &#array[#first..][..N];),
                (false, first) => {
                    let first = first.unwrap_or_else(|| integer_literal(0));
                    parse_quote!(let #name = #array[#first];)
                }
            });
        }
        (statements, names)
    }
}
