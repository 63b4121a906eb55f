//! Stub.

impl super::Build<'_> {
    pub(super) fn check_ground_angles(&mut self, _m: &super::super::model::Mechanism) {}
}
