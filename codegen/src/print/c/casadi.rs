//! Entry points as CasADi loads them.
use super::names::Names;
use crate::ir::Program;
/// None yet.
pub fn entries(_: &Program, _: &Names) -> String {
    String::new()
}
