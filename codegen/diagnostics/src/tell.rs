//! Lines for people beside the output.

/// A line for people beside the output. Whoever reads it may have gone, as behind `2>&1 | head`: that is no fault, and no panic as
/// with `eprintln`.
#[macro_export]
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::tell_on!("{}\n", format_args!($($text)*))
    };
}

/// As `tell`, without the end of a line.
#[macro_export]
macro_rules! tell_on {
    ($($text:tt)*) => {
        drop(std::io::Write::write_fmt(&mut std::io::stderr(), format_args!($($text)*)))
    };
}
