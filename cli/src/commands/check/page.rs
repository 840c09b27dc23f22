//! `check --html`: the findings, as a page for the arbiter.

use super::edition::Edition;
use crate::{
    commands::view::{
        Empty, Followed, follow_again, follow_text,
        packs::Packs,
        page::{self as viewer, Name, Viewer, still_title},
        record_name,
        transcript::places,
    },
    finding_details,
    games::is_stream,
    grid::or_blank,
    page::{Look, PageParts},
    render::shown_or_unknown,
};
use maud::{Markup, PreEscaped, html};
use overboard_formats::{
    foreign::{Foreign, visible},
    ply_rows::PlyRow,
};
use overboard_pictures::{animation::Animation, diagram::Panel};
use overboard_referee::{
    Options,
    beside::OtherSheet,
    finding::{Excerpt, Finding, Verdict},
    remedy::{Given, Remedy, clock_face},
    report::{Report, Summary},
};
use overboard_rules::{refusal::counted, rule::Rule};
use std::{
    collections::{BTreeSet, HashMap},
    io,
    path::Path,
    sync::Arc,
};

/// About the most that browsers open in a few seconds, in bytes: more than 5,000 games, some with findings and their boards.
const FULL: usize = 28 << 20;

/// The most bytes of the list of games: some 60,000 of them.
const LISTED: usize = 12 << 20;

/// The most games that are read again to be shown: more take minutes.
const FOLLOWED: usize = 10_000;

/// The most findings of a game that are shown.
const SHOWN: usize = 1_000;

/// A list of more games than this can be searched.
const MANY: usize = 10;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The page, written game by game.
#[derive(Default)]
pub struct ReportPage {
    options: Options,
    /// Whether games without errors are left out.
    quiet: bool,
    /// Whether only games are listed, without what is found in them.
    is_list: bool,
    /// Whether there are several files.
    is_many: bool,
    /// The names of the files, in order.
    files: Vec<String>,
    /// Whether the last file is still to be named in the list of games.
    is_new: bool,
    animation: Animation,
    /// A line for each game, and how many there are.
    list: String,
    lines: usize,
    /// The games for which there was no room in the list.
    unlisted: u64,
    /// The games that were read again.
    followed: usize,
    /// The bytes of what is said about games.
    bytes: usize,
    /// The games with findings that are only listed, since the page is full.
    left_out: u64,
    /// The findings, game by game.
    games: Vec<Markup>,
    /// The viewers that step through the games.
    viewers: Packs,
    /// The verdicts and results of games, to choose from.
    verdicts: BTreeSet<Verdict>,
    results: BTreeSet<String>,
    edition: Edition,
    /// What is found in records that sheets make, by the addresses of their texts, which are kept so that these stay theirs.
    wholes: HashMap<usize, (Arc<str>, HashMap<InText, Seen>)>,
}

/// An offset in a text, and the code of what is found there.
type InText = (u64, &'static str);

/// How a finding is shown.
#[derive(Clone, Default)]
struct Seen {
    /// Its board or boards, as pictures.
    pictures: Vec<String>,
    /// The address of its moment in the viewer.
    address: Option<String>,
}

impl ReportPage {
    /// A page for games of this many files, judged under these options.
    pub fn new(options: Options, quiet: bool, files: usize) -> Self {
        Self {
            options: Options {
                no_excerpts: true,
                ..options
            },
            quiet,
            is_many: files > 1,
            ..Self::default()
        }
    }

    /// A page that only lists the games of a file, and opens each.
    pub fn listing(options: Options) -> Self {
        Self {
            is_list: true,
            ..Self::new(options, false, 1)
        }
    }

    /// Adds the report on the next game, which is read again from its file if it has findings; a sheet that was judged with
    /// others is shown in the record that they make.
    ///
    /// # Errors
    /// The file cannot be read again.
    pub fn take(&mut self, report: &Report, path: &Path) -> io::Result<()> {
        let file = report.file.shown().into_owned();
        if self.files.last() != Some(&file) {
            self.files.push(file);
            self.is_new = self.is_many;
        }
        if self.quiet && report.verdict == Verdict::Clean {
            return Ok(());
        }
        let name = if self.is_many {
            format!("g{}.{}", self.files.len(), report.game)
        } else {
            format!("g{}", report.game)
        };
        self.edition.take(report);
        let is_clean = self.is_list || report.findings.is_empty();
        if self.is_full() {
            self.left_out += u64::from(!is_clean);
            self.list(report, None);
            return Ok(());
        }
        self.followed += 1;
        let seen = self.see(report, path, &name)?;
        if !is_clean {
            self.list(report, Some(&format!("#of-{name}")));
            let game = self.game(report, &name, &seen);
            self.bytes += game.0.len();
            self.games.push(game);
        } else if self.viewers.has(&name) {
            self.list(report, Some(&format!("#{name}/")));
        } else {
            self.list(report, None);
        }
        Ok(())
    }

    /// Whether further games are only listed.
    fn is_full(&self) -> bool {
        self.bytes + self.viewers.bytes() > FULL || self.followed >= FOLLOWED
    }

    /// Adds a game to the list, if there is room.
    fn list(&mut self, report: &Report, address: Option<&str>) {
        if self.list.len() > LISTED {
            self.unlisted += 1;
            return;
        }
        if std::mem::take(&mut self.is_new) {
            let file = html! { tr.file { th colspan="4" { (report.file.shown()) } } };
            self.list.push_str(&file.0);
        }
        self.verdicts.insert(report.verdict);
        self.results.insert(result(report));
        self.list.push_str(&line(report, address).0);
        self.lines += 1;
    }

    /// Follows a game for the pictures of its findings, and for stepping through it.
    fn see(&mut self, report: &Report, path: &Path, name: &str) -> io::Result<Vec<Seen>> {
        let options = self.options.clone();
        let seen = match &report.whole {
            _ if report.game == 0 => None,
            // Only what cannot be read to its end is still not a file that can be read from anywhere.
            None if is_stream(path) => None,
            None => {
                let again = |empty| follow_again(report, path, &options, empty);
                self.follow(name, &again, &|followed| is_same(followed, report))?
            }
            Some(whole) => return self.see_in(whole, report, name),
        };
        Ok(match seen {
            Some(seen) => seen.into_iter().map(|(_, seen)| seen).collect(),
            None => Vec::from_iter(report.findings.iter().map(|finding| self.unplaced(finding))),
        })
    }

    /// The same of a sheet, in the record that it makes with others. That is followed once, for the first of them.
    fn see_in(&mut self, whole: &Arc<str>, report: &Report, name: &str) -> io::Result<Vec<Seen>> {
        let key = whole.as_ptr() as usize;
        if !self.wholes.contains_key(&key) {
            let options = self.options.clone();
            let again = |empty| follow_text(whole, &options, empty);
            let seen = self.follow(name, &again, &|_| true)?.unwrap_or_default();
            self.wholes
                .insert(key, (Arc::clone(whole), seen.into_iter().collect()));
        }
        let mut seen = Vec::new();
        for finding in &report.findings {
            seen.push(match self.seen_in_whole(key, finding) {
                Some(known) => known.clone(),
                None => self.unplaced(finding),
            });
        }
        Ok(seen)
    }

    /// A finding of a sheet, as the record that it makes with others shows it.
    fn seen_in_whole(&self, key: usize, finding: &Finding) -> Option<&Seen> {
        let (_, seen) = self.wholes.get(&key)?;
        seen.get(&(finding.in_whole?, finding.code.id))
    }

    /// A finding in a game that cannot be followed.
    fn unplaced(&mut self, finding: &Finding) -> Seen {
        let mut seen = Seen::default();
        if let Some(panel) = finding.board.as_deref() {
            let panel = finding_details::marked(finding, panel.clone());
            seen.pictures
                .push(self.animation.still(&panel, &still_title(finding)));
        }
        seen
    }

    /// Follows a game, adds a viewer of it, and returns what is found in it by place and code; `None` if it has no position, or
    /// if it is not the game that was judged.
    fn follow(
        &mut self,
        name: &str,
        again: &dyn Fn(Empty) -> io::Result<Followed>,
        is_it: &dyn Fn(&Report) -> bool,
    ) -> io::Result<Option<Vec<(InText, Seen)>>> {
        let animation = std::mem::take(&mut self.animation);
        let followed = again(Empty {
            animation,
            ..Empty::default()
        })?;
        if !is_it(&followed.report) || followed.last.is_empty() {
            self.animation = followed.changes.into_animation();
            return Ok(None);
        }
        let places = places(&followed.rows, &followed.report.findings);
        let keep = without_board(&followed.report.findings, &places);
        let mut followed = match keep.is_empty() {
            true => followed,
            false => again(Empty {
                animation: followed.changes.into_animation(),
                keep,
                ..Empty::default()
            })?,
        };
        let seen = seen_at(&mut followed, &places, name);
        self.push_viewer(followed, name)?;
        Ok(Some(seen))
    }

    /// Adds a viewer of a game.
    fn push_viewer(&mut self, followed: Followed, name: &str) -> io::Result<()> {
        let named = Name {
            address: name,
            file: &self.record_name(),
        };
        let viewer = Viewer::of(followed, named, "", &self.way_back(name));
        self.animation = viewer.animation;
        self.viewers.push(name, viewer.body)
    }

    fn record_name(&self) -> String {
        match self.files.last() {
            Some(file) => record_name(Path::new(file)),
            None => String::new(),
        }
    }

    fn way_back(&self, name: &str) -> Markup {
        let back = if self.is_list {
            "‹ Games"
        } else {
            "‹ Report"
        };
        html! { nav.back { a href=(format!("#of-{name}")) { (back) } } }
    }

    fn game(&self, report: &Report, name: &str, seen: &[Seen]) -> Markup {
        html! {
            section.game id=(format!("of-{name}")) {
                h2 { (title(report)) " " (verdict(report)) }
                p.of {
                    span { (report.file.shown()) @if report.game > 0 { ", game " (report.game) } }
                    span { (report.variant.shown()) }
                    @if let Some(address) = seen.iter().find_map(|seen| seen.address.as_ref()) {
                        a.open href=(address.split_inclusive('/').next().unwrap_or_default()) { "Step through the game" }
                    }
                }
                @for (finding, seen) in report.findings.iter().zip(seen).take(SHOWN) { (finding_of(finding, seen)) }
                @if let Some(more @ 1..) = report.findings.len().checked_sub(SHOWN) {
                    p.full { "The last " (counted(more, "finding")) " of this game are left out." }
                }
            }
        }
    }

    /// What a reader can look for in the list of games.
    fn sieve(&self) -> Markup {
        html! {
            form.filter role="search" {
                label { "Players " input #search type="search"; }
                label {
                    "Verdict "
                    select #verdict {
                        option value="" { "any" }
                        @for verdict in &self.verdicts { option { (verdict) } }
                    }
                }
                label {
                    "Result "
                    select #result {
                        option value="" { "any" }
                        @for result in self.results.iter().filter(|result| !result.is_empty()) { option { (result) } }
                    }
                }
                span #sifted role="status" {}
            }
        }
    }

    /// The whole page.
    ///
    /// # Errors
    /// The games cannot be packed.
    pub fn finish(
        mut self,
        summary: &Summary,
        warnings: u64,
        hidden: u64,
    ) -> io::Result<PageParts> {
        let packs = std::mem::take(&mut self.viewers).finish()?;
        let title = self.title();
        let [games, words] = finding_details::summary_words(summary, warnings, hidden);
        let head = html! {
            header {
                h1 { (title.shown()) }
                p { strong { (games) } ": " (words) }
                @if !self.is_list { p.laws { "Judged by " (self.edition) "." } }
            }
            (self.full_note())
            @if self.lines > MANY { (self.sieve()) }
        };
        let mut parts = vec![PreEscaped("<div id=\"report\">".to_owned()), head];
        if self.lines > 0 {
            parts.push(html! {
                table.games {
                    thead { tr { th { "Game" } th { "Players" } th { "Result" } th { "Verdict" } } }
                    tbody { (PreEscaped(std::mem::take(&mut self.list))) }
                }
            });
        }
        parts.extend(self.games);
        parts.push(PreEscaped("</div>".to_owned()));
        parts.extend(packs);
        parts.push(viewer::drawn(self.animation));
        let style = format!("{}{STYLE}", viewer::STYLE);
        let script = viewer::script(SCRIPT) + &viewer::script(viewer::SCRIPT);
        let look = Look {
            style: &style,
            script: Some(&script),
            connects: false,
        };
        Ok(PageParts::of(&title, parts, &look))
    }

    fn title(&self) -> Foreign {
        let what = match self.files.as_slice() {
            [file] if file == "-" => "standard input",
            [file] => file,
            files => &format!("{} files", files.len()),
        };
        let is_one = self.is_list && self.files.len() == 1;
        let kind = if is_one { "Games of" } else { "Report on" };
        format!("{kind} {what}").into()
    }

    /// What the page has no room for.
    fn full_note(&self) -> Markup {
        html! {
            @if self.left_out > 0 {
                p.full {
                    "This page is full: the findings of the last " (counted(self.left_out, "game"))
                    " are left out, and those games are only listed. Check them in files of their own."
                }
            } @else if self.is_full() {
                p.full { "This page is full: the last games are only listed." }
            }
            @if self.unlisted > 0 {
                p.full { "The list is full: " (counted(self.unlisted, "game")) " are not in it." }
            }
        }
    }
}

/// The rows of the first findings that have no board of their own.
fn without_board(findings: &[Finding], places: &[usize]) -> BTreeSet<usize> {
    let findings = findings.iter().zip(places);
    let without = findings.filter(|(finding, _)| finding.board.is_none());
    without.map(|(_, place)| *place).take(SHOWN).collect()
}

/// What is found in a game, at these rows of it, by place and code.
fn seen_at(followed: &mut Followed, places: &[usize], name: &str) -> Vec<(InText, Seen)> {
    let mut seen = Vec::new();
    for (finding, place) in followed.report.findings.iter().zip(places) {
        let panels = match &finding.board {
            Some(panel) => vec![(**panel).clone()],
            None => boards_at(followed, *place),
        };
        let mut pictures = Vec::new();
        for panel in panels {
            let panel = finding_details::marked(finding, panel);
            pictures.push(followed.changes.still(&panel, &still_title(finding)));
        }
        let address = Some(format!("#{name}/{}", moment(&followed.rows, *place)));
        seen.push((
            (finding.place.span.from, finding.code.id),
            Seen { pictures, address },
        ));
    }
    seen
}

/// Whether two reports have the same findings.
fn is_same(one: &Report, other: &Report) -> bool {
    let place = |finding: &Finding| (finding.code.id, finding.place.span);
    one.findings
        .iter()
        .map(place)
        .eq(other.findings.iter().map(place))
}

/// The boards that a row is about; if it is about none of them, all linked boards.
fn boards_at(followed: &Followed, row: usize) -> Vec<Panel> {
    if followed.boards > 1
        && let Some(row) = followed.rows.get(row)
        && row.path.is_empty()
    {
        return linked_boards(followed);
    }
    match followed.kept.get(&row) {
        Some(scene) => vec![scene.panel.clone()],
        None => Vec::new(),
    }
}

fn linked_boards(followed: &Followed) -> Vec<Panel> {
    let mut panels = Vec::new();
    for (path, scene) in &followed.last {
        if !path.contains('.') {
            panels.push(scene.panel.clone());
        }
    }
    panels
}

/// The moment of a row for an address: by the ply, or by the row's number if another row has the same moment.
fn moment(rows: &[PlyRow], place: usize) -> String {
    let at = rows.get(place).and_then(|row| row.at.as_ref());
    let last = rows.iter().rposition(|row| row.at.as_ref() == at);
    match at {
        Some(at) if last == Some(place) => at.clone(),
        _ => format!("@{place}"),
    }
}

/// A game in the list of all, with the address at which more is said about it.
fn line(report: &Report, address: Option<&str>) -> Markup {
    html! {
        tr {
            td { @if report.game > 0 { (report.game) } }
            td { @if let Some(address) = address { a href=(address) { (title(report)) } } @else { (title(report)) } }
            td { (result(report)) }
            td { (verdict(report)) }
        }
    }
}

/// The players, as far as they are known; for an unreadable file its name.
fn title(report: &Report) -> String {
    if report.game == 0 {
        return report.file.shown().into_owned();
    }
    if report.players == [None, None] {
        return format!("Game {}", report.game);
    }
    let [white, black] = report.players.each_ref().map(shown_or_unknown);
    format!("{white} – {black}")
}

fn result(report: &Report) -> String {
    or_blank(report.result.record.as_ref().map(Foreign::shown))
}

fn verdict(report: &Report) -> Markup {
    let kind = if report.verdict == Verdict::Clean {
        "good"
    } else {
        "bad"
    };
    html! { span.verdict data-v=(kind) { (report.verdict) } span.beyond { (finding_details::beyond_verdict(report)) } }
}

fn finding_of(finding: &Finding, seen: &Seen) -> Markup {
    html! {
        article data-w=(finding.severity) {
            @if !seen.pictures.is_empty() {
                div.pictures data-n=(seen.pictures.len().min(3)) {
                    @for picture in &seen.pictures { figure { (PreEscaped(picture)) } }
                    @if let Some(words) = under(finding) { p.small { (words) } }
                }
            }
            div.words {
                h3 { span.kind { (finding.severity) } " " (finding.message.shown()) }
                @if let Some(excerpt) = &finding.excerpt { (excerpt_of(excerpt, finding.place.line)) }
                @if let Some((place, words, excerpt)) = &finding.also {
                    p { (words.shown()) }
                    @if let Some(excerpt) = excerpt { (excerpt_of(excerpt, place.line)) }
                }
                @if let Some(other) = &finding.other_sheet { (side_by_side(other)) }
                dl {
                    @for (label, words) in finding_details::details(finding) { dt { (label) } dd { (visible(&words)) } }
                }
                @if let Some(remedy) = &finding.remedy { (remedy_of(remedy)) }
                @if let Some(rule) = finding.rule { (rule_of(rule)) }
                p.small {
                    @if finding.place.line > 0 { "Line " (finding.place.line) ", column " (finding.column) ". " }
                    "Kind of finding: " code { (finding.code.id) } "."
                }
                @if let Some(address) = &seen.address { p { a.open href=(address) { "Open the game at this moment" } } }
            }
        }
    }
}

/// Two sheets of one game where they differ.
fn side_by_side(other: &OtherSheet) -> Markup {
    html! {
        table.beside {
            thead { tr { th { "This sheet" } th { "The other one" } } }
            tbody {
                @for row in &other.rows {
                    tr data-differs=(row.differs) { td { (row.here.shown()) } td { (row.there.shown()) } }
                }
            }
        }
    }
}

/// What the arbiter does, on a slip that can be printed alone.
fn remedy_of(remedy: &Remedy) -> Markup {
    html! {
        div.remedy {
            h4 { "What the arbiter does" }
            p { (remedy.text) "." }
            @if let Some(Given { side, clock: Some(clock), .. }) = remedy.given {
                p { "Set " (side) "'s clock to " b { (clock_face(clock)) } "." }
            }
            p.small { (remedy.sources()) }
            button.slip type="button" { "Print this slip" }
        }
    }
}

/// The caption below the picture of a finding: the number of the move, and whose it is.
fn under(finding: &Finding) -> Option<String> {
    let panel = finding.board.as_ref()?;
    let mut words = Vec::new();
    if let Some(number) = &finding.number {
        words.push(format!("Before {number}"));
    }
    if !finding.path.is_empty() {
        words.push(format!("board {}", finding.path));
    }
    if let Some(side) = panel.turn {
        words.push(format!("{side} to move"));
    }
    finding_details::joined(&words)
}

/// A line of the record with the text concerned marked.
fn excerpt_of(excerpt: &Excerpt, line: u64) -> Markup {
    let (text, span) = finding_details::excerpt_text(excerpt);
    html! {
        @if !text.is_empty() {
            pre { span.number { (line) } (text[..span.start]) mark { (text[span.clone()]) } (text[span.end..]) }
        }
    }
}

/// A rule that can be unfolded.
fn rule_of(rule: &Rule) -> Markup {
    html! {
        details.law {
            summary { b { (rule.id) } " " (rule.gist) }
            p { (rule.text) }
            p.small { (rule.kind) "; " (rule.source) "; " (rule.standing) }
        }
    }
}
