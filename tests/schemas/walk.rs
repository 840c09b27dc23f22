//! Walks through values, and through schemas beside values.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The places of a value: the keys and indices that lead there.
pub struct Places {
    pub all: Vec<Vec<String>>,
}

impl Places {
    pub fn of(value: &Value) -> Self {
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        let mut next = 0;
        while let Some(here) = all.get(next).cloned() {
            let mut found = value;
            for step in &here {
                found = member(found, step).unwrap();
            }
            let steps: Vec<String> = match found {
                Value::Object(object) => object.keys().cloned().collect(),
                Value::Array(array) => (0..array.len()).map(|index| index.to_string()).collect(),
                _ => Vec::new(),
            };
            let below = steps.into_iter().map(|step| {
                let mut there = here.clone();
                there.push(step);
                there
            });
            all.extend(below);
            next += 1;
        }
        Self { all }
    }

    /// The places without the indices of lists.
    pub fn shape(&self) -> BTreeSet<String> {
        self.all
            .iter()
            .map(|place| without_indices(place))
            .collect()
    }

    /// Of places that differ only in indices, the first one and the last: what stands between is of the same kinds.
    pub fn at_both_ends(self) -> BTreeSet<Vec<String>> {
        let mut ends: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
        for place in self.all {
            let [_, last] = ends
                .entry(without_indices(&place))
                .or_insert_with(|| [place.clone(), place.clone()]);
            *last = place;
        }
        ends.into_values().flatten().collect()
    }
}

fn without_indices(place: &[String]) -> String {
    let step = |step: &String| match step.parse::<usize>() {
        Ok(_) => "*".to_owned(),
        Err(_) => step.clone(),
    };
    place.iter().map(step).collect::<Vec<_>>().join("/")
}

fn member<'a>(value: &'a Value, step: &str) -> Option<&'a Value> {
    match value {
        Value::Object(object) => object.get(step),
        Value::Array(array) => array.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The value at a place.
pub fn place<'a>(value: &'a mut Value, at: &[String]) -> &'a mut Value {
    let mut found = value;
    for step in at {
        found = match found {
            Value::Object(object) => object.get_mut(step).unwrap(),
            Value::Array(array) => &mut array[step.parse::<usize>().unwrap()],
            _ => panic!("no member of {found}"),
        };
    }
    found
}

/// The alternatives that a schema stands for: itself, what it refers to, and what it is composed of.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let mut all = vec![schema];
    let mut next = 0;
    while let Some(this) = all.get(next).copied() {
        if let Some(name) = this["$ref"].as_str() {
            all.push(root.pointer(name.strip_prefix('#').unwrap()).unwrap());
        }
        for word in ["anyOf", "oneOf", "allOf"] {
            all.extend(this[word].as_array().into_iter().flatten());
        }
        next += 1;
    }
    all
}

/// The keys of a value that its schema does not name, by their places.
pub fn unnamed(root: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut waiting = vec![(vec![root], value, String::new())];
    while let Some((schemas, value, at)) = waiting.pop() {
        let schemas: Vec<&Value> = schemas
            .into_iter()
            .flat_map(|schema| alternatives(root, schema))
            .collect();
        match value {
            Value::Array(items) => {
                let of: Vec<&Value> = schemas
                    .iter()
                    .flat_map(|schema| {
                        let listed = schema["prefixItems"].as_array().into_iter().flatten();
                        listed.chain(schema.get("items"))
                    })
                    .filter(|schema| schema.is_object())
                    .collect();
                let items = items
                    .iter()
                    .map(|item| (of.clone(), item, format!("{at}/*")));
                waiting.extend(items);
            }
            Value::Object(object) => {
                for (key, value) in object {
                    let named = schemas
                        .iter()
                        .filter_map(|schema| schema["properties"].get(key));
                    let mapped = schemas
                        .iter()
                        .filter_map(|schema| schema.get("additionalProperties"));
                    let of: Vec<&Value> = named.chain(mapped).collect();
                    let there = format!("{at}/{key}");
                    if of.is_empty() {
                        wrong.push(there);
                    } else {
                        waiting.push((of, value, there));
                    }
                }
            }
            _ => {}
        }
    }
    wrong
}

/// All objects in a schema.
fn parts(schema: &Value) -> Vec<&Value> {
    let mut all = vec![schema];
    let mut next = 0;
    while let Some(this) = all.get(next).copied() {
        match this {
            Value::Object(object) => all.extend(object.values()),
            Value::Array(array) => all.extend(array),
            _ => {}
        }
        next += 1;
    }
    all.retain(|part| part.is_object());
    all
}

/// All descriptions in a schema.
pub fn descriptions(schema: &Value) -> Vec<&str> {
    parts(schema)
        .into_iter()
        .filter_map(|part| part.get("description")?.as_str())
        .collect()
}

/// The keys that a schema names.
pub fn named(schema: &Value) -> BTreeSet<&String> {
    parts(schema)
        .into_iter()
        .filter_map(|part| part.get("properties")?.as_object())
        .flat_map(|properties| properties.keys())
        .collect()
}

/// The keys without a description, but for those that only distinguish kinds of objects.
pub fn undescribed(schema: &Value) -> Vec<&String> {
    parts(schema)
        .into_iter()
        .filter_map(|part| Some((part, part.get("properties")?.as_object()?)))
        .filter(|(part, properties)| properties.len() > 1 || part.get("description").is_none())
        .flat_map(|(_, properties)| properties)
        .filter(|(_, of)| of.get("description").is_none_or(|text| !text.is_string()))
        .filter(|(_, of)| of.get("const").is_none())
        .map(|(key, _)| key)
        .collect()
}
