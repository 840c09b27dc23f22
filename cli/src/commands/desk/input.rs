//! What is typed or sent, line by line, while time goes on.

use overboard_desk::{
    attendant::{Answer, Hear},
    lines::LONGEST,
};
use overboard_engines::{
    lock,
    serve::{self, Ears},
};
use rustyline::{
    Context, Editor, Helper, completion::Completer, error::ReadlineError, highlight::Highlighter,
    hint::Hinter, history::MemHistory, validate::Validator,
};
use std::{
    io::{self, BufRead, BufReader, IsTerminal as _},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// What has been heard.
pub enum Heard {
    /// A line.
    Line(String),
    /// A line with more than this many bytes.
    TooLong(usize),
    /// A program at a seat has answered.
    Answer(Answer),
    /// Nothing so far.
    Nothing,
    /// There are no more lines.
    End,
}

/// Where lines come from.
pub struct Input {
    lines: Receiver<Heard>,
    /// Where programs say what they do.
    hears: Sender<Heard>,
    typist: Option<Typist>,
}

/// Somebody at a terminal, who sees a prompt and can complete words with Tab.
struct Typist {
    prompts: Sender<String>,
    words: Arc<Mutex<Vec<String>>>,
    printer: Mutex<Box<dyn rustyline::ExternalPrinter + Send>>,
}

impl Input {
    /// The lines of standard input.
    pub fn of_lines() -> Self {
        let (heard, lines) = channel();
        let hears = heard.clone();
        thread::spawn(move || hear_all(&heard));
        Self {
            lines,
            hears,
            typist: None,
        }
    }

    /// What is typed at a terminal, with a prompt; else the lines of standard input.
    pub fn of_typist() -> Self {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Self::of_lines();
        }
        let words = Arc::new(Mutex::new(Vec::new()));
        let config = rustyline::Config::builder().auto_add_history(true).build();
        let Ok(mut editor) = Editor::with_history(config, MemHistory::new()) else {
            return Self::of_lines();
        };
        editor.set_helper(Some(Words(Arc::clone(&words))));
        let Ok(printer) = editor.create_external_printer() else {
            return Self::of_lines();
        };
        let (heard, lines) = channel();
        let hears = heard.clone();
        let (prompts, asked) = channel::<String>();
        thread::spawn(move || {
            for prompt in asked {
                let line = match editor.readline(&prompt) {
                    Ok(line) if line.len() > LONGEST => Heard::TooLong(LONGEST),
                    Ok(line) => Heard::Line(line),
                    Err(ReadlineError::Interrupted) => Heard::Line(String::new()),
                    Err(_) => Heard::End,
                };
                if heard.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            lines,
            hears,
            typist: Some(Typist {
                prompts,
                words,
                printer: Mutex::new(Box::new(printer)),
            }),
        }
    }

    /// Who hears the answers of a program.
    pub fn hearer(&self) -> Hear {
        let hears = self.hears.clone();
        Box::new(move |answer| {
            // If the desk has ended, nobody wants to know.
            let _ = hears.send(Heard::Answer(answer));
        })
    }

    /// Asks for the next line, with a prompt and the words that Tab completes; of no effect where nobody types.
    pub fn ask(&self, prompt: &str, words: Vec<String>) {
        if let Some(typist) = &self.typist {
            *lock(&typist.words) = words;
            // If nobody listens any more, the next line is the end.
            let _ = typist.prompts.send(prompt.into());
        }
    }

    /// Prints a text while a line is being typed.
    pub fn say(&self, text: &str) -> io::Result<()> {
        match &self.typist {
            Some(typist) => lock(&typist.printer)
                .print(text.to_owned())
                .map_err(|error| io::Error::other(error.to_string())),
            None => crate::ui::print_text(text),
        }
    }

    /// The next line, if there is one before this time is over.
    pub fn next(&self, patience: Duration) -> Heard {
        match self.lines.recv_timeout(patience) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }
}

/// Passes on what comes from standard input, until its end.
fn hear_all(heard: &Sender<Heard>) {
    let mut ears = Ears::of(BufReader::new(io::stdin()), LONGEST);
    loop {
        let line = hear(&mut ears);
        let is_end = matches!(line, Heard::End);
        if heard.send(line).is_err() || is_end {
            return;
        }
    }
}

fn hear(ears: &mut Ears<impl BufRead>) -> Heard {
    match ears.next() {
        Ok(Some(serve::Heard::Text(text))) => Heard::Line(text.into_owned()),
        Ok(Some(serve::Heard::TooLong(longest))) => Heard::TooLong(longest),
        // Whether standard input has ended or failed, nobody speaks any more.
        Ok(None) | Err(_) => Heard::End,
    }
}

/// The words that Tab completes.
struct Words(Arc<Mutex<Vec<String>>>);

impl Helper for Words {}

impl Highlighter for Words {}

impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        let words = lock(&self.0);
        let fitting = words.iter().filter(|word| word.starts_with(typed));
        Ok((0, fitting.cloned().collect()))
    }
}
