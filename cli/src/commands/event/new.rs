//! `event new`: the folder of a new event.

use super::tell;
use crate::{
    args::{LieutenantsName, NewArgs, ScoringName, SystemName, Who},
    exit::{Exit, Failure},
};
use overboard_events::{
    Event,
    settings::{Lieutenants, Participants, Scoring, Settings, System},
    store::{Folder, StoreError},
};

pub fn run(args: &NewArgs) -> Result<Exit, Failure> {
    let settings = settings(args)?;
    let event = Event {
        settings,
        teams: Vec::new(),
        players: Vec::new(),
        requests: Vec::new(),
        table: None,
        rounds: Vec::new(),
        bases: std::collections::BTreeMap::new(),
    };
    let what = format!("new event {}", event.settings.name);
    if args.write.dry_run {
        // Nothing is made, not even the folder.
        let file = overboard_events::settings::FILE.to_owned();
        let change =
            overboard_events::store::Changed { file, before: None, after: Some(event.settings.write()) };
        return tell(&what, &[change], &args.write);
    }
    let changed = Folder::make(&args.folder.folder)?.commit(&what, &event, false)?;
    tell(&what, &changed, &args.write)
}

/// The settings, with what follows from the game where nothing was said.
fn settings(args: &NewArgs) -> Result<Settings, Failure> {
    let game = args.game.game();
    let folder = args.folder.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let of_players = args.of == Who::Players;
    let scoring = args.scoring.map_or_else(|| Scoring::usual(game, !of_players), Scoring::from);
    let boards = args.boards.unwrap_or(match scoring {
        Scoring::Boards => 4,
        Scoring::Kings => 3,
        Scoring::Game | Scoring::Subgames => 1,
    });
    let system = System::from(args.system);
    let mut settings = Settings::read(
        "name = \"-\"\ngame = \"chess\"\nsystem = \"round-robin\"\nparticipants = \"teams\"\nscoring = \"game\"\n",
    )
    .map_err(|fault| StoreError::Faults(vec![fault]))?;
    settings.name = args.name.clone().or(folder).unwrap_or_else(|| "event".into());
    settings.game = args.game.title();
    settings.rules.clone_from(&args.rules);
    settings.cycles = args.cycles;
    settings.rounds = args.rounds;
    settings.participants = if of_players { Participants::Players } else { Participants::Teams };
    settings.pattern.clone_from(&args.pattern);
    settings.lieutenants = args.lieutenants.into();
    settings.tie_breaks = args.tie_breaks.clone().unwrap_or_else(|| tie_breaks(system, of_players));
    (settings.system, settings.scoring, settings.boards) = (system, scoring, boards);
    settings.make_sense("name").map_err(Failure::Event)?;
    // Read back, so that nothing is written that cannot be read.
    Ok(Settings::read(&settings.write()).map_err(|fault| StoreError::Faults(vec![fault]))?)
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

impl From<ScoringName> for Scoring {
    fn from(name: ScoringName) -> Self {
        match name {
            ScoringName::Boards => Self::Boards,
            ScoringName::Kings => Self::Kings,
            ScoringName::Game => Self::Game,
            ScoringName::Subgames => Self::Subgames,
        }
    }
}

impl From<SystemName> for System {
    fn from(name: SystemName) -> Self {
        match name {
            SystemName::RoundRobin => Self::RoundRobin,
            SystemName::Scheveningen => Self::Scheveningen,
            SystemName::Knockout => Self::Knockout,
            SystemName::Molter => Self::Molter,
            SystemName::Hutton => Self::Hutton,
            SystemName::SwissTeam => Self::SwissTeam,
            SystemName::ByHand => Self::ByHand,
        }
    }
}

impl From<LieutenantsName> for Lieutenants {
    fn from(name: LieutenantsName) -> Self {
        match name {
            LieutenantsName::Full => Self::Full,
            LieutenantsName::ByType => Self::ByType,
            LieutenantsName::Rotation => Self::Rotation,
            LieutenantsName::Solo => Self::Solo,
            LieutenantsName::Listed => Self::Listed,
        }
    }
}
