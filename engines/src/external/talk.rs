//! [`Talk`]: the conversation with an engine, whichever protocol it uses.

use super::{
    pace::{Clock, Seconds},
    process::{Partner, Patience, Silence},
    program::Program,
};
use crate::{ending::End, players::Thought};
use overboard_formats::foreign::{Foreign, visible};
use overboard_games::registry::Variant;
use overboard_rules::{
    by_side::BySide,
    game::{Game, Only},
    square::Side,
    variant::VariantInfo,
};
use std::{
    any::TypeId,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// The game of a run.
#[derive(Clone, Debug)]
pub struct GameOfRun {
    /// The game.
    pub game: Variant,
    /// The number of linked boards.
    pub boards: u16,
    /// The level, if the game has levels.
    pub level: u8,
    /// The rules agreed, as the tag Rules has them.
    pub rules: String,
    /// Whether there is one board, with nothing inside it.
    pub is_one_board: bool,
}

impl GameOfRun {
    /// A game on this many boards, with this level and these rules.
    #[must_use]
    pub fn of<G: Game>(game: Variant, boards: u16, level: u8, rules: &str) -> Self {
        Self {
            game,
            boards,
            level,
            rules: rules.to_owned(),
            is_one_board: is_plain::<G>(),
        }
    }

    /// Whether a name that an engine announces means this game.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        Self::means(self.game.info(), name)
    }

    /// Whether a name that an engine announces means a game.
    #[must_use]
    pub fn means(info: &VariantInfo, name: &str) -> bool {
        let plain = |name: &str| -> String {
            name.chars()
                .filter(char::is_ascii_alphanumeric)
                .map(|c| c.to_ascii_lowercase())
                .collect()
        };
        let spellings = info.spellings.iter().map(|spelling| spelling.text);
        let mut known = Vec::from_iter(spellings);
        known.extend(info.arguments);
        known.iter().any(|known| plain(known) == plain(name))
    }

    /// That an engine does not play the game of the run.
    pub fn unplayed(&self, why: &str) -> TalkError {
        TalkError::refused(format!("it does not play {}: {why}", self.game.name()))
    }

    /// Checks that a protocol for one board can express the game.
    ///
    /// # Errors
    /// Why it cannot, and which protocol can.
    pub fn fits_one_board(&self, protocol: &str) -> Result<(), TalkError> {
        let why = if !self.is_one_board {
            "has more than one board"
        } else if !self.rules.is_empty() {
            "is played with options"
        } else {
            return Ok(());
        };
        let game = self.game.name();
        Err(TalkError::refused(format!(
            "{protocol} cannot express {game}, which {why}; use proto=lines"
        )))
    }
}

/// Whether a game is played on one board, with moves of one word.
pub(crate) fn is_plain<G: Game>() -> bool {
    TypeId::of::<G::Board>() == TypeId::of::<Only>()
}

/// How a game begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Its number in the run.
    pub game: u64,
    /// The initial position, if it is not that of the game.
    pub fen: Option<&'a str>,
    /// The side that the engine plays.
    pub yours: Side,
}

/// A request for a ply.
#[derive(Clone, Debug)]
pub struct Go {
    /// The side to play for.
    pub side: Side,
    /// White's clock and Black's.
    pub clocks: BySide<Option<Clock>>,
    /// Time for the move.
    pub st: Option<Seconds>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// On linked boards: the board on which the ply is due.
    pub board: Option<String>,
    /// The legal plies, if the engine asks for them.
    pub legal: Option<Vec<String>>,
}

/// An engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Plies to play: one, or several of one turn in order.
    Plies(Vec<Foreign>),
    /// It resigns.
    Resigns,
    /// It claims a draw by repetition.
    Repetition,
    /// It claims a draw by moves without progress.
    Progress,
    /// It says that the game has ended with this score.
    Result(&'static str),
    /// It says that the previous ply is illegal.
    Refuses(Foreign),
}

/// Why an engine did not do what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TalkError {
    /// It did not answer, or the game was given up.
    Silence(Silence),
    /// It wrote something that is not allowed at this point.
    Broken(Foreign),
    /// It cannot play the run's game; reported before the first game.
    Refused(Foreign),
}

impl TalkError {
    /// It wrote something that is not allowed at this point.
    #[must_use]
    pub fn broken(words: impl Into<Foreign>) -> Self {
        Self::Broken(words.into())
    }

    /// It cannot play the run's game.
    #[must_use]
    pub fn refused(words: impl Into<Foreign>) -> Self {
        Self::Refused(words.into())
    }

    /// It has no option with this name, but those that are listed.
    #[must_use]
    pub fn no_option(name: &str, known: &str) -> Self {
        let known = if known.is_empty() { "none" } else { known };
        Self::refused(format!(
            "it has no option `{}`; it names these: {}",
            visible(name),
            visible(known)
        ))
    }
}

impl From<Silence> for TalkError {
    fn from(silence: Silence) -> Self {
        Self::Silence(silence)
    }
}

/// An engine during one exchange, with a way to give up.
pub struct Wire<'a> {
    /// Its process.
    pub partner: &'a mut dyn Partner,
    /// Set to give up, if that can be.
    pub give_up: Option<&'a AtomicBool>,
    /// How many bytes it may still say.
    left: usize,
}

/// How many bytes an engine may say before it is ready: a hundred times what those with the most options say. What it
/// announces is kept, so without a limit an engine could fill the memory.
const GREETING: usize = 1 << 20;

impl<'a> Wire<'a> {
    /// For an exchange of which only the answer is kept.
    pub const fn new(partner: &'a mut dyn Partner, give_up: Option<&'a AtomicBool>) -> Self {
        Self {
            partner,
            give_up,
            left: usize::MAX,
        }
    }

    /// For an engine that announces what it can do.
    pub const fn greeting(partner: &'a mut dyn Partner, give_up: Option<&'a AtomicBool>) -> Self {
        Self {
            left: GREETING,
            ..Self::new(partner, give_up)
        }
    }

    const fn patience(&self, until: Instant) -> Patience<'a> {
        Patience {
            until,
            give_up: self.give_up,
        }
    }

    /// Writes lines; returns when they had been written.
    ///
    /// # Errors
    /// If they cannot be written before `until`.
    pub fn say(&mut self, lines: &str, until: Instant) -> Result<Instant, Silence> {
        let patience = self.patience(until);
        self.partner.say(lines, patience)
    }

    /// Advances to the next line; returns when it arrived.
    ///
    /// # Errors
    /// If none arrives before `until`, or the engine has said too much.
    pub fn hear(&mut self, until: Instant) -> Result<Instant, Silence> {
        let patience = self.patience(until);
        let at = self.partner.hear(patience)?;
        let said = self.partner.line().len() + 1;
        self.left = self.left.checked_sub(said).ok_or(Silence::Flood)?;
        Ok(at)
    }

    /// The current line, without blanks around it.
    #[must_use]
    pub fn line(&self) -> &[u8] {
        self.partner.line().trim_ascii()
    }

    /// The current line as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.line()).trim().to_owned()
    }
}

/// What a protocol needs to make an engine ready.
#[derive(Clone, Copy, Debug)]
pub struct Readying<'a> {
    /// The engine.
    pub program: &'a Program,
    /// What is played.
    pub stage: &'a GameOfRun,
    /// When it has to be ready.
    pub until: Instant,
}

/// A protocol, with the state of one engine's conversation.
///
/// A runner first calls `greet` and then, for each game, `begin`; for each ply it calls `ask` and `answer`, and `see`
/// for the plies of both sides. Every wait has a deadline, so that a silent engine cannot hold up a run.
///
/// ```
/// use overboard_engines::external::talk::{Answer, Go, Readying, Start, Talk, TalkError, Wire};
/// use std::time::Duration;
///
/// /// The first ply of a game, from an engine that has just been started.
/// fn first_ply(
///     talk: &mut dyn Talk,
///     wire: &mut Wire<'_>,
///     (readying, start, go): (&Readying<'_>, &Start<'_>, &Go),
/// ) -> Result<Answer, TalkError> {
///     talk.greet(wire, readying)?;
///     talk.begin(wire, start, readying.until)?;
///     let asked = talk.ask(wire, go, readying.until)?;
///     let (answer, _) = talk.answer(wire, asked + Duration::from_secs(5))?;
///     Ok(answer)
/// }
/// ```
pub trait Talk: Send {
    /// Greets an engine that has just started, and sets its options.
    ///
    /// # Errors
    /// Why it is not ready.
    fn greet(&mut self, wire: &mut Wire<'_>, readying: &Readying<'_>) -> Result<(), TalkError>;
    /// The name that it reports.
    fn id(&self) -> &Foreign;
    /// What it has announced, as pairs of kind and text: games, options, features.
    fn announced(&self) -> Vec<(&'static str, Foreign)>;
    /// Begins a game.
    ///
    /// # Errors
    /// Why it is not ready.
    fn begin(
        &mut self,
        wire: &mut Wire<'_>,
        start: &Start<'_>,
        until: Instant,
    ) -> Result<(), TalkError>;
    /// Whether it can play another game after the first.
    fn is_reusable(&self) -> bool {
        true
    }
    /// Whether positions are set up by `edit`, which cannot describe all of them.
    fn edits(&self) -> bool {
        false
    }
    /// Records a ply of either side.
    fn see(&mut self, ply: &str);
    /// The coordinates of a ply that it may have written in another way.
    fn rewritten(&self, _ply: &str) -> Option<String> {
        None
    }
    /// Whether castling is sent as `O-O`.
    fn wants_letters(&self) -> bool {
        false
    }
    /// Whether it needs the list of legal plies.
    fn wants_legal(&self) -> bool {
        false
    }
    /// Asks for a ply; returns the time at which the request was written.
    ///
    /// # Errors
    /// The request could not be written before `until`.
    fn ask(&mut self, wire: &mut Wire<'_>, go: &Go, until: Instant) -> Result<Instant, TalkError>;
    /// Waits for the answer; returns it with the time at which it arrived.
    ///
    /// # Errors
    /// There is no answer before `until`, or it cannot be read.
    fn answer(
        &mut self,
        wire: &mut Wire<'_>,
        until: Instant,
    ) -> Result<(Answer, Instant), TalkError>;
    /// The engine's evaluation of its last answer.
    fn thought(&self) -> Thought;
    /// The line that tells it to answer at once.
    fn hurry(&self) -> &'static str;
    /// Sends how the game ended.
    fn over(&mut self, _wire: &mut Wire<'_>, _end: End, _until: Instant) {}
    /// How long it takes to answer a request that needs no search; `None` if the protocol has no such request.
    ///
    /// # Errors
    /// There is no answer before `until`.
    fn ping(&mut self, wire: &mut Wire<'_>, until: Instant) -> Result<Option<Duration>, TalkError>;
    /// The line that tells it to exit.
    fn farewell(&self) -> &'static str;
}

/// The score, in centipawns, of a mate in `moves` moves.
#[must_use]
pub fn score_of_mate(moves: i32) -> i32 {
    const MATE: i32 = 1_000_000;
    // The side that mates makes the last ply.
    let plies = 2 * moves.unsigned_abs().min(10_000) as i32;
    if moves > 0 {
        MATE - (plies - 1)
    } else {
        plies - MATE
    }
}
