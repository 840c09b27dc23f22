//! The page of a game.

use super::{
    Followed, Still,
    recorder::LeftOut,
    stage::{beside, desk, keys, stage, tools},
    step_changes::{StepChanges, clock_words, drawings, in_page},
    transcript::{Transcript, places, tags},
};
use crate::{
    finding_details,
    page::{Look, PageParts},
};
use maud::{Markup, PreEscaped, html};
use overboard_formats::{
    command::time_control,
    foreign::{Foreign, visible},
    header::unescape_list,
};
use overboard_games::{bughouse, registry::Variant};
use overboard_pictures::animation::Animation;
use overboard_referee::{
    finding::{Finding, Severity, Verdict},
    game::record::Scene,
};
use overboard_rules::{by_side::BySide, ply::BoardName, refusal::counted, square::Side};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The style sheet of a viewer.
pub const STYLE: &str = include_str!("viewer.css");
/// The files of a viewer's script before the one that opens the page.
macro_rules! viewer_files {
    () => {
        concat!(
            "function viewGame() {\n\"use strict\";\n",
            include_str!("script/tape.js"),
            include_str!("script/steps.js"),
            include_str!("script/board.js"),
            include_str!("script/glide.js"),
            include_str!("script/many.js"),
            include_str!("script/words.js"),
            include_str!("script/side.js"),
            include_str!("script/lanes.js"),
            include_str!("script/copy.js"),
            include_str!("script/hands.js"),
        )
    };
}
/// The script of a viewer: one function, of files that share what they declare.
pub const SCRIPT: &str = concat!(
    viewer_files!(),
    include_str!("script/start.js"),
    "}\nif (document.getElementById(\"tape\")) viewGame();\n"
);
/// The script of a page on which a game is played: the same, and what comes from a desk and goes to it.
pub const DESK_SCRIPT: &str = concat!(
    viewer_files!(),
    include_str!("../desk/script/live.js"),
    include_str!("../desk/script/picking.js"),
    include_str!("../desk/script/choosing.js"),
    include_str!("../desk/script/saying.js"),
    include_str!("script/start.js"),
    "}\n",
    include_str!("../desk/script/wire.js"),
);

/// How a game is named on its page.
#[derive(Clone, Copy)]
pub struct Name<'a> {
    /// Its name in addresses.
    pub address: &'a str,
    /// The name of the file that its record is downloaded as.
    pub file: &'a str,
}

/// A script without what is for its readers alone: types, comments, blanks before lines and around signs, and ends of lines
/// where a statement, a block or an opening bracket ends one. In our scripts every statement ends with a semicolon, and no
/// text has one of these signs between blanks.
pub fn script(source: &str) -> String {
    let mut parts = source.split("/**");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once("*/").unwrap_or_default();
        code.push_str(rest.trim_start_matches(' '));
    }
    let mut script = String::new();
    for line in code.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if line.starts_with('}') && script.ends_with(';') {
            script.pop();
        }
        script.push_str(line);
        if !line.ends_with([';', '{', '}', ',', '(', '[']) {
            script.push('\n');
        }
    }
    for sign in ["=>", "===", "!==", "&&", "||"] {
        script = script.replace(&format!(" {sign} "), sign);
    }
    script
}

/// What the tags say.
struct About {
    tags: Vec<(String, Foreign)>,
    /// How many boards stand side by side, each with its players.
    boards: usize,
}

impl About {
    fn get(&self, name: &str) -> Option<Foreign<&str>> {
        let (_, value) = self.tags.iter().find(|(known, _)| known == name)?;
        match value.as_it_came() {
            "" | "?" | "????.??.??" => None,
            _ => Some(value.lent()),
        }
    }

    fn player(&self, side: &'static str) -> Foreign<&str> {
        self.get(side).unwrap_or(Foreign::new(side))
    }

    /// The players of a side, board by board where there are several.
    fn players(&self, side: &'static str) -> Vec<Foreign> {
        let names = self.player(side);
        if self.boards < 2 {
            return vec![names.kept()];
        }
        let names = names.as_it_came().split(':').map(unescape_list);
        names.map(Foreign::new).collect()
    }

    /// The teams, or else the players.
    fn teams(&self) -> [Foreign; 2] {
        [("WhiteTeam", "White"), ("BlackTeam", "Black")].map(|(team, side)| match self.get(team) {
            Some(team) => team.kept(),
            None => Foreign::join(self.players(side), "; "),
        })
    }

    /// What a clock shows before the first move, as far as the time control says it.
    fn first_clock(&self) -> Option<String> {
        let control = time_control(self.get("TimeControl")?.as_it_came()).ok()??;
        let seconds = std::time::Duration::from_millis(control.start?).as_secs_f64();
        Some(clock_words(seconds))
    }

    /// Whom the page is about.
    fn title(&self) -> Foreign {
        Foreign::join(self.teams(), " – ")
    }
}

/// The page of a game that has been followed. `at` is the moment at which it opens, `top` its beginning.
pub fn of(followed: Followed, name: Name<'_>, at: &str, top: &Markup) -> PageParts {
    let viewer = Viewer::of(followed, name, at, top);
    let parts = vec![viewer.body, drawn(viewer.animation)];
    let look = Look {
        style: STYLE,
        script: Some(&script(SCRIPT)),
        connects: false,
    };
    PageParts::of(&viewer.title, parts, &look)
}

/// What pages share of the drawings of their games: the drawings and their data.
pub fn drawn(animation: Animation) -> Markup {
    let (defs, shapes) = drawings(animation);
    html! {
        svg #shapes width="0" height="0" aria-hidden="true" { defs { (PreEscaped(defs)) } }
        script #drawn type="application/json" { (PreEscaped(in_page(&shapes.to_string()))) }
    }
}

/// The part of a page that steps through a game.
pub struct Viewer {
    /// The names in the title.
    pub title: Foreign,
    /// The HTML, without the drawings.
    pub body: Markup,
    /// The drawings.
    pub animation: Animation,
}

/// Which boards are drawn as pictures by themselves, for readers without script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stills {
    /// The ends of all games, and where something was found.
    All,
    /// None: the page needs a script.
    None,
}

/// What a page shows of a game, part by part.
pub struct Parts {
    /// The names in the title.
    pub title: Foreign,
    /// The names, the result, and what kind of game it is.
    pub head: Markup,
    /// Where and when it was played, its options, and what the referee found.
    pub facts: Markup,
    /// The list of moves.
    pub moves: Markup,
    /// What is drawn on the boards.
    pub legend: Markup,
    /// What the script steps through.
    pub changes: Map<String, Value>,
    /// The drawings.
    pub animation: Animation,
    /// Boards as pictures by themselves, for readers without script.
    stills: Vec<Still>,
    record: Option<String>,
}

impl Viewer {
    /// The viewer of a game that has been followed. `at` is the moment at which it opens, `top` its beginning.
    pub fn of(followed: Followed, name: Name<'_>, at: &str, top: &Markup) -> Self {
        let parts = Parts::of(followed, name, at, Stills::All);
        let changes = in_page(&Value::Object(parts.changes).to_string());
        let body = html! {
            (top)
            (parts.head)
            main {
                (stage())
                div #column {
                    (parts.facts)
                    (parts.moves)
                    (desk())
                    (beside())
                    (tools(parts.record.is_some()))
                }
            }
            (parts.legend)
            (keys())
            section #stills aria-label="Diagrams" { @for still in &parts.stills { figure { (PreEscaped(&still.picture)) figcaption { (still.title) } } } }
            script #tape type="application/json" { (PreEscaped(changes)) }
            @if let Some(record) = parts.record { script #record type="application/json" { (PreEscaped(in_page(&json!(record).to_string()))) } }
        };
        Self {
            title: parts.title,
            body,
            animation: parts.animation,
        }
    }
}

impl Parts {
    /// The parts of a game that has been followed. `at` is the moment at which the page opens.
    pub fn of(followed: Followed, name: Name<'_>, at: &str, wanted: Stills) -> Self {
        let boards = followed.boards;
        let about = About {
            tags: followed.rows.first().map(tags).unwrap_or_default(),
            boards,
        };
        let Followed {
            rows,
            mut changes,
            last,
            ends,
            variations,
            report,
            record,
            left_out,
            ..
        } = followed;
        let places = places(&rows, &report.findings);
        let (mut all, mut findings) = (Vec::new(), Vec::new());
        for (place, finding) in places.into_iter().zip(&report.findings) {
            if finding.severity == Severity::Note {
                continue;
            }
            all.push(finding);
            if !left_out.has((finding.place.line, finding.column)) {
                findings.push((place, finding));
            }
        }
        let unseen = all.len() - findings.len();
        let moves = Transcript::of(&rows, &findings, &variations, boards > 1);
        for (place, _) in &findings {
            changes.mark(*place);
        }
        let mut stills = ends;
        if wanted == Stills::All {
            stills.extend(stills_of(&findings, &mut changes));
            stills.extend(final_stills(boards, &last, &mut changes));
        }
        let game = Variant::of(Some(report.variant.as_it_came().as_bytes()));
        let facts = facts(&about, (name, game), at, report.variant.lent());
        let (animation, changes) = changes.finish(facts);
        Self {
            title: about.title(),
            head: header(&about, game, report.variant.lent()),
            facts: html! { (facts_line(&about, &all, report.verdict, game)) (full(&left_out, unseen)) },
            moves,
            legend: legend(game),
            changes,
            animation,
            stills,
            record,
        }
    }
}

/// The positions in which something was found.
fn stills_of(findings: &[(usize, &Finding)], changes: &mut StepChanges) -> Vec<Still> {
    let mut stills = Vec::new();
    for (_, finding) in findings {
        if let Some(panel) = finding.board.as_deref() {
            let title = still_title(finding);
            let picture = changes.still(&finding_details::marked(finding, panel.clone()), &title);
            stills.push(Still { title, picture });
        }
    }
    stills
}

/// The last position of each outermost board.
fn final_stills(
    boards: usize,
    last: &BTreeMap<String, Scene>,
    changes: &mut StepChanges,
) -> Vec<Still> {
    let mut stills = Vec::new();
    for board in 0..boards.max(1) {
        let (title, path) = if boards > 1 {
            let path = BoardName(board).to_string();
            (format!("Final position of board {path}"), path)
        } else {
            ("Final position".to_owned(), String::new())
        };
        if let Some(scene) = last.get(&path) {
            let picture = changes.still(&scene.panel, &title);
            stills.push(Still { title, picture });
        }
    }
    stills
}

/// What the page has no room for.
fn full(left_out: &LeftOut, findings: usize) -> Markup {
    let mut some = Vec::new();
    if left_out.steps > 0 {
        let steps = counted(left_out.steps, "step");
        some.push(match left_out.from {
            Some((line, _)) => format!("{steps} from line {line} on"),
            None => steps,
        });
    }
    if left_out.plies > 0 {
        some.push(counted(left_out.plies, "move") + " in variations");
    }
    if left_out.words > 0 {
        some.push(counted(left_out.words, "byte") + " of comments and tags");
    }
    if findings > 0 {
        some.push(counted(findings, "finding"));
    }
    html! { @if !some.is_empty() { p.full { "This page is full. Left out: " (some.join("; ")) "." } } }
}

/// The title of the picture of a finding.
pub fn still_title(finding: &Finding) -> String {
    let title = format!(
        "{} {}",
        finding.number.as_deref().unwrap_or(""),
        finding.text.shown()
    );
    title.trim().to_owned()
}

/// What the script knows beside the steps.
fn facts(
    about: &About,
    (name_of_game, game): (Name<'_>, Option<Variant>),
    at: &str,
    variant: Foreign<&str>,
) -> Map<String, Value> {
    let mut facts = Map::new();
    for (name, value) in [
        ("game", json!(name_of_game.address)),
        ("file", json!(visible(name_of_game.file))),
        ("at", json!(at)),
        ("clock", json!(about.first_clock())),
        ("whole", json!(variant.shown())),
    ] {
        facts.insert(name.into(), value);
    }
    facts.insert("names".into(), Value::Object(names(about, game)));
    facts
}

/// White's and Black's names by board; those of the whole game have no board.
fn names(about: &About, game: Option<Variant>) -> Map<String, Value> {
    let shown = |both: [Foreign; 2]| json!(both.each_ref().map(Foreign::shown));
    let mut names = Map::new();
    if about.boards <= 1 {
        let both = ["White", "Black"].map(|side| about.player(side).kept());
        names.insert(String::new(), shown(both));
        return names;
    }
    let is_of_pairs = game.is_some_and(|game| game.info().of_pairs);
    let teams = BySide::new(about.players("White"), about.players("Black"));
    let seated = |board: usize, side: Side| {
        let team = if is_of_pairs {
            bughouse::team(board, side)
        } else {
            side
        };
        match teams[team].get(board) {
            Some(name) => name.clone(),
            None => side.to_string().into(),
        }
    };
    for board in 0..about.boards {
        let both = [seated(board, Side::White), seated(board, Side::Black)];
        names.insert(BoardName(board).to_string(), shown(both));
    }
    names.insert(String::new(), shown(about.teams()));
    names
}

/// The names and the result, and what kind of game it is.
fn header(about: &About, game: Option<Variant>, variant: Foreign<&str>) -> Markup {
    html! {
        header {
            h1 { (about.title().shown()) @if let Some(result) = about.get("Result") { " " span.result { (result.shown()) } } }
            p.intro {
                b { (variant.shown()) }
                @if let Some(game) = game { " – " (game.info().intro) }
            }
        }
    }
}

/// Where and when the game was played, its options, and what the referee found.
fn facts_line(
    about: &About,
    findings: &[&Finding],
    verdict: Verdict,
    game: Option<Variant>,
) -> Markup {
    let is_error = |finding: &&&Finding| finding.severity == Severity::Error;
    let errors = findings.iter().filter(is_error).count();
    let warnings = findings.len() - errors;
    html! {
        p.facts {
            @for name in ["Event", "Site", "Date", "Round"] {
                @if let Some(value) = about.get(name) { span { @if name == "Round" { "Round " } (value.shown()) } }
            }
            @if let Some(list) = about.get("Rules") {
                @for item in list.shown().split(':') { (rule(game, item)) }
            }
            span.verdict data-v=(if errors > 0 { "bad" } else { "good" }) {
                @if errors > 0 { (verdict) ": " (counted(errors, "error")) } @else { "Judged: " (verdict) }
                @if warnings > 0 { ", " (counted(warnings, "warning")) }
            }
        }
    }
}

/// A rule in force; in words if the game has it.
fn rule(game: Option<Variant>, item: &str) -> Markup {
    match game.and_then(|game| game.option_in_words(item)) {
        Some((words, rule)) => html! { span.rule title=(rule.gist) { (words) " (" (rule.id) ")" } },
        None => html! { span.rule { (item) } },
    }
}

/// What is drawn on the boards of this game and not on those of chess, each with its rule.
fn legend(game: Option<Variant>) -> Markup {
    let signs = game.map_or(&[][..], |game| game.info().signs);
    html! {
        @if !signs.is_empty() {
            details #legend {
                summary { "What is drawn on the boards" }
                dl {
                    @for sign in signs {
                        dt { (sign.on.title()) }
                        dd data-s=(sign.on.name()) { (sign.words) " " span.law { "(" (sign.rule.id) ": " (sign.rule.gist) ")" } }
                    }
                }
            }
        }
    }
}
