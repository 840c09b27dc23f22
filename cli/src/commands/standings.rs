//! `standings`: the places of the participants, and why.

pub mod norms;
pub mod published;
pub mod report;

use super::pair::print;
use crate::{
    exit::{CliError, Exit},
    grid::{Grid, cells},
    options::{FolderArgs, FormArgs},
    ui,
};
use clap::Args;
use overboard_events::{
    Event,
    groups::Group,
    roster::{Request, RequestKind},
    settings::{Participants, Scoring},
    store,
};
use overboard_formats::foreign::Foreign;
use overboard_rules::refusal::counted;
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    standings::{StandingsPlace, Step, standings, why},
    team::Colour,
    tiebreak::{Code, Term, TieBreak},
    tournament::{Kind, RoundEntry, Score, System, Tournament},
};
use report::Explained;
use std::io::{self, Write};

/// Print the standings of an event.
///
/// Participants with the same score are ordered by the event's tie-breaks. Those tied on all of them share a place.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 done, 2 the event cannot be read.\n\nExamples:\n  overboard standings cup\n  overboard standings cup --why Leeds York\n  overboard standings cup --crosstable --to markdown\n  overboard standings match --groups\n  overboard standings open --norms\n  overboard standings cup --to html > standings.html"
)]
pub struct StandingsArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Standings after this many rounds [default: all that are paired].
    #[arg(long, value_name = "N")]
    pub after: Option<u32>,
    /// Explain why one is ahead of the other, tie-break by tie-break.
    #[arg(long, value_name = "WHO", num_args = 2, conflicts_with_all = ["crosstable", "to", "safe"])]
    pub why: Vec<String>,
    /// Print the cross table, too; JSON always holds it.
    #[arg(long)]
    pub crosstable: bool,
    /// Rank the players of the teams by their game results.
    #[arg(long, conflicts_with_all = ["why", "crosstable"])]
    pub players: bool,
    /// In a Scheveningen event: the score of the groups, and the table of individual results.
    #[arg(long, conflicts_with_all = ["why", "crosstable", "players"])]
    pub groups: bool,
    /// For each player: the title norms (GM, IM, WGM, WIM) that the games so far would give, or what is missing.
    #[arg(long, conflicts_with_all = ["why", "crosstable", "players", "groups", "tie_breaks"])]
    pub norms: bool,
    /// Use these tie-breaks instead of the event's; with --players for example TPR,ARO.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        conflicts_with = "groups"
    )]
    pub tie_breaks: Option<Vec<String>>,
    #[command(flatten)]
    pub form: FormArgs,
}

pub fn run(args: &StandingsArgs) -> Result<Exit, CliError> {
    let event = store::read(&args.folder.folder)?;
    let after = match args.after {
        None | Some(0) => args.after.map_or(event.rounds.len(), |none| none as usize),
        Some(_) => super::pair::which(&event, args.after)?.index() + 1,
    };
    if args.norms {
        return norms::run(&event, after, &args.form);
    }
    if args.players {
        have_results(&event)?;
    }
    let criteria = criteria(&event, args)?;
    let field = if args.players {
        event.players_field(after)
    } else {
        event.field(after)
    };
    if let Some(objection) = criteria
        .iter()
        .find_map(|criterion| criterion.objection(&field))
    {
        ui::warn(&objection);
    }
    if let [one, other] = &args.why[..] {
        return explain(&event, &field, &criteria, [one, other], args.form.json);
    }
    let places = standings(&field, &criteria);
    let view = View {
        event: &event,
        field: &field,
        criteria: &criteria,
        players: args.players,
    };
    if args.groups {
        return against(&view, after, args);
    }
    if args.form.json {
        let mut out = ui::stdout();
        ui::json(&mut out, &view.report(&places, after))?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    let mut grids = vec![view.grid(&places, &title("standings", &event, after))];
    if args.crosstable {
        grids.push(view.crosstable(&places));
    }
    print(&event.settings.name, &grids, &args.form)
}

/// Refuses an event in which the players of the teams have no results of their own.
fn have_results(event: &Event) -> Result<(), CliError> {
    let why = match (event.settings.participants, event.settings.scoring) {
        (Participants::Players, _) => {
            "--players is for the players of teams; in an event of players the standings without it rank them"
        }
        (_, Scoring::Boards) => return Ok(()),
        _ => {
            "a match of this event is one game of the whole team, so its players have no results of their own"
        }
    };
    Err(CliError::Event(why.into()))
}

/// Prints the groups of a Scheveningen event.
fn against(view: &View, after: usize, args: &StandingsArgs) -> Result<Exit, CliError> {
    let groups = view
        .event
        .group_scores(view.field)
        .map_err(CliError::Event)?;
    if !args.form.json {
        return print(
            &view.event.settings.name,
            &[view.groups(&groups, after)],
            &args.form,
        );
    }
    let mut out = ui::stdout();
    ui::json(&mut out, &view.groups_report(&groups, after))?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// The title of standings, or of something else after a round.
fn title(what: &str, event: &Event, after: usize) -> String {
    let open = event.open_matches(after);
    let begins = ui::capitalised(what);
    match (after as u32 >= event.scheduled(), open) {
        (true, 0) => format!("Final {what}"),
        (false, 0) => format!("{begins} after round {after}"),
        _ => {
            let missing = counted(open, "result");
            format!("{begins} during round {after} ({missing} missing)")
        }
    }
}

fn criteria(event: &Event, args: &StandingsArgs) -> Result<Vec<TieBreak>, CliError> {
    let said = CliError::Event;
    let Some(codes) = &args.tie_breaks else {
        return if args.players {
            let usual = [Code::Points, Code::Won, Code::BlackPlayed];
            Ok(usual.map(TieBreak::from).to_vec())
        } else {
            event.settings.criteria().map_err(said)
        };
    };
    let codes = codes
        .iter()
        .map(|code| code.parse().map_err(|error| said(format!("{error}"))));
    std::iter::once(Ok(TieBreak::from(Code::Points)))
        .chain(codes)
        .collect()
}

/// The data of an event's standings.
struct View<'a> {
    event: &'a Event,
    field: &'a Tournament,
    criteria: &'a [TieBreak],
    players: bool,
}

impl View<'_> {
    fn name(&self, row: usize) -> Foreign {
        let number = self.field.rows[row].number;
        if !self.players {
            return self.event.name(number);
        }
        let player = self.event.player(number.get());
        let team = player.and_then(|player| player.team);
        let team = team.map(|team| self.event.name(team).cut(|name| format!("({name})")));
        Foreign::join(
            player
                .map(|player| player.name.clone())
                .into_iter()
                .chain(team),
            " ",
        )
    }

    fn grid(&self, places: &[StandingsPlace], title: &str) -> Grid {
        let codes: Vec<String> = self.criteria.iter().map(ToString::to_string).collect();
        let who = if self.players || !self.field.teams {
            "player"
        } else {
            "team"
        };
        let mut heads = vec!["rank", "no.", who, "+", "=", "-"];
        heads.extend(codes.iter().map(String::as_str));
        let mut grid = Grid::new(title, &heads);
        for place in places {
            let row = &self.field.rows[place.row];
            let count = |wanted: usize| {
                row.rounds
                    .iter()
                    .filter(|entry| self.result(place.row, entry) == Some(wanted))
                    .count()
                    .to_string()
            };
            let mut cells = cells![
                place.rank.to_string(),
                row.number.to_string(),
                self.noted(place.row)
            ];
            cells.extend(cells![count(0), count(1), count(2)]);
            cells.extend(place.values.iter().map(|value| value.to_string().into()));
            grid.push(cells);
        }
        let gist = |criterion: &TieBreak| format!("{criterion}: {}", criterion.code.gist());
        for criterion in self.criteria {
            grid.note(gist(criterion));
        }
        grid
    }

    /// The name, with a mark if the participant has withdrawn.
    fn noted(&self, row: usize) -> Foreign {
        let number = self.field.rows[row].number;
        if self.players {
            return self.name(row);
        }
        // A withdrawal for a later round, or after the last one, is not in effect yet.
        let (next, scheduled) = (self.event.rounds.len(), self.event.scheduled());
        let has_left = |gone: &&Request| {
            gone.round.index() <= next && (scheduled == 0 || gone.round.get() <= scheduled)
        };
        let gone = self
            .event
            .request(number, RequestKind::Withdraw)
            .filter(has_left);
        match (gone, self.event.annulled().contains(&number)) {
            (Some(_), true) => self
                .name(row)
                .cut(|name| format!("{name} (withdrawn, results do not count)")),
            (Some(_), false) => self.name(row).cut(|name| format!("{name} (withdrawn)")),
            (None, _) => self.name(row),
        }
    }

    /// 0 for a win, 1 for a draw, 2 for a loss; `None` for a round without an opponent.
    fn result(&self, row: usize, entry: &RoundEntry) -> Option<usize> {
        if entry.kind != Kind::Played && !entry.kind.is_forfeit() {
            return None;
        }
        let opponent = entry.opponent?;
        let round = self.field.rows[row]
            .rounds
            .iter()
            .position(|own| std::ptr::eq(own, entry))?;
        let theirs = self.field.rows[opponent]
            .rounds
            .get(round)?
            .score(Score::Match);
        Some(match entry.score(Score::Match).cmp(&theirs) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal if entry.kind == Kind::ForfeitLoss => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        })
    }

    /// The cross table; by rounds if not everyone meets everyone.
    fn crosstable(&self, places: &[StandingsPlace]) -> Grid {
        let is_square = self.field.system == System::RoundRobin && places.len() <= 30;
        let columns = if is_square {
            places.len()
        } else {
            self.field.rows.first().map_or(0, |row| row.rounds.len())
        };
        let heads: Vec<_> = (1..=columns).map(|number| number.to_string()).collect();
        let mut all = if is_square {
            vec!["rank", "name"]
        } else {
            vec!["rank", "no.", "name"]
        };
        all.extend(heads.iter().map(String::as_str));
        // The sums of the cells, and for teams the other score too.
        let sums: &[(&str, Score)] = if self.field.teams {
            &[("MP", Score::Match), ("GP", Score::Game)]
        } else {
            &[("sum", Score::Match)]
        };
        all.extend(sums.iter().map(|(head, _)| *head));
        let mut grid = Grid::new(
            if is_square {
                "Cross table"
            } else {
                "Cross table by rounds"
            },
            &all,
        );
        for (index, place) in places.iter().enumerate() {
            let mut cells = cells![place.rank.to_string()];
            // Cells refer to opponents by their numbers.
            cells
                .extend((!is_square).then(|| self.field.rows[place.row].number.to_string().into()));
            cells.push(self.name(place.row));
            let rounds = &self.field.rows[place.row].rounds;
            if is_square {
                let cell = |(column, other): (usize, &StandingsPlace)| {
                    if column == index {
                        "*".into()
                    } else {
                        self.against(rounds, other.row, self.shown_score()).into()
                    }
                };
                cells.extend(places.iter().enumerate().map(cell));
            } else {
                let cell = |(round, entry): (usize, &RoundEntry)| {
                    self.to_come(place.row, round)
                        .unwrap_or_else(|| self.by_round(entry, round))
                        .into()
                };
                cells.extend(rounds.iter().enumerate().map(cell));
            }
            for (_, score) in sums {
                cells.push(self.field.total(place.row, *score).to_string().into());
            }
            grid.push(cells);
        }
        let cells = self.score_in_words(self.shown_score());
        grid.note(if is_square {
            format!("Cells: {cells}; f is a forfeit")
        } else {
            format!("Cells: number and colour of the opponent, {cells}; f is a forfeit")
        });
        grid
    }

    /// The members of the first group as rows, those of the second as columns, and the sums.
    fn groups(&self, groups: &[Group; 2], after: usize) -> Grid {
        let score = if self.field.teams {
            self.field.primary
        } else {
            Score::Match
        };
        let [first, second] = groups;
        let scores = format!("{} – {}", first.score(score), second.score(score));
        let met = [
            first.name.lent(),
            Foreign::new(scores.as_str()),
            second.name.lent(),
        ];
        let mut title = String::new();
        if self.field.teams {
            let other = score.other();
            title.push_str(&format!(
                " ({}–{})",
                first.score(other),
                second.score(other)
            ));
        }
        title.push_str(
            match (
                self.event.open_matches(after),
                after as u32 >= self.event.scheduled(),
            ) {
                (0, true) => "",
                _ => ", unfinished",
            },
        );
        let row_of = |number: &TeamNo| self.field.rows.iter().position(|row| row.number == *number);
        let rows = |group: &Group| group.members.iter().filter_map(row_of).collect::<Vec<_>>();
        let (lines, columns) = (rows(first), rows(second));
        let mut all = cells![
            "no.",
            Foreign::join([first.name.lent(), second.name.lent()], " \\ ")
        ];
        all.extend(columns.iter().map(|row| self.name(*row)));
        all.push("sum".into());
        let title = Foreign::join(met, " ").cut(|met| format!("{met}{title}"));
        let mut grid = Grid::headed(title, all);
        let total = |row: usize| self.field.total(row, score).to_string();
        for row in lines {
            let own = &self.field.rows[row];
            let cells = columns
                .iter()
                .map(|column| self.against(&own.rounds, *column, score));
            let cells: Vec<Foreign> = cells.map(Foreign::new).collect();
            grid.push(
                [
                    cells![own.number.to_string(), self.name(row)],
                    cells,
                    cells![total(row)],
                ]
                .concat(),
            );
        }
        grid.strong.push(grid.rows.len());
        let sums: Vec<Foreign> = columns.iter().map(|row| total(*row).into()).collect();
        grid.push(
            [
                cells!["", second.name.cut(|name| format!("sum of {name}"))],
                sums,
                cells![""],
            ]
            .concat(),
        );
        grid.note(self.legend(score));
        grid
    }

    /// What the cells of the table of groups are.
    fn legend(&self, score: Score) -> String {
        let cells = self.score_in_words(score);
        if !self.field.teams {
            return format!("Cells and sums: {cells}; f is a forfeit");
        }
        let other = self.score_in_words(score.other());
        format!("Cells and sums: {cells}, in parentheses above: {other}; f is a forfeit")
    }

    /// The score that the cells of a cross table have.
    const fn shown_score(&self) -> Score {
        if self.field.teams {
            Score::Game
        } else {
            Score::Match
        }
    }

    /// What a score is called in this event.
    fn score_in_words(&self, score: Score) -> &'static str {
        match (score, self.field.teams, self.event.settings.scoring) {
            (_, false, _) => "points",
            (Score::Match, ..) => "match points",
            (Score::Game, _, Scoring::Kings) => "kings",
            (Score::Game, _, Scoring::Subgames) => "sub-games",
            (Score::Game, ..) => "game points",
        }
    }

    fn against(&self, rounds: &[RoundEntry], other: usize, shown: Score) -> String {
        let met = rounds.iter().filter(|entry| entry.opponent == Some(other));
        let score = |entry: &RoundEntry| {
            let forfeit = if entry.kind.is_forfeit() { "f" } else { "" };
            format!("{}{forfeit}", entry.score(shown))
        };
        met.map(score).collect::<Vec<_>>().join(" ")
    }

    /// The opponent and the colour of a match to come: `5w`.
    fn to_come(&self, row: usize, round: usize) -> Option<String> {
        let number = self.field.rows[row].number;
        if self.players || self.event.settings.pairs_players() {
            return None;
        }
        let this = self.event.rounds.get(round)?.of(number)?;
        let is_open = self.event.outcome(this).is_none()
            && self.event.default_words(this, RoundNo::at(round)).is_none();
        let (opponent, colour) = if this.white == number {
            (this.black, "w")
        } else {
            (this.white, "b")
        };
        is_open.then(|| format!("{opponent}{colour}"))
    }

    /// The opponent, the colour and the points: `5w 2.5`.
    fn by_round(&self, entry: &RoundEntry, round: usize) -> String {
        // A participant who was there at the start of a knockout and is not now has lost.
        if entry.kind == Kind::ZeroBye && self.field.system == System::Knockout && round > 0 {
            return "out".into();
        }
        let points = entry.score(self.shown_score());
        let Some(opponent) = entry.opponent else {
            // In a knockout it is the system that gives full points.
            let is_usual = entry.kind == Kind::FullBye && self.field.system == System::Knockout;
            return format!(
                "{} {points}",
                if is_usual { "bye" } else { short(entry.kind) }
            );
        };
        let colour = match entry.colour {
            Some(Colour::White) => "w",
            Some(Colour::Black) => "b",
            None => "",
        };
        let forfeit = if entry.kind.is_forfeit() { "f" } else { "" };
        format!(
            "{}{colour} {points}{forfeit}",
            self.field.rows[opponent].number
        )
    }
}

const fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::Pab => "bye",
        Kind::FullBye => "full bye",
        Kind::HalfBye => "half bye",
        Kind::ZeroBye => "absent",
        _ => "-",
    }
}

fn explain(
    event: &Event,
    field: &Tournament,
    criteria: &[TieBreak],
    two: [&String; 2],
    json: bool,
) -> Result<Exit, CliError> {
    let row = |text: &String| {
        let number = event.find(text).map_err(CliError::Event)?;
        let row = field.rows.iter().position(|row| row.number == number);
        row.ok_or_else(|| CliError::Event(format!("{text} is not in the standings")))
    };
    let rows = [row(two[0])?, row(two[1])?];
    let steps = why(field, criteria, rows);
    let names = rows.map(|row| event.name(field.rows[row].number));
    let first = steps.last().and_then(|step| step.first);
    let mut out = ui::stdout();
    if json {
        ui::json(
            &mut out,
            &Explained {
                names,
                first,
                steps: &steps,
            },
        )?;
    } else {
        match first {
            Some(first) => {
                writeln!(
                    out,
                    "{} is ahead of {}.",
                    names[first].shown(),
                    names[1 - first].shown()
                )?;
            }
            None => writeln!(
                out,
                "{} and {} share their place.",
                names[0].shown(),
                names[1].shown()
            )?,
        }
        steps
            .iter()
            .try_for_each(|step| write_step(&mut out, event, field, &names, step))?;
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn write_step(
    out: &mut impl Write,
    event: &Event,
    field: &Tournament,
    names: &[Foreign; 2],
    step: &Step,
) -> io::Result<()> {
    let strong = ui::shown(ui::STRONG);
    let article = if step.article.is_empty() {
        String::new()
    } else {
        format!(" (C.07, {})", step.article)
    };
    writeln!(
        out,
        "\n{strong}{}{strong:#}{article}: {}",
        step.code, step.gist
    )?;
    for side in [0, 1] {
        let mark = if step.first == Some(side) {
            "  <- first"
        } else {
            ""
        };
        writeln!(
            out,
            "  {}: {}{mark}",
            names[side].shown(),
            step.values[side]
        )?;
        for term in &step.terms[side] {
            writeln!(out, "    {}", term_text(event, field, term))?;
        }
    }
    match step.first {
        Some(_) => Ok(()),
        None => writeln!(out, "  equal"),
    }
}

fn term_text(event: &Event, field: &Tournament, term: &Term) -> String {
    let against = term
        .opponent
        .map_or("a dummy for the unplayed round (16.4)".to_owned(), |row| {
            event.called(field.rows[row].number)
        });
    let cut = if term.cut { ", left out (14)" } else { "" };
    format!("round {}: {} from {}{cut}", term.round, term.value, against)
}
