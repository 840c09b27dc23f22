//! What was typed.

mod event;

pub use event::*;

use clap::{
    Args as ClapArgs, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, styling},
};
use clap_complete::Shell;
use overboard_games::registry::{Variant, level_of};
use std::{path::PathBuf, sync::LazyLock};

const STYLES: styling::Styles = styling::Styles::styled()
    .header(styling::AnsiColor::Green.on_default().bold())
    .usage(styling::AnsiColor::Green.on_default().bold())
    .literal(styling::AnsiColor::Cyan.on_default().bold())
    .placeholder(styling::AnsiColor::Cyan.on_default());

/// Tournament and adjudication tools for nested and multi-board chess.
#[derive(Parser, Debug)]
#[command(name = "overboard", version, styles = STYLES, max_term_width = 100, disable_help_subcommand = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 no errors, 1 errors found, 2 unreadable input or wrong arguments.\n\nExamples:\n  overboard check examples/history.pgn\n  overboard explain CH-14\n  overboard show --at 12b examples/history.pgn\n  overboard moves --variant olympic"
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Judge every game of some files.
    Check(CheckArgs),
    /// Write games in canonical form.
    Fmt(FmtArgs),
    /// Show the position after any move of a game.
    Show(ShowArgs),
    /// Turn games into coordinate moves, JSON Lines or FENs, and back.
    Convert(ConvertArgs),
    /// Pick games out of files.
    Select(SelectArgs),
    /// Make one record of the score-sheets of its boards and sub-games.
    Bundle(BundleArgs),
    /// Take nested records apart into score-sheets.
    Unbundle(UnbundleArgs),
    /// List the legal moves of positions.
    Moves(MovesArgs),
    /// Count the lines of play behind positions.
    Perft(PerftArgs),
    /// Play many games between players that are built in.
    Selfplay(SelfplayArgs),
    /// Write down what is to be played, for many machines.
    Plan(PlanArgs),
    /// Play a plan, or one shard of it.
    Run(RunArgs),
    /// Make one ledger of the ledgers of a plan's shards.
    Merge(MergeArgs),
    /// Turn a ledger into games, a table or a summary.
    Ledger(LedgerArgs),
    /// Tell what games have come to: scores, Elo, tests, lengths, ends.
    Stats(StatsArgs),
    /// Count the kings of StrategiChess matches when time ends.
    Score(ScoreArgs),
    /// Print the captains' instructions of StrategiChess matches.
    Orders(OrdersArgs),
    /// Make an event, fill it, look after it.
    Event(EventArgs),
    /// Pair rounds of an event, print them, and check them.
    Pair(PairArgs),
    /// Enter results of an event.
    Result(ResultArgs),
    /// Print the standings of an event.
    Standings(StandingsArgs),
    /// Tell what a rule or a kind of finding means.
    Explain(ExplainArgs),
    /// Print completions for a shell.
    #[command(
        after_help = "Example:\n  overboard completions bash > ~/.local/share/bash-completion/completions/overboard"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder.
    #[command(
        after_help = "Examples:\n  overboard man > overboard.1\n  overboard man --out ~/.local/share/man/man1"
    )]
    Man {
        /// Write `overboard.1` and a page for each command to this folder.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

/// Judge every game of some files: legality of every move, result, claims, clocks, notation.
///
/// Each game gets one line with its verdict; what was found is shown where it stands. Moves behind an
/// illegal one are not judged.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 no errors (warnings do not count), 1 errors found, 2 a file or game cannot be read.\n\nExamples:\n  overboard check round1.pgn round2.pgn\n  overboard check --quiet --deny missing-capture *.pgn\n  zcat games.pgn.gz | overboard check --json - | jq -c 'select(.verdict != \"clean\")'"
)]
pub struct CheckArgs {
    /// Files to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object for each game and a last one with the summary.
    #[arg(long)]
    pub json: bool,
    /// Print nothing of games without errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print notes too, such as tags that are missing.
    #[arg(long)]
    pub notes: bool,
    /// Do not draw the board at an illegal move.
    #[arg(long)]
    pub no_board: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// How games are read and judged.
#[derive(ClapArgs, Debug)]
pub struct JudgingArgs {
    /// Do not report this kind of finding, unless it is an error by itself; may be repeated.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Count this kind of finding as an error; may be repeated.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub deny: Vec<String>,
    /// Count every finding that is not allowed as an error.
    #[arg(long)]
    pub strict: bool,
    /// Rules in force beside those that a record declares, written as in its tag Rules.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Limits on what a record may hold.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Variations inside variations.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_rav_depth: usize,
    /// Blocks inside blocks.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub max_block_depth: usize,
    /// Level of Recursive Chess and depth of Overchess.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub max_level: u32,
    /// Boards side by side.
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    pub max_boards: usize,
    /// Tags of a game.
    #[arg(long, value_name = "N", default_value_t = 4_096)]
    pub max_tags: usize,
    /// Bytes of a tag value.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_tag_value: usize,
    /// Bytes of an action.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_action: usize,
    /// Bytes of a symbol.
    #[arg(long, value_name = "BYTES", default_value_t = 255)]
    pub max_symbol: usize,
}

/// Write games in canonical form: plain chess in PGN export format, nested records with a line for
/// each numbered move and two spaces a level.
///
/// A move is spelt anew only when it was judged legal; everything else is kept as it is.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 with --check: not canonical, 2 a file cannot be read or written.\n\nExamples:\n  overboard fmt games.pgn > clean.pgn\n  overboard fmt --check *.pgn\n  overboard fmt --write club.npgn"
)]
pub struct FmtArgs {
    /// Files to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Name the files that are not canonical, and write nothing.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Replace each file, whole or not at all.
    #[arg(short, long)]
    pub write: bool,
    /// With --check or --write: print one JSON object for each file.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Tell what a rule or a kind of finding means: its text, where it comes from, and an example.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Examples:\n  overboard explain CH-11\n  overboard explain missing-capture\n  overboard explain --json | jq -r .id"
)]
pub struct ExplainArgs {
    /// A rule such as CH-11, a kind of finding such as missing-capture, or a reading of the Swiss system such as SW-1;
    /// all of them are listed without.
    #[arg(value_name = "ID")]
    pub topics: Vec<String>,
    /// Print one JSON object for each.
    #[arg(long)]
    pub json: bool,
}

/// List the legal moves of positions, in coordinates and as they are written in records.
///
/// A position that ends the game has none; its status says how it ended. Without --fen and --fens the
/// position is the one that the game starts from. Positions that come in one by one are answered one by
/// one, so another program may ask and wait for each answer.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard moves --variant olympic\n  overboard moves --fen '7k/8/5KQ1/8/8/8/8/8 b - - 0 1'\n  overboard moves --variant olympic --fens positions.txt --json | jq -r '.moves[].san'"
)]
pub struct MovesArgs {
    #[command(flatten)]
    pub positions: PositionArgs,
}

/// Count the lines of play from positions (perft).
///
/// A line has as many plies as DEPTH says. Mate and stalemate end a line; draws by repetition, by count
/// or by dead position do not (GEN-6). Other programs count the same: where the numbers differ, one of
/// them has a rule wrong, and --divide leads to the move behind which they do.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 a position or a file cannot be read.\n\nExamples:\n  overboard perft 5\n  overboard perft --variant olympic --divide 4\n  overboard perft --variant olympic --fens positions.txt --json 3"
)]
pub struct PerftArgs {
    /// Plies of each line, counted one for each side's move.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=100))]
    pub depth: u32,
    /// Print how many of the lines begin with each move.
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub positions: PositionArgs,
}

/// Which positions of which game.
#[derive(ClapArgs, Debug)]
pub struct PositionArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub variant: VariantName,
    /// Level of Recursive Chess, from 0 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// Boards of StrategiChess side by side in the first position [default: 1].
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "fens"], value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub boards: Option<u16>,
    /// The position [default: the game's first].
    #[arg(long, value_name = "FEN", conflicts_with = "fens")]
    pub fen: Option<String>,
    /// Read positions from this file, one on each line; `-` is standard input. Empty lines and lines
    /// that begin with `#` are passed over.
    #[arg(long, value_name = "FILE")]
    pub fens: Option<PathBuf>,
    /// Rules in force, written as in the tag Rules.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Print one JSON object for each position.
    #[arg(long)]
    pub json: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// A game by its name on the command line, as the registry lists it.
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

    /// The name as the tag Variant holds it: that of a level where one was named, `Mega-Chess`, else the game's.
    pub fn title(self) -> String {
        if level_of(self.name.as_bytes()).is_none() {
            return self.game.name().to_owned();
        }
        let word = |word: &str| {
            word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect()
        };
        self.name.split('-').map(word).collect::<Vec<String>>().join("-")
    }
}

impl ValueEnum for VariantName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<VariantName>> =
            LazyLock::new(|| Variant::arguments().map(|(game, name)| VariantName { game, name }).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name))
    }
}

/// Turn games into coordinate moves, JSON Lines or FENs, and back.
///
/// Coordinate moves (`coord`) are one game a line: the start position as FEN and a tab, where it is not
/// the game's own, then the moves of the main line, such as `e2e4 e7e5`. JSON Lines (`jsonl`) are one
/// game a line and keep everything a record holds but white space. FENs (`fen`) are one a line for every
/// position of the main line, with an empty line behind each game.
///
/// A game that cannot be converted is named on standard error, and the others are converted.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a game could not be converted, 2 input cannot be read.\n\nExamples:\n  overboard convert --to coord games.pgn\n  overboard convert --to fen games.pgn | overboard moves --fens -\n  overboard convert --to jsonl club.npgn | jq -r '.elements[].comment | values'\n  overboard convert --from coord --variant olympic --to npgn moves.txt"
)]
pub struct ConvertArgs {
    /// Files to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The form of the files.
    #[arg(long, value_name = "FORM", default_value = "npgn")]
    pub from: Source,
    /// The form to write.
    #[arg(long, value_name = "FORM")]
    pub to: Target,
    /// With --from coord: the game that is played; other forms say it themselves.
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub variant: VariantName,
    /// Level of Recursive Chess, for `--from coord` [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// With --from coord: rules agreed, written as in the tag Rules, such as `fog:prisoners`.
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Make one record of the score-sheets of its boards and sub-games.
///
/// A sheet names the sheet that it belongs to in its tag Parent: `7/12w` is the sub-game of White's over-move 12
/// in the game with the GameId 7, `7/B` board B of it. Two sheets of one game are compared, and become one
/// where only remarks differ.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 some sheets do not make a record, 2 a file cannot be read or written.\n\nExamples:\n  overboard bundle sheets/*.pgn > match.npgn\n  overboard bundle --output match.npgn sheets.npgn"
)]
pub struct BundleArgs {
    /// Files of sheets; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the records here, whole or not at all, and not to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With --output: print one JSON object for each record.
    #[arg(long, requires = "output")]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Take nested records apart into score-sheets.
///
/// Every sub-game of Overchess, and every board of a match on linked boards, becomes a record of its own; `bundle` makes
/// the very same record of them again. Games of one board stay as they are.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 a record cannot be taken apart, 2 a file cannot be read or written.\n\nExamples:\n  overboard unbundle match.npgn > sheets.npgn\n  overboard unbundle match.npgn | overboard bundle -"
)]
pub struct UnbundleArgs {
    /// Files of records; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the sheets here, whole or not at all, and not to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// With --output: print one JSON object for each record.
    #[arg(long, requires = "output")]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What games are read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Source {
    /// Records.
    Npgn,
    /// Lines of coordinate moves.
    Coord,
    /// JSON Lines.
    Jsonl,
}

/// What games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Target {
    /// Records in canonical form.
    Npgn,
    /// Lines of coordinate moves.
    Coord,
    /// JSON Lines.
    Jsonl,
    /// Positions.
    Fen,
    /// Records of chess: every sub-game of Overchess, every board of Mega-Chess that was played on.
    Pgn,
}

const VERDICTS: [&str; 6] = ["clean", "undetermined", "infraction", "wrong-result", "illegal", "unreadable"];

/// Pick games out of files, byte for byte as they stand there.
///
/// Conditions of one kind are alternatives: `--number 1 --number 3` picks both games. Conditions of
/// several kinds must all be met. Without any, all games are picked.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 no game was picked, 2 a file cannot be read or written.\n\nExamples:\n  overboard select --verdict illegal --verdict wrong-result club.npgn\n  overboard select --tag 'White~Anderssen' --number 1-10 games.pgn\n  overboard select --split folder games.pgn"
)]
pub struct SelectArgs {
    /// Files to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Games with this tag: `Name=value` for the whole value, `Name~text` for a part of it; capitals
    /// and small letters count alike.
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Games with this verdict.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = VERDICTS)]
    pub verdict: Vec<String>,
    /// Games with these numbers in their file, such as `3` or `5-8` or `9-`.
    #[arg(long, value_name = "RANGE", value_delimiter = ',')]
    pub number: Vec<String>,
    /// Pick the games that do not meet the conditions.
    #[arg(long)]
    pub invert: bool,
    /// Write each game to a file of its own in this folder, such as `club-000012.pgn` for game 12 of
    /// `club.pgn`, and print its name; no file is written over.
    #[arg(long, value_name = "FOLDER")]
    pub split: Option<PathBuf>,
    /// Print one JSON object for each game picked instead of the games.
    #[arg(long)]
    pub json: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Show the position after any move of a game, or a position.
///
/// Without a file and --fen it is the position that the game --variant starts from. Where the game does
/// not get to the move asked for, the last position known is shown, with a warning and exit code 1.
#[derive(ClapArgs, Debug)]
#[command(
    group = clap::ArgGroup::new("picture").multiple(true),
    after_help = "Exit codes: 0 done, 1 the game does not get there, 2 input cannot be read.\n\nExamples:\n  overboard show --at 12b examples/history.pgn\n  overboard show --game 2 --at end --svg end.svg examples/history.pgn\n  overboard show --variant olympic --fen '4k/1+P3/5/5/K4[RRsp] b - - 0 9'"
)]
pub struct ShowArgs {
    /// The file that holds the game; `-` is standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "variant"])]
    pub file: Option<PathBuf>,
    /// Number of the game in the file.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file", conflicts_with_all = ["fen", "variant"], value_parser = clap::value_parser!(u64).range(1..))]
    pub game: u64,
    /// Where in the game: `start`, `end`, or behind a move, such as `23w` for White's and `23b` for
    /// Black's move 23, counted as the position does; `23.` and `23...` mean the same. On linked boards
    /// `23A` and `23a` are move 23 of White and of Black on board A. In Overchess `2w.d5.7b` is move 7 of Black in
    /// the sub-game on d5 behind White's over-move 2, and `2w.d5` its end.
    #[arg(long, value_name = "MOVE", default_value = "end", requires = "file", conflicts_with_all = ["fen", "variant"])]
    pub at: String,
    /// List every moment of the game as --at takes it, with its position; in Overchess those of sub-games, too.
    #[arg(long, requires = "file", conflicts_with_all = ["at", "fen", "variant", "board", "ascii", "as_fen", "picture"])]
    pub list: bool,
    /// A position instead of the position of a game.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// With --fen, or alone: the game that the position belongs to.
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub variant: VariantName,
    /// Level of Recursive Chess [default: 1].
    #[arg(long, value_name = "N", conflicts_with = "file", value_parser = clap::value_parser!(u8).range(..=64))]
    pub level: Option<u8>,
    /// Boards of StrategiChess side by side in the first position [default: 1].
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "fen"], value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub boards: Option<u16>,
    /// Show this one of many boards alone: `B` of linked boards, `A2` or `A2.B1` of nested ones, and the
    /// sub-game that is being played on `e5`.
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Draw letters instead of figures: White's capital, Black's small.
    #[arg(long)]
    pub ascii: bool,
    /// Print the position as FEN.
    #[arg(long = "as-fen", conflicts_with = "json")]
    pub as_fen: bool,
    /// Write an SVG file; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "picture")]
    pub svg: Option<PathBuf>,
    /// Write a PNG file; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "picture")]
    pub png: Option<PathBuf>,
    /// With --svg or --png: pixels of a square.
    #[arg(long, value_name = "PIXELS", default_value_t = 60, requires = "picture", value_parser = clap::value_parser!(u16).range(8..=400))]
    pub size: u16,
    /// With --svg or --png: letters instead of drawings of the pieces.
    #[arg(long, requires = "picture")]
    pub letters: bool,
    /// Print a JSON object with the position and where it stands.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What games are to be played.
#[derive(ClapArgs, Debug)]
pub struct GamesArgs {
    /// The game.
    #[arg(long, value_name = "NAME", default_value = "chess")]
    pub variant: VariantName,
    /// With --variant strategichess: so many boards side by side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub boards: u16,
    /// With --boards: rules agreed, written as in the tag Rules, such as `edition=2025`.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Level of Recursive Chess, from 1 to 64 [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub level: Option<u8>,
    /// A player: `random`, `greedy`, `search:depth=N`, `search:nodes=N`, `search:time=SECONDS` or
    /// `mcts:sims=N`; one alone plays against itself.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    /// Who meets whom [default: pairs of two players, a round robin of more].
    #[arg(long, value_name = "NAME")]
    pub schedule: Option<ScheduleName>,
    /// Play so many pairs of games for each pairing, with colours swapped and one opening a pair.
    #[arg(long, value_name = "N", conflicts_with = "games", required_unless_present = "games", value_parser = clap::value_parser!(u64).range(1..))]
    pub pairs: Option<u64>,
    /// Play so many games for each pairing, colours in turn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The base seed: the same one gives the same games on any machine and any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Start from the positions of this file, one a line; every one comes once before any comes again.
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub openings: Option<PathBuf>,
    /// Start with so many random plies from the game's first position, other ones each round.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub random_plies: u32,
    /// Stop a game after so many plies, and adjudicate it.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub max_plies: u32,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ScheduleName {
    /// Two players against each other, or one against itself.
    Pairs,
    /// Everybody against everybody.
    RoundRobin,
    /// The first against everybody else.
    Gauntlet,
}

/// Play many games between players that are built in, on all processors.
///
/// The ledger holds every game from the moment it is over. A run that was killed goes on when the same
/// command is given again, and its ledger is in the end, byte for byte, that of a run that was not.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard selfplay --player random --games 10000 --ledger random.jsonl\n  overboard selfplay --variant olympic --player search:depth=3 --player search:depth=1 --pairs 200\n  overboard selfplay --schedule gauntlet --player mcts:sims=400 --player greedy --player random --pairs 50 --ledger g.jsonl"
)]
pub struct SelfplayArgs {
    #[command(flatten)]
    pub games: GamesArgs,
    /// The file that holds the games; made new, or gone on with.
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print the summary as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Write down what is to be played, for many machines: a file that never changes.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it cannot be played, or the file is there already.\n\nExample:\n  overboard plan --player search:depth=4 --player search:depth=2 --pairs 100000 --shards 64 night.json"
)]
pub struct PlanArgs {
    #[command(flatten)]
    pub games: GamesArgs,
    /// Parts that the games are shared out to.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub shards: u64,
    /// The file to write.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Play a plan, or one shard of it, into a ledger of its own.
///
/// Which shard it is stands in --shard, or in SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX, counted from
/// 0. Given again, the command goes on where it stopped.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 it cannot be played, or the ledger cannot be used or written.\n\nExamples:\n  overboard run night.json --shard 3/64\n  sbatch --array=0-63 --wrap 'overboard run night.json -j 1'"
)]
pub struct RunArgs {
    /// The plan.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Play part i, from 0, of S.
    #[arg(long, value_name = "i/S")]
    pub shard: Option<String>,
    /// The file that holds the games [default: the plan's name with the shard's behind it].
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Where the plan's file of positions is now.
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print the summary as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Make one ledger of the ledgers of a plan's shards.
///
/// It is, byte for byte, the ledger that one run of the whole would have written. Ledgers of other runs,
/// damaged ones, and two that tell one game differently are refused. When games are missing, they are
/// named, and nothing is written without --allow-gaps.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 games are missing, 2 the ledgers cannot be merged.\n\nExample:\n  overboard merge --out night.jsonl night.*-of-64.jsonl"
)]
pub struct MergeArgs {
    /// The ledgers.
    #[arg(required = true, value_name = "LEDGER")]
    pub ledgers: Vec<PathBuf>,
    /// The file to write, whole or not at all; it must not be there.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write what there is, even when games are missing.
    #[arg(long)]
    pub allow_gaps: bool,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Turn a ledger into games, a table or a summary. Every line is verified on the way.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the ledger cannot be read or is damaged.\n\nExamples:\n  overboard ledger night.jsonl\n  overboard ledger night.jsonl --to npgn > night.npgn\n  overboard ledger night.jsonl --to csv > night.csv"
)]
pub struct LedgerArgs {
    /// The ledger.
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// What to write.
    #[arg(long, value_name = "FORM", default_value = "summary")]
    pub to: View,
    /// With --to summary: print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What a ledger is turned into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum View {
    /// Counts.
    Summary,
    /// Records in canonical form.
    Npgn,
    /// A row a game, without the moves.
    Csv,
}

/// Tell what games have come to: scores with intervals, Elo, tests, lengths, ends.
///
/// The games come out of ledgers and records, or their counts stand on the command line. Games of a pair
/// with colours swapped are taken as one unit, since they depend on each other. Records in which `check`
/// finds an error are left out.
#[derive(ClapArgs, Debug)]
#[command(
    group = clap::ArgGroup::new("games").required(true),
    after_help = "Exit codes: 0 done, 1 records with errors were left out, 2 a file cannot be read or used.\n\nExamples:\n  overboard stats night.jsonl\n  overboard stats --sprt 0,5 --plot-llr llr.svg night.jsonl\n  overboard stats --csv games.npgn > figures.csv\n  overboard stats --pairs 1,9,81,8,1 --sprt 0,5 --model normalised"
)]
pub struct StatsArgs {
    /// Ledgers, or files of records; `-` is standard input.
    #[arg(value_name = "FILE", group = "games")]
    pub files: Vec<PathBuf>,
    /// Wins, draws and losses instead of files.
    #[arg(long, value_name = "W,D,L", value_delimiter = ',', group = "games", conflicts_with_all = ["files", "pairs", "outcomes"])]
    pub wdl: Option<Vec<u64>>,
    /// Pairs of games by the first player's points in them, 0, ½, 1, 1½ and 2, instead of files.
    #[arg(long, value_name = "N,N,N,N,N", value_delimiter = ',', group = "games", conflicts_with_all = ["files", "outcomes"])]
    pub pairs: Option<Vec<u64>>,
    /// Any outcomes instead of files: scores from 0 to 1, each with how many units scored it.
    #[arg(long, value_name = "SCORE:N,…", value_delimiter = ',', value_parser = outcome, group = "games", conflicts_with = "files")]
    pub outcomes: Option<Vec<(f64, u64)>>,
    /// With --outcomes: games of a unit.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "outcomes", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub unit_games: u32,
    /// Test whether the first player is ELO0 or ELO1 better.
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', allow_hyphen_values = true)]
    pub sprt: Option<Vec<f64>>,
    /// What the test fixes: Elo, or Elo normalised by how much games differ.
    #[arg(long, value_name = "MODEL", default_value = "logistic", requires = "sprt")]
    pub model: ModelName,
    /// How often the test may say ELO1 where it is ELO0.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    pub alpha: f64,
    /// How often the test may say ELO0 where it is ELO1.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    pub beta: f64,
    /// Take games one by one, also where they are in pairs.
    #[arg(long)]
    pub by_games: bool,
    /// Do not play the games over again: no count of legal plies and of kings.
    #[arg(long)]
    pub no_replay: bool,
    /// Write an SVG of the score and its interval over the games.
    #[arg(long, value_name = "FILE", requires = "files")]
    pub plot_score: Option<PathBuf>,
    /// Write an SVG of the test's ratio and its bounds over the games.
    #[arg(long, value_name = "FILE", requires_all = ["files", "sprt"])]
    pub plot_llr: Option<PathBuf>,
    /// Write an SVG of how long games are.
    #[arg(long, value_name = "FILE", requires = "files")]
    pub plot_lengths: Option<PathBuf>,
    /// Print a JSON object.
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a table of comma-separated values.
    #[arg(long)]
    pub csv: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// What a test fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelName {
    /// The share of the points.
    Logistic,
    /// The share of the points above one half, in standard deviations of a game.
    Normalised,
}

/// `0.5:171`, a score and how many units scored it.
fn outcome(text: &str) -> Result<(f64, u64), String> {
    text.split_once(':')
        .and_then(|(score, count)| score.parse().ok().zip(count.parse().ok()))
        .ok_or_else(|| "expected a score, a colon and a number of units, such as 0.5:171".into())
}

/// Count the kings of StrategiChess matches when time ends, and say who has won (SC-30).
///
/// Moves count that were completed at or before the expiry; without --expiry, all of them. Where a move
/// has no stamp `[%ts]`, its time is derived from `[%clk]`, `[%emt]` and the tag TimeControl; where it has
/// none at all, both ends are counted. The result and the tag Score of the record are compared.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 all that is claimed is right, 1 something claimed is wrong or not determined, 2 input cannot be read.\n\nExamples:\n  overboard score match.npgn\n  overboard score --expiry 1:30:00 round1/*.npgn\n  overboard score --expiry 1:30:00 --csv round1/*.npgn > round1.csv\n  overboard score --fens final-positions.txt"
)]
pub struct ScoreArgs {
    /// Files to read; `-` is standard input.
    #[arg(required_unless_present = "fens", value_name = "FILE", conflicts_with = "fens")]
    pub files: Vec<PathBuf>,
    /// When time ends: playing time since the start of the match, as `[%ts]` counts it. A move completed
    /// at that second counts.
    #[arg(long, value_name = "H:MM:SS", value_parser = milliseconds, conflicts_with = "fens")]
    pub expiry: Option<u64>,
    /// Count the kings of final positions, one on each line with ` | ` between boards; `-` is standard
    /// input. Empty lines and lines that begin with `#` are passed over.
    #[arg(long, value_name = "FILE")]
    pub fens: Option<PathBuf>,
    /// Print one JSON object for each game.
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print a table of comma-separated values.
    #[arg(long)]
    pub csv: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// `1:30:00`, as milliseconds; all three parts, since `1:30` might be hours or minutes.
fn milliseconds(text: &str) -> Result<u64, String> {
    let below_sixty = |part: &str| {
        let digits = part.split('.').next().unwrap_or_default();
        digits.len() == 2 && digits < "60"
    };
    let parts: Vec<_> = text.split(':').collect();
    let is_whole = matches!(parts[..], [_, minutes, seconds] if below_sixty(minutes) && below_sixty(seconds));
    overboard_formats::command::duration(text.as_bytes())
        .filter(|_| is_whole)
        .ok_or_else(|| "expected hours, minutes and seconds, such as 1:30:00".into())
}

/// Print the captains' instructions of StrategiChess matches, for the other captain to see (SC-41).
///
/// Each stands with the move behind which the record has it. One that is not of the only form allowed
/// (SC-40) loses the game for its team (SC-42); it is quoted, with a mark where it leaves the form.
#[derive(ClapArgs, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 1 an instruction is not of the form allowed, 2 input cannot be read.\n\nExamples:\n  overboard orders match.npgn\n  overboard orders --team W match.npgn\n  overboard orders --json round1/*.npgn | jq -r '.orders[].text'"
)]
pub struct OrdersArgs {
    /// Files to read; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print only the instructions of White's or of Black's captain.
    #[arg(long, value_name = "W|B")]
    pub team: Option<TeamName>,
    /// Print one JSON object for each game that has instructions.
    #[arg(long)]
    pub json: bool,
    /// Use this many threads [default: one for each processor].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// A team by its letter on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TeamName {
    /// White's.
    #[value(name = "W", alias = "w")]
    White,
    /// Black's.
    #[value(name = "B", alias = "b")]
    Black,
}
