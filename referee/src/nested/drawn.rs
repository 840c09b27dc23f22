//! Boards drawn in place of a move on them (MG-13), and the claims that such draws rest on.

use super::{Item, Mega, Referee};
use crate::{Desk, Unjudged, commands::claimed, finding as code, judged::Judged as _};
use overboard_formats::{canonical::Canonical, encoding::decode, parse::Parser, san::San, span::Place};
use overboard_games::mega::laws as law;
use overboard_rules::{
    game::{Game as _, Refusal, Said},
    path::BoardPath,
    ply::Written,
    position::Found,
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
        if self.is_void(path, desk) {
            return None;
        }
        let drawn = (self.line.now().latest().clone(), self.open.clone());
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
        let Some((repeats, intended)) = claimed(arguments) else { return false };
        let read = |text| San::parse_in(desk.options.limits.language, text, Mega::ALPHABET);
        let Ok(intended) = intended.map(read).transpose() else { return false };
        let Some(Item { path, place: at, steps, drawn }) = self.own.last.take() else { return true };
        let Some((before, open)) = drawn.filter(|_| self.line.now().lost_around(path).is_none()) else {
            desk.wrong_claim(
                format!("no draw stands on {path}: it is made in place of the move there, `{path}.1/2-1/2`"),
                &law::AGREED,
                place,
                parser,
            );
            return true;
        };
        let reached = match intended.map(|san| before.find(path, &san.written)) {
            None => Some(before),
            Some(Found::One(ply)) => Some(before.after(ply)),
            Some(Found::None | Found::Several) => None,
        };
        let claimable = reached.as_ref().map(|reached| reached.claimable(path, 1));
        if claimable.is_some_and(|may| if repeats { may.repetition } else { may.progress }) {
            return true;
        }
        let why = match claimable {
            None => "the move intended is not legal",
            Some(_) if repeats => "the position has not occurred three times",
            Some(_) => "fifty moves have not been made",
        };
        self.line.back_to(steps);
        self.open = open;
        desk.last.place = at;
        let words = format!("the claim that it rests on is not correct: {why}");
        self.refuse(path, "1/2-1/2", Refusal::new(words, &law::AGREED, path), desk, parser);
        true
    }
}
