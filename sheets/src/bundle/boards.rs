//! Merges the sheets of linked boards into one stream.

use super::{
    board_plies::{BoardItems, BoardPlies, OrderedPly, with_own_numbers},
    is_of_pairs,
    ordinals::misplaced,
    under_way,
};
use crate::{
    Item, Items, Origin, Problem, Tagged as _,
    acts::MatchTerms,
    order::{
        Arrival, BoardSheet, PlyAt,
        around::{Stop, Why, around},
        name, order, share_a_time,
    },
    packed::Packed,
    pairs,
    tags::{self, Kept, Supplied},
};
use overboard_formats::{canonical::board_number, record::Node, san::Language};
use overboard_games::{
    bughouse::Bughouse,
    registry::{AnyGame, Variant},
    strategichess::linked::{Linked, Options, judge::SEATING},
};
use overboard_referee::{
    record_state::{players::Players, terms::ATTEMPTS},
    tags::attempts_allowed,
};
use overboard_rules::{game::Game as _, square::Side};
use std::collections::HashSet;

/// The outer sheet, those of the boards, and the order of their plies.
pub struct Boards {
    root: Packed,
    sheets: Vec<Packed>,
    /// Whose piece letters their plies have.
    language: Option<&'static Language>,
    common: tags::Common,
    /// The board of each ply.
    order: Vec<u32>,
    /// Whether nothing but times of plies says so.
    pub is_by_time: bool,
}

/// How far the sheets of boards were put in an order.
pub struct SoFar {
    /// The board of each ply.
    order: Vec<u32>,
    /// Where boards stop, and the number and the place of the ply before which they do, if there is one.
    pub stops: Vec<(Stop, Option<(String, Origin)>)>,
    /// The plies that arrive on a board after its stop: their names and places.
    pub open: Vec<(String, Origin)>,
}

impl Boards {
    /// The sheets of a game, whose plies are in no order yet. A missing one is empty.
    pub fn of(root: Packed, sheets: Vec<Packed>, language: Option<&'static Language>) -> Self {
        let common = tags::Common::of(&root);
        Self {
            root,
            sheets,
            language,
            common,
            order: Vec::new(),
            is_by_time: false,
        }
    }

    /// Leaves out the boards in numbers that name another one than that of their sheet; what is wrong with the first of each
    /// sheet.
    pub fn mend_foreign_numbers(&mut self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (board, sheet) in self.sheets.iter_mut().enumerate() {
            if let Some((kept, problem)) = with_own_numbers(board, sheet) {
                *sheet = kept;
                problems.push(problem);
            }
        }
        problems
    }

    /// Finds the order of the plies.
    ///
    /// # Errors
    /// No order, or more than one where it matters; a sheet that is of another board.
    pub fn put_in_order(&mut self) -> Result<(), Problem> {
        (self.order, self.is_by_time) = in_order(&self.root, &self.sheets, self.language)?;
        self.is_alone()
    }

    /// Whether the outer sheet has no plies of its own.
    fn is_alone(&self) -> Result<(), Problem> {
        let mut items = self.root.items();
        match items.find(|(node, _)| matches!(node, Node::Ply(_))) {
            Some((_, origin)) => {
                let what = "the outer sheet holds plies of its own beside those of the boards";
                Err(Problem::at("doubled", what.into(), origin))
            }
            None => Ok(()),
        }
    }

    /// Finds an order around plies that fit none, and sheets that are missing.
    ///
    /// # Errors
    /// More than one order where it matters; marks or sheets that contradict each other.
    pub fn put_in_order_so_far(&self, is_missing: &[bool]) -> Result<SoFar, Problem> {
        self.is_alone()?;
        let (root, boards) = (&self.root, self.sheets.len());
        let sheets = board_sheets(&self.sheets, self.language)?;
        let found = match first(root, boards)? {
            First::Linked(first) => around(&sheets, is_missing, &first, &terms(root, boards))?,
            First::Pairs(first) => pairs::around(&sheets, is_missing, &first),
        };
        let stopping = |stop: Stop| {
            let entry = sheets[stop.board].entries.get(stop.at);
            let entry = entry.map(|entry| {
                let number = board_number(stop.board as u16, entry.number, entry.side);
                (number, entry.origin)
            });
            (stop, entry)
        };
        let open = |ply: PlyAt| {
            let entry = &sheets[ply.board].entries[ply.at];
            (name(ply.board, entry), entry.origin)
        };
        Ok(SoFar {
            open: found.open.into_iter().map(open).collect(),
            order: found.order.into_iter().map(|board| board as u32).collect(),
            stops: found.stops.into_iter().map(stopping).collect(),
        })
    }

    /// The record as far as it was put in an order. What its end decides is left out.
    pub fn items_so_far<'s>(&'s self, so_far: &'s SoFar) -> Items<'s> {
        self.under_way(so_far.order.iter().copied())
    }

    /// The record up to the ply before which a board stops, and that ply.
    pub fn items_to<'s>(&'s self, so_far: &'s SoFar, stop: &'s Stop) -> Items<'s> {
        let board = stop.board as u32;
        let order: Vec<u32> = match &stop.why {
            Why::Unfit(order) => order.iter().map(|board| *board as u32).collect(),
            // Where a ply cannot be read, what is on other boards does not matter.
            _ => so_far.order.clone(),
        };
        self.under_way(order.into_iter().chain([board]))
    }

    /// The record with the plies of these boards, and nothing about its end.
    fn under_way<'s>(&'s self, order: impl Iterator<Item = u32> + Send + 's) -> Items<'s> {
        under_way(&self.root, self.root.items(), self.plies(order))
    }

    /// The outermost sheet.
    pub const fn root(&self) -> &Packed {
        &self.root
    }

    /// The record.
    pub fn items(&self) -> Items<'_> {
        let is_result = |(node, _): &Item| matches!(node, Node::Result(_));
        let before = self.root.items().take_while(move |item| !is_result(item));
        let tail = self.root.items().skip_while(move |item| !is_result(item));
        let plies = self.plies(self.order.iter().copied());
        Box::new(before.chain(plies).chain(tail))
    }

    /// The next plies of these boards, and what stands before the first one of each.
    fn plies<'s>(
        &'s self,
        order: impl Iterator<Item = u32> + Send + 's,
    ) -> impl Iterator<Item = Item> + Send + 's {
        let mut boards = Vec::new();
        for (board, sheet) in self.sheets.iter().enumerate() {
            // What is wrong with a number was found when the order was.
            boards.extend(BoardItems::of(board, sheet));
        }
        let leading: Vec<_> = boards.iter().map(BoardItems::leading).collect();
        let plies = Merged {
            boards,
            order,
            piece: None,
        };
        leading.into_iter().flatten().chain(plies)
    }

    /// What is left out of the record.
    pub fn notes(&self) -> Vec<Problem> {
        let mut notes = Vec::new();
        for (board, sheet) in self.sheets.iter().enumerate() {
            let supplied = Supplied::to(sheet, self.common.of_board(board));
            let left_out = |name: &str, value: &str| supplied.keeps(name, value) != Kept::Goes;
            for (name, value, origin) in sheet.tags_that(left_out) {
                let what = format!(
                    "the tag {name} \"{value}\" of a board has no place in the record and is left out"
                );
                notes.push(Problem::at("note", what, origin));
            }
        }
        notes
    }
}

/// The plies of boards in their order.
struct Merged<'p, O> {
    boards: Vec<BoardItems<'p>>,
    order: O,
    piece: Option<Items<'p>>,
}

impl<O: Iterator<Item = u32>> Iterator for Merged<'_, O> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(piece) = &mut self.piece
                && let Some(item) = piece.next()
            {
                return Some(item);
            }
            let board = self.order.next()? as usize;
            self.piece = self.boards.get_mut(board)?.piece();
        }
    }
}

/// What the tags settle about what happens besides plies.
fn terms(root: &Packed, boards: usize) -> MatchTerms {
    let players = Players::listed(
        ["White", "Black"].map(|name| root.tag(name).unwrap_or_default()),
        boards,
        SEATING,
    );
    MatchTerms {
        players,
        attempts: attempts_allowed(root.tag("Rules").unwrap_or_default()).unwrap_or(ATTEMPTS),
    }
}

/// The position at the start.
enum First {
    Linked(Box<Linked>),
    Pairs(Box<Bughouse>),
}

fn first(root: &Packed, boards: usize) -> Result<First, Problem> {
    let found = if is_of_pairs(root) {
        first_of_pairs(root).map(First::Pairs)
    } else {
        first_of_linked(root, boards).map(First::Linked)
    };
    found.ok_or_else(|| {
        let what = "the position of this FEN cannot be used".into();
        Problem::at("unreadable", what, root.place_of("FEN"))
    })
}

fn first_of_pairs(root: &Packed) -> Option<Box<Bughouse>> {
    if let AnyGame::Bughouse(first) = start(root, Variant::Bughouse)? {
        return Some(first);
    }
    None
}

/// The position of the tag FEN, or that of the game at its start.
fn start(root: &Packed, variant: Variant) -> Option<AnyGame> {
    let rules = root.tag("Rules").unwrap_or_default();
    let start = AnyGame::start_under(variant, rules)?;
    match root.tag("FEN") {
        Some(fen) => Some(start.read_under(fen, rules).ok()?.position),
        None => Some(start),
    }
}

fn first_of_linked(root: &Packed, boards: usize) -> Option<Box<Linked>> {
    if root.tag("FEN").is_none() {
        let rules = root.tag("Rules").unwrap_or_default();
        return Linked::start(&Options::of(boards, rules))
            .ok()
            .map(Box::new);
    }
    if let AnyGame::Linked(linked) = start(root, Variant::Strategi)?
        && linked.boards() == boards
    {
        return Some(linked);
    }
    None
}

/// A number that a ply has, and the board of the ply.
type Mark = (u64, u32);

/// What the plies say of their order.
struct Survey {
    /// Their ordinals, and their times, unless a ply has none.
    ordinals: Option<Vec<Mark>>,
    times: Option<Vec<Mark>>,
    /// The plies by which pieces are said to have arrived: board, number and side.
    arrivals: Vec<(usize, u32, Side)>,
}

impl Survey {
    fn of(sheets: &[Packed]) -> Result<Self, Problem> {
        let mut survey = Self {
            ordinals: Some(Vec::new()),
            times: Some(Vec::new()),
            arrivals: Vec::new(),
        };
        for (board, sheet) in sheets.iter().enumerate() {
            let mut plies = BoardPlies::of(board, sheet)?;
            let mut last = None;
            while let Some(OrderedPly { ply, seq }) = plies.next()? {
                enter(&mut survey.ordinals, seq, board);
                // A time before an earlier one of its sheet is said elsewhere.
                let ts = if ply.ts < last { None } else { ply.ts };
                enter(&mut survey.times, ts, board);
                last = ply.ts.or(last);
                survey.enter_arrivals(&ply.arrivals);
            }
            survey.enter_arrivals(&plies.arrivals);
        }
        Ok(survey)
    }

    fn enter_arrivals(&mut self, arrivals: &[Arrival]) {
        for by in arrivals {
            self.arrivals.push((by.board, by.number, by.side));
        }
    }

    /// Whether every ply by which a piece arrived is on a sheet.
    fn has_senders(&self, sheets: &[Packed]) -> Result<bool, Problem> {
        let mut wanted: HashSet<_> = self.arrivals.iter().copied().collect();
        if wanted.is_empty() {
            return Ok(true);
        }
        for (board, sheet) in sheets.iter().enumerate() {
            let mut plies = BoardPlies::of(board, sheet)?;
            while let Some(OrderedPly { ply, .. }) = plies.next()? {
                wanted.remove(&(board, ply.number, ply.side));
            }
        }
        Ok(wanted.is_empty())
    }
}

/// Enters the mark of a ply; without one the others are of no use.
fn enter(marks: &mut Option<Vec<Mark>>, mark: Option<u64>, board: usize) {
    match (marks.as_mut(), mark) {
        (Some(marks), Some(mark)) => marks.push((mark, board as u32)),
        _ => *marks = None,
    }
}

/// The board of each ply, and whether nothing but times says so.
fn in_order(
    root: &Packed,
    sheets: &[Packed],
    language: Option<&'static Language>,
) -> Result<(Vec<u32>, bool), Problem> {
    let mut survey = Survey::of(sheets)?;
    if let Some(ordinals) = survey.ordinals.take() {
        return Ok((by_ordinals(ordinals, sheets)?, false));
    }
    // The order by time, if no two plies of different boards share one.
    if let Some(mut times) = survey.times.take() {
        times.sort_unstable();
        if !share_a_time(&times) && survey.has_senders(sheets)? && first(root, sheets.len()).is_ok()
        {
            return Ok((times.into_iter().map(|(_, board)| board).collect(), true));
        }
    }
    let written = board_sheets(sheets, language)?;
    let order = match first(root, sheets.len())? {
        First::Linked(first) => order(&written, &first, &terms(root, sheets.len()))?,
        First::Pairs(first) => pairs::order(&written, &first)?,
    };
    Ok((order.into_iter().map(|board| board as u32).collect(), false))
}

/// The plies of the sheets.
fn board_sheets(
    sheets: &[Packed],
    language: Option<&'static Language>,
) -> Result<Vec<BoardSheet>, Problem> {
    let mut boards = Vec::with_capacity(sheets.len());
    for (board, sheet) in sheets.iter().enumerate() {
        let mut plies = BoardPlies::of(board, sheet)?;
        let mut entries = Vec::new();
        while let Some(OrderedPly { ply, .. }) = plies.next()? {
            entries.push(ply);
        }
        boards.push(BoardSheet {
            entries,
            arrivals: plies.arrivals,
            language,
        });
    }
    Ok(boards)
}

fn by_ordinals(mut ordinals: Vec<Mark>, sheets: &[Packed]) -> Result<Vec<u32>, Problem> {
    // They come sheet by sheet.
    if let Some(pair) = ordinals
        .windows(2)
        .find(|pair| pair[0].1 == pair[1].1 && pair[0].0 >= pair[1].0)
    {
        let what = format!(
            "the ordinal {} follows the ordinal {} on the same sheet",
            pair[1].0, pair[0].0
        );
        return Err(Problem::at(
            "unfit",
            what,
            place_of(sheets, pair[1], Some(pair[0].0))?,
        ));
    }
    // Each once on its sheet, so that a board and an ordinal name a ply.
    ordinals.sort_unstable();
    for (right, pair) in (1..).zip(ordinals.windows(2)) {
        let [one, other] = pair else { continue };
        if one.0 == other.0 {
            let what = format!("two plies say that they are number {} of the game", one.0);
            let problem = Problem::at("doubled", what, place_of(sheets, *one, None)?);
            return Err(problem.and(place_of(sheets, *other, None)?, "the other one".into()));
        }
        if one.0 != right {
            return Err(misplaced(one.0, right, place_of(sheets, *one, None)?));
        }
    }
    Ok(ordinals.into_iter().map(|(_, board)| board).collect())
}

/// Where the first ply of a board with this ordinal stands that comes after one with that ordinal.
fn place_of(
    sheets: &[Packed],
    (ordinal, board): Mark,
    after: Option<u64>,
) -> Result<Origin, Problem> {
    let sheet = &sheets[board as usize];
    let mut plies = BoardPlies::of(board as usize, sheet)?;
    let mut before = None;
    while let Some(OrderedPly { ply, seq }) = plies.next()? {
        if seq == Some(ordinal) && (after.is_none() || before == after) {
            return Ok(ply.origin);
        }
        before = seq;
    }
    Ok(sheet.origin())
}
