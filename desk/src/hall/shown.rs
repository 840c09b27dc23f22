//! What is to be seen of a game: parts of a page, and how one state of them follows from another.

use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What is to be seen of a game at a moment. A part of a page is a text or a list, which mostly grows at its end; anything
/// else is sent whole where it changes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shown {
    /// What everybody sees who may see the same of the record.
    pub game: Arc<Map<String, Value>>,
    /// What is for these eyes beside it.
    pub beside: Map<String, Value>,
}

impl Shown {
    fn parts(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.game.iter().chain(&self.beside)
    }

    fn part(&self, name: &str) -> Option<&Value> {
        self.beside.get(name).or_else(|| self.game.get(name))
    }

    /// What a page needs that has nothing yet.
    pub(super) fn whole(&self) -> String {
        let all: Map<_, _> = self
            .parts()
            .map(|(name, part)| (name.clone(), part.clone()))
            .collect();
        line(&json!({ "whole": all }))
    }

    /// What a page needs that has what was shown before: of each text and list that has changed, how much of it stays,
    /// counted as scripts count, and what comes after that.
    pub(super) fn since(&self, before: &Self) -> String {
        let mut change = Map::new();
        for (name, part) in self.parts() {
            let was = before.part(name);
            if was != Some(part) {
                change.insert(name.clone(), since(was, part));
            }
        }
        for (name, _) in before.parts() {
            if self.part(name).is_none() {
                change.insert(name.clone(), json!({ "is": null }));
            }
        }
        line(&json!({ "change": change }))
    }
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}

fn since(was: Option<&Value>, is: &Value) -> Value {
    match (was, is) {
        (Some(Value::Array(was)), Value::Array(is)) => {
            let same = was.iter().zip(is).take_while(|(was, is)| was == is);
            let kept = same.count();
            json!({ "keep": kept, "add": is[kept..] })
        }
        (Some(Value::String(was)), Value::String(is)) => {
            let kept = shared(was, is);
            let units = is[..kept].encode_utf16().count();
            json!({ "keep": units, "add": is[kept..] })
        }
        _ => json!({ "is": is }),
    }
}

/// The bytes that two texts have in common at their beginning, as whole characters.
fn shared(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes());
    let mut shared = same.take_while(|(one, other)| one == other).count();
    while !one.is_char_boundary(shared) || !other.is_char_boundary(shared) {
        shared -= 1;
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: Value) -> Shown {
        let Value::Object(parts) = parts else {
            panic!("no object");
        };
        Shown {
            game: Arc::new(parts),
            beside: Map::new(),
        }
    }

    #[test]
    fn only_what_is_new_is_sent() {
        let before = shown(json!({"moves": "1. é4", "steps": [1, 2], "due": "White", "gone": 1}));
        let after = shown(json!({"moves": "1. é4 è5", "steps": [1, 3, 4], "due": "White"}));
        let line: Value = serde_json::from_str(&after.since(&before)).unwrap();
        let change = json!({
            "moves": {"keep": 5, "add": " è5"},
            "steps": {"keep": 1, "add": [3, 4]},
            "gone": {"is": null},
        });
        assert_eq!(line, json!({ "change": change }));
    }
}
