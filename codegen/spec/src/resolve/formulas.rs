//! Conversion of formulas with names to formulas with indices, with dimension checks.

use std::ops::Range;

use super::Build;
use super::dimension::{Dim, describe_dim, describe_dimension};
use super::functions;
use super::names::NameMeaning;
use super::typed::{MAX_DEPTH, MAX_SIZE, Typed};
use crate::spec::Value;
use crate::spec::formula::{FUNCTIONS, Node, Operator};
use dqdt_algebra::{Dimension, Func2, Number};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Formula, FormulaNames, MeasureKind};

/// The names permitted in a formula of a spec, which depend on where it is used: a mass, a load, a
/// constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PermittedNames {
    /// Only numbers are permitted, as in tables.
    Numbers,
    /// Numbers and constant parameters are permitted, whose values are known during generation.
    Constants,
    /// Numbers and parameters are permitted.
    Parameters,
    /// Numbers, parameters and the time `t` are permitted.
    Time,
    /// Numbers, parameters, `t` and the components x, y, z of a point on a surface are permitted.
    Surface,
    /// Numbers, parameters, `t` and coordinates are permitted.
    Pose,
    /// Numbers, parameters, `t`, coordinates and speeds are permitted.
    Motion,
    /// All names are permitted, including inputs and user states.
    Everything,
}

impl From<FormulaNames> for PermittedNames {
    fn from(names: FormulaNames) -> Self {
        match names {
            FormulaNames::Parameters => PermittedNames::Parameters,
            FormulaNames::All => PermittedNames::Everything,
        }
    }
}

impl PermittedNames {
    /// Description of the permitted names for messages.
    pub fn permitted_names_text(self) -> &'static str {
        match self {
            PermittedNames::Numbers => "numbers only",
            PermittedNames::Constants => "numbers and constant parameters",
            PermittedNames::Parameters => "numbers and parameters",
            PermittedNames::Time => "numbers, parameters and the time `t`",
            PermittedNames::Surface => {
                "numbers, parameters, the time `t`, and the coordinates x, y, z of the point"
            }
            PermittedNames::Pose => "numbers, parameters, the time `t`, coordinates and positions of frames",
            PermittedNames::Motion => {
                "numbers, parameters, the time `t`, coordinates, speeds, and positions and velocities of frames"
            }
            PermittedNames::Everything => "everything",
        }
    }
}

impl Build<'_> {
    /// Resolves the names in a formula of the spec. Returns zero after an error, which is reported.
    pub fn resolve_formula(
        &mut self,
        value: &Value,
        what: &str,
        permitted: PermittedNames,
        unit: Option<Dimension>,
    ) -> Formula {
        self.resolve_typed(value, what, permitted, unit).map_or(Formula::ZERO, |t| t.formula)
    }

    /// Resolves a formula of the spec; an absent one is replaced by `default`.
    pub fn resolve_formula_or(
        &mut self,
        value: Option<&Value>,
        default: Formula,
        what: &str,
        permitted: PermittedNames,
        unit: Option<Dimension>,
    ) -> Formula {
        value.map_or(default, |v| self.resolve_formula(v, what, permitted, unit))
    }

    /// Resolves the three components of a vector, such as a point or a force.
    pub fn resolve_vector(
        &mut self,
        v: &[Value; 3],
        what: &str,
        permitted: PermittedNames,
        unit: Option<Dimension>,
    ) -> [Formula; 3] {
        std::array::from_fn(|i| {
            self.resolve_formula(&v[i], &format!("{} of {what}", ["x", "y", "z"][i]), permitted, unit)
        })
    }

    /// Resolves a formula of the spec together with its dimension; `None` after an error, which is
    /// reported.
    pub fn resolve_typed(
        &mut self,
        value: &Value,
        what: &str,
        permitted: PermittedNames,
        unit: Option<Dimension>,
    ) -> Option<Typed> {
        let expr = value.expr()?;
        let mut results: Vec<Option<Typed>> = Vec::with_capacity(expr.nodes().len());
        let frames = self.flag_frame_nodes(expr);
        for ((node, range), frame) in expr.nodes().iter().zip(frames) {
            if frame {
                results.push(None);
                continue;
            }
            let place = NodePlace { value, range, what, permitted };
            let typed = self.resolve_node(node, &place, expr, &mut results);
            let typed = typed.filter(|t| {
                let good = t.within_limits();
                if !good {
                    self.report(formula_too_long(&place));
                }
                good
            });
            results.push(typed);
        }
        let typed = results.pop().flatten()?;
        if let Some(wanted) = unit
            && !typed.dim.is_compatible_with(wanted)
        {
            let d = Diagnostic::error(
                "dimension-mismatch",
                format!("{what} must be {}, but is {}", describe_dimension(wanted), describe_dim(typed.dim)),
            )
            .at(
                value.span,
                format!("this formula is {}, expected {}", describe_dim(typed.dim), dimension_text(wanted)),
            );
            let missing = match typed.dim {
                Dim::Known(dim) => wanted.over(dim),
                Dim::Literal | Dim::Unknown => wanted,
            };
            self.report(d.help(format!(
                "multiply by a factor whose unit is {missing}; in a product, write the unit after a number: `2 [{missing}]`"
            )));
            return None;
        }
        if !matches!(typed.formula, Formula::Number(_) | Formula::Variable(_)) {
            self.resolved_formulas.push((value.span, what.to_owned(), typed.formula.clone()));
        }
        Some(typed)
    }

    /// Applies an operator to two resolved operands, each with its range in the text.
    fn resolve_binary(
        &mut self,
        op: Operator,
        place: &NodePlace<'_>,
        (x, range_x): (Typed, Range<usize>),
        (y, range_y): (Typed, Range<usize>),
    ) -> Option<Typed> {
        match op {
            Operator::Add | Operator::Sub => {
                let Some(dim) = x.dim.unify(y.dim) else {
                    let verb = if op == Operator::Add { "add" } else { "subtract" };
                    self.report(dimension_mismatch(verb, place, (x.dim, range_x), (y.dim, range_y)));
                    return None;
                };
                Some(if op == Operator::Add { x.add(y, dim) } else { x.sub(y, dim) })
            }
            Operator::Mul => Some(x.mul(y)),
            Operator::Div => {
                if y.as_number().is_some_and(Number::is_zero) {
                    self.report(
                        Diagnostic::error(
                            "division-by-zero",
                            format!("{} contains a division by zero", place.what),
                        )
                        .at(place.value.part_span(&range_y), "this divisor is zero"),
                    );
                    return None;
                }
                Some(x.div(y))
            }
            Operator::Pow => self.resolve_power(place, x, y, range_y),
        }
    }

    /// Resolves one node of a syntax tree; those of its operands are in `results`.
    fn resolve_node(
        &mut self,
        node: &Node,
        place: &NodePlace<'_>,
        expr: &crate::spec::formula::Expr,
        results: &mut [Option<Typed>],
    ) -> Option<Typed> {
        let range_of = |i: usize| expr.nodes()[i].1.clone();
        match node {
            Node::Number(n) => Some(Typed::from_number(*n)),
            Node::Quantity(n, d) => Some(Typed::atomic(Formula::Number(*n), Dim::Known(*d))),
            Node::Name(name) => self.resolve_name(name, place),
            Node::Neg(a) => results[*a].take().map(Typed::neg),
            Node::Binary(op, a, b) => {
                let (x, y) = (results[*a].take(), results[*b].take());
                let (x, y) = x.zip(y)?;
                self.resolve_binary(*op, place, (x, range_of(*a)), (y, range_of(*b)))
            }
            Node::Call(name, args) => {
                if let Some(kind) = MeasureKind::named(name) {
                    return self.resolve_measure(name, kind, args, place, expr);
                }
                let taken: Vec<Option<Typed>> = args.iter().map(|a| results[*a].take()).collect();
                let ranges: Vec<Range<usize>> = args.iter().map(|a| range_of(*a)).collect();
                self.resolve_call(name, place, taken, &ranges)
            }
            Node::If(cmp, args) => {
                let taken = args.map(|a| results[a].take());
                let [a, b, yes, no] = taken;
                let ((a, b), (yes, no)) = (a.zip(b)?, yes.zip(no)?);
                if a.dim.unify(b.dim).is_none() {
                    self.report(dimension_mismatch(
                        "compare",
                        place,
                        (a.dim, range_of(args[0])),
                        (b.dim, range_of(args[1])),
                    ));
                    return None;
                }
                let Some(dim) = yes.dim.unify(no.dim) else {
                    self.report(dimension_mismatch(
                        "choose between",
                        place,
                        (yes.dim, range_of(args[2])),
                        (no.dim, range_of(args[3])),
                    ));
                    return None;
                };
                Some(Typed::conditional(*cmp, [a, b, yes, no], dim))
            }
        }
    }

    /// Resolves a power with a whole exponent, whose range in the text is `at`.
    fn resolve_integer_power(
        &mut self,
        place: &NodePlace<'_>,
        base: Typed,
        n: i64,
        at: &Range<usize>,
    ) -> Option<Typed> {
        if n.unsigned_abs() > 1000 {
            self.report(
                Diagnostic::error("exponent-too-large", format!("the exponent {n} is too large"))
                    .at(place.value.part_span(at), "at most 1000"),
            );
            return None;
        }
        if n < 0 && base.as_number().is_some_and(Number::is_zero) {
            self.report(
                Diagnostic::error("division-by-zero", format!("{} contains a division by zero", place.what))
                    .at(place.span(), "zero is raised to a negative power"),
            );
            return None;
        }
        Some(base.powi(n as i32))
    }

    /// Resolves a power. A base with a unit permits only whole and half exponents.
    fn resolve_power(
        &mut self,
        place: &NodePlace<'_>,
        base: Typed,
        exponent: Typed,
        at: Range<usize>,
    ) -> Option<Typed> {
        if !exponent.dim.is_compatible_with(Dimension::NONE) {
            self.report(
                Diagnostic::error(
                    "dimension-mismatch",
                    format!(
                        "an exponent must be a pure number, but this one is {}",
                        describe_dim(exponent.dim)
                    ),
                )
                .at(place.value.part_span(&at), "this exponent has a unit"),
            );
            return None;
        }
        let ratio = exponent.as_number().and_then(Number::as_ratio);
        if let Some(n) = ratio.filter(|r| r.is_integer()).map(|r| r.num()) {
            return self.resolve_integer_power(place, base, n, &at);
        }
        if ratio.is_some_and(|r| r.num() == 1 && r.den() == 2)
            && let Some(dim) = base.dim.sqrt()
        {
            return Some(base.sqrt(dim));
        }
        let half = ratio.filter(|r| r.den() == 2).and_then(|r| i32::try_from(r.num()).ok());
        if let Some(dim) = half.and_then(|n| base.dim.power(n).sqrt())
            && !base.dim.is_compatible_with(Dimension::NONE)
        {
            return Some(base.apply_func2(Func2::Pow, exponent, dim));
        }
        if !base.dim.is_compatible_with(Dimension::NONE) {
            self.report(
                Diagnostic::error(
                    "dimension-mismatch",
                    format!(
                        "a quantity {} can only be raised to integer and half-integer powers",
                        describe_dim(base.dim)
                    ),
                )
                .at(place.span(), "undefined unit")
                .help("first divide the base by a reference value with the same unit"),
            );
            return None;
        }
        let dim = base.dim;
        Some(base.apply_func2(Func2::Pow, exponent, dim))
    }

    /// Resolves a call of a function, a table or a measure.
    fn resolve_call(
        &mut self,
        name: &str,
        place: &NodePlace<'_>,
        args: Vec<Option<Typed>>,
        ranges: &[Range<usize>],
    ) -> Option<Typed> {
        if let Some(NameMeaning::Table(i)) = self.names.get(name) {
            return self.resolve_table_call(i, name, place, args, ranges);
        }
        let Some(function) = FUNCTIONS.iter().find(|f| f.name == name) else {
            self.report_unknown_function(name, place);
            return None;
        };
        let count = function.arguments.len();
        if args.len() != count {
            self.report(wrong_argument_count(name, count, args.len(), place));
            return None;
        }
        let args: Vec<Typed> = args.into_iter().collect::<Option<_>>()?;
        match functions::apply_function(name, args) {
            Ok(typed) => Some(typed),
            Err(m) => {
                let angle = m.label.ends_with(" in s") && ["sin", "cos", "tan"].contains(&name);
                let d = Diagnostic::error("dimension-mismatch", m.message)
                    .at(place.value.part_span(ranges.get(m.argument).unwrap_or(place.range)), m.label);
                self.report(if angle {
                    d.help(
                        "give the frequency a unit, so that its product with `t` is an angle: `2 [rad/s]*t`",
                    )
                } else {
                    d
                });
                None
            }
        }
    }

    /// Resolves the interpolation in the table with index `i`.
    fn resolve_table_call(
        &mut self,
        i: usize,
        name: &str,
        place: &NodePlace<'_>,
        args: Vec<Option<Typed>>,
        ranges: &[Range<usize>],
    ) -> Option<Typed> {
        self.used.tables[i] = true;
        if args.len() != 1 {
            self.report(wrong_argument_count(name, 1, args.len(), place));
            return None;
        }
        let x = args.into_iter().next().flatten()?;
        let table = self.tables.get(i).cloned().flatten()?;
        if let Some(wanted) = table.x
            && !x.dim.is_compatible_with(wanted)
        {
            self.report(
                Diagnostic::error(
                    "dimension-mismatch",
                    format!(
                        "the argument of table `{name}` must be {}, not {}",
                        describe_dimension(wanted),
                        describe_dim(x.dim)
                    ),
                )
                .at(place.value.part_span(&ranges[0]), format!("this argument is {}", describe_dim(x.dim)))
                .also(self.names.span(name), format!("x is {}", describe_dimension(wanted))),
            );
            return None;
        }
        Some(x.interpolate_table(table.function, Dim::from_unit(table.y)))
    }

    fn report_unknown_function(&mut self, name: &str, place: &NodePlace<'_>) {
        let d = Diagnostic::error("unknown-function", format!("there is no function `{name}`"))
            .at(place.span(), "unknown function");
        let tables: Vec<&str> = self.spec.tables.iter().map(|t| t.name.value.as_str()).collect();
        let measures: Vec<String> =
            MeasureKind::by_kind().iter().flatten().map(|kind| kind.form().function()).collect();
        let measures = measures.iter().map(String::as_str);
        let known = FUNCTIONS.iter().map(|f| f.name).chain(["if"]).chain(tables).chain(measures);
        let d = if let Some(meaning) = self.names.get(name) {
            d.help(format!("`{name}` is {}; for a product, write `{name}*(…)`", meaning.noun()))
        } else if let Some(near) = self.suggest_name(name, known) {
            d.help(format!("did you mean `{near}`?"))
        } else if name == "log" || name == "log10" {
            d.help("the natural logarithm is `ln`")
        } else {
            let of_frames: Vec<&str> = MeasureKind::TEXTS.iter().map(|text| text.function).collect();
            d.help(format!(
                "functions: {}, if; the tables in [tables]; functions of frames: {}",
                functions::function_names().join(", "),
                of_frames.join(", ")
            ))
        };
        if !self.spec.broken.names.iter().any(|b| b == name) && !self.spec.broken.sections {
            self.report(d);
        }
    }
}

/// A node of a formula under resolution, with the data that messages about it show.
pub(super) struct NodePlace<'v> {
    pub value: &'v Value,
    pub range: &'v Range<usize>,
    pub what: &'v str,
    pub permitted: PermittedNames,
}

impl NodePlace<'_> {
    /// Place of the node in the source.
    pub fn span(&self) -> Option<Span> {
        self.value.part_span(self.range)
    }
}

fn dimension_text(d: Dimension) -> String {
    if d == Dimension::NONE { "a pure number or an angle".to_owned() } else { d.to_string() }
}

fn dimension_mismatch(
    verb: &str,
    place: &NodePlace<'_>,
    a: (Dim, Range<usize>),
    b: (Dim, Range<usize>),
) -> Diagnostic {
    let (x, y) = (describe_dim(a.0), describe_dim(b.0));
    Diagnostic::error("dimension-mismatch", format!("cannot {verb} quantities with different units in {}: one is {x}, the other is {y}", place.what))
        .at(place.value.part_span(&b.1), format!("this term is {y}"))
        .also(place.value.part_span(&a.1), format!("this term is {x}"))
        .help("check the units of parameters, coordinates, speeds and `t`; in a sum, a bare number takes the unit of the other terms")
}

fn wrong_argument_count(name: &str, wanted: usize, count: usize, place: &NodePlace<'_>) -> Diagnostic {
    let s = if wanted == 1 { "" } else { "s" };
    Diagnostic::error("wrong-arguments", format!("`{name}` requires {wanted} argument{s}, not {count}"))
        .at(place.span(), format!("{count} given"))
}

fn formula_too_long(place: &NodePlace<'_>) -> Diagnostic {
    Diagnostic::error(
        "formula-too-long",
        format!("{} is too long after its definitions are expanded", place.what),
    )
    .at(
        place.span(),
        format!(
            "this formula has more than {MAX_SIZE} operations, or is nested deeper than {MAX_DEPTH} levels"
        ),
    )
    .help("define parts of the formula as derived parameters, which are computed once, or use a table")
}
