use super::rows;
use overboard_naive::overchess::{Naive, Options, Sub, setups};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - - -";

fn game(options: &str, fen: &str) -> Naive {
    Naive::parse(Options::parse(options), fen)
}

/// The position after these plies.
fn after(options: &str, fen: &str, plies: &[&str]) -> Naive {
    plies
        .iter()
        .fold(game(options, fen), |game, ply| game.play(ply))
}

/// Where the over-piece on a square can go.
fn from(game: &Naive, square: &str) -> String {
    let moves = game.moves();
    moves
        .iter()
        .filter_map(|coord| coord.strip_prefix(square))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The moves that begin with this word.
fn sort(game: &Naive, word: &str) -> Vec<String> {
    game.moves()
        .into_iter()
        .filter(|coord| coord.split(' ').next() == Some(word))
        .collect()
}

/// 20, 400 and 8,902 as in chess; an attack between complete sub-sets continues with the 20 first moves of a sub-game.
#[test]
fn counts_from_the_array() {
    let start = game("-", START);
    assert_eq!(start.fen(), START);
    assert_eq!(
        (0..4).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 20, 400, 8_902]
    );
    assert_eq!(
        after("-", START, &["e2e4", "d7d5", "e4d5"]).moves().len(),
        20
    );
}

#[test]
fn counts_of_the_positions() {
    for fields in rows(include_str!("../positions/overchess.txt")) {
        let game = game(fields[0], fields[1]);
        assert_eq!(game.fen(), fields[1]);
        for (depth, count) in (1..).zip(&fields[2..]) {
            assert_eq!(
                game.perft(depth).to_string(),
                *count,
                "depth {depth}: {fields:?}"
            );
        }
    }
}

#[test]
fn set_ups() {
    assert_eq!(setups([8, 2, 2, 2, 1]), ["PPPPPPPP/RNBQKBNR"]);
    assert_eq!(setups([0; 5]), ["8/4K3"]);
    assert_eq!(setups([7, 2, 2, 2, 1]).len(), 8);
    assert_eq!(setups([5, 1, 2, 1, 0]).len(), 56 * 2 * 2);
    assert_eq!(setups([0, 1, 0, 0, 1]), ["8/R2QK3", "8/3QK2R"]);
    // With one set-up each the sub-game begins at once; otherwise the attacker sets up, then the defender.
    let short = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 e4=1R,d5=7P - -";
    let attack = after("-", short, &["e4d5"]);
    assert_eq!(attack.moves(), ["d5.setup 8/4K2R", "d5.setup 8/R3K3"]);
    assert_eq!(
        attack.fen(),
        "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1 d5=1R e4xd5:p7P - {d5: setup w}"
    );
    let set = attack.play("d5.setup 8/4K2R");
    assert_eq!(set.moves().len(), 8);
    assert!(set.fen().ends_with(" {d5: setup b 8/4K2R}"));
    let both = set.play("d5.setup 1PPPPPPP/4K3");
    assert!(
        both.fen()
            .ends_with(" {d5: 4k3/1ppppppp/8/8/8/8/8/4K2R w K - 0 1}"),
        "{}",
        both.fen()
    );
    assert!(both.moves().contains(&"d5.e1g1".into()));
}

/// Plays the attack e4xd5 between complete pawns, decided before the first move of the sub-game.
fn decided(options: &str, sub: Sub) -> String {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 3 - - -";
    after(options, fen, &["e4d5"]).resolve(sub).fen()
}

#[test]
fn who_holds_the_square() {
    assert_eq!(
        decided("-", Sub::Won),
        "4k3/8/8/3P4/8/8/8/4K3 b - - 0 3 - - -"
    );
    assert_eq!(
        decided("-", Sub::Lost),
        "4k3/8/8/3p4/8/8/8/4K3 b - - 0 3 - - -"
    );
    // In a drawn attack that took nothing the count goes on.
    assert_eq!(
        decided("-", Sub::Drawn),
        "4k3/8/8/3p4/4P3/8/8/4K3 b - - 8 3 - - -"
    );
    assert_eq!(
        decided("subdraw=defender", Sub::Drawn),
        "4k3/8/8/3p4/8/8/8/4K3 b - - 0 3 - - -"
    );
    assert_eq!(
        decided("subdraw=both", Sub::Drawn),
        "4k3/8/8/8/8/8/8/4K3 b - - 0 3 - - -"
    );
}

#[test]
fn sub_pieces_lost_stay_lost() {
    let plies = [
        "e4d5", "d5.e2e4", "d5.d7d5", "d5.e4d5", "d5.d8d5", "d5.b1c3", "d5.d5g2",
    ];
    let fought = after("-", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 3 - - -", &plies);
    let lost = fought.resolve(Sub::Lost).fen();
    assert_eq!(lost, "4k3/8/8/3p4/8/8/8/4K3 b - - 0 3 d5=7P2R2N2B1Q - -");
    let drawn = fought.resolve(Sub::Drawn).fen();
    assert_eq!(
        drawn,
        "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 3 e4=6P2R2N2B1Q,d5=7P2R2N2B1Q - -"
    );
}

#[test]
fn a_promoted_sub_piece_is_a_pawn_again() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 e4=1P,d5=0 - -";
    let line = [
        "e4d5",
        "d5.setup P7/4K3",
        "d5.a2a4",
        "d5.e8f7",
        "d5.a4a5",
        "d5.f7f6",
        "d5.a5a6",
        "d5.f6f5",
    ];
    let promoted = line
        .iter()
        .chain(&["d5.a6a7", "d5.f5f4", "d5.a7a8q"])
        .fold(game("-", fen), |game, ply| game.play(ply));
    assert_eq!(
        promoted.resolve(Sub::Won).fen(),
        "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1 d5=1P - -"
    );
}

#[test]
fn kings_alone_are_drawn_at_their_set_up() {
    let drawn = after(
        "-",
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 3 e4=0,d5=0 - -",
        &["e4d5"],
    );
    assert_eq!(
        drawn.fen(),
        "4k3/8/8/3p4/4P3/8/8/4K3 b - - 8 3 e4=0,d5=0 - -"
    );
}

#[test]
fn over_kings_take_without_a_sub_game() {
    let taken = after("-", "4k3/8/8/8/8/8/3p4/4K3 w - - 7 3 d2=3P - -", &["e1d2"]);
    assert_eq!(taken.fen(), "4k3/8/8/8/8/8/3K4/8 b - - 0 3 - - -");
    assert_eq!(taken.status(), "dead");
}

#[test]
fn a_king_falls() {
    // The Rook takes the Bishop that gives check, and loses the sub-game.
    let gamble = after(
        "-",
        "4k3/8/8/8/7b/8/8/4K2R w - - 0 1 h1=0,h4=0 - -",
        &["h1h4"],
    );
    assert_eq!(gamble.status(), "kingfall");
    assert_eq!(gamble.moves(), Vec::<String>::new());
    let lost = after("-", "4k3/8/8/8/7b/8/8/4K2R w - - 0 1 - - -", &["h1h4"]);
    assert_eq!(lost.resolve(Sub::Lost).status(), "kingfall");
    assert_eq!(lost.resolve(Sub::Won).status(), "ongoing");
}

#[test]
fn pawns_in_passing_and_promoted() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3 - - -";
    let attack = after("-", fen, &["e5d6"]);
    assert!(
        attack
            .fen()
            .starts_with("4k3/8/3P4/8/8/8/8/4K3 w - - 0 3 - e5xd6:p@d5 - {d6: "),
        "{}",
        attack.fen()
    );
    assert_eq!(
        attack.resolve(Sub::Lost).fen(),
        "4k3/8/8/3p4/8/8/8/4K3 b - - 0 3 - - -"
    );
    assert_eq!(
        attack.resolve(Sub::Won).fen(),
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 3 - - -"
    );
    assert_eq!(
        attack.resolve(Sub::Drawn).fen(),
        "4k3/8/8/3pP3/8/8/8/4K3 b - - 1 3 - - -"
    );
    let promotes = after("-", "3n4/4P3/8/8/8/8/7k/4K3 w - - 0 3 - - -", &["e7d8q"]);
    assert!(
        promotes
            .fen()
            .starts_with("3Q4/8/8/8/8/8/7k/4K3 w - - 0 3 - e7xd8:n=Q - {d8: ")
    );
    assert_eq!(
        promotes.resolve(Sub::Drawn).fen(),
        "3n4/4P3/8/8/8/8/7k/4K3 b - - 1 3 - - -"
    );
    assert_eq!(
        promotes.resolve(Sub::Won).fen(),
        "3Q4/8/8/8/8/8/7k/4K3 b - - 0 3 - - -"
    );
}

#[test]
fn rights_after_attacks() {
    let fen = "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1 - - -";
    let attack = after("-", fen, &["a1a8"]);
    assert_eq!(
        attack.resolve(Sub::Drawn).fen(),
        "r3k3/8/8/8/8/8/8/R3K3 b Qq - 1 1 - - -"
    );
    assert_eq!(
        attack.resolve(Sub::Lost).fen(),
        "r3k3/8/8/8/8/8/8/4K3 b q - 0 1 - - -"
    );
    assert_eq!(
        attack.resolve(Sub::Won).fen(),
        "R3k3/8/8/8/8/8/8/4K3 b - - 0 1 - - -"
    );
}

#[test]
fn prisoners() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 e4=6P2R2N2B1Q,d5=1P2N - -";
    let open = after(
        "prisoners",
        fen,
        &["e4d5", "d5.setup PPPPPP2/RNBQKBNR", "d5.setup 7P/1N2K1N1"],
    );
    let won = open.resolve(Sub::Won);
    assert_eq!(won.moves(), ["done", "prisoners 1P"]);
    assert_eq!(
        won.play("prisoners 1P").fen(),
        "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1 d5=7P2R2N2B1Q - -"
    );
    assert_eq!(
        won.play("done").fen(),
        "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1 d5=6P2R2N2B1Q - -"
    );
    let lost = open.resolve(Sub::Lost).moves();
    // Up to 6 pawns, 2 Rooks, 2 Bishops and a Queen; the Knights are complete.
    assert_eq!(lost.len(), 7 * 3 * 3 * 2);
    assert!(lost.contains(&"prisoners 6P2R2B1Q".into()));
    assert_eq!(open.resolve(Sub::Drawn).status(), "ongoing");
}

#[test]
fn consolidation() {
    let fen = "4k3/8/8/8/8/8/P1P5/RN2K3 w - - 9 1 a1=6P1R2N2B,c2=7P2R1N2B1Q,b1=2P1R1N1B1Q - -";
    let game = game("consolidation", fen);
    assert_eq!(
        sort(&game, "consolidate"),
        [
            "consolidate a1",
            "consolidate a2",
            "consolidate b1",
            "consolidate c2"
        ]
    );
    // There is room for three pawns. The two must go in the order of the squares, so the first goes to a1.
    let first = game.play("consolidate b1");
    assert_eq!(first.moves(), ["give a1 P"]);
    assert_eq!(first.play("give a1 P").moves(), ["give a1 P", "give c2 P"]);
    // The Knight fits on c2 only, the Bishop nowhere, the Rook and the Queen on a1.
    let plies = [
        "give a1 P",
        "give c2 P",
        "give c2 N",
        "give a1 R",
        "give a1 Q",
        "done",
    ];
    let given = plies.iter().fold(first, |game, ply| {
        assert!(
            game.moves().contains(&ply.to_string()),
            "{ply}: {:?}",
            game.moves()
        );
        game.play(ply)
    });
    assert_eq!(
        given.fen(),
        "4k3/8/8/8/8/8/P1P5/R3K3 b - - 0 1 a1=7P2R2N2B1Q - -"
    );
    // No consolidation that leaves the over-King in check.
    let pinned = Naive::parse(
        Options::parse("consolidation"),
        "4r1k1/8/8/8/8/8/4N3/R3K3 w - - 0 1 - - -",
    );
    assert_eq!(sort(&pinned, "consolidate"), ["consolidate a1"]);
    // A player who can consolidate is not stalemated.
    let stuck = "7k/5Q2/8/p7/P7/8/8/6K1 b - - 0 1 - - -";
    assert_eq!(self::game("-", stuck).status(), "stalemate");
    assert_eq!(
        self::game("consolidation", stuck).moves(),
        ["consolidate a5"]
    );
}

#[test]
fn reserves() {
    let fen = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1 a1=2R,e4=7P2R2N2B1Q - 1P1Q/2N";
    let game = game("-", fen);
    assert_eq!(
        sort(&game, "reserve"),
        ["reserve a1 P", "reserve a1 Q", "reserve e4 P"]
    );
    let one = game.play("reserve a1 Q");
    assert_eq!(sort(&one, "reserve"), ["reserve a1 P"]);
    assert!(one.moves().iter().all(|coord| coord.contains("a1")));
    assert_eq!(
        one.play("a1b1").fen(),
        "4k3/8/8/3p4/4P3/8/8/1R2K3 b - - 1 1 b1=2R1Q,e4=7P2R2N2B1Q - 1P/2N"
    );
    // After a sub-game first the attacker may receive spares, then the defender, if they survived.
    let fought = game.play("e4d5").play("d5.setup PPPPPPP1/RNBQKBNR");
    assert_eq!(fought.resolve(Sub::Won).moves(), ["done", "reserve d5 P"]);
    assert_eq!(fought.resolve(Sub::Lost).status(), "ongoing");
    // The spares of a sub-set move with it.
    let own = Naive::parse(
        Options::default(),
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a1=7P2R2N2B1Q - a1:2P",
    );
    assert_eq!(own.play("reserve a1 P").moves().len(), 10);
    assert!(
        own.play("reserve a1 P")
            .play("a1a2")
            .fen()
            .ends_with(" - - a2:1P")
    );
}

#[test]
fn fog() {
    let fen = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 5 1 - - -";
    let attack = after("fog", fen, &["e4d5"]);
    assert_eq!(attack.fen(), "4k3/8/8/3P4/8/8/8/R3K3 b Q - 0 1 - e4xd5:p -");
    assert_eq!(
        Naive::parse(Options::parse("fog"), &attack.fen()).moves(),
        attack.moves()
    );
    // Black can only move the King; then the sub-game is played, and White is to move.
    assert_eq!(attack.moves(), ["e8d7", "e8d8", "e8e7", "e8f7", "e8f8"]);
    let played = attack.play("e8d8");
    assert_eq!((played.status(), played.moves().len()), ("open", 20));
    assert_eq!(
        played.resolve(Sub::Lost).fen(),
        "3k4/8/8/3p4/8/8/8/R3K3 w Q - 1 2 - - -"
    );
    assert_eq!(
        played.resolve(Sub::Drawn).fen(),
        "3k4/8/8/3p4/4P3/8/8/R3K3 w Q - 1 2 - - -"
    );
    // An attacker whose sub-game is open still guards squares.
    let guards = after("fog", "4k3/7p/8/8/8/8/8/4K2R w K - 0 1 - - -", &["h1h7"]);
    assert_eq!(from(&guards, "e8"), "d8 f8");
    // The King must be safe whether the attack is won, lost or drawn: on e7 a Rook that goes back would attack it.
    let rook = after("fog", "4k3/8/8/8/8/8/8/K3R2b w - - 0 1 - - -", &["e1h1"]);
    assert_eq!(from(&rook, "e8"), "d7 d8 f7 f8");
}

#[test]
fn fog_settles_at_once_where_nothing_can_be_done() {
    // Smothered except for the sub-game: the Rook's attack gives mate, but may still fail.
    let mate = "r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 a1=0,a8=0,f7=1P,g7=1P,h7=1P - -";
    let settled = after("fog", mate, &["a1a8"]);
    // Drawn at the set-up: the Rook goes back to a1, with Black to move.
    assert_eq!(
        settled.fen(),
        "r5k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1 a1=0,f7=1P,g7=1P,h7=1P,a8=0 - -"
    );
    let full = after("fog", &mate.replace("a1=0,a8=0,", ""), &["a1a8"]);
    assert_eq!((full.status(), full.moves().len()), ("open", 20));
    assert_eq!(full.resolve(Sub::Won).status(), "mate");
    assert_eq!(full.resolve(Sub::Lost).status(), "ongoing");
}
