//! Properties of every game that is written and drawn: positions, plies and whole games are read back from their texts.

use super::Chance;
use crate::depth::tries;
use overboard_formats::{limits::Limits, parse::Parser};
use overboard_games::{
    coordinates::Line,
    referee::{
        AnyReferee,
        replay::{Moment, Replay},
    },
    registry::{AnyGame, AnyPly, Variant},
};
use overboard_pictures::{svg, text};
use overboard_referee::{
    Options,
    finding::Severity,
    game::{position::ReadPosition, san::SanError},
    report::Report,
};
use overboard_rules::{ply::BoardName, variant::Sample};
use std::ops::ControlFlow;

/// A position is read as it was written, and written the same again.
fn positions_come_back(start: &AnyGame, game: &AnyGame, rules: &str) {
    let fen = game.fen();
    let ReadPosition {
        position: again,
        lenient,
        ..
    } = start
        .read_under(&fen, rules)
        .unwrap_or_else(|why| panic!("{fen}: {why}"));
    assert!(
        !lenient && again.fen() == fen,
        "{fen} is read as {}",
        again.fen()
    );
    if game.end_by_itself().is_none() {
        assert_eq!(again.count_legal(), game.count_legal(), "{fen}");
        assert_eq!(
            (again.turn(), again.fullmove()),
            (game.turn(), game.fullmove()),
            "{fen}"
        );
    }
}

fn legal_plies(game: &AnyGame) -> Vec<AnyPly> {
    let mut plies = Vec::new();
    let _ = game.legal(|ply| {
        plies.push(ply);
        ControlFlow::Continue(())
    });
    plies
}

/// A move is found by what people write, on the board on which they write it.
fn moves_come_back(game: &AnyGame, chance: &mut Chance) {
    let mut list = Vec::new();
    game.list_into(&mut list);
    for _ in 0..list.len().min(6) {
        let listed = &list[chance.below(list.len())];
        let (way, text) = listed.san.rsplit_once('.').unwrap_or(("", &listed.san));
        let board = match listed.made {
            Some((board, _)) => BoardName(board.into()).to_string(),
            None => way.to_owned(),
        };
        let at = || format!("{} in {}", listed.san, game.fen());
        match game.by_san(&board, text) {
            Ok(ply) => assert_eq!(game.coordinates(ply), listed.coord, "{}", at()),
            // Acts in brackets and draws among the items of a turn are no moves.
            Err(fault) => assert!(
                matches!(game.variant(), Variant::Over | Variant::Mega)
                    && matches!(fault, SanError::Unreadable(_)),
                "{}: {fault}",
                at()
            ),
        }
    }
}

/// A ply is found by its coordinates, and playing them plays it.
fn plies_come_back(game: &AnyGame, chance: &mut Chance) {
    let plies = legal_plies(game);
    for _ in 0..plies.len().min(6) {
        let ply = plies[chance.below(plies.len())];
        let coordinates = game.coordinates(ply);
        assert_eq!(
            game.by_coordinates(&coordinates),
            Some(ply),
            "{coordinates} in {}",
            game.fen()
        );
        let (san, played) = game.played(&coordinates).unwrap();
        let mut after = game.clone();
        assert!(after.play(ply));
        assert_eq!(
            (san, played.fen()),
            (game.san(ply), after.fen()),
            "{coordinates}"
        );
        assert!(game.by_coordinates(&format!("{coordinates}x")).is_none());
    }
}

/// A list holds every ply once, sorted by coordinates, and its length equals the count.
fn lists_are_whole(game: &AnyGame) {
    let mut list = Vec::new();
    let status = game.list_into(&mut list);
    assert_eq!(status.outcome.is_some(), game.end_by_itself().is_some());
    if status.outcome.is_none() {
        assert_eq!(game.choices(), Some(list.len() as u64));
    }
    assert!(
        list.windows(2).all(|pair| pair[0].coord < pair[1].coord),
        "{}",
        game.fen()
    );
}

/// Every position can be drawn, as a well-formed picture.
fn pictures_are_drawn(game: &AnyGame) {
    let diagram = game.diagram(&[]);
    let picture = svg::draw(&diagram, &svg::Options::default());
    roxmltree::Document::parse(&picture).unwrap();
    for ascii in [false, true] {
        let drawn = text::draw(
            &diagram,
            &text::Options {
                ascii,
                ..text::Options::default()
            },
        );
        assert!(!drawn.is_empty() && (!ascii || drawn.is_ascii()), "{drawn}");
    }
}

/// The report on a record, and the last position of its game.
fn judged(record: &str) -> (Report, Option<AnyGame>) {
    let parser = Parser::new(record.as_bytes(), 0, Limits::default());
    let mut replay = Replay::new(parser, Options::default());
    let mut last = None;
    loop {
        match replay.next_moment().unwrap().unwrap() {
            Moment::Position(_) => last = replay.position(),
            Moment::End(report) => return (*report, last),
        }
    }
}

/// A game is read back from a line of coordinates: the record made of it is clean, and leads to the same position.
fn games_come_back(game: Variant, start: &AnyGame, rules: &str, words: &[String], last: &AnyGame) {
    let line = words.join(" ");
    let read =
        Line::read_under(&line, game, start, rules).unwrap_or_else(|why| panic!("{why}: {line}"));
    let result = last
        .end_by_itself()
        .map_or("*", |ruling| ruling.outcome.as_str());
    let mut record = String::new();
    read.write_record(result, &mut record).unwrap();
    let (report, reached) = judged(&record);
    let wrong: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| (finding.code.id, &finding.message))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{line}\n{record}");
    if let Some(reached) = reached.filter(|_| game != Variant::Over) {
        assert_eq!(reached.fen(), last.fen(), "{line}\n{record}");
    }
}

fn walk(game: Variant, start: &AnyGame, sample: &Sample, seed: u64, plies: usize) {
    let mut chance = Chance(seed);
    let mut here = start.clone();
    let mut words = Vec::new();
    // A turn of many moves is recorded as a whole.
    let is_whole =
        |game: &AnyGame| !matches!(game, AnyGame::Mega(mega) if !mega.is_between_turns());
    for ply in 0.. {
        if ply >= plies && is_whole(&here) {
            break;
        }
        if ply % 5 == 0 {
            positions_come_back(start, &here, sample.rules);
            plies_come_back(&here, &mut chance);
            if here.count_legal() < 3_000 {
                moves_come_back(&here, &mut chance);
                lists_are_whole(&here);
            }
            pictures_are_drawn(&here);
        }
        let list = legal_plies(&here);
        if list.is_empty() || here.end_by_itself().is_some() {
            break;
        }
        let ply = list[chance.below(list.len())];
        words.push(here.coordinates(ply).to_string());
        here.play(ply);
    }
    games_come_back(game, start, sample.rules, &words, &here);
}

#[test]
fn every_game_comes_back_from_its_texts() {
    for game in Variant::ALL {
        for (index, (sample, start)) in game.sampled().enumerate() {
            for seed in 0..tries(2) as u64 {
                let plies = if start.count_legal() > 1_000 { 12 } else { 90 };
                walk(
                    *game,
                    &start,
                    &sample,
                    1_000 * (index as u64 + 1) + seed,
                    plies,
                );
            }
        }
    }
}

/// The registry's entry for each game agrees with the game itself.
#[test]
fn a_referee_is_seated_for_every_game() {
    for game in Variant::ALL {
        for (sample, start) in game.sampled() {
            let tags: String = game
                .tags(start.boards(), sample.level, sample.rules)
                .into_iter()
                .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
                .collect();
            let text = format!("[Event \"?\"]\n[Result \"*\"]\n{tags}\n*\n");
            let mut parser = Parser::new(text.as_bytes(), 0, Limits::default());
            let mut referee = AnyReferee::new(Options::default());
            let report = referee.judge(&mut parser).unwrap().unwrap();
            assert!(
                report
                    .findings
                    .iter()
                    .all(|finding| finding.severity < Severity::Error),
                "{text}"
            );
            let (_, reached) = judged(&text);
            assert_eq!(reached.map(|game| game.fen()), Some(start.fen()), "{text}");
        }
    }
}
