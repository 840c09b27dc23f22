//! One stream of linked boards into the sheets of the boards.

use super::{end_of_rav, identified};
use crate::sheets::{Item, Origin, Problem, Sheet, tags};
use overboard_formats::{record::Node, san::board_index};
use overboard_rules::ply::BoardName;

/// The sheets of linked boards as they are written.
struct Boards {
    /// How many boards there are.
    count: usize,
    /// The outer sheet, then those of the boards.
    done: Vec<Vec<Item>>,
    /// Where what is read goes: to the outer sheet before the first ply and behind the last result.
    into: usize,
    /// The board that the last number names, and that number.
    addressed: Option<(usize, String)>,
    plies: u32,
    /// What is still to be written behind the last ply and its glyphs, and on which sheet.
    owed: Vec<(usize, Item)>,
}

/// The sheets of linked boards: the outer one with the tags, the players and the result, then the boards.
pub fn boards_apart(mut sheet: Sheet, id: &str) -> Result<Vec<Vec<Item>>, Problem> {
    let common = tags::Common::of(&sheet);
    let count = sheet.tag("Boards").map_or(1, |names| names.split(':').count());
    identified(&mut sheet.items, id);
    let done = vec![Vec::new(); count + 1];
    let mut boards = Boards { count, done, into: 0, addressed: None, plies: 0, owed: Vec::new() };
    boards.visit(&sheet.items)?;
    let mut done = boards.done;
    let origin = sheet.origin();
    for (board, items) in done[1..].iter_mut().enumerate() {
        items.push((Node::Result("*".into()), origin));
        tags::supply(items, common.of_board(board), origin)?;
        tags::add(items, "Parent", format!("{id}/{}", BoardName(board)), origin);
    }
    Ok(done)
}

impl Boards {
    fn visit(&mut self, items: &[Item]) -> Result<(), Problem> {
        let mut at = 0;
        while at < items.len() {
            let (node, origin) = &items[at];
            if !matches!(node, Node::Glyphs(_) | Node::Nag(_) | Node::Suffix(_)) {
                self.settle();
            }
            match node {
                Node::RavOpen => {
                    let end = end_of_rav(items, at);
                    self.done[self.into].extend_from_slice(&items[at..end]);
                    at = end;
                    continue;
                }
                Node::Number(number) => self.address(number, *origin)?,
                Node::Ply(ply) => self.made(ply, *origin)?,
                Node::Result(_) => self.into = 0,
                _ => {}
            }
            self.done[self.into].push(items[at].clone());
            at += 1;
        }
        self.settle();
        Ok(())
    }

    /// Writes what is due.
    fn settle(&mut self) {
        for (sheet, item) in self.owed.drain(..) {
            self.done[sheet].push(item);
        }
    }

    /// A number says which board is played on.
    fn address(&mut self, number: &str, origin: Origin) -> Result<(), Problem> {
        let digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let letters = digits.trim_end_matches('.');
        let board = board_index(letters.as_bytes()).map(usize::from).filter(|board| *board < self.count);
        let Some(board) = board else {
            let what = format!(
                "`{number}` names no board of this game: on linked boards a number has the letter of one"
            );
            return Err(Problem::at("unreadable", what, origin));
        };
        self.into = board + 1;
        self.addressed = Some((board, number.trim_end_matches('.').into()));
        Ok(())
    }

    /// A ply was made on the board that the number before it names.
    fn made(&mut self, ply: &str, origin: Origin) -> Result<(), Problem> {
        let Some((board, number)) = self.addressed.take() else {
            let what = format!(
                "which board is `{ply}` played on? No number with the letter of one stands before it"
            );
            return Err(Problem::at("unreadable", what, origin));
        };
        self.plies += 1;
        self.owed.push((board + 1, tags::command(format!("seq {}", self.plies), origin)));
        if let Some((board, command)) = arrival(ply, &number, self.count) {
            self.owed.push((board + 1, tags::command(command, origin)));
        }
        Ok(())
    }
}

/// On which board a ply arrives, and the command that says so there: `in R a5 A 12`.
fn arrival(ply: &str, number: &str, boards: usize) -> Option<(usize, String)> {
    let plain = ply.trim_end_matches(['+', '#', '!', '?']);
    let (san, letters) = plain.split_once('/')?;
    let board = board_index(letters.as_bytes()).map(usize::from).filter(|board| *board < boards)?;
    let piece = san.chars().next().filter(char::is_ascii_uppercase).unwrap_or('P');
    let digits = san.trim_end_matches(|c: char| c.is_ascii_digit());
    let square = &san[digits.len().checked_sub(1)?..];
    let letters = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &number[..number.len() - letters.len()];
    Some((board, format!("in {piece} {square} {letters} {number}")))
}
