//! Who leads which over-piece, and whether those who played a sub-game were entitled to it (OV-13).

use super::{Desk, tags::part_of_tag};
use crate::{
    command,
    encoding::decode,
    finding as code,
    header::{Name, same_name, unescape_into, unescape_list},
    lieutenants::{self, Led},
    parse::Parser,
    span::Place,
};
use overboard_rules::{
    laws::overchess as law,
    overchess::{Contested, Over},
    square::{Role, Side, Square},
};
use std::io::Read;

/// The roles of both teams, and over-pieces by the squares on which they began.
#[derive(Clone, Debug)]
pub(super) struct Roles {
    teams: [Team; 2],
    /// Over-pieces as they begin.
    began: Vec<Origin>,
    /// What stands on each square that is not contested.
    on: [Option<Origin>; 64],
    contests: Vec<Contest>,
    /// The sub-game being read, and those who are said to play it.
    open: Option<Open>,
}

/// Those who are said to play a sub-game, its White first.
#[derive(Clone, Debug)]
struct Open {
    on: Square,
    players: [Option<(String, Place)>; 2],
}

/// Where an over-piece began, and as what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    square: Square,
    side: Side,
    role: Role,
}

/// An attack that is not settled.
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
    /// Those who take in turn what nobody else leads.
    queue: Vec<Holder>,
    /// Sub-games that were taken in turn.
    taken: usize,
}

/// People who hold a role, and where the record says so.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Holder {
    names: Vec<String>,
    since: Place,
    /// Whether by a tag before the moves, and not by a command among them.
    by_tag: bool,
}

const COMMANDERS: [Name; 2] = [Name::WhiteCommander, Name::BlackCommander];
const LIEUTENANTS: [Name; 2] = [Name::WhiteLieutenants, Name::BlackLieutenants];
const SIDES: [Side; 2] = [Side::White, Side::Black];

impl Holder {
    fn new(list: &str, since: Place, by_tag: bool) -> Self {
        Self { names: names(list), since, by_tag }
    }

    fn are(&self) -> String {
        self.names.join(" or ")
    }

    /// Whether a person is one of them: a name that is not known may be anybody's.
    fn includes(&self, name: &str) -> bool {
        self.names.iter().any(|own| same_name(own, name) || is_unknown(own))
    }
}

/// The people whom a list names.
fn names(list: &str) -> Vec<String> {
    list.split(':').map(|name| unescape_list(name.trim())).collect()
}

fn is_unknown(name: &str) -> bool {
    matches!(name.trim(), "" | "?")
}

const fn number(square: Square) -> usize {
    square.rank as usize * 8 + square.file as usize
}

impl Team {
    /// Who leads an over-piece, and how that is to be said; `None` where the record tells nothing.
    fn leader(&self, origin: Origin) -> Option<(&Holder, &'static str)> {
        let named = |led| self.holders.iter().find(|(own, _)| *own == led).map(|(_, holder)| holder);
        if let Some(holder) = named(Led::On(origin.square)) {
            return Some((holder, "leads it"));
        }
        if let Some(holder) = named(Led::Kind(origin.role)) {
            return Some((holder, "leads all of its kind"));
        }
        match (self.queue.is_empty(), &self.commander) {
            (false, _) => self
                .queue
                .get(self.taken % self.queue.len())
                .map(|holder| (holder, "takes this sub-game in turn")),
            (true, Some(commander)) => Some((commander, "commands, and nobody else is named for it")),
            (true, None) => None,
        }
    }

    fn is_in_turn(&self, origin: Origin) -> bool {
        let is_named =
            |(led, _): &(Led, Holder)| *led == Led::On(origin.square) || *led == Led::Kind(origin.role);
        !self.queue.is_empty() && !self.holders.iter().any(is_named)
    }

    /// From here on others hold a role.
    fn appoint(&mut self, led: Led, holder: Holder) {
        self.holders.retain(|(own, _)| *own != led);
        self.holders.push((led, holder));
    }
}

impl Default for Roles {
    fn default() -> Self {
        Self {
            teams: Default::default(),
            began: Vec::new(),
            on: [None; 64],
            contests: Vec::new(),
            open: None,
        }
    }
}

impl Roles {
    /// Takes the position from which the moves begin, and the roles that the tags give.
    pub fn start<R: Read>(&mut self, position: Option<&Over>, desk: &mut Desk, parser: &Parser<R>) {
        *self = Self::default();
        let Some(position) = position else { return };
        self.place_all(position);
        for side in SIDES {
            if let (Some(text), Some(place)) =
                (desk.header.text(COMMANDERS[side as usize]), desk.header.place(COMMANDERS[side as usize]))
            {
                self.teams[side as usize].commander = Some(Holder::new(&text, place, true));
            }
            if let (Some(list), Some(place)) =
                (desk.header.text(LIEUTENANTS[side as usize]), desk.header.place(LIEUTENANTS[side as usize]))
            {
                self.read_list(side, &list, place, desk, parser);
            }
        }
    }

    /// Puts every over-piece on the square where it begins.
    fn place_all(&mut self, position: &Over) {
        for square in (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank))) {
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
            let defender = Some(Origin { square, side: piece.side, role: piece.role });
            self.contests.push(Contest { on, attacker, defender });
        }
        let contested = self.contests.iter().flat_map(|contest| [contest.attacker, contest.defender]);
        self.began = self.on.iter().copied().chain(contested).flatten().collect();
    }

    fn read_list<R: Read>(
        &mut self,
        side: Side,
        list: &str,
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let (posts, mut faults) = lieutenants::posts(list);
        for post in posts {
            let here = place.at(part_of_tag(place, list, post.bytes.clone(), parser));
            let holder = Holder { names: vec![post.name], since: here, by_tag: true };
            match (post.led, self.no_such(side, post.led)) {
                (_, Some(what)) => {
                    let end = post.bytes.start + post.led.to_string().len();
                    faults.push(lieutenants::ListFault { bytes: post.bytes.start..end, what });
                }
                (Led::Rest, None) => self.teams[side as usize].queue.push(holder),
                (led, None) => self.teams[side as usize].appoint(led, holder),
            }
        }
        for fault in faults {
            let here = place.at(part_of_tag(place, list, fault.bytes, parser));
            if let Some(finding) = desk.find(&code::BAD_LIST, here, parser, fault.what) {
                finding.rule = Some(&law::ROLES);
            }
        }
    }

    /// Why a side has no such over-piece to be led, if it has none.
    fn no_such(&self, side: Side, led: Led) -> Option<String> {
        let square = match led {
            Led::On(square) => square,
            Led::Kind(Role::King) => return Some(lieutenants::KING.into()),
            Led::Kind(_) | Led::Rest => return None,
        };
        let mut here = self.began.iter().filter(|origin| origin.square == square);
        match here.clone().find(|origin| origin.side == side) {
            Some(own) => (own.role == Role::King).then(|| lieutenants::KING.into()),
            None if here.next().is_some() => {
                Some(format!("the over-piece that begins on {square} is {}'s", side.other()))
            }
            None => Some(format!("no over-piece begins on {square}")),
        }
    }

    /// `W d1 "Bob"`, `B P "Cy"`, `W commander "Zoe"`: from here on others hold a role. Answers whether it could
    /// be read.
    pub fn command<R: Read>(
        &mut self,
        arguments: &[u8],
        place: Place,
        desk: &mut Desk,
        parser: &Parser<R>,
    ) -> bool {
        let Some(command::Appointed { side, seat, name }) = command::appointed(arguments) else {
            return false;
        };
        let holder = Holder::new(&name, place, false);
        let team = side as usize;
        if seat == "commander" {
            self.teams[team].commander = Some(holder);
            return true;
        }
        let Some(led) = Led::read(&seat) else { return false };
        if let Some(what) = self.no_such(side, led) {
            if let Some(finding) = desk.find(&code::BAD_COMMAND, place, parser, what) {
                finding.rule = Some(&law::ROLES);
            }
            return true;
        }
        if led == Led::Rest {
            let one = |name| Holder { names: vec![name], ..holder.clone() };
            self.teams[team].queue = holder.names.iter().cloned().map(one).collect();
            self.teams[team].taken = 0;
        } else {
            self.teams[team].appoint(led, holder);
        }
        true
    }

    /// An over-piece went from a square to another; a castling king takes its rook along.
    pub fn moved(&mut self, (from, to): (Square, Square), castles: bool, after: &Over) {
        let known = |contest: &Contest, on: &Contested| contest.on.to == on.to;
        let new = after.contested().find(|on| !self.contests.iter().any(|contest| known(contest, on)));
        let mover = self.on[number(from)].take();
        if let Some(on) = new {
            let defender = self.on[number(on.victim.unwrap_or(to))].take();
            self.contests.push(Contest { on, attacker: mover, defender });
            return;
        }
        self.on[number(to)] = mover;
        if castles {
            let [corner, beside] = if to.file > from.file { [7, 5] } else { [0, 3] };
            self.on[number(Square::new(beside, to.rank))] =
                self.on[number(Square::new(corner, to.rank))].take();
        }
    }

    /// Attacks were settled, or an over-piece was taken off: only what the position shows is left.
    pub fn settle(&mut self, position: &Over) {
        let owner = |square| position.piece_at(square).map(|over| over.piece.side);
        let open: Vec<_> = position.contested().map(|on| on.to).collect();
        let (settled, left) = std::mem::take(&mut self.contests)
            .into_iter()
            .partition::<Vec<_>, _>(|contest| !open.contains(&contest.on.to));
        self.contests = left;
        for Contest { on, attacker, defender } in settled {
            let home = on.victim.unwrap_or(on.to);
            let by = attacker.map(|origin| origin.side);
            if owner(on.to) == by {
                self.on[number(on.to)] = attacker;
                continue;
            }
            if owner(home) == by.map(Side::other) {
                self.on[number(home)] = defender;
            }
            // Behind a draw; where the square was taken meanwhile, the attacker is gone (OV-33).
            if owner(on.from) == by && self.on[number(on.from)].is_none() {
                self.on[number(on.from)] = attacker;
            }
        }
        for square in (0..8).flat_map(|rank| (0..8).map(move |file| Square::new(file, rank))) {
            if owner(square).is_none() {
                self.on[number(square)] = None;
            }
        }
    }

    /// The side that attacks on a square.
    pub fn attacker(&self, on: Square) -> Option<Side> {
        let contest = self.contests.iter().find(|contest| contest.on.to == on)?;
        contest.attacker.map(|origin| origin.side)
    }

    /// A sub-game opens, to be judged or not.
    pub fn open(&mut self, on: Option<Square>) {
        self.open = on.map(|on| Open { on, players: [None, None] });
    }

    /// A tag of the sub-game.
    pub fn tag<R: Read>(&mut self, parser: &Parser<R>) {
        let Some(Open { players, .. }) = &mut self.open else { return };
        let tag = parser.lexer().tag();
        let side = match parser.text(tag.name) {
            b"White" => Side::White,
            b"Black" => Side::Black,
            _ => return,
        };
        let mut value = Vec::new();
        unescape_into(parser.text(tag.value), &mut value);
        let told = (decode(&value).0.into_owned(), parser.place().at(tag.value));
        players[side as usize].get_or_insert(told);
    }

    /// The tags of the sub-game are over: are those who play it entitled to it? In it White is the attacker,
    /// whatever his colour.
    pub fn judge<R: Read>(&mut self, path: &str, desk: &mut Desk, parser: &Parser<R>) {
        let Some(Open { on, players }) = self.open.take() else { return };
        let Some(contest) = self.contests.iter().find(|contest| contest.on.to == on) else { return };
        let origins = [contest.attacker, contest.defender];
        for (origin, told) in origins.into_iter().zip(players) {
            let Some(origin) = origin else { continue };
            if let Some((told, place)) = told {
                self.judge_player(origin, &told, place, (on, path), desk, parser);
            }
            let team = &mut self.teams[origin.side as usize];
            team.taken += usize::from(team.is_in_turn(origin));
        }
    }

    fn judge_player<R: Read>(
        &self,
        origin: Origin,
        told: &str,
        place: Place,
        (on, path): (Square, &str),
        desk: &mut Desk,
        parser: &Parser<R>,
    ) {
        let Some((holder, how)) = self.teams[origin.side as usize].leader(origin) else { return };
        // A plain name may hold a colon.
        let players = if holder.includes(told) { Vec::new() } else { names(told) };
        let stranger = players.iter().find(|name| !is_unknown(name) && !holder.includes(name));
        let Some(stranger) = stranger else { return };
        let which = format!("{}'s {} from {}", origin.side, origin.role.name(), origin.square);
        let since = match holder.by_tag {
            true => format!("by the tag on line {}", holder.since.line),
            false => format!("since the command on line {}", holder.since.line),
        };
        let message = format!(
            "{path}: {stranger} is not entitled to play for {which}: {} {how}, {since}",
            holder.are()
        );
        let words = format!("{} {how}", holder.are());
        if let Some(finding) = desk.find(&code::NOT_ENTITLED, place, parser, message) {
            finding.rule = Some(&law::ROLES);
            finding.path = on.to_string();
            Desk::explain_by(finding, Some(holder.since), &words, parser);
        }
    }
}
