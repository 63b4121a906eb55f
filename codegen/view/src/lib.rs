//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Contains figures, animations and scenes, and the printers of reports as HTML, LaTeX and text.

pub mod animation;
pub mod figure;
pub mod pictures;
pub mod report;
pub mod scene;
