//! The legal move nearest to a text.

use overboard_formats::san::Spelt;
use overboard_games::notation::Notation;

/// The legal move whose spelling is nearest to a text, within two letters, or one where the first is
/// another; capitals and small letters count alike. Of equally near ones, the one that begins alike, then the one whose letters
/// stand nearer in the alphabet.
pub(super) fn nearest<P: Notation>(position: &P, text: &str) -> Option<String> {
    let text: String = text.trim_end_matches(['+', '#']).chars().take(8).collect::<String>().to_lowercase();
    let candidates = position.moves_in_order().into_iter().filter_map(|m| {
        let spelt = Spelt(position.written(m)).to_string().to_lowercase();
        let distance = strsim::levenshtein(&text, &spelt);
        let other = spelt.chars().next() != text.chars().next();
        let near = distance <= if other { 1 } else { 2 } && distance < text.len();
        near.then(|| (distance, other, apart(&text, &spelt), spelt, m))
    });
    let best = candidates.min_by(|a, b| (a.0, a.1, a.2, &a.3).cmp(&(b.0, b.1, b.2, &b.3)));
    best.map(|(.., m)| position.san(m).to_string())
}

/// How far apart the letters of two words of one length are, place by place.
fn apart(a: &str, b: &str) -> u32 {
    if a.len() != b.len() {
        return 50;
    }
    a.chars().zip(b.chars()).map(|(x, y)| u32::from(x).abs_diff(u32::from(y)).min(40)).sum()
}
