//! Poses, velocities, bias accelerations and partial velocities of a tree of rigid bodies.
//!
//! Twists, wrenches and inertias are in the axes of a body (the body frame of the spec) about its
//! pole (the origin of the inboard joint's frame on the body).

pub(crate) mod accumulate;
mod bodies;
mod chosen_axes;
mod composite_inertias;
mod constrained_directions;
mod constraints;
mod frames;
mod free_poses;
mod gravity_efforts;
mod measures;
mod motion;
mod pose;
mod relative_frame;
mod relative_motion;
mod relative_pose;
mod selection;
mod topology;
mod values;

pub use bodies::{BodyMotion, Column, Kinematics, TurningRotor};
pub use chosen_axes::{MotionInChosenAxes, convert_to_formulation_axes};
pub use composite_inertias::composite_inertias;
pub use constrained_directions::{ConstrainedDirection, constrained_directions};
pub use constraints::{
    ConstraintRow, RowWrenches, attitude_jacobian, attitude_residuals, constraint_alignments,
    constraint_relative_frames, constraint_rows, constraint_wrenches, position_jacobian, position_residuals,
    program_constraint_rows,
};
pub use frames::{ContactMotion, FrameMotion, contact_motions, frame_motions};
pub use free_poses::sample_free_poses;
pub(crate) use gravity_efforts::gravity_efforts;
pub(crate) use measures::relative_frame_pose;
pub use measures::{evaluate_formula, evaluate_measures};
pub(crate) use motion::{central_inertia, inertia_about_pole, joint_armature, rotor_momentum};
pub use motion::{coordinate_rates, kinematics, kinematics_without_jacobians};
pub use pose::evaluate_placement;
pub use pose::{Pose, body_poses};
pub use pose::{evaluate_prescribed_motion, evaluate_rotation, evaluate_vector};
pub use relative_pose::{PointPosition, point_positions, relative_pose};
pub use selection::{PivotedGroup, Selection, active_stabilised_rows};
pub use topology::{elimination_tree, speeds_parents_first};
pub use values::{evaluate_parameters, initial_instant, quaternion_starts, saturate_inputs};
