//! The XML files of a functional mock-up unit: model description and build description.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::options::{FmuOptions, is_constrained, offers_model_exchange};
use super::variables::{UnitVariable, UnitVariableKind};
use crate::c::ascii::to_ascii_text;
use dqdt_algebra::Unit;
use dqdt_graph::ir::{Effect, Program};
use sha2::{Digest, Sha256};

/// Relative tolerance of co-simulation if the importer sets none.
pub(super) const TOLERANCE: f64 = 1e-8;

/// Identifier of the sources of a unit, by which an importer detects a model description of another
/// one.
pub(super) fn instantiation_token(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    texts.iter().for_each(|text| hash.update(text.as_bytes()));
    let digits: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| digits[range].to_owned());
    format!("{{{}}}", parts.join("-"))
}

/// Text for an attribute of XML: without the characters that XML forbids, and with the five special
/// ones escaped.
fn escape_attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// An attribute with a leading blank; empty if the value is.
fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{}\"", escape_attribute(value)) }
}

/// Name of a unit in the model description: its text in ASCII. `None` for an unknown unit and for
/// quantities without a dimension.
fn unit_name(unit: &str) -> Option<String> {
    let text = to_ascii_text(unit.trim());
    (!text.is_empty() && text != "1" && Unit::parse(unit.trim()).is_ok()).then_some(text)
}

/// Quantities of units that mechanisms use most, which name the types of variables.
const QUANTITIES: [(&str, &str); 16] = [
    ("m", "Length"),
    ("kg", "Mass"),
    ("s", "Time"),
    ("rad", "Angle"),
    ("m/s", "Velocity"),
    ("rad/s", "AngularVelocity"),
    ("m/s^2", "Acceleration"),
    ("rad/s^2", "AngularAcceleration"),
    ("N", "Force"),
    ("N*m", "Torque"),
    ("J", "Energy"),
    ("W", "Power"),
    ("kg*m^2", "MomentOfInertia"),
    ("N/m", "TranslationalStiffness"),
    ("N*s/m", "TranslationalDamping"),
    ("N*m*s/rad", "RotationalDamping"),
];

/// Quantity of a unit; empty if it has no usual name.
fn quantity(unit: &str) -> &'static str {
    QUANTITIES.iter().find(|(text, _)| *text == unit).map_or("", |(_, quantity)| quantity)
}

/// Name of the type of all variables with this unit.
fn type_name(unit: &str) -> String {
    match quantity(unit) {
        "" => format!("Types.in {unit}"),
        quantity => format!("Types.{quantity}"),
    }
}

/// Power of the radian in the text of a unit, which has no dimension in a spec.
fn radian_power(text: &str) -> i8 {
    let (mut power, mut sign) = (0, 1);
    for part in text.split_inclusive(['*', '/']) {
        let factor = part.trim_end_matches(['*', '/']).trim();
        let (base, exponent) = factor.split_once('^').unwrap_or((factor, "1"));
        if base.trim() == "rad" {
            power += sign * exponent.trim().parse().unwrap_or(0);
        }
        sign = if part.ends_with('/') { -1 } else { 1 };
    }
    power
}

/// Definition of a unit by powers of the base units of SI; without them if a power is no integer.
fn unit_definition(name: &str, text: &str) -> String {
    let exponents = Unit::parse(text).ok().and_then(|unit| unit.dimension.exponents());
    let Some(exponents) = exponents else {
        return format!("    <Unit name=\"{}\"/>\n", escape_attribute(name));
    };
    let angle = ("rad", radian_power(name));
    let bases = ["m", "kg", "s", "A", "K"].into_iter().zip(exponents).chain([angle]);
    let powers: String = bases.filter(|(_, n)| *n != 0).map(|(base, n)| format!(" {base}=\"{n}\"")).collect();
    format!("    <Unit name=\"{}\">\n      <BaseUnit{powers}/>\n    </Unit>\n", escape_attribute(name))
}

/// The sections with the definitions of all units and types.
fn unit_and_type_definitions(variables: &[UnitVariable]) -> String {
    let units: BTreeMap<String, &str> =
        variables.iter().filter_map(|v| Some((unit_name(&v.unit)?, v.unit.trim()))).collect();
    if units.is_empty() {
        return String::new();
    }
    let definitions: String = units.iter().map(|(name, text)| unit_definition(name, text)).collect();
    let types: String = units
        .keys()
        .map(|name| {
            let (of_type, quantity) =
                (attribute("name", &type_name(name)), attribute("quantity", quantity(name)));
            format!("    <Float64Type{of_type}{quantity}{}/>\n", attribute("unit", name))
        })
        .collect();
    format!(
        "  <UnitDefinitions>\n{definitions}  </UnitDefinitions>\n  <TypeDefinitions>\n{types}  </TypeDefinitions>\n"
    )
}

/// Entries of the state that an event changes: speeds at an impact, user states at a switch.
fn states_that_jump(program: &Program) -> BTreeSet<usize> {
    let l = &program.layout;
    let (nq, nv, nz) = (l.q.len(), l.v.len(), l.z.len());
    let mut out = BTreeSet::new();
    for event in &l.events {
        match event.effect {
            Effect::Ends => {}
            Effect::Bounces => out.extend(nq..nq + nv),
            Effect::Passes => out.extend(nq + nv..nq + nv + nz),
        }
    }
    out
}

/// A number as text that XML accepts.
fn number_text(x: f64) -> String {
    format!("{x:?}")
}

/// A finite number as text; empty for an infinite one.
fn finite_text(x: f64) -> String {
    if x.is_finite() { number_text(x) } else { String::new() }
}

/// The element of a variable. `exchanged` is true if an importer integrates the states.
fn variable_element(v: &UnitVariable, program: &Program, exchanged: bool, jumps: &BTreeSet<usize>) -> String {
    let [causality, variability, initial] = match v.kind {
        UnitVariableKind::Time => ["independent", "continuous", ""],
        UnitVariableKind::State { is_independent: false } => ["local", "continuous", "calculated"],
        // With constraints the start is a guess that the unit projects onto them.
        UnitVariableKind::State { .. } if is_constrained(program) && !exchanged => {
            ["local", "continuous", "approx"]
        }
        UnitVariableKind::State { .. } => ["local", "continuous", "exact"],
        UnitVariableKind::Input => ["input", "continuous", ""],
        UnitVariableKind::Parameter { is_tunable: true } => ["parameter", "tunable", "exact"],
        UnitVariableKind::Parameter { is_tunable: false } => ["parameter", "fixed", "exact"],
        UnitVariableKind::Output => ["output", "continuous", "calculated"],
        UnitVariableKind::Rate(_) | UnitVariableKind::Extra | UnitVariableKind::Event => {
            ["local", "continuous", "calculated"]
        }
    };
    let mut out = format!("    <Float64{} valueReference=\"{}\"", attribute("name", &v.name), v.reference);
    out += &attribute("causality", causality);
    out += &attribute("variability", variability);
    out += &attribute("initial", initial);
    if let Some(unit) = unit_name(&v.unit) {
        out += &attribute("declaredType", &type_name(&unit));
    }
    let start = v.start.filter(|_| initial != "calculated");
    let [lower, upper] = v.bounds;
    // Bounds of joints are not enforced, and a start may lie beyond them.
    if v.start.is_none_or(|x| x >= lower && x <= upper) {
        out += &attribute("min", &finite_text(lower));
        out += &attribute("max", &finite_text(upper));
    }
    out += &attribute("start", &start.map(number_text).unwrap_or_default());
    match v.kind {
        // States are numbered from one.
        UnitVariableKind::Rate(state) if exchanged && v.is_of_integrated_state => {
            out += &attribute("derivative", &(1 + state).to_string());
        }
        UnitVariableKind::State { is_independent: true }
            if exchanged && jumps.contains(&(v.reference - 1)) =>
        {
            out += &attribute("reinit", "true");
        }
        _ => {}
    }
    out += &attribute("description", &v.description);
    out + "/>\n"
}

/// Text of `modelDescription.xml`.
pub(super) fn model_description(
    program: &Program,
    options: &FmuOptions,
    (name, token): (&str, &str),
    variables: &[UnitVariable],
) -> String {
    let exchanged = offers_model_exchange(program, options);
    let jumps = states_that_jump(program);
    let derivatives = options.derivatives && !variables.iter().any(is_dependent_state);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"{}{}{}{} \
         variableNamingConvention=\"flat\">\n",
        attribute("modelName", &program.name),
        attribute("instantiationToken", token),
        attribute("description", &program.description),
        attribute("generationTool", concat!("dqdt ", env!("CARGO_PKG_VERSION"))),
    );
    let flags = format!(
        " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"{derivatives}\" \
         providesAdjointDerivatives=\"{derivatives}\"/>\n"
    );
    let has_events = !program.layout.events.is_empty();
    if exchanged {
        let _ = write!(
            out,
            "  <ModelExchange modelIdentifier=\"{name}\" needsCompletedIntegratorStep=\"{has_events}\"{flags}"
        );
    }
    let _ = write!(
        out,
        "  <CoSimulation modelIdentifier=\"{name}\" canHandleVariableCommunicationStepSize=\"true\" \
         mightReturnEarlyFromDoStep=\"{has_events}\" hasEventMode=\"true\"{flags}"
    );
    out += &unit_and_type_definitions(variables);
    let categories = [
        ("logEvents", "events as they happen"),
        ("logStatusWarning", "warnings"),
        ("logStatusDiscard", "equations that cannot be solved at a state"),
        ("logStatusError", "wrong calls and invalid values"),
    ];
    out += "  <LogCategories>\n";
    for (category, about) in categories {
        let _ = writeln!(out, "    <Category name=\"{category}\" description=\"{about}\"/>");
    }
    let _ = writeln!(
        out,
        "  </LogCategories>\n  <DefaultExperiment startTime=\"0\" stopTime=\"10\" tolerance=\"{TOLERANCE:e}\" \
         stepSize=\"0.01\"/>"
    );
    out += "  <ModelVariables>\n";
    variables.iter().for_each(|v| out += &variable_element(v, program, exchanged, &jumps));
    out += "  </ModelVariables>\n";
    out += &model_structure(variables, exchanged);
    out + "</fmiModelDescription>\n"
}

fn is_dependent_state(v: &UnitVariable) -> bool {
    v.kind == UnitVariableKind::State { is_independent: false }
}

/// An element of the section with the structure, with the dependencies of its variable or without.
fn structure_element(tag: &str, v: &UnitVariable, has_dependencies: bool) -> String {
    let list: Vec<String> = v.dependencies.iter().map(usize::to_string).collect();
    let dependencies =
        if has_dependencies { format!(" dependencies=\"{}\"", list.join(" ")) } else { String::new() };
    format!("    <{tag} valueReference=\"{}\"{dependencies}/>\n", v.reference)
}

/// The section with outputs, rates of states, initial unknowns and event functions.
fn model_structure(variables: &[UnitVariable], exchanged: bool) -> String {
    let outputs = || variables.iter().filter(|v| v.kind == UnitVariableKind::Output);
    let rates = || {
        variables
            .iter()
            .filter(|v| exchanged && v.is_of_integrated_state && matches!(v.kind, UnitVariableKind::Rate(_)))
    };
    let events = variables.iter().filter(|v| exchanged && v.kind == UnitVariableKind::Event);
    let mut out = String::from("  <ModelStructure>\n");
    outputs().for_each(|v| out += &structure_element("Output", v, true));
    rates().for_each(|v| out += &structure_element("ContinuousStateDerivative", v, true));
    outputs().chain(rates()).for_each(|v| out += &structure_element("InitialUnknown", v, false));
    events.for_each(|v| out += &structure_element("EventIndicator", v, true));
    out + "  </ModelStructure>\n"
}

/// Text of `buildDescription.xml`.
pub(super) fn build_description(name: &str, sources: &[String]) -> String {
    let files: String = sources.iter().map(|file| format!("      <SourceFile name=\"{file}\"/>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n  \
         <BuildConfiguration modelIdentifier=\"{name}\">\n    <SourceFileSet language=\"C99\">\n{files}    \
         </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{build_description, escape_attribute, instantiation_token, unit_definition, unit_name};

    #[test]
    fn attributes_are_escaped() {
        assert_eq!(escape_attribute("a<b & \"c\"\n'd'>"), "a&lt;b &amp; &quot;c&quot; &apos;d&apos;&gt;");
        assert_eq!(escape_attribute("a\u{fffe}b"), "a b");
    }

    #[test]
    fn a_unit_has_the_powers_of_its_base_units() {
        for (unit, powers) in [
            ("N*m", "m=\"2\" kg=\"1\" s=\"-2\""),
            ("rad/s", "s=\"-1\" rad=\"1\""),
            ("N*m*s/rad", "m=\"2\" kg=\"1\" s=\"-1\" rad=\"-1\""),
            ("N*m/rad^2", "m=\"2\" kg=\"1\" s=\"-2\" rad=\"-2\""),
        ] {
            let text = unit_definition(&unit_name(unit).unwrap(), unit);
            assert!(text.contains(&format!("<BaseUnit {powers}/>")), "{text}");
        }
        assert_eq!(unit_name("1"), None);
        assert_eq!(unit_name(""), None);
    }

    /// A library that is not external would be part of the unit.
    #[test]
    fn the_mathematical_library_is_external() {
        assert!(build_description("x", &[]).contains("<Library name=\"m\" external=\"true\"/>"));
    }

    #[test]
    fn the_token_follows_from_the_sources() {
        let token = instantiation_token(&["a", "b"]);
        assert_eq!(token, instantiation_token(&["a", "b"]));
        assert_ne!(token, instantiation_token(&["a", "c"]));
        assert_eq!(token.len(), 38);
    }
}
