//! Tangents in place of quotients of sines and cosines.
//!
//! Problem: `(l cos δ − w sin δ)/cos δ` is usually written `l − w tan δ`.
//! Method:  if each term of the numerator contains the sine or cosine of an angle whose cosine
//!          divides, one cosine is cancelled. The result is proved like every other form.

use super::closed::{Closed, Function};
use super::conversion::power_form;
use dqdt_algebra::Func;

/// The form with tangents; `None` if it is no quotient, or none can be introduced.
pub(super) fn introduce_tangents(c: &Closed) -> Option<Closed> {
    let Closed::Quotient(above, below) = c else { return None };
    let (mut above, mut below) = ((**above).clone(), split_into_factors(below));
    let mut is_changed = false;
    while let Some((divided, at)) =
        below.iter().enumerate().find_map(|(at, f)| Some((divide_by_cosine(&above, f)?, at)))
    {
        above = divided;
        below[at] = lower_exponent(below[at].clone());
        is_changed = true;
    }
    is_changed.then(|| match Closed::product(below) {
        Closed::Number(n) if n.is_one() => above,
        Closed::Number(n) if n.abs().is_one() => above.negated(),
        below => Closed::Quotient(Box::new(above), Box::new(below)),
    })
}

/// A factor with its exponent reduced by one.
fn lower_exponent(c: Closed) -> Closed {
    match c {
        Closed::Power(base, n) if n > 1 => power_form(*base, n - 1),
        _ => Closed::integer(1),
    }
}

/// Factors of a product; a single one for other forms.
fn split_into_factors(c: &Closed) -> Vec<Closed> {
    match c {
        Closed::Product(factors) => factors.clone(),
        other => vec![other.clone()],
    }
}

/// The numerator divided by a factor of the denominator, if that is a cosine or a power of one and
/// divides every term.
fn divide_by_cosine(above: &Closed, below: &Closed) -> Option<Closed> {
    let base = match below {
        Closed::Power(base, _) => base,
        other => other,
    };
    let Closed::Function(Function::Cos, angle) = base else { return None };
    let divided = match above {
        Closed::Sum(terms) => {
            let terms: Option<Vec<Closed>> =
                terms.iter().map(|term| divide_term_by_cosine(term, angle)).collect();
            Closed::sum(terms?)
        }
        term => divide_term_by_cosine(term, angle)?,
    };
    Some(divided)
}

/// A term divided by the cosine of an angle; `None` if it contains neither its sine nor its cosine.
fn divide_term_by_cosine(term: &Closed, angle: &[Closed]) -> Option<Closed> {
    let mut factors = split_into_factors(term);
    for function in [Function::Cos, Function::Sin] {
        let wanted = Closed::Function(function, angle.to_vec());
        let place = factors.iter().position(|f| match f {
            Closed::Power(base, _) => **base == wanted,
            other => *other == wanted,
        });
        let Some(at) = place else { continue };
        factors[at] = lower_exponent(factors[at].clone());
        if function == Function::Sin {
            factors.push(Closed::Function(Function::Func(Func::Tan), angle.to_vec()));
        }
        return Some(Closed::product(factors));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{parse_text, plain_text};
    use dqdt_graph::ir::SymbolKind;

    fn tangents(from: &str) -> Option<String> {
        let names = ["a", "b", "x", "y"];
        let symbols = names.iter().enumerate().map(|(i, n)| (*n, SymbolKind::Parameter(i)));
        introduce_tangents(&parse_text(from, symbols).unwrap()).map(|c| plain_text(&c))
    }

    #[test]
    fn a_cosine_below_goes_where_each_term_above_has_its_angle() {
        assert_eq!(tangents("(a*cos(x) - b*sin(x))/(cos(y)^2*cos(x))").unwrap(), "(a - b*tan(x))/cos(y)^2");
        assert_eq!(tangents("(a*sin(x)^2 - b*cos(x)^2)/cos(x)").unwrap(), "a*sin(x)*tan(x) - b*cos(x)");
        assert_eq!(tangents("a*sin(x)/(-cos(x))").unwrap(), "-a*tan(x)");
        assert_eq!(tangents("sin(x)/cos(x)^2").unwrap(), "tan(x)/cos(x)");
        assert_eq!(tangents("a*sin(x)*sin(y)/(b*cos(x)*cos(y))").unwrap(), "a*tan(x)*tan(y)/b");
    }

    #[test]
    fn other_quotients_stay() {
        for text in ["(a + b*sin(x))/cos(x)", "a/cos(x)", "sin(x)/cos(y)", "cos(x)/sin(x)", "a*tan(x)"] {
            assert_eq!(tangents(text), None, "{text}");
        }
    }
}
