//! Tables for terminals, spreadsheets, Markdown and HTML: the same cells in each.

use crate::{options::Form, page, ui};
use maud::{Markup, html};
use overboard_pictures::foreign::Foreign;
use std::{
    borrow::Cow,
    io::{self, Write},
};
use unicode_width::UnicodeWidthStr;

/// The cells of a row, each converted to a foreign text.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => {
        vec![$(overboard_pictures::foreign::Foreign::from($cell)),*]
    };
}
pub(crate) use cells;

/// A table. Its texts may be foreign.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Its heading.
    pub title: Foreign,
    /// Names of the columns.
    pub heads: Vec<Foreign>,
    /// Its rows.
    pub rows: Vec<Vec<Foreign>>,
    /// Rows that head others, and are emphasised on a page.
    pub strong: Vec<usize>,
    /// The text below it on a page.
    pub notes: Vec<Foreign>,
}

impl Grid {
    /// A table without rows.
    pub fn new(title: impl Into<Foreign>, heads: &[&str]) -> Self {
        Self::headed(title, heads.iter().map(|head| (*head).into()).collect())
    }

    /// A table whose headings may be foreign.
    pub fn headed(title: impl Into<Foreign>, heads: Vec<Foreign>) -> Self {
        Self { title: title.into(), heads, rows: Vec::new(), strong: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Foreign>) {
        self.rows.push(row);
    }

    /// Adds the text below it.
    pub fn note(&mut self, note: String) {
        self.notes.push(note.into());
    }

    /// The text below it, on one line.
    pub fn noted(&self) -> String {
        self.notes.iter().map(Foreign::line).collect::<Vec<_>>().join(" · ")
    }

    /// Writes the table; `safe` prevents spreadsheets from taking a cell for a formula.
    pub fn write(&self, out: &mut impl Write, form: Form, safe: bool) -> io::Result<()> {
        match form {
            Form::Text => self.text(out),
            Form::Csv => self.csv(out, safe),
            Form::Markdown => self.markdown(out),
            Form::Html => write!(out, "{}", page::text(self.markup())),
        }
    }

    /// Whether the cells of a column are numbers, which are aligned right.
    fn is_number(&self, column: usize) -> bool {
        let ordinal = |cell: &str| {
            let digits = cell.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
            ["st", "nd", "rd", "th"].contains(&&cell[digits.len()..]) && digits.parse::<u32>().is_ok()
        };
        let number = |cell: &str| matches!(cell, "" | "-") || cell.parse::<f64>().is_ok() || ordinal(cell);
        self.rows.iter().all(|row| row.get(column).is_none_or(|cell| number(cell.as_it_came())))
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.shown().width());
            cells.chain([self.heads[column].shown().width()]).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.heads.len()).map(width).collect();
        let right: Vec<_> = (0..self.heads.len()).map(|column| self.is_number(column)).collect();
        let line = |cells: &[Foreign]| {
            let cell = |(column, cell): (usize, &Foreign)| {
                let cell = cell.shown();
                let space = " ".repeat(widths[column].saturating_sub(cell.width()));
                if right[column] { format!("{space}{cell}") } else { format!("{cell}{space}") }
            };
            let cells: Vec<_> = cells.iter().enumerate().map(cell).collect();
            cells.join("  ").trim_end().to_owned()
        };
        let strong = ui::shown(ui::STRONG);
        if !self.title.is_empty() {
            writeln!(out, "{strong}{}{strong:#}\n", self.title.shown())?;
        }
        writeln!(out, "{strong}{}{strong:#}", line(&self.heads))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
    }

    fn csv(&self, out: &mut impl Write, safe: bool) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        for row in [&self.heads].into_iter().chain(&self.rows) {
            let cells = row.iter().map(|cell| if safe { cell.harmless_cell() } else { cell.cell() });
            writer.write_record(cells.map(Cow::into_owned))?;
        }
        writer.flush()
    }

    fn markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let line = |cells: &[Foreign]| {
            format!("| {} |", cells.iter().map(Foreign::markdown).collect::<Vec<_>>().join(" | "))
        };
        if !self.title.is_empty() {
            writeln!(out, "## {}\n", self.title.shown())?;
        }
        writeln!(out, "{}", line(&self.heads))?;
        let rule = |column: usize| if self.is_number(column) { "---:" } else { "---" };
        writeln!(out, "| {} |", (0..self.heads.len()).map(rule).collect::<Vec<_>>().join(" | "))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
    }

    /// The table as HTML.
    pub fn markup(&self) -> Markup {
        let class = |column: usize| if self.is_number(column) { "number" } else { "" };
        html! {
            @if !self.title.is_empty() { h2 { (self.title.shown()) } }
            table {
                thead { tr { @for (column, head) in self.heads.iter().enumerate() { th class=(class(column)) { (head.shown()) } } } }
                tbody {
                    @for (index, row) in self.rows.iter().enumerate() {
                        tr class=[self.strong.contains(&index).then_some("strong")] { @for (column, cell) in row.iter().enumerate() { td class=(class(column)) { (cell.shown()) } } }
                    }
                }
            }
            @if !self.notes.is_empty() { p class="small notes" { (self.noted()) } }
        }
    }
}
