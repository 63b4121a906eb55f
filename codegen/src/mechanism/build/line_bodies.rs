//! Stub.

impl super::Build<'_> {
    pub(super) fn check_line_bodies(&mut self, _m: &super::super::model::Mechanism, _order: &[usize]) {}
}
