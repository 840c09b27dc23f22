//! Records as other programs export them: right ones have no finding but those of their spelling, and each fault put
//! into one is one finding.
//!
//! What each program writes follows its own files: blanks after numbers, clocks with or without tenths, numbers after
//! comments, extra tags. Moves are spelt by shakmaty.

use crate::{chance::Chance, parallel::from_each, text::judge};
use overboard_referee::finding::Severity;
use shakmaty::{
    Chess, Color, KnownOutcome, Outcome, Position, Role, Square,
    san::{San, SanPlus},
};
use std::fmt::Write;

/// A game that was played, before any program writes it.
struct Played {
    /// The moves, as the standard spells them.
    moves: Vec<String>,
    /// The positions before each of them.
    before: Vec<Chess>,
    result: &'static str,
    /// What the mover's clock shows after each move, in seconds.
    clocks: Vec<u64>,
}

fn played(chance: &mut Chance) -> Played {
    let mut game = Played {
        moves: Vec::new(),
        before: Vec::new(),
        result: ["1-0", "0-1", "1/2-1/2"][chance.below(3)],
        clocks: Vec::new(),
    };
    let mut position = Chess::default();
    let mut left = [900, 900];
    for ply in 0..20 + chance.below(60) {
        let Some(m) = chance.pick(&position.legal_moves()) else {
            break;
        };
        game.before.push(position.clone());
        game.moves
            .push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        left[ply % 2] -= chance.below(9) as u64;
        game.clocks.push(left[ply % 2]);
        match position.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                game.result = if winner == Color::White { "1-0" } else { "0-1" };
                break;
            }
            Outcome::Known(KnownOutcome::Draw) => {
                game.result = "1/2-1/2";
                break;
            }
            Outcome::Unknown => {}
        }
    }
    game
}

/// A program, and what it does otherwise than the standard.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    ChessBase,
    Lichess,
    ChessCom,
    Dgt,
    Twic,
    German,
    French,
}

const SOURCES: [Source; 7] = [
    Source::ChessBase,
    Source::Lichess,
    Source::ChessCom,
    Source::Dgt,
    Source::Twic,
    Source::German,
    Source::French,
];

impl Source {
    fn tags(self) -> &'static str {
        match self {
            Self::ChessBase => {
                "[WhiteElo \"2401\"]\n[BlackElo \"2388\"]\n[ECO \"A00\"]\n[EventDate \"2024.03.01\"]\n[Annotator \"Muster,M\"]\n[SourceVersionDate \"2024.03.02\"]\n"
            }
            Self::Lichess => {
                "[GameId \"abcdefgh\"]\n[UTCDate \"2024.03.01\"]\n[UTCTime \"18:00:01\"]\n[WhiteElo \"2401\"]\n[BlackElo \"2388\"]\n[WhiteRatingDiff \"+5\"]\n[BlackRatingDiff \"-5\"]\n[Variant \"Standard\"]\n[TimeControl \"900+0\"]\n[ECO \"A00\"]\n[Opening \"Unusual\"]\n[Termination \"Normal\"]\n"
            }
            Self::ChessCom => {
                "[Timezone \"UTC\"]\n[UTCDate \"2024.03.01\"]\n[WhiteElo \"1401\"]\n[BlackElo \"1388\"]\n[TimeControl \"900\"]\n[EndTime \"18:12:01\"]\n[Link \"https://www.chess.com/game/live/1\"]\n"
            }
            Self::Dgt => "[TimeControl \"900\"]\n[Board \"1\"]\n",
            Self::Twic => {
                "[WhiteTitle \"GM\"]\n[BlackTitle \"IM\"]\n[WhiteElo \"2601\"]\n[BlackElo \"2488\"]\n[ECO \"A00\"]\n[Opening \"Unusual\"]\n[WhiteFideId \"1503014\"]\n[BlackFideId \"5000017\"]\n[EventDate \"2024.03.01\"]\n"
            }
            Self::German | Self::French => "",
        }
    }

    /// Whether a blank follows the number of a move.
    const fn blank(self) -> &'static str {
        match self {
            Self::Twic | Self::German => "",
            _ => " ",
        }
    }

    /// What stands after a move, and whether Black's number follows it.
    fn remark(self, clock: u64) -> Option<String> {
        let (minutes, seconds) = (clock / 60, clock % 60);
        match self {
            Self::Lichess => Some(format!(
                "{{ [%eval 0.17] [%clk 0:{minutes:02}:{seconds:02}] }}"
            )),
            Self::ChessCom => Some(format!("{{[%clk 0:{minutes:02}:{seconds:02}.4]}}")),
            Self::Dgt => Some(format!("{{[%clk 0:{minutes:02}:{seconds:02}]}}")),
            _ => None,
        }
    }

    /// The letters of knight, bishop, rook, queen and king.
    const fn letters(self) -> &'static str {
        match self {
            Self::German => "SLTDK",
            Self::French => "CFTDR",
            _ => "NBRQK",
        }
    }

    fn spelt(self, san: &str) -> String {
        let letter = |c: char| {
            let at = "NBRQK".find(c);
            at.and_then(|at| self.letters().chars().nth(at))
                .unwrap_or(c)
        };
        san.chars().map(letter).collect()
    }
}

/// What is wrong with a record.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    IllegalMove(usize),
    WrongTag,
    NoResult,
    SkippedNumber(usize),
    WrongSign(usize),
    Clock(usize),
    TwoTags,
}

impl Fault {
    fn found(self) -> &'static str {
        match self {
            Self::IllegalMove(_) => "illegal-move",
            Self::WrongTag => "result-mismatch",
            Self::NoResult => "missing-result",
            Self::SkippedNumber(_) => "move-number",
            Self::WrongSign(_) => "check-suffix",
            Self::Clock(_) => "clock-rises",
            Self::TwoTags => "duplicate-tag",
        }
    }

    /// A fault that the source can have.
    fn of(chance: &mut Chance, source: Source, game: &Played) -> Self {
        let at = chance.below(game.moves.len());
        match chance.below(7) {
            // In letters that no move before it has shown, an illegal move is not read as one.
            0 if source.letters() == "NBRQK" || shows_letters(game, at) => Self::IllegalMove(at),
            1 => Self::WrongTag,
            2 => Self::NoResult,
            // Black's first move has no number to be wrong, and a skip at White's first is a record without a beginning.
            3 if at >= 2 => Self::SkippedNumber(at / 2 * 2),
            4 if !game.moves[at].ends_with(['+', '#']) => Self::WrongSign(at),
            5 if source.remark(0).is_some() && at >= 2 => Self::Clock(at),
            _ => Self::TwoTags,
        }
    }
}

/// A move that no piece can make in a position, by the other library.
fn illegal(chance: &mut Chance, position: &Chess) -> String {
    loop {
        let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][chance.below(4)];
        let to = Square::new(chance.below(64) as u32);
        let is_possible = position
            .legal_moves()
            .iter()
            .any(|m| m.role() == role && m.to() == to);
        if !is_possible {
            let text = format!("{}{to}", role.upper_char());
            let san: San = text.parse().expect("a move");
            assert!(san.to_move(position).is_err());
            return text;
        }
    }
}

fn record(chance: &mut Chance, source: Source, game: &Played, fault: Option<Fault>) -> String {
    let mut text = String::from(
        "[Event \"Cup\"]\n[Site \"Hastings ENG\"]\n[Date \"2024.03.01\"]\n[Round \"1.2\"]\n[White \"Muster,Max\"]\n[Black \"Doe,Jane\"]\n",
    );
    if fault == Some(Fault::TwoTags) {
        text.push_str("[White \"Muster,Moritz\"]\n");
    }
    let tag = match fault {
        Some(Fault::WrongTag) if game.result == "1-0" => "0-1",
        Some(Fault::WrongTag) => "1-0",
        _ => game.result,
    };
    writeln!(text, "[Result \"{tag}\"]\n{}", source.tags()).unwrap();
    let mut words: Vec<String> = Vec::new();
    let mut skipped = 0;
    let mut is_after_remark = true;
    for (ply, san) in game.moves.iter().enumerate() {
        let mut san = san.clone();
        if fault == Some(Fault::IllegalMove(ply)) {
            san = illegal(chance, &game.before[ply]);
        }
        if fault == Some(Fault::WrongSign(ply)) {
            san.push('+');
        }
        if fault == Some(Fault::SkippedNumber(ply)) {
            skipped = 1;
        }
        let number = ply / 2 + 1 + skipped;
        let spelt = source.spelt(&san);
        words.push(match ply % 2 {
            0 => format!("{number}.{}{spelt}", source.blank()),
            _ if is_after_remark => format!("{number}... {spelt}"),
            _ => spelt,
        });
        let clock = match fault {
            Some(Fault::Clock(at)) if at == ply => game.clocks[ply] + 600,
            _ => game.clocks[ply],
        };
        let remark = source.remark(clock);
        is_after_remark = remark.is_some();
        words.extend(remark);
    }
    if fault != Some(Fault::NoResult) {
        words.push(game.result.into());
    }
    let mut column = 0;
    for word in words {
        let is_wrapped = matches!(source, Source::ChessBase | Source::Twic);
        let end = if is_wrapped && column > 70 { '\n' } else { ' ' };
        column = if end == '\n' {
            0
        } else {
            column + word.len() + 1
        };
        text.push_str(&word);
        text.push(end);
    }
    text + "\n\n"
}

/// Whether a move before this one is by a piece other than the king, so that the letters show the language.
fn shows_letters(game: &Played, until: usize) -> bool {
    game.moves[..until]
        .iter()
        .any(|san| san.starts_with(['N', 'B', 'R', 'Q']))
}

/// Whether a game is without what only the reader of its sheet could know: a French king has the letter of an English
/// rook, so it must not move before another piece has shown the language; and a promotion must not be the first to.
fn is_plain(source: Source, game: &Played) -> bool {
    let first = game
        .moves
        .iter()
        .find(|san| san.starts_with(['N', 'B', 'R', 'Q', 'K']));
    let promotes = game.moves.iter().any(|san| san.contains('='));
    match source {
        Source::German | Source::French => {
            !promotes && first.is_none_or(|san| !san.starts_with('K'))
        }
        _ => true,
    }
}

const RECORDS: u64 = 1_000;

#[test]
fn exports_have_one_finding_for_each_fault() {
    let seeds: Vec<u64> = (0..RECORDS).collect();
    let faults = from_each(&seeds, |index, seed| {
        let mut chance = Chance::seeded(seed);
        let source = SOURCES[index % SOURCES.len()];
        let mut game = played(&mut chance);
        while !is_plain(source, &game) {
            game = played(&mut chance);
        }
        let fault = (index / SOURCES.len() % 2 == 1).then(|| Fault::of(&mut chance, source, &game));
        let text = record(&mut chance, source, &game, fault);
        let mut found: Vec<_> = judge(text.as_bytes())
            .into_iter()
            .flat_map(|report| report.findings)
            .filter(|finding| finding.severity > Severity::Note)
            .map(|finding| finding.code.id)
            .collect();
        found.sort_unstable();
        let until = match fault {
            Some(Fault::IllegalMove(at)) => at,
            _ => game.moves.len(),
        };
        let is_foreign =
            matches!(source, Source::German | Source::French) && shows_letters(&game, until);
        let mut expected: Vec<_> = fault.map(Fault::found).into_iter().collect();
        if is_foreign {
            expected.push("piece-letters");
        }
        expected.sort_unstable();
        assert_eq!(found, expected, "{source:?} {fault:?}\n{text}");
        fault.is_some()
    });
    let faulty = faults.iter().filter(|has_fault| **has_fault).count();
    assert!(
        faulty * 5 > faults.len() * 2,
        "{faulty} records have a fault"
    );
}
