//! What is special about records of Mega-Chess and Recursive-Chess(N): turns that consist of items on nested boards.

use self::{
    drawn::{claim_on_item, drawn_item},
    turn::{
        begin_turn, close_turn, excuse, in_turn, is_void, open_turn, settle_sign, without_address,
    },
    unseen::{Homes, unseen},
};
use crate::{
    board8::board::promotions_of,
    chess::{self, laws as regular},
    mega::{self, Act, Board, Effects, Mega, Options, Ply, laws as law},
};
use overboard_formats::{
    canonical::{Canonical, after_move},
    command::Command,
    encoding::decode,
    header::Name,
    parse::{Event, Open, is_address},
    san::{Alphabet, CHESS, MoveText, San, Suffix, standing_act_text},
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    finding as code,
    game::judge::{Attempt, Judge, Pause, Tried},
    hearing::Hearing,
    numbering::{Unjudged, moment_before, number_of},
    referee::Referee,
};
use overboard_rules::{
    game::{Effects as _, Game as _, Happening, Refusal, Spelt, Step},
    general as common,
    origin::{likely_origins, standing_acts_from},
    path::{BoardPath, MegaSquare},
    ply::{Pattern, StandingAct, Written},
    refusal::list,
    rule::Rule,
    square::{Side, Square},
};

mod attempt;
mod drawn;
mod turn;
mod unseen;

/// State of a record of nested boards.
#[derive(Default)]
pub struct Turns {
    /// The sign that must follow the turn just closed, and its place.
    sign_due: Option<(Suffix, TextSpan)>,
    /// Where the last turn ended too early, and the turns inside it.
    short: Vec<TextSpan>,
    /// Whether the game was stopped in the middle of a turn.
    stopped: bool,
    /// The last item of the open turn.
    last: Option<Item>,
    /// The board of the last item of the main line.
    made: Option<BoardPath>,
    homes: Homes,
}

/// An item of a turn.
struct Item {
    path: BoardPath,
    place: TextSpan,
    /// Steps made before it.
    steps: usize,
    /// If it is a draw: the game before it, and what was open.
    drawn: Option<(Mega, Brackets)>,
}

/// The open turns, the outermost first.
#[derive(Clone, Default)]
pub struct Brackets {
    turns: Vec<Turn>,
    /// The square of the next item.
    item: Option<Square>,
}

/// A turn being read.
#[derive(Clone, Copy, Default)]
struct Turn {
    path: BoardPath,
    /// Items read so far.
    items: u32,
    /// Whether the position has taken one of them.
    begun: bool,
    /// The sign of the last item of the turn.
    sign: Suffix,
    /// Whether an item could not be applied, so that it is unknown which items are still due.
    doubtful: bool,
    /// Whether it has been reported that the turn can take no further item.
    void: bool,
}

impl Turn {
    fn on(path: BoardPath) -> Self {
        Self {
            path,
            ..Self::default()
        }
    }
}

/// Whether the game is judged here, and something of it is known.
fn is_judged(hearing: &Hearing<'_, Mega>) -> bool {
    hearing.state.judging.is_on() && hearing.referee.now().is_any()
}

/// Counts an item on a lost board.
fn item_on_lost(hearing: &mut Hearing<'_, Mega>, lost: BoardPath, at: BoardPath) {
    // Inside a lost board only the fact that a turn was made on it matters, and its first item shows that.
    let inside = at.len() > lost.len();
    let turns = &hearing.referee.open.turns;
    let first = turns.last().is_none_or(|turn| turn.items == 0);
    if !inside || (first && turns.len() == lost.len() + 1) {
        hearing.referee.forget(lost);
        for turn in &mut hearing.referee.open.turns {
            turn.begun = true;
        }
    }
    for turn in &mut hearing.referee.open.turns {
        turn.items += 1;
    }
}

impl Judge for Mega {
    type Open = Brackets;
    type Own = Turns;

    const ALPHABET: &'static Alphabet = &CHESS;
    const SET_UP: &'static Rule = &law::ARRAY;
    const END: &'static Rule = &regular::AGREED_END;
    const NUMBERED: bool = false;

    fn form(_: &Options) -> &'static str {
        mega::FORM
    }

    /// Inside a turn: the board of the last item.
    fn here(referee: &Referee<Self>) -> BoardPath {
        match &referee.own.last {
            Some(item) if in_turn(referee) => item.path,
            _ => BoardPath::OUTERMOST,
        }
    }

    fn address(hearing: &mut Hearing<'_, Self>) -> Option<BoardPath> {
        let Some(turn) = hearing.referee.open.turns.last() else {
            return Some(BoardPath::OUTERMOST);
        };
        let Some(on) = hearing.referee.open.item else {
            without_address(hearing, hearing.state.last.place);
            return None;
        };
        let path = turn.path.on(on);
        hearing.referee.own.last = Some(Item {
            path,
            place: hearing.state.last.place,
            steps: hearing.referee.line.here(),
            drawn: None,
        });
        hearing.referee.open.item = None;
        Some(path)
    }

    fn read_number(hearing: &mut Hearing<'_, Self>) {
        if in_turn(hearing.referee) {
            hearing.state.numbers.give();
        } else {
            hearing.number();
        }
    }

    fn in_words(hearing: &Hearing<'_, Self>, at: BoardPath, text: &str) -> String {
        let address = if at.is_empty() {
            String::new()
        } else {
            format!("{at}.")
        };
        let nth = match hearing.referee.open.turns.first() {
            Some(turn) => format!(", item {} of the turn,", turn.items + 1),
            None => String::new(),
        };
        let (number, side) = hearing.state.last.number;
        format!("{} {address}{text}{nth}", number_of(number, side))
    }

    fn unjudged(referee: &Referee<Self>, at: BoardPath, _: Unjudged) -> String {
        let position = referee.latest();
        let number = number_of(position.fullmove(), position.turn());
        if at.is_empty() {
            number
        } else {
            format!("{number} on {at}")
        }
    }

    fn panel(&self, at: BoardPath) -> Option<Panel> {
        let row = mega::zoomed(self, &at)?.rows.into_iter().next()?;
        row.panels.into_iter().next()
    }

    /// Within a turn: after the last item.
    fn moment(hearing: &Hearing<'_, Self>) -> Option<String> {
        let position = hearing.referee.latest();
        let due = (position.fullmove(), position.turn());
        match hearing.referee.own.made {
            Some(path) if !position.is_between_turns() => {
                Some(format!("{}.{path}", after_move(due.0, due.1)))
            }
            _ if hearing.referee.begun => Some(moment_before(Some(due))),
            _ => Some("start".into()),
        }
    }

    fn standing_acts(&self, at: BoardPath, pattern: &Pattern) -> Vec<StandingAct> {
        let origins = match self.board_at(&at) {
            Some(Board::Chess(chess)) => likely_origins(&chess, pattern),
            Some(Board::Mega(mega)) => mega.likely_origins(pattern),
            None => Vec::new(),
        };
        standing_acts_from(&origins, pattern, promotions_of(pattern))
    }

    /// Mega-squares are written in upper case.
    fn standing_words(&self, at: BoardPath, standing_act: StandingAct) -> String {
        let mut text = standing_act_text(standing_act);
        let is_mega = matches!(self.board_at(&at), Some(Board::Mega(_)));
        if is_mega
            && let (StandingAct::Moved { .. }, Some(squares)) = (standing_act, text.get_mut(..4))
        {
            squares.make_ascii_uppercase();
        }
        text
    }

    #[inline]
    fn overhear(hearing: &mut Hearing<'_, Self>, event: Event) -> bool {
        if hearing.referee.own.sign_due.is_some() {
            settle_sign(hearing, event);
        }
        false
    }

    fn bracket(hearing: &mut Hearing<'_, Self>, event: Event) -> Option<Canonical> {
        match event {
            Event::Address => hearing.referee.open.item = mega::address(hearing.text()),
            Event::TurnOpen => return open_turn(hearing),
            Event::BlockClose(Open::Turn) => {
                let turn = hearing
                    .referee
                    .open
                    .turns
                    .last()
                    .map(|turn| (turn.path, turn.sign));
                let canonical = close_turn(hearing);
                if let Some((path, sign)) = turn
                    && hearing.state.keeps_rows()
                {
                    hearing.row_of_turn(path, sign.as_str());
                }
                return canonical;
            }
            Event::SubgameOpen if is_judged(hearing) => {
                let text = decode(hearing.text()).0.into_owned();
                if is_address(text.as_bytes()) {
                    let message =
                        format!("in a turn a dot follows the address of a board: `<{text}.`");
                    hearing.find(&code::BAD_TOKEN, hearing.place(), message);
                    hearing.lose(BoardPath::OUTERMOST, Unjudged::ThisMove);
                    hearing.state.brackets.open_foreign();
                    return None;
                }
                hearing.unexpected(event);
            }
            _ => hearing.unexpected(event),
        }
        None
    }

    fn result_inside(hearing: &mut Hearing<'_, Self>) -> Option<Option<Canonical>> {
        in_turn(hearing.referee).then(|| drawn_item(hearing))
    }

    fn takes_results(referee: &Referee<Self>) -> bool {
        in_turn(referee)
    }

    fn settle(hearing: &mut Hearing<'_, Self>, pause: Pause) {
        if pause == Pause::End {
            excuse(hearing);
        }
    }

    fn close_rav(hearing: &mut Hearing<'_, Self>) {
        // Variations do not begin inside a turn.
        hearing.referee.open = Brackets::default();
        hearing.referee.own.last = None;
    }

    fn begin_ply(hearing: &mut Hearing<'_, Self>) {
        hearing.referee.own.short.clear();
        hearing.count_ply();
        if !in_turn(hearing.referee) {
            begin_turn(hearing);
        }
    }

    /// A turn that is over takes no more items.
    fn bars(
        _: &Turns,
        open: &Brackets,
        reading: &Self,
        at: BoardPath,
    ) -> Option<Box<Refusal<Self>>> {
        let over = open
            .turns
            .iter()
            .find(|turn| turn.begun && !reading.goes_on_at(&turn.path))?;
        let on = if over.path.is_empty() {
            String::new()
        } else {
            format!(" on {}", over.path)
        };
        let why = match over.items {
            8 => "moves were made on eight boards",
            _ => "no other board offers a move",
        };
        Some(Box::new(Refusal::new(
            format!("the turn{on} is over: {why}"),
            &law::EIGHT,
            at,
        )))
    }

    fn on_lost(
        hearing: &mut Hearing<'_, Self>,
        lost: Option<BoardPath>,
        at: BoardPath,
        _: &San,
    ) -> bool {
        let Some(lost) = lost else {
            // After an item that had no place in its turn, later items have none either.
            return is_void(hearing, at);
        };
        item_on_lost(hearing, lost, at);
        true
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

    fn sign(_: &Referee<Self>, ply: Ply, brought: &Effects) -> Suffix {
        match ply.act {
            Act::Move(_) => mega::suffix(brought.checks_on_board()),
            Act::Mega(_) => mega::suffix(brought.checks_at(ply.path.len())),
            _ => Suffix::None,
        }
    }

    fn made(hearing: &mut Hearing<'_, Self>, step: &Step<Self>, brought: &Effects) {
        if hearing.referee.outer.is_empty() {
            hearing.referee.own.made = Some(match *step {
                Step::Ply(ply) => ply.path,
                Step::Event(at, _) => at,
            });
            let game = hearing.referee.line.now().latest();
            hearing.referee.own.homes.follow(step, game);
        }
        for turn in &mut hearing.referee.open.turns {
            turn.items += 1;
            turn.begun = true;
            if brought.turn_over(turn.path.len()) {
                turn.sign = mega::suffix(brought.checks_at(turn.path.len()));
            }
        }
    }

    fn offer(&self, refusal: &Refusal<Self>) -> Vec<String> {
        let Some(board) = self.faced_at(&refusal.at) else {
            return Vec::new();
        };
        refusal
            .possible
            .iter()
            .map(|ply| mega::act_san(&board, ply.act).to_string())
            .collect()
    }

    fn refused(referee: &mut Referee<Self>, refusal: &Refusal<Self>) {
        let reading = referee.latest();
        let is_over = Self::bars(&referee.own, &referee.open, reading, refusal.at).is_some();
        if is_over || refusal.rule == &law::ANSWER {
            for turn in &mut referee.open.turns {
                turn.void = true;
            }
        }
    }

    fn lost(referee: &mut Referee<Self>, at: BoardPath, could: bool) {
        for turn in &mut referee.open.turns {
            turn.doubtful |= at.is_empty() || !could;
            turn.begun |= could && !at.is_empty();
            turn.items += u32::from(!at.is_empty());
        }
    }

    fn command(
        hearing: &mut Hearing<'_, Self>,
        command: &Command<'_>,
        place: TextSpan,
    ) -> Option<bool> {
        if !in_turn(hearing.referee) {
            return None;
        }
        if command.name == b"unseen" {
            return Some(unseen(hearing, command.arguments).is_some());
        }
        hearing.referee.own.last.as_ref()?;
        Some(match command.name {
            b"resign" | b"draw" | b"flag" => {
                hearing.state.ends_no_board(command, place, hearing.parser)
            }
            b"claim" => claim_on_item(hearing, command.arguments, place),
            _ => return None,
        })
    }

    /// An attempt may have the address of its board. Without one a remark on an item is judged as on its board's own
    /// sheet (GEN-12), whichever side's turn it is around it.
    fn attempted(
        hearing: &mut Hearing<'_, Self>,
        _: Side,
        at: BoardPath,
        tried: Tried<'_>,
    ) -> Option<Attempt> {
        match tried {
            Tried::Text(text) => attempt::with_address(hearing, text),
            Tried::Written(written) => attempt::on_own_sheet(hearing, at, written?),
        }
    }

    fn side_at_end(referee: &Referee<Self>) -> Option<Side> {
        let turn = referee.latest().turn();
        Some(if referee.own.stopped {
            turn.other()
        } else {
            turn
        })
    }
}
