//! Tables of the mechanism as it was understood.

use super::letters;
use crate::algebra::Number;
use crate::assemble::{self, Assembled, Manifold};
use crate::derive;
use crate::kinematics;
use crate::mechanism::{Formula, Joint, JointVariable, LoadKind, Mechanism, OutputKind, ParameterKind};
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
fn derived(m: &Mechanism, parameter: usize) -> Option<Math> {
    super::definitions::derived(m, parameter).map(|d| super::closed_math::math(&d.formula))
}

#[cfg(not(feature = "symbolica"))]
fn derived(_: &Mechanism, _: usize) -> Option<Math> {
    None
}

fn formula(m: &Mechanism, parameter: usize) -> Cell {
    let equal = |f| Cell::Math(Math::row([Math::operator("= ", "= "), f]));
    derived(m, parameter).map_or_else(|| "derived".into(), equal)
}

/// The limits of an input, `[low, high]`.
#[cfg(feature = "symbolica")]
fn range(m: &Mechanism, input: usize) -> Option<Math> {
    let [low, high] = super::definitions::limits(m, input)?.map(|c| super::closed_math::math(&c));
    let (bracket, blank) =
        (|text: &str| Math::operator(text, text), || Math::Spacing(crate::print::report::Spacing::Blank));
    Some(Math::row([bracket("["), low, bracket(","), blank(), high, bracket("]")]))
}

#[cfg(not(feature = "symbolica"))]
fn range(_: &Mechanism, _: usize) -> Option<Math> {
    None
}

/// `sat(u)`, and what it is.
#[cfg(feature = "symbolica")]
fn limited(m: &Mechanism, input: usize) -> Option<(Math, Math)> {
    let range = range(m, input)?;
    let own = &m.inputs[input];
    let name = super::closed_math::symbol(&format!("sat({})", own.name));
    // Blanks at the ends of words are not shown on a page.
    let blank = || Math::Spacing(crate::print::report::Spacing::Blank);
    let words = Math::words;
    let unit = if own.unit.is_empty() { Vec::new() } else { vec![blank(), words(&own.unit)] };
    let parts = [Math::identifier(&own.name), blank(), words("limited to"), blank(), range];
    Some((name, Math::row(parts.into_iter().chain(unit))))
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
    let header = ["symbol", "unit", "start", "meaning"];
    let q: Vec<&Formula> = m.coordinates.iter().map(|c| &c.start).collect();
    let v: Vec<&Formula> = m.speeds.iter().map(|s| &s.start).collect();
    for (caption, slots, starts) in [
        ("Coordinates q", &layout.q, q),
        ("Speeds v", &layout.v, v),
        ("User states z", &layout.z, Vec::new()),
    ] {
        if slots.is_empty() {
            continue;
        }
        let row = |(i, s): (usize, &crate::ir::Slot)| {
            let start = starts.get(i).map_or_else(|| value(s.value), |f| start(f, s.value));
            vec![symbol(&s.name), s.unit.clone().into(), start, meaning(m, s).into()]
        };
        section = section.with(table(caption, &header, slots.iter().enumerate().map(row).collect()));
    }
    section
}

/// A start as the spec has it: degrees where it wrote degrees.
fn start(f: &Formula, x: f64) -> Cell {
    match f {
        // In the spec: so many degrees.
        Formula::Number(Number::Pi(ratio)) => {
            let degrees = ratio.num() as f64 * 180.0 / ratio.den() as f64;
            Cell::Math(Math::row([Math::number(degrees), Math::operator("°", r"^{\circ}")]))
        }
        _ => value(x),
    }
}

/// What a slot means, with the letters of the names that it speaks of.
fn meaning(m: &Mechanism, slot: &crate::ir::Slot) -> String {
    match slot.description.strip_prefix("rate of ") {
        Some(name) if m.coordinates.iter().any(|c| c.name == name) => {
            format!("rate of {}", letters::text(name))
        }
        _ => slot.description.clone(),
    }
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
            .enumerate()
            .map(|(k, (s, i))| {
                let limited = match &i.limits {
                    Some(_) => range(m, k).map_or_else(|| "limited".into(), Cell::Math),
                    None => "none".into(),
                };
                vec![symbol(&s.name), s.unit.clone().into(), limited, s.description.clone().into()]
            })
            .collect();
        section = section.with(table("Inputs u", &["symbol", "unit", "limits", "meaning"], rows));
    }
    shown(section)
}

/// What the equations have names for: limited inputs; nothing where there are none.
pub(super) fn definitions(m: &Mechanism) -> Vec<Section> {
    let mut section = Section::new("Definitions");
    let derived: Vec<_> = (0..m.parameters.len())
        .filter_map(|i| Some((Math::identifier(&m.parameters[i].name), derived(m, i)?)))
        .collect();
    if !derived.is_empty() {
        section = section.with(Block::Equations(derived));
    }
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
        JointVariable::Free(i) => letters::text(name(m, *i)),
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
    let speed = |s: &usize| {
        let moves = |j: &&Joint| j.speeds.iter().any(|v| matches!(v, JointVariable::Free(i) if i == s));
        let name = m.joints.iter().find(moves).map_or("", |j| j.name.as_str());
        format!("joint {name}, along {}", letters::text(&m.speeds[*s].name))
    };
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
