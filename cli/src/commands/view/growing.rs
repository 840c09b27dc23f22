//! Follows a record again and again while its game is played: what has been drawn of it is not drawn again.

use super::{Empty, Followed, follow_text, recorder::Recorder};
use overboard_formats::parse::{Event, Parser};
use overboard_games::referee::AnyReferee;
use overboard_referee::{Options, rows::SeenRow};
use std::{collections::VecDeque, io};

/// The rows at the end that are drawn each time: remarks may still be added to them, and acts are taken back.
const LOOSE: usize = 4;

/// A record that grows.
#[derive(Default)]
pub struct Growing {
    /// What is drawn, without the last rows.
    drawn: Option<Recorder>,
}

/// What came of following a record from where it was drawn.
enum Attempt {
    Followed(Box<Followed>),
    /// What was drawn is not in the record any more.
    Changed,
    /// Its variations are drawn in their place, so nothing is kept.
    HasVariations,
}

impl Growing {
    /// Follows a record as it stands.
    ///
    /// # Errors
    /// Those of reading it.
    pub fn follow(&mut self, text: &str, options: &Options) -> io::Result<Followed> {
        let empty = || Empty {
            goes_on: true,
            ..Empty::default()
        };
        let drawn = self.drawn.take();
        for recorder in drawn.into_iter().chain([Recorder::new(empty())]) {
            match self.go_on(recorder, text, options)? {
                Attempt::Followed(followed) => return Ok(*followed),
                Attempt::Changed => {}
                Attempt::HasVariations => break,
            }
        }
        follow_text(text, options, empty())
    }

    /// Follows a record whose first rows may have been drawn.
    fn go_on(
        &mut self,
        mut recorder: Recorder,
        text: &str,
        options: &Options,
    ) -> io::Result<Attempt> {
        let mut parser = Parser::new(text.as_bytes(), 0, options.limits);
        let mut referee = AnyReferee::new(Options {
            rows: true,
            scenes: true,
            ..options.clone()
        });
        let known = recorder.rows().len();
        let mut at = 0;
        let mut loose: VecDeque<SeenRow> = VecDeque::new();
        loop {
            let event = parser.next()?;
            if matches!(event, Event::RavOpen | Event::Done) {
                return Ok(Attempt::HasVariations);
            }
            referee.hear(event, &parser);
            if event == Event::Begin {
                referee.draw_from(known as u64);
            }
            if recorder.is_full() {
                referee.stop_drawing();
            }
            let report = (event == Event::End).then(|| referee.take_report(&mut parser));
            while let Some(seen) = referee.next_seen() {
                if at < known && recorder.rows()[at] != seen.row {
                    return Ok(Attempt::Changed);
                }
                if at >= known {
                    loose.push_back(seen);
                }
                at += 1;
                if loose.len() > LOOSE
                    && let Some(seen) = loose.pop_front()
                {
                    recorder.take(seen);
                }
            }
            let Some(report) = report else {
                continue;
            };
            if at < known {
                return Ok(Attempt::Changed);
            }
            let mut whole = recorder.clone();
            for seen in loose {
                whole.take(seen);
            }
            self.drawn = Some(recorder);
            let words = referee.words_left_out();
            let followed = whole.finish(report, Some(text.to_owned()), words);
            return Ok(Attempt::Followed(Box::new(followed)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::view::page::{Name, Parts, Stills};
    use overboard_formats::limits::Limits;

    fn options() -> Options {
        Options {
            count_notes: true,
            limits: Limits {
                so_far: true,
                ..Limits::default()
            },
            ..Options::default()
        }
    }

    fn steps(followed: Followed) -> String {
        let name = Name {
            address: "g1",
            file: "game.npgn",
        };
        let parts = Parts::of(followed, name, "", Stills::None);
        let moves = parts.moves.into_string();
        format!("{:?}\n{moves}", parts.changes)
    }

    /// Each state of a record looks as it does when nothing of it was drawn before.
    #[test]
    fn what_has_grown_looks_the_same() {
        let head = "[Variant \"Overchess\"]\n\n";
        let states = [
            "1. e4 *",
            "1. e4 d5 *",
            "1. e4 d5 2. exd5 *",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 *> *",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Qh5 Nc6 3. Bc4 {a slip} Nf6 *> *",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Qh5 Nc6 3. Bc4 {a slip} Nf6 4. Qxf7# 1-0> *",
            "1. e4 d5 2. exd5 <d5: 1. e4 e5 2. Qh5 Nc6 *> *",
            "1. e4 d5 2. Nf3 *",
            "1. e4 d5 2. Nf3 {now} (2. exd5) Nf6 *",
        ];
        let mut growing = Growing::default();
        for state in states {
            let text = format!("{head}{state}\n");
            let grown = growing.follow(&text, &options()).unwrap();
            let anew = Growing::default().follow(&text, &options()).unwrap();
            assert_eq!(steps(grown), steps(anew), "{state}");
        }
    }
}
