//! The tests of the generator, in one binary: one link for all. A filter names a file, as in
//! `cargo test -p dqdt-codegen --test it rotors::`. Binaries of their own are `symbolic`, whose process holds the lock of the
//! symbolic engine until it ends, and two that ask what other processes see of that lock.

#[path = "common/build.rs"]
mod build;
mod common;
#[path = "common/constrained.rs"]
mod constrained;
mod emit_support;
mod indexed_support;
#[path = "common/null_space.rs"]
mod null_space;
mod page;

mod animations;
mod architecture;
#[cfg(feature = "cli")]
mod auto_formalism;
mod axes;
mod base_parameters;
#[cfg(feature = "cli")]
mod book;
#[cfg(feature = "cli")]
mod cli;
mod cli_compare;
mod closed_loop_reactions;
mod constrained_formalisms;
mod constrained_random;
mod contacts;
mod derivatives;
mod digits;
mod divisor_signs;
mod effort_slopes;
mod embedded_loops;
mod emit_passes;
mod emit_rust;
mod energies_and_efforts;
#[cfg(feature = "cli")]
mod eval_answers;
mod events;
mod every_function;
mod files_of_no_spec;
mod formalisms;
mod frames;
mod given_motions;
mod graph_size;
mod growth;
mod independent_equations;
mod indexed;
mod input_matrix;
mod inverse_constrained;
mod joint_calls;
mod joint_complements;
mod joint_limits;
mod linearize;
mod linearize_constrained;
mod linearize_differences;
mod linearize_rows;
mod literature;
mod lost_starts;
mod massless;
mod massless_held;
mod measures;
mod mjcf;
mod mjcf_messages;
mod operations;
mod pages;
mod passes_off;
mod poles;
mod program_constraints;
mod random_trees;
mod readme;
mod recursive_form;
mod repeat;
mod robot_classes;
mod robot_functions;
mod rolling_disc_operations;
mod root_locus;
mod rotors;
mod schema;
mod shared_blocks;
#[cfg(feature = "cli")]
mod simulate;
mod simulate_inputs;
#[cfg(feature = "simulate")]
mod simulate_library;
mod singles;
#[cfg(feature = "cli")]
mod singular_pose;
mod snowboarder;
mod spec_corpus;
mod spec_examples;
mod spec_functions;
mod starts;
mod stiff;
mod structural_zeros;
mod symmetric_grid;
mod symmetric_poses;
#[cfg(feature = "cli")]
mod theory;
mod trims;
mod urdf;
mod urdf_closures;
mod urdf_loops;
mod vehicles;
