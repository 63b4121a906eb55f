//! Test tiers: `cargo test` runs a few cases of each kind, the full tier (`just test-all`) runs
//! all.

/// True in the full test tier, selected by the environment variable `DQDT_TESTS=all`.
pub fn is_full_tier() -> bool {
    std::env::var_os("DQDT_TESTS").is_some_and(|tests| tests == "all")
}

/// Selects a number of test cases: `quick` in the quick tier and `full` in the full tier.
pub fn cases_by_tier<T>(quick: T, full: T) -> T {
    if is_full_tier() { full } else { quick }
}
