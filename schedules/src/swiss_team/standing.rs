//! What the articles look at in a team: its score, colours, floats and byes.

use super::{
    next_round::{Event, NextRound, Presence, Team},
    readings::{FirstTeam, FloatScore, LastRoundRepeat, Numbering, UnplayedFloats},
    settings::{PreferenceType, Score},
};
use crate::{
    ids::{RoundNo, TeamNo},
    points::Points,
    team::Colour,
};
use serde::Serialize;

/// A colour preference (1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Preference {
    /// The colour wanted.
    pub colour: Colour,
    /// Whether it is strong (Type B only).
    pub strong: bool,
}

/// A team as the articles see it before a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Its pairing number.
    pub tpn: TeamNo,
    /// The number whose parity decides the initial colour (4.3.1, SW-6).
    pub colour_number: usize,
    /// The primary score, virtual points included.
    pub score: Points,
    /// The primary score by which the first team of a pair is determined (4.2, SW-2).
    pub first_team_score: Points,
    /// The virtual points of this round (C.04.7).
    pub virtual_points: Points,
    /// The other score, if it is used.
    pub secondary: Points,
    /// The colours of the matches it has played, in the order of the rounds.
    pub colours: Vec<Colour>,
    /// Its colour preference.
    pub preference: Option<Preference>,
    /// Whether it was a floater in the previous round (1.5).
    pub floater: bool,
    /// Why it may not have the bye (2.1.2), if so.
    pub bye_bar: Option<ByeBar>,
}

/// Why a team may not have the pairing-allocated bye (2.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByeBar {
    /// It has had one.
    PairingBye,
    /// It has won a match by forfeit.
    ForfeitWin,
    /// It has had a full-point bye.
    FullBye,
}

impl ByeBar {
    /// The reason in words, to follow "it".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::PairingBye => "has had the bye",
            Self::ForfeitWin => "has won a match by forfeit",
            Self::FullBye => "has had a full-point bye",
        }
    }
}

impl Standing {
    /// Matches with White minus matches with Black (1.6.2).
    #[must_use]
    pub fn difference(&self) -> i32 {
        difference(&self.colours)
    }
}

fn difference(colours: &[Colour]) -> i32 {
    let signs = colours.iter().map(|colour| match colour {
        Colour::White => 1,
        Colour::Black => -1,
    });
    signs.sum()
}

/// The standings of all teams, ordered by number.
pub(super) fn standings(field: &NextRound) -> Vec<Standing> {
    let mut teams: Vec<&Team> = field.teams.iter().collect();
    teams.sort_by_key(|team| team.tpn);
    let (mut standings, mut arrived) = (Vec::new(), 0);
    for team in &teams {
        arrived += usize::from(team.presence != Presence::NotArrived);
        let number = match field.settings.readings.numbering {
            Numbering::Arrived => arrived,
            Numbering::Tpn => team.tpn.get() as usize,
        };
        standings.push(standing_of(field, &teams, team, number));
    }
    standings
}

/// The index of a team among standings that are ordered by number.
pub(super) fn place(standings: &[Standing], tpn: TeamNo) -> Option<usize> {
    standings.binary_search_by_key(&tpn, |team| team.tpn).ok()
}

fn standing_of(field: &NextRound, teams: &[&Team], team: &Team, colour_number: usize) -> Standing {
    let round = field.round();
    let colours = played_colours(team);
    let secondary = if field.settings.secondary {
        total(team, other(field.settings.primary), round)
    } else {
        Points(0)
    };
    let virtual_points = virtual_points(team, round);
    let own = total(team, field.settings.primary, round);
    Standing {
        tpn: team.tpn,
        colour_number,
        score: own + virtual_points,
        first_team_score: match field.settings.readings.first_team {
            FirstTeam::Pairing => own + virtual_points,
            FirstTeam::Standings => own,
        },
        virtual_points,
        secondary,
        preference: preference(field, &colours),
        colours,
        floater: is_floater(field, teams, team),
        bye_bar: team.history.iter().find_map(|past| bye_bar(past.event)),
    }
}

fn played_colours(team: &Team) -> Vec<Colour> {
    let mut colours = Vec::new();
    for past in &team.history {
        if let Event::Played { colour, .. } = past.event {
            colours.push(colour);
        }
    }
    colours
}

const fn other(score: Score) -> Score {
    match score {
        Score::MatchPoints => Score::GamePoints,
        Score::GamePoints => Score::MatchPoints,
    }
}

/// A team's points before a round.
fn total(team: &Team, score: Score, round: RoundNo) -> Points {
    let points = team
        .history
        .iter()
        .take(round.index())
        .map(|past| match score {
            Score::MatchPoints => past.match_points,
            Score::GamePoints => past.game_points,
        });
    points.sum()
}

/// A team's virtual points in a round.
fn virtual_points(team: &Team, round: RoundNo) -> Points {
    team.virtual_points
        .get(round.index())
        .copied()
        .unwrap_or_default()
}

const fn bye_bar(event: Event) -> Option<ByeBar> {
    match event {
        Event::PairingBye => Some(ByeBar::PairingBye),
        Event::ForfeitWin { .. } => Some(ByeBar::ForfeitWin),
        Event::FullBye => Some(ByeBar::FullBye),
        Event::Played { .. } | Event::ForfeitLoss { .. } | Event::DoubleForfeit { .. } => None,
        Event::HalfBye | Event::Absent => None,
    }
}

/// Whether the team had an opponent with another score in the previous round (1.5, R8, SW-1).
fn is_floater(field: &NextRound, teams: &[&Team], team: &Team) -> bool {
    let last = team.history.last().map(|past| past.event);
    let opponent = match (last, field.settings.readings.unplayed_floats) {
        (Some(Event::Played { opponent, .. }), _) => opponent,
        (Some(event), UnplayedFloats::Floaters) => match event.opponent() {
            Some(opponent) => opponent,
            None => return false,
        },
        _ => return false,
    };
    let round = RoundNo::new(field.round().get() - 1);
    let score = |team: &Team| {
        let extra = match field.settings.readings.float_score {
            FloatScore::Pairing => virtual_points(team, round),
            FloatScore::Standings => Points(0),
        };
        total(team, field.settings.primary, round) + extra
    };
    let opponent = teams.binary_search_by_key(&opponent, |team| team.tpn);
    opponent.is_ok_and(|place| score(teams[place]) != score(team))
}

/// The colour preference, by the table of 1.7.
fn preference(field: &NextRound, colours: &[Colour]) -> Option<Preference> {
    let kind = field.settings.preference;
    let last_round = field.round().get() == u32::from(field.settings.rounds);
    let difference = difference(colours);
    let last = *colours.last()?;
    let twice = colours.len() > 1 && colours[colours.len() - 2] == last;
    let want = |colour, strong| Some(Preference { colour, strong });
    let strong = match difference {
        ..-1 => Some(Colour::White),
        -1 | 0 if twice && last == Colour::Black => Some(Colour::White),
        2.. => Some(Colour::Black),
        0 | 1 if twice && last == Colour::White => Some(Colour::Black),
        _ => None,
    };
    let repeat = field.settings.readings.last_round_repeat;
    let waived = last_round && difference == 0 && repeat == LastRoundRepeat::None;
    match (kind, strong) {
        (PreferenceType::None, _) => None,
        (PreferenceType::A, strong) => want(strong?, false),
        (PreferenceType::B, Some(colour)) => {
            if waived {
                None
            } else {
                want(colour, true)
            }
        }
        (PreferenceType::B, None) => match difference {
            -1 => want(Colour::White, false),
            1 => want(Colour::Black, false),
            0 if !last_round => want(last.other(), false),
            _ => None,
        },
    }
}
