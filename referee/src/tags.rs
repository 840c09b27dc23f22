//! What the tags of a record ask for: the game, its set-up, its options.

use crate::{
    finding::{self as code, set_rule},
    game::{
        catalogue::Catalogue,
        judge::InnerGame,
        position::{FenError, PositionError},
        tags::{contradictions, option_faults},
    },
    meant::meant,
    record_state::RecordState,
    termination::Termination,
};
use overboard_formats::{
    command,
    encoding::decode,
    header::{Name, ROSTER, ROSTER_NAMES, locate},
    parse::{Event, GrammarFault, Parser},
    span::{Span, TextSpan},
};
use overboard_rules::{general as common, refusal::list, rule::Rule, variant::VariantInfo};
use std::ops::Range;

impl RecordState {
    /// Says what is odd about the text of a tag pair.
    pub fn look_at_tag(&mut self, parser: &Parser<'_>) {
        let place = parser.place_in_tag(parser.lexer().tag().value);
        self.pass_word(place);
        let is_inside = self.games.around() > 0 || self.brackets.in_foreign();
        if is_inside && parser.tag_name() == b"Event" {
            let message = "the tag Event begins a record; a sub-game has none";
            self.find(&code::BAD_TAG, place, parser, message.into());
        }
        self.look_at_text("a tag value", place, true, parser);
    }

    /// Whether a record that begins with this event is the remainder of the previous one: it has no tags, and
    /// does not begin with White's first move.
    pub fn is_a_rest(&self, event: Event, parser: &Parser<'_>) -> bool {
        let follows = parser.follows() && !self.terms.is_tagged();
        match event {
            Event::Number | Event::Fault(GrammarFault::NumberForm) => {
                follows && !matches!(parser.text(parser.place().span), b"1" | b"1.")
            }
            Event::Ply
            | Event::RavOpen
            | Event::SubgameOpen
            | Event::TurnOpen
            | Event::ActionOpen(_)
            | Event::Result => follows,
            _ => false,
        }
    }

    /// Reports text after the result of a game, which is not judged.
    pub fn refuse_the_rest(&mut self, parser: &Parser<'_>) {
        // When `fmt` writes it, it gets tags and becomes a game, so its moves are spelt as those of one.
        if !self.wants_canonical() {
            self.judging.stop();
            self.terms.set_known(false);
        }
        let message = "this comes after the result of a game. It has no tags and does not begin with `1.`: it is the rest of that game, or of one that has lost its beginning";
        let place = *parser.place();
        set_rule(
            self.find(&code::TEXT_AFTER_RESULT, place, parser, message.into()),
            &common::JUDGED,
        );
    }

    /// A tag pair of the game being read.
    pub fn tag(&mut self, parser: &Parser<'_>) {
        self.terms.tag();
        self.look_at_tag(parser);
        let tag = parser.lexer().tag();
        let (name, value) = (parser.tag_name(), parser.text(tag.value));
        let place = parser.place_in_tag(tag.value);
        if parser.text(tag.name) != name {
            let message = format!("this tag is written `{}`", decode(name).0);
            self.find(
                &code::TAG_NAME,
                parser.place_in_tag(tag.name),
                parser,
                message,
            );
        }
        if !self.games.current_mut().header.add(name, value, place) {
            let name = decode(name).0.into_owned();
            let message = format!("the tag {name} occurs twice; the first counts");
            self.find(&code::DUPLICATE_TAG, place, parser, message);
        }
    }

    /// Reports that the rules of this record are not known, and why.
    pub fn refuse_variant(&mut self, parser: &Parser<'_>) {
        self.judging.stop();
        let game = self.terms.game();
        let (games, limits) = (self.terms.catalogue(), &self.options().limits);
        let Some(place) = self.header().place(Name::Variant) else {
            return;
        };
        let (kind, message) = match game {
            // What the tags ask for in vain is named where they stand.
            Some(game) if !contradictions(self.header(), game, games, limits).is_empty() => {
                return;
            }
            Some(game) => match self.options_fault(game) {
                Some(fault) => (
                    &code::BAD_RULES,
                    format!("{fault}, by the options given outside the record"),
                ),
                None => (
                    &code::UNKNOWN_VARIANT,
                    format!("the rules of {} are not in this version", game.name),
                ),
            },
            None => {
                let written = self.header().bytes(Name::Variant).unwrap_or_default();
                (&code::UNKNOWN_VARIANT, unknown_variant(written, games))
            }
        };
        let message = if game.is_some() {
            format!("{message}; the record is read and not judged")
        } else {
            message
        };
        self.find(kind, place, parser, message);
    }

    /// What is wrong with the rules declared outside the record.
    fn options_fault(&self, game: &VariantInfo) -> Option<String> {
        let rules = Some(&*self.options().rules).filter(|rules| !rules.is_empty())?;
        option_faults(rules, game, &self.options().limits)
            .into_iter()
            .next()
    }

    /// How many boards the record lists; one where it lists none.
    pub fn boards(&self) -> usize {
        self.header()
            .bytes(Name::Boards)
            .map_or(1, |boards| boards.split(|b| *b == b':').count())
    }

    /// The level of Recursive Chess that the record asks for; `None` if it cannot be determined, or exceeds
    /// the limit.
    pub fn level(&self) -> Option<u8> {
        let named = self.header().bytes(Name::Variant);
        let named = self.terms.catalogue().level_of(named.unwrap_or_default());
        let level = match self.header().text(Name::Level) {
            Some(text) => text.parse().ok()?,
            None => named.unwrap_or(1),
        };
        (u32::from(level) <= self.options().limits.level.min(64)).then_some(level)
    }

    /// The rules in force: those of the tag Rules and those declared outside the record.
    pub fn rules(&self) -> String {
        let declared = self.header().text(Name::Rules).unwrap_or_default();
        // Most records declare no rules, so nothing is allocated for them.
        if declared.is_empty() {
            self.options().rules.clone()
        } else {
            format!("{declared}:{}", self.options().rules)
        }
    }

    /// The FEN that the record starts from, and where it stands.
    pub fn fen_tag(&mut self, parser: &Parser<'_>) -> Option<(String, TextSpan)> {
        let announced = self.header().bytes(Name::SetUp) == Some(b"1");
        let Some(fen) = self.header().text(Name::Fen) else {
            if announced {
                let place = self.tag_place(Name::SetUp);
                let message = "SetUp \"1\" announces a FEN, and there is none";
                self.find(&code::SETUP_TAG, place, parser, message.into());
            }
            return None;
        };
        let place = self.tag_place(Name::Fen);
        if !announced {
            self.find(
                &code::SETUP_TAG,
                place,
                parser,
                "the tag FEN needs the tag SetUp \"1\"".into(),
            );
        }
        Some((fen, place))
    }

    pub(crate) fn refuse_fen(
        &mut self,
        fen: &str,
        place: TextSpan,
        fault: &PositionError,
        rule: &'static Rule,
        parser: &Parser<'_>,
    ) {
        let PositionError::Text(FenError { bytes, .. }) = fault else {
            let message = fault.to_string();
            set_rule(
                self.find(&code::IMPOSSIBLE_POSITION, place, parser, message),
                rule,
            );
            return;
        };
        let here = part_of_tag(place, fen, bytes.clone(), parser);
        self.find(
            &code::BAD_FEN,
            place.at(here),
            parser,
            format!("the FEN cannot be read: {fault}"),
        );
    }

    /// Looks at the tags of the game being read; `inside` says which one it is where another one is around it.
    pub fn check_tags(&mut self, inside: Option<InnerGame>, parser: &Parser<'_>) {
        if let Some(whole) = self.terms.game() {
            let here = inside.as_ref().map_or(whole, |inside| inside.game);
            let (games, limits) = (self.terms.catalogue(), &self.options().limits);
            let mut wrong = contradictions(self.header(), here, games, limits);
            if self.games.around() > 0 {
                let inside = inside.unwrap_or(InnerGame {
                    game: whole,
                    depth: String::new(),
                });
                wrong.extend(self.against_the_whole(whole, &inside));
            }
            for (name, message) in wrong {
                let place = self.tag_place(name);
                let kind = if matches!(name, Name::White | Name::Black | Name::Boards) {
                    &code::BAD_LIST
                } else {
                    &code::BAD_RULES
                };
                self.find(kind, place, parser, message);
            }
        }
        self.read_options();
        if let Some(text) = self.header().text(Name::TimeControl) {
            match command::time_control(&text) {
                Ok(control) => self.games.current_mut().time_control = control,
                Err(fault) => {
                    let place = self.tag_place(Name::TimeControl);
                    self.find(&code::BAD_TIME_CONTROL, place, parser, fault.to_string());
                }
            }
        }
        // The tags of the outer game determine the game that is played inside it.
        if self.games.around() == 0 {
            self.check_roster(parser);
        }
        self.check_values(parser);
    }

    /// What the tags of a sub-game declare although the game around it does not allow it.
    fn against_the_whole(&self, whole: &VariantInfo, inside: &InnerGame) -> Vec<(Name, String)> {
        let (mut wrong, header) = (Vec::new(), &self.header());
        let here = inside.game;
        if let Some(variant) = header.bytes(Name::Variant)
            && self.terms.catalogue().of(Some(variant)) != Some(here)
        {
            let message = format!("this sub-game is {}, whatever its tags say", here.in_words);
            wrong.push((Name::Variant, message));
        }
        if here != whole {
            return wrong;
        }
        let rules = header.text(Name::Rules).unwrap_or_default();
        let agreed = self
            .games
            .whole()
            .header
            .text(Name::Rules)
            .unwrap_or_default();
        let agreed = format!("{agreed}:{}", self.options().rules);
        for rule in rules.split(':') {
            let is_known = rule.is_empty() || rule.starts_with("illegal=") || rule == inside.depth;
            let mut kept = agreed.split(':');
            let is_kept = kept.any(|known| known == rule && !rule.starts_with("depth="));
            let is_option = option_faults(rule, here, &self.options().limits).is_empty();
            if !is_known && !is_kept && is_option {
                let message =
                    format!("`{rule}` is not what was agreed for the game around this one");
                wrong.push((Name::Rules, message));
            }
        }
        wrong
    }

    fn check_roster(&mut self, parser: &Parser<'_>) {
        let missing: Vec<_> = ROSTER_NAMES
            .into_iter()
            .zip(ROSTER)
            .filter(|(name, _)| self.header().place(*name).is_none())
            .map(|(_, name)| name)
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "missing from the Seven Tag Roster: {}",
                list(missing, "and")
            );
            self.find(&code::MISSING_TAG, self.first_word(), parser, message);
        }
    }

    fn check_values(&mut self, parser: &Parser<'_>) {
        use Name::{BlackElo, Date, Eco, EventDate, SetUp, Termination, UtcDate, WhiteElo};
        self.compare_names(parser);
        for name in [
            Date,
            SetUp,
            Termination,
            EventDate,
            UtcDate,
            WhiteElo,
            BlackElo,
            Eco,
        ] {
            let Some(expected) = self
                .header()
                .bytes(name)
                .and_then(|value| expected(name, value))
            else {
                continue;
            };
            let place = self.tag_place(name);
            self.find(&code::TAG_VALUE, place, parser, expected.into());
        }
    }

    pub(crate) fn read_options(&mut self) {
        let declared = self.header().text(Name::Rules).unwrap_or_default();
        // The record's own tag counts before what was declared outside it.
        let allowed = [&declared, &self.options().rules]
            .into_iter()
            .find_map(|rules| attempts_allowed(rules));
        if let Some(allowed) = allowed {
            self.terms.allow_attempts(allowed);
        }
    }
}

/// The number of illegal attempts that cost the game, where rules in the form of the tag Rules say it (GEN-9).
pub fn attempts_allowed(rules: &str) -> Option<u32> {
    rules
        .split(':')
        .filter_map(|item| item.strip_prefix("illegal=")?.parse().ok())
        .next_back()
}

/// The message for a game that is not known, with the name that may have been meant.
fn unknown_variant(written: &[u8], games: Catalogue) -> String {
    const LONGEST: usize = 64;
    let (written, _) = decode(&written[..written.len().min(LONGEST)]);
    let mut names = Vec::new();
    for game in games.iter() {
        for spelling in game.spellings {
            names.push((spelling.text, game.name));
        }
    }
    let near = match meant(&written, names) {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    };
    format!("the rules of this variant are not supported; the game is not judged{near}")
}

/// Where a part of a tag's value stands; `text` is the value as it was read.
pub fn part_of_tag(place: TextSpan, text: &str, part: Range<usize>, parser: &Parser<'_>) -> Span {
    let value = parser.text(place.span);
    let character = |index: usize| text.get(..index).unwrap_or(text).chars().count();
    let at = |index: usize| place.span.from + locate(value, character(index)) as u64;
    Span::new(at(part.start), at(part.end))
}

/// The expected form of a tag's value, if PGN does not allow the given one.
fn expected(name: Name, value: &[u8]) -> Option<&'static str> {
    match name {
        Name::Date | Name::EventDate | Name::UtcDate => date_fault(value),
        // A team has one for each of its players.
        Name::WhiteElo | Name::BlackElo if !value.split(|b| *b == b':').all(is_rating) => {
            Some("a rating is a whole number of at most four digits, or `-` for none")
        }
        Name::Eco if !is_eco(value) => {
            Some("a code of openings is a letter from A to E and two digits, such as `B90`")
        }
        Name::SetUp if !matches!(value, b"0" | b"1") => Some("SetUp is `0` or `1`"),
        Name::Termination if Termination::read(&decode(value).0).is_none() => Some(TERMINATIONS),
        _ => None,
    }
}

const TERMINATIONS: &str = "PGN's words are abandoned, adjudication, death, emergency, normal, rules infraction, time forfeit and unterminated";

impl RecordState {
    /// Reports that a person is said to have played both sides. Programs do play themselves.
    fn compare_names(&mut self, parser: &Parser<'_>) {
        let [white, black] = [Name::White, Name::Black].map(|name| self.header().bytes(name));
        if white != black || !white.is_some_and(|name| name.contains(&b',')) {
            return;
        }
        let place = self.tag_place(Name::Black);
        let message = "White and Black have the same name";
        self.find(&code::ONE_NAME, place, parser, message.into());
    }
}

/// What is wrong with a date such as `2026.11.21`, with `?` for unknown digits.
fn date_fault(value: &[u8]) -> Option<&'static str> {
    let is_date = value.len() == 10
        && value.iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'.',
            _ => b.is_ascii_digit() || *b == b'?',
        });
    if !is_date {
        return Some("a date is `YYYY.MM.DD` with `?` for what is not known");
    }
    let known = |part: &[u8]| std::str::from_utf8(part).ok()?.parse::<u32>().ok();
    let (year, month, day) = (known(&value[..4]), known(&value[5..7]), known(&value[8..]));
    match (month, day) {
        (Some(month), _) if !(1..=12).contains(&month) => {
            Some("the months of a date go from 01 to 12")
        }
        (month, Some(day)) if !(1..=days(year, month)).contains(&day) => {
            Some("a date has a day that its month does not have")
        }
        _ => None,
    }
}

/// The days of a month, as many as it may have where month or year is not known.
const fn days(year: Option<u32>, month: Option<u32>) -> u32 {
    match (month, year) {
        (Some(4 | 6 | 9 | 11), _) => 30,
        (Some(2), Some(year))
            if !year.is_multiple_of(4)
                || (year.is_multiple_of(100) && !year.is_multiple_of(400)) =>
        {
            28
        }
        (Some(2), _) => 29,
        _ => 31,
    }
}

/// Whether this is a rating, or a sign for no rating.
fn is_rating(value: &[u8]) -> bool {
    matches!(value, b"" | b"-" | b"?") || (value.len() <= 4 && value.iter().all(u8::is_ascii_digit))
}

/// Whether this is a code of the Encyclopaedia of Chess Openings, or a sign for none; PGN allows further letters and
/// digits after it for parts of an opening.
fn is_eco(value: &[u8]) -> bool {
    match value {
        b"" | b"-" | b"?" => true,
        [b'A'..=b'E', tens, ones, ..] => tens.is_ascii_digit() && ones.is_ascii_digit(),
        _ => false,
    }
}
