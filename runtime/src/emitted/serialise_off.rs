//! Replacement for `serialise` without the feature `serde`.

/// Expands to nothing: without the feature `serde`, `Params` cannot be serialised.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_parameters {
    ($($anything:tt)*) => {};
}
