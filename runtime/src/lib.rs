//! Runtime of generated equations of motion.
#![no_std]
