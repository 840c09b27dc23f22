//! Patterns in which `*` stands for any text.

/// Whether a text fits a pattern.
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, text) in [
            ("*", ""),
            ("a*", "a"),
            ("*/message", "/f/0/message"),
            ("a*b*c", "axxbyybzc"),
            ("ab", "ab"),
            ("a**", "ab"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("", "a"),
            ("a", "ab"),
            ("a*", "b"),
            ("a*a", "a"),
            ("*b*c", "cb"),
            ("a*b*b", "ab"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }
}
