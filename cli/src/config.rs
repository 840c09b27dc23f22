//! The settings file: defaults for options, chosen once for all commands.
//!
//! ```toml
//! color = "always"
//! jobs = 4
//! pieces = "letters"
//! ```
//!
//! Only what cannot change a verdict, a record, a plan or a ledger may be set there: the same command gives the same
//! judgement on every machine. The command line always wins.

use crate::exit::PartError;
use clap::{ColorChoice, Command, ValueEnum};
use overboard_formats::io_words::reason;
use overboard_referee::meant::did_you_mean;
use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};
use toml::{Spanned, Value};

/// Names the file instead of the usual place; empty, there is none.
const VARIABLE: &str = "OVERBOARD_CONFIG";
/// The file's name in the folder for settings.
const FILE: &str = "overboard/config.toml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 16;

/// A setting.
pub struct Key {
    /// Its name, which is also that of the option.
    pub name: &'static str,
    /// The value without the file.
    pub usual: &'static str,
    /// The commands with this option; none if every command has it.
    commands: &'static [&'static str],
    /// What is accepted, for an error message.
    expected: &'static str,
    /// The value as on the command line, if it is accepted.
    read: fn(&Value) -> Option<String>,
}

/// All settings. Commands that play games have no defaults here: their plans and ledgers must not depend on a file that
/// other machines lack.
pub static KEYS: [Key; 3] = [
    Key {
        name: "color",
        usual: "auto",
        commands: &[],
        expected: "\"auto\", \"always\" or \"never\"",
        read: one_of::<ColorChoice>,
    },
    Key {
        name: "jobs",
        usual: "one for each processor",
        commands: &[
            "check", "select", "stats", "score", "orders", "ledger", "moves", "perft",
        ],
        expected: "a whole number from 1 to 65535",
        read: count,
    },
    Key {
        name: "pieces",
        usual: "figurines",
        commands: &["show"],
        expected: "\"figurines\" or \"letters\"",
        read: one_of::<crate::commands::show::Pieces>,
    },
];

fn one_of<T: ValueEnum>(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    T::from_str(text, false).ok()?;
    Some(text.to_owned())
}

fn count(value: &Value) -> Option<String> {
    let count = u16::try_from(value.as_integer()?).ok()?;
    if count == 0 {
        return None;
    }
    Some(count.to_string())
}

/// A value in the file.
pub struct Set {
    pub value: String,
    pub line: usize,
}

/// What the settings file says.
#[derive(Default)]
pub struct Config {
    /// Where the file is, or would be; `None` if there is no such place, or no file is wanted.
    pub path: Option<PathBuf>,
    /// Whether it exists.
    pub exists: bool,
    /// The settings in it, by name.
    set: BTreeMap<&'static str, Set>,
}

/// Why the settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{path}: {why} (the settings file)", path = .0.display(), why = reason(.1))]
    Unreadable(PathBuf, io::Error),
    /// It is not TOML.
    #[error("{path}:{line}: {why} (the settings file)", path = .0.display(), line = .1, why = .2)]
    Syntax(PathBuf, usize, String),
    /// It has an unknown key.
    #[error("{path}:{line}: unknown setting `{key}`{near} (the settings are {known})", path = .0.display(), line = .1, key = .2, near = .3, known = known())]
    Unknown(PathBuf, usize, String, String),
    /// A key has a value that it cannot have.
    #[error("{path}:{line}: expected {expected} for `{key}`, found {found}", path = .0.display(), line = .1, key = .2, expected = .3, found = .4)]
    Value(PathBuf, usize, &'static str, &'static str, String),
}

impl PartError for ConfigError {}

fn known() -> String {
    KEYS.each_ref().map(|key| key.name).join(", ")
}

impl Config {
    /// Reads the settings file, if there is one.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn read() -> Result<Self, ConfigError> {
        let named = env::var_os(VARIABLE);
        let Some(path) = named.as_ref().map_or_else(usual_path, of_variable) else {
            return Ok(Self::default());
        };
        let bytes = match bytes(&path) {
            Ok(bytes) => bytes,
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self {
                    path: Some(path),
                    ..Self::default()
                });
            }
            Err(error) => return Err(ConfigError::Unreadable(path, error)),
        };
        let set = settings(&path, &bytes)?;
        Ok(Self {
            path: Some(path),
            exists: true,
            set,
        })
    }

    /// What the file says about a setting.
    pub fn get(&self, key: &str) -> Option<&Set> {
        self.set.get(key)
    }

    /// When to use colours.
    pub fn color(&self) -> Option<ColorChoice> {
        ColorChoice::from_str(&self.get("color")?.value, false).ok()
    }

    /// Makes the settings the defaults of options.
    pub fn apply(&self, mut command: Command) -> Command {
        for key in &KEYS {
            let Some(set) = self.get(key.name) else {
                continue;
            };
            for name in key.commands {
                // Read once, and used until the program ends.
                let value: &'static str = set.value.clone().leak();
                command = command.mut_subcommand(name, |command| {
                    // Where clap knows of no default, the help names it in its own words.
                    command.mut_arg(key.name, |arg| {
                        let is_unknown = arg.get_default_values().is_empty();
                        arg.default_value(value).hide_default_value(is_unknown)
                    })
                });
            }
        }
        command
    }
}

/// The file that the variable names.
fn of_variable(name: &OsString) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    Some(name.into())
}

/// The file in the user's folder for settings.
fn usual_path() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        PathBuf::from(env::var_os("APPDATA")?)
    } else {
        xdg_folder()?
    };
    Some(folder.join(FILE))
}

/// The folder for settings of the XDG Base Directory Specification, which has programs ignore a relative path.
fn xdg_folder() -> Option<PathBuf> {
    let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    match named.filter(|path| path.is_absolute()) {
        Some(folder) => Some(folder),
        None => Some(Path::new(&home()?).join(".config")),
    }
}

fn home() -> Option<OsString> {
    env::var_os("HOME").filter(|home| !home.is_empty())
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!(
            "larger than {LARGEST} bytes, and so no settings"
        )));
    }
    Ok(bytes)
}

/// Parses the file.
fn settings(path: &Path, bytes: &[u8]) -> Result<BTreeMap<&'static str, Set>, ConfigError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        ConfigError::Syntax(path.to_owned(), line, "this is not UTF-8".into())
    })?;
    let entries: BTreeMap<String, Spanned<Value>> =
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            let why = error.message().replace('\n', ", ");
            ConfigError::Syntax(path.to_owned(), line_of(bytes, at), why)
        })?;
    let mut set = BTreeMap::new();
    for (name, value) in entries {
        let line = line_of(bytes, value.span().start);
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let near = did_you_mean(&name, KEYS.iter().map(|key| key.name));
            return Err(ConfigError::Unknown(path.to_owned(), line, name, near));
        };
        let Some(read) = (key.read)(value.get_ref()) else {
            let found = value.get_ref().to_string();
            let path = path.to_owned();
            return Err(ConfigError::Value(
                path,
                line,
                key.name,
                key.expected,
                found,
            ));
        };
        set.insert(key.name, Set { value: read, line });
    }
    Ok(set)
}

/// The number of the line on which a byte is, from 1.
fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &bytes[..at.min(bytes.len())]).count()
}
