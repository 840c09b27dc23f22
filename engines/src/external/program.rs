//! An engine as the user describes it: its command, its protocol, how long it may think.

use super::pace::{Clock, Control, PaceError, Seconds};
use crate::players::Spec;
use overboard_formats::{
    foreign::Foreign,
    serde_words::{line_and_column, plain},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, SeqAccess, Visitor},
};
use std::{fmt, path::is_separator, time::Duration};
use toml::Spanned;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI.
    Uci,
    /// CECP, the protocol of XBoard, version 2.
    Cecp,
    /// Lines of JSON.
    Lines,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Cecp => "cecp",
            Self::Lines => "lines",
        })
    }
}

/// An external engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its name in this run.
    pub name: Foreign,
    /// The program and its arguments, word by word.
    pub cmd: Vec<String>,
    /// The protocol.
    pub proto: Protocol,
    /// The folder in which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Its clock, as `match --tc` takes it, such as `40/60+0.6`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<Control>,
    /// Seconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub st: Option<Seconds>,
    /// The greatest depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The most nodes for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// By how many seconds a move may exceed its time, and all moves together the time on a clock; 0.05 if absent.
    #[serde(default = "margin", skip_serializing_if = "is_margin")]
    pub margin: Seconds,
    /// Seconds in which it must start, and be ready for a game; 10 if absent.
    #[serde(default = "start", skip_serializing_if = "is_start")]
    pub start: Seconds,
    /// Seconds for a move that no clock limits; 60 if absent.
    #[serde(default = "stall", skip_serializing_if = "is_stall")]
    pub stall: Seconds,
    /// Whether it is restarted for every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// Its own options, each a name and a value, in the order in which they are set.
    #[serde(default, rename = "option", skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// The name that the engine gives itself.
    #[serde(default, skip_serializing_if = "Foreign::is_empty")]
    pub id: Foreign,
}

const fn margin() -> Seconds {
    Seconds::of_millis(50)
}

const fn start() -> Seconds {
    Seconds::of_millis(10_000)
}

const fn stall() -> Seconds {
    Seconds::of_millis(60_000)
}

fn is_margin(time: &Seconds) -> bool {
    *time == margin()
}

fn is_start(time: &Seconds) -> bool {
    *time == start()
}

fn is_stall(time: &Seconds) -> bool {
    *time == stall()
}

/// Why a description of an engine is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProgramError {
    /// Quotation marks are not closed.
    #[error("engine `{}`: a quotation mark is not closed", .0.shown())]
    Quotes(Foreign),
    /// A word is not of the form `key=value`.
    #[error(
        "engine `{}`: expected key=value, found `{}`; put a value with spaces in quotation marks",
        .of.shown(),
        .word.shown()
    )]
    Word {
        /// The description.
        of: Foreign,
        /// The word.
        word: Foreign,
    },
    /// The key is unknown.
    #[error("engine `{}`: unknown key `{}`; {KEYS}", .of.shown(), .key.shown())]
    Key {
        /// The engine.
        of: Foreign,
        /// The key.
        key: Foreign,
    },
    /// The value is invalid.
    #[error("engine `{}`: {key}: {}", .of.shown(), .why.shown())]
    Value {
        /// The engine.
        of: Foreign,
        /// The key.
        key: &'static str,
        /// The reason.
        why: Foreign,
    },
    /// Something required is missing.
    #[error("engine `{}`: {what}", .of.shown())]
    Missing {
        /// The engine.
        of: Foreign,
        /// What is missing.
        what: &'static str,
    },
    /// The file is not a list of engines.
    #[error("line {line}, column {column}: {}", .why.line())]
    File {
        /// The line, from 1.
        line: u64,
        /// The column, from 1, in characters.
        column: u64,
        /// The reason.
        why: Foreign,
    },
}

/// The keys of a description.
const KEYS: &str = "expected name, cmd, proto, dir, tc, st, depth, nodes, margin, start, stall, restart or option.NAME";

/// What a description may have for all engines of a run: what an engine says of itself goes first.
#[derive(Clone, Default)]
pub struct Each(Described);

/// A description, in which anything may be missing.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    name: Option<Foreign>,
    cmd: Option<Words>,
    proto: Option<Protocol>,
    dir: Option<String>,
    tc: Option<Text>,
    st: Option<Text>,
    depth: Option<u32>,
    nodes: Option<u64>,
    margin: Option<Text>,
    start: Option<Text>,
    stall: Option<Text>,
    restart: Option<bool>,
    #[serde(default)]
    option: Options,
}

/// A command, as one string or word by word.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

/// A string, or a number in its place.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(u64),
    Number(f64),
    Words(String),
    Switch(bool),
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Words(text) => f.write_str(text),
            Self::Switch(switch) => write!(f, "{switch}"),
        }
    }
}

/// Options, as a table, or as a list of `NAME=VALUE`, which keeps its order.
#[derive(Clone, Default)]
struct Options(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Options;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of options, or a list such as [\"Hash=16\"]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Options, A::Error> {
                let mut options = Vec::new();
                while let Some((name, value)) = map.next_entry::<Spanned<String>, Text>()? {
                    options.push((name.span().start, (name.into_inner(), value.to_string())));
                }
                // A TOML table loses the order of its keys, but the engine must get options in the order in which they
                // are written.
                options.sort_by_key(|(at, _)| *at);
                Ok(Options(
                    options.into_iter().map(|(_, option)| option).collect(),
                ))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Options, A::Error> {
                let mut options = Vec::new();
                while let Some(text) = list.next_element::<String>()? {
                    let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                    options.push((name.to_owned(), value.to_owned()));
                }
                Ok(Options(options))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The words of a text, as a shell splits it. On Windows a backslash is part of a path and quotes nothing.
fn split(text: &str) -> Result<Vec<String>, ProgramError> {
    let words = if cfg!(windows) {
        shlex::split(&text.replace('\\', r"\\"))
    } else {
        shlex::split(text)
    };
    words.ok_or_else(|| ProgramError::Quotes(text.into()))
}

impl Program {
    /// Parses an engine from words such as `name=A cmd="stockfish" proto=uci tc=10+0.1 option.Hash=16`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn described(text: &str) -> Result<Self, ProgramError> {
        Self::described_with(text, &Each::default())
    }

    /// The same, with what holds for each engine.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn described_with(text: &str, each: &Each) -> Result<Self, ProgramError> {
        let (described, of) = Described::of(text)?;
        described.or(&each.0).whole(of)
    }

    /// Parses a file of engines: TOML with a table `[[engine]]` for each, and perhaps a table `[each]` for all of them,
    /// which goes before the other one.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn listed(text: &str, each: &Each) -> Result<Vec<Self>, ProgramError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            #[serde(default)]
            each: Described,
            engine: Vec<Described>,
        }
        let file: File = toml::from_str(text).map_err(|error: toml::de::Error| {
            let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
            ProgramError::File {
                line,
                column,
                why: plain(error.message()).into(),
            }
        })?;
        let Each(each) = Each::of(file.each.or(&each.0))?;
        let whole = |(number, described): (usize, Described)| {
            let of = format!("number {}", number + 1).into();
            described.or(&each).whole(of)
        };
        file.engine.into_iter().enumerate().map(whole).collect()
    }

    /// Whether it depends on a clock, so that its games cannot be reproduced.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        self.tc.is_some() || self.st.is_some()
    }

    /// How long it may take for a move by its clock. The margin is for a move that is late by accident: what it takes of
    /// it is owed, so that it has the less for the next.
    #[must_use]
    pub fn time_for_a_move(&self, clock: Option<Clock>) -> Duration {
        let left = clock.map(|clock| clock.left);
        let own = self.st.map(Seconds::duration);
        let Some(limit) = left.into_iter().chain(own).min() else {
            return self.stall.duration();
        };
        let owed = clock.map_or(Duration::ZERO, |clock| clock.owed);
        limit + self.margin.duration().saturating_sub(owed)
    }

    /// Checks that the description is consistent.
    ///
    /// # Errors
    /// What is inconsistent.
    pub fn check(&self) -> Result<(), ProgramError> {
        let missing = |what| {
            Err(ProgramError::Missing {
                of: self.name.clone(),
                what,
            })
        };
        if self.name.is_empty() || self.name.as_it_came().contains(char::is_control) {
            return missing(
                "a name needs at least one letter, and may not contain control characters",
            );
        }
        if self.name.as_it_came().parse::<Spec>().is_ok() {
            return missing("a built-in player has this name; give the engine another one");
        }
        if self.cmd.first().is_none_or(String::is_empty) {
            return missing("`cmd` is empty; it must name a program");
        }
        if !self.is_timed() && self.depth.is_none() && self.nodes.is_none() {
            return missing(
                "no time limit or search limit is given: add tc=10+0.1, st=0.5, depth=8 or nodes=20000",
            );
        }
        if [self.depth.map(u64::from), self.nodes].contains(&Some(0))
            || self.st.is_some_and(|st| st.millis() == 0)
        {
            return missing("`st`, `depth` and `nodes` must be more than 0");
        }
        if self.start.millis() == 0 || self.stall.millis() == 0 {
            return missing("`start` and `stall` must be more than 0");
        }
        // A line of a protocol must be one line.
        let is_one_line = |text: &str| !text.contains(['\n', '\r']);
        if !self
            .options
            .iter()
            .all(|(name, value)| !name.is_empty() && is_one_line(name) && is_one_line(value))
        {
            return missing("an option needs a name, and may not contain a line break");
        }
        Ok(())
    }
}

/// The values of `proto`.
const PROTOCOLS: &str = "expected uci, cecp or lines";

fn protocol(word: &str) -> Option<Protocol> {
    [Protocol::Uci, Protocol::Cecp, Protocol::Lines]
        .into_iter()
        .find(|proto| proto.to_string() == word)
}

fn switch(word: &str) -> Option<bool> {
    match word {
        "yes" | "on" | "true" => Some(true),
        "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

impl Each {
    /// Parses words such as `tc=10+0.1 option.Hash=16`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn described(text: &str) -> Result<Self, ProgramError> {
        Self::of(Described::of(text)?.0)
    }

    fn of(described: Described) -> Result<Self, ProgramError> {
        if described.name.is_some() || described.cmd.is_some() {
            return Err(ProgramError::Missing {
                of: "each".into(),
                what: "`name` and `cmd` are of one engine; give them with that engine",
            });
        }
        Ok(Self(described))
    }
}

impl Described {
    /// Parses words, and returns them with what to call the engine in messages.
    fn of(text: &str) -> Result<(Self, Foreign), ProgramError> {
        let words = split(text)?;
        let mut described = Described::default();
        let mut of = Foreign::from(text);
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                return Err(ProgramError::Word {
                    of,
                    word: word.into(),
                });
            };
            let wrong = |key, why: String| ProgramError::Value {
                of: of.clone(),
                key,
                why: why.into(),
            };
            let number = |key| {
                value
                    .parse::<u64>()
                    .map_err(|_| wrong(key, format!("expected a whole number, found `{value}`")))
            };
            let text = || Some(Text::Words(value.to_owned()));
            match key {
                "name" => {
                    of = value.into();
                    described.name = Some(value.into());
                }
                "cmd" => described.cmd = Some(Words::One(value.to_owned())),
                "proto" => {
                    described.proto =
                        Some(protocol(value).ok_or_else(|| wrong("proto", PROTOCOLS.into()))?);
                }
                "dir" => described.dir = Some(value.to_owned()),
                "tc" => described.tc = text(),
                "st" => described.st = text(),
                "margin" => described.margin = text(),
                "start" => described.start = text(),
                "stall" => described.stall = text(),
                "depth" => {
                    described.depth = Some(u32::try_from(number("depth")?).unwrap_or(u32::MAX));
                }
                "nodes" => described.nodes = Some(number("nodes")?),
                "restart" => {
                    let restart = switch(value);
                    described.restart =
                        Some(restart.ok_or_else(|| wrong("restart", "expected yes or no".into()))?);
                }
                _ => match key.strip_prefix("option.") {
                    Some(name) => described.option.0.push((name.to_owned(), value.to_owned())),
                    None => {
                        return Err(ProgramError::Key {
                            of,
                            key: key.into(),
                        });
                    }
                },
            }
        }
        Ok((described, of))
    }

    /// This, and where it says nothing, what holds for each engine. Its own options are set last.
    fn or(self, each: &Self) -> Self {
        let each = each.clone();
        let is_its_own = |name: &str| self.option.0.iter().any(|(own, _)| own == name);
        let mut options = each.option.0;
        options.retain(|(name, _)| !is_its_own(name));
        options.extend(self.option.0);
        Self {
            name: self.name,
            cmd: self.cmd,
            proto: self.proto.or(each.proto),
            dir: self.dir.or(each.dir),
            tc: self.tc.or(each.tc),
            st: self.st.or(each.st),
            depth: self.depth.or(each.depth),
            nodes: self.nodes.or(each.nodes),
            margin: self.margin.or(each.margin),
            start: self.start.or(each.start),
            stall: self.stall.or(each.stall),
            restart: self.restart.or(each.restart),
            option: Options(options),
        }
    }

    /// The engine, if nothing required is missing.
    fn whole(self, of: Foreign) -> Result<Program, ProgramError> {
        let of = self.name.clone().unwrap_or(of);
        let cmd = match self.cmd {
            Some(Words::One(text)) => split(&text)?,
            Some(Words::Many(words)) => words,
            None => {
                return Err(ProgramError::Missing {
                    of,
                    what: "`cmd` is missing, the command that starts it",
                });
            }
        };
        let file = cmd
            .first()
            .and_then(|word| word.rsplit(is_separator).next());
        let own_name = || Foreign::from(file.unwrap_or_default());
        let wrong = |key, why: PaceError| ProgramError::Value {
            of: of.clone(),
            key,
            why: why.to_string().into(),
        };
        let seconds = |key, text: Option<Text>| {
            text.map(|text| {
                text.to_string()
                    .parse::<Seconds>()
                    .map_err(|why| wrong(key, why))
            })
            .transpose()
        };
        let tc = self.tc.map(|text| text.to_string().parse::<Control>());
        let program = Program {
            tc: tc.transpose().map_err(|why| wrong("tc", why))?,
            st: seconds("st", self.st)?,
            margin: seconds("margin", self.margin)?.unwrap_or(margin()),
            start: seconds("start", self.start)?.unwrap_or(start()),
            stall: seconds("stall", self.stall)?.unwrap_or(stall()),
            name: self.name.unwrap_or_else(own_name),
            cmd,
            proto: self.proto.unwrap_or(Protocol::Uci),
            dir: self.dir,
            depth: self.depth,
            nodes: self.nodes,
            restart: self.restart.unwrap_or_default(),
            options: self.option.0,
            id: Foreign::default(),
        };
        program.check().map(|()| program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = r#"name="A b" cmd="stockfish 'x y'" tc=10+0.1 option.Hash=16 option.Path=/a=b"#;

    #[test]
    fn engines_are_described_in_words() {
        let engine = Program::described(A).unwrap();
        assert_eq!(
            (engine.name.as_it_came(), &engine.cmd[..]),
            ("A b", &["stockfish".to_owned(), "x y".into()][..])
        );
        assert_eq!(
            engine.options,
            [
                ("Hash".into(), "16".into()),
                ("Path".to_owned(), "/a=b".to_owned())
            ]
        );
        assert!(engine.is_timed() && engine.proto == Protocol::Uci);
        let named = Program::described("cmd=/usr/games/fairymax proto=cecp depth=3").unwrap();
        assert_eq!(
            (named.name.as_it_came(), named.is_timed()),
            ("fairymax", false)
        );
        let written = serde_json::to_string(&engine).unwrap();
        assert_eq!(serde_json::from_str::<Program>(&written).unwrap(), engine);
    }

    #[test]
    fn engines_are_listed_in_a_file() {
        let text = "[[engine]]\nname = \"A b\"\ncmd = [\"stockfish\", \"x y\"]\ntc = \"10+0.1\"\n[engine.option]\n\
                    Hash = 16\nPath = \"/a=b\"\n\n[[engine]]\ncmd = \"x\"\nst = 0.5\noption = [\"B=1\", \"A=2\"]\n";
        let engines = Program::listed(text, &Each::default()).unwrap();
        assert_eq!(engines[0], Program::described(A).unwrap());
        assert_eq!(engines[1].options[0].0, "B");
        assert_eq!(engines[1].st, Some(Seconds::of_millis(500)));
    }

    #[test]
    fn options_of_a_table_keep_their_order() {
        let text = "[[engine]]\ncmd = \"x\"\nst = 1\n[engine.option]\nZ = 1\nM = true\nA = \"v\"\n";
        let names: Vec<_> = Program::listed(text, &Each::default()).unwrap()[0]
            .options
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        assert_eq!(names, ["Z", "M", "A"]);
    }

    #[test]
    fn what_holds_for_each_engine_gives_way_to_its_own() {
        let each = Each::described("tc=10+0.1 depth=9 option.Hash=16 option.Threads=1 restart=yes")
            .unwrap();
        let engine =
            Program::described_with("cmd=x depth=3 option.Hash=64 restart=no", &each).unwrap();
        assert_eq!(engine.tc, Some("10+0.1".parse().unwrap()));
        assert_eq!((engine.depth, engine.restart), (Some(3), false));
        let options =
            [("Threads", "1"), ("Hash", "64")].map(|(name, value)| (name.into(), value.into()));
        assert_eq!(engine.options, options);
        let text = "[each]\nst = 1\ndepth = 5\n[each.option]\nHash = 32\n[[engine]]\ncmd = \"x\"\n";
        let listed = &Program::listed(text, &each).unwrap()[0];
        assert_eq!(
            (listed.depth, listed.st),
            (Some(5), Some(Seconds::of_millis(1000)))
        );
        assert_eq!((listed.tc, listed.restart), (engine.tc, true));
        assert_eq!(
            listed.options,
            [("Threads", "1"), ("Hash", "32")].map(|(name, value)| (name.into(), value.into()))
        );
        assert!(Each::described("cmd=x").is_err());
        assert!(
            Program::listed(
                "[each]\nname = \"A\"\n[[engine]]\ncmd = \"x\"\nst = 1\n",
                &Each::default()
            )
            .is_err()
        );
    }

    #[test]
    fn what_is_missing_or_wrong_is_said() {
        for (text, why) in [
            ("cmd='x", "not closed"),
            ("cmd=x depth", "key=value"),
            ("cmd=x speed=3", "unknown key `speed`"),
            ("depth=3", "`cmd` is missing"),
            ("cmd=x", "no time limit or search limit"),
            ("cmd=x tc=5x", "expected a time control"),
            ("cmd=x st=0", "must be more than 0"),
            ("cmd=x depth=0", "must be more than 0"),
            ("cmd=x proto=usi depth=1", "uci, cecp or lines"),
            ("name=random cmd=x depth=1", "built-in"),
            ("cmd=x depth=1 restart=perhaps", "yes or no"),
        ] {
            let refused = Program::described(text).unwrap_err().to_string();
            assert!(refused.contains(why), "{text}: {refused}");
        }
        let refused = Program::listed("[[engine]]\ncmd = 1\n", &Each::default())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("line 2"), "{refused}");
    }
}
