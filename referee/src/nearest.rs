//! The legal ply nearest to a text.

use crate::judged::Judged;
use overboard_formats::san;
use overboard_rules::game::{Refusal, Spelt};
use std::ops::ControlFlow;

/// The legal ply on a board whose spelling is nearest to a text, within two letters, or one where the first is
/// another; capitals and small letters count alike. Of equally near ones, the one that begins alike, then the one whose letters
/// stand nearer in the alphabet.
pub(super) fn nearest<G: Judged>(game: &G, at: G::Board, text: &str) -> Option<String> {
    let text: String = text.trim_end_matches(['+', '#']).chars().take(8).collect::<String>().to_lowercase();
    let mut best = None;
    let _ = game.legal_on(at, |ply| {
        if let (_, Spelt::Ply(written)) = game.spell(ply) {
            let spelt = san::Spelt(written).to_string().to_lowercase();
            let distance = strsim::levenshtein(&text, &spelt);
            let other = spelt.chars().next() != text.chars().next();
            if distance <= if other { 1 } else { 2 } && distance < text.len() {
                let this = (distance, other, apart(&text, &spelt), spelt);
                let is_nearer = best.as_ref().is_none_or(|(best, _)| this < *best);
                if is_nearer {
                    best = Some((this, ply));
                }
            }
        }
        ControlFlow::Continue(())
    });
    let (_, ply) = best?;
    game.offer(&Refusal { possible: vec![ply], ..Refusal::new("", G::SET_UP, at) }).into_iter().next()
}

/// How far apart the letters of two words of one length are, place by place.
fn apart(a: &str, b: &str) -> u32 {
    if a.len() != b.len() {
        return 50;
    }
    a.chars().zip(b.chars()).map(|(x, y)| u32::from(x).abs_diff(u32::from(y)).min(40)).sum()
}
