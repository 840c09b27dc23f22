//! An engine that speaks CECP without `setboard`: this very test program, called again. Positions reach it by `edit`,
//! which it understands as the protocol says.
//!
//! It answers at once with a move that depends only on the position. Every position in which it is asked for a move is
//! added to a file, so that a test can compare them with the games that were played.

use super::{clean, faults::called, play};
use serde_json::Value;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Setup,
    Square, fen::Fen, san::San, uci::UciMove,
};
use std::{
    env, fs,
    io::{self, BufRead as _, Write as _},
    path::Path,
    process,
};

/// Called with `features`, it announces some, as version 2 of the protocol has it; without, it speaks version 1.
#[test]
fn as_an_engine() {
    let words: Vec<_> = env::args().skip_while(|word| word != "engine").collect();
    if words.is_empty() {
        return;
    }
    let log = words
        .iter()
        .find_map(|word| word.strip_prefix("log="))
        .unwrap_or_default()
        .to_owned();
    let engine = Engine {
        log,
        announces: words.iter().any(|word| word == "features"),
        mode: CastlingMode::Standard,
        game: Chess::default(),
        edited: None,
        listens: false,
    };
    engine.run();
    process::exit(0);
}

struct Engine {
    log: String,
    announces: bool,
    mode: CastlingMode,
    game: Chess,
    /// The board that is being set up, and the side whose pieces come next.
    edited: Option<(Board, Color)>,
    /// Whether it is in force mode.
    listens: bool,
}

fn say(text: &str) {
    let text = format!("{text}\n");
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Engine {
    fn run(mut self) {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if line == "quit" {
                return;
            }
            if self.edited.is_some() {
                self.edit(&line);
            } else {
                self.hear(&line);
            }
        }
    }

    fn hear(&mut self, line: &str) {
        match line.split(' ').next().unwrap_or_default() {
            "protover" if self.announces => {
                say(
                    "feature setboard=0 usermove=1 ping=1 myname=\"Editor 2\" variants=\"normal,fischerandom,olympic\" done=1",
                );
            }
            "ping" if self.announces => say(&line.replace("ping", "pong")),
            "new" => {
                (self.game, self.mode, self.listens) =
                    (Chess::default(), CastlingMode::Standard, false);
            }
            "variant" => self.mode = CastlingMode::Chess960,
            "force" => self.listens = true,
            "edit" => self.edited = Some((self.game.board().clone(), Color::White)),
            "go" => {
                self.listens = false;
                self.answer();
            }
            "usermove" if self.announces => self.make(line.strip_prefix("usermove ").unwrap()),
            "xboard" | "easy" | "post" | "level" | "st" | "sd" | "time" | "otim" | "result"
            | "accepted" | "rejected" => {}
            _ if self.announces || !self.is_move(line) => {
                say(&format!("Error (unknown command): {line}"));
            }
            _ => self.make(line),
        }
    }

    fn edit(&mut self, line: &str) {
        let Some((mut board, mut side)) = self.edited.take() else {
            return;
        };
        match (line, line.as_bytes()) {
            (".", _) => return self.leave(board),
            ("#", _) => board = Board::empty(),
            ("c", _) => side = !side,
            (_, [letter, ..]) => {
                let role = Role::from_char(char::from(*letter)).unwrap();
                board.set_piece_at(line[1..].parse().unwrap(), Piece { color: side, role });
            }
            _ => {}
        }
        self.edited = Some((board, side));
    }

    /// Leaves the edit mode. The side to move stays; kings and rooks at home may castle.
    fn leave(&mut self, board: Board) {
        let mut rights = Bitboard::EMPTY;
        for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
            let home = Bitboard::from_rank(rank);
            let king = board.king_of(color).filter(|king| home.contains(*king));
            let rooks = board.by_piece(Piece {
                color,
                role: Role::Rook,
            }) & home;
            match self.mode {
                CastlingMode::Standard
                    if king == Some(Square::from_coords(shakmaty::File::E, rank)) =>
                {
                    rights |= rooks & Bitboard::CORNERS;
                }
                CastlingMode::Chess960 if king.is_some() => rights |= rooks,
                _ => {}
            }
        }
        let setup = Setup {
            board,
            turn: self.game.turn(),
            castling_rights: rights,
            ..Setup::empty()
        };
        self.game = setup.position(self.mode).unwrap();
    }

    fn is_move(&self, text: &str) -> bool {
        text.parse::<UciMove>()
            .is_ok_and(|ply| ply.to_move(&self.game).is_ok())
    }

    fn make(&mut self, text: &str) {
        let ply = match text.parse::<UciMove>() {
            Ok(ply) => ply.to_move(&self.game).ok(),
            Err(_) => text
                .parse::<San>()
                .ok()
                .and_then(|san| san.to_move(&self.game).ok()),
        };
        match ply {
            Some(ply) => self.game.play_unchecked(ply),
            None => return say(&format!("Illegal move: {text}")),
        }
        if !self.listens && !self.game.is_game_over() {
            self.answer();
        }
    }

    fn answer(&mut self) {
        let mut log = fs::File::options()
            .append(true)
            .create(true)
            .open(&self.log)
            .unwrap();
        writeln!(log, "{}", without_number(&self.game)).unwrap();
        let legal = self.game.legal_moves();
        let key = self.game.board().occupied().0 ^ u64::from(self.game.halfmoves());
        let ply = legal[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % legal.len()];
        self.game.play_unchecked(ply);
        let text = ply.to_uci(self.mode);
        // As GNU Chess does without features: twice.
        let both = || say(&format!("7. ... {text}\nMy move is : {text}"));
        if self.announces {
            say(&format!("move {text}"));
        } else {
            both();
        }
    }
}

/// A position as FEN, but for the number of the move: `edit` begins at 1.
fn without_number(game: &Chess) -> String {
    let fen = Fen::from_position(game, EnPassantMode::Legal).to_string();
    fen.rsplit_once(' ').unwrap().0.to_owned()
}

/// The positions of a ledger in which somebody had to move, by another program's rules.
fn positions(games: &[Value], mode: CastlingMode) -> Vec<String> {
    let mut found = Vec::new();
    for game in games {
        let start: Option<Fen> = game["fen"].as_str().map(|fen| fen.parse().unwrap());
        let mut position =
            start.map_or_else(Chess::default, |fen| fen.into_position(mode).unwrap());
        for (nth, text) in game["moves"]
            .as_str()
            .unwrap()
            .split_ascii_whitespace()
            .enumerate()
        {
            if nth as u64 >= game["book"].as_u64().unwrap() {
                found.push(without_number(&position));
            }
            let ply = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(ply);
        }
    }
    found
}

/// An engine in words for `--engine`, which adds its positions to a file.
fn engine(name: &str, log: &Path, more: &str) -> String {
    let command = called(
        "engines::edits::as_an_engine",
        &format!("log={} {more}", log.display()),
    );
    format!(
        "name={name} cmd='{}' proto=cecp st=10",
        command.replace('\'', "'\\''")
    )
}

/// Plays from a book and compares every position.
fn meet(
    folder: &Path,
    book: (&str, &str),
    more: &str,
    words: &[&str],
    mode: CastlingMode,
) -> usize {
    let (log, ledger) = (folder.join("log"), folder.join("ledger"));
    for file in [&log, &ledger] {
        let _ = fs::remove_file(file);
    }
    let file = folder.join(book.0);
    fs::write(&file, book.1).unwrap();
    let openings = [
        "--openings",
        file.to_str().unwrap(),
        "--openings-order",
        "sequential",
    ];
    let openings = if book.1.is_empty() {
        &[][..]
    } else {
        &openings[..]
    };
    let words = [openings, words, &["-j", "1", "--max-plies", "12"]].concat();
    let ran = play(
        &words,
        &[engine("A", &log, more), engine("B", &log, more)],
        &ledger,
    );
    clean(&ran, ran.games.len(), &ledger);
    let heard: Vec<_> = fs::read_to_string(&log)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert_eq!(heard, positions(&ran.games, mode), "{}", ran.text());
    ran.games.len()
}

/// An ending with either side to move; castling on all wings and on some; pawns that can be captured en passant, and one
/// that cannot; counters left out.
const POSITIONS: &str = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1
8/8/4k3/8/8/3K4/4P3/8 b - - 0 31
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1
r3k3/8/8/8/8/8/8/4K2R b Kq - 0 20
4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7
4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
2r1k1r1/8/8/8/8/8/8/1R2KR2 w - - id \"no rook at home\";
";

#[test]
fn positions_reach_engines_without_setboard_by_edit() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = ["--pairs", "9"];
    for more in ["", "features"] {
        let played = meet(
            folder.path(),
            ("b.epd", POSITIONS),
            more,
            &pairs,
            CastlingMode::Standard,
        );
        assert_eq!(played, 18);
        // After random plies from there, and from games that begin anywhere.
        let words = ["--pairs", "9", "--random-plies", "3"];
        assert_eq!(
            meet(
                folder.path(),
                ("b.epd", POSITIONS),
                more,
                &words,
                CastlingMode::Standard
            ),
            18
        );
    }
    let games = "1. e4 e5 *\n\n[FEN \"8/8/4k3/8/8/3K4/4P3/8 b - - 0 31\"]\n\n31... Kd5 32. e4+ *\n";
    assert_eq!(
        meet(
            folder.path(),
            ("b.pgn", games),
            "",
            &["--pairs", "2"],
            CastlingMode::Standard
        ),
        4
    );
    // An array of Chess960, and a position with two rooks each, from which both may castle.
    let words = [
        "--variant",
        "chess960",
        "--start",
        "0,1,500,959",
        "--random-plies",
        "0",
        "--pairs",
        "4",
    ];
    assert_eq!(
        meet(
            folder.path(),
            ("none", ""),
            "features",
            &words,
            CastlingMode::Chess960
        ),
        8
    );
    let words = ["--variant", "chess960", "--pairs", "1"];
    let wide = (
        "b.epd",
        "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 b KQkq - 0 1\n",
    );
    assert_eq!(
        meet(
            folder.path(),
            wide,
            "features",
            &words,
            CastlingMode::Chess960
        ),
        2
    );
}

#[test]
fn what_edit_cannot_say_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let (log, ledger) = (folder.path().join("log"), folder.path().join("ledger"));
    let fine = "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1\n";
    for (name, text, words, why) in [
        (
            "b.epd",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1\n",
            &[][..],
            "line 2 of the book: White may not castle with the rook on h1 any more, which `edit` cannot say",
        ),
        (
            "b.epd",
            "8/8/4k3/8/8/3K4/4P3/8 w - - 12 40\n",
            &[],
            "line 2 of the book: there have been 12 plies without progress, and `edit` begins to count them at 0",
        ),
        (
            "b.pgn",
            "\n[FEN \"r3k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 *\n",
            &[],
            "line 3 of the book: Black may not castle with the rook on a8",
        ),
        (
            "b.epd",
            "7k/8/8/8/8/8/8/2K1RR2 w E - 0 1\n",
            &["--variant", "chess960"],
            "White has more than one rook on one side of the king",
        ),
        (
            "b.epd",
            "7k/8/8/8/8/8/8/2K1R3 w - - 0 1\n",
            &["--variant", "chess960"],
            "White may not castle with the rook on e1 any more",
        ),
        (
            "b.epd",
            "4k/5/5/5/K4[] w - - 0 1\n",
            &["--variant", "olympic"],
            "line 1 of the book: `edit` cannot describe positions of Olympic Chess",
        ),
    ] {
        let book = folder.path().join(name);
        let begins = if name == "b.pgn" { "1. e4 *\n" } else { fine };
        let begins = if words.contains(&"olympic") {
            ""
        } else {
            begins
        };
        fs::write(&book, format!("{begins}{text}")).unwrap();
        let words = [
            words,
            &["--pairs", "2", "--openings", book.to_str().unwrap()],
        ]
        .concat();
        let ran = play(&words, &[engine("Old", &log, "features")], &ledger);
        let said = ran.text();
        assert_eq!(ran.output.status.code(), Some(2), "{said}");
        assert!(
            said.contains(
                "engine `Old`: it has no `setboard`, and `edit` cannot give it the position on "
            ),
            "{said}"
        );
        assert!(said.contains(why), "{said}");
        assert!(!ledger.exists());
    }
}
