//! What is special about records of Bughouse: plies of two boards, players, flags of either board.

use super::{
    BOARDS, Bughouse, LinkedBoard, Options, Ply,
    bpgn::heard::{self, Heard},
    laws as law,
    notation::FEN_FORM,
};
use crate::{
    one_board,
    side_by_side::{Addresses, SideBySide, addresses, commands as side_by_side, fallen},
};
use overboard_formats::{
    canonical::Canonical,
    command::{Command, side as side_of},
    parse::Event,
    san::{Alphabet, CRAZYHOUSE, Suffix},
    span::TextSpan,
};
use overboard_pictures::diagram::Panel;
use overboard_referee::{
    game::{
        dialect::Dialect,
        judge::{Attempt, Judge, Pause, Tried},
    },
    hearing::Hearing,
    numbering::Unjudged,
    record_state::players::{Players, Seating},
    referee::Referee,
};
use overboard_rules::{
    game::{Game as _, Happening, Refusal, Said, Step},
    outcome::{Cause, Outcome, Ruling},
    path::BoardPath,
    ply::{Pattern, StandingAct},
    position::Movegen as _,
    rule::Rule,
    square::Side,
};

/// State of a record of Bughouse.
#[derive(Default)]
pub struct Tables {
    addresses: Addresses,
    /// What is said in forms of BPGN (BH-8).
    pub(super) heard: Heard,
}

impl SideBySide for Bughouse {
    fn addresses_mut(own: &mut Tables) -> &mut Addresses {
        &mut own.addresses
    }

    fn sign_of(&self, ply: Ply, after: &Self) -> Suffix {
        after.sign_on(ply.board)
    }

    fn took_by_turn(hearing: &mut Hearing<'_, Self>) {
        heard::note_capitals(hearing);
    }

    const MAY_HAVE_CAPITALS: bool = true;
}

impl Judge for Bughouse {
    type Open = ();
    type Own = Tables;

    const ALPHABET: &'static Alphabet = &CRAZYHOUSE;
    const SET_UP: &'static Rule = &law::BOARDS;
    const END: &'static Rule = &law::MATCH_END;
    const NUMBERED: bool = false;
    const DIALECT: Option<Dialect<Self>> = Some(heard::BPGN);

    fn form(_: &Options) -> &'static str {
        FEN_FORM
    }

    fn begin(hearing: &mut Hearing<'_, Self>) {
        let seating = Seating {
            team: super::team,
            law: &law::MATCH_END,
        };
        hearing.state.players = Players::of(hearing.state.header(), BOARDS, seating);
        heard::begin(hearing);
    }

    #[inline]
    fn overhear(hearing: &mut Hearing<'_, Self>, event: Event) -> bool {
        if hearing.referee.own.leaves_open() {
            heard::overhear(hearing, event);
        }
        false
    }

    fn result_inside(hearing: &mut Hearing<'_, Self>) -> Option<Option<Canonical>> {
        heard::passes_star(hearing).then_some(None)
    }

    fn settle(hearing: &mut Hearing<'_, Self>, pause: Pause) {
        if pause == Pause::End && hearing.state.at_main_line() {
            heard::settle(hearing);
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

    fn panel(&self, at: LinkedBoard) -> Option<Panel> {
        at.index(BOARDS).map(|board| self.panel_of(board))
    }

    fn moment(hearing: &Hearing<'_, Self>) -> Option<String> {
        Some(hearing.referee.own.addresses.moment())
    }

    fn standing_acts(&self, at: LinkedBoard, pattern: &Pattern) -> Vec<StandingAct> {
        let board = at.index(BOARDS).map(|board| &self.boards[board]);
        board.map_or_else(Vec::new, |board| one_board::standing_acts(board, pattern))
    }

    fn made(hearing: &mut Hearing<'_, Self>, step: &Step<Self>, (): &()) {
        if let Step::Ply(ply) = *step {
            if !hearing.state.at_main_line() {
                return;
            }
            if hearing.state.acts().is_some() {
                let act = hearing.referee.latest().in_coordinates(ply);
                hearing.state.keep_act(act.as_ref());
            }
        }
        hearing.referee.own.addresses.note_made(hearing.state);
    }

    fn close_rav(hearing: &mut Hearing<'_, Self>) {
        hearing.referee.own.addresses.forget();
    }

    fn out_of_turn(own: &Tables, reading: &Self, at: LinkedBoard) -> Option<Box<Refusal<Self>>> {
        let (_, turn) = reading.next_move(at)?;
        own.addresses.side.filter(|side| *side != turn)?;
        let words = format!("it is {turn}'s turn on board {at}");
        Some(Box::new(Refusal::new(words, &law::OWN_TURNS, at)))
    }

    fn captures(&self, ply: Ply) -> bool {
        ply.made.is_capture()
    }

    fn canonical(&self, ply: Ply) -> Canonical {
        let here = &self.boards[ply.board];
        Canonical {
            written: here.written(ply.made),
            suffix: Suffix::None,
            side: here.turn(),
            number: here.fullmove(),
            board: Some(ply.board as u16),
            path: BoardPath::OUTERMOST,
            coordinates: self.in_coordinates(ply),
            act: None,
        }
    }

    fn sign(referee: &Referee<Self>, ply: Ply, (): &()) -> Suffix {
        referee.latest().sign_on(ply.board)
    }

    fn command(
        hearing: &mut Hearing<'_, Self>,
        command: &Command<'_>,
        place: TextSpan,
    ) -> Option<bool> {
        let arguments = command.arguments;
        Some(match command.name {
            b"resign" => resign(hearing, arguments, place),
            b"flag" => flag_falls(hearing, arguments, place),
            b"player" => side_by_side::substitute(hearing, arguments),
            b"illegal" => side_by_side::attempt(hearing, arguments, place),
            _ => return None,
        })
    }

    /// A drop of a piece that may have come from the other board.
    fn could_be(&self, at: LinkedBoard, said: Said<'_, Self>) -> Option<Ply> {
        match (at.index(BOARDS), said) {
            (Some(board), Said::Ply(written)) => self.drop_from_elsewhere(board, &written),
            _ => None,
        }
    }

    fn attempted(
        hearing: &mut Hearing<'_, Self>,
        side: Side,
        at: LinkedBoard,
        tried: Tried<'_>,
    ) -> Option<Attempt> {
        let by_attempts = |ruling| Ruling {
            cause: Cause::IllegalAttempts,
            ..ruling
        };
        side_by_side::attempted(hearing, side, at, tried, by_attempts)
    }
}

/// `W`: the team of White on board A resigns; `W:B`: White on board B does, and so the other team.
fn resign(hearing: &mut Hearing<'_, Bughouse>, arguments: &[u8], place: TextSpan) -> bool {
    let resigned = match fallen(arguments) {
        Some((side, board)) if side_by_side::has_board(hearing, board, place) => {
            let board = usize::from(board);
            hearing.referee.own.note_loser((board, side));
            super::team(board, side)
        }
        Some(_) => return true,
        None => match side_of(arguments) {
            Some(side) => side,
            None => return false,
        },
    };
    hearing.state.games.current_mut().end_by(
        Outcome::Win(resigned.other()),
        Cause::Resignation,
        &law::MATCH_END,
    );
    true
}

/// `B:A`: the flag of Black's player on board A has fallen.
fn flag_falls(hearing: &mut Hearing<'_, Bughouse>, arguments: &[u8], place: TextSpan) -> bool {
    let Some((side, board)) = fallen(arguments) else {
        return false;
    };
    if side_by_side::has_board(hearing, board, place)
        && hearing
            .fall(LinkedBoard::One(board), Happening::Flag(side))
            .is_some()
    {
        hearing.referee.own.note_loser((board.into(), side));
        hearing.state.course_mut().ended = hearing.referee.ruling();
    }
    true
}
