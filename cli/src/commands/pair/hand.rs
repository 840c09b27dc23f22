//! `pair set` and `pair lineup`: what an arbiter or a captain decides for a round.

use crate::{
    args::{LineupArgs, PairSetArgs},
    commands::{
        event::{tell, tell_with_notes},
        result::text_of,
    },
    exit::{Exit, Failure},
};
use overboard_events::{
    Event,
    csv::Sheet,
    elsewhere::reply,
    settings::System,
    store::{Folder, StoreError, read_bytes},
};
use overboard_schedules::ids::{RoundNo, TeamNo};
use std::{collections::BTreeMap, path::Path};

pub fn set(args: &PairSetArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event_with_bases()?;
    let said = Failure::Event;
    let next = RoundNo::at(event.rounds.len());
    let is_next = event.settings.system == System::ByHand && next.get() == args.round;
    let round = if is_next { next } else { super::which(&event, Some(args.round))? };
    if !event.takes_pairs_by_hand() {
        return Err(said("in this system everybody meets by a table or a bracket; pairs are set in the systems swiss-team and by-hand".into()));
    }
    let pair = |text: &String| {
        let (white, black) = text
            .split_once('-')
            .ok_or_else(|| said(format!("`{text}` is no pair; expected numbers such as 2-5, White first")))?;
        Ok::<_, Failure>((event.find(white.trim()).map_err(said)?, event.find(black.trim()).map_err(said)?))
    };
    let told = match &args.from {
        Some(path) => reply(&text_of(path)?).map_err(|why| said(format!("{}: {why}", path.display())))?,
        None => {
            let pairs = args.pairs.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
            (pairs, args.bye.as_ref().map(|who| event.find(who)).transpose().map_err(said)?)
        }
    };
    if is_next {
        event.pair_as_told(&told).map_err(said)?;
        let what = format!("pairing of round {round}, made elsewhere");
        let changed = folder.commit(&what, &event, args.write.dry_run)?;
        return tell(&what, &changed, &args.write);
    }
    let (pairs, bye) = told;
    event.set_pairs(round, &pairs, bye).map_err(said)?;
    let what = format!("round {round}: set {}", event.set_in(round).unwrap_or_default());
    let begin = format!("round {round}");
    let notes: Vec<String> =
        event.look_at_pairings().notes.into_iter().filter(|note| note.starts_with(&begin)).collect();
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell_with_notes(&what, &changed, &notes, &args.write)
}

pub fn line_up(args: &LineupArgs) -> Result<Exit, Failure> {
    let mut folder = Folder::open(&args.folder.folder)?;
    let mut event = folder.event()?;
    let round = super::which(&event, Some(args.round))?;
    let teams = match (&args.csv, &args.team) {
        (Some(path), _) => from_table(&event, path)?,
        (None, team) => {
            let team = event.find(team.as_deref().unwrap_or_default()).map_err(Failure::Event)?;
            let players = args.players.iter().map(|text| player(&event, team, text));
            vec![(team, players.collect::<Result<_, _>>().map_err(Failure::Event)?)]
        }
    };
    for (team, players) in &teams {
        let fail = |why: String| Failure::Event(format!("{}: {why}", event.name(*team)));
        event.clone().seat(round, *team, players).map_err(fail)?;
        event.seat(round, *team, players).map_err(Failure::Event)?;
    }
    let names: Vec<String> = teams.iter().map(|(team, _)| event.name(*team)).collect();
    let what = format!("round {round}: line-up of {}", names.join(", "));
    let changed = folder.commit(&what, &event, args.write.dry_run)?;
    tell(&what, &changed, &args.write)
}

fn player(event: &Event, team: TeamNo, text: &str) -> Result<Option<u32>, String> {
    if text == "-" || text.trim().is_empty() {
        return Ok(None);
    }
    event.find_player(team, text).map(Some)
}

/// Who sits where of a team, from board 1 on.
type LineUp = (TeamNo, Vec<Option<u32>>);

/// Line-ups by team: `team,board,player`.
fn from_table(event: &Event, path: &Path) -> Result<Vec<LineUp>, Failure> {
    let bytes = read_bytes(path).map_err(|error| Failure::file(path, error))?;
    let faulty = |fault| Failure::from(StoreError::Faults(vec![fault]));
    let sheet =
        Sheet::read(&path.display().to_string(), &bytes, &["team", "board", "player"]).map_err(faulty)?;
    let mut teams: BTreeMap<TeamNo, Vec<Option<u32>>> = BTreeMap::new();
    for row in &sheet.rows {
        let team = event.find(row.text(0)).map_err(|why| faulty(row.place(0).fault(why)))?;
        let board: u32 = row.needed(1, "the number of a board").map_err(faulty)?;
        if board == 0 || board > event.settings.boards {
            let message = format!("expected a board from 1 to {}, found {board}", event.settings.boards);
            return Err(faulty(row.place(1).fault(message)));
        }
        let id = player(event, team, row.text(2)).map_err(|why| faulty(row.place(2).fault(why)))?;
        let seats = teams.entry(team).or_default();
        if seats.len() < board as usize {
            seats.resize(board as usize, None);
        }
        if seats[board as usize - 1].is_some() {
            return Err(faulty(row.place(1).fault(format!("board {board} stands twice"))));
        }
        seats[board as usize - 1] = id;
    }
    Ok(teams.into_iter().collect())
}
