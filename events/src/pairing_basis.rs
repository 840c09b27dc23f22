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
//! use overboard_events::pairing_basis;
//! use overboard_schedules::ids::RoundNo;
//!
//! let third = RoundNo::all().nth(2).unwrap();
//! assert_eq!(pairing_basis::file(third), "rounds/03.from.json");
//! assert!(pairing_basis::is_file("rounds/03.from.json") && !pairing_basis::is_file("rounds/03.csv"));
//! ```

use crate::{
    Event, Files,
    event::rewritten,
    roster::{Request, RequestKind},
    rounds::{self, Bye, ByeKind, Match},
    settings::{self, System},
    store::{Changed, Log, Text},
};
use overboard_schedules::ids::{RoundNo, TeamNo};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
pub struct PairingBasis {
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
    rounds::digits(name, ".from.json").is_some()
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

fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.split_terminator('\n').map(str::to_owned).collect()
}

fn joined(lines: &[String]) -> Vec<u8> {
    let mut joined = Vec::new();
    for line in lines {
        joined.extend_from_slice(line.as_bytes());
        joined.push(b'\n');
    }
    joined
}

/// Reads the files of the first `rounds` rounds. One that cannot be read, or is based on a missing one, is ignored.
pub(crate) fn read(files: &Files, rounds: usize) -> BTreeMap<RoundNo, PairingBasis> {
    let mut all = BTreeMap::<RoundNo, PairingBasis>::new();
    for round in RoundNo::first(rounds as u32) {
        if let Some(files) = read_round(files, round, &all) {
            let source = Source::Kept;
            all.insert(round, PairingBasis { files, source });
        }
    }
    all
}

/// What the file of a round holds, given those of earlier rounds.
fn read_round(
    files: &Files,
    round: RoundNo,
    earlier: &BTreeMap<RoundNo, PairingBasis>,
) -> Option<Files> {
    let kept: RoundFile = serde_json::from_slice(files.get(&file(round))?).ok()?;
    if kept.round != round {
        return None;
    }
    let mut known = match kept.after {
        None => Files::new(),
        Some(before) => earlier.get(&before)?.files.clone(),
    };
    for (name, lines) in kept.files {
        match lines {
            Some(lines) => known.insert(name, joined(&lines)),
            None => known.remove(&name),
        };
    }
    if sum(&known) != kept.sum {
        return None;
    }
    Some(known)
}

/// Writes the files of all bases.
pub(crate) fn write(bases: &BTreeMap<RoundNo, PairingBasis>, files: &mut Files) {
    let mut last: Option<(RoundNo, &Files)> = None;
    for (round, basis) in bases {
        if basis.source != Source::Kept {
            continue;
        }
        let none = Files::new();
        let (after, before) = match last {
            Some((round, files)) => (Some(round), files),
            None => (None, &none),
        };
        let mut changed = BTreeMap::new();
        for name in before.keys().chain(basis.files.keys()) {
            let now = basis.files.get(name);
            if before.get(name) != now {
                changed.insert(name.clone(), now.map(|bytes| lines(bytes)));
            }
        }
        let kept = RoundFile {
            round: *round,
            after,
            sum: sum(&basis.files),
            files: changed,
        };
        let mut json = serde_json::to_string_pretty(&kept).unwrap_or_default();
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
        if !self.is_paired_by_results() {
            return;
        }
        self.bases.insert(self.upcoming(), self.basis_now());
    }

    fn basis_now(&self) -> PairingBasis {
        let mut files = self.write();
        files.retain(|name, _| !is_file(name));
        for bytes in files.values_mut() {
            *bytes = joined(&lines(bytes));
        }
        let source = Source::Kept;
        PairingBasis { files, source }
    }

    /// Cancels this round and all later ones. Byes that were requested for them remain requested.
    pub fn cancel(&mut self, round: RoundNo) {
        if self.takes_pairs_by_hand() {
            self.requests.extend(self.asked_from(round));
        }
        self.rounds.truncate(round.index());
        self.requests
            .retain(|request| request.kind != RequestKind::Set || request.round < round);
        self.bases.retain(|paired, _| *paired < round);
    }

    /// The byes that were asked for from a round on. For a round that came with a tournament report, only the round
    /// itself records these.
    fn asked_from(&self, round: RoundNo) -> Vec<Request> {
        let mut asked = Vec::new();
        for (at, sheet) in RoundNo::all().zip(&self.rounds).skip(round.index()) {
            for bye in &sheet.byes {
                asked.extend(self.asked_by(at, bye));
            }
        }
        asked
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
        if noted || !self.is_in(bye.who, round) {
            return None;
        }
        Some(Request::new(round, kind, bye.who))
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
        if let Some(PairingBasis { files, source }) = self.bases.get(&round)
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
        let pairs = before.event.rounds.iter().zip(&self.rounds);
        for (earlier, (then, now)) in RoundNo::all().zip(pairs.take(round.index())) {
            for this in &now.matches {
                let Some(old) = then.of_pair(this) else {
                    continue;
                };
                if before.event.outcome(old) == self.outcome(this) && old.play_off == this.play_off
                {
                    continue;
                }
                let mut then = before.event.in_words(old);
                let mut now = self.in_words(this);
                // A correction can make a play-off irrelevant while the score stays the same.
                if then == now {
                    then.push_str(&on_boards(old));
                    now.push_str(&on_boards(this));
                }
                changes.push(Change {
                    round: earlier,
                    table: this.table,
                    then,
                    now,
                });
            }
        }
        changes
    }

    /// The result of a match, in short.
    #[must_use]
    pub fn in_words(&self, this: &Match) -> String {
        let mut words = match (this.result, self.outcome(this)) {
            (Some(result), _) => result.to_string(),
            (None, Some(outcome)) => {
                format!("{}-{}", outcome.scores[0].games, outcome.scores[1].games)
            }
            (None, None) => return "open".into(),
        };
        if let Some([white, black]) = this.tally
            && this.result.is_some()
        {
            words.push_str(&format!(" ({white}-{black})"));
        }
        if let Some(result) = this.play_off {
            words.push_str(&format!(", play-off {result}"));
        }
        words
    }

    /// The participants that advanced from a round of a knockout, by the pairing of the next round; `None` if that is
    /// not paired.
    pub(crate) fn went_on(&self, round: RoundNo) -> Option<Vec<TeamNo>> {
        let next = self.rounds.get(round.index() + 1)?;
        let mut paired = Vec::new();
        for this in &next.matches {
            paired.extend(this.sides());
        }
        paired.extend(next.byes.iter().map(|bye| bye.who));
        Some(paired)
    }
}

/// The results of the boards of a match, ` (1-0 1/2-1/2)`; empty if it has none.
fn on_boards(this: &Match) -> String {
    let mut results = Vec::new();
    for board in &this.boards {
        results.push(match board.result {
            Some(result) => result.to_string(),
            None => "*".into(),
        });
    }
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

/// The number of the last change that created each of these rounds.
fn makers(rounds: &[RoundNo], log: &Log) -> BTreeMap<RoundNo, u32> {
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
    made_by
}

fn rebuilt(rounds: &[RoundNo], log: &Log, now: &Files) -> BTreeMap<RoundNo, PairingBasis> {
    let made_by = makers(rounds, log);
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
    fn basis(&self, present: &Known, now: &Files) -> PairingBasis {
        let mut names: BTreeSet<_> = now.keys().chain(present.keys()).collect();
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
        PairingBasis { files, source }
    }
}

/// Whether a file belongs to this round or a later one.
fn is_round_from(name: &str, round: RoundNo) -> bool {
    let number = rounds::digits(name, ".csv").unwrap_or_default();
    number
        .parse()
        .is_ok_and(|number: u32| number >= round.get())
}

/// Whether two texts of a file have the same contents.
fn is_same(name: &str, one: Option<&Text>, other: Option<&Text>) -> bool {
    if one == other || !name.ends_with(".csv") {
        return one == other;
    }
    let read = |text: Option<&Text>| {
        let files = Files::from([(name.to_owned(), text?.to_vec())]);
        rewritten(name, &files)
    };
    let one = read(one);
    one.is_some() && one == read(other)
}
