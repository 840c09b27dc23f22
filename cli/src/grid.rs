//! Tables for terminals, spreadsheets, Markdown and HTML: the same cells in each.

use crate::{options::Form, page, ui};
use maud::{Markup, PreEscaped, html};
use overboard_formats::foreign::Foreign;
use std::{
    borrow::{Borrow, Cow},
    io::{self, Write},
};
use unicode_width::UnicodeWidthStr;

/// The cells of a row, each converted to a foreign text.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => {
        vec![$(overboard_formats::foreign::Foreign::from($cell)),*]
    };
}
pub(crate) use cells;

/// The text of a value; empty without one.
pub fn or_blank(value: Option<impl ToString>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// Rows that are made while they are taken.
pub type Rows<'r> = Box<dyn Iterator<Item = Cow<'r, [Foreign]>> + 'r>;

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
        Self {
            title: title.into(),
            heads,
            ..Self::default()
        }
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
        self.notes
            .iter()
            .map(Foreign::line)
            .collect::<Vec<_>>()
            .join(" · ")
    }

    /// Writes the table; `safe` prevents spreadsheets from taking a cell for a formula.
    pub fn write(&self, out: &mut impl Write, form: Form, safe: bool) -> io::Result<()> {
        self.write_rows(out, form, safe, &|| self.own())
    }

    /// Writes the table with these rows instead of its own, one at a time. They are made twice where the width of a column
    /// depends on all of them.
    pub fn write_rows<'r>(
        &self,
        out: &mut impl Write,
        form: Form,
        safe: bool,
        rows: &dyn Fn() -> Rows<'r>,
    ) -> io::Result<()> {
        match form {
            Form::Text => self.text(out, rows),
            Form::Csv => self.csv(out, safe, rows()),
            Form::Markdown => self.markdown(out, rows),
            Form::Html => self.html(rows, &mut |part| write!(out, "{}", page::text(part))),
        }
    }

    fn own(&self) -> Rows<'_> {
        Box::new(self.rows.iter().map(|row| Cow::Borrowed(row.as_slice())))
    }

    /// The width of each column, and whether all its cells are numbers, which are aligned right.
    fn columns(&self, rows: Rows<'_>) -> Vec<(usize, bool)> {
        let mut columns: Vec<_> = self
            .heads
            .iter()
            .map(|head| (head.shown().width(), true))
            .collect();
        for row in rows {
            for ((width, is_number), cell) in columns.iter_mut().zip(row.iter()) {
                *width = (*width).max(cell.shown().width());
                *is_number &= is_number_like(cell.as_it_came());
            }
        }
        columns
    }

    fn text<'r>(&self, out: &mut impl Write, rows: &dyn Fn() -> Rows<'r>) -> io::Result<()> {
        let columns = self.columns(rows());
        let line = |cells: &[Foreign]| {
            let cells: Vec<_> = cells.iter().zip(&columns).map(aligned).collect();
            cells.join("  ").trim_end().to_owned()
        };
        let strong = ui::shown(ui::STRONG);
        if !self.title.is_empty() {
            writeln!(out, "{strong}{}{strong:#}\n", self.title.shown())?;
        }
        writeln!(out, "{strong}{}{strong:#}", line(&self.heads))?;
        for row in rows() {
            writeln!(out, "{}", line(&row))?;
        }
        Ok(())
    }

    fn csv(&self, out: &mut impl Write, safe: bool, rows: Rows<'_>) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        write_record(&mut writer, &self.heads, safe)?;
        for row in rows {
            write_record(&mut writer, &row, safe)?;
        }
        writer.flush()
    }

    fn markdown<'r>(&self, out: &mut impl Write, rows: &dyn Fn() -> Rows<'r>) -> io::Result<()> {
        let line = |cells: &[Foreign]| markdown_row(cells.iter().map(Foreign::markdown));
        if !self.title.is_empty() {
            writeln!(out, "## {}\n", self.title.shown())?;
        }
        writeln!(out, "{}", line(&self.heads))?;
        let rule = |(_, is_number): (usize, bool)| if is_number { "---:" } else { "---" };
        let columns = self.columns(rows());
        writeln!(out, "{}", markdown_row(columns.into_iter().map(rule)))?;
        for row in rows() {
            writeln!(out, "{}", line(&row))?;
        }
        Ok(())
    }

    /// The table as HTML.
    pub fn markup(&self) -> Markup {
        let mut all = String::new();
        // Nothing is written that could fail.
        let _ = self.html(&|| self.own(), &mut |part| {
            all += &part.into_string();
            Ok(())
        });
        PreEscaped(all)
    }

    /// The table as HTML, part by part.
    fn html<'r>(
        &self,
        rows: &dyn Fn() -> Rows<'r>,
        put: &mut dyn FnMut(Markup) -> io::Result<()>,
    ) -> io::Result<()> {
        let columns = self.columns(rows());
        let class = |column: usize| if columns[column].1 { "number" } else { "" };
        put(html! {
            @if !self.title.is_empty() { h2 { (self.title.shown()) } }
            (PreEscaped("<table>"))
            thead { tr { @for (column, head) in self.heads.iter().enumerate() { th scope="col" class=(class(column)) { (head.shown()) } } } }
            (PreEscaped("<tbody>"))
        })?;
        for (index, row) in rows().enumerate() {
            put(html! {
                tr class=[self.strong.contains(&index).then_some("strong")] { @for (column, cell) in row.iter().enumerate() { td class=(class(column)) { (cell.shown()) } } }
            })?;
        }
        put(html! {
            (PreEscaped("</tbody></table>"))
            @if !self.notes.is_empty() { p class="small notes" { (self.noted()) } }
        })
    }
}

/// Whether a cell does not keep its column from being one of numbers.
fn is_number_like(cell: &str) -> bool {
    matches!(cell, "" | "-") || cell.parse::<f64>().is_ok() || is_ordinal(cell)
}

fn is_ordinal(cell: &str) -> bool {
    let digits = cell.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    ["st", "nd", "rd", "th"].contains(&&cell[digits.len()..]) && digits.parse::<u32>().is_ok()
}

/// A cell at the width of its column; those of a column of numbers are on the right.
fn aligned((cell, (width, is_right)): (&Foreign, &(usize, bool))) -> String {
    let cell = cell.shown();
    let space = " ".repeat(width.saturating_sub(cell.width()));
    if *is_right {
        format!("{space}{cell}")
    } else {
        format!("{cell}{space}")
    }
}

fn markdown_row<S: Borrow<str>>(cells: impl Iterator<Item = S>) -> String {
    format!("| {} |", Vec::from_iter(cells).join(" | "))
}

/// Writes a row of a table for spreadsheets; a safe one has no formulas.
fn write_record<W: Write>(
    writer: &mut csv::Writer<W>,
    row: &[Foreign],
    safe: bool,
) -> csv::Result<()> {
    let cells = row.iter().map(|cell| {
        if safe {
            cell.harmless_cell()
        } else {
            cell.cell()
        }
    });
    writer.write_record(cells.map(Cow::into_owned))
}
