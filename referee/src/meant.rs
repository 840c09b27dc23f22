//! The known name that was meant by one that is not known.
//!
//! ```
//! use overboard_referee::meant::did_you_mean;
//!
//! let known = ["bad-ply", "illegal-move"];
//! assert_eq!(did_you_mean("ilegal-move", known), "; did you mean `illegal-move`?");
//! assert_eq!(did_you_mean("by", known), "");
//! ```

/// What stands beside the likeliest of these names: at most two slips away, and in less than half of its letters, since a
/// short word is similar to almost any other.
pub fn meant<'a, T>(name: &str, known: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    let name = name.to_lowercase();
    let mut best = None;
    let mut fewest = 3;
    for (known, what) in known {
        let slips = strsim::damerau_levenshtein(&name, &known.to_lowercase());
        if slips < fewest && 2 * slips < known.chars().count() {
            (best, fewest) = (Some(what), slips);
        }
    }
    best
}

/// `; did you mean …?` if one of these names is likely.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match meant(name, known.into_iter().map(|known| (known, known))) {
        Some(known) => format!("; did you mean `{known}`?"),
        None => String::new(),
    }
}
