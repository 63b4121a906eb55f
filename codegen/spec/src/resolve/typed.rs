//! Formulas under construction, with their dimensions, and operations on them.

use super::dimension::Dim;
use dqdt_algebra::{Cmp, Func, Func2, Number};
use dqdt_mechanics::mechanism::{Formula, Variable};

/// Maximum depth of a resolved formula, definitions included; later passes recurse over formulas.
pub(super) const MAX_DEPTH: usize = 200;
/// Maximum number of operations of a resolved formula, definitions included.
pub(super) const MAX_SIZE: usize = 20_000;

/// A formula while it is resolved, with its dimension, size, depth, and the kinds of variables that
/// it uses.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub formula: Formula,
    pub dim: Dim,
    pub size: usize,
    pub depth: usize,
    /// One variable of each kind that some places forbid, with its name in messages; used to check
    /// a definition where it is used.
    pub uses: Vec<(Variable, String)>,
}

impl Typed {
    pub fn atomic(formula: Formula, dim: Dim) -> Self {
        Typed { formula, dim, size: 1, depth: 1, uses: Vec::new() }
    }

    pub fn from_number(n: Number) -> Self {
        Typed::atomic(Formula::Number(n), Dim::Literal)
    }

    /// True if size and depth of the formula are within the limits [`MAX_SIZE`] and [`MAX_DEPTH`].
    pub fn within_limits(&self) -> bool {
        self.size <= MAX_SIZE && self.depth <= MAX_DEPTH
    }

    /// Applies an operation on one operand; beyond the limits of size, only the size is counted.
    fn unary(self, dim: Dim, f: impl FnOnce(Box<Formula>) -> Formula) -> Self {
        let (size, depth) = (self.size.saturating_add(1), self.depth + 1);
        if !self.within_limits() {
            return Typed { size, depth, dim, ..self };
        }
        Typed { formula: f(Box::new(self.formula)), dim, size, depth, uses: self.uses }
    }

    /// Applies an operation on two operands; beyond the limits of size, only the size is counted.
    fn binary(self, o: Self, dim: Dim, f: impl FnOnce(Box<Formula>, Box<Formula>) -> Formula) -> Self {
        let size = self.size.saturating_add(o.size).saturating_add(1);
        let depth = self.depth.max(o.depth) + 1;
        let mut uses = self.uses;
        for u in o.uses {
            if !uses.iter().any(|x| is_same_kind(x.0, u.0)) {
                uses.push(u);
            }
        }
        let formula = if size > MAX_SIZE || depth > MAX_DEPTH {
            // The caller reports it; until then the formula must not grow.
            Formula::ZERO
        } else {
            f(Box::new(self.formula), Box::new(o.formula))
        };
        Typed { formula, dim, size, depth, uses }
    }

    pub fn as_number(&self) -> Option<Number> {
        self.formula.as_number()
    }

    pub fn neg(self) -> Self {
        match self.as_number().and_then(Number::checked_neg) {
            Some(n) => Typed { formula: Formula::Number(n), ..self },
            None => {
                let dim = self.dim;
                self.unary(dim, Formula::Neg)
            }
        }
    }

    /// Result of an operation on two numbers; `None` if an operand is not a number.
    fn fold_constants(&self, o: &Self, f: impl FnOnce(Number, Number) -> Option<Number>) -> Option<Formula> {
        f(self.as_number()?, o.as_number()?).map(Formula::Number)
    }

    pub fn add(self, o: Self, dim: Dim) -> Self {
        match self.fold_constants(&o, Number::checked_add) {
            Some(f) => Typed::atomic(f, dim),
            None => self.binary(o, dim, Formula::Add),
        }
    }

    pub fn sub(self, o: Self, dim: Dim) -> Self {
        match self.fold_constants(&o, |a, b| a.checked_add(b.checked_neg()?)) {
            Some(f) => Typed::atomic(f, dim),
            None => self.binary(o, dim, Formula::Sub),
        }
    }

    pub fn mul(self, o: Self) -> Self {
        let dim = self.dim.product(o.dim);
        match self.fold_constants(&o, Number::checked_mul) {
            Some(f) => Typed::atomic(f, dim),
            None => self.binary(o, dim, Formula::Mul),
        }
    }

    pub fn div(self, o: Self) -> Self {
        let dim = self.dim.product(o.dim.inverse());
        match self.fold_constants(&o, Number::checked_div) {
            Some(f) => Typed::atomic(f, dim),
            None => self.binary(o, dim, Formula::Div),
        }
    }

    pub fn powi(self, n: i32) -> Self {
        let dim = self.dim.power(n);
        if let Some(base) = self.as_number()
            && n.unsigned_abs() <= 64
        {
            let product = (0..n.unsigned_abs()).try_fold(Number::ONE, |p, _| p.checked_mul(base));
            let value = if n < 0 { product.and_then(|p| Number::ONE.checked_div(p)) } else { product };
            if let Some(value) = value {
                return Typed::atomic(Formula::Number(value), dim);
            }
        }
        self.unary(dim, |a| Formula::Power(a, n))
    }

    /// Square root of a formula; the caller has computed its dimension.
    pub fn sqrt(self, dim: Dim) -> Self {
        match self.as_number().and_then(Number::as_ratio).and_then(|r| r.exact_sqrt()) {
            Some(r) => Typed::atomic(Formula::Number(Number::Rational(r)), dim),
            None => self.unary(dim, Formula::Sqrt),
        }
    }

    pub fn sin(self, dim: Dim) -> Self {
        self.unary(dim, Formula::Sin)
    }

    pub fn cos(self, dim: Dim) -> Self {
        self.unary(dim, Formula::Cos)
    }

    pub fn apply_func(self, f: Func, dim: Dim) -> Self {
        self.unary(dim, |a| Formula::Func(f, a))
    }

    pub fn apply_func2(self, f: Func2, o: Self, dim: Dim) -> Self {
        self.binary(o, dim, |a, b| Formula::Func2(f, a, b))
    }

    /// The formula under a name of a definition: the same number of operations, one level deeper.
    pub fn wrap_in_name(self, name: impl FnOnce(Formula) -> Formula) -> Self {
        if !self.within_limits() {
            return self;
        }
        Typed { formula: name(self.formula), depth: self.depth + 1, ..self }
    }

    pub fn interpolate_table(self, table: std::sync::Arc<dqdt_algebra::PiecewiseCubic>, dim: Dim) -> Self {
        self.unary(dim, |a| Formula::Table(table, a))
    }

    pub fn conditional(cmp: Cmp, [a, b, yes, no]: [Typed; 4], dim: Dim) -> Self {
        // Composed of binary operations, so that sizes, depths and uses are counted in one place.
        let condition = a.binary(b, dim, Formula::Add);
        let branches = yes.binary(no, dim, Formula::Add);
        condition.binary(branches, dim, |c, b| match (*c, *b) {
            (Formula::Add(a, b), Formula::Add(yes, no)) => {
                Formula::Select(cmp, Box::new([*a, *b, *yes, *no]))
            }
            _ => Formula::ZERO,
        })
    }
}

/// True if both variables are of the same kind, such as two speeds, so that a place permits both or
/// neither.
fn is_same_kind(a: Variable, b: Variable) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}
