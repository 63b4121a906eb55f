//! Forward dynamics: accelerations from a state, by any formalism.

use crate::algebra::Wrench;

/// What a formalism finds at one state.
#[derive(Clone, Debug)]
pub struct Forward<S> {
    /// `v̇`, in spec order.
    pub accelerations: Vec<S>,
    /// `λ`, one a row of [`crate::kinematics::constraint_rows`]; empty for a tree.
    pub multipliers: Vec<S>,
    /// The wrench on each body through its inboard joint, in body axes about the pole.
    pub reactions: Vec<Wrench<S>>,
    /// What was divided by, with names, in the order of elimination.
    pub pivots: Vec<(String, S)>,
}
