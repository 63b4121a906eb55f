//! Equations of motion with intermediate variables, step by step as the emitted functions compute
//! them.
//!
//! Problem: from three degrees of freedom on, closed forms are too long to read, and a report that
//!          omits them cannot be used for computation.
//! Method:  the program of the functions that are emitted by default, in the order of its plan;
//!          [`dqdt_document::equations`] prints the steps of the mass matrix and of the state
//!          derivative. The symbolic engine is not used.

use super::letters;
use dqdt_algebra::PiecewiseCubic;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_document::equations;
use dqdt_document::report::{Block, Cell, Math, Section, Spacing, Steps};
use dqdt_generate::inertia;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Declaration, Program, Slot};
use dqdt_graph::plan::Plan;
use dqdt_mechanics::formalism::{Formalism, SolvedSystem};

/// Sections of a report with the symbols and with the equations step by step.
pub(super) fn recursive_sections(loaded: &Assembled, formalism: Formalism) -> Vec<Section> {
    let (mut defined, undefined) = inertia::split_defined_functions(loaded, &functions::defaults());
    let mut shown: Vec<&Declaration> = vec![&functions::DQDT.declaration];
    if !undefined.is_empty() {
        // If accelerations are not available, M and the bias are the equations.
        defined.extend(
            [functions::MASS_MATRIX, functions::BIAS]
                .into_iter()
                .filter(|f| !defined.contains(f))
                .collect::<Vec<_>>(),
        );
        shown = vec![&functions::MASS_MATRIX.declaration, &functions::BIAS.declaration];
    }
    let program = pipeline::program(loaded, &Request::new(formalism, defined));
    if undefined.is_empty()
        && matches!(formalism.facts().solves, SolvedSystem::Implicit | SolvedSystem::MassMatrix)
    {
        shown.push(&functions::MASS_MATRIX.declaration);
    }
    let page = equations::equations_page(&program, &mut Plan::new(&program), &shown);

    let constrained = !loaded.mechanism.constraints.is_empty();
    let solved = if constrained { "$M v̇ + c = Q + Aᵀ λ$, $A v̇ = γ$" } else { "$M v̇ + c = Q$" };
    let mut symbols = Section::new("Symbols").with_block(Block::Paragraph(letters::prose_with_formulas(&format!(
        "The equations {solved} are derived with the formalism {}; each step uses the results of earlier steps. \
         The heading of a block names the emitted function that computes it and repeats the comment of the \
         corresponding section of that function{}. An index is the number of a body or a speed, followed by an \
         axis. A matrix entry is indexed by the numbers of two speeds; an entry of $A$ or $γ$ is indexed by \
         those of a row and a speed. A body after a bar indicates that its axes and origin are used, instead \
         of those of the body of the quantity.",
        formalism.name(),
        if uses_simd_lanes(&program) {
            " (the C code contains all of these sections; the Rust code computes equal parts of the mechanism in SIMD lanes)"
        } else {
            ""
        },
    ))));
    symbols = symbols.with_block(Block::Legend { lead: String::new(), items: page.legend });
    for (lead, list) in page.numbered {
        let items = list.iter().map(|(number, name)| (Math::words(number), name.text())).collect();
        symbols = symbols.with_block(Block::Legend { lead, items });
    }

    let mut steps = Vec::new();
    if !program.layout.p.is_empty() {
        let heading = "parameters".to_owned();
        let equations = program.layout.p.iter().map(parameter_equation).collect();
        steps.push(Steps { heading, place: None, flow: true, equations });
    }
    steps.extend(page.steps);
    let equations = Section::new("Equations step by step").with_block(Block::Steps(steps));
    vec![
        symbols,
        page.tables
            .iter()
            .fold(equations, |section, (number, t)| section.with_block(function_table_block(*number, t))),
    ]
}

/// True if emitted Rust computes equal parts in SIMD lanes.
fn uses_simd_lanes(program: &Program) -> bool {
    Plan::new_with_equal_parts(program, true).equal_parts().next().is_some()
}

/// A parameter and its value with unit, as an equation.
fn parameter_equation(slot: &Slot) -> (Math, Math) {
    let value = Math::number(slot.value);
    let right = match slot.unit.as_str() {
        "" | "1" => value,
        unit => Math::row([value, Math::Spacing(Spacing::Blank), Math::words(&letters::format_unit(unit))]),
    };
    (Math::identifier(&slot.name), right)
}

/// Block with the knots and coefficients of a function table.
fn function_table_block(number: u32, table: &PiecewiseCubic) -> Block {
    let name = if table.name.is_empty() { number.to_string() } else { table.name.clone() };
    Block::Table {
        caption: format!(
            "table {name}: c₀ + c₁ d + c₂ d² + c₃ d³ from each knot onwards, where d is the distance from the \
             knot; below the first knot: {}",
            table.before
        )
        .into(),
        header: ["knot", "c₀", "c₁", "c₂", "c₃"].map(str::to_owned).to_vec(),
        rows: (table.knots.iter().zip(&table.coefficients))
            .map(|(knot, c)| [*knot, c[0], c[1], c[2], c[3]].map(|x| Cell::from(Math::number(x))).to_vec())
            .collect(),
        numeric: (0..5).collect(),
    }
}
