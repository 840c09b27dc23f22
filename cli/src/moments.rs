//! Every moment of a game as one picture: the open boards, the outermost first, or the linked boards.

use crate::{
    commands::show::ShowError,
    exit::CliError,
    finding_details::joined,
    sheets::{Own, open_game},
};
use overboard_formats::{
    foreign::Foreign,
    limits::Limits,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow, Side},
    record::Record,
    san::{CHESS, LINKED},
};
use overboard_games::referee::AnyReferee;
use overboard_pictures::diagram::{Cell, Diagram, Panel, PanelRow};
use overboard_referee::{Options, game::record::Scene, report::Report, rows::SeenRow};
use overboard_rules::square::Square;
use std::{collections::BTreeMap, ops::ControlFlow, path::Path};

/// A moment of a game.
#[derive(Debug)]
pub struct Moment {
    /// Its name for --at: `4w.d5.7b`.
    pub at: String,
    /// The picture.
    pub diagram: Diagram,
    /// The moments among which it is one.
    pub own: Own,
}

impl Moment {
    /// Whether it is one of the sub-game whose sheet was asked for, if it was one.
    pub fn is_own(&self) -> bool {
        self.own.has(&self.at)
    }
}

/// Follows game `number` of a file and shows its moments in their order, for as long as more are wanted; what the
/// referee says of the game, where it was followed to its end.
pub fn follow(
    path: &Path,
    number: u64,
    options: Options,
    visit: &mut dyn FnMut(Moment) -> Result<ControlFlow<()>, CliError>,
) -> Result<Option<Report>, CliError> {
    let mut stage = VisibleGame::default();
    let mut flow = ControlFlow::Continue(());
    let report = rows(
        path,
        number,
        Options {
            scenes: true,
            ..options
        },
        &mut |seen, boards, own| {
            (stage.boards, stage.own) = (boards, own.clone());
            if let Some(moment) = stage.take(seen) {
                flow = visit(moment)?;
            }
            Ok(flow)
        },
    )?;
    match stage.latest.take() {
        Some(moment) if flow.is_continue() => visit(moment).map(|_| report),
        _ => Ok(report),
    }
}

/// How many moments a game has.
pub fn count(path: &Path, number: u64, options: Options) -> Result<u64, CliError> {
    let (mut count, mut latest) = (0, None);
    rows(path, number, options, &mut |seen, _, own| {
        if let Some(at) = seen.row.at
            && latest.as_ref() != Some(&at)
        {
            count += u64::from(own.has(&at));
            latest = Some(at);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(count)
}

/// What is done with a row, the number of linked boards and the moments asked for.
type Visit<'a> = dyn FnMut(SeenRow, usize, &Own) -> Result<ControlFlow<()>, CliError> + 'a;

/// Calls `visit` with the rows of a game.
fn rows(
    path: &Path,
    number: u64,
    options: Options,
    visit: &mut Visit<'_>,
) -> Result<Option<Report>, CliError> {
    let fail = CliError::on(path);
    let opened = open_game(path, number, options.limits)?;
    let (own, number_there) = (opened.own(), opened.game);
    let mut parser = Parser::new(opened.input, 0, options.limits);
    let mut referee = AnyReferee::new(Options {
        rows: true,
        no_excerpts: true,
        ..options
    });
    let (mut count, mut boards) = (0, None);
    loop {
        let event = parser.next().map_err(fail)?;
        if event == Event::Done {
            return Err(ShowError::no_game(path, number, count).into());
        }
        count += u64::from(event == Event::Begin);
        if count != number_there {
            continue;
        }
        referee.hear(event, &parser);
        if boards.is_none() {
            boards = referee.position().map(|position| position.boards());
        }
        let report = match event {
            Event::End => Some(referee.take_report(&mut parser)),
            _ => None,
        };
        while let Some(seen) = referee.next_seen() {
            if visit(seen, boards.unwrap_or(1), &own)?.is_break() {
                return Ok(None);
            }
        }
        if report.is_some() {
            return Ok(report);
        }
    }
}

/// What is visible during a game.
#[derive(Default)]
struct VisibleGame {
    /// The number of linked boards.
    boards: usize,
    /// The moments asked for.
    own: Own,
    /// The boards as last seen, by name; linked boards in their order.
    scenes: Vec<Scene>,
    /// White's and Black's names in the games whose tags give them, by board.
    players: BTreeMap<String, [String; 2]>,
    /// The plies of the current turn of several: the board, and what was played there.
    turn: Vec<(String, String)>,
    /// The current moment; what follows may still belong to it.
    latest: Option<Moment>,
}

impl VisibleGame {
    /// Adds a row; returns the previous moment once that is complete.
    fn take(&mut self, seen: SeenRow) -> Option<Moment> {
        let SeenRow { row, scenes, .. } = seen;
        if row.kind == Kind::Start {
            self.begin(&row);
        }
        for scene in scenes {
            self.put(scene);
        }
        if let (Kind::Ply | Kind::Unsaid | Kind::Stands, Some(coord)) = (row.kind, &row.coord) {
            self.turn.push((row.path.clone(), coord.clone()));
        }
        if row.kind == Kind::End && row.path.is_empty() {
            self.end(&row);
        }
        let at = row.at.clone()?;
        let moment = Moment {
            diagram: self.diagram(&row),
            at,
            own: self.own.clone(),
        };
        // In a turn of several plies, they are kept until the turn is over.
        if row.kind != Kind::Ply || self.boards > 1 || !self.is_nested(&row.path) {
            self.turn.clear();
        }
        let is_new = self.latest.as_ref().map(|latest| &latest.at) != Some(&moment.at);
        let before = self.latest.replace(moment);
        if is_new { before } else { None }
    }

    /// Puts a board in the place of what was seen of it before.
    fn put(&mut self, scene: Scene) {
        let Some(known) = self
            .scenes
            .iter_mut()
            .find(|known| known.path == scene.path)
        else {
            self.scenes.push(scene);
            return;
        };
        // A board as its last ply has left it has no title.
        let title = known.panel.title.take();
        *known = scene;
        if known.panel.title.is_none() {
            known.panel.title = title;
        }
    }

    /// The whole game ends: its result is added to the caption of the last moment.
    fn end(&mut self, row: &PlyRow) {
        let (Some(latest), Some(ending)) = (&mut self.latest, ending(row)) else {
            return;
        };
        let caption = latest.diagram.caption.get_or_insert_default();
        let before = if caption.is_empty() { "" } else { ", " };
        *caption = format!("{}{before}{ending}", caption.as_it_came()).into();
    }

    /// A game begins: nothing is left on its board of an earlier one.
    fn begin(&mut self, row: &PlyRow) {
        let path = &row.path;
        if !path.is_empty() {
            self.scenes.retain(|scene| !is_inside(&scene.path, path));
            self.players.retain(|name, _| !is_inside(name, path));
        }
        if let Some(names) = row.tags.as_deref().and_then(players) {
            self.players.insert(path.clone(), names);
        }
    }

    /// Whether a board is drawn on a square of the board around it.
    fn is_nested(&self, path: &str) -> bool {
        let (around, _) = path.rsplit_once('.').unwrap_or_default();
        let around = self.scene(around);
        !path.is_empty() && around.is_some_and(has_boards)
    }

    /// A board as last seen.
    fn scene(&self, path: &str) -> Option<&Scene> {
        self.scenes.iter().find(|scene| scene.path == path)
    }

    fn diagram(&self, row: &PlyRow) -> Diagram {
        let seen = self.seen(&row.path);
        let tables = seen.first().map(|scene| scene.tables.clone());
        let mut panels = Vec::new();
        for scene in &seen {
            panels.push((scene.path.as_str(), self.titled(scene)));
        }
        for (path, coord) in self.made(row.kind) {
            mark(&mut panels, path, coord, self.boards > 1);
        }
        let panels = panels.into_iter().map(|(_, panel)| panel).collect();
        let joined = seen.iter().any(|scene| scene.joined);
        Diagram {
            caption: self.caption(row),
            rows: vec![PanelRow { panels, joined }],
            tables: tables.unwrap_or_default(),
        }
    }

    /// The plies of the current turn that a row of this kind shows.
    fn made(&self, kind: Kind) -> &[(String, String)] {
        match kind {
            Kind::Turn => &self.turn,
            Kind::Ply | Kind::Unsaid | Kind::Stands => {
                &self.turn[self.turn.len().saturating_sub(1)..]
            }
            _ => &[],
        }
    }

    /// The boards to be shown with one: all linked boards; else those around it and itself, except for a board that is
    /// drawn on a square.
    fn seen(&self, path: &str) -> Vec<&Scene> {
        if self.boards > 1 {
            return self.scenes.iter().collect();
        }
        let mut seen = Vec::new();
        for way in ways_to(path) {
            if let Some(scene) = self.scene(way)
                && (has_boards(scene) || !self.is_nested(way))
            {
                seen.push(scene);
            }
        }
        seen
    }

    /// A board with the names of its players.
    fn titled(&self, scene: &Scene) -> Panel {
        let mut panel = scene.panel.clone();
        if let (Some(title), Some([white, black])) =
            (&mut panel.title, self.players.get(&scene.path))
        {
            *title = format!("{}: {white} - {black}", title.as_it_came()).into();
        }
        panel
    }

    /// A caption: `Ann - Bob, d5: 7. Bxd5+`.
    fn caption(&self, row: &PlyRow) -> Option<Foreign> {
        let mut words = Vec::new();
        if let Some([white, black]) = self.players.get("") {
            words.push(format!("{white} - {black}"));
        }
        words.extend(self.said(row));
        joined(&words).map(Foreign::from)
    }

    /// What was done last.
    fn said(&self, row: &PlyRow) -> Option<String> {
        let san = row.san.as_deref().unwrap_or("");
        let board = if row.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", row.path)
        };
        Some(match row.kind {
            Kind::Start if row.path.is_empty() => return None,
            Kind::Start => format!("a game on {} begins", row.path),
            Kind::Turn => {
                let number = row.number?;
                let side = match row.side? {
                    Side::White => "White",
                    Side::Black => "Black",
                };
                format!("{board}turn {number} of {side}{san}")
            }
            Kind::Result => {
                let (on, result) = row.coord.as_deref()?.rsplit_once('.')?;
                format!("the game on {on} is over: {result}")
            }
            Kind::End => format!("{} is not settled", row.at.as_deref()?),
            _ if self.boards > 1 => format!("{}. {san}", row.at.as_deref().unwrap_or("")),
            _ => format!("{board}{}{san}", number(row)),
        })
    }
}

/// Whether a board is this one or inside it.
fn is_inside(name: &str, path: &str) -> bool {
    match name.strip_prefix(path) {
        Some(rest) => rest.is_empty() || rest.starts_with('.'),
        None => false,
    }
}

/// Whether boards are drawn on the squares of a board.
fn has_boards(scene: &Scene) -> bool {
    scene.panel.boards().next().is_some()
}

/// The number of a move: `7. `, or `7... ` of Black.
fn number(row: &PlyRow) -> String {
    match (row.number, row.side) {
        (Some(number), Some(Side::White)) => format!("{number}. "),
        (Some(number), Some(Side::Black)) => format!("{number}... "),
        _ => String::new(),
    }
}

/// The paths of the boards around a board, from the outermost one on, and its own.
fn ways_to(path: &str) -> Vec<&str> {
    let mut ways = vec![""];
    ways.extend(path.match_indices('.').map(|(dot, _)| &path[..dot]));
    ways.push(path);
    ways.dedup();
    ways
}

/// The result of a game and what brought it: `1-0 (mate)`.
fn ending(row: &PlyRow) -> Option<String> {
    let result = row.result.as_ref()?;
    Some(match &row.ended_by {
        Some(by) => format!("{result} ({by})"),
        None => result.to_string(),
    })
}

/// White's and Black's names in tag pairs; `None` if one of them is missing.
fn players(tags: &str) -> Option<[String; 2]> {
    let record = record_of(tags)?;
    let name = |tag| match record.tag(tag)? {
        "" | "?" => None,
        name => Some(name.to_owned()),
    };
    Some([name("White")?, name("Black")?])
}

/// A record that has these tag pairs and no moves.
fn record_of(tags: &str) -> Option<Record> {
    let text = format!("{tags}\n\n*\n");
    Record::read(&mut Parser::new(text.as_bytes(), 0, Limits::default())).ok()?
}

/// Marks the squares of a ply on its board, or on the picture of that on a square of the board around it.
fn mark(panels: &mut [(&str, Panel)], path: &str, coord: &str, side_by_side: bool) {
    let own = coord.rsplit('.').next().unwrap_or(coord);
    let (own, arrives) = match own.split_once('/') {
        Some(crossing) if side_by_side => crossing,
        _ => (own, path),
    };
    // Every board is part of the largest one.
    let squares = LINKED.squares_in(&own.to_lowercase());
    if side_by_side {
        for (board, square) in [path, arrives].into_iter().zip(squares) {
            if let Some((_, panel)) = panels.iter_mut().find(|(name, _)| *name == board) {
                panel.last.push(square);
            }
        }
        return;
    }
    for (around, panel) in panels.iter_mut() {
        let Some(rest) = path.strip_prefix(*around) else {
            continue;
        };
        let mut steps = rest.split('.').filter(|step| !step.is_empty());
        let Some(on) = steps.next().and_then(square) else {
            panel.last.extend(&squares);
            continue;
        };
        if let Some(Cell::Board(_, board)) = panel.cell_mut(on) {
            if steps.next().is_none() {
                board.last.clone_from(&squares);
            }
            panel.last.push(on);
        }
    }
}

/// The square of a step such as `A2` or `d5`.
fn square(step: &str) -> Option<Square> {
    CHESS.squares_in(&step.to_lowercase()).first().copied()
}
