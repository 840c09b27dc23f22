//! What is special about records of linked boards: boards named by letters, players, captains.

mod commands;
pub mod orders;
mod players;

use self::commands::{by_attempts, own_command};
pub use crate::side_by_side::fallen;
use crate::{
    chess::laws as regular,
    side_by_side::{Addresses, SideBySide, addresses, commands as side_by_side},
    strategichess::linked::{
        self, Edition, Linked, LinkedBoard, Options, Ply, laws as law, order::Order,
    },
};
use overboard_formats::{
    canonical::{Canonical, board_number},
    command::Command,
    header::Name,
    san::{Alphabet, LINKED, San, Suffix},
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    finding::{self as code, set_rule},
    game::judge::{Attempt, Judge, Tried},
    hearing::Hearing,
    numbering::Unjudged,
    plies::Meaning,
    record_state::players::{Players, Seating},
    referee::{Referee, Score, ScoreLaws},
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Game as _, Happening, Refusal, Said, Step},
    origin::standing_acts_from,
    outcome::Ruling,
    path::BoardPath,
    ply::{Arrival, BoardName, Pattern, StandingAct, Written},
    rule::Rule,
    square::{Side, Square},
};

/// State of a record of linked boards.
#[derive(Default)]
pub struct Seats {
    addresses: Addresses,
    /// The boards whose turn was used, or left unchanged, by a ply on another board, or from which a king was
    /// removed.
    turns: Vec<Turned>,
    /// The kings of each board, White's and Black's, when one was last lost.
    kings: Vec<BySide<bool>>,
    /// How many kings each team had then.
    count: BySide<u32>,
    /// The kings before the last ply, and the side that made it: what its sign depends on.
    before: Option<(BySide<u32>, Side)>,
    /// Which side did something that cannot be judged, and on which board.
    acted: Vec<(LinkedBoard, Side)>,
}

/// Whether White and Black have a king on each board.
fn kings_of(position: &Linked) -> Vec<BySide<bool>> {
    let has = |board, side| position.king_on(board, side).is_some();
    (0..position.boards())
        .map(|board| BySide::from_fn(|side| has(board, side)))
        .collect()
}

/// Why the turn on a board changed without a move on it.
struct Turned {
    board: usize,
    words: String,
    rule: &'static Rule,
}

impl Seats {
    /// Remembers how a ply with this number changed turns on boards other than its own.
    fn note_turns(&mut self, position: &Linked, ply: Ply, (number, side): (u32, Side)) {
        let board = ply.board();
        self.turns.retain(|turned| turned.board != board);
        if ply.over().is_some() {
            let made = board_number(board as u16, number, side);
            let made = made.trim_end_matches('.');
            let (words, rule): (_, &'static Rule) = match position.edition() {
                Edition::Of2025 => (
                    format!("the crossing {made} used the turns of both boards"),
                    &law::BOTH_TURNS,
                ),
                Edition::Of2003 => (
                    format!("the crossing {made} left the turn here as it was"),
                    &law::ARRIVAL,
                ),
            };
            self.turn(ply.arrives_on(), words, rule);
        }
        if position.kings() == self.count {
            return;
        }
        let before = std::mem::replace(&mut self.kings, kings_of(position));
        self.count = position.kings();
        if position.edition() != Edition::Of2025 {
            return;
        }
        for (board, before) in before.into_iter().enumerate() {
            let Some(now) = self.kings.get(board).copied() else {
                break;
            };
            let is_gone = |side: &Side| before[*side] && !now[*side];
            if let Some(side) = Side::BOTH.into_iter().find(is_gone) {
                let words = format!(
                    "{side}'s king there was mated and removed, and {side} makes the next move"
                );
                self.turn(board, words, &law::KING_REMOVED);
            }
        }
    }

    /// The turn on a board has changed, for this reason.
    fn turn(&mut self, board: usize, words: String, rule: &'static Rule) {
        self.turns.retain(|turned| turned.board != board);
        self.turns.push(Turned { board, words, rule });
    }
}

/// How the players of a match are seated: all of a team play its colour.
pub const SEATING: Seating = Seating {
    team: |_, side| side,
    law: &law::ATTEMPTS,
};

/// Why the instruction of a side's captain cannot be carried out in the present position.
pub fn against_order(
    referee: &Referee<Linked>,
    players: &Players,
    order: &Order,
    side: Side,
) -> Option<String> {
    let is_sure = referee.now().is_sure();
    let boards = if is_sure { referee.position() } else { None };
    players::against(players, order, side, boards)
}

/// A ply that is illegal as far as is known, next to a lost board: a piece may have crossed from there, which in
/// the edition of 2025 also passes the turn. Returns whether the ply depends on that; if so, its board is lost,
/// too.
fn hangs_on_a_guest(hearing: &mut Hearing<'_, Linked>, at: LinkedBoard, san: &San) -> bool {
    let LinkedBoard::One(board) = at else {
        return false;
    };
    if hearing.referee.now().lost().is_empty() {
        return false;
    }
    let board = usize::from(board);
    let now = hearing.referee.now();
    let is_beside = now.iter().any(|reading| reading.is_beside_unknown(board));
    let may_cross = |reading: &Linked| reading.is_legal_if_a_turn_passed(board, &san.written);
    let may_cross = now.iter().any(may_cross);
    if !(is_beside || may_cross)
        || !matches!(
            hearing.referee.meaning(at, Said::Ply(san.written)),
            Meaning::Illegal(_)
        )
    {
        return false;
    }
    let out_of_turn =
        Linked::out_of_turn(&hearing.referee.own, hearing.referee.latest(), at).is_some();
    let hangs = may_cross
        || match out_of_turn {
            true => hearing.referee.latest().edition() == Edition::Of2025,
            false => {
                let acted = &hearing.referee.own.acted;
                let may =
                    |reading: &Linked| reading.is_legal_with_a_guest(board, &san.written, acted);
                hearing.referee.now().iter().any(may)
            }
        };
    if hangs {
        leave_to_a_guest(hearing, at);
    }
    hangs
}

/// A ply that only a piece from a lost board can have made: its board is lost, too.
fn leave_to_a_guest(hearing: &mut Hearing<'_, Linked>, at: LinkedBoard) {
    // A variation was not played, so nothing can have crossed in it.
    if hearing.state.at_main_line() {
        hearing.leave_open();
    }
    hearing.lose(at, Unjudged::ThisMove);
    hearing.state.last.moved = true;
}

/// A crossing to a lost board is judged by what is known: the piece, its way to the edge, the kings on the other
/// boards.
fn cross_into_the_unknown(hearing: &mut Hearing<'_, Linked>, board: usize, next: usize, san: &San) {
    let Written::Move(Pattern { to, capture, .. }) = san.written else {
        return;
    };
    let taken = if capture { Some(to) } else { None };
    let suppose = |reading: &Linked| reading.supposing(next, taken, reading.turn(board));
    let supposed: Vec<_> = hearing.referee.now().iter().map(suppose).collect();
    let at = LinkedBoard::of(board);
    let meant = supposed
        .iter()
        .find_map(|reading| reading.meant(board, &san.written).next());
    let acted = &hearing.referee.own.acted;
    let may = |reading: &Linked| reading.is_legal_with_a_guest(board, &san.written, acted);
    let has_come = meant.is_none() && supposed.iter().any(may);
    match (meant.and_then(Ply::squares), supposed.first()) {
        // A piece that crossed unseen may go back.
        (None, _) if has_come => leave_to_a_guest(hearing, at),
        (None, Some(first)) => {
            let refusal = first.refuse(board, &san.written);
            let text = overboard_formats::san::Spelt(san.written).to_string();
            hearing.refuse(at, &text, refusal);
        }
        // A variation was not played, so nothing can have crossed in it.
        (Some(_), _) if !hearing.state.at_main_line() => hearing.lose(at, Unjudged::ThisMove),
        (Some((from, to)), _) => {
            leave_for_the_unknown(hearing, board, next, [from, to]);
        }
        (None, None) => {}
    }
}

/// A piece has crossed to a lost board, as far as can be judged.
fn leave_for_the_unknown(
    hearing: &mut Hearing<'_, Linked>,
    board: usize,
    next: usize,
    [from, to]: [Square; 2],
) {
    let message = format!(
        "whether this is legal depends on board {}, which is not judged",
        BoardName(next)
    );
    hearing.find(&code::OPEN_PLY, hearing.state.last.place, message);
    let left = Happening::Stood(StandingAct::Moved {
        from,
        to,
        arrival: Arrival::Beside(u16::try_from(next).unwrap_or(u16::MAX)),
        promotion: None,
    });
    let gone = hearing.referee.line.happen(LinkedBoard::of(board), left);
    let lost = if gone.is_some() {
        LinkedBoard::of(next)
    } else {
        LinkedBoard::WHOLE
    };
    // It did nothing unknown there, so no piece can come back from it.
    let side = hearing.referee.own.addresses.side.take();
    hearing.lose(lost, Unjudged::ThisMove);
    hearing.referee.own.addresses.side = side;
    hearing.state.last.moved = true;
    hearing.follow_course(true);
}

impl SideBySide for Linked {
    fn addresses_mut(own: &mut Seats) -> &mut Addresses {
        &mut own.addresses
    }

    /// In the edition of 2025 a crossing from a lost board may have used a turn.
    fn may_be_further(&self, board: usize) -> bool {
        self.edition() == Edition::Of2025 && self.is_beside_unknown(board)
    }

    /// A pass carries none.
    fn sign_of(&self, ply: Ply, after: &Self) -> Suffix {
        if ply.is_pass() {
            return Suffix::None;
        }
        linked::suffix(self.kings(), after, self.turn(ply.board()))
    }
}

impl Judge for Linked {
    type Open = ();
    type Own = Seats;

    const ALPHABET: &'static Alphabet = &LINKED;
    const SET_UP: &'static Rule = &law::LINKS;
    const END: &'static Rule = &law::TEAM_END;
    const NUMBERED: bool = false;

    fn form(_: &Options) -> &'static str {
        "the FENs of linked boards are joined by ` | `, each with five fields"
    }

    fn begin(hearing: &mut Hearing<'_, Self>) {
        hearing.referee.own.kings = kings_of(hearing.referee.latest());
        hearing.referee.own.count = hearing.referee.latest().kings();
        let boards = hearing.referee.latest().boards();
        hearing.state.players = Players::of(hearing.state.header(), boards, SEATING);
        let header = hearing.state.header();
        let (Some(fen), Some(place)) = (header.text(Name::Fen), header.place(Name::Fen)) else {
            return;
        };
        let read = linked::read(&fen, hearing.referee.options.edition);
        let Ok(linked::Reading { mated, .. }) = read else {
            return;
        };
        for (board, side) in mated {
            let message = format!(
                "the {} king on board {} is mated and not its team's last: it is removed at once",
                side.adjective(),
                BoardName(board)
            );
            set_rule(
                hearing.find(&code::MATED_IN_FEN, place, message),
                &law::SET_UP_MATED,
            );
        }
    }

    fn address(hearing: &mut Hearing<'_, Self>) -> Option<LinkedBoard> {
        addresses::address(hearing)
    }

    fn read_number(hearing: &mut Hearing<'_, Self>) {
        addresses::read_number(hearing);
    }

    fn in_words(hearing: &Hearing<'_, Self>, at: LinkedBoard, text: &str) -> String {
        addresses::in_words(hearing, at, text)
    }

    fn unjudged(referee: &Referee<Self>, at: LinkedBoard, _: Unjudged) -> String {
        addresses::unjudged(referee, at)
    }

    fn may_differ(&self, at: LinkedBoard) -> bool {
        matches!(at, LinkedBoard::One(board) if self.is_beside_unknown(board.into()))
    }

    fn panel(&self, at: LinkedBoard) -> Option<Panel> {
        let board = self.seat(at)?;
        Some(linked::panel(self, board))
    }

    fn moment(hearing: &Hearing<'_, Self>) -> Option<String> {
        Some(hearing.referee.own.addresses.moment())
    }

    fn standing_acts(&self, at: LinkedBoard, pattern: &Pattern) -> Vec<StandingAct> {
        let board = self.seat(at);
        let origins = board.map_or_else(Vec::new, |board| self.likely_origins(board, pattern));
        standing_acts_from(&origins, pattern, &[])
    }

    fn made(hearing: &mut Hearing<'_, Self>, step: &Step<Self>, (): &()) {
        let Step::Ply(ply) = *step else {
            return hearing.referee.own.addresses.note_made(hearing.state);
        };
        if !hearing.state.at_main_line() {
            return;
        }
        if hearing.state.acts().is_some() {
            hearing.state.keep_act(linked::coordinates(ply).as_ref());
        }
        hearing.referee.own.addresses.note_made(hearing.state);
        let position = hearing.referee.line.now().latest();
        let number = hearing.state.last.number;
        hearing.referee.own.note_turns(position, ply, number);
    }

    fn close_rav(hearing: &mut Hearing<'_, Self>) {
        hearing.referee.own.addresses.forget();
    }

    fn out_of_turn(own: &Seats, reading: &Self, at: LinkedBoard) -> Option<Box<Refusal<Self>>> {
        let (_, turn) = reading.next_move(at)?;
        if own.addresses.side? == turn {
            return None;
        }
        let words = format!("it is {turn}'s turn on board {at}");
        let why = own
            .turns
            .iter()
            .find(|why| LinkedBoard::of(why.board) == at);
        Some(Box::new(match why {
            Some(Turned {
                words: why, rule, ..
            }) => Refusal::new(format!("{words}: {why}"), rule, at),
            None => Refusal::new(words, &regular::TURN, at),
        }))
    }

    /// An attack on a king is not check if its team has another king.
    fn no_check(
        &self,
        given: Suffix,
        right: Suffix,
        side: Side,
    ) -> Option<(String, &'static Rule)> {
        if given == Suffix::None || right != Suffix::None {
            return None;
        }
        let attacked =
            (0..self.boards()).find(|board| self.is_attacked_king(*board, side.other()))?;
        let words = format!(
            "this is not a check: the king attacked on board {} is not the last of {}'s team",
            BoardName(attacked),
            side.other()
        );
        Some((words, &law::KING_TAKEN))
    }

    fn on_lost(
        hearing: &mut Hearing<'_, Self>,
        lost: Option<LinkedBoard>,
        at: LinkedBoard,
        san: &San,
    ) -> bool {
        if lost.is_some() {
            // A crossing from an unknown board makes the board of arrival unknown.
            if let Written::Move(Pattern {
                arrival: Arrival::Beside(board),
                ..
            }) = san.written
            {
                hearing.lose(LinkedBoard::One(board), Unjudged::ThisMove);
            }
            return true;
        }
        let (
            Written::Move(Pattern {
                arrival: Arrival::Beside(next),
                ..
            }),
            LinkedBoard::One(board),
        ) = (san.written, at)
        else {
            return hangs_on_a_guest(hearing, at, san);
        };
        let barred =
            Self::out_of_turn(&hearing.referee.own, hearing.referee.latest(), at).is_some();
        if barred
            || hearing
                .referee
                .now()
                .lost_around(LinkedBoard::One(next))
                .is_none()
        {
            return hangs_on_a_guest(hearing, at, san);
        }
        cross_into_the_unknown(hearing, usize::from(board), usize::from(next), san);
        true
    }

    fn captures(&self, ply: Ply) -> bool {
        Self::captures(self, ply)
    }

    fn canonical(&self, ply: Ply) -> Canonical {
        Canonical {
            written: self.written(ply),
            suffix: Suffix::None,
            side: self.turn(ply.board()),
            number: self.fullmove(ply.board()),
            board: Some(ply.board() as u16),
            path: BoardPath::OUTERMOST,
            coordinates: linked::coordinates(ply),
            act: None,
        }
    }

    fn playing(hearing: &mut Hearing<'_, Self>, ply: Ply) {
        let position = hearing.referee.latest();
        let before = (position.kings(), position.turn(ply.board()));
        hearing.referee.own.before = Some(before);
    }

    /// A pass carries none.
    fn sign(referee: &Referee<Self>, ply: Ply, (): &()) -> Suffix {
        match referee.own.before {
            Some((kings, side)) if !ply.is_pass() => linked::suffix(kings, referee.latest(), side),
            _ => Suffix::None,
        }
    }

    fn lost(referee: &mut Referee<Self>, at: LinkedBoard, _: bool) {
        let acted = referee.own.addresses.side.map(|side| (at, side));
        if let Some(acted) = acted
            && !referee.own.acted.contains(&acted)
        {
            referee.own.acted.push(acted);
        }
    }

    fn could_be(&self, at: LinkedBoard, said: Said<'_, Self>) -> Option<Ply> {
        match (at, said) {
            (LinkedBoard::One(board), Said::Ply(Written::Pass)) => {
                self.pass_beside(usize::from(board))
            }
            _ => None,
        }
    }

    fn thin(readings: &mut Vec<Self>) {
        Self::thin(readings);
    }

    fn command(
        hearing: &mut Hearing<'_, Self>,
        command: &Command<'_>,
        place: TextSpan,
    ) -> Option<bool> {
        own_command(hearing, command, place)
    }

    fn attempted(
        hearing: &mut Hearing<'_, Self>,
        side: Side,
        at: LinkedBoard,
        tried: Tried<'_>,
    ) -> Option<Attempt> {
        side_by_side::attempted(hearing, side, at, tried, by_attempts)
    }

    fn no_resignation(&self) -> Option<&'static Rule> {
        match self.edition() {
            Edition::Of2003 => None,
            Edition::Of2025 => Some(&law::NO_RESIGNATION),
        }
    }

    /// The kings left; none for a team that was mated, resigned or broke the rules (SC-36).
    fn score(referee: &Referee<Self>, ended: Option<Ruling>) -> Option<Score> {
        if !referee.now().is_sure() {
            return None;
        }
        let mut kings = referee.position()?.kings();
        if let Some(team) = ended.and_then(Self::without_score) {
            kings[team] = 0;
        }
        Some(Score {
            kings,
            laws: &SCORE_LAWS,
        })
    }
}

/// The laws about counting kings (SC-28, SC-30, SC-36).
static SCORE_LAWS: ScoreLaws = ScoreLaws {
    on_time: &law::TIME,
    on_claim: &law::COUNT,
    tag: &law::SCORE,
};
