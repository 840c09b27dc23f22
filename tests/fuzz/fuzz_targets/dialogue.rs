#![no_main]
//! Whatever an engine says, by UCI, CECP or lines of JSON, it is understood, or is a fault with words: from the greeting to the
//! end of a game.

use libfuzzer_sys::fuzz_target;
use overboard_engines::{
    ending::End,
    external::{
        cecp::Cecp,
        process::{Partner, Patience, Silence},
        program::Program,
        speaker::Speaker,
        talk::{GameOfRun, Go, Readying, Start, Talk, TalkError, Wire},
        uci::Uci,
    },
};
use overboard_games::registry::Variant;
use overboard_rules::{
    by_side::BySide,
    outcome::{Cause, Outcome},
    square::Side,
};
use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

const GAMES: [(Variant, bool); 5] = [
    (Variant::Chess, true),
    (Variant::Chess960, true),
    (Variant::Crazyhouse, true),
    (Variant::Over, false),
    (Variant::Olympic, true),
];

static PROGRAMS: LazyLock<[Program; 3]> = LazyLock::new(|| {
    ["uci", "cecp", "lines"].map(|proto| {
        let words = format!("name=A cmd=engine proto={proto} depth=3 option.Hash=16");
        Program::described(&words).expect("an engine")
    })
});

/// An engine that has written all its lines before it is asked.
struct Script<'a> {
    lines: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    line: &'a [u8],
}

impl Partner for Script<'_> {
    fn say(&mut self, lines: &str, _: Patience<'_>) -> Result<Instant, Silence> {
        assert!(lines.is_empty() || lines.ends_with('\n'));
        Ok(Instant::now())
    }

    fn hear(&mut self, _: Patience<'_>) -> Result<Instant, Silence> {
        self.line = self.lines.next().ok_or(Silence::Ended)?;
        Ok(Instant::now())
    }

    fn line(&self) -> &[u8] {
        self.line
    }

    fn forget(&mut self) {}
}

fn play(
    talk: &mut dyn Talk,
    script: &mut Script<'_>,
    readying: &Readying<'_>,
) -> Result<(), TalkError> {
    let until = readying.until;
    talk.greet(&mut Wire::greeting(script, None), readying)?;
    for (kind, _) in talk.announced() {
        assert!(!kind.is_empty());
    }
    let mut wire = Wire::new(script, None);
    for game in 0..2 {
        let start = Start {
            game,
            fen: None,
            yours: Side::White,
        };
        talk.begin(&mut wire, &start, until)?;
        talk.ping(&mut wire, until)?;
        for ply in ["e2e4", "e7e5", "g1f3"] {
            let go = Go {
                side: Side::White,
                clocks: BySide::both(None),
                st: None,
                depth: Some(3),
                nodes: None,
                board: None,
                legal: talk.wants_legal().then(|| vec![ply.to_owned()]),
            };
            let asked = talk.ask(&mut wire, &go, until)?;
            let (_, at) = talk.answer(&mut wire, until)?;
            assert!(at >= asked);
            let _ = talk.thought();
            let _ = talk.rewritten(ply);
            talk.see(ply);
        }
        let end = End {
            outcome: Outcome::Win(Side::White),
            cause: Cause::Checkmate,
        };
        talk.over(&mut wire, end, until);
        if !talk.is_reusable() {
            break;
        }
    }
    Ok(())
}

fuzz_target!(|said: (u8, u8, &[u8])| {
    let (protocol, game, said) = said;
    let protocol = usize::from(protocol) % PROGRAMS.len();
    let (game, is_one_board) = GAMES[usize::from(game) % GAMES.len()];
    let stage = GameOfRun {
        game,
        boards: 1,
        level: 0,
        rules: String::new(),
        is_one_board,
    };
    let readying = Readying {
        program: &PROGRAMS[protocol],
        stage: &stage,
        until: Instant::now() + Duration::from_secs(60),
    };
    let mut talk: Box<dyn Talk> = match protocol {
        0 => Box::<Uci>::default(),
        1 => Box::<Cecp>::default(),
        _ => Box::<Speaker>::default(),
    };
    let mut script = Script {
        lines: Box::new(said.split(|byte| *byte == b'\n')),
        line: b"",
    };
    if let Err(TalkError::Broken(words) | TalkError::Refused(words)) =
        play(&mut *talk, &mut script, &readying)
    {
        assert!(!words.is_empty());
    }
});
