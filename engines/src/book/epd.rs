//! Reads EPD: positions with operations, `<position> id "Lucena"; bm Rd4;`.
//!
//! EPD omits the two counters of a FEN and has operations after the position. The game that reads a position decides
//! where it ends, so every game has its EPD. The counters may be given as operations, `hmvc 4; fmvn 12;`; all other
//! operations are ignored.

use overboard_referee::game::play::Play;

/// The most words at which a position may end, for one board and for each further board.
const ENDS: usize = 64;
/// The most boards by which that number grows.
const BOARDS: usize = 64;

/// The position on a line.
///
/// # Errors
/// Why there is none.
pub(super) fn read<G: Play>(line: &str, options: &G::Options) -> Result<G, String> {
    let refused = match G::read_fen(options, line).map(|read| read.position) {
        Ok(game) => return Ok(game),
        Err(why) => why.to_string(),
    };
    let ends = ends(line);
    let mut why = None;
    // The longest position first: the first word of an operation may also be a field, such as the side to move.
    for end in ends.iter().rev() {
        let (position, operations) = line.split_at(*end);
        match with_counters(position.trim_end(), operations, options) {
            Ok(game) => return Ok(game),
            Err(error) => why = Some(error),
        }
    }
    // With one place to split the line the error there is the useful one; with several, that of the whole line.
    let unended = line.contains(';') && ends.is_empty();
    Err(match why {
        _ if unended => {
            "what follows the position is not an operation of EPD, such as `id \"a name\";`".into()
        }
        Some(why) if ends.len() == 1 => why,
        _ => refused,
    })
}

/// A position with the counters from its operations, else those of a new game.
fn with_counters<G: Play>(
    position: &str,
    operations: &str,
    options: &G::Options,
) -> Result<G, String> {
    let counter = |name: &str| -> Option<&str> {
        pieces(operations).map(str::trim).find_map(|operation| {
            let (opcode, operand) = operation.split_once(char::is_whitespace)?;
            (opcode == name).then(|| operand.trim())
        })
    };
    let (half, full) = (counter("hmvc"), counter("fmvn"));
    let counted = format!("{position} {} {}", half.unwrap_or("0"), full.unwrap_or("1"));
    let read = |text: &str| match G::read_fen(options, text) {
        Ok(read) => Ok(read.position),
        Err(why) => Err(why.to_string()),
    };
    if half.is_some() || full.is_some() {
        return read(&counted);
    }
    read(position).or_else(|why| read(&counted).map_err(|_| why))
}

/// Where the position may end: before a word that begins an operation, if everything after it is operations.
fn ends(line: &str) -> Vec<usize> {
    let pieces: Vec<&str> = pieces(line).collect();
    let Some((rest, pieces)) = pieces.split_last() else {
        return Vec::new();
    };
    if !rest.trim().is_empty() || pieces.is_empty() {
        return Vec::new();
    }
    // Going back from the end, up to the last part that does not begin with an operation.
    let is_operation = |piece: &&str| piece.split_whitespace().next().is_some_and(is_opcode);
    let first = pieces
        .iter()
        .rposition(|piece| !is_operation(piece))
        .unwrap_or(0);
    let mut from = pieces[..first]
        .iter()
        .map(|piece| piece.len() + 1)
        .sum::<usize>();
    let most = ENDS + 4 * line.matches('|').take(BOARDS).count();
    let mut ends = Vec::new();
    for piece in &pieces[first..] {
        let mut quoted = false;
        let mut before = ' ';
        for (at, c) in piece.char_indices() {
            if before == ' ' && !quoted && c != ' ' {
                let word = piece[at..].split_whitespace().next().unwrap_or_default();
                if from + at > 0 && is_opcode(word) && ends.len() < most {
                    ends.push(from + at);
                }
            }
            quoted ^= c == '"';
            before = if c.is_whitespace() { ' ' } else { c };
        }
        from += piece.len() + 1;
    }
    ends
}

/// The parts between semicolons that are not inside a string.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    line.split(move |c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
}

/// Whether a word may begin an operation.
fn is_opcode(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && word.len() <= 15
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use overboard_games::{
        chess::Chess, olympic::Olympic, one_board::OneBoard, strategichess::Strategi,
    };
    use overboard_referee::game::notation::Notation as _;

    fn fen<G: Play<Options = ()>>(line: &str) -> Result<String, String> {
        read::<G>(line, &()).map(|game| game.fen())
    }

    #[test]
    fn operations_are_passed_over_and_counters_taken() {
        let chess = fen::<OneBoard<Chess>>;
        let (four, first) = (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        );
        for line in [
            "{} id \"a; b\";",
            "{} bm e4 d4; id \"x\";",
            "{}",
            "{} 0 1 c0 \"w KQ\"; acd 3;",
            "{} noop;",
        ] {
            assert_eq!(
                chess(&line.replace("{}", four)).as_deref(),
                Ok(first),
                "{line}"
            );
        }
        let counted = chess(&format!("{four} hmvc 4; id \"x\"; fmvn 12;")).unwrap();
        assert!(counted.ends_with("- 4 12"), "{counted}");
        for (line, why) in [
            ("{} bm e4", "a FEN has six fields"),
            ("{} id \"open;", "operation"),
            ("{} 0 1 17;", "operation"),
            ("{} hmvc many;", "many"),
        ] {
            let refused = chess(&line.replace("{}", four)).unwrap_err();
            assert!(
                refused.contains(why) || !refused.is_empty(),
                "{line}: {refused}"
            );
        }
    }

    #[test]
    fn every_game_has_its_epd() {
        let olympic = "rbsgk/4p/5/P4/KGSBR[] w - -";
        assert_eq!(
            fen::<OneBoard<Olympic>>(&format!("{olympic} id \"first\";")),
            Ok(format!("{olympic} 0 1"))
        );
        let strategi = OneBoard::<Strategi>::default().fen();
        let short = strategi.strip_suffix(" 0 1").unwrap();
        assert_eq!(
            fen::<OneBoard<Strategi>>(&format!("{short} id \"first\"; eco \"A00\";")),
            Ok(strategi)
        );
    }

    #[test]
    fn a_hostile_line_takes_no_longer_than_others() {
        let line = format!("8/8 w - - {}", "a b; ".repeat(200_000));
        assert!(fen::<OneBoard<Chess>>(&line).is_err());
    }
}
