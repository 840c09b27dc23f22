//! What records of Mega-Chess and Recursive-Chess(N) have of their own: turns of plies on nested boards.

use super::{Desk, Unjudged, moment_before, number_of, referee::Referee};
use crate::{finding as code, judged::Judged};
use overboard_formats::{
    canonical::{Canonical, after_move},
    command::Command,
    encoding::decode,
    header::Name,
    parse::{Event, Open, Parser, is_address},
    san::{Alphabet, CHESS, MoveText, San, Suffix},
    span::Place,
};
use overboard_games::{
    chess,
    game_notation::Read,
    mega::{self, Act, Board, Effects, Mega, Options, Ply, laws as law},
    recorded::Recorded as _,
};
use overboard_pictures::diagram::Panel;
use overboard_rules::{
    game::{Claimable, Effects as _, Game as _, Happening, Refusal, Spelt},
    general as common,
    origin::only_origin,
    outcome::Cause,
    path::{BoardPath, MegaSquare},
    ply::{Pattern, Written},
    position::{Found, Movegen as _},
    refusal::list,
    rule::Rule,
    square::{Side, Square},
};

mod drawn;

/// What is kept of a record of nested boards.
#[derive(Default)]
pub(crate) struct Turns {
    /// The sign that must stand after the turn just closed, and where.
    sign_due: Option<(Suffix, Place)>,
    /// Where the last turn stopped short, and the turns inside it.
    short: Vec<Place>,
    /// Whether the game was stopped in the middle of a turn.
    stopped: bool,
    /// The item read last in the turn that is open.
    last: Option<Item>,
    /// The board of the item of the main line that was made last.
    made: Option<BoardPath>,
}

/// An item of a turn.
struct Item {
    path: BoardPath,
    place: Place,
    /// Steps before it.
    steps: usize,
    /// Where it is a draw: the game before it, and what was open.
    drawn: Option<(Mega, Brackets)>,
}

/// The turns that are open, the outermost first.
#[derive(Clone, Default)]
pub(crate) struct Brackets {
    turns: Vec<Turn>,
    /// The square of the item to come.
    item: Option<Square>,
}

/// A turn that is being read.
#[derive(Clone, Copy)]
struct Turn {
    path: BoardPath,
    /// Items that were read.
    items: u32,
    /// Whether the position has taken in one of them.
    begun: bool,
    /// The sign of what stood on the board when its turn was over.
    sign: Suffix,
    /// Whether an item could not be taken in, so that nothing is owed any more.
    doubtful: bool,
    /// Whether it was told that no item has a place in it any more.
    void: bool,
}

impl Turn {
    const fn on(path: BoardPath) -> Self {
        Self { path, items: 0, begun: false, sign: Suffix::None, doubtful: false, void: false }
    }
}

impl Referee<Mega> {
    fn in_turn(&self) -> bool {
        !self.open.turns.is_empty()
    }

    /// A turn begins: is its number there?
    fn begin_turn(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if let Some(position) = self.line.now().position() {
            desk.last.number = (position.fullmove(), position.turn());
            self.expect_number(desk.last.number, desk, parser);
        }
        self.line.remember();
    }

    fn open_turn(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let Some(outer) = self.open.turns.last().map(|turn| turn.path) else {
            self.begin_turn(desk, parser);
            self.open.turns.push(Turn::on(BoardPath::OUTERMOST));
            return self.numbering(desk);
        };
        let Some(on) = self.open.item.take() else {
            self.without_address(*parser.place(), desk, parser);
            self.open.turns.push(Turn::on(outer));
            self.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, desk);
            return None;
        };
        let path = outer.on(on);
        self.open.turns.push(Turn::on(path));
        let is_chess = usize::from(self.options.level) <= path.len();
        let is_known = self.line.now().is_any() && self.line.now().lost_around(path).is_none();
        if is_chess && desk.judging && is_known {
            let words = format!("{path} is a board of chess, which has no boards inside");
            desk.last.place = *parser.place();
            self.refuse(path, "<", Refusal::new(words, &law::LEVELS, path), desk, parser);
        }
        None
    }

    /// Something in a turn stands without the address of its board, so nobody knows what it is.
    fn without_address(&self, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
        if !desk.judging || !self.line.now().is_any() {
            return;
        }
        let text = decode(parser.text(place.span)).0.into_owned();
        let message = format!(
            "the board is missing: in a turn every item follows the address of its board, as in `A2.{text}`"
        );
        if let Some(finding) = desk.find(&code::BAD_PLY, place, parser, message) {
            finding.rule = Some(&common::JUDGED);
        }
    }

    /// The side and number of a turn that begins, for its number to be written.
    fn numbering(&self, desk: &Desk) -> Option<Canonical> {
        let position = self.line.now().position().filter(|_| desk.canonical && desk.judging)?;
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

    fn close_turn(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        let turn = self.open.turns.pop()?;
        self.open.item = None;
        // What stands is told behind its act, before anything is closed.
        desk.last.refused = None;
        if !self.in_turn() {
            self.own.last = None;
        }
        if !desk.judging || !self.line.now().is_any() {
            return None;
        }
        let goes_on = |reading: &Mega| reading.goes_on_at(&turn.path) && turn.begun;
        if self.line.now().iter().any(goes_on) {
            if !turn.doubtful {
                self.own.short.push(*parser.place());
                self.stops_short(&turn, desk, parser);
            }
            self.stop(&turn, desk);
            return None;
        }
        self.own.sign_due = Some((turn.sign, *parser.place()));
        let numbering = self.numbering(desk)?;
        Some(Canonical { suffix: turn.sign, ..numbering })
    }

    /// The turn ends although, under some reading, boards owe a move.
    fn stops_short(&self, turn: &Turn, desk: &mut Desk, parser: &Parser<'_>) {
        let now = self.line.now();
        let all = now.iter().all(|reading| reading.goes_on_at(&turn.path));
        let place = *parser.place();
        if !all {
            let message = "whether this turn may stop here depends on a board that is not judged";
            desk.find(&code::OPEN_PLY, place, parser, message.into());
            return;
        }
        let Some(Board::Mega(game)) = now.position().and_then(|reading| reading.board_at(&turn.path)) else {
            return;
        };
        let owed = match game.open() {
            Some(open) => list([MegaSquare(open)], "and"),
            None => list(game.offering().map(MegaSquare), "and"),
        };
        let made = game.used().count();
        let moves = if made == 1 { "move" } else { "moves" };
        let on = if turn.path.is_empty() { String::new() } else { format!(" on {}", turn.path) };
        let (number, side) = desk.last.number;
        let message = format!(
            "{} the turn{on} stops after {made} board {moves}, and a move can still be made on {owed}",
            number_of(number, side)
        );
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let moment = self.moment(desk);
        if let Some(finding) = desk.find(kind, place, parser, message) {
            finding.rule = Some(&law::EIGHT);
            finding.moment = moment;
            finding.path = turn.path.to_string();
            finding.board = Some(Box::new(mega::panel(&game, false)));
        }
    }

    /// A game that was stopped from outside may have been in the middle of a turn.
    fn excuse(&mut self, desk: &mut Desk) {
        let termination = desk.papers.header.text(Name::Termination).map(|text| text.to_lowercase());
        let stopped = termination.is_some_and(|word| word != "normal");
        if stopped && !self.own.short.is_empty() {
            let short = std::mem::take(&mut self.own.short);
            desk.findings.retain(|finding| !short.contains(&finding.place));
            desk.papers.course.ended = None;
            self.own.stopped = true;
        }
    }

    /// Goes on after a turn that stopped short.
    fn stop(&mut self, turn: &Turn, desk: &mut Desk) {
        let ended = |reading: &Mega| !reading.goes_on_at(&turn.path);
        if self.line.now().iter().any(ended) {
            self.line.change(|now| now.retain(ended));
            return;
        }
        self.line.happen(turn.path, Happening::Stopped);
        if let Some(outer) = self.open.turns.last_mut() {
            outer.begun = true;
        }
        if desk.at_main_line() {
            self.follow_course(true, desk);
        }
    }

    /// Compares the sign after a turn that was closed with the right one.
    fn settle_sign(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        let Some((right, place)) = self.own.sign_due.take() else { return };
        let (given, place) = match event {
            Event::Suffix if parser.text(parser.place().span) == b"#" => (Suffix::Mate, *parser.place()),
            Event::Suffix => (Suffix::Check, *parser.place()),
            _ => (Suffix::None, place),
        };
        if given != right {
            desk.wrong_suffix(right, place, parser);
        }
    }

    /// Whether an item stands in a turn in which no item has a place, as was told; then nothing is known of its board.
    fn is_void(&mut self, at: BoardPath, desk: &mut Desk) -> bool {
        let is_void = self.open.turns.iter().any(|turn| turn.void);
        if is_void {
            self.lose(at, Unjudged::ThisMove, desk);
        }
        is_void
    }
}

impl Judged for Mega {
    type Open = Brackets;
    type Own = Turns;
    type Memo = ();

    const ALPHABET: &'static Alphabet = &CHESS;
    const SET_UP: &'static Rule = &law::ARRAY;
    const NUMBERED: bool = false;

    fn read_fen(options: &Options, fen: &str) -> Read<Self> {
        mega::read(fen, *options)
    }

    fn form(_: &Options) -> &'static str {
        mega::FORM
    }

    /// Inside a turn: the board of the last item.
    fn here(table: &Referee<Self>) -> BoardPath {
        let item = table.own.last.as_ref().filter(|_| table.in_turn());
        item.map_or(BoardPath::OUTERMOST, |item| item.path)
    }

    fn address(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) -> Option<BoardPath> {
        let Some(turn) = table.open.turns.last() else { return Some(BoardPath::OUTERMOST) };
        let Some(on) = table.open.item else {
            table.without_address(desk.last.place, desk, parser);
            return None;
        };
        let path = turn.path.on(on);
        table.own.last = Some(Item { path, place: desk.last.place, steps: table.line.here(), drawn: None });
        table.open.item = None;
        Some(path)
    }

    fn read_number(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        if table.in_turn() { desk.numbered = true } else { table.number(desk, parser) }
    }

    fn told(table: &Referee<Self>, at: BoardPath, text: &str, desk: &Desk) -> String {
        let address = if at.is_empty() { String::new() } else { format!("{at}.") };
        let nth = table
            .open
            .turns
            .first()
            .map_or(String::new(), |turn| format!(", item {} of the turn,", turn.items + 1));
        let (number, side) = desk.last.number;
        format!("{} {address}{text}{nth}", number_of(number, side))
    }

    fn unjudged(table: &Referee<Self>, at: BoardPath, _: Unjudged) -> String {
        let position = table.line.now().latest();
        let number = number_of(position.fullmove(), position.turn());
        if at.is_empty() { number } else { format!("{number} on {at}") }
    }

    fn panel(&self, at: BoardPath) -> Option<Panel> {
        mega::zoomed(self, &at)?.rows.into_iter().next()?.panels.into_iter().next()
    }

    /// Within a turn after the item made last.
    fn moment(table: &Referee<Self>, _: &Desk) -> Option<String> {
        let position = table.line.now().latest();
        let due = (position.fullmove(), position.turn());
        match table.own.made {
            Some(path) if !position.is_between_turns() => {
                Some(format!("{}.{path}", after_move(due.0, due.1)))
            }
            _ if table.begun => Some(moment_before(Some(due))),
            _ => Some("start".into()),
        }
    }

    fn is_in_check(&self, at: BoardPath) -> bool {
        match self.board_at(&at) {
            Some(Board::Chess(chess)) => chess.in_check(),
            Some(Board::Mega(mega)) => mega.in_check() && mega.is_between_turns(),
            None => false,
        }
    }

    fn origin(&self, at: BoardPath, pattern: &Pattern) -> Option<Square> {
        match self.board_at(&at)? {
            Board::Chess(chess) => only_origin(&chess, pattern),
            Board::Mega(mega) => mega.only_origin(pattern),
        }
    }

    /// Mega-squares are told in capitals.
    fn standing_words(&self, at: BoardPath, event: Happening) -> Option<String> {
        let Happening::Displaced { from, to, .. } = event else { return None };
        Some(match self.board_at(&at)? {
            Board::Chess(_) => format!("{from}{to}"),
            Board::Mega(_) => format!("{}{}", MegaSquare(from), MegaSquare(to)),
        })
    }

    #[inline]
    fn overhear(table: &mut Referee<Self>, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        if table.own.sign_due.is_some() {
            table.settle_sign(event, desk, parser);
        }
    }

    fn bracket(
        table: &mut Referee<Self>,
        event: Event,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        match event {
            Event::Address => table.open.item = mega::address(parser.text(parser.place().span)),
            Event::TurnOpen => return table.open_turn(desk, parser),
            Event::BlockClose(Open::Turn) => {
                let turn = table.open.turns.last().map(|turn| (turn.path, turn.sign));
                let told = table.close_turn(desk, parser);
                if let Some((path, sign)) = turn.filter(|_| desk.tells_rows()) {
                    table.row_of_turn(path, sign.as_str(), desk);
                }
                return told;
            }
            Event::SubgameOpen if desk.judging && table.line.now().is_any() => {
                let text = decode(parser.text(parser.place().span)).0.into_owned();
                if is_address(text.as_bytes()) {
                    let message = format!("in a turn a dot follows the address of a board: `<{text}.`");
                    desk.find(&code::BAD_TOKEN, *parser.place(), parser, message);
                    table.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, desk);
                    desk.foreign += 1;
                    desk.block_depth += 1;
                    return None;
                }
                table.foreign(event, desk, parser);
            }
            _ => table.foreign(event, desk, parser),
        }
        None
    }

    fn result_inside(
        table: &mut Referee<Self>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Option<Canonical>> {
        table.in_turn().then(|| table.drawn_item(desk, parser))
    }

    fn takes_results(table: &Referee<Self>) -> bool {
        table.in_turn()
    }

    fn finish(table: &mut Referee<Self>, desk: &mut Desk, _: &Parser<'_>) {
        table.excuse(desk);
    }

    fn close_rav(table: &mut Referee<Self>, _: &mut Desk) {
        // No variation stands inside a turn.
        table.open = Brackets::default();
        table.own.last = None;
    }

    fn begin_ply(table: &mut Referee<Self>, desk: &mut Desk, parser: &Parser<'_>) {
        table.own.short.clear();
        table.count_ply(desk);
        if !table.in_turn() {
            table.begin_turn(desk, parser);
        }
    }

    /// A turn that is over takes no more items.
    fn bars(_: &Turns, open: &Brackets, reading: &Self, at: BoardPath) -> Option<Box<Refusal<Self>>> {
        let over = open.turns.iter().find(|turn| turn.begun && !reading.goes_on_at(&turn.path))?;
        let on = if over.path.is_empty() { String::new() } else { format!(" on {}", over.path) };
        let why = match over.items {
            8 => "moves were made on eight boards",
            _ => "no other board offers a move",
        };
        Some(Box::new(Refusal::new(format!("the turn{on} is over: {why}"), &law::EIGHT, at)))
    }

    /// The items after one that had no place in its turn have none either.
    fn into_lost(table: &mut Referee<Self>, at: BoardPath, _: &San, desk: &mut Desk, _: &Parser<'_>) -> bool {
        table.is_void(at, desk)
    }

    fn on_lost(table: &mut Referee<Self>, lost: BoardPath, at: BoardPath, _: &Written, _: &mut Desk) {
        // Inside a lost board nothing counts but that a turn was made on it, which its first item shows.
        let inside = at.len() > lost.len();
        let turns = &table.open.turns;
        let first = turns.last().is_none_or(|turn| turn.items == 0);
        if !inside || (first && turns.len() == lost.len() + 1) {
            table.forget(lost);
            table.open.turns.iter_mut().for_each(|turn| turn.begun = true);
        }
        table.open.turns.iter_mut().for_each(|turn| turn.items += 1);
    }

    fn captures(&self, ply: Ply) -> bool {
        match ply.act {
            Act::Move(m) => m.is_capture(),
            Act::Mega(m) => match self.faced_at(&ply.path) {
                Some(Board::Mega(game)) => game.captures(m),
                _ => false,
            },
            _ => false,
        }
    }

    fn canonical(&self, ply: Ply) -> Canonical {
        let (written, coordinates) = match (ply.act, self.spell(ply).1) {
            (Act::Move(m), Spelt::Ply(written)) => (written, chess::coordinates(m)),
            (Act::Mega(m), Spelt::Ply(written)) => (written, mega::mega_move(m)),
            (Act::Draw, _) => (Written::Pass, MoveText::from("1/2-1/2").unwrap_or_default()),
            _ => (Written::Pass, MoveText::from("--").unwrap_or_default()),
        };
        Canonical {
            written,
            suffix: Suffix::None,
            side: self.turn(),
            number: self.fullmove(),
            coordinates,
            act: None,
            board: None,
            path: ply.path,
        }
    }

    fn memo(&self, _: Ply) {}

    fn sign(_: &Referee<Self>, ply: Ply, (): (), brought: &Effects) -> Suffix {
        match ply.act {
            Act::Move(_) => mega::suffix(brought.checks_on_board()),
            Act::Mega(_) => mega::suffix(brought.checks_at(ply.path.len())),
            _ => Suffix::None,
        }
    }

    fn made(table: &mut Referee<Self>, ply: Option<Ply>, brought: &Effects, _: &mut Desk) {
        if table.outer.is_empty() {
            table.own.made = ply.map(|ply| ply.path).or(table.own.made);
        }
        for turn in &mut table.open.turns {
            turn.items += 1;
            turn.begun = true;
            if brought.turn_over(turn.path.len()) {
                turn.sign = mega::suffix(brought.checks_at(turn.path.len()));
            }
        }
    }

    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        let Some(board) = self.faced_at(&refusal.at) else { return Vec::new() };
        refusal.possible.iter().map(|ply| mega::act_san(&board, ply.act).to_string()).collect()
    }

    fn refused(table: &mut Referee<Self>, refusal: &Refusal<Self>) {
        let reading = table.line.now().latest();
        let is_over = Self::bars(&table.own, &table.open, reading, refusal.at).is_some();
        if is_over || refusal.rule == &law::ANSWER {
            table.open.turns.iter_mut().for_each(|turn| turn.void = true);
        }
    }

    fn lost(table: &mut Referee<Self>, at: BoardPath, could: bool) {
        for turn in &mut table.open.turns {
            turn.doubtful |= at.is_empty() || !could;
            turn.begun |= could && !at.is_empty();
            turn.items += u32::from(!at.is_empty());
        }
    }

    fn command(
        table: &mut Referee<Self>,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<bool> {
        if !table.in_turn() || table.own.last.is_none() {
            return None;
        }
        Some(match command.name {
            b"resign" | b"draw" | b"flag" => desk.ends_no_board(command, place, parser),
            b"claim" => table.claim_on_item(command.arguments, place, desk, parser),
            _ => return None,
        })
    }

    fn rights(&self, _: BoardPath, times: usize) -> Claimable {
        self.claimable(BoardPath::OUTERMOST, times)
    }

    fn progress(&self, _: BoardPath) -> (Cause, String) {
        (Cause::MegaMovesClaim, format!("{} mega-moves in a row", self.halfmove()))
    }

    /// What is said on an item is judged as on the sheet of its board (GEN-12), whoever's turn it is around it.
    fn is_legal_alone(&self, at: BoardPath, written: &Written) -> bool {
        match self.board_at(&at) {
            Some(Board::Chess(chess)) => matches!(chess.find(written), Found::One(_)),
            Some(Board::Mega(_)) | None => false,
        }
    }

    fn interrupted(table: &Referee<Self>, desk: &mut Desk) {
        desk.interrupted |= !table.in_turn();
    }

    /// Where nothing was refused it may speak of any board.
    fn standing_move(table: &Referee<Self>, at: BoardPath, arguments: &[u8]) -> Option<Happening> {
        let game = table.line.now().latest();
        let told = game.displacement(at, arguments);
        let anywhere = || {
            let chess = (0..game.level()).fold(BoardPath::OUTERMOST, |path, _| path.on(Square::new(0, 0)));
            game.displacement(chess, arguments).filter(|_| table.refused.is_none())
        };
        told.or_else(anywhere)
    }

    fn stood(table: &mut Referee<Self>, at: BoardPath, _: Happening, brought: &Effects, desk: &mut Desk) {
        table.own.made = Some(at);
        Self::made(table, None, brought, desk);
    }

    fn side_at_end(table: &Referee<Self>) -> Side {
        let turn = table.line.now().latest().turn();
        if table.own.stopped { turn.other() } else { turn }
    }
}
