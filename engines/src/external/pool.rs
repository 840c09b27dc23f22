//! The engines of a run: how they are started, their faults, and which were withdrawn.

use super::{
    cecp::{Cecp, edited},
    dialogue::Dialogue,
    launch::Setting,
    process::{Command, Fate, Orphans, Process, Silence},
    program::{Program, Protocol},
    speaker::Speaker,
    talk::{Answer, GameOfRun, Go, Readying, Start, Talk, TalkError, Wire},
    transcript::Transcript,
    uci::Uci,
};
use crate::{
    book::{Book, BookError},
    ending::End,
    journal::no_link,
    lock,
    manifest::Manifest,
    players::Thought,
};
use overboard_formats::{foreign::Foreign, io_words::reason};
use overboard_games::with_game;
use overboard_rules::{outcome::Cause, square::Side};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// The exit code for a program that could not be started, as in shells.
pub const NOT_STARTED: i32 = 127;
/// How long an engine has to answer after being told to move at once, before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// How long a process that has closed its output may take to exit.
const LAST_BREATH: Duration = Duration::from_millis(250);
/// How long an engine has to exit after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// The most letters of an engine's name in the name of a file.
const NAMED: usize = 64;

/// How engines are run. None of this changes what they play.
#[derive(Clone, Debug)]
pub struct Outfit {
    /// The program through which they are started; `None` to start them directly.
    pub launcher: Option<PathBuf>,
    /// Whether each game is tied to a processor.
    pub affinity: bool,
    /// The most memory of each engine, in MiB.
    pub memory: Option<u64>,
    /// The number of faults after which an engine is withdrawn.
    pub faults: u32,
    /// The beginning of the names of transcripts; `None` to keep none.
    pub transcripts: Option<PathBuf>,
    /// Where everything that is said is written; `None` to write nothing.
    pub dialogue: Option<Arc<Dialogue>>,
    /// The variables of our environment that engines get besides the usual ones.
    pub variables: Vec<String>,
    /// Whether all that engines leave behind is killed in the end; this process may then have no other children.
    pub adopts: bool,
}

/// The engines of a run.
#[derive(Debug)]
pub struct EnginePool {
    stage: GameOfRun,
    /// By the numbers of the players; `None` for built-in ones.
    programs: Vec<Option<(Program, Conduct)>>,
    outfit: Outfit,
    _orphans: Option<Orphans>,
}

/// What an engine has done so far.
#[derive(Debug, Default)]
struct Conduct {
    faults: AtomicU32,
    /// Whether a transcript has been kept.
    is_kept: AtomicBool,
    latency: Mutex<Latency>,
}

/// A game that engines begin before any is played.
const FIRST: Start<'static> = Start {
    game: 0,
    fen: None,
    yours: Side::White,
};

/// Latency of replies that need no thinking: a histogram in microseconds, whose buckets grow by the fourth root of two.
#[derive(Clone, Debug)]
pub struct Latency([u64; 128]);

impl Default for Latency {
    fn default() -> Self {
        Self([0; 128])
    }
}

impl Latency {
    /// Adds a reply.
    pub fn take(&mut self, time: Duration) {
        let place = (4.0 * (time.as_secs_f64() * 1e6).max(1.0).log2()).ceil() as usize;
        self.0[place.min(127)] += 1;
    }

    /// The number of replies.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The quantile of the latencies, accurate to a fifth; `None` if there are no replies.
    #[must_use]
    pub fn within(&self, share: f64) -> Option<Duration> {
        let wanted = (share * self.count() as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (place, count) in self.0.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                let micros = 2_f64.powf(place as f64 / 4.0);
                return Some(Duration::from_secs_f64(micros / 1e6));
            }
        }
        None
    }
}

/// Why a run cannot start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PoolError {
    /// An engine cannot play it.
    #[error("engine `{}`: {}", .name.shown(), .why.shown())]
    Engine {
        /// Its name.
        name: Foreign,
        /// The reason.
        why: Foreign,
    },
}

/// A fault of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineFault {
    /// Its kind, which is also the cause of the game's end.
    pub cause: Cause,
    /// What the engine did, for people.
    pub words: Foreign,
}

impl EnginePool {
    /// The pool of a run; `None` if all players are built in.
    ///
    /// # Errors
    /// When the manifest names no game that is known.
    pub fn of(manifest: &Manifest, outfit: Outfit) -> Result<Option<Self>, PoolError> {
        if manifest.engines.is_empty() {
            return Ok(None);
        }
        let game = manifest.game().map_err(|why| PoolError::Engine {
            name: Foreign::default(),
            why: why.to_string().into(),
        })?;
        let (boards, level, rules) = (manifest.boards, manifest.level(), &manifest.rules);
        let stage = with_game!(game, boards, G => GameOfRun::of::<G>(game, boards, level, rules));
        let players = manifest.players.iter();
        let programs = players.map(|name| manifest.program(name).cloned());
        Ok(Some(Self::new(stage, programs, outfit)))
    }

    /// The pool of a game, by the numbers of its players; `None` for built-in ones.
    #[must_use]
    pub fn new(
        stage: GameOfRun,
        programs: impl IntoIterator<Item = Option<Program>>,
        outfit: Outfit,
    ) -> Self {
        let orphans = if outfit.adopts {
            Some(Orphans::adopt())
        } else {
            None
        };
        let with_conduct = |program| (program, Conduct::default());
        let programs = programs.into_iter();
        Self {
            stage,
            programs: programs.map(|program| program.map(with_conduct)).collect(),
            _orphans: orphans,
            outfit,
        }
    }

    /// The engine of a player, and its conduct so far.
    fn program(&self, player: usize) -> Option<&(Program, Conduct)> {
        self.programs.get(player)?.as_ref()
    }

    /// The engine of a player, not started yet; `None` for a built-in one.
    #[must_use]
    pub fn engine(&self, player: usize) -> Option<Engine<'_>> {
        let (program, conduct) = self.program(player)?;
        Some(Engine {
            engines: self,
            player,
            program,
            conduct,
            running: None,
            thought: Thought::default(),
        })
    }

    /// Starts every engine once and lets it begin a game, before any game is played. Returns the name that each
    /// reports, by the numbers of the players.
    ///
    /// # Errors
    /// The first engine that does not start, or that cannot play the run's game from every opening of its book.
    pub fn check(
        &self,
        manifest: &Manifest,
        book: &Book,
    ) -> Result<Vec<Option<Foreign>>, PoolError> {
        let mut ids = Vec::new();
        for player in 0..self.programs.len() {
            ids.push(match self.engine(player) {
                Some(engine) => Some(self.check_one(engine, manifest, book)?),
                None => None,
            });
        }
        Ok(ids)
    }

    /// Pings an engine `questions` times, and records its latency. Returns what it has announced.
    ///
    /// # Errors
    /// If it does not start, or does not answer.
    pub fn ask(
        &self,
        player: usize,
        questions: u32,
    ) -> Result<Vec<(&'static str, Foreign)>, PoolError> {
        let Some(mut engine) = self.engine(player) else {
            return Ok(Vec::new());
        };
        let program = engine.program;
        let unfit = |fault: EngineFault| PoolError::Engine {
            name: program.name.clone(),
            why: fault.words,
        };
        engine.begin(&FIRST, 0, None).map_err(unfit)?;
        for _ in 0..questions {
            engine.ping(None).map_err(unfit)?;
        }
        Ok(match engine.talk() {
            Some(talk) => talk.announced(),
            None => Vec::new(),
        })
    }

    fn check_one(
        &self,
        mut engine: Engine<'_>,
        manifest: &Manifest,
        book: &Book,
    ) -> Result<Foreign, PoolError> {
        let program = engine.program;
        let ready = engine.begin(&FIRST, 0, None);
        let unfit = |why: Foreign| PoolError::Engine {
            name: program.name.clone(),
            why,
        };
        ready.map_err(|fault| unfit(fault.words))?;
        let (mut id, mut edits) = (Foreign::default(), false);
        if let Some(talk) = engine.talk() {
            id = talk.id().clone();
            edits = talk.edits();
        }
        engine.end();
        if edits && let Some(BookError { line, why }) = self.uneditable(manifest, book) {
            let words = format!(
                "it has no `setboard`, and `edit` cannot give it the position on line {line} of the book: {}; leave it out, or make the book one of games",
                why.shown()
            );
            return Err(unfit(words.into()));
        }
        if !program.id.is_empty() && program.id != id {
            let [now, then] = [&id, &program.id].map(Foreign::shown);
            let words = format!("it calls itself `{now}`, and the run was planned with `{then}`");
            return Err(unfit(words.into()));
        }
        Ok(id)
    }

    /// The first position of a book that `edit` cannot describe.
    fn uneditable(&self, manifest: &Manifest, book: &Book) -> Option<BookError> {
        let game = self.stage.game;
        with_game!(game, manifest.boards, G => {
            book.unreachable::<G>(&manifest.first().ok()?, |fen| edited(game, fen).err())
        })
    }

    /// Whether an engine has been withdrawn.
    #[must_use]
    pub fn is_withdrawn(&self, player: usize) -> bool {
        let Some((_, conduct)) = self.program(player) else {
            return false;
        };
        conduct.faults.load(Ordering::Relaxed) >= self.outfit.faults
    }

    /// Why what was said is not all written, if so.
    pub fn dialogue_failure(&self) -> Option<io::Error> {
        self.outfit.dialogue.as_ref()?.failure()
    }

    /// The names of engines that have been withdrawn.
    pub fn withdrawn(&self) -> impl Iterator<Item = &Foreign> {
        self.engines()
            .filter(|(player, _)| self.is_withdrawn(*player))
            .map(|(_, program)| &program.name)
    }

    /// An engine's latency for replies that need no thinking.
    #[must_use]
    pub fn latency(&self, player: usize) -> Option<Latency> {
        let (_, conduct) = self.program(player)?;
        Some(lock(&conduct.latency).clone())
    }

    /// Records a fault.
    fn blame(&self, player: usize, fault: &EngineFault, transcript: &Transcript) {
        let Some((program, conduct)) = self.program(player) else {
            return;
        };
        if fault.cause != Cause::Flag {
            conduct.faults.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(path) = self.transcript(player)
            && !conduct.is_kept.swap(true, Ordering::Relaxed)
        {
            let head = format!(
                "engine {}: {}: {}\n\n",
                program.name.shown(),
                fault.cause,
                fault.words.shown()
            );
            // A transcript that cannot be saved must not end the run.
            let _ = keep(&path, &(head + &transcript.text()));
        }
    }

    /// The path of the transcript of an engine's first fault.
    #[must_use]
    pub fn transcript(&self, player: usize) -> Option<PathBuf> {
        let (program, _) = self.program(player)?;
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        };
        let name = program.name.as_it_came().chars().map(plain);
        let name: String = name.take(NAMED).collect();
        let begin = self.outfit.transcripts.as_ref()?;
        Some(begin.with_added_extension(format!("{}-{name}.fault.txt", player + 1)))
    }

    /// The players that are external engines, with their numbers.
    pub fn engines(&self) -> impl Iterator<Item = (usize, &Program)> {
        let players = 0..self.programs.len();
        players.filter_map(|player| Some((player, &self.program(player)?.0)))
    }
}

/// How a process ended that was not told to.
fn last_words(process: &mut Process) -> String {
    let fate = process.end(LAST_BREATH);
    match process.transcript.last_aside() {
        None => fate.to_string(),
        // The message of the launcher.
        Some(last) if fate == Fate::Exit(NOT_STARTED) && last.contains(" cannot be started: ") => {
            last
        }
        Some(last) => format!("{fate}; its last words on standard error: {last}"),
    }
}

/// The first transcript stays: another run on the same ledger does not replace it.
fn keep(path: &Path, text: &str) -> io::Result<()> {
    no_link(path)?;
    let mut file = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?;
    io::Write::write_all(&mut file, text.as_bytes())
}

/// An engine that is started when it is needed.
pub struct Engine<'a> {
    engines: &'a EnginePool,
    player: usize,
    /// Its program in this run.
    pub program: &'a Program,
    conduct: &'a Conduct,
    running: Option<Running>,
    /// Its evaluation with its last answer.
    pub thought: Thought,
}

struct Running {
    process: Process,
    talk: Box<dyn Talk>,
    has_played: bool,
}

impl Engine<'_> {
    /// Lets it begin a game, and starts it if it is not running.
    ///
    /// # Errors
    /// Its fault; its state is then unknown, and it has been ended.
    pub fn begin(
        &mut self,
        start: &Start<'_>,
        thread: usize,
        give_up: Option<&AtomicBool>,
    ) -> Result<(), EngineFault> {
        let is_spent = match &self.running {
            Some(running) => running.has_played && !running.talk.is_reusable(),
            None => false,
        };
        if self.program.restart || is_spent {
            self.end();
        }
        if self.running.is_none() {
            self.start(thread, give_up)?;
        }
        let until = self.ready_by();
        let begun = self.with(give_up, |talk, wire| talk.begin(wire, start, until));
        begun.map_err(|trouble| self.late(trouble, "a new game"))?;
        if let Some(running) = &mut self.running {
            running.has_played = true;
        }
        self.ping(give_up)
    }

    fn ready_by(&self) -> Instant {
        Instant::now() + self.program.start.duration()
    }

    /// The fault of an engine that has not done this in the time for its start.
    fn late(&mut self, trouble: TalkError, what: &str) -> EngineFault {
        let when = format!("within {} s of {what}", self.program.start);
        self.fault(trouble, &when)
    }

    /// Asks something that needs no thinking, and records how long the answer takes.
    fn ping(&mut self, give_up: Option<&AtomicBool>) -> Result<(), EngineFault> {
        let until = self.ready_by();
        let answered = self.with(give_up, |talk, wire| talk.ping(wire, until));
        if let Some(time) = answered.map_err(|trouble| self.late(trouble, "a question"))? {
            lock(&self.conduct.latency).take(time);
        }
        Ok(())
    }

    fn start(&mut self, thread: usize, give_up: Option<&AtomicBool>) -> Result<(), EngineFault> {
        let (program, outfit) = (self.program, &self.engines.outfit);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let processor = if outfit.affinity {
            Some(thread % processors)
        } else {
            None
        };
        let command = Command {
            words: &program.cmd,
            folder: program.dir.as_deref().map(Path::new),
            launcher: outfit.launcher.as_deref(),
            variables: &outfit.variables,
            setting: Setting {
                processor,
                memory: outfit.memory,
            },
        };
        let mut process = Process::start(&command).map_err(|error| {
            let fault = EngineFault {
                cause: Cause::Crash,
                words: format!("it cannot be started: {}", reason(&error)).into(),
            };
            self.engines
                .blame(self.player, &fault, &Transcript::default());
            fault
        })?;
        if let Some(dialogue) = &outfit.dialogue {
            let part = dialogue.part(&program.name);
            process.transcript.write_to(part);
        }
        let talk: Box<dyn Talk> = match program.proto {
            Protocol::Uci => Box::new(Uci::default()),
            Protocol::Cecp => Box::new(Cecp::default()),
            Protocol::Lines => Box::new(Speaker::default()),
        };
        self.running = Some(Running {
            process,
            talk,
            has_played: false,
        });
        self.greet(give_up)
    }

    /// Exchanges greetings with it.
    fn greet(&mut self, give_up: Option<&AtomicBool>) -> Result<(), EngineFault> {
        let readying = Readying {
            program: self.program,
            stage: &self.engines.stage,
            until: self.ready_by(),
        };
        let greeted = match &mut self.running {
            Some(Running { process, talk, .. }) => {
                talk.greet(&mut Wire::greeting(process, give_up), &readying)
            }
            None => Ok(()),
        };
        greeted.map_err(|trouble| self.late(trouble, "its start"))
    }

    /// Asks for a ply. Returns the answer and how long it took: more than the clock had, if its flag fell.
    ///
    /// # Errors
    /// Its fault; `None` if the game has been given up.
    pub fn think(
        &mut self,
        go: &Go,
        give_up: Option<&AtomicBool>,
    ) -> Result<(Answer, Duration), Option<EngineFault>> {
        let program = self.program;
        let limit = program.time_for_a_move(go.clocks[go.side]);
        let unheard = Instant::now() + limit;
        let answered = self.with(give_up, |talk, wire| {
            let said = talk.ask(wire, go, unheard)?;
            match talk.answer(wire, said + limit) {
                Ok((answer, at)) => {
                    Ok((answer, at.saturating_duration_since(said), talk.thought()))
                }
                Err(TalkError::Silence(Silence::Late)) => {
                    let until = Instant::now() + GRACE;
                    wire.say(talk.hurry(), until)?;
                    let (answer, at) = talk.answer(wire, until)?;
                    // Whether it was read in time or not, the answer came too late.
                    let spent = at
                        .saturating_duration_since(said)
                        .max(limit + Duration::from_nanos(1));
                    Ok((answer, spent, talk.thought()))
                }
                Err(trouble) => Err(trouble),
            }
        });
        let seconds = limit.as_secs_f64();
        match answered {
            Ok((_, spent, _)) if spent > limit => {
                let cause = if program.is_timed() {
                    Cause::Flag
                } else {
                    Cause::Stall
                };
                let words = format!(
                    "it answered after {:.3} s, and had {seconds:.3} s",
                    spent.as_secs_f64()
                );
                Err(Some(self.blamed(EngineFault {
                    cause,
                    words: words.into(),
                })))
            }
            Ok((answer, spent, thought)) => {
                self.thought = thought;
                Ok((answer, spent))
            }
            Err(TalkError::Silence(Silence::GivenUp)) => {
                self.running = None;
                Err(None)
            }
            Err(trouble) => Err(Some(self.fault(
                trouble,
                &format!("within the {seconds:.3} s for a move, nor at once when asked to"),
            ))),
        }
    }

    /// Passes on a ply of either side.
    pub fn see(&mut self, ply: &str) {
        if let Some(running) = &mut self.running {
            running.talk.see(ply);
        }
    }

    /// The conversation with it, if it runs.
    #[must_use]
    pub fn talk(&self) -> Option<&dyn Talk> {
        Some(&*self.running.as_ref()?.talk)
    }

    /// Sends how the game ended.
    pub fn over(&mut self, end: End) {
        if let Some(Running { process, talk, .. }) = &mut self.running {
            talk.over(&mut Wire::new(process, None), end, Instant::now() + GRACE);
        }
    }

    /// Records a fault in its answer, after which it may continue.
    pub fn blamed(&mut self, fault: EngineFault) -> EngineFault {
        if let Some(running) = &mut self.running {
            self.engines
                .blame(self.player, &fault, &running.process.transcript);
            running.process.transcript.stop();
        }
        fault
    }

    /// Turns an error into a fault, and ends the engine.
    fn fault(&mut self, trouble: TalkError, when: &str) -> EngineFault {
        let Some(Running { mut process, .. }) = self.running.take() else {
            return EngineFault {
                cause: Cause::Crash,
                words: "it does not run".into(),
            };
        };
        let has_ended = trouble == TalkError::Silence(Silence::Ended);
        let (cause, words) = match trouble {
            TalkError::Silence(Silence::Ended) => (Cause::Crash, last_words(&mut process).into()),
            // Nobody is waiting any more, which is not its fault.
            TalkError::Silence(Silence::GivenUp) => {
                return EngineFault {
                    cause: Cause::Stall,
                    words: "nobody waited for it".into(),
                };
            }
            TalkError::Silence(Silence::Late) => {
                (Cause::Stall, format!("it did not answer {when}").into())
            }
            TalkError::Silence(Silence::Flood) => (
                Cause::Stall,
                "it said more than a megabyte before it was ready".into(),
            ),
            TalkError::Broken(words) => (Cause::IllegalMove, words),
            TalkError::Refused(words) => (Cause::Crash, words),
        };
        if !has_ended {
            process.end(Duration::ZERO);
        }
        let fault = EngineFault { cause, words };
        self.engines.blame(self.player, &fault, &process.transcript);
        fault
    }

    /// Does something with the running engine.
    fn with<T>(
        &mut self,
        give_up: Option<&AtomicBool>,
        what: impl FnOnce(&mut dyn Talk, &mut Wire<'_>) -> Result<T, TalkError>,
    ) -> Result<T, TalkError> {
        match &mut self.running {
            Some(Running { process, talk, .. }) => {
                what(&mut **talk, &mut Wire::new(process, give_up))
            }
            None => Err(TalkError::Silence(Silence::Ended)),
        }
    }

    /// Ends it if it is running: sends `quit`, and waits a moment.
    pub fn end(&mut self) -> Option<Fate> {
        let Running {
            mut process, talk, ..
        } = self.running.take()?;
        let until = Instant::now() + FAREWELL;
        let _ = Wire::new(&mut process, None).say(talk.farewell(), until);
        Some(process.end(FAREWELL))
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        self.end();
    }
}
