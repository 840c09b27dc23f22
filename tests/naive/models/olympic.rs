use super::{assert_divided, rows};
use overboard_naive::olympic::Naive;

const START: &str = "rbsgk/4p/5/P4/KGSBR[] w - - 0 1";

/// Some legal moves of a position in the notation of records.
fn sans(fen: &str, coords: &[&str]) -> Vec<String> {
    let position = Naive::parse(fen);
    coords.iter().map(|coord| position.san(coord)).collect()
}

#[test]
fn counts_from_the_array() {
    let start = Naive::parse(START);
    assert_eq!(
        (0..5).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 14, 180, 2464, 34189]
    );
    assert_divided(&start.divide(3), &start.moves(), 2464);
}

#[test]
fn counts_of_the_positions() {
    for fields in rows(include_str!("../positions/olympic.txt")) {
        let position = Naive::parse(fields[0]);
        assert_eq!(position.fen(), fields[0]);
        assert_eq!(position.perft(1).to_string(), fields[1], "{fields:?}");
        assert_eq!(position.perft(2).to_string(), fields[2], "{fields:?}");
    }
}

#[test]
fn captured_pieces_change_sides_and_revert() {
    let start = Naive::parse(START);
    assert_eq!(start.fen(), START);
    let traded = start.play("e1e4").play("e5e4");
    assert_eq!(traded.fen(), "rbsg1/4k/5/P4/KGSB1[Pr] w - - 0 2");
    assert_eq!(
        traded.play("a1b2").play("R@e1").fen(),
        "rbsg1/4k/5/PK3/1GSBr[P] w - - 2 3"
    );
    let dropped = traded.play("a1b2").play("a5a4").play("P@c3");
    assert_eq!(dropped.fen(), "1bsg1/r3k/2P2/PK3/1GSB1[r] b - - 0 3");
    let taken = Naive::parse("4k/5/1r3/+P+S3/4K[] b - - 7 9").play("b3b2");
    assert_eq!(taken.play("a2b2").fen(), "4k/5/5/1+P3/4K[Rs] b - - 0 10");
    assert_eq!(taken.play("e1d1").fen(), "4k/5/5/+Pr3/3K1[s] b - - 1 10");
}

#[test]
fn moves_as_a_record_writes_them() {
    assert_eq!(
        sans(START, &["a2a3", "d1a4", "e1e4"]),
        ["a3", "Ba4", "Rxe4+"]
    );
    assert_eq!(
        sans("r1r1k/1P3/5/5/1K3[] w - - 0 1", &["b4b5g", "b4a5g"]),
        ["b5=G", "bxa5=G"]
    );
    let silvers = ["d5c4", "d5c4+", "c3c4", "c3b2", "d5e4+"];
    let written = ["Sdc4", "Sdc4=G", "Scc4", "Sb2", "Se4=G+"];
    assert_eq!(sans("1S1Sk/5/2S2/5/K4[] w - - 0 1", &silvers), written);
    let golds = ["a5b5", "a4b5", "b4b5"];
    assert_eq!(
        sans("+S4/+PG2k/P1Br1/1R3/Kb1+sg[] w - - 14 51", &golds),
        ["G5b5", "Ga4b5", "Gbb5"]
    );
    let drops = ["P@b4", "P@a1"];
    assert_eq!(
        sans("kbBG1/4R/1PG1K/1r1+s1/4+s[P] w - - 3 55", &drops),
        ["P@b4#", "P@a1"]
    );
}

#[test]
fn statuses() {
    let status = |fen| (Naive::parse(fen).status(), Naive::parse(fen).in_check());
    assert_eq!(status(START), ("ongoing", false));
    assert_eq!(status("k3R/5/K4/5/5[r] b - - 0 1"), ("check", true));
    assert_eq!(status("k3R/5/K4/5/5[] b - - 0 1"), ("mate", true));
    assert_eq!(status("k4/P4/K4/5/5[] b - - 0 1"), ("stalemate", false));
    assert_eq!(status("k4/P4/K4/5/5[p] b - - 0 1"), ("ongoing", false));
}
