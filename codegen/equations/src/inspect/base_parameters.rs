//! Section of the base inertial parameters: the combinations that inverse dynamics depends on.

use dqdt_document::report::{Block, Prose, Section};
use dqdt_mechanics::formalism::{BaseParameter, base_parameters};
use dqdt_mechanics::mechanism::Mechanism;

/// A factor of a base parameter with nine digits, without trailing zeros.
fn format_factor(x: f64) -> String {
    let rounded = format!("{x:.8e}").parse().unwrap_or(x);
    if (1e-4..1e9).contains(&x.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// A combination as text, its leading parameter first: `arm.Ixx - arm.Iyy + 0.25 tip.m`.
fn combination_text(p: &BaseParameter, names: &[String]) -> String {
    let leading = p.combination.iter().filter(|(i, _)| *i == p.place);
    let others = p.combination.iter().filter(|(i, _)| *i != p.place);
    let mut text = String::new();
    for (k, (i, x)) in leading.chain(others).enumerate() {
        let size = if (x.abs() - 1.0).abs() < 1e-12 {
            String::new()
        } else {
            format!("{} ", format_factor(x.abs()))
        };
        let sign = match (k, *x < 0.0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        text.push_str(&format!("{sign}{size}{}", names[*i]));
    }
    text
}

/// Table of the combinations of inertial parameters that the efforts determine.
pub(super) fn base_parameters_section(m: &Mechanism) -> Section {
    let base = base_parameters(m);
    let n = base.parameters.len();
    let combinations = if n == 1 { "1 combination".to_owned() } else { format!("{n} combinations") };
    let about = format!(
        "The efforts of inverse dynamics are linear in {} inertial parameters, ten for each body: mass, first \
         moments, and inertia tensor about the origin of the inboard joint's frame on the body, in body axes. \
         If the constraints are ignored, the efforts determine {combinations} of these parameters; the \
         efforts are unchanged if the combinations replace their leading parameters and all other parameters \
         are zero.",
        base.names.len()
    );
    let (fewer, by_joints) = (base.by_joints - n, base.by_joints);
    let mut proof = match (base.uncertain, fewer) {
        (0, 0) => "This number is exact: in every pose, the joints reduce the parameters to this number of \
                   combinations, and at random states the columns of the regressor are linearly independent."
            .to_owned(),
        (0, _) => format!(
            "The joints reduce the parameters to {by_joints} combinations; at random states, {fewer} of these \
             depend{} on others within double precision, for example because axes are parallel or gravity \
             exerts no moment on a body.",
            if fewer == 1 { "s" } else { "" }
        ),
        (uncertain, _) => format!(
            "Double precision is not sufficient to decide whether {uncertain} of these combinations are \
             independent; they are included in the table."
        ),
    };
    if base.without_numbers > 0 && base.uncertain == base.names.len() {
        proof = "It is unknown whether these combinations are independent.".to_owned();
    }
    if base.without_numbers > 0 {
        proof.push_str(&format!(
            " At {} random states the efforts are not finite; these states were skipped.",
            base.without_numbers
        ));
    }
    if base.sampled_in_time {
        proof.push_str(
            " Gravity or a prescribed motion depends on time: the result is valid for times from 0 to 3 s.",
        );
    }
    proof.push_str(
        " The result is valid for the parameter values in the spec; for other lengths or another gravity, more \
         combinations may be determined.",
    );
    Section::new("Base inertial parameters")
        .with_block(Block::Paragraph(about.into()))
        .with_block(Block::Table {
            caption: Prose::default(),
            header: vec!["".to_owned(), "combination".to_owned()],
            rows: (base.parameters.iter().enumerate())
                .map(|(k, p)| vec![(k + 1).to_string().into(), combination_text(p, &base.names).into()])
                .collect(),
            numeric: vec![0],
        })
        .with_block(Block::Note(proof.into()))
}
