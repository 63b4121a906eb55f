//! What `inspect` shows: what was understood, and the derived equations in closed form.
//!
//! Problem: one report that a newcomer reads from the top and a researcher checks against a paper.
//! Method:  tables from the mechanism; quantities from one graph, replayed into closed forms by whoever is given as
//!          `closed` (the symbolic engine, or none); the report is plain data for the printers of `emit::report`.

#[cfg(feature = "symbolica")]
mod closed;
mod constraints;
mod elimination;
mod family;
mod letters;
mod projection;
mod quantities;
mod recorder;
mod structure;
mod system;
mod tables;
mod topology;

use crate::emit::report::{Block, Cell, MathText, Report, Section};
use crate::formalism::Formalism;
use crate::ir::lower::Request;
use crate::ir::{FunctionKind, Graph, NodeId, count};
use crate::pipeline::{self, Loaded};

#[cfg(feature = "symbolica")]
pub use closed::{LIMIT, assumptions, closed_forms, closed_forms_by, math};
pub use elimination::{Elimination, Failed};
pub use family::family;
pub use letters::{acceleration, multiplier};
pub use quantities::{Group, Layout, Quantities, Role, Split, quantities};
pub use structure::{StructureBlock, structure, structure_inverse};

/// Gives the closed form of each node, or says in one line why there is none.
pub type ClosedForms<'a> = dyn FnMut(&Graph, &[NodeId]) -> Vec<Result<MathText, String>> + 'a;

/// The whole report. `sketch` is an SVG drawing of the initial pose, if the format can show one.
pub fn report(
    loaded: &Loaded,
    formalism: Formalism,
    closed: &mut ClosedForms<'_>,
    sketch: Option<String>,
) -> Report {
    let m = &loaded.mechanism;
    let title = m.name.replace('_', " ");
    let mut report = Report::new(title, m.description.clone());
    report.sections.push(tables::summary(loaded, sketch));
    report.sections.extend(tables::tables(m));
    report.sections.push(topology::section(m));
    report.sections.push(structure::section(m));
    let q = quantities(m, formalism);
    let nodes: Vec<NodeId> = q.groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let forms = closed(&q.graph, &nodes);
    report.sections.extend(quantities::sections(&q, &forms));
    report.sections.push(costs(loaded, formalism));
    report
}

/// Operation counts of the functions that `emit` writes by the formalism shown, and of `dqdt` alone by all of them.
fn costs(loaded: &Loaded, shown: Formalism) -> Section {
    let program = pipeline::program(loaded, &Request::all(shown));
    let (header, rows) = count::table(&program);
    let section = Section::new("Cost of the emitted functions").with(Block::Table {
        caption: format!("{} (operations of one call)", shown.name()),
        numeric: (1..header.len()).collect(),
        header,
        rows: rows.into_iter().map(|r| r.into_iter().map(Into::into).collect()).collect(),
    });
    if loaded.mechanism.nv() > pipeline::AUTO_ALL {
        let note = format!(
            "`dqdt compare` counts `dqdt` by all formalisms; above {} speeds that is not done here.",
            pipeline::AUTO_ALL
        );
        return section.with(Block::Paragraph(note));
    }
    let header = ["formalism", "·", "+", "÷", "sin/cos", "other", "total"];
    section
        .with(Block::Table {
            caption: "dqdt by all formalisms (operations of one call)".to_owned(),
            numeric: (1..header.len()).collect(),
            header: header.into_iter().map(str::to_owned).collect(),
            rows: Formalism::ALL.into_iter().filter_map(|f| cost_of_dqdt(loaded, f)).collect(),
        })
        .with(Block::Paragraph(
            "`dqdt compare` adds the depth, the size of the code, and by how much the accelerations differ."
                .to_owned(),
        ))
}

/// A row of the table of all formalisms.
fn cost_of_dqdt(loaded: &Loaded, formalism: Formalism) -> Option<Vec<Cell>> {
    let request = Request { formalism, functions: vec![FunctionKind::Dqdt] };
    let program = pipeline::program(loaded, &request);
    let function = program.functions.iter().find(|f| f.kind == FunctionKind::Dqdt)?;
    let c = count(&program, function).call;
    let numbers =
        [c.multiplications, c.additions, c.divisions, c.sin_cos, c.functions + c.square_roots, c.total()];
    let name = Cell::from(formalism.name().to_owned());
    Some(std::iter::once(name).chain(numbers.map(|n| Cell::from(n.to_string()))).collect())
}
