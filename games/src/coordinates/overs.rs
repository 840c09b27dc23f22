//! Games of Overchess as lines of coordinates: the plies read from words, and the record that they make.
//!
//! Every ply stands behind the way to its game, and in a record blocks hold blocks.

use crate::{
    coordinates::phrases,
    notation::Notation,
    overchess::{
        self, Arrangement, AsArrangement, Asked, Due, Effects, KINDS, Level, Over, Place, Places, Ply,
        Roster, seen_by,
    },
};
use overboard_formats::parse::Verb;
use overboard_rules::{
    game::{Effects as _, Game as _, Happening, Step},
    outcome::Outcome,
    position::Movegen,
    square::{Role, Side, Square},
};
use std::fmt::Write;

/// How many words follow the one that begins a ply, which `next` stands behind.
#[must_use]
pub fn words_behind(word: &str, next: Option<&str>) -> usize {
    match word.rsplit_once('.').map_or(word, |(_, own)| own) {
        "reserve" | "give" => 2,
        "prisoners" | "prisoner" | "consolidate" => 1,
        // An individual and its square, or the set-up of a sub-game of chess as a whole.
        "setup" if next.is_some_and(|next| next.starts_with(char::is_lowercase)) => 2,
        "setup" => 1,
        _ => 0,
    }
}

/// The step of these words, one space between them: a ply, or an end of a sub-game that its moves do not bring about
/// (OV-16). `None` where it is not legal.
#[must_use]
pub fn read(over: &Over, text: &str) -> Option<Step<Over>> {
    if let Some((way, told)) = text.rsplit_once('.')
        && let Some(outcome) = outcome(told)
    {
        let there = over.sub_game_of(way.bytes().filter(|byte| *byte == b'.').count())?;
        return (overchess::said(&there) == way).then_some(Step::Event(there, Happening::Ended(outcome)));
    }
    let inner = over.open() - 1;
    if over.current().depth() > 1 {
        return overchess::at(over, text).map(Step::Ply);
    }
    let own = text.strip_prefix(overchess::addressed(&over.path_of(inner)).as_str())?;
    let ply = match own.split_once('.') {
        Some((on, inner)) => {
            let (Due::Sub(due) | Due::Setup(due, _)) = over.due() else { return None };
            if overchess::square_named(on) != Some(due) {
                return None;
            }
            match inner.strip_prefix("setup ") {
                Some(men) => Ply::Setup(overchess::arrangement(men)?),
                None => return over.current().sub_game()?.at(inner).map(|m| Step::Ply(Ply::Sub(m))),
            }
        }
        None => act(over, own)?,
    };
    over.judge(Asked::Ply(ply)).ok().map(Step::Ply)
}

/// How a step is written where it is made; nothing for what no line of coordinates tells.
#[must_use]
pub fn text(over: &Over, step: &Step<Over>) -> String {
    match step {
        Step::Ply(ply) => overchess::coordinates(over, ply).to_string(),
        Step::Event(at, Happening::Ended(outcome)) => format!("{}{outcome}", overchess::addressed(at)),
        Step::Event(..) => String::new(),
    }
}

fn outcome(text: &str) -> Option<Outcome> {
    [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
}

fn act(over: &Over, text: &str) -> Option<Ply> {
    let words: Vec<_> = text.split(' ').collect();
    let role = |text: &str| text.bytes().next().filter(|_| text.len() == 1).and_then(Role::from_letter);
    Some(match words[..] {
        ["prisoners", men] => Ply::Prisoners(overchess::roster(men)?),
        ["reserve", on, man] => Ply::Reserve(overchess::square_named(on)?, role(man)?),
        ["consolidate", on] => Ply::Consolidate(overchess::square_named(on)?),
        ["give", on, man] => Ply::Give(overchess::square_named(on)?, role(man)?),
        ["done"] => Ply::Done,
        [_] => {
            let mut found = None;
            over.for_each_legal(|ply| {
                if found.is_none() && overchess::own_coordinates(over, &ply) == text {
                    found = Some(ply);
                }
            });
            return found;
        }
        _ => return None,
    })
}

/// Shows the positions of the over-game to which steps such as `2w.d5` lead, as of a game by itself: the first
/// one, and the one behind every act in it. The square of a step is contested, and the over-move is the one behind
/// which the sub-game is played. Stops where one is not legal.
pub fn follow(first: &Over, deeds: &str, steps: &[&str], mut visit: impl FnMut(&Over)) {
    let (mut over, level) = (first.clone(), steps.len());
    let mut begun = false;
    for place in phrases::<Over>(deeds, 0) {
        let Some(step) = read(&over, &deeds[place]) else { return };
        if leads_to(&over, steps) {
            if !std::mem::replace(&mut begun, true) {
                visit(&over.inside(level));
            }
            visit(&inside_after(&over, level, step).unwrap_or_else(|| over.inside(level)));
        }
        over.step(&step);
        if !begun && leads_to(&over, steps) {
            begun = true;
            visit(&over.inside(level));
        }
    }
}

/// Whether the game is, or goes on inside, the over-game to which steps lead.
fn leads_to(over: &Over, steps: &[&str]) -> bool {
    let told = (0..).zip(steps);
    let is_told = |(level, told)| over.level(level).and_then(step_inside).as_deref() == Some(told);
    over.open() > steps.len() && told.clone().all(|(level, told)| is_told((level, *told)))
}

/// The step from an over-game to its sub-game: `2w.d5`.
fn step_inside(level: &Level) -> Option<String> {
    let on = level.contested().next()?.to;
    Some(format!("{}.{on}", behind(level.fullmove(), level.turn())))
}

/// The moment before a move of this number and side: `2w` is that after White's second move.
fn behind(number: u32, side: Side) -> String {
    match side {
        Side::White => format!("{}b", number.saturating_sub(1)),
        Side::Black => format!("{number}w"),
    }
}

/// The way to an open over-game in steps, each with a dot after it: `2w.d5.3b.e4.`.
fn way_to(over: &Over, level: usize) -> String {
    let steps = (0..level).filter_map(|around| over.level(around).and_then(step_inside));
    steps.fold(String::new(), |way, step| way + &step + ".")
}

/// An open over-game by itself as a step leaves it; `None` where the step is none of it.
fn inside_after(over: &Over, level: usize, step: Step<Over>) -> Option<Over> {
    let mut own = over.inside(level);
    let step = match step {
        Step::Event(at, event) => Step::Event(own.sub_game_of(at.len().checked_sub(level + 1)?)?, event),
        ply @ Step::Ply(_) => ply,
    };
    own.step(&step);
    Some(own)
}

/// Shows the moments of a game and of the games inside it in the order in which they come, each by the steps to its
/// game and the move that it comes after (`start`, `2w`, `2w.d5.start`, `2w.d5.7b`), with its position. Stops where a
/// step is not legal.
///
/// # Errors
/// Those of the visitor.
pub fn for_each_moment<E>(
    first: &Over,
    deeds: &str,
    mut visit: impl FnMut(&str, &str) -> Result<(), E>,
) -> Result<(), E> {
    visit("start", &overchess::position(first))?;
    let mut over = first.clone();
    for place in phrases::<Over>(deeds, 0) {
        let Some(step) = read(&over, &deeds[place]) else { break };
        if let (Step::Ply(Ply::Sub(m)), Some(chess)) = (step, over.current().sub_game()) {
            let way = way_to(&over, over.open());
            if chess.fullmove() == 1 && chess.turn() == Side::White {
                visit(&format!("{way}start"), &chess.fen())?;
            }
            let chess = chess.after(m);
            visit(&format!("{way}{}", behind(chess.fullmove(), chess.turn())), &chess.fen())?;
        }
        for level in (0..over.open()).rev() {
            if let Some(own) = inside_after(&over, level, step).filter(Over::is_between_turns) {
                let moment = behind(own.outermost().fullmove(), own.outermost().turn());
                visit(&format!("{}{moment}", way_to(&over, level)), &overchess::position(&own))?;
            }
        }
        let innermost = over.path_of(over.open() - 1);
        over.step(&step);
        let level = over.open() - 1;
        let now = over.path_of(level);
        if now != innermost && now.len() >= innermost.len() {
            visit(&format!("{}start", way_to(&over, level)), &overchess::position(&over.inside(level)))?;
        }
    }
    Ok(())
}

/// The movetext of a game, made as its steps are.
#[derive(Default, Debug)]
pub struct Movetext {
    text: String,
    /// How many blocks of over-games are open.
    blocks: usize,
    /// The sub-game of chess that is open.
    block: Option<Square>,
    /// The attacker's set-up, while the defender's is due.
    attackers: Option<Arrangement>,
    /// Whether individuals are being set up.
    placing: bool,
    /// The prisoners taken by name, not yet written.
    prisoners: Vec<String>,
    /// Spares for one over-piece, not yet written.
    spares: Option<(Square, Roster)>,
    /// A consolidation not yet written: the over-piece and who gets what.
    gifts: Option<(Square, Gifts)>,
}

/// Who gets what in a consolidation.
#[derive(Debug)]
enum Gifts {
    /// Men by the squares of the over-pieces that get them.
    Men(Vec<(Square, Roster)>),
    /// Individuals, each as it is written.
    Named(Vec<String>),
}

impl Movetext {
    /// Takes a step, the position before it and the one after it, and which games it has ended.
    pub fn take(&mut self, step: &Step<Over>, before: &Over, after: &Over, effects: &Effects) {
        self.open_begun(before);
        if !matches!(step, Step::Ply(Ply::Reserve(..))) {
            self.write_spares();
        }
        match step {
            Step::Ply(ply @ Ply::Over(_)) => {
                if before.due() == Due::Over {
                    self.number(before.current());
                }
                self.word(&overchess::own_san(before, ply));
            }
            Step::Ply(Ply::Setup(men)) => self.set_up(*men, before, after),
            Step::Ply(Ply::Sub(m)) => {
                let Some(chess) = before.current().sub_game() else { return };
                self.open(before.current(), None);
                let dots = if chess.turn() == Side::White { "." } else { "..." };
                self.word(&format!("{}{dots}", chess.fullmove()));
                self.word(&chess.san(*m));
            }
            Step::Ply(Ply::Prisoners(men)) => self.prisoners(*men),
            Step::Ply(Ply::Take(place)) => {
                self.prisoners.extend(named(before.captives(), *place));
                if after.open() != before.open() || after.captives().is_empty() {
                    self.write_prisoners();
                }
            }
            Step::Ply(Ply::Reserve(on, role)) => self.reserve(*on, *role, before),
            Step::Ply(Ply::Consolidate(on)) => {
                self.number(before.current());
                let named = before.current().depth() > 1;
                self.gifts =
                    Some((*on, if named { Gifts::Named(Vec::new()) } else { Gifts::Men(Vec::new()) }));
            }
            Step::Ply(Ply::Give(to, role)) => self.give(*to, *role),
            Step::Ply(Ply::Hand(place, to)) => {
                if let (Some((_, Gifts::Named(gifts))), Some(name)) =
                    (&mut self.gifts, named(before.hand(), *place))
                {
                    gifts.push(format!("{to}+{name}"));
                }
            }
            Step::Ply(Ply::Done) => self.done(before),
            Step::Ply(ply @ Ply::Place(..)) => self.place(ply, before, effects),
            Step::Event(at, Happening::Ended(outcome)) => {
                self.conclude(at.len().saturating_sub(1), *outcome, before);
            }
            // No line of coordinates tells it.
            Step::Event(..) => return,
        }
        self.placing = matches!(step, Step::Ply(Ply::Place(..))) && after.placing().is_some();
        self.close_ended(effects);
    }

    /// Writes what a team is done with: a consolidation, or prisoners.
    fn done(&mut self, before: &Over) {
        if before.due() == Due::Giving {
            self.consolidate();
        } else if !before.captives().is_empty() {
            self.write_prisoners();
        } else if before.current().settling().next().is_some_and(|(_, men)| !men.is_none()) {
            self.prisoners(Roster::NONE);
        }
    }

    /// Closes the blocks of the games that a step has ended.
    fn close_ended(&mut self, effects: &Effects) {
        for (way, outcome) in effects.ended() {
            if self.block.is_some() && self.blocks + 1 == way.len() {
                self.close(outcome);
            } else if self.blocks == way.len() {
                self.close_over_game(outcome.as_str());
            }
        }
    }

    /// The movetext of a game that has got to this position, without its result.
    ///
    /// # Errors
    /// What the game stops in the middle of, where no record holds it: two set-ups, a consolidation, prisoners with
    /// names.
    pub fn finish(mut self, last: &Over) -> Result<String, &'static str> {
        if self.placing || self.attackers.is_some() {
            return Err("the set-ups of a sub-game");
        }
        if self.gifts.is_some() {
            return Err("a consolidation");
        }
        if !last.captives().is_empty() {
            return Err("the settling of a sub-game");
        }
        self.write_spares();
        self.open_begun(last);
        self.break_off(0);
        Ok(self.text)
    }

    fn word(&mut self, word: &str) {
        self.text.push_str(if self.text.is_empty() { "" } else { " " });
        self.text.push_str(word);
    }

    fn number(&mut self, level: &Level) {
        let dots = if level.turn() == Side::White { "." } else { "..." };
        self.text.push_str(if self.text.is_empty() { "" } else { "\n" });
        self.text.push_str(&format!("{}{dots}", level.fullmove()));
    }

    /// Spares of one action come in the order of the kinds.
    fn reserve(&mut self, on: Square, role: Role, before: &Over) {
        let place = |role: Role| KINDS.iter().position(|kind| *kind == role);
        let joins = |(at, men): &(Square, Roster)| {
            *at == on && KINDS.into_iter().all(|kind| men.count(kind) == 0 || place(kind) <= place(role))
        };
        if !self.spares.as_ref().is_some_and(joins) {
            self.write_spares();
        }
        if before.due() == Due::Over {
            self.number(before.current());
        }
        let (_, men) = self.spares.get_or_insert((on, Roster::NONE));
        *men = men.plus(role);
    }

    fn write_spares(&mut self) {
        if let Some((on, men)) = self.spares.take() {
            self.word(&format!("<{} {on}: {}>", Verb::Reserve.word(), words(men)));
        }
    }

    fn prisoners(&mut self, men: Roster) {
        let men = if men.is_none() { "0".into() } else { words(men) };
        self.word(&format!("<{} {men}>", Verb::Prisoners.word()));
    }

    fn write_prisoners(&mut self) {
        let names = std::mem::take(&mut self.prisoners);
        let names = if names.is_empty() { "0".into() } else { names.join(" ") };
        self.word(&format!("<{} {names}>", Verb::Prisoners.word()));
    }

    fn give(&mut self, to: Square, role: Role) {
        let Some((_, Gifts::Men(gifts))) = &mut self.gifts else { return };
        match gifts.iter_mut().find(|(known, _)| *known == to) {
            Some((_, men)) => *men = men.plus(role),
            None => gifts.push((to, Roster::NONE.plus(role))),
        }
    }

    fn consolidate(&mut self) {
        let Some((on, gifts)) = self.gifts.take() else { return };
        let gifts = match gifts {
            Gifts::Named(gifts) => gifts,
            Gifts::Men(mut gifts) => {
                gifts.sort_by_key(|(to, _)| (to.rank, to.file));
                let said = |(to, men): &(Square, Roster)| {
                    words(*men).split(' ').map(|men| format!("{to}+{men}")).collect::<Vec<_>>().join(" ")
                };
                gifts.iter().map(said).collect()
            }
        };
        // Where nothing is handed over, no colon is needed.
        let said = if gifts.is_empty() { String::new() } else { format!(": {}", gifts.join(" ")) };
        self.word(&format!("<{} {on}{said}>", Verb::Consolidate.word()));
    }

    fn set_up(&mut self, men: Arrangement, before: &Over, after: &Over) {
        let Due::Setup(on, side) = before.due() else { return };
        if side == Side::White && after.open() == before.open() && after.due() == Due::Setup(on, Side::Black)
        {
            self.attackers = Some(men);
            return;
        }
        self.open(before.current(), Some(men));
    }

    /// Opens the block of the sub-game of chess that is due, unless it is open; `told` is the set-up just made.
    fn open(&mut self, before: &Level, told: Option<Arrangement>) {
        let (Due::Sub(on) | Due::Setup(on, _)) = before.due() else { return };
        if self.block.is_some() {
            return;
        }
        self.block = Some(on);
        self.word(&format!("<{on}:"));
        let Some(armies) = before.rosters() else { return };
        let [attacker, defender] = armies.map(Arrangement::only_one);
        let attackers = self.attackers.take().or(before.attackers_setup());
        let set_up = match (before.due(), told) {
            (Due::Setup(_, Side::White), Some(men)) => [Some(men), defender],
            (Due::Setup(_, Side::Black), Some(men)) => [attackers.or(attacker), Some(men)],
            // A result alone stands for no set-up.
            (Due::Setup(..), _) => return,
            _ => [attacker, defender],
        };
        if let [Some(white), Some(black)] = set_up
            && armies != [Roster::FULL; 2]
        {
            self.text.push_str(&format!("\n[FEN \"{}\"]\n[SetUp \"1\"]\n", first_position(white, black)));
        }
    }

    fn close(&mut self, outcome: Outcome) {
        self.word(outcome.as_str());
        self.text.push_str("\n>");
        self.block = None;
        self.attackers = None;
    }

    /// A set-up is told by the first position that it makes; one that is over at once is closed at once.
    fn place(&mut self, ply: &Ply, before: &Over, effects: &Effects) {
        let ended = effects.ended().next().filter(|(way, _)| way.len() == before.open());
        if let (Some((_, outcome)), Some(begun)) = (ended, before.begun(ply)) {
            self.open_begun(&begun);
            self.close_over_game(outcome.as_str());
        }
    }

    /// Opens the blocks of the over-games that have begun and of which nothing is written.
    fn open_begun(&mut self, over: &Over) {
        while self.blocks + 1 < over.open() {
            self.write_spares();
            let outer = self.blocks;
            self.blocks += 1;
            if let Some(contest) = over.level(outer).and_then(|level| level.contested().next()) {
                self.word(&format!("<{}:", contest.to));
            }
            if !stands_as_it_began(over, outer + 1) {
                let fen = overchess::of_level(over, outer + 1);
                self.text.push_str(&format!("\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n"));
            }
        }
    }

    /// Closes the sub-game of an over-game by a result that its moves do not bring about.
    fn conclude(&mut self, level: usize, outcome: Outcome, before: &Over) {
        if level < self.blocks {
            self.break_off(level + 1);
            return self.close_over_game(outcome.as_str());
        }
        if before.current().depth() == 1 {
            self.open(before.current(), None);
            return self.close(outcome);
        }
        // A result alone stands for no set-up.
        if let Some(contest) = before.current().contested().next() {
            self.word(&format!("<{}: {outcome}>", contest.to));
        }
    }

    /// Leaves games open that are inside so many.
    fn break_off(&mut self, around: usize) {
        self.attackers = None;
        if self.block.take().is_some() {
            self.text.push_str(" *\n>");
        }
        while self.blocks > around {
            self.close_over_game("*");
        }
    }

    fn close_over_game(&mut self, result: &str) {
        self.word(result);
        self.text.push_str("\n>");
        self.blocks -= 1;
    }
}

fn named(places: &Places, place: Place) -> Option<String> {
    places.at(place).map(|one| one.name.to_string())
}

/// Whether the sub-sets of an over-game that begins are complete and stand each in its place, so that no FEN
/// is needed.
fn stands_as_it_began(over: &Over, level: usize) -> bool {
    let Some(armies) = over.level(level - 1).and_then(Level::armies) else { return false };
    [Side::White, Side::Black].into_iter().zip(armies).all(|(side, army)| {
        army.roster() == Roster::FULL
            && Place::ALL.into_iter().all(|place| {
                let stands = over.level(level).and_then(|level| level.at(seen_by(side, place.square())));
                stands.map(|one| &one.name) == army.at(place).map(|one| &one.name)
            })
    })
}

/// `2P N`.
fn words(men: Roster) -> String {
    let word = |(role, count): (Role, u8)| match count {
        1 => role.letter().to_string(),
        count => format!("{count}{}", role.letter()),
    };
    men.counts().map(word).collect::<Vec<_>>().join(" ")
}

/// The FEN from which a sub-game starts.
fn first_position(attacker: Arrangement, defender: Arrangement) -> String {
    let (white, black) = (AsArrangement(attacker).to_string(), AsArrangement(defender).to_string());
    let (white_pawns, white_men) = white.split_once('/').unwrap_or_default();
    let black = black.to_lowercase();
    let (black_pawns, black_men) = black.split_once('/').unwrap_or_default();
    let rights = [(attacker, 7, 'K'), (attacker, 0, 'Q'), (defender, 7, 'k'), (defender, 0, 'q')];
    let rights: String = rights
        .into_iter()
        .filter(|(men, file, _)| men.officers >> file & 1 == 1)
        .map(|(.., letter)| letter)
        .collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let mut fen = String::new();
    // Memory can be written.
    let _ = write!(fen, "{black_men}/{black_pawns}/8/8/8/8/{white_pawns}/{white_men} w {rights} - 0 1");
    fen
}
