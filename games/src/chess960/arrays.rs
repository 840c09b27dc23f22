//! The initial positions that are drawn by lot, by Scharnagl's numbers (C9-1, C9-2).

/// The number of initial positions.
pub const ARRAYS: u32 = 960;
/// The number of the initial position of orthodox chess.
pub const ORTHODOX: u32 = 518;

/// The places of two knights among the five squares left, by the last part of the number.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

/// The initial position with a number below [`ARRAYS`], as FEN.
#[must_use]
pub fn array(number: u32) -> Option<String> {
    let white = first_rank(number)?;
    let black = white.to_ascii_lowercase();
    Some(format!(
        "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"
    ))
}

/// White's first rank in the initial position with this number: a bishop on a light square and one on a dark square,
/// the queen on one of the six squares left, the knights on two of five, and on the last three squares the king between
/// the rooks.
fn first_rank(number: u32) -> Option<String> {
    if number >= ARRAYS {
        return None;
    }
    let [light, dark, queen, knights] =
        [number % 4, number / 4 % 4, number / 16 % 6, number / 96].map(|part| part as usize);
    let mut rank = [None; 8];
    rank[2 * light + 1] = Some('B');
    rank[2 * dark] = Some('B');
    put(&mut rank, queen, 'Q');
    let [one, other] = KNIGHTS[knights];
    // The further one first: its place counts empty squares including that of the nearer one.
    put(&mut rank, other, 'N');
    put(&mut rank, one, 'N');
    let mut rest = ['R', 'K', 'R'].into_iter();
    rank.into_iter()
        .map(|piece| piece.or_else(|| rest.next()))
        .collect()
}

/// Puts a piece on the empty square that has this many other empty ones before it.
fn put(rank: &mut [Option<char>; 8], nth: usize, piece: char) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(nth) {
        *square = Some(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_are_scharnagls() {
        for (number, rank) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(first_rank(number).as_deref(), Some(rank), "{number}");
        }
        assert_eq!(first_rank(ARRAYS), None);
    }

    #[test]
    fn arrays_are_all_that_the_laws_allow() {
        let all: BTreeSet<_> = (0..ARRAYS).filter_map(first_rank).collect();
        assert_eq!(all.len(), 960);
        for rank in all {
            let at = |piece| {
                rank.match_indices(piece)
                    .map(|(at, _)| at)
                    .collect::<Vec<_>>()
            };
            let (king, rooks, bishops) = (at('K'), at('R'), at('B'));
            assert!(
                king.len() == 1 && rooks[0] < king[0] && king[0] < rooks[1],
                "{rank}"
            );
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{rank}");
            assert_eq!((at('Q').len(), at('N').len()), (1, 2), "{rank}");
        }
    }
}
