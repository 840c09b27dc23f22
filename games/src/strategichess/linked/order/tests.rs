use super::*;

/// How an instruction was understood: its meaning, and how its frame departs from the form.
fn read(text: &str) -> Result<(String, Vec<&'static str>), usize> {
    let order = Order::parse(text).map_err(|fault| fault.at)?;
    Ok((
        order.to_string(),
        order.departures.iter().map(|way| way.id()).collect(),
    ))
}

/// Instructions whose frame is the form: what stands between `send` and `to`, and what it means.
const PIECES: [(&str, &str); 54] = [
    ("Rook", "rook"),
    ("a Rook", "1 rook"),
    ("an rook", "1 rook"),
    ("the Queen", "queen"),
    ("your Queen", "queen"),
    ("ROOKS", "rooks"),
    ("Castle", "rook"),
    ("a Castle", "1 rook"),
    ("both castles", "both rooks"),
    ("both of the Castles", "both rooks"),
    ("2 Knights", "2 knights"),
    ("two Knights", "2 knights"),
    ("the two Knights", "2 knights"),
    ("two of the Knights", "2 knights"),
    ("2 of your Knights", "2 knights"),
    ("all Pawns", "all pawns"),
    ("all the Pawns", "all pawns"),
    ("all of your Pawns", "all pawns"),
    ("some Pawns", "some pawns"),
    ("any Bishop", "any bishop"),
    ("any two of the Pawns", "any 2 pawns"),
    ("twelve Pawns", "12 pawns"),
    ("twenty-one pawns", "21 pawns"),
    ("twenty one pawns", "21 pawns"),
    ("14 pawns", "14 pawns"),
    ("99999999999 pawns", "4294967295 pawns"),
    ("Knight n5", "knight on n5"),
    ("the Knight on n5", "knight on n5"),
    ("the knight at N5", "knight on n5"),
    ("Nn5", "knight on n5"),
    ("nn5", "knight on n5"),
    ("Bb14", "bishop on b14"),
    ("N", "knight"),
    ("2 N and a P", "2 knights and 1 pawn"),
    ("2 Knights and a Pawn", "2 knights and 1 pawn"),
    ("2 knights & a pawn", "2 knights and 1 pawn"),
    ("Rook, Bishop", "rook and bishop"),
    ("a King, 3 pawns, and Queen", "1 king, 3 pawns and queen"),
    (
        "Pawns on n4, n5 and m6 and a Rook",
        "pawns on n4, n5 and m6 and 1 rook",
    ),
    ("(2 Knights)", "2 knights"),
    ("reinforcements", "reinforcements"),
    ("Reinforcements", "reinforcements"),
    ("\"2 Knights\"", "2 knights"),
    ("“2 Knights and a Pawn”", "2 knights and 1 pawn"),
    ("\"2 Knights\" and \"a Pawn\"", "2 knights and 1 pawn"),
    ("'2' 'Knights', 'a Pawn'", "2 knights and 1 pawn"),
    ("(\"the Knight\" on \"n5\")", "knight on n5"),
    ("3 Ps", "3 pawns"),
    ("2 Ns and a P", "2 knights and 1 pawn"),
    ("3 P's", "3 pawns"),
    ("all P’s", "all pawns"),
    ("-2 Pawns", "-2 pawns"),
    ("−2 Pawns", "-2 pawns"),
    ("a Rook, -3 Bishops", "1 rook and -3 bishops"),
];

#[test]
fn pieces_are_named_in_many_ways() {
    for (pieces, meaning) in PIECES {
        let text = format!("Team Player \"Ann\" send {pieces} to Team Player \"Bob\".");
        let expected = (format!("from Ann to Bob: {meaning}"), vec![]);
        assert_eq!(read(&text), Ok(expected), "{text}");
    }
    for quoted in ["\"reinforcements\"", "“Reinforcements”", "'reinforcements'"] {
        let text = format!("Team Player \"Ann\" send {quoted} to Team Player \"Bob\".");
        assert_eq!(
            read(&text),
            Ok(("from Ann to Bob: reinforcements".into(), vec![])),
            "{text}"
        );
    }
}

#[test]
fn the_frame_may_depart_in_what_is_no_word() {
    for (text, departures) in [
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob""#,
            vec!["no-full-stop"],
        ),
        (
            r#"team player "Ann" send Rook to team player "Bob"."#,
            vec!["capitals"],
        ),
        (
            r#"TEAM PLAYER "Ann" SEND Rook TO TEAM PLAYER "Bob"."#,
            vec!["capitals"],
        ),
        (
            r#"Team Player "Ann" Send Rook to Team Player "Bob"."#,
            vec!["capitals"],
        ),
        (
            "Team Player “Ann” send Rook to Team Player “Bob”.",
            vec!["quotes"],
        ),
        (
            "Team Player „Ann“ send Rook to Team Player „Bob“.",
            vec!["quotes"],
        ),
        (
            "Team Player ‘Ann’ send Rook to Team Player 'Bob'.",
            vec!["quotes"],
        ),
        (
            "Team Player «Ann» send Rook to Team Player »Bob«.",
            vec!["quotes"],
        ),
        (
            "Team Player Ann send Rook to Team Player Bob.",
            vec!["no-quotes"],
        ),
        (
            "Team Player Ann send Rook to Team Player \"Bob\".",
            vec!["no-quotes"],
        ),
        (
            r#"Team  Player "Ann" send Rook to Team Player "Bob"."#,
            vec!["spaces"],
        ),
        (
            r#"Team Player "Ann" send Rook  to Team Player "Bob"."#,
            vec!["spaces"],
        ),
        (
            r#"Team Player"Ann"send Rook to Team Player"Bob"."#,
            vec!["spaces"],
        ),
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob" ."#,
            vec!["spaces"],
        ),
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob"!"#,
            vec!["signs"],
        ),
        (
            r#"Team Player "Ann": send Rook to Team Player "Bob"."#,
            vec!["signs"],
        ),
        (
            r#"Team Player "Ann" send Rook, to Team Player "Bob"."#,
            vec!["signs"],
        ),
        (
            r#"Team Player "Ann" send - Rook to Team Player "Bob"."#,
            vec!["signs"],
        ),
        (
            "team player Ann  send Rook to Team Player Bob",
            vec!["capitals", "no-quotes", "spaces", "no-full-stop"],
        ),
        (
            "Team\nPlayer \"Ann\"\nsend Rook to Team\r\nPlayer \"Bob\".",
            vec![],
        ),
    ] {
        assert_eq!(
            read(text),
            Ok(("from Ann to Bob: rook".into(), departures)),
            "{text}"
        );
    }
}

#[test]
fn names_are_read_as_tags_write_them() {
    for (name, meant) in [
        ("\"Mary Ann\"", "Mary Ann"),
        ("\"Mary\nAnn\"", "Mary Ann"),
        ("\"a%3Ab%22\"", "a:b\""),
        ("“O’Neil”", "O’Neil"),
        ("'O'Neil'", "O'Neil"),
        ("Jean-Luc", "Jean-Luc"),
        ("O'Neil", "O'Neil"),
        ("7", "7"),
    ] {
        let text = format!("Team Player {name} send Rook to Team Player \"Bob\".");
        assert_eq!(
            Order::parse(&text).map(|order| order.sender).as_deref(),
            Ok(meant),
            "{text}"
        );
    }
}

#[test]
fn any_further_word_is_another_communication_and_pointed_at() {
    for (text, at) in [
        (r#"Teamplayer "Ann" send Rook to Team Player "Bob"."#, 0),
        (r#"Player "Ann" send Rook to Player "Bob"."#, 0),
        (
            r#"Please Team Player "Ann" send Rook to Team Player "Bob"."#,
            0,
        ),
        (
            r#"Team Player "Ann" please send Rook to Team Player "Bob"."#,
            18,
        ),
        (r#"Team Player "Ann" sends Rook to Team Player "Bob"."#, 18),
        (r#"Team Player "Ann" move Rook to Team Player "Bob"."#, 18),
        (
            r#"Team Player "Ann" send Rook quickly to Team Player "Bob"."#,
            28,
        ),
        (
            r#"Team Player "Ann" send Rook from n5 to Team Player "Bob"."#,
            28,
        ),
        (r#"Team Player "Ann" send help to Team Player "Bob"."#, 23),
        (
            r#"Team Player "Ann" send my Rook to Team Player "Bob"."#,
            23,
        ),
        (
            r#"Team Player "Ann" send no Rook to Team Player "Bob"."#,
            23,
        ),
        (
            r#"Team Player "Ann" send big Rook to Team Player "Bob"."#,
            23,
        ),
        (
            r#"Team Player "Ann" send everything to Team Player "Bob"."#,
            23,
        ),
        (
            r#"Team Player "Ann" send a pair of Rooks to Team Player "Bob"."#,
            25,
        ),
        (r#"Team Player "Ann" send e4 to Team Player "Bob"."#, 23),
        (
            r#"Team Player "Ann" send Knight Pawn to Team Player "Bob"."#,
            30,
        ),
        (
            r#"Team Player "Ann" send Knight on road to Team Player "Bob"."#,
            33,
        ),
        (
            r#"Team Player "Ann" send Rook or Pawn to Team Player "Bob"."#,
            28,
        ),
        (
            r#"Team Player "Ann" send Rook and then Pawn to Team Player "Bob"."#,
            32,
        ),
        (
            r#"Team Player "Ann" send some reinforcements to Team Player "Bob"."#,
            28,
        ),
        (
            r#"Team Player "Ann" send reinforcements and a Pawn to Team Player "Bob"."#,
            38,
        ),
        (r#"Team Player "Ann" send Rook to "Bob"."#, 31),
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob" now."#,
            49,
        ),
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob". Hurry!"#,
            50,
        ),
        (
            r#"Team Player "Ann" send Rook to Team Player "Bob" (board B)."#,
            49,
        ),
        ("Team Player Mary Ann send Rook to Team Player \"Bob\".", 17),
        (r#"Team Player "" send Rook to Team Player "Bob"."#, 12),
        (r#"Team Player "Ann send Rook"#, 12),
        ("Attack!", 0),
        ("", 0),
    ] {
        assert_eq!(read(text), Err(at), "{text}");
    }
}

#[test]
fn what_cannot_be_carried_out_is_no_offence() {
    let [own, other] =
        [["Ann", "Bob", "Cy"], ["Di", "Ed", "Flo"]].map(|team| team.map(String::from));
    let has = |role| match role {
        Role::Pawn => 14,
        Role::Queen => 0,
        _ => 2,
    };
    let stands = |role, on: Square| role == Role::Knight && on == Square::new(13, 4);
    for (words, why) in [
        ("\"Ann\" send a Rook to Team Player \"Cy\"", None),
        ("\"Ann\" send the Knight on n5 to Team Player \"Cy\"", None),
        ("\"Ann\" send all Pawns to Team Player \"Cy\"", None),
        (
            "\"Zoe\" send a Rook to Team Player \"Bob\"",
            Some("no player of the team is called Zoe"),
        ),
        (
            "\"ann\" send a Rook to Team Player \"Bob\"",
            Some("no player of the team is called ann"),
        ),
        (
            "\"Ann\" send a Rook to Team Player \"Di\"",
            Some("Di is of the other team"),
        ),
        (
            "\"Di\" send a Rook to Team Player \"Ed\"",
            Some("Di is of the other team"),
        ),
        (
            "\"Ann\" send a Rook to Team Player \"Ann\"",
            Some("both players are the same"),
        ),
        (
            "\"Ann\" send the King to Team Player \"Bob\"",
            Some("a king never leaves its board"),
        ),
        (
            "\"Ann\" send 3 Rooks to Team Player \"Bob\"",
            Some("Ann has 2 rooks, not 3"),
        ),
        (
            "\"Ann\" send a Rook and 2 Rooks to Team Player \"Bob\"",
            Some("Ann has 2 rooks, not 3"),
        ),
        (
            "\"Ann\" send both Queens to Team Player \"Bob\"",
            Some("Ann has no queen"),
        ),
        (
            "\"Ann\" send all Queens to Team Player \"Bob\"",
            Some("Ann has no queen"),
        ),
        (
            "\"Ann\" send -2 Pawns to Team Player \"Bob\"",
            Some("nobody can send -2 pawns"),
        ),
        (
            "\"Ann\" send 0 Rooks to Team Player \"Bob\"",
            Some("no rook is to be sent"),
        ),
        (
            "\"Ann\" send Rn5 to Team Player \"Bob\"",
            Some("Ann has no rook on n5"),
        ),
        (
            "\"Ann\" send the Knight on n15 to Team Player \"Bob\"",
            Some("there is no square n15"),
        ),
        (
            "\"Ann\" send Nz5 to Team Player \"Bob\"",
            Some("there is no square z5"),
        ),
        (
            "\"Ann\" send Knights on n5 and n5 to Team Player \"Bob\"",
            Some("n5 is named twice"),
        ),
        (
            "\"Ann\" send 2 Knights on n5 to Team Player \"Bob\"",
            Some("2 knights do not stand on 1 square"),
        ),
    ] {
        let order = Order::parse(&format!("Team Player {words}.")).unwrap();
        let unfit = order
            .unfit(&own, &other)
            .or_else(|| order.lacking(has, stands));
        assert_eq!(unfit.as_deref(), why, "{words}");
    }
}

#[test]
fn signs_inside_the_quotation_marks_of_a_name_do_not_bind() {
    let own = ["Ann", "Bob", "Cy Jr."].map(String::from);
    let other = ["Di", "Bob!"].map(String::from);
    for (sender, receiver, meant) in [
        ("Ann", "Bob.", ["Ann", "Bob"]),
        ("Ann,", " Bob ", ["Ann", "Bob"]),
        ("Ann", "Cy Jr", ["Ann", "Cy Jr."]),
        ("Ann", "Cy Jr.", ["Ann", "Cy Jr."]),
        ("Ann", "Bob!", ["Ann", "Bob!"]),
        ("Ann", "Zoe.", ["Ann", "Zoe."]),
    ] {
        let text = format!("Team Player \"{sender}\" send Rook to Team Player \"{receiver}\"");
        let order = Order::parse(&text).unwrap().among(&[&own, &other]);
        assert_eq!([order.sender, order.receiver], meant, "{text}");
    }
}

#[test]
fn the_first_word_says_whose_captain_it_was() {
    for (arguments, side, words) in [
        ("W Team", Some(Side::White), "Team"),
        ("B  Team", Some(Side::Black), "Team"),
        ("W\nTeam", Some(Side::White), "Team"),
        ("W: Team", Some(Side::White), "Team"),
        ("white Team", Some(Side::White), "Team"),
        ("Black, Team", Some(Side::Black), "Team"),
        ("W", Some(Side::White), ""),
        ("Team Player", None, "Team Player"),
        ("Watch out!", None, "Watch out!"),
        ("", None, ""),
    ] {
        assert_eq!(addressed(arguments), (side, words), "{arguments}");
    }
}
