//! Writes games of Overchess as the movetext of records, step by step.

use crate::{
    one_board::notation::BoardNotation,
    overchess::{
        self, Arrangement, Due, Effects, KINDS, Level, Over, Places, Ply, Roster, SubSetPlace,
        first_position, seen_by,
    },
};
use overboard_formats::parse::Verb;
use overboard_referee::{
    game::record::{self, Record as _},
    numbering::number_of,
};
use overboard_rules::{
    by_side::BySide,
    game::{BoardId as _, Effects as _, Happening, Step},
    outcome::Outcome,
    path::BoardPath,
    position::Movegen,
    square::{Role, Side, Square},
};

/// The movetext of a game, built as its steps are made.
#[derive(Clone, Default, Debug)]
pub struct Movetext {
    text: String,
    /// The number of open blocks of over-games.
    blocks: usize,
    /// The sub-game of chess that is open.
    block: Option<Square>,
    /// The attacker's set-up, while the defender's is due.
    attackers: Option<Arrangement>,
    /// Whether individuals are being set up.
    placing: bool,
    /// Whether the games inside are closed where they stop: nothing comes after that but remarks.
    is_stopped: bool,
    /// Prisoners taken by name that are not written yet.
    prisoners: Vec<String>,
    /// Spares for one over-piece that are not written yet.
    spares: Option<(Square, Roster)>,
    /// A consolidation that is not written yet: the over-piece, and which piece goes where.
    gifts: Option<(Square, Gifts)>,
    /// Remarks after an act that is not written yet.
    said: String,
    /// Tag pairs and comments at the beginning of a block that is not open yet, if there are any.
    opening: Option<String>,
    /// The steps since something was written last, in coordinates.
    unwritten: Vec<String>,
    /// The games whose blocks close at the end of the text, the innermost first, with the length of the text before.
    closed: Vec<(BoardPath, usize)>,
    /// The length of the text with these.
    closed_at: usize,
}

/// Who gets what in a consolidation.
#[derive(Clone, Debug)]
enum Gifts {
    /// Pieces, by the square of the over-piece that gets them.
    Pieces(Vec<(Square, Roster)>),
    /// Individuals, each as written.
    Named(Vec<String>),
}

impl record::Movetext<Over> for Movetext {
    fn take(
        &mut self,
        step: &Step<Over>,
        before: &Over,
        after: &Over,
        brought: &Effects,
        remarks: &str,
    ) {
        self.closed.clear();
        self.write_due(step, before);
        let length = self.text.len();
        match step {
            Step::Ply(ply @ Ply::Over(_)) => {
                if before.due() == Due::Over {
                    self.number(before.current());
                }
                self.word(&overchess::own_san(before, ply));
            }
            Step::Ply(Ply::Setup(pieces)) => self.set_up(*pieces, before, after),
            Step::Ply(Ply::Sub(m)) => {
                let Some(chess) = before.current().sub_game() else {
                    return;
                };
                self.open_sub_game(before.current(), None);
                self.word(&number_of(chess.fullmove(), chess.turn()));
                self.word(&chess.san(*m));
            }
            Step::Ply(Ply::Prisoners(pieces)) => self.write_prisoners(&words(*pieces)),
            Step::Ply(Ply::Take(place)) => {
                self.prisoners.extend(named(before.captives(), *place));
                if after.open() != before.open() || after.captives().is_empty() {
                    self.write_named_prisoners();
                }
            }
            Step::Ply(Ply::Reserve(on, role)) => self.reserve(*on, *role, before),
            Step::Ply(Ply::Consolidate(on)) => {
                let gifts = if before.current().depth() > 1 {
                    Gifts::Named(Vec::new())
                } else {
                    Gifts::Pieces(Vec::new())
                };
                self.gifts = Some((*on, gifts));
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
            Step::Ply(ply @ Ply::Place(..)) => self.place(ply, before, brought),
            Step::Event(at, event) => {
                if !self.happen(*at, *event, before) {
                    return;
                }
            }
        }
        self.placing = matches!(step, Step::Ply(Ply::Place(..))) && after.placing().is_some();
        self.note_unwritten(step, before, length);
        self.say(remarks);
        self.close_ended(step, brought);
    }

    fn leave_out(&mut self, step: &Step<Over>, before: &Over, after: &Over, brought: &Effects) {
        if self.can_leave_out(step) {
            self.pass_over(step, before);
        } else {
            self.take(step, before, after, brought, "");
        }
    }

    fn open(&mut self, said: &str) {
        self.opening.get_or_insert_default().push_str(said);
    }

    fn close(&mut self, remarks: &str, ended: Option<(&str, &str)>) {
        if let Some((game, recorded)) = ended {
            self.record_result(game, recorded);
        }
        self.say(remarks);
    }

    /// What has begun and is written only as a whole is a remark.
    fn finish(mut self, last: &Over) -> String {
        self.write_spares();
        if !self.is_stopped {
            self.open_begun(last);
        }
        self.write_halfway();
        self.break_off(0);
        self.text
    }

    /// If the game with this name has just ended, its block is still open.
    fn until(mut self, last: &Over, name: &str) -> (String, Option<String>) {
        let at = last.board_named(name).unwrap_or(BoardPath::OUTERMOST);
        self.write_spares();
        self.write_halfway();
        let has_just_ended = self.closed_at == self.text.len();
        let ended = self.closed.iter().find(|(way, _)| way.contains(at));
        if has_just_ended && let Some(&(way, before)) = ended {
            self.text.truncate(before);
            return (self.text, Some(overchess::said(&way)));
        }
        let around = last.path_of(self.blocks);
        let open = self.block.map_or(around, |on| around.on(on));
        (self.text, Some(overchess::said(&open)))
    }
}

impl Movetext {
    /// The movetext of what is made from a position on.
    pub fn of(over: &Over) -> Self {
        Self {
            blocks: over.open() - 1,
            ..Self::default()
        }
    }

    /// Adds something other than a ply; `false` if records do not contain it.
    fn happen(&mut self, at: BoardPath, event: Happening, before: &Over) -> bool {
        let around = at.len().saturating_sub(1);
        match event {
            Happening::Ended(outcome) => self.conclude(around, outcome, before),
            Happening::Stood(_) => self.stand(before),
            Happening::Stopped => self.stop(around, before),
            _ => return false,
        }
        true
    }

    /// Writes what has to be written before a step.
    fn write_due(&mut self, step: &Step<Over>, before: &Over) {
        let length = self.text.len();
        self.open_begun(before);
        if !matches!(step, Step::Ply(Ply::Reserve(..))) {
            self.write_spares();
        }
        if self.text.len() > length {
            self.unwritten.clear();
        }
    }

    /// Notes a step unless something was written with it: the text had this length before.
    fn note_unwritten(&mut self, step: &Step<Over>, before: &Over, length: usize) {
        if self.text.len() > length {
            self.unwritten.clear();
        } else {
            self.unwritten.push(before.in_line(step));
        }
    }

    /// Whether an act has begun that is written as a whole: two set-ups, a consolidation, prisoners with names.
    pub const fn is_halfway(&self) -> bool {
        self.placing
            || self.attackers.is_some()
            || self.gifts.is_some()
            || !self.prisoners.is_empty()
    }

    /// Whether nothing has been written yet.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Passes over a step that the record omits.
    fn pass_over(&mut self, step: &Step<Over>, before: &Over) {
        self.closed.clear();
        // What is put in before and after it are two acts.
        if self.spares.is_some() {
            self.write_spares();
            self.unwritten.clear();
        }
        self.unwritten.push(before.in_line(step));
    }

    /// Whether a record may omit a step here: parts that an act implies, and acts that are never written. Set-ups are
    /// given as initial positions.
    fn can_leave_out(&self, step: &Step<Over>) -> bool {
        match step {
            Step::Ply(Ply::Give(..) | Ply::Hand(..)) => true,
            Step::Ply(Ply::Prisoners(_) | Ply::Take(_)) => self.prisoners.is_empty(),
            Step::Ply(Ply::Done) => self.prisoners.is_empty() && self.gifts.is_none(),
            _ => false,
        }
    }

    /// Adds the remarks on the last step, or after a sub-game that it has ended. They wait until its act is written.
    fn say(&mut self, remarks: &str) {
        self.said.push_str(remarks);
        if !remarks.is_empty() {
            self.write_spares();
        }
        if !self.is_halfway() && self.spares.is_none() {
            self.text.push_str(&std::mem::take(&mut self.said));
        }
    }

    fn write_opening(&mut self) {
        let opening = self.opening.take().unwrap_or_default();
        if !opening.is_empty() {
            self.text.push('\n');
            self.text.push_str(&opening);
            self.text.push('\n');
        }
    }

    /// Writes everything that is pending before an illegal move, which is given in its remarks.
    fn stand(&mut self, before: &Over) {
        match before.current().sub_game() {
            Some(chess) => {
                self.open_sub_game(before.current(), None);
                self.word(&number_of(chess.fullmove(), chess.turn()));
            }
            None => self.number(before.current()),
        }
        self.word("");
    }

    /// Writes a completed act of a team: a consolidation, or prisoners.
    fn done(&mut self, before: &Over) {
        if before.due() == Due::Giving {
            self.number(before.current());
            self.consolidate();
        } else if !before.captives().is_empty() {
            self.write_named_prisoners();
        } else if !before.prisoners_that_fit().is_none() {
            self.write_prisoners("");
        }
    }

    /// Closes the blocks of the games that a step has ended.
    fn close_ended(&mut self, step: &Step<Over>, effects: &Effects) {
        for (way, outcome) in effects.ended() {
            // What stands at the beginning of the next block is no reason to write this one again.
            let is_concluded = matches!(step, Step::Event(at, Happening::Ended(_)) if *at == way);
            if self.block.is_some() && self.blocks + 1 == way.len() {
                self.note_closing(way);
                self.close_sub_game(outcome);
            } else if self.blocks == way.len() {
                self.note_closing(way);
                self.close_over_game(outcome.as_str());
            } else if self.opening.is_some()
                && !is_concluded
                && let Some(on) = way.squares().last()
            {
                // It was over at its set-up, but still has a block.
                self.word(&format!("<{on}:"));
                self.write_opening();
                self.note_closing(way);
                self.word(&format!("{outcome}>"));
            }
        }
        self.closed_at = self.text.len();
    }

    /// Keeps that the block of a game is about to be closed.
    fn note_closing(&mut self, way: BoardPath) {
        self.closed.push((way, self.text.len()));
    }

    /// Writes the result of a game that the last step has ended as it is recorded, which may be another than it should be.
    fn record_result(&mut self, game: &str, recorded: &str) {
        let is_result = matches!(recorded, "1-0" | "0-1" | "1/2-1/2" | "*");
        let mut closed = self.closed.iter();
        let Some(at) = closed.position(|(way, _)| overchess::said(way) == game) else {
            return;
        };
        let from = self.closed[at].1;
        let to = match self.closed.get(at + 1) {
            Some((_, next)) => *next,
            None => self.closed_at,
        };
        let written = self.text[from..to].trim_matches([' ', '\n', '>']);
        if !is_result || written == recorded {
            return;
        }
        let length = written.len();
        let from = from + usize::from(self.text[from..].starts_with(' '));
        self.text.replace_range(from..from + length, recorded);
        let moved = |place: usize| place + recorded.len() - length;
        for (_, place) in &mut self.closed[at + 1..] {
            *place = moved(*place);
        }
        self.closed_at = moved(self.closed_at);
    }

    fn write_halfway(&mut self) {
        if self.is_halfway() {
            self.word(&format!("{{[%begun {}]}}", self.unwritten.join(" ")));
            self.text.push_str(&self.said);
        }
    }

    fn word(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    fn number(&mut self, level: &Level) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
            .push_str(&number_of(level.fullmove(), level.turn()));
    }

    /// Adds a spare. The spares of one action are in the order of their kinds.
    fn reserve(&mut self, on: Square, role: Role, before: &Over) {
        let mut later = KINDS.into_iter().skip_while(|kind| *kind != role).skip(1);
        let joins = match &self.spares {
            Some((at, pieces)) => *at == on && later.all(|kind| pieces.count(kind) == 0),
            None => false,
        };
        if !joins {
            self.write_spares();
        }
        if before.due() == Due::Over {
            self.number(before.current());
        }
        let (_, pieces) = self.spares.get_or_insert((on, Roster::NONE));
        *pieces = pieces.plus(role);
    }

    fn write_spares(&mut self) {
        if let Some((on, pieces)) = self.spares.take() {
            self.word(&format!(
                "<{} {on}: {}>",
                Verb::Reserve.word(),
                words(pieces)
            ));
        }
    }

    /// Writes prisoners, counted or by name.
    fn write_prisoners(&mut self, prisoners: &str) {
        let prisoners = if prisoners.is_empty() { "0" } else { prisoners };
        self.word(&format!("<{} {prisoners}>", Verb::Prisoners.word()));
    }

    fn write_named_prisoners(&mut self) {
        let names = std::mem::take(&mut self.prisoners).join(" ");
        self.write_prisoners(&names);
    }

    fn give(&mut self, to: Square, role: Role) {
        let Some((_, Gifts::Pieces(gifts))) = &mut self.gifts else {
            return;
        };
        match gifts.iter_mut().find(|(known, _)| *known == to) {
            Some((_, pieces)) => *pieces = pieces.plus(role),
            None => gifts.push((to, Roster::NONE.plus(role))),
        }
    }

    fn consolidate(&mut self) {
        let Some((on, gifts)) = self.gifts.take() else {
            return;
        };
        let gifts = match gifts {
            Gifts::Named(gifts) => gifts,
            Gifts::Pieces(mut gifts) => {
                gifts.sort_by_key(|(to, _)| (to.rank, to.file));
                let mut said = Vec::new();
                for (to, pieces) in gifts {
                    for (role, count) in pieces.counts() {
                        said.push(format!("{to}+{}", word(role, count)));
                    }
                }
                said
            }
        };
        // If nothing is handed over, there is no colon.
        let said = if gifts.is_empty() {
            String::new()
        } else {
            format!(": {}", gifts.join(" "))
        };
        self.word(&format!("<{} {on}{said}>", Verb::Consolidate.word()));
    }

    fn set_up(&mut self, pieces: Arrangement, before: &Over, after: &Over) {
        let Due::Setup(on, side) = before.due() else {
            return;
        };
        if side == Side::White
            && after.open() == before.open()
            && after.due() == Due::Setup(on, Side::Black)
        {
            self.attackers = Some(pieces);
            return;
        }
        self.open_sub_game(before.current(), Some(pieces));
    }

    /// Opens the block of the sub-game of chess that is due, unless it is open; `last` is the last set-up.
    fn open_sub_game(&mut self, before: &Level, last: Option<Arrangement>) {
        let (Due::Sub(on) | Due::Setup(on, _)) = before.due() else {
            return;
        };
        if self.block.is_some() {
            return;
        }
        self.block = Some(on);
        self.word(&format!("<{on}:"));
        self.write_set_up(before, last);
        self.write_opening();
    }

    /// Writes a set-up as the resulting initial position, if sub-sets are not complete.
    fn write_set_up(&mut self, before: &Level, last: Option<Arrangement>) {
        let Some(armies) = before.rosters() else {
            return;
        };
        let [attacker, defender] = armies.map(Arrangement::only_one).into_array();
        let attackers = self.attackers.take().or(before.attackers_setup());
        let set_up = match (before.due(), last) {
            (Due::Setup(_, Side::White), Some(pieces)) => [Some(pieces), defender],
            (Due::Setup(_, Side::Black), Some(pieces)) => [attackers.or(attacker), Some(pieces)],
            // A block with only a result stands for no set-up.
            (Due::Setup(..), _) => return,
            _ => [attacker, defender],
        };
        if let [Some(white), Some(black)] = set_up
            && armies != BySide::both(Roster::FULL)
            && let Some(first) = first_position(white, black)
        {
            let fen = first.fen();
            self.text
                .push_str(&format!("\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n"));
        }
    }

    fn close_sub_game(&mut self, outcome: Outcome) {
        self.word(outcome.as_str());
        self.text.push_str("\n>");
        self.block = None;
        self.attackers = None;
    }

    /// Writes a set-up as the resulting initial position; a sub-game that is over at once is closed at once.
    fn place(&mut self, ply: &Ply, before: &Over, effects: &Effects) {
        if let Some((way, outcome)) = effects.ended().next()
            && way.len() == before.open()
            && let Some(begun) = before.begun(ply)
        {
            self.open_begun(&begun);
            self.close_over_game(outcome.as_str());
        }
    }

    /// Opens the blocks of over-games that have begun but are not written yet.
    fn open_begun(&mut self, over: &Over) {
        while self.blocks + 1 < over.open() {
            self.write_spares();
            let outer = self.blocks;
            self.blocks += 1;
            if let Some(level) = over.level(outer)
                && let Some(contest) = level.contested().next()
            {
                self.word(&format!("<{}:", contest.to));
            }
            if !stands_as_it_began(over, outer + 1) {
                let fen = overchess::of_level(over, outer + 1);
                self.text
                    .push_str(&format!("\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n"));
            }
            self.write_opening();
        }
    }

    /// Closes the sub-game of an over-game with a result that does not follow from its moves.
    fn conclude(&mut self, level: usize, outcome: Outcome, before: &Over) {
        if level < self.blocks {
            self.break_off(level + 1);
            return self.close_over_game(outcome.as_str());
        }
        if before.current().depth() == 1 {
            self.open_sub_game(before.current(), None);
            return self.close_sub_game(outcome);
        }
        // A block with only a result stands for no set-up.
        if let Some(contest) = before.current().contested().next() {
            self.word(&format!("<{}:", contest.to));
            self.write_opening();
            self.word(&format!("{outcome}>"));
        }
    }

    /// Writes that a game inside stops without an end, and those in it. One in it that has not begun has no block.
    fn stop(&mut self, around: usize, before: &Over) {
        let is_innermost = around + 1 == before.open();
        if is_innermost && before.current().sub_game().is_some() {
            self.open_sub_game(before.current(), None);
        }
        self.break_off(around);
        self.is_stopped = true;
    }

    /// Closes, without a result, the games deeper than `around`.
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

fn named(places: &Places, place: SubSetPlace) -> Option<String> {
    places.at(place).map(|one| one.name.to_string())
}

/// Whether the sub-sets of an over-game at its start are complete and in their own places, so that no FEN is needed.
fn stands_as_it_began(over: &Over, level: usize) -> bool {
    let around = over.level(level - 1).and_then(Level::armies);
    let (Some(armies), Some(inner)) = (around, over.level(level)) else {
        return false;
    };
    for (side, army) in armies.pairs() {
        if army.roster() != Roster::FULL {
            return false;
        }
        for (place, one) in army.all() {
            match inner.at(seen_by(side, place.square())) {
                Some(stands) if stands.name == one.name => {}
                _ => return false,
            }
        }
    }
    true
}

/// A roster in words of a record: `2P N`.
fn words(pieces: Roster) -> String {
    let words = pieces.counts().map(|(role, count)| word(role, count));
    Vec::from_iter(words).join(" ")
}

fn word(role: Role, count: u8) -> String {
    match count {
        1 => role.letter().to_string(),
        count => format!("{count}{}", role.letter()),
    }
}
