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
pub use gallery::{Engine, chapter_pictures, gallery_pages};
pub use page::ReferencePage;
use page::finish_page;

/// All reference pages of the book, in its order.
pub fn reference_pages() -> Vec<ReferencePage> {
    vec![
        finished_page("spec.md", keys::spec_page(&SPEC)),
        finished_page("joints.md", types::joints_page(&JOINT)),
        finished_page("loads.md", types::type_family_page(&LOAD, types::LOADS)),
        finished_page("constraints.md", types::constraints_page(&CONSTRAINT)),
        finished_page("outputs.md", types::type_family_page(&OUTPUT, types::OUTPUTS)),
        finished_page("events.md", types::type_family_page(&EVENT, types::EVENTS)),
        finished_page("formulas.md", words::formulas_page()),
        finished_page("units.md", words::units_page()),
        finished_page("command.md", command::command_page(&super::clap_command())),
        finished_page("module.md", functions::functions_page(dqdt_derivation::functions::ALL)),
        finished_page("codes.md", codes::codes_page(super::codes::all_codes())),
    ]
}

fn finished_page(file: &str, text: String) -> ReferencePage {
    ReferencePage { file: file.to_owned(), text: finish_page(&text) }
}
