//! Closed forms recorded in a graph, so that printed forms can be operands of equations.
//!
//! Problem: a claim about printed equations needs their entries as nodes of a graph.
//! Method:  operation by operation; numbers of any size by their digits.

use super::closed::{Closed, Exact, Function};
use super::expressions::Expressions;
use dqdt_algebra::{Number, Scalar};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer};

/// Records a closed form in a graph. `symbol` gives the value of each symbol; `expressions` has the
/// function tables of the form. `None` for a function with the wrong number of arguments or an
/// unknown table, which no printed form contains.
pub fn record_form<'g>(
    closed: &Closed,
    graph: &'g Graph,
    expressions: &Expressions,
    symbol: &dyn Fn(SymbolKind, &str) -> Tracer<'g>,
) -> Option<Tracer<'g>> {
    let operand = |c: &Closed| record_form(c, graph, expressions, symbol);
    Some(match closed {
        Closed::Number(n) => record_number(n, graph)?,
        Closed::Pi => Tracer::number(graph, Number::pi(dqdt_algebra::Ratio::ONE)),
        Closed::Symbol { kind, name } => symbol(*kind, name),
        Closed::Sum(terms) => terms.iter().try_fold(Tracer::ZERO, |sum, t| Some(sum + operand(t)?))?,
        Closed::Product(factors) => {
            factors.iter().try_fold(Tracer::ONE, |product, f| Some(product * operand(f)?))?
        }
        Closed::Power(base, n) => operand(base)?.powi(i32::try_from(*n).ok()?),
        Closed::Quotient(a, b) => operand(a)? / operand(b)?,
        Closed::Function(function, arguments) => {
            let x: Vec<Tracer<'g>> = arguments.iter().map(operand).collect::<Option<_>>()?;
            match (function, &x[..]) {
                (Function::Sin, [a]) => a.sin_cos().0,
                (Function::Cos, [a]) => a.sin_cos().1,
                (Function::Sqrt, [a]) => a.sqrt(),
                (Function::Func(f), [a]) => a.apply_function(*f),
                (Function::Func2(f), [a, b]) => a.apply_function2(*f, *b),
                (Function::Select(cmp), [a, b, yes, no]) => Tracer::select(*cmp, *a, *b, *yes, *no),
                (Function::Table(t), [a]) => {
                    let table = expressions.tables.get(*t as usize)?;
                    a.interpolate_table(&table.to_function())
                }
                _ => return None,
            }
        }
    })
}

/// Records an exact number of any size; `None` if its digits are malformed.
fn record_number<'g>(n: &Exact, graph: &'g Graph) -> Option<Tracer<'g>> {
    let value = record_digits(&n.num, graph)?;
    let value = if n.den == "1" { value } else { value / record_digits(&n.den, graph)? };
    Some(if n.negative { -value } else { value })
}

/// An integer of any size, assembled from groups of nine digits.
fn record_digits<'g>(text: &str, graph: &'g Graph) -> Option<Tracer<'g>> {
    let bytes = text.as_bytes();
    bytes.chunks(9).try_fold(Tracer::ZERO, |sum, chunk| {
        let shift = Number::integer(10i64.checked_pow(u32::try_from(chunk.len()).ok()?)?);
        let group = std::str::from_utf8(chunk).ok()?.parse().ok()?;
        let group = Tracer::number(graph, Number::integer(group));
        Some(sum * Tracer::number(graph, shift) + group)
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_text;
    use super::*;
    use dqdt_graph::ir::evaluate;

    #[test]
    fn a_recorded_form_has_the_value_of_its_text() {
        let graph = Graph::new();
        let x = Tracer::new(&graph, graph.symbol("x", SymbolKind::Coordinate(0)));
        let text = "2/3*x^3 - sin(x)/(1 + cos(x)^2) + 123456789012345678901234567890/10^29 - sqrt(x)";
        let closed = parse_text(text, [("x", SymbolKind::Coordinate(0))]).unwrap();
        let recorded = record_form(&closed, &graph, &Expressions::default(), &|_, _| x).unwrap();
        let got = evaluate(&graph, &[recorded.id(&graph)], |_| 0.7)[0];
        let wanted = 2.0 / 3.0 * 0.343 - 0.7f64.sin() / (1.0 + 0.7f64.cos().powi(2)) + 1.2345678901234568
            - 0.7f64.sqrt();
        assert!((got - wanted).abs() < 1e-14, "{got} against {wanted}");
    }
}
