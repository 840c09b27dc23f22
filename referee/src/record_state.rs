//! The referee's state for one record of any game: the open games, the findings, and the place in the record.

use crate::{
    Options,
    early::Early,
    finding::{self as code, Code, EveryActJudged, Excerpt, Finding, Severity, set_rule},
    game::catalogue::Catalogue,
    game_state::Course,
    numbering::{Unjudged, number_after, number_of},
    remedy::{Case, Pace, Remedy, illegal_moves_of},
    report::Identity,
    rows::Rows,
};
use brackets::Brackets;
use findings::Findings;
use judging::Judging;
use numbers::Numbers;
use open_games::OpenGames;
use overboard_formats::{
    canonical::board_number,
    encoding::decode,
    header::{Header, Name, ROSTER_NAMES},
    parse::{Event, Parser, result_of},
    san::Language,
    span::{Span, TextSpan},
};
use overboard_rules::{by_side::BySide, general as common, square::Side, variant::Extension};
use players::{Chair, Players};
use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};
use terms::Terms;

pub mod brackets;
pub mod findings;
pub mod judging;
pub mod numbers;
pub mod open_games;
pub mod players;
pub mod terms;

/// The most unknown commands of a record that are reported.
const UNKNOWN_COMMANDS: usize = 64;
/// Bytes of a line kept before and after a finding.
const CONTEXT: usize = 200;

/// What the referee knows about a record of any game, apart from the position.
pub struct RecordState {
    options: Options,
    /// Whether the canonical form of legal plies is wanted.
    canonical: bool,
    /// The acts of the main line in coordinates, for a game whose plies alone do not determine it; `None`
    /// unless the options ask for it.
    acts: Option<String>,
    /// What happens in the main line, as rows, if the options ask for it.
    pub rows: Option<Rows>,
    /// What game it is.
    pub terms: Terms,
    /// The games open here.
    pub games: OpenGames,
    /// The brackets open here.
    pub brackets: Brackets,
    /// Who plays where, if several play for a team.
    pub players: Players,
    /// How far it is judged.
    pub judging: Judging,
    /// What was found so far.
    pub findings: Findings,
    /// Comments with commands before the moves.
    pub early: Early,
    /// The number before the next ply.
    pub numbers: Numbers,
    /// The ply read last.
    pub last: LastPly,
    unknown_commands: Vec<Vec<u8>>,
    first_word: TextSpan,
    last_word: TextSpan,
}

/// The ply read last.
#[derive(Clone, Copy, Debug)]
pub struct LastPly {
    /// Where it stands.
    pub place: TextSpan,
    /// The number of its move, and its side.
    pub number: (u32, Side),
    /// The board from which it was made, on linked boards.
    pub board: Option<u16>,
    /// On linked boards, the number and the side that are written before the next one.
    pub announced: Option<(u32, Side)>,
    /// The finding that refused it, if one did, as its index.
    pub refused: Option<usize>,
    /// Whether it was made, or refused: a clock after it is then that of its player.
    pub moved: bool,
    /// Whether it is refused only because it does not say which piece a pawn becomes, which could be a queen.
    pub unpromoted: bool,
}

impl LastPly {
    const NONE: Self = Self {
        place: TextSpan::NOWHERE,
        number: (1, Side::White),
        board: None,
        announced: None,
        refused: None,
        moved: false,
        unpromoted: false,
    };
}

impl RecordState {
    /// The state before the first record; `canonical` asks for the canonical form of legal plies.
    pub fn new(options: Options, canonical: bool, catalogue: Catalogue) -> Self {
        Self {
            acts: options.acts.then(String::new),
            rows: options.rows.then(|| Rows::new(options.scenes)),
            options,
            canonical,
            terms: Terms::of_chess(catalogue),
            games: OpenGames::default(),
            brackets: Brackets::default(),
            players: Players::default(),
            judging: Judging::default(),
            findings: Findings::default(),
            early: Early::default(),
            numbers: Numbers::default(),
            last: LastPly::NONE,
            unknown_commands: Vec::new(),
            first_word: TextSpan::NOWHERE,
            last_word: TextSpan::NOWHERE,
        }
    }

    /// Resets the state for the record that begins here; the memory of what the last one found is used again.
    pub fn begin(&mut self, place: TextSpan) {
        let (mut games, mut findings) = (
            std::mem::take(&mut self.games),
            std::mem::take(&mut self.findings),
        );
        games.clear();
        findings.clear();
        let rows = self.rows.take();
        let options = std::mem::take(&mut self.options);
        *self = Self {
            games,
            findings,
            rows,
            first_word: place,
            last_word: place,
            ..Self::new(options, self.canonical, self.terms.catalogue())
        };
    }

    /// How to judge.
    #[inline]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Whether the canonical form of legal plies is wanted.
    #[inline]
    pub const fn wants_canonical(&self) -> bool {
        self.canonical
    }

    /// The acts of the main line in coordinates, for a game whose plies alone do not determine it; `None` unless the
    /// options ask for it.
    #[inline]
    pub fn acts(&self) -> Option<&str> {
        self.acts.as_deref()
    }

    /// Appends an act in coordinates, if the options ask for acts.
    pub fn keep_act(&mut self, act: &str) {
        if !self.at_main_line() {
            return;
        }
        if let Some(acts) = &mut self.acts {
            acts.push_str(if acts.is_empty() { "" } else { " " });
            acts.push_str(act);
        }
    }

    /// The acts can no longer be written in coordinates.
    pub fn give_up_acts(&mut self) {
        self.acts = None;
    }

    /// Where the record begins.
    pub const fn first_word(&self) -> TextSpan {
        self.first_word
    }

    /// The word of the record, other than a ply, that findings without a place of their own point to.
    pub const fn last_word(&self) -> TextSpan {
        self.last_word
    }

    /// This word was read.
    pub(crate) const fn pass_word(&mut self, place: TextSpan) {
        self.last_word = place;
    }

    /// The tags of the game being read.
    #[inline]
    pub const fn header(&self) -> &Header {
        &self.games.current().header
    }

    /// What has happened in the game being read apart from its moves.
    #[inline]
    pub const fn course(&self) -> &Course {
        &self.games.current().course
    }

    /// The same, mutable.
    #[inline]
    pub const fn course_mut(&mut self) -> &mut Course {
        &mut self.games.current_mut().course
    }

    /// Where a tag of the game being read stands; nowhere if it has none.
    pub fn tag_place(&self, name: Name) -> TextSpan {
        self.header().place(name).unwrap_or_default()
    }

    /// Whether no variation is open.
    #[inline]
    pub const fn at_main_line(&self) -> bool {
        self.brackets.at_main_line()
    }

    /// Whether a command with this name has not been reported as unknown yet, and is to be.
    pub(crate) fn is_new_command(&mut self, name: &[u8]) -> bool {
        let is_new = self.unknown_commands.len() <= UNKNOWN_COMMANDS
            && !self.unknown_commands.iter().any(|known| known == name);
        if is_new {
            self.unknown_commands.push(name.to_vec());
        }
        is_new
    }

    /// Adds a finding. Returns it for further details; `None` if it was only counted.
    pub fn find(
        &mut self,
        code: &'static Code,
        place: TextSpan,
        parser: &Parser<'_>,
        message: String,
    ) -> Option<&mut Finding> {
        let severity = self.options().weights.of(code)?;
        if severity == Severity::Note && self.options().count_notes {
            self.findings.count_note();
            return None;
        }
        if !self.findings.count(code) {
            return None;
        }
        let excerpt = if self.options().no_excerpts {
            None
        } else {
            excerpt(place, parser)
        };
        let shown = place.span.to.min(place.span.from + 256);
        let text = decode(parser.text(Span::new(place.span.from, shown)))
            .0
            .into_owned();
        let column = column(place, parser);
        let of_ply = place.line > 0 && place == self.last.place;
        let (number, side) = self.last.number;
        let number = of_ply.then(|| match self.last.board {
            Some(board) => board_number(board, number, side),
            None => number_of(number, side),
        });
        let remedy = if self.at_main_line() {
            let ply = number.as_ref().map(|number| format!("{number} {text}"));
            let board = self.last.board;
            self.remedy(code, Chair { side, board }, ply.as_deref())
        } else {
            None
        };
        self.findings.add(Finding {
            remedy,
            column,
            excerpt,
            path: self.games.current().path.clone(),
            ply: (of_ply && self.at_main_line()).then_some(self.games.whole().plies),
            number,
            text: text.into(),
            ..Finding::new(code, severity, place, message)
        })
    }

    /// What an arbiter does about a finding of this kind, after a move or an attempt of the player at this chair (GEN-16).
    #[must_use]
    pub fn remedy(&self, code: &'static Code, mover: Chair, ply: Option<&str>) -> Option<Remedy> {
        let game = self.games.current();
        let control = game.time_control.or(self.games.whole().time_control);
        let mut before = match self.players.law() {
            Some(_) => self.players.attempts_of(mover),
            None => game.course.attempts[mover.side],
        };
        if code.id == code::ILLEGAL_MOVE.id {
            before += illegal_moves_of(mover, &self.players, self.findings.iter());
        }
        Case {
            pace: Pace::of(control.as_ref()),
            supervised: self.options().supervised,
            mover,
            ply,
            before,
            allowed: self.terms.attempts_allowed(),
            clocks: BySide::from_fn(|side| game.course.clocks.certain(side, mover.board)),
            law: self.players.law(),
            unpromoted: self.last.unpromoted,
            is_under_fide: self.is_under_fide(),
        }
        .remedy(code)
    }

    /// Adds a second place to a finding.
    pub fn explain_by(
        finding: &mut Finding,
        place: Option<TextSpan>,
        words: &str,
        parser: &Parser<'_>,
    ) {
        if let Some(place) = place {
            finding.also = Some((place, words.into(), excerpt(place, parser)));
        }
    }

    /// Reports notation of a game other than the one declared.
    pub fn extension(
        &mut self,
        what: &str,
        extension: Extension,
        place: TextSpan,
        parser: &Parser<'_>,
    ) {
        let game = self.terms.catalogue().with(extension);
        let name = game.map_or("", |game| game.name);
        let tag = match game {
            Some(info) if info.has_levels => format!("[Variant \"{name}\"] with [Level \"1\"]"),
            // Notation that one board lacks exists on linked boards.
            Some(info) if info.has_boards && self.terms.game() == game => {
                "Boards with more than one board, such as [Boards \"A:B\"], or on the sheet of one of them the tag Parent, such as [Parent \"7/A\"]".into()
            }
            _ => format!("[Variant \"{name}\"]"),
        };
        let here = self.terms.game().map_or("chess", |game| game.in_words);
        let message =
            format!("{what} does not belong to the notation of {here}; it needs the tag {tag}");
        self.find(&code::EXTENSION_TOKEN, place, parser, message);
        self.judging.speak_otherwise();
    }

    /// A block of another game opens. Returns whether it is the outermost one.
    pub fn foreign_block(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        if !self.brackets.open_foreign() || !self.terms.is_known() {
            return false;
        }
        let (what, extension) = match event {
            Event::SubgameOpen => ("a sub-game `<`", Extension::SubGame),
            Event::TurnOpen => ("a turn `<`", Extension::Turn),
            _ => ("an action `<`", Extension::Action),
        };
        self.extension(what, extension, *parser.place(), parser);
        true
    }

    /// What tells the game from others, given the hash of its last position; `None` if the tags do not say who played
    /// when, or nothing was played.
    #[must_use]
    pub fn identity(&self, last: Option<u64>) -> Option<Identity> {
        let game = self.games.whole();
        let is_known = |name: Name| {
            let value = game.header.bytes(name).unwrap_or(b"?");
            !value.is_empty() && !value.starts_with(b"?")
        };
        if game.plies == 0
            || ![Name::White, Name::Black, Name::Date]
                .into_iter()
                .all(is_known)
        {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        for name in ROSTER_NAMES {
            game.header.bytes(name).hash(&mut hasher);
        }
        (last?, game.plies).hash(&mut hasher);
        Some(Identity {
            hash: hasher.finish(),
            place: self.first_word(),
        })
    }

    /// Whether the game of the record has the FIDE Laws of Chess as its own.
    pub(crate) fn is_under_fide(&self) -> bool {
        self.terms.game().is_some_and(|game| game.is_under_fide)
    }

    /// A comment with the moves in its commands in English, as all moves are written.
    #[must_use]
    pub fn in_english<'t>(&self, comment: &'t [u8]) -> Cow<'t, [u8]> {
        self.terms.in_english(comment, self.options.limits.language)
    }

    /// A ply that is not legal in English: the letters of a language that a record was read in mean other pieces there.
    #[must_use]
    pub fn ply_in_english<'t>(&self, ply: &'t [u8]) -> Cow<'t, [u8]> {
        self.terms.ply_in_english(ply, self.options.limits.language)
    }

    /// The language of the piece letters: the selected one, or that which the moves show; `None` is English.
    #[must_use]
    pub fn language(&self) -> Option<&'static Language> {
        self.options().limits.language.or(self.terms.found())
    }

    /// Reads the result of the game being read.
    pub fn result(&mut self, parser: &Parser<'_>) {
        let place = *parser.place();
        let text = parser.text(place.span);
        if let Some(right) = result_of(text)
            && right.as_bytes() != text
        {
            let message = format!("this result is written `{right}`");
            self.find(&code::RESULT_FORM, place, parser, message);
        }
        self.games.current_mut().marker = Some(place);
        if self.games.around() == 0 {
            self.pass_word(place);
        }
    }

    /// The proof that everything was judged, if it was and the final position is known. If not, adds a finding unless
    /// there is one already.
    pub fn every_act_judged(&mut self, known: bool, parser: &Parser<'_>) -> Option<EveryActJudged> {
        let judged = self.judging.is_on() && known && self.judging.unjudged_from().is_none();
        let has_error = self.findings.has_error();
        if !judged && !has_error && self.judging.has_begun() {
            let from = self
                .judging
                .unjudged_from()
                .unwrap_or("the first move")
                .to_string();
            let message = format!("not everything is judged: nothing from {from} on");
            set_rule(
                self.find(&code::OPEN_PLY, self.last_word(), parser, message),
                &common::JUDGED,
            );
        }
        EveryActJudged::if_so(judged)
    }

    pub(crate) fn nag(&mut self, parser: &Parser<'_>) {
        let text = parser.text(parser.place().span);
        let digits = text.strip_prefix(b"$").unwrap_or(text);
        let is_in_range = |digits: &str| digits.len() <= 3 && digits.parse::<u8>().is_ok();
        if !std::str::from_utf8(digits).is_ok_and(is_in_range) {
            let message = "a numeric annotation glyph is `$0` to `$255`".into();
            self.find(&code::NAG_RANGE, *parser.place(), parser, message);
        }
    }

    pub(crate) fn glyphs(&mut self, parser: &Parser<'_>) {
        if self.judging.is_on() && self.games.current().plies == 0 && self.at_main_line() {
            self.find(
                &code::DANGLING,
                *parser.place(),
                parser,
                "there is no move before this sign".into(),
            );
        }
        if parser.place().span.len() > 2 {
            let message = "a move is annotated with one or two of `!` and `?`".into();
            self.find(&code::NAG_RANGE, *parser.place(), parser, message);
        }
    }

    /// Reports lines that PGN does not allow to be so long.
    pub fn note_long_lines(&mut self, parser: &mut Parser<'_>) {
        let (count, (line, line_start)) = parser.take_long_lines();
        if count > 0 {
            let place = TextSpan {
                span: Span::new(line_start + 255, line_start + 256),
                line,
                line_start,
            };
            let what = if count == 1 {
                "a line is".to_string()
            } else {
                format!("{count} lines are")
            };
            self.find(
                &code::LONG_LINE,
                place,
                parser,
                format!("{what} longer than 255 characters"),
            );
        }
    }
}

impl Unjudged {
    /// The number of the first move not judged, if the next move has this number and side.
    pub fn number(self, number: u32, side: Side) -> String {
        let (number, side) = match self {
            Self::ThisMove => (number, side),
            Self::NextMove => number_after((number, side)),
        };
        number_of(number, side)
    }
}

pub(crate) fn column(place: TextSpan, parser: &Parser<'_>) -> u64 {
    let bytes = place.span.from.saturating_sub(place.line_start);
    let before = parser.text(Span::new(place.line_start, place.span.from));
    if before.len() as u64 == bytes && before.len() < (64 << 10) {
        decode(before).0.chars().count() as u64 + 1
    } else {
        bytes + 1
    }
}

fn excerpt(place: TextSpan, parser: &Parser<'_>) -> Option<Excerpt> {
    let from = place
        .line_start
        .max(place.span.from.saturating_sub(CONTEXT as u64));
    let line = parser.lexer().line_text(from, CONTEXT * 3)?;
    let start = usize::try_from(place.span.from - from)
        .ok()?
        .min(line.len());
    let length = usize::try_from(place.span.len()).unwrap_or(usize::MAX);
    let text = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let end = start
        .saturating_add(length)
        .clamp(start, text.len().max(start));
    Some(Excerpt {
        text,
        from: start,
        to: end,
    })
}
