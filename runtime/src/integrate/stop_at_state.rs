//! Terms of a stop at a state, and what they give.
//!
//! Problem: rates and accelerations of gaps, with the sizes of their terms for the detection of
//!          rounding errors, and the forces of stops that hold.
//! Units:   gaps in m or rad, forces in N or N·m.

use std::vec::Vec;

use super::complementarity::solve_held;

/// Terms of a stop at a state, as the equations give them.
#[derive(Clone, Debug)]
pub(super) struct StopAtState {
    pub(super) event: usize,
    pub(super) gap: f64,
    pub(super) rate: f64,
    pub(super) bias: f64,
    pub(super) restitution: f64,
    pub(super) row: Vec<f64>,
    pub(super) displacement: Vec<f64>,
    pub(super) response: Vec<f64>,
}

impl StopAtState {
    /// Sum of the products of the row with a vector over the speeds, and the sum of their sizes.
    pub(super) fn along(&self, speeds: &[f64]) -> (f64, f64) {
        let products = self.row.iter().zip(speeds).map(|(w, v)| w * v);
        products.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()))
    }

    /// The part of a state, or of its rate, for the speeds.
    pub(super) fn speeds<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[self.displacement.len()..][..self.row.len()]
    }

    /// Second derivative of the gap at a state's rate, and the size of its terms.
    pub(super) fn acceleration(&self, dx: &[f64]) -> (f64, f64) {
        let (sum, size) = self.along(self.speeds(dx));
        (sum + self.bias, size + self.bias.abs())
    }

    /// Size of the terms of the rate of the gap.
    pub(super) fn rate_size(&self, x: &[f64]) -> f64 {
        let (sum, size) = self.along(self.speeds(x));
        size + (self.rate - sum).abs()
    }
}

/// The matrix `D = W Y` of some stops.
pub(super) fn coupling(stops: &[&StopAtState]) -> Vec<Vec<f64>> {
    stops.iter().map(|a| stops.iter().map(|b| a.along(&b.response).0).collect()).collect()
}

/// The coordinates in a state of a motion with stops.
pub(super) fn coordinates<'x>(stops: &[StopAtState], x: &'x [f64]) -> &'x [f64] {
    &x[..stops.first().map_or(0, |stop| stop.displacement.len())]
}

/// Largest absolute value.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Adds a multiple of a vector.
pub(super) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

/// Forces of stops that hold at a rate without them.
pub(super) fn holding_forces(stops: &[StopAtState], dx: &[f64]) -> Vec<f64> {
    let stops: Vec<&StopAtState> = stops.iter().collect();
    let right: Vec<f64> = stops.iter().map(|s| -s.acceleration(dx).0).collect();
    let all: Vec<usize> = (0..stops.len()).collect();
    solve_held(&coupling(&stops), &all, &right)
}

/// Largest absolute gap of some stops.
pub(super) fn largest_gap(stops: &[StopAtState]) -> f64 {
    stops.iter().fold(0.0, |most, s| most.max(s.gap.abs()))
}
