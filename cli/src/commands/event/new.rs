//! `event new`: creates the folder of an event.

use super::begin;
use crate::{
    exit::{CliError, Exit},
    options::{ChangeArgs, FolderArgs, VariantName},
};
use clap::Args;
use overboard_events::{
    Event,
    settings::{Lieutenants, Participants, Scoring, Settings, System},
    store::has_room,
};
use overboard_formats::foreign::Foreign;

/// Create the folder of a new event.
///
/// Defaults depend on the game: StrategiChess is played by teams on linked boards with kings as game points, Overchess
/// and Bughouse by teams with one game per match, all others by teams on separate boards.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 there is already an event, or the settings are invalid.\n\nExamples:\n  overboard event new cup --game strategichess --boards 3 --system round-robin --cycles 2\n  overboard event new open --game olympic --of players --system round-robin\n  overboard event new friendly --game overchess --system knockout --lieutenants by-type"
)]
pub struct NewArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// The event's name [default: the name of the folder].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess", ignore_case = true)]
    pub game: VariantName,
    /// Options of the game, such as `fog:prisoners` or `edition=2025`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    /// Who meets whom.
    #[arg(long, value_name = "NAME", default_value = "round-robin")]
    pub system: System,
    /// Number of times that each pair meets.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: u32,
    /// Number of rounds; required for swiss-team, molter and by-hand.
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Who takes part.
    #[arg(long, value_name = "WHO", default_value = "teams")]
    pub of: Participants,
    /// Boards of a match.
    #[arg(long, value_name = "N")]
    pub boards: Option<u32>,
    /// What gives game points in a match.
    #[arg(long, value_name = "NAME")]
    pub scoring: Option<Scoring>,
    /// Colours of the White team from board 1 on, such as WBWB.
    #[arg(long, value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Who leads the over-pieces in Overchess.
    #[arg(long, value_name = "HOW", default_value = "listed")]
    pub lieutenants: Lieutenants,
    /// Tie-breaks in order, such as `MPvGP,EDE,EMGSB`.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tie_breaks: Option<Vec<String>>,
    #[command(flatten)]
    pub change: ChangeArgs,
}

pub fn run(args: &NewArgs) -> Result<Exit, CliError> {
    let settings = settings(args)?;
    let event = Event {
        settings,
        ..Event::default()
    };
    // What `event check` would call an error, such as a tie-break that is not for this system.
    let faults = event.check();
    if !faults.is_empty() {
        let why = faults.into_iter().map(|fault| fault.message).collect();
        return Err(CliError::Lines(why));
    }
    let what = format!("Created event {}", event.settings.name.shown());
    if args.change.write.dry_run {
        has_room(&args.folder.folder)?;
    }
    begin(&args.folder, &what, &event, &[], &args.change)
}

/// The settings; what was not given follows from the game.
fn settings(args: &NewArgs) -> Result<Settings, CliError> {
    let game = args.game.game();
    let folder = args
        .folder
        .folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let of_players = args.of == Participants::Players;
    let usual = Scoring::usual(game, !of_players);
    let scoring = args.scoring.unwrap_or(usual);
    let boards = args.boards.unwrap_or(match scoring {
        Scoring::Boards => 4,
        Scoring::Kings => 3,
        Scoring::Game | Scoring::Subgames => 1,
    });
    let system = args.system;
    let settings = Settings {
        name: args
            .name
            .clone()
            .or(folder)
            .map_or_else(|| "event".into(), Foreign::new),
        game: args.game.title().into(),
        rules: args.rules.clone(),
        cycles: args.cycles,
        rounds: args.rounds,
        participants: args.of,
        pattern: args.pattern.clone(),
        lieutenants: args.lieutenants,
        tie_breaks: args
            .tie_breaks
            .clone()
            .unwrap_or_else(|| tie_breaks(system, of_players)),
        system,
        scoring,
        boards,
        ..Settings::default()
    };
    settings.make_sense("name")?;
    if settings.rounds.is_none() && system.needs_rounds() {
        return Err(CliError::Event(format!(
            "--system {} needs --rounds N",
            system.word()
        )));
    }
    if of_players && system.needs_teams() {
        return Err(CliError::Event(format!(
            "--system {} is only for teams, not for --of players",
            system.word()
        )));
    }
    if let Some((key, why)) = settings.all_idle().into_iter().next() {
        return Err(CliError::Event(format!(
            "--{key} has no effect here: {why}"
        )));
    }
    // Read back, so that nothing is written that cannot be read. The message omits the line, since the file does not
    // exist.
    Settings::read(&settings.write()).map_err(|fault| CliError::Event(fault.message))
}

fn tie_breaks(system: System, of_players: bool) -> Vec<String> {
    let codes: &[&str] = match (system, of_players) {
        (System::SwissTeam | System::ByHand, false) => &["MPvGP", "EDE", "BH/C1", "EMGSB"],
        (System::Molter | System::Hutton | System::Knockout, _) => &["GPTS"],
        (_, false) => &["MPvGP", "EDE", "EMGSB"],
        (System::ByHand | System::SwissTeam, true) => &["BH/C1", "BH", "SB"],
        (_, true) => &["DE", "WIN", "SB", "KS"],
    };
    codes.iter().map(|code| (*code).to_owned()).collect()
}
