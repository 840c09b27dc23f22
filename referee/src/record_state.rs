//! The referee's state for one record of any game: the open games, the findings, and the place in the record.

use crate::{
    Options,
    early::Early,
    finding::{self as code, Code, EveryActJudged, Excerpt, Finding, Severity},
    game::catalogue::Catalogue,
    game_state::GameState,
    numbering::{Unjudged, number_of},
    report::GameResult,
    rows::Rows,
};
use overboard_formats::{
    canonical::board_number,
    encoding::decode,
    parse::{Event, Parser},
    san::Language,
    span::{Span, TextSpan},
};
use overboard_rules::{
    general as common,
    outcome::Cause,
    square::Side,
    variant::{Extension, VariantInfo},
};
use std::{cmp::Ordering, collections::HashMap};

/// The most findings of one code listed for one game; further ones are only counted.
const LISTED: u32 = 1000;
/// The illegal attempts that cost a game where the tag Rules does not say how many (GEN-9).
pub const ATTEMPTS: u32 = 2;
/// Bytes of a line kept before and after a finding.
const CONTEXT: usize = 200;

/// What the referee knows about a record of any game, apart from the position.
pub struct RecordState {
    /// How to judge.
    pub options: Options,
    /// Whether the canonical form of legal plies is wanted.
    pub canonical: bool,
    /// The acts of the main line in coordinates, for a game whose plies alone do not determine it; `None`
    /// unless the options ask for it.
    pub acts: Option<String>,
    /// What happens in the main line, as rows, if the options ask for it.
    pub rows: Option<Rows>,
    /// The game being read.
    pub current: GameState,
    /// The games around it, the outermost first.
    around: Vec<GameState>,
    /// The games that are known.
    pub games: Catalogue,
    /// The game of the record, as its tags say; `None` if they name none that is known.
    pub game: Option<&'static VariantInfo>,
    /// Whether the game is supported.
    pub known: bool,
    /// Whether moves are judged: not in a game whose rules or whose first position cannot be used.
    pub judging: bool,
    /// What was found so far, in the order in which it was found.
    pub findings: Vec<Finding>,
    listed: HashMap<&'static str, u32>,
    /// Notes that were only counted, because the options say so.
    pub notes_counted: u32,
    /// Whether the moves have begun.
    pub in_moves: bool,
    /// Comments with commands before the moves.
    pub early: Early,
    /// Open blocks.
    pub block_depth: usize,
    /// Open blocks that belong to a game other than the record's; their contents are not judged.
    pub foreign: usize,
    /// Variations that are open.
    pub ravs: usize,
    /// Open blocks that cannot be read; oddities inside follow from that.
    pub bad_blocks: usize,
    /// How many blocks were open around something reported as misplaced, until the innermost of them closes.
    pub misplaced: Option<usize>,
    /// Whether notation of another game was found: later words may belong to that game, too.
    pub speaks_otherwise: bool,
    /// Whether the text ends while something is open, which has been reported.
    pub broken_off: bool,
    /// Whether the record has tags.
    pub tagged: bool,
    /// The number of the first move that was not judged, as it is written.
    pub unjudged_from: Option<String>,
    /// Whether a move number stands before the next ply.
    pub numbered: bool,
    /// Whether something stands before the next ply after which it needs a number: a comment, a variation, a block.
    pub interrupted: bool,
    /// The ply read last.
    pub last: LastPly,
    /// The number of illegal attempts that costs the game (GEN-9).
    pub attempts_allowed: u32,
    pub(crate) unknown_commands: Vec<Vec<u8>>,
    /// The languages in which the record may be written, if its moves are not in the selected one.
    pub guessed: Vec<&'static Language>,
    /// Where the record begins.
    pub first_word: TextSpan,
    pub(crate) last_word: TextSpan,
    /// The result of the sub-game that ended last.
    pub concluded: GameResult,
    /// How the game had ended, at the first act after its end.
    pub played_past: Option<Cause>,
}

/// What passes from one record to the next: memory to use again, and what is read between records.
#[derive(Default)]
struct Kept {
    current: GameState,
    findings: Vec<Finding>,
    listed: HashMap<&'static str, u32>,
    rows: Option<Rows>,
    notes_counted: u32,
    concluded: GameResult,
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
    /// The finding that refused it, if one did, as its index.
    pub refused: Option<usize>,
    /// Whether it was made, or refused: a clock after it is then that of its player.
    pub moved: bool,
}

impl LastPly {
    const NONE: Self = Self {
        place: TextSpan::NOWHERE,
        number: (1, Side::White),
        board: None,
        refused: None,
        moved: false,
    };
}

impl RecordState {
    /// The state before the first record; `canonical` asks for the canonical form of legal plies.
    pub fn new(options: Options, canonical: bool, games: Catalogue) -> Self {
        let kept = Kept {
            rows: options.rows.then(|| Rows::new(options.scenes)),
            ..Kept::default()
        };
        Self::start(options, canonical, games, TextSpan::NOWHERE, kept)
    }

    /// Resets the state for the record that begins here.
    pub fn begin(&mut self, place: TextSpan) {
        self.unwind(0);
        self.current.clear();
        self.findings.clear();
        self.listed.clear();
        let kept = Kept {
            current: std::mem::take(&mut self.current),
            findings: std::mem::take(&mut self.findings),
            listed: std::mem::take(&mut self.listed),
            rows: self.rows.take(),
            notes_counted: self.notes_counted,
            concluded: std::mem::take(&mut self.concluded),
        };
        let options = std::mem::take(&mut self.options);
        *self = Self::start(options, self.canonical, self.games, place, kept);
    }

    /// The state at the beginning of a record.
    fn start(
        options: Options,
        canonical: bool,
        games: Catalogue,
        place: TextSpan,
        kept: Kept,
    ) -> Self {
        Self {
            acts: options.acts.then(String::new),
            rows: kept.rows,
            options,
            canonical,
            current: kept.current,
            around: Vec::new(),
            games,
            game: Some(games.chess()),
            known: true,
            judging: true,
            findings: kept.findings,
            listed: kept.listed,
            notes_counted: kept.notes_counted,
            in_moves: false,
            early: Early::default(),
            block_depth: 0,
            foreign: 0,
            ravs: 0,
            bad_blocks: 0,
            misplaced: None,
            speaks_otherwise: false,
            broken_off: false,
            tagged: false,
            unjudged_from: None,
            numbered: false,
            interrupted: true,
            last: LastPly::NONE,
            attempts_allowed: ATTEMPTS,
            unknown_commands: Vec::new(),
            guessed: Vec::new(),
            first_word: place,
            last_word: place,
            concluded: kept.concluded,
            played_past: None,
        }
    }

    /// Whether no variation is open.
    pub fn at_main_line(&self) -> bool {
        self.ravs == 0
    }

    /// The game of the record, around all others.
    pub fn whole(&self) -> &GameState {
        self.around.first().unwrap_or(&self.current)
    }

    /// The same, mutable.
    pub fn whole_mut(&mut self) -> &mut GameState {
        self.around.first_mut().unwrap_or(&mut self.current)
    }

    /// Whether the game being read, or one around it, has ended.
    #[inline]
    pub fn any_ended(&self) -> bool {
        self.current.course.ended.is_some()
            || self.around.iter().any(|game| game.course.ended.is_some())
    }

    /// The game being read and those around it, the outermost first.
    pub fn open_games(&self) -> impl DoubleEndedIterator<Item = &GameState> {
        self.around.iter().chain([&self.current])
    }

    /// The same, mutable.
    pub fn open_games_mut(&mut self) -> impl Iterator<Item = &mut GameState> {
        self.around.iter_mut().chain([&mut self.current])
    }

    /// The game that has `around` games around it.
    pub fn game_at(&mut self, around: usize) -> Option<&mut GameState> {
        match around.cmp(&self.around.len()) {
            Ordering::Less => self.around.get_mut(around),
            Ordering::Equal => Some(&mut self.current),
            Ordering::Greater => None,
        }
    }

    /// How many games are around the one being read.
    pub fn games_around(&self) -> usize {
        self.around.len()
    }

    /// A game begins inside the one being read; `path` is written as findings show it.
    pub fn enter(&mut self, path: String) {
        let inner = GameState {
            path,
            ..GameState::default()
        };
        self.around
            .push(std::mem::replace(&mut self.current, inner));
    }

    /// Returns to the game that has `around` games around it. Returns the state of the last game left.
    pub fn unwind(&mut self, around: usize) -> Option<GameState> {
        let mut left = None;
        while self.around.len() > around {
            let outer = self.around.pop()?;
            left = Some(std::mem::replace(&mut self.current, outer));
        }
        left
    }

    /// Adds a finding. Returns it for further details; `None` if it was only counted.
    pub fn find(
        &mut self,
        code: &'static Code,
        place: TextSpan,
        parser: &Parser<'_>,
        message: String,
    ) -> Option<&mut Finding> {
        let severity = self.options.weights.of(code)?;
        if severity == Severity::Note && self.options.count_notes {
            self.notes_counted += 1;
            return None;
        }
        let listed = self.listed.entry(code.id).or_insert(0);
        *listed += 1;
        if *listed > LISTED {
            return None;
        }
        let excerpt = if self.options.no_excerpts {
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
        self.findings.push(Finding {
            column,
            excerpt,
            path: self.current.path.clone(),
            ply: (of_ply && self.at_main_line()).then_some(self.whole().plies),
            number: of_ply.then(|| match self.last.board {
                Some(board) => board_number(board, number, side),
                None => number_of(number, side),
            }),
            text: text.into(),
            ..Finding::new(code, severity, place, message)
        });
        self.findings.last_mut()
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
        let game = self.games.with(extension);
        let name = game.map_or("", |game| game.name);
        let tag = match game {
            Some(info) if info.has_levels => format!("[Variant \"{name}\"] with [Level \"1\"]"),
            // Notation that one board lacks exists on linked boards.
            Some(info) if info.has_boards && self.game == game => {
                "Boards with more than one board, such as [Boards \"A:B\"]".into()
            }
            _ => format!("[Variant \"{name}\"]"),
        };
        let here = self.game.map_or("chess", |game| game.in_words);
        let message =
            format!("{what} does not belong to the notation of {here}; it needs the tag {tag}");
        self.find(&code::EXTENSION_TOKEN, place, parser, message);
        self.speaks_otherwise = true;
    }

    /// A block of another game opens. Returns whether it is the outermost one.
    pub fn foreign_block(&mut self, event: Event, parser: &Parser<'_>) -> bool {
        self.block_depth += 1;
        self.foreign += 1;
        if !self.known || self.foreign > 1 {
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

    /// A block of another game closes, where one was open. Returns whether one was.
    pub const fn close_foreign(&mut self) -> bool {
        if self.foreign == 0 {
            return false;
        }
        self.foreign -= 1;
        self.block_depth = self.block_depth.saturating_sub(1);
        true
    }

    /// Reads the result of the game being read.
    pub fn result(&mut self, parser: &Parser<'_>) {
        let place = *parser.place();
        if !matches!(parser.text(place.span), b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
            self.find(
                &code::RESULT_FORM,
                place,
                parser,
                "a draw is written `1/2-1/2`".into(),
            );
        }
        self.current.marker = Some(place);
        self.last_word = place;
    }

    /// The proof that everything was judged, if it was and the final position is known. If not, adds a finding unless
    /// there is one already.
    pub fn every_act_judged(&mut self, known: bool, parser: &Parser<'_>) -> Option<EveryActJudged> {
        let judged = self.judging && known && self.unjudged_from.is_none();
        let reported = self
            .findings
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        if !judged && !reported && self.in_moves {
            let from = self
                .unjudged_from
                .as_deref()
                .unwrap_or("the first move")
                .to_string();
            let message = format!("not everything is judged: nothing from {from} on");
            if let Some(finding) = self.find(&code::OPEN_PLY, self.last_word, parser, message) {
                finding.rule = Some(&common::JUDGED);
            }
        }
        EveryActJudged::if_so(judged)
    }

    pub(crate) fn nag(&mut self, parser: &Parser<'_>) {
        let text = parser.text(parser.place().span);
        let digits = text.strip_prefix(b"$").unwrap_or(text);
        let in_range = !digits.is_empty()
            && digits.len() <= 3
            && digits
                .iter()
                .fold(0, |sum, b| sum * 10 + u32::from(b - b'0'))
                <= 255;
        if !in_range {
            let message = "a numeric annotation glyph is `$0` to `$255`".into();
            self.find(&code::NAG_RANGE, *parser.place(), parser, message);
        }
    }

    pub(crate) fn glyphs(&mut self, parser: &Parser<'_>) {
        if self.judging && self.current.plies == 0 && self.at_main_line() {
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

    /// Adds the number of findings of each kind that were only counted.
    pub fn note_overflow(&mut self) {
        let mut over: Vec<_> = self
            .listed
            .iter()
            .filter(|(_, count)| **count > LISTED)
            .map(|(id, count)| (*id, *count - LISTED))
            .collect();
        over.sort_unstable();
        for (id, count) in over {
            if let Some(last) = self
                .findings
                .iter()
                .rfind(|finding| finding.code.id == id)
                .cloned()
            {
                self.findings.push(Finding {
                    code: &code::MORE,
                    severity: last.severity,
                    message: format!("{count} more findings of the kind {id} in this game").into(),
                    ..last
                });
            }
        }
    }
}

impl Unjudged {
    /// The number of the first move not judged, if the next move has this number and side.
    pub fn number(self, number: u32, side: Side) -> String {
        match (self, side) {
            (Self::ThisMove, side) => number_of(number, side),
            (Self::NextMove, Side::White) => number_of(number, Side::Black),
            (Self::NextMove, Side::Black) => number_of(number + 1, Side::White),
        }
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
