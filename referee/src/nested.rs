//! Mega-Chess and Recursive-Chess(N) as they are played: turns of plies on nested boards, boards that are
//! no longer known, and readings of what may have become of them.

mod remarks;

use super::{Desk, faults::Blow, number_of, play::Standing};
use crate::finding::{self as code, Finding};
use overboard_formats::{
    canonical::Canonical,
    header::Name,
    parse::{Event, Open, Parser},
    san::{CHESS, MoveText, San, Spelt, Suffix},
    span::Place,
};
use overboard_games::{
    chess::{self, Chess, Move},
    mega::{self, Act, Asked, Board, Breach, Effects, Mega, Ply, laws as law},
    registry::AnyGame,
};
use overboard_rules::{
    game::{Claimable, Game, Happening},
    general as common,
    outcome::{Outcome, Ruling},
    path::{BoardPath, MegaSquare},
    ply::Written,
    position::Movegen,
    refusal::list,
    rule::Rule,
    square::{Role, Side, Square},
};

/// Readings that are followed at a time; with more nothing is said any longer.
const READINGS: usize = 64;
/// Plies after which a position is kept anew.
const KEPT: usize = 1024;

/// A game of nested boards.
pub(super) struct MegaPlay {
    level: u8,
    pub line: MegaLine,
    outer: Vec<MegaLine>,
    /// The turns that are open, the outermost first.
    turns: Vec<Turn>,
    /// The square of the item to come.
    item: Option<Square>,
    /// The sign that must stand behind the turn just closed, and where.
    sign_due: Option<(Suffix, Place)>,
    /// Whether the number of this turn was seen.
    numbered: bool,
    /// Where the last turn stopped short, and the turns inside it.
    short: Vec<Place>,
    /// Whether the game was stopped in the middle of a turn.
    stopped: bool,
    /// Where the game stood before the act refused last.
    refused: Option<Box<Refused>>,
}

/// What a refusal took from the referee, for the case that the act stands (GEN-9).
struct Refused {
    path: BoardPath,
    readings: Vec<Mega>,
    lost: Vec<BoardPath>,
    turns: Vec<Turn>,
    /// Whether everything was judged up to it.
    first: bool,
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
}

/// A line of play: the game itself, or a variation of it.
#[derive(Clone, Default)]
pub(super) struct MegaLine {
    /// The position reached, as it would be under each reading; none where nothing is known.
    readings: Vec<Mega>,
    /// The positions at some time before the last turn, and the boards not known then.
    kept: (Vec<Mega>, Vec<BoardPath>),
    /// The plies made since, and how many of them came before the last turn.
    since: Vec<Ply>,
    before: usize,
    /// Whether something else was done since the last turn began.
    strayed: bool,
    /// Boards whose position is not known.
    lost: Vec<BoardPath>,
}

impl MegaLine {
    fn from(position: Mega) -> Self {
        Self::going_on((vec![position], Vec::new()))
    }

    fn going_on(kept: (Vec<Mega>, Vec<BoardPath>)) -> Self {
        let (readings, lost) = kept.clone();
        Self { readings, kept, lost, ..Self::default() }
    }

    /// A line that goes on from before the last turn. What was kept is led there by the plies made since:
    /// each of them is made so once at the most, and a game without variations copies no board.
    fn variation(&mut self) -> Self {
        for ply in self.since.drain(..self.before) {
            self.kept.0.iter_mut().for_each(|reading| {
                reading.play(ply);
            });
        }
        self.before = 0;
        Self::going_on(self.kept.clone())
    }

    fn position(&self) -> Option<&Mega> {
        self.readings.first()
    }

    /// Whether everything is known.
    pub fn is_known(&self) -> bool {
        self.readings.len() == 1 && self.lost.is_empty()
    }

    /// A turn begins.
    fn remember(&mut self) {
        if self.strayed || self.since.len() >= KEPT {
            self.kept.0.clone_from(&self.readings);
            self.kept.1.clone_from(&self.lost);
            self.since.clear();
            self.strayed = false;
        }
        self.before = self.since.len();
    }

    /// Leaves only the readings that are wanted.
    fn retain(&mut self, wanted: impl FnMut(&Mega) -> bool) {
        self.strayed = true;
        self.readings.retain(wanted);
    }

    /// The outermost board on the way that is not known.
    fn lost_on(&self, path: &BoardPath) -> Option<BoardPath> {
        let leads = |lost: &&BoardPath| path.squares().take(lost.len()).eq(lost.squares());
        self.lost.iter().filter(leads).min_by_key(|lost| lost.len()).copied()
    }

    /// An act on a board could not be judged: it counts as made where it could be, and the board stays in
    /// play or has ended in whatever way.
    fn pass_over(&mut self, path: &BoardPath, turns: &[Turn]) {
        self.strayed = true;
        let mut skipped = Vec::new();
        for reading in &self.readings {
            if let Ok(ply) = judged(turns, reading, path, Asked::Unknown) {
                skipped.push(reading.after(ply));
            }
        }
        if skipped.is_empty() {
            skipped.clone_from(&self.readings);
        }
        let mut readings: Vec<Mega> = Vec::new();
        for reading in skipped {
            let ends = [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw];
            let in_play = reading.board_at(path).is_some();
            let ended = ends.into_iter().filter(|_| in_play);
            let ended = ended.filter_map(|outcome| {
                let mut ended = reading.clone();
                ended.happen(*path, Happening::Ended(outcome)).map(|_| ended)
            });
            let ended = Vec::from_iter(ended);
            for reading in std::iter::once(reading).chain(ended) {
                if !readings.iter().any(|known| known.is_like(&reading)) {
                    readings.push(reading);
                }
            }
        }
        self.readings = if readings.len() > READINGS { Vec::new() } else { readings };
    }

    fn lose(&mut self, path: &BoardPath, turns: &[Turn]) {
        self.strayed = true;
        if path.is_empty() {
            return self.readings.clear();
        }
        if self.lost_on(path).is_none() {
            self.lost.push(*path);
        }
        self.pass_over(path, turns);
    }
}

/// What an act means under all readings.
enum Meaning {
    /// The same under each.
    Legal(Ply),
    /// Legal under some.
    Open(Ply),
    /// Legal under none.
    Illegal(Box<Breach>),
}

impl MegaPlay {
    /// A game of this level.
    pub fn new(level: u8) -> Self {
        Self {
            level,
            line: MegaLine::from(Mega::first(level)),
            outer: Vec::new(),
            turns: Vec::new(),
            item: None,
            sign_due: None,
            numbered: false,
            short: Vec::new(),
            stopped: false,
            refused: None,
        }
    }

    /// Nothing is left from another game: a new one was made.
    pub const fn reset(&mut self) {
        self.numbered = false;
    }

    /// Whether a turn is open.
    pub const fn in_turn(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Sets up the position that the tags ask for.
    pub fn set_up(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.level().is_none() {
            // What is wrong with the tag is said with the other tags.
            desk.judging = false;
            return;
        }
        let read = |fen: &str| mega::read(fen, self.level);
        if let Some(position) = desk.set_up(read, mega::FORM, &law::ARRAY, parser) {
            self.line = MegaLine::from(position);
        }
    }

    /// The first position stands.
    pub fn start(&mut self, desk: &mut Desk) {
        desk.course.ended = self.line.position().and_then(Mega::end_by_itself);
    }

    /// How things stand at the end of the record.
    pub fn standing(&self, desk: &Desk) -> Standing {
        let position = self.line.position();
        let turn = position.map_or(Side::White, Mega::turn);
        Standing {
            complete: desk.judging && self.line.is_known(),
            ruling: desk.course.ended,
            to_move: if self.stopped { turn.other() } else { turn },
            can_mate: [position.is_some_and(Mega::can_win); 2],
            claims: &law::DRAWS,
            score: None,
        }
    }

    /// The position reached, where it is known.
    pub fn reached(&self) -> Option<AnyGame> {
        self.line.position().filter(|_| self.line.is_known()).cloned().map(AnyGame::from)
    }

    /// Takes an event of the movetext; answers how a ply found legal, the number of a turn or the sign behind
    /// one is to be written.
    pub fn hear(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        self.settle_sign(event, desk, parser);
        match event {
            Event::Ply => return self.ply(desk, parser),
            Event::Address => self.item = mega::address(parser.text(parser.place().span)),
            Event::TurnOpen => return self.open_turn(desk, parser),
            Event::BlockClose(Open::Turn) if desk.block_depth == 0 => return self.close_turn(desk, parser),
            Event::Result if self.in_turn() => return self.drawn_item(desk, parser),
            Event::Result if desk.block_depth == 0 => {
                self.excuse(desk);
                desk.result(parser);
            }
            Event::Number => self.number(desk, parser),
            Event::Prose(prose, part) => self.prose(prose, part, desk, parser),
            Event::Nag => desk.nag(parser),
            Event::Glyphs => desk.glyphs(parser),
            Event::RavOpen => self.open_rav(desk, parser),
            Event::RavClose => self.close_rav(desk),
            Event::SubgameOpen | Event::ActionOpen(_) => self.open_block(event, desk, parser),
            Event::BlockClose(_) => desk.block_depth = desk.block_depth.saturating_sub(1),
            Event::Tag => desk.tag(parser),
            Event::Fault(fault) => match desk.fault(fault, parser) {
                Blow::None => {}
                Blow::Loses => self.lose_all(desk),
                Blow::ClosesAndLoses => {
                    self.close_rav(desk);
                    self.lose_all(desk);
                }
            },
            _ => {}
        }
        None
    }

    fn open_block(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        desk.foreign_block(event, parser);
        self.lose_all(desk);
        desk.judging = false;
    }

    fn lose_all(&mut self, desk: &mut Desk) {
        if desk.at_main_line() && desk.unjudged_from.is_none() && !self.line.readings.is_empty() {
            desk.unjudged_from = Some(self.move_number());
        }
        self.line.retain(|_| false);
        self.turns.iter_mut().for_each(|turn| turn.doubtful = true);
    }

    /// The number of the turn to come, or of the one that goes on.
    fn move_number(&self) -> String {
        self.line.position().map_or("this turn".into(), |mega| number_of(mega.fullmove(), mega.turn()))
    }

    fn open_rav(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        if desk.judging && desk.plies == 0 && desk.at_main_line() {
            desk.find(&code::DANGLING, *parser.place(), parser, "a variation stands before any move".into());
        }
        let variation = self.line.variation();
        self.outer.push(std::mem::replace(&mut self.line, variation));
        desk.ravs = self.outer.len();
        self.interrupt(desk);
    }

    fn close_rav(&mut self, desk: &mut Desk) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
        self.turns.clear();
        desk.ravs = self.outer.len();
        self.interrupt(desk);
    }

    const fn interrupt(&mut self, desk: &mut Desk) {
        desk.interrupted = true;
        self.numbered = false;
    }

    fn number(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        self.numbered = true;
        let Some(position) = self.line.position().filter(|_| desk.judging && !self.in_turn()) else { return };
        let place = *parser.place();
        let text = parser.text(place.span);
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let number: Option<u32> =
            std::str::from_utf8(&text[..digits]).ok().and_then(|digits| digits.parse().ok());
        let expected = number_of(position.fullmove(), position.turn());
        if expected.as_bytes() == text || digits == 0 {
            return;
        }
        if number != Some(position.fullmove()) {
            let message = format!("the number of this move is `{expected}`");
            desk.find(&code::MOVE_NUMBER, place, parser, message);
        } else if digits < text.len() {
            desk.find(&code::NUMBER_FORM, place, parser, format!("expected `{expected}`"));
        }
    }

    /// A turn begins: is its number there?
    fn begin_turn(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(position) = self.line.position() else { return };
        let (number, side) = (position.fullmove(), position.turn());
        desk.last.number = (number, side);
        if !self.numbered && (desk.interrupted || side == Side::White) {
            let message = format!("expected `{}` before the move", number_of(number, side));
            desk.find(&code::MISSING_NUMBER, *parser.place(), parser, message);
        }
        self.numbered = false;
        desk.interrupted = false;
        self.line.remember();
    }

    fn open_turn(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if desk.block_depth > 0 {
            desk.block_depth += 1;
            return None;
        }
        let turn = |path| Turn { path, items: 0, begun: false, sign: Suffix::None, doubtful: false };
        let Some(outer) = self.turns.last().map(|turn| turn.path) else {
            self.begin_turn(desk, parser);
            self.turns.push(turn(BoardPath::OUTERMOST));
            return self.numbering(desk);
        };
        let Some(on) = self.item.take() else {
            self.turns.push(turn(outer));
            self.lose_all(desk);
            return None;
        };
        let path = outer.on(on);
        self.turns.push(turn(path));
        if usize::from(self.level) <= path.len() && desk.judging && self.line.lost_on(&path).is_none() {
            let words = format!("{path} is a board of chess, which holds no boards");
            desk.last.place = *parser.place();
            self.refuse(&path, "<", (words, &law::LEVELS), Vec::new(), desk, parser);
        }
        None
    }

    /// The side and number of a turn that begins, for its number to be written.
    fn numbering(&self, desk: &Desk) -> Option<Canonical> {
        let position = self.line.position().filter(|_| desk.canonical && desk.judging)?;
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
        let turn = self.turns.pop()?;
        self.item = None;
        if !desk.judging || self.line.readings.is_empty() {
            return None;
        }
        let goes_on = |reading: &Mega| reading.goes_on_at(&turn.path) && turn.begun;
        if self.line.readings.iter().any(goes_on) {
            if !turn.doubtful {
                self.short.push(*parser.place());
                self.stops_short(&turn, desk, parser);
            }
            self.stop(&turn, desk);
            return None;
        }
        self.sign_due = Some((turn.sign, *parser.place()));
        let numbering = self.numbering(desk)?;
        Some(Canonical { suffix: turn.sign, ..numbering })
    }

    /// The turn ends although, under some reading, boards owe a move.
    fn stops_short(&self, turn: &Turn, desk: &mut Desk, parser: &Parser<'_>) {
        let readings = &self.line.readings;
        let all = readings.iter().all(|reading| reading.goes_on_at(&turn.path));
        let place = *parser.place();
        if !all {
            let message =
                "whether this turn may stop here depends on what has become of a board that is not judged";
            desk.find(&code::OPEN_PLY, place, parser, message.into());
            return;
        }
        let Some(Board::Mega(game)) = readings.first().and_then(|reading| reading.board_at(&turn.path))
        else {
            return;
        };
        let owed = match game.open() {
            Some(open) => list([MegaSquare(open)], "and"),
            None => list(game.offering().map(MegaSquare), "and"),
        };
        let made = game.used().count();
        let moves = if made == 1 { "move" } else { "moves" };
        let on = if turn.path.is_empty() { String::new() } else { format!(" on {}", turn.path) };
        let number = self.move_number();
        let message = format!(
            "{number} the turn{on} stops after {made} board {moves}, and a move can still be made on {owed}"
        );
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        if let Some(finding) = desk.find(kind, place, parser, message) {
            finding.rule = Some(&law::EIGHT);
            finding.path = turn.path.to_string();
            finding.board = Some(Box::new(mega::panel(&game, false)));
        }
    }

    /// A game that was stopped from outside may have been in the middle of a turn.
    fn excuse(&mut self, desk: &mut Desk) {
        let termination = desk.header.text(Name::Termination).map(|text| text.to_lowercase());
        let stopped = termination.is_some_and(|word| word != "normal");
        if stopped && !self.short.is_empty() {
            let short = std::mem::take(&mut self.short);
            desk.findings.retain(|finding| !short.contains(&finding.place));
            desk.course.ended = None;
            self.stopped = true;
        }
    }

    /// Goes on behind a turn that stopped short.
    fn stop(&mut self, turn: &Turn, desk: &mut Desk) {
        let ended = |reading: &Mega| !reading.goes_on_at(&turn.path);
        if self.line.readings.iter().any(ended) {
            self.line.retain(ended);
            return;
        }
        let stop = Ply { path: turn.path, act: Act::Stop };
        self.line.strayed = true;
        for reading in &mut self.line.readings {
            reading.play(stop);
        }
        if let Some(outer) = self.turns.last_mut() {
            outer.begun = true;
        }
        if desk.at_main_line() {
            desk.course.ended = self.end_by_itself();
        }
    }

    /// Compares the sign behind a turn that was closed with the right one.
    fn settle_sign(&mut self, event: Event, desk: &mut Desk, parser: &Parser<'_>) {
        let Some((right, place)) = self.sign_due.take() else { return };
        let (given, place) = match event {
            Event::Suffix if parser.text(parser.place().span) == b"#" => (Suffix::Mate, *parser.place()),
            Event::Suffix => (Suffix::Check, *parser.place()),
            _ => (Suffix::None, place),
        };
        if given != right {
            desk.wrong_suffix(right, place, parser);
        }
    }

    /// The board of the ply that comes, or `None` where the record does not tell.
    fn addressed(&mut self) -> Option<BoardPath> {
        match self.turns.last() {
            None => Some(BoardPath::OUTERMOST),
            Some(turn) => self.item.take().map(|on| turn.path.on(on)),
        }
    }

    fn ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if !self.begin_ply(desk, parser) {
            return None;
        }
        let path = self.addressed();
        let read = San::parse(parser.text(desk.last.place.span), &CHESS);
        let (Some(path), Ok(san)) = (path, read) else {
            if let Err(fault) = read {
                desk.find(&code::BAD_PLY, desk.last.place, parser, format!("this is no move: {fault}"));
            }
            match path {
                Some(path) => self.lose(&path, desk),
                None => self.lose_all(desk),
            }
            return None;
        };
        self.judge(&path, Asked::Written(san.written), Some(&san), desk, parser)
    }

    /// A board drawn as an item of the turn (MG-13).
    fn drawn_item(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        if !self.begin_ply(desk, parser) {
            return None;
        }
        let Some(path) = self.addressed() else {
            self.lose_all(desk);
            return None;
        };
        let text = parser.text(desk.last.place.span);
        if matches!(text, b"1-0" | b"0-1") {
            let words = "a board is won by mate or by a forfeit; it cannot be resigned";
            let text = String::from_utf8_lossy(text).into_owned();
            self.refuse(&path, &text, (words.into(), &law::AGREED), Vec::new(), desk, parser);
            return None;
        }
        self.judge(&path, Asked::Draw, None, desk, parser)
    }

    /// Counts a ply; answers whether it is to be judged.
    fn begin_ply(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        desk.last.place = *parser.place();
        desk.last.refused = None;
        self.short.clear();
        if desk.block_depth > 0 {
            return false;
        }
        if desk.at_main_line() {
            desk.plies += 1;
            desk.course.wrong_claim = None;
        }
        if !self.in_turn() {
            self.begin_turn(desk, parser);
        }
        if !desk.judging || self.line.readings.is_empty() {
            self.item = None;
            return false;
        }
        true
    }

    fn judge(
        &mut self,
        path: &BoardPath,
        asked: Asked,
        san: Option<&San>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        if desk.at_main_line() && desk.course.ended.is_some() && self.turns.iter().all(|turn| turn.items == 0)
        {
            self.past_the_end(desk, parser);
            return None;
        }
        if let Some(lost) = self.line.lost_on(path) {
            self.item_on_lost(&lost, path);
            return None;
        }
        match self.meaning(path, asked) {
            Meaning::Legal(ply) => self.accept(&ply, san, desk, parser),
            Meaning::Open(ply) => {
                let message = "legal or not by what has become of a board that is not judged";
                desk.find(&code::OPEN_PLY, desk.last.place, parser, message.into());
                let turns = &self.turns;
                self.line.retain(|reading| judged(turns, reading, path, asked).is_ok());
                self.accept(&ply, san, desk, parser)
            }
            Meaning::Illegal(breach) => {
                let text = san.map_or("1/2-1/2".to_string(), |san| Spelt(san.written).to_string());
                self.refuse_for(path, &text, *breach, desk, parser);
                None
            }
        }
    }

    /// An item on a board that is not known, or inside one.
    fn item_on_lost(&mut self, lost: &BoardPath, path: &BoardPath) {
        // Inside a lost board nothing counts but that a turn was made on it, which its first item shows.
        let inside = path.len() > lost.len();
        let first = self.turns.last().is_none_or(|turn| turn.items == 0);
        if !inside || (first && self.turns.len() == lost.len() + 1) {
            self.line.pass_over(lost, &self.turns);
            self.turns.iter_mut().for_each(|turn| turn.begun = true);
        }
        self.turns.iter_mut().for_each(|turn| turn.items += 1);
    }

    fn meaning(&self, path: &BoardPath, asked: Asked) -> Meaning {
        if let [only] = &self.line.readings[..] {
            return match judged(&self.turns, only, path, asked) {
                Ok(ply) => Meaning::Legal(ply),
                Err(breach) => Meaning::Illegal(breach),
            };
        }
        let found: Vec<_> =
            self.line.readings.iter().map(|reading| judged(&self.turns, reading, path, asked)).collect();
        let first = found.iter().find_map(|found| found.as_ref().ok().copied());
        match first {
            Some(ply) if found.iter().all(|this| this.as_ref() == Ok(&ply)) => Meaning::Legal(ply),
            Some(ply) => Meaning::Open(ply),
            None => match found.into_iter().next() {
                Some(Err(breach)) => Meaning::Illegal(breach),
                _ => Meaning::Illegal(Box::new(Breach::new(
                    "nothing is known of this board",
                    &law::ARRAY,
                    *path,
                ))),
            },
        }
    }

    fn accept(
        &mut self,
        ply: &Ply,
        san: Option<&San>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<Canonical> {
        let position = self.line.position()?;
        let (side, number) = (position.turn(), position.fullmove());
        let spelt = self.spelling(ply, san, desk, parser);
        let effects = self.play(ply);
        let suffix = match ply.act {
            Act::Move(_) => mega::suffix(effects.checks_on_board()),
            Act::Mega(_) => mega::suffix(effects.checks_at(ply.path.len())),
            _ => Suffix::None,
        };
        if san.is_some_and(|san| san.suffix != suffix) {
            desk.wrong_suffix(suffix, desk.last.place, parser);
        }
        desk.last.moved = true;
        if desk.at_main_line() {
            self.follow_course(desk);
        }
        let (written, coordinates) = spelt?;
        desk.canonical.then_some(Canonical {
            written,
            suffix,
            side,
            number,
            coordinates,
            act: None,
            board: None,
            path: ply.path,
        })
    }

    /// How a ply is to be written, and says where it is written otherwise.
    fn spelling(
        &self,
        ply: &Ply,
        san: Option<&San>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<(Written, MoveText)> {
        let position = self.line.position()?;
        let (written, captures, coordinates) = match ply.act {
            Act::Move(m) => {
                (spelt(|| leaf(position, &ply.path), m, san, desk), m.is_capture(), chess::coordinates(m))
            }
            Act::Mega(m) => {
                let Some(Board::Mega(game)) = position.board_at(&ply.path) else { return None };
                (game.written(m), game.captures(m), mega::mega_move(m))
            }
            Act::Draw => return Some((Written::Pass, MoveText::from("1/2-1/2").ok()?)),
            _ => (Written::Pass, false, MoveText::from("--").ok()?),
        };
        let san = san?;
        if let (Written::Move(given), Written::Move(right)) = (&san.written, &written)
            && given != right
        {
            desk.tell_spelling(given, right, captures, parser);
        }
        if let Some(leniency) = san.leniency {
            desk.forgive(leniency, parser);
        }
        Some((written, coordinates))
    }

    /// Plays a ply under every reading; answers what it brings about under the first.
    fn play(&mut self, ply: &Ply) -> Effects {
        let mut effects = None;
        self.line.since.push(*ply);
        for reading in &mut self.line.readings {
            let this = reading.play(*ply);
            effects.get_or_insert(this);
        }
        let effects = effects.unwrap_or_default();
        for turn in &mut self.turns {
            turn.items += 1;
            turn.begun = true;
            if effects.ends_turn_at(turn.path.len()) {
                turn.sign = mega::suffix(effects.checks_at(turn.path.len()));
            }
        }
        effects
    }

    fn follow_course(&self, desk: &mut Desk) {
        if let [position] = &self.line.readings[..] {
            let Claimable { repetition, progress } = position.claimable(BoardPath::OUTERMOST, 1);
            for (right, claimable) in [repetition, progress].into_iter().zip(&mut desk.course.claimable) {
                if right {
                    claimable.get_or_insert(desk.plies);
                }
            }
        }
        desk.course.ended = self.end_by_itself();
    }

    /// The end, where it has come under every reading.
    fn end_by_itself(&self) -> Option<Ruling> {
        let mut endings = self.line.readings.iter().map(Mega::end_by_itself);
        let first = endings.next()??;
        endings.all(|ending| ending.is_some_and(|ruling| ruling.outcome == first.outcome)).then_some(first)
    }

    fn refuse_for(
        &mut self,
        path: &BoardPath,
        text: &str,
        breach: Breach,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let possible = match self.line.position().and_then(|position| position.board_at(&breach.at)) {
            Some(board) => {
                let mut names: Vec<_> =
                    breach.possible.iter().map(|ply| mega::act_san(&board, ply.act).to_string()).collect();
                names.sort_unstable();
                names
            }
            None => Vec::new(),
        };
        self.refused = Some(Box::new(Refused {
            path: *path,
            readings: self.line.readings.clone(),
            lost: self.line.lost.clone(),
            turns: self.turns.clone(),
            first: desk.unjudged_from.is_none(),
        }));
        let found = desk.findings.len();
        self.refuse(path, text, (breach.words, breach.rule), possible, desk, parser);
        desk.last.refused = (desk.at_main_line() && desk.findings.len() > found).then_some(found);
    }

    fn refuse(
        &mut self,
        path: &BoardPath,
        text: &str,
        (words, rule): (String, &'static Rule),
        possible: Vec<String>,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let kind = if desk.at_main_line() { &code::ILLEGAL_MOVE } else { &code::ILLEGAL_VARIATION };
        let address = if path.is_empty() { String::new() } else { format!("{path}.") };
        let nth = self
            .turns
            .first()
            .map_or(String::new(), |turn| format!(", item {} of the turn,", turn.items + 1));
        let (number, side) = desk.last.number;
        let message = format!("{} {address}{text}{nth} is illegal: {words}", number_of(number, side));
        let panel = self.line.position().and_then(|position| mega::zoomed(position, path));
        let panel = panel.and_then(|diagram| diagram.rows.into_iter().next()?.panels.into_iter().next());
        let note = |finding: &mut Finding| {
            finding.rule = Some(rule);
            finding.possible = possible;
            finding.board = panel.map(Box::new);
            finding.path = path.to_string();
        };
        if let Some(finding) = desk.find(kind, desk.last.place, parser, message) {
            note(finding);
        }
        self.lose(path, desk);
    }

    /// From here on nothing is known of a board.
    fn lose(&mut self, path: &BoardPath, desk: &mut Desk) {
        if path.is_empty() {
            return self.lose_all(desk);
        }
        if desk.at_main_line() && desk.unjudged_from.is_none() {
            let (number, side) = desk.last.number;
            desk.unjudged_from = Some(format!("{} on {path}", number_of(number, side)));
        }
        let could = |reading: &Mega| judged(&self.turns, reading, path, Asked::Unknown).is_ok();
        let doubtful = !self.line.readings.iter().any(could);
        self.line.lose(path, &self.turns);
        for turn in &mut self.turns {
            turn.doubtful |= doubtful;
            turn.begun |= !doubtful;
        }
        self.turns.iter_mut().for_each(|turn| turn.items += 1);
    }

    fn past_the_end(&mut self, desk: &mut Desk, parser: &Parser<'_>) {
        let Some(ended) = desk.course.ended else { return };
        let message = format!("the game had ended by {} ({})", ended.cause, ended.outcome);
        if let Some(finding) = desk.find(&code::MOVE_AFTER_END, desk.last.place, parser, message) {
            finding.rule = Some(&common::ENDED);
        }
        self.lose_all(desk);
    }
}

/// The board of chess at this path.
fn leaf(mega: &Mega, path: &BoardPath) -> Option<Chess> {
    match mega.board_at(path)? {
        Board::Chess(chess) => Some(chess),
        Board::Mega(_) => None,
    }
}

/// The spelling of a move of chess: the given one where it says no more than is needed.
pub(super) fn spelt(
    chess: impl FnOnce() -> Option<Chess>,
    m: Move,
    san: Option<&San>,
    desk: &Desk,
) -> Written {
    match san.map(|san| san.written) {
        Some(Written::Move(given))
            if !desk.canonical
                && (given.file.is_none() || (given.role == Role::Pawn && given.capture))
                && given.rank.is_none()
                && given.capture == m.is_capture() =>
        {
            Written::Move(given)
        }
        Some(given @ Written::Castle(_)) => given,
        _ => chess().map_or(Written::Pass, |chess| chess.written(m)),
    }
}

/// What an act means under one reading: a turn that is over takes no more items.
fn judged(turns: &[Turn], reading: &Mega, path: &BoardPath, asked: Asked) -> Result<Ply, Box<Breach>> {
    let over = turns.iter().find(|turn| turn.begun && !reading.goes_on_at(&turn.path));
    let Some(over) = over else { return reading.judge(path, asked) };
    let on = if over.path.is_empty() { String::new() } else { format!(" on {}", over.path) };
    let why = match over.items {
        8 => "eight boards were moved on",
        _ => "no other board offers a move",
    };
    Err(Box::new(Breach::new(format!("the turn{on} is over: {why}"), &law::EIGHT, *path)))
}
