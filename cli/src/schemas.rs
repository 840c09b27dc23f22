//! The JSON Schemas of all JSON that the program writes.
//!
//! They are made from the types that are written, with the feature `schema`. Without it, the program has copies of them,
//! which are in the folder `schemas`: whoever builds the program need not build the maker of schemas. A test with the
//! feature compares the two.

#[cfg(feature = "schema")]
mod made;

/// A JSON Schema.
pub struct JsonSchema {
    /// Its name.
    pub name: &'static str,
    /// What it describes.
    pub title: &'static str,
    /// The commands that write it, with `--json` or the option given.
    pub writers: &'static [&'static str],
    /// Its text.
    pub text: fn() -> String,
}

/// Lists the schemas: their names, titles, writers, what is written for what, and the types of which a value is one.
macro_rules! schemas {
    ($($name:literal, $title:literal, [$($writer:literal),+], $about:literal, $contract:ident [$($of:ty),+];)+) => {
        /// All schemas: first those of commands, then those of files and messages.
        pub const SCHEMAS: &[JsonSchema] = &[$(JsonSchema {
            name: $name,
            title: $title,
            writers: &[$($writer),+],
            #[cfg(not(feature = "schema"))]
            text: || include_str!(concat!("../schemas/", $name, ".json")).into(),
            #[cfg(feature = "schema")]
            text: || made::Outline {
                name: $name,
                title: $title,
                about: $about,
                writers: &[$($writer),+],
            }.schema(made::Contract::$contract, &[$(schemars::SchemaGenerator::subschema_for::<$of>),+]),
        }),+];
    };
}

#[cfg(feature = "schema")]
use {
    crate::{
        commands::{
            bundle, check, config, convert, engine, event, explain, fmt, merge, moves, orders,
            pair, perft, plan, score, select, show,
            standings::{
                norms::NormsReport,
                report::{Explained, GroupsReport, StandingsReport},
            },
            winnable,
        },
        figures, positions, summary, tables,
    },
    overboard_desk::lines as desk,
    overboard_engines::{external::lines, journal},
    overboard_events::{calls::CallSheet, pack::Pack},
    overboard_formats::ply_rows::PlyRow,
    overboard_referee::report::WrittenReport,
    std::collections::BTreeMap,
};

schemas! {
    "check", "Judged games", ["check --json"],
        "One object for each game, then one with the summary.",
        Written[WrittenReport<'static>, check::LastLine];
    "fmt", "Formatted files", ["fmt --check --json", "fmt --write --json"],
        "One object for each file.",
        Written[fmt::Formatted<'static>];
    "show", "Positions of a game", ["show --json", "show --list --json"],
        "One object; with `--list` one for each moment of the game.",
        Written[show::Shown, show::Listed<'static>];
    "select", "Selected games", ["select --json"],
        "One object for each selected game.",
        Written[select::Picked<'static>];
    "bundle", "Records and their sheets", ["bundle --json", "unbundle --json"],
        "One object for each record.",
        Written[bundle::Record];
    "moves", "Legal moves", ["moves --json"],
        "One object for each position; an `error` for one that cannot be used.",
        Written[moves::Position, positions::Refused<'static>];
    "perft", "Legal move sequences, counted", ["perft --json"],
        "One object for each position; an `error` for one that cannot be used.",
        Written[perft::Perft<'static>, positions::Refused<'static>];
    "winnable", "Who can still mate", ["winnable --json"],
        "One object for each position; an `error` for one that cannot be used.",
        Written[winnable::Answered<'static>, positions::Refused<'static>];
    "score", "Kings, counted", ["score --json"],
        "One object for each game or position.",
        Written[score::AccountReport<'static>];
    "orders", "Instructions of captains", ["orders --json"],
        "One object for each game that has instructions.",
        Written[orders::OrdersReport<'static>];
    "config", "Settings", ["config --json"],
        "One object.",
        Written[config::Shown];
    "explain", "Rules, findings and interpretations", ["explain --json"],
        "One object for each id.",
        Written[explain::Explained];
    "stats", "Statistics of games", ["stats --json"],
        "One object.",
        Written[figures::Figures<'static>];
    "run", "The summary of a run",
        ["selfplay --json", "match --json", "run --json", "extend --json", "ledger --json"],
        "One object.",
        Written[summary::Summary<'static>];
    "merge", "Merged ledgers", ["merge --json"],
        "One object.",
        Written[merge::Report];
    "engine-check", "A tested engine", ["engine check --json"],
        "One object.",
        Written[engine::check::Found<'static>];
    "event-change", "A change of an event",
        [
            "event new --json", "event import --json", "event enter --json", "event request --json",
            "event amend --json", "event remove --json", "event lots --json", "event cancel --json",
            "event undo --json", "event redo --json", "event accept --json", "pair next --json", "pair set --json",
            "pair lineup --json", "pair generate --json", "result --json"
        ],
        "One object.",
        Written[event::Done<'static>];
    "event-set", "A change of a setting, or the settings", ["event set --json"],
        "One object for a change; without a value, one for each setting.",
        Written[event::Done<'static>, event::set::Setting<'static>];
    "event-check", "Errors of an event", ["event check --json", "pair check --json"],
        "One object for each error and for each note.",
        Written[event::EventLine<'static>];
    "event-log", "The changes of an event", ["event log --json"],
        "One object for each change.",
        Written[event::log::Shown<'static>];
    "event-repair", "The repair of an event", ["event repair --json"],
        "One object.",
        Written[event::repair::Shown<'static>];
    "event-calls", "Calls of players to games", ["event calls --json"],
        "One object.",
        Written[CallSheet];
    "event-publish", "Published pages", ["event publish --json"],
        "One object.",
        Written[event::publish::Done<'static>];
    "pair-show", "A round of an event", ["pair show --json", "event publish"],
        "One object. A published round is the same.",
        Written[pair::show::RoundReport];
    "pair-table", "A table of pairings", ["pair table --json"],
        "A list of rounds, each a list of games as text.",
        Written[Vec<Vec<String>>];
    "pair-explain", "Why a round is paired as it is", ["pair explain --json"],
        "One object for each sentence.",
        Written[pair::explain::ArticleText<'static>];
    "pair-trials", "Simulated events", ["pair trials"],
        "One object that says what was asked for, then one for each event.",
        Written[pair::trials::Head<'static>, pair::trials::TrialReport];
    "standings", "Standings",
        ["standings --json", "standings --groups --json", "standings --norms --json", "standings --why --json", "event publish"],
        "One object. Published standings are the same.",
        Written[StandingsReport, GroupsReport, NormsReport, Explained<'static>];
    "games", "Games as JSON Lines", ["convert --to jsonl"],
        "One object for each game.",
        Written[convert::GameLine];
    "table-of-games", "A table with a row for each game",
        ["convert --to games", "ledger --to games"],
        "One object for each game.",
        Written[tables::GameRow];
    "table-of-plies", "A table with a row for each ply",
        ["convert --to plies", "ledger --to plies"],
        "One object for each row.",
        Written[PlyRow];
    "ledger-line", "A line of a ledger",
        ["selfplay --ledger", "match --ledger", "run", "merge", "extend"],
        "One object for each game; the first one also describes the run.",
        Written[journal::LedgerLine];
    "plan", "The plan of a run", ["plan"],
        "One object.",
        Written[plan::Plan];
    "to-engine", "Messages to an engine", ["match", "engine check"],
        "One object for each message in the protocol `lines`. `serve --proto lines` reads them.",
        Read[lines::ToEngine];
    "to-desk", "Messages to a desk", ["desk --proto lines"],
        "One object for each message in the protocol of a desk, which reads them.",
        Read[desk::Sent];
    "from-desk", "Messages from a desk", ["desk --proto lines"],
        "One object for each message in the protocol of a desk.",
        Written[desk::FromDesk];
    "from-engine", "Messages from an engine", ["serve --proto lines"],
        "One object for each message in the protocol `lines`. `match` and `engine check` read them.",
        Read[lines::FromEngine];
    "event", "An event in one file", ["event pack"],
        "One object.",
        Written[Pack];
    "published-games", "The games of a player", ["event publish"],
        "A list with an entry for each game.",
        Written[Vec<event::publish::pages::PlayerGame>];
    "published-table", "A published table", ["event publish"],
        "A list with an entry for each row: an object with a text for each column.",
        Written[Vec<BTreeMap<String, String>>];
}
