//! An engine with exactly one fault. This test program plays its part: it calls itself.
//!
//! The engine speaks UCI, plays chess, and answers at once with a move that depends only on the position. Its
//! mode names the fault, which shows in each game from its `at`th answer on. The test harness prints lines
//! before the engine starts; a runner ignores them.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use shakmaty::{Chess, Position as _, uci::UciMove};
use std::{
    env,
    io::{self, BufRead as _, Write},
    process::{self, Command},
    thread,
    time::Duration,
};

/// The command line that runs this program as an engine with a fault, which the words choose.
pub fn command(words: &str) -> String {
    called("engines::faults::as_an_engine", words)
}

/// The command line that runs this program as an engine: the name of the test to run, and the words that say what to do.
pub fn called(test: &str, words: &str) -> String {
    let program = env::current_exe().unwrap();
    format!(
        "'{}' {test} --exact --quiet --nocapture --test-threads=1 engine {words}",
        program.display()
    )
}

/// What the engine does wrong, and the first answer in a game, counted from 1, with which it does so.
struct Engine {
    mode: String,
    at: usize,
    answers: usize,
    game: Chess,
}

#[test]
fn as_an_engine() {
    let words: Vec<_> = env::args().skip_while(|word| word != "engine").collect();
    if words.is_empty() {
        return;
    }
    let value = |name: &str| {
        words
            .iter()
            .find_map(|word| word.strip_prefix(name))
            .unwrap_or_default()
            .to_owned()
    };
    let at = value("at=").parse().unwrap_or(1);
    Engine {
        mode: value("mode="),
        at,
        answers: 0,
        game: Chess::default(),
    }
    .run();
    process::exit(0);
}

fn say(text: &str) {
    // Written in one piece, so that whoever reads the first line can read the rest, too.
    let text = format!("{text}\n");
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

impl Engine {
    fn run(&mut self) {
        match &*self.mode {
            "exits-at-start" => process::exit(3),
            "no-uciok" => hang(),
            "announces" => announce(),
            _ => {}
        }
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            let mut words = line.split(' ');
            match words.next().unwrap_or_default() {
                "uci" => say(
                    "id name Fault\nid author nobody\noption name Hash type spin default 1 min 1 max 9\nuciok",
                ),
                "isready" => {
                    if self.mode == "slow-ready" && self.answers + 1 >= self.at {
                        thread::sleep(Duration::from_secs(3));
                    }
                    say("readyok");
                }
                // What it does once it does once in each game.
                "ucinewgame" if self.mode != "slow-ready" => self.answers = 0,
                "position" => self.follow(&line),
                "go" => self.answer(),
                "quit" if self.mode != "ignores-quit" => return,
                _ => {}
            }
        }
        if self.mode == "ignores-quit" {
            hang();
        }
    }

    fn follow(&mut self, line: &str) {
        let moves = line.split(" moves ").nth(1).unwrap_or_default();
        self.game = moves
            .split_ascii_whitespace()
            .fold(Chess::default(), |game, text| {
                let uci: UciMove = text.parse().unwrap();
                game.clone().play(uci.to_move(&game).unwrap()).unwrap()
            });
    }

    /// A legal move; the same position always gives the same one.
    fn choice(&self) -> String {
        let legal = self.game.legal_moves();
        let key = self.game.board().occupied().0
            ^ self.game.board().white().0.rotate_left(7)
            ^ u64::from(self.game.halfmoves());
        let at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % legal.len();
        legal[at]
            .to_uci(shakmaty::CastlingMode::Standard)
            .to_string()
    }

    fn answer(&mut self) {
        self.answers += 1;
        let choice = self.choice();
        let answers = self.answers >= self.at && self.misbehave(&choice);
        if !answers {
            // Nothing in the answer may depend on what came before the position.
            let score = choice.len();
            say(&format!(
                "info depth 1 score cp {score} nodes 9\nbestmove {choice}"
            ));
        }
    }

    /// Does what the mode says. Returns whether that took the place of the answer.
    fn misbehave(&self, choice: &str) -> bool {
        let is_first = self.answers == self.at;
        match &*self.mode {
            "exits" => process::exit(0),
            "killed" => {
                let _ = kill(Pid::this(), Signal::SIGKILL);
                hang();
            }
            "dies-with-words" => {
                eprintln!("Traceback:\nKeyError: 'e4'");
                process::exit(1);
            }
            "hangs" => hang(),
            "chatters" => loop {
                say("info depth 5 score cp 1 nodes 1 pv e2e4");
                thread::sleep(Duration::from_millis(5));
            },
            "illegal" => say("bestmove e1e8"),
            "nonsense" => say("bestmove \u{1b}[2J\u{7}x"),
            "twice" => say(&format!("bestmove {choice}\nbestmove a1a1")),
            "blanks" => say(&format!(
                "  info  depth 1\tscore   cp 3 nodes 9\n \t bestmove \t{choice}  ponder e2e4 \t"
            )),
            _ => {
                self.burden(is_first);
                return false;
            }
        }
        true
    }

    /// Does what the mode says in addition to the answer.
    fn burden(&self, is_first: bool) {
        match &*self.mode {
            "late" => thread::sleep(Duration::from_millis(400)),
            "creeps" => thread::sleep(Duration::from_millis(60)),
            "floods-lines" if is_first => {
                flood(
                    io::stdout().lock(),
                    "info depth 9 score cp 12 nodes 12345 pv e2e4 e7e5 g1f3 b8c6\n",
                );
            }
            "floods-one-line" if is_first => {
                flood(io::stdout().lock(), "x");
                say("");
            }
            "floods-errors" if is_first => {
                flood(io::stderr().lock(), &("y".repeat(999) + "\n"));
            }
            "grandchild" | "grandchild-dies" if is_first => {
                let words: Vec<_> = env::args()
                    .filter(|word| word.starts_with("mark="))
                    .collect();
                let _ = Command::new("sh")
                    .args(["-c", "sleep 3600; :"])
                    .args(words)
                    .spawn();
                if self.mode == "grandchild-dies" {
                    process::exit(0);
                }
            }
            "no-utf8" => {
                let mut out = io::stdout().lock();
                let _ = out.write_all(
                    b"info string \xff\xfe\x80\ninfo depth 1 score cp \xc3 nodes\n\xff\xff\n",
                );
            }
            "escapes" => say("info string \u{1b}[31m\u{1b}]0;title\u{7}\u{1b}[2J"),
            _ => {}
        }
    }
}

/// Names options for ever.
fn announce() -> ! {
    loop {
        say(&"option name Hash type spin default 1 min 1 max 9\n".repeat(1_000));
    }
}

/// Writes the text over and over, 100 MB in all.
fn flood(mut out: impl Write, text: &str) {
    let block = text.repeat((1 << 16) / text.len());
    for _ in 0..(100 << 20) / block.len() {
        if out.write_all(block.as_bytes()).is_err() {
            return;
        }
    }
    let _ = out.flush();
}
