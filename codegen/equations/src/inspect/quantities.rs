//! Records all quantities of a report in one graph, and arranges them as sections.

use super::groups::{Arrangement, GroupRole, Quantities, QuantityGroup, Recorder};
use super::view::{Part, View};
use super::{letters, load_lengths, named, system};
use dqdt_algebra::{Number, Scalar, Twist};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::symbols::{mechanism_symbols, symbols_for_printing};
use dqdt_document::report::{Block, Math, Prose, Section};
use dqdt_graph::ir::{Graph, Tracer};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{self, BodyMotion, Kinematics, evaluate_formula};
use dqdt_mechanics::mechanism::{BodyId, Environment, Mechanism};

/// A name, typeset.
fn typeset_name(text: &str) -> Math {
    Math::identifier(text)
}

/// The name `{base}_{body}` of a quantity of a body, typeset.
fn body_symbol(base: &str, body: &str) -> Math {
    typeset_name(&format!("{base}_{body}"))
}

/// Records kinematics, energies and equations of motion. Derived parameters, limited inputs,
/// definitions and prescribed coordinates remain symbols.
pub fn record_quantities_with_names(loaded: &Assembled, formalism: Formalism) -> Quantities {
    record_quantities(loaded, formalism, true)
}

/// Records the same quantities as [`record_quantities_with_names`], with definitions, derived
/// parameters and limits replaced by their formulas.
pub fn record_quantities_in_full(loaded: &Assembled, formalism: Formalism) -> Quantities {
    record_quantities(loaded, formalism, false)
}

/// Records all quantities; `by_name` keeps definitions, derived parameters and limited inputs as
/// symbols.
fn record_quantities(loaded: &Assembled, formalism: Formalism, by_name: bool) -> Quantities {
    let (m, partition) = (&loaded.mechanism, &loaded.partition);
    let graph = Graph::new();
    let (groups, projection, lengths, named, reductions) = {
        let number = |n: Number| Tracer::number(&graph, n);
        let symbols = if by_name { symbols_for_printing(&graph, m) } else { mechanism_symbols(&graph, m) };
        let inputs = if by_name {
            symbols.u.clone()
        } else {
            kinematics::saturate_inputs(m, &symbols.as_environment(&number))
        };
        let env = symbols.environment_with_inputs(&number, &inputs);
        let k = kinematics::kinematics(m, &env);
        let groups = super::topology::tree_vector_groups(m, &graph, &k, &env);
        let (part, reductions) = (Part::Kinematics, Vec::new());
        let mut r = Recorder { graph: &graph, groups, part, forms: &[], reductions };

        record_kinematics(&mut r, m, &k, &env);
        record_relative_motion(&mut r, m, &k.bodies);
        record_partial_velocities(&mut r, m, &k, &env);
        record_energies(&mut r, m, &env);
        let projection =
            system::record_equation_system(&mut r, m, formalism, &Environment { partition, ..env });
        r.set_part(Part::Equations, &[]);
        if !m.states.is_empty() {
            let rates: Vec<_> = m.states.iter().map(|s| evaluate_formula(m, &env, &s.rate)).collect();
            let names =
                Arrangement::Equations(m.states.iter().map(|s| typeset_name(&s.name).with_dot()).collect());
            r.push_group("User states", "rates of the user states", GroupRole::Other, names, &rates);
        }
        let named = named::record_definitions(&mut r, m, &env, by_name);
        let lengths = load_lengths::record_lengths(&mut r, m, &k, &env);
        let mut groups = r.groups;
        if by_name {
            load_lengths::replace_length_roots(&graph, m, &mut groups, &lengths);
        }
        (groups, projection, lengths.iter().map(|l| l.load).collect(), named, r.reductions)
    };
    Quantities { graph, groups, lengths, named, projection, reductions }
}

/// Adds the rates of the coordinates, and pose and motion of each body in ground axes.
fn record_kinematics<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    k: &Kinematics<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) {
    let heading = "Kinematics";
    let rates = m.coordinates.iter().map(|c| typeset_name(&c.name).with_dot()).collect();
    let note = letters::prose_with_formulas("rates of the coordinates, $q̇ = N(q) v$");
    r.push_group(heading, note, GroupRole::Rates, Arrangement::Equations(rates), &k.rates);
    for (body, b) in m.bodies.iter().zip(&k.bodies) {
        let n = &body.name;
        let rows: Vec<_> = b.rotation.0.iter().flatten().copied().collect();
        let note = format!("{n}: rotation from body axes to ground axes");
        r.push_group(heading, note, GroupRole::Other, Arrangement::Matrix(body_symbol("R", n), 3), &rows);
        let note = format!("{n}: angular velocity in body axes [rad/s]");
        r.push_group(
            heading,
            note,
            GroupRole::Other,
            Arrangement::Matrix(body_symbol("omega", n), 1),
            &b.twist.w.0,
        );
        let c = kinematics::evaluate_vector(&body.center_of_mass, env);
        let lever = c - b.pole;
        let note = format!("{n}: velocity of the centre of mass in body axes [m/s]");
        r.push_group(
            heading,
            note,
            GroupRole::Other,
            Arrangement::Matrix(body_symbol("v", n), 1),
            &b.twist.velocity_at(lever).0,
        );
    }
}

/// Adds the partial angular velocities of each body, and the partial velocities of its centre of
/// mass.
fn record_partial_velocities<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    k: &Kinematics<Tracer<'g>>,
    env: &Environment<'_, Tracer<'g>>,
) {
    for (body, b) in m.bodies.iter().zip(&k.bodies) {
        let n = &body.name;
        let lever = kinematics::evaluate_vector(&body.center_of_mass, env) - b.pole;
        if b.partial.is_empty() {
            continue;
        }
        let columns = b.partial.len();
        let list = letters::typeset_names(b.partial.iter().map(|(j, _)| m.speeds[*j].name.as_str()));
        let rows = [0, 1, 2];
        let angular: Vec<_> = rows.iter().flat_map(|i| b.partial.iter().map(|(_, p)| p.w[*i])).collect();
        let linear: Vec<_> =
            rows.iter().flat_map(|i| b.partial.iter().map(|(_, p)| p.velocity_at(lever)[*i])).collect();
        let heading = "Partial velocities";
        let note = format!("{n}: partial angular velocities in body axes; columns: ");
        let note = Prose::from(note) + list.clone();
        r.push_group(
            heading,
            note,
            GroupRole::Other,
            Arrangement::Matrix(body_symbol("Omega", n), columns),
            &angular,
        );
        let note = format!("{n}: partial velocities of the centre of mass in body axes; columns: ");
        let note = Prose::from(note) + list;
        r.push_group(
            heading,
            note,
            GroupRole::Other,
            Arrangement::Matrix(body_symbol("V", n), columns),
            &linear,
        );
    }
}

/// Adds the kinetic and the potential energy.
fn record_energies<'g>(r: &mut Recorder<'g>, m: &Mechanism, env: &Environment<'_, Tracer<'g>>) {
    r.set_part(Part::Energy, &[]);
    let energy = formalism::energy(m, env);
    let energy = [energy.kinetic, energy.potential];
    let letter = |letter: &str, other: &str| {
        typeset_name(if letters::is_symbol_name(m, letter) { other } else { letter })
    };
    let names = Arrangement::Equations(vec![letter("T", "E_kin"), letter("V", "E_pot")]);
    r.push_group("Energy", "kinetic and potential energy [J]", GroupRole::Other, names, &energy);
}

/// Adds pose and motion of each body relative to its parent body; these stay short however long a
/// chain is.
fn record_relative_motion<'g>(r: &mut Recorder<'g>, m: &Mechanism, bodies: &[BodyMotion<Tracer<'g>>]) {
    let heading = "Kinematics relative to the parent body";
    if m.joints.iter().all(|j| j.parent.is_none()) {
        return;
    }
    let text = "For each body: $O$ maps its axes to those of its parent; d is the vector from the origin of \
                the parent's joint to the origin of its own joint, in axes of the parent; $ω$ and $v$ are \
                the contributions of its joint, in its own axes. The rotation of the body is that of the \
                parent times $O$; its angular velocity is $Oᵀ$ times that of the parent, plus $ω$; the \
                velocity of its origin is $Oᵀ$ times that of the parent at d, plus $v$. Where a joint \
                measures its angles from the ground, $O$ and $ω$ of its body are relative to the ground.";
    r.push_blocks(heading, vec![Block::Paragraph(letters::prose_with_formulas(text))]);
    if let Some(group) = r.groups.last_mut() {
        group.role = GroupRole::Relative;
    }
    for (i, b) in BodyId::enumerate(bodies) {
        let n = &m.bodies[i].name;
        let carrier = m.parent_body(i).map_or("the ground", |p| m.bodies[p].name.as_str());
        let mut joint_twist = Twist::ZERO;
        for column in &b.columns {
            joint_twist = joint_twist + column.twist.scale(column.rate);
        }
        let rotation = if b.absolute { &b.rotation } else { &b.relative_rotation };
        let rows: Vec<_> = rotation.0.iter().flatten().copied().collect();
        let reference = if b.absolute { "the ground" } else { carrier };
        let mut push = |note: String, name: Math, columns: usize, values: &[Tracer<'g>]| {
            r.push_group(heading, note, GroupRole::Relative, Arrangement::Matrix(name, columns), values);
        };
        push(format!("{n}: rotation relative to {reference}"), body_symbol("O", n), 3, &rows);
        if b.offset.0.iter().any(|x| !x.is_zero()) {
            push(
                format!("{n}: position of its origin relative to that of {carrier}"),
                body_symbol("d", n),
                1,
                &b.offset.0,
            );
        }
        if joint_twist.w.0.iter().any(|x| !x.is_zero()) {
            push(
                format!("{n}: angular velocity contributed by its joint"),
                body_symbol("omega", n),
                1,
                &joint_twist.w.0,
            );
        }
        if joint_twist.v.0.iter().any(|x| !x.is_zero()) {
            push(format!("{n}: velocity contributed by its joint"), body_symbol("v", n), 1, &joint_twist.v.0);
        }
    }
}

/// Sections of a report from the recorded quantities and the closed form of each entry. Each
/// section comes with its part and its place within the part.
pub(super) fn quantity_sections(
    q: &Quantities,
    forms: &[Result<Math, String>],
    view: &View,
) -> Vec<(Part, usize, Section)> {
    let mut sections: Vec<(Part, usize, Section)> = Vec::new();
    let mut rest = forms;
    for group in &q.groups {
        let (entries, next) = rest.split_at(group.nodes.len().min(rest.len()));
        rest = next;
        let Some(place) = view.form_position(group.forms) else { continue };
        let blocks = group.intro.iter().cloned().chain(group_blocks(group, entries));
        let section = sections.iter_mut().find(|(part, at, section)| {
            *part == group.part && *at == place && section.heading == group.heading
        });
        match section {
            Some((_, _, section)) => section.blocks.extend(blocks),
            None => {
                let mut section = Section::new(group.heading.clone());
                section.blocks.extend(blocks);
                sections.push((group.part, place, section));
            }
        }
    }
    sections
}

/// Printed blocks of a group from the closed forms of its entries.
fn group_blocks(group: &QuantityGroup, forms: &[Result<Math, String>]) -> Vec<Block> {
    if group.nodes.is_empty() {
        return Vec::new();
    }
    let mut blocks = Vec::new();
    let lead = || Block::Paragraph(group.note.clone().capitalise_first() + ":");
    match &group.arrangement {
        Arrangement::Matrix(name, columns) => blocks.push(Block::Matrix {
            name: name.clone(),
            rows: forms.chunks((*columns).max(1)).map(|r| r.iter().map(form_or_reason).collect()).collect(),
            note: group.note.clone(),
        }),
        Arrangement::Equations(names) => {
            // An equation `ẋ = ẋ` is omitted.
            let pairs: Vec<(Math, Math)> = (names.iter().cloned().zip(forms.iter().map(form_or_reason)))
                .filter(|(name, form)| group.role != GroupRole::Rates || name.text() != form.text())
                .collect();
            if pairs.is_empty() {
                let text = "The speeds are the rates of the coordinates, $v = q̇$.";
                return vec![Block::Paragraph(letters::prose_with_formulas(text))];
            }
            blocks.extend([lead(), Block::Equations(pairs)]);
        }
        Arrangement::Relations => {
            let pairs = forms.chunks(2).map(|sides| match sides {
                [left, right] => (form_or_reason(left), form_or_reason(right)),
                sides => (sides.iter().map(form_or_reason).next().unwrap_or_default(), Math::default()),
            });
            blocks.extend([lead(), Block::Relations(pairs.collect())]);
        }
    }
    blocks
}

/// The closed form of an entry, or the reason in brackets why there is none.
fn form_or_reason(form: &Result<Math, String>) -> Math {
    form.clone().unwrap_or_else(|reason| Math::words(&format!("({reason})")))
}
