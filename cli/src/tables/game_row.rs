//! A row of a table of games.

use super::game::Game;
use overboard_engines::journal::LedgerEntry;
use overboard_formats::ply_rows::{Kind, PlyRow};
use overboard_games::registry::{AnyGame, Variant};
use overboard_referee::{finding::Verdict, report::Report};
use overboard_rules::{square::Side, variant::ChessWithin};
use serde::Serialize;

/// A row of a table of games. Each tag of any of the games is a column too: a string, or null.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("additionalProperties" = { "type": ["string", "null"] }))
)]
pub struct GameRow {
    /// Where the game is from: the run of its ledger, or the file of its record as it was named. With `game` it is the
    /// key of a game.
    run: String,
    /// The number of the game: in its run from 0, in its file from 1.
    game: u64,
    /// The line of its first tag; null for ledgers.
    line: Option<u64>,
    /// For a game of a ledger: its unit.
    unit: Option<u64>,
    /// For a game of a ledger: its round, from 0; games of one round have the same opening.
    run_round: Option<u64>,
    /// For a game of a ledger: the number of plies of its opening.
    book: Option<u32>,
    /// The player with White, as the tag names it; on linked boards one name, if one player has all boards.
    white: Option<String>,
    /// The player with Black.
    black: Option<String>,
    /// The verdict of `check`.
    verdict: Option<Verdict>,
    /// The number of the laws by which it was judged; null if the game is unknown.
    laws: Option<u32>,
    /// All plies of the main line, those of all boards and sub-games together.
    acts: u32,
    /// In Overchess: plies of the over-board.
    over_moves: Option<u32>,
    /// `1-0`, `0-1` or `1/2-1/2`; null if the game is not over.
    result: Option<String>,
    /// Why it ended, as ledgers say it.
    ended_by: Option<String>,
    /// The rule that ended it.
    rule: Option<String>,
    /// The value of White's pieces less that of Black's in the final position, in hundredths of a pawn.
    material: Option<i32>,
    /// The number of drops, those on inner and linked boards included.
    drops: u64,
    /// The number of promotions, those on inner and linked boards included.
    promotions: u64,
    /// Sub-games begun (Overchess).
    sub_games: u64,
    /// In Overchess: the share of the points of White's sub-sets that was lost by the end, from 0 to 1.
    white_depletion: Option<f64>,
    /// In Overchess: the same of Black's sub-sets.
    black_depletion: Option<f64>,
}

/// The share of a side's first stock that is gone.
fn depletion(last: &AnyGame, side: Side) -> Option<f64> {
    let (first, now) = (last.first().stock()?[side], last.stock()?[side]);
    if first == 0 {
        return None;
    }
    Some(f64::from(first - now) / f64::from(first))
}

impl GameRow {
    /// Adds a row of what happens in the game.
    pub fn count(&mut self, row: &PlyRow) {
        self.acts = row.act;
        match row.kind {
            Kind::Start if row.row > 0 => self.sub_games += 1,
            Kind::Ply | Kind::Unsaid | Kind::Stands => {
                if let Some(san) = &row.san {
                    self.count_move(san);
                }
            }
            Kind::End => {
                (self.ended_by, self.rule) = (row.ended_by.clone(), row.rule.clone());
            }
            _ => {}
        }
    }

    fn count_move(&mut self, san: &str) {
        // An act that is not a move has more than one word.
        if !san.contains(' ') {
            self.drops += u64::from(san.contains('@'));
            self.promotions += u64::from(san.contains('='));
        }
    }

    /// Adds the last position.
    pub fn stand(&mut self, last: Option<&AnyGame>) {
        self.material = last.map(AnyGame::material);
        self.white_depletion = last.and_then(|last| depletion(last, Side::White));
        self.black_depletion = last.and_then(|last| depletion(last, Side::Black));
    }

    /// The whole row.
    pub fn end(self, game: &Game, report: &Report, booked: Option<&LedgerEntry<'_>>) -> Self {
        let outcome = report.result.judged.or(report.result.outcome());
        let variant = Variant::of_tags(|name| game.value(name));
        let within = variant.map(|variant| variant.info().chess_within);
        let has_over_moves = within == Some(ChessWithin::SubGames);
        let (run, number) = game.key.clone();
        let [white, black] = game.players.clone().into_array();
        Self {
            run,
            game: number,
            line: game.line,
            unit: booked.map(|booked| booked.unit),
            run_round: booked.map(|booked| booked.round),
            book: booked.map(|booked| booked.book),
            white,
            black,
            verdict: Some(report.verdict),
            laws: report.laws.map(|laws| laws.laws),
            over_moves: has_over_moves.then_some(report.plies),
            result: outcome.map(|outcome| outcome.to_string()),
            ended_by: game.cause(booked, self.ended_by),
            ..self
        }
    }
}
