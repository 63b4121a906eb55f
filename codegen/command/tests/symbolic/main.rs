//! Tests of closed forms and proofs: examples, papers and random expressions.

mod common;
#[path = "../it/common/files.rs"]
mod files;
#[path = "../it/indexed_support/mod.rs"]
mod indexed_support;

mod claims;
mod closed_counts;
mod formalisms;
mod forms;
mod indexed_engine;
mod lagrange;
mod papers;
mod prove;
mod prove_against;
mod random;
mod reports;
mod switches;
mod textbook;
