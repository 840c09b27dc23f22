//! The call sheet of a round of Overchess: which lieutenants play next and with which sub-sets, who has to set up, and
//! who is needed in two places.
//!
//! It is made from the records of the games as far as they have come. In a match without a record, White's commander
//! makes the first over-move.

use crate::{
    Event, names,
    results::{Clerk, Sheet},
    roster::Player,
    rounds::Match,
};
use overboard_formats::{
    foreign::Foreign,
    parse::{Event as Heard, Parser},
};
use overboard_games::{
    overchess::judge::call_sheet::{Calls, Mover, Party, SubGameStage},
    referee::{AnyReferee, witness::Witness},
};
use overboard_referee::{finding::Verdict, report::Report};
use overboard_rules::square::Side;
use overboard_schedules::ids::RoundNo;
use serde::Serialize;

/// Reads records for the people that they call.
#[derive(Clone, Debug)]
pub struct Caller {
    clerk: Clerk,
    calls: Option<Calls>,
}

/// A record, and who has to act in it; nobody if the game is over, or is not Overchess.
#[derive(Clone, Debug)]
pub struct Called {
    sheet: Sheet,
    calls: Option<Calls>,
}

/// What a person is called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// To make the next over-move.
    OverMove,
    /// To set up a sub-game now.
    SetUp,
    /// To set up a sub-game when the other side has.
    SetUpNext,
    /// The person has set up; the other side has not.
    HasSetUp,
    /// To move in a sub-game.
    Move,
    /// To play a sub-game in which the other side is to move.
    Play,
    /// To settle prisoners and spares after a sub-game.
    Settle,
    /// To play a sub-game that begins after the next over-move.
    Wait,
    /// The over-piece may attack in the next over-move.
    MayAttack,
    /// The over-piece may be attacked in the next over-move.
    MayBeAttacked,
}

impl Task {
    /// The task in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::OverMove => "over-move",
            Self::SetUp => "set-up is due",
            Self::SetUpNext => "sets up next",
            Self::HasSetUp => "has set up",
            Self::Move => "to move",
            Self::Play => "waits for the reply",
            Self::Settle => "settles prisoners and spares",
            Self::Wait => "plays after the next over-move",
            Self::MayAttack => "may attack next",
            Self::MayBeAttacked => "may be attacked next",
        }
    }

    /// Whether the person is certain to be needed, now or soon.
    const fn is_due(self) -> bool {
        !matches!(self, Self::MayAttack | Self::MayBeAttacked)
    }
}

/// A call of a person to a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The table.
    pub table: u32,
    /// The sub-game by contested squares, `d5`; empty for the over-board.
    pub game: String,
    /// The team's name.
    pub team: Foreign,
    /// The over-piece, by its kind and first square; empty for an over-move.
    pub piece: String,
    /// The people any of whom may come; empty if nobody is named.
    pub names: Vec<Foreign>,
    /// What is left of the sub-set, not counting its king, such as `8P2R2N2B1Q`; empty for an over-move.
    pub sub_pieces: String,
    /// What the person is called for.
    pub task: Task,
    /// Where else the same person is needed at the same time.
    pub also: Vec<String>,
}

/// The calls of a round.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallSheet {
    /// Table by table; what is certain comes before what is only possible.
    pub calls: Vec<Call>,
    /// Matches in which nobody is called, and why.
    pub notes: Vec<String>,
}

/// A caller without records.
impl Default for Caller {
    fn default() -> Self {
        Self {
            clerk: Clerk::new(None),
            calls: None,
        }
    }
}

impl Witness for Caller {
    type Account = Called;

    fn hear(&mut self, event: Heard, referee: &AnyReferee, parser: &Parser<'_>) {
        if event == Heard::End {
            self.calls = referee.calls();
        }
        self.clerk.hear(event, referee, parser);
    }

    fn account(&mut self, report: &Report, referee: &AnyReferee) -> Called {
        let written = report.result.record.as_ref();
        let open = written.is_none_or(|result| *result == "*");
        let calls = self.calls.take();
        let has_no_result = open && report.result.judged.is_none();
        Called {
            sheet: self.clerk.account(report, referee),
            calls: if has_no_result { calls } else { None },
        }
    }

    fn bytes(called: &Called) -> usize {
        let parties = called.calls.as_ref().map_or(0, |calls| calls.next.len());
        Clerk::bytes(&called.sheet) + parties * size_of::<Party>()
    }
}

impl Called {
    /// The table of a round that the record belongs to.
    ///
    /// # Errors
    /// Why the record is not used.
    pub fn table(&self, event: &Event, round: RoundNo, report: &Report) -> Result<u32, String> {
        if report.verdict != Verdict::Clean {
            return Err(format!(
                "its verdict is {}; `overboard check` says why",
                report.verdict
            ));
        }
        self.sheet.of_match(event, round)
    }
}

impl Event {
    /// Who is called in a round, according to the records of its tables.
    ///
    /// # Errors
    /// If teams of the event's game have no roles.
    pub fn call_sheet(
        &self,
        round: RoundNo,
        records: &[(u32, Called)],
    ) -> Result<CallSheet, String> {
        if !self.settings.has_roles() {
            return Err(format!(
                "a call sheet says which lieutenants play next, and {} has none",
                self.settings.game.shown()
            ));
        }
        let mut sheet = CallSheet::default();
        if let Some(round) = self.rounds.get(round.index()) {
            for this in &round.matches {
                let record = records.iter().rev().find(|(table, _)| *table == this.table);
                self.call(this, record.map(|(_, called)| called), &mut sheet);
            }
        }
        mark_doubles(&mut sheet.calls);
        Ok(sheet)
    }

    /// Adds the calls of a match to a sheet, or why nobody is called.
    fn call(&self, this: &Match, record: Option<&Called>, sheet: &mut CallSheet) {
        let label = format!("table {}", this.table);
        if self.outcome(this).is_some() {
            sheet.notes.push(format!("{label}: the match has a result"));
            return;
        }
        match record.map(|record| &record.calls) {
            None => {
                sheet.notes.push(format!(
                    "{label}: there is no record, so the game is listed as not begun"
                ));
                sheet.calls.push(self.first_call(this));
            }
            Some(None) => sheet.notes.push(format!("{label}: the game is over")),
            Some(Some(calls)) => sheet.calls.extend(self.called_in(this, calls)),
        }
    }

    /// The first over-move of a match.
    fn first_call(&self, this: &Match) -> Call {
        let name = |player: &&Player| player.name.as_it_came().to_owned();
        let names = match self.roles(this.white) {
            Ok(command) => command.people[..command.commanders]
                .iter()
                .map(name)
                .collect(),
            // Single players are their own commanders.
            Err(_) if !self.settings.is_of_teams() => {
                vec![self.name(this.white).as_it_came().to_owned()]
            }
            Err(_) => Vec::new(),
        };
        self.over_move(
            this,
            Mover {
                team: Side::White,
                path: String::new(),
                names,
            },
        )
    }

    fn over_move(&self, this: &Match, Mover { team, path, names }: Mover) -> Call {
        Call {
            table: this.table,
            game: path,
            team: self.name(of(this, team)),
            piece: String::new(),
            names: names.into_iter().map(Foreign::new).collect(),
            sub_pieces: String::new(),
            task: Task::OverMove,
            also: Vec::new(),
        }
    }

    fn called_in(&self, this: &Match, calls: &Calls) -> Vec<Call> {
        let mut all = Vec::new();
        // Under fog an over-move comes before the sub-games that wait for it.
        if let Some(mover) = &calls.mover {
            all.push(self.over_move(this, mover.clone()));
        }
        for game in &calls.games {
            for party in &game.parties {
                let task = task(game.stage, party.attacks);
                all.push(self.party_call(this, party, &game.path, task));
            }
        }
        for party in &calls.next {
            let task = if party.attacks {
                Task::MayAttack
            } else {
                Task::MayBeAttacked
            };
            all.push(self.party_call(this, party, "", task));
        }
        all
    }

    fn party_call(&self, this: &Match, party: &Party, game: &str, task: Task) -> Call {
        let names = party.names.iter().map(|name| name.as_str().into());
        Call {
            table: this.table,
            game: game.to_owned(),
            team: self.name(of(this, party.team)),
            piece: format!("{} from {}", party.role.name(), party.from),
            names: names.collect(),
            sub_pieces: party.left.to_string(),
            task,
            also: Vec::new(),
        }
    }
}

const fn of(this: &Match, team: Side) -> overboard_schedules::ids::TeamNo {
    match team {
        Side::White => this.white,
        Side::Black => this.black,
    }
}

/// The task of a leader. In a sub-game the attacker has White.
fn task(stage: SubGameStage, attacks: bool) -> Task {
    let own = if attacks { Side::White } else { Side::Black };
    match stage {
        SubGameStage::Waits => Task::Wait,
        SubGameStage::Settling => Task::Settle,
        SubGameStage::Play(side) if side == own => Task::Move,
        SubGameStage::Play(_) => Task::Play,
        SubGameStage::SetUp(side) if side == own => Task::SetUp,
        SubGameStage::SetUp(Side::White) => Task::SetUpNext,
        SubGameStage::SetUp(Side::Black) => Task::HasSetUp,
    }
}

/// Marks calls whose person is needed elsewhere, too. If several people may come, none of them is tied to a place.
fn mark_doubles(calls: &mut [Call]) {
    let only = |call: &Call| match &call.names[..] {
        [name] if call.task.is_due() && !matches!(name.as_it_came().trim(), "" | "?") => {
            Some(names::key(name.as_it_came()))
        }
        _ => None,
    };
    let known: Vec<(Option<String>, String)> =
        calls.iter().map(|call| (only(call), place(call))).collect();
    for (index, call) in calls.iter_mut().enumerate() {
        if let (Some(name), _) = &known[index] {
            let others = known.iter().enumerate().filter(|(at, _)| *at != index);
            let same = others.filter(|(_, (other, _))| other.as_ref() == Some(name));
            call.also = same.map(|(_, (_, place))| place.clone()).collect();
        }
    }
}

/// Where the call is, in words: `table 2, d5`.
fn place(call: &Call) -> String {
    match call.game.as_str() {
        "" => format!("table {}, over-board", call.table),
        game => format!("table {}, {game}", call.table),
    }
}
