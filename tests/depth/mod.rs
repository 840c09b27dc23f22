//! How long chance goes on.

/// How many times as much a deep run tries.
const DEEP: usize = 20;

/// So many tries of what chance decides, and many times as many with `OVERBOARD_TESTS=deep`. A deep run begins
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
