//! What a program asks the system about its standard output: whether the process was started with it closed (`command >&-` in a
//! shell), and how wide it is.
//!
//! Rust's start-up opens the null device in place of a closed standard stream, before `main`: what is written there is
//! lost, and no write fails. So the question must be asked earlier, by a function that the loader calls. Placing it in the
//! loader's list is the one attribute that is `unsafe`: the function may use nothing that Rust sets up later. It asks the
//! system for the flags of one descriptor and stores a Boolean, no more.
//!
//! On systems other than Linux, the BSDs and Apple's the answer is always no.

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

    static CLOSED: AtomicBool = AtomicBool::new(false);

    #[used]
    #[allow(unsafe_code)]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        CLOSED.store(flags.is_err_and(|e| e == rustix::io::Errno::BADF), Ordering::Relaxed);
    }

    pub fn closed() -> bool {
        // Named here, so that no linker leaves it out of a program that asks.
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

/// True if standard output was closed when this process started.
pub fn standard_output_was_closed() -> bool {
    loader::closed()
}

/// Columns of the terminal that standard output is; `None` if it is none, or on systems other than those of Unix.
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
