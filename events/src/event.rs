//! An event: its settings, participants, requests and rounds; each a plain file.

use crate::{
    csv::{At, CsvError},
    names,
    pairing_basis::{self, PairingBasis},
    roster::{self, Player, Request, RequestKind, Role, Team},
    rounds::{self, Board, Match, Round},
    settings::{self, Participants, Scoring, Settings, System},
    table,
};
use overboard_formats::foreign::Foreign;
use overboard_rules::refusal::list;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    team::Colour,
};
use std::collections::BTreeMap;

/// The files of an event, by name in its folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Event {
    /// What was decided before the event.
    pub settings: Settings,
    /// The teams, by number; empty in an event of single players.
    pub teams: Vec<Team>,
    /// The players, by number.
    pub players: Vec<Player>,
    /// Requests and decisions about participants.
    pub requests: Vec<Request>,
    /// The organiser's own table of who meets whom, if it replaces that of the system.
    pub table: Option<table::PairingTable>,
    /// The rounds that are paired, from round 1.
    pub rounds: Vec<Round>,
    /// What rounds were paired from, if that is known.
    pub bases: BTreeMap<RoundNo, PairingBasis>,
}

/// A participant: a team or a single player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Participant<'a> {
    /// Pairing number.
    pub number: TeamNo,
    /// Name.
    pub name: Foreign<&'a str>,
    /// Rating or strength.
    pub rating: Option<u32>,
    /// Its place in its file.
    pub at: &'a At,
}

impl Event {
    /// Reads an event.
    ///
    /// # Errors
    /// The first error of each file.
    pub fn read(files: &Files) -> Result<Self, Vec<CsvError>> {
        let mut faults = Vec::new();
        let settings = match files.get(settings::FILE) {
            Some(bytes) => Settings::of_bytes(bytes),
            None => Err(At::file(settings::FILE)
                .fault("this file is missing; `overboard event new` creates one")),
        };
        let teams = read(files, roster::TEAMS, roster::teams, &mut faults);
        let players = read(files, roster::PLAYERS, roster::players, &mut faults);
        let requests = read(files, roster::REQUESTS, roster::requests, &mut faults);
        let (mut teams, mut players) = (teams.unwrap_or_default(), players.unwrap_or_default());
        teams.sort_by_key(|team| team.number);
        players.sort_by_key(|player| player.id);
        let table = read(files, table::TABLE, table::PairingTable::read, &mut faults);
        let rounds = read_rounds(files, &mut faults);
        match settings {
            Ok(settings) if faults.is_empty() => {
                // Without it, everything that refers to a number in it would be reported as well.
                let needed: &[&str] = match settings.participants {
                    _ if teams.is_empty() && players.is_empty() && rounds.is_empty() => &[],
                    Participants::Teams => &[roster::TEAMS, roster::PLAYERS],
                    Participants::Players => &[roster::PLAYERS],
                };
                if let Some(name) = needed.iter().find(|name| !files.contains_key(**name)) {
                    let why = "this file is missing, and other files name what it holds";
                    return Err(vec![At::file(name).fault(why)]);
                }
                let bases = pairing_basis::read(files, rounds.len());
                Ok(Self {
                    settings,
                    teams,
                    players,
                    requests: requests.unwrap_or_default(),
                    table,
                    rounds,
                    bases,
                })
            }
            Ok(_) => Err(faults),
            Err(fault) => {
                faults.insert(0, fault);
                Err(faults)
            }
        }
    }

    /// The files that the event is written to.
    #[must_use]
    pub fn write(&self) -> Files {
        let mut files = Files::new();
        let mut put = |name: &str, text: String| files.insert(name.to_owned(), text.into_bytes());
        put(settings::FILE, self.settings.write());
        if self.settings.is_of_teams() {
            put(roster::TEAMS, roster::write_teams(&self.teams));
        }
        put(roster::PLAYERS, roster::write_players(&self.players));
        put(roster::REQUESTS, roster::write_requests(&self.requests));
        if let Some(own) = &self.table {
            put(table::TABLE, own.write());
        }
        for (number, round) in RoundNo::all().zip(&self.rounds) {
            put(&rounds::file(number), round.write());
        }
        pairing_basis::write(&self.bases, &mut files);
        files
    }

    /// The participants, by number.
    #[must_use]
    pub fn participants(&self) -> Vec<Participant<'_>> {
        let teams = self.teams.iter().map(|team| Participant {
            number: team.number,
            name: team.name.lent(),
            rating: team.strength,
            at: &team.at,
        });
        let players = self.players.iter().map(|player| Participant {
            number: TeamNo::new(player.id),
            name: player.name.lent(),
            rating: player.rating,
            at: &player.at,
        });
        match self.settings.participants {
            Participants::Teams => teams.collect(),
            Participants::Players => players.collect(),
        }
    }

    /// The numbers of the participants.
    pub(crate) fn numbers(&self) -> Vec<TeamNo> {
        let all = self.participants();
        all.iter().map(|one| one.number).collect()
    }

    /// A participant's name.
    #[must_use]
    pub fn name(&self, number: TeamNo) -> Foreign {
        for one in self.participants() {
            if one.number == number {
                return one.name.as_it_came().into();
            }
        }
        format!("number {number}").into()
    }

    /// A participant's name as messages quote it.
    #[must_use]
    pub fn called(&self, number: TeamNo) -> String {
        self.name(number).shown().into_owned()
    }

    /// A player's name as messages quote it; a question mark if nobody has this id.
    #[must_use]
    pub(crate) fn player_called(&self, id: u32) -> String {
        self.player(id)
            .map_or("?".into(), |player| player.name.shown().into_owned())
    }

    /// The participant with this number, this name, or a name with this unambiguous beginning.
    ///
    /// # Errors
    /// Why the text does not identify a participant.
    pub fn find(&self, text: &str) -> Result<TeamNo, String> {
        let all = self.participants();
        if let Some(one) = all.iter().find(|one| one.number.to_string() == text) {
            return Ok(one.number);
        }
        let folded = names::key(text);
        let mut exact = Vec::new();
        let mut begun = Vec::new();
        for one in &all {
            let name = names::key(one.name.as_it_came());
            if name == folded {
                exact.push(one.number);
            }
            if name.starts_with(&folded) {
                begun.push(one.number);
            }
        }
        let found = if exact.is_empty() { begun } else { exact };
        match found[..] {
            [one] => Ok(one),
            [] => Err(format!(
                "no {} has the number or name `{text}`{}",
                self.one_of_them(),
                near(&folded, &all)
            )),
            _ => Err(format!("`{text}` is ambiguous: {}", named(&found, &all))),
        }
    }

    /// The noun for a participant: team or player.
    #[must_use]
    pub const fn one_of_them(&self) -> &'static str {
        match self.settings.participants {
            Participants::Teams => "team",
            Participants::Players => "player",
        }
    }

    /// A player by id.
    #[must_use]
    pub fn player(&self, id: u32) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// A team by number.
    #[must_use]
    pub fn team(&self, number: TeamNo) -> Option<&Team> {
        self.teams.iter().find(|team| team.number == number)
    }

    /// The players of a team in the order of their boards.
    #[must_use]
    pub fn roster(&self, team: TeamNo) -> Vec<&Player> {
        let mut roster: Vec<_> = self
            .players
            .iter()
            .filter(|player| player.team == Some(team))
            .collect();
        roster.sort_by_key(|player| (player.role == Role::Reserve, player.board, player.id));
        roster
    }

    /// The ids of the players of a team in the order of their boards.
    pub(crate) fn roster_ids(&self, team: TeamNo) -> Vec<u32> {
        let roster = self.roster(team);
        roster.iter().map(|player| player.id).collect()
    }

    /// The number of the round that is paired next.
    pub(crate) fn upcoming(&self) -> RoundNo {
        RoundNo::at(self.rounds.len())
    }

    /// A round that is paired.
    ///
    /// # Errors
    /// That it is not.
    pub(crate) fn paired(&self, round: RoundNo) -> Result<&Round, String> {
        let sheet = self.rounds.get(round.index());
        sheet.ok_or_else(|| format!("round {round} is not paired"))
    }

    /// The place of a table among the matches of a round.
    ///
    /// # Errors
    /// That there is no such table.
    pub(crate) fn place_of(&self, round: RoundNo, table: u32) -> Result<usize, String> {
        let matches = &self.paired(round)?.matches;
        let place = matches.iter().position(|this| this.table == table);
        place.ok_or_else(|| {
            let last = matches.len();
            format!("round {round} has no table {table}; the last one is {last}")
        })
    }

    /// The first pairing number that is missing; `None` if they run from 1 without gaps.
    pub(crate) fn gap(&self) -> Option<TeamNo> {
        let mut numbers = TeamNo::all().zip(self.numbers());
        let (missing, _) = numbers.find(|(expected, found)| expected != found)?;
        Some(missing)
    }

    /// The first request of a kind from a participant.
    #[must_use]
    pub fn request(&self, who: TeamNo, kind: RequestKind) -> Option<&Request> {
        self.requests
            .iter()
            .find(|request| request.who == who && request.kind == kind)
    }

    /// Whether a participant is present in this round: entered, and not withdrawn.
    #[must_use]
    pub fn is_in(&self, who: TeamNo, round: RoundNo) -> bool {
        if let Some(withdrawal) = self.request(who, RequestKind::Withdraw)
            && withdrawal.round <= round
        {
            return false;
        }
        match self.request(who, RequestKind::Late) {
            Some(late) => late.round <= round,
            None => true,
        }
    }

    /// The number of rounds that are scheduled.
    #[must_use]
    pub fn scheduled(&self) -> u32 {
        use overboard_schedules::{knockout, round_robin};
        let count = self.participants().len() as u32;
        let Settings {
            system,
            cycles,
            rounds,
            ..
        } = &self.settings;
        if self.is_by_table()
            && *system != System::Hutton
            && let Some(own) = &self.table
        {
            return own.rounds.len() as u32;
        }
        match system {
            System::RoundRobin => round_robin::rounds_of_a_cycle(count) * cycles,
            System::Scheveningen => count / 2 * cycles,
            System::Knockout => knockout::rounds(count),
            System::Hutton => 1,
            System::Molter | System::SwissTeam | System::ByHand => rounds.unwrap_or(0),
        }
    }

    /// The colour of the White team's player on a board, from 1.
    #[must_use]
    pub fn colour(&self, board: u32) -> Colour {
        self.settings.colours().on(board.saturating_sub(1) as usize)
    }

    /// The boards of a match with the line-up that the rosters give.
    #[must_use]
    pub fn line_up(&self, white: TeamNo, black: TeamNo) -> Vec<Board> {
        if !self.settings.is_of_teams() {
            return Vec::new();
        }
        let [first, second] = [white, black].map(|team| self.roster_ids(team));
        let board = |number: u32| {
            let id = |team: &[u32]| team.get(number as usize - 1).copied();
            let [white, black] = self.on_board(number, [id(&first), id(&second)]);
            Board {
                board: number,
                white,
                black,
                ..Board::default()
            }
        };
        match self.settings.scoring {
            Scoring::Boards | Scoring::Kings => (1..=self.settings.boards).map(board).collect(),
            Scoring::Game | Scoring::Subgames => Vec::new(),
        }
    }

    /// What belongs to White and to Black on a board, by what belongs to the White and the Black team of its match.
    #[must_use]
    pub fn on_board<T>(&self, board: u32, [white, black]: [T; 2]) -> [T; 2] {
        match self.colour(board) {
            Colour::White => [white, black],
            Colour::Black => [black, white],
        }
    }

    /// The team of the player with White on a board of a match.
    #[must_use]
    pub fn team_with_white(&self, this: &Match, board: u32) -> TeamNo {
        let [team, _] = self.on_board(board, this.sides());
        team
    }
}

/// What is in a file, if it exists and can be read.
fn read<T>(
    files: &Files,
    file: &str,
    parse: impl Fn(&str, &[u8]) -> Result<T, CsvError>,
    faults: &mut Vec<CsvError>,
) -> Option<T> {
    match parse(file, files.get(file)?) {
        Ok(read) => Some(read),
        Err(fault) => {
            faults.push(fault);
            None
        }
    }
}

fn read_rounds(files: &Files, faults: &mut Vec<CsvError>) -> Vec<Round> {
    let mut all = Vec::new();
    let mut known = Vec::new();
    let mut file = rounds::file(RoundNo::at(0));
    while files.contains_key(&file) {
        let round = read(files, &file, Round::read, faults);
        all.push(round.unwrap_or_default());
        known.push(file);
        file = rounds::file(RoundNo::at(all.len()));
    }
    for name in files.keys() {
        if name.starts_with("rounds/") && !pairing_basis::is_file(name) && !known.contains(name) {
            faults.push(At::file(name).fault(format!(
                "the round before this one is missing; expected {file}"
            )));
            break;
        }
    }
    all
}

fn near(folded: &str, all: &[Participant<'_>]) -> String {
    match nearest(folded, all) {
        Some(one) => format!("; did you mean `{}`?", one.name.shown()),
        None => String::new(),
    }
}

fn nearest<'a, 'e>(folded: &str, all: &'a [Participant<'e>]) -> Option<&'a Participant<'e>> {
    let mut best = None;
    let mut most = 0.5;
    for one in all {
        let name = names::key(one.name.as_it_came());
        let likeness = strsim::normalized_damerau_levenshtein(folded, &name);
        // Of several that are as likely, the last one.
        if likeness >= most {
            (best, most) = (Some(one), likeness);
        }
    }
    best
}

fn named(numbers: &[TeamNo], all: &[Participant<'_>]) -> String {
    let mut names = Vec::new();
    for one in all {
        if numbers.contains(&one.number) {
            names.push(one.name.shown());
        }
    }
    list(names, "or")
}

/// A table of an event in the form in which it would be written, if it can be read: for comparing the contents of two
/// texts.
#[must_use]
pub fn rewritten(file: &str, files: &Files) -> Option<String> {
    let bytes = files.get(file)?;
    Some(match file {
        roster::TEAMS => roster::write_teams(&roster::teams(file, bytes).ok()?),
        roster::PLAYERS => roster::write_players(&roster::players(file, bytes).ok()?),
        roster::REQUESTS => roster::write_requests(&roster::requests(file, bytes).ok()?),
        table::TABLE => table::PairingTable::read(file, bytes).ok()?.write(),
        _ => Round::read(file, bytes).ok()?.write(),
    })
}
