//! An engine that answers at once, with a random legal move from a seed.

use shakmaty::{CastlingMode, Chess, Position as _, uci::UciMove};
use std::io::{self, BufRead as _, Write as _};

/// Plays until its input ends.
pub fn run(seed: u64) {
    let (mut reported, mut game, mut state) = (String::new(), Chess::default(), seed);
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split(' ').next().unwrap_or_default() {
            "uci" => writeln!(out, "id name Instant\nuciok").unwrap(),
            "isready" => writeln!(out, "readyok").unwrap(),
            "position" => {
                // Only the new plies are played, if the rest is unchanged.
                let new = line
                    .strip_prefix(&*reported)
                    .filter(|_| !reported.is_empty() && reported.contains(" moves "));
                let plies = new.unwrap_or_else(|| {
                    game = Chess::default();
                    line.split(" moves ").nth(1).unwrap_or_default()
                });
                for ply in plies.split_ascii_whitespace() {
                    let ply = ply.parse::<UciMove>().unwrap().to_move(&game).unwrap();
                    game.play_unchecked(ply);
                }
                reported.clone_from(&line);
            }
            "go" => {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let legal = game.legal_moves();
                let ply = legal[(state % legal.len() as u64) as usize].to_uci(CastlingMode::Standard);
                writeln!(out, "info depth 1 score cp 0 nodes 1\nbestmove {ply}").unwrap();
            }
            "quit" => return,
            _ => {}
        }
        out.flush().unwrap();
    }
}
