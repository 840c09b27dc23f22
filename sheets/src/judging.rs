//! A record made of sheets, judged while it is made; and where on the sheets is what was found.

use super::{Count, Items, Origin, text::NodesAsText};
use overboard_formats::{
    limits::Limits,
    parse::{Event, Open, Parser},
    span::{Span, TextSpan},
};
use overboard_games::referee::AnyReferee;
use overboard_referee::{
    Options,
    finding::Finding,
    report::{GameResult, Report},
};
use std::{
    collections::{BTreeMap, HashMap},
    io::Read,
    sync::mpsc::{Receiver, channel},
};

/// The outcome of judging a sheet together with others.
pub struct Tally {
    /// Its plies.
    pub plies: u32,
    /// The number of the next ply, in a game of one board.
    count: Count,
    /// The number read last, while its ply is to come.
    number: Option<String>,
    /// The number of the first ply that was not judged.
    pub unjudged: Option<String>,
    pub result: Option<GameResult>,
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Of a sheet that begins with this number.
    pub const fn of(count: Count) -> Self {
        Self {
            plies: 0,
            count,
            number: None,
            unjudged: None,
            result: None,
            findings: Vec::new(),
        }
    }

    /// A ply was made, or something that counts as one.
    fn made(&mut self, is_judged: bool) {
        let number = self.number.take().unwrap_or_else(|| self.count.dots());
        self.plies += 1;
        self.count.advance();
        if !is_judged && self.unjudged.is_none() {
            self.unjudged = Some(number);
        }
    }

    /// Something was not judged that stands before the next ply.
    fn stop_judging(&mut self) {
        if self.unjudged.is_none() {
            self.unjudged = Some(self.count.dots());
        }
    }
}

/// Where the nodes of a text come from, as far as it was read: asked for at ascending offsets, and then forgotten.
struct Sources {
    starts: Receiver<(u64, Origin)>,
    here: Option<Origin>,
    next: Option<(u64, Origin)>,
}

impl Sources {
    /// The text of these nodes; and where those come from of which that is wanted.
    fn of<'w>(
        items: Items<'w>,
        mut is_wanted: impl FnMut(Origin) -> bool + Send + 'w,
    ) -> (impl Read + Send + 'w, Self) {
        let (note, starts) = channel();
        let text = NodesAsText::noting(items, move |start, origin| {
            if is_wanted(origin) {
                // Nobody listens any more where all that was asked for is known.
                let _ = note.send((start, origin));
            }
        });
        (
            text,
            Self {
                starts,
                here: None,
                next: None,
            },
        )
    }

    /// Where the byte at an offset comes from.
    fn at(&mut self, offset: u64) -> Option<Origin> {
        loop {
            match self.next.take().or_else(|| self.starts.try_recv().ok()) {
                Some((start, origin)) if start <= offset => self.here = Some(origin),
                next => {
                    self.next = next;
                    return self.here;
                }
            }
        }
    }
}

/// Sheets being judged as one text.
pub struct Judging {
    pub tallies: BTreeMap<usize, Tally>,
    /// The sheets with a ply that was not judged.
    unjudged: Vec<usize>,
}

/// What is said of a record as a whole.
pub struct Heard {
    pub report: Report,
    /// Whether anything is known of the position at its end.
    pub is_known: bool,
    /// Whether every act was judged.
    pub is_judged: bool,
}

impl Heard {
    /// That of a record at its end.
    fn of(mut referee: AnyReferee, parser: &mut Parser<'_>) -> Self {
        let is_sure = referee.is_known();
        let is_known = referee.knows_anything();
        let report = referee.take_report(parser);
        Self {
            is_judged: is_sure && report.unjudged_from.is_none(),
            is_known,
            report,
        }
    }
}

impl Judging {
    pub const fn of(tallies: BTreeMap<usize, Tally>) -> Self {
        Self {
            tallies,
            unjudged: Vec::new(),
        }
    }

    /// Judges the record.
    pub fn hear(&mut self, items: Items<'_>, options: &Options) -> Option<Heard> {
        let mut last = None;
        let (text, mut sources) = Sources::of(items, move |origin| {
            last.replace(origin.file) != Some(origin.file)
        });
        let mut parser = Parser::new(text, 0, options.limits);
        let options = Options {
            no_excerpts: true,
            ..options.clone()
        };
        // Only what is legal is spelt: so it is known from what is not judged.
        let mut referee = AnyReferee::spelling(options);
        loop {
            // Memory can be read.
            let event = parser.next().ok()?;
            let span = parser.place().span;
            let main = referee.is_at_main_line();
            let canonical = referee.hear(event, &parser);
            match event {
                Event::Done => return None,
                Event::End => return Some(Heard::of(referee, &mut parser)),
                _ => {}
            }
            // Asked about every event, so that the starts of sources that were passed do not pile up.
            let origin = sources.at(span.from);
            if !main {
                continue;
            }
            if let Some(Origin { file, .. }) = origin {
                self.count(file, event, &parser, &referee, canonical.is_some());
            }
        }
    }

    /// Counts what happens on a sheet; a ply `is_judged` or not.
    fn count(
        &mut self,
        file: usize,
        event: Event,
        parser: &Parser<'_>,
        referee: &AnyReferee,
        is_judged: bool,
    ) {
        let Some(tally) = self.tallies.get_mut(&file) else {
            return;
        };
        let was_judged = tally.unjudged.is_none();
        match event {
            Event::Number => {
                let text = parser.text(parser.place().span);
                tally.number = Some(String::from_utf8_lossy(text).into_owned());
            }
            Event::Ply => tally.made(is_judged),
            Event::BlockClose(Open::Subgame) if tally.result.is_none() => {
                tally.result = Some(referee.concluded());
            }
            Event::BlockClose(Open::Action) if !referee.is_known() => tally.stop_judging(),
            _ => {}
        }
        if was_judged && tally.unjudged.is_some() {
            self.unjudged.push(file);
        }
        // Where an illegal act stands everything is known again.
        if matches!(event, Event::Ply | Event::Prose(..))
            && !self.unjudged.is_empty()
            && referee.is_known()
        {
            self.forgive();
        }
    }

    /// All sheets are judged again from here on.
    fn forgive(&mut self) {
        for file in self.unjudged.drain(..) {
            if let Some(tally) = self.tallies.get_mut(&file) {
                tally.unjudged = None;
            }
        }
    }

    /// Assigns findings to their sheets; on the outermost sheet they keep the path that they have in the record, which is
    /// read once more to find where they are.
    pub fn place<'w>(
        &mut self,
        findings: Vec<Finding>,
        items: &dyn Fn() -> Items<'w>,
        root: usize,
        limits: Limits,
    ) {
        if findings.is_empty() {
            return;
        }
        let places = self.places(items(), &offsets(&findings), limits);
        let source = |place: TextSpan| Some(places.get(&place.span.from)?.source(place));
        for mut finding in findings {
            let Some((file, place, ply)) = source(finding.place) else {
                continue;
            };
            finding.in_whole = Some(finding.place.span.from);
            // On a sheet consequences come last.
            finding.known_at = finding.known_at.map(|_| u64::MAX);
            finding.column = column(place);
            finding.place = place;
            finding.ply = finding.ply.and(ply);
            finding.also = match finding.also {
                Some((place, words, _)) => match source(place) {
                    Some((there, place, _)) if there == file => Some((place, words, None)),
                    _ => None,
                },
                None => None,
            };
            if file != root {
                finding.path.clear();
            }
            if let Some(tally) = self.tallies.get_mut(&file) {
                tally.findings.push(finding);
            }
        }
    }

    /// Where ascending offsets of the text of the record stand on the sheets.
    fn places(&self, items: Items<'_>, wanted: &[u64], limits: Limits) -> HashMap<u64, Place> {
        let (text, sources) = Sources::of(items, |_| true);
        let mut parser = Parser::new(text, 0, limits);
        let mut places = Places {
            wanted,
            token: None,
            sources,
            found: HashMap::new(),
        };
        let (mut ravs, mut plies) = (0_usize, HashMap::new());
        // Memory can be read.
        while let Ok(event) = parser.next()
            && !matches!(event, Event::End | Event::Done)
            && !places.wanted.is_empty()
        {
            let span = parser.place().span;
            let continues = matches!(event, Event::Prose(_, part) if !part.first);
            if !span.is_empty()
                && !continues
                && places.token.is_none_or(|last| last.from < span.from)
            {
                places.settle(span.from);
                places.token = Some(Token {
                    from: span.from,
                    ply: None,
                });
            }
            match event {
                Event::RavOpen => ravs += 1,
                Event::RavClose => ravs = ravs.saturating_sub(1),
                Event::Ply if ravs == 0 => {
                    if let Some(Origin { file, .. }) = places.sources.at(span.from)
                        && self.tallies.contains_key(&file)
                    {
                        let ply = plies.entry(file).or_insert(0_u32);
                        *ply += 1;
                        if let Some(token) = &mut places.token {
                            token.ply = Some(*ply);
                        }
                    }
                }
                _ => {}
            }
        }
        places.settle(u64::MAX);
        places.found
    }
}

/// A token of the text that is judged.
#[derive(Clone, Copy)]
struct Token {
    from: u64,
    /// Of a ply of the main line, the how-manieth it is on its sheet.
    ply: Option<u32>,
}

/// Offsets of a text that is read, and where they stand as far as that is known.
struct Places<'w> {
    /// Those to come.
    wanted: &'w [u64],
    token: Option<Token>,
    sources: Sources,
    found: HashMap<u64, Place>,
}

impl Places<'_> {
    /// Finds those before the next token.
    fn settle(&mut self, next: u64) {
        let (here, later) = self
            .wanted
            .split_at(self.wanted.partition_point(|offset| *offset < next));
        self.wanted = later;
        let Some(token) = self.token else { return };
        for offset in here {
            if let Some(origin) = self.sources.at(*offset) {
                self.found.insert(*offset, Place { origin, token });
            }
        }
    }
}

/// Where something stands on its sheet: the node, and the token that is its text.
struct Place {
    origin: Origin,
    token: Token,
}

impl Place {
    /// The same of what begins there: the sheet, the place, and which ply it is.
    fn source(&self, place: TextSpan) -> (usize, TextSpan, Option<u32>) {
        let Self { origin, token } = self;
        let own = origin.place.span;
        let from = (own.from + (place.span.from - token.from)).min(own.to);
        let to = (from + place.span.len()).min(own.to);
        (origin.file, origin.place.at(Span::new(from, to)), token.ply)
    }
}

/// Where findings stand in the text of the record, ascending.
fn offsets(findings: &[Finding]) -> Vec<u64> {
    let mut offsets = Vec::new();
    for finding in findings {
        offsets.push(finding.place.span.from);
        if let Some((place, ..)) = &finding.also {
            offsets.push(place.span.from);
        }
    }
    offsets.sort_unstable();
    offsets.dedup();
    offsets
}

/// The column of a place, counted in bytes from 1.
pub const fn column(place: TextSpan) -> u64 {
    place.span.from.saturating_sub(place.line_start) + 1
}
