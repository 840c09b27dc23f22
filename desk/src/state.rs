//! A game and everything that its record says about it, as it follows from the acts of a journal.

use crate::{
    clock::Hand,
    journal::{Ended, Part},
    kept::{Keep, Remark},
    record::{self, ReadError, Tag},
};
use std::collections::BTreeMap;

/// The state of a record.
pub struct State {
    /// Its tag pairs, in order.
    pub tags: Vec<Tag>,
    /// The game.
    pub game: Box<dyn Keep>,
    /// How the game ended, if it has.
    pub over: Option<Ended>,
    /// Who has offered a draw that still stands, and in which game.
    pub offer: Option<Hand>,
    /// Votes for the next move, in coordinates, by name.
    pub votes: BTreeMap<String, String>,
    /// Comments that come out when the game is over, and the rows after which they then stand.
    sealed: Vec<(u64, String)>,
    /// Remarks after the result.
    after: String,
}

impl State {
    /// The state of a record that has begun.
    ///
    /// # Errors
    /// Why it cannot be gone on with.
    pub fn of(text: &str) -> Result<Self, ReadError> {
        let read = record::read(text)?;
        let mut this = Self {
            tags: read.tags,
            game: read.game,
            over: None,
            offer: None,
            votes: BTreeMap::new(),
            sealed: Vec::new(),
            after: read.after,
        };
        let termination = this.tag("Termination").map(str::to_owned);
        this.over = match read.judged.ended {
            Some(ruling) => Some(Ended::of(ruling.into(), termination.clone())),
            None => this.over_by_plies(),
        };
        let recorded = read.judged.report.result.record.as_ref();
        let recorded = recorded.map(|result| result.as_it_came().to_owned());
        if let (None, Some(result)) = (&this.over, recorded.filter(|result| result != "*")) {
            this.over = Some(Ended {
                result,
                termination,
                cause: String::new(),
                words: "the recorded result".into(),
            });
        }
        Ok(this)
    }

    /// The end that the plies have brought about.
    fn over_by_plies(&self) -> Option<Ended> {
        let end = self.game.end()?;
        Some(Ended::of(end, end.cause.tag().map(str::to_owned)))
    }

    /// Applies a part of an act.
    ///
    /// # Errors
    /// Why that is not possible here, in words.
    pub fn apply(&mut self, part: &Part) -> Result<(), String> {
        match part {
            Part::Made(made) => {
                self.answer_offer();
                self.votes.clear();
                self.game.make(made)?;
                if self.over.is_none() {
                    self.over = self.over_by_plies();
                }
            }
            Part::Remark(remark) => self.game.remark(remark),
            Part::Tag(name, value) => self.set_tag(name, value),
            Part::Sealed(row, text) => self.sealed.push((*row, text.clone())),
            Part::Over(ended) => self.over.clone_from(ended),
            // Whoever keeps the clocks sets them.
            Part::Clocks(_) => {}
            Part::Vote(name, ply) => {
                self.votes.insert(name.clone(), ply.clone());
            }
            Part::Offer(offer) => self.offer.clone_from(offer),
        }
        if self.over.is_some() {
            for (row, text) in std::mem::take(&mut self.sealed) {
                self.game.unseal(row, &text);
            }
        }
        Ok(())
    }

    /// Whoever moves on has declined an offer of the opponent (FIDE 9.1.2.1). On boards side by side an offer is one of the
    /// teams, and no player's move answers it.
    fn answer_offer(&mut self) {
        let Some(offer) = &self.offer else {
            return;
        };
        let Some((_, side)) = self.game.due() else {
            return;
        };
        let is_alone = self.game.boards() == 1;
        if is_alone && self.game.here() == offer.path && side != offer.side() {
            self.offer = None;
        }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut known = self.tags.iter();
        let (_, value) = known.find(|(known, _)| known == name)?;
        Some(value)
    }

    fn set_tag(&mut self, name: &str, value: &str) {
        let known = self.tags.iter_mut().find(|(known, _)| known == name);
        match known {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.into(), value.into())),
        }
    }

    /// The record in canonical form; with one more remark, if it is given.
    ///
    /// # Errors
    /// Why it cannot be written; none, as long as only what is possible was made.
    pub fn text(&self, more: Option<&Remark>) -> Result<String, String> {
        let (remarks, movetext) = self.game.movetext(more).map_err(|fault| fault.why)?;
        let mut tags = self.tags.clone();
        // Where one more remark is tried, the game has not ended yet.
        let over = match more {
            None => self.over.as_ref(),
            Some(_) => None,
        };
        let result = over.map_or("*", |ended| &ended.result);
        for (name, value) in &mut tags {
            if name == "Result" {
                result.clone_into(value);
            }
        }
        let termination = over.and_then(|ended| ended.termination.clone());
        let has_one = tags.iter().any(|(name, _)| name == "Termination");
        if let (Some(word), false) = (termination, has_one) {
            tags.push(("Termination".into(), word));
        }
        record::write(&tags, (&remarks, &movetext), result, &self.after)
    }
}
