//! Draws in place of a move on a board, and the claims that they rest on.

use super::Item;
use crate::{Desk, Unjudged, finding as code, judged::Judged as _, referee::Referee};
use overboard_formats::{canonical::Canonical, encoding::decode, parse::Parser, span::Place};
use overboard_games::mega::{Mega, laws as law};
use overboard_rules::{
    game::{Game as _, Refusal, Said},
    path::BoardPath,
    ply::Written,
};

impl Referee<Mega> {
    /// A board drawn as an item of the turn (MG-13).
    pub(super) fn drawn_item(&mut self, desk: &mut Desk, parser: &Parser<'_>) -> Option<Canonical> {
        desk.last.place = *parser.place();
        desk.last.refused = None;
        Mega::begin_ply(self, desk, parser);
        let path = Mega::address(self, desk, parser);
        if !desk.judging || !self.line.now().is_any() {
            return None;
        }
        let Some(path) = path else {
            self.lose(BoardPath::OUTERMOST, Unjudged::ThisMove, desk);
            return None;
        };
        if self.is_past_the_end(path, desk) {
            return self.past_the_end(path, desk, parser);
        }
        let text = decode(parser.text(desk.last.place.span)).0.into_owned();
        match &*text {
            "1-0" | "0-1" => {
                let words = "a board is won by mate or by a forfeit; it cannot be resigned";
                self.refuse(path, &text, Refusal::new(words, &law::AGREED, path), desk, parser);
                return None;
            }
            "1/2-1/2" => {}
            _ => {
                let message = "a draw is written `1/2-1/2`";
                desk.find(&code::RESULT_FORM, desk.last.place, parser, message.into());
            }
        }
        if let Some(lost) = self.line.now().lost_around(path) {
            Mega::on_lost(self, lost, path, &Written::Pass, desk);
            return None;
        }
        let drawn = (self.line.now().latest().claimable(path, 1), self.open.clone());
        let told = self.act(path, Said::Draw, None, desk, parser);
        if let Some(item) = &mut self.own.last {
            item.drawn = Some(drawn);
        }
        told
    }

    /// Why a draw on a board was made: a claim that is not correct makes it illegal (MG-13).
    pub(super) fn claim_on_item(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<'_>,
    ) -> bool {
        let repeats = match arguments {
            b"threefold" => true,
            b"fifty" => false,
            _ => return false,
        };
        let Some(Item { path, place: at, steps, drawn }) = self.own.last.take() else { return true };
        let Some((drawn, open)) = drawn.filter(|_| self.line.now().lost_around(path).is_none()) else {
            desk.wrong_claim(
                format!("no draw stands on {path}: it is made in place of the move there, `{path}.1/2-1/2`"),
                &law::AGREED,
                place,
                parser,
            );
            return true;
        };
        if if repeats { drawn.repetition } else { drawn.progress } {
            return true;
        }
        let why = if repeats {
            "the position is not there for the third time"
        } else {
            "there were no fifty moves"
        };
        self.line.back_to(steps);
        self.open = open;
        desk.last.place = at;
        let words = format!("the claim that it rests on is not correct: {why}");
        self.refuse(path, "1/2-1/2", Refusal::new(words, &law::AGREED, path), desk, parser);
        true
    }
}
