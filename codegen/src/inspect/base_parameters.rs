//! The base inertial parameters as a table.

use crate::formalism::{BaseParameter, base_parameters};
use crate::mechanism::Mechanism;
use crate::print::report::{Block, Section};

/// A factor with as many digits as tell it apart.
fn factor(x: f64) -> String {
    let text = format!("{x:.8}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "0" || text == "-0" { format!("{x:.3e}") } else { text.to_owned() }
}

/// `arm.Ixx - arm.Iyy + 0.25 tip.m`
fn combination(p: &BaseParameter, names: &[String]) -> String {
    let own = p.combination.iter().filter(|(i, _)| *i == p.place);
    let others = p.combination.iter().filter(|(i, _)| *i != p.place);
    let mut text = String::new();
    for (k, (i, x)) in own.chain(others).enumerate() {
        let size =
            if (x.abs() - 1.0).abs() < 1e-12 { String::new() } else { format!("{} ", factor(x.abs())) };
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

/// The combinations of inertial parameters that the efforts show.
pub(super) fn section(m: &Mechanism) -> Section {
    let base = base_parameters(m);
    let n = base.parameters.len();
    let about = format!(
        "The efforts of inverse dynamics are linear in {} inertial parameters, ten of each body: mass, first moments and inertia \
         tensor about the origin of the inboard joint's frame on it, in body axes. They show {n} combinations of them and no \
         others, constraints left aside; with these values and zero for all other parameters the efforts are the same.",
        base.names.len()
    );
    let proof = match (base.uncertain, base.by_joints - n) {
        (0, 0) => "The joints alone leave so many, in every pose, and at random states the columns of the regressor are independent: \
                   there are neither more nor fewer."
            .to_owned(),
        (0, fewer) => format!(
            "The joints alone leave {}, of which {fewer} follow from others at random states, as far as doubles tell: axes in \
             parallel, or a body that gravity does not turn.",
            base.by_joints
        ),
        (uncertain, _) => {
            format!("It is not certain of {uncertain} of them whether they are independent: doubles do not tell.")
        }
    };
    let row = |(k, p): (usize, &BaseParameter)| {
        vec![(k + 1).to_string().into(), combination(p, &base.names).into()]
    };
    Section::new("Base inertial parameters")
        .with(Block::Paragraph(about))
        .with(Block::Table {
            caption: String::new(),
            header: vec!["".to_owned(), "combination".to_owned()],
            rows: base.parameters.iter().enumerate().map(row).collect(),
            numeric: vec![0],
        })
        .with(Block::Note(proof))
}
