//! Who may do what. The arbiter may do anything; players act in their own games, captains and Commanders speak for their
//! sides, and nobody else does anything.

use super::{ActError, Done, Keeper, Scope};
use crate::{
    clock::Hand,
    journal::Part,
    kept::{Keep, Made},
};
use overboard_engines::external::lines::{FaultCode, FaultReport, fault};
use overboard_formats::{command, header::same_name};
use overboard_rules::{refusal::list, square::Side};

/// An act of somebody who is no arbiter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act<'a> {
    /// Plies are played.
    Play(&'a [String]),
    /// Something is said that a record has as a command.
    Say(&'a str, Scope),
    /// A comment is made.
    Comment(&'a str),
}

/// The rule by which people have roles in a game of Overchess, and the one about instructions.
const ROLES: &str = "OV-13";
const INSTRUCTIONS: &str = "SC-40";

impl Keeper {
    /// Does an act of a player, a captain or a Commander, known by name as the record has it. The journal says who it was.
    ///
    /// # Errors
    /// That it is somebody else's, and whose; else as for an act of the arbiter.
    pub fn act_of(&mut self, name: &str, act: Act<'_>) -> Result<Done, ActError> {
        self.check_open()?;
        self.check_right(name, act)?;
        self.sender = Some(name.to_owned());
        let done = match act {
            Act::Play(plies) => self.play_or_vote(name, plies),
            Act::Say(words, scope) => self.say(words, scope),
            Act::Comment(text) => self.comment(text),
        };
        self.sender = None;
        done
    }

    fn check_right(&self, name: &str, act: Act<'_>) -> Result<(), ActError> {
        match act {
            Act::Play(plies) => self.check_seat(name, plies),
            Act::Say(words, scope) => self.check_voice(name, words, scope),
            Act::Comment(_) => match self.side_of(name) {
                Some(_) => Ok(()),
                None => Err(not_allowed(
                    format!("the record does not name {name}"),
                    None,
                )),
            },
        }
    }

    /// Whether plies are a player's own.
    fn check_seat(&self, name: &str, plies: &[String]) -> Result<(), ActError> {
        let [first, rest @ ..] = plies else {
            return Ok(());
        };
        let game = &*self.state.game;
        let mut steps = self.check_ply(name, game, first)?;
        if rest.is_empty() {
            return Ok(());
        }
        let mut ahead = game.copied();
        for ply in rest {
            for step in steps {
                ahead
                    .make(&step)
                    .map_err(|why| fault(FaultCode::Illegal, why))?;
            }
            steps = self.check_ply(name, &*ahead, ply)?;
        }
        Ok(())
    }

    /// The steps of a ply if it is somebody's own. What is no legal ply is refused as such by whoever plays it, but only
    /// to somebody whose turn it may be.
    fn check_ply(&self, name: &str, game: &dyn Keep, ply: &str) -> Result<Vec<Made>, ActError> {
        let made = game.seek(ply).unwrap_or_default();
        let mut dues = game.dues();
        if let Some(first) = made.first()
            && dues.iter().any(|(path, _)| *path == first.path)
        {
            dues.retain(|(path, _)| *path == first.path);
        }
        let names = dues.iter().map(|(path, side)| self.names(path, *side));
        let names = Vec::from_iter(names);
        // Where the record names nobody, anybody may act.
        let is_own = names
            .iter()
            .any(|names| names.is_empty() || is_one_of(name, names));
        if is_own {
            return Ok(made);
        }
        let on = match &dues[..] {
            [(path, _)] if !path.is_empty() => format!(" on {path}"),
            _ => String::new(),
        };
        let words = format!(
            "{name} is not to move{on}; {} is",
            list(names.concat(), "or")
        );
        Err(not_allowed(words, self.roles_rule()))
    }

    /// Whether somebody may say this.
    fn check_voice(&self, name: &str, words: &str, scope: Scope) -> Result<(), ActError> {
        let (command, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
        let named = command::side(rest.split(' ').next().unwrap_or_default().as_bytes());
        match command {
            "order" => {
                let side = named.unwrap_or(Side::White);
                let words = match self.captain(side) {
                    Some(captain) if same_name(&captain, name) => return Ok(()),
                    Some(captain) => format!("only {captain} gives instructions for {side}"),
                    None => format!("the record names no captain of {side}"),
                };
                Err(not_allowed(words, Some(INSTRUCTIONS)))
            }
            "resign" | "claim" | "draw" => {
                let side = self.side_in(name, scope)?;
                if let ("resign", Some(other)) = (command, named)
                    && other != side
                {
                    let words = format!("{name} resigns for {side} only");
                    return Err(not_allowed(words, None));
                }
                let here = self.path_to(scope);
                let offer = Hand::of(&here, side.other());
                if rest == "agreed" && self.state.offer != Some(offer) {
                    let words = format!("{} has offered no draw", side.other());
                    return Err(fault(FaultCode::OutOfTurn, words).into());
                }
                Ok(())
            }
            // Also whoever sees it: the referee says whether it has fallen.
            "flag" if self.side_of(name).is_some() => Ok(()),
            _ => Err(not_allowed(format!("`{command}` is for the arbiter"), None)),
        }
    }

    /// The side for which somebody speaks in a game.
    pub(super) fn side_in(&self, name: &str, scope: Scope) -> Result<Side, ActError> {
        let here = self.path_to(scope);
        let speakers = |side| match &*here {
            "" => self.speakers(side),
            path => self.names(path, side),
        };
        let [white, black] = [Side::White, Side::Black].map(speakers);
        // Where nobody is named, anybody may speak, for the side that is to act.
        if white.is_empty() && black.is_empty() {
            return Ok(self.side());
        }
        if is_one_of(name, &white) {
            return Ok(Side::White);
        }
        if is_one_of(name, &black) {
            return Ok(Side::Black);
        }
        let others = list([white, black].concat(), "or");
        let words = format!("{name} does not speak for a side here; {others} does");
        Err(not_allowed(words, self.roles_rule()))
    }

    /// The side on which the record names somebody.
    fn side_of(&self, name: &str) -> Option<Side> {
        let mut sides = [Side::White, Side::Black].into_iter();
        sides.find(|side| is_one_of(name, &self.team(*side)))
    }

    fn roles_rule(&self) -> Option<&'static str> {
        if self.has_roles() { Some(ROLES) } else { None }
    }

    /// The side for which these words are said: that of the player who says them; else the one that has moved for an
    /// offer, and for anything else the one that is to act.
    pub(super) fn speaking_side(&self, words: &str, scope: Scope) -> Side {
        let of_sender = match &self.sender {
            Some(name) => self.side_in(name, scope).ok(),
            None => None,
        };
        of_sender.unwrap_or_else(|| match words {
            "draw offered" => self.side().other(),
            _ => self.side(),
        })
    }

    /// What becomes of an offer of a draw by these words.
    pub(super) fn offer_by(&self, words: &str, scope: Scope) -> Option<Part> {
        match words {
            "draw offered" => {
                let side = self.speaking_side(words, scope);
                Some(Part::Offer(Some(Hand::of(&self.path_to(scope), side))))
            }
            "draw declined" => Some(Part::Offer(None)),
            _ => None,
        }
    }
}

fn is_one_of(name: &str, names: &[String]) -> bool {
    names.iter().any(|own| same_name(own, name))
}

fn not_allowed(words: String, rule: Option<&str>) -> ActError {
    FaultReport {
        rule: rule.map(str::to_owned),
        ..fault(FaultCode::NotAllowed, words)
    }
    .into()
}
