//! Tests that run the symbolic engine in their own process, which holds the lock of the machine until it ends: a test that
//! starts a child with the engine would wait for ever here.

mod common;
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
