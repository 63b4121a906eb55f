//! Output to standard error that ignores a closed pipe.

/// Prints a line to standard error. If the reader has closed the pipe, as with `2>&1 | head`, the
/// error is ignored; `eprintln` would panic.
#[macro_export]
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::tell_on!("{}\n", format_args!($($text)*))
    };
}

/// Prints to standard error like `tell`, without a line break.
#[macro_export]
macro_rules! tell_on {
    ($($text:tt)*) => {
        drop(std::io::Write::write_fmt(&mut std::io::stderr(), format_args!($($text)*)))
    };
}
