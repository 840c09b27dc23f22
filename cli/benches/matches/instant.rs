//! An engine that answers at once, with a random legal move from a seed.

use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};
use std::io::{self, BufRead as _, Write as _};

/// Plays until its input ends. What it plays in its nth game depends only on the seed and n, whoever conducts the game.
pub fn run(seed: u64) {
    let (mut last, mut game, mut games, mut state) = (String::new(), Chess::default(), 0, seed);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split(' ').next().unwrap_or_default() {
            "uci" => writeln!(out, "id name Instant\nuciok").unwrap(),
            "isready" => writeln!(out, "readyok").unwrap(),
            "ucinewgame" => {
                games += 1;
                state = (seed << 32 | games).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
            "position" => {
                // Only the new plies are played, if the rest is unchanged.
                let new = if last.contains(" moves ") {
                    line.strip_prefix(&*last)
                } else {
                    None
                };
                let plies = new.unwrap_or_else(|| {
                    let (start, plies) = line.split_once(" moves ").unwrap_or((&line, ""));
                    game = begun(start);
                    plies
                });
                for ply in plies.split_ascii_whitespace() {
                    let ply = ply.parse::<UciMove>().unwrap().to_move(&game).unwrap();
                    game.play_unchecked(ply);
                }
                last.clone_from(&line);
            }
            "go" => {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let legal = game.legal_moves();
                let ply =
                    legal[(state % legal.len() as u64) as usize].to_uci(CastlingMode::Standard);
                writeln!(out, "info depth 1 score cp 0 nodes 1\nbestmove {ply}").unwrap();
            }
            "quit" => return,
            _ => {}
        }
        out.flush().unwrap();
    }
}

/// The position from which a game starts: `position startpos`, or `position fen …`, which c-chess-cli sends after every
/// capture and pawn move.
fn begun(start: &str) -> Chess {
    match start.strip_prefix("position fen ") {
        Some(fen) => fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap(),
        None => Chess::default(),
    }
}
