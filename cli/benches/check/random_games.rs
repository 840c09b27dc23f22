//! A corpus of random but legal games in PGN export format, the same for the same seed.
//!
//! Every move is drawn uniformly from the legal ones. A game lasts until mate, stalemate,
//! insufficient material, fivefold repetition or 75 moves without capture or pawn move end it,
//! or until its own limit of 40 to 159 plies stops it undecided. Every fourth game carries a
//! `[%clk h:mm:ss]` comment after each ply.

use std::io::{self, Write};

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{Chess, Color, Move, MoveList, Position};

use crate::repetition::History;

const SHORTEST_LIMIT: usize = 40;
const LIMITS: usize = 120;
const LONGEST_LINE: usize = 79;
const CLOCKED_EVERY: u64 = 4;
const CLOCK_START: u32 = 2 * 60 * 60;
const LONGEST_THINK: usize = 60;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games written.
    pub games: u64,
    /// Moves written; each side's move counts as one.
    pub plies: u64,
    /// Length of the text.
    pub bytes: u64,
}

/// Writes whole games to `out` until the text is at least `bytes` long.
///
/// # Errors
///
/// When `out` cannot be written.
pub fn write(out: &mut impl Write, bytes: usize, seed: u64) -> io::Result<Totals> {
    let mut random = Random::new(seed);
    let mut history = History::new();
    let mut game = Game::new();
    let mut text = Vec::new();
    let mut totals = Totals::default();
    while totals.bytes < bytes as u64 {
        totals.games += 1;
        game.play(&mut random, &mut history);
        text.clear();
        write_game(&mut text, &game, totals.games, &mut random)?;
        out.write_all(&text)?;
        totals.plies += game.moves.len() as u64;
        totals.bytes += text.len() as u64;
    }
    Ok(totals)
}

struct Game {
    moves: Vec<SanPlus>,
    result: &'static str,
}

impl Game {
    fn new() -> Game {
        Game {
            moves: Vec::with_capacity(SHORTEST_LIMIT + LIMITS),
            result: "*",
        }
    }

    /// Replaces this game by a new random one.
    fn play(&mut self, random: &mut Random, history: &mut History) {
        let mut position = Chess::default();
        let mut legal = position.legal_moves();
        let limit = SHORTEST_LIMIT + random.below(LIMITS);
        self.moves.clear();
        self.result = "*";
        history.start(&position);
        while self.result == "*" && self.moves.len() < limit {
            let chosen = legal[random.below(legal.len())];
            let san = San::disambiguate(chosen, &rivals(chosen, &legal));
            let occurrences = history.play(&mut position, chosen);
            legal = position.legal_moves();
            let suffix = suffix(&position, &legal);
            self.moves.push(SanPlus { san, suffix });
            self.result = result(&position, &legal, occurrences);
        }
    }
}

/// The legal moves from which `chosen` has to be disambiguated, itself included.
fn rivals(chosen: Move, legal: &MoveList) -> MoveList {
    let alike = |m: &&Move| m.role() == chosen.role() && m.to() == chosen.to();
    legal.iter().filter(alike).copied().collect()
}

fn suffix(position: &Chess, legal: &MoveList) -> Option<Suffix> {
    let mate_or_check = match legal.is_empty() {
        true => Suffix::Checkmate,
        false => Suffix::Check,
    };
    position.is_check().then_some(mate_or_check)
}

/// The termination marker of a game whose last position is `position`; `*` if it can continue.
fn result(position: &Chess, legal: &MoveList, occurrences: usize) -> &'static str {
    if legal.is_empty() && position.is_check() {
        return match position.turn() {
            Color::White => "0-1",
            Color::Black => "1-0",
        };
    }
    let drawn = legal.is_empty()
        || position.is_insufficient_material()
        || position.halfmoves() >= 150
        || occurrences >= 5;
    if drawn { "1/2-1/2" } else { "*" }
}

fn write_game(text: &mut Vec<u8>, game: &Game, number: u64, random: &mut Random) -> io::Result<()> {
    write_tags(text, game, number, random)?;
    if number.is_multiple_of(CLOCKED_EVERY) {
        write_clocked_moves(text, game, random)
    } else {
        write_moves(text, game)
    }
}

fn write_tags(text: &mut Vec<u8>, game: &Game, number: u64, random: &mut Random) -> io::Result<()> {
    let result = game.result;
    let (white, black) = (1 + random.below(1000), 1 + random.below(1000));
    let (white_elo, black_elo) = (1000 + random.below(1800), 1000 + random.below(1800));
    writeln!(text, "[Event \"Random legal moves, uniformly drawn\"]")?;
    writeln!(text, "[Site \"?\"]")?;
    writeln!(text, "[Date \"????.??.??\"]")?;
    writeln!(text, "[Round \"{number}\"]")?;
    writeln!(text, "[White \"Random Player {white}\"]")?;
    writeln!(text, "[Black \"Random Player {black}\"]")?;
    writeln!(text, "[Result \"{result}\"]")?;
    writeln!(text, "[BlackElo \"{black_elo}\"]")?;
    writeln!(text, "[WhiteElo \"{white_elo}\"]")?;
    writeln!(text)
}

fn write_moves(text: &mut Vec<u8>, game: &Game) -> io::Result<()> {
    let mut movetext = Movetext::new(text);
    for (ply, san) in game.moves.iter().enumerate() {
        if ply.is_multiple_of(2) {
            movetext.number(ply)?;
        }
        movetext.san(*san);
    }
    movetext.end(game.result);
    Ok(())
}

/// Black's moves are numbered too, because a comment comes before each of them.
fn write_clocked_moves(text: &mut Vec<u8>, game: &Game, random: &mut Random) -> io::Result<()> {
    let mut movetext = Movetext::new(text);
    let mut clocks = [CLOCK_START; 2];
    for (ply, san) in game.moves.iter().enumerate() {
        let clock = &mut clocks[ply % 2];
        *clock = clock.saturating_sub(random.below(LONGEST_THINK) as u32);
        movetext.number(ply)?;
        movetext.san(*san);
        movetext.clock(*clock)?;
    }
    movetext.end(game.result);
    Ok(())
}

/// Tokens put on as few lines as their length allows.
struct Movetext<'a> {
    text: &'a mut Vec<u8>,
    token: Vec<u8>,
    column: usize,
}

impl Movetext<'_> {
    fn new(text: &mut Vec<u8>) -> Movetext<'_> {
        Movetext {
            text,
            token: Vec::with_capacity(LONGEST_LINE),
            column: 0,
        }
    }

    fn number(&mut self, ply: usize) -> io::Result<()> {
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        write!(self.token, "{}{dots}", ply / 2 + 1)?;
        self.put_token();
        Ok(())
    }

    fn san(&mut self, san: SanPlus) {
        san.append_ascii_to(&mut self.token);
        self.put_token();
    }

    fn clock(&mut self, seconds: u32) -> io::Result<()> {
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(self.token, "{{[%clk {hours}:{minutes:02}:{seconds:02}]}}")?;
        self.put_token();
        Ok(())
    }

    fn end(&mut self, result: &str) {
        self.token.extend_from_slice(result.as_bytes());
        self.put_token();
        self.text.extend_from_slice(b"\n\n");
    }

    fn put_token(&mut self) {
        let separated = self.column + 1 + self.token.len();
        if self.column == 0 {
            self.column = self.token.len();
        } else if separated <= LONGEST_LINE {
            self.text.push(b' ');
            self.column = separated;
        } else {
            self.text.push(b'\n');
            self.column = self.token.len();
        }
        self.text.append(&mut self.token);
    }
}

/// Marsaglia's xorshift with Vigna's multiplier (xorshift64*).
struct Random {
    state: u64,
}

impl Random {
    /// The state must not be zero, so seed 0 stands for a constant of its own.
    fn new(seed: u64) -> Random {
        let state = if seed == 0 {
            0x9E37_79B9_7F4A_7C15
        } else {
            seed
        };
        Random { state }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number less than `bound`, from the upper half of the next output.
    fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}
