//! Options that several commands have.

use crate::{
    exit::{CliError, Exit, PartError},
    show_command::in_a_shell,
    ui,
};
use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, RangedI64ValueParser},
};
use overboard_events::{
    Event,
    change::Amendment,
    names,
    store::{Folder, Mode, Session, StoreError},
};
use overboard_formats::{
    limits::Limits,
    san::{LANGUAGES, Language},
};
use overboard_games::registry::{GAMES, Variant};
use overboard_referee::{
    Options,
    finding::{CODES, Code, Weights},
    meant::did_you_mean,
};
use overboard_rules::variant::{OptionValue, RuleOption};
use std::{collections::BTreeSet, path::PathBuf, sync::LazyLock};

/// Parses a number from 1 on.
pub fn from_one() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}

/// Details of a player, when entered or later.
#[derive(Args, Debug)]
pub struct DetailArgs {
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
}

impl DetailArgs {
    /// The same as a change of an entry.
    pub fn amendment(&self) -> Amendment {
        Amendment {
            rating: self.rating,
            title: self.title.clone(),
            federation: self.federation.clone(),
            fide_id: self.fide_id.clone(),
            birth: self.birth.clone(),
            sex: self.sex.clone(),
            role: self.role.as_deref().and_then(|role| role.parse().ok()),
            pieces: self.pieces.clone(),
            ..Amendment::default()
        }
    }
}

/// The folder of an event.
#[derive(Args, Debug)]
pub struct FolderArgs {
    /// The event's folder.
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

impl FolderArgs {
    /// The folder as a word of a command to paste into a shell.
    pub fn in_a_shell(&self) -> String {
        in_a_shell(&self.folder)
    }

    /// The folder as it appears in notes.
    pub fn shown(&self) -> String {
        self.folder.display().to_string()
    }

    /// Locks the event in order to change it.
    pub fn open(&self, change: &ChangeArgs) -> Result<Folder, StoreError> {
        Folder::open(&self.folder, change.said.session())
    }

    /// The same, with the event.
    pub fn open_event(&self, change: &ChangeArgs) -> Result<(Folder, Event), CliError> {
        let folder = self.open(change)?;
        let event = folder.event()?;
        Ok((folder, event))
    }

    /// Creates the folder of a new event.
    pub fn make(&self, change: &ChangeArgs) -> Result<Folder, StoreError> {
        Folder::make(&self.folder, change.said.session())
    }

    /// The outcome of a command on this folder: if a message suggests a command, `FOLDER` is replaced by the folder's
    /// name, which only the command line knows.
    pub fn named(&self, outcome: Result<Exit, CliError>) -> Result<Exit, CliError> {
        let words = |error: CliError| error.to_string().replace("FOLDER", &self.in_a_shell());
        outcome.map_err(|error| match error {
            CliError::Event(_)
            | CliError::Part(_)
            | CliError::Store(
                StoreError::NotUndone(_) | StoreError::NoChange(_) | StoreError::NotDifferent(_),
            ) => CliError::Event(words(error)),
            CliError::Store(StoreError::Damaged(_) | StoreError::Differs { .. }) => {
                CliError::Lines(words(error).lines().map(str::to_owned).collect())
            }
            other => other,
        })
    }
}

/// How many threads are used.
#[derive(Args, Debug)]
pub struct JobsArgs {
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Who changes an event, and why: the log of the event keeps both.
#[derive(Args, Debug, Default)]
pub struct WhoArgs {
    /// Who makes this change, for the log; otherwise the setting `by` says it.
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    pub by: Option<String>,
    /// Why, for the log.
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    pub reason: Option<String>,
}

impl WhoArgs {
    /// What the log is to say of this change.
    pub fn session(&self) -> Session {
        Session {
            by: self.by.clone(),
            reason: self.reason.clone(),
            say: ui::note,
            ..Session::default()
        }
    }
}

/// A text of one line that is not empty.
pub fn one_line(text: &str) -> Result<String, String> {
    names::name(text).map_err(|odd| odd.to_string())
}

/// How a command writes.
#[derive(Args, Debug, Default)]
pub struct WriteArgs {
    /// Print what would change, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

impl WriteArgs {
    /// Whether the command writes its changes.
    pub const fn mode(&self) -> Mode {
        if self.dry_run { Mode::Dry } else { Mode::Write }
    }
}

/// How a command that changes an event does so.
#[derive(Args, Debug, Default)]
pub struct ChangeArgs {
    #[command(flatten)]
    pub write: WriteArgs,
    #[command(flatten)]
    pub said: WhoArgs,
}

/// How a table is printed.
#[derive(Args, Debug)]
pub struct FormArgs {
    /// The form.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub to: Form,
    /// With --to csv: put an apostrophe before cells that a spreadsheet would take for formulas.
    #[arg(long)]
    pub safe: bool,
    /// Print a JSON object.
    #[arg(long, conflicts_with_all = ["to", "safe"])]
    pub json: bool,
}

/// Forms of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    /// Plain text.
    Text,
    /// Comma-separated values.
    Csv,
    /// Markdown.
    Markdown,
    /// HTML to print.
    Html,
}

/// A game by one of its names on the command line: every value that the tag Variant may have is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantName {
    game: Variant,
    name: &'static str,
}

impl VariantName {
    /// The game; Mega-Chess is Recursive Chess of level 1.
    pub const fn game(self) -> Variant {
        self.game
    }

    /// The name on the command line.
    pub const fn argument(self) -> &'static str {
        self.name
    }

    /// The level that was given, else the one that the name stands for.
    ///
    /// # Errors
    /// If the name stands for another level. Mega-Chess is also the short name of the whole family, so any level may
    /// follow it.
    pub fn level(self, given: Option<u8>) -> Result<Option<u8>, OptionError> {
        let named = self.named_level();
        match (given, named) {
            (Some(given), Some(named)) if given != named => {
                Err(OptionError::OtherLevel(self.title(), named, given))
            }
            _ => Ok(given.or(named)),
        }
    }

    fn named_level(self) -> Option<u8> {
        if self.is_listed() {
            return None;
        }
        GAMES.level_of(self.name.as_bytes())
    }

    /// The name for the tag Variant: with a level if one was named, as in `Mega-Chess`, else that of the game.
    pub fn title(self) -> String {
        if GAMES.level_of(self.name.as_bytes()).is_none() {
            return self.game.name().to_owned();
        }
        ui::titled(self.name)
    }

    /// Whether help lists the name.
    fn is_listed(self) -> bool {
        self.game.info().arguments.contains(&self.name)
    }

    /// All names that are values of their own: those that help lists, and names of levels.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (game, name) in Variant::arguments() {
            all.push(Self { game, name });
        }
        for game in Variant::ALL {
            for spelling in game.info().spellings {
                let is_new = |known: &Self| GAMES.level_of(known.name.as_bytes()) != spelling.level;
                if spelling.level.is_some() && all.iter().all(is_new) {
                    all.push(Self {
                        game: *game,
                        name: spelling.text,
                    });
                }
            }
        }
        all
    }

    /// The other names that mean the same.
    fn aliases(self) -> impl Iterator<Item = &'static str> {
        let level = GAMES.level_of(self.name.as_bytes());
        let spellings = self.game.info().spellings.iter();
        spellings
            .filter(move |spelling| spelling.level == level && spelling.text != self.name)
            .map(|spelling| spelling.text)
    }
}

impl ValueEnum for VariantName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<VariantName>> = LazyLock::new(VariantName::all);
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.name).aliases(self.aliases());
        Some(value.hide(!self.is_listed()))
    }
}

/// Parses `1:30:00` to milliseconds. All three parts are required, since `1:30` might be hours or minutes.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    match overboard_formats::command::duration(text.as_bytes()) {
        Some(duration) if has_all_parts(text) => Ok(duration),
        _ => Err("expected hours, minutes and seconds, such as 1:30:00".into()),
    }
}

fn has_all_parts(text: &str) -> bool {
    let parts: Vec<_> = text.split(':').collect();
    matches!(parts[..], [_, minutes, seconds] if is_below_sixty(minutes) && is_below_sixty(seconds))
}

fn is_below_sixty(part: &str) -> bool {
    let digits = part.split('.').next().unwrap_or_default();
    digits.len() == 2 && digits < "60"
}

/// How games are read and judged.
#[derive(Args, Debug)]
pub struct JudgingArgs {
    /// Do not report these kinds of warning or note: codes separated by commas (list: overboard explain).
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Treat these kinds of warning or note as errors: codes separated by commas (list: overboard explain).
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Treat every warning and note as an error, except `claimable` and those given with --allow.
    #[arg(long)]
    pub strict: bool,
    /// Options of the game in addition to those in the tag Rules, such as `fog:prisoners` or `edition=2025`; games
    /// that do not have an option are judged without it.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "",
        hide_default_value = true
    )]
    pub rules: String,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Limits on what a record may hold.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Read records of games that are still going on: what is open where a record ends (sub-games, a turn,
    /// variations) closes there, and a missing result is `*`.
    #[arg(long, help_heading = "Reading")]
    pub so_far: bool,
    /// Maximum depth of nested variations.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 100_000
    )]
    pub max_rav_depth: usize,
    /// Maximum depth of nested blocks `<...>`, such as sub-games and turns.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 1_000
    )]
    pub max_block_depth: usize,
    /// Maximum level of Recursive Chess, and depth of Overchess.
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 64)]
    pub max_level: u32,
    /// Maximum number of boards of StrategiChess.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 1_024
    )]
    pub max_boards: usize,
    /// Maximum number of tags of a game.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 4_096
    )]
    pub max_tags: usize,
    /// Maximum size of a tag value.
    #[arg(long, hide_short_help = true, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_tag_value: usize,
    /// Maximum size of an action such as `<prisoners …>`.
    #[arg(long, hide_short_help = true, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_action: usize,
    /// Maximum size of a symbol, such as a move.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "BYTES",
        default_value_t = 255
    )]
    pub max_symbol: usize,
    #[command(flatten)]
    pub language: LanguageArgs,
}

impl LimitArgs {
    /// The options with other values than their usual ones, as on a command line.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let mut changed = Vec::new();
        let all_usual = flags(&Limits::default());
        for ((name, value), (_, usual)) in flags(&self.into()).into_iter().zip(all_usual) {
            if value != usual {
                changed.push((name, value.to_string()));
            }
        }
        if let Some(LanguageName(language)) = self.language.piece_letters {
            changed.push(("--piece-letters", language.code.into()));
        }
        changed
    }
}

/// The option of each limit that is a number, with its value.
const fn flags(limits: &Limits) -> [(&'static str, usize); 8] {
    [
        ("--max-rav-depth", limits.rav_depth),
        ("--max-block-depth", limits.block_depth),
        ("--max-level", limits.level as usize),
        ("--max-boards", limits.boards),
        ("--max-tags", limits.tags),
        ("--max-tag-value", limits.tag_value),
        ("--max-action", limits.action),
        ("--max-symbol", limits.symbol),
    ]
}

/// The language of the moves in records.
#[derive(Args, Debug, Clone, Copy)]
#[command(next_help_heading = "Reading")]
pub struct LanguageArgs {
    /// Language of the piece letters in moves, as two letters of ISO 639-1: with `de`, `Sf3` is a knight's move
    /// [default: en; in chess, if English lacks a letter of the moves, the first language that has them all]. FENs,
    /// sub-sets, captains' instructions and all of Olympic Chess always use the English letters.
    #[arg(long, value_name = "LANGUAGE", ignore_case = true)]
    pub piece_letters: Option<LanguageName>,
}

impl LanguageArgs {
    /// The language; `None` for English.
    pub fn language(self) -> Option<&'static Language> {
        let LanguageName(language) = self.piece_letters?;
        if language.code == "en" {
            return None;
        }
        Some(language)
    }
}

/// A language by its code on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanguageName(&'static Language);

impl ValueEnum for LanguageName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<LanguageName>> = LazyLock::new(|| {
            let mut all: Vec<_> = LANGUAGES.iter().map(LanguageName).collect();
            all.sort_unstable_by_key(|name| name.0.code);
            all
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(
            PossibleValue::new(self.0.code)
                .help(self.0.name)
                .alias(self.0.name),
        )
    }
}

/// Why options for judging are invalid.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// A kind of finding is unknown.
    #[error("unknown kind of finding `{0}`{1} (`overboard explain` lists them all)")]
    UnknownCode(String, String),
    /// A kind of finding cannot be changed by options.
    #[error("`{0}` is always an error and cannot be {1}")]
    FixedCode(String, &'static str),
    /// A rule belongs to no game.
    #[error("unknown option `{0}` in --rules{1}")]
    UnknownRule(String, String),
    /// The game's name stands for another level than the one given.
    #[error("{0} is Recursive Chess of level {1}; --level {2} needs --variant recursive")]
    OtherLevel(String, u8, u8),
    /// A form of rows was given where none are written.
    #[error("--format is only for --to plies and --to games")]
    FormatOfRows,
    /// Legal plies were to be counted where there are no rows of plies.
    #[error("--choices is only for --to plies")]
    ChoicesOfPlies,
    /// This program was built without the form.
    #[error(
        "this overboard was built without Parquet; `cargo install --path cli --features parquet` builds one with it"
    )]
    NoParquet,
}

impl PartError for OptionError {}

impl From<&LimitArgs> for Limits {
    fn from(args: &LimitArgs) -> Self {
        Self {
            so_far: args.so_far,
            rav_depth: args.max_rav_depth,
            block_depth: args.max_block_depth,
            level: args.max_level,
            boards: args.max_boards,
            tags: args.max_tags,
            tag_value: args.max_tag_value,
            action: args.max_action,
            symbol: args.max_symbol,
            language: args.language.language(),
        }
    }
}

impl JudgingArgs {
    /// The options for the referee.
    pub fn options(&self) -> Result<Options, OptionError> {
        let allowed = codes(&self.allow, "allowed")?;
        let denied = codes(&self.deny, "denied")?;
        are_known(&self.rules)?;
        Ok(Options {
            limits: (&self.limits).into(),
            weights: Weights::new(&allowed, &denied, self.strict),
            rules: self.rules.clone(),
            ..Options::default()
        })
    }
}

/// Options for a command that shows no findings: notes are only counted, and no line of a file is kept.
pub fn without_findings(options: Options) -> Options {
    Options {
        count_notes: true,
        no_excerpts: true,
        ..options
    }
}

/// Refuses rules that no game has.
fn are_known(rules: &str) -> Result<(), OptionError> {
    for item in rules.split(':') {
        if !item.is_empty() && !Variant::any_knows(item) {
            return Err(OptionError::UnknownRule(item.into(), known_rules(item)));
        }
    }
    Ok(())
}

/// An option as the tag Rules has it, with its values: `fog`, `edition=2003|2025`, `depth=…`.
pub fn written_option(option: &RuleOption) -> String {
    match option.value {
        OptionValue::Switch => option.name.to_owned(),
        OptionValue::OneOf(words) => format!("{}={}", option.name, words.join("|")),
        OptionValue::Text(_) => format!("{}=…", option.name),
    }
}

/// The spelling of an option with a similar name, else the options of all games: `; expected depth=…`.
fn known_rules(unknown: &str) -> String {
    let name = unknown.split('=').next().unwrap_or_default();
    let (mut all, mut same) = (BTreeSet::new(), BTreeSet::new());
    for game in Variant::ALL {
        for option in game.info().options {
            if option.name == name {
                same.insert(written_option(option));
            }
            all.insert(written_option(option));
        }
    }
    let expected = if same.is_empty() { all } else { same };
    format!("; expected {}", Vec::from_iter(expected).join(", "))
}

fn codes(names: &[String], doing: &'static str) -> Result<Vec<&'static Code>, OptionError> {
    names
        .iter()
        .map(|name| match Code::find(name) {
            Some(code) if code.is_leniency() => Ok(code),
            Some(code) if doing == "denied" => Ok(code),
            Some(_) => Err(OptionError::FixedCode(name.clone(), doing)),
            None => Err(OptionError::UnknownCode(
                name.clone(),
                did_you_mean(name, CODES.iter().map(|code| code.id)),
            )),
        })
        .collect()
}
