//! CECP, version 2, from the engine's side, for every game on one board: the protocol of XBoard and its relatives.

mod clocks;

use super::{
    Ears, Heard, Host, Out,
    client_game::{Chosen, ServeClient, sit},
    served_game::ServedGame,
};
use crate::{
    ending::End,
    external::{
        cecp::{PROMOTED, STAYS, optional_promotion},
        lines::{FaultReport, NewGame},
    },
    move_limits::{Listener, MoveLimits},
    players::Thought,
    search::moves_to_mate,
};
use clocks::Clocks;
use overboard_games::{coordinates::shown, registry::Variant};
use overboard_rules::{square::Side, variant::Cecp};
use std::{
    io::{self, BufRead},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The most bytes of a line.
const LONGEST: usize = 64 << 10;
/// Commands that need no reaction.
const SILENT: [&str; 22] = [
    "xboard", "accepted", "rejected", "random", "hard", "easy", "name", "rating", "ics",
    "computer", "pause", "resume", "bk", "black", "white", "cores", "memory", "egtpath", "hover",
    "lift", "put", "otim",
];

/// Serves a client until it sends `quit` or its output ends.
///
/// # Errors
/// Those of the input; those of the output if the client has stopped reading.
pub fn serve(input: impl BufRead, out: &Out, host: Host) -> io::Result<()> {
    let mut server = Server::new(out.clone(), host);
    let mut ears = Ears::of(input, LONGEST);
    while let Some(line) = ears.next()? {
        match line {
            Heard::Text(text) if text == "quit" => {
                server.abandon();
                return out.check();
            }
            Heard::Text(text) => server.hear(&text),
            Heard::TooLong(longest) => {
                server.out.say(format_args!(
                    "Error (the line is longer than {longest} bytes): …"
                ));
            }
        }
        out.check()?;
    }
    server.served.hang_up();
    out.check()
}

/// The games that CECP has names for, and how they are described in it.
fn games() -> impl Iterator<Item = (Variant, &'static Cecp)> {
    Variant::ALL
        .iter()
        .filter_map(|variant| Some((*variant, variant.info().cecp.as_ref()?)))
}

struct Server {
    out: Out,
    host: Host,
    variant: Variant,
    /// The number of games begun.
    games: u64,
    served: ServedGame,
    /// The side that we play; `None` in force mode.
    own: Option<Side>,
    clocks: Clocks,
    /// Whether the client wants our thinking output.
    posts: bool,
    /// Whether the choice in progress is still to be answered.
    live: Arc<AtomicBool>,
}

impl Server {
    fn new(out: Out, host: Host) -> Self {
        let mut server = Self {
            out,
            host,
            variant: Variant::Chess,
            games: 0,
            served: ServedGame::default(),
            own: Some(Side::Black),
            clocks: Clocks::default(),
            posts: false,
            live: Arc::default(),
        };
        // Clients may omit `new` before the first game.
        let _ = server.begin(None);
        server
    }

    fn hear(&mut self, text: &str) {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "protover" => self.introduce(),
            "ping" => self.out.say(format_args!("pong {rest}")),
            "new" => self.anew(),
            "variant" => self.take_up(rest),
            "setboard" => self.set_up(rest),
            "force" | "result" => {
                self.abandon();
                self.own = None;
            }
            "go" => {
                self.own = self.side();
                self.think();
            }
            "playother" => self.own = self.side().map(Side::other),
            "usermove" => self.answer(rest),
            "?" => {
                if let Some(limits) = self.served.limits() {
                    limits.end();
                }
            }
            "undo" => self.undo(1),
            "remove" => self.undo(2),
            "draw" => self.hear_offer(),
            "post" | "nopost" => self.posts = word == "post",
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                self.set(name, value);
            }
            "level" | "st" | "sd" | "time" => {
                if self.clocks.set(word, rest).is_none() {
                    self.refuse("this is not a time control", text);
                }
            }
            "nps" => self.refuse("nodes are not counted for time", text),
            "edit" | "xedit" => self.refuse("positions are set up by setboard", text),
            "analyze" | "exit" | "." => self.refuse("nothing is analysed here", text),
            "hint" => self.refuse("no hints are given", text),
            word if word.is_empty() || SILENT.contains(&word) => {}
            // Old clients send moves without a command.
            word if rest.is_empty() && looks_like_a_move(word) => self.answer(word),
            _ => self.refuse("unknown command", text),
        }
    }

    /// Says that a command is not carried out, and why.
    fn refuse(&self, why: &str, text: &str) {
        self.out.say(format_args!("Error ({why}): {}", shown(text)));
    }

    fn introduce(&self) {
        self.out.say("feature done=0");
        let names: Vec<_> = games().map(|(_, cecp)| cecp.name).collect();
        let player = match self.host.spec {
            Some(spec) => spec.to_string(),
            None => String::new(),
        };
        self.out.say(format_args!(
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 \
             analyze=0 colors=0 name=0 nps=0 memory=0 smp=0 ics=0 pause=0 debug=0"
        ));
        self.out
            .say(format_args!("feature myname=\"{}\"", self.host.name()));
        self.out
            .say(format_args!("feature variants=\"{}\"", names.join(",")));
        self.out
            .say(format_args!("feature option=\"Player -string {player}\""));
        self.out.say(format_args!(
            "feature option=\"Seed -string {}\"",
            self.host.seed
        ));
        self.out.say("feature done=1");
    }

    /// Abandons a choice in progress without an answer.
    fn abandon(&mut self) {
        self.live.store(false, Ordering::Release);
        self.served.stop();
    }

    fn side(&mut self) -> Option<Side> {
        self.abandon();
        self.served
            .client_game()
            .map(|client_game| client_game.side())
    }

    fn begin(&mut self, start: Option<String>) -> Result<(), FaultReport> {
        self.abandon();
        let game = NewGame {
            game: self.games,
            start,
            ..NewGame::of(self.variant.info().arguments[0])
        };
        self.served.begin(sit(&game, &self.host)?);
        Ok(())
    }

    /// Starts a new game of chess, in which we are Black.
    fn anew(&mut self) {
        self.games += 1;
        self.variant = Variant::Chess;
        self.own = Some(Side::Black);
        self.clocks = Clocks::default();
        let _ = self.begin(None);
    }

    fn take_up(&mut self, name: &str) {
        let Some((variant, cecp)) = games().find(|(_, cecp)| cecp.name == name) else {
            return self.out.say(format_args!(
                "Error (this game is not played here): variant {}",
                shown(name)
            ));
        };
        self.variant = variant;
        match self.begin(None) {
            Ok(()) => {
                for line in cecp.setup {
                    self.out.say(line);
                }
            }
            Err(fault) => self.out.say(format_args!(
                "Error ({}): variant {}",
                fault.words,
                shown(name)
            )),
        }
    }

    fn set_up(&mut self, fen: &str) {
        // Some clients write empty holdings into the FEN as `[-]`.
        if let Err(fault) = self.begin(Some(fen.into())) {
            self.out.say(format_args!(
                "tellusererror Illegal position: {}",
                fault.words.replace('\n', " ")
            ));
        }
    }

    /// Handles a move of the other side, or of either side in force mode.
    fn answer(&mut self, text: &str) {
        if self.served.is_choosing() {
            return self.out.say(format_args!(
                "Illegal move (it is my turn): {}",
                shown(text)
            ));
        }
        let Some(client_game) = self.served.client_game() else {
            return;
        };
        let mover = client_game.side();
        if let Err(fault) = play_as_ordered(client_game, text) {
            let mut words = fault.words.replace('\n', " ");
            if let Some(rule) = fault.rule {
                words += &format!(", {rule}");
            }
            return self
                .out
                .say(format_args!("Illegal move ({words}): {}", shown(text)));
        }
        if let Some(end) = client_game.end() {
            return self.out.say(result(end));
        }
        if self.own == Some(mover.other()) {
            self.think();
        }
    }

    fn undo(&mut self, plies: usize) {
        self.abandon();
        let Some(client_game) = self.served.client_game() else {
            return;
        };
        match client_game.undo(plies) {
            Ok(()) => {}
            Err(fault) => self.out.say(format_args!("Error ({}): undo", fault.words)),
        }
    }

    /// Handles a draw offer: a draw that could be claimed is accepted, any other is not.
    fn hear_offer(&mut self) {
        if let Some(client_game) = self.served.client_game() {
            let claims = client_game.claimable();
            if claims.repetition || claims.progress {
                self.out.say("offer draw");
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let set = match name {
            "Player" => self.host.take(value),
            "Seed" => self.host.set_seed(value),
            _ => Err("there is no such option".into()),
        };
        if let Err(words) = set {
            self.out
                .say(format_args!("Error ({words}): option {}", shown(name)));
        }
    }

    fn think(&mut self) {
        let Some(client_game) = self.served.client_game() else {
            return;
        };
        if let Some(end) = client_game.end() {
            return self.out.say(result(end));
        }
        let bounds = self.clocks.bounds(client_game.line().len() / 2);
        self.live = Arc::new(AtomicBool::new(true));
        let (out, live) = (self.out.clone(), Arc::clone(&self.live));
        let posts = self.posts;
        let listener: Listener = Box::new(move |thought, best| {
            if posts && live.load(Ordering::Acquire) {
                out.say(thinking(&thought, best));
            }
        });
        let limits = MoveLimits::of(bounds, Some(listener));
        let (out, live) = (self.out.clone(), Arc::clone(&self.live));
        let letters = self
            .variant
            .info()
            .cecp
            .is_some_and(|cecp| cecp.castles_in_letters);
        self.served
            .choose(Arc::new(limits), move |client_game, chosen| {
                if live.load(Ordering::Acquire) {
                    play(client_game, chosen, letters, &out);
                }
            });
    }
}

/// Whether a word begins with a letter and a digit, or is a drop.
fn looks_like_a_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    word.contains('@')
        || (bytes.len() >= 4 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit())
}

/// A move as clients write it: with a suffix if promotion is optional, whether it promotes or not; castling as `O-O` if
/// the game is sent that way.
fn given(client_game: &dyn ServeClient, ply: &str, letters: bool) -> String {
    if letters && let Some(wing) = client_game.castling(ply) {
        return wing.letters().into();
    }
    match ply.strip_suffix('+') {
        Some(squares) => format!("{squares}{PROMOTED}"),
        None => match client_game.legal(None) {
            Ok(legal) if legal.contains(&format!("{ply}+")) => format!("{ply}{STAYS}"),
            _ => ply.into(),
        },
    }
}

/// Plays a move, either as we or as clients write it.
fn play_as_ordered(
    client_game: &mut dyn ServeClient,
    text: &str,
) -> Result<Vec<String>, FaultReport> {
    match (client_game.play(&[text]), optional_promotion(text)) {
        (Err(fault), Some(other)) => client_game.play(&[&other]).map_err(|_| fault),
        (played, _) => played,
    }
}

/// Plays the chosen move, and sends it with its consequences.
fn play(client_game: &mut dyn ServeClient, chosen: Option<Chosen>, letters: bool, out: &Out) {
    let Some(Chosen { ply, .. }) = chosen else {
        return;
    };
    let text = given(client_game, &ply, letters);
    // A player chooses legal moves only.
    if client_game.play(&[&ply]).is_ok() {
        out.say(format_args!("move {text}"));
    }
    if let Some(end) = client_game.end() {
        out.say(result(end));
    }
}

/// A result as CECP writes it: `1-0 {checkmate}`.
fn result(End { outcome, cause }: End) -> String {
    format!("{outcome} {{{cause}}}")
}

/// The score of a mate, to which the number of moves is added.
const MATE: i32 = 100_000;

/// A line of thinking output, `4 31 12 900 e2e4`: depth, score, hundredths of a second, nodes, best move.
fn thinking(thought: &Thought, best: &str) -> String {
    let score = thought.score.map_or(0, |score| match moves_to_mate(score) {
        Some(moves) if moves < 0 => moves - MATE,
        Some(moves) => MATE + moves,
        None => score,
    });
    let time = thought.time.map_or(0.0, |time| time * 100.0);
    format!(
        "{} {score} {time:.0} {} {best}",
        thought.depth.unwrap_or(0),
        thought.nodes.unwrap_or(0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_becomes_a_line() {
        let thought = Thought {
            score: Some(-31),
            depth: Some(4),
            nodes: Some(500),
            time: Some(0.25),
        };
        assert_eq!(thinking(&thought, "e2e4"), "4 -31 25 500 e2e4");
        let mate = |score| {
            thinking(
                &Thought {
                    score: Some(score),
                    ..Thought::default()
                },
                "a1a8",
            )
        };
        assert_eq!(
            (mate(999_997), mate(-999_998)),
            ("0 100002 0 0 a1a8".into(), "0 -100001 0 0 a1a8".into())
        );
    }

    #[test]
    fn boards_are_reported_as_their_games_have_them() {
        for (variant, cecp) in games() {
            let Some(setup) = cecp.setup.first() else {
                continue;
            };
            let first = overboard_games::registry::AnyGame::agreed(variant, 1, None, "").unwrap();
            let fen = first.fen();
            let placement = fen.split([' ', '[']).next().unwrap();
            assert!(
                setup.contains(&format!(" {placement} ")),
                "{setup} {placement}"
            );
        }
    }
}
