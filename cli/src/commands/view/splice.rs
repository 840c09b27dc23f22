//! Expresses a text by its differences from the one before it.

/// How far to look for where two texts agree again.
const AHEAD: usize = 24;

/// How to make one text from another: how many bytes to keep, how many to leave out, and what to insert, repeatedly.
/// The rest is kept.
pub fn splices(before: &str, after: &str) -> Vec<(usize, usize, String)> {
    let (old, new) = (words(before), words(after));
    let (mut i, mut j, mut keep) = (0, 0, 0);
    let mut splices = Vec::new();
    while i < old.len() || j < new.len() {
        if let (Some(one), Some(other)) = (old.get(i), new.get(j))
            && one == other
        {
            (keep, i, j) = (keep + one.len(), i + 1, j + 1);
            continue;
        }
        let (dropped, added) = apart(&old[i..], &new[j..]);
        let gone: usize = old[i..i + dropped].iter().map(|word| word.len()).sum();
        splices.push((keep, gone, new[j..j + added].concat()));
        (keep, i, j) = (0, i + dropped, j + added);
    }
    splices
}

/// How many words differ until two texts agree again.
fn apart(old: &[&str], new: &[&str]) -> (usize, usize) {
    let agree = |i: usize, j: usize| {
        let (one, other) = (old.get(i..i + 2), new.get(j..j + 2));
        one.is_some() && one == other
            || (i + 1 >= old.len() && j + 1 >= new.len() && old.get(i) == new.get(j))
    };
    for distance in 1..2 * AHEAD {
        for i in 0..=distance.min(old.len()) {
            let j = distance - i;
            if j <= new.len() && agree(i, j) {
                return (i, j);
            }
        }
    }
    (old.len(), new.len())
}

/// The words of a position, each with its separator from the next.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive([' ', '/', ';', '{', '}', ','])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(before: &str, after: &str) -> usize {
        let (mut text, mut from, mut reported) = (String::new(), 0, 0);
        for (keep, gone, put) in splices(before, after) {
            text += &before[from..from + keep];
            text += &put;
            from += keep + gone;
            reported += put.len();
        }
        assert_eq!(text + &before[from..], after);
        reported
    }

    #[test]
    fn what_is_spliced_is_the_text_again() {
        let texts = [
            "",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - {}",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 A2 {A2: rnbqkbnr/8 w - 1 1}",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 A2,B2 {A2: rnbqkbnr/8 w - 1 1; B2: 8/8 b}",
            "8/8 w",
        ];
        for before in texts {
            for after in texts {
                again(before, after);
            }
        }
        assert!(again(texts[2], texts[3]) < 24);
    }
}
