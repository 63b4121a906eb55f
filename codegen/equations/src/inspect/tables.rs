//! Tables of a report: the mechanism as `dqdt` read it.

use super::short_formulas::{formula_within, round_digits, short_formula};
use super::{letters, places, tree};
use dqdt_algebra::{Dimension, Number};
use dqdt_derivation::assemble::{self, Assembled, Manifold};
use dqdt_derivation::derive;
use dqdt_document::report::{Block, Cell, Math, Prose, Section, Spacing};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::load::ActsOn;
use dqdt_mechanics::mechanism::output::OutputDescription;
use dqdt_mechanics::mechanism::{
    Formula, Joint, JointVariable, Load, LoadKind, Mechanism, OutputKind, ParameterId, ParameterKind, Table,
};

/// Largest length, in characters, of a formula in the table of outputs.
const LAW: usize = 80;

/// A count with its noun, such as `1 body` or `2 bodies`.
fn count_with_noun(n: usize, word: &str) -> String {
    match (n, word) {
        (1, _) => format!("1 {word}"),
        (_, "body") => format!("{n} bodies"),
        _ => format!("{n} {word}s"),
    }
}

/// The first section: counts of bodies and variables, mobility, drawing, warnings.
pub(super) fn summary_section(loaded: &Assembled, sketch: Option<String>) -> Section {
    let m = &loaded.mechanism;
    let prescribed =
        m.joints.iter().flat_map(|j| &j.coordinates).filter(|s| s.prescribed_formula().is_some()).count();
    let mut parts = vec![count_with_noun(m.nq(), "coordinate"), count_with_noun(m.nv(), "speed")];
    let mut freedom = m.nv();
    if !m.constraints.is_empty() {
        let manifold = Manifold::with_default_parameters(m);
        let q: Vec<f64> = derive::vector_layout(m).q.iter().map(|s| s.value).collect();
        let count = assemble::count_mobility(&manifold, &loaded.partition, 0.0, &q);
        let mut rows = count_with_noun(count.rows, "constraint row");
        if count.redundant > 0 {
            rows.push_str(&format!(" ({} redundant)", count.redundant));
        }
        // Rows of program constraints are listed separately.
        if count.rows > 0 {
            parts.push(rows);
        }
        freedom = count.freedom;
    }
    let mut text = format!(
        "{} and {}; {}: {} of freedom.",
        count_with_noun(m.bodies.len(), "body"),
        count_with_noun(m.joints.len(), "joint"),
        parts.join(", "),
        count_with_noun(freedom, "degree")
    );
    if prescribed > 0 {
        text.push_str(&format!(
            " {} prescribed as a function of time.",
            count_with_noun(prescribed, "coordinate")
        ));
    }
    let others: Vec<String> = [(m.inputs.len(), "input"), (m.states.len(), "user state")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| count_with_noun(n, word))
        .collect();
    if !others.is_empty() {
        text.push_str(&format!(" {}.", others.join(", ")));
    }
    let mut section = Section::new("Summary").with_block(Block::Paragraph(text.into()));
    let svg = sketch.unwrap_or_default();
    let figure = Block::Figure { svg, caption: "Initial pose".to_owned(), lines: tree::tree_lines(m) };
    section = section.with_block(figure);
    for d in &loaded.warnings.diagnostics {
        // The label names the items that the message counts.
        let label = d.primary.as_ref().map(|p| p.text.as_str()).filter(|label| !label.is_empty());
        let text = label.map_or_else(|| d.message.clone(), |label| format!("{} ({label})", d.message));
        section = section.with_block(Block::Note(text.replace('`', "").into()));
    }
    section
}

/// Table block with the caption and column headings, all columns left-aligned.
fn block_table(caption: &str, header: &[&str], rows: Vec<Vec<Cell>>) -> Block {
    Block::Table {
        caption: letters::prose_with_formulas(caption),
        header: header.iter().map(|h| (*h).to_owned()).collect(),
        rows,
        numeric: Vec::new(),
    }
}

/// Formula of a derived parameter.
fn parameter_formula(m: &Mechanism, parameter: ParameterId) -> Option<Math> {
    let ParameterKind::Derived(f) = &m.parameters.get(parameter.index())?.kind else { return None };
    super::formulas::typeset_formula(m, f)
}

/// Cell with the formula of a derived parameter: `= m l²/12`.
fn parameter_formula_cell(m: &Mechanism, parameter: ParameterId) -> Cell {
    match parameter_formula(m, parameter) {
        Some(f) => Cell::Math(Math::row([Math::operator("= ", "= "), f])),
        None => "derived".into(),
    }
}

/// Limits of an input, `[low, high]`.
fn input_range(m: &Mechanism, input: usize) -> Option<Math> {
    let (low, high) = m.inputs.get(input)?.limits.as_ref()?;
    let [low, high] = [super::formulas::typeset_formula(m, low)?, super::formulas::typeset_formula(m, high)?];
    let [open, comma, close] = ["[", ",", "]"].map(|text| Math::operator(text, text));
    Some(Math::row([open, low, comma, Math::Spacing(Spacing::Blank), high, close]))
}

/// Definition of a limited input: the symbol `sat(u)` and the words for its range.
fn limited_input_definition(m: &Mechanism, place: usize) -> Option<(Math, Math)> {
    let range = input_range(m, place)?;
    let input = &m.inputs[place];
    let name = super::formulas::typeset_symbol(&format!("sat({})", input.name));
    // Blanks at the ends of words are dropped by the printers.
    let blank = Math::Spacing(Spacing::Blank);
    let unit = letters::format_unit(&input.unit);
    let unit = match unit.as_str() {
        "" | "1" => Vec::new(),
        unit => vec![blank.clone(), Math::words(unit)],
    };
    let parts = [Math::identifier(&input.name), blank.clone(), Math::words("limited to"), blank, range];
    Some((name, Math::row(parts.into_iter().chain(unit))))
}

/// Cell with a name, typeset.
fn symbol_cell(name: &str) -> Cell {
    Math::identifier(name).into()
}

/// Table of bodies and joints, followed by masses and inertias if `with_masses`.
pub(super) fn bodies_section(m: &Mechanism, with_masses: bool) -> Section {
    let rows = (m.bodies.iter().zip(&m.joints))
        .map(|(body, joint)| {
            let parent = joint.parent.map_or("ground", |p| m.bodies[p].name.as_str());
            vec![
                body.name.clone().into(),
                joint.name.clone().into(),
                letters::describe_joint_kind(joint).into(),
                parent.into(),
                joint_coordinate_names(m, joint).into(),
                joint_speed_names(m, joint).into(),
            ]
        })
        .collect();
    let header = ["body", "joint", "kind", "parent", "coordinates", "speeds"];
    let section = Section::new("Bodies and joints");
    let section = section.with_block(block_table("Bodies and their inboard joints", &header, rows));
    if !with_masses {
        let text = "`--sections bodies` prints the masses, centres of mass and inertias of the bodies.";
        return section.with_block(Block::Note(letters::prose_with_formulas(text)));
    }
    let header = ["body", "mass [kg]", "centre of mass [m]", "inertia [kg·m²]", "about"];
    section.with_block(block_table(
        "Mass, centre of mass and inertia in the axes of each body",
        &header,
        mass_rows(m),
    ))
}

/// Table rows with mass, centre of mass and inertia of each body, as in the spec where that is
/// short.
fn mass_rows(m: &Mechanism) -> Vec<Vec<Cell>> {
    let parameters = kinematics::evaluate_parameters(m, &dqdt_algebra::Number::to_f64, &[]);
    let s = kinematics::initial_instant(m, &dqdt_algebra::Number::to_f64, &parameters);
    let env = s.as_environment(&dqdt_algebra::Number::to_f64);
    let shown = |f: &Formula| match f {
        Formula::Number(_) => Math::number(round_digits(f.eval(&env))),
        f => short_formula(m, f).unwrap_or_else(|| Math::number(round_digits(f.eval(&env)))),
    };
    let vector = |parts: &[Formula; 3]| {
        let parts: Vec<Math> = parts.iter().map(&shown).collect();
        Prose::from("(") + Prose::join_texts(parts, ", ") + ")"
    };
    let rows = m.bodies.iter().map(|body| -> Vec<Cell> {
        if body.mass.is_zero() && body.inertia.iter().all(Formula::is_zero) {
            return vec![body.name.clone().into(), "none".into(), "".into(), "".into(), "".into()];
        }
        let parts = ["xx", "yy", "zz", "xy", "xz", "yz"].iter().zip(&body.inertia);
        let parts: Vec<Prose> = parts
            .filter(|(_, f)| !f.is_zero())
            .map(|(name, f)| Prose::from(format!("{name} ")) + shown(f))
            .collect();
        let inertia = if parts.is_empty() { "none".into() } else { Prose::join_texts(parts, ", ") };
        let about = match &body.inertia_about {
            None => "centre of mass".into(),
            Some(point) => vector(point),
        };
        let mass = Cell::Math(shown(&body.mass));
        vec![
            body.name.clone().into(),
            mass,
            vector(&body.center_of_mass).into(),
            inertia.into(),
            about.into(),
        ]
    });
    rows.collect()
}

/// Tables of coordinates, speeds and user states, with unit, start and meaning.
pub(super) fn state_section(m: &Mechanism) -> Section {
    let layout = derive::vector_layout(m);
    let mut section = Section::new("State");
    let header = ["symbol", "unit", "start", "meaning"];
    let q: Vec<&Formula> = m.coordinates.iter().map(|c| &c.start).collect();
    let v: Vec<&Formula> = m.speeds.iter().map(|s| &s.start).collect();
    for (caption, slots, starts) in [
        ("Coordinates $q$", &layout.q, q),
        ("Speeds $v$", &layout.v, v),
        ("User states $z$", &layout.z, Vec::new()),
    ] {
        if slots.is_empty() {
            continue;
        }
        let rows = slots.iter().enumerate().map(|(i, s)| {
            let start = starts.get(i).map_or_else(|| number_cell(s.value), |f| start_value_cell(m, f, s));
            vec![symbol_cell(&s.name), unit_cell(&s.unit), start, state_meaning(m, s).into()]
        });
        section = section.with_block(block_table(caption, &header, rows.collect()));
    }
    match prescribed_coordinate_rows(m) {
        rows if rows.is_empty() => section,
        rows => section.with_block(block_table("Prescribed coordinates", &header, rows)),
    }
}

/// Prescribed coordinates, as rows of the table of states.
fn prescribed_coordinate_rows(m: &Mechanism) -> Vec<Vec<Cell>> {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let start = kinematics::initial_instant(m, &Number::to_f64, &p);
    let env = start.as_environment(&Number::to_f64);
    let slots = m.joints.iter().flat_map(|joint| {
        let prescribed =
            joint.coordinates.iter().enumerate().filter_map(|(k, s)| Some((k, s.prescribed_formula()?)));
        prescribed.map(move |(k, f)| (joint, k, f))
    });
    let rows = slots.filter_map(|(joint, k, f): (&Joint, usize, &Formula)| -> Option<Vec<Cell>> {
        let name = joint.names.get(k)?;
        let dimension = joint.kind.form().coordinate_components().get(k)?.dimension;
        let meaning = format!("prescribed motion of joint `{}`", joint.name);
        let at_start = number_cell(round_digits(f.eval(&env)));
        Some(vec![symbol_cell(name), unit_cell(dimension.of_motion().as_str()), at_start, meaning.into()])
    });
    rows.collect()
}

/// Cell with a start value as in the spec: degrees, a formula, or a number. Computed values are
/// rounded.
fn start_value_cell(m: &Mechanism, f: &Formula, slot: &dqdt_graph::ir::Slot) -> Cell {
    let x = slot.value;
    match f {
        // The spec gave degrees.
        Formula::Number(Number::Pi(ratio)) if slot.unit == "rad" => degrees_cell(*ratio),
        Formula::Number(_) => number_cell(round_digits(x)),
        f => match short_formula(m, f) {
            Some(formula) => {
                let number = Math::number(round_digits(x));
                Cell::Math(Math::row([formula, Math::operator(" = ", " = "), number]))
            }
            None => number_cell(round_digits(x)),
        },
    }
}

/// Cell with an angle in degrees, given as a rational multiple of π.
fn degrees_cell(ratio: dqdt_algebra::Ratio) -> Cell {
    let degrees = ratio.num() as f64 * 180.0 / ratio.den() as f64;
    Cell::Math(Math::row([Math::number(degrees), Math::operator("°", r"^{\circ}")]))
}

/// Meaning of a state variable, with names typeset.
fn state_meaning(m: &Mechanism, slot: &dqdt_graph::ir::Slot) -> Prose {
    match slot.description.strip_prefix("rate of ") {
        Some(name) if m.coordinates.iter().any(|c| c.name == name) => {
            Prose::from("rate of ") + letters::typeset_name(name)
        }
        _ => slot.description.as_str().into(),
    }
}

/// Cell with a unit as printed: `N·m·s/rad`, `m/s²`.
fn unit_cell(text: &str) -> Cell {
    letters::format_unit(text).into()
}

/// Cell with a number.
fn number_cell(x: f64) -> Cell {
    Cell::Math(Math::number(x))
}

/// Tables of parameters, inputs and function tables; empty if there are none.
pub(super) fn parameters_sections(m: &Mechanism) -> Vec<Section> {
    let layout = derive::vector_layout(m);
    let mut section = Section::new("Parameters and inputs");
    let values = kinematics::evaluate_parameters(m, &dqdt_algebra::Number::to_f64, &[]);
    let rows: Vec<Vec<Cell>> = ParameterId::enumerate(m.parameters.iter().zip(values))
        .map(|(i, (p, x))| {
            if let (ParameterKind::Free(Number::Pi(ratio)), "rad") = (&p.kind, p.unit.as_str()) {
                let (kind, meaning) = ("free".into(), p.description.clone().into());
                return vec![symbol_cell(&p.name), unit_cell(&p.unit), degrees_cell(*ratio), kind, meaning];
            }
            let (kind, x) = match &p.kind {
                // Conversion from a unit with a factor leaves more digits than the spec has.
                ParameterKind::Free(_) if format!("{x}").len() > 14 => ("free".into(), round_digits(x)),
                ParameterKind::Free(_) => ("free".into(), x),
                ParameterKind::Constant(_) => ("constant".into(), round_digits(x)),
                ParameterKind::Derived(_) => (parameter_formula_cell(m, i), round_digits(x)),
            };
            vec![symbol_cell(&p.name), unit_cell(&p.unit), number_cell(x), kind, p.description.clone().into()]
        })
        .collect();
    if !rows.is_empty() {
        section = section.with_block(block_table(
            "Parameters $p$",
            &["symbol", "unit", "value", "kind", "meaning"],
            rows,
        ));
    }
    if !layout.u.is_empty() {
        let rows = (layout.u.iter().zip(&m.inputs))
            .enumerate()
            .map(|(k, (s, i))| {
                let limited = match &i.limits {
                    Some(_) => input_range(m, k).map_or_else(|| "limited".into(), Cell::Math),
                    None => "none".into(),
                };
                let default = start_value_cell(m, &i.default, s);
                vec![symbol_cell(&s.name), unit_cell(&s.unit), limited, default, s.description.clone().into()]
            })
            .collect();
        let header = ["symbol", "unit", "limits", "default", "meaning"];
        section = section.with_block(block_table("Inputs $u$", &header, rows));
    }
    if !m.tables.is_empty() {
        let header = ["name", "interpolation", "points (argument, value)"];
        let note =
            "Functions that interpolate between points, constant before the first point and after the last";
        section =
            section.with_block(block_table(note, &header, m.tables.iter().map(function_table_row).collect()));
    }
    section_unless_empty(section)
}

/// Table row of a function table: name, interpolation, and up to eight of its points with units.
fn function_table_row(t: &Table) -> Vec<Cell> {
    const MOST: usize = 8;
    let f = &t.function;
    let all: Vec<Prose> = (f.knots.iter().zip(&f.coefficients))
        .map(|(x, c)| {
            let [x, y] = [*x, c[0]].map(|x| Math::number(round_digits(x)));
            Prose::from("(") + x + ", " + y + ")"
        })
        .collect();
    let first = if all.len() > MOST { MOST - 1 } else { all.len() };
    let mut points = Prose::join_texts(all[..first].iter().cloned(), ", ");
    if let (true, Some(last)) = (first < all.len(), all.last()) {
        points = points + format!(", … {} more …, ", all.len() - first - 1) + last.clone();
    }
    let [x, y] = t
        .units
        .each_ref()
        .map(|unit| if unit.is_empty() { "1".to_owned() } else { letters::format_unit(unit) });
    if t.units.iter().any(|unit| !unit.is_empty()) {
        points = points + format!(" [{x}, {y}]");
    }
    let between = if t.cubic { "natural spline" } else { "straight lines" };
    vec![f.name.clone().into(), between.into(), points.into()]
}

/// Definitions of derived parameters and limited inputs; empty if there are none.
pub(super) fn definitions_sections(m: &Mechanism) -> Vec<Section> {
    let mut section = Section::new("Definitions");
    let parameters: Vec<_> = m
        .parameter_ids()
        .filter_map(|i| Some((Math::identifier(&m.parameters[i].name), parameter_formula(m, i)?)))
        .collect();
    if !parameters.is_empty() {
        section = section.with_block(Block::Equations(parameters));
    }
    let inputs: Vec<_> = (0..m.inputs.len()).filter_map(|i| limited_input_definition(m, i)).collect();
    if !inputs.is_empty() {
        let text = Prose::from("An input with limits appears in the equations as sat(")
            + letters::typeset_name("u")
            + "), the input clamped to its range.";
        section = section.with_block(Block::Paragraph(text)).with_block(Block::Equations(inputs));
    }
    section_unless_empty(section)
}

/// The section as a list of one; an empty list if it has no blocks.
fn section_unless_empty(section: Section) -> Vec<Section> {
    if section.blocks.is_empty() { Vec::new() } else { vec![section] }
}

/// Tables of loads, outputs and events; empty if there are none.
pub(super) fn loads_sections(m: &Mechanism) -> Vec<Section> {
    let mut section = Section::new("Loads and outputs");
    if m.gravity.iter().any(|g| !g.is_zero()) || !m.loads.is_empty() {
        let gravity = m.gravity.iter().any(|g| !g.is_zero());
        let gravity = gravity.then(|| {
            vec![
                Cell::text("gravity"),
                "uniform gravity".into(),
                "all bodies".into(),
                gravity_vector(m).into(),
            ]
        });
        let loads = m.loads.iter().map(|l| {
            let (kind, on) = load_kind_and_target(m, &l.kind);
            vec![l.name.clone().into(), kind.into(), on.into(), load_law_text(m, l).into()]
        });
        let rows = gravity.into_iter().chain(loads).collect();
        section = section.with_block(block_table("Loads", &["load", "kind", "acts on", "value"], rows));
    }
    if !m.outputs.is_empty() {
        let rows = (m.outputs.iter())
            .map(|o| vec![symbol_cell(&o.name), output_kind_cell(m, &o.kind), o.description.clone().into()])
            .collect();
        section = section.with_block(block_table("Outputs", &["symbol", "kind", "meaning"], rows));
    }
    if !m.events.is_empty() {
        let rows = m.events.iter().map(|e| places::event_cells(m, e)).collect();
        section = section.with_block(block_table("Events", &["event", "when", "effect", "meaning"], rows));
    }
    section_unless_empty(section)
}

/// Vector of gravity, in ground axes.
fn gravity_vector(m: &Mechanism) -> Prose {
    let parts: Option<Vec<Math>> =
        (m.gravity.iter()).map(|f| super::formulas::typeset_formula(m, f)).collect();
    parts.map_or_else(Prose::default, |parts| {
        Prose::from("(") + Prose::join_texts(parts, ", ") + "), in ground axes"
    })
}

/// Value of a load as a formula, or `not shown`.
fn load_law_text(m: &Mechanism, load: &Load) -> Prose {
    super::formulas::load_law(m, load).unwrap_or_else(|| "not shown".into())
}

/// Names of a joint's coordinates; prescribed ones are marked.
fn joint_coordinate_names(m: &Mechanism, joint: &Joint) -> Prose {
    let names = joint.coordinates.iter().enumerate().map(|(k, c)| match c {
        JointVariable::Free(i) => letters::typeset_name(&m.coordinates[*i].name),
        JointVariable::Prescribed(f) => match (joint.names.get(k), f.as_number()) {
            (Some(name), Some(n)) => {
                letters::typeset_name(name) + " = " + Math::number(round_digits(n.to_f64())) + " (prescribed)"
            }
            (Some(name), None) => letters::typeset_name(name) + " (prescribed)",
            (None, _) => "(prescribed)".into(),
        },
    });
    Prose::join_texts(names, ", ")
}

/// Names of a joint's speeds; prescribed ones are marked.
fn joint_speed_names(m: &Mechanism, joint: &Joint) -> Prose {
    let names = joint.speeds.iter().map(|s| match s {
        JointVariable::Free(i) => letters::typeset_name(&m.speeds[*i].name),
        JointVariable::Prescribed(_) => "(prescribed)".into(),
    });
    Prose::join_texts(names, ", ")
}

/// Kind of a load, and the points, bodies or speeds on which it acts.
fn load_kind_and_target(m: &Mechanism, l: &LoadKind) -> (&'static str, Prose) {
    let l = l.form();
    let on = match l.acts_on() {
        ActsOn::Point(body, point) => places::point_in_words(m, Some(body), point),
        ActsOn::Body(body) => m.bodies[body].name.as_str().into(),
        ActsOn::Ends(ends) => places::ends_in_words(m, ends),
        ActsOn::Speed(speed) => {
            let joint = m
                .joints
                .iter()
                .find(|j| j.speeds.iter().any(|v| matches!(v, JointVariable::Free(i) if *i == speed)));
            let name = joint.map_or("", |j| j.name.as_str());
            Prose::from(format!("joint {name}, along ")) + letters::typeset_name(&m.speeds[speed].name)
        }
    };
    let opposite = l.reaction_body().map(|body| format!("; the opposite acts on {}", m.bodies[body].name));
    let on = on + opposite.unwrap_or_default();
    (l.kind_name(), on)
}

/// Cell with the kind of an output: quantity, point, frame and unit, or its formula.
fn output_kind_cell(m: &Mechanism, o: &OutputKind) -> Cell {
    let kind: Prose = match o.form().description() {
        OutputDescription::OfPoint(what, body, point, frame, unit) => {
            let axes = frame.map_or(String::new(), |frame| format!(", {}", places::axes_in_words(m, frame)));
            Prose::from(format!("{what} of "))
                + places::point_in_words(m, Some(body), point)
                + format!("{axes} [{unit}]")
        }
        OutputDescription::OfJoint(what, joint) => format!("{what} of joint {}", m.joints[joint].name).into(),
        OutputDescription::OfLoad(what, load, unit) => format!("{what} of load {load} [{unit}]").into(),
        OutputDescription::Whole(what) => what.into(),
        OutputDescription::Formula(f, dimension) => {
            let formula = formula_within(m, f, LAW)
                .map_or_else(|| "a longer formula or a function table".into(), Prose::from);
            let unit = dimension.filter(|d| *d != Dimension::NONE);
            let unit = unit.map(|d| format!(" [{}]", letters::format_unit(&d.to_string())));
            formula + unit.unwrap_or_default()
        }
    };
    kind.into()
}
