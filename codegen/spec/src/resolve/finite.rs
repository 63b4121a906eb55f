//! Checks that formulas are finite and loads are admissible at the default parameters.

use super::{Build, numeric};
use dqdt_algebra::Scalar;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, Mechanism, Rule, Variable};

impl Build<'_> {
    /// Reports formulas of which a part that depends on parameters only is infinite or undefined at
    /// the default parameters.
    pub(super) fn check_finite_formulas(&mut self, p: &[f64]) {
        for (span, what, formula) in std::mem::take(&mut self.resolved_formulas) {
            let Some(value) = find_non_finite_value(&formula, p) else { continue };
            let mut spans = self.problems.iter().map(|d| d.primary.as_ref().map(|label| label.span));
            if span.is_some() && spans.any(|s| s == span) {
                continue;
            }
            self.problems.push(
                Diagnostic::error("not-finite", format!("{what} is not a finite number"))
                    .at(span, format!("this formula, or a part of it, is {value} at the default parameters"))
                    .help("check the default values of its parameters: with these, the formula divides by zero or exceeds 1.8e308"),
            );
        }
    }

    /// Checks at the default parameters that values of loads, such as stiffnesses, are positive,
    /// not negative, or finite, as their types require.
    pub(super) fn check_load_conditions(&mut self, m: &Mechanism, p: &[f64]) {
        for (load, spec_load) in m.loads.iter().zip(&self.spec.loads) {
            for demand in load.kind.form().validity_conditions() {
                let value = numeric::evaluate_formula(demand.formula, p);
                let holds = match demand.rule {
                    Rule::Positive => value > 0.0 || value.is_nan(),
                    Rule::NotNegative => value >= 0.0 || value.is_nan(),
                    Rule::Finite => value.is_finite(),
                };
                if holds {
                    continue;
                }
                let [before, after] = demand.message;
                let message = format!("{before}`{}`{after}", load.name);
                let diagnostic = match demand.is_error {
                    true => Diagnostic::error(demand.code, message),
                    false => Diagnostic::warning(demand.code, message),
                };
                let span = spec_load.keys.value(demand.key).and_then(|v| v.span).or(spec_load.name.span);
                let label = format!("{} {value}", demand.label);
                self.problems.push(diagnostic.at(span, label).help(demand.help));
            }
        }
    }
}

/// True if a formula depends on parameters only.
fn depends_on_parameters_only(f: &Formula) -> bool {
    !f.any_variable(&|v| !matches!(v, Variable::Parameter(_)))
}

/// Value of a part of a formula that depends on parameters only and is infinite or NaN. Branches
/// excluded by the parameters are ignored.
fn find_non_finite_value(f: &Formula, p: &[f64]) -> Option<f64> {
    match f {
        Formula::Number(n) => Some(n.to_f64()).filter(|x| !x.is_finite()),
        Formula::Variable(_) => None,
        Formula::Select(cmp, parts)
            if depends_on_parameters_only(&parts[0]) && depends_on_parameters_only(&parts[1]) =>
        {
            let sides = find_non_finite_value(&parts[0], p).or_else(|| find_non_finite_value(&parts[1], p));
            let [a, b] = [0, 1].map(|i| numeric::evaluate_formula(&parts[i], p));
            let holds = f64::select(*cmp, a, b, 1.0, 0.0) > 0.5;
            let taken = if holds { &parts[2] } else { &parts[3] };
            sides.or_else(|| find_non_finite_value(taken, p))
        }
        _ => {
            let inner = f.operands().into_iter().find_map(|a| find_non_finite_value(a, p));
            inner.or_else(|| {
                let value = if depends_on_parameters_only(f) { numeric::evaluate_formula(f, p) } else { 0.0 };
                (!value.is_finite()).then_some(value)
            })
        }
    }
}
