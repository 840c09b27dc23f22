//! Orders of matches in which flags fall, attempts cost kings, illegal plies stand and captains have kings counted: compared
//! with the judgement of every order.

use super::*;
use crate::near_edges::{boards, seen};
use overboard_games::strategichess::linked::{Edition, FallenFlag, LinkedBoard};
use overboard_referee::finding::Severity;
use overboard_rules::{
    ply::StandingAct,
    square::{Role, Square},
};
use std::collections::BTreeSet;

/// A random match: its tags, and what each sheet has for each ply.
struct Match {
    tags: String,
    pieces: Vec<Vec<String>>,
}

fn letter(side: Side) -> char {
    if side == Side::White { 'W' } else { 'B' }
}

fn name(board: usize) -> char {
    char::from(b'A' + board as u8)
}

/// A match as it is played, with the illegal attempts of each player.
struct Play {
    position: Linked,
    players: [Vec<char>; 2],
    attempts: Vec<(Side, char)>,
    allowed: usize,
}

impl Play {
    fn fall(&mut self, board: usize, side: Side) {
        let _ = self
            .position
            .happen(LinkedBoard::of(board), Happening::Flag(side));
    }

    fn attempt(&mut self, board: usize) -> String {
        let side = self.position.turn(board);
        let player = (side, self.players[usize::from(side == Side::Black)][board]);
        self.attempts.push(player);
        if self
            .attempts
            .iter()
            .filter(|known| **known == player)
            .count()
            >= self.allowed
        {
            self.fall(board, side);
        }
        "{[%illegal Qa1n13]} ".into()
    }

    /// An illegal ply that stands.
    fn stand(&mut self, board: usize, chance: &mut Chance) -> Option<String> {
        let square =
            |chance: &mut Chance| Square::new(chance.below(14) as u8, chance.below(14) as u8);
        let position = &self.position;
        for _ in 0..200 {
            let (from, to) = (square(chance), square(chance));
            let Some(piece) = position
                .piece_at(board, from)
                .filter(|piece| piece.role != Role::Pawn)
            else {
                continue;
            };
            let mut is_legal = false;
            let _ = position.legal(|ply| {
                is_legal |= ply.board() == board && ply.squares() == Some((from, to));
                ControlFlow::Continue(())
            });
            let event = Happening::Stood(StandingAct::moved(from, to));
            let mut next = position.clone();
            if is_legal
                || piece.side != position.turn(board)
                || next.happen(LinkedBoard::of(board), event).is_none()
            {
                continue;
            }
            let takes = if position.piece_at(board, to).is_some() {
                "x"
            } else {
                ""
            };
            let role = linked_letter(piece.role);
            let squares =
                |square: Square| format!("{}{}", char::from(b'a' + square.file), square.rank + 1);
            self.position = next;
            return Some(format!(
                "{role}{}{takes}{} {{[%stands {}{}]}} ",
                squares(from),
                squares(to),
                squares(from),
                squares(to)
            ));
        }
        None
    }

    /// What happens after a ply, if anything.
    fn what_follows(&mut self, board: usize, is_last: bool, chance: &mut Chance) -> String {
        match chance.below(12) {
            0 | 1 => {
                let of = chance.below(self.position.boards());
                let side = chance.pick(&Side::BOTH).unwrap();
                self.fall(of, side);
                format!("{{[%flag {}:{}]}} ", letter(side), name(of))
            }
            2 if self.position.end_by_itself().is_none() => self.attempt(board),
            3 => {
                self.position.claim_count();
                "{[%claim kings]} ".into()
            }
            4 if is_last => "{[%draw agreed]} ".into(),
            5 if is_last && self.position.edition() == Edition::Of2003 => "{[%resign W]} ".into(),
            _ => String::new(),
        }
    }

    /// A legal ply.
    fn ply(&mut self, board: usize, chance: &mut Chance) -> Option<String> {
        let mut plies = Vec::new();
        let _ = self.position.legal(|ply| {
            if ply.board() == board {
                plies.push(ply);
            }
            ControlFlow::Continue(())
        });
        let far: Vec<_> = plies
            .iter()
            .copied()
            .filter(|ply| ply.over().is_some())
            .collect();
        let goes_far = chance.below(2) == 0 && !far.is_empty();
        let ply = chance.pick(if goes_far { &far } else { &plies })?;
        let san = linked::san(&self.position, ply).to_string();
        self.position.play(ply);
        Some(san + " ")
    }
}

const fn linked_letter(role: Role) -> char {
    match role {
        Role::Knight => 'N',
        Role::Bishop => 'B',
        Role::Rook => 'R',
        Role::Queen => 'Q',
        _ => 'K',
    }
}

impl Match {
    fn random(chance: &mut Chance) -> Self {
        let edition = if chance.below(2) == 0 {
            Edition::Of2003
        } else {
            Edition::Of2025
        };
        let count = 2 + chance.below(4);
        let start = boards(count, edition, chance);
        let (ends, allowed) = (chance.below(3) == 0, 1 + chance.below(3));
        let mut rules = vec![format!("illegal={allowed}")];
        rules.extend((edition == Edition::Of2025).then(|| "edition=2025".into()));
        rules.extend(ends.then(|| "flag=end".into()));
        let players = [(), ()].map(|()| {
            (0..count)
                .map(|_| chance.pick(&['U', 'V', 'W']).unwrap())
                .collect::<Vec<_>>()
        });
        let listed = |side: usize| {
            players[side]
                .iter()
                .map(char::to_string)
                .collect::<Vec<_>>()
                .join(":")
        };
        let names = (0..count)
            .map(|board| name(board).to_string())
            .collect::<Vec<_>>()
            .join(":");
        let tags = format!(
            "[Event \"M\"]\n[White \"{}\"]\n[Black \"{}\"]\n[GameId \"7\"]\n[Boards \"{names}\"]\n[Rules \"{}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n[Variant \"StrategiChess\"]\n\n",
            listed(0),
            listed(1),
            rules.join(":"),
            linked::fen(&start),
        );
        let flag = if ends {
            FallenFlag::End
        } else {
            FallenFlag::default()
        };
        let mut play = Play {
            position: start.with_flag(flag),
            players,
            attempts: Vec::new(),
            allowed,
        };
        let mut pieces = vec![Vec::new(); count];
        // The more boards, the more orders there are to judge.
        let plies = 3 + chance.below(if count > 3 { 4 } else { 5 });
        for nth in 0..plies {
            if play.position.end_by_itself().is_some() {
                break;
            }
            let board = chance.below(count);
            let number = |position: &Linked| {
                let (number, side) = (position.fullmove(board), position.turn(board));
                overboard_formats::canonical::board_number(board as u16, number, side)
            };
            let mut piece = number(&play.position) + " ";
            let before = piece.clone();
            if chance.below(5) == 0 {
                piece += &play.attempt(board);
            }
            if play.position.end_by_itself().is_some() || number(&play.position) + " " != before {
                break;
            }
            let stands = if chance.below(6) == 0 {
                play.stand(board, chance)
            } else {
                None
            };
            let Some(ply) = stands.or_else(|| play.ply(board, chance)) else {
                continue;
            };
            piece += &ply;
            piece += &play.what_follows(board, nth + 1 == plies, chance);
            pieces[board].push(piece);
        }
        Self { tags, pieces }
    }

    fn sheets(&self) -> String {
        let sheet =
            |(at, pieces): (usize, &Vec<String>)| board(&name(at).to_string(), &pieces.concat());
        self.tags.clone()
            + "*\n\n"
            + &self
                .pieces
                .iter()
                .enumerate()
                .map(sheet)
                .collect::<String>()
    }

    /// The ends of all orders that are legal; and whether an illegal ply that stands is legal in one.
    fn ends(&self, made: &mut Vec<usize>, text: &mut String, found: &mut (BTreeSet<String>, bool)) {
        let mut is_whole = true;
        for board in 0..self.pieces.len() {
            let Some(piece) = self.pieces[board].get(made[board]) else {
                continue;
            };
            is_whole = false;
            let length = text.len();
            made[board] += 1;
            text.push_str(piece);
            self.ends(made, text, found);
            text.truncate(length);
            made[board] -= 1;
        }
        if is_whole {
            match end_of(&format!("{}{text}*\n", self.tags)) {
                Ok(end) => drop(found.0.insert(end)),
                Err(idle) => found.1 |= idle,
            }
        }
    }
}

/// How a record ends, if it is legal but for plies that stand; else whether nothing is wrong but a `%stands` that follows a
/// legal ply.
fn end_of(text: &str) -> Result<String, bool> {
    let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
    let mut referee = AnyReferee::new(Options::default());
    let mut position = None;
    loop {
        let event = parser.next().unwrap();
        if event == Event::End {
            position = referee.position();
        }
        referee.hear(event, &parser);
        if event == Event::End {
            break;
        }
    }
    let report = referee.take_report(&mut parser);
    let is_error = |finding: &&overboard_referee::finding::Finding| {
        finding.severity == Severity::Error
            && !["illegal-stands", "wrong-result"].contains(&finding.code.id)
    };
    let is_idle = report.findings.iter().any(|finding| {
        finding.code.id == "bad-command" && finding.message.as_it_came().contains("stands")
    });
    let is_wrong = report.findings.iter().any(|finding| is_error(&finding));
    if is_wrong || is_idle {
        return Err(is_idle && !is_wrong);
    }
    let position = linked_of(position.unwrap());
    let claims = report
        .findings
        .iter()
        .filter(|finding| finding.code.id == "wrong-claim")
        .count();
    // Whether a flag or an attempt cost the last king may be open, as it leads to the same.
    let fallen = (0..position.boards())
        .flat_map(|board| Side::BOTH.map(|side| position.has_fallen(board, side)));
    let fallen: String = fallen
        .map(|fallen| if fallen { 'f' } else { '-' })
        .collect();
    Ok(format!(
        "{} {fallen} {:?} {claims}",
        seen(&position),
        report.result.judged
    ))
}

#[test]
fn what_else_happens_is_part_of_the_order() {
    let mut counts = [0; 4];
    for seed in 0..tries(400) as u64 {
        let mut chance = Chance::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let random = Match::random(&mut chance);
        if random.pieces.iter().all(Vec::is_empty) {
            continue;
        }
        let mut found = (BTreeSet::new(), false);
        random.ends(
            &mut vec![0; random.pieces.len()],
            &mut String::new(),
            &mut found,
        );
        let (ends, may_be_idle) = found;
        let sheets = random.sheets();
        let shown = || format!("seed {seed}: {ends:#?}\n{sheets}");
        match bundled(&sheets).remove(0) {
            Ok(record) => {
                let end =
                    end_of(&record).unwrap_or_else(|_| panic!("not legal: {record}\n{}", shown()));
                assert!(
                    ends.len() == 1 && ends.contains(&end),
                    "{end}\n{record}\n{}",
                    shown()
                );
                counts[0] += 1;
            }
            Err(problems) => {
                let problem = &problems[0];
                if problem.starts_with("unfit") {
                    assert!(ends.is_empty() && !may_be_idle, "{problem}\n{}", shown());
                    counts[1] += 1;
                } else if problem.contains("would be legal") {
                    assert!(may_be_idle, "{problem}\n{}", shown());
                    counts[2] += 1;
                } else {
                    assert!(
                        problem.starts_with("open-order") && ends.len() > 1,
                        "{problem}\n{}",
                        shown()
                    );
                    counts[3] += 1;
                }
            }
        }
    }
    println!("{counts:?}");
}
