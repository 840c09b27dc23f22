//! Who leads which over-piece, and whether the players of a sub-game were entitled to play it (OV-13).

use crate::overchess::{
    Contested, Level, laws as law,
    lieutenants::{self, Led},
};
use overboard_formats::{
    command::{self, Appointed},
    encoding::decode,
    header::{Header, Name, same_name, unescape_into, unescape_list},
    parse::Parser,
    span::TextSpan,
};
use overboard_referee::finding::{self as code, Code};
use overboard_rules::{
    by_side::BySide,
    path::{index, squares},
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
    attacker: Option<Origin>,
    defender: Option<Origin>,
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
const SIDES: [Side; 2] = [Side::White, Side::Black];

impl Holder {
    fn new(list: &str, since: TextSpan, by_tag: bool) -> Self {
        Self {
            names: names(list),
            since,
            by_tag,
        }
    }

    fn are(&self) -> String {
        self.names.join(" or ")
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
        let named = |led| {
            self.holders
                .iter()
                .find(|(own, _)| *own == led)
                .map(|(_, holder)| holder)
        };
        if let Some(holder) = named(Led::On(origin.square)) {
            return Some((holder, "leads it"));
        }
        if let Some(holder) = named(Led::Kind(origin.role)) {
            return Some((holder, "leads all of its kind"));
        }
        match (self.queue.is_empty(), &self.commander) {
            (false, _) => self
                .queue
                .get((self.taken + more) % self.queue.len())
                .map(|holder| (holder, "takes this sub-game in turn")),
            (true, Some(commander)) => {
                Some((commander, "commands, and nobody else is named for it"))
            }
            (true, None) => None,
        }
    }

    fn is_in_turn(&self, origin: Origin) -> bool {
        let is_named = |(led, _): &(Led, Holder)| {
            *led == Led::On(origin.square) || *led == Led::Kind(origin.role)
        };
        !self.queue.is_empty() && !self.holders.iter().any(is_named)
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
        for side in SIDES {
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
        for (side, commander) in SIDES.into_iter().zip(inside.commanders) {
            self.teams[side].commander = commander;
        }
        for (side, list) in SIDES.into_iter().zip(inside.lists) {
            self.take_list(side, list.unwrap_or_default());
        }
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
            self.contests.push(Contest {
                on,
                attacker,
                defender,
            });
        }
        let contested = self
            .contests
            .iter()
            .flat_map(|contest| [contest.attacker, contest.defender]);
        self.began = self.on.iter().copied().chain(contested).flatten().collect();
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
        let mut here = self.began.iter().filter(|origin| origin.square == square);
        match here.clone().find(|origin| origin.side == side) {
            Some(own) => (own.role == Role::King).then(|| lieutenants::KING.into()),
            None if here.next().is_some() => Some(format!(
                "the over-piece that begins on {square} is {}'s",
                side.other()
            )),
            None => Some(format!("no over-piece begins on {square}")),
        }
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
                ..holder.clone()
            };
            self.teams[side].queue = holder.names.iter().cloned().map(one).collect();
            self.teams[side].taken = 0;
        } else {
            self.teams[side].appoint(led, holder);
        }
        true
    }

    /// An over-piece moved; a castling king takes its rook along.
    pub fn moved(&mut self, (from, to): (Square, Square), castles: bool, after: &Level) {
        let known = |contest: &Contest, on: &Contested| contest.on.to == on.to;
        let new = after
            .contested()
            .find(|on| !self.contests.iter().any(|contest| known(contest, on)));
        let mover = self.on[number(from)].take();
        self.settled_at_once = None;
        if let Some(on) = new {
            let defender = self.on[number(on.victim.unwrap_or(to))].take();
            self.contests.push(Contest {
                on,
                attacker: mover,
                defender,
            });
            return;
        }
        // A sub-game that is dead at its set-up is over as soon as the attack is made.
        self.settled_at_once = self
            .attacked_by(mover, (from, to))
            .map(|defender| (to, [mover, Some(defender)]));
        let stands = |on: &Square| {
            let there = after.piece_at(*on).map(|over| over.piece.side);
            there.is_some() && there == mover.map(|origin| origin.side)
        };
        if let Some(on) = [to, from].into_iter().find(stands) {
            self.on[number(on)] = mover;
        }
        if castles {
            let [corner, beside] = if to.file > from.file { [7, 5] } else { [0, 3] };
            self.on[number(Square::new(beside, to.rank))] =
                self.on[number(Square::new(corner, to.rank))].take();
        }
    }

    /// Whom an over-piece attacks by a move: nobody if it is a king, which captures without a sub-game (OV-7).
    fn attacked_by(&self, mover: Option<Origin>, (from, to): (Square, Square)) -> Option<Origin> {
        let mover = mover.filter(|mover| mover.role != Role::King)?;
        let passed = Square::new(to.file, from.rank);
        let is_enemy = |origin: &Origin| origin.side != mover.side;
        let there = self.on[number(to)].filter(is_enemy);
        let may_pass = mover.role == Role::Pawn && from.file != to.file;
        if there.is_none() && may_pass {
            self.on[number(passed)].filter(is_enemy)
        } else {
            there
        }
    }

    /// Attacks were settled, or an over-piece was taken off: only what the position shows remains.
    pub fn settle(&mut self, position: &Level) {
        let owner = |square| position.piece_at(square).map(|over| over.piece.side);
        let open: Vec<_> = position.contested().map(|on| on.to).collect();
        let (settled, left) = std::mem::take(&mut self.contests)
            .into_iter()
            .partition::<Vec<_>, _>(|contest| !open.contains(&contest.on.to));
        self.contests = left;
        self.playing.retain(|(on, _)| open.contains(on));
        for Contest {
            on,
            attacker,
            defender,
        } in settled
        {
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
        self.teams[side]
            .commander
            .as_ref()
            .map_or(Vec::new(), |holder| holder.names.clone())
    }

    /// Everybody who has a role on a side.
    pub fn people(&self, side: Side) -> Vec<String> {
        let team = &self.teams[side];
        let leaders = team.holders.iter().map(|(_, holder)| holder);
        let holders = team.commander.iter().chain(leaders).chain(&team.queue);
        let names: BTreeSet<_> = holders.flat_map(|holder| &holder.names).collect();
        names.into_iter().cloned().collect()
    }

    /// Who leads the over-piece on a square that is not contested.
    pub fn leader_on(&self, on: Square) -> Called {
        self.called_for(self.on[number(on)])
    }

    /// Who leads attacker and defender on a contested square: those who are playing there, else those who are entitled
    /// to. The sub-games on the squares `before` it are settled first, and each takes the next person in turn.
    pub fn called(&self, on: Square, before: &[Square]) -> [Called; 2] {
        let origins = |on: Square| {
            let contest = self.contests.iter().find(|contest| contest.on.to == on);
            contest.map_or([None, None], |contest| [contest.attacker, contest.defender])
        };
        let playing = |on: Square| self.playing.iter().find(|(known, _)| *known == on);
        let waiting = before.iter().filter(|square| playing(**square).is_none());
        let ahead: Vec<Origin> = waiting
            .flat_map(|square| origins(*square))
            .flatten()
            .collect();
        let mut called = origins(on).map(|origin| {
            let same = |other: &&Origin| origin.is_some_and(|origin| origin.side == other.side);
            let in_turn = |other: &&Origin| self.teams[other.side].is_in_turn(**other);
            self.called_after(origin, ahead.iter().filter(same).filter(in_turn).count())
        });
        if let Some((_, playing)) = playing(on) {
            for (called, names) in called.iter_mut().zip(playing) {
                called.names.clone_from(names);
            }
        }
        called
    }

    fn called_for(&self, origin: Option<Origin>) -> Called {
        self.called_after(origin, 0)
    }

    fn called_after(&self, origin: Option<Origin>, more: usize) -> Called {
        let Some(origin) = origin else {
            return Called::default();
        };
        let leader = self.teams[origin.side].leader_after(origin, more);
        let names = leader.map_or(Vec::new(), |(holder, _)| holder.names.clone());
        Called {
            names,
            origin: Some((origin.role, origin.square)),
        }
    }

    /// The side that is attacking on a square.
    pub fn attacker(&self, on: Square) -> Option<Side> {
        let contest = self.contests.iter().find(|contest| contest.on.to == on)?;
        contest.attacker.map(|origin| origin.side)
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
        let tag = parser.lexer().tag();
        let place = parser.place().at(tag.value);
        let value = || {
            let mut value = Vec::new();
            unescape_into(parser.text(tag.value), &mut value);
            decode(&value).0.into_owned()
        };
        let name = parser.tag_name();
        let side = usize::from(name.starts_with(b"Black"));
        match name {
            b"White" | b"Black" => {
                players[side].get_or_insert_with(|| (value(), place));
            }
            b"WhiteCommander" | b"BlackCommander" => {
                inside.commanders[side].get_or_insert_with(|| Holder::new(&value(), place, true));
            }
            b"WhiteLieutenants" | b"BlackLieutenants" => {
                inside.lists[side].get_or_insert_with(|| List::read(&value(), place, parser));
            }
            _ => {}
        }
    }

    /// Handles a command in the sub-game before anything is played: the last one for a role counts. Returns whether it
    /// could be read.
    pub fn appoint_inside(&mut self, arguments: &[u8], place: TextSpan) -> bool {
        let seat = |appointed: Appointed| (appointed.side, appointed.seat);
        let here = command::appointed(arguments).map(seat);
        let Some(here) = here.filter(|(_, seat)| seat == "commander" || Led::read(seat).is_some())
        else {
            return false;
        };
        if let Some(Open { inside, .. }) = &mut self.open {
            let is_other =
                |earlier: &[u8]| command::appointed(earlier).map(seat).as_ref() != Some(&here);
            inside.appointed.retain(|(earlier, _)| is_other(earlier));
            inside.appointed.push((arguments.to_vec(), place));
        }
        true
    }
}
