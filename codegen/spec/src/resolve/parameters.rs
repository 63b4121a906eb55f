//! Resolves names, parameters, tables, definitions.

use std::sync::Arc;

use super::dimension::Dim;
use super::formulas::PermittedNames;
use super::names::NameMeaning;
use super::order::topological_order;
use super::typed::Typed;
use super::{Build, DefinitionSource, TableFunction, numeric};
use crate::spec::formula::{Expr, Node, scale_to_si};
use crate::spec::{self, Value};
use dqdt_algebra::{Number, PiecewiseCubic, si_unit_text};
use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, NamedFormula, Parameter, ParameterId, ParameterKind, Table};

impl Build<'_> {
    /// Fills the symbol table with the names of all parameters, tables, definitions, inputs,
    /// states, coordinates and speeds.
    pub(super) fn declare_names(&mut self) {
        let spec = self.spec;
        for (i, p) in spec.parameters.iter().enumerate() {
            self.declare_name(&p.name, NameMeaning::Parameter(i));
        }
        for (i, t) in spec.tables.iter().enumerate() {
            self.declare_name(&t.name, NameMeaning::Table(i));
        }
        for (i, d) in spec.definitions.iter().enumerate() {
            self.declare_name(&d.name, NameMeaning::Definition(i));
            self.definition_sources.push(DefinitionSource {
                name: d.name.clone(),
                value: d.value.clone(),
                prescribes: None,
            });
        }
        for j in 0..spec.joints.len() {
            self.declare_joint_variables(j);
        }
        for (i, z) in spec.states.iter().enumerate() {
            self.declare_name(&z.name, NameMeaning::State(i));
        }
        for (i, u) in spec.inputs.iter().enumerate() {
            self.declare_name(&u.name, NameMeaning::Input(i));
        }
        for (name, what) in spec.bodies.iter().map(|b| (&b.name, "a body")) {
            if name.value == "ground" {
                self.report(
                    Diagnostic::error(
                        "reserved-name",
                        format!("`ground` cannot be used as the name of {what}"),
                    )
                    .at(name.span, "`ground` is reserved for the fixed frame")
                    .help("choose another name; declare points of the ground in [ground]"),
                );
            }
        }
        self.used.definitions = vec![false; self.definition_sources.len()];
    }

    /// Resolves the section `[tables]`.
    pub(super) fn build_tables(&mut self) {
        for i in 0..self.spec.tables.len() {
            let table = self.build_table(i);
            self.tables.push(table);
        }
    }

    fn build_table(&mut self, i: usize) -> Option<TableFunction> {
        let t = &self.spec.tables[i];
        let what = format!("table `{}`", t.name.value);
        let x = self.resolve_numbers(&t.x.value, &format!("`x` of {what}"), t.x_unit.as_ref())?;
        let y = self.resolve_numbers(&t.y.value, &format!("`y` of {what}"), t.y_unit.as_ref())?;
        if x.len() != y.len() {
            self.report(
                Diagnostic::error(
                    "wrong-count",
                    format!("{what} has {} arguments but {} values", x.len(), y.len()),
                )
                .at(t.y.span, format!("{} values", y.len()))
                .also(t.x.span, format!("{} arguments", x.len()))
                .help("write one value of y for each value of x"),
            );
            return None;
        }
        if x.len() < 2 {
            self.report(
                Diagnostic::error("wrong-count", format!("{what} has fewer than two points"))
                    .at(t.x.span, "at least two points are required"),
            );
            return None;
        }
        if let Some(k) = x.windows(2).position(|w| w[0] >= w[1]) {
            self.report(
                Diagnostic::error(
                    "table-order",
                    format!("the values `x` of {what} are not strictly increasing"),
                )
                .at(t.x.value[k + 1].span, "this value is not greater than the previous one")
                .help("sort the points by x, and remove points with equal x"),
            );
            return None;
        }
        let function =
            if t.cubic { PiecewiseCubic::natural_spline(&x, &y) } else { PiecewiseCubic::linear(&x, &y) };
        if let Some(k) = function.coefficients.iter().position(|c| !c.iter().all(|x| x.is_finite())) {
            let text = format!(
                "the slope of {what} after point {} exceeds the range of double-precision numbers",
                k + 1
            );
            self.report(
                Diagnostic::error("not-finite", text)
                    .at(
                        t.x.value[k].span,
                        "this point is too close to the next one for the difference between their values",
                    )
                    .help("remove one of the points, or use units in which the numbers are closer to 1"),
            );
            return None;
        }
        Some(TableFunction {
            function: Arc::new(function.named(&t.name.value)),
            x: t.x_unit.as_ref().map(|u| u.unit.dimension),
            y: t.y_unit.as_ref().map(|u| u.unit.dimension),
        })
    }

    /// The resolved tables of the spec, in the form that reports show.
    pub(super) fn tables_for_reports(&self) -> Vec<Table> {
        let tables = self.spec.tables.iter().zip(&self.tables).filter_map(|(t, built)| {
            let built = built.as_ref()?;
            let units = [&t.x_unit, &t.y_unit]
                .map(|u| u.as_ref().map_or_else(String::new, |u| si_unit_text(&u.text.value)));
            Some(Table { function: Arc::clone(&built.function), cubic: t.cubic, units })
        });
        tables.collect()
    }

    /// Values of the points of a table: numbers and constant formulas, in SI units.
    fn resolve_numbers(
        &mut self,
        values: &[Value],
        what: &str,
        unit: Option<&spec::UnitText>,
    ) -> Option<Vec<f64>> {
        let mut out = Vec::new();
        let mut good = true;
        for v in values {
            let dimension = unit.map(|u| u.unit.dimension);
            let Some(typed) = self.resolve_typed(v, what, PermittedNames::Numbers, dimension) else {
                good = false;
                continue;
            };
            let bare = typed.dim == Dim::Literal;
            let n = numeric::evaluate_formula(&typed.formula, &[]);
            let factor = unit
                .filter(|_| bare)
                .and_then(|u| scale_to_si(Number::ONE, u.unit))
                .map_or(1.0, Number::to_f64);
            if (n * factor).is_finite() {
                out.push(n * factor);
            } else {
                good = false;
                self.report(
                    Diagnostic::error("not-finite", format!("{what} is not a finite number"))
                        .at(v.span, "here"),
                );
            }
        }
        good.then_some(out)
    }

    /// Names in a formula that it depends on, without those of frames.
    fn names_in_formula(&self, e: &Expr) -> Vec<String> {
        let frames = self.flag_frame_nodes(e);
        let values = e.nodes().iter().zip(frames).filter(|(_, frame)| !frame);
        let names = values.filter_map(|((node, _), _)| match node {
            Node::Name(name) => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// Reports formulas that depend on each other, by their indices: definitions, then parameters.
    fn report_formula_cycle(&mut self, cycle: &[usize]) {
        let count = self.definition_sources.len();
        let name = |i: usize| {
            if i < count { &self.definition_sources[i].name } else { &self.spec.parameters[i - count].name }
        };
        let mut path: Vec<&str> = cycle.iter().map(|i| name(*i).value.as_str()).collect();
        path.push(path[0]);
        let mut d = Diagnostic::error(
            "formula-cycle",
            format!("formulas depend on each other in a cycle: {}", path.join(" → ")),
        )
        .at(name(cycle[0]).span, "this formula depends on itself");
        for i in cycle.iter().skip(1).take(4) {
            d = d.also(name(*i).span, "through this");
        }
        self.problems.push(d.help("use only quantities that can be computed before this one"));
    }

    /// Orders definitions and parameters by dependence, reports cycles, and resolves the
    /// definitions.
    pub(super) fn build_definitions(&mut self) {
        let count = self.definition_sources.len();
        let values: Vec<&Value> = self
            .definition_sources
            .iter()
            .map(|d| &d.value)
            .chain(self.spec.parameters.iter().map(|p| &p.value))
            .collect();
        let needs: Vec<Vec<usize>> = values
            .iter()
            .map(|v| {
                let names = v.expr().map(|e| self.names_in_formula(e)).unwrap_or_default();
                names
                    .iter()
                    .filter_map(|n| match self.names.get(n) {
                        Some(NameMeaning::Definition(i)) => Some(i),
                        Some(NameMeaning::Parameter(i)) => Some(count + i),
                        _ => None,
                    })
                    .collect()
            })
            .collect();
        let (sequence, cycles) = topological_order(&needs);
        for cycle in cycles {
            self.report_formula_cycle(&cycle);
        }
        let mut index: Vec<Option<ParameterId>> = vec![None; self.spec.parameters.len()];
        let mut ids = ParameterId::range(index.len());
        for i in sequence.iter().filter(|i| **i >= count) {
            index[*i - count] = ids.next();
        }
        // Parameters on a cycle get the last ids.
        self.parameter_index = index.into_iter().filter_map(|id| id.or_else(|| ids.next())).collect();
        self.definitions = vec![None; count];
        for i in sequence.into_iter().filter(|i| *i < count) {
            let source = self.definition_sources[i].clone();
            let (what, permitted) = match source.prescribes {
                None => (format!("definition `{}`", source.name.value), PermittedNames::Everything),
                Some(_) => {
                    (format!("the prescribed coordinate `{}`", source.name.value), PermittedNames::Time)
                }
            };
            let typed = self.resolve_typed(&source.value, &what, permitted, source.prescribes);
            self.definitions[i] = typed.map(|typed| self.as_named_formula(source.name.value, typed));
        }
    }

    /// Wraps a formula under the name of its definition. A number stays a number.
    fn as_named_formula(&mut self, name: String, typed: Typed) -> Typed {
        if typed.as_number().is_some() {
            return typed;
        }
        let unit = match typed.dim {
            Dim::Known(dimension) => dimension.to_string(),
            Dim::Literal | Dim::Unknown => String::new(),
        };
        let place = self.named_formulas.len();
        let mut listed = None;
        let typed = typed.wrap_in_name(|formula| {
            let named = Arc::new(NamedFormula { name, place, unit, formula });
            listed = Some(named.clone());
            Formula::Named(named)
        });
        self.named_formulas.extend(listed);
        typed
    }

    /// Resolves the section `[parameters]`, each after those that it depends on.
    pub(super) fn build_parameters(&mut self) -> Vec<Parameter> {
        let mut out: Vec<(ParameterId, Parameter)> = Vec::new();
        for (i, p) in self.spec.parameters.iter().enumerate() {
            let kind = self.resolve_parameter_kind(p);
            let unit = p.unit.as_ref();
            out.push((
                self.parameter_index[i],
                Parameter {
                    name: p.name.value.clone(),
                    unit: unit.map_or_else(String::new, |u| si_unit_text(&u.text.value)),
                    dimension: unit.map(|u| u.unit.dimension),
                    description: p.description.clone(),
                    kind,
                },
            ));
        }
        out.sort_by_key(|(i, _)| *i);
        let mut list: Vec<Parameter> = out.into_iter().map(|(_, p)| p).collect();
        // A parameter overridden by a command becomes an independent number, like a parameter set
        // at run time.
        let values = numeric::parameter_values(&list, |_, default| default);
        let spec = self.spec;
        for (p, i) in
            spec.parameters.iter().zip(self.parameter_index.clone()).filter(|(p, _)| p.is_overridden)
        {
            if let ParameterKind::Derived(_) = list[i].kind {
                list[i].kind = self.free_parameter(p, values[i]);
            }
        }
        list
    }

    fn free_parameter(&mut self, p: &spec::Parameter, value: f64) -> ParameterKind {
        if !value.is_finite() {
            let text = format!("parameter `{}` is not a finite number", p.name.value);
            self.report(
                Diagnostic::error("not-finite", text).at(p.value.span, format!("this value is {value}")),
            );
            return ParameterKind::Free(Number::ZERO);
        }
        ParameterKind::Free(Number::float(value))
    }

    /// Kind of a parameter: free (a number that callers may change), constant, or computed from
    /// others.
    fn resolve_parameter_kind(&mut self, p: &spec::Parameter) -> ParameterKind {
        let what = format!("parameter `{}`", p.name.value);
        let failed = ParameterKind::Free(Number::ZERO);
        let permitted = if p.constant { PermittedNames::Constants } else { PermittedNames::Parameters };
        let unit = p.unit.as_ref();
        let Some(typed) = self.resolve_typed(&p.value, &what, permitted, unit.map(|u| u.unit.dimension))
        else {
            return failed;
        };
        let names = p.value.expr().is_some_and(|e| e.names().any(|(n, _)| n != "pi"));
        if names {
            if let Some(u) = unit.filter(|u| scale_to_si(Number::ONE, u.unit) != Some(Number::ONE)) {
                self.report(
                    Diagnostic::error(
                        "formula-in-unit",
                        format!("the unit of {what} must be an SI unit, because its value is a formula"),
                    )
                    .at(u.text.span, "this unit is not an SI unit")
                    .also(p.value.span, "a formula")
                    .help(format!("write the unit as {}", u.unit.dimension)),
                );
            }
            return if p.constant {
                ParameterKind::Constant(typed.formula)
            } else {
                ParameterKind::Derived(typed.formula)
            };
        }
        let (number, exact) = match typed.as_number() {
            Some(n) => (n, true),
            None => (Number::float(numeric::evaluate_formula(&typed.formula, &[])), false),
        };
        let bare = typed.dim == Dim::Literal;
        let number = match unit.filter(|_| bare) {
            Some(u) => scale_to_si(number, u.unit),
            None => Some(number),
        };
        let Some(number) = number.filter(|n| n.to_f64().is_finite()) else {
            self.report(
                Diagnostic::error("not-finite", format!("{what} is not a finite number"))
                    .at(p.value.span, "here"),
            );
            return failed;
        };
        if p.constant {
            // A constant without an exact value stays a formula.
            let whole = exact || unit.is_some_and(|u| scale_to_si(Number::ONE, u.unit) != Some(Number::ONE));
            return ParameterKind::Constant(if whole { Formula::Number(number) } else { typed.formula });
        }
        if !exact && !p.is_overridden {
            self.report(
                Diagnostic::warning("inexact-number", format!("the default of {what} is rounded"))
                    .at(p.value.span, format!("about {number}"))
                    .help("set `constant = true` to keep the exact formula and avoid intermediate rounding"),
            );
        }
        ParameterKind::Free(number)
    }

    /// Warns about unused parameters, tables, definitions and inputs.
    pub(super) fn warn_unused(&mut self) {
        let spec = self.spec;
        for (p, used) in spec.parameters.iter().zip(&mut self.used.parameters) {
            *used |= spec.axis_names.contains(&p.name.value);
        }
        let mut unused: Vec<(&Spanned<String>, &str)> = Vec::new();
        unused.extend(
            spec.parameters
                .iter()
                .zip(&self.used.parameters)
                .filter(|(_, u)| !**u)
                .map(|(p, _)| (&p.name, "parameter")),
        );
        unused.extend(
            spec.tables.iter().zip(&self.used.tables).filter(|(_, u)| !**u).map(|(t, _)| (&t.name, "table")),
        );
        unused.extend(
            spec.definitions
                .iter()
                .zip(&self.used.definitions)
                .filter(|(_, u)| !**u)
                .map(|(d, _)| (&d.name, "definition")),
        );
        unused.extend(
            spec.inputs.iter().zip(&self.used.inputs).filter(|(_, u)| !**u).map(|(u, _)| (&u.name, "input")),
        );
        for (name, noun) in unused {
            self.problems.push(
                Diagnostic::warning("unused", format!("{noun} `{}` is not used", name.value))
                    .at(name.span, "no formula uses this name")
                    .help("remove this entry, or use it in a formula"),
            );
        }
    }
}
