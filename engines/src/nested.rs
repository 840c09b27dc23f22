//! Games of nested boards: who picks the boards, and who plays on them.
//!
//! A turn goes over many boards. A policy picks them, and any player of chess makes the move on the board
//! of chess that was picked. The policy: at the beginning of a turn a mega-move that wins the game is
//! made; else, one time in eight, any mega-move; else boards are picked, all alike, level by level, among
//! those that may be moved on. Where none may, any mega-move is made, or the pass.

use crate::{
    batch::Arena,
    chance::{Chance, Purpose},
    contest::Table,
    ending::{End, Termination},
    game::{Played, Terms},
    manifest::{Fixture, Source},
    openings::{BadOpenings, hash, lines},
    players::{Player, Spec},
};
use overboard_formats::mega::{coordinates, position, read};
use overboard_rules::{
    chess::Chess,
    mega::{Act, Board, Mega, Ply},
    outcome::Outcome,
    path::BoardPath,
};
use std::sync::Arc;

/// One turn in so many is a mega-move.
const MEGA_TURN: usize = 8;

/// How a game of nested boards starts.
#[derive(Clone, Debug)]
pub struct NestedOpening {
    fen: Option<String>,
    start: Mega,
    plies: Vec<Ply>,
}

/// The openings of games of one level, round by round.
pub struct NestedOpenings {
    level: u8,
    seed: u64,
    kind: Kind,
}

enum Kind {
    Random(u32),
    Listed(Vec<Mega>),
}

impl NestedOpenings {
    /// The openings of a manifest; `text` is its file of positions, where it has one.
    ///
    /// # Errors
    /// Positions that cannot be used, or are not those of the manifest.
    pub fn new(source: &Source, text: &str, seed: u64, level: u8) -> Result<Self, BadOpenings> {
        let kind = match source {
            Source::RandomPlies(plies) => Kind::Random(*plies),
            Source::Positions { hash: known, .. } => {
                let lines = lines(text);
                if hash(&lines) != *known {
                    return Err(BadOpenings::Foreign);
                }
                let mut listed = Self::read(&lines, level)?;
                Chance::of(seed, Purpose::Shuffle).shuffle(&mut listed);
                Kind::Listed(listed)
            }
        };
        Ok(Self { level, seed, kind })
    }

    /// The positions of a file.
    ///
    /// # Errors
    /// The first line that cannot be used.
    pub fn read(lines: &[(usize, &str)], level: u8) -> Result<Vec<Mega>, BadOpenings> {
        let read = |(line, text): &(usize, &str)| {
            let (position, _) =
                read(text, level).map_err(|why| BadOpenings::Position { line: *line, why })?;
            let is_over = position.ending().is_some();
            if is_over { Err(BadOpenings::Over { line: *line }) } else { Ok(position) }
        };
        lines.iter().map(read).collect()
    }
}

impl Arena for NestedOpenings {
    type Kind = ();
    type Opening = NestedOpening;

    fn of(&mut self, round: u64) -> Result<Arc<NestedOpening>, BadOpenings> {
        let first = Mega::start(self.level);
        Ok(Arc::new(match &self.kind {
            Kind::Listed(positions) => {
                let start = positions[(round % positions.len().max(1) as u64) as usize].clone();
                let fen = Some(position(&start)).filter(|fen| *fen != position(&first));
                NestedOpening { fen, start, plies: Vec::new() }
            }
            Kind::Random(count) => {
                let mut chance = Chance::of(self.seed, Purpose::Opening { round });
                let mut now = first.clone();
                let mut plies = Vec::new();
                for _ in 0..*count {
                    let (_, legal) = picked(&now, &mut chance);
                    let ply = chance.pick(&legal).ok_or(BadOpenings::TooLong(*count))?;
                    now.play(&ply);
                    plies.push(ply);
                }
                if now.ending().is_some() {
                    return Err(BadOpenings::TooLong(*count));
                }
                NestedOpening { fen: None, start: first, plies }
            }
        }))
    }

    fn play(
        (): &(),
        fixture: &Fixture,
        opening: &NestedOpening,
        specs: [Spec; 2],
        terms: Terms,
    ) -> Option<Played> {
        let mut seats = [0, 1].map(|seat| {
            let chance = Chance::of(terms.seed, Purpose::Player { game: fixture.game, seat });
            Seat { player: specs[seat as usize].seat::<Chess>(), chance }
        });
        let mut now = opening.start.clone();
        let mut moves = String::with_capacity(4096);
        let mut plies = 0;
        let mut end = None;
        while plies < terms.max_plies && end.is_none() {
            let seat = &mut seats[now.turn() as usize];
            let Some(ply) = opening.plies.get(plies as usize).copied().or_else(|| seat.choose(&now)) else {
                break;
            };
            moves.push_str(if plies > 0 { " " } else { "" });
            moves.push_str(&coordinates(&ply));
            end = now.play(&ply).end().map(End::from);
            plies += 1;
        }
        let end = end.unwrap_or(End { outcome: Outcome::Draw, termination: Termination::PlyCap });
        Some(Played { fen: opening.fen.clone(), book: opening.plies.len() as u32, moves, plies, end })
    }
}

/// A player of chess and the policy that picks its boards.
struct Seat {
    player: Box<dyn Player<Table<Chess>>>,
    chance: Chance,
}

impl Seat {
    fn choose(&mut self, mega: &Mega) -> Option<Ply> {
        self.mega_move(mega).or_else(|| self.move_on_a_board(mega))
    }

    fn mega_move(&mut self, mega: &Mega) -> Option<Ply> {
        if !mega.is_between_turns() {
            return None;
        }
        let mut all = Vec::new();
        mega.for_each_mega_move(|m| all.push(Ply { path: BoardPath::OUTERMOST, act: Act::Mega(m) }));
        let wins = |ply: &Ply| {
            let end = mega.clone().play(ply).end();
            end.is_some_and(|end| end.outcome == Outcome::Win(mega.turn()))
        };
        let winning = all.iter().find(|ply| wins(ply)).copied();
        let often = self.chance.below(MEGA_TURN) == 0;
        winning.or_else(|| if often { self.chance.pick(&all) } else { None })
    }

    fn move_on_a_board(&mut self, mega: &Mega) -> Option<Ply> {
        let (path, legal) = picked(mega, &mut self.chance);
        let Some(Board::Chess(chess)) = mega.board_at(&path) else { return self.chance.pick(&legal) };
        let chosen = self.player.choose(&Table::from(chess), &mut self.chance);
        let chosen = chosen.map(|m| Ply { path, act: Act::Move(m) }).filter(|ply| legal.contains(ply));
        // A move that would mate a shield away is not legal, however good it is (MG-10).
        chosen.or_else(|| self.chance.pick(&legal))
    }
}

/// A board picked among those that may be moved on, and the legal plies there.
fn picked(mega: &Mega, chance: &mut Chance) -> (BoardPath, Vec<Ply>) {
    let mut legal = Vec::new();
    let mut pick = |set: u64| {
        let nth = chance.below(set.count_ones() as usize);
        (0..nth).fold(set, |set, _| set & set.wrapping_sub(1)).trailing_zeros() as u8
    };
    mega.for_each_picked(&mut pick, &mut |ply| legal.push(ply));
    (legal.first().map_or(BoardPath::OUTERMOST, |ply| ply.path), legal)
}
