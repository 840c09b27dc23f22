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
use overboard_engines::stats::Wdl;
use overboard_events::{
    Event,
    groups::Group,
    roster::RequestKind,
    settings::{self, Participants, Scoring},
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
use std::{
    cmp::Ordering,
    io::{self, Write},
};

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
        None => event.rounds.len(),
        Some(0) => 0,
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
        event.player_tournament(after)
    } else {
        event.tournament(after)
    };
    for criterion in &criteria {
        if let Some(objection) = criterion.objection(&field) {
            ui::warn(&objection);
            break;
        }
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
        return ui::print_json(&view.report(&places, after));
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
    let groups = view.event.group_scores(view.field)?;
    if args.form.json {
        return ui::print_json(&view.groups_report(&groups, after));
    }
    print(
        &view.event.settings.name,
        &[view.groups(&groups, after)],
        &args.form,
    )
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
    Ok(match &args.tie_breaks {
        Some(codes) => settings::criteria(codes)?,
        None if args.players => {
            let usual = [Code::Points, Code::Won, Code::BlackPlayed];
            usual.map(TieBreak::from).to_vec()
        }
        None => event.settings.criteria()?,
    })
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
        if self.players {
            self.name_of_player(number.get())
        } else {
            self.event.name(number)
        }
    }

    /// The name of a player and of the team: `Ann Lee (Ants)`.
    fn name_of_player(&self, id: u32) -> Foreign {
        let Some(player) = self.event.player(id) else {
            return Foreign::default();
        };
        let mut words = vec![player.name.clone()];
        if let Some(team) = player.team {
            words.push(self.event.name(team).cut(|name| format!("({name})")));
        }
        Foreign::join(words, " ")
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
            let results = self.results(place.row);
            let mut cells = cells![
                place.rank.to_string(),
                self.field.rows[place.row].number.to_string(),
                self.noted(place.row),
                results.wins.to_string(),
                results.draws.to_string(),
                results.losses.to_string(),
            ];
            cells.extend(place.values.iter().map(|value| value.to_string().into()));
            grid.push(cells);
        }
        for criterion in self.criteria {
            grid.note(format!("{criterion}: {}", criterion.code.gist()));
        }
        grid
    }

    /// How many rounds were won, drawn and lost.
    fn results(&self, row: usize) -> Wdl {
        let mut results = Wdl::default();
        for round in 0..self.field.rows[row].rounds.len() {
            match self.result(row, round) {
                Some(Ordering::Greater) => results.wins += 1,
                Some(Ordering::Equal) => results.draws += 1,
                Some(Ordering::Less) => results.losses += 1,
                None => {}
            }
        }
        results
    }

    /// The name, with a mark if the participant has withdrawn.
    fn noted(&self, row: usize) -> Foreign {
        let name = self.name(row);
        let number = self.field.rows[row].number;
        if self.players || !self.has_gone(number) {
            return name;
        }
        let more = if self.event.annulled().contains(&number) {
            ", results do not count"
        } else {
            ""
        };
        name.cut(|name| format!("{name} (withdrawn{more})"))
    }

    fn has_gone(&self, number: TeamNo) -> bool {
        let Some(gone) = self.event.request(number, RequestKind::Withdraw) else {
            return false;
        };
        // A withdrawal for a later round, or after the last one, is not in effect yet.
        let (next, scheduled) = (self.event.rounds.len(), self.event.scheduled());
        gone.round.index() <= next && (scheduled == 0 || gone.round.get() <= scheduled)
    }

    /// Greater for a win, less for a loss; `None` for a round without an opponent.
    fn result(&self, row: usize, round: usize) -> Option<Ordering> {
        let entry = &self.field.rows[row].rounds[round];
        if entry.kind != Kind::Played && !entry.kind.is_forfeit() {
            return None;
        }
        let theirs = self.field.rows[entry.opponent?].rounds.get(round)?;
        let theirs = theirs.score(Score::Match);
        match entry.score(Score::Match).cmp(&theirs) {
            Ordering::Equal if entry.kind == Kind::ForfeitLoss => Some(Ordering::Less),
            result => Some(result),
        }
    }

    /// The cross table; by rounds if not everyone meets everyone.
    fn crosstable(&self, places: &[StandingsPlace]) -> Grid {
        let is_square = self.field.system == System::RoundRobin && places.len() <= 30;
        if is_square {
            self.square(places)
        } else {
            self.by_rounds(places)
        }
    }

    /// The cross table in which everyone has a column.
    fn square(&self, places: &[StandingsPlace]) -> Grid {
        let mut heads = cells!["rank", "name"];
        heads.extend((1..=places.len()).map(|number| number.to_string().into()));
        let mut grid = self.with_sums("Cross table", heads);
        for place in places {
            let mut cells = cells![place.rank.to_string(), self.name(place.row)];
            let rounds = &self.field.rows[place.row].rounds;
            for other in places {
                cells.push(if other.row == place.row {
                    "*".into()
                } else {
                    self.against(rounds, other.row, self.shown_score()).into()
                });
            }
            self.push_sums(&mut cells, place.row);
            grid.push(cells);
        }
        let cells = self.score_in_words(self.shown_score());
        grid.note(format!("Cells: {cells}; f is a forfeit"));
        grid
    }

    /// The cross table in which every round has a column.
    fn by_rounds(&self, places: &[StandingsPlace]) -> Grid {
        // Cells refer to opponents by their numbers.
        let mut heads = cells!["rank", "no.", "name"];
        if let Some(first) = self.field.rows.first() {
            heads.extend((1..=first.rounds.len()).map(|number| number.to_string().into()));
        }
        let mut grid = self.with_sums("Cross table by rounds", heads);
        for place in places {
            let row = &self.field.rows[place.row];
            let mut cells = cells![
                place.rank.to_string(),
                row.number.to_string(),
                self.name(place.row)
            ];
            for (round, entry) in row.rounds.iter().enumerate() {
                let cell = match self.to_come(place.row, round) {
                    Some(to_come) => to_come,
                    None => self.by_round(entry, round),
                };
                cells.push(cell.into());
            }
            self.push_sums(&mut cells, place.row);
            grid.push(cells);
        }
        let cells = self.score_in_words(self.shown_score());
        grid.note(format!(
            "Cells: number and colour of the opponent, {cells}; f is a forfeit"
        ));
        grid
    }

    /// The sums of the cells of a cross table, and for teams the other score too.
    const fn sums(&self) -> &'static [(&'static str, Score)] {
        if self.field.teams {
            &[("MP", Score::Match), ("GP", Score::Game)]
        } else {
            &[("sum", Score::Match)]
        }
    }

    /// A cross table without rows; the sums are its last columns.
    fn with_sums(&self, title: &str, mut heads: Vec<Foreign>) -> Grid {
        heads.extend(self.sums().iter().map(|(head, _)| (*head).into()));
        Grid::headed(title, heads)
    }

    /// Adds the sums to the cells of a row.
    fn push_sums(&self, cells: &mut Vec<Foreign>, row: usize) {
        for (_, score) in self.sums() {
            cells.push(self.field.total(row, *score).to_string().into());
        }
    }

    /// The members of the first group as rows, those of the second as columns, and the sums.
    fn groups(&self, groups: &[Group; 2], after: usize) -> Grid {
        let score = if self.field.teams {
            self.field.primary
        } else {
            Score::Match
        };
        let [first, second] = groups;
        let columns = self.rows_of(second);
        let mut heads = cells![
            "no.",
            Foreign::join([first.name.lent(), second.name.lent()], " \\ ")
        ];
        heads.extend(columns.iter().map(|row| self.name(*row)));
        heads.push("sum".into());
        let mut grid = Grid::headed(self.title_of_groups(groups, score, after), heads);
        let total = |row: usize| self.field.total(row, score).to_string().into();
        for row in self.rows_of(first) {
            let own = &self.field.rows[row];
            let mut cells = cells![own.number.to_string(), self.name(row)];
            for column in &columns {
                cells.push(self.against(&own.rounds, *column, score).into());
            }
            cells.push(total(row));
            grid.push(cells);
        }
        grid.strong.push(grid.rows.len());
        let mut sums = cells!["", second.name.cut(|name| format!("sum of {name}"))];
        sums.extend(columns.iter().map(|row| total(*row)));
        sums.push("".into());
        grid.push(sums);
        grid.note(self.legend(score));
        grid
    }

    /// The rows of the members of a group.
    fn rows_of(&self, group: &Group) -> Vec<usize> {
        let row_of = |number: &TeamNo| self.field.rows.iter().position(|row| row.number == *number);
        group.members.iter().filter_map(row_of).collect()
    }

    /// The groups and their scores: `Leeds 12 – 8 York (6–4), unfinished`.
    fn title_of_groups(&self, [first, second]: &[Group; 2], score: Score, after: usize) -> Foreign {
        let scores = format!("{} – {}", first.score(score), second.score(score));
        let met = [
            first.name.lent(),
            Foreign::new(scores.as_str()),
            second.name.lent(),
        ];
        let mut more = String::new();
        if self.field.teams {
            let other = score.other();
            more = format!(" ({}–{})", first.score(other), second.score(other));
        }
        if self.event.open_matches(after) > 0 || (after as u32) < self.event.scheduled() {
            more.push_str(", unfinished");
        }
        Foreign::join(met, " ").cut(|met| format!("{met}{more}"))
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
        let mut scores = Vec::new();
        for entry in rounds {
            if entry.opponent == Some(other) {
                let forfeit = if entry.kind.is_forfeit() { "f" } else { "" };
                scores.push(format!("{}{forfeit}", entry.score(shown)));
            }
        }
        scores.join(" ")
    }

    /// The opponent and the colour of a match to come: `5w`.
    fn to_come(&self, row: usize, round: usize) -> Option<String> {
        let number = self.field.rows[row].number;
        if self.players || self.event.settings.pairs_players() {
            return None;
        }
        let this = self.event.rounds.get(round)?.of(number)?;
        let default = self.event.default_words(this, RoundNo::at(round));
        if default.is_some() || self.event.outcome(this).is_some() {
            return None;
        }
        Some(if this.white == number {
            format!("{}w", this.black)
        } else {
            format!("{}b", this.white)
        })
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
        let number = event.find(text)?;
        let row = field.rows.iter().position(|row| row.number == number);
        row.ok_or_else(|| CliError::Event(format!("{text} is not in the standings")))
    };
    let rows = [row(two[0])?, row(two[1])?];
    let steps = why(field, criteria, rows);
    let names = rows.map(|row| event.name(field.rows[row].number));
    let first = steps.last().and_then(|step| step.first);
    if json {
        return ui::print_json(&Explained {
            names,
            first,
            steps: &steps,
        });
    }
    let mut out = ui::stdout();
    match first {
        Some(first) => writeln!(
            out,
            "{} is ahead of {}.",
            names[first].shown(),
            names[1 - first].shown()
        )?,
        None => writeln!(
            out,
            "{} and {} share their place.",
            names[0].shown(),
            names[1].shown()
        )?,
    }
    for step in &steps {
        write_step(&mut out, event, field, &names, step)?;
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
    let against = match term.opponent {
        Some(row) => event.called(field.rows[row].number),
        None => "a dummy for the unplayed round (16.4)".to_owned(),
    };
    let cut = if term.cut { ", left out (14)" } else { "" };
    format!("round {}: {} from {}{cut}", term.round, term.value, against)
}
