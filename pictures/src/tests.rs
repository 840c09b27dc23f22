//! What both writers make of the same diagrams.

use crate::{
    diagram::{Cell, Diagram, DrawnPiece, Panel, PanelRow},
    scenes, svg, text,
};
use overboard_rules::{
    by_side::BySide,
    square::{Piece, Role, Side, Square},
};
use std::collections::BTreeSet;

const ASCII: text::Options = text::Options {
    ascii: true,
    styled: false,
    boxed: false,
    width: 80,
};

fn lines(diagram: &Diagram, options: text::Options) -> Vec<String> {
    text::draw(diagram, &options)
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn olympic_chess_in_letters() {
    let expected = "\
Réti – Łuczak, after 12. c5=G

   Olympic Chess
   Black to move, holds B S
5   r  . +P  .  k
4   .  b  .  .  g
3   .  . +s  .  .
2   .  S  .  B  .
1   K  G  .  .  .
    a  b  c  d  e
   White holds R 2P
";
    assert_eq!(text::draw(&scenes::olympic(), &ASCII), expected);
}

#[test]
fn olympic_chess_in_figures_and_lines() {
    let options = text::Options {
        boxed: true,
        ..text::Options::default()
    };
    let expected = "\
   ┌────┬────┬────┬────┬────┐
5  │  ♜ │    │ +P │    │  ♚ │
   ├────┼────┼────┼────┼────┤
4  │    │  ♝ │    │    │  g │
   ├────┼────┼────┼────┼────┤
3  │    │    │ +s │    │    │
   ├────┼────┼────┼────┼────┤
2  │    │  S │    │  ♗ │    │
   ├────┼────┼────┼────┼────┤
1  │  ♔ │  G │    │    │    │
   └────┴────┴────┴────┴────┘
      a    b    c    d    e
";
    assert!(text::draw(&scenes::olympic(), &options).contains(expected));
}

#[test]
fn stacks_are_carrier_and_rider() {
    let letters = lines(&scenes::stacks(), ASCII);
    assert_eq!(letters[5], "4   .    .    B   (Pn)  P    .    .    .");
    let figures = lines(&scenes::stacks(), text::Options::default());
    assert_eq!(figures[5], "4  ·  ·  ♗  ♙♞ ♙  ·  ·  ·");
    let styled = text::draw(
        &scenes::stacks(),
        &text::Options {
            styled: true,
            ..text::Options::default()
        },
    );
    assert_eq!(
        (
            styled.matches("38;5;160m").count(),
            styled.matches("38;5;242m").count()
        ),
        (2, 3),
        "{styled:?}"
    );
}

#[test]
fn pieces_that_contest_a_square_are_drawn_attacker_first() {
    let letters = lines(&scenes::over(), ASCII);
    assert!(
        letters[5].starts_with("5  .   .   .   .   nxP .   .   ."),
        "{}",
        letters[5]
    );
    assert!(
        letters[9].starts_with("1  R39 N39 B39 Q39 K   B39 .   R39"),
        "{}",
        letters[9]
    );
}

#[test]
fn linked_boards_stand_side_by_side_with_a_seam_where_there_is_room() {
    let wide = lines(
        &scenes::linked(),
        text::Options {
            width: 100,
            ..ASCII
        },
    );
    let rank = "7  - - - N - - - - - - - - - - | - - - - - - - - - - - - - R | - - - - - - - - - - - - - -";
    assert!(wide.contains(&rank.to_owned()));
    let tight = lines(&scenes::linked(), ASCII);
    assert!(tight.contains(&"7  ---N---------- | -------------R | --------------".to_owned()));
    assert_eq!(tight[4], "                    Black to move,");
    let narrow = lines(&scenes::linked(), text::Options { width: 40, ..ASCII });
    assert!(narrow.contains(&"7  - - - N - - - - - - - - - -".to_owned()));
    assert_eq!(
        narrow
            .iter()
            .filter(|line| line.contains("a b c d"))
            .count(),
        3
    );
}

#[test]
fn mega_chess_fits_a_terminal_and_reports_the_states_of_mega_pieces() {
    let lines = lines(&scenes::mega(), ASCII);
    assert!(lines.iter().all(|line| line.len() <= 80));
    assert!(lines.contains(
        &"1  |A1 R   w|B1 N   b|C1 B=   |D1 Q  w+|E1 K   w|F1 B   b|G1 N   b|H1 R  w+|".to_owned()
    ));
    assert_eq!(
        lines.last().map(String::as_str),
        Some("! armed, # dethroned, = disarmed")
    );
}

#[test]
fn no_line_is_longer_than_requested_if_possible() {
    for (diagram, width) in scenes::all()
        .iter()
        .flat_map(|diagram| [(diagram, 80), (diagram, 140)])
    {
        if *diagram == scenes::moser() && width == 80 {
            continue;
        }
        for (ascii, styled) in [(false, false), (true, false), (false, true)] {
            let text = text::draw(
                diagram,
                &text::Options {
                    ascii,
                    styled,
                    boxed: true,
                    width,
                },
            );
            assert!(
                text.lines().all(|line| text::columns(line) <= width),
                "{text}"
            );
            assert!(
                !ascii || styled || text.lines().skip(1).all(str::is_ascii),
                "{text}"
            );
        }
    }
}

#[test]
fn colours_say_nothing_that_letters_do_not() {
    let plain = text::draw(&scenes::chess(), &ASCII);
    let styled = text::draw(
        &scenes::chess(),
        &text::Options {
            styled: true,
            ..ASCII
        },
    );
    let mut bare: String = styled
        .split('\u{1b}')
        .skip(1)
        .map(|s| s.split_once('m').unwrap().1)
        .collect();
    bare.insert_str(0, styled.split('\u{1b}').next().unwrap());
    let letters = |text: &str| text.replace(['.', ' ', '\n'], "");
    assert_eq!(letters(&bare), letters(&plain));
}

/// A text that attacks a terminal and a page.
const HOSTILE: &str = "\u{1b}[2J</title><script>\"&'\u{0}\u{ffff}\n]]>";

fn hostile() -> Diagram {
    let panel = Panel {
        title: Some(HOSTILE.into()),
        ..scenes::board(2, "kK/2")
    };
    Diagram {
        caption: Some(HOSTILE.into()),
        ..Diagram::of(panel)
    }
}

#[test]
fn foreign_text_stays_text() {
    let text = text::draw(&hostile(), &ASCII);
    assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2J</title><script>"));
    let svg = svg::draw(&hostile(), &svg::Options::default());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let title = document
        .descendants()
        .find(|node| node.has_tag_name("title"))
        .unwrap();
    assert_eq!(
        title.text(),
        Some("\\u{1b}[2J</title><script>\"&'\\u{0}\u{fffd} ]]>")
    );
    assert!(
        !document
            .descendants()
            .any(|node| node.has_tag_name("script"))
    );
}

fn both_ways(diagram: &Diagram) -> [String; 2] {
    [false, true].map(|letters| {
        svg::draw(
            diagram,
            &svg::Options {
                square: 20,
                letters,
            },
        )
    })
}

#[test]
fn every_drawing_is_well_formed() {
    for svg in scenes::all().iter().flat_map(both_ways) {
        let document = roxmltree::Document::parse(&svg).unwrap();
        let ids: Vec<_> = document
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let unique: BTreeSet<_> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len());
        let uses: BTreeSet<_> = document
            .descendants()
            .filter_map(|node| node.attribute("href"))
            .map(|href| &href[1..])
            .collect();
        assert!(uses.is_subset(&unique));
    }
}

#[test]
fn drawings_have_no_external_references() {
    for svg in scenes::all().iter().flat_map(both_ways) {
        let document = roxmltree::Document::parse(&svg).unwrap();
        let tags: BTreeSet<_> = document
            .descendants()
            .map(|node| node.tag_name().name())
            .collect();
        let known = [
            "", "circle", "defs", "desc", "g", "path", "rect", "svg", "title", "use",
        ];
        assert!(tags.is_subset(&known.into()), "{tags:?}");
        assert_eq!(svg.matches("http").count(), 1);
    }
}

#[test]
fn every_piece_is_drawn_once_and_used_from_there() {
    let svg = svg::draw(&scenes::mega(), &svg::Options::default());
    for letter in "KQRBNPkqrbnp".chars() {
        assert_eq!(
            svg.matches(&format!(r#"<g id="m{letter}""#)).count(),
            1,
            "{letter}"
        );
        assert!(
            svg.matches(&format!(r##"href="#m{letter}""##)).count() > 1,
            "{letter}"
        );
    }
    assert!(!svg.contains(r#"id="mS""#));
}

#[test]
fn sixty_four_boards_stay_small() {
    let svg = svg::draw(&scenes::all_boards(), &svg::Options::default());
    assert!(svg.len() < 60_000, "{}", svg.len());
    let svg = svg::draw(&scenes::mega(), &svg::Options::default());
    assert!(svg.len() < 40_000, "{}", svg.len());
}

fn size(svg: &str) -> (f32, f32) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let number = |name| {
        document
            .root_element()
            .attribute(name)
            .unwrap()
            .parse()
            .unwrap()
    };
    (number("width"), number("height"))
}

#[test]
fn a_drawing_grows_with_its_squares() {
    let drawn = |square| {
        size(&svg::draw(
            &scenes::chess(),
            &svg::Options {
                square,
                letters: false,
            },
        ))
    };
    let ((small, _), (large, _)) = (drawn(24), drawn(200));
    assert!((24.0 * 8.0..24.0 * 9.5).contains(&small) && (1600.0..200.0 * 9.5).contains(&large));
}

#[test]
fn a_drawing_is_scaled_to_the_given_limit() {
    let options = svg::Options {
        square: 100,
        letters: false,
    };
    let whole = svg::draw_within(&scenes::linked(), &options, u32::MAX);
    assert_eq!(
        (whole.size, &whole.svg),
        (whole.asked, &svg::draw(&scenes::linked(), &options))
    );
    let fitted = svg::draw_within(&scenes::linked(), &options, 1000);
    assert_eq!((fitted.asked, fitted.size.0), (whole.asked, 1000));
    assert_eq!(fitted.size.1, 1000 * whole.asked.1 / whole.asked.0);
    assert_eq!(
        size(&fitted.svg),
        (fitted.size.0 as f32, fitted.size.1 as f32)
    );
    // It is the same picture, only smaller.
    let inner = |svg: &str| svg.split_once(" viewBox=").unwrap().1.to_owned();
    assert_eq!(inner(&fitted.svg), inner(&whole.svg));
    assert_eq!(
        svg::draw_within(&scenes::linked(), &options, whole.asked.0).size,
        whole.asked
    );
    assert_eq!(svg::draw_within(&scenes::chess(), &options, 0).size, (1, 1));
}

#[test]
fn a_full_hand_stays_within_the_picture() {
    let hand: Vec<_> = [
        Role::Rook,
        Role::Bishop,
        Role::Gold,
        Role::Silver,
        Role::Pawn,
    ]
    .map(|role| (role, 2))
    .into();
    let panel = Panel {
        hands: Some(BySide::new(hand.clone(), hand)),
        ..scenes::board(5, "k4/5/5/5/4K")
    };
    let svg = svg::draw(
        &Diagram::of(panel),
        &svg::Options {
            square: 100,
            letters: false,
        },
    );
    let document = roxmltree::Document::parse(&svg).unwrap();
    let pawn = document
        .descendants()
        .rfind(|node| node.attribute("href") == Some("#mP"))
        .unwrap();
    let place = pawn.attribute("transform").unwrap();
    let x: f32 = place["translate(".len()..]
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(x + 50.0 < size(&svg).0, "{place}");
}

#[test]
fn a_drawing_is_described_in_words() {
    let svg = svg::draw(&scenes::stacks(), &svg::Options::default());
    assert!(svg.contains("Pd4 (carrier)") && svg.contains("Nd4 (rider)"));
    let svg = svg::draw(&scenes::mega(), &svg::Options::default());
    assert!(svg.contains("KE8 (dethroned)") && svg.contains("PB2 (armed)"));
    assert!(svg.contains("White to move"));
}

#[test]
fn a_diagram_without_boards_is_empty_and_well_formed() {
    let nothing = Diagram {
        rows: vec![PanelRow::default()],
        ..Diagram::default()
    };
    assert_eq!(text::draw(&nothing, &ASCII), "");
    let mut none = Panel::new(0, 0);
    none.put(
        Square::new(0, 0),
        Cell::Piece(DrawnPiece::of(Piece {
            side: Side::White,
            role: Role::King,
        })),
    );
    assert_eq!((none.ranks(), none.squares().count()), (0, 0));
    for diagram in [nothing, Diagram::of(none)] {
        roxmltree::Document::parse(&svg::draw(&diagram, &svg::Options::default())).unwrap();
    }
}

fn flipped(mut diagram: Diagram) -> Diagram {
    diagram.flip();
    diagram
}

#[test]
fn a_board_turned_round_has_the_other_side_below() {
    let expected = "\
Réti – Łuczak, after 12. c5=G

   Olympic Chess
   White holds R 2P
1   .  .  .  G  K
2   .  B  .  S  .
3   .  .  +s .  .
4   g  .  .  b  .
5   k  .  +P .  r
    e  d  c  b  a
   Black to move, holds B S
";
    let text = text::draw(&flipped(scenes::olympic()), &ASCII);
    assert_eq!(
        text.split_whitespace().collect::<Vec<_>>(),
        expected.split_whitespace().collect::<Vec<_>>(),
        "{text}"
    );
}

#[test]
fn linked_boards_turned_round_are_in_the_other_order_and_touch_as_before() {
    let lines = lines(
        &flipped(scenes::linked()),
        text::Options {
            width: 100,
            ..ASCII
        },
    );
    let rank = "7  - - - - - - - - - - - - - - | R - - - - - - - - - - - - - | - - - - - - - - - - N - - -";
    assert!(lines.contains(&rank.to_owned()), "{lines:#?}");
    let places: Vec<_> = ["C: Cy", "B: Bob", "A: Ann"]
        .map(|name| lines[2].find(name))
        .into();
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{places:?}"
    );
    let [first, last] =
        ["1  ", "14 "].map(|rank| lines.iter().position(|line| line.starts_with(rank)));
    assert!(first < last);
}

#[test]
fn boards_on_squares_are_turned_round_with_them() {
    let lines = lines(&flipped(scenes::mega()), ASCII);
    let row = lines
        .iter()
        .position(|line| line.starts_with("1  |H1 R  w+|G1 N   b|"))
        .expect("rank 1 is above");
    // The game on H1 has a rank 1 with the king on e1.
    assert!(
        lines[row + 1].starts_with("   |R..KQBNR|") || lines[row + 1].starts_with("   |RNBKQBNR|"),
        "{lines:#?}"
    );
    let last = lines
        .iter()
        .position(|line| line.starts_with("8  |H8"))
        .expect("rank 8 is below");
    assert!(row < last);
}

#[test]
fn turning_round_twice_changes_nothing() {
    for diagram in scenes::all() {
        let once = flipped(diagram.clone());
        assert_ne!(once, diagram);
        assert_eq!(flipped(once.clone()), diagram);
        assert_eq!(
            size(&svg::draw(&once, &svg::Options::default())).0,
            size(&svg::draw(&diagram, &svg::Options::default())).0
        );
    }
}

/// Where a drawing uses a definition, in the units of its group.
fn uses(svg: &str, id: &str) -> BTreeSet<(i32, i32)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let nodes = document
        .descendants()
        .filter(|node| node.attribute("href") == Some(&format!("#{id}")));
    let place = |node: &roxmltree::Node, name| {
        node.attribute(name)
            .map_or(0, |value| value.parse().unwrap())
    };
    nodes
        .map(|node| (place(&node, "x"), place(&node, "y")))
        .collect()
}

#[test]
fn a_drawing_turned_round_has_every_piece_in_the_opposite_place() {
    let [up, down] = [scenes::chess(), flipped(scenes::chess())].map(|diagram| {
        svg::draw(
            &diagram,
            &svg::Options {
                square: 40,
                letters: false,
            },
        )
    });
    for letter in "KQRBNPkqrbnp".chars() {
        let id = format!("m{letter}");
        let opposite: BTreeSet<_> = uses(&up, &id)
            .into_iter()
            .map(|(x, y)| (7 - x, 7 - y))
            .collect();
        assert_eq!(uses(&down, &id), opposite, "{letter}");
    }
    // The frames of the last ply, d8h4, and of the king in check on e1.
    let frames = |svg: &str| svg.matches(r#"stroke-linejoin="miter""#).count();
    assert_eq!(frames(&up), frames(&down));
    assert!(
        up.contains(r#"<rect x="4.05" y="7.05""#) && down.contains(r#"<rect x="3.05" y="0.05""#)
    );
}

#[test]
fn roads_turned_round_stay_on_their_ranks() {
    let mut panel = Panel {
        roads: vec![0],
        ..scenes::board(2, "2/2/K1")
    };
    let kerb = |panel: &Panel| {
        let svg = svg::draw(&Diagram::of(panel.clone()), &svg::Options::default());
        svg.split(r##"" stroke="#2f566f""##)
            .next()
            .unwrap()
            .rsplit('"')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(kerb(&panel), "M0 2h2");
    panel.flipped = true;
    assert_eq!(kerb(&panel), "M0 1h2");
}
