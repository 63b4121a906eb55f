//! What `inspect` shows: what was understood, and the derived equations in closed form.
//!
//! Problem: one report that a newcomer reads from the top and a researcher checks against a paper.
//! Method:  tables from the mechanism; quantities from one graph, replayed into closed forms by whoever is given as
//!          `closed` (the symbolic engine, or none); the report is plain data for the printers of `emit::report`.

#[cfg(feature = "symbolica")]
mod closed;
mod family;
mod quantities;
mod structure;
mod tables;
mod topology;

use crate::emit::report::{Block, MathText, Report, Section};
use crate::formalism::Formalism;
use crate::ir::lower::Request;
use crate::ir::{Graph, NodeId, count};
use crate::pipeline::{self, Loaded};

#[cfg(feature = "symbolica")]
pub use closed::{assumptions, closed_forms, closed_forms_by, math};
pub use family::family;
pub use quantities::{Group, Layout, Quantities, quantities};
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
    report.sections.extend(quantities::sections(m, &q, &forms));
    report.sections.push(costs(loaded, formalism));
    report
}

/// Operation counts of the functions that `emit` writes, by Kane's and Lagrange's equations and by the formalism shown.
fn costs(loaded: &Loaded, shown: Formalism) -> Section {
    let mut section = Section::new("Cost of the emitted functions");
    let mut formalisms = vec![Formalism::Kane, Formalism::Lagrange];
    if !formalisms.contains(&shown) {
        formalisms.push(shown);
    }
    for formalism in formalisms {
        let program = pipeline::program(loaded, &Request::all(formalism));
        let (header, rows) = count::table(&program);
        section = section.with(Block::Table {
            caption: format!("{} (operations of one call)", formalism.name()),
            numeric: (1..header.len()).collect(),
            header,
            rows: rows.into_iter().map(|r| r.into_iter().map(Into::into).collect()).collect(),
        });
    }
    section
}
