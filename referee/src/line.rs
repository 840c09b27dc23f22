//! A line of play: the game itself, or a variation of it.

use crate::readings::Readings;
use overboard_formats::span::TextSpan;
use overboard_rules::game::{Game, Happening};
use std::sync::Arc;

/// A position is kept after every this many steps, so that going back replays few of them.
const KEPT: usize = 1024;

/// A line of play with the way that led here, so that it can go back to the position before its last ply.
///
/// No position is copied before each ply. An earlier one is kept with a log of the steps since; going back
/// replays that log. The kept position advances with each request, so each step is replayed at most once, and
/// a line without variations copies nothing.
#[derive(Clone)]
pub struct Line<G: Game> {
    /// The current position.
    now: Readings<G>,
    /// The steps since the first kept position.
    log: Vec<LineEntry<G>>,
    /// Where the game being read stood before its last ply.
    mark: Mark<G>,
    /// The same of the games around it, the outermost first.
    around: Vec<Mark<G>>,
    /// Whether the log contains something that is not a step.
    strayed: bool,
    /// The place of the last ply, if it is written as check: it may be mate.
    pub check: Option<TextSpan>,
}

/// Something done in a line of play.
#[derive(Clone)]
enum LineEntry<G: Game> {
    Ply(G::Ply),
    Event(Box<(G::Board, Happening)>),
    /// What is known has changed, not by a step; or earlier entries have been dropped.
    Known(Box<Readings<G>>),
}

/// Where a game stood before its last ply.
#[derive(Clone)]
struct Mark<G: Game> {
    /// Entries of the log before the game.
    begin: usize,
    /// Entries of the log before that ply.
    before: usize,
    /// The length of the log at a kept position, and that position, which variations share. The outermost
    /// game has one as soon as a step was made.
    kept: Option<(usize, Arc<Readings<G>>)>,
}

impl<G: Game> Line<G> {
    /// A line that starts from these readings.
    pub fn from(now: Readings<G>) -> Self {
        let mark = Mark {
            begin: 0,
            before: 0,
            kept: None,
        };
        Self {
            now,
            log: Vec::new(),
            mark,
            around: Vec::new(),
            strayed: false,
            check: None,
        }
    }

    /// Starts another game.
    pub fn restart(&mut self, position: G) {
        self.log.clear();
        self.around.clear();
        self.strayed = false;
        self.check = None;
        self.now = Readings::of(position);
        self.mark = Mark {
            begin: 0,
            before: 0,
            kept: None,
        };
    }

    /// The current position.
    #[inline]
    pub const fn now(&self) -> &Readings<G> {
        &self.now
    }

    /// Called when a ply begins: a variation on it returns to here.
    #[inline]
    pub fn remember(&mut self) {
        if (self.strayed && self.around.is_empty()) || self.log.len() - self.mark.begin >= KEPT {
            self.begin_anew();
        }
        self.mark.before = self.log.len();
    }

    #[cold]
    fn begin_anew(&mut self) {
        self.log.truncate(self.mark.begin);
        // The steps that led to the kept position are no longer in the log.
        self.mark.kept = None;
        self.strayed = false;
        if !self.around.is_empty() {
            // The games around it also continue from here.
            self.log.push(LineEntry::Known(Box::new(self.now.clone())));
        }
    }

    /// Plays a legal ply. Returns its effects.
    #[inline]
    pub fn play(&mut self, ply: G::Ply) -> G::Effects {
        if self.log.is_empty() && self.mark.kept.is_none() {
            self.keep();
        }
        self.log.push(LineEntry::Ply(ply));
        self.check = None;
        self.now.play(ply)
    }

    /// Keeps the position at the start of the log, if none is kept.
    #[cold]
    fn keep(&mut self) {
        if self
            .around
            .iter()
            .chain([&self.mark])
            .any(|mark| mark.kept.is_some())
        {
            return;
        }
        let mark = self.around.first_mut().unwrap_or(&mut self.mark);
        mark.kept = Some((0, Arc::new(self.now.clone())));
    }

    /// Applies something other than a legal ply; `None` if that is impossible.
    pub fn happen(&mut self, at: G::Board, event: Happening) -> Option<G::Effects> {
        if self.log.is_empty() {
            self.keep();
        }
        let one = self.now.is_sure();
        let brought = self.now.happen(at, event)?;
        self.check = None;
        if one {
            self.log.push(LineEntry::Event(Box::new((at, event))));
        } else {
            self.note();
        }
        Some(brought)
    }

    /// Changes what is known.
    pub fn change(&mut self, change: impl FnOnce(&mut Readings<G>)) {
        if self.log.is_empty() {
            self.keep();
        }
        change(&mut self.now);
        self.check = None;
        self.note();
    }

    fn note(&mut self) {
        self.strayed = true;
        self.log.push(LineEntry::Known(Box::new(self.now.clone())));
    }

    /// A game begins inside the one being read.
    pub fn enter(&mut self) {
        let inner = Mark {
            begin: self.log.len(),
            before: self.log.len(),
            kept: None,
        };
        self.around.push(std::mem::replace(&mut self.mark, inner));
    }

    /// The game being read is over, and the one around it goes on.
    pub fn leave(&mut self) {
        if let Some(mark) = self.around.pop() {
            self.mark = mark;
        }
    }

    /// The number of steps made: [`Self::back_to`] returns here.
    pub fn here(&self) -> usize {
        self.log.len()
    }

    /// Goes back to the position after this many steps.
    pub fn back_to(&mut self, steps: usize) {
        let kept = std::iter::once(&self.mark)
            .chain(self.around.iter().rev())
            .find_map(|mark| mark.kept.as_ref());
        let Some((from, readings)) = kept.filter(|(from, _)| *from <= steps) else {
            return;
        };
        let mut readings = Readings::clone(readings);
        for entry in self.log.get(*from..steps).unwrap_or_default() {
            entry.make(&mut readings);
        }
        self.now = readings;
        self.log.truncate(steps);
        self.check = None;
    }

    /// The line of a variation on the last ply of the game being read.
    pub fn variation(&mut self) -> Self {
        let before = self.mark.before;
        let outer = || self.around.iter().rev().find_map(|mark| mark.kept.clone());
        let kept = self.mark.kept.take().or_else(outer);
        let Some((from, mut readings)) = kept else {
            return Self::from(self.now.clone());
        };
        for entry in self.log.get(from..before).unwrap_or_default() {
            entry.make(Arc::make_mut(&mut readings));
        }
        let mut variation = Self::from(Readings::clone(&readings));
        variation.mark.kept = Some((0, Arc::clone(&readings)));
        self.mark.kept = Some((before, readings));
        variation
    }
}

impl<G: Game> LineEntry<G> {
    fn make(&self, readings: &mut Readings<G>) {
        match self {
            Self::Ply(ply) => {
                readings.play(*ply);
            }
            Self::Event(event) => {
                readings.happen(event.0, event.1);
            }
            Self::Known(known) => readings.clone_from(known),
        }
    }
}
