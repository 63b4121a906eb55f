//! What functions divide by.

/// Makes the list of what a function divides by and what can vanish: names that share a hint stand before it.
///
/// ```
/// dqdt::pivots! {
///     PIVOTS of dqdt {
///         "angles of tip": "another sequence, or a quaternion";
///         "length of row a", "length of row b": "the constraints lose rank";
///     }
/// }
/// # fn dqdt() {}
///
/// assert_eq!((PIVOTS[2].name, PIVOTS[2].hint), ("length of row b", "the constraints lose rank"));
/// ```
#[macro_export]
macro_rules! pivots {
    ($list:ident of $function:ident { $($($name:literal),+: $hint:literal;)* }) => {
        #[doc = concat!("What [`", stringify!($function), "()`] divides by and what can vanish.")]
        #[allow(dead_code)]
        pub const $list: [$crate::Pivot; <[&str]>::len(&[$($($name),+),*])] =
            [$($($crate::Pivot { name: $name, hint: $hint }),+),*];
    };
}
