//! What is legal according to the naive models, in the words of a record.

use crate::{
    depth::tries,
    naive::{
        bughouse::Naive as NaiveBughouse,
        crazyhouse::Naive as NaiveCrazyhouse,
        matryoshka::{self, End},
        mega,
        metachess::Naive as NaiveMeta,
        olympic::Naive as NaiveOlympic,
        strategichess::{
            One,
            linked::{Edition, Flag, Linked},
        },
    },
    overchess::levels::{FIRST, model_options},
    records::{Agreed, NEAR_ENDS, Played},
};
use overboard_games::{
    overchess,
    registry::{AnyGame, Variant},
};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::San};
use std::collections::BTreeSet;

/// The essence of a written ply: the piece, where it arrives, what becomes of it. Origin and check sign are left
/// out.
pub fn gist(written: &str) -> String {
    let own = written
        .rsplit('.')
        .next()
        .unwrap_or(written)
        .trim_end_matches(['+', '#', '!', '?']);
    if own.starts_with("O-O") || own == "--" || own.contains("1/2") {
        return own.into();
    }
    let tail = own.find(['/', '^', '=']).unwrap_or(own.len());
    let (body, tail) = own.split_at(tail);
    let square = body
        .rfind(|c: char| c.is_ascii_lowercase() && c != 'x')
        .unwrap_or(0);
    let role = body
        .chars()
        .next()
        .filter(char::is_ascii_uppercase)
        .unwrap_or('P');
    let drop = if body.contains('@') { "@" } else { "" };
    format!("{role}{drop}{}{tail}", &body[square..])
}

/// The address of an act in coordinates: `A2.`, `B.`, nothing on one board.
pub fn address(word: &str) -> &str {
    word.rfind('.').map_or("", |dot| &word[..=dot])
}

/// What was legal when an act was made.
#[derive(Default)]
pub struct Here {
    /// Everything that is legal on its board, in coordinates.
    acts: Vec<String>,
    /// The gists of the plies among `acts`.
    plies: BTreeSet<String>,
}

impl Here {
    /// Whether a text on this board of a record could stand for a legal act.
    pub fn allows(&self, said: &str) -> bool {
        let is_listed = |begins: &dyn Fn(&str) -> bool| self.acts.iter().any(|act| begins(act));
        let square = |act: &str, file: fn(&u8) -> bool| matches!(act.as_bytes(), [first, rank, b'.', ..] if file(first) && rank.is_ascii_digit());
        match said.strip_prefix('<') {
            None => self.plies.contains(&gist(said)),
            Some(block) if block.starts_with(|c: char| c.is_ascii_uppercase()) => {
                is_listed(&|act| square(act, u8::is_ascii_uppercase))
            }
            Some(block) if block.as_bytes()[1].is_ascii_digit() => {
                is_listed(&|act| square(act, u8::is_ascii_lowercase))
            }
            Some(verb) => is_listed(&|act| act.starts_with(&verb[..7])),
        }
    }

    /// Whether nothing is legal.
    pub fn is_over(&self) -> bool {
        self.acts.is_empty()
    }
}

fn edition(agreed: &Agreed) -> Edition {
    if agreed.rules.contains("edition=2025") {
        Edition::Of2025
    } else {
        Edition::Of2003
    }
}

/// The game of Overchess before an act, in the model.
fn nested(agreed: &Agreed, played: &Played, nth: usize) -> matryoshka::Game {
    let depth = overchess::depth(&agreed.rules);
    let options = model_options(&agreed.rules, u8::try_from(depth).unwrap());
    let mut naive = matryoshka::Game::from_fen(options, &format!("{FIRST} -"));
    played.acts[..nth]
        .iter()
        .for_each(|act| naive.play(&act.word));
    naive
}

fn mega(agreed: &Agreed, fen: &str) -> mega::Naive {
    mega::Naive::parse_under(
        agreed.level.unwrap_or(1).into(),
        agreed.rules.contains("turns=free"),
        fen,
    )
}

/// A position of chess or Chess960 in the model of both, and how the model writes castling.
fn chess(game: &AnyGame) -> (Chess, CastlingMode) {
    let mode = CastlingMode::from_chess960(matches!(game, AnyGame::Chess960(_)));
    (
        game.fen()
            .parse::<Fen>()
            .unwrap()
            .into_position(mode)
            .unwrap(),
        mode,
    )
}

/// What was legal on the board of an act when it was made.
pub fn here(agreed: &Agreed, played: &Played, nth: usize) -> Here {
    let act = &played.acts[nth];
    let (before, fen) = (&act.before, act.before.fen());
    let on = address(&act.word);
    let acts = match before {
        AnyGame::Chess(_) | AnyGame::Chess960(_) => {
            let (position, mode) = chess(before);
            let moves = position.legal_moves();
            let plies = moves
                .iter()
                .map(|m| gist(&San::from_move(&position, *m).to_string()))
                .collect();
            let acts = moves.iter().map(|m| m.to_uci(mode).to_string()).collect();
            return Here { acts, plies };
        }
        AnyGame::Crazyhouse(_) => NaiveCrazyhouse::parse(&fen, false).moves(),
        AnyGame::Crazyhouse960(_) => NaiveCrazyhouse::parse(&fen, true).moves(),
        AnyGame::Olympic(_) => NaiveOlympic::parse(&fen).moves(),
        AnyGame::Meta(_) => NaiveMeta::parse(&fen).moves(),
        AnyGame::Strategi(_) => One::parse(&fen).moves(),
        AnyGame::Bughouse(_) => {
            NaiveBughouse::parse(&fen, &agreed.rules).moves_on(on.strip_suffix('.').unwrap())
        }
        AnyGame::Linked(_) => {
            Linked::parse(&fen, edition(agreed)).moves_on(on.strip_suffix('.').unwrap())
        }
        AnyGame::Mega(_) => mega(agreed, &fen).acts_on(on),
        AnyGame::Over(_) => {
            let acts = nested(agreed, played, nth).plies();
            acts.into_iter()
                .filter(|coord| address(coord) == on)
                .collect()
        }
    };
    // The game says which piece moves; the model says whether it may.
    let is_ply = |own: &str| {
        let second = own.as_bytes().get(1);
        own == "--"
            || own.contains('@')
            || own.contains("1/2")
            || second.is_some_and(u8::is_ascii_digit)
    };
    let plies = acts
        .iter()
        .filter(|coord| is_ply(&coord[address(coord).len()..]))
        .map(|coord| {
            let ply = before
                .by_coordinates(coord)
                .unwrap_or_else(|| panic!("{coord} in {fen}"));
            gist(before.san(ply).as_ref())
        });
    let plies = plies.collect();
    Here { acts, plies }
}

/// How a game ended after its last act, if the position shows that.
pub fn end(agreed: &Agreed, played: &Played) -> Option<&'static str> {
    let fen = played.last.fen();
    let won = |by_white| if by_white { "1-0" } else { "0-1" };
    let by_status = |status: &str, white_is_to_move: bool| match status {
        "mate" => Some(won(!white_is_to_move)),
        "stalemate" | "dead" | "seventyfive" | "moves" => Some("1/2-1/2"),
        _ => None,
    };
    let white = fen.split(' ').nth(1) == Some("w");
    match &played.last {
        AnyGame::Chess(_) | AnyGame::Chess960(_) => {
            let (position, _) = chess(&played.last);
            let drawn = position.is_insufficient_material() || position.halfmoves() >= 150;
            match () {
                () if position.is_checkmate() => Some(won(!white)),
                () if position.is_stalemate() || drawn => Some("1/2-1/2"),
                () => None,
            }
        }
        AnyGame::Crazyhouse(_) => by_status(NaiveCrazyhouse::parse(&fen, false).status(), white),
        AnyGame::Crazyhouse960(_) => by_status(NaiveCrazyhouse::parse(&fen, true).status(), white),
        AnyGame::Olympic(_) => by_status(NaiveOlympic::parse(&fen).status(), white),
        AnyGame::Meta(_) => by_status(NaiveMeta::parse(&fen).status(), white),
        AnyGame::Strategi(_) => by_status(One::parse(&fen).status(), white),
        AnyGame::Bughouse(_) => {
            let naive = NaiveBughouse::parse(&fen, &agreed.rules);
            naive.end().map(|(_, result)| result)
        }
        AnyGame::Linked(_) => match Linked::parse(&fen, edition(agreed)).status().1 {
            "w" => Some("1-0"),
            "b" => Some("0-1"),
            "draw" => Some("1/2-1/2"),
            _ => None,
        },
        AnyGame::Mega(_) => match mega(agreed, &fen).status() {
            // A player whose mega-King has no way out has lost (MG-12).
            "mate" | "stalemate" => Some(won(!white)),
            status => by_status(status, white),
        },
        AnyGame::Over(_) => nested(agreed, played, played.acts.len()).end.map(result),
    }
}

const fn result(end: End) -> &'static str {
    match end {
        End::White => "1-0",
        End::Black => "0-1",
        End::Draw => "1/2-1/2",
    }
}

/// How a sub-game ended by an act made in it; `None` if it went on, or ended otherwise.
pub fn closing(agreed: &Agreed, played: &Played, nth: usize) -> Option<&'static str> {
    nested(agreed, played, nth)
        .closing(&played.acts[nth].word)
        .map(result)
}

/// The acts of linked boards, from this one on, that become illegal when a flag falls before it: at most one on each
/// board, where play stops then. If the flag ends the game, the next act alone.
pub fn after_a_flag(
    agreed: &Agreed,
    played: &Played,
    nth: usize,
    side: char,
    board: &str,
) -> Vec<usize> {
    let flag = if agreed.rules.contains("flag=end") {
        Flag::End
    } else {
        Flag::King
    };
    let fen = played.acts[nth].before.fen();
    let mut naive = Linked::parse(&fen, edition(agreed)).fall(side, board, flag);
    let (mut refused, mut stopped) = (Vec::new(), Vec::new());
    for (at, act) in played.acts.iter().enumerate().skip(nth) {
        let on = address(&act.word).strip_suffix('.').unwrap();
        if naive.status().0 != "ongoing" {
            refused.extend(Some(at).filter(|_| refused.is_empty()));
            break;
        }
        if stopped.contains(&on) {
            continue;
        }
        if naive.moves_on(on).contains(&act.word) {
            naive = naive.play(&act.word);
        } else {
            refused.push(at);
            stopped.push(on);
        }
    }
    refused
}

/// Games, levels, options and numbers of boards, each with the number of plies to play.
pub fn agreements() -> Vec<(Agreed, usize)> {
    let mut all: Vec<_> = [
        Variant::Chess,
        Variant::Olympic,
        Variant::Meta,
        Variant::Strategi,
        Variant::Chess960,
    ]
    .into_iter()
    .map(|game| (Agreed::on(game, 1, None, ""), 120))
    .collect();
    // Set-ups and positions in which castling is soon possible.
    for fen in [
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
        "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1",
        "1rkr3r/ppppppp1/8/8/8/8/PPPPPPP1/1RKR3R w DBdb - 0 1",
    ] {
        all.push((Agreed::on(Variant::Chess960, 1, None, "").from(fen), 120));
    }
    // The naive model of linked boards is slow: a usual run has one combination of options for each number of
    // boards.
    let mixes = ["edition=2025", "", "flag=end", "edition=2025:flag=end"];
    for boards in 2..=8 {
        for (nth, rules) in mixes.into_iter().enumerate() {
            if tries(1) > 1 || nth == boards % mixes.len() {
                all.push((
                    Agreed::on(Variant::Strategi, boards as u16, None, rules),
                    40 + 15 * boards,
                ));
            }
        }
    }
    for rules in crate::overchess::levels::all_rules() {
        all.push((Agreed::on(Variant::Over, 1, None, &rules), 90));
    }
    for rules in [
        "depth=2",
        "depth=2:fog:prisoners:consolidation:subdraw=defender:reserves=team/2P1N/3P",
        "depth=3:prisoners",
        "depth=4:consolidation",
        "depth=6:fog:prisoners",
    ] {
        all.push((Agreed::on(Variant::Over, 1, None, rules), 160));
    }
    for rules in ["", "turns=free"] {
        for level in 1..=3 {
            all.push((Agreed::on(Variant::Mega, 1, Some(level), rules), 40));
        }
        if tries(1) > 1 {
            all.push((Agreed::on(Variant::Mega, 1, Some(4), rules), 8));
        }
        all.push((
            Agreed::on(Variant::Mega, 1, Some(1), rules).from(NEAR_ENDS),
            60,
        ));
    }
    for game in [Variant::Crazyhouse, Variant::Crazyhouse960] {
        all.push((Agreed::on(game, 1, None, ""), 120));
    }
    all.push((Agreed::on(Variant::Crazyhouse, 1, None, "flag=always"), 60));
    for rules in ["", "mate=pocket", "drop=no-check:pawndrop=2-6"] {
        all.push((Agreed::on(Variant::Bughouse, 1, None, rules), 120));
    }
    all
}
