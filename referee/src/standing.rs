//! Illegal moves after which both sides played on (GEN-9): those that stand by the record's own word, and
//! those that the arbiter asks to treat so, if it is certain from where to where the piece went.

use crate::{
    commands::commands_here,
    finding::{self as code, JudgeOn},
    game::judge::Judge,
    hearing::Hearing,
    line::Line,
    readings::Readings,
    record_state::RecordState,
    referee::{Referee, Refused},
};
use overboard_formats::{encoding::decode, parse::Event, span::TextSpan};
use overboard_pictures::diagram::{Cell, Panel};
use overboard_rules::{
    game::{BoardId as _, Happening, Step},
    general as common,
    ply::{Pattern, StandingAct, Written},
    rule::Rule,
    square::{Piece, Role, Side},
};

/// What an illegal move leaves to whoever wants to judge on.
pub struct Beyond {
    /// What it may have done, where that is known well enough to go on.
    may_be: Vec<StandingAct>,
    /// The same for people.
    judge_on: JudgeOn,
}

impl<G: Judge> Hearing<'_, G> {
    /// Says with a finding how the game can be judged on after it.
    pub fn report_beyond(&mut self, finding: Option<usize>, beyond: Option<Beyond>) {
        if !self.referee.outer.is_empty() {
            return;
        }
        let Some(index) = finding else {
            return;
        };
        let (Some(finding), Some(beyond)) = (self.state.findings.get_mut(index), beyond) else {
            return;
        };
        finding.judge_on = Some(beyond.judge_on);
        if let Some(refused) = &mut self.referee.refused {
            refused.may_be = beyond.may_be;
        }
    }

    /// Something follows an illegal ply: if judging on was requested and nothing contradicts it, the ply is
    /// treated as standing.
    #[cold]
    pub fn judge_on(&mut self, event: Event) {
        let waits = match event {
            Event::Nag | Event::Glyphs => true,
            Event::Prose(..) => {
                let has = |name: &[u8]| {
                    commands_here(self.parser).any(|(command, _)| command.name == name)
                };
                let of_clocks = |name: &[u8]| matches!(name, b"clk" | b"emt" | b"ts");
                has(b"stands")
                    || commands_here(self.parser).all(|(command, _)| of_clocks(command.name))
            }
            _ => false,
        };
        if waits {
            return;
        }
        let may_be = self
            .referee
            .refused
            .as_mut()
            .map(|refused| std::mem::take(&mut refused.may_be));
        let Some((may_be, index)) = may_be.zip(self.state.last.refused) else {
            return;
        };
        let judge_on = self
            .state
            .findings
            .get_mut(index)
            .and_then(|finding| finding.judge_on.clone());
        let ways = match judge_on {
            Some(JudgeOn::Certain(squares)) => vec![squares],
            Some(JudgeOn::Several(ways)) => ways,
            _ => return,
        };
        let stood = match (may_be.as_slice(), ways.as_slice()) {
            ([standing_act], [words]) => self.stand(*standing_act, words.as_bytes()),
            _ => self.stand_in_doubt(&may_be),
        };
        self.referee.is_unseen |= stood && event == Event::Ply;
        if stood && let Some(finding) = self.state.findings.get_mut(index) {
            finding.judge_on = Some(JudgeOn::Done(ways));
        }
    }

    /// The line before the act refused last, and what was open then; `None` if there is none.
    fn before_refused(&mut self) -> Option<(Line<G>, Refused<G>)> {
        self.state.last.refused = None;
        let refused = self.referee.refused.take()?;
        let stray = self.referee.line.here();
        let mut before = self.referee.line.clone();
        before.back_to(refused.steps);
        (refused.steps <= stray).then_some((before, refused))
    }

    /// Goes on from this line.
    fn go_on_from(&mut self, line: Line<G>, open: G::Open, is_first: bool) {
        if is_first {
            self.state.judging.resume();
        }
        self.referee.line = line;
        self.referee.open = open;
        self.referee.begun = true;
    }

    /// Goes on after the act refused last with each of the positions that it may have led to. Returns whether it could.
    fn stand_in_doubt(&mut self, may_be: &[StandingAct]) -> bool {
        let Some((mut before, refused)) = self.before_refused() else {
            return false;
        };
        let mut stood = false;
        before.change(|now| stood = now.stand(refused.at, may_be, G::thin));
        if stood {
            self.go_on_from(before, refused.open, refused.first);
            self.follow_course(true);
        }
        stood
    }

    /// Makes the act refused last stand, with the arguments of `[%stands]`. Returns whether it could.
    fn stand(&mut self, standing_act: StandingAct, arguments: &[u8]) -> bool {
        let Some((mut before, refused)) = self.before_refused() else {
            return false;
        };
        let stood = self
            .state
            .keeps_rows()
            .then(|| before.now().latest().clone());
        let event = Happening::Stood(standing_act);
        let Some(brought) = before.happen(refused.at, event) else {
            return false;
        };
        self.go_on_from(before, refused.open, refused.first);
        if G::REPEATS {
            self.note_position();
        } else {
            self.follow_course(true);
        }
        if let Some(before) = stood {
            self.row_stands(&before, refused.at, event, &brought, arguments);
        }
        G::made(self, &Step::Event(refused.at, event), &brought);
        true
    }

    /// Adds the position to the history. What an illegal act led to may still repeat an earlier position.
    fn note_position(&mut self) {
        let game = self.referee.line.now().latest();
        let (key, snapshot) = (game.key(), game.snapshot());
        self.referee.history.reach(key, snapshot, false);
    }

    /// The position that `[%stands "FEN"]` gives, if the record can go on from it at the place of the act refused last;
    /// else what is wrong with it.
    fn position_to_stand(&self, fen: &str, refused: &Refused<G>) -> Result<G, String> {
        let position = match G::read_fen(&self.referee.options, fen) {
            Ok(read) => read.position,
            Err(fault) => return Err(fault.to_string()),
        };
        let (here, there) = (self.referee.latest().boards(), position.boards());
        if here != there {
            return Err(format!("it has {there} boards, and the game has {here}"));
        }
        if position.next_move(refused.at).is_none() {
            return Err("no move is due in it where the illegal one was made".into());
        }
        Ok(position)
    }

    /// Sets up the whole position after the act refused last, as `[%stands "FEN"]` gives it. Returns whether it could.
    fn stand_at(&mut self, fen: &str, place: TextSpan) -> bool {
        let Some((_, refused)) = self.before_refused() else {
            return false;
        };
        match self.position_to_stand(fen, &refused) {
            Ok(position) => {
                let line = Line::from(Readings::of(position));
                self.go_on_from(line, refused.open, refused.first);
                self.state.give_up_acts();
                self.note_position();
                true
            }
            Err(why) => {
                let message = format!("the position in [%stands] cannot be used: {why}");
                self.find(&code::BAD_COMMAND, place, message);
                false
            }
        }
    }

    /// `b1d6`: the illegal ply before this comment stands, and the game goes on from where the piece went. In quotation
    /// marks, the whole position. Returns whether the arguments could be read.
    pub fn stands(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let fen = match arguments {
            [b'"', fen @ .., b'"'] => Some(decode(fen).0),
            _ => None,
        };
        let standing_act = self.standing_act_said(arguments);
        if fen.is_none() && standing_act.is_none() {
            return false;
        }
        let index = self.state.last.refused.take();
        let is_refused = self.referee.refused.is_some();
        let index = if is_refused { index } else { None };
        let Some(index) = index else {
            let message =
                "[%stands] belongs right after an illegal move, and there is none before it";
            self.find(&code::BAD_COMMAND, place, message.into());
            return true;
        };
        let stood = match (fen, standing_act) {
            (Some(fen), _) => self.stand_at(&fen, place),
            (None, Some(standing_act)) => {
                let stood = self.stand(standing_act, arguments);
                if !stood {
                    self.find(&code::BAD_COMMAND, place, leads_nowhere(standing_act));
                }
                stood
            }
            (None, None) => false,
        };
        if stood {
            self.state.let_stand(index);
        }
        true
    }

    /// What the arguments of `[%stands …]` say that was done.
    fn standing_act_said(&self, arguments: &[u8]) -> Option<StandingAct> {
        let game = self.referee.latest();
        match &self.referee.refused {
            Some(refused) => game.standing_act(Some(refused.at), arguments),
            // There is no board that the command must be about.
            None => game
                .standing_act(Some(G::Board::WHOLE), arguments)
                .or_else(|| game.standing_act(None, arguments)),
        }
    }
}

impl<G: Judge> Referee<G> {
    /// How judging can go on after an illegal ply; `None` where no ply was possible on the board.
    pub fn beyond(&self, at: G::Board, written: &Written, rule: &'static Rule) -> Option<Beyond> {
        let now = self.now();
        let barred = |reading: &G| {
            G::bars(&self.own, &self.open, reading, at).is_some()
                || G::out_of_turn(&self.own, reading, at).is_some()
        };
        if matches!(written, Written::PromotedDrop { .. })
            || rule.id == common::ENDED.id
            || now.iter().all(barred)
        {
            return None;
        }
        let mut may_be = Vec::new();
        for reading in now.iter() {
            for standing_act in standing_acts(reading, at, written) {
                if !may_be.contains(&standing_act) {
                    may_be.push(standing_act);
                }
            }
        }
        let leads = |standing_act: &StandingAct| {
            now.iter().any(|reading| {
                reading
                    .clone()
                    .happen(at, Happening::Stood(*standing_act))
                    .is_some()
            })
        };
        let is_known = !may_be.is_empty();
        may_be.retain(leads);
        let position = now.latest();
        let words: Vec<_> = may_be
            .iter()
            .map(|standing_act| position.standing_words(at, *standing_act))
            .collect();
        let judge_on = match (words.as_slice(), written) {
            ([only], _) => JudgeOn::Certain(only.clone()),
            ([], Written::Move(pattern)) if is_known || !self.may_lead_on(at, pattern) => {
                JudgeOn::Nowhere
            }
            ([], Written::Move(_)) => JudgeOn::Unclear,
            ([], _) => JudgeOn::Nowhere,
            (ways, _) => JudgeOn::Several(ways.to_vec()),
        };
        Some(Beyond { may_be, judge_on })
    }

    /// Whether any piece of a move's kind may have gone where the move goes, so that `[%stands]` can say which.
    fn may_lead_on(&self, at: G::Board, pattern: &Pattern) -> bool {
        self.now().iter().any(|reading| {
            let side = reading.due_at(at).map(|(_, side)| side);
            let Some(panel) = reading.panel(at) else {
                return false;
            };
            let mut standing_acts = displaced_to(pattern, &panel, side).into_iter();
            standing_acts.any(|standing_act| {
                reading
                    .clone()
                    .happen(at, Happening::Stood(standing_act))
                    .is_some()
            })
        })
    }
}

/// What an illegal act may have done in a position, where that is known well enough to go on.
fn standing_acts<G: Judge>(game: &G, at: G::Board, written: &Written) -> Vec<StandingAct> {
    let pattern = match written {
        Written::Move(pattern) => pattern,
        Written::Castle(wing) => return vec![StandingAct::Castled(*wing)],
        Written::Drop { role, to } => {
            return vec![StandingAct::Dropped {
                role: *role,
                to: *to,
            }];
        }
        Written::Pass => return vec![StandingAct::Passed],
        Written::PromotedDrop { .. } => return Vec::new(),
    };
    let mut standing_acts = game.standing_acts(at, pattern);
    // Whose king goes as in castling has moved a rook, or not.
    if G::ALPHABET.files == 8 && pattern.role == Role::King {
        standing_acts.retain(|standing_act| match standing_act {
            StandingAct::Moved { from, to, .. } => {
                let is_home = matches!(from.rank, 0 | 7);
                !is_home || game.castling_of(*from, *to).is_none()
            }
            _ => true,
        });
    }
    standing_acts
}

/// What may have been done: any piece of a move's kind went where the move goes.
fn displaced_to(pattern: &Pattern, panel: &Panel, side: Option<Side>) -> Vec<StandingAct> {
    let Pattern {
        role,
        to,
        arrival,
        promotion,
        ..
    } = *pattern;
    let is_it = |piece: Piece| piece.role == role && side.is_none_or(|side| piece.side == side);
    let may_be = |cell: &Cell| match cell {
        Cell::Empty => false,
        Cell::Piece(drawn) => is_it(drawn.piece),
        Cell::Stack { carrier, rider, .. } => is_it(*carrier) || is_it(*rider),
        _ => true,
    };
    let squares = panel.squares().filter(|(_, cell)| may_be(cell));
    squares
        .map(|(from, _)| StandingAct::Moved {
            from,
            to,
            arrival,
            promotion,
        })
        .collect()
}

impl RecordState {
    /// The illegal move of a finding stands.
    fn let_stand(&mut self, finding: usize) {
        if let Some(finding) = self.findings.get_mut(finding) {
            finding.code = &code::ILLEGAL_STANDS;
            finding.rule = Some(&common::ILLEGAL_ATTEMPTS);
            finding.judge_on = None;
            let words = format!(
                "{}; both played on, and it stands",
                finding.message.as_it_came()
            );
            finding.message = words.into();
        }
    }
}

/// That an act that stands leads to no position.
fn leads_nowhere(standing_act: StandingAct) -> String {
    match standing_act {
        StandingAct::Moved { from, to, .. } => format!(
            "the piece on {from} cannot be put on {to}: it must be the mover's, each side keeps its king, and a pawn on its last rank becomes another piece"
        ),
        StandingAct::Castled(_) => {
            "king and rook cannot be moved so: they are not at home, or something stands where they go".into()
        }
        StandingAct::Dropped { to, .. } => {
            format!("nothing of the kind can be put on {to}: it is not in hand, or the square is taken")
        }
        StandingAct::Passed => "the turn cannot pass here".into(),
    }
}
