//! MetaChess #4, compared with the naive model and with counts made by hand.

use crate::{
    chance::Chance,
    depth::tries,
    flat::{self, at, listed},
    naive::metachess::Naive,
    text,
};
use overboard_formats::san::{META, San, Spelt, Suffix};
use overboard_games::{
    metachess::{Meta, Move},
    one_board::notation::BoardNotation,
};
use overboard_referee::{game::position::PositionError, report::Report};
use overboard_rules::{
    game::Claimable,
    outcome::{Cause, Outcome},
    ply::{Arrival, Pattern, Wing, Written},
    position::{DrawLaw, Found, Movegen},
    refusal::{Reason, Refusal},
    repetition::History,
    square::{Piece, Role, Side, Square},
};
use std::collections::{BTreeSet, HashMap};

/// The initial position of orthodox chess.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The positions of the file: each FEN with its node counts from depth 1 on, up to 3.
const POSITIONS: &str = include_str!("naive/positions/metachess.txt");

fn positions() -> impl Iterator<Item = (&'static str, Vec<u64>)> {
    flat::positions(POSITIONS)
}

/// Starting positions of games: the array in turn with the next position of the file that has a legal move.
fn starts() -> impl Iterator<Item = &'static str> {
    let playable: Vec<_> = positions()
        .filter(|(_, counts)| counts[0] > 0)
        .flat_map(|(fen, _)| [ARRAY, fen])
        .collect();
    playable.into_iter().cycle()
}

fn ours(fen: &str) -> Meta {
    Meta::read(fen)
        .unwrap_or_else(|fault| panic!("{fen}: {fault}"))
        .position
}

#[test]
fn lines_are_counted_as_the_naive_model_counts_them() {
    let all = flat::are_counted_alike::<Meta>(POSITIONS);
    assert!(all > 60, "{all}");
}

/// The status of a position, in the vocabulary of the naive model.
fn status(position: &Meta) -> &'static str {
    let ending = position
        .end_by_itself()
        .map(|ruling| (ruling.cause, ruling.outcome, ruling.rule.id));
    match (ending, position.in_check()) {
        (Some((Cause::Checkmate, Outcome::Win(winner), "MC-13")), true)
            if winner != position.turn() =>
        {
            "mate"
        }
        (Some((Cause::Stalemate, Outcome::Draw, "MC-13")), false) => "stalemate",
        (Some((Cause::DeadPosition, Outcome::Draw, "MC-13")), _) => "dead",
        (Some((Cause::SeventyFiveMoves, Outcome::Draw, "MC-13")), _) => "seventyfive",
        (None, true) => "check",
        (None, false) => "ongoing",
        (other, check) => panic!("{other:?} and check {check} in {}", position.fen()),
    }
}

const GAMES: usize = 28;
const LONGEST: usize = 80;

#[test]
fn random_games_are_played_alike() {
    let mut chance = Chance::seeded(41);
    let mut ends: HashMap<_, u32> = HashMap::new();
    let (mut seen, mut stacked) = (0, 0);
    for start in starts().take(tries(GAMES)) {
        let (mut ours, mut theirs) = (ours(start), Naive::parse(start));
        for ply in 0..=LONGEST {
            let moves = theirs.moves();
            flat::are_listed_alike(&ours, &moves);
            assert_eq!(ours.fen(), theirs.fen());
            assert_eq!(ours.in_check(), theirs.in_check(), "{}", theirs.fen());
            let status = status(&ours);
            assert_eq!(status, theirs.status(), "{}", theirs.fen());
            seen += 1;
            stacked += usize::from(theirs.stacks() >= 3);
            if moves.is_empty() || ply == LONGEST {
                *ends.entry(status).or_default() += 1;
                break;
            }
            // Half of the moves go up, so that stacks form and dissolve.
            let up: Vec<_> = moves.iter().filter(|text| text.ends_with('^')).collect();
            let chosen = match chance.pick(&up) {
                Some(up) if chance.below(3) == 0 => up,
                _ => &moves[chance.below(moves.len())],
            };
            let written = if chance.below(30) == 0 {
                &moves[..]
            } else {
                std::slice::from_ref(chosen)
            };
            flat::are_written_alike(&ours, written, |coordinates| theirs.san(coordinates));
            ours.play(at(&ours, chosen));
            theirs = theirs.play(chosen);
        }
    }
    assert!(seen > 1_500 && stacked > 800, "{stacked} of {seen}");
    assert!(
        ["mate", "check", "ongoing"]
            .iter()
            .all(|end| ends.contains_key(end)),
        "{ends:?}"
    );
}

/// A legal move, with the coordinates and the FEN of the naive model.
struct NaiveMove {
    coordinates: String,
    from: Square,
    to: Square,
    role: Role,
    captures: bool,
    promotion: Option<Role>,
    arrival: Arrival,
    castles: bool,
}

/// The contents of a FEN: the pieces on both levels, from `a1` on, and the side to move.
struct Scene {
    stacks: Vec<[Option<Piece>; 2]>,
    mover: Side,
    crossed: Option<Square>,
}

impl Scene {
    fn of(fen: &str) -> Self {
        let fields: Vec<_> = fen.split(' ').collect();
        let mover = if fields[1] == "w" {
            Side::White
        } else {
            Side::Black
        };
        let crossed = (fields[3] != "-").then(|| square(fields[3]));
        Self {
            stacks: fields[0]
                .split('/')
                .rev()
                .flat_map(stacks_of_rank)
                .collect(),
            mover,
            crossed,
        }
    }

    fn on(&self, square: Square) -> [Option<Piece>; 2] {
        self.stacks[usize::from(square.rank * 8 + square.file)]
    }

    fn act(&self, coordinates: &str) -> NaiveMove {
        let (plain, arrival) = match coordinates.strip_suffix('^') {
            Some(plain) => (plain, Arrival::Above),
            None => (coordinates, Arrival::Here),
        };
        let (from, to) = (square(&plain[..2]), square(&plain[2..4]));
        let promotion = plain[4..]
            .bytes()
            .next()
            .and_then(|b| Role::from_letter(b.to_ascii_uppercase()));
        let [below, above] = self.on(from);
        let role = above.or(below).unwrap().role;
        let taken = self.on(to)[usize::from(arrival == Arrival::Above)];
        let captures = taken.is_some()
            || (role == Role::Pawn && self.crossed == Some(to) && from.file != to.file);
        let castles = role == Role::King && from.file.abs_diff(to.file) == 2;
        NaiveMove {
            coordinates: coordinates.into(),
            from,
            to,
            role,
            captures,
            promotion,
            arrival,
            castles,
        }
    }
}

fn stacks_of_rank(rank: &str) -> Vec<[Option<Piece>; 2]> {
    let mut stacks = Vec::new();
    let mut letters = rank.bytes();
    while let Some(letter) = letters.next() {
        match letter {
            b'1'..=b'8' => stacks.extend((b'0'..letter).map(|_| [None; 2])),
            b'(' => {
                stacks.push([(); 2].map(|()| letters.next().and_then(Piece::from_letter)));
                assert_eq!(letters.next(), Some(b')'));
            }
            letter => stacks.push([Piece::from_letter(letter), None]),
        }
    }
    stacks
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else {
        panic!("{name} is not a square")
    };
    Square::new(file - b'a', rank - b'1')
}

fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(|index| Square::new(index % 8, index / 8))
}

/// Ways to write a move of a kind of piece to a square: without its origin, with a file or a rank, and some with both.
fn patterns(role: Role, to: Square, chance: &mut Chance) -> Vec<Pattern> {
    let files = (0..8).map(|file| (Some(file), None));
    let ranks = (0..8).map(|rank| (None, Some(rank)));
    let whole = (0..6).map(|_| (Some(chance.below(8) as u8), Some(chance.below(8) as u8)));
    let origins: Vec<_> = std::iter::once((None, None))
        .chain(files)
        .chain(ranks)
        .chain(whole)
        .collect();
    let promotions = [None, Some(Role::Queen), Some(Role::King)];
    let promotions = if role == Role::Pawn {
        &promotions[..]
    } else {
        &promotions[..1]
    };
    let mut all = Vec::new();
    for (file, rank) in origins {
        for arrival in [Arrival::Here, Arrival::Above] {
            for capture in [false, true] {
                all.extend(promotions.iter().map(|promotion| Pattern {
                    role,
                    file,
                    rank,
                    capture,
                    to,
                    promotion: *promotion,
                    arrival,
                }));
            }
        }
    }
    all
}

/// Whether a written move, read as leniently as on a score-sheet, can mean this one: the capture mark of a piece is
/// ignored, and a pawn that changes its file captures.
fn means(pattern: &Pattern, act: &NaiveMove) -> bool {
    let takes = pattern.capture || pattern.file.is_some_and(|file| file != pattern.to.file);
    !act.castles
        && (act.role, act.to, act.promotion) == (pattern.role, pattern.to, pattern.promotion)
        && act.arrival == pattern.arrival
        && pattern.may_start_on(act.from)
        && (act.role != Role::Pawn || takes == act.captures)
}

/// Visits random positions, and every position in the file.
fn for_each_scattered(count: usize, chance: &mut Chance, mut visit: impl FnMut(&Meta, &Naive)) {
    for (fen, _) in positions() {
        visit(&ours(fen), &Naive::parse(fen));
    }
    for start in starts().take(count) {
        let mut position = ours(start);
        for _ in 0..4 + chance.below(60) {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            position.play(m);
        }
        visit(&position, &Naive::parse(&position.fen()));
    }
}

/// The squares that a reason refers to, if any.
fn blamed(reason: &Reason) -> Option<Vec<Square>> {
    Some(match reason {
        Reason::Blocked(pairs) => pairs.iter().flat_map(|(from, by)| [*from, *by]).collect(),
        Reason::Pinned(_, by) | Reason::StaysInCheck(by) | Reason::IntoCheck(by) => by.clone(),
        Reason::OutOfReach(from) | Reason::Ambiguous(from) => from.clone(),
        Reason::PawnBlocked(on) | Reason::CastlingBlocked(on) => vec![*on],
        Reason::Riding(riding) => return riding.square().map(|on| vec![on]),
        _ => return None,
    })
}

/// A position in which many ways to write moves are judged.
struct JudgedPosition<'a> {
    position: &'a Meta,
    fen: String,
    scene: Scene,
    /// Whether the game is over.
    over: bool,
}

impl JudgedPosition<'_> {
    /// The pattern is found and means exactly the given moves, or it is refused; returns the rule of the refusal.
    fn judge(&self, written: &Written, meant: &[&NaiveMove]) -> Option<&'static str> {
        let coordinates: Vec<_> = meant.iter().map(|act| &*act.coordinates).collect();
        let refusal = flat::refusal(self.position, written, &coordinates)?;
        self.has_a_reason(&refusal, written, meant.len());
        Some(refusal.rule().id)
    }

    fn has_a_reason(&self, refusal: &Refusal, written: &Written, meant: usize) {
        let at = || format!("{written:?} in {}: {refusal}", self.fen);
        if let Some(expected) = self.rule_at_a_glance(written, meant) {
            assert_eq!(refusal.rule().id, expected, "{}", at());
        }
        if let Some(squares) = blamed(refusal.reason()) {
            assert!(!squares.is_empty(), "{}", at());
            assert!(
                squares.iter().all(|on| self.scene.on(*on)[0].is_some()),
                "{}",
                at()
            );
        }
        assert!(
            self.over || matches!(refusal.reason(), Reason::Ambiguous(_)) == (meant > 1),
            "{}",
            at()
        );
    }

    /// The rule that a refusal must cite, where the position alone determines it.
    fn rule_at_a_glance(&self, written: &Written, meant: usize) -> Option<&'static str> {
        if self.over {
            return Some("GEN-2");
        }
        let Written::Move(pattern) = written else {
            return Some(if matches!(written, Written::Castle(_)) {
                "MC-11"
            } else {
                "CH-1"
            });
        };
        let is_own =
            |piece: Option<Piece>| piece.is_some_and(|piece| piece.side == self.scene.mover);
        let is_king = |piece: Option<Piece>| piece.is_some_and(|piece| piece.role == Role::King);
        let [below, above] = self.scene.on(pattern.to);
        match pattern.arrival {
            _ if meant > 1 => Some("CH-20"),
            Arrival::Above if pattern.role == Role::Pawn => Some("MC-2"),
            Arrival::Above if below.is_none() => Some("MC-1"),
            Arrival::Above if is_king(below) || is_own(above) => Some("MC-9"),
            Arrival::Above => is_king(above).then_some("CH-3"),
            _ if is_own(below) && above.is_some() && !is_own(above) && pattern.capture => {
                Some("MC-7")
            }
            _ if is_own(below) => Some(match flat::rule_of_own_piece(self.position, pattern) {
                "CH-2" => "MC-9",
                out_of_turn => out_of_turn,
            }),
            _ => is_king(below).then_some("CH-3"),
        }
    }
}

#[test]
fn a_written_move_is_either_listed_or_refused_by_a_rule() {
    let mut cited = BTreeSet::new();
    let mut chance = Chance::seeded(42);
    let mut hints = Chance::seeded(43);
    for_each_scattered(tries(24), &mut chance, |position, naive| {
        let fen = naive.fen();
        let scene = Scene::of(&fen);
        let legal: Vec<_> = naive
            .moves()
            .iter()
            .map(|coordinates| scene.act(coordinates))
            .collect();
        let judged = JudgedPosition {
            position,
            fen,
            scene,
            over: position.end_by_itself().is_some(),
        };
        let roles = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
            Role::Gold,
        ];
        for (role, to) in roles
            .into_iter()
            .flat_map(|role| squares().map(move |to| (role, to)))
        {
            // If no legal move is similar, half of them are enough.
            let near: Vec<_> = legal
                .iter()
                .filter(|act| (act.role, act.to) == (role, to))
                .collect();
            if near.is_empty() && hints.below(2) == 0 {
                continue;
            }
            for pattern in patterns(role, to, &mut hints) {
                let meant: Vec<_> = near
                    .iter()
                    .copied()
                    .filter(|act| means(&pattern, act))
                    .collect();
                cited.extend(judged.judge(&Written::Move(pattern), &meant));
            }
        }
        for (wing, file) in [(Wing::KingSide, 6), (Wing::QueenSide, 2)] {
            let meant: Vec<_> = legal
                .iter()
                .filter(|act| act.castles && act.to.file == file)
                .collect();
            cited.extend(judged.judge(&Written::Castle(wing), &meant));
        }
        for other in [
            Written::Pass,
            Written::Drop {
                role: Role::Pawn,
                to: Square::new(4, 4),
            },
        ] {
            cited.extend(judged.judge(&other, &[]));
        }
    });
    let ours = [
        "MC-1", "MC-2", "MC-3", "MC-4", "MC-6", "MC-7", "MC-8", "MC-9", "MC-10", "MC-11", "MC-12",
        "MC-15",
    ];
    let chess = [
        "CH-1", "CH-3", "CH-4", "CH-5", "CH-6", "CH-8", "CH-9", "CH-10", "CH-13", "CH-20", "GEN-2",
    ];
    let all: BTreeSet<_> = ours.into_iter().chain(chess).collect();
    assert_eq!(cited, all);
}

const PLIES: usize = 20_000;

/// Asserts that a move is found from its text and from its coordinates.
fn is_found_again(position: &Meta, m: Move, after: &Meta) {
    let text = position.san(m);
    let in_position = || format!("{text} in {}", position.fen());
    let san = San::parse(text.as_bytes(), &META).unwrap();
    assert_eq!(
        (san.suffix, san.leniency),
        (after.suffix(), None),
        "{}",
        in_position()
    );
    assert_eq!(
        position.find(&san.written),
        Found::One(m),
        "{}",
        in_position()
    );
    assert_eq!(
        Spelt(san.written).to_string(),
        text.trim_end_matches(['+', '#']),
        "{}",
        in_position()
    );
    let coordinates = position.coordinates(m);
    for spelling in [coordinates.to_string(), coordinates.to_uppercase()] {
        assert_eq!(
            position.at(&spelling),
            Some(m),
            "{spelling} in {}",
            position.fen()
        );
    }
}

#[test]
fn a_ply_and_a_position_are_written_and_read_alike() {
    let mut chance = Chance::seeded(44);
    let mut starts = starts();
    let mut plies = 0;
    while plies < tries(PLIES) {
        let mut position = ours(starts.next().unwrap());
        for _ in 0..LONGEST {
            let Some(m) = chance.pick(&listed(&position)) else {
                break;
            };
            let after = position.after(m);
            is_found_again(&position, m, &after);
            let fen = after.fen();
            let read = Meta::read(&fen).unwrap();
            assert!(!read.lenient, "{fen}");
            let read = read.position;
            assert_eq!(read.fen(), fen);
            assert_eq!(read.repetition_key(), after.repetition_key(), "{fen}");
            assert!(read.snapshot() == after.snapshot(), "{fen}");
            position = after;
            plies += 1;
        }
    }
}

/// What repetition compares: both levels, side to move, castling rights, legal en passant.
fn compared(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Random walks that often go back, so that positions recur.
#[test]
fn repetition_is_counted_as_a_naive_count_does() {
    let mut chance = Chance::seeded(45);
    let mut fivefold = 0;
    for start in starts().take(tries(60)) {
        let mut position = ours(start);
        let mut history = History::default();
        history.start(position.repetition_key(), position.snapshot());
        let mut seen = HashMap::from([(compared(&position.fen()), 1)]);
        let mut last = [None::<Move>; 2];
        for _ in 0..200 {
            let moves = listed(&position);
            let side = position.turn() as usize;
            let undo = moves
                .iter()
                .copied()
                .find(|m| last[side].is_some_and(|l| m.from() == l.to() && l.from() == m.to()));
            let Some(m) = undo
                .filter(|_| chance.below(10) < 8)
                .or_else(|| chance.pick(&moves))
            else {
                break;
            };
            let irreversible = position.is_irreversible(m);
            last[side] = Some(m);
            position.play(m);
            let times = seen.entry(compared(&position.fen())).or_insert(0);
            *times += 1;
            let recurrence =
                history.reach(position.repetition_key(), position.snapshot(), irreversible);
            assert_eq!(recurrence.now, *times, "{} from {start}", position.fen());
            assert_eq!(
                position.claimable(*times),
                Claimable {
                    repetition: *times >= 3,
                    progress: position.halfmove() >= 100
                }
            );
            let ended = position.end_by_record(*times, history.since(recurrence));
            let naive = Naive::parse(&position.fen()).status();
            let over = match naive {
                "seventyfive" | "dead" => true,
                "mate" | "stalemate" => *times >= 5 || position.halfmove() >= 150,
                _ => *times >= 5,
            };
            assert_eq!(ended.is_some(), over, "{naive} {}", position.fen());
            fivefold += usize::from(ended.is_some_and(|ruling| ruling.cause == Cause::Fivefold));
        }
    }
    assert!(fivefold > 20, "{fivefold}");
}

/// Characters that occur in FENs, and some that do not.
const SIGNS: &str = "PNBRQKpnbrqk(())//12345678 -wbKQkqe3d6097GSé\0";

/// A FEN with some of its characters replaced, swapped, removed or inserted.
fn mutated(fen: &str, chance: &mut Chance) -> String {
    let signs: Vec<char> = SIGNS.chars().collect();
    let mut text: Vec<char> = fen.chars().collect();
    for _ in 0..=chance.below(3) {
        let letters: Vec<_> = (0..text.len())
            .filter(|at| text[*at].is_ascii_alphabetic())
            .collect();
        let (at, sign) = (chance.below(text.len()), signs[chance.below(signs.len())]);
        match chance.below(16) {
            0 => text[at] = sign,
            1 => drop(text.remove(at)),
            2 => text.insert(at, sign),
            3 => text.swap(at, chance.below(at + 1)),
            4..8 => text[chance.pick(&letters).unwrap_or(at)] = sign,
            _ => text.swap(
                chance.pick(&letters).unwrap_or(at),
                chance.pick(&letters).unwrap_or(at),
            ),
        }
    }
    text.into_iter().collect()
}

#[test]
fn any_text_is_a_position_or_none() {
    let mut chance = Chance::seeded(46);
    let bases: Vec<_> = positions().map(|(fen, _)| fen).collect();
    let mut kinds = [0; 3];
    for _ in 0..tries(4_000) {
        let base = chance.below(bases.len());
        let text = mutated(bases[base], &mut chance);
        match flat::read::<Meta>(&text) {
            Ok((position, _)) => {
                let fen = position.fen();
                assert_eq!(
                    Meta::read(&fen).map(|read| (read.position.fen(), read.lenient)),
                    Ok((fen.clone(), false)),
                    "{text:?}"
                );
                // The naive model cannot read FENs of impossible positions.
                assert_eq!(
                    Naive::parse(&fen).moves().len() as u64,
                    position.count_legal(),
                    "{text:?}"
                );
                kinds[0] += 1;
            }
            Err(PositionError::Text(fault)) => {
                assert!(
                    text.get(fault.bytes.clone()).is_some(),
                    "{text:?}: {fault:?}"
                );
                assert!(!fault.to_string().is_empty());
                kinds[1] += 1;
            }
            Err(PositionError::Impossible(reasons)) => {
                assert!(!reasons.is_empty(), "{text:?}");
                kinds[2] += 1;
            }
            Err(PositionError::Boards(_) | PositionError::Nested(..)) => {
                panic!("one board, {text:?}")
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 500), "{kinds:?}");
}

/// After an illegal move to either level that both players let stand, play continues from there.
#[test]
fn play_continues_from_the_level_of_an_illegal_move_that_stands() {
    let record = |moves: &str| {
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"MetaChess #4\"]\n\n{moves} *\n"
        )
    };
    let codes = |report: &Report| {
        report
            .findings
            .iter()
            .map(|finding| finding.code.id)
            .collect::<Vec<_>>()
    };
    let reports = text::judge(
        record("1. Nf3 d5 2. Nd5^ {[%stands f3d5^]} 2... Qxd5^ 3. Nc3 Nc6 4. Nxd5").as_bytes(),
    );
    assert_eq!(codes(&reports[0]), ["illegal-stands"]);
    let reports =
        text::judge(record("1. Nf3 d5 2. Nd5^ {[%stands f3d5^]} 2... Nc6 3. Ne7").as_bytes());
    assert_eq!(codes(&reports[0]), ["illegal-stands", "illegal-move"]);
    let reports = text::judge(record("1. Nf3 d5 2. Nd5^ {[%stands f3e5^]}").as_bytes());
    assert!(
        codes(&reports[0]).contains(&"bad-command"),
        "{:?}",
        codes(&reports[0])
    );
    assert_eq!(Meta::default().suffix(), Suffix::None);
}

/// The annotated game shows what it should: an annexation, a liberation, a promotion under a rider, and mate.
#[test]
fn the_annotated_game_shows_what_it_should() {
    let game = include_str!("../examples/metachess.npgn");
    assert_eq!(
        String::from_utf8(text::canonical(game.as_bytes())).unwrap(),
        game
    );
    let report = text::judge(game.as_bytes()).remove(0);
    assert_eq!(
        (report.findings.len(), report.result.judged),
        (0, Some(Outcome::Win(Side::White)))
    );
    let mut position = Naive::parse(ARRAY);
    let mut seen = Vec::new();
    for word in "Nd2^ e5 Ngf3 e4 Ne4^ Nf6 h4 Nxe4^ d3 Nc5 dxe4 Nxe4 Qd4 d5 b3 Kf8^ Ba3 Be6 h5 c6 h6 Rg8 hxg7 Nd7 gxf8=Q+"
        .split(' ')
    {
        assert!(game.contains(word), "{word}");
        let coordinates = position.moves().into_iter().find(|c| position.san(c) == word).unwrap();
        position = position.play(&coordinates);
        seen.push(position.fen().split(' ').next().unwrap().to_string());
    }
    assert!(seen[4].contains("(pN)"), "annexed: {}", seen[4]);
    assert!(
        seen[6].contains("(pN)") && seen[7].contains("(pn)"),
        "liberated: {}",
        seen[7]
    );
    assert!(
        seen.last().unwrap().contains("(Qk)"),
        "promoted under a rider"
    );
}
