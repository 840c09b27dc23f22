//! The summary of a batch, as text and as JSON.

use crate::{sprt::Course, ui};
use overboard_engines::{
    external::pool::{EnginePool, Latency},
    journal::Header,
    manifest::Manifest,
    stats::Interval,
    tally::{Meeting, Tally},
};
use overboard_formats::foreign::Foreign;
use overboard_games::registry::Variant;
use overboard_rules::outcome::Cause;
use serde::Serialize;
use std::{
    collections::BTreeMap,
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
        summary.print(header, tally, out)
    }
}

impl<'a> Summary<'a> {
    fn of(header: &'a Header, tally: &Tally, aside: &Aside<'a>) -> Self {
        let manifest = &header.manifest;
        let [white, drawn, black] = tally.results;
        let games = header.games();
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
            white,
            drawn,
            black,
            terminations: ends(tally).into_iter().collect(),
            meetings: Vec::from_iter(tally.meetings.iter().map(|meeting| met(manifest, meeting))),
            sprt: Course::of(tally),
            engines: conducts(manifest, tally, aside.engines),
            stopped: aside.stopped,
        }
    }

    fn print(&self, header: &Header, tally: &Tally, out: &mut impl Write) -> io::Result<()> {
        let manifest = &header.manifest;
        let boards = if manifest.boards > 1 {
            format!(" on {} boards", manifest.boards)
        } else {
            String::new()
        };
        if let Some(caution) = &self.caution {
            writeln!(out, "{caution}")?;
        }
        writeln!(
            out,
            "run {}, {}{boards}: {} of {} games, {:.1} plies on average, {} at most (limit {} plies)",
            self.run,
            called(Foreign::new(self.variant)).shown(),
            self.games,
            self.planned,
            self.mean_plies,
            self.longest,
            self.max_plies
        )?;
        writeln!(
            out,
            "White won {}, {} drawn, Black won {}",
            self.white, self.drawn, self.black
        )?;
        writeln!(out, "endings: {}", ends_in_words(tally))?;
        for meeting in &tally.meetings {
            report(manifest, meeting, out)?;
        }
        for conduct in &self.engines {
            conduct.report(out)?;
        }
        if let Some(course) = &self.sprt {
            writeln!(out, "{course}")?;
        }
        match self.stopped {
            Some(stopped) => stopped.report(self.games, self.planned, out),
            None => Ok(()),
        }
    }
}

/// How many games ended for each reason, of those that occur.
fn ends(tally: &Tally) -> Vec<(&'static str, u64)> {
    let mut ends = Vec::new();
    for (end, count) in Cause::ALL.iter().zip(tally.causes) {
        if count > 0 {
            ends.push((end.word(), count));
        }
    }
    ends
}

fn ends_in_words(tally: &Tally) -> String {
    let ends = ends(tally);
    if ends.is_empty() {
        return "none yet".into();
    }
    let words = ends
        .iter()
        .map(|(end, count)| format!("{} {count}", in_words(end)));
    Vec::from_iter(words).join(", ")
}

/// A termination for people: `dead position` for `dead-position`.
pub fn in_words(word: &str) -> String {
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

impl Conduct<'_> {
    fn report(&self, out: &mut impl Write) -> io::Result<()> {
        let Self {
            name,
            id,
            faults,
            transcript,
            latency,
        } = self;
        write!(out, "{}", name.shown())?;
        if !id.is_empty() && id != name {
            write!(out, " ({})", id.shown())?;
        }
        if faults.is_empty() {
            write!(out, ": no fault")?;
        } else {
            let faults: Vec<_> = faults
                .iter()
                .map(|(word, count)| format!("{} {count}", in_words(word)))
                .collect();
            write!(out, ": at fault: {}", faults.join(", "))?;
        }
        if let Some(Answers { p50_ms, p99_ms, .. }) = latency {
            write!(
                out,
                "; replies without search: median {}, 99th percentile {}",
                ui::millis(*p50_ms),
                ui::millis(*p99_ms)
            )?;
        }
        writeln!(out)?;
        if let Some(path) = transcript {
            writeln!(out, "  dialogue before its first fault: {path}")?;
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
    /// Prints what is lost and, last, how to resume the run.
    fn report(&self, done: u64, planned: u64, out: &mut impl Write) -> io::Result<()> {
        let Self {
            given_up,
            waiting,
            go_on,
            ..
        } = self;
        match &self.withdrawn[..] {
            [] => write!(out, "stopped by a signal after {done} of {planned} games")?,
            names => write!(
                out,
                "stopped after {done} of {planned} games: {} had too many faults and is excluded from the run",
                names
                    .iter()
                    .map(Foreign::shown)
                    .collect::<Vec<_>>()
                    .join(" and ")
            )?,
        }
        out.write_all(in_wait(*waiting).as_bytes())?;
        match given_up {
            0 => writeln!(out, "; no game was cut short")?,
            1 => writeln!(out, "; 1 game in progress was cut short")?,
            _ => writeln!(out, "; {given_up} games in progress were cut short")?,
        }
        match go_on {
            Some(command) => writeln!(out, "to resume: {command}"),
            None => writeln!(out, "{UNSAVED}"),
        }
    }
}

fn met<'a>(manifest: &'a Manifest, meeting: &Meeting) -> Met<'a> {
    let [first, second] = meeting.players.map(|player| &manifest.players[player]);
    let [wins, draws, losses] = meeting.games.score;
    let sample = meeting.games.sample();
    let (share, elo) = (sample.share(), sample.elo());
    Met {
        first,
        second,
        wins,
        draws,
        losses,
        pairs: meeting.games.pairs,
        share: share.value,
        share_interval: share.low.zip(share.high).map(|(low, high)| [low, high]),
        elo: elo.value,
        elo_interval: share.value.map(|_| [elo.low, elo.high]),
    }
}

/// Prints how two players fared; nothing for a player against itself.
fn report(manifest: &Manifest, meeting: &Meeting, out: &mut impl Write) -> io::Result<()> {
    if meeting.players[0] == meeting.players[1] {
        return Ok(());
    }
    let met = met(manifest, meeting);
    write!(
        out,
        "{} against {}: +{} ={} -{}",
        met.first.shown(),
        met.second.shown(),
        met.wins,
        met.draws,
        met.losses
    )?;
    if let Some(share) = met.share {
        write!(out, ", {:.1} %", 100.0 * share)?;
    }
    if let Some([low, high]) = met.share_interval {
        write!(out, " ({:.1} to {:.1})", 100.0 * low, 100.0 * high)?;
    }
    if let Some([low, high]) = met.elo_interval {
        let value = met.elo;
        write!(out, ", Elo {}", Interval { value, low, high }.words(1))?;
    }
    writeln!(out)?;
    if met.pairs != [0; 5] {
        let [none, half, one, most, all] = met.pairs;
        writeln!(
            out,
            "  pairs won 0-2: {none}, ½-1½: {half}, 1-1: {one}, 1½-½: {most}, 2-0: {all}"
        )?;
    }
    Ok(())
}
