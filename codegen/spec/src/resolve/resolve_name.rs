//! Resolution of names in formulas, with checks of what each place permits.

use super::Build;
use super::dimension::Dim;
use super::formulas::{NodePlace, PermittedNames};
use super::names::NameMeaning;
use super::typed::Typed;
use crate::spec::formula::FUNCTIONS;
use dqdt_algebra::{Dimension, Number, Ratio};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Variable};

/// Maximum number of operations of definitions, summed over all their uses in formulas, which
/// limits the size of expanded formulas.
const MAX_TOTAL: usize = 3_000_000;

impl Build<'_> {
    /// Resolves a name in a formula to a variable or a definition. Errors are reported.
    pub(super) fn resolve_name(&mut self, name: &str, place: &NodePlace<'_>) -> Option<Typed> {
        match name {
            "pi" => return Some(Typed::from_number(Number::pi(Ratio::ONE))),
            "t" => {
                return self.variable_formula(
                    Variable::Time,
                    "the time `t`",
                    Dim::Known(Dimension::TIME),
                    place,
                );
            }
            "x" | "y" | "z" if place.permitted == PermittedNames::Surface => {
                let component = ["x", "y", "z"].iter().position(|c| *c == name).unwrap_or(0);
                let v = Variable::Coordinate(CoordinateId(self.coordinates.len() + component));
                return Some(Typed::atomic(Formula::Variable(v), Dim::Known(Dimension::LENGTH)));
            }
            _ => {}
        }
        if let Some((base, suffix)) = name.split_once('.') {
            match self.names.get(base) {
                Some(NameMeaning::Coordinate(_)) => self.report_dotted_rate(name, base, suffix, place),
                _ => self.report_frame_as_value(name, place),
            }
            return None;
        }
        let Some(meaning) = self.names.get(name) else {
            self.report_unknown_name(name, place);
            return None;
        };
        match meaning {
            NameMeaning::Parameter(i) => self.resolve_parameter(i, name, place),
            NameMeaning::Coordinate(i) => {
                let dim = self.coordinates[i].dimension;
                self.variable_formula(
                    Variable::Coordinate(i),
                    &format!("the coordinate `{name}`"),
                    Dim::Known(dim),
                    place,
                )
            }
            NameMeaning::Speed(i) => {
                let dim = self.speeds[i].dimension;
                self.variable_formula(
                    Variable::Speed(i),
                    &format!("the speed `{name}`"),
                    Dim::Known(dim),
                    place,
                )
            }
            NameMeaning::State(i) => {
                let dim = Dim::from_unit(self.spec.states[i].unit.as_ref().map(|u| u.unit.dimension));
                self.variable_formula(Variable::State(i), &format!("the state `{name}`"), dim, place)
            }
            NameMeaning::Input(i) => {
                self.used.inputs[i] = true;
                let dim = Dim::from_unit(self.spec.inputs[i].unit.as_ref().map(|u| u.unit.dimension));
                self.variable_formula(Variable::Input(i), &format!("the input `{name}`"), dim, place)
            }
            NameMeaning::Definition(i) => self.resolve_definition(i, name, place),
            NameMeaning::Table(_) => {
                self.report(
                    Diagnostic::error(
                        "table-without-argument",
                        format!("the table `{name}` requires an argument"),
                    )
                    .at(place.span(), format!("write `{name}(x)`"))
                    .also(self.names.span(name), "the table"),
                );
                None
            }
        }
    }

    /// A parameter, if this place permits it.
    fn resolve_parameter(&mut self, i: usize, name: &str, place: &NodePlace<'_>) -> Option<Typed> {
        self.used.parameters[i] = true;
        let parameter = &self.spec.parameters[i];
        let dim = Dim::from_unit(parameter.unit.as_ref().map(|u| u.unit.dimension));
        if place.permitted == PermittedNames::Numbers
            || (place.permitted == PermittedNames::Constants && !parameter.constant)
        {
            let called = format!("the parameter `{name}`");
            self.report_forbidden_name(&called, place, self.names.span(name));
            return None;
        }
        Some(Typed::atomic(Formula::Variable(Variable::Parameter(self.parameter_index[i])), dim))
    }

    /// The formula of a definition, if this place permits all variables in it.
    fn resolve_definition(&mut self, i: usize, name: &str, place: &NodePlace<'_>) -> Option<Typed> {
        self.used.definitions[i] = true;
        if self.spent > MAX_TOTAL {
            return None;
        }
        let typed = self.definitions.get(i).cloned().flatten()?;
        let bad = typed.uses.iter().find(|(v, _)| !is_permitted(*v, place.permitted)).map(|u| u.1.clone());
        if let Some(used) = bad {
            let called = format!("`{name}`, whose formula contains {used}");
            self.report_forbidden_name(&called, place, self.names.span(name));
            return None;
        }
        let before = self.spent;
        self.spent = before.saturating_add(typed.size);
        if self.spent > MAX_TOTAL {
            if before <= MAX_TOTAL {
                self.report(
                    Diagnostic::error("spec-too-long", "the expanded definitions contain too many operations")
                        .at(place.span(), format!("the definitions have more than {MAX_TOTAL} operations in total"))
                        .help("define parts of the definitions as derived parameters, which are computed once, or use tables"),
                );
            }
            return None;
        }
        Some(typed)
    }

    /// The formula of a variable, if the place permits it; `called` names it in messages.
    pub(super) fn variable_formula(
        &mut self,
        v: Variable,
        called: &str,
        dim: Dim,
        place: &NodePlace<'_>,
    ) -> Option<Typed> {
        if !is_permitted(v, place.permitted) {
            self.report_forbidden_name(called, place, None);
            return None;
        }
        Some(Typed { uses: vec![(v, called.to_owned())], ..Typed::atomic(Formula::Variable(v), dim) })
    }

    fn report_forbidden_name(&mut self, called: &str, place: &NodePlace<'_>, defined: Option<Span>) {
        let d = Diagnostic::error("name-not-allowed", format!("{} cannot use {called}", place.what))
            .at(place.span(), format!("{} may use {}", place.what, place.permitted.permitted_names_text()))
            .also(defined, "defined here");
        let d = d.help(match place.permitted {
            PermittedNames::Numbers | PermittedNames::Constants => "replace the name with a number or with a parameter that has `constant = true`",
            PermittedNames::Parameters => "use only numbers and parameters: the value must be constant during the motion",
            PermittedNames::Surface | PermittedNames::Pose | PermittedNames::Motion => {
                "use only the allowed names, or define a load instead: a constraint that depends on other quantities has no reaction"
            }
            _ => "quantities that depend on the motion can only be used in loads, rates of states and outputs",
        });
        self.report(d);
    }

    /// Reports a rate in the syntax of another language, such as `theta.dot`, with the name in
    /// specs as help.
    fn report_dotted_rate(&mut self, name: &str, coordinate: &str, suffix: &str, place: &NodePlace<'_>) {
        let speed = format!("{coordinate}_dot");
        let help = if matches!(suffix, "ddot" | "dotdot" | "acceleration") {
            "formulas cannot use accelerations: the equations of motion determine them".to_owned()
        } else if self.names.get(&speed).is_some() {
            format!("the rate of this coordinate is `{speed}`")
        } else {
            format!(
                "the rate of this coordinate is not a speed: write a formula of the speeds of its joint; `{coordinate}` alone denotes the coordinate"
            )
        };
        self.report(
            Diagnostic::error("unknown-name", format!("unknown name `{name}` in {}", place.what))
                .at(place.span(), format!("`{coordinate}` is a coordinate"))
                .help(help),
        );
    }

    fn report_unknown_name(&mut self, name: &str, place: &NodePlace<'_>) {
        let broken = &self.spec.broken;
        if broken.sections || broken.joints || broken.names.iter().any(|b| b == name) {
            return;
        }
        let d = Diagnostic::error("unknown-name", format!("unknown name `{name}` in {}", place.what))
            .at(place.span(), "not found");
        let rate_of = name.strip_suffix("_dot").filter(|base| {
            matches!(self.names.get(base), Some(NameMeaning::Definition(i)) if self.definition_sources[i].prescribes.is_some())
        });
        let help = if let Some(base) = rate_of {
            format!(
                "write out the derivative of the formula for `{base}`: the rate of a prescribed coordinate is not a speed"
            )
        } else if FUNCTIONS.iter().any(|f| f.name == name) || name == "if" {
            format!("`{name}` is a function: write `{name}(…)`")
        } else if let Some(near) = self.suggest_name(name, self.names.all_names().chain(["t", "pi"])) {
            format!("did you mean `{near}`?")
        } else if name.starts_with("lambda_") || name.starts_with("reaction_") {
            "formulas cannot use constraint forces and joint reactions, which follow from the accelerations: `simulate --signals multipliers,reactions` shows them, and the emitted functions `multipliers` and `reactions` compute them"
                .to_owned()
        } else if place.permitted == PermittedNames::Everything {
            format!(
                "a formula may use parameters, definitions, coordinates, speeds, states and inputs: \
                 declare `{name}` under [inputs] if it is set from outside, and under [parameters] \
                 otherwise"
            )
        } else if place.permitted == PermittedNames::Numbers {
            format!("{} may only use numbers", place.what)
        } else {
            format!(
                "{} may only use {}; is an entry missing in [parameters]?",
                place.what,
                place.permitted.permitted_names_text()
            )
        };
        self.report(d.help(help));
    }
}

/// True if a place with these permitted names may use the variable.
fn is_permitted(v: Variable, permitted: PermittedNames) -> bool {
    match v {
        Variable::Parameter(_) => permitted != PermittedNames::Numbers,
        Variable::Time => !matches!(
            permitted,
            PermittedNames::Numbers | PermittedNames::Constants | PermittedNames::Parameters
        ),
        Variable::Coordinate(_) | Variable::Position(_) => {
            matches!(permitted, PermittedNames::Pose | PermittedNames::Motion | PermittedNames::Everything)
        }
        Variable::Speed(_) | Variable::Velocity(_) => {
            matches!(permitted, PermittedNames::Motion | PermittedNames::Everything)
        }
        Variable::State(_) | Variable::Input(_) => permitted == PermittedNames::Everything,
    }
}
