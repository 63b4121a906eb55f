//! Internal part of `dqdt-codegen`: no stability is promised; use `dqdt-codegen` instead.
//!
//! Holds reports of equations; with the symbolic engine closed forms and proofs.

/// Items that need the symbolic engine.
macro_rules! with_engine {
    ($($item:item)*) => {
        $(#[cfg(feature = "symbolica")] $item)*
    };
}

pub mod inspect;

with_engine! {
    pub mod prove;
    pub mod symbolic;
}
