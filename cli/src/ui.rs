//! How the program talks: what goes to which stream, in which colours, and how it ends.

use crate::{
    exit::{CliError, Exit},
    visible_output::{Lets, VisibleOutput},
};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::{
    ValueEnum,
    error::{ContextKind, ContextValue},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use overboard_engines::external::pool::NOT_STARTED;
use overboard_events::{atomic_files, store::StoreError};
use overboard_formats::{
    foreign::{self, hides_something, visible},
    io_words::reason,
};
use overboard_pictures::{diagram::Diagram, text};
use serde::Serialize;
use std::{
    ffi::OsString,
    fmt,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
    process::ExitCode,
    sync::OnceLock,
};

/// Good news.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Bad news.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Neither.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
/// Headings.
pub const STRONG: Style = Style::new().bold();

/// Standard output, buffered and filtered by its door: [`shown`] keeps colours away from where they do not belong.
pub type Out = BufWriter<VisibleOutput<AutoStream<io::Stdout>>>;

/// Standard output for what is read by people and programs.
pub fn stdout() -> Out {
    through(if colours() { Lets::Colours } else { Lets::Text })
}

/// Standard output for records, pictures and other files, which are written byte for byte except on a terminal.
pub fn stdout_for_files() -> Out {
    if io::stdout().is_terminal() {
        stdout()
    } else {
        through(Lets::All)
    }
}

/// Standard error, filtered by a door of its own.
fn stderr() -> VisibleOutput<AutoStream<io::Stderr>> {
    VisibleOutput::new(anstream::stderr(), Lets::Colours)
}

/// Standard output through a door that lets this much pass.
fn through(lets: Lets) -> Out {
    let choice = if colours() {
        ColorChoice::Always
    } else {
        ColorChoice::AlwaysAnsi
    };
    BufWriter::with_capacity(
        1 << 16,
        VisibleOutput::new(AutoStream::new(io::stdout(), choice), lets),
    )
}

/// When colours are wanted, by a command line that need not be correct: an error in it is coloured too.
pub fn colour_of(words: &[OsString]) -> Option<clap::ColorChoice> {
    const OPTION: &str = "--color";
    let mut words = words.iter().map(|word| word.to_str().unwrap_or_default());
    while let Some(word) = words.next().filter(|word| *word != "--") {
        let value = match word.strip_prefix(OPTION) {
            Some("") => words.next()?,
            Some(rest) => rest.strip_prefix('=')?,
            None => continue,
        };
        return clap::ColorChoice::from_str(value, false).ok();
    }
    None
}

/// Uses colours at these times. By default, and with `auto`, `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` count.
pub fn use_colours(when: Option<clap::ColorChoice>) {
    match when {
        Some(clap::ColorChoice::Always) => ColorChoice::Always.write_global(),
        Some(clap::ColorChoice::Never) => ColorChoice::Never.write_global(),
        Some(clap::ColorChoice::Auto) | None => {}
    }
}

/// Whether standard output shows colours: as requested, else on a terminal, and never against `NO_COLOR`.
pub fn colours() -> bool {
    static COLOURS: OnceLock<bool> = OnceLock::new();
    *COLOURS.get_or_init(|| AutoStream::choice(&io::stdout()) != ColorChoice::Never)
}

/// An English word or words with a capital letter.
pub fn capitalised(words: &str) -> String {
    let (first, rest) = words.split_at(words.len().min(1));
    first.to_uppercase() + rest
}

/// The name of a game for people: `Mega-Chess` for `mega-chess`.
pub fn titled(name: &str) -> String {
    Vec::from_iter(name.split('-').map(capitalised)).join("-")
}

/// A style where standard output shows colours, else none.
pub fn shown(style: Style) -> Style {
    if colours() { style } else { Style::new() }
}

/// Columns of the terminal on standard output, or 80.
pub fn columns() -> usize {
    let known =
        terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    known.unwrap_or(80).clamp(40, 140)
}

/// A diagram as text for standard output, with letters for the pieces or with figurines.
pub fn drawn(diagram: &Diagram, ascii: bool) -> String {
    let options = text::Options {
        ascii,
        styled: colours(),
        boxed: false,
        width: columns(),
    };
    text::draw(diagram, &options)
}

/// Wraps each line of a text to lines of at most this many columns. An item of a list, which begins with `- `,
/// continues under its first word.
pub fn fill(words: &str, columns: usize) -> String {
    let lines: Vec<_> = words
        .split('\n')
        .map(|line| fill_line(line, columns))
        .collect();
    lines.join("\n")
}

fn fill_line(words: &str, columns: usize) -> String {
    let next_line = if words.starts_with("- ") {
        "\n  "
    } else {
        "\n"
    };
    let mut text = String::new();
    let mut column = 0;
    for word in words.split(' ') {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > columns {
            text.push_str(next_line);
            column = next_line.len() - 1;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text
}

/// A progress bar over bytes read; only on a terminal's standard error, and not among results that appear on the same
/// terminal.
pub fn bytes_bar(total: u64) -> ProgressBar {
    if io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} left {msg}";
    drawn_bar(total, 10, template)
}

/// A progress bar over games played, only on a terminal's standard error.
pub fn games_bar(total: u64, done: u64) -> ProgressBar {
    count_bar(
        total,
        "{bar:30} {pos}/{len} games {per_sec} {eta} left {msg}",
    )
    .with_position(done)
}

/// A progress bar over generated events; only on a terminal's standard error, and not among results that appear on the
/// same terminal.
pub fn events_bar(total: u64) -> ProgressBar {
    if io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    count_bar(total, "{bar:30} {pos}/{len} events {per_sec} {eta} left")
}

/// A progress bar over pictures made, only on a terminal's standard error.
pub fn pictures_bar(total: u64) -> ProgressBar {
    count_bar(total, "{bar:30} {pos}/{len} pictures {per_sec} {eta} left")
}

fn count_bar(total: u64, template: &str) -> ProgressBar {
    drawn_bar(total, 5, template)
}

/// A bar that is drawn so many times a second at most.
fn drawn_bar(total: u64, hz: u8, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(hz));
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// JSON in which nothing is raw that a terminal could take for more than text.
struct Visible;

impl serde_json::ser::Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !hides_something(fragment) {
            return writer.write_all(fragment.as_bytes());
        }
        writer.write_all(foreign::json(fragment).as_bytes())
    }
}

/// Points with halves as players write them: `1½`.
pub fn points(points: f64) -> String {
    let whole = points.trunc();
    match points - whole {
        half if half == 0.5 && whole == 0.0 => "½".into(),
        0.5 => format!("{whole}½"),
        _ => points.to_string(),
    }
}

/// Milliseconds; a time too short to be shown is reported as such.
pub fn millis(ms: f64) -> String {
    if ms < 0.01 {
        "<0.01 ms".into()
    } else {
        format!("{ms:.2} ms")
    }
}

/// Writes each on lines of its own.
pub fn lines<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for item in items {
        writeln!(f, "{item}")?;
    }
    Ok(())
}

/// Writes a value as one line of JSON.
pub fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    json_part(out, value)?;
    out.write_all(b"\n")
}

/// Writes a value as JSON.
pub fn json_part(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value
        .serialize(&mut serde_json::Serializer::with_formatter(
            &mut *out, Visible,
        ))
        .map_err(io::Error::from)
}

/// Writes a text as JSON; directly if nothing in it has to be escaped, as in nearly every position.
pub fn json_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let plain =
        |plain, byte| plain & matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    if !text.bytes().fold(true, plain) {
        return json_part(out, &text);
    }
    out.write_all(b"\"")?;
    out.write_all(text.as_bytes())?;
    out.write_all(b"\"")
}

/// Messages of the standard library about numbers, in words for users.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "expected a whole number"),
    (
        "cannot parse integer from empty string",
        "expected a whole number, found nothing",
    ),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    ("invalid float literal", "expected a number"),
    (
        "cannot parse float from empty string",
        "expected a number, found nothing",
    ),
];

/// A message of clap without Rust's syntax: `expected a whole number`, `must be from 8 to 400`.
fn in_plain_words(text: &str) -> String {
    let mut plain = NUMBERS.iter().fold(text.to_owned(), |text, (rust, plain)| {
        text.replace(rust, plain)
    });
    // `0 is not in 1..=65535`: the bounds of Rust's types are not ours.
    const MARK: &str = " is not in ";
    if let Some(at) = plain.find(MARK) {
        let from = plain[..at].rfind(": ").map_or(at, |colon| colon + 2);
        let rest = &plain[at + MARK.len()..];
        let to = rest
            .find(|c: char| !(c.is_ascii_digit() || "-.=".contains(c)))
            .unwrap_or(rest.len());
        if let Some((least, most)) = rest[..to].trim_end_matches('.').split_once("..") {
            let most = most.trim_start_matches('=');
            let is_of_type = [
                u64::from(u8::MAX),
                u16::MAX.into(),
                u32::MAX.into(),
                u64::MAX,
            ]
            .iter()
            .any(|end| end.to_string() == most);
            let range = if is_of_type || most.is_empty() {
                format!("must be {least} or more")
            } else {
                format!("must be from {least} to {most}")
            };
            let end = at + MARK.len() + to;
            plain.replace_range(from..end, &range);
        }
    }
    plain
}

/// What may have been meant by words that are refused.
fn tip(error: &clap::Error) -> Option<String> {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        return event_first(word);
    }
    match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(word)) if word.eq_ignore_ascii_case("linked") => {
            Some("linked boards are those of StrategiChess: `strategichess --boards 3`".into())
        }
        _ => None,
    }
}

/// The most common slip: `overboard pair cup`.
fn event_first(word: &str) -> Option<String> {
    if !Path::new(word).join("event.toml").is_file() {
        return None;
    }
    Some(format!(
        "`{word}` is an event; name the command first, then the event"
    ))
}

/// The word in place of a command that can only be a file, if there is none of that name. Commands with similar names
/// would not help.
fn missing_file(error: &clap::Error) -> Option<&str> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let is_path = word.contains(['/', '.']) && !Path::new(word).exists();
    is_path.then_some(word)
}

/// Ends after arguments that clap refuses, or a request for help.
pub fn usage(error: &clap::Error) -> ExitCode {
    if let Some(word) = missing_file(error) {
        let why = format!(
            "there is no file `{word}` here; `overboard FILE` checks a file, and `overboard --help` lists the commands"
        );
        complain_at_length(&visible(&why));
        return Exit::Unusable.into();
    }
    let words = error.render();
    if error.use_stderr() {
        let _ = write!(stderr(), "{}", in_plain_words(&words.ansi().to_string()));
        if let Some(tip) = tip(error) {
            let _ = writeln!(stderr(), "\n  tip: {}", visible(&tip));
        }
        return Exit::Unusable.into();
    }
    let mut out = stdout();
    let written = if colours() {
        write!(out, "{}", words.ansi())
    } else {
        write!(out, "{words}")
    };
    finish(
        written
            .and_then(|()| out.flush())
            .map(|()| Exit::Clean)
            .map_err(CliError::Output),
    )
}

/// Ends if a program could not be started in place of this one; the last line on standard error says so.
pub fn not_started(words: &[OsString], error: &io::Error) -> ExitCode {
    let program = words
        .get(4)
        .map(|word| word.to_string_lossy())
        .unwrap_or_default();
    let _ = writeln!(
        anstream::stderr(),
        "`{program}` cannot be started: {}",
        reason(error)
    );
    ExitCode::from(NOT_STARTED as u8)
}

/// Ends with a command's exit code; an error is printed on standard error.
pub fn finish(outcome: Result<Exit, CliError>) -> ExitCode {
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let exit = failure.exit();
            if exit == Exit::Unusable {
                complain(&failure);
            }
            exit.into()
        }
    }
}

/// Prints an error on standard error.
///
/// Several errors are on a line each.
pub fn complain(failure: &(dyn std::error::Error + 'static)) {
    let texts = texts_of(failure);
    let lines: Vec<_> = texts.iter().map(|text| visible(text)).collect();
    complain_at_length(&lines.join("\n       "));
}

/// What each of the errors in a failure says.
fn texts_of(failure: &(dyn std::error::Error + 'static)) -> Vec<String> {
    match failure.downcast_ref::<CliError>() {
        Some(CliError::Store(StoreError::Faults(faults))) => {
            faults.iter().map(ToString::to_string).collect()
        }
        Some(CliError::Lines(lines)) => lines.clone(),
        _ => vec![failure.to_string()],
    }
}

/// Prints errors on standard error, with invisible characters made visible.
pub fn complain_at_length(lines: &impl fmt::Display) {
    let _ = writeln!(stderr(), "{BAD}error{BAD:#}: {lines}");
}

/// Writes a file, completely or not at all.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    atomic_files::replace(path, |file| file.write_all(bytes)).map_err(CliError::on(path))
}

/// A value as a text in JSON, in which nothing is raw that a terminal could take for more than text.
pub fn json_string(value: &impl Serialize) -> io::Result<String> {
    let text = serde_json::to_string(value)?;
    Ok(foreign::json(&text).into_owned())
}

/// Prints a text as it is.
pub fn print_text(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints a JSON value, with which a command ends.
pub fn print_json(value: &impl Serialize) -> Result<Exit, CliError> {
    let mut out = stdout();
    json(&mut out, value)?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// How a command goes on after one of its files: a failure is reported, but one of standard output ends the command.
pub fn go_on(done: Result<Exit, CliError>) -> Result<Exit, CliError> {
    match done {
        Err(failure) if !matches!(failure, CliError::Output(_)) => {
            complain(&failure);
            Ok(Exit::Unusable)
        }
        done => done,
    }
}

/// Prints a warning on standard error.
pub fn warn(text: &str) {
    let _ = writeln!(stderr(), "{DOUBTFUL}warning{DOUBTFUL:#}: {}", visible(text));
}

/// Warns of what is missing, if anything is; returns how a command then ends.
pub fn warn_of_lack(why: Option<&str>) -> Exit {
    if let Some(why) = why {
        warn(why);
    }
    Exit::with(why.is_some())
}

/// Warns that a file has no games.
pub fn warn_of_no_game(file: &impl fmt::Display) {
    warn(&format!("{file}: no game in this file"));
}

/// Prints a note on standard error.
pub fn note(text: &str) {
    let _ = writeln!(stderr(), "note: {}", visible(text));
}

/// Asks a question on the terminal; no, if there is nobody to ask. What is foreign in it has been made visible.
pub fn is_confirmed(question: &str) -> bool {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return false;
    }
    match answer_to(question) {
        Ok(answer) => ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()),
        Err(_) => false,
    }
}

fn answer_to(question: &str) -> io::Result<String> {
    write!(stderr(), "{question}")?;
    stderr().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer)
}
