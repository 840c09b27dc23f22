//! Match cards, and heads of records, which `check` and `result` read.

use crate::{
    Event, names,
    roster::Player,
    rounds::{Board, Match},
    settings::Scoring,
};
use overboard_formats::{
    foreign::Foreign,
    header::{escape, escape_list},
};
use overboard_games::registry::Variant;
use overboard_rules::ply::BoardName;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    roles::{SQUARES, kind, mirrored},
};

/// A card of one match.
#[derive(Clone, Debug)]
pub struct Card {
    /// The round.
    pub round: RoundNo,
    /// The table.
    pub table: u32,
    /// The names of the participants, White first.
    pub names: [Foreign; 2],
    /// Their captains; empty if they have none.
    pub captains: [Foreign; 2],
    /// The boards.
    pub boards: Vec<CardBoard>,
    /// Who leads which over-piece, for White and for Black.
    pub roles: [Option<CardRoles>; 2],
}

/// A board on a card.
#[derive(Clone, Debug)]
pub struct CardBoard {
    /// Its number, or its letter on linked boards.
    pub label: String,
    /// The players, White first; empty for an empty seat.
    pub names: [Foreign; 2],
    /// The names of their teams.
    pub teams: [Foreign; 2],
}

/// Who leads what in a team of Overchess.
#[derive(Clone, Debug)]
pub struct CardRoles {
    /// The commander, or several.
    pub commanders: Vec<Foreign>,
    /// Over-pieces by square or kind, with the people who lead them; one row for each person.
    pub holders: Vec<(String, Foreign)>,
    /// Those who take sub-games in turn.
    pub queue: Vec<Foreign>,
    /// The same in the form of the tags `WhiteLieutenants` and `BlackLieutenants`.
    pub tag: String,
}

/// The cards of a round.
#[must_use]
pub fn cards(event: &Event, round: RoundNo) -> Vec<Card> {
    let mut cards = Vec::new();
    for this in played(event, round) {
        cards.push(card(event, round, this));
    }
    cards
}

/// The matches of a round that are to be played.
fn played(event: &Event, round: RoundNo) -> Vec<&Match> {
    let Some(sheet) = event.rounds.get(round.index()) else {
        return Vec::new();
    };
    let mut played: Vec<&Match> = sheet.matches.iter().collect();
    played.retain(|this| is_played(event, round, this));
    played
}

/// The name of a player; empty if there is none.
fn name_of(player: Option<&Player>) -> Foreign {
    player.map(|player| player.name.clone()).unwrap_or_default()
}

/// Whether the match is to be played: not if it was forfeited before anyone sat down.
fn is_played(event: &Event, round: RoundNo, this: &Match) -> bool {
    let are_in = this
        .sides()
        .iter()
        .all(|number| event.is_in(*number, round));
    match this.result {
        Some(result) => !result.is_forfeit(),
        None => are_in || event.outcome(this).is_some(),
    }
}

fn card(event: &Event, round: RoundNo, this: &Match) -> Card {
    let sides = this.sides();
    let captain = |number: TeamNo| match event.team(number) {
        Some(team) => team.captain.clone(),
        None => Foreign::default(),
    };
    Card {
        round,
        table: this.table,
        names: sides.map(|number| event.name(number)),
        captains: sides.map(captain),
        boards: boards(event, this),
        roles: [
            roles(event, this.white, false),
            roles(event, this.black, true),
        ],
    }
}

fn boards(event: &Event, this: &Match) -> Vec<CardBoard> {
    if event.settings.is_of_pairs() {
        return pairs(event, this).into();
    }
    let boards = this.boards.iter();
    boards.map(|board| card_board(event, this, board)).collect()
}

/// Both boards of two pairs: the first player of each team sits on A, the second on B with the other colour (BH-1).
fn pairs(event: &Event, this: &Match) -> [CardBoard; 2] {
    let on_board = |place: usize, teams: [TeamNo; 2]| CardBoard {
        label: BoardName(place).to_string(),
        names: teams.map(|team| name_of(event.roster(team).get(place).copied())),
        teams: teams.map(|team| event.name(team)),
    };
    [
        on_board(0, this.sides()),
        on_board(1, [this.black, this.white]),
    ]
}

fn card_board(event: &Event, this: &Match, board: &Board) -> CardBoard {
    let name = |id: Option<u32>| name_of(id.and_then(|id| event.player(id)));
    let teams = event.on_board(board.board, this.sides());
    CardBoard {
        label: board_label(event, board.board),
        names: [name(board.white), name(board.black)],
        teams: teams.map(|team| event.name(team)),
    }
}

/// The name of a board, counted from 1: its number, or its letter if boards are linked.
#[must_use]
pub fn board_label(event: &Event, board: u32) -> String {
    match (event.settings.scoring, board.checked_sub(1)) {
        (Scoring::Kings, Some(place)) => BoardName(place as usize).to_string(),
        _ => board.to_string(),
    }
}

impl CardRoles {
    /// Whether each over-piece has a holder, by its square or its kind.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut words = Vec::new();
        for (pieces, _) in &self.holders {
            words.extend(pieces.split(' '));
        }
        SQUARES.iter().all(|square| is_among(square, &words))
    }

    /// The commanders in the form of their tag.
    #[must_use]
    pub fn commander_tag(&self) -> String {
        let escaped = |name: &Foreign| escape_list(name.as_it_came());
        let names: Vec<String> = self.commanders.iter().map(escaped).collect();
        names.join(":")
    }
}

/// Who leads what in a team that plays White or Black.
pub(crate) fn roles(event: &Event, team: TeamNo, is_black: bool) -> Option<CardRoles> {
    let settings = &event.settings;
    if !settings.is_of_teams() || !settings.has_roles() {
        return None;
    }
    let command = event.roles(team).ok()?;
    let roles = &command.roles;
    let name = |person: usize| name_of(command.people.get(person).copied());
    let mut holders = Vec::new();
    for person in 0..command.people.len() {
        let mut pieces = Vec::new();
        for (piece, holder) in &roles.holders {
            if *holder == person {
                pieces.push(mirrored(piece, is_black));
            }
        }
        if !pieces.is_empty() {
            holders.push((pieces.join(" "), name(person)));
        }
    }
    Some(CardRoles {
        commanders: (0..command.commanders).map(name).collect(),
        holders,
        queue: roles.queue.iter().map(|person| name(*person)).collect(),
        tag: roles.tag(|person| escape_list(name(person).as_it_came()), is_black),
    })
}

/// The head of the record of a game.
#[derive(Clone, Debug)]
pub struct Head {
    /// The table.
    pub table: u32,
    /// The board, if each board is a game of its own.
    pub board: Option<u32>,
    /// The tag pairs.
    pub tags: Vec<(&'static str, Foreign)>,
}

impl Head {
    /// A record that has not begun: the tags, and the result `*`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.tags {
            // A name in an event of an older version may contain line breaks.
            let value = names::on_a_line(value.as_it_came());
            text.push_str(&format!("[{name} \"{}\"]\n", escape(&value)));
        }
        text + "\n*\n"
    }
}

/// The heads of the records of all games of a round.
#[must_use]
pub fn heads(event: &Event, round: RoundNo) -> Vec<Head> {
    let mut heads = Vec::new();
    for this in played(event, round) {
        let boards: Vec<Option<&Board>> = match event.settings.scoring {
            Scoring::Boards => this.boards.iter().map(Some).collect(),
            _ => vec![None],
        };
        for board in boards {
            heads.push(Head {
                table: this.table,
                board: board.map(|board| board.board),
                tags: tags(event, round, this, board),
            });
        }
    }
    heads
}

fn tags(
    event: &Event,
    round: RoundNo,
    this: &Match,
    board: Option<&Board>,
) -> Vec<(&'static str, Foreign)> {
    let settings = &event.settings;
    let place = match board {
        Some(board) => format!("{round}.{}.{}", this.table, board.board),
        None => format!("{round}.{}", this.table),
    };
    let card = card(event, round, this);
    let [white, black] = players(event, this, board, &card);
    let date = if settings.start.is_empty() || settings.start != settings.end {
        "????.??.??".to_owned()
    } else {
        settings.start.replace('-', ".")
    };
    let mut tags = vec![
        ("Event", known(settings.name.clone())),
        ("Site", known(settings.city.clone())),
        ("Date", date.into()),
        ("Round", place.into()),
        ("White", white),
        ("Black", black),
        ("Result", "*".into()),
    ];
    if let Some(game) = settings.game()
        && game != Variant::Chess
    {
        // The name in the settings may include a level.
        tags.push(("Variant", settings.game.clone()));
    }
    if settings.scoring == Scoring::Kings {
        let letters: Vec<_> = card.boards.iter().map(|board| &*board.label).collect();
        tags.push(("Boards", letters.join(":").into()));
    }
    if !settings.rules.is_empty() {
        tags.push(("Rules", settings.rules.as_str().into()));
    }
    if settings.is_of_teams() {
        tags.extend(team_tags(event, this, board, &card));
    }
    tags
}

/// The tags of the two teams: their names, captains, and who leads what.
fn team_tags(
    event: &Event,
    this: &Match,
    board: Option<&Board>,
    card: &Card,
) -> Vec<(&'static str, Foreign)> {
    let [one, other] = match board {
        Some(board) => event.on_board(board.board, [0, 1]),
        None => [0, 1],
    };
    let mut tags = vec![
        ("WhiteTeam", card.names[one].clone()),
        ("BlackTeam", card.names[other].clone()),
    ];
    for (name, captain) in [
        ("WhiteCaptain", &card.captains[one]),
        ("BlackCaptain", &card.captains[other]),
    ] {
        if !captain.is_empty() {
            tags.push((name, captain.clone()));
        }
    }
    let teams = this.sides();
    for (names, roles) in [
        (
            ["WhiteCommander", "WhiteLieutenants"],
            roles(event, teams[one], false),
        ),
        (
            ["BlackCommander", "BlackLieutenants"],
            roles(event, teams[other], true),
        ),
    ] {
        if let Some(roles) = roles {
            tags.push((names[0], roles.commander_tag().into()));
            if !roles.tag.is_empty() {
                tags.push((names[1], roles.tag.into()));
            }
        }
    }
    tags
}

/// A text, or a question mark for none.
fn known(text: Foreign) -> Foreign {
    if text.is_empty() { "?".into() } else { text }
}

/// The tags White and Black: one player, a list of linked boards, or the teams.
fn players(event: &Event, this: &Match, board: Option<&Board>, card: &Card) -> [Foreign; 2] {
    if let Some(board) = board {
        return card_board(event, this, board).names.map(known);
    }
    let is_crossed = event.settings.is_of_pairs();
    if event.settings.scoring != Scoring::Kings && !is_crossed {
        return card.names.clone();
    }
    [0, 1].map(|team: usize| {
        let mut names = Vec::new();
        for (place, board) in card.boards.iter().enumerate() {
            let side = if is_crossed && place == 1 {
                1 - team
            } else {
                team
            };
            names.push(match board.names[side].as_it_came() {
                "" => "?".to_owned(),
                name => escape_list(name),
            });
        }
        Foreign::new(names.join(":"))
    })
}

/// Whether the piece of a square is named: by White's square, by Black's, or by its kind.
fn is_among(square: &str, words: &[&str]) -> bool {
    let (black, kind) = (mirrored(square, true), kind(square).to_string());
    let mut names = [square, &black, &kind].into_iter();
    names.any(|name| words.contains(&name))
}
