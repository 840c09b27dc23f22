//! Tables of comma-separated values as people make them: with commas, semicolons or tabs, with or without a byte order mark,
//! in UTF-8 or Latin-1, columns in any order.

use overboard_formats::encoding::decode;
use std::{fmt, str::FromStr};

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct At {
    /// The file's name.
    pub file: String,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// Column in characters, from 1; 0 for the line as a whole.
    pub column: u64,
}

/// What is wrong with a file, and its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
#[error("{at}: {message}")]
pub struct CsvError {
    /// The place.
    pub at: At,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, 0) => write!(f, ":{line}"),
            (line, column) => write!(f, ":{line}:{column}"),
        }
    }
}

impl At {
    /// The place of a file as a whole.
    #[must_use]
    pub fn file(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            ..Self::default()
        }
    }

    /// An error at this place.
    #[must_use]
    pub fn fault(&self, message: impl Into<String>) -> CsvError {
        CsvError {
            at: self.clone(),
            message: message.into(),
        }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Rows that are not empty.
    pub rows: Vec<CsvRow>,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct CsvRow {
    at: At,
    cells: Vec<Cell>,
    /// Index of the cell of each column of the reader.
    places: Vec<Option<usize>>,
}

/// The text of a cell, and where it begins.
pub type Cell = (String, At);

/// All cells of a table, before its headings are understood.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Those of the first line.
    pub heads: Vec<Cell>,
    /// Those of each row that is not empty; at least one.
    pub rows: Vec<Vec<Cell>>,
}

/// The most cells of a row; a wider one is an error, so that a hostile file takes no memory.
const WIDEST: usize = 256;

/// Columns of a table, each with other headings for it.
pub type Synonyms<'a> = &'a [(&'a str, &'a [&'a str])];

/// How the headings of a table are understood.
struct Headings<'a> {
    synonyms: Synonyms<'a>,
    /// Whether headings that name no column are only noted, and no column is required; otherwise they are errors, and the
    /// first column is required.
    is_loose: bool,
}

impl Sheet {
    /// Reads a table that has some of these columns; the first of them is required.
    ///
    /// # Errors
    /// A row that cannot be read, a column that is unknown or occurs twice, or the first one missing.
    pub fn read(file: &str, bytes: &[u8], columns: &[&str]) -> Result<Self, CsvError> {
        Self::read_worded(file, bytes, columns, &[])
    }

    /// The same, with other headings for the columns.
    ///
    /// # Errors
    /// As above.
    pub fn read_worded(
        file: &str,
        bytes: &[u8],
        columns: &[&str],
        synonyms: Synonyms<'_>,
    ) -> Result<Self, CsvError> {
        let cells = Cells::read(file, bytes, columns)?;
        let is_loose = false;
        let headings = Headings { synonyms, is_loose };
        Self::of(file, cells, columns, &headings).map(|(sheet, _)| sheet)
    }

    /// A table that was not made for this program. Returns also a note on each column that is not used.
    ///
    /// # Errors
    /// A column that occurs twice, no column that is known, or a row that is too long.
    pub fn foreign(
        file: &str,
        cells: Cells,
        columns: &[&str],
        synonyms: Synonyms<'_>,
    ) -> Result<(Self, Vec<CsvError>), CsvError> {
        let is_loose = true;
        let headings = Headings { synonyms, is_loose };
        Self::of(file, cells, columns, &headings)
    }

    fn of(
        file: &str,
        cells: Cells,
        columns: &[&str],
        headings: &Headings<'_>,
    ) -> Result<(Self, Vec<CsvError>), CsvError> {
        let Cells { heads, rows } = cells;
        let (places, notes) = places(&heads, columns, headings, file)?;
        let row = |cells| CsvRow::of(cells, heads.len(), &places);
        let rows = rows.into_iter().map(row).collect::<Result<_, _>>()?;
        Ok((Self { rows }, notes))
    }
}

impl Cells {
    /// Reads all cells of a table; `columns` are those that were expected.
    ///
    /// # Errors
    /// A file that is empty or not a table.
    pub fn read(file: &str, bytes: &[u8], columns: &[&str]) -> Result<Self, CsvError> {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(At::file(file).fault("the file is UTF-16; save it as CSV in UTF-8"));
        }
        let (text, _) = decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let separator = separator(&text);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let mut lines = Lines {
            text: &text,
            separator: char::from(separator),
            file,
            offset: 0,
            line: 1,
        };
        let mut heads = None;
        let mut rows = Vec::new();
        for record in reader.byte_records() {
            let record = record.map_err(|error| At::file(file).fault(error.to_string()))?;
            let cells = lines.cells(&record)?;
            if heads.is_none() {
                heads = Some(cells);
                continue;
            }
            if cells.iter().all(|(text, _)| text.is_empty()) || cells[0].0.starts_with('#') {
                continue;
            }
            rows.push(cells);
        }
        let Some(heads) = heads else {
            return Err(At::file(file).fault(format!(
                "the file is empty; expected the columns {}",
                columns.join(",")
            )));
        };
        if let Some(at) = unclosed(&text, &rows) {
            return Err(at.fault("the quotation mark that opens here is not closed"));
        }
        Ok(Self { heads, rows })
    }
}

/// The cell whose quotation mark is never closed: the text after it is one cell up to the end of the file.
fn unclosed<'r>(text: &str, rows: &'r [Vec<Cell>]) -> Option<&'r At> {
    if text.matches('"').count().is_multiple_of(2) {
        return None;
    }
    let mut last = rows.last()?.iter();
    let (_, at) = last.find(|(text, _)| text.contains('\n'))?;
    Some(at)
}

/// The separator: the one that occurs most often in the first line. A table copied from a spreadsheet has tabs.
fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: u8| first.matches(char::from(separator)).count();
    let mut best = b',';
    for other in [b';', b'\t'] {
        if count(other) > count(best) {
            best = other;
        }
    }
    best
}

/// A heading as it is compared: small letters and digits, so that `Fide-ID`, `FIDE id` and `fide_id` are the same.
pub fn heading(text: &str) -> String {
    let letters = text.chars().flat_map(char::to_lowercase);
    letters
        .filter(|letter| letter.is_alphanumeric() || *letter == '#')
        .collect()
}

/// The column that a heading names.
fn place_of(head: &str, columns: &[&str], synonyms: Synonyms<'_>) -> Option<usize> {
    let name = head.replace([' ', '-'], "_");
    let exact = columns
        .iter()
        .position(|column| column.eq_ignore_ascii_case(&name));
    if exact.is_some() {
        return exact;
    }
    let column = by_synonym(&heading(head), synonyms)?;
    columns.iter().position(|known| *known == column)
}

/// The column for which a heading is another word, both as they are compared.
pub fn by_synonym<'a>(head: &str, synonyms: Synonyms<'a>) -> Option<&'a str> {
    let mut synonyms = synonyms.iter();
    let is_it = |other: &&str| heading(other) == head;
    let (column, _) = synonyms.find(|(_, others)| others.iter().any(is_it))?;
    Some(column)
}

fn places(
    heads: &[Cell],
    columns: &[&str],
    headings: &Headings<'_>,
    file: &str,
) -> Result<(Vec<Option<usize>>, Vec<CsvError>), CsvError> {
    let mut places = vec![None; columns.len()];
    let mut notes = Vec::new();
    for (index, (head, at)) in heads.iter().enumerate() {
        if head.is_empty() {
            continue;
        }
        let short: String = head.chars().take(40).collect();
        let Some(place) = place_of(head, columns, headings.synonyms) else {
            if headings.is_loose {
                notes.push(at.fault(format!("the column `{short}` is not used")));
                continue;
            }
            return Err(at.fault(format!(
                "unknown column `{short}`; expected {}",
                columns.join(", ")
            )));
        };
        if places[place].replace(index).is_some() {
            return Err(at.fault(format!("the column `{head}` occurs twice")));
        }
    }
    let first_line = At {
        line: 1,
        ..At::file(file)
    };
    if headings.is_loose && places.iter().all(Option::is_none) {
        return Err(first_line.fault(format!(
            "the first line must name the columns, such as {}",
            columns.join(", ")
        )));
    }
    if !headings.is_loose && places[0].is_none() {
        return Err(first_line.fault(format!(
            "the column `{}` is missing; the first line names the columns",
            columns[0]
        )));
    }
    Ok((places, notes))
}

/// Converts byte offsets to lines and columns; offsets must not decrease.
struct Lines<'a> {
    text: &'a str,
    separator: char,
    file: &'a str,
    offset: usize,
    line: u64,
}

impl Lines<'_> {
    /// The cells of a record.
    fn cells(&mut self, record: &csv::ByteRecord) -> Result<Vec<Cell>, CsvError> {
        let start = record.position().map_or(0, csv::Position::byte);
        if record.len() > WIDEST {
            return Err(self
                .at(start, 0)
                .fault(format!("a row has at most {WIDEST} cells")));
        }
        let mut cells = Vec::new();
        for (index, cell) in record.iter().enumerate() {
            cells.push((decode(cell).0.into_owned(), self.at(start, index)));
        }
        Ok(cells)
    }

    /// Where the cell with this index begins, in the record that starts at `start` or after empty lines there.
    fn at(&mut self, start: u64, index: usize) -> At {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let start = start.min(self.text.len());
        if let Some(passed) = self.text.get(self.offset..start) {
            self.line += passed.matches('\n').count() as u64;
            self.offset = start;
        }
        let record = self.text.get(start..).unwrap_or_default();
        let (mut line, mut column, mut cell, mut quoted) = (self.line, 1, 0, false);
        let own = record.trim_start_matches(['\r', '\n']);
        let empty = &record[..record.len() - own.len()];
        line += empty.matches('\n').count() as u64;
        let mut letters = own.chars();
        while cell < index {
            match letters.next() {
                Some('"') => quoted = !quoted,
                Some('\n') if quoted => (line, column) = (line + 1, 0),
                Some('\n') | None => break,
                Some(letter) if letter == self.separator && !quoted => cell += 1,
                Some(_) => {}
            }
            column += 1;
        }
        At {
            file: self.file.to_owned(),
            line,
            column,
        }
    }
}

impl CsvRow {
    /// A row below so many headings.
    fn of(cells: Vec<Cell>, heads: usize, places: &[Option<usize>]) -> Result<Self, CsvError> {
        if let Some((text, extra)) = cells.get(heads)
            && !text.is_empty()
        {
            return Err(extra.fault(format!("the row has more cells than the {heads} columns")));
        }
        let at = At {
            column: 0,
            ..cells[0].1.clone()
        };
        Ok(Self {
            at,
            cells,
            places: places.to_vec(),
        })
    }

    /// Where it begins.
    #[must_use]
    pub const fn at(&self) -> &At {
        &self.at
    }

    /// The text of a column, by its index; empty if the row does not have it.
    #[must_use]
    pub fn text(&self, place: usize) -> &str {
        self.cell(place).map_or("", |(text, _)| text)
    }

    fn cell(&self, place: usize) -> Option<&Cell> {
        let index = self.places.get(place).copied()??;
        self.cells.get(index)
    }

    /// Where a column's cell begins.
    #[must_use]
    pub fn place(&self, place: usize) -> At {
        let at = self.cell(place).map_or(&self.at, |(_, at)| at);
        at.clone()
    }

    /// An error at a column's cell.
    #[must_use]
    pub fn fault(&self, place: usize, message: impl Into<String>) -> CsvError {
        self.place(place).fault(message)
    }

    /// The value of a column; `None` if it is empty.
    ///
    /// # Errors
    /// If it cannot be parsed; `expected` says what it should be.
    pub fn value<T: FromStr>(&self, place: usize, expected: &str) -> Result<Option<T>, CsvError> {
        let text = self.text(place);
        if text.is_empty() {
            return Ok(None);
        }
        let short: String = text.chars().take(40).collect();
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(self.fault(place, format!("expected {expected}, found `{short}`"))),
        }
    }

    /// The value of a column that must not be empty.
    ///
    /// # Errors
    /// If it is empty or cannot be parsed; `expected` says what it should be.
    pub fn needed<T: FromStr>(&self, place: usize, expected: &str) -> Result<T, CsvError> {
        self.value(place, expected)?
            .ok_or_else(|| self.fault(place, format!("expected {expected}, found nothing")))
    }
}

/// Writes a table.
#[must_use]
pub fn write(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(columns).and_then(|()| {
        rows.into_iter()
            .try_for_each(|row| writer.write_record(row))
    });
    debug_assert!(
        written.is_ok(),
        "memory takes what it is given, and rows are of one length"
    );
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_know_where_they_stand() {
        let text = "\u{feff}number;name\r\n\r\n1;\"A;\nb\"\n# passed over;x\n7;Ö;\n";
        let sheet = Sheet::read("t.csv", text.as_bytes(), &["number", "name", "short"]).unwrap();
        assert_eq!(sheet.rows.len(), 2);
        assert_eq!(sheet.rows[0].text(1), "A;\nb");
        assert_eq!(sheet.rows[0].place(1).to_string(), "t.csv:3:3");
        assert_eq!(sheet.rows[1].place(1).to_string(), "t.csv:6:3");
        assert_eq!(sheet.rows[1].text(2), "");
        assert!(sheet.rows[0].value::<u32>(1, "a number").is_err());
    }

    #[test]
    fn what_is_wrong_is_reported() {
        let fault = |text: &str| {
            Sheet::read("t.csv", text.as_bytes(), &["number", "name"])
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            fault(""),
            "t.csv: the file is empty; expected the columns number,name"
        );
        assert_eq!(
            fault("name\n"),
            "t.csv:1: the column `number` is missing; the first line names the columns"
        );
        assert_eq!(
            fault("number,nam\n"),
            "t.csv:1:8: unknown column `nam`; expected number, name"
        );
        assert_eq!(
            fault("number,name\n1,a,b\n"),
            "t.csv:2:5: the row has more cells than the 2 columns"
        );
    }
}
