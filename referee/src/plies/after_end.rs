//! Plies after the end of a game.

use super::*;
use crate::finding::set_rule;
use overboard_rules::outcome::Cause;
use std::mem;

impl<G: Judge> Hearing<'_, G> {
    /// Handles a ply after the end of the game.
    #[cold]
    pub fn past_the_end(&mut self, at: G::Board, san: &San) -> Option<Canonical> {
        if self.shows_the_result(san) {
            self.note_shown_result();
        } else {
            self.report_past_the_end(at, self.state.last.place);
        }
        None
    }

    /// Whether a move of a king comes after a draw by bare kings. Players put the kings in the middle of an electronic
    /// board to tell it the result, and it may record that as moves.
    fn shows_the_result(&self, san: &San) -> bool {
        let is_king = matches!(&san.written, Written::Move(pattern) if pattern.role == Role::King);
        let is_dead = |ruling: Ruling| ruling.cause == Cause::DeadPosition;
        if !is_king
            || !self.state.is_under_fide()
            || !self.state.course().ended.is_some_and(is_dead)
        {
            return false;
        }
        let fen = self.referee.latest().fen();
        let men = fen
            .split(' ')
            .next()
            .unwrap_or_default()
            .chars()
            .filter(char::is_ascii_alphabetic);
        men.count() == 2
    }

    /// Reports the first such move.
    fn note_shown_result(&mut self) {
        let course = self.state.course_mut();
        if mem::replace(&mut course.shows_result, true) {
            return;
        }
        let message = "the game had ended with bare kings; an electronic board records moves of the kings where they show it the result, and these do not count";
        set_rule(
            self.find(&code::AFTER_END, self.state.last.place, message.into()),
            &common::ENDED,
        );
    }

    /// Reports an act after the end, and stops judging.
    pub fn report_past_the_end(&mut self, at: G::Board, place: TextSpan) {
        // What ended first, starting with the outermost game.
        let Some((ruling, game)) = self
            .state
            .games
            .iter_mut()
            .find_map(|game| Some((game.course.ended?, game)))
        else {
            return;
        };
        game.course.played_on = true;
        let game = match game.path.as_str() {
            "" => "the game".into(),
            path => format!("the sub-game on {path}"),
        };
        let Ruling { cause, outcome, .. } = ruling;
        self.state.judging.play_past(cause);
        let message = format!(
            "{game} had ended by {cause} ({outcome}{})",
            ruling.why_drawn()
        );
        let board = self.picture(at);
        let moment = self.moment();
        if let Some(finding) = self.find(&code::MOVE_AFTER_END, place, message) {
            finding.rule = Some(&common::ENDED);
            finding.board = board;
            finding.moment = moment;
        }
        self.lose(G::Board::WHOLE, Unjudged::NextMove);
    }
}
