//! The macro that defines lists of pivots.

/// Defines the list of pivots of a function: the divisors that can vanish, each with a hint. Names
/// that share a hint precede it. The list can also be that of another function.
///
/// ```
/// dqdt::pivots! {
///     PIVOTS of dqdt {
///         "angles of tip": "another sequence, or a quaternion";
///         "length of row a", "length of row b": "the constraints lose rank";
///     }
/// }
/// dqdt::pivots! {
///     MULTIPLIERS_PIVOTS of multipliers = PIVOTS;
/// }
/// # fn dqdt() {}
/// # fn multipliers() {}
///
/// assert_eq!(MULTIPLIERS_PIVOTS, PIVOTS);
/// assert_eq!((PIVOTS[2].name, PIVOTS[2].hint), ("length of row b", "the constraints lose rank"));
/// ```
#[macro_export]
macro_rules! pivots {
    ($list:ident of $function:ident = $other:ident;) => {
        #[doc = concat!("Divisors of [`", stringify!($function), "()`] that can vanish: the same as those in [`", stringify!($other), "`].")]
        #[allow(dead_code)]
        pub const $list: [$crate::Pivot; $other.len()] = $other;
    };
    ($list:ident of $function:ident { $($($name:literal),+: $hint:literal;)* }) => {
        #[doc = concat!("Divisors of [`", stringify!($function), "()`] that can vanish.")]
        #[allow(dead_code)]
        pub const $list: [$crate::Pivot; <[&str]>::len(&[$($($name),+),*])] =
            [$($($crate::Pivot { name: $name, hint: $hint }),+),*];
    };
}
