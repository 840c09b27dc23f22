//! Comments of a team game: nobody but the captain may advise anybody, so they come out only when it is over.

use super::{ActError, Keeper};
use crate::{
    journal::Part,
    kept::{Place, Remark, fault},
};
use overboard_engines::external::lines::FaultCode;

/// What becomes of comments while a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Comments {
    /// On linked boards, where players have captains, they are sealed; else they are in the record at once.
    #[default]
    AsUsual,
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
        let has_captains = self.state.game.game().boards() > 1;
        let comments = match self.terms.comments {
            Comments::AsUsual if has_captains => Comments::Sealed,
            Comments::AsUsual => Comments::Open,
            other => other,
        };
        match comments {
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
