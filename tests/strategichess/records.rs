//! Records of linked boards, from random games and made by hand, as the referee judges them.

use super::{
    linked::{EDITIONS, SIDES, choose, name, plies_on, sparse},
    loud, reported,
};
use crate::{
    chance::Chance,
    depth::tries,
    text::{canonical, judge},
};
use overboard_formats::san::Spelt;
use overboard_games::strategichess::linked::{Edition, FallenFlag, Linked, fen, read, san};
use overboard_referee::{
    finding::{OPEN_PLY, Verdict},
    report::Report,
};
use overboard_rules::{
    by_side::BySide,
    game::Game,
    outcome::{Cause, Outcome},
    ply::{Arrival, Pattern, Written},
    square::{Role, Side, Square},
};
use std::collections::BTreeMap;

/// The number before a ply on a board: `12A.` for White, `12a.` for Black.
fn number(linked: &Linked, board: usize) -> String {
    let letters = match linked.turn(board) {
        Side::White => name(board),
        Side::Black => name(board).to_lowercase(),
    };
    format!("{}{letters}.", linked.fullmove(board))
}

/// A record of these moves from this position.
fn record(
    start: &Linked,
    rules: &str,
    moves: &str,
    score: Option<[u32; 2]>,
    result: &str,
) -> String {
    let list = |what: &str| {
        (0..start.boards())
            .map(|board| format!("{what}{board}"))
            .collect::<Vec<_>>()
            .join(":")
    };
    let names: Vec<_> = (0..start.boards()).map(name).collect();
    let mut tags: Vec<_> = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
    ]
    .map(|(tag, value)| (tag, value.to_string()))
    .into();
    tags.extend([
        ("White", list("White ")),
        ("Black", list("Black ")),
        ("Result", result.into()),
    ]);
    tags.extend([
        ("Boards", names.join(":")),
        ("FEN", fen(start)),
        ("Rules", rules.into()),
    ]);
    tags.extend(score.map(|[white, black]| ("Score", format!("{white}-{black}"))));
    tags.extend([("SetUp", "1".into()), ("Variant", "StrategiChess".into())]);
    let tags: String = tags
        .iter()
        .map(|(tag, value)| format!("[{tag} \"{value}\"]\n"))
        .collect();
    format!(
        "{tags}\n{}{result}\n",
        if moves.is_empty() {
            String::new()
        } else {
            format!("{} ", moves.trim())
        }
    )
}

const fn rules(edition: Edition) -> &'static str {
    match edition {
        Edition::Of2003 => "edition=2003",
        Edition::Of2025 => "edition=2025",
    }
}

/// The report on a record of one game.
fn report(text: &str) -> Report {
    let mut reports = judge(text.as_bytes());
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

/// A game that is played and recorded.
struct Scribe<'a> {
    chance: &'a mut Chance,
    text: String,
    /// The number of plies in the main line, and in variations.
    plies: [u32; 2],
    flag: FallenFlag,
}

impl Scribe<'_> {
    /// Plays a random line of this many plies, with variations; in the main line flags may fall.
    fn line(&mut self, mut position: Linked, length: usize, depth: usize) -> Linked {
        for _ in 0..length {
            let ply = match position.end_by_itself() {
                None => choose(&position, self.chance),
                Some(_) => None,
            };
            let Some(ply) = ply else { break };
            self.text += &format!(
                "{} {} ",
                number(&position, ply.board()),
                san(&position, ply)
            );
            self.plies[usize::from(depth > 0)] += 1;
            let before = position.clone();
            position.play(ply);
            while depth < 3 && self.chance.below(8) == 0 {
                self.text.push('(');
                let length = 1 + self.chance.below(5);
                self.line(before.clone(), length, depth + 1);
                self.text.truncate(self.text.trim_end().len());
                self.text += ") ";
            }
            if depth == 0 && position.end_by_itself().is_none() && self.chance.below(250) == 0 {
                self.flag_falls(&mut position);
            }
        }
        position
    }

    fn flag_falls(&mut self, position: &mut Linked) {
        let (board, side) = (
            self.chance.below(position.boards()),
            SIDES[self.chance.below(2)],
        );
        if position.has_fallen(board, side) {
            return;
        }
        position.fall(board, side, self.flag);
        let letter = if side == Side::White { 'W' } else { 'B' };
        self.text += &format!("{{[%flag {letter}:{}]}} ", name(board));
    }
}

/// The kings that the tag Score counts (SC-36).
fn score(linked: &Linked) -> BySide<u32> {
    let mut kings = linked.kings();
    if let Some(ruling) = linked.end_by_itself()
        && let (Outcome::Win(winner), Cause::Checkmate) = (ruling.outcome, ruling.cause)
    {
        kings[winner.other()] = 0;
    }
    kings
}

#[test]
fn random_games_are_clean() {
    let mut ends: BTreeMap<_, usize> = BTreeMap::new();
    for (index, edition) in
        (0..tries(36)).flat_map(|index| EDITIONS.map(|edition| (index, edition)))
    {
        let mut chance = Chance::seeded(61 + index as u64);
        let start = match index % 3 {
            0 => Linked::first(2 + index % 4, edition),
            _ => {
                read(&sparse(2 + index % 3, &mut chance), edition)
                    .unwrap()
                    .linked
            }
        };
        if start.end_by_itself().is_some() {
            continue;
        }
        let flag = if index % 2 == 0 {
            FallenFlag::King
        } else {
            FallenFlag::End
        };
        let mut scribe = Scribe {
            chance: &mut chance,
            text: String::new(),
            plies: [0, 0],
            flag,
        };
        let last = scribe.line(start.clone(), 120, 0);
        let outcome = last.end_by_itself().map(|ruling| ruling.outcome);
        let rules = format!(
            "{}{}",
            rules(edition),
            if index % 2 == 0 { "" } else { ":flag=end" }
        );
        let result = outcome.map_or("*", Outcome::as_str);
        let text = record(
            &start,
            &rules,
            &scribe.text,
            Some(score(&last).into_array()),
            result,
        );
        let report = report(&text);
        assert_eq!(
            (reported(&report), report.verdict),
            (vec![], Verdict::Clean),
            "{text}"
        );
        assert_eq!(
            (report.result.judged, report.plies),
            (outcome, scribe.plies[0]),
            "{text}"
        );
        let ruled = report.result.rule.map(|rule| rule.id);
        assert_eq!(
            ruled,
            last.end_by_itself().map(|ruling| ruling.rule.id),
            "{text}"
        );
        let written = String::from_utf8(canonical(text.as_bytes())).unwrap();
        let words = |text: &str| {
            text.split_ascii_whitespace()
                .map(String::from)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&written), words(&text));
        *ends.entry(ruled).or_default() += 1;
        // Any other result is wrong, and so is any other count of kings.
        let [white, black] = score(&last).into_array();
        let other = self::report(&record(
            &start,
            &rules,
            &scribe.text,
            Some([white + 1, black]),
            result,
        ));
        assert_eq!(reported(&other), [("score-tag", Some("SC-36"))], "{text}");
        if let Some(outcome) = outcome {
            for wrong in ["1-0", "0-1", "1/2-1/2"]
                .into_iter()
                .filter(|wrong| *wrong != outcome.as_str())
            {
                let report = self::report(&record(&start, &rules, &scribe.text, None, wrong));
                assert_eq!(
                    reported(&report),
                    [("wrong-result", ruled)],
                    "{wrong}: {text}"
                );
            }
        }
    }
    for end in [
        None,
        Some("SC-26"),
        Some("SC-28"),
        Some("SC-35"),
        Some("SC-64"),
    ] {
        assert!(ends.contains_key(&end), "{end:?} in {ends:?}");
    }
}

/// A ply that is illegal on any board: a king moves far away.
fn wrong_ply(linked: &Linked, board: usize, chance: &mut Chance) -> String {
    loop {
        let to = Square::new(chance.below(14) as u8, chance.below(14) as u8);
        let king = linked.king_on(board, linked.turn(board));
        if king.is_none_or(|king| king.distance(to) > 2) {
            let pattern = Pattern {
                role: Role::King,
                file: None,
                rank: None,
                capture: false,
                to,
                promotion: None,
                arrival: Arrival::Here,
            };
            return Spelt(Written::Move(pattern)).to_string();
        }
    }
}

/// A game on four boards, some of which get lost.
struct Losing<'a> {
    position: Linked,
    lost: Vec<usize>,
    text: String,
    /// The boards on which an illegal ply must be found.
    wrong: Vec<String>,
    unjudged_from: Option<String>,
    chance: &'a mut Chance,
}

impl Losing<'_> {
    /// Plays legal plies on the boards that are known; no king is removed by them.
    fn go_on(&mut self, plies: usize) {
        for _ in 0..plies {
            let known = (0..self.position.boards()).filter(|board| !self.lost.contains(board));
            let mut legal: Vec<_> = known
                .flat_map(|board| plies_on(&self.position, board))
                .collect();
            legal.retain(|ply| !self.lost.contains(&ply.arrives_on()));
            let Some(ply) = self.chance.pick(&legal) else {
                return;
            };
            let mut after = self.position.clone();
            after.play(ply);
            if after.kings() == self.position.kings() {
                let number = number(&self.position, ply.board());
                self.text += &format!("{number} {} ", san(&self.position, ply));
                self.position = after;
            }
        }
    }

    fn err(&mut self, board: usize) {
        let ply = wrong_ply(&self.position, board, self.chance);
        let number = number(&self.position, board);
        self.text += &format!("{number} {ply} ");
        if !self.lost.contains(&board) {
            self.lost.push(board);
            self.wrong.push(name(board));
            self.unjudged_from.get_or_insert(number);
        }
    }

    /// On a lost board anything may be written; a piece that crosses from it makes the board where it arrives lost,
    /// too.
    fn cross(&mut self, board: usize, to: usize) {
        assert!(self.lost.contains(&board));
        self.text += &format!("9{}. Nb6/{} ", name(board).to_lowercase(), name(to));
        self.lost.push(to);
    }
}

#[test]
fn a_board_is_lost_and_the_others_are_judged() {
    let mut all = 0;
    for (index, edition) in
        (0..tries(40)).flat_map(|index| EDITIONS.map(|edition| (index, edition)))
    {
        let mut chance = Chance::seeded(71 + index as u64);
        let start = Linked::first(4, edition);
        let mut game = Losing {
            position: start.clone(),
            lost: Vec::new(),
            text: String::new(),
            wrong: Vec::new(),
            unjudged_from: None,
            chance: &mut chance,
        };
        let first = game.chance.below(4);
        let second = (first + 1 + game.chance.below(3)) % 4;
        game.go_on(30);
        game.err(first);
        game.go_on(10);
        // No longer judged.
        game.err(first);
        game.go_on(10);
        match index % 2 {
            0 => game.err(second),
            _ => game.cross(first, second),
        }
        game.go_on(10);
        game.err(second);
        let third = (0..4)
            .find(|board| ![first, second].contains(board))
            .unwrap();
        game.err(third);
        let text = record(&start, rules(edition), &game.text, None, "*");
        let report = report(&text);
        let wrong: Vec<_> = loud(&report)
            .map(|finding| (finding.code.id, finding.path.clone()))
            .collect();
        let right: Vec<_> = game
            .wrong
            .iter()
            .map(|board| ("illegal-move", board.clone()))
            .collect();
        assert_eq!((wrong, report.verdict), (right, Verdict::Illegal), "{text}");
        assert_eq!(report.unjudged_from, game.unjudged_from, "{text}");
        assert_eq!(report.result.judged, None);
        assert!(loud(&report).all(|finding| finding.rule.is_some() && finding.board.is_some()));
        all += game.wrong.len();
    }
    assert_eq!(all, tries(40) * (3 + 2));
}

/// The findings on moves from these boards, under the rules of 2003: codes and boards.
fn judged(fens: &str, moves: &str) -> Vec<(&'static str, String)> {
    let start = read(fens, Edition::Of2003).unwrap().linked;
    let report = report(&record(&start, "edition=2003", moves, None, "*"));
    loud(&report)
        .map(|finding| (finding.code.id, finding.path.clone()))
        .collect()
}

/// A has a king of each team; on B White's king stands on the line of a rook, and the kings are apart.
const TWO: &str = "14/14/10k3/14/14/14/14/14/14/14/14/2K11/14/14 w - 0 1 | 14/14/10k3/14/4r9/14/14/14/14/4K9/7P6/14/14/14 w - 0 1";

#[test]
fn lost_boards_are_judged_under_each_reading() {
    let wrong = ("illegal-move", "A".to_string());
    let open = ("open-ply", String::new());
    // While everything is known, White has two kings, and the one on B may be left attacked (SC-24).
    assert_eq!(judged(TWO, "1B. h5 1b. Rxe5 1A. Kc4"), []);
    // Once A is lost, White's king there may be gone, and then the one on B is White's last (SC-25).
    assert_eq!(judged(TWO, "1A. Kc9 1B. h5"), [wrong.clone(), open.clone()]);
    // The ply was played, so it stands, and the king that it left attacked may be captured.
    assert_eq!(
        judged(TWO, "1A. Kc9 1B. h5 1b. Rxe5 2B. h6"),
        [wrong.clone(), open.clone()]
    );
    // Legal whatever happened on A.
    assert_eq!(
        judged(TWO, "1A. Kc9 1B. Kd5 1b. Re9 2B. h5"),
        std::slice::from_ref(&wrong)
    );
    // Illegal whatever happened on A.
    let lost_too = ("illegal-move", "B".to_string());
    assert_eq!(
        judged(TWO, "1A. Kc9 1B. h7 1b. Kk9"),
        [wrong.clone(), lost_too.clone()]
    );
    // Black's king on B may be captured, and White's left attacked, only if those on A are still there: so they are.
    let taking = TWO.replace("4K9/7P6", "4K5R3/7P6");
    assert_eq!(
        judged(&taking, "1A. Kc9 1B. Rxk12 1b. Rxe5"),
        [wrong.clone(), open.clone()]
    );
    // Kings that cannot have been lost, as they are the last of their teams, allow no second reading.
    let alone = TWO
        .replacen("2K11", "14", 1)
        .replacen("10k3", "14", 1)
        .replace(
            "14/14/14/14/14/14/14/14/14/14 w - 0 1 |",
            "14/14/14/14/14/14/14/14/14/R13 w - 0 1 |",
        );
    assert_eq!(judged(&alone, "1A. Kc9 1B. h5"), [wrong, lost_too]);
    assert_eq!(
        (OPEN_PLY.verdict, OPEN_PLY.id),
        (Verdict::Undetermined, "open-ply")
    );
}

#[test]
fn crossings_to_a_lost_board_are_judged_by_the_known_boards() {
    let wrong = |board: &str| ("illegal-move", board.to_string());
    let open = ("open-ply", String::new());
    let crossing =
        |fens: &str, ply: &str| judged(fens, &format!("1A. Kc9 1B. Kd5 1b. {ply} 2B. Kc5"));
    // On A a piece of the same side stood on n10 when A was known; it may have gone since, and another may have come.
    let guarded = TWO.replacen("14/14/10k3/14/14", "14/14/10k3/14/13p", 1);
    for fens in [TWO, &guarded] {
        assert_eq!(crossing(fens, "Rn10/A"), [wrong("A"), open.clone()]);
        assert_eq!(crossing(fens, "Rxn10/A"), [wrong("A"), open.clone()]);
        // A rook cannot get there, whatever stands on A.
        assert_eq!(crossing(fens, "Rn9/A"), [wrong("A"), wrong("B")]);
    }
    // A pawn of the same side blocks the rook on B.
    let barred = TWO.replace("4r9", "2p1r9");
    assert_eq!(crossing(&barred, "Rn10/A"), [wrong("A"), wrong("B")]);
    // The rook is gone from B, and the turns of both boards do not change.
    let gone = judged(TWO, "1A. Kc9 1B. Kd5 1b. Rn10/A 2B. Kc5 2b. Re9");
    assert_eq!(gone, [wrong("A"), open, wrong("B")]);
    // What happens in a variation was not played.
    assert_eq!(
        judged(TWO, "1A. Kc9 1B. Kd5 1b. Re9 (1b. Rn10/A 2B. Kc5) 2B. Kc5"),
        [wrong("A")]
    );
}

#[test]
fn a_crossing_from_a_lost_board_makes_its_target_lost() {
    let wrong = |board: &str| ("illegal-move", board.to_string());
    let fens = format!("{TWO} | {}", TWO.split(" | ").next().unwrap());
    assert_eq!(
        judged(&fens, "1A. Kc9 1B. h7 1C. Kc9"),
        [wrong("A"), wrong("B"), wrong("C")]
    );
    assert_eq!(
        judged(&fens, "1A. Kc9 1a. Ra3/B 1B. h7 1C. Kc9"),
        [wrong("A"), wrong("C")]
    );
    // From board to board.
    assert_eq!(
        judged(&fens, "1A. Kc9 1a. Ra3/B 1B. Qa3/C 1C. Kc9"),
        [wrong("A")]
    );
    // A word that is not a move makes only its own board lost; a ply without a board makes all boards lost.
    let unread = judged(&fens, "1A. Kc$9 1B. h7 1C. Kc9");
    assert_eq!(
        unread
            .iter()
            .filter(|(code, _)| *code == "illegal-move")
            .count(),
        2,
        "{unread:?}"
    );
    let lacking = judged(&fens, "1. Kc4 1B. h7 1C. Kc9");
    assert_eq!(
        lacking.iter().map(|(code, _)| *code).collect::<Vec<_>>(),
        ["no-board"]
    );
}

#[test]
fn a_variation_begins_before_the_last_ply_of_any_board() {
    // After a ply of the same board; of the other board; of the same board with one of the other in between; and
    // nested.
    for moves in [
        "1A. Kc4 (1A. Kd4 1a. Kk11) 1a. Kk11",
        "1A. Kc4 (1B. h5 1A. Kd3) 1a. Kk11 1B. h5",
        "1A. Kc4 1B. h5 (1B. Kd5 1a. Kk11 (1b. Re9 1a. Kl12) 2A. Kc5) (1a. Kk11) 1b. Re9",
        "1A. Kc4 1B. Kd5 1b. Re9 (1a. Kk11 1b. Re8) (1b. Re5+ 2B. Kxe5) 2B. Kd4",
    ] {
        let found = judged(TWO, moves);
        assert!(
            found.iter().all(|(code, _)| *code == "check-suffix"),
            "{moves}: {found:?}"
        );
    }
    // An illegal ply in a variation does not affect the game.
    let illegal = ("illegal-variation", "A".to_string());
    assert_eq!(
        judged(TWO, "1A. Kc4 (1A. Kc9 1a. Kk3 1B. Kd5) 1a. Kk11 2A. Kc5"),
        [illegal]
    );
    // A variation to a ply that made its board lost is judged.
    let wrong = ("illegal-move", "A".to_string());
    assert_eq!(
        judged(TWO, "1A. Kc9 (1A. Kc4 1a. Kk11 2A. Kd5) 1a. Kk3"),
        [wrong]
    );
}

/// Black's king on B is attacked regardless of who passes on A: a pass does not give check.
#[test]
fn a_pass_has_no_suffix() {
    let fens = "14/14/14/14/14/14/14/14/14/14/14/14/14/13k w - 0 1 | 14/14/10k3/14/10R3/14/14/14/14/14/2K11/14/14/14 w - 0 1";
    let start = read(fens, Edition::Of2025).unwrap().linked;
    let text = record(&start, "edition=2025", "1A. --", None, "*");
    assert_eq!(reported(&report(&text)), []);
    assert!(
        String::from_utf8(canonical(text.as_bytes()))
            .unwrap()
            .contains("\n1A. -- *\n")
    );
    assert_eq!(
        reported(&report(&text.replace("1A. --", "1A. --+"))),
        [("sign-alone", None)]
    );
}

/// The ply from which on a game is not judged, and its findings.
fn followed(moves: &str) -> (Option<String>, Vec<(&'static str, Option<&'static str>)>) {
    let start = Linked::first(2, Edition::Of2003);
    let report = report(&record(&start, "edition=2003", moves, None, "*"));
    (report.unjudged_from.clone(), reported(&report))
}

#[test]
fn a_variation_on_the_ply_before_a_fallen_flag_begins_before_that_ply() {
    assert_eq!(
        followed("1A. e7 {[%flag B:B]} (1A. e7 1a. e8) 1a. e8"),
        (None, vec![])
    );
    // Ed, on board B, has lost the king and passes; Di does not.
    assert_eq!(
        followed("1A. e7 {[%flag B:B]} 1B. e7 1b. -- 1a. e8"),
        (None, vec![])
    );
}

#[test]
fn play_is_judged_from_an_illegal_ply_that_stands() {
    let stands = vec![("illegal-stands", Some("GEN-9"))];
    assert_eq!(
        followed("1A. Nd10 {[%stands b3d10]} 1a. cxd10"),
        (None, stands.clone())
    );
    // To the next board, whose turn does not change.
    assert_eq!(followed("1A. Nc6/B {[%stands n3c6/B]} 1B. e7 2B. Nd8"), {
        let turn = vec![
            ("illegal-stands", Some("GEN-9")),
            ("illegal-move", Some("CH-1")),
        ];
        (Some("1b.".into()), turn)
    });
    // A board that was already lost stays lost.
    assert_eq!(
        followed("1B. Kh9 1A. Nd10 {[%stands b3d10]} 1a. cxd10")
            .0
            .as_deref(),
        Some("1B.")
    );
    assert_eq!(
        followed("1A. Nd9 {[%stands h12h9]}").0.as_deref(),
        Some("1A.")
    );
    assert_eq!(
        followed("1A. e7 {[%stands e4e7]}").1,
        [("bad-command", None)]
    );
}

/// Rules on conduct: SC-37, SC-42, SC-43.
#[test]
fn commands_of_arbiters_are_obeyed_on_linked_boards() {
    let ended = |moves: &str, result: &str| {
        let start = Linked::first(2, Edition::Of2003);
        let report = report(&record(
            &start,
            "edition=2003:illegal=1",
            moves,
            None,
            result,
        ));
        (report.result.judged, report.result.rule.map(|rule| rule.id))
    };
    let heard = "1A. e7 {[%infraction B SC-42 \"Attack!\"]} 1a. e8";
    assert_eq!(
        ended(heard, "1-0"),
        (Some(Outcome::Win(Side::White)), Some("SC-42"))
    );
    assert_eq!(
        ended(heard, "*"),
        (None, None),
        "what was said is looked at when the game is over"
    );
    assert_eq!(
        ended("1A. e7 {[%infraction B SC-40 \"late\"]}", "1-0").0,
        None
    );
    // The number before the attempt gives its board.
    assert_eq!(
        followed("1A. e7 1B. {[%illegal e9]} e7 1a. e8 1b. e8").1,
        []
    );
    let costs = |moves: &str| followed(moves).1;
    assert_eq!(
        costs("1A. e7 1B. {[%illegal e9] [%illegal Kh9]} -- 1a. e8 2A. e8"),
        [("illegal-move", Some("SC-5"))]
    );
    assert_eq!(
        costs("1A. e7 {[%illegal e4] [%illegal e3]} 1a. e8"),
        [("illegal-move", Some("SC-35"))]
    );
    let order = |name: &str| {
        format!("[%order W Team Player \"White 0\" send a Rook to Team Player \"{name}\".]")
    };
    assert_eq!(
        followed(&format!("1A. e7 {{{}}}", order("Zoe"))).1,
        [("order-unfit", Some("SC-40"))]
    );
    assert_eq!(
        followed(&format!(
            "1A. e7 {{[%player W B \"Zoe\"] {}}}",
            order("Zoe")
        ))
        .1,
        []
    );
    let many = order("White 1").replace("a Rook", "5 Rooks");
    assert_eq!(
        followed(&format!("1A. e7 {{{many}}}")).1,
        [("order-unfit", Some("SC-40"))]
    );
}

#[test]
fn unknown_players_need_no_list() {
    let text = "[Event \"?\"]\n[Boards \"A:B\"]\n[Variant \"StrategiChess\"]\n\n1A. a5 1B. b5 *\n";
    let full = String::from_utf8(canonical(text.as_bytes())).unwrap();
    assert!(full.contains("[White \"?\"]"), "{full}");
    assert_eq!(report(&full).verdict, Verdict::Clean);
    let named = full.replace("[White \"?\"]", "[White \"Ann\"]");
    assert_eq!(report(&named).verdict, Verdict::Unreadable);
}
