//! Comments on nested boards and the commands in them.

use super::{MegaPlay, Refused, judged};
use crate::{
    Desk,
    remarks::{Remarked, claimed},
};
use overboard_formats::{
    lex::{Part, Prose},
    parse::Parser,
    san::{CHESS, San},
    span::Place,
};
use overboard_games::{
    chess::laws as regular,
    mega::{Asked, Mega, laws as law},
};
use overboard_rules::{
    game::{Claimable, Game},
    outcome::Cause,
    path::BoardPath,
    rule::Rule,
    square::{Side, Square},
};

impl MegaPlay {
    pub(super) fn prose(&mut self, prose: Prose, part: Part, desk: &mut Desk, parser: &Parser<'_>) {
        if prose == Prose::Escape {
            return;
        }
        desk.look_at_comment(part, parser);
        if !self.in_turn() {
            desk.interrupted = true;
        }
        if !desk.in_moves || !desk.at_main_line() || desk.block_depth > 0 {
            return;
        }
        self.obey_all(desk, parser);
    }
}

impl Remarked for MegaPlay {
    const END: &'static Rule = &regular::AGREED_END;

    fn is_known(&self) -> bool {
        !self.line.readings.is_empty()
    }

    /// Inside a turn they speak of the board of the item, which nobody resigns or claims so.
    fn is_inside(&self, _: &Desk) -> bool {
        self.in_turn()
    }

    fn can_win(&self, _: Side) -> bool {
        self.line.position().is_some_and(Mega::can_win)
    }

    /// A claim, with the mega-move intended if there is one.
    fn claim(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some((repeats, intended)) = claimed(arguments) else { return false };
        let Some(position) = self.line.position() else { return true };
        let position = match intended {
            None => position.clone(),
            Some(intended) => {
                let asked = San::parse(intended, &CHESS).map(|san| Asked::Written(san.written));
                let judged = asked.ok().and_then(|asked| position.judge(&BoardPath::OUTERMOST, asked).ok());
                let Some(ply) = judged else { return false };
                position.after(ply)
            }
        };
        let Claimable { repetition: repeated, progress: idle } = position.claimable(BoardPath::OUTERMOST, 1);
        let (right, cause) =
            if repeats { (repeated, Cause::ThreefoldClaim) } else { (idle, Cause::MegaMovesClaim) };
        let why_not = || match repeats {
            true => "this position is not there for the third time".to_string(),
            false => format!("{} mega-moves in a row, not 100", position.halfmove()),
        };
        desk.decide_claim(right, (cause, &law::DRAWS), why_not, place, parser);
        true
    }

    fn attempt(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let Some(position) = self.line.position().filter(|_| !arguments.is_empty()) else { return false };
        let asked = San::parse(arguments, &CHESS).map(|san| Asked::Written(san.written));
        if asked.is_ok_and(|asked| position.judge(&BoardPath::OUTERMOST, asked).is_ok()) {
            desk.legal_attempt(place, parser);
        } else {
            desk.count_attempt(position.turn(), |_| position.can_win());
        }
        true
    }

    /// The illegal act before this comment stands: `b1d6` on the board of its item, `B1D6` for a mega-piece.
    fn stands(&mut self, arguments: &[u8], place: Place, desk: &mut Desk, parser: &Parser<'_>) -> bool {
        let (Some((from, to)), Some(first)) = (squares(arguments), arguments.first()) else { return false };
        let (Some(index), Some(refused)) = (desk.last.refused.take(), self.refused.take()) else {
            desk.nothing_stands(place, parser);
            return true;
        };
        let on_mega_board = refused.path.len() < usize::from(self.level);
        if on_mega_board != first.is_ascii_uppercase() {
            return false;
        }
        let Refused { path, readings, lost, turns, first } = *refused;
        if turns.len() != self.turns.len() {
            desk.nothing_stands(place, parser);
            return true;
        }
        let put = |reading: &Mega| {
            let is_open = path.is_empty() || judged(&turns, reading, &path, Asked::Unknown).is_ok();
            reading.displaced(&path, from, to).filter(|_| is_open)
        };
        let Some(ply) = readings.iter().find_map(put) else {
            desk.leads_nowhere(from, to, place, parser);
            return true;
        };
        self.line.readings = readings.into_iter().filter(|reading| put(reading).is_some()).collect();
        (self.line.lost, self.turns) = (lost, turns);
        self.play(&ply);
        desk.let_stand(index);
        if first {
            desk.unjudged_from = None;
        }
        self.follow_course(desk);
        true
    }
}

/// Two squares of one kind, `b1d6` or `B1D6`.
fn squares(arguments: &[u8]) -> Option<(Square, Square)> {
    let letters = arguments.iter().filter(|letter| letter.is_ascii_alphabetic());
    let capitals = letters.filter(|letter| letter.is_ascii_uppercase()).count();
    CHESS.two_squares(&arguments.to_ascii_lowercase()).filter(|_| matches!(capitals, 0 | 2))
}
