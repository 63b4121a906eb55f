//! Formulas with numbers at the default values: nothing infinite, no friction that has no value.

use super::{Build, numeric};
use crate::spec;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, LoadKind, Mechanism, Variable};

impl Build<'_> {
    /// No part of a formula that parameters alone decide may be infinite or undefined.
    pub(super) fn check_finite(&mut self, p: &[f64]) {
        for (span, what, formula) in std::mem::take(&mut self.written) {
            let Some(value) = not_finite(&formula, p) else { continue };
            let told = |d: &Diagnostic| d.primary.as_ref().map(|label| label.span) == span;
            if span.is_some() && self.problems.iter().any(told) {
                continue;
            }
            self.problems.push(
                Diagnostic::error("not-finite", format!("{what} is not a finite number"))
                    .at(span, format!("at the default values of the parameters this, or a part of it, is {value}"))
                    .help("a division by zero, or a number beyond 1.8e308: check the defaults of the parameters in it"),
            );
        }
    }

    pub(super) fn check_friction(&mut self, m: &Mechanism, p: &[f64]) {
        for (load, written) in m.loads.iter().zip(&self.spec.loads) {
            let LoadKind::Friction { viscous, coulomb, transition, .. } = &load.kind else { continue };
            let spec::LoadKind::Friction { viscous: v, coulomb: c, transition: t, .. } = &written.kind else {
                continue;
            };
            let span =
                |value: &Option<spec::Value>| value.as_ref().and_then(|v| v.span).or(written.name.span);
            let at = |f: &Formula| numeric::evaluate(f, p);
            if !coulomb.is_zero() && at(transition) <= 0.0 {
                self.problems.push(
                    Diagnostic::error(
                        "friction-transition",
                        format!("the transition speed of friction `{}` is not positive", load.name),
                    )
                    .at(span(t), format!("at the default values it is {}", at(transition)))
                    .help("dry friction is coulomb * tanh(v/transition): give a small speed, such as 1e-3"),
                );
            }
            for (value, f, noun) in [(v, viscous, "viscous"), (c, coulomb, "dry")] {
                if at(f) < 0.0 {
                    self.problems.push(
                        Diagnostic::warning(
                            "negative-friction",
                            format!("the {noun} friction of `{}` drives the motion", load.name),
                        )
                        .at(span(value), format!("at the default values the coefficient is {}", at(f)))
                        .help("friction opposes the speed already: a coefficient that brakes is positive"),
                    );
                }
            }
        }
    }
}

/// The value of a part that is infinite or not a number and that nothing but parameters decides. Branches that the
/// parameters rule out do not count.
fn not_finite(f: &Formula, p: &[f64]) -> Option<f64> {
    let fixed = |f: &Formula| !f.mentions(&|v| !matches!(v, Variable::Parameter(_)));
    match f {
        Formula::Number(n) => Some(n.to_f64()).filter(|x| !x.is_finite()),
        Formula::Variable(_) => None,
        Formula::Select(cmp, parts) if fixed(&parts[0]) && fixed(&parts[1]) => {
            let sides = not_finite(&parts[0], p).or_else(|| not_finite(&parts[1], p));
            let [a, b] = [0, 1].map(|i| numeric::evaluate(&parts[i], p));
            let holds = f64::select(*cmp, a, b, 1.0, 0.0) > 0.5;
            let taken = if holds { &parts[2] } else { &parts[3] };
            sides.or_else(|| not_finite(taken, p))
        }
        _ => {
            let inner = f.arguments().into_iter().find_map(|a| not_finite(a, p));
            inner.or_else(|| {
                let value = if fixed(f) { numeric::evaluate(f, p) } else { 0.0 };
                (!value.is_finite()).then_some(value)
            })
        }
    }
}
