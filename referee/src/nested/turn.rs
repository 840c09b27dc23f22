//! Turns of mega-boards: where their items begin and end, and what is reported if a turn is incomplete.

use super::*;

impl Referee<Mega> {
    pub(super) fn in_turn(&self) -> bool {
        !self.open.turns.is_empty()
    }

    /// A turn begins: checks its number.
    pub(super) fn begin_turn(&mut self, state: &mut RecordState, parser: &Parser<'_>) {
        if let Some(position) = self.line.now().position() {
            state.last.number = (position.fullmove(), position.turn());
            self.expect_number(state.last.number, state, parser);
        }
        self.line.remember();
    }

    pub(super) fn open_turn(
        &mut self,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let Some(outer) = self.open.turns.last().map(|turn| turn.path) else {
            self.begin_turn(state, parser);
            self.open.turns.push(Turn::on(BoardPath::OUTERMOST));
            return self.numbering(state);
        };
        let Some(on) = self.open.item.take() else {
            self.without_address(*parser.place(), state, parser);
            self.open.turns.push(Turn::on(outer));
            self.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, state);
            return None;
        };
        let path = outer.on(on);
        self.open.turns.push(Turn::on(path));
        let is_chess = usize::from(self.options.level) <= path.len();
        let is_known = self.line.now().is_any() && self.line.now().lost_around(path).is_none();
        if is_chess && state.judging && is_known {
            let words = format!("{path} is a board of chess, which has no boards inside");
            state.last.place = *parser.place();
            self.refuse(
                path,
                "<",
                Refusal::new(words, &law::LEVELS, path),
                state,
                parser,
            );
        }
        None
    }

    /// An item of a turn lacks the address of its board, so it cannot be judged.
    pub(super) fn without_address(
        &self,
        place: TextSpan,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) {
        if !state.judging || !self.line.now().is_any() {
            return;
        }
        let text = decode(parser.text(place.span)).0.into_owned();
        let message = format!(
            "the board is missing: in a turn every item follows the address of its board, as in `A2.{text}`"
        );
        if let Some(finding) = state.find(&code::BAD_PLY, place, parser, message) {
            finding.rule = Some(&common::JUDGED);
        }
    }

    /// The side and number of a turn that begins, so that its number can be written.
    pub(super) fn numbering(&self, state: &RecordState) -> Option<Canonical> {
        let position = self
            .line
            .now()
            .position()
            .filter(|_| state.canonical && state.judging)?;
        Some(Canonical {
            written: Written::Pass,
            suffix: Suffix::None,
            side: position.turn(),
            number: position.fullmove(),
            coordinates: MoveText::new(),
            act: None,
            board: None,
            path: BoardPath::OUTERMOST,
        })
    }

    pub(super) fn close_turn(
        &mut self,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let turn = self.open.turns.pop()?;
        self.open.item = None;
        // `[%stands]` follows its act, before any bracket closes.
        state.last.refused = None;
        if !self.in_turn() {
            self.own.last = None;
        }
        if !state.judging || !self.line.now().is_any() {
            return None;
        }
        let goes_on = |reading: &Mega| reading.goes_on_at(&turn.path) && turn.begun;
        if self.line.now().iter().any(goes_on) {
            if !turn.doubtful {
                self.own.short.push(*parser.place());
                self.stops_short(&turn, state, parser);
            }
            self.stop(&turn, state);
            return None;
        }
        self.own.sign_due = Some((turn.sign, *parser.place()));
        let numbering = self.numbering(state)?;
        Some(Canonical {
            suffix: turn.sign,
            ..numbering
        })
    }

    /// The turn ends although some board, under some reading, still owes a move.
    pub(super) fn stops_short(&self, turn: &Turn, state: &mut RecordState, parser: &Parser<'_>) {
        let now = self.line.now();
        let all = now.iter().all(|reading| reading.goes_on_at(&turn.path));
        let place = *parser.place();
        if !all {
            let message = "whether this turn may stop here depends on a board that is not judged";
            state.find(&code::OPEN_PLY, place, parser, message.into());
            return;
        }
        let Some(Board::Mega(game)) = now
            .position()
            .and_then(|reading| reading.board_at(&turn.path))
        else {
            return;
        };
        let owed = match game.open() {
            Some(open) => list([MegaSquare(open)], "and"),
            None => list(game.offering().map(MegaSquare), "and"),
        };
        let made = game.used().count();
        let moves = if made == 1 { "move" } else { "moves" };
        let on = if turn.path.is_empty() {
            String::new()
        } else {
            format!(" on {}", turn.path)
        };
        let (number, side) = state.last.number;
        let message = format!(
            "{} the turn{on} stops after {made} board {moves}, and a move can still be made on {owed}",
            number_of(number, side)
        );
        let kind = if state.at_main_line() {
            &code::ILLEGAL_MOVE
        } else {
            &code::ILLEGAL_VARIATION
        };
        let moment = self.moment(state);
        if let Some(finding) = state.find(kind, place, parser, message) {
            finding.rule = Some(&law::EIGHT);
            finding.moment = moment;
            finding.path = turn.path.to_string();
            finding.board = Some(Box::new(mega::panel(&game, false)));
        }
    }

    /// A game that was stopped from outside may have been in the middle of a turn, which is then no fault.
    pub(super) fn excuse(&mut self, state: &mut RecordState) {
        let termination = state
            .current
            .header
            .text(Name::Termination)
            .map(|text| text.to_lowercase());
        let stopped = termination.is_some_and(|word| word != "normal");
        if stopped && !self.own.short.is_empty() {
            let short = std::mem::take(&mut self.own.short);
            state
                .findings
                .retain(|finding| !short.contains(&finding.place));
            state.current.course.ended = None;
            self.own.stopped = true;
        }
    }

    /// Continues after a turn that ended too early.
    pub(super) fn stop(&mut self, turn: &Turn, state: &mut RecordState) {
        let ended = |reading: &Mega| !reading.goes_on_at(&turn.path);
        if self.line.now().iter().any(ended) {
            self.line.change(|now| now.retain(ended));
            return;
        }
        self.line.happen(turn.path, Happening::Stopped);
        if let Some(outer) = self.open.turns.last_mut() {
            outer.begun = true;
        }
        if state.at_main_line() {
            self.follow_course(true, state);
        }
    }

    /// Compares the sign after a closed turn with the right one.
    pub(super) fn settle_sign(
        &mut self,
        event: Event,
        state: &mut RecordState,
        parser: &Parser<'_>,
    ) {
        let Some((right, place)) = self.own.sign_due.take() else {
            return;
        };
        let (given, place) = match event {
            Event::Suffix if parser.text(parser.place().span) == b"#" => {
                (Suffix::Mate, *parser.place())
            }
            Event::Suffix => (Suffix::Check, *parser.place()),
            _ => (Suffix::None, place),
        };
        if given != right {
            state.wrong_suffix(right, place, parser);
        }
    }

    /// Whether an item is in a turn that can take no further item, which has been reported; then its board is lost.
    pub(super) fn is_void(&mut self, at: BoardPath, state: &mut RecordState) -> bool {
        let is_void = self.open.turns.iter().any(|turn| turn.void);
        if is_void {
            self.lose(at, Unjudged::ThisMove, state);
        }
        is_void
    }
}
