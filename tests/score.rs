//! Kings counted at the end of time, and the captains' instructions.

use crate::run::{overboard, printed, tool};
use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::Stdio,
};

/// Three boards: on A a white rook can capture Black's king at once, on B a black one White's king once that
/// is on h4.
const BOARDS: &str = "14/14/7k6/14/14/14/14/14/14/7R6/14/7K6/14/14 w - 0 1 | 14/14/7k6/14/7r6/14/14/14/14/14/14/7K6/14/14 w - 0 1 | 14/14/7k6/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1";

/// A record of these boards with additional tags and these moves.
fn record(tags: &str, moves: &str) -> String {
    format!(
        "[Event \"?\"]\n[Variant \"StrategiChess\"]\n[Boards \"A:B:C\"]\n[White \"Ann:Bob:Cy\"]\n[Black \"Di:Ed:Flo\"]\n[SetUp \"1\"]\n[FEN \"{BOARDS}\"]\n{tags}\n\n{moves}\n\n"
    )
}

/// Runs a command on a text; returns its output and exit code.
fn on(text: &str, args: &[&str]) -> (String, i32) {
    let mut child = tool()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    printed(&child.wait_with_output().unwrap())
}

/// The account of the only game in a text, with the exit code.
fn account(text: &str, args: &[&str]) -> (serde_json::Value, i32) {
    let (reported, exit) = on(text, &[&["score", "--json", "-"], args].concat());
    (
        serde_json::from_str(reported.trim_end())
            .unwrap_or_else(|_| panic!("one line: {reported}")),
        exit,
    )
}

fn codes(account: &serde_json::Value) -> Vec<&str> {
    account["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["code"].as_str().unwrap())
        .collect()
}

/// White's and Black's kings and the winner.
fn gist(account: &serde_json::Value) -> String {
    let kings = |team: &str| {
        let [least, most] = [0, 1].map(|at| account[team][at].to_string());
        if least == most {
            least
        } else {
            format!("{least}..{most}")
        }
    };
    let winner = account["winner"].as_str().unwrap();
    format!("{}-{} {winner}", kings("white_kings"), kings("black_kings"))
}

const STAMPED: &str = "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 {[%ts 0:29:12]} 1C. Kh4 {[%ts 0:30:00]} 1b. Rxh4 {[%ts 0:30:01]}";

#[test]
fn a_move_at_the_expiry_counts_and_one_a_second_later_does_not() {
    let text = record("[Score \"3-2\"]", &format!("{STAMPED} 1-0"));
    let (reported, exit) = account(&text, &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("3-2 white", 0));
    assert_eq!(
        (
            reported["last_counted"]["ply"].as_u64(),
            reported["first_late"]["ply"].as_u64()
        ),
        (Some(3), Some(4))
    );
    assert_eq!(reported["agrees"], "yes");
    assert_eq!(codes(&reported), ["moves-after-expiry"]);
    let (reported, exit) = account(&text, &["--expiry", "0:30:01"]);
    assert_eq!((gist(&reported).as_str(), exit), ("2-2 draw", 1));
    assert_eq!(
        codes(&reported),
        ["equal-kings", "wrong-result", "wrong-score"]
    );
    assert_eq!(
        gist(&account(&text, &["--expiry", "0:28:09"]).0),
        "3-3 draw"
    );
}

#[test]
fn without_an_expiry_a_game_counts_as_it_stands() {
    let (reported, exit) = account(&record("", &format!("{STAMPED} *")), &[]);
    assert_eq!((gist(&reported).as_str(), exit), ("2-2 draw", 0));
    assert!(reported["agrees"].is_null() && reported["first_late"].is_null());
}

#[test]
fn moves_without_times_are_counted_both_ways() {
    let moves = "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 1b. Rxh4 1C. Kh4 {[%ts 0:30:01]} 1-0";
    let (reported, exit) = account(&record("", moves), &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("2..3-2 undetermined", 1));
    assert_eq!(reported["uncertain"], 2);
    assert_eq!(reported["deciding"], serde_json::json!(["1b. Rxh4"]));
    assert_eq!(reported["without_uncertain"]["winner"], "white");
    assert_eq!(reported["with_uncertain"]["winner"], "draw");
    assert_eq!(codes(&reported), ["moves-after-expiry", "uncertain-moves"]);
    // Where they make no difference, the answer is certain.
    let idle = "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 1C. Kh4 {[%ts 0:30:01]} 1-0";
    let (reported, exit) = account(&record("[Score \"3-2\"]", idle), &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("3-2 white", 0));
    assert_eq!(codes(&reported), ["moves-after-expiry", "uncertain-moves"]);
}

#[test]
fn a_draw_at_both_ends_is_no_draw_where_the_score_differs_between() {
    let moves =
        "1C. Kh4 {[%ts 0:29:00]} 1A. Rxh12 1B. Kh4 1b. Rxh4 1c. Kh11 {[%ts 0:31:00]} 1/2-1/2";
    let (reported, exit) = account(&record("", moves), &["--expiry", "0:30:00"]);
    assert_eq!(
        (gist(&reported).as_str(), exit),
        ("2..3-2..3 undetermined", 1)
    );
    assert_eq!(codes(&reported), ["moves-after-expiry", "uncertain-moves"]);
    assert_eq!(
        reported["notes"][1]["text"],
        "3 moves may be before or after the expiry: 3-3 without them, 3-2 from `1A. Rxh12` on, 2-2 from `1b. Rxh4` on"
    );
}

#[test]
fn no_times_at_all() {
    let (reported, exit) = account(
        &record("", "1A. Rxh12 1B. Kh4 1-0"),
        &["--expiry", "0:30:00"],
    );
    assert_eq!((gist(&reported).as_str(), exit), ("3-2..3 undetermined", 1));
    assert_eq!(codes(&reported), ["no-times", "uncertain-moves"]);
}

#[test]
fn times_are_derived_from_clocks_with_an_increment() {
    // White on B uses 70 seconds, Black 50: two minutes, with ten seconds added to each clock.
    let moves = "1A. Rxh12 {[%clk 0:09:10]} 1B. Kh4 {[%clk 0:09:00]} 1b. Rxh4 {[%clk 0:09:20]} *";
    let text = record("[TimeControl \"600+10\"]", moves);
    let (reported, _) = account(&text, &["--expiry", "0:02:00"]);
    assert_eq!(gist(&reported), "2-2 draw");
    assert_eq!(reported["last_counted"]["time"], "0:02:00");
    assert_eq!(reported["last_counted"]["derived"], true);
    assert!(codes(&reported).contains(&"derived"), "{reported}");
    assert_eq!(
        gist(&account(&text, &["--expiry", "0:01:59"]).0),
        "3-2 white"
    );
    // Clock times mean nothing without the initial times.
    let (reported, _) = account(&record("", moves), &["--expiry", "0:02:00"]);
    assert_eq!(codes(&reported)[0], "no-times");
}

#[test]
fn times_are_derived_from_what_each_move_took() {
    let moves = "1A. Rxh12 {[%emt 0:00:30]} 1B. Kh4 {[%emt 0:01:10]} 1b. Rxh4 {[%emt 0:00:50]} *";
    let (reported, _) = account(&record("", moves), &["--expiry", "0:02:00"]);
    assert_eq!(gist(&reported), "2-2 draw");
    assert_eq!(
        gist(&account(&record("", moves), &["--expiry", "0:01:59"]).0),
        "3-2 white"
    );
}

#[test]
fn times_that_run_backwards_leave_doubt_where_it_matters() {
    let moves = "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 {[%ts 0:30:10]} 1b. Rxh4 {[%ts 0:29:00]} *";
    let (reported, _) = account(&record("", moves), &["--expiry", "0:30:00"]);
    assert_eq!(gist(&reported), "2..3-2 undetermined");
    assert!(codes(&reported).contains(&"times-backwards"), "{reported}");
    let (reported, _) = account(&record("", moves), &["--expiry", "0:31:00"]);
    assert_eq!(gist(&reported), "2-2 draw");
    assert!(codes(&reported).contains(&"times-backwards"), "{reported}");
}

#[test]
fn a_fallen_flag_takes_a_king_or_ends_the_game() {
    let moves =
        "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 {[%ts 0:29:00] [%flag W:C]} 1b. Rxh4 {[%ts 0:29:30]} *";
    let (reported, _) = account(&record("", moves), &[]);
    assert_eq!(gist(&reported), "1-2 black");
    let (reported, exit) = account(&record("[Rules \"flag=end\"]", moves), &[]);
    assert_eq!(gist(&reported), "2-2 draw");
    assert_eq!(reported["ended"]["rule"], "SC-35");
    assert_eq!(
        (codes(&reported), exit),
        (vec!["ended", "moves-after-end"], 0)
    );
}

#[test]
fn kings_may_be_missing_from_the_start() {
    let text = record("", "1A. Kh4 *").replacen("7k6", "14", 1);
    let (reported, exit) = account(&text, &[]);
    assert_eq!((gist(&reported).as_str(), exit), ("3-2 white", 0));
    assert_eq!(codes(&reported), ["kings-missing"]);
    assert_eq!(reported["boards"][0]["black"], "gone");
    // A position without any kings for a team is not one that a game can start from.
    let (reported, exit) = account(&text.replace("7k6", "14"), &[]);
    assert_eq!(
        (reported["winner"].as_str(), exit),
        (Some("undetermined"), 2)
    );
    assert_eq!(codes(&reported)[0], "unreadable");
}

#[test]
fn kings_of_tainted_boards_are_a_range() {
    let (reported, exit) = account(&record("", "1A. Kh9 1B. Kh4 1b. Rxh4 0-1"), &[]);
    assert_eq!(
        (gist(&reported).as_str(), exit),
        ("1..2-2..3 undetermined", 1)
    );
    assert_eq!(reported["boards"][0]["white"], "open");
    assert_eq!(codes(&reported), ["tainted-boards"]);
    // A range may leave no doubt about the winner while the score is still unknown.
    let (reported, exit) = account(
        &record("[Score \"2-0\"]", "1A. Rxh12 1B. Kh9 1C. Kh4 1-0"),
        &[],
    );
    assert_eq!(
        (gist(&reported).as_str(), exit),
        ("2..3-1..2 undetermined", 1)
    );
}

#[test]
fn a_game_that_ended_before_the_expiry_keeps_its_result() {
    let moves = "1A. Rxh12 {[%ts 0:28:10]} 1B. Kh4 {[%ts 0:29:00] [%resign B]} 1-0";
    let (reported, exit) = account(&record("[Score \"3-0\"]", moves), &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("3-0 white", 0));
    assert_eq!(
        (codes(&reported), &reported["ended"]["by"]),
        (vec!["ended"], &"resignation".into())
    );
    let words = "1A. Rxh12 {[%ts 0:28:10] [%order W Hurry!]} 0-1";
    let (reported, exit) = account(&record("[Score \"0-2\"]", words), &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("0-2 black", 0));
    // A command after the expiry comes too late.
    let (reported, _) = account(&record("", moves), &["--expiry", "0:28:30"]);
    assert_eq!(gist(&reported), "3-2 white");
    assert_eq!(codes(&reported), ["end-too-late", "moves-after-expiry"]);
}

#[test]
fn a_mated_team_scores_nothing() {
    let fen = "7k6/7Q6/7R6/14/14/14/14/14/14/14/14/7K6/14/14 b - 0 1 | 14/14/14/14/14/14/14/14/14/14/14/7K6/14/14 w - 0 1";
    let (reported, exit) = on(fen, &["score", "--csv", "--fens", "-"]);
    assert_eq!(exit, 0);
    assert_eq!(
        reported.lines().nth(1).unwrap(),
        "-,1,2,0,A:1-1 B:1-0,white,,,,,,\"kings missing from the start: Black's on B; ended by checkmate (SC-26): 1-0 stands, and the losing team scores 0 (SC-36)\""
    );
}

/// A finished game keeps its result (SC-30), and on one board mate ends it (SC-10).
#[test]
fn a_mate_on_one_board_is_a_win() {
    let fen = "k13/2R11/14/14/14/14/14/14/14/14/14/9K4/14/7Q6 w - 0 1";
    for (moves, notes) in [
        ("1. Qh14# 1-0", vec!["ended"]),
        ("1. Qh14# Ka13 1-0", vec!["ended", "moves-after-end"]),
    ] {
        let text = format!(
            "[Event \"?\"]\n[Variant \"StrategiChess\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}\n"
        );
        let (reported, exit) = account(&text, &[]);
        assert_eq!(
            (gist(&reported).as_str(), codes(&reported), exit),
            ("1-0 white", notes, 0),
            "{moves}"
        );
    }
}

#[test]
fn one_board_is_a_draw_unless_a_flag_fell_first() {
    let one = "[Event \"?\"]\n[Variant \"StrategiChess\"]\n\n1. f7 {[%ts 0:10:00]} 1... f8 {[%ts 0:31:00]} 1/2-1/2\n";
    let (reported, exit) = account(one, &["--expiry", "0:30:00"]);
    assert_eq!((gist(&reported).as_str(), exit), ("1-1 draw", 0));
    assert_eq!(reported["first_late"]["text"], "1... f8");
    assert_eq!(codes(&reported), ["one-board", "moves-after-expiry"]);
    let fallen = one.replace("1... f8 {[%ts 0:31:00]} 1/2-1/2", "{[%flag B]} 1-0");
    let (reported, exit) = account(&fallen, &["--expiry", "0:30:00"]);
    assert_eq!((reported["winner"].as_str(), exit), (Some("white"), 0));
}

#[test]
fn other_games_and_what_cannot_be_read_have_their_own_answers() {
    let (reported, exit) = account("1. e4 e5 1-0\n", &[]);
    assert_eq!((codes(&reported), exit), (vec!["not-strategichess"], 1));
    assert!(reported["white_kings"].is_null());
    let (reported, exit) = account(&record("", "1A. Rxh12 {never closed"), &[]);
    assert_eq!((codes(&reported)[0], exit), ("unreadable", 2));
    let (reported, exit) = output_of(&["score", "--json", "nowhere.npgn"]);
    assert!(
        reported.contains("\"code\":\"unreadable\"") && reported.contains("\"game\":0"),
        "{reported}"
    );
    assert_eq!(exit, 2);
    let match_of_half_an_hour = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/scoring.npgn");
    assert_eq!(
        output_of(&["score", "--expiry", "0:30:00", match_of_half_an_hour]).1,
        1
    );
    for wrong in [
        "soon",
        "30",
        "1:30",
        "1:60:00",
        "1:3:00",
        "1:30:99",
        "1:30:00:00",
    ] {
        assert_eq!(
            output_of(&["score", "--expiry", wrong, match_of_half_an_hour]).1,
            2,
            "{wrong}"
        );
    }
}

fn output_of(args: &[&str]) -> (String, i32) {
    printed(&overboard(args))
}

#[test]
fn final_positions_are_counted_line_by_line() {
    let text = format!(
        "# round 1\n{BOARDS}\n\n{}\nnonsense\n",
        BOARDS.replacen("7k6", "14", 2)
    );
    let (reported, exit) = on(&text, &["score", "--csv", "--fens", "-"]);
    let lines: Vec<_> = reported.lines().collect();
    assert_eq!(exit, 2);
    assert_eq!(
        lines[1],
        "-,1,3,3,A:1-1 B:1-1 C:1-1,draw,,,,,,equal kings are a draw (SC-30)"
    );
    assert!(
        lines[2].starts_with("-,2,3,1,A:1-0 B:1-0 C:1-1,white,,,,,,"),
        "{reported}"
    );
    assert!(
        lines[3].starts_with("-,3,,,,undetermined,,,,,,"),
        "{reported}"
    );
}

#[test]
fn the_columns_are_these_and_safely_quoted() {
    let text = record("[Score \"=1+1\"]", "1A. Rxh12 {[%ts 0:28:10]} 1-0");
    let (reported, exit) = on(&text, &["score", "--csv", "-"]);
    assert_eq!(exit, 1);
    assert_eq!(
        reported,
        "file,game,white_kings,black_kings,boards,winner,last_counted,first_late,record_result,record_score,agrees,note\n\
         -,1,3,2,A:1-0 B:1-1 C:1-1,white,1A. Rxh12 (0:28:10),,1-0,'=1+1,no,\"Score is =1+1, and the count is 3-2\"\n"
    );
    let (reported, _) = on(&text.replace("=1+1", "2-1"), &["score", "--csv", "-"]);
    assert!(
        reported.lines().nth(1).unwrap().contains(",1-0,2-1,no,"),
        "{reported}"
    );
}

/// The output of a command on a terminal, in this folder.
fn on_terminal(folder: &Path, args: &[&str]) -> String {
    let terminal = nix::pty::openpty(None, None).unwrap();
    let mut child = tool()
        .args(args)
        .current_dir(folder)
        .stdout(terminal.slave)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    // On Linux, reading from a terminal whose last program has closed it ends with an error.
    let _ = fs::File::from(terminal.master).read_to_end(&mut shown);
    child.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

#[test]
fn a_table_cuts_what_is_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(50);
    let text = record("[Score \"2-1\"]", "1A. Rxh12 {[%ts 0:28:10]} 1-0");
    fs::write(folder.path().join(&long), text).unwrap();
    let text = on_terminal(folder.path(), &["score", &long]);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("game  "), "{text}");
    assert!(
        lines[1].starts_with(&format!("{}…  3-2", "x".repeat(35))),
        "{text}"
    );
    assert_eq!(lines[2], "    Score is 2-1, and the count is 3-2");
}

#[test]
fn any_number_of_threads_says_the_same() {
    let games: String = (0..2_000)
        .map(|game| record(&format!("[Round \"{game}\"]"), &format!("{STAMPED} 1-0")))
        .collect();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(games.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    let run = |jobs| output_of(&["score", "--csv", "--expiry", "0:30:00", "-j", jobs, path]);
    let (one, exit) = run("1");
    assert_eq!((one.lines().count(), exit), (2_001, 0));
    assert!(run("2") == (one, exit));
}

#[test]
fn instructions_are_shown_by_team() {
    let moves = "1A. Rxh12 {[%ts 0:28:10] [%order W Team Player \"Ann\" send Rook to Team Player \"Bob\".]} 1B. Kh4 {[%order B Team Player \"Di\" please send Rook to Team Player \"Ed\".]} {[%order W Team Player \"Ann\" send a King to Team Player \"Zoe\".]} 1-0";
    let text = record("", moves);
    let (reported, exit) = on(&text, &["orders", "-"]);
    assert_eq!(exit, 1);
    for line in [
        "  White's instructions, for Black's captain to see:",
        "    ply 1, after 1A. Rxh12 (0:28:10):",
        "      in the prescribed form: from Ann to Bob: rook",
        "      Team Player \"Di\" please send Rook to Team Player \"Ed\".",
        "                       ^",
        "      not in the prescribed form (SC-40): expected `send`",
        "      Black loses by rules infraction (SC-42)",
        "      in the prescribed form: from Ann to Zoe: 1 king",
        "      cannot be carried out; not punished (SC-42): no player of the team is called Zoe",
        "3 instructions in 1 game, 1 not in the prescribed form",
    ] {
        assert!(
            reported.lines().any(|there| there == line),
            "{line}\n{reported}"
        );
    }
    let (reported, exit) = on(&text, &["orders", "--team", "W", "--json", "-"]);
    let reported: serde_json::Value = serde_json::from_str(reported.trim_end()).unwrap();
    let verdicts: Vec<_> = reported["orders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|order| order["verdict"].as_str().unwrap())
        .collect();
    assert_eq!((verdicts, exit), (vec!["well-formed", "unfit"], 0));
    assert_eq!(reported["orders"][1]["board"], "B");
    let read = &reported["orders"][1]["reading"];
    assert_eq!(
        (&read["sender"], &read["receiver"]),
        (&"Ann".into(), &"Zoe".into())
    );
    assert_eq!(
        read["pieces"].to_string(),
        r#"[{"count":1,"piece":"king","share":null,"squares":[]}]"#
    );
}

/// Instructions are examined when the game is over (SC-42): until then every move is judged as usual.
#[test]
fn how_an_instruction_was_read_is_reported() {
    let orders = |moves: &str| {
        let (reported, _) = on(&record("", moves), &["orders", "--json", "-"]);
        let reported: serde_json::Value = serde_json::from_str(reported.trim_end()).unwrap();
        reported["orders"].as_array().unwrap().clone()
    };
    let ann = |words: &str| format!("[%order W Team Player \"Ann\" {words}]");
    let form = ann("Send 2 Knights & Re3 to Team Player Bob");
    let after = ann("send a Rook to Team Player \"Bob\".");
    let moves = format!(
        "1A. Rxh12 {{{form}}} 1B. Kh4 {{[%order B Attack!]}} {{[%resign W]}} {{{after}}} 1-0"
    );
    let list = orders(&moves);
    let verdicts: Vec<_> = list
        .iter()
        .map(|order| order["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["unfit", "infraction", "after-end"]);
    assert_eq!(
        list[0]["departures"].to_string(),
        r#"["capitals","no-quotes","no-full-stop"]"#
    );
    assert_eq!(
        list[0]["reading"]["pieces"][1].to_string(),
        r#"{"count":null,"piece":"rook","share":null,"squares":["e3"]}"#
    );
    assert_eq!(list[1]["loses"], true);
    // A record that just stops decides nothing yet.
    let list = orders("1A. Rxh12 {[%order B Attack!]} 1B. Kh4 *");
    assert_eq!(
        (&list[0]["verdict"], &list[0]["loses"]),
        (&"infraction".into(), &false.into())
    );
    let (reported, _) = on(
        &record("", "1A. Rxh12 {[%order B Attack!]} 1B. Kh4 *"),
        &["orders", "-"],
    );
    assert!(
        reported.contains("Black loses when the game is over; this record is unfinished (SC-42)"),
        "{reported}"
    );
    let (reported, exit) = on(
        &record("", "1A. Rxh12 {[%order W Hurry!]} 1B. Kh4 0-1"),
        &["check", "-"],
    );
    assert!(
        exit == 1
            && reported.contains("error[bad-order]")
            && !reported.contains("error[move-after-end]"),
        "{reported}"
    );
    assert!(!reported.contains("wrong-result"), "{reported}");
}

#[test]
fn an_order_of_no_side_is_an_error_and_counts_against_nobody() {
    let good = "Team Player \"Ann\" send Rook to Team Player \"Bob\".";
    for order in [good.to_string(), "Attack!".into(), format!("X {good}")] {
        let moves = format!("1A. Rxh12 {{[%order {order}]}} 1B. Kh4 0-1");
        let (reported, exit) = on(&record("", &moves), &["check", "-"]);
        assert!(
            exit == 1 && reported.contains("error[bad-order]"),
            "{reported}"
        );
        assert!(!reported.contains("rules infraction"), "{reported}");
    }
    let (reported, exit) = on(
        &record(
            "",
            &format!("1A. Rxh12 {{[%order White: {good}]}} 1B. Kh4 *"),
        ),
        &["check", "-"],
    );
    assert_eq!(exit, 0, "{reported}");
}

#[test]
fn a_cause_is_reported_before_what_follows_from_it() {
    let moves = "1A. Rxh12 {[%order W Hurry!]} 1B. Kh4 1-0";
    let (reported, _) = on(&record("[Score \"3-2\"]", moves), &["check", "-"]);
    let at = |code: &str| {
        reported
            .find(code)
            .unwrap_or_else(|| panic!("{code}: {reported}"))
    };
    assert!(at("[bad-order]") < at("[wrong-result]"), "{reported}");
    assert!(at("[bad-order]") < at("[score-tag]"), "{reported}");
}

#[test]
fn times_are_derived_whatever_the_number_of_the_first_move() {
    let boards = BOARDS.replace(" 0 1", " 0 20");
    let text = record(
        "",
        "20A. Rxh12 {[%emt 0:00:10]} 20B. Kh4 {[%emt 0:00:20]} 20a. -- {[%emt 0:10:00]} *",
    )
    .replace(BOARDS, &boards);
    let (reported, _) = account(&text, &["--expiry", "0:05:00"]);
    assert!(!codes(&reported).contains(&"no-times"), "{reported}");
    assert!(codes(&reported).contains(&"derived"), "{reported}");
}

#[test]
fn a_file_that_is_not_there_ends_with_two() {
    assert_eq!(output_of(&["orders", "nowhere.npgn"]).1, 2);
    assert!(fs::metadata("nowhere.npgn").is_err());
}
