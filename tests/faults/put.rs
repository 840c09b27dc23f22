//! Faults put into legal records.

use super::model::{self, Here};
use crate::{
    chance::Chance,
    records::{ActPlace, Agreed, BlockResult, Played},
};
use overboard_games::registry::{AnyGame, Variant};
use overboard_rules::ply::BoardName;
use std::{cell::RefCell, collections::HashMap, ops::Range};

/// A record with a fault in it.
pub struct Mutant {
    pub text: String,
    /// The span in which the first finding must be.
    pub at: Range<usize>,
    /// Whether the text ends with the fault.
    pub is_cut: bool,
    /// Whether a result comes too early, so that the rest of the record follows it.
    pub has_rest: bool,
    /// Whether check signs after the fault may have become wrong.
    pub brings_signs: bool,
    /// The spans of later acts that the same fault makes illegal.
    pub also: Vec<Range<usize>>,
}

impl Mutant {
    const fn of(text: String, at: Range<usize>) -> Self {
        Self {
            text,
            at,
            is_cut: false,
            has_rest: false,
            brings_signs: false,
            also: Vec::new(),
        }
    }
}

/// A legal record, and where its parts are.
pub struct Legal<'a> {
    pub agreed: &'a Agreed,
    pub played: &'a Played,
    pub places: &'a [ActPlace],
    /// For each place, the index of its act in `played`.
    pub acts: &'a [usize],
    /// The results of its sub-games.
    pub results: &'a [BlockResult],
    /// The places where faults are put, a sample of all places.
    pub chosen: Vec<usize>,
    /// What is legal at each act, cached.
    pub known: RefCell<HashMap<usize, Here>>,
    /// How sub-games ended by an act, cached.
    pub closed: RefCell<HashMap<usize, Option<&'static str>>>,
    /// How the game ended according to the naive model.
    pub end: Option<&'static str>,
}

pub const KINDS: [&str; 7] = [
    "illegal act",
    "token of another game",
    "bare pass",
    "wrong result",
    "wrong result of a sub-game",
    "command",
    "cut",
];

impl<'a> Legal<'a> {
    /// A record that was played, with the indices of its plies, and where these and the results of its sub-games are.
    pub fn of(
        agreed: &'a Agreed,
        played: &'a Played,
        acts: &'a [usize],
        (places, results): (&'a [ActPlace], &'a [BlockResult]),
        chosen: Vec<usize>,
    ) -> Self {
        Self {
            agreed,
            played,
            places,
            acts,
            results,
            chosen,
            known: RefCell::default(),
            closed: RefCell::default(),
            end: model::end(agreed, played),
        }
    }
}

impl Legal<'_> {
    /// A random fault of a kind; `None` if the choice is not certain to be a fault.
    pub fn put(&self, kind: &str, chance: &mut Chance) -> Option<Mutant> {
        let nth = chance.pick(&self.chosen)?;
        match kind {
            "illegal act" => self.illegal(nth, chance),
            "token of another game" => self.foreign(nth, chance),
            "bare pass" => self.pass(nth),
            "wrong result" => self.result(nth, chance),
            "wrong result of a sub-game" => self.result_inside(nth, chance),
            "command" => self.command(nth, chance),
            "cut" => self.cut(nth, chance),
            other => panic!("no fault is called {other}"),
        }
    }

    fn text(&self) -> &str {
        &self.played.text
    }

    /// Whether a text is a legal act at a place, according to the naive model.
    fn is_legal(&self, nth: usize, said: &str) -> bool {
        self.look(nth, |here| here.allows(said))
    }

    /// Calls a function with what is legal at a place.
    fn look<T>(&self, nth: usize, at: impl FnOnce(&Here) -> T) -> T {
        let mut known = self.known.borrow_mut();
        let act = self.acts[nth];
        at(known
            .entry(act)
            .or_insert_with(|| model::here(self.agreed, self.played, act)))
    }

    fn replaced(&self, nth: usize, with: &str) -> Mutant {
        let at = self.places[nth].at.clone();
        let mut text = self.text().to_string();
        text.replace_range(at.clone(), with);
        Mutant::of(text, at.start..at.start + with.len())
    }

    /// A ply of this game that is illegal here.
    pub fn illegal(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let said = if chance.below(2) == 0 {
            let other = &self.places[chance.below(self.places.len())];
            self.text()[other.at.clone()]
                .trim_end_matches(['+', '#'])
                .to_string()
        } else {
            self.any_ply(chance)
        };
        let is_ply = !said.starts_with("1/2") && said != "--";
        (is_ply && !self.is_legal(nth, &said)).then(|| self.replaced(nth, &said))
    }

    fn any_ply(&self, chance: &mut Chance) -> String {
        let (letters, size): (&[&str], usize) = match self.agreed.game {
            Variant::Olympic => (&["", "K", "R", "B", "S", "G"], 5),
            Variant::Strategi => (&["", "K", "Q", "R", "B", "N"], 14),
            _ => (&["", "K", "Q", "R", "B", "N"], 8),
        };
        let letter = chance.pick(letters).unwrap();
        let file = char::from(b'a' + chance.below(size) as u8);
        format!("{letter}{file}{}", 1 + chance.below(size))
    }

    /// A token that only other games use.
    fn foreign(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let (game, place) = (self.agreed.game, &self.places[nth]);
        let mut tokens = Vec::new();
        if game != Variant::Olympic {
            tokens.extend(["P@b2", "R@c3"]);
        }
        if game != Variant::Meta {
            tokens.extend(["Nd2^", "Nxd5^"]);
        }
        if self.agreed.boards == 1 {
            tokens.extend(["Rxa5/B", "e4/C"]);
        }
        if !place.in_turn {
            if game != Variant::Mega {
                tokens.extend(["<A2.e4 B2.d4>", "<H7.e5>"]);
            }
            if game != Variant::Over {
                tokens.extend([
                    "<e5: 1-0>",
                    "<prisoners 2P>",
                    "<reserve d4: P>",
                    "<consolidate c3>",
                ]);
            }
        }
        let token = chance.pick(&tokens)?;
        (!self.is_legal(nth, token)).then(|| self.replaced(nth, token))
    }

    fn pass(&self, nth: usize) -> Option<Mutant> {
        let is_pass = self.text()[self.places[nth].at.clone()].starts_with("--");
        (!is_pass && !self.is_legal(nth, "--")).then(|| self.replaced(nth, "--"))
    }

    /// A result other than the actual one, or before the end of the game.
    fn result(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let place = &self.places[nth];
        let text = self.text();
        let results = ["1-0", "0-1", "1/2-1/2"];
        let other = chance.pick(&results)?;
        if place.in_turn {
            let is_legal = other == "1/2-1/2" && self.is_legal(nth, "1/2-1/2");
            return (!is_legal).then(|| self.replaced(nth, other));
        }
        if chance.below(2) == 0 && place.inside.is_empty() && nth + 1 < self.places.len() {
            // The rest of the game follows the result.
            let after = self.places[nth].at.end;
            let mut mutant = text.to_string();
            mutant.insert_str(after, &format!(" {other}"));
            let next = self.places[nth + 1].at.end + 1 + other.len();
            let mutant = Mutant {
                has_rest: true,
                ..Mutant::of(mutant, after..next)
            };
            return self.goes_on(nth).then_some(mutant);
        }
        let right = self
            .played
            .last
            .end_by_itself()
            .map_or("*", |ruling| ruling.outcome.as_str());
        if other == right {
            return None;
        }
        let marker = text.trim_end().len() - right.len();
        let mut mutant = text.to_string();
        mutant.replace_range(marker..marker + right.len(), other);
        let mut at = marker..marker + other.len();
        // If the tag has the same wrong result, only the game itself disproves it.
        let is_known = self.end.is_some_and(|end| end != other);
        if right != "*" && is_known && chance.below(2) == 0 {
            let tag = format!("[Result \"{right}\"]");
            let reported = format!("[Result \"{other}\"]");
            mutant = mutant.replacen(&tag, &reported, 1);
            at = at.start + reported.len() - tag.len()..at.end + reported.len() - tag.len();
            if reported.len() < tag.len() {
                return None;
            }
        }
        Some(Mutant::of(mutant, at))
    }

    /// A result of a sub-game other than the actual one, or before its end.
    fn result_inside(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let other = chance.pick(&["1-0", "0-1", "1/2-1/2", "*"])?;
        let place = &self.places[nth];
        let is_early = chance.below(3) == 0;
        if is_early && !place.in_turn && !place.inside.is_empty() && self.goes_on(nth) {
            let mut text = self.text().to_string();
            text.insert_str(place.at.end, &format!(" {other}"));
            let next = self.places[nth + 1].at.end + 1 + other.len();
            return Some(Mutant::of(text, place.at.end..next));
        }
        let results: Vec<_> = self.results.iter().collect();
        let BlockResult { place, plies } = chance.pick(&results)?;
        let (last, at) = (plies.checked_sub(1)?, place.at.clone());
        let right = &self.text()[at.clone()];
        let mut text = self.text().to_string();
        text.replace_range(at.clone(), other);
        let is_last_in_it = self.places[last].inside == place.inside;
        let mut closed = self.closed.borrow_mut();
        let act = self.acts[last];
        let end = *closed
            .entry(act)
            .or_insert_with(|| model::closing(self.agreed, self.played, act));
        if let Some(end) = end.filter(|_| is_last_in_it) {
            // After an end that the board shows, `*` is no fault (GEN-15).
            let is_fault = end != other && other != "*";
            return is_fault.then(|| Mutant::of(text, at.start..at.start + other.len()));
        }
        // A game that ended by resignation or agreement has nothing but its recorded result, and without it
        // the game around it cannot go on. The one around that can: a player who resigns a sub-game may leave
        // an unfinished one inside it.
        let around = place.inside.split_last()?.1;
        let next = self
            .places
            .get(*plies)
            .filter(|next| next.inside == around)?;
        let to = next.at.end + other.len() - right.len();
        (right != "*" && other == "*").then(|| Mutant::of(text, at.start..to))
    }

    /// Whether the next act is made in the same game or in one inside it.
    fn goes_on(&self, nth: usize) -> bool {
        let (Some(place), Some(next)) = (self.places.get(nth), self.places.get(nth + 1)) else {
            return false;
        };
        let between = &self.text()[place.at.end..next.at.start];
        next.inside.starts_with(&place.inside)
            && !between.contains('>')
            && !self.look(nth + 1, Here::is_over)
    }

    /// A command after which the game cannot have gone on, or one that is not true.
    fn command(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let is_linked = matches!(self.agreed.game, Variant::Strategi) && self.agreed.boards > 1;
        let place = &self.places[nth];
        if is_linked && chance.below(3) == 0 {
            return if chance.below(2) == 0 {
                self.fallen_flag(nth, chance)
            } else {
                self.order(nth)
            };
        }
        let ends = [
            "[%resign W]",
            "[%resign B]",
            "[%draw agreed]",
            "[%flag W]",
            "[%flag B]",
        ];
        let of_partners = [
            "[%resign W]",
            "[%resign B:B]",
            "[%draw agreed]",
            "[%flag W:A]",
            "[%flag B:B]",
        ];
        let later = self.agreed.rules.contains("edition=2025");
        let (command, at_once) = match () {
            () if place.in_turn => (chance.pick(&ends)?, true),
            () if is_linked && later => (chance.pick(&ends[..2])?, true),
            () if is_linked => (chance.pick(&ends[..3])?, false),
            () if self.agreed.game == Variant::Bughouse => (chance.pick(&of_partners)?, false),
            () => (chance.pick(&ends)?, false),
        };
        if !at_once && !self.goes_on(nth) {
            return None;
        }
        let next = if at_once {
            place.at.end
        } else {
            self.places[nth + 1].at.end
        };
        Some(self.said(nth, command, next))
    }

    /// A comment with a command after an act; `next` is where the act ends that must not follow it.
    fn said(&self, nth: usize, command: &str, next: usize) -> Mutant {
        let mut text = self.text().to_string();
        let after = self.places[nth].at.end;
        let comment = format!(" {{{command}}}");
        text.insert_str(after, &comment);
        Mutant::of(text, after..next + comment.len())
    }

    /// A flag that falls on linked boards although its player makes moves later (SC-35).
    fn fallen_flag(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let AnyGame::Linked(game) = &self.played.acts[self.acts[nth]].before else {
            return None;
        };
        let (side, board) = (chance.pick(&['W', 'B'])?, chance.below(game.boards()));
        let name = BoardName(board).to_string();
        let first = self.acts.get(nth + 1)?;
        let small = side.to_ascii_lowercase();
        let refused = model::after_a_flag(self.agreed, self.played, *first, small, &name);
        let command = format!("[%flag {side}:{name}]");
        let longer = command.len() + 3;
        let mut places = refused.into_iter().filter_map(|act| {
            let place = &self.places[self.acts.iter().position(|known| *known == act)?].at;
            Some(place.start + longer..place.end + longer)
        });
        let at = places.next()?;
        let also = places.collect();
        let mutant = self.said(nth, &command, at.end - longer);
        Some(Mutant {
            at: at.start..mutant.at.end,
            brings_signs: true,
            also,
            ..mutant
        })
    }

    /// An instruction that is not in the prescribed form (SC-42).
    fn order(&self, nth: usize) -> Option<Mutant> {
        Some(self.said(nth, "[%order W Attack at once!]", self.places[nth].at.end))
    }

    /// Text that stops inside a ply, a bracket or a comment.
    fn cut(&self, nth: usize, chance: &mut Chance) -> Option<Mutant> {
        let (place, text) = (&self.places[nth], self.text());
        let opening = place.inside.first().copied();
        let token = &text[place.at.clone()];
        let from = opening.unwrap_or(place.at.start);
        match chance.below(3) {
            0 if token.len() > 1 => {
                let kept = 1 + chance.below(token.len() - 1);
                let left = &token[..kept];
                // The part that is left may be a legal ply, too, or carry no meaning.
                let is_said = self.is_legal(nth, left) || left.trim_start_matches("1/2").is_empty();
                let is_number = left.bytes().all(|b| b.is_ascii_digit());
                let end = place.at.start + kept;
                let broken = opening.is_some() || !(is_said || is_number || left == "O-O");
                broken.then(|| Self::cut_off(text[..end].into(), from))
            }
            1 => {
                let end = place.at.end;
                let remark = &" {a remark that never ends"[..3 + chance.below(20)];
                let text = format!("{}{remark}", &text[..end]);
                Some(Self::cut_off(text, from))
            }
            _ => {
                let opening = opening?;
                Some(Self::cut_off(text[..place.at.end].into(), opening))
            }
        }
    }

    fn cut_off(text: String, from: usize) -> Mutant {
        Mutant {
            is_cut: true,
            ..Mutant::of(text.clone(), from..text.len())
        }
    }
}
