//! A small evaluator of closed forms for tests.

use dqdt_equations::symbolic::{Closed, Function};
use dqdt_graph::ir::SymbolKind;

/// The value of a closed form in doubles.
pub fn value(c: &Closed, leaf: &dyn Fn(SymbolKind) -> f64) -> f64 {
    match c {
        Closed::Number(x) => x.to_f64(),
        Closed::Pi => std::f64::consts::PI,
        Closed::Symbol { kind, .. } => leaf(*kind),
        Closed::Sum(t) => t.iter().map(|t| value(t, leaf)).sum(),
        Closed::Product(f) => f.iter().map(|f| value(f, leaf)).product(),
        Closed::Power(b, n) => value(b, leaf).powi(*n as i32),
        Closed::Quotient(a, b) => value(a, leaf) / value(b, leaf),
        Closed::Function(f, args) => {
            let a: Vec<f64> = args.iter().map(|a| value(a, leaf)).collect();
            match f {
                Function::Sin => a[0].sin(),
                Function::Cos => a[0].cos(),
                Function::Sqrt => a[0].sqrt(),
                Function::Func(f) => f.eval(a[0]),
                Function::Func2(f) => f.eval(a[0], a[1]),
                Function::Select(cmp) => cmp.select(a[0], a[1], a[2], a[3]),
                Function::Table(_) => f64::NAN,
            }
        }
    }
}

/// Values of symbols, different for each.
pub fn leaf(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Parameter(i) => 0.7 + 0.31 * i as f64,
        SymbolKind::Coordinate(i) => 0.4 - 0.53 * i as f64,
        SymbolKind::Speed(i) => 1.1 + 0.27 * i as f64,
        _ => 0.3,
    }
}
