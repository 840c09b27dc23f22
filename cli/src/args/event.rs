//! What was typed of events.

use super::VariantName;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The folder of an event.
#[derive(ClapArgs, Debug)]
pub struct FolderArgs {
    /// The event's folder.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// How a command writes.
#[derive(ClapArgs, Debug)]
pub struct WriteArgs {
    /// Say what would be changed, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Make an event, fill it, look after it. An event is a folder of plain files.
#[derive(ClapArgs, Debug)]
#[command(
    disable_help_subcommand = true,
    after_help = "An event is a folder: event.toml holds the settings, teams.csv and players.csv who takes part,\nrequests.csv byes, withdrawals and the like, rounds/01.csv and so on pairings and results.\nAll of it may be edited by hand; `event check` says what is wrong.\n\nExample:\n  overboard event new cup --game strategichess --boards 3 --system round-robin --cycles 2\n  overboard event enter cup Leeds --players 'Ann;Bob;Cy'\n  overboard pair next cup\n  overboard result cup 1 1 1-0 --score 2-0\n  overboard standings cup"
)]
pub struct EventArgs {
    #[command(subcommand)]
    pub command: EventCommand,
}

#[derive(Subcommand, Debug)]
pub enum EventCommand {
    /// Make the folder of a new event.
    New(Box<NewArgs>),
    /// Take teams, players and tables from CSV files, or a whole event from a TRF file.
    Import(ImportArgs),
    /// Enter a team or a player, also when the event has begun.
    Enter(EnterArgs),
    /// Note a bye, a withdrawal, a pair that may not meet, or a penalty.
    Request(RequestArgs),
    /// Print settings, or change one.
    Set(SetArgs),
    /// Change what is noted of a team or a player.
    Amend(AmendArgs),
    /// Take out a team or a player as if never entered.
    Remove(RemoveArgs),
    /// Draw the pairing numbers by lot.
    Lots(LotsArgs),
    /// Say what is wrong with the files of an event.
    Check(CheckEventArgs),
    /// Tell what was changed, and when.
    Log(LogArgs),
    /// Take back the pairing of a round, and of those after it.
    Cancel(CancelArgs),
    /// Undo the last change that has not been undone, or all after one.
    Undo(UndoArgs),
    /// Make the change again that was undone last.
    Redo(RedoArgs),
    /// Write the event as a Tournament Report File.
    Export(ExportArgs),
    /// Write an event as web pages (site, HTML).
    Publish(PublishArgs),
    /// Write the whole event, with its log, to one file.
    Pack(PackArgs),
    /// Make the folder of an event that was packed.
    Unpack(UnpackArgs),
    /// Write match cards: HTML to print, or heads of records to fill in.
    Cards(CardsArgs),
    /// Say who plays next in a round of Overchess (call sheet).
    Calls(CallsArgs),
}

/// Make the folder of a new event.
///
/// What is not said follows from the game: StrategiChess is played by teams on linked boards with kings as
/// game points, Overchess by teams with one game a match, all others by teams on boards of their own.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is an event already, or the settings make no sense.\n\nExamples:\n  overboard event new cup --game strategichess --boards 3 --system round-robin --cycles 2\n  overboard event new open --game olympic --of players --system round-robin\n  overboard event new friendly --game overchess --system knockout --lieutenants by-type"
)]
pub struct NewArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The event's name [default: the folder's].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub game: VariantName,
    /// Rules in force, written as in the tag Rules.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Who meets whom.
    #[arg(long, value_name = "NAME", default_value = "round-robin")]
    pub system: SystemName,
    /// How often everybody meets everybody.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: u32,
    /// Rounds; needed by the systems swiss-team, molter and by-hand.
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Who takes part.
    #[arg(long, value_name = "WHO", default_value = "teams")]
    pub of: Who,
    /// Boards of a match.
    #[arg(long, value_name = "N")]
    pub boards: Option<u32>,
    /// What makes the points of a match.
    #[arg(long, value_name = "NAME")]
    pub scoring: Option<ScoringName>,
    /// Colours of the White team from board 1 on, such as WBWB.
    #[arg(long, value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Who holds the pieces of Overchess.
    #[arg(long, value_name = "HOW", default_value = "listed")]
    pub lieutenants: LieutenantsName,
    /// Tie-breaks in their order, such as `MPvGP,EDE,EMGSB`.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tie_breaks: Option<Vec<String>>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Who meets whom, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SystemName {
    /// Everybody meets everybody, by Berger tables.
    RoundRobin,
    /// Everybody of one group meets everybody of the other.
    Scheveningen,
    /// Who loses is out.
    Knockout,
    /// Players of many teams in several rounds, without matches.
    Molter,
    /// Players of many teams, one game each.
    Hutton,
    /// The FIDE Swiss Team Pairing System.
    SwissTeam,
    /// Pairings come from elsewhere.
    ByHand,
}

/// Who takes part, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Who {
    Teams,
    Players,
}

/// What makes the points, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ScoringName {
    /// Games on boards of their own.
    Boards,
    /// Kings left on linked boards.
    Kings,
    /// One game.
    Game,
    /// Sub-games won.
    Subgames,
}

/// Who holds the pieces of Overchess, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LieutenantsName {
    /// A lieutenant for each over-piece.
    Full,
    /// A lieutenant for each kind.
    ByType,
    /// In turn.
    Rotation,
    /// The commander alone.
    Solo,
    /// As the column `pieces` says.
    Listed,
}

/// Take teams, players and tables from CSV files, or a whole event from a TRF file.
///
/// Teams and players take the place of those there; rounds that are paired keep their numbers. A table of your own
/// takes the place of the system's, in round robins, Scheveningen, Molter and Hutton events. A TRF file needs an
/// empty or a new folder.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Columns of teams: number,name,short,group,captain,strength. Columns of players: id,team,board,\nname,role,rating,title,federation,fide_id,birth,sex,pieces. Only the first and `name` are needed.\nColumns of a table: round,games, such as 1,1-6  2-5  3-4 or 1,A1-B1  B2-A2 or 1,2.1-5.1.\n\nExit codes: 0 done, 2 a file cannot be read, or makes no sense.\n\nExamples:\n  overboard event import cup --teams teams.csv --players players.csv\n  overboard event import cup --table official.csv\n  overboard event import league --trf league.trf"
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
    /// A table of your own of who meets whom, as `pair table --to csv` prints one: round,games.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// A Tournament Report File, of 2016 or of 2026.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["teams", "players", "table"], required_unless_present_any = ["teams", "players", "table"])]
    pub trf: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Enter a team or a player, also when the event has begun.
///
/// A late entry of a round robin takes the number that had the free rounds; what it has missed is lost by
/// forfeit, unless the settings say otherwise.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no room, or the name is taken.\n\nExamples:\n  overboard event enter cup Leeds --players 'Ann;Bob;Cy' --captain Dee\n  overboard event enter cup Hull --players 'Kim;Lou;Max' --round 3"
)]
pub struct EnterArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The name.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The players of a team in the order of their boards, with `;` between. `role=name` gives a role: commander,
    /// lieutenant or reserve.
    #[arg(long, value_name = "NAMES", value_delimiter = ';')]
    pub players: Vec<String>,
    /// The team's captain.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub captain: String,
    /// Club, country or another group; of a single player in a Scheveningen event A or B.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub group: String,
    /// Rating, or a team's strength.
    #[arg(long, value_name = "N")]
    pub rating: Option<u32>,
    /// The first round that is played [default: the next].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Note a bye, a withdrawal, a pair that may not meet, or a penalty.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it makes no sense.\n\nExamples:\n  overboard event request cup withdraw York --round 4\n  overboard event request open half-bye Ann --round 2\n  overboard event request cup forbid Leeds --other Hull\n  overboard event request cup penalty York --round 2 --match-points=-1"
)]
pub struct RequestArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// What.
    #[arg(value_name = "KIND", value_parser = ["half-bye", "zero-bye", "full-bye", "withdraw", "forbid", "penalty"])]
    pub kind: String,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// With forbid: the other one.
    #[arg(long, value_name = "WHO", required_if_eq("kind", "forbid"))]
    pub other: Option<String>,
    /// The round, or the first of the rounds [default: the next].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    /// With penalty: match points given, or taken.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, default_value = "0")]
    pub match_points: String,
    /// With penalty: game points given, or taken.
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, default_value = "0")]
    pub game_points: String,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Draw the pairing numbers by lot, before the first round.
///
/// The same seed gives the same numbers on every machine; the log of the event keeps it. Groups of a
/// Scheveningen event stay, and their members draw among themselves.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a round is paired, or the numbers have gaps.\n\nExamples:\n  overboard event lots cup --seed 7\n  overboard event lots open --seed 7 --early\n  overboard event lots open --seed 7 --varma"
)]
pub struct LotsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The seed [default: one by chance, told and kept in the log].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// In a round robin: let those of one group (teams) or federation (players) meet in early rounds.
    #[arg(long)]
    pub early: bool,
    /// In a round robin of 9 to 24: by the Varma tables of FIDE, which keep those of one group (teams) or federation
    /// (players) from meeting in the last three rounds.
    #[arg(long, conflicts_with = "early")]
    pub varma: bool,
    /// In a Swiss: draw the initial colour, and leave the numbers as they are.
    #[arg(long, conflicts_with_all = ["early", "varma"])]
    pub initial: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Say what is wrong with the files of an event, each with its file, line and column.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong, 1 something is, 2 there is no event.\n\nExample:\n  overboard event check cup"
)]
pub struct CheckEventArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object for each fault.
    #[arg(long)]
    pub json: bool,
}

/// Check the pairings of an event, without the code that made them.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong, 1 something is, 2 there is no event.\n\nExample:\n  overboard pair check cup"
)]
pub struct CheckPairingsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object for each fault.
    #[arg(long)]
    pub json: bool,
}

/// Tell what was changed, and when.
#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:\n  overboard event log cup")]
pub struct LogArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object for each change, with the files before and after.
    #[arg(long)]
    pub json: bool,
}

/// Take back the pairing of a round, and of those after it.
///
/// Rounds with results are only taken back with --discard-results; the log keeps them.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round, or it has results.\n\nExamples:\n  overboard event cancel cup 4\n  overboard event cancel cup 2 --discard-results"
)]
pub struct CancelArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The first round that is taken back.
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// Also when there are results.
    #[arg(long)]
    pub discard_results: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Print settings, or change one.
///
/// Without a name all settings are printed that are not at their defaults, and when each may be changed; with a name that one.
/// Lists stand with commas between. What is written by hand in event.toml stays, but for the line that changes.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such setting, or it may not be changed any more.\n\nExamples:\n  overboard event set cup\n  overboard event set cup city Leeds\n  overboard event set cup tie-breaks MPvGP,EDE,BH/C1\n  overboard event set cup match-points 3,1,0\n  overboard event set cup swiss.readings.seating score-then-tpn\n  overboard event set cup city --default"
)]
pub struct SetArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The setting; after a dot what stands in a table, such as swiss.initial.
    #[arg(value_name = "SETTING")]
    pub key: Option<String>,
    /// The new value.
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub value: Option<String>,
    /// Give it its default.
    #[arg(long, conflicts_with = "value", requires = "key")]
    pub default: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Change what is noted of a team or a player. What is not named stays.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is nobody of the name, or it makes no sense.\n\nExamples:\n  overboard event amend cup Leeds --name 'Leeds A' --captain Dee\n  overboard event amend cup Leeds --player Bob --rating 1950 --board 1\n  overboard event amend open Ann --fide-id 1234567"
)]
pub struct AmendArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// A player of this team, by id, name or beginning of the name.
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Name.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Short name of a team.
    #[arg(long, value_name = "NAME")]
    pub short: Option<String>,
    /// Club, country or another group of a team.
    #[arg(long, value_name = "NAME")]
    pub group: Option<String>,
    /// Captain of a team.
    #[arg(long, value_name = "NAME")]
    pub captain: Option<String>,
    /// Rating, or a team's strength; 0 for none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=9999))]
    pub rating: Option<u32>,
    /// Title of a player.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// Federation of a player.
    #[arg(long, value_name = "CODE")]
    pub federation: Option<String>,
    /// FIDE identity number of a player.
    #[arg(long, value_name = "ID")]
    pub fide_id: Option<String>,
    /// Date of birth of a player.
    #[arg(long, value_name = "DATE")]
    pub birth: Option<String>,
    /// Sex of a player.
    #[arg(long, value_name = "LETTER", value_parser = ["m", "w", ""])]
    pub sex: Option<String>,
    /// Role of a player.
    #[arg(long, value_name = "ROLE", value_parser = ["player", "reserve", "commander", "lieutenant"])]
    pub role: Option<String>,
    /// Over-pieces of a player.
    #[arg(long, value_name = "LIST")]
    pub pieces: Option<String>,
    /// Place of a player in the team; the others move up or down.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub board: Option<u32>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Take out a team or a player as if never entered.
///
/// Before round 1 is paired; those after it have a number less. Later a team withdraws instead. Players who have not sat on a
/// board can leave a team at any time.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is nobody of the name, or rounds are paired.\n\nExamples:\n  overboard event remove cup York\n  overboard event remove cup Leeds --player Bob"
)]
pub struct RemoveArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The number, the name, or the beginning of the name.
    #[arg(value_name = "WHO")]
    pub who: String,
    /// Only this player of the team.
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Make the change again that was undone last.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 nothing was undone, or something was changed since.\n\nExample:\n  overboard event redo cup"
)]
pub struct RedoArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Also when a file was changed by hand since.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Undo the last change that has not been undone, or all after one.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is nothing to undo, or a file was changed by hand.\n\nExamples:\n  overboard event undo cup\n  overboard event undo cup --to 12"
)]
pub struct UndoArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Undo all changes after this one, by its number in `event log`; all of them or none.
    #[arg(long, value_name = "N")]
    pub to: Option<u32>,
    /// Also when a file was changed by hand since.
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Write an event as web pages (site, HTML).
///
/// Start list, rounds, standings and why they are so, cross table, board prizes, a page for each team and player; each with CSV and
/// JSON beside it. The pages need nothing from elsewhere, and work from a memory stick. Only pages that have changed are written again.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read, or the folder holds pages that were not made by this command.\n\nExample:\n  overboard event publish cup site"
)]
pub struct PublishArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The folder for the pages.
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Write the whole event, with its log, to one file.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExample:\n  overboard event pack cup --out cup.event.json"
)]
pub struct PackArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Make the folder of an event that was packed.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the file holds no event, or the folder is taken.\n\nExample:\n  overboard event unpack cup cup.event.json"
)]
pub struct UnpackArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// What `event pack` wrote.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Write the event as a Tournament Report File.
///
/// What the format has no field for is carried in comments, which `event import` reads; what another program has changed in the
/// report holds against them.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExamples:\n  overboard event export cup > cup.trf\n  overboard event export cup --trf 16 --out cup.trf"
)]
pub struct ExportArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The edition of the format.
    #[arg(long, value_name = "EDITION", default_value = "26")]
    pub trf: TrfName,
    /// Leave out the comments that carry what the format has no field for.
    #[arg(long)]
    pub plain: bool,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// An edition of TRF, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TrfName {
    /// Of 2016.
    #[value(name = "16")]
    Of2016,
    /// Of 2026.
    #[value(name = "26")]
    Of2026,
}

/// Write match cards: HTML to print, or heads of records to fill in.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round.\n\nExamples:\n  overboard event cards cup --round 1 > round1.html\n  overboard event cards cup --npgn > round1.npgn\n  overboard event cards cup --sheets > sheets.html"
)]
pub struct CardsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    /// Write heads of records instead, one for each game, which `check` and `result --from` read.
    #[arg(long)]
    pub npgn: bool,
    /// Write blank score-sheets instead, in the form of the game; of linked boards with slips for the captains.
    #[arg(long, conflicts_with = "npgn")]
    pub sheets: bool,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Say who plays next in a round of Overchess (call sheet).
///
/// From the records of a round as far as they have come: whose over-move is due, which lieutenants play a sub-game and with which
/// sub-pieces, whose set-up is due, which over-pieces the next over-move may send into a sub-game, and who is needed in two places.
/// A match without a record is taken not to have begun.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record is not clean or fits no table, 2 there is no such round, or the game has no lieutenants.\n\nExamples:\n  overboard event calls cup round1/*.npgn\n  overboard event calls cup --round 1 round1.npgn --to html > calls.html"
)]
pub struct CallsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Records of the round as far as they have come.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    #[command(flatten)]
    pub form: FormArgs,
}

/// Pair rounds of an event, print them, check them, and explain them.
#[derive(ClapArgs, Debug)]
#[command(
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 done, 1 something is wrong, 2 it cannot be done.\n\nExamples:\n  overboard pair next cup\n  overboard pair show cup --round 2\n  overboard pair explain league --round 3 Leeds York\n  overboard pair table round-robin 8"
)]
pub struct PairArgs {
    #[command(subcommand)]
    pub command: PairCommand,
}

#[derive(Subcommand, Debug)]
pub enum PairCommand {
    /// Pair the next round of an event.
    Next(NextArgs),
    /// Set pairs of a round by the arbiter's hand.
    Set(PairSetArgs),
    /// Seat the players of a team in a round, or those of many teams.
    Lineup(LineupArgs),
    /// Print a round of an event.
    Show(PairShowArgs),
    /// Check the pairings of an event, without the code that made them.
    Check(CheckPairingsArgs),
    /// Say why a Swiss round is paired as it is, article by article.
    Explain(ExplainPairArgs),
    /// Make a whole random event of the Swiss system.
    Generate(GenerateArgs),
    /// Make many random events of the Swiss system, as lines of JSON.
    Trials(TrialsArgs),
    /// Print the table of a system for a number of participants.
    Table(TableArgs),
}

/// Say why a Swiss round is paired as it is, article by article of C.04.6.
///
/// Without a team it is the whole round; with one its opponent, its float and its colour; with two why they meet or
/// do not. The round is the next one, or one that is paired.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event is not of the system swiss-team, or the round cannot be paired.\n\nExamples:\n  overboard pair explain league\n  overboard pair explain league --team Leeds\n  overboard pair explain league --round 3 Leeds York\n  overboard pair explain league SW-1"
)]
pub struct ExplainPairArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// A team, or two, by number or name; or the id of a reading, such as SW-1.
    #[arg(value_name = "TEAM", num_args = 0..=2)]
    pub teams: Vec<String>,
    /// One team; the same as naming it alone.
    #[arg(long, value_name = "TEAM", conflicts_with = "teams")]
    pub team: Option<String>,
    /// The round [default: the last one paired, or the first].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    /// Print one JSON object for each sentence.
    #[arg(long)]
    pub json: bool,
}

/// Make a whole random event of the Swiss system: pairings by the system, results by strength.
///
/// The same seed gives the same event on every machine.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is an event already, or a round cannot be paired.\n\nExample:\n  overboard pair generate random --teams 20 --rounds 7 --seed 3"
)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Teams.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub teams: u16,
    /// Rounds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub rounds: u16,
    /// Boards of a match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub boards: u16,
    /// The seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Of a thousand matches, those that are forfeited.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub forfeits: u16,
    /// Of a thousand rounds of a team, those for which it asks for a bye.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub byes: u16,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Pair the next round of an event.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no next round yet.\n\nExamples:\n  overboard pair next cup\n  overboard pair next cup --all"
)]
pub struct NextArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Pair all rounds that need no results.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Set pairs of a round by the arbiter's hand (C.04.6, 3.3.3; C.04.2, 4.4).
///
/// Anyone who loses their opponent by it must be in another of the pairs, or have the bye. The articles that the round then breaks
/// are named, and `pair check` shows them as notes from then on. In the system by-hand the next round is made in this way: all who
/// take part are named then.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it makes no sense.\n\nExamples:\n  overboard pair set league 3 2-5 4-1\n  overboard pair set league 3 2-5 --bye 7\n  overboard pair set open 3 --from reply.txt"
)]
pub struct PairSetArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// Pairs by number, White first.
    #[arg(value_name = "PAIR", required_unless_present = "from")]
    pub pairs: Vec<String>,
    /// Read them from what a pairing program has written; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "bye"])]
    pub from: Option<PathBuf>,
    /// Who has the pairing-allocated bye, by number or name.
    #[arg(long, value_name = "WHO")]
    pub bye: Option<String>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Seat the players of a team in a round, from board 1 on, or those of many teams.
///
/// Boards that are not named, and `-`, stay empty. Where the setting `board-order` is `fixed`, players sit in the order of the roster.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Columns of a CSV file: team,board,player. Teams and players by number or name; a team sits as the file says, and\nteams that it does not name stay as they are.\n\nExit codes: 0 done, 2 they cannot sit so.\n\nExamples:\n  overboard pair lineup league 3 Leeds Ann Cy Dee\n  overboard pair lineup league 3 --csv lineups.csv"
)]
pub struct LineupArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// The team.
    #[arg(value_name = "TEAM", required_unless_present = "csv")]
    pub team: Option<String>,
    /// Its players from board 1 on, by id, name or beginning of the name; `-` for an empty chair.
    #[arg(value_name = "PLAYER", allow_hyphen_values = true)]
    pub players: Vec<String>,
    /// Read the line-ups of many teams.
    #[arg(long, value_name = "FILE", conflicts_with = "team")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Print a round of an event: who meets whom, and results as far as they are known.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such round.\n\nExamples:\n  overboard pair show cup\n  overboard pair show cup --round 2 --to html > round2.html"
)]
pub struct PairShowArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round [default: the last one paired].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: Option<u32>,
    #[command(flatten)]
    pub form: FormArgs,
}

/// How a table is printed.
#[derive(ClapArgs, Debug)]
pub struct FormArgs {
    /// The form.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub to: Form,
    /// With --to csv: put an apostrophe before what a spreadsheet would take for a formula.
    #[arg(long)]
    pub safe: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Forms of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    /// For a terminal.
    Text,
    /// Comma-separated values.
    Csv,
    /// Markdown.
    Markdown,
    /// A page to print.
    Html,
}

/// Make many random Swiss events of teams: results by strength, the rest by chance, all of it by the seed.
///
/// Prints lines of JSON: first the seed and the plan, then one event a line with its rounds and the whole
/// history of each team. Rates are in a thousand.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 wrong arguments.\n\nExamples:\n  overboard pair trials --seed 1 --teams 40 --rounds 9\n  overboard pair trials --teams 9 --rounds 5 --forfeits 20 --byes 50 --events 5000 > events.jsonl"
)]
pub struct TrialsArgs {
    /// The seed [default: one by chance, told in the first line].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Teams of an event.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=4096))]
    pub teams: u16,
    /// Rounds of an event.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub rounds: u16,
    /// How many events.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub events: u64,
    /// Boards of a match.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub boards: u16,
    /// The type of colour preferences.
    #[arg(long, value_name = "TYPE", default_value = "a")]
    pub preference: PreferenceName,
    /// Pair by game points.
    #[arg(long, conflicts_with = "accelerate")]
    pub game_points: bool,
    /// Accelerate the first half of the field (C.04.7).
    #[arg(long)]
    pub accelerate: bool,
    /// Drawn boards.
    #[arg(long, value_name = "RATE", default_value_t = 300, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub draws: u16,
    /// Forfeits, for each team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub forfeits: u16,
    /// Byes asked for, for each team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub byes: u16,
    /// Teams that arrive late.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub late: u16,
    /// Withdrawals, for each team and round.
    #[arg(long, value_name = "RATE", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub withdrawals: u16,
    /// Pairs of teams that are kept apart.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub forbidden: u16,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Types of colour preferences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PreferenceName {
    A,
    B,
    None,
}

/// Print the table of a system for a number of participants.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is no such table.\n\nExamples:\n  overboard pair table round-robin 8\n  overboard pair table scheveningen 5 --cycles 2\n  overboard pair table molter 6 --boards 4 --rounds 4"
)]
pub struct TableArgs {
    /// The system.
    #[arg(value_name = "SYSTEM")]
    pub system: TableName,
    /// Participants; of each group for scheveningen.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub count: u32,
    /// How often everybody meets everybody.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub cycles: u32,
    /// With molter and hutton: boards of a team.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub boards: u32,
    /// With molter: rounds.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
    #[command(flatten)]
    pub form: FormArgs,
}

/// Systems whose tables need no event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableName {
    RoundRobin,
    Scheveningen,
    Knockout,
    Molter,
    Hutton,
}

/// Enter results: by hand, as lines, from a CSV file, or from records that the referee finds clean.
///
/// A line holds a match: its table, and the results of its boards, such as `1: 1-0 = 0-1 1-0`.
/// A result is 1-0, 0-1 or 1/2-1/2; 1-0f, 0-1f and 0-0f are forfeits. One that is there already is only
/// replaced with --correct; the log keeps the old one.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Lines: a table and the results of its boards from board 1 on, as they stand there (White's first); = is a draw, * a\nboard that is not over, 1-0f a forfeit. Kings or sub-games come after the result: `2: 1-0 2-1`.\nColumns of a CSV file: table,board,white_score,black_score,result; `board` is empty for a match as a whole. What\n`pair show --to csv` prints is read too, and the file of a round.\n\nExit codes: 0 done, 1 a record is not clean or fits no table, 2 it makes no sense.\n\nExamples:\n  overboard result league 1 '1: 1-0 = 0-1 1-0'\n  overboard result league 1 --lines round1.txt --dry-run\n  overboard result cup 1 2 0-1 --score 1-2\n  overboard result league 1 2 1/2-1/2 --board 3\n  overboard result cup 1 2 1-0 --score 2-1 --correct\n  overboard result cup 1 --csv round1.csv\n  overboard result cup 1 --from round1/*.npgn"
)]
pub struct ResultArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The round.
    #[arg(value_name = "ROUND", value_parser = clap::value_parser!(u32).range(1..))]
    pub round: u32,
    /// The table; or a match in one line, or several with `;` between.
    #[arg(value_name = "TABLE", required_unless_present_any = ["csv", "from", "lines"])]
    pub table: Option<String>,
    /// The result.
    #[arg(value_name = "RESULT", allow_hyphen_values = true)]
    pub result: Option<String>,
    /// The board, where each has a result of its own.
    #[arg(long, value_name = "N")]
    pub board: Option<u32>,
    /// Kings left or sub-games won, White's first, such as 2-1.
    #[arg(long, value_name = "W-B")]
    pub score: Option<String>,
    /// Read results from this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "from"])]
    pub csv: Option<PathBuf>,
    /// Read lines of results, a match in each, from this file; `-` is standard input, to paste a round.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "from", "csv"])]
    pub lines: Option<PathBuf>,
    /// Judge these records, and take their results when they are clean.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "table")]
    pub from: Vec<PathBuf>,
    /// With --from: when time ended, as for `score`.
    #[arg(long, value_name = "H:MM:SS", value_parser = super::milliseconds, requires = "from")]
    pub expiry: Option<u64>,
    /// In a knockout: the result is that of the play-off of a drawn match.
    #[arg(long, conflicts_with_all = ["csv", "from", "lines", "board", "score"])]
    pub play_off: bool,
    /// Replace results that are there already.
    #[arg(long)]
    pub correct: bool,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Print the standings of an event.
///
/// Those who are tied on the score that comes first stand in the order of the event's tie-breaks; who is tied
/// on all of them shares a place.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExamples:\n  overboard standings cup\n  overboard standings cup --why Leeds York\n  overboard standings cup --crosstable --to markdown\n  overboard standings match --groups\n  overboard standings cup --to html > standings.html"
)]
pub struct StandingsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// After so many rounds [default: all that are paired].
    #[arg(long, value_name = "N")]
    pub after: Option<u32>,
    /// Explain the order of two, criterion by criterion.
    #[arg(long, value_name = "WHO", num_args = 2)]
    pub why: Vec<String>,
    /// Show who scored what against whom.
    #[arg(long)]
    pub crosstable: bool,
    /// The players of the teams by their games.
    #[arg(long, conflicts_with_all = ["why", "crosstable"])]
    pub players: bool,
    /// Of a Scheveningen event: the score of one group against the other, and who scored what against whom.
    #[arg(long, conflicts_with_all = ["why", "crosstable", "players"])]
    pub groups: bool,
    /// Tie-breaks instead of the event's.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tie_breaks: Option<Vec<String>>,
    #[command(flatten)]
    pub form: FormArgs,
}
