//! `demo`: a first game, played, drawn and checked.

use super::fmt::format;
use crate::{
    batch::{self, GamesArgs},
    config::Config,
    engines::{Entries, EnvironmentArgs},
    exit::{CliError, Exit, PartError},
    games::is_dash,
    interrupt::command_line,
    options::VariantName,
    ui,
};
use clap::{Args, Parser as _};
use overboard_engines::{journal::LedgerEntry, manifest::Manifest, records::write_record};
use overboard_events::atomic_files::{self, FileError};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
};
use overboard_games::referee::AnyReferee;
use overboard_referee::Options;
use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Play, draw and check a short game (a first look).
///
/// Two built-in players play one game. The record, a picture and a page to step through it are written to a folder. The
/// record is checked, and commands to try next are listed. The same seed gives the same game on any machine. An
/// existing file with other contents is never replaced.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 the check found errors, 2 the game cannot be played or its files cannot be written.\n\nExamples:\n  overboard demo\n  overboard demo mega-chess --seed 7\n  overboard demo strategichess --boards 3 --folder match"
)]
pub struct DemoArgs {
    /// The game.
    #[arg(value_name = "GAME", default_value = "overchess", ignore_case = true)]
    pub game: VariantName,
    /// Number of boards of StrategiChess.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: u16,
    /// Options of the game, such as `depth=2` or `edition=2025`.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    /// The seed; the same seed gives the same game.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The folder for the files; created if it does not exist.
    #[arg(long, value_name = "FOLDER", default_value = "overboard-demo")]
    pub folder: PathBuf,
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Another file has the name.
    #[error(
        "{path}: another file with this name exists and is not replaced; choose another --folder or --seed",
        path = .0.display()
    )]
    Foreign(PathBuf),
    /// The path is not a folder.
    #[error("{path}: not a folder; --folder names the folder for the files", path = .0.display())]
    NoFolder(PathBuf),
    /// The game was played but cannot be shown.
    #[error("the game that was played cannot be written: {0}")]
    Unshown(String),
}

impl PartError for DemoError {}

/// White's player: the first of these that plays the game. Against random moves a win comes soon.
const WHITE: [&str; 2] = ["search:depth=2", "greedy"];
const BLACK: &str = "random";
/// Plies per board after which a match on linked boards is stopped.
const PLIES_A_BOARD: u32 = 60;

/// The files made from the record: their endings, what they are, and the command that makes each, without the names of
/// the files.
const PICTURES: [(&str, &str, &[&str]); 2] = [
    (
        "svg",
        "the final position",
        &["show", "--size", "40", "--svg"],
    ),
    (
        "html",
        "a page to step through the game in a browser",
        &["view", "--output"],
    ),
];

pub fn run(args: &DemoArgs) -> Result<Exit, CliError> {
    if is_dash(&args.folder) || (args.folder.exists() && !args.folder.is_dir()) {
        return Err(DemoError::NoFolder(args.folder.clone()).into());
    }
    let manifest = manifest(args)?;
    let record = record(&manifest)?;
    let stem = stem(args);
    let drafts = tempfile::tempdir().map_err(CliError::on(&std::env::temp_dir()))?;
    let files = drafted(drafts.path(), &stem, &record)?;
    put(&args.folder, &files)?;
    let path = args.folder.join(&files[0].name);
    print_summary(args, &manifest, &files, &record, &path)
}

/// The manifest of one game of the first player that plays it.
fn manifest(args: &DemoArgs) -> Result<Manifest, CliError> {
    let mut words = vec![
        "selfplay".to_owned(),
        "--games=1".to_owned(),
        "--random-plies=0".to_owned(),
        format!("--variant={}", args.game.argument()),
        format!("--boards={}", args.boards),
        format!("--rules={}", args.rules),
        format!("--seed={}", args.seed),
    ];
    if args.boards > 1 {
        let most = PLIES_A_BOARD * u32::from(args.boards);
        words.push(format!("--max-plies={most}"));
    }
    let games =
        GamesArgs::try_parse_from(words).map_err(|error| DemoError::Unshown(error.to_string()))?;
    let [best, other] = WHITE;
    against(best, &games).or_else(|_| against(other, &games))
}

/// The manifest of games of this player with White.
fn against(white: &str, games: &GamesArgs) -> Result<Manifest, CliError> {
    let field = Entries {
        players: vec![white.into(), BLACK.into()],
        ..Entries::default()
    };
    let (manifest, _) = batch::manifest(games, field, None, &EnvironmentArgs::default())?;
    Ok(manifest)
}

/// Plays the game; returns its record in canonical form.
fn record(manifest: &Manifest) -> Result<Vec<u8>, CliError> {
    let line = batch::one_game(manifest, &batch::book(manifest, None)?, None)?;
    let unshown = |why: String| CliError::from(DemoError::Unshown(why));
    let entry = LedgerEntry::read(&line, manifest).map_err(|why| unshown(why.into()))?;
    let (mut text, mut record) = (String::new(), Vec::new());
    write_record(&entry, manifest, None, &mut text).map_err(|why| unshown(why.to_string()))?;
    format(text.as_bytes(), &mut record, Limits::default())
        .map_err(|error| error.at(Path::new("the record")))?;
    Ok(record)
}

/// The file names without their endings.
fn stem(args: &DemoArgs) -> String {
    let mut words = vec![args.game.argument().to_owned()];
    if args.boards > 1 {
        words.push(format!("{} boards", args.boards));
    }
    if !args.rules.is_empty() {
        words.push(args.rules.clone());
    }
    words.push(format!("seed {}", args.seed));
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    words.join("-").chars().map(plain).collect()
}

/// A file to be written.
struct Draft {
    name: String,
    is: &'static str,
    bytes: Vec<u8>,
}

/// The record and the files made from it, by the commands that make them.
fn drafted(folder: &Path, stem: &str, record: &[u8]) -> Result<Vec<Draft>, CliError> {
    let name = format!("{stem}.npgn");
    let path = folder.join(&name);
    fs::write(&path, record).map_err(CliError::on(&path))?;
    let mut files = vec![Draft {
        name,
        is: "the record",
        bytes: record.to_vec(),
    }];
    for (ending, is, command) in PICTURES {
        let name = format!("{stem}.{ending}");
        let made = folder.join(&name);
        let mut words = Vec::from_iter(command.iter().map(OsString::from));
        words.extend([made.clone().into(), path.clone().into()]);
        perform(words)?;
        let bytes = fs::read(&made).map_err(CliError::on(&made))?;
        files.push(Draft { name, is, bytes });
    }
    Ok(files)
}

/// Runs the command with these words.
fn perform(words: Vec<OsString>) -> Result<Exit, CliError> {
    // Without the settings file: the same seed gives the same files on any machine.
    let cli = super::parse(words, None);
    let cli = cli.map_err(|error| DemoError::Unshown(error.to_string()))?;
    super::run(cli, &Config::default())
}

/// Writes the files, or none if one of them would replace something else.
fn put(folder: &Path, files: &[Draft]) -> Result<(), CliError> {
    let _made = atomic_files::folder(folder).map_err(CliError::on(folder))?;
    let mut missing = Vec::new();
    for file in files {
        let path = folder.join(&file.name);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push((path, file)),
            Err(error) => return Err(CliError::file(&path, error)),
            Ok(there) if there.is_file() && there.len() == file.bytes.len() as u64 => {
                let bytes = fs::read(&path).map_err(CliError::on(&path))?;
                if bytes != file.bytes {
                    return Err(DemoError::Foreign(path).into());
                }
            }
            Ok(_) => return Err(DemoError::Foreign(path).into()),
        }
    }
    for (path, file) in missing {
        atomic_files::create(&path, |out| out.write_all(&file.bytes)).map_err(|error| {
            match FileError::of(&path, error) {
                FileError::Exists(path) => DemoError::Foreign(path).into(),
                other => CliError::from(other),
            }
        })?;
    }
    Ok(())
}

/// Prints what was done, checks the record, and suggests what to try next.
fn print_summary(
    args: &DemoArgs,
    manifest: &Manifest,
    files: &[Draft],
    record: &[u8],
    path: &Path,
) -> Result<Exit, CliError> {
    let mut out = ui::stdout();
    let boards = if args.boards > 1 {
        format!(" on {} boards", args.boards)
    } else {
        String::new()
    };
    writeln!(
        out,
        "A game of {}{boards}: {} has White, {BLACK} has Black, seed {}.\n",
        args.game.title(),
        manifest.players[0].shown(),
        args.seed
    )?;
    let width = files
        .iter()
        .map(|file| args.folder.join(&file.name).as_os_str().len())
        .max()
        .unwrap_or(0);
    for file in files {
        let path = command_line([args.folder.join(&file.name).into_os_string()]);
        writeln!(out, "  {path:width$}  {}", file.is)?;
    }
    let check = vec![OsString::from("check"), path.as_os_str().to_owned()];
    writeln!(out, "\n$ {}", shown(&check))?;
    out.flush()?;
    drop(out);
    let exit = perform(check)?;
    let mut out = ui::stdout();
    writeln!(out, "\nTry next:\n")?;
    for (words, is) in next_steps(args, record, path) {
        writeln!(out, "  {is}\n    {}", shown(&words))?;
    }
    out.flush()?;
    Ok(exit)
}

/// A command line of this program.
fn shown(words: &[OsString]) -> String {
    command_line([&[OsString::from("overboard")], words].concat())
}

/// Commands to try next, with what each is for.
fn next_steps(args: &DemoArgs, record: &[u8], path: &Path) -> Vec<(Vec<OsString>, &'static str)> {
    let file = path.as_os_str();
    let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let with = |before: &[&str]| [words(before), vec![file.to_owned()]].concat();
    let mut steps = Vec::new();
    if let Some(at) = deepest_moment(record) {
        let inside: &[_] = if at.contains('.') {
            &["show", "--around"]
        } else {
            &["show"]
        };
        steps.push((
            with(&[inside, &["--at", &at]].concat()),
            "See one position:",
        ));
    }
    steps.push((with(&["show", "--list"]), "List all positions:"));
    steps.push((
        with(&["check"]),
        "Change a move in the record and check it again; the finding names the rule that is broken:",
    ));
    steps.push((
        with(&["convert", "--to", "plies"]),
        "Convert it to a table with a row for each ply:",
    ));
    steps.push((
        many_games(args),
        "Play twenty more games, and see who is better:",
    ));
    if args.game.game().info().has_boards && args.boards == 1 {
        let linked = words(&["demo", args.game.argument(), "--boards", "3"]);
        steps.push((linked, "Play a match of two teams on linked boards:"));
    }
    steps
}

/// The command for more games of this kind.
fn many_games(args: &DemoArgs) -> Vec<OsString> {
    let (game, boards) = (args.game.argument(), args.boards.to_string());
    let mut words = vec!["selfplay", "--variant", game];
    if args.boards > 1 {
        words.extend(["--boards", &boards]);
    }
    if !args.rules.is_empty() {
        words.extend(["--rules", &args.rules]);
    }
    let white = WHITE[WHITE.len() - 1];
    words.extend(["--player", white, "--player", BLACK, "--pairs", "10"]);
    words.into_iter().map(OsString::from).collect()
}

/// A moment in the middle of the game, in an inner game if there is one.
fn deepest_moment(record: &[u8]) -> Option<String> {
    let mut parser = Parser::new(record, 0, Limits::default());
    let mut referee = AnyReferee::new(Options {
        rows: true,
        no_excerpts: true,
        ..Options::default()
    });
    let mut moments = Vec::new();
    loop {
        let event = parser.next().ok()?;
        if event == Event::Done {
            break;
        }
        referee.hear(event, &parser);
        while let Some(row) = referee.next_row() {
            moments.extend(row.at);
        }
    }
    let steps = |at: &String| at.matches('.').count();
    let deepest = moments.iter().map(steps).max()?;
    moments.retain(|at| steps(at) == deepest);
    moments.get(moments.len() / 2).cloned()
}
