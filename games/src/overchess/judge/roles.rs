//! Who leads which over-piece, and whether the players of a sub-game were entitled to play it (OV-13).

use crate::{
    board8::board::{Castling, castling},
    overchess::{
        Contested, Level, laws as law,
        lieutenants::{self, Led},
    },
};
use overboard_formats::{
    command::{self, Appointed},
    header::{Header, Name, same_name, unescape_list},
    parse::Parser,
    span::TextSpan,
};
use overboard_referee::finding::{self as code, Code};
use overboard_rules::{
    by_side::BySide,
    path::{index, square, squares},
    refusal::{castling_step, list},
    rule::Rule,
    square::{Role, Side, Square},
};
use std::collections::BTreeSet;

mod armies;
mod list;
mod players;

use list::List;

/// The roles of both teams of a game; over-pieces are known by the squares on which they began.
#[derive(Clone, Debug)]
pub(super) struct Roles {
    /// The rule that says who leads what.
    rule: &'static Rule,
    teams: BySide<Team>,
    /// All over-pieces at the start.
    began: Vec<Origin>,
    /// What is on each square that is not contested.
    on: [Option<Origin>; 64],
    contests: Vec<Contest>,
    /// The square, the attacker and the defender of the attack made last, if it was settled at once because its sub-game
    /// was dead at its set-up (OV-15).
    settled_at_once: Option<(Square, [Option<Origin>; 2])>,
    /// The sub-game being read, and who is recorded as playing it.
    open: Option<Open>,
    /// Who plays attacker and defender in sub-games that have begun, by square.
    playing: Vec<(Square, [Vec<String>; 2])>,
    /// What is wrong with them and has not been reported yet.
    pub objections: Vec<Objection>,
    /// The over-pieces of which it is not known what they have left.
    unknown: Vec<Origin>,
}

/// Something wrong with roles, under the rule that says who leads what.
#[derive(Clone, Debug)]
pub(super) struct Objection {
    pub code: &'static Code,
    pub rule: &'static Rule,
    pub place: TextSpan,
    pub words: String,
    /// Where the record names those who are entitled to play, and who they are.
    pub since: Option<(TextSpan, String)>,
}

/// Who leads an over-piece, and its kind and square at the start; empty if that is not known.
#[derive(Clone, Default, Debug)]
pub(super) struct Called {
    pub names: Vec<String>,
    pub origin: Option<(Role, Square)>,
}

/// A sub-game whose tags are being read: who is recorded as playing it, its White first, and the roles in it.
#[derive(Clone, Debug)]
struct Open {
    on: Square,
    players: [Option<(String, TextSpan)>; 2],
    inside: Inside,
}

/// The roles in a sub-game that is itself Overchess, its White first, from its tags and the commands after them.
#[derive(Clone, Default, Debug)]
pub(super) struct Inside {
    commanders: [Option<Holder>; 2],
    lists: [Option<List>; 2],
    /// Commands before the first ply, with their places.
    appointed: Vec<(Vec<u8>, TextSpan)>,
}

/// Where an over-piece began, and as what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    square: Square,
    side: Side,
    role: Role,
}

/// An attack that has not been settled.
#[derive(Clone, Copy, Debug)]
struct Contest {
    on: Contested,
    /// The attacker and the defender, as far as they are known.
    parties: [Option<Origin>; 2],
}

#[derive(Clone, Debug, Default)]
struct Team {
    commander: Option<Holder>,
    holders: Vec<(Led, Holder)>,
    /// The people who take in turn the sub-games of over-pieces without a leader.
    queue: Vec<Holder>,
    /// How many sub-games were taken in turn.
    taken: usize,
}

/// People who hold a role, and the place where the record says so.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Holder {
    names: Vec<String>,
    since: TextSpan,
    /// Whether by a tag before the moves, and not by a command among them.
    by_tag: bool,
}

const COMMANDERS: BySide<Name> = BySide::new(Name::WhiteCommander, Name::BlackCommander);
const LIEUTENANTS: BySide<Name> = BySide::new(Name::WhiteLieutenants, Name::BlackLieutenants);
impl Holder {
    fn new(list: &str, since: TextSpan, by_tag: bool) -> Self {
        Self {
            names: names(list),
            since,
            by_tag,
        }
    }

    fn are(&self) -> String {
        list(&self.names, "or")
    }

    /// Whether a person is one of them. An unknown name (`?`) may be anyone's.
    fn includes(&self, name: &str) -> bool {
        self.names
            .iter()
            .any(|own| same_name(own, name) || is_unknown(own))
    }
}

/// The people in a list of names.
fn names(list: &str) -> Vec<String> {
    list.split(':')
        .map(|name| unescape_list(name.trim()))
        .collect()
}

fn is_unknown(name: &str) -> bool {
    matches!(name.trim(), "" | "?")
}

const fn number(square: Square) -> usize {
    index(square) as usize
}

impl Team {
    /// Who leads an over-piece, and in which role; `None` if the record does not say.
    fn leader(&self, origin: Origin) -> Option<(&Holder, &'static str)> {
        self.leader_after(origin, 0)
    }

    /// The same after `more` further sub-games have been taken in turn.
    fn leader_after(&self, origin: Origin, more: usize) -> Option<(&Holder, &'static str)> {
        if let Some(holder) = self.named(Led::On(origin.square)) {
            return Some((holder, "leads it"));
        }
        if let Some(holder) = self.named(Led::Kind(origin.role)) {
            return Some((holder, "leads all of its kind"));
        }
        if self.queue.is_empty() {
            let commander = self.commander.as_ref()?;
            return Some((commander, "commands, and nobody else is named for it"));
        }
        let next = &self.queue[(self.taken + more) % self.queue.len()];
        Some((next, "takes this sub-game in turn"))
    }

    /// Who is named for exactly this.
    fn named(&self, led: Led) -> Option<&Holder> {
        let (_, holder) = self.holders.iter().find(|(own, _)| *own == led)?;
        Some(holder)
    }

    fn is_in_turn(&self, origin: Origin) -> bool {
        !self.queue.is_empty()
            && self.named(Led::On(origin.square)).is_none()
            && self.named(Led::Kind(origin.role)).is_none()
    }

    /// From here on someone else holds a role.
    fn appoint(&mut self, led: Led, holder: Holder) {
        self.holders.retain(|(own, _)| *own != led);
        self.holders.push((led, holder));
    }
}

impl Default for Roles {
    fn default() -> Self {
        Self {
            rule: &law::ROLES,
            teams: Default::default(),
            began: Vec::new(),
            on: [None; 64],
            contests: Vec::new(),
            settled_at_once: None,
            open: None,
            playing: Vec::new(),
            objections: Vec::new(),
            unknown: Vec::new(),
        }
    }
}

impl Roles {
    /// The roles that the tags give, in a game that begins from this position.
    pub fn declared(position: &Level, header: &Header, parser: &Parser<'_>) -> Self {
        let mut roles = Self::default();
        roles.place_all(position);
        let tag = |name| Some((header.text(name)?, header.place(name)?));
        for side in Side::BOTH {
            if let Some((text, place)) = tag(COMMANDERS[side]) {
                roles.teams[side].commander = Some(Holder::new(&text, place, true));
            }
            if let Some((list, place)) = tag(LIEUTENANTS[side]) {
                roles.take_list(side, List::read(&list, place, parser));
            }
        }
        roles
    }

    /// The roles in a sub-game that begins from a position: those that it declares; else the players entitled to it
    /// have the command.
    pub fn within(position: &Level, inside: Inside) -> Self {
        let mut roles = Self::default();
        roles.place_all(position);
        roles.inherit(inside);
        roles
    }

    /// The same in a sub-game in which only the kings were left.
    pub fn within_bare_kings(inside: Inside) -> Self {
        let king = |side, rank| Origin {
            square: Square::new(4, rank),
            side,
            role: Role::King,
        };
        let mut roles = Self {
            began: vec![king(Side::White, 0), king(Side::Black, 7)],
            ..Self::default()
        };
        roles.inherit(inside);
        roles
    }

    /// Takes the roles that a sub-game declares; all its over-pieces have been placed.
    fn inherit(&mut self, inside: Inside) {
        self.rule = &law::INNER_ROLES;
        let [white, black] = inside.commanders;
        self.teams[Side::White].commander = white;
        self.teams[Side::Black].commander = black;
        let [white, black] = inside.lists;
        self.take_list(Side::White, white.unwrap_or_default());
        self.take_list(Side::Black, black.unwrap_or_default());
        for (arguments, place) in inside.appointed {
            // An unreadable command has been reported at its place.
            self.command(&arguments, place);
        }
    }

    fn object(&mut self, code: &'static Code, place: TextSpan, words: String) {
        self.objections.push(Objection {
            code,
            rule: self.rule,
            place,
            words,
            since: None,
        });
    }

    /// Puts every over-piece on the square where it begins.
    fn place_all(&mut self, position: &Level) {
        for square in squares() {
            self.on[number(square)] = position.piece_at(square).map(|over| Origin {
                square,
                side: over.piece.side,
                role: over.piece.role,
            });
        }
        for on in position.contested() {
            let mut attacker = self.on[number(on.to)].take();
            // A pawn that promotes by attack is a pawn until the sub-game is won (OV-11).
            if let (Some(attacker), Some(_)) = (&mut attacker, on.promotion) {
                attacker.role = Role::Pawn;
            }
            let (square, piece) = (on.victim.unwrap_or(on.to), on.defender.piece);
            self.on[number(square)] = None;
            let defender = Some(Origin {
                square,
                side: piece.side,
                role: piece.role,
            });
            let parties = [attacker, defender];
            self.contests.push(Contest { on, parties });
        }
        self.began = self.on.iter().copied().flatten().collect();
        for contest in &self.contests {
            self.began.extend(contest.parties.iter().flatten());
        }
    }

    fn take_list(&mut self, side: Side, list: List) {
        let mut faults = list.faults;
        for (led, name, since, what) in list.posts {
            let holder = Holder {
                names: vec![name],
                since,
                by_tag: true,
            };
            match (led, self.no_such(side, led)) {
                (_, Some(fault)) => faults.push((fault, what)),
                (Led::Rest, None) => self.teams[side].queue.push(holder),
                (led, None) => self.teams[side].appoint(led, holder),
            }
        }
        for (what, place) in faults {
            self.object(&code::BAD_LIST, place, what);
        }
    }

    /// Why a side has no such over-piece, if it has none.
    fn no_such(&self, side: Side, led: Led) -> Option<String> {
        let square = match led {
            Led::On(square) => square,
            Led::Kind(Role::King) => return Some(lieutenants::KING.into()),
            Led::Kind(_) | Led::Rest => return None,
        };
        let other = side.other();
        match [side, other].map(|side| self.origin(square, side)) {
            [Some(own), _] if own.role == Role::King => Some(lieutenants::KING.into()),
            [Some(_), _] => None,
            [None, Some(_)] => Some(format!(
                "the over-piece that begins on {square} is {other}'s"
            )),
            [None, None] => Some(format!("no over-piece begins on {square}")),
        }
    }

    /// A side's over-piece that began on a square.
    fn origin(&self, square: Square, side: Side) -> Option<&Origin> {
        let mut began = self.began.iter();
        began.find(|origin| origin.square == square && origin.side == side)
    }

    /// `W d1 "Bob"`, `B P "Cy"`, `W commander "Zoe"`: from here on someone else holds a role. Returns whether it could
    /// be read.
    pub fn command(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let Some(Appointed { side, seat, name }) = command::appointed(arguments) else {
            return false;
        };
        let holder = Holder::new(&name, place, false);
        if seat == "commander" {
            self.teams[side].commander = Some(holder);
            return true;
        }
        let Some(led) = Led::read(&seat) else {
            return false;
        };
        if let Some(what) = self.no_such(side, led) {
            self.object(&code::BAD_COMMAND, place, what);
            return true;
        }
        if led == Led::Rest {
            let one = |name| Holder {
                names: vec![name],
                since: place,
                by_tag: false,
            };
            self.teams[side].queue = holder.names.into_iter().map(one).collect();
            self.teams[side].taken = 0;
        } else {
            self.teams[side].appoint(led, holder);
        }
        true
    }

    fn contest(&self, on: Square) -> Option<&Contest> {
        self.contests.iter().find(|contest| contest.on.to == on)
    }

    /// Attacker and defender on a contested square, as far as they are known.
    fn parties(&self, on: Square) -> [Option<Origin>; 2] {
        self.contest(on)
            .map_or([None; 2], |contest| contest.parties)
    }

    /// An over-piece moved; a castling king takes its rook along.
    pub fn moved(&mut self, (from, to): (Square, Square), after: &Level) {
        let mut contested = after.contested();
        let new = contested.find(|on| self.contest(on.to).is_none());
        let mover = self.on[number(from)].take();
        self.settled_at_once = None;
        if let Some(on) = new {
            let defender = self.on[number(on.victim.unwrap_or(to))].take();
            let parties = [mover, defender];
            self.contests.push(Contest { on, parties });
            return;
        }
        // A sub-game that is dead at its set-up is over as soon as the attack is made.
        let attacked = self.attacked_by(mover, (from, to));
        self.settled_at_once = attacked.map(|defender| (to, [mover, Some(defender)]));
        if let Some(Origin { side, .. }) = mover {
            for on in [to, from] {
                if after
                    .piece_at(on)
                    .is_some_and(|over| over.piece.side == side)
                {
                    self.on[number(on)] = mover;
                    break;
                }
            }
        }
        if let Some(Origin {
            side,
            role: Role::King,
            ..
        }) = mover
            && let Some(wing) = castling_step(from, side, to)
        {
            let Castling { rook, rook_to, .. } = castling(side, wing);
            let there = after.piece_at(square(rook_to));
            if there.is_some_and(|over| over.piece.role == Role::Rook) {
                self.on[usize::from(rook_to)] = self.on[usize::from(rook)].take();
            }
        }
    }

    /// Whom an over-piece attacks by a move: nobody if it is a king, which captures without a sub-game (OV-7).
    fn attacked_by(&self, mover: Option<Origin>, (from, to): (Square, Square)) -> Option<Origin> {
        let Origin { side, role, .. } = mover?;
        if role == Role::King {
            return None;
        }
        let enemy = |on| self.on[number(on)].filter(|origin| origin.side != side);
        let there = enemy(to);
        if there.is_none() && role == Role::Pawn && from.file != to.file {
            return enemy(Square::new(to.file, from.rank));
        }
        there
    }

    /// Attacks were settled, or an over-piece was taken off: only what the position shows remains.
    pub fn settle(&mut self, position: &Level) {
        let owner = |square| position.piece_at(square).map(|over| over.piece.side);
        let open: Vec<_> = position.contested().map(|on| on.to).collect();
        self.playing.retain(|(on, _)| open.contains(on));
        for contest in std::mem::take(&mut self.contests) {
            let Contest { on, parties } = contest;
            let [attacker, defender] = parties;
            if open.contains(&on.to) {
                self.contests.push(contest);
                continue;
            }
            let home = on.victim.unwrap_or(on.to);
            let by = attacker.map(|origin| origin.side);
            if owner(on.to) == by {
                self.on[number(on.to)] = attacker;
                continue;
            }
            if owner(home) == by.map(Side::other) {
                self.on[number(home)] = defender;
            }
            // After a draw the attacker goes back; if its square was taken meanwhile, it is gone (OV-33).
            if owner(on.from) == by && self.on[number(on.from)].is_none() {
                self.on[number(on.from)] = attacker;
            }
        }
        for square in squares() {
            if owner(square).is_none() {
                self.on[number(square)] = None;
            }
        }
    }

    /// Who commands a side.
    pub fn commanders(&self, side: Side) -> Vec<String> {
        match &self.teams[side].commander {
            Some(holder) => holder.names.clone(),
            None => Vec::new(),
        }
    }

    /// Everybody who has a role on a side.
    pub fn people(&self, side: Side) -> Vec<String> {
        let team = &self.teams[side];
        let mut holders = Vec::from_iter(&team.queue);
        holders.extend(&team.commander);
        holders.extend(team.holders.iter().map(|(_, holder)| holder));
        let mut names = BTreeSet::new();
        for holder in holders {
            names.extend(holder.names.iter().cloned());
        }
        Vec::from_iter(names)
    }

    /// Who leads the over-piece on a square that is not contested.
    pub fn leader_on(&self, on: Square) -> Called {
        self.called_for(self.on[number(on)], &[])
    }

    /// Who leads attacker and defender on a contested square: those who are playing there, else those who are entitled
    /// to. The sub-games on the squares `before` it are settled first, and each takes the next person in turn.
    pub fn called(&self, on: Square, before: &[Square]) -> [Called; 2] {
        let playing = |on: Square| self.playing.iter().find(|(known, _)| *known == on);
        let mut ahead = Vec::new();
        for square in before {
            if playing(*square).is_none() {
                ahead.extend(self.parties(*square).into_iter().flatten());
            }
        }
        let mut called = self
            .parties(on)
            .map(|origin| self.called_for(origin, &ahead));
        if let Some((_, [attackers, defenders])) = playing(on) {
            called[0].names.clone_from(attackers);
            called[1].names.clone_from(defenders);
        }
        called
    }

    /// Who leads an over-piece, if the sub-games of those `ahead` are settled before its own.
    fn called_for(&self, origin: Option<Origin>, ahead: &[Origin]) -> Called {
        let Some(origin) = origin else {
            return Called::default();
        };
        let team = &self.teams[origin.side];
        let in_turn = |other: &&Origin| other.side == origin.side && team.is_in_turn(**other);
        let more = ahead.iter().filter(in_turn).count();
        let names = match team.leader_after(origin, more) {
            Some((holder, _)) => holder.names.clone(),
            None => Vec::new(),
        };
        Called {
            names,
            origin: Some((origin.role, origin.square)),
        }
    }

    /// The side that is attacking on a square.
    pub fn attacker(&self, on: Square) -> Option<Side> {
        let [attacker, _] = self.parties(on);
        Some(attacker?.side)
    }

    /// A sub-game opens, whether it is judged or not.
    pub fn open(&mut self, on: Option<Square>) {
        self.open = on.map(|on| Open {
            on,
            players: [None, None],
            inside: Inside::default(),
        });
    }

    /// Handles a tag of the sub-game.
    pub fn tag(&mut self, parser: &Parser<'_>) {
        let Some(Open {
            players, inside, ..
        }) = &mut self.open
        else {
            return;
        };
        let place = parser.place().at(parser.lexer().tag().value);
        let name = parser.tag_name();
        let side = usize::from(name.starts_with(b"Black"));
        match name {
            b"White" | b"Black" if players[side].is_none() => {
                players[side] = Some((parser.tag_value(), place));
            }
            b"WhiteCommander" | b"BlackCommander" if inside.commanders[side].is_none() => {
                inside.commanders[side] = Some(Holder::new(&parser.tag_value(), place, true));
            }
            b"WhiteLieutenants" | b"BlackLieutenants" if inside.lists[side].is_none() => {
                inside.lists[side] = Some(List::read(&parser.tag_value(), place, parser));
            }
            _ => {}
        }
    }

    /// Handles a command in the sub-game before anything is played: the last one for a role counts. Returns whether it
    /// could be read.
    pub fn appoint_inside(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let Some(here) = command::appointed(arguments) else {
            return false;
        };
        if here.seat != "commander" && Led::read(&here.seat).is_none() {
            return false;
        }
        if let Some(Open { inside, .. }) = &mut self.open {
            let is_other = |earlier: &[u8]| match command::appointed(earlier) {
                Some(earlier) => earlier.side != here.side || earlier.seat != here.seat,
                None => true,
            };
            inside.appointed.retain(|(earlier, _)| is_other(earlier));
            inside.appointed.push((arguments.to_vec(), place));
        }
        true
    }
}
