//! Equations with intermediate variables: what the emitted functions compute, step by step.
//!
//! Problem: from three degrees of freedom on closed forms are too long to be read, and what is left out cannot be computed with.
//! Method:  the program of the functions that are emitted by default, as its plan says; [`crate::print::equations`] prints the
//!          steps of the mass matrix and of the state derivative. Nothing here needs the symbolic engine.

use crate::assemble::Assembled;
use crate::derive::Request;
use crate::formalism::{Formalism, SolvedSystem};
use crate::functions;
use crate::ir::Declaration;
use crate::pipeline;
use crate::plan::Plan;
use crate::print::equations;
use crate::print::report::{Block, Cell, Math, Report, Section, Steps};

/// The equations of a mechanism as the emitted functions compute them.
pub fn recursive(loaded: &Assembled, formalism: Formalism) -> Report {
    let m = &loaded.mechanism;
    let program = pipeline::program(loaded, &Request::new(formalism, functions::defaults()));
    let states_mass = matches!(formalism.facts().solves, SolvedSystem::Implicit | SolvedSystem::MassMatrix);
    let mut shown: Vec<&Declaration> = vec![&functions::DQDT.declaration];
    if states_mass {
        shown.push(&functions::MASS_MATRIX.declaration);
    }
    let page = equations::page(&program, &mut Plan::new(&program), &shown);

    let mut report = Report::new(m.name.replace('_', " "), m.description.clone());
    let formalism_name = formalism.name();
    let mut symbols = Section::new("Symbols");
    symbols = symbols.with(Block::Paragraph(format!(
        "Each equation is computed from those before it. Above a block stand the function of the emitted code that computes it \
         (`dqdt emit --formalism {formalism_name} --language c`) and the comment there."
    )));
    symbols = symbols.with(Block::Legend(page.legend));
    for (kind, list) in page.numbered {
        let item = |(number, name): &(String, Math)| (Math::words(number), name.text());
        symbols = symbols.with(Block::Paragraph(format!("{kind}:")));
        symbols = symbols.with(Block::Legend(list.iter().map(item).collect()));
    }
    report.sections.push(symbols);

    let mut equations = Section::new("Equations");
    let parameters: Vec<(Math, Math)> = (program.layout.p.iter())
        .map(|p| {
            let unit = if p.unit == "1" { String::new() } else { format!(" {}", p.unit) };
            (Math::identifier(&p.name), Math::row([Math::number(p.value), Math::words(&unit)]))
        })
        .collect();
    let mut steps = Vec::new();
    if !parameters.is_empty() {
        let heading = "parameters".to_owned();
        steps.push(Steps { heading, place: None, flow: true, equations: parameters });
    }
    steps.extend(page.steps);
    equations = equations.with(Block::Steps(steps));
    for (number, table) in page.tables {
        let rows = table.knots.iter().zip(&table.coefficients);
        equations = equations.with(Block::Table {
            caption: format!(
                "table {number}: from each knot on c₀ + c₁ d + c₂ d² + c₃ d³, d from the knot; below the first knot {}",
                table.before
            ),
            header: ["knot", "c₀", "c₁", "c₂", "c₃"].map(str::to_owned).to_vec(),
            rows: rows
                .map(|(knot, c)| {
                    [*knot, c[0], c[1], c[2], c[3]].map(|x| Cell::from(Math::number(x))).to_vec()
                })
                .collect(),
            numeric: (0..5).collect(),
        });
    }
    report.sections.push(equations);
    report
}
