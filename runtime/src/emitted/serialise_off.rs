//! Without the feature `serde`.

/// Nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_parameters {
    ($($anything:tt)*) => {};
}
