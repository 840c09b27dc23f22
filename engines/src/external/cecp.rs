//! CECP, the protocol of XBoard, version 2, from the runner's side.

use super::{
    pace::Clock,
    program::Program,
    talk::{Answer, GameOfRun, Go, Readying, Start, Talk, TalkError, Wire},
};
use crate::{ending::End, players::Thought};
use overboard_formats::foreign::{Foreign, visible};
use overboard_games::registry::Variant;
use overboard_rules::variant::Edit;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    time::{Duration, Instant},
};

/// An engine that has announced no feature after this time is assumed to speak version 1, which has none.
const SILENCE: Duration = Duration::from_secs(5);
/// Features that are used; others are rejected, so that an engine knows.
const KNOWN: [&str; 17] = [
    "colors",
    "debug",
    "done",
    "memory",
    "myname",
    "name",
    "nps",
    "option",
    "pause",
    "ping",
    "playother",
    "reuse",
    "setboard",
    "smp",
    "time",
    "usermove",
    "variants",
];

/// An engine that speaks CECP.
#[derive(Debug, Default)]
pub struct Cecp {
    id: Foreign,
    features: BTreeMap<String, String>,
    options: Vec<String>,
    /// The game of the run.
    game: Option<Variant>,
    /// The line that selects it, if it is not the one that `new` starts.
    variant: Option<String>,
    /// The lines that set its time control.
    pace: String,
    /// Plies not sent yet.
    plies: Vec<String>,
    /// Whether the next ply is its own, which need not be sent.
    has_played: bool,
    /// Whether it is in force mode, waiting for `go`.
    listens: bool,
    pings: u64,
    /// Whether castling is sent as `O-O`.
    letters: bool,
    /// Its rejection of a time control or a position.
    rejected: String,
    /// Its last ply as it reported it, and whether with a number.
    last_ply: Option<(Vec<Foreign>, bool)>,
    /// Whether it may still be announcing how the previous game ended.
    may_lag: bool,
    info: Vec<u8>,
}

impl Cecp {
    fn has(&self, feature: &str) -> bool {
        self.feature(feature) == Some("1")
    }

    fn feature(&self, name: &str) -> Option<&str> {
        self.features.get(name).map(String::as_str)
    }

    /// Reads features until the engine has announced all of them.
    fn hear_features(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<(), TalkError> {
        let mut patience = until.min(Instant::now() + SILENCE);
        loop {
            match wire.hear(patience) {
                Ok(_) => {}
                // An engine of version 1 does not reply.
                Err(super::process::Silence::Late) if patience < until => return Ok(()),
                Err(silence) => return Err(silence.into()),
            }
            let text = wire.text();
            if is_no(&text) && text.contains("protover") {
                return Ok(());
            }
            let Some(list) = text.strip_prefix("feature ") else {
                continue;
            };
            let features = features(list);
            wire.say(&answers(&features), until)?;
            let mut is_done = false;
            for (name, value) in features {
                match (&*name, &*value) {
                    ("done", "1") => is_done = true,
                    // `done=0`: it asks for more time.
                    ("done", _) => patience = until,
                    ("option", _) => self.options.push(value),
                    ("myname", _) => self.id = visible(&value).into_owned().into(),
                    _ => drop(self.features.insert(name, value)),
                }
            }
            if is_done {
                return Ok(());
            }
        }
    }

    /// Sets the options that the user has given.
    fn set(&self, wire: &mut Wire<'_>, program: &Program, until: Instant) -> Result<(), TalkError> {
        for (name, value) in &program.options {
            let is_own = self.options.iter().any(|option| name_of(option) == name);
            let line = match name.as_str() {
                "memory" if self.has("memory") => format!("memory {value}\n"),
                "cores" if self.has("smp") => format!("cores {value}\n"),
                _ if is_own && value.is_empty() => format!("option {name}\n"),
                _ if is_own => format!("option {name}={value}\n"),
                _ => {
                    let known = self.named_options().join(", ");
                    return Err(TalkError::no_option(name, &known));
                }
            };
            wire.say(&line, until)?;
        }
        Ok(())
    }

    fn named_options(&self) -> Vec<&str> {
        let mut names = Vec::from_iter(self.options.iter().map(|option| name_of(option)));
        for (feature, name) in [("memory", "memory"), ("smp", "cores")] {
            if self.has(feature) {
                names.push(name);
            }
        }
        names
    }

    /// Selects the game of the run.
    fn choose(&mut self, stage: &GameOfRun) -> Result<(), TalkError> {
        if stage.is_called("chess") {
            return Ok(());
        }
        let list = self.feature("variants").unwrap_or_default();
        let mut names = list.split(',').map(str::trim);
        if let Some(name) = names.find(|name| stage.is_called(name)) {
            self.variant = Some(format!("variant {name}\n"));
            return Ok(());
        }
        let known = if list.is_empty() {
            "none but chess".into()
        } else {
            visible(list)
        };
        Err(stage.unplayed(&format!("it names {known}")))
    }

    /// The lines that set its time control: clocks in whole seconds, as CECP requires.
    fn pace(&self, program: &Program) -> Result<String, TalkError> {
        let refused = |why: &str| Err(TalkError::refused(why.to_owned()));
        let mut lines = String::new();
        if let Some(tc) = program.tc {
            let (moves, seconds) = (tc.moves.unwrap_or(0), tc.base.millis() / 1000);
            if tc.base.millis() % 1000 > 0 {
                return refused("CECP gives the time of a session in whole seconds");
            }
            let _ = match (seconds / 60, seconds % 60) {
                // Some old engines read minutes only.
                (minutes, 0) => writeln!(lines, "level {moves} {minutes} {}", tc.increment),
                (minutes, rest) => {
                    writeln!(lines, "level {moves} {minutes}:{rest:02} {}", tc.increment)
                }
            };
        }
        if let Some(st) = program.st {
            if st.millis() % 1000 > 0 {
                return refused(
                    "CECP gives the time for a move in whole seconds: st=1 is the least",
                );
            }
            let _ = writeln!(lines, "st {}", st.millis() / 1000);
        }
        if let Some(nodes) = program.nodes {
            if !self.has("nps") || program.st.is_some() {
                return refused(
                    "CECP limits positions by `nps`, which it must announce and which excludes st",
                );
            }
            let _ = writeln!(lines, "nps {nodes}\nst 1");
        }
        if let Some(depth) = program.depth {
            let _ = writeln!(lines, "sd {depth}");
        }
        Ok(lines)
    }

    /// Whether a text has one of the lines that set its time control.
    fn is_of_pace(&self, text: &str) -> bool {
        self.pace.lines().any(|line| text.contains(line))
    }

    fn report(&self, lines: &mut String, ply: &str) {
        let verb = if self.has("usermove") {
            "usermove "
        } else {
            ""
        };
        let _ = writeln!(lines, "{verb}{ply}");
    }

    /// Appends the lines that set up a position, in force mode.
    fn set_up(&self, lines: &mut String, fen: &str) -> Result<(), TalkError> {
        if self.has("setboard") {
            let _ = writeln!(lines, "setboard {fen}");
            return Ok(());
        }
        let game = self.game.unwrap_or(Variant::Chess);
        let Edit {
            before,
            lines: edit,
            after,
        } = edited(game, fen).map_err(TalkError::refused)?;
        if let Some(ply) = before {
            self.report(lines, ply);
        }
        lines.push_str(&edit);
        if let Some(ply) = after {
            self.report(lines, &ply);
        }
        Ok(())
    }
}

impl Talk for Cecp {
    fn greet(&mut self, wire: &mut Wire<'_>, readying: &Readying<'_>) -> Result<(), TalkError> {
        let Readying {
            program,
            stage,
            until,
        } = *readying;
        stage.fits_one_board("CECP")?;
        self.game = Some(stage.game);
        let of_game = stage.game.info().cecp;
        self.letters = of_game.is_some_and(|cecp| cecp.castles_in_letters);
        wire.say("xboard\nprotover 2\n", until)?;
        self.hear_features(wire, until)?;
        self.set(wire, program, until)?;
        self.choose(stage)?;
        self.pace = self.pace(program)?;
        self.ping(wire, until).map(drop)
    }

    fn id(&self) -> &Foreign {
        &self.id
    }

    fn announced(&self) -> Vec<(&'static str, Foreign)> {
        let games = self.feature("variants").unwrap_or("normal");
        let mut features = Vec::new();
        for (name, value) in &self.features {
            if name != "variants" {
                features.push(format!("{name}={value}"));
            }
        }
        let options = self.named_options().join(", ");
        vec![
            ("games", games.to_owned().into()),
            ("options", options.into()),
            ("features", features.join(" ").into()),
        ]
    }

    fn begin(
        &mut self,
        wire: &mut Wire<'_>,
        start: &Start<'_>,
        until: Instant,
    ) -> Result<(), TalkError> {
        let variant = self.variant.as_deref().unwrap_or_default();
        let mut lines = format!("new\n{variant}force\neasy\npost\n{}", self.pace);
        if let Some(fen) = start.fen {
            self.set_up(&mut lines, fen)?;
        }
        (self.listens, self.has_played) = (true, false);
        self.plies.clear();
        wire.say(&lines, until)?;
        self.ping(wire, until)?;
        if self.rejected.is_empty() {
            return Ok(());
        }
        let words = visible(&std::mem::take(&mut self.rejected)).into_owned();
        let what = if self.is_of_pace(&words) {
            "time control"
        } else {
            "position"
        };
        Err(TalkError::refused(format!(
            "it rejected the {what}: {words}"
        )))
    }

    fn edits(&self) -> bool {
        !self.has("setboard")
    }

    fn is_reusable(&self) -> bool {
        matches!(self.feature("reuse"), None | Some("1"))
    }

    fn see(&mut self, ply: &str) {
        // It knows its own ply, however it wrote it.
        if !std::mem::take(&mut self.has_played) {
            self.plies.push(ply.to_owned());
        }
    }

    fn rewritten(&self, ply: &str) -> Option<String> {
        optional_promotion(ply)
    }

    fn wants_letters(&self) -> bool {
        self.letters
    }

    fn ask(&mut self, wire: &mut Wire<'_>, go: &Go, until: Instant) -> Result<Instant, TalkError> {
        self.info.clear();
        let mut lines = String::new();
        let last = if self.listens { None } else { self.plies.pop() };
        for ply in &std::mem::take(&mut self.plies) {
            self.report(&mut lines, ply);
        }
        let hears_time = matches!(self.feature("time"), None | Some("1"));
        for (side, name) in [(go.side, "time"), (go.side.other(), "otim")] {
            if hears_time && let Some(Clock { left, .. }) = go.clocks[side] {
                let _ = writeln!(lines, "{name} {}", left.as_millis() / 10);
            }
        }
        match last {
            Some(last) => self.report(&mut lines, &last),
            None => lines.push_str("go\n"),
        }
        self.listens = false;
        Ok(wire.say(&lines, until)?)
    }

    fn answer(
        &mut self,
        wire: &mut Wire<'_>,
        until: Instant,
    ) -> Result<(Answer, Instant), TalkError> {
        loop {
            let at = wire.hear(until)?;
            let line = wire.line();
            let has_number = is_numbered(line);
            if is_thought(line) && !has_number {
                self.info.clear();
                self.info.extend_from_slice(line);
                continue;
            }
            let Some(answer) = said(&String::from_utf8_lossy(line)) else {
                continue;
            };
            if let Answer::Plies(plies) = &answer {
                // GNU Chess reports each move in both forms. No side plays the same coordinates twice in a row.
                if let Some((last, had)) = &self.last_ply
                    && last == plies
                    && *had != has_number
                {
                    continue;
                }
                self.last_ply = Some((plies.clone(), has_number));
            }
            if self.may_lag && matches!(answer, Answer::Result(_)) {
                continue;
            }
            self.may_lag = false;
            self.has_played = matches!(answer, Answer::Plies(_));
            return Ok((answer, at));
        }
    }

    fn thought(&self) -> Thought {
        thought(&String::from_utf8_lossy(&self.info))
    }

    fn hurry(&self) -> &'static str {
        "?\n"
    }

    fn over(&mut self, wire: &mut Wire<'_>, end: End, until: Instant) {
        self.listens = true;
        // Without `ping` nothing shows when it has read that the game is over. GNU Chess, for example, announces mate
        // while the next game begins.
        self.may_lag = !self.has("ping");
        // If it does not read this, the start of the next game will show that.
        let End { outcome, cause } = end;
        let _ = wire.say(&format!("force\nresult {outcome} {{{cause}}}\n"), until);
    }

    /// Waits until it has processed everything, if it supports `ping`.
    fn ping(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<Option<Duration>, TalkError> {
        if !self.has("ping") {
            return Ok(None);
        }
        self.pings += 1;
        let answer = format!("pong {}", self.pings);
        let asked = Instant::now();
        wire.say(&format!("ping {}\n", self.pings), until)?;
        loop {
            let at = wire.hear(until)?;
            if wire.line() == answer.as_bytes() {
                return Ok(Some(at.saturating_duration_since(asked)));
            }
            let text = wire.text();
            if is_no(&text) && (self.is_of_pace(&text) || text.ends_with("edit"))
                || text.starts_with("tellusererror Illegal position")
            {
                self.rejected = text.chars().take(100).collect();
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "quit\n"
    }
}

/// How a position, given as FEN, reaches an engine without `setboard`.
///
/// # Errors
/// What cannot be said of it by `edit`, in words.
pub fn edited(game: Variant, fen: &str) -> Result<Edit, String> {
    match game.info().cecp.and_then(|cecp| cecp.edit) {
        Some(edit) => edit(fen),
        None => Err(format!(
            "`edit` cannot describe positions of {}",
            game.info().in_words
        )),
    }
}

/// What a piece that need not promote becomes, for programs that only know kinds of pieces: a Gold, or unchanged.
pub const PROMOTED: char = 'g';
/// The same for a piece that stays what it is.
pub const STAYS: char = 's';

/// The coordinates of a move that programs write with what its piece becomes, where a promotion is optional: `c4c5+`
/// for `c4c5g`, `c4c5` for `c4c5s`.
#[must_use]
pub fn optional_promotion(text: &str) -> Option<String> {
    match text.char_indices().last()? {
        (at, PROMOTED) => Some(format!("{}+", &text[..at])),
        // XBoard marks in this way a move that it takes for no promotion.
        (at, STAYS | '=' | '.') => Some(text[..at].into()),
        _ => None,
    }
}

/// Which of these features are used.
fn answers(features: &[(String, String)]) -> String {
    let mut answers = String::new();
    for (name, _) in features {
        let verb = if KNOWN.contains(&&**name) {
            "accepted"
        } else {
            "rejected"
        };
        let _ = writeln!(answers, "{verb} {name}");
    }
    answers
}

/// The name of an option, which may be followed by its kind: ` -check 0`.
fn name_of(option: &str) -> &str {
    option.split(" -").next().unwrap_or(option).trim()
}

/// Whether an engine rejects a line in these words.
fn is_no(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut words = ["error", "illegal", "invalid", "unknown"].iter();
    words.any(|no| text.starts_with(no))
}

/// Parses an engine's line; `None` for remarks.
fn said(text: &str) -> Option<Answer> {
    for begin in ["move ", "My move is:", "My move is :"] {
        if let Some(rest) = text.strip_prefix(begin) {
            let ply = rest.split_ascii_whitespace().next()?;
            return Some(Answer::Plies(vec![ply.into()]));
        }
    }
    if is_numbered(text.as_bytes()) {
        let ply = text.split_ascii_whitespace().nth(2)?;
        return Some(Answer::Plies(vec![ply.into()]));
    }
    if text == "resign" || text.starts_with("tellics resign") {
        return Some(Answer::Resigns);
    }
    for score in ["1-0", "0-1", "1/2-1/2"] {
        if text.starts_with(score) {
            return Some(Answer::Result(score));
        }
    }
    if text.starts_with("Illegal move") || text.starts_with("illegal move") {
        let words: String = text.chars().take(80).collect();
        return Some(Answer::Refuses(words.into()));
    }
    None
}

/// Whether a line may be one of thought: it begins with a number, and is no result.
fn is_thought(line: &[u8]) -> bool {
    line.first().is_some_and(u8::is_ascii_digit)
        && !line.contains(&b'{')
        && !line.starts_with(b"1/2")
}

/// Whether a line reports a move as version 1 of the protocol does, `1. ... e7e5`, whichever side makes it. In a line of
/// thought the second word is a score.
fn is_numbered(line: &[u8]) -> bool {
    let words = line.split(u8::is_ascii_whitespace);
    let mut words = words.filter(|word| !word.is_empty());
    let Some(word) = words.next() else {
        return false;
    };
    let number = word.strip_suffix(b".").unwrap_or(word);
    !number.is_empty() && number.iter().all(u8::is_ascii_digit) && words.next() == Some(b"...")
}

/// The features on a line: `ping=1 myname="A B"`.
fn features(list: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = list.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        found.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    found
}

/// Parses a line of thinking output: depth, score, time in hundredths of a second, nodes.
fn thought(info: &str) -> Thought {
    let mut words = info.split_ascii_whitespace();
    let depth = words.next().unwrap_or_default();
    let depth = depth.trim_end_matches(|c: char| !c.is_ascii_digit());
    let depth = depth.parse().ok();
    let score = words.next().and_then(|word| word.parse().ok());
    let score = score.map(|score: i32| match score {
        // CECP's score for a mate in n moves.
        100_000.. => super::talk::score_of_mate((score - 100_000).max(1)),
        ..=-100_000 => super::talk::score_of_mate((score + 100_000).min(0)),
        _ => score,
    });
    let nodes = words.nth(1).and_then(|word| word.parse().ok());
    Thought {
        score,
        depth,
        nodes,
        time: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_with_their_quotes() {
        let list =
            r#"ping=1 setboard=0 myname="Fairy-Max 5.0b" variants="normal,los-alamos" done=1"#;
        let found = features(list);
        assert_eq!(found[2], ("myname".into(), "Fairy-Max 5.0b".into()));
        assert_eq!(found.len(), 5);
        assert_eq!(features("x").len(), 0);
    }

    #[test]
    fn lines_say_what_they_say() {
        assert_eq!(said("move e2e4"), Some(Answer::Plies(vec!["e2e4".into()])));
        assert_eq!(
            said("1. ... e7e5"),
            Some(Answer::Plies(vec!["e7e5".into()]))
        );
        assert_eq!(said("12 ... O-O"), Some(Answer::Plies(vec!["O-O".into()])));
        assert_eq!(said("1. e2e4"), None);
        assert!(!is_numbered(b"9 156 1084 48000 1. ... e5"));
        assert_eq!(
            said("1/2-1/2 {Draw by repetition}"),
            Some(Answer::Result("1/2-1/2"))
        );
        assert_eq!(said("resign"), Some(Answer::Resigns));
        assert_eq!(
            said("Illegal move: e2e5"),
            Some(Answer::Refuses("Illegal move: e2e5".into()))
        );
        assert_eq!(said("# a remark"), None);
        assert_eq!(said("telluser hello"), None);
    }

    #[test]
    fn a_line_of_thought_reports_depth_score_and_positions() {
        let reported = thought("9 156 1084 48000 Nf3 Nc6");
        assert_eq!(
            (reported.depth, reported.score, reported.nodes),
            (Some(9), Some(156), Some(48000))
        );
        assert_eq!(thought("6. -100003 1 2 x").score, Some(-999_994));
        assert_eq!(thought("6& 100002 1 2").score, Some(999_997));
    }
}
