//! A game while it is kept: its position, what has happened in it as rows, and its movetext.

use crate::attendant::{self, Attendant, Hear, Sitter, SitterError};
use overboard_engines::{
    described,
    ending::End,
    external::lines::{FaultCode, FaultReport, Position, Seat, fault},
    live_game::LiveGame,
    manifest::is_default,
    openings::Opening,
    players::Seats,
};
use overboard_formats::{
    ply_rows::{Kind, PlyRow},
    san::San,
};
use overboard_games::{coordinates::shown, illegal_coordinates, registry::AnyGame};
use overboard_referee::{
    game::{
        judge::Judge,
        record::{Beside, Record, Seen},
    },
    rows::{
        own_san,
        rebuilt::{Rebuilt, RowError, step_of},
    },
};
use overboard_rules::{
    game::{BoardId as _, Effects as _, Next, Refusal, Said, Step},
    ply::{BoardName, Written},
    position::Found,
    square::Side,
    variant::ChessWithin,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

mod tail;

use tail::{Tail, turn_row};

/// A step of a game as it is kept: a ply, or something else that changes the position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Made {
    /// What it is: a ply, one that records leave out, an illegal move that stands, a fallen flag, the end of a game inside.
    #[serde(default = "ply", skip_serializing_if = "is_ply")]
    pub kind: Kind,
    /// The board; empty for the outermost one, and for a single board.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The step in coordinates, with the path to its board.
    pub coord: String,
    /// The same as records write it on its board.
    pub san: String,
}

const fn ply() -> Kind {
    Kind::Ply
}

const fn is_ply(kind: &Kind) -> bool {
    matches!(kind, Kind::Ply)
}

/// A remark: a comment, or commands in one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Remark {
    /// Its text as the record has it, with its braces.
    pub text: String,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: Place,
}

/// Where a remark stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Right after the last ply.
    #[default]
    Ply,
    /// In the game with this path, after all that has happened in it.
    Game(String),
    /// The same, in a game that stops here: after a turn or a game inside that is broken off.
    End(String),
    /// After everything so far.
    Last,
}

/// A game of any kind while it is kept.
pub trait Keep: Send {
    /// The plies that a text means, in coordinates or as records write them, with those before it that records leave out.
    ///
    /// # Errors
    /// Why it is not a legal ply, with the rule.
    fn seek(&self, text: &str) -> Result<Vec<Made>, FaultReport>;
    /// A text of a ply as an attempt at it is recorded: with its board, where that is one of several.
    fn attempt(&self, text: &str) -> String;
    /// An event in coordinates other than a ply, if it is possible: `flag W:A`, `e5.1-0`.
    fn event(&self, coordinates: &str) -> Option<Made>;
    /// Makes a step.
    ///
    /// # Errors
    /// Why it is not possible here, in words.
    fn make(&mut self, made: &Made) -> Result<(), String>;
    /// Adds a remark.
    fn remark(&mut self, remark: &Remark);
    /// Adds a comment after the row with this number, however long ago that was.
    fn unseal(&mut self, row: u64, text: &str);
    /// The remarks before the first ply, and the movetext without its result; as if one more remark had been added, if
    /// it is given.
    ///
    /// # Errors
    /// None, as long as only what is possible was made.
    fn movetext(&self, more: Option<&Remark>) -> Result<(String, String), RowError>;
    /// Takes the tags and remarks of a row of the same game, read from a record. Where the game stops in the middle of
    /// something, the row itself is taken.
    fn said_in(&mut self, row: &PlyRow);
    /// The position.
    fn position(&self) -> Position;
    /// The legal plies on this board, or on the one that is due, in coordinates.
    ///
    /// # Errors
    /// That there is no such board, or that there are too many.
    fn legal(&self, board: Option<&str>) -> Result<Vec<String>, FaultReport>;
    /// The boards on the squares of this one that are games themselves and are being played.
    ///
    /// # Errors
    /// That there is no such board.
    fn boards_on(&self, board: &str) -> Result<Vec<String>, FaultReport>;
    /// The legal ply with these coordinates as records write it.
    fn san(&self, coordinates: &str) -> Option<String>;
    /// The number of boards side by side.
    fn boards(&self) -> usize;
    /// Whether a turn of several moves is open.
    fn is_within_turn(&self) -> bool;
    /// How the game ended by its plies.
    fn end(&self) -> Option<End>;
    /// The path to the game in which something is due: empty for the game of the record.
    fn here(&self) -> String;
    /// The number of the move that is due there, and the side that makes it.
    fn due(&self) -> Option<(u32, Side)>;
    /// Who is to act: the board, or the path to the game, and the side. On boards side by side it is one side on each that
    /// is still played on; nobody where the game is over.
    fn dues(&self) -> Vec<(String, Side)>;
    /// The team for which a side plays in the game with this path: in a sub-game the attacker has White.
    fn team(&self, path: &str, side: Side) -> Side;
    /// The same game once more.
    fn copied(&self) -> Box<dyn Keep>;
    /// Lets a program sit down at this game, under the rules in the form of the tag Rules.
    ///
    /// # Errors
    /// Why it does not play this game.
    fn attend(
        &self,
        seat: Seat,
        sitter: Sitter,
        terms: (&str, u64),
        hear: Hear,
    ) -> Result<Attendant, SitterError>;
    /// Everything that has happened.
    fn rows(&self) -> &[PlyRow];
    /// The steps that have been made.
    fn steps(&self) -> &[Made];
    /// The position, as a game of any kind.
    fn game(&self) -> AnyGame;
}

/// A game of one kind while it is kept.
#[derive(Clone)]
pub struct Kept<G: Seats + Judge> {
    /// The position that it began with.
    first: G,
    live: LiveGame<G>,
    rows: Vec<PlyRow>,
    steps: Vec<Made>,
    /// How many of the rows are in the text.
    written: usize,
    text: Rebuilt<G>,
    plies: usize,
    /// The turns of boards within boards that are open.
    open_turns: usize,
    /// The board of the last ply.
    last: String,
    /// Rows of a record that close what is still going on here: they count only if something comes after them.
    stopped: Vec<PlyRow>,
}

impl<G: Seats + Judge> Kept<G> {
    /// A game that begins with this position.
    pub fn from(first: G) -> Self {
        let start = PlyRow {
            kind: Kind::Start,
            ..PlyRow::default()
        };
        Self {
            first: first.clone(),
            live: LiveGame::from(first.clone()),
            rows: vec![start],
            steps: Vec::new(),
            written: 0,
            text: Rebuilt::from(first),
            plies: 0,
            open_turns: 0,
            last: String::new(),
            stopped: Vec::new(),
        }
    }

    fn push(&mut self, row: PlyRow) {
        let row = PlyRow {
            row: self.rows.len() as u64,
            ..row
        };
        self.rows.push(row);
    }

    /// The inner games that a step has ended or begun.
    fn push_beside(&mut self, before: &G, step: &Step<G>, brought: &G::Effects) {
        let mut beside = Vec::new();
        before.beside(step, self.live.game(), brought, &mut |game| {
            beside.push(game);
        });
        for game in beside {
            let row = match game {
                Beside::Begun(seen) => PlyRow {
                    kind: Kind::Start,
                    ..row_of::<G>(seen)
                },
                Beside::Ended(coord, outcome, seen) => PlyRow {
                    kind: Kind::Result,
                    coord: Some(coord),
                    result: Some(outcome.to_string()),
                    ..row_of::<G>(seen)
                },
                // The end of that game comes with the same step, and has a row.
                Beside::Stopped(_) => continue,
            };
            self.push(row);
        }
    }

    /// The last rows, which are not in the text yet.
    fn open_tail<'t>(&'t self, rows: &'t mut Vec<PlyRow>) -> Tail<'t> {
        Tail {
            rows,
            first: self.written,
            open_turns: self.open_turns,
            last: &self.last,
            here: G::path(self.due_board(self.live.game())),
            has_sub_games: G::INFO.chess_within == ChessWithin::SubGames,
        }
    }

    /// The turns that the last ply, on this board, has ended.
    fn push_turns(&mut self, path: &str, brought: &G::Effects) {
        if G::INFO.chess_within != ChessWithin::Boards {
            return;
        }
        path.clone_into(&mut self.last);
        let depth = path.split('.').filter(|step| !step.is_empty()).count();
        self.open_turns = self.open_turns.max(depth);
        while self.open_turns > 0 && brought.turn_over(self.open_turns - 1) {
            self.open_turns -= 1;
            let row = turn_row(&self.last, self.open_turns);
            self.push(row);
        }
    }

    /// The board on which something is due, of a game that is not played on several boards side by side.
    fn due_board(&self, game: &G) -> G::Board {
        if G::INFO.chess_within != ChessWithin::SubGames {
            return G::Board::WHOLE;
        }
        let mut due = G::Board::WHOLE;
        let _ = game.legal(|ply| {
            due = game.spell(ply).0;
            ControlFlow::Break(())
        });
        due
    }

    /// The legal ply with these coordinates, with or without the path to its board.
    fn by_coordinates(&self, game: &G, board: &str, own: &str) -> Option<Step<G>> {
        let is_ply = |step: &Step<G>| matches!(step, Step::Ply(_));
        let due = match board {
            "" => G::path(self.due_board(game)),
            named => named.to_owned(),
        };
        let alone = if board.is_empty() { game.at(own) } else { None };
        let found = alone.or_else(|| game.at(&format!("{due}.{own}")));
        found.filter(is_ply)
    }

    /// The plies that are meant on a board, with those before them that records leave out.
    fn meant(&self, board: &str, own: &str, written: Written) -> Result<Vec<Made>, FaultReport> {
        let mut game = self.live.game().clone();
        let mut made = Vec::new();
        loop {
            let at = match board {
                "" => self.due_board(&game),
                named => described::board(&self.live, named)?,
            };
            let mut found = self.by_coordinates(&game, board, own);
            if found.is_none()
                && let Found::One(ply) = game.find(at, &written)
            {
                found = Some(Step::Ply(ply));
            }
            if let Some(step) = found {
                made.push(made_of(&game, &step, Kind::Ply));
                return Ok(made);
            }
            let said = Said::Ply(written);
            let next = Next {
                at,
                said,
                numbered: false,
            };
            let unsaid = game
                .unsaid(Some(next))
                .map_err(|refusal| fault_of(&game, own, *refusal))?;
            let Some(ply) = unsaid else {
                let run = game.resolve(at, said);
                let run = run.map_err(|refusal| fault_of(&game, own, *refusal))?;
                return Ok(with_run(game, made, run));
            };
            made.push(made_of(&game, &Step::Ply(ply), Kind::Unsaid));
            game.play(ply);
        }
    }

    /// The board that a text names, and its ply: `12A. Nf3`, `A:Nf3`, `A2.e4`.
    fn on_board<'t>(&self, text: &'t str) -> (String, &'t str) {
        let (numbered, text) = without_number(text.trim());
        let (named, own) = self.addressed(text);
        match &*named {
            "" => (numbered.to_uppercase(), own),
            _ => (named, own),
        }
    }

    /// The board that stands before a ply, and the rest.
    fn addressed<'t>(&self, text: &'t str) -> (String, &'t str) {
        let split = text.split_once(':').or_else(|| text.rsplit_once('.'));
        let Some((name, own)) = split else {
            return (String::new(), text);
        };
        let game = self.live.game();
        let name = name.trim();
        let capital = name.to_uppercase();
        for name in [name, &capital] {
            if !name.is_empty() && game.board_named(name).is_some() {
                return (name.to_owned(), own.trim());
            }
        }
        (String::new(), text)
    }
}

/// The plies of an act, one after the other.
fn with_run<G: Judge>(mut game: G, mut made: Vec<Made>, run: Vec<G::Ply>) -> Vec<Made> {
    for ply in run {
        made.push(made_of(&game, &Step::Ply(ply), Kind::Ply));
        game.play(ply);
    }
    made
}

/// A step in words.
fn made_of<G: Judge>(game: &G, step: &Step<G>, kind: Kind) -> Made {
    let coord = game.in_line(step);
    let (path, san) = match step {
        Step::Ply(ply) => {
            let path = G::path(game.spell(*ply).0);
            let san = own_san(&game.san(*ply), &path);
            (path, san)
        }
        Step::Event(at, _) => (G::path(*at), coord.clone()),
    };
    Made {
        kind,
        path,
        coord,
        san,
    }
}

/// The row of a step.
pub(crate) fn row_of_made(made: &Made) -> PlyRow {
    PlyRow {
        kind: made.kind,
        path: made.path.clone(),
        coord: Some(made.coord.clone()),
        san: Some(made.san.clone()),
        ..PlyRow::default()
    }
}

fn row_of<G: Judge>(seen: Seen<G::Board>) -> PlyRow {
    let (number, side) = seen.made.unzip();
    PlyRow {
        path: G::path(seen.board),
        number,
        side: side.map(Into::into),
        at: seen.moment,
        ..PlyRow::default()
    }
}

fn fault_of<G: Record>(game: &G, text: &str, refusal: Refusal<G>) -> FaultReport {
    let possible = refusal.possible.iter();
    let possible = possible.map(|ply| game.coordinates(*ply).to_string());
    FaultReport {
        code: match refusal.rule.is_of_notation() {
            true => FaultCode::Ambiguous,
            false => FaultCode::Illegal,
        },
        words: refusal.words,
        rule: Some(refusal.rule.id.into()),
        ply: Some(shown(text)),
        possible: possible.collect(),
    }
}

/// A ply without the number before it, and the board that this names: `12. e4`, `3A. Nf3`.
fn without_number(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let own = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let board = &rest[..rest.len() - own.len()];
    let has_number = rest.len() < text.len() && own.starts_with('.');
    if has_number {
        (board, own.trim_start_matches('.').trim())
    } else {
        ("", text)
    }
}

impl<G: Seats + Judge + Into<AnyGame>> Keep for Kept<G> {
    fn seek(&self, text: &str) -> Result<Vec<Made>, FaultReport> {
        if let Some(end) = self.live.end() {
            let words = format!("the game is over by {} ({})", end.cause, end.outcome);
            return Err(fault(FaultCode::OutOfTurn, words));
        }
        let game = self.live.game();
        let (board, own) = self.on_board(text);
        if let Some(step) = self.by_coordinates(game, &board, own) {
            return Ok(vec![made_of(game, &step, Kind::Ply)]);
        }
        if board.is_empty() && game.boards() > 1 {
            let words = "say on which board, as in `A:Nf3`";
            return Err(fault(FaultCode::Unreadable, words));
        }
        match San::parse_in(None, own.as_bytes(), G::ALPHABET) {
            Ok(san) => self.meant(&board, own, san.written),
            Err(unread) => {
                let at = match &*board {
                    "" => G::path(self.due_board(game)),
                    named => named.to_owned(),
                };
                let addressed = match &*at {
                    "" => own.to_owned(),
                    at => format!("{at}.{own}"),
                };
                Err(match illegal_coordinates::why(game, &addressed) {
                    Some(refusal) => fault_of(game, own, *refusal),
                    None => FaultReport {
                        ply: Some(shown(own)),
                        ..fault(FaultCode::Unreadable, unread.to_string())
                    },
                })
            }
        }
    }

    fn attempt(&self, text: &str) -> String {
        let (board, own) = self.on_board(text);
        // An attempt in a sub-game stands in its block.
        let is_in_block = G::INFO.chess_within == ChessWithin::SubGames;
        if board.is_empty() || is_in_block {
            return own.to_owned();
        }
        format!("{board}.{own}")
    }

    fn event(&self, coordinates: &str) -> Option<Made> {
        let game = self.live.game();
        let step = game.at(coordinates)?;
        let kind = match step {
            Step::Ply(_) => return None,
            Step::Event(..) if coordinates.starts_with("flag ") => Kind::Flag,
            Step::Event(..) => Kind::Result,
        };
        Some(made_of(game, &step, kind))
    }

    fn make(&mut self, made: &Made) -> Result<(), String> {
        let row = row_of_made(made);
        let Some(step) = step_of(self.live.game(), &row)? else {
            return Err(format!("`{}` changes nothing here", made.coord));
        };
        if row.is_ply() {
            for row in &self.rows[self.written..] {
                self.text.take(row.clone()).map_err(|fault| fault.why)?;
            }
            self.written = self.rows.len();
            self.plies += 1;
        }
        self.stopped.clear();
        self.steps.push(made.clone());
        let before = self.live.game().clone();
        let mut after = before.clone();
        let brought = step.make(&mut after);
        let seen = before.seen(&step, &after).map(row_of::<G>);
        self.live.step(&step);
        // The end of a game inside is reported beside the step that brings it.
        if made.kind != Kind::Result {
            let seen = seen.unwrap_or_default();
            self.push(PlyRow {
                number: seen.number,
                side: seen.side,
                at: seen.at,
                ..row
            });
        }
        self.push_beside(&before, &step, &brought);
        self.push_turns(&made.path, &brought);
        Ok(())
    }

    fn remark(&mut self, remark: &Remark) {
        let mut tail = self.rows.split_off(self.written);
        let open = self.open_tail(&mut tail);
        open.add(remark);
        self.rows.append(&mut tail);
    }

    fn unseal(&mut self, row: u64, text: &str) {
        let row = usize::try_from(row).ok();
        if let Some(row) = row.and_then(|row| self.rows.get_mut(row)) {
            let remarks = row.remarks.get_or_insert_default();
            remarks.push(' ');
            remarks.push_str(text);
        }
        // What comes before the last rows is written once more.
        self.text = Rebuilt::from(self.first.clone());
        self.written = 0;
    }

    fn movetext(&self, more: Option<&Remark>) -> Result<(String, String), RowError> {
        let mut tail = self.rows[self.written..].to_vec();
        if let Some(remark) = more {
            let open = self.open_tail(&mut tail);
            open.add(remark);
        }
        let first = match self.written {
            0 => tail.first(),
            _ => self.rows.first(),
        };
        let before = first.and_then(|row| row.remarks.clone());
        let mut text = self.text.clone();
        for row in tail {
            text.take(row)?;
        }
        Ok((before.unwrap_or_default(), text.finish()?))
    }

    fn said_in(&mut self, row: &PlyRow) {
        let own = self.rows[self.written..].iter_mut().rev();
        let mut own = own.filter(|own| own.kind == row.kind && own.path == row.path);
        if let Some(own) = own.next() {
            own.remarks.clone_from(&row.remarks);
            if row.row > 0 {
                own.tags.clone_from(&row.tags);
            }
            return;
        }
        self.stopped.push(row.clone());
        let is_bare = row.remarks.is_none() && row.tags.is_none();
        if !is_bare {
            for row in std::mem::take(&mut self.stopped) {
                self.push(row);
            }
        }
    }

    fn position(&self) -> Position {
        described::position(&self.live, self.plies)
    }

    fn legal(&self, board: Option<&str>) -> Result<Vec<String>, FaultReport> {
        described::legal(&self.live, board)
    }

    fn boards_on(&self, board: &str) -> Result<Vec<String>, FaultReport> {
        described::boards_on(&self.live, board)
    }

    fn san(&self, coordinates: &str) -> Option<String> {
        let game = self.live.game();
        let ply = game.by_coordinates(coordinates)?;
        let san = game.san(ply).to_string();
        // Only one game is going on at a time, so its path need not be said.
        Some(match G::INFO.chess_within {
            ChessWithin::SubGames => own_san(&san, &G::path(game.spell(ply).0)),
            _ => san,
        })
    }

    fn boards(&self) -> usize {
        self.live.game().boards()
    }

    fn is_within_turn(&self) -> bool {
        self.open_turns > 0
    }

    fn end(&self) -> Option<End> {
        self.live.end()
    }

    fn here(&self) -> String {
        G::path(self.due_board(self.live.game()))
    }

    fn due(&self) -> Option<(u32, Side)> {
        let game = self.live.game();
        game.next_move(self.due_board(game))
    }

    fn dues(&self) -> Vec<(String, Side)> {
        let game = self.live.game();
        if self.live.end().is_some() {
            return Vec::new();
        }
        if game.boards() == 1 {
            let due = self.due();
            return due
                .map(|(_, side)| (self.here(), side))
                .into_iter()
                .collect();
        }
        let mut dues = Vec::new();
        for number in 0..game.boards() {
            let name = BoardName(number).to_string();
            let due = game.board_named(&name).and_then(|at| game.next_move(at));
            if let Some((_, side)) = due {
                dues.push((name, side));
            }
        }
        dues
    }

    fn team(&self, path: &str, side: Side) -> Side {
        let game = self.live.game();
        if game.boards() > 1
            && let Some(at) = game.board_named(path)
        {
            return game.team(at, side);
        }
        let depth = path.split('.').filter(|step| !step.is_empty()).count();
        self.game().team(depth, side)
    }

    fn copied(&self) -> Box<dyn Keep> {
        Box::new(self.clone())
    }

    fn attend(
        &self,
        seat: Seat,
        sitter: Sitter,
        terms: (&str, u64),
        hear: Hear,
    ) -> Result<Attendant, SitterError> {
        let (own, fen) = (G::start(&self.first.options()), self.first.fen());
        let is_own = own.is_ok_and(|own| own.fen() == fen);
        let opening = Opening {
            fen: if is_own { None } else { Some(fen) },
            start: LiveGame::from(self.first.clone()),
            plies: Vec::new(),
        };
        attendant::attend(opening, seat, sitter, terms, hear)
    }

    fn rows(&self) -> &[PlyRow] {
        &self.rows
    }

    fn steps(&self) -> &[Made] {
        &self.steps
    }

    fn game(&self) -> AnyGame {
        self.live.game().clone().into()
    }
}
