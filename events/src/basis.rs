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
    settings::{self, System},
    store::{Changed, Log, Text},
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

/// Whether this is such a file.
pub(crate) fn can_be_read(bytes: &[u8]) -> bool {
    serde_json::from_slice::<RoundFile>(bytes).is_ok()
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
            for bytes in files.values_mut() {
                *bytes = joined(&lines(bytes));
            }
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
    pub fn rebuild_bases(&mut self, log: &Log, files: &Files) {
        if !self.is_paired_by_results() {
            return;
        }
        let mut missing: Vec<RoundNo> = RoundNo::first(self.rounds.len() as u32).collect();
        missing.retain(|round| !self.bases.contains_key(round));
        if !missing.is_empty() {
            self.bases.extend(rebuilt(&missing, log, files));
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

/// Files by name; `None` where there was none.
type Known = BTreeMap<String, Option<Text>>;

/// What the log has of the files that a round was paired from: those at the last change that created the round.
struct Rebuilding {
    round: RoundNo,
    /// The files after that change.
    made: Known,
    /// Files before the first change after it.
    later: Known,
}

fn rebuilt(rounds: &[RoundNo], log: &Log, now: &Files) -> BTreeMap<RoundNo, Basis> {
    let mut made_by = BTreeMap::new();
    log.replay(|entry, changed| {
        let changed = changed.unwrap_or_default();
        // Rounds of an event that was imported whole were paired elsewhere, from what is not in this log.
        let is_begun = |change: &Changed| change.file == settings::FILE && change.before.is_none();
        if changed.iter().any(is_begun) {
            return;
        }
        for change in changed {
            let is_made = |round: &&RoundNo| change.file == rounds::file(**round);
            if change.before.is_none()
                && let Some(round) = rounds.iter().find(is_made)
            {
                made_by.insert(*round, entry.number);
            }
        }
    });
    let mut all: Vec<Rebuilding> = Vec::new();
    let mut present = Known::new();
    log.replay(|entry, changed| {
        for change in changed.unwrap_or_default() {
            for one in &mut all {
                let later = one.later.entry(change.file.clone());
                later.or_insert_with(|| change.before.clone());
            }
            present.insert(change.file.clone(), change.after.clone());
        }
        for (round, number) in &made_by {
            if *number == entry.number {
                all.push(Rebuilding {
                    round: *round,
                    made: present.clone(),
                    later: Known::new(),
                });
            }
        }
    });
    let basis = |one: &Rebuilding| (one.round, one.basis(&present, now));
    all.iter().map(basis).collect()
}

impl Rebuilding {
    fn basis(&self, present: &Known, now: &Files) -> Basis {
        let mut names: Vec<&String> = now.keys().chain(present.keys()).collect();
        names.sort();
        names.dedup();
        names.retain(|name| !is_file(name) && !is_round_from(name, self.round));
        let mut files = Files::new();
        let mut source = Source::Rebuilt;
        for name in names {
            let at_present = || now.get(name).map(|bytes| bytes[..].into());
            let later = self.later.get(name).cloned().unwrap_or_else(at_present);
            // A file edited by hand in between may have been edited before or after the pairing.
            if let Some(made) = self.made.get(name)
                && !is_same(name, made.as_ref(), later.as_ref())
            {
                source = Source::Doubtful;
            }
            if let Some(text) = later {
                files.insert(name.clone(), text.to_vec());
            }
        }
        Basis { files, source }
    }
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
fn is_same(name: &str, one: Option<&Text>, other: Option<&Text>) -> bool {
    let read = |text: &Text| {
        let files = Files::from([(name.to_owned(), text.to_vec())]);
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
