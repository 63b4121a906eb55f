//! Resolves constraints.

use super::Build;
use super::dimension::Dim;
use super::formulas::PermittedNames;
use super::names::NameMeaning;
use super::typed::Typed;
use crate::spec::{self, FrameOn, Name, Value};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::constraint::{
    Constraint, ConstraintKeys, ConstraintKind, Level, Stabilisation, Treatment,
};
use dqdt_mechanics::mechanism::{AxisVector, CoordinateId, Ends, Formula, Placement, SpeedId, Variable};

impl Build<'_> {
    /// Resolves the section `[constraints]`.
    pub(super) fn build_constraints(&mut self) -> Vec<Constraint> {
        let spec = self.spec;
        let mut out = Vec::new();
        for c in &spec.constraints {
            let what = format!("constraint `{}`", c.name.value);
            let stabilisation = c.stabilisation.as_ref().map(|s| self.resolve_stabilisation(s, &what));
            let mut dimensions = Vec::new();
            let kind = self.resolve_constraint_kind(&c.kind, &what, &mut dimensions);
            let treatment = self.resolve_treatment(c, &what);
            let Some((kind, treatment)) = kind.zip(treatment) else { continue };
            let constraint = Constraint {
                description: c.description.clone(),
                stabilisation,
                treatment,
                dimensions,
                ..Constraint::new(c.name.value.clone(), kind)
            };
            self.check_row_counts(c, &constraint, &what);
            out.push(constraint);
        }
        out
    }

    /// Resolves the table `stabilisation` of a constraint: Baumgarte's α and β, or a time constant.
    fn resolve_stabilisation(&mut self, s: &spec::Stabilisation, what: &str) -> Stabilisation {
        let rate = Some(Dimension::TIME.power(-1));
        if let Some(t) = &s.time_constant {
            let text = format!("the time constant of {what}");
            let t = self.resolve_formula(t, &text, PermittedNames::Parameters, Some(Dimension::TIME));
            let inverse = Formula::Div(Box::new(Formula::ONE), Box::new(t));
            return Stabilisation { alpha: inverse.clone(), beta: inverse };
        }
        let mut part = |value: &Option<Value>, name: &str| {
            let text = format!("`{name}` of {what}");
            self.resolve_formula_or(value.as_ref(), Formula::ZERO, &text, PermittedNames::Parameters, rate)
        };
        Stabilisation { alpha: part(&s.alpha, "alpha"), beta: part(&s.beta, "beta") }
    }

    /// Treatment of a constraint in the equations: by multipliers, by elimination of dependent
    /// speeds, or by inputs that realise it.
    fn resolve_treatment(&mut self, c: &spec::Constraint, what: &str) -> Option<Treatment> {
        let eliminated = c.elimination.as_ref().is_some_and(|e| e.value);
        if let Some(list) = &c.realised_by {
            if let Some(e) = &c.elimination {
                self.report(
                    Diagnostic::error(
                        "conflict",
                        format!("{what} is enforced by inputs, so it cannot have a `treatment`"),
                    )
                    .at(e.span, "this key specifies how reactions are computed")
                    .also(list.span, "these inputs replace the reactions")
                    .help("remove either `treatment` or `realised_by`"),
                );
            }
            let inputs: Vec<Option<usize>> = list.value.iter().map(|n| self.find_input(n, what)).collect();
            return inputs.into_iter().collect::<Option<Vec<_>>>().map(Treatment::Inputs);
        }
        let Some(list) = &c.dependent else {
            let none = Treatment::Elimination(Vec::new());
            return Some(if eliminated { none } else { Treatment::Multipliers });
        };
        if !eliminated {
            self.report(
                Diagnostic::error(
                    "conflict",
                    format!("{what} lists dependent speeds, but does not use elimination"),
                )
                .at(list.span, "dependent speeds are allowed only with elimination")
                .help("add `treatment = \"elimination\"`, or remove `dependent`"),
            );
            return None;
        }
        let speeds: Vec<Option<SpeedId>> = list.value.iter().map(|n| self.find_speed(n, what)).collect();
        speeds.into_iter().collect::<Option<Vec<_>>>().map(Treatment::Elimination)
    }

    /// Index of the named input, which counts as used; an unknown name is reported.
    fn find_input(&mut self, name: &Name, what: &str) -> Option<usize> {
        if let Some(NameMeaning::Input(i)) = self.names.get(&name.value) {
            self.used.inputs[i] = true;
            return Some(i);
        }
        let known: Vec<String> = self.spec.inputs.iter().map(|u| u.name.value.clone()).collect();
        self.report_unknown_variable(name, what, "an input", "input", &known);
        None
    }

    /// Resolves the driven speeds that the spec lists under the key `driven`.
    pub(super) fn build_driven(&mut self) -> Vec<SpeedId> {
        let names = &self.spec.driven;
        for (i, name) in names.iter().enumerate() {
            if names[..i].iter().any(|n| n.value == name.value) {
                let text = format!("`driven` lists `{}` twice", name.value);
                self.report(Diagnostic::error("duplicate", text).at(name.span, "again here"));
            }
        }
        names.iter().filter_map(|name| self.find_speed(name, "`driven`")).collect()
    }

    /// The free speed of this name; an unknown name is reported.
    fn find_speed(&mut self, name: &Name, what: &str) -> Option<SpeedId> {
        if let Some(NameMeaning::Speed(i)) = self.names.get(&name.value) {
            return Some(i);
        }
        let known: Vec<String> = self.speeds.iter().map(|s| s.name.clone()).collect();
        self.report_unknown_variable(name, what, "a speed", "speed", &known);
        None
    }

    /// The free coordinate of this name; an unknown name is reported.
    fn find_coordinate(&mut self, name: &Name, what: &str) -> Option<CoordinateId> {
        if let Some(NameMeaning::Coordinate(i)) = self.names.get(&name.value) {
            return Some(i);
        }
        let known: Vec<String> = self.coordinates.iter().map(|s| s.name.clone()).collect();
        self.report_unknown_variable(name, what, "a coordinate", "coordinate", &known);
        None
    }

    /// Reports an unknown input, speed or coordinate with a similar name as help.
    fn report_unknown_variable(
        &mut self,
        name: &Name,
        what: &str,
        article: &str,
        noun: &str,
        known: &[String],
    ) {
        if self.spec.broken.joints {
            return;
        }
        let text = match self.names.get(&name.value) {
            Some(m) => format!("`{}` in {what} is {}, not {article}", name.value, m.noun()),
            None => format!("unknown {noun} `{}` in {what}", name.value),
        };
        let d = Diagnostic::error("unknown-name", text).at(name.span, format!("not {article}"));
        self.report(match self.suggest_name(&name.value, known.iter().map(String::as_str)) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => d.help(format!("the spec has no {noun}s")),
            None => {
                let list: Vec<&str> = known.iter().take(12).map(String::as_str).collect();
                d.help(format!("{noun}s: {}", list.join(", ")))
            }
        });
    }

    /// Resolves the frames `from` and `to` of a constraint; by default the first is that of the
    /// ground.
    fn resolve_ends(&mut self, from: Option<&FrameOn>, to: &FrameOn, what: &str) -> Option<Ends> {
        let first = match from {
            Some(f) => self.resolve_frame(f, &format!("`from` of {what}")),
            None => Some((None, Placement::IDENTITY)),
        };
        let second = self.resolve_frame(to, &format!("`to` of {what}"));
        let (first, second) = first.zip(second)?;
        if first.0 == second.0 {
            let place = second.0.map_or("the ground".to_owned(), |_| format!("body `{}`", to.body.value));
            self.report(
                Diagnostic::error("same-body", format!("`from` and `to` of {what} are both on {place}"))
                    .at(to.body.span, "this is the same body as `from`")
                    .also(from.and_then(|f| f.body.span), "`from`")
                    .help("connect two bodies, or a body and the ground"),
            );
            return None;
        }
        let from = (first.0.map(|b| self.body_id(b)), first.1);
        let to = (second.0.map(|b| self.body_id(b)), second.1);
        Some(Ends { from, to })
    }

    /// Resolves the keys that only this type of constraint has. The dimensions of rows that are
    /// formulas are appended to `dimensions`.
    fn resolve_constraint_kind(
        &mut self,
        spec: &spec::ConstraintKind,
        what: &str,
        dimensions: &mut Vec<Option<Dimension>>,
    ) -> Option<ConstraintKind> {
        let mut reading = ConstraintReader { build: self, spec, what, dimensions };
        let kind = ConstraintKind::read(spec.kind, &mut reading)?;
        let Some(wrong) = kind.form().data_error() else { return Some(kind) };
        let span = match wrong.key {
            Some(key) => spec.value(key).and_then(|v| v.span),
            None => spec.axes.iter().find_map(|a| a.span),
        };
        let text = format!("{}{what}{}", wrong.before, wrong.after);
        self.report(Diagnostic::error(wrong.code, text).at(span, wrong.label).help(wrong.help));
        None
    }

    /// Formulas of a surface or curve in the components x, y, z of a point of it; the constraint
    /// keeps them at zero.
    fn surface_formulas(
        &mut self,
        spec: &[Value],
        what: &str,
        dimensions: &mut Vec<Option<Dimension>>,
    ) -> Vec<Formula> {
        let mut list = Vec::new();
        for value in spec {
            let typed =
                self.resolve_typed(value, &format!("a formula of {what}"), PermittedNames::Surface, None);
            let nq = self.coordinates.len();
            if let Some(typed) = typed {
                if !typed.formula.any_variable(&|v| matches!(v, Variable::Coordinate(i) if i.index() >= nq)) {
                    self.report(
                        Diagnostic::error(
                            "no-point",
                            format!("a formula of {what} does not contain x, y or z"),
                        )
                        .at(value.span, "this formula does not depend on the point")
                        .help("use x, y and z, the coordinates of the point in the frame of `from`"),
                    );
                }
                dimensions.push(known_dimension(typed.dim));
                list.push(typed.formula);
            }
        }
        list
    }

    /// Formula of a constraint of type `gear`, `first − ratio · second − offset`, which is held at
    /// zero.
    fn gear_formula(
        &mut self,
        first: &Name,
        second: &Name,
        (ratio, offset): (&Value, Option<&Value>),
        what: &str,
    ) -> Option<Formula> {
        let (a, b) = (self.find_coordinate(first, what), self.find_coordinate(second, what));
        let dimension = |c: Option<CoordinateId>| c.map(|c| self.coordinates[c].dimension);
        let (da, db) = (dimension(a), dimension(b));
        let of_ratio = da.zip(db).map(|(a, b)| a.over(b));
        let ratio = self.resolve_formula(
            ratio,
            &format!("the ratio of {what}"),
            PermittedNames::Parameters,
            of_ratio,
        );
        let text = format!("the offset of {what}");
        let offset = self.resolve_formula_or(offset, Formula::ZERO, &text, PermittedNames::Parameters, da);
        let (a, b) = a.zip(b)?;
        if a == b {
            self.report(
                Diagnostic::error("same-coordinate", format!("{what} couples `{}` to itself", first.value))
                    .at(second.span, "this is the same coordinate as `first`")
                    .also(first.span, "the first")
                    .help("name two different coordinates"),
            );
            return None;
        }
        let [a, b] = [a, b].map(|i| Box::new(Formula::Variable(Variable::Coordinate(i))));
        let driven = Formula::Sub(a, Box::new(Formula::Mul(Box::new(ratio), b)));
        let whole = if offset.is_zero() { driven } else { Formula::Sub(Box::new(driven), Box::new(offset)) };
        Some(whole)
    }

    /// Resolves the formula that a constraint of type `position` or `velocity` holds at zero. Its
    /// dimension is appended to `dimensions`.
    fn constraint_formula(
        &mut self,
        value: &Value,
        what: &str,
        permitted: PermittedNames,
        dimensions: &mut Vec<Option<Dimension>>,
    ) -> Option<Formula> {
        let Typed { formula, dim, .. } =
            self.resolve_typed(value, &format!("the formula of {what}"), permitted, None)?;
        dimensions.push(known_dimension(dim));
        Some(formula)
    }

    /// The formula of a constraint of type `position`; one without coordinates is an error.
    fn position_formula(
        &mut self,
        value: &Value,
        what: &str,
        dimensions: &mut Vec<Option<Dimension>>,
    ) -> Option<Formula> {
        let formula = self.constraint_formula(value, what, PermittedNames::Pose, dimensions)?;
        if formula.any_variable(&|v| matches!(v, Variable::Coordinate(_) | Variable::Position(_))) {
            return Some(formula);
        }
        self.report(
            Diagnostic::error("no-coordinate", format!("the formula of {what} contains no coordinate"))
                .at(value.span, "no coordinate")
                .help("write a formula of the coordinates; the constraint keeps its value at zero"),
        );
        None
    }

    /// The formula of a constraint of type `velocity`; one without speeds, or not linear in them,
    /// is an error.
    fn velocity_formula(
        &mut self,
        value: &Value,
        what: &str,
        dimensions: &mut Vec<Option<Dimension>>,
    ) -> Option<Formula> {
        let formula = self.constraint_formula(value, what, PermittedNames::Motion, dimensions)?;
        if !formula.any_variable(&|v| matches!(v, Variable::Speed(_) | Variable::Velocity(_))) {
            self.report(
                Diagnostic::error("no-speed", format!("the formula of {what} contains no speed"))
                    .at(value.span, "no speed")
                    .help(
                        "for a formula that contains only coordinates, use a constraint of type `position`",
                    ),
            );
            return None;
        }
        if let Some(speeds) = super::linear::find_nonlinear_variables(
            &formula,
            self.coordinates.len(),
            self.speeds.len(),
            self.measures.len(),
        ) {
            let name = |v: &Variable| match v {
                Variable::Speed(i) => format!("`{}`", self.speeds[*i].name),
                Variable::Velocity(i) => format!("`{}`", self.measures[*i].text),
                _ => String::new(),
            };
            let names: Vec<String> = speeds.iter().map(name).collect();
            let names = names.join(" and ");
            self.report(
                Diagnostic::error("not-linear", format!("the formula of {what} is not linear in the speeds"))
                    .at(value.span, format!("this formula is not linear in {names}"))
                    .help("rewrite the formula so that it is linear in the speeds, or differentiate the constraint by hand: reactions are defined only for constraints that are linear in the speeds"),
            );
            return None;
        }
        Some(formula)
    }

    /// Resolves a formula that must be a positive length, such as a radius. A constant that is zero
    /// or negative is reported.
    pub(super) fn check_positive_length(
        &mut self,
        value: &Value,
        what: &str,
        permitted: PermittedNames,
    ) -> Formula {
        let Some(typed) = self.resolve_typed(value, what, permitted, Some(Dimension::LENGTH)) else {
            return Formula::ONE;
        };
        if typed.as_number().is_some_and(|n| n.to_f64() <= 0.0) {
            self.report(
                Diagnostic::error("not-positive", format!("{what} is not positive"))
                    .at(value.span, "this length must be greater than zero"),
            );
        }
        typed.formula
    }

    /// Reports a constraint with a wrong number of inputs or dependent speeds for its rows.
    fn check_row_counts(&mut self, c: &spec::Constraint, constraint: &Constraint, what: &str) {
        let rows = constraint.row_count();
        let s = if rows == 1 { "" } else { "s" };
        match &constraint.treatment {
            Treatment::Inputs(inputs) if inputs.len() != rows => {
                let list = c.realised_by.as_ref();
                self.report(
                    Diagnostic::error(
                        "wrong-count",
                        format!(
                            "{what} has {rows} row{s}, but is enforced by {} input{}",
                            inputs.len(),
                            if inputs.len() == 1 { "" } else { "s" }
                        ),
                    )
                    .at(list.and_then(|l| l.span), "each row needs one input")
                    .help("name one input for each row"),
                );
            }
            Treatment::Elimination(speeds) if speeds.len() > rows => {
                let list = c.dependent.as_ref();
                self.report(
                    Diagnostic::error(
                        "wrong-count",
                        format!("{what} has {rows} row{s}, but {} dependent speeds", speeds.len()),
                    )
                    .at(list.and_then(|l| l.span), "each row allows only one dependent speed")
                    .help("name at most one dependent speed for each row"),
                );
            }
            _ => {}
        }
        let lists = [&c.realised_by, &c.dependent];
        for name in lists.into_iter().flatten().filter_map(|list| first_repeated_name(&list.value)) {
            self.report(
                Diagnostic::error("duplicate", format!("{what} lists `{}` twice", name.value))
                    .at(name.span, "again here"),
            );
        }
    }
}

/// The first name of a list that repeats an earlier one.
fn first_repeated_name(names: &[Name]) -> Option<&Name> {
    let (_, name) = names.iter().enumerate().find(|(i, n)| names[..*i].iter().any(|m| m.value == n.value))?;
    Some(name)
}

/// Dimension of a formula, if it is known. A bare number is dimensionless.
pub(super) fn known_dimension(dim: Dim) -> Option<Dimension> {
    match dim {
        Dim::Known(d) => Some(d),
        Dim::Literal => Some(Dimension::NONE),
        Dim::Unknown => None,
    }
}

/// Implementation of [`ConstraintKeys`]: gives a constraint type access to the resolved keys of one
/// constraint of the spec.
struct ConstraintReader<'r, 's, 'b> {
    build: &'r mut Build<'b>,
    spec: &'s spec::ConstraintKind,
    what: &'s str,
    /// Receives the dimensions of constraint rows that are formulas.
    dimensions: &'r mut Vec<Option<Dimension>>,
}

impl ConstraintKeys for ConstraintReader<'_, '_, '_> {
    fn read_ends(&mut self) -> Option<Ends> {
        self.build.resolve_ends(self.spec.from.as_ref(), self.spec.to.as_ref()?, self.what)
    }

    fn read_axis(&self, i: usize) -> AxisVector {
        self.spec.axes.get(i).map_or(AxisVector::coordinate_axis(2), |a| AxisVector(a.value))
    }

    fn read_length(&mut self, key: &'static str) -> Option<Formula> {
        let text = format!("the {key} of {}", self.what);
        let value = self.spec.value(key)?;
        Some(self.build.resolve_formula(value, &text, PermittedNames::Parameters, Some(Dimension::LENGTH)))
    }

    fn read_positive_length(&mut self, key: &'static str, moving: bool) -> Option<Formula> {
        let text = format!("the {key} of {}", self.what);
        let permitted = if moving { PermittedNames::Time } else { PermittedNames::Parameters };
        Some(self.build.check_positive_length(self.spec.value(key)?, &text, permitted))
    }

    fn read_formula(&mut self, level: Level) -> Option<Formula> {
        let spec = self.spec;
        if let [first, second] = &spec.names[..] {
            if let Some(NameMeaning::Coordinate(c)) = self.build.names.get(&first.value) {
                self.dimensions.push(Some(self.build.coordinates[c].dimension));
            }
            return self.build.gear_formula(
                first,
                second,
                (spec.value("ratio")?, spec.value("offset")),
                self.what,
            );
        }
        let value = spec.value("formula")?;
        match level {
            Level::Positions => self.build.position_formula(value, self.what, self.dimensions),
            Level::Speeds => self.build.velocity_formula(value, self.what, self.dimensions),
        }
    }

    fn read_surface_formulas(&mut self) -> Vec<Formula> {
        self.build.surface_formulas(&self.spec.formulas, self.what, self.dimensions)
    }
}
