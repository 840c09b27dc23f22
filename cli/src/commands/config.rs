//! `config`: shows the settings and where each comes from.

use crate::{
    config::{Config, KEYS},
    exit::{CliError, Exit},
    ui,
};
use clap::{Args, ColorChoice};
use overboard_formats::foreign::visible;
use serde::Serialize;
use std::io::Write;

/// Show the settings file and the settings in force.
///
/// The file holds defaults for options, in TOML: color, jobs (threads that read files) and pieces (figurines or letters
/// in diagrams). It never changes a verdict, a record or a ledger. The command line wins over the file.
#[derive(Args, Debug)]
#[command(
    after_help = "The file is $XDG_CONFIG_HOME/overboard/config.toml or ~/.config/overboard/config.toml, on Windows %APPDATA%\\overboard\\config.toml. The variable OVERBOARD_CONFIG names another file; if it is empty, no file is read.\n\nExit codes: 0 done, 2 the file cannot be used.\n\nExamples:\n  overboard config\n  OVERBOARD_CONFIG= overboard check round1.pgn"
)]
pub struct ConfigArgs {
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The settings file and the settings in force.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shown {
    /// Where the settings file is, or would be; null if none is read.
    path: Option<String>,
    /// Whether it is there.
    exists: bool,
    /// All settings.
    settings: Vec<Setting>,
}

/// A setting.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Setting {
    /// Its name.
    key: &'static str,
    /// Its value, as on the command line.
    value: String,
    /// Where the value comes from.
    from: From,
    /// The line of the file that sets it; null if the file does not.
    line: Option<usize>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum From {
    /// The default.
    Default,
    /// The settings file.
    File,
    /// The command line.
    CommandLine,
}

pub fn run(
    args: &ConfigArgs,
    config: &Config,
    color: Option<ColorChoice>,
) -> Result<Exit, CliError> {
    let shown = Shown::of(config, color);
    if args.json {
        return ui::print_json(&shown);
    }
    let mut out = ui::stdout();
    shown.print(&mut out)?;
    out.flush()?;
    Ok(Exit::Clean)
}

impl Setting {
    /// Where the value comes from, in words.
    fn origin(&self) -> String {
        match (self.from, self.line) {
            (From::File, Some(line)) => format!("line {line} of the file"),
            (From::File, None) | (From::Default, _) => "default".into(),
            (From::CommandLine, _) => "command line".into(),
        }
    }
}

impl Shown {
    fn of(config: &Config, color: Option<ColorChoice>) -> Self {
        let mut settings = Vec::new();
        for key in &KEYS {
            let given = if key.name == "color" { color } else { None };
            let (value, from, line) = match (given, config.get(key.name)) {
                (Some(color), _) => (color.to_string(), From::CommandLine, None),
                (None, Some(set)) => (set.value.clone(), From::File, Some(set.line)),
                (None, None) => (key.usual.to_owned(), From::Default, None),
            };
            settings.push(Setting {
                key: key.name,
                value,
                from,
                line,
            });
        }
        Self {
            path: config.path.as_ref().map(|path| path.display().to_string()),
            exists: config.exists,
            settings,
        }
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        match &self.path {
            Some(path) if self.exists => writeln!(out, "Settings file: {}\n", visible(path))?,
            Some(path) => writeln!(out, "Settings file: {} (there is none)\n", visible(path))?,
            None => writeln!(out, "Settings file: none is read\n")?,
        }
        for setting in &self.settings {
            let Setting { key, value, .. } = setting;
            writeln!(out, "{key:<8}{value:<24}{}", setting.origin())?;
        }
        Ok(())
    }
}
