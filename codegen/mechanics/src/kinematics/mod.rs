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
pub use chosen_axes::{MotionInChosenAxes, in_axes};
pub use composite_inertias::composite_inertias;
pub use constrained_directions::{ConstrainedDirection, constrained_directions};
pub use constraints::{
    ConstraintRow, RowWrenches, attitude_jacobian, attitude_residuals, constraint_alignments,
    constraint_frames, constraint_rows, constraint_wrenches, position_jacobian, position_residuals,
    program_rows,
};
pub use frames::{ContactMotion, FrameMotion, contacts, frames};
pub use free_poses::free_poses;
pub(crate) use gravity_efforts::gravity_efforts;
pub(crate) use measures::relative_frame_pose;
pub use measures::{measures, value_of};
pub(crate) use motion::{armature, central_inertia, inertia, rotor_momentum};
pub use motion::{kinematics, motions, rates};
pub use pose::placement;
pub use pose::{Pose, poses};
pub use pose::{prescribed, rotation, vector};
pub use relative_pose::{PointPosition, positions, relative_pose};
pub use selection::{PivotedGroup, Selection, active_rows};
pub use topology::{order_of_speeds, parents_of_speeds};
pub use values::{parameters, quaternions, saturate_inputs, start};
