//! Input laws: formulas or tables that a command gives for inputs along a motion.

use std::sync::Arc;

use super::Build;
use super::formulas::PermittedNames;
use super::order::topological_order;
use crate::spec::{self, Law, formula::scale_to_si};
use dqdt_algebra::{Number, PiecewiseCubic};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, Input, Mechanism, Variable};

/// Duration of the step from one held value of an input to the next, relative to the larger of 1 s
/// and the time.
const JUMP: f64 = 1e-12;

impl Build<'_> {
    /// Resolves the laws of inputs, which a command sets along a motion, and reports cyclic
    /// dependences.
    pub(super) fn build_laws(&mut self, inputs: &mut [Input]) {
        let spec = self.spec;
        for (u, input) in spec.inputs.iter().zip(inputs.iter_mut()) {
            input.law = u.law.as_ref().map(|law| match law {
                Law::Formula(value) => {
                    let what = format!("input `{}`", u.name.value);
                    self.formula_in_unit_with_names(
                        Some(value),
                        &what,
                        u.unit.as_ref(),
                        PermittedNames::Everything,
                    )
                }
                Law::Table { t, values, held, .. } => table_law(u, t, values, *held),
            });
        }
        let needs = |input: &Input| -> Vec<usize> {
            let Some(law) = &input.law else { return Vec::new() };
            let with_law = (0..inputs.len()).filter(|i| inputs[*i].law.is_some());
            with_law.filter(|i| law.any_variable(&|v| v == Variable::Input(*i))).collect()
        };
        let needs: Vec<Vec<usize>> = inputs.iter().map(needs).collect();
        let place = |i: usize| spec.inputs[i].law.as_ref().and_then(Law::option_span);
        for cycle in topological_order(&needs).1 {
            let mut path: Vec<&str> = cycle.iter().map(|i| inputs[*i].name.as_str()).collect();
            path.push(path[0]);
            let d = Diagnostic::error(
                "formula-cycle",
                format!("inputs depend on each other in a cycle: {}", path.join(" → ")),
            );
            let d = d.at(place(cycle[0]), "this input depends on itself");
            let d = cycle.iter().skip(1).take(4).fold(d, |d, i| d.also(place(*i), "through this"));
            self.report(d.help("use only quantities that can be computed before this input, or use a user state (`[states]`) for feedback"));
        }
    }

    /// Reports laws for inputs that realise a constraint, and laws that use such an input, whose
    /// value is not known in advance.
    pub(super) fn check_laws(&mut self, m: &Mechanism) {
        let realised = m.inputs_realising_constraints();
        for (i, (input, u)) in m.inputs.iter().zip(&self.spec.inputs).enumerate() {
            let (Some(law), Some(spec_law)) = (&input.law, &u.law) else { continue };
            let name = &input.name;
            if realised.contains(&i) {
                let text = format!("input `{name}` cannot be set: a constraint determines its value");
                let d = Diagnostic::error("realised-input", text).at(spec_law.option_span(), "given here");
                self.report(d.help("remove the setting; `--signals inputs` shows the value of this input"));
            }
            if let Some(used) = realised.iter().find(|r| law.any_variable(&|v| v == Variable::Input(**r))) {
                let text = format!(
                    "input `{name}` cannot use `{}`, which a constraint determines",
                    m.inputs[*used].name
                );
                let d = Diagnostic::error("realised-input", text).at(spec_law.option_span(), "used here");
                self.report(d.help(
                    "use coordinates and speeds instead: the value of that input is known only together with the accelerations",
                ));
            }
        }
    }
}

/// A table of input values, in the unit of the input, as a piecewise linear formula of time.
fn table_law(u: &spec::Input, t: &[f64], values: &[f64], held: bool) -> Formula {
    let factor = u.unit.as_ref().and_then(|u| scale_to_si(Number::ONE, u.unit)).map_or(1.0, Number::to_f64);
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (k, (t, value)) in t.iter().zip(values).enumerate() {
        if held && k > 0 {
            let gap = (JUMP * t.abs().max(1.0)).min((t - x[x.len() - 1]) / 2.0);
            let before = t - gap;
            if before > x[x.len() - 1] && before < *t {
                x.push(before);
                y.push(y[y.len() - 1]);
            }
        }
        x.push(*t);
        y.push(value * factor);
    }
    Formula::Table(Arc::new(PiecewiseCubic::linear(&x, &y)), Box::new(Formula::Variable(Variable::Time)))
}
