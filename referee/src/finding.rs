//! Findings: their codes, severities and places.

use crate::{beside::OtherSheet, remedy::Remedy};
use overboard_formats::{foreign::Foreign, span::TextSpan};
use overboard_pictures::diagram::Panel;
use overboard_rules::rule::Rule;
use serde::{Serialize, Serializer};
use std::fmt;

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; shown on request.
    Note,
    /// Accepted, but reported.
    Warning,
    /// The game is not correct.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// The verdict on a game: that of its worst error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No error.
    Clean,
    /// The game could not be judged to its end, for example because its rules are unknown.
    Undetermined,
    /// A rule is broken that is not about moves or results, or an option made a warning or a note an error.
    Infraction,
    /// The recorded result is not the one that the moves and recorded events give.
    WrongResult,
    /// A move is illegal, or comes after the end of the game.
    Illegal,
    /// The text cannot be read.
    Unreadable,
}

/// The proof that every act of a record's main line, at every level and on every board, was judged. It can only be
/// constructed after the record has been followed to its end (GEN-13).
#[derive(Debug)]
pub struct EveryActJudged(());

impl EveryActJudged {
    /// The proof, if `judged`.
    pub const fn if_so(judged: bool) -> Option<Self> {
        if judged { Some(Self(())) } else { None }
    }
}

impl Verdict {
    /// The verdict on a game: clean only if it has no errors and was judged completely.
    #[must_use]
    pub fn of(findings: &[Finding], proof: Option<EveryActJudged>) -> Self {
        let errors = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
        let worst = errors.map(|finding| finding.code.verdict).max();
        match (worst, proof) {
            (Some(verdict), _) => verdict,
            (None, Some(EveryActJudged(()))) => Self::Clean,
            (None, None) => Self::Undetermined,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clean => "clean",
            Self::Undetermined => "undetermined",
            Self::Infraction => "infraction",
            Self::WrongResult => "wrong-result",
            Self::Illegal => "illegal",
            Self::Unreadable => "unreadable",
        })
    }
}

/// A kind of finding: stable name, severity, meaning.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// Its name.
    pub id: &'static str,
    /// Its severity, unless changed by `--allow` or `--deny`.
    pub severity: Severity,
    /// The verdict on a game in which it is an error.
    pub verdict: Verdict,
    /// What it means, in a sentence or two.
    pub text: &'static str,
    /// A record that has it; empty if none is short enough to show.
    pub broken: &'static str,
    /// The same record without it.
    pub mended: &'static str,
}

impl Code {
    /// The code of this name.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        CODES
            .iter()
            .copied()
            .find(|code| code.id.eq_ignore_ascii_case(id))
    }

    /// Whether its severity may be changed. That of an error may not.
    #[must_use]
    pub const fn is_leniency(&self) -> bool {
        !matches!(self.severity, Severity::Error)
    }
}

macro_rules! codes {
    ($($group:literal { $($name:ident, $id:literal, $severity:ident, $verdict:ident, $text:literal, $broken:literal $(=> $mended:literal)?;)+ })+) => {
        $($(#[doc = $text] pub static $name: Code = Code {
            id: $id, severity: Severity::$severity, verdict: Verdict::$verdict, text: $text,
            broken: $broken, mended: concat!($($mended)?),
        };)+)+
        /// Every code, in the order of the documentation.
        pub static CODES: &[&Code] = &[$($(&$name),+),+];
        /// The same codes by subject, each group with its heading.
        pub static GROUPS: &[(&str, &[&Code])] = &[$(($group, &[$(&$name),+])),+];
    };
}

codes! {
    "Moves and results" {
        ILLEGAL_MOVE, "illegal-move", Error, Illegal,
            "A move of the game is illegal. Moves after it are not judged, unless both players played on and the record says so with [%stands], or `check --judge-on` asks to continue.", "1. e4 e5 2. Ke3" => "1. e4 e5 2. Ke2";
        MOVE_AFTER_END, "move-after-end", Error, Illegal,
            "A move is recorded after the game had ended.", "1. f3 e5 2. g4 Qh4# 3. a3" => "1. f3 e5 2. g4 Qh4# 0-1";
        ILLEGAL_STANDS, "illegal-stands", Error, Illegal,
            "An illegal move after which both players played on. [%stands] says what was done, and the game is judged from there.", "1. e4 e5 2. Ke3 {[%stands e1e3]}" => "1. e4 e5 2. Ke2";
        WRONG_RESULT, "wrong-result", Error, WrongResult,
            "The result does not follow from the final position, a claim or another recorded event.", "1. f3 e5 2. g4 Qh4# 1-0" => "1. f3 e5 2. g4 Qh4# 0-1";
        UNKNOWN_RESULT, "unknown-result", Note, Infraction,
            "The game has ended, and its result is `*`, which leaves it open.", "1. f3 e5 2. g4 Qh4# *" => "1. f3 e5 2. g4 Qh4# 0-1";
        RESULT_MISMATCH, "result-mismatch", Error, WrongResult,
            "The tag Result and the result after the moves differ.", "[Result \"1-0\"] 1. e4 0-1" => "[Result \"0-1\"] 1. e4 0-1";
        SCORE_TAG, "score-tag", Error, WrongResult,
            "The tag Score does not match the kings that the teams have left at the end of the record. If the record holds moves made after time, `overboard score --expiry` counts the kings at that time.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] [Score \"2-1\"] 1A. e7 *" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [Score \"2-2\"] 1A. e7 *";
        ILLEGAL_VARIATION, "illegal-variation", Warning, Infraction,
            "A move in a variation is illegal. It was not played; the rest of the variation is not judged.", "1. e4 (1. e5) 1... e5" => "1. e4 (1. d4) 1... e5";
        NULL_MOVE, "null-move", Warning, Infraction,
            "A variation has the null move `--`, which no rule allows.", "1. e4 (1. -- e5)" => "1. e4 (1. d4 e5)";
        AFTER_END, "after-end", Warning, Infraction,
            "A command that could end the game, or affect its result, comes after the end and changes nothing. Or moves of bare kings do so, by which players show the result to an electronic board after a draw.", "1. f3 e5 2. g4 Qh4# {[%resign W]} 0-1" => "1. f3 e5 2. g4 Qh4# 0-1";
        WRONG_CLAIM, "wrong-claim", Warning, Infraction,
            "A draw or a count of kings was claimed, but the claim is incorrect; the game continues.", "1. e4 {[%claim threefold]}" => "1. e4";
        RIGHT_CLAIM, "right-claim", Note, Infraction,
            "A draw was claimed, and the claim is correct. The message says what it rests on.", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 {[%claim threefold]} 1/2-1/2" => "1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2";
        ANNOUNCED_MOVE, "announced-move", Error, Infraction,
            "A claim was wrong, and the legal move that was announced with it was not played.", "1. e4 e5 {[%claim threefold Nf3]} 2. d4" => "1. e4 e5 2. Nf3";
        LEGAL_ATTEMPT, "legal-attempt", Error, Infraction,
            "An attempt recorded as illegal is a legal move in this position; it is not counted.", "1. e4 {[%illegal e5]}" => "1. e4 {[%illegal e3]}";
        NO_ATTEMPT, "no-attempt", Error, Infraction,
            "An attempt recorded as illegal is not a move; it is not counted.", "1. e4 {[%illegal clock]}" => "1. e4 {[%illegal e3]}";
        CLAIMABLE, "claimable", Note, Infraction,
            "The game was drawn, and a draw could have been claimed since the ply named in the message.", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2" => "1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2";
    }
    "Reading the record" {
        NO_FILE, "no-file", Error, Unreadable,
            "The file cannot be opened, or cannot be read to its end.", "";
        NOT_TEXT, "not-text", Error, Unreadable,
            "The file is not a text with games: it is UTF-16, compressed, HTML, JSON or binary, or it holds only control characters or only comments.", "";
        LIMIT, "limit", Error, Unreadable,
            "The record exceeds a limit of the reader; the message names the option that raises it. The rest of the record is skipped.", "";
        BAD_PLY, "bad-ply", Error, Unreadable,
            "A word among the moves is not a move. What follows it is not judged. Moves with the letters of another language are read if they show which it is; else read the record with `--piece-letters`.", "1. e4 foo" => "1. e4 e5";
        BAD_TOKEN, "bad-token", Error, Unreadable,
            "Characters are not valid in movetext, or not in this place. What follows them is not judged.", "1. e4 ~~ e5" => "1. e4 e5";
        UNCLOSED_COMMENT, "unclosed-comment", Error, Unreadable,
            "A comment opens with a brace and does not close before the next game or the end of the text.", "1. e4 {good" => "1. e4 {good}";
        UNCLOSED_BRACKET, "unclosed-bracket", Error, Unreadable,
            "A variation or a block opens and does not close.", "1. e4 (1. d4 d5 1-0" => "1. e4 (1. d4 d5) 1-0";
        STRAY_BRACKET, "stray-bracket", Error, Unreadable,
            "A closing bracket has no opening bracket.", "1. e4 ) e5" => "1. e4 e5";
        EXTENSION_TOKEN, "extension-token", Error, Unreadable,
            "A token of nested or multi-board notation in a game without the tag Variant that allows it.", "1. e4 <e5: 1-0>" => "[Variant \"Overchess\"] 1. e4 d5 2. exd5 <d5: 1-0>";
        TEXT_AFTER_RESULT, "text-after-result", Error, Undetermined,
            "Text without tags follows the result of a game and does not begin with White's first move. It may be the rest of that game, or a game without its beginning; it is not judged.", "1. e4 e5 1-0 2. Nf3 Nc6 *" => "1. e4 e5 2. Nf3 Nc6 1-0";
        UNKNOWN_VARIANT, "unknown-variant", Error, Undetermined,
            "The tag Variant names a game whose rules are not supported. The record is read but not judged.", "[Variant \"Atomic\"]" => "[Variant \"Chess\"]";
        BAD_RULES, "bad-rules", Error, Undetermined,
            "The tag Rules, or a tag that describes the set-up, names a rule or a value that does not exist.", "[Rules \"nonsense\"]" => "[Rules \"illegal=3\"]";
        BAD_TAG, "bad-tag", Error, Unreadable,
            "A tag pair does not have the form [Name \"value\"], or is among the moves.", "[White Ann]" => "[White \"Ann\"]";
        BAD_LIST, "bad-list", Error, Unreadable,
            "A list in a tag does not have the same length as the list of boards, or an item in it is unknown or occurs twice.", "[Boards \"A:B\"] [White \"Ann\"]" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] *";
        BAD_FEN, "bad-fen", Error, Unreadable,
            "The FEN of the starting position cannot be read.", "[FEN \"8/8/8/8 w - - 0 1\"]" => "[SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"] *";
        UNREACHABLE_POSITION, "unreachable-position", Warning, Infraction,
            "No game leads to the position of the FEN, but the rules say how it is played: it is judged as it stands.", "[SetUp \"1\"] [FEN \"7k/8/8/8/8/8/8/K6R w - - 0 1\"] *" => "[SetUp \"1\"] [FEN \"7k/8/8/8/8/8/8/K5R1 w - - 0 1\"] *";
        IMPOSSIBLE_POSITION, "impossible-position", Error, Unreadable,
            "The FEN can be read, but no game can start from this position.", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]" => "[SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"] *";
    }
    "Linked and nested boards" {
        NO_BOARD, "no-board", Error, Unreadable,
            "A ply on linked boards lacks the number and letter of its board, or has a letter that no board has.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] 1. e7" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] 1A. e7";
        OPEN_PLY, "open-ply", Error, Undetermined,
            "Whether a ply on linked or nested boards is legal depends on a board that is no longer judged.", "";
        LOOSE_SHEET, "loose-sheet", Error, Undetermined,
            "A sheet cannot be judged with the others of its game: one is missing, two contradict each other, or the order of their plies is open.", "[Parent \"7/B\"] [Variant \"StrategiChess\"] 1. e7" => "[Variant \"StrategiChess\"] 1. e7";
        UNLIKE_SHEETS, "unlike-sheets", Error, Undetermined,
            "Two sheets of one game, such as those of both players, differ in a move or a result. Each is tried with the sheets of the other boards or games, and the finding is on the one that does not fit, or on both.", "";
        NO_ORDER, "no-order", Error, Undetermined,
            "The sheets of linked boards have a move for which no order of their moves was found that makes it legal. It is wrong, or a move before it; the other boards are judged around it.", "";
        NO_RESIGNATION, "no-resignation", Error, Infraction,
            "A team resigns although the rules do not permit it.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] [Rules \"edition=2025\"] 1A. e7 {[%resign B]}" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [Rules \"edition=2003\"] 1A. e7 {[%resign B]}";
        ENDS_NO_BOARD, "ends-no-board", Error, Infraction,
            "A resignation, a fallen flag or an agreement is recorded on a board of Mega-Chess, although such a board cannot end in any of these ways.", "[Variant \"Mega-Chess\"] 1. <A1.e4 {[%resign B]}> *" => "[Variant \"Mega-Chess\"] 1. <A1.e4 B1.e4 C1.e4 D1.e4 E1.e4 F1.e4 G1.e4 H1.e4> {[%resign B]} 1-0";
        BAD_ORDER, "bad-order", Error, Infraction,
            "A captain's instruction is not in the prescribed form: the captain's team will lose, which is decided when the game is over. Or it does not say whose captain gave it, and counts against nobody.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] 1A. e7 {[%order W Go for the king!]}" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] 1A. e7 {[%order W Team Player \"Ann\" send Rook to Team Player \"Bob\".]}";
        ORDER_FORM, "order-form", Warning, Infraction,
            "A captain's instruction has the prescribed words, but not the prescribed capitals, quotes, spaces or full stop.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] 1A. e7 {[%order W team player Ann send Rook to team player Bob]}" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] 1A. e7 {[%order W Team Player \"Ann\" send Rook to Team Player \"Bob\".]}";
        ORDER_UNFIT, "order-unfit", Warning, Infraction,
            "A captain's instruction has the prescribed form but cannot be carried out.", "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] 1A. e7 {[%order W Team Player \"Ann\" send Rook to Team Player \"Zoe\".]}" => "[Variant \"StrategiChess\"] [Boards \"A:B\"] [White \"Ann:Bob\"] 1A. e7 {[%order W Team Player \"Ann\" send Rook to Team Player \"Bob\".]}";
        OPEN_OFFENCE, "open-offence", Warning, Infraction,
            "An infraction that loses the game was recorded, but the game is not over, so it decides nothing yet.", "1. e4 {[%infraction W SC-42 \"Attack!\"]} 1... e5 *" => "1. e4 {[%infraction W SC-42 \"Attack!\"]} 0-1";
        NOT_ENTITLED, "not-entitled", Error, Infraction,
            "A sub-game was played by someone whom the record does not name for the over-piece. It still counts.", "[Variant \"Overchess\"] [BlackLieutenants \"P=Bob\"] 1. e4 d5 2. exd5 <d5: [Black \"Zoe\"] 1-0> *" => "[Variant \"Overchess\"] [BlackLieutenants \"P=Bob\"] 1. e4 d5 2. exd5 <d5: [Black \"Bob\"] 1-0> *";
        MATED_IN_FEN, "mated-in-fen", Note, Infraction,
            "In the edition of 2025 a FEN of linked boards has a mated king that is not its team's last; that king is removed at once.", "";
    }
    "How moves are written" {
        CHECK_SUFFIX, "check-suffix", Warning, Infraction,
            "The sign for check or mate is missing or wrong.", "1. e4 f5 2. Qh5" => "1. e4 f5 2. Qh5+";
        MOVE_NUMBER, "move-number", Warning, Infraction,
            "A move number is wrong.", "1. e4 e5 7. Nf3" => "1. e4 e5 2. Nf3";
        NUMBER_FORM, "number-form", Warning, Infraction,
            "A move number has the wrong number of dots. It should have one for White, three for Black.", "1. e4 1. e5" => "1. e4 1... e5";
        MISSING_NUMBER, "missing-number", Note, Infraction,
            "A move of White, or Black's first move after a comment or variation, has no number.", "1. e4 e5 Nf3" => "1. e4 e5 2. Nf3";
        MISSING_CAPTURE, "missing-capture", Warning, Infraction,
            "A capture is written without `x`.", "1. e4 d5 2. ed5" => "1. e4 d5 2. exd5";
        EXTRA_CAPTURE, "extra-capture", Warning, Infraction,
            "A move is written as a capture and captures nothing.", "1. Nxf3" => "1. Nf3";
        OVER_DISAMBIGUATED, "over-disambiguated", Warning, Infraction,
            "A move names more of its origin square than is needed.", "1. Ngf3" => "1. Nf3";
        DISAMBIGUATION, "disambiguation", Warning, Infraction,
            "A move distinguishes two pieces in an unusual way. The file is used if it is enough, otherwise the rank, otherwise both.", "1. Nf3 Nf6 2. d4 d5 3. N1d2" => "1. Nf3 Nf6 2. d4 d5 3. Nbd2";
        LONG_ALGEBRAIC, "long-algebraic", Warning, Infraction,
            "A move is written with its whole origin square.", "1. e2e4" => "1. e4";
        CASTLING_FORM, "castling-form", Warning, Infraction,
            "Castling is written with zeros or small letters, or without its hyphens.", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0" => "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O";
        SMALL_PIECE, "small-piece", Warning, Infraction,
            "A piece is written with a small letter. This is accepted only if no file has that letter, and never for a bishop.", "1. nf3" => "1. Nf3";
        FIGURINE, "figurine", Warning, Infraction,
            "A piece is written as a figurine.", "1. ♘f3" => "1. Nf3";
        PAWN_LETTER, "pawn-letter", Warning, Infraction,
            "A pawn's move is written with a `P`.", "1. Pe4" => "1. e4";
        PROMOTION_FORM, "promotion-form", Warning, Infraction,
            "A promotion is written without `=` or with a small letter.", "[SetUp \"1\"] [FEN \"8/4P1k1/8/8/8/8/6K1/8 w - - 0 1\"] 1. e8Q" => "[SetUp \"1\"] [FEN \"8/4P1k1/8/8/8/8/6K1/8 w - - 0 1\"] 1. e8=Q";
        DROP_FORM, "drop-form", Warning, Infraction,
            "A drop is written without the pawn's letter, or with a small letter.", "[Variant \"Olympic Chess\"] 1. Rxe4+ Kxe4 2. Bc2+ r@d3" => "[Variant \"Olympic Chess\"] 1. Rxe4+ Kxe4 2. Bc2+ R@d3";
        PIECE_LETTERS, "piece-letters", Warning, Infraction,
            "The pieces have the letters of another language. The record is read with them.", "1. e4 e5 2. Sf3" => "1. e4 e5 2. Nf3";
        SHORT_CAPTURE, "short-capture", Warning, Infraction,
            "A pawn's capture does not name the rank to which it goes.", "1. e4 d5 2. ed" => "1. e4 d5 2. exd5";
        CAPTURE_FORM, "capture-form", Warning, Infraction,
            "A capture is written with a colon.", "1. e4 d5 2. e:d5" => "1. e4 d5 2. exd5";
        EN_PASSANT_MARK, "en-passant-mark", Warning, Infraction,
            "A capture carries `e.p.` or `ep`; the message says so if it is not en passant.", "1. e4 a6 2. e5 d5 3. exd6 e.p." => "1. e4 a6 2. e5 d5 3. exd6";
    }
    "Results, tags and FEN" {
        MISSING_RESULT, "missing-result", Warning, Infraction,
            "There is no result after the moves of the game.", "1. e4 e5" => "1. e4 e5 *";
        BOARD_RESULT, "board-result", Note, Infraction,
            "A record of Bughouse in BPGN gives the result of the board on which the match ended, as some servers do, and not that of the teams.", "[WhiteA \"Ann\"] [BlackA \"Di\"] [WhiteB \"Ed\"] [BlackB \"Bob\"] 1A. e4 1B. d4 {Ed resigns} 0-1" => "[Variant \"Bughouse\"] [White \"Ann:Bob\"] [Black \"Di:Ed\"] 1A. e4 1B. d4 {[%resign W:B]} 1-0";
        CASTLING_OR_RESULT, "castling-or-result", Note, Infraction,
            "A last `0-0` can be castling, or say that both sides lost. Castling is legal there and the tag Result does not say `0-0`, so it is castling.", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0" => "[Result \"0-0\"] 1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 0-0";
        BPGN_FORM, "bpgn-form", Note, Infraction,
            "A record of Bughouse has a form of BPGN, the notation of chess servers, which NPGN writes differently. Each kind of form is named once in a record.", "[Variant \"Bughouse\"] 1A. e4 {179.5} *" => "[Variant \"Bughouse\"] 1A. e4 {[%clk 0:02:59.5]} *";
        RESULT_FORM, "result-form", Warning, Infraction,
            "A result is not written as in the PGN standard.", "1. e4 1/2" => "1. e4 1/2-1/2";
        TERMINATION, "termination", Warning, Infraction,
            "The tag Termination contradicts the result or the side to move.", "[Termination \"unterminated\"] 1-0" => "[Termination \"normal\"] 1-0";
        MISSING_TAG, "missing-tag", Note, Infraction,
            "A tag of the Seven Tag Roster is missing.", "";
        DUPLICATE_TAG, "duplicate-tag", Warning, Infraction,
            "A tag occurs twice in one game; the first is used.", "[White \"Ann\"] [White \"Bob\"]" => "[White \"Ann\"] [Black \"Bob\"]";
        ONE_NAME, "one-name", Warning, Infraction,
            "White and Black have the same name, that of a person (with a comma, as PGN writes it).", "[White \"Doe, Ann\"] [Black \"Doe, Ann\"] 1. e4 *" => "[White \"Doe, Ann\"] [Black \"Roe, Ben\"] 1. e4 *";
        SAME_GAME, "same-game", Warning, Infraction,
            "The game is in the files twice: event, site, date, round, players, number of plies and last position are the same. A run compares its first four million games.", "";
        TAG_NAME, "tag-name", Warning, Infraction,
            "The name of a tag is not written with the capitals that it should have.", "[result \"1-0\"] 1-0" => "[Result \"1-0\"] 1-0";
        TAG_VALUE, "tag-value", Warning, Infraction,
            "A tag has a value that PGN does not allow for it.", "[Result \"won\"]" => "[Result \"1-0\"]";
        SETUP_TAG, "setup-tag", Warning, Infraction,
            "The tags SetUp and FEN do not go together: SetUp \"1\" says that there is a FEN.", "[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"] *" => "[SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"] *";
        FEN_FORM, "fen-form", Warning, Infraction,
            "A FEN lacks fields, or its spacing or numbers are not those of standard FEN.", "[SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/4P3/8 w - -\"] *" => "[SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"] *";
        OTHER_LAWS, "other-laws", Note, Infraction,
            "The tag Laws says that the record was judged under earlier or later laws of the game than those of this program; the message says what changed. No finding rests on a rule that did.", "[Laws \"overboard 1\"] 1. e4 *" => "[Laws \"overboard 2\"] 1. e4 *";
        LAWS_CHANGED, "laws-changed", Warning, Infraction,
            "An error or the end of the game rests on a rule that has changed since the laws under which the record was judged, as its tag Laws says: the verdict may have been different.", "[Laws \"overboard 1\"] [SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"] 1/2-1/2" => "[Laws \"overboard 2\"] [SetUp \"1\"] [FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"] 1/2-1/2";
        PLY_COUNT, "ply-count", Warning, Infraction,
            "The tag PlyCount does not match the number of plies.", "[PlyCount \"9\"] 1. e4 *" => "[PlyCount \"1\"] 1. e4 *";
    }
    "Clocks" {
        CLOCK_RISES, "clock-rises", Warning, Infraction,
            "A clock shows more time than the time control can have added.", "[TimeControl \"60\"] 1. e4 {[%clk 0:00:05]} 1... e5 2. d4 {[%clk 1:00:00]}" => "[TimeControl \"60\"] 1. e4 {[%clk 0:00:05]} 1... e5 2. d4 {[%clk 0:00:03]}";
        CLOCK_LEFT, "clock-left", Warning, Infraction,
            "A player's flag is recorded as fallen, but their last recorded clock shows more than a minute.", "[Termination \"time forfeit\"] 1. e4 {[%clk 1:00:00]} 1... e5 0-1" => "[Termination \"time forfeit\"] 1. e4 {[%clk 0:00:02]} 1... e5 0-1";
        WINNER_OUT_OF_TIME, "winner-out-of-time", Warning, Infraction,
            "The last clock recorded for the winner shows no time left, and no mate ended the game.", "1. e4 {[%clk 0:00:00]} 1... e5 1-0" => "1. e4 {[%clk 0:00:03]} 1... e5 1-0";
        UNDECIDED_MATE, "undecided-mate", Note, Infraction,
            "A flag fell, or a second illegal move was made, and the search neither found a series of moves by which the other player could mate nor showed that there is none. The result supposes that there is one.", "[FEN \"k6B/1b4B1/5B2/4B3/3B4/1pB5/pP6/K7 b - - 0 1\"] [SetUp \"1\"] {[%flag B]} 1-0" => "[FEN \"k7/8/1K6/8/8/8/8/7R b - - 0 1\"] [SetUp \"1\"] {[%flag B]} 1-0";
        TIME_RUNS_BACKWARDS, "time-runs-backwards", Warning, Infraction,
            "A time stamp [%ts] is earlier than one before it.", "1. e4 {[%ts 0:01:00]} 1... e5 {[%ts 0:00:30]}" => "1. e4 {[%ts 0:01:00]} 1... e5 {[%ts 0:01:30]}";
        BAD_TIME_CONTROL, "bad-time-control", Warning, Infraction,
            "The tag TimeControl is not written as in the PGN standard.", "[TimeControl \"five minutes\"]" => "[TimeControl \"300\"]";
    }
    "Comments and annotations" {
        BAD_COMMAND, "bad-command", Warning, Infraction,
            "A command in a comment has arguments that it does not take.", "1. e4 {[%clk soon]}" => "1. e4 {[%clk 0:59:00]}";
        UNKNOWN_COMMAND, "unknown-command", Note, Infraction,
            "A command in a comment is unknown; it is kept.", "1. e4 {[%mood fine]}" => "1. e4 {fine}";
        RESULT_IN_VARIATION, "result-in-variation", Warning, Infraction,
            "A variation contains a result.", "1. e4 (1. d4 1-0) 1... e5" => "1. e4 (1. d4) 1... e5";
        SIGN_ALONE, "sign-alone", Warning, Infraction,
            "An evaluation sign is not attached to a move; PGN has numeric glyphs for evaluations.", "1. e4 +-" => "1. e4 $18";
        DANGLING, "dangling", Warning, Infraction,
            "An annotation has no move to which it belongs.", "! 1. e4" => "1. e4!";
        NAG_RANGE, "nag-range", Warning, Infraction,
            "A numeric annotation glyph is not a number from 0 to 255.", "1. e4 $999" => "1. e4 $9";
    }
    "The text of the file" {
        ODD_BLANK, "odd-blank", Warning, Infraction,
            "The moves are separated by a blank other than the ordinary space, such as a no-break space.", "1. e4\u{a0}e5 *" => "1. e4 e5 *";
        CONTROL_CHARACTER, "control-character", Warning, Infraction,
            "The text contains a control character, or another invisible character that changes how the text is displayed.", "";
        ENCODING, "encoding", Note, Infraction,
            "A text is not valid UTF-8 and is read as Latin-1.", "";
        BYTE_ORDER_MARK, "byte-order-mark", Note, Infraction,
            "The file begins with a UTF-8 byte order mark.", "";
        LONG_LINE, "long-line", Note, Infraction,
            "Lines are longer than 255 characters, the limit of PGN on import.", "";
        MORE, "more", Note, Infraction,
            "A game has more findings of one kind than are listed; the message gives the kind and the number.", "";
    }
}

/// One thing found in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of finding.
    pub code: &'static Code,
    /// Its severity under the given options.
    pub severity: Severity,
    /// The rule that was broken, if it is about one.
    pub rule: Option<&'static Rule>,
    /// Its place; lines count from the start of the text.
    pub place: TextSpan,
    /// Column, from 1, in characters.
    pub column: u64,
    /// The text of the line, if it was still in the window.
    pub excerpt: Option<Excerpt>,
    /// Address of the board; empty for the only or outermost one.
    pub path: String,
    /// Ply of the main line, from 1, if it belongs to one.
    pub ply: Option<u32>,
    /// Move number as written: `12.` or `12...`.
    pub number: Option<String>,
    /// The offending text.
    pub text: Foreign,
    /// What is wrong and why.
    pub message: Foreign,
    /// What was possible instead.
    pub possible: Vec<String>,
    /// The legal ply nearest to the text.
    pub nearest: Option<String>,
    /// If an illegal move left a check unanswered: how many legal moves there were, all of which parry the check.
    pub evasions: Option<u32>,
    /// How judging can continue after an illegal move, if it can.
    pub judge_on: Option<JudgeOn>,
    /// What an arbiter does about it now (GEN-16).
    pub remedy: Option<Remedy>,
    /// The moment of the game at which it was found, as `show --at` takes it, if the position is known.
    pub moment: Option<String>,
    /// The board on which it happened, before the ply.
    pub board: Option<Box<Panel>>,
    /// Another place that explains it, what is there, and its line.
    pub also: Option<(TextSpan, Foreign, Option<Excerpt>)>,
    /// Of two sheets of one game that differ, what stands on both.
    pub other_sheet: Option<Box<OtherSheet>>,
    /// On a sheet that is judged together with others, its offset in the record that they make.
    pub in_whole: Option<u64>,
    /// For what follows from the play, such as that a tag is wrong: how far the record had been read. It is reported
    /// after its causes, which stand before that.
    pub known_at: Option<u64>,
    /// Of a finding [`MORE`]: the kind of findings that were only counted, and their number.
    pub counted: Option<(&'static Code, u32)>,
}

impl Finding {
    /// The order in which findings are reported: by place, except that consequences come after their causes.
    #[must_use]
    pub fn turn(&self) -> (u64, bool) {
        let from = self.place.span.from;
        let known = self.known_at.unwrap_or(from);
        (from.max(known), self.severity != Severity::Error)
    }

    /// A finding with nothing but its message.
    #[must_use]
    pub const fn new(
        code: &'static Code,
        severity: Severity,
        place: TextSpan,
        message: String,
    ) -> Self {
        Self {
            code,
            severity,
            rule: None,
            place,
            column: 0,
            excerpt: None,
            path: String::new(),
            ply: None,
            number: None,
            text: Foreign::new(String::new()),
            message: Foreign::new(message),
            possible: Vec::new(),
            nearest: None,
            evasions: None,
            judge_on: None,
            remedy: None,
            moment: None,
            board: None,
            also: None,
            other_sheet: None,
            in_whole: None,
            known_at: None,
            counted: None,
        }
    }

    /// Whether judging continues as if the illegal move stood, because
    /// [`Options::judge_on`](crate::Options::judge_on) is set.
    #[must_use]
    pub const fn is_judged_on(&self) -> bool {
        matches!(self.judge_on, Some(JudgeOn::Done(_)))
    }

    /// Whether it is a reason why not all moves of the game can be known.
    #[must_use]
    pub fn spoils(&self) -> bool {
        let spoil = [Verdict::Illegal, Verdict::Unreadable, Verdict::Undetermined];
        self.severity == Severity::Error && spoil.contains(&self.code.verdict)
    }

    /// Approximate size in bytes, to bound memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let excerpt = self
            .excerpt
            .as_ref()
            .map_or(0, |excerpt| excerpt.text.capacity());
        let possible: usize = self
            .possible
            .iter()
            .map(|text| text.capacity() + size_of::<String>())
            .sum();
        let remedy = self
            .remedy
            .as_ref()
            .map_or(0, |remedy| remedy.text.capacity());
        size_of::<Self>()
            + remedy
            + self.text.as_it_came().len()
            + self.message.as_it_came().len()
            + excerpt
            + possible
    }
}

/// Names the rule that a finding rests on, if it is reported.
pub const fn set_rule(finding: Option<&mut Finding>, rule: &'static Rule) {
    if let Some(finding) = finding {
        finding.rule = Some(rule);
    }
}

/// How judging can continue after an illegal move after which both sides played on (GEN-9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JudgeOn {
    /// It is certain from where to where the piece went; these are the arguments of the command `[%stands]`.
    Certain(String),
    /// It may have gone so or so; each is given like that.
    Several(Vec<String>),
    /// It is not certain: the arbiter must add that command.
    Unclear,
    /// It cannot continue: the move leads to no position of the game.
    Nowhere,
    /// It did continue as if the move stood, in each of these ways that it may have gone.
    Done(Vec<String>),
}

impl JudgeOn {
    /// The squares in the form of `[%stands]`, if they are certain.
    #[must_use]
    pub fn squares(&self) -> Option<&str> {
        match self {
            Self::Certain(squares) => Some(squares),
            Self::Done(ways) => match ways.as_slice() {
                [squares] => Some(squares),
                _ => None,
            },
            Self::Several(_) | Self::Unclear | Self::Nowhere => None,
        }
    }
}

/// Part of a line around a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The text, possibly cut at both ends; the bytes of the file, which may not be UTF-8.
    pub text: Vec<u8>,
    /// Index of the first byte meant.
    pub from: usize,
    /// Index after the last byte meant.
    pub to: usize,
}

/// A finding, as JSON has it.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Finding")
)]
pub struct WrittenFinding<'a> {
    /// Its kind: a code that `overboard explain` explains.
    code: &'static str,
    /// Its severity, under the options given.
    severity: Severity,
    /// The id of the rule that is broken; null if it is about none.
    rule: Option<&'static str>,
    /// The line in the file, from 1.
    line: u64,
    /// The column in that line, from 1, in characters (beyond the first 64 KiB of a line, in bytes).
    col: u64,
    /// Offsets in the file, from 0: the first byte meant, and the one after the last.
    bytes: [u64; 2],
    /// The address of the board; empty for the only or outermost one.
    path: &'a str,
    /// The ply of the main line, from 1; null if it belongs to none.
    ply: Option<u32>,
    /// The move number as it is written: `5.` or `5...`; null if there is none.
    number: Option<&'a str>,
    /// The text concerned, up to 256 bytes.
    text: &'a Foreign,
    /// What is wrong and why, in English; for people.
    message: &'a Foreign,
    /// Legal alternatives, in SAN.
    possible: &'a [String],
    /// The legal move closest to the text; null if there is none.
    nearest: Option<&'a str>,
    /// For an illegal move by a player in check: the number of moves that answer the check, all of which `possible`
    /// then lists; else null.
    evasions: Option<u32>,
    /// For an illegal move: the squares from and to which the piece went, as in `[%stands]`; null if they are not certain.
    stands: Option<&'a str>,
    /// Whether judging continued after it as if it stood, because of `--judge-on`.
    judged_on: bool,
    /// What an arbiter does about it now; null if it is not about play.
    remedy: Option<&'a Remedy>,
    /// The moment of the game, as `show --at` takes it; null if the position is not known, or if the finding concerns
    /// only the text.
    at: Option<&'a str>,
    /// For two sheets of one game that differ: the other sheet, and what stands on both; else null.
    other_sheet: Option<&'a OtherSheet>,
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenFinding {
            code: self.code.id,
            severity: self.severity,
            rule: self.rule.map(|rule| rule.id),
            line: self.place.line,
            col: self.column,
            bytes: [self.place.span.from, self.place.span.to],
            path: &self.path,
            ply: self.ply,
            number: self.number.as_deref(),
            text: &self.text,
            message: &self.message,
            possible: &self.possible,
            nearest: self.nearest.as_deref(),
            evasions: self.evasions,
            stands: self.judge_on.as_ref().and_then(JudgeOn::squares),
            judged_on: self.is_judged_on(),
            remedy: self.remedy.as_ref(),
            at: self.moment.as_deref(),
            other_sheet: self.other_sheet.as_deref(),
        }
        .serialize(serializer)
    }
}

/// The severity of each kind of finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Weights {
    allowed: Vec<&'static str>,
    denied: Vec<&'static str>,
    strict: bool,
}

impl Weights {
    /// Leniencies in `allowed` are not reported and those in `denied` are errors. With `strict`, all that are not
    /// allowed are errors. Codes that are errors by default stay errors.
    #[must_use]
    pub fn new(allowed: &[&'static Code], denied: &[&'static Code], strict: bool) -> Self {
        let ids = |codes: &[&'static Code]| {
            codes
                .iter()
                .filter(|code| code.is_leniency())
                .map(|code| code.id)
                .collect()
        };
        Self {
            allowed: ids(allowed),
            denied: ids(denied),
            strict,
        }
    }

    /// The severity of a code; `None` if it is not to be reported.
    #[must_use]
    pub fn of(&self, code: &'static Code) -> Option<Severity> {
        if self.allowed.contains(&code.id) {
            None
        } else if code.is_leniency()
            && code.id != MORE.id
            && (self.denied.contains(&code.id) || (self.strict && code.id != CLAIMABLE.id))
        {
            Some(Severity::Error)
        } else {
            Some(code.severity)
        }
    }
}
