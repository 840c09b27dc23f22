//! [`Keeper`]: the one who writes a record while its game is played.

use crate::{
    clock::{Clocks, Hand, Setting, Shown},
    journal::{Ended, Entry, Journal, JournalError, Part, What},
    kept::{Keep, Made, Remark},
    record::{self, Judged, Mover, ReadError, Tag},
    state::State,
};
use overboard_engines::external::lines::{FaultCode, FaultReport, fault};
use overboard_events::{
    atomic_files::{self, FileError},
    store::Sum,
};
use overboard_formats::{
    command::{self, commands},
    encoding::decode,
    header::is_tag_name,
};
use overboard_games::registry::Variant;
use overboard_referee::{
    finding::{Finding, Severity, Verdict},
    remedy::Remedy,
};
use overboard_rules::square::Side;
use std::{
    cell::OnceCell,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// What is agreed about a new record.
#[derive(Clone, Debug)]
pub struct New {
    /// The game.
    pub game: Variant,
    /// The number of linked boards.
    pub boards: u16,
    /// The level, in a game with levels.
    pub level: Option<u8>,
    /// The options of the game, in the form of the tag Rules.
    pub rules: String,
    /// Further tag pairs: players, event, time control.
    pub tags: Vec<Tag>,
}

/// Whose text counts where the record was changed by somebody else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum OnEdit {
    /// Nobody's: the desk stops.
    Stop,
    /// The desk's: what is in the file is kept beside it under another name.
    Keep,
    /// The file's: the desk goes on from there.
    Take,
}

/// Why a record cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The record cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The record cannot be gone on with.
    #[error("{path}: {why}", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: ReadError,
    },
    /// There is neither a record nor what to begin one with.
    #[error("{path}: there is no such record; to begin one, say which game it is, as in `--variant overchess`", path = .0.display())]
    Nothing(PathBuf),
    /// There is a record already.
    #[error("{path}: this record has already begun; leave out --variant and the other options of a new game, or choose another file name", path = .0.display())]
    Begun(PathBuf),
    /// The record was changed by somebody else, or cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The journal says something that its own game does not allow.
    #[error("{path}: line {line}: {why}", path = path.display())]
    Replay {
        /// The journal.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The reason.
        why: String,
    },
    /// The time control is not one.
    #[error("the time control `{0}` cannot be used: {1}")]
    Control(String, command::TimeControlError),
}

/// A record that was changed while a desk kept it, or since.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{path}: the file was changed by somebody else; line {line} is `{theirs}` there and `{ours}` here",
    path = path.display()
)]
pub struct Edited {
    /// The file.
    pub path: PathBuf,
    /// The first line that differs, from 1.
    pub line: usize,
    /// What is there in the file.
    pub theirs: String,
    /// What the desk has.
    pub ours: String,
}

/// Why an act was not done.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// It is not allowed.
    #[error("{}", .0.report.words)]
    Refused(Box<Refused>),
    /// It could not be made durable, so it was not done.
    #[error("{0}; the act was not done")]
    NotDurable(#[from] JournalError),
    /// The act is done and durable, but the file of the record was changed by somebody else.
    #[error(
        "{0}. The act is in the journal; `keep` goes on with the desk's record, `take` with the file"
    )]
    Edited(#[from] Edited),
    /// The act is done and durable, but the file of the record could not be written.
    #[error("{0}; the act is in the journal, and the file is written with the next one")]
    NotWritten(#[from] FileError),
}

/// Why an act is not allowed, and what may be done about it.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// The reason and the rule.
    pub report: FaultReport,
    /// What an arbiter does about it now (GEN-16).
    pub remedy: Option<Remedy>,
    /// Whether it can be recorded all the same ([`Keeper::record_refused`]).
    pub is_recordable: bool,
}

impl From<FaultReport> for ActError {
    fn from(report: FaultReport) -> Self {
        Self::Refused(Box::new(Refused {
            report,
            ..Refused::default()
        }))
    }
}

/// An act that was done.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The steps that it consists of, if it is one of the game.
    pub made: Vec<Made>,
    /// What the referee says about it.
    pub notes: Vec<Finding>,
    /// What an arbiter does about it now (GEN-16).
    pub remedy: Option<Remedy>,
}

/// What happens without an act, as time passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A flag has fallen.
    Flag(Hand),
    /// Time has ended the game, and the kings were counted.
    Time(Ended),
}

/// What was refused last, as it would be recorded.
#[derive(Clone, Debug)]
enum Pending {
    /// An illegal move: an attempt.
    Attempt(String),
    /// A command that the referee objects to.
    Command(String, Scope),
}

/// A record while its game is played: the only one who writes it.
pub struct Keeper {
    path: PathBuf,
    journal: Journal,
    terms: DeskTerms,
    /// The record that was begun with.
    base: String,
    /// The acts since, without those taken back.
    acts: Vec<Vec<Part>>,
    state: State,
    clocks: Option<Clocks>,
    /// The time up to which the clocks have run.
    now: Duration,
    /// When the clocks were last put on disk.
    beat: Duration,
    /// The flags that have been reported.
    reported: Vec<Hand>,
    /// The hash of the file as it was written last.
    wrote: Option<Sum>,
    /// Whether the file is behind the journal.
    is_behind: bool,
    /// When the file was written, and how long that took.
    last_write: Option<(Instant, Duration)>,
    pending: Option<Pending>,
    /// Whether the next ply is judged with the whole record: the last act may bind it.
    is_bound: bool,
    programs: programs::Programs,
    /// Whose act is being done; the arbiter's if nobody is named.
    sender: Option<String>,
    people: OnceCell<record::People>,
}

/// The part of the time that may go into writing the file, which grows with the game: one in so many. In between, the
/// journal has everything.
const SHARE: u32 = 20;
/// How often clocks that run are put on disk.
const BEAT: Duration = Duration::from_secs(1);
/// The largest record that is gone on with, in bytes.
const LARGEST: u64 = 64 << 20;

impl Keeper {
    /// Opens a record: a new one, one that has begun, or one that a desk has kept before.
    ///
    /// # Errors
    /// See [`DeskError`].
    pub fn open(
        path: &Path,
        new: Option<&New>,
        terms: DeskTerms,
        on_edit: OnEdit,
    ) -> Result<Self, DeskError> {
        let file = bytes_of(path)?;
        let beside = Journal::beside(path);
        match (new, file.is_some() || beside.exists()) {
            (Some(_), true) => return Err(DeskError::Begun(path.to_owned())),
            (None, false) => return Err(DeskError::Nothing(path.to_owned())),
            _ => {}
        }
        let (journal, entries) = Journal::open(&beside)?;
        let text = match (&file, new) {
            (Some(bytes), _) => decode(bytes).0.into_owned(),
            (None, Some(new)) => {
                record::write(&record::new_tags(new), ("", ""), "*", "").unwrap_or_default()
            }
            (None, None) => String::new(),
        };
        let begun = entries.is_empty().then_some(text);
        let agreed = terms_in(&entries);
        let terms = terms.after(agreed);
        let mut this = Self::begin(path, journal, terms, begun, &entries)?;
        if entries.is_empty() {
            this.wrote = file.as_deref().map(Sum::of);
            this.journal
                .add(What::Begin(this.base.clone()), this.wrote)?;
        }
        if terms != agreed {
            this.journal.add(What::DeskTerms(terms), this.wrote)?;
        }
        this.is_behind = true;
        this.settle_edit(on_edit)?;
        this.save()?;
        Ok(this)
    }

    /// The record as its journal has it, or as its text says if that has not begun.
    fn begin(
        path: &Path,
        journal: Journal,
        terms: DeskTerms,
        begun: Option<String>,
        entries: &[Entry],
    ) -> Result<Self, DeskError> {
        let of_record = |why| DeskError::Record {
            path: path.to_owned(),
            why,
        };
        let (mut base, mut acts) = (begun, Vec::new());
        let (mut wrote, mut clocks) = (None, None);
        for entry in entries {
            wrote = entry.wrote.or(wrote);
            match &entry.what {
                What::Begin(record) => {
                    base = Some(record.clone());
                    acts.clear();
                }
                What::Act(parts) => acts.push(parts.clone()),
                What::Back(count) => {
                    let left = acts.len().saturating_sub(*count as usize);
                    acts.truncate(left);
                }
                What::DeskTerms(_) | What::Clocks(_) => {}
            }
            clocks = shown_in(&entry.what).cloned().or(clocks);
        }
        let base = base.unwrap_or_default();
        let state = State::of(&base).map_err(of_record)?;
        let mut this = Self {
            path: path.to_owned(),
            journal,
            terms,
            base,
            acts: Vec::new(),
            state,
            clocks: None,
            now: Duration::ZERO,
            beat: Duration::ZERO,
            reported: Vec::new(),
            wrote,
            is_behind: false,
            last_write: None,
            pending: None,
            is_bound: false,
            programs: programs::Programs::default(),
            sender: None,
            people: OnceCell::new(),
        };
        for parts in acts {
            this.apply(&parts).map_err(|why| DeskError::Replay {
                path: Journal::beside(path),
                line: entries.len() as u64,
                why,
            })?;
            this.acts.push(parts);
        }
        this.clocks = this.first_clocks()?;
        if let (Some(own), Some(shown)) = (&mut this.clocks, &clocks) {
            own.show(shown);
        }
        this.run_clocks();
        Ok(this)
    }

    /// The clocks, if the record has a time control. They stand until the arbiter lets them run.
    fn first_clocks(&self) -> Result<Option<Clocks>, DeskError> {
        let control = self.state.tag("TimeControl");
        let Some(control) = control.filter(|text| !matches!(*text, "" | "?" | "-")) else {
            return Ok(None);
        };
        let setting = Setting::read(control, self.terms.delay.unwrap_or(0));
        let setting = setting.map_err(|why| DeskError::Control(control.into(), why))?;
        let mut clocks = Clocks::new(setting);
        clocks.pause(true);
        Ok(Some(clocks))
    }

    fn apply(&mut self, parts: &[Part]) -> Result<(), String> {
        for part in parts {
            self.state.apply(part)?;
        }
        Ok(())
    }

    /// Does an act and makes it durable; if that fails, everything is as it was.
    fn commit(&mut self, mut parts: Vec<Part>) -> Result<Done, ActError> {
        let (clocks, acts) = (self.clocks.clone(), self.acts.len());
        let began = self.state.game.here();
        let due = self.due_hands();
        let done = self.apply(&parts);
        if let Err(why) = done {
            self.rebuild(acts);
            return Err(fault(FaultCode::Illegal, why).into());
        }
        let on_clocks = self.press(&due, &parts);
        // Remarks and clocks are always possible.
        let _ = self.apply(&on_clocks);
        parts.extend(on_clocks);
        let act = What::Act(parts.clone());
        let sender = self.sender.as_deref();
        let durable = self.journal.add_by(sender, act, self.wrote);
        if let Err(error) = durable {
            self.clocks = clocks;
            self.rebuild(acts);
            return Err(error.into());
        }
        self.forget_people(&began, &parts);
        self.acts.push(parts);
        self.after_act()
    }

    fn after_act(&mut self) -> Result<Done, ActError> {
        self.pending = None;
        self.is_behind = true;
        self.run_clocks();
        self.programs.turn_over();
        self.ask_programs();
        let is_over = self.state.over.is_some();
        if self.may_write() || is_over {
            self.save()?;
        }
        Ok(Done::default())
    }

    /// The state after the first of the acts.
    fn rebuild(&mut self, acts: usize) {
        let Ok(state) = State::of(&self.base) else {
            return;
        };
        self.state = state;
        self.people.take();
        self.acts.truncate(acts);
        for parts in self.acts.clone() {
            // They were possible before.
            let _ = self.apply(&parts);
        }
    }

    /// Plays what these texts mean, all of it or nothing: moves as records or engines write them.
    ///
    /// # Errors
    /// Why one of them is not legal, with the rule and what an arbiter does about it; that it could not be made durable.
    pub fn play(&mut self, plies: &[String]) -> Result<Done, ActError> {
        self.check_open()?;
        let mut made = Vec::new();
        let mut ahead: Option<Box<dyn Keep>> = None;
        for text in plies {
            let game = ahead.as_deref().unwrap_or(&*self.state.game);
            let found = match game.seek(text) {
                Ok(found) => found,
                Err(report) => return Err(self.refuse_ply(text, report)),
            };
            if plies.len() > 1 || self.is_bound {
                let mut next = ahead.take().unwrap_or_else(|| self.state.game.copied());
                for step in &found {
                    next.make(step)
                        .map_err(|why| fault(FaultCode::Illegal, why))?;
                }
                ahead = Some(next);
            }
            made.extend(found);
        }
        if self.is_bound
            && let Some(ahead) = ahead
        {
            self.check_bound(&*ahead)?;
        }
        self.commit(made.iter().cloned().map(Part::Made).collect())?;
        self.is_bound = false;
        Ok(Done {
            made,
            ..Done::default()
        })
    }

    /// Whether anything may be done: the game is not over.
    fn check_open(&self) -> Result<(), ActError> {
        let Some(ended) = &self.state.over else {
            return Ok(());
        };
        let words = format!("the game is over: {} ({})", ended.words, ended.result);
        Err(fault(FaultCode::OutOfTurn, words).into())
    }

    /// Why a ply is refused; it can be recorded as an illegal attempt.
    fn refuse_ply(&mut self, text: &str, report: FaultReport) -> ActError {
        let is_attempt = report.code == FaultCode::Illegal;
        let attempt = self.state.game.attempt(text);
        let mover = self.attempted_by(&attempt);
        let remedy = if is_attempt {
            let judged = self.judged(None, mover);
            self.pending = Some(Pending::Attempt(attempt));
            judged.ok().and_then(|judged| judged.inside.remedy)
        } else {
            None
        };
        ActError::Refused(Box::new(Refused {
            report,
            remedy,
            is_recordable: is_attempt,
        }))
    }

    /// Checks a ply to which the act before it may bind the player, such as a move announced with a claim.
    fn check_bound(&self, ahead: &dyn Keep) -> Result<(), ActError> {
        let before = self.judged(None, self.side().into())?;
        let (remarks, movetext) = ahead
            .movetext(None)
            .map_err(|error| fault(FaultCode::Illegal, error.why))?;
        let text = record::write(&self.state.tags, (&remarks, &movetext), "*", "");
        let text = text.map_err(|why| fault(FaultCode::Illegal, why))?;
        let after = judged(&text, self.side().into())?;
        let new = after.since(&before);
        match new.into_iter().find(|finding| is_objection(finding)) {
            Some(finding) => Err(refused_by(finding)),
            None => Ok(()),
        }
    }

    /// The side that is to act in the game that is going on.
    fn side(&self) -> Side {
        self.state.game.due().map_or(Side::White, |(_, side)| side)
    }

    /// Judges the record so far, with one more remark.
    fn judged(&self, more: Option<&Remark>, mover: Mover<'_>) -> Result<Judged, ActError> {
        let text = self.state.text(more);
        let text = text.map_err(|why| fault(FaultCode::Unreadable, why))?;
        judged(&text, mover)
    }

    /// Adds a comment after the last ply.
    ///
    /// # Errors
    /// That it cannot stand in a comment; that it could not be made durable.
    pub fn comment(&mut self, text: &str) -> Result<Done, ActError> {
        let text = text.trim();
        if text.is_empty() || text.contains(['{', '}', '\n', '\r']) {
            let words = "a comment is a line without braces";
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        if commands(text.as_bytes()).next().is_some() {
            let words = "a comment cannot hold a command such as [%resign W]: say it as an act";
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        let part = self.comment_part(format!("{{{text}}}"))?;
        self.commit(vec![part])
    }

    /// Sets a tag of the record.
    ///
    /// # Errors
    /// That the tag is not one that may change; that it could not be made durable.
    pub fn tag(&mut self, name: &str, value: &str) -> Result<Done, ActError> {
        let is_text = !value.contains(['\n', '\r']);
        if !is_tag_name(name) || !is_text || FIXED.contains(&name) {
            let words = format!(
                "the tag {} cannot be set here",
                overboard_games::coordinates::shown(name)
            );
            return Err(fault(FaultCode::Unreadable, words).into());
        }
        self.commit(vec![Part::Tag(name.into(), value.into())])
    }

    /// Takes back the last acts, whatever they were; they stay in the journal.
    ///
    /// # Errors
    /// That there are not so many; that it could not be made durable.
    pub fn undo(&mut self, count: u32) -> Result<Done, ActError> {
        let acts = self.acts();
        let Some(left) = acts.checked_sub(count as usize) else {
            let words = format!("{count} acts cannot be taken back; there are {acts}");
            return Err(fault(FaultCode::OutOfTurn, words).into());
        };
        self.journal.add(What::Back(count), self.wrote)?;
        self.rebuild(left);
        self.after_act()
    }

    /// The state of the record.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The file of the record.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many acts can be taken back.
    #[must_use]
    pub fn acts(&self) -> usize {
        self.acts.len()
    }

    /// Everything that the referee finds in the record so far.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn check(&self) -> Result<Judged, ActError> {
        self.judged(None, self.side().into())
    }
}

/// Tags on which the game depends.
const FIXED: [&str; 8] = [
    "Variant",
    "Boards",
    "Level",
    "Rules",
    "FEN",
    "SetUp",
    "Result",
    "TimeControl",
];

/// Whether a referee objects to what was done, and does not only note it: also to a claim that is wrong, which is no error
/// of the record.
fn is_objection(finding: &Finding) -> bool {
    finding.severity > Severity::Note && finding.code.verdict != Verdict::Clean
}

fn refused_by(finding: &Finding) -> ActError {
    ActError::Refused(Box::new(Refused {
        report: FaultReport {
            rule: finding.rule.map(|rule| rule.id.into()),
            possible: finding.possible.clone(),
            ..fault(FaultCode::Illegal, finding.message.as_it_came())
        },
        remedy: finding.remedy.clone(),
        is_recordable: true,
    }))
}

fn judged(text: &str, mover: Mover<'_>) -> Result<Judged, ActError> {
    record::judge(text, mover)
        .map_err(|error| fault(FaultCode::Unreadable, error.to_string()).into())
}

/// How a desk was kept last.
fn terms_in(entries: &[Entry]) -> DeskTerms {
    let recorded = entries.iter().rev().find_map(|entry| match entry.what {
        What::DeskTerms(terms) => Some(terms),
        _ => None,
    });
    recorded.unwrap_or_default()
}

fn shown_in(what: &What) -> Option<&Shown> {
    match what {
        What::Clocks(shown) => Some(shown),
        What::Act(parts) => parts.iter().rev().find_map(|part| match part {
            Part::Clocks(shown) => Some(shown),
            _ => None,
        }),
        What::Begin(_) | What::DeskTerms(_) | What::Back(_) => None,
    }
}

/// The bytes of a file; `None` if there is none, or nothing in it.
fn bytes_of(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let fail = FileError::on(path);
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
        Ok(known) if known.len() > LARGEST => {
            let words = format!("larger than {LARGEST} bytes, which is no record of one game");
            return Err(fail(io::Error::other(words)));
        }
        Ok(_) => {}
    }
    let bytes = fs::read(path).map_err(fail)?;
    let is_empty = bytes.trim_ascii().is_empty();
    Ok(if is_empty { None } else { Some(bytes) })
}

mod council;
mod names;
mod programs;
mod saying;
mod sealed;
mod seen;
mod senders;
mod terms;
mod time;
mod writing;

pub use council::{Commanders, Vote};
pub use programs::Answered;
pub use saying::Scope;
pub use sealed::Comments;
pub use senders::Act;
pub use terms::DeskTerms;
pub use writing::WriteError;
