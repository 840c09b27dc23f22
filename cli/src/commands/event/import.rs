//! `event import`: rosters and tables from CSV files, or a whole event from a Tournament Report File.

use super::{begin, bytes, bytes_or_pasted, commit, keeps_valid};
use crate::{
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs},
    ui,
};
use clap::Args;
use overboard_events::{
    Event, count,
    csv::CsvError,
    encoding::{self, Decoded, Encoding, Source},
    names,
    roster::{self, Player},
    store::StoreError,
    table::PairingTable,
    trf::{self, Trf, proof::Disagreement},
};
use overboard_rules::refusal::counted;
use std::path::{Path, PathBuf};

/// Import teams, players and tables (CSV), or an event (TRF).
///
/// Teams and players replace those already there; paired rounds keep their numbers. In round robins, Scheveningen,
/// Molter and Hutton events, your own pairing table replaces the standard one. A TRF file needs an empty or new folder. Its
/// points, totals and ranks are derived again from its games; if they differ, nothing is imported.
#[derive(Args, Debug)]
#[command(
    after_help = "Columns of teams:\n  number,name,short,group,captain,strength\nColumns of players:\n  id,team,board,name,role,rating,title,federation,fide_id,birth,sex,pieces\nColumns are separated by commas, semicolons or tabs and may have other usual headings, such as No., Player, Elo or Fed;\nonly the name is required. `team` is a number or a name; without --teams, new names become the teams.\n`-` is standard input.\nColumns of a table: round,games, such as 1,1-6  2-5  3-4 or 1,A1-B1  B2-A2 or 1,2.1-5.1.\n\nExit codes: 0 done, 2 a file cannot be read or is invalid.\n\nExamples:\n  overboard event import cup --teams teams.csv --players players.csv\n  overboard event import cup --table official.csv\n  overboard event import league --trf league.trf\n  overboard event import league --trf league.trf --encoding windows-1253"
)]
pub struct ImportArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// A table of teams.
    #[arg(long, value_name = "FILE")]
    pub teams: Option<PathBuf>,
    /// A table of players.
    #[arg(long, value_name = "FILE")]
    pub players: Option<PathBuf>,
    /// Your own pairing table, as `pair table --to csv` prints one: round,games.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Remove your own pairing table; the standard one holds again.
    #[arg(long, conflicts_with_all = ["table", "trf", "teams", "players"])]
    pub no_table: bool,
    /// A Tournament Report File (TRF16 or TRF26).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["teams", "players", "table"])]
    pub trf: Option<PathBuf>,
    /// With --trf: import a file whose totals do not follow from its games, and take its totals. The differences become
    /// byes, or points given apart from the games.
    #[arg(long, requires = "trf")]
    pub take_totals: bool,
    /// The encoding of the files, such as utf-8, utf-16 or windows-1250 [default: Unicode if they are, else the most
    /// likely code page].
    #[arg(long, value_name = "NAME", value_parser = encoding_named)]
    pub encoding: Option<&'static Encoding>,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &ImportArgs) -> Result<Exit, CliError> {
    match &args.trf {
        Some(path) => import_trf(args, path),
        None if args.teams.is_none()
            && args.players.is_none()
            && args.table.is_none()
            && !args.no_table =>
        {
            Err(CliError::Event(
                "nothing to import: give --teams, --players, --table or --trf a file".into(),
            ))
        }
        None => import_tables(args),
    }
}

fn faulty(fault: CsvError) -> CliError {
    StoreError::Faults(vec![fault]).into()
}

/// An encoding by its name.
fn encoding_named(text: &str) -> Result<&'static Encoding, String> {
    encoding::named(text).ok_or_else(|| {
        "expected the name of an encoding, such as utf-8, utf-16, windows-1250 (Central European), windows-1251 \
         (Cyrillic), windows-1252 (Western), windows-1253 (Greek), windows-1254 (Turkish) or windows-1257 (Baltic)"
            .into()
    })
}

/// Says in which encoding a file was read, if that is not certain.
fn note_encoding(name: &str, decoded: &Decoded) {
    let encoding = decoded.encoding;
    if decoded.has_faults {
        ui::warn(&format!(
            "{name} has bytes that are not possible in {encoding}; --encoding NAME says which encoding it has"
        ));
    } else if decoded.source == Source::Guessed {
        ui::note(&format!(
            "{name} is not Unicode; it was read as {encoding}. If names are wrong, --encoding NAME says which encoding it has"
        ));
    }
}

/// The contents of a table, in UTF-8.
fn table(args: &ImportArgs, path: &Path) -> Result<Vec<u8>, CliError> {
    let decoded = encoding::read(&bytes_or_pasted(path)?, args.encoding, None);
    note_encoding(&path.display().to_string(), &decoded);
    Ok(decoded.text.into_bytes())
}

fn import_trf(args: &ImportArgs, path: &Path) -> Result<Exit, CliError> {
    let name = path.display().to_string();
    let decoded = Trf::decode(&bytes(path)?, args.encoding);
    note_encoding(&name, &decoded);
    let trf = Trf::parse(&name, &decoded.text).map_err(faulty)?;
    if let Some(fault) = trf::carried::fault(&trf) {
        ui::warn(&format!(
            "{name}: the comments with the data of the event cannot be read and are skipped: {fault}"
        ));
    }
    for odd in trf::proof::oddities(&trf) {
        ui::warn(&odd.to_string());
    }
    let (event, notes) = proved(args, &trf, &name)?;
    let what = format!(
        "Imported {name}: {}, {}",
        counted(event.participants().len(), "participant"),
        counted(event.rounds.len(), "round")
    );
    begin(&args.folder, &what, &event, &notes, &args.change)
}

/// The event of a report whose totals follow from its games, or that takes them as they are; and what was done to it.
fn proved(args: &ImportArgs, trf: &Trf, name: &str) -> Result<(Event, Vec<String>), CliError> {
    let mut event = trf::event(trf, name).map_err(faulty)?;
    let mut proof = trf::proof::prove(trf, &event);
    if proof.is_only_of_ranks() {
        // A report does not name the edition of the tie-break regulations, but its ranks may show it.
        let mut older = event.clone();
        older.settings.edition = "2024-08".into();
        let other = trf::proof::prove(trf, &older);
        if other.holds() {
            ui::note(&format!(
                "{name}: its ranks follow from edition 2024-08 of the tie-break regulations, so the setting `edition` has it"
            ));
            (event, proof) = (older, other);
        }
    }
    if proof.has_no_totals {
        let note = "the file has no points, so nothing shows whether its results are complete";
        return Ok((event, vec![note.into()]));
    }
    let mut lines = proof.contradictions.clone();
    lines.extend(proof.disagreements.iter().map(Disagreement::line));
    if proof.holds() || args.take_totals {
        let (event, done) = trf::proof::with_totals(event, &proof);
        let mut notes: Vec<String> = lines.iter().map(ToString::to_string).collect();
        notes.extend(done);
        notes.extend(trf::proof::byes_of_unknown_worth(trf, &event));
        return Ok((event, notes));
    }
    ui::note(&format!(
        "nothing was imported: the file contradicts itself in {}; correct it, or take its totals as they are with --take-totals",
        counted(lines.len(), "place")
    ));
    Err(StoreError::Faults(lines).into())
}

fn import_tables(args: &ImportArgs) -> Result<Exit, CliError> {
    let (mut folder, mut event) = args.folder.open_event(&args.change)?;
    let mut imported = Imported::default();
    if let Some(path) = &args.teams {
        imported.teams(&mut event, path, args)?;
    }
    if let Some(path) = &args.players {
        imported.players(&mut event, path, args)?;
    }
    for note in imported.unused.iter().chain(&imported.notes) {
        ui::note(&note.to_string());
    }
    let mut what = imported.what;
    if let Some(path) = &args.table {
        let name = path.display().to_string();
        let own = PairingTable::read(&name, &table(args, path)?).map_err(faulty)?;
        what.push(format!("a table of {}", counted(own.rounds.len(), "round")));
        event.table = Some(own);
    }
    let mut what = format!("Imported {}", what.join(" and "));
    if args.no_table {
        event.table = None;
        what = "Removed the pairing table".into();
    }
    let before = folder.event()?;
    running(&before, &event)?;
    keeps_valid(&before, &event)?;
    let exit = commit(&mut folder, &what, &event, &args.change)?;
    for fault in event.check_table().notes {
        ui::warn(&fault.to_string());
    }
    Ok(exit)
}

/// What tables of teams and players have brought.
#[derive(Default)]
struct Imported {
    what: Vec<String>,
    /// Columns that were not used.
    unused: Vec<CsvError>,
    notes: Vec<CsvError>,
}

impl Imported {
    fn teams(&mut self, event: &mut Event, path: &Path, args: &ImportArgs) -> Result<(), CliError> {
        let name = path.display().to_string();
        let read = roster::foreign::teams(&name, &table(args, path)?);
        let read = read.map_err(StoreError::Faults)?;
        event.teams = read.teams;
        self.unused = read.unused;
        self.what.push(counted(event.teams.len(), "team"));
        Ok(())
    }

    fn players(
        &mut self,
        event: &mut Event,
        path: &Path,
        args: &ImportArgs,
    ) -> Result<(), CliError> {
        let name = path.display().to_string();
        let bytes = table(args, path)?;
        let of = event.settings.participants;
        let read = roster::foreign::players(&name, &bytes, of, &event.teams);
        let read = read.map_err(StoreError::Faults)?;
        event.players = read.players;
        if args.teams.as_deref() == Some(path) {
            // Of one table for both, a column is used if either of them reads it.
            self.unused.retain(|column| read.unused.contains(column));
        } else {
            self.unused.extend(read.unused);
        }
        self.notes = read.notes;
        if let Some(teams) = read.teams {
            event.teams = teams;
            self.what.push(counted(event.teams.len(), "team"));
        }
        self.what.push(counted(event.players.len(), "player"));
        Ok(())
    }
}

/// Checks that participants in paired rounds keep their numbers, by which those rounds refer to them.
fn running(before: &Event, after: &Event) -> Result<(), String> {
    let paired = before.rounds.len();
    let entries = |event: &Event| {
        event
            .participants()
            .iter()
            .map(|one| (one.number, names::key(one.name.as_it_came())))
            .collect::<Vec<_>>()
    };
    if paired == 0 {
        return Ok(());
    }
    if entries(before) != entries(after) {
        return Err(format!(
            "{}, so an import may not change the pairing numbers; `overboard event enter FOLDER` takes late entries, `overboard event request FOLDER withdraw` withdrawals",
            count::paired(paired)
        ));
    }
    let boards = before
        .rounds
        .iter()
        .flat_map(|round| &round.matches)
        .flat_map(|this| &this.boards);
    let seated = boards.flat_map(|board| [board.white, board.black]);
    let mut players = seated.flatten().filter_map(|id| before.player(id));
    let is_lost = |player: &&Player| match after.player(player.id) {
        Some(now) => now.team != player.team,
        None => true,
    };
    match players.find(is_lost) {
        Some(player) => Err(format!(
            "{} (id {}) is on a board of a round that is already paired and must keep the id and the team",
            player.name.shown(),
            player.id
        )),
        None => Ok(()),
    }
}
