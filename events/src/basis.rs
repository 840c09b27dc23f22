//! What a round was paired from: the settings, entries, requests and results of that time, in `rounds/03.from.json`.
//!
//! A later correction or withdrawal must not make a round look wrong that was right when it was paired. So a round that
//! depends on results keeps the data from which it was paired. For events of older versions that data is rebuilt from
//! the log; if the log does not have it either, it is unknown.
//!
//! A file holds only what has changed since the round before, so that all of them together are hardly larger than the
//! event.
//!
//! ```
//! use overboard_events::basis;
//! use overboard_schedules::ids::RoundNo;
//!
//! let third = RoundNo::all().nth(2).unwrap();
//! assert_eq!(basis::file(third), "rounds/03.from.json");
//! assert!(basis::is_file("rounds/03.from.json") && !basis::is_file("rounds/03.csv"));
//! ```

use crate::{
    Event, Files,
    csv::At,
    event::rewritten,
    roster::{Request, RequestKind},
    rounds::{self, Bye, ByeKind, Match},
    settings::System,
    store::LogEntry,
};
use overboard_schedules::{
    ids::{RoundNo, TeamNo},
    points::Points,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the data that a round was paired from comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The round is not paired yet: from the present event.
    Now,
    /// It was kept when the round was paired.
    Kept,
    /// Rebuilt from the log.
    Rebuilt,
    /// Rebuilt from the log, but a file was edited by hand about that time.
    Doubtful,
    /// Unknown; the present event is used instead.
    Unknown,
}

impl Source {
    /// Whether a round that does not follow from the data is wrong.
    #[must_use]
    pub const fn is_known(self) -> bool {
        matches!(self, Self::Now | Self::Kept | Self::Rebuilt)
    }
}

/// The files that a round was paired from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// The files of the event, without this round and later ones.
    pub files: Files,
    /// Where they come from.
    pub source: Source,
}

/// The event from which a round was paired, and the round itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Before {
    /// The event.
    pub event: Event,
    /// Where it comes from.
    pub source: Source,
}

/// A result that has changed since a later round was paired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The round of the result.
    pub round: RoundNo,
    /// Its table.
    pub table: u32,
    /// The result at the time of that pairing.
    pub then: String,
    /// The result now.
    pub now: String,
}

/// The file of a round: what differs from the file of the round `after`, or everything.
#[derive(Serialize, Deserialize)]
struct RoundFile {
    round: RoundNo,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<RoundNo>,
    /// CRC-32 of all names and texts. Where it does not match, an earlier file was changed, and nothing is built on it.
    sum: String,
    /// Texts by name, line by line; `None` if the file no longer exists.
    files: BTreeMap<String, Option<Vec<String>>>,
}

/// The name of the file of a round.
#[must_use]
pub fn file(round: RoundNo) -> String {
    format!("rounds/{round:02}.from.json")
}

/// Whether a file name is one of these.
#[must_use]
pub fn is_file(name: &str) -> bool {
    let number = name
        .strip_prefix("rounds/")
        .and_then(|name| name.strip_suffix(".from.json"));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn sum(files: &Files) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for (name, bytes) in files {
        for part in [name.as_bytes(), &[0], bytes, &[0]] {
            hasher.update(part);
        }
    }
    format!("{:08x}", hasher.finalize())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lines(bytes: &[u8]) -> Vec<String> {
    text(bytes)
        .split_terminator('\n')
        .map(str::to_owned)
        .collect()
}

fn joined(lines: &[String]) -> Vec<u8> {
    lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect::<String>()
        .into_bytes()
}

/// Reads the files of the first `rounds` rounds. One that cannot be read, or is based on a missing one, is ignored.
pub(crate) fn read(files: &Files, rounds: usize) -> BTreeMap<RoundNo, Basis> {
    let mut all = BTreeMap::<RoundNo, Basis>::new();
    for round in RoundNo::first(rounds as u32) {
        let reported = files
            .get(&file(round))
            .and_then(|bytes| serde_json::from_slice::<RoundFile>(bytes).ok());
        let Some(reported) = reported.filter(|reported| reported.round == round) else {
            continue;
        };
        let mut known = match reported.after {
            None => Files::new(),
            Some(before) => match all.get(&before) {
                Some(basis) => basis.files.clone(),
                None => continue,
            },
        };
        for (name, lines) in reported.files {
            match lines {
                Some(lines) => known.insert(name, joined(&lines)),
                None => known.remove(&name),
            };
        }
        if sum(&known) == reported.sum {
            all.insert(
                round,
                Basis {
                    files: known,
                    source: Source::Kept,
                },
            );
        }
    }
    all
}

/// Writes the files of all bases.
pub(crate) fn write(bases: &BTreeMap<RoundNo, Basis>, files: &mut Files) {
    let mut last: Option<(RoundNo, &Files)> = None;
    for (round, basis) in bases
        .iter()
        .filter(|(_, basis)| basis.source == Source::Kept)
    {
        let none = Files::new();
        let before = last.map_or(&none, |(_, files)| files);
        let mut changed = BTreeMap::new();
        for name in before.keys().chain(basis.files.keys()) {
            if before.get(name) != basis.files.get(name) {
                changed.insert(
                    name.clone(),
                    basis.files.get(name).map(|bytes| lines(bytes)),
                );
            }
        }
        let after = last.map(|(round, _)| round);
        let reported = RoundFile {
            round: *round,
            after,
            sum: sum(&basis.files),
            files: changed,
        };
        let mut json = serde_json::to_string_pretty(&reported).unwrap_or_default();
        json.push('\n');
        files.insert(file(*round), json.into_bytes());
        last = Some((*round, &basis.files));
    }
}

impl Event {
    /// Whether the system pairs a round by the results of those before it.
    #[must_use]
    pub const fn is_paired_by_results(&self) -> bool {
        matches!(self.settings.system, System::SwissTeam | System::Knockout)
    }

    /// Keeps what the next round is paired from.
    pub(crate) fn keep_basis(&mut self) {
        if self.is_paired_by_results() {
            let mut files = self.write();
            files.retain(|name, _| !is_file(name));
            files
                .values_mut()
                .for_each(|bytes| *bytes = joined(&lines(bytes)));
            self.bases.insert(
                RoundNo::at(self.rounds.len()),
                Basis {
                    files,
                    source: Source::Kept,
                },
            );
        }
    }

    /// Cancels this round and all later ones. Byes that were requested for them remain requested.
    pub fn cancel(&mut self, round: RoundNo) {
        if self.takes_pairs_by_hand() {
            // For a round that came with a tournament report, only the round itself records these byes.
            let known: Vec<_> = RoundNo::all()
                .zip(&self.rounds)
                .skip(round.index())
                .collect();
            let asked = known
                .into_iter()
                .flat_map(|(at, sheet)| sheet.byes.iter().map(move |bye| (at, bye)));
            let asked: Vec<Request> = asked
                .filter_map(|(at, bye)| self.asked_by(at, bye))
                .collect();
            self.requests.extend(asked);
        }
        self.rounds.truncate(round.index());
        self.requests
            .retain(|request| request.kind != RequestKind::Set || request.round < round);
        self.bases.retain(|paired, _| *paired < round);
    }

    /// The request that corresponds to a bye, unless there is one.
    fn asked_by(&self, round: RoundNo, bye: &Bye) -> Option<Request> {
        let kind = match bye.kind {
            ByeKind::Half => RequestKind::HalfBye,
            ByeKind::Full => RequestKind::FullBye,
            ByeKind::Zero => RequestKind::ZeroBye,
            ByeKind::Bye | ByeKind::Free => return None,
        };
        let noted = self.requests.iter().any(|request| {
            request.who == bye.who && request.round == round && request.kind.is_bye()
        });
        let request = Request {
            round,
            kind,
            who: bye.who,
            other: None,
            points: [Points::ZERO; 2],
            at: At::default(),
        };
        (!noted && self.is_in(bye.who, round)).then_some(request)
    }

    /// Finds in the log what rounds were paired from that have not kept it.
    pub fn rebuild_bases(&mut self, log: &[LogEntry], files: &Files) {
        if !self.is_paired_by_results() {
            return;
        }
        for round in RoundNo::first(self.rounds.len() as u32) {
            if !self.bases.contains_key(&round)
                && let Some(basis) = rebuilt(round, log, files)
            {
                self.bases.insert(round, basis);
            }
        }
    }

    /// The event from which a round was paired. The round itself is its last one, as it is now.
    #[must_use]
    pub fn before(&self, round: RoundNo) -> Before {
        let place = round.index();
        if place >= self.rounds.len() {
            return Before {
                event: self.clone(),
                source: Source::Now,
            };
        }
        let own = self.rounds[place].clone();
        if let Some(Basis { files, source }) = self.bases.get(&round)
            && let Ok(mut event) = Self::read(files)
            && event.rounds.len() >= place
        {
            event.rounds.truncate(place);
            event.rounds.push(own);
            return Before {
                event,
                source: *source,
            };
        }
        let mut event = self.clone();
        event.rounds.truncate(place + 1);
        Before {
            event,
            source: Source::Unknown,
        }
    }

    /// Results that differ from those of the time when a round was paired.
    #[must_use]
    pub fn changed_since(&self, round: RoundNo) -> Vec<Change> {
        let before = self.before(round);
        if !before.source.is_known() {
            return Vec::new();
        }
        let mut changes = Vec::new();
        for earlier in RoundNo::first(round.index() as u32) {
            let (Some(then), Some(now)) = (
                before.event.rounds.get(earlier.index()),
                self.rounds.get(earlier.index()),
            ) else {
                continue;
            };
            for this in &now.matches {
                let same = |old: &&Match| old.white == this.white && old.black == this.black;
                let Some(old) = then.matches.iter().find(same) else {
                    continue;
                };
                if before.event.outcome(old) != self.outcome(this) || old.play_off != this.play_off
                {
                    let [mut then, mut now] = [before.event.in_words(old), self.in_words(this)];
                    // A correction can make a play-off irrelevant while the score stays the same.
                    if then == now {
                        [then, now] = [(then, old), (now, this)]
                            .map(|(words, this)| words + &on_boards(this));
                    }
                    changes.push(Change {
                        round: earlier,
                        table: this.table,
                        then,
                        now,
                    });
                }
            }
        }
        changes
    }

    /// The result of a match, in short.
    #[must_use]
    pub fn in_words(&self, this: &Match) -> String {
        let play_off = this
            .play_off
            .map_or(String::new(), |result| format!(", play-off {result}"));
        let tally = this
            .tally
            .map(|[white, black]| format!(" ({white}-{black})"))
            .unwrap_or_default();
        match (this.result, self.outcome(this)) {
            (Some(result), _) => format!("{result}{tally}{play_off}"),
            (None, Some(outcome)) => format!(
                "{}-{}{play_off}",
                outcome.scores[0][1], outcome.scores[1][1]
            ),
            (None, None) => "open".into(),
        }
    }

    /// The participants that advanced from a round of a knockout, by the pairing of the next round; `None` if that is
    /// not paired.
    pub(crate) fn went_on(&self, round: RoundNo) -> Option<Vec<TeamNo>> {
        let next = self.rounds.get(round.index() + 1)?;
        let paired = next
            .matches
            .iter()
            .flat_map(|this| [this.white, this.black]);
        Some(paired.chain(next.byes.iter().map(|bye| bye.who)).collect())
    }
}

/// The results of the boards of a match, ` (1-0 1/2-1/2)`; empty if it has none.
fn on_boards(this: &Match) -> String {
    let results = this
        .boards
        .iter()
        .map(|board| board.result.map_or("*".into(), |result| result.to_string()));
    let results: Vec<String> = results.collect();
    if results.is_empty() {
        String::new()
    } else {
        format!(" ({})", results.join(" "))
    }
}

/// What the log has of the files that a round was paired from: those at the last change that created the round.
fn rebuilt(round: RoundNo, log: &[LogEntry], now: &Files) -> Option<Basis> {
    let own = rounds::file(round);
    let is_made = |entry: &&LogEntry| {
        entry
            .files
            .iter()
            .any(|change| change.file == own && change.before.is_none())
    };
    let at = log.iter().rev().find(is_made)?.number;
    let mut names: Vec<&String> = now.keys().collect();
    names.extend(
        log.iter()
            .flat_map(|entry| &entry.files)
            .map(|change| &change.file),
    );
    names.sort();
    names.dedup();
    let mut files = Files::new();
    let mut source = Source::Rebuilt;
    for name in names
        .into_iter()
        .filter(|name| !is_file(name) && !is_round_from(name, round))
    {
        let of = |entry: &LogEntry| {
            entry
                .files
                .iter()
                .find(|change| change.file == *name)
                .cloned()
        };
        let made = log
            .iter()
            .rev()
            .filter(|entry| entry.number <= at)
            .find_map(of)
            .map(|change| change.after);
        let later = log
            .iter()
            .filter(|entry| entry.number > at)
            .find_map(of)
            .map(|change| change.before);
        let later = later.unwrap_or_else(|| now.get(name).map(|bytes| text(bytes)));
        // A file edited by hand in between may have been edited before or after the pairing.
        if made.is_some_and(|made| !is_same(name, made.as_deref(), later.as_deref())) {
            source = Source::Doubtful;
        }
        if let Some(text) = later {
            files.insert(name.clone(), text.into_bytes());
        }
    }
    Some(Basis { files, source })
}

/// Whether a file belongs to this round or a later one.
fn is_round_from(name: &str, round: RoundNo) -> bool {
    let number = name
        .strip_prefix("rounds/")
        .and_then(|name| name.strip_suffix(".csv"));
    number
        .and_then(|number| number.parse::<u32>().ok())
        .is_some_and(|number| number >= round.get())
}

/// Whether two texts of a file have the same contents.
fn is_same(name: &str, one: Option<&str>, other: Option<&str>) -> bool {
    let read = |text: &str| {
        let files = Files::from([(name.to_owned(), text.as_bytes().to_vec())]);
        if name.ends_with(".csv") {
            rewritten(name, &files)
        } else {
            None
        }
    };
    match (one, other) {
        (Some(one), Some(other)) if one != other => read(one).is_some() && read(one) == read(other),
        (one, other) => one == other,
    }
}
