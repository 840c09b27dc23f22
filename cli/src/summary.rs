//! The summary of a batch, as text and as JSON.

use crate::{
    figures::{percent, results, score},
    sprt::Course,
    ui,
};
use overboard_engines::{
    external::pool::{EnginePool, Latency},
    journal::Header,
    manifest::Manifest,
    stats::{Interval, Wdl},
    tally::{Meeting, Tally},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use overboard_rules::outcome::Cause;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

/// A run, summed up.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary<'a> {
    /// A warning to be read first; only if more than one game in twenty was stopped at `max_plies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    caution: Option<String>,
    /// The name of the run.
    run: &'a str,
    /// The game.
    variant: &'a str,
    /// The part of the run, `i/S`.
    shard: String,
    /// Games played.
    games: u64,
    /// Games planned.
    planned: u64,
    /// The plies of a game on average.
    mean_plies: f64,
    /// The plies of the longest game.
    longest: u32,
    /// The number of plies after which games are stopped.
    max_plies: u32,
    /// Games that White won.
    white: u64,
    /// Drawn games.
    drawn: u64,
    /// Games that Black won.
    black: u64,
    /// The number of games for each reason why games ended; only those that occur.
    terminations: BTreeMap<&'static str, u64>,
    /// The players against each other, one entry for each pairing.
    meetings: Vec<Met<'a>>,
    /// The test that ends the run; only if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Course>,
    /// How the engines behaved; only if engines play.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    engines: Vec<Conduct<'a>>,
    /// Why the run is not finished; only if it was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a Stopped>,
    /// The number of linked boards; for text output.
    #[serde(skip)]
    boards: u16,
}

/// What a summary says apart from the counts.
#[derive(Clone, Copy, Default)]
pub struct Aside<'a> {
    /// Why the run stopped before its end.
    pub stopped: Option<&'a Stopped>,
    /// Its engines, if they have just played.
    pub engines: Option<&'a EnginePool>,
}

/// How an engine behaved.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Engine")
)]
struct Conduct<'a> {
    /// The name of the engine in the run.
    name: &'a Foreign,
    /// The name that the engine gives itself.
    id: &'a Foreign,
    /// Its games that ended by its own fault, by termination.
    faults: BTreeMap<&'static str, u64>,
    /// The file with the dialogue before its first fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<String>,
    /// The time of its answers that need no thinking; only if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    latency: Option<Answers>,
}

/// The time of answers that need no thinking.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answers {
    /// The number of answers.
    pub count: u64,
    /// The median, in milliseconds.
    pub p50_ms: f64,
    /// The 99th percentile, in milliseconds.
    pub p99_ms: f64,
}

impl Answers {
    /// The times that were measured; `None` if there are none.
    pub fn of(latency: &Latency) -> Option<Self> {
        let millis = |share| latency.within(share).map(|time| time.as_secs_f64() * 1e3);
        Some(Self {
            count: latency.count(),
            p50_ms: millis(0.5)?,
            p99_ms: millis(0.99)?,
        })
    }
}

/// A run that was stopped by a signal, or because no players were left.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stopped {
    /// Games in progress that were given up.
    pub given_up: u64,
    /// Finished games that wait for earlier ones.
    pub waiting: usize,
    /// Engines that were withdrawn, if that is the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<Foreign>,
    /// The command that continues the run; null if nothing was saved.
    pub go_on: Option<String>,
}

/// Two players against each other.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Meeting")
)]
struct Met<'a> {
    /// The first player.
    first: &'a Foreign,
    /// The second player.
    second: &'a Foreign,
    /// Games won by the first player.
    wins: u64,
    /// Drawn games.
    draws: u64,
    /// Games lost by the first player.
    losses: u64,
    /// The number of pairs by what the first player scored in them: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    /// The first player's share of the points, from 0 to 1.
    share: Option<f64>,
    /// The ends of the 95 % interval of the share.
    share_interval: Option<[f64; 2]>,
    /// The difference of strength in Elo; null if it has no finite value.
    elo: Option<f64>,
    /// The ends of its 95 % interval; null where there is no bound.
    elo_interval: Option<[Option<f64>; 2]>,
}

/// The game of a batch for people: `Recursive Chess 1 (Mega-Chess)` if its level has a name of its own.
pub fn called(variant: Foreign<&str>) -> Foreign {
    let variant = variant.as_it_came();
    match name_of_level(variant) {
        Some(name) => format!("{variant} ({name})").into(),
        None => variant.into(),
    }
}

/// The name of a level of a game: `Mega-Chess` of `Recursive Chess 1`; `None` if it has none of its own.
fn name_of_level(variant: &str) -> Option<String> {
    let (name, level) = variant.rsplit_once(' ')?;
    let level = Some(level.parse().ok()?);
    let spellings = Variant::of(Some(name.as_bytes()))?.info().spellings;
    let spelling = spellings.iter().find(|spelling| spelling.level == level)?;
    Some(ui::titled(spelling.text))
}

/// A warning at the beginning, if more than one game in twenty was stopped and scored; `limit` is set if all of them
/// were stopped at that limit of plies. Their scores are not those of games that were played out.
pub fn caution(capped: u64, games: u64, limit: Option<u32>) -> Option<String> {
    if capped.saturating_mul(20) <= games {
        return None;
    }
    let share = 100.0 * capped as f64 / games as f64;
    let (how, advice) = match limit {
        Some(limit) => (
            format!("stopped at the limit of {limit} plies and scored as they stood"),
            ". Play with a higher --max-plies",
        ),
        None => ("adjudicated where they stood".to_owned(), ""),
    };
    Some(format!(
        "careful: {capped} of {games} games ({share:.0} %) were not played out: they were {how}, so the figures below may mislead{advice}"
    ))
}

/// Prints the counts of a batch.
pub fn print(
    header: &Header,
    tally: &Tally,
    aside: &Aside<'_>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let summary = Summary::of(header, tally, aside);
    if json {
        ui::json(out, &summary)
    } else {
        write!(out, "{summary}")
    }
}

impl<'a> Summary<'a> {
    fn of(header: &'a Header, tally: &Tally, aside: &Aside<'a>) -> Self {
        let manifest = &header.manifest;
        let games = header.games();
        let mut terminations = BTreeMap::new();
        for (cause, count) in Cause::ALL.iter().zip(tally.causes) {
            if count > 0 {
                terminations.insert(cause.word(), count);
            }
        }
        Self {
            caution: caution(tally.capped(), tally.games, Some(manifest.max_plies)),
            run: &header.run.0,
            variant: &manifest.variant,
            shard: header.shard.to_string(),
            games: tally.games,
            planned: games.end - games.start,
            mean_plies: tally.mean_plies(),
            longest: tally.longest,
            max_plies: manifest.max_plies,
            white: tally.results.wins,
            drawn: tally.results.draws,
            black: tally.results.losses,
            terminations,
            meetings: Vec::from_iter(tally.meetings.iter().map(|meeting| met(manifest, meeting))),
            sprt: Course::of(tally),
            engines: conducts(manifest, tally, aside.engines),
            stopped: aside.stopped,
            boards: manifest.boards,
        }
    }

    /// The endings for people, in the order of the rules.
    fn ends(&self) -> String {
        if self.terminations.is_empty() {
            return "none yet".into();
        }
        let words = Cause::ALL.iter().map(|cause| cause.word());
        let ends = words.filter_map(|word| self.terminations.get_key_value(word));
        ends_in_words(ends, None)
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ui::lines(f, &self.caution)?;
        write!(
            f,
            "run {}, {}",
            self.run,
            called(Foreign::new(self.variant)).shown()
        )?;
        if self.boards > 1 {
            write!(f, " on {} boards", self.boards)?;
        }
        writeln!(
            f,
            ": {} of {} games, {:.1} plies on average, {} at most (limit {} plies)",
            self.games, self.planned, self.mean_plies, self.longest, self.max_plies
        )?;
        let white = Wdl::new(self.white, self.drawn, self.black);
        writeln!(f, "{}", results(white))?;
        writeln!(f, "endings: {}", self.ends())?;
        // Of a player against itself there is nothing more to say.
        ui::lines(
            f,
            self.meetings.iter().filter(|met| met.first != met.second),
        )?;
        ui::lines(f, &self.engines)?;
        ui::lines(f, &self.sprt)?;
        if let Some(stopped) = self.stopped {
            stopped.write(self.games, self.planned, f)?;
        }
        Ok(())
    }
}

/// Endings and how often each occurred for people; with its share if a number of games is given.
pub fn ends_in_words<'a>(
    ends: impl IntoIterator<Item = (&'a &'static str, &'a u64)>,
    games: Option<u64>,
) -> String {
    let mut words = Vec::new();
    for (end, count) in ends {
        let mut word = format!("{} {count}", in_words(end));
        if let Some(games) = games {
            let share = 100.0 * *count as f64 / games as f64;
            word += &format!(" ({share:.2} %)");
        }
        words.push(word);
    }
    words.join(", ")
}

/// A termination for people: `dead position` for `dead-position`.
fn in_words(word: &str) -> String {
    match word {
        "seventy-five-moves" => "seventy-five-move rule".into(),
        "time-forfeit" => "fallen flag".into(),
        "agreement" => "agreed draw".into(),
        "mega-mate" | "mega-stalemate" => word.into(),
        word => word.replace('-', " "),
    }
}

/// How the engines of a run behaved.
fn conducts<'a>(
    manifest: &'a Manifest,
    tally: &Tally,
    engines: Option<&EnginePool>,
) -> Vec<Conduct<'a>> {
    let mut conducts = Vec::new();
    for (player, name) in manifest.players.iter().enumerate() {
        let Some(program) = manifest.program(name) else {
            continue;
        };
        let mut faults = BTreeMap::new();
        for ((of, cause), count) in &tally.faults {
            if *of == player {
                faults.insert(cause.word(), *count);
            }
        }
        let transcript = engines.and_then(|engines| engines.transcript(player));
        let transcript = transcript.filter(|path| path.exists());
        let latency = engines.and_then(|engines| engines.latency(player));
        conducts.push(Conduct {
            name,
            id: &program.id,
            faults,
            transcript: transcript.map(|path| path.display().to_string()),
            latency: latency.as_ref().and_then(Answers::of),
        });
    }
    conducts
}

impl fmt::Display for Conduct<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, id, .. } = self;
        write!(f, "{}", name.shown())?;
        if !id.is_empty() && id != name {
            write!(f, " ({})", id.shown())?;
        }
        if self.faults.is_empty() {
            write!(f, ": no fault")?;
        } else {
            write!(f, ": at fault: {}", ends_in_words(&self.faults, None))?;
        }
        if let Some(Answers { p50_ms, p99_ms, .. }) = self.latency {
            let (median, most) = (ui::millis(p50_ms), ui::millis(p99_ms));
            write!(
                f,
                "; replies without search: median {median}, 99th percentile {most}"
            )?;
        }
        if let Some(path) = &self.transcript {
            write!(f, "\n  dialogue before its first fault: {path}")?;
        }
        Ok(())
    }
}

/// What is said of a run without a ledger.
pub const UNSAVED: &str = "the games are not saved; --ledger FILE saves them";

/// That so many finished games wait for earlier ones, after what is said of these; empty if none do.
pub fn in_wait(games: usize) -> String {
    match games {
        0 => String::new(),
        games => format!("; {games} later games are finished and wait for these"),
    }
}

impl Stopped {
    /// Writes what is lost and, last, how to resume the run.
    fn write(&self, done: u64, planned: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.withdrawn.is_empty() {
            write!(f, "stopped by a signal after {done} of {planned} games")?;
        } else {
            let names: Vec<_> = self.withdrawn.iter().map(Foreign::shown).collect();
            write!(
                f,
                "stopped after {done} of {planned} games: {} had too many faults and is excluded from the run",
                names.join(" and ")
            )?;
        }
        write!(f, "{}", in_wait(self.waiting))?;
        match self.given_up {
            0 => writeln!(f, "; no game was cut short")?,
            1 => writeln!(f, "; 1 game in progress was cut short")?,
            games => writeln!(f, "; {games} games in progress were cut short")?,
        }
        match &self.go_on {
            Some(command) => writeln!(f, "to resume: {command}"),
            None => writeln!(f, "{UNSAVED}"),
        }
    }
}

fn met<'a>(manifest: &'a Manifest, meeting: &Meeting) -> Met<'a> {
    let [first, second] = meeting.players.map(|player| &manifest.players[player]);
    let score = meeting.games.score;
    let sample = meeting.games.sample();
    let (share, elo) = (sample.share(), sample.elo());
    Met {
        first,
        second,
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        pairs: meeting.games.pairs,
        share: share.value,
        share_interval: share.ends(),
        elo: elo.value,
        elo_interval: share.value.map(|_| [elo.low, elo.high]),
    }
}

/// A figure of which the value and the ends are stored apart.
fn interval(value: Option<f64>, [low, high]: [Option<f64>; 2]) -> Interval {
    Interval { value, low, high }
}

impl fmt::Display for Met<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = score(Wdl::new(self.wins, self.draws, self.losses));
        let ends = self.share_interval.map_or([None; 2], |ends| ends.map(Some));
        let percent = percent(interval(self.share, ends), 1);
        let (first, second) = (self.first.shown(), self.second.shown());
        write!(f, "{first} against {second}: {score}{percent}")?;
        if let Some(ends) = self.elo_interval {
            write!(f, ", Elo {}", interval(self.elo, ends).words(1))?;
        }
        if self.pairs != [0; 5] {
            let [none, half, one, most, all] = self.pairs;
            write!(
                f,
                "\n  pairs won 0-2: {none}, ½-1½: {half}, 1-1: {one}, 1½-½: {most}, 2-0: {all}"
            )?;
        }
        Ok(())
    }
}
