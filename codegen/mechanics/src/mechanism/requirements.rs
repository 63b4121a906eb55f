//! Validity conditions on the parameters, for example that no mass is negative. Emitted code checks
//! them for the values set at run time.

use super::environment::Variable;
use super::formula::Formula;
use super::index::ParameterId;
use super::model::{Mechanism, ParameterKind};
use super::rule::Rule;

/// A validity condition on the parameters, such as a mass that is not negative. Checked by emitted
/// code at run time.
#[derive(Clone, PartialEq, Debug)]
pub struct Requirement {
    /// Message if the requirement is violated, such as ``the mass of body `bob` is negative``.
    pub fault: String,
    /// The condition that the value of `formula` must fulfil.
    pub rule: Rule,
    /// The checked quantity, a formula of the parameters.
    pub formula: Formula,
}

/// All requirements on run-time parameters, in the order of the mechanism. Formulas without such
/// parameters are omitted; they were checked with the spec.
pub fn collect_requirements(m: &Mechanism) -> Vec<Requirement> {
    let mut all = Vec::new();
    let mut require = |fault: String, rule: Rule, formula: Formula| {
        if depends_on_run_time_parameters(m, &formula) {
            all.push(Requirement { fault, rule, formula });
        }
    };
    for (i, p) in ParameterId::enumerate(&m.parameters) {
        let fault = format!("parameter `{}` is not a finite number", p.name);
        require(fault, Rule::Finite, Formula::Variable(Variable::Parameter(i)));
    }
    for body in &m.bodies {
        require(
            format!("the mass of body `{}` is negative", body.name),
            Rule::NotNegative,
            body.mass.clone(),
        );
        for (axis, moment) in ["xx", "yy", "zz"].iter().zip(&body.inertia) {
            let fault = format!("the moment of inertia `{axis}` of body `{}` is negative", body.name);
            require(fault, Rule::NotNegative, moment.clone());
        }
    }
    for joint in &m.joints {
        for armature in joint.armature.iter().flatten() {
            let fault = format!("the armature of joint `{}` is negative", joint.name);
            require(fault, Rule::NotNegative, armature.clone());
        }
        if let Some(rotor) = &joint.rotor {
            let fault = format!("the rotor inertia of joint `{}` is negative", joint.name);
            require(fault, Rule::NotNegative, rotor.inertia.clone());
        }
    }
    for load in &m.loads {
        for condition in load.kind.form().validity_conditions().iter().filter(|d| d.is_error) {
            let [before, after] = condition.message;
            require(format!("{before}`{}`{after}", load.name), condition.rule, condition.formula.clone());
        }
    }
    for input in &m.inputs {
        if let Some((low, high)) = &input.limits {
            let range = Formula::Sub(Box::new(high.clone()), Box::new(low.clone()));
            require(
                format!("the lower limit of input `{}` is greater than the upper limit", input.name),
                Rule::NotNegative,
                range,
            );
        }
    }
    all
}

/// True if a formula depends only on parameters, and on at least one that is not constant.
fn depends_on_run_time_parameters(m: &Mechanism, f: &Formula) -> bool {
    let mentions_others = f.any_variable(&|v| !matches!(v, Variable::Parameter(_)));
    !mentions_others
        && f.any_variable(&|v| match v {
            Variable::Parameter(i) => {
                m.parameters.get(i.index()).is_some_and(|p| !matches!(p.kind, ParameterKind::Constant(_)))
            }
            _ => false,
        })
}
