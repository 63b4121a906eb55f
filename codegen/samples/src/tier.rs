//! Test tiers: `cargo test` tries some cases of every sort, the full tier (`just test-all`) all of
//! them.

/// True in the full tier, which the environment variable `DQDT_TESTS=all` selects.
pub fn is_full() -> bool {
    std::env::var_os("DQDT_TESTS").is_some_and(|tests| tests == "all")
}

/// `quick` in the quick tier, `full` in the full one.
pub fn cases<T>(quick: T, full: T) -> T {
    if is_full() { full } else { quick }
}
