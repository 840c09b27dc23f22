//! Linked boards as they are played: a position with many kings, boards that are no longer known, and
//! readings of what may have become of the kings there.

mod players;
mod remarks;

use super::{Desk, faults::Blow, play::Standing};
use crate::{finding as code, line::Clocks};
use overboard_formats::{
    canonical::{Canonical, board_number},
    header::Name,
    parse::{Event, Parser},
    san::{LINKED, San, Spelt, Suffix, board_index},
};
use overboard_games::{
    chess::laws as regular,
    registry::AnyGame,
    strategichess::linked::{
        self, Edition, FallenFlag, Linked, LinkedBoard, Ply, laws as law,
        order::{Order, Unfit},
    },
};
use overboard_rules::{
    game::{Game, Happening},
    general as common,
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    ply::{Arrival, BoardName, Pattern, Written},
    rule::Rule,
    square::{Side, Square},
};
use players::Players;

/// A game on linked boards.
#[derive(Default)]
pub(super) struct LinkedPlay {
    pub line: LinkedLine,
    outer: Vec<LinkedLine>,
    /// The board and side of the number read last.
    addressed: Option<(usize, Side)>,
    flag: FallenFlag,
    edition: Edition,
    /// Whether the number before the ply to come names no board, and that was said.
    reported: bool,
    players: Players,
    /// The clocks of each board.
    clocks: Vec<Clocks>,
    /// Whether the last ply refused was the first from which on something is not judged.
    first_lost: bool,
}

/// A line of play: the game itself, or a variation of it.
#[derive(Clone, Default)]
pub(super) struct LinkedLine {
    /// The position reached, as it would be under each reading; the kings of lost boards stand in the
    /// first of them.
    readings: Vec<Linked>,
    /// The positions before the last ply.
    before: Vec<Linked>,
    /// Boards whose position is not known, and those before the last ply.
    lost: Vec<bool>,
    lost_before: Vec<bool>,
}

impl LinkedLine {
    fn from(position: Linked) -> Self {
        let lost = vec![false; position.boards()];
        Self { before: vec![position.clone()], readings: vec![position], lost_before: lost.clone(), lost }
    }

    /// The line of a variation: it begins before the last ply.
    fn variation(&self) -> Self {
        Self {
            readings: self.before.clone(),
            before: self.before.clone(),
            lost: self.lost_before.clone(),
            lost_before: self.lost_before.clone(),
        }
    }

    /// The position under the first reading.
    pub fn position(&self) -> Option<&Linked> {
        self.readings.first()
    }

    /// The position under each reading.
    pub fn readings(&self) -> &[Linked] {
        &self.readings
    }

    /// Which boards are lost.
    pub fn lost(&self) -> &[bool] {
        &self.lost
    }

    /// Whether nothing is lost.
    pub fn is_known(&self) -> bool {
        !self.lost.contains(&true) && !self.readings.is_empty()
    }

    fn is_lost(&self, board: usize) -> bool {
        self.lost.get(board).copied().unwrap_or(true)
    }

    /// Remembers the position, to which a variation on the next ply returns.
    fn remember(&mut self) {
        match (&mut self.before[..], &self.readings[..]) {
            ([before], [now]) => {
                let touched = now.touched().to_vec();
                before.follow(now, &touched);
            }
            _ => self.before.clone_from(&self.readings),
        }
        self.lost_before.clone_from(&self.lost);
    }

    /// From here on nothing is known of a board; its kings may stand or be gone.
    fn lose(&mut self, board: usize) {
        if self.is_lost(board) {
            return;
        }
        self.before.clone_from(&self.readings);
        self.lost_before.clone_from(&self.lost);
        if let Some(lost) = self.lost.get_mut(board) {
            *lost = true;
        }
        for side in [Side::White, Side::Black] {
            let gone: Vec<_> =
                self.readings.iter().filter_map(|reading| reading.without_king(board, side)).collect();
            // A king more or a king less of each team is all that matters.
            if self.readings.len() < 4 {
                self.readings.extend(gone);
            } else if let [_, others @ ..] = &mut self.readings[..] {
                others.iter_mut().for_each(|reading| {
                    if let Some(without) = reading.without_king(board, side) {
                        *reading = without;
                    }
                });
            }
        }
    }

    /// A man goes to a board that is lost.
    fn carry_over(&mut self, board: usize, from: Square, to: Square, next: usize) {
        let carried = displaced(&self.readings, board, (from, to), next);
        if carried.is_empty() {
            self.lose_all();
        } else {
            self.readings = carried;
        }
    }

    fn lose_all(&mut self) {
        self.lost.fill(true);
    }
}

/// The readings after a man was put on another square of his board or of the next one, where they can go on.
fn displaced(readings: &[Linked], board: usize, (from, to): (Square, Square), next: usize) -> Vec<Linked> {
    let arrival = match u16::try_from(next) {
        _ if next == board => Arrival::Here,
        Ok(next) => Arrival::Beside(next),
        Err(_) => return Vec::new(),
    };
    let event = Happening::Displaced { from, to, arrival };
    let happened = |reading: &Linked| {
        let mut after = reading.clone();
        after.happen(LinkedBoard::of(board), event).map(|()| after)
    };
    readings.iter().filter_map(happened).collect()
}

/// What a written ply means under all readings.
enum Meaning {
    /// The same under each.
    Legal(Ply),
    /// Legal under some.
    Open(Ply),
    /// Legal under none.
    Illegal,
}

impl LinkedPlay {
    /// A game on as many boards and under such rules as the tags ask for.
    pub fn new(desk: &Desk) -> Self {
        let declared = desk.header.text(Name::Rules).unwrap_or_default();
        let has =
            |option| desk.options.rules.split(':').chain(declared.split(':')).any(|item| item == option);
        let edition = linked::edition(&format!("{}:{declared}", desk.options.rules));
        let flag = if has("flag=end") { FallenFlag::End } else { FallenFlag::King };
        let boards = desk.boards().min(desk.options.limits.boards);
        let players = Players::of(&desk.header, boards);
        Self {
            line: LinkedLine::from(Linked::first(boards, edition).with_flag(flag)),
            flag,
            edition,
            players,
            ..Self::default()
        }
    }

    /// Nothing is left from another game: a new one was made.
    pub const fn reset(&mut self) {
        self.addressed = None;
    }

    fn set(&mut self, position: Linked) {
        self.line = LinkedLine::from(position.with_flag(self.flag));
    }

    /// Sets up the position that the tags ask for.
    pub fn set_up(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let Some((fen, place)) = desk.fen_tag(parser) else { return };
        match linked::read(&fen, self.edition) {
            Ok(linked::Reading { linked: position, lenient, mated }) => {
                if position.boards() != self.line.lost.len() {
                    desk.judging = false;
                    let message = format!(
                        "Boards lists {} boards, while the FEN has {}",
                        self.line.lost.len(),
                        position.boards()
                    );
                    desk.find(&code::BAD_LIST, place, parser, message);
                } else if lenient {
                    let message = "the FENs of linked boards are joined by ` | `, each with five fields";
                    desk.find(&code::FEN_FORM, place, parser, message.into());
                }
                for (board, side) in mated {
                    let message = format!(
                        "the {} king on board {} is mated and not its team's last: it is taken off at once",
                        side.adjective(),
                        BoardName(board)
                    );
                    if let Some(finding) = desk.find(&code::MATED_IN_FEN, place, parser, message) {
                        finding.rule = Some(&law::SET_UP_MATED);
                    }
                }
                self.set(position);
            }
            Err(fault) => {
                desk.judging = false;
                desk.refuse_fen(&fen, place, &fault, &law::LINKS, parser);
            }
        }
    }

    /// The first position stands.
    pub fn start(&mut self, desk: &mut Desk) {
        desk.course.ended = self.line.position().and_then(Linked::end_by_itself);
    }

    /// How things stand at the end of the record.
    pub fn standing(&self, desk: &Desk) -> Standing {
        let complete = desk.judging && self.line.is_known();
        Standing {
            complete,
            ruling: desk.course.ended,
            to_move: Side::White,
            can_mate: [true, true],
            claims: &law::COUNT,
            score: self.score(desk),
        }
    }

    /// What is wrong with an instruction of a side's captain, as things stand.
    pub fn against_order(&self, order: &Order, side: Side) -> Option<Unfit> {
        let boards = self.line.position().filter(|_| self.line.is_known());
        self.players.against(order, side, boards)
    }

    /// The position reached, where every board is known.
    pub fn reached(&self) -> Option<AnyGame> {
        self.line.position().filter(|_| self.line.is_known()).cloned().map(AnyGame::from)
    }

    /// Takes an event of the movetext; answers how a ply found legal is to be written.
    pub fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        match event {
            Event::Ply => return self.ply(desk, parser),
            Event::Number => self.number(desk, parser),
            Event::Prose(prose, part) => self.prose(prose, part, desk, parser),
            Event::Nag => desk.nag(parser),
            Event::Glyphs => desk.glyphs(parser),
            Event::RavOpen => self.open_rav(desk, parser),
            Event::RavClose => self.close_rav(desk),
            Event::SubgameOpen | Event::TurnOpen | Event::ActionOpen(_) => {
                self.open_block(event, desk, parser);
            }
            Event::BlockClose(_) => desk.block_depth = desk.block_depth.saturating_sub(1),
            Event::Result if desk.block_depth == 0 => desk.result(parser),
            Event::Tag => desk.tag(parser),
            Event::Fault(fault) => match desk.fault(fault, parser) {
                Blow::None => {}
                Blow::Loses => self.lose_all(desk, parser),
                Blow::ClosesAndLoses => {
                    self.close_rav(desk);
                    self.lose_all(desk, parser);
                }
            },
            _ => {}
        }
        None
    }

    fn open_block(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        desk.foreign_block(event, parser);
        self.lose_all(desk, parser);
        desk.judging = false;
    }

    fn lose_all(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.at_main_line() && desk.unjudged_from.is_none() {
            desk.unjudged_from = Some(format!("line {}", parser.place().line));
        }
        self.line.lose_all();
    }

    fn open_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.judging && desk.plies == 0 && desk.at_main_line() {
            desk.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        self.addressed = None;
        desk.ravs = self.outer.len();
    }

    fn close_rav(&mut self, desk: &mut Desk) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        desk.ravs = self.outer.len();
        self.addressed = None;
    }

    /// `12A.` before a ply of White on board A, `12a.` before one of Black.
    fn number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if !desk.judging || desk.block_depth > 0 {
            return;
        }
        let place = *parser.place();
        let text = parser.text(place.span);
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let letters = text[digits..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if digits == 0 && letters == 0 {
            // Dots apart from their number are a finding of the parser's, and the number before them stands.
            return;
        }
        let (number, rest) = text.split_at(digits);
        let (name, dots) = rest.split_at(letters);
        let board = board_index(name).map(usize::from);
        self.addressed = None;
        let Some(board) = board else { return };
        if board >= self.line.lost.len() {
            let message =
                format!("there is no board {}: there are {}", BoardName(board), self.line.lost.len());
            desk.find(&code::NO_BOARD, place, parser, message);
            self.reported = true;
            return;
        }
        let side = if name[0].is_ascii_uppercase() { Side::White } else { Side::Black };
        self.addressed = Some((board, side));
        if dots != b"." {
            let message =
                format!("a number with the letter of a board has one dot: `{}`", self.number_of(board));
            desk.find(&code::NUMBER_FORM, place, parser, message);
        }
        let Some(position) = self.line.position().filter(|_| !self.line.is_lost(board)) else { return };
        let expected = position.fullmove(board);
        let given = std::str::from_utf8(number).ok().and_then(|digits| digits.parse().ok());
        if position.turn(board) == side && given != Some(expected) {
            let message = format!("the number of this move is `{}`", self.number_of(board));
            desk.find(&code::MOVE_NUMBER, place, parser, message);
        }
    }

    /// The number of the move to come on a board, as it is written.
    fn number_of(&self, board: usize) -> String {
        let Some(position) = self.line.position() else { return String::new() };
        board_number(board as u16, position.fullmove(board), position.turn(board))
    }

    fn ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let main = desk.at_main_line();
        desk.last.place = *parser.place();
        desk.last.refused = None;
        if main && desk.block_depth == 0 {
            desk.plies += 1;
            desk.course.wrong_claim = None;
        }
        if !desk.judging || desk.block_depth > 0 {
            return None;
        }
        let addressed = self.addressed.take();
        let read = San::parse(parser.text(desk.last.place.span), &LINKED);
        let Some((board, side)) = addressed else {
            self.without_board(desk, parser);
            return None;
        };
        desk.last.board = Some(board as u16);
        desk.last.number = (self.line.position().map_or(1, |position| position.fullmove(board)), side);
        let san = match read {
            Ok(san) => san,
            Err(fault) => {
                desk.find(&code::BAD_PLY, desk.last.place, parser, format!("this is no move: {fault}"));
                self.lose(board, desk);
                return None;
            }
        };
        if main && desk.course.ended.is_some() {
            self.past_the_end(board, desk, parser);
            return None;
        }
        if self.line.is_lost(board) {
            self.cross_from_the_unknown(&san.written, desk);
            return None;
        }
        if !self.is_turn(board, side, &san, desk, parser) {
            return None;
        }
        match san.written {
            Written::Move(Pattern { arrival: Arrival::Beside(next), .. })
                if self.line.lost.get(usize::from(next)) == Some(&true) =>
            {
                self.cross_into_the_unknown(board, usize::from(next), &san, desk, parser);
                None
            }
            _ => self.judge(board, &san, desk, parser),
        }
    }

    fn without_board(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if self.line.is_known() && !std::mem::take(&mut self.reported) {
            let message = "on which board? On linked boards a number with the letter of the board stands before every ply: `12A.` for White, `12a.` for Black";
            desk.find(&code::NO_BOARD, desk.last.place, parser, message.into());
        }
        self.lose_all(desk, parser);
    }

    /// What crosses from a board that is not known makes the one it arrives on unknown.
    fn cross_from_the_unknown(&mut self, written: &Written, desk: &mut Desk) {
        if let Written::Move(Pattern { arrival: Arrival::Beside(board), .. }) = written {
            self.lose(usize::from(*board), desk);
        }
    }

    fn lose(&mut self, board: usize, desk: &mut Desk) {
        if desk.at_main_line() && desk.unjudged_from.is_none() {
            desk.unjudged_from = Some(self.number_of(board));
        }
        self.line.lose(board);
    }

    /// Whether it is the side's turn on a board; else the ply is refused.
    fn is_turn(&mut self, board: usize, side: Side, san: &San, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some(position) = self.line.position() else { return false };
        let turn = position.turn(board);
        if turn != side {
            let written = board_number(board as u16, position.fullmove(board), side);
            let words = format!("it is {turn}'s turn on board {}", BoardName(board));
            self.refuse(board, (&written, san), (words, &regular::TURN), Vec::new(), desk, parser);
        }
        turn == side
    }

    /// A crossing to a board of which nothing is known is judged by what is known: the man, his way to the
    /// edge, the kings on the other boards.
    fn cross_into_the_unknown(
        &mut self,
        board: usize,
        next: usize,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let Written::Move(Pattern { to, capture, .. }) = san.written else { return };
        let suppose = |reading: &Linked| reading.supposing(next, capture.then_some(to), reading.turn(board));
        let supposed: Vec<_> = self.line.readings.iter().map(suppose).collect();
        let meant = supposed.iter().find_map(|reading| reading.meant(board, &san.written).next());
        match meant.and_then(Ply::squares) {
            None => self.refuse_by_rule(supposed.first(), board, san, desk, parser),
            // Nobody played what stands in a variation.
            Some(_) if !desk.at_main_line() => self.line.lose(board),
            Some((from, to)) => {
                let message =
                    format!("legal or not by what stands on board {}, which is not judged", BoardName(next));
                desk.find(&code::OPEN_PLY, desk.last.place, parser, message);
                self.line.remember();
                self.line.carry_over(board, from, to, next);
                desk.last.moved = true;
                desk.course.ended = self.end_by_itself();
            }
        }
    }

    fn judge(&mut self, board: usize, san: &San, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        match self.meaning(board, &san.written) {
            Meaning::Legal(ply) => self.accept(ply, san, desk, parser),
            // Nobody played what stands in a variation.
            Meaning::Open(_) if !desk.at_main_line() => {
                self.line.lose(board);
                None
            }
            Meaning::Open(ply) => {
                let message = "legal or not by what has become of a king on a board that is not judged";
                desk.find(&code::OPEN_PLY, desk.last.place, parser, message.into());
                self.drop_readings(ply);
                self.accept(ply, san, desk, parser)
            }
            Meaning::Illegal => {
                let position = self.line.position().cloned();
                self.refuse_by_rule(position.as_ref(), board, san, desk, parser);
                None
            }
        }
    }

    fn meaning(&self, board: usize, written: &Written) -> Meaning {
        let meant = |reading: &Linked| {
            let mut plies = reading.meant(board, written);
            plies.next().filter(|_| plies.next().is_none())
        };
        let found: Vec<_> = self.line.readings.iter().map(meant).collect();
        match found.iter().flatten().next() {
            None => Meaning::Illegal,
            Some(ply) if found.iter().all(|this| this.as_ref() == Some(ply)) => Meaning::Legal(*ply),
            Some(ply) => Meaning::Open(*ply),
        }
    }

    /// Keeps only the readings under which a ply is legal: it was played.
    fn drop_readings(&mut self, ply: Ply) {
        self.line
            .readings
            .retain(|reading| reading.meant(ply.board(), &reading.written(ply)).any(|meant| meant == ply));
    }

    fn accept(&mut self, ply: Ply, san: &San, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let position = self.line.position()?;
        let (side, number) = (position.turn(ply.board()), position.fullmove(ply.board()));
        let captures = position.captures(ply);
        let written = match san.written {
            // It meant the ply alone, under the one reading there is.
            Written::Move(given) if given.is_shortest(captures) && self.line.readings.len() == 1 => {
                san.written
            }
            _ => position.written(ply),
        };
        if let (Written::Move(given), Written::Move(right)) = (&san.written, &written)
            && given != right
        {
            desk.tell_spelling(given, right, captures, parser);
        }
        if let Some(leniency) = san.leniency {
            desk.forgive(leniency, parser);
        }
        self.line.remember();
        let reached = self.play(ply);
        // A pass carries no sign.
        let suffix = if ply.is_pass() { Suffix::None } else { reached };
        if suffix != san.suffix {
            desk.wrong_suffix(suffix, desk.last.place, parser);
        }
        desk.last.moved = true;
        if desk.at_main_line() {
            desk.course.ended = self.end_by_itself();
        }
        desk.canonical.then(|| Canonical {
            written,
            suffix,
            side,
            number,
            board: Some(ply.board() as u16),
            path: BoardPath::OUTERMOST,
            coordinates: linked::coordinates(ply),
            act: None,
        })
    }

    /// Plays a ply under every reading; answers the sign that it must carry under the first.
    fn play(&mut self, ply: Ply) -> Suffix {
        let mut suffix = Suffix::None;
        for (index, reading) in self.line.readings.iter_mut().enumerate() {
            let side = reading.turn(ply.board());
            let kings = reading.kings();
            reading.play(ply);
            if index == 0 {
                suffix = linked::suffix(kings, reading, side);
            }
        }
        suffix
    }

    /// The end, where it has come under every reading.
    fn end_by_itself(&self) -> Option<Ruling> {
        let mut endings = self.line.readings.iter().map(Linked::end_by_itself);
        let first = endings.next()??;
        endings.all(|ending| ending.is_some_and(|ruling| ruling.outcome == first.outcome)).then_some(first)
    }

    fn refuse_by_rule(
        &mut self,
        position: Option<&Linked>,
        board: usize,
        san: &San,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let Some(position) = position else { return };
        let refusal = position.refuse(board, &san.written);
        let mut possible: Vec<_> =
            refusal.possible.iter().map(|ply| linked::san(position, *ply).to_string()).collect();
        possible.sort_unstable();
        let number = self.number_of(board);
        self.refuse(board, (&number, san), (refusal.words, refusal.rule), possible, desk, parser);
    }

    fn refuse(
        &mut self,
        board: usize,
        (number, san): (&str, &San),
        (words, rule): (String, &'static Rule),
        possible: Vec<String>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let message = format!("{number} {} is illegal: {words}", Spelt(san.written));
        let panel = self.line.position().map(|position| linked::panel(position, board));
        let path = BoardName(board).to_string();
        if let Some(finding) = desk.find(kind, desk.last.place, parser, message) {
            finding.rule = Some(rule);
            finding.possible = possible;
            finding.board = panel.map(Box::new);
            finding.path = path;
            desk.last.refused = desk.at_main_line().then(|| desk.findings.len() - 1);
        }
        self.first_lost = desk.unjudged_from.is_none();
        self.lose(board, desk);
    }

    fn past_the_end(&mut self, board: usize, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(ended) = desk.course.ended else { return };
        if self.line.is_lost(board) {
            return;
        }
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
        }
        desk.unjudged_from.get_or_insert_with(|| self.number_of(board));
        self.lose_all(desk, parser);
    }

    /// What the tag Score must say: the kings left, none for a team that was mated, resigned or broke the
    /// rules (SC-36).
    fn score(&self, desk: &Desk) -> Option<[u32; 2]> {
        let mut kings = self.line.position().filter(|_| self.line.is_known())?.kings();
        if let Some(Ruling { outcome: Outcome::Win(winner), cause, .. }) = desk.course.ended
            && matches!(cause, Cause::Checkmate | Cause::Resignation | Cause::Infraction)
        {
            kings[winner.other() as usize] = 0;
        }
        Some(kings)
    }
}
