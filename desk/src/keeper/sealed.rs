//! Comments of a team game: nobody but the captain may advise anybody, so they come out only when it is over.

use super::{ActError, Keeper};
use crate::{
    journal::Part,
    kept::{Place, Remark},
};
use overboard_engines::external::lines::{FaultCode, fault};
use serde::{Deserialize, Serialize};

/// What becomes of comments while a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Comments {
    /// They are in the record at once.
    Open,
    /// They are in the journal, and in the record when the game is over.
    Sealed,
    /// They are refused.
    Refused,
}

impl Keeper {
    /// A comment as it is kept: where it stands, or that it is sealed.
    pub(super) fn comment_part(&self, text: String) -> Result<Part, ActError> {
        let has_captains =
            self.state.game.game().variant().info().has_boards && self.state.game.boards() > 1;
        let usual = match has_captains {
            true => Comments::Sealed,
            false => Comments::Open,
        };
        match self.terms.comments.unwrap_or(usual) {
            Comments::Sealed if self.state.over.is_none() => {
                let row = self.state.game.rows().len() - 1;
                Ok(Part::Sealed(row as u64, text))
            }
            Comments::Refused => {
                let words = "comments are refused while this game goes on";
                Err(fault(FaultCode::OutOfTurn, words).into())
            }
            _ => Ok(Part::Remark(Remark {
                text,
                place: Place::Ply,
            })),
        }
    }
}
