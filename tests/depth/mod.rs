//! How long random tests run.

/// The number of tries of a deep run, as a multiple of the usual number.
const DEEP: usize = 20;

/// The number of random tries: the usual number, or many times as many with `OVERBOARD_TESTS=deep`. A deep run begins
/// with the tries of a usual one.
pub fn tries(usual: usize) -> usize {
    if is_deep() { usual * DEEP } else { usual }
}

fn is_deep() -> bool {
    match std::env::var("OVERBOARD_TESTS").as_deref() {
        Err(_) | Ok("") => false,
        Ok("deep") => true,
        Ok(other) => panic!("OVERBOARD_TESTS is `{other}`; there is only `deep`"),
    }
}
