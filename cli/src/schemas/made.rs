//! Makes JSON Schemas from types.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Map, Value};

/// For whom a schema is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    /// For readers of what the program writes: what is always written is required.
    Written,
    /// For both sides of a dialogue: what may be left out is not required.
    Read,
}

/// What a schema says besides its types.
pub struct Outline {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub writers: &'static [&'static str],
}

impl Outline {
    /// The text of the schema of a value that is of one of these types.
    pub fn schema(
        &self,
        contract: Contract,
        types: &[fn(&mut SchemaGenerator) -> Schema],
    ) -> String {
        let settings = SchemaSettings::draft2020_12();
        let settings = match contract {
            Contract::Written => settings
                .for_serialize()
                .with_transform(RecursiveTransform(without_nulls)),
            Contract::Read => settings.for_deserialize(),
        };
        let mut generator = settings
            .with_transform(RecursiveTransform(tidy))
            .into_generator();
        let mut root = Schema::default();
        match types {
            [one] => root = one(&mut generator),
            many => {
                let many = many.iter().map(|one| one(&mut generator).to_value());
                root.insert("anyOf".into(), Value::Array(many.collect()));
            }
        }
        for transform in generator.transforms_mut() {
            transform.transform(&mut root);
        }
        let writers: Vec<_> = self
            .writers
            .iter()
            .map(|writer| format!("`overboard {writer}`"))
            .collect();
        let about = format!("{} Written by {}.", self.about, writers.join(", "));
        for (key, value) in [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("$id", &*format!("urn:overboard:schema:{}:1", self.name)),
            ("title", self.title),
            ("description", &*about),
        ] {
            root.insert(key.into(), value.into());
        }
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            root.insert("$defs".into(), Value::Object(definitions));
        }
        // A schema can always be serialised.
        let mut text = serde_json::to_string_pretty(&root).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Leaves out what is about Rust: formats of numbers, and line ends in descriptions. Leaves out too that there are no
/// other keys, since later versions may write some.
fn tidy(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = without_line_ends(text);
    }
}

fn without_line_ends(text: &str) -> String {
    let mut paragraphs = Vec::new();
    for paragraph in text.split("\n\n") {
        paragraphs.push(paragraph.replace('\n', " "));
    }
    paragraphs.join("\n\n")
}

/// Takes `null` from the types of keys that are not written without a value.
fn without_nulls(schema: &mut Schema) {
    let required = required(schema);
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (key, of) in properties {
        if let Value::Object(of) = of
            && !required.contains(&Value::String(key.clone()))
        {
            without_null(of);
        }
    }
}

fn required(schema: &Schema) -> Vec<Value> {
    match schema.get("required") {
        Some(Value::Array(keys)) => keys.clone(),
        _ => Vec::new(),
    }
}

fn without_null(schema: &mut Map<String, Value>) {
    without_null_type(schema);
    without_null_alternative(schema);
}

fn without_null_type(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|of| of != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            schema.insert("type".into(), one);
        }
    }
}

fn without_null_alternative(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.retain(|of| of["type"] != "null");
        if let [Value::Object(one)] = &alternatives[..] {
            let one = one.clone();
            schema.remove("anyOf");
            schema.extend(one);
        }
    }
}
