//! A game as a text: reading one that has begun, writing it, judging it.

use crate::{
    keeper::New,
    kept::{Keep, Kept, Made},
};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Parser},
    ply_rows::{Kind, PlyRow, tag_pair},
};
use overboard_games::{
    overchess::judge::call_sheet::Calls,
    referee::{
        AnyReferee,
        replay::first_position,
        rewrite::{RewriteError, rewrite},
    },
    registry::AnyGame,
    with_game,
};
use overboard_referee::{
    Options, finding::Finding, remedy::Remedy, report::Report, rows::rebuilt::assembled,
};
use overboard_rules::{by_side::BySide, outcome::Ruling, square::Side};
use std::fmt::Write as _;

/// A tag pair.
pub type Tag = (String, String);

/// Why a record cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its text cannot be read.
    #[error("the record cannot be read: {0}")]
    Unreadable(String),
    /// There is none in the file, or more than one.
    #[error("a desk keeps one record, and the file has {0}")]
    Several(usize),
    /// It has errors.
    #[error(
        "the record has an error, so it cannot be gone on with: {0}; `overboard check` says where"
    )]
    Wrong(String),
    /// Its tags declare no game that is supported.
    #[error("the tags declare no game whose rules are known: {0}")]
    NoGame(String),
}

/// A record that has been read.
pub struct Read {
    /// Its tag pairs, in order.
    pub tags: Vec<Tag>,
    /// The game.
    pub game: Box<dyn Keep>,
    /// Remarks after its result.
    pub after: String,
    /// What was found in it.
    pub judged: Judged,
}

/// What the referee says about a record so far.
pub struct Judged {
    /// The report.
    pub report: Report,
    /// What has ended the game of the record.
    pub ended: Option<Ruling>,
    /// The flags that have fallen while play goes on, in coordinates.
    pub flags: Vec<String>,
    /// What is known where it stops.
    pub inside: Inside,
}

/// What is known where a game stops, before what is open is closed.
#[derive(Default)]
pub struct Inside {
    /// What has ended the innermost game that is open there.
    pub ended: Option<Ruling>,
    /// What an arbiter does if the side asked about makes an illegal move there.
    pub remedy: Option<Remedy>,
    /// Who plays.
    pub people: People,
}

/// The people whom the referee knows from a record.
#[derive(Clone, Default, Debug)]
pub struct People {
    /// Those who are called in a game of Overchess.
    pub calls: Option<Calls>,
    /// The players of both teams on linked boards, board A's first.
    pub teams: BySide<Vec<String>>,
}

impl Judged {
    /// The findings that another judgement of the same game, before the last act, does not have.
    pub fn since(&self, before: &Self) -> Vec<&Finding> {
        let mut known: Vec<_> = before.report.findings.iter().collect();
        let mut new = Vec::new();
        for finding in &self.report.findings {
            let same = |other: &&Finding| {
                (other.code.id, &other.message) == (finding.code.id, &finding.message)
            };
            match known.iter().position(same) {
                Some(at) => {
                    known.swap_remove(at);
                }
                None => new.push(finding),
            }
        }
        new
    }
}

fn so_far() -> Limits {
    Limits {
        so_far: true,
        ..Limits::default()
    }
}

fn options() -> Options {
    Options {
        limits: so_far(),
        rows: true,
        ..Options::default()
    }
}

/// A record, judged as far as it goes, with its tags and rows.
struct Followed {
    tags: Vec<Tag>,
    rows: Vec<PlyRow>,
    judged: Judged,
}

/// Who would have to answer for an illegal move.
#[derive(Clone, Copy)]
pub struct Mover<'a> {
    /// The side.
    pub side: Side,
    /// The name of its board, where several are side by side.
    pub board: &'a str,
}

impl From<Side> for Mover<'_> {
    fn from(side: Side) -> Self {
        Self { side, board: "" }
    }
}

impl People {
    fn of(referee: &AnyReferee) -> Self {
        Self {
            calls: referee.calls(),
            teams: BySide::from_fn(|side| referee.team(side).to_vec()),
        }
    }
}

impl Inside {
    fn of(referee: &AnyReferee, mover: Mover<'_>) -> Self {
        Self {
            ended: referee.ended_here(),
            remedy: referee.remedy_of_illegal_move(mover.side, mover.board),
            people: People::of(referee),
        }
    }
}

/// Follows the first record of a text; `None` if there is none. The remedy is that for an illegal move of `mover`.
fn follow(text: &str, mover: Mover<'_>) -> Option<Followed> {
    let mut parser = Parser::new(text.as_bytes(), 0, so_far());
    let mut referee = AnyReferee::new(options());
    let (mut tags, mut rows, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    let (mut inside, mut ended) = (None, None);
    loop {
        // Reading from memory cannot fail.
        let event = parser.next().ok()?;
        if event == Event::Done {
            return None;
        }
        // Where games inside one another stop, the innermost is closed first.
        let stops = stops(event, &parser) && inside.is_none();
        if stops && referee.has_begun() {
            inside = Some(Inside::of(&referee, mover));
        }
        // Of a game that is over, only its people are wanted.
        if event == Event::End && inside.is_none() {
            inside = Some(Inside {
                people: People::of(&referee),
                ..Inside::default()
            });
        }
        let is_tag = event == Event::Tag && !referee.has_begun();
        referee.hear(event, &parser);
        // Without a ply, nothing is known of a game before its result.
        if stops && inside.is_none() {
            inside = Some(Inside::of(&referee, mover));
        }
        if is_tag {
            tags.push(tag_pair(&parser));
        }
        // At the end of the text a turn that is broken off is excused, and the end with it.
        ended = referee.ended().or(ended);
        let report = (event == Event::End).then(|| referee.take_report(&mut parser));
        while let Some(row) = referee.next_row() {
            if row.kind == Kind::Flag {
                flags.extend(row.coord.clone());
            }
            rows.push(row);
        }
        if let Some(report) = report {
            let judged = Judged {
                report,
                ended,
                flags,
                inside: inside.unwrap_or_default(),
            };
            return Some(Followed { tags, rows, judged });
        }
    }
}

/// Whether a game stops here without having ended.
fn stops(event: Event, parser: &Parser<'_>) -> bool {
    match event {
        Event::UnderWay => true,
        Event::Result => parser.text(parser.place().span) == b"*",
        _ => false,
    }
}

/// Judges a record as far as it goes; `mover` is the one whose illegal move would be remedied.
///
/// # Errors
/// If there is none.
pub fn judge(text: &str, mover: Mover<'_>) -> Result<Judged, ReadError> {
    let followed = follow(text, mover).ok_or(ReadError::Several(0))?;
    Ok(followed.judged)
}

/// Reads a record to go on with it.
///
/// # Errors
/// Why it cannot be gone on with.
pub fn read(text: &str) -> Result<Read, ReadError> {
    let records = count(text)?;
    if records != 1 {
        return Err(ReadError::Several(records));
    }
    let followed = follow(text, Side::White.into()).ok_or(ReadError::Several(0))?;
    let Followed { tags, rows, judged } = followed;
    if let Some(finding) = judged.report.spoilt() {
        return Err(ReadError::Wrong(finding.message.shown().to_string()));
    }
    let first = first_position(&format!("{}\n\n*\n", pairs(&tags)), options());
    let game = first.as_ref().and_then(keeping);
    let mut game = game.ok_or_else(|| {
        let variant = tags.iter().find(|(name, _)| name == "Variant");
        ReadError::NoGame(variant.map_or_else(String::new, |(_, value)| value.clone()))
    })?;
    let mut after = String::new();
    for row in rows {
        if row.kind == Kind::End {
            after = row.remarks.unwrap_or_default();
            continue;
        }
        repeat(&mut *game, &row).map_err(ReadError::Wrong)?;
    }
    Ok(Read {
        tags,
        game,
        after,
        judged,
    })
}

/// Makes the step of a row, if it has one, and takes what is said with it.
fn repeat(game: &mut dyn Keep, row: &PlyRow) -> Result<(), String> {
    let coord = row.coord.clone().unwrap_or_default();
    let made = match row.kind {
        Kind::Ply | Kind::Unsaid | Kind::Stands | Kind::Flag => Some(Made {
            kind: row.kind,
            path: row.path.clone(),
            coord,
            san: row.san.clone().unwrap_or_default(),
        }),
        Kind::Result => game.event(&coord),
        Kind::Illegal | Kind::Unjudged => {
            return Err("a move in it could not be judged".into());
        }
        Kind::Start | Kind::Turn | Kind::End => None,
    };
    if let Some(made) = made {
        game.make(&made)?;
    }
    game.said_in(row);
    Ok(())
}

/// A game to be kept that begins with this position.
fn keeping(first: &AnyGame) -> Option<Box<dyn Keep>> {
    let boards = first.boards();
    with_game!(first.variant(), boards, G => {
        let own = first.as_one_of::<G>()?.clone();
        Some(Box::new(Kept::from(own)))
    })
}

/// How many records a text has.
fn count(text: &str) -> Result<usize, ReadError> {
    let mut parser = Parser::new(text.as_bytes(), 0, so_far());
    let mut records = 0;
    loop {
        let event = parser.next();
        match event.map_err(|error| ReadError::Unreadable(error.to_string()))? {
            Event::Done => return Ok(records),
            Event::End => records += 1,
            _ => {}
        }
    }
}

/// Tag pairs as a record has them.
fn pairs(tags: &[Tag]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "[{name} \"{}\"]",
            overboard_formats::header::escape(value)
        );
    }
    text
}

/// A record in canonical form.
///
/// # Errors
/// Why it would lose something.
pub fn write(
    tags: &[Tag],
    (remarks, movetext): (&str, &str),
    result: &str,
    after: &str,
) -> Result<String, String> {
    let text = assembled(&pairs(tags), remarks, movetext, result, after);
    let mut out = Vec::with_capacity(text.len() + 64);
    rewrite(text.as_bytes(), &mut out, so_far()).map_err(|error| match error {
        RewriteError::Reading(error) | RewriteError::Writing(error) => error.to_string(),
        RewriteError::Unkept(_, why) => why.words(&so_far()),
    })?;
    String::from_utf8(out).map_err(|error| error.to_string())
}

/// The tags of a new record.
pub fn new_tags(new: &New) -> Vec<Tag> {
    const ROSTER: [(&str, &str); 7] = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    let given = &new.tags;
    let value = |name: &str| given.iter().find(|(given, _)| given == name);
    let mut tags: Vec<Tag> = Vec::new();
    for (name, usual) in ROSTER {
        let value = value(name).map_or(usual, |(_, value)| value);
        tags.push((name.into(), value.into()));
    }
    let declared = new.game.tags(new.boards.into(), new.level, &new.rules);
    for (name, value) in declared {
        tags.push((name.into(), value));
    }
    for (name, value) in given {
        if tags.iter().all(|(known, _)| known != name) {
            tags.push((name.clone(), value.clone()));
        }
    }
    tags
}
