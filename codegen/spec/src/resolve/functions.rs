//! The functions in formulas that the table [`FUNCTIONS`] of `spec::formula` declares.

use super::dimension::{Dim, describe_dim, describe_dimension};
use super::typed::Typed;
use crate::spec::formula::FUNCTIONS;
use dqdt_algebra::{Dimension, Func, Func2, Number};

/// Names of all functions of formulas, which users cannot choose for other items.
pub(super) fn function_names() -> Vec<&'static str> {
    FUNCTIONS.iter().map(|f| f.name).collect()
}

/// Reason why an argument of a function is rejected by the dimension checks, and the index of the
/// argument.
pub(super) struct Misfit {
    pub argument: usize,
    pub message: String,
    pub label: String,
}

type Result<T> = std::result::Result<T, Misfit>;

fn check_pure_number(name: &str, i: usize, x: &Typed) -> Result<Dim> {
    match x.dim {
        Dim::Known(d) if d != Dimension::NONE => Err(Misfit {
            argument: i,
            message: format!(
                "the argument of `{name}` must be a pure number or an angle, but is {}",
                describe_dimension(d)
            ),
            label: format!("this argument is {}", describe_dimension(d)),
        }),
        Dim::Known(_) | Dim::Unknown => Ok(Dim::Known(Dimension::NONE)),
        Dim::Literal => Ok(Dim::Literal),
    }
}

fn common_dimension(name: &str, args: &[Typed]) -> Result<Dim> {
    let mut dim = args[0].dim;
    for (i, a) in args.iter().enumerate().skip(1) {
        dim = dim.unify(a.dim).ok_or_else(|| Misfit {
            argument: i,
            message: format!("the arguments of `{name}` have different units"),
            label: format!(
                "this argument is {}, but an earlier one is {}",
                describe_dim(a.dim),
                describe_dim(dim)
            ),
        })?;
    }
    Ok(dim)
}

fn elementary_function(name: &str) -> Option<Func> {
    Some(match name {
        "tan" => Func::Tan,
        "asin" => Func::Asin,
        "acos" => Func::Acos,
        "atan" => Func::Atan,
        "sinh" => Func::Sinh,
        "cosh" => Func::Cosh,
        "tanh" => Func::Tanh,
        "exp" => Func::Exp,
        "ln" => Func::Ln,
        _ => return None,
    })
}

fn root_of_squares(x: Typed, e: Typed, dim: Dim) -> Typed {
    let square = dim.power(2);
    x.powi(2).add(e.powi(2), square).sqrt(dim)
}

fn smooth_min_or_max(a: Typed, b: Typed, e: Typed, dim: Dim, larger: bool) -> Typed {
    let half = Number::ratio(1, 2).map_or(Typed::from_number(Number::ONE), Typed::from_number);
    let root = root_of_squares(a.clone().sub(b.clone(), dim), e, dim);
    let sum = a.add(b, dim);
    half.mul(if larger { sum.add(root, dim) } else { sum.sub(root, dim) })
}

/// Applies a function of [`FUNCTIONS`] to resolved arguments; their number has been checked.
pub(super) fn apply_function(name: &str, mut args: Vec<Typed>) -> Result<Typed> {
    let none = Typed::from_number(Number::ZERO);
    let mut take =
        |i: usize| args.get_mut(i).map_or_else(|| none.clone(), |a| std::mem::replace(a, none.clone()));
    if let Some(f) = elementary_function(name) {
        let x = take(0);
        let dim = check_pure_number(name, 0, &x)?;
        return Ok(x.apply_func(f, dim));
    }
    Ok(match name {
        "sin" | "cos" => {
            let x = take(0);
            let dim = check_pure_number(name, 0, &x)?;
            if name == "sin" { x.sin(dim) } else { x.cos(dim) }
        }
        "sqrt" => {
            let x = take(0);
            let dim = x.dim.sqrt().ok_or_else(|| Misfit {
                argument: 0,
                message: format!(
                    "the square root of a quantity {} has a unit that cannot be represented",
                    describe_dim(x.dim)
                ),
                label: format!("this argument is {}", describe_dim(x.dim)),
            })?;
            x.sqrt(dim)
        }
        "abs" => {
            let x = take(0);
            let dim = x.dim;
            x.apply_func(Func::Abs, dim)
        }
        "sign" => take(0).apply_func(Func::Sign, Dim::Known(Dimension::NONE)),
        "smooth_step" => {
            common_dimension(name, &args)?;
            let mut take = |i: usize| std::mem::replace(&mut args[i], Typed::from_number(Number::ZERO));
            let (x, a, b) = (take(0), take(1), take(2));
            let dim = x.dim;
            let s = x.sub(a.clone(), dim).div(b.sub(a, dim));
            let pure = Dim::Known(Dimension::NONE);
            let s = s.apply_func2(Func2::Max, Typed::from_number(Number::ZERO), pure).apply_func2(
                Func2::Min,
                Typed::from_number(Number::ONE),
                pure,
            );
            let two_s = Typed::from_number(Number::integer(2)).mul(s.clone());
            s.powi(2).mul(Typed::from_number(Number::integer(3)).sub(two_s, pure))
        }
        _ => {
            let dim = common_dimension(name, &args)?;
            let mut take = |i: usize| {
                args.get_mut(i).map_or_else(
                    || Typed::from_number(Number::ZERO),
                    |a| std::mem::replace(a, Typed::from_number(Number::ZERO)),
                )
            };
            let (a, b) = (take(0), take(1));
            match name {
                "atan2" => a.apply_func2(Func2::Atan2, b, Dim::Known(Dimension::NONE)),
                "min" => a.apply_func2(Func2::Min, b, dim),
                "max" => a.apply_func2(Func2::Max, b, dim),
                "clamp" => a.apply_func2(Func2::Max, b, dim).apply_func2(Func2::Min, take(2), dim),
                "smooth_abs" => root_of_squares(a, b, dim),
                "smooth_sign" => a.clone().div(root_of_squares(a, b, dim)),
                "smooth_min" => smooth_min_or_max(a, b, take(2), dim, false),
                "smooth_max" => smooth_min_or_max(a, b, take(2), dim, true),
                _ => {
                    let (high, e) = (take(2), take(3));
                    let raised = smooth_min_or_max(a, b, e.clone(), dim, true);
                    smooth_min_or_max(raised, high, e, dim, false)
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions of frames are not on this page: the reference lists them, generated from their
    /// table.
    #[test]
    fn the_page_on_formulas_names_every_function() {
        let page = include_str!("../../../../docs/formulas.md");
        for name in function_names() {
            let (call, bare) = (format!("`{name}("), format!("`{name}`"));
            assert!(page.contains(&call) || page.contains(&bare), "docs/formulas.md does not name {name}");
        }
    }
}
