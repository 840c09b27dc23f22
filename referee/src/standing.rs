//! Illegal moves after which both sides played on (GEN-9): those that stand by the record's own word, and
//! those that the arbiter asks to treat so, if it is certain from where to where the piece went.

use crate::{
    commands::commands_here,
    finding::{self as code, JudgeOn},
    game::judge::Judge,
    hearing::Hearing,
    record_state::RecordState,
    referee::Referee,
};
use overboard_formats::{
    parse::{Event, Parser},
    span::TextSpan,
};
use overboard_pictures::diagram::{Cell, Panel};
use overboard_rules::{
    game::{BoardId as _, Happening, Step},
    general as common,
    ply::{Pattern, Written},
    rule::Rule,
    square::{Piece, Role, Side},
};

/// What an illegal move leaves to whoever wants to judge on.
pub struct Beyond {
    /// What happened, where that is certain.
    event: Option<Happening>,
    /// The same for people.
    reported: JudgeOn,
}

impl<G: Judge> Hearing<'_, G> {
    /// Says with a finding how the game can be judged on after it.
    pub fn report_beyond(&mut self, finding: Option<usize>, beyond: Option<Beyond>) {
        let Some(index) = finding.filter(|_| self.referee.outer.is_empty()) else {
            return;
        };
        let (Some(finding), Some(beyond)) = (self.state.findings.get_mut(index), beyond) else {
            return;
        };
        finding.judge_on = Some(beyond.reported);
        if let Some(refused) = &mut self.referee.refused {
            refused.certain = beyond.event;
        }
    }

    /// Something follows an illegal ply: if judging on was requested and nothing contradicts it, the ply is
    /// treated as standing.
    #[cold]
    pub fn judge_on(&mut self, event: Event) {
        let waits = match event {
            Event::Nag | Event::Glyphs => true,
            Event::Prose(..) => {
                let reported = |name: &[u8]| {
                    commands_here(self.parser).any(|(command, _)| command.name == name)
                };
                let of_clocks = |name: &[u8]| matches!(name, b"clk" | b"emt" | b"ts");
                reported(b"stands")
                    || commands_here(self.parser).all(|(command, _)| of_clocks(command.name))
            }
            _ => false,
        };
        if waits {
            return;
        }
        let certain = self
            .referee
            .refused
            .as_ref()
            .and_then(|refused| refused.certain);
        let Some((event, index)) = certain.zip(self.state.last.refused) else {
            return;
        };
        let Some(JudgeOn::Certain(squares)) = self
            .state
            .findings
            .get_mut(index)
            .and_then(|finding| finding.judge_on.clone())
        else {
            return;
        };
        if self.stand(event, squares.as_bytes())
            && let Some(finding) = self.state.findings.get_mut(index)
        {
            finding.judge_on = Some(JudgeOn::Done(squares));
        }
    }

    /// Makes the ply refused last stand, with the arguments of `[%stands]`. Returns whether it could.
    fn stand(&mut self, event: Happening, arguments: &[u8]) -> bool {
        self.state.last.refused = None;
        let Some(refused) = self.referee.refused.take() else {
            return false;
        };
        let stray = self.referee.line.here();
        let mut before = self.referee.line.clone();
        before.back_to(refused.steps);
        let stood = self
            .state
            .keeps_rows()
            .then(|| before.now().latest().clone());
        let Some(brought) = before
            .happen(refused.at, event)
            .filter(|_| refused.steps <= stray)
        else {
            return false;
        };
        if refused.first {
            self.state.judging.resume();
        }
        self.referee.line = before;
        self.referee.open = refused.open;
        self.referee.begun = true;
        let game = self.referee.line.now().latest();
        if G::REPEATS {
            self.referee.history.start(game.key(), game.snapshot());
        } else {
            self.follow_course(true);
        }
        if let Some(before) = stood {
            self.row_stands(&before, refused.at, event, &brought, arguments);
        }
        G::made(self, &Step::Event(refused.at, event), &brought);
        true
    }

    /// `b1d6`: the illegal ply before this comment stands, and the game goes on from where the piece went.
    pub fn stands(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let at = self
            .referee
            .refused
            .as_ref()
            .map_or(G::Board::WHOLE, |refused| refused.at);
        let game = self.referee.latest();
        let mut event = game.displacement(Some(at), arguments);
        // If nothing was refused, there is no board that the command must be about.
        if event.is_none() && self.referee.refused.is_none() {
            event = game.displacement(None, arguments);
        }
        let Some(event) = event else {
            return false;
        };
        let index = self.state.last.refused.take();
        let Some(index) = index.filter(|_| self.referee.refused.is_some()) else {
            self.state.nothing_stands(place, self.parser);
            return true;
        };
        if self.stand(event, arguments) {
            self.state.let_stand(index);
        } else {
            self.state.leads_nowhere(event, place, self.parser);
        }
        true
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
        let is_move = matches!(written, Written::Move(_) | Written::Castle(_));
        if !is_move || rule.id == common::ENDED.id || now.iter().all(barred) {
            return None;
        }
        let Some(event) = self.certain(at, written) else {
            let reported = match written {
                Written::Move(pattern) if !self.may_lead_on(at, pattern) => JudgeOn::Nowhere,
                _ => JudgeOn::Unclear,
            };
            return Some(Beyond {
                event: None,
                reported,
            });
        };
        let leads = now
            .iter()
            .any(|reading| reading.clone().happen(at, event).is_some());
        let words = now
            .position()
            .and_then(|position| position.standing_words(at, event));
        Some(match words.filter(|_| leads) {
            Some(squares) => Beyond {
                event: Some(event),
                reported: JudgeOn::Certain(squares),
            },
            None => Beyond {
                event: None,
                reported: JudgeOn::Nowhere,
            },
        })
    }

    /// Whether any piece of a move's kind may have gone where the move goes, so that `[%stands]` can say which.
    fn may_lead_on(&self, at: G::Board, pattern: &Pattern) -> bool {
        self.now().iter().any(|reading| {
            let side = reading.due_at(at).map(|(_, side)| side);
            let Some(panel) = reading.panel(at) else {
                return false;
            };
            let events = displaced_to(pattern, &panel, side);
            events
                .into_iter()
                .any(|event| reading.clone().happen(at, event).is_some())
        })
    }

    /// From where to where the piece of an illegal ply went, where that is the same under every reading.
    fn certain(&self, at: G::Board, written: &Written) -> Option<Happening> {
        let Written::Move(pattern) = written else {
            return None;
        };
        let now = self.now();
        let mut origins = now
            .iter()
            .map(|reading| Some((reading.origin(at, pattern)?, reading.due_at(at)?.1)));
        let (from, side) = origins.next()??;
        let is_same = origins.all(|other| other == Some((from, side)));
        // Whose king goes as in castling has moved a rook, or not.
        let home = if side == Side::White { 0 } else { 7 };
        let castles = G::ALPHABET.files == 8 && pattern.role == Role::King && from.rank == home;
        if !is_same
            || castles
                && now
                    .iter()
                    .any(|reading| reading.castling_of(from, pattern.to).is_some())
        {
            return None;
        }
        Some(Happening::Displaced {
            from,
            to: pattern.to,
            arrival: pattern.arrival,
        })
    }
}

/// What may have happened: any piece of a move's kind went where the move goes.
fn displaced_to(pattern: &Pattern, panel: &Panel, side: Option<Side>) -> Vec<Happening> {
    let Pattern {
        role, to, arrival, ..
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
        .map(|(from, _)| Happening::Displaced { from, to, arrival })
        .collect()
}

impl RecordState {
    /// Says that no illegal move is there to stand.
    fn nothing_stands(&mut self, place: TextSpan, parser: &Parser<'_>) {
        let message = "[%stands] belongs right after an illegal move, and there is none before it";
        self.find(&code::BAD_COMMAND, place, parser, message.into());
    }

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

    /// Says that a move that stands leads to no position.
    fn leads_nowhere(&mut self, event: Happening, place: TextSpan, parser: &Parser<'_>) {
        let Happening::Displaced { from, to, .. } = event else {
            return;
        };
        let message = format!("no legal position results from putting the piece on {from} on {to}");
        self.find(&code::BAD_COMMAND, place, parser, message);
    }
}
