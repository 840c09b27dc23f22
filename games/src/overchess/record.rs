//! Overchess in records and lines of coordinates.
//!
//! In a line every ply is prefixed with the path to its game; in a record blocks contain blocks.

use crate::{
    coordinates::phrases,
    one_board::notation::BoardNotation,
    overchess::{self, Asked, Due, Effects, Level, Over, Ply},
};
use overboard_formats::san::CHESS;
use overboard_pictures::diagram::Panel;
use overboard_referee::game::{
    notation::Notation as _,
    record::{Beside, Record, Seen, moment_after},
};
use overboard_rules::{
    game::{BoardId as _, Effects as _, Happening, Step},
    outcome::Outcome,
    path::BoardPath,
    ply::StandingAct,
    position::Movegen,
    square::{Role, Side},
};

mod movetext;

pub use movetext::Movetext;

impl Record for Over {
    type Movetext = Movetext;

    fn words_after(word: &str, next: Option<&str>) -> usize {
        let own = match word.rsplit_once('.') {
            Some((_, own)) => own,
            None => word,
        };
        match (own, next) {
            ("reserve" | "give", _) => 2,
            ("prisoners" | "prisoner" | "consolidate", _) => 1,
            // An individual and its square, or the complete set-up of a sub-game of chess.
            ("setup", Some(next)) if next.starts_with(char::is_lowercase) => 2,
            ("setup", _) => 1,
            _ => 0,
        }
    }

    /// Besides plies, an end of a sub-game that its moves do not bring about (OV-16).
    fn at(&self, text: &str) -> Option<Step<Self>> {
        if let Some((way, result)) = text.rsplit_once('.')
            && let Some(outcome) = Outcome::read(result)
        {
            let there = self.sub_game_of(way.bytes().filter(|byte| *byte == b'.').count())?;
            if overchess::said(&there) != way {
                return None;
            }
            return Some(Step::Event(there, Happening::Ended(outcome)));
        }
        if self.current().depth() > 1 {
            return self.by_coordinates(text).map(Step::Ply);
        }
        let around = overchess::addressed(&self.current_path());
        let own = text.strip_prefix(around.as_str())?;
        let ply = match own.split_once('.') {
            Some((on, inner)) => {
                let (Due::Sub(due) | Due::Setup(due, _)) = self.due() else {
                    return None;
                };
                if overchess::square_named(on) != Some(due) {
                    return None;
                }
                let Some(pieces) = inner.strip_prefix("setup ") else {
                    let m = self.current().sub_game()?.at(inner)?;
                    return Some(Step::Ply(Ply::Sub(m)));
                };
                Ply::Setup(overchess::arrangement(pieces)?)
            }
            None => act(self, own)?,
        };
        self.judge(Asked::Ply(ply)).ok().map(Step::Ply)
    }

    fn in_line(&self, step: &Step<Self>) -> String {
        match step {
            Step::Ply(ply) => self.coordinates(*ply).to_string(),
            Step::Event(at, Happening::Ended(outcome)) => {
                format!("{}{outcome}", overchess::addressed(at))
            }
            Step::Event(..) => String::new(),
        }
    }

    /// A move of a sub-game of chess is shown on its own board, everything else on that of the innermost over-game.
    fn seen(&self, step: &Step<Self>, after: &Self) -> Option<Seen<BoardPath>> {
        let innermost = self.open() - 1;
        let after = match (step, self.current().sub_game()) {
            (Step::Event(_, Happening::Ended(_)), _) => return None,
            (Step::Ply(Ply::Sub(m)), Some(chess)) => Some(chess.after(*m)),
            (Step::Event(..), Some(_)) => {
                let is_there = after.path() == self.path();
                let sub_game = after.current().sub_game();
                if is_there { sub_game.cloned() } else { None }
            }
            (Step::Event(..), None) => {
                let own = (after.open() > innermost).then(|| after.inside(innermost));
                return seen_as(self, innermost, own.as_ref());
            }
            _ => return seen_in(self, innermost, step),
        };
        let chess = self.current().sub_game()?;
        let (number, side) = (chess.fullmove(), chess.turn());
        Some(Seen {
            board: self.path(),
            made: Some((number, side)),
            moment: Some(way_to(self, self.open()) + &moment_after(number, side, "")),
            fen: after.map(|chess| chess.fen()),
        })
    }

    fn left(&self, step: &Step<Self>, after: &Self) -> Option<Panel> {
        let innermost = self.open() - 1;
        match (step, self.current().sub_game()) {
            (Step::Ply(Ply::Sub(m)), Some(chess)) => {
                if after.current().sub_game().is_some() && after.path() == self.path() {
                    return None;
                }
                Some(chess.after(*m).panel())
            }
            (Step::Ply(_), _) if innermost > 0 => {
                if after.open() > innermost && after.path_of(innermost) == self.path_of(innermost) {
                    return None;
                }
                let own = inside_after(self, innermost, *step)?;
                Some(overchess::panel(own.outermost()))
            }
            _ => None,
        }
    }

    fn beside(
        &self,
        step: &Step<Self>,
        after: &Self,
        brought: &Effects,
        visit: &mut dyn FnMut(Beside<BoardPath>),
    ) {
        for (way, outcome) in brought.ended() {
            if matches!(step, Step::Event(..)) {
                // Ended from outside: its last over-move, and those of the games inside it, are not settled.
                for seen in unsettled(self) {
                    if way.contains(seen.board) {
                        visit(Beside::Stopped(seen));
                    }
                }
            }
            if let Some(level) = way.len().checked_sub(1)
                && let Some(seen) = seen_in(self, level, step)
            {
                let coord = format!("{}{outcome}", overchess::addressed(&way));
                visit(Beside::Ended(coord, outcome, seen));
            }
        }
        let (innermost, now) = (self.current_path(), after.current_path());
        let begun = |board: BoardPath, fen| Seen {
            board,
            made: None,
            moment: Some(format!("{}start", way_to(after, board.len()))),
            fen: Some(fen),
        };
        if now != innermost && now.len() >= innermost.len() {
            visit(Beside::Begun(begun(
                now,
                after.inside(after.open() - 1).fen(),
            )));
        }
        if let Some(chess) = after.current().sub_game()
            && !(self.current().sub_game().is_some() && self.path() == after.path())
        {
            visit(Beside::Begun(begun(after.path(), chess.fen())));
        }
    }

    fn board_named(&self, name: &str) -> Option<BoardPath> {
        let mut steps = name.split('.').filter(|step| !step.is_empty());
        steps.try_fold(BoardPath::OUTERMOST, |path, step| {
            Some(path.on(overchess::square_named(step)?))
        })
    }

    fn standing_act(&self, _: Option<BoardPath>, words: &[u8]) -> Option<StandingAct> {
        CHESS.standing_act(words)
    }

    /// Over-moves and consolidations of the outermost game are counted.
    fn is_counted(&self, step: &Step<Self>) -> bool {
        matches!(step, Step::Ply(Ply::Over(_) | Ply::Consolidate(_))) && self.open() == 1
    }
}

fn act(over: &Over, text: &str) -> Option<Ply> {
    let words: Vec<_> = text.split(' ').collect();
    let role = |text: &str| {
        let [letter] = text.as_bytes() else {
            return None;
        };
        Role::from_letter(*letter)
    };
    Some(match words[..] {
        ["prisoners", pieces] => Ply::Prisoners(overchess::roster(pieces)?),
        ["reserve", on, piece] => Ply::Reserve(overchess::square_named(on)?, role(piece)?),
        ["consolidate", on] => Ply::Consolidate(overchess::square_named(on)?),
        ["give", on, piece] => Ply::Give(overchess::square_named(on)?, role(piece)?),
        ["done"] => Ply::Done,
        [_] => {
            let mut found = None;
            over.legal_moves(|ply| {
                if found.is_none() && overchess::own_coordinates(over, &ply) == text {
                    found = Some(ply);
                }
            });
            return found;
        }
        _ => return None,
    })
}

/// Calls `visit` with the positions of the over-game to which steps such as `2w.d5` lead, each as a game by itself: the
/// initial one, and the one after every act in it. The square of a step is contested, and its over-move is the one
/// after which the sub-game is played. Stops at the first act that is not legal.
pub fn follow(first: &Over, acts: &str, steps: &[&str], mut visit: impl FnMut(&Over)) {
    let (mut over, level) = (first.clone(), steps.len());
    let mut begun = false;
    for place in phrases::<Over>(acts, 0) {
        let Some(step) = over.at(&acts[place]) else {
            return;
        };
        if leads_to(&over, steps) {
            if !std::mem::replace(&mut begun, true) {
                visit(&over.inside(level));
            }
            visit(&inside_after(&over, level, step).unwrap_or_else(|| over.inside(level)));
        }
        step.make(&mut over);
        if !begun && leads_to(&over, steps) {
            begun = true;
            visit(&over.inside(level));
        }
    }
}

/// Whether the current game is the over-game to which steps lead, or is inside it.
fn leads_to(over: &Over, steps: &[&str]) -> bool {
    for (level, wanted) in steps.iter().enumerate() {
        let step = over.level(level).and_then(step_inside);
        if step.as_deref() != Some(*wanted) {
            return false;
        }
    }
    over.open() > steps.len()
}

/// The step from an over-game to its sub-game: `2w.d5`.
fn step_inside(level: &Level) -> Option<String> {
    let on = level.contested().next()?.to;
    Some(format!("{}.{on}", behind(level.fullmove(), level.turn())))
}

/// The moment before a move with this number and side: that before White's move 3 is `2b`.
fn behind(number: u32, side: Side) -> String {
    let (number, side) = before(number, side);
    moment_after(number, side, "")
}

/// The moments of the last over-moves of a game, and of the over-games open in it, that stops before these are settled:
/// the innermost game first.
pub fn unsettled(over: &Over) -> impl Iterator<Item = Seen<BoardPath>> + '_ {
    let levels = (0..over.open()).rev();
    levels.filter_map(|level| unsettled_in(over, level))
}

/// The moment of the last over-move of an open over-game, if that is not settled.
#[must_use]
pub fn unsettled_in(over: &Over, level: usize) -> Option<Seen<BoardPath>> {
    let there = over.level(level)?;
    if !matches!(there.due(), Due::Setup(..) | Due::Sub(_) | Due::Settling(_)) {
        return None;
    }
    Some(Seen {
        board: over.path_of(level),
        made: None,
        moment: Some(moment_of(over, level, there)),
        fen: Some(over.inside(level).fen()),
    })
}

/// The moment of the last over-move of an open over-game, with the way to that; `there` is the game as it stands.
fn moment_of(over: &Over, level: usize, there: &Level) -> String {
    way_to(over, level) + &behind(there.fullmove(), there.turn())
}

/// The number and side of the preceding move.
fn before(number: u32, side: Side) -> (u32, Side) {
    match side {
        Side::White => (number.saturating_sub(1), Side::Black),
        Side::Black => (number, Side::White),
    }
}

/// The path to an open over-game in steps, each followed by a dot: `2w.d5.3b.e4.`.
fn way_to(over: &Over, level: usize) -> String {
    let mut way = String::new();
    for around in 0..level {
        if let Some(step) = over.level(around).and_then(step_inside) {
            way = way + &step + ".";
        }
    }
    way
}

/// An open over-game by itself after a step; `None` if the step is not one of that game.
fn inside_after(over: &Over, level: usize, step: Step<Over>) -> Option<Over> {
    let mut own = over.inside(level);
    let step = match step {
        Step::Event(at, event) => {
            Step::Event(own.sub_game_of(at.len().checked_sub(level + 1)?)?, event)
        }
        ply @ Step::Ply(_) => ply,
    };
    step.make(&mut own);
    Some(own)
}

/// An open over-game after a step.
fn seen_in(over: &Over, level: usize, step: &Step<Over>) -> Option<Seen<BoardPath>> {
    let own = inside_after(over, level, *step)?;
    seen_as(over, level, Some(&own))
}

/// An open over-game by itself after a step, with its moment if its move is complete.
fn seen_as(over: &Over, level: usize, own: Option<&Over>) -> Option<Seen<BoardPath>> {
    let there = over.level(level)?;
    let made = match over.due() {
        // A move that is due has its own number; what still belongs to the last move has that move's number.
        Due::Over | Due::OverFrom(_) | Due::Giving if level + 1 == over.open() => {
            (there.fullmove(), there.turn())
        }
        _ => before(there.fullmove(), there.turn()),
    };
    let settled = own.filter(|own| own.is_between_turns());
    let moment = settled.map(|own| moment_of(over, level, own.outermost()));
    Some(Seen {
        board: over.path_of(level),
        made: Some(made),
        moment,
        fen: own.map(Over::fen),
    })
}
