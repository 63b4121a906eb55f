//! Equations of motion of every mechanism in `examples/specs`, as `dqdt emit` writes them, checked in.
//!
//! | module | q | v | u | z | mechanism |
//! |---|---|---|---|---|---|
//! | [`ball_on_turntable`] | 7 | 6 | 0 | 0 | ball rolling on a turning plane |
//! | [`bouncing_pendulum`] | 1 | 1 | 0 | 0 | a pendulum with a ball that bounces off a wall |
//! | [`bricard`] | 5 | 5 | 0 | 0 | six hinges at right angles in one loop |
//! | [`car_with_trailers`] | 6 | 6 | 2 | 0 | steered car and two trailers on axles that do not slip |
//! | [`cart_pole`] | 2 | 2 | 1 | 0 | pole on a cart that a force pushes along a rail |
//! | [`chain10`] | 10 | 10 | 0 | 0 | planar chain of ten rods |
//! | [`chaplygin_sleigh`] | 3 | 3 | 0 | 0 | a body on a blade |
//! | [`double_pendulum`] | 2 | 2 | 0 | 0 | two point masses on massless rods |
//! | [`four_bar`] | 3 | 3 | 1 | 0 | crank, coupler and rocker of a planar linkage |
//! | [`furuta_pendulum`] | 2 | 2 | 1 | 0 | pendulum on a driven horizontal arm |
//! | [`gyroscope`] | 3 | 3 | 0 | 0 | heavy symmetric top on a fixed tip, in Euler angles |
//! | [`kane_two_body`] | 4 | 4 | 0 | 0 | two bodies: spherical joint to the ground, revolute joint between them |
//! | [`panda_arm`] | 7 | 7 | 7 | 0 | Franka Emika Panda, seven joints, identified inertias |
//! | [`quadrotor`] | 7 | 6 | 4 | 4 | quadrotor with rotor lag, drag and an inertial sensor |
//! | [`rolling_disc`] | 6 | 6 | 0 | 0 | thin disc rolling on a plane |
//! | [`seven_body`] | 7 | 7 | 0 | 0 | Andrews' squeezing mechanism: seven bodies, three loops |
//! | [`slider_crank`] | 3 | 3 | 1 | 0 | crank, rod and slider |
//! | [`snakeboard`] | 6 | 6 | 3 | 0 | rod with a rotor on two steered pairs of wheels |
//! | [`snowboarder1`] | 5 | 5 | 3 | 0 | a ski on a slope with one link |
//! | [`snowboarder2`] | 7 | 7 | 5 | 0 | a ski on a slope with two links |
//! | [`snowboarder3`] | 9 | 9 | 7 | 0 | a ski on a slope with three links |
//! | [`snowboarder4`] | 11 | 11 | 9 | 0 | a ski on a slope with four links |
//! | [`snowboarder5`] | 13 | 13 | 11 | 0 | a ski on a slope with five links |
//! | [`spherical_pendulum`] | 2 | 2 | 0 | 0 | point mass on a rod that swings in all directions |
//! | [`spinning_satellite_with_wheel`] | 8 | 7 | 1 | 0 | satellite in free space with a reaction wheel |
//! | [`stewart_platform`] | 25 | 24 | 6 | 0 | platform on six legs that extend |
//! | [`stopped_pendulum`] | 1 | 1 | 0 | 1 | a rod that swings against a stop, and a brake that grips when it has been there |
//! | [`swing`] | 2 | 2 | 2 | 0 | double pendulum with joint torques, in relative angles |
//!
//! Families, generic over the number of links:
//! - [`family_cart_pendulums`] from `families/cart_pendulums.toml`
//! - [`family_chain`] from `families/chain.toml`
//! - [`family_chain_absolute`] from `families/chain_absolute.toml`
//! - [`family_snowboarder_edge`] from `families/snowboarder_edge.toml`
//! - [`family_star`] from `families/star.toml`
//!
//! Written by `cargo run -p dqdt-tests --bin regenerate`; CI checks that it is fresh. Costs: `OPERATIONS.md`.

#![no_std]

/// Ball rolling on a turning plane.
#[rustfmt::skip]
pub mod ball_on_turntable;

/// A pendulum with a ball that bounces off a wall.
#[rustfmt::skip]
pub mod bouncing_pendulum;

/// Six hinges at right angles in one loop.
#[rustfmt::skip]
pub mod bricard;

/// Steered car and two trailers on axles that do not slip.
#[rustfmt::skip]
pub mod car_with_trailers;

/// Pole on a cart that a force pushes along a rail.
#[rustfmt::skip]
pub mod cart_pole;

/// Planar chain of ten rods.
#[rustfmt::skip]
pub mod chain10;

/// A body on a blade.
#[rustfmt::skip]
pub mod chaplygin_sleigh;

/// Two point masses on massless rods.
#[rustfmt::skip]
pub mod double_pendulum;

/// Crank, coupler and rocker of a planar linkage.
#[rustfmt::skip]
pub mod four_bar;

/// Pendulum on a driven horizontal arm.
#[rustfmt::skip]
pub mod furuta_pendulum;

/// Heavy symmetric top on a fixed tip, in Euler angles.
#[rustfmt::skip]
pub mod gyroscope;

/// Two bodies: spherical joint to the ground, revolute joint between them.
#[rustfmt::skip]
pub mod kane_two_body;

/// Franka Emika Panda, seven joints, identified inertias.
#[rustfmt::skip]
pub mod panda_arm;

/// Quadrotor with rotor lag, drag and an inertial sensor.
#[rustfmt::skip]
pub mod quadrotor;

/// Thin disc rolling on a plane.
#[rustfmt::skip]
pub mod rolling_disc;

/// Andrews' squeezing mechanism: seven bodies, three loops.
#[rustfmt::skip]
pub mod seven_body;

/// Crank, rod and slider.
#[rustfmt::skip]
pub mod slider_crank;

/// Rod with a rotor on two steered pairs of wheels.
#[rustfmt::skip]
pub mod snakeboard;

/// A ski on a slope with one link.
#[rustfmt::skip]
pub mod snowboarder1;

/// A ski on a slope with two links.
#[rustfmt::skip]
pub mod snowboarder2;

/// A ski on a slope with three links.
#[rustfmt::skip]
pub mod snowboarder3;

/// A ski on a slope with four links.
#[rustfmt::skip]
pub mod snowboarder4;

/// A ski on a slope with five links.
#[rustfmt::skip]
pub mod snowboarder5;

/// Point mass on a rod that swings in all directions.
#[rustfmt::skip]
pub mod spherical_pendulum;

/// Satellite in free space with a reaction wheel.
#[rustfmt::skip]
pub mod spinning_satellite_with_wheel;

/// Platform on six legs that extend.
#[rustfmt::skip]
pub mod stewart_platform;

/// A rod that swings against a stop, and a brake that grips when it has been there.
#[rustfmt::skip]
pub mod stopped_pendulum;

/// Double pendulum with joint torques, in relative angles.
#[rustfmt::skip]
pub mod swing;

/// `families/cart_pendulums.toml` for any n.
#[rustfmt::skip]
pub mod family_cart_pendulums;

/// `families/chain.toml` for any n.
#[rustfmt::skip]
pub mod family_chain;

/// `families/chain_absolute.toml` for any n.
#[rustfmt::skip]
pub mod family_chain_absolute;

/// `families/snowboarder_edge.toml` for any n.
#[rustfmt::skip]
pub mod family_snowboarder_edge;

/// `families/star.toml` for any n.
#[rustfmt::skip]
pub mod family_star;
