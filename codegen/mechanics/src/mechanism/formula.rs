//! Formulas whose names are resolved to indices; evaluated over any scalar.

use std::sync::Arc;

use super::environment::{Environment, Variable};
use dqdt_algebra::{Cmp, Func, Func2, Number, PiecewiseCubic, Scalar};

/// An expression tree over the variables of a mechanism: a resolved formula of the spec.
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    /// An exact constant, such as a rational number or a multiple of π.
    Number(Number),
    /// A variable, such as a coordinate.
    Variable(Variable),
    /// Negation: −a
    Neg(Box<Formula>),
    /// Sum: a + b
    Add(Box<Formula>, Box<Formula>),
    /// Difference: a − b
    Sub(Box<Formula>, Box<Formula>),
    /// Product: a b
    Mul(Box<Formula>, Box<Formula>),
    /// Quotient: a / b
    Div(Box<Formula>, Box<Formula>),
    /// A formula to an integer power.
    Power(Box<Formula>, i32),
    /// Square root: √a
    Sqrt(Box<Formula>),
    /// Sine: sin a
    Sin(Box<Formula>),
    /// Cosine: cos a
    Cos(Box<Formula>),
    /// A function of one argument, such as `exp`.
    Func(Func, Box<Formula>),
    /// A function of two arguments, such as `atan2`.
    Func2(Func2, Box<Formula>, Box<Formula>),
    /// Choice between two formulas by comparing two others: `if a cmp b { c } else { d }`
    Select(Cmp, Box<[Formula; 4]>),
    /// Value of an interpolation table at an argument.
    Table(Arc<PiecewiseCubic>, Box<Formula>),
    /// A definition or a prescribed coordinate, referred to by name.
    #[doc(hidden)]
    Named(Arc<NamedFormula>),
}

/// A formula with a name: a definition, or a prescribed coordinate. Evaluates to its formula;
/// printed equations can show the name instead ([`Environment::named`]).
#[derive(Clone, PartialEq, Debug)]
pub struct NamedFormula {
    /// Name of the formula in the spec.
    pub name: String,
    /// Index of the formula in `Mechanism::named_formulas`.
    pub place: usize,
    /// SI unit of the value; empty if unknown.
    pub unit: String,
    /// The formula that the name abbreviates.
    pub formula: Formula,
}

impl NamedFormula {
    /// True if the formula depends only on time and parameters. Its time derivatives are then known
    /// as well.
    pub fn depends_only_on_time(&self) -> bool {
        !self.formula.any_variable(&|v| !matches!(v, Variable::Time | Variable::Parameter(_)))
    }
}

/// Set of variables that a formula of a spec may use.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaNames {
    /// The formula may use numbers and parameters only.
    Parameters,
    /// The formula may use all variables, coordinates and speeds included.
    All,
}

impl Formula {
    /// The constant formula 0.
    pub const ZERO: Formula = Formula::Number(Number::ZERO);
    /// The constant formula 1.
    pub const ONE: Formula = Formula::Number(Number::ONE);

    /// Creates the constant formula `n`.
    pub fn from_integer(n: i64) -> Self {
        Formula::Number(Number::integer(n))
    }

    /// The number, if the formula is a constant; `None` otherwise.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Formula::Number(n) => Some(*n),
            Formula::Named(named) => named.formula.as_number(),
            _ => None,
        }
    }

    /// True if the formula is the constant zero.
    pub fn is_zero(&self) -> bool {
        self.as_number().is_some_and(Number::is_zero)
    }

    /// The operands of the outermost operation of the formula.
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::Number(_) | Formula::Variable(_) => vec![],
            Formula::Neg(a) | Formula::Power(a, _) | Formula::Sqrt(a) | Formula::Sin(a) | Formula::Cos(a) => {
                vec![a]
            }
            Formula::Func(_, a) | Formula::Table(_, a) => vec![a],
            Formula::Add(a, b) | Formula::Sub(a, b) | Formula::Mul(a, b) | Formula::Div(a, b) => vec![a, b],
            Formula::Func2(_, a, b) => vec![a, b],
            Formula::Select(_, args) => args.iter().collect(),
            Formula::Named(named) => vec![&named.formula],
        }
    }

    /// True if any variable in the formula satisfies `f`.
    pub fn any_variable(&self, f: &dyn Fn(Variable) -> bool) -> bool {
        match self {
            Formula::Variable(v) => f(*v),
            _ => self.operands().into_iter().any(|a| a.any_variable(f)),
        }
    }

    /// The formula with every variable `v` replaced by `f(v)`. Named formulas are expanded.
    pub fn replace_variables(&self, f: &dyn Fn(Variable) -> Variable) -> Formula {
        self.replace_subformulas(&|part| match part {
            Formula::Variable(v) => Some(Formula::Variable(f(*v))),
            Formula::Named(named) => Some(named.formula.replace_variables(f)),
            _ => None,
        })
    }

    /// The formula with every part for which `f` has a replacement replaced by it, outermost parts
    /// first. Named formulas are parts without operands.
    pub fn replace_subformulas(&self, f: &dyn Fn(&Formula) -> Option<Formula>) -> Formula {
        if let Some(replacement) = f(self) {
            return replacement;
        }
        let replace = |a: &Formula| Box::new(a.replace_subformulas(f));
        match self {
            Formula::Number(_) | Formula::Variable(_) | Formula::Named(_) => self.clone(),
            Formula::Neg(a) => Formula::Neg(replace(a)),
            Formula::Add(a, b) => Formula::Add(replace(a), replace(b)),
            Formula::Sub(a, b) => Formula::Sub(replace(a), replace(b)),
            Formula::Mul(a, b) => Formula::Mul(replace(a), replace(b)),
            Formula::Div(a, b) => Formula::Div(replace(a), replace(b)),
            Formula::Power(a, n) => Formula::Power(replace(a), *n),
            Formula::Sqrt(a) => Formula::Sqrt(replace(a)),
            Formula::Sin(a) => Formula::Sin(replace(a)),
            Formula::Cos(a) => Formula::Cos(replace(a)),
            Formula::Func(g, a) => Formula::Func(*g, replace(a)),
            Formula::Func2(g, a, b) => Formula::Func2(*g, replace(a), replace(b)),
            Formula::Select(cmp, args) => {
                Formula::Select(*cmp, Box::new(std::array::from_fn(|i| args[i].replace_subformulas(f))))
            }
            Formula::Table(table, a) => Formula::Table(table.clone(), replace(a)),
        }
    }

    /// True if the formula uses a measure, such as a distance of frames.
    pub fn uses_measures(&self) -> bool {
        self.any_variable(&|v| matches!(v, Variable::Position(_) | Variable::Velocity(_)))
    }

    /// Value of the formula in an environment. If it may use measures, call `kinematics::value_of`
    /// instead.
    #[doc(hidden)]
    pub fn eval<S: Scalar>(&self, env: &Environment<'_, S>) -> S {
        let eval = |f: &Formula| f.eval(env);
        match self {
            Formula::Number(n) => (env.number)(*n),
            Formula::Variable(v) => env.variable_value(*v),
            Formula::Neg(a) => -eval(a),
            Formula::Add(a, b) => eval(a) + eval(b),
            Formula::Sub(a, b) => eval(a) - eval(b),
            Formula::Mul(a, b) => eval(a) * eval(b),
            Formula::Div(a, b) => eval(a) / eval(b),
            Formula::Power(a, n) => eval(a).powi(*n),
            Formula::Sqrt(a) => eval(a).sqrt(),
            Formula::Sin(a) => eval(a).sin_cos().0,
            Formula::Cos(a) => eval(a).sin_cos().1,
            Formula::Func(f, a) => eval(a).apply_function(*f),
            Formula::Func2(f, a, b) => eval(a).apply_function2(*f, eval(b)),
            Formula::Select(cmp, args) => {
                S::select(*cmp, eval(&args[0]), eval(&args[1]), eval(&args[2]), eval(&args[3]))
            }
            Formula::Table(table, a) => eval(a).interpolate_table(table),
            Formula::Named(named) => match env.named.get(named.place) {
                Some(Some(symbol)) => symbol.value,
                _ => eval(&named.formula),
            },
        }
    }
}
