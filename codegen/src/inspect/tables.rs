//! Tables of the mechanism as it was understood.

use crate::assemble::{self, Assembled, Manifold};
use crate::derive;
use crate::kinematics;
use crate::mechanism::{Joint, JointVariable, LoadKind, Mechanism, OutputKind, ParameterKind};
use crate::print::report::{Block, Cell, Math, Section};

fn plural(n: usize, word: &str) -> String {
    match (n, word) {
        (1, _) => format!("1 {word}"),
        (_, "body") => format!("{n} bodies"),
        _ => format!("{n} {word}s"),
    }
}

/// The first section: counts, picture.
pub(super) fn summary(loaded: &Assembled, sketch: Option<String>) -> Section {
    let m = &loaded.mechanism;
    let prescribed = m
        .joints
        .iter()
        .flat_map(|j| &j.coordinates)
        .filter(|s| matches!(s, JointVariable::Prescribed(_)))
        .count();
    let mut text = format!(
        "{} and {}; {}, {}: {} of freedom.",
        plural(m.bodies.len(), "body"),
        plural(m.joints.len(), "joint"),
        plural(m.nq(), "coordinate"),
        plural(m.nv(), "speed"),
        if m.nv() == 1 { "1 degree".to_owned() } else { format!("{} degrees", m.nv()) }
    );
    if !m.constraints.is_empty() {
        let manifold = Manifold::at_defaults(m);
        let q: Vec<f64> = derive::layout(m).q.iter().map(|s| s.value).collect();
        let count = assemble::mobility(&manifold, 0.0, &q);
        text = format!(
            "{} and {}; {}, {}, {}, {} of them redundant: {} of freedom.",
            plural(m.bodies.len(), "body"),
            plural(m.joints.len(), "joint"),
            plural(m.nq(), "coordinate"),
            plural(m.nv(), "speed"),
            plural(count.rows, "constraint row"),
            count.redundant,
            plural(count.freedom, "degree")
        );
    }
    if prescribed > 0 {
        text.push_str(&format!(" {} prescribed in time.", plural(prescribed, "coordinate")));
    }
    if !m.inputs.is_empty() || !m.states.is_empty() {
        text.push_str(&format!(
            " {}, {}.",
            plural(m.inputs.len(), "input"),
            plural(m.states.len(), "user state")
        ));
    }
    let mut section = Section::new("What was understood").with(Block::Paragraph(text));
    if let Some(svg) = sketch {
        section = section.with(Block::Figure { svg, caption: "Initial pose".to_owned() });
    }
    for d in &loaded.warnings.diagnostics {
        section = section.with(Block::Note(format!("warning: {}", d.message)));
    }
    section
}

fn table(caption: &str, header: &[&str], rows: Vec<Vec<Cell>>) -> Block {
    Block::Table {
        caption: caption.to_owned(),
        header: header.iter().map(|h| (*h).to_owned()).collect(),
        rows,
        numeric: Vec::new(),
    }
}

/// The formula of a derived parameter.
#[cfg(feature = "symbolica")]
fn formula(m: &Mechanism, parameter: usize) -> Cell {
    let formula = super::definitions::derived(m, parameter).map(|d| super::closed_math::math(&d.formula));
    formula.map_or_else(|| "derived".into(), |f| Cell::Math(Math::row([Math::operator("= ", "= "), f])))
}

#[cfg(not(feature = "symbolica"))]
fn formula(_: &Mechanism, _: usize) -> Cell {
    "derived".into()
}

/// `sat(u)`, and what it is.
#[cfg(feature = "symbolica")]
fn limited(m: &Mechanism, input: usize) -> Option<(Math, Math)> {
    let [low, high] = super::definitions::limits(m, input)?.map(|c| super::closed_math::math(&c));
    let own = &m.inputs[input];
    let name = format!("sat({})", own.name);
    let name = Math::Read(name.clone(), Box::new(super::closed_math::symbol(&name)));
    // Blanks at the ends of words are not shown on a page.
    let blank = || Math::Spacing(crate::print::report::Spacing::Blank);
    let (bracket, words) = (|text: &str| Math::operator(text, text), Math::words);
    let input = Math::Read(own.name.clone(), Box::new(Math::identifier(&own.name)));
    let range = [bracket("["), low, bracket(","), blank(), high, bracket("]")];
    let unit = if own.unit.is_empty() { Vec::new() } else { vec![blank(), words(&own.unit)] };
    let parts = [input, blank(), words("limited to"), blank()].into_iter().chain(range).chain(unit);
    Some((name, Math::row(parts)))
}

#[cfg(not(feature = "symbolica"))]
fn limited(_: &Mechanism, _: usize) -> Option<(Math, Math)> {
    None
}

fn symbol(name: &str) -> Cell {
    Math::identifier(name).into()
}

/// Bodies and joints.
pub(super) fn bodies(m: &Mechanism) -> Section {
    let rows = (m.bodies.iter().zip(&m.joints))
        .map(|(body, joint)| {
            let parent = joint.parent.map_or("ground", |p| m.bodies[p].name.as_str());
            vec![
                body.name.clone().into(),
                joint.name.clone().into(),
                kind(joint).into(),
                parent.into(),
                slots(m, joint, true).into(),
                slots(m, joint, false).into(),
            ]
        })
        .collect();
    let header = ["body", "joint", "kind", "parent", "coordinates", "speeds"];
    Section::new("Bodies and joints").with(table("Each body and the joint that carries it", &header, rows))
}

/// Coordinates, speeds, user states.
pub(super) fn state(m: &Mechanism) -> Section {
    let layout = derive::layout(m);
    let mut section = Section::new("State");
    let row = |s: &crate::ir::Slot| {
        vec![symbol(&s.name), s.unit.clone().into(), value(s.value), s.description.clone().into()]
    };
    let header = ["symbol", "unit", "start", "meaning"];
    for (caption, slots) in
        [("Coordinates q", &layout.q), ("Speeds v", &layout.v), ("User states z", &layout.z)]
    {
        if !slots.is_empty() {
            section = section.with(table(caption, &header, slots.iter().map(row).collect()));
        }
    }
    section
}

fn value(x: f64) -> Cell {
    Cell::Math(Math::number(x))
}

/// Parameters and inputs; nothing where there are none.
pub(super) fn parameters(m: &Mechanism) -> Vec<Section> {
    let layout = derive::layout(m);
    let mut section = Section::new("Parameters and inputs");
    let values = kinematics::parameters(m, &crate::algebra::Number::to_f64, &[]);
    // Rounding of the formula is not shown.
    let rounded = |x: f64| format!("{x:.14e}").parse().unwrap_or(x);
    let rows: Vec<Vec<Cell>> = (m.parameters.iter().zip(values).enumerate())
        .map(|(i, (p, x))| {
            let (kind, x) = match &p.kind {
                ParameterKind::Free(_) => ("free".into(), x),
                ParameterKind::Constant(_) => ("constant".into(), rounded(x)),
                ParameterKind::Derived(_) => (formula(m, i), rounded(x)),
            };
            vec![symbol(&p.name), p.unit.clone().into(), value(x), kind, p.description.clone().into()]
        })
        .collect();
    if !rows.is_empty() {
        section = section.with(table("Parameters p", &["symbol", "unit", "value", "kind", "meaning"], rows));
    }
    if !layout.u.is_empty() {
        let rows = (layout.u.iter().zip(&m.inputs))
            .map(|(s, i)| {
                let limited = if i.limits.is_some() { "limited" } else { "" };
                vec![symbol(&s.name), s.unit.clone().into(), limited.into(), s.description.clone().into()]
            })
            .collect();
        section = section.with(table("Inputs u", &["symbol", "unit", "", "meaning"], rows));
    }
    shown(section)
}

/// What the equations have names for: limited inputs; nothing where there are none.
pub(super) fn definitions(m: &Mechanism) -> Vec<Section> {
    let mut section = Section::new("Definitions");
    let limited: Vec<_> = (0..m.inputs.len()).filter_map(|i| limited(m, i)).collect();
    if !limited.is_empty() {
        let text = "Between its limits a limited input is what it is, beyond them the limit. The equations hold sat(u):";
        section = section.with(Block::Paragraph(text.to_owned())).with(Block::Equations(limited));
    }
    shown(section)
}

fn shown(section: Section) -> Vec<Section> {
    if section.blocks.is_empty() { Vec::new() } else { vec![section] }
}

/// Loads and outputs; nothing where there are none.
pub(super) fn loads(m: &Mechanism) -> Vec<Section> {
    let mut section = Section::new("Loads and outputs");
    if m.gravity.iter().any(|g| !g.is_zero()) || !m.loads.is_empty() {
        let gravity = m.gravity.iter().any(|g| !g.is_zero());
        let gravity = gravity
            .then(|| vec![Cell::text("gravity"), Cell::text("uniform gravity"), Cell::text("all bodies")]);
        let loads = m.loads.iter().map(|l| {
            let (kind, on) = load(m, &l.kind);
            vec![l.name.clone().into(), kind.into(), on.into()]
        });
        let rows = gravity.into_iter().chain(loads).collect();
        section = section.with(table("Loads", &["load", "kind", "acts on"], rows));
    }
    if !m.outputs.is_empty() {
        let rows = (m.outputs.iter())
            .map(|o| vec![symbol(&o.name), output(&o.kind).into(), o.description.clone().into()])
            .collect();
        section = section.with(table("Outputs", &["symbol", "kind", "meaning"], rows));
    }
    shown(section)
}

fn slots(m: &Mechanism, joint: &Joint, coordinates: bool) -> String {
    let (slots, name): (_, fn(&Mechanism, usize) -> &str) = if coordinates {
        (&joint.coordinates, |m, i| m.coordinates[i].name.as_str())
    } else {
        (&joint.speeds, |m, i| m.speeds[i].name.as_str())
    };
    let text = |s: &JointVariable| match s {
        JointVariable::Free(i) => name(m, *i).to_owned(),
        JointVariable::Prescribed(_) => "(prescribed)".to_owned(),
    };
    slots.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn kind(joint: &Joint) -> String {
    let text = joint.kind.form().describe();
    if joint.absolute { format!("{text}, from the ground") } else { text }
}

fn load(m: &Mechanism, l: &LoadKind) -> (&'static str, String) {
    let body = |b: &usize| m.bodies[*b].name.clone();
    let speed = |s: &usize| m.speeds[*s].name.clone();
    let end = |b: &Option<usize>| b.map_or_else(|| "ground".to_owned(), |b| m.bodies[b].name.clone());
    match l {
        LoadKind::Force { body: b, .. } => ("force", body(b)),
        LoadKind::Torque { body: b, .. } => ("torque", body(b)),
        LoadKind::LineSpring { ends, .. } => {
            ("spring and damper between points", format!("{}, {}", end(&ends.from.0), end(&ends.to.0)))
        }
        LoadKind::LineForce { ends, .. } => {
            ("force between points", format!("{}, {}", end(&ends.from.0), end(&ends.to.0)))
        }
        LoadKind::JointSpring { speed: s, .. } => ("spring and damper of a joint", speed(s)),
        LoadKind::Actuator { speed: s, .. } => ("actuator", speed(s)),
        LoadKind::GeneralisedForce { speed: s, .. } => ("generalised force", speed(s)),
        LoadKind::Friction { speed: s, .. } => ("friction", speed(s)),
    }
}

fn output(o: &OutputKind) -> &'static str {
    match o {
        OutputKind::Position { .. } => "position [m]",
        OutputKind::Velocity { .. } => "velocity [m/s]",
        OutputKind::Acceleration { .. } => "acceleration [m/s²]",
        OutputKind::SpecificForce { .. } => "specific force (accelerometer) [m/s²]",
        OutputKind::AngularRate { .. } => "angular rate (gyroscope) [rad/s]",
        OutputKind::JointEffort { .. } => "joint effort",
        OutputKind::Energy => "kinetic, potential, total energy [J]",
        OutputKind::Formula(..) => "formula",
    }
}
