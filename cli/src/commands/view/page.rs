//! The page of a game.

use super::{
    Followed, Still,
    tape::drawings,
    transcript::{Transcript, places, tags},
};
use crate::{
    found,
    page::{self, Look},
};
use maud::{Markup, PreEscaped, html};
use overboard_formats::{foreign::Foreign, header::unescape_list};
use overboard_games::registry::Variant;
use overboard_pictures::film::Film;
use overboard_referee::finding::{Finding, Severity, Verdict};
use overboard_rules::{ply::BoardName, refusal::counted};
use serde_json::{Map, Value, json};

/// The style sheet of a viewer.
pub const STYLE: &str = include_str!("viewer.css");
/// The script of a viewer.
pub const SCRIPT: &str = include_str!("viewer.js");

/// A script without what is for its readers alone: types, comments, blanks before lines and around signs, and ends of lines
/// where a statement, a block or an opening bracket ends one. In our scripts every statement ends with a semicolon, and no
/// text has one of these signs between blanks.
pub fn script(source: &str) -> String {
    let mut parts = source.split("/**");
    let mut code = parts.next().unwrap_or_default().to_owned();
    code.extend(parts.map(|part| {
        part.split_once("*/")
            .map_or("", |(_, code)| code.trim_start_matches(' '))
    }));
    let mut script = String::new();
    for line in code
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
    {
        if line.starts_with('}') && script.ends_with(';') {
            script.pop();
        }
        script.push_str(line);
        if !line.ends_with([';', '{', '}', ',', '(', '[']) {
            script.push('\n');
        }
    }
    ["=>", "===", "!==", "&&", "||"]
        .iter()
        .fold(script, |script, sign| {
            script.replace(&format!(" {sign} "), sign)
        })
}

/// What the tags say.
struct About {
    tags: Vec<(String, Foreign)>,
    /// How many boards stand side by side, each with its players.
    boards: usize,
}

impl About {
    fn get(&self, name: &str) -> Option<Foreign<&str>> {
        let found = self
            .tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.lent());
        found.filter(|value| {
            !["", "?", "????.??.??"]
                .iter()
                .any(|unknown| value == unknown)
        })
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
        names
            .as_it_came()
            .split(':')
            .map(|name| Foreign::new(unescape_list(name)))
            .collect()
    }

    /// The teams, or else the players.
    fn teams(&self) -> [Foreign; 2] {
        [("WhiteTeam", "White"), ("BlackTeam", "Black")].map(|(team, side)| match self.get(team) {
            Some(team) => team.kept(),
            None => Foreign::join(self.players(side), "; "),
        })
    }

    /// Whom the page is about.
    fn title(&self) -> Foreign {
        Foreign::join(self.teams(), " – ")
    }
}

/// The page of a game that has been followed. `name` is its name in addresses, `at` the moment at which it opens, `top`
/// its beginning.
pub fn of(followed: Followed, name: &str, at: &str, top: &Markup) -> String {
    let viewer = Viewer::of(followed, name, at, top);
    let body = html! { (viewer.body) (drawn(viewer.film)) };
    page::page_of(
        &viewer.title,
        &body,
        &Look {
            style: STYLE,
            script: Some(&script(SCRIPT)),
        },
    )
}

/// What pages share of the drawings of their games: the drawings and their data.
pub fn drawn(film: Film) -> Markup {
    let (defs, shapes) = drawings(film);
    html! {
        svg #shapes width="0" height="0" aria-hidden="true" { defs { (PreEscaped(defs)) } }
        script #drawn type="application/json" { (PreEscaped(shapes)) }
    }
}

/// The part of a page that steps through a game.
pub struct Viewer {
    /// The names in the title.
    pub title: Foreign,
    /// The HTML, without the drawings.
    pub body: Markup,
    /// The drawings.
    pub film: Film,
}

impl Viewer {
    /// The viewer of a game that has been followed. `name` is its name in addresses, `at` the moment at which it opens,
    /// `top` its beginning.
    pub fn of(followed: Followed, name: &str, at: &str, top: &Markup) -> Self {
        let boards = followed.boards;
        let about = About {
            tags: followed.rows.first().map(tags).unwrap_or_default(),
            boards,
        };
        let Followed {
            rows,
            mut tape,
            last,
            ends,
            variations,
            report,
            ..
        } = followed;
        let findings: Vec<_> = places(&rows, &report.findings)
            .into_iter()
            .zip(&report.findings)
            .filter(|(_, finding)| finding.severity != Severity::Note)
            .collect();
        let moves = Transcript::of(&rows, &findings, &variations, boards > 1);
        findings.iter().for_each(|(place, _)| tape.mark(*place));
        let mut stills = ends;
        stills.extend(findings.iter().filter_map(|(_, finding)| {
            let panel = finding.board.as_deref()?;
            let title = still_title(finding);
            let picture = tape.still(&found::marked(finding, panel.clone()), &title);
            Some(Still { title, picture })
        }));
        let names = if boards > 1 { 0..boards } else { 0..0 };
        let outermost = Vec::from_iter(names.map(|board| BoardName(board).to_string()));
        for path in if outermost.is_empty() {
            vec![String::new()]
        } else {
            outermost
        } {
            let title = if path.is_empty() {
                "The last position".to_owned()
            } else {
                format!("The last position of board {path}")
            };
            if let Some(scene) = last.get(&path) {
                let picture = tape.still(&scene.panel, &title);
                stills.push(Still { title, picture });
            }
        }
        let (film, tape) = tape.finish(facts(&about, name, at, report.variant.lent()));
        let findings: Vec<_> = findings.into_iter().map(|(_, finding)| finding).collect();
        let body = html! {
            (top)
            (header(&about, &findings, report.verdict, report.variant.lent()))
            main {
                (stage())
                section #moves tabindex="0" aria-label="Moves" { (moves) }
                (beside())
            }
            section #stills aria-label="Diagrams" { @for still in &stills { figure { (PreEscaped(&still.picture)) figcaption { (still.title) } } } }
            script #tape type="application/json" { (PreEscaped(tape)) }
        };
        Self {
            title: about.title(),
            body,
            film,
        }
    }
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
fn facts(about: &About, game: &str, at: &str, variant: Foreign<&str>) -> Map<String, Value> {
    let mut names = Map::new();
    let mut name = |path: String, both: [Foreign; 2]| {
        names.insert(path, json!(both.each_ref().map(Foreign::shown)))
    };
    if about.boards > 1 {
        let players = ["White", "Black"].map(|side| (side, about.players(side)));
        for board in 0..about.boards {
            let both = players
                .each_ref()
                .map(|(side, list)| list.get(board).map_or((*side).into(), Foreign::clone));
            name(BoardName(board).to_string(), both);
        }
        name(String::new(), about.teams());
    } else {
        name(
            String::new(),
            ["White", "Black"].map(|side| about.player(side).kept()),
        );
    }
    let mut facts = Map::new();
    for (name, value) in [
        ("game", json!(game)),
        ("at", json!(at)),
        ("whole", json!(variant.shown())),
    ] {
        facts.insert(name.into(), value);
    }
    facts.insert("names".into(), Value::Object(names));
    facts
}

fn header(
    about: &About,
    findings: &[&Finding],
    verdict: Verdict,
    variant: Foreign<&str>,
) -> Markup {
    let known =
        ["Event", "Site", "Date", "Round"].map(|name| about.get(name).map(|value| (name, value)));
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .count();
    let warnings = findings.len() - errors;
    let game = Variant::of(Some(variant.as_it_came().as_bytes()));
    let rules = about.get("Rules").map(|list| list.shown().into_owned());
    html! {
        header {
            h1 { (about.title().shown()) @if let Some(result) = about.get("Result") { " " span.result { (result.shown()) } } }
            p {
                span { (variant.shown()) }
                @for (name, value) in known.into_iter().flatten() {
                    span { @if name == "Round" { "Round " } (value.shown()) }
                }
                @for item in rules.iter().flat_map(|list| list.split(':')) { (rule(game, item)) }
                span.verdict data-v=(if errors > 0 { "bad" } else { "good" }) {
                    @if errors > 0 { (verdict) ": " (counted(errors, "error")) } @else { "Judged: " (verdict) }
                    @if warnings > 0 { ", " (counted(warnings, "warning")) }
                }
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

/// The board and the controls that step through the game; hidden without script.
fn stage() -> Markup {
    let button = |id: &str, sign: &str, name: &str, key: &str| {
        html! { button id=(id) aria-label=(name) title=(format!("{name} ({key})")) { (sign) } }
    };
    html! {
        section #stage hidden aria-label="Board" {
            nav #crumbs aria-label="Outer boards" {}
            p.side { span #upper {} span #kings {} }
            div.frame tabindex="0" role="group" aria-label="Boards" { svg #picture role="img" aria-label="Board" {} }
            p.side { span #lower {} }
            p #caption aria-live="polite" {}
            div #notes {}
            div.bar role="group" aria-label="Steps" {
                (button("first", "|◀", "Beginning", "Home"))
                (button("back", "◀", "Back", "left arrow"))
                (button("next", "▶", "Next", "right arrow"))
                (button("last", "▶|", "End", "End"))
                button #play title="Play automatically (space)" { "Play" }
                (button("in", "↳ In", "Enter the board", "Enter"))
                (button("out", "↰ Out", "Leave the board", "Esc"))
                button #aside hidden title="Into a variation (down arrow) and out of it (up arrow)" { "Variation" }
            }
            input #time type="range" min="0" value="0" aria-label="Time";
            svg #lanes preserveAspectRatio="none" aria-hidden="true" {}
            div.bar role="group" aria-label="Looks" {
                (button("flip", "Flip", "Flip the board", "f"))
                (button("letters", "Letters", "Letters instead of figurines", "l"))
                (button("dark", "Dark", "Dark or light theme", "d"))
                (button("copy", "Copy FEN", "Copy the position", "c"))
            }
            input #fen readonly aria-label="Position as FEN";
            details #words { summary { "The board in words" } p #said {} }
        }
    }
}

/// The boards around, the inner games, and the rosters.
fn beside() -> Markup {
    html! {
        aside #beside hidden aria-label="Beside the board" {
            button #around hidden aria-label="Back to the outer board" {}
            div #rosters tabindex="0" hidden aria-label="What a sub-game has changed" role="region" {}
            div #tree hidden { h2 { "Sub-games" } ul #games {} }
        }
    }
}
