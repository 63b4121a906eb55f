//! Properties of standard output: was it closed when the process started (`command >&-` in a
//! shell), and the width of the terminal.
//!
//! Before `main`, Rust's runtime opens the null device in place of a closed standard stream: output
//! is lost, and no write fails. The test must therefore run earlier, in a function that the loader
//! calls. Its entry in the loader's list needs the only `unsafe` attribute here: the function may
//! use nothing that Rust initialises later. It reads the flags of one descriptor and stores a
//! Boolean, no more.
//!
//! On systems other than Linux, the BSDs and Apple's, standard output counts as open.

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_vendor = "apple"
))]
mod loader {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// True if standard output was closed when the process started.
    static CLOSED: AtomicBool = AtomicBool::new(false);

    /// Entry in the loader's list of functions to call before `main`.
    #[used]
    #[allow(unsafe_code)]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = record_closed_output;

    /// Stores, before `main`, if standard output is closed.
    extern "C" fn record_closed_output() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        CLOSED.store(flags.is_err_and(|e| e == rustix::io::Errno::BADF), Ordering::Relaxed);
    }

    pub fn closed() -> bool {
        // Reference the entry, so that the linker keeps it.
        std::hint::black_box(&LOOK);
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_vendor = "apple"
)))]
mod loader {
    pub fn closed() -> bool {
        false
    }
}

/// True if standard output was closed when this process started. The command then reports an error
/// instead of losing its output.
pub fn standard_output_was_closed() -> bool {
    loader::closed()
}

/// Width in columns of the terminal to which standard output is connected. `None` if it is no
/// terminal, and on systems other than Unix.
pub fn terminal_width() -> Option<u16> {
    width()
}

#[cfg(unix)]
fn width() -> Option<u16> {
    rustix::termios::tcgetwinsize(rustix::stdio::stdout())
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}

#[cfg(not(unix))]
fn width() -> Option<u16> {
    None
}
