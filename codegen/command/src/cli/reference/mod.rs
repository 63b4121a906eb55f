//! Reference pages of the book in Markdown, generated from the tables that parser, command line and
//! printers use.
//!
//! Problem: a reference written by hand becomes outdated.
//! Method:  one function per page renders the table that the program itself uses. A test compares
//! the pages with the files in `docs/reference`;
//! `cargo run -p dqdt-tests --features cli --bin book` writes them.

mod codes;
mod command;
mod functions;
mod gallery;
mod keys;
mod page;
#[cfg(test)]
mod tests;
mod types;
mod words;

use dqdt_spec::spec::constraint_keys::CONSTRAINT;
use dqdt_spec::spec::event_keys::EVENT;
use dqdt_spec::spec::joint_keys::JOINT;
use dqdt_spec::spec::keys::SPEC;
use dqdt_spec::spec::load_keys::LOAD;
use dqdt_spec::spec::output_keys::OUTPUT;
pub use gallery::{Engine, gallery, pictures};
pub use page::ReferencePage;
use page::finish;

/// All reference pages of the book, in its order.
pub fn pages() -> Vec<ReferencePage> {
    vec![
        finished_page("spec.md", keys::spec(&SPEC)),
        finished_page("joints.md", types::joints(&JOINT)),
        finished_page("loads.md", types::family(&LOAD, types::LOADS)),
        finished_page("constraints.md", types::constraints(&CONSTRAINT)),
        finished_page("outputs.md", types::family(&OUTPUT, types::OUTPUTS)),
        finished_page("events.md", types::family(&EVENT, types::EVENTS)),
        finished_page("formulas.md", words::formulas()),
        finished_page("units.md", words::units()),
        finished_page("command.md", command::page(&super::command())),
        finished_page("module.md", functions::page(dqdt_derivation::functions::ALL)),
        finished_page("codes.md", codes::page(super::codes::all())),
    ]
}

fn finished_page(file: &str, text: String) -> ReferencePage {
    ReferencePage { file: file.to_owned(), text: finish(&text) }
}
