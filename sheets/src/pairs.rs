//! The order in which the plies of both boards of Bughouse were made, where their sheets have no ordinals.
//!
//! A ply of one board depends on the other only by what it drops, and a capture there only ever adds to a pocket. So whatever
//! can be made may be made: every order in which each drop finds its piece is as good as any other, except that what ends the
//! match comes last.

use crate::{
    Problem,
    acts::OtherAct,
    order::{
        BoardSheet, SheetPly,
        around::{Around, Stop, Why},
        name,
    },
};
use overboard_formats::san::{CRAZYHOUSE, San};
use overboard_games::bughouse::{
    BOARDS, Bughouse,
    alone::{Alone, Made},
};
use overboard_rules::square::{Role, Side};
use std::collections::HashMap;

/// The boards in the order of their plies, the earliest moves first.
///
/// # Errors
/// Where a board cannot go on.
pub fn order(sheets: &[BoardSheet], first: &Bughouse) -> Result<Vec<usize>, Problem> {
    let around = around(sheets, &[false; BOARDS], first);
    let Some(stop) = around.stops.first() else {
        return Ok(around.order);
    };
    let entry = &sheets[stop.board].entries[stop.at];
    let what = match stop.why {
        Why::Unreadable => format!("{} cannot be read", name(stop.board, entry)),
        _ => format!(
            "no order of these plies was found in which {} is legal",
            name(stop.board, entry)
        ),
    };
    Err(Problem::at("no-order", what, entry.origin))
}

/// The same as far as the boards can go; `is_missing` says which sheets are not there.
pub fn around(sheets: &[BoardSheet], is_missing: &[bool], first: &Bughouse) -> Around {
    let mut tables = Tables::of(sheets, is_missing, first);
    while let Some(board) = tables.next() {
        if tables.is_ready(board) {
            tables.make(board);
            continue;
        }
        let why = match tables.stopped_beside(board) {
            // What it drops may have come from there.
            Some(other) => Why::HangsOn(other),
            None => Why::Unfit(tables.order.clone()),
        };
        tables.stop(board, why);
    }
    Around {
        order: tables.order,
        stops: tables.stops,
        open: Vec::new(),
    }
}

/// A sheet whose plies were made on a board by itself.
struct Line<'a> {
    sheet: &'a BoardSheet,
    plies: Vec<Made>,
    /// Why it goes no further, if it has more.
    fault: Option<Why>,
}

/// Both boards while their plies are put in an order.
struct Tables<'a> {
    lines: Vec<Line<'a>>,
    made: Vec<usize>,
    is_stopped: Vec<bool>,
    /// How many pieces of a kind a side of a board holds.
    pockets: HashMap<(usize, Side, Role), u32>,
    order: Vec<usize>,
    stops: Vec<Stop>,
}

impl<'a> Tables<'a> {
    fn of(sheets: &'a [BoardSheet], is_missing: &[bool], first: &Bughouse) -> Self {
        let mut tables = Self {
            lines: Vec::new(),
            made: vec![0; sheets.len()],
            is_stopped: vec![false; sheets.len()],
            pockets: HashMap::new(),
            order: Vec::new(),
            stops: Vec::new(),
        };
        for (board, sheet) in sheets.iter().enumerate() {
            tables.lines.push(Line::of(sheet, Alone::of(first, board)));
            for side in Side::BOTH {
                for (role, count) in first.board(board).pockets().held(side) {
                    tables.pockets.insert((board, side, role), count.into());
                }
            }
            if is_missing[board] {
                tables.stop(board, Why::Missing);
            }
        }
        tables
    }

    /// The board that goes on or stops next; `None` when all have.
    fn next(&mut self) -> Option<usize> {
        for board in 0..self.lines.len() {
            let line = &self.lines[board];
            if !self.is_stopped[board]
                && self.made[board] == line.plies.len()
                && let Some(fault) = line.fault.clone()
            {
                let why = match fault {
                    Why::Unfit(_) => Why::Unfit(self.order.clone()),
                    other => other,
                };
                self.stop(board, why);
            }
        }
        let number = |board: &usize| {
            let entry = self.entry(*board);
            (entry.number, entry.side == Side::Black, *board)
        };
        let boards = (0..self.lines.len()).filter(|board| self.goes_on(*board));
        let (ready, waiting): (Vec<_>, Vec<_>) = boards.partition(|board| self.is_ready(*board));
        if let Some(earliest) = ready.into_iter().min_by_key(number) {
            return Some(earliest);
        }
        // What only waits for the other board to come to its end is not what is in the way.
        waiting
            .into_iter()
            .min_by_key(|board| (self.has_piece(*board), number(board)))
    }

    /// The ply of a board that is due.
    fn entry(&self, board: usize) -> &SheetPly {
        &self.lines[board].sheet.entries[self.made[board]]
    }

    fn goes_on(&self, board: usize) -> bool {
        !self.is_stopped[board] && self.made[board] < self.lines[board].plies.len()
    }

    /// The other board, if it has stopped.
    fn stopped_beside(&self, board: usize) -> Option<usize> {
        (0..self.lines.len()).find(|other| *other != board && self.is_stopped[*other])
    }

    /// Whether the next ply of a board drops nothing, or what its pocket holds.
    fn has_piece(&self, board: usize) -> bool {
        let made = self.lines[board].plies[self.made[board]];
        let held = |role| self.pockets.get(&(board, made.side, role)).copied();
        made.dropped
            .is_none_or(|role| held(role).unwrap_or_default() > 0)
    }

    /// Whether the next ply of a board can be made now.
    fn is_ready(&self, board: usize) -> bool {
        let is_last = (0..self.lines.len()).all(|other| other == board || !self.goes_on(other));
        self.has_piece(board) && (is_last || !self.ends(board))
    }

    /// Whether the next ply of a board ends the match, or what its sheet says after it.
    fn ends(&self, board: usize) -> bool {
        let made = self.lines[board].plies[self.made[board]];
        let acts = self.entry(board).acts.as_deref();
        let after = acts.map(|acts| &acts.after[..]).unwrap_or_default();
        made.mates || after.iter().any(|act| matches!(act, OtherAct::Flag(..)))
    }

    fn make(&mut self, board: usize) {
        let made = self.lines[board].plies[self.made[board]];
        if let Some(role) = made.dropped {
            let held = self.pockets.entry((board, made.side, role)).or_default();
            *held = held.saturating_sub(1);
        }
        if let Some(role) = made.taken {
            let partners = (BOARDS - 1 - board, made.side.other(), role);
            *self.pockets.entry(partners).or_default() += 1;
        }
        self.made[board] += 1;
        self.order.push(board);
    }

    fn stop(&mut self, board: usize, why: Why) {
        self.is_stopped[board] = true;
        self.stops.push(Stop {
            board,
            at: self.made[board],
            why,
        });
    }
}

impl<'a> Line<'a> {
    fn of(sheet: &'a BoardSheet, mut board: Alone) -> Self {
        let mut plies = Vec::with_capacity(sheet.entries.len());
        let mut fault = None;
        for entry in &sheet.entries {
            match made(entry, sheet, &mut board) {
                Ok(ply) => plies.push(ply),
                Err(why) => {
                    fault = Some(why);
                    break;
                }
            }
        }
        Self {
            sheet,
            plies,
            fault,
        }
    }
}

/// Makes a ply of a sheet, or lets it stand, on its board by itself.
fn made(entry: &SheetPly, sheet: &BoardSheet, board: &mut Alone) -> Result<Made, Why> {
    let read = San::parse_in(sheet.language, entry.san.as_bytes(), &CRAZYHOUSE);
    let legal = match &read {
        Ok(san) => board.make(&san.written),
        Err(_) => None,
    };
    let done = legal.or_else(|| board.stand(entry.acts.as_ref()?.stands()?));
    match (done, read) {
        (Some(done), _) => Ok(done),
        (None, Ok(_)) => Err(Why::Unfit(Vec::new())),
        (None, Err(_)) => Err(Why::Unreadable),
    }
}
