//! The quantities of a mechanism in one graph, grouped as a reader wants them.

use crate::algebra::Number;
use crate::emit::report::{Block, MathText, Section};
use crate::formalism::{self, Formalism};
use crate::ir::lower::Symbols;
use crate::ir::{Graph, NodeId, Tracer};
use crate::kinematics;
use crate::mechanism::Mechanism;

/// How the entries of a group stand.
#[derive(Clone, PartialEq, Debug)]
pub enum Layout {
    /// One equation an entry, with these left sides.
    Equations(Vec<MathText>),
    /// A matrix with this name and number of columns.
    Matrix(MathText, usize),
}

/// Entries that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Section heading; neighbours with one heading share a section.
    pub heading: String,
    /// What they are, frame and unit.
    pub note: String,
    /// How they stand.
    pub layout: Layout,
    /// One node an entry, matrices by rows.
    pub nodes: Vec<NodeId>,
}

/// A graph and the groups over it.
#[derive(Debug)]
pub struct Quantities {
    /// The operations.
    pub graph: Graph,
    /// In order of reading.
    pub groups: Vec<Group>,
}

fn name(text: &str) -> MathText {
    MathText::identifier(text)
}

/// `base_{word}`: a quantity of a body.
fn of(base: &str, body: &str) -> MathText {
    name(&format!("{base}_{body}"))
}

/// Records kinematics, energies and equations of motion of `m`. Derived parameters and limited inputs stand for themselves.
pub fn quantities(m: &Mechanism, formalism: Formalism) -> Quantities {
    record(m, formalism, true)
}

/// The same with what the names stand for.
pub fn quantities_in_full(m: &Mechanism, formalism: Formalism) -> Quantities {
    record(m, formalism, false)
}

fn record(m: &Mechanism, formalism: Formalism, named: bool) -> Quantities {
    let graph = Graph::new();
    let mut groups = Vec::new();
    {
        let number = |n: Number| Tracer::number(&graph, n);
        let symbols = if named { Symbols::named(&graph, m) } else { Symbols::new(&graph, m) };
        let inputs = if named {
            symbols.named_inputs(&graph, m)
        } else {
            kinematics::saturate_inputs(m, &symbols.environment(&number, &symbols.u))
        };
        let env = symbols.environment(&number, &inputs);
        let k = kinematics::kinematics(m, &env);
        let id = |x: &Tracer<'_>| x.id(&graph);
        let topology = super::topology::groups(m, &graph, &k, &env);
        groups.extend(topology);
        let mut push = |heading: &str, note: String, layout: Layout, values: &[Tracer<'_>]| {
            let nodes = values.iter().map(id).collect();
            groups.push(Group { heading: heading.to_owned(), note, layout, nodes });
        };

        let heading = "Kinematics";
        let rates = m.coordinates.iter().map(|c| name(&c.name).dot()).collect();
        push(heading, "rates of the coordinates, q̇ = N(q) v".to_owned(), Layout::Equations(rates), &k.rates);
        for (body, b) in m.bodies.iter().zip(&k.bodies) {
            let n = &body.name;
            let rows: Vec<_> = b.rotation.0.iter().flatten().copied().collect();
            push(
                heading,
                format!("{n}: maps body axes to ground axes"),
                Layout::Matrix(of("R", n), 3),
                &rows,
            );
            let note = format!("{n}: angular velocity, body axes [rad/s]");
            push(heading, note, Layout::Matrix(of("omega", n), 1), &b.twist.w.0);
            let c = kinematics::vector(&body.center_of_mass, &env);
            let lever = c - b.pole;
            let note = format!("{n}: velocity of the centre of mass, body axes [m/s]");
            push(heading, note, Layout::Matrix(of("v", n), 1), &b.twist.at(lever).0);
        }
        for (body, b) in m.bodies.iter().zip(&k.bodies) {
            let n = &body.name;
            let lever = kinematics::vector(&body.center_of_mass, &env) - b.pole;
            if b.partial.is_empty() {
                continue;
            }
            let columns = b.partial.len();
            let speeds: Vec<_> = b.partial.iter().map(|(j, _)| m.speeds[*j].name.as_str()).collect();
            let rows = [0, 1, 2];
            let angular: Vec<_> = rows.iter().flat_map(|i| b.partial.iter().map(|(_, p)| p.w[*i])).collect();
            let linear: Vec<_> =
                rows.iter().flat_map(|i| b.partial.iter().map(|(_, p)| p.at(lever)[*i])).collect();
            let list = speeds.join(", ");
            let heading = "Partial velocities";
            let note = format!("{n}: partial angular velocities, body axes; columns: {list}");
            push(heading, note, Layout::Matrix(of("Omega", n), columns), &angular);
            let note = format!("{n}: partial velocities of the centre of mass, body axes; columns: {list}");
            push(heading, note, Layout::Matrix(of("V", n), columns), &linear);
        }

        let energy = formalism::energy(m, &env);
        let heading = "Energy";
        let note = "kinetic and potential energy [J]".to_owned();
        push(
            heading,
            note,
            Layout::Equations(vec![name("T"), name("V")]),
            &[energy.kinetic, energy.potential],
        );

        let e = formalism::implicit(formalism, m, &env);
        let heading = "Equations of motion";
        let mass: Vec<_> = e.mass.iter().flatten().copied().collect();
        let order: Vec<_> = m.speeds.iter().map(|s| s.name.as_str()).collect();
        let note = format!("mass matrix; rows and columns: {}", order.join(", "));
        push(heading, note, Layout::Matrix(MathText::bold("M"), m.nv().max(1)), &mass);
        let indexed = |letter: &str| (1..=m.nv()).map(|i| name(letter).indexed(&[i])).collect::<Vec<_>>();
        push(
            heading,
            "velocity-dependent inertia terms c(q, v)".to_owned(),
            Layout::Equations(indexed("c")),
            &e.c,
        );
        let note = "applied generalised forces Q, gravity included".to_owned();
        push(heading, note, Layout::Equations(indexed("Q")), &e.force);
        if !m.states.is_empty() {
            let rates: Vec<_> = m.states.iter().map(|s| s.rate.eval(&env)).collect();
            let names = m.states.iter().map(|s| name(&s.name).dot()).collect();
            push(heading, "rates of the user states".to_owned(), Layout::Equations(names), &rates);
        }
    }
    Quantities { graph, groups }
}

/// The report's sections, with the closed form of each entry where there is one.
pub fn sections(m: &Mechanism, q: &Quantities, forms: &[Result<MathText, String>]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut rest = forms;
    for group in &q.groups {
        let (own, next) = rest.split_at(group.nodes.len().min(rest.len()));
        rest = next;
        if sections.last().is_none_or(|s| s.heading != group.heading) {
            sections.push(Section::new(group.heading.clone()));
            if group.heading == "Equations of motion" {
                let text = format!(
                    "M v̇ + c = Q, with the speeds v = ({}).",
                    m.speeds.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ")
                );
                sections.last_mut().into_iter().for_each(|s| s.blocks.push(Block::Paragraph(text.clone())));
            }
        }
        let blocks = blocks(group, own);
        sections.last_mut().into_iter().for_each(|s| s.blocks.extend(blocks.clone()));
    }
    sections
}

fn blocks(group: &Group, forms: &[Result<MathText, String>]) -> Vec<Block> {
    if group.nodes.is_empty() {
        return Vec::new();
    }
    let missing = forms.iter().find_map(|f| f.as_ref().err());
    let shown = |f: &Result<MathText, String>| f.clone().unwrap_or_else(|_| MathText::words("(not shown)"));
    let mut blocks = Vec::new();
    if forms.iter().any(Result::is_ok) {
        match &group.layout {
            Layout::Matrix(name, columns) => blocks.push(Block::Matrix {
                name: name.clone(),
                rows: forms.chunks((*columns).max(1)).map(|r| r.iter().map(shown).collect()).collect(),
                note: group.note.clone(),
            }),
            Layout::Equations(names) => {
                blocks.push(Block::Paragraph(format!("{}:", capital(&group.note))));
                blocks.push(Block::Equations(names.iter().cloned().zip(forms.iter().map(shown)).collect()));
            }
        }
    }
    if let Some(why) = missing {
        blocks.push(Block::Note(format!("{}: {why}", group.note)));
    }
    blocks
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + letters.as_str())
}
