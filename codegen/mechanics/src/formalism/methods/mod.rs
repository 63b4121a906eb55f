//! The formalisms, one file for each.

pub(crate) mod articulated_body;
pub(crate) mod composite_body;
pub(crate) mod direct;
pub(crate) mod extended;
pub(crate) mod kane;
pub(crate) mod lagrange;
pub(crate) mod lagrange_first;
pub(crate) mod maggi;
pub(crate) mod maggi_coordinates;
pub(crate) mod mixed;
pub(crate) mod momentum;
