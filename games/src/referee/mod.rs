//! Judging records whose game is known only from their tags: [`AnyReferee`] follows a record as it is read, judges every
//! ply, and returns a [`Report`] of its findings.
//!
//! This is all that a Rust program needs to judge games. The tags of a record say which game it is and by which rules
//! it is judged; without a tag Variant it is orthodox chess. A [finding](overboard_referee::finding::Finding) has a stable
//! code, a message, the rule that was broken, and its place in the text:
//!
//! ```
//! use overboard_formats::{limits::Limits, parse::Parser};
//! use overboard_games::referee::AnyReferee;
//! use overboard_referee::{Options, finding::Verdict};
//!
//! let text = "1. e4 e5 2. Ke3 Nf6 *";
//! let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
//! let mut referee = AnyReferee::new(Options::default());
//! while let Some(report) = referee.judge(&mut parser).unwrap() {
//!     assert_eq!(report.verdict, Verdict::Illegal);
//!     let finding = report.findings.iter().find(|finding| finding.rule.is_some()).unwrap();
//!     assert_eq!((finding.code.id, finding.rule.unwrap().id), ("illegal-move", "CH-13"));
//! }
//! ```

use crate::{
    bughouse::{self, Bughouse, bpgn::words::says_end},
    overchess::{self, Over, judge::call_sheet::Calls},
    registry::{AnyGame, GAMES, Variant, seat::Seat},
    strategichess::linked::{self, Linked, order::Order},
};
use overboard_formats::{
    canonical::Canonical,
    command,
    encoding::decode,
    foreign::Foreign,
    header::Name,
    lex::Prose,
    parse::{Event, GrammarFault, Parser, result_at_the_end},
    ply_rows::PlyRow,
    san::board_index,
    span::Span,
};
use overboard_referee::{
    Options,
    finding::{self as code, Finding, Verdict},
    game::{
        judge::Judge,
        notation::Notation as _,
        record::Seen,
        tags::{has_free_turns, is_of_an_item},
    },
    readings::Readings,
    record_state::{
        RecordState,
        players::{Chair, Players},
    },
    referee::Referee,
    remedy::{Remedy, by_own_law},
    report::{GameResult, Laws, Report},
    rows::SeenRow,
};
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Ruling},
    path::BoardPath,
    square::Side,
};
use std::{borrow::Cow, io};

pub mod replay;
pub mod rewrite;
pub mod witness;

/// Judges records one after the other, each by the rules of the game that its tags name.
pub struct AnyReferee {
    state: RecordState,
    seat: Seat,
}

impl AnyReferee {
    /// A referee with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            state: RecordState::new(options, false, GAMES),
            seat: Seat::default(),
        }
    }

    /// A referee that also returns the canonical form of each legal ply ([`hear`](Self::hear)).
    #[must_use]
    pub fn spelling(options: Options) -> Self {
        Self {
            state: RecordState::new(options, true, GAMES),
            seat: Seat::default(),
        }
    }

    /// Reads and judges the next record; `None` when there are no more.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn judge(&mut self, parser: &mut Parser<'_>) -> io::Result<Option<Report>> {
        loop {
            match parser.next()? {
                Event::Done => return Ok(None),
                Event::End => {
                    self.hear(Event::End, parser);
                    return Ok(Some(self.take_report(parser)));
                }
                event => {
                    self.hear(event, parser);
                }
            }
        }
    }

    /// The report on the record that has just ended.
    pub fn take_report(&mut self, parser: &mut Parser<'_>) -> Report {
        let state = &mut self.state;
        state.note_long_lines(parser);
        let referee = self.seat.referee_mut();
        referee.close(state);
        let standing = referee.standing(state, parser);
        let known = state.findings.len();
        let identity = state.identity(referee.key());
        let is_known = referee.is_known();
        let result = state.conclude(standing, parser);
        let laws = self.laws();
        if let Some(laws) = laws {
            let end = standing.ruling.map(|ruling| ruling.cause);
            self.state.compare_laws(laws.laws, end, parser);
        }
        let (unsettled, open) = (self.unsettled(), self.open_inside());
        let state = &mut self.state;
        state.end_rows(&standing, &result, unsettled, &open);
        let proof = state.every_act_judged(is_known, parser);
        if proof.is_some() {
            for finding in state.findings.after(known) {
                finding.moment = Some("end".into());
            }
        }
        state.findings.note_overflow();
        let (mut findings, notes_counted) = state.findings.take();
        for finding in &mut findings {
            if let (None, Some(rule)) = (&finding.remedy, finding.rule) {
                finding.remedy = by_own_law(finding.code, rule);
            }
        }
        findings.sort_by_key(Finding::turn);
        let verdict = Verdict::of(&findings, proof);
        self.state.judging.end();
        Report {
            file: Foreign::new("".into()),
            game: 0,
            shown_as: None,
            span: Span::new(self.state.first_word().span.from, parser.record_start()),
            variant: Foreign::new(self.variant_name()),
            laws,
            verdict,
            result,
            plies: self.state.games.whole().plies,
            findings,
            players: [Name::White, Name::Black]
                .map(|name| self.state.header().text(name).map(Foreign::new)),
            unjudged_from: self.state.judging.resume(),
            notes_counted,
            whole: None,
            identity,
        }
    }

    /// The laws by which the record is judged.
    fn laws(&self) -> Option<Laws> {
        let game = self.state.terms.game()?;
        Some(Laws {
            game: game.name,
            laws: game.laws_on(self.linked().is_some()),
        })
    }

    fn variant_name(&self) -> Cow<'static, str> {
        let chess = self.state.terms.catalogue().chess();
        match self.state.header().text(Name::Variant) {
            Some(name) if self.state.terms.game() != Some(chess) => name.into(),
            _ => chess.name.into(),
        }
    }

    /// Handles an event of the record. For a ply found legal, a referee made with [`Self::spelling`] returns how
    /// it is to be written.
    #[inline]
    pub fn hear(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        if self.state.rows.is_some() {
            let is_ply = self.is_ply(event, parser);
            let before = self.state.before_event(event, is_ply, parser);
            let canonical = self.take_event(event, parser);
            if let Some(before) = before {
                let is_known = self.is_known();
                self.state.after_event(event, before, is_known, parser);
            }
            canonical
        } else {
            self.take_event(event, parser)
        }
    }

    #[inline]
    fn take_event(&mut self, event: Event, parser: &Parser<'_>) -> Option<Canonical> {
        if !self.state.judging.has_begun() && self.before_moves(event, parser) {
            return None;
        }
        if self.state.judging.has_begun() && self.state.early.holds_any() {
            self.obey_early(parser);
        }
        self.seat.referee_mut().hear(event, &mut self.state, parser)
    }

    /// Handles an event that may come before the moves; returns whether it was one.
    #[inline(never)]
    fn before_moves(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        match event {
            Event::Begin => self.state.begin(*parser.place()),
            Event::Tag => self.state.tag(parser),
            Event::Prose(prose, _) if self.waits_for_moves(prose, parser) => {
                let place = *parser.place();
                self.state.early.keep(place, parser.text(place.span));
                return false;
            }
            _ => {
                self.begin_moves(event, parser);
                return false;
            }
        }
        true
    }

    /// Whether a comment among the tags holds commands that must wait: a tag after it may still name the game, its rules or
    /// its first position.
    fn waits_for_moves(&self, prose: Prose, parser: &Parser<'_>) -> bool {
        prose != Prose::Escape
            && parser.tags_follow()
            && has_command(parser)
            && self.state.early.has_room(parser.place().span)
    }

    /// Whether a comment behind the tags of a match of Bughouse says how that ended, as where a player resigns at once.
    fn ends_without_moves(&self, parser: &Parser<'_>) -> bool {
        let text = parser.text(parser.place().span);
        says_end(&decode(text).0)
            && !parser.tags_follow()
            && GAMES.of_record(self.state.header()) == Some(&bughouse::INFO)
    }

    /// Obeys the commands of comments among the tags, once the moves have begun.
    #[cold]
    fn obey_early(&mut self, parser: &Parser<'_>) {
        for (place, text) in self.state.early.take() {
            self.seat
                .referee_mut()
                .obey(place, &text, &mut self.state, parser);
        }
    }

    /// Sets up the position that the tags ask for, if the moves begin with this event. The event itself has not been
    /// handled then.
    pub fn begin_moves(&mut self, event: Event, parser: &Parser<'_>) {
        let begins = match event {
            Event::Prose(prose, _) => {
                prose != Prose::Escape
                    && (has_command(parser) && !self.waits_for_moves(prose, parser)
                        || self.ends_without_moves(parser))
            }
            Event::Fault(fault) => !matches!(
                fault,
                GrammarFault::Mark
                    | GrammarFault::NotText(_)
                    | GrammarFault::BadTag(_)
                    | GrammarFault::Control
            ),
            Event::Number
            | Event::Ply
            | Event::RavOpen
            | Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Result
            | Event::UnderWay
            | Event::End => true,
            _ => false,
        };
        if begins && !self.state.judging.has_begun() {
            self.enter_moves(parser);
            if self.state.is_a_rest(event, parser) {
                self.state.refuse_the_rest(parser);
            }
        }
    }

    /// Whether an event is a ply. A result inside a turn is one, too, and so is castling where a result could stand.
    #[must_use]
    pub fn is_ply(&self, event: Event, parser: &Parser<'_>) -> bool {
        let referee = self.seat.referee();
        match event {
            Event::Ply => true,
            Event::Result => referee.takes_results() || referee.castles_last(&self.state, parser),
            _ => false,
        }
    }

    /// The position of a game of Overchess, if rows are kept.
    fn over_in_rows(&self) -> Option<&Over> {
        if !self.state.keeps_rows() {
            return None;
        }
        self.seat.as_one_of::<Over>()?.position()
    }

    /// Of a game of Overchess that ends before its last over-moves are settled, the moments of these, and the positions:
    /// those of the games inside before that of the whole game.
    fn unsettled(&self) -> Vec<PlyRow> {
        let Some(over) = self.over_in_rows() else {
            return Vec::new();
        };
        let row = |seen: Seen<BoardPath>| PlyRow {
            path: overchess::said(&seen.board),
            at: seen.moment,
            fen: seen.fen,
            ..PlyRow::default()
        };
        overchess::unsettled(over).map(row).collect()
    }

    /// The paths of the over-games of Overchess that are open inside the whole game, if rows are kept.
    fn open_inside(&self) -> Vec<String> {
        let Some(over) = self.over_in_rows() else {
            return Vec::new();
        };
        let paths = (1..over.open()).map(|level| over.path_of(level));
        paths.map(|path| overchess::said(&path)).collect()
    }

    /// A comment with the moves in its commands in English, as all moves are written.
    #[must_use]
    pub fn in_english<'t>(&self, comment: &'t [u8]) -> Cow<'t, [u8]> {
        self.state.in_english(comment)
    }

    /// A ply that is not legal in English.
    #[must_use]
    pub fn ply_in_english<'t>(&self, ply: &'t [u8]) -> Cow<'t, [u8]> {
        self.state.ply_in_english(ply)
    }

    /// The comment that was read last as it is written: with moves in English, and in this notation.
    #[must_use]
    pub fn written<'t>(&mut self, comment: &'t [u8]) -> Cow<'t, [u8]> {
        match self.seat.referee_mut().rewritten() {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => self.in_english(comment),
        }
    }

    /// Whether the comment read last may turn out to say how the game ended, if nothing but the result follows.
    #[must_use]
    pub fn leaves_open(&self) -> bool {
        self.seat.referee().leaves_open()
    }

    /// The same as [`written`](Self::written) for a comment that was left open, once the event behind it was heard.
    #[must_use]
    pub fn end_written<'t>(&mut self, comment: &'t [u8]) -> Cow<'t, [u8]> {
        match self.seat.referee_mut().end_rewritten() {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => self.in_english(comment),
        }
    }

    /// The result that is written at the end of a record in BPGN, where this text, if any, was read after its moves; `None`
    /// if it is written as it is.
    #[must_use]
    pub fn right_result(&self, here: Option<&[u8]>) -> Option<&'static str> {
        let here = here.and_then(result_at_the_end);
        self.seat.referee().right_result(&self.state, here)
    }

    /// The players of both teams on boards side by side.
    pub(crate) const fn players(&self) -> &Players {
        &self.state.players
    }

    /// The referee of a match of Bughouse; `None` for any other game.
    pub(crate) fn bughouse(&self) -> Option<&Referee<Bughouse>> {
        self.seat.as_one_of()
    }

    /// Plies of the main line so far.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.state.games.whole().plies
    }

    /// Whether neither a variation nor a block is open.
    #[must_use]
    pub fn in_main_line(&self) -> bool {
        self.state.at_main_line() && self.state.brackets.outside_blocks()
    }

    /// Whether no variation is open.
    #[must_use]
    pub fn is_at_main_line(&self) -> bool {
        self.state.at_main_line()
    }

    /// Whether play went on after the players or an arbiter had ended the game by something other than a
    /// move.
    #[must_use]
    pub fn played_on_after_words(&self) -> bool {
        match self.state.judging.played_past() {
            Some(cause) => cause == Cause::Flag || cause.status().is_none(),
            None => false,
        }
    }

    /// In a game of Overchess of this depth: the position of the whole game in which the open sub-game begins, if that
    /// is known and the sub-game is itself Overchess. Spares belong to the outermost game (OV-25) and are left out.
    #[must_use]
    pub fn around(&self, depth: usize) -> Option<String> {
        if !self.state.judging.is_on() {
            return None;
        }
        let referee = self.seat.as_one_of::<Over>()?;
        let position = referee.reached()?;
        let here = <Over as Judge>::here(referee);
        if here.len() >= depth || position.path() != here {
            return None;
        }
        let written = position.fen();
        let mut fields: Vec<_> = written.splitn(10, ' ').collect();
        *fields.get_mut(8)? = "-";
        Some(fields.join(" "))
    }

    /// The result of the sub-game whose block has just closed.
    #[must_use]
    pub fn concluded(&self) -> GameResult {
        self.state.games.concluded().clone()
    }

    /// Whether the moves have begun, and the tags have been read.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.state.judging.has_begun()
    }

    /// What ended the game so far.
    #[must_use]
    pub fn ended(&self) -> Option<Ruling> {
        self.state.games.whole().course.ended
    }

    /// What ended the innermost game that is open at this place of the text.
    #[must_use]
    pub fn ended_here(&self) -> Option<Ruling> {
        self.state.course().ended
    }

    /// What an arbiter does if this side makes an illegal move at this place of the text, on the board with this name where
    /// several are side by side (GEN-16).
    #[must_use]
    pub fn remedy_of_illegal_move(&self, side: Side, board: &str) -> Option<Remedy> {
        let board = board_index(board.as_bytes());
        let mover = Chair { side, board };
        self.state.remedy(&code::ILLEGAL_MOVE, mover, None)
    }

    /// The side that first said something forbidden in its game, and so loses when the game is over (SC-42).
    #[must_use]
    pub fn offender(&self) -> Option<Side> {
        Some(self.state.games.whole().course.offence?.side)
    }

    /// Whether the position is known on every board.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.state.judging.is_on() && self.seat.referee().is_known()
    }

    /// Whether anything is known of the position.
    #[must_use]
    pub fn knows_anything(&self) -> bool {
        self.state.judging.is_on() && self.seat.referee().knows_anything()
    }

    /// Linked boards as far as they are known; `None` for any other game.
    #[must_use]
    pub fn linked(&self) -> Option<&Readings<Linked>> {
        self.seat.as_one_of::<Linked>().map(Referee::now)
    }

    /// The players of a team on boards side by side as they are now, board A's first; none in any other game.
    #[must_use]
    pub fn team(&self, side: Side) -> &[String] {
        self.state.players.team(side)
    }

    /// Why the instruction of a side's captain on linked boards cannot be carried out in the present position.
    #[must_use]
    pub fn against_order(&self, order: &Order, side: Side) -> Option<String> {
        let referee = self.seat.as_one_of::<Linked>()?;
        linked::judge::against_order(referee, &self.state.players, order, side)
    }

    /// The acts of the main line of a game of Overchess so far, in coordinates; `None` unless
    /// [`Options::acts`] is set.
    #[must_use]
    pub fn acts(&self) -> Option<&str> {
        let is_of_over = self.seat.as_one_of::<Over>().is_some();
        if is_of_over { self.state.acts() } else { None }
    }

    /// Like [`acts`](Self::acts), for every game whose plies alone do not determine the game.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        self.acts()
            .or(self.state.acts().filter(|acts| !acts.is_empty()))
    }

    /// The next position of the main line that was kept because the options ask for it, and the number of plies before
    /// it.
    pub(crate) fn next_moment(&mut self) -> Option<(u32, AnyGame)> {
        let (plies, over) = self.seat.as_one_of_mut::<Over>()?.own.moments.pop_front()?;
        Some((plies, over.into()))
    }

    /// Whether there are positions between the plies of the main line; then the kept positions are all of them.
    pub(crate) fn keeps_moments(&self) -> bool {
        self.state.options().moments && self.seat.as_one_of::<Over>().is_some()
    }

    /// Whether the position is known and the last turn is complete.
    pub(crate) fn is_between_turns(&self) -> bool {
        self.position().is_some_and(|game| game.is_between_turns())
    }

    /// How many sub-games of the outermost over-game White and Black have won so far in the main line; `None` if the
    /// game is not Overchess.
    #[must_use]
    pub fn sub_games_won(&self) -> Option<BySide<u32>> {
        self.seat.as_one_of::<Over>().map(|referee| referee.own.won)
    }

    /// Who has to act at the end of the main line of a game of Overchess; `None` for other games, and if the position
    /// is not known or the game is over.
    #[must_use]
    pub fn calls(&self) -> Option<Calls> {
        let referee = self.seat.as_one_of::<Over>()?;
        if self.state.judging.is_on() {
            overchess::judge::calls(referee)
        } else {
            None
        }
    }

    /// The game of the record, as its tags say.
    #[must_use]
    pub fn game(&self) -> Option<Variant> {
        self.state.terms.game().map(Variant::with)
    }

    /// The level of Recursive Chess that the record asks for; `None` in another game, and where it cannot be
    /// determined.
    #[must_use]
    pub fn level(&self) -> Option<u8> {
        if self.state.terms.game()?.has_levels {
            self.state.level()
        } else {
            None
        }
    }

    /// The value of a tag of the record.
    #[must_use]
    pub fn tag(&self, name: Name) -> Option<String> {
        self.state.header().text(name)
    }

    /// The position reached; `None` if it is not known, or the game is not supported.
    #[must_use]
    pub fn position(&self) -> Option<AnyGame> {
        if !self.state.judging.is_on() {
            return None;
        }
        self.seat.referee().reached()
    }

    /// The next complete row of the main line, if [`Options::rows`] is set.
    pub fn next_row(&mut self) -> Option<PlyRow> {
        self.next_seen().map(|seen| seen.row)
    }

    /// The number, in its game, of the row that remarks belong to now; `None` unless rows are kept.
    #[must_use]
    pub fn row_now(&self) -> Option<u64> {
        self.state.row_now()
    }

    /// From here on until the end of the record no scenes are kept, nor plies of variations.
    pub fn stop_drawing(&mut self) {
        self.state.stop_drawing();
    }

    /// Of the rows before this one no scenes are kept: they are known.
    pub fn draw_from(&mut self, row: u64) {
        self.state.draw_from(row);
    }

    /// The bytes of remarks and tags of the current record that rows have no room for.
    #[must_use]
    pub fn words_left_out(&self) -> u64 {
        self.state.words_left_out()
    }

    /// Like [`next_row`](Self::next_row), with the row's scenes, if the options ask for them.
    pub fn next_seen(&mut self) -> Option<SeenRow> {
        self.state.next_seen()
    }

    /// The next ply of a variation with its scenes, if the options ask for scenes: in the order of the text, as soon as
    /// it has been read.
    pub fn next_aside(&mut self) -> Option<SeenRow> {
        self.state.next_aside()
    }

    /// Ends the tags: sets up the game that they declare.
    #[cold]
    fn enter_moves(&mut self, parser: &Parser<'_>) {
        let state = &mut self.state;
        state.judging.begin();
        let game = state.terms.catalogue().of_record(state.header());
        state.terms.set_game(game);
        let known = self.seat.take(state);
        state.terms.set_known(known);
        if !state.terms.is_known() {
            state.refuse_variant(parser);
        }
        let referee = self.seat.referee_mut();
        if state.terms.is_known() {
            let known = state.findings.len();
            referee.set_up(state, parser);
            hint_at_game(state, known);
        }
        state.check_tags(None, parser);
        state.games.current_mut().is_of_an_item = is_of_an_item(state.header());
        state.games.current_mut().has_free_turns = has_free_turns(state.header());
        if state.judging.is_on() {
            referee.start(state, parser);
        }
    }
}

/// Adds to the finding on a FEN that cannot be read, if the record names no game, of which game it is.
fn hint_at_game(state: &mut RecordState, known: usize) {
    let header = state.header();
    let (None, Some(fen)) = (header.bytes(Name::Variant), header.text(Name::Fen)) else {
        return;
    };
    let is_unread = |finding: &&mut Finding| finding.code == &code::BAD_FEN;
    let Some(finding) = state.findings.after(known).find(is_unread) else {
        return;
    };
    let reads = |game: &&Variant| {
        let first = AnyGame::start_under(**game, "");
        first.is_some_and(|first| first.read(&fen).is_ok())
    };
    if let Some(game) = Variant::ALL.iter().find(reads) {
        let name = game.info().name;
        let said = finding.message.as_it_came();
        finding.message = format!("{said}; it is one of {name}: [Variant \"{name}\"]").into();
    }
}

fn has_command(parser: &Parser<'_>) -> bool {
    command::commands(parser.text(parser.place().span))
        .next()
        .is_some()
}
