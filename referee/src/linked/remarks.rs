//! Comments on linked boards and the commands in them.

use super::{LinkedPlay, displaced};
use crate::{Desk, finding as code, line::Clocks, remarks::Remarked};
use memchr::memmem;
use overboard_formats::{
    command::{Appointed, Command, appointed, side as side_of},
    encoding::decode,
    header::unescape_list,
    lex::{Part, Prose},
    parse::Parser,
    san::{LINKED, San, board_index},
    span::{Place, Span},
};
use overboard_games::strategichess::linked::{
    Edition, FallenFlag, LinkedBoard, laws as law,
    order::{Order, OrderFault, Unfit},
};
use overboard_rules::{
    game::{Game as _, Happening},
    outcome::{Cause, Outcome, Ruling},
    ply::BoardName,
    rule::Rule,
    square::Side,
};

impl LinkedPlay {
    pub(super) fn prose(&mut self, prose: Prose, part: Part, desk: &mut Desk, parser: &Parser<'_>) {
        if prose == Prose::Escape {
            return;
        }
        desk.look_at_comment(part, parser);
        if !desk.in_moves || !desk.at_main_line() || desk.block_depth > 0 {
            return;
        }
        self.obey_all(desk, parser);
    }

    fn resign(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if side_of(arguments).is_none() {
            return false;
        }
        if self.line.position().is_some_and(|position| position.edition() == Edition::Of2025) {
            let message = "resignation is not permitted; a player who stops is replaced";
            if let Some(finding) = desk.find(&code::NO_RESIGNATION, place, parser, message.into()) {
                finding.rule = Some(&law::NO_RESIGNATION);
            }
            return true;
        }
        desk.resign(arguments, &law::TEAM_END)
    }

    /// The board of these letters, where it is there.
    fn board(&self, letters: &[u8]) -> Option<usize> {
        board_index(letters).map(usize::from).filter(|board| *board < self.line.lost.len())
    }

    /// `B:A`: the flag of Black's player on board A.
    fn flag_falls(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let [side, b':', letters @ ..] = arguments else { return false };
        let (Some(side), Some(named)) = (side_of(&[*side]), board_index(letters)) else { return false };
        let Some(board) = self.board(letters) else {
            let message =
                format!("there is no board {}: there are {}", BoardName(named.into()), self.line.lost.len());
            desk.find(&code::BAD_COMMAND, place, parser, message);
            return true;
        };
        if desk.course.ended.is_none() {
            for reading in &mut self.line.readings {
                reading.happen(LinkedBoard::of(board), Happening::Flag(side));
            }
            desk.course.ended = self.end_by_itself();
        }
        true
    }

    /// `W A "Zoe"`: from here on she plays for White on board A (SC-43).
    fn substitute(&mut self, arguments: &[u8]) -> bool {
        let Some(Appointed { side, seat, name }) = appointed(arguments) else { return false };
        if seat == "captain" {
            return true;
        }
        let Some(board) = self.board(seat.as_bytes()) else { return false };
        self.players.substitute(side, board, unescape_list(&name));
        true
    }

    fn penalty(&mut self, arguments: &[u8], desk: &mut Desk) -> bool {
        let Some(seconds) = desk.penalty(arguments) else { return false };
        self.clocks.iter_mut().for_each(|clocks| clocks.adjust(seconds));
        true
    }

    /// `W Team Player "Ann" send …`: judged by its form (SC-40, SC-42).
    fn order(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let [side, b' ', ..] = arguments else { return false };
        let Some(side) = side_of(&[*side]) else { return false };
        if desk.course.ended.is_some() {
            return true;
        }
        let text = decode(&arguments[2..]).0.trim_start().to_string();
        let (words, here) = match Order::parse(&text) {
            Ok(order) => match self.against_order(&order, side) {
                Some(Unfit::Breach(words)) => (words, place),
                Some(Unfit::Report(words)) => {
                    let message = format!("the instruction `{text}` cannot be carried out: {words}");
                    desk.find(&code::ORDER_UNFIT, place, parser, message);
                    return true;
                }
                None => return true,
            },
            Err(fault) => (told(&fault, &text), deviation(&fault, &text, place, parser)),
        };
        let message = format!(
            "{side} loses by rules infraction: `{text}` is no instruction of the one form that is allowed: {words}"
        );
        if let Some(finding) = desk.find(&code::BAD_ORDER, here, parser, message) {
            finding.rule = Some(&law::ORDERS);
        }
        desk.end_by(Outcome::Win(side.other()), Cause::Infraction, &law::OTHER_WORDS);
        true
    }
}

impl Remarked for LinkedPlay {
    const END: &'static Rule = &law::TEAM_END;

    /// What is known is asked board by board.
    fn is_known(&self) -> bool {
        true
    }

    /// Never asked: the flags of linked boards are its own.
    fn can_win(&self, _: Side) -> bool {
        true
    }

    fn own(
        &mut self,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<bool> {
        let arguments = command.arguments;
        Some(match command.name {
            b"resign" => self.resign(arguments, place, desk, parser),
            b"flag" => self.flag_falls(arguments, place, desk, parser),
            b"order" => self.order(arguments, place, desk, parser),
            b"player" => self.substitute(arguments),
            b"penalty" => self.penalty(arguments, desk),
            _ => return None,
        })
    }

    /// `kings`: a captain has the kings counted, which ends the match where he may (SC-28).
    fn claim(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if arguments != b"kings" {
            let message = "linked boards know no claim of repetition or of fifty moves";
            desk.wrong_claim(message.into(), &law::COUNT, place, parser);
            return true;
        }
        let known = self.line.position().filter(|_| !self.line.lost.contains(&true));
        let Some(position) = known.filter(|_| desk.course.ended.is_none()) else { return true };
        if position.may_be_counted() {
            let outcome = position.counted();
            desk.course.ended = Some(Ruling { outcome, cause: Cause::KingsCounted, rule: &law::COUNT });
        } else {
            let message = "the claim is not correct: an open board has not seen a hundred plies since the last \
                           capture";
            desk.wrong_claim(message.into(), &law::COUNT, place, parser);
        }
        true
    }

    /// A move that was played and taken back: it counts for the side to move on the board whose number
    /// stands before it, or else on the board of the last ply (SC-37).
    fn attempt(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if arguments.is_empty() {
            return false;
        }
        let board = self.addressed.map_or(desk.last.board.map_or(0, usize::from), |(board, _)| board);
        if self.line.is_lost(board) || desk.course.ended.is_some() {
            return true;
        }
        let Some(side) = self.line.position().map(|position| position.turn(board)) else { return true };
        let legal = San::parse(arguments, &LINKED)
            .is_ok_and(|san| matches!(self.meaning(board, &san.written), super::Meaning::Legal(_)));
        if legal {
            desk.legal_attempt(place, parser);
        } else if self.players.attempt(side, board) >= desk.attempts_allowed {
            // His king falls, whatever a fallen flag does.
            self.line.readings.iter_mut().for_each(|reading| reading.fall(board, side, FallenFlag::King));
            desk.course.ended = self.end_by_itself().map(|ruling| match ruling.cause {
                Cause::Flag => Ruling { cause: Cause::IllegalAttempts, rule: &law::ATTEMPTS, ..ruling },
                _ => ruling,
            });
        }
        true
    }

    /// The illegal ply before this comment stands: `b1d6`, or `n5a5/B` on to another board.
    fn stands(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let mut parts = arguments.splitn(2, |byte| *byte == b'/');
        let squares = parts.next().and_then(|squares| LINKED.two_squares(squares));
        let beside = parts.next().map(|letters| board_index(letters).map(usize::from));
        let (Some((from, to)), None | Some(Some(_))) = (squares, beside) else { return false };
        let (Some(index), Some(board)) = (desk.last.refused.take(), desk.last.board.map(usize::from)) else {
            desk.nothing_stands(place, parser);
            return true;
        };
        let arrives = beside.flatten().unwrap_or(board);
        let readings = displaced(&self.line.before, board, (from, to), arrives);
        if readings.is_empty() {
            desk.leads_nowhere(from, to, place, parser);
            return true;
        }
        desk.let_stand(index);
        self.line.readings = readings;
        self.line.lost.clone_from(&self.line.lost_before);
        if self.first_lost {
            desk.unjudged_from = None;
        }
        desk.course.ended = self.end_by_itself();
        true
    }

    /// A clock, of the player who made the last ply.
    fn clock(&mut self, shown: u64, place: Place, desk: &mut Desk, parser: &Parser<'_>) {
        let (Some(board), (_, side)) = (desk.last.board.filter(|_| desk.last.moved), desk.last.number) else {
            return;
        };
        let board = usize::from(board);
        if self.clocks.len() <= board {
            self.clocks.resize(board + 1, Clocks::default());
        }
        let before = self.clocks[board].show(side, shown);
        let whose = || format!("{side}'s clock on board {}", BoardName(board));
        desk.compare_clock(whose, before, shown, place, parser);
    }
}

/// Where an instruction leaves the form, in words.
fn told(fault: &OrderFault, text: &str) -> String {
    match text.get(fault.at..).unwrap_or("") {
        "" => format!("{fault} at its end"),
        rest => format!("{fault} at `{rest}`"),
    }
}

/// The place where an instruction leaves the form; the whole command where it cannot be pointed at.
fn deviation(fault: &OrderFault, text: &str, place: Place, parser: &Parser<'_>) -> Place {
    let Some(start) = memmem::find(parser.text(place.span), text.as_bytes()) else { return place };
    let from = place.span.from + (start + fault.at) as u64;
    let to = place.span.from + (start + text.len()) as u64;
    place.at(Span::new(from, to.max(from + 1)))
}
