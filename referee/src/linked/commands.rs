//! Commands in comments on linked boards that no other game has, or takes otherwise.

use super::{Desk, Referee};
use crate::finding as code;
use memchr::memmem;
use overboard_formats::{
    command::{Appointed, Command, appointed, side as side_of},
    encoding::decode,
    header::unescape_list,
    parse::Parser,
    san::board_index,
    span::{Place, Span},
};
use overboard_games::strategichess::linked::{
    Edition, Linked, LinkedBoard, laws as law,
    order::{Order, OrderFault},
};
use overboard_rules::{
    game::Happening,
    outcome::{Cause, Outcome, Ruling},
    ply::BoardName,
    refusal::list,
    square::Side,
};

impl Referee<Linked> {
    /// A command that linked boards alone take, or take otherwise; whether its arguments could be read.
    pub fn own_command(
        &mut self,
        command: &Command<'_>,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> Option<bool> {
        let arguments = command.arguments;
        Some(match command.name {
            b"resign" => self.resign(arguments, place, desk, parser),
            b"draw" => desk.agree(arguments, &law::TEAM_END),
            b"flag" => self.flag_falls(arguments, place, desk, parser),
            b"order" => self.order(arguments, place, desk, parser),
            b"player" => self.substitute(arguments),
            b"claim" => self.claim_count(arguments, place, desk, parser),
            b"illegal" => {
                // It is made by whose turn it is.
                self.own.side = None;
                self.attempt(self.last_board(desk), arguments, place, desk, parser)
            }
            _ => return None,
        })
    }

    /// The board whose number stands before a comment, or else that of the last ply (SC-37).
    fn last_board(&self, desk: &Desk) -> LinkedBoard {
        let last = || LinkedBoard::One(desk.last.board.unwrap_or(0));
        self.own.addressed.map_or_else(last, |(board, _)| LinkedBoard::of(board))
    }

    fn resign(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if side_of(arguments).is_none() {
            return false;
        }
        if self.position().edition() == Edition::Of2025 {
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
        board_index(letters).map(usize::from).filter(|board| *board < self.position().boards())
    }

    /// `B:A`: the flag of Black's player on board A.
    fn flag_falls(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let [side, b':', letters @ ..] = arguments else { return false };
        let (Some(side), Some(named)) = (side_of(&[*side]), board_index(letters)) else { return false };
        let Some(board) = self.board(letters) else {
            let message = format!(
                "there is no board {}: there are {}",
                BoardName(named.into()),
                self.position().boards()
            );
            desk.find(&code::BAD_COMMAND, place, parser, message);
            return true;
        };
        if desk.papers.course.ended.is_none() {
            self.fall(LinkedBoard::of(board), Happening::Flag(side), desk);
            desk.papers.course.ended = self.ruling();
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
        self.own.players.substitute(side, board, unescape_list(&name));
        true
    }

    /// `W Team Player "Ann" send …`: judged by its form (SC-40, SC-42).
    fn order(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let [side, b' ', ..] = arguments else { return false };
        let Some(side) = side_of(&[*side]) else { return false };
        if desk.papers.course.ended.is_some() {
            return true;
        }
        let text = decode(&arguments[2..]).0.trim_start().to_string();
        match Order::parse(&text) {
            Ok(order) => self.judge_order(&order, &text, side, place, desk, parser),
            Err(fault) => {
                let here = deviation(&fault, &text, place, parser);
                let comes_of_it = match desk.papers.course.offender {
                    Some(first) if first != side => format!(", and {first}'s captain offended before"),
                    _ => format!(", and {side} loses by rules infraction when the game is over"),
                };
                let message = format!(
                    "`{text}` is not an instruction in the prescribed form: {}{comes_of_it}",
                    told(&fault, &text)
                );
                if let Some(finding) = desk.find(&code::BAD_ORDER, here, parser, message) {
                    finding.rule = Some(&law::ORDERS);
                }
                desk.papers.offend(side);
            }
        }
        true
    }

    /// What is to be said of an instruction in words that are allowed.
    fn judge_order(
        &self,
        order: &Order,
        text: &str,
        side: Side,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) {
        let mut say = |kind, message, rule| {
            if let Some(finding) = desk.find(kind, place, parser, message) {
                finding.rule = Some(rule);
            }
        };
        if !order.departures.is_empty() {
            let message = format!(
                "the instruction `{text}` deviates from the prescribed form: {}",
                list(&order.departures, "and")
            );
            say(&code::ORDER_FORM, message, &law::ORDERS);
        }
        if let Some(why) = self.against_order(order, side) {
            let message = format!("the instruction `{text}` cannot be carried out: {why}");
            say(&code::ORDER_UNFIT, message, &law::OTHER_WORDS);
        }
    }

    /// `kings`: a captain has the kings counted, which ends the match where he may (SC-28).
    fn claim_count(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        if arguments != b"kings" {
            let message = "on linked boards there is no claim of repetition or of fifty moves";
            desk.wrong_claim(message.into(), &law::COUNT, place, parser);
            return true;
        }
        let known = self.line.now().position().filter(|_| self.line.now().is_sure());
        let Some(position) = known.filter(|_| desk.papers.course.ended.is_none()) else { return true };
        if position.may_be_counted() {
            let outcome = position.counted();
            desk.papers.course.ended =
                Some(Ruling { outcome, cause: Cause::KingsCounted, rule: &law::COUNT });
        } else {
            let message = "the claim is not correct: an open board has not seen a hundred plies since the last \
                           capture";
            desk.wrong_claim(message.into(), &law::COUNT, place, parser);
        }
        true
    }

    /// An illegal attempt of the player of a side on a board: with too many of them his king falls, whatever a fallen
    /// flag does.
    pub fn attempt_made(&mut self, side: Side, at: LinkedBoard, desk: &mut Desk) {
        let LinkedBoard::One(board) = at else { return };
        if desk.papers.course.ended.is_some() {
            return;
        }
        if self.own.players.attempt(side, usize::from(board)) < desk.attempts_allowed {
            return;
        }
        self.fall(at, Happening::Ended(Outcome::Win(side.other())), desk);
        desk.papers.course.ended = self.ruling().map(|ruling| match ruling.cause {
            Cause::Flag => Ruling { cause: Cause::IllegalAttempts, rule: &law::ATTEMPTS, ..ruling },
            _ => ruling,
        });
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
