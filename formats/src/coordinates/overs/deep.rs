//! The same at depth 2 and more: every ply stands behind the way to its game, and blocks hold blocks.

use super::{Deed, Movetext, outcome};
use crate::{
    coordinates::phrases,
    overchess::deep::{self, position, seen_by},
    parse::Verb,
};
use overboard_rules::{
    outcome::Outcome,
    overchess::{
        Due, Ply, Roster,
        deep::{Deep, DeepPly, Place, Places},
    },
    path::BoardPath,
    square::{Side, Square},
};

impl Deed<DeepPly> {
    /// The deed of these words, one space between them; `None` where it is not legal.
    #[must_use]
    pub fn read(deep: &Deep, text: &str) -> Option<Self> {
        if let Some((way, told)) = text.rsplit_once('.')
            && let Some(outcome) = outcome(told)
        {
            let level = way.bytes().filter(|byte| *byte == b'.').count();
            let there = deep::said(&way_to_sub_game(deep, level)?);
            return (there == way).then_some(Self::Conclude(level, outcome));
        }
        let inner = deep.open() - 1;
        if deep.depth_of(inner) > 1 {
            return deep::at(deep, text).map(Self::Ply);
        }
        let own = text.strip_prefix(deep::addressed(&deep.path_of(inner)).as_str())?;
        match Deed::<Ply>::read(deep.current(), own)? {
            Deed::Ply(ply) => Some(Self::Ply(DeepPly::Plain(ply))),
            Deed::Conclude(..) => None,
        }
    }

    /// How it is written where it is done.
    #[must_use]
    pub fn text(&self, deep: &Deep) -> String {
        match self {
            Self::Ply(ply) => deep::coordinates(deep, ply).to_string(),
            Self::Conclude(level, outcome) => {
                let way = way_to_sub_game(deep, *level).unwrap_or(BoardPath::OUTERMOST);
                format!("{}{outcome}", deep::addressed(&way))
            }
        }
    }

    /// Whether a referee counts it among the plies of the main line, where it is done in this position.
    #[must_use]
    pub fn is_counted(&self, before: &Deep) -> bool {
        let counts = matches!(self, Self::Ply(DeepPly::Plain(Ply::Over(_) | Ply::Consolidate(_))));
        counts && before.open() == 1
    }

    /// Does it.
    pub fn make(&self, deep: &mut Deep) {
        match self {
            Self::Ply(ply) => deep.play(ply),
            Self::Conclude(level, outcome) => deep.conclude(*level, *outcome),
        }
    }
}

/// Shows the positions of the over-game to which steps such as `2w.d5` lead, as of a game by itself: the first
/// one, and the one behind every act in it. The square of a step is contested, and the over-move is the one behind
/// which the sub-game is played. Stops where a deed is not legal.
pub fn follow(first: &Deep, deeds: &str, steps: &[&str], mut visit: impl FnMut(&Deep)) {
    let (mut deep, level) = (first.clone(), steps.len());
    let mut begun = false;
    for place in phrases(deeds, 0) {
        let Some(deed) = Deed::<DeepPly>::read(&deep, &deeds[place]) else { return };
        if leads_to(&deep, steps) {
            let mut own = deep.inside(level);
            if !std::mem::replace(&mut begun, true) {
                visit(&own);
            }
            match deed {
                Deed::Ply(ply) => own.play(&ply),
                Deed::Conclude(at, outcome) if at >= level => own.conclude(at - level, outcome),
                Deed::Conclude(..) => {}
            }
            visit(&own);
        }
        deed.make(&mut deep);
        if !begun && leads_to(&deep, steps) {
            begun = true;
            visit(&deep.inside(level));
        }
    }
}

/// Whether the game is, or goes on inside, the over-game to which steps lead.
fn leads_to(deep: &Deep, steps: &[&str]) -> bool {
    let step = |level: usize| {
        let over = deep.over(level)?;
        let on = over.contested().next()?.to;
        let last = match over.turn() {
            Side::White => format!("{}b", over.fullmove().saturating_sub(1)),
            Side::Black => format!("{}w", over.fullmove()),
        };
        Some(format!("{last}.{on}"))
    };
    let told = (0..).zip(steps);
    deep.open() > steps.len() && told.clone().all(|(level, told)| step(level).as_deref() == Some(told))
}

/// The way to the sub-game of an over-game that is due or being played; while the innermost game is settled
/// or an over-piece consolidated, nobody resigns.
fn way_to_sub_game(deep: &Deep, level: usize) -> Option<BoardPath> {
    let innermost = level + 1 == deep.open();
    let can_end = match deep.due() {
        Due::Sub(_) | Due::Setup(..) => true,
        Due::Over | Due::OverFrom(_) => !innermost,
        Due::Settling(_) | Due::Giving => false,
    };
    let on = deep.over(level).filter(|_| can_end)?.contested().next()?.to;
    Some(deep.path_of(level).on(on))
}

/// The movetext of a game of depth 2 and more, made as its deeds are done.
#[derive(Default, Debug)]
pub struct DeepMovetext {
    /// The text, and what is done where sub-games are chess.
    plain: Movetext,
    /// How many blocks of over-games are open.
    blocks: usize,
    /// Whether individuals are being set up.
    placing: bool,
    /// The prisoners taken by name, not yet written.
    prisoners: Vec<String>,
    /// A consolidation not yet written: the over-piece, and where which individual goes.
    gifts: Option<(Square, Vec<String>)>,
}

impl DeepMovetext {
    /// Takes a deed, the position before it and the one behind it.
    pub fn take(&mut self, deed: &Deed<DeepPly>, before: &Deep, after: &Deep) {
        self.open_begun(before);
        if !matches!(deed, Deed::Ply(DeepPly::Plain(Ply::Reserve(..)))) {
            self.plain.write_spares();
        }
        match deed {
            Deed::Ply(DeepPly::Plain(ply)) if before.depth_of(before.open() - 1) == 1 => {
                let goes_on = after.open() == before.open();
                let own = if goes_on { after.current() } else { &before.current().after(ply) };
                self.plain.take(&Deed::Ply(*ply), before.current(), own);
            }
            Deed::Ply(DeepPly::Plain(ply)) => self.act(ply, before),
            Deed::Ply(ply @ DeepPly::Place(..)) => self.place(ply, before, after),
            Deed::Ply(DeepPly::Take(place)) => {
                self.prisoners.extend(named(before.captives(), *place));
                if after.open() != before.open() || after.captives().held().next().is_none() {
                    self.write_prisoners();
                }
            }
            Deed::Ply(DeepPly::Hand(place, to)) => {
                if let (Some((_, gifts)), Some(name)) = (&mut self.gifts, named(before.hand(), *place)) {
                    gifts.push(format!("{to}+{name}"));
                }
            }
            Deed::Conclude(level, outcome) => self.conclude(*level, *outcome, before),
        }
        self.placing = matches!(deed, Deed::Ply(DeepPly::Place(..))) && after.placing().is_some();
        for (around, outcome) in after.ended() {
            if self.blocks == *around {
                self.close(outcome.as_str());
            }
        }
    }

    /// The movetext of a game that has got to this position, without its result.
    ///
    /// # Errors
    /// What the game stops in the middle of, where no record holds it.
    pub fn finish(mut self, last: &Deep) -> Result<String, &'static str> {
        if self.placing || self.plain.attackers.is_some() {
            return Err("the set-ups of a sub-game");
        }
        if self.gifts.is_some() || self.plain.gifts.is_some() {
            return Err("a consolidation");
        }
        if last.captives().held().next().is_some() {
            return Err("the settling of a sub-game");
        }
        self.plain.write_spares();
        self.open_begun(last);
        self.break_off(0);
        Ok(self.plain.text)
    }

    /// A ply of an over-game whose sub-games are over-games.
    fn act(&mut self, ply: &Ply, before: &Deep) {
        let over = before.current();
        match ply {
            Ply::Over(_) => {
                if before.due() == Due::Over {
                    self.plain.number(over);
                }
                self.plain.word(&deep::own_san(before, &DeepPly::Plain(*ply)));
            }
            Ply::Reserve(on, role) => self.plain.reserve(*on, *role, over),
            Ply::Consolidate(on) => {
                self.plain.number(over);
                self.gifts = Some((*on, Vec::new()));
            }
            Ply::Done if before.due() == Due::Giving => self.consolidate(),
            Ply::Done if before.captives().held().next().is_some() => self.write_prisoners(),
            _ => {}
        }
    }

    fn write_prisoners(&mut self) {
        let names = std::mem::take(&mut self.prisoners);
        let names = if names.is_empty() { "0".into() } else { names.join(" ") };
        self.plain.word(&format!("<{} {names}>", Verb::Prisoners.word()));
    }

    fn consolidate(&mut self) {
        let Some((on, gifts)) = self.gifts.take() else { return };
        let verb = Verb::Consolidate.word();
        let said = if gifts.is_empty() { String::new() } else { format!(": {}", gifts.join(" ")) };
        self.plain.word(&format!("<{verb} {on}{said}>"));
    }

    /// A set-up is told by the first position that it makes; one that is over at once is closed at once.
    fn place(&mut self, ply: &DeepPly, before: &Deep, after: &Deep) {
        let ended = after.ended().first().filter(|(around, _)| *around == before.open());
        if let (Some((_, outcome)), Some(begun)) = (ended, before.begun(ply)) {
            self.open_begun(&begun);
            self.close(outcome.as_str());
        }
    }

    /// Opens the blocks of the over-games that have begun and of which nothing is written.
    fn open_begun(&mut self, deep: &Deep) {
        while self.blocks + 1 < deep.open() {
            self.plain.write_spares();
            let outer = self.blocks;
            self.blocks += 1;
            if let Some(contest) = deep.over(outer).and_then(|over| over.contested().next()) {
                self.plain.word(&format!("<{}:", contest.to));
            }
            if !stands_as_it_began(deep, outer + 1) {
                let fen = position::of_level(deep, outer + 1);
                self.plain.text.push_str(&format!("\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n"));
            }
        }
    }

    /// Closes the sub-game of an over-game by a result that its moves do not bring about.
    fn conclude(&mut self, level: usize, outcome: Outcome, before: &Deep) {
        if level < self.blocks {
            self.break_off(level + 1);
            return self.close(outcome.as_str());
        }
        if before.depth_of(level) == 1 {
            return self.plain.take(&Deed::Conclude(0, outcome), before.current(), before.current());
        }
        // A result alone stands for no set-up.
        if let Some(contest) = before.current().contested().next() {
            self.plain.word(&format!("<{}: {outcome}>", contest.to));
        }
    }

    /// Leaves games open that are inside so many.
    fn break_off(&mut self, around: usize) {
        self.plain.attackers = None;
        if self.plain.block.take().is_some() {
            self.plain.text.push_str(" *\n>");
        }
        while self.blocks > around {
            self.close("*");
        }
    }

    fn close(&mut self, result: &str) {
        self.plain.word(result);
        self.plain.text.push_str("\n>");
        self.blocks -= 1;
    }
}

fn named(places: &Places, place: Place) -> Option<String> {
    places.at(place).map(|one| one.name.to_string())
}

/// Whether the sub-sets of an over-game that begins are complete and stand each in its place, so that no FEN
/// is needed.
fn stands_as_it_began(deep: &Deep, level: usize) -> bool {
    let Some(armies) = deep.armies(level - 1) else { return false };
    [Side::White, Side::Black].into_iter().zip(armies).all(|(side, army)| {
        army.roster() == Roster::FULL
            && Place::ALL.into_iter().all(|place| {
                let stands = deep.at(level, seen_by(side, place.square()));
                stands.map(|one| &one.name) == army.at(place).map(|one| &one.name)
            })
    })
}
