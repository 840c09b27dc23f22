use super::*;
use overboard_referee::game::position::ReadPosition;
use overboard_rules::outcome::Outcome;

/// Random play that attacks where possible; every position is written and read back, and every ply found by its
/// coordinates.
#[test]
fn positions_are_read_as_they_are_written() {
    let mut state = 5_u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (rules, depth) in [
        ("", 2),
        ("fog:subdraw=both", 2),
        ("prisoners:consolidation:reserves=team/2P1N/3P", 2),
        (
            "fog:prisoners:consolidation:reserves=set/1P/1N1P:subdraw=defender",
            2,
        ),
        ("fog:prisoners:consolidation:reserves=team/2P1N1Q", 3),
    ] {
        for _ in 0..tries(3) {
            let mut deep = Over::first(depth, options(rules));
            for _ in 0..600 {
                let text = deep.fen();
                let ReadPosition {
                    position: again,
                    lenient,
                    ..
                } = read(&text, depth, deep.rules())
                    .unwrap_or_else(|why| panic!("{rules} {text}: {why}"));
                assert_eq!((again.fen(), lenient), (text.clone(), false));
                let mut plies = Vec::new();
                deep.legal_moves(|ply| plies.push(ply));
                let mut others = Vec::new();
                again.legal_moves(|ply| others.push(ply));
                assert_eq!(plies, others, "{text}");
                if plies.is_empty() || deep.end_by_itself().is_some() {
                    assert!(deep.end_by_itself().is_some(), "{text}");
                    break;
                }
                let attacks = plies
                    .iter()
                    .copied()
                    .filter(|ply| matches!(ply, Ply::Over(m) if deep.current().attacks(*m)));
                let attacks = Vec::from_iter(attacks);
                let from = if attacks.is_empty() || next(5) == 0 {
                    &plies
                } else {
                    &attacks
                };
                let ply = from[next(from.len())];
                assert_eq!(
                    deep.by_coordinates(&deep.coordinates(ply)),
                    Some(ply),
                    "{text}"
                );
                deep.play(ply);
                if next(25) == 0 {
                    let outcomes = [
                        Outcome::Win(Side::White),
                        Outcome::Win(Side::Black),
                        Outcome::Draw,
                    ];
                    deep.conclude(next(deep.open()), outcomes[next(3)]);
                }
            }
        }
    }
}

#[test]
fn texts_other_than_positions_are_refused() {
    let head = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let open = format!("{head} d5:e2={{a2=1P,b2}},xd5:d7 e4xd5:p -");
    for (text, word) in [
        ("", "nine fields"),
        (
            &format!("{head} - - -") as &str,
            "not an individual of White's",
        ),
        (&format!("{head} d5:e2=9P - -"), "individuals are written"),
        (
            &format!("{head} d5:e2={{a2:e2/b1}} - -"),
            "individuals are written",
        ),
        (
            &format!("{head} d5:e2,d5:e2 - -"),
            "individuals are written",
        ),
        (&format!("{head} d5:d2 - -"), "d2 occurs twice"),
        (
            &format!("{head} d5:e2={{a2:d2/a2}} - -"),
            "d2/a2 occurs twice",
        ),
        (
            &format!("{head} b2={{a2}},d5:e2={{a2:b2/a2}} - -"),
            "b2/a2 occurs twice",
        ),
        (
            &format!("{head} d5:e2 e4xd5:p - {{d5: setup w}}"),
            "not an individual of Black's",
        ),
        (
            &format!("{head} d5:e2 - - {{d5: setup w}}"),
            "nothing that can be open",
        ),
        (
            &format!("{open} {{d5: 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 a2:e2/a2=3P - -}}"),
            "more pieces than its sub-set",
        ),
        (
            &format!("{open} {{d5: 4k3/8/8/8/8/8/P7/4K3 w - - 0 1 - - -}}"),
            "more pieces than its sub-set",
        ),
    ] {
        let why = read(text, 2, options("")).unwrap_err().to_string();
        assert!(why.contains(word), "{text}: {why}");
    }
    let deep = format!("{head} d5:e2={} - -", "{a2=".repeat(100_000));
    assert!(read(&deep, 64, options("")).is_err());
    let deep = format!("{head} d5:e2 e4xd5:p - {}", "{d5: ".repeat(100_000));
    assert!(read(&deep, 64, options("")).is_err());
}

#[test]
fn tables_show_the_pieces_left_and_their_strength() {
    let text =
        "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1 d1:a1={a2:e7/c2,b2:a1/P1,d1=2P1R,h1:e7/a1},d5:d7 - -";
    let deep = read(text, 2, options("")).unwrap().position;
    let [white, black] = &tables(&deep, 0)[..] else {
        panic!("two sides")
    };
    assert_eq!(white.title, "White, 16 points, 124 on level 2");
    assert_eq!(
        white.heads,
        [
            "", "on", "is", "left", "points", "level 2", "lost", "joined"
        ]
    );
    let row = [
        "R",
        "d1",
        "a1",
        "2P1R1Q",
        "16",
        "124",
        "c2 d2 e2 f2 g2 h2 b1 g1 c1 f1 a1",
        "e7:1P1R spare:1P",
    ];
    assert_eq!(white.rows, [row]);
    assert_eq!(black.title, "Black, 39 points, 585 on level 2");
    assert_eq!(
        black.rows,
        [["P", "d5", "d7", "8P2R2N2B1Q", "39", "585", "-"]]
    );
    let far = tables(&Over::first(64, options("")), 0);
    assert_eq!(
        far[0].heads,
        ["", "on", "is", "left", "points", "level 2", "lost"]
    );
}
