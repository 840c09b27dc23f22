//! A player that is an external engine: asks it for plies, and checks its answers.

use super::{
    pace::Clock,
    pool::{Engine, EngineFault},
    talk::{Answer, Go, Start, Talk},
};
use crate::{
    chance::Chance,
    ending::End,
    live_game::LiveGame,
    openings::Opening,
    players::{Act, Player, Thought},
};
use overboard_formats::foreign::Foreign;
use overboard_games::illegal_coordinates;
use overboard_referee::game::play::{ClaimedEnd, Play};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Claimable, Spelt},
    outcome::{Cause, Outcome},
    ply::{Wing, Written},
    position::Found,
    square::Side,
};
use std::{collections::VecDeque, sync::atomic::AtomicBool};

/// An engine that plays one game.
pub struct Seated<'b, 'a> {
    engine: &'b mut Engine<'a>,
    give_up: &'b AtomicBool,
    side: Side,
    clock: Option<Clock>,
    /// Plies of its answer for this turn that have not been played yet.
    said: VecDeque<Foreign>,
    /// Why it cannot play, if so.
    fault: Option<EngineFault>,
    thought: Thought,
    /// Which claims were correct after its last ply, before the reply.
    before: Claimable,
}

/// The seat of an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineSeat<'a> {
    /// Set if games are to be given up.
    pub give_up: &'a AtomicBool,
    /// The number of the playing thread, from 0.
    pub thread: usize,
    /// The number of the game.
    pub game: u64,
    /// The side that it plays.
    pub side: Side,
}

impl<'b, 'a> Seated<'b, 'a> {
    /// Lets an engine begin a game. If it cannot, its fault is returned when it is asked for a ply.
    #[must_use]
    pub fn new<G: Play>(
        engine: &'b mut Engine<'a>,
        place: EngineSeat<'b>,
        opening: &Opening<G>,
    ) -> Self {
        let start = Start {
            game: place.game,
            fen: opening.fen.as_deref(),
            yours: place.side,
        };
        let begun = engine.begin(&start, place.thread, Some(place.give_up));
        Self {
            clock: engine.program.tc.map(Clock::new),
            engine,
            give_up: place.give_up,
            side: place.side,
            said: VecDeque::new(),
            fault: begun.err(),
            thought: Thought::default(),
            before: Claimable::default(),
        }
    }

    /// The end of a game because of its fault.
    fn faulted<P, G: Play>(&self, table: &LiveGame<G>, fault: EngineFault) -> Act<P> {
        let other = self.side.other();
        let outcome = match fault.cause {
            // As over the board, a side that cannot mate does not win on time (GEN-10).
            Cause::Flag => {
                let prospect = table.game().can_mate(G::Board::WHOLE, other);
                Outcome::win_if(other, prospect.is_possible())
            }
            _ => Outcome::Win(other),
        };
        Act::End {
            end: End {
                outcome,
                cause: fault.cause,
            },
            fault: Some(fault.words),
        }
    }

    fn go<G: Play>(&self, table: &LiveGame<G>, clocks: BySide<Option<Clock>>) -> Go {
        let program = self.engine.program;
        let coordinates = |ply: &G::Ply| table.game().coordinates(*ply).to_string();
        Go {
            side: self.side,
            clocks,
            st: program.st,
            depth: program.depth,
            nodes: program.nodes,
            board: table.board().map(|board| board.to_string()),
            legal: if self.engine.talk().is_some_and(Talk::wants_legal) {
                Some(table.plies().iter().map(coordinates).collect())
            } else {
                None
            },
        }
    }

    /// Plays the ply that it answered.
    fn play<G: Play>(&mut self, table: &LiveGame<G>, text: &Foreign) -> Act<G::Ply> {
        let came = text.as_it_came();
        let game = table.game();
        if let Some(ply) = game.by_coordinates(came) {
            return Act::Play(ply);
        }
        if let Some(ply) = castling(game, came) {
            return Act::Play(ply);
        }
        if let Some(other) = self.engine.talk().and_then(|talk| talk.rewritten(came))
            && let Some(ply) = game.by_coordinates(&other)
        {
            return Act::Play(ply);
        }
        self.at_fault(table, Cause::IllegalMove, &refusal(game, text))
    }

    /// Checks a claim.
    fn claims<G: Play>(&mut self, table: &LiveGame<G>, answer: &Answer) -> Act<G::Ply> {
        // Some engines claim after their own ply; such a claim is checked once the reply has been made.
        let (now, before) = (table.claimable(), self.before);
        let (repetition, progress) = (
            now.repetition || before.repetition,
            now.progress || before.progress,
        );
        let ended = |end| Act::End { end, fault: None };
        let repeated = End {
            outcome: Outcome::Draw,
            cause: Cause::ThreefoldClaim,
        };
        let resigned = End {
            outcome: Outcome::Win(self.side.other()),
            cause: Cause::Resignation,
        };
        let claimed = |said: &str| format!("it claimed {said}, and that is not so");
        let words = match answer {
            Answer::Resigns => return ended(resigned),
            Answer::Repetition if repetition => return ended(repeated),
            Answer::Progress if progress => return ended(end_by_claim(table.game())),
            Answer::Repetition => {
                claimed("that the position has come back often enough for a draw")
            }
            Answer::Progress => claimed("that there were enough moves without progress for a draw"),
            Answer::Result("1/2-1/2") if repetition => return ended(repeated),
            Answer::Result("1/2-1/2") if progress => return ended(end_by_claim(table.game())),
            Answer::Result(score) if *score == resigned.outcome.as_str() => return ended(resigned),
            Answer::Result(score) => {
                format!("it claimed that the game is over with {score}, and it is not")
            }
            Answer::Refuses(words) => {
                format!("it rejected a legal move as illegal: {}", words.shown())
            }
            Answer::Plies(_) => claimed("to have played"),
        };
        self.at_fault(table, Cause::WrongClaim, &words)
    }

    fn at_fault<P, G: Play>(&mut self, table: &LiveGame<G>, cause: Cause, words: &str) -> Act<P> {
        let fault = EngineFault {
            cause,
            words: words.into(),
        };
        let fault = self.engine.blamed(fault);
        self.faulted(table, fault)
    }
}

/// Castling in the spellings of some engines.
pub(crate) fn castling<G: Play>(game: &G, text: &str) -> Option<G::Ply> {
    match game.find(G::Board::WHOLE, &Written::Castle(Wing::of_letters(text)?)) {
        Found::One(ply) => Some(ply),
        _ => None,
    }
}

/// Why an engine's answer is not a legal ply.
fn refusal<G: Play>(game: &G, text: &Foreign) -> String {
    const LONGEST: usize = 60;
    let text: String = text.shown().chars().take(LONGEST).collect();
    if text.is_empty() || text == "(none)" || text == "0000" {
        return format!("it said that it has no move in {}", game.fen());
    }
    match illegal_coordinates::why(game, &text) {
        Some(why) => format!(
            "`{text}` is not a legal move: {} ({})",
            why.words, why.rule.id
        ),
        None => format!("`{text}` is not a legal move in {}", game.fen()),
    }
}

impl<G: Play> Player<G> for Seated<'_, '_> {
    fn choose(&mut self, _: &LiveGame<G>, _: &mut Chance) -> Option<G::Ply> {
        None
    }

    fn act(
        &mut self,
        table: &LiveGame<G>,
        _: &mut Chance,
        clocks: BySide<Option<Clock>>,
    ) -> Act<G::Ply> {
        if let Some(fault) = self.fault.take() {
            return self.faulted(table, fault);
        }
        if let Some(next) = self.said.pop_front() {
            self.thought = Thought {
                time: Some(0.0),
                ..Thought::default()
            };
            return self.play(table, &next);
        }
        let go = self.go(table, clocks);
        match self.engine.think(&go, Some(self.give_up)) {
            Ok((answer, spent)) => {
                if let Some(clock) = &mut self.clock {
                    clock.spend(spent);
                }
                self.thought = Thought {
                    time: Some(spent.as_secs_f64()),
                    ..self.engine.thought
                };
                match answer {
                    Answer::Plies(plies) => {
                        self.said = plies.into();
                        let first = self.said.pop_front().unwrap_or_default();
                        self.play(table, &first)
                    }
                    claim => self.claims(table, &claim),
                }
            }
            Err(Some(fault)) => self.faulted(table, fault),
            Err(None) => Act::GivenUp,
        }
    }

    fn thought(&self) -> Thought {
        self.thought
    }

    fn see(&mut self, before: &LiveGame<G>, ply: G::Ply, text: &str) {
        if before.side() != self.side {
            // A turn of several plies is over.
            self.said.clear();
            self.before = before.claimable();
        }
        if self.engine.talk().is_some_and(Talk::wants_letters)
            && let (_, Spelt::Ply(Written::Castle(wing))) = before.game().spell(ply)
        {
            self.engine.see(wing.letters());
        } else {
            self.engine.see(text);
        }
    }

    fn clock(&self) -> Option<Clock> {
        self.clock
    }

    fn over(&mut self, end: End) {
        self.engine.over(end);
    }
}
/// The end by a correct claim of too many moves without progress.
fn end_by_claim<G: Play>(game: &G) -> End {
    let ClaimedEnd { outcome, cause, .. } = game.claimed_end(G::Board::WHOLE);
    End { outcome, cause }
}
