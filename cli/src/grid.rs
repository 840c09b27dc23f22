//! Tables for terminals, spreadsheets, Markdown and HTML: the same cells in each.

use crate::{options::Form, page, ui};
use maud::{Markup, html};
use overboard_pictures::foreign::{is_unseen, visible};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Its heading.
    pub title: String,
    /// Names of the columns.
    pub heads: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Rows that lead others, and stand out on a page.
    pub strong: Vec<usize>,
    /// What stands below it on a page.
    pub notes: Vec<String>,
}

impl Grid {
    /// A table without rows.
    pub fn new(title: impl Into<String>, heads: &[&str]) -> Self {
        Self {
            title: title.into(),
            heads: heads.iter().map(|head| (*head).to_owned()).collect(),
            rows: Vec::new(),
            strong: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Writes the table; `safe` keeps spreadsheets from taking a cell for a formula.
    pub fn write(&self, out: &mut impl Write, form: Form, safe: bool) -> io::Result<()> {
        match form {
            Form::Text => self.text(out),
            Form::Csv => self.csv(out, safe),
            Form::Markdown => self.markdown(out),
            Form::Html => write!(out, "{}", page::text(self.markup())),
        }
    }

    /// Whether the cells of a column are numbers, and stand on the right.
    fn is_number(&self, column: usize) -> bool {
        let ordinal = |cell: &str| {
            let digits = cell.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
            ["st", "nd", "rd", "th"].contains(&&cell[digits.len()..]) && digits.parse::<u32>().is_ok()
        };
        let number =
            |cell: &String| cell.is_empty() || cell == "-" || cell.parse::<f64>().is_ok() || ordinal(cell);
        self.rows.iter().all(|row| row.get(column).is_none_or(number))
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| visible(cell).width());
            cells.chain([self.heads[column].width()]).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.heads.len()).map(width).collect();
        let right: Vec<_> = (0..self.heads.len()).map(|column| self.is_number(column)).collect();
        let line = |cells: &[String]| {
            let cell = |(column, cell): (usize, &String)| {
                let cell = visible(cell);
                let space = " ".repeat(widths[column].saturating_sub(cell.width()));
                if right[column] { format!("{space}{cell}") } else { format!("{cell}{space}") }
            };
            let cells: Vec<_> = cells.iter().enumerate().map(cell).collect();
            cells.join("  ").trim_end().to_owned()
        };
        let strong = ui::shown(ui::STRONG);
        if !self.title.is_empty() {
            writeln!(out, "{strong}{}{strong:#}\n", visible(&self.title))?;
        }
        writeln!(out, "{strong}{}{strong:#}", line(&self.heads))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
    }

    fn csv(&self, out: &mut impl Write, safe: bool) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.heads)?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| if safe { harmless(cell) } else { lasting(cell) });
            writer.write_record(cells)?;
        }
        writer.flush()
    }

    fn markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let line = |cells: &[String]| {
            let cell = |cell: &String| {
                visible(cell).replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '<'], " ")
            };
            format!("| {} |", cells.iter().map(cell).collect::<Vec<_>>().join(" | "))
        };
        if !self.title.is_empty() {
            writeln!(out, "## {}\n", visible(&self.title))?;
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
            @if !self.title.is_empty() { h2 { (self.title) } }
            table {
                thead { tr { @for (column, head) in self.heads.iter().enumerate() { th class=(class(column)) { (head) } } } }
                tbody {
                    @for (index, row) in self.rows.iter().enumerate() {
                        tr class=[self.strong.contains(&index).then_some("strong")] { @for (column, cell) in row.iter().enumerate() { td class=(class(column)) { (cell) } } }
                    }
                }
            }
            @if !self.notes.is_empty() { p class="small notes" { (self.notes.join(" · ")) } }
        }
    }
}

/// A cell that a spreadsheet takes for text and a terminal shows as it is: with an apostrophe in front where it would be
/// taken for a formula, full-width signs included, which some programs read as their narrow twins.
pub fn harmless(cell: &str) -> String {
    const SIGNS: [char; 12] =
        ['=', '+', '-', '@', '\t', '\r', '\n', '|', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let bare = cell.trim_start_matches(|sign: char| sign.is_whitespace() || is_unseen(sign));
    let is_number = cell.parse::<f64>().is_ok();
    let is_formula = (cell.starts_with(SIGNS) || bare.starts_with(SIGNS)) && !is_number && cell != "-";
    let shown = visible(cell);
    if is_formula { format!("'{shown}") } else { shown.into_owned() }
}

/// A cell as it is, but for what could change how a terminal or an editor shows the cells around it. The joiners of
/// Persian and Indic words belong to the word.
fn lasting(cell: &str) -> String {
    let turns = |sign: char| is_unseen(sign) && !matches!(sign, '\u{200c}' | '\u{200d}');
    if cell.contains(turns) { visible(cell).into_owned() } else { cell.to_owned() }
}
