//! What screens show of a record, made beside the one who keeps it, who does not wait for it.

use super::hall::links;
use crate::{
    commands::view::{
        growing::Growing,
        page::{Name, Parts, Stills},
        step_changes::drawings,
    },
    options::without_findings,
    page, ui,
};
use overboard_desk::{
    hall::{Eyes, Hall, Now, Shown},
    keeper::Keeper,
};
use overboard_formats::limits::Limits;
use overboard_referee::Options;
use serde_json::{Map, Value, json};
use std::{
    io,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// A state of the game that is to be shown.
struct Seen {
    eyes: Eyes,
    text: String,
    beside: Map<String, Value>,
}

/// Has what screens show made by another thread.
pub struct Painter {
    to: Sender<Vec<Seen>>,
    hall: Arc<Hall>,
    /// Whether the result can be entered in an event.
    is_in_event: bool,
}

impl Painter {
    pub fn of(hall: &Arc<Hall>, file: String, is_in_event: bool) -> Self {
        let (to, seen) = channel();
        let painted = Arc::clone(hall);
        thread::spawn(move || paint(&seen, &painted, &file));
        Self {
            to,
            hall: Arc::clone(hall),
            is_in_event,
        }
    }

    /// Has the state of a record shown.
    pub fn show(&self, keeper: &Keeper) {
        self.hall.admit(keeper.players());
        let whole = keeper.text();
        let all = Eyes::ALL.map(|eyes| Seen {
            eyes,
            text: keeper.seen(&whole, eyes),
            beside: self.beside(keeper, eyes),
        });
        let _ = self.to.send(all.into());
    }

    /// What is shown beside the record.
    fn beside(&self, keeper: &Keeper, eyes: Eyes) -> Map<String, Value> {
        let mut beside = Map::new();
        beside.insert("now".into(), json!(Now::of(keeper, eyes)));
        if eyes == Eyes::Arbiter {
            beside.insert("links".into(), json!(links(keeper, &self.hall)));
            beside.insert("event".into(), json!(self.is_in_event));
        }
        beside
    }
}

/// Paints the newest state each time; those that have passed meanwhile are left out.
fn paint(states: &Receiver<Vec<Seen>>, hall: &Hall, file: &str) {
    let mut drawn = Eyes::ALL.map(|_| Growing::default());
    while let Ok(first) = states.recv() {
        let newest = states.try_iter().last().unwrap_or(first);
        // Most of the time all eyes see the same.
        let mut last: Option<(String, Arc<Map<String, Value>>)> = None;
        for (Seen { eyes, text, beside }, drawn) in newest.into_iter().zip(&mut drawn) {
            let game = match last.take().filter(|(known, _)| *known == text) {
                Some((_, game)) => game,
                None => match parts(&text, file, drawn) {
                    Ok(game) => Arc::new(game),
                    Err(error) => {
                        ui::warn(&error.to_string());
                        continue;
                    }
                },
            };
            last = Some((text, Arc::clone(&game)));
            hall.show(eyes, Shown { game, beside });
        }
    }
}

/// What the page shows of a record: the same as `view` does.
fn parts(text: &str, file: &str, drawn: &mut Growing) -> io::Result<Map<String, Value>> {
    let options = Options {
        limits: Limits {
            so_far: true,
            ..Limits::default()
        },
        ..without_findings(Options::default())
    };
    let followed = drawn.follow(text, &options)?;
    let name = Name {
        address: "g1",
        file,
    };
    let parts = Parts::of(followed, name, "", Stills::None);
    let (defs, shapes) = drawings(parts.animation);
    let mut all = parts.changes;
    for (name, part) in [
        ("title", json!(parts.title.shown())),
        ("head", json!(page::text(parts.head))),
        ("facts", json!(page::text(parts.facts))),
        ("moves", json!(page::text(parts.moves))),
        ("legend", json!(page::text(parts.legend))),
        ("defs", json!(defs)),
        ("shapes", shapes),
        ("record", json!(text)),
    ] {
        all.insert(name.into(), part);
    }
    Ok(all)
}
