//! Stub.

impl super::Build<'_> {
    pub(super) fn check_massless(
        &mut self,
        _m: &super::super::model::Mechanism,
        _order: &[usize],
        _p: &[f64],
    ) {
    }
}
