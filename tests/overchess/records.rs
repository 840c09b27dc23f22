//! Random games are written as records that have no findings.

use super::levels::choose;
use crate::{chance::Chance, depth::tries, text};
use overboard_games::overchess::{self, Due, Effects, Level, Over, Ply, Roster};
use overboard_referee::finding::Severity;
use overboard_rules::{
    game::{Effects as _, Game as _},
    outcome::Outcome,
    position::{DrawLaw, Movegen},
    square::{Side, Square},
};
use std::fmt::Write;

/// A game, and its record so far.
struct Scribe {
    game: Over,
    text: String,
    /// The squares of the open blocks.
    blocks: Vec<Square>,
    /// The prisoners taken by name, and the pieces handed over, as they will be written.
    prisoners: Option<String>,
    gifts: Option<String>,
}

fn number(full: u32, side: Side) -> String {
    format!("\n{full}{}", if side == Side::White { "." } else { "..." })
}

impl Scribe {
    fn new(game: Over) -> Self {
        Self {
            game,
            text: String::new(),
            blocks: Vec::new(),
            prisoners: None,
            gifts: None,
        }
    }

    /// Opens the blocks of the games that have begun, with their set-ups.
    fn open(&mut self) {
        let path = Vec::from_iter(self.game.path().squares());
        let begun = path.len() - usize::from(matches!(self.game.due(), Due::Setup(..)));
        while self.blocks.len() < begun {
            let on = path[self.blocks.len()];
            self.blocks.push(on);
            let way = path[..self.blocks.len()]
                .iter()
                .map(Square::to_string)
                .collect::<Vec<_>>()
                .join(".");
            let fen = overchess::zoomed(&self.game, &way)
                .map(|(_, fen)| fen)
                .unwrap();
            let fen = fen
                .split_once(" {")
                .map_or(fen.clone(), |(fen, _)| fen.to_string());
            write!(self.text, " <{on}: [FEN \"{fen}\"] [SetUp \"1\"]").unwrap();
        }
    }

    fn close(&mut self, outcome: Outcome) {
        write!(self.text, " {}>", outcome.as_str()).unwrap();
        self.blocks.pop();
    }

    /// Closes the blocks of sub-games that have ended by themselves.
    fn close_ended(&mut self, effects: &Effects) {
        for (way, outcome) in effects.ended() {
            let around = way.len();
            if self.blocks.len() == around {
                self.close(outcome);
            } else {
                // The game was over at its set-up, and no block was opened.
                let on = self.game.path_of(around).squares().last();
                assert!(on.is_none() || self.blocks.len() < around);
            }
        }
    }

    fn play(&mut self, ply: &Ply) {
        let due = self.game.due();
        let over = self.game.current().clone();
        let here = number(over.fullmove(), over.turn());
        match ply {
            Ply::Over(_) => {
                let number = if matches!(due, Due::OverFrom(_)) {
                    String::new()
                } else {
                    here
                };
                write!(
                    self.text,
                    "{number} {}",
                    overchess::own_san(&self.game, ply)
                )
                .unwrap();
            }
            Ply::Sub(m) => {
                let chess = over.sub_game().unwrap().clone();
                let san = overchess::own_san(&self.game, ply);
                let san = san.split_once('.').unwrap().1.to_string();
                write!(
                    self.text,
                    "{} {san}",
                    number(chess.fullmove(), chess.turn())
                )
                .unwrap();
                let open = self.game.open();
                let effects = self.game.play(*ply);
                let after = chess.after(*m);
                let goes_on = self.game.open() == open
                    && matches!(self.game.due(), Due::Sub(on) if Some(&on) == self.blocks.last());
                if !goes_on {
                    let mated = san.ends_with('#');
                    let outcome = if mated {
                        Outcome::Win(chess.turn())
                    } else {
                        Outcome::Draw
                    };
                    assert!(mated || !after.in_check() || after.end_by_itself().is_none());
                    self.close(outcome);
                }
                return self.close_ended(&effects);
            }
            Ply::Prisoners(pieces) => {
                write!(self.text, " <prisoners {pieces}>").unwrap();
            }
            Ply::Reserve(on, role) => {
                let number = if due == Due::Over {
                    here
                } else {
                    String::new()
                };
                let pieces = Roster::NONE.plus(*role);
                write!(self.text, "{number} <reserve {on}: {pieces}>").unwrap();
            }
            Ply::Consolidate(on) => self.gifts = Some(format!("{here} <consolidate {on}:")),
            Ply::Give(to, role) => {
                write!(self.gifts.as_mut().unwrap(), " {to}+{}", role.letter()).unwrap();
            }
            Ply::Hand(place, to) => {
                let name = &self.game.hand().at(*place).unwrap().name;
                write!(self.gifts.as_mut().unwrap(), " {to}+{name}").unwrap();
            }
            Ply::Take(place) => {
                let name = &self.game.captives().at(*place).unwrap().name;
                write!(self.prisoners.get_or_insert_default(), " {name}").unwrap();
            }
            Ply::Done => self.done(due, &over),
            Ply::Setup(_) | Ply::Place(..) => {}
        }
        let effects = self.game.play(*ply);
        if self.game.captives().held().next().is_none()
            && let Some(names) = self.prisoners.take()
        {
            write!(self.text, " <prisoners{names}>").unwrap();
        }
        self.close_ended(&effects);
    }

    /// Writes what `done` completes: a consolidation, or a list of prisoners.
    fn done(&mut self, due: Due, over: &Level) {
        let offered = over
            .settling()
            .next()
            .is_some_and(|(_, pieces)| !pieces.is_none());
        match (due, self.prisoners.take(), self.gifts.take()) {
            (Due::Giving, _, Some(gifts)) => write!(self.text, "{gifts}>").unwrap(),
            (_, Some(names), _) => write!(self.text, " <prisoners{names}>").unwrap(),
            (Due::Settling(_), None, _) if offered => self.text.push_str(" <prisoners 0>"),
            _ => {}
        }
    }

    /// Ends the innermost game that has a block, by resignation or agreement.
    fn conclude(&mut self, outcome: Outcome) {
        let level = self.blocks.len() - 1;
        let effects = self.game.conclude(level, outcome);
        if effects
            .ended()
            .next()
            .is_none_or(|(way, _)| way.len() <= level)
        {
            self.close(outcome);
        }
        self.close_ended(&effects);
    }
}

fn written(rules: &str, depth: u8, plies: u32, chance: &mut Chance) -> String {
    let mut scribe = Scribe::new(Over::first(depth, overchess::options(rules)));
    for _ in 0..plies {
        let mut list = Vec::new();
        scribe
            .game
            .legal_moves(|ply| list.push((String::new(), ply)));
        if list.is_empty() || scribe.game.end_by_itself().is_some() {
            break;
        }
        scribe.open();
        let in_play = matches!(scribe.game.due(), Due::Over | Due::Sub(_))
            && scribe.blocks.len() == scribe.game.path().len();
        if in_play && !scribe.blocks.is_empty() && chance.below(15) == 0 {
            let outcomes = [
                Outcome::Win(Side::White),
                Outcome::Win(Side::Black),
                Outcome::Draw,
            ];
            scribe.conclude(chance.pick(&outcomes).unwrap());
            continue;
        }
        let (_, ply) = choose(&scribe.game, &list, chance);
        scribe.play(&ply);
    }
    // Blocks that are still open at the end have no result.
    let open = scribe.blocks.len();
    let result = scribe
        .game
        .end_by_itself()
        .map_or("*", |ruling| ruling.outcome.as_str());
    let tags = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n[Rules \"{rules}{}depth={depth}\"]\n[Variant \"Overchess\"]\n\n",
        if rules.is_empty() { "" } else { ":" }
    );
    format!(
        "{tags}{}{} {result}\n",
        scribe.text.trim_start(),
        " *>".repeat(open)
    )
}

#[test]
fn records_of_random_games_have_no_findings() {
    let mut chance = Chance::seeded(97);
    let all = [
        "",
        "fog",
        "prisoners",
        "consolidation",
        "subdraw=both",
        "fog:subdraw=defender",
        "prisoners:consolidation",
        "fog:prisoners:consolidation:reserves=team/2P1N/3P",
        "prisoners:reserves=set/1P1N",
    ];
    for rules in all {
        for (depth, games) in [(2, 6), (3, 3)] {
            for _ in 0..tries(games) {
                let record = written(rules, depth, 400, &mut chance);
                let report = text::judge(record.as_bytes()).remove(0);
                // A FEN with many named sub-pieces is a long line.
                let of_weight = report
                    .findings
                    .iter()
                    .filter(|finding| finding.code.id != "long-line");
                let found: Vec<_> = of_weight
                    .map(|finding| format!("{}: {}", finding.code.id, finding.message.as_it_came()))
                    .collect();
                assert!(
                    found.is_empty() && report.unjudged_from.is_none(),
                    "{record}\n{found:?}"
                );
                let canonical = text::canonical(record.as_bytes());
                assert_eq!(text::canonical(&canonical), canonical);
            }
        }
    }
}

/// The codes of the findings on a game that begins with few pieces.
fn found(rules: &str, moves: &str) -> Vec<&'static str> {
    let fen = "4k3/8/8/3p4/8/8/3Q4/R3K3 w - - 0 1 d2=0,d5=0 - -";
    let record = format!(
        "[Variant \"Overchess\"]\n[Rules \"{rules}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"
    );
    let findings = text::judge(record.as_bytes())
        .remove(0)
        .findings
        .into_iter();
    findings
        .filter(|finding| finding.severity != Severity::Note)
        .map(|finding| finding.code.id)
        .collect()
}

#[test]
fn a_sub_game_dead_at_its_set_up_may_be_recorded_as_a_draw() {
    assert_eq!(found("subdraw=attacker", "1. Qxd5 Ke7 2. Qd4"), [""; 0]);
    assert_eq!(
        found("subdraw=attacker", "1. Qxd5 <d5: 1/2-1/2> Ke7 2. Qd4"),
        [""; 0]
    );
    assert_eq!(
        found("fog", "1. Qxd5 Ke7 <d5: 1/2-1/2> 2. Qd4 Kd7"),
        [""; 0]
    );
    assert_eq!(
        found("subdraw=attacker", "1. Qxd5 <d5: 1-0> Ke7"),
        ["wrong-result"]
    );
    assert_eq!(
        found("subdraw=attacker", "1. Qxd5 <d5: 1. Ke2 1/2-1/2> Ke7"),
        ["move-after-end"]
    );
    assert_eq!(
        found(
            "subdraw=attacker",
            "1. Qxd5 <d5: 1/2-1/2> <d5: 1/2-1/2> Ke7"
        ),
        ["illegal-move"]
    );
    assert_eq!(
        found("subdraw=attacker", "1. Qd4 <d5: 1/2-1/2> Ke7"),
        ["illegal-move"]
    );
}

#[test]
fn an_act_after_a_missing_or_finished_sub_game_is_reported() {
    let reported = |rules: &str, moves: &str| {
        let record = format!("[Variant \"Overchess\"]\n[Rules \"{rules}\"]\n\n{moves} *\n");
        let findings = text::judge(record.as_bytes())
            .remove(0)
            .findings
            .into_iter();
        let found = findings.filter(|finding| finding.severity != Severity::Note);
        found.map(|finding| finding.code.id).collect::<Vec<_>>()
    };
    assert_eq!(
        reported("prisoners", "1. e4 d5 2. exd5 <prisoners P> Nf6"),
        ["open-ply"]
    );
    assert_eq!(
        reported("consolidation", "1. e4 d5 2. exd5 <consolidate b7>"),
        ["open-ply"]
    );
    assert_eq!(
        reported(
            "depth=2:prisoners",
            "1. e4 d5 2. exd5 <prisoners d7/e2> Nf6"
        ),
        ["open-ply"]
    );
    let mated = "1. e4 d5 2. exd5 <d5: 1. f3 e5 2. g4 Qh4# <prisoners P> 0-1> Nf6";
    assert_eq!(reported("prisoners", mated), ["move-after-end"]);
}
